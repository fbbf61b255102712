// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What gt_harmonic_create() leaves for the frames, and the kernels that go through it.
//
// Two systems share one elimination order and one pattern: the Laplace equation of the quaternions, whose markers are
// rows of the identity, and the Poisson equation of the positions. Each is M D M' by groups of columns ("nodes"). As
// the right side of the first is a sparse matrix times the markers, D^-1 M^-1 of it is made once ("weights"), and what
// is left for a frame is
//
//     spread   q = weights * markers - M' q     nodes downwards, from the root of the elimination tree to its leaves
//     twist    t = (T - 1) o                    vertices, about the axes of their limbs, by angles spread as q is
//     turn     u += (R - 1) g                   triangles, by the mean quaternion of their corners
//     gather   u -= M u                         nodes upwards
//     settle   x = D^-1 u - M' x                nodes downwards
//
// with x the way from the rest pose, so that this one comes out to the last digit.
//
// Rotations alone would make limbs thin, as they carry no shear: where a limb turns, its rings must shift against each
// other. With o the offset of the surface from the limb's axis, an edge from i to j is longer by (R_j - R_i) o. For
// twists this is exact and taken in full: the surface is twisted at rest, g and o with it, and R has none of it. For
// the rest of the rotations it shortens the inside of a bend, by as much as the gradient of R times o says, and is
// limited: of a gradient |R'| |o| = x it takes x / (1 + (x / limit)^2), which never exceeds limit / 2. Per triangle,
// with d_k the differences of its corners' quaternions as its part of the Laplacian weighs them, (R_k - R) o is
// 2 (d_k q*) x R o to the first order.
//
// The tree is cut into pieces, subtrees that touch nothing of each other, and a top above them. A piece has its own
// slots for its vertices, followed by one for each vertex of the top that it touches, its border; so spread, turn and
// gather of a piece are one visit, in cache, and threads never write to one place. Small pieces are for batches, which
// have GTI_BATCH frames side by side in each slot; large ones for a single frame, whose slots have x, y, z, w.

#ifndef GERTIE_RUNTIME_HARMONIC_HARMONIC_H
#define GERTIE_RUNTIME_HARMONIC_HARMONIC_H

#include "gertie/harmonic_frame.h"
#include "gertie/simd.h"

enum {
    GTI_BATCH = GT_HARMONIC_BATCH,
    GTI_PANEL = 4, // columns of a node that kernels take at a time
    GTI_FLOCK = 4, // triangles whose vectors lie side by side
};

// What a triangle's part of the Laplacian is made of: the diagonal at corners 0 and 1, and what is between them, all
// positive; 36 / (area limit^2); the mean offset of its corners from the axis.
enum {
    GTI_CURE_DIAGONAL_0,
    GTI_CURE_DIAGONAL_1,
    GTI_CURE_BETWEEN,
    GTI_CURE_LIMIT,
    GTI_CURE_OFFSET,
    GTI_CURE_SIZE = GTI_CURE_OFFSET + 3,
};

// A group of columns. Of the Poisson equation's D^-1, of its M and of the Laplace equation's M, the columns lie in
// panels of GTI_PANEL, the last one narrower; of each panel, row after row.
typedef struct GtiHarmonicNode {
    int32_t vertex;      // first, in elimination order
    int32_t width;       // columns
    int32_t height;      // rows below
    int32_t panel_index; // of its first panel, over all nodes
    int32_t triangle;    // first of those whose first eliminated corner is of this node; the next node has the end
    int32_t nothing;     // 0, in place of padding: packs hold these bytes
    int64_t row;         // first of its rows
    int64_t panel;       // where its M begins
    int64_t diagonal;    // where its D^-1 begins
} GtiHarmonicNode;

typedef struct GtiHarmonicPiece {
    int32_t node_begin; // in GtiHarmonicCut.nodes
    int32_t node_end;
    int32_t slot;         // first slot
    int32_t vertex_count; // slots of its own
    int32_t border_count; // slots after these
    int32_t border;       // first in GtiHarmonicCut.borders
} GtiHarmonicPiece;

// The tree cut into pieces. The last piece is the top, which has no border. Slots in rows, corners and firsts count
// from the first slot of the piece they are of.
typedef struct GtiHarmonicCut {
    int32_t piece_count;
    int32_t slot_count;
    int32_t border_count;
    int32_t largest_slot_count; // of one piece but the top
    const GtiHarmonicPiece* pieces;
    const int32_t* nodes;         // [node_count] those of the first piece ascending, then of the second...
    const int32_t* firsts;        // [node_count] slot of each node's first column
    const int32_t* rows;          // [row_count] slots; NULL for 0
    const int32_t (*corners)[3];  // [triangle_count] slots
    const int32_t* borders;       // [border_count] slots of the top that border slots stand for
    const int32_t* slots;         // [vertex_count] of the mesh's vertices, from slot 0 of the first piece
    const float (*offsets)[2][4]; // [slot_count] o and axis x o, each with a 0 after it; NULL without axes
} GtiHarmonicCut;

struct GtHarmonic {
    GtAllocator allocator;
    int32_t vertex_count;
    int32_t triangle_count; // with ties, which are triangles of two corners
    int32_t marker_count;
    int32_t node_count;
    int32_t panel_count;
    int32_t widest;       // node
    int32_t weight_count; // of weight_markers and weights
    int32_t hold_count;   // of handle_vertices and handle_weights
    int64_t row_count;
    int64_t panel_size;    // floats of the panels of each equation
    int64_t diagonal_size; // floats
    bool align_signs;
    bool has_axes;
    const GtiHarmonicNode* nodes;         // [node_count + 1]
    const float* spread_panels;           // [panel_size] M of the Laplace equation
    const float* solve_panels;            // [panel_size] M of the Poisson equation
    const float* solve_diagonals;         // [diagonal_size] -D^-1 of it
    const int32_t* weight_starts;         // [panel_count + 1] where the markers that count in each panel begin
    const int32_t* weight_markers;        // [weight_count]
    const float (*weights)[GTI_PANEL];    // likewise, of the panel's columns, and negative
    const float (*vectors)[6][GTI_FLOCK]; // [triangle_count / GTI_FLOCK, rounded up] what corners 0 and 1 add to the
                                          // right side at rest; corner 2 takes away both
    const float (*cures)[GTI_CURE_SIZE][GTI_FLOCK]; // likewise; NULL without axes
    GtiHarmonicCut batch_cut;                       // without pieces where frames are posed one at a time only
    GtiHarmonicCut live_cut;
    const int32_t (*faces)[3]; // [face_count] the mesh's triangles
    int32_t face_count;
    const GtVec3* rest;             // [vertex_count]
    const int32_t* holders;         // [vertex_count], or NULL where frames are posed one at a time only
    int32_t handle_count;           // and after them, in all arrays, the anchor
    const int32_t* handle_starts;   // [handle_count + 2] where each one's vertices begin
    const int32_t* handle_vertices; // [hold_count]
    const float* handle_weights;    // likewise, of sum 1 for each
    const GtVec3* handle_rests;     // [handle_count + 1] where they are at rest
    const double* handle_pulls;     // [handle_count + 1][handle_count + 1] how far a force on one moves another
    const float* vertex_pulls;      // [vertex_count][handle_count + 1] likewise of vertices; NULL without handles
    const int32_t* sign_order;      // [marker_count] markers, each after the one it takes its sign from
    const int32_t* sign_parents;    // [marker_count] that one, or GT_NONE
    const GtVec3* axes;             // [marker_count] unit, or 0; NULL without axes
};

// Work on one piece.
typedef struct GtiHarmonicJob {
    const GtHarmonic* harmonic;
    const GtiHarmonicCut* cut;
    const GtiHarmonicPiece* piece;
    const float* markers; // [marker_count] slots of quaternions and angles
    float* turns;         // the piece's slots of these
    float* points;        // the piece's slots of positions
    float* spare;         // slots of positions, as many as the widest node of the piece has columns
    int32_t group_count;  // groups of lanes that hold frames
} GtiHarmonicJob;

// For batches a turn is a quaternion of 4 * GTI_BATCH floats and the way of a twist of 3 * GTI_BATCH, components one
// after the other, and a position likewise 3 * GTI_BATCH; for one frame quaternion, way and position are 4 floats each.
// Until `twist` has made a way of it, an angle is in the place of the way's x.
typedef struct GtiHarmonicKernels {
    int32_t group_size; // frames of a group of lanes; 0 of kernels of one frame
    int32_t turn_size;
    int32_t point_size;
    void (*spread)(const GtiHarmonicJob* job);
    void (*twist)(const GtiHarmonicJob* job);
    void (*turn)(const GtiHarmonicJob* job);
    void (*gather)(const GtiHarmonicJob* job);
    void (*settle)(const GtiHarmonicJob* job);
} GtiHarmonicKernels;

extern const GtiHarmonicKernels gti_harmonic_batch_scalar;
extern const GtiHarmonicKernels gti_harmonic_batch_avx2;
extern const GtiHarmonicKernels gti_harmonic_batch_avx512;
extern const GtiHarmonicKernels gti_harmonic_live_scalar;
extern const GtiHarmonicKernels gti_harmonic_live_avx2;

#endif
