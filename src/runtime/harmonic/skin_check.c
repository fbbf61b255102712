// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A harmonic skin on its way into a character: its arrays, what may be wrong with them, and their place in the block.

#include "runtime/harmonic/skin.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

static const char where[] = "harmonic skin";

int gti_harmonic_skin_parts(const GtCharacterDef* def, GtHarmonicSkinDef* skin, GtHarmonic* harmonic,
                            GtiHarmonicPart* out)
{
    size_t nodes = (size_t)def->node_count;
    size_t bones = (size_t)skin->bone_count;
    size_t markers = (size_t)harmonic->marker_count;
    size_t handles = (size_t)harmonic->handle_count;
    size_t vertices = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        vertices += (size_t)def->meshes[m].vertex_count;
    }
    const GtiHarmonicPart parts[] = {
        { (const void**)&skin->node_from_bind, nodes, sizeof *skin->node_from_bind, GTI_PART_FLOATS },
        { (const void**)&skin->bones, bones, sizeof *skin->bones, GTI_PART_INTEGERS },
        { (const void**)&skin->followers, markers, sizeof *skin->followers, GTI_PART_INTEGERS },
        { (const void**)&skin->grips, (size_t)skin->grip_count, sizeof *skin->grips, GTI_PART_INTEGERS },
        { (const void**)&skin->strengths, handles, sizeof *skin->strengths, GTI_PART_FLOATS },
        { (const void**)&skin->bind_from_mesh, (size_t)def->mesh_count, sizeof(GtMat34), GTI_PART_FLOATS },
        { (const void**)&skin->points, vertices, sizeof *skin->points, GTI_PART_INTEGERS },
    };
    memcpy(out, parts, sizeof parts);
    int count = (int)(sizeof parts / sizeof *parts);
    return count + gti_harmonic_parts(harmonic, &out[count]);
}

GtHarmonic gti_harmonic_live(const GtHarmonic* harmonic)
{
    GtHarmonic live = *harmonic;
    live.batch_cut = (GtiHarmonicCut){ .piece_count = 0 };
    live.holders = NULL;
    return live;
}

static bool is_share(float number, float least)
{
    return number >= least && number <= 1.0f;
}

static bool is_finite(GtVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static GtResult check_bones(const GtCharacterDef* def, GtError* error)
{
    const GtHarmonicSkinDef* skin = def->harmonic;
    for (int32_t b = 0; b < skin->bone_count; ++b) {
        const GtHarmonicBone* bone = &skin->bones[b];
        if (bone->node < 0 || bone->node >= def->node_count || bone->parent < GT_NONE || bone->parent >= b ||
            bone->next < GT_NONE || bone->next >= skin->bone_count || (bone->twists | 1) != 1 ||
            !is_finite(bone->axis) || !is_share(bone->carry, 0.0f)) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where,
                               "bone %d is of no node, comes before its parent, or "
                               "has a number that cannot be",
                               b);
        }
    }
    for (int32_t m = 0; m < skin->harmonic->marker_count; ++m) {
        const GtHarmonicFollower* follower = &skin->followers[m];
        if (follower->bone < 0 || follower->bone >= skin->bone_count || follower->node < 0 ||
            follower->node >= def->node_count || !is_share(follower->angle_share, 0.0f) ||
            !is_share(follower->twist, -1.0f)) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where,
                               "marker %d follows no bone or node, or a share of it "
                               "that cannot be",
                               m);
        }
    }
    return GT_OK;
}

static GtResult check_holds(const GtCharacterDef* def, GtError* error)
{
    const GtHarmonicSkinDef* skin = def->harmonic;
    if (skin->anchor_node < 0 || skin->anchor_node >= def->node_count || !is_finite(skin->anchor_point) ||
        !is_share(skin->anchor_give, 0.0f)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "its anchor is at no node, or nowhere");
    }
    for (int32_t i = 0; i < skin->harmonic->handle_count; ++i) {
        if (!is_share(skin->strengths[i], 0.0f)) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "handle %d is held by %g: 0 to 1 will do", i,
                               (double)skin->strengths[i]);
        }
    }
    for (int32_t i = 0; i < skin->grip_count; ++i) {
        const GtHarmonicGrip* grip = &skin->grips[i];
        if (grip->handle < 0 || grip->handle >= skin->harmonic->handle_count || grip->node < 0 ||
            grip->node >= def->node_count || !is_finite(grip->point) || !isfinite(grip->weight)) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "grip %d is of no handle or node, or not finite", i);
        }
    }
    return GT_OK;
}

static GtResult check_points(const GtCharacterDef* def, GtError* error)
{
    const int32_t* point = def->harmonic->points;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t i = 0; i < def->meshes[m].vertex_count; ++i, ++point) {
            if (*point < 0 || *point >= def->harmonic->harmonic->vertex_count) {
                return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "vertex %d of mesh %d is at point %d, of %d", i, m,
                                   *point, def->harmonic->harmonic->vertex_count);
            }
        }
    }
    return GT_OK;
}

GtResult gti_harmonic_skin_check(const GtCharacterDef* def, GtiBlock* block, GtError* error)
{
    if (!def->harmonic) {
        return GT_OK;
    }
    GtHarmonicSkinDef skin = *def->harmonic;
    if (!skin.harmonic || !gti_harmonic_counts_fit(skin.harmonic) || skin.bone_count < 1 || skin.grip_count < 0) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "there is no surface or no bone, or a count is negative");
    }
    GtHarmonic live = gti_harmonic_live(skin.harmonic);
    GtiHarmonicPart parts[GTI_MOST_HARMONIC_PARTS];
    int count = gti_harmonic_skin_parts(def, &skin, &live, parts);
    for (int i = 0; i < count; ++i) {
        if (parts[i].count > 0 && !*parts[i].array) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "there is a count but no array");
        }
        if (!gti_harmonic_part_is_finite(&parts[i])) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "a number is not finite");
        }
        if (parts[i].count > 0 && !gti_block_keep(block, *parts[i].array, parts[i].count, parts[i].element)) {
            return gti_out_of_memory(error);
        }
    }
    if (!gti_block_keep(block, def->harmonic, 1, sizeof *def->harmonic) ||
        !gti_block_keep(block, skin.harmonic, 1, sizeof *skin.harmonic)) {
        return gti_out_of_memory(error);
    }
    GtResult result = gti_harmonic_check(&live, error);
    result = result == GT_OK ? check_bones(def, error) : result;
    result = result == GT_OK ? check_holds(def, error) : result;
    return result == GT_OK ? check_points(def, error) : result;
}

const GtHarmonicSkinDef* gti_harmonic_skin_lay_out(const GtCharacterDef* def, const GtiBlock* block)
{
    GtHarmonicSkinDef* skin = gti_block_at(block, def->harmonic, 1, sizeof *def->harmonic);
    if (!skin) {
        return NULL;
    }
    GtHarmonic* harmonic = gti_block_at(block, skin->harmonic, 1, sizeof *skin->harmonic);
    *harmonic = gti_harmonic_live(harmonic);
    GtiHarmonicPart parts[GTI_MOST_HARMONIC_PARTS];
    int count = gti_harmonic_skin_parts(def, skin, harmonic, parts);
    for (int i = 0; i < count; ++i) { // kernels add 0 to arrays of nothing, which NULL is not made for
        *parts[i].array =
            parts[i].count > 0 ? gti_block_at(block, *parts[i].array, parts[i].count, parts[i].element) : block->base;
    }
    skin->harmonic = harmonic;
    return skin;
}
