// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The deformer of harmonic skins. Markers follow the joints, the surface is solved once for all meshes, and each point
// gets a matrix: where it is, and the mean over its triangles of how they were deformed, weighted by area. With edges
// a, b and normal n = a x b of a triangle at rest, and a', b', n' in the frame, that is
//     F = (a' (b x n)^T + b' (n x a)^T + n' n^T) / |n|^2,
// which takes a to a', b to b' and n to n'. So whatever is on the surface goes along: shapes, normals, tangents, and
// vertices that welding has moved.

#include "runtime/harmonic/skin.h"

#include "runtime/harmonic/follow.h"
#include "runtime/harmonic/harmonic.h"
#include "runtime/kernels.h"

#include <math.h>
#include <string.h>

typedef float Four __attribute__((vector_size(16)));

// Arrays of a frame, in the caller's scratch.
typedef struct Frame {
    GtQuat* rotations;     // [marker_count]
    float* twists;         // [marker_count]
    GtHarmonicHold* holds; // [handle_count]
    GtVec3* positions;     // [vertex_count]
    GtiBoneRotations bones;
    void* scratch; // of gt_harmonic_pose()
} Frame;

// Lay the arrays of a frame out in `scratch`, which may be NULL; the bytes they take.
static size_t lay_out_frame(const GtHarmonicSkinDef* skin, void* scratch, Frame* out)
{
    const GtHarmonic* h = skin->harmonic;
    size_t markers = (size_t)h->marker_count;
    size_t bones = (size_t)skin->bone_count;
    *out = (Frame){ .rotations = NULL };
    const struct {
        void** array;
        size_t size;
    } parts[] = {
        { &out->scratch, gt_harmonic_pose_scratch_size(h) },
        { (void**)&out->rotations, markers * sizeof *out->rotations },
        { (void**)&out->twists, markers * sizeof *out->twists },
        { (void**)&out->holds, (size_t)h->handle_count * sizeof *out->holds },
        { (void**)&out->positions, (size_t)h->vertex_count * sizeof *out->positions },
        { (void**)&out->bones.rotations, bones * sizeof *out->bones.rotations },
        { (void**)&out->bones.swings, bones * sizeof *out->bones.swings },
        { (void**)&out->bones.bends, bones * sizeof *out->bones.bends },
        { (void**)&out->bones.twists, bones * sizeof *out->bones.twists },
        { (void**)&out->bones.angles, bones * sizeof *out->bones.angles },
    };
    char* at = scratch ? (char*)scratch + (GT_ALIGNMENT - (uintptr_t)scratch % GT_ALIGNMENT) % GT_ALIGNMENT : NULL;
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        *parts[i].array = at ? at + used : NULL;
        used += (parts[i].size + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT;
    }
    return used + GT_ALIGNMENT;
}

// Where the linear skin has the handles.
static void hold_handles(const GtHarmonicSkinDef* skin, const GtMat34* model_from_node, GtHarmonicHold* holds)
{
    for (int32_t i = 0; i < skin->harmonic->handle_count; ++i) {
        holds[i] = (GtHarmonicHold){ .strength = 0.0f };
    }
    for (int32_t i = 0; i < skin->grip_count; ++i) {
        const GtHarmonicGrip* grip = &skin->grips[i];
        const GtMat34* node = &model_from_node[grip->node];
        GtHarmonicHold* hold = &holds[grip->handle];
        GtVec3 part =
            gt_vec3_add(gt_mat34_vector(node, grip->point), gt_vec3_scale(gt_mat34_translation(node), grip->weight));
        hold->position = gt_vec3_add(hold->position, part);
        hold->strength = skin->strengths[grip->handle];
    }
}

static inline Four four(GtVec3 v)
{
    return (Four){ v.x, v.y, v.z, 0.0f };
}

static inline void add_row(float row[4], Four sum)
{
    Four old;
    memcpy(&old, row, sizeof old);
    old += sum;
    memcpy(row, &old, sizeof old);
}

// Sum over the triangles of each point: how they were deformed, times twice their area; and in column 3 of row 0, twice
// their area.
static void sum_deformations(const GtHarmonic* h, const GtVec3* positions, GtMat34* sums)
{
    memset(sums, 0, (size_t)h->vertex_count * sizeof *sums);
    for (int32_t t = 0; t < h->face_count; ++t) {
        const int32_t* c = h->faces[t];
        GtVec3 rest_a = gt_vec3_sub(h->rest[c[1]], h->rest[c[0]]);
        GtVec3 rest_b = gt_vec3_sub(h->rest[c[2]], h->rest[c[0]]);
        GtVec3 rest_n = gt_vec3_cross(rest_a, rest_b);
        float length = gt_vec3_length(rest_n);
        float scale = length > 0.0f ? 1.0f / length : 0.0f;
        if (!(scale > 0.0f && scale < INFINITY)) {
            continue; // no area, no say
        }
        GtVec3 a = gt_vec3_sub(positions[c[1]], positions[c[0]]);
        GtVec3 b = gt_vec3_sub(positions[c[2]], positions[c[0]]);
        GtVec3 n = gt_vec3_cross(a, b);
        GtVec3 unit = gt_vec3_scale(rest_n, scale);
        Four by_a = four(gt_vec3_cross(rest_b, unit));
        Four by_b = four(gt_vec3_cross(unit, rest_a));
        Four by_n = four(unit);
        const Four rows[3] = { a.x * by_a + b.x * by_b + n.x * by_n + (Four){ 0.0f, 0.0f, 0.0f, length },
                               a.y * by_a + b.y * by_b + n.y * by_n, a.z * by_a + b.z * by_b + n.z * by_n };
        for (int k = 0; k < 3; ++k) {
            for (int row = 0; row < 3; ++row) {
                add_row(sums[c[k]].m[row], rows[row]);
            }
        }
    }
}

// From sums to means, with the points in column 3. A point without area rotates as the first bone does.
static void make_matrices(const GtHarmonic* h, const GtVec3* positions, GtQuat first_bone, GtMat34* matrices)
{
    GtMat34 first =
        gt_mat34_from_transform((GtTransform){ .rotation = first_bone, .scale = gt_vec3(1.0f, 1.0f, 1.0f) });
    for (int32_t p = 0; p < h->vertex_count; ++p) {
        GtMat34* matrix = &matrices[p];
        float weight = matrix->m[0][3];
        float scale = weight > 0.0f ? 1.0f / weight : 0.0f;
        const float position[3] = { positions[p].x, positions[p].y, positions[p].z };
        if (!(scale > 0.0f && scale < INFINITY)) {
            *matrix = first;
            scale = 1.0f;
        }
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                matrix->m[row][column] *= scale;
            }
            matrix->m[row][3] = position[row];
        }
    }
}

GtHarmonicSkinDef gt_default_harmonic_skin_def(void)
{
    return (GtHarmonicSkinDef){ .anchor_node = GT_NONE };
}

int32_t gt_harmonic_skin_point_count(const GtCharacter* character)
{
    return character->def.harmonic ? character->def.harmonic->harmonic->vertex_count : 0;
}

size_t gt_harmonic_skin_scratch_size(const GtCharacter* character)
{
    Frame frame;
    return character->def.harmonic ? lay_out_frame(character->def.harmonic, NULL, &frame) : 0;
}

void gt_harmonic_skin_pose(const GtCharacter* character, const GtMat34* model_from_node, const GtExecutor* executor,
                           GtMat34* model_from_point, void* scratch)
{
    const GtHarmonicSkinDef* skin = character->def.harmonic;
    if (!skin) {
        return;
    }
    Frame frame;
    lay_out_frame(skin, scratch, &frame);
    gti_harmonic_rotate_bones(skin, model_from_node, &frame.bones);
    gti_harmonic_rotate_markers(skin, model_from_node, skin->harmonic->marker_count, &frame.bones, frame.rotations,
                                frame.twists);
    hold_handles(skin, model_from_node, frame.holds);
    const GtHarmonicFrame job = {
        .rotations = frame.rotations,
        .twists = frame.twists,
        .holds = frame.holds,
        .anchor = gt_mat34_point(&model_from_node[skin->anchor_node], skin->anchor_point),
        .anchor_give = skin->anchor_give,
        .positions = frame.positions,
    };
    gt_harmonic_pose(skin->harmonic, &job, executor, frame.scratch);
    sum_deformations(skin->harmonic, frame.positions, model_from_point);
    make_matrices(skin->harmonic, frame.positions, frame.bones.rotations[0], model_from_point);
}

// Vertices as the meshes have them, or, where that differs, in the bind pose.
static void move_vertices(const GtiDeformStep* step, const GtMat34* bind_from_mesh)
{
    const GtVec3* rest = step->character->harmonic->harmonic->rest;
    for (int32_t i = 0; i < step->mesh->vertex_count; ++i) {
        const GtMat34* matrix = &step->model_from_point[step->points[i]];
        GtVec3 position = step->in.positions[i];
        position = bind_from_mesh ? gt_mat34_point(bind_from_mesh, position) : position;
        step->out.positions[i] = gt_mat34_point(matrix, gt_vec3_sub(position, rest[step->points[i]]));
        if (step->out.normals) {
            GtVec3 normal = step->in.normals[i];
            normal = bind_from_mesh ? gt_mat34_normal(bind_from_mesh, normal) : normal;
            step->out.normals[i] = gti_unit(gt_mat34_normal(matrix, normal));
        }
        if (step->out.tangents) {
            GtVec3 tangent = gti_tangent_get(step->in.tangents, i);
            tangent = bind_from_mesh ? gt_mat34_vector(bind_from_mesh, tangent) : tangent;
            gti_tangent_put(step->out.tangents, step->in.tangents, i, gt_mat34_vector(matrix, tangent));
        }
    }
}

static void apply(const GtiDeformStep* step)
{
    const GtMat34* bind_from_mesh = &step->character->harmonic->bind_from_mesh[step->mesh - step->character->meshes];
    GtMat34 same = gt_mat34_identity();
    move_vertices(step, memcmp(bind_from_mesh, &same, sizeof same) == 0 ? NULL : bind_from_mesh);
}

static void slopes(const GtiDeformStep* step, const uint32_t* vertices, int32_t count, GtMat34* out)
{
    const GtMat34* bind_from_mesh = &step->character->harmonic->bind_from_mesh[step->mesh - step->character->meshes];
    for (int32_t i = 0; i < count; ++i) {
        out[i] = gt_mat34_mul(step->model_from_point[step->points[vertices[i]]], *bind_from_mesh);
    }
}

const GtiDeformer gti_skin_harmonic = {
    .name = "harmonic skin",
    .kind = GT_DEFORMER_HARMONIC,
    .input = GTI_SPACE_REST,
    .output = GTI_SPACE_MODEL,
    .reads = GTI_READS_POINTS,
    .unit_normals = true,
    .apply = apply,
    .slopes = slopes,
};
