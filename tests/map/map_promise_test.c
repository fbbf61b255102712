// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `gertie map` promises: "a confidence is how often a joint found on such grounds is the right one". Joints are
// looked for on rigs as exporters make them, and in a crowd of skeletons with odd proportions and poses, with names and
// without; in each class of confidence at least that share must be right.

#include "gertie/map.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/test.h"

static void expect_all_right(const GtContext* context, const GtScene* scene, const char* rig, bool ignore_names)
{
    GtError error;
    GtHumanoidMap map;
    GtMapReport report;
    GtMapDef def = gt_default_map_def();
    def.ignore_names = ignore_names;
    GT_EXPECT_OK(gt_map_humanoid(context, scene, &def, &map, &report, &error));
    int32_t found = 0;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t right = gt_scene_find_node(scene, gt_humanoid_name((GtHumanoidJoint)j));
        if (map.nodes[j] != GT_NONE && map.nodes[j] != right) {
            fail_msg("%s: %s is node %d, not %d, at a confidence of %g", rig, gt_humanoid_name((GtHumanoidJoint)j),
                     (int)map.nodes[j], (int)right, (double)report.joints[j].confidence);
        }
        found += map.nodes[j] != GT_NONE;
    }
    assert_true(found >= 49); // the tips of little fingers, eyes and jaw may be passed over
}

static void test_rigs_of_every_kind(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    for (int32_t i = 0; i < TEST_RIG_COUNT; ++i) {
        GtScene* scene = test_rig(&context, i, 2000);
        scene->humanoid = NULL;
        expect_all_right(&context, scene, test_rig_name(i), false);
        expect_all_right(&context, scene, test_rig_name(i), true);
        gt_scene_destroy(scene);
    }
}

enum {
    CLASSES = 5
};

static const double class_ends[CLASSES] = { 0.6, 0.7, 0.8, 0.9, 1.01 };

typedef struct Tally {
    int32_t found[CLASSES], right[CLASSES];
    double said[CLASSES]; // sums
} Tally;

// Which joints a skeleton does without: some have no eyes, shoulders, toes, chest or fingers.
static void leave_out(TestRandom* random, bool* is_left_out)
{
    static const GtHumanoidJoint groups[][3] = {
        { GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_UPPER_CHEST },
        { GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_CHEST, GT_HUMANOID_CHEST },
        { GT_HUMANOID_LEFT_EYE, GT_HUMANOID_LEFT_EYE, GT_HUMANOID_JAW },
        { GT_HUMANOID_LEFT_SHOULDER, GT_HUMANOID_LEFT_SHOULDER, GT_HUMANOID_LEFT_SHOULDER },
        { GT_HUMANOID_LEFT_TOES, GT_HUMANOID_LEFT_TOES, GT_HUMANOID_LEFT_TOES },
        { GT_HUMANOID_LEFT_LITTLE_PROXIMAL, GT_HUMANOID_LEFT_LITTLE_INTERMEDIATE, GT_HUMANOID_LEFT_LITTLE_DISTAL },
        { GT_HUMANOID_LEFT_RING_PROXIMAL, GT_HUMANOID_LEFT_RING_INTERMEDIATE, GT_HUMANOID_LEFT_RING_DISTAL },
    };
    bool has_fingers = test_random_bits(random) % 3 != 0;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; ++g) {
        bool goes = test_random_bits(random) % 4 == 0;
        for (int i = 0; i < 3 && goes; ++i) {
            is_left_out[groups[g][i]] = true;
            is_left_out[gt_humanoid_mirror(groups[g][i])] = true;
        }
    }
    for (int j = GT_HUMANOID_LEFT_THUMB_METACARPAL; j < GT_HUMANOID_JOINT_COUNT && !has_fingers; ++j) {
        is_left_out[j] = true;
    }
}

// A skeleton of its own proportions and posture. Both sides are changed alike, as in people; then each joint is off a
// little for itself.
static GtScene* make_skeleton(const GtContext* context, const GtScene* person, TestRandom* random)
{
    GtError error;
    GtScene* scene = NULL;
    bool is_left_out[GT_HUMANOID_JOINT_COUNT] = { false };
    int32_t nodes[GT_HUMANOID_JOINT_COUNT];
    float factors[GT_HUMANOID_JOINT_COUNT];
    GtVec3 offsets[GT_HUMANOID_JOINT_COUNT];
    float proportion = test_random_float(random, 0.0f, 0.5f);
    float jitter_m = test_random_float(random, 0.0f, 0.02f);
    float posture = test_random_float(random, 0.0f, 0.6f);
    leave_out(random, is_left_out);
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int mirror = (int)gt_humanoid_mirror((GtHumanoidJoint)j);
        const char* name = gt_humanoid_name((GtHumanoidJoint)j);
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        factors[j] = mirror < j ? factors[mirror] : expf(test_random_float(random, -proportion, proportion));
        GtVec3 offset = person->nodes[gt_scene_find_node(person, name)].local.translation;
        offset = gt_vec3_add(gt_vec3_scale(offset, factors[j]), test_random_vec3(random, -jitter_m, jitter_m));
        for (; parent != GT_NONE && is_left_out[parent]; parent = gt_humanoid_parent((GtHumanoidJoint)parent)) {
            offset = gt_vec3_add(offset, offsets[parent]);
        }
        offsets[j] = offset;
        if (is_left_out[j]) {
            continue;
        }
        GtNode node = gt_default_node();
        node.name = name;
        node.parent = parent == GT_NONE ? GT_NONE : nodes[parent];
        node.local.translation = offset;
        node.local.rotation =
            gt_quat_from_axis_angle(test_random_direction(random), test_random_float(random, 0.0f, posture));
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, &nodes[j], &error));
    }
    return scene;
}

static void count_right(const GtContext* context, const GtScene* scene, bool ignore_names, Tally* tally)
{
    GtError error;
    GtHumanoidMap map;
    GtMapReport report;
    GtMapDef def = gt_default_map_def();
    def.ignore_names = ignore_names;
    GT_EXPECT_OK(gt_map_humanoid(context, scene, &def, &map, &report, &error));
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        double said = (double)report.joints[j].confidence;
        int class = 0;
        while (said >= class_ends[class]) {
            ++class;
        }
        if (map.nodes[j] != GT_NONE) {
            ++tally->found[class];
            tally->said[class] += said;
            tally->right[class] += map.nodes[j] == gt_scene_find_node(scene, gt_humanoid_name((GtHumanoidJoint)j));
        }
    }
}

// Other skeletons than those that confidences were chosen by.
static void test_confidence_is_a_share(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    context.diagnose = NULL;
    GtScene* person = test_rig(&context, TEST_RIG_PLAIN, 2000);
    TestRandom random = { 90210 };
    Tally tally = { 0 };
    for (int i = 0; i < 1000; ++i) {
        GtScene* scene = make_skeleton(&context, person, &random);
        count_right(&context, scene, i % 2 == 0, &tally);
        gt_scene_destroy(scene);
    }
    for (int c = 0; c < CLASSES; ++c) {
        double said = tally.said[c] / tally.found[c], right = (double)tally.right[c] / tally.found[c];
        print_message("confidence %.2f: %d found, %.1f %% right\n", said, (int)tally.found[c], 100.0 * right);
        // By chance it may be some less: joints of one hand are right or wrong together.
        if (tally.found[c] >= 100 && !(right >= said - 0.04)) {
            fail_msg("of %d joints with a confidence of %.2f, %.2f are right", (int)tally.found[c], said, right);
        }
    }
    assert_true(tally.found[0] >= 100 && tally.found[3] >= 1000 && tally.found[4] >= 1000);
    gt_scene_destroy(person);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigs_of_every_kind),
        cmocka_unit_test(test_confidence_is_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
