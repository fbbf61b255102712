// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: editing motions.
///
/// A motion as even frames, and what an editor does to it: cut, join, cross-fade, loop, resample, fill, filter. Every
/// operator takes a take and gives a new one.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_TAKE_H
#define GERTIE_TAKE_H

#include "gertie/field.h"
#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Frames of all nodes of a scene. Plain data; free with gt_take_destroy().
typedef struct GtTake {
    double rate_hz;         ///< frames a second; 0 where there is only one
    double start_s;         ///< of the first frame, in the clip it is taken from; meaningless after gt_take_speed()
    int32_t frame_count;    ///< 1 or more
    int32_t node_count;     ///< of the scene
    uint8_t* paths;         ///< [node_count] GtBakePath bits of what moves
    GtTransform* poses;     ///< [frame_count * node_count], frame by frame; NaN where a gap is
    int32_t weight_count;   ///< 0 where no morph weights move
    int32_t* first_weights; ///< [node_count] first of the morph weights of each node, or GT_NONE
    float* weights;         ///< [frame_count * weight_count]
    int32_t root;           ///< topmost node whose translation moves, or GT_NONE: it carries the way over the ground
    GtMat34 model_from_root_parent; ///< at rest
    const char* name;               ///< of the clip, or NULL
    GtArena arena;                  ///< private
} GtTake;

/// Which clip becomes a take. Start from gt_default_take_def().
typedef struct GtTakeDef {
    int32_t animation;    ///< of the scene
    double frame_rate_hz; ///< 0 for that of the clip's keys
    bool keep_tpose;      ///< keep frames at its ends that are not part of the motion, such as a T-pose
} GtTakeDef;

GT_API GtTakeDef gt_default_take_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_take_def_fields(void);

/// Most transforms of a take: frames times nodes.
#define GT_TAKE_MAX_TRANSFORMS (1 << 25)

/// Sample a clip of a validated scene at even times.
/// @param out  receives the take, or NULL on failure
GT_API GtResult gt_take_create(const GtContext* context, const GtScene* scene, const GtTakeDef* def, GtTake** out,
                               GtError* error);

/// Free a take; `take` may be NULL.
GT_API void gt_take_destroy(GtTake* take);

/// Time from the first frame to the last.
GT_API double gt_take_duration_s(const GtTake* take);

/// The same motion for a scene with the same joints: same names, same parents, bones of the same length within 1 %.
/// @return GT_ERROR_BAD_VALUE where the skeletons differ; the error names the joint
GT_API GtResult gt_take_adapt(const GtContext* context, const GtTake* take, const GtScene* from, const GtScene* to,
                              GtTake** out, GtError* error);

/// A part of it, ends included. Times count from the first frame; what lies outside is left away.
/// @return GT_ERROR_BAD_VALUE where nothing would be left
GT_API GtResult gt_take_cut(const GtContext* context, const GtTake* take, double from_s, double to_s, GtTake** out,
                            GtError* error);

/// How takes are joined. Start from gt_default_join_def().
typedef struct GtJoinDef {
    double fade_s; ///< that the end of the first and the start of the second overlap
    bool in_place; ///< do not move and turn the second to where the first is
} GtJoinDef;

GT_API GtJoinDef gt_default_join_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_join_def_fields(void);

/// One take after the other, at the rate of the first. The second goes on where the first is, over the ground and in
/// heading. Both must be of the same scene.
GT_API GtResult gt_take_join(const GtContext* context, const GtTake* first, const GtTake* second, const GtJoinDef* def,
                             GtTake** out, GtError* error);

/// How a cycle is found. Start from gt_default_loop_def().
typedef struct GtLoopDef {
    double min_s;  ///< shortest cycle
    double max_s;  ///< longest; INFINITY for any
    double fade_s; ///< time before the end in which it is blended into the start
    bool whole;    ///< take all of it as one cycle
} GtLoopDef;

GT_API GtLoopDef gt_default_loop_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_loop_def_fields(void);

/// What gt_take_loop() found.
typedef struct GtLoopReport {
    double start_s, end_s; ///< of the cycle in the take
    double gap_m;          ///< largest distance of a joint between its ends, before they were blended
    double way_m;          ///< over the ground, in one cycle
} GtLoopReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_loop_report_fields(void);

/// The best cycle: the shortest whose ends are nearly as alike, in pose and velocity, as any. The last frame is the
/// first, up to the way over the ground, which is kept.
/// @param report  may be NULL
/// @return GT_ERROR_NOT_FOUND where it never comes back
GT_API GtResult gt_take_loop(const GtContext* context, const GtTake* take, const GtScene* scene, const GtLoopDef* def,
                             GtTake** out, GtLoopReport* report, GtError* error);

/// Frames at another rate.
GT_API GtResult gt_take_resample(const GtContext* context, const GtTake* take, double rate_hz, GtTake** out,
                                 GtError* error);

/// Played faster (above 1) or slower, at the same rate; from the end to the start where `speed` is negative.
GT_API GtResult gt_take_speed(const GtContext* context, const GtTake* take, double speed, GtTake** out, GtError* error);

/// Close gaps, as lost markers and readers of broken files leave them: frames of a joint that are NaN, that stand still
/// to the bit for three frames or more between frames that move, or that jump to zeros and back. In between, values go
/// smoothly from end to end; at the ends of the take they are held.
/// @param max_gap_s     longer gaps are held instead, and stand still otherwise
/// @param filled_count  receives how many gaps of joints were closed; may be NULL
GT_API GtResult gt_take_fill(const GtContext* context, const GtTake* take, double max_gap_s, GtTake** out,
                             int32_t* filled_count, GtError* error);

/// Take away what moves faster than `cutoff_hz`: a Butterworth low pass of second order, run forwards and backwards, so
/// that nothing is delayed (Winter).
/// @param cutoff_hz  where half the power is left; below half the rate
GT_API GtResult gt_take_filter(const GtContext* context, const GtTake* take, double cutoff_hz, GtTake** out,
                               GtError* error);

/// Append a take to its scene as an animation of linear keys that starts at 0.
/// @param name       or NULL for the take's own
/// @param animation  receives its index; may be NULL
GT_API GtResult gt_take_bake(const GtContext* context, GtScene* scene, const GtTake* take, const char* name,
                             int32_t* animation, GtError* error);

GT_EXTERN_C_END

#endif
