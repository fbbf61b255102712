// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// True skeletons are believed, and wrong ones are not: moved, exchanged, upside down, too small, or in a thing that is
// no figure.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/map.h"
#include "gertie/person.h"

#include "rig/judge/trust.h"

#include "support/test.h"

#include "rig/truth.h"

#include <stdlib.h>

static const float believed = 0.8f;
static const float refused = 0.5f;

typedef struct Case {
    GtArena arena;
    GtScene* scene;
    GtiRigBody body;
    GtiSolid solid;
    GtiRigSkeleton truth;
} Case;

static void look_at(Case* c)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtRigDef def = gt_default_rig_def();
    c->arena = gt_arena_create(context.allocator);
    GT_EXPECT_OK(gti_body_gather(&context, c->scene, &def, &c->arena, &c->body, &error));
    GtiTrimesh skin = gti_body_skin(&c->body);
    GT_EXPECT_OK(gti_solid_make(&context, &skin, 1.0f / 120.0f, 4 << 20, &c->arena, &c->solid, &error));
}

static Case person_case(uint64_t seed, GtPersonPose pose)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtPersonDef def = gt_random_person_def(seed);
    def.pose = pose;
    def.triangle_count = 6000;
    Case c = { 0 };
    GT_EXPECT_OK(gt_sample_person(&context, &def, &c.scene, NULL, &error));
    look_at(&c);
    c.truth = make_truth(c.scene, c.scene->humanoid, &c.body, &c.arena);
    return c;
}

static void drop(Case* c)
{
    gt_arena_destroy(&c->arena);
    gt_scene_destroy(c->scene);
}

static GtiVerdict judge(const Case* c, const GtiRigSkeleton* skeleton)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiVerdict verdict;
    GT_EXPECT_OK(gti_rig_judge(&context, &c->body, &c->solid, skeleton, &verdict, &error));
    assert_in_range((int)(verdict.confidence * 1000.0f), 0, 1000);
    assert_true(isfinite(verdict.score));
    return verdict;
}

static void expect_believed(const Case* c, const char* name)
{
    GtiVerdict verdict = judge(c, &c->truth);
    if (!(verdict.confidence > believed)) {
        fail_msg("%s is believed by %.2f only: %s", name, (double)verdict.confidence, verdict.why);
    }
}

// The truth with all points mapped: first scaled, then moved.
static GtiRigSkeleton changed(Case* c, GtVec3 scale, GtVec3 offset)
{
    GtiRigSkeleton s = c->truth;
    s.joints = gt_arena_push(&c->arena, (size_t)s.joint_count * sizeof *s.joints);
    for (int32_t i = 0; i < s.joint_count; ++i) {
        s.joints[i] = c->truth.joints[i];
        s.joints[i].position = gt_vec3_add(gt_vec3_mul(s.joints[i].position, scale), offset);
        s.joints[i].tip = gt_vec3_add(gt_vec3_mul(s.joints[i].tip, scale), offset);
    }
    return s;
}

static void expect_refused(Case* c, const GtiRigSkeleton* wrong, const char* name)
{
    GtiVerdict verdict = judge(c, wrong);
    if (!(verdict.confidence < refused) || verdict.why[0] == '\0') {
        fail_msg("%s is believed by %.2f: %s", name, (double)verdict.confidence, verdict.why);
    }
    assert_true(verdict.score < judge(c, &c->truth).score - 0.1f);
}

static void exchange(GtiRigSkeleton* s, GtHumanoidJoint a, GtHumanoidJoint b)
{
    GtiRigJoint* found[2] = { NULL, NULL };
    for (int32_t i = 0; i < s->joint_count; ++i) {
        found[0] = s->joints[i].humanoid == (int32_t)a ? &s->joints[i] : found[0];
        found[1] = s->joints[i].humanoid == (int32_t)b ? &s->joints[i] : found[1];
    }
    if (found[0] && found[1]) {
        GtiRigJoint copy = *found[0];
        found[0]->position = found[1]->position;
        found[0]->tip = found[1]->tip;
        found[1]->position = copy.position;
        found[1]->tip = copy.tip;
    }
}

static void expect_wrongs_refused(Case* c)
{
    const GtVec3 same = { 1, 1, 1 };
    static const GtVec3 moves[] = { { 0.08f, 0, 0 }, { 0, 0.08f, 0 },  { 0, -0.08f, 0 },
                                    { 0, 0, 0.08f }, { 0, 0, -0.08f }, { -0.057f, 0.057f, 0 } };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; ++i) {
        GtiRigSkeleton moved = changed(c, same, moves[i]);
        expect_refused(c, &moved, "one moved by 8 % of the height");
    }
    GtiRigSkeleton wrong = changed(c, gt_vec3(-1, 1, 1), gt_vec3(0, 0, 0));
    expect_refused(c, &wrong, "one with left and right exchanged");
    wrong = changed(c, gt_vec3(1, -1, 1), gt_vec3(0, 1, 0));
    expect_refused(c, &wrong, "one upside down");
    wrong = changed(c, gt_vec3(0.7f, 0.7f, 0.7f), gt_vec3(0, 0.2f, 0));
    expect_refused(c, &wrong, "a small one");
    wrong = changed(c, same, gt_vec3(0, 0, 0));
    for (int i = 0; i < 3; ++i) {
        exchange(&wrong, (GtHumanoidJoint)(GT_HUMANOID_LEFT_UPPER_LEG + i),
                 (GtHumanoidJoint)(GT_HUMANOID_LEFT_UPPER_ARM + i));
        exchange(&wrong, (GtHumanoidJoint)(GT_HUMANOID_RIGHT_UPPER_LEG + i),
                 (GtHumanoidJoint)(GT_HUMANOID_RIGHT_UPPER_ARM + i));
    }
    expect_refused(c, &wrong, "one with arms for legs");
}

static void test_persons(void** state)
{
    (void)state;
    for (int seed = 0; seed < 6; ++seed) {
        Case c = person_case((uint64_t)seed, seed % 2 ? GT_PERSON_POSE_A : GT_PERSON_POSE_T);
        char name[32];
        snprintf(name, sizeof name, "person %d", seed);
        expect_believed(&c, name);
        if (seed < 2) {
            expect_wrongs_refused(&c);
        }
        drop(&c);
    }
}

// Small errors cost little, larger ones more.
static void test_scores_fall_with_errors(void** state)
{
    (void)state;
    Case c = person_case(21, GT_PERSON_POSE_A);
    float before = judge(&c, &c.truth).score;
    for (int i = 1; i <= 4; ++i) {
        GtiRigSkeleton moved = changed(&c, gt_vec3(1, 1, 1), gt_vec3(0, 0, 0.015f * (float)i));
        float score = judge(&c, &moved).score;
        assert_true(score < before);
        before = score;
    }
    drop(&c);
}

// A person's skeleton in a ball, however it is scaled.
static void test_a_ball_is_no_figure(void** state)
{
    (void)state;
    enum {
        RINGS = 30,
        SECTORS = 40
    };
    Case c = person_case(3, GT_PERSON_POSE_A);
    static GtVec3 points[(RINGS + 1) * SECTORS];
    static int32_t triangles[2 * RINGS * SECTORS][3];
    Case ball = { .truth = c.truth };
    ball.body = c.body;
    ball.body.points = points;
    ball.body.point_count = (RINGS + 1) * SECTORS;
    ball.body.triangles = triangles;
    ball.body.skin_triangle_count = ball.body.triangle_count = 0;
    for (int ring = 0; ring <= RINGS; ++ring) {
        for (int sector = 0; sector < SECTORS; ++sector) {
            double down = M_PI * (0.001 + 0.998 * ring / RINGS);
            double turn = 2.0 * M_PI * sector / SECTORS;
            points[ring * SECTORS + sector] =
                gt_vec3((float)(0.5 * sin(down) * cos(turn)), (float)(0.5 + 0.5 * cos(down)),
                        (float)(-0.5 * sin(down) * sin(turn)));
            if (ring < RINGS) {
                int32_t a = ring * SECTORS + sector;
                int32_t b = ring * SECTORS + (sector + 1) % SECTORS;
                int32_t* t = triangles[ball.body.skin_triangle_count];
                const int32_t quad[6] = { a, a + SECTORS, b, b, a + SECTORS, b + SECTORS };
                memcpy(t, quad, sizeof quad);
                ball.body.skin_triangle_count += 2;
            }
        }
    }
    ball.arena = gt_arena_create(gt_default_allocator());
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiTrimesh skin = gti_body_skin(&ball.body);
    GT_EXPECT_OK(gti_solid_make(&context, &skin, 0.01f, 4 << 20, &ball.arena, &ball.solid, &error));
    for (int i = 0; i < 4; ++i) {
        GtiRigSkeleton s = changed(&ball, gt_vec3(0.5f + 0.2f * (float)i, 0.9f, 1.0f), gt_vec3(0, 0.05f, 0));
        GtiVerdict verdict = judge(&ball, &s);
        assert_true(verdict.confidence < refused && verdict.why[0]);
        assert_true(verdict.limbs < 0.3f);
    }
    gt_arena_destroy(&ball.arena);
    drop(&c);
}

// Join a box as a limb to the surface.
static void add_limb(Case* c, GtVec3 from, GtVec3 to)
{
    enum {
        PARTS = 12
    };
    const float half = 0.02f;
    GtiRigBody* body = &c->body;
    size_t old_points = (size_t)body->point_count;
    size_t old_triangles = (size_t)body->skin_triangle_count;
    GtVec3* points = gt_arena_push(&c->arena, (old_points + 4 * PARTS) * sizeof *points);
    int32_t(*triangles)[3] = gt_arena_push(&c->arena, (old_triangles + 8 * PARTS) * sizeof *triangles);
    memcpy(points, body->points, old_points * sizeof *points);
    memcpy(triangles, body->triangles, old_triangles * sizeof *triangles);
    GtVec3 along = gt_vec3_normalize_or(gt_vec3_sub(to, from), gt_vec3(1, 0, 0));
    GtVec3 v = gt_vec3(0, 0, half);
    GtVec3 u = gt_vec3_cross(along, v);
    int32_t(*t)[3] = triangles + old_triangles;
    for (int i = 0; i < PARTS; ++i) {
        GtVec3 middle = gt_vec3_lerp(from, to, (float)i / (PARTS - 1));
        for (int k = 0; k < 4; ++k) {
            GtVec3 off =
                gt_vec3_add(gt_vec3_scale(u, k == 0 || k == 3 ? 1.0f : -1.0f), gt_vec3_scale(v, k < 2 ? 1.0f : -1.0f));
            int32_t a = body->point_count + 4 * i + k;
            int32_t b = body->point_count + 4 * i + (k + 1) % 4;
            points[a] = gt_vec3_add(middle, off);
            const int32_t quad[6] = { a - 4, b, b - 4, a - 4, a, b };
            memcpy(t, quad, i > 0 ? sizeof quad : 0);
            t += i > 0 ? 2 : 0;
        }
    }
    int32_t first = body->point_count;
    int32_t last = first + 4 * (PARTS - 1);
    const int32_t ends[12] = { first, first + 1, first + 2, first, first + 2, first + 3,
                               last,  last + 3,  last + 2,  last,  last + 2,  last + 1 };
    memcpy(t, ends, sizeof ends);
    body->points = points;
    body->triangles = triangles;
    body->point_count += 4 * PARTS;
    body->skin_triangle_count = body->triangle_count = (int32_t)(t + 4 - triangles);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiTrimesh skin = gti_body_skin(body);
    GT_EXPECT_OK(gti_solid_make(&context, &skin, 1.0f / 120.0f, 4 << 20, &c->arena, &c->solid, &error));
}

// A hand has a limb more than a figure, and it is not one of a pair; wings are, and a tail is in the middle.
static void test_a_limb_too_many(void** state)
{
    (void)state;
    Case c = person_case(1, GT_PERSON_POSE_T);
    GtVec3 side = gt_vec3(0.05f, 0.62f, 0.0f);
    GtVec3 end = gt_vec3(0.5f, 0.4f, 0.0f);
    add_limb(&c, gt_vec3(0, 0.55f, -0.03f), gt_vec3(0, 0.4f, -0.3f));
    expect_believed(&c, "a person with a tail");
    add_limb(&c, side, end);
    GtiVerdict verdict = judge(&c, &c.truth);
    assert_true(verdict.confidence < refused);
    assert_non_null(strstr(verdict.why, "no bone"));
    add_limb(&c, gt_vec3(-side.x, side.y, side.z), gt_vec3(-end.x, end.y, end.z));
    assert_true(judge(&c, &c.truth).confidence > refused);
    drop(&c);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    Case c = person_case(3, GT_PERSON_POSE_A);
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        assert_true(allowed < 20);
        TestAllocator allocator = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&allocator);
        GtError error = { 0 };
        GtiVerdict verdict;
        GtResult result = gti_rig_judge(&context, &c.body, &c.solid, &c.truth, &verdict, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        done = result == GT_OK;
        assert_int_equal(allocator.alive, 0);
    }
    GtiRigSkeleton none = { NULL, 0 };
    assert_true(judge(&c, &none).confidence < refused);
    drop(&c);
}

// MakeHuman's base mesh has a little cube around each of its joints.
static bool find_cube(const Case* c, const char* name, GtVec3* out)
{
    GtError error = { 0 };
    GtMat34* worlds = NULL;
    GtArena scratch = gt_arena_create(gt_default_allocator());
    GT_EXPECT_OK(gti_scene_worlds(c->scene, &scratch, &worlds, &error));
    bool found = false;
    for (int32_t n = 0; n < c->scene->node_count && !found; ++n) {
        const GtNode* node = &c->scene->nodes[n];
        const GtMesh* mesh = node->mesh == GT_NONE ? NULL : &c->scene->meshes[node->mesh];
        if (!mesh || !mesh->name || strcmp(mesh->name, name) != 0) {
            continue;
        }
        int32_t accessor = gt_primitive_find(&mesh->primitives[0], "POSITION");
        const GtAccessor* positions = &c->scene->accessors[accessor];
        GtVec3 middle = gt_vec3((float)(0.5 * (positions->min[0] + positions->max[0])),
                                (float)(0.5 * (positions->min[1] + positions->max[1])),
                                (float)(0.5 * (positions->min[2] + positions->max[2])));
        *out = gt_mat34_point(&c->body.body_from_scene, gt_mat34_point(&worlds[n], middle));
        found = true;
    }
    gt_arena_destroy(&scratch);
    return found;
}

static void make_cube_truth(Case* c)
{
    static const struct {
        GtHumanoidJoint joint;
        const char* cube;
    } cubes[] = {
        { GT_HUMANOID_HIPS, "joint-pelvis" },
        { GT_HUMANOID_SPINE, "joint-spine-3" },
        { GT_HUMANOID_CHEST, "joint-spine-2" },
        { GT_HUMANOID_NECK, "joint-neck" },
        { GT_HUMANOID_HEAD, "joint-head" },
        { GT_HUMANOID_LEFT_UPPER_LEG, "joint-l-upper-leg" },
        { GT_HUMANOID_LEFT_LOWER_LEG, "joint-l-knee" },
        { GT_HUMANOID_LEFT_FOOT, "joint-l-ankle" },
        { GT_HUMANOID_RIGHT_UPPER_LEG, "joint-r-upper-leg" },
        { GT_HUMANOID_RIGHT_LOWER_LEG, "joint-r-knee" },
        { GT_HUMANOID_RIGHT_FOOT, "joint-r-ankle" },
        { GT_HUMANOID_LEFT_UPPER_ARM, "joint-l-shoulder" },
        { GT_HUMANOID_LEFT_LOWER_ARM, "joint-l-elbow" },
        { GT_HUMANOID_LEFT_HAND, "joint-l-hand" },
        { GT_HUMANOID_RIGHT_UPPER_ARM, "joint-r-shoulder" },
        { GT_HUMANOID_RIGHT_LOWER_ARM, "joint-r-elbow" },
        { GT_HUMANOID_RIGHT_HAND, "joint-r-hand" },
    };
    GtVec3 places[GT_HUMANOID_JOINT_COUNT];
    bool known[GT_HUMANOID_JOINT_COUNT] = { false };
    for (size_t i = 0; i < sizeof cubes / sizeof *cubes; ++i) {
        known[cubes[i].joint] = find_cube(c, cubes[i].cube, &places[cubes[i].joint]);
        if (!known[cubes[i].joint]) {
            fail_msg("there is no %s", cubes[i].cube);
        }
    }
    c->truth = truth_from_places(places, known, &c->arena);
}

// Models that are at hand, where they are: rigged ones with their own joints, and things with a person's.
static void test_real_bodies(void** state)
{
    (void)state;
    static const char* const figures[] = { "rigged/Xbot.glb", "rigged/CesiumMan.glb", "rigged/RobotExpressive.glb" };
    static const char* const things[] = { "scans/stanford-bunny.obj", "mesh-animation/Horse.glb",
                                          "mesh-animation/Flamingo.glb" };
    const char* folder = getenv("GERTIE_DATA");
    if (!folder) {
        print_message("GERTIE_DATA names no folder of bodies\n");
        skip();
    }
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtLoadDef load = gt_default_load_def();
    GtMapDef map_def = gt_default_map_def();
    char path[1024];
    for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) {
        Case c = { 0 };
        GtHumanoidMap map;
        snprintf(path, sizeof path, "%s/%s", folder, figures[i]);
        GT_EXPECT_OK(gt_scene_load(&context, path, &load, &c.scene, &error));
        look_at(&c);
        GT_EXPECT_OK(gt_map_humanoid(&context, c.scene, &map_def, &map, NULL, &error));
        c.truth = make_truth(c.scene, &map, &c.body, &c.arena);
        expect_believed(&c, figures[i]);
        expect_wrongs_refused(&c);
        drop(&c);
    }
    Case human = { 0 };
    snprintf(path, sizeof path, "%s/scans/makehuman_base.obj", folder);
    GT_EXPECT_OK(gt_scene_load(&context, path, &load, &human.scene, &error));
    look_at(&human);
    make_cube_truth(&human);
    expect_believed(&human, "MakeHuman");
    expect_wrongs_refused(&human);
    drop(&human);
    Case person = person_case(1, GT_PERSON_POSE_T);
    for (size_t i = 0; i < sizeof things / sizeof *things; ++i) {
        Case c = { 0 };
        snprintf(path, sizeof path, "%s/%s", folder, things[i]);
        GT_EXPECT_OK(gt_scene_load(&context, path, &load, &c.scene, &error));
        look_at(&c);
        c.truth = person.truth;
        for (int k = 0; k < 5; ++k) {
            GtiRigSkeleton s =
                changed(&c, gt_vec3(0.4f + 0.3f * (float)k, 1.0f, 0.4f + 0.3f * (float)k), gt_vec3(0, 0, 0));
            GtiVerdict verdict = judge(&c, &s);
            assert_true(verdict.confidence < refused && verdict.why[0]);
        }
        drop(&c);
    }
    drop(&person);
}

static float trust(float plausible, float inside, GtRigWay way, float least_part)
{
    GtiVerdict verdict = { .confidence = plausible, .inside_share = inside };
    GtiTrustDef def = { .verdict = &verdict, .way = way, .least_part = least_part };
    return gti_rig_trust(&def);
}

// What is covered better and lies farther inside is believed more; what the judge refuses, and what no person was
// fitted to, is not accepted.
static void test_trust(void** state)
{
    (void)state;
    float last = 0.0f;
    for (int i = 0; i <= 10; ++i) {
        float now = trust(1.0f, 1.0f, GT_RIG_WAY_PERSON, 0.1f * (float)i);
        assert_true(now > last && now < 1.0f);
        assert_true(trust(1.0f, 0.9f, GT_RIG_WAY_PERSON, 0.1f * (float)i) < now);
        assert_true(trust(0.2f, 1.0f, GT_RIG_WAY_PERSON, 0.1f * (float)i) < refused);
        last = now;
    }
    assert_true(last > 0.8f);
    assert_true(trust(1.0f, 1.0f, GT_RIG_WAY_PERSON, 0.3f) < refused);
    assert_true(trust(1.0f, 1.0f, GT_RIG_WAY_MEDIAL, 1.0f) < refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_persons),
        cmocka_unit_test(test_trust),
        cmocka_unit_test(test_scores_fall_with_errors),
        cmocka_unit_test(test_a_ball_is_no_figure),
        cmocka_unit_test(test_a_limb_too_many),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_real_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
