// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which faces of an OBJ go together: those of one object and group become a mesh, and of it those with one material and
// one kind of corner a part.

#ifndef GERTIE_IO_OBJ_PARTS_H
#define GERTIE_IO_OBJ_PARTS_H

#include "io/intern.h"
#include "io/obj/text.h"

// An object and a group of it, by numbers of their names.
typedef struct GtiObjMesh {
    int32_t object;
    int32_t group;
} GtiObjMesh;

// A run and where it is.
typedef struct GtiObjRunPlace {
    int32_t part;
    int32_t piece;
    uint32_t run;
    uint64_t corner;    // where its corners start in the piece
    int64_t first_face; // in the piece
} GtiObjRunPlace;

typedef struct GtiObjPart {
    int32_t mesh;
    int32_t material; // number of its name
    uint32_t layout;
    uint64_t first_run; // in GtiObjParts.runs, which is ordered by parts
    uint64_t run_count;
    uint64_t triangle_count;
} GtiObjPart;

typedef struct GtiObjParts {
    GtArena* arena;
    GtiIntern names;
    GtiIntern mesh_keys; // of GtiObjMesh
    GtiObjMesh* meshes;
    int32_t mesh_count;
    GtiObjPart* parts; // ordered by meshes
    int32_t part_count;
    GtiObjRunPlace* runs;
    uint64_t run_count;
    uint64_t triangle_count;
    unsigned missing; // GTI_OBJ_TEXCOORD, GTI_OBJ_NORMAL: corners name some, but the file has none
    bool group_found;
} GtiObjParts;

// Sort the faces of all pieces. `group`, where it is not NULL, is the only one to be kept: a name of an object, or one
// of the names of a group. `present` has GTI_OBJ_TEXCOORD and GTI_OBJ_NORMAL where the file has any of these.
// @return false when memory ran out
bool gti_obj_find_parts(const GtiObjPiece* pieces, int32_t piece_count, const char* group, unsigned present,
                        GtArena* arena, GtiObjParts* out);

#endif
