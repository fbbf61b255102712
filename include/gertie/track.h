// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: tracks: laws that drive channels.
///
/// Any state variable, driven by any law. A track binds a curve (gertie/curve.h), a formula (gertie/formula.h) or a
/// function of the caller's to a channel; a set of them writes all its channels at a time, in one call.
///
/// Channels are named as everywhere (gertie/channel.h), by the names that the character's nodes have, or where none has
/// that name by those of humanoid joints (gertie/humanoid.h) that the character knows: `leftUpperArm.turn.x`:
/// - `NODE.translation`, `NODE.scale`: 3 components, or one: `NODE.translation.y`
/// - `NODE.rotation`: a quaternion, as a whole
/// - `NODE.turn`: how far the node is turned from rest about its own axes, as axis times angle in radians; 3 components
///   or one: `pendulum.turn.z` is an angle about z
/// - `morph:NAME`, `morph:WHERE/NAME`: a morph weight, in all meshes that have it or in one. WHERE is the name of a
/// node
///   that shows the mesh, or else of the mesh; or `#12`, a node by its number in the scene. There `#3` is a target by
///   its number, too, for those without a name or with one that others have
/// - `section:NAME.b`: how much of a section is felt (gertie/section.h), 0 to 1
/// - `lattice:NAME.POSE`: the weight of a pose of a section's lattice
/// - `lattice:NAME.point[i,j,k]`: how far a control point is off its place; 3 components or one: `.x`, `.y`, `.z`
/// - a value of the caller's own, by whatever name: `camera.fov`, `control:smile`, `blend:walk`
///
/// One more can be read by formulas, and not written: `NODE.angle`, by how much the node is turned from rest about
/// whatever axis, 0 to pi, and `NODE.angle_deg`, the same in degrees.
///
/// What the caller names comes first. A node whose name begins like a domain is `node:NAME.translation`.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_TRACK_H
#define GERTIE_TRACK_H

#include "gertie/character.h"
#include "gertie/curve.h"

GT_EXTERN_C_BEGIN

/// All that tracks read and write, in arrays of the caller's; those of an instance fit (gertie/instance.h).
typedef struct GtState {
    GtTransform* pose;     ///< [node_count] of the character
    float* weights;        ///< [weight_count] of the character
    float* values;         ///< [value_count] of the set
    float* section_values; ///< [gt_section_value_count()] of the character
} GtState;

/// A law in the caller's own code. It may read the state, and must not write to it.
/// @param out  [component_count] of the channel; what is not finite leaves the channel as it is
typedef void (*GtTrackFunction)(void* user, double time_s, const GtState* state, float* out);

/// A channel and its law: exactly one of curve, formula and function.
typedef struct GtTrackBinding {
    const char* channel;
    const GtCurve* curve; ///< not copied: it must outlive the set; of a rotation for `NODE.rotation`
    const char* formula;  ///< may name `t` and any channels of one component; copied
    GtTrackFunction function;
    void* user;
    const char* input; ///< with a curve: a formula for where on it to be, instead of the time; copied. NULL for the
                       ///< time. `leftLowerArm.angle` makes keys at times keys at angles.
} GtTrackBinding;

/// What a set drives. Start from gt_default_track_set_def().
typedef struct GtTrackSetDef {
    const GtCharacter* character;   ///< or NULL where only values are driven; must outlive the set
    const char* const* value_names; ///< [value_count] the caller's own channels
    int32_t value_count;
    const GtTrackBinding* tracks; ///< [track_count]
    int32_t track_count;
} GtTrackSetDef;

GT_API GtTrackSetDef gt_default_track_set_def(void);

/// Tracks ready to run. Immutable; any thread may read it.
typedef struct GtTrackSet GtTrackSet;

/// Bind tracks to their channels. GT_ERROR_NOT_FOUND for a channel that is not there; GT_ERROR_BAD_VALUE for a law that
/// does not fit its channel: as many components as it has, though a single number may drive all of `NODE.scale`.
/// @param out    receives the set, or NULL on failure; free with gt_track_set_destroy()
/// @param error  may be NULL; names the track at fault
GT_API GtResult gt_track_set_create(GtAllocator allocator, const GtTrackSetDef* def, GtTrackSet** out, GtError* error);

/// Free a set; `set` may be NULL.
GT_API void gt_track_set_destroy(GtTrackSet* set);

/// Write every channel of the set at a time. Tracks run in their order: a formula sees what those before it have
/// written. Never allocates. A value that is not finite, and a rotation without a direction, leave their channel as it
/// is. Arrays that no track uses may be NULL.
GT_API void gt_track_set_apply(const GtTrackSet* set, double time_s, GtState state);

GT_EXTERN_C_END

#endif
