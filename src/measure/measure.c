// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// All measures of a clip. One pass over the frames poses the figure and its source and keeps what the measures of the
// skeleton need; the skin is looked at afterwards, at fewer frames.

#include "gertie/measure.h"

#include "base/field_table.h"
#include "base/sort.h"
#include "measure/ground.h"
#include "measure/joints.h"
#include "measure/skin_frames.h"
#include "measure/worst.h"

#include "gertie/sculpt.h"

#include <math.h>
#include <string.h>

enum {
    MAX_FRAMES = 1 << 20,
    FRAMES_A_REPORT = 128
};

static const double least_rate_hz = 20.0; // keys further apart are sampled in between
static const double dense_rate_hz = 60.0;

typedef struct Measuring {
    const GtContext* context;
    const GtMeasureDef* def;
    GtError* error;
    GtArena scratch;
    GtFigure figure;
    GtFigure source;
    GtiPathMaker maker;
    GtiPathMaker source_maker;
    GtiDirections directions;
    double pace; // seconds of the source for one of the figure
    GtVec3 last_hips;
    float* series[GT_SERIES_COUNT];
    GtMeasure* out;
} Measuring;

GtMeasureDef gt_default_measure_def(void)
{
    return (GtMeasureDef){
        .floor_m = NAN,
        .mesh_frame_count = 48, // of a second's step, several; of the sample person, half a second's work
    };
}

static GtResult check_scene(const GtScene* scene, int32_t animation, const char* what, GtError* error)
{
    if (scene->animation_count == 0) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "%s has no clip: there is no motion to measure", what);
    }
    if (animation < 0 || animation >= scene->animation_count) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no clip %d; %s has %d", (int)animation, what,
                        (int)scene->animation_count);
    }
    return GT_OK;
}

static GtResult choose_frames(Measuring* m)
{
    const GtFigure* f = &m->figure;
    GtMeasure* out = m->out;
    double duration_s = f->end_s - f->start_s;
    double rate_hz = f->key_rate_hz < least_rate_hz ? dense_rate_hz : f->key_rate_hz;
    double frames = duration_s > 0.0 ? fmax(round(duration_s * rate_hz), 1.0) + 1.0 : 1.0;
    if (!(frames <= MAX_FRAMES)) {
        return gti_fail(m->error, GT_ERROR_LIMIT, "the clip has %.0f frames; up to %d can be measured", frames,
                        (int)MAX_FRAMES);
    }
    out->start_s = f->start_s;
    out->end_s = f->end_s;
    out->frame_count = (int32_t)frames;
    out->rate_hz = out->frame_count > 1 ? (out->frame_count - 1) / duration_s : 0.0;
    return GT_OK;
}

// The source runs beside the figure; where it is longer or shorter, it runs at another pace. One that stands still has
// no pace.
static void choose_pace(Measuring* m)
{
    double own_s = m->out->end_s - m->out->start_s;
    double source_s = m->source.end_s - m->source.start_s;
    m->pace = 1.0;
    if (own_s > 0.0 && source_s > 0.0 && fabs(source_s - own_s) > fmax(0.02 * own_s, 2.0 / m->out->rate_hz)) {
        m->pace = source_s / own_s;
        gti_warn(
            m->context, m->source.scene->source.file, NULL,
            "the source lasts %.2f s and the clip %.2f s: the source is compared as if played at %.3g times its speed",
            source_s, own_s, m->pace);
    }
}

static GtResult open_figures(Measuring* m, const GtScene* scene)
{
    const GtMeasureDef* def = m->def;
    GtMeasure* out = m->out;
    GtFigureDef figure_def = gti_figure_playing(def->animation, def->map);
    GtFigureDef source_def = gti_figure_playing(def->source_animation, def->source_map);
    GtResult result = gt_sculpt_figure_open(m->context, scene, &figure_def, &m->figure, m->error);
    result = result == GT_OK ? choose_frames(m) : result;
    if (result != GT_OK) {
        return result;
    }
    out->is_humanoid = m->figure.is_humanoid;
    if (!out->is_humanoid) {
        gti_note(m->context, m->figure.scene->source.file, NULL,
                 "no hips and legs are found, so feet, knees and flights are not measured, only the skin and the seam");
    }
    if (!def->source) {
        return GT_OK;
    }
    out->has_source = true;
    result = gt_figure_open(m->context, def->source, &source_def, &m->source, m->error);
    if (result == GT_OK) {
        out->source_is_humanoid = m->source.is_humanoid;
        choose_pace(m);
        if (!m->source.is_humanoid) {
            gti_warn(m->context, def->source->source.file, NULL,
                     "no hips and legs are found in the source, so nothing is compared with it");
        }
    }
    return result;
}

static bool compares(const Measuring* m)
{
    return m->out->is_humanoid && m->out->source_is_humanoid;
}

static GtResult push_series(Measuring* m, GtMeasureSeries series)
{
    m->series[series] = gt_arena_push_array(&m->out->arena, (size_t)m->out->frame_count, sizeof *m->series[series]);
    m->out->series[series] = m->series[series];
    return m->series[series] ? GT_OK : gti_out_of_memory(m->error);
}

static GtResult begin_frames(Measuring* m)
{
    double step_s = m->out->rate_hz > 0.0 ? 1.0 / m->out->rate_hz : 0.0;
    GtResult result = GT_OK;
    for (int s = 0; s < GT_SERIES_COUNT && result == GT_OK; ++s) {
        bool is_compared =
            s == GT_SERIES_DIRECTION || s == GT_SERIES_SOURCE_LEFT_KNEE || s == GT_SERIES_SOURCE_RIGHT_KNEE;
        if (compares(m) || !is_compared) {
            result = push_series(m, (GtMeasureSeries)s);
        }
    }
    if (result == GT_OK) {
        result = gti_path_begin(m->context, &m->scratch, &m->figure, m->out->frame_count, step_s, &m->maker, m->error);
    }
    m->maker.ground = m->def->ground;
    if (result == GT_OK && compares(m)) {
        result = gti_path_begin(m->context, &m->scratch, &m->source, m->out->frame_count, step_s * m->pace,
                                &m->source_maker, m->error);
    }
    if (result == GT_OK && compares(m)) {
        result = gti_directions_begin(&m->out->arena, &m->figure, &m->source, &m->directions, m->error);
    }
    return result;
}

static void measure_jump(Measuring* m, int32_t frame, double time_s)
{
    GtVec3 hips = gti_figure_place(&m->figure, GT_HUMANOID_HIPS);
    double way_m = frame > 0 ? (double)gt_vec3_length(gt_vec3_sub(hips, m->last_hips)) : 0.0;
    if (way_m > m->out->jump.way_m) {
        m->out->jump = (GtJumpMeasure){ way_m, time_s };
    }
    m->last_hips = hips;
}

static GtResult play_frames(Measuring* m)
{
    double step_s = m->out->rate_hz > 0.0 ? 1.0 / m->out->rate_hz : 0.0;
    for (int32_t f = 0; f < m->out->frame_count; ++f) {
        if (f % FRAMES_A_REPORT == 0) {
            GtResult result =
                gti_progress(m->context, m->error, "measuring the motion", (double)f / m->out->frame_count);
            if (result != GT_OK) {
                return result;
            }
        }
        double time_s = m->out->start_s + f * step_s;
        gt_figure_pose(&m->figure, time_s, m->figure.instance);
        gti_path_add(&m->maker, f);
        measure_jump(m, f, time_s);
        if (compares(m)) {
            gt_figure_pose(&m->source, m->source.start_s + f * step_s * m->pace, m->source.instance);
            gti_path_add(&m->source_maker, f);
            m->series[GT_SERIES_DIRECTION][f] =
                (float)gti_directions_add(&m->directions, &m->figure, &m->source, time_s);
        }
    }
    return GT_OK;
}

// Heights of feet that stand on the floor, else of all.
static int32_t collect_lows(const GtiPath* path, const uint8_t* bits, const float* levels, bool standing, float* lows)
{
    int32_t count = 0;
    for (int32_t f = 0; f < path->frame_count; ++f) {
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            bool is_up = levels[(size_t)side * (size_t)path->frame_count + (size_t)f] != 0.0f;
            if (!standing || (bits[f] >> 2 * side & 3u && !is_up)) {
                lows[count++] = path->soles[side][f];
            }
        }
    }
    return count;
}

// The ground is at 0 unless the soles of the skin are far from it where feet stand; a skeleton's soles are a guess, so
// there it is where they are. Feet that do not stand tell nothing: large ones dip when they roll off.
static GtResult find_floor(Measuring* m, const uint8_t* bits, const float* levels)
{
    const GtiPath* path = &m->maker.path;
    m->out->floor_m = m->def->ground ? 0.0 : m->def->floor_m;
    if (isfinite(m->out->floor_m)) {
        return GT_OK;
    }
    float* lows = gt_arena_push_array(&m->scratch, GTI_SIDE_COUNT * (size_t)path->frame_count, sizeof *lows);
    if (!lows) {
        return gti_out_of_memory(m->error);
    }
    int32_t count = collect_lows(path, bits, levels, true, lows);
    double share = 0.5;
    if (count == 0) {
        count = collect_lows(path, bits, levels, false, lows);
        share = GT_FLIGHT_PERCENTILE;
    }
    double low = (double)gti_percentile(lows, count, share);
    bool is_near = m->maker.sole.is_mesh && fabs(low) < 0.1 * m->figure.height_m;
    m->out->floor_m = is_near ? 0.0 : low;
    if (!is_near) {
        gti_note(m->context, m->figure.scene->source.file, NULL, "the ground is assumed at %.3f m, where the feet are",
                 low);
    }
    return GT_OK;
}

static GtResult measure_legs(Measuring* m)
{
    GtMeasure* out = m->out;
    const GtiPath* path = &m->maker.path;
    const GtiPath* source = compares(m) ? &m->source_maker.path : NULL;
    const GtiPath* judge = source ? source : path;
    uint8_t* bits = gt_arena_push_array(&out->arena, (size_t)out->frame_count, sizeof *bits);
    float* levels = gt_arena_push_array(&m->scratch, GTI_SIDE_COUNT * (size_t)out->frame_count, sizeof *levels);
    if (!bits || !levels) {
        return gti_out_of_memory(m->error);
    }
    out->contacts = bits;
    GtResult result = gti_find_contacts(m->context, &m->scratch, judge, bits, levels, m->error);
    result = result == GT_OK ? find_floor(m, bits, levels) : result;
    if (m->def->ground) { // which says what is under the feet
        memset(levels, 0, GTI_SIDE_COUNT * (size_t)out->frame_count * sizeof *levels);
    } else if (result == GT_OK) {
        result = gti_carry_levels(&m->scratch, path, bits, out->floor_m, levels, m->error);
    }
    for (int side = 0; side < GTI_SIDE_COUNT && result == GT_OK; ++side) {
        const float* own = levels + (size_t)side * (size_t)out->frame_count;
        gti_measure_foot(path, bits, side, out->floor_m, own, out->start_s, m->series[GT_SERIES_LEFT_SLIP + side],
                         &out->feet[side]);
        gti_measure_knee(path, source, side, out->start_s, m->series[GT_SERIES_LEFT_KNEE + side],
                         m->series[GT_SERIES_SOURCE_LEFT_KNEE + side], &out->knees[side]);
        for (int32_t f = 0; f < out->frame_count; ++f) {
            m->series[GT_SERIES_LEFT_SOLE + side][f] =
                (float)((double)path->soles[side][f] - out->floor_m - (double)own[f]);
        }
    }
    for (int32_t f = 0; f < out->frame_count && result == GT_OK; ++f) {
        m->series[GT_SERIES_CENTER][f] = (float)((double)path->centers[f].y - out->floor_m);
    }
    if (result == GT_OK) {
        result = gti_measure_flights(&out->arena, &m->scratch, judge, path, out->start_s, &out->flights,
                                     &out->flight_count, m->error);
    }
    return result;
}

static GtResult measure_motion(Measuring* m)
{
    GtResult result = begin_frames(m);
    result = result == GT_OK ? play_frames(m) : result;
    if (result == GT_OK && compares(m)) {
        m->out->direction_mean_rad = gti_directions_end(&m->directions);
        m->out->directions = m->directions.measures;
        m->out->direction_count = m->directions.count;
        m->out->flip = m->directions.flip;
    }
    return result == GT_OK ? measure_legs(m) : result;
}

static GtResult measure_scene(Measuring* m, const GtScene* scene)
{
    GtMeasure* out = m->out;
    GtResult result = open_figures(m, scene);
    if (result == GT_OK && out->is_humanoid) {
        result = measure_motion(m);
    }
    if (result == GT_OK) {
        double step_s = out->rate_hz > 0.0 ? 1.0 / out->rate_hz : 0.0;
        result = gti_measure_seam(&m->scratch, &m->figure, step_s, &out->seam, m->error);
    }
    if (result == GT_OK) {
        result = gti_measure_skin(m->context, &m->scratch, &m->figure, m->def->ground, m->def->mesh_frame_count, out,
                                  m->error);
    }
    if (result == GT_OK) {
        gti_find_worst(&m->figure, out);
    }
    return result;
}

GtResult gt_measure(const GtContext* context, const GtScene* scene, const GtMeasureDef* def, GtMeasure** out,
                    GtError* error)
{
    def = def ? def : (GtMeasureDef[]){ gt_default_measure_def() };
    *out = NULL;
    GtResult result = check_scene(scene, def->animation, "the file", error);
    if (result == GT_OK && def->source) {
        result = check_scene(def->source, def->source_animation, "the source", error);
    }
    result = result == GT_OK ? gti_fields_check(gt_measure_def_fields(), def, error) : result;
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtMeasure* measure = gt_arena_push_array(&arena, 1, sizeof *measure);
    if (!measure) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    measure->arena = arena;
    measure->floor_m = NAN;
    measure->direction_mean_rad = NAN;
    measure->flip.extra_turn_rad = NAN;
    Measuring m = { .context = context, .def = def, .error = error, .out = measure };
    m.scratch = gt_arena_create(context->allocator);
    result = measure_scene(&m, scene);
    gti_path_end(&m.source_maker);
    gti_path_end(&m.maker);
    gt_figure_close(&m.source);
    gt_figure_close(&m.figure);
    gt_arena_destroy(&m.scratch);
    if (result != GT_OK) {
        gt_measure_destroy(measure);
        return result;
    }
    *out = measure;
    return GT_OK;
}

void gt_measure_destroy(GtMeasure* measure)
{
    if (measure) {
        gt_arena_destroy(&measure->arena);
    }
}
