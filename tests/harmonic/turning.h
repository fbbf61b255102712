// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A person of whom one joint turns, harmonic clips of it, and what the runtime plays of a scene.

#ifndef GERTIE_TESTS_HARMONIC_TURNING_H
#define GERTIE_TESTS_HARMONIC_TURNING_H

#include "harmonic/people.h"

#include "gertie/accessor.h"
#include "gertie/animate.h"
#include "gertie/bake.h"
#include "gertie/build.h"
#include "gertie/harmonic_clip.h"
#include "gertie/instance.h"
#include "gertie/motions.h"

#include "figure/figure.h"
#include "support/figure.h"

#include <stdlib.h>

enum {
    FRAMES = 21
};

// A person whose joint turns about an axis of its own, evenly, over a second.
static inline GtScene* make_turning(const GtContext* context, GtHumanoidJoint joint, GtVec3 axis, float angle_rad)
{
    GtError error;
    GtScene* scene = make_person(context, 3000);
    int32_t node = node_of(scene, joint);
    uint8_t paths = GT_BAKE_ROTATION | GT_BAKE_TRANSLATION;
    float times_s[FRAMES];
    GtTransform poses[FRAMES];
    for (int f = 0; f < FRAMES; ++f) {
        float share = (float)f / (FRAMES - 1);
        times_s[f] = share;
        poses[f] = scene->nodes[node].local;
        poses[f].rotation = gt_quat_mul(poses[f].rotation, gt_quat_from_axis_angle(axis, share * angle_rad));
        if (joint == GT_HUMANOID_HIPS) {
            poses[f].translation = gt_vec3_add(poses[f].translation, gt_vec3(share, 0.5f * share, -2.0f * share));
        }
    }
    GtBakeDef def = { .name = "turn",
                      .frame_count = FRAMES,
                      .times_s = times_s,
                      .node_count = 1,
                      .nodes = &node,
                      .paths = &paths,
                      .poses = poses };
    scene->animation_count = 0;
    GT_EXPECT_OK(gt_scene_bake(context, scene, &def, NULL, &error));
    return scene;
}

static inline GtMarkers* find_markers(const GtContext* context, GtFigure* figure)
{
    GtError error;
    GtMarkers* markers = NULL;
    GtMarkersDef def = gt_default_markers_def();
    GT_EXPECT_OK(gt_markers_find(context, figure, &def, &markers, NULL, &error));
    return markers;
}

static inline GtHarmonicClip* make_clip(const GtContext* context, GtFigure* figure, const GtMarkers* markers, bool hold,
                                        GtHarmonicClipReport* report)
{
    GtError error;
    GtHarmonicClip* clip = NULL;
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    def.rate_hz = 20.0;
    def.hold_feet = def.hold_hands = hold;
    GT_EXPECT_OK(gt_harmonic_clip_create(context, figure, markers, &def, &clip, report, &error));
    return clip;
}

// Vertices of all meshes as the runtime plays the clip.
typedef struct Player {
    GtContext context;
    GtCharacter* character;
    GtInstance* instance;
    GtClip* clip;
    int32_t vertex_count;
} Player;

static inline void open_player(Player* p, const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtBuildDef def = gt_default_build_def();
    *p = (Player){ .context = *context };
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &p->character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, p->character, &p->instance, &error));
    GT_EXPECT_OK(gt_clip_build(context, scene, 0, p->character, &p->clip, &error));
    for (int32_t m = 0; m < gt_character_def(p->character)->mesh_count; ++m) {
        p->vertex_count += gt_character_def(p->character)->meshes[m].vertex_count;
    }
}

static inline void play(Player* p, double time_s, GtVec3* positions, GtVec3* normals)
{
    const GtCharacterDef* def = gt_character_def(p->character);
    gt_instance_reset(p->instance);
    gt_clip_sample(p->clip, time_s, p->instance->pose, p->instance->weights);
    gt_instance_update(p->instance);
    for (int32_t m = 0, at = 0; m < def->mesh_count; at += def->meshes[m++].vertex_count) {
        gt_instance_deform(p->instance, m, positions + at, normals ? normals + at : NULL, NULL);
    }
}

static inline void close_player(Player* p)
{
    gt_clip_destroy(p->clip);
    gt_instance_destroy(p->instance);
    gt_character_destroy(p->character);
}

static inline float largest_distance(const GtVec3* a, const GtVec3* b, int32_t count)
{
    float most = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        most = fmaxf(most, gt_vec3_length(gt_vec3_sub(a[i], b[i])));
        assert_true(isfinite(a[i].x + a[i].y + a[i].z));
    }
    return most;
}

#endif
