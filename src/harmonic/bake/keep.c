// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A clip as bytes in a scene; docs/formats/gltf.md lists them. Markers that turn alike, as those of a ring do, share a
// track. Nothing is trusted: sizes first, then hashes of the mesh, of the names of joints and of the keys, so that a
// file that another tool has changed plays what that tool made of it.

#include "harmonic/clip/clip.h"

#include "gertie/accessor.h"

#include "base/hash.h"
#include "harmonic/markers/markers.h"

#include <math.h>
#include <string.h>

enum {
    VERSION = 2,
    MOST_TURNS = 1 << 24, // of all markers in all frames
    MOST_VALUES = 1 << 26 // of keys
};

static const char magic[4] = { 'G', 'T', 'H', 'M' };
static const float most_band = 1e18f; // length of the direction of a band: its square is a number, too

typedef struct Head {
    char magic[4];
    uint32_t version;
    uint32_t marker_count;
    uint32_t frame_count;
    uint32_t track_count;
    uint32_t mesh_count;
    uint32_t shape_count;
    uint32_t handle_count;
    float squeeze;
    uint32_t nothing; // 0
    double start_s;
    double rate_hz;
    uint64_t mesh_hash;
    uint64_t name_hash;
    uint64_t key_hash;
} Head;

typedef struct KeptMarker {
    int32_t node;
    int32_t triangle; // of the character, or GT_NONE
    float point[3];
    float radius_m;
    float twist;
    uint32_t track;
    float band[3];
} KeptMarker;

typedef struct KeptTurn {
    float rotation[4];
    float twist;
} KeptTurn;

_Static_assert(sizeof(Head) == 80 && sizeof(KeptMarker) == 44 && sizeof(KeptTurn) == 20 && sizeof(GtHarmonicHold) == 16,
               "as files have them");

// Where the parts of a clip begin, and where all ends.
typedef struct Layout {
    uint64_t markers, first_shapes, turns, anchors, holds, end;
} Layout;

static Layout lay_out(const Head* head)
{
    Layout l = { .markers = sizeof *head };
    l.first_shapes = l.markers + ((uint64_t)head->marker_count + 1) * sizeof(KeptMarker);
    l.turns = l.first_shapes + (uint64_t)head->mesh_count * sizeof(int32_t);
    l.anchors = l.turns + (uint64_t)head->frame_count * head->track_count * sizeof(KeptTurn);
    l.holds = l.anchors + (uint64_t)head->frame_count * sizeof(GtVec3);
    l.end = l.holds + (uint64_t)head->frame_count * head->handle_count * sizeof(GtHarmonicHold);
    return l;
}

static uint64_t hash_names(const GtScene* scene, const GtMarkers* markers)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i <= markers->count; ++i) {
        int32_t node = i < markers->count ? markers->markers[i].node : markers->anchor.node;
        const char* name = node == GT_NONE ? NULL : scene->nodes[node].name;
        hash = gti_hash(hash, name ? name : "", name ? strlen(name) + 1 : 1);
    }
    return hash;
}

// Times and values of all that the clip moves. Of more keys than any clip has, some.
static uint64_t hash_keys(const GtScene* scene, const GtAnimation* animation)
{
    uint64_t hash = 0;
    uint64_t done = 0;
    for (int32_t c = 0; c < animation->channel_count; ++c) {
        const GtAnimationChannel* channel = &animation->channels[c];
        const GtAnimationSampler* sampler = &animation->samplers[channel->sampler];
        int32_t what[3] = { channel->node, (int32_t)channel->path, (int32_t)sampler->interpolation };
        int32_t accessors[2] = { sampler->input, sampler->output };
        hash = gti_hash(hash, what, sizeof what);
        for (int a = 0; a < 2; ++a) {
            uint64_t count = scene->accessors[accessors[a]].count;
            for (uint64_t i = 0; i < count && done < MOST_VALUES; ++i, ++done) {
                float values[16];
                int32_t size = gt_element_components(scene->accessors[accessors[a]].element_type);
                gt_accessor_read_floats(scene, accessors[a], i, 1, values);
                hash = gti_hash(hash, values, (size_t)size * sizeof *values);
            }
        }
    }
    return hash;
}

static KeptTurn turn_of(const GtHarmonicClip* clip, int32_t frame, int32_t marker)
{
    size_t at = (size_t)frame * (size_t)clip->marker_count + (size_t)marker;
    GtQuat q = clip->rotations[at];
    return (KeptTurn){ { q.x, q.y, q.z, q.w }, clip->twists[at] };
}

static bool turn_alike(const GtHarmonicClip* clip, int32_t a, int32_t b)
{
    bool same = true;
    for (int32_t f = 0; f < clip->frame_count && same; ++f) {
        KeptTurn x = turn_of(clip, f, a);
        KeptTurn y = turn_of(clip, f, b);
        same = memcmp(&x, &y, sizeof x) == 0;
    }
    return same;
}

// Number the tracks.
// tracks: [marker_count] receives the track of each marker; firsts: [marker_count] the first marker of each track
static uint32_t find_tracks(const GtHarmonicClip* clip, uint32_t* tracks, int32_t* firsts)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < clip->marker_count; ++i) {
        uint32_t t = 0;
        while (t < count && !turn_alike(clip, firsts[t], i)) {
            ++t;
        }
        if (t == count) {
            firsts[count++] = i;
        }
        tracks[i] = t;
    }
    return count;
}

static KeptMarker keep_marker(const GtiShell* shell, const GtMarker* marker, uint32_t track)
{
    KeptMarker kept = { .node = marker->node, .radius_m = marker->radius_m, .twist = marker->twist, .track = track };
    kept.triangle = gti_marker_on(shell, marker).triangle;
    memcpy(kept.band, &marker->band, sizeof kept.band);
    if (kept.triangle == GT_NONE) {
        memcpy(kept.point, &marker->point, sizeof kept.point);
    }
    return kept;
}

static void write_clip(uint8_t* bytes, const Head* head, const GtiShell* shell, const GtHarmonicClip* clip,
                       const GtMarkers* markers, const uint32_t* tracks, const int32_t* firsts)
{
    Layout l = lay_out(head);
    memcpy(bytes, head, sizeof *head);
    for (int32_t i = 0; i <= markers->count; ++i) {
        const GtMarker* marker = i < markers->count ? &markers->markers[i] : &markers->anchor;
        KeptMarker kept = keep_marker(shell, marker, i < markers->count ? tracks[i] : 0);
        memcpy(bytes + l.markers + (size_t)i * sizeof kept, &kept, sizeof kept);
    }
    for (uint32_t m = 0; m < head->mesh_count; ++m) {
        int32_t first = shell->figure->def->meshes[m].morph_count;
        memcpy(bytes + l.first_shapes + m * sizeof first, &first, sizeof first);
    }
    for (int32_t f = 0; f < clip->frame_count; ++f) {
        for (uint32_t t = 0; t < head->track_count; ++t) {
            KeptTurn turn = turn_of(clip, f, firsts[t]);
            memcpy(bytes + l.turns + ((size_t)f * head->track_count + t) * sizeof turn, &turn, sizeof turn);
        }
    }
    memcpy(bytes + l.anchors, clip->anchors, (size_t)clip->frame_count * sizeof *clip->anchors);
    if (head->handle_count > 0) {
        memcpy(bytes + l.holds, clip->holds, (size_t)(l.end - l.holds));
    }
}

GtResult gti_harmonic_clip_keep(const GtContext* context, GtScene* scene, const GtiShell* shell,
                                const GtHarmonicClip* clip, const GtMarkers* markers, int32_t shape_count,
                                GtError* error)
{
    if (markers->count != clip->marker_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the clip has %d markers, but %d were given to be kept",
                        (int)clip->marker_count, (int)markers->count);
    }
    if (clip->frame_count > MOST_TURNS / clip->marker_count) {
        gti_note(context, scene->source.file, NULL, "the clip is too long for its markers to be kept in the file");
        return GT_OK;
    }
    GtHarmonicData* data = gt_scene_push(scene, 1, sizeof *data);
    uint32_t* tracks = gt_scene_push(scene, (size_t)clip->marker_count, sizeof *tracks);
    int32_t* firsts = gt_scene_push(scene, (size_t)clip->marker_count, sizeof *firsts);
    if (!data || !tracks || !firsts) {
        return gti_out_of_memory(error);
    }
    Head head = { .version = VERSION,
                  .marker_count = (uint32_t)clip->marker_count,
                  .frame_count = (uint32_t)clip->frame_count,
                  .track_count = find_tracks(clip, tracks, firsts),
                  .mesh_count = (uint32_t)shell->figure->def->mesh_count,
                  .shape_count = (uint32_t)shape_count,
                  .handle_count = clip->holds ? (uint32_t)clip->handle_count : 0,
                  .squeeze = clip->squeeze,
                  .start_s = clip->start_s,
                  .rate_hz = clip->rate_hz,
                  .mesh_hash = shell->hash,
                  .name_hash = hash_names(scene, markers),
                  .key_hash = hash_keys(scene, &scene->animations[clip->animation]) };
    memcpy(head.magic, magic, sizeof magic);
    uint64_t size = lay_out(&head).end;
    uint8_t* bytes = NULL;
    GtBlob* blob = size <= SIZE_MAX ? gt_blob_create(context->allocator, (size_t)size, &bytes) : NULL;
    if (!blob) {
        return gti_out_of_memory(error);
    }
    write_clip(bytes, &head, shell, clip, markers, tracks, firsts);
    int32_t buffer = GT_NONE;
    GtResult result = gt_scene_add_buffer(scene, &(GtBuffer){ .blob = blob }, &buffer, error);
    if (result == GT_OK) {
        GtBufferView view = { .buffer = buffer, .size = size };
        result = gt_scene_add_buffer_view(scene, &view, &data->view, error);
    }
    scene->animations[clip->animation].harmonic = data;
    return result;
}

typedef struct Kept {
    const uint8_t* bytes;
    Head head;
    Layout layout;
} Kept;

static GtResult damaged(GtError* error, const char* what)
{
    return gti_fail(error, GT_ERROR_BAD_VALUE, "the markers that are stored with the clip are damaged: %s", what);
}

// Find the bytes and see whether all of them are there.
static GtResult find_kept(const GtScene* scene, int32_t animation, Kept* out, GtError* error)
{
    if (animation < 0 || animation >= scene->animation_count || !scene->animations[animation].harmonic) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "clip %d has no markers stored with it", (int)animation);
    }
    int32_t index = scene->animations[animation].harmonic->view;
    if (index < 0 || index >= scene->buffer_view_count) {
        return damaged(error, "there is no such buffer view");
    }
    const GtBufferView* view = &scene->buffer_views[index];
    GtBlob* blob = scene->buffers[view->buffer].blob;
    if (!blob || view->stride != 0 || view->offset > gt_blob_size(blob) ||
        view->size > gt_blob_size(blob) - view->offset || view->size < sizeof out->head) {
        return damaged(error, "it has not enough bytes");
    }
    out->bytes = gt_blob_bytes(blob) + view->offset;
    memcpy(&out->head, out->bytes, sizeof out->head);
    const Head* head = &out->head;
    if (memcmp(head->magic, magic, sizeof magic) != 0 || head->version != VERSION) {
        return gti_fail(
            error, GT_ERROR_BAD_VALUE,
            "the markers that are stored with the clip are of another version than %d, which this Gertie reads",
            VERSION);
    }
    if (head->marker_count < 1 || head->marker_count > GT_HARMONIC_MAX_MARKERS || head->frame_count < 1 ||
        head->frame_count > MOST_TURNS / head->marker_count || head->track_count < 1 ||
        head->track_count > head->marker_count || !(head->squeeze >= 0.0f && head->squeeze <= 1e3f) ||
        !isfinite(head->start_s) || !isfinite(head->rate_hz) || !(head->frame_count == 1 || head->rate_hz > 0.0)) {
        return damaged(error, "its numbers cannot be");
    }
    out->layout = lay_out(head);
    return out->layout.end == view->size ? GT_OK : damaged(error, "its size is wrong");
}

static GtResult check_marker(const GtScene* scene, const GtiShell* shell, const Kept* kept, const KeptMarker* marker,
                             bool is_anchor, GtError* error)
{
    bool is_on = marker->triangle == GT_NONE || (marker->triangle >= 0 && marker->triangle < shell->triangle_count);
    bool has_node = (marker->node >= 0 && marker->node < scene->node_count) || (is_anchor && marker->node == GT_NONE);
    bool is_finite = isfinite(marker->point[0]) && isfinite(marker->point[1]) && isfinite(marker->point[2]);
    bool is_good = marker->radius_m >= 0.0f && isfinite(marker->radius_m) && fabsf(marker->twist) <= 1.0f &&
                   gt_vec3_length(gt_vec3(marker->band[0], marker->band[1], marker->band[2])) <= most_band;
    bool has_track = marker->track < kept->head.track_count;
    return is_on && has_node && is_finite && is_good && has_track ? GT_OK : damaged(error, "a marker is wrong");
}

static GtResult read_markers(const GtContext* context, const GtScene* scene, const GtiShell* shell, const Kept* kept,
                             GtMarkers** out, GtError* error)
{
    GtResult result = gti_marker_set_create(context, shell, out, error);
    if (result != GT_OK) {
        return result;
    }
    GtMarkers* markers = *out;
    uint32_t count = kept->head.marker_count;
    markers->markers = gt_arena_push_array(&markers->arena, count, sizeof *markers->markers);
    if (!markers->markers) {
        return gti_out_of_memory(error);
    }
    for (uint32_t i = 0; i <= count && result == GT_OK; ++i) {
        KeptMarker from;
        memcpy(&from, kept->bytes + kept->layout.markers + (size_t)i * sizeof from, sizeof from);
        result = check_marker(scene, shell, kept, &from, i == count, error);
        if (result == GT_OK) {
            GtMarker* to = i < count ? &markers->markers[i] : &markers->anchor;
            *to = (GtMarker){ .node = from.node,
                              .mesh = GT_NONE,
                              .point = gt_vec3(from.point[0], from.point[1], from.point[2]),
                              .radius_m = from.radius_m,
                              .band = gt_vec3(from.band[0], from.band[1], from.band[2]),
                              .twist = from.twist };
            gti_marker_place(shell, from.triangle, to);
        }
    }
    markers->count = (int32_t)count;
    if (result == GT_OK && hash_names(scene, markers) != kept->head.name_hash) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "the markers that are stored with the clip are for other joints");
    }
    return result;
}

static GtResult check_mesh(const GtiShell* shell, const Kept* kept, GtError* error)
{
    bool same =
        shell->hash == kept->head.mesh_hash && (uint32_t)shell->figure->def->mesh_count == kept->head.mesh_count;
    return same ? GT_OK
                : gti_fail(error, GT_ERROR_BAD_VALUE, "the markers that are stored with the clip are for another mesh");
}

static GtResult read_shapes(const Kept* kept, GtHarmonicClip* clip, GtError* error)
{
    size_t count = kept->head.mesh_count;
    int32_t* first_shapes = gt_arena_push_array(&clip->arena, count, sizeof *first_shapes);
    if (!first_shapes) {
        return gti_out_of_memory(error);
    }
    memcpy(first_shapes, kept->bytes + kept->layout.first_shapes, count * sizeof *first_shapes);
    clip->first_shapes = first_shapes;
    clip->shape_count = kept->head.shape_count < INT32_MAX ? (int32_t)kept->head.shape_count : INT32_MAX;
    return GT_OK;
}

GtResult gti_harmonic_clip_shapes(const GtScene* scene, const GtiShell* shell, int32_t animation, GtHarmonicClip* out,
                                  GtError* error)
{
    Kept kept;
    GtResult result = find_kept(scene, animation, &kept, error);
    if (result == GT_OK) {
        result = check_mesh(shell, &kept, error);
    }
    return result == GT_OK ? read_shapes(&kept, out, error) : result;
}

// Read markers if the figure has the mesh that they are for.
static GtResult read_checked_markers(const GtContext* context, GtFigure* figure, const Kept* kept, GtMarkers** out,
                                     GtError* error)
{
    const GtiShell* shell = NULL;
    GtResult result = gti_figure_shell(context, figure, &shell, error);
    if (result == GT_OK) {
        result = check_mesh(shell, kept, error);
    }
    if (result == GT_OK) {
        result = read_markers(context, figure->scene, shell, kept, out, error);
    }
    if (result != GT_OK) {
        gt_markers_destroy(*out);
        *out = NULL;
    }
    return result;
}

GtResult gt_markers_restore(const GtContext* context, const GtScene* scene, int32_t animation, GtMarkers** out,
                            GtError* error)
{
    Kept kept;
    GtFigure figure = { 0 };
    GtFigureDef def = gti_figure_unmapped(GT_NONE);
    *out = NULL;
    GtResult result = find_kept(scene, animation, &kept, error);
    if (result == GT_OK) {
        result = gt_figure_open(context, scene, &def, &figure, error);
    }
    if (result == GT_OK) {
        result = read_checked_markers(context, &figure, &kept, out, error);
    }
    gt_figure_close(&figure);
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
    }
    return result;
}

static bool is_finite(const float* values, size_t count)
{
    float sum = 0.0f;
    for (size_t i = 0; i < count; ++i) {
        sum += 0.0f * values[i];
    }
    return sum == 0.0f;
}

static GtResult read_frames(const Kept* kept, GtHarmonicClip* clip, GtError* error)
{
    const Head* head = &kept->head;
    size_t frames = head->frame_count;
    size_t markers = head->marker_count;
    GtQuat* rotations = gt_arena_push_array(&clip->arena, frames * markers, sizeof *rotations);
    float* twists = gt_arena_push_array(&clip->arena, frames * markers, sizeof *twists);
    GtVec3* anchors = gt_arena_push_array(&clip->arena, frames, sizeof *anchors);
    GtHarmonicHold* holds = gt_arena_push_array(&clip->arena, frames * head->handle_count, sizeof *holds);
    if (!rotations || !twists || !anchors || !holds) {
        return gti_out_of_memory(error);
    }
    bool ok = true;
    for (size_t m = 0; m < markers; ++m) {
        KeptMarker marker;
        memcpy(&marker, kept->bytes + kept->layout.markers + m * sizeof marker, sizeof marker);
        for (size_t f = 0; f < frames; ++f) {
            KeptTurn turn;
            size_t at = f * head->track_count + marker.track;
            memcpy(&turn, kept->bytes + kept->layout.turns + at * sizeof turn, sizeof turn);
            ok = ok && is_finite(turn.rotation, 4) && is_finite(&turn.twist, 1);
            rotations[f * markers + m] =
                gt_quat(turn.rotation[0], turn.rotation[1], turn.rotation[2], turn.rotation[3]);
            twists[f * markers + m] = turn.twist;
        }
    }
    memcpy(anchors, kept->bytes + kept->layout.anchors, frames * sizeof *anchors);
    memcpy(holds, kept->bytes + kept->layout.holds, frames * head->handle_count * sizeof *holds);
    ok = ok && is_finite(&anchors[0].x, 3 * frames);
    for (size_t i = 0; i < frames * head->handle_count; ++i) {
        ok = ok && is_finite(&holds[i].position.x, 3) && holds[i].strength >= 0.0f && holds[i].strength <= 1.0f;
    }
    if (head->handle_count != 0 && (int32_t)head->handle_count != clip->handle_count) {
        return damaged(error, "it holds other parts than the body has");
    }
    clip->frame_count = (int32_t)frames;
    clip->start_s = head->start_s;
    clip->rate_hz = head->rate_hz;
    clip->rotations = rotations;
    clip->twists = twists;
    clip->anchors = anchors;
    clip->holds = head->handle_count > 0 ? holds : NULL;
    return ok ? read_shapes(kept, clip, error) : damaged(error, "a number is not finite");
}

GtResult gt_harmonic_clip_restore(const GtContext* context, GtFigure* figure, GtHarmonicClip** out, GtMarkers** markers,
                                  GtError* error)
{
    Kept kept;
    const GtScene* scene = figure->scene;
    int32_t animation = figure->animation;
    GtMarkers* read = NULL;
    *out = NULL;
    if (markers) {
        *markers = NULL;
    }
    GtResult result = find_kept(scene, animation, &kept, error);
    if (result == GT_OK && hash_keys(scene, &scene->animations[animation]) != kept.head.key_hash) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "the markers that are stored with the clip do not match its keys");
    }
    if (result == GT_OK) {
        result = read_checked_markers(context, figure, &kept, &read, error);
    }
    if (result == GT_OK) {
        GtHarmonicClipDef def = gt_default_harmonic_clip_def();
        def.squeeze = kept.head.squeeze;
        result = gti_harmonic_clip_still(context, figure, read, &def, out, error);
    }
    if (result == GT_OK) {
        result = read_frames(&kept, *out, error);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
        gt_harmonic_clip_destroy(*out);
        *out = NULL;
    }
    if (result == GT_OK && markers) {
        *markers = read;
    } else {
        gt_markers_destroy(read);
    }
    return result;
}
