// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Markers on the built-in person, whose joints are known: rings must go round every limb and keep their distance from
// joints, alike on both sides. Files must come back as they were, and say what is wrong with them.

#include "harmonic/people.h"

#include "gertie/harmonic.h"
#include "gertie/markers.h"

#include "harmonic/markers/markers.h"
#include "support/figure.h"
#include "support/folder.h"

#include <stdlib.h>

static const GtHumanoidJoint limbs[] = { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM,
                                         GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG };

enum {
    LIMB_COUNT = 4
};

static GtMarkers* find(const GtContext* context, GtFigure* figure, float softness, GtMarkersReport* report)
{
    GtError error;
    GtMarkers* markers = NULL;
    GtMarkersDef def = gt_default_markers_def();
    def.softness = softness;
    GT_EXPECT_OK(gt_markers_find(context, figure, &def, &markers, report, &error));
    return markers;
}

static int32_t count_of(const GtMarkers* markers, int32_t node)
{
    int32_t count = 0;
    for (int32_t i = 0; i < markers->count; ++i) {
        count += markers->markers[i].node == node;
    }
    return count;
}

// A person and where its joints are.
typedef struct Subject {
    GtContext context;
    GtScene* scene;
    GtFigure figure;
    const GtiShell* shell;
} Subject;

static void open_subject(Subject* s, int32_t triangle_count)
{
    GtError error;
    s->context = gt_default_context();
    s->scene = make_person(&s->context, triangle_count);
    s->figure = test_figure(&s->context, s->scene, GT_NONE);
    GT_EXPECT_OK(gti_figure_shell(&s->context, &s->figure, &s->shell, &error));
}

static void close_subject(Subject* s)
{
    gt_figure_close(&s->figure);
    gt_scene_destroy(s->scene);
}

static GtVec3 place_of(const Subject* s, GtHumanoidJoint joint)
{
    return gti_figure_place(&s->figure, joint);
}

static int compare_floats(const void* left, const void* right)
{
    float a = *(const float*)left;
    float b = *(const float*)right;
    return (a > b) - (a < b);
}

// The marker of a joint at one end of its bone, which is the only one there.
static int32_t marker_at(const Subject* s, const GtMarkers* markers, GtHumanoidJoint joint, bool far)
{
    GtVec3 from = place_of(s, joint);
    GtVec3 along = gt_vec3_sub(place_of(s, joint + 1), from);
    int32_t found = GT_NONE;
    for (int32_t i = 0; i < markers->count; ++i) {
        GtVec3 p = gt_vec3_sub(markers->markers[i].point, from);
        bool is_far = gt_vec3_dot(p, along) > 0.5f * gt_vec3_dot(along, along);
        if (markers->markers[i].node == node_of(s->scene, joint) && is_far == far) {
            assert_int_equal(found, GT_NONE);
            found = i;
        }
    }
    assert_int_not_equal(found, GT_NONE);
    return found;
}

// The widest gap around a bone between points that a marker holds.
static float widest_gap_deg(const Subject* s, const int32_t* holders, int32_t marker, GtHumanoidJoint joint)
{
    GtVec3 from = place_of(s, joint);
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3_sub(place_of(s, joint + 1), from), gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 u = gt_vec3_normalize_or(gt_vec3_cross(axis, gt_vec3(0.3f, 0.5f, 0.8f)), axis);
    GtVec3 v = gt_vec3_cross(axis, u);
    float angles[1024];
    int count = 0;
    for (int32_t i = 0; i < s->shell->point_count && count < 1023; ++i) {
        GtVec3 p = gt_vec3_sub(s->shell->positions[i], from);
        if (holders[i] == marker) {
            angles[count++] = 57.29578f * atan2f(gt_vec3_dot(p, v), gt_vec3_dot(p, u));
        }
    }
    assert_in_range(count, 6, 1000);
    qsort(angles, (size_t)count, sizeof *angles, compare_floats);
    angles[count] = angles[0] + 360.0f;
    float widest = 0.0f;
    for (int i = 0; i < count; ++i) {
        widest = fmaxf(widest, angles[i + 1] - angles[i]);
    }
    return widest;
}

// What markers hold of the subject's points.
static GtHarmonic* hold(const Subject* s, const GtMarkers* markers)
{
    GtError error;
    GtHarmonic* harmonic = NULL;
    GtHarmonicMarker* on = calloc((size_t)markers->count, sizeof *on);
    GtHarmonicDef def = gt_default_harmonic_def();
    for (int32_t i = 0; i < markers->count; ++i) {
        on[i] = gti_marker_on(s->shell, &markers->markers[i]);
    }
    def.positions = s->shell->positions;
    def.vertex_count = s->shell->point_count;
    def.indices = s->shell->corners;
    def.triangle_count = s->shell->triangle_count;
    def.markers = on;
    def.marker_count = markers->count;
    GT_EXPECT_OK(gt_harmonic_create(&s->context, &def, &harmonic, NULL, &error));
    free(on);
    return harmonic;
}

static void rings_go_round_every_limb(void** state)
{
    (void)state;
    Subject s;
    GtMarkersReport report;
    open_subject(&s, 20000);
    GtMarkers* markers = find(&s.context, &s.figure, 1.0f, &report);
    assert_int_equal(report.bare_count, 0);
    assert_int_equal(report.found_count, markers->count);
    GtHarmonic* harmonic = hold(&s, markers);
    for (int i = 0; i < LIMB_COUNT; ++i) {
        for (int side = 0; side < 2; ++side) {
            GtHumanoidJoint joint = side ? gt_humanoid_mirror(limbs[i]) : limbs[i];
            for (int far = 0; far < 2; ++far) {
                int32_t marker = marker_at(&s, markers, joint, far);
                float gap = widest_gap_deg(&s, gt_harmonic_holders(harmonic), marker, joint);
                if (!(gap <= 45.0f)) { // a few points more than eight, which are an edge apart
                    fail_msg("%s: a gap of %g degrees", gt_humanoid_name(joint), (double)gap);
                }
            }
        }
    }
    gt_harmonic_destroy(harmonic);
    gt_markers_destroy(markers);
    close_subject(&s);
}

static void every_joint_with_a_surface_has_markers(void** state)
{
    (void)state;
    Subject s;
    open_subject(&s, 8000);
    GtMarkers* markers = find(&s.context, &s.figure, 1.0f, NULL);
    int32_t of_fingers = 0;
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        bool is_of_face = j == GT_HUMANOID_LEFT_EYE || j == GT_HUMANOID_RIGHT_EYE || j == GT_HUMANOID_JAW;
        int32_t count = count_of(markers, node_of(s.scene, (GtHumanoidJoint)j));
        if (is_of_face != (count == 0)) {
            fail_msg("%s has %d markers", gt_humanoid_name((GtHumanoidJoint)j), (int)count);
        }
        of_fingers += j >= GT_HUMANOID_LEFT_THUMB_METACARPAL ? count : 0;
    }
    assert_in_range(of_fingers, 30, 34); // a band each, or two discs
    assert_in_range(markers->count, 140, 220);
    assert_int_equal(markers->anchor.node, node_of(s.scene, GT_HUMANOID_HIPS));
    gt_markers_destroy(markers);
    close_subject(&s);
}

static bool is_band(const GtMarker* marker)
{
    return gt_vec3_length(marker->band) > 0.0f;
}

// How far two markers are apart: bands along their bones, as arms and legs of the T-pose are straight.
static float distance_between(const GtMarker* a, const GtMarker* b)
{
    GtVec3 way = gt_vec3_sub(b->point, a->point);
    if (is_band(a) && is_band(b)) {
        return fabsf(gt_vec3_dot(way, a->band));
    }
    return gt_vec3_length(way);
}

static float edge_of(const GtiShell* shell, int32_t triangle)
{
    float around = 0.0f;
    for (int c = 0; c < 3; ++c) {
        around += gt_vec3_length(
            gt_vec3_sub(gti_shell_corner(shell, triangle, c), gti_shell_corner(shell, triangle, (c + 1) % 3)));
    }
    return around / 3.0f;
}

static void patches_span_edges_and_leave_room_to_bend(void** state)
{
    (void)state;
    Subject s;
    open_subject(&s, 20000);
    GtMarkers* markers = find(&s.context, &s.figure, 1.5f, NULL);
    double edges = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < markers->count; ++i) {
        const GtMarker* m = &markers->markers[i];
        int32_t t = gti_shell_triangle(s.shell, m->mesh, m->primitive, m->triangle);
        assert_int_not_equal(t, GT_NONE);
        GtVec3 sum = gt_vec3_add(gti_shell_corner(s.shell, t, 0), gti_shell_corner(s.shell, t, 1));
        GtVec3 middle = gt_vec3_scale(gt_vec3_add(sum, gti_shell_corner(s.shell, t, 2)), 1.0f / 3.0f);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(middle, m->point)), 0.0f, 1e-6);
        if (!is_band(m)) {
            edges += (double)(m->radius_m / edge_of(s.shell, t));
            ++count;
        }
        for (int32_t j = 0; j < i; ++j) {
            const GtMarker* other = &markers->markers[j];
            float apart = distance_between(m, other);
            bool are_neighbours =
                s.scene->nodes[other->node].parent == m->node || s.scene->nodes[m->node].parent == other->node;
            assert_true(!are_neighbours || m->radius_m + other->radius_m <= 0.81f * apart);
        }
    }
    if (!(edges / (double)count >= 1.75)) { // two, but less where the next bone is near
        fail_msg("discs span %g edges", edges / (double)count);
    }
    gt_markers_destroy(markers);
    close_subject(&s);
}

// Of the markers of an arm, the nearest to the elbow along the bone.
static float nearest_to_elbow(const Subject* s, const GtMarkers* markers)
{
    GtVec3 elbow = place_of(s, GT_HUMANOID_LEFT_LOWER_ARM);
    GtVec3 axis = gt_vec3_sub(place_of(s, GT_HUMANOID_LEFT_HAND), elbow);
    float length = gt_vec3_length(axis);
    float least = INFINITY;
    for (int32_t i = 0; i < markers->count; ++i) {
        if (markers->markers[i].node == node_of(s->scene, GT_HUMANOID_LEFT_LOWER_ARM)) {
            least = fminf(least, gt_vec3_dot(gt_vec3_sub(markers->markers[i].point, elbow), axis) / length);
        }
    }
    return least;
}

static void softness_moves_rings_away_from_joints(void** state)
{
    (void)state;
    Subject s;
    open_subject(&s, 20000);
    GtMarkers* sharp = find(&s.context, &s.figure, 0.8f, NULL);
    GtMarkers* soft = find(&s.context, &s.figure, 1.6f, NULL);
    float near = nearest_to_elbow(&s, sharp);
    float far = nearest_to_elbow(&s, soft);
    assert_true(near > 0.015f && near < 0.05f);
    GT_EXPECT_NEAR(far / near, 2.0, 0.35); // places are middles of triangles
    gt_markers_destroy(sharp);
    gt_markers_destroy(soft);
    close_subject(&s);
}

static void expect_equal(const GtMarkers* a, const GtMarkers* b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->hash, b->hash);
    for (int32_t i = -1; i < a->count; ++i) {
        const GtMarker* x = i < 0 ? &a->anchor : &a->markers[i];
        const GtMarker* y = i < 0 ? &b->anchor : &b->markers[i];
        assert_int_equal(x->node, y->node);
        assert_int_equal(x->mesh, y->mesh);
        assert_int_equal(x->primitive, y->primitive);
        assert_int_equal(x->triangle, y->triangle);
        assert_memory_equal(&x->radius_m, &y->radius_m, sizeof x->radius_m);
        assert_memory_equal(&x->band, &y->band, sizeof x->band);
        assert_memory_equal(&x->twist, &y->twist, sizeof x->twist);
    }
}

static void files_come_back_as_they_were(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    TestFolder folder;
    test_folder_create(&folder);
    GtScene* scene = make_person(&context, 4000);
    GtFigure figure = test_figure(&context, scene, GT_NONE);
    GtMarkers* markers = find(&context, &figure, 1.0f, NULL);
    GtMarkers* again = NULL;
    GT_EXPECT_OK(gt_markers_save(&context, &figure, markers, test_folder_path(&folder, "m.json"), &error));
    GT_EXPECT_OK(gt_markers_load(&context, &figure, test_folder_path(&folder, "m.json"), &again, &error));
    expect_equal(markers, again);
    gt_markers_destroy(again);

    GtScene* finer = make_person(&context, 5000);
    GtFigure finer_figure = test_figure(&context, finer, GT_NONE);
    GT_EXPECT_ERROR(gt_markers_load(&context, &finer_figure, test_folder_path(&folder, "m.json"), &again, &error),
                    GT_ERROR_BAD_VALUE, "m.json: mesh: the markers are for a mesh of ");
    assert_null(again);
    gt_figure_close(&finer_figure);
    gt_scene_destroy(finer);

    GtMarkers other = *markers; // as many triangles, elsewhere
    other.hash ^= 1;
    GT_EXPECT_OK(gt_markers_save(&context, &figure, &other, test_folder_path(&folder, "o.json"), &error));
    GT_EXPECT_ERROR(gt_markers_load(&context, &figure, test_folder_path(&folder, "o.json"), &again, &error),
                    GT_ERROR_BAD_VALUE, "another mesh of as many vertices and triangles");
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void files_say_what_is_wrong_with_them(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        GtResult code;
        const char* says;
    } cases[] = {
        { "[]", GT_ERROR_BAD_VALUE, "must be markers: an object with a list of markers" },
        { "{}", GT_ERROR_BAD_VALUE, "lacks \"markers\", a list of at most 4096 markers" },
        { "{\"gertie_markers\": 3, \"markers\": []}", GT_ERROR_BAD_VALUE, "gertie_markers: must be 1" },
        { "{\"markers\": 3}", GT_ERROR_BAD_VALUE, "markers: must be a list of at most 4096 markers" },
        { "{\"markers\": [7]}", GT_ERROR_BAD_VALUE, "markers[0]: must be an object" },
        { "{\"markers\": [{\"triangle\": [0, 0, 1]}]}", GT_ERROR_BAD_VALUE,
          "markers[0]: must be an object with joint, or one with node" },
        { "{\"markers\": [{\"joint\": \"leftHnad\", \"triangle\": [0, 0, 1]}]}", GT_ERROR_NOT_FOUND,
          "markers[0].joint: there is no joint 'leftHnad'" },
        { "{\"markers\": [{\"joint\": \"leftHnad\", \"triangle\": [0, 0, 1]}]}", GT_ERROR_NOT_FOUND, "leftHand" },
        { "{\"markers\": [{\"node\": 100000, \"triangle\": [0, 0, 1]}]}", GT_ERROR_BAD_VALUE,
          "markers[0].node: must be" },
        { "{\"markers\": [{\"joint\": \"hips\"}]}", GT_ERROR_BAD_VALUE,
          "markers[0]: must be an object with triangle, or one with point_m" },
        { "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0, 1], \"point_m\": [0, 0, 0]}]}", GT_ERROR_BAD_VALUE,
          "markers[0].point_m: must be left out where a triangle is given" },
        { "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0]}]}", GT_ERROR_BAD_VALUE,
          "markers[0].triangle: must be three" },
        { "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0, 1e9]}]}", GT_ERROR_BAD_VALUE, "of another mesh?" },
        { "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0, -1]}]}", GT_ERROR_BAD_VALUE,
          "markers[0].triangle[2]: must be at least 0" },
        { "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0, 1], \"radius_m\": -1}]}", GT_ERROR_BAD_VALUE,
          "markers[0].radius_m: must be at least 0" },
        { "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0, 1], \"twist\": 2}]}", GT_ERROR_BAD_VALUE,
          "markers[0].twist: must be" },
        { "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0, 1], \"band\": [0, 0, 0]}]}", GT_ERROR_BAD_VALUE,
          "markers[0].band: must be" },
        { "{\"markers\": [{\"joint\": \"hips\", \"point_m\": [0, 1]}]}", GT_ERROR_BAD_VALUE,
          "markers[0].point_m: must be x, y and z in metres" },
        { "{\"mesh\": {\"hash\": \"12\"}, \"markers\": []}", GT_ERROR_BAD_VALUE, "mesh.hash: must be" },
        { "{\"mesh\": {\"vertices\": 0}, \"markers\": []}", GT_ERROR_BAD_VALUE, "mesh.vertices: must be" },
        { "{\"anchor\": {\"joint\": \"hips\"}, \"markers\": []}", GT_ERROR_BAD_VALUE,
          "anchor: must be an object with triangle, or one with point_m" },
        { "{\"mesh\": {\"hash\": \"0123456789abcdeg\"}, \"markers\": []}", GT_ERROR_BAD_VALUE,
          "mesh.hash: must be 16 hex" },
        { "{\"markers\": [], \"mark\": 1}", GT_ERROR_BAD_VALUE, "mark: has no meaning here; did you mean " },
        { "{\"markers\": [", GT_ERROR_BAD_FILE, "line 1" },
    };
    GtError error;
    GtContext context = gt_default_context();
    TestFolder folder;
    test_folder_create(&folder);
    GtScene* scene = make_person(&context, 2000);
    GtFigure figure = test_figure(&context, scene, GT_NONE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtMarkers* markers = NULL;
        test_folder_put(&folder, "bad.json", cases[i].text, strlen(cases[i].text));
        GT_EXPECT_ERROR(gt_markers_load(&context, &figure, test_folder_path(&folder, "bad.json"), &markers, &error),
                        cases[i].code, cases[i].says);
        assert_null(markers);
    }
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void what_is_given_is_kept_and_the_rest_completed(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    TestFolder folder;
    test_folder_create(&folder);
    GtScene* scene = make_person(&context, 4000);
    GtFigure figure = test_figure(&context, scene, GT_NONE);
    GtMarkers* known = NULL;
    GtMarkers* completed = NULL;
    GtMarkersReport report;
    GtMarkers* all = find(&context, &figure, 1.0f, NULL);
    int32_t arm = 0;
    while (all->markers[arm].node != node_of(scene, GT_HUMANOID_LEFT_LOWER_ARM)) {
        ++arm;
    }
    char text[256]; // with the names of a former version
    snprintf(text, sizeof text,
             "{\"markers\": [{\"joint\": \"leftLowerArm\", \"at\": [0, %d, %d], \"radius\": 0.01},"
             "{\"joint\": \"leftLowerArm\", \"point\": [0.5, 1.4, 0], \"radius\": 0.02}]}",
             (int)all->markers[arm].primitive, (int)all->markers[arm].triangle);
    test_folder_put(&folder, "part.json", text, strlen(text));
    GT_EXPECT_OK(gt_markers_load(&context, &figure, test_folder_path(&folder, "part.json"), &known, &error));
    GtMarkersDef def = gt_default_markers_def();
    def.known = known;
    def.softness = 1.0f;
    GT_EXPECT_OK(gt_markers_find(&context, &figure, &def, &completed, &report, &error));
    assert_int_equal(report.known_count, 2);
    assert_int_equal(completed->markers[0].triangle, all->markers[arm].triangle);
    GT_EXPECT_NEAR(completed->markers[1].point.x, 0.5, 0.0);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        bool is_given = n == node_of(scene, GT_HUMANOID_LEFT_LOWER_ARM);
        bool is_beside = n == node_of(scene, GT_HUMANOID_LEFT_UPPER_ARM) || n == node_of(scene, GT_HUMANOID_LEFT_HAND);
        if (is_beside) { // where the given ones may be in the way
            assert_in_range(count_of(completed, n), 2, count_of(all, n) + 4);
        } else {
            assert_int_equal(count_of(completed, n), is_given ? 2 : count_of(all, n));
        }
    }
    gt_markers_destroy(known);
    gt_markers_destroy(completed);
    gt_markers_destroy(all);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void what_cannot_be_is_refused(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_person(&context, 2000);
    GtFigure figure = test_figure(&context, scene, GT_NONE);
    GtMarkers* markers = NULL;
    GtMarkersDef def = gt_default_markers_def();
    def.softness = NAN;
    GT_EXPECT_ERROR(gt_markers_find(&context, &figure, &def, &markers, NULL, &error), GT_ERROR_BAD_VALUE, "softness");
    def = gt_default_markers_def();
    def.ring_size = 3;
    GT_EXPECT_ERROR(gt_markers_find(&context, &figure, &def, &markers, NULL, &error), GT_ERROR_BAD_VALUE,
                    "4 to 64, not 3");
    def = gt_default_markers_def();
    for (int32_t n = 0; n < scene->node_count; ++n) {
        scene->nodes[n].mesh = GT_NONE;
        scene->nodes[n].skin = GT_NONE;
    }
    gt_figure_close(&figure);
    figure = test_figure(&context, scene, GT_NONE);
    GT_EXPECT_ERROR(gt_markers_find(&context, &figure, &def, &markers, NULL, &error), GT_ERROR_NOT_FOUND, "no mesh");
    assert_null(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    GtScene* scene = make_person(&context, 2000);
    GtMarkersDef def = gt_default_markers_def();
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtMarkers* markers = NULL;
        GtFigure figure;
        memory.remaining = allowed;
        result = gt_figure_open(&context, scene, NULL, &figure, &error);
        result = result == GT_OK ? gt_markers_find(&context, &figure, &def, &markers, NULL, &error) : result;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_true((markers != NULL) == (result == GT_OK));
        gt_markers_destroy(markers);
        gt_figure_close(&figure);
        assert_int_equal(memory.alive, 0);
    }
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_go_round_every_limb),
        cmocka_unit_test(every_joint_with_a_surface_has_markers),
        cmocka_unit_test(patches_span_edges_and_leave_room_to_bend),
        cmocka_unit_test(softness_moves_rings_away_from_joints),
        cmocka_unit_test(files_come_back_as_they_were),
        cmocka_unit_test(files_say_what_is_wrong_with_them),
        cmocka_unit_test(what_is_given_is_kept_and_the_rest_completed),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
