// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: sections, lattices and shapes of a character, and what drives them.
///
/// A character sculpted over its skin: sections (lattices that joints carry), free lattices, blend shapes, and what
/// drives them, in one readable file NAME.deform.json; docs/schemas/deform.schema.json is its schema. A .glb keeps it
/// in the root extension GERTIE_deform, without any data of vertices: what a section takes hold of is found again from
/// the skin's weights whenever a character is made of it.
///
/// Read it (gt_sculpt_load()) or take a preset, make a character (gt_sculpt_character()), and play it with a clip
/// (gt_sculpt_player_create(), gt_sculpt_play()), or live with whatever poses it (gt_sculpt_drivers()); or bake it for
/// viewers that know nothing of it (gt_sculpt_bake()).
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_SCULPT_H
#define GERTIE_SCULPT_H

#include "gertie/build.h"
#include "gertie/curve.h"
#include "gertie/drivers.h"
#include "gertie/field.h"
#include "gertie/figure.h"
#include "gertie/section.h"
#include "gertie/shape_controls.h"
#include "gertie/shapes.h"

GT_EXTERN_C_BEGIN

/// A section, or a lattice that stands free.
typedef struct GtSculptSection {
    GtSectionDef def;          ///< its node is of the scene; GT_NONE where it stands free
    float border[3];           ///< share of the box along each axis over which it fades in from its faces, 0 to 0.5;
                               ///< 0: it does not fade. Of a free one all are def.border
    const char* joint;         ///< as the file names it; NULL where it stands free
    const char* const* with;   ///< [with_count] more joints whose skin it takes hold of, as the file names them
    const int32_t* with_nodes; ///< [with_count] of the scene
    int32_t with_count;
} GtSculptSection;

/// What drives a channel: keys, or a formula. Joints are named by their nodes or by the vocabulary, and
/// `NAME.angle_deg` is `NAME.angle` in degrees.
typedef struct GtSculptTrack {
    const char* channel;
    const char* formula; ///< or NULL where keys drive
    const char* input;   ///< formula that the keys are at the values of, or NULL for the time
    GtCurveDef keys;     ///< of no keys where a formula drives
    GtCurve* curve;      ///< through the keys, or NULL
} GtSculptTrack;

/// Damped springs on the points of a section.
typedef struct GtSculptJiggle {
    int32_t section;
    float frequency_hz;
    float damping; ///< 1 comes to rest without a swing
    float strength;
    float gravity;
    const float* holds; ///< [point_count] how much each point is held by its joint, 0 to 1; or NULL
} GtSculptJiggle;

/// The content of a file, for one scene. Free with gt_sculpt_destroy(). Any thread may read it.
typedef struct GtSculpt {
    GtSculptSection* sections; ///< [section_count]
    int32_t section_count;
    GtSculptTrack* tracks; ///< [track_count]
    int32_t track_count;
    GtShapeControl* controls; ///< [control_count]
    int32_t control_count;
    GtSculptJiggle* jiggles; ///< [jiggle_count]
    int32_t jiggle_count;
    GtMaterialRule* materials; ///< [material_count]
    int32_t material_count;
    const char* shapes; ///< blend shapes, as JSON; or NULL
    const char* file;   ///< that it was read from, or NULL
    GtArena arena;      ///< private
} GtSculpt;

/// Read a file for a scene. What can be put right is, with a warning: `b` outside 0 to 1 is cut, and a pose that folds
/// its lattice is named.
/// @param scene  validated
/// @param out    receives the content, or NULL on failure; free with gt_sculpt_destroy()
/// @return GT_ERROR_BAD_VALUE for what is wrong in the file, by its JSON path; GT_ERROR_NOT_FOUND for a joint that is
///         not there, with names that are near
GT_API GtResult gt_sculpt_load(const GtContext* context, const GtScene* scene, const char* path, GtSculpt** out,
                               GtError* error);

/// Likewise from text, [length] bytes that need not end with a zero.
GT_API GtResult gt_sculpt_parse(const GtContext* context, const GtScene* scene, const char* text, size_t length,
                                GtSculpt** out, GtError* error);

/// Free; `sculpt` may be NULL.
GT_API void gt_sculpt_destroy(GtSculpt* sculpt);

/// Add all that another one has. GT_ERROR_BAD_VALUE where both have a section or a control of one name.
/// @param sculpt  may be left with a part of it on failure
GT_API GtResult gt_sculpt_add(const GtContext* context, GtSculpt* sculpt, const GtSculpt* other, GtError* error);

/// Write it as a file that gt_sculpt_load() reads.
GT_API GtResult gt_sculpt_save(const GtContext* context, const GtSculpt* sculpt, const char* path, GtError* error);

/// Keep it in a scene, in place of what it keeps: a .glb holds it then, and gt_scene_sculpt() finds it.
GT_API GtResult gt_sculpt_keep(const GtContext* context, const GtSculpt* sculpt, GtScene* scene, GtError* error);

/// What a scene keeps; NULL, with GT_OK, where that is nothing.
/// @param out  free with gt_sculpt_destroy()
GT_API GtResult gt_scene_sculpt(const GtContext* context, const GtScene* scene, GtSculpt** out, GtError* error);

/// Give a scene, in place, the blend shapes that the file takes from other files: those that its meshes do not have
/// yet.
/// @param report  added to; may be NULL
GT_API GtResult gt_sculpt_add_shapes(const GtContext* context, const GtSculpt* sculpt, GtScene* scene,
                                     GtShapesReport* report, GtError* error);

/// @name Presets
/// Starting points for any humanoid whose joints are known or found: `muscles`, `breath`, `squash`, `jiggle`.
/// @{

/// Make the sections and tracks of presets.
/// @param names  one or more, with commas between them
/// @return GT_ERROR_NOT_FOUND for a name that is none, or a scene that is no humanoid
GT_API GtResult gt_sculpt_preset(const GtContext* context, const GtScene* scene, const char* names, GtSculpt** out,
                                 GtError* error);
/// @}

/// Controls for the expressions of a face, as gt_face_create() (gertie/shape_controls.h) finds them: `control:happy`,
/// `control:aa`... What they give is added to the clip's weights.
/// @return GT_ERROR_NOT_FOUND for a scene without a face that is known
GT_API GtResult gt_sculpt_face(const GtContext* context, const GtScene* scene, GtSculpt** out, GtError* error);

/// What gt_sculpt_character() did.
typedef struct GtSculptReport {
    int32_t bound_vertices; ///< that some section takes hold of
    int32_t idle_sections;  ///< sections that take hold of none; each is warned of
} GtSculptReport;

/// gt_character_build(), with sections. A section takes hold of a vertex by how much of it hangs on its limb, the sum
/// of its weights of the section's joint, of those it goes with, and of twist and helper joints below these, times how
/// far it is inside the box, fading over the border. Of sections on the same limb the first takes what it holds, the
/// next what that leaves; so masks never sum to more than 1, and neighbours whose boxes overlap at a joint are, at
/// rest, the linear skin.
/// @param def     as for gt_character_build()
/// @param out     receives the character, or NULL on failure; free with gt_character_destroy()
/// @param report  may be NULL
GT_API GtResult gt_sculpt_character(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                                    const GtBuildDef* def, GtCharacter** out, GtSculptReport* report, GtError* error);

/// What drives a sculpted character, for frames that are not known beforehand: gt_drivers_step() (gertie/drivers.h)
/// plays it live, and a pack takes it along (gertie/pack_write.h). Values are the controls of the sculpt in order, then
/// what its shapes need.
/// @param character  of gt_sculpt_character(); must outlive the drivers
/// @param out        receives them, or NULL on failure; free with gt_drivers_destroy()
/// @return GT_ERROR_NOT_FOUND for a channel that is not there; GT_ERROR_BAD_VALUE for a law that does not fit
GT_API GtResult gt_sculpt_drivers(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                                  const GtCharacter* character, GtDrivers** out, GtError* error);

/// Tracks, sensors and springs of a sculpted character, ready to play. What depends on what was before (springs,
/// speeds, contacts) is simulated once, from the start of the clip, so that any moment can be asked for in any order.
/// Immutable; any thread may read it.
typedef struct GtSculptPlayer GtSculptPlayer;

/// What is played. Start from gt_default_sculpt_player_def(). All must outlive the player.
typedef struct GtSculptPlayerDef {
    const GtScene* scene;
    const GtSculpt* sculpt;
    const GtDrivers* drivers;     ///< of a packed character, in place of `sculpt`; then sensors are live: they know
                                  ///< the frames so far alone, as in a game
    const GtCharacter* character; ///< of gt_sculpt_character(), or that of the drivers
    const GtHumanoidMap* map;     ///< whole, of the scene; or NULL to find it
    const GtClip* clip;           ///< or NULL for the rest pose
    int32_t animation;            ///< of the scene, that the clip was made of; GT_NONE without a clip
    double start_s;               ///< when the motion begins, as after a leading T-pose; NaN for the start of the clip
} GtSculptPlayerDef;

GT_API GtSculptPlayerDef gt_default_sculpt_player_def(void);

/// Bind tracks to their channels, and simulate.
/// @param out  receives the player, or NULL on failure; free with gt_sculpt_player_destroy()
/// @return GT_ERROR_NOT_FOUND for a channel that is not there; GT_ERROR_BAD_VALUE for a law that does not fit
GT_API GtResult gt_sculpt_player_create(const GtContext* context, const GtSculptPlayerDef* def, GtSculptPlayer** out,
                                        GtError* error);

/// Free; `player` may be NULL.
GT_API void gt_sculpt_player_destroy(GtSculptPlayer* player);

/// When the motion ends: with the clip, or, without one, with the last key over time.
GT_API double gt_sculpt_player_end_s(const GtSculptPlayer* player);

/// A section whose lattice turns inside out while it is played, where a pose, keys, formulas or springs move its points
/// too far: a surface there shows its inside.
typedef struct GtSculptFold {
    int32_t section;
    double first_s;  ///< when it first does
    double length_s; ///< how long it does, in all
} GtSculptFold;

/// Sections that fold, each once, in order of when. Found at vertices that they hold (up to 128 of each), 60 times a
/// second, or at up to 1,800 moments of longer clips, fewer where lattices are many or huge.
/// @param count  receives how many
/// @return [count], which live as long as the player
GT_API const GtSculptFold* gt_sculpt_player_folds(const GtSculptPlayer* player, int32_t* count);

/// Put an instance of the character where it is at a time: rest, clip, tracks, springs, and gt_instance_update(). Then
/// gt_instance_deform() gives its vertices. What tracks make of sections is cut: b to 0 to 1, weights of poses to 1,000
/// either way, offsets of points to ten times the longest edge of the box along each axis. Never allocates.
GT_API void gt_sculpt_play(const GtSculptPlayer* player, double time_s, GtInstance* instance);

/// Whether tracks change a material of the scene.
GT_API bool gt_sculpt_changes_material(const GtSculptPlayer* player, int32_t material);

/// gt_sculpt_play(), and what materials look like then.
/// @param materials  [material_count of the scene] as gt_material_look() gives them; what tracks drive is changed;
///                   or NULL
GT_API void gt_sculpt_play_looks(const GtSculptPlayer* player, double time_s, GtInstance* instance,
                                 GtMaterialLook* materials);

/// @name Scenes that keep a deformation
/// What is wrong with what a scene keeps is warned of and left out (or refused, where the context is strict), as of
/// every extension: the skin is there without it.
/// @{

/// gt_character_build(), or gt_sculpt_character() where the scene keeps a deformation.
/// @param sculpt     receives what the scene keeps, or NULL where that is nothing; free with gt_sculpt_destroy()
/// @param character  receives the character, or NULL on failure; free with gt_character_destroy()
GT_API GtResult gt_sculpt_build_kept(const GtContext* context, const GtScene* scene, const GtBuildDef* def,
                                     GtSculpt** sculpt, GtCharacter** character, GtError* error);

/// gt_sculpt_drivers() for what gt_sculpt_build_kept() built; `*out` is NULL, with GT_OK, where it is left out.
/// @param out  free with gt_drivers_destroy()
GT_API GtResult gt_sculpt_kept_drivers(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                                       const GtCharacter* character, GtDrivers** out, GtError* error);

/// gt_figure_open(), where the deformation that a scene keeps poses the figure. Sections that fold are warned of. The
/// figure of a packed character is played as by the runtime: with its packed clip, harmonic skin, sections and drivers.
/// Tracks that name joints by the humanoid vocabulary need the map: leave `without_map` off where the scene keeps one.
GT_API GtResult gt_sculpt_figure_open(const GtContext* context, const GtScene* scene, const GtFigureDef* def,
                                      GtFigure* out, GtError* error);

/// What poses a figure of gt_sculpt_figure_open(), for gt_sculpt_play_looks(); NULL where its scene keeps no
/// deformation.
GT_API const GtSculptPlayer* gt_sculpt_figure_player(const GtFigure* figure);
/// @}

/// How a sculpted clip is baked. Start from gt_default_sculpt_bake_def().
typedef struct GtSculptBakeDef {
    int32_t animation;  ///< of the scene; GT_NONE for a new one without a clip, as long as there are keys over time
    double rate_hz;     ///< of the frames, to begin with
    double max_rate_hz; ///< it is doubled, up to this, while some moment between frames is off by more than the
                        ///< tolerance (or, of 0, the default one) and frames are not, and while that helps
    int32_t max_shapes; ///< 0 to GT_HARMONIC_MAX_SHAPES
    double tolerance_m; ///< as few shapes are made as bring the root mean square of distances below this
} GtSculptBakeDef;

GT_API GtSculptBakeDef gt_default_sculpt_bake_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_sculpt_bake_def_fields(void);

/// What gt_sculpt_bake() did, beside what sections have, over all vertices that these hold; over all vertices where
/// lattices stand free, or tracks drive shapes or joints. Errors are those of the result as a viewer plays it, over all
/// frames and three moments between each two.
typedef struct GtSculptBakeReport {
    int32_t frame_count;
    double rate_hz;      ///< of the frames
    int32_t shape_count; ///< of each mesh
    int64_t byte_size;   ///< of the shapes
    double skin_rms_m;   ///< root mean square of distances of the linear skin without shapes, in frames
    double error_rms_m;  ///< and with them
    double error_max_m;  ///< the largest distance
    double error_time_s; ///< when that is
} GtSculptBakeReport;

/// Put a sculpted clip into a copy of a scene as a linear skin and morph shapes, so that every viewer plays it: joints
/// go on as the clip and the tracks have them, and principal shapes are what that leaves. The copy keeps no
/// deformation. Other clips have none of it: bake one after the other.
/// @param out     receives the scene, or NULL on failure; free with gt_scene_destroy()
/// @param report  may be NULL
/// @return GT_ERROR_NOT_FOUND where there is neither a clip nor keys over time; GT_ERROR_LIMIT beyond what shapes may
///         take (gertie/harmonic_clip.h)
GT_API GtResult gt_sculpt_bake(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                               const GtSculptBakeDef* def, GtScene** out, GtSculptBakeReport* report, GtError* error);

GT_EXTERN_C_END

#endif
