// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The nodes of the scene that is shown, with instances of library nodes in their places, and their transforms as lists
// of operations that animations reach one by one.

#ifndef GERTIE_IMPORT_COLLADA_NODES_H
#define GERTIE_IMPORT_COLLADA_NODES_H

#include "import/collada/document.h"

typedef enum GtiDaeOpKind {
    GTI_DAE_MATRIX,    // 16 numbers, row by row
    GTI_DAE_TRANSLATE, // 3
    GTI_DAE_ROTATE,    // axis, degrees
    GTI_DAE_SCALE,     // 3
    GTI_DAE_LOOKAT,    // eye, target, up
    GTI_DAE_SKEW,      // degrees, rotation axis, translation axis
    GTI_DAE_OP_COUNT
} GtiDaeOpKind;

typedef struct GtiDaeOp {
    GtiDaeOpKind kind;
    const char* sid; // or NULL
    double v[16];
} GtiDaeOp;

typedef struct GtiDaeNode {
    int32_t element;
    int32_t parent; // or GT_NONE
    int32_t first_op;
    int32_t op_count;
    int32_t next_same; // the next node of the same element, where it is instanced more than once, or GT_NONE
    int32_t next_sid;  // the next node with the same sid, or GT_NONE
    int32_t scene_node;
    bool carries_skin_only; // it holds skinned meshes alone, which its transform does not move: at the root, unmoved
} GtiDaeNode;

typedef struct GtiDaeNodes {
    GtiDae* d;
    GtiDaeNode* nodes; // parents first
    int32_t count;
    int32_t capacity;
    GtiDaeOp* ops;
    int32_t op_count;
    int32_t op_capacity;
    int32_t* first_of; // [xml.count] first node of an element, or GT_NONE
    GtiIntern sids;
    int32_t* sid_firsts; // [sids.count]
    int32_t sid_capacity;
} GtiDaeNodes;

// Numbers that an operation of that kind has.
int32_t gti_dae_op_size(GtiDaeOpKind kind);

// Collect the nodes below a <visual_scene>.
GtResult gti_dae_collect_nodes(GtiDaeNodes* nodes, int32_t visual_scene);

// parent_from_node in metres, of a root in a scene with Y up. What is sheared is said.
// @param ops  [node's op_count]
GtResult gti_dae_local(GtiDaeNodes* nodes, int32_t node, const GtiDaeOp* ops, GtTransform* out);

// Whether `node` is `ancestor` or below it.
bool gti_dae_is_below(const GtiDaeNodes* nodes, int32_t node, int32_t ancestor);

#endif
