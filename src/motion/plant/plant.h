// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Planting the feet of many frames at once. First it is seen where the frames have legs and soles; then the feet get
// their paths; then the hips are moved so that legs reach them as bent as they were; at last the legs are turned.

#ifndef GERTIE_MOTION_PLANT_PLANT_H
#define GERTIE_MOTION_PLANT_PLANT_H

#include "motion/contact/tread.h"

#include "gertie/ground.h"
#include "gertie/plant.h"

// Frames of a figure's nodes: all of them as a take has them, or only those that get keys.
typedef struct GtiPlantFrames {
    int32_t count;
    const float* times; // [count] seconds, increasing
    GtTransform* poses; // [count * stride]
    int32_t stride;
    const int32_t* columns; // [nodes] where in a frame a node is, or GT_NONE for one that rests
    int32_t before, after;  // frames at the ends that only lead in and out: reports leave them out
    bool is_cycle;          // which are frames of the same cycle again
} GtiPlantFrames;

// One foot in one frame; model space.
typedef struct GtiFootFrame {
    GtVec3 hip, knee, ankle; // as they were
    GtVec3 unplanted_hip;    // as they were before anything was planted, where it is done a second time
    GtVec3 unplanted_ankle;
    GtQuat thigh;    // its rotation, as it was
    GtVec3 toes;     // their joint, against the ankle
    GtQuat turn;     // of the foot since the reference pose
    GtQuat toe_turn; // of the toes since the reference pose
    GtQuat fix;      // what of `turn` is new
    GtQuat toe_fix;  // what of `toe_turn` is new beyond that
    GtVec3 goal;     // of the ankle
    float low;       // of the sole's lowest point against the ankle
    float weight;    // 1 while it stands, less shortly before and after
    bool is_pinned;  // it stays in its place: it stands, or is between two moments in which it does
    bool is_down;    // and its sole is on the ground: there is no doubt that it stands
} GtiFootFrame;

// Of both bones of its leg.
static inline float gti_leg_m(const GtiFootFrame* foot)
{
    return gt_vec3_length(gt_vec3_sub(foot->knee, foot->hip)) + gt_vec3_length(gt_vec3_sub(foot->ankle, foot->knee));
}

typedef struct GtiPlant {
    const GtContext* context;
    GtError* error;
    GtArena* scratch;
    const GtFigure* figure;
    const GtiTread* sole; // thin
    const GtiPlantFrames* frames;
    const uint8_t* contacts;             // [count] bits
    const uint8_t* sure;                 // [count] likewise, without the benefit of the doubt
    const float* levels[GTI_SIDE_COUNT]; // [count] of what is under a foot, above the floor; or NULL for the floor
    float heel_m;           // from heel to ankle over the ground as the motion has it, in this figure's size; or 0
    float floor_m;          // or NAN for gti_plant_find_floor()
    bool is_again;          // the frames have been planted before
    const GtGround* ground; // instead of the floor, which the motion stands on; or NULL
    const int32_t* nodes;   // [node_count] that legs and soles hang on
    int32_t node_count;
    GtiFootFrame* feet[GTI_SIDE_COUNT]; // [count]
    bool has_toes[GTI_SIDE_COUNT];
    GtVec3* points; // [count * point_count] of the soles, against their ankles
    GtVec3* shifts; // [count] of the hips
    float raise_m;  // of all of the figure, before that
    GtPlantReport report;
} GtiPlant;

// See where legs and soles are; everything above `feet` is filled in, but contacts and the floor may come later. The
// frames must hold hips, legs and feet.
GtResult gti_plant_trace(GtiPlant* plant);

// The ground is at 0 unless the soles that stand, or all where none do, are far from it.
GtResult gti_plant_find_floor(GtiPlant* plant);

// Plant the feet of frames that have been traced.
GtResult gti_plant_frames(GtiPlant* plant);

// Move hips and turn legs to where the goals of the feet are.
GtResult gti_plant_reach(GtiPlant* plant);

// The steps of it.
GtResult gti_plant_soles(GtiPlant* plant);
GtResult gti_plant_paths(GtiPlant* plant);
GtResult gti_plant_hips(GtiPlant* plant);
void gti_plant_swings(GtiPlant* plant);
GtResult gti_plant_clear(GtiPlant* plant);
GtResult gti_plant_legs(GtiPlant* plant);

// Whether a frame counts in reports.
static inline bool gti_plant_counts(const GtiPlant* plant, int32_t frame)
{
    return frame >= plant->frames->before && frame < plant->frames->count - plant->frames->after;
}

// Where a foot points, level and unit.
GtVec3 gti_plant_ahead(const GtiPlant* plant, int side, int32_t frame);

// The points of both soles in a frame, and whether one is of a side's.
static inline GtVec3* gti_plant_points(const GtiPlant* plant, int32_t frame)
{
    return plant->points + (size_t)frame * (size_t)plant->sole->point_count;
}

static inline bool gti_plant_is_on(const GtiPlant* plant, int32_t point, int side)
{
    return plant->sole->parts[point] != GT_NONE && plant->sole->parts[point] / 2 == side;
}

// Whether a foot has its place over the ground, or its height.
static inline bool gti_plant_is_held(const GtiFootFrame* foot, bool in_height)
{
    return in_height ? foot->is_down : foot->is_pinned;
}

// One vector's way over the ground or another's height, as `in_height` says, and the rest of the other.
static inline GtVec3 gti_plant_mix(GtVec3 was, GtVec3 now, bool in_height)
{
    return in_height ? gt_vec3(was.x, now.y, was.z) : gt_vec3(now.x, was.y, now.z);
}

// Whether a foot stands. One far from the ground does not, whatever is said.
bool gti_plant_stands(const GtiPlant* plant, int side, int32_t frame);

// On uneven ground: lay feet that stand on its slopes; find a place for a contact near by where a foot can stand; put
// its ankles so high that the sole is on the ground.
void gti_plant_lay_on_slopes(GtiPlant* plant, int side, float* room, GtVec3* tilts);
void gti_plant_find_foothold(GtiPlant* plant, int side, int32_t first, int32_t last);
void gti_plant_raise(GtiPlant* plant, int side, int32_t first, int32_t last);

// How high what a foot is on, or over, is: the floor, or a step that the motion climbs.
static inline float gti_plant_floor(const GtiPlant* plant, int side, int32_t frame)
{
    return plant->floor_m + (plant->levels[side] ? plant->levels[side][frame] : 0.0f);
}

// How high the ground is at a place.
float gti_plant_ground(const GtiPlant* plant, float x, float z);

// How high the ankle has to be, at a place, for the sole to be on the ground and nowhere in it.
float gti_plant_rise(const GtiPlant* plant, int side, int32_t frame, GtVec3 ankle);

// Turn a foot further, and its sole with it; `low` is brought up to date.
void gti_plant_turn(GtiPlant* plant, int side, int32_t frame, GtQuat turn);
void gti_plant_turn_toes(GtiPlant* plant, int side, int32_t frame, GtQuat turn);

// A Gaussian over time; frames need not be even. The ends are held.
void gti_plant_smooth(const GtiPlant* plant, double deviation_s, const GtVec3* from, GtVec3* to);

// What goes no faster than so much a second and is where it was wherever that is slow enough: halfway between following
// it and leading up to it. There is at least one frame.
void gti_plant_slow_down(const GtiPlant* plant, float most_ps, const GtVec3* from, GtVec3* to);

// Time from each frame to the nearest of those that are 0; the others come as INFINITY.
void gti_plant_apart(const GtiPlant* plant, float* out);

// The largest of the numbers of frames within `span_s`, at least 0.
void gti_plant_most_near(const GtiPlant* plant, double span_s, const float* from, float* to);

// Feet that are tilted in runs of frames, each by a rotation vector of its own; in between it goes over from one to the
// next, and beyond the first and the last it is held.
typedef struct GtiTilting {
    bool (*holds)(const GtiPlant* plant, int side, int32_t frame); // whether a frame is of a run
    GtVec3 (*tilt)(const GtiPlant* plant, int side, int32_t first, int32_t last, float* room); // of a run
    void (*turn)(GtiPlant* plant, int side, int32_t frame, GtQuat tilt);
} GtiTilting;

// room:  [count], for `tilt`
// tilts: [2 * count]
void gti_plant_tilt(GtiPlant* plant, int side, const GtiTilting* how, float* room, GtVec3* tilts);

// A smooth 1 to 0 over `span_s` around the frames that any of the bits `mask` is set in.
void gti_plant_near(const GtiPlant* plant, unsigned mask, double span_s, float* out);

// A smooth 0 to 1 over `span_s` from the frames that none of them is set in.
void gti_plant_inside(const GtiPlant* plant, unsigned mask, double span_s, float* out);

#endif
