// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The built-in person as a model with few numbers, to be fitted to a body: where it stands, how its joints are turned,
// how long and how stout its parts are (the same on both sides), and its flesh. Points of its skin follow the bones
// linearly, so that every number moves them by matrices of the bones.

#ifndef GERTIE_RIG_FIT_MODEL_H
#define GERTIE_RIG_FIT_MODEL_H

#include "gertie/mat34.h"

#include "person/points.h"

enum {
    GTI_MODEL_BONES = 28,
    GTI_MODEL_MAX_PARAMS = 96,
    GTI_MODEL_MAX_TIES = 32,
};

// Sizes, as logarithms of factors. `G` is girth.
typedef enum GtiSize {
    GTI_SIZE_TORSO_LOW,
    GTI_SIZE_TORSO_HIGH,
    GTI_SIZE_HIPS_WIDTH,
    GTI_SIZE_HIPS_DEPTH,
    GTI_SIZE_WAIST_WIDTH,
    GTI_SIZE_WAIST_DEPTH,
    GTI_SIZE_CHEST_WIDTH,
    GTI_SIZE_CHEST_DEPTH,
    GTI_SIZE_SHOULDERS,
    GTI_SIZE_SHOULDER_GIRTH,
    GTI_SIZE_NECK_LENGTH,
    GTI_SIZE_NECK_GIRTH,
    GTI_SIZE_HEAD,
    GTI_SIZE_HEAD_HEIGHT,
    GTI_SIZE_UPPER_ARM,
    GTI_SIZE_UPPER_ARM_GIRTH,
    GTI_SIZE_FOREARM,
    GTI_SIZE_FOREARM_GIRTH,
    GTI_SIZE_HAND,
    GTI_SIZE_HAND_WIDTH,
    GTI_SIZE_HAND_THICKNESS,
    GTI_SIZE_HIP_JOINTS,
    GTI_SIZE_THIGH,
    GTI_SIZE_THIGH_GIRTH,
    GTI_SIZE_SHANK,
    GTI_SIZE_SHANK_GIRTH,
    GTI_SIZE_FOOT_LENGTH,
    GTI_SIZE_FOOT_WIDTH,
    GTI_SIZE_FOOT_HEIGHT,
    GTI_SIZE_COUNT
} GtiSize;

// The first numbers of the model: where the hips are, and the logarithm of a factor on all of it.
enum {
    GTI_PARAM_PLACE,
    GTI_PARAM_SCALE = GTI_PARAM_PLACE + 3,
};

// A number of the model.
typedef struct GtiModelParam {
    float mean, sigma; // what it is likely to be
    float low, high;   // where it must stay
} GtiModelParam;

// Two numbers that are likely to differ as much as their means do.
typedef struct GtiModelTie {
    int32_t a, b;
    float sigma;
} GtiModelTie;

typedef struct GtiPersonModel {
    GtiPersonPoints person; // joints of the points are bones
    GtVec3 joints[GTI_MODEL_BONES];
    int32_t parents[GTI_MODEL_BONES];
    float importance[GTI_MODEL_BONES]; // of their skin
    GtiModelParam params[GTI_MODEL_MAX_PARAMS];
    GtiModelParam likely[GTI_MODEL_MAX_PARAMS]; // params of a person, which others may be put in place of
    int32_t param_count;
    GtiModelTie ties[GTI_MODEL_MAX_TIES];
    int32_t tie_count, size_tie_count; // ties of sizes come first, then those of the sides' turns
    int32_t first_turn, first_size, first_flesh;
    int16_t lists[GTI_MODEL_BONES][GTI_MODEL_MAX_PARAMS]; // that move a bone
    int32_t list_counts[GTI_MODEL_BONES];
} GtiPersonModel;

// The model in a state.
typedef struct GtiModelState {
    float values[GTI_MODEL_MAX_PARAMS];
    GtMat34 body_from_rest[GTI_MODEL_BONES];
    GtVec3 places[GTI_MODEL_BONES]; // of the joints
    GtQuat turns[GTI_MODEL_BONES];
} GtiModelState;

// How the matrices of bones change with the numbers; flesh is none of them.
typedef struct GtiModelSlopes {
    GtMat34 slopes[GTI_MODEL_BONES][GTI_MODEL_MAX_PARAMS];
} GtiModelSlopes;

// false when memory ran out.
bool gti_person_model(float spacing, GtArena* arena, GtiPersonModel* out);

// Go back to the params of a person.
void gti_model_set_likely(GtiPersonModel* model);

// The number that turns a joint, named for the left, about an axis (0 to 2), or GT_NONE. Turns of the right side are
// the mirrored ones.
int32_t gti_model_turn(const GtiPersonModel* model, GtHumanoidJoint joint, int axis);

// The bone that carries a joint.
int32_t gti_model_bone(GtHumanoidJoint joint);

// Whether a bone is `root`, or hangs from it.
bool gti_model_is_of(const GtiPersonModel* model, int32_t root, int32_t bone);

// Matrices from values.
void gti_model_pose(const GtiPersonModel* model, GtiModelState* state);
void gti_model_slopes(const GtiPersonModel* model, const GtiModelState* state, GtiModelSlopes* out);

// A point at rest with its flesh, and where it and its normal are in a state.
GtVec3 gti_model_rest(const GtiPersonModel* model, const GtiModelState* state, int32_t point);
GtVec3 gti_model_place(const GtiModelState* state, const GtiPersonPoint* point, GtVec3 rest);
GtVec3 gti_model_normal(const GtiModelState* state, const GtiPersonPoint* point);

// Where a point fixed to one joint of the person is.
GtVec3 gti_model_carry(const GtiModelState* state, GtHumanoidJoint joint, GtVec3 rest);

#endif
