// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// ASF and AMC: joints are where the definition of the format puts them, by matrices of this test's own; faults are
// repaired or refused with their line; the skeleton is found beside its motion; memory may run out anywhere.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "io/asf/asf.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdlib.h>

// Bones out of order, axes and degrees of freedom in several orders, a bone without any.
#define UNITS            ":version 1.10\n:name VICON\n:units\n mass 1.0\n length 0.45\n angle deg\n"
#define ROOT             ":root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n"
#define BONE(name, rest) " begin\n id 1\n name " name "\n" rest " end\n"
#define BONES                                                                                                          \
    ":bonedata\n" BONE("shin", " direction 0 -0.8 0.6\n length 7\n axis 30 -40 20 ZXY\n dof rx rz\n"                   \
                               " limits (-10 20)\n (0 1)\n")                                                           \
        BONE("hip", " direction 0.6 -0.8 0\n length 2.5\n axis 0 0 0 XYZ\n")                                           \
            BONE("thigh", " direction 0 -1 0\n length 8\n axis 10 20 30 XYZ\n dof rx ry rz\n")                         \
                BONE("spine", " direction 0 1 0\n length 14\n axis 5 0 -7 XYZ\n dof rz ry rx tx\n")
#define HIERARCHY ":hierarchy\n begin\n root hip spine\n hip thigh\n thigh shin\n end\n"
#define SKELETON  UNITS ROOT BONES HIERARCHY
#define MOTION                                                                                                         \
    ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 17 -3 10 -20 30\nthigh 11 22 -33\nshin 44 -5\nspine 3 6 9 0.5\n"            \
    "2\nroot 2 16 -2 100 20 -30\nthigh -11 2 33\nshin -4 65\nspine -13 -6 19 -0.25\n"

static const double unit_m = 0.0254 / 0.45;

static GtResult read_texts(const GtContext* context, const char* asf, const char* amc, GtScene** scene, GtError* error)
{
    GtLoadDef def = gt_default_load_def();
    GtiInput skeleton = { .bytes = (const uint8_t*)asf, .size = strlen(asf), .path = "man.asf" };
    if (!amc) {
        return gti_asf_read(context, &skeleton, &def, scene, error);
    }
    GtiInput motion = { .bytes = (const uint8_t*)amc, .size = strlen(amc), .path = "man_01.amc" };
    return gti_amc_read_on(context, &skeleton, &motion, &def, scene, error);
}

typedef struct Rotation {
    double m[3][3];
} Rotation;

static Rotation about(int axis, double degrees)
{
    double c = cos(degrees * M_PI / 180.0);
    double s = sin(degrees * M_PI / 180.0);
    int j = (axis + 1) % 3;
    int k = (axis + 2) % 3;
    Rotation r = { 0 };
    r.m[axis][axis] = 1.0;
    r.m[j][j] = r.m[k][k] = c;
    r.m[k][j] = s;
    r.m[j][k] = -s;
    return r;
}

static Rotation times(Rotation a, Rotation b)
{
    Rotation r = { 0 };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                r.m[i][j] += a.m[i][k] * b.m[k][j];
            }
        }
    }
    return r;
}

static Rotation inverse(Rotation a)
{
    Rotation r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r.m[i][j] = a.m[j][i];
        }
    }
    return r;
}

// position + rotation * v
static void carry(const double position[3], const Rotation* rotation, const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = position[i] + rotation->m[i][0] * v[0] + rotation->m[i][1] * v[1] + rotation->m[i][2] * v[2];
    }
}

// The last rotation of the three is applied first.
static Rotation three(Rotation a, Rotation b, Rotation c)
{
    return times(a, times(b, c));
}

// Where hip, thigh, shin, the shin's end and the spine's end are, in file units, straight from the definition.
static void place_by_definition(int frame, double out[5][3])
{
    static const double root[2][6] = { { 1, 17, -3, 10, -20, 30 }, { 2, 16, -2, 100, 20, -30 } };
    static const double thigh[2][3] = { { 11, 22, -33 }, { -11, 2, 33 } };
    static const double shin[2][2] = { { 44, -5 }, { -4, 65 } };
    static const double spine[2][4] = { { 3, 6, 9, 0.5 }, { -13, -6, 19, -0.25 } };
    const double* r = root[frame];
    Rotation world_from_root = three(about(2, r[5]), about(1, r[4]), about(0, r[3]));
    memcpy(out[0], r, 3 * sizeof *r);
    carry(out[0], &world_from_root, (double[]){ 0.6 * 2.5, -0.8 * 2.5, 0.0 }, out[1]);

    const double* t = thigh[frame];
    Rotation c = three(about(2, 30), about(1, 20), about(0, 10));
    Rotation values = three(about(2, t[2]), about(1, t[1]), about(0, t[0]));
    Rotation world_from_thigh = times(world_from_root, three(c, values, inverse(c)));
    carry(out[1], &world_from_thigh, (double[]){ 0.0, -8.0, 0.0 }, out[2]);

    c = three(about(1, -40), about(0, 30), about(2, 20)); // ZXY: Z first; the numbers are those of X, Y and Z
    values = times(about(2, shin[frame][1]), about(0, shin[frame][0]));
    Rotation world_from_shin = times(world_from_thigh, three(c, values, inverse(c)));
    carry(out[2], &world_from_shin, (double[]){ 0.0, -0.8 * 7.0, 0.6 * 7.0 }, out[3]);

    const double* s = spine[frame];
    double begin[3];
    c = three(about(2, -7), about(1, 0), about(0, 5));
    values = three(about(0, s[2]), about(1, s[1]), about(2, s[0])); // rz ry rx: Z first
    Rotation world_from_axes = times(world_from_root, c);
    Rotation world_from_spine = times(world_from_root, three(c, values, inverse(c)));
    carry(r, &world_from_axes, (double[]){ s[3], 0.0, 0.0 }, begin);
    carry(begin, &world_from_spine, (double[]){ 0.0, 14.0, 0.0 }, out[4]);
}

static int32_t find_node(const GtScene* scene, const char* name)
{
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (strcmp(scene->nodes[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("there is no node '%s'", name);
    return GT_NONE;
}

// World position of a node in a frame, or at rest (-1), from the scene's curves.
static GtVec3 place_of(const GtScene* scene, const char* name, int frame)
{
    GtVec3 position = { 0 };
    for (int32_t node = find_node(scene, name); node != GT_NONE; node = scene->nodes[node].parent) {
        GtTransform local = scene->nodes[node].local;
        for (int32_t i = 0; frame >= 0 && i < scene->animations[0].channel_count; ++i) {
            const GtAnimationChannel* channel = &scene->animations[0].channels[i];
            if (channel->node == node) {
                gt_accessor_read_floats(scene, scene->animations[0].samplers[channel->sampler].output, (uint64_t)frame,
                                        1,
                                        channel->path == GT_PATH_ROTATION ? &local.rotation.x : &local.translation.x);
            }
        }
        position = gt_vec3_add(gt_quat_rotate(local.rotation, position), local.translation);
    }
    return position;
}

static void expect_at(GtVec3 position, const double wanted[3], double scale)
{
    GT_EXPECT_NEAR(position.x, wanted[0] * scale, 1e-6);
    GT_EXPECT_NEAR(position.y, wanted[1] * scale, 1e-6);
    GT_EXPECT_NEAR(position.z, wanted[2] * scale, 1e-6);
}

static void test_joints_are_where_the_definition_puts_them(void** state)
{
    (void)state;
    static const char* const names[5] = { "root", "thigh", "shin", "shin_end", "spine_end" };
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, SKELETON, MOTION, &scene, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    assert_int_equal(log.warning_count, 0);
    assert_non_null(strstr(log.text, "120 Hz is assumed"));
    assert_int_equal(scene->node_count, 7);
    GT_EXPECT_NEAR(scene->source.metres_per_unit, unit_m, 1e-12);
    for (int frame = 0; frame < 2; ++frame) {
        double wanted[5][3];
        place_by_definition(frame, wanted);
        for (int i = 0; i < 5; ++i) {
            expect_at(place_of(scene, names[i], frame), wanted[i], unit_m);
        }
    }
    const GtAccessor* input = &scene->accessors[scene->animations[0].samplers[0].input];
    assert_int_equal(input->count, 2);
    GT_EXPECT_NEAR(input->max[0], 1.0 / 120.0, 1e-9);
    assert_string_equal(scene->animations[0].name, "man_01");
    gt_scene_destroy(scene);
}

static void test_a_skeleton_alone_is_at_rest(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, SKELETON, NULL, &scene, &error));
    assert_int_equal(scene->animation_count, 0);
    expect_at(place_of(scene, "shin_end", -1), (double[]){ 1.5, -2.0 - 8.0 - 5.6, 4.2 }, unit_m);
    expect_at(place_of(scene, "spine", -1), (double[]){ 0.0, 0.0, 0.0 }, unit_m);
    gt_scene_destroy(scene);
}

static void test_radians_and_a_stated_rate(void** state)
{
    (void)state;
    static const char amc[] = ":SAMPLES-PER-SECOND 60\n:RADIANS\n1\nroot 0 0 0 0 0 1.5707963267948966\n"
                              "2\nroot 0 0 0 0 0 0\n";
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, SKELETON, amc, &scene, &error));
    assert_null(strstr(log.text, "120 Hz"));
    expect_at(place_of(scene, "spine_end", 0), (double[]){ -14.0, 0.0, 0.0 }, unit_m);
    GT_EXPECT_NEAR(scene->accessors[scene->animations[0].samplers[0].input].max[0], 1.0 / 60.0, 1e-9);
    gt_scene_destroy(scene);
}

static void test_z_up_turns_the_root_alone(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef def = { .metres_per_unit = 1.0, .up_axis = GT_UP_Z };
    GtiInput skeleton = { .bytes = (const uint8_t*)SKELETON, .size = sizeof SKELETON - 1 };
    GtiInput motion = { .bytes = (const uint8_t*)MOTION, .size = sizeof MOTION - 1 };
    GT_EXPECT_OK(gti_amc_read_on(&context, &skeleton, &motion, &def, &scene, &error));
    double wanted[5][3];
    place_by_definition(1, wanted);
    GtVec3 position = place_of(scene, "shin_end", 1);
    GT_EXPECT_NEAR(position.x, wanted[3][0], 1e-5);
    GT_EXPECT_NEAR(position.y, wanted[3][2], 1e-5);
    GT_EXPECT_NEAR(position.z, -wanted[3][1], 1e-5);
    gt_scene_destroy(scene);
}

static void test_units_that_make_no_person_are_inferred(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    static const char tall[] =
        ":units\n length 1.0\n" ROOT ":bonedata\n" BONE("spine", " direction 0 1 0\n length 170\n") HIERARCHY;
    GT_EXPECT_OK(read_texts(&context, tall, NULL, &scene, &error));
    GT_EXPECT_NEAR(scene->source.metres_per_unit, 0.01, 1e-12);
    assert_non_null(strstr(log.text, "units: centimetres"));
    gt_scene_destroy(scene);
}

static void test_faults_are_errors_with_a_line(void** state)
{
    (void)state;
    static const struct {
        const char* asf;
        const char* amc;
        const char* message;
    } cases[] = {
        { "", NULL, "man.asf: line 1: there are no bones" },
        { "\x7F\x45\x4C\x46\x02\x01", NULL, "there are no bones" },
        { UNITS ROOT BONES, NULL, "':hierarchy' is missing" },
        { ":bonedata\nbegin\nname a\nlength x\nend\n", NULL, "line 4: 'length' needs 1 number, got 'x'" },
        { ":bonedata\nbegin\nname a\ndirection 1 0\nend\n", NULL, "line 4: 'direction' needs 3 numbers, got ''" },
        { ":bonedata\nbegin\nlength 1\nend\n", NULL, "line 4: the bone that ends here has no name" },
        { ":bonedata\nbegin\nname a\naxis 0 0 0 XXZ\nend\n", NULL, "line 4: 'XXZ' is not an order of axes" },
        { ":bonedata\nbegin\nname a\ndof rx rw\nend\n", NULL, "line 4: 'rw' is not a degree of freedom" },
        { ":bonedata\nbegin\nname a\ndof rx rx rx rx rx rx rx rx\nend\n", NULL, "line 4: the degree of freedom 'rx'" },
        { ":bonedata\nbegin\nname a\nend\nbegin\nname b\nend\n:hierarchy\na b\nb a\n", NULL,
          "line 2: bone 'a' is its own ancestor" },
        { ":bonedata\nbegin\nname a\nend\n:hierarchy\na root\n", NULL, "line 6: the root is a child of 'a'" },
        { SKELETON, "", "man_01.amc: line 1: there are no frames" },
        { SKELETON, ":DEGREES\n", "there are no frames" },
        { SKELETON, "root 1 2 3 4 5 6\n1\nroot 1 2 3 4 5 6\n", "line 1: 'root' stands where the number of a frame" },
        { SKELETON, "1\nroot 1 2 x 4 5 6\n", "line 2: bone 'root': 'x' is not a number" },
        { SKELETON, "1\nhead 1 2\n", "no bone of the skeleton moves: is it the skeleton of this motion?" },
        { SKELETON, "1\nroot 1 2 3 4 5 6\n2\n3\n4\n5\n6\n", "6 frames of 1 bones have only 1 lines" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtContext context = gt_default_context();
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_ERROR(read_texts(&context, cases[i].asf, cases[i].amc, &scene, &error), GT_ERROR_BAD_FILE,
                        cases[i].message);
        assert_null(scene);
    }
}

static void test_repairs_are_warnings_and_refused_when_strict(void** state)
{
    (void)state;
    static const struct {
        const char* asf;
        const char* amc;
        const char* message;
    } cases[] = {
        { ":bonedata\n" BONE("a", "length nan\n") ":hierarchy\nroot a\n", NULL, "'length' is not finite: 0 is used" },
        { ":bonedata\n" BONE("a", "direction 0 2 0\n") ":hierarchy\nroot a\n", NULL, "a direction of length 2" },
        { ":bonedata\n" BONE("a", "") BONE("a", "") ":hierarchy\nroot a\n", NULL, "a second bone 'a' is left out" },
        { ":bonedata\n" BONE("a", "colour red\n") ":hierarchy\nroot a\n", NULL, "'colour' is not known" },
        { ":bonedata\n" BONE("a", "") ":hierarchy\nroot a b\n", NULL, "there is no bone 'b'" },
        { ":bonedata\n" BONE("a", "") BONE("b", "") ":hierarchy\nroot a b\na b\n", NULL, "bone 'b' has a parent" },
        { ":bonedata\n" BONE("a", "") BONE("b", "") ":hierarchy\nroot a\n", NULL, "bone 'b' has no parent" },
        { ":bonedata\n" BONE("\xE9", "") ":hierarchy\nroot \xE9\n", NULL, "was not valid UTF-8" },
        { SKELETON, MOTION "3\nroot 1 2 3 4 5 nan\n", "'nan' is not finite: the frame before is held" },
        { SKELETON, MOTION "3\nroot 1 2 3\n", "bone 'root' has 3 of 6 values" },
        { SKELETON, MOTION "3\nroot 1 2 3 4 5 6 7\n", "bone 'root' has more than 6 values" },
        { SKELETON, MOTION "3\nroot 1 2 3 4 5 6\n", "is missing in the last frames" },
        { SKELETON,
          MOTION "4\n"
                 "root 1 2 3 4 5 6\n",
          "frame number 4 does not follow" },
        { SKELETON, MOTION "shin 1 2\n", "bone 'shin' is twice in a frame" },
        { SKELETON, MOTION "head 1 2\n", "the skeleton has no bone 'head'" },
        { SKELETON, ":SMOOTH\n" MOTION, "':SMOOTH' is not known" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_OK(read_texts(&context, cases[i].asf, cases[i].amc, &scene, &error));
        GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
        if (!strstr(log.text, cases[i].message)) {
            fail_msg("wanted '%s', got '%s'", cases[i].message, log.text);
        }
        gt_scene_destroy(scene);
        context.strict = true;
        assert_int_not_equal(read_texts(&context, cases[i].asf, cases[i].amc, &scene, &error), GT_OK);
        assert_null(scene);
    }
}

static void test_what_is_missing_is_held(void** state)
{
    (void)state;
    static const char amc[] =
        "1\nroot 0 0 0 0 0 0\nthigh 0 0 90\n2\nroot 0 0 0 0 0 0\n3\nroot 0 0 0 0 0 0\nthigh 0 0 0\n";
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, SKELETON, amc, &scene, &error));
    GtVec3 first = place_of(scene, "shin", 0);
    GtVec3 second = place_of(scene, "shin", 1);
    assert_memory_equal(&first, &second, sizeof first);
    expect_at(place_of(scene, "shin", 2), (double[]){ 1.5, -10.0, 0.0 }, unit_m);
    gt_scene_destroy(scene);
}

static void put(const TestFolder* folder, const char* name, const char* text)
{
    test_folder_put(folder, name, text, strlen(text));
}

static GtResult load_in(const TestFolder* folder, const char* name, GtScene** scene, GtError* error)
{
    GtContext context = gt_default_context();
    return gt_scene_load(&context, test_folder_path(folder, name), NULL, scene, error);
}

#define NAMED_BONE(name)                                                                                               \
    UNITS ROOT ":bonedata\n" BONE(name, " direction 0 1 0\n length 20\n dof rx\n") ":hierarchy\n root " name "\n"

static void test_the_skeleton_is_found_beside_the_motion(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    GtError error = { 0 };
    GtScene* scene = NULL;
    static const char frame[] = "1\nroot 0 0 0 0 0 0\n";
    put(&folder, "02_01.amc", frame);
    put(&folder, "named.amc", "#!OML:ASF H:\\Takeo\\My Monday.ASF \n:DEGREES\n1\nroot 0 0 0 0 0 0\n");
    GT_EXPECT_ERROR(load_in(&folder, "02_01.amc", &scene, &error), GT_ERROR_BAD_FILE,
                    "the skeleton of this motion was not found: put its .asf file into the same folder");
    put(&folder, "my monday.asf", NAMED_BONE("monday"));
    GT_EXPECT_OK(load_in(&folder, "02_01.amc", &scene, &error)); // the only one
    assert_string_equal(scene->nodes[1].name, "monday");
    assert_string_equal(scene->source.file_format, "amc");
    gt_scene_destroy(scene);
    put(&folder, "0.asf", NAMED_BONE("zero")); // a start, but not one that ends before '_'
    GT_EXPECT_ERROR(load_in(&folder, "02_01.amc", &scene, &error), GT_ERROR_BAD_FILE,
                    "which of 2 .asf files is the skeleton of this motion? Name it 02_01.asf");
    put(&folder, "02.ASF", NAMED_BONE("subject"));
    GT_EXPECT_OK(load_in(&folder, "02_01.amc", &scene, &error));
    assert_string_equal(scene->nodes[1].name, "subject");
    gt_scene_destroy(scene);
    GT_EXPECT_OK(load_in(&folder, "named.amc", &scene, &error));
    assert_string_equal(scene->nodes[1].name, "monday");
    gt_scene_destroy(scene);
    put(&folder, "02_01.asf", NAMED_BONE("same"));
    GT_EXPECT_OK(load_in(&folder, "02_01.amc", &scene, &error));
    assert_string_equal(scene->nodes[1].name, "same");
    gt_scene_destroy(scene);
    put(&folder, "02_01.asf", "nothing");
    GT_EXPECT_ERROR(load_in(&folder, "02_01.amc", &scene, &error), GT_ERROR_BAD_FILE, "02_01.asf: line 1: there are");
    GtContext context = gt_default_context();
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, ":DEGREES\n1\n", 11, NULL, NULL, &scene, &error),
                    GT_ERROR_UNSUPPORTED, "needs its skeleton, a .asf file");
    test_folder_remove(&folder);
}

// A chain of `count` bones, children first, so that every walk up would be long.
static char* make_chain(int count)
{
    char* text = malloc((size_t)count * 128 + 256);
    char* p = text + sprintf(text, ":bonedata\n");
    for (int i = count - 1; i >= 0; --i) {
        p += sprintf(p, "begin\nname b%d\ndirection 0 1 0\nlength 1e-5\ndof rx\nend\n", i);
    }
    p += sprintf(p, ":hierarchy\nroot b0\n");
    for (int i = 1; i < count; ++i) {
        p += sprintf(p, "b%d b%d\n", i - 1, i);
    }
    return text;
}

static void test_deep_hierarchies_are_read(void** state)
{
    (void)state;
    char* text = make_chain(100000);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, text, "1\nroot 0 0 0 0 0 0\n", &scene, &error));
    assert_int_equal(scene->node_count, 100002);
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    gt_scene_destroy(scene);
    free(text);
}

static void test_any_cut_ends_well(void** state)
{
    (void)state;
    static const char asf[] = SKELETON;
    static const char amc[] = MOTION;
    for (size_t cut = 0; cut < sizeof asf + sizeof amc; ++cut) {
        bool in_motion = cut >= sizeof asf;
        size_t asf_size = in_motion ? sizeof asf - 1 : cut;
        size_t amc_size = in_motion ? cut - sizeof asf : sizeof amc - 1;
        uint8_t* asf_cut = malloc(asf_size + !asf_size); // blocks of their own, so that reading past them is found
        uint8_t* amc_cut = malloc(amc_size + !amc_size);
        memcpy(asf_cut, asf, asf_size);
        memcpy(amc_cut, amc, amc_size);
        GtContext context = gt_default_context();
        GtLoadDef def = gt_default_load_def();
        GtError error = { 0 };
        GtScene* scene = NULL;
        GtiInput skeleton = { .bytes = asf_cut, .size = asf_size };
        GtiInput motion = { .bytes = amc_cut, .size = amc_size };
        GtResult result = gti_amc_read_on(&context, &skeleton, &motion, &def, &scene, &error);
        assert_true((result == GT_OK) == (scene != NULL) && (result == GT_OK || error.message[0]));
        gt_scene_destroy(scene);
        free(asf_cut);
        free(amc_cut);
    }
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    put(&folder, "man.asf", SKELETON);
    put(&folder, "man_01.amc", "#!OML:ASF C:\\man.ASF\n" MOTION);
    int64_t needed = 0;
    for (GtResult result = GT_ERROR_OUT_OF_MEMORY; result != GT_OK; ++needed) {
        TestAllocator limited = { .remaining = needed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        result = gt_scene_load(&context, test_folder_path(&folder, "man_01.amc"), NULL, &scene, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
    assert_true(needed > 10);
    test_folder_remove(&folder);
}

static bool stop_at_half(void* user, const char* task, double fraction)
{
    (void)task;
    *(double*)user = fraction;
    return fraction < 0.5;
}

static void test_cancelling(void** state)
{
    (void)state;
    enum {
        FRAME_COUNT = 50000
    };
    char* text = malloc((size_t)FRAME_COUNT * 32);
    char* p = text;
    for (int i = 0; i < FRAME_COUNT; ++i) {
        p += sprintf(p, "%d\nroot 1 2 3 4 5 6\n", i + 1);
    }
    double last = 0.0;
    GtContext context = gt_default_context();
    context.progress = stop_at_half;
    context.progress_user = &last;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_ERROR(read_texts(&context, SKELETON, text, &scene, &error), GT_ERROR_CANCELLED, "");
    assert_true(last >= 0.5 && last < 0.9);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_are_where_the_definition_puts_them),
        cmocka_unit_test(test_a_skeleton_alone_is_at_rest),
        cmocka_unit_test(test_radians_and_a_stated_rate),
        cmocka_unit_test(test_z_up_turns_the_root_alone),
        cmocka_unit_test(test_units_that_make_no_person_are_inferred),
        cmocka_unit_test(test_faults_are_errors_with_a_line),
        cmocka_unit_test(test_repairs_are_warnings_and_refused_when_strict),
        cmocka_unit_test(test_what_is_missing_is_held),
        cmocka_unit_test(test_the_skeleton_is_found_beside_the_motion),
        cmocka_unit_test(test_deep_hierarchies_are_read),
        cmocka_unit_test(test_any_cut_ends_well),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
