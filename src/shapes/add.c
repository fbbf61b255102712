// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Shapes become morph targets. All is made beside the mesh, which takes it at the end, so that a failure leaves it as
// it was; new targets come after the old ones, so that numbers in clips and extensions stay true.

#include "shapes/mesh.h"

#include "gertie/accessor.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/memory.h"
#include "harmonic/clip/keys.h"
#include "scene/storage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Adder {
    const GtContext* context;
    GtScene* scene;
    int32_t mesh;
    GtArena scratch;
    GtiShapeMesh surface;
    int32_t old_count;
    GtMesh made;
    GtPrimitive* primitives; // [primitive_count]
    GtMorphTarget** targets; // [primitive_count] of each
    const char** names;      // [target_count]
    float* weights;          // [target_count]
    GtShapesReport report;
    GtError* error;
} Adder;

// Displacements of one attribute.
typedef struct Delta {
    const char* name;
    int32_t width;
    float* values; // [vertex_count * width]
} Delta;

enum {
    MOST_DELTAS = 32
};

typedef struct Deltas {
    Delta items[MOST_DELTAS];
    int32_t count;
} Deltas;

GtShapeDef gt_default_shape_def(void)
{
    return (GtShapeDef){ .kind = GT_SHAPE_DELTA, .tolerance = 1e-6f };
}

static bool is_direction(const char* name)
{
    return strcmp(name, "NORMAL") == 0 || strcmp(name, "TANGENT") == 0;
}

static bool may_morph(const char* name)
{
    return strcmp(name, "POSITION") == 0 || is_direction(name) || gti_starts_with(name, "TEXCOORD_") ||
           gti_starts_with(name, "COLOR_") || name[0] == '_';
}

// Numbers that a shape has for an attribute of a primitive; 0 where the primitive has none.
static int32_t width_in(const Adder* a, int32_t p, const char* name)
{
    int32_t accessor = gt_primitive_find(&a->surface.mesh->primitives[p], name);
    if (accessor == GT_NONE || a->surface.firsts[p] == a->surface.firsts[p + 1]) {
        return 0;
    }
    return strcmp(name, "TANGENT") == 0 ? 3 : gt_element_components(a->scene->accessors[accessor].element_type);
}

static GtResult check_attribute(const Adder* a, const GtShapeDef* def, int32_t i)
{
    const GtShapeAttribute* attribute = &def->attributes[i];
    if (!attribute->name || !may_morph(attribute->name)) {
        return gti_fail(a->error, GT_ERROR_BAD_VALUE, "a shape cannot change %.40s",
                        attribute->name ? attribute->name : "an attribute without a name");
    }
    bool is_there = false;
    for (int32_t p = 0; p < a->surface.mesh->primitive_count; ++p) {
        int32_t width = width_in(a, p, attribute->name);
        is_there = is_there || width > 0;
        if (width > 0 && (width != attribute->component_count || width > 4)) {
            return gti_fail(a->error, GT_ERROR_BAD_VALUE, "%.40s has %d numbers a vertex; the shape has %d",
                            attribute->name, (int)width, (int)attribute->component_count);
        }
    }
    for (int32_t j = 0; j < i; ++j) {
        is_there = is_there && strcmp(def->attributes[j].name, attribute->name) != 0;
    }
    if (!is_there || !attribute->values) {
        return gti_fail(a->error, GT_ERROR_BAD_VALUE, "%.40s is not in the mesh, is given twice or without values",
                        attribute->name);
    }
    size_t size = (size_t)a->surface.vertex_count * (size_t)attribute->component_count;
    for (size_t k = 0; k < size; ++k) {
        if (!isfinite(attribute->values[k])) {
            return gti_fail(a->error, GT_ERROR_BAD_VALUE, "%.40s of vertex %lld is not finite", attribute->name,
                            (long long)(k / (size_t)attribute->component_count));
        }
    }
    return GT_OK;
}

static GtResult check(const Adder* a, const GtShapeDef* def)
{
    if (!def->name || !def->name[0] || def->kind < 0 || def->kind >= GT_SHAPE_KIND_COUNT || !isfinite(def->rest) ||
        !(def->tolerance >= 0.0f)) {
        return gti_fail(a->error, GT_ERROR_BAD_VALUE,
                        "a shape needs a name, a kind, and numbers for rest and tolerance that are finite");
    }
    if (def->attribute_count < 1 || def->attribute_count > MOST_DELTAS - 2 || !def->attributes) {
        return gti_fail(a->error, GT_ERROR_BAD_VALUE, "a shape changes 1 to %d attributes, not %d", MOST_DELTAS - 2,
                        (int)def->attribute_count);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < def->attribute_count && result == GT_OK; ++i) {
        result = check_attribute(a, def, i);
    }
    return result;
}

static GtResult push_delta(Adder* a, const char* name, int32_t width, Deltas* deltas, float** out)
{
    *out = gt_arena_push_array(&a->scratch, (size_t)a->surface.vertex_count * (size_t)width, sizeof **out);
    deltas->items[deltas->count++] = (Delta){ name, width, *out };
    return *out ? GT_OK : gti_out_of_memory(a->error);
}

// What the mesh has, taken off an absolute shape.
static GtResult take_base(Adder* a, const Delta* delta)
{
    for (int32_t p = 0; p < a->surface.mesh->primitive_count; ++p) {
        if (width_in(a, p, delta->name) == 0) {
            continue;
        }
        int32_t accessor = gt_primitive_find(&a->surface.mesh->primitives[p], delta->name);
        size_t stride = (size_t)gt_element_components(a->scene->accessors[accessor].element_type);
        size_t count = (size_t)(a->surface.firsts[p + 1] - a->surface.firsts[p]);
        float* values = delta->values + (size_t)a->surface.firsts[p] * (size_t)delta->width;
        GtArenaMark mark = gt_arena_mark(&a->scratch);
        float* base = gt_arena_push_array(&a->scratch, count * stride, sizeof *base);
        if (!base) {
            return gti_out_of_memory(a->error);
        }
        gt_accessor_read_floats(a->scene, accessor, 0, (uint64_t)count, base);
        for (size_t i = 0; i < count * (size_t)delta->width; ++i) {
            float b = base[i / (size_t)delta->width * stride + i % (size_t)delta->width];
            values[i] -= isfinite(b) ? b : values[i];
        }
        gt_arena_reset(&a->scratch, mark);
    }
    return GT_OK;
}

static void settle_positions(Adder* a, float tolerance, GtVec3* positions)
{
    for (int32_t i = 0; i < a->surface.vertex_count; ++i) {
        float length = gt_vec3_length(positions[i]);
        if (!(length > tolerance * a->surface.size_m)) {
            positions[i] = gt_vec3(0.0f, 0.0f, 0.0f);
            continue;
        }
        a->report.moved_count += 1;
        a->report.max_move_m = fmaxf(a->report.max_move_m, length);
    }
}

static const Delta* find_delta(const Deltas* deltas, const char* name)
{
    for (int32_t i = 0; i < deltas->count; ++i) {
        if (strcmp(deltas->items[i].name, name) == 0) {
            return &deltas->items[i];
        }
    }
    return NULL;
}

// moves: some vertex does
static GtResult make_normals(Adder* a, bool moves, Deltas* deltas)
{
    const Delta* positions = find_delta(deltas, "POSITION");
    bool wants_normals = moves && positions && a->surface.normals && !find_delta(deltas, "NORMAL");
    bool wants_tangents = wants_normals && a->surface.tangents && !find_delta(deltas, "TANGENT");
    if (!wants_normals) {
        return GT_OK;
    }
    float* normals = NULL;
    float* tangents = NULL;
    GtVec3* moved = gt_arena_push_array(&a->scratch, (size_t)a->surface.vertex_count, sizeof *moved);
    GtResult result = moved ? push_delta(a, "NORMAL", 3, deltas, &normals) : gti_out_of_memory(a->error);
    if (result == GT_OK && wants_tangents) {
        result = push_delta(a, "TANGENT", 3, deltas, &tangents);
    }
    for (int32_t i = 0; i < a->surface.vertex_count && result == GT_OK; ++i) {
        moved[i] = gt_vec3_add(a->surface.positions[i], ((const GtVec3*)positions->values)[i]);
    }
    if (result == GT_OK) {
        a->report.made_normals_count += 1;
        result = gti_shape_normals(a->context, &a->surface, moved, (GtVec3*)normals, (GtVec3*)tangents, a->error);
    }
    return result;
}

static GtResult make_deltas(Adder* a, const GtShapeDef* def, Deltas* deltas)
{
    GtResult result = GT_OK;
    int64_t moved_before = a->report.moved_count;
    for (int32_t i = 0; i < def->attribute_count && result == GT_OK; ++i) {
        const GtShapeAttribute* attribute = &def->attributes[i];
        size_t size = (size_t)a->surface.vertex_count * (size_t)attribute->component_count;
        float* values = NULL;
        result = push_delta(a, attribute->name, attribute->component_count, deltas, &values);
        if (result == GT_OK) {
            memcpy(values, attribute->values, size * sizeof *values);
        }
        if (result == GT_OK && def->kind == GT_SHAPE_ABSOLUTE) {
            result = take_base(a, &deltas->items[i]);
        }
        if (result == GT_OK && strcmp(attribute->name, "POSITION") == 0) {
            settle_positions(a, def->tolerance, (GtVec3*)values);
        }
    }
    bool looks = false;
    for (int32_t i = 0; i < deltas->count; ++i) {
        looks = looks || !(strcmp(deltas->items[i].name, "POSITION") == 0 || is_direction(deltas->items[i].name));
    }
    a->report.looks_count += looks;
    return result == GT_OK ? make_normals(a, a->report.moved_count > moved_before, deltas) : result;
}

static GtResult make_target(Adder* a, const Deltas* deltas, int32_t p, GtMorphTarget* out)
{
    GtAttribute* attributes = gt_scene_push(a->scene, (size_t)deltas->count, sizeof *attributes);
    GtResult result = attributes ? GT_OK : gti_out_of_memory(a->error);
    *out = (GtMorphTarget){ attributes, 0 };
    for (int32_t i = 0; i < deltas->count && result == GT_OK; ++i) {
        const Delta* delta = &deltas->items[i];
        if (width_in(a, p, delta->name) == 0) {
            continue;
        }
        int32_t first = a->surface.firsts[p];
        GtAttribute* attribute = &attributes[out->attribute_count++];
        attribute->name = gt_scene_push_text(a->scene, delta->name, strlen(delta->name));
        result =
            attribute->name
                ? gti_scene_add_sparse(a->context, a->scene, delta->values + (size_t)first * (size_t)delta->width,
                                       a->surface.firsts[p + 1] - first, delta->width, &attribute->accessor, a->error)
                : gti_out_of_memory(a->error);
    }
    return result;
}

static GtResult add_shape(Adder* a, const GtShapeDef* def)
{
    Deltas deltas = { .count = 0 };
    GtArenaMark mark = gt_arena_mark(&a->scratch);
    int32_t slot = gt_shapes_find(&a->made, def->name);
    GtResult result = check(a, def);
    if (result == GT_OK && slot == GT_NONE && a->made.target_count >= GT_SHAPES_MAX) {
        result = gti_fail(a->error, GT_ERROR_LIMIT, "a mesh has at most %d shapes", GT_SHAPES_MAX);
    }
    if (result == GT_OK) {
        result = make_deltas(a, def, &deltas);
    }
    if (result == GT_OK && slot == GT_NONE) {
        slot = a->made.target_count;
        a->names[slot] = gt_scene_push_text(a->scene, def->name, strlen(def->name));
        result = a->names[slot] ? GT_OK : gti_out_of_memory(a->error);
        a->made.target_count += result == GT_OK;
        a->report.added_count += 1;
    } else {
        a->report.replaced_count += 1;
    }
    for (int32_t p = 0; p < a->made.primitive_count && result == GT_OK; ++p) {
        result = make_target(a, &deltas, p, &a->targets[p][slot]);
    }
    if (result == GT_OK) {
        a->weights[slot] = def->rest;
    }
    gt_arena_reset(&a->scratch, mark);
    return result;
}

static GtResult name_old(Adder* a, const GtMesh* mesh, int32_t t)
{
    char name[32];
    int length = snprintf(name, sizeof name, "morph %d", (int)t);
    bool has_name = mesh->target_names && mesh->target_names[t];
    a->names[t] = has_name ? mesh->target_names[t] : gt_scene_push_text(a->scene, name, (size_t)length);
    return a->names[t] ? GT_OK : gti_out_of_memory(a->error);
}

// Copy what the mesh has, with room for `count` more.
static GtResult open(Adder* a, int32_t count)
{
    const GtMesh* mesh = a->surface.mesh;
    size_t room = (size_t)mesh->target_count + (size_t)count;
    size_t primitive_count = (size_t)mesh->primitive_count;
    a->old_count = mesh->target_count;
    a->made = *mesh;
    a->primitives = gt_scene_push(a->scene, primitive_count, sizeof *a->primitives);
    a->targets = gt_arena_push_array(&a->scratch, primitive_count, sizeof(GtMorphTarget*));
    a->names = gt_scene_push(a->scene, room, sizeof *a->names);
    a->weights = gt_scene_push(a->scene, room, sizeof *a->weights);
    GtResult result = a->primitives && a->targets && a->names && a->weights ? GT_OK : gti_out_of_memory(a->error);
    for (int32_t p = 0; p < mesh->primitive_count && result == GT_OK; ++p) {
        a->targets[p] = gt_scene_push(a->scene, room, sizeof(GtMorphTarget));
        a->primitives[p] = mesh->primitives[p];
        a->primitives[p].targets = a->targets[p];
        result = a->targets[p] ? GT_OK : gti_out_of_memory(a->error);
        for (int32_t t = 0; t < mesh->target_count && result == GT_OK; ++t) {
            a->targets[p][t] = mesh->primitives[p].targets[t];
        }
    }
    for (int32_t t = 0; t < mesh->target_count && result == GT_OK; ++t) {
        a->weights[t] = mesh->weight_count == mesh->target_count ? mesh->weights[t] : 0.0f;
        result = name_old(a, mesh, t);
    }
    a->made.primitives = a->primitives;
    a->made.target_names = a->names;
    a->made.weights = a->weights;
    return result;
}

// Nodes that show the mesh with weights of their own have them for the new shapes, too.
static GtResult widen_nodes(Adder* a, const float** node_weights, int32_t* old_counts)
{
    for (int32_t n = 0; n < a->scene->node_count; ++n) {
        const GtNode* node = &a->scene->nodes[n];
        if (node->mesh != a->mesh) {
            continue;
        }
        old_counts[n] = a->old_count;
        if (node->weight_count == 0) {
            continue;
        }
        float* weights = gt_scene_push(a->scene, (size_t)a->made.target_count, sizeof *weights);
        if (!weights) {
            return gti_out_of_memory(a->error);
        }
        for (int32_t t = 0; t < a->made.target_count; ++t) {
            weights[t] = t < a->old_count && t < node->weight_count ? node->weights[t] : a->weights[t];
        }
        node_weights[n] = weights;
    }
    return GT_OK;
}

// The scene as it is, as gt_scene_prune() will look back at it.
static bool remember(Adder* a, GtScene* out)
{
    const GtScene* scene = a->scene;
    *out = *scene;
    GtArena* to = &a->scratch;
    bool ok = true;
    out->meshes = gti_arena_copy(to, scene->meshes, (size_t)scene->mesh_count, sizeof *scene->meshes, &ok);
    out->animations =
        gti_arena_copy(to, scene->animations, (size_t)scene->animation_count, sizeof *scene->animations, &ok);
    out->accessors = gti_arena_copy(to, scene->accessors, (size_t)scene->accessor_count, sizeof *scene->accessors, &ok);
    out->buffer_views =
        gti_arena_copy(to, scene->buffer_views, (size_t)scene->buffer_view_count, sizeof *scene->buffer_views, &ok);
    return ok;
}

// The scene takes it all, and lets go of keys and targets that others have replaced.
static GtResult finish(Adder* a)
{
    GtScene* scene = a->scene;
    GtScene before;
    int32_t added = a->made.target_count - a->old_count;
    const float** node_weights = gt_arena_push_array(&a->scratch, (size_t)scene->node_count, sizeof *node_weights);
    int32_t* old_counts = gt_arena_push_array(&a->scratch, (size_t)scene->node_count, sizeof *old_counts);
    GtAnimation* clips = gt_arena_push_array(&a->scratch, (size_t)scene->animation_count, sizeof *clips);
    GtResult result =
        node_weights && old_counts && clips ? widen_nodes(a, node_weights, old_counts) : gti_out_of_memory(a->error);
    for (int32_t i = 0; i < scene->animation_count && result == GT_OK; ++i) {
        clips[i] = scene->animations[i];
        if (added > 0) {
            result = gti_clip_widen(a->context, scene, &clips[i], old_counts, added, a->error);
        }
    }
    if (result == GT_OK && !remember(a, &before)) {
        result = gti_out_of_memory(a->error);
    }
    if (result != GT_OK) {
        return result;
    }
    a->made.weight_count = a->made.target_count;
    scene->meshes[a->mesh] = a->made;
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (node_weights[n]) {
            scene->nodes[n].weights = node_weights[n];
            scene->nodes[n].weight_count = a->made.target_count;
        }
    }
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        scene->animations[i] = clips[i];
    }
    (void)gt_scene_prune(scene, &before, NULL); // without the memory to do so they stay, and do no harm
    return GT_OK;
}

static GtResult add_all(Adder* a, const GtShapeDef* shapes, int32_t count)
{
    GtResult result = count >= 0
                          ? open(a, count)
                          : gti_fail(a->error, GT_ERROR_BAD_VALUE, "%d shapes were given to be added", (int)count);
    for (int32_t i = 0; i < count && result == GT_OK; ++i) {
        result = add_shape(a, &shapes[i]);
        if (result != GT_OK && a->error && !a->error->where[0]) {
            snprintf(a->error->where, sizeof a->error->where, "shape '%.80s'", shapes[i].name ? shapes[i].name : "");
        }
        if (result == GT_OK) {
            result = gti_progress(a->context, a->error, "shapes", (double)(i + 1) / (double)count);
        }
    }
    return result == GT_OK ? finish(a) : result;
}

GtResult gt_shapes_add(const GtContext* context, GtScene* scene, int32_t mesh, const GtShapeDef* shapes,
                       int32_t shape_count, GtShapesReport* report, GtError* error)
{
    Adder a = {
        .context = context, .scene = scene, .mesh = mesh, .scratch = gt_arena_create(context->allocator), .error = error
    };
    GtResult result = gti_shape_mesh_read(context, scene, mesh, &a.scratch, &a.surface, error);
    if (result == GT_OK) {
        result = add_all(&a, shapes, shape_count);
    }
    if (result == GT_OK && report) {
        report->added_count += a.report.added_count;
        report->replaced_count += a.report.replaced_count;
        report->made_normals_count += a.report.made_normals_count;
        report->looks_count += a.report.looks_count;
        report->moved_count += a.report.moved_count;
        report->max_move_m = fmaxf(report->max_move_m, a.report.max_move_m);
    }
    gt_arena_destroy(&a.scratch);
    return result;
}
