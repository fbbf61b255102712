// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as what a person's clip keeps of its markers (GERTIE_harmonic; docs/formats/gltf.md lists them), with the
// hashes that they ought to have, so that what lies behind these is reached: they are refused, or the clip can be posed
// and every vertex is somewhere.

#include "gertie/harmonic_clip.h"

#include "base/hash.h"
#include "figure/shell.h"

#include "person.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum {
    MARKER_COUNT_AT = 8,
    HASHES_AT = 56, // of mesh, names and keys
    MARKERS_AT = 80,
    MARKER_SIZE = 44, // the node is first
    MOST_FRAMES = 4
};

static GtContext context;
static GtScene* person;        // keeps the clip's markers
static GtFigure person_figure; // plays the clip

static void open_figure(const GtScene* scene, GtFigure* out)
{
    GtFigureDef def = gti_figure_playing(0, NULL);
    CHECK(gt_figure_open(&context, scene, &def, out, NULL) == GT_OK);
}

static GtScene* make_kept(void)
{
    GtScene* scene = make_person(&context);
    GtScene* baked = NULL;
    GtFigure figure;
    GtMarkers* markers = NULL;
    GtHarmonicClip* clip = NULL;
    GtMarkersDef find = gt_default_markers_def();
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    GtHarmonicBakeDef bake = gt_default_harmonic_bake_def();
    find.ring_size = 4;
    open_figure(scene, &figure);
    CHECK(gt_markers_find(&context, &figure, &find, &markers, NULL, NULL) == GT_OK);
    CHECK(gt_harmonic_clip_create(&context, &figure, markers, &def, &clip, NULL, NULL) == GT_OK);
    bake.keep = markers;
    bake.max_shapes = 1;
    CHECK(gt_harmonic_clip_bake(&context, &figure, clip, &bake, &baked, NULL, NULL) == GT_OK);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    return baked;
}

static uint64_t hash_names(const uint8_t* bytes, size_t size)
{
    uint32_t count = 0;
    uint64_t hash = 0;
    memcpy(&count, bytes + MARKER_COUNT_AT, sizeof count);
    for (size_t i = 0; i <= count && MARKERS_AT + (i + 1) * MARKER_SIZE <= size; ++i) {
        int32_t node = 0;
        memcpy(&node, bytes + MARKERS_AT + i * MARKER_SIZE, sizeof node);
        const char* name = node >= 0 && node < person->node_count ? person->nodes[node].name : "";
        hash = gti_hash(hash, name, strlen(name) + 1);
    }
    return hash;
}

static GtBlob* make_blob(const uint8_t* data, size_t size, const uint8_t* hashes)
{
    uint8_t* bytes = NULL;
    GtBlob* blob = gt_blob_create(context.allocator, size, &bytes);
    CHECK(blob);
    memcpy(bytes, data, size);
    uint64_t names = hash_names(data, size);
    memcpy(bytes + HASHES_AT, hashes, 3 * sizeof names);
    memcpy(bytes + HASHES_AT + sizeof names, &names, sizeof names);
    return blob;
}

static void check_frames(const GtHarmonicClip* clip)
{
    size_t count = (size_t)clip->vertex_count;
    GtVec3* positions = malloc((count + 1) * sizeof *positions);
    for (int32_t f = 0; positions && f < clip->frame_count && f < MOST_FRAMES; ++f) {
        CHECK(gt_harmonic_clip_pose(&context, clip, f, 1, positions, NULL) == GT_OK);
        for (size_t v = 0; v < count; ++v) {
            CHECK(isfinite(positions[v].x) && isfinite(positions[v].y) && isfinite(positions[v].z));
        }
    }
    free(positions);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (!person) {
        context = gt_default_context();
        person = make_kept();
        open_figure(person, &person_figure);
    }
    if (size < MARKERS_AT) {
        return 0;
    }
    GtBufferView* view = &person->buffer_views[person->animations[0].harmonic->view];
    GtBuffer* buffer = &person->buffers[view->buffer];
    GtBufferView true_view = *view;
    GtBlob* true_blob = buffer->blob;
    buffer->blob = make_blob(data, size, gt_blob_bytes(true_blob) + true_view.offset + HASHES_AT);
    *view = (GtBufferView){ .buffer = true_view.buffer, .size = size };
    GtHarmonicClip* clip = NULL;
    if (gt_harmonic_clip_restore(&context, &person_figure, &clip, NULL, NULL) == GT_OK) {
        check_frames(clip);
    }
    gt_harmonic_clip_destroy(clip);
    gt_blob_release(buffer->blob);
    buffer->blob = true_blob;
    *view = true_view;
    return 0;
}
