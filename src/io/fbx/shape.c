// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blend shapes. Each Shape is a morph target. A channel with shapes in between goes from one to the next: at most two
// of its targets have a weight. Files before version 7200 have neither channels nor objects for shapes: these lie in
// the Geometry, whose properties of the same names are their percentages.

#include "base/fail.h"
#include "base/format.h"
#include "gertie/accessor.h"
#include "io/fbx/layer.h"
#include "io/name.h"
#include "scene/storage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TARGETS = 4096, // of one mesh; faces have a few hundred
    MAX_WEIGHT = 1000,
    SPARSE_PART = 8,  // shapes of fewer points than this part of the vertices are listed by points, and sorted
    MOST_DECODED = 64 // times the size of the file; shapes beyond are decoded for each primitive anew
};

// Shapes of a channel and their full weights, sorted by the weights.
static GtResult read_channel(GtiFbxReader* reader, int32_t object, GtiFbxGeometry* geometry)
{
    const GtiFbxGraph* graph = &reader->graph;
    const GtiFbxObject* owner = &graph->objects[object];
    GtResult result = GT_OK;
    uint32_t percent_count = 0;
    GtiFbxShapeChannel* channel = &geometry->channels[geometry->channel_count++];
    GtiFbxShape* shapes = gt_arena_push_array(&reader->arena, (size_t)owner->child_count, sizeof *shapes);
    const float* full = gti_fbx_read_floats(reader, owner->node, "FullWeights", &percent_count, &result);
    if (result != GT_OK || !shapes) {
        return result == GT_OK ? gti_out_of_memory(reader->error) : result;
    }
    *channel = (GtiFbxShapeChannel){ .object = object,
                                     .property = gti_slice("DeformPercent"),
                                     .name = owner->name,
                                     .first_target = geometry->target_count,
                                     .shapes = shapes };
    for (int32_t k = 0; k < owner->child_count; ++k) {
        const GtiFbxObject* shape = &graph->objects[graph->connections[owner->first_child + k].source];
        if (!gti_slice_is(shape->type, "Geometry") || geometry->target_count == MAX_TARGETS) {
            continue;
        }
        uint32_t number = (uint32_t)channel->target_count;
        double percent = number < percent_count ? (double)full[number] : 100.0;
        int32_t at = channel->target_count++;
        for (; at > 0 && shapes[at - 1].full_percent > percent; --at) { // a handful, in order as a rule
            shapes[at] = shapes[at - 1];
        }
        shapes[at] = (GtiFbxShape){ shape->node, shape->name, percent };
        geometry->shapes_have_normals |= gti_fbx_find(shape->node, "Normals") != NULL;
        ++geometry->target_count;
    }
    if (channel->target_count == 1 && percent_count > 1) {
        shapes[0].full_percent = 100.0;
        channel->point_percents = full;
        channel->point_percent_count = percent_count;
    }
    return GT_OK;
}

// The next Shape of a mesh's own Geometry, at `at` or behind it; NULL where there is none.
static const GtiFbxNode* next_own_shape(const GtiFbxReader* reader, const GtiFbxNode* geometry, const GtiFbxNode* at,
                                        GtiSlice* name)
{
    for (; at < gti_fbx_next(geometry); at = gti_fbx_next(at)) {
        if (gti_fbx_is(at, "Shape") && gti_fbx_string(gti_fbx_value(&reader->tree, at, 0), name)) {
            return at;
        }
    }
    return NULL;
}

// A channel for each Shape inside of the Geometry.
static GtResult add_own_shapes(GtiFbxReader* reader, GtiFbxGeometry* geometry)
{
    const GtiFbxNode* owner = reader->graph.objects[geometry->object].node;
    GtiSlice name;
    const GtiFbxNode* at = next_own_shape(reader, owner, owner + 1, &name);
    for (; at && geometry->target_count < MAX_TARGETS; at = next_own_shape(reader, owner, gti_fbx_next(at), &name)) {
        GtiFbxShape* shape = gt_arena_push_array(&reader->arena, 1, sizeof *shape);
        if (!shape) {
            return gti_out_of_memory(reader->error);
        }
        *shape = (GtiFbxShape){ at, name, 100.0 };
        geometry->shapes_have_normals |= gti_fbx_find(at, "Normals") != NULL;
        geometry->channels[geometry->channel_count++] = (GtiFbxShapeChannel){ .object = geometry->object,
                                                                              .property = name,
                                                                              .name = name,
                                                                              .first_target = geometry->target_count++,
                                                                              .target_count = 1,
                                                                              .shapes = shape };
    }
    return GT_OK;
}

static int32_t count_own_shapes(const GtiFbxReader* reader, const GtiFbxNode* geometry)
{
    int32_t count = 0;
    GtiSlice name;
    const GtiFbxNode* at = next_own_shape(reader, geometry, geometry + 1, &name);
    for (; at; at = next_own_shape(reader, geometry, gti_fbx_next(at), &name)) {
        ++count;
    }
    return count;
}

GtResult gti_fbx_read_channels(GtiFbxReader* reader, GtiFbxGeometry* geometry)
{
    const GtiFbxGraph* graph = &reader->graph;
    const GtiFbxObject* owner = &graph->objects[geometry->object];
    int32_t count = count_own_shapes(reader, owner->node);
    GtResult result = GT_OK;
    for (int pass = 0; pass < 2 && result == GT_OK; ++pass) {
        for (int32_t k = 0; k < owner->child_count && result == GT_OK; ++k) {
            const GtiFbxObject* blend = &graph->objects[graph->connections[owner->first_child + k].source];
            for (int32_t i = 0; gti_slice_is(blend->subtype, "BlendShape") && i < blend->child_count; ++i) {
                int32_t object = graph->connections[blend->first_child + i].source;
                if (!gti_slice_is(graph->objects[object].subtype, "BlendShapeChannel")) {
                    continue;
                }
                count += pass == 0;
                if (pass == 1 && result == GT_OK) {
                    result = read_channel(reader, object, geometry);
                }
            }
        }
        if (pass == 0) {
            geometry->channels = gt_arena_push_array(&reader->arena, (size_t)count, sizeof *geometry->channels);
            result = geometry->channels ? GT_OK : gti_out_of_memory(reader->error);
        }
    }
    if (result == GT_OK) {
        result = add_own_shapes(reader, geometry);
    }
    if (result == GT_OK && geometry->target_count == MAX_TARGETS) {
        gti_warn(reader->context, reader->path, NULL, "a mesh has more than %d blend shapes; the rest is left out",
                 MAX_TARGETS);
    }
    return result;
}

// Shapes with a negative full weight are on the other side of the mesh at rest, which stands at 0 between them.
void gti_fbx_channel_weights(const GtiFbxShapeChannel* channel, double percent, float* weights)
{
    const GtiFbxShape* shapes = channel->shapes;
    int32_t count = channel->target_count;
    int32_t zero = 0; // shapes below 0
    memset(weights, 0, (size_t)count * sizeof *weights);
    while (zero < count && shapes[zero].full_percent < 0.0) {
        ++zero;
    }
    // Away from 0 on the side of `percent`, or on the other one where there is no shape on that side.
    int step = (percent > 0.0 && zero < count) || zero == 0 ? 1 : -1;
    int32_t i = step > 0 ? zero : zero - 1;
    int32_t last = step > 0 ? count - 1 : 0;
    if (i < 0 || i >= count) {
        return;
    }
    int32_t first = i;
    while (i != last && (percent - shapes[i].full_percent) * step >= 0.0) {
        i += step;
    }
    double before = i == first ? 0.0 : shapes[i - step].full_percent;
    double part = (percent - before) / (shapes[i].full_percent - before);
    if (!(fabs(part) <= MAX_WEIGHT)) {
        return; // two shapes at one percentage, or a number that is not finite
    }
    weights[i] = (float)part;
    if (i != first) {
        weights[i - step] = (float)(1.0 - part);
    }
}

// The displacements of one Shape, by control points.
struct GtiFbxShapeData {
    bool is_decoded;
    const int32_t* points; // [count]
    const float* offsets;  // [3 * count]
    const float* normals;  // [3 * count], or NULL
    const float* percents; // [count] by which offsets are multiplied, or NULL
    uint32_t count;
};

static GtiFbxShapeData read_shape(GtiFbxReader* reader, const GtiFbxShapeChannel* channel, int32_t i, GtResult* result)
{
    const GtiFbxNode* node = channel->shapes[i].node;
    GtiFbxShapeData shape = { .is_decoded = true };
    uint32_t offset_count = 0;
    uint32_t normal_count = 0;
    shape.points = gti_fbx_read_integers(reader, node, "Indexes", &shape.count, result);
    shape.offsets = gti_fbx_read_floats(reader, node, "Vertices", &offset_count, result);
    shape.normals = gti_fbx_read_floats(reader, node, "Normals", &normal_count, result);
    shape.count = offset_count / 3 < shape.count ? offset_count / 3 : shape.count;
    if (normal_count / 3 < shape.count) {
        shape.normals = NULL;
    }
    if (channel->point_percents && channel->point_percent_count == shape.count) {
        shape.percents = channel->point_percents;
    }
    return shape;
}

GtResult gti_fbx_decode_shapes(GtiFbxReader* reader, const GtiFbxGeometry* geometry, const GtiFbxShapeData** out)
{
    size_t count = (size_t)geometry->target_count;
    size_t limit = reader->arena.used + MOST_DECODED * reader->tree.size;
    GtiFbxShapeData* shapes = gt_arena_push_array(&reader->arena, count, sizeof *shapes);
    GtResult result = shapes ? GT_OK : gti_out_of_memory(reader->error);
    for (int32_t c = 0; c < geometry->channel_count && result == GT_OK; ++c) {
        const GtiFbxShapeChannel* channel = &geometry->channels[c];
        for (int32_t i = 0; i < channel->target_count && result == GT_OK && reader->arena.used < limit; ++i) {
            shapes[channel->first_target + i] = read_shape(reader, channel, i, &result);
        }
    }
    *out = shapes;
    return result;
}

static int compare_vertices(const void* a, const void* b)
{
    const uint64_t* x = a;
    const uint64_t* y = b;
    return (*x > *y) - (*x < *y);
}

// Which vertices a shape moves, in order, each with the number of its point in the shape; of a point that is there
// twice the last counts.
// @param numbers  [point_count] of UINT32_MAX, and again when it returns
// @param pairs    [vertices->count]
static uint32_t list_moved(const GtiFbxShapeData* shape, const GtiFbxGeometry* geometry, const GtiFbxVertices* vertices,
                           uint32_t* numbers, uint64_t* pairs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->count; ++i) {
        if ((uint32_t)shape->points[i] < geometry->point_count) {
            numbers[shape->points[i]] = i;
        }
    }
    if (shape->count >= vertices->count / SPARSE_PART) {
        for (uint32_t v = 0; v < vertices->count; ++v) {
            uint32_t number = numbers[vertices->points[v]];
            pairs[count] = (uint64_t)v << 32 | number;
            count += number != UINT32_MAX;
        }
    } else {
        for (uint32_t i = 0; i < shape->count; ++i) {
            uint32_t point = (uint32_t)shape->points[i];
            bool counts = point < geometry->point_count && numbers[point] == i;
            for (uint32_t v = counts ? vertices->last[point] : UINT32_MAX; v != UINT32_MAX; v = vertices->before[v]) {
                pairs[count++] = (uint64_t)v << 32 | i;
            }
        }
        if (count > 0) {
            qsort(pairs, count, sizeof *pairs, compare_vertices);
        }
    }
    for (uint32_t i = 0; i < shape->count; ++i) {
        if ((uint32_t)shape->points[i] < geometry->point_count) {
            numbers[shape->points[i]] = UINT32_MAX;
        }
    }
    return count;
}

// Bounds of sparse values, which are 0 elsewhere.
static void find_bounds(const float* values, uint32_t count, bool is_everywhere, double bounds[6])
{
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = is_everywhere ? values[k] : 0.0f;
    }
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < 3; ++k) {
            float value = values[3 * i + k];
            low[k] = value < low[k] ? value : low[k];
            high[k] = value > high[k] ? value : high[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        bounds[k] = (double)low[k];
        bounds[k + 3] = (double)high[k];
    }
}

// An accessor of displacements: indices, then values, in a blob of their own.
static GtResult add_sparse(GtiFbxReader* reader, const uint64_t* moved, uint32_t count, const float* source,
                           const float* percents, double scale, uint32_t vertex_count, int32_t* index)
{
    uint8_t* bytes = NULL;
    size_t rows = count > 0 ? count : 1; // glTF has no empty ones: one vertex is moved by nothing
    GtSparse* sparse = gt_scene_push(reader->scene, 1, sizeof *sparse);
    double* bounds = gt_scene_push(reader->scene, 6, sizeof *bounds);
    GtBlob* blob = gt_blob_create(gti_scene_allocator(reader->scene), rows * 16, &bytes);
    if (!sparse || !bounds || !blob) {
        gt_blob_release(blob);
        return gti_out_of_memory(reader->error);
    }
    if (count == 0) {
        memset(bytes, 0, rows * 16);
    }
    uint32_t* indices = (uint32_t*)bytes;
    float* values = (float*)(bytes + rows * 4);
    for (uint32_t i = 0; i < count; ++i) {
        indices[i] = (uint32_t)(moved[i] >> 32);
        double part = percents ? (double)percents[(uint32_t)moved[i]] * 0.01 : 1.0;
        for (int k = 0; k < 3; ++k) {
            double value = (double)source[(size_t)(uint32_t)moved[i] * 3 + (size_t)k] * scale * part;
            values[(size_t)i * 3 + (size_t)k] = fabs(value) <= 1e30 ? (float)value : 0.0f;
        }
    }
    find_bounds(values, (uint32_t)rows, rows == vertex_count, bounds);
    GtBuffer buffer = { .blob = blob };
    GtBufferView index_view = { .size = rows * 4 };
    GtBufferView value_view = { .offset = rows * 4, .size = rows * 12 };
    *sparse = (GtSparse){ .count = rows, .indices_type = GT_COMPONENT_UINT32 };
    GtResult result = gt_scene_add_buffer(reader->scene, &buffer, &index_view.buffer, reader->error);
    value_view.buffer = index_view.buffer;
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(reader->scene, &index_view, &sparse->indices_view, reader->error);
    }
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(reader->scene, &value_view, &sparse->values_view, reader->error);
    }
    GtAccessor accessor = { .view = GT_NONE,
                            .component_type = GT_COMPONENT_FLOAT,
                            .element_type = GT_ELEMENT_VEC3,
                            .count = vertex_count,
                            .min = bounds,
                            .max = bounds + 3,
                            .sparse = sparse };
    return result == GT_OK ? gt_scene_add_accessor(reader->scene, &accessor, index, reader->error) : result;
}

// A primitive on its way to targets, with scratch for list_moved().
typedef struct TargetBuilder {
    GtiFbxReader* reader;
    const GtiFbxGeometry* geometry;
    const GtiFbxVertices* vertices;
    uint32_t* numbers;
    uint64_t* pairs;
} TargetBuilder;

static GtResult add_target(const TargetBuilder* b, const GtiFbxShapeData* shape, GtMorphTarget* target)
{
    GtiFbxReader* reader = b->reader;
    uint32_t vertex_count = b->vertices->count;
    GtAttribute* attributes = gt_scene_push(reader->scene, 2, sizeof *attributes);
    if (!attributes) {
        return gti_out_of_memory(reader->error);
    }
    uint32_t count = list_moved(shape, b->geometry, b->vertices, b->numbers, b->pairs);
    *target = (GtMorphTarget){ .attributes = attributes, .attribute_count = 1 };
    attributes[0].name = "POSITION";
    GtResult result = add_sparse(reader, b->pairs, count, shape->offsets, shape->percents, reader->metres_per_unit,
                                 vertex_count, &attributes[0].accessor);
    if (result == GT_OK && b->vertices->has_normals && b->geometry->shapes_have_normals) {
        attributes[1].name = "NORMAL";
        result = add_sparse(reader, b->pairs, shape->normals ? count : 0, shape->normals, shape->percents, 1.0,
                            vertex_count, &attributes[1].accessor);
        target->attribute_count = 2;
    }
    return result;
}

static GtResult add_all_targets(const TargetBuilder* b, const GtiFbxShapeData* shapes, GtMorphTarget* targets)
{
    GtArena* arena = &b->reader->arena;
    GtResult result = GT_OK;
    memset(b->numbers, 0xFF, (size_t)b->geometry->point_count * sizeof *b->numbers);
    for (int32_t c = 0; c < b->geometry->channel_count && result == GT_OK; ++c) {
        const GtiFbxShapeChannel* channel = &b->geometry->channels[c];
        for (int32_t i = 0; i < channel->target_count && result == GT_OK; ++i) {
            GtArenaMark mark = gt_arena_mark(arena);
            int32_t t = channel->first_target + i;
            bool is_decoded = shapes && shapes[t].is_decoded;
            GtiFbxShapeData shape = is_decoded ? shapes[t] : read_shape(b->reader, channel, i, &result);
            if (result == GT_OK) {
                result = add_target(b, &shape, &targets[t]);
            }
            gt_arena_reset(arena, mark);
        }
    }
    return result;
}

GtResult gti_fbx_add_targets(GtiFbxReader* reader, const GtiFbxGeometry* geometry, const GtiFbxShapeData* shapes,
                             const GtiFbxVertices* vertices, GtPrimitive* primitive)
{
    if (geometry->target_count == 0) {
        return GT_OK;
    }
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    TargetBuilder b = { .reader = reader, .geometry = geometry, .vertices = vertices };
    b.numbers = gt_arena_push(&reader->arena, (size_t)geometry->point_count * sizeof *b.numbers);
    b.pairs = gt_arena_push(&reader->arena, (size_t)vertices->count * sizeof *b.pairs + 1);
    GtMorphTarget* targets = gt_scene_push(reader->scene, (size_t)geometry->target_count, sizeof *targets);
    bool ok = b.numbers && b.pairs && targets;
    GtResult result = ok ? add_all_targets(&b, shapes, targets) : gti_out_of_memory(reader->error);
    gt_arena_reset(&reader->arena, mark);
    primitive->targets = targets;
    return result;
}

// A channel's name; its shapes in between have their percentage behind it.
static const char* target_name(GtiFbxReader* reader, const GtiFbxShapeChannel* channel, int32_t i)
{
    char suffix[32] = "";
    if (i + 1 < channel->target_count) {
        gti_format(suffix, sizeof suffix, "_%.0f", channel->shapes[i].full_percent);
    }
    bool repaired = false;
    GtiSlice name = channel->name.length > 0 ? channel->name : channel->shapes[i].name;
    return gti_push_name(reader->scene, name.text, name.length, suffix, &repaired);
}

// Blender writes DeformPercent as a node of its own instead of a property.
double gti_fbx_channel_percent(const GtiFbxReader* reader, const GtiFbxShapeChannel* channel)
{
    double percent = gti_fbx_property_number_of(&reader->graph, channel->object, channel->property, 0.0);
    const GtiFbxNode* node = gti_fbx_find(reader->graph.objects[channel->object].node, "DeformPercent");
    if (percent == 0.0 && node) {
        gti_fbx_number(gti_fbx_value(&reader->tree, node, 0), &percent);
    }
    return percent;
}

GtResult gti_fbx_name_targets(GtiFbxReader* reader, const GtiFbxGeometry* geometry, GtMesh* mesh)
{
    if (geometry->target_count == 0) {
        return GT_OK;
    }
    const char** names = gt_scene_push(reader->scene, (size_t)geometry->target_count, sizeof *names);
    float* weights = gt_scene_push(reader->scene, (size_t)geometry->target_count, sizeof *weights);
    bool ok = names && weights;
    for (int32_t c = 0; c < geometry->channel_count && ok; ++c) {
        const GtiFbxShapeChannel* channel = &geometry->channels[c];
        double percent = gti_fbx_channel_percent(reader, channel);
        gti_fbx_channel_weights(channel, percent, weights + channel->first_target);
        for (int32_t i = 0; i < channel->target_count && ok; ++i) {
            names[channel->first_target + i] = target_name(reader, channel, i);
            ok = names[channel->first_target + i];
        }
    }
    mesh->target_names = names;
    mesh->weights = weights;
    mesh->target_count = mesh->weight_count = geometry->target_count;
    return ok ? GT_OK : gti_out_of_memory(reader->error);
}
