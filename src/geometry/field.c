// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "geometry/field.h"

enum {
    MAX_NEWTON_STEPS = 6
};

GtVec3 gti_field_gradient(const GtiField* field, GtVec3 p, float step)
{
    float a = gti_field_value(field, gt_vec3(p.x + step, p.y - step, p.z - step));
    float b = gti_field_value(field, gt_vec3(p.x - step, p.y - step, p.z + step));
    float c = gti_field_value(field, gt_vec3(p.x - step, p.y + step, p.z - step));
    float d = gti_field_value(field, gt_vec3(p.x + step, p.y + step, p.z + step));
    return gt_vec3_scale(gt_vec3(a - b - c + d, -a - b + c + d, -a + b - c + d), 0.25f / step);
}

GtVec3 gti_field_project(const GtiField* field, GtVec3 p, float tolerance, float reach, GtVec3* gradient)
{
    GtVec3 start = p;
    float value = field->slope(field->user, p, gradient);
    for (int i = 0; i < MAX_NEWTON_STEPS && fabsf(value) > tolerance; ++i) {
        float square = gt_vec3_dot(*gradient, *gradient);
        if (!(square > 1e-4f)) {
            return p;
        }
        GtVec3 next = gt_vec3_sub(p, gt_vec3_scale(*gradient, value / square));
        GtVec3 way = gt_vec3_sub(next, start);
        float length = gt_vec3_length(way);
        if (length > reach) {
            next = gt_vec3_add(start, gt_vec3_scale(way, reach / length));
        }
        GtVec3 next_gradient;
        float next_value = field->slope(field->user, next, &next_gradient);
        if (!(fabsf(next_value) < fabsf(value))) {
            return p;
        }
        value = next_value;
        *gradient = next_gradient;
        p = next;
    }
    return p;
}
