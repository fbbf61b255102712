// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames as the player has them go through the same mill as those of harmonic deformation: what a linear skin leaves of
// them, in the space of the mesh at rest, becomes a few principal shapes. Joints stay where the clip has them; those
// that tracks move get keys of their own.

#include "gertie/sculpt.h"

#include "deform/harmonic_bake.h"
#include "sculpt/player.h"

#include <math.h>
#include <string.h>

enum {
    MOST_FRAMES = 1 << 20
};

typedef struct Baker {
    const GtContext* context;
    const GtSculpt* sculpt;
    const GtSculptBakeDef* def;
    GtScene* scene; // that is made
    GtArena arena;
    GtiSubject figure; // when the motion is
    GtCharacter* character;
    GtClip* clip;
    GtSculptPlayer* player;
    GtInstance* instance;
    int32_t* driven;     // nodes
    int32_t bound_count; // vertices that sections hold
    GtiBakeFrames frames;
    GtError* error;
} Baker;

GtSculptBakeDef gt_default_sculpt_bake_def(void)
{
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    return (GtSculptBakeDef){
        .animation = GT_NONE, .rate_hz = 30.0, .max_shapes = def.max_shapes, .tolerance_m = def.tolerance_m
    };
}

static double last_key_s(const GtSculpt* sculpt)
{
    double last = 0.0;
    for (int32_t i = 0; i < sculpt->track_count; ++i) {
        const GtSculptTrack* track = &sculpt->tracks[i];
        last = track->curve && !track->input ? fmax(last, gt_key_curve_end_s(track->curve)) : last;
    }
    return last;
}

static GtResult time_frames(Baker* b)
{
    GtiBakeFrames* frames = &b->frames;
    frames->animation = b->def->animation;
    frames->start_s = b->clip ? b->figure.start_s : 0.0;
    double length_s = b->clip ? b->figure.end_s - b->figure.start_s : last_key_s(b->sculpt);
    if (!b->clip && !(length_s > 0.0)) {
        return gti_fail(b->error, GT_ERROR_NOT_FOUND,
                        "there is nothing to bake: neither a clip nor keys over time. Give the character a motion");
    }
    double steps = length_s > 0.0 ? fmax(round(length_s * b->def->rate_hz), 1.0) : 0.0;
    if (!(b->def->rate_hz > 0.0 && steps < MOST_FRAMES)) {
        return gti_fail(b->error, GT_ERROR_LIMIT, "%g frames, and %d are the most", steps, MOST_FRAMES);
    }
    frames->frame_count = (int32_t)steps + 1;
    frames->rate_hz = steps > 0.0 ? steps / length_s : 0.0;
    if (!b->clip) {
        GtAnimation animation = { .name = "deform" };
        return gt_scene_add_animation(b->scene, &animation, &frames->animation, b->error);
    }
    return GT_OK;
}

static double time_of(const Baker* b, int32_t frame)
{
    return b->frames.start_s + (frame > 0 ? (double)frame / b->frames.rate_hz : 0.0);
}

static GtResult open_player(Baker* b)
{
    GtBuildDef build = gt_default_build_def();
    GtSculptReport report = { 0 };
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    GtResult result = gt_sculpt_character(b->context, b->scene, b->sculpt, &build, &b->character, &report, b->error);
    b->bound_count = report.bound_vertices;
    if (result == GT_OK && b->def->animation != GT_NONE) {
        result = gti_subject_open(b->context, &b->arena, b->scene, b->def->animation, NULL, &b->figure, b->error);
    }
    if (result == GT_OK && b->def->animation != GT_NONE) {
        result = gt_clip_build(b->context, b->scene, b->def->animation, b->character, &b->clip, b->error);
    }
    def.scene = b->scene;
    def.sculpt = b->sculpt;
    def.character = b->character;
    def.clip = b->clip;
    def.animation = b->def->animation;
    def.start_s = b->clip ? b->figure.start_s : NAN;
    if (result == GT_OK) {
        result = gt_sculpt_player_create(b->context, &def, &b->player, b->error);
    }
    return result == GT_OK ? gt_instance_create(b->context->allocator, b->character, &b->instance, b->error) : result;
}

static bool is_same(const GtTransform* a, const GtTransform* b)
{
    return memcmp(&a->translation, &b->translation, sizeof a->translation) == 0 &&
           memcmp(&a->rotation, &b->rotation, sizeof a->rotation) == 0 &&
           memcmp(&a->scale, &b->scale, sizeof a->scale) == 0;
}

// Nodes that tracks move otherwise than the clip does in some frame.
static GtResult find_driven(Baker* b)
{
    const GtCharacterDef* def = gt_character_def(b->character);
    size_t count = (size_t)def->node_count;
    GtTransform* plain = gt_arena_push_array(&b->arena, count, sizeof *plain);
    float* weights = gt_arena_push_array(&b->arena, (size_t)def->weight_count, sizeof *weights);
    bool* is_driven = gt_arena_push_array(&b->arena, count, sizeof *is_driven);
    b->driven = gt_arena_push_array(&b->arena, count, sizeof *b->driven);
    if (!plain || !weights || !is_driven || !b->driven) {
        return gti_out_of_memory(b->error);
    }
    for (int32_t f = 0; f < b->frames.frame_count; ++f) {
        memcpy(plain, def->rest, count * sizeof *plain);
        if (b->clip) {
            gt_clip_sample(b->clip, time_of(b, f), plain, weights);
        }
        gt_sculpt_play(b->player, time_of(b, f), b->instance);
        for (size_t n = 0; n < count; ++n) {
            is_driven[n] = is_driven[n] || !is_same(&plain[n], &b->instance->pose[n]);
        }
    }
    for (size_t n = 0; n < count; ++n) {
        if (is_driven[n]) {
            b->driven[b->frames.driven_count++] = (int32_t)n;
        }
    }
    b->frames.driven = b->driven;
    return GT_OK;
}

static GtResult pose_frames(void* user, const GtContext* context, int32_t first, int32_t count, GtVec3* positions,
                            GtError* error)
{
    Baker* b = user;
    const GtCharacterDef* def = gt_character_def(b->character);
    for (int32_t f = first; f < first + count; ++f) {
        gt_sculpt_play(b->player, time_of(b, f), b->instance);
        for (int32_t m = 0; m < def->mesh_count; ++m) {
            gt_instance_deform(b->instance, m, positions, NULL, NULL);
            positions += def->meshes[m].vertex_count;
        }
        GtResult result = gti_progress(context, error, "posing", (double)f / (double)b->frames.frame_count);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

// Onto the character without sections: its nodes and weights are the same.
static void play_joints(void* user, double time_s, GtInstance* instance)
{
    Baker* b = user;
    const GtCharacterDef* def = gt_character_def(b->character);
    gt_sculpt_play(b->player, time_s, b->instance);
    memcpy(instance->pose, b->instance->pose, (size_t)def->node_count * sizeof *instance->pose);
    memcpy(instance->weights, b->instance->weights, (size_t)def->weight_count * sizeof *instance->weights);
    gt_instance_update(instance);
}

// Of all vertices those that the deformation can move; errors are theirs, for a section of a forearm would not be seen
// in the mean over a whole body.
static double moved_share(const Baker* b)
{
    bool is_all = b->bound_count == 0 || b->sculpt->shapes || b->frames.driven_count > 0;
    for (int32_t i = 0; i < b->sculpt->section_count; ++i) {
        is_all = is_all || b->sculpt->sections[i].def.node == GT_NONE;
    }
    return is_all ? 1.0 : (double)b->bound_count / (double)b->frames.vertex_count;
}

static GtResult bake_frames(Baker* b, GtSculptBakeReport* report)
{
    const GtCharacterDef* def = gt_character_def(b->character);
    GtHarmonicBakeDef bake = gt_default_harmonic_bake_def();
    bake.max_shapes = b->def->max_shapes;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        b->frames.vertex_count += def->meshes[m].vertex_count;
    }
    double part = sqrt(moved_share(b));
    bake.tolerance_m = part * b->def->tolerance_m;
    b->frames.keeps_joints = true;
    b->frames.pose = pose_frames;
    b->frames.play = play_joints;
    b->frames.user = b;
    GtiBaker k = { .context = b->context,
                   .clip = &b->frames,
                   .def = &bake,
                   .scene = b->scene,
                   .scratch = gt_arena_create(b->context->allocator),
                   .error = b->error };
    GtResult result = gti_bake(&k);
    gti_bake_close(&k);
    if (report) {
        *report = (GtSculptBakeReport){ .frame_count = b->frames.frame_count,
                                        .shape_count = k.report.shape_count,
                                        .byte_size = k.report.byte_size,
                                        .skin_rms_m = k.report.skin_rms_m / part,
                                        .error_rms_m = k.report.error_rms_m / part,
                                        .error_max_m = k.report.error_max_m,
                                        .error_time_s = k.report.error_time_s };
    }
    return result;
}

GtResult gt_sculpt_bake(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                        const GtSculptBakeDef* def, GtScene** out, GtSculptBakeReport* report, GtError* error)
{
    Baker b = {
        .context = context, .sculpt = sculpt, .def = def, .arena = gt_arena_create(context->allocator), .error = error
    };
    GtResult result = gt_scene_copy(context, scene, out, error);
    b.scene = *out;
    if (result == GT_OK) {
        b.scene->deform = NULL;
        result = open_player(&b);
    }
    if (result == GT_OK) {
        result = time_frames(&b);
    }
    if (result == GT_OK) {
        result = find_driven(&b);
    }
    if (result == GT_OK) {
        result = bake_frames(&b, report);
    }
    gt_instance_destroy(context->allocator, b.instance);
    gt_sculpt_player_destroy(b.player);
    gt_clip_destroy(b.clip);
    gt_character_destroy(b.character);
    gti_subject_close(&b.figure);
    gt_arena_destroy(&b.arena);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
