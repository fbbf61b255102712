// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: all of its headers.
///
/// From a packed character or plain arrays to vertices. For programs that link libgertie-runtime; they may also include
/// only the headers they need.
///
/// **Threads.** As the headers say that this one includes.

#ifndef GERTIE_RUNTIME_H
#define GERTIE_RUNTIME_H

#include "gertie/api.h"
#include "gertie/blend.h"
#include "gertie/blend_space.h"
#include "gertie/character.h"
#include "gertie/clip.h"
#include "gertie/context.h"
#include "gertie/crowd.h"
#include "gertie/curve.h"
#include "gertie/deformer.h"
#include "gertie/drivers.h"
#include "gertie/dual_quat.h"
#include "gertie/error.h"
#include "gertie/executor.h"
#include "gertie/field.h"
#include "gertie/formula.h"
#include "gertie/harmonic_frame.h"
#include "gertie/harmonic_skin.h"
#include "gertie/humanoid.h"
#include "gertie/ik.h"
#include "gertie/instance.h"
#include "gertie/interpolation.h"
#include "gertie/jiggle.h"
#include "gertie/lattice.h"
#include "gertie/mat34.h"
#include "gertie/memory.h"
#include "gertie/number.h"
#include "gertie/pack.h"
#include "gertie/playback.h"
#include "gertie/pose.h"
#include "gertie/quat.h"
#include "gertie/root_path.h"
#include "gertie/section.h"
#include "gertie/shader.h"
#include "gertie/shape_blend.h"
#include "gertie/simd.h"
#include "gertie/track.h"
#include "gertie/transform.h"
#include "gertie/vec.h"

#endif
