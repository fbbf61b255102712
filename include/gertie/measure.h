// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: measuring an animation.
///
/// How good an animation is, in numbers: joint directions, feet on the ground, knees, flights, seams, and what happens
/// to the skin around every joint. Nothing here knows how the animation was made: contacts come from a fixed formula.
///
/// Numbers that cannot be measured on what is given are NAN.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_MEASURE_H
#define GERTIE_MEASURE_H

#include "gertie/contact.h"
#include "gertie/field.h"
#include "gertie/ground.h"

GT_EXTERN_C_BEGIN

/// Points this much higher than the lowest of a sole are as low: a foot turns about any of them.
#define GT_CONTACT_FLAT_M 0.0005

/// @name The formula of flights
/// A figure is in the air while heels and balls of both feet are this much above the lowest that they usually are, for
/// at least this long.
/// @{
#define GT_FLIGHT_HEIGHT_M   0.04
#define GT_FLIGHT_PERCENTILE 0.05 ///< of its heights, that is the lowest that a part usually is
#define GT_FLIGHT_TIME_S     0.08
/// @}

/// @name What counts as deep
/// @{
#define GT_SELF_DEEP_M 0.03 ///< of skin in skin
#define GT_SINK_DEEP_M 0.01 ///< of skin below the ground
/// @}

/// What to measure. Start from gt_default_measure_def().
typedef struct GtMeasureDef {
    int32_t animation;               ///< of the scene
    const GtHumanoidMap* map;        ///< or NULL for the scene's own, or one that is found
    const GtScene* source;           ///< the motion it was made from, validated, or NULL
    int32_t source_animation;        ///< of the source
    const GtHumanoidMap* source_map; ///< or NULL, likewise
    const GtGround* ground;          ///< uneven ground under the figure, or NULL for a level floor
    double floor_m;                  ///< height of the floor; NAN for 0, or where the soles are when that is far off
    int32_t mesh_frame_count;        ///< frames, spread evenly, at which the skin is measured; 0 to 100000
} GtMeasureDef;

GT_API GtMeasureDef gt_default_measure_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_measure_def_fields(void);

/// How far a joint points away from the source's.
typedef struct GtDirectionMeasure {
    GtHumanoidJoint joint;
    bool by_turn; ///< hips, head and feet: of the turn away from the T-pose, since their bones point anywhere
    double mean_rad;
    double max_rad;
    double max_time_s;
} GtDirectionMeasure;

/// Where a joint turns farthest in the world from a frame to the next beyond what the source's does: a flip.
typedef struct GtFlipMeasure {
    double extra_turn_rad; ///< 0 where none turns farther than its source
    GtHumanoidJoint joint;
    double time_s; ///< of the later frame
} GtFlipMeasure;

/// Where the hips go farthest from one frame to the next: more than a third of the height is a jump, which is a fault
/// of the motion.
typedef struct GtJumpMeasure {
    double way_m;  ///< 0 of a single frame
    double time_s; ///< of the later frame
} GtJumpMeasure;

/// One foot. Contacts are the source's, where there is one: as gt_contacts_find() finds them, less the moments at their
/// ends in which the foot is already or still on the move.
typedef struct GtFootMeasure {
    int32_t contact_count;
    double contact_s;          ///< time in contact, all together
    double skate_m;            ///< farthest that the point of contact slid within one contact
    double skate_mean_m;       ///< mean of that over the contacts
    double skate_time_s;       ///< when it was farthest
    double slip_mps;           ///< mean speed of the point of contact
    double penetration_m;      ///< deepest that the sole is below the ground
    double penetration_mean_m; ///< mean over all frames
    double penetration_time_s;
    double float_m;      ///< farthest that the sole is above the ground in contact
    double float_mean_m; ///< mean over the frames in contact
    double float_time_s;
} GtFootMeasure;

/// One knee: how its bend changes.
typedef struct GtKneeMeasure {
    double acceleration_radps2; ///< largest
    double acceleration_time_s;
    double acceleration_ratio; ///< to the largest of the source
    double jerk_radps3;        ///< root mean square
    double jerk_ratio;         ///< to that of the source
} GtKneeMeasure;

/// A time in which neither foot is near the ground.
typedef struct GtFlightMeasure {
    double start_s, end_s;
    double miss_m;       ///< farthest of the centre of mass from the best path of free fall
    double gravity_mps2; ///< of the parabola that fits best
} GtFlightMeasure;

/// From the last frame to the first, after the way of the hips (or the topmost joint that moves) over the ground and
/// their turn about the vertical are taken off.
typedef struct GtSeamMeasure {
    double gap_m; ///< largest of all joints
    double mean_gap_m;
    int32_t node;     ///< of the scene, where the gap is largest, or GT_NONE
    double turn_rad;  ///< largest of all joints
    double speed_mps; ///< largest jump of a joint's velocity
} GtSeamMeasure;

/// Parts of the skin, apart from each other at rest, that go into each other.
typedef struct GtSelfMeasure {
    double depth_m; ///< deepest
    double time_s;
    int32_t node, other_node; ///< joints of the scene whose zones meet there, or GT_NONE
    double frame_share;       ///< of the frames looked at that have any
    double clash_m;           ///< deepest without folds: of parts that share no joint, or far from it
    double deep_share;        ///< of the frames looked at in which that is deeper than GT_SELF_DEEP_M
    double vertex_share;      ///< mean share of the vertices
} GtSelfMeasure;

/// One part of a humanoid's body below the ground.
typedef struct GtSinkMeasure {
    GtTouched part; ///< necks count as the head, clavicles as the chest
    double depth_m; ///< deepest that its skin is; 0 where it never is
    double time_s;
    double frame_share; ///< of the frames looked at in which it is deeper than GT_SINK_DEEP_M
} GtSinkMeasure;

/// The skin that one joint moves more than any other does. Ratios are to the bind pose.
typedef struct GtZoneMeasure {
    int32_t node;  ///< of the scene
    int32_t joint; ///< GtHumanoidJoint, or GT_NONE
    int64_t triangle_count;
    double volume_m3;              ///< in the bind pose, with flat lids where it is cut off
    double volume_min, volume_max; ///< ratios
    double volume_time_s;          ///< of the ratio farthest from 1
    double section_m2;             ///< area across the middle of the bone, in the bind pose
    double section_min;            ///< smallest ratio of the areas of loops of skin across the bone
    double section_max;
    double section_time_s; ///< of the smallest
    double axis_m;         ///< mean distance of its vertices to the bone, in the bind pose
    double axis_min, axis_max;
    double stretch_max;    ///< largest singular value that 1 % of the area goes beyond
    double stretch_min;    ///< smallest singular value that 1 % of the area goes below
    int32_t flipped_count; ///< most triangles that are turned inside out at once
    double flipped_time_s;
} GtZoneMeasure;

/// A moment worth looking at.
typedef struct GtWorstFrame {
    double time_s;
    double severity; ///< how bad, in multiples of what an eye forgives
    int32_t node;    ///< of the scene, the joint to look at, or GT_NONE for the whole figure
    GtVec3 place;    ///< where that joint is at the time, in model space
    char what[160];  ///< "the left foot has skated 23 mm"
} GtWorstFrame;

/// Numbers over time.
typedef enum GtMeasureSeries {
    GT_SERIES_DIRECTION, ///< radians, mean over joints
    GT_SERIES_LEFT_SOLE, ///< metres of the lowest point above the ground
    GT_SERIES_RIGHT_SOLE,
    GT_SERIES_LEFT_SLIP, ///< metres a second of the point of contact; 0 outside contacts
    GT_SERIES_RIGHT_SLIP,
    GT_SERIES_LEFT_KNEE, ///< radians a second squared
    GT_SERIES_RIGHT_KNEE,
    GT_SERIES_SOURCE_LEFT_KNEE,
    GT_SERIES_SOURCE_RIGHT_KNEE,
    GT_SERIES_CENTER, ///< metres of the centre of mass above the ground
    GT_SERIES_COUNT
} GtMeasureSeries;

/// Most moments that are listed.
#define GT_WORST_FRAME_COUNT 6

/// Everything that was measured; free with gt_measure_destroy(). Immutable.
typedef struct GtMeasure {
    double start_s, end_s;
    double rate_hz; ///< of the frames; 0 for one frame
    int32_t frame_count;
    bool is_humanoid;
    bool has_source;
    bool source_is_humanoid;
    bool has_mesh;
    double floor_m; ///< NAN where it was not needed

    const GtDirectionMeasure* directions; ///< [direction_count]
    int32_t direction_count;
    double direction_mean_rad;      ///< over all joints and frames
    GtFlipMeasure flip;             ///< its turn is NAN without a source or a second frame
    GtFootMeasure feet[2];          ///< left, right
    GtKneeMeasure knees[2];         ///< left, right
    const GtFlightMeasure* flights; ///< [flight_count]
    int32_t flight_count;
    GtSeamMeasure seam;
    GtJumpMeasure jump; ///< of a humanoid

    int32_t mesh_frame_count; ///< frames at which the skin was measured
    GtSelfMeasure self;
    const GtSinkMeasure* sinks; ///< [sink_count] parts of a humanoid that have skin, head first
    int32_t sink_count;
    const GtZoneMeasure* zones; ///< [zone_count] parents first
    int32_t zone_count;

    GtWorstFrame worst[GT_WORST_FRAME_COUNT]; ///< [worst_count] worst first, of different times
    int32_t worst_count;

    const float* series[GT_SERIES_COUNT]; ///< [frame_count] each, or NULL
    const uint8_t* contacts;              ///< [frame_count] bits, or NULL

    GtArena arena; ///< private
} GtMeasure;

/// Measure a clip of a validated scene. A scene that is no humanoid is measured as far as that goes: skin and seam.
/// @param out  receives the numbers, or NULL on failure; free with gt_measure_destroy()
/// @return GT_ERROR_NOT_FOUND when there is no such clip
GT_API GtResult gt_measure(const GtContext* context, const GtScene* scene, const GtMeasureDef* def, GtMeasure** out,
                           GtError* error);

/// Free what gt_measure() gave; `measure` may be NULL.
GT_API void gt_measure_destroy(GtMeasure* measure);

GT_EXTERN_C_END

#endif
