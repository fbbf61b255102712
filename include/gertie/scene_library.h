// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: all of its headers.
///
/// What libgertie-runtime has, and scenes, files of all formats, and characters built from them. For programs that link
/// libgertie-scene; they may also include only the headers they need.
///
/// **Threads.** As the headers say that this one includes.

#ifndef GERTIE_SCENE_LIBRARY_H
#define GERTIE_SCENE_LIBRARY_H

#include "gertie/accessor.h"
#include "gertie/bake.h"
#include "gertie/build.h"
#include "gertie/channel.h"
#include "gertie/clip_pack.h"
#include "gertie/expression.h"
#include "gertie/file.h"
#include "gertie/freeze.h"
#include "gertie/image.h"
#include "gertie/json_write.h"
#include "gertie/pack_write.h"
#include "gertie/point_cache.h"
#include "gertie/runtime.h"
#include "gertie/scene.h"
#include "gertie/surface.h"
#include "gertie/text.h"

#endif
