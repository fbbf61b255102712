// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Differences added to poses, in plain C: the specification of the wide kernels.

#include "runtime/blend/blend.h"

// From the identity towards a rotation, backwards for a negative weight.
static GtQuat part_of(GtQuat q, float weight)
{
    float sign = q.w < 0.0f ? -weight : weight;
    return gt_quat_normalize(gt_quat(sign * q.x, sign * q.y, sign * q.z, 1.0f + fabsf(weight) * (fabsf(q.w) - 1.0f)));
}

void gti_add_scalar(const GtBlendLayer* layer, int32_t first, int32_t end, GtTransform* out)
{
    for (int32_t i = first; i < end; ++i) {
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
