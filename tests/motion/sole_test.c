// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures stand on the soles of their meshes: whatever the legs, a walk's soles come down to the floor and no further.

#include "motion/puppets.h"

#include "gertie/animate.h"
#include "gertie/person.h"

// The lowest vertex of all meshes at a time of the clip.
static float lowest_vertex(Player* p, GtVec3* positions, double time_s)
{
    const GtCharacterDef* def = gt_character_def(p->character);
    float lowest = INFINITY;
    play_at(p, time_s);
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        gt_instance_deform(p->instance, m, positions, NULL, NULL);
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            lowest = fminf(lowest, positions[v].y);
        }
    }
    return lowest;
}

static GtScene* make_body(const GtContext* context, double leg_length, double foot_size)
{
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.leg_length = leg_length;
    def.foot_size = foot_size;
    def.triangle_count = 6000;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    return scene;
}

static void test_soles_meet_the_floor_whatever_the_legs(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* walk = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    const double legs[3][2] = { { 0.7, 0.83 }, { 1.0, 1.0 }, { 1.4, 1.15 } }; // feet as long as such legs want them
    for (int k = 0; k < 3; ++k) {
        GtError error;
        GtScene* body = make_body(&context, legs[k][0], legs[k][1]);
        GtAnimateDef def = gt_default_animate_def();
        GtAnimateReport report;
        GtScene* out = NULL;
        GT_EXPECT_OK(gt_animate(&context, body, walk, &def, &out, &report, &error));
        Player p = open_player(&context, out, 0);
        int32_t most = 0;
        for (int32_t m = 0; m < gt_character_def(p.character)->mesh_count; ++m) {
            int32_t count = gt_character_def(p.character)->meshes[m].vertex_count;
            most = count > most ? count : most;
        }
        GtVec3* positions = context.allocator.allocate(context.allocator.user, (size_t)most * sizeof *positions);
        float lowest = INFINITY, highest = -INFINITY;
        for (int i = 0; i < 40; ++i) {
            float y = lowest_vertex(&p, positions, i / 30.0);
            lowest = fminf(lowest, y);
            highest = fmaxf(highest, y);
        }
        GT_EXPECT_NEAR(lowest, 0.0, 0.005);
        GT_EXPECT_NEAR(highest, 0.0, 0.005); // at no time is the lowest vertex off the floor: it is a walk
        context.allocator.release(context.allocator.user, positions);
        close_player(&p);
        gt_scene_destroy(out);
        gt_scene_destroy(body);
    }
    gt_scene_destroy(walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soles_meet_the_floor_whatever_the_legs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
