// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// retarget CHARACTER MOTION
//
// Retargets poses one by one, as a program does that receives them live: both figures are opened once, and each frame
// of the motion becomes a pose of the character without any allocation. Prints where the character's hands are.
// Links libgertie.

#include <gertie/file.h>
#include <gertie/retarget.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "retarget: %s\n", text);
        exit(1);
    }
}

static GtVec3 place_of(const GtFigure* figure, GtHumanoidJoint joint)
{
    int32_t node = figure->joints[joint];
    return node == GT_NONE ? gt_vec3(0.0f, 0.0f, 0.0f) : gt_mat34_translation(&figure->instance->model_from_node[node]);
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: retarget CHARACTER MOTION\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtError error;

    // Once: two figures, whatever their joints are called, and how one follows the other.
    GtScene *character = NULL, *motion = NULL;
    GtFigure target, source;
    GtFigureDef playing = gt_default_figure_def();
    playing.animation = 0;
    GtRetargetDef def = gt_default_retarget_def();
    GtRetarget* retarget = NULL;
    check(gt_scene_load(&context, argv[1], &load, &character, &error), &error);
    check(gt_scene_load(&context, argv[2], &load, &motion, &error), &error);
    check(gt_figure_open(&context, character, NULL, &target, &error), &error);
    check(gt_figure_open(&context, motion, &playing, &source, &error), &error);
    check(gt_retarget_create(&context, &source, &target, &def, &retarget, &error), &error);
    void* scratch = malloc(gt_retarget_scratch_size(retarget));

    // Each frame: a pose of the source comes in, here from its clip, and a pose of the character goes out.
    for (int frame = 0; scratch && frame < 5; ++frame) {
        double time_s = source.start_s + (source.end_s - source.start_s) * frame / 4.0;
        gt_figure_pose(&source, time_s, source.instance);
        gt_retarget_pose(retarget, source.instance->pose, target.instance->pose, scratch);
        gt_instance_update(target.instance);
        GtVec3 left = place_of(&target, GT_HUMANOID_LEFT_HAND), right = place_of(&target, GT_HUMANOID_RIGHT_HAND);
        printf("%5.2f s: left hand (%.2f, %.2f, %.2f), right hand (%.2f, %.2f, %.2f)\n", time_s, (double)left.x,
               (double)left.y, (double)left.z, (double)right.x, (double)right.y, (double)right.z);
    }

    free(scratch);
    gt_retarget_destroy(retarget);
    gt_figure_close(&source);
    gt_figure_close(&target);
    gt_scene_destroy(motion);
    gt_scene_destroy(character);
    return 0;
}
