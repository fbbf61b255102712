// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Poses mixed, in plain C, four components at a time: the specification of the wide kernels, and what goes on top.

#include "runtime/blend/blend.h"

#include "runtime/kernels.h"
#include "runtime/lanes/lane_plain.h"

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
    Lane two = lane_add(p, (Lane){ p[2], p[3], p[0], p[1] });
    return two[0] + two[1];
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

static GtTransform blend_joint(const GtBlendJob* job, int32_t joint)
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

// Likewise, where no layer has a mask.
static GtTransform blend_joint_evenly(const GtiBlendPlan* plan, int32_t joint)
{
    Sum sum = { .reference = lane_load(&plan->parts[0].pose[joint].rotation.x) };
    for (int32_t k = 0; k < plan->count; ++k) {
        add(&sum, &plan->parts[k].pose[joint], plan->parts[k].weight);
    }
    return mean(&sum, &plan->rest[joint]);
}

void gti_blend_scalar(const GtBlendJob* job, int32_t first, int32_t end)
{
    GtiBlendPlan plan;
    bool even = gti_blend_plan(job, &plan) && !plan.masked;
    for (int32_t i = first; i < end; ++i) {
        job->out[i] = even ? blend_joint_evenly(&plan, i) : blend_joint(job, i);
    }
}

static void normalize(GtiBlendPlan* plan, int32_t heaviest, float total)
{
    float share = 1.0f / total;
    for (int32_t k = 0; k < plan->count; ++k) {
        plan->parts[k].weight *= share;
    }
    GtiBlendPart first = plan->parts[heaviest];
    plan->parts[heaviest] = plan->parts[0];
    plan->parts[0] = first;
}

bool gti_blend_plan(const GtBlendJob* job, GtiBlendPlan* out)
{
    float total = 0.0f;
    float most = 0.0f;
    int32_t heaviest = 0;
    int32_t count = 0;
    bool masked = false;
    for (int32_t k = 0; k < job->layer_count; ++k) {
        const GtBlendLayer* layer = &job->layers[k];
        if (!gti_blend_takes_part(layer)) {
            continue;
        }
        if (count == GTI_MAX_BLEND_PARTS - 1) { // rest may come on top
            return false;
        }
        heaviest = layer->weight > most ? count : heaviest;
        most = layer->weight > most ? layer->weight : most;
        total += layer->weight;
        masked = masked || layer->mask;
        out->parts[count++] = (GtiBlendPart){ layer->pose, layer->mask, layer->weight };
    }
    if (!masked && job->threshold > total) {
        out->parts[count++] = (GtiBlendPart){ job->rest, NULL, job->threshold - total };
        total = job->threshold;
    }
    out->count = count;
    out->masked = masked;
    out->threshold = job->threshold;
    out->rest = job->rest;
    if (!masked && count) {
        normalize(out, heaviest, total);
    }
    return count > 0;
}

void gt_blend(const GtBlendJob* job)
{
    const GtiKernels* kernels = gti_kernels();
    kernels->blend(job, 0, job->node_count);
    for (int32_t k = 0; k < job->additive_count; ++k) {
        if (job->additive[k].weight != 0.0f && fabsf(job->additive[k].weight) <= 1e18f) { // not NaN either
            kernels->blend_add(&job->additive[k], 0, job->node_count, job->out);
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
