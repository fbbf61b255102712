// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where Baran and Popovic 2007, section 3.4, descend along one energy of all joints, each limb here has one unknown:
// its size. Its joints sit on the line through its middle, measured from its end, which a mesh shows well; the limb is
// as large as makes the joint next to the trunk (shoulder, hip) stand from its fork as it does in the given skeleton.
// The forks give way to what their limbs agree on. Both are found in turns.

#include "rig/medial/refine.h"

#include "gertie/quat.h"
#include "rig/medial/refine_parts.h"

#include <float.h>
#include <math.h>

#define TURN_COUNT      6
#define GIRDLE_REACH    0.16f // in heights: joints of a limb this near to its fork, as given, are of the trunk
#define GIRDLE_LEAST    0.7f  // of their distance from the middle plane, as given: less have such joints never
#define SCALE_RANGE     1.6f  // times the first guess, either way
#define SCALE_STEPS     96
#define AXIS_LENGTH     0.06f  // in heights, of a limb that tells its direction
#define OTHER_WEIGHT    0.3f   // of height and depth of the joint next to the trunk, in the size of a level limb
#define ANCHOR_WEIGHT   1.0f   // of where the body shows a fork to be, beside each of its limbs
#define ROD_WEIGHT      4.0f   // of that, in the size of a limb
#define FIST_RATIO      1.25f  // a hand that is open is no longer, in limbs that end in a fist
#define GUESS_WEIGHT    0.002f // of the first guess, in square heights at the end of the range
#define FORK_MOST       0.07f  // in heights, that limbs move it
#define TWIN_RATIO      1.08f  // limbs of a pair that differ less are taken for equal
#define TWIN_DISTANCE   0.05f  // in heights: joints of a pair nearer than this to mirroring each other do, in a
#define TWIN_SYMMETRY   0.99f  // body of this symmetry, and in less symmetric ones nearer ones, down to none
#define TWIN_NONE       0.95f
#define WAY_RATIO       1.05f // a way of a pair that is as much longer than the other is mistaken, in a body of
#define WAY_RATIO_LOOSE 1.25f // that symmetry, and this much in one that has none
#define WAY_DISTANCE    0.2f  // in heights, between the ends of such ways
#define SYMMETRY_LEAST  0.6f
#define ON_PLANE        0.02f // in heights: joints of no pair are on the middle plane when the given ones are this near
#define SAME_PLACE      1e-4f
#define CROTCH_DEPTH    0.02f  // in heights: thighs that touch are less deep between them
#define CROTCH_RANGE    0.06f  // in heights, to the front and the back
#define CROTCH_MOST     0.2f   // in heights, below the sphere of the hips
#define CROTCH_TO_HIP   0.028f // in heights, from there up to the hip joints: 0.023 to 0.035 on people

static float span(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

static GtVec3 mirrored(GtVec3 p)
{
    return gt_vec3(-p.x, p.y, p.z);
}

// A limb leaves the trunk at a fork, to one side, and ends.
static bool is_limb(const GtiRefiner* r, int32_t k)
{
    const GtiMedialKnot* knot = &r->tree->knots[k];
    int32_t sibling_count = 0;
    for (int32_t i = 0; i < r->tree->knot_count; ++i) {
        sibling_count += r->tree->knots[i].parent == knot->parent;
    }
    return knot->parent != GT_NONE && knot->is_leaf && knot->mirror != k && sibling_count > 1;
}

static void find_girdle(GtiRefiner* r, int32_t k)
{
    const GtiMedialKnot* knot = &r->tree->knots[k];
    GtiRefinedLimb* limb = &r->limbs[k];
    GtVec3 fork = r->tree->knots[knot->parent].position;
    limb->girdle = GT_NONE;
    for (int32_t i = 0; i + 1 < knot->chain_count && is_limb(r, k); ++i) {
        if (span(gti_chain_rest(r->tree, knot, i), fork) < GIRDLE_REACH) {
            limb->girdle = i;
            limb->offset = gt_vec3_sub(gti_chain_rest(r->tree, knot, i), fork);
        }
    }
    limb->beyond = limb->girdle == GT_NONE ? knot->length : gti_rest_to_end(r->tree, knot, limb->girdle);
    limb->scale = limb->way.length / fmaxf(knot->length, 1e-3f);
    GtVec3 near = gti_medial_way_from_end(&limb->way, limb->scale * limb->beyond);
    GtVec3 far = gti_medial_way_from_end(&limb->way, limb->scale * limb->beyond - AXIS_LENGTH);
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3_sub(far, near), gt_vec3(0.0f, 0.0f, 0.0f));
    limb->lateral = fminf(2.0f * axis.x * axis.x, 1.0f);
}

static bool make_ways(GtiRefiner* r, GtArena* scratch)
{
    const GtiRefineDef* def = r->def;
    for (int32_t k = 0; k < r->tree->knot_count; ++k) {
        const GtiMedialKnot* knot = &r->tree->knots[k];
        const GtiSphere* sphere = &def->graph->spheres[def->spheres[k]];
        r->anchors[k] = sphere->center;
        if (knot->mirror == k && def->body->symmetry > SYMMETRY_LEAST && !knot->is_pinned) {
            r->anchors[k].x = 0.0f;
        }
        r->forks[k] = r->anchors[k];
        if (knot->parent == GT_NONE) {
            continue;
        }
        GtiRefinedLimb* limb = &r->limbs[k];
        int32_t from = def->spheres[knot->parent];
        if (!gti_medial_way_make(def->solid, def->graph, from, def->spheres[k], scratch, &limb->way)) {
            return false;
        }
        if (knot->is_leaf) {
            float bone = span(r->tree->rest[knot->tail], knot->position);
            if (!gti_medial_way_reach(def->solid, def->body->points, def->body->point_count, bone, scratch,
                                      &limb->way)) {
                return false;
            }
        }
    }
    return true;
}

// How much of what holds for left and right of a symmetric body does for this one.
static float symmetry_share(const GtiRefiner* r)
{
    float share = (r->def->body->symmetry - TWIN_NONE) / (TWIN_SYMMETRY - TWIN_NONE);
    return fminf(fmaxf(share, 0.0f), 1.0f);
}

// Of two ways that end alike but differ, one took a detour: over a gap, through a head. Take the other's.
static bool share_way(GtiRefiner* r, int32_t k, GtArena* scratch)
{
    int32_t twin = r->tree->knots[k].mirror;
    if (twin == GT_NONE || twin == k || r->def->body->symmetry < SYMMETRY_LEAST || !is_limb(r, k)) {
        return true;
    }
    GtiMedialWay* way = &r->limbs[k].way;
    const GtiMedialWay* other = &r->limbs[twin].way;
    float ratio = WAY_RATIO_LOOSE + (WAY_RATIO - WAY_RATIO_LOOSE) * symmetry_share(r);
    if (r->tree->knots[twin].parent != r->tree->knots[k].parent || !(way->length > ratio * other->length) ||
        !(span(way->tip, mirrored(other->tip)) < WAY_DISTANCE)) {
        return true;
    }
    GtVec3* points = gt_arena_push_array(scratch, (size_t)other->count, sizeof *points);
    if (!points) {
        return false;
    }
    for (int32_t i = 0; i < other->count; ++i) {
        points[i] = mirrored(other->points[i]);
    }
    *way = *other;
    way->points = points;
    way->tip = mirrored(other->tip);
    return true;
}

// Of two rods of a pair, which both show where they begin, the one that seems shorter ends in a fist.
static bool share_length(GtiRefiner* r, int32_t k, GtArena* scratch)
{
    int32_t twin = r->tree->knots[k].mirror;
    if (twin == GT_NONE || twin == k || !is_limb(r, k)) {
        return true;
    }
    GtiMedialWay* way = &r->limbs[k].way;
    const GtiMedialWay* other = &r->limbs[twin].way;
    bool is_fist = gti_rod_share(way) > 0.5f && gti_rod_share(other) > 0.5f && way->outside < other->outside &&
                   FIST_RATIO * way->outside > other->outside;
    return !is_fist || gti_medial_way_lengthen(other->outside - way->outside, scratch, way);
}

static bool settle_ways(GtiRefiner* r, GtArena* scratch)
{
    for (int32_t k = 1; k < r->tree->knot_count; ++k) {
        if (!share_way(r, k, scratch)) {
            return false;
        }
    }
    for (int32_t k = 1; k < r->tree->knot_count; ++k) {
        if (is_limb(r, k)) {
            gti_medial_way_straighten(&r->limbs[k].way);
        }
    }
    for (int32_t k = 1; k < r->tree->knot_count; ++k) {
        if (!share_length(r, k, scratch)) {
            return false;
        }
        find_girdle(r, k);
    }
    return true;
}

// Depth of the body in the middle between its sides, at a height.
static float depth_between(const GtiSolid* solid, GtVec3 p)
{
    float depth = 0.0f;
    int32_t cells = (int32_t)(CROTCH_RANGE / solid->cell);
    for (int32_t i = -cells; i <= cells; ++i) {
        depth = fmaxf(depth, -gti_solid_distance(solid, gt_vec3(p.x, p.y, p.z + (float)i * solid->cell)));
    }
    return depth;
}

// A pelvis is one sphere among many in a trunk; where legs part tells its height better.
static void find_crotch(GtiRefiner* r, int32_t k)
{
    const GtiMedialKnot* knot = &r->tree->knots[k];
    const GtiRefinedLimb* limb = &r->limbs[k];
    if (limb->girdle == GT_NONE || r->tree->knots[knot->parent].is_pinned) {
        return;
    }
    int32_t joint = r->tree->chain[knot->chain_start + limb->girdle];
    if (r->skeleton->joints[joint].humanoid != GT_HUMANOID_LEFT_UPPER_LEG) {
        return;
    }
    GtVec3 fork = r->anchors[knot->parent];
    GtVec3 p = fork;
    while (p.y > fork.y - CROTCH_MOST && depth_between(r->def->solid, p) > CROTCH_DEPTH) {
        p.y -= 0.5f * r->def->solid->cell;
    }
    if (p.y > fork.y - CROTCH_MOST) {
        r->anchors[knot->parent].y = p.y + CROTCH_TO_HIP - limb->offset.y;
    }
}

// Where the joint next to the trunk is in a limb of that size; on its own side, also where both limbs point to one
// place.
static GtVec3 girdle_at(const GtiRefinedLimb* limb, float scale)
{
    GtVec3 joint = gti_medial_way_from_end(&limb->way, scale * limb->beyond);
    float least = GIRDLE_LEAST * scale * limb->offset.x;
    joint.x = limb->offset.x > 0.0f ? fmaxf(joint.x, least) : fminf(joint.x, least);
    return joint;
}

static float scale_cost(const GtiRefinedLimb* limb, GtVec3 fork, float scale)
{
    GtVec3 joint = girdle_at(limb, scale);
    GtVec3 off = gt_vec3_sub(gt_vec3_sub(joint, fork), gt_vec3_scale(limb->offset, scale));
    float other = 1.0f - (1.0f - OTHER_WEIGHT) * limb->lateral;
    float inside = scale * limb->beyond - limb->way.outside;
    return limb->lateral * off.x * off.x + other * (off.y * off.y + off.z * off.z) +
           ROD_WEIGHT * gti_rod_share(&limb->way) * inside * inside;
}

static void size_limb(GtiRefiner* r, int32_t k, float guess)
{
    GtiRefinedLimb* limb = &r->limbs[k];
    GtVec3 fork = r->forks[r->tree->knots[k].parent];
    float best = FLT_MAX;
    for (int32_t i = 0; i <= SCALE_STEPS; ++i) {
        float share = 2.0f * (float)i / SCALE_STEPS - 1.0f;
        float scale = guess * powf(SCALE_RANGE, share);
        float cost = scale_cost(limb, fork, scale) + GUESS_WEIGHT * share * share;
        if (cost < best) {
            best = cost;
            limb->scale = scale;
        }
    }
}

static void share_size(GtiRefiner* r, int32_t k)
{
    int32_t twin = r->tree->knots[k].mirror;
    if (twin == GT_NONE || twin < k || r->limbs[twin].girdle == GT_NONE) {
        return;
    }
    float ratio = r->limbs[k].scale / r->limbs[twin].scale;
    if (ratio < TWIN_RATIO && ratio > 1.0f / TWIN_RATIO) {
        r->limbs[k].scale = r->limbs[twin].scale = 0.5f * (r->limbs[k].scale + r->limbs[twin].scale);
    }
}

static void move_fork(GtiRefiner* r, int32_t f)
{
    const GtiMedialKnot* fork = &r->tree->knots[f];
    GtVec3 sum = gt_vec3_scale(r->anchors[f], ANCHOR_WEIGHT);
    float weight = ANCHOR_WEIGHT;
    for (int32_t k = f + 1; k < r->tree->knot_count; ++k) {
        const GtiRefinedLimb* limb = &r->limbs[k];
        if (r->tree->knots[k].parent == f && limb->girdle != GT_NONE) {
            GtVec3 joint = girdle_at(limb, limb->scale);
            sum = gt_vec3_add(sum, gt_vec3_sub(joint, gt_vec3_scale(limb->offset, limb->scale)));
            weight += 1.0f;
        }
    }
    GtVec3 off = gt_vec3_sub(gt_vec3_scale(sum, 1.0f / weight), r->anchors[f]);
    float farness = gt_vec3_length(off) / FORK_MOST;
    GtVec3 mean = gt_vec3_add(r->anchors[f], farness > 1.0f ? gt_vec3_scale(off, 1.0f / farness) : off);
    bool on_plane = fork->mirror == f && r->def->body->symmetry > SYMMETRY_LEAST;
    r->forks[f] = gt_vec3(on_plane ? 0.0f : mean.x, mean.y, mean.z);
}

static void settle(GtiRefiner* r)
{
    float guesses[GTI_KNOT_MOST];
    for (int32_t k = 0; k < r->tree->knot_count; ++k) {
        guesses[k] = r->limbs[k].scale;
    }
    for (int32_t turn = 0; turn < TURN_COUNT; ++turn) {
        for (int32_t k = 1; k < r->tree->knot_count; ++k) {
            if (r->limbs[k].girdle != GT_NONE) {
                size_limb(r, k, guesses[k]);
            }
        }
        for (int32_t k = 1; k < r->tree->knot_count; ++k) {
            if (r->limbs[k].girdle != GT_NONE) {
                share_size(r, k);
            }
        }
        for (int32_t k = 0; k < r->tree->knot_count; ++k) {
            if (!r->tree->knots[k].is_leaf && !r->tree->knots[k].is_pinned) {
                move_fork(r, k);
            }
        }
    }
}

// How far a knot is from its sphere by now.
static GtVec3 moved(const GtiRefiner* r, int32_t k)
{
    return gt_vec3_sub(r->forks[k], r->def->graph->spheres[r->def->spheres[k]].center);
}

static void place_chain(GtiRefiner* r, int32_t k)
{
    const GtiMedialKnot* knot = &r->tree->knots[k];
    const GtiRefinedLimb* limb = &r->limbs[k];
    GtVec3 fork = r->forks[knot->parent];
    GtVec3 rest_fork = r->tree->knots[knot->parent].position;
    for (int32_t i = 0; i < knot->chain_count; ++i) {
        float to_end = gti_rest_to_end(r->tree, knot, i);
        GtVec3 p;
        if (limb->girdle == GT_NONE) {
            float share = to_end / knot->length;
            p = gti_medial_way_from_end(&limb->way, share * limb->way.length);
            p = gt_vec3_add(p, gt_vec3_lerp(moved(r, k), moved(r, knot->parent), share));
        } else if (i == limb->girdle) {
            p = girdle_at(limb, limb->scale);
        } else if (i > limb->girdle) {
            p = gti_medial_way_from_end(&limb->way, limb->to_ends[i]);
        } else {
            GtVec3 girdle = girdle_at(limb, limb->scale);
            GtVec3 wanted = gt_vec3_normalize_or(limb->offset, gt_vec3(1.0f, 0.0f, 0.0f));
            GtVec3 off = gt_vec3_sub(girdle, fork);
            float size = gt_vec3_length(off) / fmaxf(gt_vec3_length(limb->offset), 1e-6f);
            GtQuat turn = gt_quat_between(wanted, gt_vec3_normalize_or(off, wanted));
            GtVec3 rest = gt_vec3_sub(gti_chain_rest(r->tree, knot, i), rest_fork);
            p = gt_vec3_add(fork, gt_vec3_scale(gt_quat_rotate(turn, rest), size));
        }
        r->skeleton->joints[r->tree->chain[knot->chain_start + i]].position = p;
    }
    if (knot->is_leaf) {
        GtVec3 end = knot->mirror == k ? limb->way.points[limb->way.count - 1] : limb->way.tip; // a crown is no corner
        r->skeleton->joints[knot->tail].tip = gt_vec3_add(end, moved(r, k));
    }
}

static GtVec3 between_twins(GtVec3 a, GtVec3 b, float distance)
{
    GtVec3 twin = mirrored(b);
    return span(a, twin) < distance ? gt_vec3_lerp(a, twin, 0.5f) : a;
}

// Left and right that nearly mirror each other do, as far as the body does.
static void make_symmetric(GtiRefiner* r)
{
    GtiRigJoint* joints = r->skeleton->joints;
    float distance = TWIN_DISTANCE * symmetry_share(r);
    for (int32_t i = 0; i < r->skeleton->joint_count; ++i) {
        GtiRigJoint* a = &joints[i];
        GtiRigJoint* b = &joints[a->mirror];
        if (a->mirror < i || a->fixed || b->fixed || r->tree->is_twig[i] || r->tree->is_twig[a->mirror] ||
            (a == b && fabsf(r->tree->rest[i].x) > ON_PLANE)) {
            continue;
        }
        float within = a == b && r->def->body->symmetry > SYMMETRY_LEAST ? TWIN_DISTANCE : distance;
        GtVec3 position = between_twins(a->position, b->position, within);
        GtVec3 tip = between_twins(a->tip, b->tip, within);
        b->position = a == b ? position : between_twins(b->position, a->position, within);
        b->tip = a == b ? tip : between_twins(b->tip, a->tip, within);
        a->position = position;
        a->tip = tip;
    }
}

// Twigs keep their place beside the bone they grow from, turned and sized with it.
static void place_twigs(GtiRefiner* r)
{
    const GtiMedialTree* tree = r->tree;
    GtiRigJoint* joints = r->skeleton->joints;
    for (int32_t i = 0; i < tree->joint_count; ++i) {
        int32_t anchor = tree->is_twig[i] ? joints[i].parent : GT_NONE;
        while (anchor != GT_NONE && tree->is_twig[anchor]) {
            anchor = joints[anchor].parent;
        }
        anchor = anchor == GT_NONE ? tree->knots[0].joint : anchor;
        if (!tree->is_twig[i] || joints[i].fixed) {
            continue;
        }
        GtQuat turn = gt_quat_identity();
        float size = 1.0f;
        if (r->tree->is_end[anchor]) {
            GtVec3 rest = gt_vec3_sub(tree->rest_tips[anchor], tree->rest[anchor]);
            GtVec3 bone = gt_vec3_sub(joints[anchor].tip, joints[anchor].position);
            GtVec3 from = gt_vec3_normalize_or(rest, gt_vec3(0.0f, 1.0f, 0.0f));
            turn = gt_quat_between(from, gt_vec3_normalize_or(bone, from));
            size = gt_vec3_length(bone) / fmaxf(gt_vec3_length(rest), 1e-6f);
        }
        GtVec3 offset = gt_vec3_scale(gt_quat_rotate(turn, gt_vec3_sub(tree->rest[i], tree->rest[anchor])), size);
        GtVec3 bone = gt_vec3_scale(gt_quat_rotate(turn, gt_vec3_sub(tree->rest_tips[i], tree->rest[i])), size);
        joints[i].position = gt_vec3_add(joints[anchor].position, offset);
        joints[i].tip = gt_vec3_add(joints[i].position, bone);
    }
}

// A bone that led to a joint still does, and one that ended before the limb ends where it did.
static void place_tips(GtiRefiner* r, const GtiRigSkeleton* given)
{
    GtiRigJoint* joints = r->skeleton->joints;
    for (int32_t i = 0; i < r->tree->joint_count; ++i) {
        GtVec3 bone = gt_vec3_sub(r->tree->given_tips[i], r->tree->rest[i]);
        float length = gt_vec3_length(bone);
        GtVec3 now = gt_vec3_sub(joints[i].tip, joints[i].position);
        if (r->tree->is_end[i]) {
            float rest = span(r->tree->rest_tips[i], r->tree->rest[i]);
            now = gt_vec3_scale(now, length / fmaxf(rest, 1e-6f));
        } else if (!r->tree->is_twig[i]) {
            now = bone;
        }
        joints[i].tip = gt_vec3_add(joints[i].position, now);
    }
    for (int32_t i = 0; i < r->tree->joint_count; ++i) {
        int32_t parent = joints[i].parent;
        if (parent != GT_NONE && span(given->joints[parent].tip, given->joints[i].position) < SAME_PLACE) {
            joints[parent].tip = joints[i].position;
        }
    }
}

bool gti_refine(const GtiRefineDef* def, const GtiRigSkeleton* given, GtArena* scratch, GtiRigSkeleton* out)
{
    GtiRefiner* r = gt_arena_push_array(scratch, 1, sizeof *r);
    if (!r) {
        return false;
    }
    *r = (GtiRefiner){ .def = def, .tree = def->tree, .skeleton = out };
    if (!make_ways(r, scratch) || !settle_ways(r, scratch)) {
        return false;
    }
    for (int32_t k = 1; k < r->tree->knot_count; ++k) {
        find_crotch(r, k);
    }
    settle(r);
    if (!gti_limbs_measure(r, scratch)) {
        return false;
    }
    for (int32_t k = 0; k < r->tree->knot_count; ++k) {
        const GtiMedialKnot* knot = &r->tree->knots[k];
        if (knot->joint != GT_NONE) {
            float radius = def->graph->spheres[def->spheres[k]].radius;
            out->joints[knot->joint].position =
                knot->is_leaf && knot->parent != GT_NONE && !knot->is_pinned
                    ? gti_medial_way_from_end(&r->limbs[k].way, radius) // an end without a bone is not on the skin
                    : r->forks[k];
        }
        if (knot->parent != GT_NONE) {
            place_chain(r, k);
        }
    }
    make_symmetric(r);
    place_twigs(r);
    place_tips(r, given);
    for (int32_t i = 0; i < out->joint_count; ++i) {
        out->joints[i].position = out->joints[i].fixed ? given->joints[i].position : out->joints[i].position;
    }
    return true;
}
