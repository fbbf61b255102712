// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How sections blend the linear skin of their vertices: joints and weights of each pair of blocks, and the stretches of
// the mesh that nothing else need skin. Work grows with the vertices in cells alone, however large the mesh is.

#include "runtime/section/section.h"

#include "runtime/character.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAIR_VERTICES = GTI_SECTION_PAIR * GTI_SECTION_BLOCK,
    MOST_PAIR_JOINTS = PAIR_VERTICES * GT_MAX_INFLUENCES,
    MEAN_PAIR_JOINTS = 12 // above which the skin's own kernel is faster
};

// The joints of some vertices, each once. `weights`, unless NULL, is 0 and receives a row for each joint.
static int32_t list_joints(const GtMeshDef* mesh, const uint32_t* vertices, size_t vertex_count, uint16_t* joints,
                           float* weights)
{
    int32_t listed = 0;
    for (size_t v = 0; v < vertex_count; ++v) {
        size_t at = (size_t)vertices[v] * (size_t)mesh->influence_count;
        for (int32_t i = 0; i < mesh->influence_count; ++i, ++at) {
            if (mesh->weights[at] == 0.0f) {
                continue;
            }
            int32_t slot = 0;
            while (slot < listed && joints[slot] != mesh->joints[at]) {
                ++slot;
            }
            joints[slot] = mesh->joints[at];
            listed = slot == listed ? slot + 1 : listed;
            if (weights) {
                weights[(size_t)slot * PAIR_VERTICES + v] += mesh->weights[at];
            }
        }
    }
    return listed;
}

typedef struct Pairs {
    size_t* ends;
    uint16_t* joints;
    float* weights;
} Pairs;

// Count the joints of all pairs, or write them too.
static size_t list_pairs(const GtMeshDef* mesh, const GtiMeshSections* sections, const Pairs* to)
{
    size_t count = 0;
    for (int32_t c = 0; c < sections->cell_count; ++c) {
        const GtiSectionCell* cell = &sections->cells[c];
        const uint32_t* vertices = &sections->vertices[cell->first_block * GTI_SECTION_BLOCK];
        size_t left = (size_t)cell->block_count * GTI_SECTION_BLOCK;
        for (size_t pair = cell->first_pair; left; ++pair) {
            uint16_t joints[MOST_PAIR_JOINTS];
            size_t vertex_count = left < PAIR_VERTICES ? left : PAIR_VERTICES;
            count += (size_t)list_joints(mesh, vertices, vertex_count, to ? &to->joints[count] : joints,
                                         to ? &to->weights[count * PAIR_VERTICES] : NULL);
            if (to) {
                to->ends[pair] = count;
            }
            vertices += vertex_count;
            left -= vertex_count;
        }
    }
    return count;
}

static bool plan_pairs(const GtMeshDef* mesh, GtArena* arena, GtiBlock* block, GtiMeshSections* out)
{
    const GtiSectionCell* last = &out->cells[out->cell_count - 1];
    size_t pair_count = last->first_pair + ((size_t)last->block_count + GTI_SECTION_PAIR - 1) / GTI_SECTION_PAIR;
    size_t joint_count = list_pairs(mesh, out, NULL);
    if (joint_count == 0 || joint_count / MEAN_PAIR_JOINTS > pair_count) {
        return true;
    }
    size_t row = PAIR_VERTICES * sizeof(float);
    Pairs to = { .ends = gt_arena_push_array(arena, pair_count, sizeof *to.ends),
                 .joints = gt_arena_push_array(arena, joint_count, sizeof *to.joints),
                 .weights = gt_arena_push_array(arena, joint_count, row) };
    if (!to.ends || !to.joints || !to.weights || !gti_block_keep(block, to.ends, pair_count, sizeof *to.ends) ||
        !gti_block_keep(block, to.joints, joint_count, sizeof *to.joints) ||
        !gti_block_keep(block, to.weights, joint_count, row)) {
        return false;
    }
    list_pairs(mesh, out, &to);
    out->skin.pair_count = pair_count;
    out->skin.joint_count = joint_count;
    out->skin.pair_ends = to.ends;
    out->skin.joints = to.joints;
    out->skin.weights = to.weights;
    return true;
}

// A vertex in a cell.
typedef struct Member {
    uint32_t vertex;
    int32_t cell;
} Member;

static int compare_members(const void* a, const void* b)
{
    const Member* x = a;
    const Member* y = b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

// All vertices of all cells, along the mesh.
static size_t list_members(const GtiMeshSections* sections, Member* out)
{
    size_t count = 0;
    for (int32_t c = 0; c < sections->cell_count; ++c) {
        const GtiSectionCell* cell = &sections->cells[c];
        const uint32_t* vertices = &sections->vertices[cell->first_block * GTI_SECTION_BLOCK];
        for (size_t i = 0; i < (size_t)cell->block_count * GTI_SECTION_BLOCK; ++i) {
            if (i == 0 || vertices[i] != vertices[i - 1]) { // the last one is repeated
                out[count++] = (Member){ vertices[i], c };
            }
        }
    }
    qsort(out, count, sizeof *out, compare_members);
    return count;
}

// The cells of some members, each once.
static size_t list_cells(const Member* members, size_t count, int32_t* out)
{
    size_t listed = 0;
    for (size_t i = 0; i < count; ++i) {
        size_t at = 0;
        while (at < listed && out[at] != members[i].cell) {
            ++at;
        }
        out[at] = members[i].cell;
        listed = at == listed ? at + 1 : listed;
    }
    return listed;
}

// Add a stretch, or lengthen the one before it where that ends here and is in the same cells, in the same order.
static void add_stretch(GtiSectionStretch next, GtiSectionStretch* stretches, const int32_t* cells, GtiSectionSkin* out)
{
    GtiSectionStretch* before = out->stretch_count ? &stretches[out->stretch_count - 1] : NULL;
    if (before && before->end_vertex == next.first_vertex && before->cell_count == next.cell_count &&
        memcmp(&cells[before->first_cell], &cells[next.first_cell], next.cell_count * sizeof *cells) == 0) {
        before->end_vertex = next.end_vertex;
        return;
    }
    stretches[out->stretch_count++] = next;
    out->stretch_cell_count += next.cell_count;
}

static void fill_stretches(const Member* members, size_t count, size_t vertex_count, GtiSectionStretch* stretches,
                           int32_t* cells, GtiSectionSkin* out)
{
    for (size_t i = 0, end = 0; i < count; i = end) {
        size_t first = members[i].vertex / GTI_STRETCH * GTI_STRETCH;
        size_t whole = vertex_count - first < GTI_STRETCH ? vertex_count - first : GTI_STRETCH;
        for (end = i + 1; end < count && members[end].vertex < first + whole;) {
            ++end;
        }
        if (end - i == whole) {
            GtiSectionStretch next = { (int32_t)first, (int32_t)(first + whole), out->stretch_cell_count, 0 };
            next.cell_count = list_cells(&members[i], whole, &cells[next.first_cell]);
            add_stretch(next, stretches, cells, out);
        }
    }
}

static bool plan_stretches(size_t vertex_count, GtArena* arena, GtiBlock* block, GtiMeshSections* out)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    Member* members = gt_arena_push_array(&scratch, out->block_count, GTI_SECTION_BLOCK * sizeof *members);
    size_t count = members ? list_members(out, members) : 0;
    GtiSectionStretch* stretches =
        gt_arena_push_array(arena, count / GTI_STRETCH + 1, sizeof *stretches); // one may be short
    int32_t* cells = gt_arena_push_array(arena, count, sizeof *cells);
    bool ok = members && stretches && cells;
    if (ok) {
        fill_stretches(members, count, vertex_count, stretches, cells, &out->skin);
        out->skin.stretches = stretches;
        out->skin.stretch_cells = cells;
    }
    if (ok && out->skin.stretch_count) {
        ok = gti_block_keep(block, stretches, out->skin.stretch_count, sizeof *stretches) &&
             gti_block_keep(block, cells, out->skin.stretch_cell_count, sizeof *cells);
    }
    gt_arena_destroy(&scratch);
    return ok;
}

bool gti_section_plan_skin(const GtCharacterDef* def, const GtMeshDef* mesh, GtArena* arena, GtiBlock* block,
                           GtiMeshSections* out)
{
    GtiStack stack;
    bool linear = false;
    gti_stack_create(def, mesh, "", &stack, NULL); // it has been checked
    for (int32_t i = 0; i < stack.count; ++i) {
        linear |= stack.steps[i] == &gti_skin_linear;
    }
    if (!linear || !plan_pairs(mesh, arena, block, out)) {
        return !linear;
    }
    return out->skin.pair_count == 0 || plan_stretches((size_t)mesh->vertex_count, arena, block, out);
}
