// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Planes that mirror a solid: directions all over a hemisphere are tried with planes through the middle; the best that
// are not neighbours are turned and shifted in ever smaller steps until they stop improving.

#include "rig/body/parts.h"

#include "base/quat_double.h"
#include "base/scalar.h"
#include "base/symmetric.h"
#include "rig/tangents.h"

#include <math.h>

enum {
    DIRECTION_COUNT = 400, // over a hemisphere: 7 degrees apart
    SAMPLE_COUNT = 700,
    ROUND_LIMIT = 4, // of steps of one size
};

static const float miss = 0.04f;     // of the size, by which an image that misses the solid does not count at all
static const float hopeless = 0.25f; // below the best score: not worth refining
static const float apart = 0.966f;   // cosine of the angle between planes that are not the same

static void find_spread(GtiBulk* bulk)
{
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    double a[3][3] = { { 0.0 } };
    double v[3][3];
    for (int32_t i = 0; i < bulk->cell_count; ++i) {
        sum = gti_vec_add(sum, gti_vec_from(bulk->cells[i]));
    }
    double scale = bulk->cell_count ? 1.0 / bulk->cell_count : 0.0;
    bulk->middle = gti_vec_to_float(gti_vec_scale(sum, scale));
    for (int32_t i = 0; i < bulk->cell_count; ++i) {
        GtVec3 d = gt_vec3_sub(bulk->cells[i], bulk->middle);
        double x[3] = { (double)d.x, (double)d.y, (double)d.z };
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                a[r][c] += x[r] * x[c] * scale;
            }
        }
    }
    gti_symmetric_axes(a, v);
    int order[3] = { 0, 1, 2 };
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2 - i; ++k) {
            if (a[order[k]][order[k]] < a[order[k + 1]][order[k + 1]]) {
                int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        int c = order[i];
        bulk->axes[i] = gt_vec3((float)v[0][c], (float)v[1][c], (float)v[2][c]);
        bulk->spreads[i] = (float)sqrt(fmax(a[c][c], 0.0));
    }
}

bool gti_bulk_make(const GtiSolid* solid, GtArena* arena, GtiBulk* out)
{
    *out = (GtiBulk){ .solid = solid };
    size_t count = (size_t)solid->counts[0] * (size_t)solid->counts[1] * (size_t)solid->counts[2];
    size_t inside = 0;
    for (size_t i = 0; i < count; ++i) {
        inside += solid->distances[i] < 0.0f;
    }
    out->cells = gt_arena_push(arena, inside * sizeof *out->cells);
    if (!out->cells) {
        return false;
    }
    const float* d = solid->distances;
    for (int32_t z = 0; z < solid->counts[2]; ++z) {
        for (int32_t y = 0; y < solid->counts[1]; ++y) {
            for (int32_t x = 0; x < solid->counts[0]; ++x) {
                if (*d++ < 0.0f) {
                    out->cells[out->cell_count++] = gti_solid_centre(solid, x, y, z);
                }
            }
        }
    }
    find_spread(out);
    return true;
}

static float score_some(const GtiBulk* bulk, GtVec3 normal, float offset, int32_t limit)
{
    int32_t step = bulk->cell_count / limit + 1;
    float sum = 0.0f;
    int32_t count = 0;
    for (int32_t i = step / 2; i < bulk->cell_count; i += step, ++count) {
        GtVec3 p = bulk->cells[i];
        GtVec3 image = gt_vec3_sub(p, gt_vec3_scale(normal, 2.0f * (gt_vec3_dot(p, normal) - offset)));
        float out = gti_solid_distance(bulk->solid, image) / miss;
        sum += out <= 0.0f ? 1.0f : out < 1.0f ? 1.0f - out : 0.0f;
    }
    return count > 0 ? sum / (float)count : 0.0f;
}

float gti_mirror_score(const GtiBulk* bulk, GtVec3 normal, float offset)
{
    return score_some(bulk, normal, offset, 4 * SAMPLE_COUNT);
}

static GtVec3 turned(GtVec3 n, GtVec3 towards, float by)
{
    return gt_vec3_normalize_or(gt_vec3_add(n, gt_vec3_scale(towards, by)), n);
}

static void refine(const GtiBulk* bulk, GtVec3 across, GtiMirror* mirror)
{
    bool fixed = gt_vec3_dot(across, across) > 0.0f;
    for (int halved = 0; halved < 5; ++halved) {
        float step = 0.06f / (float)(1 << halved);
        bool better = true;
        for (int round = 0; better && round < ROUND_LIMIT; ++round) {
            GtVec3 a;
            GtVec3 b;
            gti_tangents(mirror->normal, &a, &b);
            a = fixed ? gt_vec3_cross(mirror->normal, across) : a;
            better = false;
            for (int way = 0; way < 6; ++way) {
                float sign = way % 2 ? -step : step;
                GtiMirror tried = *mirror;
                if (way < 4) {
                    if (way >= 2 && fixed) {
                        continue;
                    }
                    GtVec3 n = turned(mirror->normal, way < 2 ? a : b, sign);
                    // About the middle, so that turning does not shift.
                    tried.offset += gt_vec3_dot(gt_vec3_sub(n, mirror->normal), bulk->middle);
                    tried.normal = n;
                } else {
                    tried.offset += 0.3f * sign;
                }
                tried.score = score_some(bulk, tried.normal, tried.offset, SAMPLE_COUNT);
                if (tried.score > mirror->score + 1e-5f) {
                    *mirror = tried;
                    better = true;
                }
            }
        }
    }
}

// Keep the best that are apart from each other, best first.
static void offer(GtiMirror* mirrors, int32_t* count, GtiMirror offered)
{
    for (int32_t i = 0; i < *count; ++i) {
        if (fabsf(gt_vec3_dot(mirrors[i].normal, offered.normal)) > apart) {
            if (offered.score <= mirrors[i].score) {
                return;
            }
            for (int32_t k = i; k + 1 < *count; ++k) {
                mirrors[k] = mirrors[k + 1];
            }
            --*count;
            --i;
        }
    }
    bool full = *count == GTI_MIRROR_LIMIT;
    if (full && mirrors[GTI_MIRROR_LIMIT - 1].score >= offered.score) {
        return;
    }
    int32_t at = full ? GTI_MIRROR_LIMIT - 1 : (*count)++;
    for (; at > 0 && mirrors[at - 1].score < offered.score; --at) {
        mirrors[at] = mirrors[at - 1];
    }
    mirrors[at] = offered;
}

// Directions spiral over the hemisphere; those at right angles to `across` go round it. The space's own axes and those
// of the spread come first.
static GtVec3 direction(const GtiBulk* bulk, GtVec3 across, int32_t i)
{
    if (gt_vec3_dot(across, across) > 0.0f) {
        GtVec3 a;
        GtVec3 b;
        gti_tangents(across, &a, &b);
        float turn = (float)i * (float)(GTI_PI / DIRECTION_COUNT);
        return gt_vec3_add(gt_vec3_scale(a, cosf(turn)), gt_vec3_scale(b, sinf(turn)));
    }
    if (i < 3) {
        return gt_vec3(i == 0, i == 1, i == 2);
    }
    if (i < 6) {
        return bulk->axes[i - 3];
    }
    float z = ((float)i - 5.5f) / (float)(DIRECTION_COUNT - 6);
    float turn = 2.3999632f * (float)i; // the golden angle
    float out = sqrtf(fmaxf(1.0f - z * z, 0.0f));
    return gt_vec3(out * cosf(turn), out * sinf(turn), z);
}

int32_t gti_mirrors_find(const GtiBulk* bulk, GtVec3 across, GtiMirror out[GTI_MIRROR_LIMIT])
{
    GtiMirror coarse[GTI_MIRROR_LIMIT];
    int32_t coarse_count = 0;
    for (int32_t i = 0; i < DIRECTION_COUNT; ++i) {
        GtVec3 n = direction(bulk, across, i);
        float offset = gt_vec3_dot(n, bulk->middle);
        offer(coarse, &coarse_count, (GtiMirror){ n, offset, score_some(bulk, n, offset, SAMPLE_COUNT / 2) });
    }
    int32_t count = 0;
    for (int32_t i = 0; i < coarse_count && coarse[i].score > coarse[0].score - hopeless; ++i) {
        coarse[i].score = score_some(bulk, coarse[i].normal, coarse[i].offset, SAMPLE_COUNT);
        refine(bulk, across, &coarse[i]);
        offer(out, &count, coarse[i]);
    }
    return count;
}
