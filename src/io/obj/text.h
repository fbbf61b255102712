// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of OBJ text as numbers, before anything is known of the pieces before them.

#ifndef GERTIE_IO_OBJ_TEXT_H
#define GERTIE_IO_OBJ_TEXT_H

#include "gertie/context.h"
#include "io/text/pieces.h"

// A corner's parts. Every corner of a run has the same ones.
enum {
    GTI_OBJ_TEXCOORD = 1,
    GTI_OBJ_NORMAL = 2
};

// Things that are put right, each said once a file with the line of the first.
typedef enum GtiObjFault {
    GTI_OBJ_NOT_FINITE,   // a vertex; faces that use it are left out
    GTI_OBJ_FACE_SHORT,   // a face of fewer than three corners
    GTI_OBJ_UNKNOWN_WORD, // a line that begins with no keyword
    GTI_OBJ_FAULT_COUNT
} GtiObjFault;

// Things that Gertie has no room for, said once a file.
typedef enum GtiObjLeftOut {
    GTI_OBJ_POINTS,
    GTI_OBJ_LINES,
    GTI_OBJ_FREE_FORM, // curves and surfaces
    GTI_OBJ_LEFT_OUT_COUNT
} GtiObjLeftOut;

// A name in a piece's texts; of length GTI_OBJ_INHERITED where the piece before it says.
typedef struct GtiObjName {
    uint32_t offset;
    uint32_t length;
} GtiObjName;

#define GTI_OBJ_INHERITED UINT32_MAX

// What holds for faces until it is said otherwise.
typedef struct GtiObjState {
    GtiObjName object;
    GtiObjName group;
    GtiObjName material;
} GtiObjState;

// Faces that follow each other with the same state and shape.
typedef struct GtiObjRun {
    uint32_t state;
    uint32_t face_count;
    uint32_t corner_count; // of each face
    uint32_t layout;       // GTI_OBJ_TEXCOORD, GTI_OBJ_NORMAL
} GtiObjRun;

// A reference to an element: its number from 0 on, or, counted back from here, negative: see gti_obj_resolve().
// GTI_OBJ_NOWHERE cannot be.
#define GTI_OBJ_RELATIVE ((int64_t)1 << 30)
#define GTI_OBJ_NOWHERE  INT32_MAX

// The element that a reference means, where `base` elements come before the piece.
static inline int64_t gti_obj_resolve(int32_t reference, int64_t base)
{
    return reference >= 0 ? reference : base + reference + GTI_OBJ_RELATIVE;
}

// All that a piece says. The arrays are in one block each of elements and faces, which may be freed apart.
typedef struct GtiObjPiece {
    void* elements;
    float* positions; // [3 * position_count], less the file's origin; NaN where one is not finite
    float* colors;    // [3 * position_count] as written, or NULL
    float* texcoords; // [2 * texcoord_count]
    float* normals;   // [3 * normal_count]
    float* painted;   // [3 * painted_count] colours of #MRGB lines, 0 to 1, in the order of all vertices
    uint32_t position_count, texcoord_count, normal_count, painted_count;
    void* faces;
    int32_t* corners; // position, then texture coordinate and normal where the layout has them
    GtiObjRun* runs;
    GtiObjState* states;
    GtiObjState last; // what holds at the piece's end
    char* names;
    uint32_t run_count, state_count, name_size;
    uint64_t corner_value_count;
    GtiObjName* libraries; // of MTL, in `names`
    uint32_t library_count;
    int64_t line_count;
    int64_t fault_counts[GTI_OBJ_FAULT_COUNT];
    int64_t fault_lines[GTI_OBJ_FAULT_COUNT]; // of the first, in the piece, from 0 on
    int64_t left_out[GTI_OBJ_LEFT_OUT_COUNT];
    float largest_color;
    int64_t error_line; // in the piece, from 0 on; meaningful with an error
    char error[96];     // "" for none
    bool out_of_memory;
} GtiObjPiece;

// What a worker needs besides.
typedef struct GtiObjWorker {
    void* block;
    size_t size;
} GtiObjWorker;

// Parse a piece. `origin` is taken off all positions.
void gti_obj_parse(GtAllocator allocator, const GtiPiece* text, const double origin[3], GtiObjWorker* worker,
                   GtiObjPiece* out);

// The first vertex of a text, for choosing an origin; false where there is none.
bool gti_obj_first_vertex(const char* text, const char* end, double out[3]);

// The line in a piece, from 0 on, of its face number `face`, from 0 on; the first where memory ran out.
int64_t gti_obj_line_of_face(GtAllocator allocator, const GtiPiece* text, int64_t face);

#endif
