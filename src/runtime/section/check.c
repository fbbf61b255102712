// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Everything that can be wrong with sections and with what hangs on them.

#include "runtime/character.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>

static GtResult check_poses(const GtSectionDef* section, int32_t point_count, GtiBlock* block, const char* where,
                            GtError* error)
{
    if (section->pose_count < 0 || section->pose_count > GT_SECTION_MAX_POINTS ||
        (section->pose_count && !section->poses)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%d poses, or no array of them", section->pose_count);
    }
    if (section->pose_count == 0) {
        return GT_OK;
    }
    if (!gti_block_keep(block, section->poses, (size_t)section->pose_count, sizeof(GtLatticePose))) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < section->pose_count; ++i) {
        const GtLatticePose* pose = &section->poses[i];
        if (pose->name && !gti_block_keep_text(block, pose->name)) {
            return gti_out_of_memory(error);
        }
        GtResult result = gti_check_floats(block, pose->offsets, (size_t)point_count, sizeof(GtVec3), false, where,
                                           "offset of a pose", error);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

static GtResult check_section(const GtCharacterDef* def, int32_t index, int32_t* points_left, GtiBlock* block,
                              GtError* error)
{
    const GtSectionDef* section = &def->sections[index];
    char where[96];
    snprintf(where, sizeof where, "section %d '%.60s'", (int)index, section->name ? section->name : "");
    if (section->name && !gti_block_keep_text(block, section->name)) {
        return gti_out_of_memory(error);
    }
    if (section->node < GT_NONE || section->node >= def->node_count) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "is at node %d, of %d", section->node, def->node_count);
    }
    if (!(section->rest_blend >= 0.0f && section->rest_blend <= 1.0f)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "b at rest is %g: 0 to 1 will do",
                           (double)section->rest_blend);
    }
    if (!(section->border >= 0.0f && section->border <= 0.5f)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "its border is %g of the box: 0 to 0.5 will do",
                           (double)section->border);
    }
    GtResult result = gt_lattice_check(&section->lattice, error);
    if (result != GT_OK) {
        if (error) {
            snprintf(error->where, sizeof error->where, "%s", where);
        }
        return result;
    }
    int32_t point_count = gt_lattice_point_count(&section->lattice);
    *points_left -= point_count + section->pose_count / 3;
    if (*points_left < 0) {
        return gti_fail_at(error, GT_ERROR_LIMIT, where, "more than %d control points in all", GT_SECTION_MAX_POINTS);
    }
    result = gti_check_floats(block, section->lattice.weights, (size_t)point_count, sizeof(float), true, where,
                              "weight", error);
    return result == GT_OK ? check_poses(section, point_count, block, where, error) : result;
}

GtResult gti_sections_check(const GtCharacterDef* def, GtiBlock* block, GtError* error)
{
    if (def->section_count < 0 || (def->section_count && !def->sections)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%d sections, or no array of them", def->section_count);
    }
    if (def->section_count == 0) {
        return GT_OK;
    }
    if (!gti_block_keep(block, def->sections, (size_t)def->section_count, sizeof(GtSectionDef))) {
        return gti_out_of_memory(error);
    }
    int32_t points_left = GT_SECTION_MAX_POINTS;
    GtResult result = GT_OK;
    for (int32_t i = 0; result == GT_OK && i < def->section_count; ++i) {
        result = check_section(def, i, &points_left, block, error);
    }
    return result;
}

static GtResult check_bind(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t index, GtiBlock* block,
                           const char* where, GtError* error)
{
    const GtSectionBindDef* bind = &mesh->section_binds[index];
    int32_t before = index ? bind[-1].section : GT_NONE;
    if (bind->section <= before || bind->section >= def->section_count ||
        def->sections[bind->section].node == GT_NONE) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where,
                           "hangs on section %d, of %d: one at a joint, after the one before it, will do",
                           bind->section, def->section_count);
    }
    size_t count = (size_t)bind->entry_count;
    if (bind->entry_count < 0 || (count && (!bind->vertices || !bind->masks))) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "section %d: %d entries, but no vertices or masks",
                           bind->section, bind->entry_count);
    }
    if (count == 0) {
        return GT_OK;
    }
    GtResult result =
        gti_check_entries(block, bind->vertices, count, mesh->vertex_count, where, "section", bind->section, error);
    if (result == GT_OK) {
        result = gti_check_floats(block, bind->masks, count, sizeof(float), false, where, "mask", error);
    }
    if (result == GT_OK) {
        result =
            gti_check_floats(block, bind->mask_gradients, count, sizeof(GtVec3), true, where, "mask gradient", error);
    }
    for (size_t i = 0; result == GT_OK && i < count; ++i) {
        if (!(bind->masks[i] >= 0.0f && bind->masks[i] <= 1.0f)) {
            result = gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "vertex %u has a mask of %g: 0 to 1 will do",
                                 bind->vertices[i], (double)bind->masks[i]);
        }
    }
    return result;
}

GtResult gti_section_binds_check(const GtCharacterDef* def, const GtMeshDef* mesh, GtiBlock* block, const char* where,
                                 GtError* error)
{
    int32_t count = mesh->section_bind_count;
    if (count < 0 || (count && !mesh->section_binds)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "hangs on %d sections, or no array of them", count);
    }
    if (count && !gti_block_keep(block, mesh->section_binds, (size_t)count, sizeof(GtSectionBindDef))) {
        return gti_out_of_memory(error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; result == GT_OK && i < count; ++i) {
        result = check_bind(def, mesh, i, block, where, error);
    }
    return result;
}
