// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet and hands are so stiff that any skin has them where the skeleton does, and that is where planting and touching
// put them. Rotations spread over the surface give limbs that are a little shorter or longer than the bones, and that
// hang on to the trunk a little beside its joints. The body is shifted by some of what the standing feet miss, each by
// how surely it stands; in the air by what both miss, so that there is no jump when one lands. The rest is taken by the
// limbs: of all small turns of their two bones that move the end by it, the smallest (damped least squares, since a
// straight limb cannot get longer).

#include "harmonic/clip/limbs.h"

#include "base/direction.h"
#include "base/matrix3.h"
#include "base/scalar.h"

#include <math.h>

static const double fade_s = 0.12;        // in which a foot comes to count, before it stands and after
static const double damping = 0.03;       // of the limb's length, squared
static const float most_turn_rad = 0.1f;  // of a bone at a time
static const float straight = 0.998f;     // of its length is the most that a limb reaches
static const float arm_stretch = 1.02f;   // an arm opens no farther than that: a bent elbow must look bent
static const float never_nothing = 0.02f; // a foot in the air counts that much
static const float shift_share = 0.3f;    // of what feet miss is the body's part at a time
static const float trunk_strength = 0.8f; // rotations have their say in where it is
static const float most_pull = 0.1f;      // of its reach is the most that an arm is pulled longer

float gti_part_strength(int part)
{
    return part < GTI_LIMB_COUNT ? 1.0f : trunk_strength;
}

static bool is_of_part(int part, int32_t joint)
{
    switch (part) {
    case GTI_LEFT_LEG:
        return joint == GT_HUMANOID_LEFT_FOOT || joint == GT_HUMANOID_LEFT_TOES;
    case GTI_RIGHT_LEG:
        return joint == GT_HUMANOID_RIGHT_FOOT || joint == GT_HUMANOID_RIGHT_TOES;
    case GTI_LEFT_ARM:
        return joint == GT_HUMANOID_LEFT_HAND;
    case GTI_RIGHT_ARM:
        return joint == GT_HUMANOID_RIGHT_HAND;
    case GTI_CHEST:
        return joint == GT_HUMANOID_CHEST || joint == GT_HUMANOID_UPPER_CHEST;
    default:
        return joint == GT_HUMANOID_HEAD;
    }
}

static bool find_part(const GtiShell* shell, const GtiBoneTree* bones, int part, GtArena* arena, GtiClipParts* out)
{
    int32_t count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t v = 0; v < shell->vertex_count; ++v) {
            if (!is_of_part(part, bones->bones[bones->of_points[shell->points[v]]].joint)) {
                continue;
            }
            if (pass == 0) {
                ++count;
            } else {
                out->vertices[part][out->counts[part]++] = v;
            }
        }
        if (pass == 0) {
            out->vertices[part] = gt_arena_push_array(arena, (size_t)count, sizeof *out->vertices[part]);
            if (!out->vertices[part]) {
                return false;
            }
        }
    }
    return true;
}

bool gti_clip_parts_find(const GtiShell* shell, const GtiBoneTree* bones, GtArena* arena, GtiClipParts* out)
{
    *out = (GtiClipParts){ .handle_count = 0 };
    for (int part = 0; part < GTI_PART_COUNT; ++part) {
        out->handles[part] = GT_NONE;
        if (!shell->figure->is_humanoid) {
            continue;
        }
        if (!find_part(shell, bones, part, arena, out)) {
            return false;
        }
        int32_t count = out->counts[part];
        int32_t* points = gt_arena_push_array(arena, (size_t)count, sizeof *points);
        if (!points) {
            return false;
        }
        for (int32_t i = 0; i < count; ++i) {
            points[i] = shell->points[out->vertices[part][i]];
        }
        if (count > 0) {
            out->handles[part] = out->handle_count;
            out->made[out->handle_count++] = (GtHarmonicHandle){ points, count };
        }
    }
    return true;
}

// Full while a contact lasts, less and less around it.
static void find_holds(const GtContacts* contacts, const double* times_s, int32_t frame_count, int leg, float* out)
{
    for (int32_t f = 0; f < frame_count; ++f) {
        double most = 0.0;
        for (int32_t i = 0; i < contacts->count; ++i) {
            const GtContact* contact = &contacts->spans[i];
            double off_s = fmax(fmax(contact->start_s - times_s[f], times_s[f] - contact->end_s), 0.0);
            if (contact->part / 2 == leg) {
                most = fmax(most, 1.0 - off_s / fade_s);
            }
        }
        out[f] = (float)gti_cubic_step(most);
    }
}

static bool has_joints(const GtiShell* shell, const GtiClipLimb* limb)
{
    const int32_t* nodes = shell->figure->joints;
    return shell->figure->is_humanoid && nodes[limb->joints[0]] != GT_NONE && nodes[limb->joints[1]] != GT_NONE &&
           nodes[limb->joints[2]] != GT_NONE;
}

static bool open_limb(int32_t frame_count, GtArena* arena, GtiClipLimb* limb)
{
    size_t count = (size_t)frame_count;
    limb->wanted = gt_arena_push_array(arena, count, sizeof *limb->wanted);
    limb->misses = gt_arena_push_array(arena, count, sizeof *limb->misses);
    limb->holds = gt_arena_push_array(arena, count, sizeof *limb->holds);
    limb->reaches_m = gt_arena_push_array(arena, count, sizeof *limb->reaches_m);
    limb->bones[0] = gt_arena_push_array(arena, count, sizeof *limb->bones[0]);
    limb->bones[1] = gt_arena_push_array(arena, count, sizeof *limb->bones[1]);
    return limb->wanted && limb->misses && limb->holds && limb->reaches_m && limb->bones[0] && limb->bones[1];
}

GtResult gti_clip_limbs_open(const GtiShell* shell, const GtiClipParts* parts, const GtContacts* contacts,
                             bool has_hands, const double* times_s, int32_t frame_count, GtArena* arena,
                             GtiClipLimbs* out, GtError* error)
{
    *out = (GtiClipLimbs){ .frame_count = frame_count };
    int32_t largest = 0;
    for (int32_t m = 0; m < shell->figure->def->mesh_count; ++m) {
        int32_t vertex_count = shell->figure->def->meshes[m].vertex_count;
        largest = vertex_count > largest ? vertex_count : largest;
    }
    out->scratch = gt_arena_push_array(arena, (size_t)largest, sizeof *out->scratch);
    for (int i = 0; i < GTI_PART_COUNT; ++i) {
        GtiClipLimb* limb = &out->limbs[i];
        bool is_leg = i < GTI_LEG_COUNT;
        if (!out->scratch || !open_limb(frame_count, arena, limb)) {
            return gti_out_of_memory(error);
        }
        for (int j = 0; j < 3 && i < GTI_LIMB_COUNT; ++j) {
            int32_t left = (is_leg ? GT_HUMANOID_LEFT_UPPER_LEG : GT_HUMANOID_LEFT_UPPER_ARM) + j;
            limb->joints[j] = gti_joint_on((GtHumanoidJoint)left, i % GTI_SIDE_COUNT);
        }
        if (is_leg && contacts) {
            find_holds(contacts, times_s, frame_count, i, limb->holds);
        }
        for (int32_t f = 0; f < frame_count && !is_leg && has_hands; ++f) {
            limb->holds[f] = gti_part_strength(i);
        }
        if ((is_leg ? contacts != NULL : has_hands) && (i >= GTI_LIMB_COUNT || has_joints(shell, limb))) {
            limb->vertices = parts->vertices[i];
            limb->vertex_count = parts->counts[i];
        }
    }
    return GT_OK;
}

static GtVec3 mean_of(GtiVec sum, int32_t count)
{
    return gti_vec_to_float(gti_vec_scale(sum, count > 0 ? 1.0 / (double)count : 0.0));
}

static void take_bones(const GtiShell* shell, GtiClipLimb* limb, int32_t frame)
{
    for (int k = 0; k < 2; ++k) {
        limb->bones[k][frame] = gt_vec3_sub(gti_figure_place(shell->figure, limb->joints[k + 1]),
                                            gti_figure_place(shell->figure, limb->joints[k]));
    }
    bool is_arm = limb->joints[2] == GT_HUMANOID_LEFT_HAND || limb->joints[2] == GT_HUMANOID_RIGHT_HAND;
    GtVec3 extent = gt_vec3_add(limb->bones[0][frame], limb->bones[1][frame]);
    float most = straight * (gt_vec3_length(limb->bones[0][frame]) + gt_vec3_length(limb->bones[1][frame]));
    limb->reaches_m[frame] = is_arm ? fminf(most, arm_stretch * gt_vec3_length(extent)) : most;
}

void gti_clip_limbs_want(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame)
{
    const GtCharacterDef* def = shell->figure->def;
    GtiVec sums[GTI_PART_COUNT] = { 0 };
    int32_t at[GTI_PART_COUNT] = { 0 };
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        bool is_posed = false;
        for (int i = 0; i < GTI_PART_COUNT; ++i) {
            for (; at[i] < limbs->limbs[i].vertex_count; ++at[i]) {
                int32_t v = limbs->limbs[i].vertices[at[i]];
                if (v >= shell->first_vertex[m + 1]) {
                    break;
                }
                if (!is_posed) {
                    gt_instance_deform(shell->figure->instance, m, limbs->scratch, NULL, NULL);
                    is_posed = true;
                }
                sums[i] = gti_vec_add(sums[i], gti_vec_from(limbs->scratch[v - shell->first_vertex[m]]));
            }
        }
    }
    for (int i = 0; i < GTI_PART_COUNT; ++i) {
        limbs->limbs[i].wanted[frame] = mean_of(sums[i], limbs->limbs[i].vertex_count);
        if (i < GTI_LIMB_COUNT && limbs->limbs[i].vertex_count > 0) {
            take_bones(shell, &limbs->limbs[i], frame);
        }
    }
}

void gti_clip_limbs_miss(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame, const GtVec3* positions)
{
    for (int i = 0; i < GTI_PART_COUNT; ++i) {
        GtiClipLimb* limb = &limbs->limbs[i];
        GtiVec sum = gti_vec(0.0, 0.0, 0.0);
        for (int32_t v = 0; v < limb->vertex_count; ++v) {
            sum = gti_vec_add(sum, gti_vec_from(positions[shell->points[limb->vertices[v]]]));
        }
        limb->misses[frame] = gt_vec3_sub(limb->wanted[frame], mean_of(sum, limb->vertex_count));
    }
}

void gti_clip_limbs_miss_by(GtiClipLimbs* limbs, const GtiClipParts* parts, int32_t frame, const GtVec3* places)
{
    for (int i = 0; i < GTI_PART_COUNT; ++i) {
        GtiClipLimb* limb = &limbs->limbs[i];
        if (limb->vertex_count > 0) {
            limb->misses[frame] = gt_vec3_sub(limb->wanted[frame], places[parts->handles[i]]);
        }
    }
}

GtVec3 gti_clip_limbs_shift(const GtiClipLimbs* limbs, int32_t frame)
{
    GtVec3 shift = gt_vec3(0.0f, 0.0f, 0.0f);
    float all = 0.0f;
    for (int i = 0; i < GTI_LEG_COUNT; ++i) {
        const GtiClipLimb* leg = &limbs->limbs[i];
        float share = leg->vertex_count > 0 ? leg->holds[frame] + never_nothing : 0.0f;
        shift = gt_vec3_add(shift, gt_vec3_scale(leg->misses[frame], share));
        all += share;
    }
    return all > 0.0f ? gt_vec3_scale(shift, shift_share / all) : shift;
}

static GtVec3 limited(GtVec3 turn)
{
    float angle = gt_vec3_length(turn);
    return angle > most_turn_rad ? gt_vec3_scale(turn, most_turn_rad / angle) : turn;
}

// What of a miss a limb can make up for, as far as it reaches.
static GtVec3 within_reach(const GtVec3 bones[2], float reach_m, GtVec3 miss)
{
    GtVec3 now = gt_vec3_add(bones[0], bones[1]);
    GtVec3 to = gt_vec3_add(now, miss);
    float most = fmaxf(reach_m, gt_vec3_length(now));
    float length = gt_vec3_length(to);
    return length > most ? gt_vec3_sub(gt_vec3_scale(to, most / length), now) : miss;
}

bool gti_clip_limbs_bend(GtiClipLimbs* limbs, int32_t frame, int limb, GtVec3 shift, GtVec3 turns[2])
{
    GtiClipLimb* held = &limbs->limbs[limb];
    if (held->vertex_count == 0 || !(held->holds[frame] > 0.0f)) {
        return false;
    }
    const GtVec3 bones[2] = { held->bones[0][frame], held->bones[1][frame] };
    double a[3][3] = { { 0.0 } }; // a turn w moves the end of a bone r by w x r: A A^T = sum of |r|^2 I - r r^T
    double squared = 0.0;
    for (int k = 0; k < 2; ++k) {
        const double r[3] = { (double)bones[k].x, (double)bones[k].y, (double)bones[k].z };
        double length = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        squared += length;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                a[i][j] += (i == j ? length : 0.0) - r[i] * r[j];
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        a[i][i] += damping * squared;
    }
    GtVec3 left = within_reach(bones, held->reaches_m[frame], gt_vec3_sub(held->misses[frame], shift));
    left = gt_vec3_scale(left, held->holds[frame]);
    GtVec3 x = gti_vec_to_float(gti_solve3(a, gti_vec_from(left)));
    for (int k = 0; k < 2; ++k) {
        turns[k] = limited(gt_vec3_cross(bones[k], x));
        held->bones[k][frame] = gt_quat_rotate(gti_quat_from_vector(turns[k]), bones[k]);
    }
    return true;
}

GtHarmonicHold gti_clip_limbs_hold(const GtiClipLimbs* limbs, int32_t frame, int part)
{
    const GtiClipLimb* limb = &limbs->limbs[part];
    if (limb->vertex_count == 0) {
        return (GtHarmonicHold){ .strength = 0.0f };
    }
    GtHarmonicHold hold = { limb->wanted[frame], limb->holds[frame] };
    if (part >= GTI_LEG_COUNT && part < GTI_LIMB_COUNT) {
        float miss = gt_vec3_length(limb->misses[frame]);
        float most = most_pull * limb->reaches_m[frame];
        float left = miss > most ? 1.0f - most / miss : 0.0f;
        hold.position = gt_vec3_sub(hold.position, gt_vec3_scale(limb->misses[frame], left));
    }
    return hold;
}
