// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The thread rules of the headers that draw: each thread has a renderer of its own, all draw at once, and every one has
// the pictures that a thread alone has. Skips where there is no driver.

#include "gertie/gertie.h"

#include "support/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    THREADS = 2,
    SIZE = 64
};

typedef struct Drawer {
    const GtScene* walker;
    int number;
    GtResult result;
    GtError error;
    uint64_t hash;
} Drawer;

static uint64_t take_file(uint64_t hash, const char* path)
{
    hash = gt_hash_file(hash, path);
    unlink(path);
    return hash;
}

static void draw_all(Drawer* d)
{
    GtContext context = gt_default_context();
    char folder[] = "/tmp/guest-XXXXXX";
    char path[64];
    d->hash = 1;
    d->result = mkdtemp(folder) ? GT_OK : GT_ERROR_IO;
    GtShotFigure figure = gt_default_shot_figure(d->walker);
    GtShotDef def = gt_default_shot_def();
    def.figures = &figure;
    def.figure_count = 1;
    def.width = def.height = SIZE;
    def.quality = GT_RENDER_DRAFT;
    GtShot* shot = NULL;
    d->result = d->result == GT_OK ? gt_shot_create(&context, &def, &shot, &d->error) : d->result;
    for (int i = 0; d->result == GT_OK && i < 5; ++i) {
        GtPicture picture = { 0 };
        d->result = gt_shot_draw(shot, &context, 0.1 * i, 0.0, &picture, &d->error);
        d->hash = d->result == GT_OK ? gt_hash_bytes(d->hash, picture.rgba, SIZE * SIZE * 4) : 0;
        gt_picture_destroy(&picture);
    }
    gt_shot_destroy(shot);
    GtRenderer* renderer = NULL;
    GtRendererDef stage = gt_default_renderer_def();
    stage.width = stage.height = SIZE;
    d->result = d->result == GT_OK ? gt_renderer_create(&context, &stage, &renderer, &d->error) : d->result;
    gt_renderer_destroy(renderer);
    snprintf(path, sizeof path, "%s/a.png", folder);
    d->result = d->result == GT_OK ? gt_preview_skeleton(&context, d->walker, path, &d->error) : d->result;
    d->hash = take_file(d->hash, path);
    snprintf(path, sizeof path, "%s/a.obj", folder);
    d->result = d->result == GT_OK ? gt_export(&context, d->walker, NULL, path, NULL, &d->error) : d->result;
    d->hash = take_file(d->hash, path);
    snprintf(path, sizeof path, "%s/a.mtl", folder);
    unlink(path);
    rmdir(folder);
}

static void film_all(Drawer* d)
{
    GtContext context = gt_default_context();
    char path[64];
    snprintf(path, sizeof path, "/tmp/guest-%d-%d.gif", (int)getpid(), d->number);
    static const uint8_t rgba[SIZE * SIZE * 4];
    GtFilmDef def = gt_default_film_def();
    def.width = def.height = SIZE;
    def.frame_rate_hz = 10.0;
    GtFilm* film = NULL;
    d->result = gt_film_create(&context, &def, path, &film, &d->error);
    for (int i = 0; d->result == GT_OK && i < 5; ++i) {
        d->result = gt_film_add(film, rgba, &d->error);
    }
    d->result = d->result == GT_OK ? gt_film_finish(film, &d->error) : d->result;
    gt_film_destroy(film);
    d->hash = take_file(1, path);
}

static const struct {
    const char* header;
    void (*run)(Drawer* drawer);
} cases[] = {
    { "render", draw_all }, { "shot", draw_all }, { "preview", draw_all }, { "export", draw_all }, { "film", film_all },
};

typedef struct DrawThread {
    Drawer drawer;
    void (*run)(Drawer* drawer);
} DrawThread;

static void* run_drawer(void* user)
{
    DrawThread* thread = user;
    thread->run(&thread->drawer);
    return NULL;
}

// need_driver: without one, the first case is refused as unsupported.
static void threads_draw_at_once(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene *person = NULL, *walk = NULL, *walker = NULL;
    GtPersonDef body = gt_default_person_def();
    body.triangle_count = 2000;
    GT_EXPECT_OK(gt_sample_person(&context, &body, &person, NULL, &error));
    GtMotionDef motion = gt_default_motion_def(GT_MOTION_WALK);
    GT_EXPECT_OK(gt_sample_motion(&context, &motion, &walk, NULL, &error));
    GT_EXPECT_OK(gt_animate(&context, person, walk, NULL, &walker, NULL, &error));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        Drawer alone = { .walker = walker };
        if (c > 0 && cases[c].run == cases[c - 1].run) {
            continue;
        }
        cases[c].run(&alone);
        if (alone.result == GT_ERROR_UNSUPPORTED) { // neither a driver nor ffmpeg is a must
            print_message("%s\n", alone.error.message);
            continue;
        }
        error = alone.error;
        GT_EXPECT_OK(alone.result);
        DrawThread threads[THREADS];
        pthread_t ids[THREADS];
        for (int t = 0; t < THREADS; ++t) {
            threads[t] = (DrawThread){ { .walker = walker, .number = t }, cases[c].run };
            assert_int_equal(pthread_create(&ids[t], NULL, run_drawer, &threads[t]), 0);
        }
        for (int t = 0; t < THREADS; ++t) {
            pthread_join(ids[t], NULL);
            error = threads[t].drawer.error;
            GT_EXPECT_OK(threads[t].drawer.result);
            assert_true(threads[t].drawer.hash == alone.hash);
        }
    }
    gt_scene_destroy(walker);
    gt_scene_destroy(walk);
    gt_scene_destroy(person);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_draw_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
