// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The library as a guest in a stranger's process: a tour through its rooms leaves signals, locale, rounding, threads,
// files and standard output as they were, and errors, diagnostics and cancelling need no memory. The oracle is the
// system: what it says of the process before and after.

#include "base/fail.h"
#include "gertie/gertie.h"

#include "support/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_MALLOC 0
#else
#define HAS_OWN_MALLOC 1
#endif

static _Thread_local bool no_memory; // whether malloc() and its kin give none, to anyone on this thread

#if HAS_OWN_MALLOC
extern void* __libc_malloc(size_t size);                 // NOLINT: the C library's own
extern void* __libc_calloc(size_t count, size_t size);   // NOLINT
extern void* __libc_realloc(void* old, size_t size);     // NOLINT
extern void* __libc_memalign(size_t align, size_t size); // NOLINT

void* malloc(size_t size)
{
    return no_memory ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    return no_memory ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size)
{
    return no_memory ? NULL : __libc_realloc(old, size);
}

void* aligned_alloc(size_t align, size_t size)
{
    return no_memory ? NULL : __libc_memalign(align, size);
}
#endif

enum {
    SIGNALS = 65,
    SAVED = 5 // files that the tour makes
};

static const char* const saved_formats[SAVED] = { "glb", "bvh", "obj", "ply", "stl" };

typedef struct Tour {
    GtBlob* saved[SAVED];
} Tour;

static void end_tour(Tour* tour)
{
    for (int i = 0; i < SAVED; ++i) {
        gt_blob_release(tour->saved[i]);
    }
}

// Bytes of no format, or cut short: each is refused.
static void read_bad_files(const GtContext* context, const GtBlob* whole)
{
    static const char* const paths[] = { "a.glb", "a.gltf", "a.bvh", "a.obj", "a.ply", "a.stl", "a.off", "a.gtp" };
    GtError error;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        GtScene* scene = NULL;
        gt_scene_load_memory(context, "\x7f!\n1e999", 8, paths[i], NULL, &scene, &error);
        gt_scene_destroy(scene);
        scene = NULL;
        gt_scene_load_memory(context, gt_blob_bytes(whole), gt_blob_size(whole) / 2, paths[i], NULL, &scene, &error);
        gt_scene_destroy(scene);
    }
    GtScene* scene = NULL;
    GT_EXPECT_ERROR(gt_scene_load(context, "/nowhere/at/all.glb", NULL, &scene, &error), GT_ERROR_IO, "all.glb");
}

// A bare body is rigged, takes a motion with and without weights, is measured, surveyed, saved and read again.
static void go_on_tour(const GtContext* context, Tour* tour)
{
    GtError error;
    *tour = (Tour){ 0 };
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 2000;
    person.scan.bare = true;
    GtScene *bare = NULL, *walk = NULL, *rigged = NULL, *moving = NULL, *marked = NULL;
    GT_EXPECT_OK(gt_sample_person(context, &person, &bare, NULL, &error));
    GtMotionDef motion = gt_default_motion_def(GT_MOTION_WALK);
    GT_EXPECT_OK(gt_sample_motion(context, &motion, &walk, NULL, &error));
    GT_EXPECT_OK(gt_rig(context, bare, NULL, &rigged, NULL, &error));
    GtAnimateDef animate = gt_default_animate_def();
    animate.retarget.frame_rate_hz = 5.0;
    GT_EXPECT_OK(gt_animate(context, rigged, walk, &animate, &moving, NULL, &error));
    animate.method = GT_ANIMATE_HARMONIC;
    animate.harmonic.rate_hz = 5.0;
    GT_EXPECT_OK(gt_animate(context, bare, walk, &animate, &marked, NULL, &error));
    GtSculpt* sculpt = NULL; // with formulas, which the saved file then holds
    GT_EXPECT_OK(gt_sculpt_preset(context, moving, "muscles,squash", &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_keep(context, sculpt, moving, &error));
    gt_sculpt_destroy(sculpt);
    GtMeasure* measure = NULL;
    GT_EXPECT_OK(gt_measure(context, moving, NULL, &measure, &error));
    gt_measure_destroy(measure);
    GtSurvey* survey = NULL;
    GT_EXPECT_OK(gt_scene_survey(context, moving, &survey, &error));
    gt_survey_destroy(survey);
    for (int i = 0; i < SAVED; ++i) {
        const GtScene* scene = i < 2 ? moving : marked;
        GT_EXPECT_OK(
            gt_scene_save_memory(context, i == 1 ? walk : scene, saved_formats[i], NULL, &tour->saved[i], &error));
        GtScene* again = NULL;
        char path[16];
        snprintf(path, sizeof path, "a.%s", saved_formats[i]);
        GT_EXPECT_OK(gt_scene_load_memory(context, gt_blob_bytes(tour->saved[i]), gt_blob_size(tour->saved[i]), path,
                                          NULL, &again, &error));
        gt_scene_destroy(again);
    }
    read_bad_files(context, tour->saved[0]);
    gt_scene_destroy(marked);
    gt_scene_destroy(moving);
    gt_scene_destroy(rigged);
    gt_scene_destroy(walk);
    gt_scene_destroy(bare);
}

static int count_entries(const char* path)
{
    DIR* folder = opendir(path);
    int count = 0;
    while (folder && readdir(folder)) {
        ++count;
    }
    closedir(folder);
    return count;
}

// What the process has that is not the library's.
typedef struct Process {
    struct sigaction actions[SIGNALS];
    sigset_t mask;
    char locale[256];
    locale_t thread_locale;
    int rounding;
    mode_t umask;
    char folder[1024];
    int thread_count;
    int file_count;
} Process;

static void look_at_process(Process* out)
{
    memset(out, 0, sizeof *out);
    for (int i = 1; i < SIGNALS; ++i) {
        sigaction(i, NULL, &out->actions[i]);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &out->mask);
    snprintf(out->locale, sizeof out->locale, "%s", setlocale(LC_ALL, NULL));
    out->thread_locale = uselocale((locale_t)0);
    out->rounding = fegetround();
    out->umask = umask(0);
    umask(out->umask);
    assert_non_null(getcwd(out->folder, sizeof out->folder));
    out->thread_count = count_entries("/proc/self/task");
    out->file_count = count_entries("/proc/self/fd");
}

static void expect_same_process(const Process* a, const Process* b)
{
    for (int i = 1; i < SIGNALS; ++i) {
        assert_ptr_equal(a->actions[i].sa_handler, b->actions[i].sa_handler);
        assert_int_equal(a->actions[i].sa_flags, b->actions[i].sa_flags);
        assert_int_equal(sigismember(&a->mask, i), sigismember(&b->mask, i));
    }
    assert_string_equal(a->locale, b->locale);
    assert_ptr_equal(a->thread_locale, b->thread_locale);
    assert_int_equal(a->rounding, b->rounding);
    assert_int_equal(a->umask, b->umask);
    assert_string_equal(a->folder, b->folder);
    int thread_count = b->thread_count;
    for (int i = 0; i < 1000 && thread_count > a->thread_count; ++i) { // one that was joined is listed a moment longer
        usleep(1000);
        thread_count = count_entries("/proc/self/task");
    }
    assert_int_equal(a->thread_count, thread_count);
    assert_int_equal(a->file_count, b->file_count);
}

// Standard output and error go to a file from now on; end_watch() gives how many bytes came.
typedef struct Watch {
    int outputs[2];
    int file;
} Watch;

static Watch begin_watch(void)
{
    fflush(stdout);
    fflush(stderr);
    FILE* file = tmpfile();
    assert_non_null(file);
    Watch watch = { { dup(1), dup(2) }, dup(fileno(file)) };
    fclose(file);
    dup2(watch.file, 1);
    dup2(watch.file, 2);
    return watch;
}

static long end_watch(Watch* watch)
{
    fflush(stdout);
    fflush(stderr);
    dup2(watch->outputs[0], 1);
    dup2(watch->outputs[1], 2);
    long size = (long)lseek(watch->file, 0, SEEK_END);
    close(watch->outputs[0]);
    close(watch->outputs[1]);
    close(watch->file);
    return size;
}

static void* do_nothing(void* user)
{
    return user;
}

static void a_tour_on_threads_changes_nothing_of_the_process(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Process before, after;
    Tour tour;
    srand(4711);
    int first = rand();
    pthread_t warm; // the thread sanitizer starts a thread of its own with the first one
    assert_int_equal(pthread_create(&warm, NULL, do_nothing, NULL), 0);
    pthread_join(warm, NULL);
    usleep(10000);
    look_at_process(&before);
    srand(4711);
    Watch watch = begin_watch();
    GtThreadPool* pool = NULL;
    GtResult made = gt_thread_pool_create(context.allocator, 3, &pool, &error);
    context.executor = gt_thread_pool_executor(pool);
    go_on_tour(&context, &tour);
    gt_thread_pool_destroy(pool);
    long written = end_watch(&watch);
    assert_int_equal(made, GT_OK);
    assert_int_equal(written, 0);
    assert_int_equal(rand(), first); // nobody drew from the host's random numbers
    look_at_process(&after);
    expect_same_process(&before, &after);
    end_tour(&tour);
}

static void a_decimal_comma_changes_no_byte(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Tour plain, comma;
    go_on_tour(&context, &plain);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        end_tour(&plain);
        skip();
    }
    go_on_tour(&context, &comma);
    gti_fail(&error, GT_ERROR_BAD_VALUE, "the length is %g", 0.5);
    setlocale(LC_ALL, "C");
    for (int i = 0; i < SAVED; ++i) {
        assert_int_equal(gt_blob_size(plain.saved[i]), gt_blob_size(comma.saved[i]));
        assert_memory_equal(gt_blob_bytes(plain.saved[i]), gt_blob_bytes(comma.saved[i]), gt_blob_size(plain.saved[i]));
    }
    assert_string_equal(error.message, "the length is 0.5");
    end_tour(&comma);
    end_tour(&plain);
}

typedef struct Said {
    int count;
    char last[64];
} Said;

static void hear(void* user, const GtDiagnostic* diagnostic)
{
    Said* said = user;
    ++said->count;
    snprintf(said->last, sizeof said->last, "%s", diagnostic->message);
}

static bool refuse_to_go_on(void* user, const char* task, double fraction)
{
    (void)user;
    (void)task;
    (void)fraction;
    return false;
}

static void* give_nothing(void* user, size_t size)
{
    (void)user;
    (void)size;
    return NULL;
}

static void errors_warnings_and_cancelling_need_no_memory(void** state)
{
    (void)state;
    Said said = { 0 };
    GtContext context = gt_default_context();
    context.diagnose = hear;
    context.diagnose_user = &said;
    context.progress = refuse_to_go_on;
    GtError errors[3];
    char text[512];
    no_memory = HAS_OWN_MALLOC;
    gti_fail_at(&errors[0], GT_ERROR_BAD_VALUE, "line 12", "'%s' has length %.9g, not %d", "hips", 1.0 / 3.0, 7);
    gti_error_set_file(&errors[0], "walk.bvh");
    gt_error_format(&errors[0], text, sizeof text);
    gti_warn(&context, "walk.bvh", NULL, "%d keys are %g apart", 3, 1e300);
    GtResult stopped = gti_progress(&context, &errors[1], "weighing", 0.5);
    GtResult exhausted = gti_out_of_memory(&errors[2]);
    no_memory = false;
    assert_string_equal(text, "walk.bvh: line 12: 'hips' has length 0.333333333, not 7");
    assert_int_equal(said.count, 1);
    assert_string_equal(said.last, "3 keys are 1e+300 apart");
    assert_int_equal(stopped, GT_ERROR_CANCELLED);
    assert_string_equal(errors[1].message, "cancelled while weighing");
    assert_int_equal(exhausted, GT_ERROR_OUT_OF_MEMORY);
    assert_string_equal(errors[2].message, "out of memory");
}

// Calls of every room, with an allocator that has nothing and a C library that has nothing either.
static void calls_without_any_memory_say_so(void** state)
{
    (void)state;
    GtContext rich = gt_default_context();
    GtError error;
    Tour tour;
    go_on_tour(&rich, &tour);
    GtScene* moving = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&rich, gt_blob_bytes(tour.saved[0]), gt_blob_size(tour.saved[0]), "a.glb", NULL,
                                      &moving, &error));
    GtContext poor = rich;
    poor.allocator.allocate = give_nothing;
    GtScene* bare = NULL; // as OBJ files are
    GT_EXPECT_OK(gt_scene_load_memory(&rich, gt_blob_bytes(tour.saved[2]), gt_blob_size(tour.saved[2]), "a.obj", NULL,
                                      &bare, &error));
    GtScene* scene = NULL;
    GtMeasure* measure = NULL;
    GtSurvey* survey = NULL;
    GtTake* take = NULL;
    GtCharacter* character = NULL;
    GtFigure figure = { 0 };
    GtBlob* blob = NULL;
    GtThreadPool* pool = NULL;
    GtError errors[12];
    GtResult results[12];
    no_memory = HAS_OWN_MALLOC;
    int count = 0;
#define TRY(call) (results[count] = (call), ++count)
    TRY(gt_sample_person(&poor, NULL, &scene, NULL, &errors[count]));
    TRY(gt_scene_load_memory(&poor, gt_blob_bytes(tour.saved[0]), gt_blob_size(tour.saved[0]), "a.glb", NULL, &scene,
                             &errors[count]));
    TRY(gt_rig(&poor, bare, NULL, &scene, NULL, &errors[count]));
    TRY(gt_animate(&poor, moving, moving, NULL, &scene, NULL, &errors[count]));
    TRY(gt_measure(&poor, moving, NULL, &measure, &errors[count]));
    TRY(gt_scene_survey(&poor, moving, &survey, &errors[count]));
    TRY(gt_take_create(&poor, moving, NULL, &take, &errors[count]));
    TRY(gt_character_build(&poor, moving, NULL, &character, NULL, &errors[count]));
    TRY(gt_figure_open(&poor, moving, NULL, &figure, &errors[count]));
    TRY(gt_scene_save_memory(&poor, moving, "glb", NULL, &blob, &errors[count]));
    TRY(gt_export(&poor, moving, NULL, "stranger.glb", NULL, &errors[count]));
    TRY(gt_thread_pool_create(poor.allocator, 2, &pool, &errors[count]));
#undef TRY
    no_memory = false;
    for (int i = 0; i < count; ++i) {
        if (results[i] != GT_ERROR_OUT_OF_MEMORY || strcmp(errors[i].message, "out of memory") != 0) {
            fail_msg("call %d: '%s'", i, results[i] ? errors[i].message : "no error");
        }
    }
    gt_scene_destroy(bare);
    gt_scene_destroy(moving);
    end_tour(&tour);
}

static void* read_a_little(void* path)
{
    int file = open(path, O_RDONLY);
    char byte;
    if (file >= 0 && read(file, &byte, 1) == 1) {
        close(file);
    }
    return NULL;
}

// SIGPIPE would end this process.
static void a_pipe_that_breaks_is_an_error(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    char folder[] = "/tmp/stranger-XXXXXX";
    char path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    size_t size = (size_t)1 << 22;
    char* bytes = calloc(size, 1);
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, read_a_little, path), 0);
    GT_EXPECT_ERROR(gt_file_write(&context, path, bytes, size, &error), GT_ERROR_IO, "");
    pthread_join(reader, NULL);
    sigset_t pending;
    sigpending(&pending);
    assert_false(sigismember(&pending, SIGPIPE));
    free(bytes);
    unlink(path);
    rmdir(folder);
}

// A program by the name of ffmpeg that ends at once.
static void a_film_on_a_thread_whose_encoder_dies_is_an_error(void** state)
{
    (void)state;
    enum {
        WIDTH = 320,
        HEIGHT = 240
    };
    GtContext context = gt_default_context();
    GtError error;
    Process before, after;
    char folder[] = "/tmp/stranger-XXXXXX";
    char path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ffmpeg", folder);
    FILE* file = fopen(path, "w");
    fputs("#!/bin/sh\nexit 3\n", file);
    fclose(file);
    chmod(path, 0700);
    char* old = strdup(getenv("PATH"));
    char* paths = malloc(strlen(old) + 64);
    sprintf(paths, "%s:%s", folder, old);
    setenv("PATH", paths, 1);
    look_at_process(&before);
    uint8_t* rgba = calloc(WIDTH * HEIGHT, 4);
    GtFilmDef def = gt_default_film_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    char film_path[64];
    snprintf(film_path, sizeof film_path, "%s/a.mp4", folder);
    GtFilm* film = NULL;
    GtResult result = gt_film_create(&context, &def, film_path, &film, &error);
    for (int i = 0; i < 200 && result == GT_OK; ++i) {
        result = gt_film_add(film, rgba, &error);
    }
    result = result == GT_OK ? gt_film_finish(film, &error) : result;
    gt_film_destroy(film);
    setenv("PATH", old, 1);
    look_at_process(&after);
    assert_int_not_equal(result, GT_OK);
    assert_int_not_equal(access(film_path, F_OK), 0);
    expect_same_process(&before, &after);
    free(rgba);
    free(paths);
    free(old);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tour_on_threads_changes_nothing_of_the_process),
        cmocka_unit_test(a_decimal_comma_changes_no_byte),
        cmocka_unit_test(errors_warnings_and_cancelling_need_no_memory),
        cmocka_unit_test(calls_without_any_memory_say_so),
        cmocka_unit_test(a_pipe_that_breaks_is_an_error),
        cmocka_unit_test(a_film_on_a_thread_whose_encoder_dies_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
