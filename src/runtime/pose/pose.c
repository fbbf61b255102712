// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Masks, differences and mirror images of poses. With R the rest rotations in model space, p the partner of i, and ~
// the mirror image (of a rotation: x and w stay, y and z change their sign), turns from rest are mirrored in model
// space by
//
//     local'(i) = R(parent i)^-1 ~[R(parent p) local(p) R(p)^-1] R(i) = left(i) ~local(p) right(i)
//
// so that a pose needs two products a joint. It holds because the partner of i's parent is the parent of p.

#include "gertie/pose.h"

#include "base/fail.h"
#include "base/memory.h"

#include <ctype.h>
#include <string.h>

void gt_pose_mask_branch(const GtCharacter* character, int32_t node, float value, int32_t soft_levels, float* mask)
{
    const GtCharacterDef* def = gt_character_def(character);
    float hard = soft_levels > 0 ? (float)soft_levels + 1.0f : 1.0f;
    for (int32_t i = node; i < def->node_count; ++i) { // parents come first, so nothing before the node is below it
        int32_t level = 0;
        int32_t above = i;
        while (above > node) {
            above = def->parents[above];
            ++level;
        }
        if (above == node) {
            float share = fminf(1.0f, ((float)level + 1.0f) / hard);
            mask[i] += share * (value - mask[i]);
        }
    }
}

static float quotient(float a, float b)
{
    float q = a / b;
    return isfinite(q) ? q : 1.0f;
}

void gt_pose_difference(int32_t node_count, const GtTransform* pose, const GtTransform* base, GtTransform* out)
{
    for (int32_t i = 0; i < node_count; ++i) {
        GtTransform a = pose[i];
        GtTransform b = base[i];
        GtVec3 scale =
            gt_vec3(quotient(a.scale.x, b.scale.x), quotient(a.scale.y, b.scale.y), quotient(a.scale.z, b.scale.z));
        out[i] = gt_transform(gt_vec3_sub(a.translation, b.translation),
                              gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(b.rotation), a.rotation)), scale);
    }
}

// What becomes of one node.
typedef struct Image {
    int32_t partner;
    GtQuat left;
    GtQuat right;
    GtTransform rest;
    GtTransform partner_rest;
} Image;

struct GtPoseMirror {
    GtAllocator allocator;
    int32_t node_count;
    Image* images;
};

// Letters that stand alone at the start or the end of a name.
static bool swap_letter(char* name, size_t length, size_t at)
{
    bool alone = at == 0 ? length > 1 && !isalpha((unsigned char)name[1])
                         : length > 1 && !isalpha((unsigned char)name[length - 2]);
    const char* letters = "LRlr";
    const char* found = alone ? strchr(letters, name[at]) : NULL;
    if (!found || !*found) {
        return false;
    }
    name[at] = letters[(found - letters) ^ 1];
    return true;
}

// The other side's name into `out`; false for a name without a side, or one too long to have one here.
static bool other_side(const char* name, char* out, size_t size)
{
    static const char* const words[2][3] = { { "left", "Left", "LEFT" }, { "right", "Right", "RIGHT" } };
    size_t length = strlen(name);
    if (length + 2 > size) {
        return false;
    }
    for (int side = 0; side < 2; ++side) {
        for (int word = 0; word < 3; ++word) {
            const char* found = strstr(name, words[side][word]);
            if (found) {
                size_t start = (size_t)(found - name);
                size_t skipped = strlen(words[side][word]);
                size_t put = strlen(words[1 - side][word]);
                memcpy(out, name, start);
                memcpy(out + start, words[1 - side][word], put);
                memcpy(out + start + put, found + skipped, length - start - skipped + 1);
                return true;
            }
        }
    }
    memcpy(out, name, length + 1);
    return length > 0 && (swap_letter(out, length, length - 1) || swap_letter(out, length, 0));
}

static int32_t find_by_name(const GtCharacter* character, int32_t node)
{
    char name[256];
    const char* const* names = gt_character_def(character)->names;
    const char* own = names ? names[node] : NULL;
    return own && other_side(own, name, sizeof name) ? gt_character_find_node(character, name) : GT_NONE;
}

// The first child of a node that has no partner yet.
static int32_t find_single_child(const GtCharacterDef* def, const int32_t* partners, int32_t parent)
{
    int32_t child = parent + 1;
    while (child < def->node_count && (def->parents[child] != parent || partners[child] != GT_NONE)) {
        ++child;
    }
    return child < def->node_count ? child : GT_NONE;
}

int32_t gt_pose_find_partners(const GtCharacter* character, int32_t* partners)
{
    const GtCharacterDef* def = gt_character_def(character);
    int32_t count = 0;
    memset(partners, 0xFF, (size_t)def->node_count * sizeof *partners); // GT_NONE
    for (int j = 0; def->humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = def->humanoid->nodes[j];
        int32_t other = def->humanoid->nodes[gt_humanoid_mirror((GtHumanoidJoint)j)];
        if (node != GT_NONE && other != GT_NONE) {
            partners[node] = other;
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        int32_t other = partners[i] == GT_NONE ? find_by_name(character, i) : GT_NONE;
        if (other != GT_NONE && partners[other] == GT_NONE) {
            partners[i] = other;
            partners[other] = i;
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        int32_t parent = def->parents[i];
        int32_t above = parent == GT_NONE ? GT_NONE : partners[parent];
        bool is_middle = above == parent;
        if (partners[i] == GT_NONE && (is_middle || above != GT_NONE)) {
            int32_t other = is_middle ? i : find_single_child(def, partners, above);
            if (other != GT_NONE) {
                partners[i] = other;
                partners[other] = i;
            }
        }
        count += partners[i] != i && partners[i] != GT_NONE;
    }
    return count;
}

static GtQuat mirrored(GtQuat q)
{
    return gt_quat(q.x, -q.y, -q.z, q.w);
}

static GtResult check_partners(const GtCharacterDef* def, const int32_t* partners, GtError* error)
{
    for (int32_t i = 0; i < def->node_count; ++i) {
        int32_t p = partners[i];
        if (p < GT_NONE || p >= def->node_count || (p != GT_NONE && partners[p] != i)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "node %d is mirrored to %d, which is not mirrored back", i, p);
        }
        int32_t parent = def->parents[i];
        int32_t wanted = parent == GT_NONE ? GT_NONE : partners[parent];
        if (p != GT_NONE && (def->parents[p] != wanted || (wanted == GT_NONE && parent != GT_NONE))) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "nodes %d and %d are partners, but their parents are not", i, p);
        }
    }
    return GT_OK;
}

// Rest rotations in model space are left in `right` meanwhile.
static void prepare(const GtCharacterDef* def, const int32_t* partners, Image* images)
{
    for (int32_t i = 0; i < def->node_count; ++i) {
        int32_t parent = def->parents[i];
        GtQuat above = parent == GT_NONE ? gt_quat_identity() : images[parent].right;
        images[i].right = gt_quat_normalize(gt_quat_mul(above, def->rest[i].rotation));
        images[i].partner = partners[i];
        images[i].rest = def->rest[i];
        images[i].partner_rest = def->rest[partners[i] == GT_NONE ? i : partners[i]];
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        int32_t parent = def->parents[i];
        bool has_parents = parent != GT_NONE && partners[parent] != GT_NONE;
        GtQuat above = has_parents ? images[parent].right : gt_quat_identity();
        GtQuat other_above = has_parents ? images[partners[parent]].right : gt_quat_identity();
        images[i].left = gt_quat_mul(gt_quat_conjugate(above), mirrored(other_above));
    }
    for (int32_t i = 0; i < def->node_count; ++i) { // each pair at once
        int32_t p = partners[i];
        if (p >= i) {
            GtQuat own = images[i].right;
            GtQuat other = images[p].right;
            images[i].right = gt_quat_mul(mirrored(gt_quat_conjugate(other)), own);
            images[p].right = gt_quat_mul(mirrored(gt_quat_conjugate(own)), other);
        }
    }
}

GtResult gt_pose_mirror_create(GtAllocator allocator, const GtCharacter* character, const int32_t* partners,
                               GtPoseMirror** out, GtError* error)
{
    *out = NULL;
    const GtCharacterDef* def = gt_character_def(character);
    size_t count = (size_t)def->node_count; // whose transforms fit into memory already
    size_t head = gti_round_up16(sizeof(GtPoseMirror));
    char* block = allocator.allocate(allocator.user, head + count * (sizeof(Image) + sizeof(int32_t)));
    if (!block) {
        return gti_out_of_memory(error);
    }
    GtPoseMirror* mirror = (GtPoseMirror*)block;
    *mirror = (GtPoseMirror){ allocator, def->node_count, (Image*)(block + head) };
    int32_t* found = (int32_t*)(mirror->images + count);
    if (partners) {
        memcpy(found, partners, count * sizeof *found);
    } else {
        gt_pose_find_partners(character, found);
    }
    GtResult result = check_partners(def, found, error);
    if (result != GT_OK) {
        gt_pose_mirror_destroy(mirror);
        return result;
    }
    prepare(def, found, mirror->images);
    *out = mirror;
    return GT_OK;
}

void gt_pose_mirror_destroy(GtPoseMirror* mirror)
{
    if (mirror) {
        mirror->allocator.release(mirror->allocator.user, mirror);
    }
}

void gt_pose_mirror(const GtPoseMirror* mirror, const GtTransform* pose, GtTransform* out)
{
    for (int32_t i = 0; i < mirror->node_count; ++i) {
        const Image* image = &mirror->images[i];
        if (image->partner == GT_NONE) {
            out[i] = image->rest;
            continue;
        }
        const GtTransform* from = &pose[image->partner];
        GtVec3 moved = gt_vec3_sub(from->translation, image->partner_rest.translation);
        GtVec3 other = image->partner_rest.scale;
        GtVec3 scale = gt_vec3(quotient(from->scale.x, other.x), quotient(from->scale.y, other.y),
                               quotient(from->scale.z, other.z));
        GtQuat turned = gt_quat_mul(gt_quat_mul(image->left, mirrored(from->rotation)), image->right);
        moved = gt_quat_rotate(image->left, gt_vec3(-moved.x, moved.y, moved.z));
        out[i] = gt_transform(gt_vec3_add(image->rest.translation, moved), gt_quat_normalize(turned),
                              gt_vec3_mul(image->rest.scale, scale));
    }
}
