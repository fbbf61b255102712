// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// make_scene OUT.glb
//
// A scene made by hand: a card with a texture of four large pixels that turns once about itself in two seconds, and a
// camera that looks at it. It shows how nodes, meshes, materials, clips and cameras are added. Links libgertie-scene.

#include <gertie/accessor.h>
#include <gertie/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A PNG of 2 x 2 pixels.
static const uint8_t png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfd, 0xd4, 0x9a,
    0x73, 0x00, 0x00, 0x00, 0x15, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x78, 0x56, 0xa1, 0xf1,
    0xeb, 0xc3, 0x1d, 0x06, 0x20, 0xd6, 0x68, 0xea, 0x01, 0x00, 0x3c, 0x2c, 0x08, 0x49, 0xaf, 0xbe,
    0x7c, 0x57, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

static GtError error;

static void check(GtResult result)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "make_scene: %s\n", text);
        exit(EXIT_FAILURE);
    }
}

static int32_t add_numbers(GtScene* scene, GtAccessorUse use, GtElementType element, const float* numbers, int count)
{
    int32_t accessor;
    check(gt_scene_add_data(scene, use, element, GT_COMPONENT_FLOAT, numbers, (uint64_t)count, &accessor, &error));
    return accessor;
}

// What a scene points to lives as long as the scene does.
static void* keep(GtScene* scene, const void* data, size_t count, size_t size)
{
    void* copy = gt_scene_push(scene, count, size);
    if (!copy) {
        exit(EXIT_FAILURE);
    }
    return memcpy(copy, data, count * size);
}

// Bytes, an image of them, a sampler that shows every pixel as a square, a texture, a material.
static int32_t add_material(GtScene* scene)
{
    uint8_t* bytes;
    int32_t buffer, view, image, sampler, texture, material;
    GtBuffer data = { .blob = gt_blob_create(gt_default_allocator(), sizeof png, &bytes) };
    if (!data.blob) {
        exit(EXIT_FAILURE);
    }
    memcpy(bytes, png, sizeof png);
    check(gt_scene_add_buffer(scene, &data, &buffer, &error));
    check(gt_scene_add_buffer_view(scene, &(GtBufferView){ .buffer = buffer, .size = sizeof png }, &view, &error));
    check(gt_scene_add_image(scene, &(GtImage){ .mime_type = "image/png", .view = view }, &image, &error));
    const GtSampler nearest = { .mag_filter = 9728, .min_filter = 9728, .wrap_s = 33071, .wrap_t = 33071 };
    check(gt_scene_add_sampler(scene, &nearest, &sampler, &error));
    check(gt_scene_add_texture(scene, &(GtTexture){ .sampler = sampler, .image = image }, &texture, &error));
    GtMaterial card = gt_default_material();
    card.name = "card";
    card.has_pbr = true;
    card.metallic = 0.0f;
    card.base_color_texture = (GtTextureRef){ .texture = texture, .scale = 1.0f };
    card.double_sided = true;
    check(gt_scene_add_material(scene, &card, &material, &error));
    return material;
}

static int32_t add_card(GtScene* scene)
{
    static const float positions[] = { -0.5f, 0.0f, 0.0f, 0.5f, 0.0f, 0.0f, -0.5f, 1.0f, 0.0f, 0.5f, 1.0f, 0.0f };
    static const float normals[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 };
    static const float texcoords[] = { 0, 1, 1, 1, 0, 0, 1, 0 };
    static const uint16_t corners[] = { 0, 1, 3, 0, 3, 2 };
    const GtAttribute attributes[] = {
        { "POSITION", add_numbers(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, positions, 4) },
        { "NORMAL", add_numbers(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, normals, 4) },
        { "TEXCOORD_0", add_numbers(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, texcoords, 4) },
    };
    GtPrimitive primitive = { .mode = GT_MODE_TRIANGLES, .material = add_material(scene) };
    check(gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT16, corners, 6,
                            &primitive.indices, &error));
    primitive.attributes = keep(scene, attributes, 3, sizeof attributes[0]);
    primitive.attribute_count = 3;
    GtMesh mesh = { .name = "card", .primitives = keep(scene, &primitive, 1, sizeof primitive), .primitive_count = 1 };
    GtNode node = gt_default_node();
    int32_t index;
    check(gt_scene_add_mesh(scene, &mesh, &node.mesh, &error));
    node.name = "card";
    check(gt_scene_add_node(scene, &node, &index, &error));
    return index;
}

static int32_t add_camera(GtScene* scene)
{
    const GtCamera camera = { .name = "view", .fov_y_rad = 0.6f, .z_near = 0.1f, .z_far = 100.0f };
    GtNode node = gt_default_node();
    int32_t index;
    check(gt_scene_add_camera(scene, &camera, &node.camera, &error));
    node.name = "camera";
    node.local.translation = gt_vec3(0.0f, 0.5f, 3.0f); // it looks along -Z
    check(gt_scene_add_node(scene, &node, &index, &error));
    return index;
}

static void add_spin(GtScene* scene, int32_t node)
{
    static const float times_s[] = { 0.0f, 0.5f, 1.0f, 1.5f, 2.0f };
    float rotations[5][4];
    for (int i = 0; i < 5; ++i) {
        GtQuat q = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), 1.5707963f * (float)i);
        memcpy(rotations[i], &q, sizeof q);
    }
    GtAnimationSampler sampler = { .input = add_numbers(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, times_s, 5) };
    sampler.output = add_numbers(scene, GT_USE_DATA, GT_ELEMENT_VEC4, rotations[0], 5);
    GtAnimationChannel channel = { .sampler = 0, .node = node, .path = GT_PATH_ROTATION };
    GtAnimation spin = { .name = "spin", .sampler_count = 1, .channel_count = 1 };
    spin.samplers = keep(scene, &sampler, 1, sizeof sampler);
    spin.channels = keep(scene, &channel, 1, sizeof channel);
    check(gt_scene_add_animation(scene, &spin, NULL, &error));
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_scene OUT.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    check(gt_scene_create(&context, &scene, &error));
    int32_t nodes[2] = { add_card(scene), add_camera(scene) };
    add_spin(scene, nodes[0]);
    const GtStage stage = { .nodes = keep(scene, nodes, 2, sizeof nodes[0]), .node_count = 2 };
    check(gt_scene_add_stage(scene, &stage, &scene->default_stage, &error));
    check(gt_scene_validate(&context, scene, &error)); // saving does it, too
    check(gt_scene_save(&context, scene, argv[1], NULL, &error));
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
