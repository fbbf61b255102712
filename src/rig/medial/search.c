// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The discrete embedding of Baran and Popovic 2007, section 3.3, with penalties of our own after theirs: bones that are
// too short or too long, that point elsewhere, ends that are no ends, forks that are not in the thick of the body or
// not on its middle plane, feet above the ground; and between knots: pairs of unlike length or place, ways that share
// spheres. Those of one bone alone make a tree, whose cheapest embedding below every knot and sphere dynamic
// programming finds; it is the lower bound by which a depth-first search over the rest prunes.

#include "rig/medial/search.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_WEIGHT       0.8f
#define LONG_WEIGHT        0.4f // less, since ways are never straight
#define DIRECTION_WEIGHT   0.7f
#define END_WEIGHT         4.0f
#define END_MOST           0.5f
#define CROWN_MOST         0.25f // ears are beyond a head, and it is an end still
#define SLIDE_LEAST        0.02f // in heights, that an end comes farther by going on to a sphere near it
#define SLIDE_REACH        0.22f // in heights, at a time
#define SLIDE_SYMMETRY     0.8f  // of bodies whose ends are pairs
#define SLIDE_OFF          0.04f // in heights, that ends of a pair may be from mirroring each other
#define SLIDE_PAIR         0.3f  // in heights, before they slid
#define PLANE_WIDTH        0.05f // in heights
#define PLANE_WEIGHT       0.3f
#define PLACE_WIDTH        0.15f // in heights: how far a fork may be from where it is in the skeleton as given
#define PLACE_WEIGHT       0.1f
#define THICK_WEIGHT       1.0f
#define THICK_RADIUS       0.06f // in heights, where forks are welcome
#define THICK_RATIO        0.6f  // or of the largest sphere, where all are small
#define LEVEL_HEIGHT       0.12f // ends of the given skeleton below it stand on the ground
#define GROUND_WEIGHT      1.0f
#define TOP_WEIGHT         0.5f // of ends that are at the top
#define SIDE_WEIGHT        2.0f
#define TWIN_LENGTH_WEIGHT 4.0f
#define TWIN_PLACE_WIDTH   0.15f // in heights
#define TWIN_PLACE_WEIGHT  0.5f
#define TWIN_PLACE_MOST    3.0f // times that width; farther off is no worse
#define SHARE_WEIGHT       4.0f
#define CROWD_WEIGHT       2.0f
#define CROWD_RATIO        0.18f // of both limbs: ends that are nearer than that crowd
#define VISIT_MOST         300000

typedef struct Choice {
    int32_t sphere;
    float cost; // of the bone and, at least, of all below
} Choice;

typedef struct Search {
    const GtiSearchDef* def;
    const GtiSphereGraph* graph;
    const GtiMedialTree* tree;
    GtArena* scratch;
    float thick;      // radius of spheres that are thick enough for a fork
    float* logs[2];   // [count * count] of the lengths of ways
    float* bounds;    // [knot_count * count] cheapest embedding of a knot at a sphere, and of all below it
    float* bones;     // [knot_count * count * count] of a bone from row to column, with the bound of the latter
    Choice** choices; // [knot_count * count] by cost, for each sphere of the parent; NULL until asked for
    int32_t order[GTI_KNOT_MOST];
    int32_t at[GTI_KNOT_MOST]; // spheres chosen so far
    int32_t cursors[GTI_KNOT_MOST];
    float costs[GTI_KNOT_MOST + 1]; // lower bound after that many choices
    uint8_t* used;                  // how many ways pass a sphere
    GtiSearchResult* out;
} Search;

static float square(float x)
{
    return x * x;
}

static float row_value(const Search* s, const float* table, int32_t from, int32_t to)
{
    return table[(size_t)from * (size_t)s->graph->count + (size_t)to];
}

static float knot_cost(const Search* s, int32_t k, int32_t i)
{
    const GtiMedialKnot* knot = &s->tree->knots[k];
    const GtiSphere* sphere = &s->graph->spheres[i];
    if (s->def->pins[k] != GT_NONE) {
        return s->def->pins[k] == i ? 0.0f : INFINITY;
    }
    float cost = 0.0f;
    if (knot->mirror == k) {
        cost += PLANE_WEIGHT * (0.2f + s->def->symmetry) * square(sphere->center.x / PLANE_WIDTH);
    } else {
        float side = knot->position.x >= 0.0f ? sphere->center.x : -sphere->center.x;
        cost += knot->mirror != GT_NONE && side < 0.0f ? SIDE_WEIGHT * square(fminf(-side / PLANE_WIDTH, 1.0f)) : 0.0f;
    }
    if (knot->is_leaf) {
        if (knot->position.y < LEVEL_HEIGHT) {
            cost += GROUND_WEIGHT * square(fmaxf(sphere->center.y - sphere->radius, 0.0f) / LEVEL_HEIGHT);
        } else if (knot->position.y > 1.0f - 0.5f * LEVEL_HEIGHT) {
            cost += TOP_WEIGHT * square(fmaxf(1.0f - sphere->center.y - sphere->radius, 0.0f) / LEVEL_HEIGHT);
        }
    } else {
        GtVec3 off = gt_vec3_sub(sphere->center, knot->position);
        cost += PLACE_WEIGHT * (square(off.x) + square(off.y)) / square(PLACE_WIDTH);
        cost += THICK_WEIGHT * square(fmaxf(1.0f - sphere->radius / s->thick, 0.0f));
    }
    return cost;
}

// Logarithms of all ways, to the center of the last sphere and to its far side.
static void fill_logs(Search* s)
{
    size_t count = (size_t)s->graph->count;
    for (size_t i = 0; i < count * count; ++i) {
        float length = s->graph->distances[i];
        s->logs[0][i] = logf(length);
        s->logs[1][i] = logf(length + s->graph->spheres[i % count].radius);
    }
}

// To all spheres from one; `bones` receives INFINITY where no bone can be.
static void fill_bones(const Search* s, int32_t k, int32_t from, float* bones)
{
    const GtiMedialKnot* knot = &s->tree->knots[k];
    size_t row = (size_t)from * (size_t)s->graph->count;
    const float* distances = &s->graph->distances[row];
    const float* beyonds = &s->graph->beyonds[row];
    const float* logs = &s->logs[knot->is_leaf ? 1 : 0][row];
    const float* bounds = &s->bounds[(size_t)k * (size_t)s->graph->count];
    GtVec3 start = s->graph->spheres[from].center;
    float wanted_log = logf(fmaxf(knot->length, 0.02f));
    float end_most = knot->mirror == k ? CROWN_MOST : END_MOST;
    float end_scale = knot->is_leaf ? 1.0f / fmaxf(knot->length, 0.05f) : 0.0f;
    for (int32_t to = 0; to < s->graph->count; ++to) {
        bones[to] = INFINITY;
        if (!(bounds[to] < INFINITY) || !(distances[to] < INFINITY) || to == from) {
            continue;
        }
        GtVec3 along = gt_vec3_sub(s->graph->spheres[to].center, start);
        float cosine = gt_vec3_dot(knot->direction, along) / (gt_vec3_length(along) + 1e-6f);
        float beyond = beyonds[to] * end_scale;
        beyond = beyond < end_most ? beyond : end_most;
        float off = logs[to] - wanted_log;
        bones[to] = bounds[to] + (off < 0.0f ? SHORT_WEIGHT : LONG_WEIGHT) * square(off) +
                    DIRECTION_WEIGHT * square(1.0f - cosine) + END_WEIGHT * square(beyond);
    }
}

// Knots come parents first, so going backwards meets all below a knot before it.
static void fill_tables(Search* s)
{
    size_t count = (size_t)s->graph->count;
    fill_logs(s);
    for (int32_t k = s->tree->knot_count - 1; k >= 0; --k) {
        float* bounds = &s->bounds[(size_t)k * count];
        int32_t parent = s->tree->knots[k].parent;
        for (int32_t i = 0; i < s->graph->count; ++i) {
            bounds[i] += knot_cost(s, k, i);
        }
        for (int32_t from = 0; from < s->graph->count && parent != GT_NONE; ++from) {
            float* bones = &s->bones[((size_t)k * count + (size_t)from) * count];
            fill_bones(s, k, from, bones);
            float best = INFINITY;
            for (int32_t to = 0; to < s->graph->count; ++to) {
                best = bones[to] < best ? bones[to] : best;
            }
            s->bounds[(size_t)parent * count + (size_t)from] += best;
        }
    }
}

static int by_cost(const void* a, const void* b)
{
    const Choice* x = a;
    const Choice* y = b;
    return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : x->sphere - y->sphere;
}

// Sorted when first asked for; a choice of infinite cost ends them.
static const Choice* choices_of(Search* s, int32_t k)
{
    size_t count = (size_t)s->graph->count;
    int32_t parent = s->tree->knots[k].parent;
    size_t row = (size_t)k * count + (parent == GT_NONE ? 0 : (size_t)s->at[parent]);
    if (s->choices[row]) {
        return s->choices[row];
    }
    Choice* choices = gt_arena_push_array(s->scratch, count + 1, sizeof *choices);
    if (!choices) {
        return NULL;
    }
    const float* costs = parent == GT_NONE ? &s->bounds[(size_t)k * count] : &s->bones[row * count];
    int32_t used = 0;
    for (int32_t i = 0; i < s->graph->count; ++i) {
        if (costs[i] < INFINITY) {
            choices[used++] = (Choice){ i, costs[i] };
        }
    }
    qsort(choices, (size_t)used, sizeof *choices, by_cost);
    choices[used] = (Choice){ GT_NONE, INFINITY };
    s->choices[row] = choices;
    return choices;
}

static void mark_way(Search* s, int32_t k, int step)
{
    int32_t parent = s->tree->knots[k].parent;
    if (parent == GT_NONE) {
        return;
    }
    const int16_t* befores = &s->graph->befores[(size_t)s->at[parent] * (size_t)s->graph->count];
    for (int32_t i = s->at[k]; i >= 0 && i != s->at[parent]; i = befores[i]) {
        s->used[i] = (uint8_t)(s->used[i] + step);
    }
}

// How much of the way to knot k is taken already, beyond the sphere it starts from.
static float shared_length(const Search* s, int32_t k)
{
    int32_t parent = s->tree->knots[k].parent;
    const int16_t* befores = &s->graph->befores[(size_t)s->at[parent] * (size_t)s->graph->count];
    const GtiSphere* start = &s->graph->spheres[s->at[parent]];
    float shared = 0.0f;
    for (int32_t i = s->at[k]; i >= 0 && i != s->at[parent]; i = befores[i]) {
        float off = gt_vec3_length(gt_vec3_sub(s->graph->spheres[i].center, start->center));
        if (s->used[i] && off > start->radius) {
            float* distances = &s->graph->distances[(size_t)s->at[parent] * (size_t)s->graph->count];
            shared += distances[i] - distances[befores[i]];
        }
    }
    return shared;
}

static float twin_cost(const Search* s, int32_t k)
{
    const GtiMedialKnot* knot = &s->tree->knots[k];
    const GtiMedialKnot* twin = &s->tree->knots[knot->mirror];
    GtVec3 a = s->graph->spheres[s->at[k]].center;
    GtVec3 b = s->graph->spheres[s->at[knot->mirror]].center;
    float off = gt_vec3_length(gt_vec3(a.x + b.x, a.y - b.y, a.z - b.z)) / TWIN_PLACE_WIDTH;
    float cost = TWIN_PLACE_WEIGHT * s->def->symmetry * square(fminf(off, TWIN_PLACE_MOST));
    if (knot->parent == twin->parent || s->tree->knots[knot->parent].mirror == twin->parent) {
        float length = row_value(s, s->graph->distances, s->at[knot->parent], s->at[k]);
        float twin_length = row_value(s, s->graph->distances, s->at[twin->parent], s->at[knot->mirror]);
        cost += TWIN_LENGTH_WEIGHT * square(logf(length / twin_length));
    }
    return cost;
}

// Ends of different limbs are far from each other along the body.
static float crowd_cost(const Search* s, int32_t k, int32_t depth)
{
    const GtiMedialKnot* knot = &s->tree->knots[k];
    float cost = 0.0f;
    for (int32_t d = 0; d < depth && knot->is_leaf; ++d) {
        const GtiMedialKnot* other = &s->tree->knots[s->order[d]];
        if (other->is_leaf) {
            float apart = row_value(s, s->graph->distances, s->at[s->order[d]], s->at[k]);
            float least = CROWD_RATIO * (knot->length + other->length);
            cost += CROWD_WEIGHT * square(fmaxf(1.0f - apart / fmaxf(least, 1e-6f), 0.0f));
        }
    }
    return cost;
}

// What a choice costs with those made before it.
static float company_cost(const Search* s, int32_t k, int32_t depth)
{
    const GtiMedialKnot* knot = &s->tree->knots[k];
    if (knot->parent == GT_NONE) {
        return 0.0f;
    }
    float cost =
        crowd_cost(s, k, depth) + SHARE_WEIGHT * square(fminf(shared_length(s, k) / fmaxf(knot->length, 0.05f), 1.0f));
    for (int32_t d = 0; d < depth && knot->mirror != GT_NONE; ++d) {
        if (s->order[d] == knot->mirror && knot->mirror != k) {
            cost += twin_cost(s, k);
        }
    }
    return cost;
}

static float cheapest(Search* s, int32_t k)
{
    const Choice* choices = choices_of(s, k);
    return choices ? choices[0].cost : INFINITY;
}

static void keep(Search* s, float cost)
{
    s->out->cost = cost;
    memcpy(s->out->spheres, s->at, sizeof s->at);
}

// Depth first with a stack of cursors; costs[d] bounds what the first d choices lead to.
static bool visit(Search* s)
{
    int32_t last = s->tree->knot_count;
    int32_t d = 0;
    s->cursors[0] = 0;
    s->costs[0] = cheapest(s, s->order[0]);
    while (d >= 0) {
        int32_t k = s->order[d];
        const Choice* choices = choices_of(s, k);
        if (!choices) {
            return false;
        }
        if (s->cursors[d] > 0) {
            mark_way(s, k, -1);
        }
        Choice choice = choices[s->cursors[d]];
        float cost = s->costs[d] + choice.cost - choices[0].cost;
        if (!(cost < s->out->cost) || s->out->visit_count >= VISIT_MOST) {
            --d;
            continue;
        }
        ++s->cursors[d];
        ++s->out->visit_count;
        s->at[k] = choice.sphere;
        cost += company_cost(s, k, d);
        mark_way(s, k, 1);
        if (!(cost < s->out->cost)) {
            continue;
        }
        if (d + 1 == last) {
            keep(s, cost);
            continue;
        }
        s->costs[++d] = cost;
        s->cursors[d] = 0;
    }
    return true;
}

// Forks before ends, twins next to each other: what is wrong shows early.
static void put_in_order(Search* s)
{
    bool taken[GTI_KNOT_MOST] = { false };
    int32_t count = 0;
    for (int32_t pass = 0; pass < 2; ++pass) {
        for (int32_t k = 0; k < s->tree->knot_count; ++k) {
            const GtiMedialKnot* knot = &s->tree->knots[k];
            int32_t twin = knot->mirror;
            if (taken[k] || (pass == 0 && knot->is_leaf)) {
                continue;
            }
            taken[k] = true;
            s->order[count++] = k;
            int32_t twin_parent = twin == GT_NONE ? GT_NONE : s->tree->knots[twin].parent;
            if (twin != GT_NONE && !taken[twin] && (twin_parent == GT_NONE || taken[twin_parent])) {
                taken[twin] = true;
                s->order[count++] = twin;
            }
        }
    }
}

// Whether no other end is nearer to a sphere.
static bool is_own(const Search* s, int32_t k, int32_t sphere)
{
    float near = row_value(s, s->graph->distances, s->out->spheres[k], sphere);
    for (int32_t i = 0; i < s->tree->knot_count; ++i) {
        if (i != k && s->tree->knots[i].is_leaf &&
            row_value(s, s->graph->distances, s->out->spheres[i], sphere) < near) {
            return false;
        }
    }
    return true;
}

// An end of a limb may stand at the rim of a hand, the whole of which is longer than hands are: go on to where it ends.
static int32_t slide_end(const Search* s, int32_t k)
{
    const GtiMedialKnot* knot = &s->tree->knots[k];
    int32_t to = s->out->spheres[k];
    if (!knot->is_leaf || knot->parent == GT_NONE || knot->mirror == k || s->def->pins[k] != GT_NONE) {
        return to;
    }
    int32_t from = s->out->spheres[knot->parent];
    for (int32_t turn = 0; turn < s->graph->count; ++turn) {
        int32_t best = to;
        float farthest = row_value(s, s->graph->distances, from, to) + s->graph->spheres[to].radius + SLIDE_LEAST;
        for (int32_t i = 0; i < s->graph->count; ++i) {
            float reach = row_value(s, s->graph->distances, from, i) + s->graph->spheres[i].radius;
            bool is_aside = s->graph->spheres[i].center.x * knot->position.x < 0.0f;
            if (reach > farthest && !is_aside && row_value(s, s->graph->distances, to, i) < SLIDE_REACH &&
                is_own(s, k, i)) {
                farthest = reach;
                best = i;
            }
        }
        if (best == to) {
            break;
        }
        to = best;
    }
    return to;
}

static float mirror_distance(const Search* s, int32_t a, int32_t b)
{
    GtVec3 p = s->graph->spheres[a].center;
    GtVec3 q = s->graph->spheres[b].center;
    return gt_vec3_length(gt_vec3(p.x + q.x, p.y - q.y, p.z - q.z));
}

// Of a pair of which one went farther than the other, it went too far: it goes to the other's mirror image.
static void agree_on_ends(const Search* s, int32_t k, int32_t* spheres)
{
    int32_t twin = s->tree->knots[k].mirror;
    if (twin == GT_NONE || twin == k || s->tree->knots[k].parent != s->tree->knots[twin].parent ||
        s->def->pins[k] != GT_NONE || s->def->symmetry < SLIDE_SYMMETRY ||
        mirror_distance(s, s->out->spheres[k], s->out->spheres[twin]) > SLIDE_PAIR ||
        mirror_distance(s, spheres[k], spheres[twin]) < SLIDE_OFF) {
        return;
    }
    int32_t from = s->out->spheres[s->tree->knots[k].parent];
    if (row_value(s, s->graph->distances, from, spheres[k]) < row_value(s, s->graph->distances, from, spheres[twin])) {
        return;
    }
    for (int32_t i = 0; i < s->graph->count; ++i) {
        if (mirror_distance(s, i, spheres[twin]) < mirror_distance(s, spheres[k], spheres[twin])) {
            spheres[k] = i;
        }
    }
}

static void slide_ends(const Search* s)
{
    int32_t spheres[GTI_KNOT_MOST];
    for (int32_t k = 0; k < s->tree->knot_count; ++k) {
        spheres[k] = slide_end(s, k);
    }
    for (int32_t k = 0; k < s->tree->knot_count; ++k) {
        agree_on_ends(s, k, spheres);
    }
    memcpy(s->out->spheres, spheres, (size_t)s->tree->knot_count * sizeof *spheres);
}

static float thick_radius(const GtiSphereGraph* graph)
{
    float most = 0.0f;
    for (int32_t i = 0; i < graph->count; ++i) {
        most = fmaxf(most, graph->spheres[i].radius);
    }
    return fmaxf(fminf(THICK_RATIO * most, THICK_RADIUS), 1e-6f);
}

static GtResult run(Search* s, GtError* error)
{
    size_t count = (size_t)s->graph->count;
    size_t knot_count = (size_t)s->tree->knot_count;
    s->logs[0] = gt_arena_push_array(s->scratch, count * count, sizeof *s->logs[0]);
    s->logs[1] = gt_arena_push_array(s->scratch, count * count, sizeof *s->logs[1]);
    s->bounds = gt_arena_push_array(s->scratch, knot_count * count, sizeof *s->bounds);
    s->bones = gt_arena_push_array(s->scratch, knot_count * count * count, sizeof *s->bones);
    s->choices = gt_arena_push_array(s->scratch, knot_count * count, sizeof *s->choices);
    s->used = gt_arena_push_array(s->scratch, count, 1);
    if (!s->logs[0] || !s->logs[1] || !s->bounds || !s->bones || !s->choices || !s->used) {
        return gti_out_of_memory(error);
    }
    s->thick = thick_radius(s->graph);
    put_in_order(s);
    fill_tables(s);
    s->out->cost = INFINITY;
    if (!visit(s)) {
        return gti_out_of_memory(error);
    }
    if (!(s->out->cost < INFINITY)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the %d limbs of the skeleton do not fit into the body",
                        s->tree->knot_count - 1);
    }
    slide_ends(s);
    s->out->is_best = s->out->visit_count < VISIT_MOST;
    s->out->cost /= (float)s->tree->knot_count;
    return GT_OK;
}

GtResult gti_search(const GtContext* context, const GtiSearchDef* def, GtiSearchResult* out, GtError* error)
{
    *out = (GtiSearchResult){ .visit_count = 0 };
    GtArena scratch = gt_arena_create(context->allocator);
    Search s = { .def = def, .graph = def->graph, .tree = def->tree, .scratch = &scratch, .out = out };
    GtResult result = run(&s, error);
    gt_arena_destroy(&scratch);
    return result;
}
