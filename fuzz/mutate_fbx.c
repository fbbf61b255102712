// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One change to an FBX file, binary or text: a value, elements of an array, an end of a connection, an id, a name; a
// node that is left out, repeated, moved or put in the place of another. The file is parsed by the library's reader and
// written as binary, its arrays mostly as they are, so that mutations of bytes find them, and compressed now and then.

#include "mutate.h"

#include "io/fbx/tree.h"
#include "io/fbx/write_node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NODES = 1 << 14,
    MOST_ELEMENTS = 1 << 16, // of all arrays
    MOST_TRIES = 64
};

typedef struct FbxMutant {
    FuzzRandom random;
    GtiFbxTree tree;
    GtiFbxOut out;
    int32_t* parents; // [node_count]
    bool deflates;
    bool failed;
    // The change, by numbers of nodes of the tree; GT_NONE where there is none.
    int32_t left_out;
    int32_t source;        // is put, with all that is in it,
    int32_t before;        // before this node,
    int32_t into;          // or after all others in this one
    int64_t new_id;        // of its copy, or 0
    int32_t renamed;       // has the name `name`
    GtiSlice name;         //
    int32_t array;         // changes its elements
    int32_t extra_value;   // number of a value that is there twice
    int32_t missing_value; // number of a value that is not written
} FbxMutant;

// Names of nodes, of types, of properties, and what properties are set to.
static const char* const words[] = {
    "Model",
    "Geometry",
    "Deformer",
    "SubDeformer",
    "NodeAttribute",
    "Material",
    "Texture",
    "Video",
    "Pose",
    "AnimationStack",
    "AnimationLayer",
    "AnimationCurveNode",
    "AnimationCurve",
    "Implementation",
    "Mesh",
    "Shape",
    "LimbNode",
    "Limb",
    "Null",
    "Root",
    "Camera",
    "Light",
    "Skin",
    "Cluster",
    "BlendShape",
    "BlendShapeChannel",
    "BindPose",
    "Vertices",
    "PolygonVertexIndex",
    "Edges",
    "Indexes",
    "Weights",
    "Transform",
    "TransformLink",
    "TransformAssociateModel",
    "FullWeights",
    "DeformPercent",
    "Normals",
    "NormalsIndex",
    "LayerElementNormal",
    "LayerElementUV",
    "LayerElementColor",
    "LayerElementMaterial",
    "LayerElementSmoothing",
    "LayerElementTangent",
    "UV",
    "UVIndex",
    "Colors",
    "ColorIndex",
    "Materials",
    "Smoothing",
    "Layer",
    "LayerElement",
    "Type",
    "TypedIndex",
    "MappingInformationType",
    "ReferenceInformationType",
    "ByPolygonVertex",
    "ByVertice",
    "ByVertex",
    "ByPolygon",
    "ByEdge",
    "AllSame",
    "NoMappingInformation",
    "Direct",
    "IndexToDirect",
    "Index",
    "KeyTime",
    "KeyValueFloat",
    "KeyAttrFlags",
    "KeyAttrDataFloat",
    "KeyAttrRefCount",
    "PoseNode",
    "Node",
    "Matrix",
    "Properties70",
    "P",
    "C",
    "OO",
    "OP",
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "PreRotation",
    "PostRotation",
    "RotationPivot",
    "RotationOffset",
    "ScalingPivot",
    "ScalingOffset",
    "RotationOrder",
    "RotationActive",
    "InheritType",
    "GeometricTranslation",
    "GeometricRotation",
    "GeometricScaling",
    "UpAxis",
    "UpAxisSign",
    "FrontAxis",
    "CoordAxis",
    "CoordAxisSign",
    "UnitScaleFactor",
    "TimeMode",
    "CustomFrameRate",
    "LocalStart",
    "LocalStop",
    "ReferenceStart",
    "Weight",
    "Mute",
    "Solo",
    "BlendMode",
    "RotationAccumulationMode",
    "ScaleAccumulationMode",
    "d|X",
    "d|Y",
    "d|Z",
    "d|DeformPercent",
    "T",
    "R",
    "S",
    "DiffuseColor",
    "NormalMap",
    "EmissiveColor",
    "TransparentColor",
    "Opacity",
    "FileName",
    "RelativeFilename",
    "Content",
    "UseMaterial",
    "WrapModeU",
    "FocalLength",
    "FieldOfView",
    "NearPlane",
    "Linear",
    "RigidDeform",
    "Link_DeformAcuracy",
    "SkinningType",
    "Definitions",
    "PropertyTemplate",
    "ObjectType",
    "Objects",
    "Connections",
    "GlobalSettings",
    "Takes",
    "",
};

enum {
    WORD_COUNT = sizeof words / sizeof *words
};

static GtiFbxNode* any_node(FbxMutant* m)
{
    return &m->tree.nodes[1 + (int32_t)fuzz_choose(&m->random, (uint32_t)(m->tree.node_count - 1))];
}

static int32_t number_of(const FbxMutant* m, const GtiFbxNode* node)
{
    return (int32_t)(node - m->tree.nodes);
}

static bool is_in(const FbxMutant* m, const GtiFbxNode* node, const char* name)
{
    return gti_fbx_is(&m->tree.nodes[m->parents[number_of(m, node)]], name);
}

static bool has_array(const FbxMutant* m, const GtiFbxNode* node)
{
    return node->value_count == 1 && strchr("bilfd", m->tree.values[node->first_value].type);
}

// A node that is wanted; NULL where few or none are.
static GtiFbxNode* choose_node(FbxMutant* m, bool (*wanted)(const FbxMutant* m, const GtiFbxNode* node))
{
    int32_t count = m->tree.node_count - 1;
    int32_t first = (int32_t)fuzz_choose(&m->random, (uint32_t)count);
    for (int32_t i = 0; i < count; ++i) {
        GtiFbxNode* node = &m->tree.nodes[1 + (first + i) % count];
        if (wanted(m, node)) {
            return node;
        }
    }
    return NULL;
}

static bool is_connection(const FbxMutant* m, const GtiFbxNode* node)
{
    return node->value_count >= 3 && gti_fbx_is(node, "C") && is_in(m, node, "Connections");
}

static bool is_object(const FbxMutant* m, const GtiFbxNode* node)
{
    int64_t id;
    return is_in(m, node, "Objects") && gti_fbx_integer(gti_fbx_value(&m->tree, node, 0), &id);
}

static bool is_property(const FbxMutant* m, const GtiFbxNode* node)
{
    (void)m;
    return node->value_count >= 5 && gti_fbx_is(node, "P");
}

static bool is_number_array(const FbxMutant* m, const GtiFbxNode* node)
{
    return has_array(m, node) && m->tree.values[node->first_value].count > 0;
}

static bool has_values(const FbxMutant* m, const GtiFbxNode* node)
{
    return node->value_count > 0 && !has_array(m, node);
}

static double odd_number(FbxMutant* m)
{
    char text[32];
    if (fuzz_choose(&m->random, 16) == 0) {
        return fuzz_choose(&m->random, 2) ? (double)NAN : (double)INFINITY;
    }
    gti_fuzz_number(&m->random, text);
    return strtod(text, NULL);
}

static int64_t odd_integer(FbxMutant* m)
{
    double value = odd_number(m);
    switch (fuzz_choose(&m->random, 4)) {
    case 0:
        return 46186158000 / 30 * (int64_t)fuzz_choose(&m->random, 40); // a time
    case 1:
        return -(int64_t)fuzz_choose(&m->random, 8);
    default:
        return fabs(value) < 9e18 ? (int64_t)value : fuzz_choose(&m->random, 2) ? INT64_MAX : INT64_MIN;
    }
}

static void set_text(FbxMutant* m, GtiFbxValue* value)
{
    GtiFbxNode* other = choose_node(m, has_values);
    GtiSlice text = { "", 0 };
    const char* word = words[fuzz_choose(&m->random, WORD_COUNT)];
    if (fuzz_choose(&m->random, 2) && other) {
        int32_t at = (int32_t)fuzz_choose(&m->random, (uint32_t)other->value_count);
        if (gti_fbx_string(gti_fbx_value(&m->tree, other, at), &text)) {
            word = text.text;
        }
    }
    *value = (GtiFbxValue){ .type = 'S',
                            .count = (uint32_t)(text.length ? text.length : strlen(word)),
                            .bytes = (const uint8_t*)word };
}

static void change_value(FbxMutant* m, GtiFbxNode* node)
{
    int32_t index = (int32_t)fuzz_choose(&m->random, (uint32_t)node->value_count);
    if (gti_fbx_is(node, "P") && node->value_count > 4 && fuzz_choose(&m->random, 4)) {
        index = 4 + (int32_t)fuzz_choose(&m->random, (uint32_t)node->value_count - 4);
    }
    GtiFbxValue* value = &m->tree.values[node->first_value + index];
    switch (value->type) {
    case 'C':
        value->integer = !value->integer;
        break;
    case 'Y':
    case 'I':
    case 'L':
        value->integer = fuzz_choose(&m->random, 3)
                             ? odd_integer(m)
                             : (int64_t)((uint64_t)value->integer + fuzz_choose(&m->random, 3) - 1);
        break;
    case 'F':
    case 'D':
        value->number = fuzz_choose(&m->random, 3) ? odd_number(m) : value->number * odd_number(m);
        break;
    case 'S':
        set_text(m, value);
        break;
    case 'R':
        value->count -= value->count ? fuzz_choose(&m->random, value->count) : 0;
        break;
    default:
        m->array = number_of(m, node);
    }
}

static void change_value_count(FbxMutant* m)
{
    GtiFbxNode* node = choose_node(m, has_values);
    if (node) {
        int32_t value = node->first_value + (int32_t)fuzz_choose(&m->random, (uint32_t)node->value_count);
        *(fuzz_choose(&m->random, 2) ? &m->extra_value : &m->missing_value) = value;
    }
}

static int64_t id_of(FbxMutant* m, const GtiFbxNode* object)
{
    int64_t id = 0;
    gti_fbx_integer(gti_fbx_value(&m->tree, object, 0), &id);
    return id;
}

static int64_t any_id(FbxMutant* m)
{
    const GtiFbxNode* object = fuzz_choose(&m->random, 8) ? choose_node(m, is_object) : NULL;
    return object ? id_of(m, object) : 0;
}

// One end of a connection goes to another object, or both are exchanged.
static void change_connection(FbxMutant* m)
{
    GtiFbxNode* node = choose_node(m, is_connection);
    if (!node) {
        return;
    }
    GtiFbxValue* values = &m->tree.values[node->first_value];
    uint32_t kind = fuzz_choose(&m->random, 5);
    if (kind == 0) {
        GtiFbxValue held = values[1];
        values[1] = values[2];
        values[2] = held;
    } else if (kind == 1) {
        set_text(m, &values[node->value_count > 3 ? 3 : 0]);
    } else {
        values[kind % 2 ? 1 : 2] = (GtiFbxValue){ .type = 'L', .integer = any_id(m) };
    }
    if (fuzz_choose(&m->random, 4) == 0) { // and the connection from before stays
        m->source = m->before = number_of(m, node);
    }
}

static void change_name(FbxMutant* m)
{
    GtiFbxNode* node = any_node(m);
    const GtiFbxNode* other = any_node(m);
    const char* word = words[fuzz_choose(&m->random, WORD_COUNT)];
    m->renamed = number_of(m, node);
    m->name =
        fuzz_choose(&m->random, 2) ? (GtiSlice){ word, strlen(word) } : (GtiSlice){ other->name, other->name_length };
}

// An object is there twice, the second time with an id of its own, which connections may be changed to.
static void copy_object(FbxMutant* m)
{
    const GtiFbxNode* node = choose_node(m, is_object);
    if (node) {
        m->source = m->before = number_of(m, node);
        m->new_id = 1 + (int64_t)fuzz_choose(&m->random, 1u << 30);
    }
}

static bool same_name(const GtiFbxNode* a, const GtiFbxNode* b)
{
    return a->name_length == b->name_length && memcmp(a->name, b->name, a->name_length) == 0;
}

// One node takes the place of another, mostly of one with its name; or goes beside it, or into it.
static void copy_or_move(FbxMutant* m)
{
    const GtiFbxNode* to = any_node(m);
    const GtiFbxNode* from = any_node(m);
    bool any = fuzz_choose(&m->random, 4) == 0;
    for (int i = 0; i < MOST_TRIES && !any && (from == to || !same_name(from, to)); ++i) {
        from = any_node(m);
        to = i % 4 == 3 ? any_node(m) : to;
    }
    m->source = number_of(m, from);
    uint32_t kind = fuzz_choose(&m->random, 4);
    m->left_out = kind == 0 ? number_of(m, to) : kind == 1 ? m->source : GT_NONE;
    *(kind == 3 ? &m->into : &m->before) = number_of(m, to);
}

// Set what is to change. Returns whether anything is.
static bool change(FbxMutant* m)
{
    GtiFbxNode* node = NULL;
    switch (fuzz_choose(&m->random, 12)) {
    case 0:
    case 1:
        node = choose_node(m, is_property);
        break;
    case 2:
        node = choose_node(m, has_values);
        break;
    case 3:
    case 4:
    case 5:
        node = choose_node(m, is_number_array);
        break;
    case 6:
    case 7:
        change_connection(m);
        return true;
    case 8:
        m->left_out = number_of(m, any_node(m));
        return true;
    case 9:
        copy_object(m);
        return true;
    case 10:
        copy_or_move(m);
        return true;
    default:
        if (fuzz_choose(&m->random, 2)) {
            change_name(m);
        } else {
            change_value_count(m);
        }
        return true;
    }
    if (node) {
        change_value(m, node);
    }
    return node != NULL;
}

static void change_element(FbxMutant* m, char type, uint8_t* at)
{
    if (type == 'd') {
        double value = odd_number(m);
        memcpy(at, &value, sizeof value);
    } else if (type == 'f') {
        float value = (float)odd_number(m);
        memcpy(at, &value, sizeof value);
    } else if (type == 'l') {
        int64_t value = odd_integer(m);
        memcpy(at, &value, sizeof value);
    } else {
        int32_t value = (int32_t)fuzz_choose(&m->random, 24);
        value = fuzz_choose(&m->random, 3) == 0 ? ~value : value; // the last corner of a polygon
        if (fuzz_choose(&m->random, 12) == 0) {
            value = (int32_t)odd_integer(m);
        }
        memcpy(at, &value, sizeof value);
    }
}

// Up to four neighbours change, or the array becomes shorter, or longer by repeating itself.
static uint32_t change_array(FbxMutant* m, char type, uint8_t* elements, uint32_t count, uint32_t room)
{
    uint32_t size = gti_fbx_element_size(type);
    uint32_t kind = fuzz_choose(&m->random, 8);
    if (kind == 0) {
        return fuzz_choose(&m->random, count);
    }
    if (kind == 1) {
        for (uint32_t i = count; i < room; ++i) {
            memcpy(elements + (size_t)i * size, elements + (size_t)(i - count) * size, size);
        }
        return count + 1 + fuzz_choose(&m->random, room - count);
    }
    uint32_t at = fuzz_choose(&m->random, count);
    for (uint32_t i = 1 + fuzz_choose(&m->random, 4); i > 0 && at < count; --i, ++at) {
        change_element(m, type, elements + (size_t)at * size);
    }
    return count;
}

static void put_text(FbxMutant* m, const uint8_t* bytes, uint32_t size, char type)
{
    size_t at = m->out.bytes.size;
    gti_fbx_put_bytes(&m->out, bytes, size);
    if (!m->out.bytes.failed) {
        m->out.bytes.data[at] = (uint8_t)type;
    }
}

static void put_array(FbxMutant* m, const GtiFbxNode* node)
{
    char type = m->tree.values[node->first_value].type;
    type = type == 'b' ? 'i' : type;
    uint32_t count = gti_fbx_array_count(&m->tree, node);
    if (count > MOST_ELEMENTS) {
        m->failed = true;
        return;
    }
    uint32_t room = 2 * count + 4;
    uint8_t* elements = calloc(room, sizeof(double));
    if (!elements || gti_fbx_decode(&m->tree, node, type, elements, NULL) != GT_OK) {
        m->failed = true;
    } else {
        if (number_of(m, node) == m->array && count > 0) {
            count = change_array(m, type, elements, count, room);
        }
        void* to = gti_fbx_begin_array(&m->out, type, count);
        if (to && count) {
            memcpy(to, elements, (size_t)count * gti_fbx_element_size(type));
        }
        if (m->deflates) {
            gti_fbx_end_array(&m->out);
        }
    }
    free(elements);
}

// The name of an object in a text file is "Class::Name".
static void put_object_name(FbxMutant* m, const GtiFbxValue* value)
{
    const char* text = (const char*)value->bytes;
    char name[256] = "";
    char class_name[64] = "";
    for (uint32_t i = 0; i + 1 < value->count && i < sizeof class_name; ++i) {
        if (text[i] == ':' && text[i + 1] == ':') {
            uint32_t length = value->count - i - 2;
            memcpy(class_name, text, i);
            memcpy(name, text + i + 2, length < sizeof name - 1 ? length : sizeof name - 1);
            gti_fbx_put_name(&m->out, name, class_name);
            return;
        }
    }
    put_text(m, value->bytes, value->count, 'S');
}

static void put_value(FbxMutant* m, const GtiFbxNode* node, const GtiFbxValue* value)
{
    switch (value->type) {
    case 'C':
        gti_fbx_put_bool(&m->out, value->integer != 0);
        break;
    case 'Y':
    case 'I':
        gti_fbx_put_int(&m->out, (int32_t)value->integer);
        break;
    case 'L':
        gti_fbx_put_long(&m->out, value->integer);
        break;
    case 'F':
    case 'D':
        gti_fbx_put_double(&m->out, value->number);
        break;
    case 'S':
        if (m->tree.is_text && is_in(m, node, "Objects")) {
            put_object_name(m, value);
            break;
        } // fall through
    case 'R':
        put_text(m, value->bytes, value->count, value->type);
        break;
    default: // one array of several
        break;
    }
}

static void begin_node(FbxMutant* m, const GtiFbxNode* node, bool is_copy)
{
    char name[256] = "";
    GtiSlice text = { node->name, node->name_length };
    if (number_of(m, node) == m->renamed) {
        text = m->name;
    }
    memcpy(name, text.text, text.length < sizeof name ? text.length : sizeof name - 1);
    gti_fbx_begin(&m->out, name);
    if (has_array(m, node)) {
        put_array(m, node);
        return;
    }
    for (int32_t i = node->first_value; i < node->first_value + node->value_count; ++i) {
        if (is_copy && m->new_id && i == node->first_value) {
            gti_fbx_put_long(&m->out, m->new_id);
        } else if (i != m->missing_value) {
            put_value(m, node, &m->tree.values[i]);
        }
        if (i == m->extra_value) {
            put_value(m, node, &m->tree.values[i]);
        }
    }
}

// A node and all that is in it. A copy is as the tree has it.
static void write_node(FbxMutant* m, const GtiFbxNode* node, bool is_copy)
{
    if (m->failed || m->out.depth + 1 >= GTI_FBX_OUT_DEPTH || m->out.bytes.size > MOST_ELEMENTS * 16) {
        m->failed = true;
        return;
    }
    int32_t number = number_of(m, node);
    if (!is_copy && number == m->before && m->source != GT_NONE) {
        write_node(m, &m->tree.nodes[m->source], true);
    }
    if (!is_copy && number == m->left_out) {
        return;
    }
    begin_node(m, node, is_copy && number == m->source);
    for (const GtiFbxNode* child = node + 1; child < gti_fbx_next(node); child = gti_fbx_next(child)) {
        write_node(m, child, is_copy);
    }
    if (!is_copy && number == m->into) {
        write_node(m, &m->tree.nodes[m->source], true);
    }
    gti_fbx_end(&m->out);
}

static void write_file(FbxMutant* m)
{
    static const uint8_t end[13] = { 0 };
    const GtiFbxNode* root = m->tree.nodes;
    m->out = gti_fbx_out_create(gt_default_allocator());
    gti_fbx_begin_file(&m->out);
    for (const GtiFbxNode* child = root + 1; child < gti_fbx_next(root); child = gti_fbx_next(child)) {
        write_node(m, child, false);
    }
    gti_bytes_add(&m->out.bytes, end, sizeof end); // readers go by this; the footer is left out
    gti_fbx_out_release(&m->out);
}

static bool find_parents(FbxMutant* m)
{
    m->parents = calloc((size_t)m->tree.node_count, sizeof *m->parents);
    for (int32_t i = 0; m->parents && i < m->tree.node_count; ++i) {
        const GtiFbxNode* node = &m->tree.nodes[i];
        for (const GtiFbxNode* child = node + 1; child < gti_fbx_next(node); child = gti_fbx_next(child)) {
            m->parents[number_of(m, child)] = i;
        }
    }
    return m->parents != NULL;
}

size_t gti_mutate_fbx(uint8_t* data, size_t size, size_t capacity, unsigned seed)
{
    GtContext context = gt_default_context();
    FbxMutant m = { .random = fuzz_random(seed),
                    .left_out = GT_NONE,
                    .source = GT_NONE,
                    .before = GT_NONE,
                    .into = GT_NONE,
                    .renamed = GT_NONE,
                    .array = GT_NONE,
                    .extra_value = GT_NONE,
                    .missing_value = GT_NONE };
    size_t changed = 0;
    if (size < 20 || gti_fbx_parse(&context, data, size, &m.tree, NULL) != GT_OK) {
        return 0;
    }
    m.deflates = fuzz_choose(&m.random, 8) == 0;
    if (m.tree.node_count > 1 && m.tree.node_count < MOST_NODES && find_parents(&m) && change(&m)) {
        write_file(&m);
        const GtiBytes* out = &m.out.bytes;
        if (!m.failed && !out->failed && out->size <= capacity) {
            memcpy(data, out->data, out->size);
            changed = out->size;
        }
        gti_bytes_release(&m.out.bytes);
    }
    free(m.parents);
    gti_fbx_tree_release(&m.tree);
    return changed;
}
