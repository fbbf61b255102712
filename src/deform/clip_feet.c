// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A foot is so stiff that any skin has it where the skeleton does, and that is where planting put it. Rotations spread
// over the surface give legs that are a little shorter or longer than the bones, the more so the more they bend. The
// body is shifted by what the standing feet miss, each by how surely it stands; in the air by what both miss, so that
// there is no jump when one lands.

#include "deform/clip_feet.h"

#include <math.h>

static const double fade_s = 0.12;        // in which a foot comes to count, before it stands and after
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
        if (!out->wanted[side] || !out->misses[side] || !out->stands[side] || !out->scratch ||
            !take_vertices(shell, bones, side, arena, out)) {
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
