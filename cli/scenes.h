// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Scenes in and out, as the verbs share it: "-" for standard input and output, places checked before the work starts,
// clips by name or number.

#ifndef GERTIE_CLI_SCENES_H
#define GERTIE_CLI_SCENES_H

#include "session.h"

#include "gertie/export.h"
#include "gertie/file.h"

// -o and --format of verbs that write one scene; `Struct` has the members `output` and `format`, both const char*.
#define OPTION_OUTPUT_OF(Struct)                                                                                       \
    PATH_OPTION("output", Struct, output, "OUT", "file to write, or - for standard output", .letter = 'o',             \
                .required = true)
#define OPTION_FORMAT_OF(Struct)                                                                                       \
    CHOICE_OPTION("format", Struct, format, stream_format_choices, "format on standard output", .default_text = "glb")
extern const GtChoice stream_format_choices[];

// --clip, --units, --up and --group of a struct that has the members `clip` (const char*) and `load` (GtLoadDef).
#define OPTION_CLIP_OF(Struct, whose)                                                                                  \
    TEXT_OPTION("clip", Struct, clip, "CLIP", "clip of " whose ", by name or by number from 0",                        \
                .default_text = "the first")
#define OPTION_ONLY_CLIP_OF(Struct, what)                                                                              \
    TEXT_OPTION("clip", Struct, clip, "CLIP", "the only clip to " what ", by name or by number from 0",                \
                .default_text = "all")
#define OPTION_UNITS_OF(Struct) FIELD_OPTION("units", Struct, load, metres_per_unit, .value = "UNIT")
#define OPTION_UP_OF(Struct)    FIELD_OPTION("up", Struct, load, up_axis, .value = "AXIS")
#define OPTION_GROUP_OF(Struct) FIELD_OPTION("group", Struct, load, group)

// --animation-only of a struct that has the member `save` (GtSaveDef).
#define OPTION_ANIMATION_ONLY_OF(Struct) FIELD_OPTION("animation-only", Struct, save, animation_only)
#define OPTION_MAP_OF(Struct)                                                                                          \
    PATH_OPTION("map", Struct, map, "MAP.json", "known joints, as 'gertie map' writes them; the others are found",     \
                .endings = "json")

// Read a file, standard input for "-", or a motion of the library where there is no such file.
bool scene_read(Session* session, const char* path, const GtLoadDef* def, GtScene** out);

// How a mesh that is ground is read: in metres and Y up where its format does not say. What is guessed from the size of
// people would be wrong of ground.
GtLoadDef ground_load_def(void);

// Where a scene goes.
typedef struct Output {
    const char* path;   // "standard output" for a stream
    const char* format; // name of a GtFormat or GtFilmFormat, "png" or "frames"
    GtExportKind kind;
    bool is_stream;
} Output;

// Whether `path` names no folder and lies in one that exists; else that has been said.
bool output_place_check(Session* session, const char* path);

// See whether something can be written at `path` before any work is done: a known format, a folder that exists.
// `format` is --format, which only standard output takes, or NULL.
bool output_prepare(Session* session, const char* path, const char* format, Output* out);

// The same for whatever gt_export() writes; the format of frames is "frames".
bool output_prepare_export(Session* session, const char* path, const char* format, Output* out);

// See whether an output can be what --animation-only asks for; else that has been said.
bool output_check_animation_only(Session* session, const Output* output, const GtSaveDef* def);

// Write a clip as anything but a scene, and say what was written.
bool output_export(Session* session, const Output* output, const GtScene* scene, const GtExportDef* def,
                   GtExportReport* did);

// Where a clip was baked from harmonic deformation, put a scene that plays it exactly in place of *scene.
bool scene_unbake(Session* session, int32_t animation, GtScene** scene);

// Write a scene, and warn of what the format has no place for; output_save() leaves that to the caller.
bool output_write(Session* session, const Output* output, const GtScene* scene, const GtSaveDef* def);
bool output_save(Session* session, const Output* output, const GtScene* scene, const GtSaveDef* def);

// Warn of what the format has no place for, as gt_save_losses() does.
int32_t output_losses(Session* session, const Output* output, const GtScene* scene, const GtSaveDef* save,
                      GtSaveLoss* losses);

// Find a clip by its name or else its number, counted from 0; the first where `name` is NULL.
bool clip_find(Session* session, const GtScene* scene, const char* file, const char* name, int32_t* out);

// A clip's name, or "clip 3" where it has none.
const char* clip_name(const GtScene* scene, int32_t clip, char room[32]);

#endif
