// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/contact/tread.h"

#include "motion/retarget/posture.h"

#include <math.h>
#include <string.h>

enum {
    POINTS_A_FOOT = 3, // of a skeleton
    PITCHES = 8,       // either way, in which a sole is looked at
    ROLLS = 5
};

static const float TILT_RAD = 0.15f; // from one to the next

// A foot in the reference pose, as a line over the ground.
typedef struct Foot {
    GtVec3 ankle;
    GtVec3 ahead; // unit, level
    float ball;   // along `ahead` from the ankle
    float low;    // lowest height
    float back;   // farthest behind the ankle, as a positive number
    int32_t toes; // runtime node, or GT_NONE
    int32_t lowest_node;
} Foot;

// Which foot each node belongs to, or GT_NONE: parents come first.
static int8_t* find_foot_nodes(const GtFigure* f, GtArena* arena)
{
    int8_t* sides = gt_arena_push_array(arena, (size_t)f->def->node_count, sizeof *sides);
    for (int32_t i = 0; sides && i < f->def->node_count; ++i) {
        int32_t parent = f->def->parents[i];
        sides[i] = i == f->joints[GT_HUMANOID_LEFT_FOOT]    ? GTI_LEFT_SIDE
                   : i == f->joints[GT_HUMANOID_RIGHT_FOOT] ? GTI_RIGHT_SIDE
                   : parent == GT_NONE                      ? GT_NONE
                                                            : sides[parent];
    }
    return sides;
}

static int vertex_side(const GtFigure* f, const GtMeshDef* mesh, int32_t vertex, const int8_t* sides)
{
    if (mesh->skin == GT_NONE) {
        return sides[mesh->node];
    }
    const int32_t* joints = f->def->skins[mesh->skin].joints;
    float weights[GTI_SIDE_COUNT] = { 0.0f, 0.0f };
    for (int32_t k = 0; k < mesh->influence_count; ++k) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)k;
        int side = sides[joints[mesh->joints[at]]];
        if (side != GT_NONE) {
            weights[side] += mesh->weights[at];
        }
    }
    return weights[GTI_LEFT_SIDE] > 0.5f ? GTI_LEFT_SIDE : weights[GTI_RIGHT_SIDE] > 0.5f ? GTI_RIGHT_SIDE : GT_NONE;
}

// The entries of a morph target at the chosen vertices; `place` is the new number of each vertex, or GT_NONE.
static bool cut_morph(const GtMorphDef* from, const int32_t* place, GtArena* arena, GtMorphDef* out)
{
    size_t count = from->positions ? (size_t)from->entry_count : 0;
    uint32_t* vertices = gt_arena_push_array(arena, count, sizeof *vertices);
    GtVec3* positions = gt_arena_push_array(arena, count, sizeof *positions);
    if (!vertices || !positions) {
        return false;
    }
    *out = (GtMorphDef){ .name = from->name, .vertices = vertices, .positions = positions };
    for (size_t e = 0; e < count; ++e) {
        if (place[from->vertices[e]] != GT_NONE) {
            vertices[out->entry_count] = (uint32_t)place[from->vertices[e]];
            positions[out->entry_count++] = from->positions[e];
        }
    }
    return true;
}

int32_t gti_tread_toes(const GtFigure* figure, int side)
{
    int32_t ankle = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
    int32_t toes = figure->joints[gti_joint_on(GT_HUMANOID_LEFT_TOES, side)];
    return toes != GT_NONE && toes != ankle && gti_hangs_from(figure->def, toes, ankle) ? toes : GT_NONE;
}

static bool hangs_from_toes(const GtFigure* f, int32_t node)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        int32_t toes = gti_tread_toes(f, side);
        if (toes != GT_NONE && gti_hangs_from(f->def, node, toes)) {
            return true;
        }
    }
    return false;
}

static float toe_share(const GtFigure* f, const GtMeshDef* mesh, int32_t vertex)
{
    if (mesh->skin == GT_NONE) {
        return hangs_from_toes(f, mesh->node) ? 1.0f : 0.0f;
    }
    float share = 0.0f;
    for (int32_t k = 0; k < mesh->influence_count; ++k) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)k;
        bool hangs = hangs_from_toes(f, f->def->skins[mesh->skin].joints[mesh->joints[at]]);
        share += hangs ? mesh->weights[at] : 0.0f;
    }
    return share;
}

// The chosen vertices of a mesh, without triangles. An empty part has no vertices.
static bool cut_mesh(const GtMeshDef* mesh, const bool* chosen, GtArena* arena, GtMeshDef* out)
{
    size_t count = (size_t)mesh->vertex_count;
    size_t influences = (size_t)mesh->influence_count;
    int32_t* place = gt_arena_push_array(arena, count, sizeof *place);
    GtVec3* positions = gt_arena_push_array(arena, count, sizeof *positions);
    uint16_t* joints = gt_arena_push_array(arena, count * influences, sizeof *joints);
    float* weights = gt_arena_push_array(arena, count * influences, sizeof *weights);
    GtMorphDef* morphs = gt_arena_push_array(arena, (size_t)mesh->morph_count, sizeof *morphs);
    if (!place || !positions || !joints || !weights || !morphs) {
        return false;
    }
    *out = *mesh;
    out->vertex_count = 0;
    for (size_t v = 0; v < count; ++v) {
        place[v] = GT_NONE;
        if (chosen[v]) {
            size_t at = (size_t)out->vertex_count;
            place[v] = out->vertex_count++;
            positions[at] = mesh->positions[v];
            for (size_t k = 0; k < influences; ++k) {
                joints[at * influences + k] = mesh->joints[v * influences + k];
                weights[at * influences + k] = mesh->weights[v * influences + k];
            }
        }
    }
    for (int32_t m = 0; m < mesh->morph_count && out->vertex_count; ++m) {
        if (!cut_morph(&mesh->morphs[m], place, arena, &morphs[m])) {
            return false;
        }
    }
    out->positions = positions;
    out->normals = NULL;
    out->tangents = NULL;
    out->indices = NULL;
    out->index_count = 0;
    out->joints = joints;
    out->weights = weights;
    out->morphs = morphs;
    out->section_binds = NULL;
    out->section_bind_count = 0;
    return true;
}

// A character of the same nodes whose meshes are the feet's part of the figure's; none where they have no vertices.
static GtResult cut_feet(const GtContext* context, GtArena* arena, const GtFigure* f, GtiTread* sole, GtError* error)
{
    int8_t* sides = find_foot_nodes(f, arena);
    GtMeshDef* meshes = gt_arena_push_array(arena, (size_t)f->def->mesh_count, sizeof *meshes);
    if (!sides || !meshes) {
        return gti_out_of_memory(error);
    }
    GtCharacterDef def = *f->def;
    def.meshes = meshes;
    def.mesh_count = 0;
    def.section_count = 0; // feet are hard: sections would need binds of what is left of them
    def.harmonic = NULL;   // which covers whole meshes; soles are held where the skin takes them
    for (int32_t m = 0; m < f->def->mesh_count; ++m) {
        const GtMeshDef* mesh = &f->def->meshes[m];
        bool* chosen = gt_arena_push_array(arena, (size_t)mesh->vertex_count, sizeof *chosen);
        for (int32_t v = 0; chosen && v < mesh->vertex_count; ++v) {
            chosen[v] = vertex_side(f, mesh, v, sides) != GT_NONE;
        }
        if (!chosen || !cut_mesh(mesh, chosen, arena, &meshes[def.mesh_count])) {
            return gti_out_of_memory(error);
        }
        sole->point_count += meshes[def.mesh_count].vertex_count;
        def.mesh_count += meshes[def.mesh_count].vertex_count > 0;
    }
    if (def.mesh_count == 0) {
        return GT_OK;
    }
    sole->is_mesh = true;
    return gt_character_create(context->allocator, &def, &sole->character, error);
}

static float along(const Foot* foot, GtVec3 point)
{
    return gt_vec3_dot(gt_vec3_sub(point, foot->ankle), foot->ahead);
}

// A foot by its joints alone.
static Foot foot_of_joints(const GtFigure* f, int side)
{
    GtHumanoidJoint joint = gti_joint_on(GT_HUMANOID_LEFT_FOOT, side);
    Foot foot = { .ankle = gti_figure_reference(f, joint),
                  .toes = f->joints[gti_joint_on(GT_HUMANOID_LEFT_TOES, side)] };
    float leg = gt_vec3_length(
        gt_vec3_sub(foot.ankle, gti_figure_reference(f, gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side))));
    foot.ahead = gti_figure_forward(f);
    foot.ball = 0.15f * leg;
    if (foot.toes != GT_NONE) {
        GtVec3 line = gt_vec3_sub(gt_mat34_translation(&f->reference[foot.toes]), foot.ankle);
        line.y = 0.0f;
        float length = gt_vec3_length(line);
        if (length > 0.05f * leg) {
            foot.ahead = gt_vec3_scale(line, 1.0f / length);
            foot.ball = length;
        }
    }
    foot.back = 0.3f * foot.ball;
    foot.low = foot.ankle.y;
    for (int32_t i = f->joints[joint] + 1; i < f->def->node_count && f->def->parents[i] >= f->joints[joint]; ++i) {
        foot.low = fminf(foot.low, f->reference[i].m[1][3]);
    }
    return foot;
}

static void put_skeleton_points(const GtFigure* f, GtiTread* sole)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        Foot foot = foot_of_joints(f, side);
        int32_t ankle = f->joints[gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)];
        int32_t toes = foot.toes == GT_NONE ? ankle : foot.toes;
        const float places[POINTS_A_FOOT] = { -foot.back, foot.ball, 1.35f * foot.ball };
        const int32_t nodes[POINTS_A_FOOT] = { ankle, ankle, toes };
        for (int k = 0; k < POINTS_A_FOOT; ++k) {
            int32_t at = POINTS_A_FOOT * side + k;
            GtVec3 point = gt_vec3_add(foot.ankle, gt_vec3_scale(foot.ahead, places[k]));
            point.y = foot.low;
            sole->nodes[at] = nodes[k];
            sole->toe_shares[at] = hangs_from_toes(f, nodes[k]) ? 1.0f : 0.0f;
            sole->offsets[at] = gti_figure_attach(f, nodes[k], point);
            sole->parts[at] = (int8_t)(2 * side + (k > 0));
        }
        sole->marks[2 * side] = POINTS_A_FOOT * side;
        sole->marks[2 * side + 1] = POINTS_A_FOOT * side + 1;
    }
}

// The lowest points nearest to a place along the foot stand for heel and ball.
static int32_t find_mark(const GtiTread* sole, const Foot* foot, int part, float place)
{
    int32_t best = GT_NONE;
    float least = INFINITY;
    float ankle_height = fmaxf(foot->ankle.y - foot->low, 1e-6f);
    for (int32_t i = 0; i < sole->point_count; ++i) {
        if (sole->parts[i] == part) {
            float distance = fabsf(along(foot, sole->points[i]) - place) + 3.0f * (sole->points[i].y - foot->low);
            distance += sole->points[i].y - foot->low > 0.3f * ankle_height ? ankle_height : 0.0f;
            if (distance < least) {
                least = distance;
                best = i;
            }
        }
    }
    return best;
}

static bool part_mesh_points(const GtFigure* f, GtiTread* sole, const int8_t* side_of)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        Foot foot = foot_of_joints(f, side);
        float front = 0.0f;
        foot.low = INFINITY;
        foot.back = 0.0f;
        for (int32_t i = 0; i < sole->point_count; ++i) {
            if (side_of[i] == side) {
                foot.low = fminf(foot.low, sole->points[i].y);
                foot.back = fmaxf(foot.back, -along(&foot, sole->points[i]));
                front = fmaxf(front, along(&foot, sole->points[i]));
            }
        }
        foot.ball = foot.toes == GT_NONE ? 0.65f * front : fminf(foot.ball, front);
        for (int32_t i = 0; i < sole->point_count; ++i) {
            if (side_of[i] == side && sole->points[i].y <= foot.ankle.y) {
                sole->parts[i] = (int8_t)(2 * side + (along(&foot, sole->points[i]) > 0.5f * foot.ball));
            }
        }
        sole->marks[2 * side] = find_mark(sole, &foot, 2 * side, -0.7f * foot.back);
        sole->marks[2 * side + 1] = find_mark(sole, &foot, 2 * side + 1, foot.ball);
    }
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        if (sole->marks[p] == GT_NONE) {
            return false;
        }
    }
    return true;
}

bool gti_tread_push(GtArena* arena, GtiTread* sole)
{
    size_t count = (size_t)sole->point_count;
    sole->parts = gt_arena_push_array(arena, count, sizeof *sole->parts);
    sole->nodes = gt_arena_push_array(arena, count, sizeof *sole->nodes);
    sole->offsets = gt_arena_push_array(arena, count, sizeof *sole->offsets);
    sole->points = gt_arena_push_array(arena, count, sizeof *sole->points);
    sole->toe_shares = gt_arena_push_array(arena, count, sizeof *sole->toe_shares);
    if (!sole->parts || !sole->nodes || !sole->offsets || !sole->points || !sole->toe_shares) {
        return false;
    }
    memset(sole->parts, GT_NONE, count);
    return true;
}

void gti_tread_bound(GtiTread* sole)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        sole->first[side] = sole->end[side] = 0;
        for (int32_t i = sole->point_count - 1; i >= 0; --i) {
            if (sole->parts[i] != GT_NONE && sole->parts[i] / 2 == side) {
                sole->first[side] = i;
                sole->end[side] = sole->end[side] ? sole->end[side] : i + 1;
            }
        }
    }
}

static GtResult lay_out_mesh_points(GtArena* arena, const GtFigure* f, GtiTread* sole, GtError* error)
{
    const GtCharacterDef* def = gt_character_def(sole->character);
    sole->deformed_count = sole->point_count;
    int8_t* node_sides = find_foot_nodes(f, arena);
    int8_t* side_of = gt_arena_push_array(arena, (size_t)sole->point_count, sizeof *side_of);
    sole->scratch = gt_arena_push(arena, gti_tread_scratch_size(sole));
    if (!node_sides || !side_of || !sole->scratch || !gti_tread_push(arena, sole)) {
        return gti_out_of_memory(error);
    }
    int32_t at = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            side_of[at] = (int8_t)vertex_side(f, &def->meshes[m], v, node_sides);
            sole->toe_shares[at++] = toe_share(f, &def->meshes[m], v);
        }
    }
    memcpy(f->instance->model_from_node, f->reference, (size_t)f->def->node_count * sizeof *f->reference);
    gti_tread_update(sole, sole->points);
    sole->is_mesh = part_mesh_points(f, sole, side_of);
    gti_tread_bound(sole);
    return GT_OK;
}

GtResult gti_tread_open(const GtContext* context, GtArena* arena, const GtFigure* figure, GtiTread* out, GtError* error)
{
    *out = (GtiTread){ .figure = figure };
    gt_instance_reset(figure->instance);
    GtResult result = cut_feet(context, arena, figure, out, error);
    if (result == GT_OK && out->is_mesh) {
        result = lay_out_mesh_points(arena, figure, out, error);
    }
    if (result != GT_OK || out->is_mesh) {
        return result;
    }
    gti_tread_close(out); // no vertices, or none where heel and ball should be
    *out = (GtiTread){ .figure = figure, .point_count = POINTS_A_FOOT * GTI_SIDE_COUNT };
    if (!gti_tread_push(arena, out)) {
        return gti_out_of_memory(error);
    }
    put_skeleton_points(figure, out);
    gti_tread_bound(out);
    return GT_OK;
}

void gti_tread_close(GtiTread* sole)
{
    gt_character_destroy(sole->character);
    sole->character = NULL;
}

size_t gti_tread_scratch_size(const GtiTread* sole)
{
    size_t most = 0;
    for (int32_t m = 0; sole->character && m < gt_character_def(sole->character)->mesh_count; ++m) {
        size_t size = gt_deform_scratch_size(sole->character, m);
        most = size > most ? size : most;
    }
    return most;
}

void gti_tread_points(const GtiTread* sole, const GtMat34* model_from_node, const float* weights, void* scratch,
                      GtVec3* points)
{
    for (int32_t i = sole->deformed_count; i < sole->point_count; ++i) {
        points[i] = gt_mat34_point(&model_from_node[sole->nodes[i]], sole->offsets[i]);
    }
    for (int32_t m = 0; sole->character && m < gt_character_def(sole->character)->mesh_count; ++m) {
        gt_deform(&(GtDeformJob){
            .character = sole->character,
            .mesh = m,
            .model_from_node = model_from_node,
            .weights = weights,
            .out_positions = points,
            .scratch = scratch,
        });
        points += gt_character_def(sole->character)->meshes[m].vertex_count;
    }
}

void gti_tread_update(GtiTread* sole, GtVec3* points)
{
    const GtInstance* instance = sole->figure->instance;
    gti_tread_points(sole, instance->model_from_node, instance->weights, sole->scratch, points);
}

// Choose the lowest point of every part, of foot and of toes apart, in a direction that is up.
static void choose_lowest(const GtiTread* sole, GtVec3 up, bool* chosen)
{
    enum {
        GROUP_COUNT = 2 * GTI_SOLE_PART_COUNT
    };
    int32_t lowest[GROUP_COUNT];
    float heights[GROUP_COUNT];
    for (int g = 0; g < GROUP_COUNT; ++g) {
        lowest[g] = GT_NONE;
    }
    for (int32_t i = 0; i < sole->point_count; ++i) {
        int group = 2 * sole->parts[i] + (sole->toe_shares[i] > 0.5f);
        float height = gt_vec3_dot(sole->points[i], up);
        if (sole->parts[i] != GT_NONE && (lowest[group] == GT_NONE || height < heights[group])) {
            lowest[group] = i;
            heights[group] = height;
        }
    }
    for (int g = 0; g < GROUP_COUNT; ++g) {
        if (lowest[g] != GT_NONE) {
            chosen[lowest[g]] = true;
        }
    }
}

// The foot tilts along and across its length. The reference pose is in `points`.
static void choose_extremes(const GtiTread* sole, bool* chosen)
{
    GtVec3 ahead = gti_figure_forward(sole->figure);
    GtVec3 aside = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), ahead);
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        chosen[sole->marks[p]] = true;
    }
    for (int pitch = -PITCHES; pitch <= PITCHES; ++pitch) {
        for (int roll = -ROLLS; roll <= ROLLS; ++roll) {
            float along_rad = TILT_RAD * (float)pitch;
            float across_rad = TILT_RAD * (float)roll;
            GtVec3 level = gt_vec3_add(gt_vec3_scale(ahead, sinf(along_rad) * cosf(across_rad)),
                                       gt_vec3_scale(aside, sinf(across_rad)));
            choose_lowest(sole, gt_vec3_add(level, gt_vec3(0.0f, cosf(along_rad) * cosf(across_rad), 0.0f)), chosen);
        }
    }
}

GtResult gti_tread_keep(const GtContext* context, GtArena* arena, GtiTread* sole, const bool* chosen, GtError* error)
{
    GtCharacterDef def = *gt_character_def(sole->character);
    GtMeshDef* meshes = gt_arena_push_array(arena, (size_t)def.mesh_count, sizeof *meshes);
    if (!meshes) {
        return gti_out_of_memory(error);
    }
    const GtMeshDef* whole = def.meshes;
    int32_t whole_count = def.mesh_count;
    const bool* chosen_of_mesh = chosen;
    def.meshes = meshes;
    def.mesh_count = 0;
    def.section_count = 0; // feet are hard: sections would need binds of what is left of them
    for (int32_t m = 0; m < whole_count; ++m) {
        if (!cut_mesh(&whole[m], chosen_of_mesh, arena, &meshes[def.mesh_count])) {
            return gti_out_of_memory(error);
        }
        chosen_of_mesh += whole[m].vertex_count;
        def.mesh_count += meshes[def.mesh_count].vertex_count > 0;
    }
    GtCharacter* thin = NULL;
    GtResult result = gt_character_create(context->allocator, &def, &thin, error);
    if (result != GT_OK) {
        return result;
    }
    gt_character_destroy(sole->character);
    sole->character = thin;
    int32_t count = 0;
    for (int32_t i = 0; i < sole->point_count; ++i) {
        for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
            sole->marks[p] = sole->marks[p] == i ? count : sole->marks[p];
        }
        if (chosen[i]) {
            sole->parts[count] = sole->parts[i];
            sole->toe_shares[count] = sole->toe_shares[i];
            sole->points[count++] = sole->points[i];
        }
    }
    sole->point_count = count;
    sole->deformed_count = count;
    return GT_OK;
}

GtResult gti_tread_thin(const GtContext* context, GtArena* arena, GtiTread* sole, GtError* error)
{
    if (!sole->character) {
        return GT_OK;
    }
    bool* chosen = gt_arena_push_array(arena, (size_t)sole->point_count, sizeof *chosen);
    if (!chosen) {
        return gti_out_of_memory(error);
    }
    choose_extremes(sole, chosen);
    return gti_tread_reduce(context, arena, sole, chosen, error);
}
