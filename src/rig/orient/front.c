// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Toes point to the front, and faces are drawn with more and smaller triangles than the backs of heads. Heights are
// taken relative to that of the crotch, as legs and heads of drawn figures are of any length: of feet and shanks in
// lengths of the legs, and necks are lower where legs are shorter.

#include "rig/orient/front.h"

#include "rig/body/crotch.h"

#include "base/bounds.h"
#include "base/scalar.h"

#include <float.h>
#include <math.h>

static const float adult_crotch = 0.46f; // height of
static const float least_leg = 0.2f;     // in those of an adult
static const float most_leg = 1.1f;
static const float neck_at_ground = 0.33f; // height of the neck were there no legs, and growth with the crotch's
static const float neck_growth = 1.15f;
static const float neck_bounds[2] = { 0.4f, 0.86f };
static const float most_eye = 0.05f;  // share of all area
static const float eye_width = 0.75f; // in half widths of the head: ears are farther out
static const float eye_twin = 0.02f;  // in heights, between one and the image of the other
static const float step = 0.006f;     // between samples, in heights

// Scales of the signs: logarithms of odds are signs over these, within limits. They agree with 60 figures, of which all
// but two with short legs have toes that speak for the front, and all but five a face.
static const float toes_unit = 0.009f;
static const float toes_most = 4.5f; // of adults, and less where legs are shorter
static const float face_unit = 0.03f;
static const float face_most = 2.5f;
static const float eyes_unit = 0.33f;

// Samples of the solid between two heights and within some distance of the mirror plane.
typedef struct FrontSlab {
    float low, high, mean; // along the front
    float widest;
    int32_t count;
} FrontSlab;

typedef struct FrontPiece {
    GtBounds bounds;
    double area;
} FrontPiece;

typedef struct FrontLook {
    const GtiRigBody* body;
    const GtiSolid* solid;
    const GtMat34* solid_from_body;
    GtMat34 body_from_solid;
    float low, high; // of the solid's bounds, along the front
    float leg;
    float neck;
    FrontSlab head;
} FrontLook;

static void measure_depth(FrontLook* k)
{
    const GtiSolid* s = k->solid;
    k->low = FLT_MAX;
    k->high = -FLT_MAX;
    for (int i = 0; i < 8; ++i) {
        GtVec3 corner =
            gti_solid_centre(s, i & 1 ? s->counts[0] : 0, i & 2 ? s->counts[1] : 0, i & 4 ? s->counts[2] : 0);
        float z = gt_mat34_point(&k->body_from_solid, corner).z;
        k->low = fminf(k->low, z);
        k->high = fmaxf(k->high, z);
    }
}

static FrontSlab sample_slab(const FrontLook* k, float from, float to, float within)
{
    FrontSlab slab = { .low = FLT_MAX, .high = -FLT_MAX };
    double sum = 0.0;
    int32_t sides = (int32_t)(within / step);
    int32_t rows = (int32_t)ceilf((to - from) / (2.0f * step));
    for (int32_t row = 0; row < rows; ++row) {
        float y = from + (to - from) * ((float)row + 0.5f) / (float)rows;
        for (int32_t i = -sides; i <= sides; ++i) {
            for (float z = k->low; z <= k->high; z += step) {
                GtVec3 p = gt_vec3((float)i * step, y, z);
                if (gti_solid_distance(k->solid, gt_mat34_point(k->solid_from_body, p)) < 0.0f) {
                    slab.low = fminf(slab.low, z);
                    slab.high = fmaxf(slab.high, z);
                    slab.widest = fmaxf(slab.widest, fabsf(p.x));
                    sum += (double)z;
                    ++slab.count;
                }
            }
        }
    }
    slab.mean = slab.count > 0 ? (float)(sum / slab.count) : 0.0f;
    return slab;
}

// Hands that hang beside the shanks do not count.
static float find_toes(const FrontLook* k)
{
    FrontSlab feet = sample_slab(k, 0.0f, 0.04f * k->leg, 0.5f);
    FrontSlab shanks = sample_slab(k, 0.08f * k->leg, 0.16f * k->leg, feet.widest + step);
    return feet.count > 0 && shanks.count > 0 ? (feet.mean - shanks.mean) / k->leg : 0.0f;
}

// Each triangle counts once, against each as much as its area.
static float find_face(const FrontLook* k)
{
    double by_area = 0.0;
    double area = 0.0;
    double by_count = 0.0;
    int64_t count = 0;
    for (int32_t t = 0; t < k->body->triangle_count; ++t) {
        GtVec3 corners[3];
        for (int c = 0; c < 3; ++c) {
            corners[c] = gt_mat34_point(&k->body_from_solid, k->body->points[k->body->triangles[t][c]]);
        }
        GtVec3 middle = gt_vec3_scale(gt_vec3_add(corners[0], gt_vec3_add(corners[1], corners[2])), 1.0f / 3.0f);
        if (middle.y > k->neck && fabsf(middle.x) <= k->head.widest) {
            GtVec3 n = gt_vec3_cross(gt_vec3_sub(corners[1], corners[0]), gt_vec3_sub(corners[2], corners[0]));
            double size = (double)gt_vec3_length(n);
            by_area += size * (double)middle.z;
            area += size;
            by_count += (double)middle.z;
            ++count;
        }
    }
    double depth = (double)(k->head.high - k->head.low);
    return area > 0.0 && depth > 0.0 ? (float)((by_count / (double)count - by_area / area) / depth) : 0.0f;
}

static double measure_pieces(const FrontLook* k, FrontPiece* pieces)
{
    const GtiRigBody* body = k->body;
    double all = 0.0;
    for (int32_t i = 0; i < body->piece_count; ++i) {
        pieces[i] = (FrontPiece){ gti_bounds_empty(), 0.0 };
    }
    for (int32_t p = 0; p < body->point_count; ++p) {
        gti_bounds_add(&pieces[body->pieces[p]].bounds, gt_mat34_point(&k->body_from_solid, body->points[p]));
    }
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t* c = body->triangles[t];
        GtVec3 a = body->points[c[0]];
        GtVec3 n = gt_vec3_cross(gt_vec3_sub(body->points[c[1]], a), gt_vec3_sub(body->points[c[2]], a));
        pieces[body->pieces[c[0]]].area += (double)gt_vec3_length(n);
        all += (double)gt_vec3_length(n);
    }
    return all;
}

static GtVec3 middle_of(const FrontPiece* piece)
{
    return gt_vec3_scale(gt_vec3_add(piece->bounds.low, piece->bounds.high), 0.5f);
}

static bool has_twin(const FrontLook* k, const FrontPiece* pieces, int32_t piece)
{
    GtVec3 at = middle_of(&pieces[piece]);
    for (int32_t i = 0; i < k->body->piece_count; ++i) {
        GtVec3 apart = gt_vec3_sub(gt_vec3(-at.x, at.y, at.z), middle_of(&pieces[i]));
        double ratio = pieces[i].area / pieces[piece].area;
        if (i != piece && gt_vec3_length(apart) < eye_twin && ratio > 0.8 && ratio < 1.25) {
            return true;
        }
    }
    return false;
}

static float find_eyes(const FrontLook* k, FrontPiece* pieces)
{
    double all = measure_pieces(k, pieces);
    float half = 0.5f * (k->head.high - k->head.low);
    float sum = 0.0f;
    int32_t count = 0;
    for (int32_t i = 0; i < k->body->piece_count && half > 0.0f; ++i) {
        GtVec3 at = middle_of(&pieces[i]);
        if (at.x > 0.005f && at.x < eye_width * k->head.widest && at.y > k->neck && pieces[i].area > 0.0 &&
            pieces[i].area < (double)most_eye * all && has_twin(k, pieces, i)) {
            sum += gti_clampf((at.z - 0.5f * (k->head.low + k->head.high)) / half, -1.0f, 1.0f);
            ++count;
        }
    }
    return count > 0 ? sum / (float)count : 0.0f;
}

bool gti_front_find_signs(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                          const GtMat34* solid_from_body, GtiFrontSigns* out)
{
    bool ok;
    FrontLook k = { .body = body, .solid = solid, .solid_from_body = solid_from_body };
    k.body_from_solid = gt_mat34_inverse(solid_from_body, &ok);
    GtArena scratch = gt_arena_create(context->allocator);
    FrontPiece* pieces = gt_arena_push(&scratch, (size_t)body->piece_count * sizeof *pieces);
    if (pieces) {
        GtiCrotch crotch;
        bool parted = gti_body_find_crotch(solid, solid_from_body, &crotch);
        float height = parted ? crotch.height : adult_crotch;
        measure_depth(&k);
        k.leg = gti_clampf(height / adult_crotch, least_leg, most_leg);
        k.neck = gti_clampf(neck_at_ground + neck_growth * height, neck_bounds[0], neck_bounds[1]);
        float head = 1.0f - k.neck;
        k.head = sample_slab(&k, k.neck + 0.1f * head, 1.0f - 0.1f * head, 0.6f * head);
        *out = (GtiFrontSigns){ .leg = k.leg, .toes = find_toes(&k) };
        out->face = find_face(&k);
        out->eyes = find_eyes(&k, pieces);
    }
    gt_arena_destroy(&scratch);
    return pieces != NULL;
}

float gti_front_log_odds(const GtiFrontSigns* signs)
{
    float toes = toes_most * fminf(signs->leg, 1.0f);
    return gti_clampf(signs->toes / toes_unit, -toes, toes) +
           gti_clampf(signs->face / face_unit, -face_most, face_most) + signs->eyes / eyes_unit;
}
