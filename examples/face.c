// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// face CHARACTER.glb
//
// What a face can do: which of ARKit's 52 shapes its meshes have, which of them it has on one side alone, and the
// controls that drive them, be they a VRM file's expressions or made from the names of its shapes. Links libgertie.

#include <gertie/expression.h>
#include <gertie/file.h>
#include <gertie/shape_controls.h>

#include <stdio.h>
#include <stdlib.h>

static const char* const kinds[] = {
    [GT_FACE_NONE] = "no expressions that are known",
    [GT_FACE_VRM] = "the expressions of a VRM file",
    [GT_FACE_ARKIT] = "shapes of ARKit, which make VRM's expressions",
    [GT_FACE_NAMES] = "shapes that are expressions themselves",
};

static void fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "face: %s\n", text);
    exit(EXIT_FAILURE);
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: face CHARACTER.glb\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtFace* face = NULL;
    if (gt_scene_load(&context, argv[1], NULL, &scene, &error) != GT_OK ||
        gt_face_create(&context, scene, &face, &error) != GT_OK) {
        fail(&error);
    }
    bool has[GT_ARKIT_COUNT] = { false };
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        const GtMesh* mesh = &scene->meshes[m];
        for (int32_t t = 0; mesh->target_names && t < mesh->target_count; ++t) {
            int32_t shape = mesh->target_names[t] ? gt_arkit_find(mesh->target_names[t]) : GT_NONE;
            if (shape != GT_NONE) {
                has[shape] = true;
            }
        }
    }
    int count = 0;
    for (int32_t i = 0; i < GT_ARKIT_COUNT; ++i) {
        count += has[i];
        if (has[i] && !has[gt_arkit_mirror(i)]) {
            printf("it has %s, but no %s\n", gt_arkit_name(i), gt_arkit_name(gt_arkit_mirror(i)));
        }
    }
    printf("%d of %d shapes of ARKit; %s\n", count, GT_ARKIT_COUNT, kinds[face->kind]);
    for (int32_t i = 0; i < face->def.control_count; ++i) {
        printf("control:%s\n", face->def.controls[i].name);
    }
    gt_face_destroy(face);
    gt_scene_destroy(scene);
    return EXIT_SUCCESS;
}
