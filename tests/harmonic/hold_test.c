// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Means of vertices that frames hold. Oracles: the means themselves; a rigid shift of all that is held, which must stay
// one; a spring between what is asked and what comes of itself; and the least stretch, against other ways to get there.

#include "gertie/simd.h"

#include "runtime/harmonic/hold.h"
#include "tube.h"

enum {
    SIDES = 24,
    ROWS = 60,
    HANDLES = 3,
    PATCH = 2 * SIDES // vertices of a handle: two rings
};

typedef struct Held {
    Tube tube;
    int32_t vertices[HANDLES][PATCH];
    GtHarmonicHandle handles[HANDLES];
    GtHarmonic* harmonic;
    GtVec3* out;
    void* scratch;
    GtQuat rotations[TUBE_MARKERS];
    GtHarmonicHold holds[HANDLES];
    GtVec3 anchor;
    float give;
} Held;

// Handles near both ends and in the middle.
static Held* held_create(void)
{
    static const int rings[HANDLES] = { 3, 30, 56 };
    GtContext context = gt_default_context();
    GtError error;
    Held* held = calloc(1, sizeof *held);
    assert_non_null(held);
    held->tube = tube_create(SIDES, ROWS);
    tube_mark(&held->tube, 0.05f);
    for (int i = 0; i < HANDLES; ++i) {
        for (int k = 0; k < PATCH; ++k) {
            held->vertices[i][k] = rings[i] * SIDES + k;
        }
        held->handles[i] = (GtHarmonicHandle){ held->vertices[i], PATCH };
    }
    held->tube.def.handles = held->handles;
    held->tube.def.handle_count = HANDLES;
    GT_EXPECT_OK(gt_harmonic_create(&context, &held->tube.def, &held->harmonic, NULL, &error));
    held->out = calloc((size_t)held->tube.def.vertex_count, sizeof *held->out);
    size_t size = gt_harmonic_bake_scratch_size(held->harmonic) + gt_harmonic_pose_scratch_size(held->harmonic);
    held->scratch = aligned_alloc(GT_ALIGNMENT, (size + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT);
    assert_true(held->out && held->scratch);
    held->anchor = gt_harmonic_anchor(held->harmonic);
    tube_bend(0.6f, held->rotations);
    return held;
}

static void held_destroy(Held* held)
{
    gt_harmonic_destroy(held->harmonic);
    tube_destroy(&held->tube);
    free(held->out);
    free(held->scratch);
    free(held);
}

// The frame between others that hold nothing.
static void pose(Held* held, bool bake)
{
    GtHarmonicFrame frames[3];
    size_t count = (size_t)held->tube.def.vertex_count;
    GtVec3* others = calloc(2 * count, sizeof *others);
    assert_non_null(others);
    for (int f = 0; f < 3; ++f) {
        frames[f] = (GtHarmonicFrame){ .rotations = held->rotations,
                                       .anchor = held->anchor,
                                       .positions = f == 1 ? held->out : &others[f == 0 ? 0 : count],
                                       .holds = f == 1 ? held->holds : NULL,
                                       .anchor_give = held->give };
    }
    if (bake) {
        gt_harmonic_bake(held->harmonic, frames, 3, held->scratch);
    } else {
        gt_harmonic_pose(held->harmonic, &frames[1], NULL, held->scratch);
    }
    free(others);
}

static GtVec3 mean_of(const Held* held, int handle)
{
    double sum[3] = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < PATCH; ++k) {
        GtVec3 p = held->out[held->vertices[handle][k]];
        sum[0] += (double)p.x / PATCH;
        sum[1] += (double)p.y / PATCH;
        sum[2] += (double)p.z / PATCH;
    }
    return gt_vec3((float)sum[0], (float)sum[1], (float)sum[2]);
}

static double distance(GtVec3 a, GtVec3 b)
{
    return (double)gt_vec3_length(gt_vec3_sub(a, b));
}

// Any of the handles, by every kernel, with an anchor that is held and one that gives.
static void means_are_held_exactly(void** state)
{
    (void)state;
    Held* held = held_create();
    GtSimdLevel before = gt_simd_level();
    GtVec3 loose[HANDLES];
    pose(held, true);
    for (int i = 0; i < HANDLES; ++i) {
        loose[i] = mean_of(held, i);
    }
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        for (int which = 1; which < 1 << HANDLES; ++which) {
            for (int i = 0; i < HANDLES; ++i) {
                GtVec3 way = gt_vec3(0.05f, 0.02f * (float)i, -0.03f);
                held->holds[i] =
                    (GtHarmonicHold){ gt_vec3_add(loose[i], way), which >> i & 1 ? 1.0f + (float)i : 0.0f };
            }
            held->give = which % 2 ? 0.7f : 0.0f;
            pose(held, which % 3 == 0);
            for (int i = 0; i < HANDLES; ++i) {
                double off = distance(mean_of(held, i), held->holds[i].position);
                assert_true(which >> i & 1 ? off < 1e-5 : off > 1e-4);
            }
        }
    }
    gt_simd_level_set(before);
    held_destroy(held);
}

// What a frame is told before it is written, and what it asks for then.
typedef struct Choice {
    GtVec3 places[HANDLES];
    GtHarmonicHold* holds;
} Choice;

static void choose_the_last(void* user, const GtHarmonicFrame* frame, const GtVec3* places)
{
    Choice* choice = user;
    assert_ptr_equal(frame->holds, choice->holds);
    memcpy(choice->places, places, sizeof choice->places);
    choice->holds[2] = (GtHarmonicHold){ gt_vec3_add(places[2], gt_vec3(0.0f, 0.02f, 0.01f)), 1.0f };
}

// Where handles are is known without solving for vertices, and before holds are chosen; both agree with the vertices.
static void handles_are_placed_before_vertices(void** state)
{
    (void)state;
    enum {
        FRAMES = 11 // which leave lanes empty
    };
    Held* held = held_create();
    GtSimdLevel before = gt_simd_level();
    held->give = 0.5f;
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        GtVec3 places[FRAMES][HANDLES];
        GtHarmonicFrame frames[FRAMES];
        held->holds[0] = (GtHarmonicHold){ gt_vec3(0.1f, 0.2f, 0.3f), 0.5f };
        held->holds[1] = held->holds[2] = (GtHarmonicHold){ .strength = 0.0f };
        for (int f = 0; f < FRAMES; ++f) {
            frames[f] = (GtHarmonicFrame){
                .rotations = held->rotations, .anchor = held->anchor, .holds = held->holds, .anchor_give = held->give
            };
        }
        gti_harmonic_place(held->harmonic, frames, FRAMES, places[0], held->scratch);
        pose(held, true);
        for (int i = 0; i < HANDLES; ++i) {
            GT_EXPECT_NEAR(distance(places[FRAMES - 1][i], mean_of(held, i)), 0.0, 2e-6);
        }
        Choice choice = { .holds = held->holds };
        frames[0].positions = held->out;
        gti_harmonic_bake(held->harmonic, frames, 1, choose_the_last, &choice, held->scratch);
        GT_EXPECT_NEAR(distance(choice.places[1], places[0][1]), 0.0, 2e-6);
        GT_EXPECT_NEAR(distance(choice.places[2], places[0][2]), 0.0, 2e-6);
        GT_EXPECT_NEAR(distance(mean_of(held, 2), held->holds[2].position), 0.0, 1e-5);
    }
    gt_simd_level_set(before);
    held_destroy(held);
}

// All that is held goes the same way, the anchor with it or free to follow: nothing is stretched.
static void a_common_way_is_a_shift(void** state)
{
    (void)state;
    Held* held = held_create();
    size_t count = (size_t)held->tube.def.vertex_count;
    GtVec3 way = gt_vec3(0.3f, -0.2f, 0.1f);
    pose(held, true);
    GtVec3* loose = calloc(count, sizeof *loose);
    assert_non_null(loose);
    memcpy(loose, held->out, count * sizeof *loose);
    for (int i = 0; i < HANDLES; ++i) {
        held->holds[i] = (GtHarmonicHold){ gt_vec3_add(mean_of(held, i), way), i == 0 ? 0.0f : 1.0f };
    }
    for (int round = 0; round < 2; ++round) {
        held->give = round == 0 ? 1.0f : 0.0f;
        held->anchor = round == 0 ? held->anchor : gt_vec3_add(held->anchor, way);
        pose(held, round);
        for (size_t v = 0; v < count; ++v) {
            GT_EXPECT_NEAR(distance(held->out[v], gt_vec3_add(loose[v], way)), 0.0, 1e-4);
        }
    }
    free(loose);
    held_destroy(held);
}

// A hold comes on gradually, and with full strength arrives; what is not held does not go farther than what is.
static void a_hold_comes_on_gradually(void** state)
{
    (void)state;
    Held* held = held_create();
    pose(held, false);
    GtVec3 start = mean_of(held, 2);
    GtVec3 middle = mean_of(held, 1);
    GtVec3 goal = gt_vec3_add(start, gt_vec3(0.1f, 0.0f, 0.0f));
    double last = -1e-6;
    for (int step = 0; step <= 10; ++step) {
        held->holds[2] = (GtHarmonicHold){ goal, 0.1f * (float)step };
        pose(held, step % 2);
        double moved = distance(mean_of(held, 2), start);
        assert_true(moved > last && moved < 0.1 + 1e-5);
        assert_true(distance(mean_of(held, 1), middle) <= moved + 1e-5);
        last = moved;
    }
    GT_EXPECT_NEAR(last, 0.1, 1e-5);
    held_destroy(held);
}

static void what_cannot_be_held_leaves_every_vertex_finite(void** state)
{
    (void)state;
    Held* held = held_create();
    GtVec3 away = gt_vec3(NAN, 0.0f, 0.0f);
    held->holds[0] = (GtHarmonicHold){ away, 1.0f };
    held->holds[1] = (GtHarmonicHold){ held->anchor, NAN };
    held->holds[2] = (GtHarmonicHold){ held->anchor, INFINITY };
    held->give = NAN;
    for (int bake = 0; bake < 2; ++bake) {
        pose(held, bake);
        for (int32_t v = 0; v < held->tube.def.vertex_count; ++v) {
            assert_true(isfinite(held->out[v].x + held->out[v].y + held->out[v].z));
        }
        GT_EXPECT_NEAR(distance(mean_of(held, 2), held->anchor), 0.0, 1e-4); // after a way of a metre
    }
    held_destroy(held);
}

// Two handles of one place, asked to two places: neither, and nothing flies off.
static void handles_may_contradict_each_other(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Held* held = held_create();
    held->handles[0] = held->handles[1];
    gt_harmonic_destroy(held->harmonic);
    GT_EXPECT_OK(gt_harmonic_create(&context, &held->tube.def, &held->harmonic, NULL, &error));
    pose(held, false);
    GtVec3 start = mean_of(held, 1);
    held->holds[0] = (GtHarmonicHold){ gt_vec3_add(start, gt_vec3(0.1f, 0.0f, 0.0f)), 1.0f };
    held->holds[1] = (GtHarmonicHold){ gt_vec3_add(start, gt_vec3(0.0f, 0.0f, 0.1f)), 1.0f };
    pose(held, true);
    GT_EXPECT_NEAR(distance(mean_of(held, 1), gt_vec3_add(start, gt_vec3(0.05f, 0.0f, 0.05f))), 0.0, 2e-3);
    held_destroy(held);
}

static void bad_handles_are_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Held* held = held_create();
    GtHarmonic* harmonic = NULL;
    GtHarmonicDef def = held->tube.def;
    held->vertices[1][5] = def.vertex_count;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "handle 1");
    held->handles[0].count = 0;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE, "handle 0");
    def.handle_count = GT_HARMONIC_MAX_HANDLES + 1;
    GT_EXPECT_ERROR(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_LIMIT, "handles");
    held_destroy(held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_held_exactly),
        cmocka_unit_test(handles_are_placed_before_vertices),
        cmocka_unit_test(a_common_way_is_a_shift),
        cmocka_unit_test(a_hold_comes_on_gradually),
        cmocka_unit_test(what_cannot_be_held_leaves_every_vertex_finite),
        cmocka_unit_test(handles_may_contradict_each_other),
        cmocka_unit_test(bad_handles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
