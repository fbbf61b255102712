// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints and weights of a skinned primitive. Files break every rule here: sums of 0.25, one joint twice, no weight at
// all, more influences than anyone reads. Each vertex comes out with at most max_influences joints, heaviest first, and
// a sum of 1; what that took is counted and said.

#include "build/primitive.h"

#include "base/fail.h"

#include <float.h>
#include <math.h>

enum {
    MAX_SETS = GT_MAX_INFLUENCES / 4,
    CHUNK = 256 // vertices read at a time
};

typedef struct Influence {
    uint32_t joint;
    double weight;
} Influence;

// The sets of a primitive, as they are in the file.
typedef struct Sets {
    int32_t count;
    int32_t joints[MAX_SETS];       // accessors
    const float* weights[MAX_SETS]; // [vertex_count * 4]
} Sets;

// Where they go: `width` slots a vertex.
typedef struct Slots {
    uint16_t* joints;
    float* weights;
} Slots;

// What was found in one primitive.
typedef struct Tally {
    int32_t pruned;
    int32_t renormalized;
    int32_t unweighted;
    double worst_pruned; // part of a vertex's weight
    double worst_sum;    // farthest from 1
} Tally;

static GtResult find_sets(GtiDecoder* decoder, const GtPrimitive* primitive, const char* where, Sets* sets)
{
    static const char* const joint_names[MAX_SETS + 1] = { "JOINTS_0", "JOINTS_1", "JOINTS_2", "JOINTS_3", "JOINTS_4" };
    static const char* const weight_names[MAX_SETS] = { "WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2", "WEIGHTS_3" };
    sets->count = 0;
    for (int i = 0; i < MAX_SETS; ++i) {
        int32_t joints = gt_primitive_find(primitive, joint_names[i]);
        int32_t weights = gt_primitive_find(primitive, weight_names[i]);
        if (joints == GT_NONE || weights == GT_NONE) {
            continue;
        }
        GtResult result = gti_decode_floats(decoder, weights, where, &sets->weights[sets->count]);
        if (result != GT_OK) {
            return result;
        }
        sets->joints[sets->count++] = joints;
    }
    if (gt_primitive_find(primitive, joint_names[MAX_SETS]) == GT_NONE) {
        return GT_OK;
    }
    return gti_repair(decoder->context, decoder->error, decoder->scene->source.file, where,
                      "has more than %d influences a vertex; the rest is left out", GT_MAX_INFLUENCES);
}

static void add(Influence* list, int32_t* count, uint32_t joint, float weight)
{
    if (!(weight > 0.0f && weight <= FLT_MAX)) {
        return;
    }
    int32_t at = 0;
    while (at < *count && list[at].joint != joint) {
        ++at;
    }
    if (at == *count) {
        list[(*count)++] = (Influence){ joint, 0.0 };
    }
    list[at].weight += (double)weight;
}

// By insertion, so that equal weights keep the file's order.
static void sort_heaviest_first(Influence* list, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        Influence moving = list[i];
        int32_t at = i;
        for (; at > 0 && list[at - 1].weight < moving.weight; --at) {
            list[at] = list[at - 1];
        }
        list[at] = moving;
    }
}

// Cut and normalise one vertex's list; returns how many are left, at least 1.
static int32_t settle(Influence* list, int32_t count, int32_t max_influences, Tally* tally)
{
    double sum = 0.0;
    double kept = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        sum += list[i].weight;
    }
    if (!(sum > 0.0)) {
        ++tally->unweighted;
        list[0] = (Influence){ 0, 1.0 };
        return 1;
    }
    if (!(fabs(sum - 1.0) <= 1e-3)) {
        ++tally->renormalized;
        if (fabs(sum - 1.0) > fabs(tally->worst_sum - 1.0)) {
            tally->worst_sum = sum;
        }
    }
    sort_heaviest_first(list, count);
    int32_t left = count < max_influences ? count : max_influences;
    for (int32_t i = 0; i < left; ++i) {
        kept += list[i].weight;
    }
    if (left < count) {
        double lost = 1.0 - kept / sum;
        ++tally->pruned;
        tally->worst_pruned = lost > tally->worst_pruned ? lost : tally->worst_pruned;
    }
    for (int32_t i = 0; i < left; ++i) {
        list[i].weight /= kept;
    }
    return left;
}

// Rows of `wide` slots become rows of `narrow` ones, in place.
static void narrow_rows(Slots slots, int32_t vertex_count, int32_t wide, int32_t narrow)
{
    for (size_t i = 0; wide != narrow && i < (size_t)vertex_count; ++i) {
        for (size_t k = 0; k < (size_t)narrow; ++k) {
            slots.joints[i * (size_t)narrow + k] = slots.joints[i * (size_t)wide + k];
            slots.weights[i * (size_t)narrow + k] = slots.weights[i * (size_t)wide + k];
        }
    }
}

// One vertex; `joints` holds its four of every set. Returns how many of its slots are used.
static int32_t fill_vertex(const Sets* sets, uint32_t joints[MAX_SETS][CHUNK * 4], size_t in_chunk, size_t vertex,
                           int32_t width, Slots out, Tally* tally)
{
    Influence list[GT_MAX_INFLUENCES];
    int32_t count = 0;
    for (int32_t s = 0; s < sets->count; ++s) {
        for (size_t k = 0; k < 4; ++k) {
            add(list, &count, joints[s][in_chunk * 4 + k], sets->weights[s][vertex * 4 + k]);
        }
    }
    count = settle(list, count, width, tally);
    for (int32_t k = 0; k < count; ++k) { // slots behind stay joint 0, weight 0
        size_t slot = vertex * (size_t)width + (size_t)k;
        out.joints[slot] = (uint16_t)list[k].joint;
        out.weights[slot] = (float)list[k].weight;
    }
    return count;
}

static int32_t fill(const GtScene* scene, const Sets* sets, int32_t vertex_count, int32_t width, Slots out,
                    Tally* tally)
{
    uint32_t joints[MAX_SETS][CHUNK * 4];
    int32_t widest = 1;
    for (int32_t first = 0; first < vertex_count; first += CHUNK) {
        int32_t count = vertex_count - first < CHUNK ? vertex_count - first : CHUNK;
        for (int32_t s = 0; s < sets->count; ++s) {
            gt_accessor_read_uints(scene, sets->joints[s], (uint64_t)first, (uint64_t)count, joints[s]);
        }
        for (int32_t i = 0; i < count; ++i) {
            int32_t used = fill_vertex(sets, joints, (size_t)i, (size_t)(first + i), width, out, tally);
            widest = used > widest ? used : widest;
        }
    }
    return widest;
}

static GtResult tell(GtiDecoder* decoder, const Tally* tally, int32_t vertex_count, int32_t max_influences,
                     const char* where, GtBuildReport* report)
{
    report->pruned_vertices += tally->pruned;
    report->renormalized_vertices += tally->renormalized;
    report->unweighted_vertices += tally->unweighted;
    if ((float)tally->worst_pruned > report->max_pruned_weight) {
        report->max_pruned_weight = (float)tally->worst_pruned;
    }
    GtResult result = GT_OK;
    if (tally->unweighted) {
        result = gti_repair(decoder->context, decoder->error, decoder->scene->source.file, where,
                            "%d of %d vertices have no weight; they follow the skin's first joint", tally->unweighted,
                            vertex_count);
    }
    if (result == GT_OK && tally->renormalized) {
        result = gti_repair(decoder->context, decoder->error, decoder->scene->source.file, where,
                            "weights of %d of %d vertices do not sum to 1 (one to %.3g); they are scaled to do so",
                            tally->renormalized, vertex_count, tally->worst_sum);
    }
    if (result == GT_OK && tally->pruned) {
        gti_warn(decoder->context, decoder->scene->source.file, where,
                 "%d of %d vertices were reduced to %d influences; one lost %.3g of its weight", tally->pruned,
                 vertex_count, max_influences, tally->worst_pruned);
    }
    return result;
}

GtResult gti_decode_influences(GtiDecoder* decoder, const GtPrimitive* primitive, int32_t max_influences,
                               const char* where, GtMeshDef* mesh, GtBuildReport* report)
{
    Sets sets;
    GtResult result = find_sets(decoder, primitive, where, &sets);
    if (result != GT_OK) {
        return result;
    }
    int32_t width = sets.count * 4 < max_influences ? sets.count * 4 : max_influences;
    width = width < 1 ? 1 : width;
    uint64_t slots = (uint64_t)mesh->vertex_count * (uint64_t)width;
    void* joints = NULL;
    void* weights = NULL;
    result = gti_decoder_push(decoder, slots, sizeof(uint16_t), where, &joints);
    if (result == GT_OK) {
        result = gti_decoder_push(decoder, slots, sizeof(float), where, &weights);
    }
    if (result != GT_OK) {
        return result;
    }
    Slots out = { joints, weights };
    Tally tally = { .worst_sum = 1.0 };
    int32_t widest = fill(decoder->scene, &sets, mesh->vertex_count, width, out, &tally);
    narrow_rows(out, mesh->vertex_count, width, widest);
    mesh->influence_count = widest;
    mesh->joints = joints;
    mesh->weights = weights;
    return tell(decoder, &tally, mesh->vertex_count, max_influences, where, report);
}
