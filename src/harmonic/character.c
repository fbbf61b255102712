// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A character is made once more with a harmonic skin: the surface of its meshes is factored as for a clip, and what
// frames need to follow the joints is written down. The mean of a handle's vertices under the linear skin is
//     1/n sum over vertices v, joints j of w_vj model_from_j joint_from_mesh_j p_v,
// so one point a joint, the sum over the vertices, says where it is in any pose.

#include "gertie/harmonic_character.h"
#include "gertie/harmonic_clip.h"

#include "harmonic/clip/clip.h"
#include "harmonic/clip/pose.h"
#include "harmonic/clip/surface.h"
#include "harmonic/markers/markers.h"
#include "harmonic/markers/motion.h"

#include <string.h>

typedef struct Maker {
    const GtContext* context;
    GtFigure* figure;
    const GtMarkers* markers;
    const GtHarmonicCharacterDef* def;
    const GtCharacterDef* plain; // without the skin
    GtArena arena;
    GtiMarkedBody body;
    GtHarmonic* harmonic;
    GtHarmonicSkinDef skin;
    GtHarmonicReport report;
    GtError* error;
} Maker;

GtHarmonicCharacterDef gt_default_harmonic_character_def(void)
{
    return (
        GtHarmonicCharacterDef){ .hold_feet = true, .hold_hands = true, .squeeze = gt_default_harmonic_def().squeeze };
}

// The surface is that of the figure: nodes and vertices of the character must be the same.
static bool is_same_figure(const GtCharacterDef* a, const GtCharacterDef* b)
{
    bool same =
        a->node_count == b->node_count && a->mesh_count == b->mesh_count && !a->source_nodes == !b->source_nodes;
    for (int32_t i = 0; same && i < a->node_count; ++i) {
        same = !a->source_nodes || a->source_nodes[i] == b->source_nodes[i];
    }
    for (int32_t i = 0; same && i < a->mesh_count; ++i) {
        same = a->meshes[i].vertex_count == b->meshes[i].vertex_count && a->meshes[i].skin == b->meshes[i].skin;
    }
    return same;
}

static GtResult factor(Maker* k)
{
    if (!is_same_figure(k->figure->def, k->plain)) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE, "the character has other nodes or meshes than the figure");
    }
    GtResult result = gti_marked_body_open(k->context, k->figure, k->markers, &k->arena, &k->body, k->error);
    return result == GT_OK ? gti_marked_body_factor(k->context, &k->body, k->def->squeeze, false, &k->harmonic,
                                                    &k->report, k->error)
                           : result;
}

static GtResult follow_joints(Maker* k)
{
    GtiMarkerMotion motion;
    GtResult result =
        gti_marker_motion_open(k->body.shell, &k->body.bones, k->body.axes, k->markers, &k->arena, &motion, k->error);
    if (result != GT_OK) {
        return result;
    }
    k->skin = motion.skin;
    k->skin.harmonic = k->harmonic;
    GtMat34 node_from_bind = gt_mat34_inverse(&k->body.shell->bind[k->skin.anchor_node], NULL);
    k->skin.anchor_point = gt_mat34_point(&node_from_bind, gt_harmonic_anchor(k->harmonic));
    k->skin.anchor_give = gti_anchor_give;
    GtMat34* bind_from_mesh = gt_arena_push_array(&k->arena, (size_t)k->plain->mesh_count, sizeof *bind_from_mesh);
    if (!bind_from_mesh) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t m = 0; m < k->plain->mesh_count; ++m) {
        bind_from_mesh[m] = gti_bind_from_mesh(k->body.shell, m);
    }
    k->skin.bind_from_mesh = bind_from_mesh;
    k->skin.points = k->body.shell->points;
    return GT_OK;
}

// Sums of points in the space of each node, times weights, and of weights: [node_count][4]
static void add_vertex(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex, double share,
                       double (*sums)[4])
{
    for (int32_t i = 0; i < (mesh->skin == GT_NONE ? 1 : mesh->influence_count); ++i) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)i;
        const GtSkinDef* skin = mesh->skin == GT_NONE ? NULL : &def->skins[mesh->skin];
        double weight = share * (skin ? (double)mesh->weights[at] : 1.0);
        GtVec3 p = mesh->positions[vertex];
        if (skin) {
            p = gt_mat34_point(&skin->joint_from_mesh[mesh->joints[at]], p);
        }
        double* sum = sums[skin ? skin->joints[mesh->joints[at]] : mesh->node];
        sum[0] += weight * (double)p.x;
        sum[1] += weight * (double)p.y;
        sum[2] += weight * (double)p.z;
        sum[3] += weight;
    }
}

static void grip_part(Maker* k, int part, double (*sums)[4], GtHarmonicGrip* grips)
{
    const GtCharacterDef* def = k->figure->def;
    int32_t m = 0;
    memset(sums, 0, (size_t)def->node_count * sizeof *sums);
    for (int32_t i = 0; i < k->body.parts.counts[part]; ++i) {
        int32_t vertex = k->body.parts.vertices[part][i]; // ascending
        while (vertex >= k->body.shell->first_vertex[m + 1]) {
            ++m;
        }
        add_vertex(def, &def->meshes[m], vertex - k->body.shell->first_vertex[m],
                   1.0 / (double)k->body.parts.counts[part], sums);
    }
    for (int32_t n = 0; n < def->node_count; ++n) {
        if (sums[n][3] != 0.0) {
            grips[k->skin.grip_count++] = (GtHarmonicGrip){
                .handle = k->body.parts.handles[part],
                .node = n,
                .point = gt_vec3((float)sums[n][0], (float)sums[n][1], (float)sums[n][2]),
                .weight = (float)sums[n][3],
            };
        }
    }
}

static GtResult grip_handles(Maker* k)
{
    size_t nodes = (size_t)k->plain->node_count;
    double(*sums)[4] = gt_arena_push_array(&k->arena, nodes, sizeof *sums);
    GtHarmonicGrip* grips = gt_arena_push_array(&k->arena, nodes * GTI_PART_COUNT, sizeof *grips);
    float* strengths = gt_arena_push_array(&k->arena, GTI_PART_COUNT, sizeof *strengths);
    if (!sums || !grips || !strengths) {
        return gti_out_of_memory(k->error);
    }
    for (int part = 0; part < GTI_PART_COUNT; ++part) {
        if (k->body.parts.handles[part] != GT_NONE) {
            bool is_held = part < GTI_LEG_COUNT ? k->def->hold_feet : k->def->hold_hands;
            strengths[k->body.parts.handles[part]] = is_held ? gti_part_strength(part) : 0.0f;
            grip_part(k, part, sums, grips);
        }
    }
    k->skin.grips = grips;
    k->skin.strengths = strengths;
    return GT_OK;
}

// Take the displacements out of shapes that clips of the scene were baked into. They stay in their places, so that
// whatever drives shapes finds the others.
static GtResult empty_shapes(Maker* k, GtMeshDef* meshes)
{
    for (int32_t a = 0; a < k->figure->scene->animation_count; ++a) {
        GtHarmonicClip baked = { .arena = k->arena };
        bool keeps = k->figure->scene->animations[a].harmonic &&
                     gti_harmonic_clip_shapes(k->figure->scene, k->body.shell, a, &baked, NULL) == GT_OK;
        k->arena = baked.arena;
        for (int32_t m = 0; keeps && m < k->plain->mesh_count; ++m) {
            GtMeshDef* mesh = &meshes[m];
            GtMorphDef* morphs = gt_arena_push_array(&k->arena, (size_t)mesh->morph_count, sizeof *morphs);
            if (!morphs) {
                return gti_out_of_memory(k->error);
            }
            for (int32_t i = 0; i < mesh->morph_count; ++i) {
                bool is_baked = i >= baked.first_shapes[m] && i - baked.first_shapes[m] < baked.shape_count;
                morphs[i] = is_baked ? (GtMorphDef){ .name = mesh->morphs[i].name } : mesh->morphs[i];
            }
            mesh->morphs = morphs;
        }
    }
    return GT_OK;
}

static bool has_morphs(const GtMeshDef* mesh)
{
    bool has = mesh->deformer_count == 0;
    for (int32_t i = 0; i < mesh->deformer_count; ++i) {
        has = has || mesh->deformers[i].kind == GT_DEFORMER_MORPH;
    }
    return has;
}

static GtResult create(Maker* k, GtCharacter** out)
{
    static const GtDeformerData stack[] = { { GT_DEFORMER_MORPH, GT_SKIN_LINEAR },
                                            { GT_DEFORMER_HARMONIC, GT_SKIN_LINEAR } };
    GtCharacterDef def = *k->plain;
    GtMeshDef* meshes = gt_arena_push_array(&k->arena, (size_t)def.mesh_count, sizeof *meshes);
    if (!meshes) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t m = 0; m < def.mesh_count; ++m) {
        int32_t first = has_morphs(&def.meshes[m]) ? 0 : 1;
        meshes[m] = def.meshes[m];
        meshes[m].deformers = stack + first;
        meshes[m].deformer_count = 2 - first;
    }
    def.meshes = meshes;
    def.harmonic = &k->skin;
    GtResult result = empty_shapes(k, meshes);
    return result == GT_OK ? gt_character_create(k->context->allocator, &def, out, k->error) : result;
}

GtResult gt_harmonic_character(const GtContext* context, GtFigure* figure, const GtMarkers* markers,
                               const GtHarmonicCharacterDef* def, GtCharacter** out, GtHarmonicReport* report,
                               GtError* error)
{
    const GtHarmonicCharacterDef usual = gt_default_harmonic_character_def();
    Maker k = { .context = context,
                .figure = figure,
                .markers = markers,
                .def = def ? def : &usual,
                .arena = gt_arena_create(context->allocator),
                .error = error };
    k.plain = k.def->character ? gt_character_def(k.def->character) : figure->def;
    *out = NULL;
    GtResult (*const steps[])(Maker*) = { factor, follow_joints, grip_handles };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && result == GT_OK; ++i) {
        result = steps[i](&k);
    }
    if (result == GT_OK) {
        result = create(&k, out);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, figure->scene->source.file);
    } else if (report) {
        *report = k.report;
    }
    gt_harmonic_destroy(k.harmonic);
    gt_arena_destroy(&k.arena);
    return result;
}

GtResult gt_scene_markers(const GtContext* context, const GtScene* scene, GtMarkers** out, GtError* error)
{
    GtResult result = GT_OK;
    *out = NULL;
    for (int32_t a = 0; a < scene->animation_count && result == GT_OK && !*out; ++a) {
        GtError inner = { 0 };
        result = scene->animations[a].harmonic ? gt_markers_restore(context, scene, a, out, &inner) : GT_OK;
        if (result == GT_ERROR_BAD_VALUE) {
            result = gti_repair(context, error, scene->source.file, scene->animations[a].name, "%.400s; left out",
                                inner.message);
        } else if (result != GT_OK && error) {
            *error = inner;
        }
    }
    return result;
}
