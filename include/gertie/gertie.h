// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// Everything, for programs that link libgertie. Programs that link one of the smaller libraries include the headers
/// they need.

#ifndef GERTIE_GERTIE_H
#define GERTIE_GERTIE_H

#include "gertie/accessor.h"
#include "gertie/animate.h"
#include "gertie/bake.h"
#include "gertie/blend.h"
#include "gertie/blend_space.h"
#include "gertie/build.h"
#include "gertie/channel.h"
#include "gertie/clip_pack.h"
#include "gertie/contact.h"
#include "gertie/crowd.h"
#include "gertie/curve.h"
#include "gertie/dual_quat.h"
#include "gertie/file.h"
#include "gertie/film.h"
#include "gertie/formula.h"
#include "gertie/freeze.h"
#include "gertie/ground.h"
#include "gertie/hand_keys.h"
#include "gertie/harmonic.h"
#include "gertie/harmonic_clip.h"
#include "gertie/ik.h"
#include "gertie/image.h"
#include "gertie/instance.h"
#include "gertie/lattice.h"
#include "gertie/map.h"
#include "gertie/markers.h"
#include "gertie/measure.h"
#include "gertie/mesh_template.h"
#include "gertie/motions.h"
#include "gertie/number.h"
#include "gertie/pack.h"
#include "gertie/pack_write.h"
#include "gertie/person.h"
#include "gertie/picture.h"
#include "gertie/plant.h"
#include "gertie/playback.h"
#include "gertie/plot.h"
#include "gertie/point_cache.h"
#include "gertie/pose.h"
#include "gertie/render.h"
#include "gertie/retarget.h"
#include "gertie/rig.h"
#include "gertie/root_path.h"
#include "gertie/sculpt.h"
#include "gertie/section.h"
#include "gertie/shader.h"
#include "gertie/shape_blend.h"
#include "gertie/shapes.h"
#include "gertie/simd.h"
#include "gertie/surface.h"
#include "gertie/take.h"
#include "gertie/track.h"

#endif
