// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Scenes with faults of known size: the built-in person in poses that a function gives, and boxes on joints.

#ifndef GERTIE_TESTS_MEASURE_DUMMY_H
#define GERTIE_TESTS_MEASURE_DUMMY_H

#include "build/make_scene.h"

#include "gertie/bake.h"
#include "gertie/measure.h"
#include "gertie/person.h"

enum {
    DUMMY_RATE = 60,
    DUMMY_MAX_FRAMES = 181
};

// Change the pose of a frame: transforms of the humanoid joints, at rest when it is called.
typedef void (*PoseFrame)(GtTransform* joints, int32_t frame, double time_s);

// The built-in person, made once for all tests.
static inline const GtScene* dummy_person(void)
{
    static GtScene* person;
    if (!person) {
        GtError error;
        GtContext context = gt_default_context();
        GtPersonDef def = gt_default_person_def();
        def.triangle_count = 4000;
        GT_EXPECT_OK(gt_sample_person(&context, &def, &person, NULL, &error));
    }
    return person;
}

// The built-in person with one clip.
static inline GtScene* make_dummy(const GtContext* context, int32_t frame_count, PoseFrame pose)
{
    static GtTransform poses[DUMMY_MAX_FRAMES * GT_HUMANOID_JOINT_COUNT];
    static float times[DUMMY_MAX_FRAMES];
    int32_t nodes[GT_HUMANOID_JOINT_COUNT];
    int32_t joints[GT_HUMANOID_JOINT_COUNT];
    uint8_t paths[GT_HUMANOID_JOINT_COUNT];
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_copy(context, dummy_person(), &scene, &error));
    int32_t count = 0;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (scene->humanoid->nodes[j] != GT_NONE) {
            nodes[count] = scene->humanoid->nodes[j];
            paths[count] = GT_BAKE_TRANSLATION | GT_BAKE_ROTATION | GT_BAKE_SCALE;
            joints[count++] = j;
        }
    }
    for (int32_t f = 0; f < frame_count; ++f) {
        GtTransform all[GT_HUMANOID_JOINT_COUNT] = { 0 };
        for (int32_t n = 0; n < count; ++n) {
            all[joints[n]] = scene->nodes[nodes[n]].local;
        }
        times[f] = (float)f / DUMMY_RATE;
        if (pose) {
            pose(all, f, (double)f / DUMMY_RATE);
        }
        for (int32_t n = 0; n < count; ++n) {
            poses[f * count + n] = all[joints[n]];
        }
    }
    GtBakeDef bake = { "dummy", frame_count, times, count, nodes, paths, poses };
    GT_EXPECT_OK(gt_scene_bake(context, scene, &bake, NULL, &error));
    return scene;
}

// Measure a scene against a source, which may be NULL.
static inline GtMeasure* measure_scene(const GtContext* context, const GtScene* scene, const GtScene* source)
{
    GtError error;
    GtMeasure* measure = NULL;
    GtMeasureDef def = gt_default_measure_def();
    def.source = source;
    GT_EXPECT_OK(gt_measure(context, scene, &def, &measure, &error));
    return measure;
}

enum {
    BOX_CELLS = 10, // along an edge
    BOX_SIDE_VERTICES = (BOX_CELLS + 1) * (BOX_CELLS + 1),
    BOX_VERTICES = 6 * BOX_SIDE_VERTICES,
    BOX_TRIANGLES = 6 * 2 * BOX_CELLS * BOX_CELLS,
    BOX_TOP = 2 // the side whose normal is +y
};

#define BOX_WIDTH  0.2f
#define BOX_HEIGHT 0.5f
#define BOX_APART  0.6f

// Two boxes that stand beside each other, each on a joint of its own ("left", "right") under a root.
typedef struct Boxes {
    GtScene* scene;
    int32_t left, right; // nodes
    GtVec3 positions[2 * BOX_VERTICES];
    GtVec3 normals[2 * BOX_VERTICES];
    uint16_t joints[2 * BOX_VERTICES][4];
    float weights[2 * BOX_VERTICES][4];
    uint32_t indices[2 * BOX_TRIANGLES * 3];
} Boxes;

static inline GtVec3 box_axis(int axis, float sign)
{
    return gt_vec3(axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f);
}

static inline void fill_box(Boxes* b, int box)
{
    for (int side = 0; side < 6; ++side) {
        GtVec3 normal = box_axis(side / 2, side % 2 ? -1.0f : 1.0f);
        GtVec3 u = box_axis((side / 2 + 1) % 3, 1.0f);
        GtVec3 v = gt_vec3_cross(normal, u);
        int first = box * BOX_VERTICES + side * BOX_SIDE_VERTICES;
        for (int i = 0; i < BOX_SIDE_VERTICES; ++i) {
            float s = 2.0f * (float)(i % (BOX_CELLS + 1)) / BOX_CELLS - 1.0f;
            float t = 2.0f * (float)(i / (BOX_CELLS + 1)) / BOX_CELLS - 1.0f;
            GtVec3 p = gt_vec3_add(normal, gt_vec3_add(gt_vec3_scale(u, s), gt_vec3_scale(v, t)));
            b->positions[first + i] = gt_vec3(0.5f * BOX_WIDTH * p.x + (box ? BOX_APART : 0.0f),
                                              0.5f * BOX_HEIGHT * (p.y + 1.0f), 0.5f * BOX_WIDTH * p.z);
            b->normals[first + i] = normal;
            b->joints[first + i][0] = (uint16_t)box;
            b->weights[first + i][0] = 1.0f;
        }
        for (int c = 0; c < BOX_CELLS * BOX_CELLS; ++c) {
            uint32_t a = (uint32_t)(first + c / BOX_CELLS * (BOX_CELLS + 1) + c % BOX_CELLS);
            uint32_t d = a + BOX_CELLS + 1;
            uint32_t corners[6] = { a, a + 1, d + 1, a, d + 1, d };
            memcpy(b->indices + 3 * (box * BOX_TRIANGLES + side * 2 * BOX_CELLS * BOX_CELLS + 2 * c), corners,
                   sizeof corners);
        }
    }
}

// Two frames, the first as it was bound, the second with the right joint moved.
static inline void bake_boxes(const GtContext* context, Boxes* b, GtTransform right)
{
    GtError error;
    const float times[2] = { 0.0f, 1.0f / DUMMY_RATE };
    const uint8_t paths = GT_BAKE_TRANSLATION | GT_BAKE_ROTATION | GT_BAKE_SCALE;
    const GtTransform poses[2] = { b->scene->nodes[b->right].local, right };
    GtBakeDef bake = { "boxes", 2, times, 1, &b->right, &paths, poses };
    GT_EXPECT_OK(gt_scene_bake(context, b->scene, &bake, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(context, b->scene, &error));
}

static inline void fill_boxes(Boxes* b)
{
    memset(b, 0, sizeof *b);
    fill_box(b, 0);
    fill_box(b, 1);
}

static inline void make_boxes(const GtContext* context, Boxes* b)
{
    GtScene* scene = make_scene(context);
    b->scene = scene;
    const GtAttribute attributes[] = {
        { "POSITION", make_vec3(scene, &b->positions[0].x, 2 * BOX_VERTICES) },
        { "NORMAL", make_vec3(scene, &b->normals[0].x, 2 * BOX_VERTICES) },
        { "JOINTS_0",
          make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, b->joints, 2 * BOX_VERTICES) },
        { "WEIGHTS_0",
          make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, b->weights, 2 * BOX_VERTICES) },
    };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLES, attributes, 4);
    primitive.indices =
        make_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, b->indices, 2 * BOX_TRIANGLES * 3);
    int32_t mesh = make_mesh_node(scene, make_mesh(scene, &primitive, 1));
    int32_t root = make_node(scene, "root", GT_NONE, gt_vec3(0, 0, 0));
    b->left = make_node(scene, "left", root, gt_vec3(0, 0, 0));
    b->right = make_node(scene, "right", root, gt_vec3(BOX_APART, 0, 0));
    link_children(scene);
    float inverse_bind[2][16] = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 },
                                  { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -BOX_APART, 0, 0, 1 } };
    const int32_t joints[2] = { b->left, b->right };
    int32_t binds = make_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, inverse_bind, 2);
    scene->nodes[mesh].skin = make_skin(scene, joints, 2, binds);
}

#endif
