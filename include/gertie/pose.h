// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: masks, differences and mirror images of poses.
///
/// What is done to poses besides blending them (gertie/blend.h): masks for parts of a body, differences between poses,
/// and mirror images. Poses are plain arrays of GtTransform, parent_from_node.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_POSE_H
#define GERTIE_POSE_H

#include "gertie/character.h"

GT_EXTERN_C_BEGIN

/// Set a mask at a node and all below it, such as an arm from its shoulder on.
/// @param soft_levels  the node itself gets 1 / (soft_levels + 1) of `value` on top of what is there, each level below
///                     it more, and all from `soft_levels` below it on `value`; 0 for a hard edge
/// @param mask         [node_count] changed from the node on down; start it with what the rest of the body has
GT_API void gt_pose_mask_branch(const GtCharacter* character, int32_t node, float value, int32_t soft_levels,
                                float* mask);

/// The difference of two poses, for additive layers: adding it to `base` with weight 1 gives `pose`. Translations are
/// subtracted, scales divided (where the base's is 0 the factor is 1), rotations are the turn from base to pose in the
/// joint's own axes.
/// @param out  [node_count] may be `pose` or `base`
GT_API void gt_pose_difference(int32_t node_count, const GtTransform* pose, const GtTransform* base, GtTransform* out);

/// How a character is mirrored, left to right across the plane x = 0 of its rest pose. Immutable; any thread may read
/// it.
typedef struct GtPoseMirror GtPoseMirror;

/// Find for every node its partner on the other side: the joints of a humanoid by the character's map, where it has
/// one, then by names: `left` and `right` in any case, and `L` and `R` where they stand alone at the start or the end
/// ("hand_L", "l_hand", "Hand.R"). Other nodes below partners are partners in their order. A node in the
/// middle is its own partner; one that the other side lacks has none, GT_NONE.
/// @param partners  [node_count]
/// @return how many nodes have a partner other than themselves
GT_API int32_t gt_pose_find_partners(const GtCharacter* character, int32_t* partners);

/// Prepare mirroring. Joints may have any axes: what is mirrored is how far each is turned from rest, in model space.
/// The rest pose should be symmetric; where it is not, a mirrored rest pose is still the rest pose.
/// @param partners  [node_count] of the node that becomes each one, or GT_NONE for those that stay at rest; NULL for
///                  gt_pose_find_partners(). Partners are each other's, and have parents that are.
/// @param out       receives the mirror, or NULL on failure; free with gt_pose_mirror_destroy()
/// @param error     may be NULL; names the node at fault
GT_API GtResult gt_pose_mirror_create(GtAllocator allocator, const GtCharacter* character, const int32_t* partners,
                                      GtPoseMirror** out, GtError* error);

/// Free a mirror; `mirror` may be NULL.
GT_API void gt_pose_mirror_destroy(GtPoseMirror* mirror);

/// The mirror image of a pose. Never allocates.
/// @param out  [node_count] must not be `pose`
GT_API void gt_pose_mirror(const GtPoseMirror* mirror, const GtTransform* pose, GtTransform* out);

GT_EXTERN_C_END

#endif
