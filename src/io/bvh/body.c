// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Landmarks by name, lengths by bones, positions by forward kinematics in double. Everything is one pass over joints
// that come after their parents.

#include "io/bvh/body.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

static bool contains(const char* name, size_t length, const char* word)
{
    size_t word_length = strlen(word);
    for (size_t i = 0; i + word_length <= length; ++i) {
        size_t j = 0;
        while (j < word_length) {
            char c = name[i + j];
            c = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
            if (c != word[j]) {
                break;
            }
            ++j;
        }
        if (j == word_length) {
            return true;
        }
    }
    return false;
}

// The topmost joints whose name has `word` in it. `marks` is scratch, [joint_count].
static void find_landmarks(const GtiBvh* bvh, const char* word, uint8_t* marks, GtiBvhLandmarks* found)
{
    if (found->count) {
        return; // by an earlier word
    }
    for (int32_t i = 0; i < bvh->joint_count; ++i) {
        const GtiBvhJoint* joint = &bvh->joints[i];
        bool above = joint->parent != GT_NONE && marks[joint->parent];
        bool match = !above && !joint->layout.end_site && contains(joint->name, joint->name_length, word);
        marks[i] = above || match;
        if (match && found->count < GTI_BVH_MAX_LANDMARKS) {
            found->joints[found->count++] = i;
        }
    }
}

// Where joints other than roots are in the first frame, or NULL where they have no positions.
static const float* first_position(const GtiBvhBody* body, int32_t joint)
{
    const GtiBvhClip* clip = body->clip;
    bool has = clip->blob && body->bvh->joints[joint].parent != GT_NONE && clip->translations[joint] != GT_NONE;
    return has ? gti_bvh_track_at(clip, &clip->tracks[clip->translations[joint]], 0) : NULL;
}

static bool all_offsets_zero(const GtiBvhBody* body)
{
    double longest = 0.0;
    double farthest = 0.0;
    for (int32_t i = 0; i < body->bvh->joint_count; ++i) {
        const GtiBvhJoint* joint = &body->bvh->joints[i];
        const float* first = first_position(body, i);
        for (int k = 0; k < 3; ++k) {
            longest = joint->parent == GT_NONE ? longest : fmax(longest, fabs(joint->offset[k]));
            farthest = first ? fmax(farthest, fabs((double)first[k])) : farthest;
        }
    }
    return farthest > 0.0 && longest <= GTI_BVH_NOTHING * farthest;
}

static void find_bones(GtiBvhBody* body, double* bones)
{
    body->zero_offsets = all_offsets_zero(body);
    for (int32_t i = 0; i < body->bvh->joint_count; ++i) {
        const float* first = first_position(body, i);
        for (int k = 0; k < 3; ++k) {
            bones[(size_t)i * 3 + (size_t)k] = body->zero_offsets && first ? first[k] : body->bvh->joints[i].offset[k];
        }
    }
    body->bones = bones;
}

// Exporters put joints without a branch above the hips, such as a root on the ground.
static int32_t find_hips(const GtiBvhBody* body, const int32_t* last_children)
{
    const GtiBvhJoint* joints = body->bvh->joints;
    int32_t root = body->feet.count ? body->feet.joints[0] : 0;
    while (joints[root].parent != GT_NONE) {
        root = joints[root].parent;
    }
    int32_t hips = root;
    while (last_children[hips] != GT_NONE && body->siblings[last_children[hips]] == GT_NONE) {
        hips = last_children[hips];
    }
    return last_children[hips] == GT_NONE ? root : hips;
}

GtResult gti_bvh_make_body(GtiBvh* bvh, const GtiBvhClip* clip, GtiBvhBody* body)
{
    *body = (GtiBvhBody){ .bvh = bvh, .clip = clip };
    size_t count = (size_t)bvh->joint_count;
    double* bones = gt_arena_push_array(bvh->arena, count, 3 * sizeof *bones);
    double* reach = gt_arena_push_array(bvh->arena, count, sizeof *reach);
    int32_t* siblings = gt_arena_push_array(bvh->arena, count, sizeof *siblings);
    int32_t* last_children = gt_arena_push_array(bvh->arena, count, sizeof *last_children);
    uint8_t* marks = gt_arena_push_array(bvh->arena, count, 1);
    body->positions = gt_arena_push_array(bvh->arena, count, 3 * sizeof(double));
    body->rotations = gt_arena_push_array(bvh->arena, count, sizeof *body->rotations);
    if (!bones || !reach || !siblings || !last_children || !marks || !body->positions || !body->rotations) {
        return gti_out_of_memory(bvh->error);
    }
    find_bones(body, bones);
    for (int32_t i = 0; i < bvh->joint_count; ++i) {
        const double* bone = bones + (size_t)i * 3;
        int32_t parent = bvh->joints[i].parent;
        double length = sqrt(bone[0] * bone[0] + bone[1] * bone[1] + bone[2] * bone[2]);
        reach[i] = parent == GT_NONE ? 0.0 : reach[parent] + length;
        siblings[i] = last_children[i] = GT_NONE;
        if (parent != GT_NONE) {
            siblings[i] = last_children[parent];
            last_children[parent] = i;
        }
    }
    body->siblings = siblings;
    body->reach = reach;
    static const char* const heads[] = { "head", "skull", "\xE9\xA0\xAD", "neck" }; // the third: Japanese head
    static const char* const feet[] = { "foot", "ankle", "\xE8\xB6\xB3\xE9\xA6\x96", "toe" }; // ankle
    static const char* const hands[] = { "hand", "wrist", "\xE6\x89\x8B\xE9\xA6\x96" };       // wrist
    for (size_t i = 0; i < sizeof heads / sizeof *heads; ++i) {
        find_landmarks(bvh, heads[i], marks, &body->heads);
        find_landmarks(bvh, feet[i], marks, &body->feet);
    }
    for (size_t i = 0; i < sizeof hands / sizeof *hands; ++i) {
        find_landmarks(bvh, hands[i], marks, &body->hands);
    }
    body->hips = find_hips(body, last_children);
    return GT_OK;
}

void gti_bvh_pose(GtiBvhBody* body, int64_t frame)
{
    const GtiBvhClip* clip = body->clip;
    bool moving = frame != GTI_BVH_REST && clip->blob;
    for (int32_t i = 0; i < body->bvh->joint_count; ++i) {
        int32_t parent = body->bvh->joints[i].parent;
        bool root = parent == GT_NONE;
        GtiQuat model_from_parent = root ? gti_quat_identity() : body->rotations[parent];
        const double* offset = body->bones + (size_t)i * 3;
        GtiVec bone = root && !moving ? gti_vec(0.0, 0.0, 0.0) : gti_vec(offset[0], offset[1], offset[2]);
        GtiQuat turn = gti_quat_identity();
        if (moving && clip->rotations[i] != GT_NONE) {
            const float* q = gti_bvh_track_at(clip, &clip->tracks[clip->rotations[i]], frame);
            turn = (GtiQuat){ q[0], q[1], q[2], q[3] };
        }
        if (moving && clip->translations[i] != GT_NONE) {
            const float* moved = gti_bvh_track_at(clip, &clip->tracks[clip->translations[i]], frame);
            bone = gti_vec(moved[0], moved[1], moved[2]);
        }
        GtiVec place = gti_quat_rotate(model_from_parent, bone);
        if (!root) {
            const double* at = body->positions + (size_t)parent * 3;
            place = gti_vec_add(place, gti_vec(at[0], at[1], at[2]));
        }
        memcpy(body->positions + (size_t)i * 3, &place, sizeof place);
        body->rotations[i] = gti_quat_mul(model_from_parent, turn);
    }
}

double gti_bvh_path_length(const GtiBvhBody* body, int32_t a, int32_t b)
{
    double length = body->reach[a] + body->reach[b];
    const GtiBvhJoint* joints = body->bvh->joints;
    while (a != b && a != GT_NONE && b != GT_NONE) { // the later joint is no ancestor of the earlier
        if (a > b) {
            a = joints[a].parent;
        } else {
            b = joints[b].parent;
        }
    }
    return a == b ? length - 2.0 * body->reach[a] : length;
}

void gti_bvh_extents(const GtiBvhBody* body, double extents[3])
{
    for (int k = 0; k < 3; ++k) {
        double low = body->positions[k];
        double high = low;
        for (int32_t i = 1; i < body->bvh->joint_count; ++i) {
            double x = body->positions[(size_t)i * 3 + (size_t)k];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        extents[k] = high - low;
    }
}

static void mean_position(const GtiBvhBody* body, const GtiBvhLandmarks* marks, double mean[3])
{
    mean[0] = mean[1] = mean[2] = 0.0;
    for (int32_t i = 0; i < marks->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            mean[k] += body->positions[(size_t)marks->joints[i] * 3 + (size_t)k] / marks->count;
        }
    }
}

bool gti_bvh_way_up(const GtiBvhBody* body, double up[3])
{
    if (!body->heads.count || !body->feet.count) {
        return false;
    }
    double head[3];
    double foot[3];
    mean_position(body, &body->heads, head);
    mean_position(body, &body->feet, foot);
    // The hips even out the forward reach of an animal's head.
    for (int k = 0; k < 3; ++k) {
        up[k] = head[k] + body->positions[(size_t)body->hips * 3 + (size_t)k] - 2.0 * foot[k];
    }
    return true;
}
