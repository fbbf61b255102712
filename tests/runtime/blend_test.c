// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blends against double precision written out plainly, at every processor level, on odd counts, over poisoned output.

#include "support/test.h"

#include "gertie/simd.h"

#include "runtime/kernels.h"

enum {
    MAX_NODES = 67,
    MAX_LAYERS = 9
};

typedef struct Scene {
    GtTransform poses[MAX_LAYERS][MAX_NODES];
    float masks[MAX_LAYERS][MAX_NODES];
    GtTransform rest[MAX_NODES];
    GtBlendLayer layers[MAX_LAYERS];
    GtTransform out[MAX_NODES];
    uint32_t seed;
} Scene;

static float chance(Scene* s) // -1 to 1
{
    s->seed = s->seed * 1664525u + 1013904223u;
    return (float)(s->seed >> 8) / 8388608.0f - 1.0f;
}

static GtTransform any_transform(Scene* s, float spread)
{
    GtQuat q = gt_quat_normalize(gt_quat(spread * chance(s), spread * chance(s), spread * chance(s), 1.0f));
    float sign = chance(s) < 0.0f ? -1.0f : 1.0f;
    return gt_transform(gt_vec3(chance(s), chance(s), chance(s)),
                        gt_quat(sign * q.x, sign * q.y, sign * q.z, sign * q.w),
                        gt_vec3(1.0f + 0.5f * chance(s), 1.0f + 0.5f * chance(s), 1.0f + 0.5f * chance(s)));
}

// Half the layers have masks; rotations lie within a turn of each other that leaves no doubt about their sides.
static GtBlendJob make_scene(Scene* s, int32_t node_count, int32_t layer_count, bool masked, uint32_t seed)
{
    s->seed = seed;
    for (int32_t i = 0; i < node_count; ++i) {
        s->rest[i] = any_transform(s, 0.3f);
        for (int32_t k = 0; k < layer_count; ++k) {
            s->poses[k][i] = any_transform(s, 0.4f);
            s->masks[k][i] = fmaxf(0.0f, chance(s));
        }
    }
    for (int32_t k = 0; k < layer_count; ++k) {
        s->layers[k] = (GtBlendLayer){ s->poses[k], 0.55f + 0.5f * chance(s), masked && k % 2 ? s->masks[k] : NULL };
    }
    GtBlendJob job = gt_default_blend_job();
    job.node_count = node_count;
    job.rest = s->rest;
    job.layers = s->layers;
    job.layer_count = layer_count;
    job.out = s->out;
    return job;
}

static void add_exactly(double sum[11], GtQuat reference, const GtTransform* t, double w)
{
    for (int c = 0; c < 4; ++c) {
        sum[3 + c] += (gt_quat_dot(reference, t->rotation) < 0 ? -w : w) * (double)(&t->rotation.x)[c];
    }
    for (int c = 0; c < 3; ++c) {
        sum[c] += w * (double)(&t->translation.x)[c];
        sum[7 + c] += w * (double)(&t->scale.x)[c];
    }
    sum[10] += w;
}

static void expect_exact(const GtBlendJob* job)
{
    for (int32_t i = 0; i < job->node_count; ++i) {
        double sum[11] = { 0 };
        double weights[MAX_LAYERS];
        double heaviest = 0;
        GtQuat side = job->rest[i].rotation;
        for (int32_t k = 0; k < job->layer_count; ++k) {
            const GtBlendLayer* l = &job->layers[k];
            weights[k] = (double)l->weight * (l->mask ? (double)l->mask[i] : 1.0);
            side = weights[k] > heaviest ? l->pose[i].rotation : side;
            heaviest = fmax(heaviest, weights[k]);
        }
        for (int32_t k = 0; k < job->layer_count; ++k) {
            add_exactly(sum, side, &job->layers[k].pose[i], weights[k]);
        }
        if (sum[10] < (double)job->threshold) {
            add_exactly(sum, side, &job->rest[i], (double)job->threshold - sum[10]);
        }
        double length = sqrt(sum[3] * sum[3] + sum[4] * sum[4] + sum[5] * sum[5] + sum[6] * sum[6]);
        const GtTransform* out = &job->out[i];
        for (int c = 0; c < 3; ++c) {
            GT_EXPECT_NEAR((&out->translation.x)[c], sum[c] / sum[10], 2e-6);
            GT_EXPECT_NEAR((&out->scale.x)[c], sum[7 + c] / sum[10], 2e-6);
        }
        for (int c = 0; c < 4; ++c) {
            GT_EXPECT_NEAR((&out->rotation.x)[c], sum[3 + c] / length, 2e-6);
        }
        GT_EXPECT_NEAR(out->pad0, 0, 0);
        GT_EXPECT_NEAR(out->pad1, 0, 0);
    }
}

static void test_every_level(void** state)
{
    (void)state;
    static Scene s;
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        const GtiKernels* kernels = gti_kernels_at((GtSimdLevel)level);
        for (int32_t nodes = 1; nodes <= MAX_NODES; nodes += nodes < 10 ? 1 : 19) {
            for (int32_t layers = 0; layers <= MAX_LAYERS; layers += 3) {
                for (int masked = 0; masked < 2; ++masked) {
                    GtBlendJob job = make_scene(&s, nodes, layers, masked, (uint32_t)(nodes * 100 + layers));
                    if (layers == 3) { // too little weight: rest fills up
                        for (int32_t k = 0; k < layers; ++k) {
                            s.layers[k].weight *= 0.02f;
                        }
                    }
                    memset(s.out, 0xCD, sizeof s.out);
                    kernels->blend(&job, 0, nodes);
                    expect_exact(&job);
                    for (size_t b = (size_t)nodes * sizeof(GtTransform); b < sizeof s.out; ++b) {
                        assert_int_equal(((unsigned char*)s.out)[b], 0xCD); // nothing beyond the last joint
                    }
                }
            }
        }
    }
}

// In place, and of layers that take no part.
static void test_in_place(void** state)
{
    (void)state;
    static Scene s, copy;
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        GtBlendJob job = make_scene(&s, MAX_NODES, 4, true, 5);
        copy = s;
        GtBlendJob wanted = job;
        wanted.layers = copy.layers;
        for (int k = 0; k < 4; ++k) {
            copy.layers[k].pose = copy.poses[k];
        }
        wanted.out = copy.out;
        gti_kernels_at((GtSimdLevel)level)->blend(&wanted, 0, MAX_NODES);
        GtBlendLayer six[6] = { s.layers[0], { NULL, 0.0f, NULL },      s.layers[1],
                                s.layers[2], { NULL, NAN, s.masks[0] }, s.layers[3] };
        job.layers = six;
        job.layer_count = 6;
        job.out = s.poses[2];
        gti_kernels_at((GtSimdLevel)level)->blend(&job, 0, MAX_NODES);
        assert_memory_equal(s.poses[2], copy.out, sizeof copy.out);
    }
}

// Of two rotations the blend is on the way of their slerp, whatever their signs; half and half is its middle.
static void test_two(void** state)
{
    (void)state;
    static Scene s;
    GtBlendJob job = make_scene(&s, MAX_NODES, 2, false, 11);
    s.layers[0].weight = s.layers[1].weight = 0.5f;
    gt_blend(&job);
    for (int i = 0; i < MAX_NODES; ++i) {
        GtQuat middle = gt_quat_slerp(s.poses[0][i].rotation, s.poses[1][i].rotation, 0.5f);
        GT_EXPECT_NEAR(gt_quat_angle_rad(s.out[i].rotation, middle), 0, 1e-6);
    }
}

static void test_degenerate(void** state)
{
    (void)state;
    static Scene s;
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        GtBlendJob job = make_scene(&s, 6, 2, true, 3);
        job.threshold = 0.0f;
        s.layers[0].weight = 0.0f;
        s.masks[1][2] = 0.0f;
        s.masks[1][3] = NAN;
        s.masks[1][4] = -1.0f;
        s.masks[1][5] = 1.0f;
        gt_blend(&job);
        assert_memory_equal(&s.out[2], &s.rest[2], sizeof(GtTransform)); // no weight at all
        assert_memory_equal(&s.out[3], &s.rest[3], sizeof(GtTransform));
        assert_memory_equal(&s.out[4], &s.rest[4], sizeof(GtTransform));
        GT_EXPECT_NEAR(s.out[5].translation.x, s.poses[1][5].translation.x, 1e-6);
        // Nothing that could give a rotation, and nothing that is one.
        job = make_scene(&s, 6, 2, false, 3);
        s.poses[0][1].rotation = s.poses[1][1].rotation = gt_quat(0, 0, 0, 0);
        s.poses[0][4].rotation = gt_quat(NAN, 0, 0, 1);
        gt_blend(&job);
        GT_EXPECT_NEAR(gt_quat_angle_rad(s.out[1].rotation, s.rest[1].rotation), 0, 1e-6);
        GT_EXPECT_NEAR(gt_quat_angle_rad(s.out[4].rotation, s.rest[4].rotation), 0, 1e-6);
        GT_EXPECT_NEAR(
            s.out[1].translation.y,
            (s.poses[0][1].translation.y * s.layers[0].weight + s.poses[1][1].translation.y * s.layers[1].weight) /
                (s.layers[0].weight + s.layers[1].weight),
            1e-6);
    }
}

static void test_additive(void** state)
{
    (void)state;
    static Scene s;
    GtBlendJob job = make_scene(&s, 5, 1, false, 21);
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), 0.6f);
    GtTransform d[5];
    for (int i = 0; i < 5; ++i) {
        d[i] = gt_transform(gt_vec3(1, 2, 3), i % 2 ? gt_quat(-turn.x, -turn.y, -turn.z, -turn.w) : turn,
                            gt_vec3(2, 1, 0.5f));
    }
    static const float mask[5] = { 1, 1, 1, 1, 0 };
    GtBlendLayer additive[3] = { { d, 1.0f, mask }, { d, 0.5f, mask }, { d, NAN, NULL } };
    job.additive = additive;
    job.additive_count = 1;
    gt_blend(&job);
    for (int i = 0; i < 4; ++i) {
        GtTransform p = s.poses[0][i];
        GT_EXPECT_NEAR(s.out[i].translation.y, p.translation.y + 2, 1e-6);
        GT_EXPECT_NEAR(s.out[i].scale.x, p.scale.x * 2, 1e-6);
        GT_EXPECT_NEAR(s.out[i].scale.z, p.scale.z * 0.5, 1e-6);
        GT_EXPECT_NEAR(gt_quat_angle_rad(s.out[i].rotation, gt_quat_mul(p.rotation, turn)), 0, 1e-6);
    }
    GT_EXPECT_NEAR(s.out[4].translation.x, s.poses[0][4].translation.x, 1e-6);
    // Half of it twice is not all of it, but half of it and back is nothing.
    job.additive_count = 3;
    additive[0].weight = -0.5f;
    gt_blend(&job);
    for (int i = 0; i < 4; ++i) {
        GT_EXPECT_NEAR(s.out[i].translation.y, s.poses[0][i].translation.y, 1e-6);
        GT_EXPECT_NEAR(gt_quat_angle_rad(s.out[i].rotation, s.poses[0][i].rotation), 0, 1e-6);
    }
}

static void multiply_exactly(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void expect_added(const GtTransform* from, const GtTransform* d, double w, const GtTransform* out)
{
    double a[4], part[4], q[4];
    for (int c = 0; c < 4; ++c) {
        a[c] = (double)(&from->rotation.x)[c];
        part[c] = (d->rotation.w < 0.0f ? -w : w) * (double)(&d->rotation.x)[c];
    }
    part[3] = 1.0 + fabs(w) * (fabs((double)d->rotation.w) - 1.0);
    multiply_exactly(a, part, q);
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int c = 0; c < 4; ++c) {
        GT_EXPECT_NEAR((&out->rotation.x)[c], q[c] / length, 1e-6);
    }
    for (int c = 0; c < 3; ++c) {
        double scale = (double)(&from->scale.x)[c] * (1.0 + w * ((double)(&d->scale.x)[c] - 1.0));
        GT_EXPECT_NEAR((&out->translation.x)[c], (&from->translation.x)[c] + w * (double)(&d->translation.x)[c], 1e-6);
        GT_EXPECT_NEAR((&out->scale.x)[c], scale, 1e-6);
    }
    GT_EXPECT_NEAR(out->pad0, 0, 0);
    GT_EXPECT_NEAR(out->pad1, 0, 0);
}

static void test_additive_at_every_level(void** state)
{
    (void)state;
    static Scene s;
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        for (int32_t nodes = 1; nodes <= MAX_NODES; nodes += nodes < 10 ? 3 : 19) {
            for (int masked = 0; masked < 2; ++masked) {
                make_scene(&s, nodes, 2, false, (uint32_t)(nodes + 7));
                s.poses[1][0].scale = gt_vec3(0, 0, 0);
                s.masks[1][0] = NAN;
                memset(s.out, 0xCD, sizeof s.out);
                memcpy(s.out, s.poses[0], (size_t)nodes * sizeof(GtTransform));
                GtBlendLayer layer = { s.poses[1], masked ? 0.7f : -0.4f, masked ? s.masks[1] : NULL };
                gti_kernels_at((GtSimdLevel)level)->blend_add(&layer, 0, nodes, s.out);
                for (int32_t i = 0; i < nodes; ++i) {
                    double mask = masked ? (i == 0 ? 0.0 : (double)s.masks[1][i]) : 1.0;
                    expect_added(&s.poses[0][i], &s.poses[1][i], (double)layer.weight * mask, &s.out[i]);
                }
                for (size_t b = (size_t)nodes * sizeof(GtTransform); b < sizeof s.out; ++b) {
                    assert_int_equal(((unsigned char*)s.out)[b], 0xCD);
                }
            }
        }
        // Without a direction: a difference of none turns nothing, and none turned by anything is the identity.
        make_scene(&s, 9, 2, false, 4);
        s.poses[1][1].rotation = gt_quat(0, 0, 0, 0);
        s.poses[0][8].rotation = gt_quat(NAN, 0, 0, 1);
        memcpy(s.out, s.poses[0], sizeof s.out);
        gti_kernels_at((GtSimdLevel)level)->blend_add(&(GtBlendLayer){ s.poses[1], 1.0f, NULL }, 0, 9, s.out);
        GT_EXPECT_NEAR(gt_quat_angle_rad(s.out[1].rotation, s.poses[0][1].rotation), 0, 1e-6);
        GT_EXPECT_NEAR(s.out[8].rotation.w, 1, 0);
        expect_added(&s.poses[0][2], &s.poses[1][2], 1.0, &s.out[2]);
    }
}

static void test_crossfade(void** state)
{
    (void)state;
    float weights[3] = { 1, 0, 0 };
    for (int i = 0; i < 10; ++i) { // half of the way to 1, then to 2 instead
        gt_crossfade_step(weights, 3, 1, 0.05, 1.0);
        GT_EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1, 1e-6);
    }
    GT_EXPECT_NEAR(weights[1], 0.5, 1e-6);
    for (int i = 0; i < 20; ++i) {
        gt_crossfade_step(weights, 3, 2, 0.05, 1.0);
        GT_EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1, 1e-6);
        assert_true(weights[2] <= 1.0f && weights[0] >= 0.0f);
    }
    GT_EXPECT_NEAR(weights[2], 1, 1e-5);
    gt_crossfade_step(weights, 3, 0, NAN, 1.0);
    GT_EXPECT_NEAR(weights[0], 0, 1e-5);
    gt_crossfade_step(weights, 3, 0, 0.1, 0.0);
    GT_EXPECT_NEAR(weights[0], 1, 0);
    GT_EXPECT_NEAR(weights[2], 0, 0);
    GT_EXPECT_NEAR(gt_crossfade_share((GtEase){ 0.5f, 0.5f }, 2, 4, 3), 0.125, 1e-6);
    GT_EXPECT_NEAR(gt_crossfade_share((GtEase){ 0, 0 }, 2, 0, 1.9), 0, 0);
    GT_EXPECT_NEAR(gt_crossfade_share((GtEase){ 0, 0 }, 2, 0, 2), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_level), cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_two),         cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_additive),    cmocka_unit_test(test_additive_at_every_level),
        cmocka_unit_test(test_crossfade),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
