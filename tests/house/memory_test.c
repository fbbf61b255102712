// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the command's verbs do, by the library's calls, with memory that runs out at one point after the other: each
// call says so, and everything is given back. The tests of the rooms try every point of their own calls; here the
// points of the long ones are a sample, spread evenly (MEMORY_MOST, 5 where it is not set). The address sanitizer looks
// for leaks.

#include "gertie/gertie.h"

#include "support/test.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Stage {
    GtScene* bare;
    GtScene* person;
    GtScene* walk;
    GtScene* walking;
    char folder[32];
} Stage;

typedef GtResult VerbFn(const GtContext* context, const Stage* stage, GtError* error);

static GtResult end(GtScene* scene, GtResult result)
{
    gt_scene_destroy(scene);
    return result;
}

static GtResult sample(const GtContext* context, const Stage* stage, GtError* error)
{
    (void)stage;
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 2000;
    GtScene *body = NULL, *motion = NULL;
    GtResult result = gt_sample_person(context, &person, &body, NULL, error);
    gt_scene_destroy(body);
    GtMotionDef def = gt_default_motion_def(GT_MOTION_JUMP);
    return result != GT_OK ? result : end(motion, gt_sample_motion(context, &def, &motion, NULL, error));
}

static GtResult rig_by(const GtContext* context, const Stage* stage, GtRigWeights weights, GtError* error)
{
    GtRigDef def = gt_default_rig_def();
    def.weights = weights;
    GtScene* rigged = NULL;
    GtResult result = gt_rig(context, stage->bare, &def, &rigged, NULL, error);
    return end(rigged, result);
}

static GtResult rig_heat(const GtContext* context, const Stage* stage, GtError* error)
{
    return rig_by(context, stage, GT_RIG_WEIGHTS_HEAT, error);
}

static GtResult rig_voxel(const GtContext* context, const Stage* stage, GtError* error)
{
    return rig_by(context, stage, GT_RIG_WEIGHTS_VOXEL, error);
}

static GtResult animate_by(const GtContext* context, const GtScene* body, const Stage* stage, GtAnimateMethod method,
                           GtError* error)
{
    GtAnimateDef def = gt_default_animate_def();
    def.method = method;
    def.retarget.frame_rate_hz = 5.0;
    def.harmonic.rate_hz = 5.0;
    GtScene* animated = NULL;
    GtResult result = gt_animate(context, body, stage->walk, &def, &animated, NULL, error);
    return end(animated, result);
}

static GtResult animate_skin(const GtContext* context, const Stage* stage, GtError* error)
{
    return animate_by(context, stage->person, stage, GT_ANIMATE_SKIN, error);
}

static GtResult animate_harmonic(const GtContext* context, const Stage* stage, GtError* error)
{
    return animate_by(context, stage->person, stage, GT_ANIMATE_HARMONIC, error);
}

static GtResult animate_bare(const GtContext* context, const Stage* stage, GtError* error)
{
    return animate_by(context, stage->bare, stage, GT_ANIMATE_AUTO, error);
}

static GtResult measure(const GtContext* context, const Stage* stage, GtError* error)
{
    GtMeasureDef def = gt_default_measure_def();
    def.mesh_frame_count = 2;
    GtMeasure* made = NULL;
    GtResult result = gt_measure(context, stage->walking, &def, &made, error);
    gt_measure_destroy(made);
    return result;
}

static GtResult export_as(const GtContext* context, const Stage* stage, const char* name, GtError* error)
{
    char path[64];
    GtExportDef def = gt_default_export_def();
    def.rate_hz = 5.0;
    snprintf(path, sizeof path, "%s/%s", stage->folder, name);
    return gt_export(context, stage->walking, &def, path, NULL, error);
}

static GtResult export_gltf(const GtContext* context, const Stage* stage, GtError* error)
{
    return export_as(context, stage, "a.gltf", error);
}

static GtResult export_obj(const GtContext* context, const Stage* stage, GtError* error)
{
    return export_as(context, stage, "a.obj", error);
}

static GtResult export_points(const GtContext* context, const Stage* stage, GtError* error)
{
    return export_as(context, stage, "a.pc2", error);
}

static GtResult export_numbered(const GtContext* context, const Stage* stage, GtError* error)
{
    return export_as(context, stage, "a_##.stl", error);
}

static GtResult export_bvh(const GtContext* context, const Stage* stage, GtError* error)
{
    return export_as(context, stage, "a.bvh", error);
}

static GtResult export_fbx(const GtContext* context, const Stage* stage, GtError* error)
{
    return export_as(context, stage, "a.fbx", error);
}

static GtResult export_vrma(const GtContext* context, const Stage* stage, GtError* error)
{
    return export_as(context, stage, "a.vrma", error);
}

// What was written as FBX, read; it is there from export_fbx().
static GtResult read_fbx(const GtContext* context, const Stage* stage, GtError* error)
{
    char path[64];
    GtScene* scene = NULL;
    snprintf(path, sizeof path, "%s/a.fbx", stage->folder);
    GtResult result = gt_scene_load(context, path, NULL, &scene, error);
    return end(scene, result);
}

static GtResult sculpt(const GtContext* context, const Stage* stage, GtError* error)
{
    GtSculpt* made = NULL;
    GtCharacter* character = NULL;
    GtDrivers* drivers = NULL;
    GtResult result = gt_sculpt_preset(context, stage->walking, "muscles,jiggle,squash", &made, error);
    if (result == GT_OK) {
        result = gt_sculpt_character(context, stage->walking, made, NULL, &character, NULL, error);
    }
    if (result == GT_OK) {
        result = gt_sculpt_drivers(context, stage->walking, made, character, &drivers, error);
    }
    GtScene* baked = NULL;
    GtSculptBakeDef bake = gt_default_sculpt_bake_def();
    bake.animation = 0;
    result = result ? result : gt_sculpt_bake(context, stage->walking, made, &bake, &baked, NULL, error);
    gt_scene_destroy(baked);
    gt_drivers_destroy(drivers);
    gt_character_destroy(character);
    gt_sculpt_destroy(made);
    return result;
}

static GtResult pack(const GtContext* context, const Stage* stage, GtError* error)
{
    GtCharacter* character = NULL;
    GtClip *clip = NULL, *packed = NULL;
    GtBlob* blob = NULL;
    GtResult result = gt_character_build(context, stage->walking, NULL, &character, NULL, error);
    result = result ? result : gt_clip_build(context, stage->walking, 0, character, &clip, error);
    result = result ? result : gt_clip_pack(context, clip, character, NULL, &packed, NULL, error);
    if (result == GT_OK) {
        const GtClip* clips[] = { packed };
        GtPackDef def = gt_default_pack_def();
        def.character = character;
        def.clips = clips;
        def.clip_count = 1;
        result = gt_pack_write(context->allocator, &def, &blob, error);
    }
    gt_blob_release(blob);
    gt_clip_destroy(packed);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    return result;
}

static GtResult edit_take(const GtContext* context, const Stage* stage, GtError* error)
{
    GtTake *take = NULL, *planted = NULL, *cut = NULL;
    GtResult result = gt_take_create(context, stage->walk, NULL, &take, error);
    result = result ? result : gt_take_plant(context, take, stage->walk, NULL, &planted, NULL, error);
    result = result ? result : gt_take_cut(context, planted, 0.1, 0.5, &cut, error);
    gt_take_destroy(cut);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    return result;
}

static GtResult survey(const GtContext* context, const Stage* stage, GtError* error)
{
    GtSurvey* made = NULL;
    GtResult result = gt_scene_survey(context, stage->walking, &made, error);
    gt_survey_destroy(made);
    return result;
}

static const struct {
    const char* name;
    VerbFn* run;
} verbs[] = {
    { "sample", sample },
    { "rig by heat", rig_heat },
    { "rig by voxels", rig_voxel },
    { "animate by skin", animate_skin },
    { "animate by fields", animate_harmonic },
    { "animate a bare body", animate_bare },
    { "measure", measure },
    { "export .gltf", export_gltf },
    { "export .obj", export_obj },
    { "export .pc2", export_points },
    { "export numbered .stl", export_numbered },
    { "export .bvh", export_bvh },
    { "export .fbx", export_fbx },
    { "read .fbx", read_fbx },
    { "export .vrma", export_vrma },
    { "sculpt", sculpt },
    { "pack", pack },
    { "edit a take", edit_take },
    { "survey", survey },
};

static void build_stage(Stage* stage)
{
    GtContext context = gt_default_context();
    GtError error;
    *stage = (Stage){ .folder = "/tmp/memory-XXXXXX" };
    assert_non_null(mkdtemp(stage->folder));
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 2000;
    GT_EXPECT_OK(gt_sample_person(&context, &person, &stage->person, NULL, &error));
    person.scan.bare = true;
    GT_EXPECT_OK(gt_sample_person(&context, &person, &stage->bare, NULL, &error));
    GtMotionDef walk = gt_default_motion_def(GT_MOTION_WALK);
    GT_EXPECT_OK(gt_sample_motion(&context, &walk, &stage->walk, NULL, &error));
    GtAnimateDef animate = gt_default_animate_def();
    animate.method = GT_ANIMATE_SKIN;
    animate.retarget.frame_rate_hz = 5.0;
    GT_EXPECT_OK(gt_animate(&context, stage->person, stage->walk, &animate, &stage->walking, NULL, &error));
}

static void destroy_stage(Stage* stage)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", stage->folder);
    assert_int_equal(system(command), 0);
    gt_scene_destroy(stage->walking);
    gt_scene_destroy(stage->walk);
    gt_scene_destroy(stage->bare);
    gt_scene_destroy(stage->person);
}

static void verbs_give_back_what_they_took(void** state)
{
    (void)state;
    Stage stage;
    build_stage(&stage);
    const char* asked = getenv("MEMORY_MOST");
    int64_t most = asked ? strtol(asked, NULL, 10) : 5;
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; ++v) {
        GtContext context = gt_default_context();
        GtError error;
        TestAllocator whole = { .remaining = -1 };
        context.allocator = test_allocator(&whole);
        GT_EXPECT_OK(verbs[v].run(&context, &stage, &error));
        assert_int_equal(whole.alive, 0);
        int64_t step = (whole.made + most - 1) / most;
        for (int64_t allowed = 0; allowed < whole.made; allowed += step) {
            TestAllocator some = { .remaining = allowed };
            context.allocator = test_allocator(&some);
            GtResult result = verbs[v].run(&context, &stage, &error);
            if (result != GT_ERROR_OUT_OF_MEMORY || some.alive != 0) {
                fail_msg("%s, %d of %d allocations: %s, %d blocks are left", verbs[v].name, (int)allowed,
                         (int)whole.made, gt_result_name(result), (int)some.alive);
            }
        }
    }
    destroy_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verbs_give_back_what_they_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
