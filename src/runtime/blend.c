// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Poses mixed, in plain C, four components at a time: the specification of the wide kernels, and what goes on top.

#include "runtime/blend.h"

#include "runtime/lane_plain.h"

static const GtiBlendKernel kernels[GT_SIMD_LEVEL_COUNT] = {
    [GT_SIMD_SCALAR] = gti_blend_scalar,
#if defined(__x86_64__)
    [GT_SIMD_AVX2] = gti_blend_avx2,
#endif
};

GtiBlendKernel gti_blend_kernel_at(GtSimdLevel level)
{
    int i = (int)level;
    while (!kernels[i]) {
        --i;
    }
    return kernels[i];
}

GtBlendJob gt_default_blend_job(void)
{
    return (GtBlendJob){ .threshold = 0.1f };
}

// A weighted sum of transforms as they lie in memory, rotations on the side of `reference`.
typedef struct Sum {
    Lane reference;
    Lane translation; // and padding, which stays 0
    Lane rotation;
    Lane scale;
    float weight;
} Sum;

static float dot(Lane a, Lane b)
{
    Lane p = lane_mul(a, b);
    return (p[0] + p[1]) + (p[2] + p[3]);
}

static void add(Sum* sum, const GtTransform* t, float weight)
{
    Lane rotation = lane_load(&t->rotation.x);
    float turned = dot(sum->reference, rotation) < 0.0f ? -weight : weight;
    sum->translation = lane_mul_add(lane_load(&t->translation.x), lane_set(weight), sum->translation);
    sum->rotation = lane_mul_add(rotation, lane_set(turned), sum->rotation);
    sum->scale = lane_mul_add(lane_load(&t->scale.x), lane_set(weight), sum->scale);
    sum->weight += weight;
}

static GtTransform mean(const Sum* sum, const GtTransform* rest)
{
    GtTransform out = *rest;
    if (sum->weight > 0.0f) {
        Lane share = lane_set(1.0f / sum->weight);
        float square = dot(sum->rotation, sum->rotation);
        lane_store(&out.translation.x, lane_mul(sum->translation, share));
        lane_store(&out.scale.x, lane_mul(sum->scale, share));
        if (square > GTI_BLEND_CANCELLED * sum->weight * sum->weight) {
            lane_store(&out.rotation.x, lane_mul(sum->rotation, lane_set(1.0f / sqrtf(square))));
        }
    }
    return out;
}

// 0 where a layer takes no part in a joint.
static float weight_at(const GtBlendLayer* layer, int32_t joint)
{
    if (!gti_blend_takes_part(layer)) {
        return 0.0f;
    }
    float mask = layer->mask ? layer->mask[joint] : 1.0f;
    return mask > 0.0f ? layer->weight * mask : 0.0f;
}

GtTransform gti_blend_joint(const GtBlendJob* job, int32_t joint)
{
    const GtTransform* rest = &job->rest[joint];
    Sum sum = { .reference = lane_load(&rest->rotation.x) };
    float heaviest = 0.0f;
    for (int32_t k = 0; k < job->layer_count; ++k) {
        float weight = weight_at(&job->layers[k], joint);
        if (weight > heaviest) {
            heaviest = weight;
            sum.reference = lane_load(&job->layers[k].pose[joint].rotation.x);
        }
    }
    for (int32_t k = 0; k < job->layer_count; ++k) {
        float weight = weight_at(&job->layers[k], joint);
        if (weight > 0.0f) {
            add(&sum, &job->layers[k].pose[joint], weight);
        }
    }
    if (job->threshold > sum.weight) {
        add(&sum, rest, job->threshold - sum.weight);
    }
    return mean(&sum, rest);
}

void gti_blend_scalar(const GtBlendJob* job, int32_t first, int32_t end)
{
    for (int32_t i = first; i < end; ++i) {
        job->out[i] = gti_blend_joint(job, i);
    }
}

// From the identity towards a rotation, backwards for a negative weight.
static GtQuat part_of(GtQuat q, float weight)
{
    float sign = q.w < 0.0f ? -weight : weight;
    return gt_quat_normalize(gt_quat(sign * q.x, sign * q.y, sign * q.z, 1.0f + fabsf(weight) * (fabsf(q.w) - 1.0f)));
}

static void add_difference(const GtBlendLayer* layer, int32_t node_count, GtTransform* out)
{
    for (int32_t i = 0; i < node_count; ++i) {
        float mask = layer->mask ? (layer->mask[i] > 0.0f ? layer->mask[i] : 0.0f) : 1.0f;
        float weight = layer->weight * mask;
        const GtTransform* d = &layer->pose[i];
        GtVec3 scale = gt_vec3(1.0f + weight * (d->scale.x - 1.0f), 1.0f + weight * (d->scale.y - 1.0f),
                               1.0f + weight * (d->scale.z - 1.0f));
        out[i].translation = gt_vec3_add(out[i].translation, gt_vec3_scale(d->translation, weight));
        out[i].rotation = gt_quat_normalize(gt_quat_mul(out[i].rotation, part_of(d->rotation, weight)));
        out[i].scale = gt_vec3_mul(out[i].scale, scale);
    }
}

void gt_blend(const GtBlendJob* job)
{
    gti_blend_kernel_at(gt_simd_level())(job, 0, job->node_count);
    for (int32_t k = 0; k < job->additive_count; ++k) {
        if (job->additive[k].weight != 0.0f && fabsf(job->additive[k].weight) <= 1e18f) { // not NaN either
            add_difference(&job->additive[k], job->node_count, job->out);
        }
    }
}

void gt_crossfade_step(float* weights, int32_t count, int32_t target, double step_s, double duration_s)
{
    if (!(step_s > 0.0)) {
        return;
    }
    double left = 0.0; // of what the others have, and what the target lacks
    for (int32_t i = 0; i < count; ++i) {
        left = fmax(left, i == target ? 1.0 - (double)weights[i] : (double)weights[i]);
    }
    double move = duration_s > 0.0 ? step_s / duration_s : 1.0;
    double keep = left > move ? (left - move) / left : 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double goal = i == target ? 1.0 : 0.0;
        weights[i] = (float)(goal + keep * ((double)weights[i] - goal));
    }
}

float gt_crossfade_share(GtEase ease, double start_s, double duration_s, double time_s)
{
    double share = duration_s > 0.0 ? (time_s - start_s) / duration_s : (time_s >= start_s ? 1.0 : 0.0);
    return gt_ease(ease, (float)share);
}
