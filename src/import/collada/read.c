// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From a document to a scene: nodes are collected, instances find their joints, then all is added. A node that holds
// skinned meshes alone goes to the root without a transform, because glTF moves a skinned mesh by its joints only;
// other nodes give their skinned meshes nodes of their own there. Units are in all translations and vertices, the
// rotation to Y up is in the roots alone.

#include "import/collada/collada.h"

#include "base/fail.h"
#include "base/memory.h"
#include "gertie/accessor.h"
#include "gertie/number.h"
#include "import/collada/animation.h"
#include "import/collada/material.h"
#include "import/collada/mesh.h"
#include "io/mesh/units.h"
#include "io/name.h"

#include <math.h>
#include <string.h>

// A mesh in a node.
typedef struct DaeInstance {
    int32_t element;
    int32_t node;
    GtiDaeController controller;
    int32_t mesh; // in DaeScene.meshes, GT_NONE where there is nothing to show
    GtiDaeSkin skin;
    int32_t* joints;     // [skin.joint_count] nodes, or NULL where nothing bends
    int32_t* remap;      // [skin.joint_count] to joints of the scene's skin
    int32_t joint_count; // of the scene's skin
} DaeInstance;

typedef struct DaeScene {
    GtiDae* d;
    GtiDaeNodes nodes;
    GtiDaeMaterials materials;
    DaeInstance* instances;
    int32_t instance_count;
    int32_t instance_capacity;
    GtiIntern mesh_keys; // geometry, controller and joints
    GtiDaeMesh* meshes;
    int32_t mesh_capacity;
    GtiIntern shown_keys; // mesh and materials
    int32_t* shown;       // the scene's mesh
    int32_t shown_capacity;
    GtiDaeMorphNodes morphs;
    int32_t* joint_slots; // [nodes.count] zeros between uses
    int32_t* roots;
    int32_t root_count;
} DaeScene;

bool gti_dae_sniff(const uint8_t* bytes, size_t size)
{
    return gti_xml_sniff(bytes, size, "COLLADA");
}

// A length in metres, with a decimal point or comma.
static bool parse_unit(const char* text, double* out)
{
    char copy[GT_NUMBER_SIZE];
    size_t length = strlen(text);
    if (length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length + 1);
    char* comma = strchr(copy, ',');
    if (comma) {
        *comma = '.';
    }
    return gt_parse_double(copy, copy + length, out) && *out >= 1e-6 && *out <= 1e6;
}

static GtResult read_units(GtiDae* d)
{
    int32_t asset = gti_xml_child(&d->xml, 0, "asset");
    const char* meter = gti_xml_attribute(&d->xml, gti_xml_child(&d->xml, asset, "unit"), "meter");
    size_t size;
    const char* up = gti_xml_text(&d->xml, gti_xml_child(&d->xml, asset, "up_axis"), &size);
    GtResult result = gti_check_load_def(d->def, d->error);
    double value = 1.0;
    if (meter && !parse_unit(meter, &value)) {
        value = 1.0;
        result = result != GT_OK
                     ? result
                     : gti_dae_repair(d, GTI_DAE_UNIT, asset, "the unit '%.32s' is no length: 1 m is taken", meter);
    }
    d->metres_per_unit = d->def->metres_per_unit > 0.0 ? d->def->metres_per_unit : value;
    d->up_axis = size && *up == 'Z' ? GT_UP_Z : size && *up == 'X' ? GT_UP_X : GT_UP_Y;
    d->up_axis = d->def->up_axis == GT_NONE ? d->up_axis : (GtUpAxis)d->def->up_axis;
    return result;
}

static GtResult find_visual_scene(GtiDae* d, int32_t* out)
{
    int32_t instance = gti_xml_child(&d->xml, gti_xml_child(&d->xml, 0, "scene"), "instance_visual_scene");
    GtResult result = instance == GT_NONE ? GT_OK : gti_dae_follow(d, instance, "url", "visual_scene", out);
    if (*out == GT_NONE) {
        *out = gti_xml_child(&d->xml, gti_xml_child(&d->xml, 0, "library_visual_scenes"), "visual_scene");
    }
    return result;
}

static GtResult add_instance(DaeScene* s, const DaeInstance* instance)
{
    if (s->instance_count == s->instance_capacity) {
        DaeInstance* grown = gti_arena_grow(s->d->arena, s->instances, &s->instance_capacity, 64, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(s->d->error);
        }
        s->instances = grown;
    }
    s->instances[s->instance_count++] = *instance;
    return GT_OK;
}

static GtResult collect_instances(DaeScene* s, int32_t node)
{
    GtiDae* d = s->d;
    int32_t element = s->nodes.nodes[node].element;
    bool bends = false;
    bool other = false;
    GtResult result = GT_OK;
    for (int32_t c = gti_dae_next_child(d, element, GT_NONE); c != GT_NONE && result == GT_OK;
         c = gti_dae_next_child(d, element, c)) {
        bool controller = gti_xml_is(&d->xml, c, "instance_controller");
        bool geometry = gti_xml_is(&d->xml, c, "instance_geometry");
        bends = bends || controller;
        other = other || geometry || gti_xml_is(&d->xml, c, "node") || gti_xml_is(&d->xml, c, "instance_node");
        if (gti_xml_is(&d->xml, c, "instance_light") || gti_xml_is(&d->xml, c, "instance_camera")) {
            gti_dae_note(d, GTI_DAE_LIGHTS, "cameras and lights are left out");
        }
        if (controller || geometry) {
            int32_t target = GT_NONE;
            DaeInstance made = { .element = c, .node = node, .mesh = GT_NONE };
            result = gti_dae_follow(d, c, "url", controller ? "controller" : "geometry", &target);
            if (result == GT_OK && target != GT_NONE) {
                result = gti_dae_open_controller(d, target, &made.controller);
            }
            if (result == GT_OK && target != GT_NONE && made.controller.geometry != GT_NONE) {
                result = add_instance(s, &made);
            }
        }
    }
    const char* type = gti_xml_attribute(&d->xml, element, "type");
    s->nodes.nodes[node].carries_skin_only = bends && !other && !(type && !strcmp(type, "JOINT"));
    return result;
}

// Which joint of the scene's skin each joint of the file is: those that are not there follow the first that is.
static GtResult map_joints(DaeScene* s, DaeInstance* i)
{
    GtiDae* d = s->d;
    size_t count = (size_t)i->skin.joint_count;
    if (!s->joint_slots) {
        s->joint_slots = gt_arena_push_array(d->arena, (size_t)s->nodes.count, sizeof *s->joint_slots);
    }
    i->joints = gt_arena_push_array(d->arena, count, sizeof *i->joints);
    i->remap = gt_arena_push_array(d->arena, count, sizeof *i->remap);
    if (!s->joint_slots || !i->joints || !i->remap) {
        return gti_out_of_memory(d->error);
    }
    gti_dae_find_joints(&s->nodes, &i->skin, i->element, i->joints);
    GtResult result = GT_OK;
    for (size_t j = 0; j < count && result == GT_OK; ++j) {
        int32_t node = i->joints[j];
        if (node == GT_NONE) {
            result = gti_dae_repair(d, GTI_DAE_NO_JOINT, i->element,
                                    "the joint '%.*s' is not in the scene: what it holds follows the first joint",
                                    gti_word_shown(i->skin.joints[j]), i->skin.joints[j].text);
            continue;
        }
        if (!s->joint_slots[node]) {
            s->joint_slots[node] = ++i->joint_count;
        }
        i->remap[j] = s->joint_slots[node] - 1;
    }
    for (size_t j = 0; j < count; ++j) {
        if (i->joints[j] != GT_NONE) {
            s->joint_slots[i->joints[j]] = 0;
        }
    }
    if (!i->joint_count) {
        i->joints = NULL;
    }
    return result;
}

// What an instance shows, each part read once a file.
static GtResult read_shape(DaeScene* s, DaeInstance* i, GtiDaeGeometry** geometry, GtiDaeMorph** morph)
{
    GtiDae* d = s->d;
    GtiDaeSkin* skin = NULL;
    GtResult result = GT_OK;
    struct {
        int32_t element;
        size_t size;
        void** out;
    } wants[] = { { i->controller.geometry, sizeof **geometry, (void**)geometry },
                  { i->controller.skin, sizeof *skin, (void**)&skin },
                  { i->controller.morph, sizeof **morph, (void**)morph } };
    for (int k = 0; k < 3 && result == GT_OK; ++k) {
        if (wants[k].element == GT_NONE) {
            continue;
        }
        void** made = &d->made[wants[k].element];
        bool is_new = !*made;
        *made = is_new ? gt_arena_push_array(d->arena, 1, wants[k].size) : *made;
        *wants[k].out = *made;
        if (!*made) {
            result = gti_out_of_memory(d->error);
        } else if (is_new) {
            result = k == 0   ? gti_dae_read_geometry(d, wants[k].element, *geometry)
                     : k == 1 ? gti_dae_read_skin(d, wants[k].element, (*geometry)->position_count, skin)
                              : gti_dae_read_morph(d, wants[k].element, *morph);
        }
    }
    if (result == GT_OK && skin) {
        i->skin = *skin;
    }
    return result;
}

static GtResult make_mesh(DaeScene* s, DaeInstance* i)
{
    GtiDae* d = s->d;
    GtiDaeGeometry* geometry = NULL;
    GtiDaeMorph none = { .target_count = 0 };
    GtiDaeMorph* morph = &none;
    GtResult result = read_shape(s, i, &geometry, &morph);
    if (result != GT_OK || !geometry->part_count) {
        return result;
    }
    if (i->skin.joint_count) {
        result = map_joints(s, i);
    }
    size_t key_size = sizeof i->controller + (i->joints ? (size_t)i->skin.joint_count * sizeof *i->remap : 0);
    char* key = result == GT_OK ? gt_arena_push(d->arena, key_size) : NULL;
    if (!key) {
        return result == GT_OK ? gti_out_of_memory(d->error) : result;
    }
    memcpy(key, &i->controller, sizeof i->controller);
    if (i->joints) {
        memcpy(key + sizeof i->controller, i->remap, key_size - sizeof i->controller);
    }
    int32_t known = s->mesh_keys.count;
    i->mesh = gti_intern(&s->mesh_keys, key, key_size);
    if (i->mesh == s->mesh_capacity) {
        GtiDaeMesh* grown = gti_arena_grow(d->arena, s->meshes, &s->mesh_capacity, 32, sizeof *grown);
        i->mesh = grown ? i->mesh : GT_NONE;
        s->meshes = grown ? grown : s->meshes;
    }
    if (i->mesh == GT_NONE) {
        return gti_out_of_memory(d->error);
    }
    if (i->mesh == known) {
        result = gti_dae_add_primitives(d, geometry, i->joints ? &i->skin : NULL, i->remap, morph, &s->meshes[i->mesh]);
    }
    return result;
}

// The scene's mesh: primitives with the materials of an instance.
static GtResult show_mesh(DaeScene* s, const DaeInstance* i, int32_t* out)
{
    GtiDae* d = s->d;
    const GtiDaeMesh* mesh = &s->meshes[i->mesh];
    size_t count = (size_t)mesh->primitive_count;
    int32_t* key = gt_arena_push_array(d->arena, count + 1, sizeof *key);
    if (!key) {
        return gti_out_of_memory(d->error);
    }
    GtResult result = GT_OK;
    for (size_t p = 0; p < count && result == GT_OK; ++p) {
        result = gti_dae_bind_material(&s->materials, i->element, mesh->symbols[p], &mesh->parts[p].faces, &key[p]);
    }
    key[count] = i->mesh;
    int32_t known = s->shown_keys.count;
    int32_t number = result == GT_OK ? gti_intern(&s->shown_keys, key, (count + 1) * sizeof *key) : GT_NONE;
    if (number == s->shown_capacity && number != GT_NONE) {
        int32_t* grown = gti_arena_grow(d->arena, s->shown, &s->shown_capacity, 32, sizeof *grown);
        number = grown ? number : GT_NONE;
        s->shown = grown ? grown : s->shown;
    }
    if (number == GT_NONE) {
        return result == GT_OK ? gti_out_of_memory(d->error) : result;
    }
    if (number == known) {
        GtPrimitive* primitives = gt_scene_push(d->scene, count, sizeof *primitives);
        GtMesh made = { .name = gti_dae_push_label(d, i->controller.geometry, "mesh"),
                        .primitives = primitives,
                        .primitive_count = mesh->primitive_count,
                        .target_count = mesh->morph.target_count,
                        .target_names = mesh->morph.names,
                        .weights = mesh->morph.weights,
                        .weight_count = mesh->morph.target_count };
        if (!primitives || !made.name) {
            return gti_out_of_memory(d->error);
        }
        for (size_t p = 0; p < count; ++p) {
            primitives[p] = mesh->primitives[p];
            primitives[p].material = key[p];
        }
        result = gt_scene_add_mesh(d->scene, &made, &s->shown[number], d->error);
    }
    *out = s->shown[number];
    return result;
}

static GtResult add_skin(DaeScene* s, const DaeInstance* i, int32_t* out)
{
    GtiDae* d = s->d;
    int32_t* joints = gt_scene_push(d->scene, (size_t)i->joint_count, sizeof *joints);
    float* matrices = gt_arena_push_array(d->arena, (size_t)i->joint_count, 16 * sizeof *matrices);
    int32_t controller = d->xml.nodes[i->controller.skin].parent;
    GtSkin skin = { .name = gti_dae_push_label(d, controller, "skin"),
                    .joints = joints,
                    .joint_count = i->joint_count,
                    .skeleton = GT_NONE };
    if (!joints || !matrices || !skin.name) {
        return gti_out_of_memory(d->error);
    }
    for (int32_t j = i->skin.joint_count - 1; j >= 0; --j) { // of joints that share a node, the first counts
        if (i->joints[j] == GT_NONE) {
            continue;
        }
        GtMat34 inverse = gt_mat34_identity();
        for (int k = 0; k < 12; ++k) {
            float unit = k % 4 == 3 ? (float)d->metres_per_unit : 1.0f;
            inverse.m[k / 4][k % 4] = i->skin.inverse_bind[16 * (size_t)j + (size_t)k] * unit;
        }
        joints[i->remap[j]] = s->nodes.nodes[i->joints[j]].scene_node;
        gt_mat34_to_columns(&inverse, matrices + 16 * (size_t)i->remap[j]);
    }
    GtResult result = gt_scene_add_data(d->scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, matrices,
                                        (uint64_t)i->joint_count, &skin.inverse_bind, d->error);
    return result == GT_OK ? gt_scene_add_skin(d->scene, &skin, out, d->error) : result;
}

static GtResult push_root(DaeScene* s, int32_t scene_node)
{
    s->roots[s->root_count++] = scene_node;
    return GT_OK;
}

static GtResult add_nodes(DaeScene* s)
{
    GtiDae* d = s->d;
    GtResult result = GT_OK;
    s->roots = gt_scene_push(d->scene, (size_t)s->nodes.count + (size_t)s->instance_count + 1, sizeof *s->roots);
    if (!s->roots) {
        return gti_out_of_memory(d->error);
    }
    for (int32_t i = 0; i < s->nodes.count && result == GT_OK; ++i) {
        GtiDaeNode* from = &s->nodes.nodes[i];
        GtNode node = gt_default_node();
        node.name = gti_dae_push_label(d, from->element, "node");
        if (!node.name) {
            return GT_ERROR_OUT_OF_MEMORY;
        }
        if (!from->carries_skin_only) {
            result = gti_dae_local(&s->nodes, i, from->op_count ? s->nodes.ops + from->first_op : NULL, &node.local);
            node.parent = from->parent == GT_NONE ? GT_NONE : s->nodes.nodes[from->parent].scene_node;
        }
        if (result == GT_OK) {
            result = gt_scene_add_node(d->scene, &node, &from->scene_node, d->error);
        }
        if (result == GT_OK && node.parent == GT_NONE) {
            result = push_root(s, from->scene_node);
        }
    }
    return result;
}

// Give an instance's mesh to its node, or to a new one where that has a mesh or must not bend.
static GtResult place_instance(DaeScene* s, const DaeInstance* i)
{
    GtiDae* d = s->d;
    const GtiDaeNode* node = &s->nodes.nodes[i->node];
    int32_t mesh = GT_NONE;
    int32_t skin = GT_NONE;
    int32_t place = node->scene_node;
    GtResult result = show_mesh(s, i, &mesh);
    if (result == GT_OK && i->joints) {
        result = add_skin(s, i, &skin);
    }
    if (result == GT_OK && (d->scene->nodes[place].mesh != GT_NONE || (i->joints && !node->carries_skin_only))) {
        GtNode made = gt_default_node();
        made.name = gti_dae_push_label(d, i->controller.geometry, "mesh");
        made.parent = i->joints ? GT_NONE : place;
        result = made.name ? gt_scene_add_node(d->scene, &made, &place, d->error) : GT_ERROR_OUT_OF_MEMORY;
        if (result == GT_OK && i->joints) {
            result = push_root(s, place);
        }
    }
    if (result != GT_OK) {
        return result;
    }
    d->scene->nodes[place].mesh = mesh;
    d->scene->nodes[place].skin = skin;
    int32_t targets = s->meshes[i->mesh].morph.target_count;
    return targets ? gti_dae_add_morph_node(&s->morphs, i->controller.morph, place, targets,
                                            s->meshes[i->mesh].morph.weights)
                   : GT_OK;
}

static GtResult build(DaeScene* s)
{
    GtiDae* d = s->d;
    int32_t visual_scene = GT_NONE;
    GtResult result = find_visual_scene(d, &visual_scene);
    if (result == GT_OK && visual_scene != GT_NONE) {
        result = gti_dae_collect_nodes(&s->nodes, visual_scene);
    }
    for (int32_t i = 0; i < s->nodes.count && result == GT_OK; ++i) {
        result = collect_instances(s, i);
    }
    for (int32_t i = 0; i < s->instance_count && result == GT_OK; ++i) {
        DaeInstance* instance = &s->instances[i];
        result = gti_progress(d->context, d->error, "reading", (double)i / s->instance_count);
        if (result == GT_OK) {
            result = make_mesh(s, instance);
        }
        if (!instance->joints) {
            s->nodes.nodes[instance->node].carries_skin_only = false;
        }
    }
    if (result == GT_OK) {
        result = add_nodes(s);
    }
    for (int32_t i = 0; i < s->instance_count && result == GT_OK; ++i) {
        result = s->instances[i].mesh == GT_NONE ? GT_OK : place_instance(s, &s->instances[i]);
    }
    if (result == GT_OK && s->root_count) {
        GtStage stage = { .nodes = s->roots, .node_count = s->root_count };
        result = gt_scene_add_stage(d->scene, &stage, &d->scene->default_stage, d->error);
    }
    return result == GT_OK ? gti_dae_add_animations(&s->nodes, &s->morphs) : result;
}

static GtResult start_scene(GtiDae* d, GtScene** out)
{
    GtResult result = gt_scene_create(d->context, out, d->error);
    if (result != GT_OK) {
        return result;
    }
    d->scene = *out;
    d->scene->source = (GtSource){ .format = "dae", .metres_per_unit = d->metres_per_unit, .up_axis = d->up_axis };
    return gti_push_directory(d->scene, d->path) ? GT_OK : gti_out_of_memory(d->error);
}

GtResult gti_dae_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiDae* d = gt_arena_push_array(&arena, 1, sizeof *d);
    GtResult result = d ? GT_OK : gti_out_of_memory(error);
    *out = NULL;
    if (d) {
        *d = (GtiDae){ .context = context, .def = def, .error = error, .path = input->path, .arena = &arena };
        result = gti_dae_open(d, input->bytes, input->size);
    }
    if (result == GT_OK) {
        result = read_units(d);
    }
    if (result == GT_OK) {
        result = start_scene(d, out);
    }
    if (result == GT_OK) {
        DaeScene s = { .d = d,
                       .nodes = { .d = d },
                       .materials = { .d = d,
                                      .keys = { .arena = &arena },
                                      .folders = { .arena = &arena,
                                                   .directory = d->scene->source.directory,
                                                   .files = { .arena = &arena } } },
                       .mesh_keys = { .arena = &arena },
                       .shown_keys = { .arena = &arena },
                       .morphs = { .d = d } };
        result = build(&s);
        if (result == GT_OK) {
            gti_dae_materials_finish(&s.materials);
        }
    }
    if (result == GT_OK) {
        gti_words_report_repairs(&d->words);
    }
    gt_arena_destroy(&arena);
    return result;
}
