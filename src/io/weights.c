// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Repairing skin weights that are NaN, infinite or negative in sum. Exporters write them where they divide by a sum of
// 0, so most such vertices have no weight left: they take the mean of their neighbours' weights, layer by layer from
// the vertices that have some. Time and memory are in proportion to the mesh.

#include "io/weights.h"

#include "base/fail.h"
#include "base/memory.h"
#include "gertie/accessor.h"
#include "gertie/character.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SETS = GT_MAX_INFLUENCES / 4,
    MOST_MERGED = 64,  // joints that the neighbours of one vertex can bring together
    MOST_LOOKS = 4096, // candidates for the nearest vertex that are looked at on each side
};

static const char* const joint_names[MAX_SETS] = { "JOINTS_0", "JOINTS_1", "JOINTS_2", "JOINTS_3" };
static const char* const weight_names[MAX_SETS] = { "WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2", "WEIGHTS_3" };

typedef struct RepairedInfluence {
    uint32_t joint;
    float weight;
} RepairedInfluence;

// The influences of one primitive, and of those that share its weights.
typedef struct WeightRepair {
    const GtContext* context;
    GtScene* scene;
    GtError* error;
    GtArena* scratch;
    const GtMesh* mesh;
    const GtPrimitive* primitive;
    int32_t joints[MAX_SETS], weights[MAX_SETS]; // accessors
    int32_t set_count;
    size_t vertex_count, width; // width: influences a vertex has
    RepairedInfluence* values;  // [vertex_count * width]
    int32_t* layers;            // [vertex_count] 0 with weight, GT_NONE without, else how far from a vertex with weight
    size_t bad_count, empty_count;
    size_t* firsts;      // [vertex_count + 1] into neighbours
    int32_t* neighbours; // of the vertices that have no weight
} WeightRepair;

static void find_sets(WeightRepair* r)
{
    r->set_count = 0;
    for (int i = 0; i < MAX_SETS; ++i) {
        int32_t joints = gt_primitive_find(r->primitive, joint_names[i]);
        int32_t weights = gt_primitive_find(r->primitive, weight_names[i]);
        if (joints != GT_NONE && weights != GT_NONE) {
            r->joints[r->set_count] = joints;
            r->weights[r->set_count++] = weights;
        }
    }
    r->vertex_count = r->set_count ? (size_t)r->scene->accessors[r->weights[0]].count : 0;
    r->width = (size_t)r->set_count * 4;
}

static GtResult read_influences(WeightRepair* r)
{
    r->values = gt_arena_push_array(r->scratch, r->vertex_count * r->width, sizeof *r->values);
    uint32_t* joints = gt_arena_push_array(r->scratch, r->vertex_count * 4, sizeof *joints);
    float* weights = gt_arena_push_array(r->scratch, r->vertex_count * 4, sizeof *weights);
    r->layers = gt_arena_push_array(r->scratch, r->vertex_count, sizeof *r->layers);
    if (!r->values || !joints || !weights || !r->layers) {
        return gti_out_of_memory(r->error);
    }
    for (int32_t s = 0; s < r->set_count; ++s) {
        gt_accessor_read_uints(r->scene, r->joints[s], 0, r->vertex_count, joints);
        gt_accessor_read_floats(r->scene, r->weights[s], 0, r->vertex_count, weights);
        for (size_t i = 0; i < r->vertex_count * 4; ++i) {
            r->values[i / 4 * r->width + (size_t)s * 4 + i % 4] = (RepairedInfluence){ joints[i], weights[i] };
        }
    }
    return GT_OK;
}

// Scale to a sum of 1; negative weights count as none. false where there is nothing to scale.
static bool normalise(RepairedInfluence* list, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; ++k) {
        bool counts = list[k].weight > 0.0f && list[k].weight <= FLT_MAX;
        list[k] = counts ? list[k] : (RepairedInfluence){ 0, 0.0f };
        sum += (double)list[k].weight;
    }
    for (size_t k = 0; k < count && sum > 0.0; ++k) {
        list[k].weight = (float)((double)list[k].weight / sum);
    }
    return sum > 0.0;
}

// Keep what is left of each vertex that has a bad weight. Other vertices stay as they are.
static void keep_sound_weights(WeightRepair* r)
{
    r->bad_count = r->empty_count = 0;
    for (size_t v = 0; v < r->vertex_count; ++v) {
        RepairedInfluence* own = r->values + v * r->width;
        bool has_weight = false;
        bool has_negative = false;
        double sum = 0.0;
        for (size_t k = 0; k < r->width; ++k) {
            has_weight |= own[k].weight > 0.0f;
            has_negative |= own[k].weight < 0.0f;
            sum += (double)own[k].weight;
        }
        bool is_bad = !isfinite(sum) || (has_negative && sum <= 0.0);
        if (is_bad) {
            has_weight = normalise(own, r->width);
            ++r->bad_count;
            r->empty_count += !has_weight;
        }
        if (has_weight) {
            r->layers[v] = 0;
        } else {
            r->layers[v] = is_bad ? GT_NONE : INT32_MAX; // finite zeros are neither repaired nor copied from
        }
    }
}

// Call `visit` for each triangle of the primitives that share the weights.
static GtResult walk_triangles(WeightRepair* r, void (*visit)(WeightRepair* r, const uint32_t corners[3]))
{
    for (int32_t p = 0; p < r->mesh->primitive_count; ++p) {
        const GtPrimitive* primitive = &r->mesh->primitives[p];
        bool has_triangles = primitive->mode >= GT_MODE_TRIANGLES;
        if (!has_triangles || gt_primitive_find(primitive, weight_names[0]) != r->weights[0]) {
            continue;
        }
        bool indexed = primitive->indices != GT_NONE;
        size_t count = indexed ? (size_t)r->scene->accessors[primitive->indices].count : r->vertex_count;
        GtArenaMark mark = gt_arena_mark(r->scratch);
        uint32_t* indices = gt_arena_push_array(r->scratch, indexed ? count : 1, sizeof *indices);
        if (!indices) {
            return gti_out_of_memory(r->error);
        }
        if (indexed) {
            gt_accessor_read_uints(r->scene, primitive->indices, 0, count, indices);
        }
        size_t step = primitive->mode == GT_MODE_TRIANGLES ? 3 : 1;
        for (size_t i = 0; i + 2 < count; i += step) {
            size_t at[3] = { primitive->mode == GT_MODE_TRIANGLE_FAN ? 0 : i, i + 1, i + 2 };
            uint32_t corners[3];
            for (int k = 0; k < 3; ++k) {
                corners[k] = indexed ? indices[at[k]] : (uint32_t)at[k];
            }
            visit(r, corners);
        }
        gt_arena_reset(r->scratch, mark);
    }
    return GT_OK;
}

static void count_neighbours(WeightRepair* r, const uint32_t corners[3])
{
    for (int k = 0; k < 3; ++k) {
        r->firsts[corners[k] + 1] += r->layers[corners[k]] == GT_NONE ? 2 : 0;
    }
}

static void list_neighbours(WeightRepair* r, const uint32_t corners[3])
{
    for (int k = 0; k < 3; ++k) {
        uint32_t v = corners[k];
        if (r->layers[v] == GT_NONE) {
            r->neighbours[r->firsts[v]++] = (int32_t)corners[(k + 1) % 3];
            r->neighbours[r->firsts[v]++] = (int32_t)corners[(k + 2) % 3];
        }
    }
}

static GtResult find_neighbours(WeightRepair* r)
{
    r->firsts = gt_arena_push_array(r->scratch, r->vertex_count + 1, sizeof *r->firsts);
    if (!r->firsts) {
        return gti_out_of_memory(r->error);
    }
    memset(r->firsts, 0, (r->vertex_count + 1) * sizeof *r->firsts);
    GtResult result = walk_triangles(r, count_neighbours);
    for (size_t v = 0; v < r->vertex_count; ++v) {
        r->firsts[v + 1] += r->firsts[v];
    }
    r->neighbours = gt_arena_push_array(r->scratch, r->firsts[r->vertex_count], sizeof *r->neighbours);
    if (result == GT_OK && !r->neighbours) {
        result = gti_out_of_memory(r->error);
    }
    if (result == GT_OK) {
        result = walk_triangles(r, list_neighbours);
    }
    for (size_t v = r->vertex_count; v > 0; --v) { // listing has moved each start to its end
        r->firsts[v] = r->firsts[v - 1];
    }
    r->firsts[0] = 0;
    return result;
}

static int compare_weights(const void* left, const void* right)
{
    const RepairedInfluence* a = left;
    const RepairedInfluence* b = right;
    if (a->weight != b->weight) {
        return a->weight < b->weight ? 1 : -1;
    }
    return (a->joint > b->joint) - (a->joint < b->joint);
}

// The mean of the neighbours in earlier layers, its heaviest joints.
static void take_mean(WeightRepair* r, int32_t vertex, int32_t layer)
{
    RepairedInfluence list[MOST_MERGED];
    size_t count = 0;
    for (size_t n = r->firsts[vertex]; n < r->firsts[vertex + 1]; ++n) {
        int32_t from = r->layers[r->neighbours[n]];
        const RepairedInfluence* other = r->values + (size_t)r->neighbours[n] * r->width;
        for (size_t k = 0; from >= 0 && from < layer && k < r->width; ++k) {
            size_t at = 0;
            while (at < count && list[at].joint != other[k].joint) {
                ++at;
            }
            if (at == MOST_MERGED || !(other[k].weight > 0.0f)) {
                continue;
            }
            if (at == count) {
                list[count++] = (RepairedInfluence){ other[k].joint, 0.0f };
            }
            list[at].weight += fminf(other[k].weight, 1.0f);
        }
    }
    qsort(list, count, sizeof *list, compare_weights);
    count = count < r->width ? count : r->width;
    memcpy(r->values + (size_t)vertex * r->width, list, count * sizeof *list);
    normalise(r->values + (size_t)vertex * r->width, r->width);
}

static bool touches_layer(const WeightRepair* r, size_t vertex, int32_t layer)
{
    for (size_t n = r->firsts[vertex]; n < r->firsts[vertex + 1]; ++n) {
        if (r->layers[r->neighbours[n]] == layer) {
            return true;
        }
    }
    return false;
}

// From vertices with weight outwards, a layer at a time.
static GtResult ask_neighbours(WeightRepair* r)
{
    int32_t* queue = gt_arena_push_array(r->scratch, r->empty_count, sizeof *queue);
    if (!queue) {
        return gti_out_of_memory(r->error);
    }
    size_t end = 0;
    for (size_t v = 0; v < r->vertex_count; ++v) {
        if (r->layers[v] == GT_NONE && touches_layer(r, v, 0)) {
            queue[end++] = (int32_t)v;
        }
    }
    size_t start = 0;
    for (int32_t layer = 1; start < end; ++layer) {
        size_t layer_end = end;
        for (size_t i = start; i < layer_end; ++i) {
            r->layers[queue[i]] = layer;
        }
        for (size_t i = start; i < layer_end; ++i) {
            take_mean(r, queue[i], layer);
            for (size_t n = r->firsts[queue[i]]; n < r->firsts[queue[i] + 1]; ++n) {
                int32_t next = r->neighbours[n];
                if (r->layers[next] == GT_NONE) {
                    r->layers[next] = layer + 1; // so that it is queued once; take_mean() asks earlier layers alone
                    queue[end++] = next;
                }
            }
        }
        start = layer_end;
    }
    return GT_OK;
}

typedef struct PlacedVertex {
    float along; // the axis on which the mesh is longest
    int32_t vertex;
} PlacedVertex;

static int compare_places(const void* left, const void* right)
{
    const PlacedVertex* a = left;
    const PlacedVertex* b = right;
    if (a->along != b->along) {
        return a->along < b->along ? -1 : 1;
    }
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static double square_distance(const float* a, const float* b)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        double d = (double)a[i] - (double)b[i];
        sum += d * d;
    }
    return sum;
}

static int longest_axis(const float* positions, size_t count)
{
    int longest = 0;
    float extent = -1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY;
        float high = -INFINITY;
        for (size_t v = 0; v < count; ++v) {
            low = fminf(low, positions[3 * v + (size_t)axis]);
            high = fmaxf(high, positions[3 * v + (size_t)axis]);
        }
        if (high - low > extent) {
            extent = high - low;
            longest = axis;
        }
    }
    return longest;
}

// Outwards from the place on the longest axis, until that alone is farther than the best.
static int32_t nearest_vertex(const PlacedVertex* placed, size_t count, const float* positions, int axis, size_t vertex)
{
    const float* own = positions + 3 * vertex;
    size_t low = 0;
    for (size_t high = count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (placed[middle].along < own[axis]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    int32_t best = GT_NONE;
    double distance = INFINITY;
    for (int side = 0; side < 2; ++side) {
        for (size_t look = 0; look < MOST_LOOKS; ++look) {
            if (side ? look >= low : low + look >= count) {
                break;
            }
            const PlacedVertex* other = &placed[side ? low - 1 - look : low + look];
            double gap = (double)other->along - (double)own[axis];
            if (gap * gap > distance) {
                break;
            }
            double there = square_distance(own, positions + 3 * (size_t)other->vertex);
            if (there < distance || best == GT_NONE) {
                distance = there;
                best = other->vertex;
            }
        }
    }
    return best;
}

// What no triangle joins to a vertex with weight.
static GtResult ask_nearest(WeightRepair* r)
{
    int32_t accessor = gt_primitive_find(r->primitive, "POSITION");
    float* positions = gt_arena_push_array(r->scratch, r->vertex_count * 3, sizeof *positions);
    PlacedVertex* placed = gt_arena_push_array(r->scratch, r->vertex_count, sizeof *placed);
    if (!positions || !placed) {
        return gti_out_of_memory(r->error);
    }
    if (accessor != GT_NONE) {
        gt_accessor_read_floats(r->scene, accessor, 0, r->vertex_count, positions);
    }
    int axis = longest_axis(positions, r->vertex_count);
    size_t count = 0;
    for (size_t v = 0; v < r->vertex_count && accessor != GT_NONE; ++v) {
        if (r->layers[v] == 0) {
            placed[count++] = (PlacedVertex){ positions[3 * v + (size_t)axis], (int32_t)v };
        }
    }
    qsort(placed, count, sizeof *placed, compare_places);
    for (size_t v = 0; v < r->vertex_count; ++v) {
        if (r->layers[v] == GT_NONE) {
            RepairedInfluence* own = r->values + v * r->width;
            int32_t from = nearest_vertex(placed, count, positions, axis, v);
            if (from == GT_NONE) {
                own[0] = (RepairedInfluence){ 0, 1.0f };
            } else {
                memcpy(own, r->values + (size_t)from * r->width, r->width * sizeof *own);
                normalise(own, r->width);
            }
        }
    }
    return GT_OK;
}

// Give an accessor data of its own.
static GtResult replace_data(WeightRepair* r, int32_t accessor, GtComponentType type, const void* data)
{
    GtScene* scene = r->scene;
    int32_t added = GT_NONE;
    GtResult result =
        gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, type, data, r->vertex_count, &added, r->error);
    if (result == GT_OK) {
        GtAccessor* old = &scene->accessors[accessor];
        GtAccessor repaired = scene->accessors[added];
        repaired.name = old->name;
        repaired.extra = old->extra;
        *old = repaired;
        --scene->accessor_count;
    }
    return result;
}

static GtResult write_back(WeightRepair* r)
{
    float* weights = gt_arena_push_array(r->scratch, r->vertex_count * 4, sizeof *weights);
    uint16_t* joints = gt_arena_push_array(r->scratch, r->vertex_count * 4, sizeof *joints);
    if (!weights || !joints) {
        return gti_out_of_memory(r->error);
    }
    GtResult result = GT_OK;
    for (int32_t s = 0; s < r->set_count && result == GT_OK; ++s) {
        for (size_t i = 0; i < r->vertex_count * 4; ++i) {
            RepairedInfluence value = r->values[i / 4 * r->width + (size_t)s * 4 + i % 4];
            weights[i] = value.weight;
            joints[i] = (uint16_t)value.joint;
        }
        result = replace_data(r, r->weights[s], GT_COMPONENT_FLOAT, weights);
        if (result == GT_OK) {
            result = replace_data(r, r->joints[s], GT_COMPONENT_UINT16, joints);
        }
    }
    return result;
}

static GtResult repair_primitive(WeightRepair* r)
{
    GtResult (*const steps[])(WeightRepair*) = { find_neighbours, ask_neighbours, ask_nearest };
    find_sets(r);
    if (r->set_count == 0) {
        return GT_OK;
    }
    GtResult result = read_influences(r);
    if (result == GT_OK) {
        keep_sound_weights(r);
    }
    if (result != GT_OK || r->bad_count == 0) {
        return result;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps && r->empty_count > 0 && result == GT_OK; ++i) {
        result = steps[i](r);
    }
    return result == GT_OK ? write_back(r) : result;
}

GtResult gti_repair_weights(const GtContext* context, GtScene* scene, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = GT_OK;
    size_t bad_count = 0;
    size_t empty_count = 0;
    char where[80] = "";
    for (int32_t m = 0; m < scene->mesh_count && result == GT_OK; ++m) {
        for (int32_t p = 0; p < scene->meshes[m].primitive_count && result == GT_OK; ++p) {
            GtArenaMark mark = gt_arena_mark(&scratch);
            WeightRepair r = { .context = context,
                               .scene = scene,
                               .error = error,
                               .scratch = &scratch,
                               .mesh = &scene->meshes[m],
                               .primitive = &scene->meshes[m].primitives[p] };
            result = repair_primitive(&r);
            if (r.bad_count > 0 && bad_count == 0) {
                snprintf(where, sizeof where, "meshes[%d].primitives[%d].attributes.WEIGHTS_0", (int)m, (int)p);
            }
            bad_count += r.bad_count;
            empty_count += r.empty_count;
            gt_arena_reset(&scratch, mark);
        }
    }
    gt_arena_destroy(&scratch);
    if (result == GT_OK && bad_count > 0) {
        result = gti_repair(context, error, scene->source.file, where,
                            "%zu vertices have skin weights that are negative or not numbers; those weights are "
                            "dropped, and %zu vertices without any other weight follow their neighbours",
                            bad_count, empty_count);
    }
    return result;
}
