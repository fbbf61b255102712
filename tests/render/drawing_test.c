// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures by what they mean: outlines against projected vertices that the runtime posed, colours against what was
// asked for, two pictures against each other, and all of it against a small picture kept from before. Where no driver
// can draw, everything here is skipped.

#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/motions.h"
#include "gertie/picture.h"
#include "gertie/render.h"

#include "render/picture/canvas.h"
#include "render/walker.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    WIDTH = 320,
    HEIGHT = 180,
    GOLDEN_WIDTH = 128,
    GOLDEN_HEIGHT = 72
};

static const char golden_path[] = "tests/render/golden/person.png";

static GtRendererDef clear_def(GtRenderQuality quality)
{
    GtRendererDef def = gt_default_renderer_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.quality = quality;
    def.background = (GtBackground){ .ground = false };
    return def;
}

// An empty stage, or the figure at rest or walking on it.
typedef enum Cast {
    EMPTY,
    AT_REST,
    WALKING
} Cast;

static GtRenderer* open_stage(Fixture* f, const GtRendererDef* def, Cast cast)
{
    GtError error = { 0 };
    GtRenderer* renderer = NULL;
    GT_EXPECT_OK(gt_renderer_create(&f->context, def, &renderer, &error));
    assert_true(strlen(gt_renderer_name(renderer)) > 0);
    if (cast != EMPTY) {
        GtActorDef actor = gt_default_actor_def();
        actor.scene = f->walker;
        actor.animation = cast == WALKING ? 0 : GT_NONE;
        int32_t index = -1;
        GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, &index, &error));
        assert_int_equal(index, 0);
    }
    return renderer;
}

static GtCameraView still_camera(GtRenderer* renderer, double time_s)
{
    return gt_camera_frame(gt_renderer_bounds(renderer, time_s, time_s, 1), GT_CAMERA_THREE_QUARTER,
                           (float)WIDTH / HEIGHT, 0.0f);
}

static void draw(GtRenderer* renderer, const GtCameraView* camera, double time_s, uint8_t* rgba)
{
    GtError error = { 0 };
    GT_EXPECT_OK(gt_renderer_draw(renderer, camera, time_s, &error));
    GT_EXPECT_OK(gt_renderer_read(renderer, rgba, &error));
}

typedef struct Edges {
    float left, right, top, bottom; // in pixels
} Edges;

// The box of pixels that are mostly covered.
static Edges find_silhouette(const uint8_t* rgba)
{
    Edges e = { WIDTH, 0.0f, HEIGHT, 0.0f };
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            if (rgba[4 * (y * WIDTH + x) + 3] >= 128) {
                e.left = fminf(e.left, (float)x);
                e.right = fmaxf(e.right, (float)x + 1.0f);
                e.top = fminf(e.top, (float)y);
                e.bottom = fmaxf(e.bottom, (float)y + 1.0f);
            }
        }
    }
    return e;
}

// The box of the vertices that the runtime poses, projected one by one.
static Edges project_vertices(Fixture* f, const GtCameraView* camera, double time_s, GtVec3 offset)
{
    GtError error = { 0 };
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtClip* clip = NULL;
    GtBuildDef def = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(&f->context, f->walker, &def, &character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&f->context, f->walker, 0, character, &clip, &error));
    GT_EXPECT_OK(gt_instance_create(f->context.allocator, character, &instance, &error));
    gt_clip_sample(clip, time_s, instance->pose, instance->weights);
    gt_instance_update(instance);
    Edges e = { INFINITY, -INFINITY, INFINITY, -INFINITY };
    for (int32_t m = 0; m < gt_character_def(character)->mesh_count; ++m) {
        int32_t count = gt_character_def(character)->meshes[m].vertex_count;
        GtVec3* positions = malloc((size_t)count * sizeof *positions);
        gt_instance_deform(instance, m, positions, NULL, NULL);
        for (int32_t i = 0; i < count; ++i) {
            float x, y, depth;
            assert_true(gt_camera_project(camera, WIDTH, HEIGHT, gt_vec3_add(positions[i], offset), &x, &y, &depth));
            e = (Edges){ fminf(e.left, x), fmaxf(e.right, x), fminf(e.top, y), fmaxf(e.bottom, y) };
        }
        free(positions);
    }
    gt_instance_destroy(instance);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    return e;
}

static void expect_edges(Edges seen, Edges wanted)
{
    GT_EXPECT_NEAR(seen.left, wanted.left, 2.0);
    GT_EXPECT_NEAR(seen.right, wanted.right, 2.0);
    GT_EXPECT_NEAR(seen.top, wanted.top, 2.0);
    GT_EXPECT_NEAR(seen.bottom, wanted.bottom, 2.0);
}

static void silhouette_is_where_vertices_are(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    for (int quality = GT_RENDER_DRAFT; quality <= GT_RENDER_FINE; ++quality) {
        GtRendererDef def = clear_def((GtRenderQuality)quality);
        GtRenderer* renderer = open_stage(f, &def, WALKING);
        for (int k = 0; k < 4; ++k) {
            double time_s = 0.3 * k;
            GtCameraView camera = still_camera(renderer, time_s);
            draw(renderer, &camera, time_s, rgba);
            expect_edges(find_silhouette(rgba), project_vertices(f, &camera, time_s, gt_vec3(0.0f, 0.0f, 0.0f)));
        }
        gt_renderer_destroy(renderer);
    }
}

static void places_move_the_silhouette(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtRendererDef def = clear_def(GT_RENDER_DRAFT);
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    const GtVec3 offset = { 0.3f, -0.1f, -0.5f };
    GtCameraView camera = still_camera(renderer, 0.5);
    camera.fov_y_rad *= 1.5f;
    gt_renderer_place(renderer, 0, offset);
    draw(renderer, &camera, 0.5, rgba);
    expect_edges(find_silhouette(rgba), project_vertices(f, &camera, 0.5, offset));
    gt_renderer_destroy(renderer);
}

// What the camera is told of a scene is what it then sees.
static void reach_fills_the_picture(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtRendererDef def = clear_def(GT_RENDER_DRAFT);
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    GtLens lens = gt_camera_lens(GT_CAMERA_SIDE, (float)WIDTH / HEIGHT, 0.3f);
    GtReach reach = gt_renderer_actor_reach(renderer, 0, 1.0, &lens);
    GtCameraView camera = gt_camera_fit(&lens, &reach);
    draw(renderer, &camera, 1.0, rgba);
    Edges e = find_silhouette(rgba);
    GT_EXPECT_NEAR(e.top, 0.06 * HEIGHT, 1.5);
    GT_EXPECT_NEAR(e.bottom, 0.94 * HEIGHT, 1.5);
    gt_renderer_destroy(renderer);
}

// A head is looked at with all of its skin and nothing of the rest.
static void focus_is_what_hangs_on_joints(void** state)
{
    Fixture* f = need_driver(state);
    GtError error = { 0 };
    GtRendererDef def = clear_def(GT_RENDER_DRAFT);
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    int32_t count = -1;
    gt_renderer_focus(renderer, 0, 1.0, &count);
    assert_int_equal(count, 0); // nothing is named
    GtActorDef actor = gt_default_actor_def();
    actor.scene = f->walker;
    actor.animation = 0;
    actor.offset = gt_vec3(5.0f, 0.0f, 0.0f);
    actor.focus = &f->walker->humanoid->nodes[GT_HUMANOID_HEAD];
    actor.focus_count = 1;
    GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
    GtBounds all = gt_renderer_actor_bounds(renderer, 0, 1.0);
    const GtVec3* points = gt_renderer_focus(renderer, 1, 1.0, &count);
    assert_true(count > 100);
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        low = fminf(low, points[i].y);
        high = fmaxf(high, points[i].y);
        assert_true(points[i].x < 2.0f); // without the offset
    }
    float size = all.high.y - all.low.y;
    GT_EXPECT_NEAR(high, all.high.y, 1e-6);
    assert_true(low > all.low.y + 0.8f * size && low < all.low.y + 0.9f * size);
    gt_renderer_destroy(renderer);
}

// Everything far from the origin looks as it does there, as far as its vertices allow.
static void distance_from_the_origin_does_not_matter(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t here[WIDTH * HEIGHT * 4], there[WIDTH * HEIGHT * 4];
    GtRendererDef def = gt_default_renderer_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    GtCameraView camera = still_camera(renderer, 0.5);
    draw(renderer, &camera, 0.5, here);
    const GtVec3 offset = { 8192.0f, 0.0f, -4096.0f }; // single precision is 1 mm there
    gt_renderer_place(renderer, 0, offset);
    camera.eye = gt_vec3_add(camera.eye, offset);
    camera.target = gt_vec3_add(camera.target, offset);
    draw(renderer, &camera, 0.5, there);
    int differing = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        differing += abs(here[4 * i] - there[4 * i]) > 40;
    }
    assert_true(differing < WIDTH * HEIGHT / 50);
    gt_renderer_destroy(renderer);
}

static void same_input_gives_same_pixels(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t pictures[2][WIDTH * HEIGHT * 4];
    for (int quality = GT_RENDER_DRAFT; quality <= GT_RENDER_FINE; ++quality) {
        for (int i = 0; i < 2; ++i) {
            GtRendererDef def = gt_default_renderer_def();
            def.width = WIDTH;
            def.height = HEIGHT;
            def.quality = (GtRenderQuality)quality;
            GtRenderer* renderer = open_stage(f, &def, WALKING);
            GtCameraView camera = still_camera(renderer, 0.5);
            draw(renderer, &camera, 0.5, pictures[i]);
            gt_renderer_destroy(renderer);
        }
        assert_memory_equal(pictures[0], pictures[1], sizeof pictures[0]);
    }
}

// With two under way, each is the picture that it would be alone.
static void two_pictures_under_way(void** state)
{
    Fixture* f = need_driver(state);
    enum {
        COUNT = 4
    };
    static uint8_t alone[COUNT][WIDTH * HEIGHT * 4];
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtError error = { 0 };
    GtRendererDef def = clear_def(GT_RENDER_FINE);
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    GtCameraView camera = still_camera(renderer, 0.5);
    for (int i = 0; i < COUNT; ++i) {
        draw(renderer, &camera, 0.2 * i, alone[i]);
    }
    assert_memory_not_equal(alone[0], alone[1], sizeof rgba);
    GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.0, &error));
    for (int i = 0; i < COUNT; ++i) {
        if (i + 1 < COUNT) {
            GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.2 * (i + 1), &error));
        }
        GT_EXPECT_OK(gt_renderer_read(renderer, rgba, &error));
        assert_memory_equal(rgba, alone[i], sizeof rgba);
    }
    gt_renderer_destroy(renderer);
}

static void backgrounds_are_what_was_asked_for(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    for (int quality = GT_RENDER_DRAFT; quality <= GT_RENDER_FINE; ++quality) {
        GtRendererDef def = clear_def((GtRenderQuality)quality);
        GtRenderer* renderer = open_stage(f, &def, WALKING);
        GtCameraView camera = still_camera(renderer, 0.0);
        draw(renderer, &camera, 0.0, rgba);
        assert_int_equal(rgba[3], 0);
        assert_int_equal(rgba[4 * (WIDTH * HEIGHT - 1) + 3], 0);
        assert_int_equal(rgba[4 * (HEIGHT / 2 * WIDTH + WIDTH / 2) + 3], 255); // the figure
        gt_renderer_destroy(renderer);
        def.background = (GtBackground){ .top = { 1.0f, 0.2f, 0.0f, 1.0f }, .bottom = { 0.0f, 0.4f, 1.0f, 1.0f } };
        renderer = open_stage(f, &def, WALKING);
        draw(renderer, &camera, 0.0, rgba);
        const uint8_t* top = rgba;
        const uint8_t* bottom = rgba + 4 * (WIDTH * HEIGHT - 1);
        GT_EXPECT_NEAR(top[0], 255, 3);
        GT_EXPECT_NEAR(top[1], 51, 3);
        GT_EXPECT_NEAR(top[2], 0, 3);
        GT_EXPECT_NEAR(bottom[0], 0, 3);
        GT_EXPECT_NEAR(bottom[1], 102, 3);
        GT_EXPECT_NEAR(bottom[2], 255, 3);
        assert_int_equal(top[3], 255);
        gt_renderer_destroy(renderer);
    }
}

// Floor and grid stay where they are while the figure moves, once the stage is known.
static void floor_does_not_change(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t pictures[2][WIDTH * HEIGHT * 4];
    GtRendererDef def = gt_default_renderer_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    GtCameraView camera = still_camera(renderer, 0.0);
    gt_renderer_set_stage(renderer, gt_renderer_bounds(renderer, 0.0, 1.0, 10));
    draw(renderer, &camera, 0.0, pictures[0]);
    draw(renderer, &camera, 0.25, pictures[1]);
    for (int y = HEIGHT - 20; y < HEIGHT; ++y) { // a corner of the floor, away from figure and shadow
        for (int i = 4 * y * WIDTH; i < 4 * (y * WIDTH + WIDTH / 5); ++i) {
            GT_EXPECT_NEAR(pictures[0][i], pictures[1][i], 2); // the figure's ambient shade reaches far, if weakly
        }
    }
    assert_memory_not_equal(pictures[0], pictures[1], sizeof pictures[0]);
    gt_renderer_destroy(renderer);
}

// The light comes from the left of the camera, so the floor is darker on the figure's right and nowhere lighter; far
// from the figure it is as it was.
static void shadow_falls_away_from_the_light(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t clear[WIDTH * HEIGHT * 4], bare[WIDTH * HEIGHT * 4], shaded[WIDTH * HEIGHT * 4];
    for (int quality = GT_RENDER_DRAFT; quality <= GT_RENDER_FINE; ++quality) {
        GtRendererDef def = clear_def((GtRenderQuality)quality);
        GtRenderer* renderer = open_stage(f, &def, WALKING);
        GtCameraView camera = still_camera(renderer, 0.5);
        GtBounds stage = gt_renderer_bounds(renderer, 0.5, 0.5, 1);
        draw(renderer, &camera, 0.5, clear);
        gt_renderer_destroy(renderer);
        def.background = gt_default_renderer_def().background;
        for (int with_figure = 0; with_figure < 2; ++with_figure) {
            renderer = open_stage(f, &def, with_figure ? WALKING : EMPTY);
            gt_renderer_set_stage(renderer, stage);
            draw(renderer, &camera, 0.5, with_figure ? shaded : bare);
            gt_renderer_destroy(renderer);
        }
        double figure_x = 0.0, shadow_x = 0.0;
        int figure = 0, dark = 0;
        for (int y = HEIGHT / 2; y < HEIGHT; ++y) {
            for (int x = 0; x < WIDTH; ++x) {
                int i = 4 * (y * WIDTH + x);
                bool is_floor = clear[i + 3] == 0;
                bool is_dark = is_floor && shaded[i] < bare[i] - 20;
                assert_true(!is_floor || (shaded[i] <= bare[i] + 2 && shaded[i] > bare[i] / 3));
                figure += !is_floor;
                figure_x += is_floor ? 0 : x;
                dark += is_dark;
                shadow_x += is_dark ? x : 0;
            }
        }
        assert_true(dark > 300);
        assert_true(shadow_x / dark > figure_x / figure + 10.0);
        assert_memory_equal(shaded, bare, 4 * WIDTH * 8); // the top rows
    }
}

// Told what comes next or not, and told the wrong thing, a film has the same pictures.
static void expecting_changes_nothing(void** state)
{
    Fixture* f = need_driver(state);
    enum {
        COUNT = 5
    };
    static uint8_t alone[COUNT][WIDTH * HEIGHT * 4];
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtError error = { 0 };
    GtRendererDef def = gt_default_renderer_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    GtCameraView camera = still_camera(renderer, 0.5);
    for (int i = 0; i < COUNT; ++i) {
        draw(renderer, &camera, 0.2 * i, alone[i]);
    }
    for (int i = 0; i < COUNT; ++i) {
        gt_renderer_expect(renderer, &camera, i % 2 ? 0.33 : 0.2 * (i + 1));
        GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.2 * i, &error));
        if (i == 2) {
            gt_renderer_actor_bounds(renderer, 0, 1.0); // poses it otherwise
        }
        GT_EXPECT_OK(gt_renderer_read(renderer, rgba, &error));
        assert_memory_equal(rgba, alone[i], sizeof rgba);
    }
    gt_renderer_expect(renderer, &camera, 0.1); // destroyed with work under way
    GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.0, &error));
    gt_renderer_destroy(renderer);
}

// The image in a mirror covers the same pixels the other way round, seen from before.
static void mirrors_swap_left_and_right(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t pictures[2][WIDTH * HEIGHT * 4];
    GtError error = { 0 };
    GtRendererDef def = clear_def(GT_RENDER_DRAFT);
    GtActorDef actor = gt_default_actor_def();
    actor.scene = f->walker;
    actor.animation = 0;
    GtBounds wide = { { -1.0f, 0.0f, -1.0f }, { 1.0f, 2.0f, 1.0f } };
    GtCameraView camera = gt_camera_frame(wide, GT_CAMERA_FRONT, (float)WIDTH / HEIGHT, 0.0f);
    for (int i = 0; i < 2; ++i) {
        GtRenderer* renderer = open_stage(f, &def, EMPTY);
        actor.mirrored = i == 1;
        GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
        draw(renderer, &camera, 0.3, pictures[i]);
        gt_renderer_destroy(renderer);
    }
    int covered = 0;
    int apart = 0;
    int same = 0;
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0; x < WIDTH; ++x) {
            bool here = pictures[0][4 * (y * WIDTH + x) + 3] > 127;
            covered += here;
            apart += here != (pictures[1][4 * (y * WIDTH + WIDTH - 1 - x) + 3] > 127);
            same += here != (pictures[1][4 * (y * WIDTH + x) + 3] > 127);
        }
    }
    assert_true(covered > 300);
    assert_true(20 * apart < covered); // pixels at the edges
    assert_true(5 * same > covered);   // who walks is not the same on both sides
}

// The inside of a closed surface is never seen: whether it would be drawn changes nothing, at outlines neither, where
// normals lean away from the eye. Of a mirrored figure the same is true.
static void insides_of_closed_surfaces_are_not_seen(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t pictures[2][WIDTH * HEIGHT * 4];
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_copy(&f->context, f->walker, &scene, &error));
    GtRendererDef def = clear_def(GT_RENDER_FINE);
    for (int mirrored = 0; mirrored < 2; ++mirrored) {
        for (int i = 0; i < 2; ++i) {
            for (int32_t m = 0; m < scene->material_count; ++m) {
                scene->materials[m].double_sided = i == 1;
            }
            GtRenderer* renderer = open_stage(f, &def, EMPTY);
            GtActorDef actor = gt_default_actor_def();
            actor.scene = scene;
            actor.mirrored = mirrored == 1;
            GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
            GtCameraView camera = still_camera(renderer, 0.0);
            draw(renderer, &camera, 0.0, pictures[i]);
            gt_renderer_destroy(renderer);
        }
        int different = 0;
        for (int i = 0; i < WIDTH * HEIGHT * 4; ++i) {
            different += abs(pictures[0][i] - pictures[1][i]) > 2;
        }
        assert_int_equal(different, 0);
    }
    gt_scene_destroy(scene);
}

// A close-up is the middle of a picture four times as large, light and shadow included.
static void close_ups_are_parts_of_large_pictures(void** state)
{
    enum {
        SCALE = 4,
        LARGE_WIDTH = SCALE * 480,
        LARGE_HEIGHT = SCALE * 270
    };
    Fixture* f = need_driver(state);
    static uint8_t large[LARGE_WIDTH * LARGE_HEIGHT * 4];
    static uint8_t close[LARGE_WIDTH / SCALE * LARGE_HEIGHT / SCALE * 4];
    GtRendererDef def = clear_def(GT_RENDER_FINE);
    def.width = LARGE_WIDTH;
    def.height = LARGE_HEIGHT;
    GtRenderer* renderer = open_stage(f, &def, WALKING);
    GtCameraView camera = still_camera(renderer, 0.5);
    draw(renderer, &camera, 0.5, large);
    gt_renderer_destroy(renderer);
    def.width /= SCALE;
    def.height /= SCALE;
    renderer = open_stage(f, &def, WALKING);
    camera.fov_y_rad = 2.0f * atanf(tanf(0.5f * camera.fov_y_rad) / SCALE);
    draw(renderer, &camera, 0.5, close);
    gt_renderer_destroy(renderer);
    int different = 0;
    for (int y = 0; y < def.height; ++y) {
        for (int x = 0; x < def.width * 4; ++x) {
            int row = y + (LARGE_HEIGHT - def.height) / 2;
            different += abs(close[4 * y * def.width + x] -
                             large[4 * (row * LARGE_WIDTH + (LARGE_WIDTH - def.width) / 2) + x]) > 8;
        }
    }
    assert_in_range(different, 0, 200);
}

// Two renderers on one thread do not meet, and outlive each other.
static void two_renderers_live_side_by_side(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t alone[WIDTH * HEIGHT * 4], rgba[WIDTH * HEIGHT * 4];
    GtError error = { 0 };
    GtRendererDef def = clear_def(GT_RENDER_DRAFT);
    GtRenderer* first = open_stage(f, &def, WALKING);
    GtCameraView camera = still_camera(first, 0.5);
    draw(first, &camera, 0.5, alone);
    GtRenderer* second = open_stage(f, &def, AT_REST);
    GT_EXPECT_OK(gt_renderer_draw(first, &camera, 0.5, &error));
    GT_EXPECT_OK(gt_renderer_draw(second, &camera, 0.5, &error));
    GT_EXPECT_OK(gt_renderer_read(first, rgba, &error));
    assert_memory_equal(rgba, alone, sizeof rgba);
    gt_renderer_destroy(second);
    draw(first, &camera, 0.5, rgba);
    assert_memory_equal(rgba, alone, sizeof rgba);
    gt_renderer_destroy(first);
}

static void empty_stage_is_not_black(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtRendererDef def = gt_default_renderer_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    GtRenderer* renderer = open_stage(f, &def, EMPTY);
    GtCameraView camera = still_camera(renderer, 0.0);
    draw(renderer, &camera, 0.0, rgba);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        assert_true(rgba[4 * i] > 100 && rgba[4 * i + 3] == 255);
    }
    gt_renderer_destroy(renderer);
}

// A flat square of four colours, two metres wide, seen straight on by three metres: colours where they belong.
static void known_colours_at_known_pixels(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[HEIGHT * HEIGHT * 4];
    static const GtVec3 corners[4] = { { -1, -1, 0 }, { 0, -1, 0 }, { 0, 0, 0 }, { -1, 0, 0 } };
    static const uint32_t indices[6] = { 0, 1, 2, 0, 2, 3 };
    static const float colors[4][4] = { { 1, 0, 0, 1 }, { 0, 0.6f, 0, 1 }, { 0.2f, 0.4f, 1, 1 }, { 1, 1, 1, 0.5f } };
    GtError error = { 0 };
    GtiCanvas* canvas = NULL;
    GtRendererDef def = clear_def(GT_RENDER_DRAFT);
    def.width = def.height = HEIGHT;
    GT_EXPECT_OK(gti_canvas_create(&f->context, &def, &canvas, &error));
    GtiMesh mesh = gti_mesh_create(gti_canvas_gl(canvas));
    gti_mesh_upload(gti_canvas_gl(canvas), &mesh,
                    &(GtiMeshData){ .vertex_count = 4, .index_count = 6, .positions = corners, .indices = indices });
    GtiSurface surfaces[4];
    for (int i = 0; i < 4; ++i) { // left and right, below and above
        surfaces[i] = (GtiSurface){ .mesh = &mesh, .look = GTI_LOOK_FLAT };
        surfaces[i].offset = gt_vec3((float)(i % 2), (float)(i / 2), 0.0f);
        memcpy(surfaces[i].base_color, colors[i], sizeof colors[i]);
    }
    GtiPicture picture = {
        .camera = { .eye = { 0, 0, 5 }, .up = { 0, 1, 0 }, .height_m = 3.0f, .z_near = 1.0f, .z_far = 10.0f },
        .surfaces = surfaces,
        .surface_count = 4,
        .figures = { { -1, -1, 0 }, { 1, 1, 0 } },
        .drawn = { .right = HEIGHT, .bottom = HEIGHT },
    };
    gti_canvas_draw(canvas, &picture);
    GT_EXPECT_OK(gti_canvas_read(canvas, rgba, &error));
    const int wanted[4][4] = { { 255, 0, 0, 255 }, { 0, 153, 0, 255 }, { 51, 102, 255, 255 }, { 255, 255, 255, 128 } };
    for (int i = 0; i < 4; ++i) {
        int x = HEIGHT / 3 + i % 2 * HEIGHT / 3;
        int y = HEIGHT - (HEIGHT / 3 + i / 2 * HEIGHT / 3);
        const uint8_t* p = rgba + 4 * (y * HEIGHT + x);
        for (int k = 0; k < 4; ++k) {
            if (k == 3 || wanted[i][3] == 255) {
                GT_EXPECT_NEAR(p[k], wanted[i][k], 1);
            }
        }
    }
    const uint8_t* outside = rgba + 4 * (HEIGHT / 2 * HEIGHT + 10);
    assert_int_equal(outside[3], 0);
    gti_canvas_destroy(canvas);
}

// Through the skin of the upper leg, at the middle of its bone, one sees the bone: teal on the left, orange on the
// right, where the same pixels of a grey figure have no colour at all.
static void bones_are_seen_through_the_skin(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[HEIGHT * WIDTH * 4];
    GtScene* grey = NULL;
    GtError error = { 0 };
    GT_EXPECT_OK(gt_scene_copy(&f->context, f->walker, &grey, &error));
    GtPrimitive* primitive = gt_scene_push(grey, 1, sizeof *primitive);
    *primitive = grey->meshes[0].primitives[0];
    primitive->attribute_count = 2; // position and normal: no colours
    grey->meshes[0].primitives = primitive;
    int red_minus_blue[2][2];
    for (int bones = 0; bones < 2; ++bones) {
        GtRendererDef def = clear_def(GT_RENDER_FINE);
        GtRenderer* renderer = NULL;
        GT_EXPECT_OK(gt_renderer_create(&f->context, &def, &renderer, &error));
        GtActorDef actor = gt_default_actor_def();
        actor.scene = grey;
        actor.bones = bones;
        GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
        GtBounds box = gt_renderer_bounds(renderer, 0.0, 0.0, 1);
        GtCameraView camera = gt_camera_frame(box, GT_CAMERA_FRONT, (float)WIDTH / HEIGHT, 0.0f);
        draw(renderer, &camera, 0.0, rgba);
        for (int side = 0; side < 2; ++side) {
            float x, y, depth;
            GtVec3 middle = { side ? -0.052f * 1.7f : 0.052f * 1.7f, 0.4f * 1.7f, 0.0f };
            assert_true(gt_camera_project(&camera, WIDTH, HEIGHT, middle, &x, &y, &depth));
            const uint8_t* p = rgba + 4 * ((size_t)y * WIDTH + (size_t)x);
            red_minus_blue[bones][side] = p[0] - p[2];
        }
        gt_renderer_destroy(renderer);
    }
    GT_EXPECT_NEAR(red_minus_blue[0][0], red_minus_blue[0][1], 12); // grey on both sides
    assert_true(red_minus_blue[1][0] < red_minus_blue[0][0] - 20);  // teal
    assert_true(red_minus_blue[1][1] > red_minus_blue[0][1] + 20);  // orange
    gt_scene_destroy(grey);
}

// Of one triangle seen straight on, the edges are dark and the middle is as it was.
static void edges_are_drawn_over_the_skin(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[HEIGHT * HEIGHT * 4];
    static const GtVec3 corners[3] = { { -1, -1, 0 }, { 1, -1, 0 }, { -1, 1, 0 } };
    static const uint32_t indices[3] = { 0, 1, 2 };
    GtError error = { 0 };
    GtiCanvas* canvas = NULL;
    GtRendererDef def = clear_def(GT_RENDER_DRAFT);
    def.width = def.height = HEIGHT;
    GT_EXPECT_OK(gti_canvas_create(&f->context, &def, &canvas, &error));
    GtiMesh mesh = gti_mesh_create(gti_canvas_gl(canvas));
    gti_mesh_upload(gti_canvas_gl(canvas), &mesh,
                    &(GtiMeshData){ .vertex_count = 3, .index_count = 3, .positions = corners, .indices = indices });
    const GtiSurface surfaces[2] = {
        { .mesh = &mesh, .look = GTI_LOOK_LIT, .base_color = { 0.5f, 0.5f, 0.5f, 1.0f } },
        { .mesh = &mesh, .look = GTI_LOOK_WIRE, .base_color = { 1.0f, 0.0f, 0.0f, 1.0f } },
    };
    GtiPicture picture = {
        .camera = { .eye = { 0, 0, 5 }, .up = { 0, 1, 0 }, .height_m = 3.0f, .z_near = 1.0f, .z_far = 10.0f },
        .surfaces = surfaces,
        .surface_count = 2,
        .figures = { { -1, -1, 0 }, { 1, 1, 0 } },
        .drawn = { .right = HEIGHT, .bottom = HEIGHT },
    };
    gti_canvas_draw(canvas, &picture);
    GT_EXPECT_OK(gti_canvas_read(canvas, rgba, &error));
    int red = 0;
    for (int x = 0; x < HEIGHT / 2; ++x) { // along a row through the left edge, up to the middle of the triangle
        const uint8_t* p = rgba + 4 * ((size_t)(HEIGHT * 2 / 3) * HEIGHT + (size_t)x);
        red += p[0] > 200 && p[1] < 60;
    }
    const uint8_t* inside = rgba + 4 * ((size_t)(HEIGHT * 2 / 3) * HEIGHT + HEIGHT * 3 / 10);
    assert_in_range(red, 1, 2);
    GT_EXPECT_NEAR(inside[0], inside[1], 40); // grey
    gti_canvas_destroy(canvas);
}

// Against a picture from before: shapes and tones, not bits, which differ from driver to driver. To keep a new one, run
// this test with GERTIE_UPDATE_GOLDEN=1 and look at what changed.
static void looks_as_it_did(void** state)
{
    Fixture* f = need_driver(state);
    GtError error = { 0 };
    GtRendererDef def = gt_default_renderer_def();
    def.width = GOLDEN_WIDTH;
    def.height = GOLDEN_HEIGHT;
    GtRenderer* renderer = open_stage(f, &def, AT_REST);
    GtPicture seen, golden;
    GT_EXPECT_OK(gt_picture_create(f->context.allocator, GOLDEN_WIDTH, GOLDEN_HEIGHT, &seen, &error));
    GtCameraView camera = still_camera(renderer, 0.0);
    draw(renderer, &camera, 0.0, seen.rgba);
    gt_renderer_destroy(renderer);
    if (getenv("GERTIE_UPDATE_GOLDEN")) {
        GT_EXPECT_OK(gt_picture_write_png(&f->context, &seen, golden_path, &error));
    }
    GT_EXPECT_OK(gt_picture_read(&f->context, golden_path, &golden, &error));
    assert_true(golden.width == GOLDEN_WIDTH && golden.height == GOLDEN_HEIGHT);
    double sum = 0.0;
    int far_off = 0;
    for (int i = 0; i < GOLDEN_WIDTH * GOLDEN_HEIGHT; ++i) {
        int most = 0;
        for (int k = 0; k < 3; ++k) {
            int difference = abs(seen.rgba[4 * i + k] - golden.rgba[4 * i + k]);
            most = difference > most ? difference : most;
            sum += difference;
        }
        far_off += most > 48;
    }
    GT_EXPECT_NEAR(sum / (GOLDEN_WIDTH * GOLDEN_HEIGHT * 3), 0.0, 3.0);
    assert_true(far_off < GOLDEN_WIDTH * GOLDEN_HEIGHT / 100);
    gt_picture_destroy(&seen);
    gt_picture_destroy(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silhouette_is_where_vertices_are),
        cmocka_unit_test(places_move_the_silhouette),
        cmocka_unit_test(reach_fills_the_picture),
        cmocka_unit_test(focus_is_what_hangs_on_joints),
        cmocka_unit_test(distance_from_the_origin_does_not_matter),
        cmocka_unit_test(same_input_gives_same_pixels),
        cmocka_unit_test(two_pictures_under_way),
        cmocka_unit_test(backgrounds_are_what_was_asked_for),
        cmocka_unit_test(floor_does_not_change),
        cmocka_unit_test(shadow_falls_away_from_the_light),
        cmocka_unit_test(expecting_changes_nothing),
        cmocka_unit_test(mirrors_swap_left_and_right),
        cmocka_unit_test(insides_of_closed_surfaces_are_not_seen),
        cmocka_unit_test(close_ups_are_parts_of_large_pictures),
        cmocka_unit_test(two_renderers_live_side_by_side),
        cmocka_unit_test(empty_stage_is_not_black),
        cmocka_unit_test(known_colours_at_known_pixels),
        cmocka_unit_test(bones_are_seen_through_the_skin),
        cmocka_unit_test(edges_are_drawn_over_the_skin),
        cmocka_unit_test(looks_as_it_did),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
