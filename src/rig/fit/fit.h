// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The person fitted to points of a body.

#ifndef GERTIE_RIG_FIT_FIT_H
#define GERTIE_RIG_FIT_FIT_H

#include "rig/fit/grid.h"
#include "rig/fit/landmarks.h"
#include "rig/fit/model.h"
#include "rig/fit/target.h"

typedef struct GtiPersonFit {
    GtiPersonModel model;
    GtiFitTarget target;
    GtiPointGrid target_grid, model_grid;
    float crotch; // height that the hips are kept over, or 0
    GtiModelState state;
    GtiModelSlopes slopes;
    GtVec3* rests;         // [points of the model] with flesh
    GtVec3* places;        // likewise, in the state
    GtVec3* normals;       // likewise
    int32_t* model_hints;  // [points of the model] point of the target that was the nearest
    int32_t* target_hints; // [points of the target] likewise
    double* matrix;        // [param_count * param_count] normal equations, their lower half
    double* factor;        // likewise
    double* right;         // [param_count]
} GtiPersonFit;

// How closely points are looked at in a round.
typedef struct GtiFitRound {
    int32_t model_stride; // every n-th point of the model
    int32_t target_count; // first points of the target
    float sigma;          // distance from which on pairs count less
    float slack;          // how far a pair may be apart along the surface: as far as points are
    float prior;          // weight of what is likely, against what is seen
    float damping;        // of steps
    bool hand_ends;       // hands are as long as the body's
} GtiFitRound;

// false when memory ran out.
bool gti_person_fit_create(const GtiRigBody* body, const GtiSolid* solid, GtArena* arena, GtiPersonFit** out);

// One step of Gauss and Newton from the state.
void gti_person_fit_step(GtiPersonFit* fit, const GtiFitRound* round);

// How far the skins are apart, both ways: root mean square of distances in heights, cut off at `most`.
float gti_person_fit_distance(GtiPersonFit* fit, const GtiFitRound* round, float most);

// Shares of the person's skin that lies on the body's, and of the body's that lies on the person's: within `reach`,
// facing the same way.
void gti_person_fit_cover(GtiPersonFit* fit, float reach, float* person, float* body);

// Choose a start and fit.
void gti_person_fit_solve(GtiPersonFit* fit);

// The same from figures of other proportions, such as have the crotch and neck that were measured.
void gti_person_fit_solve_figure(GtiPersonFit* fit, const GtiLandmarks* marks);

#endif
