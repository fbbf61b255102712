// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Planting as a clean-up of any clip: contacts are found in the frames themselves.

#include "motion/plant.h"

#include "motion/contact.h"
#include "motion/posture.h"
#include "motion/take.h"

#include "gertie/bake.h"
#include "gertie/retarget.h"

#include <math.h>

typedef struct TakePlanter {
    const GtContext* context;
    const GtScene* scene;
    const GtPlantDef* def;
    GtError* error;
    GtArena scratch;
    GtiSubject figure;
    GtiTread sole;
    GtTake* take; // the new one
    GtiFrames frames;
    float* times;
    int32_t* columns;
    uint8_t* bits; // [frames] contacts
    uint8_t* sure; // [frames] of which there is no doubt
} TakePlanter;

GtPlantDef gt_default_plant_def(void)
{
    return (GtPlantDef){ .floor_m = NAN };
}

// The retarget pose of the scene, or one that is found, shows which way up the soles are.
static GtResult open_figure(TakePlanter* t)
{
    GtResult result = gti_subject_open(t->context, &t->scratch, t->scene, GT_NONE, t->def->map, &t->figure, t->error);
    if (result == GT_OK && !t->figure.is_humanoid) {
        result = gti_fail(t->error, GT_ERROR_BAD_VALUE, "hips and legs are not known, so there are no feet to plant");
    }
    if (result == GT_OK && !t->scene->retarget_pose) {
        GtHumanoidMap map = gt_humanoid_map_empty();
        GtRetargetPose pose;
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            map.nodes[j] = t->figure.nodes[j] == GT_NONE ? GT_NONE : t->figure.def->source_nodes[t->figure.nodes[j]];
        }
        if (gt_retarget_pose_find(t->context, t->scene, &map, &pose, NULL, NULL) == GT_OK) {
            gti_subject_stand(&t->figure, &pose);
        }
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
    t->bits = gt_arena_push_array(&t->scratch, count, sizeof *t->bits);
    t->sure = gt_arena_push_array(&t->scratch, count, sizeof *t->sure);
    if (!t->times || !t->columns || !t->bits || !t->sure) {
        return gti_out_of_memory(t->error);
    }
    for (size_t f = 0; f < count; ++f) {
        t->times[f] = t->take->rate_hz > 0.0 ? (float)((double)f / t->take->rate_hz) : 0.0f;
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        t->columns[i] = def->source_nodes[i];
    }
    t->frames = (GtiFrames){ t->take->frame_count, t->times, t->take->poses, t->take->node_count, t->columns };
    return GT_OK;
}

// What planting moves gets keys.
static void mark_paths(TakePlanter* t)
{
    static const GtHumanoidJoint moved[] = { GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
                                             GT_HUMANOID_LEFT_FOOT,       GT_HUMANOID_RIGHT_UPPER_LEG,
                                             GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_RIGHT_FOOT };
    const GtCharacterDef* def = t->figure.def;
    t->take->paths[def->source_nodes[t->figure.nodes[GT_HUMANOID_HIPS]]] |= GT_BAKE_TRANSLATION;
    for (size_t i = 0; i < sizeof moved / sizeof moved[0]; ++i) {
        int32_t node = t->figure.nodes[moved[i]];
        bool is_foot = moved[i] == GT_HUMANOID_LEFT_FOOT || moved[i] == GT_HUMANOID_RIGHT_FOOT;
        bool is_loose = is_foot && !gti_hangs_from(def, node, t->figure.nodes[moved[i] - 1]);
        t->take->paths[def->source_nodes[node]] |= (uint8_t)(GT_BAKE_ROTATION | (is_loose ? GT_BAKE_TRANSLATION : 0));
    }
}

// Where heels and balls are, part by part.
static GtVec3* follow_marks(TakePlanter* t, const GtiPlant* plant)
{
    size_t count = (size_t)t->frames.count;
    GtVec3* paths = gt_arena_push_array(&t->scratch, count * GTI_SOLE_PART_COUNT, sizeof *paths);
    for (size_t p = 0; paths && p < GTI_SOLE_PART_COUNT; ++p) {
        for (size_t f = 0; f < count; ++f) {
            const GtVec3* points = plant->points + f * (size_t)t->sole.point_count;
            paths[p * count + f] = gt_vec3_add(points[t->sole.marks[p]], plant->feet[p / 2][f].ankle);
        }
    }
    return paths;
}

static void set_bits(const TakePlanter* t, const GtContacts* contacts, uint8_t* bits)
{
    for (int32_t f = 0; f < t->frames.count; ++f) {
        bits[f] = gt_contacts_at(contacts, (double)t->frames.times[f]);
    }
}

static GtResult find_contacts(TakePlanter* t, const GtiPlant* plant)
{
    if (t->def->contacts) {
        set_bits(t, t->def->contacts, t->bits);
        set_bits(t, t->def->contacts, t->sure);
        return GT_OK;
    }
    GtiMarkPaths marks = { t->frames.count, 0.0, t->take->rate_hz > 0.0 ? 1.0 / t->take->rate_hz : 0.0,
                           gti_subject_size(&t->figure), follow_marks(t, plant) };
    if (!marks.places) {
        return gti_out_of_memory(t->error);
    }
    const GtContactsDef defs[2] = { gt_default_contacts_def(), gti_strict_contacts_def(gt_default_contacts_def()) };
    uint8_t* const bits[2] = { t->bits, t->sure };
    GtResult result = GT_OK;
    for (int i = 0; i < 2 && result == GT_OK; ++i) {
        GtContacts* found = NULL;
        result = gti_contacts_of_paths(t->context, &defs[i], &marks, &found, t->error);
        if (result == GT_OK) {
            set_bits(t, found, bits[i]);
        }
        gt_contacts_destroy(found);
    }
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
    if (result == GT_OK) {
        result = lay_out_frames(t);
    }
    GtiPlant plant = { .context = t->context,
                       .error = t->error,
                       .scratch = &t->scratch,
                       .figure = &t->figure,
                       .sole = &t->sole,
                       .frames = &t->frames,
                       .contacts = t->bits,
                       .sure = t->sure,
                       .floor_m = (float)t->def->floor_m };
    if (result == GT_OK) {
        result = gti_plant_trace(&plant);
    }
    if (result == GT_OK) {
        result = find_contacts(t, &plant);
    }
    if (result == GT_OK) {
        result = gti_plant_find_floor(&plant);
    }
    if (result == GT_OK) {
        result = gti_plant_frames(&plant);
    }
    if (result == GT_OK) {
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
    *out = NULL;
    if (take->node_count != scene->node_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the take has %d nodes, the scene %d: they do not belong together",
                        (int)take->node_count, (int)scene->node_count);
    }
    TakePlanter t = { .context = context, .scene = scene, .def = def, .error = error };
    t.scratch = gt_arena_create(context->allocator);
    GtResult result = plant_take(&t, take, report);
    gti_tread_close(&t.sole);
    gti_subject_close(&t.figure);
    gt_arena_destroy(&t.scratch);
    if (result != GT_OK) {
        gt_take_destroy(t.take);
        return result;
    }
    *out = t.take;
    return GT_OK;
}
