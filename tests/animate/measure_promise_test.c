// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `gertie measure` says of a clip, computed once more in double on rigs as exporters make them: the lowest vertex
// of each foot, and how knees accelerate. Everything else must be the same on every rig of one body that
// moves the same: feet that skate, gaps at the seam, stretches of the skin.

#include "gertie/animate.h"
#include "gertie/measure.h"
#include "gertie/motions.h"
#include "support/figure.h"
#include "support/rigs.h"
#include "support/test.h"
#include "support/viewer.h"

typedef struct Measured {
    GtScene* scene; // moving, and its last clip
    GtFigure figure;
    GtMeasure* measure;
} Measured;

static Measured open_measured(const GtContext* context, const GtScene* body, const GtScene* motion)
{
    GtError error;
    Measured out = { 0 };
    GtAnimateDef def = gt_default_animate_def();
    def.retarget.collide = GT_COLLIDE_OFF; // which depends on the weights of a rig
    GtMeasureDef measure = gt_default_measure_def();
    def.method = GT_ANIMATE_SKIN;
    def.retarget.feet = GT_FEET_OFF; // so that there is something to be seen
    GT_EXPECT_OK(gt_animate(context, body, motion, &def, &out.scene, NULL, &error));
    measure.animation = out.scene->animation_count - 1;
    measure.source = motion;
    measure.floor_m = 0.0;
    measure.mesh_frame_count = 3;
    GT_EXPECT_OK(gt_measure(context, out.scene, &measure, &out.measure, &error));
    out.figure = test_figure(context, out.scene, measure.animation);
    return out;
}

static void close_measured(Measured* measured)
{
    gt_figure_close(&measured->figure);
    gt_measure_destroy(measured->measure);
    gt_scene_destroy(measured->scene);
}

static void place_of(const Viewer* viewer, const GtFigure* figure, int joint, double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = viewer_node(viewer, figure->map.nodes[joint])->m[i][3];
    }
}

static double angle_between(const double a[2][3], const double b[2][3])
{
    double dot = 0.0, squares[2] = { 0.0, 0.0 };
    for (int i = 0; i < 3; ++i) {
        double x = a[1][i] - a[0][i], y = b[1][i] - b[0][i];
        dot += x * y;
        squares[0] += x * x;
        squares[1] += y * y;
    }
    return acos(fmax(-1.0, fmin(1.0, dot / sqrt(squares[0] * squares[1]))));
}

static double knee_bend(const Viewer* viewer, const GtFigure* figure, int side)
{
    int upper = side == 0 ? GT_HUMANOID_LEFT_UPPER_LEG : GT_HUMANOID_RIGHT_UPPER_LEG;
    double thigh[2][3], shank[2][3];
    place_of(viewer, figure, upper, thigh[0]);
    place_of(viewer, figure, upper + 1, thigh[1]);
    place_of(viewer, figure, upper + 1, shank[0]);
    place_of(viewer, figure, upper + 2, shank[1]);
    return angle_between((const double(*)[3])thigh, (const double(*)[3])shank);
}

// Lowest vertex that moves with a foot or its toes more than with any other joint.
static double lowest_of_foot(Viewer* viewer, const GtFigure* figure, int side)
{
    const GtMeshDef* mesh = &figure->def->meshes[0];
    int foot = side == 0 ? GT_HUMANOID_LEFT_FOOT : GT_HUMANOID_RIGHT_FOOT;
    const double(*vertices)[3] = viewer_vertices(viewer);
    double lowest = INFINITY;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        int32_t first = v * mesh->influence_count, most = first;
        for (int32_t k = first + 1; k < first + mesh->influence_count; ++k) {
            most = mesh->weights[k] > mesh->weights[most] ? k : most;
        }
        int32_t node = figure->def->skins[mesh->skin].joints[mesh->joints[most]];
        if (node == figure->joints[foot] || node == figure->joints[foot + 1]) {
            lowest = fmin(lowest, vertices[v][1]);
        }
    }
    return lowest;
}

static void expect_series(const Measured* measured, const char* name)
{
    const GtMeasure* m = measured->measure;
    Viewer* viewer = viewer_open(measured->scene, measured->figure.animation);
    double bends[2][3] = { { 0.0 } };
    double worst[2] = { 0.0, 0.0 };
    for (int32_t f = 0; f < m->frame_count; ++f) {
        viewer_pose(viewer, m->start_s + f / m->rate_hz);
        for (int side = 0; side < 2; ++side) {
            double sole = lowest_of_foot(viewer, &measured->figure, side);
            worst[0] = fmax(worst[0], fabs(sole - (double)m->series[GT_SERIES_LEFT_SOLE + side][f]));
            bends[side][f % 3] = knee_bend(viewer, &measured->figure, side);
            if (f >= 2) {
                double acceleration = (bends[side][f % 3] - 2.0 * bends[side][(f - 1) % 3] + bends[side][(f - 2) % 3]) *
                                      m->rate_hz * m->rate_hz;
                worst[1] = fmax(worst[1],
                                fabs(fabs(acceleration) - fabs((double)m->series[GT_SERIES_LEFT_KNEE + side][f - 1])));
            }
        }
    }
    if (!(worst[0] <= 1e-5 && worst[1] <= 1e-3 * m->knees[0].acceleration_radps2)) {
        fail_msg("%s: soles are %g mm, knees %g radians a second squared off what is said", name, 1e3 * worst[0],
                 worst[1]);
    }
    viewer_close(viewer);
}

// What is seen of feet, knees, seam and skin.
typedef struct Figures {
    double skate_m, slip_mps, penetration_m, float_m, knee_radps2, jerk_ratio, gap_m, stretch, volume;
} Figures;

static Figures figures_of(const GtMeasure* m)
{
    Figures out = { m->feet[0].skate_m,
                    m->feet[0].slip_mps,
                    m->feet[0].penetration_m,
                    m->feet[0].float_m,
                    m->knees[0].acceleration_radps2,
                    m->knees[0].jerk_ratio,
                    m->seam.gap_m,
                    0.0,
                    1.0 };
    for (int32_t z = 0; z < m->zone_count; ++z) {
        out.stretch = fmax(out.stretch, m->zones[z].stretch_max);
        out.volume = fmin(out.volume, m->zones[z].volume_min);
    }
    return out;
}

static void expect_alike(Figures a, Figures b)
{
    GT_EXPECT_NEAR(a.skate_m, b.skate_m, 1e-5);
    GT_EXPECT_NEAR(a.slip_mps, b.slip_mps, 1e-4);
    GT_EXPECT_NEAR(a.penetration_m, b.penetration_m, 1e-4);
    GT_EXPECT_NEAR(a.float_m, b.float_m, 1e-4); // helpers are a little off the joints' axes
    GT_EXPECT_NEAR(a.knee_radps2, b.knee_radps2, 0.1);
    GT_EXPECT_NEAR(a.jerk_ratio, b.jerk_ratio, 1e-3);
    GT_EXPECT_NEAR(a.gap_m, b.gap_m, 1e-5);
    GT_EXPECT_NEAR(a.stretch, b.stretch, 1e-3);
    GT_EXPECT_NEAR(a.volume, b.volume, 1e-3);
}

static void test_one_body_on_every_rig(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* motion = NULL;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_WALK);
    Figures plain = { 0 };
    GT_EXPECT_OK(gt_sample_motion(&context, &def, &motion, NULL, &error));
    for (int32_t i = 0; i < TEST_RIG_COUNT; ++i) {
        GtScene* body = test_rig(&context, i, 2000);
        Measured measured = open_measured(&context, body, motion);
        expect_series(&measured, test_rig_name(i));
        plain = i == TEST_RIG_PLAIN ? figures_of(measured.measure) : plain;
        expect_alike(figures_of(measured.measure), plain);
        close_measured(&measured);
        gt_scene_destroy(body);
    }
    assert_true(plain.skate_m > 1e-3 && plain.float_m > 1e-3 && plain.stretch > 1.1); // there is something to see
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_body_on_every_rig),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
