// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keeping the touches of hands in frames that have been carried over.

#ifndef GERTIE_MOTION_RETARGET_TOUCH_H
#define GERTIE_MOTION_RETARGET_TOUCH_H

#include "motion/retarget/events.h"
#include "motion/retarget/plant.h"

// Keep the touches of two humanoids. The path must be on the hips or on the root.
// events: receive when hands touch
// holds: [frame_count] of each side, receive how much hands are kept where they are for that, 0 to 1
GtResult gti_retarget_touch(const GtContext* context, const GtRetarget* retarget, const GtiCarried* carried,
                            GtiClipEvents* events, float* const holds[GTI_SIDE_COUNT], GtTouchReport* report,
                            GtError* error);

#endif
