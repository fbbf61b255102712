// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Characters that are set up oddly walk as they would if they were not: turned, mirrored by negative scales, with the
// names of left and right swapped or without names. The oracle is the same character before it was made odd, under the
// same motion; for one that was mirrored, the mirror image of what it does under the mirrored motion.

#include "motion/puppets.h"
#include "support/rigs.h"

#include "gertie/accessor.h"
#include "gertie/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 24
};

static const double TOLERANCE = 2e-3; // of the height

static const GtHumanoidJoint compared[] = { GT_HUMANOID_HIPS,
                                            GT_HUMANOID_HEAD,
                                            GT_HUMANOID_LEFT_UPPER_LEG,
                                            GT_HUMANOID_LEFT_LOWER_LEG,
                                            GT_HUMANOID_LEFT_FOOT,
                                            GT_HUMANOID_LEFT_UPPER_ARM,
                                            GT_HUMANOID_LEFT_LOWER_ARM,
                                            GT_HUMANOID_LEFT_HAND,
                                            GT_HUMANOID_RIGHT_UPPER_LEG,
                                            GT_HUMANOID_RIGHT_LOWER_LEG,
                                            GT_HUMANOID_RIGHT_FOOT,
                                            GT_HUMANOID_RIGHT_UPPER_ARM,
                                            GT_HUMANOID_RIGHT_LOWER_ARM,
                                            GT_HUMANOID_RIGHT_HAND };
enum {
    COMPARED = sizeof compared / sizeof *compared
};

// Where a mirror is put.
typedef enum MirrorPlace {
    MIRROR_NOTHING,
    MIRROR_ROOTS,
    MIRROR_ABOVE_HIPS, // the node that the hips hang from
    MIRROR_HIPS,
} MirrorPlace;

typedef struct OddSetup {
    const char* name;
    float yaw_deg;
    MirrorPlace mirror;
    GtVec3 scale; // of the mirror, in model space
    bool swaps_names, loses_names;
    float bow_deg;          // of the body at rest, which is not how its skin was bound
    bool mirrors_mesh_node; // a skinned one, which changes nothing
    int flipped_limbs[2];   // joints whose limbs have mirrored axes, in which they look as before; 0 for none
} OddSetup;

static const OddSetup setups[] = {
    { .name = "as it is" },
    { .name = "turned by 180 degrees", .yaw_deg = 180.0f },
    { .name = "turned by 90 degrees", .yaw_deg = 90.0f },
    { .name = "turned by -90 degrees", .yaw_deg = -90.0f },
    { .name = "turned by 37 degrees", .yaw_deg = 37.0f },
    { .name = "names swapped", .swaps_names = true },
    { .name = "names swapped, turned by 180", .swaps_names = true, .yaw_deg = 180.0f },
    { .name = "names swapped, turned by 90", .swaps_names = true, .yaw_deg = 90.0f },
    { .name = "no names", .loses_names = true },
    { .name = "no names, turned by 180", .loses_names = true, .yaw_deg = 180.0f },
    { .name = "no names, turned by -90", .loses_names = true, .yaw_deg = -90.0f },
    { .name = "root mirrored from left to right", .mirror = MIRROR_ROOTS, .scale = { -1, 1, 1 } },
    { .name = "root mirrored from front to back", .mirror = MIRROR_ROOTS, .scale = { 1, 1, -1 } },
    { .name = "root mirrored, names swapped", .mirror = MIRROR_ROOTS, .scale = { -1, 1, 1 }, .swaps_names = true },
    { .name = "root mirrored, no names", .mirror = MIRROR_ROOTS, .scale = { -1, 1, 1 }, .loses_names = true },
    { .name = "root mirrored twice", .mirror = MIRROR_ROOTS, .scale = { -1, 1, -1 } },
    { .name = "root mirrored, turned by 90", .mirror = MIRROR_ROOTS, .scale = { -1, 1, 1 }, .yaw_deg = 90.0f },
    { .name = "armature mirrored", .mirror = MIRROR_ABOVE_HIPS, .scale = { -1, 1, 1 } },
    { .name = "armature mirrored from front to back", .mirror = MIRROR_ABOVE_HIPS, .scale = { 1, 1, -1 } },
    { .name = "hips mirrored", .mirror = MIRROR_HIPS, .scale = { -1, 1, 1 } },
    { .name = "hips mirrored, turned by 180", .mirror = MIRROR_HIPS, .scale = { -1, 1, 1 }, .yaw_deg = 180.0f },
    { .name = "bent over at rest", .bow_deg = 60.0f },
    { .name = "bent over at rest, root mirrored", .bow_deg = 60.0f, .mirror = MIRROR_ROOTS, .scale = { -1, 1, 1 } },
    { .name = "mesh node mirrored", .mirrors_mesh_node = true },
    { .name = "axes of one arm mirrored", .flipped_limbs = { GT_HUMANOID_RIGHT_UPPER_ARM } },
    { .name = "axes of one leg mirrored", .flipped_limbs = { GT_HUMANOID_LEFT_UPPER_LEG } },
    { .name = "axes of the right side mirrored",
      .flipped_limbs = { GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_ARM } },
};

static GtVec3 times(GtVec3 a, GtVec3 b)
{
    return gt_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// signs * local * signs, but for the second signs, which go into the scale: T' R' S' = signs T R S.
static GtTransform mirrored(GtTransform local, GtVec3 signs)
{
    float odd = signs.x * signs.y * signs.z;
    GtQuat q = local.rotation;
    return gt_transform(times(signs, local.translation),
                        gt_quat(odd * signs.x * q.x, odd * signs.y * q.y, odd * signs.z * q.z, q.w),
                        times(signs, local.scale));
}

static void rename_node(GtScene* scene, int32_t node, const char* name)
{
    scene->nodes[node].name = gt_scene_push_text(scene, name, strlen(name));
    assert_non_null(scene->nodes[node].name);
}

static void swap_names(GtScene* scene, const GtHumanoidMap* map)
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int other = (int)gt_humanoid_mirror((GtHumanoidJoint)j);
        if (other > j && map->nodes[j] != GT_NONE && map->nodes[other] != GT_NONE) {
            const char* name = scene->nodes[map->nodes[j]].name;
            scene->nodes[map->nodes[j]].name = scene->nodes[map->nodes[other]].name;
            scene->nodes[map->nodes[other]].name = name;
        }
    }
}

static bool is_below(const GtScene* scene, int32_t node, int32_t above)
{
    while (node != GT_NONE && node != above) {
        node = scene->nodes[node].parent;
    }
    return node == above;
}

// Every frame below a node is mirrored in itself, so that nothing is elsewhere: joints, vertices. As exporters leave
// limbs that were modelled once and mirrored.
static void flip_axes(GtScene* scene, int32_t top)
{
    const GtVec3 signs = { -1.0f, 1.0f, 1.0f };
    GtError error;
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (n != top && is_below(scene, n, top)) {
            GtVec3 scale = scene->nodes[n].local.scale;
            scene->nodes[n].local = mirrored(scene->nodes[n].local, signs);
            scene->nodes[n].local.scale = scale;
        }
    }
    scene->nodes[top].local.scale = times(signs, scene->nodes[top].local.scale);
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        GtSkin* skin = &scene->skins[s];
        float* matrices = malloc((size_t)skin->joint_count * 16 * sizeof *matrices);
        assert_non_null(matrices);
        gt_accessor_read_floats(scene, skin->inverse_bind, 0, (uint64_t)skin->joint_count, matrices);
        for (int32_t j = 0; j < skin->joint_count; ++j) {
            for (int c = 0; c < 4 && is_below(scene, skin->joints[j], top); ++c) {
                matrices[16 * j + 4 * c] *= -1.0f;
            }
        }
        GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, matrices,
                                       (uint64_t)skin->joint_count, &skin->inverse_bind, &error));
        free(matrices);
    }
}

// Mirror a node in its parent's axes that are nearest to those of the model.
static void mirror_node(const GtContext* context, GtScene* scene, int32_t node, GtVec3 scale)
{
    GtError error;
    GtFigure figure;
    GtFigureDef def = gt_default_figure_def();
    def.without_map = true;
    GT_EXPECT_OK(gt_figure_open(context, scene, &def, &figure, &error));
    int32_t parent = scene->nodes[node].parent;
    GtVec3 signs = scale;
    if (parent != GT_NONE) {
        const GtMat34* model = &figure.reference[gt_character_node_from_source(figure.character, parent)];
        GtVec3 axis = scale.x < 0.0f ? gt_vec3(1, 0, 0) : gt_vec3(0, 0, 1);
        float along[3];
        for (int i = 0; i < 3; ++i) {
            along[i] = fabsf(axis.x * model->m[0][i] + axis.z * model->m[2][i]);
        }
        signs = along[0] >= along[1] && along[0] >= along[2] ? gt_vec3(-1, 1, 1)
                : along[1] >= along[2]                       ? gt_vec3(1, -1, 1)
                                                             : gt_vec3(1, 1, -1);
    }
    gt_figure_close(&figure);
    scene->nodes[node].local = mirrored(scene->nodes[node].local, signs);
}

static void bow(const GtContext* context, GtScene* scene, int32_t hips, float angle_rad)
{
    GtError error;
    GtFigure figure;
    GtFigureDef def = gt_default_figure_def();
    def.without_map = true;
    GT_EXPECT_OK(gt_figure_open(context, scene, &def, &figure, &error));
    int32_t above = scene->nodes[hips].parent;
    GtQuat parent = gt_quat_identity();
    if (above != GT_NONE) {
        parent = gt_mat34_polar(&figure.reference[gt_character_node_from_source(figure.character, above)], NULL);
    }
    gt_figure_close(&figure);
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), angle_rad);
    turn = gt_quat_mul(gt_quat_conjugate(parent), gt_quat_mul(turn, parent));
    scene->nodes[hips].local.rotation = gt_quat_normalize(gt_quat_mul(turn, scene->nodes[hips].local.rotation));
}

// False where the character has no such node to do it to.
static bool set_up(const GtContext* context, GtScene* scene, const OddSetup* odd)
{
    GtError error;
    GtHumanoidMap map;
    GT_EXPECT_OK(gt_map_humanoid(context, scene, NULL, &map, NULL, &error));
    int32_t hips = map.nodes[GT_HUMANOID_HIPS];
    for (int i = 0; i < 2 && odd->flipped_limbs[i]; ++i) {
        flip_axes(scene, map.nodes[odd->flipped_limbs[i]]);
    }
    if (odd->mirror == MIRROR_ABOVE_HIPS || odd->mirror == MIRROR_HIPS) {
        int32_t node = odd->mirror == MIRROR_HIPS ? hips : scene->nodes[hips].parent;
        if (node == GT_NONE || !is_below(scene, map.nodes[GT_HUMANOID_LEFT_FOOT], node)) {
            return false;
        }
        mirror_node(context, scene, node, odd->scale);
    }
    if (odd->bow_deg != 0.0f) {
        if (!is_below(scene, map.nodes[GT_HUMANOID_LEFT_FOOT], hips)) {
            return false;
        }
        bow(context, scene, hips, odd->bow_deg / 57.29578f);
    }
    GtQuat yaw = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), odd->yaw_deg / 57.29578f);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        GtNode* node = &scene->nodes[n];
        if (node->parent == GT_NONE && odd->mirror == MIRROR_ROOTS) {
            node->local = mirrored(node->local, odd->scale);
        }
        if (node->parent == GT_NONE && odd->yaw_deg != 0.0f) {
            node->local.translation = gt_quat_rotate(yaw, node->local.translation);
            node->local.rotation = gt_quat_mul(yaw, node->local.rotation);
        }
        if (odd->mirrors_mesh_node && node->mesh != GT_NONE && node->skin != GT_NONE) {
            node->local.scale.x *= -1.0f;
        }
        if (odd->loses_names) {
            char name[32];
            snprintf(name, sizeof name, "bone_%d", (int)n);
            rename_node(scene, n, name);
        }
    }
    if (odd->swaps_names) {
        swap_names(scene, &map);
    }
    return true;
}

typedef struct Track {
    GtVec3 places[FRAMES][COMPARED];
    double height_m;
} Track;

// The joints of a character under a motion; false where it is refused. log: receives what was said; may be NULL
static bool track_walk(const GtScene* character, const GtScene* motion, bool mirror, GtCollide collide, TestLog* log,
                       Track* out)
{
    GtError error;
    TestLog silent;
    GtContext context = test_context(log ? log : &silent);
    GtAnimateDef def = gt_default_animate_def();
    def.retarget.frame_rate_hz = 30.0;
    def.retarget.mirror = mirror;
    def.retarget.collide = collide;
    GtScene* scene = NULL;
    GtResult result = gt_animate(&context, character, motion, &def, &scene, NULL, &error);
    if (result == GT_ERROR_NOT_FOUND) {
        return false;
    }
    GT_EXPECT_OK(result);
    assert_non_null(scene->humanoid);
    Player player = open_player(&context, scene, 0);
    double end_s = gt_clip_end_s(player.clip);
    float low = INFINITY, high = -INFINITY;
    for (int f = 0; f < FRAMES; ++f) {
        play_at(&player, end_s * f / (FRAMES - 1));
        for (int k = 0; k < COMPARED; ++k) {
            int32_t node = scene->humanoid->nodes[compared[k]];
            GtVec3 at = { 0 };
            if (node != GT_NONE) {
                at = gt_mat34_translation(
                    &player.instance->model_from_node[gt_character_node_from_source(player.character, node)]);
                low = fminf(low, at.y);
                high = fmaxf(high, at.y);
            }
            out->places[f][k] = at;
        }
    }
    out->height_m = (double)(high - low);
    close_player(&player);
    gt_scene_destroy(scene);
    return true;
}

static int index_of(GtHumanoidJoint joint)
{
    int k = 0;
    while (compared[k] != joint) {
        ++k;
    }
    return k;
}

// The farthest that a joint is from where the oracle has it, in heights.
static double compare(const Track* track, const Track* oracle, bool is_mirror)
{
    double worst = 0.0;
    for (int f = 0; f < FRAMES; ++f) {
        for (int k = 0; k < COMPARED; ++k) {
            GtVec3 wanted = oracle->places[f][is_mirror ? index_of(gt_humanoid_mirror(compared[k])) : k];
            wanted.x = is_mirror ? -wanted.x : wanted.x;
            worst = fmax(worst, (double)gt_vec3_length(gt_vec3_sub(track->places[f][k], wanted)));
        }
    }
    return worst / oracle->height_m;
}

// is_bound_at_rest: the pose that it rests in is the one that its skin was bound in.
static void on_setups(const GtScene* character, const GtScene* motion, const char* who, bool is_bound_at_rest,
                      GtCollide collide, double tolerance)
{
    static Track oracles[2], track;
    GtError error;
    assert_true(track_walk(character, motion, false, collide, NULL, &oracles[0]));
    assert_true(track_walk(character, motion, true, collide, NULL, &oracles[1]));
    for (size_t i = 0; i < sizeof setups / sizeof *setups; ++i) {
        GtContext context = gt_default_context();
        TestLog log;
        GtScene* odd = NULL;
        GT_EXPECT_OK(gt_scene_copy(&context, character, &odd, &error));
        if ((setups[i].bow_deg == 0.0f || is_bound_at_rest) && set_up(&context, odd, &setups[i])) {
            GT_EXPECT_OK(gt_scene_validate(&context, odd, &error));
            bool is_refused = !track_walk(odd, motion, false, collide, &log, &track);
            bool is_mirror = setups[i].scale.x * setups[i].scale.z < 0.0f;
            double miss = is_refused ? NAN : compare(&track, &oracles[is_mirror], is_mirror);
            bool is_warned = strstr(log.text, "cannot be told apart") || strstr(log.text, "disagree about left");
            if (!(miss <= tolerance) && !is_warned && !is_refused) {
                fail_msg("%s, %s: joints are %.2f %% of the height away", who, setups[i].name, 100.0 * miss);
            }
        }
        gt_scene_destroy(odd);
    }
}

static void test_person(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* motion = NULL;
    GT_EXPECT_OK(gt_sample_motion(&context, NULL, &motion, NULL, &error));
    GtScene* person = test_rig(&context, TEST_RIG_PLAIN, 2000);
    person->humanoid = NULL; // as files have none
    person->retarget_pose = NULL;
    on_setups(person, motion, "person", true, GT_COLLIDE_OFF, TOLERANCE);
    // The planes of hulls are no mirror images of each other, so that limbs may leave a body another way there.
    on_setups(person, motion, "person", true, GT_COLLIDE_ON, 3e-2);
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
}

// What the user says of the sides is followed, and doubted aloud where the feet say otherwise.
static void test_known_sides(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtHumanoidMap map, swapped = gt_humanoid_map_empty();
    static GtMapReport plain, doubted;
    GtMapDef def = gt_default_map_def();
    GtScene* person = test_rig(&context, TEST_RIG_PLAIN, 2000);
    person->humanoid = NULL;
    GT_EXPECT_OK(gt_map_humanoid(&context, person, NULL, &map, &plain, &error));
    assert_false(plain.sides_are_doubtful || plain.sides_against_names);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        swapped.nodes[j] = map.nodes[gt_humanoid_mirror((GtHumanoidJoint)j)];
    }
    def.known = &swapped;
    GT_EXPECT_OK(gt_map_humanoid(&context, person, &def, &map, &doubted, &error));
    assert_memory_equal(&map, &swapped, sizeof map);
    assert_true(doubted.sides_are_doubtful && !doubted.sides_against_names);
    assert_true(doubted.confidence < 0.6f && plain.confidence > 0.9f);
    assert_non_null(strstr(doubted.summary, "disagree"));
    gt_scene_destroy(person);
}

static void test_real_characters(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    const char* data = getenv("GERTIE_DATA");
    if (!data || !data[0]) {
        print_message("GERTIE_DATA is not set: nothing to try\n");
        skip();
    }
    char path[1024];
    GtScene *motion = NULL, *character;
    const char* name;
    snprintf(path, sizeof path, "%s/mocap/cmu_02_01.bvh", data);
    GT_EXPECT_OK(gt_scene_load(&context, path, NULL, &motion, &error));
    for (int32_t i = 0; (character = test_real_rig(&context, i, &name)) != NULL; ++i) {
        on_setups(character, motion, name, false, GT_COLLIDE_OFF, TOLERANCE);
        gt_scene_destroy(character);
    }
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_person),
        cmocka_unit_test(test_known_sides),
        cmocka_unit_test(test_real_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
