// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// sections CHARACTER OUT.glb
//
// Gives any humanoid muscles that swell and flesh that bounces: presets become sections over its skin, which the file
// keeps, and are baked into morph shapes for other viewers. Links libgertie.

#include <gertie/file.h>
#include <gertie/sculpt.h>

#include <stdio.h>

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: sections CHARACTER OUT.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtSaveDef save = gt_default_save_def();
    GtScene *character = NULL, *baked = NULL;
    GtSculpt* sculpt = NULL;
    GtSculptBakeDef def = gt_default_sculpt_bake_def();
    GtSculptBakeReport report;
    GtError error;
    bool ok = gt_scene_load(&context, argv[1], &load, &character, &error) == GT_OK &&
              gt_sculpt_preset(&context, character, "muscles,jiggle", &sculpt, &error) == GT_OK;
    def.animation = 0;
    ok = ok && gt_sculpt_bake(&context, character, sculpt, &def, &baked, &report, &error) == GT_OK &&
         gt_scene_save(&context, baked, argv[2], &save, &error) == GT_OK;
    if (ok) {
        printf("%d sections, baked as %d shapes: %.2f mm off on average\n", (int)sculpt->section_count,
               (int)report.shape_count, 1e3 * report.error_rms_m);
    } else {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "sections: %s\n", text);
    }
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(baked);
    gt_scene_destroy(character);
    return ok ? 0 : 1;
}
