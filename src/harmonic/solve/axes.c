// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A line is spread as the foot of its marker on it and its direction, which together with how much of them there is and
// how far bends shall keep their volume are eight harmonic fields, solved as frames solve theirs but in double
// precision. A vertex's offset goes from its foot on its line to itself. Where lines of markers cancel each other out,
// or markers have none, offsets fade.

#include "harmonic/solve/axes.h"

#include "base/quat_double.h"

#include <math.h>
#include <string.h>

enum {
    FOOT = 0,
    AXIS = 3,
    SHARE = 6,
    VOLUME = 7,
    FIELDS = 8,
};

static const double sound = 0.3; // length of a mean of axes from which on it is trusted
static const double least_limit = 1e-3;
static const double most_limit = 1e20; // of a cure, in extents of the mesh

typedef double Fields[FIELDS];

static bool has_axis(const GtHarmonicMarker* marker)
{
    return gt_vec3_dot(marker->axis, marker->axis) > 0.0f;
}

static void put_marker(const GtHarmonicMarker* marker, const GtiPatchSource* source, Fields out, GtVec3* axis)
{
    memset(out, 0, sizeof(Fields));
    *axis = gt_vec3(0.0f, 0.0f, 0.0f);
    if (!has_axis(marker)) {
        return;
    }
    *axis = gt_vec3_normalize_or(marker->axis, gt_vec3(0.0f, 1.0f, 0.0f));
    GtiVec a = gti_vec_from(*axis);
    GtiVec p = gti_vec_from(marker->axis_point);
    GtiVec foot = gti_vec_add_scaled(p, a, gti_vec_dot(a, gti_vec_sub(source->place, p)));
    memcpy(&out[FOOT], &foot, sizeof foot);
    memcpy(&out[AXIS], &a, sizeof a);
    out[SHARE] = 1.0;
    out[VOLUME] = fmin(fmax((double)marker->volume, 0.0), 10.0);
}

// fields = -weights * markers - M' fields, from the root of the elimination tree down.
static void spread(const GtiHarmonicPlan* plan, const double* laplace, const GtiHarmonicWeights* weights,
                   const Fields* markers, Fields* fields)
{
    const GtiSupernodes* nodes = plan->supernodes;
    for (int32_t s = nodes->count - 1; s >= 0; --s) {
        const GtiHarmonicNode* node = &plan->packed[s];
        const double* m = &laplace[nodes->value_starts[s] + (int64_t)node->width * node->width];
        Fields* own = &fields[node->vertex];
        for (int32_t j = 0; j < node->width; ++j) {
            int32_t panel = node->panel_index + j / GTI_PANEL;
            for (int32_t i = weights->starts[panel]; i < weights->starts[panel + 1]; ++i) {
                double weight = (double)weights->values[i][j % GTI_PANEL];
                for (int c = 0; c < FIELDS; ++c) {
                    own[j][c] -= weight * markers[weights->markers[i]][c];
                }
            }
        }
        for (int32_t i = 0; i < node->height; ++i) {
            const double* from = fields[nodes->rows[node->row + i]];
            for (int32_t j = 0; j < node->width; ++j) {
                for (int c = 0; c < FIELDS; ++c) {
                    own[j][c] -= m[(int64_t)i * node->width + j] * from[c];
                }
            }
        }
    }
}

// out: the offset of a point, and the axis times it
static void put_offset(const Fields fields, GtVec3 point, float out[2][4])
{
    GtiVec axis = gti_vec(fields[AXIS], fields[AXIS + 1], fields[AXIS + 2]);
    GtiVec foot = gti_vec(fields[FOOT], fields[FOOT + 1], fields[FOOT + 2]);
    double length = gti_vec_length(axis);
    memset(out, 0, 2 * sizeof *out);
    if (!(length > 1e-6) || !(fields[SHARE] > 1e-6)) {
        return;
    }
    axis = gti_vec_divide(axis, length);
    GtiVec offset = gti_vec_across(gti_vec_sub(gti_vec_from(point), gti_vec_divide(foot, fields[SHARE])), axis);
    offset = gti_vec_scale(offset, fmin(fields[SHARE], 1.0) * fmin(length / (sound * fields[SHARE]), 1.0));
    GtVec3 both[2] = { gti_vec_to_float(offset), gti_vec_to_float(gti_vec_cross(axis, offset)) };
    memcpy(out[0], &both[0], sizeof both[0]);
    memcpy(out[1], &both[1], sizeof both[1]);
}

// A triangle of no area, as ties are, is cured of twists alone.
static void put_cure(const GtiHarmonicPlan* plan, int32_t t, const GtiHarmonicAxes* axes, const Fields* fields,
                     double squeeze, double extent, float out[GTI_CURE_SIZE])
{
    const float* share = plan->shares[t];
    double volume = 0.0;
    memset(out, 0, GTI_CURE_SIZE * sizeof *out);
    for (int k = 0; k < 3; ++k) {
        int32_t place = plan->corners[t][k];
        volume += fields[place][VOLUME] / 3.0;
        for (int c = 0; c < 3; ++c) {
            out[GTI_CURE_OFFSET + c] += axes->offsets[place][0][c] / 3.0f;
        }
    }
    double limit = 2.0 * squeeze * volume;
    double area = (double)share[3];
    double most = fmin(most_limit / fmax(extent * extent, 1e-30), 1e30);
    double value = limit > least_limit && area > 0.0 ? 36.0 / (area * limit * limit) : most;
    out[GTI_CURE_DIAGONAL_0] = share[0];
    out[GTI_CURE_DIAGONAL_1] = share[1];
    out[GTI_CURE_BETWEEN] = share[2];
    out[GTI_CURE_LIMIT] = (float)fmin(value, most);
}

bool gti_harmonic_axes_make(const GtiHarmonicPlan* plan, const double* laplace, const GtiHarmonicWeights* weights,
                            const GtHarmonicDef* def, const GtiPatchSource* sources, double extent, GtArena* arena,
                            GtiHarmonicAxes* out)
{
    *out = (GtiHarmonicAxes){ .axes = NULL };
    bool has_any = false;
    for (int32_t m = 0; m < def->marker_count; ++m) {
        has_any = has_any || has_axis(&def->markers[m]);
    }
    if (!has_any) {
        return true;
    }
    size_t vertex_count = (size_t)def->vertex_count;
    GtArena scratch = gt_arena_create(arena->allocator);
    Fields* markers = gt_arena_push_array(&scratch, (size_t)def->marker_count, sizeof *markers);
    Fields* fields = gt_arena_push_array(&scratch, vertex_count, sizeof *fields);
    out->axes = gt_arena_push_array(arena, (size_t)def->marker_count, sizeof *out->axes);
    out->offsets = gt_arena_push(arena, vertex_count * sizeof *out->offsets);
    out->cures = gt_arena_push(arena, (size_t)plan->triangle_count * sizeof *out->cures);
    bool made = markers && fields && out->axes && out->offsets && out->cures;
    if (made) {
        for (int32_t m = 0; m < def->marker_count; ++m) {
            put_marker(&def->markers[m], &sources[m], markers[m], &out->axes[m]);
        }
        spread(plan, laplace, weights, (const Fields*)markers, fields);
        for (int32_t place = 0; place < def->vertex_count; ++place) {
            put_offset(fields[place], def->positions[plan->supernodes->order[place]], out->offsets[place]);
        }
        for (int32_t t = 0; t < plan->triangle_count; ++t) {
            put_cure(plan, t, out, (const Fields*)fields, (double)def->squeeze, extent, out->cures[t]);
        }
    }
    gt_arena_destroy(&scratch);
    return made;
}

bool gti_harmonic_axes_cut(const GtiHarmonicAxes* axes, const GtiHarmonicPlan* plan, GtArena* arena,
                           GtiHarmonicCut* cut)
{
    if (!axes->axes) {
        return true;
    }
    float(*offsets)[2][4] = gt_arena_push(arena, (size_t)cut->slot_count * sizeof *offsets);
    if (!offsets) {
        return false;
    }
    for (int32_t v = 0; v < plan->supernodes->size; ++v) {
        memcpy(offsets[cut->slots[v]], axes->offsets[plan->places[v]], sizeof *offsets);
    }
    const GtiHarmonicPiece* top = &cut->pieces[cut->piece_count - 1];
    for (int32_t p = 0; p < cut->piece_count - 1; ++p) {
        const GtiHarmonicPiece* piece = &cut->pieces[p];
        for (int32_t i = 0; i < piece->border_count; ++i) {
            memcpy(offsets[piece->slot + piece->vertex_count + i], offsets[top->slot + cut->borders[piece->border + i]],
                   sizeof *offsets);
        }
    }
    cut->offsets = (const float(*)[2][4])offsets;
    return true;
}
