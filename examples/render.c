// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a scene as `gertie render` does: a still or a film, by the ending of OUT, or a contact sheet of N pictures.
// usage: render SCENE OUT.png|.mp4|.webm|.gif|.apng [N]

#include <gertie/file.h>
#include <gertie/shot.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: %s SCENE OUT [PICTURES OF A SHEET]\n", argv[0]);
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtShot* shot = NULL;
    GtResult result = gt_scene_load(&context, argv[1], NULL, &scene, &error);
    if (result == GT_OK) {
        GtShotFigure figure = gt_default_shot_figure(scene);
        GtShotDef def = gt_default_shot_def();
        def.figures = &figure;
        def.figure_count = 1;
        def.path = argv[2];
        def.sheet_count = argc == 4 ? atoi(argv[3]) : 0;
        result = gt_shot_create(&context, &def, &shot, &error);
    }
    result = result == GT_OK ? gt_shot_write(shot, &context, &error) : result;
    if (result != GT_OK) {
        fprintf(stderr, "%s: %s\n", error.file, error.message);
    }
    gt_shot_destroy(shot);
    gt_scene_destroy(scene);
    return result == GT_OK ? 0 : 1;
}
