// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The baked scene is built and played as any scene without sections is: weights go linearly from key to key, joints as
// their keys say. Moments are posed side by side and added up in order, so that results are the same on any number of
// threads.

#include "sections/bake_error.h"

#include "base/fail.h"
#include "figure/figure.h"

#include <math.h>

enum {
    LANES = 8,
    PARTS = 4 // that the time from frame to frame is cut into
};

// A moment that is looked at.
typedef struct Lane {
    GtInstance* wanted;
    GtInstance* got;
    GtVec3* positions[2]; // [most vertices of a mesh] wanted, got
    double time_s;
    double squares;
    double worst_m;
} Lane;

typedef struct Look {
    const GtiBakeErrorDef* def;
    GtFigure figure; // of the baked scene
    GtArena scratch;
    Lane lanes[LANES];
} Look;

static GtResult open_look(const GtContext* context, Look* look, GtError* error)
{
    const GtCharacter* sculpted = look->def->player->def.character;
    const GtCharacterDef* def = gt_character_def(sculpted);
    GtFigureDef figure_def = gti_figure_unmapped(look->def->animation);
    GtAllocator allocator = context->allocator;
    GtContext quiet = *context; // what is odd in the scene has been said
    quiet.diagnose = NULL;
    GtResult result = gt_figure_open(&quiet, look->def->baked, &figure_def, &look->figure, error);
    size_t most = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        most = (size_t)def->meshes[m].vertex_count > most ? (size_t)def->meshes[m].vertex_count : most;
    }
    for (int i = 0; i < LANES && result == GT_OK; ++i) {
        Lane* lane = &look->lanes[i];
        lane->positions[0] = gt_arena_push_array(&look->scratch, most, sizeof(GtVec3));
        lane->positions[1] = gt_arena_push_array(&look->scratch, most, sizeof(GtVec3));
        result = lane->positions[0] && lane->positions[1] ? GT_OK : gti_out_of_memory(error);
        if (result == GT_OK) {
            result = gt_instance_create(allocator, sculpted, &lane->wanted, error);
        }
        if (result == GT_OK) {
            result = gt_instance_create(allocator, look->figure.character, &lane->got, error);
        }
    }
    return result;
}

static void close_look(Look* look)
{
    for (int i = 0; i < LANES; ++i) {
        gt_instance_destroy(look->lanes[i].wanted);
        gt_instance_destroy(look->lanes[i].got);
    }
    gt_figure_close(&look->figure);
    gt_arena_destroy(&look->scratch);
}

static void compare(const Look* look, Lane* lane)
{
    const GtCharacterDef* def = look->figure.def;
    gt_sculpt_play(look->def->player, lane->time_s, lane->wanted);
    gt_figure_pose(&look->figure, lane->time_s, lane->got);
    float worst = 0.0f;
    lane->squares = 0.0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        gt_instance_deform(lane->wanted, m, lane->positions[0], NULL, NULL);
        gt_instance_deform(lane->got, m, lane->positions[1], NULL, NULL);
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            GtVec3 off = gt_vec3_sub(lane->positions[0][v], lane->positions[1][v]);
            float square = gt_vec3_dot(off, off);
            lane->squares += (double)square;
            worst = fmaxf(worst, square);
        }
    }
    lane->worst_m = sqrt((double)worst);
}

static void run_lanes(void* data, int32_t first, int32_t end)
{
    Look* look = data;
    for (int32_t i = first; i < end; ++i) {
        compare(look, &look->lanes[i]);
    }
}

static GtResult look_at_all(const GtContext* context, Look* look, GtiBakeError* out, GtError* error)
{
    const GtiBakeErrorDef* def = look->def;
    const GtCharacterDef* character = look->figure.def;
    double held_count = 0.0;
    for (int32_t m = 0; m < character->mesh_count; ++m) {
        held_count += def->moved_share * (double)character->meshes[m].vertex_count;
    }
    int64_t count = (int64_t)PARTS * (def->frame_count - 1) + 1;
    double squares = 0.0;
    GtResult result = GT_OK;
    for (int64_t first = 0; first < count && result == GT_OK; first += LANES) {
        int32_t lanes = (int32_t)(count - first < LANES ? count - first : LANES);
        for (int32_t i = 0; i < lanes; ++i) {
            int64_t moment = first + i;
            look->lanes[i].time_s = def->start_s + (moment > 0 ? (double)moment / (PARTS * def->rate_hz) : 0.0);
        }
        gt_executor_run(&context->executor, lanes, 1, run_lanes, look);
        for (int32_t i = 0; i < lanes; ++i) {
            const Lane* lane = &look->lanes[i];
            double* worst = (first + i) % PARTS == 0 ? &out->frame_rms_m : &out->between_rms_m;
            *worst = fmax(*worst, sqrt(lane->squares / fmax(held_count, 1.0)));
            squares += lane->squares;
            if (lane->worst_m > out->max_m) {
                out->max_m = lane->worst_m;
                out->time_s = lane->time_s;
            }
        }
        result = gti_progress(context, error, "measuring", (double)first / (double)count);
    }
    out->rms_m = sqrt(squares / fmax(held_count * (double)count, 1.0));
    return result;
}

GtResult gti_bake_error(const GtContext* context, const GtiBakeErrorDef* def, GtiBakeError* out, GtError* error)
{
    Look look = { .def = def, .scratch = gt_arena_create(context->allocator) };
    *out = (GtiBakeError){ .time_s = def->start_s };
    GtResult result = open_look(context, &look, error);
    if (result == GT_OK) {
        result = look_at_all(context, &look, out, error);
    }
    close_look(&look);
    return result;
}
