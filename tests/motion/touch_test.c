// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands that touch in a motion touch on other bodies, too. The motions are poses of the built-in skeleton that is
// brought to a place and back by inverse kinematics; the oracle is the skin of the result: its triangles, posed, one by
// one.

#include "motion/puppets.h"

#include "gertie/bake.h"
#include "gertie/executor.h"
#include "gertie/file.h"
#include "gertie/ik.h"

#include <stdlib.h>

enum {
    FRAMES = 91,
    RATE_HZ = 60,
    COARSE = 2000, // triangles
    FINE = 8000    // for skins that are looked at closely
};

typedef enum Scene {
    CLAP,
    HIP,
    HEAD,
    GROUND,
    NOTHING,
    SCENE_COUNT
} Scene;

// Where a wrist goes, and how its hand is turned since the T-pose. Model space of the default person.
typedef struct Reach {
    bool used;
    GtVec3 wrist;
    GtQuat turn;
} Reach;

// The rotation that takes X and Y to these.
static GtQuat turn_to(GtVec3 x, GtVec3 y)
{
    GtVec3 z = gt_vec3_cross(x, y);
    GtMat34 m = { { { x.x, y.x, z.x, 0.0f }, { x.y, y.y, z.y, 0.0f }, { x.z, y.z, z.z, 0.0f } } };
    return gt_mat34_polar(&m, NULL);
}

static Reach mirrored(Reach r)
{
    return (Reach){ r.used, gt_vec3(-r.wrist.x, r.wrist.y, r.wrist.z),
                    gt_quat(r.turn.x, -r.turn.y, -r.turn.z, r.turn.w) };
}

static void plan(Scene scene, Reach reaches[2])
{
    reaches[0] = reaches[1] = (Reach){ 0 };
    switch (scene) {
    case CLAP: // before the chest, fingers ahead and palms facing
        reaches[0] = (Reach){ true, gt_vec3(0.016f, 1.2f, 0.30f), turn_to(gt_vec3(0, 0, 1), gt_vec3(1, 0, 0)) };
        reaches[1] = mirrored(reaches[0]);
        break;
    case HIP: // fingers down, palms to the body
        reaches[0] = (Reach){ true, gt_vec3(0.2f, 1.04f, 0.02f), turn_to(gt_vec3(0, -1, 0), gt_vec3(1, 0, 0)) };
        reaches[1] = mirrored(reaches[0]);
        break;
    case HEAD: // the left hand, palm down, fingers to the right
        reaches[0] = (Reach){ true, gt_vec3(0.09f, 1.78f, 0.02f), turn_to(gt_vec3(-1, 0, 0), gt_vec3(0, 1, 0)) };
        break;
    case GROUND: // palms down, fingers ahead
        reaches[0] = (Reach){ true, gt_vec3(0.25f, 0.02f, 0.25f), turn_to(gt_vec3(0, 0, 1), gt_vec3(0, 1, 0)) };
        reaches[1] = mirrored(reaches[0]);
        break;
    default:
        break;
    }
}

// 0 to 1 in the first half second, there for another half, and back.
static float share_at(int frame)
{
    float t = (float)frame / RATE_HZ;
    float u = fminf(fmaxf(t < 0.75f ? 2.0f * t : 2.0f * (1.5f - t), 0.0f), 1.0f);
    return u * u * (3.0f - 2.0f * u);
}

static void turn_in_model(const GtCharacter* character, int32_t node, GtQuat rotation, GtTransform* pose,
                          GtMat34* model)
{
    int32_t parent = gt_character_def(character)->parents[node];
    GtQuat above = gt_mat34_polar(&model[parent], NULL);
    pose[node].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(above), rotation));
    gt_character_to_model(character, pose, model);
}

// The person at ease, arms down, and in a low crouch for the ground; then the wrists on their way.
static void make_pose(const GtCharacter* character, Scene scene, float share, GtTransform* pose, GtMat34* model)
{
    const GtCharacterDef* def = gt_character_def(character);
    memcpy(pose, def->rest, (size_t)def->node_count * sizeof *pose);
    if (scene == GROUND) {
        pose[gt_character_find_node(character, "hips")].translation.y = 0.25f;
        int32_t spine = gt_character_find_node(character, "spine");
        pose[spine].rotation = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 1.0f);
    }
    gt_character_to_model(character, pose, model);
    Reach reaches[2];
    plan(scene, reaches);
    const char* names[2][3] = { { "leftUpperArm", "leftLowerArm", "leftHand" },
                                { "rightUpperArm", "rightLowerArm", "rightHand" } };
    for (int side = 0; side < 2; ++side) {
        float sign = side ? -1.0f : 1.0f;
        int32_t nodes[3];
        for (int k = 0; k < 3; ++k) {
            nodes[k] = gt_character_find_node(character, names[side][k]);
        }
        GtQuat down = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), (scene == GROUND ? -0.2f : -1.2f) * sign);
        turn_in_model(character, nodes[0], down, pose, model);
        if (reaches[side].used) {
            GtIkLimb limb = gt_default_ik_limb();
            memcpy(limb.nodes, nodes, sizeof nodes);
            limb.target = gt_vec3_lerp(gt_mat34_translation(&model[nodes[2]]), reaches[side].wrist, share);
            limb.pole = gt_vec3(0.5f * sign, -0.2f, -1.0f);
            gt_ik_limb(character, &limb, pose, model);
            turn_in_model(character, nodes[2], gt_quat_slerp(down, reaches[side].turn, share), pose, model);
        }
    }
}

static GtScene* make_touching(const GtContext* context, Scene scene)
{
    GtError error;
    GtScene* out = make_person(context, gt_default_person_def());
    GtCharacter* character = NULL;
    GtBuildDef build = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(context, out, &build, &character, NULL, &error));
    int32_t count = gt_character_def(character)->node_count;
    GtTransform* poses = calloc((size_t)(FRAMES * count), sizeof *poses);
    GtMat34* model = calloc((size_t)count, sizeof *model);
    int32_t* nodes = calloc((size_t)count, sizeof *nodes);
    uint8_t* paths = calloc((size_t)count, sizeof *paths);
    float times[FRAMES];
    for (int f = 0; f < FRAMES; ++f) {
        times[f] = (float)f / RATE_HZ;
        make_pose(character, scene, share_at(f), poses + (size_t)f * (size_t)count, model);
    }
    for (int32_t n = 0; n < count; ++n) {
        nodes[n] = gt_character_def(character)->source_nodes[n];
        paths[n] = GT_BAKE_ROTATION | (nodes[n] == out->humanoid->nodes[GT_HUMANOID_HIPS] ? GT_BAKE_TRANSLATION : 0);
    }
    GtBakeDef bake = { .name = "touch",
                       .frame_count = FRAMES,
                       .times_s = times,
                       .node_count = count,
                       .nodes = nodes,
                       .paths = paths,
                       .poses = poses };
    GT_EXPECT_OK(gt_scene_bake(context, out, &bake, NULL, &error));
    free(paths);
    free(nodes);
    free(model);
    free(poses);
    gt_character_destroy(character);
    return out;
}

static GtScene* make_body(const GtContext* context, GtPersonDef def, int32_t triangle_count)
{
    GtError error;
    GtScene* scene = NULL;
    def.triangle_count = triangle_count;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    return scene;
}

static GtRetargetDef touch_def(void)
{
    GtRetargetDef def = bare_retarget_def();
    def.keep_contacts = true;
    return def;
}

// The skin of a result in a moment.
typedef struct Skin {
    const GtMeshDef* mesh;
    GtVec3* points;
    char* owners; // 'l' and 'r' for hands, 'L' and 'R' for thumbs, 'a' for the arms that they are on,
                  // 'b' for the rest
} Skin;

static bool is_under(const GtCharacterDef* def, int32_t node, int32_t top)
{
    while (node != GT_NONE && node != top) {
        node = def->parents[node];
    }
    return node == top;
}

static char owner_of(const Player* p, int32_t node)
{
    const GtCharacterDef* def = gt_character_def(p->character);
    return is_under(def, node, player_node(p, "leftThumbMetacarpal"))    ? 'L'
           : is_under(def, node, player_node(p, "rightThumbMetacarpal")) ? 'R'
           : is_under(def, node, player_node(p, "leftHand"))             ? 'l'
           : is_under(def, node, player_node(p, "rightHand"))            ? 'r'
           : is_under(def, node, player_node(p, "leftShoulder"))         ? 'a'
           : is_under(def, node, player_node(p, "rightShoulder"))        ? 'a'
                                                                         : 'b';
}

static Skin open_skin(Player* p)
{
    const GtCharacterDef* def = gt_character_def(p->character);
    Skin skin = { .mesh = &def->meshes[0] };
    skin.points = calloc((size_t)skin.mesh->vertex_count, sizeof *skin.points);
    skin.owners = calloc((size_t)skin.mesh->vertex_count, 1);
    for (int32_t v = 0; v < skin.mesh->vertex_count; ++v) {
        float most = 0.0f;
        for (int32_t k = 0; k < skin.mesh->influence_count; ++k) {
            int32_t at = v * skin.mesh->influence_count + k;
            if (skin.mesh->weights[at] > most) {
                most = skin.mesh->weights[at];
                skin.owners[v] = owner_of(p, def->skins[skin.mesh->skin].joints[skin.mesh->joints[at]]);
            }
        }
    }
    return skin;
}

static void close_skin(Skin* skin)
{
    free(skin->points);
    free(skin->owners);
}

// Squared distance of a point from a segment.
static float from_edge(GtVec3 p, GtVec3 a, GtVec3 b)
{
    GtVec3 edge = gt_vec3_sub(b, a), way = gt_vec3_sub(p, a);
    float share = fminf(fmaxf(gt_vec3_dot(way, edge) / gt_vec3_dot(edge, edge), 0.0f), 1.0f);
    way = gt_vec3_sub(way, gt_vec3_scale(edge, share));
    return gt_vec3_dot(way, way);
}

// Likewise from a triangle: from its plane where the point is over it, else from an edge.
static float from_triangle(GtVec3 p, GtVec3 a, GtVec3 b, GtVec3 c)
{
    GtVec3 normal = gt_vec3_cross(gt_vec3_sub(b, a), gt_vec3_sub(c, a));
    bool is_over = gt_vec3_dot(gt_vec3_cross(gt_vec3_sub(b, a), gt_vec3_sub(p, a)), normal) >= 0.0f &&
                   gt_vec3_dot(gt_vec3_cross(gt_vec3_sub(c, b), gt_vec3_sub(p, b)), normal) >= 0.0f &&
                   gt_vec3_dot(gt_vec3_cross(gt_vec3_sub(a, c), gt_vec3_sub(p, c)), normal) >= 0.0f;
    float height = gt_vec3_dot(gt_vec3_sub(p, a), normal);
    return is_over ? height * height / gt_vec3_dot(normal, normal)
                   : fminf(from_edge(p, a, b), fminf(from_edge(p, b, c), from_edge(p, c, a)));
}

// The angle that a triangle fills of what can be seen from a point (Van Oosterom and Strackee 1983).
static double solid_angle(GtVec3 p, GtVec3 a, GtVec3 b, GtVec3 c)
{
    GtVec3 x = gt_vec3_sub(a, p), y = gt_vec3_sub(b, p), z = gt_vec3_sub(c, p);
    double lx = (double)gt_vec3_length(x), ly = (double)gt_vec3_length(y), lz = (double)gt_vec3_length(z);
    double bottom =
        lx * ly * lz + (double)gt_vec3_dot(x, y) * lz + (double)gt_vec3_dot(y, z) * lx + (double)gt_vec3_dot(z, x) * ly;
    return 2.0 * atan2((double)gt_vec3_dot(x, gt_vec3_cross(y, z)), bottom);
}

// Distance of a point from the triangles of `owner`, negative inside. Only what is within 3 cm is told apart.
static float distance_to(const Skin* skin, GtVec3 p, char owner)
{
    float least = 0.1f * 0.1f;
    double angle = 0.0;
    const uint32_t* t = skin->mesh->indices;
    for (int32_t i = 0; i + 2 < skin->mesh->index_count; i += 3) {
        GtVec3 a = skin->points[t[i]];
        if (skin->owners[t[i]] == owner && gt_vec3_length(gt_vec3_sub(p, a)) < 0.1f) {
            least = fminf(least, from_triangle(p, a, skin->points[t[i + 1]], skin->points[t[i + 2]]));
        }
    }
    for (int32_t i = 0; least < 0.03f * 0.03f && i + 2 < skin->mesh->index_count; i += 3) {
        if (skin->owners[t[i]] == owner) {
            angle += solid_angle(p, skin->points[t[i]], skin->points[t[i + 1]], skin->points[t[i + 2]]);
        }
    }
    return angle > 6.28318530718 ? -sqrtf(least) : sqrtf(least); // half of all around
}

// How far the hand is from what it touches at a time: the least of all its vertices. Thumbs of hands that clap may
// cross.
static float gap_at(Player* p, Skin* skin, Scene scene, char hand, double time_s)
{
    play_at(p, time_s);
    gt_instance_deform(p->instance, 0, skin->points, NULL, NULL);
    float least = INFINITY;
    for (int32_t v = 0; v < skin->mesh->vertex_count; ++v) {
        char owner = skin->owners[v];
        bool is_thumb = owner == (hand == 'l' ? 'L' : 'R');
        if (scene == CLAP && (owner == 'l' || owner == 'r')) {
            least = fminf(least, distance_to(skin, skin->points[v], owner == 'l' ? 'r' : 'l'));
        } else if (scene != CLAP && (owner == hand || is_thumb)) {
            least = fminf(least, scene == GROUND ? skin->points[v].y : distance_to(skin, skin->points[v], 'b'));
        }
    }
    return least;
}

// Where the left hand, or the right one, is farthest from touching while it should.
static float worst_gap(const GtContext* context, const GtScene* out, Scene scene, char hand)
{
    Player p = open_player(context, out, 0);
    Skin skin = open_skin(&p);
    float worst = 0.0f;
    for (int k = 0; k < 2; ++k) {
        float gap = gap_at(&p, &skin, scene, hand, 0.6 + 0.3 * k);
        worst = fabsf(gap) > fabsf(worst) ? gap : worst;
    }
    close_skin(&skin);
    close_player(context, &p);
    return worst;
}

enum {
    BODY_COUNT = 6
};

static GtPersonDef body_of(int index)
{
    GtPersonDef def = gt_default_person_def();
    def.arm_length = index == 1 ? 0.7 : index == 2 ? 1.3 : 1.0;
    def.hip_width = index == 3 ? 1.4 : 1.0;
    def.head_size = index == 4 ? 1.4 : 1.0;
    def.build = index == 5 ? 1.0 : 0.0;
    def.height_m = index == 5 ? 1.4 : def.height_m;
    return def;
}

static void test_hands_meet_what_they_touch(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtRetargetDef plain = bare_retarget_def();
    GtScene* bodies[BODY_COUNT];
    for (int b = 0; b < BODY_COUNT; ++b) {
        bodies[b] = make_body(&context, body_of(b), FINE);
    }
    for (int s = CLAP; s <= GROUND; ++s) {
        GtScene* motion = make_touching(&context, (Scene)s);
        for (int b = 0; b < BODY_COUNT; ++b) {
            bool is_reachable = !(s == GROUND && b == 1);
            GtRetargetReport report;
            GtScene* out = carry(&context, motion, bodies[b], &def, &report);
            assert_int_equal(report.touch.touch_count, s == HIP || s == GROUND ? 2 : 1);
            assert_int_equal(report.touch.missed_count, is_reachable ? 0 : 2);
            assert_true(report.touch.hand_shift_m > 0.001 && report.touch.hand_shift_m < 0.5);
            if (is_reachable) {
                GT_EXPECT_NEAR(worst_gap(&context, out, (Scene)s, 'l'), 0.0, 0.005);
                assert_true(report.touch.miss_m < 0.005);
            } else {
                GT_EXPECT_NEAR(worst_gap(&context, out, (Scene)s, 'l'), report.touch.miss_m, 0.01);
            }
            if (s == HIP || (s == GROUND && is_reachable)) {
                GT_EXPECT_NEAR(worst_gap(&context, out, (Scene)s, 'r'), 0.0, 0.005);
            }
            gt_scene_destroy(out);
        }
        GtScene* without = carry(&context, motion, bodies[s == HIP ? 3 : 2], &plain, NULL);
        assert_true(fabsf(worst_gap(&context, without, (Scene)s, 'l')) > 0.015f); // there is something to do
        gt_scene_destroy(without);
        gt_scene_destroy(motion);
    }
    for (int b = 0; b < BODY_COUNT; ++b) {
        gt_scene_destroy(bodies[b]);
    }
}

static void test_left_and_right_may_change_places(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    def.mirror = true;
    GtScene* motion = make_touching(&context, HEAD);
    GtScene* body = make_body(&context, body_of(4), FINE);
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, body, &def, &report);
    assert_int_equal(report.touch.touch_count, 1);
    GT_EXPECT_NEAR(worst_gap(&context, out, HEAD, 'r'), 0.0, 0.005);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

// A motion of a figure with a skin, onto itself: hands are where they were but for what they went in or stayed away.
static void test_a_source_may_have_a_skin(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtScene* bones = make_touching(&context, HEAD);
    GtScene* body = make_body(&context, body_of(0), FINE);
    GtRetargetDef plain = bare_retarget_def();
    GtScene* motion = carry(&context, bones, body, &plain, NULL);
    GtScene* big = make_body(&context, body_of(4), FINE);
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, big, &def, &report);
    assert_int_equal(report.touch.touch_count, 1);
    GT_EXPECT_NEAR(worst_gap(&context, out, HEAD, 'l'), 0.0, 0.005);
    gt_scene_destroy(out);
    out = carry(&context, motion, body, &def, &report);
    Player p = open_player(&context, out, 0), q = open_player(&context, motion, 0);
    GtVec3 shift = gt_vec3_sub(joint_at(&p, "leftHand", 0.75), joint_at(&q, "leftHand", 0.75));
    GT_EXPECT_NEAR(gt_vec3_length(shift), fabsf(worst_gap(&context, motion, HEAD, 'l')), 0.003);
    close_player(&context, &q);
    close_player(&context, &p);
    gt_scene_destroy(out);
    gt_scene_destroy(big);
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
    gt_scene_destroy(bones);
}

static void expect_same_bytes(const GtScene* a, const GtScene* b, int32_t first)
{
    assert_int_equal(a->buffer_count, b->buffer_count);
    for (int32_t i = first; i < a->buffer_count; ++i) {
        size_t size = gt_blob_size(a->buffers[i].blob);
        assert_int_equal(size, gt_blob_size(b->buffers[i].blob));
        assert_memory_equal(gt_blob_bytes(a->buffers[i].blob), gt_blob_bytes(b->buffers[i].blob), size);
    }
}

static void test_without_touches_nothing_changes(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtRetargetDef plain = bare_retarget_def();
    GtScene* motion = make_touching(&context, NOTHING);
    GtScene* body = make_body(&context, body_of(2), COARSE);
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, body, &def, &report);
    GtScene* without = carry(&context, motion, body, &plain, NULL);
    const GtTouchReport none = { 0 };
    assert_memory_equal(&report.touch, &none, sizeof none);
    expect_same_bytes(out, without, body->buffer_count);
    gt_scene_destroy(without);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

static bool is_of_arm(const char* name)
{
    const char* arm[] = { "Shoulder", "UpperArm", "LowerArm", "Hand", "Thumb", "Index", "Middle", "Ring", "Little" };
    for (int k = 0; k < 9; ++k) {
        if (strstr(name, arm[k])) {
            return true;
        }
    }
    return false;
}

// Only arms move, only around touches, and no bone changes its length, whether it reaches or not.
static void test_nothing_else_moves(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtRetargetDef plain = bare_retarget_def();
    for (int s = CLAP; s <= HEAD; ++s) {
        GtScene* motion = make_touching(&context, (Scene)s);
        GtScene* body = make_person(&context, body_of(1));
        GtScene* out = carry(&context, motion, body, &def, NULL);
        GtScene* without = carry(&context, motion, body, &plain, NULL);
        Player p = open_player(&context, out, 0);
        Player q = open_player(&context, without, 0);
        int32_t count = gt_character_def(p.character)->node_count;
        for (int f = 0; f < FRAMES; f += 5) {
            double t = (double)f / RATE_HZ;
            play_at(&p, t);
            play_at(&q, t);
            for (int32_t n = 0; n < count; ++n) {
                const char* name = gt_character_def(p.character)->names[n];
                GtTransform a = p.instance->pose[n], b = q.instance->pose[n];
                assert_memory_equal(&a.translation, &b.translation, sizeof a.translation);
                assert_memory_equal(&a.scale, &b.scale, sizeof a.scale);
                if (!is_of_arm(name) || t < 0.1 || t > 1.4 || (s == HEAD && strstr(name, "right"))) {
                    assert_memory_equal(&a.rotation, &b.rotation, sizeof a.rotation);
                }
            }
        }
        close_player(&context, &q);
        close_player(&context, &p);
        gt_scene_destroy(without);
        gt_scene_destroy(out);
        gt_scene_destroy(body);
        gt_scene_destroy(motion);
    }
}

// Largest second difference of where a joint is.
static double acceleration_of(Player* p, const char* joint)
{
    double most = 0.0;
    for (int f = 1; f + 1 < FRAMES; ++f) {
        GtVec3 a = joint_at(p, joint, (f - 1.0) / RATE_HZ), b = joint_at(p, joint, (double)f / RATE_HZ);
        GtVec3 c = joint_at(p, joint, (f + 1.0) / RATE_HZ);
        GtVec3 bend = gt_vec3_add(gt_vec3_sub(a, b), gt_vec3_sub(c, b));
        most = fmax(most, (double)gt_vec3_length(bend) * RATE_HZ * RATE_HZ);
    }
    return most;
}

static void test_arms_move_as_smoothly_as_before(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    const char* joints[] = { "leftLowerArm", "leftHand", "rightLowerArm", "rightHand" };
    for (int s = CLAP; s <= GROUND; ++s) {
        GtScene* motion = make_touching(&context, (Scene)s);
        for (int b = 0; b < BODY_COUNT; ++b) {
            GtScene* body = make_person(&context, body_of(b));
            GtScene* out = carry(&context, motion, body, &def, NULL);
            Player p = open_player(&context, out, 0);
            Player q = open_player(&context, motion, 0);
            for (int k = 0; k < 4; ++k) {
                double here = acceleration_of(&p, joints[k]), there = acceleration_of(&q, joints[k]);
                if (!(here <= 2.0 * there + 1.0)) {
                    fail_msg("scene %d, body %d, %s: %g m/s2, %g in the motion", s, b, joints[k], here, there);
                }
            }
            close_player(&context, &q);
            close_player(&context, &p);
            gt_scene_destroy(out);
            gt_scene_destroy(body);
        }
        gt_scene_destroy(motion);
    }
}

static void test_threads_do_not_matter(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtContext threaded = context;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, 3, &pool, &error));
    threaded.executor = gt_thread_pool_executor(pool);
    GtRetargetDef def = touch_def();
    def.frame_rate_hz = 240.0;
    GtScene* motion = make_touching(&context, CLAP);
    GtScene* body = make_body(&context, body_of(5), COARSE);
    GtRetargetReport one, many;
    GtScene* a = carry(&context, motion, body, &def, &one);
    GtScene* b = carry(&threaded, motion, body, &def, &many);
    assert_true(one.touch.touch_count > 0);
    assert_memory_equal(&one.touch, &many.touch, sizeof one.touch);
    expect_same_bytes(a, b, body->buffer_count);
    gt_scene_destroy(a);
    gt_scene_destroy(b);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
    gt_thread_pool_destroy(pool);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtScene* motion = make_touching(&heap, GROUND);
    GtScene* body = make_body(&heap, body_of(0), COARSE);
    GtRetargetDef def = touch_def();
    def.frame_rate_hz = 10.0;
    GtRetarget* retarget = NULL;
    GT_EXPECT_OK(gt_retarget_create(&heap, motion, motion->humanoid, body, body->humanoid, &def, &retarget, &error));
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = heap;
        context.allocator = test_allocator(&limited);
        GtScene* out = NULL;
        GtRetargetReport report = { 0 };
        result = gt_scene_copy(&context, body, &out, &error);
        if (result == GT_OK) {
            result = gt_retarget_clip(&context, retarget, out, NULL, &report, &error);
        }
        assert_true(result == GT_OK ? report.touch.touch_count > 0 : result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(out);
        assert_int_equal(limited.alive, 0);
    }
    assert_true(allowed > 20);
    gt_retarget_destroy(retarget);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hands_meet_what_they_touch), cmocka_unit_test(test_left_and_right_may_change_places),
        cmocka_unit_test(test_a_source_may_have_a_skin),   cmocka_unit_test(test_without_touches_nothing_changes),
        cmocka_unit_test(test_nothing_else_moves),         cmocka_unit_test(test_arms_move_as_smoothly_as_before),
        cmocka_unit_test(test_threads_do_not_matter),      cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
