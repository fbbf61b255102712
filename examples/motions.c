// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// motions CHARACTER OUT [CATEGORY]
//
// Gives a character the motions of a category of the library, "idle" where none is named, as clips of one file. Prints
// what each is and where it comes from. Links libgertie.

#include <gertie/animate.h>
#include <gertie/motion_library.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(error, text, sizeof text);
        fprintf(stderr, "motions: %s\n", text);
        exit(1);
    }
}

int main(int argc, char** argv)
{
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: motions CHARACTER OUT [CATEGORY]\n");
        return 2;
    }
    const char* category = argc == 4 ? argv[3] : "idle";
    GtContext context = gt_default_context();
    GtError error;
    GtScene* character = NULL;
    GtAnimateDef def = gt_default_animate_def();
    const GtLibraryMotion* motion;
    check(gt_scene_load(&context, argv[1], NULL, &character, &error), &error);
    for (int32_t i = 0; (motion = gt_motion_library_at(i)); ++i) {
        if (strcmp(motion->category, category) != 0) {
            continue;
        }
        GtScene *scene = NULL, *animated = NULL;
        check(gt_motion_library_load(&context, motion->name, &scene, &error), &error);
        check(gt_animate(&context, character, scene, &def, &animated, NULL, &error), &error);
        gt_scene_destroy(scene);
        gt_scene_destroy(character);
        character = animated;
        def.keep_animations = true; // from now on: the clips that were there before are left out
        printf("%-16s %5.2f s%s  %s (%s: %s)\n", motion->name, motion->duration_s, motion->loops ? ", loops" : "",
               motion->description, motion->source, motion->licence);
    }
    check(gt_scene_save(&context, character, argv[2], NULL, &error), &error);
    gt_scene_destroy(character);
    return 0;
}
