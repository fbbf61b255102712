// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which way a figure stands. Its mirror plane holds up and front; in the best planes all likely directions are tried as
// up, and profiles along them compared with a figure's: two legs apart at the bottom and not at the top, a head in the
// middle at the top, widest somewhere between, taller than deep. The file's own axes are taken where they are as good.

#include "rig/body/parts.h"

#include "gertie/surface.h"

#include "base/direction.h"
#include "base/fail.h"
#include "base/scalar.h"
#include "rig/orient/front.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    BIN_COUNT = 50,       // of a profile along up
    CELLS_PER_SIZE = 80,  // of the solid that is looked at
    CELL_LIMIT = 1 << 20, // likewise
    THIN_FROM = 60000,    // triangles; more are thinned out first
    CELL_LEAST = 50,      // that are inside anything worth looking at
    WAY_LIMIT = 12        // directions tried in a plane
};

static const float snap_cosine = 0.9986f; // within 3 degrees, the file's axes are meant
static const float sure_symmetry = 0.85f; // from which on a plane is taken for that between left and right
static const float least_symmetry = 0.5f; // down to which it tells anything
static const float usual_odds = 0.5f;     // logarithm of those that a figure faces as most files have it

// What lies at one height.
typedef struct Bin {
    int32_t left, right, centre; // cells on the sides, and in the mirror plane
    float widest;                // farthest from the plane
} Bin;

typedef struct Profile {
    Bin bins[BIN_COUNT];
    float cell;
    float ground, height, depth;
    float lean; // of the middle, to the front or back of what stands on the ground, in heights
} Profile;

// Cells between two heights and within some distance of the mirror plane: where they are along the front.
typedef struct Slab {
    float low, high, mean;
    float widest;
    int32_t count;
} Slab;

typedef struct Stance {
    GtiMirror mirror;
    GtVec3 up;
    float score;
} Stance;

static GtVec3 axis_vector(GtRigAxis axis)
{
    float sign = axis >= GT_RIG_AXIS_MINUS_X ? -1.0f : 1.0f;
    int along = axis == GT_RIG_AXIS_AUTO ? -1 : ((int)axis - (int)GT_RIG_AXIS_X) % 3;
    return gt_vec3(along == 0 ? sign : 0.0f, along == 1 ? sign : 0.0f, along == 2 ? sign : 0.0f);
}

static Slab measure_slab(const GtiBulk* bulk, const Stance* stance, const Profile* profile, const float heights[2],
                         float within)
{
    GtVec3 front = gt_vec3_cross(stance->mirror.normal, stance->up);
    Slab slab = { .low = FLT_MAX, .high = -FLT_MAX };
    double sum = 0.0;
    for (int32_t i = 0; i < bulk->cell_count; ++i) {
        GtVec3 p = bulk->cells[i];
        float at = (gt_vec3_dot(p, stance->up) - profile->ground) / profile->height;
        float side = fabsf(gt_vec3_dot(p, stance->mirror.normal) - stance->mirror.offset);
        if (at >= heights[0] && at < heights[1] && side <= within) {
            float z = gt_vec3_dot(p, front);
            slab.low = fminf(slab.low, z);
            slab.high = fmaxf(slab.high, z);
            slab.widest = fmaxf(slab.widest, side);
            sum += (double)z;
            ++slab.count;
        }
    }
    slab.mean = slab.count > 0 ? (float)(sum / slab.count) : 0.0f;
    return slab;
}

static void measure_profile(const GtiBulk* bulk, const Stance* stance, Profile* out)
{
    *out = (Profile){ .height = 0.0f };
    GtVec3 front = gt_vec3_cross(stance->mirror.normal, stance->up);
    float low[2] = { FLT_MAX, FLT_MAX };
    float high[2] = { -FLT_MAX, -FLT_MAX };
    for (int32_t i = 0; i < bulk->cell_count; ++i) {
        float at[2] = { gt_vec3_dot(bulk->cells[i], stance->up), gt_vec3_dot(bulk->cells[i], front) };
        for (int k = 0; k < 2; ++k) {
            low[k] = fminf(low[k], at[k]);
            high[k] = fmaxf(high[k], at[k]);
        }
    }
    float cell = bulk->solid->cell;
    out->cell = cell;
    out->ground = low[0] - 0.5f * cell;
    out->height = high[0] - low[0] + cell;
    out->depth = high[1] - low[1] + cell;
    for (int32_t i = 0; i < bulk->cell_count; ++i) {
        GtVec3 p = bulk->cells[i];
        float at = (gt_vec3_dot(p, stance->up) - out->ground) / out->height;
        float side = gt_vec3_dot(p, stance->mirror.normal) - stance->mirror.offset;
        Bin* b = &out->bins[(int)fminf(at * BIN_COUNT, BIN_COUNT - 1)];
        b->left += side > 0.75f * cell;
        b->right += side < -0.75f * cell;
        b->centre += fabsf(side) <= 0.75f * cell;
        b->widest = fmaxf(b->widest, fabsf(side));
    }
    Slab feet = measure_slab(bulk, stance, out, (const float[2]){ 0.0f, 0.06f }, FLT_MAX);
    float middle = gt_vec3_dot(bulk->middle, front);
    out->lean = fmaxf(fmaxf(feet.low - middle, middle - feet.high), 0.0f) / out->height;
}

// Share of the bins between two heights that are of two legs: something on either side, next to nothing between.
static float legs_share(const Profile* profile, float from, float to)
{
    int count = 0;
    int legs = 0;
    for (int i = (int)(from * BIN_COUNT); i < (int)(to * BIN_COUNT); ++i, ++count) {
        const Bin* b = &profile->bins[i];
        float even = (float)(b->left + b->right) * 0.75f * profile->cell / b->widest; // were all between the same
        legs += b->left > 0 && b->right > 0 && (float)b->centre < 0.25f * even;
    }
    return (float)legs / (float)count;
}

// Share of the bins that are of a head: in the middle, and narrow.
static float head_share(const Profile* profile, float from, float to)
{
    int count = 0;
    int heads = 0;
    for (int i = (int)(from * BIN_COUNT); i < (int)(to * BIN_COUNT); ++i, ++count) {
        const Bin* b = &profile->bins[i];
        heads += b->centre > 0 && b->widest < 0.3f * profile->height;
    }
    return (float)heads / (float)count;
}

static float arms_height(const Profile* profile)
{
    int best = 0;
    for (int i = 1; i < BIN_COUNT; ++i) {
        best = profile->bins[i].widest > profile->bins[best].widest ? i : best;
    }
    return ((float)best + 0.5f) / BIN_COUNT;
}

static float score_stance(const GtiBulk* bulk, const Stance* stance)
{
    Profile profile;
    measure_profile(bulk, stance, &profile);
    float legs = legs_share(&profile, 0.06f, 0.34f) - legs_share(&profile, 0.66f, 0.94f);
    float head = head_share(&profile, 0.9f, 1.0f) - head_share(&profile, 0.0f, 0.1f);
    float slender = gti_clampf(0.5f * (profile.height / profile.depth - 1.0f), 0.0f, 1.0f);
    float arms = arms_height(&profile);
    float score = 8.0f * stance->mirror.score + 2.0f * legs + head + slender;
    score += 1.0f - gti_clampf(profile.lean / 0.1f, 0.0f, 1.0f); // it stands
    score += arms > 0.35f && arms < 0.92f ? 0.5f : 0.0f;
    // Files are Y up when nothing speaks against it, else Z up, else they are up along some axis at least.
    GtVec3 up = stance->up;
    bool along = fmaxf(fabsf(up.x), fmaxf(fabsf(up.y), fabsf(up.z))) > snap_cosine;
    score += along ? 0.3f : 0.0f;
    score += up.y > snap_cosine ? 0.3f : up.z > snap_cosine ? 0.1f : 0.0f;
    return score;
}

// Directions in a mirror plane that may be up: axes of the space, and of the spread.
static int find_ways(const GtiBulk* bulk, GtVec3 normal, GtVec3 ways[WAY_LIMIT])
{
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        GtVec3 candidates[2] = { gt_vec3(i == 0, i == 1, i == 2), bulk->axes[i] };
        for (int k = 0; k < 2; ++k) {
            float along = gt_vec3_dot(candidates[k], normal);
            if (fabsf(along) > 0.5f) {
                continue;
            }
            GtVec3 way = gt_vec3_sub(candidates[k], gt_vec3_scale(normal, along));
            way = gt_vec3_normalize_or(way, candidates[k]);
            ways[count++] = way;
            ways[count++] = gt_vec3_scale(way, -1.0f);
        }
    }
    return count;
}

// Take a plane and a direction in it to the file's own axes where they are nearly those.
static void snap(const GtiBulk* bulk, Stance* stance)
{
    GtVec3 up = gti_nearest_axis(stance->up);
    GtVec3 normal = gti_nearest_axis(stance->mirror.normal);
    if (gt_vec3_dot(up, stance->up) > snap_cosine && gt_vec3_dot(normal, stance->mirror.normal) > snap_cosine) {
        stance->mirror.offset += gt_vec3_dot(gt_vec3_sub(normal, stance->mirror.normal), bulk->middle);
        stance->mirror.normal = normal;
        stance->up = up;
    }
}

// The best stance, and the best with another up.
static void find_stances(const GtiBulk* bulk, GtVec3 told_up, Stance* best, Stance* second)
{
    GtiMirror mirrors[GTI_MIRROR_LIMIT];
    int32_t mirror_count = gti_mirrors_find(bulk, told_up, mirrors);
    Stance stances[GTI_MIRROR_LIMIT * WAY_LIMIT];
    int count = 0;
    *best = *second = (Stance){ .score = -FLT_MAX };
    for (int32_t m = 0; m < mirror_count; ++m) {
        GtVec3 ways[WAY_LIMIT] = { told_up };
        int way_count = gt_vec3_dot(told_up, told_up) > 0.0f ? 1 : find_ways(bulk, mirrors[m].normal, ways);
        for (int w = 0; w < way_count; ++w) {
            Stance stance = { mirrors[m], ways[w], 0.0f };
            snap(bulk, &stance);
            stance.score = score_stance(bulk, &stance);
            stances[count++] = stance;
            *best = stance.score > best->score ? stance : *best;
        }
    }
    for (int i = 0; i < count; ++i) {
        bool other = gt_vec3_dot(stances[i].up, best->up) < 0.7f;
        *second = other && stances[i].score > second->score ? stances[i] : *second;
    }
}

// From body space with its front as told to the space of the solid.
static GtMat34 stand(const GtiBulk* bulk, const Stance* stance, GtVec3 front)
{
    Profile profile;
    measure_profile(bulk, stance, &profile);
    GtVec3 left = gt_vec3_cross(stance->up, front);
    float side = gt_vec3_dot(left, stance->mirror.normal) > 0.0f ? stance->mirror.offset : -stance->mirror.offset;
    GtVec3 origin = gt_vec3_add(gt_vec3_scale(left, side), gt_vec3_scale(stance->up, profile.ground));
    origin = gt_vec3_add(origin, gt_vec3_scale(front, gt_vec3_dot(bulk->middle, front)));
    const GtVec3 columns[4] = { gt_vec3_scale(left, profile.height), gt_vec3_scale(stance->up, profile.height),
                                gt_vec3_scale(front, profile.height), origin };
    GtMat34 m;
    for (int i = 0; i < 4; ++i) {
        m.m[0][i] = columns[i].x;
        m.m[1][i] = columns[i].y;
        m.m[2][i] = columns[i].z;
    }
    return m;
}

// Most files have the figure face +Z where they are Y up, and -Y where they are Z up.
static float usual_front(GtVec3 up, GtVec3 front)
{
    float along = up.y > snap_cosine ? front.z : up.z > snap_cosine ? -front.y : 0.0f;
    return fabsf(along) > snap_cosine ? usual_odds * along : 0.0f;
}

static bool face(const GtContext* context, const GtiRigBody* body, const GtiBulk* bulk, const Stance* stance,
                 GtVec3 told_front, GtiUpright* out)
{
    GtVec3 front = gt_vec3_cross(stance->mirror.normal, stance->up);
    float told = gt_vec3_dot(told_front, front);
    float odds = told;
    if (told == 0.0f) {
        GtiFrontSigns signs;
        GtMat34 solid_from_body = stand(bulk, stance, front);
        if (!gti_front_find_signs(context, body, bulk->solid, &solid_from_body, &signs)) {
            return false;
        }
        odds = gti_front_log_odds(&signs) + usual_front(stance->up, front);
    }
    out->up = stance->up;
    out->front = odds < 0.0f ? gt_vec3_scale(front, -1.0f) : front;
    out->left = gt_vec3_cross(out->up, out->front);
    out->middle = gt_vec3_dot(out->left, stance->mirror.normal) > 0.0f ? stance->mirror.offset : -stance->mirror.offset;
    // Where left and right differ much, as in poses, the plane may be another.
    float plane = gti_clampf((out->symmetry - least_symmetry) / (sure_symmetry - least_symmetry), 0.0f, 1.0f);
    out->front_confidence = told != 0.0f ? 1.0f : 0.5f + plane * (1.0f / (1.0f + expf(-fabsf(odds))) - 0.5f);
    return true;
}

static bool look(const GtContext* context, const GtiRigBody* body, const GtiBulk* bulk, GtVec3 told_up,
                 GtVec3 told_front, GtiUpright* out)
{
    Stance best;
    Stance second;
    bool up = gt_vec3_dot(told_up, told_up) > 0.0f;
    bool front = gt_vec3_dot(told_front, told_front) > 0.0f;
    if (front && !up) { // then the plane is not told, but holds the front
        find_stances(bulk, gt_vec3(0.0f, 0.0f, 0.0f), &best, &second);
    } else {
        find_stances(bulk, told_up, &best, &second);
    }
    if (up && front) {
        best.mirror.normal = gt_vec3_cross(told_up, told_front);
        best.mirror.offset = gt_vec3_dot(best.mirror.normal, bulk->middle);
    }
    out->symmetry = gti_mirror_score(bulk, best.mirror.normal, best.mirror.offset);
    out->up_confidence = up ? 1.0f : 1.0f - 0.5f * expf(-(best.score - second.score) / 0.6f);
    return face(context, body, bulk, &best, told_front, out);
}

// Whether all but a hundredth of the area faces along one line: a card, a relief, or nothing at all.
static bool is_flat(const GtiTrimesh* skin)
{
    double sums[3][3] = { { 0.0 } };
    double area = 0.0;
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        GtVec3 a = skin->positions[skin->triangles[t][0]];
        GtVec3 b = gt_vec3_sub(skin->positions[skin->triangles[t][1]], a);
        GtVec3 c = gt_vec3_sub(skin->positions[skin->triangles[t][2]], a);
        GtVec3 n = gt_vec3_cross(b, c);
        const double v[3] = { (double)n.x, (double)n.y, (double)n.z };
        double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int i = 0; length > 0.0 && i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                sums[i][k] += v[i] * v[k] / length;
            }
        }
        area += length;
    }
    double way[3] = { 0.577, 0.577, 0.577 };
    double most = 0.0;
    for (int round = 0; round < 50; ++round) { // towards the line that most of the area faces along
        double next[3];
        for (int i = 0; i < 3; ++i) {
            next[i] = sums[i][0] * way[0] + sums[i][1] * way[1] + sums[i][2] * way[2];
        }
        most = sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2]);
        for (int i = 0; i < 3; ++i) {
            way[i] = next[i] / fmax(most, 1e-30) + 1e-9 * (i + 1);
        }
    }
    return !(most < 0.99 * area);
}

// Join vertices of a grid of a third of a cell, which leaves winding numbers whole: the triangles of a fine mesh are
// mostly gone then.
static GtResult thin_out(const GtContext* context, float cell, GtArena* scratch, GtiTrimesh* skin, GtError* error)
{
    size_t count = (size_t)skin->vertex_count;
    float step = cell / 3.0f;
    GtVec3* snapped = gt_arena_push(scratch, count * sizeof *snapped);
    int32_t* points = gt_arena_push(scratch, count * sizeof *points);
    int32_t* firsts = gt_arena_push(scratch, count * sizeof *firsts);
    int32_t(*triangles)[3] = gt_arena_push(scratch, (size_t)skin->triangle_count * sizeof *triangles);
    if (!snapped || !points || !firsts || !triangles) {
        return gti_out_of_memory(error);
    }
    for (int32_t v = 0; v < skin->vertex_count; ++v) {
        GtVec3 p = gt_vec3_scale(skin->positions[v], 1.0f / step);
        snapped[v] = gt_vec3_scale(gt_vec3(rintf(p.x), rintf(p.y), rintf(p.z)), step);
    }
    int32_t kept = 0;
    GtResult result = gt_weld_vertices(context, snapped, skin->vertex_count, 0.0f, points, firsts, &kept, error);
    if (result != GT_OK) {
        return result;
    }
    for (int32_t p = 0; p < kept; ++p) { // firsts ascend, so none is overwritten before it is read
        snapped[p] = snapped[firsts[p]];
    }
    int32_t triangle_count = 0;
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        const int32_t* c = skin->triangles[t];
        const int32_t joined[3] = { points[c[0]], points[c[1]], points[c[2]] };
        if (joined[0] != joined[1] && joined[1] != joined[2] && joined[2] != joined[0]) {
            memcpy(triangles[triangle_count++], joined, sizeof joined);
        }
    }
    *skin = (GtiTrimesh){ snapped, kept, triangles, triangle_count };
    return GT_OK;
}

static float size_of(const GtiTrimesh* skin)
{
    float low[3] = { FLT_MAX, FLT_MAX, FLT_MAX };
    float high[3] = { -FLT_MAX, -FLT_MAX, -FLT_MAX };
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        for (int c = 0; c < 3; ++c) {
            GtVec3 p = skin->positions[skin->triangles[t][c]];
            const float at[3] = { p.x, p.y, p.z };
            for (int k = 0; k < 3; ++k) {
                low[k] = at[k] < low[k] ? at[k] : low[k];
                high[k] = at[k] > high[k] ? at[k] : high[k];
            }
        }
    }
    return fmaxf(fmaxf(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
}

GtResult gti_body_find_upright(const GtContext* context, const GtiRigBody* body, GtRigAxis up, GtRigAxis front,
                               GtiUpright* out, GtError* error)
{
    GtVec3 told_up = axis_vector(up);
    GtVec3 told_front = axis_vector(front);
    if (fabsf(gt_vec3_dot(told_up, told_front)) > 0.5f) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "up and front cannot lie along the same axis");
    }
    GtiTrimesh skin = gti_body_skin(body);
    if (is_flat(&skin)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "it is flat: there is no volume for a skeleton");
    }
    GtArena scratch = gt_arena_create(context->allocator);
    float cell = size_of(&skin) / CELLS_PER_SIZE;
    GtiSolid solid;
    GtiBulk bulk;
    GtResult result = GT_OK;
    if (skin.triangle_count > THIN_FROM) {
        result = thin_out(context, cell, &scratch, &skin, error);
    }
    if (result == GT_OK) {
        result = gti_solid_make(context, &skin, cell, CELL_LIMIT, &scratch, &solid, error);
    }
    if (result == GT_OK && !gti_bulk_make(&solid, &scratch, &bulk)) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK && bulk.cell_count < CELL_LEAST) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "it encloses no volume for a skeleton");
    }
    if (result == GT_OK) {
        result = look(context, body, &bulk, told_up, told_front, out) ? GT_OK : gti_out_of_memory(error);
    }
    gt_arena_destroy(&scratch);
    return result;
}
