// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures and motions for tests of the motion room: skeletons of the built-in person, and a player to look at them.

#ifndef GERTIE_TESTS_MOTION_PUPPETS_H
#define GERTIE_TESTS_MOTION_PUPPETS_H

#include "support/test.h"
#include "support/transfer.h"

#include "gertie/animate.h"
#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/motions.h"
#include "gertie/retarget.h"

typedef struct Player {
    GtCharacter* character;
    GtClip* clip;
    GtInstance* instance;
} Player;

// Carrying over alone, without planting feet or bringing limbs out of the body afterwards.
static inline GtRetargetDef bare_retarget_def(void)
{
    GtRetargetDef def = gt_default_retarget_def();
    def.feet = GT_FEET_OFF;
    def.hand_pose = GT_HAND_POSE_MOTION;
    def.collide = GT_COLLIDE_OFF;
    return def;
}

static inline GtAnimateDef bare_animate_def(void)
{
    return (GtAnimateDef){ .retarget = bare_retarget_def() };
}

static inline Player open_player(const GtContext* context, const GtScene* scene, int32_t animation)
{
    GtError error;
    Player p = { 0 };
    GtBuildDef build = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(context, scene, &build, &p.character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(context, scene, animation, p.character, &p.clip, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, p.character, &p.instance, &error));
    return p;
}

static inline void close_player(Player* p)
{
    gt_instance_destroy(p->instance);
    gt_clip_destroy(p->clip);
    gt_character_destroy(p->character);
}

static inline void play_at(Player* p, double time_s)
{
    gt_instance_reset(p->instance);
    gt_clip_sample(p->clip, time_s, p->instance->pose, NULL);
    gt_instance_update(p->instance);
}

static inline int32_t player_node(const Player* p, const char* name)
{
    int32_t node = gt_character_find_node(p->character, name);
    assert_true(node != GT_NONE);
    return node;
}

static inline GtVec3 joint_at(Player* p, const char* name, double time_s)
{
    play_at(p, time_s);
    return gt_mat34_translation(&p->instance->model_from_node[player_node(p, name)]);
}

// The joints of a person with one clip.
static inline GtScene* make_motion(const GtContext* context, GtMotionKind kind, GtPersonDef person)
{
    GtError error;
    GtScene* scene = NULL;
    GtMotionDef def = gt_default_motion_def(kind);
    def.person = person;
    def.frame_rate_hz = 30.0;
    GT_EXPECT_OK(gt_sample_motion(context, &def, &scene, NULL, &error));
    return scene;
}

// The joints of a person at rest.
static inline GtScene* make_person(const GtContext* context, GtPersonDef person)
{
    GtScene* scene = make_motion(context, GT_MOTION_IDLE, person);
    scene->animation_count = 0;
    return scene;
}

// Turn the axes of joint `n` by `by` without moving anything: the joint's rotation takes it up, its children undo it.
static inline void turn_axes(GtScene* scene, int32_t n, GtQuat by)
{
    GtNode* node = &scene->nodes[n];
    node->local.rotation = gt_quat_normalize(gt_quat_mul(node->local.rotation, by));
    for (int32_t c = 0; c < node->child_count; ++c) {
        GtTransform* child = &scene->nodes[node->children[c]].local;
        child->translation = gt_quat_rotate(gt_quat_conjugate(by), child->translation);
        child->rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(by), child->rotation));
    }
}

// Turn the axes of every joint another way.
static inline void scramble_axes(GtScene* scene)
{
    for (int32_t n = 0; n < GT_HUMANOID_JOINT_COUNT; ++n) {
        GtVec3 axis = gt_vec3_normalize_or(gt_vec3((float)n, 2.0f, (float)(n % 3)), gt_vec3(1, 0, 0));
        turn_axes(scene, n, gt_quat_from_axis_angle(axis, 0.4f * (float)(n + 1)));
    }
}

// Carry the first clip of `motion` onto a copy of `character`.
static inline GtScene* carry(const GtContext* context, const GtScene* motion, const GtScene* character,
                             const GtRetargetDef* def, GtRetargetReport* report)
{
    GtError error;
    Transfer transfer;
    GtScene* out = NULL;
    GT_EXPECT_OK(
        transfer_open(context, motion, 0, motion->humanoid, character, character->humanoid, def, &transfer, &error));
    GT_EXPECT_OK(gt_scene_copy(context, character, &out, &error));
    out->animation_count = 0;
    GT_EXPECT_OK(gt_retarget_clip(context, transfer.retarget, out, NULL, report, &error));
    GT_EXPECT_OK(gt_scene_validate(context, out, &error));
    transfer_close(&transfer);
    return out;
}

// Every node of `a` is at `scale` times the place of the same node in `b`, at eleven times of the clip.
static inline void expect_same_places(const GtContext* context, const GtScene* a, const GtScene* b, double scale,
                                      double tolerance)
{
    Player here = open_player(context, a, 0);
    Player there = open_player(context, b, 0);
    double end_s = gt_clip_end_s(there.clip);
    for (int32_t n = 0; n < b->node_count; ++n) {
        for (int k = 0; k <= 10; ++k) {
            GtVec3 p = joint_at(&here, a->nodes[n].name, end_s * k / 10.0);
            GtVec3 q = joint_at(&there, b->nodes[n].name, end_s * k / 10.0);
            GT_EXPECT_NEAR(p.x, scale * (double)q.x, tolerance);
            GT_EXPECT_NEAR(p.y, scale * (double)q.y, tolerance);
            GT_EXPECT_NEAR(p.z, scale * (double)q.z, tolerance);
        }
    }
    close_player(&here);
    close_player(&there);
}

#endif
