// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of baked clips come one clip after the other behind the morphs of a mesh; they are taken off from the end.

#include "harmonic/clip/clip.h"

// Take a clip's shapes off the meshes that end in them.
static void strip_clip(GtScene* scene, const GtCharacterDef* def, const GtHarmonicClip* clip)
{
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        GtNode* node = &scene->nodes[def->source_nodes ? def->source_nodes[def->meshes[m].node] : def->meshes[m].node];
        GtMesh* mesh = &scene->meshes[node->mesh];
        int32_t first = clip->first_shapes[m];
        if (first >= 0 && clip->shape_count > 0 && first == mesh->target_count - clip->shape_count) {
            mesh->target_count = first;
            mesh->weight_count = mesh->weight_count ? first : 0;
            node->weight_count = node->weight_count ? first : 0;
        }
    }
}

GtResult gt_harmonic_strip(const GtContext* context, const GtScene* scene, GtScene** out, GtError* error)
{
    GtFigureDef def = gti_figure_unmapped(GT_NONE);
    GtFigure figure = { 0 };
    const GtiShell* shell = NULL;
    GtResult result = gt_scene_copy(context, scene, out, error);
    if (result == GT_OK) {
        result = gt_figure_open(context, scene, &def, &figure, error);
    }
    if (result == GT_OK) {
        result = gti_figure_shell(context, &figure, &shell, error);
    }
    for (int32_t a = scene->animation_count; result == GT_OK && a-- > 0;) {
        GtHarmonicClip clip = { .arena = gt_arena_create(context->allocator) };
        if (scene->animations[a].harmonic && gti_harmonic_clip_shapes(scene, shell, a, &clip, NULL) == GT_OK) {
            strip_clip(*out, shell->figure->def, &clip);
        }
        gt_arena_destroy(&clip.arena);
    }
    gt_figure_close(&figure);
    if (result == GT_OK) {
        (*out)->animation_count = 0;
        result = gt_scene_prune(*out, scene, error);
    }
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
