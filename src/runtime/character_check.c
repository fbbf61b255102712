// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Everything that can be wrong with a character's def, so that frames need not look: counts, indices, order, numbers.
// Arrays are announced to the block as they are checked; one that several meshes share is checked once.

#include "runtime/character.h"

#include "base/fail.h"
#include "runtime/harmonic/skin.h"

#include <math.h>
#include <stdio.h>

typedef enum CheckedAs {
    CHECKED_FLOATS = 1,
    CHECKED_INDICES, // largest one known
    CHECKED_ENTRIES, // increasing, so the largest is the last
    CHECKED_NODES,
    CHECKED_JOINTS,
    CHECKED_WEIGHTS, // and above it: for that many influences
} CheckedAs;

enum {
    PLACE_SIZE = 96,
    MAX_JOINTS = 65536 // an index fits 16 bits
};

static void place(char out[PLACE_SIZE], const char* what, int32_t index, const char* name)
{
    if (name) {
        snprintf(out, PLACE_SIZE, "%s %d '%.60s'", what, (int)index, name);
    } else {
        snprintf(out, PLACE_SIZE, "%s %d", what, (int)index);
    }
}

static GtResult missing(GtError* error, const char* where, const char* what)
{
    return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%s: there is a count but no array", what);
}

GtResult gti_check_floats(GtiBlock* block, const void* array, size_t count, size_t element, bool optional,
                          const char* where, const char* what, GtError* error)
{
    if (count == 0 || (!array && optional)) {
        return GT_OK;
    }
    if (!array) {
        return missing(error, where, what);
    }
    GtiKept* kept = gti_block_keep(block, array, count, element);
    if (!kept) {
        return gti_out_of_memory(error);
    }
    if (kept->checked_as == CHECKED_FLOATS) {
        return GT_OK;
    }
    const float* floats = array;
    size_t width = element / sizeof(float);
    for (size_t i = 0; i < count * width; ++i) {
        if (!isfinite(floats[i])) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%s %zu is not a finite number", what, i / width);
        }
    }
    kept->checked_as = CHECKED_FLOATS;
    return GT_OK;
}

static GtResult check_nodes(const GtCharacterDef* def, GtiBlock* block, GtError* error)
{
    size_t count = (size_t)def->node_count;
    if (count == 0) {
        return GT_OK;
    }
    if (!def->parents || !def->rest) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%d nodes, but no parents or rest transforms", def->node_count);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        char where[PLACE_SIZE];
        place(where, "node", i, def->names ? def->names[i] : NULL);
        if (def->parents[i] < GT_NONE || def->parents[i] >= i) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "parent %d does not come before it", def->parents[i]);
        }
        const float* numbers = &def->rest[i].translation.x;
        for (size_t k = 0; k < sizeof(GtTransform) / sizeof(float); ++k) {
            if (!isfinite(numbers[k])) {
                return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "rest transform is not a finite number");
            }
        }
        float length = gt_quat_length(def->rest[i].rotation);
        if (!(fabsf(length - 1.0f) <= 1e-3f)) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "rest rotation has length %g", (double)length);
        }
        if (def->names && def->names[i] && !gti_block_keep_text(block, def->names[i])) {
            return gti_out_of_memory(error);
        }
    }
    bool kept = gti_block_keep(block, def->parents, count, sizeof *def->parents) &&
                gti_block_keep(block, def->rest, count, sizeof *def->rest) &&
                (!def->names || gti_block_keep(block, def->names, count, sizeof *def->names)) &&
                (!def->source_nodes || gti_block_keep(block, def->source_nodes, count, sizeof *def->source_nodes));
    return kept ? GT_OK : gti_out_of_memory(error);
}

static GtResult check_humanoid(const GtCharacterDef* def, GtiBlock* block, GtError* error)
{
    if (!def->humanoid) {
        return GT_OK;
    }
    for (int i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        int32_t node = def->humanoid->nodes[i];
        if (node < GT_NONE || node >= def->node_count) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "humanoid joint '%s' is node %d of %d",
                            gt_humanoid_name((GtHumanoidJoint)i), node, def->node_count);
        }
    }
    return gti_block_keep(block, def->humanoid, 1, sizeof *def->humanoid) ? GT_OK : gti_out_of_memory(error);
}

static GtResult check_skin(const GtCharacterDef* def, int32_t index, GtiBlock* block, GtError* error)
{
    const GtSkinDef* skin = &def->skins[index];
    char where[PLACE_SIZE];
    place(where, "skin", index, NULL);
    if (skin->joint_count < 1 || skin->joint_count > MAX_JOINTS) {
        return gti_fail_at(error, skin->joint_count < 1 ? GT_ERROR_BAD_VALUE : GT_ERROR_LIMIT, where,
                           "has %d joints; 1 to %d will do", skin->joint_count, MAX_JOINTS);
    }
    if (!skin->joints) {
        return missing(error, where, "joints");
    }
    GtiKept* kept = gti_block_keep(block, skin->joints, (size_t)skin->joint_count, sizeof *skin->joints);
    if (!kept) {
        return gti_out_of_memory(error);
    }
    for (int32_t j = 0; kept->checked_as != CHECKED_NODES && j < skin->joint_count; ++j) {
        if (skin->joints[j] < 0 || skin->joints[j] >= def->node_count) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "joint %d is node %d, of %d", j, skin->joints[j],
                               def->node_count);
        }
    }
    kept->checked_as = CHECKED_NODES;
    return gti_check_floats(block, skin->joint_from_mesh, (size_t)skin->joint_count, sizeof(GtMat34), false, where,
                            "inverse bind matrix", error);
}

static GtResult check_indices(const GtMeshDef* mesh, GtiBlock* block, const char* where, GtError* error)
{
    if (mesh->index_count == 0) {
        return GT_OK;
    }
    if (!mesh->indices) {
        return missing(error, where, "indices");
    }
    GtiKept* kept = gti_block_keep(block, mesh->indices, (size_t)mesh->index_count, sizeof(uint32_t));
    if (!kept) {
        return gti_out_of_memory(error);
    }
    if (kept->checked_as != CHECKED_INDICES) {
        kept->checked_as = CHECKED_INDICES;
        kept->largest = 0;
        for (int32_t i = 0; i < mesh->index_count; ++i) {
            kept->largest = mesh->indices[i] > kept->largest ? mesh->indices[i] : kept->largest;
        }
    }
    if (kept->largest >= (uint32_t)mesh->vertex_count) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "a triangle has vertex %u, of %d", kept->largest,
                           mesh->vertex_count);
    }
    return GT_OK;
}

GtResult gti_check_entries(GtiBlock* block, const uint32_t* vertices, size_t count, int32_t vertex_count,
                           const char* where, const char* what, int32_t index, GtError* error)
{
    GtiKept* kept = gti_block_keep(block, vertices, count, sizeof(uint32_t));
    if (!kept) {
        return gti_out_of_memory(error);
    }
    if (kept->checked_as != CHECKED_ENTRIES) {
        for (size_t i = 1; i < count; ++i) {
            if (vertices[i] <= vertices[i - 1]) {
                return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%s %d: entry %zu is not after the one before",
                                   what, index, i);
            }
        }
        kept->checked_as = CHECKED_ENTRIES;
    }
    if (vertices[count - 1] >= (uint32_t)vertex_count) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%s %d moves vertex %u, of %d", what, index,
                           vertices[count - 1], vertex_count);
    }
    return GT_OK;
}

static GtResult check_morph(const GtMeshDef* mesh, int32_t index, GtiBlock* block, const char* where, GtError* error)
{
    const GtMorphDef* morph = &mesh->morphs[index];
    size_t count = (size_t)morph->entry_count;
    if (morph->name && !gti_block_keep_text(block, morph->name)) {
        return gti_out_of_memory(error);
    }
    if (morph->entry_count < 0 || (count && !morph->vertices)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "morph %d: %d entries, but no vertices", index,
                           morph->entry_count);
    }
    if (count == 0) {
        return GT_OK;
    }
    const struct {
        const void* array;
        size_t width;
        const char* what;
    } parts[] = {
        { morph->positions, 3, "displacement" },
        { morph->normals, 3, "normal's change" },
        { morph->tangents, 3, "tangent's change" },
        { morph->texcoords, 2, "texture coordinate's change" },
        { morph->texcoords1, 2, "texture coordinate's change" },
        { morph->colors, 4, "colour's change" },
    };
    GtResult result =
        gti_check_entries(block, morph->vertices, count, mesh->vertex_count, where, "morph", index, error);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && result == GT_OK; ++i) {
        result = gti_check_floats(block, parts[i].array, count, parts[i].width * sizeof(float), true, where,
                                  parts[i].what, error);
    }
    return result;
}

static GtResult check_morphs(const GtCharacterDef* def, const GtMeshDef* mesh, GtiBlock* block, const char* where,
                             GtError* error)
{
    if (mesh->morph_count < 0 || mesh->first_weight < 0 ||
        (int64_t)mesh->first_weight + mesh->morph_count > def->weight_count) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%d morphs from weight %d, of %d", mesh->morph_count,
                           mesh->first_weight, def->weight_count);
    }
    if (mesh->morph_count == 0) {
        return GT_OK;
    }
    if (!mesh->morphs) {
        return missing(error, where, "morphs");
    }
    GtiKept* kept = gti_block_keep(block, mesh->morphs, (size_t)mesh->morph_count, sizeof(GtMorphDef));
    if (!kept) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < mesh->morph_count; ++i) {
        GtResult result = check_morph(mesh, i, block, where, error);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

static GtResult check_sums(const GtMeshDef* mesh, const char* where, GtError* error)
{
    size_t influence_count = (size_t)mesh->influence_count;
    for (size_t i = 0; i < (size_t)mesh->vertex_count; ++i) {
        double sum = 0.0;
        bool negative = false;
        for (size_t k = 0; k < influence_count; ++k) {
            float weight = mesh->weights[i * influence_count + k];
            negative |= !(weight >= 0.0f);
            sum += (double)weight;
        }
        if (negative || !(fabs(sum - 1.0) <= 1e-3)) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "weights of vertex %zu %s %g", i,
                               negative ? "are not all 0 or more; they sum to" : "sum to", sum);
        }
    }
    return GT_OK;
}

static GtResult check_influences(const GtCharacterDef* def, const GtMeshDef* mesh, GtiBlock* block, const char* where,
                                 GtError* error)
{
    if (mesh->skin < GT_NONE || mesh->skin >= def->skin_count) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "skin %d, of %d", mesh->skin, def->skin_count);
    }
    int32_t least = mesh->skin == GT_NONE ? 0 : 1;
    int32_t most = mesh->skin == GT_NONE ? 0 : GT_MAX_INFLUENCES;
    if (mesh->influence_count < least || mesh->influence_count > most) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%d influences a vertex; %d to %d will do",
                           mesh->influence_count, least, most);
    }
    size_t count = (size_t)mesh->vertex_count * (size_t)mesh->influence_count;
    if (count == 0) {
        return GT_OK;
    }
    if (!mesh->joints || !mesh->weights) {
        return missing(error, where, "influences");
    }
    GtiKept* joints = gti_block_keep(block, mesh->joints, count, sizeof *mesh->joints);
    if (!joints) {
        return gti_out_of_memory(error);
    }
    if (joints->checked_as != CHECKED_JOINTS) {
        joints->checked_as = CHECKED_JOINTS;
        joints->largest = 0;
        for (size_t i = 0; i < count; ++i) {
            joints->largest = mesh->joints[i] > joints->largest ? mesh->joints[i] : joints->largest;
        }
    }
    int32_t joint_count = def->skins[mesh->skin].joint_count;
    if (joints->largest >= (uint32_t)joint_count) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "a vertex follows joint %u of the skin, of %d",
                           joints->largest, joint_count);
    }
    GtiKept* weights = gti_block_keep(block, mesh->weights, count, sizeof *mesh->weights);
    if (!weights) {
        return gti_out_of_memory(error);
    }
    if (weights->checked_as == (int32_t)CHECKED_WEIGHTS + mesh->influence_count) {
        return GT_OK;
    }
    weights->checked_as = (int32_t)CHECKED_WEIGHTS + mesh->influence_count;
    return check_sums(mesh, where, error);
}

static GtResult check_surface(const GtMeshDef* mesh, GtiBlock* block, const char* where, GtError* error)
{
    size_t count = (size_t)mesh->vertex_count;
    GtResult result = gti_check_floats(block, mesh->positions, count, sizeof(GtVec3), false, where, "position", error);
    if (result == GT_OK) {
        result = gti_check_floats(block, mesh->normals, count, sizeof(GtVec3), true, where, "normal", error);
    }
    if (result == GT_OK) {
        result = gti_check_floats(block, mesh->tangents, count, 4 * sizeof(float), true, where, "tangent", error);
    }
    if (result == GT_OK) {
        result = gti_check_floats(block, mesh->texcoords, count, 2 * sizeof(float), true, where, "texture coordinate",
                                  error);
    }
    if (result == GT_OK) {
        result = gti_check_floats(block, mesh->texcoords1, count, 2 * sizeof(float), true, where, "texture coordinate",
                                  error);
    }
    if (result == GT_OK) {
        result = gti_check_floats(block, mesh->colors, count, 4 * sizeof(float), true, where, "colour", error);
    }
    return result == GT_OK ? check_indices(mesh, block, where, error) : result;
}

static GtResult check_mesh(const GtCharacterDef* def, int32_t index, GtiBlock* block, GtError* error)
{
    const GtMeshDef* mesh = &def->meshes[index];
    char where[PLACE_SIZE];
    place(where, "mesh", index, mesh->name);
    if (mesh->name && !gti_block_keep_text(block, mesh->name)) {
        return gti_out_of_memory(error);
    }
    if (mesh->node < 0 || mesh->node >= def->node_count) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "hangs at node %d, of %d", mesh->node, def->node_count);
    }
    if (mesh->vertex_count < 0 || mesh->index_count < 0 || mesh->index_count % 3 || mesh->deformer_count < 0) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "%d vertices, %d indices, %d deformers",
                           mesh->vertex_count, mesh->index_count, mesh->deformer_count);
    }
    if (mesh->deformer_count && !mesh->deformers) {
        return missing(error, where, "deformers");
    }
    if (mesh->deformer_count &&
        !gti_block_keep(block, mesh->deformers, (size_t)mesh->deformer_count, sizeof(GtDeformerData))) {
        return gti_out_of_memory(error);
    }
    GtResult result = check_surface(mesh, block, where, error);
    if (result == GT_OK) {
        result = check_morphs(def, mesh, block, where, error);
    }
    if (result == GT_OK) {
        result = check_influences(def, mesh, block, where, error);
    }
    if (result == GT_OK) {
        result = gti_section_binds_check(def, mesh, block, where, error);
    }
    GtiStack stack;
    return result == GT_OK ? gti_stack_create(def, mesh, where, &stack, error) : result;
}

GtResult gti_character_check(const GtCharacterDef* def, GtiBlock* block, GtError* error)
{
    if (def->node_count < 0 || def->weight_count < 0 || def->skin_count < 0 || def->mesh_count < 0 ||
        (def->skin_count && !def->skins) || (def->mesh_count && !def->meshes)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a character of %d nodes, %d weights, %d skins, %d meshes: %s",
                        def->node_count, def->weight_count, def->skin_count, def->mesh_count,
                        "a count is negative, or an array is missing");
    }
    if ((def->skin_count && !gti_block_keep(block, def->skins, (size_t)def->skin_count, sizeof(GtSkinDef))) ||
        (def->mesh_count && !gti_block_keep(block, def->meshes, (size_t)def->mesh_count, sizeof(GtMeshDef)))) {
        return gti_out_of_memory(error);
    }
    GtResult result = check_nodes(def, block, error);
    if (result == GT_OK) {
        result = check_humanoid(def, block, error);
    }
    if (result == GT_OK) {
        result = gti_check_floats(block, def->rest_weights, (size_t)def->weight_count, sizeof(float), false,
                                  "rest weights", "weight", error);
    }
    for (int32_t i = 0; result == GT_OK && i < def->skin_count; ++i) {
        result = check_skin(def, i, block, error);
    }
    if (result == GT_OK) {
        result = gti_sections_check(def, block, error);
    }
    for (int32_t i = 0; result == GT_OK && i < def->mesh_count; ++i) {
        result = check_mesh(def, i, block, error);
    }
    return result == GT_OK ? gti_harmonic_skin_check(def, block, error) : result;
}
