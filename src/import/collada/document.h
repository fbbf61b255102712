// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A COLLADA document while it is read: the XML tree, its ids, and what was repaired or left out, each said once.

#ifndef GERTIE_IMPORT_COLLADA_DOCUMENT_H
#define GERTIE_IMPORT_COLLADA_DOCUMENT_H

#include "gertie/file.h"
#include "import/xml.h"
#include "io/intern.h"
#include "io/text/words.h"

// Flaws that are repaired, each with one warning a file.
typedef enum GtiDaeRepair {
    GTI_DAE_NO_TARGET,  // a reference to something that is not there
    GTI_DAE_NOT_FINITE, // a number
    GTI_DAE_COMMA,      // in place of a decimal point
    GTI_DAE_BAD_SOURCE,
    GTI_DAE_BAD_INDEX,
    GTI_DAE_BAD_FACE,
    GTI_DAE_NORMALS,
    GTI_DAE_NO_JOINT,
    GTI_DAE_NO_WEIGHTS, // a vertex that no joint moves
    GTI_DAE_BAD_MORPH,
    GTI_DAE_SHEAR,
    GTI_DAE_KEYS,
    GTI_DAE_LOOP,
    GTI_DAE_UNIT,
    GTI_DAE_IMAGE,
    GTI_DAE_NAME,
    GTI_DAE_REPAIR_COUNT
} GtiDaeRepair;

// What is left out or guessed, each with one note a file.
typedef enum GtiDaeNote {
    GTI_DAE_LINES,
    GTI_DAE_LIGHTS,
    GTI_DAE_SPLINES,
    GTI_DAE_CHANNELS, // animations of what Gertie does not animate
    GTI_DAE_INFLUENCES,
    GTI_DAE_ORDER, // morph and skin in another order
    GTI_DAE_INVISIBLE,
    GTI_DAE_ALPHA_MAP,
    GTI_DAE_NEGATIVE,
    GTI_DAE_OUTSIDE, // references into other files
    GTI_DAE_SETS,
    GTI_DAE_NOTE_COUNT
} GtiDaeNote;

// Numbers of an element, parsed once.
typedef struct GtiDaeArray {
    float* data; // NULL where it has not been parsed
    size_t count;
} GtiDaeArray;

typedef struct GtiDae {
    const GtContext* context;
    const GtLoadDef* def;
    GtError* error;
    const char* path;
    GtArena* arena; // scratch, as long as the document
    GtiXml xml;
    GtiIntern ids;
    int32_t* id_nodes;   // [ids.count] the element of each id
    GtiDaeArray* arrays; // [xml.count] float arrays that were parsed
    void** made; // [xml.count] what was read of an element and is needed again: geometries, skins, morphs, curves
    size_t size; // of the file
    size_t work; // vertices and keys that were made, bounded by the file's size: references can multiply them
    GtScene* scene;
    double metres_per_unit;
    GtUpAxis up_axis;
    GtiWords words; // for its repairs only
    GtiWordsRepaired repaired[GTI_DAE_REPAIR_COUNT];
    bool noted[GTI_DAE_NOTE_COUNT];
} GtiDae;

// Parse the bytes and index the ids; a second element with the same id is not found.
GtResult gti_dae_open(GtiDae* d, const void* bytes, size_t size);

// Fail at an element.
GtResult gti_dae_fail(GtiDae* d, int32_t node, GtResult code, const char* format, ...) GT_PRINTF(4, 5);
GtResult gti_dae_repair(GtiDae* d, GtiDaeRepair kind, int32_t node, const char* format, ...) GT_PRINTF(4, 5);
void gti_dae_note(GtiDae* d, GtiDaeNote kind, const char* format, ...) GT_PRINTF(3, 4);

// Count work before it is done; GT_ERROR_LIMIT where references multiply it beyond what the file's size explains.
GtResult gti_dae_spend(GtiDae* d, int32_t node, size_t work);

// The element of an id, or GT_NONE. `id` may be NULL.
int32_t gti_dae_find_id(const GtiDae* d, const char* id, size_t length);

// The element that the attribute `attribute` of `node` refers to ("#id"), where it is a `kind`; GT_NONE where it is
// absent, with a repair, or in another file, with a note.
GtResult gti_dae_follow(GtiDae* d, int32_t node, const char* attribute, const char* kind, int32_t* out);

// Name of an element for people and for the scene: its name, else its id, else `fallback`.
const char* gti_dae_label(const GtiDae* d, int32_t node, const char* fallback);

// The same in the scene's memory; NULL, with an error, when memory ran out.
const char* gti_dae_push_label(GtiDae* d, int32_t node, const char* fallback);

// The children of `parent` that are elements, one after the other: start with `child` GT_NONE.
int32_t gti_dae_next_child(const GtiDae* d, int32_t parent, int32_t child);

// Numbers of an element's text, in `arena`; floats are parsed once. Those that are not finite are 0.
// @param out  receives [*count]
GtResult gti_dae_floats(GtiDae* d, int32_t node, float** out, size_t* count);
GtResult gti_dae_indices(GtiDae* d, int32_t node, int32_t** out, size_t* count);

// Up to `most` numbers of an element's text; returns how many there were.
int32_t gti_dae_few(const GtiDae* d, int32_t node, int32_t most, double* out);

// The next word of a text between white space; false at its end.
bool gti_dae_word(const char** text, const char* end, GtiWord* out);

#endif
