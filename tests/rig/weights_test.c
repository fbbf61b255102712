// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bodies of capsules, whose weights are known by symmetry, by a closed form or by what touches what.

#include "rig/weighing.h"
#include "support/random.h"

static const GtRigWeights methods[] = { GT_RIG_WEIGHTS_AUTO, GT_RIG_WEIGHTS_HEAT, GT_RIG_WEIGHTS_VOXEL };

// A limb of radius 0.05 from 0 to 1 along y, with a joint in the middle.
static const Capsule limb[] = { { { 0.0f, 0.05f, 0.0f }, { 0.0f, 0.95f, 0.0f }, 0.05f } };
static GtiRigJoint limb_joints[] = {
    { .parent = GT_NONE, .humanoid = GT_NONE, .position = { 0, 0.05f, 0 }, .tip = { 0, 0.5f, 0 } },
    { .parent = 0, .humanoid = GT_NONE, .mirror = 1, .position = { 0, 0.5f, 0 }, .tip = { 0, 0.95f, 0 } },
};
static const GtiRigSkeleton limb_skeleton = { limb_joints, 2 };

// Warmth w along a cylinder of radius r is what w'' = k^2 (w - p) says, k = sqrt(c) / r: the share p that the upper
// bone has, blurred with k / 2 exp(-k |s|). Bones share where their ranks differ by less than 0.15 r.
static float warmth(float s)
{
    const double r = 0.05;
    const double k = sqrt(3.0) / r;
    const double step = 1e-4;
    double sum = 0.0;
    for (double u = -10.0 * r + step / 2.0; u < 10.0 * r; u += step) {
        double behind = u < 0.0 ? 2.0 : 1.0; // the lower side is behind the upper bone's head
        double lead = sqrt(r * r + behind * u * u) - r;
        double minor = fmax(0.0, 1.0 - lead / (0.15 * r));
        double share = u < 0.0 ? minor / (1.0 + minor) : 1.0 / (1.0 + minor);
        sum += share * 0.5 * k * exp(-k * fabs((double)s - u)) * step;
    }
    return (float)sum + (s > 0.0f ? 0.5f * expf((float)k * (s - 10.0f * (float)r)) : 0.0f);
}

static void a_limb_bends_over_its_own_width(void** state)
{
    (void)state;
    Weighing w = weighing_start(limb, 1, 0.012f);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        GtiWeights weights = weigh(&w, &limb_skeleton, methods[m], 4);
        bool voxel = methods[m] == GT_RIG_WEIGHTS_VOXEL;
        assert_int_equal(weights.voxel_piece_count, voxel);
        for (int32_t i = 0; i < w.body.point_count; ++i) {
            float s = w.body.points[i].y - 0.5f;
            float upper = weight_of(&weights, i, 1);
            if (fabsf(s) < 0.2f) {
                GT_EXPECT_NEAR(upper, warmth(s), voxel ? 0.12 : 0.03);
            } else {
                GT_EXPECT_NEAR(upper, s < 0.0f ? 0.0 : 1.0, 0.01);
            }
        }
    }
    gt_arena_destroy(&w.arena);
}

// Two legs that touch at the shins through a bridge of flesh, and hips above.
static const Capsule legs[] = {
    { { -0.07f, 0.9f, 0.0f }, { 0.07f, 0.9f, 0.0f }, 0.07f },
    { { 0.07f, 0.05f, 0.0f }, { 0.07f, 0.9f, 0.0f }, 0.05f },
    { { -0.07f, 0.05f, 0.0f }, { -0.07f, 0.9f, 0.0f }, 0.05f },
    { { -0.05f, 0.3f, 0.0f }, { 0.05f, 0.3f, 0.0f }, 0.04f },
};
static GtiRigJoint leg_joints[] = {
    { .parent = GT_NONE, .humanoid = GT_NONE, .position = { 0, 0.9f, 0 }, .tip = { 0, 0.95f, 0 } },
    { .parent = 0, .humanoid = GT_NONE, .mirror = 3, .position = { 0.07f, 0.87f, 0 }, .tip = { 0.07f, 0.48f, 0 } },
    { .parent = 1, .humanoid = GT_NONE, .mirror = 4, .position = { 0.07f, 0.48f, 0 }, .tip = { 0.07f, 0.05f, 0 } },
    { .parent = 0, .humanoid = GT_NONE, .mirror = 1, .position = { -0.07f, 0.87f, 0 }, .tip = { -0.07f, 0.48f, 0 } },
    { .parent = 3, .humanoid = GT_NONE, .mirror = 2, .position = { -0.07f, 0.48f, 0 }, .tip = { -0.07f, 0.05f, 0 } },
};
static const GtiRigSkeleton leg_skeleton = { leg_joints, 5 };

static void legs_that_touch_do_not_move_each_other(void** state)
{
    (void)state;
    Weighing w = weighing_start(legs, 4, 0.012f);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        GtiWeights weights = weigh(&w, &leg_skeleton, methods[m], 4);
        int32_t bridge_count = 0;
        for (int32_t i = 0; i < w.body.point_count; ++i) {
            GtVec3 p = w.body.points[i];
            float left = weight_of(&weights, i, 1) + weight_of(&weights, i, 2);
            float right = weight_of(&weights, i, 3) + weight_of(&weights, i, 4);
            if (p.y < 0.7f && fabsf(p.x) > 0.013f) {
                GT_EXPECT_NEAR(p.x > 0.0f ? right : left, 0.0, 0.02);
                bridge_count += fabsf(p.x) < 0.03f;
            }
        }
        assert_true(bridge_count > 20); // the bridge was there
    }
    gt_arena_destroy(&w.arena);
}

// A tail between the thighs: all that it touches is a leg's.
static void a_tail_follows_what_lies_between_the_legs(void** state)
{
    (void)state;
    Capsule tailed[] = { legs[0], legs[1], legs[2], { { 0.0f, 0.75f, -0.02f }, { 0.0f, 0.65f, -0.5f }, 0.03f } };
    Weighing w = weighing_start(tailed, 4, 0.012f);
    GtiWeights weights = weigh(&w, &leg_skeleton, GT_RIG_WEIGHTS_AUTO, 4);
    int32_t tip_count = 0;
    for (int32_t i = 0; i < w.body.point_count; ++i) {
        if (w.body.points[i].z < -0.3f) {
            assert_true(weight_of(&weights, i, 0) > 0.8f);
            ++tip_count;
        }
    }
    assert_true(tip_count > 100);
    gt_arena_destroy(&w.arena);
}

// A broad trunk and an arm that hangs against it, so close that the scan has them as one surface.
static const Capsule trunk[] = {
    { { 0.0f, 0.2f, 0.0f }, { 0.0f, 0.85f, 0.0f }, 0.06f },
    { { -0.06f, 0.2f, 0.0f }, { -0.06f, 0.85f, 0.0f }, 0.06f },
    { { 0.06f, 0.2f, 0.0f }, { 0.06f, 0.85f, 0.0f }, 0.06f },
    { { 0.06f, 0.88f, 0.0f }, { 0.15f, 0.86f, 0.0f }, 0.035f },
    { { 0.15f, 0.35f, 0.0f }, { 0.15f, 0.86f, 0.0f }, 0.032f },
};
static GtiRigJoint trunk_joints[] = {
    { .parent = GT_NONE, .humanoid = GT_NONE, .position = { 0, 0.2f, 0 }, .tip = { 0, 0.5f, 0 } },
    { .parent = 0, .humanoid = GT_NONE, .mirror = 1, .position = { 0, 0.5f, 0 }, .tip = { 0, 0.85f, 0 } },
    { .parent = 1, .humanoid = GT_NONE, .mirror = 2, .position = { 0.15f, 0.85f, 0 }, .tip = { 0.15f, 0.6f, 0 } },
    { .parent = 2, .humanoid = GT_NONE, .mirror = 3, .position = { 0.15f, 0.6f, 0 }, .tip = { 0.15f, 0.35f, 0 } },
};
static const GtiRigSkeleton trunk_skeleton = { trunk_joints, 4 };

static void an_arm_against_the_trunk_stays_an_arm(void** state)
{
    (void)state;
    Weighing w = weighing_start(trunk, 5, 0.012f);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        GtiWeights weights = weigh(&w, &trunk_skeleton, methods[m], 4);
        for (int32_t i = 0; i < w.body.point_count; ++i) {
            GtVec3 p = w.body.points[i];
            float arm = weight_of(&weights, i, 2) + weight_of(&weights, i, 3);
            if (p.y < 0.65f && (p.x < 0.1f || p.x > 0.14f)) {
                GT_EXPECT_NEAR(arm, p.x < 0.1f ? 0.0 : 1.0, 0.05);
            }
        }
    }
    gt_arena_destroy(&w.arena);
}

// A button on the limb, an eye about its joint, and a sleeve around it.
static void islands_ride_on_the_skin(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    Capsule button = { { 0.0f, 0.5f, 0.058f }, { 0.0f, 0.505f, 0.058f }, 0.015f };
    Capsule eye = { { 0.3f, 0.8f, 0.0f }, { 0.3f, 0.805f, 0.0f }, 0.02f };
    Capsule sleeve = { { 0.09f, 0.2f, 0.0f }, { 0.09f, 0.8f, 0.0f }, 0.02f };
    GtiTrimesh meshes[] = {
        capsules_mesh(limb, 1, 0.012f, &arena),
        capsules_mesh(&button, 1, 0.006f, &arena),
        capsules_mesh(&eye, 1, 0.006f, &arena),
        capsules_mesh(&sleeve, 1, 0.008f, &arena),
    };
    GtiPieceKind kinds[] = { GTI_PIECE_SKIN, GTI_PIECE_ISLAND, GTI_PIECE_ISLAND, GTI_PIECE_ISLAND };
    Weighing w = weighing_of(meshes, kinds, 4, arena);
    GtiRigJoint joints[] = {
        limb_joints[0],
        limb_joints[1],
        { .parent = 1, .humanoid = GT_HUMANOID_LEFT_EYE, .position = { 0.3f, 0.8f, 0 }, .tip = { 0.3f, 0.8f, 0.02f } },
    };
    GtiRigSkeleton skeleton = { joints, 3 };
    GtiWeights weights = weigh(&w, &skeleton, GT_RIG_WEIGHTS_AUTO, 4);
    assert_int_equal(weights.rigid_piece_count, 3);
    assert_int_equal(weights.heat_piece_count, 1);
    float first = NAN;
    for (int32_t i = 0; i < w.body.point_count; ++i) {
        if (w.body.pieces[i] == 1) { // moves as a whole, and with both sides of the joint that it lies on
            first = isnan(first) ? weight_of(&weights, i, 1) : first;
            GT_EXPECT_NEAR(weight_of(&weights, i, 1), first, 1e-6);
            GT_EXPECT_NEAR(first, 0.5, 0.25);
        } else if (w.body.pieces[i] == 2) {
            GT_EXPECT_NEAR(weight_of(&weights, i, 2), 1.0, 0.0);
        } else if (w.body.pieces[i] == 3 && fabsf(w.body.points[i].y - 0.5f) > 0.15f) {
            GT_EXPECT_NEAR(weight_of(&weights, i, 1), w.body.points[i].y < 0.5f ? 0.0 : 1.0, 0.03);
        }
    }
    gt_arena_destroy(&w.arena);
}

// One in twenty triangles is missing, and a patch beside the joint.
static void holes_hardly_matter(void** state)
{
    (void)state;
    Weighing whole = weighing_start(limb, 1, 0.012f);
    GtiTrimesh torn_mesh = gti_body_skin(&whole.body);
    torn_mesh.triangles = gt_arena_push(&whole.arena, (size_t)torn_mesh.triangle_count * sizeof *torn_mesh.triangles);
    torn_mesh.triangle_count = 0;
    for (int32_t t = 0; t < whole.body.triangle_count; ++t) {
        const int32_t* corners = whole.body.triangles[t];
        GtVec3 p = whole.body.points[corners[0]];
        if (t % 20 != 7 && gt_vec3_length(gt_vec3_sub(p, gt_vec3(0.0f, 0.55f, 0.05f))) > 0.02f) {
            memcpy(torn_mesh.triangles[torn_mesh.triangle_count++], corners, sizeof torn_mesh.triangles[0]);
        }
    }
    assert_true(torn_mesh.triangle_count < whole.body.triangle_count * 96 / 100);
    const GtiPieceKind skin = GTI_PIECE_SKIN;
    Weighing torn = weighing_of(&torn_mesh, &skin, 1, gt_arena_create(gt_default_allocator()));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        GtiWeights before = weigh(&whole, &limb_skeleton, methods[m], 4);
        GtiWeights after = weigh(&torn, &limb_skeleton, methods[m], 4);
        for (int32_t i = 0; i < torn.body.point_count; ++i) {
            GtVec3 normal = torn.body.normals[i];
            if (normal.x != 0.0f || normal.y != 0.0f) { // is of a triangle still
                GT_EXPECT_NEAR(weight_of(&after, i, 1), weight_of(&before, i, 1), 0.12);
            }
        }
    }
    gt_arena_destroy(&torn.arena);
    gt_arena_destroy(&whole.arena);
}

// More points than are solved on: the proxy's weights, spread, are those of a mesh that is its own proxy.
static void a_dense_mesh_has_the_weights_of_a_coarse_one(void** state)
{
    (void)state;
    Weighing w = weighing_start(limb, 1, 0.0027f);
    assert_true(w.body.point_count > 48000);
    GtiWeights weights = weigh(&w, &limb_skeleton, GT_RIG_WEIGHTS_HEAT, 4);
    for (int32_t i = 0; i < w.body.point_count; ++i) {
        float s = w.body.points[i].y - 0.5f;
        if (i % 16 == 0 && fabsf(s) < 0.2f) {
            GT_EXPECT_NEAR(weight_of(&weights, i, 1), warmth(s), 0.04);
        }
    }
    for (int32_t t = 0; t < w.body.triangle_count; ++t) { // smooth: neighbours are 0.05 radii apart
        const int32_t* v = w.body.triangles[t];
        GT_EXPECT_NEAR(weight_of(&weights, v[0], 1), weight_of(&weights, v[1], 1), 0.08);
    }
    gt_arena_destroy(&w.arena);
}

static void pruning_says_what_it_costs(void** state)
{
    (void)state;
    Weighing w = weighing_start(legs, 4, 0.015f);
    float lost = 1.0f;
    float moved = 1.0f;
    const int32_t limits[] = { 1, 2, 3, 4, 5, 16 };
    for (size_t l = 0; l < sizeof limits / sizeof *limits; ++l) {
        int32_t influences = limits[l];
        GtiWeights weights = weigh(&w, &leg_skeleton, GT_RIG_WEIGHTS_AUTO, influences);
        assert_true(weights.pruned_weight <= lost && weights.pruned_distance <= moved);
        lost = weights.pruned_weight;
        moved = weights.pruned_distance;
        if (influences == 1) { // half of a joint's flesh goes with one side instead of half with each
            assert_true(lost > 0.4f && lost < 0.8f && moved > 0.005f && moved < 0.2f);
        }
        if (influences >= 5) {
            GT_EXPECT_NEAR(lost, 0.0, 0.0);
            GT_EXPECT_NEAR(moved, 0.0, 1e-6);
        }
    }
    GtiWeights rigid = weigh(&w, &leg_skeleton, GT_RIG_WEIGHTS_RIGID, 4);
    for (int32_t i = 0; i < w.body.point_count; ++i) {
        GT_EXPECT_NEAR(rigid.weights[4 * (size_t)i], 1.0, 0.0);
    }
    gt_arena_destroy(&w.arena);
}

// Nine shells in a row about four bones, with gaps between.
static void the_shells_of_a_machine_stay_rigid(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    enum {
        SHELLS = 9
    };
    GtiTrimesh meshes[SHELLS];
    GtiPieceKind kinds[SHELLS];
    for (int s = 0; s < SHELLS; ++s) {
        float y = 0.06f + 0.11f * (float)s;
        Capsule shell = { { 0.0f, y - 0.01f, 0.0f }, { 0.0f, y + 0.01f, 0.0f }, 0.04f };
        meshes[s] = capsules_mesh(&shell, 1, 0.012f, &arena);
        kinds[s] = s % 2 ? GTI_PIECE_SKIN : GTI_PIECE_ISLAND;
    }
    Weighing w = weighing_of(meshes, kinds, SHELLS, arena);
    GtiWeights weights = weigh(&w, &limb_skeleton, GT_RIG_WEIGHTS_AUTO, 4);
    assert_int_equal(weights.rigid_piece_count, SHELLS);
    for (int32_t i = 0; i < w.body.point_count; ++i) {
        int32_t piece = w.body.pieces[i];
        GT_EXPECT_NEAR(weight_of(&weights, i, piece < 4 ? 0 : 1), 1.0, 0.0); // the fifth is a ball about the joint
    }
    gt_arena_destroy(&w.arena);
}

// Eight shells in a row, a sleeve over the joint in the middle and a button on it: a piece that reaches over a joint
// bends there, and what lies on it moves along as a whole.
static void the_clothes_of_a_machine_bend(void** state)
{
    (void)state;
    GtArena arena = gt_arena_create(gt_default_allocator());
    enum {
        SLEEVE = 8,
        BUTTON,
        SHELLS
    };
    static const float places[SHELLS] = { 0.06f, 0.13f, 0.20f, 0.27f, 0.73f, 0.80f, 0.87f, 0.94f, 0.5f, 0.5f };
    GtiTrimesh meshes[SHELLS];
    GtiPieceKind kinds[SHELLS];
    for (int s = 0; s < SHELLS; ++s) {
        float half = s == SLEEVE ? 0.12f : 0.005f;
        Capsule shell = { { 0.0f, places[s] - half, 0.0f }, { 0.0f, places[s] + half, 0.0f }, 0.03f };
        if (s == BUTTON) {
            shell = (Capsule){ { 0.033f, 0.5f, 0.0f }, { 0.036f, 0.5f, 0.0f }, 0.006f };
        }
        meshes[s] = capsules_mesh(&shell, 1, s == BUTTON ? 0.002f : 0.01f, &arena);
        kinds[s] = GTI_PIECE_SKIN;
    }
    Weighing w = weighing_of(meshes, kinds, SHELLS, arena);
    GtiWeights weights = weigh(&w, &limb_skeleton, GT_RIG_WEIGHTS_AUTO, 4);
    assert_int_equal(weights.rigid_piece_count, SHELLS - 1);
    float button = NAN;
    for (int32_t i = 0; i < w.body.point_count; ++i) {
        float s = w.body.points[i].y - 0.5f;
        float upper = weight_of(&weights, i, 1);
        if (w.body.pieces[i] == BUTTON) {
            button = isnan(button) ? upper : button;
            GT_EXPECT_NEAR(upper, 0.5, 0.3);
            GT_EXPECT_NEAR(upper, button, 0.0);
        } else if (w.body.pieces[i] < SLEEVE || fabsf(s) > 0.1f) {
            GT_EXPECT_NEAR(upper, s > 0.0f ? 1.0 : 0.0, 0.03);
        } else if (fabsf(s) < 0.006f) {
            GT_EXPECT_NEAR(upper, 0.5, 0.2);
        }
    }
    gt_arena_destroy(&w.arena);
}

// Loose triangles without order, a point of no triangle, triangles that are a line or a point; bones outside the body,
// of no length, and two roots.
static void broken_bodies_are_weighed_all_the_same(void** state)
{
    (void)state;
    enum {
        TRIANGLES = 300
    };
    static GtVec3 positions[TRIANGLES * 3 + 1];
    static int32_t triangles[TRIANGLES][3];
    TestRandom random = { 5 };
    for (int32_t t = 0; t < TRIANGLES; ++t) {
        GtVec3 p = gt_vec3(test_random_float(&random, -0.1f, 0.1f), test_random_float(&random, 0.0f, 1.0f),
                           test_random_float(&random, -0.1f, 0.1f));
        for (int k = 0; k < 3; ++k) {
            float size = t % 3 ? 0.05f : 0.0f;
            positions[3 * t + k] = t % 3 == 2 ? gt_vec3(p.x, p.y + 0.02f * (float)k, p.z)
                                              : gt_vec3_add(p, test_random_vec3(&random, -size, size));
            triangles[t][k] = 3 * t + k;
        }
    }
    positions[TRIANGLES * 3] = gt_vec3(0.0f, 3.0f, 0.0f);
    GtiTrimesh mesh = { positions, TRIANGLES * 3 + 1, triangles, TRIANGLES };
    const GtiPieceKind skin = GTI_PIECE_SKIN;
    Weighing w = weighing_of(&mesh, &skin, 1, gt_arena_create(gt_default_allocator()));
    GtiRigJoint joints[] = {
        { .parent = GT_NONE, .humanoid = GT_NONE, .position = { 0, 0.2f, 0 }, .tip = { 0, 0.2f, 0 } },
        { .parent = 0, .humanoid = GT_NONE, .mirror = 1, .position = { 0, 0.2f, 0 }, .tip = { 5, 5, 5 } },
        { .parent = GT_NONE, .humanoid = GT_NONE, .mirror = 2, .position = { -9, 0, 0 }, .tip = { -9, 0, 1 } },
    };
    GtiRigSkeleton skeleton = { joints, 3 };
    for (int method = GT_RIG_WEIGHTS_AUTO; method <= GT_RIG_WEIGHTS_RIGID; ++method) {
        weigh(&w, &skeleton, (GtRigWeights)method, 4);
        w.body.kinds[0] = GTI_PIECE_ISLAND; // no skin: islands take its place
        GtiWeights weights = weigh(&w, &skeleton, (GtRigWeights)method, 4);
        assert_int_equal(weights.heat_piece_count + weights.voxel_piece_count, 1);
        w.body.kinds[0] = GTI_PIECE_SKIN;
    }
    gt_arena_destroy(&w.arena);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    Weighing w = weighing_start(legs, 4, 0.02f);
    GtiWeights one = weigh(&w, &leg_skeleton, GT_RIG_WEIGHTS_AUTO, 4);
    GtError error;
    GtThreadPool* pool;
    GT_EXPECT_OK(gt_thread_pool_create(w.context.allocator, 3, &pool, &error));
    w.context.executor = gt_thread_pool_executor(pool);
    GtiWeights three = weigh(&w, &leg_skeleton, GT_RIG_WEIGHTS_AUTO, 4);
    gt_thread_pool_destroy(pool);
    size_t count = (size_t)w.body.point_count * 4;
    assert_memory_equal(one.weights, three.weights, count * sizeof *one.weights);
    assert_memory_equal(one.joints, three.joints, count * sizeof *one.joints);
    gt_arena_destroy(&w.arena);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtArena kept = gt_arena_create(context.allocator);
    Capsule button = { { 0.0f, 0.5f, 0.058f }, { 0.0f, 0.505f, 0.058f }, 0.015f };
    GtiTrimesh meshes[] = { capsules_mesh(limb, 1, 0.03f, &kept), capsules_mesh(&button, 1, 0.01f, &kept) };
    GtiRigBody body = body_of(meshes, (GtiPieceKind[]){ GTI_PIECE_SKIN, GTI_PIECE_ISLAND }, 2, &kept);
    GtiSolid solid = solid_of(&body, &kept);
    bool made = false;
    for (int64_t allowed = 0; !made; ++allowed) {
        assert_true(allowed < 200);
        TestAllocator allocator = { .remaining = allowed };
        context.allocator = test_allocator(&allocator);
        GtArena arena = gt_arena_create(context.allocator);
        GtiWeights weights;
        GtResult result = gti_weights_make(&context, &body, &solid, &limb_skeleton, GT_RIG_WEIGHTS_VOXEL, 4, &arena,
                                           &weights, &error);
        made = result == GT_OK;
        assert_true(made || result == GT_ERROR_OUT_OF_MEMORY);
        gt_arena_destroy(&arena);
        assert_int_equal(allocator.alive, 0);
    }
    gt_arena_destroy(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limb_bends_over_its_own_width),
        cmocka_unit_test(legs_that_touch_do_not_move_each_other),
        cmocka_unit_test(a_tail_follows_what_lies_between_the_legs),
        cmocka_unit_test(an_arm_against_the_trunk_stays_an_arm),
        cmocka_unit_test(islands_ride_on_the_skin),
        cmocka_unit_test(holes_hardly_matter),
        cmocka_unit_test(a_dense_mesh_has_the_weights_of_a_coarse_one),
        cmocka_unit_test(pruning_says_what_it_costs),
        cmocka_unit_test(the_shells_of_a_machine_stay_rigid),
        cmocka_unit_test(the_clothes_of_a_machine_bend),
        cmocka_unit_test(broken_bodies_are_weighed_all_the_same),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
