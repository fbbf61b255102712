// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes and materials that move nothing: a card whose texture slides and whose colours change, by the colour of its
// middle.

#include "gertie/sculpt.h"

#include "build/make_scene.h"
#include "render/walker.h"

enum {
    SIZE = 32
};

// Two pixels, white and blue.
static const char two_pixels[] = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR42mP4//"
                                 "8/A8N/AA/3A/3z/y0gAAAAAElFTkSuQmCC";

static void add_texture(GtScene* scene)
{
    GtError error;
    int32_t index = GT_NONE;
    GtMaterial material = gt_default_material();
    material.base_color_texture = (GtTextureRef){ .texture = 0, .texcoord = 1 };
    GT_EXPECT_OK(gt_scene_add_image(scene, &(GtImage){ .uri = two_pixels, .view = GT_NONE }, &index, &error));
    GT_EXPECT_OK(gt_scene_add_texture(scene, &(GtTexture){ .sampler = GT_NONE, .image = 0 }, &index, &error));
    GT_EXPECT_OK(gt_scene_add_material(scene, &material, &index, &error));
}

// The texture lies by the second set; it starts at the white pixel, slides to the blue one, and the colours lose all
// but red.
static int32_t add_card(GtScene* scene)
{
    static const float corners[12] = { -1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0 };
    static const float none[8] = { 0 };
    static const float places[8] = { 0.25f, 0.5f, 0.25f, 0.5f, 0.25f, 0.5f, 0.25f, 0.5f };
    static const float white[12] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const float slide[8] = { 0.5f, 0, 0.5f, 0, 0.5f, 0, 0.5f, 0 };
    static const float blush[12] = { 0, -2, -2, 0, -2, -2, 0, -2, -2, 0, -2, -2 };
    const GtAttribute attributes[4] = {
        { "POSITION", make_vec3(scene, corners, 4) },
        { "TEXCOORD_0", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, none, 4) },
        { "TEXCOORD_1", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, places, 4) },
        { "COLOR_0", make_vec3(scene, white, 4) },
    };
    const GtAttribute changes[2] = {
        { "COLOR_0", make_vec3(scene, blush, 4) },
        { "TEXCOORD_1", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, slide, 4) },
    };
    const GtMorphTarget targets[2] = { { make_array(scene, &changes[0], 1, sizeof *changes), 1 },
                                       { make_array(scene, &changes[1], 1, sizeof *changes), 1 } };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, attributes, 4);
    primitive.targets = make_array(scene, targets, 2, sizeof *targets);
    primitive.material = 0;
    int32_t mesh = make_mesh(scene, &primitive, 1);
    scene->meshes[mesh].target_count = 2;
    return make_mesh_node(scene, mesh);
}

// A second each as it is, red, blue and both.
static void add_clip(GtScene* scene, int32_t node)
{
    static const float times_s[4] = { 0, 1, 2, 3 };
    static const float weights[8] = { 0, 0, 1, 0, 0, 1, 1, 1 };
    GtError error;
    int32_t index = GT_NONE;
    const GtAnimationSampler sampler = {
        .input = make_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times_s, 4),
        .output = make_data(scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, weights, 8),
        .interpolation = GT_INTERPOLATION_STEP,
    };
    const GtAnimationChannel channel = { .node = node, .path = GT_PATH_WEIGHTS };
    const GtAnimation clip = { .samplers = make_array(scene, &sampler, 1, sizeof sampler),
                               .sampler_count = 1,
                               .channels = make_array(scene, &channel, 1, sizeof channel),
                               .channel_count = 1 };
    GT_EXPECT_OK(gt_scene_add_animation(scene, &clip, &index, &error));
}

// Whether the middle of the card has red, green and blue at half a second, one and a half...
static void expect_middle(Fixture* f, const GtScene* scene, const bool channels[][3], int count)
{
    GtError error;
    GtRenderer* renderer = NULL;
    GtRendererDef def = gt_default_renderer_def();
    def.width = def.height = SIZE;
    def.quality = GT_RENDER_DRAFT;
    GT_EXPECT_OK(gt_renderer_create(&f->context, &def, &renderer, &error));
    GtActorDef actor = gt_default_actor_def();
    actor.scene = scene;
    actor.animation = scene->animation_count > 0 ? 0 : GT_NONE;
    GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
    const GtCameraView camera = { .eye = { 0, 0, 5 }, .up = { 0, 1, 0 }, .height_m = 3, .z_near = 1, .z_far = 10 };
    for (int i = 0; i <= count; ++i) { // and the first once more
        static uint8_t rgba[SIZE * SIZE * 4];
        GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.5 + i % count, &error));
        GT_EXPECT_OK(gt_renderer_read(renderer, rgba, &error));
        const uint8_t* middle = &rgba[4 * (SIZE / 2 * SIZE + SIZE / 2)];
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(middle[k] > 150, channels[i % count][k]); // what shines on black is less
        }
        assert_int_equal(middle[3], 255);
    }
    gt_renderer_destroy(renderer);
}

static void textures_slide_and_colours_change(void** state)
{
    Fixture* f = need_driver(state);
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&f->context, &scene, &error));
    add_texture(scene);
    add_clip(scene, add_card(scene));
    static const bool channels[4][3] = { { 1, 1, 1 }, { 1, 0, 0 }, { 0, 0, 1 }, { 0, 0, 0 } };
    expect_middle(f, scene, channels, 4);
    gt_scene_destroy(scene);
}

// A scan has colours and no material: they are shown on white, as the default material has it.
static void colours_need_no_material(void** state)
{
    static const float corners[12] = { -1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0 };
    static const float green[12] = { 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0 };
    Fixture* f = need_driver(state);
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&f->context, &scene, &error));
    const GtAttribute attributes[2] = {
        { "POSITION", make_vec3(scene, corners, 4) },
        { "COLOR_0", make_vec3(scene, green, 4) },
    };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, attributes, 2);
    make_mesh_node(scene, make_mesh(scene, &primitive, 1));
    static const bool channels[1][3] = { { 0, 1, 0 } };
    expect_middle(f, scene, channels, 1);
    gt_scene_destroy(scene);
}

// glTF: alpha of materials that do not ask for blending has no effect.
static void solid_materials_hide_what_is_behind(void** state)
{
    static const float corners[12] = { -1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0 };
    static const float thin_green[16] = { 0, 1, 0, 0.5f, 0, 1, 0, 0.5f, 0, 1, 0, 0.5f, 0, 1, 0, 0.5f };
    static const float up[12] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 };
    for (int attribute_count = 2; attribute_count <= 3; ++attribute_count) { // without normals and with them
        Fixture* f = need_driver(state);
        GtError error;
        GtScene* scene = NULL;
        GT_EXPECT_OK(gt_scene_create(&f->context, &scene, &error));
        const GtAttribute attributes[3] = {
            { "POSITION", make_vec3(scene, corners, 4) },
            { "COLOR_0", make_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, thin_green, 4) },
            { "NORMAL", make_vec3(scene, up, 4) },
        };
        GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, attributes, attribute_count);
        make_mesh_node(scene, make_mesh(scene, &primitive, 1));
        static const bool channels[1][3] = { { 0, 1, 0 } };
        expect_middle(f, scene, channels, 1);
        gt_scene_destroy(scene);
    }
}

// The texture's own place shows the blue pixel; tracks slide it to the white one and take colours from it.
static void materials_change(void** state)
{
    static const char place[] = "{\"KHR_texture_transform\": {\"offset\": [0.5, 0]}}";
    static const char text[] =
        "{\"gertie_deform\": 1, \"tracks\": ["
        "{\"channel\": \"material:#0.offset.x\", \"formula\": \"'material:#0.offset.x' - 0.5 * step(1, t)\"},"
        "{\"channel\": \"material:#0.color.g\", \"formula\": \"1 - step(2, t)\"},"
        "{\"channel\": \"material:#0.color.b\", \"formula\": \"1 - step(2, t)\"},"
        "{\"channel\": \"material:#0.color.r\", \"formula\": \"1 - step(3, t)\"}]}";
    Fixture* f = need_driver(state);
    GtError error;
    GtScene* scene = NULL;
    GtSculpt* sculpt = NULL;
    GT_EXPECT_OK(gt_scene_create(&f->context, &scene, &error));
    add_texture(scene);
    add_card(scene);
    scene->materials[0].base_color_texture.extra.extensions = place;
    static const bool own[1][3] = { { 0, 0, 1 } };
    expect_middle(f, scene, own, 1);
    GT_EXPECT_OK(gt_sculpt_parse(&f->context, scene, text, strlen(text), &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_keep(&f->context, sculpt, scene, &error));
    static const bool channels[4][3] = { { 0, 0, 1 }, { 1, 1, 1 }, { 1, 0, 0 }, { 0, 0, 0 } };
    expect_middle(f, scene, channels, 4);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_need_no_material),
        cmocka_unit_test(textures_slide_and_colours_change),
        cmocka_unit_test(materials_change),
        cmocka_unit_test(solid_materials_hide_what_is_behind),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
