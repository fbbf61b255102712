// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What may be NULL by a rule of the interface (docs/architecture.md): what is destroyed. tests/house/interface.sh sees
// to it that no function is left out here.

#include "gertie/gertie.h"
#include "support/test.h"

#include <stdlib.h>

static void test_destroy_takes_null(void** state)
{
    (void)state;
    gt_arena_destroy(NULL);
    gt_blend_space_destroy(NULL);
    gt_blob_release(NULL);
    gt_character_destroy(NULL);
    gt_clip_destroy(NULL);
    gt_contacts_destroy(NULL);
    gt_curve_destroy(NULL);
    gt_drivers_destroy(NULL);
    gt_drivers_state_destroy(NULL);
    gt_face_destroy(NULL);
    gt_figure_close(NULL);
    gt_film_destroy(NULL);
    gt_formula_destroy(NULL);
    gt_ground_destroy(NULL);
    gt_hand_keys_destroy(NULL);
    gt_harmonic_clip_destroy(NULL);
    gt_harmonic_destroy(NULL);
    gt_harmonic_player_destroy(NULL);
    gt_ik_solver_destroy(NULL);
    gt_instance_destroy(NULL);
    gt_marker_pairs_destroy(NULL);
    gt_markers_destroy(NULL);
    gt_measure_destroy(NULL);
    gt_pack_close(NULL);
    gt_person_layers_destroy(NULL);
    gt_picture_destroy(NULL);
    gt_plot_series_set_destroy(NULL);
    gt_pose_mirror_destroy(NULL);
    gt_renderer_destroy(NULL);
    gt_retarget_destroy(NULL);
    gt_root_path_destroy(NULL);
    gt_scene_destroy(NULL);
    gt_sculpt_destroy(NULL);
    gt_sculpt_player_destroy(NULL);
    gt_shape_controls_destroy(NULL);
    gt_shape_regions_destroy(NULL);
    gt_take_destroy(NULL);
    gt_thread_pool_destroy(NULL);
    gt_track_set_destroy(NULL);
}

// What was created goes back to its own allocator; memory that the caller gave stays the caller's.
static void test_destroy_gives_back_what_was_created(void** state)
{
    (void)state;
    GtError error;
    TestAllocator counter = { .remaining = -1 };
    GtAllocator allocator = test_allocator(&counter);
    GtCharacterDef def = gt_default_character_def();
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(allocator, &def, &character, &error));
    int64_t before = counter.alive;

    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_instance_create(allocator, character, &instance, &error));
    assert_int_equal(counter.alive, before + 1);
    gt_instance_destroy(instance);
    GtDriversDef drivers_def = gt_default_drivers_def();
    drivers_def.character = character;
    GtDrivers* drivers = NULL;
    GtDriversState* live = NULL;
    GT_EXPECT_OK(gt_drivers_create(gt_default_allocator(), &drivers_def, &drivers, &error));
    GT_EXPECT_OK(gt_drivers_state_create(allocator, drivers, &live, &error));
    assert_int_equal(counter.alive, before + 1);
    gt_drivers_state_destroy(live);
    GtPicture picture;
    GT_EXPECT_OK(gt_picture_create(allocator, 2, 2, &picture, &error));
    assert_int_equal(counter.alive, before + 1);
    gt_picture_destroy(&picture);
    assert_null(picture.rgba);
    assert_int_equal(counter.alive, before);

    void* memory = aligned_alloc(16, (gt_instance_size(character) + 15) / 16 * 16);
    gt_instance_destroy(gt_instance_init(character, memory));
    free(memory);
    memory = aligned_alloc(16, (gt_drivers_state_size(drivers) + 15) / 16 * 16);
    gt_drivers_state_destroy(gt_drivers_state_init(drivers, memory));
    free(memory);
    uint8_t pixel[4] = { 1, 2, 3, 4 };
    picture = (GtPicture){ .width = 1, .height = 1, .rgba = pixel };
    gt_picture_destroy(&picture);
    gt_drivers_destroy(drivers);
    gt_character_destroy(character);
    assert_int_equal(counter.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_destroy_takes_null),
        cmocka_unit_test(test_destroy_gives_back_what_was_created),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
