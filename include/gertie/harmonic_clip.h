// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: clips of harmonic deformation.
///
/// A clip of a rigged character, carried over to its markers: how each marker turns in each frame, and where the body
/// is. From this the surface is posed by harmonic deformation (gertie/harmonic.h), the skin's weights unused, and baked
/// into forms that play elsewhere.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_HARMONIC_CLIP_H
#define GERTIE_HARMONIC_CLIP_H

#include "gertie/contact.h"
#include "gertie/field.h"
#include "gertie/hand_keys.h"
#include "gertie/harmonic.h"
#include "gertie/markers.h"

GT_EXTERN_C_BEGIN

/// Frames of a body; free with gt_harmonic_clip_destroy(). Immutable, so any thread may read it.
typedef struct GtHarmonicClip {
    GtHarmonic* harmonic; ///< the body's surface, in its bind pose, seams welded
    int32_t animation;    ///< of the scene
    int32_t frame_count;
    double start_s; ///< time of the first frame
    double rate_hz; ///< of the frames; 0 for a single one
    int32_t marker_count;
    const GtQuat* rotations;     ///< [frame_count * marker_count] frame by frame, signs ready to be spread
    const float* twists;         ///< [frame_count * marker_count] what of these are twists about the limbs, in radians
    int32_t handle_count;        ///< of `harmonic`: feet, hands, chest and head, as far as a humanoid has them
    const GtHarmonicHold* holds; ///< [frame_count * handle_count] or NULL
    const GtVec3* anchors;       ///< [frame_count]

    /// Vertices of all meshes of the character that gt_character_build() makes of the scene, one mesh after the other.
    int32_t vertex_count;
    const int32_t* points; ///< [vertex_count] vertex of `harmonic` that each is at
    float squeeze;         ///< as in GtHarmonicDef

    /// Of a clip that was restored, the shapes that play it elsewhere: of each mesh of the character `shape_count`,
    /// from first_shapes[mesh] on. NULL otherwise.
    const int32_t* first_shapes;
    int32_t shape_count;
    const GtVec3* posed; ///< private: frames that are known already
    GtArena arena;       ///< private
} GtHarmonicClip;

/// How a clip is carried over. Start from gt_default_harmonic_clip_def().
typedef struct GtHarmonicClipDef {
    double rate_hz;  ///< of the frames; 0 for the clip's own, up to 30
    bool hold_feet;  ///< shift the body and turn the legs so that standing feet are where the skeleton has them
    bool hold_hands; ///< turn the arms so that hands are where the skeleton has them
    const GtContacts* contacts; ///< when they stand, or NULL to find out
    float squeeze;              ///< as in GtHarmonicDef: how far bends keep their volume
    const GtHandKeys* keys;     ///< whose turns of markers are added, or NULL; those of joints are in the clip already
} GtHarmonicClipDef;

GT_API GtHarmonicClipDef gt_default_harmonic_clip_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_harmonic_clip_def_fields(void);

/// What gt_harmonic_clip_create() found.
typedef struct GtHarmonicClipReport {
    GtHarmonicReport surface;
    int32_t marker_count;
    int32_t frame_count;

    int32_t turned_frame_count; ///< frames in which neighbouring joints are more than 160 degrees apart
    double turn_rad;            ///< the largest angle between neighbouring joints; over pi the long way is taken
    int32_t turn_node;          ///< of the scene, where it is, or GT_NONE
    double turn_time_s;

    double residual_rad;     ///< mean over markers of how far the surface under them turns from what they ask
    double residual_max_rad; ///< of the worst marker, on average over the frames that were looked at
    int32_t residual_marker; ///< which one, or GT_NONE
    int32_t odd_count;       ///< markers that the surface turns from by more than 35 degrees: they are misplaced

    double stretch_max; ///< largest singular value that 1 % of the area goes beyond, in the worst frame
    double stretch_min; ///< smallest singular value that 1 % of the area goes below, likewise
    double stretch_time_s;

    /// Farthest that the middle of a foot that stands, the mean of its vertices, is from where the skin has it; single
    /// vertices may be farther off.
    double foot_error_max_m;
    double foot_error_mean_m; ///< over the frames in which it stands
    double foot_time_s;
    double hand_error_max_m; ///< likewise of hands, in all frames
    double hand_error_mean_m;
    double hand_time_s;
    double shift_max_m; ///< farthest that the body was shifted for that

    double prepare_s; ///< that factoring took
    double pose_s;    ///< that posing all frames took
} GtHarmonicClipReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_harmonic_clip_report_fields(void);

/// Carry a clip over. Joints turn as the clip has them, relative to the bind pose; of q and -q, the same rotation, each
/// takes the one nearest to its parent's in the first frame and nearest to its own before in the others.
/// @param figure  with skins, playing the clip
/// @param out     receives the clip, or NULL on failure; free with gt_harmonic_clip_destroy()
/// @param report  may be NULL, which saves the time to measure
/// @return GT_ERROR_BAD_VALUE where the markers are of another mesh; GT_ERROR_NOT_FOUND where the figure plays no clip;
///         what gt_harmonic_create() returns
GT_API GtResult gt_harmonic_clip_create(const GtContext* context, GtFigure* figure, const GtMarkers* markers,
                                        const GtHarmonicClipDef* def, GtHarmonicClip** out,
                                        GtHarmonicClipReport* report, GtError* error);

/// Free; `clip` may be NULL.
GT_API void gt_harmonic_clip_destroy(GtHarmonicClip* clip);

/// Pose some frames, in the order of the character's vertices.
/// @param positions  [count * vertex_count] frame by frame, in model space
GT_API GtResult gt_harmonic_clip_pose(const GtContext* context, const GtHarmonicClip* clip, int32_t first,
                                      int32_t count, GtVec3* positions, GtError* error);

/// Frames of a clip one after the other, for files that hold frames; the memory it takes does not depend on their
/// number. For one thread at a time.
typedef struct GtHarmonicPlayer GtHarmonicPlayer;

/// Prepare to play a clip.
/// @param context  must outlive the player, as `figure` and `clip` must
/// @param figure   of the scene that the clip was made of, playing the clip
/// @param out      receives the player, or NULL on failure; free with gt_harmonic_player_destroy()
GT_API GtResult gt_harmonic_player_create(const GtContext* context, GtFigure* figure, const GtHarmonicClip* clip,
                                          GtHarmonicPlayer** out, GtError* error);

/// Free; `player` may be NULL.
GT_API void gt_harmonic_player_destroy(GtHarmonicPlayer* player);

/// Positions of a frame, as gt_harmonic_clip_pose() has them. Frames in order are fastest.
/// @param out  receives [vertex_count] positions, until the next call
GT_API GtResult gt_harmonic_player_pose(GtHarmonicPlayer* player, int32_t frame, const GtVec3** out, GtError* error);

/// A scene of plain meshes as they are in a frame, with normals that turn as the surface does; as gt_scene_freeze().
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_harmonic_player_freeze(GtHarmonicPlayer* player, int32_t frame, GtScene** out, GtError* error);

/// How a clip is baked.
typedef enum GtHarmonicBake {
    GT_HARMONIC_BAKE_SHAPES, ///< a linear skin whose joints are fitted to the frames, and principal shapes of the rest
    GT_HARMONIC_BAKE_SKIN,   ///< that skin without shapes
    GT_HARMONIC_BAKE_FRAMES, ///< a morph shape for each frame on the skin as it is: exact in the frames, and large
} GtHarmonicBake;

/// Most principal shapes, and most bytes of shapes.
#define GT_HARMONIC_MAX_SHAPES    64
#define GT_HARMONIC_MAX_BAKE_SIZE ((int64_t)1 << 30)

/// How a clip is baked. Start from gt_default_harmonic_bake_def().
typedef struct GtHarmonicBakeDef {
    GtHarmonicBake bake;
    int32_t max_shapes; ///< of GT_HARMONIC_BAKE_SHAPES: principal ones, 0 to GT_HARMONIC_MAX_SHAPES
    /// As few shapes are made as bring the root mean square of distances below this. The default of 0.25 mm takes 5 to
    /// 30 shapes.
    double tolerance_m;
    /// Shapes take at most this many times the bytes of what the scene has without them: meshes, clips, pictures. Where
    /// that is too little for the tolerance, small changes of normals are left out, so that there can be more shapes. 0
    /// for no limit; the default keeps a file at most twice as large as with a skin alone. gt_animate() has no limit
    /// where the surface follows a template.
    double max_growth;
    const GtMarkers* keep; ///< markers of the clip, to be kept in the scene with their motion; or NULL
} GtHarmonicBakeDef;

GT_API GtHarmonicBakeDef gt_default_harmonic_bake_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_harmonic_bake_def_fields(void);

/// What gt_harmonic_clip_bake() did, beside what harmonic deformation has, over all vertices and frames. Between
/// frames, for which harmonic deformation has none of its own, viewers go straight on.
typedef struct GtHarmonicBakeReport {
    int32_t shape_count; ///< of each mesh
    int64_t byte_size;   ///< of the shapes
    double skin_rms_m;   ///< root mean square of distances without shapes; 0 of GT_HARMONIC_BAKE_FRAMES
    double error_rms_m;  ///< and with them
    double error_max_m;  ///< the largest distance; of GT_HARMONIC_BAKE_FRAMES, of what the skin leaves no way to
    double error_time_s; ///< when that is
} GtHarmonicBakeReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_harmonic_bake_report_fields(void);

/// Put the frames into a copy of the scene, so that they play in every viewer that has skins and morphs. The scene's
/// weights and rest pose stay, and so do other clips. In GT_HARMONIC_BAKE_SHAPES joints move and turn as the surface
/// does, so that bones of this clip may get a little longer and shorter.
/// @param figure  of the scene that the clip was made of, playing the clip
/// @param out     receives the scene, or NULL on failure; free with gt_scene_destroy()
/// @param report  may be NULL
/// @return GT_ERROR_LIMIT beyond GT_HARMONIC_MAX_BAKE_SIZE
GT_API GtResult gt_harmonic_clip_bake(const GtContext* context, GtFigure* figure, const GtHarmonicClip* clip,
                                      const GtHarmonicBakeDef* def, GtScene** out, GtHarmonicBakeReport* report,
                                      GtError* error);

/// Restore a clip from what GtHarmonicBakeDef.keep kept in a scene, exactly as it was. Where mesh, joints or keys are
/// no longer those that it was made with, it is not.
/// @param figure   playing the clip
/// @param out      receives the clip, or NULL on failure; free with gt_harmonic_clip_destroy()
/// @param markers  receives the markers, or NULL on failure; free with gt_markers_destroy(). May be NULL
/// @return GT_ERROR_NOT_FOUND where the scene keeps nothing of the clip; GT_ERROR_BAD_VALUE where what it keeps is
///         damaged or of something else
GT_API GtResult gt_harmonic_clip_restore(const GtContext* context, GtFigure* figure, GtHarmonicClip** out,
                                         GtMarkers** markers, GtError* error);

/// Where a clip was baked and its scene keeps the markers, a scene that plays it exactly, with a shape for each frame.
/// Where what is kept does not fit the mesh any more, a warning says so and the clip plays as it was baked.
/// @param animation  of the scene, or GT_NONE
/// @param out        receives the scene, or NULL where the clip is played as it is; free with gt_scene_destroy()
GT_API GtResult gt_harmonic_unbake(const GtContext* context, const GtScene* scene, int32_t animation, GtScene** out,
                                   GtError* error);

/// A copy of a scene without its clips, and without the shapes that gt_harmonic_clip_bake() added for them and
/// GtHarmonicBakeDef.keep remembers.
/// @param out  receives the scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_harmonic_strip(const GtContext* context, const GtScene* scene, GtScene** out, GtError* error);

/// The markers alone, which need no more than the mesh to be the same.
/// @return as gt_harmonic_clip_restore()
GT_API GtResult gt_markers_restore(const GtContext* context, const GtScene* scene, int32_t animation, GtMarkers** out,
                                   GtError* error);

GT_EXTERN_C_END

#endif
