// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet and hands are so stiff that any skin has them where the skeleton does, and that is where planting and touching
// put them. Rotations spread over the surface give limbs that are a little shorter or longer than the bones, and that
// hang on to the trunk a little beside its joints. The body is shifted by some of what the standing feet miss, each by
// how surely it stands; in the air by what both miss, so that there is no jump when one lands. The rest is taken by the
// limbs: of all small turns of their two bones that move the end by it, the smallest (damped least squares, since a
// straight limb cannot get longer).

#include "deform/clip_limbs.h"

#include <math.h>

static const double fade_s = 0.12;        // in which a foot comes to count, before it stands and after
static const double damping = 0.03;       // of the limb's length, squared
static const float most_turn_rad = 0.1f;  // of a bone at a time
static const float straight = 0.998f;     // of its length is the most that a limb reaches
static const float arm_stretch = 1.02f;   // an arm opens no farther than that: a bent elbow must look bent
static const float never_nothing = 0.02f; // a foot in the air counts that much
static const float shift_share = 0.3f;    // of what feet miss is the body's part at a time

static bool is_of_end(const GtiLimb* limb, int32_t joint)
{
    if (joint == (int32_t)limb->joints[2]) {
        return true;
    }
    bool is_foot = limb->joints[2] == GT_HUMANOID_LEFT_FOOT || limb->joints[2] == GT_HUMANOID_RIGHT_FOOT;
    return is_foot && joint == (int32_t)limb->joints[2] + 1; // toes
}

static bool take_vertices(const GtiShell* shell, const GtiBoneTree* bones, GtArena* arena, GtiLimb* limb)
{
    int32_t count = 0;
    for (int32_t v = 0; v < shell->vertex_count; ++v) {
        count += is_of_end(limb, bones->bones[bones->of_points[shell->points[v]]].joint);
    }
    limb->vertices = gt_arena_push_array(arena, (size_t)count, sizeof *limb->vertices);
    for (int32_t v = 0; v < shell->vertex_count && limb->vertices; ++v) {
        if (is_of_end(limb, bones->bones[bones->of_points[shell->points[v]]].joint)) {
            limb->vertices[limb->vertex_count++] = v;
        }
    }
    return limb->vertices != NULL;
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
        out[f] = (float)(most * most * (3.0 - 2.0 * most));
    }
}

static bool has_joints(const GtiShell* shell, const GtiLimb* limb)
{
    const int32_t* nodes = shell->figure.nodes;
    return shell->figure.is_humanoid && nodes[limb->joints[0]] != GT_NONE && nodes[limb->joints[1]] != GT_NONE &&
           nodes[limb->joints[2]] != GT_NONE;
}

static bool open_limb(const GtiShell* shell, const GtiBoneTree* bones, int32_t frame_count, GtArena* arena,
                      GtiLimb* limb)
{
    size_t count = (size_t)frame_count;
    limb->wanted = gt_arena_push_array(arena, count, sizeof *limb->wanted);
    limb->misses = gt_arena_push_array(arena, count, sizeof *limb->misses);
    limb->holds = gt_arena_push_array(arena, count, sizeof *limb->holds);
    limb->reaches_m = gt_arena_push_array(arena, count, sizeof *limb->reaches_m);
    limb->bones[0] = gt_arena_push_array(arena, count, sizeof *limb->bones[0]);
    limb->bones[1] = gt_arena_push_array(arena, count, sizeof *limb->bones[1]);
    return limb->wanted && limb->misses && limb->holds && limb->reaches_m && limb->bones[0] && limb->bones[1] &&
           (!has_joints(shell, limb) || take_vertices(shell, bones, arena, limb));
}

GtResult gti_clip_limbs_open(const GtiShell* shell, const GtiBoneTree* bones, const GtContacts* contacts,
                             bool has_hands, const double* times_s, int32_t frame_count, GtArena* arena,
                             GtiClipLimbs* out, GtError* error)
{
    *out = (GtiClipLimbs){ .frame_count = frame_count };
    int32_t largest = 0;
    for (int32_t m = 0; m < shell->figure.def->mesh_count; ++m) {
        int32_t vertex_count = shell->figure.def->meshes[m].vertex_count;
        largest = vertex_count > largest ? vertex_count : largest;
    }
    out->scratch = gt_arena_push_array(arena, (size_t)largest, sizeof *out->scratch);
    for (int i = 0; i < GTI_LIMB_COUNT; ++i) {
        GtiLimb* limb = &out->limbs[i];
        bool is_leg = i < GTI_LEG_COUNT;
        for (int j = 0; j < 3; ++j) {
            int32_t left = (is_leg ? GT_HUMANOID_LEFT_UPPER_LEG : GT_HUMANOID_LEFT_UPPER_ARM) + j;
            limb->joints[j] = gti_joint_on((GtHumanoidJoint)left, i % GTI_SIDE_COUNT);
        }
        if (!out->scratch || !open_limb(shell, bones, frame_count, arena, limb)) {
            return gti_out_of_memory(error);
        }
        if (is_leg && contacts) {
            find_holds(contacts, times_s, frame_count, i, limb->holds);
        }
        for (int32_t f = 0; f < frame_count && !is_leg && has_hands; ++f) {
            limb->holds[f] = 1.0f;
        }
        if (is_leg ? !contacts : !has_hands) {
            limb->vertex_count = 0;
        }
    }
    return GT_OK;
}

static GtVec3 mean_of(const double sum[3], int32_t count)
{
    double scale = count > 0 ? 1.0 / (double)count : 0.0;
    return gt_vec3((float)(sum[0] * scale), (float)(sum[1] * scale), (float)(sum[2] * scale));
}

static void add_to(double sum[3], GtVec3 p)
{
    sum[0] += (double)p.x;
    sum[1] += (double)p.y;
    sum[2] += (double)p.z;
}

static void take_bones(const GtiShell* shell, GtiLimb* limb, int32_t frame)
{
    for (int k = 0; k < 2; ++k) {
        limb->bones[k][frame] = gt_vec3_sub(gti_subject_place(&shell->figure, limb->joints[k + 1]),
                                            gti_subject_place(&shell->figure, limb->joints[k]));
    }
    bool is_arm = limb->joints[2] == GT_HUMANOID_LEFT_HAND || limb->joints[2] == GT_HUMANOID_RIGHT_HAND;
    GtVec3 extent = gt_vec3_add(limb->bones[0][frame], limb->bones[1][frame]);
    float most = straight * (gt_vec3_length(limb->bones[0][frame]) + gt_vec3_length(limb->bones[1][frame]));
    limb->reaches_m[frame] = is_arm ? fminf(most, arm_stretch * gt_vec3_length(extent)) : most;
}

void gti_clip_limbs_want(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame)
{
    const GtCharacterDef* def = shell->figure.def;
    double sums[GTI_LIMB_COUNT][3] = { { 0.0 } };
    int32_t at[GTI_LIMB_COUNT] = { 0 };
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        bool is_posed = false;
        for (int i = 0; i < GTI_LIMB_COUNT; ++i) {
            for (; at[i] < limbs->limbs[i].vertex_count; ++at[i]) {
                int32_t v = limbs->limbs[i].vertices[at[i]];
                if (v >= shell->first_vertex[m + 1]) {
                    break;
                }
                if (!is_posed) {
                    gt_instance_deform(shell->figure.instance, m, limbs->scratch, NULL, NULL);
                    is_posed = true;
                }
                add_to(sums[i], limbs->scratch[v - shell->first_vertex[m]]);
            }
        }
    }
    for (int i = 0; i < GTI_LIMB_COUNT; ++i) {
        limbs->limbs[i].wanted[frame] = mean_of(sums[i], limbs->limbs[i].vertex_count);
        if (limbs->limbs[i].vertex_count > 0) {
            take_bones(shell, &limbs->limbs[i], frame);
        }
    }
}

void gti_clip_limbs_miss(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame, const GtVec3* positions)
{
    for (int i = 0; i < GTI_LIMB_COUNT; ++i) {
        GtiLimb* limb = &limbs->limbs[i];
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int32_t v = 0; v < limb->vertex_count; ++v) {
            add_to(sum, positions[shell->points[limb->vertices[v]]]);
        }
        limb->misses[frame] = gt_vec3_sub(limb->wanted[frame], mean_of(sum, limb->vertex_count));
    }
}

GtVec3 gti_clip_limbs_shift(const GtiClipLimbs* limbs, int32_t frame)
{
    GtVec3 shift = gt_vec3(0.0f, 0.0f, 0.0f);
    float all = 0.0f;
    for (int i = 0; i < GTI_LEG_COUNT; ++i) {
        const GtiLimb* leg = &limbs->limbs[i];
        float share = leg->vertex_count > 0 ? leg->holds[frame] + never_nothing : 0.0f;
        shift = gt_vec3_add(shift, gt_vec3_scale(leg->misses[frame], share));
        all += share;
    }
    return all > 0.0f ? gt_vec3_scale(shift, shift_share / all) : shift;
}

// Solve the symmetric positive definite A x = b by Cramer's rule.
static GtVec3 solve3(double a[3][3], GtVec3 b)
{
    double c[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            int i1 = (i + 1) % 3;
            int i2 = (i + 2) % 3;
            int j1 = (j + 1) % 3;
            int j2 = (j + 2) % 3;
            c[i][j] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
        }
    }
    double determinant = a[0][0] * c[0][0] + a[0][1] * c[0][1] + a[0][2] * c[0][2];
    const double v[3] = { (double)b.x, (double)b.y, (double)b.z };
    double x[3];
    for (int j = 0; j < 3; ++j) {
        x[j] = determinant > 0.0 ? (c[0][j] * v[0] + c[1][j] * v[1] + c[2][j] * v[2]) / determinant : 0.0;
    }
    return gt_vec3((float)x[0], (float)x[1], (float)x[2]);
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
    GtiLimb* held = &limbs->limbs[limb];
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
    GtVec3 x = solve3(a, left);
    for (int k = 0; k < 2; ++k) {
        turns[k] = limited(gt_vec3_cross(bones[k], x));
        held->bones[k][frame] = gt_quat_rotate(gti_turn(turns[k]), bones[k]);
    }
    return true;
}
