// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where limbs leave the trunk their turns must end, or a lifted thigh takes the belly along and a lifted arm the chest.
// Planes across the limb's bone do not find the trunk there: above a thigh they cut the belly, and inside of an arm
// that hangs down the neck. So hips are marked across the trunk, and the trunk around an arm by its distance from where
// the arm's own surface ends.

#include "harmonic/markers/find.h"
#include "harmonic/markers/rings.h"

#include <math.h>

static const float girdle_height = 0.3f; // above the joints of the legs, in radii of a thigh
static const float girdle_radius = 0.1f; // at most, of the length of a thigh
static const float collar_width = 0.6f;  // from where the arm ends, in its radii
static const float collar_slack = 1.5f;  // times that is the most
static const float collar_reach = 10.0f; // times that from the arm's joint is too far

static int32_t bone_of(const GtiPlacer* k, GtHumanoidJoint joint)
{
    for (int32_t b = 0; b < k->bones.count; ++b) {
        if (k->bones.bones[b].joint == (int32_t)joint) {
            return b;
        }
    }
    return GT_NONE;
}

bool gti_place_girdle(GtiPlacer* k, int32_t hips)
{
    int32_t left = bone_of(k, GT_HUMANOID_LEFT_UPPER_LEG);
    int32_t right = bone_of(k, GT_HUMANOID_RIGHT_UPPER_LEG);
    int32_t chest = bone_of(k, GT_HUMANOID_CHEST);
    if (left == GT_NONE || right == GT_NONE) {
        return false;
    }
    const GtiMarkerBone* leg = &k->bones.bones[left];
    GtVec3 middle = gt_vec3_lerp(leg->from, k->bones.bones[right].from, 0.5f);
    GtVec3 top = chest == GT_NONE ? k->bones.bones[hips].to : k->bones.bones[chest].from;
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3_sub(top, middle), gt_vec3(0.0f, 1.0f, 0.0f));
    float thigh = 0.5f * (gti_placer_girth(k, left, 0.25f) + gti_placer_girth(k, right, 0.25f));
    GtVec3 center = gt_vec3_add(middle, gt_vec3_scale(axis, girdle_height * thigh));
    GtiHit hits[GTI_MAX_RING * GTI_RING_LAYERS];
    int32_t count = gti_ring_cast(k->shell, &k->bones, hips, center, axis, k->def->ring_size, hits);
    for (int32_t i = 0; i < count; ++i) {
        gti_placer_add(k, hips, hits[i].triangle, GTI_RADIUS_SHARE * hits[i].distance_m, girdle_radius * leg->length_m,
                       0.0f);
    }
    k->report.ring_count += count > 0;
    return count > 0;
}

static bool hangs_on(const GtiBoneTree* bones, int32_t bone, int32_t above)
{
    while (bone != GT_NONE && bone != above) {
        bone = bones->bones[bone].parent;
    }
    return bone == above;
}

// Distance from the points around the surface of a bone that are another's.
static float distance_from_bone(const GtiPlacer* k, const int32_t* rim, int32_t rim_count, GtVec3 p)
{
    float least = INFINITY;
    for (int32_t i = 0; i < rim_count; ++i) {
        GtVec3 way = gt_vec3_sub(p, k->shell->positions[rim[i]]);
        least = fminf(least, gt_vec3_dot(way, way));
    }
    return sqrtf(least);
}

static int32_t find_rim(const GtiPlacer* k, int32_t bone, int32_t* rim)
{
    int32_t count = 0;
    for (int32_t i = 0; i < k->border_count; ++i) {
        int32_t point = k->borders[i];
        bool is_near = false;
        for (int32_t f = k->fans.starts[point]; f < k->fans.starts[point + 1] && !is_near; ++f) {
            const uint32_t* c = &k->shell->corners[3 * (size_t)k->fans.triangles[f]];
            is_near = k->bones.of_points[c[0]] == bone || k->bones.of_points[c[1]] == bone ||
                      k->bones.of_points[c[2]] == bone;
        }
        if (is_near && k->bones.of_points[point] != bone) {
            rim[count++] = point;
        }
    }
    return count;
}

// For each direction around an arm, the triangle of the collar that lies in it best.
typedef struct Collar {
    GtVec3 from, u, v;
    float width_m;
    int32_t count;
    int32_t triangles[GTI_MAX_RING];
    float costs[GTI_MAX_RING];
} Collar;

static void offer(Collar* collar, int32_t triangle, GtVec3 place, float distance_m)
{
    float step = 6.2831853f / (float)collar->count;
    GtVec3 off = gt_vec3_sub(place, collar->from);
    float angle = atan2f(gt_vec3_dot(off, collar->v), gt_vec3_dot(off, collar->u)) / step;
    float nearest = roundf(angle);
    int32_t i = ((int32_t)nearest + collar->count) % collar->count;
    float cost = fabsf(angle - nearest) + (distance_m / collar->width_m - 1.0f);
    if (cost < collar->costs[i]) {
        collar->costs[i] = cost;
        collar->triangles[i] = triangle;
    }
}

static bool may_bear(const GtiPlacer* k, int32_t arm, int32_t triangle, const Collar* collar)
{
    int32_t bone = k->bones.of_triangles[triangle];
    const GtiShell* shell = k->shell;
    GtVec3 off = gt_vec3_sub(gti_shell_middle(shell, triangle), collar->from);
    GtVec3 out = gt_vec3_add(gt_vec3_scale(collar->u, gt_vec3_dot(off, collar->u)),
                             gt_vec3_scale(collar->v, gt_vec3_dot(off, collar->v)));
    return bone != arm && gt_vec3_length(off) <= collar_reach * collar->width_m && hangs_on(&k->bones, arm, bone) &&
           !k->is_known[bone] && gt_vec3_dot(gti_shell_normal(shell, triangle), out) > 0.0f &&
           shell->piece_areas[shell->pieces[shell->corners[3 * (size_t)triangle]]] >= GTI_LARGE_PIECE * shell->area_m2;
}

void gti_place_collar(GtiPlacer* k, int32_t arm, float radius_m)
{
    const GtiMarkerBone* bone = &k->bones.bones[arm];
    GtVec3 ahead = fabsf(bone->axis.z) < 0.8f ? gt_vec3(0.0f, 0.0f, 1.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 along = gt_vec3_scale(bone->axis, gt_vec3_dot(ahead, bone->axis));
    Collar collar = { .from = bone->from,
                      .u = gt_vec3_normalize_or(gt_vec3_sub(ahead, along), ahead),
                      .width_m = collar_width * radius_m,
                      .count = k->def->ring_size };
    collar.v = gt_vec3_cross(bone->axis, collar.u);
    for (int32_t i = 0; i < collar.count; ++i) {
        collar.costs[i] = INFINITY;
    }
    GtArenaMark mark = gt_arena_mark(&k->scratch);
    int32_t* rim = gt_arena_push(&k->scratch, (size_t)k->border_count * sizeof *rim);
    int32_t rim_count = rim ? find_rim(k, arm, rim) : 0;
    for (int32_t t = 0; t < k->shell->triangle_count && rim_count > 0; ++t) {
        GtVec3 place = gti_shell_middle(k->shell, t);
        if (may_bear(k, arm, t, &collar)) {
            float distance_m = distance_from_bone(k, rim, rim_count, place);
            if (distance_m >= collar.width_m && distance_m <= collar_slack * collar.width_m) {
                offer(&collar, t, place, distance_m);
            }
        }
    }
    gt_arena_reset(&k->scratch, mark);
    for (int32_t i = 0; i < collar.count; ++i) {
        if (collar.costs[i] < INFINITY) {
            int32_t owner = k->bones.of_triangles[collar.triangles[i]];
            gti_placer_add(k, owner, collar.triangles[i], 0.5f * collar.width_m, collar.width_m, 0.0f);
        }
    }
}
