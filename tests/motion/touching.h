// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands that touch something, for tests: poses of the built-in skeleton that is brought to a place and back by inverse
// kinematics, bodies of many builds, and the skin of a result as an oracle: its triangles, posed, one by one.

#ifndef GERTIE_TESTS_MOTION_TOUCHING_H
#define GERTIE_TESTS_MOTION_TOUCHING_H

#include "motion/puppets.h"

#include "gertie/bake.h"
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
    SIT,
    LIE, // on its back, a little over the ground
    SCENE_COUNT
} Scene;

// Where a wrist goes, and how its hand is turned since the T-pose. Model space of the default person.
typedef struct Reach {
    bool used;
    GtVec3 wrist;
    GtQuat turn;
} Reach;

// The rotation that takes X and Y to these.
static inline GtQuat turn_to(GtVec3 x, GtVec3 y)
{
    GtVec3 z = gt_vec3_cross(x, y);
    GtMat34 m = { { { x.x, y.x, z.x, 0.0f }, { x.y, y.y, z.y, 0.0f }, { x.z, y.z, z.z, 0.0f } } };
    return gt_mat34_polar(&m, NULL);
}

static inline Reach mirrored(Reach r)
{
    return (Reach){ r.used, gt_vec3(-r.wrist.x, r.wrist.y, r.wrist.z),
                    gt_quat(r.turn.x, -r.turn.y, -r.turn.z, r.turn.w) };
}

static inline void plan(Scene scene, Reach reaches[2])
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
    case SIT: // palms down beside the seat, fingers out
        reaches[0] = (Reach){ true, gt_vec3(0.4f, 0.02f, -0.05f), turn_to(gt_vec3(1, 0, 0), gt_vec3(0, 1, 0)) };
        reaches[1] = mirrored(reaches[0]);
        break;
    default:
        break;
    }
}

// 0 to 1 in the first half second, there for another half, and back.
static inline float share_at(int frame)
{
    float t = (float)frame / RATE_HZ;
    float u = fminf(fmaxf(t < 0.75f ? 2.0f * t : 2.0f * (1.5f - t), 0.0f), 1.0f);
    return u * u * (3.0f - 2.0f * u);
}

static inline void turn_in_model(const GtCharacter* character, int32_t node, GtQuat rotation, GtTransform* pose,
                                 GtMat34* model)
{
    int32_t parent = gt_character_def(character)->parents[node];
    GtQuat above = gt_mat34_polar(&model[parent], NULL);
    pose[node].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(above), rotation));
    gt_character_to_model(character, pose, model);
}

// The person at ease, arms down, and in a low crouch for the ground or on its seat; then the wrists on their way.
static inline void make_pose(const GtCharacter* character, Scene scene, float share, GtTransform* pose, GtMat34* model)
{
    const GtCharacterDef* def = gt_character_def(character);
    memcpy(pose, def->rest, (size_t)def->node_count * sizeof *pose);
    if (scene == GROUND) {
        pose[gt_character_find_node(character, "hips")].translation.y = 0.25f;
        int32_t spine = gt_character_find_node(character, "spine");
        pose[spine].rotation = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 1.0f);
    }
    int32_t hips = gt_character_find_node(character, "hips");
    if (scene == SIT) {
        pose[hips].translation.y = 0.1f;
        for (int side = 0; side < 2; ++side) {
            int32_t thigh = gt_character_find_node(character, side ? "rightUpperLeg" : "leftUpperLeg");
            pose[thigh].rotation = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), -1.5707963f);
        }
    } else if (scene == LIE) {
        pose[hips].translation.y = 0.16f;
        pose[hips].rotation = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), -1.5707963f);
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
        GtQuat down = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), (scene == LIE      ? 0.2f
                                                                 : scene == GROUND ? -0.2f
                                                                                   : -1.2f) *
                                                                    sign);
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

static inline GtScene* make_touching(const GtContext* context, Scene scene)
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

static inline GtScene* make_body(const GtContext* context, GtPersonDef def, int32_t triangle_count)
{
    GtError error;
    GtScene* scene = NULL;
    def.triangle_count = triangle_count;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    return scene;
}

static inline GtRetargetDef touch_def(void)
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

static inline bool is_under(const GtCharacterDef* def, int32_t node, int32_t top)
{
    while (node != GT_NONE && node != top) {
        node = def->parents[node];
    }
    return node == top;
}

static inline char owner_of(const Player* p, int32_t node)
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

static inline Skin open_skin(Player* p)
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

static inline void close_skin(Skin* skin)
{
    free(skin->points);
    free(skin->owners);
}

// Squared distance of a point from a segment.
static inline float from_edge(GtVec3 p, GtVec3 a, GtVec3 b)
{
    GtVec3 edge = gt_vec3_sub(b, a), way = gt_vec3_sub(p, a);
    float share = fminf(fmaxf(gt_vec3_dot(way, edge) / gt_vec3_dot(edge, edge), 0.0f), 1.0f);
    way = gt_vec3_sub(way, gt_vec3_scale(edge, share));
    return gt_vec3_dot(way, way);
}

// Likewise from a triangle: from its plane where the point is over it, else from an edge.
static inline float from_triangle(GtVec3 p, GtVec3 a, GtVec3 b, GtVec3 c)
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
static inline double solid_angle(GtVec3 p, GtVec3 a, GtVec3 b, GtVec3 c)
{
    GtVec3 x = gt_vec3_sub(a, p), y = gt_vec3_sub(b, p), z = gt_vec3_sub(c, p);
    double lx = (double)gt_vec3_length(x), ly = (double)gt_vec3_length(y), lz = (double)gt_vec3_length(z);
    double bottom =
        lx * ly * lz + (double)gt_vec3_dot(x, y) * lz + (double)gt_vec3_dot(y, z) * lx + (double)gt_vec3_dot(z, x) * ly;
    return 2.0 * atan2((double)gt_vec3_dot(x, gt_vec3_cross(y, z)), bottom);
}

// Distance of a point from the triangles of `owner`, negative inside. Only what is within 3 cm is told apart.
static inline float distance_to(const Skin* skin, GtVec3 p, char owner)
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
static inline float gap_at(Player* p, Skin* skin, Scene scene, char hand, double time_s)
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
static inline float worst_gap(const GtContext* context, const GtScene* out, Scene scene, char hand)
{
    Player p = open_player(context, out, 0);
    Skin skin = open_skin(&p);
    float worst = 0.0f;
    for (int k = 0; k < 2; ++k) {
        float gap = gap_at(&p, &skin, scene, hand, 0.6 + 0.3 * k);
        worst = fabsf(gap) > fabsf(worst) ? gap : worst;
    }
    close_skin(&skin);
    close_player(&p);
    return worst;
}

enum {
    BODY_COUNT = 6
};

static inline GtPersonDef body_of(int index)
{
    GtPersonDef def = gt_default_person_def();
    def.arm_length = index == 1 ? 0.7 : index == 2 ? 1.3 : 1.0;
    def.hip_width = index == 3 ? 1.4 : 1.0;
    def.head_size = index == 4 ? 1.4 : 1.0;
    def.build = index == 5 ? 1.0 : 0.0;
    def.height_m = index == 5 ? 1.4 : def.height_m;
    return def;
}

// Scenes and the bodies on which they are hardest: arms too short or too long to meet, hips, heads and bellies in the
// way.
typedef struct Trial {
    Scene scene;
    int body;
} Trial;

static const Trial trials[] = { { CLAP, 1 }, { CLAP, 2 }, { CLAP, 5 },   { HIP, 3 },   { HIP, 5 },
                                { HEAD, 1 }, { HEAD, 4 }, { GROUND, 1 }, { GROUND, 2 } };

enum {
    TRIAL_COUNT = sizeof trials / sizeof trials[0]
};

static inline void expect_same_bytes(const GtScene* a, const GtScene* b, int32_t first)
{
    assert_int_equal(a->buffer_count, b->buffer_count);
    for (int32_t i = first; i < a->buffer_count; ++i) {
        size_t size = gt_blob_size(a->buffers[i].blob);
        assert_int_equal(size, gt_blob_size(b->buffers[i].blob));
        assert_memory_equal(gt_blob_bytes(a->buffers[i].blob), gt_blob_bytes(b->buffers[i].blob), size);
    }
}

#endif
