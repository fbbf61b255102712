// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A plane across the fitted hand, a little beyond the knuckles, cuts fingers off: what of the surface hangs together
// beyond it is one each, if it is slender and ends there. Planes are tried from the knuckles outwards until they cut
// off four (or three, as drawn figures have); a little finger that ends before the others part is taken from a plane
// nearer to the wrist. The middle of each such piece is where its joints go, spaced as the person's are. The thumb,
// which leaves the hand before the plane, is turned from where the fit has it to its end. A hand whose count is in
// doubt gets no fingers: joints that lie wrong tear it, and one that bends as a whole does not.

#include "rig/fit/hand.h"

#include "base/bounds.h"
#include "base/union_find.h"

#include <string.h>

enum {
    PLANES = 6,
    MOST_PIECES = 64,
};

// Of two fingers that are one piece, the width, as a multiple of the next widest; and of a gap where a finger is
// missing, as a multiple of the least.
#define FUSED_WIDTH 1.7f
#define GAP_LEAP    1.9f

#define WRIST_END 0.15f // where what belongs to the fingers and the thumb begins, hands

// Where the surface around one hand is. Lengths are in hands.
typedef struct Palm {
    const GtiRigBody* body;
    GtVec3 wrist;
    GtVec3 along, up, front; // towards the fingers, the back of the hand, the thumb
    float length;            // from the wrist to the tip of the middle finger
    int32_t* local;          // [points of the body] index into what follows, or GT_NONE
    int32_t count;
    int32_t* points; // [count] of the body
    GtVec3* places;  // [count] along, up and front
    int32_t* roots;  // [count] union of those that hang together beyond a plane
    bool* leaves;    // [count] those from which the surface goes on elsewhere than at the wrist
    bool* foreign;   // [count] what hangs together with those: a thigh beside the hand
    float end;       // how far the hand really reaches
    int32_t (*triangles)[3];
    int32_t triangle_count;
} Palm;

// A piece beyond the plane.
typedef struct Piece {
    int32_t root;
    int32_t count;
    GtBounds bounds;
    GtVec3 middle;    // mean of its points
    GtVec3 halves[2]; // of those nearer to the plane and those farther from it
    GtVec3 tip;
} Piece;

static void set_palm(const GtiPersonFit* fit, const GtiRigBody* body, int side, Palm* palm)
{
    GtHumanoidJoint hand = side == GTI_LEFT ? GT_HUMANOID_LEFT_HAND : GT_HUMANOID_RIGHT_HAND;
    GtHumanoidJoint tip = side == GTI_LEFT ? GT_HUMANOID_LEFT_MIDDLE_DISTAL : GT_HUMANOID_RIGHT_MIDDLE_DISTAL;
    const GtiSkeleton* person = &fit->model.person.skeleton;
    const GtQuat turn = fit->state.turns[gti_model_bone(hand)];
    *palm = (Palm){ .body = body, .wrist = gti_model_carry(&fit->state, hand, person->joints[hand]) };
    // The hand's own scale, not that of curled fingers.
    GtVec3 reach = gt_vec3_sub(gti_model_carry(&fit->state, hand, person->tips[tip]), palm->wrist);
    palm->length = fmaxf(gt_vec3_length(reach), 1e-3f);
    palm->along = gt_quat_rotate(turn, gt_vec3(side == GTI_LEFT ? 1.0f : -1.0f, 0.0f, 0.0f));
    palm->up = gt_quat_rotate(turn, gt_vec3(0.0f, 1.0f, 0.0f));
    palm->front = gt_quat_rotate(turn, gt_vec3(0.0f, 0.0f, 1.0f));
}

static GtVec3 to_palm(const Palm* palm, GtVec3 p)
{
    GtVec3 d = gt_vec3_scale(gt_vec3_sub(p, palm->wrist), 1.0f / palm->length);
    return gt_vec3(gt_vec3_dot(d, palm->along), gt_vec3_dot(d, palm->up), gt_vec3_dot(d, palm->front));
}

static GtVec3 from_palm(const Palm* palm, GtVec3 p)
{
    GtVec3 d = gt_vec3_add(gt_vec3_add(gt_vec3_scale(palm->along, p.x), gt_vec3_scale(palm->up, p.y)),
                           gt_vec3_scale(palm->front, p.z));
    return gt_vec3_add(palm->wrist, gt_vec3_scale(d, palm->length));
}

// Around the fingers, open or curled.
static bool is_near(GtVec3 place)
{
    return place.x > WRIST_END && place.x < 1.4f && fabsf(place.y) < 0.7f && fabsf(place.z) < 0.8f;
}

static bool gather_points(Palm* palm, GtArena* scratch)
{
    const GtiRigBody* body = palm->body;
    palm->local = gt_arena_push(scratch, (size_t)body->point_count * sizeof *palm->local);
    if (!palm->local) {
        return false;
    }
    for (int32_t i = 0; i < body->point_count; ++i) {
        palm->local[i] = is_near(to_palm(palm, body->points[i])) ? palm->count++ : GT_NONE;
    }
    palm->places = gt_arena_push(scratch, (size_t)palm->count * sizeof *palm->places);
    palm->roots = gt_arena_push(scratch, (size_t)palm->count * sizeof *palm->roots);
    palm->leaves = gt_arena_push_array(scratch, (size_t)palm->count, sizeof *palm->leaves);
    palm->foreign = gt_arena_push_array(scratch, (size_t)palm->count, sizeof *palm->foreign);
    if (!palm->places || !palm->roots || !palm->leaves || !palm->foreign) {
        return false;
    }
    for (int32_t i = 0; i < body->point_count; ++i) {
        if (palm->local[i] != GT_NONE) {
            palm->places[palm->local[i]] = to_palm(palm, body->points[i]);
        }
    }
    return true;
}

// Mark the corners of a triangle of which others lie outside.
static void mark_leaving(Palm* palm, const int32_t* corners)
{
    for (int k = 0; k < 3; ++k) {
        int32_t a = palm->local[corners[k]];
        if (a == GT_NONE) {
            continue;
        }
        for (int i = 1; i < 3; ++i) {
            int32_t other = corners[(k + i) % 3];
            palm->leaves[a] |= palm->local[other] == GT_NONE && to_palm(palm, palm->body->points[other]).x > WRIST_END;
        }
    }
}

static bool is_whole(const Palm* palm, const int32_t* corners)
{
    return palm->local[corners[0]] != GT_NONE && palm->local[corners[1]] != GT_NONE &&
           palm->local[corners[2]] != GT_NONE;
}

static bool gather_triangles(Palm* palm, GtArena* scratch)
{
    const GtiRigBody* body = palm->body;
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        palm->triangle_count += is_whole(palm, body->triangles[t]);
    }
    palm->triangles = gt_arena_push(scratch, (size_t)palm->triangle_count * sizeof *palm->triangles);
    if (!palm->triangles) {
        return false;
    }
    int32_t count = 0;
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        if (is_whole(palm, body->triangles[t])) {
            for (int k = 0; k < 3; ++k) {
                palm->triangles[count][k] = palm->local[body->triangles[t][k]];
            }
            ++count;
        } else {
            mark_leaving(palm, body->triangles[t]);
        }
    }
    return true;
}

static void join_beyond(Palm* palm, float plane)
{
    gti_sets_start(palm->roots, palm->count);
    for (int32_t t = 0; t < palm->triangle_count; ++t) {
        const int32_t* c = palm->triangles[t];
        for (int k = 0; k < 3; ++k) {
            int32_t a = c[k];
            int32_t b = c[(k + 1) % 3];
            if (palm->places[a].x > plane && palm->places[b].x > plane) {
                gti_sets_join(palm->roots, a, b);
            }
        }
    }
}

static void find_foreign(Palm* palm)
{
    join_beyond(palm, -INFINITY);
    for (int32_t i = 0; i < palm->count; ++i) {
        palm->foreign[gti_sets_root(palm->roots, i)] |= palm->leaves[i];
    }
    for (int32_t i = 0; i < palm->count; ++i) {
        palm->foreign[i] = palm->foreign[gti_sets_root(palm->roots, i)];
        palm->end = palm->foreign[i] ? palm->end : fmaxf(palm->end, palm->places[i].x);
    }
}

// Curled fingers end below, so that their tips are not what is farthest along.
static float tip_measure(GtVec3 p)
{
    return p.x - fmaxf(p.y, -0.4f);
}

static void add_point(Piece* piece, GtVec3 p)
{
    if (piece->count++ == 0) {
        piece->bounds = (GtBounds){ p, p };
        piece->tip = p;
    }
    gti_bounds_add(&piece->bounds, p);
    piece->middle = gt_vec3_add(piece->middle, p);
    piece->tip = tip_measure(p) > tip_measure(piece->tip) ? p : piece->tip;
}

// Pieces beyond the plane, or one more than MOST_PIECES when there are too many.
static int32_t find_pieces(Palm* palm, float plane, Piece pieces[MOST_PIECES])
{
    int32_t count = 0;
    join_beyond(palm, plane);
    for (int32_t i = 0; i < palm->count; ++i) {
        if (!(palm->places[i].x > plane) || palm->foreign[i]) {
            continue;
        }
        int32_t root = gti_sets_root(palm->roots, i);
        int32_t at = 0;
        while (at < count && pieces[at].root != root) {
            ++at;
        }
        if (at == count) {
            if (count == MOST_PIECES) {
                return MOST_PIECES + 1;
            }
            pieces[count++] = (Piece){ .root = root };
        }
        add_point(&pieces[at], palm->places[i]);
    }
    return count;
}

// Slender, long enough, not cut off by the border of what was gathered.
static bool is_finger(const Piece* piece, float plane, float least)
{
    GtVec3 low = piece->bounds.low, high = piece->bounds.high;
    return piece->count >= 3 && high.x - plane > least && high.x < 1.35f && high.z - low.z < 0.28f && low.z > -0.7f &&
           high.z < 0.7f && low.y > -0.65f && high.y < 0.5f;
}

// Phalanges and the balls between them may be pieces of their own: slender ones, one behind the other, are one finger.
static bool is_same_finger(const Piece* a, const Piece* b)
{
    float widths[2] = { a->bounds.high.z - a->bounds.low.z, b->bounds.high.z - b->bounds.low.z };
    float common = fminf(a->bounds.high.z, b->bounds.high.z) - fmaxf(a->bounds.low.z, b->bounds.low.z);
    return fmaxf(widths[0], widths[1]) < 0.2f && common > 0.7f * fminf(widths[0], widths[1]) &&
           fabsf(a->middle.z - b->middle.z) < 0.05f;
}

static void merge_pieces(Palm* palm, Piece* piece, const Piece* other)
{
    float share = (float)other->count / (float)(piece->count + other->count);
    piece->root = gti_sets_join(palm->roots, piece->root, other->root);
    piece->count += other->count;
    piece->middle = gt_vec3_lerp(piece->middle, other->middle, share);
    gti_bounds_unite(&piece->bounds, &other->bounds);
    piece->tip = tip_measure(other->tip) > tip_measure(piece->tip) ? other->tip : piece->tip;
}

static int32_t join_phalanges(Palm* palm, Piece* pieces, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        pieces[i].middle = gt_vec3_scale(pieces[i].middle, 1.0f / (float)pieces[i].count);
    }
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = i + 1; k < count;) {
            if (is_same_finger(&pieces[i], &pieces[k])) {
                merge_pieces(palm, &pieces[i], &pieces[k]);
                pieces[k] = pieces[--count];
                k = i + 1;
            } else {
                ++k;
            }
        }
    }
    return count;
}

static int32_t keep_fingers(Palm* palm, Piece* pieces, int32_t count, float plane, float least)
{
    int32_t kept = 0;
    count = join_phalanges(palm, pieces, count);
    for (int32_t i = 0; i < count; ++i) {
        if (is_finger(&pieces[i], plane, least)) {
            pieces[kept++] = pieces[i];
        }
    }
    for (int32_t i = 1; i < kept; ++i) { // from the index finger to the little one
        for (int32_t k = i; k > 0 && pieces[k - 1].middle.z < pieces[k].middle.z; --k) {
            Piece piece = pieces[k];
            pieces[k] = pieces[k - 1];
            pieces[k - 1] = piece;
        }
    }
    return kept;
}

static void measure_halves(Palm* palm, float plane, Piece* pieces, int32_t count)
{
    for (int32_t f = 0; f < count; ++f) {
        Piece* piece = &pieces[f];
        float half = 0.5f * (plane + piece->bounds.high.x);
        int32_t counts[2] = { 0, 0 };
        for (int32_t i = 0; i < palm->count; ++i) {
            GtVec3 p = palm->places[i];
            if (p.x > plane && gti_sets_root(palm->roots, i) == piece->root) {
                int at = p.x > half;
                piece->halves[at] = gt_vec3_add(piece->halves[at], p);
                ++counts[at];
            }
        }
        for (int k = 0; k < 2; ++k) {
            piece->halves[k] = counts[k] ? gt_vec3_scale(piece->halves[k], 1.0f / (float)counts[k]) : piece->middle;
        }
    }
}

// A thumb that reaches beyond the plane is farther from the index finger than that is from the next one, and shorter.
static bool starts_with_thumb(const Piece* pieces, int32_t count)
{
    float most = 0.0f;
    for (int32_t i = 1; i + 1 < count; ++i) {
        most = fmaxf(most, pieces[i].middle.z - pieces[i + 1].middle.z);
    }
    float gap = count == 4 ? pieces[0].middle.z - pieces[1].middle.z : 0.0f;
    return count == 5 || (gap > fmaxf(1.5f * most, 0.2f) && pieces[0].bounds.high.x < pieces[1].bounds.high.x - 0.15f);
}

// Pieces beyond one plane that are fingers, sorted; how many, or 0 where there are too many.
static int32_t cut_fingers(Palm* palm, float plane, float least, Piece pieces[MOST_PIECES])
{
    int32_t count = find_pieces(palm, plane, pieces);
    if (count > MOST_PIECES) {
        return 0;
    }
    count = keep_fingers(palm, pieces, count, plane, least);
    if (starts_with_thumb(pieces, count)) {
        memmove(pieces, pieces + 1, (size_t)(count - 1) * sizeof *pieces);
        --count;
    }
    if (count > 4) {
        return 0;
    }
    measure_halves(palm, plane, pieces, count);
    return count;
}

static float plane_at(const Palm* palm, int i)
{
    static const float planes[PLANES] = { 0.52f, 0.57f, 0.62f, 0.67f, 0.72f, 0.77f };
    return planes[i] * fminf(fmaxf(palm->end, 0.7f), 1.2f);
}

// A fourth finger that is short, beside three that part later than where it ends.
static int32_t find_little(Palm* palm, Piece best[MOST_PIECES], int32_t count)
{
    for (int i = 0; i < PLANES && count == 3; ++i) {
        Piece pieces[MOST_PIECES];
        int32_t found = cut_fingers(palm, plane_at(palm, i), 0.06f, pieces);
        const Piece* last = found > 0 ? &pieces[found - 1] : NULL;
        if (last && last->bounds.high.z < best[2].bounds.low.z + 0.01f && last->bounds.high.x < best[2].bounds.high.x) {
            best[count++] = *last;
        }
    }
    return count;
}

static float width_of(const Piece* piece)
{
    return piece->bounds.high.z - piece->bounds.low.z;
}

// What is doubtful about fingers that were counted, or NULL.
static const char* doubt(const Piece* fingers, int32_t count)
{
    float widths[2] = { 0.0f, 0.0f }; // the largest
    float gaps[2] = { 0.0f, 0.0f };
    for (int32_t i = 0; i < count; ++i) {
        float width = width_of(&fingers[i]);
        widths[1] = fmaxf(widths[1], fminf(width, widths[0]));
        widths[0] = fmaxf(widths[0], width);
        if (i > 0) {
            float gap = fingers[i - 1].middle.z - fingers[i].middle.z;
            gaps[1] = fmaxf(gaps[1], fminf(gap, gaps[0]));
            gaps[0] = fmaxf(gaps[0], gap);
        }
    }
    if (widths[0] > FUSED_WIDTH * widths[1]) {
        return "two of its fingers are not apart";
    }
    return gaps[0] > GAP_LEAP * gaps[1] ? "its fingers are not evenly apart" : NULL;
}

// Three or four pieces that are fingers, sorted, from the plane that cuts most of them off; how many.
static int32_t find_fingers(Palm* palm, Piece best[MOST_PIECES], const char** why)
{
    int32_t best_count = 0;
    for (int i = 0; i < PLANES && best_count < 4; ++i) {
        Piece pieces[MOST_PIECES];
        int32_t count = cut_fingers(palm, plane_at(palm, i), 0.08f, pieces);
        if (count > best_count) {
            best_count = count;
            memcpy(best, pieces, (size_t)count * sizeof *best);
        }
    }
    if (best_count < 3) {
        *why = best_count > 0 ? "fewer than three fingers of it are apart" : "no fingers of it are apart";
        return 0;
    }
    best_count = find_little(palm, best, best_count);
    *why = doubt(best, best_count);
    return *why ? 0 : best_count;
}

static GtVec3 along_path(const GtVec3 path[4], float at)
{
    for (int i = 0; i < 3; ++i) {
        float length = gt_vec3_length(gt_vec3_sub(path[i + 1], path[i]));
        if (at <= length) {
            return gt_vec3_lerp(path[i], path[i + 1], at / fmaxf(length, 1e-6f));
        }
        at -= length;
    }
    return path[3];
}

// Joints along the middle of a piece, from its knuckle, spaced as the person's.
static void place_finger(const Palm* palm, const GtiPersonFit* fit, GtHumanoidJoint first, const Piece* piece,
                         GtVec3 joints[GTI_HAND_JOINTS], GtVec3* tip)
{
    const GtiSkeleton* person = &fit->model.person.skeleton;
    GtVec3 knuckle = to_palm(palm, gti_model_carry(&fit->state, first, person->joints[first]));
    GtVec3 back = gt_vec3_sub(piece->halves[0], piece->halves[1]);
    float steps = back.x < -0.02f ? (knuckle.x - piece->halves[0].x) / back.x : 0.0f;
    GtVec3 straight = gt_vec3_add(piece->halves[0], gt_vec3_scale(back, fminf(fmaxf(steps, 0.0f), 2.0f)));
    knuckle = gt_vec3(knuckle.x, 0.5f * (knuckle.y + straight.y), 0.5f * (knuckle.z + straight.z));
    const GtVec3 path[4] = { knuckle, piece->halves[0], piece->halves[1], piece->tip };
    float lengths[GTI_HAND_JOINTS];
    float sum = 0.0f;
    float whole = 0.0f;
    for (int i = 0; i < GTI_HAND_JOINTS; ++i) {
        lengths[i] = gt_vec3_length(gt_vec3_sub(person->tips[first + i], person->joints[first + i]));
        sum += lengths[i];
        whole += gt_vec3_length(gt_vec3_sub(path[i + 1], path[i]));
    }
    float at = 0.0f;
    for (int i = 0; i < GTI_HAND_JOINTS; ++i) {
        joints[i] = from_palm(palm, along_path(path, at));
        at += whole * lengths[i] / sum;
    }
    *tip = from_palm(palm, piece->tip);
}

// The end of the thumb: of what is no finger, the farthest to the front.
static bool find_thumb(const Palm* palm, const Piece* fingers, GtVec3* tip)
{
    float border = fingers[0].bounds.low.x; // the plane that fingers are beyond
    float best = 0.0f;
    for (int32_t i = 0; i < palm->count; ++i) {
        GtVec3 p = palm->places[i];
        float value = 0.5f * p.x + p.z;
        bool beside = p.x <= border || p.z > fingers[0].bounds.high.z + 0.05f;
        if (beside && value > best && !palm->foreign[i]) {
            best = value;
            *tip = p;
        }
    }
    return best > 0.0f;
}

// The fitted thumb, turned and stretched about its first joint towards the end that was found.
static void place_thumb(const Palm* palm, const GtiPersonFit* fit, GtHumanoidJoint first, const Piece* fingers,
                        GtiFittedHand* hand)
{
    const GtiSkeleton* person = &fit->model.person.skeleton;
    GtHumanoidJoint last = (GtHumanoidJoint)(first + GTI_HAND_JOINTS - 1);
    GtVec3 base = gti_model_carry(&fit->state, first, person->joints[first]);
    GtVec3 reach = gt_vec3_sub(gti_model_carry(&fit->state, last, person->tips[last]), base);
    GtVec3 end = { 0.0f, 0.0f, 0.0f };
    GtQuat turn = gt_quat_identity();
    float stretch = 1.0f;
    if (find_thumb(palm, fingers, &end)) {
        GtVec3 wanted = gt_vec3_sub(from_palm(palm, end), base);
        float ratio = gt_vec3_length(wanted) / fmaxf(gt_vec3_length(reach), 1e-6f);
        GtQuat between =
            gt_quat_between(gt_vec3_normalize_or(reach, palm->front), gt_vec3_normalize_or(wanted, palm->front));
        if (ratio > 0.6f && ratio < 1.5f && gt_quat_angle_rad(gt_quat_identity(), between) < 1.2f) {
            turn = between;
            stretch = ratio;
        }
    }
    hand->has[0] = true;
    for (int i = 0; i < GTI_HAND_JOINTS; ++i) {
        GtHumanoidJoint joint = (GtHumanoidJoint)(first + i);
        GtVec3 from = gt_vec3_sub(gti_model_carry(&fit->state, joint, person->joints[joint]), base);
        hand->joints[0][i] = gt_vec3_add(base, gt_vec3_scale(gt_quat_rotate(turn, from), stretch));
    }
    hand->tips[0] = gt_vec3_add(base, gt_vec3_scale(gt_quat_rotate(turn, reach), stretch));
}

// The hand goes straight on from the forearm.
static void straighten(const GtiPersonFit* fit, int side, Palm* palm)
{
    GtHumanoidJoint elbow = side == GTI_LEFT ? GT_HUMANOID_LEFT_LOWER_ARM : GT_HUMANOID_RIGHT_LOWER_ARM;
    GtVec3 from = gti_model_carry(&fit->state, elbow, fit->model.person.skeleton.joints[elbow]);
    GtVec3 along = gt_vec3_normalize_or(gt_vec3_sub(palm->wrist, from), palm->along);
    GtQuat turn = gt_quat_between(palm->along, along);
    palm->along = along;
    palm->up = gt_quat_rotate(turn, palm->up);
    palm->front = gt_quat_rotate(turn, palm->front);
}

static bool look_at_hand(Palm* palm, GtArena* scratch, Piece fingers[MOST_PIECES], int32_t* count, const char** why)
{
    if (!gather_points(palm, scratch) || !gather_triangles(palm, scratch)) {
        return false;
    }
    find_foreign(palm);
    *count = find_fingers(palm, fingers, why);
    return true;
}

static bool find_hand(const GtiPersonFit* fit, const GtiRigBody* body, int side, GtArena* scratch, GtiFittedHand* hand)
{
    Palm palm;
    Piece fingers[MOST_PIECES];
    int32_t count = 0;
    set_palm(fit, body, side, &palm);
    if (!look_at_hand(&palm, scratch, fingers, &count, &hand->why)) {
        return false;
    }
    if (count == 0 && palm.end <= 0.0f) { // the fitted hand looks past the body's
        set_palm(fit, body, side, &palm);
        straighten(fit, side, &palm);
        if (!look_at_hand(&palm, scratch, fingers, &count, &hand->why)) {
            return false;
        }
    }
    GtHumanoidJoint thumb = side == GTI_LEFT ? GT_HUMANOID_LEFT_THUMB_METACARPAL : GT_HUMANOID_RIGHT_THUMB_METACARPAL;
    hand->count = count;
    for (int32_t f = 0; f < count; ++f) {
        int32_t finger = f + 1 + (count == 3 && f == 2); // of three, the last is the little one
        hand->has[finger] = true;
        place_finger(&palm, fit, (GtHumanoidJoint)(thumb + GTI_HAND_JOINTS * finger), &fingers[f], hand->joints[finger],
                     &hand->tips[finger]);
    }
    if (count > 0) {
        place_thumb(&palm, fit, thumb, fingers, hand);
    }
    return true;
}

// Hands are alike: where fewer fingers are found on one, some of it were missed.
static void compare_hands(GtiFittedHand hands[2])
{
    for (int side = 0; side < 2; ++side) {
        if (hands[side].count > 0 && hands[side].count < hands[1 - side].count) {
            hands[side] = (GtiFittedHand){ .why = "fewer fingers of it are apart than of the other hand" };
        }
    }
}

bool gti_person_hands(const GtiPersonFit* fit, const GtiRigBody* body, GtArena* scratch, GtiFittedHand hands[2])
{
    memset(hands, 0, 2 * sizeof *hands);
    for (int side = 0; side < 2; ++side) {
        GtArenaMark mark = gt_arena_mark(scratch);
        bool ok = find_hand(fit, body, side, scratch, &hands[side]);
        gt_arena_reset(scratch, mark);
        if (!ok) {
            return false;
        }
    }
    compare_hands(hands);
    return true;
}
