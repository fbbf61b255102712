// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blend shapes of files before version 7200, which lie inside of the Geometry: two shapes, one of them animated, beside
// what the file says in plain numbers.

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/file.h"
#include "gertie/scene.h"
#include "support/test.h"

static const char file[] = //
    "; FBX 7.1.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7100\n}\n"
    "Objects: {\n"
    " Geometry: 1, \"Geometry::\", \"Mesh\" {\n"
    "  Properties70: {\n   P: \"Up\", \"Number\", \"\", \"A+\",25\n   P: \"Wide\", \"Number\", \"\", \"A+\",50\n  }\n"
    "  Vertices: *9 { a: 0,0,0, 100,0,0, 0,100,0\n }\n  PolygonVertexIndex: *3 { a: 0,1,-3\n }\n"
    "  Shape: \"Wide\" {\n   Indexes: *1 { a: 1\n }\n   Vertices: *3 { a: 40,0,0\n }\n  }\n"
    "  Shape: \"Up\" {\n   Indexes: *1 { a: 2\n }\n   Vertices: *3 { a: 0,80,0\n }\n  }\n }\n"
    " Model: 10, \"Model::Face\", \"Mesh\" {\n }\n"
    " AnimationStack: 20, \"AnimStack::Take\", \"\" {\n }\n AnimationLayer: 21, \"AnimLayer::Base\", \"\" {\n }\n"
    " AnimationCurveNode: 30, \"AnimCurveNode::Up\", \"\" {\n }\n"
    " AnimationCurve: 40, \"AnimCurve::\", \"\" {\n"
    "  KeyTime: *2 { a: 0,46186158000\n }\n  KeyValueFloat: *2 { a: 0,100\n }\n"
    "  KeyAttrFlags: *1 { a: 4\n }\n  KeyAttrDataFloat: *4 { a: 0,0,0,0\n }\n  KeyAttrRefCount: *1 { a: 2\n }\n }\n"
    "}\n"
    "Connections: {\n C: \"OO\",10,0\n C: \"OO\",1,10\n C: \"OO\",21,20\n C: \"OO\",30,21\n"
    " C: \"OP\",30,1, \"Up\"\n C: \"OP\",40,30, \"d|Up\"\n}\n";

static void shapes_inside_of_a_geometry_are_targets(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, file, sizeof file - 1, "face.fbx", NULL, &scene, &error));
    const GtMesh* mesh = &scene->meshes[0];
    assert_int_equal(mesh->target_count, 2);
    assert_string_equal(mesh->target_names[0], "Wide");
    assert_string_equal(mesh->target_names[1], "Up");
    GT_EXPECT_NEAR(mesh->weights[0], 0.5, 1e-6);
    GT_EXPECT_NEAR(mesh->weights[1], 0.25, 1e-6);
    float offsets[9];
    gt_accessor_read_floats(scene, gt_morph_target_find(&mesh->primitives[0].targets[1], "POSITION"), 0, 3, offsets);
    for (int i = 0; i < 9; ++i) {
        GT_EXPECT_NEAR(offsets[i], i == 7 ? 0.8 : 0.0, 1e-6);
    }
    gt_scene_destroy(scene);
}

static void their_properties_are_animated(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    GtBuildDef def = gt_default_build_def();
    GT_EXPECT_OK(gt_scene_load_memory(&context, file, sizeof file - 1, "face.fbx", NULL, &scene, &error));
    GT_EXPECT_OK(gt_character_build(&context, scene, &def, &character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&context, scene, 0, character, &clip, &error));
    GtTransform pose[1] = { gt_default_node().local };
    float weights[2];
    gt_clip_sample(clip, 0.5, pose, weights);
    GT_EXPECT_NEAR(weights[0], 0.5, 1e-6); // no curve: at rest
    GT_EXPECT_NEAR(weights[1], 0.5, 1e-6);
    gt_clip_sample(clip, 1.0, pose, weights);
    GT_EXPECT_NEAR(weights[1], 1.0, 1e-6);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_inside_of_a_geometry_are_targets),
        cmocka_unit_test(their_properties_are_animated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
