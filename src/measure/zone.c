// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One zone at one frame. Volume by the divergence theorem, with a fan over every rim so that the zone is closed and its
// place does not matter. Stretch: singular values of the deformation gradient F = [e1 e2] [l x; 0 y]^-1 of every
// triangle. A triangle is turned inside out when it faces away from the normals that the deformers carry along, or,
// without normals, from its own normal in the bind pose as the joint turns it.

#include "measure/skin.h"

#include <math.h>
#include <string.h>

static double det3(GtVec3 a, GtVec3 b, GtVec3 c)
{
    return (double)a.x * ((double)b.y * (double)c.z - (double)b.z * (double)c.y) -
           (double)a.y * ((double)b.x * (double)c.z - (double)b.z * (double)c.x) +
           (double)a.z * ((double)b.x * (double)c.y - (double)b.y * (double)c.x);
}

double gti_zone_volume(const GtiMeasuredSkin* skin, const GtiZone* zone, const GtVec3* positions, double* lids)
{
    if (zone->triangle_count == 0) {
        return 0.0;
    }
    GtVec3 origin = positions[skin->corners[3 * (size_t)zone->first_triangle]];
    double six = 0.0;
    for (int32_t t = zone->first_triangle; t < zone->first_triangle + zone->triangle_count; ++t) {
        const uint32_t* c = skin->corners + 3 * (size_t)t;
        six += det3(gt_vec3_sub(positions[c[0]], origin), gt_vec3_sub(positions[c[1]], origin),
                    gt_vec3_sub(positions[c[2]], origin));
    }
    memset(lids, 0, (size_t)zone->lid_count * 4 * sizeof *lids);
    for (int32_t i = 0; i < zone->rim_count; ++i) {
        double* lid = lids + 4 * (size_t)zone->rims[i].lid;
        GtVec3 p = gt_vec3_sub(positions[zone->rims[i].from], origin);
        lid[0] += (double)p.x;
        lid[1] += (double)p.y;
        lid[2] += (double)p.z;
        lid[3] += 1.0;
    }
    for (int32_t i = 0; i < zone->rim_count; ++i) {
        const double* lid = lids + 4 * (size_t)zone->rims[i].lid;
        GtVec3 middle = gt_vec3((float)(lid[0] / lid[3]), (float)(lid[1] / lid[3]), (float)(lid[2] / lid[3]));
        six += det3(gt_vec3_sub(positions[zone->rims[i].to], origin),
                    gt_vec3_sub(positions[zone->rims[i].from], origin), middle);
    }
    return six / 6.0;
}

double gti_zone_axis(const GtiMeasuredSkin* skin, const GtiZone* zone, const GtMat34* joint, const GtVec3* positions)
{
    if (!zone->has_axis || zone->vertex_count == 0) {
        return NAN;
    }
    GtVec3 start = gt_mat34_translation(joint);
    GtVec3 way = gt_vec3_sub(gt_mat34_point(joint, zone->axis_end), start);
    float length = gt_vec3_length(way);
    double sum = 0.0;
    for (int32_t i = 0; i < zone->vertex_count; ++i) {
        GtVec3 to = gt_vec3_sub(positions[skin->vertices[zone->first_vertex + i]], start);
        sum += (double)(gt_vec3_length(gt_vec3_cross(way, to)) / length);
    }
    return sum / zone->vertex_count;
}

double gti_stretch_of_bin(double bin)
{
    return exp2(8.0 * bin / GTI_STRETCH_BINS - 4.0);
}

static int bin_of(float square)
{
    float bin = (0.5f * log2f(square) + 4.0f) * (GTI_STRETCH_BINS / 8.0f);
    return bin >= 0.0f ? (bin < GTI_STRETCH_BINS ? (int)bin : GTI_STRETCH_BINS - 1) : 0;
}

static void add_stretch(const GtiMeasuredSkin* skin, int32_t triangle, GtVec3 e1, GtVec3 e2, GtiZoneFrame* out)
{
    const float* u = skin->unstretch + 3 * (size_t)triangle;
    GtVec3 f1 = gt_vec3_scale(e1, u[0]);
    GtVec3 f2 = gt_vec3_add(gt_vec3_scale(e1, u[1]), gt_vec3_scale(e2, u[2]));
    float a = gt_vec3_dot(f1, f1);
    float b = gt_vec3_dot(f1, f2);
    float c = gt_vec3_dot(f2, f2);
    float middle = 0.5f * (a + c);
    float spread = sqrtf(0.25f * (a - c) * (a - c) + b * b);
    out->most = fmaxf(out->most, sqrtf(middle + spread));
    out->least = fminf(out->least, sqrtf(fmaxf(middle - spread, 0.0f)));
    out->high[bin_of(middle + spread)] += skin->areas[triangle];
    out->low[bin_of(middle - spread)] += skin->areas[triangle];
}

static bool is_flipped(const GtiMeasuredSkin* skin, int32_t triangle, GtVec3 now, const GtMat34* bind_to_now,
                       const GtVec3* normals)
{
    const uint32_t* c = skin->corners + 3 * (size_t)triangle;
    if (skin->facings[triangle]) {
        GtVec3 carried = gt_vec3_add(normals[c[0]], gt_vec3_add(normals[c[1]], normals[c[2]]));
        return (float)skin->facings[triangle] * gt_vec3_dot(now, carried) < 0.0f;
    }
    GtVec3 rest =
        gt_vec3_cross(gt_vec3_sub(skin->rest[c[1]], skin->rest[c[0]]), gt_vec3_sub(skin->rest[c[2]], skin->rest[c[0]]));
    return gt_vec3_dot(now, gt_mat34_normal(bind_to_now, rest)) < 0.0f;
}

void gti_zone_measure(const GtiMeasuredSkin* skin, const GtiZone* zone, const GtMat34* model_from_node,
                      const GtVec3* positions, const GtVec3* normals, double* lids, GtiZoneFrame* out)
{
    const GtMat34* joint = &model_from_node[zone->node];
    GtMat34 bind_to_now = gt_mat34_mul(*joint, gt_mat34_inverse(&skin->bind[zone->node], NULL));
    memset(out, 0, sizeof *out);
    out->least = INFINITY;
    out->volume_m3 = gti_zone_volume(skin, zone, positions, lids);
    out->axis_m = gti_zone_axis(skin, zone, joint, positions);
    for (int32_t t = zone->first_triangle; t < zone->first_triangle + zone->triangle_count; ++t) {
        const uint32_t* c = skin->corners + 3 * (size_t)t;
        if (skin->areas[t] > 0.0f) {
            GtVec3 e1 = gt_vec3_sub(positions[c[1]], positions[c[0]]);
            GtVec3 e2 = gt_vec3_sub(positions[c[2]], positions[c[0]]);
            add_stretch(skin, t, e1, e2, out);
            out->flipped_count += is_flipped(skin, t, gt_vec3_cross(e1, e2), &bind_to_now, normals);
        }
    }
    out->section_min = INFINITY;
    out->section_max = -INFINITY;
    for (int s = 0; s < GTI_SECTION_COUNT; ++s) {
        const GtiSection* section = &zone->sections[s];
        if (section->cuts && section->area_m2 > 0.0) {
            double ratio = gti_section_area(section, positions) / section->area_m2;
            out->section_min = fmin(out->section_min, ratio);
            out->section_max = fmax(out->section_max, ratio);
        }
    }
    if (out->section_min > out->section_max) {
        out->section_min = NAN;
        out->section_max = NAN;
    }
}
