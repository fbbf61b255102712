// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: films.
///
/// Films, encoded by ffmpeg in a process of its own while the next pictures are drawn. However long a film is, only a
/// few of its pictures are in memory.
///
/// **Threads.** A film is one thread's at a time; several films may be made at once.

#ifndef GERTIE_FILM_H
#define GERTIE_FILM_H

#include "gertie/context.h"
#include "gertie/field.h"

GT_EXTERN_C_BEGIN

/// What Gertie knows about a kind of film.
typedef struct GtFilmFormat {
    const char* name;        ///< as the ending of a file: "mp4"
    const char* description; ///< for people
    bool has_alpha;          ///< keeps transparency
    bool even_size;          ///< leaves out the last row or column of pictures of an odd size
} GtFilmFormat;

/// All kinds; the array ends with an entry whose name is NULL.
GT_API const GtFilmFormat* gt_film_formats(void);

/// The kind that the ending of `path` tells, or NULL.
GT_API const GtFilmFormat* gt_film_format_find(const char* path);

/// What a film is like. Start from gt_default_film_def().
typedef struct GtFilmDef {
    int32_t width, height; ///< of its pictures
    double frame_rate_hz;  ///< 0.1 to 1000
    bool alpha;            ///< keep transparency, where the format can
    const char* encoder;   ///< the program ffmpeg, as a name to be looked for or a path
} GtFilmDef;

GT_API GtFilmDef gt_default_film_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_film_def_fields(void);

/// A film in the making. One thread at a time.
typedef struct GtFilm GtFilm;

/// Start a film; the ending of `path` tells its kind. It is written beside `path` until gt_film_finish().
/// @param out  receives the film, or NULL on failure
/// @return GT_ERROR_UNSUPPORTED where there is no ffmpeg; the error says what to install
GT_API GtResult gt_film_create(const GtContext* context, const GtFilmDef* def, const char* path, GtFilm** out,
                               GtError* error);

/// Add a picture; it is copied. Waits while the encoder is more than a few pictures behind.
/// @param rgba  [height * width * 4] sRGB rows from the top, alpha straight
GT_API GtResult gt_film_add(GtFilm* film, const uint8_t* rgba, GtError* error);

/// Wait for the encoder and put the film in its place. Free the film afterwards, whatever came of it.
GT_API GtResult gt_film_finish(GtFilm* film, GtError* error);

/// Free a film; one that was not finished leaves no trace. `film` may be NULL.
GT_API void gt_film_destroy(GtFilm* film);

GT_EXTERN_C_END

#endif
