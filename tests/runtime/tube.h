// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A tube of two limbs that bends in the middle, with a section on each limb and a second on the first, whose masks
// overlap.

#ifndef GERTIE_TESTS_RUNTIME_TUBE_H
#define GERTIE_TESTS_RUNTIME_TUBE_H

#include "gertie/instance.h"
#include "runtime/drive/jiggle.h"

#include "runtime/vertices.h"

enum {
    TUBE_AROUND = 12,
    TUBE_RINGS = 101,
    TUBE_VERTICES = TUBE_AROUND * TUBE_RINGS,
    TUBE_COARSE_RINGS = 17,
    TUBE_SECTIONS = 3,
    TUBE_POSES = 1,
    TUBE_MAX_POINTS = 4 * 6 * 4,
};

static const float tube_radius = 0.15f;

typedef struct Tube {
    GtVec3 positions[TUBE_VERTICES];
    GtVec3 normals[TUBE_VERTICES];
    float tangents[4 * TUBE_VERTICES];
    uint16_t joints[2 * TUBE_VERTICES];
    float weights[2 * TUBE_VERTICES];
    uint32_t morph_vertices[TUBE_VERTICES];
    GtVec3 morph_moves[TUBE_VERTICES];
    uint32_t bind_vertices[TUBE_SECTIONS][TUBE_VERTICES];
    float masks[TUBE_SECTIONS][TUBE_VERTICES];
    GtVec3 gradients[TUBE_SECTIONS][TUBE_VERTICES];
    GtVec3 pose_offsets[TUBE_SECTIONS][TUBE_MAX_POINTS];
    GtLatticePose poses[TUBE_SECTIONS][TUBE_POSES];
    GtSectionBindDef binds[TUBE_SECTIONS];
    GtSectionDef sections[TUBE_SECTIONS];
    GtTransform rest[3];
    GtMat34 joint_from_mesh[2];
    int32_t vertex_count;
    float rest_weights[1];
    GtMorphDef morph;
    GtSkinDef skin;
    GtDeformerData deformers[2];
    GtMeshDef mesh;
    GtCharacterDef def;
    GtCharacter* character;
    GtInstance* instance;
    GtVec3 out_positions[TUBE_VERTICES];
    GtVec3 out_normals[TUBE_VERTICES];
    float out_tangents[4 * TUBE_VERTICES];
} Tube;

// A step of degree 5 from 0 at `low` to 1 at `high`; its slope goes to *slope.
static inline double tube_ramp(double low, double high, double x, double* slope)
{
    double r = fmin(fmax((x - low) / (high - low), 0.0), 1.0);
    *slope = 30.0 * r * r * (1.0 - r) * (1.0 - r) / (high - low);
    return r * r * r * (10.0 + r * (6.0 * r - 15.0));
}

// Masks of all sections at height y, and their slopes: m_k = r_k / (1 + sum of the others' r).
static inline void tube_masks(double y, double masks[TUBE_SECTIONS], double slopes[TUBE_SECTIONS])
{
    static const double ends[TUBE_SECTIONS][4] = { { 0.05, 0.4, 0.4, 1.0 },
                                                   { 1.0, 1.5, 1.7, 1.95 },
                                                   { 0.15, 0.5, 0.5, 0.85 } };
    double r[TUBE_SECTIONS];
    double d[TUBE_SECTIONS];
    for (int k = 0; k < TUBE_SECTIONS; ++k) {
        double up = 0.0;
        double down = 0.0;
        double rise = tube_ramp(ends[k][0], ends[k][1], y, &up);
        double fall = 1.0 - tube_ramp(ends[k][2], ends[k][3], y, &down);
        r[k] = rise * fall;
        d[k] = up * fall - rise * down;
    }
    for (int k = 0; k < TUBE_SECTIONS; ++k) {
        double others = 1.0;
        double change = 0.0;
        for (int j = 0; j < TUBE_SECTIONS; ++j) {
            others += j == k ? 0.0 : r[j];
            change += j == k ? 0.0 : d[j];
        }
        masks[k] = r[k] / others;
        slopes[k] = d[k] / others - r[k] * change / (others * others);
    }
}

// `weighed_at` is the height whose weights the vertex has.
static inline void tube_vertex(Tube* tube, int32_t v, double angle, double y, double angle_of_normal, double weighed_at)
{
    double r = (double)tube_radius;
    tube->positions[v] = gt_vec3((float)(r * cos(angle)), (float)y, (float)(r * sin(angle)));
    tube->normals[v] = gt_vec3((float)cos(angle_of_normal), 0.0f, (float)sin(angle_of_normal));
    float* tangent = &tube->tangents[4 * v];
    tangent[0] = (float)-sin(angle_of_normal);
    tangent[1] = 0.0f;
    tangent[2] = (float)cos(angle_of_normal);
    tangent[3] = 1.0f;
    double slope = 0.0;
    float upper = (float)tube_ramp(0.6, 1.4, weighed_at, &slope);
    tube->joints[2 * v] = 0;
    tube->joints[2 * v + 1] = 1;
    tube->weights[2 * v] = 1.0f - upper;
    tube->weights[2 * v + 1] = upper;
    tube->morph_vertices[v] = (uint32_t)v;
    tube->morph_moves[v] = gt_vec3_scale(tube->normals[v], (float)(0.1 * sin(3.0 * y)));
}

static inline void tube_fill_rings(Tube* tube, int32_t ring_count)
{
    tube->vertex_count = TUBE_AROUND * ring_count;
    for (int32_t v = 0; v < tube->vertex_count; ++v) {
        double angle = 2.0 * 3.14159265358979 * (v % TUBE_AROUND) / TUBE_AROUND;
        double y = 2.0 * (v / TUBE_AROUND) / (ring_count - 1);
        tube_vertex(tube, v, angle, y, angle, y);
    }
}

// Threes: a vertex, one a little above it and one a little around the tube, all with the weights of the first.
static inline void tube_fill_triples(Tube* tube)
{
    const double h = 3e-4;
    int32_t count = TUBE_VERTICES / 3;
    tube->vertex_count = TUBE_VERTICES;
    for (int32_t i = 0; i < count; ++i) {
        double angle = 2.4 * i;
        double y = 0.01 + 1.97 * i / count;
        tube_vertex(tube, 3 * i, angle, y, angle, y);
        tube_vertex(tube, 3 * i + 1, angle, y + h, angle, y);
        tube_vertex(tube, 3 * i + 2, angle + h / (double)tube_radius, y, angle, y);
    }
}

static inline void tube_fill_sections(Tube* tube)
{
    static const char* const names[TUBE_SECTIONS] = { "upper", "lower", "biceps" };
    static const float spans[TUBE_SECTIONS][2] = { { 0.0f, 1.1f }, { -0.1f, 1.0f }, { 0.1f, 0.9f } };
    for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
        GtSectionDef* section = &tube->sections[s];
        *section = gt_default_section_def();
        section->name = names[s];
        section->node = s == 1 ? 2 : 1;
        float height = spans[s][1] - spans[s][0];
        section->lattice.space_from_box =
            (GtMat34){ { { 0.5f, 0, 0, -0.25f }, { 0, height, 0, spans[s][0] }, { 0, 0, 0.5f, -0.25f } } };
        if (s == 1) { // one that is no cubic polynomial
            section->lattice.basis = GT_LATTICE_B_SPLINE;
            section->lattice.counts[1] = 6;
        }
        GtVec3 rest[TUBE_MAX_POINTS];
        gt_lattice_rest(&section->lattice, rest);
        for (int32_t i = 0; i < gt_lattice_point_count(&section->lattice); ++i) { // swell in the middle
            float share = (rest[i].y - spans[s][0]) / height;
            float size = 0.6f * share * (1.0f - share);
            tube->pose_offsets[s][i] = gt_vec3(size * rest[i].x, 0.0f, size * rest[i].z);
        }
        tube->poses[s][0] = (GtLatticePose){ "flex", tube->pose_offsets[s] };
        section->pose_count = TUBE_POSES;
        section->poses = tube->poses[s];
        GtSectionBindDef* bind = &tube->binds[s];
        *bind = (GtSectionBindDef){ s, 0, tube->bind_vertices[s], tube->masks[s], tube->gradients[s] };
        for (int32_t v = 0; v < tube->vertex_count; ++v) {
            double masks[TUBE_SECTIONS];
            double slopes[TUBE_SECTIONS];
            tube_masks((double)tube->positions[v].y, masks, slopes);
            if (masks[s] > 0.0) {
                tube->bind_vertices[s][bind->entry_count] = (uint32_t)v;
                tube->masks[s][bind->entry_count] = (float)masks[s];
                tube->gradients[s][bind->entry_count++] = gt_vec3(0.0f, (float)slopes[s], 0.0f);
            }
        }
    }
}

// All but the sections.
static inline void tube_describe(Tube* tube, GtSkinMethod method)
{
    static const int32_t parents[3] = { GT_NONE, 0, 1 };
    static const char* const names[3] = { "root", "upperArm", "lowerArm" };
    static const int32_t joints[2] = { 1, 2 };
    for (int i = 0; i < 3; ++i) {
        tube->rest[i] = gt_transform_identity();
    }
    tube->rest[2].translation.y = 1.0f;
    tube->joint_from_mesh[0] = gt_mat34_identity();
    tube->joint_from_mesh[1] = gt_mat34_identity();
    tube->joint_from_mesh[1].m[1][3] = -1.0f;
    tube->rest_weights[0] = 0.0f;
    tube->morph = (GtMorphDef){
        .name = "breath",
        .entry_count = tube->vertex_count,
        .vertices = tube->morph_vertices,
        .positions = tube->morph_moves,
        .normals = tube->morph_moves,
    };
    tube->skin = (GtSkinDef){ joints, 2, tube->joint_from_mesh };
    tube->deformers[0] = (GtDeformerData){ .kind = GT_DEFORMER_MORPH };
    tube->deformers[1] = (GtDeformerData){ .kind = GT_DEFORMER_SKIN, .skin_method = method };
    tube->mesh = (GtMeshDef){
        .name = "tube",
        .node = 0,
        .material = GT_NONE,
        .vertex_count = tube->vertex_count,
        .positions = tube->positions,
        .normals = tube->normals,
        .tangents = tube->tangents,
        .morph_count = 1,
        .morphs = &tube->morph,
        .influence_count = 2,
        .joints = tube->joints,
        .weights = tube->weights,
        .deformers = tube->deformers,
        .deformer_count = 2,
    };
    tube->def = gt_default_character_def();
    tube->def.node_count = 3;
    tube->def.parents = parents;
    tube->def.rest = tube->rest;
    tube->def.names = names;
    tube->def.weight_count = 1;
    tube->def.rest_weights = tube->rest_weights;
    tube->def.skin_count = 1;
    tube->def.skins = &tube->skin;
    tube->def.mesh_count = 1;
    tube->def.meshes = &tube->mesh;
}

static inline void tube_hang(Tube* tube, int32_t section_count)
{
    tube->mesh.section_bind_count = section_count;
    tube->mesh.section_binds = tube->binds;
    tube->def.section_count = section_count;
    tube->def.sections = tube->sections;
}

static inline void tube_finish(Tube* tube)
{
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &tube->def, &tube->character, &error));
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), tube->character, &tube->instance, &error));
}

static inline void create_tube(Tube* tube, GtSkinMethod method, int32_t section_count)
{
    tube_fill_rings(tube, TUBE_RINGS);
    tube_fill_sections(tube);
    tube_describe(tube, method);
    tube_hang(tube, section_count);
    tube_finish(tube);
}

// Few rings, for tests of many poses.
static inline void create_coarse_tube(Tube* tube, GtSkinMethod method)
{
    tube_fill_rings(tube, TUBE_COARSE_RINGS);
    tube_fill_sections(tube);
    tube_describe(tube, method);
    tube_hang(tube, TUBE_SECTIONS);
    tube_finish(tube);
}

static inline void create_triple_tube(Tube* tube, GtSkinMethod method)
{
    tube_fill_triples(tube);
    tube_fill_sections(tube);
    tube_describe(tube, method);
    tube_hang(tube, TUBE_SECTIONS);
    tube_finish(tube);
}

static inline void destroy_tube(Tube* tube)
{
    gt_instance_destroy(tube->instance);
    gt_character_destroy(tube->character);
}

static inline void bend_tube(Tube* tube, float angle_rad)
{
    tube->instance->pose[1].rotation = gt_quat_from_axis_angle(gt_vec3(0, 0.6f, 0.8f), 0.3f * angle_rad);
    tube->instance->pose[2].rotation = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), angle_rad);
}

static inline void deform_tube(Tube* tube)
{
    memset(tube->out_positions, 0xCD, sizeof tube->out_positions);
    memset(tube->out_normals, 0xCD, sizeof tube->out_normals);
    memset(tube->out_tangents, 0xCD, sizeof tube->out_tangents);
    gt_instance_update(tube->instance);
    gt_instance_deform(tube->instance, 0, tube->out_positions, tube->out_normals, tube->out_tangents);
}

static inline float* blend_of(Tube* tube, int32_t section)
{
    return tube->instance->section_values + gt_section_first_value(tube->character, section);
}

static inline float* pose_of(Tube* tube, int32_t section, int32_t pose)
{
    return blend_of(tube, section) + 1 + pose;
}

static inline GtVec3* offsets_of(Tube* tube, int32_t section)
{
    int32_t pose_count = gt_character_def(tube->character)->sections[section].pose_count;
    return (GtVec3*)(blend_of(tube, section) + 1 + pose_count);
}

// Bulge the limbs, in and out, with every kind of lattice.
static inline void bulge_tube(Tube* tube, uint64_t seed, float size)
{
    uint64_t random = seed;
    for (int32_t s = 0; s < TUBE_SECTIONS; ++s) {
        int32_t count = gt_lattice_point_count(&tube->sections[s].lattice);
        for (int32_t i = 0; i < count; ++i) {
            offsets_of(tube, s)[i] = ref_random_vec3(&random, (double)size);
        }
        for (int32_t i = 0; i < TUBE_POSES; ++i) {
            *pose_of(tube, s, i) = (float)(0.5 + 0.5 * ref_random(&random));
        }
    }
}

// Springs in model space, on an instance whose values are those of the frame.
static inline void step_jiggle(const GtJiggleDef* def, GtInstance* instance, double step_s, void* state)
{
    int32_t node = gt_character_def(instance->character)->sections[def->section].node;
    GtMat34 model_from_space = node == GT_NONE ? gt_mat34_identity() : instance->model_from_node[node];
    gti_jiggle_step(def, instance->character, &model_from_space, step_s, state, instance->section_values);
}

#endif
