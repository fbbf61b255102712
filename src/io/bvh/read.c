// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// BVH text to a scene: a node a joint in file order, one clip. The curves are read in the file's units and axes, looked
// at to infer both, and then turned where they lie: the factor goes into every translation, the turn to Y up into the
// roots alone, so that the axes of all other joints are those of the file.

#include "io/bvh/bvh.h"

#include "base/fail.h"
#include "io/bvh/axes.h"
#include "io/bvh/infer.h"
#include "io/mesh/units.h"
#include "io/name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool gti_bvh_sniff(const uint8_t* bytes, size_t size)
{
    GtiBvh bvh = { .text = (const char*)bytes, .end = (const char*)bytes + size };
    const char* p = bvh.text;
    if (size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
    }
    p = gti_bvh_skip_space(&bvh, p);
    static const char word[] = "hierarchy";
    for (size_t i = 0; i < sizeof word - 1; ++i) {
        if (p + i >= bvh.end || (p[i] | 0x20) != word[i]) {
            return false;
        }
    }
    return true;
}

static GtResult name_joint(GtiBvh* bvh, GtScene* scene, int32_t joint, const char** out)
{
    const GtiBvhJoint* source = &bvh->joints[joint];
    bool repaired = false;
    char made[32];
    if (source->name_length) {
        *out = gti_push_name(scene, source->name, source->name_length, "", &repaired);
    } else if (source->layout.end_site) {
        const char* parent = scene->nodes[source->parent].name;
        *out = gti_push_name(scene, parent, strlen(parent), "_end", &repaired);
    } else {
        snprintf(made, sizeof made, "joint_%d", joint);
        *out = gti_push_name(scene, made, strlen(made), "", &repaired);
    }
    if (!*out) {
        return gti_out_of_memory(bvh->error);
    }
    return repaired ? gti_bvh_repair(bvh, GTI_BVH_NOT_UTF8, source->place,
                                     "the name of joint '%.64s' was not valid UTF-8 and has been repaired", *out)
                    : GT_OK;
}

// y_from_file is applied to roots alone.
static GtResult add_nodes(GtiBvh* bvh, const GtiBvhBody* body, const GtiBvhGuess* guess, GtScene* scene)
{
    GtBvhJoint* layouts = gt_scene_push(scene, (size_t)bvh->joint_count, sizeof *layouts);
    if (!layouts) {
        return gti_out_of_memory(bvh->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < bvh->joint_count && result == GT_OK; ++i) {
        const GtiBvhJoint* joint = &bvh->joints[i];
        GtNode node = gt_default_node();
        layouts[i] = joint->layout;
        node.bvh = &layouts[i];
        node.parent = joint->parent;
        double bone[3];
        for (int k = 0; k < 3; ++k) {
            bone[k] = body->bones[(size_t)i * 3 + (size_t)k] * guess->metres_per_unit;
        }
        if (joint->parent == GT_NONE) {
            double turn[4];
            gti_bvh_y_from_file_vector(guess->up_axis, bone);
            gti_bvh_y_from_file_turn(guess->up_axis, turn);
            node.local.rotation = gt_quat((float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]);
        }
        node.local.translation = gt_vec3((float)bone[0], (float)bone[1], (float)bone[2]);
        result = name_joint(bvh, scene, i, &node.name);
        if (result == GT_OK) {
            result = gt_scene_add_node(scene, &node, NULL, bvh->error);
        }
    }
    return result;
}

static GtResult add_stage(GtiBvh* bvh, GtScene* scene)
{
    int32_t* roots = gt_scene_push(scene, (size_t)bvh->joint_count, sizeof *roots);
    if (!roots) {
        return gti_out_of_memory(bvh->error);
    }
    GtStage stage = { .nodes = roots };
    for (int32_t i = 0; i < bvh->joint_count; ++i) {
        if (bvh->joints[i].parent == GT_NONE) {
            roots[stage.node_count++] = i;
        }
    }
    return gt_scene_add_stage(scene, &stage, &scene->default_stage, bvh->error);
}

// From the file's units and axes to metres and Y up.
static void bake(const GtiBvh* bvh, const GtiBvhClip* clip, const GtiBvhGuess* guess)
{
    for (int32_t t = 0; t < clip->track_count; ++t) {
        const GtiBvhTrack* track = &clip->tracks[t];
        bool root = bvh->joints[track->joint].parent == GT_NONE;
        bool turns = root && guess->up_axis != GT_UP_Y;
        for (int64_t frame = 0; frame < clip->frame_count; ++frame) {
            float* value = gti_bvh_track_at(clip, track, frame);
            if (track->path == GT_PATH_TRANSLATION) {
                double moved[3];
                for (int k = 0; k < 3; ++k) {
                    moved[k] = value[k] * guess->metres_per_unit;
                }
                if (turns) {
                    gti_bvh_y_from_file_vector(guess->up_axis, moved);
                }
                for (int k = 0; k < 3; ++k) {
                    value[k] = (float)moved[k];
                }
            } else if (track->path == GT_PATH_ROTATION && turns) {
                double quat[4] = { value[0], value[1], value[2], value[3] };
                gti_bvh_y_from_file_quat(guess->up_axis, quat);
                for (int k = 0; k < 4; ++k) {
                    value[k] = (float)quat[k];
                }
            }
        }
    }
}

static GtResult add_accessor(GtiBvh* bvh, GtScene* scene, int32_t view, size_t first, GtElementType type, int64_t count,
                             int32_t* index)
{
    GtAccessor accessor = {
        .view = view,
        .offset = first * sizeof(float),
        .component_type = GT_COMPONENT_FLOAT,
        .element_type = type,
        .count = (uint64_t)count,
    };
    return gt_scene_add_accessor(scene, &accessor, index, bvh->error);
}

static GtResult add_times(GtiBvh* bvh, const GtiBvhClip* clip, GtScene* scene, int32_t view, int32_t* index)
{
    double* bounds = gt_scene_push(scene, 2, sizeof *bounds);
    if (!bounds) {
        return gti_out_of_memory(bvh->error);
    }
    bounds[0] = clip->data[0];
    bounds[1] = clip->data[clip->frame_count - 1];
    GtResult result = add_accessor(bvh, scene, view, 0, GT_ELEMENT_SCALAR, clip->frame_count, index);
    if (result == GT_OK) {
        scene->accessors[*index].min = &bounds[0];
        scene->accessors[*index].max = &bounds[1];
    }
    return result;
}

// The buffer takes over the clip's blob.
static GtResult add_buffer(GtiBvh* bvh, GtiBvhClip* clip, GtScene* scene, int32_t* view)
{
    GtBuffer buffer = { .blob = clip->blob };
    GtBufferView whole = { .size = gt_blob_size(clip->blob) };
    clip->blob = NULL;
    GtResult result = gt_scene_add_buffer(scene, &buffer, &whole.buffer, bvh->error);
    return result == GT_OK ? gt_scene_add_buffer_view(scene, &whole, view, bvh->error) : result;
}

static GtResult add_animation(GtiBvh* bvh, GtiBvhClip* clip, const GtiBvhGuess* guess, GtScene* scene)
{
    GtAnimationSampler* samplers = gt_scene_push(scene, (size_t)clip->track_count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, (size_t)clip->track_count, sizeof *channels);
    GtAnimation animation = {
        .name = gti_push_stem(scene, bvh->path, "motion"),
        .samplers = samplers,
        .sampler_count = clip->track_count,
        .channels = channels,
        .channel_count = clip->track_count,
        .tpose_first = guess->tpose_first,
    };
    if (!samplers || !channels || !animation.name) {
        return gti_out_of_memory(bvh->error);
    }
    int32_t view = GT_NONE;
    int32_t times = GT_NONE;
    GtResult result = add_buffer(bvh, clip, scene, &view);
    if (result == GT_OK) {
        result = add_times(bvh, clip, scene, view, &times);
    }
    for (int32_t t = 0; t < clip->track_count && result == GT_OK; ++t) {
        const GtiBvhTrack* track = &clip->tracks[t];
        GtElementType type = track->path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC3;
        samplers[t] = (GtAnimationSampler){ .input = times, .interpolation = GT_INTERPOLATION_LINEAR };
        channels[t] = (GtAnimationChannel){ .sampler = t, .node = track->joint, .path = track->path };
        result = add_accessor(bvh, scene, view, track->first, type, clip->frame_count, &samplers[t].output);
    }
    return result == GT_OK ? gt_scene_add_animation(scene, &animation, NULL, bvh->error) : result;
}

static GtResult build_scene(GtiBvh* bvh, GtiBvhClip* clip, const GtiBvhBody* body, const GtiBvhGuess* guess,
                            GtScene** out)
{
    GtResult result = gt_scene_create(bvh->context, out, bvh->error);
    if (result != GT_OK) {
        return result;
    }
    GtScene* scene = *out;
    scene->source = (GtSource){
        .format = "bvh",
        .metres_per_unit = guess->metres_per_unit,
        .up_axis = guess->up_axis,
    };
    if (!gti_push_directory(scene, bvh->path)) {
        return gti_out_of_memory(bvh->error);
    }
    bake(bvh, clip, guess);
    result = add_nodes(bvh, body, guess, scene);
    if (result == GT_OK) {
        result = add_stage(bvh, scene);
    }
    return result == GT_OK && clip->blob ? add_animation(bvh, clip, guess, scene) : result;
}

static GtResult read_text(GtiBvh* bvh, GtiBvhClip* clip, const GtLoadDef* def, GtScene** out)
{
    GtiBvhBody body;
    GtiBvhGuess guess;
    GtResult result = gti_bvh_parse(bvh);
    if (result == GT_OK) {
        result = gti_bvh_read_clip(bvh, clip);
    }
    if (result == GT_OK) {
        result = gti_bvh_make_body(bvh, clip, &body);
    }
    if (result == GT_OK) {
        gti_bvh_infer(&body, def, &guess);
        if (body.zero_offsets) {
            gti_note(bvh->context, bvh->path, NULL,
                     "all OFFSETs are zero: the rest pose takes its bones from the first frame");
        }
        result = build_scene(bvh, clip, &body, &guess, out);
    }
    return result;
}

GtResult gti_bvh_read(const GtContext* context, const char* text, size_t size, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = gti_check_load_def(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtiBvh bvh = {
        .context = context, .path = path, .arena = &arena, .error = error, .text = text, .end = text + size
    };
    GtiBvhClip clip = { 0 };
    result = read_text(&bvh, &clip, def, out);
    if (result == GT_OK) {
        gti_bvh_report_repairs(&bvh);
    } else {
        gti_error_set_file(error, path);
        gt_scene_destroy(*out);
        *out = NULL;
    }
    gt_blob_release(clip.blob);
    gt_arena_destroy(&arena);
    return result;
}
