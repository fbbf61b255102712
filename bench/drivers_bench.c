// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What it costs to drive a sculpted character live, beside sampling its clip and deforming its skin: the built-in
// person of 20,000 triangles walks, with the presets for muscles and for flesh that swings.

#include "bench.h"

#include "gertie/animate.h"
#include "gertie/clip_pack.h"
#include "gertie/motions.h"
#include "gertie/sculpt.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
    GtSculpt* sculpt;
    GtCharacter* character;
    GtClip* clip;
    GtDrivers* drivers;
    GtDriversState* state;
    GtInstance* instance;
    GtVec3* positions;
    GtVec3* normals;
    double time_s;
} Case;

static void sample(void* user)
{
    Case* made = user;
    made->time_s = made->time_s < 4.0 ? made->time_s + 1.0 / 60.0 : 0.0;
    gt_clip_sample(made->clip, made->time_s, made->instance->pose, made->instance->weights);
}

static void step(void* user)
{
    Case* made = user;
    sample(made);
    GtDriversFrame frame = gt_default_drivers_frame();
    frame.time_s = made->time_s;
    frame.step_s = 1.0 / 60.0;
    gt_drivers_step(&frame, made->state, made->instance);
}

static void update(void* user)
{
    Case* made = user;
    sample(made);
    gt_instance_update(made->instance);
}

static void deform(void* user)
{
    Case* made = user;
    gt_instance_deform(made->instance, 0, made->positions, made->normals, NULL);
}

static GtScene* make_walker(const GtContext* context)
{
    GtError error;
    GtPersonDef person_def = gt_default_person_def();
    GtMotionDef motion_def = gt_default_motion_def(GT_MOTION_WALK);
    GtAnimateDef animate_def = gt_default_animate_def();
    GtScene* person = NULL;
    GtScene* motion = NULL;
    GtScene* walker = NULL;
    person_def.triangle_count = 20000;
    BENCH_OK(gt_sample_person(context, &person_def, &person, NULL, &error));
    BENCH_OK(gt_sample_motion(context, &motion_def, &motion, NULL, &error));
    BENCH_OK(gt_animate(context, person, motion, &animate_def, &walker, NULL, &error));
    gt_scene_destroy(motion);
    gt_scene_destroy(person);
    return walker;
}

// presets: or NULL for the skin alone
static Case create_case(const GtContext* context, const GtScene* scene, const char* presets)
{
    GtError error;
    Case made = { 0 };
    GtBuildDef build = gt_default_build_def();
    GtClipPackDef pack = gt_default_clip_pack_def();
    GtClip* keys = NULL;
    if (presets) {
        BENCH_OK(gt_sculpt_preset(context, scene, presets, &made.sculpt, &error));
        BENCH_OK(gt_sculpt_character(context, scene, made.sculpt, &build, &made.character, NULL, &error));
        BENCH_OK(gt_sculpt_drivers(context, scene, made.sculpt, made.character, &made.drivers, &error));
        BENCH_OK(gt_drivers_state_create(context->allocator, made.drivers, &made.state, &error));
    } else {
        BENCH_OK(gt_character_build(context, scene, &build, &made.character, NULL, &error));
    }
    BENCH_OK(gt_clip_build(context, scene, 0, made.character, &keys, &error));
    BENCH_OK(gt_clip_pack(context, keys, made.character, &pack, &made.clip, NULL, &error));
    BENCH_OK(gt_instance_create(context->allocator, made.character, &made.instance, &error));
    gt_clip_destroy(keys);
    size_t count = (size_t)gt_character_def(made.character)->meshes[0].vertex_count;
    made.positions = malloc(count * sizeof *made.positions);
    made.normals = malloc(count * sizeof *made.normals);
    if (!made.positions || !made.normals) {
        exit(EXIT_FAILURE);
    }
    return made;
}

static void destroy_case(Case* made)
{
    free(made->positions);
    free(made->normals);
    gt_instance_destroy(made->instance);
    gt_drivers_state_destroy(made->state);
    gt_drivers_destroy(made->drivers);
    gt_clip_destroy(made->clip);
    gt_character_destroy(made->character);
    gt_sculpt_destroy(made->sculpt);
}

int main(void)
{
    GtContext context = gt_default_context();
    GtScene* scene = make_walker(&context);
    Case skin = create_case(&context, scene, NULL);
    Case muscles = create_case(&context, scene, "muscles");
    Case flesh = create_case(&context, scene, "muscles,jiggle");
    const GtDriversDef* def = gt_drivers_def(flesh.drivers);
    printf("%d vertices, %d drivers, %d springs\n", (int)gt_character_def(skin.character)->meshes[0].vertex_count,
           (int)def->track_count, (int)def->jiggle_count);
    update(&skin);
    step(&muscles);
    step(&flesh);
    const BenchCase cases[] = {
        { "linear skin, with normals", deform, &skin },     { "with muscles", deform, &muscles },
        { "with muscles and springs", deform, &flesh },     { "sampling and updating", update, &skin },
        { "sampling and driving muscles", step, &muscles }, { "sampling and driving muscles and springs", step, &flesh }
    };
    bench_compare("A sculpted person", cases, (int)(sizeof cases / sizeof *cases));
    destroy_case(&skin);
    destroy_case(&muscles);
    destroy_case(&flesh);
    gt_scene_destroy(scene);
    return 0;
}
