// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limbs with axes keep their thickness. Oracles: a twist about its axis leaves every point of a tube as far from the
// axis as it was, and as high; areas of rings; rigid motions; and the kernels of all levels beside each other.

#include "gertie/simd.h"

#include "harmonic/markers/bone_axes.h"
#include "tube.h"

enum {
    SIDES = 32,
    ROWS = 120,
    BAND = 12, // markers
    MARKERS = 2 * BAND,
    RINGS = ROWS + 1
};

static const float RADIANS = 0.017453293f;

typedef struct Limb {
    Tube tube;
    GtHarmonicMarker markers[MARKERS];
    GtHarmonic* harmonic;
    GtVec3* out; // of two frames
    void* scratch;
    GtQuat rotations[MARKERS];
    float twists[MARKERS];
} Limb;

static void* reserve(size_t size)
{
    void* memory = aligned_alloc(GT_ALIGNMENT, (size + GT_ALIGNMENT - 1) / GT_ALIGNMENT * GT_ALIGNMENT);
    assert_non_null(memory);
    memset(memory, 0xCD, size);
    return memory;
}

// Two bands, one and a half radii from the middle: what is between them bends and twists.
static Limb* limb_create(float squeeze)
{
    GtContext context = gt_default_context();
    GtError error;
    Limb* limb = calloc(1, sizeof *limb);
    assert_non_null(limb);
    limb->tube = tube_create(SIDES, ROWS);
    for (int m = 0; m < MARKERS; ++m) {
        float along = m < BAND ? 0.3125f : 0.6875f;
        limb->markers[m] = (GtHarmonicMarker){
            .triangle = GT_NONE,
            .point = tube_point((float)(m % BAND) / BAND + 0.01f, along),
            .radius = 0.06f,
            .axis_point = gt_vec3(0.0f, 5.0f, 0.0f),
            .axis = gt_vec3(0.0f, 2.0f, 0.0f),
            .volume = 1.0f,
        };
    }
    limb->tube.def.markers = limb->markers;
    limb->tube.def.marker_count = MARKERS;
    limb->tube.def.squeeze = squeeze;
    limb->tube.def.align_signs = false;
    GT_EXPECT_OK(gt_harmonic_create(&context, &limb->tube.def, &limb->harmonic, NULL, &error));
    limb->out = reserve(2 * (size_t)limb->tube.def.vertex_count * sizeof *limb->out);
    limb->scratch = reserve(gt_harmonic_bake_scratch_size(limb->harmonic));
    return limb;
}

static void limb_destroy(Limb* limb)
{
    gt_harmonic_destroy(limb->harmonic);
    tube_destroy(&limb->tube);
    free(limb->out);
    free(limb->scratch);
    free(limb);
}

// The upper band twists, then bends.
static void limb_turn(Limb* limb, float bend_rad, float twist_rad)
{
    GtQuat bend = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), bend_rad);
    GtQuat twist = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), twist_rad);
    for (int m = 0; m < MARKERS; ++m) {
        limb->rotations[m] = m < BAND ? gt_quat_identity() : gt_quat_mul(bend, twist);
        limb->twists[m] = m < BAND ? 0.0f : twist_rad;
    }
}

static const GtVec3* limb_pose(Limb* limb, bool bake)
{
    size_t count = (size_t)limb->tube.def.vertex_count;
    GtHarmonicFrame frame = { .rotations = limb->rotations,
                              .twists = limb->twists,
                              .anchor = gt_harmonic_anchor(limb->harmonic),
                              .positions = &limb->out[bake ? count : 0] };
    if (bake) {
        gt_harmonic_bake(limb->harmonic, &frame, 1, limb->scratch);
    } else {
        void* scratch = reserve(gt_harmonic_pose_scratch_size(limb->harmonic));
        gt_harmonic_pose(limb->harmonic, &frame, NULL, scratch);
        free(scratch);
    }
    return frame.positions;
}

static float ring_area(const GtVec3* positions, int ring)
{
    const GtVec3* p = &positions[(size_t)ring * SIDES];
    GtVec3 area = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int s = 0; s < SIDES; ++s) {
        area = gt_vec3_add(area, gt_vec3_cross(gt_vec3_sub(p[s], p[0]), gt_vec3_sub(p[(s + 1) % SIDES], p[0])));
    }
    return 0.5f * gt_vec3_length(area);
}

// The least section, as a ratio to the rest pose.
static float least_section(const Limb* limb, const GtVec3* positions)
{
    float least = INFINITY;
    for (int r = 0; r < RINGS; ++r) {
        float ratio = ring_area(positions, r) / ring_area(limb->tube.positions, r);
        least = ratio >= least ? least : ratio; // NaN stays
    }
    return least;
}

static GtVec3 triangle_normal(const GtVec3* p, const uint32_t* c)
{
    return gt_vec3_cross(gt_vec3_sub(p[c[1]], p[c[0]]), gt_vec3_sub(p[c[2]], p[c[0]]));
}

// Triangles that face against the rotation of a bend that goes evenly from one band to the other.
static int count_folded(const Limb* limb, const GtVec3* positions, float bend_rad)
{
    int count = 0;
    for (int32_t t = 0; t < limb->tube.def.triangle_count; ++t) {
        const uint32_t* c = &limb->tube.indices[3 * (size_t)t];
        float along = (limb->tube.positions[c[0]].y + 0.375f) / 0.75f;
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), bend_rad * fminf(fmaxf(along, 0.0f), 1.0f));
        GtVec3 normal = gt_quat_rotate(turn, triangle_normal(limb->tube.positions, c));
        count += !(gt_vec3_dot(normal, triangle_normal(positions, c)) > 0.0f);
    }
    return count;
}

static float radius_of(GtVec3 p)
{
    return sqrtf(p.x * p.x + p.z * p.z);
}

static void a_twist_of_any_number_of_turns_keeps_the_radius(void** state)
{
    (void)state;
    Limb* limb = limb_create(0.5f);
    GtSimdLevel before = gt_simd_level();
    static const float degrees[] = { 90.0f, 180.0f, 270.0f, -810.0f };
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        for (int i = 0; i < 8; ++i) {
            limb_turn(limb, 0.0f, RADIANS * degrees[i / 2]);
            const GtVec3* out = limb_pose(limb, i % 2);
            float turned = 0.0f;
            for (int32_t v = 0; v < limb->tube.def.vertex_count; ++v) {
                GtVec3 rest = limb->tube.positions[v];
                GT_EXPECT_NEAR(radius_of(out[v]), radius_of(rest), 2e-5f);
                GT_EXPECT_NEAR(out[v].y, rest.y, 2e-5f);
            }
            for (int r = 1; r < RINGS; ++r) { // how far it has turned from ring to ring, in all
                GtVec3 a = out[(r - 1) * SIDES];
                GtVec3 b = out[r * SIDES];
                turned += atan2f(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z) / RADIANS;
            }
            GT_EXPECT_NEAR(turned, -degrees[i / 2], 0.1f);                    // about y, x goes towards -z
            assert_true(least_section(limb, out) > (i < 6 ? 0.995f : 0.95f)); // bands of discs are no even bands
        }
    }
    gt_simd_level_set(before);
    limb_destroy(limb);
}

static void bends_keep_their_sections_and_do_not_fold(void** state)
{
    (void)state;
    static const struct {
        float degrees, thin, least; // at most what a section is without, at least with
    } bends[] = { { 90.0f, 0.92f, 0.94f }, { 120.0f, 0.85f, 0.90f }, { 140.0f, 0.79f, 0.85f } };
    Limb* plain = limb_create(0.0f);
    Limb* limb = limb_create(0.5f);
    for (int i = 0; i < 3; ++i) {
        float bend = RADIANS * bends[i].degrees;
        limb_turn(plain, bend, 0.0f);
        limb_turn(limb, bend, 0.0f);
        assert_true(least_section(plain, limb_pose(plain, true)) < bends[i].thin);
        const GtVec3* out = limb_pose(limb, true);
        float least = least_section(limb, out);
        if (!(least >= bends[i].least)) {
            fail_msg("bent by %g degrees, a section keeps %g", (double)bends[i].degrees, (double)least);
        }
        assert_int_equal(count_folded(limb, out, bend), 0);
        limb_turn(limb, bend, 3.0f); // twisted as well
        out = limb_pose(limb, true);
        assert_true(least_section(limb, out) >= bends[i].least - 0.05f);
    }
    limb_destroy(plain);
    limb_destroy(limb);
}

// One frame and batches of every level, beside the plain batch.
static void all_kernels_cure_alike(void** state)
{
    (void)state;
    Limb* limb = limb_create(0.5f);
    size_t size = (size_t)limb->tube.def.vertex_count * sizeof(GtVec3);
    GtVec3* wanted = reserve(size);
    limb_turn(limb, 1.9f, -4.0f);
    GtSimdLevel before = gt_simd_level();
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        for (int bake = 1; bake >= 0; --bake) {
            const GtVec3* out = limb_pose(limb, bake);
            if (level == GT_SIMD_SCALAR && bake) {
                memcpy(wanted, out, size);
            }
            for (int32_t v = 0; v < limb->tube.def.vertex_count; ++v) {
                GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[v], wanted[v])), 0.0f, 1e-5f);
            }
        }
    }
    gt_simd_level_set(before);
    free(wanted);
    limb_destroy(limb);
}

// All markers alike, with whatever share of it called a twist, turn the mesh as a whole.
static void a_common_rotation_with_twist_turns_the_mesh(void** state)
{
    (void)state;
    Limb* limb = limb_create(0.5f);
    GtVec3 anchor = gt_harmonic_anchor(limb->harmonic);
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.48f, 0.6f, 0.64f), 2.2f);
    for (int m = 0; m < MARKERS; ++m) {
        limb->rotations[m] = turn;
        limb->twists[m] = 9.0f;
    }
    for (int bake = 0; bake < 2; ++bake) {
        const GtVec3* out = limb_pose(limb, bake);
        for (int32_t v = 0; v < limb->tube.def.vertex_count; ++v) {
            GtVec3 wanted = gt_vec3_add(anchor, gt_quat_rotate(turn, gt_vec3_sub(limb->tube.positions[v], anchor)));
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[v], wanted)), 0.0f, 2e-5f);
        }
    }
    limb_destroy(limb);
}

static void twists_that_are_none_are_left_out(void** state)
{
    (void)state;
    Limb* limb = limb_create(0.5f);
    limb_turn(limb, 1.0f, 0.0f);
    const GtVec3* wanted = limb_pose(limb, true);
    limb->twists[0] = NAN;
    limb->twists[1] = INFINITY;
    limb->twists[2] = -1e20f;
    const GtVec3* out = limb_pose(limb, false);
    for (int32_t v = 0; v < limb->tube.def.vertex_count; ++v) {
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[v], wanted[v])), 0.0f, 1e-5f);
    }
    limb_destroy(limb);
}

static void bad_axes_are_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Limb* limb = limb_create(0.5f);
    GtHarmonic* harmonic = NULL;
    GtHarmonicDef def = limb->tube.def;
    def.squeeze = NAN;
    assert_int_equal(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE);
    def.squeeze = 0.5f;
    limb->markers[3].axis.y = INFINITY;
    assert_int_equal(gt_harmonic_create(&context, &def, &harmonic, NULL, &error), GT_ERROR_BAD_VALUE);
    assert_non_null(strstr(error.message, "marker 3"));
    limb_destroy(limb);
}

// How much of an upper arm's twist its forearm has, whose rest pose bends the elbow.
static float carry_at(float bend_rad)
{
    static const GtHumanoidJoint joints[] = { GT_HUMANOID_HIPS, GT_HUMANOID_LEFT_UPPER_ARM,
                                              GT_HUMANOID_LEFT_LOWER_ARM };
    GtiMarkerBone made[3];
    for (int32_t b = 0; b < 3; ++b) {
        float angle = b == 2 ? bend_rad : 0.0f;
        made[b] = (GtiMarkerBone){ .node = b,
                                   .joint = (int32_t)joints[b],
                                   .parent = b - 1,
                                   .next = b < 2 ? b + 1 : GT_NONE,
                                   .axis = gt_vec3(cosf(angle), sinf(angle), 0.0f),
                                   .length_m = 0.3f };
    }
    made[0].parent = GT_NONE;
    GtiBoneTree bones = { .bones = made, .count = 3 };
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiBoneAxis* axes = gti_bone_axes_find(&bones, &arena);
    assert_non_null(axes);
    float carry = axes[2].carry;
    gt_arena_destroy(&arena);
    return carry;
}

// About a line with a corner, a twist would spin an elbow in place instead of turning it.
static void twists_go_on_through_straight_joints_only(void** state)
{
    (void)state;
    GT_EXPECT_NEAR(carry_at(0.0f), 1.0f, 0.0f);
    GT_EXPECT_NEAR(carry_at(5.0f * RADIANS), 1.0f, 0.0f);
    float between = carry_at(17.0f * RADIANS);
    assert_true(between > 0.3f && between < 0.9f);
    GT_EXPECT_NEAR(carry_at(40.0f * RADIANS), 0.0f, 0.0f);
    GT_EXPECT_NEAR(carry_at(80.0f * RADIANS), 0.0f, 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_twist_of_any_number_of_turns_keeps_the_radius),
        cmocka_unit_test(bends_keep_their_sections_and_do_not_fold),
        cmocka_unit_test(all_kernels_cure_alike),
        cmocka_unit_test(a_common_rotation_with_twist_turns_the_mesh),
        cmocka_unit_test(twists_that_are_none_are_left_out),
        cmocka_unit_test(bad_axes_are_refused),
        cmocka_unit_test(twists_go_on_through_straight_joints_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
