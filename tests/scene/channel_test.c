// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "gertie/channel.h"

static GtScene* make_scene(const GtContext* context)
{
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    const char* const names[] = { "mixamorig:Hips", "DEF-spine.001", "upper_arm.L", "Face", "twin", "twin" };
    for (int i = 0; i < 6; ++i) {
        GtNode node = gt_default_node();
        node.name = names[i];
        node.parent = i - 1;
        node.mesh = i == 3 ? 0 : GT_NONE;
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    }
    static const char* const targets[] = { "jawOpen", "mouth.smile/left", "jawOpen", "" };
    GtMesh mesh = { .name = "Head", .target_count = 4, .target_names = targets };
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, NULL, &error));
    GtCamera camera = { .name = "Main", .fov_y_rad = 1.0f };
    GT_EXPECT_OK(gt_scene_add_camera(scene, &camera, NULL, &error));
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    *map = gt_humanoid_map_empty();
    map->nodes[GT_HUMANOID_HIPS] = 0;
    scene->humanoid = map;
    return scene;
}

static void test_addresses_lead_to_their_channels(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        GtChannel channel;
    } cases[] = {
        { "hips.translation.y", { GT_CHANNEL_TRANSLATION, 0, 0, 1 } },
        { "mixamorig:Hips.rotation.w", { GT_CHANNEL_ROTATION, 0, 0, 3 } },
        { "DEF-spine.001.rotation", { GT_CHANNEL_ROTATION, 1, 0, GT_NONE } },
        { "upper_arm.L.scale.x", { GT_CHANNEL_SCALE, 2, 0, 0 } },
        { "node:twin.scale", { GT_CHANNEL_SCALE, 4, 0, GT_NONE } },
        { "#5.scale", { GT_CHANNEL_SCALE, 5, 0, GT_NONE } },
        { "morph:jawOpen", { GT_CHANNEL_MORPH, 3, 0, GT_NONE } },
        { "morph:mouth.smile/left", { GT_CHANNEL_MORPH, 3, 1, GT_NONE } },
        { "morph:Face/mouth.smile/left", { GT_CHANNEL_MORPH, 3, 1, GT_NONE } },
        { "morph:Head/jawOpen", { GT_CHANNEL_MORPH, 3, 0, GT_NONE } }, // the mesh that the node shows
        { "morph:#3/#2", { GT_CHANNEL_MORPH, 3, 2, GT_NONE } },        // a name that another one has
        { "morph:Face/#3", { GT_CHANNEL_MORPH, 3, 3, GT_NONE } },      // no name at all
        { "morph:Face/3", { GT_CHANNEL_MORPH, 3, 3, GT_NONE } },
        { "camera.fov", { GT_CHANNEL_CAMERA_FOV, 0, 0, GT_NONE } },
        { "camera:Main.fov", { GT_CHANNEL_CAMERA_FOV, 0, 0, GT_NONE } },
    };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = make_scene(&context);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtChannel channel;
        GT_EXPECT_OK(gt_channel_resolve(scene, cases[i].text, &channel, &error));
        assert_memory_equal(&channel, &cases[i].channel, sizeof channel);
        char text[400];
        gt_channel_format(scene, &channel, text, sizeof text);
        GtChannel again;
        GT_EXPECT_OK(gt_channel_resolve(scene, text, &again, &error));
        assert_memory_equal(&again, &channel, sizeof channel);
    }
    gt_scene_destroy(scene);
}

static void test_what_cannot_be_meant_is_said(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtChannel channel;
    GtScene* scene = make_scene(&context);
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "nobody.rotation", &channel, &error), GT_ERROR_NOT_FOUND, "nobody");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "hips.translation.w", &channel, &error), GT_ERROR_NOT_FOUND, "component");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "hips.colour", &channel, &error), GT_ERROR_NOT_FOUND, "colour");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "hips", &channel, &error), GT_ERROR_BAD_VALUE, "no property");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "", &channel, &error), GT_ERROR_BAD_VALUE, "no property");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "#6.scale", &channel, &error), GT_ERROR_NOT_FOUND, "#6");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "morph:jawShut", &channel, &error), GT_ERROR_NOT_FOUND, "jawShut");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "camera:Other.fov", &channel, &error), GT_ERROR_NOT_FOUND, "Other");
    GT_EXPECT_ERROR(gt_channel_resolve(scene, "section:biceps.b", &channel, &error), GT_ERROR_NOT_FOUND, "section");
    char longer[600];
    memset(longer, 'n', sizeof longer);
    memcpy(longer + sizeof longer - 7, ".scale", 7);
    GT_EXPECT_ERROR(gt_channel_resolve(scene, longer, &channel, &error), GT_ERROR_LIMIT, "255");
    gt_scene_destroy(scene);
}

static void test_what_is_near_is_named(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "hisp.rotation", "no joint or node 'hisp'; did you mean 'hips' or 'mixamorig:Hips'?" },
        { "Hip.rotation", "did you mean 'hips' or 'mixamorig:Hips'?" },
        { "def_spine_001.scale", "did you mean 'DEF-spine.001'?" },
        { "upper_arm.scale", "did you mean 'upper_arm.L'?" },
        { "twins.scale", "did you mean 'twin'?" },
        { "elbow.scale", "no joint or node 'elbow'; 'gertie info --channels' lists" },
        { "morph:jawOpne", "no morph target 'jawOpne'; did you mean 'jawOpen'?" },
        { "morph:smile", "did you mean 'mouth.smile/left'?" },
        { "morph:blink", "no morph target 'blink'; 'gertie info --channels' lists" },
    };
    GtContext context = gt_default_context();
    GtError error;
    GtChannel channel;
    GtScene* scene = make_scene(&context);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_ERROR(gt_channel_resolve(scene, cases[i][0], &channel, &error), GT_ERROR_NOT_FOUND, cases[i][1]);
    }
    gt_scene_destroy(scene);
}

static void test_addresses_of_things_to_come_are_taken_apart(void** state)
{
    (void)state;
    GtError error;
    GtChannelAddress a;
    GT_EXPECT_OK(gt_channel_parse("lattice:belly.point[1,2,0].z", &a, &error));
    assert_string_equal(a.domain, "lattice");
    assert_string_equal(a.name, "belly");
    assert_string_equal(a.property, "point");
    assert_int_equal(a.index_count, 3);
    assert_int_equal(a.indices[1], 2);
    assert_int_equal(a.component, 2);
    GT_EXPECT_OK(gt_channel_parse("section:biceps.b", &a, &error));
    assert_string_equal(a.property, "b");
    GT_EXPECT_ERROR(gt_channel_parse("lattice:belly.point[1,].z", &a, &error), GT_ERROR_BAD_VALUE, "[1,2,0]");
    GT_EXPECT_ERROR(gt_channel_parse("lattice:belly.point[1,2,3,4].z", &a, &error), GT_ERROR_BAD_VALUE, "[1,2,0]");
}

typedef struct Listed {
    const GtScene* scene;
    int count;
} Listed;

// Every address that is listed leads to its channel, and is the one that is given when only it is asked for.
static void check_listed(void* user, const GtChannel* channel, const char* address)
{
    Listed* listed = user;
    GtError error;
    GtChannel found;
    GT_EXPECT_OK(gt_channel_resolve(listed->scene, address, &found, &error));
    assert_memory_equal(&found, channel, sizeof found);
    char alone[600];
    gt_channel_format(listed->scene, channel, alone, sizeof alone);
    assert_string_equal(address, alone);
    ++listed->count;
}

static void test_the_list_is_whole_and_leads_back(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = make_scene(&context);
    static const char* const awkward[] = { "hips", "#2", "#99", "", NULL, "twin", "spine", "a.b:c/d" };
    for (int i = 0; i < 8; ++i) {
        GtNode node = gt_default_node();
        node.name = awkward[i];
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    }
    static const char* const cameras[] = { "Main", NULL, "Side", "Side", "#0" };
    for (int i = 0; i < 5; ++i) {
        GtCamera camera = { .name = cameras[i], .fov_y_rad = 1.0f };
        GT_EXPECT_OK(gt_scene_add_camera(scene, &camera, NULL, &error));
    }
    Listed listed = { scene, 0 };
    GT_EXPECT_OK(gt_channel_list(&context, scene, check_listed, &listed, &error));
    assert_int_equal(listed.count, 3 * 14 + 4 + 6);
    TestAllocator none = { .remaining = 0 };
    context.allocator = test_allocator(&none);
    GT_EXPECT_ERROR(gt_channel_list(&context, scene, check_listed, &listed, &error), GT_ERROR_OUT_OF_MEMORY, "memory");
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses_lead_to_their_channels),
        cmocka_unit_test(test_what_cannot_be_meant_is_said),
        cmocka_unit_test(test_what_is_near_is_named),
        cmocka_unit_test(test_addresses_of_things_to_come_are_taken_apart),
        cmocka_unit_test(test_the_list_is_whole_and_leads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
