// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A person does not depend on the number of threads. Alone in its file, because the thread sanitizer takes its time.

#include "support/test.h"

#include "gertie/executor.h"
#include "gertie/file.h"
#include "gertie/person.h"

#include <stdlib.h>

static void save(const GtContext* context, const GtPersonDef* def, GtBlob** out)
{
    GtError error;
    GtScene* scene = NULL;
    GtSaveDef save_def = gt_default_save_def();
    GT_EXPECT_OK(gt_sample_person(context, def, &scene, NULL, &error));
    GT_EXPECT_OK(gt_scene_save_memory(context, scene, "glb", &save_def, out, &error));
    gt_scene_destroy(scene);
}

static void test_the_same_person_has_the_same_bytes_on_any_number_of_threads(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GtContext serial = gt_default_context();
    GtContext parallel = gt_default_context();
    GT_EXPECT_OK(gt_thread_pool_create(serial.allocator, 4, &pool, &error));
    parallel.executor = gt_thread_pool_executor(pool);
    GtPersonDef def = gt_random_person_def(11);
    def.triangle_count = 6000;
    GtBlob* blobs[3];
    save(&serial, &def, &blobs[0]);
    save(&parallel, &def, &blobs[1]);
    def.build += 0.1;
    save(&serial, &def, &blobs[2]);
    assert_int_equal(gt_blob_size(blobs[0]), gt_blob_size(blobs[1]));
    assert_memory_equal(gt_blob_bytes(blobs[0]), gt_blob_bytes(blobs[1]), gt_blob_size(blobs[0]));
    assert_true(gt_blob_size(blobs[0]) != gt_blob_size(blobs[2]) ||
                memcmp(gt_blob_bytes(blobs[0]), gt_blob_bytes(blobs[2]), gt_blob_size(blobs[0])) != 0);
    for (int i = 0; i < 3; ++i) {
        gt_blob_release(blobs[i]);
    }
    gt_thread_pool_destroy(pool);
}

static void test_layers_take_the_same_pose_on_any_number_of_threads(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GtContext contexts[2] = { gt_default_context(), gt_default_context() };
    GT_EXPECT_OK(gt_thread_pool_create(contexts[0].allocator, 4, &pool, &error));
    contexts[1].executor = gt_thread_pool_executor(pool);
    GtPersonDef def = gt_random_person_def(12);
    def.triangle_count = 4000;
    GtTransform pose[GT_HUMANOID_JOINT_COUNT];
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        pose[j] = gt_transform_identity();
        pose[j].rotation = gt_quat_from_axis_angle(gt_vec3(0.6f, 0.0f, 0.8f), 0.05f * (float)(j % 7));
    }
    GtVec3* positions[2];
    int32_t counts[2];
    for (int i = 0; i < 2; ++i) {
        GtPersonLayers* layers = NULL;
        GT_EXPECT_OK(gt_person_layers_create(&contexts[i], &def, &layers, &error));
        counts[i] = gt_person_layers_vertex_count(layers);
        positions[i] = calloc((size_t)counts[i], sizeof(GtVec3));
        GT_EXPECT_OK(gt_person_layers_pose(&contexts[i], layers, pose, positions[i], NULL, &error));
        gt_person_layers_destroy(layers);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(positions[0], positions[1], (size_t)counts[0] * sizeof(GtVec3));
    free(positions[0]);
    free(positions[1]);
    gt_thread_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_person_has_the_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(test_layers_take_the_same_pose_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
