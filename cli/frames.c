// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames start at 1, as programs that play sequences count. Vertices are posed by the runtime, so that what it can do
// (dual quaternions, any number of influences) reaches programs that cannot.

#include "frames.h"

#include "fail.h"

#include "gertie/freeze.h"
#include "gertie/point_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_FRAMES = 1000000
};

static bool ends_with(const char* path, const char* ending)
{
    size_t length = strlen(path);
    size_t size = strlen(ending);
    return length > size && !strcasecmp(path + length - size, ending);
}

bool frames_asked(const char* path)
{
    return ends_with(path, ".pc2") || strchr(path, '#');
}

bool frames_prepare(Session* session, const char* path)
{
    const char* slash = strrchr(path, '/');
    if (!ends_with(path, ".pc2") && !ends_with(path, ".obj") && !ends_with(path, ".ply") && !ends_with(path, ".stl")) {
        return session_misuse(session, "%s: a file a frame is an .obj, .ply or .stl", path);
    }
    if (slash && strchr(path, '#') && strrchr(path, '#') < slash) {
        return session_misuse(session, "%s: # goes into the name of the file, not of a folder", path);
    }
    return output_place_check(session, path);
}

static bool prepare(Session* session, int32_t clip, double rate_hz, Frames* frames)
{
    GtError error = { 0 };
    GtBuildDef def = gt_default_build_def();
    const GtContext* context = &session->context;
    if (gt_sculpt_actor_build(context, frames->scene, &def, &frames->sculpt, &frames->character, &error) != GT_OK ||
        gt_instance_create(context->allocator, frames->character, &frames->instance, &error) != GT_OK ||
        (clip != GT_NONE &&
         gt_clip_build(context, frames->scene, clip, frames->character, &frames->clip, &error) != GT_OK)) {
        return session_fail(session, &error);
    }
    double start_s = frames->clip ? gt_clip_start_s(frames->clip) : 0.0;
    if (gt_sculpt_actor_play(context, frames->scene, frames->character, frames->clip, clip, start_s, &frames->sculpt,
                             &error) != GT_OK) {
        return session_fail(session, &error);
    }
    const GtCharacterDef* character = gt_character_def(frames->character);
    for (int32_t i = 0; i < character->mesh_count; ++i) {
        frames->vertex_count += character->meshes[i].vertex_count;
    }
    frames->rate_hz = rate_hz;
    frames->count = 1;
    if (frames->clip) {
        frames->start_s = start_s;
        double count = floor((gt_clip_end_s(frames->clip) - frames->start_s) * rate_hz + 1e-6) + 1.0;
        frames->count = count < MOST_FRAMES ? (int32_t)count : MOST_FRAMES;
    }
    return true;
}

bool frames_open(Session* session, const GtScene* scene, int32_t clip, double rate_hz, Frames* out)
{
    *out = (Frames){ .scene = scene };
    return prepare(session, clip, rate_hz, out);
}

bool frames_open_harmonic(Session* session, const GtScene* scene, const GtHarmonicClip* clip, Frames* out)
{
    GtError error = { 0 };
    *out = (Frames){ .scene = scene,
                     .start_s = clip->start_s,
                     .rate_hz = clip->rate_hz,
                     .count = clip->frame_count,
                     .vertex_count = clip->vertex_count };
    return gt_harmonic_player_create(&session->context, scene, clip, &out->player, &error) == GT_OK ||
           session_fail(session, &error);
}

void frames_close(Session* session, Frames* frames)
{
    gt_harmonic_player_destroy(frames->player);
    gt_sculpt_actor_close(&frames->sculpt);
    gt_clip_destroy(frames->clip);
    gt_instance_destroy(session->context.allocator, frames->instance);
    gt_character_destroy(frames->character);
}

static void pose(Frames* frames, int32_t frame)
{
    if (frames->sculpt.player) {
        gt_sculpt_play(frames->sculpt.player, frames->start_s + (double)frame / frames->rate_hz, frames->instance);
        return;
    }
    gt_instance_reset(frames->instance);
    if (frames->clip) {
        double time_s = frames->start_s + (double)frame / frames->rate_hz;
        gt_clip_sample(frames->clip, time_s, frames->instance->pose, frames->instance->weights);
    }
    gt_instance_update(frames->instance);
}

bool frames_freeze(Session* session, Frames* frames, int32_t frame, GtScene** out)
{
    GtError error = { 0 };
    if (frames->player) {
        return gt_harmonic_player_freeze(frames->player, frame, out, &error) == GT_OK || session_fail(session, &error);
    }
    pose(frames, frame);
    return gt_scene_freeze(&session->context, frames->scene, frames->instance, out, &error) == GT_OK ||
           session_fail(session, &error);
}

static GtResult fill_points(void* user, int32_t frame, GtVec3* out, GtError* error)
{
    Frames* frames = user;
    if (frames->player) {
        const GtVec3* points = NULL;
        GtResult result = gt_harmonic_player_pose(frames->player, frame, &points, error);
        if (result == GT_OK) {
            memcpy(out, points, (size_t)frames->vertex_count * sizeof *out);
        }
        return result;
    }
    const GtCharacterDef* def = gt_character_def(frames->character);
    pose(frames, frame);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gt_instance_deform(frames->instance, i, out, NULL, NULL);
        out += def->meshes[i].vertex_count;
    }
    return GT_OK;
}

static bool save_frame(Session* session, Frames* frames, int32_t frame, const char* path, const GtSaveDef* def)
{
    GtScene* frozen = NULL;
    GtError error = { 0 };
    bool ok = frames_freeze(session, frames, frame, &frozen) &&
              (gt_scene_save(&session->context, frozen, path, def, &error) == GT_OK || session_fail(session, &error));
    gt_scene_destroy(frozen);
    return ok;
}

// The cache, and the mesh that it moves: with the same vertices in the same order, in metres and Y up.
static bool write_cache(Session* session, Frames* frames, const char* path)
{
    GtError error = { 0 };
    GtPointCacheDef cache = { .point_count = frames->vertex_count,
                              .frame_count = frames->count,
                              .start_frame = 1.0f,
                              .frame_step = 1.0f,
                              .fill = fill_points,
                              .user = frames };
    GtSaveDef def = gt_default_save_def();
    def.source_units = false;
    def.split_vertices = true;
    Text mesh = { 0 };
    text_add(&mesh, path, strlen(path) - strlen("pc2"));
    text_adds(&mesh, "obj");
    if (mesh.failed) {
        fail(&error, GT_ERROR_OUT_OF_MEMORY, path, "out of memory");
        return session_fail(session, &error);
    }
    bool ok =
        (gt_point_cache_save(&session->context, path, &cache, &error) == GT_OK || session_fail(session, &error)) &&
        save_frame(session, frames, 0, mesh.bytes, &def);
    if (ok) {
        session_say(session, "wrote %s: %d frames of %d vertices at %g Hz, for the mesh %s", path, (int)frames->count,
                    (int)frames->vertex_count, frames->rate_hz, mesh.bytes);
    }
    text_free(&mesh);
    return ok;
}

// "walk_####.obj" and 12 give "walk_0012.obj"; of several rows of # the last counts.
static void add_number(Text* out, const char* path, int32_t number)
{
    const char* last = strrchr(path, '#');
    const char* first = last;
    while (first > path && first[-1] == '#') {
        --first;
    }
    text_add(out, path, (size_t)(first - path));
    text_addf(out, "%0*d", (int)(last - first + 1), (int)number);
    text_adds(out, last + 1);
}

static bool write_sequence(Session* session, Frames* frames, const char* path)
{
    GtSaveDef def = gt_default_save_def();
    def.alone = true;
    bool ok = true;
    for (int32_t frame = 0; frame < frames->count && ok; ++frame) {
        Text name = { 0 };
        add_number(&name, path, frame + 1);
        if (name.failed) {
            GtError error;
            fail(&error, GT_ERROR_OUT_OF_MEMORY, path, "out of memory");
            ok = session_fail(session, &error);
        } else {
            ok = save_frame(session, frames, frame, name.bytes, &def);
        }
        text_free(&name);
    }
    if (ok) {
        session_say(session, "wrote %d frame%s at %g Hz as %s", (int)frames->count, frames->count == 1 ? "" : "s",
                    frames->rate_hz, path);
    }
    return ok;
}

bool frames_write(Session* session, Frames* frames, const char* path)
{
    return ends_with(path, ".pc2") ? write_cache(session, frames, path) : write_sequence(session, frames, path);
}
