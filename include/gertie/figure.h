// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: a figure, which is a scene that plays one of its clips, with everything that posing it needs: the
/// humanoid map, the compiled character, the clip and an instance. A job opens a figure once and passes it along, so
/// that nothing is mapped or built twice.
///
/// **Threads.** A figure is one thread's while a call may change it; several threads may pose instances of their own of
/// one figure.

#ifndef GERTIE_FIGURE_H
#define GERTIE_FIGURE_H

#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/map.h"

GT_EXTERN_C_BEGIN

/// How a figure is opened. Start from gt_default_figure_def().
typedef struct GtFigureDef {
    int32_t animation;        ///< clip of the scene to play; GT_NONE (default) for the rest pose
    const GtHumanoidMap* map; ///< known joints, or NULL; the other joints are found
    bool map_is_whole;        ///< `map` lacks only joints that the figure does not have: nothing is searched for
    bool without_map;         ///< the humanoid is not needed: the map stays empty
    bool silent_map;          ///< leave it to the caller to warn of a doubtful map; map_report tells
    bool keep_tpose;          ///< a T-pose that the clip begins with counts as part of the motion, as does all else
                              ///< at its ends that is none
    GtBuildDef build;         ///< how the character is compiled
} GtFigureDef;

GT_API GtFigureDef gt_default_figure_def(void);

/// What poses a figure in place of its clip alone, such as the sections and springs of a deformation.
typedef struct GtFigurePlayer {
    /// Pose an instance of the figure's character, with gt_instance_update(). Called by several threads at once, and
    /// never allocates.
    void (*pose)(const void* user, double time_s, GtInstance* instance);
    void (*destroy)(void* user);
    void* user;
} GtFigurePlayer;

/// Why frames at an end of a clip are not part of its motion.
typedef enum GtCutReason {
    GT_CUT_NONE,
    GT_CUT_TPOSE,     ///< a T-pose that is held, and left at a leap
    GT_CUT_REST_POSE, ///< the rest pose of the file that is held, and left at a leap
    GT_CUT_JUMP,      ///< the hips jump by over half a metre in one frame, or all joints turn as fast as none can
} GtCutReason;

/// Frames at an end of a clip that are not part of its motion.
typedef struct GtMotionCut {
    GtCutReason reason; ///< of the outermost ones
    int32_t frame_count;
} GtMotionCut;

/// A scene that plays a clip. All fields are for reading. Functions that take a `const GtFigure*` may be called by
/// several threads with the same figure; `instance` belongs to whoever opened it.
typedef struct GtFigure {
    const GtScene* scene;
    int32_t animation;             ///< of the scene, or GT_NONE
    GtHumanoidMap map;             ///< nodes of the scene
    const GtMapReport* map_report; ///< of the search for the map, or NULL where nothing was searched for
    GtCharacter* character;
    const GtCharacterDef* def;               ///< of the character
    GtClip* clip;                            ///< or NULL
    GtInstance* instance;                    ///< in the last pose it was given
    int32_t joints[GT_HUMANOID_JOINT_COUNT]; ///< nodes of the character, or GT_NONE
    bool is_humanoid;                        ///< it has hips and both legs
    double start_s, end_s;                   ///< of the motion: without `lead` and `tail`, unless these are kept
    GtMotionCut lead, tail;                  ///< frames that are not part of the motion
    bool starts_in_tpose;                    ///< `lead` begins with a T-pose
    double key_rate_hz;                      ///< of the track with the most keys; 0 for a single key
    GtMat34* reference;     ///< [node_count] model_from_node of the reference pose: the T-pose that the clip begins
                            ///< with, the scene's retarget pose, or the rest pose
    double height_m;        ///< of its joints in the reference pose
    GtFigurePlayer player;  ///< all zeros where the clip alone poses it
    struct GtiShell* shell; ///< private: the surface in the bind pose, once it was asked for
    GtBlob** blobs;         ///< private: [blob_count] of the scene, whose keys the clip plays where they are
    int32_t blob_count;     ///< private
    GtArena arena;          ///< private
    bool keep_tpose;        ///< private: as in the def
    bool is_shared;         ///< private: character, clip and player belong to another figure
} GtFigure;

/// Open a figure: find its humanoid, compile it, and stand it in its reference pose.
/// @param scene  validated; must outlive the figure
/// @param def    NULL for the defaults
/// @param out    close with gt_figure_close(), on failure too
GT_API GtResult gt_figure_open(const GtContext* context, const GtScene* scene, const GtFigureDef* def, GtFigure* out,
                               GtError* error);

/// Release what a figure holds; one that is all zeros, or closed already, holds nothing. `figure` may be NULL.
GT_API void gt_figure_close(GtFigure* figure);

/// Let it play a clip of another scene with the same nodes and meshes, such as a copy that was given a new clip.
/// @param scene  must outlive the figure
GT_API GtResult gt_figure_set_clip(const GtContext* context, GtFigure* figure, const GtScene* scene, int32_t animation,
                                   GtError* error);

/// Pose an instance of the figure's character at a time: reset, clip or player, gt_instance_update(). Never allocates.
GT_API void gt_figure_pose(const GtFigure* figure, double time_s, GtInstance* instance);

GT_EXTERN_C_END

#endif
