// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Models to nodes, parents first, siblings in the order of the connections. glTF multiplies matrices, which is one of
// three ways in which FBX models inherit scale. Below a parent with a scale that a child takes over differently, the
// scale moves to a node of its own beside that child, which keeps its own copy of what it does inherit:
//   RrSs: global rotation R r, global scale S s;   Rrs: global rotation R r, scale s and what the parent inherited.

#include "io/fbx/reader.h"

#include "base/fail.h"
#include "gertie/json_write.h"
#include "io/name.h"

#include <math.h>
#include <string.h>

// Models above a model whose scales are multiplied; more than any rig nests them.
enum {
    MAX_INHERITED = 256
};

int32_t gti_fbx_child(const GtiFbxGraph* graph, int32_t object, const char* type, const char* property)
{
    const GtiFbxObject* owner = &graph->objects[object];
    for (int32_t k = 0; k < owner->child_count; ++k) {
        const GtiFbxConnection* connection = &graph->connections[owner->first_child + k];
        if (gti_slice_is(connection->property, property) &&
            gti_slice_is(graph->objects[connection->source].type, type)) {
            return connection->source;
        }
    }
    return GT_NONE;
}

const char* gti_fbx_push_name(GtiFbxReader* reader, int32_t object, const char* suffix)
{
    bool repaired = false;
    GtiSlice name = reader->graph.objects[object].name;
    return gti_push_name(reader->scene, name.text, name.length, suffix, &repaired);
}

static GtiVec multiply(GtiVec a, GtiVec b)
{
    return gti_vec(a.x * b.x, a.y * b.y, a.z * b.z);
}

GtTransform gti_fbx_place(const GtiFbxReader* reader, const GtiFbxModel* model, const GtiFbxPose* pose)
{
    GtiFbxTransform local = gti_fbx_compose(&model->pivots, pose->translation, pose->rotation_deg, pose->scale);
    local.translation = gti_vec_scale(local.translation, reader->metres_per_unit);
    if (model->is_beside_scale) {
        local.translation = multiply(pose->parent_scale, local.translation);
        local.scale = multiply(pose->inherited_scale, local.scale);
    }
    if (model->parent == GT_NONE) {
        local.translation = gti_quat_rotate(reader->y_from_file, local.translation);
        local.rotation = gti_quat_unit(gti_quat_mul(reader->y_from_file, local.rotation));
    }
    GtTransform transform = gt_default_node().local;
    transform.translation = gti_vec_to_float(local.translation);
    transform.rotation = gti_quat_to_float(local.rotation);
    transform.scale = gti_vec_to_float(local.scale);
    return transform;
}

// Models parents first: the children of each follow in the order of the connections.
GtResult gti_fbx_list_models(GtiFbxReader* reader)
{
    const GtiFbxGraph* graph = &reader->graph;
    size_t object_count = (size_t)graph->object_count;
    size_t most = 0;
    for (size_t i = 0; i < object_count; ++i) {
        most += graph->objects[i].model_parent != GT_NONE;
    }
    reader->models = gt_arena_push_array(&reader->arena, most, sizeof *reader->models);
    reader->model_of_object = gt_arena_push_array(&reader->arena, object_count, sizeof *reader->model_of_object);
    if (!reader->models || !reader->model_of_object) {
        return gti_out_of_memory(reader->error);
    }
    for (int32_t i = 0; i < graph->object_count; ++i) {
        reader->model_of_object[i] = GT_NONE;
    }
    for (int32_t done = -1; done < reader->model_count; ++done) {
        int32_t owner = done < 0 ? 0 : reader->models[done].object;
        for (int32_t k = 0; k < graph->objects[owner].child_count; ++k) {
            int32_t object = graph->connections[graph->objects[owner].first_child + k].source;
            if (graph->objects[object].model_parent == owner && reader->model_of_object[object] == GT_NONE) {
                reader->model_of_object[object] = reader->model_count;
                reader->models[reader->model_count++] =
                    (GtiFbxModel){ .object = object, .parent = done < 0 ? GT_NONE : done };
            }
        }
        // Models that no connection mentions are shown too.
        for (int32_t i = 1; done < 0 && i < graph->object_count; ++i) {
            if (graph->objects[i].model_parent == 0 && reader->model_of_object[i] == GT_NONE) {
                reader->model_of_object[i] = reader->model_count;
                reader->models[reader->model_count++] = (GtiFbxModel){ .object = i, .parent = GT_NONE };
            }
        }
    }
    return GT_OK;
}

static bool is_uniform(GtiVec v)
{
    double most = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
    return fabs(v.x - v.y) <= 1e-5 * most && fabs(v.y - v.z) <= 1e-5 * most;
}

static bool is_one(GtiVec v)
{
    return is_uniform(v) && fabs(v.x - 1.0) <= 1e-5;
}

// Whether a child needs its parent's scale on a node beside itself.
static bool avoids_scale(const GtiFbxModel* child, const GtiFbxModel* parent)
{
    switch (child->pivots.inherit) {
    case GTI_FBX_INHERIT_RrSs:
        return parent->is_beside_scale || !is_uniform(parent->pivots.scale) || parent->scale_moves;
    case GTI_FBX_INHERIT_Rrs:
        return parent->is_beside_scale || !is_one(parent->pivots.scale) || parent->scale_moves;
    default:
        return false;
    }
}

static const char* user_properties(GtiFbxReader* reader, int32_t object, bool* ok)
{
    const GtiFbxTree* tree = &reader->tree;
    int32_t list = reader->graph.objects[object].properties;
    const GtiFbxNode* all = list == GT_NONE ? NULL : &tree->nodes[list];
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    GtJsonWriter json = gt_json_create(&reader->arena, 0);
    int32_t count = 0;
    gt_json_begin_object(&json);
    for (const GtiFbxNode* p = all ? all + 1 : NULL; p && p < gti_fbx_next(all); p = gti_fbx_next(p)) {
        GtiSlice name;
        if (!gti_fbx_is_user_property(tree, p) || p->value_count < 5 ||
            !gti_fbx_string(gti_fbx_value(tree, p, 0), &name)) {
            continue;
        }
        char key[256];
        size_t length = name.length < sizeof key ? name.length : sizeof key - 1;
        memcpy(key, name.text, length);
        key[length] = 0;
        if (length != name.length || gti_fbx_property(&reader->graph, object, key) != p) {
            continue; // of a property that is there twice the last counts
        }
        ++count;
        gt_json_key(&json, key);
        bool several = p->value_count > 5;
        if (several) {
            gt_json_begin_array(&json);
        }
        for (int32_t i = 4; i < p->value_count; ++i) {
            const GtiFbxValue* value = gti_fbx_value(tree, p, i);
            GtiSlice text;
            int64_t integer = 0;
            double number = 0.0;
            if (gti_fbx_string(value, &text)) {
                const char* copy = gt_arena_push_text(&reader->arena, text.text, text.length);
                *ok = *ok && copy;
                gt_json_string(&json, copy ? copy : "");
            } else if (gti_fbx_integer(value, &integer)) {
                gt_json_integer(&json, integer);
            } else if (gti_fbx_number(value, &number)) {
                gt_json_number(&json, number);
            } else {
                gt_json_null(&json);
            }
        }
        if (several) {
            gt_json_end_array(&json);
        }
    }
    gt_json_end_object(&json);
    const char* extras = NULL;
    if (count > 0 && *ok) {
        const char* text = gt_text_finish(&json.text);
        extras = text ? gt_scene_push_text(reader->scene, text, strlen(text)) : NULL;
        *ok = extras;
    }
    gt_arena_reset(&reader->arena, mark);
    return extras;
}

// The product of the scales that a model takes over from parents which it hangs beside.
static GtiVec inherited_scale(const GtiFbxReader* reader, const GtiFbxModel* model, const GtiVec* scales)
{
    GtiVec scale = gti_vec(1.0, 1.0, 1.0);
    for (int steps = 0; model->is_beside_scale && steps < MAX_INHERITED; ++steps) {
        if (model->pivots.inherit == GTI_FBX_INHERIT_RrSs) {
            scale = multiply(scale, scales[model->parent]);
        }
        model = &reader->models[model->parent];
    }
    return scale;
}

void gti_fbx_inherit(const GtiFbxReader* reader, const GtiFbxModel* model, const GtiVec* scales, GtiFbxPose* pose)
{
    pose->inherited_scale = inherited_scale(reader, model, scales);
    pose->parent_scale = gti_vec(1.0, 1.0, 1.0);
    if (model->is_beside_scale) {
        const GtiFbxModel* parent = &reader->models[model->parent];
        pose->parent_scale = multiply(inherited_scale(reader, parent, scales), scales[model->parent]);
    }
}

// Whether a curve of this component of a scale has a key that is not the scale at rest.
static bool curve_moves(GtiFbxReader* reader, const GtiFbxConnection* curve, GtiVec rest, GtResult* result)
{
    const GtiFbxNode* node = reader->graph.objects[curve->source].node;
    const GtiFbxNode* values = gti_fbx_find(node, "KeyValueFloat");
    char component = curve->property.length ? curve->property.text[curve->property.length - 1] : 0;
    double still = component == 'X' ? rest.x : component == 'Y' ? rest.y : rest.z;
    uint32_t count = values ? gti_fbx_array_count(&reader->tree, values) : 0;
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    float* keys = gt_arena_push_array(&reader->arena, count, sizeof *keys);
    bool moves = false;
    if (!keys) {
        *result = gti_out_of_memory(reader->error);
    } else if (count > 0 && gti_fbx_decode(&reader->tree, values, 'f', keys, NULL) == GT_OK) {
        for (uint32_t i = 0; i < count && !moves; ++i) {
            moves = !(fabs((double)keys[i] - still) <= 1e-5);
        }
    }
    gt_arena_reset(&reader->arena, mark);
    return moves;
}

static bool scale_moves(GtiFbxReader* reader, const GtiFbxModel* model, GtResult* result)
{
    const GtiFbxGraph* graph = &reader->graph;
    const GtiFbxObject* owner = &graph->objects[model->object];
    bool moves = false;
    for (int32_t k = 0; k < owner->child_count && !moves; ++k) {
        const GtiFbxConnection* channel = &graph->connections[owner->first_child + k];
        const GtiFbxObject* curves = &graph->objects[channel->source];
        if (gti_slice_is(channel->property, "Lcl Scaling") && gti_slice_is(curves->type, "AnimationCurveNode")) {
            for (int32_t i = 0; i < curves->child_count && !moves; ++i) {
                moves = curve_moves(reader, &graph->connections[curves->first_child + i], model->pivots.scale, result);
            }
        }
    }
    return moves;
}

// Read the transforms and find the models whose scale needs a node of its own: scaled_node is then 0, else GT_NONE.
static GtResult read_models(GtiFbxReader* reader)
{
    GtResult result = GT_OK;
    bool* asked = gt_arena_push_array(&reader->arena, (size_t)reader->model_count, sizeof *asked);
    if (!asked) {
        return gti_out_of_memory(reader->error);
    }
    for (int32_t i = 0; i < reader->model_count && result == GT_OK; ++i) {
        GtiFbxModel* model = &reader->models[i];
        model->pivots = gti_fbx_read_pivots(&reader->graph, model->object);
        model->node = model->scaled_node = model->mesh_node = GT_NONE;
        GtiFbxModel* parent = model->parent == GT_NONE ? NULL : &reader->models[model->parent];
        if (!parent || model->pivots.inherit == GTI_FBX_INHERIT_RSrs) {
            continue;
        }
        if (!asked[model->parent]) {
            asked[model->parent] = true;
            parent->scale_moves = scale_moves(reader, parent, &result);
        }
        model->is_beside_scale = avoids_scale(model, parent);
        if (model->is_beside_scale) {
            parent->scaled_node = 0;
        }
    }
    return result;
}

// A skinned mesh is where its joints are. Its own node would be a wrong hint, and glTF wants it to be a root.
static GtResult add_bare_skin(GtiFbxReader* reader, GtiFbxModel* model, GtNode* node)
{
    node->local = gt_default_node().local;
    node->parent = GT_NONE;
    return gt_scene_add_node(reader->scene, node, &model->mesh_node, reader->error);
}

static GtResult add_node(GtiFbxReader* reader, GtiFbxModel* model, const GtiVec* scales)
{
    GtiFbxPose pose = { .translation = model->pivots.translation,
                        .rotation_deg = model->pivots.rotation_deg,
                        .scale = model->pivots.scale };
    gti_fbx_inherit(reader, model, scales, &pose);
    bool ok = true;
    GtNode node = gt_default_node();
    node.local = gti_fbx_place(reader, model, &pose);
    node.name = gti_fbx_push_name(reader, model->object, "");
    node.extra.extras = user_properties(reader, model->object, &ok);
    node.parent = reader->mirror_node;
    if (model->parent != GT_NONE) {
        const GtiFbxModel* parent = &reader->models[model->parent];
        node.parent = model->is_beside_scale ? parent->node : parent->scaled_node;
    }
    if (!ok || !node.name) {
        return gti_out_of_memory(reader->error);
    }
    if (model->is_bare_skin) {
        return add_bare_skin(reader, model, &node);
    }
    GtVec3 scale = node.local.scale;
    bool splits = model->scaled_node != GT_NONE;
    if (splits) {
        node.local.scale = gt_vec3(1.0f, 1.0f, 1.0f);
    }
    GtResult result = gt_scene_add_node(reader->scene, &node, &model->node, reader->error);
    model->scaled_node = model->node;
    if (result == GT_OK && splits) {
        GtNode scaled = gt_default_node();
        scaled.name = gti_fbx_push_name(reader, model->object, "_scale");
        scaled.parent = model->node;
        scaled.local.scale = scale;
        result = scaled.name ? gt_scene_add_node(reader->scene, &scaled, &model->scaled_node, reader->error)
                             : gti_out_of_memory(reader->error);
    }
    return result;
}

// A left-handed file has its mirror image on disk; a node above all turns it back.
static GtResult add_mirror(GtiFbxReader* reader)
{
    if (reader->mirror_node == GT_NONE) {
        return GT_OK;
    }
    GtNode node = gt_default_node();
    node.name = "mirror";
    node.local.scale.x = -1.0f;
    return gt_scene_add_node(reader->scene, &node, &reader->mirror_node, reader->error);
}

GtResult gti_fbx_add_nodes(GtiFbxReader* reader)
{
    GtResult result = read_models(reader);
    if (result == GT_OK) {
        result = add_mirror(reader);
    }
    GtiVec* scales = gt_arena_push_array(&reader->arena, (size_t)reader->model_count, sizeof *scales);
    if (result == GT_OK && !scales) {
        result = gti_out_of_memory(reader->error);
    }
    for (int32_t i = 0; i < reader->model_count && result == GT_OK; ++i) {
        scales[i] = reader->models[i].pivots.scale;
        result = add_node(reader, &reader->models[i], scales);
    }
    return result;
}
