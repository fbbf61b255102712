// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: all of its headers.
///
/// What libgertie-scene has, and rigging, retargeting, deformation, measuring and rendering. For programs that link
/// libgertie; they may also include only the headers they need.
///
/// **Threads.** As the headers say that this one includes.

#ifndef GERTIE_GERTIE_H
#define GERTIE_GERTIE_H

#include "gertie/animate.h"
#include "gertie/batch.h"
#include "gertie/contact.h"
#include "gertie/export.h"
#include "gertie/figure.h"
#include "gertie/film.h"
#include "gertie/ground.h"
#include "gertie/hand_keys.h"
#include "gertie/harmonic.h"
#include "gertie/harmonic_character.h"
#include "gertie/harmonic_clip.h"
#include "gertie/map.h"
#include "gertie/markers.h"
#include "gertie/measure.h"
#include "gertie/measure_report.h"
#include "gertie/mesh_template.h"
#include "gertie/motion_library.h"
#include "gertie/motions.h"
#include "gertie/person.h"
#include "gertie/picture.h"
#include "gertie/plant.h"
#include "gertie/plot.h"
#include "gertie/preview.h"
#include "gertie/render.h"
#include "gertie/retarget.h"
#include "gertie/rig.h"
#include "gertie/scene_library.h"
#include "gertie/sculpt.h"
#include "gertie/shape_controls.h"
#include "gertie/shape_regions.h"
#include "gertie/shapes.h"
#include "gertie/shot.h"
#include "gertie/survey.h"
#include "gertie/take.h"

#endif
