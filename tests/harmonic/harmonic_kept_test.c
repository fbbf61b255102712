// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a baked clip keeps of its markers: it is restored exactly, played frame by frame, and refused where it belongs
// to something else or is damaged.

#include "harmonic/turning.h"

// A kicking person, baked, with its markers kept in the scene.
typedef struct KeptScene {
    GtScene* scene;
    GtScene* baked;
    GtMarkers* markers;
    GtHarmonicClip* clip;
} KeptScene;

static KeptScene make_kept(const GtContext* context)
{
    GtError error;
    KeptScene kept = { .scene = make_turning(context, GT_HUMANOID_HEAD, gt_vec3(0.0f, 1.0f, 0.0f), 1.0f) };
    GtFigure figure = test_figure(context, kept.scene, 0); // what is made of it does without it
    kept.markers = find_markers(context, &figure);
    kept.clip = make_clip(context, &figure, kept.markers, true, NULL);
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    def.keep = kept.markers;
    GT_EXPECT_OK(gt_harmonic_clip_bake(context, &figure, kept.clip, &def, &kept.baked, NULL, &error));
    gt_figure_close(&figure);
    GT_EXPECT_OK(gt_scene_validate(context, kept.baked, &error));
    return kept;
}

static void destroy_kept(KeptScene* kept)
{
    gt_harmonic_clip_destroy(kept->clip);
    gt_markers_destroy(kept->markers);
    gt_scene_destroy(kept->baked);
    gt_scene_destroy(kept->scene);
}

// Positions and normals of a frozen scene, one primitive after the other.
static void read_frozen(const GtScene* scene, GtVec3* positions, GtVec3* normals)
{
    for (int32_t n = 0; n < scene->node_count; ++n) {
        const GtMesh* mesh = &scene->meshes[scene->nodes[n].mesh];
        for (int32_t p = 0; p < mesh->primitive_count; ++p) {
            int32_t place = gt_primitive_find(&mesh->primitives[p], "POSITION");
            uint64_t count = scene->accessors[place].count;
            gt_accessor_read_floats(scene, place, 0, count, &positions->x);
            gt_accessor_read_floats(scene, gt_primitive_find(&mesh->primitives[p], "NORMAL"), 0, count, &normals->x);
            positions += count;
            normals += count;
        }
    }
}

// What frames are as shapes, they are one at a time; and no frame leaves anything in memory for the next.
static void frames_are_played_one_at_a_time(void** state)
{
    (void)state;
    GtError error;
    TestAllocator counting = { .remaining = -1 };
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    GtHarmonicBakeDef def = { .bake = GT_HARMONIC_BAKE_FRAMES };
    GtScene* baked = NULL;
    Player player;
    GtFigure figure = test_figure(&context, kept.scene, 0);
    GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &figure, kept.clip, &def, &baked, NULL, &error));
    open_player(&player, &context, baked);
    size_t count = (size_t)kept.clip->vertex_count;
    GtVec3* vectors = calloc(4 * count, sizeof *vectors);
    GtHarmonicPlayer* played = NULL;
    GtContext counted = context;
    counted.allocator = test_allocator(&counting);
    GT_EXPECT_OK(gt_harmonic_player_create(&counted, &figure, kept.clip, &played, &error));
    int64_t alive = counting.alive;
    for (int32_t f = kept.clip->frame_count - 1; f >= 0; f -= 3) {
        const GtVec3* posed = NULL;
        GtScene* frozen = NULL;
        play(&player, (double)f / kept.clip->rate_hz, vectors, vectors + count);
        GT_EXPECT_OK(gt_harmonic_player_pose(played, f, &posed, &error));
        GT_EXPECT_NEAR(largest_distance(posed, vectors, kept.clip->vertex_count), 0.0, 2e-6);
        GT_EXPECT_OK(gt_harmonic_player_freeze(played, f, &frozen, &error));
        GT_EXPECT_OK(gt_scene_validate(&context, frozen, &error));
        read_frozen(frozen, vectors + 2 * count, vectors + 3 * count);
        GT_EXPECT_NEAR(largest_distance(vectors, vectors + 2 * count, kept.clip->vertex_count), 0.0, 2e-6);
        GT_EXPECT_NEAR(largest_distance(vectors + count, vectors + 3 * count, kept.clip->vertex_count), 0.0, 1e-4);
        gt_scene_destroy(frozen);
        assert_int_equal(counting.alive, alive);
    }
    gt_harmonic_player_destroy(played);
    assert_int_equal(counting.alive, 0);
    GtFigureDef playing = gti_figure_playing(0, NULL);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; allowed += 1 + allowed / 8) {
        counting.remaining = allowed;
        GtScene* frozen = NULL;
        GtFigure scarce;
        played = NULL;
        result = gt_figure_open(&counted, kept.scene, &playing, &scarce, &error);
        result = result == GT_OK ? gt_harmonic_player_create(&counted, &scarce, kept.clip, &played, &error) : result;
        result = result == GT_OK ? gt_harmonic_player_freeze(played, 3, &frozen, &error) : result;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(frozen);
        gt_harmonic_player_destroy(played);
        gt_figure_close(&scarce);
        assert_int_equal(counting.alive, 0);
    }
    free(vectors);
    close_player(&player);
    gt_figure_close(&figure);
    gt_scene_destroy(baked);
    destroy_kept(&kept);
}

static uint8_t* kept_bytes(const GtScene* scene, size_t* size)
{
    const GtBufferView* view = &scene->buffer_views[scene->animations[0].harmonic->view];
    *size = (size_t)view->size;
    return (uint8_t*)gt_blob_bytes(scene->buffers[view->buffer].blob) + view->offset;
}

// The first clip of a scene as it is now.
static GtResult restore(const GtContext* context, const GtScene* scene, GtHarmonicClip** clip, GtMarkers** markers,
                        GtError* error)
{
    GtFigure figure = test_figure(context, scene, 0);
    GtResult result = gt_harmonic_clip_restore(context, &figure, clip, markers, error);
    gt_figure_close(&figure);
    return result;
}

static void kept_clips_are_restored_exactly(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    GtHarmonicClip* clip = NULL;
    GtMarkers* markers = NULL;
    GT_EXPECT_OK(restore(&context, kept.baked, &clip, &markers, &error));
    size_t count = (size_t)clip->marker_count * (size_t)clip->frame_count;
    assert_int_equal(markers->count, kept.markers->count);
    assert_int_equal(clip->frame_count, kept.clip->frame_count);
    assert_memory_equal(clip->rotations, kept.clip->rotations, count * sizeof *clip->rotations);
    assert_memory_equal(clip->twists, kept.clip->twists, count * sizeof *clip->twists);
    for (int32_t i = 0; i < markers->count; ++i) {
        assert_int_equal(markers->markers[i].triangle, kept.markers->markers[i].triangle);
        assert_int_equal(markers->markers[i].node, kept.markers->markers[i].node);
    }
    GtVec3* before = calloc((size_t)clip->vertex_count, sizeof *before);
    GtVec3* after = calloc((size_t)clip->vertex_count, sizeof *after);
    GT_EXPECT_OK(gt_harmonic_clip_pose(&context, kept.clip, 7, 1, before, &error));
    GT_EXPECT_OK(gt_harmonic_clip_pose(&context, clip, 7, 1, after, &error));
    assert_memory_equal(before, after, (size_t)clip->vertex_count * sizeof *after);

    GtScene* stripped = NULL;
    GT_EXPECT_OK(gt_harmonic_strip(&context, kept.baked, &stripped, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, stripped, &error));
    assert_int_equal(stripped->animation_count, 0);
    for (int32_t m = 0; m < stripped->mesh_count; ++m) {
        assert_int_equal(stripped->meshes[m].target_count, kept.scene->meshes[m].target_count);
    }
    assert_int_equal(stripped->buffer_count, stripped->accessor_count); // all that a bake adds is gone
    assert_true(stripped->accessor_count <= kept.scene->accessor_count);
    gt_scene_destroy(stripped);
    free(before);
    free(after);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    destroy_kept(&kept);
}

static void what_is_kept_of_something_else_is_refused(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    GtHarmonicClip* clip = NULL;
    GtMarkers* markers = NULL;
    GT_EXPECT_ERROR(restore(&context, kept.scene, &clip, NULL, &error), GT_ERROR_NOT_FOUND,
                    "clip 0 has no markers stored with it");
    GtAnimationChannel* channels = gt_scene_push(kept.baked, 1, sizeof *channels);
    GtAnimation whole = kept.baked->animations[0];
    channels[0] = whole.channels[0];
    kept.baked->animations[0].channels = channels;
    kept.baked->animations[0].channel_count = 1;
    GT_EXPECT_ERROR(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE, "do not match its keys");
    GT_EXPECT_OK(gt_markers_restore(&context, kept.baked, 0, &markers, &error)); // they need the mesh alone
    gt_markers_destroy(markers);
    kept.baked->animations[0] = whole;
    const char* name = kept.baked->nodes[node_of(kept.scene, GT_HUMANOID_HEAD)].name;
    kept.baked->nodes[node_of(kept.scene, GT_HUMANOID_HEAD)].name = "face";
    GT_EXPECT_ERROR(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE, "for other joints");
    kept.baked->nodes[node_of(kept.scene, GT_HUMANOID_HEAD)].name = name;

    size_t size = 0;
    uint8_t* bytes = kept_bytes(kept.baked, &size);
    bytes[56] ^= 1;
    GT_EXPECT_ERROR(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE, "for another mesh");
    bytes[56] ^= 1;
    GtBufferView* view = &kept.baked->buffer_views[whole.harmonic->view];
    for (view->size = 0; view->size < size; view->size += 64 + view->size / 2) {
        assert_int_equal(restore(&context, kept.baked, &clip, NULL, &error), GT_ERROR_BAD_VALUE);
        assert_null(clip);
    }
    destroy_kept(&kept);
}

// Any bytes give an error, or a clip that poses finite vertices.
static void damaged_bytes_do_no_harm(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    KeptScene kept = make_kept(&context);
    size_t size = 0;
    uint8_t* bytes = kept_bytes(kept.baked, &size);
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 26; ++round) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        size_t at = round < 22 ? (size_t)round * 4 : (size_t)(random % size);
        uint8_t before[4];
        at = at + 4 <= size ? at : size - 4;
        memcpy(before, bytes + at, sizeof before);
        memcpy(bytes + at, &random, sizeof before);
        GtHarmonicClip* clip = NULL;
        GtResult result = restore(&context, kept.baked, &clip, NULL, &error);
        assert_true(result == GT_OK || result == GT_ERROR_BAD_VALUE);
        if (result == GT_OK) {
            GtVec3* posed = calloc((size_t)clip->vertex_count, sizeof *posed);
            GT_EXPECT_OK(gt_harmonic_clip_pose(&context, clip, clip->frame_count - 1, 1, posed, &error));
            largest_distance(posed, posed, clip->vertex_count); // fails where one is not finite
            free(posed);
        }
        gt_harmonic_clip_destroy(clip);
        memcpy(bytes + at, before, sizeof before);
    }
    destroy_kept(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_played_one_at_a_time),
        cmocka_unit_test(kept_clips_are_restored_exactly),
        cmocka_unit_test(what_is_kept_of_something_else_is_refused),
        cmocka_unit_test(damaged_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
