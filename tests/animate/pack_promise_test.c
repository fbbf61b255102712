// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `gertie pack` promises of a clip, measured where people look: at the vertices of the skin. Every clip of a rig
// is played twice, from its keys and packed, and no vertex of a linear skin may be farther off than asked. Armatures in
// centimetres under a node that scales them are among the real files; the built-in person is always here.

#include "gertie/animate.h"
#include "gertie/build.h"
#include "gertie/clip_pack.h"
#include "gertie/file.h"
#include "gertie/motions.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float tolerance_m = 1e-3f;

static void pose_at(GtInstance* instance, const GtClip* clip, double time_s)
{
    gt_instance_reset(instance);
    gt_clip_sample(clip, time_s, instance->pose, instance->weights);
    gt_instance_update(instance);
}

// The largest distance of any vertex of two instances that are posed.
static double compare_vertices(GtInstance* const instances[2], const GtCharacterDef* def, GtVec3* const points[2])
{
    double worst = 0.0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        if (def->meshes[m].morph_count > 0) {
            continue; // moved by weights, too, which have a tolerance of their own
        }
        for (int c = 0; c < 2; ++c) {
            gt_instance_deform(instances[c], m, points[c], NULL, NULL);
        }
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            GtVec3 a = points[0][v], b = points[1][v];
            double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
            worst = fmax(worst, sqrt(x * x + y * y + z * z));
        }
    }
    return worst;
}

static void expect_clip(const GtContext* context, const GtScene* scene, int32_t animation, const GtCharacter* character)
{
    GtError error;
    const GtCharacterDef* def = gt_character_def(character);
    int32_t most = 1;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        most = def->meshes[m].vertex_count > most ? def->meshes[m].vertex_count : most;
    }
    GtClip* clip = NULL;
    GtClip* packed = NULL;
    GtClipPackReport report;
    GtClipPackDef pack = gt_default_clip_pack_def();
    pack.tolerance_m = tolerance_m;
    GT_EXPECT_OK(gt_clip_build(context, scene, animation, character, &clip, &error));
    GT_EXPECT_OK(gt_clip_pack(context, clip, character, &pack, &packed, &report, &error));
    GtInstance* instances[2] = { NULL, NULL };
    GtVec3* points[2];
    for (int c = 0; c < 2; ++c) {
        GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instances[c], &error));
        points[c] = malloc((size_t)most * sizeof *points[c]);
        assert_non_null(points[c]);
    }
    int32_t count = report.frame_count < 40 ? 2 * report.frame_count : 80;
    double worst = 0.0;
    for (int32_t i = 0; i <= count; ++i) {
        double time_s = gt_clip_start_s(clip) + (gt_clip_end_s(clip) - gt_clip_start_s(clip)) * i / count;
        pose_at(instances[0], clip, time_s);
        pose_at(instances[1], packed, time_s);
        worst = fmax(worst, compare_vertices(instances, def, points));
    }
    if (!(worst <= (double)tolerance_m * 1.001)) { // float vertices, metres from the origin, are rounded themselves
        fail_msg("%s, clip %d: %g mm off", scene->source.file, (int)animation, 1e3 * worst);
    }
    for (int c = 0; c < 2; ++c) {
        gt_instance_destroy(instances[c]);
        free(points[c]);
    }
    gt_clip_destroy(packed);
    gt_clip_destroy(clip);
}

static void expect_scene(const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtBuildDef def = gt_default_build_def();
    def.force_skin_method = true;
    def.skin_method = GT_SKIN_LINEAR;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &character, NULL, &error));
    for (int32_t i = 0; i < scene->animation_count && i < 4; ++i) {
        expect_clip(context, scene, i, character);
    }
    gt_character_destroy(character);
}

static void test_the_person(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene *person = NULL, *motion = NULL, *moving = NULL;
    GtPersonDef body = gt_default_person_def();
    body.triangle_count = 4000;
    GtMotionDef run = gt_default_motion_def(GT_MOTION_RUN);
    GT_EXPECT_OK(gt_sample_person(&context, &body, &person, NULL, &error));
    GT_EXPECT_OK(gt_sample_motion(&context, &run, &motion, NULL, &error));
    GT_EXPECT_OK(gt_animate(&context, person, motion, NULL, &moving, NULL, &error));
    expect_scene(&context, moving);
    gt_scene_destroy(moving);
    gt_scene_destroy(motion);
    gt_scene_destroy(person);
}

static void test_real_rigs(void** state)
{
    (void)state;
    static const char* const names[] = { "Xbot",         "CesiumMan",      "Fox", "BrainStem", "RiggedFigure",
                                         "RiggedSimple", "RobotExpressive" };
    const char* data = getenv("GERTIE_DATA");
    if (!data) {
        print_message("skipped: GERTIE_DATA names no folder with real files\n");
        skip();
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char path[1024];
        GtError error;
        GtContext context = gt_default_context();
        GtScene* scene = NULL;
        snprintf(path, sizeof path, "%s/rigged/%s.glb", data, names[i]);
        GT_EXPECT_OK(gt_scene_load(&context, path, NULL, &scene, &error));
        expect_scene(&context, scene);
        gt_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_person),
        cmocka_unit_test(test_real_rigs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
