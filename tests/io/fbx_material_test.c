// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Materials and textures of FBX files, written as text by hand after what Maya, 3ds Max and Blender write.

#include "io/fbx/reader.h"
#include "io/name.h"
#include "support/test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PNG_PIECES "\"iVBORw==\",\"DQoaCg==\"" // the eight bytes that every PNG starts with, each piece padded

#define TEXTURE(id, name, path, properties)                                                                            \
    " Texture: " id ", \"Texture::" name "\", \"\" {\n"                                                                \
    "  FileName: \"C:\\Art\\" path "\"\n"                                                                              \
    "  RelativeFilename: \"maps\\" path "\"\n"                                                                         \
    "  Properties70: {\n" properties "  }\n }\n"

#define MATERIAL(id, name, model, properties)                                                                          \
    " Material: " id ", \"Material::" name "\", \"\" {\n"                                                              \
    "  ShadingModel: \"" model "\"\n  Properties70: {\n" properties "  }\n }\n"

#define P(name, values) "   P: \"" name "\", \"\", \"\", \"A\"," values "\n"

typedef struct Loaded {
    GtiFbxReader reader;
    TestLog log;
    GtContext context;
    GtError error;
} Loaded;

static GtResult load_with(Loaded* l, const char* text, const char* path)
{
    GtiFbxReader* r = &l->reader;
    GtError* error = &l->error;
    l->error = (GtError){ 0 };
    *r = (GtiFbxReader){ .context = &l->context, .path = path, .error = error };
    GtResult result = gti_fbx_parse(&l->context, (const uint8_t*)text, strlen(text), &r->tree, error);
    if (result != GT_OK) {
        return result;
    }
    result = gti_fbx_graph_make(&l->context, &r->tree, path, &r->graph, error);
    if (result != GT_OK) {
        gti_fbx_tree_release(&r->tree);
        return result;
    }
    r->arena = gt_arena_create(l->context.allocator);
    result = gt_scene_create(&l->context, &r->scene, error);
    if (result == GT_OK && !gti_push_directory(r->scene, path)) {
        result = GT_ERROR_OUT_OF_MEMORY;
    }
    return result == GT_OK ? gti_fbx_add_materials(r) : result;
}

static void load(Loaded* l, const char* text, const char* path)
{
    l->context = test_context(&l->log);
    GtError error = { 0 };
    GtResult result = load_with(l, text, path);
    error = l->error;
    GT_EXPECT_OK(result);
}

static void unload(Loaded* l)
{
    gt_scene_destroy(l->reader.scene);
    gt_arena_destroy(&l->reader.arena);
    gti_fbx_graph_release(&l->reader.graph);
    gti_fbx_tree_release(&l->reader.tree);
}

static const GtMaterial* find(const Loaded* l, int64_t id)
{
    int32_t object = gti_fbx_object_of_id(&l->reader.graph, id);
    assert_true(object > 0 && l->reader.material_of_object[object] != GT_NONE);
    return &l->reader.scene->materials[l->reader.material_of_object[object]];
}

static void expect_color(const float* color, float r, float g, float b)
{
    GT_EXPECT_NEAR(color[0], r, 1e-6);
    GT_EXPECT_NEAR(color[1], g, 1e-6);
    GT_EXPECT_NEAR(color[2], b, 1e-6);
}

static void test_plain_materials(void** state)
{
    (void)state;
    // clang-format off
    static const char text[] =
        "; FBX 7.5.0 project file\nObjects: {\n"
        MATERIAL("1", "Skin", "phong", P("DiffuseColor", "0.5,0.25,1") P("DiffuseFactor", "0.5")
                 P("EmissiveColor", "1,0,0") P("EmissiveFactor", "0.25") P("ShininessExponent", "30")
                 P("TransparencyFactor", "0.25"))
        MATERIAL("2", "Cloth", "Lambert", P("ShininessExponent", "30") P("TransparencyFactor", "1") P("Opacity", "1"))
        MATERIAL("3", "Glass", "phong", P("Shininess", "30") P("TransparencyFactor", "0")
                 P("TransparentColor", "1,1,1") P("Opacity", "0.5"))
        MATERIAL("4", "Matt", "phong", P("ShininessExponent", "30") P("SpecularFactor", "0")
                 P("DiffuseColor", "nan,9,-1"))
        " Model: 5, \"Model::Body\", \"Mesh\" { }\n}\n";
    // clang-format on
    Loaded l;
    load(&l, text, NULL);
    const GtMaterial* skin = find(&l, 1);
    assert_string_equal(skin->name, "Skin");
    expect_color(skin->base_color, 0.25f, 0.125f, 0.5f);
    expect_color(skin->emissive, 0.25f, 0.0f, 0.0f);
    GT_EXPECT_NEAR(skin->base_color[3], 0.75, 1e-6);
    assert_int_equal(skin->alpha_mode, GT_ALPHA_BLEND);
    GT_EXPECT_NEAR(skin->metallic, 0.0, 0.0);
    GT_EXPECT_NEAR(skin->roughness, 0.5, 1e-6); // (2 / 32)^(1/4)
    GT_EXPECT_NEAR(find(&l, 2)->roughness, 1.0, 0.0);
    assert_int_equal(find(&l, 2)->alpha_mode, GT_ALPHA_OPAQUE);
    GT_EXPECT_NEAR(find(&l, 3)->base_color[3], 0.5, 1e-6);
    GT_EXPECT_NEAR(find(&l, 4)->roughness, 1.0, 0.0);
    assert_int_equal(l.reader.material_of_object[gti_fbx_object_of_id(&l.reader.graph, 5)], GT_NONE);
    assert_int_equal(l.log.warning_count, 0);
    unload(&l);
}

// clang-format off
static const char textured[] =
    "; FBX 7.5.0 project file\nObjects: {\n"
    MATERIAL("1", "Hair", "phong", P("DiffuseColor", "0,0,0") P("TransparencyFactor", "1") P("Opacity", "0"))
    MATERIAL("2", "Skin", "phong", P("DiffuseColor", "0,0,0") P("EmissiveColor", "0,0,0"))
    MATERIAL("3", "Bald", "phong", P("DiffuseColor", "0,0,0") P("TransparencyFactor", "1") P("Opacity", "0"))
    TEXTURE("10", "hair", "Hair.png", P("WrapModeU", "1") P("UVSet", "\"second\""))
    TEXTURE("11", "hair again", "Hair.png", "")
    TEXTURE("12", "none", "gone.png", "")
    TEXTURE("13", "move", "Hair.png",
            P("Translation", "0.5,0.25,0") P("Rotation", "0,0,90") P("Scaling", "2,4,1") P("UVSet", "\"lost\""))
    " LayeredTexture: 14, \"LayeredTexture::layers\", \"\" { }\n"
    " Video: 20, \"Video::hair\", \"Clip\" {\n  Filename: \"C:\\Art\\Hair.png\"\n  Content: , " PNG_PIECES "\n }\n"
    " Video: 21, \"Video::hair too\", \"Clip\" {\n  Filename: \"C:\\Art\\Hair.png\"\n  Content: ,\n }\n"
    " Model: 30, \"Model::Head\", \"Mesh\" { }\n"
    " Geometry: 31, \"Geometry::Head\", \"Mesh\" {\n"
    "  LayerElementUV: 0 {\n   Name: \"first\"\n  }\n  LayerElementUV: 1 {\n   Name: \"second\"\n  }\n }\n"
    "}\nConnections: {\n"
    " C: \"OO\",31,30\n C: \"OO\",1,30\n C: \"OO\",2,30\n C: \"OO\",20,10\n C: \"OO\",21,11\n"
    " C: \"OP\",10,1, \"DiffuseColor\"\n C: \"OP\",11,1, \"TransparentColor\"\n C: \"OP\",12,1, \"NormalMap\"\n"
    " C: \"OO\",12,14\n C: \"OO\",11,14\n C: \"OP\",14,2, \"DiffuseColor\"\n C: \"OP\",13,2, \"EmissiveColor\"\n"
    " C: \"OP\",12,3, \"DiffuseColor\"\n C: \"OP\",12,3, \"TransparentColor\"\n"
    "}\n";
// clang-format on

static void test_embedded_textures(void** state)
{
    (void)state;
    Loaded l;
    load(&l, textured, NULL);
    const GtScene* scene = l.reader.scene;
    const GtMaterial* hair = find(&l, 1);
    assert_int_equal(scene->image_count, 1);
    assert_string_equal(scene->images[0].name, "Hair.png");
    assert_string_equal(scene->images[0].mime_type, "image/png");
    const GtBufferView* view = &scene->buffer_views[scene->images[0].view];
    assert_int_equal(view->size, 8);
    assert_memory_equal(gt_blob_bytes(scene->buffers[view->buffer].blob), "\x89PNG\r\n\x1A\n", 8);
    const GtTexture* texture = &scene->textures[hair->base_color_texture.texture];
    assert_string_equal(texture->name, "hair");
    assert_int_equal(scene->samplers[texture->sampler].wrap_s, 33071);
    assert_int_equal(scene->samplers[texture->sampler].wrap_t, 10497);
    assert_int_equal(hair->base_color_texture.texcoord, 1);
    expect_color(hair->base_color, 1.0f, 1.0f, 1.0f);
    assert_int_equal(hair->alpha_mode, GT_ALPHA_MASK);
    GT_EXPECT_NEAR(hair->base_color[3], 1.0, 0.0);
    assert_int_equal(hair->normal_texture.texture, GT_NONE);
    const GtMaterial* skin = find(&l, 2);
    assert_string_equal(scene->textures[skin->base_color_texture.texture].name, "hair again");
    assert_int_equal(skin->base_color_texture.texcoord, 0);
    assert_int_equal(skin->emissive_texture.texcoord, 0);
    expect_color(skin->emissive, 1.0f, 1.0f, 1.0f);
    const GtMaterial* bald = find(&l, 3); // its texture is not there, and the black that it hid must not be seen
    expect_color(bald->base_color, 1.0f, 1.0f, 1.0f);
    GT_EXPECT_NEAR(bald->base_color[3], 1.0, 0.0);
    assert_int_equal(l.log.warning_count, 1);
    assert_non_null(strstr(l.log.text, "'gone.png'"));
    unload(&l);
}

// A corner of the picture by the FBX rule, V up, and by glTF's, V down, must be the same place.
static void test_texture_transform(void** state)
{
    (void)state;
    Loaded l;
    load(&l, textured, NULL);
    float offset[2], scale[2], rotation_rad;
    const char* json = find(&l, 2)->emissive_texture.extra.extensions;
    assert_non_null(json);
    assert_int_equal(sscanf(json, "{\"KHR_texture_transform\":{\"offset\":[%f,%f],\"rotation\":%f,\"scale\":[%f,%f]}}",
                            &offset[0], &offset[1], &rotation_rad, &scale[0], &scale[1]),
                     5);
    const double u = 0.3, v = 0.8;
    double x = scale[0] * u, y = scale[1] * (1.0 - v), c = cos((double)rotation_rad), s = sin((double)rotation_rad);
    GT_EXPECT_NEAR(offset[0] + c * x + s * y, 0.5 - 4.0 * v, 1e-5);          // scaled by 2 and 4, a quarter turn
    GT_EXPECT_NEAR(1.0 - (offset[1] - s * x + c * y), 0.25 + 2.0 * u, 1e-5); // counter-clockwise, then moved
    assert_int_equal(l.reader.scene->extension_used_count, 1);
    unload(&l);
}

static void test_physical_materials(void** state)
{
    (void)state;
    // clang-format off
    static const char text[] =
        "; FBX 7.5.0 project file\nObjects: {\n"
        MATERIAL("1", "Stingray", "unknown", P("Maya|base_color", "0.5,0.5,0.5") P("Maya|use_color_map", "0")
                 P("Maya|metallic", "0.75") P("Maya|roughness", "0.25") P("Maya|emissive", "1,1,1")
                 P("Maya|emissive_intensity", "0"))
        MATERIAL("2", "Max", "unknown", P("3dsMax|Parameters|base_color", "1,0.5,0,1")
                 P("3dsMax|Parameters|roughness", "0.25") P("3dsMax|Parameters|roughness_inv", "1")
                 P("DiffuseColor", "0,0,0"))
        MATERIAL("3", "Arnold", "unknown", P("Maya|baseColor", "1,1,1") P("Maya|metalness", "0.5"))
        TEXTURE("10", "both", "Hair.png", "")
        TEXTURE("11", "other", "Other.png", "")
        " Video: 20, \"Video::hair\", \"Clip\" {\n  Filename: \"C:\\Art\\Hair.png\"\n  "
        "Content: , " PNG_PIECES "\n }\n"
        " Video: 21, \"Video::x\", \"Clip\" {\n  Filename: \"C:\\Art\\Other.png\"\n  "
        "Content: , " PNG_PIECES "\n }\n"
        "}\nConnections: {\n"
        " C: \"OP\",10,1, \"Maya|TEX_color_map\"\n C: \"OP\",10,3, \"Maya|metalness\"\n"
        " C: \"OP\",10,3, \"Maya|specularRoughness\"\n C: \"OP\",10,2, "
        "\"3dsMax|Parameters|metalness_map\"\n"
        " C: \"OP\",11,2, \"3dsMax|Parameters|roughness_map\"\n C: \"OP\",11,2, "
        "\"3dsMax|Parameters|bump_map\"\n"
        "}\n";
    // clang-format on
    Loaded l;
    load(&l, text, NULL);
    const GtMaterial* stingray = find(&l, 1);
    expect_color(stingray->base_color, 0.5f, 0.5f, 0.5f);
    expect_color(stingray->emissive, 0.0f, 0.0f, 0.0f);
    GT_EXPECT_NEAR(stingray->metallic, 0.75, 0.0);
    GT_EXPECT_NEAR(stingray->roughness, 0.25, 0.0);
    assert_int_equal(stingray->base_color_texture.texture, GT_NONE);
    const GtMaterial* max = find(&l, 2);
    expect_color(max->base_color, 1.0f, 0.5f, 0.0f);
    GT_EXPECT_NEAR(max->roughness, 0.75, 0.0);
    assert_int_equal(max->metallic_roughness_texture.texture, GT_NONE);
    assert_true(max->normal_texture.texture != GT_NONE);
    const GtMaterial* arnold = find(&l, 3);
    assert_true(arnold->metallic_roughness_texture.texture != GT_NONE);
    GT_EXPECT_NEAR(arnold->metallic, 1.0, 0.0);
    unload(&l);
}

static void touch(const char* folder, const char* name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    fclose(f);
}

// Blender writes scale and rotation of the picture, roughness by a rule of its own, and metalness as reflection.
static void test_blender_materials(void** state)
{
    (void)state;
    // clang-format off
    static const char text[] =
        "; FBX 7.4.0 project file\nCreator: \"Blender (stable FBX IO) - 4.1.0 - 5.11.7\"\nObjects: {\n"
        MATERIAL("1", "A", "Phong", P("Shininess", "25") P("ReflectionFactor", "0.5"))
        TEXTURE("10", "a", "Hair.png", P("Rotation", "0,0,-90") P("Scaling", "0.5,0.25,1"))
        " Video: 20, \"Video::hair\", \"Clip\" {\n  Filename: \"C:\\Art\\Hair.png\"\n  Content: , " PNG_PIECES "\n }\n"
        "}\nConnections: {\n C: \"OP\",10,1, \"DiffuseColor\"\n}\n";
    // clang-format on
    Loaded l;
    load(&l, text, NULL);
    const GtMaterial* material = find(&l, 1);
    GT_EXPECT_NEAR(material->roughness, 0.5, 1e-6);
    GT_EXPECT_NEAR(material->metallic, 0.5, 1e-6);
    assert_non_null(strstr(material->base_color_texture.extra.extensions, "\"rotation\":1.570796,\"scale\":[2,4]"));
    unload(&l);
}

static void test_pictures_beside_the_file(void** state)
{
    (void)state;
    // clang-format off
    static const char text[] =
        "; FBX 7.5.0 project file\nObjects: {\n"
        MATERIAL("1", "A", "phong", "")
        MATERIAL("2", "B", "phong", "")
        MATERIAL("3", "C", "phong", "")
        TEXTURE("10", "a", "skin color.PNG", "")
        TEXTURE("11", "b", "deep\\Cloth.tga", "")
        TEXTURE("12", "c", "in maps.jpg", "")
        TEXTURE("13", "d", "gone.tga", "")
        TEXTURE("14", "e", "skin COLOR.png", "")
        "}\nConnections: {\n"
        " C: \"OP\",10,1, \"DiffuseColor\"\n C: \"OP\",11,2, \"DiffuseColor\"\n C: "
        "\"OP\",12,3, \"DiffuseColor\"\n"
        " C: \"OP\",13,3, \"EmissiveColor\"\n C: \"OP\",14,2, \"EmissiveColor\"\n}\n";
    // clang-format on
    char folder[] = "/tmp/gertie-fbx-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64], maps[64], fbm[64];
    snprintf(path, sizeof path, "%s/person.fbx", folder);
    snprintf(maps, sizeof maps, "%s/maps", folder);
    snprintf(fbm, sizeof fbm, "%s/Person.fbm", folder);
    assert_int_equal(mkdir(maps, 0700), 0);
    assert_int_equal(mkdir(fbm, 0700), 0);
    touch(folder, "Skin Color.png");
    touch(fbm, "cloth.jpeg");
    touch(maps, "in maps.jpg");
    Loaded l;
    load(&l, text, path);
    const GtScene* scene = l.reader.scene;
    assert_int_equal(scene->image_count, 3);
    assert_string_equal(scene->images[0].uri, "Skin%20Color.png");
    assert_string_equal(scene->images[1].uri, "Person.fbm/cloth.jpeg");
    assert_string_equal(scene->images[2].uri, "maps/in%20maps.jpg");
    assert_int_equal(scene->textures[find(&l, 2)->emissive_texture.texture].image, 0);
    assert_int_equal(l.log.warning_count, 1);
    assert_non_null(strstr(l.log.text, "'gone.tga'"));
    unload(&l);
    static const char* const files[] = { "Skin Color.png", "Person.fbm/cloth.jpeg", "maps/in maps.jpg" };
    for (int i = 0; i < 3; ++i) {
        char file[300];
        snprintf(file, sizeof file, "%s/%s", folder, files[i]);
        assert_int_equal(remove(file), 0);
    }
    assert_int_equal(rmdir(maps) | rmdir(fbm) | rmdir(folder), 0);
}

static void test_damaged_pictures(void** state)
{
    (void)state;
    // clang-format off
    static const char text[] =
        "; FBX 7.5.0 project file\nObjects: {\n"
        MATERIAL("1", "A", "phong", P("DiffuseColor", "0.5,0.5,0.5"))
        TEXTURE("10", "a", "a.png", "")
        TEXTURE( "11", "b", "b.tga", "")
        " Video: 20, \"Video::a\", \"Clip\" {\n  Filename: \"C:\\Art\\a.png\"\n  Content: , \"i*==\"\n }\n"
        " Video: 21, \"Video::b\", \"Clip\" {\n  Filename: \"C:\\Art\\b.tga\"\n  Content: , \"AAAA\"\n }\n"
        "}\nConnections: {\n C: \"OP\",10,1, \"DiffuseColor\"\n C: \"OP\",11,1, \"Bump\"\n}\n";
    // clang-format on
    Loaded l;
    load(&l, text, NULL);
    assert_int_equal(l.reader.scene->image_count, 0);
    assert_int_equal(l.log.warning_count, 2);
    assert_non_null(strstr(l.log.text, "'a.png' is left out: the embedded picture is not base64"));
    assert_non_null(strstr(l.log.text, "'b.tga' is left out: the embedded picture is no PNG, JPEG, TGA or BMP"));
    expect_color(find(&l, 1)->base_color, 0.5f, 0.5f, 0.5f);
    unload(&l);
    l.context = test_context(&l.log);
    l.context.strict = true;
    GtResult result = load_with(&l, text, NULL);
    GtError error = l.error;
    GT_EXPECT_ERROR(result, GT_ERROR_STRICT, "is not base64");
    unload(&l);
}

// An embedded TGA becomes a PNG, whatever its name.
static void test_embedded_tga(void** state)
{
    (void)state;
    // clang-format off
    static const char text[] =
        "; FBX 7.5.0 project file\nObjects: {\n"
        MATERIAL("1", "A", "phong", P("DiffuseColor", "0.5,0.5,0.5"))
        TEXTURE("10", "a", "a.tga", "")
        " Video: 20, \"Video::a\", \"Clip\" {\n  Filename: \"C:\\Art\\a.tga\"\n"
        "  Content: , \"AAACAAAAAAAAAAAAAQABABggChTI\"\n }\n"
        "}\nConnections: {\n C: \"OP\",10,1, \"DiffuseColor\"\n}\n";
    // clang-format on
    Loaded l;
    load(&l, text, NULL);
    const GtScene* scene = l.reader.scene;
    assert_int_equal(l.log.warning_count, 0);
    assert_int_equal(scene->image_count, 1);
    assert_string_equal(scene->images[0].mime_type, "image/png");
    const GtBufferView* view = &scene->buffer_views[scene->images[0].view];
    assert_memory_equal(gt_blob_bytes(scene->buffers[view->buffer].blob), "\x89PNG\r\n\x1A\n", 8);
    unload(&l);
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        Loaded l;
        l.context = test_context(&l.log);
        l.context.allocator = test_allocator(&limited);
        GtResult result = load_with(&l, textured, "fbx_material_test.fbx");
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        unload(&l);
        assert_int_equal(limited.alive, 0);
        done = result == GT_OK;
        assert_true(!done || allowed >= 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_materials),
        cmocka_unit_test(test_embedded_textures),
        cmocka_unit_test(test_texture_transform),
        cmocka_unit_test(test_physical_materials),
        cmocka_unit_test(test_pictures_beside_the_file),
        cmocka_unit_test(test_damaged_pictures),
        cmocka_unit_test(test_blender_materials),
        cmocka_unit_test(test_memory_may_run_out),
        cmocka_unit_test(test_embedded_tga),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
