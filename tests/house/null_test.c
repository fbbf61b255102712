// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What may be NULL by a rule of the interface (docs/architecture.md): what is destroyed. tests/house/interface.sh sees
// to it that no function is left out here.

#include "gertie/gertie.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdlib.h>

static void test_destroy_takes_null(void** state)
{
    (void)state;
    gt_arena_destroy(NULL);
    gt_batch_destroy(NULL);
    gt_batch_list_destroy(NULL);
    gt_blend_space_destroy(NULL);
    gt_blob_release(NULL);
    gt_character_destroy(NULL);
    gt_clip_destroy(NULL);
    gt_contacts_destroy(NULL);
    gt_curve_destroy(NULL);
    gt_drivers_destroy(NULL);
    gt_drivers_state_destroy(NULL);
    gt_face_destroy(NULL);
    gt_figure_close(NULL);
    gt_film_destroy(NULL);
    gt_formula_destroy(NULL);
    gt_ground_destroy(NULL);
    gt_hand_keys_destroy(NULL);
    gt_harmonic_clip_destroy(NULL);
    gt_harmonic_destroy(NULL);
    gt_harmonic_player_destroy(NULL);
    gt_ik_solver_destroy(NULL);
    gt_instance_destroy(NULL);
    gt_json_destroy(NULL);
    gt_marker_pairs_destroy(NULL);
    gt_markers_destroy(NULL);
    gt_measure_destroy(NULL);
    gt_pack_close(NULL);
    gt_person_layers_destroy(NULL);
    gt_picture_destroy(NULL);
    gt_plot_series_set_destroy(NULL);
    gt_pose_mirror_destroy(NULL);
    gt_renderer_destroy(NULL);
    gt_retarget_destroy(NULL);
    gt_root_path_destroy(NULL);
    gt_scene_destroy(NULL);
    gt_sculpt_destroy(NULL);
    gt_sculpt_player_destroy(NULL);
    gt_shape_controls_destroy(NULL);
    gt_shape_regions_destroy(NULL);
    gt_shot_destroy(NULL);
    gt_survey_destroy(NULL);
    gt_take_destroy(NULL);
    gt_text_destroy(NULL);
    gt_thread_pool_destroy(NULL);
    gt_track_set_destroy(NULL);
}

// What was created goes back to its own allocator; memory that the caller gave stays the caller's.
static void test_destroy_gives_back_what_was_created(void** state)
{
    (void)state;
    GtError error;
    TestAllocator counter = { .remaining = -1 };
    GtAllocator allocator = test_allocator(&counter);
    GtCharacterDef def = gt_default_character_def();
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(allocator, &def, &character, &error));
    int64_t before = counter.alive;

    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_instance_create(allocator, character, &instance, &error));
    assert_int_equal(counter.alive, before + 1);
    gt_instance_destroy(instance);
    GtDriversDef drivers_def = gt_default_drivers_def();
    drivers_def.character = character;
    GtDrivers* drivers = NULL;
    GtDriversState* live = NULL;
    GT_EXPECT_OK(gt_drivers_create(gt_default_allocator(), &drivers_def, &drivers, &error));
    GT_EXPECT_OK(gt_drivers_state_create(allocator, drivers, &live, &error));
    assert_int_equal(counter.alive, before + 1);
    gt_drivers_state_destroy(live);
    GtPicture picture;
    GT_EXPECT_OK(gt_picture_create(allocator, 2, 2, &picture, &error));
    assert_int_equal(counter.alive, before + 1);
    gt_picture_destroy(&picture);
    assert_null(picture.rgba);
    assert_int_equal(counter.alive, before);

    void* memory = aligned_alloc(16, (gt_instance_size(character) + 15) / 16 * 16);
    gt_instance_destroy(gt_instance_init(character, memory));
    free(memory);
    memory = aligned_alloc(16, (gt_drivers_state_size(drivers) + 15) / 16 * 16);
    gt_drivers_state_destroy(gt_drivers_state_init(drivers, memory));
    free(memory);
    uint8_t pixel[4] = { 1, 2, 3, 4 };
    picture = (GtPicture){ .width = 1, .height = 1, .rgba = pixel };
    gt_picture_destroy(&picture);
    gt_drivers_destroy(drivers);
    gt_character_destroy(character);
    assert_int_equal(counter.alive, 0);
}

// Call a function with NULL for `def` and with the default, and want the same result and the same error. What is
// between the calls frees `out`, so that nothing of the first is left for the second.
#define EXPECT_DEFAULT(Def, default_def, call, release)                                                                \
    do {                                                                                                               \
        const Def usual = default_def;                                                                                 \
        GtResult results[2];                                                                                           \
        char texts[2][1024] = { "", "" };                                                                              \
        for (int k = 0; k < 2; ++k) {                                                                                  \
            const Def* def = k ? &usual : NULL;                                                                        \
            memset(&error, 0, sizeof error);                                                                           \
            results[k] = (call);                                                                                       \
            gt_error_format(&error, texts[k], results[k] == GT_OK ? 0 : sizeof texts[k]);                              \
            release;                                                                                                   \
        }                                                                                                              \
        if (results[0] != results[1] || strcmp(texts[0], texts[1]) != 0) {                                             \
            fail_msg("%s: NULL gives '%s' (%s), the default '%s' (%s)", #call, texts[0], gt_result_name(results[0]),   \
                     texts[1], gt_result_name(results[1]));                                                            \
        }                                                                                                              \
    } while (0)

// What most functions work on: a small person, its motion, and what is built from them.
typedef struct World {
    GtContext context;
    GtAllocator allocator;
    TestFolder folder;
    GtScene* person;
    GtScene* motion;
    GtFigure body;          // the person
    GtFigure source;        // the motion
    GtCharacter* character; // of the motion
    GtClip* clip;
    GtTake* take;
} World;

static World make_world(void)
{
    GtError error;
    World w = { .context = gt_default_context(), .allocator = gt_default_allocator() };
    test_folder_create(&w.folder);
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 2000;
    GtMotionDef motion = gt_default_motion_def(GT_MOTION_WALK);
    motion.repeat_count = 1;
    GT_EXPECT_OK(gt_sample_person(&w.context, &person, &w.person, NULL, &error));
    GT_EXPECT_OK(gt_sample_motion(&w.context, &motion, &w.motion, NULL, &error));
    GtFigureDef plays = gt_default_figure_def();
    plays.animation = 0;
    GT_EXPECT_OK(gt_figure_open(&w.context, w.person, NULL, &w.body, &error));
    GT_EXPECT_OK(gt_figure_open(&w.context, w.motion, &plays, &w.source, &error));
    GT_EXPECT_OK(gt_character_build(&w.context, w.motion, NULL, &w.character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&w.context, w.motion, 0, w.character, &w.clip, &error));
    GT_EXPECT_OK(gt_take_create(&w.context, w.motion, NULL, &w.take, &error));
    return w;
}

static void free_world(World* w)
{
    gt_take_destroy(w->take);
    gt_clip_destroy(w->clip);
    gt_character_destroy(w->character);
    gt_figure_close(&w->source);
    gt_figure_close(&w->body);
    gt_scene_destroy(w->motion);
    gt_scene_destroy(w->person);
    test_folder_remove(&w->folder);
}

static void test_runtime_defs_may_be_null(void** state)
{
    (void)state;
    GtError error;
    World w = make_world();
    GtAllocator a = w.allocator;
    GtCharacter* character;
    EXPECT_DEFAULT(GtCharacterDef, gt_default_character_def(), gt_character_create(a, def, &character, &error),
                   gt_character_destroy(character));
    GtClip* clip;
    EXPECT_DEFAULT(GtClipDef, gt_default_clip_def(), gt_clip_create(a, def, &clip, &error), gt_clip_destroy(clip));
    GtCurve* curve;
    EXPECT_DEFAULT(GtCurveDef, gt_default_curve_def(), gt_curve_create(a, def, &curve, &error),
                   gt_curve_destroy(curve));
    GtBlendSpace* space;
    EXPECT_DEFAULT(GtBlendSpaceDef, gt_default_blend_space_def(), gt_blend_space_create(a, def, &space, &error),
                   gt_blend_space_destroy(space));
    GtTrackSet* set;
    EXPECT_DEFAULT(GtTrackSetDef, gt_default_track_set_def(), gt_track_set_create(a, def, &set, &error),
                   gt_track_set_destroy(set));
    GtDrivers* drivers;
    EXPECT_DEFAULT(GtDriversDef, gt_default_drivers_def(), gt_drivers_create(a, def, &drivers, &error),
                   gt_drivers_destroy(drivers));
    GtIkSolver* solver;
    EXPECT_DEFAULT(GtIkSolverDef, gt_default_ik_solver_def(), gt_ik_solver_create(a, w.character, def, &solver, &error),
                   gt_ik_solver_destroy(solver));
    GtRootPath* path;
    EXPECT_DEFAULT(GtRootPathDef, gt_default_root_path_def(),
                   gt_root_path_create(a, w.character, w.clip, def, &path, &error), gt_root_path_destroy(path));
    free_world(&w);
}

static void test_lattice_defs_may_be_null(void** state)
{
    (void)state;
    GtError error;
    GtLatticeDef lattice = gt_default_lattice_def();
    GtVec3 rest[2][64], moved[2] = { { 0.3f, 0.4f, 0.5f }, { 0.3f, 0.4f, 0.5f } };
    EXPECT_DEFAULT(GtLatticeDef, gt_default_lattice_def(), gt_lattice_check(def, &error), (void)0);
    assert_int_equal(gt_lattice_point_count(NULL), 64);
    assert_int_equal(gt_lattice_index(NULL, 1, 2, 3), gt_lattice_index(&lattice, 1, 2, 3));
    gt_lattice_rest(NULL, rest[0]);
    gt_lattice_rest(&lattice, rest[1]);
    assert_memory_equal(rest[0], rest[1], sizeof rest[0]);
    rest[0][63].x += 0.25f;
    gt_lattice_apply(NULL, rest[0], 1, moved, moved, NULL);
    gt_lattice_apply(&lattice, rest[0], 1, moved + 1, moved + 1, NULL);
    assert_memory_equal(&moved[0], &moved[1], sizeof moved[0]);
    assert_true(gt_lattice_folds(NULL, rest[0]) == gt_lattice_folds(&lattice, rest[0]));
}

static void test_scene_library_defs_may_be_null(void** state)
{
    (void)state;
    World w = make_world();
    const GtContext* c = &w.context;
    GtScene* scene;
    GtBlob* blob;
    GtCharacter* character;
    GtClip* clip;
    GtError error;
    const char* path = test_folder_path(&w.folder, "motion.glb");
    EXPECT_DEFAULT(GtSaveDef, gt_default_save_def(), gt_scene_save(c, w.motion, path, def, &error), (void)0);
    GtSaveDef save = gt_default_save_def();
    GtSaveLoss losses[2][GT_SAVE_LOSS_COUNT];
    assert_int_equal(gt_save_losses(c, w.person, "obj", NULL, losses[0]),
                     gt_save_losses(c, w.person, "obj", &save, losses[1]));
    EXPECT_DEFAULT(GtLoadDef, gt_default_load_def(), gt_scene_load(c, path, def, &scene, &error),
                   gt_scene_destroy(scene));
    EXPECT_DEFAULT(GtLoadDef, gt_default_load_def(), gt_motion_load(c, path, def, &scene, &error),
                   gt_scene_destroy(scene));
    EXPECT_DEFAULT(GtSaveDef, gt_default_save_def(), gt_scene_save_memory(c, w.motion, "bvh", def, &blob, &error),
                   gt_blob_release(blob));
    GT_EXPECT_OK(gt_scene_save_memory(c, w.motion, "glb", NULL, &blob, &error));
    EXPECT_DEFAULT(GtLoadDef, gt_default_load_def(),
                   gt_scene_load_memory(c, gt_blob_bytes(blob), gt_blob_size(blob), NULL, def, &scene, &error),
                   gt_scene_destroy(scene));
    gt_blob_release(blob);
    EXPECT_DEFAULT(GtBuildDef, gt_default_build_def(), gt_character_build(c, w.person, def, &character, NULL, &error),
                   gt_character_destroy(character));
    EXPECT_DEFAULT(GtClipPackDef, gt_default_clip_pack_def(),
                   gt_clip_pack(c, w.clip, w.character, def, &clip, NULL, &error), gt_clip_destroy(clip));
    EXPECT_DEFAULT(GtPackDef, gt_default_pack_def(), gt_pack_write(w.allocator, def, &blob, &error),
                   gt_blob_release(blob));
    EXPECT_DEFAULT(GtBakeDef, gt_default_bake_def(), gt_scene_bake(c, w.motion, def, NULL, &error), (void)0);
    EXPECT_DEFAULT(GtPointCacheDef, gt_default_point_cache_def(),
                   gt_point_cache_save(c, test_folder_path(&w.folder, "empty.pc2"), def, &error), (void)0);
    free_world(&w);
}

static void test_motion_defs_may_be_null(void** state)
{
    (void)state;
    GtError error;
    World w = make_world();
    const GtContext* c = &w.context;
    GtScene* scene;
    GtTake* take;
    GtHumanoidMap map;
    GtContacts* contacts;
    GtRetarget* retarget;
    GtMeasure* measure;
    EXPECT_DEFAULT(GtMapDef, gt_default_map_def(), gt_map_humanoid(c, w.person, def, &map, NULL, &error), (void)0);
    GtFigure figure;
    EXPECT_DEFAULT(GtFigureDef, gt_default_figure_def(), gt_figure_open(c, w.person, def, &figure, &error),
                   gt_figure_close(&figure));
    EXPECT_DEFAULT(GtFigureDef, gt_default_figure_def(), gt_sculpt_figure_open(c, w.person, def, &figure, &error),
                   gt_figure_close(&figure));
    EXPECT_DEFAULT(GtContactsDef, gt_default_contacts_def(), gt_contacts_find(c, &w.source, def, &contacts, &error),
                   gt_contacts_destroy(contacts));
    EXPECT_DEFAULT(GtTakeDef, gt_default_take_def(), gt_take_create(c, w.motion, def, &take, &error),
                   gt_take_destroy(take));
    EXPECT_DEFAULT(GtJoinDef, gt_default_join_def(), gt_take_join(c, w.take, w.take, def, &take, &error),
                   gt_take_destroy(take));
    EXPECT_DEFAULT(GtLoopDef, gt_default_loop_def(), gt_take_loop(c, w.take, w.motion, def, &take, NULL, &error),
                   gt_take_destroy(take));
    EXPECT_DEFAULT(GtPlantDef, gt_default_plant_def(), gt_take_plant(c, w.take, w.motion, def, &take, NULL, &error),
                   gt_take_destroy(take));
    EXPECT_DEFAULT(GtRetargetDef, gt_default_retarget_def(),
                   gt_retarget_create(c, &w.source, &w.body, def, &retarget, &error), gt_retarget_destroy(retarget));
    EXPECT_DEFAULT(GtAnimateDef, gt_default_animate_def(), gt_animate(c, w.person, w.motion, def, &scene, NULL, &error),
                   gt_scene_destroy(scene));
    GtHarmonicClip* clip;
    EXPECT_DEFAULT(GtAnimateDef, gt_default_animate_def(),
                   gt_animate_frames(c, w.person, w.motion, def, &scene, &clip, NULL, &error),
                   (gt_scene_destroy(scene), gt_harmonic_clip_destroy(clip)));
    EXPECT_DEFAULT(GtExportDef, gt_default_export_def(),
                   gt_export(c, w.motion, def, test_folder_path(&w.folder, "walk.pc2"), NULL, &error), (void)0);
    EXPECT_DEFAULT(GtMeasureDef, gt_default_measure_def(), gt_measure(c, w.motion, def, &measure, &error),
                   gt_measure_destroy(measure));
    EXPECT_DEFAULT(GtRigDef, gt_default_rig_def(), gt_rig(c, w.person, def, &scene, NULL, &error),
                   gt_scene_destroy(scene));
    EXPECT_DEFAULT(GtMotionDef, gt_default_motion_def(GT_MOTION_WALK), gt_sample_motion(c, def, &scene, NULL, &error),
                   gt_scene_destroy(scene));
    EXPECT_DEFAULT(GtPersonDef, gt_default_person_def(), gt_sample_person(c, def, &scene, NULL, &error),
                   gt_scene_destroy(scene));
    GtPersonLayers* layers;
    EXPECT_DEFAULT(GtPersonDef, gt_default_person_def(), gt_person_layers_create(c, def, &layers, &error),
                   gt_person_layers_destroy(layers));
    free_world(&w);
}

static void test_deformation_defs_may_be_null(void** state)
{
    (void)state;
    World w = make_world();
    const GtContext* c = &w.context;
    GtError error;
    GtScene* scene = NULL;
    GtScene* walking = NULL;
    GT_EXPECT_OK(gt_animate(c, w.person, w.motion, NULL, &walking, NULL, &error));
    GtFigure figure;
    GtFigureDef plays = gt_default_figure_def();
    plays.animation = 0;
    GT_EXPECT_OK(gt_figure_open(c, walking, &plays, &figure, &error));
    GtMarkers* markers = NULL;
    GtHarmonic* harmonic;
    GtHarmonicClip* clip = NULL;
    EXPECT_DEFAULT(GtHarmonicDef, gt_default_harmonic_def(), gt_harmonic_create(c, def, &harmonic, NULL, &error),
                   gt_harmonic_destroy(harmonic));
    EXPECT_DEFAULT(GtMarkersDef, gt_default_markers_def(), gt_markers_find(c, &figure, def, &markers, NULL, &error),
                   gt_markers_destroy(markers));
    GT_EXPECT_OK(gt_markers_find(c, &figure, NULL, &markers, NULL, &error));
    EXPECT_DEFAULT(GtHarmonicClipDef, gt_default_harmonic_clip_def(),
                   gt_harmonic_clip_create(c, &figure, markers, def, &clip, NULL, &error),
                   gt_harmonic_clip_destroy(clip));
    GT_EXPECT_OK(gt_harmonic_clip_create(c, &figure, markers, NULL, &clip, NULL, &error));
    EXPECT_DEFAULT(GtHarmonicBakeDef, gt_default_harmonic_bake_def(),
                   gt_harmonic_clip_bake(c, &figure, clip, def, &scene, NULL, &error), gt_scene_destroy(scene));
    gt_harmonic_clip_destroy(clip);
    GtCharacter* harmonic_skinned;
    EXPECT_DEFAULT(GtHarmonicCharacterDef, gt_default_harmonic_character_def(),
                   gt_harmonic_character(c, &figure, markers, def, &harmonic_skinned, NULL, &error),
                   gt_character_destroy(harmonic_skinned));
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    GtMarkerPairs* pairs = NULL;
    EXPECT_DEFAULT(GtMeshTemplateDef, gt_default_mesh_template_def(),
                   gt_mesh_template_clip(c, &w.body, &w.body, def, &scene, &clip, &pairs, NULL, &error),
                   (gt_scene_destroy(scene), gt_harmonic_clip_destroy(clip), gt_marker_pairs_destroy(pairs)));

    GtSculpt* sculpt = NULL;
    GtCharacter* character;
    GtSculpt* kept;
    GtSculptPlayer* player;
    GT_EXPECT_OK(gt_sculpt_preset(c, walking, "breath", &sculpt, &error));
    EXPECT_DEFAULT(GtBuildDef, gt_default_build_def(),
                   gt_sculpt_character(c, walking, sculpt, def, &character, NULL, &error),
                   gt_character_destroy(character));
    EXPECT_DEFAULT(GtBuildDef, gt_default_build_def(), gt_sculpt_build_kept(c, walking, def, &kept, &character, &error),
                   (gt_sculpt_destroy(kept), gt_character_destroy(character)));
    EXPECT_DEFAULT(GtSculptPlayerDef, gt_default_sculpt_player_def(), gt_sculpt_player_create(c, def, &player, &error),
                   gt_sculpt_player_destroy(player));
    EXPECT_DEFAULT(GtSculptBakeDef, gt_default_sculpt_bake_def(),
                   gt_sculpt_bake(c, w.person, sculpt, def, &scene, NULL, &error), gt_scene_destroy(scene));
    gt_sculpt_destroy(sculpt);
    GtShapeControls* controls;
    EXPECT_DEFAULT(GtShapeControlsDef, gt_default_shape_controls_def(),
                   gt_shape_controls_create(c, def, &controls, &error), gt_shape_controls_destroy(controls));
    GtShapeRegions* regions;
    EXPECT_DEFAULT(GtShapeRegionsDef, gt_default_shape_regions_def(),
                   gt_shape_regions_find(c, w.person, 0, def, &regions, &error), gt_shape_regions_destroy(regions));
    const char* path = test_folder_path(&w.folder, "person.glb");
    GT_EXPECT_OK(gt_scene_save(c, w.person, path, NULL, &error));
    GtShapeSource source = gt_default_shape_source();
    EXPECT_DEFAULT(GtLoadDef, gt_default_load_def(),
                   gt_shapes_add_file(c, walking, 0, "same", path, def, &source, NULL, &error), (void)0);
    gt_scene_destroy(walking);
    free_world(&w);
}

static void test_picture_defs_may_be_null(void** state)
{
    (void)state;
    GtError error;
    World w = make_world();
    const GtContext* c = &w.context;
    GtBlob* blob;
    GtFilm* film;
    GtPicture sheet = { 0 };
    GtPlotSeriesSet* set;
    const char* const addresses[1] = { "hips.translation.y" };
    EXPECT_DEFAULT(GtPlotSeriesDef, gt_default_plot_series_def(),
                   gt_plot_series_sample(c, w.motion, addresses, 1, def, &set, &error),
                   gt_plot_series_set_destroy(set));
    EXPECT_DEFAULT(GtPlotDef, gt_default_plot_def(), gt_plot_svg(c, def, &blob, &error), gt_blob_release(blob));
    EXPECT_DEFAULT(GtPlotDef, gt_default_plot_def(), gt_plot_csv(c, def, &blob, &error), gt_blob_release(blob));
    EXPECT_DEFAULT(GtPlotDef, gt_default_plot_def(),
                   gt_plot_save(c, def, test_folder_path(&w.folder, "plot.svg"), &error), (void)0);
    EXPECT_DEFAULT(GtFilmDef, gt_default_film_def(),
                   gt_film_create(c, def, test_folder_path(&w.folder, "film.mp4"), &film, &error),
                   gt_film_destroy(film));
    EXPECT_DEFAULT(GtSheetDef, gt_default_sheet_def(), gt_sheet_create(w.allocator, def, &sheet, &error),
                   gt_picture_destroy(&sheet));
    GtShot* shot;
    EXPECT_DEFAULT(GtShotDef, gt_default_shot_def(), gt_shot_create(c, def, &shot, &error), gt_shot_destroy(shot));
    GtSheetDef sheet_def = gt_default_sheet_def();
    GtBox cell = gt_sheet_cell(NULL, 1), same = gt_sheet_cell(&sheet_def, 1);
    assert_memory_equal(&cell, &same, sizeof cell);
    GtPicture pictures[2];
    for (int i = 0; i < 2; ++i) {
        GT_EXPECT_OK(gt_picture_create(w.allocator, 64, 64, &pictures[i], &error));
        GtLegendDef legend = gt_default_legend_def();
        gt_picture_legend(&pictures[i], (GtBox){ 0, 0, 64, 64 }, i ? &legend : NULL);
        gt_sheet_put(&pictures[i], i ? &sheet_def : NULL, 0, &pictures[i], "label");
    }
    assert_memory_equal(pictures[0].rgba, pictures[1].rgba, 64 * 64 * 4);
    gt_picture_destroy(&pictures[0]);
    gt_picture_destroy(&pictures[1]);
    free_world(&w);
}

static void test_batch_defs_may_be_null(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtBatchList* list;
    EXPECT_DEFAULT(GtBatchListDef, gt_default_batch_list_def(), gt_batch_list_create(&context, def, &list, &error),
                   gt_batch_list_destroy(list));
    GtBatch* batch;
    EXPECT_DEFAULT(GtBatchDef, gt_default_batch_def(), gt_batch_run(&context, def, &batch, &error),
                   gt_batch_destroy(batch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_destroy_takes_null),
        cmocka_unit_test(test_destroy_gives_back_what_was_created),
        cmocka_unit_test(test_runtime_defs_may_be_null),
        cmocka_unit_test(test_lattice_defs_may_be_null),
        cmocka_unit_test(test_scene_library_defs_may_be_null),
        cmocka_unit_test(test_motion_defs_may_be_null),
        cmocka_unit_test(test_deformation_defs_may_be_null),
        cmocka_unit_test(test_picture_defs_may_be_null),
        cmocka_unit_test(test_batch_defs_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
