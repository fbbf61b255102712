// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The library: one row a motion, which says how it is made. Durations and speeds are those of the clips, rounded;
// tests/motions/library_test.c compares them.

#include "gertie/motion_library.h"

#include "gertie/motions.h"

#include "base/fail.h"
#include "base/near.h"
#include "base/scalar.h"
#include "motions/captured.h"

#include <string.h>
#include <sys/stat.h>

#define FORMULA "formula", "Apache-2.0, as Gertie"
#define CMU(what)                                                                                                      \
    "CMU " what, "free to use, also in products that are sold; the motion itself may not be resold (mocap.cs.cmu.edu)"

enum {
    CAPTURED = GT_NONE
};

typedef struct Entry {
    GtLibraryMotion motion;
    int kind;      // GtMotionKind, or CAPTURED
    double number; // speed of a walk or run, degrees of a turn; else 0
} Entry;

// clang-format off
static const Entry entries[] = {
    { { "walk", "walk", "an even walk", FORMULA, 1.10, 1.4, true }, GT_MOTION_WALK, 1.4 },
    { { "walk_slow", "walk", "a stroll", FORMULA, 1.45, 0.8, true }, GT_MOTION_WALK, 0.8 },
    { { "walk_brisk", "walk", "a brisk walk", FORMULA, 0.95, 1.85, true }, GT_MOTION_WALK, 1.85 },
    { { "walk_relaxed", "walk", "a relaxed walk with loose arms", CMU("142_13, 4.45 to 5.92 s"), 1.47, 0.83, true }, CAPTURED, 0.0 },
    { { "walk_happy", "walk", "a walk with a bounce and wide arms", CMU("142_08, 9.05 to 10.17 s"), 1.12, 1.52, true }, CAPTURED, 0.0 },
    { { "walk_sad", "walk", "a slow, downcast walk", CMU("142_15, 27.27 to 29.12 s"), 1.85, 0.56, true }, CAPTURED, 0.0 },
    { { "walk_sneak", "walk", "a stealthy walk, bent low", CMU("142_22, 3.22 to 6.28 s"), 3.07, 0.47, true }, CAPTURED, 0.0 },
    { { "walk_crouch", "walk", "a walk with bent knees", CMU("136_09, 7.62 to 8.82 s"), 1.20, 0.9, true }, CAPTURED, 0.0 },
    { { "walk_backward", "walk", "a walk backwards", CMU("136_25, 6.87 to 8.47 s"), 1.60, 0.55, true }, CAPTURED, 0.0 },
    { { "sidestep", "walk", "quick crossing steps to the side", CMU("143_40, 2.58 to 3.23 s"), 0.65, 1.62, true }, CAPTURED, 0.0 },
    { { "walk_start", "walk", "from standing into a walk", CMU("136_20, 1.30 to 3.85 s"), 2.55, 0.64, false }, CAPTURED, 0.0 },
    { { "walk_stop", "walk", "from a walk to standing", CMU("136_21, 2.60 to 4.90 s"), 2.30, 0.81, false }, CAPTURED, 0.0 },
    { { "run", "run", "an even run", FORMULA, 0.72, 3.3, true }, GT_MOTION_RUN, 3.3 },
    { { "jog", "run", "an easy jog", FORMULA, 0.76, 2.3, true }, GT_MOTION_RUN, 2.3 },
    { { "sprint", "run", "a fast run", FORMULA, 0.58, 6.0, true }, GT_MOTION_RUN, 6.0 },
    { { "run_start", "run", "from standing into a run", CMU("143_03, 0.80 to 1.97 s"), 1.17, 3.33, false }, CAPTURED, 0.0 },
    { { "run_stop", "run", "from a run to a sudden stop", CMU("143_02, 0.00 to 1.72 s"), 1.72, 2.47, false }, CAPTURED, 0.0 },
    { { "turn_left", "turn", "a quarter turn to the left on the spot", FORMULA, 2.63, 0.0, false }, GT_MOTION_TURN, 90.0 },
    { { "turn_right", "turn", "a quarter turn to the right on the spot", FORMULA, 2.63, 0.0, false }, GT_MOTION_TURN, -90.0 },
    { { "turn_around", "turn", "half a turn to the left on the spot", FORMULA, 4.48, 0.0, false }, GT_MOTION_TURN, 180.0 },
    { { "walk_turn_left", "turn", "a walk around a corner to the left", CMU("16_17, 1.00 to 4.20 s"), 3.20, 0.0, false }, CAPTURED, 0.0 },
    { { "walk_turn_right", "turn", "a walk around a corner to the right", CMU("69_20, 0.90 to 4.30 s"), 3.40, 0.0, false }, CAPTURED, 0.0 },
    { { "idle", "idle", "stands and shifts the weight", FORMULA, 8.0, 0.0, true }, GT_MOTION_IDLE, 0.0 },
    { { "idle_breathe", "idle", "stands and breathes", FORMULA, 4.0, 0.0, true }, GT_MOTION_BREATHE, 0.0 },
    { { "idle_look", "idle", "stands and looks around", FORMULA, 8.0, 0.0, true }, GT_MOTION_LOOK, 0.0 },
    { { "stretch", "idle", "stretches both arms", CMU("143_30, 0.50 to 3.05 s"), 2.55, 0.0, false }, CAPTURED, 0.0 },
    { { "wave", "gesture", "greets with the right hand", FORMULA, 3.6, 0.0, false }, GT_MOTION_WAVE, 0.0 },
    { { "nod", "gesture", "nods twice", FORMULA, 1.7, 0.0, false }, GT_MOTION_NOD, 0.0 },
    { { "shake_head", "gesture", "shakes the head", FORMULA, 2.2, 0.0, false }, GT_MOTION_SHAKE, 0.0 },
    { { "shrug", "gesture", "shrugs, palms up", FORMULA, 2.2, 0.0, false }, GT_MOTION_SHRUG, 0.0 },
    { { "point", "gesture", "points ahead with the right hand", FORMULA, 2.8, 0.0, false }, GT_MOTION_POINT, 0.0 },
    { { "clap", "gesture", "claps four times", FORMULA, 2.6, 0.0, false }, GT_MOTION_CLAP, 0.0 },
    { { "bow", "gesture", "bows deeply, one arm across", CMU("113_02, 0.10 to 3.10 s"), 3.00, 0.0, false }, CAPTURED, 0.0 },
    { { "sit_down", "sit", "from standing down on a seat", CMU("143_18, 0.20 to 2.00 s"), 1.80, 0.0, false }, CAPTURED, 0.0 },
    { { "stand_up", "sit", "from a seat to standing", CMU("143_18, 1.95 to 3.15 s"), 1.20, 0.0, false }, CAPTURED, 0.0 },
    { { "jump", "action", "a jump straight up", FORMULA, 2.74, 0.0, false }, GT_MOTION_JUMP, 0.0 },
    { { "jump_forward", "action", "a jump ahead from standing", CMU("16_05, 0.00 to 2.40 s"), 2.40, 0.0, false }, CAPTURED, 0.0 },
    { { "jumping_jack", "action", "jumping jacks", CMU("13_29, 2.30 to 3.42 s"), 1.12, 0.0, true }, CAPTURED, 0.0 },
    { { "squat", "action", "down and up", FORMULA, 2.80, 0.0, false }, GT_MOTION_SQUAT, 0.0 },
    { { "pick_up", "action", "picks something up from the floor", CMU("137_27, 5.10 to 6.95 s"), 1.85, 0.0, false }, CAPTURED, 0.0 },
    { { "boxing", "action", "jab, cross and hook", FORMULA, 3.2, 0.0, true }, GT_MOTION_BOXING, 0.0 },
    { { "kick", "action", "a step, and a kick with the right foot", FORMULA, 2.50, 0.0, false }, GT_MOTION_KICK, 0.0 },
};
// clang-format on

enum {
    ENTRY_COUNT = (int)(sizeof entries / sizeof entries[0])
};

static const Entry* find_entry(const char* name)
{
    for (int i = 0; i < ENTRY_COUNT; ++i) {
        if (strcmp(entries[i].motion.name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

const GtLibraryMotion* gt_motion_library_at(int32_t index)
{
    return index >= 0 && index < ENTRY_COUNT ? &entries[index].motion : NULL;
}

// "; did you mean 'walk'?", or "".
static const char* print_near(const char* name, char* out, size_t out_size)
{
    GtiNear near = gti_near(name);
    for (int i = 0; i < ENTRY_COUNT; ++i) {
        gti_near_offer(&near, entries[i].motion.name);
    }
    return gti_near_print(&near, out, out_size);
}

// One cycle of a motion by a formula, under its name in the library.
static GtResult make_by_formula(const GtContext* context, const Entry* entry, GtScene** out, GtError* error)
{
    GtMotionDef def = gt_default_motion_def((GtMotionKind)entry->kind);
    def.repeat_count = 1;
    if (entry->kind == GT_MOTION_TURN) {
        def.angle_rad = entry->number * GTI_DEGREE;
    } else if (entry->number > 0.0) {
        def.speed_mps = entry->number;
    }
    GtResult result = gt_sample_motion(context, &def, out, NULL, error);
    if (result == GT_OK) {
        (*out)->animations[0].name = entry->motion.name;
    }
    return result;
}

GtResult gt_motion_library_load(const GtContext* context, const char* name, GtScene** out, GtError* error)
{
    const Entry* entry = find_entry(name);
    *out = NULL;
    if (!entry) {
        char near[160];
        return gti_fail(error, GT_ERROR_NOT_FOUND, "no motion of the library is called '%.80s'%s", name,
                        print_near(name, near, sizeof near));
    }
    if (entry->kind != CAPTURED) {
        return make_by_formula(context, entry, out, error);
    }
    GtResult result = gt_scene_create(context, out, error);
    if (result == GT_OK) {
        (*out)->asset.copyright = entry->motion.licence;
        result = gti_captured_add(context, name, *out, error);
    }
    if (result == GT_OK) {
        gti_note(context, name, NULL, "from %s: %s", entry->motion.source, entry->motion.licence);
    } else {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}

GtResult gt_motion_load(const GtContext* context, const char* path, const GtLoadDef* def, GtScene** out, GtError* error)
{
    struct stat status;
    bool is_name = path[0] && !strpbrk(path, "./") && stat(path, &status) != 0;
    if (is_name && find_entry(path)) {
        return gt_motion_library_load(context, path, out, error);
    }
    char near[160];
    if (is_name && print_near(path, near, sizeof near)[0]) {
        *out = NULL;
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no file and no motion of the library called '%.80s'%s",
                        path, near);
    }
    return gt_scene_load(context, path, def, out, error);
}
