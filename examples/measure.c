// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// measure ANIMATED [SOURCE]
//
// Measures how good the first clip of a character is: how far standing feet slide, float or sink, and, beside the
// motion it was made from, how far its limbs point elsewhere. Links libgertie.

#include <gertie/file.h>
#include <gertie/measure.h>

#include <stdio.h>

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: measure ANIMATED [SOURCE]\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtLoadDef load = gt_default_load_def();
    GtScene *animated = NULL, *source = NULL;
    GtMeasure* measure = NULL;
    GtMeasureDef def = gt_default_measure_def();
    GtError error;
    bool ok = gt_scene_load(&context, argv[1], &load, &animated, &error) == GT_OK &&
              (argc == 2 || gt_scene_load(&context, argv[2], &load, &source, &error) == GT_OK);
    def.source = source;
    ok = ok && gt_measure(&context, animated, &def, &measure, &error) == GT_OK;
    if (ok) {
        printf("%d frames from %.2f to %.2f s\n", (int)measure->frame_count, measure->start_s, measure->end_s);
        for (int side = 0; measure->is_humanoid && side < 2; ++side) {
            const GtFootMeasure* foot = &measure->feet[side];
            printf("%s foot: slides %.1f mm while it stands, floats %.1f mm, sinks %.1f mm\n", side ? "right" : "left",
                   1e3 * foot->skate_m, 1e3 * foot->float_m, 1e3 * foot->penetration_m);
        }
    } else {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "measure: %s\n", text);
    }
    gt_measure_destroy(measure);
    gt_scene_destroy(source);
    gt_scene_destroy(animated);
    return ok ? 0 : 1;
}
