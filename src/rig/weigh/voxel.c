// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Geodesic voxel binding after Dionne and de Lasa (2013): distances from the bones go from cell to cell through the
// inside (Dijkstra 1959 over 26 neighbours), so holes, loose pieces and crossing sheets do not matter. They are exact
// in the balls about the bones that fit into the body, and each cell keeps the few best joints by rank, as on the
// surface. Shares follow the profile that warmth has along a cylinder of radius d on both sides of a joint: a bone
// whose place lies x = s / d behind the border, s^2 = g^2 - d^2, has exp(-sqrt(c) x) / 2 of the weight.

#include "rig/weigh/source.h"

#include "base/fail.h"
#include "base/heap.h"

#include <math.h>

enum {
    LABELS = 4 // joints that a cell remembers
};

// sqrt(c) of the profile.
#define FALLOFF 2.2f
// Ranks that are worse than the best by more than this many distances have no share.
#define FAR 1.5f
// Bodies with more cells inside are looked at in cells of twice the size.
#define CELL_MOST 150000
// The surface's own diffusion only takes out the grain of the cells.
#define STIFFNESS 2.0f

typedef struct Label {
    GtiBeside beside;
    int32_t joint; // GT_NONE where there is none
} Label;

typedef struct Voxels {
    const GtiWeighBones* bones;
    GtiSolid solid;          // in cells that are large enough
    int32_t* numbers;        // [cells of the grid] of cells inside, or GT_NONE
    int32_t* places;         // [count] cell of the grid
    Label (*labels)[LABELS]; // [count] by rank
    int32_t count;
    GtiHeap heap; // of cells by rank, tagged with the joint
    GtArena* arena;
} Voxels;

static void clear(Label* labels)
{
    for (int k = 0; k < LABELS; ++k) {
        labels[k].joint = GT_NONE;
    }
}

static float inside_margin(const GtiSolid* solid)
{
    return 0.5f * solid->cell; // thin parts have few centres inside
}

static int32_t count_cells(const GtiSolid* solid)
{
    size_t cells = (size_t)solid->counts[0] * (size_t)solid->counts[1] * (size_t)solid->counts[2];
    int32_t count = 0;
    for (size_t i = 0; i < cells; ++i) {
        count += solid->distances[i] < inside_margin(solid);
    }
    return count;
}

// Eight cells as one, inside where any of them is: a thin limb stays whole.
static bool coarsen(GtArena* arena, const GtiSolid* fine, GtiSolid* out)
{
    float half = 0.5f * fine->cell;
    *out = (GtiSolid){ .origin = gt_vec3_add(fine->origin, gt_vec3(half, half, half)), .cell = 2.0f * fine->cell };
    for (int axis = 0; axis < 3; ++axis) {
        out->counts[axis] = (fine->counts[axis] + 1) / 2;
    }
    size_t cells = (size_t)out->counts[0] * (size_t)out->counts[1] * (size_t)out->counts[2];
    out->distances = gt_arena_push(arena, cells * sizeof *out->distances);
    for (size_t i = 0; out->distances && i < cells; ++i) {
        out->distances[i] = INFINITY;
    }
    for (int32_t z = 0; out->distances && z < fine->counts[2]; ++z) {
        for (int32_t y = 0; y < fine->counts[1]; ++y) {
            const float* row = &fine->distances[gti_solid_index(fine, 0, y, z)];
            float* into = &out->distances[gti_solid_index(out, 0, y / 2, z / 2)];
            for (int32_t x = 0; x < fine->counts[0]; ++x) {
                into[x / 2] = fminf(into[x / 2], row[x]);
            }
        }
    }
    return out->distances != NULL;
}

static bool number_cells(Voxels* voxels)
{
    while (count_cells(&voxels->solid) > CELL_MOST) {
        const GtiSolid fine = voxels->solid;
        if (!coarsen(voxels->arena, &fine, &voxels->solid)) {
            return false;
        }
    }
    const GtiSolid* solid = &voxels->solid;
    size_t cells = (size_t)solid->counts[0] * (size_t)solid->counts[1] * (size_t)solid->counts[2];
    int32_t count = count_cells(solid);
    voxels->numbers = gt_arena_push(voxels->arena, cells * sizeof *voxels->numbers);
    voxels->places = gt_arena_push(voxels->arena, (size_t)count * sizeof *voxels->places);
    voxels->labels = gt_arena_push(voxels->arena, (size_t)count * sizeof *voxels->labels);
    if (!voxels->numbers || !voxels->places || !voxels->labels) {
        return false;
    }
    for (size_t i = 0; i < cells; ++i) {
        bool inside = solid->distances[i] < inside_margin(solid);
        voxels->numbers[i] = inside ? voxels->count : GT_NONE;
        if (inside) {
            voxels->places[voxels->count] = (int32_t)i;
            clear(voxels->labels[voxels->count]);
            ++voxels->count;
        }
    }
    return true;
}

// Take a label into a cell's list where it is better than that joint's, and than the last. False when not. A cell is of
// one part of the body: labels that only touch the best are left out.
static bool improve(const GtiWeighBones* bones, Label* labels, GtiBeside beside, int32_t joint)
{
    if (labels[0].joint != GT_NONE &&
        beside.rank > labels[0].beside.rank + FAR * fmaxf(labels[0].beside.distance, 1e-3f)) {
        return false;
    }
    int at = 0;
    while (at < LABELS && labels[at].joint != GT_NONE && labels[at].joint != joint) {
        ++at;
    }
    if (at == LABELS) {
        --at; // the last makes room
    }
    if (labels[at].joint != GT_NONE && !(beside.rank < labels[at].beside.rank)) {
        return false;
    }
    if (labels[0].joint != GT_NONE && gti_bones_passage(bones, labels[0].beside, beside, 0.0f) <= 0.0f) {
        if (beside.rank >= labels[0].beside.rank) {
            return false;
        }
        clear(labels);
        at = 0;
    }
    for (; at > 0 && beside.rank < labels[at - 1].beside.rank; --at) {
        labels[at] = labels[at - 1];
    }
    labels[at] = (Label){ beside, joint };
    return true;
}

static bool offer(Voxels* voxels, int32_t cell, GtiBeside beside)
{
    int32_t joint = voxels->bones->bones[beside.bone].joint;
    if (!improve(voxels->bones, voxels->labels[cell], beside, joint)) {
        return true;
    }
    GtiHeap* heap = &voxels->heap;
    if (heap->count == heap->capacity) {
        GtiHeapEntry* grown = gti_arena_grow(voxels->arena, heap->entries, &heap->capacity, 1024, sizeof *grown);
        if (!grown) {
            return false;
        }
        heap->entries = grown;
    }
    gti_heap_push(heap, (GtiHeapEntry){ (double)beside.rank, cell, joint });
    return true;
}

static int32_t clamp_cell(const GtiSolid* solid, float x, int axis)
{
    return (int32_t)fminf(fmaxf(x / solid->cell, 0.0f), (float)(solid->counts[axis] - 1));
}

// Cells in the balls about a bone know their distance at once.
static bool start_bone(Voxels* voxels, int32_t index)
{
    const GtiSolid* solid = &voxels->solid;
    const GtiWeighBone* bone = &voxels->bones->bones[index];
    GtVec3 tail = gti_bone_point(bone, bone->length);
    float reach = bone->reach - 0.5f * bone->length + 2.0f * solid->cell;
    const GtVec3 margin = { reach, reach, reach };
    GtVec3 low = gt_vec3_sub(gt_vec3_sub(gt_vec3_min(bone->head, tail), margin), solid->origin);
    GtVec3 high = gt_vec3_sub(gt_vec3_add(gt_vec3_max(bone->head, tail), margin), solid->origin);
    for (int32_t z = clamp_cell(solid, low.z, 2); z <= clamp_cell(solid, high.z, 2); ++z) {
        for (int32_t y = clamp_cell(solid, low.y, 1); y <= clamp_cell(solid, high.y, 1); ++y) {
            for (int32_t x = clamp_cell(solid, low.x, 0); x <= clamp_cell(solid, high.x, 0); ++x) {
                int32_t cell = voxels->numbers[gti_solid_index(solid, x, y, z)];
                if (cell == GT_NONE) {
                    continue;
                }
                GtiBeside beside = gti_bone_beside(voxels->bones, index, gti_solid_centre(solid, x, y, z));
                if (beside.distance <= gti_bone_radius(bone, beside.along) + solid->cell &&
                    !offer(voxels, cell, beside)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void cell_place(const GtiSolid* solid, int32_t place, int32_t out[3])
{
    out[0] = place % solid->counts[0];
    out[1] = place / solid->counts[0] % solid->counts[1];
    out[2] = place / solid->counts[0] / solid->counts[1];
}

static bool spread_from(Voxels* voxels, int32_t cell, GtiBeside beside)
{
    const GtiSolid* solid = &voxels->solid;
    int32_t at[3];
    cell_place(solid, voxels->places[cell], at);
    for (int32_t i = 0; i < 27; ++i) {
        const int32_t step[3] = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
        const int32_t to[3] = { at[0] + step[0], at[1] + step[1], at[2] + step[2] };
        if (i == 13 || to[0] < 0 || to[1] < 0 || to[2] < 0 || to[0] >= solid->counts[0] || to[1] >= solid->counts[1] ||
            to[2] >= solid->counts[2]) {
            continue;
        }
        int32_t next = voxels->numbers[gti_solid_index(solid, to[0], to[1], to[2])];
        if (next == GT_NONE) {
            continue;
        }
        float length = solid->cell * sqrtf((float)(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]));
        GtiBeside further = beside;
        further.distance += length;
        further.rank += length;
        if (!offer(voxels, next, further)) {
            return false;
        }
    }
    return true;
}

static bool find_ways(Voxels* voxels)
{
    for (int32_t b = 0; b < voxels->bones->count; ++b) {
        if (!start_bone(voxels, b)) {
            return false;
        }
    }
    while (voxels->heap.count > 0) {
        GtiHeapEntry entry = gti_heap_pop(&voxels->heap);
        const Label* labels = voxels->labels[entry.item];
        for (int k = 0; k < LABELS; ++k) {
            if (labels[k].joint == entry.tag && (double)labels[k].beside.rank == entry.key) {
                if (!spread_from(voxels, entry.item, labels[k].beside)) {
                    return false;
                }
                break;
            }
        }
    }
    return true;
}

// The ways to a point of the skin from the cells around it, or from those of them on its inner side alone.
static void gather(const Voxels* voxels, GtVec3 p, GtVec3 inner, Label* out)
{
    const GtiSolid* solid = &voxels->solid;
    GtVec3 from = gt_vec3_sub(p, solid->origin);
    const int32_t at[3] = { clamp_cell(solid, from.x, 0), clamp_cell(solid, from.y, 1), clamp_cell(solid, from.z, 2) };
    for (int32_t i = 0; i < 64; ++i) {
        const int32_t to[3] = { at[0] + i % 4 - 1, at[1] + i / 4 % 4 - 1, at[2] + i / 16 - 1 };
        if (to[0] < 0 || to[1] < 0 || to[2] < 0 || to[0] >= solid->counts[0] || to[1] >= solid->counts[1] ||
            to[2] >= solid->counts[2]) {
            continue;
        }
        int32_t cell = voxels->numbers[gti_solid_index(solid, to[0], to[1], to[2])];
        GtVec3 way = gt_vec3_sub(gti_solid_centre(solid, to[0], to[1], to[2]), p);
        if (cell == GT_NONE || gt_vec3_dot(way, inner) < 0.0f) {
            continue;
        }
        float gap = gt_vec3_length(way);
        for (int k = 0; k < LABELS && voxels->labels[cell][k].joint != GT_NONE; ++k) {
            Label label = voxels->labels[cell][k];
            label.beside.distance += gap;
            label.beside.rank += gap;
            improve(voxels->bones, out, label.beside, label.joint);
        }
    }
}

// Bones in sight count straight: they tell parts of the body that touch from each other, which cells cannot. Others are
// reached through the inside.
static void find_bones(const Voxels* voxels, const GtiSolid* solid, GtVec3 p, GtVec3 normal, Label* out)
{
    GtiBeside seen[GTI_SIGHT_BONES];
    int32_t count = gti_bones_in_sight(voxels->bones, solid, p, normal, seen);
    clear(out);
    for (int32_t i = 0; i < count; ++i) {
        improve(voxels->bones, out, seen[i], voxels->bones->bones[seen[i].bone].joint);
    }
    if (count == 0 && voxels->count > 0) {
        gather(voxels, p, gt_vec3_scale(normal, -1.0f), out);
    }
    if (out[0].joint == GT_NONE && voxels->count > 0) {
        gather(voxels, p, gt_vec3(0.0f, 0.0f, 0.0f), out);
    }
}

static void set_source(const GtiWeighBones* bones, const Label* labels, GtiHeatSource* source)
{
    if (labels[0].joint == GT_NONE) {
        return; // no cell near: what is in sight stays
    }
    float girth = gti_bones_girth(bones, labels[0].beside);
    float sum = 0.0f;
    *source = (GtiHeatSource){ .beside = labels[0].beside, .seen = true, .pull = STIFFNESS * gti_source_pull(girth) };
    int count = 0;
    for (int k = 0; k < LABELS && labels[k].joint != GT_NONE; ++k) {
        float g = 1.0f + (labels[k].beside.rank - labels[0].beside.rank) / girth;
        float half = 0.5f * expf(-FALLOFF * sqrtf(fmaxf(g * g - 1.0f, 0.0f)));
        float share = k == 0 ? 1.0f : half / (1.0f - half);
        share *= gti_bones_passage(bones, labels[0].beside, labels[k].beside, 0.0f);
        if (share > 0.0f) {
            source->joints[count] = (uint16_t)labels[k].joint;
            source->shares[count++] = share;
            sum += share;
        }
    }
    for (int k = 0; k < LABELS; ++k) {
        source->shares[k] /= sum;
    }
}

GtResult gti_sources_in_voxels(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                               const GtiSolid* solid, const bool* pieces, GtiHeatSource* sources, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    Voxels voxels = { .bones = bones, .solid = *solid, .arena = &scratch };
    bool any = false;
    for (int32_t v = 0; v < proxy->mesh.vertex_count; ++v) {
        any = any || (pieces[proxy->pieces[v]] && !sources[v].seen);
    }
    bool ok = !any || (number_cells(&voxels) && find_ways(&voxels));
    for (int32_t v = 0; ok && v < proxy->mesh.vertex_count; ++v) {
        if (pieces[proxy->pieces[v]]) {
            Label labels[LABELS];
            find_bones(&voxels, solid, proxy->mesh.positions[v], proxy->normals[v], labels);
            set_source(bones, labels, &sources[v]);
        }
    }
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}
