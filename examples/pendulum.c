// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A clock with three pendulums, each driven by another kind of law: a formula, angle = A sin(omega t + phi); keys at
// the ends of the swing; and a function in C, with friction. A fourth track drives a value of the program's own: how
// wide the door of the cuckoo stands open. Each line is a frame: three angles, the door, the speed of the keyed one.

#include <gertie/instance.h>
#include <gertie/track.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float AMPLITUDE_RAD = 0.3f;

static void swing_with_friction(void* user, double time_s, const GtState* state, float* out)
{
    (void)state;
    out[0] = AMPLITUDE_RAD * (float)(exp(-*(const double*)user * time_s) * sin(3.14159265 * time_s));
}

int main(void)
{
    GtError error;
    GtAllocator allocator = gt_default_allocator();
    // The clock as nodes: three rods that hang side by side.
    const char* const names[3] = { "lawful", "keyed", "tired" };
    const int32_t parents[3] = { GT_NONE, GT_NONE, GT_NONE };
    const GtTransform rest[3] = { gt_transform_identity(), gt_transform_identity(), gt_transform_identity() };
    GtCharacterDef clock_def = gt_default_character_def();
    clock_def.node_count = 3;
    clock_def.names = names;
    clock_def.parents = parents;
    clock_def.rest = rest;
    // Keys: left, right, left; then all over again. Closed, the curve comes to rest at each of them.
    const float key_times_s[3] = { -0.5f, 0.5f, 1.5f };
    const float key_angles[3] = { -AMPLITUDE_RAD, AMPLITUDE_RAD, -AMPLITUDE_RAD };
    GtCurveDef swing_def = gt_default_curve_def();
    swing_def.law = GT_LAW_KOCHANEK_BARTELS;
    swing_def.key_count = 3;
    swing_def.times_s = key_times_s;
    swing_def.values = key_angles;
    swing_def.closed = true;
    swing_def.after = GT_EXTRAPOLATE_CYCLE;
    GtCharacter* clock = NULL;
    GtCurve* swing = NULL;
    GtInstance* instance = NULL;
    GtTrackSet* tracks = NULL;
    double friction = 0.25;
    float door = 0.0f;
    const char* const own[1] = { "cuckoo.door" };
    bool ok = gt_character_create(allocator, &clock_def, &clock, &error) == GT_OK &&
              gt_curve_create(allocator, &swing_def, &swing, &error) == GT_OK &&
              gt_instance_create(allocator, clock, &instance, &error) == GT_OK;
    const GtTrackBinding bindings[4] = {
        { .channel = "lawful.turn.z", .formula = "0.3 * sin(pi * t)" }, // A = 0.3, omega = pi, phi = 0
        { .channel = "keyed.turn.z", .curve = swing },
        { .channel = "tired.turn.z", .function = swing_with_friction, .user = &friction },
        { .channel = "cuckoo.door", .formula = "clamp(0, 1, 5 * tired.turn.z)" },
    };
    GtTrackSetDef set = gt_default_track_set_def();
    set.character = clock;
    set.value_names = own;
    set.value_count = 1;
    set.tracks = bindings;
    set.track_count = 4;
    if (!ok || gt_track_set_create(allocator, &set, &tracks, &error) != GT_OK) {
        fprintf(stderr, "pendulum: %s: %s\n", error.where, error.message);
        return EXIT_FAILURE;
    }
    for (int frame = 0; frame <= 24; ++frame) { // eight frames a second
        gt_track_set_apply(tracks, frame / 8.0,
                           (GtState){ .pose = instance->pose, .weights = instance->weights, .values = &door });
        for (int i = 0; i < 3; ++i) {
            printf("%.4f ", 2.0 * asin((double)instance->pose[i].rotation.z)); // the angle of a turn about z
        }
        float speed_radps;
        gt_curve_derivative(swing, frame / 8.0, &speed_radps);
        printf("%.4f %.4f\n", (double)door, (double)speed_radps);
    }
    gt_track_set_destroy(tracks);
    gt_instance_destroy(instance);
    gt_curve_destroy(swing);
    gt_character_destroy(clock);
    return EXIT_SUCCESS;
}
