// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Channels animate single numbers of single operations, such as the angle of one rotation; glTF animates translation,
// rotation and scale. So the operations of a node are evaluated at all of its key times, and between them as often as
// the curve needs to stay within a tolerance when keys are joined by straight lines. Whole matrices are sampled by
// their exporters already, and are taken at their keys.

#include "import/collada/animation.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "gertie/accessor.h"
#include "gertie/number.h"
#include "import/collada/curve.h"
#include "io/name.h"

#include <math.h>
#include <string.h>

// Most that a value between two keys may be off: far below what can be seen on a person.
#define MOST_OFF_M   1e-4f
#define MOST_OFF_RAD 1e-3f

enum {
    MAX_PIECES = 32,   // of a segment between two keys of the file
    MAX_NODE_OPS = 64, // operations of a node that is animated
    MAX_PATH_WIDTH = 4
};

// A channel: numbers of a curve that drive numbers of an operation, or a morph weight.
typedef struct DaeBinding {
    const GtiDaeCurve* curve;
    int32_t element;   // <channel>
    int32_t node;      // in GtiDaeNodes, or GT_NONE
    int32_t op;        // of the node
    int32_t morph;     // <morph>, where there is no node
    int32_t component; // first number that it drives
    int32_t count;
    int32_t next; // of the same node or morph
} DaeBinding;

typedef struct DaeClips {
    GtiDae* d;
    GtiDaeNodes* nodes;
    const GtiDaeMorphNodes* morphs;
    DaeBinding* bindings;
    int32_t count, capacity;
    int32_t* node_bindings; // [nodes.count] first of each node, or GT_NONE
    int32_t* in_clip;       // [xml.count] number of the clip that an <animation> is in
    int32_t clip;           // the present one; 0 where all animations are one
    double start, end;
    GtAnimationSampler* samplers; // of the present clip
    GtAnimationChannel* channels;
    int32_t channel_count;
} DaeClips;

// Keys of one node in the making.
typedef struct DaeKeys {
    float* times;
    size_t count;
    bool steps; // all are STEP
} DaeKeys;

GtResult gti_dae_add_morph_node(GtiDaeMorphNodes* morphs, int32_t morph, int32_t scene_node, int32_t target_count,
                                const float* weights)
{
    if (morphs->count == morphs->capacity) {
        GtiDaeMorphNode* grown = gti_arena_grow(morphs->d->arena, morphs->nodes, &morphs->capacity, 16, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(morphs->d->error);
        }
        morphs->nodes = grown;
    }
    morphs->nodes[morphs->count++] = (GtiDaeMorphNode){ morph, scene_node, target_count, weights };
    return GT_OK;
}

// "(2)" or "(2)(3)" or ".X" after a sid: the number of an operation, GT_NONE for all of them, -2 for none that is
// known.
static int32_t component_of(const char* text, const char* end, GtiDaeOpKind kind)
{
    static const char* const names[] = { "X", "Y", "Z", "ANGLE" };
    if (text == end) {
        return GT_NONE;
    }
    size_t length = (size_t)(end - text - 1);
    for (int32_t i = 0; *text == '.' && i < 4; ++i) {
        if (strlen(names[i]) == length && !strncmp(text + 1, names[i], length)) {
            return i;
        }
    }
    int64_t index[2] = { 0, 0 };
    int count = 0;
    while (text < end && *text == '(' && count < 2) {
        text = gt_parse_int64(text + 1, end, &index[count++]);
        if (!text || text == end || *text != ')' || index[count - 1] < 0 || index[count - 1] > INT16_MAX) {
            return -2;
        }
        ++text;
    }
    int64_t flat = count == 2 ? index[0] + 4 * index[1] : index[0]; // column, then row
    return count && text == end && (kind == GTI_DAE_OP_COUNT || flat < gti_dae_op_size(kind)) ? (int32_t)flat : -2;
}

// The <morph> whose weights an element is, or is in.
static int32_t morph_of(const GtiDae* d, int32_t element)
{
    if (gti_xml_is(&d->xml, element, "controller")) {
        return gti_xml_child(&d->xml, element, "morph");
    }
    while (element != GT_NONE && !gti_xml_is(&d->xml, element, "morph")) {
        element = d->xml.nodes[element].parent;
    }
    return element;
}

static GtResult push_binding(DaeClips* c, const DaeBinding* binding)
{
    if (c->count == c->capacity) {
        DaeBinding* grown = gti_arena_grow(c->d->arena, c->bindings, &c->capacity, 64, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(c->d->error);
        }
        c->bindings = grown;
    }
    c->bindings[c->count] = *binding;
    if (binding->node != GT_NONE) {
        c->bindings[c->count].next = c->node_bindings[binding->node];
        c->node_bindings[binding->node] = c->count;
    }
    ++c->count;
    return GT_OK;
}

static bool bind_op(const GtiDaeNodes* n, const char* sid, const char* end, DaeBinding* b)
{
    const char* sid_end = sid;
    while (sid_end < end && *sid_end != '.' && *sid_end != '(') {
        ++sid_end;
    }
    const GtiDaeNode* node = &n->nodes[b->node];
    for (int32_t i = 0; i < node->op_count && i < MAX_NODE_OPS; ++i) {
        const GtiDaeOp* op = &n->ops[node->first_op + i];
        size_t length = (size_t)(sid_end - sid);
        if (op->sid && strlen(op->sid) == length && !strncmp(op->sid, sid, length)) {
            int32_t size = gti_dae_op_size(op->kind);
            b->op = i;
            b->component = component_of(sid_end, end, op->kind);
            b->count = b->component == GT_NONE ? size : 1;
            b->component = b->component == GT_NONE ? 0 : b->component;
            return b->component >= 0 && b->component + b->count <= size && (size_t)b->count <= b->curve->width;
        }
    }
    return false;
}

// Find what a channel's target means: "node/operation.member" or "weights(3)".
static GtResult bind_channel(DaeClips* c, int32_t channel, const GtiDaeCurve* curve)
{
    GtiDae* d = c->d;
    const char* target = gti_xml_attribute(&d->xml, channel, "target");
    DaeBinding b = { .curve = curve, .element = channel, .node = GT_NONE, .morph = GT_NONE, .next = GT_NONE };
    const char* end = target ? target + strlen(target) : NULL;
    const char* slash = target ? strchr(target, '/') : NULL;
    const char* open = target ? strchr(target, '(') : NULL;
    const char* id_end = slash ? slash : open ? open : end;
    int32_t element = target ? gti_dae_find_id(d, target, (size_t)(id_end - target)) : GT_NONE;
    bool bound = false;
    GtResult result = GT_OK;
    if (gti_xml_is(&d->xml, element, "node") && slash) {
        for (b.node = c->nodes->first_of[element]; b.node != GT_NONE && result == GT_OK;
             b.node = c->nodes->nodes[b.node].next_same) {
            if (bind_op(c->nodes, slash + 1, end, &b)) {
                bound = true;
                result = c->nodes->nodes[b.node].carries_skin_only ? GT_OK : push_binding(c, &b);
            }
        }
    } else if (morph_of(d, element) != GT_NONE) {
        b.morph = morph_of(d, element);
        b.component = open ? component_of(open, end, GTI_DAE_OP_COUNT) : 0;
        b.count = open ? 1 : (int32_t)(curve->width < INT16_MAX ? curve->width : INT16_MAX);
        bound = b.component >= 0;
        result = bound ? push_binding(c, &b) : GT_OK;
    }
    if (!bound) {
        gti_dae_note(d, GTI_DAE_CHANNELS, "animations of anything but nodes and morphs, such as '%.64s', are left out",
                     target ? target : "");
    }
    return result;
}

static GtResult bind_channels(DaeClips* c)
{
    GtiDae* d = c->d;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < d->xml.count && result == GT_OK; ++i) {
        int32_t sampler = GT_NONE;
        if (!gti_xml_is(&d->xml, i, "channel") || !gti_xml_is(&d->xml, d->xml.nodes[i].parent, "animation")) {
            continue;
        }
        result = gti_dae_follow(d, i, "source", "sampler", &sampler);
        if (result != GT_OK || sampler == GT_NONE) {
            continue;
        }
        GtiDaeCurve* curve = d->made[sampler];
        if (!curve) {
            curve = d->made[sampler] = gt_arena_push_array(d->arena, 1, sizeof *curve);
            result = curve ? gti_dae_read_curve(d, sampler, curve) : gti_out_of_memory(d->error);
        }
        if (result == GT_OK && curve->count) {
            result = bind_channel(c, i, curve);
        }
    }
    return result;
}

// Whether a channel is in the present clip.
static bool is_in_clip(const DaeClips* c, const DaeBinding* b)
{
    if (c->clip == 0) {
        return true;
    }
    for (int32_t e = c->d->xml.nodes[b->element].parent; e != GT_NONE; e = c->d->xml.nodes[e].parent) {
        if (c->in_clip[e] == c->clip) {
            return true;
        }
    }
    return false;
}

// All key times of some curves within the clip, with its start and end.
static GtResult collect_times(DaeClips* c, const GtiDaeCurve* const* curves, int32_t curve_count, DaeKeys* keys)
{
    size_t most = 2; // far below 2^31: gti_dae_spend() bounds it by the file's size
    keys->steps = true;
    for (int32_t i = 0; i < curve_count; ++i) {
        most += curves[i]->count * (curves[i]->steps ? 2 : 1);
        keys->steps = keys->steps && curves[i]->all_steps;
    }
    GtResult result = gti_dae_spend(c->d, GT_NONE, most);
    keys->times = result == GT_OK ? gt_arena_push(c->d->arena, most * sizeof(float)) : NULL;
    if (!keys->times) {
        return result == GT_OK ? gti_out_of_memory(c->d->error) : result;
    }
    size_t used = 0;
    for (int32_t i = 0; i < curve_count; ++i) {
        for (size_t k = 0; k < curves[i]->count; ++k) {
            float time = curves[i]->times[k];
            if ((double)time < c->start || (double)time > c->end) {
                continue;
            }
            keys->times[used++] = time;
            if (!keys->steps && k > 0 && curves[i]->kinds[k - 1] == GTI_DAE_KEY_STEP) {
                keys->times[used++] = nextafterf(time, -INFINITY);
            }
        }
    }
    if (c->clip) {
        keys->times[used++] = (float)c->start;
        keys->times[used++] = (float)c->end;
    }
    if (used == 0) {
        keys->times[used++] = (float)c->start;
    }
    gti_sort_floats(keys->times, (int32_t)used);
    keys->count = 1;
    for (size_t i = 1; i < used; ++i) {
        if (keys->times[i] > keys->times[keys->count - 1]) {
            keys->times[keys->count++] = keys->times[i];
        }
    }
    return GT_OK;
}

// A node with its bindings in the present clip.
typedef struct DaeTrack {
    DaeClips* c;
    int32_t node;
    int32_t first; // binding
    GtiDaeOp ops[MAX_NODE_OPS];
} DaeTrack;

static GtResult evaluate(DaeTrack* t, double time, GtTransform* out)
{
    DaeClips* c = t->c;
    for (int32_t i = t->first; i != GT_NONE; i = c->bindings[i].next) {
        const DaeBinding* b = &c->bindings[i];
        if (!is_in_clip(c, b)) {
            continue;
        }
        gti_dae_curve_values(b->curve, (size_t)b->count, time, t->ops[b->op].v + b->component);
    }
    return gti_dae_local(c->nodes, t->node, t->ops, out);
}

static float quat_angle(GtQuat a, GtQuat b)
{
    float dot = fabsf(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
    return 2.0f * acosf(fminf(dot, 1.0f));
}

static bool is_near(const GtTransform* a, const GtTransform* b)
{
    return gt_vec3_length(gt_vec3_sub(a->translation, b->translation)) <= MOST_OFF_M &&
           gt_vec3_length(gt_vec3_sub(a->scale, b->scale)) <= MOST_OFF_M &&
           quat_angle(a->rotation, b->rotation) <= MOST_OFF_RAD;
}

// Pieces of a segment that straight lines between follow within the tolerance.
static GtResult count_pieces(DaeTrack* t, float from, float to, int32_t least, int32_t* out)
{
    GtResult result = GT_OK;
    for (*out = least; *out < MAX_PIECES && result == GT_OK; *out *= 2) {
        bool good = true;
        GtTransform before = gt_transform_identity();
        result = evaluate(t, (double)from, &before);
        for (int32_t i = 0; i < *out && good && result == GT_OK; ++i) {
            double step = ((double)to - (double)from) / *out;
            GtTransform after = before;
            result = evaluate(t, i + 1 == *out ? (double)to : (double)from + step * (i + 1), &after);
            for (int k = 1; k < 4 && good && result == GT_OK; ++k) { // the middle alone is straight where speed eases
                GtTransform there = before;
                result = evaluate(t, (double)from + step * (i + 0.25 * k), &there);
                GtTransform guess = gt_transform_lerp(before, after, 0.25f * (float)k);
                good = is_near(&guess, &there);
            }
            before = after;
        }
        if (good) {
            break;
        }
    }
    return result;
}

// The largest change of an angle between two times, in pieces of a third of a turn.
static int32_t least_pieces(const DaeTrack* t, float from, float to)
{
    double most = 0.0;
    for (int32_t i = t->first; i != GT_NONE; i = t->c->bindings[i].next) {
        const DaeBinding* b = &t->c->bindings[i];
        const GtiDaeNode* node = &t->c->nodes->nodes[t->node];
        bool angle = t->c->nodes->ops[node->first_op + b->op].kind == GTI_DAE_ROTATE && b->component + b->count == 4;
        if (angle && is_in_clip(t->c, b)) {
            size_t last = (size_t)b->count - 1;
            most = fmax(most, fabs(gti_dae_curve_at(b->curve, last, (double)to) -
                                   gti_dae_curve_at(b->curve, last, (double)from)));
        }
    }
    int32_t pieces = 1;
    while (pieces < MAX_PIECES && most / pieces > 120.0) {
        pieces *= 2;
    }
    return pieces;
}

// Key times with those between that the curve needs.
static GtResult refine_times(DaeTrack* t, const DaeKeys* keys, DaeKeys* out)
{
    GtiDae* d = t->c->d;
    int32_t* pieces = gt_arena_push_array(d->arena, keys->count, sizeof *pieces);
    GtResult result = pieces ? GT_OK : gti_out_of_memory(d->error);
    size_t total = 1;
    for (size_t i = 0; i + 1 < keys->count && result == GT_OK; ++i) {
        bool jump = nextafterf(keys->times[i], INFINITY) >= keys->times[i + 1];
        int32_t least = jump ? 1 : least_pieces(t, keys->times[i], keys->times[i + 1]);
        pieces[i] = 1;
        result = jump ? GT_OK : count_pieces(t, keys->times[i], keys->times[i + 1], least, &pieces[i]);
        total += (size_t)pieces[i];
        if (result == GT_OK) {
            result = gti_dae_spend(d, GT_NONE, (size_t)pieces[i]);
        }
    }
    out->steps = false;
    out->times = result == GT_OK ? gt_arena_push(d->arena, total * sizeof(float)) : NULL;
    if (!out->times) {
        return result == GT_OK ? gti_out_of_memory(d->error) : result;
    }
    out->count = 0;
    for (size_t i = 0; i < keys->count; ++i) {
        out->times[out->count++] = keys->times[i];
        for (int32_t k = 1; i + 1 < keys->count && k < pieces[i]; ++k) {
            double share = (double)k / pieces[i];
            float time = (float)((1.0 - share) * (double)keys->times[i] + share * (double)keys->times[i + 1]);
            if (time > out->times[out->count - 1] && time < keys->times[i + 1]) {
                out->times[out->count++] = time;
            }
        }
    }
    return GT_OK;
}

static GtResult add_times(DaeClips* c, const DaeKeys* keys, int32_t* accessor)
{
    for (size_t i = 0; i < keys->count; ++i) {
        keys->times[i] = (float)((double)keys->times[i] - (c->clip || c->start < 0.0 ? c->start : 0.0));
    }
    size_t kept = 1; // what became equal by rounding
    for (size_t i = 1; i < keys->count; ++i) {
        keys->times[i] =
            keys->times[i] > keys->times[kept - 1] ? keys->times[i] : nextafterf(keys->times[kept - 1], INFINITY);
        kept = i + 1;
    }
    return gt_scene_add_data(c->d->scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, keys->times, keys->count,
                             accessor, c->d->error);
}

static GtResult add_channel(DaeClips* c, int32_t times, bool steps, GtAnimationPath path, int32_t scene_node,
                            const float* values, size_t count)
{
    static const GtElementType elements[] = { GT_ELEMENT_VEC3, GT_ELEMENT_VEC4, GT_ELEMENT_VEC3, GT_ELEMENT_SCALAR };
    int32_t index = c->channel_count++;
    c->channels[index] = (GtAnimationChannel){ .sampler = index, .node = scene_node, .path = path };
    c->samplers[index] =
        (GtAnimationSampler){ .input = times,
                              .interpolation = steps ? GT_INTERPOLATION_STEP : GT_INTERPOLATION_LINEAR };
    return gt_scene_add_data(c->d->scene, GT_USE_DATA, elements[path], GT_COMPONENT_FLOAT, values, count,
                             &c->samplers[index].output, c->d->error);
}

// Curves of a node at its key times, without those that stay at rest.
static GtResult add_transforms(DaeTrack* t, const DaeKeys* keys)
{
    GtiDae* d = t->c->d;
    int32_t scene_node = t->c->nodes->nodes[t->node].scene_node;
    GtTransform rest = d->scene->nodes[scene_node].local;
    float* values[3];
    bool moves[3] = { false, false, false };
    for (int path = 0; path < 3; ++path) {
        values[path] = gt_arena_push_array(d->arena, keys->count, MAX_PATH_WIDTH * sizeof(float));
        if (!values[path]) {
            return gti_out_of_memory(d->error);
        }
    }
    GtQuat before = rest.rotation;
    GtResult result = GT_OK;
    for (size_t i = 0; i < keys->count && result == GT_OK; ++i) {
        GtTransform now = rest;
        result = evaluate(t, (double)keys->times[i], &now);
        float dot = before.x * now.rotation.x + before.y * now.rotation.y + before.z * now.rotation.z +
                    before.w * now.rotation.w;
        float sign = dot < 0.0f ? -1.0f : 1.0f; // neighbours on the same side
        before = gt_quat(sign * now.rotation.x, sign * now.rotation.y, sign * now.rotation.z, sign * now.rotation.w);
        memcpy(values[0] + 3 * i, &now.translation, 3 * sizeof(float));
        memcpy(values[1] + 4 * i, &before, 4 * sizeof(float));
        memcpy(values[2] + 3 * i, &now.scale, 3 * sizeof(float));
        moves[0] = moves[0] || gt_vec3_length(gt_vec3_sub(now.translation, rest.translation)) > 1e-6f;
        moves[1] = moves[1] || quat_angle(before, rest.rotation) > 1e-5f;
        moves[2] = moves[2] || gt_vec3_length(gt_vec3_sub(now.scale, rest.scale)) > 1e-5f;
    }
    moves[1] = moves[1] || !(moves[0] || moves[2]);
    int32_t times = GT_NONE;
    if (result == GT_OK) {
        result = add_times(t->c, keys, &times);
    }
    for (int path = 0; path < 3 && result == GT_OK; ++path) {
        if (moves[path]) {
            result =
                add_channel(t->c, times, keys->steps, (GtAnimationPath)path, scene_node, values[path], keys->count);
        }
    }
    return result;
}

static GtResult add_node_track(DaeClips* c, int32_t node)
{
    GtiDae* d = c->d;
    const GtiDaeNode* from = &c->nodes->nodes[node];
    DaeTrack* t = gt_arena_push(d->arena, sizeof *t);
    const GtiDaeCurve** curves = gt_arena_push_array(d->arena, (size_t)c->count, sizeof *curves);
    if (!t || !curves) {
        return gti_out_of_memory(d->error);
    }
    *t = (DaeTrack){ .c = c, .node = node, .first = c->node_bindings[node] };
    int32_t curve_count = 0;
    bool whole = true; // matrices alone
    for (int32_t i = t->first; i != GT_NONE; i = c->bindings[i].next) {
        if (is_in_clip(c, &c->bindings[i])) {
            curves[curve_count++] = c->bindings[i].curve;
            whole = whole && c->bindings[i].count == 16 && !c->bindings[i].curve->smooth;
        }
    }
    if (!curve_count || from->op_count > MAX_NODE_OPS) {
        return GT_OK;
    }
    memcpy(t->ops, c->nodes->ops + from->first_op, (size_t)from->op_count * sizeof *t->ops);
    DaeKeys keys = { 0 };
    GtResult result = collect_times(c, curves, curve_count, &keys);
    if (result == GT_OK && !whole && !keys.steps) {
        DaeKeys coarse = keys;
        result = refine_times(t, &coarse, &keys);
    }
    return result == GT_OK ? add_transforms(t, &keys) : result;
}

static GtResult add_morph_track(DaeClips* c, const GtiDaeMorphNode* node)
{
    GtiDae* d = c->d;
    size_t width = (size_t)node->target_count;
    const GtiDaeCurve** curves = gt_arena_push_array(d->arena, (size_t)c->count, sizeof *curves);
    int32_t curve_count = 0;
    if (!curves) {
        return gti_out_of_memory(d->error);
    }
    bool smooth = false;
    for (int32_t i = 0; i < c->count; ++i) {
        if (c->bindings[i].morph == node->morph && is_in_clip(c, &c->bindings[i])) {
            smooth = smooth || c->bindings[i].curve->smooth;
            curves[curve_count++] = c->bindings[i].curve;
        }
    }
    DaeKeys keys = { 0 };
    GtResult result = curve_count ? collect_times(c, curves, curve_count, &keys) : GT_OK;
    if (result != GT_OK || !curve_count) {
        return result;
    }
    size_t pieces = smooth ? 8 : 1; // of cubic segments
    result = gti_dae_spend(d, GT_NONE, keys.count * pieces * width);
    size_t total = (keys.count - 1) * pieces + 1;
    DaeKeys fine = { .count = total, .steps = keys.steps };
    fine.times = result == GT_OK ? gt_arena_push_array(d->arena, total, sizeof(float)) : NULL;
    float* values = fine.times ? gt_arena_push_array(d->arena, total * width, sizeof *values) : NULL;
    if (!values) {
        return result == GT_OK ? gti_out_of_memory(d->error) : result;
    }
    for (size_t i = 0; i < total; ++i) {
        size_t key = i / pieces;
        double share = (double)(i % pieces) / (double)pieces;
        double next = key + 1 < keys.count ? (double)keys.times[key + 1] : 0.0;
        fine.times[i] =
            (float)((double)keys.times[key] + (share > 0.0 ? share * (next - (double)keys.times[key]) : 0.0));
        memcpy(values + i * width, node->weights, width * sizeof *values);
    }
    for (int32_t b = 0; b < c->count; ++b) {
        const DaeBinding* binding = &c->bindings[b];
        for (int32_t k = 0; binding->morph == node->morph && is_in_clip(c, binding) && k < binding->count; ++k) {
            for (size_t i = 0; i < total && binding->component + k < node->target_count; ++i) {
                values[i * width + (size_t)(binding->component + k)] =
                    (float)gti_dae_curve_at(binding->curve, (size_t)k, (double)fine.times[i]);
            }
        }
    }
    int32_t times = GT_NONE;
    result = add_times(c, &fine, &times);
    return result == GT_OK ? add_channel(c, times, fine.steps, GT_PATH_WEIGHTS, node->scene_node, values, total * width)
                           : result;
}

// The clip that is set up in `c`.
static GtResult add_clip(DaeClips* c, const char* name)
{
    GtiDae* d = c->d;
    size_t most = 3 * (size_t)c->nodes->count + (size_t)c->morphs->count;
    GtResult result = GT_OK;
    c->samplers = gt_scene_push(d->scene, most, sizeof *c->samplers);
    c->channels = gt_scene_push(d->scene, most, sizeof *c->channels);
    c->channel_count = 0;
    if (!name || !c->samplers || !c->channels) {
        return gti_out_of_memory(d->error);
    }
    for (int32_t i = 0; i < c->nodes->count && result == GT_OK; ++i) {
        GtArenaMark mark = gt_arena_mark(d->arena);
        if (c->node_bindings[i] != GT_NONE) {
            result = add_node_track(c, i);
        }
        gt_arena_reset(d->arena, mark);
    }
    for (int32_t i = 0; i < c->morphs->count && result == GT_OK; ++i) {
        GtArenaMark mark = gt_arena_mark(d->arena);
        result = add_morph_track(c, &c->morphs->nodes[i]);
        gt_arena_reset(d->arena, mark);
    }
    GtAnimation animation = { .name = name,
                              .samplers = c->samplers,
                              .sampler_count = c->channel_count,
                              .channels = c->channels,
                              .channel_count = c->channel_count };
    return result == GT_OK && c->channel_count ? gt_scene_add_animation(d->scene, &animation, NULL, d->error) : result;
}

static double time_attribute(const GtiDae* d, int32_t node, const char* name, double fallback)
{
    const char* text = gti_xml_attribute(&d->xml, node, name);
    double value = 0.0;
    return text && gt_parse_double(text, text + strlen(text), &value) && fabs(value) < 1e6 ? value : fallback;
}

static GtResult add_named_clips(DaeClips* c, double first, double last, bool* any)
{
    GtiDae* d = c->d;
    int32_t library = gti_xml_child(&d->xml, 0, "library_animation_clips");
    GtResult result = GT_OK;
    for (int32_t clip = gti_xml_child(&d->xml, library, "animation_clip"); clip != GT_NONE && result == GT_OK;
         clip = gti_xml_next_same(&d->xml, clip)) {
        int32_t used = gti_xml_child(&d->xml, clip, "instance_animation");
        ++c->clip;
        for (; used != GT_NONE && result == GT_OK; used = gti_xml_next_same(&d->xml, used)) {
            int32_t animation = GT_NONE;
            result = gti_dae_follow(d, used, "url", "animation", &animation);
            if (animation != GT_NONE) {
                c->in_clip[animation] = c->clip;
                *any = true;
            }
        }
        c->start = time_attribute(d, clip, "start", first);
        c->end = time_attribute(d, clip, "end", last);
        c->end = c->end >= c->start ? c->end : c->start;
        if (result == GT_OK) {
            result = gti_dae_spend(d, clip, (size_t)c->nodes->count);
        }
        if (result == GT_OK) {
            result = add_clip(c, gti_dae_push_label(d, clip, "clip"));
        }
    }
    return result;
}

GtResult gti_dae_add_animations(GtiDaeNodes* nodes, const GtiDaeMorphNodes* morphs)
{
    GtiDae* d = nodes->d;
    DaeClips c = { .d = d, .nodes = nodes, .morphs = morphs };
    c.node_bindings = gt_arena_push_array(d->arena, (size_t)nodes->count, sizeof *c.node_bindings);
    c.in_clip = gt_arena_push_array(d->arena, (size_t)d->xml.count, sizeof *c.in_clip);
    if (!c.node_bindings || !c.in_clip) {
        return gti_out_of_memory(d->error);
    }
    for (int32_t i = 0; i < nodes->count; ++i) {
        c.node_bindings[i] = GT_NONE;
    }
    GtResult result = nodes->count ? bind_channels(&c) : GT_OK;
    double first = INFINITY;
    double last = -INFINITY;
    for (int32_t i = 0; i < c.count; ++i) {
        first = fmin(first, (double)c.bindings[i].curve->times[0]);
        last = fmax(last, (double)c.bindings[i].curve->times[c.bindings[i].curve->count - 1]);
    }
    if (result != GT_OK || !c.count) {
        return result;
    }
    bool any = false;
    result = add_named_clips(&c, first, last, &any);
    if (result != GT_OK || any) {
        return result;
    }
    c.clip = 0;
    c.start = first;
    c.end = last;
    if (first < 0.0) {
        gti_dae_note(d, GTI_DAE_NEGATIVE, "the motion starts at %.3g s: it is moved to start at 0", first);
    }
    return add_clip(&c, gti_push_stem(d->scene, d->path, "motion"));
}
