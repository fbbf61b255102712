// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames as the player has them go through the same mill as those of harmonic deformation: what a linear skin leaves of
// them, in the space of the mesh at rest, becomes a few principal shapes. Joints stay where the clip has them; those
// that tracks move get keys of their own. Between frames weights go straight while the surface does not: where that is
// seen, frames are taken twice as often.

#include "gertie/sculpt.h"

#include "base/scalar.h"
#include "harmonic/bake/bake.h"
#include "sections/bake_error.h"

#include <math.h>
#include <string.h>

enum {
    MOST_FRAMES = 1 << 20
};

static const double worth = 0.9; // what a higher rate must make of the error

// What is baked.
typedef struct Baker {
    const GtContext* context;
    const GtScene* source;
    const GtSculpt* sculpt;
    const GtSculptBakeDef* def;
    GtArena arena;
    GtFigure figure;        // without sections, as it is baked
    GtCharacter* character; // with sections
    GtSculptPlayer* player;
    GtInstance* instance; // of the character with sections
    int32_t vertex_count;
    int32_t bound_count; // vertices that sections hold
    GtError* error;
} Baker;

// One try, at some rate.
typedef struct Bake {
    Baker* baker;
    double wanted_hz;
    GtScene* scene; // that is made
    GtArena arena;
    GtiBakeFrames frames;
    int32_t* driven; // nodes
    GtiBakeError error;
    GtSculptBakeReport report;
} Bake;

GtSculptBakeDef gt_default_sculpt_bake_def(void)
{
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    return (GtSculptBakeDef){ .animation = GT_NONE,
                              .rate_hz = 30.0,
                              .max_rate_hz = 120.0,
                              .max_shapes = def.max_shapes,
                              .tolerance_m = def.tolerance_m };
}

static double last_key_s(const GtSculpt* sculpt)
{
    double last = 0.0;
    for (int32_t i = 0; i < sculpt->track_count; ++i) {
        const GtSculptTrack* track = &sculpt->tracks[i];
        last = track->curve && !track->input ? fmax(last, gt_curve_end_s(track->curve)) : last;
    }
    return last;
}

static GtResult time_frames(Bake* k)
{
    const Baker* b = k->baker;
    GtiBakeFrames* frames = &k->frames;
    frames->animation = b->def->animation;
    frames->start_s = b->figure.clip ? b->figure.start_s : 0.0;
    double length_s = b->figure.clip ? b->figure.end_s - b->figure.start_s : last_key_s(b->sculpt);
    if (!b->figure.clip && !(length_s > 0.0)) {
        return gti_fail(
            b->error, GT_ERROR_NOT_FOUND,
            "there is nothing to bake: the character has neither a clip nor keys over time; give it a motion first");
    }
    double steps = length_s > 0.0 ? fmax(round(length_s * k->wanted_hz), 1.0) : 0.0;
    if (!(k->wanted_hz > 0.0 && steps < MOST_FRAMES)) {
        return gti_fail(b->error, GT_ERROR_LIMIT, "there are %g frames; the limit is %d", steps, MOST_FRAMES);
    }
    frames->frame_count = (int32_t)steps + 1;
    frames->rate_hz = steps > 0.0 ? steps / length_s : 0.0;
    if (!b->figure.clip) {
        GtAnimation animation = { .name = "deform" };
        return gt_scene_add_animation(k->scene, &animation, &frames->animation, b->error);
    }
    return GT_OK;
}

static GtResult open_player(Baker* b)
{
    GtBuildDef build = gt_default_build_def();
    GtSculptReport report = { 0 };
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    GtResult result = gt_sculpt_character(b->context, b->source, b->sculpt, &build, &b->character, &report, b->error);
    b->bound_count = report.bound_vertices;
    GtFigureDef figure_def = gti_figure_playing(b->def->animation, NULL);
    if (result == GT_OK) {
        result = gt_figure_open(b->context, b->source, &figure_def, &b->figure, b->error);
    }
    def.scene = b->source;
    def.sculpt = b->sculpt;
    def.character = b->character;
    def.map = &b->figure.map;
    def.clip = b->figure.clip;
    def.animation = b->def->animation;
    def.start_s = b->figure.clip ? b->figure.start_s : NAN;
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
static GtResult find_driven(Bake* k)
{
    const Baker* b = k->baker;
    const GtCharacterDef* def = gt_character_def(b->character);
    size_t count = (size_t)def->node_count;
    GtTransform* plain = gt_arena_push_array(&k->arena, count, sizeof *plain);
    float* weights = gt_arena_push_array(&k->arena, (size_t)def->weight_count, sizeof *weights);
    bool* is_driven = gt_arena_push_array(&k->arena, count, sizeof *is_driven);
    k->driven = gt_arena_push_array(&k->arena, count, sizeof *k->driven);
    if (!plain || !weights || !is_driven || !k->driven) {
        return gti_out_of_memory(b->error);
    }
    for (int32_t f = 0; f < k->frames.frame_count; ++f) {
        memcpy(plain, def->rest, count * sizeof *plain);
        if (b->figure.clip) {
            gt_clip_sample(b->figure.clip, gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, f), plain, weights);
        }
        gt_sculpt_play(b->player, gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, f), b->instance);
        for (size_t n = 0; n < count; ++n) {
            is_driven[n] = is_driven[n] || !is_same(&plain[n], &b->instance->pose[n]);
        }
    }
    for (size_t n = 0; n < count; ++n) {
        if (is_driven[n]) {
            k->driven[k->frames.driven_count++] = (int32_t)n;
        }
    }
    k->frames.driven = k->driven;
    return GT_OK;
}

static GtResult pose_frames(void* user, const GtContext* context, int32_t first, int32_t count, GtVec3* positions,
                            GtError* error)
{
    Bake* k = user;
    const Baker* b = k->baker;
    const GtCharacterDef* def = gt_character_def(b->character);
    for (int32_t f = first; f < first + count; ++f) {
        gt_sculpt_play(b->player, gti_frame_time_s(k->frames.start_s, k->frames.rate_hz, f), b->instance);
        for (int32_t m = 0; m < def->mesh_count; ++m) {
            gt_instance_deform(b->instance, m, positions, NULL, NULL);
            positions += def->meshes[m].vertex_count;
        }
        GtResult result = gti_progress(context, error, "posing", (double)f / (double)k->frames.frame_count);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

// Onto the character without sections: its nodes and weights are the same.
static void play_joints(void* user, double time_s, GtInstance* instance)
{
    const Baker* b = ((Bake*)user)->baker;
    const GtCharacterDef* def = gt_character_def(b->character);
    gt_sculpt_play(b->player, time_s, b->instance);
    memcpy(instance->pose, b->instance->pose, (size_t)def->node_count * sizeof *instance->pose);
    memcpy(instance->weights, b->instance->weights, (size_t)def->weight_count * sizeof *instance->weights);
    gt_instance_update(instance);
}

// Of all vertices those that the deformation can move; errors are theirs, for a section of a forearm would not be seen
// in the mean over a whole body.
static double moved_share(const Bake* k)
{
    const Baker* b = k->baker;
    bool is_all = b->bound_count == 0 || b->sculpt->shapes || k->frames.driven_count > 0;
    for (int32_t i = 0; i < b->sculpt->section_count; ++i) {
        is_all = is_all || b->sculpt->sections[i].def.node == GT_NONE;
    }
    return is_all ? 1.0 : (double)b->bound_count / (double)b->vertex_count;
}

static GtResult bake_frames(Bake* k)
{
    Baker* b = k->baker;
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    double part = sqrt(moved_share(k));
    def.max_shapes = b->def->max_shapes;
    def.tolerance_m = part * b->def->tolerance_m;
    k->frames.vertex_count = b->vertex_count;
    k->frames.keeps_joints = true;
    k->frames.pose = pose_frames;
    k->frames.play = play_joints;
    k->frames.user = k;
    GtiBaker baker = { .context = b->context,
                       .clip = &k->frames,
                       .def = &def,
                       .figure = &b->figure,
                       .scene = k->scene,
                       .scratch = gt_arena_create(b->context->allocator),
                       .error = b->error };
    GtResult result = gti_bake(&baker);
    gt_arena_destroy(&baker.scratch);
    k->report = (GtSculptBakeReport){ .frame_count = k->frames.frame_count,
                                      .rate_hz = k->frames.rate_hz,
                                      .shape_count = baker.report.shape_count,
                                      .byte_size = baker.report.byte_size,
                                      .skin_rms_m = baker.report.skin_rms_m / part };
    return result;
}

static GtResult measure(Bake* k)
{
    const Baker* b = k->baker;
    GtiBakeErrorDef def = { .player = b->player,
                            .baked = k->scene,
                            .animation = k->frames.animation,
                            .start_s = k->frames.start_s,
                            .rate_hz = k->frames.rate_hz,
                            .frame_count = k->frames.frame_count,
                            .moved_share = moved_share(k) };
    GtResult result = gti_bake_error(b->context, &def, &k->error, b->error);
    k->report.error_rms_m = k->error.rms_m;
    k->report.error_max_m = k->error.max_m;
    k->report.error_time_s = k->error.time_s;
    return result;
}

static GtResult bake_at(Baker* b, double rate_hz, Bake* k)
{
    *k = (Bake){ .baker = b, .wanted_hz = rate_hz, .arena = gt_arena_create(b->context->allocator) };
    GtResult result = gt_scene_copy(b->context, b->source, &k->scene, b->error);
    if (result == GT_OK) {
        k->scene->deform = NULL;
        result = time_frames(k);
    }
    if (result == GT_OK) {
        result = find_driven(k);
    }
    if (result == GT_OK) {
        result = bake_frames(k);
    }
    if (result == GT_OK) {
        result = measure(k);
    }
    gt_arena_destroy(&k->arena);
    if (result != GT_OK) {
        gt_scene_destroy(k->scene);
        k->scene = NULL;
    }
    return result;
}

// Some moment between frames is off by more than it should be, and more than frames are.
static bool is_too_slow(const Bake* k)
{
    double tolerance_m = k->baker->def->tolerance_m;
    tolerance_m = tolerance_m > 0.0 ? tolerance_m : gt_default_sculpt_bake_def().tolerance_m;
    return k->error.between_rms_m > tolerance_m && worth * k->error.between_rms_m > k->error.frame_rms_m;
}

// Twice as often, as long as that helps.
static GtResult bake(Baker* b, GtScene** out, GtSculptBakeReport* report)
{
    Bake best;
    GtResult result = bake_at(b, b->def->rate_hz, &best);
    double rate_hz = 2.0 * b->def->rate_hz;
    while (result == GT_OK && rate_hz <= b->def->max_rate_hz && is_too_slow(&best)) {
        Bake next;
        result = bake_at(b, rate_hz, &next);
        bool is_beyond = result == GT_ERROR_LIMIT; // more than shapes may take, which what there is does not
        result = is_beyond ? GT_OK : result;
        bool helps = result == GT_OK && !is_beyond && next.error.between_rms_m < worth * best.error.between_rms_m;
        gt_scene_destroy(helps || result != GT_OK ? best.scene : next.scene);
        rate_hz = helps ? 2.0 * rate_hz : INFINITY;
        best = helps ? next : best;
    }
    if (result == GT_OK) {
        *out = best.scene;
        if (report) {
            *report = best.report;
        }
    }
    return result;
}

GtResult gt_sculpt_bake(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                        const GtSculptBakeDef* def, GtScene** out, GtSculptBakeReport* report, GtError* error)
{
    def = def ? def : (GtSculptBakeDef[]){ gt_default_sculpt_bake_def() };
    *out = NULL;
    Baker b = { .context = context,
                .source = scene,
                .sculpt = sculpt,
                .def = def,
                .arena = gt_arena_create(context->allocator),
                .error = error };
    GtResult result = open_player(&b);
    for (int32_t m = 0; result == GT_OK && m < gt_character_def(b.character)->mesh_count; ++m) {
        b.vertex_count += gt_character_def(b.character)->meshes[m].vertex_count;
    }
    if (result == GT_OK) {
        result = bake(&b, out, report);
    }
    gt_instance_destroy(b.instance);
    gt_sculpt_player_destroy(b.player);
    gt_character_destroy(b.character);
    gt_figure_close(&b.figure);
    gt_arena_destroy(&b.arena);
    return result;
}
