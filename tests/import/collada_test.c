// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// COLLADA: vertices, joints and keys are where the definition of the format puts them, by numbers that are worked out
// here by hand; faults are repaired or refused with their line; memory may run out anywhere.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "import/collada/collada.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdlib.h>

#define ASSET(up, meter) "<asset><unit meter='" meter "'/><up_axis>" up "</up_axis></asset>"
#define SOURCE(id, stride, values)                                                                                     \
    "<source id='" id "'><float_array id='" id "-a'>" values "</float_array><technique_common><accessor source='#" id  \
    "-a' stride='" stride "'/></technique_common></source>"
#define NAMES(id, array, values)    "<source id='" id "'><" array " id='" id "-a'>" values "</" array "></source>"
#define INPUT(semantic, source)     "<input semantic='" semantic "' source='#" source "'/>"
#define OFFSET(semantic, source, n) "<input semantic='" semantic "' source='#" source "' offset='" n "'/>"
#define GEOMETRY(id, positions, faces)                                                                                 \
    "<geometry id='" id "'><mesh>" SOURCE(id "-p", "3", positions) "<vertices id='" id "-v'>" INPUT(                   \
        "POSITION", id "-p") "</vertices>" faces "</mesh></geometry>"
#define TRIANGLE(id) "<triangles count='1'>" OFFSET("VERTEX", id "-v", "0") "<p>0 1 2</p></triangles>"
#define SCENE(nodes)                                                                                                   \
    "<library_visual_scenes><visual_scene id='s'>" nodes "</visual_scene></library_visual_scenes>"                     \
    "<scene><instance_visual_scene url='#s'/></scene>"
#define DOCUMENT(body) "<?xml version='1.0'?><COLLADA version='1.4.1'>" body "</COLLADA>"
#define SHOWN(id)      "<node id='n'><instance_geometry url='#" id "'/></node>"

static GtResult read_text(const GtContext* context, const char* text, GtScene** scene, GtError* error)
{
    return gt_scene_load_memory(context, text, strlen(text), "test.dae", NULL, scene, error);
}

static GtScene* read_ok(const char* text, TestLog* log)
{
    static TestLog unused;
    GtContext context = test_context(log ? log : &unused);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_text(&context, text, &scene, &error));
    return scene;
}

static void expect_floats(const GtScene* scene, int32_t accessor, const float* expected, uint64_t count, uint64_t width)
{
    float values[256];
    assert_true(accessor >= 0 && count * width <= 256);
    assert_int_equal(scene->accessors[accessor].count, count);
    gt_accessor_read_floats(scene, accessor, 0, count, values);
    for (uint64_t i = 0; i < count * width; ++i) {
        GT_EXPECT_NEAR(values[i], expected[i], 1e-6);
    }
}

static void test_units_and_up_axis(void** state)
{
    (void)state;
    static const char* const texts[] = {
        DOCUMENT(ASSET("Y_UP", "0.01") "<library_geometries>" GEOMETRY(
            "g", "0 0 0 100 0 0 0 200 0",
            TRIANGLE("g")) "</library_geometries>" SCENE("<node id='n'><translate>100 200 300</translate></node>")),
        DOCUMENT(ASSET("Z_UP", "0.01") SCENE("<node id='n'><translate>100 200 300</translate></node>")),
        DOCUMENT(ASSET("X_UP", "0,01") SCENE("<node id='n'><translate>100 200 300</translate></node>")),
    };
    static const float expected[3][3] = { { 1, 2, 3 }, { 1, 3, -2 }, { -2, 1, 3 } };
    for (int i = 0; i < 3; ++i) {
        GtScene* scene = read_ok(texts[i], NULL);
        GtVec3 t = scene->nodes[0].local.translation;
        GT_EXPECT_NEAR(t.x, expected[i][0], 1e-6);
        GT_EXPECT_NEAR(t.y, expected[i][1], 1e-6);
        GT_EXPECT_NEAR(t.z, expected[i][2], 1e-6);
        GT_EXPECT_NEAR(scene->source.metres_per_unit, 0.01, 1e-12);
        gt_scene_destroy(scene);
    }
}

// Operations in file order: the last is applied first.
static void test_transforms(void** state)
{
    (void)state;
    GtScene* scene = read_ok(DOCUMENT(SCENE("<node><rotate>0 0 1 90</rotate><translate>2 0 0</translate>"
                                            "<scale>1 2 3</scale></node>"
                                            "<node><matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix></node>"
                                            "<node><lookat>0 0 5 0 0 0 0 1 0</lookat></node>"
                                            "<node><lookat>5 0 0 0 0 0 0 1 0</lookat></node>")),
                             NULL);
    const GtNode* n = scene->nodes;
    GT_EXPECT_NEAR(n[0].local.translation.y, 2.0, 1e-6);
    GT_EXPECT_NEAR(n[0].local.translation.x, 0.0, 1e-6);
    GT_EXPECT_NEAR(n[0].local.scale.z, 3.0, 1e-6);
    GT_EXPECT_NEAR(n[1].local.rotation.z, sqrt(0.5), 1e-6);
    GT_EXPECT_NEAR(n[1].local.rotation.w, sqrt(0.5), 1e-6);
    GT_EXPECT_NEAR(n[1].local.translation.z, 7.0, 1e-6);
    GT_EXPECT_NEAR(n[2].local.rotation.w, 1.0, 1e-6);
    GT_EXPECT_NEAR(n[2].local.translation.z, 5.0, 1e-6);
    GT_EXPECT_NEAR(n[3].local.rotation.y, sqrt(0.5), 1e-6); // looks along -x: its +z is the world's +x
    gt_scene_destroy(scene);
}

static double surface_area(const GtScene* scene)
{
    double sum = 0.0;
    const GtPrimitive* p = &scene->meshes[0].primitives[0];
    int32_t positions = gt_primitive_find(p, "POSITION");
    uint64_t count = scene->accessors[p->indices].count;
    for (uint64_t i = 0; i < count; i += 3) {
        uint32_t t[3];
        float v[3][3];
        double a[3];
        double b[3];
        gt_accessor_read_uints(scene, p->indices, i, 3, t);
        for (int k = 0; k < 3; ++k) {
            gt_accessor_read_floats(scene, positions, t[k], 1, v[k]);
        }
        for (int k = 0; k < 3; ++k) {
            a[k] = (double)v[1][k] - (double)v[0][k];
            b[k] = (double)v[2][k] - (double)v[0][k];
        }
        sum += 0.5 * (a[0] * b[1] - a[1] * b[0]); // all lie in the plane of x and y, and wind the same way
    }
    return sum;
}

#define SQUARE "0 0 0 4 0 0 4 4 0 0 4 0 1 1 0 2 1 0 2 2 0 1 2 0"

static void test_faces(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double area;
        int32_t triangles;
    } cases[] = {
#define FACES(faces)                                                                                                   \
    DOCUMENT("<library_geometries>" GEOMETRY("g", SQUARE, faces) "</library_geometries>" SCENE(SHOWN("g")))
#define V OFFSET("VERTEX", "g-v", "0")
        { FACES("<triangles>" V "<p>0 1 2 0 2 3</p></triangles>"), 16.0, 2 },
        { FACES("<polylist>" V "<vcount>4 3</vcount><p>0 1 2 3 4 5 6</p></polylist>"), 16.5, 3 },
        { FACES("<polygons>" V "<p>0 1 2 3</p><p>4 5 6</p></polygons>"), 16.5, 3 },
        { FACES("<polygons>" V "<ph><p>0 1 2 3</p><h>4 5 6 7</h></ph></polygons>"), 15.0, 8 },
        { FACES("<polygons>" V "<ph><p>0 1 2 3</p><h>7 6 5 4</h></ph></polygons>"), 15.0, 8 },
        { FACES("<trifans>" V "<p>0 1 2 3</p></trifans>"), 16.0, 2 },
        { FACES("<tristrips>" V "<p>0 1 3 2</p><p>4 5 7 6</p></tristrips>"), 17.0, 4 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtScene* scene = read_ok(cases[i].text, NULL);
        GT_EXPECT_NEAR(surface_area(scene), cases[i].area, 1e-6);
        assert_int_equal(scene->accessors[scene->meshes[0].primitives[0].indices].count, 3 * cases[i].triangles);
        gt_scene_destroy(scene);
    }
}

// Two corners share a position with different texture coordinates: four vertices, v is flipped.
static void test_corners(void** state)
{
    (void)state;
    GtScene* scene = read_ok(
        DOCUMENT("<library_geometries><geometry id='g'><mesh>" SOURCE("p", "3", "0 0 0 1 0 0 1 1 0 0 1 0")
                     SOURCE("n", "3", "0 0 2") SOURCE("t", "2", "0 0.25 1 1")
                         SOURCE("c", "4", "1 0 0 1 0 0 1 0.5") "<vertices id='v'>" INPUT(
                             "POSITION", "p") "</vertices><triangles>" OFFSET("VERTEX", "v", "0")
                             OFFSET("NORMAL", "n", "1") OFFSET("TEXCOORD", "t", "2") OFFSET(
                                 "COLOR", "c",
                                 "2") "<p>0 0 0 1 0 0 2 0 1  0 0 1 2 0 1 3 0 "
                                      "1</p></triangles></mesh></geometry></library_geometries>" SCENE(SHOWN("g"))),
        NULL);
    const GtPrimitive* p = &scene->meshes[0].primitives[0];
    expect_floats(scene, gt_primitive_find(p, "POSITION"), (float[]){ 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0 }, 5,
                  3);
    expect_floats(scene, gt_primitive_find(p, "TEXCOORD_0"), (float[]){ 0, 0.75f, 0, 0.75f, 1, 0, 1, 0, 1, 0 }, 5, 2);
    expect_floats(scene, gt_primitive_find(p, "NORMAL"), (float[]){ 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 }, 5,
                  3);
    float color[4];
    gt_accessor_read_floats(scene, gt_primitive_find(p, "COLOR_0"), 4, 1, color);
    GT_EXPECT_NEAR(color[2], 1.0, 1e-4);
    GT_EXPECT_NEAR(color[3], 0.5, 1e-4);
    gt_scene_destroy(scene);
}

#define SKIN(source)                                                                                                   \
    "<controller id='k'><skin source='#" source "'><bind_shape_matrix>1 0 0 0 0 1 0 10 0 0 1 0 0 0 0 1"                \
    "</bind_shape_matrix>" NAMES("j", "Name_array", "root tip")                                                        \
        SOURCE("b", "16", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 -5 0 0 1 0 0 0 0 1")                          \
            SOURCE("w", "1", "1 0.5 0.25") "<joints>" INPUT("JOINT", "j")                                              \
                INPUT("INV_BIND_MATRIX", "b") "</joints><vertex_weights>" OFFSET("JOINT", "j", "0") OFFSET(            \
                    "WEIGHT", "w",                                                                                     \
                    "1") "<vcount>1 2 2</vcount><v>0 0 0 1 1 1 0 2 1 1</v></vertex_weights></skin></controller>"
#define MORPH(source, method)                                                                                          \
    "<controller id='m'><morph source='#" source "' method='" method "'>" NAMES("mt", "IDREF_array", "up side")        \
        SOURCE("mw", "1", "0.25 0") "<targets>" INPUT("MORPH_TARGET", "mt")                                            \
            INPUT("MORPH_WEIGHT", "mw") "</targets></morph></controller>"
#define SHAPES                                                                                                         \
    GEOMETRY("g", "0 0 0 1 0 0 0 1 0", TRIANGLE("g"))                                                                  \
    GEOMETRY("up", "0 3 0 1 3 0 0 4 0", TRIANGLE("up")) GEOMETRY("side", "2 0 0 3 0 0 2 1 0", TRIANGLE("side"))
#define JOINTS                                                                                                         \
    "<node id='r' sid='root' type='JOINT'><node id='t' sid='tip' name='Tip' type='JOINT'>"                             \
    "<translate sid='move'>0 5 0</translate><rotate sid='rz'>0 0 1 0</rotate></node></node>"
#define BENT(url)                                                                                                      \
    "<node id='body'><translate>9 9 9</translate><instance_controller url='#" url                                      \
    "'><skeleton>#r</skeleton></instance_controller></node>"
#define PERSON(controllers, url)                                                                                       \
    "<library_geometries>" SHAPES "</library_geometries><library_controllers>" controllers                             \
    "</library_controllers>" SCENE(JOINTS BENT(url))

static void check_person(const char* text, const float* first_move)
{
    GtScene* scene = read_ok(text, NULL);
    assert_int_equal(scene->skin_count, 1);
    assert_int_equal(scene->skins[0].joint_count, 2);
    assert_string_equal(scene->nodes[scene->skins[0].joints[1]].name, "Tip");
    const GtNode* body = &scene->nodes[gt_scene_find_node(scene, "body")];
    assert_int_equal(body->parent, GT_NONE);
    GT_EXPECT_NEAR(body->local.translation.x, 0.0, 0.0); // joints alone move a skinned mesh
    const GtMesh* mesh = &scene->meshes[body->mesh];
    const GtPrimitive* p = &mesh->primitives[0];
    expect_floats(scene, gt_primitive_find(p, "POSITION"), (float[]){ 0, 10, 0, 1, 10, 0, 0, 11, 0 }, 3, 3);
    expect_floats(scene, gt_primitive_find(p, "WEIGHTS_0"),
                  (float[]){ 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 2.0f / 3, 1.0f / 3, 0, 0 }, 3, 4);
    float joints[12];
    gt_accessor_read_floats(scene, gt_primitive_find(p, "JOINTS_0"), 0, 3, joints);
    GT_EXPECT_NEAR(joints[8], 1.0, 0.0); // the stronger first
    assert_int_equal(mesh->target_count, 2);
    assert_string_equal(mesh->target_names[1], "side");
    GT_EXPECT_NEAR(mesh->weights[0], 0.25, 1e-7);
    expect_floats(scene, gt_morph_target_find(&p->targets[0], "POSITION"), first_move, 3, 3);
    gt_scene_destroy(scene);
}

static void test_skins_and_morphs(void** state)
{
    (void)state;
    static const float shapes[] = { 0, 3, 0, 0, 3, 0, 0, 3, 0 };
    static const float displacements[] = { 0, 3, 0, 1, 3, 0, 0, 4, 0 };
    check_person(DOCUMENT(PERSON(SKIN("m") MORPH("g", "NORMALIZED"), "k")), shapes);
    check_person(DOCUMENT(PERSON(SKIN("m") MORPH("g", "RELATIVE"), "k")), displacements);
    check_person(DOCUMENT(PERSON(SKIN("g") MORPH("k", "NORMALIZED"), "m")), shapes);
}

#define CURVE(id, times, values, width, kinds, more, target)                                                           \
    "<animation id='" id "'>" SOURCE(id "-i", "1", times) SOURCE(id "-o", width, values)                               \
        NAMES(id "-k", "Name_array", kinds) "<sampler id='" id "-s'>" INPUT("INPUT", id "-i") INPUT("OUTPUT", id "-o") \
            INPUT("INTERPOLATION", id "-k") more "</sampler><channel source='#" id "-s' target='" target               \
                                                 "'/></animation>"

static int32_t find_channel(const GtScene* scene, int32_t animation, GtAnimationPath path)
{
    const GtAnimation* a = &scene->animations[animation];
    for (int32_t i = 0; i < a->channel_count; ++i) {
        if (a->channels[i].path == path) {
            return i;
        }
    }
    return GT_NONE;
}

// The value of a curve by straight lines between its keys.
static double curve_at(const GtScene* scene, int32_t animation, GtAnimationPath path, int component, double time)
{
    int32_t channel = find_channel(scene, animation, path);
    assert_int_not_equal(channel, GT_NONE);
    const GtAnimationSampler* s = &scene->animations[animation].samplers[channel];
    uint64_t count = scene->accessors[s->input].count;
    int width = gt_element_components(scene->accessors[s->output].element_type);
    width = path == GT_PATH_WEIGHTS ? (int)(scene->accessors[s->output].count / count) : width;
    float* times = malloc(count * sizeof *times);
    float* values = malloc(count * (size_t)width * sizeof *values);
    gt_accessor_read_floats(scene, s->input, 0, count, times);
    gt_accessor_read_floats(scene, s->output, 0, scene->accessors[s->output].count, values);
    uint64_t i = 0;
    while (i + 2 < count && (double)times[i + 1] <= time) {
        ++i;
    }
    double share = count > 1 ? (time - (double)times[i]) / ((double)times[i + 1] - (double)times[i]) : 0.0;
    double a = (double)values[i * (uint64_t)width + (uint64_t)component];
    double b = count > 1 ? (double)values[(i + 1) * (uint64_t)width + (uint64_t)component] : a;
    free(times);
    free(values);
    return a + fmin(fmax(share, 0.0), 1.0) * (b - a);
}

#define MOVING(animations)                                                                                             \
    DOCUMENT("<library_animations>" animations "</library_animations>" PERSON(SKIN("m") MORPH("g", "NORMALIZED"), "k"))

static void test_curves(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene = read_ok(MOVING(CURVE("a1", "-1 1", "0 360", "1", "LINEAR LINEAR", "", "t/rz.ANGLE")
                                        CURVE("b1", "-1 1", "0 8", "1", "BEZIER BEZIER",
                                              INPUT("IN_TANGENT", "tin") INPUT("OUT_TANGENT", "tout"), "t/move.X")
                                            SOURCE("tin", "2", "0 0 0 8") SOURCE("tout", "2", "0 0 2 8")
                                                CURVE("c1", "-1 0", "0.5 1", "1", "LINEAR LINEAR", "", "mw(1)")),
                             &log);
    if (log.warning_count) {
        fail_msg("%s", log.text);
    }
    assert_non_null(strstr(log.text, "moved to start at 0"));
    for (int i = 0; i <= 16; ++i) {
        double time = i / 8.0;
        double angle = M_PI * time; // a whole turn in two seconds, though its ends are equal
        double z = curve_at(scene, 0, GT_PATH_ROTATION, 2, time);
        double w = curve_at(scene, 0, GT_PATH_ROTATION, 3, time);
        GT_EXPECT_NEAR(atan2(fabs(z), fabs(w)) * 2.0, angle > M_PI ? 2.0 * M_PI - angle : angle, 0.02);
        double s = 0.5 * time; // with control points at the same thirds, smoothstep; here both at the middle
        double low = 0.0;
        double high = 1.0;
        for (int k = 0; k < 50; ++k) {
            double m = 0.5 * (low + high);
            *(3.0 * (1 - m) * (1 - m) * m * 0.5 + 3.0 * (1 - m) * m * m * 0.5 + m * m * m < s ? &low : &high) = m;
        }
        GT_EXPECT_NEAR(curve_at(scene, 0, GT_PATH_TRANSLATION, 0, time),
                       8.0 * (3.0 * low * low - 2.0 * low * low * low), 0.01);
        GT_EXPECT_NEAR(curve_at(scene, 0, GT_PATH_WEIGHTS, 1, time), fmin(0.5 + 0.5 * time, 1.0), 1e-5);
        GT_EXPECT_NEAR(curve_at(scene, 0, GT_PATH_WEIGHTS, 0, time), 0.25, 1e-6);
    }
    gt_scene_destroy(scene);
}

static void test_clips(void** state)
{
    (void)state;
    GtScene* scene =
        read_ok(MOVING(CURVE("a1", "0 4", "0 4", "1", "LINEAR LINEAR", "",
                             "t/move.X") CURVE("b1", "0 2 4", "1 2 3", "1", "STEP STEP STEP", "", "r/none.X")
                           CURVE("c1", "0 2 4", "1 5 0 2 6 0 3 7 0", "3", "STEP STEP STEP", "",
                                 "t/move") "</library_animations><library_animation_clips><animation_clip id='one' "
                                           "start='1' end='3'>"
                                           "<instance_animation url='#a1'/></animation_clip><animation_clip id='two' "
                                           "start='0' end='4'>"
                                           "<instance_animation url='#c1'/></animation_clip></library_animation_clips>"
                                           "<library_animations>"),
                NULL);
    assert_int_equal(scene->animation_count, 2);
    assert_string_equal(scene->animations[0].name, "one");
    GT_EXPECT_NEAR(curve_at(scene, 0, GT_PATH_TRANSLATION, 0, 0.0), 1.0, 1e-6);
    GT_EXPECT_NEAR(curve_at(scene, 0, GT_PATH_TRANSLATION, 0, 2.0), 3.0, 1e-6);
    const GtAnimationSampler* step = &scene->animations[1].samplers[find_channel(scene, 1, GT_PATH_TRANSLATION)];
    assert_int_equal(step->interpolation, GT_INTERPOLATION_STEP);
    expect_floats(scene, step->output, (float[]){ 1, 5, 0, 2, 6, 0, 3, 7, 0 }, 3, 3);
    gt_scene_destroy(scene);
}

static void test_materials(void** state)
{
    (void)state;
#define EFFECT(id, body)                                                                                               \
    "<effect id='" id "e'><profile_COMMON><newparam sid='sf'><surface><init_from>im</init_from></surface></newparam>"  \
    "<newparam sid='sa'><sampler2D><source>sf</source></sampler2D></newparam><technique><phong>" body                  \
    "</phong></technique></profile_COMMON></effect>"
#define PAINT(id) "<material id='" id "'><instance_effect url='#" id "e'/></material>"
    GtScene* scene = read_ok(
        DOCUMENT(
            "<library_images><image id='im'><init_from>file:///C:/art/a%20b.png</init_from></image></library_images>"
            "<library_effects>" EFFECT("x", "<diffuse><color>0.5 0.25 1 1</color></diffuse><transparent "
                                            "opaque='RGB_ZERO'><color>0.5 0.5 0.5 1</color></transparent>"
                                            "<transparency><float>0.5</float></transparency>"
                                            "<shininess><float>30</float></shininess>")
                EFFECT(
                    "y",
                    "<diffuse><texture texture='sa' texcoord='UV'/></diffuse>"
                    "<transparency><float>0</float></transparency>") "</library_effects><library_materials>" PAINT("x")
                    PAINT("y") "</library_materials><library_geometries>" GEOMETRY(
                        "g", SQUARE,
                        "<triangles material='A'>" V "<p>0 1 2</p></triangles><triangles material='B'>" V
                        "<p>0 2 3</p></triangles>") "</library_geometries>" SCENE("<node><instance_geometry "
                                                                                  "url='#g'><bind_material><technique_"
                                                                                  "common><instance_material "
                                                                                  "symbol='A' "
                                                                                  "target='#x'/><instance_material "
                                                                                  "symbol='B' "
                                                                                  "target='#y'/></technique_common></"
                                                                                  "bind_material>"
                                                                                  "</instance_geometry></node>")),
        NULL);
    assert_int_equal(scene->material_count, 2);
    const GtMaterial* m = scene->materials;
    GT_EXPECT_NEAR(m[0].base_color[1], 0.25, 1e-6);
    GT_EXPECT_NEAR(m[0].base_color[3], 0.75, 1e-5);
    GT_EXPECT_NEAR(m[0].roughness, 0.5, 1e-6); // (2 / 32)^(1/4)
    GT_EXPECT_NEAR(m[1].base_color[3], 1.0, 0.0);
    assert_int_equal(m[1].base_color_texture.texture, GT_NONE); // there is no such picture
    assert_int_equal(scene->meshes[0].primitives[1].material, 1);
    gt_scene_destroy(scene);
}

// Pictures are found beside the document and in its texture folders whatever path, case and ending they had elsewhere;
// those that are not there are told of once.
static void test_pictures(void** state)
{
    (void)state;
#define PICTURE(id, file) "<image id='" id "i'><init_from>" file "</init_from></image>"
#define PICTURED(id)                                                                                                   \
    "<effect id='" id "e'><profile_COMMON><technique><lambert><diffuse><texture texture='" id "i' texcoord='UV'/>"     \
    "</diffuse></lambert></technique></profile_COMMON></effect>"
#define PART(id)  "<triangles material='" id "'>" V "<p>0 1 2</p></triangles>"
#define BOUND(id) "<instance_material symbol='" id "' target='#" id "'/>"
    static const char document[] = DOCUMENT(
        "<library_images>" PICTURE("x", "file:///C:/art/a%20b.dds") PICTURE("y", "maps/SKIN.PNG")
            PICTURE("z", "gone.dds") PICTURE("w", "lost.tif") "</library_images><library_effects>" PICTURED("x")
                PICTURED("y") PICTURED("z") PICTURED("w") "</library_effects><library_materials>" PAINT("x") PAINT("y")
                    PAINT("z") PAINT("w") "</library_materials><library_geometries>" GEOMETRY(
                        "g", SQUARE,
                        PART("x") PART("y") PART("z") PART(
                            "w")) "</library_geometries>" SCENE("<node><instance_geometry "
                                                                "url='#g'><bind_material><technique_common>" BOUND("x")
                                                                    BOUND("y") BOUND("z") BOUND(
                                                                        "w") "</technique_common></bind_material></"
                                                                             "instance_geometry></node>"));
    TestFolder folder;
    TestLog log = { 0 };
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    test_folder_create(&folder);
    test_folder_put(&folder, "A B.png", "", 0);
    test_folder_put(&folder, "skin.jpg", "", 0);
    test_folder_put(&folder, "gone.dds", "DDS ", 4);
    test_folder_put(&folder, "figure.dae", document, sizeof document - 1);
    GT_EXPECT_OK(gt_scene_load(&context, test_folder_path(&folder, "figure.dae"), NULL, &scene, &error));
    assert_int_equal(scene->material_count, 4);
    assert_int_equal(scene->image_count, 2);
    assert_string_equal(scene->images[0].uri, "A%20B.png");
    assert_string_equal(scene->images[1].uri, "skin.jpg");
    assert_int_equal(scene->materials[2].base_color_texture.texture, GT_NONE);
    assert_int_equal(log.warning_count, 1);
    assert_non_null(strstr(log.text, "2 textures, the first of them 'gone.dds'"));
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void test_instances(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene =
        read_ok(DOCUMENT("<library_geometries>" GEOMETRY(
                    "g", SQUARE,
                    TRIANGLE("g")) "</library_geometries>"
                                   "<library_nodes><node id='a'><instance_geometry url='#g'/><instance_node url='#a'/>"
                                   "</node></library_nodes>" SCENE("<node><instance_node url='#a'/>"
                                                                   "<instance_node url='#a'/></node>")),
                &log);
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(log.warning_count, 1);
    assert_non_null(strstr(log.text, "instance of itself"));
    gt_scene_destroy(scene);
}

static void test_hostile_documents(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        GtResult code;
        const char* message;
    } cases[] = {
        { "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><COLLADA/>", GT_ERROR_UNSUPPORTED, "DOCTYPE" },
        { "<COLLADA><a></COLLADA>", GT_ERROR_BAD_FILE, "line 1" },
        { "<COLLADA>\n\n<b", GT_ERROR_BAD_FILE, "line 3" },
        { DOCUMENT("<library_geometries>\n" GEOMETRY("g", "0 0\n 0x",
                                                     TRIANGLE("g")) "</library_geometries>" SCENE(SHOWN("g"))),
          GT_ERROR_BAD_FILE, "'0x' is not a number" },
    };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GT_EXPECT_ERROR(read_text(&context, cases[i].text, &scene, &error), cases[i].code, cases[i].message);
        assert_null(scene);
    }
    enum {
        DEEP = 100000
    };
    char* deep = malloc(16 + 3 * DEEP);
    strcpy(deep, "<COLLADA>");
    for (int i = 0; i < DEEP; ++i) {
        memcpy(deep + 9 + 3 * i, "<a>", 4);
    }
    GT_EXPECT_ERROR(read_text(&context, deep, &scene, &error), GT_ERROR_LIMIT, "nested");
    free(deep);
    // Twenty levels of nodes that hold the next twice would be a million nodes.
    char* bomb = calloc(1, 8192);
    strcpy(bomb, "<COLLADA><library_nodes>");
    for (int i = 0; i < 24; ++i) {
        sprintf(bomb + strlen(bomb), "<node id='n%d'><instance_node url='#n%d'/><instance_node url='#n%d'/></node>", i,
                i + 1, i + 1);
    }
    strcat(bomb, "<node id='n24'/></library_nodes>" SCENE("<node><instance_node url='#n0'/></node>") "</COLLADA>");
    GT_EXPECT_ERROR(read_text(&context, bomb, &scene, &error), GT_ERROR_LIMIT, "multiply");
    free(bomb);
}

static void test_repairs(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* message;
    } cases[] = {
        { FACES("<triangles>" V "<p>0 1 2 0 2 99</p></triangles>"), "not there" },
        { FACES("<polylist>" V "<vcount>3 2 3</vcount><p>0 1 2 0 1 0 1 3</p></polylist>"), "fewer than three" },
        { DOCUMENT("<library_geometries>" GEOMETRY("g", "0 0 0 4,5 0 0 0 nan 1",
                                                   TRIANGLE("g")) "</library_geometries>" SCENE(SHOWN("g"))),
          "decimal commas" },
        { DOCUMENT(SCENE(SHOWN("gone"))), "no such" },
        { DOCUMENT("<library_geometries>" SHAPES "</library_geometries><library_controllers>" SKIN(
              "g") "</library_controllers>" SCENE("<node sid='root'/>" BENT("k"))),
          "'tip' is not in the scene" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        TestLog log;
        GtError error = { 0 };
        GtContext strict = gt_default_context();
        GtScene* scene = read_ok(cases[i].text, &log);
        if (!strstr(log.text, cases[i].message)) {
            fail_msg("wanted '%s' in '%s'", cases[i].message, log.text);
        }
        gt_scene_destroy(scene);
        strict.strict = true;
        assert_int_equal(read_text(&strict, cases[i].text, &scene, &error), GT_ERROR_STRICT);
    }
}

static const char whole[] = MOVING(CURVE("a1", "-1 1", "0 360", "1", "LINEAR LINEAR", "", "t/rz.ANGLE")
                                       CURVE("c1", "-1 0", "0.5 1", "1", "LINEAR LINEAR", "", "mw(1)"));

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    int64_t needed = 0;
    for (GtResult result = GT_ERROR_OUT_OF_MEMORY; result != GT_OK; ++needed) {
        TestAllocator limited = { .remaining = needed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        result = read_text(&context, whole, &scene, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
    assert_true(needed > 20);
}

static void test_every_cut_is_safe(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    for (size_t size = 0; size < sizeof whole - 1; size += 7) {
        GtError error = { 0 };
        GtScene* scene = NULL;
        char* cut = malloc(size + !size); // a block of its own, so that reading past it is found
        memcpy(cut, whole, size);
        assert_int_not_equal(gt_scene_load_memory(&context, cut, size, "cut.dae", NULL, &scene, &error), GT_OK);
        free(cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_and_up_axis),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_faces),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_skins_and_morphs),
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_hostile_documents),
        cmocka_unit_test(test_repairs),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_every_cut_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
