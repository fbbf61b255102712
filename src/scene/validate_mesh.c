// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Validation of meshes: attributes of one length and of the right shape, corners that exist, influences of joints that
// exist, numbers that are finite.

#include "scene/validate.h"

#include "gertie/accessor.h"

#include "base/ascii.h"
#include "base/fail.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    CHUNK = 2048,
    MAX_SETS = 4
};

#define SCALAR (1u << GT_ELEMENT_SCALAR)
#define VEC2   (1u << GT_ELEMENT_VEC2)
#define VEC3   (1u << GT_ELEMENT_VEC3)
#define VEC4   (1u << GT_ELEMENT_VEC4)
#define ANY    0xFFu

static unsigned shapes_of(const char* attribute, bool in_target)
{
    if (strcmp(attribute, "POSITION") == 0 || strcmp(attribute, "NORMAL") == 0) {
        return VEC3;
    }
    if (strcmp(attribute, "TANGENT") == 0) {
        return in_target ? VEC3 : VEC4;
    }
    if (gti_starts_with(attribute, "JOINTS_") || gti_starts_with(attribute, "WEIGHTS_")) {
        return VEC4;
    }
    if (gti_starts_with(attribute, "TEXCOORD_")) {
        return VEC2;
    }
    return gti_starts_with(attribute, "COLOR_") ? VEC3 | VEC4 : ANY;
}

static GtResult check_attribute(const GtiValidation* v, const GtAttribute* attribute, bool in_target, uint64_t* count,
                                GtiPlace place)
{
    GtResult result = gti_check_accessor(v, attribute->accessor, shapes_of(attribute->name, in_target), place);
    if (result != GT_OK) {
        return result;
    }
    const GtAccessor* a = &v->scene->accessors[attribute->accessor];
    if (*count == UINT64_MAX) {
        *count = a->count;
    }
    if (a->count != *count) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "has %llu elements where the others have %llu",
                           (unsigned long long)a->count, (unsigned long long)*count);
    }
    if (gti_starts_with(attribute->name, "JOINTS_") && a->component_type != GT_COMPONENT_UINT8 &&
        a->component_type != GT_COMPONENT_UINT16) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "is of type %d; joint indices are 5121 or 5123",
                           (int)a->component_type);
    }
    bool shapes_the_mesh = strcmp(attribute->name, "POSITION") == 0 || gti_starts_with(attribute->name, "WEIGHTS_") ||
                           (in_target && shapes_of(attribute->name, true) == VEC3);
    if (v->bad_weights && gti_starts_with(attribute->name, "WEIGHTS_")) {
        GtiValidation quiet = *v;
        quiet.error = &(GtError){ 0 };
        *v->bad_weights |= gti_check_finite(&quiet, attribute->accessor, place) != GT_OK;
        return GT_OK;
    }
    if (shapes_the_mesh) {
        return gti_check_finite(v, attribute->accessor, place);
    }
    if (strcmp(attribute->name, "NORMAL") == 0 || strcmp(attribute->name, "TANGENT") == 0) {
        GtError ignored;
        GtiValidation quiet = *v;
        quiet.error = &ignored;
        if (gti_check_finite(&quiet, attribute->accessor, place) != GT_OK) {
            return gti_repairable(v, place, "%s; where it is not, it points up when posed", ignored.message);
        }
    }
    return GT_OK;
}

// Largest corner of the accessor, read in pieces.
static uint32_t largest_index(const GtiValidation* v, int32_t accessor)
{
    const GtScene* scene = v->scene;
    uint32_t chunk[CHUNK];
    uint32_t largest = 0;
    uint64_t total = scene->accessors[accessor].count;
    if (v->checked[accessor].flags & GTI_CHECKED_CORNERS) {
        return v->checked[accessor].largest;
    }
    for (uint64_t first = 0; first < total; first += CHUNK) {
        uint64_t count = total - first < CHUNK ? total - first : CHUNK;
        gt_accessor_read_uints(scene, accessor, first, count, chunk);
        for (uint64_t i = 0; i < count; ++i) {
            largest = chunk[i] > largest ? chunk[i] : largest;
        }
    }
    v->checked[accessor].flags |= GTI_CHECKED_CORNERS;
    v->checked[accessor].largest = largest;
    return largest;
}

static GtResult check_indices(const GtiValidation* v, const GtPrimitive* primitive, uint64_t vertex_count,
                              GtiPlace place)
{
    GtResult result = gti_check_accessor(v, primitive->indices, SCALAR, place);
    if (result != GT_OK) {
        return result;
    }
    const GtAccessor* a = &v->scene->accessors[primitive->indices];
    if (a->component_type == GT_COMPONENT_FLOAT || a->normalized) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "corners are floats; they must be integers");
    }
    uint32_t largest = largest_index(v, primitive->indices);
    if (a->count && largest >= vertex_count) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "corner %u is out of range; there are %llu vertices", largest,
                           (unsigned long long)vertex_count);
    }
    return GT_OK;
}

static GtResult check_primitive(const GtiValidation* v, int32_t m, int32_t p)
{
    const GtMesh* mesh = &v->scene->meshes[m];
    const GtPrimitive* primitive = &mesh->primitives[p];
    uint64_t vertex_count = UINT64_MAX;
    if ((unsigned)primitive->mode > GT_MODE_TRIANGLE_FAN) {
        return gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("meshes[#].primitives[#].mode", m, p, 0, NULL),
                           "%d is no mode; give 0 to 6", (int)primitive->mode);
    }
    for (int32_t i = 0; i < primitive->attribute_count; ++i) {
        GtiPlace place = gti_place("meshes[#].primitives[#].attributes.@", m, p, 0, primitive->attributes[i].name);
        GtResult result = check_attribute(v, &primitive->attributes[i], false, &vertex_count, place);
        if (result != GT_OK) {
            return result;
        }
    }
    if (vertex_count == UINT64_MAX) {
        vertex_count = 0;
    }
    if (vertex_count > INT32_MAX) {
        return gti_invalid(v, GT_ERROR_LIMIT, gti_place("meshes[#].primitives[#]", m, p, 0, NULL),
                           "has %llu vertices; the limit is %d", (unsigned long long)vertex_count, INT32_MAX);
    }
    for (int32_t t = 0; t < mesh->target_count; ++t) {
        for (int32_t i = 0; i < primitive->targets[t].attribute_count; ++i) {
            const GtAttribute* attribute = &primitive->targets[t].attributes[i];
            GtiPlace place = gti_place("meshes[#].primitives[#].targets[#].@", m, p, t, attribute->name);
            GtResult result = check_attribute(v, attribute, true, &vertex_count, place);
            if (result != GT_OK) {
                return result;
            }
        }
    }
    GtResult result = gti_check_index(v, primitive->material, v->scene->material_count, true, "materials",
                                      gti_place("meshes[#].primitives[#].material", m, p, 0, NULL));
    if (result == GT_OK && primitive->indices != GT_NONE) {
        result = check_indices(v, primitive, vertex_count, gti_place("meshes[#].primitives[#].indices", m, p, 0, NULL));
    }
    return result;
}

static GtResult check_mesh(const GtiValidation* v, int32_t m)
{
    const GtMesh* mesh = &v->scene->meshes[m];
    for (int32_t p = 0; p < mesh->primitive_count; ++p) {
        GtResult result = check_primitive(v, m, p);
        if (result != GT_OK) {
            return result;
        }
    }
    for (int32_t w = 0; w < mesh->weight_count; ++w) {
        if (!isfinite(mesh->weights[w])) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("meshes[#].weights[#]", m, w, 0, NULL),
                               "is not finite");
        }
    }
    if (mesh->weight_count && mesh->weight_count != mesh->target_count) {
        return gti_repairable(v, gti_place("meshes[#].weights", m, 0, 0, NULL),
                              "holds %d weights for %d morph targets; they are left out", (int)mesh->weight_count,
                              (int)mesh->target_count);
    }
    return GT_OK;
}

// Every joint index that has weight exists in the skin.
static GtResult check_influences(const GtiValidation* v, int32_t joints, int32_t weights, int32_t joint_count,
                                 GtiPlace place)
{
    uint32_t indices[CHUNK];
    float values[CHUNK];
    uint64_t total = v->scene->accessors[joints].count;
    GtiChecked* checked = &v->checked[joints];
    if (checked->flags & GTI_CHECKED_JOINTS && checked->weights == weights && checked->joint_count <= joint_count) {
        return GT_OK;
    }
    for (uint64_t first = 0; first < total; first += CHUNK / 4) {
        uint64_t count = total - first < CHUNK / 4 ? total - first : CHUNK / 4;
        gt_accessor_read_uints(v->scene, joints, first, count, indices);
        gt_accessor_read_floats(v->scene, weights, first, count, values);
        for (uint64_t i = 0; i < count * 4; ++i) {
            if (v->bad_weights && !(values[i] >= 0.0f && values[i] <= FLT_MAX)) {
                *v->bad_weights = true;
                continue;
            }
            bool has_weight = values[i] != 0.0f;
            if (indices[i] >= (uint32_t)joint_count && has_weight) {
                return gti_invalid(v, GT_ERROR_BAD_VALUE, place, "vertex %llu follows joint %u of a skin of %d joints",
                                   (unsigned long long)(first + i / 4), indices[i], (int)joint_count);
            }
        }
    }
    checked->flags |= GTI_CHECKED_JOINTS;
    checked->weights = weights;
    checked->joint_count = joint_count;
    return GT_OK;
}

static GtResult check_skinned_mesh(const GtiValidation* v, int32_t mesh, int32_t joint_count)
{
    static const char* const joint_names[MAX_SETS] = { "JOINTS_0", "JOINTS_1", "JOINTS_2", "JOINTS_3" };
    static const char* const weight_names[MAX_SETS] = { "WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2", "WEIGHTS_3" };
    for (int32_t p = 0; p < v->scene->meshes[mesh].primitive_count; ++p) {
        const GtPrimitive* primitive = &v->scene->meshes[mesh].primitives[p];
        for (int set = 0; set < MAX_SETS; ++set) {
            int32_t joints = gt_primitive_find(primitive, joint_names[set]);
            int32_t weights = gt_primitive_find(primitive, weight_names[set]);
            GtiPlace place = gti_place("meshes[#].primitives[#].attributes.@", mesh, p, 0, joint_names[set]);
            GtResult result = GT_OK;
            if ((joints == GT_NONE) != (weights == GT_NONE)) {
                result = gti_repairable(v, place,
                                        "joints and weights come in pairs, but one is missing; the set is left out");
            } else if (joints != GT_NONE) {
                result = check_influences(v, joints, weights, joint_count, place);
            }
            if (result != GT_OK) {
                return result;
            }
        }
    }
    return GT_OK;
}

GtResult gti_validate_meshes(const GtiValidation* v)
{
    for (int32_t m = 0; m < v->scene->mesh_count; ++m) {
        GtResult result = check_mesh(v, m);
        if (result != GT_OK) {
            return result;
        }
    }
    // A mesh may hang on many nodes: it is scanned again only for a skin smaller than those it has passed.
    GtAllocator allocator = v->context->allocator;
    size_t mesh_count = (size_t)v->scene->mesh_count + 1;
    int32_t* passed = allocator.allocate(allocator.user, mesh_count * sizeof *passed);
    if (!passed) {
        return gti_out_of_memory(v->error);
    }
    for (size_t m = 0; m < mesh_count; ++m) {
        passed[m] = INT32_MAX;
    }
    GtResult result = GT_OK;
    for (int32_t n = 0; n < v->scene->node_count && result == GT_OK; ++n) {
        const GtNode* node = &v->scene->nodes[n];
        if (node->mesh == GT_NONE || node->skin == GT_NONE) {
            continue;
        }
        int32_t joint_count = v->scene->skins[node->skin].joint_count;
        if (joint_count < passed[node->mesh]) {
            result = check_skinned_mesh(v, node->mesh, joint_count);
            passed[node->mesh] = joint_count;
        }
    }
    allocator.release(allocator.user, passed);
    return result;
}
