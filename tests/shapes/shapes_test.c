// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of a sheet: an OBJ of squares in a grid, which other files bend.

#include "support/folder.h"
#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/file.h"
#include "gertie/instance.h"
#include "gertie/shapes.h"

#include <stdlib.h>

enum {
    SIDE = 9,
    COUNT = SIDE * SIDE,
    TEXT_SIZE = 1 << 15
};

// How a sheet is written.
typedef struct Sheet {
    float (*height)(float x, float y);
    bool seam;     // texture coordinates that differ on both sides of the middle, which splits vertices
    bool normals;  // all pointing up
    bool shuffled; // vertices and faces in another order
    bool colors;   // white, but where it is bent; there red
    float scale;
    float tilt_rad; // of the whole, about x
    float slide;    // of texture coordinates, along u, on the right side
} Sheet;

static float flat(float x, float y)
{
    (void)x;
    (void)y;
    return 0.0f;
}

static float bump(float x, float y)
{
    return x > 0.3f && y > 0.3f ? 0.4f * (x - 0.3f) * (y - 0.3f) : 0.0f;
}

static float saddle(float x, float y)
{
    return 0.8f * (x - 0.5f) * (y - 0.5f);
}

static GtVec3 place(const Sheet* sheet, int i)
{
    float x = (float)(i % SIDE) / (SIDE - 1);
    float y = (float)(i / SIDE) / (SIDE - 1);
    float z = sheet->height(x, y);
    float c = cosf(sheet->tilt_rad);
    float s = sinf(sheet->tilt_rad);
    return gt_vec3_scale(gt_vec3(x, c * y - s * z, s * y + c * z), sheet->scale);
}

static int write_corner(char* at, const Sheet* sheet, int i, bool right)
{
    int v = 1 + (sheet->shuffled ? i * 7 % COUNT : i);
    char normal[8] = "";
    if (sheet->normals) {
        snprintf(normal, sizeof normal, "%s1", sheet->seam ? "/" : "//");
    }
    return sheet->seam ? sprintf(at, " %d/%d%s", v, (right ? COUNT : 0) + v, normal) : sprintf(at, " %d%s", v, normal);
}

static GtScene* make_sheet(const GtContext* context, const Sheet* sheet)
{
    static char text[TEXT_SIZE];
    char* at = text;
    for (int i = 0; i < COUNT; ++i) {
        GtVec3 p = place(sheet, sheet->shuffled ? i * 58 % COUNT : i); // 7 * 58 = 1 modulo 81
        at += sprintf(at, "v %.7f %.7f %.7f", (double)p.x, (double)p.y, (double)p.z);
        at += sprintf(at, sheet->colors ? p.z != 0.0f ? " 1 0 0\n" : " 1 1 1\n" : "\n");
    }
    for (int i = 0; i < 2 * COUNT && sheet->seam; ++i) {
        at += sprintf(at, "vt %.5f %.5f\n", 0.4 * (i % SIDE) / SIDE + (i < COUNT ? 0.0 : 0.5 + (double)sheet->slide),
                      (i % COUNT) / 100.0);
    }
    at += sheet->normals ? sprintf(at, "vn 0 0 1\n") : 0;
    for (int f = 0; f < COUNT - SIDE; ++f) {
        int i = sheet->shuffled ? COUNT - SIDE - 1 - f : f;
        const int corners[4] = { i, i + 1, i + SIDE + 1, i + SIDE };
        if (i % SIDE == SIDE - 1) {
            continue;
        }
        *at++ = 'f';
        for (int k = 0; k < 4; ++k) {
            at += write_corner(at, sheet, corners[k], i % SIDE >= SIDE / 2);
        }
        *at++ = '\n';
    }
    assert_true(at - text < TEXT_SIZE);
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    GT_EXPECT_OK(gt_scene_load_memory(context, text, (size_t)(at - text), "sheet.obj", &load, &scene, &error));
    return scene;
}

// The positions of mesh 0 with one shape at a weight, and its normals where not NULL.
static int32_t play(const GtContext* context, const GtScene* scene, int32_t shape, float weight, GtVec3* positions,
                    GtVec3* normals)
{
    GtError error;
    GtBuildDef def = gt_default_build_def();
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instance, &error));
    instance->weights[shape] = weight;
    gt_instance_update(instance);
    gt_instance_deform(instance, 0, positions, normals, NULL);
    int32_t count = gt_character_def(character)->meshes[0].vertex_count;
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    return count;
}

// Every vertex of the played mesh is where the bent sheet has its own: by the sheet's x and y, as these do not move.
static void expect_bent(const GtContext* context, const GtScene* scene, int32_t shape, float weight,
                        float (*height)(float x, float y))
{
    GtVec3 rest[2 * COUNT];
    GtVec3 bent[2 * COUNT];
    int32_t count = play(context, scene, shape, 0.0f, rest, NULL);
    play(context, scene, shape, weight, bent, NULL);
    assert_true(count >= COUNT && count <= 2 * COUNT);
    for (int32_t i = 0; i < count; ++i) {
        GT_EXPECT_NEAR(bent[i].x, rest[i].x, 2e-6);
        GT_EXPECT_NEAR(bent[i].y, rest[i].y, 2e-6);
        GT_EXPECT_NEAR(bent[i].z, weight * height(rest[i].x, rest[i].y), 2e-5); // less than the tolerance stays
    }
}

static void shapes_come_from_files_that_split_vertices_otherwise(void** state)
{
    (void)state;
    static const Sheet bases[] = { { flat, .scale = 1.0f }, { flat, .seam = true, .normals = true, .scale = 1.0f } };
    static const Sheet shapes[] = {
        { bump, .scale = 1.0f },
        { saddle, .scale = 1.0f }, // whose squares are cut along other diagonals
        { bump, .seam = true, .scale = 1.0f },
        { saddle, .seam = true, .normals = true, .scale = 1.0f },
    };
    GtError error;
    GtContext context = gt_default_context();
    for (size_t b = 0; b < 2; ++b) {
        GtScene* scene = make_sheet(&context, &bases[b]);
        GtShapesReport report = { 0 };
        for (size_t s = 0; s < 4; ++s) {
            GtScene* other = make_sheet(&context, &shapes[s]);
            GtShapeSource source = gt_default_shape_source();
            char name[16];
            source.scene = other;
            snprintf(name, sizeof name, "shape%d", (int)s);
            GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, name, &source, &report, &error));
            expect_bent(&context, scene, (int32_t)s, 0.5f, shapes[s].height);
            gt_scene_destroy(other);
        }
        assert_int_equal(report.added_count, 4);
        assert_int_equal(report.made_normals_count, bases[b].normals ? 4 : 0);
        GT_EXPECT_NEAR(report.max_move_m, 0.2, 1e-6);
        gt_scene_destroy(scene);
    }
}

static void what_does_not_fit_is_refused_with_its_reason(void** state)
{
    (void)state;
    static const struct {
        Sheet sheet;
        const char* says;
    } cases[] = {
        { { bump, .shuffled = true, .scale = 1.0f }, "not the mesh's 81 and 128 in the same order" },
        { { bump, .scale = 100.0f }, "times as large as the mesh: are its units the same" },
    };
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_sheet(&context, &(Sheet){ flat, .scale = 1.0f });
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtScene* other = make_sheet(&context, &cases[i].sheet);
        GtShapeSource source = gt_default_shape_source();
        source.scene = other;
        GT_EXPECT_ERROR(gt_shapes_add_from(&context, scene, 0, "bad", &source, NULL, &error), GT_ERROR_BAD_VALUE,
                        cases[i].says);
        source.mesh = 7;
        GT_EXPECT_ERROR(gt_shapes_add_from(&context, scene, 0, "bad", &source, NULL, &error), GT_ERROR_NOT_FOUND,
                        "there is no mesh 7");
        gt_scene_destroy(other);
    }
    assert_int_equal(scene->meshes[0].target_count, 0);
    float values[3 * COUNT] = { 0 };
    GtShapeAttribute attribute = { "POSITION", 3, values };
    GtShapeDef def = gt_default_shape_def();
    def.attributes = &attribute;
    def.attribute_count = 1;
    GT_EXPECT_ERROR(gt_shapes_add(&context, scene, 0, &def, 1, NULL, &error), GT_ERROR_BAD_VALUE, "needs a name");
    def.name = "bad";
    values[17] = NAN;
    GT_EXPECT_ERROR(gt_shapes_add(&context, scene, 0, &def, 1, NULL, &error), GT_ERROR_BAD_VALUE,
                    "shape 'bad': POSITION of vertex 5 is not finite");
    attribute.name = "JOINTS_0";
    GT_EXPECT_ERROR(gt_shapes_add(&context, scene, 0, &def, 1, NULL, &error), GT_ERROR_BAD_VALUE,
                    "a shape cannot change JOINTS_0");
    attribute = (GtShapeAttribute){ "COLOR_0", 3, values };
    GT_EXPECT_ERROR(gt_shapes_add(&context, scene, 0, &def, 1, NULL, &error), GT_ERROR_BAD_VALUE,
                    "COLOR_0 is not in the mesh");
    attribute = (GtShapeAttribute){ "POSITION", 2, values };
    GT_EXPECT_ERROR(gt_shapes_add(&context, scene, 0, &def, 1, NULL, &error), GT_ERROR_BAD_VALUE,
                    "POSITION has 3 numbers a vertex; the shape has 2");
    gt_scene_destroy(scene);
}

// A sheet that tilts as a whole tilts every normal; one that folds tilts those of the part that moves.
static void normals_turn_with_the_surface(void** state)
{
    (void)state;
    const float angle = 0.6f;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_sheet(&context, &(Sheet){ flat, .seam = true, .normals = true, .scale = 1.0f });
    GtScene* other = make_sheet(&context, &(Sheet){ flat, .scale = 1.0f, .tilt_rad = angle });
    GtShapeSource source = gt_default_shape_source();
    GtVec3 positions[2 * COUNT];
    GtVec3 normals[2 * COUNT];
    source.scene = other;
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "tilt", &source, NULL, &error));
    int32_t count = play(&context, scene, 0, 1.0f, positions, normals);
    for (int32_t i = 0; i < count; ++i) {
        GT_EXPECT_NEAR(normals[i].x, 0.0, 1e-5);
        GT_EXPECT_NEAR(normals[i].y, -sinf(angle), 1e-5);
        GT_EXPECT_NEAR(normals[i].z, cosf(angle), 1e-5);
    }
    source.keep_normals = true; // the other file has none, so they are computed still
    GtShapesReport report = { 0 };
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "tilt", &source, &report, &error));
    assert_int_equal(report.replaced_count, 1);
    assert_int_equal(report.made_normals_count, 1);
    assert_int_equal(scene->meshes[0].target_count, 1);
    gt_scene_destroy(other);
    gt_scene_destroy(scene);
}

// Two squares at a right angle with a hard edge between; the shape lays one into the plane of the other.
static void hard_edges_stay_hard(void** state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 1 -1\nv 0 1 -1\nvn 0 0 1\nvn 0 1 0\n"
                               "f 1//1 2//1 3//1 4//1\nf 4//2 3//2 5//2 6//2\n";
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    GT_EXPECT_OK(gt_scene_load_memory(&context, text, strlen(text), "roof.obj", &load, &scene, &error));
    GtVec3 rest[8];
    GtVec3 moved[8];
    GtVec3 before[8];
    GtVec3 after[8];
    float values[24] = { 0 };
    GtShapeAttribute attribute = { "POSITION", 3, values };
    GtShapeDef def = gt_default_shape_def();
    def.name = "flatten";
    def.attributes = &attribute;
    def.attribute_count = 1;
    assert_int_equal(gt_shapes_vertex_count(scene, 0), 8);
    GT_EXPECT_OK(gt_shapes_add(&context, scene, 0, &def, 1, NULL, &error));
    play(&context, scene, 0, 0.0f, rest, before);
    for (int i = 0; i < 8; ++i) {
        values[3 * i + 1] = rest[i].z < -0.5f ? 1.0f : 0.0f;
        values[3 * i + 2] = rest[i].z < -0.5f ? 1.0f : 0.0f;
    }
    GT_EXPECT_OK(gt_shapes_add(&context, scene, 0, &def, 1, NULL, &error));
    play(&context, scene, 0, 1.0f, moved, after);
    int upright = 0;
    for (int i = 0; i < 8; ++i) {
        upright += before[i].y > 0.5f;
        GT_EXPECT_NEAR(after[i].z, 1.0, 1e-6);
        GT_EXPECT_NEAR(moved[i].z, 0.0, 1e-6);
    }
    assert_int_equal(upright, 4);
    gt_scene_destroy(scene);
}

static void every_attribute_is_kept_in_a_file(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_sheet(&context, &(Sheet){ flat, .seam = true, .normals = true, .scale = 1.0f });
    size_t count = (size_t)gt_shapes_vertex_count(scene, 0);
    float positions[6 * COUNT] = { 0 };
    float texcoords[4 * COUNT];
    positions[3 * 40 + 2] = 0.25f;
    for (size_t i = 0; i < 2 * count; ++i) {
        texcoords[i] = 0.001f * (float)i;
    }
    const GtShapeAttribute attributes[] = { { "POSITION", 3, positions }, { "TEXCOORD_0", 2, texcoords } };
    GtShapeDef defs[2] = { gt_default_shape_def(), gt_default_shape_def() };
    defs[0].name = "one";
    defs[0].attributes = attributes;
    defs[0].attribute_count = 2;
    defs[1] = defs[0];
    defs[1].name = "two";
    defs[1].rest = 0.5f;
    GT_EXPECT_OK(gt_shapes_add(&context, scene, 0, defs, 2, NULL, &error));
    GtBlob* blob = NULL;
    GtScene* read = NULL;
    GtSaveDef save = gt_default_save_def();
    GtLoadDef load = gt_default_load_def();
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", &save, &blob, &error));
    GT_EXPECT_OK(gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), NULL, &load, &read, &error));
    const GtMesh* mesh = &read->meshes[0];
    assert_int_equal(mesh->target_count, 2);
    assert_int_equal(gt_shapes_find(mesh, "two"), 1);
    assert_int_equal(gt_shapes_find(mesh, "three"), GT_NONE);
    GT_EXPECT_NEAR(mesh->weights[1], 0.5, 0.0);
    const GtMorphTarget* target = &mesh->primitives[0].targets[1];
    assert_int_equal(target->attribute_count, 3);
    int32_t position = gt_morph_target_find(target, "POSITION");
    assert_non_null(read->accessors[position].sparse);
    assert_int_equal(read->accessors[position].sparse->count, 1);
    float values[6 * COUNT];
    gt_accessor_read_floats(read, position, 0, count, values);
    assert_memory_equal(values, positions, 3 * count * sizeof(float));
    int32_t texcoord = gt_morph_target_find(target, "TEXCOORD_0");
    assert_null(read->accessors[texcoord].sparse);
    gt_accessor_read_floats(read, texcoord, 0, count, values);
    assert_memory_equal(values, texcoords, 2 * count * sizeof(float));

    // A shape of that file, on the mesh without any.
    GtScene* bare = make_sheet(&context, &(Sheet){ flat, .seam = true, .normals = true, .scale = 1.0f });
    GtShapeSource source = gt_default_shape_source();
    source.scene = read;
    source.target = 0;
    source.other = true;
    GT_EXPECT_OK(gt_shapes_add_from(&context, bare, 0, "again", &source, NULL, &error));
    target = &bare->meshes[0].primitives[0].targets[0];
    gt_accessor_read_floats(bare, gt_morph_target_find(target, "POSITION"), 0, count, values);
    assert_memory_equal(values, positions, 3 * count * sizeof(float));
    gt_accessor_read_floats(bare, gt_morph_target_find(target, "TEXCOORD_0"), 0, count, values);
    GT_EXPECT_NEAR(values[2 * count - 1], texcoords[2 * count - 1], 0.0);
    source.target = 2;
    GT_EXPECT_ERROR(gt_shapes_add_from(&context, bare, 0, "again", &source, NULL, &error), GT_ERROR_NOT_FOUND,
                    "its mesh has no morph target 2; there are 2");
    gt_scene_destroy(bare);
    gt_scene_destroy(read);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

// Half-way to a file whose texture has slid on one side of the seam and whose bump is red.
static void textures_slide_and_colours_change_as_in_the_file(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_sheet(&context, &(Sheet){ flat, .seam = true, .colors = true, .scale = 1.0f });
    GtScene* other = make_sheet(&context, &(Sheet){ bump, .seam = true, .colors = true, .scale = 1.0f, .slide = 0.2f });
    GtShapeSource source = gt_default_shape_source();
    source.scene = other;
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "still", &source, NULL, &error));
    source.other = true;
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "blush", &source, NULL, &error));
    GtBuildDef def = gt_default_build_def();
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_character_build(&context, scene, &def, &character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    assert_int_equal(gt_morph_looks(character, 0), GT_LOOKS_TEXCOORDS | GT_LOOKS_COLORS);
    const GtMeshDef* mesh = &gt_character_def(character)->meshes[0];
    assert_null(mesh->morphs[0].texcoords);
    assert_null(mesh->morphs[0].colors);
    instance->weights[1] = 0.5f;
    GtVec3 positions[2 * COUNT];
    float texcoords[4 * COUNT];
    float colors[8 * COUNT];
    gt_instance_deform(instance, 0, positions, NULL, NULL);
    gt_instance_deform_looks(instance, 0, texcoords, NULL, colors);
    int red_count = 0;
    int slid_count = 0;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        bool is_red = positions[i].z != 0.0f;
        bool slides = mesh->texcoords[2 * i] >= 0.5f;
        red_count += is_red;
        slid_count += slides;
        GT_EXPECT_NEAR(texcoords[2 * i], (double)mesh->texcoords[2 * i] + (slides ? 0.1 : 0.0), 2e-5);
        GT_EXPECT_NEAR(texcoords[2 * i + 1], mesh->texcoords[2 * i + 1], 2e-5);
        GT_EXPECT_NEAR(colors[4 * i], 1, 0);
        GT_EXPECT_NEAR(colors[4 * i + 1], is_red ? 0.5 : 1.0, 1e-6);
        GT_EXPECT_NEAR(colors[4 * i + 3], 1, 0);
    }
    assert_int_equal(slid_count, SIDE * (SIDE - SIDE / 2));
    assert_int_equal(red_count, 6 * 6 + 6); // 6 are split
    assert_string_equal(log.text, "");
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);

    scene = make_sheet(&context, &(Sheet){ flat, .seam = true, .scale = 1.0f });
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "pale", &source, NULL, &error));
    assert_int_equal(gt_morph_target_find(&scene->meshes[0].primitives[0].targets[0], "COLOR_0"), GT_NONE);
    assert_non_null(strstr(log.text, "has colours, which are left out"));
    gt_scene_destroy(scene);
    gt_scene_destroy(other);
}

// A number a vertex, as one's own attribute of all of mesh 0.
static void add_attribute(GtScene* scene, const char* name, GtComponentType type, const void* values, int32_t count)
{
    GtError error;
    GtPrimitive primitive = scene->meshes[0].primitives[0];
    GtAttribute* attributes = gt_scene_push(scene, (size_t)primitive.attribute_count + 1, sizeof *attributes);
    GtPrimitive* primitives = gt_scene_push(scene, 1, sizeof *primitives);
    assert_true(attributes && primitives);
    memcpy(attributes, primitive.attributes, (size_t)primitive.attribute_count * sizeof *attributes);
    GtAttribute* added = &attributes[primitive.attribute_count++];
    added->name = name;
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_SCALAR, type, values, (uint64_t)count,
                                   &added->accessor, &error));
    primitive.attributes = attributes;
    *primitives = primitive;
    scene->meshes[0].primitives = primitives;
}

// Attributes of one's own: kept in files, found where files differ in them, and blended as plain numbers. Integers that
// name something are no quantities.
static void attributes_of_ones_own_are_kept_and_blended(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    float heat[2][COUNT];
    uint16_t parts[2][COUNT];
    GtScene* scenes[2];
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < COUNT; ++i) {
            heat[s][i] = 20.0f + (float)s * (i % 3 == 0 ? 0.25f * (float)i : 0.0f);
            parts[s][i] = (uint16_t)(i + s);
        }
        scenes[s] = make_sheet(&context, &(Sheet){ flat, .scale = 1.0f });
        add_attribute(scenes[s], "_HEAT", GT_COMPONENT_FLOAT, heat[s], COUNT);
        add_attribute(scenes[s], "_PART", GT_COMPONENT_UINT16, parts[s], COUNT);
    }
    GtShapeSource source = gt_default_shape_source();
    source.scene = scenes[1];
    source.other = true;
    GT_EXPECT_OK(gt_shapes_add_from(&context, scenes[0], 0, "warm", &source, NULL, &error));
    GtBlob* blob = NULL;
    GtScene* read = NULL;
    GtSaveDef save = gt_default_save_def();
    GtLoadDef load = gt_default_load_def();
    GT_EXPECT_OK(gt_scene_save_memory(&context, scenes[0], "glb", &save, &blob, &error));
    GT_EXPECT_OK(gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), NULL, &load, &read, &error));
    const GtPrimitive* primitive = &read->meshes[0].primitives[0];
    int32_t warm = gt_morph_target_find(&primitive->targets[0], "_HEAT");
    assert_int_equal(gt_morph_target_find(&primitive->targets[0], "_PART"), GT_NONE);
    assert_int_not_equal(gt_primitive_find(primitive, "_PART"), GT_NONE);
    assert_non_null(read->accessors[warm].sparse);
    float base[COUNT];
    float shape[COUNT];
    float out[COUNT];
    gt_accessor_read_floats(read, gt_primitive_find(primitive, "_HEAT"), 0, COUNT, base);
    gt_accessor_read_floats(read, warm, 0, COUNT, shape);
    const float weight = 0.5f;
    const float* shapes[1] = { shape };
    gt_shapes_blend(&(GtShapesBlend){ .kind = GT_SHAPE_DELTA,
                                      .point_count = COUNT,
                                      .component_count = 1,
                                      .base = base,
                                      .shape_count = 1,
                                      .shapes = shapes,
                                      .weights = &weight,
                                      .out = out });
    for (int i = 0; i < COUNT; ++i) {
        GT_EXPECT_NEAR(out[i], 0.5 * (double)(heat[0][i] + heat[1][i]), 1e-6);
    }
    gt_scene_destroy(read);
    gt_blob_release(blob);
    gt_scene_destroy(scenes[0]);
    gt_scene_destroy(scenes[1]);
}

static void clips_and_nodes_keep_the_weights_they_had(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_sheet(&context, &(Sheet){ flat, .scale = 1.0f });
    GtScene* other = make_sheet(&context, &(Sheet){ bump, .scale = 1.0f });
    GtShapeSource source = gt_default_shape_source();
    source.scene = other;
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "first", &source, NULL, &error));
    int32_t node = 0;
    while (scene->nodes[node].mesh != 0) {
        ++node;
    }
    GtNode twin = scene->nodes[node]; // a second node, whose channel shares the sampler
    static const float own[1] = { 0.75f };
    twin.weights = own;
    twin.weight_count = 1;
    int32_t second = GT_NONE;
    GT_EXPECT_OK(gt_scene_add_node(scene, &twin, &second, &error));
    GtNode other_node = scene->nodes[node]; // a third, of another mesh
    int32_t third = GT_NONE;
    GtMesh other_mesh = scene->meshes[0];
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &other_mesh, &other_node.mesh, &error));
    GT_EXPECT_OK(gt_scene_add_node(scene, &other_node, &third, &error));
    const float times[2] = { 0.0f, 1.0f };
    const float keys[2] = { 0.25f, 1.0f };
    GtAnimationSampler sampler = { .input = 0 };
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, 2, &sampler.input,
                                   &error));
    GT_EXPECT_OK(
        gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, keys, 2, &sampler.output, &error));
    const GtAnimationChannel channels[3] = { { .node = third, .path = GT_PATH_WEIGHTS },
                                             { .node = node, .path = GT_PATH_WEIGHTS },
                                             { .node = second, .path = GT_PATH_WEIGHTS } };
    GtAnimation clip = { .samplers = &sampler, .sampler_count = 1, .channels = channels, .channel_count = 3 };
    GT_EXPECT_OK(gt_scene_add_animation(scene, &clip, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    source.rest = 0.125f;
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "second", &source, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    float values[4];
    const GtAnimation* kept = &scene->animations[0];
    assert_int_equal(kept->channels[1].sampler, kept->channels[2].sampler);
    assert_int_equal(kept->samplers[kept->channels[0].sampler].output, sampler.output);
    int32_t output = kept->samplers[kept->channels[1].sampler].output;
    assert_int_equal(scene->accessors[output].count, 4);
    gt_accessor_read_floats(scene, output, 0, 4, values);
    const float expected[4] = { 0.25f, 0.0f, 1.0f, 0.0f };
    assert_memory_equal(values, expected, sizeof expected);
    assert_int_equal(scene->nodes[second].weight_count, 2);
    GT_EXPECT_NEAR(scene->nodes[second].weights[0], 0.75, 0.0);
    GT_EXPECT_NEAR(scene->nodes[second].weights[1], 0.125, 0.0);

    // Keys and targets that nobody uses any more are let go of; those that another mesh has are not.
    int32_t firsts = gt_morph_target_find(&scene->meshes[0].primitives[0].targets[0], "POSITION");
    int32_t seconds = gt_morph_target_find(&scene->meshes[0].primitives[0].targets[1], "POSITION");
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "third", &source, NULL, &error));
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "first", &source, NULL, &error));
    GT_EXPECT_OK(gt_shapes_add_from(&context, scene, 0, "second", &source, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    assert_int_equal(scene->accessors[output].view, GT_NONE);
    assert_null(scene->accessors[seconds].sparse);
    float heights[2][3 * COUNT];
    gt_accessor_read_floats(scene, firsts, 0, COUNT, heights[0]);
    for (int t = 0; t < 3; ++t) {
        const GtMorphTarget* target = &scene->meshes[0].primitives[0].targets[t];
        gt_accessor_read_floats(scene, gt_morph_target_find(target, "POSITION"), 0, COUNT, heights[1]);
        assert_memory_equal(heights[0], heights[1], sizeof heights[0]);
    }
    GT_EXPECT_NEAR(heights[0][3 * COUNT - 1], bump(1.0f, 1.0f), 1e-5);
    gt_scene_destroy(other);
    gt_scene_destroy(scene);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n";
    static const char bent[] = "v 0 0 0\nv 1 0 0\nv 1 1 0.5\nf 1 2 3\n";
    GtError error;
    TestFolder folder;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    test_folder_create(&folder);
    test_folder_put(&folder, "bent.obj", bent, strlen(bent));
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtScene* scene = NULL;
        memory.remaining = -1;
        GT_EXPECT_OK(gt_scene_load_memory(&context, text, strlen(text), "base.obj", &load, &scene, &error));
        memory.remaining = allowed;
        result = gt_shapes_add_file(&context, scene, 0, "bent", test_folder_path(&folder, "bent.obj"), NULL, NULL, NULL,
                                    &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(scene->meshes[0].target_count, result == GT_OK);
        memory.remaining = -1;
        GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
        gt_scene_destroy(scene);
        assert_int_equal(memory.alive, 0);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_come_from_files_that_split_vertices_otherwise),
        cmocka_unit_test(what_does_not_fit_is_refused_with_its_reason),
        cmocka_unit_test(normals_turn_with_the_surface),
        cmocka_unit_test(hard_edges_stay_hard),
        cmocka_unit_test(every_attribute_is_kept_in_a_file),
        cmocka_unit_test(textures_slide_and_colours_change_as_in_the_file),
        cmocka_unit_test(attributes_of_ones_own_are_kept_and_blended),
        cmocka_unit_test(clips_and_nodes_keep_the_weights_they_had),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
