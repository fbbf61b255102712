// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The layers of the body: metaballs for bone, muscle, fat and clothes, carried by the joints of a skeleton, whose soft
// union is the skin. After Shen and Thalmann, "Interactive shape design using metaballs and splines" (1995), with one
// difference: fields are blended along the skeleton only, so thighs, fingers, and an arm beside the chest never fuse.
//
// A part is a group of metaballs that blend freely: trunk, head, an arm, a finger. A part blends with the part it grows
// from near the joint where it does, and with no other. Metaballs keep to their joints, so that the same layers can be
// evaluated in any pose.

#ifndef GERTIE_PERSON_LAYERS_H
#define GERTIE_PERSON_LAYERS_H

#include "geometry/field.h"
#include "person/skeleton.h"

// Parts with a side come in pairs, the left one first. Parents come before children.
typedef enum GtiLayerPart {
    GTI_PART_TRUNK,
    GTI_PART_HEAD,
    GTI_PART_HAIR,
    GTI_PART_ARM,
    GTI_PART_HAND = GTI_PART_ARM + 2,
    GTI_PART_THUMB = GTI_PART_HAND + 2,
    GTI_PART_INDEX = GTI_PART_THUMB + 2,
    GTI_PART_MIDDLE = GTI_PART_INDEX + 2,
    GTI_PART_RING = GTI_PART_MIDDLE + 2,
    GTI_PART_LITTLE = GTI_PART_RING + 2,
    GTI_PART_LEG = GTI_PART_LITTLE + 2,
    GTI_PART_FOOT = GTI_PART_LEG + 2,
    GTI_PART_COUNT = GTI_PART_FOOT + 2
} GtiLayerPart;

// What a metaball does to the part as it is so far.
typedef enum GtiLayerOp {
    GTI_LAYER_ADD,   // soft union
    GTI_LAYER_CARVE, // soft difference
    GTI_LAYER_CLIP,  // soft cut: what lies beyond the plane through `a` with normal `axis` goes
} GtiLayerOp;

// An ellipsoid drawn out along an axis from a to b, with elliptical cross-sections that taper. Positions are relative
// to the joint, in metres, along the axes of the T-pose.
typedef struct GtiMetaball {
    GtiLayerPart part;
    GtHumanoidJoint joint;
    GtiLayerOp op;
    GtHumanoidJoint bends; // joint whose bending makes it swell
    float swell;           // how much its radii grow when that joint bends by a right angle
    float blend;           // over which distance it goes over into the others
    GtVec3 a, b;
    GtVec3 axis, across; // unit vectors
    float radii_a[2];    // along `across` and `third`
    float radii_b[2];
    GtVec3 third;  // axis x across
    float length;  // from a to b
    float caps[2]; // beyond a and b
} GtiMetaball;

enum {
    GTI_MAX_METABALLS = 320
};

// Cells of space with the metaballs that matter in each.
typedef struct GtiLayerIndex {
    GtVec3 low;
    float cell;        // size
    int32_t counts[3]; // cells along the axes; 0 for no index
    int32_t* first;    // [cells + 1] into `balls`
    uint16_t* balls;
} GtiLayerIndex;

// Metaballs in a pose, with what makes evaluating them fast.
typedef struct GtiLayers {
    int32_t count;
    GtiMetaball balls[GTI_MAX_METABALLS]; // grouped by part
    GtiMetaball posed[GTI_MAX_METABALLS]; // in model space
    int32_t first[GTI_PART_COUNT + 1];    // of each part
    GtVec3 anchors[GTI_PART_COUNT];       // joint where the part grows from its parent
    float anchor_reaches[GTI_PART_COUNT]; // how far around it they blend
    float anchor_blends[GTI_PART_COUNT];
    GtiLayerIndex index;
} GtiLayers;

// The part that a part grows from, or GT_NONE.
int32_t gti_part_parent(GtiLayerPart part);

// Put the metaballs where the joints are, and prepare for evaluation.
void gti_layers_pose(GtiLayers* layers, const GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT]);

enum {
    GTI_INDEX_CELLS = 96 // for a skin of many thousand triangles
};

// Make evaluation fast; a new pose needs a new index. false when memory ran out.
// @param cells  along the longest side, 1 to GTI_INDEX_CELLS: an index of few is made sooner and serves fewer points
bool gti_layers_index(GtiLayers* layers, int32_t cells, GtArena* arena);

// Value at a point: negative inside, near the skin the distance in metres. With an index, space farther from any
// metaball than a blend reaches is only known to be outside.
float gti_layers_value(const GtiLayers* layers, GtVec3 p);

// The same, with the value of each part by itself.
float gti_layers_parts(const GtiLayers* layers, GtVec3 p, float parts[GTI_PART_COUNT]);

// The layers as a field. They must stay where they are.
GtiField gti_layers_field(const GtiLayers* layers);

#endif
