// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sorting vertices into cells. All entries of a mesh's binds are sorted by vertex, so that each vertex has its sections
// side by side; vertices are sorted by their sections, and where in their lattices they are; those with the same are a
// cell. Work grows with the entries alone, however large the mesh is. Where a mesh has its section's joint in its skin,
// the skin's own matrix says where the mesh is beside the joint; else the rest pose does.

#include "runtime/section/section.h"

#include "runtime/character.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float most_mask = 1.0f + 1e-3f;

// A vertex on a section.
typedef struct Entry {
    uint32_t vertex;
    int32_t bind;
    int32_t index; // in the bind
    int32_t span;  // of its lattice that it is in; 0 where it does not matter
} Entry;

// A vertex and all its entries.
typedef struct Held {
    const Entry* entries;
    int32_t count;
} Held;

static int compare_entries(const void* a, const void* b)
{
    const Entry* x = a;
    const Entry* y = b;
    int order = (x->vertex > y->vertex) - (x->vertex < y->vertex);
    return order ? order : (x->bind > y->bind) - (x->bind < y->bind);
}

static int compare_binds(const Held* x, const Held* y)
{
    int order = (x->count > y->count) - (x->count < y->count);
    for (int32_t i = 0; order == 0 && i < x->count; ++i) {
        order = (x->entries[i].bind > y->entries[i].bind) - (x->entries[i].bind < y->entries[i].bind);
    }
    for (int32_t i = 0; order == 0 && i < x->count; ++i) {
        order = (x->entries[i].span > y->entries[i].span) - (x->entries[i].span < y->entries[i].span);
    }
    return order;
}

static int compare_held(const void* a, const void* b)
{
    const Held* x = a;
    const Held* y = b;
    int order = compare_binds(x, y);
    return order ? order : (x->entries->vertex > y->entries->vertex) - (x->entries->vertex < y->entries->vertex);
}

static size_t entry_count_of(const GtMeshDef* mesh)
{
    size_t count = 0;
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        count += (size_t)mesh->section_binds[i].entry_count;
    }
    return count;
}

static GtVec3 place_of(const GtMeshDef* mesh, const GtiBoundSection* bound, uint32_t vertex)
{
    return gt_mat34_point(&bound->box_from_mesh, mesh->positions[vertex]);
}

static size_t sort_entries(const GtCharacterDef* def, const GtMeshDef* mesh, const GtiBoundSection* bound,
                           Entry* entries)
{
    size_t count = 0;
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        const GtSectionBindDef* bind = &mesh->section_binds[i];
        const GtLatticeDef* lattice = &def->sections[bind->section].lattice;
        for (int32_t k = 0; k < bind->entry_count; ++k) {
            Entry entry = { bind->vertices[k], i, k, 0 };
            if (bound[i].span_count > 1) {
                entry.span = gti_lattice_span_at(lattice, place_of(mesh, &bound[i], entry.vertex));
            }
            entries[count++] = entry;
        }
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    return count;
}

// Vertices that are held, in order of their sections; 0 and an error where masks sum to more than 1.
static size_t sort_held(const GtMeshDef* mesh, const Entry* entries, size_t entry_count, Held* held, GtError* error)
{
    size_t count = 0;
    for (size_t i = 0; i < entry_count; i += (size_t)held[count++].count) {
        held[count] = (Held){ &entries[i], 0 };
        float sum = 0.0f;
        for (size_t k = i; k < entry_count && entries[k].vertex == entries[i].vertex; ++k) {
            sum += mesh->section_binds[entries[k].bind].masks[entries[k].index];
            ++held[count].count;
        }
        if (!(sum <= most_mask)) {
            gti_fail(error, GT_ERROR_BAD_VALUE, "vertex %u of mesh '%.60s': its masks of sections sum to %g, above 1",
                     entries[i].vertex, mesh->name ? mesh->name : "", (double)sum);
            return 0;
        }
    }
    qsort(held, count, sizeof *held, compare_held);
    return count;
}

// The end of the cell that begins at `first`.
static size_t cell_end(const Held* held, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && compare_binds(&held[first], &held[end]) == 0) {
        ++end;
    }
    return end;
}

static void count_cells(const GtCharacterDef* def, const GtMeshDef* mesh, const Held* held, size_t count,
                        GtiMeshSections* out)
{
    for (size_t i = 0; i < count;) {
        size_t end = cell_end(held, count, i);
        size_t blocks = (end - i + GTI_SECTION_BLOCK - 1) / GTI_SECTION_BLOCK;
        ++out->cell_count;
        out->cell_bind_count += (size_t)held[i].count;
        out->block_count += blocks;
        out->row_count += blocks * (size_t)held[i].count;
        for (int32_t k = 0; k < held[i].count; ++k) {
            int32_t section = mesh->section_binds[held[i].entries[k].bind].section;
            out->pose_count += blocks * (size_t)gti_section_pose_count(&def->sections[section]);
        }
        i = end;
    }
}

typedef struct Arrays {
    GtiSectionCell* cells;
    int32_t* binds;
    uint32_t* vertices;
    float* masks;
    float* gradients;
    float* places;
    size_t* first_poses;
    float* shifts;
    float* slopes;
    GtiBoundSection* bound; // [bind_count]
} Arrays;

static void put(float* rows, size_t row, size_t lane, GtVec3 v)
{
    float* to = &rows[row * 3 * GTI_SECTION_BLOCK + lane];
    to[0] = v.x;
    to[GTI_SECTION_BLOCK] = v.y;
    to[2 * (size_t)GTI_SECTION_BLOCK] = v.z;
}

static bool is_inside(GtVec3 place)
{
    return fabsf(place.x) <= 1.0f && fabsf(place.y) <= 1.0f && fabsf(place.z) <= 1.0f;
}

static void fill_lane(const GtMeshDef* mesh, const Held* held, size_t row, size_t lane, const Arrays* to)
{
    for (int32_t k = 0; k < held->count; ++k, ++row) {
        const Entry* entry = &held->entries[k];
        const GtSectionBindDef* bind = &mesh->section_binds[entry->bind];
        GtVec3 gradient = bind->mask_gradients ? bind->mask_gradients[entry->index] : gt_vec3(0.0f, 0.0f, 0.0f);
        GtVec3 place = place_of(mesh, &to->bound[entry->bind], entry->vertex);
        to->masks[row * GTI_SECTION_BLOCK + lane] = bind->masks[entry->index];
        put(to->gradients, row, lane, gradient);
        put(to->places, row, lane, place);
        to->bound[entry->bind].inside &= is_inside(place);
    }
}

static void fill_cells(const GtMeshDef* mesh, const Held* held, size_t count, const Arrays* to)
{
    GtiSectionCell cell = { 0 };
    for (size_t i = 0, c = 0; i < count; ++c) {
        size_t end = cell_end(held, count, i);
        cell.bind_count = held[i].count;
        cell.block_count = (int32_t)((end - i + GTI_SECTION_BLOCK - 1) / GTI_SECTION_BLOCK);
        to->cells[c] = cell;
        for (int32_t k = 0; k < cell.bind_count; ++k) {
            to->binds[cell.first_bind + (size_t)k] = held[i].entries[k].bind;
        }
        size_t lane_count = (size_t)cell.block_count * GTI_SECTION_BLOCK;
        for (size_t lane = 0; lane < lane_count; ++lane) {
            const Held* one = &held[i + lane < end ? i + lane : end - 1];
            size_t row = cell.first_row + lane / GTI_SECTION_BLOCK * (size_t)cell.bind_count;
            to->vertices[cell.first_block * GTI_SECTION_BLOCK + lane] = one->entries->vertex;
            fill_lane(mesh, one, row, lane % GTI_SECTION_BLOCK, to);
        }
        cell.first_bind += (size_t)cell.bind_count;
        cell.first_block += (size_t)cell.block_count;
        cell.first_pair += ((size_t)cell.block_count + GTI_SECTION_PAIR - 1) / GTI_SECTION_PAIR;
        cell.first_row += (size_t)cell.block_count * (size_t)cell.bind_count;
        i = end;
    }
}

// Make room for all arrays, announce them and have them in `out`.
static bool push_arrays(GtArena* arena, GtiBlock* block, GtiMeshSections* out, Arrays* to)
{
    size_t block_bytes = GTI_SECTION_BLOCK * sizeof(float);
    to->cells = gt_arena_push_array(arena, (size_t)out->cell_count, sizeof *to->cells);
    to->binds = gt_arena_push_array(arena, out->cell_bind_count, sizeof *to->binds);
    to->vertices = gt_arena_push_array(arena, out->block_count, block_bytes);
    to->masks = gt_arena_push_array(arena, out->row_count, block_bytes);
    to->gradients = gt_arena_push_array(arena, out->row_count, 3 * block_bytes);
    to->places = gt_arena_push_array(arena, out->row_count, 3 * block_bytes);
    out->cells = to->cells;
    out->binds = to->binds;
    out->vertices = to->vertices;
    out->masks = to->masks;
    out->gradients = to->gradients;
    out->places = to->places;
    if (out->pose_count) {
        to->first_poses = gt_arena_push_array(arena, out->cell_bind_count, sizeof *to->first_poses);
        to->shifts = gt_arena_push_array(arena, out->pose_count, GTI_SHIFT_ROWS * block_bytes);
        to->slopes = gt_arena_push_array(arena, out->pose_count, GTI_SLOPE_ROWS * block_bytes);
        out->first_poses = to->first_poses;
        out->pose_shifts = to->shifts;
        out->pose_slopes = to->slopes;
        if (!to->first_poses || !to->shifts || !to->slopes ||
            !gti_block_keep(block, to->first_poses, out->cell_bind_count, sizeof *to->first_poses) ||
            !gti_block_keep(block, to->shifts, out->pose_count, GTI_SHIFT_ROWS * block_bytes) ||
            !gti_block_keep(block, to->slopes, out->pose_count, GTI_SLOPE_ROWS * block_bytes)) {
            return false;
        }
    }
    return to->cells && to->binds && to->vertices && to->masks && to->gradients && to->places &&
           gti_block_keep(block, to->cells, (size_t)out->cell_count, sizeof *to->cells) &&
           gti_block_keep(block, to->binds, out->cell_bind_count, sizeof *to->binds) &&
           gti_block_keep(block, to->vertices, out->block_count, block_bytes) &&
           gti_block_keep(block, to->masks, out->row_count, block_bytes) &&
           gti_block_keep(block, to->gradients, out->row_count, 3 * block_bytes) &&
           gti_block_keep(block, to->places, out->row_count, 3 * block_bytes);
}

static GtResult make_cells(const GtCharacterDef* def, const GtMeshDef* mesh, GtiBoundSection* bound, GtArena* arena,
                           GtiBlock* block, GtiMeshSections* out, GtError* error)
{
    size_t entry_count = entry_count_of(mesh);
    if (entry_count == 0) {
        return GT_OK;
    }
    GtArena scratch = gt_arena_create(arena->allocator);
    Entry* entries = gt_arena_push_array(&scratch, entry_count, sizeof *entries);
    Held* held = gt_arena_push_array(&scratch, entry_count, sizeof *held);
    if (!entries || !held) {
        gt_arena_destroy(&scratch);
        return gti_out_of_memory(error);
    }
    sort_entries(def, mesh, bound, entries);
    size_t held_count = sort_held(mesh, entries, entry_count, held, error);
    GtResult result = held_count ? GT_OK : GT_ERROR_BAD_VALUE;
    if (result == GT_OK) {
        count_cells(def, mesh, held, held_count, out);
        Arrays to = { .bound = bound };
        result = push_arrays(arena, block, out, &to) ? GT_OK : gti_out_of_memory(error);
        if (result == GT_OK) { // what has been announced is copied later
            fill_cells(mesh, held, held_count, &to);
            if (out->pose_count) {
                gti_section_fill_poses(def, mesh, out, to.first_poses, to.shifts, to.slopes);
            }
            if (!gti_section_plan_spans(def, mesh, arena, block, to.places, out) ||
                !gti_section_plan_skin(def, mesh, arena, block, out)) {
                result = gti_out_of_memory(error);
            }
        }
    }
    gt_arena_destroy(&scratch);
    return result;
}

// What is needed to find where meshes are beside joints.
typedef struct Rest {
    const GtCharacterDef* def;
    GtMat34* model_from_node; // [node_count]
    int32_t* joint_of;        // [node_count] of the skin at hand
} Rest;

// Where a mesh is in the rest pose: as its skin has it, or at its node.
static GtMat34 model_from_mesh(const Rest* rest, const GtMeshDef* mesh)
{
    if (mesh->skin == GT_NONE) {
        return rest->model_from_node[mesh->node];
    }
    const GtSkinDef* skin = &rest->def->skins[mesh->skin];
    return gt_mat34_mul(rest->model_from_node[skin->joints[0]], skin->joint_from_mesh[0]);
}

GtMat34 gti_box_from_space(const GtLatticeDef* lattice)
{
    GtMat34 box = gt_mat34_inverse(&lattice->space_from_box, NULL);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            box.m[row][column] *= 2.0f;
        }
        box.m[row][3] -= 1.0f;
    }
    return box;
}

static GtResult place_mesh(const Rest* rest, const GtMeshDef* mesh, GtArena* arena, GtiBlock* block,
                           GtiMeshSections* out, GtError* error)
{
    size_t count = (size_t)mesh->section_bind_count;
    GtiBoundSection* bound = gt_arena_push_array(arena, count, sizeof *bound);
    if (!bound || !gti_block_keep(block, bound, count, sizeof *bound)) {
        return gti_out_of_memory(error);
    }
    out->bind_count = mesh->section_bind_count;
    out->bound = bound;
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        const GtSectionDef* section = &rest->def->sections[mesh->section_binds[i].section];
        int32_t joint = mesh->skin == GT_NONE ? GT_NONE : rest->joint_of[section->node];
        if (joint != GT_NONE) {
            bound[i].node_from_mesh = rest->def->skins[mesh->skin].joint_from_mesh[joint];
        } else {
            bool ok = false;
            GtMat34 node_from_model = gt_mat34_inverse(&rest->model_from_node[section->node], &ok);
            if (!ok) {
                return gti_fail(error, GT_ERROR_BAD_VALUE, "node %d, which carries section %d, is flat at rest",
                                (int)section->node, (int)mesh->section_binds[i].section);
            }
            bound[i].node_from_mesh = gt_mat34_mul(node_from_model, model_from_mesh(rest, mesh));
        }
        bound[i].box_from_mesh = gt_mat34_mul(gti_box_from_space(&section->lattice), bound[i].node_from_mesh);
        bound[i].inside = true;
        bound[i].span_count = gti_section_span_count(section);
        if (bound[i].span_count == 1) {
            bound[i].span = gti_lattice_span(&section->lattice, 0);
        }
    }
    return make_cells(rest->def, mesh, bound, arena, block, out, error);
}

static GtResult place_meshes(const GtCharacterDef* def, const int32_t* first_of_skin, const int32_t* next,
                             GtArena* scratch, GtiBlock* block, GtiSectionPlan* plan, GtError* error)
{
    Rest rest = {
        .def = def,
        .model_from_node = gt_arena_push_array(scratch, (size_t)def->node_count, sizeof(GtMat34)),
        .joint_of = gt_arena_push_array(scratch, (size_t)def->node_count, sizeof(int32_t)),
    };
    if (!rest.model_from_node || !rest.joint_of) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        GtMat34 local = gt_mat34_from_transform(def->rest[i]);
        int32_t parent = def->parents[i];
        rest.model_from_node[i] = parent == GT_NONE ? local : gt_mat34_mul(rest.model_from_node[parent], local);
        rest.joint_of[i] = GT_NONE;
    }
    GtResult result = GT_OK;
    for (int32_t skin = 0; skin <= def->skin_count; ++skin) { // the last stands for none
        const GtSkinDef* joints = skin < def->skin_count ? &def->skins[skin] : NULL;
        for (int32_t j = 0; joints && j < joints->joint_count; ++j) {
            rest.joint_of[joints->joints[j]] = j;
        }
        for (int32_t m = first_of_skin[skin]; result == GT_OK && m != GT_NONE; m = next[m]) {
            result = place_mesh(&rest, &def->meshes[m], &plan->arena, block, &plan->meshes[m], error);
        }
        for (int32_t j = 0; joints && j < joints->joint_count; ++j) {
            rest.joint_of[joints->joints[j]] = GT_NONE;
        }
    }
    return result;
}

// Meshes that hang on sections, as a list for each skin; *any tells whether there is one.
static bool list_meshes(const GtCharacterDef* def, GtArena* scratch, int32_t** first_of_skin, int32_t** next, bool* any)
{
    *first_of_skin = gt_arena_push_array(scratch, (size_t)def->skin_count + 1, sizeof **first_of_skin);
    *next = gt_arena_push_array(scratch, (size_t)def->mesh_count, sizeof **next);
    if (!*first_of_skin || !*next) {
        return false;
    }
    for (int32_t i = 0; i <= def->skin_count; ++i) {
        (*first_of_skin)[i] = GT_NONE;
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        if (def->meshes[m].section_bind_count) {
            int32_t skin = def->meshes[m].skin == GT_NONE ? def->skin_count : def->meshes[m].skin;
            (*next)[m] = (*first_of_skin)[skin];
            (*first_of_skin)[skin] = m;
            *any = true;
        }
    }
    return true;
}

GtResult gti_section_plan_create(const GtCharacterDef* def, GtiBlock* block, GtiSectionPlan* out, GtError* error)
{
    if (def->section_count == 0) {
        return GT_OK;
    }
    GtArena scratch = gt_arena_create(out->arena.allocator);
    int32_t* first_of_skin = NULL;
    int32_t* next = NULL;
    bool any = false;
    GtResult result = list_meshes(def, &scratch, &first_of_skin, &next, &any) ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK && any) {
        out->meshes = gt_arena_push_array(&out->arena, (size_t)def->mesh_count, sizeof *out->meshes);
        result = out->meshes ? place_meshes(def, first_of_skin, next, &scratch, block, out, error)
                             : gti_out_of_memory(error);
    }
    gt_arena_destroy(&scratch);
    return result;
}

void gti_section_plan_destroy(GtiSectionPlan* plan)
{
    gt_arena_destroy(&plan->arena);
}
