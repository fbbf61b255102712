// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A shape from another file with the same vertices: matched, brought into the space of the mesh, and added as arrays.

#include "shapes/mesh.h"

#include "gertie/accessor.h"

#include "base/ascii.h"
#include "base/bounds.h"
#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Beyond this ratio of sizes a shape is not one of this mesh, or not in its units.
static const float most_growth = 4.0f;
// Texture coordinates and colours in text are rounded; a texture of 4096 pixels has steps of 2e-4.
static const float least_change = 1e-4f;

enum {
    MOST_ATTRIBUTES = 16
};

typedef struct Taker {
    const GtContext* context;
    const GtScene* scene;
    int32_t mesh;
    const GtShapeSource* source;
    GtArena scratch;
    GtArena* kept; // for values of attributes
    GtiShapeMesh to;
    GtiShapeMesh from;
    uint32_t* vertices;       // [vertex_count] of the source
    GtMat34 mesh_from_source; // at rest
    GtShapeAttribute attributes[MOST_ATTRIBUTES];
    int32_t attribute_count;
    GtError* error;
} Taker;

GtShapeSource gt_default_shape_source(void)
{
    return (GtShapeSource){ .mesh = GT_NONE, .target = GT_NONE, .tolerance = 1e-5f };
}

static GtResult find_space(Taker* t, int32_t source_mesh)
{
    GtMat34 world_from_mesh;
    GtMat34 world_from_source;
    GtResult result = gti_shape_world(t->scene, t->mesh, &t->scratch, &world_from_mesh, t->error);
    if (result == GT_OK) {
        result = gti_shape_world(t->source->scene, source_mesh, &t->scratch, &world_from_source, t->error);
    }
    if (result != GT_OK) {
        return result;
    }
    if (memcmp(&world_from_mesh, &world_from_source, sizeof world_from_mesh) == 0) {
        t->mesh_from_source = gt_mat34_identity(); // also where it has no inverse
        return GT_OK;
    }
    bool ok = true;
    GtMat34 mesh_from_world = gt_mat34_inverse(&world_from_mesh, &ok);
    t->mesh_from_source = gt_mat34_mul(mesh_from_world, world_from_source);
    return ok ? GT_OK : gti_fail(t->error, GT_ERROR_BAD_VALUE, "the mesh has no size where the node places it");
}

static GtResult match(Taker* t, int32_t* source_mesh)
{
    const GtScene* scene = t->source->scene;
    bool any = t->source->mesh == GT_NONE;
    GtResult result = gti_fail(t->error, GT_ERROR_NOT_FOUND, "it has no mesh that matches this one");
    for (int32_t m = any ? 0 : t->source->mesh; m < scene->mesh_count || !any; ++m) {
        GtArenaMark mark = gt_arena_mark(&t->scratch);
        GtError first = t->error && m > 0 ? *t->error : (GtError){ 0 };
        result = gti_shape_mesh_read(t->context, scene, m, &t->scratch, &t->from, t->error);
        if (result == GT_OK) {
            result = gti_shape_match(t->context, &t->to, &t->from, t->vertices, t->error);
        }
        if (result != GT_ERROR_BAD_VALUE || !any) {
            *source_mesh = m;
            return result;
        }
        if (t->error && m > 0) {
            *t->error = first; // of the largest part of most files
        }
        gt_arena_reset(&t->scratch, mark);
    }
    return result;
}

static float* push_attribute(Taker* t, const char* name, int32_t width)
{
    size_t size = (size_t)t->to.vertex_count * (size_t)width;
    float* values = t->attribute_count < MOST_ATTRIBUTES ? gt_arena_push_array(t->kept, size, sizeof *values) : NULL;
    if (values) {
        t->attributes[t->attribute_count++] = (GtShapeAttribute){ name, width, values };
    }
    return values;
}

static GtResult check_size(Taker* t, const GtVec3* positions)
{
    float ratio = gti_bounds_diagonal(gti_bounds_of(positions, t->to.vertex_count)) / t->to.size_m;
    if (ratio > most_growth || ratio < 1.0f / most_growth) {
        return gti_fail(t->error, GT_ERROR_BAD_VALUE, "it is %.3g times as large as the mesh: are its units the same?",
                        (double)ratio);
    }
    return GT_OK;
}

// The mesh of the source as it stands.
static GtResult take_whole(Taker* t)
{
    float* positions = push_attribute(t, "POSITION", 3);
    bool normals_too = t->source->keep_normals && t->from.normals && t->to.normals;
    bool tangents_too = t->source->keep_normals && t->from.tangents && t->to.tangents;
    float* normals = normals_too ? push_attribute(t, "NORMAL", 3) : NULL;
    float* tangents = tangents_too ? push_attribute(t, "TANGENT", 3) : NULL;
    if (!positions || (normals_too && !normals) || (tangents_too && !tangents)) {
        return gti_out_of_memory(t->error);
    }
    for (int32_t i = 0; i < t->to.vertex_count; ++i) {
        uint32_t v = t->vertices[i];
        ((GtVec3*)positions)[i] = gt_mat34_point(&t->mesh_from_source, t->from.positions[v]);
        if (normals) {
            ((GtVec3*)normals)[i] = gt_mat34_normal(&t->mesh_from_source, t->from.normals[v]);
        }
        if (tangents) {
            const float* from = &t->from.tangents[4 * (size_t)v];
            GtVec3 tangent = gt_mat34_vector(&t->mesh_from_source, gt_vec3(from[0], from[1], from[2]));
            ((GtVec3*)tangents)[i] = gt_vec3_normalize_or(tangent, gt_vec3(0.0f, 0.0f, 0.0f));
        }
    }
    return check_size(t, (const GtVec3*)positions);
}

// All vertices of an attribute, in the order of the mesh; 0 where a primitive has none. GT_NONE for rest values.
static GtResult read_attribute(Taker* t, const GtiShapeMesh* mesh, int32_t target, const char* name, int32_t width,
                               float** out)
{
    *out = gt_arena_push_array(&t->scratch, (size_t)mesh->vertex_count * (size_t)width, sizeof **out);
    for (int32_t p = 0; p < mesh->mesh->primitive_count && *out; ++p) {
        const GtPrimitive* primitive = &mesh->mesh->primitives[p];
        int32_t accessor = target == GT_NONE ? gt_primitive_find(primitive, name)
                                             : gt_morph_target_find(&primitive->targets[target], name);
        uint64_t count = (uint64_t)(mesh->firsts[p + 1] - mesh->firsts[p]);
        if (accessor != GT_NONE && mesh->scene->accessors[accessor].count == count &&
            gt_element_components(mesh->scene->accessors[accessor].element_type) == width) {
            gt_accessor_read_floats(mesh->scene, accessor, 0, count, *out + (size_t)mesh->firsts[p] * (size_t)width);
        }
    }
    return *out ? GT_OK : gti_out_of_memory(t->error);
}

static GtResult take_vectors(Taker* t, const char* name, int32_t target)
{
    float* values = NULL;
    GtResult result = read_attribute(t, &t->from, target, name, 3, &values);
    float* out = result == GT_OK ? push_attribute(t, name, 3) : NULL;
    for (int32_t i = 0; i < t->to.vertex_count && out; ++i) {
        ((GtVec3*)out)[i] = gt_mat34_vector(&t->mesh_from_source, ((const GtVec3*)values)[t->vertices[i]]);
    }
    return out || result != GT_OK ? result : gti_out_of_memory(t->error);
}

// A target of the source; its normals are displacements of the source's own, and fit where that stands alike.
static GtResult take_target(Taker* t)
{
    int32_t target = t->source->target;
    GtResult result = take_vectors(t, "POSITION", target);
    if (result == GT_OK && t->source->keep_normals && t->to.normals) {
        result = take_vectors(t, "NORMAL", target);
    }
    if (result == GT_OK && t->source->keep_normals && t->to.tangents) {
        result = take_vectors(t, "TANGENT", target);
    }
    return result;
}

// Numbers a vertex of an attribute; 0 where primitives differ in it, where none has it, or where they are no quantities
// but, as attributes of one's own may be, integers that name something.
static int32_t find_width(const GtiShapeMesh* mesh, int32_t target, const char* name)
{
    int32_t width = 0;
    for (int32_t p = 0; p < mesh->mesh->primitive_count; ++p) {
        const GtPrimitive* primitive = &mesh->mesh->primitives[p];
        int32_t accessor = target == GT_NONE ? gt_primitive_find(primitive, name)
                                             : gt_morph_target_find(&primitive->targets[target], name);
        const GtAccessor* a = accessor == GT_NONE ? NULL : &mesh->scene->accessors[accessor];
        int32_t own = a ? gt_element_components(a->element_type) : width;
        bool counts = a && a->component_type != GT_COMPONENT_FLOAT && !a->normalized;
        if (counts || own > 4 || (width > 0 && own != width)) {
            return 0;
        }
        width = own;
    }
    return width;
}

// An attribute that is no place or direction, where it differs anywhere. Colours may lack alpha in either file.
static GtResult take_other(Taker* t, const char* name)
{
    int32_t target = t->source->target;
    int32_t width = find_width(&t->to, GT_NONE, name);
    int32_t their_width = find_width(&t->from, target, name);
    bool are_colors = gti_starts_with(name, "COLOR_");
    if (width == 0 || their_width == 0 || (width != their_width && !are_colors) ||
        t->attribute_count == MOST_ATTRIBUTES) {
        return GT_OK;
    }
    float* mine = NULL;
    float* theirs = NULL;
    GtResult result = read_attribute(t, &t->to, GT_NONE, name, width, &mine);
    if (result == GT_OK) {
        result = read_attribute(t, &t->from, target, name, their_width, &theirs);
    }
    GtArenaMark mark = gt_arena_mark(t->kept);
    float* out = result == GT_OK ? push_attribute(t, name, width) : NULL;
    if (!out) {
        return result == GT_OK ? gti_out_of_memory(t->error) : result;
    }
    bool differs = false;
    for (int32_t i = 0; i < t->to.vertex_count; ++i) {
        for (int32_t k = 0; k < width; ++k) {
            size_t at = (size_t)i * (size_t)width + (size_t)k;
            float rest = target == GT_NONE ? mine[at] : 0.0f;
            float value = k < their_width ? theirs[(size_t)t->vertices[i] * (size_t)their_width + (size_t)k] : rest;
            float change = value - rest;
            bool changes = fabsf(change) > least_change;
            out[at] = changes ? value : value - change;
            differs = differs || changes;
        }
    }
    if (!differs) {
        --t->attribute_count;
        gt_arena_reset(t->kept, mark);
    }
    return GT_OK;
}

static bool is_in_earlier(const GtMesh* mesh, int32_t primitive, const char* name)
{
    for (int32_t p = 0; p < primitive; ++p) {
        if (gt_primitive_find(&mesh->primitives[p], name) != GT_NONE) {
            return true;
        }
    }
    return false;
}

static GtResult take_others(Taker* t)
{
    const GtMesh* mesh = t->to.mesh;
    GtResult result = GT_OK;
    for (int32_t p = 0; p < mesh->primitive_count && t->source->other; ++p) {
        for (int32_t i = 0; i < mesh->primitives[p].attribute_count && result == GT_OK; ++i) {
            const char* name = mesh->primitives[p].attributes[i].name;
            bool is_other = gti_starts_with(name, "TEXCOORD_") || gti_starts_with(name, "COLOR_") || name[0] == '_';
            if (is_other && !is_in_earlier(mesh, p, name)) {
                result = take_other(t, name);
            }
        }
    }
    if (t->source->other && result == GT_OK && find_width(&t->to, GT_NONE, "COLOR_0") == 0 &&
        find_width(&t->from, t->source->target, "COLOR_0") > 0) {
        gti_note(t->context, t->source->scene->source.file, NULL,
                 "has colours, which are left out: a shape can change only the attributes that its mesh has");
    }
    return result;
}

static GtResult take(Taker* t)
{
    int32_t source_mesh = GT_NONE;
    t->vertices = gt_arena_push_array(&t->scratch, (size_t)t->to.vertex_count, sizeof *t->vertices);
    GtResult result = t->vertices ? match(t, &source_mesh) : gti_out_of_memory(t->error);
    if (result == GT_OK && t->source->target != GT_NONE &&
        (t->source->target < 0 || t->source->target >= t->from.mesh->target_count)) {
        result = gti_fail(t->error, GT_ERROR_NOT_FOUND, "its mesh has no morph target %d; there are %d",
                          (int)t->source->target, (int)t->from.mesh->target_count);
    }
    if (result == GT_OK) {
        result = find_space(t, source_mesh);
    }
    if (result == GT_OK) {
        result = t->source->target == GT_NONE ? take_whole(t) : take_target(t);
    }
    return result == GT_OK ? take_others(t) : result;
}

GtResult gti_shape_take(const GtContext* context, const GtScene* scene, int32_t mesh, const char* name,
                        const GtShapeSource* source, GtArena* arena, GtShapeDef* out, GtError* error)
{
    Taker t = { .context = context,
                .scene = scene,
                .mesh = mesh,
                .source = source,
                .scratch = gt_arena_create(context->allocator),
                .kept = arena,
                .error = error };
    GtResult result = gti_shape_mesh_read(context, scene, mesh, &t.scratch, &t.to, error);
    if (result == GT_OK) {
        result = take(&t);
        gti_error_set_file(result == GT_OK ? NULL : error, source->scene->source.file);
    }
    size_t count = (size_t)t.attribute_count;
    GtShapeAttribute* attributes = result == GT_OK ? gt_arena_push_array(arena, count, sizeof *attributes) : NULL;
    if (attributes) {
        memcpy(attributes, t.attributes, count * sizeof *attributes);
        *out = gt_default_shape_def();
        out->name = name;
        out->kind = source->target == GT_NONE ? GT_SHAPE_ABSOLUTE : GT_SHAPE_DELTA;
        out->rest = source->rest;
        out->tolerance = source->tolerance;
        out->attributes = attributes;
        out->attribute_count = t.attribute_count;
    } else if (result == GT_OK) {
        result = gti_out_of_memory(error);
    }
    gt_arena_destroy(&t.scratch);
    return result;
}

GtResult gt_shapes_add_from(const GtContext* context, GtScene* scene, int32_t mesh, const char* name,
                            const GtShapeSource* source, GtShapesReport* report, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtShapeDef def;
    GtResult result = gti_shape_take(context, scene, mesh, name, source, &arena, &def, error);
    if (result == GT_OK) {
        result = gt_shapes_add(context, scene, mesh, &def, 1, report, error);
    }
    gt_arena_destroy(&arena);
    return result;
}

static bool leaves_units_open(const char* format)
{
    return gt_format_holds(format, GT_HOLDS_MESHES) && !gt_format_holds(format, GT_HOLDS_UNITS);
}

GtResult gti_shape_source_load(const GtContext* context, const GtScene* scene, const char* path, const GtLoadDef* load,
                               GtScene** out, GtError* error)
{
    bool same_units = leaves_units_open(scene->source.format);
    GtLoadDef own = gt_default_load_def();
    own.metres_per_unit = same_units ? scene->source.metres_per_unit : 1.0;
    own.up_axis = same_units ? (int32_t)scene->source.up_axis : (int32_t)GT_UP_Y;
    return gt_scene_load(context, path, load ? load : &own, out, error);
}

GtResult gt_shapes_add_file(const GtContext* context, GtScene* scene, int32_t mesh, const char* name, const char* path,
                            const GtLoadDef* load, const GtShapeSource* source, GtShapesReport* report, GtError* error)
{
    GtShapeSource taken = source ? *source : gt_default_shape_source();
    GtScene* other = NULL;
    GtResult result = gti_shape_source_load(context, scene, path, load, &other, error);
    taken.scene = other;
    if (result == GT_OK) {
        result = gt_shapes_add_from(context, scene, mesh, name, &taken, report, error);
    }
    gt_scene_destroy(other);
    return result;
}
