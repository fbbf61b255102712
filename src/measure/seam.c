// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A cycle is played by putting its first frame after its last, moved by the way covered over the ground and turned by
// the heading. What differs then is seen as a jump.

#include "measure/joints.h"

#include <math.h>
#include <string.h>

// Matrices of four moments: the first two frames and the last two.
typedef struct Ends {
    GtMat34* moments[4]; // [node_count]
} Ends;

static bool has_moved(const GtMat34* a, const GtMat34* b)
{
    return memcmp(a, b, sizeof *a) != 0;
}

// Topmost node that moves, or GT_NONE.
static int32_t find_root(const GtFigure* f, const Ends* ends)
{
    if (f->is_humanoid) {
        return f->joints[GT_HUMANOID_HIPS];
    }
    for (int32_t i = 0; i < f->def->node_count; ++i) {
        if (has_moved(&ends->moments[0][i], &ends->moments[1][i]) ||
            has_moved(&ends->moments[0][i], &ends->moments[2][i])) {
            return i;
        }
    }
    return GT_NONE;
}

// What a cycle goes on by: a turn about the vertical and a way over the ground.
typedef struct Step {
    GtQuat heading;
    GtVec3 from, to; // of the root
} Step;

static Step find_step(const Ends* ends, int32_t root)
{
    GtQuat first = gt_mat34_polar(&ends->moments[0][root], NULL);
    GtQuat last = gt_mat34_polar(&ends->moments[3][root], NULL);
    GtQuat turn = gt_quat_mul(last, gt_quat_conjugate(first));
    bool is_turned = hypotf(turn.y, turn.w) > 1e-6f; // else it is upside down
    Step step = { is_turned ? gt_quat_normalize(gt_quat(0.0f, turn.y, 0.0f, turn.w)) : gt_quat_identity(),
                  gt_mat34_translation(&ends->moments[0][root]), gt_mat34_translation(&ends->moments[3][root]) };
    step.from.y = 0.0f;
    step.to.y = 0.0f;
    return step;
}

static GtVec3 gone_on(const Step* step, GtVec3 p)
{
    return gt_vec3_add(step->to, gt_quat_rotate(step->heading, gt_vec3_sub(p, step->from)));
}

static void compare_ends(const GtFigure* f, const Ends* ends, int32_t root, double step_s, GtSeamMeasure* out)
{
    Step step = find_step(ends, root);
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = root; i < f->def->node_count && (i == root || f->def->parents[i] >= root); ++i) {
        GtVec3 before = gt_mat34_translation(&ends->moments[2][i]);
        GtVec3 last = gt_mat34_translation(&ends->moments[3][i]);
        GtVec3 first = gone_on(&step, gt_mat34_translation(&ends->moments[0][i]));
        GtVec3 after = gone_on(&step, gt_mat34_translation(&ends->moments[1][i]));
        double gap_m = (double)gt_vec3_length(gt_vec3_sub(last, first));
        GtVec3 jump = gt_vec3_sub(gt_vec3_sub(after, first), gt_vec3_sub(last, before));
        GtQuat turned = gt_quat_mul(step.heading, gt_mat34_polar(&ends->moments[0][i], NULL));
        double turn = (double)gt_quat_angle_rad(turned, gt_mat34_polar(&ends->moments[3][i], NULL));
        sum += gap_m;
        ++count;
        if (out->node == GT_NONE || gap_m > out->gap_m) {
            out->gap_m = gap_m;
            out->node = f->def->source_nodes[i];
        }
        out->turn_rad = fmax(out->turn_rad, turn);
        out->speed_mps = fmax(out->speed_mps, (double)gt_vec3_length(jump) / step_s);
    }
    out->mean_gap_m = sum / count;
}

GtResult gti_measure_seam(GtArena* scratch, const GtFigure* figure, double step_s, GtSeamMeasure* out, GtError* error)
{
    Ends ends;
    size_t count = (size_t)figure->def->node_count;
    *out = (GtSeamMeasure){ .gap_m = NAN, .mean_gap_m = NAN, .node = GT_NONE, .turn_rad = NAN, .speed_mps = NAN };
    if (!(step_s > 0.0) || count == 0) {
        return GT_OK;
    }
    const double times[4] = { figure->start_s, figure->start_s + step_s, figure->end_s - step_s, figure->end_s };
    for (int k = 0; k < 4; ++k) {
        ends.moments[k] = gt_arena_push_array(scratch, count, sizeof *ends.moments[k]);
        if (!ends.moments[k]) {
            return gti_out_of_memory(error);
        }
        gt_figure_pose(figure, times[k], figure->instance);
        memcpy(ends.moments[k], figure->instance->model_from_node, count * sizeof *ends.moments[k]);
    }
    int32_t root = find_root(figure, &ends);
    if (root != GT_NONE) {
        out->turn_rad = 0.0;
        out->speed_mps = 0.0;
        compare_ends(figure, &ends, root, step_s, out);
    }
    return GT_OK;
}
