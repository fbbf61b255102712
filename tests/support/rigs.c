// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/rigs.h"

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/person.h"

#include "support/random.h"
#include "support/test.h"
#include "support/viewer.h"

#include <stdlib.h>

enum {
    MOST_NODES = 128 // 55 joints, as many helpers, a mesh and an armature
};

// How a rig differs: what stands over its joints, and their own axes.
typedef struct RigKind {
    const char* name;
    GtVec3 translation; // of the armature
    float yaw, pitch;   // of the armature, in radians
    GtVec3 scale;       // of the armature and of the axes of all joints; 0 for 1
    bool moves_body;    // with the armature; else the body stays where it is
    bool has_helpers;
    bool is_rolled;
    double unit; // of vertices, in metres; 0 for 1
} RigKind;

#define QUARTER_TURN (-1.57079633f) // a Z that is up becomes Y

static const RigKind kinds[TEST_RIG_COUNT] = {
    [TEST_RIG_PLAIN] = { .name = "plain" },
    [TEST_RIG_CENTIMETRES] = { .name = "armature in centimetres", .scale = { 0.01f, 0.01f, 0.01f } },
    [TEST_RIG_Z_UP] = { .name = "Z up", .pitch = QUARTER_TURN },
    [TEST_RIG_ELSEWHERE] = { .name = "elsewhere", .translation = { 3, 0, -2 }, .yaw = 0.8f, .moves_body = true },
    [TEST_RIG_MESH_UNITS] = { .name = "mesh in centimetres", .unit = 0.01 },
    [TEST_RIG_MIRRORED] = { .name = "mirrored", .scale = { -1, 1, 1 } },
    [TEST_RIG_HELPERS] = { .name = "helpers", .has_helpers = true },
    [TEST_RIG_ROLLED] = { .name = "rolled joints", .is_rolled = true },
    [TEST_RIG_ALL] = { .name = "all together",
                       .pitch = QUARTER_TURN,
                       .scale = { 0.01f, 0.01f, 0.01f },
                       .has_helpers = true,
                       .is_rolled = true },
};

static GtTransform armature_of(const RigKind* kind)
{
    GtQuat yaw = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), kind->yaw);
    GtQuat pitch = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), kind->pitch);
    GtVec3 scale = kind->scale.x != 0.0f ? kind->scale : gt_vec3(1, 1, 1);
    return gt_transform(kind->translation, gt_quat_mul(yaw, pitch), scale);
}

const char* test_rig_name(int32_t kind)
{
    return kinds[kind].name;
}

// A rotation and a translation, with the scale that is left.
static GtTransform to_transform(const ViewerMatrix* a)
{
    const double(*m)[4] = a->m;
    double size = cbrt(fabs(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])));
    double r[3][3];
    for (int i = 0; i < 9; ++i) {
        r[i / 3][i % 3] = m[i / 3][i % 3] / size;
    }
    // Shepperd's: the largest of the four is the one that a root is taken of.
    const double squares[4] = { 1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2],
                                1 - r[0][0] - r[1][1] + r[2][2], 1 + r[0][0] + r[1][1] + r[2][2] };
    int most = 0;
    for (int i = 1; i < 4; ++i) {
        most = squares[i] > squares[most] ? i : most;
    }
    const double differences[3] = { r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1] };
    double q[4];
    for (int i = 0; i < 4; ++i) {
        q[i] = i == most   ? squares[most]
               : most == 3 ? differences[i]
               : i == 3    ? differences[most]
                           : r[i][most] + r[most][i];
        q[i] /= 2.0 * sqrt(squares[most]);
    }
    GtQuat rotation = gt_quat((float)q[0], (float)q[1], (float)q[2], (float)q[3]);
    return gt_transform(gt_vec3((float)m[0][3], (float)m[1][3], (float)m[2][3]), rotation,
                        gt_vec3((float)size, (float)size, (float)size));
}

// Hang nodes on what `parents` says: children and roots.
static void link_nodes(GtScene* scene, const int32_t* parents)
{
    int32_t root_count = 0;
    int32_t* roots = gt_scene_push(scene, (size_t)scene->node_count, sizeof *roots);
    assert_non_null(roots);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        int32_t* children = gt_scene_push(scene, (size_t)scene->node_count, sizeof *children);
        assert_non_null(children);
        GtNode* node = &scene->nodes[n];
        node->parent = parents[n];
        node->children = children;
        node->child_count = 0;
        node->child_capacity = 0;
        for (int32_t c = 0; c < scene->node_count; ++c) {
            if (parents[c] == n) {
                children[node->child_count++] = c;
            }
        }
        if (parents[n] == GT_NONE) {
            roots[root_count++] = n;
        }
    }
    scene->stages[0].nodes = roots;
    scene->stages[0].node_count = root_count;
}

static ViewerMatrix scale_matrix(double x, double y, double z)
{
    return (ViewerMatrix){ { { x, 0, 0, 0 }, { 0, y, 0, 0 }, { 0, 0, z, 0 } } };
}

// Inverse bind matrices that leave every vertex where it was: skin = place * frame * (frame^-1 * bind * unit).
static void rebind(GtScene* scene, const ViewerMatrix* frames, double unit)
{
    GtSkin* skin = &scene->skins[0];
    GtError error;
    float* matrices = malloc((size_t)skin->joint_count * 16 * sizeof *matrices);
    assert_non_null(matrices);
    gt_accessor_read_floats(scene, skin->inverse_bind, 0, (uint64_t)skin->joint_count, matrices);
    ViewerMatrix metres = scale_matrix(unit, unit, unit);
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        float* matrix = matrices + (size_t)j * 16;
        ViewerMatrix bind;
        for (int i = 0; i < 12; ++i) {
            bind.m[i / 4][i % 4] = (double)matrix[i % 4 * 4 + i / 4];
        }
        ViewerMatrix back = viewer_inverse(&frames[skin->joints[j]]);
        bind = viewer_multiply(&back, &bind);
        bind = viewer_multiply(&bind, &metres);
        for (int i = 0; i < 12; ++i) {
            matrix[i % 4 * 4 + i / 4] = (float)bind.m[i / 4][i % 4];
        }
    }
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, matrices,
                                   (uint64_t)skin->joint_count, &skin->inverse_bind, &error));
    free(matrices);
}

static void scale_vertices(GtScene* scene, double unit)
{
    GtError error;
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    *primitive = scene->meshes[0].primitives[0];
    GtAttribute* attributes = gt_scene_push(scene, (size_t)primitive->attribute_count, sizeof *attributes);
    memcpy(attributes, primitive->attributes, (size_t)primitive->attribute_count * sizeof *attributes);
    for (int32_t i = 0; i < primitive->attribute_count; ++i) {
        if (strcmp(attributes[i].name, "POSITION") != 0) {
            continue;
        }
        uint64_t count = scene->accessors[attributes[i].accessor].count;
        float* positions = malloc((size_t)count * 3 * sizeof *positions);
        assert_non_null(positions);
        gt_accessor_read_floats(scene, attributes[i].accessor, 0, count, positions);
        for (uint64_t k = 0; k < 3 * count; ++k) {
            positions[k] = (float)((double)positions[k] / unit);
        }
        GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, positions, count,
                                       &attributes[i].accessor, &error));
        free(positions);
    }
    primitive->attributes = attributes;
    scene->meshes[0].primitives = primitive;
    scene->meshes[0].primitive_count = 1;
}

static void re_rig(GtScene* scene, const RigKind* kind)
{
    GtError error;
    TestRandom random = { 11 };
    int32_t joint_count = scene->node_count - 1; // the last node is the mesh
    int32_t parents[MOST_NODES], armature;
    ViewerMatrix frames[MOST_NODES], places[MOST_NODES]; // of joints on the new rig
    Viewer* old = viewer_open(scene, GT_NONE);
    const GtTransform over = armature_of(kind);
    ViewerMatrix top = viewer_from_transform(&over);
    ViewerMatrix size = scale_matrix((double)over.scale.x, (double)over.scale.y, (double)over.scale.z);
    assert_true(2 * scene->node_count < MOST_NODES);
    for (int32_t n = 0; n < joint_count; ++n) {
        GtTransform roll = gt_transform_identity();
        roll.rotation = kind->is_rolled ? test_random_rotation(&random) : roll.rotation;
        ViewerMatrix turn = viewer_from_transform(&roll);
        frames[n] = viewer_multiply(&turn, &size);
        places[n] = viewer_multiply(viewer_node(old, n), &frames[n]);
        places[n] = kind->moves_body ? viewer_multiply(&top, &places[n]) : places[n];
        parents[n] = scene->nodes[n].parent;
    }
    viewer_close(old);
    GtNode node = gt_default_node();
    node.name = "Armature";
    node.local = over;
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, &armature, &error));
    parents[joint_count] = GT_NONE;
    parents[armature] = GT_NONE;
    for (int32_t n = 0; n < joint_count; ++n) {
        ViewerMatrix above = parents[n] == GT_NONE ? top : places[parents[n]];
        parents[n] = parents[n] == GT_NONE ? armature : parents[n];
        if (kind->has_helpers) {
            GtNode helper = gt_default_node(); // without a name, or with one of Assimp's
            char name[96];
            int32_t index;
            snprintf(name, sizeof name, "%s_$AssimpFbx$_PreRotation", scene->nodes[n].name);
            helper.name = kind->is_rolled ? NULL : gt_scene_push_text(scene, name, strlen(name));
            helper.local.rotation = test_random_rotation(&random);
            helper.local.translation = gt_vec3(0.02f / fabsf(over.scale.x), 0.0f, 0.01f);
            GT_EXPECT_OK(gt_scene_add_node(scene, &helper, &index, &error));
            ViewerMatrix local = viewer_from_transform(&helper.local);
            above = viewer_multiply(&above, &local);
            parents[index] = parents[n];
            parents[n] = index;
        }
        ViewerMatrix node_from_model = viewer_inverse(&above);
        ViewerMatrix local = viewer_multiply(&node_from_model, &places[n]);
        scene->nodes[n].local = to_transform(&local);
    }
    link_nodes(scene, parents);
    rebind(scene, frames, kind->unit > 0.0 ? kind->unit : 1.0);
    if (kind->unit > 0.0) {
        scale_vertices(scene, kind->unit);
    }
    scene->humanoid = NULL; // as files have none
    scene->retarget_pose = NULL;
}

GtScene* test_rig(const GtContext* context, int32_t kind, int32_t triangle_count)
{
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = triangle_count;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    if (kind != TEST_RIG_PLAIN) {
        re_rig(scene, &kinds[kind]);
    }
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    return scene;
}

GtScene* test_real_rig(const GtContext* context, int32_t n, const char** name)
{
    static const char* const names[] = { "Xbot", "CesiumMan", "RobotExpressive", "BrainStem", "RiggedFigure" };
    const char* data = getenv("GERTIE_DATA");
    if (!data || n >= (int32_t)(sizeof names / sizeof *names)) {
        return NULL;
    }
    char path[1024];
    GtError error;
    GtScene* scene = NULL;
    snprintf(path, sizeof path, "%s/rigged/%s.glb", data, names[n]);
    GT_EXPECT_OK(gt_scene_load(context, path, NULL, &scene, &error));
    *name = names[n];
    return scene;
}
