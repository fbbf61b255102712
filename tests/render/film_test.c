// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Films through the real ffmpeg, decoded again by it; and encoders that fail, hang up or are not there.

#include "gertie/film.h"

#include "support/folder.h"
#include "support/test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WIDTH = 64,
    HEIGHT = 48,
    FRAMES = 10
};

typedef struct Fixture {
    TestFolder folder;
    TestAllocator allocator;
    GtContext context;
} Fixture;

static int enter(void** state)
{
    static Fixture f;
    f = (Fixture){ .allocator = { .remaining = -1 } };
    test_folder_create(&f.folder);
    f.context = gt_default_context();
    f.context.allocator = test_allocator(&f.allocator);
    *state = &f;
    return 0;
}

static int leave(void** state)
{
    Fixture* f = *state;
    test_folder_remove(&f->folder);
    return f->allocator.alive == 0 ? 0 : -1;
}

static bool has_program(const char* name)
{
    char line[128];
    snprintf(line, sizeof line, "command -v %s >/dev/null 2>&1", name);
    return system(line) == 0;
}

static void need_ffmpeg(void)
{
    if (!has_program("ffmpeg") || !has_program("ffprobe")) {
        print_message("skipped: ffmpeg is not installed\n");
        skip();
    }
}

static GtFilmDef small_def(void)
{
    GtFilmDef def = gt_default_film_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.frame_rate_hz = 25.0;
    return def;
}

// A picture that fades from red to blue over the film, with a clear right half where there is alpha.
static void paint(uint8_t* rgba, int frame, int count)
{
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        uint8_t* p = rgba + 4 * i;
        p[0] = (uint8_t)(255 - 255 * frame / (count - 1));
        p[1] = 20;
        p[2] = (uint8_t)(255 * frame / (count - 1));
        p[3] = i % WIDTH < WIDTH / 2 ? 255 : 0;
    }
}

static void make_film(Fixture* f, const GtFilmDef* def, const char* path, int count)
{
    GtError error = { 0 };
    GtFilm* film = NULL;
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GT_EXPECT_OK(gt_film_create(&f->context, def, path, &film, &error));
    for (int i = 0; i < count; ++i) {
        paint(rgba, i, count);
        GT_EXPECT_OK(gt_film_add(film, rgba, &error));
    }
    GT_EXPECT_OK(gt_film_finish(film, &error));
    gt_film_destroy(film);
}

// What a line prints, without its newline.
static void ask(const char* line, char* out, size_t out_size)
{
    FILE* pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t size = fread(out, 1, out_size - 1, pipe);
    out[size > 0 && out[size - 1] == '\n' ? size - 1 : size] = 0;
    pclose(pipe);
}

// The film's pictures as ffmpeg decodes them: RGBA, free() them.
static uint8_t* decode(Fixture* f, const char* path, const char* decoder, size_t* size)
{
    char line[512];
    snprintf(line, sizeof line, "ffmpeg -v error -y %s -i '%s' -pix_fmt rgba -f rawvideo '%s'", decoder, path,
             test_folder_path(&f->folder, "raw"));
    assert_int_equal(system(line), 0);
    return test_folder_get(&f->folder, "raw", size);
}

static void expect_color(const uint8_t* p, int r, int g, int b, int tolerance)
{
    if (abs(p[0] - r) > tolerance || abs(p[1] - g) > tolerance || abs(p[2] - b) > tolerance) {
        fail_msg("the colour is %d %d %d, not %d %d %d", p[0], p[1], p[2], r, g, b);
    }
}

static void every_format_has_all_pictures(void** state)
{
    Fixture* f = *state;
    need_ffmpeg();
    static const char* const codecs[] = { "h264", "vp9", "gif", "apng" };
    int index = 0;
    for (const GtFilmFormat* format = gt_film_formats(); format->name; ++format, ++index) {
        char name[32], line[512], said[256], wanted[64];
        GtFilmDef def = small_def();
        snprintf(name, sizeof name, "film.%s", format->name);
        const char* path = test_folder_path(&f->folder, name);
        assert_ptr_equal(gt_film_format_find(path), format);
        make_film(f, &def, path, FRAMES);
        snprintf(line, sizeof line,
                 "ffprobe -v error -count_frames -select_streams v -show_entries "
                 "stream=codec_name,width,height,nb_read_frames -of csv=p=0 '%s'",
                 path);
        ask(line, said, sizeof said);
        snprintf(wanted, sizeof wanted, "%s,%d,%d,%d", codecs[index], WIDTH, HEIGHT, FRAMES);
        assert_string_equal(said, wanted);
        size_t size = 0;
        uint8_t* raw = decode(f, path, "", &size);
        size_t frame = WIDTH * HEIGHT * 4;
        assert_int_equal(size, FRAMES * frame);
        size_t middle = 4 * (HEIGHT / 2 * WIDTH + WIDTH / 4);
        expect_color(raw + middle, 255, 20, 0, 12); // by BT.601 instead of BT.709, red would be off by 30
        expect_color(raw + 9 * frame + middle, 0, 20, 255, 12);
        free(raw);
    }
}

static void the_same_film_gives_the_same_bytes(void** state)
{
    Fixture* f = *state;
    need_ffmpeg();
    for (const GtFilmFormat* format = gt_film_formats(); format->name; ++format) {
        char names[2][32];
        size_t sizes[2];
        uint8_t* bytes[2];
        for (int i = 0; i < 2; ++i) {
            GtFilmDef def = small_def();
            snprintf(names[i], sizeof names[i], "%d.%s", i, format->name);
            make_film(f, &def, test_folder_path(&f->folder, names[i]), FRAMES);
            bytes[i] = test_folder_get(&f->folder, names[i], &sizes[i]);
        }
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

static void transparency_is_kept(void** state)
{
    Fixture* f = *state;
    need_ffmpeg();
    static const char* const decoders[] = { "", "-c:v libvpx-vp9", "", "" };
    int index = 0;
    for (const GtFilmFormat* format = gt_film_formats(); format->name; ++format, ++index) {
        char name[32];
        GtFilmDef def = small_def();
        def.alpha = true;
        snprintf(name, sizeof name, "clear.%s", format->name);
        const char* path = test_folder_path(&f->folder, name);
        make_film(f, &def, path, FRAMES);
        size_t size = 0;
        uint8_t* raw = decode(f, path, decoders[index], &size);
        size_t middle = 4 * (HEIGHT / 2 * WIDTH);
        assert_int_equal(raw[middle + 4 * (WIDTH / 4) + 3], 255);
        assert_true(format->has_alpha ? raw[middle + 4 * (3 * WIDTH / 4) + 3] < 8
                                      : raw[middle + 4 * (3 * WIDTH / 4) + 3] == 255);
        free(raw);
    }
}

static void odd_sizes_lose_a_row(void** state)
{
    Fixture* f = *state;
    need_ffmpeg();
    GtFilmDef def = small_def();
    def.width = WIDTH - 1;
    def.height = HEIGHT - 1;
    const char* path = test_folder_path(&f->folder, "odd.mp4");
    make_film(f, &def, path, FRAMES);
    char line[256], said[64];
    snprintf(line, sizeof line, "ffprobe -v error -show_entries stream=width,height -of csv=p=0 '%s'", path);
    ask(line, said, sizeof said);
    assert_string_equal(said, "62,46");
}

// However long a film is, memory is that of a few pictures.
static void memory_does_not_grow(void** state)
{
    Fixture* f = *state;
    need_ffmpeg();
    int64_t made[2];
    for (int i = 0; i < 2; ++i) {
        GtFilmDef def = small_def();
        int64_t before = f->allocator.made;
        make_film(f, &def, test_folder_path(&f->folder, "long.mp4"), i == 0 ? 2 : 400);
        made[i] = f->allocator.made - before;
    }
    assert_int_equal(made[0], made[1]);
    assert_true(made[0] < 12);
}

static int count_files(Fixture* f)
{
    char line[128], said[32];
    snprintf(line, sizeof line, "ls -A '%s' | wc -l", f->folder.path);
    ask(line, said, sizeof said);
    return atoi(said);
}

static void no_encoder_says_what_to_install(void** state)
{
    Fixture* f = *state;
    GtFilmDef def = small_def();
    GtError error = { 0 };
    GtFilm* film = NULL;
    def.encoder = "no-such-program-as-this";
    GT_EXPECT_ERROR(gt_film_create(&f->context, &def, test_folder_path(&f->folder, "a.mp4"), &film, &error),
                    GT_ERROR_UNSUPPORTED, "apt install ffmpeg");
    assert_null(film);
    assert_int_equal(count_files(f), 0);
}

// Feed an encoder until it fails; the pictures are more than any pipe holds, so writing meets a closed one.
static GtResult feed(Fixture* f, const char* encoder, GtError* error)
{
    GtFilmDef def = small_def();
    GtFilm* film = NULL;
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    def.encoder = encoder;
    GtResult result = gt_film_create(&f->context, &def, test_folder_path(&f->folder, "a.mp4"), &film, error);
    for (int i = 0; i < 1000 && result == GT_OK; ++i) {
        result = gt_film_add(film, rgba, error);
    }
    if (result == GT_OK) {
        result = gt_film_finish(film, error);
    }
    gt_film_destroy(film);
    return result;
}

static const char* put_script(Fixture* f, const char* text)
{
    test_folder_put(&f->folder, "encoder", text, strlen(text));
    const char* path = test_folder_path(&f->folder, "encoder");
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

static void a_failing_encoder_is_an_error(void** state)
{
    Fixture* f = *state;
    GtError error = { 0 };
    signal(SIGPIPE, SIG_DFL); // as in a program that never thought of it
    GT_EXPECT_ERROR(feed(f, "false", &error), GT_ERROR_IO, "ffmpeg failed (exit status 1)");
    GT_EXPECT_ERROR(feed(f, "true", &error), GT_ERROR_IO, "it stopped early");
    const char* encoder = put_script(f, "#!/bin/sh\necho first >&2\necho 'disk of sand' >&2\nexit 7\n");
    GT_EXPECT_ERROR(feed(f, encoder, &error), GT_ERROR_IO, "ffmpeg failed (exit status 7): disk of sand");
    assert_non_null(strstr(error.file, "a.mp4"));
    encoder = put_script(f, "#!/bin/sh\ncat >/dev/null\necho 'no room left' >&2\nexit 3\n"); // fails at the very end
    GT_EXPECT_ERROR(feed(f, encoder, &error), GT_ERROR_IO, "(exit status 3): no room left");
    encoder = put_script(f, "#!/bin/sh\nkill -9 $$\n");
    GT_EXPECT_ERROR(feed(f, encoder, &error), GT_ERROR_IO, "ended by signal 9");
    assert_int_equal(count_files(f), 1); // the script
}

// Words that an encoder says must not stop it: more of them than any pipe holds.
static void a_talkative_encoder_is_heard_out(void** state)
{
    Fixture* f = *state;
    GtError error = { 0 };
    const char* encoder =
        put_script(f, "#!/bin/sh\nyes 'words and more words' | head -n 100000 >&2\ncat >/dev/null\nexit 1\n");
    GT_EXPECT_ERROR(feed(f, encoder, &error), GT_ERROR_IO, "(exit status 1): words and more words");
}

static void giving_up_leaves_nothing(void** state)
{
    Fixture* f = *state;
    GtError error = { 0 };
    GtFilmDef def = small_def();
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    for (int frames = 0; frames < 3; ++frames) {
        GtFilm* film = NULL;
        def.encoder = put_script(f, "#!/bin/sh\nexec sleep 1000\n"); // reads nothing and does not end
        GT_EXPECT_OK(gt_film_create(&f->context, &def, test_folder_path(&f->folder, "a.mp4"), &film, &error));
        for (int i = 0; i < frames; ++i) {
            GT_EXPECT_OK(gt_film_add(film, rgba, &error));
        }
        assert_int_equal(count_files(f), 2); // the script and the film in the making
        gt_film_destroy(film);
        assert_int_equal(count_files(f), 1);
    }
    gt_film_destroy(NULL);
}

static void keeps_what_was_there_until_it_is_done(void** state)
{
    Fixture* f = *state;
    GtError error = { 0 };
    test_folder_put(&f->folder, "a.mp4", "old", 3);
    assert_int_not_equal(feed(f, "false", &error), GT_OK);
    size_t size = 0;
    char* old = (char*)test_folder_get(&f->folder, "a.mp4", &size);
    assert_int_equal(size, 3);
    assert_memory_equal(old, "old", 3);
    free(old);
    need_ffmpeg();
    GtFilmDef def = small_def();
    make_film(f, &def, test_folder_path(&f->folder, "a.mp4"), 3);
    free(test_folder_get(&f->folder, "a.mp4", &size));
    assert_true(size > 500);
}

static void bad_requests_are_refused(void** state)
{
    Fixture* f = *state;
    GtError error = { 0 };
    GtFilm* film = NULL;
    GtFilmDef def = small_def();
    GT_EXPECT_ERROR(gt_film_create(&f->context, &def, "x.avi", &film, &error), GT_ERROR_UNSUPPORTED, ".mp4, .webm");
    GT_EXPECT_ERROR(gt_film_create(&f->context, &def, "no/such/x.mp4", &film, &error), GT_ERROR_IO, "does not exist");
    static const double rates[] = { 0.0, -1.0, NAN, INFINITY, 1e6 };
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
        def.frame_rate_hz = rates[i];
        GT_EXPECT_ERROR(gt_film_create(&f->context, &def, test_folder_path(&f->folder, "x.mp4"), &film, &error),
                        GT_ERROR_BAD_VALUE, "out of range");
    }
    def = small_def();
    def.width = 1;
    GT_EXPECT_ERROR(gt_film_create(&f->context, &def, test_folder_path(&f->folder, "x.mp4"), &film, &error),
                    GT_ERROR_BAD_VALUE, "out of range");
    assert_int_equal(count_files(f), 0);
}

static void survives_lack_of_memory(void** state)
{
    Fixture* f = *state;
    need_ffmpeg();
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtError error = { 0 };
        f->allocator.remaining = allowed;
        result = feed(f, "ffmpeg", &error);
        f->allocator.remaining = -1;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(f->allocator.alive, 0);
        assert_true(allowed < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_format_has_all_pictures, enter, leave),
        cmocka_unit_test_setup_teardown(the_same_film_gives_the_same_bytes, enter, leave),
        cmocka_unit_test_setup_teardown(transparency_is_kept, enter, leave),
        cmocka_unit_test_setup_teardown(odd_sizes_lose_a_row, enter, leave),
        cmocka_unit_test_setup_teardown(memory_does_not_grow, enter, leave),
        cmocka_unit_test_setup_teardown(no_encoder_says_what_to_install, enter, leave),
        cmocka_unit_test_setup_teardown(a_failing_encoder_is_an_error, enter, leave),
        cmocka_unit_test_setup_teardown(a_talkative_encoder_is_heard_out, enter, leave),
        cmocka_unit_test_setup_teardown(giving_up_leaves_nothing, enter, leave),
        cmocka_unit_test_setup_teardown(keeps_what_was_there_until_it_is_done, enter, leave),
        cmocka_unit_test_setup_teardown(bad_requests_are_refused, enter, leave),
        cmocka_unit_test_setup_teardown(survives_lack_of_memory, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
