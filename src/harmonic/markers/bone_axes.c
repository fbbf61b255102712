// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Twist is spread along limbs; in a trunk, where limbs of other directions hang on, it is a rotation like any other. Of
// a humanoid arms and legs are limbs, and the neck is of the trunk, between the shoulders; of other figures what does
// not branch any more is a limb.

#include "harmonic/markers/bone_axes.h"

#include <math.h>

static const float one_way = 0.7f;      // cosine up to which a limb goes on straight
static const float straight = 0.99f;    // cosine from which on it does so in full, 8 degrees
static const float bent = 0.906f;       // and up to which it does not turn along, 25 degrees
static const float trunk_volume = 2.0f; // it turns about a line in its back

typedef enum Part {
    PART_TRUNK,
    PART_LIMB,
    PART_END,   // of a limb: hands, feet
    PART_DIGIT, // what hangs on these
} Part;

static Part part_of_joint(int32_t joint)
{
    switch (joint) {
    case GT_HUMANOID_LEFT_UPPER_ARM:
    case GT_HUMANOID_RIGHT_UPPER_ARM:
    case GT_HUMANOID_LEFT_LOWER_ARM:
    case GT_HUMANOID_RIGHT_LOWER_ARM:
    case GT_HUMANOID_LEFT_UPPER_LEG:
    case GT_HUMANOID_RIGHT_UPPER_LEG:
    case GT_HUMANOID_LEFT_LOWER_LEG:
    case GT_HUMANOID_RIGHT_LOWER_LEG:
        return PART_LIMB;
    case GT_HUMANOID_LEFT_HAND:
    case GT_HUMANOID_RIGHT_HAND:
    case GT_HUMANOID_LEFT_FOOT:
    case GT_HUMANOID_RIGHT_FOOT:
        return PART_END;
    case GT_HUMANOID_LEFT_TOES:
    case GT_HUMANOID_RIGHT_TOES:
        return PART_DIGIT;
    default:
        return joint >= (int32_t)GT_HUMANOID_LEFT_THUMB_METACARPAL ? PART_DIGIT : PART_TRUNK;
    }
}

// axes[b].line is the number of limbs that hang on below, for now.
static Part part_of(const GtiBoneTree* bones, const GtiBoneAxis* axes, int32_t b)
{
    if (bones->bones[b].joint != GT_NONE) {
        return part_of_joint(bones->bones[b].joint);
    }
    return axes[b].line > 1 || bones->bones[b].parent == GT_NONE ? PART_TRUNK : PART_LIMB;
}

static void count_tips(const GtiBoneTree* bones, GtiBoneAxis* axes)
{
    for (int32_t b = bones->count - 1; b >= 0; --b) {
        axes[b].line = axes[b].line > 0 ? axes[b].line : 1;
        if (bones->bones[b].parent != GT_NONE) {
            axes[bones->bones[b].parent].line += axes[b].line;
        }
    }
}

static GtVec3 sided(GtVec3 axis, GtVec3 like)
{
    return gt_vec3_dot(axis, like) < 0.0f ? gt_vec3_scale(axis, -1.0f) : axis;
}

static GtiBoneAxis axis_of(const GtiBoneTree* bones, const GtiBoneAxis* axes, int32_t b)
{
    const GtiMarkerBone* bone = &bones->bones[b];
    Part part = part_of(bones, axes, b);
    GtiBoneAxis own = {
        .line = b, .axis = bone->axis, .twists = part == PART_LIMB, .volume = part == PART_TRUNK ? trunk_volume : 1.0f
    };
    if (bone->joint == GT_HUMANOID_HIPS && bone->next != GT_NONE) { // their own may point anywhere
        own.line = bone->next;
        own.axis = bones->bones[bone->next].axis;
    }
    if (bone->parent == GT_NONE) {
        own.twists = false;
        return own;
    }
    const GtiBoneAxis* above = &axes[bone->parent];
    bool is_hand = bone->joint == GT_HUMANOID_LEFT_HAND || bone->joint == GT_HUMANOID_RIGHT_HAND;
    own.axis = sided(bone->axis, above->axis);
    float along = gt_vec3_dot(own.axis, above->axis);
    own.turns = above->twists && along > one_way;
    own.carry = own.turns ? fminf(fmaxf((along - bent) / (straight - bent), 0.0f), 1.0f) : 0.0f;
    if ((part == PART_END || part == PART_DIGIT) && above->twists) { // whatever way it points
        own = (GtiBoneAxis){ .line = above->line,
                             .axis = above->axis,
                             .twists = true,
                             .turns = true,
                             .carry = 1.0f,
                             .volume = is_hand ? 1.0f : 0.0f };
    }
    return own;
}

GtiBoneAxis* gti_bone_axes_find(const GtiBoneTree* bones, GtArena* arena)
{
    GtiBoneAxis* axes = gt_arena_push_array(arena, (size_t)bones->count, sizeof *axes);
    if (!axes) {
        return NULL;
    }
    count_tips(bones, axes);
    for (int32_t b = 0; b < bones->count; ++b) { // parents are first, and have no more need of their count
        axes[b] = axis_of(bones, axes, b);
    }
    for (int32_t b = 0; b < bones->count; ++b) { // digits turn with the end they are of
        axes[b].twists = axes[b].twists && part_of_joint(bones->bones[b].joint) != PART_DIGIT;
    }
    return axes;
}

static float distance_to_bone(const GtiMarkerBone* bone, GtVec3 p)
{
    float along = gt_vec3_dot(gt_vec3_sub(p, bone->from), bone->axis);
    along = fminf(fmaxf(along, 0.0f), bone->length_m);
    return gt_vec3_length(gt_vec3_sub(p, gt_vec3_add(bone->from, gt_vec3_scale(bone->axis, along))));
}

// Of the trunk, what is nearer to the beginning of a limb than to its own bone lies about the limb's line, so that the
// limb's twist ends in one.
static int32_t line_at(const GtiBoneTree* bones, const GtiBoneAxis* axes, int32_t b, GtVec3 p)
{
    int32_t line = axes[b].line;
    float least = axes[b].twists || axes[b].turns ? 0.0f : distance_to_bone(&bones->bones[b], p);
    for (int32_t c = 0; c < bones->count; ++c) {
        float distance = gt_vec3_length(gt_vec3_sub(p, bones->bones[c].from));
        if (axes[c].twists && !axes[c].turns && distance < least) {
            least = distance;
            line = c;
        }
    }
    return line;
}

void gti_bone_axes_mark(const GtiBoneTree* bones, const GtiBoneAxis* axes, int32_t b, GtVec3 place,
                        GtHarmonicMarker* marker)
{
    int32_t line = line_at(bones, axes, b, place);
    marker->axis_point = bones->bones[line].from;
    marker->axis = axes[line].axis;
    marker->volume = axes[b].volume;
}
