// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "figure/figure.h"

#include "gertie/accessor.h"

#include "build/clip_build.h"
#include "figure/span.h"

#include <math.h>
#include <string.h>

static const GtHumanoidJoint legs[] = { GT_HUMANOID_HIPS,      GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
                                        GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG,
                                        GT_HUMANOID_RIGHT_FOOT };

GtFigureDef gt_default_figure_def(void)
{
    return (GtFigureDef){ .animation = GT_NONE, .build = gt_default_build_def() };
}

// What the caller knows, completed by a search.
static GtResult find_map(const GtContext* context, const GtFigureDef* def, GtFigure* f, GtError* error)
{
    f->map = gt_humanoid_map_empty();
    if (def->without_map) {
        return GT_OK;
    }
    if (def->map_is_whole) {
        f->map = *def->map;
        return GT_OK;
    }
    GtMapReport* report = gt_arena_push_array(&f->arena, 1, sizeof *report);
    if (!report) {
        return gti_out_of_memory(error);
    }
    GtMapDef map_def = gt_default_map_def();
    map_def.known = def->map;
    GtResult result = gt_map_humanoid(context, f->scene, &map_def, &f->map, report, error);
    f->map_report = report;
    if (result == GT_OK && report->verdict == GT_MAP_AMBIGUOUS && !def->silent_map) {
        gti_note(context, f->scene->source.file, NULL, "left and right cannot be told apart and may be swapped");
    } else if (result == GT_OK && (report->sides_against_names || report->sides_are_doubtful) && !def->silent_map) {
        gti_warn(context, f->scene->source.file, NULL, "it is %s", report->summary);
    }
    return result;
}

static GtResult take_joints(GtFigure* f, GtError* error)
{
    f->is_humanoid = true;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = f->map.nodes[j];
        if (node != GT_NONE && (node < 0 || node >= f->scene->node_count)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "the map says that %s is node %d; there are %d",
                            gt_humanoid_name((GtHumanoidJoint)j), (int)node, (int)f->scene->node_count);
        }
        f->joints[j] = node == GT_NONE ? GT_NONE : gt_character_node_from_source(f->character, node);
    }
    for (size_t i = 0; i < sizeof legs / sizeof legs[0]; ++i) {
        f->is_humanoid = f->is_humanoid && f->joints[legs[i]] != GT_NONE;
    }
    return GT_OK;
}

// Rate and range of the curve with the most keys.
static void find_times(GtFigure* f)
{
    const GtAnimation* animation = &f->scene->animations[f->animation];
    f->key_rate_hz = 0.0;
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
        float last = 0.0f;
        gt_accessor_read_floats(f->scene, input, 0, 1, &first);
        gt_accessor_read_floats(f->scene, input, count - 1, 1, &last);
        most = count;
        f->key_rate_hz = last > first ? (double)(count - 1) / ((double)last - (double)first) : 0.0;
    }
}

// The pose that the instance has becomes the reference.
static void take_reference(GtFigure* f)
{
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t i = 0; i < f->def->node_count; ++i) {
        f->reference[i] = f->instance->model_from_node[i];
    }
    for (int j = 0; f->is_humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (f->joints[j] != GT_NONE) {
            low = fminf(low, f->reference[f->joints[j]].m[1][3]);
            high = fmaxf(high, f->reference[f->joints[j]].m[1][3]);
        }
    }
    f->height_m = high > low ? (double)(high - low) : 0.0;
}

void gti_figure_stand(GtFigure* f, const GtRetargetPose* pose)
{
    gt_instance_reset(f->instance);
    for (int j = 0; pose && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (f->joints[j] != GT_NONE) {
            GtQuat* rotation = &f->instance->pose[f->joints[j]].rotation;
            *rotation = gt_quat_normalize(gt_quat_mul(pose->rotations[j], *rotation));
        }
    }
    gt_instance_update(f->instance);
    take_reference(f);
}

// The reference pose is the T-pose that the clip begins with, the scene's own retarget pose, or the rest pose.
static void stand_in_reference(GtFigure* f)
{
    if (f->starts_in_tpose) {
        gt_instance_reset(f->instance);
        gt_clip_sample(f->clip, gt_clip_start_s(f->clip), f->instance->pose, f->instance->weights);
        gt_instance_update(f->instance);
        take_reference(f);
    } else {
        gti_figure_stand(f, f->scene->retarget_pose);
    }
}

static GtResult make_instance(const GtContext* context, GtFigure* f, GtError* error)
{
    f->def = gt_character_def(f->character);
    f->reference = gt_arena_push_array(&f->arena, (size_t)f->def->node_count, sizeof *f->reference);
    return f->reference ? gt_instance_create(context->allocator, f->character, &f->instance, error)
                        : gti_out_of_memory(error);
}

static void release_blobs(GtFigure* f)
{
    for (int32_t i = 0; i < f->blob_count; ++i) {
        gt_blob_release(f->blobs[i]);
    }
    f->blob_count = 0;
}

// A clip that plays the keys of a scene where they are, and holds on to their blobs. The old clip goes.
static GtResult play_clip(const GtContext* context, const GtScene* scene, int32_t animation, GtFigure* f,
                          GtError* error)
{
    GtClip* clip = NULL;
    GtBlob** blobs = gt_arena_push_array(&f->arena, (size_t)scene->buffer_count, sizeof *blobs);
    if (!blobs) {
        return gti_out_of_memory(error);
    }
    GtResult result =
        gti_clip_build_in_place(context, &(GtiClipSource){ scene, animation, f->character }, &clip, error);
    if (result != GT_OK) {
        return result;
    }
    gt_clip_destroy(f->clip);
    release_blobs(f);
    f->clip = clip;
    f->blobs = blobs;
    for (int32_t i = 0; i < scene->buffer_count; ++i) {
        if (scene->buffers[i].blob) {
            f->blobs[f->blob_count++] = gt_blob_retain(scene->buffers[i].blob);
        }
    }
    return GT_OK;
}

// From a built character on.
static GtResult finish_figure(const GtContext* context, const GtFigureDef* def, GtFigure* f, GtError* error)
{
    GtResult result = make_instance(context, f, error);
    if (result == GT_OK && def->animation != GT_NONE) {
        f->animation = def->animation;
        result = play_clip(context, f->scene, def->animation, f, error);
    }
    if (result == GT_OK) {
        result = take_joints(f, error);
    }
    if (result != GT_OK) {
        return result;
    }
    if (f->clip) {
        find_times(f);
        gti_figure_find_span(f);
    }
    stand_in_reference(f);
    return GT_OK;
}

static GtResult check_animation(const GtScene* scene, int32_t animation, GtError* error)
{
    if (animation == GT_NONE || (animation >= 0 && animation < scene->animation_count)) {
        return GT_OK;
    }
    return scene->animation_count > 0 ? gti_fail(error, GT_ERROR_NOT_FOUND, "there is no clip %d; the file has %d",
                                                 (int)animation, (int)scene->animation_count)
                                      : gti_fail(error, GT_ERROR_NOT_FOUND, "it has no clip");
}

GtResult gti_figure_open_built(const GtContext* context, const GtScene* scene, const GtFigureDef* def,
                               GtCharacter* character, GtFigure* out, GtError* error)
{
    *out = (GtFigure){ .scene = scene,
                       .animation = GT_NONE,
                       .character = character,
                       .keep_tpose = def->keep_tpose,
                       .arena = gt_arena_create(context->allocator) };
    GtResult result = check_animation(scene, def->animation, error);
    if (result == GT_OK) {
        result = find_map(context, def, out, error);
    }
    if (result == GT_OK && !character) {
        result = gt_character_build(context, scene, &def->build, &out->character, NULL, error);
    }
    if (result == GT_OK) {
        result = finish_figure(context, def, out, error);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
    }
    return result;
}

GtResult gt_figure_open(const GtContext* context, const GtScene* scene, const GtFigureDef* def, GtFigure* out,
                        GtError* error)
{
    def = def ? def : (GtFigureDef[]){ gt_default_figure_def() };
    return gti_figure_open_built(context, scene, def, NULL, out, error);
}

GtResult gti_figure_share(const GtContext* context, const GtFigure* figure, GtFigure* out, GtError* error)
{
    *out = *figure;
    out->is_shared = true;
    out->instance = NULL;
    out->shell = NULL;
    out->arena = gt_arena_create(context->allocator);
    GtResult result = make_instance(context, out, error);
    if (result == GT_OK) {
        memcpy(out->reference, figure->reference, (size_t)out->def->node_count * sizeof *out->reference);
    }
    return result;
}

void gt_figure_close(GtFigure* figure)
{
    if (!figure) {
        return;
    }
    gt_instance_destroy(figure->instance);
    if (!figure->is_shared) {
        if (figure->player.destroy) {
            figure->player.destroy(figure->player.user);
        }
        gt_clip_destroy(figure->clip);
        release_blobs(figure);
        gt_character_destroy(figure->character);
    }
    gt_arena_destroy(&figure->arena);
    *figure = (GtFigure){ 0 };
}

GtResult gt_figure_set_clip(const GtContext* context, GtFigure* figure, const GtScene* scene, int32_t animation,
                            GtError* error)
{
    GT_ASSERT(!figure->is_shared && !figure->player.pose && scene->node_count == figure->scene->node_count);
    GtResult result = check_animation(scene, animation, error);
    if (result == GT_OK) {
        result = play_clip(context, scene, animation, figure, error);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
        return result;
    }
    figure->scene = scene;
    figure->animation = animation;
    find_times(figure);
    gti_figure_find_span(figure);
    stand_in_reference(figure);
    return GT_OK;
}

void gt_figure_pose(const GtFigure* figure, double time_s, GtInstance* instance)
{
    if (figure->player.pose) {
        figure->player.pose(figure->player.user, time_s, instance);
        return;
    }
    gt_instance_reset(instance);
    if (figure->clip) {
        gt_clip_sample(figure->clip, time_s, instance->pose, instance->weights);
    }
    gt_instance_update(instance);
}

GtVec3 gti_figure_attach(const GtFigure* figure, int32_t node, GtVec3 point)
{
    GtMat34 node_from_model = gt_mat34_inverse(&figure->reference[node], NULL);
    return gt_mat34_point(&node_from_model, point);
}

double gti_figure_size(const GtFigure* figure)
{
    static const double person_leg_m = 0.9;
    GtVec3 leg = gt_vec3_sub(gti_figure_reference(figure, GT_HUMANOID_LEFT_UPPER_LEG),
                             gti_figure_reference(figure, GT_HUMANOID_LEFT_FOOT));
    return fmax((double)gt_vec3_length(leg) / person_leg_m, 1.0);
}

GtVec3 gti_figure_forward(const GtFigure* figure)
{
    GtVec3 left = gt_vec3_sub(gti_figure_reference(figure, GT_HUMANOID_LEFT_UPPER_LEG),
                              gti_figure_reference(figure, GT_HUMANOID_RIGHT_UPPER_LEG));
    GtVec3 forward = gt_vec3_cross(left, gt_vec3(0.0f, 1.0f, 0.0f));
    forward.y = 0.0f;
    return gt_vec3_normalize_or(forward, gt_vec3(0.0f, 0.0f, 1.0f));
}
