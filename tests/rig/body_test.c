// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bodies of the built-in person, turned every way, broken as scans are, and in company of things that are no body.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/person.h"

#include "rig/body/body.h"

#include "support/random.h"
#include "support/test.h"

#include "rig/boxes.h"

#include <stdlib.h>

static GtScene* make_person(uint64_t seed, GtPersonPose pose, bool bare)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtPersonDef def = gt_random_person_def(seed);
    def.pose = pose;
    def.triangle_count = 2500;
    def.scan.bare = bare;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, NULL, &error));
    return scene;
}

// Turn, move and scale all roots of a scene.
static void place(GtScene* scene, GtQuat rotation, GtVec3 offset, float scale)
{
    GtMat34 placed = gt_mat34_from_transform(gt_transform(offset, rotation, gt_vec3(scale, scale, scale)));
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].parent == GT_NONE) {
            GtMat34 local = gt_mat34_mul(placed, gt_mat34_from_transform(scene->nodes[i].local));
            scene->nodes[i].local = gt_transform_from_mat34(&local, NULL);
        }
    }
}

static GtQuat turn_about(GtVec3 axis, double angle)
{
    float s = (float)sin(0.5 * angle);
    return gt_quat(axis.x * s, axis.y * s, axis.z * s, (float)cos(0.5 * angle));
}

// A rotation that takes +Y to one of the six axes, after a turn about +Y.
static GtQuat stand_on(int up, double facing)
{
    static const double turns[6][2] = { { 0, 0 }, { 1, 0.5 }, { 1, -0.5 }, { 1, 1 }, { 3, 0.5 }, { 3, -0.5 } };
    GtVec3 axis = turns[up][0] == 3 ? gt_vec3(0, 0, 1) : gt_vec3(1, 0, 0);
    return gt_quat_mul(turn_about(axis, turns[up][1] * M_PI), turn_about(gt_vec3(0, 1, 0), facing));
}

// How far a direction of the scene is from a direction of the body, in degrees.
static double angle_between(const GtiRigBody* body, GtVec3 of_scene, GtVec3 of_body)
{
    GtVec3 found = gt_vec3_normalize_or(gt_mat34_vector(&body->body_from_scene, of_scene), of_scene);
    return acos(fmin((double)gt_vec3_dot(found, of_body), 1.0)) * 180.0 / M_PI;
}

static void expect_upright(const GtScene* scene, GtQuat rotation, double tolerance_deg)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtArena arena = gt_arena_create(context.allocator);
    GtRigDef def = gt_default_rig_def();
    GtiRigBody body;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    GT_EXPECT_NEAR(angle_between(&body, gt_quat_rotate(rotation, gt_vec3(0, 1, 0)), gt_vec3(0, 1, 0)), 0.0,
                   tolerance_deg);
    GT_EXPECT_NEAR(angle_between(&body, gt_quat_rotate(rotation, gt_vec3(0, 0, 1)), gt_vec3(0, 0, 1)), 0.0,
                   tolerance_deg);
    assert_true(body.up_confidence > 0.9f && body.front_confidence > 0.8f && body.symmetry > 0.98f);
    gt_arena_destroy(&arena);
}

static void test_any_way_up(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    for (int i = 0; i < 4; ++i) {
        GtScene* person = make_person((uint64_t)(7 * i), i % 2 ? GT_PERSON_POSE_A : GT_PERSON_POSE_T, true);
        for (int up = 0; up < 6; ++up) {
            GtScene* scene = NULL;
            GT_EXPECT_OK(gt_scene_copy(&context, person, &scene, &error));
            // By quarters of a turn, and by any other angle.
            GtQuat rotation = stand_on(up, i < 2 ? M_PI / 2.0 * (up + i) : 0.7 + up + i);
            place(scene, rotation, gt_vec3(30, -20, 10), 0.01f * (float)(1 + up * up));
            expect_upright(scene, rotation, i < 2 ? 0.1 : 2.0);
            gt_scene_destroy(scene);
        }
        gt_scene_destroy(person);
    }
}

static void test_body_space(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = make_person(5, GT_PERSON_POSE_A, false); // with its skin, in rest pose
    place(scene, stand_on(1, 0.5), gt_vec3(3, 4, 5), 10.0f);
    GtArena arena = gt_arena_create(context.allocator);
    GtRigDef def = gt_default_rig_def();
    GtiRigBody body;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    double low[3] = { 1e9, 1e9, 1e9 };
    double high[3] = { -1e9, -1e9, -1e9 };
    for (int32_t p = 0; p < body.point_count; ++p) {
        const double at[3] = { (double)body.points[p].x, (double)body.points[p].y, (double)body.points[p].z };
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
        GT_EXPECT_NEAR(gt_vec3_length(body.normals[p]), 1.0, 1e-5);
    }
    GT_EXPECT_NEAR(low[1], 0.0, 1e-6);
    GT_EXPECT_NEAR(high[1], 1.0, 1e-6);
    GT_EXPECT_NEAR(low[0], -high[0], 0.01);
    assert_int_equal(body.piece_count, 1);
    assert_int_equal(body.skin_triangle_count, body.triangle_count);
    GtiTrimesh skin = gti_body_skin(&body);
    assert_true(gti_trimesh_shape(&skin).volume_m3 > 0.005);
    // Vertices of the scene are where their points are.
    assert_int_equal(body.part_count, 1);
    const GtNode* node = &scene->nodes[body.parts[0].node];
    const GtPrimitive* primitive = &scene->meshes[node->mesh].primitives[body.parts[0].primitive];
    const GtAccessor* positions = &scene->accessors[gt_primitive_find(primitive, "POSITION")];
    assert_int_equal(body.parts[0].vertex_count, positions->count);
    for (int32_t v = 0; v < body.parts[0].vertex_count; ++v) {
        assert_in_range(body.parts[0].points[v], 0, body.point_count - 1);
    }
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

static void test_told_axes_win(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = make_person(1, GT_PERSON_POSE_T, true);
    GtArena arena = gt_arena_create(context.allocator);
    GtRigDef def = gt_default_rig_def();
    GtiRigBody body;
    def.front = GT_RIG_AXIS_MINUS_Z;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    assert_int_equal(body.up, GT_RIG_AXIS_Y);
    assert_int_equal(body.front, GT_RIG_AXIS_MINUS_Z);
    GT_EXPECT_NEAR(angle_between(&body, gt_vec3(0, 0, -1), gt_vec3(0, 0, 1)), 0.0, 0.1);
    def.up = GT_RIG_AXIS_MINUS_Y;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    GT_EXPECT_NEAR(angle_between(&body, gt_vec3(0, -1, 0), gt_vec3(0, 1, 0)), 0.0, 0.1);
    GT_EXPECT_NEAR(body.up_confidence, 1.0, 0.0);
    def.up = GT_RIG_AXIS_X;
    def.front = GT_RIG_AXIS_AUTO;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    GT_EXPECT_NEAR(angle_between(&body, gt_vec3(1, 0, 0), gt_vec3(0, 1, 0)), 0.0, 0.1);
    def.front = GT_RIG_AXIS_MINUS_X;
    GT_EXPECT_ERROR(gti_body_gather(&context, scene, &def, &arena, &body, &error), GT_ERROR_BAD_VALUE, "same axis");
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

static void test_scans(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtPersonDef person = gt_random_person_def(9);
    person.triangle_count = 5000;
    person.scan = (GtPersonScan){
        .bare = true, .noise_m = 0.003, .hole_count = 12, .island_count = 6, .metres_per_unit = 0.001, .seed = 4
    };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_sample_person(&context, &person, &scene, NULL, &error));
    GtArena arena = gt_arena_create(context.allocator);
    GtRigDef def = gt_default_rig_def();
    GtiRigBody body;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    assert_int_equal(body.up, GT_RIG_AXIS_Y);
    assert_int_equal(body.front, GT_RIG_AXIS_Z);
    assert_true(body.piece_count >= 7);
    assert_int_equal(body.island_count, body.piece_count - 1);
    for (int32_t t = 0; t < body.triangle_count; ++t) {
        GtiPieceKind kind = body.kinds[body.pieces[body.triangles[t][0]]];
        assert_int_equal(kind, t < body.skin_triangle_count ? GTI_PIECE_SKIN : GTI_PIECE_ISLAND);
    }
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

// Clothes are the body here, and a head and a shoe go on where they end; a button does not, nor does what floats.
static void test_pieces_that_go_on(void** state)
{
    (void)state;
    const Box boxes[] = {
        { { -0.3f, 0.05f, -0.15f }, { 0.3f, 1.5f, 0.15f } }, // clothes
        { { -0.1f, 1.48f, -0.1f }, { 0.1f, 1.75f, 0.1f } },  // a head
        { { 0.1f, 0.0f, -0.1f }, { 0.2f, 0.12f, 0.14f } },   // a shoe, lower than the hem
        { { -0.05f, 1.0f, 0.14f }, { 0.15f, 1.2f, 0.16f } }, // a buckle
        { { 0.6f, 1.0f, 0.0f }, { 0.8f, 1.2f, 0.2f } },      // a balloon
    };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtRigDef def = gt_default_rig_def();
    GtArena arena = gt_arena_create(context.allocator);
    GtScene* scene = boxes_scene(boxes, 5);
    GtiRigBody body;
    def.up = GT_RIG_AXIS_Y;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    assert_int_equal(body.piece_count, 5);
    assert_int_equal(body.island_count, 2);
    for (int32_t p = 0; p < body.point_count; ++p) {
        bool is_skin = body.kinds[body.pieces[p]] == GTI_PIECE_SKIN;
        assert_int_equal(is_skin, body.pieces[p] < 3); // pieces come as they are in the file
    }
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

// A hat with a wide brim is the largest piece: a trunk goes on where it ends; arms and hands stay within its bounds,
// but stick out of the trunk and of each other. Eyes, teeth and a buckle do not.
static void test_skin_grows_from_piece_to_piece(void** state)
{
    (void)state;
    const Box boxes[] = {
        { { -0.9f, 1.4f, -0.9f }, { 0.9f, 1.5f, 0.9f } },    // a brim
        { { -0.25f, 0.3f, -0.2f }, { 0.25f, 1.2f, 0.2f } },  // a trunk
        { { -0.3f, 1.0f, -0.3f }, { 0.3f, 1.42f, 0.3f } },   // a head
        { { 0.24f, 0.8f, -0.08f }, { 0.5f, 0.95f, 0.08f } }, // arms
        { { -0.5f, 0.8f, -0.08f }, { -0.24f, 0.95f, 0.08f } },
        { { 0.49f, 0.8f, -0.08f }, { 0.7f, 0.95f, 0.08f } }, // hands
        { { -0.7f, 0.8f, -0.08f }, { -0.49f, 0.95f, 0.08f } },
        { { 0.05f, 0.0f, -0.1f }, { 0.22f, 0.31f, 0.15f } }, // legs
        { { -0.22f, 0.0f, -0.1f }, { -0.05f, 0.31f, 0.15f } },
        { { 0.08f, 1.12f, 0.25f }, { 0.22f, 1.28f, 0.33f } }, // eyes
        { { -0.22f, 1.12f, 0.25f }, { -0.08f, 1.28f, 0.33f } },
        { { -0.15f, 1.02f, 0.05f }, { 0.15f, 1.1f, 0.25f } }, // teeth
        { { -0.1f, 0.45f, 0.18f }, { 0.1f, 0.65f, 0.24f } },  // a buckle
    };
    enum {
        COUNT = sizeof boxes / sizeof *boxes,
        ISLANDS = 4
    };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtRigDef def = gt_default_rig_def();
    GtArena arena = gt_arena_create(context.allocator);
    GtScene* scene = boxes_scene(boxes, COUNT);
    GtiRigBody body;
    def.up = GT_RIG_AXIS_Y;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    assert_int_equal(body.piece_count, COUNT);
    for (int32_t i = 0; i < body.piece_count; ++i) {
        assert_int_equal(body.kinds[i], i < COUNT - ISLANDS ? GTI_PIECE_SKIN : GTI_PIECE_ISLAND);
    }
    assert_int_equal(body.island_count, ISLANDS);
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

// A scene of one mesh.
static GtScene* make_mesh(const char* name, const GtVec3* positions, uint64_t count, const uint32_t* corners,
                          uint64_t corner_count)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GtAttribute* attribute = gt_scene_push(scene, 1, sizeof *attribute);
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    attribute->name = "POSITION";
    *primitive = (GtPrimitive){ .mode = corners ? GT_MODE_TRIANGLES : GT_MODE_POINTS,
                                .indices = GT_NONE,
                                .material = GT_NONE,
                                .attributes = attribute,
                                .attribute_count = 1 };
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, positions, count,
                                   &attribute->accessor, &error));
    if (corners) {
        GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, corners,
                                       corner_count, &primitive->indices, &error));
    }
    GtMesh mesh = { .name = name, .primitives = primitive, .primitive_count = 1 };
    GtNode node = gt_default_node();
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &node.mesh, &error));
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    return scene;
}

// A person whose triangles all hang apart is still one: none is a crumb that others would leave behind.
static void test_a_soup_is_skin(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtRigDef def = gt_default_rig_def();
    GtArena arena = gt_arena_create(context.allocator);
    GtScene* person = make_person(3, GT_PERSON_POSE_A, true);
    GtiRigBody whole;
    GT_EXPECT_OK(gti_body_gather(&context, person, &def, &arena, &whole, &error));
    uint64_t count = 3 * (uint64_t)whole.triangle_count;
    GtVec3* points = gt_arena_push(&arena, (size_t)count * sizeof *points);
    uint32_t* corners = gt_arena_push(&arena, (size_t)count * sizeof *corners);
    for (uint64_t i = 0; i < count; ++i) {
        const int32_t* c = whole.triangles[i / 3];
        GtVec3 sum = gt_vec3_add(whole.points[c[0]], gt_vec3_add(whole.points[c[1]], whole.points[c[2]]));
        points[i] = gt_vec3_lerp(whole.points[c[i % 3]], gt_vec3_scale(sum, 1.0f / 3.0f), 0.01f);
        corners[i] = (uint32_t)i;
    }
    GtScene* scene = make_mesh("soup", points, count, corners, count);
    GtiRigBody soup;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &soup, &error));
    assert_true(soup.piece_count > whole.triangle_count / 3);
    assert_int_equal(soup.skin_triangle_count, soup.triangle_count);
    assert_int_equal(soup.up, GT_RIG_AXIS_Y);
    assert_int_equal(soup.front, GT_RIG_AXIS_Z);
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
    gt_scene_destroy(person);
}

static void expect_refused_at(float scale, const GtVec3* positions, uint64_t count, const uint32_t* corners,
                              uint64_t corner_count, const char* text)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = make_mesh("thing", positions, count, corners, corner_count);
    scene->nodes[0].local.scale = gt_vec3(scale, scale, scale);
    GtArena arena = gt_arena_create(context.allocator);
    GtRigDef def = gt_default_rig_def();
    GtiRigBody body;
    GT_EXPECT_ERROR(gti_body_gather(&context, scene, &def, &arena, &body, &error), GT_ERROR_BAD_VALUE, text);
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

static void expect_refused(const GtVec3* positions, uint64_t count, const uint32_t* corners, uint64_t corner_count,
                           const char* text)
{
    expect_refused_at(1.0f, positions, count, corners, corner_count, text);
}

static void test_what_is_no_body_is_refused(void** state)
{
    (void)state;
    const GtVec3 card[4] = { { 0, 0, 0 }, { 1, 0, 0.3f }, { 1, 2, 0.3f }, { 0, 2, 0 } };
    const uint32_t corners[6] = { 0, 1, 2, 0, 2, 3 };
    expect_refused(card, 4, corners, 6, "flat");
    expect_refused(card, 4, NULL, 0, "no triangles to rig");
    const GtVec3 point[4] = { { 3, 3, 3 }, { 3, 3, 3 }, { 3, 3, 3 }, { 3, 3, 3 } };
    expect_refused(point, 4, corners, 6, "size is 0");
    const GtVec3 nowhere[4] = { { 0, 0, 0 }, { 1, NAN, 0.3f }, { 1, 2, 0.3f }, { 0, 2, 0 } };
    expect_refused(nowhere, 4, corners, 6, "not a finite number");
    expect_refused_at(3e38f, card, 4, corners, 6, "not finite");
    const GtVec3 line[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 3, 0, 0 } };
    expect_refused(line, 4, corners, 6, "flat");
    const uint32_t same[6] = { 0, 0, 1, 2, 2, 3 };
    expect_refused(card, 4, same, 6, "degenerate");
}

static void test_helper_geometry_is_left_out(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = make_person(2, GT_PERSON_POSE_T, true);
    const GtVec3 box[4] = { { 0, 0, 0 }, { 9, 0, 0 }, { 0, 9, 0 }, { 0, 0, 9 } };
    const uint32_t corners[12] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2 };
    GtScene* helper = make_mesh("joint-l-knee", box, 4, corners, 12);
    GtArena arena = gt_arena_create(context.allocator);
    GtRigDef def = gt_default_rig_def();
    GtiRigBody alone;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &alone, &error));
    // The helper's mesh, in the person's scene.
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    GtAttribute* attribute = gt_scene_push(scene, 1, sizeof *attribute);
    *primitive = helper->meshes[0].primitives[0];
    attribute->name = "POSITION";
    primitive->attributes = attribute;
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, box, 4,
                                   &attribute->accessor, &error));
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, corners, 12,
                                   &primitive->indices, &error));
    GtMesh mesh = { .name = "joint-l-knee", .primitives = primitive, .primitive_count = 1 };
    GtNode node = gt_default_node();
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &node.mesh, &error));
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    GtiRigBody body;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    assert_int_equal(body.helper_triangle_count, 4);
    assert_int_equal(body.triangle_count, alone.triangle_count);
    assert_memory_equal(body.points, alone.points, (size_t)alone.point_count * sizeof *alone.points);
    assert_non_null(strstr(log.text, "joint-l-knee"));
    // Where there is nothing else, it is what is meant: here a body too small to be one, but not "no triangles".
    GT_EXPECT_OK(gti_body_gather(&context, helper, &def, &arena, &body, &error));
    assert_int_equal(body.helper_triangle_count, 0);
    gt_arena_destroy(&arena);
    gt_scene_destroy(helper);
    gt_scene_destroy(scene);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtScene* scene = make_person(3, GT_PERSON_POSE_T, true);
    GtRigDef def = gt_default_rig_def();
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        assert_true(allowed < 400);
        TestAllocator allocator = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&allocator);
        GtArena arena = gt_arena_create(context.allocator);
        GtError error = { 0 };
        GtiRigBody body;
        GtResult result = gti_body_gather(&context, scene, &def, &arena, &body, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        done = result == GT_OK;
        gt_arena_destroy(&arena);
        assert_int_equal(allocator.alive, 0);
    }
    gt_scene_destroy(scene);
}

// Scans and models that are at hand, where they are.
static void test_real_bodies(void** state)
{
    (void)state;
    static const char* const files[] = { "scans/human_man.obj",       "scans/human_woman.obj", "scans/armadillo.obj",
                                         "scans/makehuman_base.obj",  "rigged/Xbot.glb",       "rigged/CesiumMan.glb",
                                         "rigged/RobotExpressive.glb" };
    const char* folder = getenv("GERTIE_DATA");
    if (!folder) {
        print_message("GERTIE_DATA names no folder of bodies\n");
        skip();
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        GtContext context = gt_default_context();
        GtError error = { 0 };
        GtLoadDef load = gt_default_load_def();
        for (int up = 0; up < 6; ++up) {
            GtScene* scene = NULL;
            GT_EXPECT_OK(gt_scene_load(&context, path, &load, &scene, &error));
            GtQuat rotation = stand_on(up, M_PI / 2.0 * up);
            place(scene, rotation, gt_vec3(1, 2, 3), 0.1f);
            GtArena arena = gt_arena_create(context.allocator);
            GtRigDef def = gt_default_rig_def();
            GtiRigBody body;
            GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
            double lean = angle_between(&body, gt_quat_rotate(rotation, gt_vec3(0, 1, 0)), gt_vec3(0, 1, 0));
            double turn = angle_between(&body, gt_quat_rotate(rotation, gt_vec3(0, 0, 1)), gt_vec3(0, 0, 1));
            if (!(lean < 12.0 && turn < 12.0)) {
                fail_msg("%s on axis %d: %g and %g degrees off", files[i], up, lean, turn);
            }
            gt_arena_destroy(&arena);
            gt_scene_destroy(scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_way_up),
        cmocka_unit_test(test_body_space),
        cmocka_unit_test(test_told_axes_win),
        cmocka_unit_test(test_scans),
        cmocka_unit_test(test_pieces_that_go_on),
        cmocka_unit_test(test_skin_grows_from_piece_to_piece),
        cmocka_unit_test(test_a_soup_is_skin),
        cmocka_unit_test(test_what_is_no_body_is_refused),
        cmocka_unit_test(test_helper_geometry_is_left_out),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_real_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
