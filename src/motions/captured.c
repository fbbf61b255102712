// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A clip of the pack is sampled at the frames that it was packed at, moved to the origin and turned ahead: a straight
// path goes along +Z, or along the axis that it is nearest to where the person goes sideways or backwards; of any other
// motion, such as a turn, the person faces +Z at first. Fingers are at ease: the CMU collection has joints for them,
// but did not capture them.

#include "motions/captured.h"

#include "gertie/bake.h"
#include "gertie/pack.h"

#include "base/fail.h"
#include "base/scalar.h"
#include "motions/puppet.h"

#include <math.h>
#include <string.h>

#define SPREAD_DEG   5.0
#define PATH_M       0.5 // a path that is shorter tells no direction
#define STRAIGHT_RAD 0.4 // farthest that a straight path may be from the axis that it is along
#define FACING_S     0.5 // time at the start in which the person faces ahead

// One clip, frame by frame.
typedef struct Frames {
    const GtCharacterDef* def;
    int32_t hips;
    int32_t count;
    float* times_s;     // [count]
    GtTransform* poses; // [count * node_count]
} Frames;

static GtResult sample_clip(const GtClip* clip, const GtCharacterDef* def, GtArena* scratch, Frames* out,
                            GtError* error)
{
    double duration_s = gt_clip_end_s(clip) - gt_clip_start_s(clip);
    size_t node_count = (size_t)def->node_count;
    *out = (Frames){ .def = def, .hips = def->humanoid->nodes[GT_HUMANOID_HIPS] };
    out->count = (int32_t)floor(duration_s * GTI_CAPTURED_RATE_HZ + 0.5) + 1;
    out->times_s = gt_arena_push_array(scratch, (size_t)out->count, sizeof *out->times_s);
    out->poses = gt_arena_push_array(scratch, (size_t)out->count * node_count, sizeof *out->poses);
    if (!out->times_s || !out->poses) {
        return gti_out_of_memory(error);
    }
    for (int32_t f = 0; f < out->count; ++f) {
        GtTransform* pose = out->poses + (size_t)f * node_count;
        for (size_t i = 0; i < node_count; ++i) {
            pose[i] = def->rest[i];
        }
        out->times_s[f] = (float)(f / GTI_CAPTURED_RATE_HZ);
        gt_clip_sample(clip, gt_clip_start_s(clip) + f / GTI_CAPTURED_RATE_HZ, pose, NULL);
    }
    return GT_OK;
}

static void ease_fingers(const Frames* frames)
{
    static const double at_ease[5] = { 0.0 };
    GtiPose pose;
    gti_pose_fingers(&pose, GTI_LEFT, at_ease, 0.0);
    gti_pose_fingers(&pose, GTI_RIGHT, at_ease, 0.0);
    for (int j = GT_HUMANOID_LEFT_THUMB_METACARPAL; j <= GT_HUMANOID_RIGHT_LITTLE_DISTAL; ++j) {
        for (int32_t f = 0; f < frames->count; ++f) {
            size_t row = (size_t)f * (size_t)frames->def->node_count;
            frames->poses[row + (size_t)frames->def->humanoid->nodes[j]].rotation = pose.turns[j];
        }
    }
}

// The shoulders of the CMU skeleton are wider than its hips by more than those of people, so that hands that hang touch
// the thighs of others: arms are turned outwards a little.
static void spread_arms(const Frames* frames)
{
    for (int side = 0; side < 2; ++side) {
        GtHumanoidJoint joint = gti_side_joint(GT_HUMANOID_LEFT_UPPER_ARM, side);
        GtQuat turn = gti_turn(0.0, 0.0, gti_side_sign(side) * SPREAD_DEG);
        for (int32_t f = 0; f < frames->count; ++f) {
            size_t row = (size_t)f * (size_t)frames->def->node_count;
            GtTransform* arm = &frames->poses[row + (size_t)frames->def->humanoid->nodes[joint]];
            arm->rotation = gt_quat_normalize(gt_quat_mul(turn, arm->rotation));
        }
    }
}

static GtTransform* hips_at(const Frames* frames, int32_t frame)
{
    return &frames->poses[(size_t)frame * (size_t)frames->def->node_count + (size_t)frames->hips];
}

static double yaw_of(GtVec3 direction)
{
    return atan2((double)direction.x, (double)direction.z);
}

// How far the person looks to the left of +Z, on average over some frames.
static double facing_yaw_rad(const Frames* frames, int32_t first, int32_t last)
{
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int32_t f = first > 0 ? first : 0; f <= last && f < frames->count; ++f) {
        sum = gt_vec3_add(sum, gt_quat_rotate(hips_at(frames, f)->rotation, gt_vec3(0.0f, 0.0f, 1.0f)));
    }
    return yaw_of(sum);
}

static bool is_small_angle(double rad)
{
    return fabs(remainder(rad, 2.0 * GTI_PI)) < STRAIGHT_RAD;
}

static double ahead_yaw_rad(const Frames* frames)
{
    int32_t some = (int32_t)(FACING_S * GTI_CAPTURED_RATE_HZ);
    int32_t last = frames->count - 1;
    double facing_rad = facing_yaw_rad(frames, 0, some);
    double turn_rad = facing_yaw_rad(frames, last - some, last) - facing_rad;
    GtVec3 path = gt_vec3_sub(hips_at(frames, last)->translation, hips_at(frames, 0)->translation);
    double path_rad = yaw_of(path) - facing_rad;
    double axis_rad = 0.5 * GTI_PI * round(path_rad / (0.5 * GTI_PI));
    bool is_straight = hypot((double)path.x, (double)path.z) > PATH_M && is_small_angle(turn_rad) &&
                       is_small_angle(path_rad - axis_rad);
    return facing_rad + (is_straight ? path_rad - axis_rad : 0.0);
}

// Hips are the root: the whole figure follows them.
static void move_to_start(const Frames* frames)
{
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), (float)-ahead_yaw_rad(frames));
    GtVec3 start = hips_at(frames, 0)->translation;
    start.y = 0.0f;
    for (int32_t f = 0; f < frames->count; ++f) {
        GtTransform* hips = hips_at(frames, f);
        hips->translation = gt_quat_rotate(turn, gt_vec3_sub(hips->translation, start));
        hips->rotation = gt_quat_normalize(gt_quat_mul(turn, hips->rotation));
    }
}

static GtResult add_skeleton(GtScene* scene, const GtCharacterDef* def, GtError* error)
{
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    int32_t* root = gt_scene_push(scene, 1, sizeof *root);
    if (!map || !root) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        GtNode node = gt_default_node();
        node.name = gt_scene_push_text(scene, def->names[i], strlen(def->names[i]));
        node.parent = def->parents[i];
        node.local = def->rest[i];
        GtResult result = node.name ? gt_scene_add_node(scene, &node, NULL, error) : gti_out_of_memory(error);
        if (result != GT_OK) {
            return result;
        }
    }
    *map = *def->humanoid;
    *root = map->nodes[GT_HUMANOID_HIPS];
    scene->humanoid = map;
    GtStage stage = { .name = "Scene", .nodes = root, .node_count = 1 };
    return gt_scene_add_stage(scene, &stage, &scene->default_stage, error);
}

static GtResult bake(const GtContext* context, const char* name, const Frames* frames, GtScene* scene, GtArena* scratch,
                     GtError* error)
{
    size_t count = (size_t)frames->def->node_count;
    int32_t* nodes = gt_arena_push_array(scratch, count, sizeof *nodes);
    uint8_t* paths = gt_arena_push_array(scratch, count, sizeof *paths);
    if (!nodes || !paths) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < frames->def->node_count; ++i) {
        nodes[i] = i;
        paths[i] = i == frames->hips ? GT_BAKE_TRANSLATION | GT_BAKE_ROTATION : GT_BAKE_ROTATION;
    }
    GtBakeDef def = { name, frames->count, frames->times_s, frames->def->node_count, nodes, paths, frames->poses };
    return gt_scene_bake(context, scene, &def, NULL, error);
}

GtResult gti_captured_add(const GtContext* context, const char* name, GtScene* scene, GtError* error)
{
    GtPack* pack = NULL;
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = gt_pack_open(context->allocator, gti_captured_pack, gti_captured_pack_size, &pack, error);
    if (result == GT_OK) {
        const GtCharacterDef* def = gt_character_def(gt_pack_character(pack));
        const GtClip* clip = gt_pack_find_clip(pack, name);
        GT_ASSERT(clip && def->humanoid);
        Frames frames;
        result = sample_clip(clip, def, &scratch, &frames, error);
        if (result == GT_OK) {
            ease_fingers(&frames);
            spread_arms(&frames);
            move_to_start(&frames);
            result = add_skeleton(scene, def, error);
        }
        if (result == GT_OK) {
            result = bake(context, name, &frames, scene, &scratch, error);
        }
    }
    gt_pack_close(pack);
    gt_arena_destroy(&scratch);
    return result;
}
