// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// AnimationStacks as clips. A stack has layers, a layer has curve nodes, and these are connected to the properties that
// they animate. A clip begins at 0, wherever its stack begins on the file's clock.

#include "io/fbx/animation.h"

#include "base/fail.h"
#include "gertie/scene.h"

#include <math.h>

enum {
    MAX_OUTER_SCALES = 256 // moving scales above a model that hangs beside them
};

// One stack on its way to a clip.
typedef struct StackReader {
    GtiFbxReader* reader;
    GtiFbxBudget budget;
    double ticks_per_s;
    GtiFbxAnimLayer* layers;
    int32_t layer_count;
    GtiFbxBinding* bindings;
    int32_t binding_count;
    int32_t* first_binding; // [object_count] of models and channels, or GT_NONE
    int32_t* last_binding;  // [object_count]
    GtiVec* scales;         // [model_count] at rest; those that move change while a model below is sampled
    GtiFbxClip clip;
} StackReader;

// The blend shapes of a model while they are sampled.
typedef struct ShapeMotion {
    const GtiFbxGeometry* geometry;
    GtiFbxTrack* tracks; // [channel_count]
} ShapeMotion;

static bool is_of_type(const GtiFbxGraph* graph, int32_t object, const char* type)
{
    return gti_slice_is(graph->objects[object].type, type);
}

// What a connection from a curve node animates; false for what is not taken over.
static bool path_of(const StackReader* s, const GtiFbxConnection* to, int32_t layer_object, GtiFbxPath* out)
{
    const GtiFbxGraph* graph = &s->reader->graph;
    const GtiFbxObject* object = &graph->objects[to->destination];
    if (s->reader->model_of_object[to->destination] != GT_NONE) {
        *out = gti_slice_is(to->property, "Lcl Translation") ? GTI_FBX_TRANSLATION
               : gti_slice_is(to->property, "Lcl Rotation")  ? GTI_FBX_ROTATION
                                                             : GTI_FBX_SCALE;
        return *out != GTI_FBX_SCALE || gti_slice_is(to->property, "Lcl Scaling");
    }
    if (to->destination == layer_object) {
        *out = GTI_FBX_WEIGHT;
        return gti_slice_is(to->property, "Weight");
    }
    *out = GTI_FBX_PERCENT; // of a channel, or of a shape inside of a Geometry, where the property is its name
    return gti_slice_is(object->type, "Geometry") ||
           (gti_slice_is(object->type, "Deformer") && gti_slice_is(to->property, "DeformPercent"));
}

static void bind(StackReader* s, GtiFbxBinding binding)
{
    int32_t index = s->binding_count++;
    s->bindings[index] = binding;
    if (s->first_binding[binding.object] == GT_NONE) {
        s->first_binding[binding.object] = index;
    } else {
        s->bindings[s->last_binding[binding.object]].next = index;
    }
    s->last_binding[binding.object] = index;
}

// Visit what the curve nodes of a layer animate: count it, or bind it.
static int64_t walk_layer(StackReader* s, int32_t layer, bool binds)
{
    const GtiFbxGraph* graph = &s->reader->graph;
    const GtiFbxObject* object = &graph->objects[s->layers[layer].object];
    int64_t count = 0;
    for (int32_t i = 0; i < object->child_count; ++i) {
        int32_t node = graph->connections[object->first_child + i].source;
        if (!is_of_type(graph, node, "AnimationCurveNode")) {
            continue;
        }
        for (int32_t k = 0; k < graph->objects[node].parent_count; ++k) {
            const GtiFbxConnection* to = &graph->connections[graph->by_source[graph->objects[node].first_parent + k]];
            GtiFbxPath path = GTI_FBX_WEIGHT;
            if (!path_of(s, to, s->layers[layer].object, &path)) {
                continue;
            }
            ++count;
            if (binds) {
                bind(s, (GtiFbxBinding){ node, to->destination, layer, path, to->property, GT_NONE });
            }
        }
    }
    return count;
}

static GtResult bind_layers(StackReader* s)
{
    int64_t count = 0;
    for (int32_t i = 0; i < s->layer_count; ++i) {
        count += walk_layer(s, i, false);
    }
    if (count > s->budget.bindings) {
        s->budget.is_exhausted = true;
        return GT_OK;
    }
    s->budget.bindings -= count;
    s->bindings = gt_arena_push_array(&s->reader->arena, (size_t)count, sizeof *s->bindings);
    if (!s->bindings) {
        return gti_out_of_memory(s->reader->error);
    }
    for (int32_t i = 0; i < s->layer_count; ++i) {
        walk_layer(s, i, true);
    }
    return GT_OK;
}

// Curves of the layers' weights.
static GtResult open_weights(StackReader* s)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < s->binding_count && result == GT_OK; ++i) {
        const GtiFbxBinding* binding = &s->bindings[i];
        GtiFbxAnimLayer* layer = &s->layers[binding->layer];
        if (binding->path == GTI_FBX_WEIGHT && !layer->weight_moves) {
            GtiFbxDriver driver = { 0 };
            GtiVec rest = { 100.0 * layer->weight, 0.0, 0.0 };
            result = gti_fbx_open_driver(s->reader, &s->budget, binding->curve_node, s->ticks_per_s, rest, &driver);
            layer->weight_curve = driver.curves[0];
            layer->weight_moves = true;
        }
    }
    return result;
}

// The layers of a stack in their order, or all of the file where it has no stack.
static GtResult find_layers(StackReader* s, int32_t stack)
{
    const GtiFbxGraph* graph = &s->reader->graph;
    int32_t most = stack == GT_NONE ? graph->object_count : graph->objects[stack].child_count;
    s->layer_count = 0;
    s->layers = gt_arena_push_array(&s->reader->arena, (size_t)most, sizeof *s->layers);
    if (!s->layers) {
        return gti_out_of_memory(s->reader->error);
    }
    for (int32_t i = 0; i < most; ++i) {
        int32_t object = stack == GT_NONE ? i : graph->connections[graph->objects[stack].first_child + i].source;
        if (is_of_type(graph, object, "AnimationLayer")) {
            s->layers[s->layer_count++] = gti_fbx_read_layer(s->reader, object);
        }
    }
    return GT_OK;
}

static bool drives(const GtiFbxBinding* binding, const GtiFbxTrack* track)
{
    return binding->path == track->path &&
           (track->path != GTI_FBX_PERCENT || gti_slice_equal(binding->property, track->property));
}

// Decode the curves of a property over all layers. Of several curve nodes in one layer the first counts.
static GtResult open_track(StackReader* s, int32_t object, GtiFbxTrack* out)
{
    size_t count = 0;
    for (int32_t i = s->first_binding[object]; i != GT_NONE; i = s->bindings[i].next) {
        count += drives(&s->bindings[i], out);
        if (--s->budget.visits < 0) {
            s->budget.is_exhausted = true;
            return GT_OK;
        }
    }
    out->drivers = gt_arena_push_array(&s->reader->arena, count, sizeof *out->drivers);
    if (!out->drivers) {
        return gti_out_of_memory(s->reader->error);
    }
    int32_t last_layer = GT_NONE;
    GtResult result = GT_OK;
    for (int32_t i = s->first_binding[object]; i != GT_NONE && result == GT_OK; i = s->bindings[i].next) {
        const GtiFbxBinding* binding = &s->bindings[i];
        if (!drives(binding, out) || binding->layer == last_layer) {
            continue;
        }
        GtiFbxDriver* driver = &out->drivers[out->driver_count++];
        driver->layer = &s->layers[binding->layer];
        driver->is_first_layer = binding->layer == 0;
        last_layer = binding->layer;
        result = gti_fbx_open_driver(s->reader, &s->budget, binding->curve_node, s->ticks_per_s, out->rest, driver);
    }
    return result;
}

static bool has_binding(const StackReader* s, int32_t object, GtiFbxPath path)
{
    for (int32_t i = s->first_binding[object]; i != GT_NONE; i = s->bindings[i].next) {
        if (s->bindings[i].path == path) {
            return true;
        }
    }
    return false;
}

// Moving scales that a model takes over though it hangs beside them; counts them where `outer` is NULL.
static int32_t find_outer_scales(const StackReader* s, const GtiFbxModel* model, int32_t* outer)
{
    int32_t count = 0;
    for (; model->is_beside_scale && count < MAX_OUTER_SCALES; model = &s->reader->models[model->parent]) {
        const GtiFbxModel* parent = &s->reader->models[model->parent];
        if (has_binding(s, parent->object, GTI_FBX_SCALE)) {
            if (outer) {
                outer[count] = model->parent;
            }
            ++count;
        }
    }
    return count;
}

static GtResult open_model(StackReader* s, GtiFbxMotion* motion, GtiFbxTrack*** tracks)
{
    const GtiFbxModel* model = motion->model;
    GtArena* arena = &s->reader->arena;
    const GtiVec rests[3] = { model->pivots.translation, model->pivots.rotation_deg, model->pivots.scale };
    size_t outer_count = (size_t)find_outer_scales(s, model, NULL);
    motion->outer = gt_arena_push_array(arena, outer_count, sizeof *motion->outer);
    motion->outer_models = gt_arena_push_array(arena, outer_count, sizeof *motion->outer_models);
    *tracks = gt_arena_push_array(arena, outer_count + 3, sizeof **tracks);
    if (!motion->outer || !motion->outer_models || !*tracks) {
        return gti_out_of_memory(s->reader->error);
    }
    motion->outer_count = find_outer_scales(s, model, motion->outer_models);
    GtResult result = GT_OK;
    for (int32_t i = 0; i < 3 && result == GT_OK; ++i) {
        (*tracks)[i] = &motion->tracks[i];
        motion->tracks[i] = (GtiFbxTrack){ .path = (GtiFbxPath)i, .order = model->pivots.order, .rest = rests[i] };
        result = open_track(s, model->object, &motion->tracks[i]);
    }
    for (int32_t i = 0; i < motion->outer_count && result == GT_OK; ++i) {
        const GtiFbxModel* above = &s->reader->models[motion->outer_models[i]];
        (*tracks)[i + 3] = &motion->outer[i];
        motion->outer[i] = (GtiFbxTrack){ .path = GTI_FBX_SCALE, .rest = above->pivots.scale };
        result = open_track(s, above->object, &motion->outer[i]);
    }
    gti_fbx_motion_prepare(motion);
    return result;
}

static GtResult add_model(StackReader* s, const GtiFbxModel* model)
{
    GtiFbxMotion motion = { .reader = s->reader, .model = model, .scales = s->scales };
    GtiFbxSource source = { .width = GTI_FBX_TRANSFORM_WIDTH,
                            .is_transform = true,
                            .evaluate = gti_fbx_motion_evaluate,
                            .is_straight = gti_fbx_motion_is_straight,
                            .user = &motion };
    GtiFbxSamples samples = { 0 };
    GtResult result = open_model(s, &motion, &source.tracks);
    source.track_count = 3 + motion.outer_count;
    if (result == GT_OK) {
        result = gti_fbx_sample(s->reader, &s->budget, &source, s->clip.begin, s->clip.end, s->ticks_per_s, &samples);
    }
    for (int32_t i = 0; i < motion.outer_count; ++i) {
        int32_t above = motion.outer_models[i];
        s->scales[above] = s->reader->models[above].pivots.scale;
    }
    if (result == GT_OK) {
        result = gti_fbx_clip_add_transform(&s->clip, model, &samples);
    }
    gti_fbx_samples_release(&samples);
    return result;
}

static void evaluate_shapes(void* user, const double* times, int32_t count, float* rows)
{
    const ShapeMotion* motion = user;
    int32_t width = motion->geometry->target_count;
    for (int32_t t = 0; t < count; ++t) {
        float* row = rows + (size_t)t * (size_t)width;
        for (int32_t i = 0; i < motion->geometry->channel_count; ++i) {
            const GtiFbxShapeChannel* channel = &motion->geometry->channels[i];
            double percent = gti_fbx_track_value(&motion->tracks[i], times[t]).x;
            gti_fbx_channel_weights(channel, percent, row + channel->first_target);
        }
        for (int32_t i = 0; i < width; ++i) { // a huge curve may leave the range of floats
            row[i] = isfinite(row[i]) ? row[i] : 0.0f;
        }
    }
}

static GtResult add_shapes(StackReader* s, const GtiFbxModel* model, const GtiFbxGeometry* geometry)
{
    GtArena* arena = &s->reader->arena;
    size_t count = (size_t)geometry->channel_count;
    ShapeMotion motion = { geometry, gt_arena_push_array(arena, count, sizeof *motion.tracks) };
    GtiFbxSource source = { .tracks = gt_arena_push_array(arena, count, sizeof *source.tracks),
                            .track_count = geometry->channel_count,
                            .width = geometry->target_count,
                            .evaluate = evaluate_shapes,
                            .user = &motion };
    GtiFbxSamples samples = { 0 };
    if (!motion.tracks || !source.tracks) {
        return gti_out_of_memory(s->reader->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < geometry->channel_count && result == GT_OK; ++i) {
        const GtiFbxShapeChannel* channel = &geometry->channels[i];
        double percent = gti_fbx_channel_percent(s->reader, channel);
        source.tracks[i] = &motion.tracks[i];
        motion.tracks[i] =
            (GtiFbxTrack){ .path = GTI_FBX_PERCENT, .property = channel->property, .rest = { percent, 0.0, 0.0 } };
        result = open_track(s, channel->object, &motion.tracks[i]);
    }
    if (result == GT_OK) {
        result = gti_fbx_sample(s->reader, &s->budget, &source, s->clip.begin, s->clip.end, s->ticks_per_s, &samples);
    }
    if (result == GT_OK) {
        result = gti_fbx_clip_add_weights(&s->clip, model, &samples);
    }
    gti_fbx_samples_release(&samples);
    return result;
}

static bool shapes_move(StackReader* s, const GtiFbxGeometry* geometry)
{
    s->budget.looks -= geometry->channel_count;
    for (int32_t i = 0; i < geometry->channel_count; ++i) {
        if (s->first_binding[geometry->channels[i].object] != GT_NONE) {
            return geometry->target_count > 0;
        }
    }
    return false;
}

// Widen [begin, end] to the keys of a curve.
static GtResult widen_to_keys(StackReader* s, int32_t object, int64_t* begin, int64_t* end)
{
    GtiFbxCurve curve;
    GtArenaMark mark = gt_arena_mark(&s->reader->arena);
    GtResult result = gti_fbx_open_curve(s->reader, &s->budget, object, s->ticks_per_s, &curve);
    if (result == GT_OK && curve.key_count) {
        int64_t first = (int64_t)curve.keys[0].time;
        int64_t last = (int64_t)curve.keys[curve.key_count - 1].time;
        *begin = first < *begin ? first : *begin;
        *end = last > *end ? last : *end;
    }
    gt_arena_reset(&s->reader->arena, mark);
    return result;
}

static bool read_span(const GtiFbxGraph* graph, int32_t stack, const char* start, const char* stop, int64_t* begin,
                      int64_t* end)
{
    if (stack == GT_NONE || !gti_fbx_property(graph, stack, start) || !gti_fbx_property(graph, stack, stop)) {
        return false;
    }
    *begin = gti_fbx_property_integer(graph, stack, start, 0);
    *end = gti_fbx_property_integer(graph, stack, stop, 0);
    return *begin < *end && *begin >= -GTI_FBX_MAX_TICK && *end <= GTI_FBX_MAX_TICK;
}

// When a stack plays: as it says, else from its first key to its last.
static GtResult find_span(StackReader* s, int32_t stack, int64_t* begin, int64_t* end)
{
    const GtiFbxGraph* graph = &s->reader->graph;
    if (read_span(graph, stack, "LocalStart", "LocalStop", begin, end) ||
        read_span(graph, stack, "ReferenceStart", "ReferenceStop", begin, end)) {
        return GT_OK;
    }
    *begin = INT64_MAX;
    *end = INT64_MIN;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < s->binding_count && result == GT_OK; ++i) {
        const GtiFbxObject* node = &graph->objects[s->bindings[i].curve_node];
        for (int32_t k = 0; k < node->child_count && result == GT_OK; ++k) {
            int32_t curve = graph->connections[node->first_child + k].source;
            if (is_of_type(graph, curve, "AnimationCurve")) {
                result = widen_to_keys(s, curve, begin, end);
            }
        }
    }
    *begin = *begin > *end ? 0 : *begin; // no key at all
    if (*end <= *begin) {                // a pose: one frame
        *end = *begin + (int64_t)fmax(1.0, s->ticks_per_s / graph->settings.frame_rate_hz);
    }
    return result;
}

static GtResult add_channels(StackReader* s, int32_t* still_node)
{
    GtiFbxReader* reader = s->reader;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < reader->model_count && result == GT_OK; ++i) {
        if (--s->budget.looks < 0) {
            s->budget.is_exhausted = true;
            break;
        }
        const GtiFbxModel* model = &reader->models[i];
        const GtiFbxGeometry* geometry = model->geometry != GT_NONE ? &reader->geometries[model->geometry] : NULL;
        GtArenaMark mark = gt_arena_mark(&reader->arena);
        bool has_node = model->node != GT_NONE; // else it only shows a skin, which its joints move
        if (has_node && (s->first_binding[model->object] != GT_NONE || find_outer_scales(s, model, NULL))) {
            *still_node = *still_node == GT_NONE ? model->node : *still_node;
            result = add_model(s, model);
        }
        gt_arena_reset(&reader->arena, mark);
        if (result == GT_OK && geometry && model->mesh_node != GT_NONE && shapes_move(s, geometry)) {
            *still_node = *still_node == GT_NONE ? model->mesh_node : *still_node;
            result = add_shapes(s, model, geometry);
        }
        gt_arena_reset(&reader->arena, mark);
        if (result == GT_OK && i % 64 == 63) {
            result =
                gti_progress(reader->context, reader->error, "reading clips", (double)i / (double)reader->model_count);
        }
    }
    return result;
}

static GtResult add_stack(StackReader* s, int32_t stack)
{
    GtiFbxReader* reader = s->reader;
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    int64_t begin = 0;
    int64_t end = 0;
    int32_t still_node = GT_NONE;
    s->binding_count = 0;
    GtResult result = find_layers(s, stack);
    if (result == GT_OK) {
        result = bind_layers(s);
    }
    if (result == GT_OK && s->binding_count) {
        result = open_weights(s);
        if (result == GT_OK) {
            result = find_span(s, stack, &begin, &end);
        }
        gti_fbx_clip_start(&s->clip, begin, end);
        if (result == GT_OK) {
            result = add_channels(s, &still_node);
        }
    }
    if (result == GT_OK && still_node != GT_NONE) {
        const char* name = stack == GT_NONE ? "motion" : gti_fbx_push_name(reader, stack, "");
        result = name ? gti_fbx_clip_finish(&s->clip, name, still_node) : gti_out_of_memory(reader->error);
    }
    for (int32_t i = 0; i < s->binding_count; ++i) {
        s->first_binding[s->bindings[i].object] = GT_NONE;
    }
    gt_arena_reset(&reader->arena, mark);
    return result;
}

// Files may opt in to another clock.
static double find_ticks_per_s(const GtiFbxTree* tree)
{
    const GtiFbxNode* header = gti_fbx_find(tree->nodes, "FBXHeaderExtension");
    const GtiFbxNode* version = gti_fbx_find(header, "FBXHeaderVersion");
    const GtiFbxNode* clock = gti_fbx_find(gti_fbx_find(header, "OtherFlags"), "TCDefinition");
    int64_t header_version = 0;
    int64_t definition = 127;
    bool is_new = tree->version >= 8000;
    if (version && clock && gti_fbx_integer(gti_fbx_value(tree, version, 0), &header_version) &&
        gti_fbx_integer(gti_fbx_value(tree, clock, 0), &definition) && header_version >= 1004) {
        is_new = definition != 127;
    }
    return is_new ? GTI_FBX_NEW_TICKS_PER_S : GTI_FBX_TICKS_PER_S;
}

// Memory and budget for all stacks.
static GtResult start(StackReader* s)
{
    GtiFbxReader* reader = s->reader;
    const GtiFbxGraph* graph = &reader->graph;
    size_t object_count = (size_t)graph->object_count;
    s->first_binding = gt_arena_push_array(&reader->arena, object_count, sizeof *s->first_binding);
    s->last_binding = gt_arena_push_array(&reader->arena, object_count, sizeof *s->last_binding);
    s->scales = gt_arena_push_array(&reader->arena, (size_t)reader->model_count, sizeof *s->scales);
    if (!s->first_binding || !s->last_binding || !s->scales) {
        return gti_out_of_memory(reader->error);
    }
    int64_t source_keys = 0;
    for (int32_t i = 0; i < graph->object_count; ++i) {
        s->first_binding[i] = GT_NONE;
        source_keys +=
            is_of_type(graph, i, "AnimationCurve") ? gti_fbx_curve_key_count(&reader->tree, graph->objects[i].node) : 0;
    }
    for (int32_t i = 0; i < reader->model_count; ++i) {
        s->scales[i] = reader->models[i].pivots.scale;
    }
    s->budget = (GtiFbxBudget){ .source_keys = 65536 + 16 * source_keys,
                                .keys = 131072 + 8 * source_keys,
                                .bindings = 65536 + 16 * (int64_t)graph->connection_count,
                                .visits = (1 << 20) + 4096 * (int64_t)graph->connection_count,
                                .looks = (1 << 20) + 1024 * (int64_t)graph->object_count };
    s->ticks_per_s = find_ticks_per_s(&reader->tree);
    int64_t most_channels = 4 * (int64_t)reader->model_count;
    return most_channels <= INT32_MAX
               ? gti_fbx_clip_make(reader, (int32_t)most_channels, s->ticks_per_s, &s->clip)
               : gti_fail(reader->error, GT_ERROR_LIMIT, "%d models are too many", reader->model_count);
}

GtResult gti_fbx_add_clips(GtiFbxReader* reader)
{
    const GtiFbxGraph* graph = &reader->graph;
    bool has_stack = false;
    bool has_layer = false;
    for (int32_t i = 0; i < graph->object_count; ++i) {
        has_stack |= is_of_type(graph, i, "AnimationStack");
        has_layer |= is_of_type(graph, i, "AnimationLayer");
    }
    if (!has_layer || reader->model_count == 0) {
        return GT_OK;
    }
    StackReader s = { .reader = reader, .clip = { .reader = reader } };
    GtResult result = start(&s);
    for (int32_t i = 0; i < graph->object_count && result == GT_OK && has_stack; ++i) {
        if (is_of_type(graph, i, "AnimationStack")) {
            result = add_stack(&s, i);
        }
    }
    if (result == GT_OK && !has_stack) {
        result = add_stack(&s, GT_NONE);
    }
    if (result == GT_OK && s.budget.flawed_curves > 1) {
        gti_warn(reader->context, reader->path, "AnimationCurve", "%d more curves have flaws",
                 s.budget.flawed_curves - 1);
    }
    if (result == GT_OK && s.budget.is_exhausted) {
        gti_warn(reader->context, reader->path, "AnimationStack",
                 "the clips would have far more keys than the file; some motion is approximate or left out");
    }
    return result;
}
