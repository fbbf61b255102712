// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Drivers in frames: who drives a value, what sensors tell of a motion that is known, springs against those stepped by
// hand, times and poses that are none.

#include "gertie/drivers.h"
#include "gertie/formula.h"

#include "runtime/curves.h"
#include "runtime/tube.h"

#include <stdlib.h>

enum {
    VALUES = 3,
    SENSORS = 2,
    SPEED = VALUES, // values of the sensors
    CONTACT
};

static const double rate_hz = 60.0;

// A tube whose section swells as its elbow bends, by controls, with sensors and a spring on the upper arm.
typedef struct Stage {
    Tube tube;
    GtDrivers* drivers;
    GtDriversState* state;
    GtDriversFrame frame;
} Stage;

static const GtDriverValue values[VALUES] = { { "control:flex", 0.25f, 0.0f, 1.0f },
                                              { "control:breath", 0.0f, 0.0f, 0.75f },
                                              { "own", 3.0f, -INFINITY, INFINITY } };

static GtDriversDef make_def(const Tube* tube, GtSensorDef sensors[SENSORS], GtTrackBinding tracks[4],
                             GtJiggleDef jiggles[1])
{
    sensors[0] = sensors[1] = gt_default_sensor_def();
    sensors[0].name = "speed:lowerArm";
    sensors[0].point_count = 1;
    sensors[0].points[0].node = 2;
    sensors[1].name = "contact:foot";
    sensors[1].kind = GT_SENSOR_CONTACT;
    sensors[1].point_count = 2;
    sensors[1].points[0] = (GtSensorPoint){ 2, { 0.0f, -0.9f, 0.0f } }; // 0.1 m up at rest, as the other is 1 m up
    sensors[1].points[1] = (GtSensorPoint){ 2, { 0.0f, 0.0f, 0.0f } };
    tracks[0] = (GtTrackBinding){ .channel = "control:breath", .formula = "t" };
    tracks[1] = (GtTrackBinding){ .channel = "morph:breath", .formula = "'control:breath'" };
    tracks[2] = (GtTrackBinding){ .channel = "lattice:upper.flex", .formula = "control:flex + lowerArm.angle" };
    tracks[3] = (GtTrackBinding){ .channel = "own", .formula = "'speed:lowerArm' + 10 * contact:foot" };
    jiggles[0] = gt_default_jiggle_def();
    GtDriversDef def = gt_default_drivers_def();
    def.character = tube->character;
    def.values = values;
    def.value_count = VALUES;
    def.sensors = sensors;
    def.sensor_count = SENSORS;
    def.tracks = tracks;
    def.track_count = 4;
    def.jiggles = jiggles;
    def.jiggle_count = 1;
    return def;
}

static void open_stage(Stage* stage)
{
    GtError error;
    GtSensorDef sensors[SENSORS];
    GtTrackBinding tracks[4];
    GtJiggleDef jiggles[1];
    create_tube(&stage->tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    GtDriversDef def = make_def(&stage->tube, sensors, tracks, jiggles);
    GT_EXPECT_OK(gt_drivers_create(gt_default_allocator(), &def, &stage->drivers, &error));
    memset(sensors, 0xCD, sizeof sensors); // all of it was copied
    memset(tracks, 0xCD, sizeof tracks);
    memset(jiggles, 0xCD, sizeof jiggles);
    size_t size = (gt_drivers_state_size(stage->drivers) + 15) / 16 * 16;
    void* memory = aligned_alloc(16, size);
    assert_non_null(memory);
    memset(memory, 0xCD, size);
    stage->state = gt_drivers_state_init(stage->drivers, memory);
    stage->frame = gt_default_drivers_frame();
}

static void close_stage(Stage* stage)
{
    free(stage->state);
    gt_drivers_destroy(stage->drivers);
    destroy_tube(&stage->tube);
}

// A frame with the root at a height, and the world so far ahead.
static void step(Stage* stage, double y, double ahead, double step_s)
{
    GtInstance* instance = stage->tube.instance;
    gt_instance_reset(instance);
    instance->pose[0].translation.y = (float)y;
    stage->frame.step_s = step_s;
    stage->frame.world_from_model.m[2][3] = (float)ahead;
    gt_drivers_step(&stage->frame, stage->state, instance);
}

static void test_values_are_driven_by_one(void** state)
{
    (void)state;
    static Stage stage;
    open_stage(&stage);
    int32_t flex = gt_drivers_find(stage.drivers, "control:flex");
    int32_t breath = gt_drivers_find(stage.drivers, "control:breath");
    assert_int_equal(gt_drivers_find(stage.drivers, "contact:foot"), CONTACT);
    assert_int_equal(gt_drivers_find(stage.drivers, "flex"), GT_NONE);
    const GtInstance* instance = stage.tube.instance;
    stage.frame.time_s = 0.5;
    step(&stage, 0.0, 0.0, 0.1);
    GT_EXPECT_NEAR(pose_of(&stage.tube, 0, 0)[0], 0.25, 1e-6); // the control at rest, the elbow straight
    GT_EXPECT_NEAR(instance->weights[0], 0.5, 1e-6);           // by its track
    stage.frame.time_s = 2.0;
    step(&stage, 0.0, 0.0, 0.1);
    GT_EXPECT_NEAR(instance->weights[0], 0.75, 1e-6); // which is kept in range
    stage.state->given[flex] = 7.0f;
    stage.state->given[breath] = 0.125f;
    step(&stage, 0.0, 0.0, 0.1);
    GT_EXPECT_NEAR(pose_of(&stage.tube, 0, 0)[0], 1.0, 1e-6); // as is what a game gives
    GT_EXPECT_NEAR(instance->weights[0], 0.125, 1e-6);        // which comes before tracks
    GT_EXPECT_NEAR(stage.state->values[breath], 0.125, 1e-6);
    stage.state->given[CONTACT] = 0.5f;
    step(&stage, 0.0, 0.0, 0.1);
    GT_EXPECT_NEAR(stage.state->values[2], 5.0, 1e-6);
    stage.state->given[flex] = stage.state->given[breath] = INFINITY;
    gt_drivers_reset(stage.state);
    step(&stage, 0.0, 0.0, 0.1);
    GT_EXPECT_NEAR(instance->weights[0], 0.75, 1e-6);
    GT_EXPECT_NEAR(stage.state->values[CONTACT], 0.5, 1e-6); // a reset leaves what is given
    close_stage(&stage);
}

// A track adds to a weight, whether the game sets that in each frame or not.
static void test_what_is_added_to_weights_does_not_pile_up(void** state)
{
    (void)state;
    GtError error;
    Tube tube;
    GtDrivers* drivers = NULL;
    GtDriversState* own = NULL;
    GtDriversFrame frame = gt_default_drivers_frame();
    const GtTrackBinding track = { .channel = "morph:breath", .formula = "morph:breath + t" };
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    GtDriversDef def = gt_default_drivers_def();
    def.character = tube.character;
    def.tracks = &track;
    def.track_count = 1;
    GT_EXPECT_OK(gt_drivers_create(gt_default_allocator(), &def, &drivers, &error));
    GT_EXPECT_OK(gt_drivers_state_create(gt_default_allocator(), drivers, &own, &error));
    tube.instance->weights[0] = 0.5f;
    for (int i = 0; i < 6; ++i) {
        frame.time_s = 0.125 * i;
        if (i == 3) {
            tube.instance->weights[0] = 0.25f;
        } else if (i == 5) {
            gt_drivers_reset(own);
        }
        gt_drivers_step(&frame, own, tube.instance);
        GT_EXPECT_NEAR(tube.instance->weights[0], (i < 3 ? 0.5 : 0.25) + frame.time_s, 1e-6);
    }
    gt_drivers_state_destroy(own);
    gt_drivers_destroy(drivers);
    destroy_tube(&tube);
}

// Whether a pose moves or the world under it, a speed is a speed; a frame that takes no time tells nothing new.
static void test_speeds_are_those_since_the_frame_before(void** state)
{
    (void)state;
    for (int way = 0; way < 2; ++way) {
        static Stage stage;
        open_stage(&stage);
        for (int i = 0; i < 30; ++i) {
            double at = 2.0 * i / rate_hz;
            step(&stage, way ? 0.0 : at, way ? at : 0.0, 1.0 / rate_hz);
            GT_EXPECT_NEAR(stage.state->values[SPEED], i ? 2.0 : 0.0, 1e-4);
        }
        step(&stage, 5.0, 5.0, 0.0);
        GT_EXPECT_NEAR(stage.state->values[SPEED], 2.0, 1e-4);
        step(&stage, 5.0, 5.0, 1.0 / rate_hz);
        GT_EXPECT_NEAR(stage.state->values[SPEED], 0.0, 1e-4);
        close_stage(&stage);
    }
}

// A foot comes down, stands, slips a little and lifts off, the ground wherever it is.
static void test_feet_stand_where_they_are_low_and_slow(void** state)
{
    (void)state;
    for (int level = 0; level < 2; ++level) {
        static Stage stage;
        open_stage(&stage);
        float* contact = &stage.state->values[CONTACT];
        double ground = level ? 3.0 : 0.0;
        stage.frame.ground_m = (float)ground;
        double y = ground - 0.1;
        for (int i = 0; i <= 18; ++i) { // 1 m/s: low, but not slow
            step(&stage, y + 0.3 - i / rate_hz, 0.0, 1.0 / rate_hz);
            assert_true(*contact == 0.0f);
        }
        for (int i = 1; i < 12; ++i) {
            step(&stage, y, 0.0, 1.0 / rate_hz);
            double share = fmin(i / rate_hz / 0.1, 1.0);
            GT_EXPECT_NEAR(*contact, share * share * (3.0 - 2.0 * share), 1e-5);
        }
        GT_EXPECT_NEAR(*contact, 1.0, 1e-6);
        for (int i = 1; i < 60; ++i) { // 0.3 m/s: too fast to begin to stand, not too fast to go on
            step(&stage, y, 0.3 * i / rate_hz, 1.0 / rate_hz);
            GT_EXPECT_NEAR(*contact, 1.0, 1e-6);
        }
        step(&stage, y + 0.065, 0.3, 10.0); // as with heights
        GT_EXPECT_NEAR(*contact, 1.0, 1e-6);
        step(&stage, y + 0.08, 0.3, 0.05);
        GT_EXPECT_NEAR(*contact, 0.5, 1e-4);
        step(&stage, y + 0.065, 0.3, 10.0);
        GT_EXPECT_NEAR(*contact, 0.0, 1e-6);
        gt_drivers_reset(stage.state);
        step(&stage, y, 0.0, 1.0 / rate_hz); // without a frame before, it stands where it is low
        GT_EXPECT_NEAR(*contact, 1.0, 1e-6);
        close_stage(&stage);
    }
}

// The same bits as springs that are stepped by hand, and the same flesh where the world moves.
static void test_springs_feel_the_world(void** state)
{
    (void)state;
    static Stage posed;
    static Stage carried;
    open_stage(&posed);
    open_stage(&carried);
    GtJiggleDef jiggle = gt_default_jiggle_def();
    void* by_hand = aligned_alloc(16, (gti_jiggle_state_size(&jiggle, posed.tube.character) + 15) / 16 * 16);
    float* seen = malloc((size_t)gt_section_value_count(posed.tube.character) * sizeof *seen);
    assert_true(by_hand && seen);
    gti_jiggle_reset(&jiggle, posed.tube.character, by_hand);
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        double ahead = 0.2 * sin(12.0 * i / rate_hz);
        GtInstance* instance = posed.tube.instance;
        gt_instance_reset(instance);
        instance->pose[0].translation.z = (float)ahead;
        posed.frame.step_s = 1.0 / rate_hz;
        gt_drivers_step(&posed.frame, posed.state, instance);
        step(&carried, 0.0, ahead, 1.0 / rate_hz);
        GtVec3 off = offsets_of(&posed.tube, 0)[0];
        GtVec3 other = offsets_of(&carried.tube, 0)[0];
        GT_EXPECT_NEAR(off.z, other.z, 1e-5);
        most = fmax(most, fabs((double)off.z));
        memcpy(seen, instance->section_values, (size_t)gt_section_value_count(instance->character) * sizeof *seen);
        gt_section_reset(instance->character, instance->section_values);
        *pose_of(&posed.tube, 0, 0) = 0.25f;
        step_jiggle(&jiggle, instance, 1.0 / rate_hz, by_hand);
        assert_memory_equal(seen, instance->section_values,
                            (size_t)gt_section_value_count(instance->character) * sizeof *seen);
    }
    assert_true(most > 0.01);
    free(seen);
    free(by_hand);
    close_stage(&posed);
    close_stage(&carried);
}

// Times that are none pass no time; poses that are none are forgotten with their frame.
static void test_nothing_lasts_of_what_is_no_number(void** state)
{
    (void)state;
    static Stage stage;
    open_stage(&stage);
    const double steps_s[] = { 0.0, -1.0, (double)NAN, (double)INFINITY, 1e300, 1e-300, 1.0 / 60.0 };
    for (int i = 0; i < 70; ++i) {
        GtInstance* instance = stage.tube.instance;
        double y = i % 9 == 4 ? (double)NAN : i % 7 == 3 ? 1e30 : 0.01 * i;
        stage.frame.time_s = i % 5 == 0 ? (double)NAN : i;
        step(&stage, y, i % 11 == 6 ? (double)INFINITY : 0.0, steps_s[i % 7]);
        for (int32_t v = 0; v < gt_section_value_count(instance->character); ++v) {
            assert_true(isfinite(instance->section_values[v]));
        }
        for (int32_t v = 0; v < VALUES + SENSORS; ++v) {
            assert_true(isfinite(stage.state->values[v]));
        }
    }
    for (int i = 0; i < 600; ++i) {
        step(&stage, 0.0, 0.0, 1.0 / rate_hz);
    }
    GT_EXPECT_NEAR(stage.state->values[SPEED], 0.0, 0.0);
    GT_EXPECT_NEAR(gt_vec3_length(offsets_of(&stage.tube, 0)[0]), 0.0, 1e-6);
    close_stage(&stage);
}

// Curves are copied as they run, whatever their law.
static void test_curves_outlive_their_source(void** state)
{
    (void)state;
    enum {
        KEYS = 5,
        TIMES = 50
    };
    static const float times_s[KEYS] = { 0.0f, 0.5f, 1.25f, 1.5f, 3.0f };
    static const float numbers[KEYS] = { 0.0f, 2.0f, -1.0f, 0.5f, 0.0f };
    static const float handles[KEYS] = { 0.5f, -0.25f, 1.0f, 0.0f, 0.3f };
    static const float handle_times[KEYS] = { 0.1f, 2.0f, 0.3f, 0.0f, 0.2f };
    static const GtEase eases[KEYS - 1] = { { 0.2f, 0.3f }, { 0.0f, 0.0f }, { 0.5f, 0.5f }, { 0.0f, 1.0f } };
    static const GtKeyShape shapes[KEYS] = { [0] = { 0.3f, 0.0f, 0.1f }, [1] = { 0.0f, 0.5f, -0.4f } };
    Tube* tube = calloc(1, sizeof *tube);
    assert_non_null(tube);
    create_tube(tube, GT_SKIN_LINEAR, 0);
    for (int n = 0; n < 4 * GT_LAW_COUNT; ++n) {
        GtError error;
        GtCurveDef def = numbers_def((GtCurveLaw)(n % GT_LAW_COUNT), KEYS, times_s, numbers);
        float turns[4 * KEYS];
        for (int i = 0; i < KEYS; ++i) {
            GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.6f, 0.0f, 0.8f), numbers[i]);
            memcpy(turns + 4 * (size_t)i, &turn, sizeof turn);
        }
        bool turns_node = def.law == GT_LAW_SQUAD || (def.law == GT_LAW_B_SPLINE && n >= 2 * GT_LAW_COUNT);
        if (turns_node) {
            def.kind = GT_CURVE_ROTATION;
            def.component_count = 4;
            def.values = turns;
        }
        def.in = def.out = handles;
        def.in_times_s = def.out_times_s = n < GT_LAW_COUNT ? handle_times : NULL;
        def.shapes = shapes;
        def.eases = n % 2 ? eases : NULL;
        def.closed = n >= GT_LAW_COUNT;
        def.before = (GtExtrapolation)(n % GT_EXTRAPOLATE_COUNT);
        def.after = (GtExtrapolation)((n + 2) % GT_EXTRAPOLATE_COUNT);
        GtCurve* curve = make_curve(&def);
        GtTrackBinding track = { .channel = turns_node ? "lowerArm.rotation" : "own", .curve = curve };
        GtDriversDef drivers_def = gt_default_drivers_def();
        drivers_def.character = tube->character;
        drivers_def.values = &values[2];
        drivers_def.value_count = 1;
        drivers_def.tracks = &track;
        drivers_def.track_count = 1;
        GtDrivers* drivers = NULL;
        GtDriversState* live = NULL;
        GT_EXPECT_OK(gt_drivers_create(gt_default_allocator(), &drivers_def, &drivers, &error));
        GT_EXPECT_OK(gt_drivers_state_create(gt_default_allocator(), drivers, &live, &error));
        float wanted[TIMES][4];
        for (int i = 0; i < TIMES; ++i) {
            gt_curve_eval(curve, 0.12 * i - 1.0, wanted[i]);
        }
        gt_curve_destroy(curve);
        GtDriversFrame frame = gt_default_drivers_frame();
        for (int i = 0; i < TIMES; ++i) {
            frame.time_s = 0.12 * i - 1.0;
            gt_instance_reset(tube->instance);
            gt_drivers_step(&frame, live, tube->instance);
            GtQuat turn = tube->instance->pose[2].rotation;
            GtQuat other = gt_quat(wanted[i][0], wanted[i][1], wanted[i][2], wanted[i][3]);
            float off = turns_node ? gt_quat_angle_rad(turn, other) : live->values[0] - wanted[i][0];
            GT_EXPECT_NEAR(off, 0.0, turns_node ? 1e-3 : 1e-6);
        }
        gt_drivers_state_destroy(live);
        gt_drivers_destroy(drivers);
    }
    destroy_tube(tube);
    free(tube);
}

static void test_what_cannot_be_is_refused(void** state)
{
    (void)state;
    static Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    char* slashes = malloc(GT_FORMULA_MAX_SIZE << 10); // a name that could be cut into node and shape in many ways
    assert_non_null(slashes);
    memset(slashes, '/', GT_FORMULA_MAX_SIZE << 10);
    slashes[(GT_FORMULA_MAX_SIZE << 10) - 1] = '\0';
    for (int n = 0; n < 10; ++n) {
        GtError error;
        GtSensorDef sensors[SENSORS];
        GtTrackBinding tracks[4];
        GtJiggleDef jiggles[1];
        GtDriverValue own[VALUES] = { values[0], values[1], values[2] };
        GtDriversDef def = make_def(&tube, sensors, tracks, jiggles);
        def.values = own;
        GtResult code = GT_ERROR_BAD_VALUE;
        const char* text = "value 1";
        if (n == 0) {
            own[1].rest = NAN;
        } else if (n == 1) {
            own[1].max = -1.0f;
        } else if (n == 2) {
            own[1].name = NULL;
        } else if (n == 3) {
            sensors[1].points[1].node = 3;
            code = GT_ERROR_NOT_FOUND;
            text = "sensor 1 'contact:foot' is at node 3 of 3";
        } else if (n == 4) {
            sensors[0].release_mps = 0.1f;
            text = "sensor 0";
        } else if (n == 5) {
            sensors[1].points[0].place.x = INFINITY;
            text = "not finite";
        } else if (n == 6) {
            tracks[2].formula = "control:felx";
            code = GT_ERROR_NOT_FOUND;
            text = "track 2 'lattice:upper.flex'";
        } else if (n == 7) {
            jiggles[0].section = 3;
            code = GT_ERROR_NOT_FOUND;
            text = "jiggle 0";
        } else if (n == 8) {
            memcpy(slashes, "morph:", 6);
            tracks[1].channel = slashes;
            code = GT_ERROR_LIMIT;
            text = "4 tracks are too many";
        } else {
            def.value_count = GT_DRIVERS_MAX_VALUES;
            code = GT_ERROR_LIMIT;
            text = "at most 8192";
        }
        GtDrivers* drivers = NULL;
        GT_EXPECT_ERROR(gt_drivers_create(gt_default_allocator(), &def, &drivers, &error), code, text);
        assert_null(drivers);
    }
    free(slashes);
    destroy_tube(&tube);
}

static void test_memory_that_runs_out(void** state)
{
    (void)state;
    static Tube tube;
    create_tube(&tube, GT_SKIN_LINEAR, TUBE_SECTIONS);
    static const float times_s[2] = { 0.0f, 1.0f };
    GtCurve* curve = make_numbers(GT_LAW_LINEAR, 2, times_s, times_s);
    TestAllocator counter = { .remaining = -1 };
    GtAllocator allocator = test_allocator(&counter);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int failures = 0;
    for (int64_t allowed = 0; allowed < 100 && result != GT_OK; ++allowed, ++failures) {
        GtError error;
        GtSensorDef sensors[SENSORS];
        GtTrackBinding tracks[4];
        GtJiggleDef jiggles[1];
        GtDriversDef def = make_def(&tube, sensors, tracks, jiggles);
        tracks[0].formula = NULL;
        tracks[0].curve = curve;
        GtDrivers* drivers = NULL;
        GtDriversState* live = NULL;
        counter.remaining = allowed;
        result = gt_drivers_create(allocator, &def, &drivers, &error);
        result = result == GT_OK ? gt_drivers_state_create(allocator, drivers, &live, &error) : result;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_drivers_state_destroy(live);
        gt_drivers_destroy(drivers);
        assert_int_equal(counter.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    assert_true(failures > 5);
    gt_curve_destroy(curve);
    destroy_tube(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_driven_by_one),
        cmocka_unit_test(test_what_is_added_to_weights_does_not_pile_up),
        cmocka_unit_test(test_speeds_are_those_since_the_frame_before),
        cmocka_unit_test(test_feet_stand_where_they_are_low_and_slow),
        cmocka_unit_test(test_springs_feel_the_world),
        cmocka_unit_test(test_nothing_lasts_of_what_is_no_number),
        cmocka_unit_test(test_curves_outlive_their_source),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
