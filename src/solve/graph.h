// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The pattern of a symmetric matrix as a graph: rows are vertices, entries off the diagonal are edges.

#ifndef GERTIE_SOLVE_GRAPH_H
#define GERTIE_SOLVE_GRAPH_H

#include "solve/sparse.h"

// Every edge is there twice, once at each end.
typedef struct GtiGraph {
    int32_t size;
    int32_t* starts;       // [size + 1]
    int32_t* neighbours;   // [starts[size]]
    int32_t* weights;      // [size] of vertices; NULL where each is 1
    int32_t* prices;       // [size] what each costs in a separator; NULL where each is 1
    int32_t* edge_weights; // [starts[size]]; NULL where each is 1
} GtiGraph;

// The graph of a matrix, neighbours ascending; false when memory ran out.
bool gti_graph_of(const GtiSparse* matrix, GtArena* arena, GtiGraph* out);

// An order of elimination by approximate minimum degree (Amestoy, Davis, Duff 1996): out_order[i] is the vertex that is
// eliminated as the i-th. It does not depend on weights. False when memory ran out.
// sets: [size] vertices of a lower number are eliminated before all of a higher one; NULL for no such rule
bool gti_order_by_degree(const GtiGraph* graph, const int32_t* sets, GtAllocator allocator, int32_t* out_order);

// Split a graph: out_sides[v] becomes 0, 1 or GTI_SEPARATOR, such that no edge joins the sides 0 and 1 and few vertices
// are in the separator. A side may be empty. False when memory ran out.
bool gti_separate(const GtiGraph* graph, GtAllocator allocator, uint8_t* out_sides);
enum {
    GTI_SEPARATOR = 2
};

// An order of elimination by nested dissection (George 1973): the parts that separators leave are eliminated before the
// separators; within the smallest parts and each separator, the order is by degree. False when memory ran out.
bool gti_order_by_dissection(const GtiGraph* graph, GtAllocator allocator, int32_t* out_order);

#endif
