// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "shapes/face_clip.h"

#include "gertie/accessor.h"
#include "gertie/expression.h"
#include "gertie/shape_controls.h"

#include "base/fail.h"
#include "shapes/face_gaze.h"
#include "shapes/face_signal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const gaze_controls[] = { "lookLeft", "lookRight", "lookUp", "lookDown" };

// What a signal moves: a control of the face, or morph weights of a meaning.
typedef struct FaceLink {
    int32_t control;        // or GT_NONE
    const int32_t* weights; // [weight_count] of the character
    int32_t weight_count;
} FaceLink;

typedef struct FaceCarrier {
    const GtContext* context;
    const GtFigure* motion;
    const GtFigure* target;
    GtScene* scene;
    GtArena arena;
    GtiFaceSignals signals;
    GtiGaze gaze;
    int32_t gaze_control[4]; // of the face, or GT_NONE
    GtFace* face;
    GtShapeControls* controls;
    GtTrackSet* tracks;
    FaceLink* links;    // [signals.count]
    const char** names; // [weight_count] of the character's morph weights, or NULL
    float* frames;      // [time_count * weight_count]
    GtQuat* eyes;       // [2 * time_count] left eye, right eye
    float* times_s;     // [time_count] of the new clip
    GtError* error;
} FaceCarrier;

static GtResult open_face(FaceCarrier* c)
{
    GtResult result = gt_face_create(c->context, c->target->scene, &c->face, c->error);
    if (result == GT_OK) {
        c->face->def.on_clip = true;
        result = gt_shape_controls_create(c->context, &c->face->def, &c->controls, c->error);
    }
    if (result == GT_OK) {
        GtTrackSetDef def = gt_default_track_set_def();
        def.character = c->target->character;
        def.value_names = c->controls->value_names;
        def.value_count = c->controls->value_count;
        def.tracks = c->controls->tracks;
        def.track_count = c->controls->track_count;
        result = gt_track_set_create(c->context->allocator, &def, &c->tracks, c->error);
    }
    return result;
}

static GtResult name_weights(FaceCarrier* c)
{
    const GtCharacterDef* def = c->target->def;
    c->names = gt_arena_push_array(&c->arena, (size_t)def->weight_count + 1, sizeof *c->names);
    if (!c->names) {
        return gti_out_of_memory(c->error);
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        const GtMesh* source = mesh->source_mesh == GT_NONE ? NULL : &c->target->scene->meshes[mesh->source_mesh];
        for (int32_t t = 0; source && source->target_names && t < mesh->morph_count && t < source->target_count; ++t) {
            c->names[mesh->first_weight + t] = source->target_names[t];
        }
    }
    return GT_OK;
}

static int32_t find_control(const FaceCarrier* c, const char* name)
{
    int32_t expression = gt_expression_find(name);
    const char* preset = expression == GT_NONE ? name : gt_expression_name((GtExpression)expression);
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < c->face->def.control_count; ++i) {
            if (strcmp(c->face->def.controls[i].name, pass == 0 ? name : preset) == 0) {
                return i;
            }
        }
    }
    return GT_NONE;
}

static bool means_the_same(const char* name, const char* other)
{
    int32_t shape = gt_arkit_find(name);
    return other && (strcmp(name, other) == 0 || (shape != GT_NONE && gt_arkit_find(other) == shape));
}

// Morph weights of the same meaning come first for a morph weight, controls for an expression.
static GtResult link_signal(FaceCarrier* c, const GtiFaceSignal* signal, FaceLink* link)
{
    int32_t weight_count = c->target->def->weight_count;
    *link = (FaceLink){ .control = find_control(c, signal->name) };
    if (signal->node != GT_NONE && link->control != GT_NONE) {
        return GT_OK;
    }
    int32_t* weights = gt_arena_push_array(&c->arena, (size_t)weight_count + 1, sizeof *weights);
    if (!weights) {
        return gti_out_of_memory(c->error);
    }
    for (int32_t w = 0; w < weight_count; ++w) {
        if (means_the_same(signal->name, c->names[w])) {
            weights[link->weight_count++] = w;
        }
    }
    link->weights = weights;
    link->control = link->weight_count > 0 ? GT_NONE : link->control;
    return GT_OK;
}

static GtResult link_signals(FaceCarrier* c, GtiFaceClipReport* report)
{
    c->links = gt_arena_push_array(&c->arena, (size_t)c->signals.count + 1, sizeof *c->links);
    GtResult result = c->links ? name_weights(c) : gti_out_of_memory(c->error);
    for (int32_t i = 0; i < c->signals.count && result == GT_OK; ++i) {
        const char* name = c->signals.list[i].name;
        size_t used = strlen(report->lost);
        result = link_signal(c, &c->signals.list[i], &c->links[i]);
        bool is_neutral = gt_expression_find(name) == GT_EXPRESSION_NEUTRAL;
        bool carried = c->links[i].control != GT_NONE || c->links[i].weight_count > 0;
        report->signal_count += carried || !is_neutral;
        report->carried_count += carried;
        bool fits = used + strlen(name) + 3 < sizeof report->lost;
        if (!carried && !is_neutral && fits) {
            snprintf(report->lost + used, sizeof report->lost - used, "%s%s", used ? ", " : "", name);
        }
        report->lost_more = report->lost_more || (!carried && !is_neutral && !fits);
    }
    return result;
}

static GtResult open_gaze(FaceCarrier* c, GtiFaceClipReport* report)
{
    if (c->signals.gaze == GT_NONE) {
        return GT_OK;
    }
    GtResult result = gti_gaze_find(c->target, &c->arena, &c->gaze, c->error);
    bool has_controls = false;
    for (int i = 0; i < 4; ++i) {
        c->gaze_control[i] = find_control(c, gaze_controls[i]);
        has_controls = has_controls || c->gaze_control[i] != GT_NONE;
    }
    bool has_eyes = c->gaze.eyes[0] != GT_NONE || c->gaze.eyes[1] != GT_NONE;
    if (!c->gaze.by_expressions && !has_eyes && has_controls) {
        c->gaze.by_expressions = true;
        c->gaze.inner = c->gaze.outer = c->gaze.down = c->gaze.up = (GtiGazeRange){ 35.0f, 1.0f };
    }
    report->has_gaze = c->gaze.by_expressions ? has_controls : has_eyes;
    return result;
}

// One frame: morph weights of the same meaning and controls from the motion's pose, then what the face makes of them.
static void carry_frame(FaceCarrier* c, int32_t frame, bool has_gaze, float* values)
{
    const GtCharacterDef* def = c->target->def;
    const GtInstance* from = c->motion->instance;
    float* weights = c->frames + (size_t)frame * (size_t)def->weight_count;
    gt_figure_pose(c->motion, c->signals.times_s[frame], c->motion->instance);
    if (def->weight_count) {
        memcpy(weights, def->rest_weights, (size_t)def->weight_count * sizeof *weights);
    }
    for (int32_t i = 0; i < c->controls->value_count; ++i) {
        values[i] = c->controls->value_rests[i];
    }
    for (int32_t i = 0; i < c->signals.count; ++i) {
        const FaceLink* link = &c->links[i];
        float value = gti_face_signal_value(&c->signals.list[i], from);
        for (int32_t w = 0; w < link->weight_count; ++w) {
            weights[link->weights[w]] = value;
        }
        if (link->control != GT_NONE) {
            values[link->control] = value;
        }
    }
    if (has_gaze) {
        float yaw_deg, pitch_deg, looks[4];
        gti_gaze_angles(from->pose[c->signals.gaze].rotation, &yaw_deg, &pitch_deg);
        gti_gaze_expressions(&c->gaze, yaw_deg, pitch_deg, looks);
        for (int i = 0; i < 4 && c->gaze.by_expressions; ++i) {
            if (c->gaze_control[i] != GT_NONE) {
                values[c->gaze_control[i]] = looks[i];
            }
        }
        for (int e = 0; e < 2 && !c->gaze.by_expressions; ++e) {
            c->eyes[e * c->signals.time_count + frame] =
                c->gaze.eyes[e] == GT_NONE ? gt_quat_identity() : gti_gaze_eye(&c->gaze, e, yaw_deg, pitch_deg);
        }
    }
    gt_track_set_apply(c->tracks, 0.0, (GtState){ .weights = weights, .values = values });
    for (int32_t w = 0; w < def->weight_count; ++w) {
        weights[w] = isfinite(weights[w]) ? weights[w] : def->rest_weights[w];
    }
}

static GtResult carry_frames(FaceCarrier* c, bool has_gaze, double speed)
{
    size_t count = (size_t)c->signals.time_count;
    c->frames = gt_arena_push_array(&c->arena, count * (size_t)c->target->def->weight_count + 1, sizeof *c->frames);
    c->eyes = gt_arena_push_array(&c->arena, 2 * count, sizeof *c->eyes);
    c->times_s = gt_arena_push_array(&c->arena, count, sizeof *c->times_s);
    float* values = gt_arena_push_array(&c->arena, (size_t)c->controls->value_count + 1, sizeof *values);
    if (!c->frames || !c->eyes || !c->times_s || !values) {
        return gti_out_of_memory(c->error);
    }
    int32_t kept = 0;
    for (int32_t f = 0; f < c->signals.time_count; ++f) {
        float time_s = (float)(((double)c->signals.times_s[f] - c->motion->start_s) / speed);
        if (kept > 0 && !(time_s > c->times_s[kept - 1])) {
            continue; // two keys that a high speed makes one
        }
        c->signals.times_s[kept] = c->signals.times_s[f];
        c->times_s[kept++] = time_s;
    }
    c->signals.time_count = kept;
    for (int32_t f = 0; f < kept; ++f) {
        carry_frame(c, f, has_gaze, values);
    }
    return GT_OK;
}

typedef struct FaceChannels {
    GtAnimationSampler* samplers;
    GtAnimationChannel* channels;
    GtAnimation clip;
    int32_t times; // accessor
} FaceChannels;

static GtResult add_channel(FaceCarrier* c, FaceChannels* out, int32_t node, GtAnimationPath path, const void* data,
                            uint64_t count)
{
    GtElementType type = path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4 : GT_ELEMENT_SCALAR;
    GtAnimationSampler sampler = { .input = out->times, .interpolation = GT_INTERPOLATION_LINEAR };
    GtResult result =
        gt_scene_add_data(c->scene, GT_USE_DATA, type, GT_COMPONENT_FLOAT, data, count, &sampler.output, c->error);
    if (result == GT_OK) {
        out->channels[out->clip.channel_count++] =
            (GtAnimationChannel){ .sampler = out->clip.sampler_count, .node = node, .path = path };
        out->samplers[out->clip.sampler_count++] = sampler;
    }
    return result;
}

// The weights of one mesh, where any frame moves them.
static GtResult add_weights(FaceCarrier* c, FaceChannels* out, const GtMeshDef* mesh)
{
    const GtCharacterDef* def = c->target->def;
    size_t count = (size_t)c->signals.time_count;
    size_t width = (size_t)mesh->morph_count;
    const float* rest = def->rest_weights + mesh->first_weight;
    float* packed = gt_arena_push_array(&c->arena, count * width, sizeof *packed);
    if (!packed) {
        return gti_out_of_memory(c->error);
    }
    bool moves = false;
    for (size_t f = 0; f < count; ++f) {
        const float* frame = c->frames + f * (size_t)def->weight_count + mesh->first_weight;
        memcpy(packed + f * width, frame, width * sizeof *packed);
        moves = moves || memcmp(frame, rest, width * sizeof *packed) != 0;
    }
    int32_t node = def->source_nodes ? def->source_nodes[mesh->node] : mesh->node;
    return moves ? add_channel(c, out, node, GT_PATH_WEIGHTS, packed, count * width) : GT_OK;
}

static GtResult add_all(FaceCarrier* c, FaceChannels* out, bool has_gaze)
{
    const GtCharacterDef* def = c->target->def;
    GtResult result = gt_scene_add_data(c->scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, c->times_s,
                                        (uint64_t)c->signals.time_count, &out->times, c->error);
    for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
        const GtMeshDef* mesh = &def->meshes[m];
        bool is_first = mesh->morph_count > 0; // of a node's primitives, which share their weights
        for (int32_t before = 0; before < m && is_first; ++before) {
            is_first = def->meshes[before].node != mesh->node;
        }
        result = is_first ? add_weights(c, out, mesh) : GT_OK;
    }
    for (int e = 0; e < 2 && result == GT_OK && has_gaze && !c->gaze.by_expressions; ++e) {
        int32_t eye = c->gaze.eyes[e];
        if (eye != GT_NONE) {
            int32_t node = def->source_nodes ? def->source_nodes[eye] : eye;
            result = add_channel(c, out, node, GT_PATH_ROTATION, c->eyes + e * c->signals.time_count,
                                 (uint64_t)c->signals.time_count);
        }
    }
    return result;
}

// The clip with more channels. Eyes that the retargeted motion moves itself give their channels up to the gaze.
static GtResult add_channels(FaceCarrier* c, int32_t animation, bool has_gaze)
{
    const GtAnimation* before = &c->scene->animations[animation];
    size_t more = (size_t)c->target->def->mesh_count + 2;
    FaceChannels out = { .clip = *before };
    out.samplers = gt_scene_push(c->scene, (size_t)before->sampler_count + more, sizeof *out.samplers);
    out.channels = gt_scene_push(c->scene, (size_t)before->channel_count + more, sizeof *out.channels);
    if (!out.samplers || !out.channels) {
        return gti_out_of_memory(c->error);
    }
    if (before->sampler_count) {
        memcpy(out.samplers, before->samplers, (size_t)before->sampler_count * sizeof *out.samplers);
    }
    out.clip.channel_count = 0;
    for (int32_t i = 0; i < before->channel_count; ++i) {
        int32_t node = before->channels[i].node;
        int32_t own = node == GT_NONE ? GT_NONE : gt_character_node_from_source(c->target->character, node);
        bool is_eye =
            own != GT_NONE && has_gaze && !c->gaze.by_expressions && (own == c->gaze.eyes[0] || own == c->gaze.eyes[1]);
        if (!is_eye || before->channels[i].path != GT_PATH_ROTATION) {
            out.channels[out.clip.channel_count++] = before->channels[i];
        }
    }
    out.clip.samplers = out.samplers;
    out.clip.channels = out.channels;
    GtResult result = add_all(c, &out, has_gaze);
    if (result == GT_OK) {
        c->scene->animations[animation] = out.clip;
    }
    return result;
}

GtResult gti_face_carry(const GtContext* context, const GtFigure* motion, const GtFigure* target, double speed,
                        GtScene* scene, int32_t animation, GtiFaceClipReport* report, GtError* error)
{
    FaceCarrier c = { .context = context, .motion = motion, .target = target, .scene = scene, .error = error };
    *report = (GtiFaceClipReport){ 0 };
    c.arena = gt_arena_create(context->allocator);
    GtResult result = gti_face_signals_find(motion, &c.arena, &c.signals, error);
    if (result == GT_OK && (c.signals.count > 0 || c.signals.gaze != GT_NONE)) {
        result = open_face(&c);
        if (result == GT_OK) {
            result = link_signals(&c, report);
        }
        if (result == GT_OK) {
            result = open_gaze(&c, report);
        }
        if (result == GT_OK && (report->carried_count > 0 || report->has_gaze)) {
            result = carry_frames(&c, report->has_gaze, speed);
            if (result == GT_OK) {
                result = add_channels(&c, animation, report->has_gaze);
            }
        }
    }
    gt_track_set_destroy(c.tracks);
    gt_shape_controls_destroy(c.controls);
    gt_face_destroy(c.face);
    gt_arena_destroy(&c.arena);
    return result;
}
