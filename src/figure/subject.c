// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "figure/subject.h"

#include "gertie/accessor.h"

#include <math.h>
#include <string.h>

static const GtHumanoidJoint legs[] = { GT_HUMANOID_HIPS,      GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
                                        GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG,
                                        GT_HUMANOID_RIGHT_FOOT };

static GtResult complete_map(const GtContext* context, const GtScene* scene, const GtHumanoidMap* known,
                             GtHumanoidMap* out, GtError* error)
{
    GtMapReport report;
    GtMapDef def = gt_default_map_def();
    def.known = known;
    GtResult result = gt_map_humanoid(context, scene, &def, out, &report, error);
    if (result == GT_OK && report.verdict == GT_MAP_AMBIGUOUS) {
        gti_note(context, scene->source.file, NULL, "nothing tells left from right: the sides may be swapped");
    }
    return result;
}

static void take_joints(GtiSubject* f, const GtHumanoidMap* map)
{
    f->is_humanoid = true;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        f->nodes[j] = map->nodes[j] == GT_NONE ? GT_NONE : gt_character_node_from_source(f->character, map->nodes[j]);
    }
    for (size_t i = 0; i < sizeof legs / sizeof legs[0]; ++i) {
        f->is_humanoid = f->is_humanoid && f->nodes[legs[i]] != GT_NONE;
    }
}

// Rate and range of the curve with the most keys.
static void find_times(GtiSubject* f, const GtAnimation* animation)
{
    f->start_s = gt_clip_start_s(f->clip);
    f->end_s = gt_clip_end_s(f->clip);
    uint64_t most = 1;
    for (int32_t s = 0; s < animation->sampler_count; ++s) {
        int32_t input = animation->samplers[s].input;
        uint64_t count = f->scene->accessors[input].count;
        if (count <= most) {
            continue;
        }
        float first = 0.0f;
        float second = 0.0f;
        float last = 0.0f;
        gt_accessor_read_floats(f->scene, input, 0, 1, &first);
        gt_accessor_read_floats(f->scene, input, 1, 1, &second);
        gt_accessor_read_floats(f->scene, input, count - 1, 1, &last);
        most = count;
        f->key_rate_hz = last > first ? (double)(count - 1) / ((double)last - (double)first) : 0.0;
        if (animation->tpose_first) {
            f->start_s = fmin((double)second, f->end_s);
        }
    }
}

// The pose that the instance has becomes the reference.
static void take_reference(GtiSubject* f)
{
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t i = 0; i < f->def->node_count; ++i) {
        f->reference[i] = f->instance->model_from_node[i];
    }
    for (int j = 0; f->is_humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (f->nodes[j] != GT_NONE) {
            low = fminf(low, f->reference[f->nodes[j]].m[1][3]);
            high = fmaxf(high, f->reference[f->nodes[j]].m[1][3]);
        }
    }
    f->height_m = high > low ? (double)(high - low) : 0.0;
}

void gti_subject_stand(GtiSubject* f, const GtRetargetPose* pose)
{
    gt_instance_reset(f->instance);
    for (int j = 0; pose && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (f->nodes[j] != GT_NONE) {
            GtQuat* rotation = &f->instance->pose[f->nodes[j]].rotation;
            *rotation = gt_quat_normalize(gt_quat_mul(pose->rotations[j], *rotation));
        }
    }
    gt_instance_update(f->instance);
    take_reference(f);
}

static GtResult open_subject(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                             const GtHumanoidMap* map, GtiSubject* out, GtError* error)
{
    *out = (GtiSubject){ .scene = scene, .allocator = context->allocator };
    GtBuildDef build = gt_default_build_def();
    GtResult result = gt_character_build(context, scene, &build, &out->character, NULL, error);
    if (result == GT_OK && animation != GT_NONE) {
        result = gt_clip_build(context, scene, animation, out->character, &out->clip, error);
    }
    if (result == GT_OK) {
        result = gt_instance_create(context->allocator, out->character, &out->instance, error);
    }
    if (result != GT_OK) {
        return result;
    }
    out->def = gt_character_def(out->character);
    out->reference = gt_arena_push_array(arena, (size_t)out->def->node_count, sizeof *out->reference);
    if (!out->reference) {
        return gti_out_of_memory(error);
    }
    take_joints(out, map);
    if (animation != GT_NONE) {
        find_times(out, &scene->animations[animation]);
    }
    if (animation != GT_NONE && scene->animations[animation].tpose_first) {
        gti_subject_pose(out, out->instance, gt_clip_start_s(out->clip));
        take_reference(out);
    } else {
        gti_subject_stand(out, scene->retarget_pose);
    }
    return GT_OK;
}

GtResult gti_subject_open_mapped(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                                 const GtHumanoidMap* map, GtiSubject* out, GtError* error)
{
    GtResult result = open_subject(context, arena, scene, animation, map, out, error);
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
    }
    return result;
}

GtResult gti_subject_open(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                          const GtHumanoidMap* map, GtiSubject* out, GtError* error)
{
    GtHumanoidMap whole;
    *out = (GtiSubject){ 0 };
    GtResult result = complete_map(context, scene, map, &whole, error);
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
        return result;
    }
    return gti_subject_open_mapped(context, arena, scene, animation, &whole, out, error);
}

void gti_subject_close(GtiSubject* figure)
{
    if (figure->instance) {
        gt_instance_destroy(figure->allocator, figure->instance);
    }
    gt_clip_destroy(figure->clip);
    gt_character_destroy(figure->character);
    *figure = (GtiSubject){ 0 };
}

void gti_subject_pose(const GtiSubject* figure, GtInstance* instance, double time_s)
{
    gt_instance_reset(instance);
    gt_clip_sample(figure->clip, time_s, instance->pose, instance->weights);
    gt_instance_update(instance);
}

GtVec3 gti_subject_attach(const GtiSubject* figure, int32_t node, GtVec3 point)
{
    GtMat34 node_from_model = gt_mat34_inverse(&figure->reference[node], NULL);
    return gt_mat34_point(&node_from_model, point);
}

double gti_subject_size(const GtiSubject* figure)
{
    static const double person_leg_m = 0.9;
    GtVec3 leg = gt_vec3_sub(gti_subject_reference(figure, GT_HUMANOID_LEFT_UPPER_LEG),
                             gti_subject_reference(figure, GT_HUMANOID_LEFT_FOOT));
    return fmax((double)gt_vec3_length(leg) / person_leg_m, 1.0);
}

GtVec3 gti_subject_forward(const GtiSubject* figure)
{
    GtVec3 left = gt_vec3_sub(gti_subject_reference(figure, GT_HUMANOID_LEFT_UPPER_LEG),
                              gti_subject_reference(figure, GT_HUMANOID_RIGHT_UPPER_LEG));
    GtVec3 forward = gt_vec3_cross(left, gt_vec3(0.0f, 1.0f, 0.0f));
    forward.y = 0.0f;
    return gt_vec3_normalize_or(forward, gt_vec3(0.0f, 0.0f, 1.0f));
}
