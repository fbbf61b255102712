// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A viewer in double precision, written from the glTF 2.0 specification and not from our runtime: it samples keys,
// poses nodes, adds morph targets and bends linear skins. Tests measure with it what messages and reports promise.

#ifndef GERTIE_TESTS_SUPPORT_VIEWER_H
#define GERTIE_TESTS_SUPPORT_VIEWER_H

#include "gertie/scene.h"

// Column vectors: the first three rows of a 4x4 matrix.
typedef struct ViewerMatrix {
    double m[3][4];
} ViewerMatrix;

typedef struct Viewer Viewer;

// Read a scene and one of its clips, or GT_NONE. The scene must outlive the viewer. Free with viewer_close().
Viewer* viewer_open(const GtScene* scene, int32_t animation);
void viewer_close(Viewer* viewer);

double viewer_start_s(const Viewer* viewer);
double viewer_end_s(const Viewer* viewer);

// Pose all nodes at a time; clips hold their first and last keys outside their range.
void viewer_pose(Viewer* viewer, double time_s);

// Where a node is in the pose: model_from_node.
const ViewerMatrix* viewer_node(const Viewer* viewer, int32_t node);

// Vertices of all primitives, node by node and primitive by primitive, in the pose.
int32_t viewer_vertex_count(const Viewer* viewer);
const double (*viewer_vertices(Viewer* viewer))[3];

// First vertex of a primitive of the mesh at a node.
int32_t viewer_first_vertex(const Viewer* viewer, int32_t node, int32_t primitive);

// Distance of two places.
double viewer_distance(const double a[3], const double b[3]);

ViewerMatrix viewer_multiply(const ViewerMatrix* a, const ViewerMatrix* b);
ViewerMatrix viewer_inverse(const ViewerMatrix* a);
ViewerMatrix viewer_from_transform(const GtTransform* t);
void viewer_apply(const ViewerMatrix* a, const double point[3], double out[3]);

#endif
