// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A frame of the built-in person by a harmonic skin, beside the same frame by the linear skin that every viewer shows:
// from the matrices of the joints to positions and normals in the mesh's order. usage: harmonic_skin_bench
// [TRIANGLES...]

#include "bench.h"

#include "gertie/harmonic_character.h"
#include "gertie/instance.h"
#include "gertie/person.h"
#include "gertie/simd.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    POSES = 8,
    MOST_CASES = 3 * GT_SIMD_LEVEL_COUNT
};

typedef struct Frame {
    GtInstance* instance;
    GtVec3* positions;
    GtVec3* normals;
    GtExecutor executor;
    GtSimdLevel level;
    int pose;
} Frame;

// Limbs, spine and head swing, each by its own phase.
static void run_frame(void* user)
{
    Frame* frame = user;
    GtInstance* instance = frame->instance;
    const GtCharacterDef* def = gt_character_def(instance->character);
    float share = (float)(frame->pose++ % POSES) / POSES;
    gt_simd_level_set(frame->level);
    for (int32_t n = 0; n < def->node_count; ++n) {
        float angle = 0.5f * (share - 0.5f) * (float)(n % 3 - 1);
        GtQuat swing = gt_quat_from_axis_angle(gt_vec3(n % 2 ? 0.6f : 0.0f, 0.8f, n % 2 ? 0.0f : 0.6f), angle);
        instance->pose[n].rotation = gt_quat_mul(def->rest[n].rotation, swing);
    }
    gt_instance_update(instance);
    gt_instance_pose_points(instance, &frame->executor); // nothing for the linear skin
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        gt_instance_deform(instance, m, frame->positions, frame->normals, NULL);
    }
}

static void measure(int32_t triangle_count, GtThreadPool* pool)
{
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtMarkers* markers = NULL;
    GtFigure figure;
    GtCharacter* harmonic = NULL;
    GtHarmonicReport report;
    GtPersonDef person = gt_default_person_def();
    GtMarkersDef find = gt_default_markers_def();
    person.triangle_count = triangle_count;
    BENCH_OK(gt_sample_person(&context, &person, &scene, NULL, &error));
    BENCH_OK(gt_figure_open(&context, scene, NULL, &figure, &error));
    BENCH_OK(gt_markers_find(&context, &figure, &find, &markers, NULL, &error));
    BENCH_OK(gt_harmonic_character(&context, &figure, markers, NULL, &harmonic, &report, &error));
    int32_t largest = 0;
    for (int32_t m = 0; m < figure.def->mesh_count; ++m) {
        int32_t count = figure.def->meshes[m].vertex_count;
        largest = count > largest ? count : largest;
    }
    GtVec3* vectors = malloc(2 * (size_t)largest * sizeof *vectors);
    static Frame frames[MOST_CASES];
    static char names[MOST_CASES][64];
    static const char* const kinds[] = { "linear skin", "harmonic skin", "harmonic skin, two threads" };
    BenchCase cases[MOST_CASES];
    BenchCount counts[MOST_CASES];
    int count = 0;
    for (int level = (int)gt_simd_level_supported(); level >= 0 && vectors; --level) {
        for (int kind = 0; kind < 3; ++kind, ++count) {
            Frame* frame = &frames[count];
            *frame = (Frame){ .positions = vectors, .normals = vectors + largest, .level = (GtSimdLevel)level };
            frame->executor = kind == 2 ? gt_thread_pool_executor(pool) : gt_serial_executor();
            BENCH_OK(gt_instance_create(gt_default_allocator(), kind ? harmonic : figure.character, &frame->instance,
                                        &error));
            snprintf(names[count], sizeof names[count], "%s, %s", kinds[kind], gt_simd_level_name((GtSimdLevel)level));
            cases[count] = (BenchCase){ names[count], run_frame, frame };
            counts[count] = (BenchCount){ 1, kind == 2 };
        }
    }
    char title[128];
    snprintf(title, sizeof title, "%d triangles, %d points: %.1f MB a character, %.1f MB an instance", triangle_count,
             (int)gt_harmonic_skin_point_count(harmonic), 1e-6 * (double)report.memory_size,
             1e-6 * (double)gt_instance_size(harmonic));
    bench_compare_counted(title, cases, counts, count);
    for (int i = 0; i < count; ++i) {
        gt_instance_destroy(frames[i].instance);
    }
    free(vectors);
    gt_character_destroy(harmonic);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

int main(int argc, char** argv)
{
    GtError error;
    GtThreadPool* pool = NULL;
    BENCH_OK(gt_thread_pool_create(gt_default_allocator(), 2, &pool, &error));
    if (argc < 2) {
        measure(gt_default_person_def().triangle_count, pool);
    }
    for (int i = 1; i < argc; ++i) {
        measure((int32_t)strtol(argv[i], NULL, 10), pool);
    }
    gt_thread_pool_destroy(pool);
    return 0;
}
