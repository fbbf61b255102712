// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writing FBX. The oracle is the parser of FBX files, and what follows from the format: matrices multiply, curves are
// straight between their keys, offsets lead from record to record.

#include "base/scalar.h"
#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/quat.h"
#include "io/fbx/graph.h"
#include "io/fbx/transform.h"
#include "io/fbx/write.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdlib.h>

static GtError error; // what GT_EXPECT_OK() shows
static const double ticks_per_s = 46186158000.0;

// A scene with two joints under a turned node, a skinned quad with a shape, and a clip.
typedef struct WriteCase {
    TestLog log;
    GtContext context;
    GtScene* scene;
    GtBlob* blob;
    GtiFbxTree tree;
    GtiFbxGraph graph;
} WriteCase;

static int32_t add_node(GtScene* scene, const char* name, int32_t parent, GtTransform local)
{
    GtNode node = gt_default_node();
    int32_t index = GT_NONE;
    node.name = name;
    node.parent = parent;
    node.local = local;
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, &index, &error));
    return index;
}

static int32_t add_data(GtScene* scene, GtAccessorUse use, GtElementType element, const void* data, uint64_t count)
{
    int32_t index = GT_NONE;
    GtComponentType type = use == GT_USE_INDICES ? GT_COMPONENT_UINT32 : GT_COMPONENT_FLOAT;
    GT_EXPECT_OK(gt_scene_add_data(scene, use, element, type, data, count, &index, &error));
    return index;
}

static GtAttribute* attribute(GtScene* scene, GtAttribute* at, const char* name, int32_t accessor)
{
    (void)scene;
    *at = (GtAttribute){ name, accessor };
    return at + 1;
}

static void add_quad(GtScene* scene, int32_t holder, const int32_t joints[2])
{
    static const float positions[] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 };
    static const float normals[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 };
    static const float texcoords[] = { 0, 0, 1, 0, 1, 0.25f, 0, 0.25f };
    static const float colors[] = { 1, 0.5f, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const float moved[] = { 0, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0 };
    static const float joint_values[] = { 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0 };
    static const float weights[] = { 1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 2, 2, 0, 0, 1, 0, 0, 0 };
    static const float inverse_binds[] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,     0, 0, 1,
                                           1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5f, 0, 0, 1 };
    static const uint32_t indices[] = { 0, 1, 2, 0, 2, 3 };
    uint16_t joint_bytes[16];
    for (int i = 0; i < 16; ++i) {
        joint_bytes[i] = (uint16_t)joint_values[i];
    }
    GtAttribute* attributes = gt_scene_push(scene, 6, sizeof *attributes);
    GtAttribute* at = attributes;
    at = attribute(scene, at, "POSITION", add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, positions, 4));
    at = attribute(scene, at, "NORMAL", add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, normals, 4));
    at = attribute(scene, at, "TEXCOORD_0", add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC2, texcoords, 4));
    at = attribute(scene, at, "COLOR_0", add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, colors, 4));
    int32_t joint_accessor = GT_NONE;
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, joint_bytes, 4,
                                   &joint_accessor, &error));
    at = attribute(scene, at, "JOINTS_0", joint_accessor);
    attribute(scene, at, "WEIGHTS_0", add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, weights, 4));
    GtAttribute* target_attribute = gt_scene_push(scene, 1, sizeof *target_attribute);
    attribute(scene, target_attribute, "POSITION", add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, moved, 4));
    GtMorphTarget* target = gt_scene_push(scene, 1, sizeof *target);
    *target = (GtMorphTarget){ target_attribute, 1 };
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    *primitive = (GtPrimitive){ .mode = GT_MODE_TRIANGLES,
                                .indices = add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, indices, 6),
                                .material = 0,
                                .attributes = attributes,
                                .attribute_count = 6,
                                .targets = target };
    const char** names = gt_scene_push(scene, 1, sizeof *names);
    names[0] = "smile";
    float* weight = gt_scene_push(scene, 1, sizeof *weight);
    weight[0] = 0.25f;
    GtMesh mesh = { .name = "quad",
                    .primitives = primitive,
                    .primitive_count = 1,
                    .target_count = 1,
                    .target_names = names,
                    .weights = weight,
                    .weight_count = 1 };
    int32_t* list = gt_scene_push(scene, 2, sizeof *list);
    memcpy(list, joints, 2 * sizeof *list);
    GtSkin skin = { .joints = list,
                    .joint_count = 2,
                    .inverse_bind = add_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, inverse_binds, 2),
                    .skeleton = GT_NONE };
    GtMaterial material = gt_default_material();
    material.name = "red";
    material.base_color[1] = 0.25f;
    GT_EXPECT_OK(gt_scene_add_material(scene, &material, NULL, &error));
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &scene->nodes[holder].mesh, &error));
    GT_EXPECT_OK(gt_scene_add_skin(scene, &skin, &scene->nodes[holder].skin, &error));
}

// A clip of one channel.
static void add_clip(GtScene* scene, const char* name, int32_t node, GtAnimationPath path, GtInterpolation kind,
                     const float* times, const float* values, uint64_t key_count, uint64_t value_count)
{
    static const GtElementType elements[] = { GT_ELEMENT_VEC3, GT_ELEMENT_VEC4, GT_ELEMENT_VEC3, GT_ELEMENT_SCALAR };
    GtAnimationSampler* sampler = gt_scene_push(scene, 1, sizeof *sampler);
    GtAnimationChannel* channel = gt_scene_push(scene, 1, sizeof *channel);
    sampler->input = add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, times, key_count);
    sampler->output = add_data(scene, GT_USE_DATA, elements[path], values, value_count);
    sampler->interpolation = kind;
    *channel = (GtAnimationChannel){ .sampler = 0, .node = node, .path = path };
    GtAnimation animation = {
        .name = name, .samplers = sampler, .sampler_count = 1, .channels = channel, .channel_count = 1
    };
    GT_EXPECT_OK(gt_scene_add_animation(scene, &animation, NULL, &error));
}

static GtTransform at(float x, float y, float z)
{
    GtTransform t = gt_transform_identity();
    t.translation = gt_vec3(x, y, z);
    return t;
}

static void begin(WriteCase* c)
{
    memset(c, 0, sizeof *c);
    c->context = test_context(&c->log);
    GT_EXPECT_OK(gt_scene_create(&c->context, &c->scene, &error));
}

static void write_it(WriteCase* c, const GtSaveDef* def)
{
    error = (GtError){ 0 };
    GT_EXPECT_OK(gt_scene_save_memory(&c->context, c->scene, "fbx", def, &c->blob, &error));
    GT_EXPECT_OK(gti_fbx_parse(&c->context, gt_blob_bytes(c->blob), gt_blob_size(c->blob), &c->tree, &error));
    GT_EXPECT_OK(gti_fbx_graph_make(&c->context, &c->tree, "written.fbx", &c->graph, &error));
}

static void end(WriteCase* c)
{
    gti_fbx_graph_release(&c->graph);
    gti_fbx_tree_release(&c->tree);
    gt_blob_release(c->blob);
    gt_scene_destroy(c->scene);
}

// The object of a type, name and subtype, or GT_NONE.
static int32_t find(const WriteCase* c, const char* type, const char* name, const char* subtype)
{
    for (int32_t i = 1; i < c->graph.object_count; ++i) {
        const GtiFbxObject* object = &c->graph.objects[i];
        if (gti_slice_is(object->type, type) && (!name || gti_slice_is(object->name, name)) &&
            gti_slice_is(object->subtype, subtype)) {
            return i;
        }
    }
    return GT_NONE;
}

static uint32_t read_doubles(const WriteCase* c, int32_t object, const char* name, double* out)
{
    const GtiFbxNode* node = gti_fbx_find(c->graph.objects[object].node, name);
    assert_non_null(node);
    GT_EXPECT_OK(gti_fbx_decode(&c->tree, node, 'd', out, &error));
    return gti_fbx_array_count(&c->tree, node);
}

static bool is_linked(const WriteCase* c, int32_t source, int32_t destination, const char* property)
{
    for (int32_t i = 0; i < c->graph.connection_count; ++i) {
        const GtiFbxConnection* link = &c->graph.connections[i];
        if (link->source == source && link->destination == destination && gti_slice_is(link->property, property)) {
            return true;
        }
    }
    return false;
}

static GtScene* make_character(WriteCase* c)
{
    static const float times[] = { 0, 1 };
    static const float rotations[] = { 0, 0, 0, 1, 0.5f, 0.5f, 0.5f, 0.5f };
    static const float weights[] = { 0, 0.5f };
    begin(c);
    GtTransform turned = at(0, 2, 0);
    turned.rotation = gt_quat(0, 0.70710678f, 0, 0.70710678f);
    int32_t top = add_node(c->scene, "top", GT_NONE, turned);
    int32_t hips = add_node(c->scene, "hips", top, at(0, 0, 0));
    int32_t knee = add_node(c->scene, "knee", hips, at(0.5f, 0, 0));
    int32_t body = add_node(c->scene, "body", GT_NONE, at(7, 8, 9)); // which glTF ignores
    add_quad(c->scene, body, (const int32_t[]){ hips, knee });
    add_clip(c->scene, "bend", knee, GT_PATH_ROTATION, GT_INTERPOLATION_LINEAR, times, rotations, 2, 2);
    add_clip(c->scene, "smile", body, GT_PATH_WEIGHTS, GT_INTERPOLATION_STEP, times, weights, 2, 2);
    return c->scene;
}

static void test_file_is_whole(void** state)
{
    (void)state;
    WriteCase c;
    make_character(&c);
    write_it(&c, NULL);
    const uint8_t* bytes = gt_blob_bytes(c.blob);
    size_t size = gt_blob_size(c.blob);
    assert_memory_equal(bytes, "Kaydara FBX Binary  \0\x1A", 23);
    assert_int_equal(gti_load_u32(bytes + 23), 7400);
    assert_memory_equal(bytes + size - 16, "\xF8\x5A\x8C\x6A\xDE\xF5\xD9\x7E\xEC\xE9\x0C\xE3\x75\x8F\x29\x0B", 16);
    assert_int_equal(gti_load_u32(bytes + size - 140), 7400);
    assert_int_equal((size - 140) % 16, 0);
    GtBlob* again = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&c.context, c.scene, "fbx", NULL, &again, &error));
    assert_int_equal(gt_blob_size(again), size);
    assert_memory_equal(gt_blob_bytes(again), bytes, size);
    gt_blob_release(again);
    GT_EXPECT_NEAR(c.graph.settings.unit_cm, 1.0, 0.0);
    assert_int_equal(c.graph.settings.up_axis, 1);
    assert_int_equal(c.graph.settings.front_axis, 2);
    assert_int_equal(c.graph.settings.coord_axis, 0);
    // The definitions count what is there.
    const GtiFbxNode* definitions = gti_fbx_find(c.tree.nodes, "Definitions");
    int64_t total = 0;
    assert_true(gti_fbx_integer(gti_fbx_value(&c.tree, gti_fbx_find(definitions, "Count"), 0), &total));
    assert_int_equal(total, c.graph.object_count);
    assert_null(strstr(c.log.text, "names"));
    end(&c);
}

// With the mesh where its model is and joints where TransformLink has them, Transform takes the mesh to the joint.
static void test_skin_binds_as_in_gltf(void** state)
{
    (void)state;
    WriteCase c;
    make_character(&c);
    write_it(&c, NULL);
    int32_t hips = find(&c, "Model", "hips", "LimbNode");
    int32_t knee = find(&c, "Model", "knee", "LimbNode");
    int32_t body = find(&c, "Model", "body", "Mesh");
    int32_t cluster = find(&c, "Deformer", "knee", "Cluster");
    assert_true(hips > 0 && knee > 0 && body > 0 && cluster > 0);
    assert_true(find(&c, "Model", "top", "Null") > 0);
    assert_true(is_linked(&c, knee, cluster, ""));
    double transform[16], link[16], pose[3];
    assert_int_equal(read_doubles(&c, cluster, "Transform", transform), 16);
    assert_int_equal(read_doubles(&c, cluster, "TransformLink", link), 16);
    GT_EXPECT_NEAR(transform[12], -50.0, 1e-9); // inverse bind, in centimetres
    // At rest the knee is at (0, 200, -50): half a metre along X, turned about Y, and lifted.
    GT_EXPECT_NEAR(link[12], 0.0, 1e-4);
    GT_EXPECT_NEAR(link[13], 200.0, 1e-4);
    GT_EXPECT_NEAR(link[14], -50.0, 1e-4);
    // So the mesh stands where the node above the joints does, not at (7, 8, 9).
    assert_true(gti_fbx_property_vector(&c.graph, body, "Lcl Translation", pose));
    GT_EXPECT_NEAR(pose[0], 0.0, 1e-4);
    GT_EXPECT_NEAR(pose[1], 200.0, 1e-4);
    assert_true(gti_fbx_property_vector(&c.graph, body, "Lcl Rotation", pose));
    GT_EXPECT_NEAR(pose[1], 90.0, 1e-3);
    double weights[8];
    assert_int_equal(read_doubles(&c, cluster, "Weights", weights), 3);
    GT_EXPECT_NEAR(weights[0], 0.75, 1e-6);
    GT_EXPECT_NEAR(weights[1], 0.5, 1e-6); // normalised
    assert_true(find(&c, "Pose", "BindPose", "BindPose") > 0);
    end(&c);
}

static void test_mesh_layers(void** state)
{
    (void)state;
    WriteCase c;
    make_character(&c);
    write_it(&c, NULL);
    int32_t geometry = find(&c, "Geometry", "body", "Mesh");
    double values[32];
    assert_int_equal(read_doubles(&c, geometry, "Vertices", values), 12);
    GT_EXPECT_NEAR(values[3], 100.0, 0.0);
    assert_int_equal(read_doubles(&c, geometry, "PolygonVertexIndex", values), 6);
    GT_EXPECT_NEAR(values[2], -3.0, 0.0); // ~2
    GT_EXPECT_NEAR(values[5], -4.0, 0.0);
    const GtiFbxNode* uv = gti_fbx_find(gti_fbx_find(c.graph.objects[geometry].node, "LayerElementUV"), "UV");
    GT_EXPECT_OK(gti_fbx_decode(&c.tree, uv, 'd', values, &error));
    GT_EXPECT_NEAR(values[1], 1.0, 0.0); // V runs upwards
    GT_EXPECT_NEAR(values[5], 0.75, 0.0);
    const GtiFbxNode* color = gti_fbx_find(gti_fbx_find(c.graph.objects[geometry].node, "LayerElementColor"), "Colors");
    GT_EXPECT_OK(gti_fbx_decode(&c.tree, color, 'd', values, &error));
    GT_EXPECT_NEAR(values[1], gti_srgb_from_linear(0.5), 1e-7);
    int32_t shape = find(&c, "Geometry", "smile", "Shape");
    int32_t knee = find(&c, "Model", "knee", "LimbNode");
    int32_t rotated = 0; // in both clips: bent in one, and at rest in the other
    for (int32_t i = 1; i < c.graph.object_count; ++i) {
        rotated +=
            gti_slice_is(c.graph.objects[i].type, "AnimationCurveNode") && is_linked(&c, i, knee, "Lcl Rotation");
    }
    assert_int_equal(rotated, 2);
    int32_t channel = find(&c, "Deformer", "smile", "BlendShapeChannel");
    assert_int_equal(read_doubles(&c, shape, "Vertices", values), 3);
    GT_EXPECT_NEAR(values[1], 50.0, 0.0);
    assert_int_equal(read_doubles(&c, shape, "Indexes", values), 1);
    GT_EXPECT_NEAR(values[0], 2.0, 0.0);
    GT_EXPECT_NEAR(gti_fbx_property_number(&c.graph, channel, "DeformPercent", -1.0), 25.0, 1e-6);
    assert_true(is_linked(&c, shape, channel, ""));
    double diffuse[3];
    int32_t material = find(&c, "Material", "red", "");
    assert_true(gti_fbx_property_vector(&c.graph, material, "DiffuseColor", diffuse));
    GT_EXPECT_NEAR(diffuse[1], 0.25, 1e-7);
    assert_true(is_linked(&c, material, find(&c, "Model", "body", "Mesh"), ""));
    end(&c);
}

// Euler angles of the curves of a rotation, straight between keys, at a time.
static GtQuat play_rotation(const WriteCase* c, int32_t model, double time_s)
{
    int32_t node = GT_NONE;
    double degrees[3] = { 0 };
    static const char* const axes[] = { "d|X", "d|Y", "d|Z" };
    for (int32_t i = 1; i < c->graph.object_count; ++i) {
        node = is_linked(c, i, model, "Lcl Rotation") ? i : node;
    }
    assert_true(node > 0);
    for (int axis = 0; axis < 3; ++axis) {
        static double times[1 << 16], values[1 << 16];
        int32_t curve = GT_NONE;
        for (int32_t i = 1; i < c->graph.object_count; ++i) {
            curve = is_linked(c, i, node, axes[axis]) ? i : curve;
        }
        uint32_t count = read_doubles(c, curve, "KeyTime", times);
        assert_int_equal(read_doubles(c, curve, "KeyValueFloat", values), count);
        uint32_t k = 0;
        while (k + 2 < count && times[k + 1] < time_s * ticks_per_s) {
            ++k;
        }
        double t = count > 1 ? (time_s * ticks_per_s - times[k]) / (times[k + 1] - times[k]) : 0.0;
        degrees[axis] = count > 1 ? gti_mix(values[k], values[k + 1], gti_clamp(t, 0.0, 1.0)) : values[0];
    }
    GtiQuat q = gti_fbx_rotation(gti_vec(degrees[0], degrees[1], degrees[2]), GTI_FBX_XYZ);
    return gti_quat_to_float(q);
}

// Through the pole of the angles, by half turns, and there and back: never more than 0.01 degrees off the slerp.
static void test_angles_follow_quaternions(void** state)
{
    (void)state;
    static const float ends[][8] = {
        { 0, 0, 0, 1, 0.5f, 0.5f, 0.5f, 0.5f },
        { 0, 0, 0, 1, 0, 0.9999619f, 0, 0.0087265f },         // 179 degrees about Y
        { 0, 0.70710678f, 0, 0.70710678f, 0.6f, 0, 0.8f, 0 }, // from the pole
        { 0.70710678f, 0, 0.70710678f, 0, 0, 0.70710678f, 0.70710678f, 0 },
        { 0.1f, 0.7f, 0.1f, 0.7f, -0.1f, -0.7f, 0.1f, -0.7f }, // the other sign, near the pole
        { 0, 0, 0, 1, 0, 0, 0, 1 },
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        static const float times[] = { 0.25f, 1.25f };
        WriteCase c;
        float values[8];
        GtQuat q[2];
        begin(&c);
        for (int k = 0; k < 2; ++k) {
            const float* v = &ends[i][4 * k];
            q[k] = gt_quat_normalize(gt_quat(v[0], v[1], v[2], v[3]));
            memcpy(values + 4 * k, &q[k], sizeof q[k]);
        }
        int32_t node = add_node(c.scene, "joint", GT_NONE, at(0, 0, 0));
        add_clip(c.scene, "turn", node, GT_PATH_ROTATION, GT_INTERPOLATION_LINEAR, times, values, 2, 2);
        write_it(&c, NULL);
        int32_t model = find(&c, "Model", "joint", "LimbNode");
        for (int k = 0; k <= 100; ++k) {
            GtQuat expected = gt_quat_slerp(q[0], q[1], (float)k / 100.0f);
            GtQuat got = play_rotation(&c, model, 0.25 + k / 100.0);
            GT_EXPECT_NEAR(gt_quat_angle_rad(expected, got) / GTI_DEGREE, 0.0, 0.02); // of which 0.01 is the float's
        }
        end(&c);
    }
}

static void test_clips(void** state)
{
    (void)state;
    WriteCase c;
    make_character(&c);
    write_it(&c, NULL);
    assert_true(find(&c, "AnimationStack", "bend", "") > 0);
    int32_t stack = find(&c, "AnimationStack", "smile", "");
    assert_int_equal(gti_fbx_property_integer(&c.graph, stack, "LocalStop", 0), (int64_t)ticks_per_s);
    int32_t channel = find(&c, "Deformer", "smile", "BlendShapeChannel");
    int32_t node = find(&c, "AnimationCurveNode", "DeformPercent", "");
    assert_true(is_linked(&c, node, channel, "DeformPercent"));
    for (int32_t i = 1; i < c.graph.object_count; ++i) {
        if (is_linked(&c, i, node, "d|DeformPercent")) {
            double values[4];
            assert_int_equal(read_doubles(&c, i, "KeyValueFloat", values), 2);
            GT_EXPECT_NEAR(values[1], 50.0, 0.0);
            read_doubles(&c, i, "KeyAttrFlags", values);
            GT_EXPECT_NEAR(values[0], 2.0, 0.0); // constant
        }
    }
    end(&c);
}

static void test_names_are_unique_and_safe(void** state)
{
    (void)state;
    WriteCase c;
    begin(&c);
    add_node(c.scene, "a", GT_NONE, at(0, 0, 0));
    add_node(c.scene, "a", GT_NONE, at(0, 0, 0));
    add_node(c.scene, "a_1", GT_NONE, at(0, 0, 0));
    add_node(c.scene, "", GT_NONE, at(0, 0, 0));
    add_node(c.scene, NULL, GT_NONE, at(0, 0, 0));
    add_node(c.scene, "b\x01\nc", GT_NONE, at(0, 0, 0));
    add_node(c.scene, "\xC3\xA9::Model", GT_NONE, at(0, 0, 0));
    write_it(&c, NULL);
    int32_t count = 0;
    for (int32_t i = 1; i < c.graph.object_count; ++i) {
        const GtiFbxObject* object = &c.graph.objects[i];
        count += gti_slice_is(object->type, "Model");
        for (int32_t k = 1; k < i && gti_slice_is(object->type, "Model"); ++k) {
            const GtiFbxObject* other = &c.graph.objects[k];
            assert_false(gti_slice_is(other->type, "Model") && other->name.length == object->name.length &&
                         memcmp(other->name.text, object->name.text, object->name.length) == 0);
        }
    }
    assert_int_equal(count, 7);
    assert_true(find(&c, "Model", "b__c", "LimbNode") > 0);
    assert_true(find(&c, "Model", "\xC3\xA9::Model", "LimbNode") > 0);
    assert_int_equal(c.log.warning_count, 1);
    end(&c);
}

static void test_added_joints(void** state)
{
    (void)state;
    WriteCase c;
    make_character(&c);
    GtSaveDef def = gt_default_save_def();
    def.end_joints = def.root_joint = true;
    write_it(&c, &def);
    int32_t root = find(&c, "Model", "root", "LimbNode");
    int32_t tip = find(&c, "Model", "knee_end", "LimbNode");
    assert_true(root > 0 && tip > 0);
    assert_true(is_linked(&c, find(&c, "Model", "top", "Null"), root, ""));
    assert_true(is_linked(&c, tip, find(&c, "Model", "knee", "LimbNode"), ""));
    double offset[3];
    assert_true(gti_fbx_property_vector(&c.graph, tip, "Lcl Translation", offset));
    GT_EXPECT_NEAR(offset[0], 25.0, 1e-4);
    assert_int_equal(find(&c, "Model", "hips_end", "LimbNode"), GT_NONE);
    end(&c);
}

static void test_shear_is_said(void** state)
{
    (void)state;
    static const float sheared[16] = { 1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    WriteCase c;
    begin(&c);
    int32_t node = add_node(c.scene, "a", GT_NONE, at(0, 0, 0));
    c.scene->nodes[node].matrix = sheared;
    write_it(&c, NULL);
    assert_non_null(strstr(c.log.text, "shear"));
    c.context.strict = true;
    GtBlob* blob = NULL;
    error = (GtError){ 0 };
    GT_EXPECT_ERROR(gt_scene_save_memory(&c.context, c.scene, "fbx", NULL, &blob, &error), error.code, "shear");
    assert_int_not_equal(error.code, GT_OK);
    end(&c);
}

// What does not fit into offsets of 32 bits is refused before memory is asked for.
static void test_huge_arrays_are_refused(void** state)
{
    (void)state;
    TestAllocator counted = { .remaining = -1 };
    GtiFbxOut out = gti_fbx_out_create(test_allocator(&counted));
    gti_fbx_begin_file(&out);
    gti_fbx_begin(&out, "Vertices");
    assert_null(gti_fbx_begin_array(&out, 'd', 300000000));
    gti_fbx_end_array(&out);
    gti_fbx_end(&out);
    gti_fbx_end_file(&out);
    assert_true(out.is_too_large);
    assert_true(out.bytes.failed);
    assert_int_equal(counted.made, 1);
    gti_bytes_release(&out.bytes);
    gti_fbx_out_release(&out);
    assert_int_equal(counted.alive, 0);
}

// Pictures are in the file to the byte, and found from the property that they drive.
static void test_pictures_are_embedded(void** state)
{
    (void)state;
    WriteCase c;
    make_character(&c);
    GtImage image = { .name = "skin/tone", .uri = "data:image/png;base64,iVBORw0KGgo=", .view = GT_NONE };
    GtTexture texture = { .sampler = GT_NONE };
    GT_EXPECT_OK(gt_scene_add_image(c.scene, &image, &texture.image, &error));
    GtTextureRef* ref = &c.scene->materials[0].base_color_texture;
    *ref = (GtTextureRef){ .scale = 1.0f };
    GT_EXPECT_OK(gt_scene_add_texture(c.scene, &texture, &ref->texture, &error));
    c.scene->materials[0].normal_texture = *ref;
    write_it(&c, NULL);
    int32_t video = find(&c, "Video", "skin_tone.png", "Clip");
    assert_true(video > 0);
    const GtiFbxNode* content = gti_fbx_find(c.graph.objects[video].node, "Content");
    const GtiFbxValue* value = gti_fbx_value(&c.tree, content, 0);
    assert_int_equal(value->type, 'R');
    assert_int_equal(value->count, 8);
    assert_memory_equal(value->bytes, "\x89PNG\r\n\x1A\n", 8);
    int32_t material = find(&c, "Material", "red", "");
    int driven = 0;
    for (int32_t i = 1; i < c.graph.object_count; ++i) {
        driven += is_linked(&c, i, material, "DiffuseColor") && is_linked(&c, video, i, "");
        driven += is_linked(&c, i, material, "NormalMap") && is_linked(&c, video, i, "");
    }
    assert_int_equal(driven, 2);
    end(&c);
}

// Each allocation fails in turn; the file is there whole or not at all.
static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    WriteCase c;
    TestFolder folder;
    test_folder_create(&folder);
    make_character(&c);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result == GT_ERROR_OUT_OF_MEMORY; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        error = (GtError){ 0 };
        size_t size = 0;
        result = gt_scene_save(&context, c.scene, test_folder_path(&folder, "a.fbx"), NULL, &error);
        uint8_t* written = test_folder_get(&folder, "a.fbx", &size);
        assert_int_equal(written != NULL, result == GT_OK);
        free(written);
        assert_int_equal(error.code, result);
        assert_int_equal(limited.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    error = (GtError){ 0 };
    GT_EXPECT_ERROR(gt_scene_save(&c.context, c.scene, "/nowhere/at/all.fbx", NULL, &error), error.code, "");
    assert_int_not_equal(error.code, GT_OK);
    test_folder_remove(&folder);
    gt_scene_destroy(c.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_is_whole),
        cmocka_unit_test(test_skin_binds_as_in_gltf),
        cmocka_unit_test(test_mesh_layers),
        cmocka_unit_test(test_angles_follow_quaternions),
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_names_are_unique_and_safe),
        cmocka_unit_test(test_added_joints),
        cmocka_unit_test(test_shear_is_said),
        cmocka_unit_test(test_huge_arrays_are_refused),
        cmocka_unit_test(test_pictures_are_embedded),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
