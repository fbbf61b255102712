// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// "Baked ... 0.06 mm off on average (RMS), 1.3 mm at most", "standing feet at most 0.0 mm off": what `deform --bake`
// and `animate` say, measured on rigs as exporters make them. What was baked is played by a viewer of the tests' own,
// in double: of sections also at moments between frames that baking did not look at, of harmonic fields in all frames.

#include "gertie/animate.h"
#include "gertie/motions.h"
#include "gertie/sculpt.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/test.h"
#include "support/viewer.h"

#include <stdlib.h>

static const double rounding_m = 1e-5; // of floats, some metres from the origin

typedef struct Seen {
    double worst_m;
    double squares;
    int64_t count;
} Seen;

// Vertices as the engine has them, mesh after mesh, beside those of the viewer.
static void compare(Viewer* viewer, const GtCharacterDef* def, const GtVec3* wanted, Seen* seen)
{
    const double(*got)[3] = viewer_vertices(viewer);
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        int32_t node = def->source_nodes ? def->source_nodes[def->meshes[m].node] : def->meshes[m].node;
        int32_t first = viewer_first_vertex(viewer, node, def->meshes[m].source_primitive);
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v, ++wanted) {
            const double place[3] = { (double)wanted->x, (double)wanted->y, (double)wanted->z };
            double distance = viewer_distance(got[first + v], place);
            seen->worst_m = fmax(seen->worst_m, distance);
            seen->squares += distance * distance;
            ++seen->count;
        }
    }
}

static void deform_all(const GtFigure* figure, GtVec3* points)
{
    for (int32_t m = 0; m < figure->def->mesh_count; ++m) {
        gt_instance_deform(figure->instance, m, points, NULL, NULL);
        points += figure->def->meshes[m].vertex_count;
    }
}

static GtScene* make_moving(const GtContext* context, const GtScene* body)
{
    GtError error;
    GtScene *motion = NULL, *moving = NULL;
    GtMotionDef run = gt_default_motion_def(GT_MOTION_RUN);
    GtAnimateDef def = gt_default_animate_def();
    def.method = GT_ANIMATE_SKIN;
    GT_EXPECT_OK(gt_sample_motion(context, &run, &motion, NULL, &error));
    GT_EXPECT_OK(gt_animate(context, body, motion, &def, &moving, NULL, &error));
    gt_scene_destroy(motion);
    return moving;
}

static void expect_baked_muscles(const GtContext* context, const GtScene* body, const char* name)
{
    GtError error;
    GtScene* moving = make_moving(context, body);
    GtScene* baked = NULL;
    GtSculpt* sculpt = NULL;
    GtCharacter* character = NULL;
    GtSculptBakeReport report;
    GtSculptReport bound;
    GtSculptBakeDef def = gt_default_sculpt_bake_def();
    def.animation = moving->animation_count - 1;
    GT_EXPECT_OK(gt_sculpt_preset(context, moving, "muscles", &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_bake(context, moving, sculpt, &def, &baked, &report, &error));
    GT_EXPECT_OK(gt_sculpt_character(context, moving, sculpt, NULL, &character, &bound, &error));
    GT_EXPECT_OK(gt_sculpt_keep(context, sculpt, moving, &error));
    GtFigureDef figure_def = gt_default_figure_def();
    GtFigure figure;
    figure_def.animation = def.animation;
    GT_EXPECT_OK(gt_sculpt_figure_open(context, moving, &figure_def, &figure, &error));
    Viewer* viewer = viewer_open(baked, def.animation);
    int32_t vertex_count = viewer_vertex_count(viewer);
    GtVec3* points = malloc((size_t)vertex_count * sizeof *points);
    assert_non_null(points);
    TestRandom random = { 3 };
    Seen seen = { 0 };
    double start_s = viewer_start_s(viewer), length_s = viewer_end_s(viewer) - start_s;
    for (int i = 0; i < 60; ++i) {
        double time_s = start_s + length_s * (double)test_random_float(&random, 0.0f, 1.0f);
        time_s = i % 4 == 0 ? start_s + round((time_s - start_s) * report.rate_hz) / report.rate_hz : time_s;
        gt_figure_pose(&figure, time_s, figure.instance);
        viewer_pose(viewer, time_s);
        deform_all(&figure, points);
        compare(viewer, figure.def, points, &seen);
    }
    double rms = sqrt(seen.squares / ((double)seen.count / vertex_count * bound.bound_vertices));
    if (!(seen.worst_m <= 1.02 * report.error_max_m + rounding_m)) {
        fail_msg("%s: %g mm off, not %g mm at most", name, 1e3 * seen.worst_m, 1e3 * report.error_max_m);
    }
    if (!(fabs(rms - report.error_rms_m) <= 0.1 * report.error_rms_m + rounding_m)) { // these moments, not those
        fail_msg("%s: %g mm off on average, not %g mm", name, 1e3 * rms, 1e3 * report.error_rms_m);
    }
    free(points);
    viewer_close(viewer);
    gt_figure_close(&figure);
    gt_character_destroy(character);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(baked);
    gt_scene_destroy(moving);
}

static void test_baked_muscles(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    for (int32_t i = 0; i < TEST_RIG_COUNT; ++i) {
        GtScene* body = test_rig(&context, i, 2000);
        expect_baked_muscles(&context, body, test_rig_name(i));
        gt_scene_destroy(body);
    }
    const char* name;
    GtScene* body;
    for (int32_t i = 0; (body = test_real_rig(&context, i, &name)) != NULL; ++i) {
        expect_baked_muscles(&context, body, name);
        gt_scene_destroy(body);
    }
}

// The end of a limb: vertices whose largest weight is of one of its joints, or of one below that the map does not name.
typedef struct LimbEnd {
    GtHumanoidJoint joints[2];
    int32_t count;
    double wanted[3], got[3]; // middles
} LimbEnd;

static bool is_of_end(const GtFigure* figure, const LimbEnd* end, int32_t node)
{
    for (; node != GT_NONE; node = figure->def->parents[node]) {
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            if (figure->joints[j] == node) {
                return j == (int)end->joints[0] || j == (int)end->joints[1];
            }
        }
    }
    return false;
}

static int32_t strongest_joint(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex)
{
    if (mesh->skin == GT_NONE) {
        return mesh->node;
    }
    const float* weights = mesh->weights + (size_t)vertex * (size_t)mesh->influence_count;
    int32_t most = 0;
    for (int32_t i = 1; i < mesh->influence_count; ++i) {
        most = weights[i] > weights[most] ? i : most;
    }
    return def->skins[mesh->skin].joints[mesh->joints[vertex * mesh->influence_count + most]];
}

// Middles in a frame: of the skin, by the viewer, and of the surface.
static void find_middles(const GtFigure* figure, Viewer* skinned, const GtVec3* surface, LimbEnd* end)
{
    const double(*skin)[3] = viewer_vertices(skinned);
    LimbEnd sum = { .joints = { end->joints[0], end->joints[1] } };
    for (int32_t m = 0; m < figure->def->mesh_count; ++m) {
        const GtMeshDef* mesh = &figure->def->meshes[m];
        int32_t first = viewer_first_vertex(skinned, figure->def->source_nodes[mesh->node], mesh->source_primitive);
        for (int32_t v = 0; v < mesh->vertex_count; ++v, ++surface) {
            if (!is_of_end(figure, end, strongest_joint(figure->def, mesh, v))) {
                continue;
            }
            ++sum.count;
            for (int i = 0; i < 3; ++i) {
                sum.wanted[i] += skin[first + v][i];
                sum.got[i] += (double)(&surface->x)[i];
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        sum.wanted[i] /= sum.count;
        sum.got[i] /= sum.count;
    }
    *end = sum;
}

static bool stands(const GtContacts* contacts, int side, double time_s)
{
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        if (span->part / 2 == side && span->start_s <= time_s && time_s <= span->end_s) {
            return true;
        }
    }
    return false;
}

// What was said of a body that follows by harmonic fields, and what there is.
typedef struct Fields {
    GtScene* baked; // and its last clip
    GtScene* plain; // skinned, with the same clip
    GtHarmonicClip* clip;
    GtAnimateReport report;
    GtFigure figure; // of `plain`
    GtContacts* contacts;
} Fields;

static void open_fields(const GtContext* context, const GtScene* body, Fields* out)
{
    GtError error;
    GtScene* motion = NULL;
    GtMotionDef walk = gt_default_motion_def(GT_MOTION_WALK);
    GtAnimateDef def = gt_default_animate_def();
    GtFigureDef figure_def = gt_default_figure_def();
    def.method = GT_ANIMATE_HARMONIC;
    GT_EXPECT_OK(gt_sample_motion(context, &walk, &motion, NULL, &error));
    GT_EXPECT_OK(gt_animate(context, body, motion, &def, &out->baked, &out->report, &error));
    GT_EXPECT_OK(gt_animate_frames(context, body, motion, &def, &out->plain, &out->clip, NULL, &error));
    figure_def.animation = out->plain->animation_count - 1;
    GT_EXPECT_OK(gt_figure_open(context, out->plain, &figure_def, &out->figure, &error));
    GT_EXPECT_OK(gt_contacts_find(context, &out->figure, NULL, &out->contacts, &error));
    gt_scene_destroy(motion);
}

static void close_fields(Fields* fields)
{
    gt_contacts_destroy(fields->contacts);
    gt_figure_close(&fields->figure);
    gt_harmonic_clip_destroy(fields->clip);
    gt_scene_destroy(fields->plain);
    gt_scene_destroy(fields->baked);
}

// Farthest that the middles of standing feet, and of hands, are from those of the skin.
static void measure_ends(Fields* fields, Viewer* skinned, const GtVec3* points, double time_s, double off_m[2])
{
    LimbEnd ends[4] = { { .joints = { GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_TOES } },
                        { .joints = { GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_RIGHT_TOES } },
                        { .joints = { GT_HUMANOID_LEFT_HAND, GT_HUMANOID_LEFT_HAND } },
                        { .joints = { GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_RIGHT_HAND } } };
    viewer_pose(skinned, time_s);
    for (int i = 0; i < 4; ++i) {
        if (i >= 2 || stands(fields->contacts, i, time_s)) {
            find_middles(&fields->figure, skinned, points, &ends[i]);
            off_m[i / 2] = fmax(off_m[i / 2], viewer_distance(ends[i].wanted, ends[i].got));
        }
    }
}

// "Exact in the frames": a shape for each.
static double measure_exact(const GtContext* context, Fields* fields, GtHarmonicPlayer* player, double* said_m)
{
    GtError error;
    GtScene* exact = NULL;
    GtHarmonicBakeReport report;
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    def.bake = GT_HARMONIC_BAKE_FRAMES;
    GT_EXPECT_OK(gt_harmonic_clip_bake(context, &fields->figure, fields->clip, &def, &exact, &report, &error));
    Viewer* viewer = viewer_open(exact, exact->animation_count - 1);
    Seen seen = { 0 };
    for (int32_t f = 0; f < fields->clip->frame_count; f += 5) {
        const GtVec3* points = NULL;
        GT_EXPECT_OK(gt_harmonic_player_pose(player, f, &points, &error));
        viewer_pose(viewer, fields->clip->start_s + f / fields->clip->rate_hz);
        compare(viewer, fields->figure.def, points, &seen);
    }
    viewer_close(viewer);
    gt_scene_destroy(exact);
    *said_m = report.error_max_m;
    return seen.worst_m;
}

static void expect_baked_fields(const GtContext* context, const GtScene* body, const char* name)
{
    GtError error;
    Fields fields = { 0 };
    GtHarmonicPlayer* player = NULL;
    open_fields(context, body, &fields);
    GT_EXPECT_OK(gt_harmonic_player_create(context, &fields.figure, fields.clip, &player, &error));
    Viewer* baked = viewer_open(fields.baked, fields.baked->animation_count - 1);
    Viewer* skinned = viewer_open(fields.plain, fields.figure.animation);
    Seen seen = { 0 };
    double off_m[2] = { 0.0, 0.0 };
    for (int32_t f = 0; f < fields.clip->frame_count; ++f) {
        const GtVec3* points = NULL;
        double time_s = fields.clip->start_s + f / fields.clip->rate_hz;
        GT_EXPECT_OK(gt_harmonic_player_pose(player, f, &points, &error));
        viewer_pose(baked, time_s);
        compare(baked, fields.figure.def, points, &seen);
        measure_ends(&fields, skinned, points, time_s, off_m);
    }
    double said_m;
    double exact_m = measure_exact(context, &fields, player, &said_m);
    if (!(exact_m <= said_m + rounding_m)) {
        fail_msg("%s, with a shape for each frame: %g mm off, not %g mm at most", name, 1e3 * exact_m, 1e3 * said_m);
    }
    const GtAnimateReport* report = &fields.report;
    const struct {
        const char* what;
        double said_m, seen_m;
    } rows[] = {
        { "the largest error", report->bake.error_max_m, seen.worst_m },
        { "the error on average", report->bake.error_rms_m, sqrt(seen.squares / (double)seen.count) },
        { "standing feet", report->harmonic.foot_error_max_m, off_m[0] },
        { "hands", report->harmonic.hand_error_max_m, off_m[1] },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (!(fabs(rows[i].seen_m - rows[i].said_m) <= rounding_m)) {
            fail_msg("%s, %s: %g mm off, not %g mm", name, rows[i].what, 1e3 * rows[i].seen_m, 1e3 * rows[i].said_m);
        }
    }
    viewer_close(skinned);
    viewer_close(baked);
    gt_harmonic_player_destroy(player);
    close_fields(&fields);
}

static void test_baked_fields(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    static const int32_t kinds[] = { TEST_RIG_PLAIN,      TEST_RIG_CENTIMETRES, TEST_RIG_ELSEWHERE,
                                     TEST_RIG_MESH_UNITS, TEST_RIG_MIRRORED,    TEST_RIG_ALL };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        GtScene* body = test_rig(&context, kinds[i], 2000);
        expect_baked_fields(&context, body, test_rig_name(kinds[i]));
        gt_scene_destroy(body);
    }
    const char* name;
    GtScene* body;
    for (int32_t i = 0; (body = test_real_rig(&context, i, &name)) != NULL; ++i) {
        expect_baked_fields(&context, body, name);
        gt_scene_destroy(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baked_muscles),
        cmocka_unit_test(test_baked_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
