// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The best cycle: two frames whose poses and velocities are alike, between which the figure goes away from that pose
// and comes back. Places of the joints are compared with the way over the ground taken off. All pairs of a thinned-out
// motion are looked at, the shortest good one is taken, and its ends are moved to the best frames nearby. Then the end
// is blended into what came before the start, so that not only the pose but also the velocity meets it; where nothing
// came before, the difference of the ends is spread over the end.

#include "motion/take/take.h"

#include <math.h>

enum {
    MAX_MOMENTS = 400, // of the thinned-out motion
    MAX_JOINTS = 64,
    POINTS_A_JOINT = 3 // its own place first
};

static const float weight_m = 0.1f;          // a morph target, from none to all
static const double velocity_weight_s = 0.1; // a metre a second weighs as much as so many metres
static const double goes_away = 0.4;         // of the farthest it ever is from a pose
static const double comes_back = 0.35;       // of the farthest it was in between
static const double same_way = 0.8;          // likewise, with velocities
static const double nearly = 1.3;            // times the best, a shorter cycle may be worse
static const double closed = 0.01;           // of the farthest it ever is
static const double most_of_all = 0.6;       // of the motion

GtLoopDef gt_default_loop_def(void)
{
    return (GtLoopDef){ .min_s = 0.3, .max_s = INFINITY, .fade_s = 0.2 };
}

typedef struct Search {
    const GtTake* take;
    GtArena scratch;
    int32_t joints[MAX_JOINTS];
    int32_t joint_count;
    float arm_m;         // from a joint to the points beside it
    int32_t point_count; // of a frame: those of the joints, then morph weights, three in one
    GtVec3* places;      // [frame_count * point_count] without the way over the ground
    int32_t least, most; // frames of a cycle
} Search;

// Up to MAX_JOINTS joints that move, evenly chosen, and half the mean length of their bones.
static void choose_joints(Search* s, const GtScene* scene)
{
    const GtTake* take = s->take;
    int32_t moving = 0;
    double length = 0.0;
    for (int32_t i = 0; i < take->node_count; ++i) {
        moving += take->paths[i] != 0;
        length += take->paths[i] ? (double)gt_vec3_length(scene->nodes[i].local.translation) : 0.0;
    }
    int32_t stride = moving / MAX_JOINTS + 1;
    for (int32_t i = 0, seen = 0; i < take->node_count; ++i) {
        if (take->paths[i] != 0 && seen++ % stride == 0 && s->joint_count < MAX_JOINTS) {
            s->joints[s->joint_count++] = i;
        }
    }
    s->arm_m = length > 0.0 ? (float)(0.5 * length / moving) : 0.1f;
    s->point_count = POINTS_A_JOINT * s->joint_count + (take->weight_count + 2) / 3;
}

static void place_joint(const Search* s, const GtMat34* model, GtVec3 way, GtVec3* out)
{
    GtVec3 zero = { 0.0f, 0.0f, 0.0f };
    out[0] = gt_vec3_sub(gt_mat34_translation(model), way);
    for (int k = 1; k < POINTS_A_JOINT; ++k) {
        GtVec3 axis = gt_vec3(model->m[0][k - 1], model->m[1][k - 1], model->m[2][k - 1]);
        out[k] = gt_vec3_add(out[0], gt_vec3_scale(gt_vec3_normalize_or(axis, zero), s->arm_m));
    }
}

static GtResult find_places(Search* s, const GtScene* scene, GtError* error)
{
    const GtTake* take = s->take;
    choose_joints(s, scene);
    int32_t* order = gt_arena_push_array(&s->scratch, (size_t)take->node_count, sizeof *order);
    GtMat34* model = gt_arena_push_array(&s->scratch, (size_t)take->node_count, sizeof *model);
    s->places = gt_arena_push_array(&s->scratch, (size_t)take->frame_count * (size_t)s->point_count, sizeof *s->places);
    if (!order || !model || !s->places) {
        return gti_out_of_memory(error);
    }
    GtResult result = gt_scene_parent_first(scene, order, error);
    for (int32_t f = 0; f < take->frame_count && result == GT_OK; ++f) {
        const GtTransform* pose = gti_take_pose(take, f);
        GtVec3* out = s->places + (size_t)f * (size_t)s->point_count;
        for (int32_t i = 0; i < take->node_count; ++i) {
            int32_t parent = scene->nodes[order[i]].parent;
            GtMat34 local = gt_mat34_from_transform(pose[order[i]]);
            model[order[i]] = parent == GT_NONE ? local : gt_mat34_mul(model[parent], local);
        }
        GtVec3 way = take->root == GT_NONE ? gt_vec3(0, 0, 0) : gt_mat34_translation(&model[take->root]);
        way.y = 0.0f;
        for (int32_t j = 0; j < s->joint_count; ++j) {
            place_joint(s, &model[s->joints[j]], way, out + POINTS_A_JOINT * j);
        }
        const float* weights = gti_take_weights(take, f);
        GtVec3* packed = out + POINTS_A_JOINT * s->joint_count;
        for (int32_t w = 0; w < take->weight_count; ++w) {
            float value = weight_m * weights[w];
            GtVec3* point = &packed[w / 3];
            *point = w % 3 == 0   ? gt_vec3(value, 0.0f, 0.0f)
                     : w % 3 == 1 ? gt_vec3(point->x, value, 0.0f)
                                  : gt_vec3(point->x, point->y, value);
        }
    }
    return result;
}

static GtVec3 velocity_at(const Search* s, int32_t frame, int32_t point)
{
    int32_t last = s->take->frame_count - 1;
    int32_t before = frame > 0 ? frame - 1 : 0;
    int32_t after = frame < last ? frame + 1 : last;
    size_t count = (size_t)s->point_count;
    GtVec3 way = gt_vec3_sub(s->places[(size_t)after * count + (size_t)point],
                             s->places[(size_t)before * count + (size_t)point]);
    return gt_vec3_scale(way, (float)(s->take->rate_hz / (after > before ? after - before : 1)));
}

// How unlike two frames are, in metres.
static double unlikeness(const Search* s, int32_t a, int32_t b, bool with_velocity)
{
    double sum = 0.0;
    size_t count = (size_t)s->point_count;
    for (int32_t j = 0; j < s->point_count; ++j) {
        GtVec3 d = gt_vec3_sub(s->places[(size_t)a * count + (size_t)j], s->places[(size_t)b * count + (size_t)j]);
        sum += (double)gt_vec3_dot(d, d);
        if (with_velocity) {
            GtVec3 v = gt_vec3_sub(velocity_at(s, a, j), velocity_at(s, b, j));
            sum += velocity_weight_s * velocity_weight_s * (double)gt_vec3_dot(v, v);
        }
    }
    return sqrt(sum / (s->point_count ? s->point_count : 1));
}

// A cycle that may be.
typedef struct Cycle {
    int32_t first, last;
    double score;
} Cycle;

static bool is_better(const Cycle* a, const Cycle* b, double best)
{
    bool a_is_good = a->score <= nearly * best + 1e-4;
    bool b_is_good = b->score <= nearly * best + 1e-4;
    int32_t a_length = a->last - a->first;
    int32_t b_length = b->last - b->first;
    return a_is_good && (!b_is_good || a_length < b_length || (a_length == b_length && a->score < b->score));
}

// Go through all pairs of the thinned-out motion: with `best` < 0 for the best score, else for the shortest near it.
static Cycle search_pairs(const Search* s, int32_t stride, double farthest, double best)
{
    Cycle found = { 0, 0, INFINITY };
    for (int32_t i = 0; i < s->take->frame_count; i += stride) {
        double away = 0.0;
        for (int32_t j = i + stride; j < s->take->frame_count && j - i <= s->most; j += stride) {
            double pose = unlikeness(s, i, j, false);
            away = fmax(away, pose);
            if (j - i < s->least || away < goes_away * farthest || pose >= comes_back * away) {
                continue;
            }
            Cycle cycle = { i, j, unlikeness(s, i, j, true) };
            if (cycle.score >= same_way * away) {
                continue; // through the same pose, but the other way
            }
            if (best < 0.0 ? cycle.score < found.score : is_better(&cycle, &found, best)) {
                found = cycle;
            }
        }
    }
    return found;
}

static Cycle refine(const Search* s, Cycle cycle, int32_t reach)
{
    Cycle best = cycle;
    best.score = INFINITY;
    int32_t last = s->take->frame_count - 1;
    for (int32_t i = cycle.first - reach; i <= cycle.first + reach; ++i) {
        for (int32_t j = cycle.last - reach; j <= cycle.last + reach; ++j) {
            if (i >= 0 && j <= last && j - i >= s->least && j - i <= s->most) {
                double score = unlikeness(s, i, j, true);
                if (score < best.score) {
                    best = (Cycle){ i, j, score };
                }
            }
        }
    }
    return best;
}

// A motion that is one cycle already is taken whole: at its ends velocities are known to one side only, so that a part
// of it may seem better.
static Cycle find_cycle(const Search* s)
{
    int32_t count = s->take->frame_count;
    int32_t stride = count / MAX_MOMENTS + 1;
    double farthest = 0.0;
    for (int32_t i = 0; i < count; i += stride) {
        farthest = fmax(farthest, unlikeness(s, 0, i, false));
    }
    Cycle whole = { 0, count - 1, unlikeness(s, 0, count - 1, false) };
    bool is_cycle = farthest > 0.0 && whole.score <= closed * farthest && count > s->least && count - 1 <= s->most;
    Cycle best = search_pairs(s, stride, farthest, -1.0);
    if (!(best.score < INFINITY)) {
        return is_cycle ? whole : best;
    }
    Cycle shortest = search_pairs(s, stride, farthest, best.score);
    int32_t reach = (int32_t)(0.05 * s->take->rate_hz) + stride;
    Cycle found = refine(s, shortest, reach);
    return is_cycle && found.last - found.first > most_of_all * count ? whole : found;
}

// Where nothing came before the start: spread the difference of the ends.
static void spread_end(GtTake* take, int32_t width, const GtTake* goal)
{
    int32_t last = take->frame_count - 1;
    for (int32_t i = 0; i < take->node_count; ++i) {
        GtTransform end = gti_take_pose(take, last)[i];
        GtTransform wanted = gti_take_pose(goal, 0)[i];
        GtQuat turn = gt_quat_mul(gt_quat_conjugate(end.rotation), wanted.rotation);
        GtVec3 move = gt_vec3_sub(wanted.translation, end.translation);
        GtVec3 grow = gt_vec3_sub(wanted.scale, end.scale);
        for (int32_t k = 0; k <= width; ++k) {
            float share = gti_smooth_step(width ? (double)k / width : 1.0);
            GtTransform* t = &gti_take_pose(take, last - width + k)[i];
            GtQuat part = gt_quat_slerp(gt_quat_identity(), gt_quat_normalize(turn), share);
            t->rotation = gt_quat_normalize(gt_quat_mul(t->rotation, part));
            t->translation = gt_vec3_add(t->translation, gt_vec3_scale(move, share));
            t->scale = gt_vec3_add(t->scale, gt_vec3_scale(grow, share));
        }
    }
    for (int32_t i = 0; i < take->weight_count; ++i) {
        float gap = gti_take_weights(goal, 0)[i] - gti_take_weights(take, last)[i];
        for (int32_t k = 0; k <= width; ++k) {
            gti_take_weights(take, last - width + k)[i] += gap * gti_smooth_step(width ? (double)k / width : 1.0);
        }
    }
}

static GtResult close_cycle(const GtContext* context, const GtTake* take, Cycle cycle, double fade_s, GtVec3 way,
                            GtTake* out, GtError* error)
{
    int32_t length = cycle.last - cycle.first;
    int32_t width = (int32_t)fmin(fmax(round(fade_s * take->rate_hz), 0.0), length / 2);
    GtTake* goal = NULL;
    GtResult result = gti_take_make(context, take, 1, &goal, error);
    if (result != GT_OK) {
        return result;
    }
    bool has_lead = cycle.first >= width;
    for (int32_t k = has_lead ? 0 : width; k <= width; ++k) {
        gti_take_copy_frame(take, cycle.first - width + k, goal, 0);
        if (take->root != GT_NONE) {
            gti_take_move_root(goal, 0, gt_quat_identity(), gt_vec3(0, 0, 0), way);
        }
        if (has_lead) {
            gti_take_blend(out, length - width + k, goal, 0, gti_smooth_step(width ? (double)k / width : 1.0));
        }
    }
    if (!has_lead) {
        spread_end(out, width, goal);
    }
    gt_take_destroy(goal);
    return GT_OK;
}

static double largest_gap(const Search* s, const Cycle* cycle)
{
    double gap = 0.0;
    size_t count = (size_t)s->point_count;
    for (size_t j = 0; j < POINTS_A_JOINT * (size_t)s->joint_count; j += POINTS_A_JOINT) {
        GtVec3 d = gt_vec3_sub(s->places[(size_t)cycle->first * count + j], s->places[(size_t)cycle->last * count + j]);
        gap = fmax(gap, (double)gt_vec3_length(d));
    }
    return gap;
}

static GtResult check_loop(const GtTake* take, const GtScene* scene, const GtLoopDef* def, GtError* error)
{
    if (take->node_count != scene->node_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the take has %d nodes, the scene %d: they do not belong together",
                        (int)take->node_count, (int)scene->node_count);
    }
    if (!(def->min_s >= 0.0 && def->max_s >= def->min_s && def->fade_s >= 0.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a cycle of %g to %g s with a fade of %g s is out of range",
                        def->min_s, def->max_s, def->fade_s);
    }
    return GT_OK;
}

static GtResult cut_cycle(const GtContext* context, Search* s, const GtLoopDef* def, GtTake** out, GtLoopReport* report,
                          GtError* error)
{
    const GtTake* take = s->take;
    Cycle cycle = { 0, take->frame_count - 1, 0.0 };
    if (!def->whole) {
        s->least = (int32_t)fmax(ceil(def->min_s * take->rate_hz), 2.0);
        s->most = (int32_t)fmin(def->max_s * take->rate_hz, take->frame_count);
        cycle = find_cycle(s);
    }
    if (!(cycle.score < INFINITY) || cycle.last <= cycle.first) {
        return gti_fail(error, GT_ERROR_NOT_FOUND,
                        "no cycle is found in %g s: the motion never returns to an earlier pose; the whole of it can "
                        "be closed instead",
                        gt_take_duration_s(take));
    }
    GtResult result = gti_take_make(context, take, cycle.last - cycle.first + 1, out, error);
    if (result != GT_OK) {
        return result;
    }
    (*out)->start_s += cycle.first / take->rate_hz;
    for (int32_t f = 0; f < (*out)->frame_count; ++f) {
        gti_take_copy_frame(take, cycle.first + f, *out, f);
    }
    GtVec3 way = { 0.0f, 0.0f, 0.0f };
    if (take->root != GT_NONE) {
        way = gt_vec3_sub(gti_take_root_place(take, cycle.last), gti_take_root_place(take, cycle.first));
        way.y = 0.0f;
    }
    if (report) {
        *report = (GtLoopReport){
            .start_s = cycle.first / take->rate_hz,
            .end_s = cycle.last / take->rate_hz,
            .gap_m = largest_gap(s, &cycle),
            .way_m = (double)gt_vec3_length(way),
        };
    }
    return close_cycle(context, take, cycle, def->fade_s, way, *out, error);
}

GtResult gt_take_loop(const GtContext* context, const GtTake* take, const GtScene* scene, const GtLoopDef* def,
                      GtTake** out, GtLoopReport* report, GtError* error)
{
    def = def ? def : (GtLoopDef[]){ gt_default_loop_def() };
    *out = NULL;
    GtResult result = check_loop(take, scene, def, error);
    if (result != GT_OK) {
        return result;
    }
    Search search = { .take = take, .scratch = gt_arena_create(context->allocator) };
    result = find_places(&search, scene, error);
    result = result == GT_OK ? cut_cycle(context, &search, def, out, report, error) : result;
    gt_arena_destroy(&search.scratch);
    if (result != GT_OK) {
        gt_take_destroy(*out);
        *out = NULL;
    }
    return result;
}
