// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The map: a body is looked for in each pose that the file has and with each axis upwards, until one is certain. Then
// the sides are told apart, by names and by which way the toes point, and every joint gets its name and its reasons.
// The idea of searching by hierarchy and symmetry is that of Feng, Huang, Xu and Shapiro, "Fast, automatic character
// animation pipelines" (2012); weighing every alternative by shape and words is ours.

#include "gertie/map.h"

#include "base/fail.h"
#include "map/body.h"
#include "map/front.h"
#include "map/hand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Mapper {
    const GtContext* context;
    const GtScene* scene;
    const GtMapDef* def;
    GtArena scratch;
    GtiMapTree tree;
    GtiMapBody body;
    GtHumanoidMap known;
    bool sides_by_name, sides_by_shape, sides_are_known;
    GtVec3 forward;
    GtMapReport* report;
} Mapper;

static GtVec3 position(const Mapper* m, int32_t joint)
{
    return m->tree.joints[joint].position;
}

// The pose and the axis in which the skeleton looks most like a body.
static GtResult find_body(Mapper* m, GtError* error)
{
    static const GtVec3 axes[] = { { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, -1, 0 } };
    GtiMapTree trees[GTI_MAP_POSE_COUNT];
    GtResult result = gti_map_trees(m->context, &m->scratch, m->scene, !m->def->ignore_names, trees, error);
    if (result != GT_OK) {
        return result;
    }
    m->body.score = -1.0f;
    for (size_t a = 0; a < sizeof axes / sizeof axes[0]; ++a) {
        for (int pose = 0; pose < GTI_MAP_POSE_COUNT; ++pose) {
            GtiMapBody body;
            if (!gti_body_find(&trees[pose], axes[a], &m->scratch, &body)) {
                return gti_out_of_memory(error);
            }
            bool is_first = m->tree.joints == NULL;
            bool stands = a == 0 || (body.legs[0].shape > 0.5f && body.legs[1].shape > 0.5f); // else it lies
            if (!stands) {
                continue;
            }
            if (is_first || body.score > 1.15f * fmaxf(m->body.score, 0.0f) + 0.02f) {
                m->tree = trees[pose];
                m->body = body;
            }
        }
        if (m->body.score > 0.6f) {
            break; // no other axis will be better
        }
    }
    return GT_OK;
}

// Support of the front, for the sides that names tell: below this they are doubted, and far enough below overruled.
static const float DOUBTFUL_SUPPORT = -0.25f;
static const float SURE_SUPPORT = 0.9f;

// Votes of names for a limb to be the left one.
static int name_votes(const Mapper* m, const GtiMapLimb* limb)
{
    int votes = 0;
    for (int32_t i = 0; i < limb->chain_count; ++i) {
        votes += m->tree.joints[limb->chain[i]].hint.side;
    }
    return votes;
}

static int known_votes(const Mapper* m, const GtiMapLimb* limb)
{
    int votes = 0;
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        const char* name = gt_humanoid_name((GtHumanoidJoint)j);
        int side = !strncmp(name, "left", 4) ? 1 : !strncmp(name, "right", 5) ? -1 : 0;
        for (int32_t i = 0; side && i < limb->chain_count; ++i) {
            votes += m->tree.joints[limb->chain[i]].node == m->known.nodes[j] ? 100 * side : 0;
        }
    }
    return votes;
}

static GtVec3 level(const Mapper* m, GtVec3 v)
{
    return gt_vec3_sub(v, gt_vec3_scale(m->body.up, gt_vec3_dot(v, m->body.up)));
}

static void swap_limbs(GtiMapLimb* pair)
{
    GtiMapLimb first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

// From the right limbs to the left ones, in order.
static GtVec3 across_body(const Mapper* m)
{
    GtVec3 across = { 0 };
    const GtiMapLimb* const pairs[2] = { m->body.arms, m->body.legs };
    for (int p = 0; p < 2; ++p) {
        GtVec3 way = gt_vec3_sub(position(m, pairs[p][0].chain[pairs[p][0].lower]),
                                 position(m, pairs[p][1].chain[pairs[p][1].lower]));
        across = gt_vec3_add(across, gt_vec3_normalize_or(way, gt_vec3(0.0f, 0.0f, 0.0f)));
    }
    return across;
}

// Which of the two sides is left, by names where there are any: afterwards the first of each pair.
static void order_sides(Mapper* m, GtVec3 left)
{
    GtiMapLimb* const pairs[2] = { m->body.arms, m->body.legs };
    for (int p = 0; p < 2; ++p) {
        int known = known_votes(m, &pairs[p][0]) - known_votes(m, &pairs[p][1]);
        int named = name_votes(m, &pairs[p][0]) - name_votes(m, &pairs[p][1]);
        m->sides_are_known = m->sides_are_known || known != 0;
        m->sides_by_name = m->sides_by_name || named + known != 0;
    }
    for (int p = 0; p < 2; ++p) {
        GtVec3 first = position(m, pairs[p][0].chain[pairs[p][0].lower]);
        GtVec3 second = position(m, pairs[p][1].chain[pairs[p][1].lower]);
        int own = name_votes(m, &pairs[p][0]) - name_votes(m, &pairs[p][1]) + known_votes(m, &pairs[p][0]) -
                  known_votes(m, &pairs[p][1]);
        bool is_left = own ? own > 0 : gt_vec3_dot(gt_vec3_sub(first, second), left) > 0.0f;
        if (!own && m->sides_by_name) { // beside the other pair, whose names tell
            const GtiMapLimb* other = pairs[1 - p];
            int other_votes = name_votes(m, &other[0]) - name_votes(m, &other[1]);
            GtVec3 across =
                gt_vec3_sub(position(m, other[0].chain[other[0].lower]), position(m, other[1].chain[other[1].lower]));
            if (other_votes) {
                is_left = (gt_vec3_dot(gt_vec3_sub(first, second), across) > 0.0f) == (other_votes > 0);
            } else { // already in order
                is_left = gt_vec3_dot(gt_vec3_sub(first, second), across) > 0.0f;
            }
        }
        if (!is_left) {
            swap_limbs(pairs[p]);
        }
    }
}

// What names call left may lie on the right, as on a body that was mirrored. Where all that shows the front says so,
// the body is believed, and not its names.
static GtResult compare_sides_with_front(Mapper* m, GtiFront* front, GtError* error)
{
    GtVec3 none = { 0 };
    GtVec3 forward = gt_vec3_normalize_or(level(m, gt_vec3_cross(across_body(m), m->body.up)), none);
    float support = gti_front_support(front, forward);
    if (support >= SURE_SUPPORT) {
        return GT_OK;
    }
    GtResult result = gti_front_add_feet(m->context, m->scene, &m->tree, &m->body, front, error);
    support = gti_front_support(front, forward);
    if (result != GT_OK || support > DOUBTFUL_SUPPORT) {
        return result;
    }
    m->report->sides_against_names = support < -SURE_SUPPORT && !m->sides_are_known;
    m->report->sides_are_doubtful = !m->report->sides_against_names;
    if (m->report->sides_against_names) {
        swap_limbs(m->body.arms);
        swap_limbs(m->body.legs);
        for (int32_t j = 0; j < m->tree.count; ++j) {
            m->tree.joints[j].hint.side = (int8_t)-m->tree.joints[j].hint.side;
        }
    }
    return GT_OK;
}

static GtResult tell_sides(Mapper* m, GtError* error)
{
    const GtVec3 ahead = { 0.0f, 0.0f, 1.0f };
    GtiFront front = gti_front_of_joints(&m->tree, &m->body);
    order_sides(m, ahead);
    GtResult result = GT_OK;
    if (m->sides_by_name) {
        result = compare_sides_with_front(m, &front, error);
    } else if (gt_vec3_length(gti_front_direction(&front)) < 0.5f) {
        result = gti_front_add_feet(m->context, m->scene, &m->tree, &m->body, &front, error);
    }
    m->forward = gti_front_direction(&front);
    m->sides_by_shape = gt_vec3_length(m->forward) > 0.5f;
    if (!m->sides_by_name) {
        m->forward = gt_vec3_normalize_or(m->sides_by_shape ? m->forward : level(m, ahead), ahead);
        order_sides(m, gt_vec3_cross(m->body.up, m->forward));
    } else if (!m->sides_by_shape) { // then the sides tell which way is forward
        GtVec3 across = gt_vec3_sub(position(m, m->body.arms[0].chain[m->body.arms[0].lower]),
                                    position(m, m->body.arms[1].chain[m->body.arms[1].lower]));
        m->forward = gt_vec3_normalize_or(level(m, gt_vec3_cross(across, m->body.up)), ahead);
    }
    return result;
}

// What shape and name together are worth.
static float confidence_of(float shape, float name)
{
    shape = fminf(fmaxf(shape, 0.0f), 1.0f);
    return name > 0.9f    ? 0.93f + 0.06f * shape
           : name > 0.4f  ? 0.85f + 0.11f * shape
           : name > -0.5f ? 0.60f + 0.35f * shape
                          : 0.30f + 0.40f * shape;
}

static const char* name_words(float name)
{
    return name > 0.9f    ? "its name says so"
           : name > 0.4f  ? "its name allows it"
           : name > -0.5f ? "its name says nothing"
                          : "though its name says otherwise";
}

static void put(Mapper* m, GtHumanoidJoint joint, int32_t at, float shape, const char* where)
{
    if (at == GT_NONE || at >= m->tree.count) {
        return;
    }
    GtMapJoint* out = &m->report->joints[joint];
    float name = gti_name_fit(&m->tree.joints[at].hint, gti_body_part_of(joint));
    out->node = m->tree.joints[at].node;
    out->confidence = confidence_of(shape, name);
    snprintf(out->why, sizeof out->why, "%s; %s", where, name_words(name));
}

static void put_legs(Mapper* m)
{
    for (int s = 0; s < 2; ++s) {
        const GtiMapLimb* leg = &m->body.legs[s];
        int first = s == 0 ? GT_HUMANOID_LEFT_UPPER_LEG : GT_HUMANOID_RIGHT_UPPER_LEG;
        put(m, (GtHumanoidJoint)first, leg->chain[leg->upper], leg->shape, "begins a leg that hangs from the hips");
        put(m, (GtHumanoidJoint)(first + 1), leg->chain[leg->lower], leg->shape, "is the knee of that leg");
        int32_t foot = gti_limb_foot(&m->tree, leg, s == 0 ? 1 : -1);
        if (foot != gti_limb_joint(leg, leg->end)) {
            put(m, (GtHumanoidJoint)(first + 2), foot, 0.5f,
                "is at the end of the shin, though it hangs from elsewhere");
            continue;
        }
        if (foot == GT_NONE) {
            continue;
        }
        put(m, (GtHumanoidJoint)(first + 2), foot, leg->shape, "ends the shin");
        int32_t at = leg->end + 1;
        while (at + 1 < leg->chain_count && m->tree.joints[leg->chain[at]].hint.is_palm) {
            ++at;
        }
        int32_t toes = gti_limb_joint(leg, at);
        float length = toes == GT_NONE ? 0.0f : gt_vec3_length(gt_vec3_sub(position(m, toes), position(m, foot)));
        if (toes != GT_NONE && length > 0.04f * m->body.leg_m && length < 0.5f * m->body.leg_m) {
            put(m, (GtHumanoidJoint)(first + 3), toes, 0.85f, "is before the foot");
        }
    }
}

static void put_fingers(Mapper* m, int32_t hand, int32_t elbow, int first)
{
    GtiFinger fingers[5];
    gti_hand_find(&m->tree, hand, elbow, fingers);
    for (int f = 0; f < 5; ++f) {
        for (int k = 0; k < 3; ++k) {
            GtMapJoint* joint = &m->report->joints[first + 3 * f + k];
            put(m, (GtHumanoidJoint)(first + 3 * f + k), fingers[f].joints[k], fingers[f].by_name ? 0.95f : 0.75f,
                f == 0 ? "is the finger beside the others" : "is in its place in the row of fingers");
            joint->confidence = fingers[f].is_guess ? fminf(joint->confidence, 0.5f) : joint->confidence;
        }
    }
}

static void put_arms(Mapper* m)
{
    for (int s = 0; s < 2; ++s) {
        const GtiMapLimb* arm = &m->body.arms[s];
        int first = s == 0 ? GT_HUMANOID_LEFT_SHOULDER : GT_HUMANOID_RIGHT_SHOULDER;
        int finger = s == 0 ? GT_HUMANOID_LEFT_THUMB_METACARPAL : GT_HUMANOID_RIGHT_THUMB_METACARPAL;
        int32_t collar = GT_NONE;
        for (int32_t i = 0; i < arm->upper; ++i) { // the one whose name says so, or the first that has some length
            bool named = gti_name_fit(&m->tree.joints[arm->chain[i]].hint, GTI_BODY_PART_SHOULDER) > 0.0f;
            GtVec3 bone = gt_vec3_sub(position(m, arm->chain[i + 1]), position(m, arm->chain[i]));
            bool is_long = gt_vec3_length(bone) > 0.02f * m->body.leg_m;
            collar = named || (collar == GT_NONE && is_long) ? arm->chain[i] : collar;
            if (named) {
                break;
            }
        }
        put(m, (GtHumanoidJoint)first, collar, 0.85f, "lies between the spine and an arm");
        put(m, (GtHumanoidJoint)(first + 1), arm->chain[arm->upper], arm->shape,
            "begins an arm that hangs from the chest");
        put(m, (GtHumanoidJoint)(first + 2), arm->chain[arm->lower], arm->shape, "is the elbow of that arm");
        int32_t hand = gti_limb_joint(arm, arm->end);
        if (hand != GT_NONE) {
            put(m, (GtHumanoidJoint)(first + 3), hand, arm->shape, "ends the forearm");
            bool palms = m->tree.joints[arm->chain[arm->lower]].child_count > 2; // a palm for each finger, and no hand
            put_fingers(m, palms ? arm->chain[arm->lower] : hand, arm->chain[palms ? arm->upper : arm->lower], finger);
        }
    }
}

// Spine, chest and upper chest out of any number of joints: the first, the last, and one between them.
static void put_trunk(Mapper* m)
{
    const GtiMapBody* b = &m->body;
    float shape = fminf(1.0f, b->score);
    put(m, GT_HUMANOID_HIPS, b->hips, shape, "carries the legs and the spine");
    int32_t n = b->spine_count;
    put(m, GT_HUMANOID_SPINE, n > 0 ? b->spine[0] : GT_NONE, shape, "is the first joint over the hips");
    if (n == 2) {
        put(m, GT_HUMANOID_CHEST, b->spine[1], shape, "carries the arms");
    } else if (n > 2) {
        put(m, GT_HUMANOID_CHEST, b->spine[n / 2], 0.85f, "lies between the spine and the joint that carries the arms");
        put(m, GT_HUMANOID_UPPER_CHEST, b->spine[n - 1], shape, "carries the arms");
    }
    put(m, GT_HUMANOID_NECK, b->neck, shape, "is over the arms and under the head");
    put(m, GT_HUMANOID_HEAD, b->head, shape, "is over the arms");
}

// Eyes and jaw by their names; eyes also as two alike before the head.
static void put_face(Mapper* m)
{
    if (m->body.head == GT_NONE) {
        return;
    }
    for (int32_t j = m->body.head + 1; j < m->tree.count; ++j) {
        const GtiNameHint* hint = &m->tree.joints[j].hint;
        if (!gti_map_is_below(&m->tree, j, m->body.head) || hint->is_helper || m->tree.joints[j].is_end) {
            continue;
        }
        GtHumanoidJoint joint = hint->parts == (1u << GTI_BODY_PART_JAW)   ? GT_HUMANOID_JAW
                                : hint->parts != (1u << GTI_BODY_PART_EYE) ? GT_HUMANOID_JOINT_COUNT
                                : hint->side > 0                           ? GT_HUMANOID_LEFT_EYE
                                : hint->side < 0                           ? GT_HUMANOID_RIGHT_EYE
                                                                           : GT_HUMANOID_JOINT_COUNT;
        if (joint != GT_HUMANOID_JOINT_COUNT && m->report->joints[joint].node == GT_NONE) {
            put(m, joint, j, 0.9f, "hangs from the head");
        }
    }
}

// Where names tell nothing: two joints alike, beside each other and before the head, with nothing below them.
static void put_eyes_by_shape(Mapper* m)
{
    int32_t head = m->body.head;
    if (head == GT_NONE || m->report->joints[GT_HUMANOID_LEFT_EYE].node != GT_NONE ||
        m->report->joints[GT_HUMANOID_RIGHT_EYE].node != GT_NONE) {
        return;
    }
    GtVec3 left = gt_vec3_cross(m->body.up, m->forward);
    int32_t eyes[2] = { GT_NONE, GT_NONE };
    int found[2] = { 0, 0 };
    for (int32_t c = m->tree.joints[head].first_child; c != GT_NONE; c = m->tree.joints[c].next_sibling) {
        GtVec3 from = gt_vec3_sub(position(m, c), position(m, head));
        float side = gt_vec3_dot(from, left) / m->body.leg_m;
        bool is_before = gt_vec3_dot(from, m->forward) > 0.02f * m->body.leg_m;
        if (m->tree.joints[c].child_count == 0 && !m->tree.joints[c].hint.parts && !m->tree.joints[c].hint.is_helper &&
            is_before && fabsf(side) > 0.015f && fabsf(side) < 0.12f) {
            eyes[side < 0.0f] = c;
            ++found[side < 0.0f];
        }
    }
    if (found[0] == 1 && found[1] == 1) {
        put(m, GT_HUMANOID_LEFT_EYE, eyes[0], 0.6f, "is one of two before the head");
        put(m, GT_HUMANOID_RIGHT_EYE, eyes[1], 0.6f, "is one of two before the head");
    }
}

static void put_known(Mapper* m)
{
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = m->known.nodes[j];
        if (node == GT_NONE) {
            continue;
        }
        for (int32_t k = 0; k < GT_HUMANOID_JOINT_COUNT; ++k) { // a node is one joint
            if (k != j && m->report->joints[k].node == node) {
                m->report->joints[k] = (GtMapJoint){ .node = GT_NONE };
            }
        }
        m->report->joints[j].node = node;
        m->report->joints[j].confidence = 1.0f;
        snprintf(m->report->joints[j].why, GT_MAP_TEXT_SIZE, "the file or its user says so");
    }
}

static GtRestPose find_rest_pose(const Mapper* m)
{
    float sine = 0.0f;
    for (int s = 0; s < 2; ++s) {
        const GtiMapLimb* arm = &m->body.arms[s];
        int32_t last = arm->end < arm->chain_count ? arm->end : arm->lower;
        GtVec3 along = gt_vec3_sub(position(m, arm->chain[last]), position(m, arm->chain[arm->upper]));
        sine += 0.5f * gt_vec3_dot(gt_vec3_normalize_or(along, m->body.up), m->body.up);
    }
    return sine > 0.4f ? GT_REST_OTHER : sine > -0.26f ? GT_REST_T : sine > -0.9f ? GT_REST_A : GT_REST_I;
}

static void judge(Mapper* m)
{
    GtMapReport* r = m->report;
    static const char* const poses[] = { "an unusual pose", "a T-pose", "an A-pose", "a pose with hanging arms" };
    int32_t missing = 0;
    float sum = 0.0f;
    char names[96] = "";
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        r->mapped_count += r->joints[j].node != GT_NONE;
        if (gt_humanoid_required((GtHumanoidJoint)j)) {
            sum += r->joints[j].confidence;
            if (r->joints[j].node == GT_NONE) {
                size_t used = strlen(names);
                snprintf(names + used, sizeof names - used, "%s%s", missing ? ", " : "",
                         gt_humanoid_name((GtHumanoidJoint)j));
                ++missing;
            }
        }
    }
    r->confidence = sum / 15.0f;
    bool tells = m->sides_by_name || m->sides_by_shape;
    r->verdict = missing > 4 ? GT_MAP_NOT_HUMANOID
                 : missing   ? GT_MAP_INCOMPLETE
                 : tells     ? GT_MAP_HUMANOID
                             : GT_MAP_AMBIGUOUS;
    if (r->verdict == GT_MAP_INCOMPLETE) {
        snprintf(r->summary, sizeof r->summary, "a humanoid without %s", names);
    } else if (r->verdict != GT_MAP_NOT_HUMANOID) {
        snprintf(r->summary, sizeof r->summary, "a humanoid in %s, %d of its %d joints named%s", poses[r->rest_pose],
                 (int)r->mapped_count, (int)r->joint_count,
                 !tells                   ? "; left and right cannot be told apart"
                 : r->sides_against_names ? "; its names call left what lies on its right"
                 : r->sides_are_doubtful  ? "; its feet and its names disagree about left and right"
                                          : "");
    }
    r->confidence *= r->verdict == GT_MAP_AMBIGUOUS || r->sides_are_doubtful ? 0.5f
                     : r->sides_against_names                                ? 0.8f
                                                                             : 1.0f;
}

static void refuse(Mapper* m)
{
    GtMapReport* r = m->report;
    r->verdict = GT_MAP_NOT_HUMANOID;
    r->confidence = 0.0f;
    if (m->tree.count == 0) {
        snprintf(r->summary, sizeof r->summary, "it has no joints");
    } else if (m->tree.count < 12) {
        snprintf(r->summary, sizeof r->summary, "it has %d joints, and a humanoid needs fifteen", (int)m->tree.count);
    } else {
        snprintf(r->summary, sizeof r->summary,
                 "among %d joints there are no two legs with two arms and a head over them", (int)m->tree.count);
    }
}

static GtResult check_known(Mapper* m, GtError* error)
{
    const GtHumanoidMap* own = m->def->ignore_scene_map ? NULL : m->scene->humanoid;
    m->known = own ? *own : gt_humanoid_map_empty();
    for (int32_t j = 0; m->def->known && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = m->def->known->nodes[j];
        if (node != GT_NONE) {
            for (int32_t k = 0; k < GT_HUMANOID_JOINT_COUNT; ++k) {
                m->known.nodes[k] = m->known.nodes[k] == node ? GT_NONE : m->known.nodes[k];
            }
            m->known.nodes[j] = node;
        }
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = m->known.nodes[j];
        if (node != GT_NONE && (node < 0 || node >= m->scene->node_count)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "the map's %s is node %d, and the scene has %d",
                            gt_humanoid_name((GtHumanoidJoint)j), (int)node, (int)m->scene->node_count);
        }
        for (int32_t k = 0; node != GT_NONE && m->def->known && k < j; ++k) {
            if (m->def->known->nodes[k] == node && m->def->known->nodes[j] == node) {
                return gti_fail(error, GT_ERROR_BAD_VALUE, "the map's %s and %s are the same joint",
                                gt_humanoid_name((GtHumanoidJoint)k), gt_humanoid_name((GtHumanoidJoint)j));
            }
        }
    }
    return GT_OK;
}

static GtResult map_scene(Mapper* m, GtError* error)
{
    GtMapReport* r = m->report;
    memset(r, 0, sizeof *r);
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        r->joints[j].node = GT_NONE;
    }
    GtResult result = check_known(m, error);
    if (result == GT_OK) {
        result = find_body(m, error);
    }
    if (result != GT_OK) {
        return result;
    }
    r->joint_count = m->tree.count;
    bool is_body = m->body.score > GTI_BODY_LEAST;
    if (is_body) {
        result = tell_sides(m, error);
        put_trunk(m);
        put_legs(m);
        put_arms(m);
        put_face(m);
        put_eyes_by_shape(m);
        r->up = m->body.up;
        r->forward = m->forward;
        r->height_m = m->body.leg_m / 0.49f; // Winter: hip at 0.530, ankle at 0.039 of the height
        r->rest_pose = find_rest_pose(m);
    }
    put_known(m);
    judge(m);
    if (r->verdict == GT_MAP_NOT_HUMANOID) {
        refuse(m);
    }
    return result;
}

GtMapDef gt_default_map_def(void)
{
    return (GtMapDef){ .known = NULL };
}

GtResult gt_map_humanoid(const GtContext* context, const GtScene* scene, const GtMapDef* def, GtHumanoidMap* out,
                         GtMapReport* report, GtError* error)
{
    def = def ? def : (GtMapDef[]){ gt_default_map_def() };
    Mapper m = { .context = context, .scene = scene, .def = def, .scratch = gt_arena_create(context->allocator) };
    *out = gt_humanoid_map_empty();
    m.report = report ? report : gt_arena_push_array(&m.scratch, 1, sizeof *m.report);
    GtResult result = m.report ? map_scene(&m, error) : gti_out_of_memory(error);
    for (int32_t j = 0; result == GT_OK && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        out->nodes[j] = m.report->verdict == GT_MAP_NOT_HUMANOID ? GT_NONE : m.report->joints[j].node;
    }
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
    }
    gt_arena_destroy(&m.scratch);
    return result;
}
