// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What must hold of any transfer, whatever the figures: a figure to itself changes nothing, there and back is back,
// rest poses and joint axes do not show, the stage may move, left and right may change places.

#include "motion/puppets.h"

#include "gertie/retarget.h"

static const double DEGREES = 57.29577951308232;

static void test_a_figure_to_itself_changes_nothing(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    const GtMotionKind kinds[] = { GT_MOTION_WALK, GT_MOTION_BOXING, GT_MOTION_KICK, GT_MOTION_SIT };
    for (int k = 0; k < 4; ++k) {
        for (int pose = 0; pose < 2; ++pose) {
            GtPersonDef person = gt_default_person_def();
            person.pose = pose ? GT_PERSON_POSE_A : GT_PERSON_POSE_T;
            GtScene* motion = make_motion(&context, kinds[k], person);
            scramble_axes(motion);
            motion->retarget_pose = NULL; // it must be found
            GtRetargetDef def = bare_retarget_def();
            GtRetargetReport report;
            GtScene* out = carry(&context, motion, motion, &def, &report);
            expect_same_places(&context, out, motion, 1.0, 1e-4);
            GT_EXPECT_NEAR(report.path_scale, 1.0, 1e-6);
            GT_EXPECT_NEAR(report.height_scale, 1.0, 1e-6);
            assert_true(report.max_direction_error_rad < 1e-4);
            for (int32_t n = 0; n < motion->node_count; ++n) { // the user's rest pose is untouched
                assert_memory_equal(&out->nodes[n].local, &motion->nodes[n].local, sizeof(GtTransform));
            }
            gt_scene_destroy(out);
            gt_scene_destroy(motion);
        }
    }
}

static void test_t_pose_and_a_pose_copies_move_alike(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_motion(&context, GT_MOTION_BOXING, gt_default_person_def());
    GtPersonDef person = gt_default_person_def();
    GtScene* t = make_person(&context, person);
    person.pose = GT_PERSON_POSE_A;
    GtScene* a = make_person(&context, person);
    a->retarget_pose = NULL;
    scramble_axes(a);
    GtRetargetDef def = bare_retarget_def();
    GtRetargetReport report;
    GtScene* t_out = carry(&context, motion, t, &def, &report);
    assert_int_equal(report.target_rest_pose, GT_REST_T);
    GtScene* a_out = carry(&context, motion, a, &def, &report);
    assert_int_equal(report.target_rest_pose, GT_REST_A);
    expect_same_places(&context, a_out, t_out, 1.0, 1e-4); // 1 % of height is asked for
    gt_scene_destroy(a_out);
    gt_scene_destroy(t_out);
    gt_scene_destroy(a);
    gt_scene_destroy(t);
    gt_scene_destroy(motion);
}

static GtPersonDef other_person(void)
{
    GtPersonDef person = gt_default_person_def();
    person.height_m = 1.3;
    person.leg_length = 0.8;
    person.arm_length = 1.2;
    person.torso_length = 1.15;
    person.pose = GT_PERSON_POSE_A;
    return person;
}

// Rigs have their hips anywhere between the thighs and the navel: legs must not care.
static void test_hips_may_be_anywhere_over_the_legs(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtPersonDef tall = gt_default_person_def();
    tall.height_m = 1.95;
    tall.torso_length = 0.9;
    GtScene* motion = make_motion(&context, GT_MOTION_SQUAT, tall);
    GtScene* plain = make_person(&context, gt_default_person_def());
    GtScene* other = make_person(&context, gt_default_person_def());
    GtNode* hips = &other->nodes[GT_HUMANOID_HIPS];
    GtVec3 up = gt_vec3(0.0f, 0.12f, 0.03f);
    hips->local.translation = gt_vec3_add(hips->local.translation, up);
    for (int32_t c = 0; c < hips->child_count; ++c) {
        GtVec3* child = &other->nodes[hips->children[c]].local.translation;
        *child = gt_vec3_sub(*child, up);
    }
    for (int mirror = 0; mirror < 2; ++mirror) {
        GtRetargetDef def = bare_retarget_def();
        def.mirror = mirror;
        GtScene* expected = carry(&context, motion, plain, &def, NULL);
        GtScene* out = carry(&context, motion, other, &def, NULL);
        Player p = open_player(&context, out, 0);
        Player q = open_player(&context, expected, 0);
        const char* joints[] = { "leftUpperLeg", "rightLowerLeg", "leftFoot", "rightToes", "head" };
        for (int k = 0; k <= 10; ++k) {
            for (int j = 0; j < 5; ++j) {
                GtVec3 a = joint_at(&p, joints[j], gt_clip_end_s(q.clip) * k / 10.0);
                GtVec3 b = joint_at(&q, joints[j], gt_clip_end_s(q.clip) * k / 10.0);
                GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(a, b)), 0.0, 1e-4);
            }
        }
        close_player(&p);
        close_player(&q);
        gt_scene_destroy(out);
        gt_scene_destroy(expected);
    }
    gt_scene_destroy(other);
    gt_scene_destroy(plain);
    gt_scene_destroy(motion);
}

// Feet of the same size under legs of 0.7 the length: knees bend, ankles do not sink.
static void test_feet_stay_on_the_ground_however_knees_bend(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_motion(&context, GT_MOTION_SQUAT, gt_default_person_def());
    GtScene* shorter = make_person(&context, gt_default_person_def());
    const int32_t ends[] = { GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_RIGHT_LOWER_LEG,
                             GT_HUMANOID_RIGHT_FOOT };
    for (int k = 0; k < 4; ++k) {
        GtVec3* bone = &shorter->nodes[ends[k]].local.translation;
        *bone = gt_vec3_scale(*bone, 0.7f);
    }
    GtRetargetDef def = gt_default_retarget_def();
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, shorter, &def, &report);
    GT_EXPECT_NEAR(report.path_scale, 0.7, 1e-3);
    assert_true(report.height_scale > 0.705);
    Player p = open_player(&context, out, 0);
    float stands = joint_at(&p, "leftFoot", 0.0).y, hips = joint_at(&p, "hips", 0.0).y, least = hips;
    for (int k = 0; k <= 20; ++k) {
        double time_s = gt_clip_end_s(p.clip) * k / 20.0;
        GT_EXPECT_NEAR(joint_at(&p, "leftFoot", time_s).y, stands, 1e-3);
        GT_EXPECT_NEAR(joint_at(&p, "rightFoot", time_s).y, stands, 1e-3);
        least = fminf(least, joint_at(&p, "hips", time_s).y);
    }
    assert_true(least < 0.8f * hips); // it does squat
    close_player(&p);
    gt_scene_destroy(out);
    gt_scene_destroy(shorter);
    gt_scene_destroy(motion);
}

static void test_there_and_back_is_back(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_motion(&context, GT_MOTION_KICK, gt_default_person_def());
    GtScene* other = make_person(&context, other_person());
    scramble_axes(other);
    GtRetargetDef def = bare_retarget_def();
    GtScene* there = carry(&context, motion, other, &def, NULL);
    GtScene* back = carry(&context, there, motion, &def, NULL);
    Player p = open_player(&context, back, 0);
    Player q = open_player(&context, motion, 0);
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k <= 20; ++k) {
        double time_s = gt_clip_end_s(q.clip) * k / 20.0;
        play_at(&p, time_s);
        play_at(&q, time_s);
        for (int32_t n = 0; n < GT_HUMANOID_JOINT_COUNT; ++n) {
            sum += (double)gt_quat_angle_rad(p.instance->pose[n].rotation, q.instance->pose[n].rotation);
            ++count;
        }
    }
    assert_true(sum / count * DEGREES < 0.05); // 2 degrees are asked for
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(back);
    gt_scene_destroy(there);
    gt_scene_destroy(other);
    gt_scene_destroy(motion);
}

static void test_limbs_point_where_the_sources_do(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    const GtMotionKind kinds[] = { GT_MOTION_WALK, GT_MOTION_BOXING, GT_MOTION_KICK };
    GtScene* other = make_person(&context, other_person());
    other->retarget_pose = NULL; // the person's own leaves elbows and knees as bent as they are modelled
    for (int k = 0; k < 3; ++k) {
        GtScene* motion = make_motion(&context, kinds[k], gt_default_person_def());
        GtRetargetDef def = bare_retarget_def();
        GtRetargetReport report;
        GtScene* out = carry(&context, motion, other, &def, &report);
        Player p = open_player(&context, out, 0);
        Player q = open_player(&context, motion, 0);
        const char* bones[][2] = { { "leftUpperArm", "leftLowerArm" },
                                   { "rightLowerArm", "rightHand" },
                                   { "leftUpperLeg", "leftLowerLeg" },
                                   { "rightLowerLeg", "rightFoot" } };
        for (int b = 0; b < 4; ++b) {
            for (int i = 0; i <= 10; ++i) {
                double time_s = floor(gt_clip_end_s(q.clip) * i * 3.0) / 30.0; // at a key
                GtVec3 u = gt_vec3_sub(joint_at(&p, bones[b][1], time_s), joint_at(&p, bones[b][0], time_s));
                GtVec3 v = gt_vec3_sub(joint_at(&q, bones[b][1], time_s), joint_at(&q, bones[b][0], time_s));
                float miss = atan2f(gt_vec3_length(gt_vec3_cross(u, v)), gt_vec3_dot(u, v));
                GT_EXPECT_NEAR((double)miss * DEGREES, 0.0, 0.1); // 3 degrees are asked for
            }
        }
        assert_true(report.mean_direction_error_rad * DEGREES < 0.1);
        assert_true(report.max_extra_turn_rad * DEGREES < 0.1); // nothing flips
        close_player(&p);
        close_player(&q);
        gt_scene_destroy(out);
        gt_scene_destroy(motion);
    }
    gt_scene_destroy(other);
}

// One pose of each figure, and what carries it.
typedef struct Stage {
    GtScene* motion;
    GtScene* character;
    Transfer transfer;
    GtRetarget* retarget; // of the transfer
    Player player;
    GtTransform* pose; // [nodes of the character]
    void* scratch;
    int32_t joint_count;
} Stage;

static Stage open_stage(const GtContext* context, const GtRetargetDef* def)
{
    GtError error;
    Stage s = { .motion = make_motion(context, GT_MOTION_KICK, gt_default_person_def()),
                .character = make_person(context, other_person()) };
    GT_EXPECT_OK(transfer_open(context, s.motion, 0, s.motion->humanoid, s.character, s.character->humanoid, def,
                               &s.transfer, &error));
    s.retarget = s.transfer.retarget;
    s.player = open_player(context, s.motion, 0);
    const GtCharacterDef* target = s.transfer.target.def;
    s.joint_count = target->node_count;
    GtAllocator a = context->allocator;
    s.pose = a.allocate(a.user, (size_t)s.joint_count * sizeof *s.pose);
    s.scratch = a.allocate(a.user, gt_retarget_scratch_size(s.retarget));
    memcpy(s.pose, target->rest, (size_t)s.joint_count * sizeof *s.pose);
    return s;
}

static void close_stage(const GtContext* context, Stage* s)
{
    context->allocator.release(context->allocator.user, s->pose);
    context->allocator.release(context->allocator.user, s->scratch);
    close_player(&s->player);
    transfer_close(&s->transfer);
    gt_scene_destroy(s->character);
    gt_scene_destroy(s->motion);
}

static void test_moving_and_turning_the_stage_turns_no_joint(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    Stage here = open_stage(&context, &def);
    Stage there = open_stage(&context, &def);
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), 2.2f);
    GtVec3 move = gt_vec3(3.0f, 0.0f, -7.0f);
    for (int k = 0; k < 8; ++k) {
        play_at(&here.player, 0.2 * k);
        play_at(&there.player, 0.2 * k);
        GtTransform* hips = &there.player.instance->pose[player_node(&there.player, "hips")];
        hips->rotation = gt_quat_mul(turn, hips->rotation);
        hips->translation = gt_vec3_add(gt_quat_rotate(turn, hips->translation), move);
        gt_retarget_pose(here.retarget, here.player.instance->pose, here.pose, here.scratch);
        gt_retarget_pose(there.retarget, there.player.instance->pose, there.pose, there.scratch);
        for (int32_t i = 1; i < here.joint_count; ++i) {
            GT_EXPECT_NEAR(gt_quat_angle_rad(here.pose[i].rotation, there.pose[i].rotation), 0.0f, 1e-5f);
        }
        GtQuat turned = gt_quat_mul(turn, here.pose[0].rotation);
        GT_EXPECT_NEAR(gt_quat_angle_rad(turned, there.pose[0].rotation), 0.0f, 1e-5f);
    }
    close_stage(&context, &here);
    close_stage(&context, &there);
}

static void test_mirroring_swaps_sides_and_twice_is_once(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    def.mirror = true;
    GtScene* motion = make_motion(&context, GT_MOTION_WAVE, gt_default_person_def());
    GtScene* mirrored = carry(&context, motion, motion, &def, NULL);
    GtScene* again = carry(&context, mirrored, motion, &def, NULL);
    expect_same_places(&context, again, motion, 1.0, 1e-4);
    Player p = open_player(&context, mirrored, 0);
    Player q = open_player(&context, motion, 0);
    for (int k = 0; k <= 10; ++k) {
        double time_s = gt_clip_end_s(q.clip) * k / 10.0;
        const char* pairs[][2] = { { "leftHand", "rightHand" }, { "leftFoot", "rightFoot" }, { "head", "head" } };
        for (int j = 0; j < 3; ++j) {
            GtVec3 here = joint_at(&p, pairs[j][0], time_s);
            GtVec3 there = joint_at(&q, pairs[j][1], time_s);
            GT_EXPECT_NEAR(here.x, -there.x, 1e-4);
            GT_EXPECT_NEAR(here.y, there.y, 1e-4);
            GT_EXPECT_NEAR(here.z, there.z, 1e-4);
        }
    }
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(again);
    gt_scene_destroy(mirrored);
    gt_scene_destroy(motion);
}

// A person whose hips hang from a root joint.
static GtScene* make_rooted(const GtContext* context)
{
    GtError error;
    GtScene* scene = make_person(context, gt_default_person_def());
    GtNode root = gt_default_node();
    int32_t* children = gt_scene_push(scene, 1, sizeof *children);
    children[0] = 0;
    root.name = "root";
    root.children = children;
    root.child_count = 1;
    root.local.rotation = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), -1.5707963f); // a Z-up rig
    int32_t index = GT_NONE;
    GT_EXPECT_OK(gt_scene_add_node(scene, &root, &index, &error));
    GtTransform* hips = &scene->nodes[0].local;
    scene->nodes[0].parent = index;
    hips->translation = gt_quat_rotate(gt_quat_conjugate(root.local.rotation), hips->translation);
    hips->rotation = gt_quat_mul(gt_quat_conjugate(root.local.rotation), hips->rotation);
    int32_t* roots = gt_scene_push(scene, 1, sizeof *roots);
    roots[0] = index;
    scene->stages[0].nodes = roots;
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    return scene;
}

static void test_the_path_goes_where_it_is_asked_to(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_motion(&context, GT_MOTION_TURN, gt_default_person_def());
    GtScene* walk = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* rooted = make_rooted(&context);
    GtScene* sources[2] = { motion, walk };
    for (int m = 0; m < 2; ++m) {
        def.root_motion = GT_ROOT_MOTION_JOINT;
        GtScene* on_root = carry(&context, sources[m], rooted, &def, NULL);
        expect_same_places(&context, on_root, sources[m], 1.0, 1e-4);
        Player p = open_player(&context, on_root, 0);
        double end_s = gt_clip_end_s(p.clip);
        for (int k = 0; k <= 10; ++k) { // the root is on the ground under the hips
            GtVec3 root = joint_at(&p, "root", end_s * k / 10.0);
            GtVec3 hips = joint_at(&p, "hips", end_s * k / 10.0);
            GT_EXPECT_NEAR(root.x, hips.x, 1e-4);
            GT_EXPECT_NEAR(root.y, 0.0, 1e-5);
            GT_EXPECT_NEAR(root.z, hips.z, 1e-4);
        }
        close_player(&p);
        gt_scene_destroy(on_root);
        def.root_motion = GT_ROOT_MOTION_NONE;
        GtScene* on_spot = carry(&context, sources[m], rooted, &def, NULL);
        p = open_player(&context, on_spot, 0);
        Player q = open_player(&context, sources[m], 0);
        for (int k = 0; k <= 10; ++k) {
            GtVec3 here = joint_at(&p, "hips", end_s * k / 10.0);
            GtVec3 there = joint_at(&q, "hips", end_s * k / 10.0);
            GT_EXPECT_NEAR(here.x, 0.0, 1e-4);
            GT_EXPECT_NEAR(here.y, there.y, 1e-4);
            GtVec3 arm = gt_vec3_sub(joint_at(&p, "leftHand", end_s * k / 10.0), here);
            GtVec3 same = gt_vec3_sub(joint_at(&q, "leftHand", end_s * k / 10.0), there);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(arm, same)), 0.0, 1e-4);
        }
        close_player(&p);
        close_player(&q);
        gt_scene_destroy(on_spot);
    }
    GtError error;
    Transfer none;
    GtScene* bare = make_person(&context, gt_default_person_def());
    def.root_motion = GT_ROOT_MOTION_JOINT;
    GT_EXPECT_ERROR(transfer_open(&context, walk, 0, walk->humanoid, bare, bare->humanoid, &def, &none, &error),
                    GT_ERROR_NOT_FOUND, "no joint above 'hips'");
    gt_scene_destroy(bare);
    gt_scene_destroy(rooted);
    gt_scene_destroy(walk);
    gt_scene_destroy(motion);
}

static void test_a_loop_closes_and_speed_is_kept(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_motion(&context, GT_MOTION_TURN, gt_default_person_def()); // ends turned by 90 degrees
    def.loop = true;
    def.speed = 2.0;
    def.frame_rate_hz = 24.0;
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, motion, &def, &report);
    Player p = open_player(&context, out, 0);
    Player q = open_player(&context, motion, 0);
    GT_EXPECT_NEAR(report.duration_s, gt_clip_end_s(q.clip) / 2.0, 1.0 / 24.0);
    GT_EXPECT_NEAR(report.frame_count, report.duration_s * 24.0 + 1.0, 1e-3);
    GtTransform first[GT_HUMANOID_JOINT_COUNT];
    play_at(&p, 0.0);
    memcpy(first, p.instance->pose, sizeof first);
    play_at(&p, report.duration_s);
    for (int32_t n = 1; n < GT_HUMANOID_JOINT_COUNT; ++n) {
        GT_EXPECT_NEAR(gt_quat_angle_rad(first[n].rotation, p.instance->pose[n].rotation), 0.0, 1e-4);
    }
    GT_EXPECT_NEAR(first[0].translation.y, p.instance->pose[0].translation.y, 1e-5);
    GtQuat hips = gt_quat_mul(p.instance->pose[0].rotation, gt_quat_conjugate(first[0].rotation));
    GtVec3 up = gt_quat_rotate(hips, gt_vec3(0.0f, 1.0f, 0.0f)); // they keep their heading, and come back upright
    GT_EXPECT_NEAR(up.y, 1.0, 1e-5);
    assert_true((double)gt_quat_angle_rad(hips, gt_quat_identity()) * DEGREES > 60.0);
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(out);
    gt_scene_destroy(motion);
}

// With feet planted, too, a figure on the spot steps as one that travels.
static void test_a_loop_on_the_spot_steps_as_one_that_travels(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtPersonDef person = gt_default_person_def();
    person.leg_length = 0.85;
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* character = make_person(&context, person);
    GtRetargetDef def = gt_default_retarget_def();
    def.loop = true;
    GtScene* travels = carry(&context, motion, character, &def, NULL);
    def.root_motion = GT_ROOT_MOTION_NONE;
    GtScene* stays = carry(&context, motion, character, &def, NULL);
    Player p = open_player(&context, travels, 0), q = open_player(&context, stays, 0);
    for (int i = 0; i <= 40; ++i) {
        double time_s = gt_clip_end_s(p.clip) * i / 40.0;
        GtVec3 there = gt_vec3_sub(joint_at(&p, "leftFoot", time_s), joint_at(&p, "hips", time_s));
        GtVec3 here = gt_vec3_sub(joint_at(&q, "leftFoot", time_s), joint_at(&q, "hips", time_s));
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(here, there)), 0.0, 1e-3);
    }
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(stays);
    gt_scene_destroy(travels);
    gt_scene_destroy(character);
    gt_scene_destroy(motion);
}

// Field by field, as what is between them is undefined.
static void expect_same_report(const GtFieldTable* table, const char* a, const char* b)
{
    static const size_t sizes[] = {
        [GT_FIELD_BOOL] = sizeof(bool),     [GT_FIELD_INT32] = sizeof(int32_t), [GT_FIELD_UINT32] = sizeof(uint32_t),
        [GT_FIELD_INT64] = sizeof(int64_t), [GT_FIELD_FLOAT] = sizeof(float),   [GT_FIELD_DOUBLE] = sizeof(double),
    };
    for (int32_t i = 0; i < table->field_count; ++i) {
        const GtField* field = &table->fields[i];
        if (field->type == GT_FIELD_GROUP) {
            expect_same_report(field->group(), a + field->offset, b + field->offset);
        } else {
            assert_true(field->type <= GT_FIELD_DOUBLE && sizes[field->type] > 0);
            assert_memory_equal(a + field->offset, b + field->offset, sizes[field->type]);
        }
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
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* other = make_person(&context, other_person());
    GtRetargetDef def = bare_retarget_def();
    def.frame_rate_hz = 240.0;
    GtRetargetReport one, many;
    GtScene* a = carry(&context, motion, other, &def, &one);
    GtScene* b = carry(&threaded, motion, other, &def, &many);
    expect_same_report(gt_retarget_report_fields(), (const char*)&one, (const char*)&many);
    for (int32_t i = other->buffer_count; i < a->buffer_count; ++i) {
        size_t size = gt_blob_size(a->buffers[i].blob);
        assert_int_equal(size, gt_blob_size(b->buffers[i].blob));
        assert_memory_equal(gt_blob_bytes(a->buffers[i].blob), gt_blob_bytes(b->buffers[i].blob), size);
    }
    gt_scene_destroy(a);
    gt_scene_destroy(b);
    gt_scene_destroy(other);
    gt_scene_destroy(motion);
    gt_thread_pool_destroy(pool);
}

static void test_what_cannot_be_done_is_said(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Transfer none;
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* person = make_person(&context, gt_default_person_def());
    GtHumanoidMap empty = gt_humanoid_map_empty();
    GtHumanoidMap wrong = *person->humanoid;
    wrong.nodes[GT_HUMANOID_HEAD] = 4711;
    GtRetargetDef def = bare_retarget_def();
    GT_EXPECT_ERROR(transfer_open(&context, motion, 0, motion->humanoid, person, &wrong, &def, &none, &error),
                    GT_ERROR_BAD_VALUE, "head is node 4711");
    GT_EXPECT_ERROR(transfer_open(&context, person, 0, person->humanoid, motion, motion->humanoid, &def, &none, &error),
                    GT_ERROR_NOT_FOUND, "it has no clip");
    def.speed = 0.0;
    GT_EXPECT_ERROR(transfer_open(&context, motion, 0, motion->humanoid, person, person->humanoid, &def, &none, &error),
                    GT_ERROR_BAD_VALUE, "a speed of 0 is");
    def = bare_retarget_def();
    GtScene* stick = NULL; // one joint
    GtNode node = gt_default_node();
    node.name = "stick";
    GT_EXPECT_OK(gt_scene_create(&context, &stick, &error));
    GT_EXPECT_ERROR(transfer_open(&context, motion, 0, motion->humanoid, stick, &empty, &def, &none, &error),
                    GT_ERROR_BAD_VALUE, "no joints");
    GT_EXPECT_OK(gt_scene_add_node(stick, &node, NULL, &error));
    GT_EXPECT_ERROR(transfer_open(&context, motion, 0, motion->humanoid, stick, &empty, &def, &none, &error),
                    GT_ERROR_NOT_FOUND, "no humanoid is found in the character");
    assert_null(none.retarget);
    GT_EXPECT_OK(transfer_open(&context, motion, GT_NONE, motion->humanoid, person, person->humanoid, &def, &none,
                               &error)); // for poses alone
    GT_EXPECT_ERROR(gt_retarget_clip(&context, none.retarget, person, NULL, NULL, &error), GT_ERROR_NOT_FOUND,
                    "retargets poses only");
    transfer_close(&none);
    gt_scene_destroy(stick);
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtScene* motion = make_motion(&heap, GT_MOTION_WALK, gt_default_person_def());
    GtScene* person = make_person(&heap, other_person());
    person->retarget_pose = NULL;
    GtRetargetDef def = bare_retarget_def();
    def.frame_rate_hz = 5.0;
    def.name = "named";
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = heap;
        context.allocator = test_allocator(&limited);
        Transfer transfer;
        GtScene* out = NULL;
        result =
            transfer_open(&context, motion, 0, motion->humanoid, person, person->humanoid, &def, &transfer, &error);
        if (result == GT_OK) {
            result = gt_scene_copy(&context, person, &out, &error);
        }
        if (result == GT_OK) {
            result = gt_retarget_clip(&context, transfer.retarget, out, NULL, NULL, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(out);
        transfer_close(&transfer);
        assert_int_equal(limited.alive, 0);
    }
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_figure_to_itself_changes_nothing),
        cmocka_unit_test(test_t_pose_and_a_pose_copies_move_alike),
        cmocka_unit_test(test_hips_may_be_anywhere_over_the_legs),
        cmocka_unit_test(test_feet_stay_on_the_ground_however_knees_bend),
        cmocka_unit_test(test_there_and_back_is_back),
        cmocka_unit_test(test_limbs_point_where_the_sources_do),
        cmocka_unit_test(test_moving_and_turning_the_stage_turns_no_joint),
        cmocka_unit_test(test_mirroring_swaps_sides_and_twice_is_once),
        cmocka_unit_test(test_the_path_goes_where_it_is_asked_to),
        cmocka_unit_test(test_a_loop_closes_and_speed_is_kept),
        cmocka_unit_test(test_a_loop_on_the_spot_steps_as_one_that_travels),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_what_cannot_be_done_is_said),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
