// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cutting, joining, and other clocks.

#include "motion/take/take.h"

#include <math.h>

static const double frame_tolerance = 1e-3; // of a frame: what rates in files are rounded to
static const double least_speed = 1e-3;
static const double most_speed = 1e3;

GtResult gt_take_cut(const GtContext* context, const GtTake* take, double from_s, double to_s, GtTake** out,
                     GtError* error)
{
    *out = NULL;
    double duration_s = gt_take_duration_s(take);
    double first = ceil(fmax(from_s, 0.0) * take->rate_hz - frame_tolerance);
    double last = floor(fmin(to_s, duration_s) * take->rate_hz + frame_tolerance);
    if (!(from_s <= duration_s)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the motion lasts %g s: there is nothing after %g s", duration_s,
                        from_s);
    }
    if (!(to_s >= 0.0 && first <= last)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "no frame of the motion lies between %g s and %g s", from_s, to_s);
    }
    GtResult result = gti_take_make(context, take, (int64_t)(last - first) + 1, out, error);
    if (result == GT_OK && take->rate_hz > 0.0) {
        (*out)->start_s += first / take->rate_hz;
    }
    for (int32_t f = 0; result == GT_OK && f < (*out)->frame_count; ++f) {
        gti_take_copy_frame(take, (int32_t)first + f, *out, f);
    }
    return result;
}

GtJoinDef gt_default_join_def(void)
{
    return (GtJoinDef){ .fade_s = 0.2 };
}

static double heading_of(const GtTake* take, int32_t frame)
{
    GtQuat parent = gt_mat34_polar(&take->model_from_root_parent, NULL);
    GtQuat q = gt_quat_mul(parent, gti_take_pose(take, frame)[take->root].rotation);
    return 2.0 * atan2((double)q.y, (double)q.w); // the twist about the vertical
}

// Move and turn frames from `first_frame` on so that the first is where `anchor` of another take is.
static void follow(GtTake* take, const GtTake* before, int32_t anchor)
{
    GtVec3 here = gti_take_root_place(take, 0);
    GtVec3 way = gt_vec3_sub(gti_take_root_place(before, anchor), here);
    way.y = 0.0f;
    float turn_rad = (float)(heading_of(before, anchor) - heading_of(take, 0));
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), turn_rad);
    for (int32_t f = 0; f < take->frame_count; ++f) {
        gti_take_move_root(take, f, turn, here, way);
    }
}

static GtResult check_join(const GtTake* first, const GtTake* second, const GtJoinDef* def, GtError* error)
{
    if (first->node_count != second->node_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "takes of %d and %d nodes cannot be joined", (int)first->node_count,
                        (int)second->node_count);
    }
    if (!(def->fade_s >= 0.0 && isfinite(def->fade_s))) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a cross-fade of %g s is out of range", def->fade_s);
    }
    return GT_OK;
}

// The second take with the rate and the weights of the first, so that frames fit.
static GtResult fit_second(const GtContext* context, const GtTake* first, const GtTake* second, double rate_hz,
                           GtTake** out, GtError* error)
{
    double frames = second->rate_hz > 0.0 ? floor(gt_take_duration_s(second) * rate_hz + frame_tolerance) + 1.0 : 1.0;
    GtTake like = *first;
    like.rate_hz = rate_hz;
    GtResult result = gti_take_make(context, &like, (int64_t)fmin(frames, 1e15), out, error);
    GtTake view = *second; // weights that the first does not have are left out, those it has are 0
    view.weight_count = second->weight_count == first->weight_count ? first->weight_count : 0;
    for (int32_t f = 0; result == GT_OK && f < (*out)->frame_count; ++f) {
        int32_t weight_count = (*out)->weight_count;
        (*out)->weight_count = view.weight_count;
        gti_take_sample(&view, f * second->rate_hz / rate_hz, *out, f);
        (*out)->weight_count = weight_count;
    }
    return result;
}

GtResult gt_take_join(const GtContext* context, const GtTake* first, const GtTake* second, const GtJoinDef* def,
                      GtTake** out, GtError* error)
{
    def = def ? def : (GtJoinDef[]){ gt_default_join_def() };
    *out = NULL;
    GtResult result = check_join(first, second, def, error);
    if (result != GT_OK) {
        return result;
    }
    double rate_hz = first->rate_hz > 0.0 ? first->rate_hz : second->rate_hz > 0.0 ? second->rate_hz : 30.0;
    GtTake* next = NULL;
    result = fit_second(context, first, second, rate_hz, &next, error);
    if (result != GT_OK) {
        return result;
    }
    int32_t shorter = first->frame_count < next->frame_count ? first->frame_count : next->frame_count;
    int32_t overlap = (int32_t)fmin(round(def->fade_s * rate_hz) + 1.0, shorter);
    int64_t count = (int64_t)first->frame_count + next->frame_count - overlap;
    result = gti_take_make(context, first, count, out, error);
    if (result == GT_OK) {
        GtTake* take = *out;
        int32_t start = first->frame_count - overlap; // of the second
        take->rate_hz = rate_hz;
        if (first->root != GT_NONE && second->root == first->root && !def->in_place) {
            follow(next, first, start);
        }
        for (int32_t i = 0; i < take->node_count; ++i) {
            take->paths[i] |= second->paths[i];
        }
        for (int32_t f = 0; f < first->frame_count; ++f) {
            gti_take_copy_frame(first, f, take, f);
        }
        for (int32_t f = 0; f < next->frame_count; ++f) {
            if (f >= overlap) {
                gti_take_copy_frame(next, f, take, start + f);
            } else {
                gti_take_blend(take, start + f, next, f, gti_smooth_step((double)(f + 1) / (overlap + 1)));
            }
        }
    }
    gt_take_destroy(next);
    return result;
}

GtResult gt_take_resample(const GtContext* context, const GtTake* take, double rate_hz, GtTake** out, GtError* error)
{
    *out = NULL;
    if (!(rate_hz > 0.0 && rate_hz <= 100000.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a rate of %g Hz is out of range", rate_hz);
    }
    double frames = floor(gt_take_duration_s(take) * rate_hz + frame_tolerance) + 1.0;
    GtResult result = gti_take_make(context, take, (int64_t)frames, out, error);
    if (result == GT_OK) {
        (*out)->rate_hz = (*out)->frame_count > 1 ? rate_hz : 0.0;
        for (int32_t f = 0; f < (*out)->frame_count; ++f) {
            gti_take_sample(take, f * take->rate_hz / rate_hz, *out, f);
        }
    }
    return result;
}

GtResult gt_take_speed(const GtContext* context, const GtTake* take, double speed, GtTake** out, GtError* error)
{
    *out = NULL;
    double pace = fabs(speed);
    if (!(pace >= least_speed && pace <= most_speed)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a speed of %g is out of range; give %g to %g, or negative", speed,
                        least_speed, most_speed);
    }
    double last = take->frame_count - 1;
    GtResult result = gti_take_make(context, take, (int64_t)floor(last / pace + frame_tolerance) + 1, out, error);
    for (int32_t f = 0; result == GT_OK && f < (*out)->frame_count; ++f) {
        gti_take_sample(take, speed < 0.0 ? last - f * pace : f * pace, *out, f);
    }
    return result;
}
