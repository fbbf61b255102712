// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Between AnimationStacks and clips: layers, the properties that they animate, and the keys that are taken from them.
// Only the curves of one model are in memory at a time.

#ifndef GERTIE_IO_FBX_ANIMATION_H
#define GERTIE_IO_FBX_ANIMATION_H

#include "io/format.h"

#include "io/fbx/curve.h"
#include "io/fbx/reader.h"

typedef enum GtiFbxPath {
    GTI_FBX_TRANSLATION,
    GTI_FBX_ROTATION,
    GTI_FBX_SCALE,
    GTI_FBX_PERCENT, // of a blend-shape channel
    GTI_FBX_WEIGHT   // of a layer
} GtiFbxPath;

// An AnimationLayer. The first one of a stack sets properties; others are combined with those below them.
typedef struct GtiFbxAnimLayer {
    int32_t object;
    bool is_additive;
    bool is_blended;         // with the layers below, by its weight; else it replaces them
    bool composes_rotations; // as quaternions, not angle by angle
    bool multiplies_scales;
    bool weight_moves;
    double weight; // 0 to 1
    GtiFbxCurve weight_curve;
} GtiFbxAnimLayer;

// What a curve node of a layer animates. Those of a model or channel are linked in the order of layers.
typedef struct GtiFbxBinding {
    int32_t curve_node; // AnimationCurveNode
    int32_t object;     // that is animated
    int32_t layer;
    GtiFbxPath path;
    GtiSlice property; // name of what is animated
    int32_t next;      // binding, or GT_NONE
} GtiFbxBinding;

// One layer's values of a property.
typedef struct GtiFbxDriver {
    GtiFbxAnimLayer* layer;
    bool is_first_layer;
    double constants[3]; // where there is no curve
    GtiFbxCurve curves[3];
} GtiFbxDriver;

// A property of a model or channel over all layers.
typedef struct GtiFbxTrack {
    GtiFbxPath path;
    GtiSlice property; // of GTI_FBX_PERCENT, since an object may have many
    GtiFbxOrder order; // of rotations
    GtiVec rest;
    GtiFbxDriver* drivers; // [driver_count]
    int32_t driver_count;
} GtiFbxTrack;

// How much may still be made of a file, so that work stays in proportion to its size.
typedef struct GtiFbxBudget {
    int64_t source_keys; // to decode
    int64_t keys;        // to write
    int64_t bindings;    // to follow
    int64_t visits;      // of bindings while those of a property are looked for
    int64_t looks;       // at models and their channels, in all stacks, for whether they move
    int32_t flawed_curves;
    bool is_exhausted;
} GtiFbxBudget;

// Read what a layer says of itself; its weight is at rest.
GtiFbxAnimLayer gti_fbx_read_layer(const GtiFbxReader* reader, int32_t object);

// Decode an AnimationCurve, with a warning for the first that has a flaw. It is left empty where the budget does not
// suffice.
GtResult gti_fbx_open_curve(GtiFbxReader* reader, GtiFbxBudget* budget, int32_t object, double ticks_per_s,
                            GtiFbxCurve* out);

// Decode the curves of a curve node into a driver; what has none is at the curve node's own values, else at rest.
GtResult gti_fbx_open_driver(GtiFbxReader* reader, GtiFbxBudget* budget, int32_t curve_node, double ticks_per_s,
                             GtiVec rest, GtiFbxDriver* driver);

// The value of a property; x alone for paths of one number. Angles are in degrees.
GtiVec gti_fbx_track_value(const GtiFbxTrack* track, double time);

// Euler angles in degrees of a rotation, as gti_fbx_rotation() takes them.
GtiVec gti_fbx_angles(GtiQuat rotation, GtiFbxOrder order);

// By how much linear interpolation between samples may differ from the curves.
#define GTI_FBX_ROTATION_TOLERANCE_RAD 3e-4
#define GTI_FBX_TRANSLATION_TOLERANCE  1e-5 // of the distance from the parent
#define GTI_FBX_SHORTEST_TRANSLATION_M 0.05 // that the tolerance is taken of
#define GTI_FBX_SCALE_TOLERANCE        1e-5

enum {
    GTI_FBX_TRANSFORM_WIDTH = 10 // of a row: translation, rotation, scale
};

// A model while it is sampled.
typedef struct GtiFbxMotion {
    const GtiFbxReader* reader;
    const GtiFbxModel* model;
    GtiVec* scales;        // [model_count] at rest; those of outer_models change
    GtiFbxTrack tracks[3]; // translation, rotation, scale
    GtiFbxTrack* outer;    // [outer_count] scales of models above that the model takes over
    int32_t* outer_models;
    int32_t outer_count;
    bool is_plain; // without pivots, scales of parents and further layers
    bool is_wide;  // the processor has registers for four doubles
} GtiFbxMotion;

// Call once the tracks are open, before the following, which are of GtiFbxSource.
void gti_fbx_motion_prepare(GtiFbxMotion* motion);
void gti_fbx_motion_evaluate(void* user, const double* times, int32_t count, float* rows);
bool gti_fbx_motion_is_straight(void* user, double begin, double end, const float* first, const float* last);

// What is sampled: rows of floats over time.
typedef struct GtiFbxSource {
    GtiFbxTrack** tracks; // [track_count] everything that the rows depend on
    int32_t track_count;
    int32_t width;     // of a row
    bool is_transform; // rows are translation, rotation and scale; else they are weights
    void (*evaluate)(void* user, const double* times, int32_t count, float* rows);
    // Whether interpolation between the rows `first` and `last` of two times surely meets what evaluate() would give in
    // between, within the tolerances; may be NULL, and false where it is not known. No key is in between.
    bool (*is_straight)(void* user, double begin, double end, const float* first, const float* last);
    void* user;
} GtiFbxSource;

// Rows at growing times. Release with gti_fbx_samples_release().
typedef struct GtiFbxSamples {
    GtAllocator allocator;
    int64_t* times; // [count] ticks
    float* rows;    // [count * width]
    size_t count, capacity;
    int32_t width;
} GtiFbxSamples;

// Sample at the times of all keys in [begin, end] and at as many in between as linear interpolation needs.
GtResult gti_fbx_sample(GtiFbxReader* reader, GtiFbxBudget* budget, const GtiFbxSource* source, int64_t begin,
                        int64_t end, double ticks_per_s, GtiFbxSamples* out);
void gti_fbx_samples_release(GtiFbxSamples* samples);

// Channels of one clip; their times and values are in the scene already.
typedef struct GtiFbxClip {
    GtiFbxReader* reader;
    double ticks_per_s;
    int64_t begin, end;         // ticks
    struct GtiFbxTimeSet* sets; // [most_channels] distinct lists of times
    int32_t set_count;
    struct GtiFbxChannel* channels; // [most_channels]
    int32_t channel_count;
    int32_t most_channels;
} GtiFbxClip;

// Memory for clips of at most so many channels, in the reader's arena.
GtResult gti_fbx_clip_make(GtiFbxReader* reader, int32_t most_channels, double ticks_per_s, GtiFbxClip* out);

// Start the next clip.
void gti_fbx_clip_start(GtiFbxClip* clip, int64_t begin, int64_t end);

// Add what moves in samples of a transform or of weights. What stays as the scene has it is left out; what stays
// elsewhere takes two keys. The samples' rotations and times are changed.
GtResult gti_fbx_clip_add_transform(GtiFbxClip* clip, const GtiFbxModel* model, GtiFbxSamples* samples);
GtResult gti_fbx_clip_add_weights(GtiFbxClip* clip, const GtiFbxModel* model, GtiFbxSamples* samples);

// Add the clip to the scene. One in which nothing moves holds the rotation of `still_node`, so that it has a length.
GtResult gti_fbx_clip_finish(GtiFbxClip* clip, const char* name, int32_t still_node);

#endif
