// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// curves OUT.svg
//
// The same six keys under six laws, drawn over each other. The keys are heights of something that is thrown, caught
// and put down; what happens between them is up to the law.

#include <gertie/curve.h>
#include <gertie/plot.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    KEY_COUNT = 6,
    SAMPLE_COUNT = 401,
    LAW_COUNT = 6
};

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: curves OUT.svg\n");
        return 2;
    }
    // Keys need not be evenly spaced.
    const float times_s[KEY_COUNT] = { 0.0f, 0.8f, 1.2f, 2.0f, 2.2f, 3.5f };
    const float heights_m[KEY_COUNT] = { 0.0f, 1.0f, 0.6f, 0.6f, 0.1f, 0.4f };
    // Kochanek-Bartels: every key is loose, or a corner, or overshot.
    const GtKeyShape shapes[3] = { { -0.8f, 0.0f, 0.0f }, { 0.0f, -1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
    const char* const names[LAW_COUNT] = { "linear",        "Catmull-Rom", "tension -0.8",
                                           "continuity -1", "bias 1",      "B-spline" };
    const GtCurveLaw laws[LAW_COUNT] = { GT_LAW_LINEAR,           GT_LAW_CATMULL_ROM,      GT_LAW_KOCHANEK_BARTELS,
                                         GT_LAW_KOCHANEK_BARTELS, GT_LAW_KOCHANEK_BARTELS, GT_LAW_B_SPLINE };
    static double sample_times_s[SAMPLE_COUNT];
    static float samples[LAW_COUNT][SAMPLE_COUNT];
    GtPlotSeries drawn[LAW_COUNT];
    GtPlotLine lines[LAW_COUNT];
    GtContext context = gt_default_context();
    GtError error;
    for (int law = 0; law < LAW_COUNT; ++law) {
        GtKeyShape shape = shapes[law < 2 ? 0 : (law - 2) % 3];
        const GtKeyShape shape_of_all[KEY_COUNT] = { shape, shape, shape, shape, shape, shape };
        // Make the curve once...
        GtCurveDef def = gt_default_curve_def();
        def.law = laws[law];
        def.key_count = KEY_COUNT;
        def.times_s = times_s;
        def.values = heights_m;
        def.shapes = shape_of_all;
        GtCurve* curve = NULL;
        if (gt_curve_create(context.allocator, &def, &curve, &error) != GT_OK) {
            fprintf(stderr, "curves: %s\n", error.message);
            return EXIT_FAILURE;
        }
        // ...and ask for it at any time.
        for (int i = 0; i < SAMPLE_COUNT; ++i) {
            sample_times_s[i] = 3.5 * i / (SAMPLE_COUNT - 1);
            samples[law][i] = gt_curve_number(curve, sample_times_s[i]);
        }
        gt_curve_destroy(curve);
        drawn[law] =
            (GtPlotSeries){ .address = names[law], .property = "height", .quantity = GT_QUANTITY_POSITION, .max = 1.1 };
        drawn[law].sample_count = SAMPLE_COUNT;
        drawn[law].times_s = sample_times_s;
        drawn[law].values = samples[law];
        lines[law] = (GtPlotLine){ .series = &drawn[law] };
    }
    GtPlotDef plot = gt_default_plot_def();
    plot.title = "six keys, six laws";
    plot.lines = lines;
    plot.line_count = LAW_COUNT;
    if (gt_plot_save(&context, &plot, argv[1], &error) != GT_OK) {
        fprintf(stderr, "curves: %s\n", error.message);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
