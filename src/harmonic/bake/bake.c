// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames are posed a batch at a time; those of short clips are kept, so that going through them again is free.

#include "harmonic/bake/bake.h"

#include "base/scalar.h"
#include "harmonic/clip/clip.h"

#include <string.h>

static const size_t most_kept = (size_t)256 << 20; // bytes of frames

GtHarmonicBakeDef gt_default_harmonic_bake_def(void)
{
    return (GtHarmonicBakeDef){
        .bake = GT_HARMONIC_BAKE_SHAPES,
        .max_shapes = GT_HARMONIC_MAX_SHAPES,
        .tolerance_m = 0.25e-3, // a person that fills a screen of 2,000 lines has 0.9 mm a line
        .max_growth = 0.7,      // keys of joints that are fitted to frames take some bytes, too
    };
}

static GtResult open_baker(GtiBaker* k)
{
    GtResult result = gti_unskin_open(k->context, &k->scratch, k->figure, &k->unskin, k->error);
    if (result == GT_OK && k->unskin.shell->vertex_count != k->clip->vertex_count) {
        result = gti_fail(k->error, GT_ERROR_BAD_VALUE, "the clip is for %d vertices, and the scene has %d",
                          (int)k->clip->vertex_count, (int)k->unskin.shell->vertex_count);
    }
    if (result == GT_OK && k->def->bake != GT_HARMONIC_BAKE_FRAMES && !k->clip->keeps_joints) {
        result = gti_joint_fit_open(&k->unskin, &k->scratch, &k->fit, k->error);
    }
    if (result != GT_OK) {
        return result;
    }
    size_t frame_size = (size_t)k->clip->vertex_count * sizeof *k->positions;
    size_t frame_count = (size_t)k->clip->frame_count;
    size_t kept = frame_count * frame_size <= most_kept ? frame_count : GT_HARMONIC_BATCH;
    k->kept_count = k->clip->known ? k->clip->frame_count : (int32_t)kept;
    k->first = k->clip->known ? 0 : -k->kept_count;
    k->posed = k->clip->known ? NULL : gt_arena_push(&k->scratch, kept * frame_size);
    k->positions = k->clip->known ? k->clip->known : k->posed;
    k->poses = gt_arena_push_array(&k->scratch, frame_count * (size_t)k->fit.joint_count, sizeof *k->poses);
    k->moved = gt_arena_push_array(&k->scratch, frame_count * (size_t)k->clip->driven_count, sizeof *k->moved);
    k->weights = gt_arena_push_array(&k->scratch, frame_count * (size_t)k->unskin.shell->figure->def->weight_count,
                                     sizeof *k->weights);
    return k->positions && k->poses && k->moved && k->weights ? GT_OK : gti_out_of_memory(k->error);
}

// Poses have unit rotations once they are known.
static bool is_known(const GtTransform* pose)
{
    return pose->rotation.x != 0.0f || pose->rotation.y != 0.0f || pose->rotation.z != 0.0f || pose->rotation.w != 0.0f;
}

static void pose_joints(GtiBaker* k, int32_t frame, const GtVec3* wanted)
{
    GtInstance* instance = k->unskin.shell->figure->instance;
    GtTransform* poses = k->poses + (size_t)frame * (size_t)k->fit.joint_count;
    if (k->fit.joint_count == 0) {
        return;
    }
    bool known = is_known(&poses[0]);
    if (!known) {
        gti_joint_fit_pose(&k->fit, wanted);
    }
    for (int32_t j = 0; j < k->fit.joint_count; ++j) {
        GtTransform* pose = &instance->pose[k->fit.joints[j].node];
        if (known) {
            *pose = poses[j];
        } else {
            poses[j] = *pose;
        }
    }
    gt_instance_update(instance);
}

// A restored clip has shapes that play it; others take their place.
static void silence_shapes(const GtiBaker* k, float* weights)
{
    const GtCharacterDef* def = k->unskin.shell->figure->def;
    for (int32_t m = 0; k->clip->first_shapes && m < def->mesh_count; ++m) {
        int64_t own = def->meshes[m].morph_count;
        int64_t first = k->clip->first_shapes[m];
        for (int64_t i = first < 0 ? own : first; i < own && i < first + k->clip->shape_count; ++i) {
            weights[def->meshes[m].first_weight + i] = 0.0f;
        }
    }
}

static GtResult bake_frame(GtiBaker* k, int32_t frame, GtiUnskinFrame* out)
{
    const GtiBakeFrames* clip = k->clip;
    const GtFigure* figure = k->figure;
    double time_s = gti_frame_time_s(clip->start_s, clip->rate_hz, frame);
    out->wanted = k->positions + (size_t)(frame - k->first) * (size_t)clip->vertex_count;
    if (clip->play) {
        clip->play(clip->user, time_s, figure->instance);
    } else {
        gt_figure_pose(figure, time_s, figure->instance);
    }
    for (int32_t i = 0; i < clip->driven_count; ++i) {
        k->moved[(size_t)frame * (size_t)clip->driven_count + (size_t)i] = figure->instance->pose[clip->driven[i]];
    }
    silence_shapes(k, figure->instance->weights);
    memcpy(k->weights + (size_t)frame * (size_t)figure->def->weight_count, figure->instance->weights,
           (size_t)figure->def->weight_count * sizeof *k->weights);
    pose_joints(k, frame, out->wanted);
    gti_unskin_take_joints(&k->unskin, out);
    return gti_progress(k->context, k->error, "baking", (double)frame / (double)clip->frame_count);
}

GtResult gti_bake_batch(GtiBaker* k, int32_t first, int32_t count, GtiUnskinFrame* frames)
{
    GtResult result = GT_OK;
    if (first < k->first || first + count > k->first + k->kept_count) {
        int32_t left = k->clip->frame_count - first;
        k->first = first;
        result = k->clip->pose(k->clip->user, k->context, first, left < k->kept_count ? left : k->kept_count, k->posed,
                               k->error);
    }
    for (int32_t i = 0; i < count && result == GT_OK; ++i) {
        result = bake_frame(k, first + i, &frames[i]);
    }
    return result;
}

int32_t gti_bake_block_count(const GtiBaker* k)
{
    return (k->clip->vertex_count + GTI_BAKE_BLOCK - 1) / GTI_BAKE_BLOCK;
}

int32_t gti_bake_block_end(const GtiBaker* k, int32_t block)
{
    int32_t end = (block + 1) * GTI_BAKE_BLOCK;
    return end < k->clip->vertex_count ? end : k->clip->vertex_count;
}

void gti_bake_run_blocks(const GtiBaker* k, GtRangeFn run, void* data)
{
    enum {
        GRAIN = 8 // blocks, about a hundred microseconds of work for a thread
    };
    gt_executor_run(&k->context->executor, gti_bake_block_count(k), GRAIN, run, data);
}

static int32_t source_of(const GtCharacterDef* def, int32_t node)
{
    return def->source_nodes ? def->source_nodes[node] : node;
}

// Weights of one node's mesh: of its own morphs, then of the shapes.
static GtResult fill_weights(GtiBaker* k, int32_t m, const GtiShapes* shapes, const float* weights, GtiKeys* out)
{
    const GtMeshDef* mesh = &k->unskin.shell->figure->def->meshes[m];
    size_t all_own = (size_t)k->unskin.shell->figure->def->weight_count;
    size_t own = (size_t)mesh->morph_count;
    size_t all = own + (size_t)shapes->count;
    float* values = gt_arena_push_array(&k->scratch, (size_t)k->clip->frame_count * all, sizeof *values);
    if (!values) {
        return gti_out_of_memory(k->error);
    }
    for (size_t f = 0; f < (size_t)k->clip->frame_count; ++f) {
        memcpy(values + f * all, k->weights + f * all_own + (size_t)mesh->first_weight, own * sizeof *values);
        if (weights) {
            memcpy(values + f * all + own, weights + f * (size_t)shapes->count, (size_t)shapes->count * sizeof *values);
        } else {
            values[f * all + own + f] = 1.0f;
        }
    }
    *out = (GtiKeys){ .node = source_of(k->unskin.shell->figure->def, mesh->node),
                      .path = GT_PATH_WEIGHTS,
                      .element = GT_ELEMENT_SCALAR,
                      .values = values,
                      .count = (int32_t)all };
    return GT_OK;
}

// Translation, rotation and scale of a node in each frame: poses[frame * stride].
static GtResult fill_node(GtiBaker* k, int32_t runtime_node, const GtTransform* poses, size_t stride, bool scales,
                          GtiKeys out[3])
{
    size_t frame_count = (size_t)k->clip->frame_count;
    GtVec3* translations = gt_arena_push_array(&k->scratch, frame_count, sizeof *translations);
    GtQuat* rotations = gt_arena_push_array(&k->scratch, frame_count, sizeof *rotations);
    GtVec3* factors = gt_arena_push_array(&k->scratch, scales ? frame_count : 0, sizeof *factors);
    if (!translations || !rotations || !factors) {
        return gti_out_of_memory(k->error);
    }
    int32_t node = source_of(k->unskin.shell->figure->def, runtime_node);
    for (size_t f = 0; f < frame_count; ++f) {
        const GtTransform* pose = &poses[f * stride];
        translations[f] = pose->translation;
        rotations[f] = pose->rotation;
        if (f > 0 && gt_quat_dot(rotations[f], rotations[f - 1]) < 0.0f) {
            rotations[f] = gt_quat(-rotations[f].x, -rotations[f].y, -rotations[f].z, -rotations[f].w);
        }
        if (scales) {
            factors[f] = pose->scale;
        }
    }
    out[0] = (GtiKeys){ node, GT_PATH_TRANSLATION, GT_ELEMENT_VEC3, &translations[0].x, 1 };
    out[1] = (GtiKeys){ node, GT_PATH_ROTATION, GT_ELEMENT_VEC4, &rotations[0].x, 1 };
    if (scales) {
        out[2] = (GtiKeys){ node, GT_PATH_SCALE, GT_ELEMENT_VEC3, &factors[0].x, 1 };
    }
    k->scene->nodes[node].matrix = NULL;
    return GT_OK;
}

GtResult gti_bake_keys(GtiBaker* k, const GtiShapes* shapes, const float* weights)
{
    const GtCharacterDef* def = k->unskin.shell->figure->def;
    const GtiBakeFrames* clip = k->clip;
    size_t joint_count = (size_t)k->fit.joint_count;
    size_t room = (size_t)def->mesh_count + 2 * joint_count + 3 * (size_t)clip->driven_count;
    GtiKeys* keys = gt_arena_push_array(&k->scratch, room, sizeof *keys);
    GtResult result = keys ? GT_OK : gti_out_of_memory(k->error);
    int32_t count = 0;
    for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
        bool is_played = shapes->count > 0 || (clip->play && def->meshes[m].morph_count > 0);
        if (is_played && (m == 0 || def->meshes[m].node != def->meshes[m - 1].node)) {
            result = fill_weights(k, m, shapes, weights, &keys[count++]);
        }
    }
    for (int32_t j = 0; j < k->fit.joint_count && result == GT_OK; ++j, count += 2) {
        result = fill_node(k, k->fit.joints[j].node, &k->poses[j], joint_count, false, &keys[count]);
    }
    for (int32_t i = 0; i < clip->driven_count && result == GT_OK; ++i, count += 3) {
        result = fill_node(k, clip->driven[i], &k->moved[i], (size_t)clip->driven_count, true, &keys[count]);
    }
    GtiClipFrames frames = { clip->animation, clip->frame_count, clip->start_s, clip->rate_hz };
    return result == GT_OK ? gti_keys_put(k->scene, &frames, keys, count, k->error) : result;
}

GtResult gti_bake(GtiBaker* k)
{
    if (!(k->def->tolerance_m >= 0.0) || k->def->max_shapes < 0 || k->def->max_shapes > GT_HARMONIC_MAX_SHAPES) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE,
                        "%d shapes and a tolerance of %g m are out of range; give 0 to %d shapes, and 0 m or more",
                        (int)k->def->max_shapes, k->def->tolerance_m, GT_HARMONIC_MAX_SHAPES);
    }
    if (!(k->def->max_growth >= 0.0)) {
        return gti_fail(k->error, GT_ERROR_BAD_VALUE, "max_growth is %g; it takes 0 or more", k->def->max_growth);
    }
    GtResult result = open_baker(k);
    if (result == GT_OK) {
        result = k->def->bake == GT_HARMONIC_BAKE_FRAMES ? gti_bake_frames(k) : gti_bake_shapes(k);
    }
    k->scene->animations[k->clip->animation].harmonic = NULL;
    return result;
}

static GtResult pose_clip(void* user, const GtContext* context, int32_t first, int32_t count, GtVec3* positions,
                          GtError* error)
{
    return gt_harmonic_clip_pose(context, user, first, count, positions, error);
}

// The frames that a clip has posed already, where vertices of the character are those of the surface.
static const GtVec3* known_frames(const GtHarmonicClip* clip)
{
    bool are_same = clip->vertex_count == gt_harmonic_vertex_count(clip->harmonic);
    for (int32_t v = 0; v < clip->vertex_count && are_same; ++v) {
        are_same = clip->points[v] == v;
    }
    return are_same ? clip->posed : NULL;
}

GtResult gt_harmonic_clip_bake(const GtContext* context, GtFigure* figure, const GtHarmonicClip* clip,
                               const GtHarmonicBakeDef* def, GtScene** out, GtHarmonicBakeReport* report,
                               GtError* error)
{
    GtHarmonicBakeDef bake = def ? *def : gt_default_harmonic_bake_def();
    bake.max_shapes = bake.bake == GT_HARMONIC_BAKE_SKIN ? 0 : bake.max_shapes;
    GT_ASSERT(figure->animation == clip->animation);
    GtiBakeFrames frames = { .animation = clip->animation,
                             .frame_count = clip->frame_count,
                             .start_s = clip->start_s,
                             .rate_hz = clip->rate_hz,
                             .vertex_count = clip->vertex_count,
                             .first_shapes = clip->first_shapes,
                             .shape_count = clip->shape_count,
                             .known = known_frames(clip),
                             .pose = pose_clip,
                             .user = (GtHarmonicClip*)clip };
    GtiBaker k = { .context = context,
                   .clip = &frames,
                   .def = &bake,
                   .figure = figure,
                   .scratch = gt_arena_create(context->allocator),
                   .error = error };
    GtResult result = gt_scene_copy(context, figure->scene, out, error);
    k.scene = *out;
    if (result == GT_OK) {
        result = gti_bake(&k);
    }
    if (result == GT_OK && bake.keep) {
        result = gti_harmonic_clip_keep(context, k.scene, k.unskin.shell, clip, bake.keep, k.report.shape_count, error);
    }
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
        return result;
    }
    if (report) {
        *report = k.report;
    }
    return GT_OK;
}
