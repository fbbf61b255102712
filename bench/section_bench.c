// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What sections cost over the linear skin alone: a limb of 16 joints and 50,000 vertices with four influences each, 16
// sections of 4 x 4 x 4 control points, all of them moved and felt, by a pose or each by itself; and B-splines of
// 6 x 6 x 6. Every vertex is in one section.

#include "bench.h"

#include "gertie/instance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIMBS = 16,
    AROUND = 50,
    RINGS = 1000,
    VERTICES = AROUND * RINGS,
    INFLUENCES = 4,
    MOST_POINTS = 6 * 6 * 6,
};

static GtVec3 positions[VERTICES];
static GtVec3 normals[VERTICES];
static uint16_t joints[VERTICES * INFLUENCES];
static float weights[VERTICES * INFLUENCES];
static uint32_t vertices[LIMBS][VERTICES];
static float masks[LIMBS][VERTICES];
static GtVec3 gradients[LIMBS][VERTICES];
static GtVec3 out_positions[VERTICES];
static GtVec3 out_normals[VERTICES];

typedef struct Case {
    GtCharacter* character;
    GtInstance* instance;
} Case;

static void deform_positions(void* user)
{
    gt_instance_deform(((Case*)user)->instance, 0, out_positions, NULL, NULL);
}

static void deform_all(void* user)
{
    gt_instance_deform(((Case*)user)->instance, 0, out_positions, out_normals, NULL);
}

static void fill_vertices(void)
{
    for (int v = 0; v < VERTICES; ++v) {
        float angle = 6.2831853f * (float)(v % AROUND) / AROUND;
        float along = LIMBS * ((float)(v / AROUND) + 0.5f) / RINGS;
        positions[v] = gt_vec3(0.3f * cosf(angle), along, 0.3f * sinf(angle));
        normals[v] = gt_vec3(cosf(angle), 0.0f, sinf(angle));
        int limb = (int)along;
        float sum = 0.0f;
        for (int k = 0; k < INFLUENCES; ++k) {
            int joint = limb - 1 + k;
            joint = joint < 0 ? 0 : joint >= LIMBS ? LIMBS - 1 : joint;
            float weight = expf(-4.0f * fabsf(along - (float)joint - 0.5f));
            joints[v * INFLUENCES + k] = (uint16_t)joint;
            weights[v * INFLUENCES + k] = weight;
            sum += weight;
        }
        for (int k = 0; k < INFLUENCES; ++k) {
            weights[v * INFLUENCES + k] /= sum;
        }
    }
}

// A mask that fades from the middle of the limb to its ends.
static int32_t fill_bind(int limb)
{
    int32_t count = 0;
    for (int v = 0; v < VERTICES; ++v) {
        float place = positions[v].y - (float)limb - 0.5f;
        if (fabsf(place) < 0.5f) {
            vertices[limb][count] = (uint32_t)v;
            masks[limb][count] = 1.0f - 4.0f * place * place;
            gradients[limb][count++] = gt_vec3(0.0f, -8.0f * place, 0.0f);
        }
    }
    return count;
}

// posed: move control points by a pose; side: control points along each axis
static Case create_case(int32_t section_count, bool posed, int32_t side)
{
    static GtVec3 offsets[LIMBS][MOST_POINTS];
    static GtLatticePose poses[LIMBS];
    static int32_t parents[LIMBS];
    static int32_t nodes[LIMBS];
    static GtTransform rest[LIMBS];
    static GtMat34 joint_from_mesh[LIMBS];
    static GtSectionDef sections[LIMBS];
    static GtSectionBindDef binds[LIMBS];
    for (int i = 0; i < LIMBS; ++i) {
        parents[i] = i - 1;
        nodes[i] = i;
        rest[i] = gt_transform_identity();
        rest[i].translation.y = i ? 1.0f : 0.0f;
        joint_from_mesh[i] = gt_mat34_identity();
        joint_from_mesh[i].m[1][3] = (float)-i;
        sections[i] = gt_default_section_def();
        sections[i].node = i;
        for (int k = 0; k < 3 * MOST_POINTS; ++k) {
            (&offsets[i][0].x)[k] = 0.05f * sinf((float)(k + 193 * i));
        }
        poses[i] = (GtLatticePose){ "flex", offsets[i] };
        sections[i].pose_count = 1;
        sections[i].poses = &poses[i];
        sections[i].lattice.space_from_box =
            (GtMat34){ { { 0.8f, 0, 0, -0.4f }, { 0, 1.0f, 0, 0.0f }, { 0, 0, 0.8f, -0.4f } } };
        sections[i].lattice.basis = side > 4 ? GT_LATTICE_B_SPLINE : GT_LATTICE_BEZIER;
        for (int axis = 0; axis < 3; ++axis) {
            sections[i].lattice.counts[axis] = side;
        }
        binds[i] = gt_default_section_bind_def();
        binds[i].section = i;
        binds[i].entry_count = fill_bind(i);
        binds[i].vertices = vertices[i];
        binds[i].masks = masks[i];
        binds[i].mask_gradients = gradients[i];
    }
    GtSkinDef skin = { nodes, LIMBS, joint_from_mesh };
    GtMeshDef mesh = {
        .material = GT_NONE,
        .vertex_count = VERTICES,
        .positions = positions,
        .normals = normals,
        .influence_count = INFLUENCES,
        .joints = joints,
        .weights = weights,
        .section_bind_count = section_count,
        .section_binds = binds,
    };
    GtCharacterDef def = gt_default_character_def();
    def.node_count = LIMBS;
    def.parents = parents;
    def.rest = rest;
    def.skin_count = 1;
    def.skins = &skin;
    def.mesh_count = 1;
    def.meshes = &mesh;
    def.section_count = section_count;
    def.sections = sections;
    GtError error;
    Case made;
    BENCH_OK(gt_character_create(gt_default_allocator(), &def, &made.character, &error));
    BENCH_OK(gt_instance_create(gt_default_allocator(), made.character, &made.instance, &error));
    for (int i = 1; i < LIMBS; ++i) {
        made.instance->pose[i].rotation = gt_quat_normalize(gt_quat(0.1f, 0.05f, 0.02f, 1.0f));
    }
    for (int i = 0; i < section_count; ++i) {
        float* values = made.instance->section_values + gt_section_first_value(made.character, i);
        values[0] = 0.7f;
        values[1] = posed ? 1.0f : 0.0f;
        if (!posed) {
            memcpy(values + 2, offsets[i], (size_t)(side * side * side) * sizeof(GtVec3));
        }
    }
    gt_instance_update(made.instance);
    return made;
}

static void destroy_case(Case* made)
{
    gt_instance_destroy(made->instance);
    gt_character_destroy(made->character);
}

int main(void)
{
    fill_vertices();
    Case plain = create_case(0, false, 4);
    Case posed = create_case(LIMBS, true, 4);
    Case moved = create_case(LIMBS, false, 4);
    Case splines = create_case(LIMBS, false, 6);
    Case* all[3] = { &posed, &moved, &splines };
    static const char* const names[3] = { "and 16 sections, posed", "and 16 sections, every point moved",
                                          "and 16 sections of 6 x 6 x 6, likewise" };
    for (int i = 0; i < 3; ++i) {
        const BenchCase positions_only[] = { { "linear skin", deform_positions, &plain },
                                             { names[i], deform_positions, all[i] } };
        const BenchCase with_normals[] = { { "linear skin", deform_all, &plain }, { names[i], deform_all, all[i] } };
        bench_compare("Positions of 50,000 vertices", positions_only, 2);
        bench_compare("Positions and normals of 50,000 vertices", with_normals, 2);
    }
    destroy_case(&plain);
    destroy_case(&posed);
    destroy_case(&moved);
    destroy_case(&splines);
    return 0;
}
