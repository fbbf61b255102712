// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Meshes, skins and blend shapes of FBX files against what the file says: a strip of a quad and a triangle in
// centimetres with Z up, moved by a geometric transform, two joints, a shape with one in between; and memory that runs
// out.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/scene.h"
#include "support/test.h"

#include <stdio.h>

#define HEAD                                                                                                           \
    "; FBX 7.5.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7500\n}\n"                                          \
    "GlobalSettings: {\n Properties70: {\n  P: \"UpAxis\", \"int\", \"Integer\", \"\",2\n"                             \
    "  P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n  P: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n"            \
    "  P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\n  P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n"        \
    "  P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n" \
    " }\n}\n"

// Normals by corner and direct, texture coordinates by control point and index, materials by polygon.
#define GEOMETRY                                                                                                       \
    " Geometry: 1, \"Geometry::\", \"Mesh\" {\n"                                                                       \
    "  Vertices: *15 { a: 0,0,0, 100,0,0, 100,0,100, 0,0,100, 200,0,0\n }\n"                                           \
    "  PolygonVertexIndex: *7 { a: 0,1,2,-4, 1,4,-3\n }\n"                                                             \
    "  LayerElementNormal: 0 {\n   MappingInformationType: \"ByPolygonVertex\"\n"                                      \
    "   ReferenceInformationType: \"Direct\"\n"                                                                        \
    "   Normals: *21 { a: 0,-1,0, 0,-1,0, 0,-1,0, 0,-1,0, 0,-1,0, 0,-1,0, 0,-1,0\n }\n  }\n"                           \
    "  LayerElementUV: 0 {\n   MappingInformationType: \"ByVertice\"\n   ReferenceInformationType: "                   \
    "\"IndexToDirect\"\n"                                                                                              \
    "   UV: *4 { a: 0,0, 1,0.25\n }\n   UVIndex: *5 { a: 0,1,1,0,-1\n }\n  }\n"                                        \
    "  LayerElementMaterial: 0 {\n   MappingInformationType: \"ByPolygon\"\n"                                          \
    "   ReferenceInformationType: \"IndexToDirect\"\n   Materials: *2 { a: 1,0\n }\n  }\n }\n"

#define MATERIALS                                                                                                      \
    " Material: 5, \"Material::Red\", \"\" {\n  ShadingModel: \"lambert\"\n }\n"                                       \
    " Material: 6, \"Material::Blue\", \"\" {\n  ShadingModel: \"lambert\"\n }\n"

static const char plain_file[] = //
    HEAD "Objects: {\n" GEOMETRY MATERIALS " Model: 10, \"Model::Strip\", \"Mesh\" {\n  Properties70: {\n"
         "   P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,50\n"
         "   P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",300,0,0\n"
         "   P: \"mood\", \"KString\", \"\", \"U\", \"calm\"\n  }\n }\n"
         " Model: 11, \"Model::Copy\", \"Mesh\" {\n }\n}\n"
         "Connections: {\n C: \"OO\",10,0\n C: \"OO\",11,0\n C: \"OO\",1,10\n C: \"OO\",1,11\n C: \"OO\",5,10\n"
         " C: \"OO\",6,10\n C: \"OO\",5,11\n C: \"OO\",6,11\n}\n";

// The last two points of the strip follow both joints, 3 to 1; point 0 follows none.
static const char skinned_file[] = //
    HEAD
    "Objects: {\n" GEOMETRY MATERIALS " Model: 10, \"Model::Strip\", \"Mesh\" {\n }\n"
    " Model: 12, \"Model::Hip\", \"LimbNode\" {\n }\n"
    " Model: 13, \"Model::Knee\", \"LimbNode\" {\n  Properties70: {\n"
    "   P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",100,0,0\n  }\n }\n"
    " Deformer: 20, \"Deformer::\", \"Skin\" {\n }\n"
    " Deformer: 21, \"SubDeformer::\", \"Cluster\" {\n  Indexes: *4 { a: 1,2,3,4\n }\n"
    "  Weights: *4 { a: 1,1,3,3\n }\n  Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n }\n }\n"
    " Deformer: 22, \"SubDeformer::\", \"Cluster\" {\n  Indexes: *3 { a: 3,4,77\n }\n  Weights: *3 { a: 1,1,1\n }\n"
    "  Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,-100,0,0,1\n }\n }\n"
    " Deformer: 30, \"Deformer::\", \"BlendShape\" {\n }\n"
    " Deformer: 31, \"SubDeformer::Smile\", \"BlendShapeChannel\" {\n  Properties70: {\n"
    "   P: \"DeformPercent\", \"Number\", \"\", \"A\",75\n  }\n  FullWeights: *2 { a: 50,100\n }\n }\n"
    " Geometry: 32, \"Geometry::half\", \"Shape\" {\n  Indexes: *1 { a: 2\n }\n  Vertices: *3 { a: 0,0,10\n }\n }\n"
    " Geometry: 33, \"Geometry::full\", \"Shape\" {\n  Indexes: *1 { a: 2\n }\n  Vertices: *3 { a: 0,0,40\n }\n }\n"
    "}\n"
    "Connections: {\n C: \"OO\",10,0\n C: \"OO\",12,0\n C: \"OO\",13,12\n C: \"OO\",1,10\n C: \"OO\",5,10\n"
    " C: \"OO\",6,10\n C: \"OO\",20,1\n C: \"OO\",21,20\n C: \"OO\",22,20\n C: \"OO\",12,21\n C: \"OO\",13,22\n"
    " C: \"OO\",30,1\n C: \"OO\",31,30\n C: \"OO\",32,31\n C: \"OO\",33,31\n}\n";

static GtScene* load(const char* text, size_t size)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, text, size, "strip.fbx", NULL, &scene, &error));
    return scene;
}

static const GtPrimitive* primitive_of(const GtScene* scene, const char* material)
{
    for (int32_t i = 0; i < scene->meshes[0].primitive_count; ++i) {
        const GtPrimitive* primitive = &scene->meshes[0].primitives[i];
        if (strcmp(scene->materials[primitive->material].name, material) == 0) {
            return primitive;
        }
    }
    fail_msg("no primitive of %s", material);
    return NULL;
}

static void polygons_become_triangles_by_material(void** state)
{
    (void)state;
    GtScene* scene = load(plain_file, sizeof plain_file - 1);
    assert_int_equal(scene->mesh_count, 1); // both models show it
    assert_int_equal(scene->meshes[0].primitive_count, 2);
    const GtPrimitive* quad = primitive_of(scene, "Blue");
    const GtPrimitive* triangle = primitive_of(scene, "Red");
    assert_int_equal(scene->accessors[quad->indices].count, 6);
    assert_int_equal(scene->accessors[triangle->indices].count, 3);
    assert_int_equal(scene->accessors[gt_primitive_find(quad, "POSITION")].count, 4);
    float positions[9];
    float uvs[6];
    gt_accessor_read_floats(scene, gt_primitive_find(triangle, "POSITION"), 0, 3, positions);
    gt_accessor_read_floats(scene, gt_primitive_find(triangle, "TEXCOORD_0"), 0, 3, uvs);
    static const float wanted[9] = { 1.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f };
    static const float wanted_uvs[6] = { 1.0f, 0.75f, 0.0f, 0.0f, 1.0f, 0.75f }; // the second has no index
    for (int i = 0; i < 9; ++i) {
        GT_EXPECT_NEAR(positions[i], wanted[i], 1e-6);
    }
    for (int i = 0; i < 6; ++i) {
        GT_EXPECT_NEAR(uvs[i], wanted_uvs[i], 1e-6);
    }
    gt_scene_destroy(scene);
}

static void roots_turn_to_y_up_and_geometric_transforms_have_a_node(void** state)
{
    (void)state;
    GtScene* scene = load(plain_file, sizeof plain_file - 1);
    int32_t index = gt_scene_find_node(scene, "Strip");
    assert_true(index >= 0);
    const GtNode* strip = &scene->nodes[index];
    GT_EXPECT_NEAR(strip->local.translation.y, 0.5, 1e-6); // 50 cm up, which is Z in the file
    GT_EXPECT_NEAR(strip->local.translation.z, 0.0, 1e-6);
    GT_EXPECT_NEAR(strip->local.rotation.x, -0.70710678, 1e-6);
    assert_string_equal(strip->extra.extras, "{\"mood\":\"calm\"}");
    assert_int_equal(strip->mesh, GT_NONE);
    assert_int_equal(strip->child_count, 1);
    const GtNode* geometry = &scene->nodes[strip->children[0]];
    assert_int_equal(geometry->mesh, 0);
    GT_EXPECT_NEAR(geometry->local.translation.x, 3.0, 1e-6);
    assert_int_equal(scene->source.up_axis, GT_UP_Z);
    gt_scene_destroy(scene);
}

static void clusters_become_joints_and_weights(void** state)
{
    (void)state;
    GtScene* scene = load(skinned_file, sizeof skinned_file - 1);
    assert_int_equal(scene->skin_count, 1);
    const GtSkin* skin = &scene->skins[0];
    assert_int_equal(skin->joint_count, 3);
    assert_string_equal(scene->nodes[skin->joints[0]].name, "Hip");
    assert_string_equal(scene->nodes[skin->joints[1]].name, "Knee");
    assert_string_equal(scene->nodes[skin->joints[2]].name, "Strip"); // holds the loose point
    float matrix[16];
    gt_accessor_read_floats(scene, skin->inverse_bind, 1, 1, matrix);
    GT_EXPECT_NEAR(matrix[12], -1.0, 1e-6);
    const GtPrimitive* quad = primitive_of(scene, "Blue");
    for (uint32_t i = 0; i < 4; ++i) {
        float position[3];
        float weights[4];
        uint32_t joints[4];
        gt_accessor_read_floats(scene, gt_primitive_find(quad, "POSITION"), i, 1, position);
        gt_accessor_read_floats(scene, gt_primitive_find(quad, "WEIGHTS_0"), i, 1, weights);
        gt_accessor_read_uints(scene, gt_primitive_find(quad, "JOINTS_0"), i, 1, joints);
        bool is_loose = position[0] == 0.0f && position[2] == 0.0f;
        bool is_shared = position[0] == 0.0f && position[2] == 1.0f;
        assert_int_equal(joints[0], is_loose ? 2 : 0);
        GT_EXPECT_NEAR(weights[0], is_shared ? 0.75 : 1.0, 1e-6);
        GT_EXPECT_NEAR(weights[1], is_shared ? 0.25 : 0.0, 1e-6);
    }
    gt_scene_destroy(scene);
}

static void shapes_in_between_are_targets(void** state)
{
    (void)state;
    GtScene* scene = load(skinned_file, sizeof skinned_file - 1);
    const GtMesh* mesh = &scene->meshes[0];
    assert_int_equal(mesh->target_count, 2);
    assert_string_equal(mesh->target_names[0], "Smile_50");
    assert_string_equal(mesh->target_names[1], "Smile");
    GT_EXPECT_NEAR(mesh->weights[0], 0.5, 1e-6); // 75 is half-way from 50 to 100
    GT_EXPECT_NEAR(mesh->weights[1], 0.5, 1e-6);
    float highest = 0.0f;
    const GtPrimitive* quad = primitive_of(scene, "Blue");
    for (uint32_t i = 0; i < 4; ++i) {
        float offset[3];
        gt_accessor_read_floats(scene, gt_morph_target_find(&quad->targets[1], "POSITION"), i, 1, offset);
        highest = offset[2] > highest ? offset[2] : highest;
    }
    GT_EXPECT_NEAR(highest, 0.4, 1e-6);
    gt_scene_destroy(scene);
}

// The skinned file with these nodes in its Skin.
static GtScene* load_with_skin(const char* nodes)
{
    static char text[2 * sizeof skinned_file];
    const char* place = strstr(skinned_file, "\"Skin\" {\n");
    assert_non_null(place);
    size_t before = (size_t)(place - skinned_file) + strlen("\"Skin\" {\n");
    int length = snprintf(text, sizeof text, "%.*s%s%s", (int)before, skinned_file, nodes, skinned_file + before);
    return load(text, (size_t)length);
}

static bool is_dual_quaternion(GtScene* scene)
{
    const GtNode* node = NULL;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        node = scene->nodes[i].skin != GT_NONE ? &scene->nodes[i] : node;
    }
    assert_non_null(node);
    bool is_dual = node->deformer_count == 2 && node->deformers[1].skin_method == GT_SKIN_DUAL_QUATERNION;
    gt_scene_destroy(scene);
    return is_dual;
}

// A blend by vertex is played as the method that it is nearer to.
static void skins_have_a_method(void** state)
{
    (void)state;
    assert_false(is_dual_quaternion(load_with_skin("")));
    assert_false(is_dual_quaternion(load_with_skin("  SkinningType: \"Rigid\"\n")));
    assert_true(is_dual_quaternion(load_with_skin("  SkinningType: \"DualQuaternion\"\n")));
    assert_false(is_dual_quaternion(load_with_skin("  SkinningType: \"Blend\"\n")));
    assert_true(is_dual_quaternion(load_with_skin(
        "  SkinningType: \"Blend\"\n  Indexes: *3 { a: 0,2,4\n }\n  BlendWeights: *3 { a: 1,1,0.6\n }\n")));
    assert_false(is_dual_quaternion(load_with_skin(
        "  SkinningType: \"Blend\"\n  Indexes: *3 { a: 0,2,99\n }\n  BlendWeights: *3 { a: 1,1,1\n }\n")));
}

static void memory_may_run_out(void** state)
{
    (void)state;
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GtResult result =
            gt_scene_load_memory(&context, skinned_file, sizeof skinned_file - 1, "strip.fbx", NULL, &scene, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
        done = result == GT_OK;
        assert_true(!done || allowed >= 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_become_triangles_by_material),
        cmocka_unit_test(roots_turn_to_y_up_and_geometric_transforms_have_a_node),
        cmocka_unit_test(clusters_become_joints_and_weights),
        cmocka_unit_test(shapes_in_between_are_targets),
        cmocka_unit_test(skins_have_a_method),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
