// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One fault at a time is put into a sound scene; validation must name its place. The sound scene is the oracle's other
// half: it must pass, or every fault would be found for the wrong reason.

#include "support/test.h"

#include "gertie/accessor.h"

typedef struct Fixture {
    GtContext context;
    TestLog log;
    GtScene* scene;
    GtPrimitive primitive;
    GtAttribute attributes[3];
    GtMorphTarget target;
    GtAttribute target_attributes[1];
    GtMesh mesh;
    GtSkin skin;
    int32_t joints[2];
    GtAnimationSampler sampler;
    GtAnimationChannel channel;
    float* positions;
    float* times;
    uint16_t* corners;
    uint16_t* joint_indices;
} Fixture;

static void* data_of(Fixture* f, int32_t accessor)
{
    return (void*)gt_blob_bytes(
        f->scene->buffers[f->scene->buffer_views[f->scene->accessors[accessor].view].buffer].blob);
}

static int32_t add(Fixture* f, GtAccessorUse use, GtElementType element, GtComponentType component, const void* data,
                   uint64_t count)
{
    GtError error;
    int32_t index = GT_NONE;
    GT_EXPECT_OK(gt_scene_add_data(f->scene, use, element, component, data, count, &index, &error));
    return index;
}

static void add_mesh(Fixture* f)
{
    static const float positions[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static const float moves[9] = { 0, 0, 1, 0, 0, 0, 0, 0, 0 };
    static const float weights[12] = { 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0, 1, 0, 0 };
    static const uint16_t joints[12] = { 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0 };
    static const uint16_t corners[3] = { 0, 1, 2 };
    f->attributes[0] =
        (GtAttribute){ "POSITION", add(f, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, positions, 3) };
    f->attributes[1] =
        (GtAttribute){ "JOINTS_0", add(f, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, joints, 3) };
    f->attributes[2] =
        (GtAttribute){ "WEIGHTS_0", add(f, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, weights, 3) };
    f->target_attributes[0] =
        (GtAttribute){ "POSITION", add(f, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, moves, 3) };
    f->target = (GtMorphTarget){ f->target_attributes, 1 };
    f->primitive = (GtPrimitive){
        .mode = GT_MODE_TRIANGLES,
        .indices = add(f, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT16, corners, 3),
        .material = GT_NONE,
        .attributes = f->attributes,
        .attribute_count = 3,
        .targets = &f->target,
    };
    f->mesh = (GtMesh){ .primitives = &f->primitive, .primitive_count = 1, .target_count = 1 };
    f->positions = data_of(f, f->attributes[0].accessor);
    f->joint_indices = data_of(f, f->attributes[1].accessor);
    f->corners = data_of(f, f->primitive.indices);
}

static void set_up(Fixture* f)
{
    GtError error;
    memset(f, 0, sizeof *f);
    f->context = test_context(&f->log);
    GT_EXPECT_OK(gt_scene_create(&f->context, &f->scene, &error));
    add_mesh(f);
    GT_EXPECT_OK(gt_scene_add_mesh(f->scene, &f->mesh, NULL, &error));
    for (int i = 0; i < 3; ++i) { // root, joint, mesh
        GtNode node = gt_default_node();
        node.parent = i == 1 ? 0 : GT_NONE;
        node.mesh = i == 2 ? 0 : GT_NONE;
        node.skin = i == 2 ? 0 : GT_NONE;
        GT_EXPECT_OK(gt_scene_add_node(f->scene, &node, NULL, &error));
    }
    f->joints[1] = 1;
    f->skin = (GtSkin){ .joints = f->joints, .joint_count = 2, .inverse_bind = GT_NONE, .skeleton = GT_NONE };
    GT_EXPECT_OK(gt_scene_add_skin(f->scene, &f->skin, NULL, &error));
    static const float times[3] = { 0.0f, 0.5f, 1.0f };
    static const float turns[12] = { 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1 };
    f->sampler = (GtAnimationSampler){
        .input = add(f, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, 3),
        .output = add(f, GT_USE_DATA, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, turns, 3),
    };
    f->times = data_of(f, f->sampler.input);
    f->channel = (GtAnimationChannel){ .node = 1, .path = GT_PATH_ROTATION };
    GtAnimation animation = {
        .samplers = &f->sampler, .sampler_count = 1, .channels = &f->channel, .channel_count = 1
    };
    GT_EXPECT_OK(gt_scene_add_animation(f->scene, &animation, NULL, &error));
}

static void child_out_of_range(Fixture* f)
{
    ((int32_t*)f->scene->nodes[0].children)[0] = 7;
}

static void two_parents(Fixture* f)
{
    f->scene->nodes[2].children = f->scene->nodes[0].children;
    f->scene->nodes[2].child_count = 1;
}

static void cycle(Fixture* f)
{
    static const int32_t zero = 0;
    f->scene->nodes[1].children = &zero;
    f->scene->nodes[1].child_count = 1;
    f->scene->nodes[0].parent = 1;
}

static void nan_transform(Fixture* f)
{
    f->scene->nodes[1].local.translation.y = NAN;
}

static void mesh_out_of_range(Fixture* f)
{
    f->scene->nodes[2].mesh = 1;
}

static void view_past_the_end(Fixture* f)
{
    f->scene->buffer_views[0].size += 1;
}

static void view_offset_wraps(Fixture* f)
{
    f->scene->buffer_views[0].offset = UINT64_MAX - 3;
}

static void accessor_past_the_end(Fixture* f)
{
    f->scene->accessors[0].count = 4;
}

static void accessor_of_giants(Fixture* f)
{
    f->scene->accessors[0].count = UINT64_MAX / 2;
}

static void zeros_without_end(Fixture* f)
{
    f->scene->accessors[0].view = GT_NONE;
    f->scene->accessors[0].count = (uint64_t)1 << 40;
}

static void no_component_type(Fixture* f)
{
    f->scene->accessors[0].component_type = (GtComponentType)5124;
}

static void stride_too_small(Fixture* f)
{
    f->scene->buffer_views[0].stride = 4;
}

static void corner_out_of_range(Fixture* f)
{
    f->corners[2] = 3;
}

static void joint_out_of_range(Fixture* f)
{
    f->joint_indices[5] = 2;
}

static void nan_position(Fixture* f)
{
    f->positions[4] = NAN;
}

static void attribute_of_wrong_shape(Fixture* f)
{
    f->attributes[0].accessor = f->attributes[2].accessor;
}

static void attributes_of_two_lengths(Fixture* f)
{
    f->scene->accessors[f->attributes[2].accessor].count = 2;
}

static void target_out_of_range(Fixture* f)
{
    f->target_attributes[0].accessor = 99;
}

static void skin_joint_out_of_range(Fixture* f)
{
    f->joints[0] = -2;
}

static void bind_of_wrong_shape(Fixture* f)
{
    f->scene->skins[0].inverse_bind = 0;
}

static void time_goes_back(Fixture* f)
{
    f->times[2] = 0.25f;
}

static void too_few_values(Fixture* f)
{
    f->sampler.interpolation = GT_INTERPOLATION_CUBICSPLINE;
}

static void sampler_out_of_range(Fixture* f)
{
    f->channel.sampler = 1;
}

static void value_of_wrong_shape(Fixture* f)
{
    f->channel.path = GT_PATH_TRANSLATION;
}

static void test_each_fault_is_named_by_its_place(void** state)
{
    (void)state;
    static const struct {
        void (*break_it)(Fixture*);
        const char* place;
    } cases[] = {
        { child_out_of_range, "nodes[0].children[0]" },
        { two_parents, "nodes[2].children[0]" },
        { cycle, "cycle" },
        { nan_transform, "nodes[1]" },
        { mesh_out_of_range, "nodes[2].mesh" },
        { view_past_the_end, "bufferViews[0]" },
        { view_offset_wraps, "bufferViews[0]" },
        { accessor_past_the_end, "accessors[0]" },
        { accessor_of_giants, "accessors[0]" },
        { zeros_without_end, "accessors[0]" },
        { no_component_type, "accessors[0]" },
        { stride_too_small, "accessors[0]" },
        { corner_out_of_range, "meshes[0].primitives[0].indices" },
        { joint_out_of_range, "meshes[0].primitives[0].attributes.JOINTS_0" },
        { nan_position, "meshes[0].primitives[0].attributes.POSITION" },
        { attribute_of_wrong_shape, "meshes[0].primitives[0].attributes.POSITION" },
        { attributes_of_two_lengths, "meshes[0].primitives[0].attributes.WEIGHTS_0" },
        { target_out_of_range, "meshes[0].primitives[0].targets[0].POSITION" },
        { skin_joint_out_of_range, "skins[0].joints[0]" },
        { bind_of_wrong_shape, "skins[0].inverseBindMatrices" },
        { time_goes_back, "animations[0].samplers[0].input" },
        { too_few_values, "animations[0].channels[0]" },
        { sampler_out_of_range, "animations[0].channels[0]" },
        { value_of_wrong_shape, "animations[0].channels[0]" },
    };
    GtError error;
    Fixture f;
    set_up(&f);
    GT_EXPECT_OK(gt_scene_validate(&f.context, f.scene, &error));
    assert_string_equal(f.log.text, "");
    gt_scene_destroy(f.scene);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        set_up(&f);
        cases[i].break_it(&f);
        GtResult result = gt_scene_validate(&f.context, f.scene, &error);
        char text[1024] = "(valid)";
        if (result != GT_OK) {
            gt_error_format(&error, text, sizeof text);
        }
        if (!strstr(text, cases[i].place)) {
            fail_msg("wanted '%s', got '%s'", cases[i].place, text);
        }
        gt_scene_destroy(f.scene);
    }
}

static void test_what_can_be_repaired_is_a_warning_unless_strict(void** state)
{
    (void)state;
    GtError error;
    Fixture f;
    set_up(&f);
    f.times[1] = f.times[0];
    GT_EXPECT_OK(gt_scene_validate(&f.context, f.scene, &error));
    assert_int_equal(f.log.warning_count, 1);
    f.context.strict = true;
    GT_EXPECT_ERROR(gt_scene_validate(&f.context, f.scene, &error), GT_ERROR_STRICT, "animations[0].samplers[0].input");
    gt_scene_destroy(f.scene);
}

static bool stop(void* user, const char* task, double fraction)
{
    (void)user;
    (void)task;
    (void)fraction;
    return false;
}

static void test_a_caller_can_cancel(void** state)
{
    (void)state;
    GtError error;
    Fixture f;
    set_up(&f);
    f.context.progress = stop;
    GT_EXPECT_ERROR(gt_scene_validate(&f.context, f.scene, &error), GT_ERROR_CANCELLED, "checking");
    gt_scene_destroy(f.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fault_is_named_by_its_place),
        cmocka_unit_test(test_what_can_be_repaired_is_a_warning_unless_strict),
        cmocka_unit_test(test_a_caller_can_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
