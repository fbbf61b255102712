// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes, read as a motion that the built-in person takes, and as a character that takes a built-in motion: they
// are refused, or the result is a valid scene. Feet are planted, or warped, or let be; hands keep their touches.

#include "gertie/animate.h"
#include "gertie/motions.h"

#include "scene.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static GtScene* person;
static GtScene* walk;

static void make_built_in(void)
{
    GtContext context = gt_default_context();
    GtMotionDef def = gt_default_motion_def(GT_MOTION_WALK);
    def.frame_rate_hz = 10.0;
    def.repeat_count = 1;
    CHECK(gt_sample_motion(&context, &def, &walk, NULL, NULL) == GT_OK);
    person = make_person(&context);
}

static void animate(const GtScene* body, const GtScene* motion, uint64_t options)
{
    GtContext context = limited_context();
    GtAnimateDef def = gt_default_animate_def();
    GtError error = { 0 };
    GtScene* made = NULL;
    def.method = GT_ANIMATE_SKIN;
    def.rig.weights = GT_RIG_WEIGHTS_RIGID;
    def.retarget.feet = (options & 3) == 0 ? GT_FEET_WARP : (options & 3) == 1 ? GT_FEET_OFF : GT_FEET_PLANT;
    def.retarget.root_motion = (GtRootMotion)((options >> 2) % 3);
    def.retarget.mirror = options >> 4 & 1;
    def.retarget.loop = options >> 5 & 1;
    def.retarget.keep_tpose = options >> 6 & 1;
    def.retarget.keep_contacts = options >> 7 & 1;
    def.retarget.frame_rate_hz = (options >> 8 & 3) == 0 ? 24.0 : 0.0;
    def.retarget.speed = (options >> 10 & 3) == 0 ? 3.0 : 1.0;
    GtAnimateReport report;
    GtResult result = gt_animate(&context, body, motion, &def, &made, &report, &error);
    check_made(result, &error, made);
    gt_scene_destroy(made);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (!person) {
        make_built_in();
    }
    GtContext context = limited_context();
    GtScene* scene = read_scene(&context, data, size);
    if (scene) {
        uint64_t options = options_of(data, size);
        animate(person, scene, options);
        animate(scene, walk, options);
    }
    gt_scene_destroy(scene);
    return 0;
}
