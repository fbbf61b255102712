// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Planting as a clean-up of any clip: contacts are found in the frames themselves. Those of a cycle are continued at
// both ends, so that the seam stays closed.

#include "motion/plant/plant.h"

#include "motion/contact/contact.h"
#include "motion/retarget/posture.h"
#include "motion/take/cycle.h"
#include "motion/take/take.h"

#include "gertie/bake.h"
#include "gertie/retarget.h"

#include <math.h>
#include <string.h>

typedef struct TakePlanter {
    const GtContext* context;
    const GtScene* scene;
    const GtPlantDef* def;
    GtError* error;
    GtArena scratch;
    GtFigure figure;
    GtiTread sole;
    GtTake* take; // the new one
    GtiPlantFrames frames;
    int32_t before; // frames that go before those of the take
    float* times;   // [frames of the take] seconds from its start
    int32_t* columns;
    uint8_t* bits; // [frames.count] contacts
    uint8_t* sure; // [frames.count] of which there is no doubt
    float* levels; // [GTI_SIDE_COUNT * frames.count] of what is under the feet, above the floor
} TakePlanter;

GtPlantDef gt_default_plant_def(void)
{
    return (GtPlantDef){ .floor_m = NAN };
}

// The retarget pose of the scene, or one that is found, shows which way up the soles are.
static GtResult open_figure(TakePlanter* t)
{
    bool by_motion = t->scene->animation_count && !t->scene->mesh_count; // which then shows how feet stand
    GtFigureDef def = gti_figure_playing(by_motion ? 0 : GT_NONE, t->def->map);
    GtResult result = gt_figure_open(t->context, t->scene, &def, &t->figure, t->error);
    if (result == GT_OK && !t->figure.is_humanoid) {
        result =
            gti_fail(t->error, GT_ERROR_BAD_VALUE,
                     "no hips and legs are found, so there are no feet to plant; 'gertie map' shows what is missing");
    }
    if (result == GT_OK) {
        gti_figure_stand(&t->figure, t->scene->retarget_pose);
    }
    if (result == GT_OK && !t->scene->retarget_pose) {
        GtRetargetPose pose;
        GtResult found = gt_retarget_pose_find(t->context, &t->figure, &pose, NULL, t->error);
        if (found == GT_OK) {
            gti_figure_stand(&t->figure, &pose);
        }
        result =
            found == GT_ERROR_OUT_OF_MEMORY || found == GT_ERROR_CANCELLED ? found : result; // else it does without
    }
    if (result == GT_OK) {
        result = gti_tread_open(t->context, &t->scratch, &t->figure, &t->sole, t->error);
    }
    return result == GT_OK ? gti_tread_thin(t->context, &t->scratch, &t->sole, t->error) : result;
}

static GtResult lay_out_frames(TakePlanter* t)
{
    const GtCharacterDef* def = t->figure.def;
    size_t count = (size_t)t->take->frame_count;
    t->times = gt_arena_push_array(&t->scratch, count, sizeof *t->times);
    t->columns = gt_arena_push_array(&t->scratch, (size_t)def->node_count, sizeof *t->columns);
    if (!t->times || !t->columns) {
        return gti_out_of_memory(t->error);
    }
    for (size_t f = 0; f < count; ++f) {
        t->times[f] = t->take->rate_hz > 0.0 ? (float)((double)f / t->take->rate_hz) : 0.0f;
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        t->columns[i] = def->source_nodes[i];
    }
    t->frames = (GtiPlantFrames){
        t->take->frame_count, t->times, t->take->poses, t->take->node_count, t->columns, 0, 0, false
    };
    return GT_OK;
}

// With no root that moves, the hips stay where they are.
static GtResult continue_cycle(TakePlanter* t, GtiContinued* more)
{
    const GtTake* take = t->take;
    int32_t hips = t->figure.def->source_nodes[t->figure.joints[GT_HUMANOID_HIPS]];
    bool has_root = take->root != GT_NONE;
    GtiCycle cycle = { take->frame_count,
                       t->times,
                       take->poses,
                       take->node_count,
                       has_root ? take->root : hips,
                       has_root ? take->model_from_root_parent : gt_mat34_identity() };
    if (cycle.count >= 3 && gti_cycle_closes(&cycle)) {
        if (!gti_cycle_continue(&cycle, &t->scratch, more)) {
            return gti_out_of_memory(t->error);
        }
        t->before = more->before;
        t->frames = (GtiPlantFrames){ more->count,
                                      more->times,
                                      more->poses,
                                      take->node_count,
                                      t->columns,
                                      more->before,
                                      more->count - more->before - take->frame_count,
                                      true };
    }
    t->bits = gt_arena_push_array(&t->scratch, (size_t)t->frames.count, sizeof *t->bits);
    t->sure = gt_arena_push_array(&t->scratch, (size_t)t->frames.count, sizeof *t->sure);
    t->levels = gt_arena_push_array(&t->scratch, GTI_SIDE_COUNT * (size_t)t->frames.count, sizeof *t->levels);
    return t->bits && t->sure && t->levels ? GT_OK : gti_out_of_memory(t->error);
}

// What planting moves gets keys.
static void mark_paths(TakePlanter* t)
{
    static const GtHumanoidJoint moved[] = { GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
                                             GT_HUMANOID_LEFT_FOOT,       GT_HUMANOID_RIGHT_UPPER_LEG,
                                             GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_RIGHT_FOOT };
    const GtCharacterDef* def = t->figure.def;
    t->take->paths[def->source_nodes[t->figure.joints[GT_HUMANOID_HIPS]]] |= GT_BAKE_TRANSLATION;
    for (size_t i = 0; i < sizeof moved / sizeof moved[0]; ++i) {
        int32_t node = t->figure.joints[moved[i]];
        bool is_foot = moved[i] == GT_HUMANOID_LEFT_FOOT || moved[i] == GT_HUMANOID_RIGHT_FOOT;
        bool is_loose = is_foot && !gti_hangs_from(def, node, t->figure.joints[moved[i] - 1]);
        t->take->paths[def->source_nodes[node]] |= (uint8_t)(GT_BAKE_ROTATION | (is_loose ? GT_BAKE_TRANSLATION : 0));
    }
}

// Contacts that the caller gives are in the time of the clip.
static GtResult use_contacts(TakePlanter* t, const GtiContinued* more)
{
    size_t count = (size_t)t->take->frame_count;
    float* times = gt_arena_push_array(&t->scratch, count, sizeof *times);
    uint8_t* bits = gt_arena_push_array(&t->scratch, count, sizeof *bits);
    float* levels = gt_arena_push_array(&t->scratch, GTI_SIDE_COUNT * count, sizeof *levels);
    if (!times || !bits || !levels) {
        return gti_out_of_memory(t->error);
    }
    for (size_t f = 0; f < count; ++f) {
        times[f] = (float)(t->take->start_s + (double)t->times[f]);
    }
    gti_contacts_of_frames(t->context, t->def->contacts, times, t->take->frame_count, bits);
    gti_contacts_levels(t->def->contacts, times, t->take->frame_count, levels);
    for (int32_t k = 0; k < GTI_SIDE_COUNT * t->frames.count; ++k) {
        int32_t side = k / t->frames.count, frame = k % t->frames.count;
        t->levels[k] = levels[side * t->take->frame_count + (more->count > 0 ? more->frames[frame] : frame)];
    }
    if (more->count > 0) {
        gti_cycle_continue_bits(t->take->frame_count, more, bits, t->bits);
    } else {
        memcpy(t->bits, bits, count * sizeof *bits);
    }
    return GT_OK;
}

// Contacts are found in the frames, across the seam of a cycle too. Those that the caller gives may be doubtful.
static GtResult find_contacts(TakePlanter* t, const GtiPlant* plant, const GtiContinued* more)
{
    const GtiPlantFrames* frames = &t->frames;
    double step_s = t->take->rate_hz > 0.0 ? 1.0 / t->take->rate_hz : 0.0;
    GtiFootprints prints;
    GtVec3* points = gt_arena_push_array(&t->scratch, (size_t)t->sole.point_count, sizeof *points);
    if (!points ||
        !gti_footprints_begin(&t->scratch, &t->sole, frames->count, (double)frames->times[0], step_s, &prints)) {
        return gti_out_of_memory(t->error);
    }
    for (int32_t f = 0; f < frames->count; ++f) {
        const GtVec3* from_ankles = plant->points + (size_t)f * (size_t)t->sole.point_count;
        for (int32_t i = 0; i < t->sole.point_count; ++i) {
            int side = t->sole.parts[i] == GT_NONE ? 0 : t->sole.parts[i] / 2;
            points[i] = gt_vec3_add(from_ankles[i], plant->feet[side][f].ankle);
        }
        gti_footprints_add(&prints, points, gt_vec3_lerp(plant->feet[0][f].hip, plant->feet[1][f].hip, 0.5f));
    }
    GtContactsDef def = gt_default_contacts_def();
    GtContacts* found = NULL;
    GtContacts* sure = NULL;
    GtResult result = gti_footprints_stand(t->context, &def, &prints, &found, &sure, t->error);
    if (result == GT_OK) {
        gti_contacts_of_frames(t->context, found, frames->times, frames->count, t->bits);
        gti_contacts_of_frames(t->context, sure, frames->times, frames->count, t->sure);
        gti_contacts_levels(found, frames->times, frames->count, t->levels);
        result = t->def->contacts ? use_contacts(t, more) : GT_OK;
    }
    for (int32_t f = 0; result == GT_OK && f < frames->count; ++f) {
        t->sure[f] &= t->bits[f];
    }
    gt_contacts_destroy(found);
    gt_contacts_destroy(sure);
    return result;
}

static GtResult plant_take(TakePlanter* t, const GtTake* take, GtPlantReport* report)
{
    GtResult result = open_figure(t);
    if (result == GT_OK) {
        result = gti_take_make(t->context, take, take->frame_count, &t->take, t->error);
    }
    for (int32_t f = 0; result == GT_OK && f < take->frame_count; ++f) {
        gti_take_copy_frame(take, f, t->take, f);
    }
    GtiContinued more = { 0 };
    if (result == GT_OK) {
        result = lay_out_frames(t);
    }
    if (result == GT_OK) {
        result = continue_cycle(t, &more);
    }
    GtiPlant plant = { .context = t->context,
                       .error = t->error,
                       .scratch = &t->scratch,
                       .figure = &t->figure,
                       .sole = &t->sole,
                       .frames = &t->frames,
                       .contacts = t->bits,
                       .sure = t->sure,
                       .ground = t->def->ground,
                       .floor_m = (float)t->def->floor_m };
    if (result == GT_OK) {
        result = gti_plant_trace(&plant);
    }
    if (result == GT_OK) {
        result = find_contacts(t, &plant, &more);
    }
    if (result == GT_OK) {
        plant.levels[0] = t->levels;
        plant.levels[1] = t->levels + t->frames.count;
        result = gti_plant_find_floor(&plant);
    }
    if (result == GT_OK) {
        result = gti_plant_frames(&plant);
    }
    if (result == GT_OK) {
        size_t stride = (size_t)take->node_count;
        memmove(t->take->poses, t->frames.poses + (size_t)t->before * stride,
                (size_t)take->frame_count * stride * sizeof *t->take->poses);
        mark_paths(t);
    }
    if (report) {
        *report = plant.report;
    }
    return result;
}

GtResult gt_take_plant(const GtContext* context, const GtTake* take, const GtScene* scene, const GtPlantDef* def,
                       GtTake** out, GtPlantReport* report, GtError* error)
{
    def = def ? def : (GtPlantDef[]){ gt_default_plant_def() };
    *out = NULL;
    if (take->node_count != scene->node_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the take has %d nodes, the scene %d: they do not belong together",
                        (int)take->node_count, (int)scene->node_count);
    }
    TakePlanter t = { .context = context, .scene = scene, .def = def, .error = error };
    t.scratch = gt_arena_create(context->allocator);
    GtResult result = plant_take(&t, take, report);
    gti_tread_close(&t.sole);
    gt_figure_close(&t.figure);
    gt_arena_destroy(&t.scratch);
    if (result != GT_OK) {
        gt_take_destroy(t.take);
        return result;
    }
    *out = t.take;
    return GT_OK;
}
