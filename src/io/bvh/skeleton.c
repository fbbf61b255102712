// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which nodes become joints, and with which channels. Joints are what skins, BVH or the clip name, with all nodes above
// them and the bare ones below. Channels are those of the BVH file the node came from; where these cannot say what the
// clip does, all six. BVH knows no rest rotations and no scale: rotations go into the channels as they are, constant
// scales into the translations of the nodes below.

#include "io/bvh/skeleton.h"

#include "base/fail.h"
#include "base/matrix3.h"
#include "io/bvh/axes.h"

#include <math.h>
#include <string.h>

#define MOVED_M       1e-6
#define TURNED_RAD    1e-5
#define DEFAULT_STEP  (1.0 / 30.0)
#define SLOWEST_CURVE 0.1001 // seconds from key to key; slower curves are no frames

static bool is_bare(const GtNode* node)
{
    return node->mesh == GT_NONE && node->camera == GT_NONE;
}

static GtResult choose_clip(GtiBvhSkeleton* skeleton, const GtSaveDef* def)
{
    const GtScene* scene = skeleton->scene;
    if (def->animation < GT_NONE || def->animation >= scene->animation_count) {
        return gti_fail(skeleton->error, GT_ERROR_NOT_FOUND, "there is no clip %d; the scene has %d", def->animation,
                        scene->animation_count);
    }
    if (scene->animation_count) {
        skeleton->animation = &scene->animations[def->animation == GT_NONE ? 0 : def->animation];
    }
    if (def->animation == GT_NONE && scene->animation_count > 1) {
        const char* name = skeleton->animation->name;
        gti_note(skeleton->context, NULL, NULL, "BVH holds one clip: '%s' is written, %d more are left out",
                 name ? name : "", scene->animation_count - 1);
    }
    return GT_OK;
}

static bool is_played(const GtAnimationChannel* channel)
{
    return channel->node != GT_NONE && channel->path <= GT_PATH_SCALE;
}

static void keep_with_parents(const GtScene* scene, int32_t node, uint8_t* keep)
{
    for (; node != GT_NONE && !keep[node]; node = scene->nodes[node].parent) {
        keep[node] = 1;
    }
}

static bool keep_named_joints(const GtiBvhSkeleton* skeleton, uint8_t* keep)
{
    const GtScene* scene = skeleton->scene;
    bool any = false;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].bvh) {
            keep_with_parents(scene, i, keep);
            any = true;
        }
    }
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        for (int32_t k = 0; k < scene->skins[i].joint_count; ++k) {
            keep_with_parents(scene, scene->skins[i].joints[k], keep);
            any = true;
        }
    }
    for (int32_t i = 0; skeleton->animation && i < skeleton->animation->channel_count; ++i) {
        if (is_played(&skeleton->animation->channels[i])) {
            keep_with_parents(scene, skeleton->animation->channels[i].node, keep);
            any = true;
        }
    }
    return any;
}

static GtResult keep_nodes(GtiBvhSkeleton* skeleton, uint8_t* keep, int32_t* kept)
{
    const GtScene* scene = skeleton->scene;
    bool any = keep_named_joints(skeleton, keep);
    int32_t* order = gt_arena_push_array(skeleton->arena, (size_t)scene->node_count, sizeof *order);
    if (!order) {
        return gti_out_of_memory(skeleton->error);
    }
    GtResult result = gt_scene_parent_first(scene, order, skeleton->error);
    if (result != GT_OK) {
        return result;
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        int32_t node = order[i];
        int32_t parent = scene->nodes[node].parent;
        if (is_bare(&scene->nodes[node]) && (!any || (parent != GT_NONE && keep[parent]))) {
            keep_with_parents(scene, node, keep);
        }
    }
    *kept = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        *kept += keep[i];
    }
    if (!*kept) {
        return gti_fail(skeleton->error, GT_ERROR_UNSUPPORTED,
                        "there are no joints to write as BVH: the scene has only meshes");
    }
    if (*kept < scene->node_count) {
        int32_t lost = scene->node_count - *kept;
        gti_note(skeleton->context, NULL, NULL, "BVH holds joints only: %d other node%s left out", (int)lost,
                 lost == 1 ? " is" : "s are");
    }
    return GT_OK;
}

static void add_joint(GtiBvhSkeleton* skeleton, int32_t node, int32_t* joint_of_node)
{
    const GtNode* source = &skeleton->scene->nodes[node];
    int32_t parent = source->parent == GT_NONE ? GT_NONE : joint_of_node[source->parent];
    GtiBvhOutJoint joint = { .node = node, .parent = parent, .curves = { GT_NONE, GT_NONE, GT_NONE } };
    if (source->bvh) {
        joint.layout = *source->bvh;
    }
    if (parent != GT_NONE) {
        ++skeleton->joints[parent].child_count;
    }
    joint_of_node[node] = skeleton->joint_count;
    skeleton->joints[skeleton->joint_count++] = joint;
}

// Depth first, without recursion.
static GtResult order_joints(GtiBvhSkeleton* skeleton, int32_t* joint_of_node)
{
    const GtScene* scene = skeleton->scene;
    size_t count = (size_t)scene->node_count;
    uint8_t* keep = gt_arena_push_array(skeleton->arena, count, 1);
    int32_t* stack = gt_arena_push_array(skeleton->arena, count, sizeof *stack);
    if (!keep || !stack) {
        return gti_out_of_memory(skeleton->error);
    }
    int32_t kept = 0;
    GtResult result = keep_nodes(skeleton, keep, &kept);
    if (result != GT_OK) {
        return result;
    }
    skeleton->joints = gt_arena_push_array(skeleton->arena, (size_t)kept, sizeof *skeleton->joints);
    if (!skeleton->joints) {
        return gti_out_of_memory(skeleton->error);
    }
    for (int32_t root = 0; root < scene->node_count; ++root) {
        joint_of_node[root] = GT_NONE;
    }
    for (int32_t root = 0; root < scene->node_count; ++root) {
        int32_t top = 0;
        if (keep[root] && scene->nodes[root].parent == GT_NONE) {
            stack[top++] = root;
        }
        while (top > 0) {
            int32_t node = stack[--top];
            add_joint(skeleton, node, joint_of_node);
            for (int32_t i = scene->nodes[node].child_count; i-- > 0;) {
                int32_t child = scene->nodes[node].children[i];
                if (keep[child]) {
                    stack[top++] = child;
                }
            }
        }
    }
    return GT_OK;
}

static GtResult open_curves(GtiBvhSkeleton* skeleton, const int32_t* joint_of_node)
{
    const GtAnimation* animation = skeleton->animation;
    if (!animation) {
        return GT_OK;
    }
    skeleton->curves = gt_arena_push_array(skeleton->arena, (size_t)animation->channel_count, sizeof *skeleton->curves);
    if (!skeleton->curves) {
        return gti_out_of_memory(skeleton->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < animation->channel_count && result == GT_OK; ++i) {
        const GtAnimationChannel* channel = &animation->channels[i];
        if (!is_played(channel)) {
            continue;
        }
        skeleton->joints[joint_of_node[channel->node]].curves[channel->path] = skeleton->curve_count;
        result = gti_bvh_open_curve(skeleton->arena, skeleton->scene, &animation->samplers[channel->sampler],
                                    channel->path, &skeleton->curves[skeleton->curve_count++], skeleton->error);
    }
    return result;
}

// Whether a curve has keys at even steps.
static bool has_even_keys(const GtiBvhCurve* curve, double* step_s)
{
    if (curve->key_count < 2) {
        return false;
    }
    double start = curve->times[0];
    *step_s = (curve->times[curve->key_count - 1] - start) / (double)(curve->key_count - 1);
    for (int64_t i = 1; i < curve->key_count; ++i) {
        double expected = start + (double)i * *step_s;
        if (!(fabs(curve->times[i] - expected) <= 0.01 * *step_s + 1e-7 * expected)) {
            return false;
        }
    }
    return true;
}

// Frames a second on which all keys lie, of those that are common; else 30.
static double common_step(const GtiBvhSkeleton* skeleton)
{
    static const double rates[] = { 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0 };
    for (size_t r = 0; r < sizeof rates / sizeof *rates; ++r) {
        bool all = true;
        for (int32_t c = 0; c < skeleton->curve_count && all; ++c) {
            const GtiBvhCurve* curve = &skeleton->curves[c];
            for (int64_t i = 0; i < curve->key_count && all; ++i) {
                double frame = (curve->times[i] - skeleton->times.start_s) * rates[r];
                all = fabs(frame - nearbyint(frame)) < 0.02;
            }
        }
        if (all) {
            return 1.0 / rates[r];
        }
    }
    return DEFAULT_STEP;
}

static void span_of_curves(GtiBvhSkeleton* skeleton, double* end_s, const GtiBvhCurve** densest, bool* shared)
{
    GtiBvhTimes* times = &skeleton->times;
    *densest = NULL;
    *shared = true;
    for (int32_t i = 0; i < skeleton->curve_count; ++i) {
        const GtiBvhCurve* curve = &skeleton->curves[i];
        double start = curve->times[0];
        double end = curve->times[curve->key_count - 1];
        times->start_s = !*densest || start < times->start_s ? start : times->start_s;
        *end_s = !*densest || end > *end_s ? end : *end_s;
        *shared =
            *shared && curve->times == skeleton->curves[0].times && curve->key_count == skeleton->curves[0].key_count;
        *densest = !*densest || curve->key_count > (*densest)->key_count ? curve : *densest;
    }
}

static bool was_bvh(const GtiBvhSkeleton* skeleton)
{
    return skeleton->scene->nodes[skeleton->joints[0].node].bvh != NULL;
}

static GtResult choose_times(GtiBvhSkeleton* skeleton, const GtSaveDef* def)
{
    GtiBvhTimes* times = &skeleton->times;
    const GtiBvhCurve* densest = NULL;
    bool shared = false;
    double end_s = 0.0;
    double step_s = 0.0;
    *times = (GtiBvhTimes){ .count = 1, .step_s = DEFAULT_STEP };
    span_of_curves(skeleton, &end_s, &densest, &shared);
    if (def->frame_rate_hz > 0.0) {
        times->step_s = 1.0 / def->frame_rate_hz;
    } else if (densest && has_even_keys(densest, &step_s) &&
               (step_s <= SLOWEST_CURVE || (shared && was_bvh(skeleton)))) {
        times->step_s = step_s;
        times->keys = shared ? densest->times : NULL;
    } else if (densest && end_s > times->start_s) {
        times->step_s = common_step(skeleton);
    }
    double frames = floor((end_s - times->start_s) / times->step_s + 1e-3) + 1.0;
    if (!(frames <= (double)INT32_MAX)) {
        return gti_fail(skeleton->error, GT_ERROR_LIMIT, "%g frames are too many for BVH: give a lower frame rate",
                        frames);
    }
    times->count = times->keys ? densest->key_count : (int64_t)frames;
    return GT_OK;
}

// stretch = turned back (parent's stretch) * scale: what is left of all linear maps above when the rotations are taken
// out.
static void stretch_of(const double parent[9], GtQuat rotation, const double scale[3], double out[9])
{
    double r[3][3];
    gti_rotation_from_quat(gti_quat_from(rotation), r);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (int a = 0; a < 3; ++a) {
                for (int b = 0; b < 3; ++b) {
                    sum += r[a][i] * parent[3 * a + b] * r[b][j];
                }
            }
            out[3 * i + j] = sum * scale[j];
        }
    }
}

static bool has_scale_channels(const GtBvhJoint* layout)
{
    for (int32_t c = 0; c < layout->channel_count; ++c) {
        if (layout->channels[c] >= GT_BVH_X_SCALE) {
            return true;
        }
    }
    return false;
}

// The scale of a joint in the first frame; whether it is the same in all of them and in all directions.
static bool find_scale(GtiBvhSkeleton* skeleton, int32_t joint, double scale[3])
{
    gti_bvh_joint_scale(skeleton, joint, 0, scale);
    double tolerance = 1e-4 * fabs(scale[0]);
    bool even = fabs(scale[1] - scale[0]) <= tolerance && fabs(scale[2] - scale[0]) <= tolerance;
    bool still = skeleton->joints[joint].curves[GT_PATH_SCALE] == GT_NONE;
    for (int64_t frame = 1; even && !still && frame < skeleton->times.count; ++frame) {
        double moved[3];
        gti_bvh_joint_scale(skeleton, joint, frame, moved);
        for (int k = 0; k < 3; ++k) {
            even = even && fabs(moved[k] - scale[0]) <= tolerance;
        }
    }
    return even;
}

static GtResult fold_scales(GtiBvhSkeleton* skeleton)
{
    static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    double* stretch = gt_arena_push_array(skeleton->arena, (size_t)skeleton->joint_count, 9 * sizeof *stretch);
    if (!stretch) {
        return gti_out_of_memory(skeleton->error);
    }
    int32_t scaled = 0;
    int32_t uneven = 0;
    for (int32_t i = 0; i < skeleton->joint_count; ++i) {
        const GtiBvhOutJoint* joint = &skeleton->joints[i];
        double scale[3] = { 1.0, 1.0, 1.0 };
        if (!has_scale_channels(&joint->layout)) {
            uneven += !find_scale(skeleton, i, scale);
            scaled += scale[0] != 1.0 || scale[1] != 1.0 || scale[2] != 1.0;
        }
        stretch_of(joint->parent == GT_NONE ? identity : stretch + (size_t)joint->parent * 9,
                   skeleton->scene->nodes[joint->node].local.rotation, scale, stretch + (size_t)i * 9);
    }
    if (uneven) {
        gti_warn(
            skeleton->context, NULL, NULL,
            "BVH cannot hold scales: those of %d nodes, which are uneven or animated, are fixed at the first frame",
            uneven);
    } else if (scaled) {
        gti_note(skeleton->context, NULL, NULL,
                 "BVH cannot hold scales: those of %d nodes are applied to the bones below them", scaled);
    }
    skeleton->stretch = scaled ? stretch : NULL;
    return GT_OK;
}

static bool has_path(const GtBvhJoint* layout, int axis, GtBvhChannel first)
{
    return memchr(layout->channels, (int)first + axis, (size_t)layout->channel_count) != NULL;
}

// Whether the clip moves a joint where it has no channel.
static bool misses_translation(GtiBvhSkeleton* skeleton, int32_t joint)
{
    const GtiBvhOutJoint* out = &skeleton->joints[joint];
    bool missing[3];
    for (int k = 0; k < 3; ++k) {
        missing[k] = !has_path(&out->layout, k, GT_BVH_X_POSITION);
    }
    if (out->curves[GT_PATH_TRANSLATION] == GT_NONE || !(missing[0] || missing[1] || missing[2])) {
        return false;
    }
    double rest[3];
    gti_bvh_joint_translation(skeleton, joint, -1, rest);
    for (int64_t frame = 0; frame < skeleton->times.count; ++frame) {
        double moved[3];
        gti_bvh_joint_translation(skeleton, joint, frame, moved);
        for (int k = 0; k < 3; ++k) {
            double tolerance = MOVED_M / skeleton->metres_per_unit + 2e-7 * fabs(rest[k]); // as floats have it
            if (missing[k] && fabs(moved[k] - rest[k]) > tolerance) {
                return true;
            }
        }
    }
    return false;
}

static void find_axes(GtiBvhOutJoint* joint)
{
    joint->axes.count = 0;
    for (int32_t c = 0; c < joint->layout.channel_count; ++c) {
        uint8_t channel = joint->layout.channels[c];
        if (channel >= GT_BVH_X_ROTATION && channel <= GT_BVH_Z_ROTATION) {
            joint->axes.axes[joint->axes.count++] = (uint8_t)(channel - GT_BVH_X_ROTATION);
        }
    }
}

static bool reaches_every_rotation(const GtiBvhAxes* axes)
{
    return axes->count == 3 && axes->axes[0] != axes->axes[1] && axes->axes[1] != axes->axes[2];
}

// Whether the clip, or the rest pose, turns a joint as its channels cannot.
static bool misses_rotation(GtiBvhSkeleton* skeleton, int32_t joint)
{
    const GtiBvhOutJoint* out = &skeleton->joints[joint];
    bool still = out->curves[GT_PATH_ROTATION] == GT_NONE;
    if (reaches_every_rotation(&out->axes) || (still && out->child_count == 0)) {
        return false;
    }
    double angles[16] = { 0.0 };
    for (int64_t frame = 0; frame < (still ? 1 : skeleton->times.count); ++frame) {
        double quat[4];
        gti_bvh_joint_rotation(skeleton, joint, frame, quat);
        gti_bvh_angles_from_quat(&out->axes, quat, angles);
        if (!(gti_bvh_missed_angle(&out->axes, quat, angles) <= TURNED_RAD)) {
            return true;
        }
    }
    return false;
}

// A channel other than a rotation that is there twice, which only a broken file has.
static bool has_channel_twice(const GtBvhJoint* layout)
{
    int seen = 0;
    for (int32_t c = 0; c < layout->channel_count; ++c) {
        uint8_t channel = layout->channels[c];
        bool rotation = channel >= GT_BVH_X_ROTATION && channel <= GT_BVH_Z_ROTATION;
        if (!rotation && (seen >> channel & 1)) {
            return true;
        }
        seen |= 1 << channel;
    }
    return false;
}

static void lay_out(GtiBvhOutJoint* joint, bool positions)
{
    static const uint8_t channels[] = { GT_BVH_X_POSITION, GT_BVH_Y_POSITION, GT_BVH_Z_POSITION,
                                        GT_BVH_Z_ROTATION, GT_BVH_X_ROTATION, GT_BVH_Y_ROTATION,
                                        GT_BVH_X_SCALE,    GT_BVH_Y_SCALE,    GT_BVH_Z_SCALE };
    bool scales = has_scale_channels(&joint->layout);
    int first = positions ? 0 : 3;
    joint->layout.channel_count = (scales ? 9 : 6) - first;
    memcpy(joint->layout.channels, channels + first, (size_t)joint->layout.channel_count);
    find_axes(joint);
}

static GtResult choose_channels(GtiBvhSkeleton* skeleton)
{
    for (int32_t i = 0; i < skeleton->joint_count; ++i) {
        GtiBvhOutJoint* joint = &skeleton->joints[i];
        const GtNode* node = &skeleton->scene->nodes[joint->node];
        bool root = joint->parent == GT_NONE;
        joint->layout.end_site = joint->layout.end_site && joint->child_count == 0 && !root;
        if (!node->bvh) {
            lay_out(joint, root);
        }
        find_axes(joint);
        bool positions = has_path(&joint->layout, 0, GT_BVH_X_POSITION) ||
                         has_path(&joint->layout, 1, GT_BVH_X_POSITION) ||
                         has_path(&joint->layout, 2, GT_BVH_X_POSITION);
        bool moves = misses_translation(skeleton, i);
        if (moves || misses_rotation(skeleton, i) || has_channel_twice(&joint->layout)) {
            lay_out(joint, moves || positions);
        }
        joint->layout.end_site =
            joint->layout.end_site && joint->layout.channel_count == (node->bvh ? node->bvh->channel_count : 0);
        joint->angles = gt_arena_push_array(skeleton->arena, (size_t)joint->axes.count, sizeof *joint->angles);
        if (!joint->angles) {
            return gti_out_of_memory(skeleton->error);
        }
    }
    return GT_OK;
}

// What the curve of a path gives in a frame; `value` stays as it is where there is none, or the frame is the rest pose.
static void play_path(const GtiBvhSkeleton* skeleton, const GtiBvhOutJoint* joint, int path, int64_t frame,
                      double value[4])
{
    int32_t curve = joint->curves[path];
    if (frame >= 0 && curve != GT_NONE) {
        gti_bvh_play_curve(&skeleton->curves[curve], gti_bvh_frame_time(&skeleton->times, frame), value);
    }
}

void gti_bvh_joint_translation(GtiBvhSkeleton* skeleton, int32_t joint, int64_t frame, double out[3])
{
    const GtiBvhOutJoint* source = &skeleton->joints[joint];
    GtVec3 rest = skeleton->scene->nodes[source->node].local.translation;
    double value[4] = { rest.x, rest.y, rest.z, 0.0 };
    play_path(skeleton, source, GT_PATH_TRANSLATION, frame, value);
    const double* stretch =
        skeleton->stretch && source->parent != GT_NONE ? skeleton->stretch + (size_t)source->parent * 9 : NULL;
    for (int k = 0; k < 3; ++k) {
        out[k] = stretch ? stretch[3 * k] * value[0] + stretch[3 * k + 1] * value[1] + stretch[3 * k + 2] * value[2]
                         : value[k];
        out[k] /= skeleton->metres_per_unit;
    }
    if (source->parent == GT_NONE) {
        gti_bvh_file_from_y_vector(skeleton->up_axis, out);
    } else if (skeleton->file_from_joint) {
        GtiVec there = gti_quat_rotate(skeleton->file_from_joint[source->parent], gti_vec(out[0], out[1], out[2]));
        gti_vec_put(out, there, 1.0);
    }
}

void gti_bvh_joint_rotation(GtiBvhSkeleton* skeleton, int32_t joint, int64_t frame, double out[4])
{
    const GtiBvhOutJoint* source = &skeleton->joints[joint];
    GtQuat rest = gt_quat_normalize(skeleton->scene->nodes[source->node].local.rotation);
    out[0] = rest.x;
    out[1] = rest.y;
    out[2] = rest.z;
    out[3] = rest.w;
    play_path(skeleton, source, GT_PATH_ROTATION, frame, out);
    if (source->parent == GT_NONE) {
        gti_bvh_file_from_y_quat(skeleton->up_axis, out);
    }
    if (skeleton->file_from_joint) { // the axes of joint and parent become those of the file
        GtiQuat q = { out[0], out[1], out[2], out[3] };
        GtiQuat above = source->parent == GT_NONE ? gti_quat_identity() : skeleton->file_from_joint[source->parent];
        q = gti_quat_mul(gti_quat_mul(above, q), gti_quat_conjugate(skeleton->file_from_joint[joint]));
        memcpy(out, (const double[]){ q.x, q.y, q.z, q.w }, 4 * sizeof *out);
    }
}

void gti_bvh_joint_scale(GtiBvhSkeleton* skeleton, int32_t joint, int64_t frame, double out[3])
{
    const GtiBvhOutJoint* source = &skeleton->joints[joint];
    GtVec3 rest = skeleton->scene->nodes[source->node].local.scale;
    double value[4] = { rest.x, rest.y, rest.z, 0.0 };
    play_path(skeleton, source, GT_PATH_SCALE, frame, value);
    memcpy(out, value, 3 * sizeof *out);
}

// The pose in which the file will have no rotations: how each joint is rotated there, in the axes of the file. A scene
// that came from BVH has such a pose already.
static GtResult choose_rest(GtiBvhSkeleton* skeleton, GtBvhRest rest)
{
    const GtScene* scene = skeleton->scene;
    if (rest == GT_BVH_REST_AXES || was_bvh(skeleton)) {
        return GT_OK;
    }
    GtiQuat* rotations = gt_arena_push_array(skeleton->arena, (size_t)skeleton->joint_count, sizeof *rotations);
    GtQuat* turns = gt_arena_push_array(skeleton->arena, (size_t)scene->node_count, sizeof *turns);
    if (!rotations || !turns) {
        return gti_out_of_memory(skeleton->error);
    }
    for (int32_t n = 0; n < scene->node_count; ++n) {
        turns[n] = gt_quat_identity();
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT && rest == GT_BVH_REST_T; ++j) {
        int32_t node = scene->humanoid && scene->retarget_pose ? scene->humanoid->nodes[j] : GT_NONE;
        if (node != GT_NONE) {
            turns[node] = scene->retarget_pose->rotations[j];
        }
    }
    for (int32_t i = 0; i < skeleton->joint_count; ++i) {
        const GtiBvhOutJoint* joint = &skeleton->joints[i];
        GtiQuat local = gti_quat_mul(gti_quat_from(turns[joint->node]),
                                     gti_quat_unit(gti_quat_from(scene->nodes[joint->node].local.rotation)));
        double root[4] = { local.x, local.y, local.z, local.w };
        if (joint->parent == GT_NONE) {
            gti_bvh_file_from_y_quat(skeleton->up_axis, root);
            rotations[i] = gti_quat_unit((GtiQuat){ root[0], root[1], root[2], root[3] });
        } else {
            rotations[i] = gti_quat_unit(gti_quat_mul(rotations[joint->parent], local));
        }
    }
    skeleton->file_from_joint = rotations;
    return GT_OK;
}

GtResult gti_bvh_make_skeleton(GtiBvhSkeleton* skeleton, const GtSaveDef* def)
{
    const GtSource* source = &skeleton->scene->source;
    bool as_source = def->source_units && source->metres_per_unit > 0.0;
    skeleton->metres_per_unit = as_source ? source->metres_per_unit : 1.0;
    skeleton->up_axis = as_source ? source->up_axis : GT_UP_Y;
    size_t count = (size_t)skeleton->scene->node_count;
    int32_t* joint_of_node = gt_arena_push_array(skeleton->arena, count, sizeof *joint_of_node);
    if (!joint_of_node) {
        return gti_out_of_memory(skeleton->error);
    }
    GtResult result = choose_clip(skeleton, def);
    if (result == GT_OK) {
        result = order_joints(skeleton, joint_of_node);
    }
    if (result == GT_OK) {
        result = open_curves(skeleton, joint_of_node);
    }
    if (result == GT_OK) {
        result = choose_times(skeleton, def);
    }
    if (result == GT_OK) {
        result = fold_scales(skeleton);
    }
    if (result == GT_OK) {
        result = choose_rest(skeleton, def->rest);
    }
    return result == GT_OK ? choose_channels(skeleton) : result;
}
