// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// shapes CHARACTER.glb OUT.glb FILE...
//
// Gives a character's first mesh blend shapes from other files with the same vertices: of a file with morph targets
// each of these, of another its mesh as it stands, under the file's name. One more, `average`, is the mean of them all.
// Any viewer plays them as morph targets. Links libgertie.

#include <gertie/accessor.h>
#include <gertie/shapes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GtError error;

static void check(GtResult result)
{
    if (result != GT_OK) {
        char text[1024];
        gt_error_format(&error, text, sizeof text);
        fprintf(stderr, "shapes: %s\n", text);
        exit(EXIT_FAILURE);
    }
}

// "faces/smile.obj" is called "smile".
static void name_of(const char* path, char* out, size_t size)
{
    const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(out, size, "%.*s", (int)(strrchr(name, '.') ? (size_t)(strrchr(name, '.') - name) : strlen(name)), name);
}

static void add_file(const GtContext* context, GtScene* scene, const char* path, GtShapesReport* report)
{
    GtScene* other = NULL;
    check(gt_scene_load(context, path, NULL, &other, &error));
    GtShapeSource source = gt_default_shape_source();
    source.scene = other;
    source.mesh = 0;
    int32_t targets = other->mesh_count ? other->meshes[0].target_count : 0;
    for (source.target = 0; source.target < targets; ++source.target) {
        const char* const* names = other->meshes[0].target_names;
        char name[32];
        snprintf(name, sizeof name, "shape%d", (int)source.target);
        check(gt_shapes_add_from(context, scene, 0, names ? names[source.target] : name, &source, report, &error));
    }
    if (targets == 0) {
        char name[256];
        name_of(path, name, sizeof name);
        check(gt_shapes_add_file(context, scene, 0, name, path, NULL, NULL, report, &error));
    }
    gt_scene_destroy(other);
}

// Displacements of the positions by a morph target, over all primitives.
static float* read_shape(const GtScene* scene, int32_t target)
{
    const GtMesh* mesh = &scene->meshes[0];
    float* numbers = calloc((size_t)gt_shapes_vertex_count(scene, 0) * 3 + 1, sizeof *numbers);
    float* to = numbers;
    for (int32_t p = 0; numbers && p < mesh->primitive_count; ++p) {
        int32_t own = gt_primitive_find(&mesh->primitives[p], "POSITION");
        int32_t moved = gt_morph_target_find(&mesh->primitives[p].targets[target], "POSITION");
        uint64_t count = scene->accessors[own].count;
        if (moved != GT_NONE) {
            gt_accessor_read_floats(scene, moved, 0, count, to);
        }
        to += 3 * count;
    }
    return numbers;
}

static void add_average(const GtContext* context, GtScene* scene, GtShapesReport* report)
{
    int32_t count = scene->meshes[0].target_count;
    int32_t points = (int32_t)gt_shapes_vertex_count(scene, 0);
    float** shapes = calloc((size_t)count + 1, sizeof *shapes);
    float* weights = calloc((size_t)count + 1, sizeof *weights);
    float* mean = calloc((size_t)points * 3 + 1, sizeof *mean);
    for (int32_t i = 0; shapes && weights && i < count; ++i) {
        shapes[i] = read_shape(scene, i);
        weights[i] = 1.0f / (float)count;
    }
    // Deltas on a base of zeros: the same call blends vertices, colours or whatever else has some numbers a point.
    gt_shapes_blend(&(GtShapesBlend){ .kind = GT_SHAPE_DELTA,
                                      .point_count = points,
                                      .component_count = 3,
                                      .base = mean,
                                      .shape_count = count,
                                      .shapes = (const float* const*)shapes,
                                      .weights = weights,
                                      .out = mean });
    const GtShapeAttribute position = { "POSITION", 3, mean };
    GtShapeDef def = gt_default_shape_def();
    def.name = "average";
    def.attributes = &position;
    def.attribute_count = 1;
    check(gt_shapes_add(context, scene, 0, &def, 1, report, &error));
    for (int32_t i = 0; i < count; ++i) {
        free(shapes[i]);
    }
    free(mean);
    free(weights);
    free(shapes);
}

int main(int argc, char** argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: shapes CHARACTER.glb OUT.glb FILE...\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtShapesReport report = { 0 };
    check(gt_scene_load(&context, argv[1], NULL, &scene, &error));
    if (scene->mesh_count == 0) {
        fprintf(stderr, "shapes: %s has no mesh\n", argv[1]);
        return EXIT_FAILURE;
    }
    for (int i = 3; i < argc; ++i) {
        add_file(&context, scene, argv[i], &report);
    }
    add_average(&context, scene, &report);
    check(gt_scene_save(&context, scene, argv[2], NULL, &error));
    printf("%d shapes added, none moves a vertex by more than %.3f m\n", (int)report.added_count,
           (double)report.max_move_m);
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
