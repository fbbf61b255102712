// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A tube that bends drives another: alike; or smaller, turned, cut otherwise, and paired at a few places.

#include "harmonic/tube.h"
#include "support/figure.h"
#include "support/folder.h"

#include "gertie/accessor.h"
#include "gertie/mesh_template.h"

#include "figure/figure.h"

static const GtQuat turned = { 0.0f, 0.3826834f, 0.0f, 0.9238795f }; // 45 degrees about y
static const float shrunk = 0.5f;

// Bent along an arc of 1.2 radians from the middle up.
static GtVec3 bend(GtVec3 p)
{
    float angle = 1.2f * fmaxf(p.y, 0.0f);
    if (p.y <= 0.0f) {
        return p;
    }
    float radius = 1.0f / 1.2f;
    return gt_vec3(radius - (radius - p.x) * cosf(angle), (radius - p.x) * sinf(angle), p.z);
}

static GtVec3 place(GtVec3 p)
{
    return gt_vec3_add(gt_vec3_scale(gt_quat_rotate(turned, p), shrunk), gt_vec3(3.0f, 0.0f, 1.0f));
}

// A tube as a scene; with a morph that bends it, and a clip that goes there within a second.
static GtScene* make_scene(const GtContext* context, const Tube* tube, bool is_placed, bool moves)
{
    GtError error;
    GtScene* scene = NULL;
    int32_t count = tube->def.vertex_count;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    GtAttribute* attributes = gt_scene_push(scene, 2, sizeof *attributes);
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    GtVec3* values = calloc((size_t)count, sizeof *values);
    for (int32_t v = 0; v < count; ++v) {
        values[v] = is_placed ? place(tube->positions[v]) : tube->positions[v];
    }
    *primitive = (GtPrimitive){ .mode = GT_MODE_TRIANGLES, .material = GT_NONE };
    attributes[0].name = attributes[1].name = "POSITION";
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, values, (uint64_t)count,
                                   &attributes[0].accessor, &error));
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, tube->indices,
                                   3 * (uint64_t)tube->def.triangle_count, &primitive->indices, &error));
    primitive->attributes = attributes;
    primitive->attribute_count = 1;
    GtMesh mesh = { .primitives = primitive, .primitive_count = 1 };
    if (moves) {
        GtMorphTarget* target = gt_scene_push(scene, 1, sizeof *target);
        for (int32_t v = 0; v < count; ++v) {
            values[v] = gt_vec3_sub(bend(tube->positions[v]), tube->positions[v]);
        }
        GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, values,
                                       (uint64_t)count, &attributes[1].accessor, &error));
        *target = (GtMorphTarget){ &attributes[1], 1 };
        primitive->targets = target;
        mesh.target_count = 1;
    }
    free(values);
    GtNode node = gt_default_node();
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &node.mesh, &error));
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    if (moves) {
        static const float times[2] = { 0.0f, 1.0f };
        GtAnimationSampler* sampler = gt_scene_push(scene, 1, sizeof *sampler);
        GtAnimationChannel* channel = gt_scene_push(scene, 1, sizeof *channel);
        GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, 2,
                                       &sampler->input, &error));
        GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, 2,
                                       &sampler->output, &error));
        *channel = (GtAnimationChannel){ .path = GT_PATH_WEIGHTS };
        GtAnimation clip = {
            .name = "bend", .samplers = sampler, .sampler_count = 1, .channels = channel, .channel_count = 1
        };
        GT_EXPECT_OK(gt_scene_add_animation(scene, &clip, NULL, &error));
    }
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    return scene;
}

typedef struct Meshes {
    Tube tubes[2];
    GtScene* scenes[2];
    GtFigure from, to;
} Meshes;

static Meshes make_meshes(const GtContext* context, bool alike)
{
    Meshes m = { .tubes = { tube_create(16, 24), alike ? tube_create(16, 24) : tube_create(22, 36) } };
    m.scenes[0] = make_scene(context, &m.tubes[0], false, true);
    m.scenes[1] = make_scene(context, &m.tubes[1], !alike, false);
    m.from = test_figure(context, m.scenes[0], 0);
    m.to = test_figure(context, m.scenes[1], GT_NONE);
    return m;
}

static void destroy_meshes(Meshes* m)
{
    gt_figure_close(&m->from);
    gt_figure_close(&m->to);
    for (int i = 0; i < 2; ++i) {
        gt_scene_destroy(m->scenes[i]);
        tube_destroy(&m->tubes[i]);
    }
}

// How far vertices of the last frame are from the bent tube, on average, after the mean is taken off.
static double mean_miss(const GtContext* context, const Tube* tube, const GtHarmonicClip* clip, bool is_placed)
{
    GtError error;
    int32_t count = clip->vertex_count;
    GtVec3* posed = calloc((size_t)count, sizeof *posed);
    GT_EXPECT_OK(gt_harmonic_clip_pose(context, clip, clip->frame_count - 1, 1, posed, &error));
    double sum = 0.0;
    for (int32_t v = 0; v < count; ++v) {
        GtVec3 wanted = bend(tube->positions[v]);
        wanted = is_placed ? place(wanted) : wanted;
        assert_true(isfinite(posed[v].x + posed[v].y + posed[v].z));
        sum += (double)gt_vec3_length(gt_vec3_sub(posed[v], wanted));
    }
    free(posed);
    return sum / count;
}

static void a_mesh_that_is_alike_follows(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    Meshes m = make_meshes(&context, true);
    GtMeshTemplateDef def = gt_default_mesh_template_def();
    GtMeshTemplateReport report;
    GtScene* scene = NULL;
    GtHarmonicClip* clip = NULL;
    GtScene* baked = NULL;
    def.rate_hz = 10.0;
    GT_EXPECT_OK(gt_mesh_template_clip(&context, &m.from, &m.to, &def, &scene, &clip, NULL, &report, &error));
    assert_int_equal(clip->frame_count, 11);
    assert_int_equal(report.known_count, 0);
    assert_in_range(report.marker_count, 40, 120);
    GT_EXPECT_NEAR(report.scale, 1.0, 1e-4);
    assert_true(mean_miss(&context, &m.tubes[1], clip, false) < 0.01 * (double)TUBE_LENGTH);
    GtHarmonicBakeDef bake = gt_default_harmonic_bake_def();
    bake.max_growth = 0.0;
    GtHarmonicBakeReport baking;
    GtFigure figure = test_figure(&context, scene, clip->animation);
    GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &figure, clip, &bake, &baked, &baking, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, baked, &error));
    assert_string_equal(baked->animations[0].name, "bend");
    assert_true(baking.error_rms_m < 0.0005 && baking.shape_count > 0);
    gt_scene_destroy(baked);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    gt_harmonic_clip_destroy(clip);
    destroy_meshes(&m);
}

// Pairs at places along the tube, written as a person would.
static void write_pairs(const TestFolder* folder, const char* name, bool is_wrong)
{
    char text[4096];
    int at = snprintf(text, sizeof text, "{\"gertie_marker_pairs\": 1, \"pairs\": [");
    for (int i = 0; i < 12; ++i) {
        GtVec3 from = tube_point((float)(i % 3) / 3.0f, (float)(i / 3) / 3.0f);
        GtVec3 to = place(is_wrong && i == 7 ? tube_point(0.1f, 0.0f) : from);
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"template_point\": [%g, %g, %g], \"target_point\": [%g, %g, %g]}", i ? ", " : "",
                       (double)from.x, (double)from.y, (double)from.z, (double)to.x, (double)to.y, (double)to.z);
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "]}");
    test_folder_put(folder, name, text, (size_t)at);
}

static void a_few_pairs_are_enough(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    Meshes m = make_meshes(&context, false);
    TestFolder folder;
    test_folder_create(&folder);
    write_pairs(&folder, "pairs.json", false);
    write_pairs(&folder, "wrong.json", true);
    GtMarkerPairs* known = NULL;
    GtMarkerPairs* used = NULL;
    GtMarkerPairs* again = NULL;
    GtScene* scene = NULL;
    GtHarmonicClip* clip = NULL;
    GtMeshTemplateReport report;
    GtMeshTemplateDef def = gt_default_mesh_template_def();
    GT_EXPECT_ERROR(gt_mesh_template_clip(&context, &m.from, &m.to, &def, &scene, &clip, NULL, NULL, &error),
                    GT_ERROR_BAD_VALUE, "give pairs of corresponding points");
    GT_EXPECT_OK(
        gt_marker_pairs_load(&context, &m.from, &m.to, test_folder_path(&folder, "pairs.json"), &known, &error));
    assert_int_equal(known->count, 12);
    def.known = known;
    def.rate_hz = 5.0;
    GT_EXPECT_OK(gt_mesh_template_clip(&context, &m.from, &m.to, &def, &scene, &clip, &used, &report, &error));
    GT_EXPECT_NEAR(report.scale, shrunk, 0.02);
    assert_true(report.misfit < 0.05 && report.known_count == 12 && report.marker_count > 60);
    assert_true(mean_miss(&context, &m.tubes[1], clip, true) < 0.02 * (double)(shrunk * TUBE_LENGTH));
    const char* path = test_folder_path(&folder, "used.json");
    GT_EXPECT_OK(gt_marker_pairs_save(&context, &m.from, &m.to, used, path, &error));
    GT_EXPECT_OK(gt_marker_pairs_load(&context, &m.from, &m.to, path, &again, &error));
    assert_int_equal(again->count, used->count);
    assert_memory_equal(again->pairs, used->pairs, (size_t)used->count * sizeof *used->pairs);
    gt_marker_pairs_destroy(again);
    gt_marker_pairs_destroy(known);
    gt_marker_pairs_destroy(used);
    gt_scene_destroy(scene);
    gt_harmonic_clip_destroy(clip);

    GT_EXPECT_OK(
        gt_marker_pairs_load(&context, &m.from, &m.to, test_folder_path(&folder, "wrong.json"), &known, &error));
    def.known = known;
    def.marker_count = 0;
    GT_EXPECT_OK(gt_mesh_template_clip(&context, &m.from, &m.to, &def, &scene, &clip, NULL, &report, &error));
    assert_int_equal(report.worst_pair, 7);
    assert_int_equal(report.marker_count, 12);
    gt_marker_pairs_destroy(known);
    gt_scene_destroy(scene);
    gt_harmonic_clip_destroy(clip);
    test_folder_remove(&folder);
    destroy_meshes(&m);
}

static void what_cannot_be_paired_is_refused(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* said;
    } bad[] = {
        { "{}", "lacks \"gertie_pairs\"" },
        { "{\"gertie_pairs\": 1, \"pairs\": []}", "pairs: must be a list of 1 to 4096 pairs, and has 0 items" },
        { "{\"gertie_pairs\": 1, \"pairs\": [3]}", "pairs[0]: must be an object" },
        { "{\"gertie_pairs\": 1, \"pairs\": [{\"template_triangle\": [0, 0, 1]}]}",
          "pairs[0]: must be an object with target_triangle, or one with target_point_m" },
        { "{\"gertie_pairs\": 1, \"pairs\": [{\"template_triangle\": [0, 0, 99999], \"target_triangle\": [0, 0, 1]}]}",
          "pairs[0].template_triangle: must be a triangle of the scene" },
        { "{\"gertie_pairs\": 1, \"pairs\": [{\"template_triangle\": [0, 0, 1], \"target_triangle\": [0, 0, 1], "
          "\"radius_m\": -1}]}",
          "pairs[0].radius_m: must be at least 0" },
        { "{\"gertie_pairs\": 1, \"pairs\": [{\"template_triangle\": [0, 0, 1], \"target_triangle\": [0, 0, 1], "
          "\"target_point_m\": [0, 0, 0]}]}",
          "pairs[0].target_point_m: must be left out where a triangle is given" },
    };
    GtError error;
    GtContext context = gt_default_context();
    Meshes m = make_meshes(&context, false);
    TestFolder folder;
    test_folder_create(&folder);
    GtMarkerPairs* pairs = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        test_folder_put(&folder, "bad.json", bad[i].text, strlen(bad[i].text));
        GT_EXPECT_ERROR(
            gt_marker_pairs_load(&context, &m.from, &m.to, test_folder_path(&folder, "bad.json"), &pairs, &error),
            GT_ERROR_BAD_VALUE, bad[i].said);
        assert_null(pairs);
    }
    GtMarkerPair twice[2] = { { 5, 5, -1.0f }, { 9, 5, -1.0f } };
    GtMarkerPairs known = { .pairs = twice, .count = 2 };
    GtMeshTemplateDef def = gt_default_mesh_template_def();
    GtScene* scene = NULL;
    GtHarmonicClip* clip = NULL;
    def.known = &known;
    context.strict = true;
    GT_EXPECT_ERROR(gt_mesh_template_clip(&context, &m.from, &m.to, &def, &scene, &clip, NULL, NULL, &error),
                    GT_ERROR_STRICT, "pair 1 names a triangle of the target that another pair has");
    twice[1].to = 1 << 20;
    GT_EXPECT_ERROR(gt_mesh_template_clip(&context, &m.from, &m.to, &def, &scene, &clip, NULL, NULL, &error),
                    GT_ERROR_BAD_VALUE, "pair 1 names a triangle that does not exist");
    GtFigure still = test_figure(&context, m.scenes[0], GT_NONE);
    GT_EXPECT_ERROR(gt_mesh_template_clip(&context, &still, &m.to, &def, &scene, &clip, NULL, NULL, &error),
                    GT_ERROR_NOT_FOUND, "the template has no clip");
    gt_figure_close(&still);
    test_folder_remove(&folder);
    destroy_meshes(&m);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    Meshes m = make_meshes(&context, true);
    GtMeshTemplateDef def = gt_default_mesh_template_def();
    def.rate_hz = 1.0;
    GtFigureDef playing = gti_figure_playing(0, NULL);
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtScene* scene = NULL;
        GtHarmonicClip* clip = NULL;
        GtFigure from = { 0 };
        GtFigure to = { 0 };
        memory.remaining = allowed;
        result = gt_figure_open(&context, m.scenes[0], &playing, &from, &error);
        result = result == GT_OK ? gt_figure_open(&context, m.scenes[1], NULL, &to, &error) : result;
        if (result == GT_OK) {
            result = gt_mesh_template_clip(&context, &from, &to, &def, &scene, &clip, NULL, NULL, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_true((clip != NULL) == (result == GT_OK));
        gt_scene_destroy(scene);
        gt_harmonic_clip_destroy(clip);
        gt_figure_close(&from);
        gt_figure_close(&to);
        assert_int_equal(memory.alive, 0);
    }
    destroy_meshes(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_that_is_alike_follows),
        cmocka_unit_test(a_few_pairs_are_enough),
        cmocka_unit_test(what_cannot_be_paired_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
