// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// look SCENE [SECONDS]
//
// Shows one moment of a scene as letters in the terminal: how a program gets the pixels of a picture. Links libgertie.

#include <gertie/file.h>
#include <gertie/shot.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    COLUMNS = 64,
    ROWS = 32
};

static void print_picture(const GtPicture* picture)
{
    static const char shades[] = "@%#*+=-:. "; // dark to bright; nothing where the picture is transparent
    for (int y = 0; y < ROWS; ++y) {
        for (int x = 0; x < COLUMNS; ++x) { // a letter is twice as high as wide
            const uint8_t* p = &picture->rgba[4 * ((size_t)(2 * y) * COLUMNS + (size_t)x)];
            int brightness = (2 * p[0] + 5 * p[1] + p[2]) / 8;
            putchar(p[3] < 128 ? ' ' : shades[brightness * (int)(sizeof shades - 2) / 255]);
        }
        putchar('\n');
    }
}

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: look SCENE [SECONDS]\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtShot* shot = NULL;
    GtPicture picture = { 0 };
    GtResult result = gt_scene_load(&context, argv[1], NULL, &scene, &error);
    if (result == GT_OK) {
        const GtBackground nothing = { 0 }; // transparent, and no floor
        GtShotFigure figure = gt_default_shot_figure(scene);
        GtShotDef def = gt_default_shot_def();
        def.figures = &figure;
        def.figure_count = 1;
        def.view.follow = GT_FOLLOW_ALWAYS;
        def.background = &nothing;
        def.width = COLUMNS;
        def.height = 2 * ROWS;
        result = gt_shot_create(&context, &def, &shot, &error);
    }
    if (result == GT_OK) {
        const GtShotReport* report = gt_shot_report(shot);
        double time_s = argc == 3 ? atof(argv[2]) : 0.5 * (report->from_s + report->to_s);
        result = gt_shot_draw(shot, &context, time_s, 0.0, &picture, &error);
    }
    if (result == GT_OK) {
        print_picture(&picture);
    } else {
        fprintf(stderr, "look: %s\n", error.message);
    }
    gt_picture_destroy(&picture);
    gt_shot_destroy(shot);
    gt_scene_destroy(scene);
    return result == GT_OK ? 0 : 1;
}
