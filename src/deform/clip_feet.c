// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A foot is so stiff that any skin has it where the skeleton does, and that is where planting put it. Rotations spread
// over the surface give legs that are a little shorter or longer than the bones, the more so the more they bend. The
// body is shifted by what the standing feet miss, each by how surely it stands; in the air by what both miss, so that
// there is no jump when one lands. What is left when both stand is taken by the legs: of all small turns of thigh and
// shank that move the ankle by it, the smallest (damped least squares, since a straight leg cannot get longer).

#include "deform/clip_feet.h"

#include <math.h>

static const double fade_s = 0.12;        // in which a foot comes to count, before it stands and after
static const double damping = 0.02;       // of the leg's length, squared
static const float most_turn_rad = 0.1f;  // of a bone at a time
static const float never_nothing = 0.02f; // a foot in the air counts that much

static bool is_of_foot(const GtiShell* shell, const GtiBoneTree* bones, int32_t bone, int side)
{
    int32_t joint = bones->bones[bone].joint;
    return shell->figure.is_humanoid && (joint == (int32_t)gti_joint_on(GT_HUMANOID_LEFT_FOOT, side) ||
                                         joint == (int32_t)gti_joint_on(GT_HUMANOID_LEFT_TOES, side));
}

static bool take_vertices(const GtiShell* shell, const GtiBoneTree* bones, int side, GtArena* arena, GtiClipFeet* feet)
{
    int32_t count = 0;
    for (int32_t v = 0; v < shell->vertex_count; ++v) {
        count += is_of_foot(shell, bones, bones->of_points[shell->points[v]], side);
    }
    feet->vertices[side] = gt_arena_push_array(arena, (size_t)count, sizeof **feet->vertices);
    if (!feet->vertices[side]) {
        return false;
    }
    for (int32_t v = 0; v < shell->vertex_count; ++v) {
        if (is_of_foot(shell, bones, bones->of_points[shell->points[v]], side)) {
            feet->vertices[side][feet->vertex_counts[side]++] = v;
        }
    }
    return true;
}

// Full while a contact lasts, less and less around it.
static void find_stands(const GtContacts* contacts, const double* times_s, int side, GtiClipFeet* feet)
{
    for (int32_t f = 0; f < feet->frame_count; ++f) {
        double most = 0.0;
        for (int32_t i = 0; i < contacts->count; ++i) {
            const GtContact* contact = &contacts->spans[i];
            double off_s = fmax(fmax(contact->start_s - times_s[f], times_s[f] - contact->end_s), 0.0);
            if (contact->part / 2 == side) {
                most = fmax(most, 1.0 - off_s / fade_s);
            }
        }
        feet->stands[side][f] = (float)(most * most * (3.0 - 2.0 * most));
    }
}

GtResult gti_clip_feet_open(const GtiShell* shell, const GtiBoneTree* bones, const GtContacts* contacts,
                            const double* times_s, int32_t frame_count, GtArena* arena, GtiClipFeet* out,
                            GtError* error)
{
    *out = (GtiClipFeet){ .frame_count = frame_count };
    size_t count = (size_t)frame_count;
    int32_t largest = 0;
    for (int32_t m = 0; m < shell->figure.def->mesh_count; ++m) {
        int32_t vertex_count = shell->figure.def->meshes[m].vertex_count;
        largest = vertex_count > largest ? vertex_count : largest;
    }
    out->scratch = gt_arena_push_array(arena, (size_t)largest, sizeof *out->scratch);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        out->wanted[side] = gt_arena_push_array(arena, count, sizeof **out->wanted);
        out->misses[side] = gt_arena_push_array(arena, count, sizeof **out->misses);
        out->stands[side] = gt_arena_push_array(arena, count, sizeof **out->stands);
        out->thighs[side] = gt_arena_push_array(arena, count, sizeof **out->thighs);
        out->shanks[side] = gt_arena_push_array(arena, count, sizeof **out->shanks);
        if (!out->wanted[side] || !out->misses[side] || !out->stands[side] || !out->scratch || !out->thighs[side] ||
            !out->shanks[side] || !take_vertices(shell, bones, side, arena, out)) {
            return gti_out_of_memory(error);
        }
        if (contacts) {
            find_stands(contacts, times_s, side, out);
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

void gti_clip_feet_want(const GtiShell* shell, GtiClipFeet* feet, int32_t frame)
{
    const GtCharacterDef* def = shell->figure.def;
    double sums[GTI_SIDE_COUNT][3] = { { 0.0 } };
    int32_t at[GTI_SIDE_COUNT] = { 0, 0 };
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        bool is_posed = false;
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            for (; at[side] < feet->vertex_counts[side]; ++at[side]) {
                int32_t v = feet->vertices[side][at[side]];
                if (v >= shell->first_vertex[m + 1]) {
                    break;
                }
                if (!is_posed) {
                    gt_instance_deform(shell->figure.instance, m, feet->scratch, NULL, NULL);
                    is_posed = true;
                }
                add_to(sums[side], feet->scratch[v - shell->first_vertex[m]]);
            }
        }
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        feet->wanted[side][frame] = mean_of(sums[side], feet->vertex_counts[side]);
        if (shell->figure.is_humanoid) {
            GtVec3 knee = gti_subject_place(&shell->figure, gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side));
            GtVec3 hip = gti_subject_place(&shell->figure, gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side));
            GtVec3 ankle = gti_subject_place(&shell->figure, gti_joint_on(GT_HUMANOID_LEFT_FOOT, side));
            feet->thighs[side][frame] = gt_vec3_sub(knee, hip);
            feet->shanks[side][frame] = gt_vec3_sub(ankle, knee);
        }
    }
}

void gti_clip_feet_miss(const GtiShell* shell, GtiClipFeet* feet, int32_t frame, const GtVec3* positions)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int32_t i = 0; i < feet->vertex_counts[side]; ++i) {
            add_to(sum, positions[shell->points[feet->vertices[side][i]]]);
        }
        feet->misses[side][frame] = gt_vec3_sub(feet->wanted[side][frame], mean_of(sum, feet->vertex_counts[side]));
    }
}

GtVec3 gti_clip_feet_shift(const GtiClipFeet* feet, int32_t frame)
{
    GtVec3 shift = gt_vec3(0.0f, 0.0f, 0.0f);
    float all = 0.0f;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        float share = feet->vertex_counts[side] > 0 ? feet->stands[side][frame] + never_nothing : 0.0f;
        shift = gt_vec3_add(shift, gt_vec3_scale(feet->misses[side][frame], share));
        all += share;
    }
    return all > 0.0f ? gt_vec3_scale(shift, 1.0f / all) : shift;
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

bool gti_clip_feet_bend(const GtiClipFeet* feet, int32_t frame, int side, GtVec3 shift, GtVec3 turns[2])
{
    float stands = feet->stands[side][frame];
    if (feet->vertex_counts[side] == 0 || !(stands > 0.0f)) {
        return false;
    }
    const GtVec3 bones[2] = { feet->thighs[side][frame], feet->shanks[side][frame] };
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
    GtVec3 left = gt_vec3_scale(gt_vec3_sub(feet->misses[side][frame], shift), stands);
    GtVec3 x = solve3(a, left);
    for (int k = 0; k < 2; ++k) {
        turns[k] = limited(gt_vec3_cross(bones[k], x));
    }
    return true;
}
