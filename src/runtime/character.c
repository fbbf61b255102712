// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A character is its def, copied into one block with every pointer turned to the copy, and tables: the deformer
// stack of each mesh, bones of each skin, cells of sections, links by depth, nodes by name and nodes by source.

#include "runtime/character.h"

#include "base/fail.h"
#include "runtime/harmonic/skin.h"
#include "runtime/kernels.h"

#include <stdlib.h>
#include <string.h>

// Tables that are copied from nowhere, as offsets in the block.
typedef struct Tables {
    size_t stacks;
    size_t skins;
    size_t bones;
    size_t links;
    size_t nodes_by_name;
    size_t nodes_by_source;
    size_t mesh_sections;
    size_t first_values;
    size_t keys; // room to sort in
} Tables;

typedef struct NameKey {
    const char* name;
    int32_t node;
} NameKey;

typedef struct SourceKey {
    int32_t source;
    int32_t node;
} SourceKey;

typedef struct DepthKey {
    int32_t depth;
    int32_t start; // where the next node of the depth that is this key's index goes
} DepthKey;

typedef union SortKey {
    NameKey name;
    SourceKey source;
    DepthKey depth;
} SortKey;

static int compare_names(const void* a, const void* b)
{
    const NameKey* x = a;
    const NameKey* y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

static int compare_sources(const void* a, const void* b)
{
    const SourceKey* x = a;
    const SourceKey* y = b;
    int order = (x->source > y->source) - (x->source < y->source);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

GtMorphDef gt_default_morph_def(void)
{
    return (GtMorphDef){ .name = NULL };
}

GtSkinDef gt_default_skin_def(void)
{
    return (GtSkinDef){ .joints = NULL };
}

GtMeshDef gt_default_mesh_def(void)
{
    return (GtMeshDef){ .source_mesh = GT_NONE, .source_primitive = GT_NONE, .material = GT_NONE, .skin = GT_NONE };
}

GtCharacterDef gt_default_character_def(void)
{
    return (GtCharacterDef){ .node_count = 0 };
}

static GtResult announce(const GtCharacterDef* def, GtiBlock* block, GtiSectionPlan* plan, Tables* tables,
                         GtError* error)
{
    GtResult result = gti_character_check(def, block, error);
    if (result == GT_OK) {
        result = gti_section_plan_create(def, block, plan, error);
    }
    if (result != GT_OK) {
        return result;
    }
    size_t node_count = (size_t)def->node_count;
    tables->stacks = gti_block_reserve(block, (size_t)def->mesh_count, sizeof(GtiStack));
    uint64_t bone_count = 0;
    for (int32_t i = 0; i < def->skin_count; ++i) {
        bone_count += (uint64_t)def->skins[i].joint_count;
    }
    tables->skins = gti_block_reserve(block, (size_t)def->skin_count, sizeof(GtiSkinBone*));
    tables->bones =
        gti_block_reserve(block, bone_count < SIZE_MAX ? (size_t)bone_count : SIZE_MAX, sizeof(GtiSkinBone));
    tables->links = gti_block_reserve(block, node_count, sizeof(GtiNodeLink));
    tables->nodes_by_name = gti_block_reserve(block, def->names ? node_count : 0, sizeof(int32_t));
    tables->nodes_by_source = gti_block_reserve(block, def->source_nodes ? node_count : 0, sizeof(int32_t));
    tables->mesh_sections =
        gti_block_reserve(block, plan->meshes ? (size_t)def->mesh_count : 0, sizeof(GtiMeshSections));
    tables->first_values = gti_block_reserve(block, (size_t)def->section_count, sizeof(int32_t));
    tables->keys = gti_block_reserve(block, node_count, sizeof(SortKey));
    bool fits = tables->stacks != SIZE_MAX && tables->skins != SIZE_MAX && tables->bones != SIZE_MAX &&
                tables->links != SIZE_MAX && tables->nodes_by_name != SIZE_MAX && tables->nodes_by_source != SIZE_MAX &&
                tables->mesh_sections != SIZE_MAX && tables->first_values != SIZE_MAX && tables->keys != SIZE_MAX;
    return fits && gti_block_allocate(block) ? GT_OK : gti_out_of_memory(error);
}

static void lay_out_skins(const GtCharacterDef* def, const GtiBlock* block, GtSkinDef* skins)
{
    for (int32_t i = 0; i < def->skin_count; ++i) {
        const GtSkinDef* from = &def->skins[i];
        size_t count = (size_t)from->joint_count;
        skins[i].joints = gti_block_at(block, from->joints, count, sizeof *from->joints);
        skins[i].joint_from_mesh = gti_block_at(block, from->joint_from_mesh, count, sizeof(GtMat34));
    }
}

static GtMorphDef* lay_out_morphs(const GtMeshDef* from, const GtiBlock* block)
{
    GtMorphDef* morphs = gti_block_at(block, from->morphs, (size_t)from->morph_count, sizeof(GtMorphDef));
    for (int32_t i = 0; i < from->morph_count; ++i) {
        const GtMorphDef* morph = &from->morphs[i];
        size_t count = (size_t)morph->entry_count;
        morphs[i].name = gti_block_text_at(block, morph->name);
        morphs[i].vertices = gti_block_at(block, morph->vertices, count, sizeof(uint32_t));
        morphs[i].positions = gti_block_at(block, morph->positions, count, sizeof(GtVec3));
        morphs[i].normals = gti_block_at(block, morph->normals, count, sizeof(GtVec3));
        morphs[i].tangents = gti_block_at(block, morph->tangents, count, sizeof(GtVec3));
        morphs[i].texcoords = gti_block_at(block, morph->texcoords, count, 2 * sizeof(float));
        morphs[i].texcoords1 = gti_block_at(block, morph->texcoords1, count, 2 * sizeof(float));
        morphs[i].colors = gti_block_at(block, morph->colors, count, 4 * sizeof(float));
    }
    return morphs;
}

static void lay_out_mesh(const GtMeshDef* from, const GtiBlock* block, GtMeshDef* mesh)
{
    size_t vertex_count = (size_t)from->vertex_count;
    size_t influence_count = vertex_count * (size_t)from->influence_count;
    mesh->name = gti_block_text_at(block, from->name);
    mesh->positions = gti_block_at(block, from->positions, vertex_count, sizeof(GtVec3));
    mesh->normals = gti_block_at(block, from->normals, vertex_count, sizeof(GtVec3));
    mesh->tangents = gti_block_at(block, from->tangents, vertex_count, 4 * sizeof(float));
    mesh->texcoords = gti_block_at(block, from->texcoords, vertex_count, 2 * sizeof(float));
    mesh->texcoords1 = gti_block_at(block, from->texcoords1, vertex_count, 2 * sizeof(float));
    mesh->colors = gti_block_at(block, from->colors, vertex_count, 4 * sizeof(float));
    mesh->indices = gti_block_at(block, from->indices, (size_t)from->index_count, sizeof(uint32_t));
    mesh->morphs = lay_out_morphs(from, block);
    mesh->joints = gti_block_at(block, from->joints, influence_count, sizeof *from->joints);
    mesh->weights = gti_block_at(block, from->weights, influence_count, sizeof *from->weights);
    mesh->deformers = gti_block_at(block, from->deformers, (size_t)from->deformer_count, sizeof(GtDeformerData));
    GtSectionBindDef* binds =
        gti_block_at(block, from->section_binds, (size_t)from->section_bind_count, sizeof(GtSectionBindDef));
    for (int32_t i = 0; i < from->section_bind_count; ++i) {
        const GtSectionBindDef* bind = &from->section_binds[i];
        size_t count = (size_t)bind->entry_count;
        binds[i].vertices = gti_block_at(block, bind->vertices, count, sizeof(uint32_t));
        binds[i].masks = gti_block_at(block, bind->masks, count, sizeof(float));
        binds[i].mask_gradients = gti_block_at(block, bind->mask_gradients, count, sizeof(GtVec3));
    }
    mesh->section_binds = binds;
}

static void lay_out_sections(const GtCharacterDef* def, const GtiBlock* block, GtSectionDef* sections)
{
    for (int32_t i = 0; i < def->section_count; ++i) {
        const GtSectionDef* from = &def->sections[i];
        size_t count = (size_t)gt_lattice_point_count(&from->lattice);
        GtLatticePose* poses = gti_block_at(block, from->poses, (size_t)from->pose_count, sizeof *poses);
        for (int32_t k = 0; k < from->pose_count; ++k) {
            poses[k].name = gti_block_text_at(block, from->poses[k].name);
            poses[k].offsets = gti_block_at(block, from->poses[k].offsets, count, sizeof(GtVec3));
        }
        sections[i].name = gti_block_text_at(block, from->name);
        sections[i].lattice.weights = gti_block_at(block, from->lattice.weights, count, sizeof(float));
        sections[i].poses = poses;
    }
}

static void lay_out_def(const GtCharacterDef* def, const GtiBlock* block, GtCharacterDef* out)
{
    size_t node_count = (size_t)def->node_count;
    const char** names = gti_block_at(block, def->names, node_count, sizeof *def->names);
    GtSkinDef* skins = gti_block_at(block, def->skins, (size_t)def->skin_count, sizeof(GtSkinDef));
    GtMeshDef* meshes = gti_block_at(block, def->meshes, (size_t)def->mesh_count, sizeof(GtMeshDef));
    for (size_t i = 0; names && i < node_count; ++i) {
        names[i] = gti_block_text_at(block, def->names[i]);
    }
    GtSectionDef* sections = gti_block_at(block, def->sections, (size_t)def->section_count, sizeof(GtSectionDef));
    lay_out_skins(def, block, skins);
    lay_out_sections(def, block, sections);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        lay_out_mesh(&def->meshes[i], block, &meshes[i]);
    }
    *out = *def;
    out->parents = gti_block_at(block, def->parents, node_count, sizeof *def->parents);
    out->rest = gti_block_at(block, def->rest, node_count, sizeof *def->rest);
    out->names = names;
    out->source_nodes = gti_block_at(block, def->source_nodes, node_count, sizeof *def->source_nodes);
    out->humanoid = gti_block_at(block, def->humanoid, 1, sizeof *def->humanoid);
    out->rest_weights = gti_block_at(block, def->rest_weights, (size_t)def->weight_count, sizeof(float));
    out->skins = skins;
    out->meshes = meshes;
    out->sections = sections;
    out->harmonic = gti_harmonic_skin_lay_out(def, block);
}

static void lay_out_section_skin(const GtiSectionSkin* from, const GtiBlock* block, GtiSectionSkin* to)
{
    size_t row = GTI_SECTION_PAIR * GTI_SECTION_BLOCK * sizeof(float);
    to->pair_ends = gti_block_at(block, from->pair_ends, from->pair_count, sizeof *from->pair_ends);
    to->joints = gti_block_at(block, from->joints, from->joint_count, sizeof *from->joints);
    to->weights = gti_block_at(block, from->weights, from->joint_count, row);
    to->stretches = gti_block_at(block, from->stretches, from->stretch_count, sizeof *from->stretches);
    to->stretch_cells = gti_block_at(block, from->stretch_cells, from->stretch_cell_count, sizeof *from->stretch_cells);
}

static void lay_out_cells(const GtiSectionPlan* plan, const GtiBlock* block, GtCharacter* character)
{
    for (int32_t i = 0; i < character->def.mesh_count; ++i) {
        const GtiMeshSections* from = &plan->meshes[i];
        GtiMeshSections* to = &character->mesh_sections[i];
        size_t row = GTI_SECTION_BLOCK * sizeof(float);
        *to = *from;
        to->cells = gti_block_at(block, from->cells, (size_t)from->cell_count, sizeof *from->cells);
        to->binds = gti_block_at(block, from->binds, from->cell_bind_count, sizeof *from->binds);
        to->vertices = gti_block_at(block, from->vertices, from->block_count, GTI_SECTION_BLOCK * sizeof(uint32_t));
        to->masks = gti_block_at(block, from->masks, from->row_count, row);
        to->gradients = gti_block_at(block, from->gradients, from->row_count, 3 * row);
        to->places = gti_block_at(block, from->places, from->row_count, 3 * row);
        to->first_poses = gti_block_at(block, from->first_poses, from->cell_bind_count, sizeof *from->first_poses);
        to->pose_shifts = gti_block_at(block, from->pose_shifts, from->pose_count, GTI_SHIFT_ROWS * row);
        to->pose_slopes = gti_block_at(block, from->pose_slopes, from->pose_count, GTI_SLOPE_ROWS * row);
        to->bound = gti_block_at(block, from->bound, (size_t)from->bind_count, sizeof *from->bound);
        to->spans = gti_block_at(block, from->spans, from->cell_bind_count, sizeof *from->spans);
        lay_out_section_skin(&from->skin, block, &to->skin);
    }
}

static void find_values(GtCharacter* character)
{
    for (int32_t i = 0; i < character->def.section_count; ++i) { // all fit: gti_sections_check()
        const GtSectionDef* section = &character->def.sections[i];
        character->first_values[i] = character->section_value_count;
        character->section_value_count += 1 + section->pose_count + 3 * gt_lattice_point_count(&section->lattice);
    }
}

static void sort_names(GtCharacter* character, NameKey* keys)
{
    for (int32_t i = 0; i < character->def.node_count; ++i) {
        if (character->def.names[i]) {
            keys[character->named_count++] = (NameKey){ character->def.names[i], i };
        }
    }
    qsort(keys, (size_t)character->named_count, sizeof *keys, compare_names);
    for (int32_t i = 0; i < character->named_count; ++i) {
        character->nodes_by_name[i] = keys[i].node;
    }
}

static void sort_sources(GtCharacter* character, SourceKey* keys)
{
    int32_t count = character->def.node_count;
    for (int32_t i = 0; i < count; ++i) {
        keys[i] = (SourceKey){ character->def.source_nodes[i], i };
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_sources);
    for (int32_t i = 0; i < count; ++i) {
        character->nodes_by_source[i] = keys[i].node;
    }
}

// Nodes that have a parent, by depth, then index.
static void sort_links(GtCharacter* character, DepthKey* keys)
{
    const int32_t* parents = character->def.parents;
    int32_t count = character->def.node_count;
    for (int32_t i = 0; i < count; ++i) {
        keys[i] = (DepthKey){ 0, 0 };
    }
    for (int32_t i = 0; i < count; ++i) {
        keys[i].depth = parents[i] == GT_NONE ? 0 : keys[parents[i]].depth + 1;
        ++keys[keys[i].depth].start;
    }
    int32_t next = 0;
    for (int32_t depth = 1; depth < count; ++depth) {
        int32_t at_depth = keys[depth].start;
        keys[depth].start = next;
        next += at_depth;
    }
    for (int32_t i = 0; i < count; ++i) {
        if (parents[i] != GT_NONE) {
            character->links[keys[keys[i].depth].start++] = (GtiNodeLink){ i, parents[i] };
        }
    }
    character->link_count = next;
}

static void find_bones(GtCharacter* character, GtiSkinBone* bones, int32_t* joint_of)
{
    for (int32_t i = 0; i < character->def.node_count; ++i) {
        joint_of[i] = GT_NONE;
    }
    for (int32_t i = 0; i < character->def.skin_count; ++i) {
        character->bones[i] = bones;
        gti_bones_find(&character->def, &character->def.skins[i], joint_of, bones);
        bones += character->def.skins[i].joint_count;
    }
}

static GtCharacter* lay_out(const GtCharacterDef* def, const GtiBlock* block, const GtiSectionPlan* plan,
                            const Tables* tables)
{
    GtCharacter* character = (GtCharacter*)block->base;
    character->allocator = block->allocator;
    lay_out_def(def, block, &character->def);
    character->stacks = gti_block_reserved(block, tables->stacks);
    character->scratch_size = gt_harmonic_skin_scratch_size(character);
    int32_t first_vertex = 0;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        GtiStack* stack = &character->stacks[i];
        GtResult result = gti_stack_create(&character->def, &character->def.meshes[i], "", stack, NULL);
        GT_ASSERT(result == GT_OK); // it has been checked
        (void)result;
        stack->first_vertex = first_vertex;
        first_vertex += character->def.harmonic ? def->meshes[i].vertex_count : 0; // whose sum was checked
        character->scratch_size =
            stack->scratch_size > character->scratch_size ? stack->scratch_size : character->scratch_size;
    }
    character->first_values = gti_block_reserved(block, tables->first_values);
    find_values(character);
    if (plan->meshes) {
        character->mesh_sections = gti_block_reserved(block, tables->mesh_sections);
        lay_out_cells(plan, block, character);
    }
    character->bones = gti_block_reserved(block, tables->skins);
    find_bones(character, gti_block_reserved(block, tables->bones), gti_block_reserved(block, tables->keys));
    character->links = gti_block_reserved(block, tables->links);
    sort_links(character, gti_block_reserved(block, tables->keys));
    if (character->def.names) {
        character->nodes_by_name = gti_block_reserved(block, tables->nodes_by_name);
        sort_names(character, gti_block_reserved(block, tables->keys));
    }
    if (character->def.source_nodes) {
        character->nodes_by_source = gti_block_reserved(block, tables->nodes_by_source);
        sort_sources(character, gti_block_reserved(block, tables->keys));
    }
    return character;
}

GtResult gti_character_create_over(GtAllocator allocator, const GtCharacterDef* def, GtiLasting bytes,
                                   GtCharacter** out, GtError* error)
{
    *out = NULL;
    GtiBlock block = gti_block_create(allocator, sizeof(GtCharacter));
    gti_block_leave_in_place(&block, &bytes, bytes.size ? 1 : 0);
    Tables tables;
    GtiSectionPlan plan = { .arena = gt_arena_create(allocator) };
    GtResult result = announce(def, &block, &plan, &tables, error);
    if (result == GT_OK) {
        *out = lay_out(def, &block, &plan, &tables);
    }
    gti_section_plan_destroy(&plan);
    gti_block_destroy(&block);
    return result;
}

GtResult gt_character_create(GtAllocator allocator, const GtCharacterDef* def, GtCharacter** out, GtError* error)
{
    def = def ? def : (GtCharacterDef[]){ gt_default_character_def() };
    return gti_character_create_over(allocator, def, (GtiLasting){ 0 }, out, error);
}

void gt_character_destroy(GtCharacter* character)
{
    if (character) {
        character->allocator.release(character->allocator.user, character);
    }
}

const GtCharacterDef* gt_character_def(const GtCharacter* character)
{
    return &character->def;
}

int32_t gt_character_find_node(const GtCharacter* character, const char* name)
{
    int32_t low = 0; // the first whose name is not before `name` is in [low, high]
    int32_t high = character->named_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(character->def.names[character->nodes_by_name[middle]], name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == character->named_count) {
        return GT_NONE;
    }
    int32_t node = character->nodes_by_name[low];
    return strcmp(character->def.names[node], name) == 0 ? node : GT_NONE;
}

int32_t gt_character_node_from_source(const GtCharacter* character, int32_t source_node)
{
    int32_t count = character->def.node_count;
    if (source_node < 0) {
        return GT_NONE;
    }
    if (!character->nodes_by_source) {
        return source_node < count ? source_node : GT_NONE;
    }
    int32_t low = 0;
    int32_t high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (character->def.source_nodes[character->nodes_by_source[middle]] < source_node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == count) {
        return GT_NONE;
    }
    int32_t node = character->nodes_by_source[low];
    return character->def.source_nodes[node] == source_node ? node : GT_NONE;
}

void gt_character_to_model(const GtCharacter* character, const GtTransform* pose, GtMat34* model_from_node)
{
    GtiToModelJob job = {
        .parents = character->def.parents,
        .pose = pose,
        .model_from_node = model_from_node,
        .node_count = character->def.node_count,
        .link_count = character->link_count,
        .links = character->links,
    };
    gti_kernels()->to_model(&job);
}
