// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A film is a pipe into ffmpeg. A thread of its own converts and writes pictures from a short queue, so that the caller
// can draw while ffmpeg encodes; it takes no signals, and a broken pipe is an error there rather than a death. What
// ffmpeg says goes into an unnamed file, of which the last line is told when it fails. The number of ffmpeg's threads
// is fixed and its own marks are left out, so that the same pictures give the same bytes.

#include "gertie/film.h"

#include "gertie/number.h"

#include "base/fail.h"
#include "data/files.h"
#include "render/film/yuv.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    QUEUE = 3, // pictures between drawing and encoding
    MAX_WORDS = 64,
};

struct GtFilm {
    GtAllocator allocator;
    GtiDraft draft;
    char name[256]; // of the target, for errors
    pid_t encoder;
    int input; // the encoder's, or -1
    int said;  // what the encoder said, or -1
    int32_t width, height;
    size_t frame_size;
    uint8_t* frames[QUEUE];
    uint8_t* yuv; // the frame that is being written, where the encoder takes it so; else NULL
    pthread_t writer;
    bool has_writer;
    // Shared with the writer.
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t added, written; // pictures so far
    bool closing;
    bool broken; // the encoder takes no more
};

// Even sizes for chroma at half size; BT.709 throughout, which is what players assume. Without transparency this is
// done here, at a quarter of the cost.
static const char yuv_filter[] = "crop=trunc(iw/2)*2:trunc(ih/2)*2,"
                                 "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int";
#define BT709 "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"
// A palette for each picture: one for all of them would need them all in memory first.
static const char gif_filter[] = "split[a][b];[a]palettegen=stats_mode=single[p];"
                                 "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=5";
#define VP9                                                                                                            \
    "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1",            \
        "-threads", "4", BT709, "-f", "webm"
#define APNG "-c:v", "apng", "-pred", "mixed", "-plays", "0", "-f", "apng"

// As close to the pictures as preset fast at 18 (within 0.1 dB of SSIM), in two thirds of its time and 1.2 of its size;
// and it needs to see ten pictures ahead, not thirty, before it starts.
// clang-format off
static const char* const mp4_words[] = {
    "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", "15", "-preset", "veryfast", "-threads", "4",
    BT709, "-movflags", "+faststart", "-f", "mp4", NULL
};
static const char* const webm_words[] = { "-pix_fmt", "yuv420p", VP9, NULL };
static const char* const webm_alpha_words[] = {
    "-vf", yuv_filter, "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", VP9, NULL
};
static const char* const gif_words[] = { "-filter_complex", gif_filter, "-loop", "0", "-f", "gif", NULL };
static const char* const apng_words[] = { "-pix_fmt", "rgb24", APNG, NULL };
static const char* const apng_alpha_words[] = { "-pix_fmt", "rgba", APNG, NULL };
// clang-format on

static const GtFilmFormat formats[] = {
    { "mp4", "H.264, plays everywhere", false, true },
    { "webm", "VP9, for the web", true, true },
    { "gif", "256 colours a picture", true, false },
    { "apng", "without loss, for the web", true, false },
    { NULL, NULL, false, false },
};

// What ffmpeg is told of each format, without and with transparency, and whether it is given YUV.
static const struct {
    const char* const* words;
    bool takes_yuv;
} encodings[][2] = {
    { { mp4_words, true }, { mp4_words, true } },
    { { webm_words, true }, { webm_alpha_words, false } },
    { { gif_words, false }, { gif_words, false } },
    { { apng_words, false }, { apng_alpha_words, false } },
};

const GtFilmFormat* gt_film_formats(void)
{
    return formats;
}

const GtFilmFormat* gt_film_format_find(const char* path)
{
    for (const GtFilmFormat* format = formats; format->name; ++format) {
        if (gti_path_has_extension(path, format->name)) {
            return format;
        }
    }
    return NULL;
}

GtFilmDef gt_default_film_def(void)
{
    return (GtFilmDef){ .width = 1280, .height = 720, .frame_rate_hz = 30.0, .encoder = "ffmpeg" };
}

static bool write_all(int file, const uint8_t* bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static void* write_frames(void* user)
{
    GtFilm* film = user;
    pthread_mutex_lock(&film->lock);
    for (;;) {
        while (film->added == film->written && !film->closing) {
            pthread_cond_wait(&film->changed, &film->lock);
        }
        if (film->added == film->written) {
            break;
        }
        const uint8_t* frame = film->frames[film->written % QUEUE];
        pthread_mutex_unlock(&film->lock);
        if (film->yuv) {
            gti_yuv_from_rgba(frame, film->width, film->height, film->yuv);
        }
        bool ok = film->yuv ? write_all(film->input, film->yuv, gti_yuv_size(film->width, film->height))
                            : write_all(film->input, frame, film->frame_size);
        pthread_mutex_lock(&film->lock);
        ++film->written;
        if (!ok) {
            film->broken = true;
            break;
        }
        pthread_cond_signal(&film->changed);
    }
    pthread_cond_signal(&film->changed);
    pthread_mutex_unlock(&film->lock);
    return NULL;
}

// A thread starts with its maker's signal mask: no signal is to be handled there, and none of SIGPIPE at all.
static GtResult start_writer(GtFilm* film, GtError* error)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int problem = pthread_create(&film->writer, NULL, write_frames, film);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    film->has_writer = problem == 0;
    return film->has_writer ? GT_OK
                            : gti_fail(error, GT_ERROR_LIMIT, "no thread could be started: %s", strerror(problem));
}

// In a process group of its own, so that Ctrl-C is ours to answer, and without our ignored or blocked signals.
static int spawn(const char* program, const char* const* words, int input, int nothing, int said, pid_t* out)
{
    sigset_t none, ordinary;
    sigemptyset(&none);
    sigemptyset(&ordinary);
    sigaddset(&ordinary, SIGPIPE);
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int problem = posix_spawnattr_init(&attributes);
    if (problem) {
        return problem;
    }
    problem = posix_spawn_file_actions_init(&actions);
    if (problem) {
        posix_spawnattr_destroy(&attributes);
        return problem;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ordinary);
    problem = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    problem = problem ? problem : posix_spawn_file_actions_adddup2(&actions, nothing, STDOUT_FILENO);
    problem = problem ? problem : posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
    problem = problem ? problem : posix_spawnp(out, program, &actions, &attributes, (char* const*)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return problem;
}

static GtResult fail_spawn(const char* program, int problem, GtError* error)
{
    if (problem == ENOENT) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED,
                        "films need ffmpeg, and '%s' is not here; on Debian: apt install ffmpeg", program);
    }
    return gti_fail(error, GT_ERROR_UNSUPPORTED, "films need ffmpeg, and '%s' does not start: %s", program,
                    strerror(problem));
}

static GtResult start_encoder(GtFilm* film, const GtFilmDef* def, const char* const* words, GtError* error)
{
    int ends[2] = { -1, -1 };
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    film->said = memfd_create("ffmpeg", MFD_CLOEXEC);
    if (nothing < 0 || film->said < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        int problem = errno;
        if (nothing >= 0) {
            close(nothing);
        }
        return gti_fail(error, GT_ERROR_LIMIT, "no pipe to ffmpeg could be opened: %s", strerror(problem));
    }
    film->input = ends[1];
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); // fewer turns between the two; whatever the system allows will do
    int problem = spawn(def->encoder, words, ends[0], nothing, film->said, &film->encoder);
    close(ends[0]);
    close(nothing);
    if (problem) {
        film->encoder = 0;
        return fail_spawn(def->encoder, problem, error);
    }
    return GT_OK;
}

// The whole command line. The draft's name may start with a dash, which "file:" hides.
static GtResult open_encoder(GtFilm* film, const GtFilmDef* def, const char* const* format, GtError* error)
{
    char size[32];
    char rate[GT_NUMBER_SIZE];
    int32_t odd = film->yuv ? 1 : 0;
    snprintf(size, sizeof size, "%dx%d", (int)(def->width & ~odd), (int)(def->height & ~odd));
    gt_print_double(def->frame_rate_hz, rate);
    size_t length = strlen(film->draft.path) + 6;
    char* target = gt_arena_push(&film->draft.arena, length);
    if (!target) {
        return gti_out_of_memory(error);
    }
    snprintf(target, length, "file:%s", film->draft.path);
    const char* const input[] = { def->encoder,
                                  "-hide_banner",
                                  "-nostdin",
                                  "-loglevel",
                                  "error",
                                  "-xerror",
                                  "-y",
                                  "-f",
                                  "rawvideo",
                                  "-pixel_format",
                                  film->yuv    ? "yuv420p"
                                  : def->alpha ? "rgba"
                                               : "rgb0",
                                  "-video_size",
                                  size,
                                  "-framerate",
                                  rate,
                                  "-i",
                                  "pipe:0",
                                  "-map_metadata",
                                  "-1",
                                  "-fflags",
                                  "+bitexact",
                                  "-flags:v",
                                  "+bitexact",
                                  "-sws_flags",
                                  "+bitexact+accurate_rnd" };
    const char* words[MAX_WORDS];
    int count = 0;
    for (size_t i = 0; i < sizeof input / sizeof input[0]; ++i) {
        words[count++] = input[i];
    }
    for (int i = 0; format[i] && count < MAX_WORDS - 2; ++i) {
        words[count++] = format[i];
    }
    words[count++] = target;
    words[count] = NULL;
    return start_encoder(film, def, words, error);
}

static GtResult open_film(GtFilm* film, const GtContext* context, const GtFilmDef* def, const char* path,
                          GtError* error)
{
    const GtFilmFormat* format = gt_film_format_find(path);
    if (!format) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED,
                        "the ending tells no kind of film; give it .mp4, .webm, .gif or .apng");
    }
    for (int i = 0; i < QUEUE; ++i) {
        film->frames[i] = film->allocator.allocate(film->allocator.user, film->frame_size);
        if (!film->frames[i]) {
            return gti_out_of_memory(error);
        }
    }
    bool has_alpha = def->alpha && format->has_alpha;
    if (encodings[format - formats][has_alpha].takes_yuv) {
        film->yuv = film->allocator.allocate(film->allocator.user, gti_yuv_size(film->width, film->height));
        if (!film->yuv) {
            return gti_out_of_memory(error);
        }
    }
    GtResult result = gti_draft_create(context, path, &film->draft, error);
    if (result == GT_OK) {
        result = open_encoder(film, def, encodings[format - formats][has_alpha].words, error);
    }
    return result == GT_OK ? start_writer(film, error) : result;
}

GtResult gt_film_create(const GtContext* context, const GtFilmDef* def, const char* path, GtFilm** out, GtError* error)
{
    def = def ? def : (GtFilmDef[]){ gt_default_film_def() };
    *out = NULL;
    if (def->width < 2 || def->height < 2 || def->width > 16384 || def->height > 16384 ||
        !(def->frame_rate_hz >= 0.1 && def->frame_rate_hz <= 1000.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a film of %d x %d pixels, %g pictures a second, is out of range",
                        (int)def->width, (int)def->height, def->frame_rate_hz);
    }
    GtAllocator allocator = context->allocator;
    GtFilm* film = allocator.allocate(allocator.user, sizeof *film);
    if (!film) {
        return gti_out_of_memory(error);
    }
    *film = (GtFilm){ .allocator = allocator,
                      .draft = { .file = -1 },
                      .input = -1,
                      .said = -1,
                      .width = def->width,
                      .height = def->height };
    film->frame_size = (size_t)def->width * (size_t)def->height * 4;
    size_t length = strlen(path);
    size_t room = sizeof film->name - 1;
    snprintf(film->name, sizeof film->name, "%s", length > room ? path + (length - room) : path);
    pthread_mutex_init(&film->lock, NULL);
    pthread_cond_init(&film->changed, NULL);
    GtResult result = open_film(film, context, def, path, error);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
        gt_film_destroy(film);
        return result;
    }
    *out = film;
    return GT_OK;
}

// The last line that the encoder said, without the newline; empty when it said nothing.
static void last_words(int said, char* out, size_t out_size)
{
    off_t size = lseek(said, 0, SEEK_END);
    off_t start = size > (off_t)out_size - 1 ? size - (off_t)(out_size - 1) : 0;
    ssize_t length = pread(said, out, out_size - 1, start);
    length = length < 0 ? 0 : length;
    while (length > 0 && (out[length - 1] == '\n' || out[length - 1] == '\r' || out[length - 1] == ' ')) {
        --length;
    }
    out[length] = 0;
    char* line = strrchr(out, '\n');
    if (line) {
        memmove(out, line + 1, strlen(line + 1) + 1);
    }
}

static GtResult fail_encoder(GtFilm* film, int status, GtError* error)
{
    char how[64] = "it stopped early";
    char words[300];
    if (WIFSIGNALED(status)) {
        snprintf(how, sizeof how, "ended by signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status)) {
        snprintf(how, sizeof how, "exit status %d", WEXITSTATUS(status));
    }
    last_words(film->said, words, sizeof words);
    return gti_fail(error, GT_ERROR_IO, "ffmpeg failed (%s)%s%s", how, words[0] ? ": " : "", words);
}

// Let the writer and the encoder come to their end.
static GtResult settle(GtFilm* film, GtError* error)
{
    pthread_mutex_lock(&film->lock);
    film->closing = true;
    pthread_cond_signal(&film->changed);
    pthread_mutex_unlock(&film->lock);
    if (film->has_writer) {
        pthread_join(film->writer, NULL);
        film->has_writer = false;
    }
    if (film->input >= 0) {
        close(film->input);
        film->input = -1;
    }
    if (!film->encoder) {
        return gti_fail(error, GT_ERROR_IO, "the film was ended before");
    }
    int status = 0;
    pid_t waited = 0;
    do {
        waited = waitpid(film->encoder, &status, 0);
    } while (waited < 0 && errno == EINTR);
    film->encoder = 0;
    if (waited < 0) {
        return gti_fail(error, GT_ERROR_IO, "what became of ffmpeg could not be learnt: %s", strerror(errno));
    }
    return status != 0 || film->broken ? fail_encoder(film, status, error) : GT_OK;
}

GtResult gt_film_add(GtFilm* film, const uint8_t* rgba, GtError* error)
{
    pthread_mutex_lock(&film->lock);
    while (film->added - film->written == QUEUE && !film->broken) {
        pthread_cond_wait(&film->changed, &film->lock);
    }
    bool broken = film->broken || film->closing;
    pthread_mutex_unlock(&film->lock);
    if (broken) {
        GtResult result = settle(film, error);
        gti_error_set_file(error, film->name);
        return result;
    }
    memcpy(film->frames[film->added % QUEUE], rgba, film->frame_size);
    pthread_mutex_lock(&film->lock);
    ++film->added;
    pthread_cond_signal(&film->changed);
    pthread_mutex_unlock(&film->lock);
    return GT_OK;
}

GtResult gt_film_finish(GtFilm* film, GtError* error)
{
    GtResult result = settle(film, error);
    if (result == GT_OK) {
        result = gti_draft_finish(&film->draft, error);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, film->name);
    }
    return result;
}

void gt_film_destroy(GtFilm* film)
{
    if (!film) {
        return;
    }
    if (film->encoder) {
        kill(film->encoder, SIGKILL);
    }
    settle(film, NULL);
    if (film->said >= 0) {
        close(film->said);
    }
    gti_draft_discard(&film->draft);
    pthread_cond_destroy(&film->changed);
    pthread_mutex_destroy(&film->lock);
    for (int i = 0; i < QUEUE; ++i) {
        film->allocator.release(film->allocator.user, film->frames[i]);
    }
    film->allocator.release(film->allocator.user, film->yuv);
    film->allocator.release(film->allocator.user, film);
}
