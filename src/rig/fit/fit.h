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

// Heights beyond which two points do not belong together: distances are cut off there.
#define GTI_FIT_MOST_APART 0.1f

// Heights that a difference of normals counts.
#define GTI_FIT_TURN 0.04f

// Squares of distances between points with normals.
static inline float gti_fit_square_between(GtVec3 p, GtVec3 n, GtVec3 q, GtVec3 m)
{
    GtVec3 d = gt_vec3_sub(q, p);
    return gt_vec3_dot(d, d) + GTI_FIT_TURN * GTI_FIT_TURN * 2.0f * (1.0f - gt_vec3_dot(m, n));
}

// From a point to the nearest in a grid, cut off at `most`.
float gti_fit_square_to(const GtiPointGrid* grid, GtVec3 p, GtVec3 n, float most);

// How far the skins are apart, both ways: root mean square of distances in heights, cut off at `most`.
float gti_person_fit_distance(GtiPersonFit* fit, const GtiFitRound* round, float most);

// Shares of one skin that lie on the other: within some reach, facing the same way.
typedef struct GtiPersonCover {
    float person;     // of the person's skin, on the body's
    float body;       // of the body's skin, on the person's
    float trunk;      // as `person`, of trunk and head
    float least_part; // as `person`, of whichever of trunk, arms and legs is covered the least
} GtiPersonCover;

void gti_person_fit_cover(GtiPersonFit* fit, float reach, GtiPersonCover* out);

// Choose a start and fit.
void gti_person_fit_solve(GtiPersonFit* fit);

// The same from figures of other proportions, such as have the crotch and neck that were measured.
void gti_person_fit_solve_figure(GtiPersonFit* fit, const GtiLandmarks* marks);

// From where the fit is, look for the pose of each limb by itself, and fit again.
void gti_person_fit_repose(GtiPersonFit* fit);

#endif
