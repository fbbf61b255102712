// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The sample figure's body: a capsule for every limb, an egg for the head, closed and smooth, with two influences where
// limbs meet. Left is teal, right is orange, the middle cream, so that one sees at once which side is which.

#include "gertie/sample.h"

#include "gertie/accessor.h"

#include "base/fail.h"
#include "sample/figure_skeleton.h"

#include <math.h>
#include <string.h>

enum {
    CAP_RINGS = 6,
    BODY_RINGS = 6,
    RINGS = 2 * CAP_RINGS + BODY_RINGS,
    INFLUENCES = 4
};

// A capsule along a line, in heights. `blend` is the share of its length over which it goes over into a neighbour.
typedef struct Part {
    GtHumanoidJoint joint;
    int32_t before, after; // humanoid joints it shares its two ends with, or GT_NONE
    GtVec3 from, to;
    float radius_from, radius_to;
    float width, depth; // of the cross-section, relative to the radius: along x and z (limbs along x: y and z)
    float blend;
} Part;

#define NO GT_NONE
// clang-format off
static const Part middle_parts[] = {
    { GT_HUMANOID_HIPS, NO, GT_HUMANOID_SPINE, { 0, 0.505f, 0 }, { 0, 0.560f, 0 }, 0.062f, 0.058f, 1.35f, 1.0f, 0.5f },
    { GT_HUMANOID_SPINE, GT_HUMANOID_HIPS, GT_HUMANOID_CHEST, { 0, 0.565f, 0 }, { 0, 0.655f, 0 }, 0.056f, 0.060f, 1.30f, 1.0f, 0.4f },
    { GT_HUMANOID_CHEST, GT_HUMANOID_SPINE, GT_HUMANOID_UPPER_CHEST, { 0, 0.655f, 0 }, { 0, 0.735f, 0 }, 0.060f, 0.066f, 1.35f, 1.0f, 0.4f },
    { GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_CHEST, NO, { 0, 0.735f, 0 }, { 0, 0.780f, -0.003f }, 0.066f, 0.052f, 1.45f, 1.0f, 0.4f },
    { GT_HUMANOID_NECK, GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_HEAD, { 0, 0.815f, -0.004f }, { 0, 0.880f, 0 }, 0.032f, 0.029f, 1.0f, 1.0f, 0.3f },
    { GT_HUMANOID_HEAD, NO, NO, { 0, 0.905f, 0.006f }, { 0, 0.944f, 0.002f }, 0.049f, 0.056f, 0.95f, 1.12f, 0.0f },
    { GT_HUMANOID_HEAD, NO, NO, { 0, 0.925f, 0.056f }, { 0, 0.912f, 0.070f }, 0.007f, 0.010f, 1.0f, 1.0f, 0.0f },
};
static const Part left_parts[] = {
    { GT_HUMANOID_LEFT_SHOULDER, GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_LEFT_UPPER_ARM, { 0.025f, 0.800f, -0.003f }, { 0.112f, 0.808f, -0.005f }, 0.040f, 0.038f, 1.0f, 1.0f, 0.3f },
    { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_SHOULDER, GT_HUMANOID_LEFT_LOWER_ARM, { 0.115f, 0.812f, -0.005f }, { 0.301f, 0.812f, -0.005f }, 0.036f, 0.026f, 1.0f, 1.0f, 0.15f },
    { GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_HAND, { 0.301f, 0.812f, -0.005f }, { 0.447f, 0.812f, -0.005f }, 0.027f, 0.018f, 1.0f, 1.0f, 0.15f },
    { GT_HUMANOID_LEFT_HAND, GT_HUMANOID_LEFT_LOWER_ARM, NO, { 0.450f, 0.812f, -0.004f }, { 0.528f, 0.810f, 0.000f }, 0.019f, 0.017f, 0.7f, 1.5f, 0.2f },
    { GT_HUMANOID_LEFT_HAND, NO, NO, { 0.464f, 0.809f, 0.014f }, { 0.487f, 0.804f, 0.046f }, 0.011f, 0.009f, 1.0f, 1.0f, 0.0f },
    { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_HIPS, GT_HUMANOID_LEFT_LOWER_LEG, { 0.052f, 0.505f, 0 }, { 0.052f, 0.285f, 0.003f }, 0.055f, 0.036f, 1.0f, 1.05f, 0.15f },
    { GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_FOOT, { 0.052f, 0.285f, 0.003f }, { 0.052f, 0.055f, -0.008f }, 0.037f, 0.024f, 1.0f, 1.05f, 0.15f },
    { GT_HUMANOID_LEFT_FOOT, NO, GT_HUMANOID_LEFT_TOES, { 0.052f, 0.026f, -0.022f }, { 0.056f, 0.020f, 0.070f }, 0.026f, 0.020f, 1.15f, 1.0f, 0.3f },
    { GT_HUMANOID_LEFT_TOES, GT_HUMANOID_LEFT_FOOT, NO, { 0.056f, 0.020f, 0.072f }, { 0.058f, 0.018f, 0.096f }, 0.020f, 0.018f, 1.25f, 1.0f, 0.5f },
};
// clang-format on

enum {
    MIDDLE_COUNT = sizeof middle_parts / sizeof middle_parts[0],
    LEFT_COUNT = sizeof left_parts / sizeof left_parts[0],
    PART_COUNT = MIDDLE_COUNT + 2 * LEFT_COUNT,
};

typedef struct Body {
    int32_t segments;
    int32_t vertex_count;
    int32_t index_count;
    GtVec3* positions;
    GtVec3* normals;
    uint8_t (*colors)[4];
    uint16_t (*joints)[INFLUENCES];
    float (*weights)[INFLUENCES];
    uint32_t* indices;
} Body;

static float smoothstep(float x)
{
    x = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
    return x * x * (3.0f - 2.0f * x);
}

static GtVec3 mirrored(GtVec3 v, bool mirror)
{
    return mirror ? gt_vec3(-v.x, v.y, v.z) : v;
}

static int32_t mirrored_joint(int32_t joint, bool mirror)
{
    return mirror && joint != GT_NONE ? (int32_t)gt_humanoid_mirror((GtHumanoidJoint)joint) : joint;
}

// Half of the weight goes to the neighbour at the very end of a part, nothing beyond its blend zone.
static void weigh(const Part* part, bool mirror, float along, uint16_t joints[INFLUENCES], float weights[INFLUENCES])
{
    float before = part->before == GT_NONE ? 0.0f : 0.5f * (1.0f - smoothstep(along / part->blend));
    float after = part->after == GT_NONE ? 0.0f : 0.5f * (1.0f - smoothstep((1.0f - along) / part->blend));
    const int32_t owners[3] = { (int32_t)part->joint, part->before, part->after };
    const float shares[3] = { 1.0f - before - after, before, after };
    int used = 0;
    memset(joints, 0, INFLUENCES * sizeof joints[0]);
    memset(weights, 0, INFLUENCES * sizeof weights[0]);
    for (int i = 0; i < 3; ++i) {
        if (shares[i] > 0.0f) {
            int32_t joint = mirrored_joint(owners[i], mirror);
            joints[used] = (uint16_t)gti_sample_joint_index((GtHumanoidJoint)joint);
            weights[used++] = shares[i];
        }
    }
}

// Ring `r` of a part: where it is along the axis, how wide, and which way its normals lean.
typedef struct Ring {
    float along; // 0 at `from`, 1 at `to`; below 0 and above 1 on the caps
    float axial; // offset along the axis beyond that, in heights
    float radius;
    float lean; // component of the normal along the axis
} Ring;

static Ring ring_of(const Part* part, int r)
{
    const float quarter = 1.57079633f;
    if (r < CAP_RINGS) {
        float angle = quarter * (1.0f - (float)r / CAP_RINGS);
        return (Ring){ 0.0f, -part->radius_from * sinf(angle), part->radius_from * cosf(angle), -sinf(angle) };
    }
    if (r > CAP_RINGS + BODY_RINGS) {
        float angle = quarter * (float)(r - CAP_RINGS - BODY_RINGS) / CAP_RINGS;
        return (Ring){ 1.0f, part->radius_to * sinf(angle), part->radius_to * cosf(angle), sinf(angle) };
    }
    float along = (float)(r - CAP_RINGS) / BODY_RINGS;
    return (Ring){ along, 0.0f, part->radius_from + (part->radius_to - part->radius_from) * along, 0.0f };
}

static void add_color(Body* body, int32_t vertex, bool left, bool mirror)
{
    // glTF's vertex colours are linear: these show as #ecd6b2, #268a8c and #de8030.
    static const uint8_t cream[4] = { 214, 171, 114, 255 };
    static const uint8_t teal[4] = { 5, 65, 67, 255 };
    static const uint8_t orange[4] = { 186, 55, 8, 255 };
    memcpy(body->colors[vertex], !left ? cream : mirror ? orange : teal, 4);
}

static void add_vertices(Body* body, const Part* part, bool left, bool mirror, float height)
{
    GtVec3 from = mirrored(part->from, mirror);
    GtVec3 to = mirrored(part->to, mirror);
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3_sub(to, from), gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 helper = fabsf(axis.x) > 0.7f ? gt_vec3(0.0f, 1.0f, 0.0f) : gt_vec3(1.0f, 0.0f, 0.0f);
    GtVec3 v = gt_vec3_normalize_or(gt_vec3_cross(axis, helper), gt_vec3(0.0f, 0.0f, 1.0f));
    GtVec3 u = gt_vec3_cross(v, axis);
    for (int r = 0; r <= RINGS; ++r) {
        Ring ring = ring_of(part, r);
        for (int32_t s = 0; s < body->segments; ++s) {
            float angle = 6.28318531f * (float)s / (float)body->segments;
            float c = cosf(angle);
            float d = sinf(angle);
            GtVec3 center = gt_vec3_add(gt_vec3_lerp(from, to, ring.along), gt_vec3_scale(axis, ring.axial));
            GtVec3 across = gt_vec3_add(gt_vec3_scale(u, c * part->width * ring.radius),
                                        gt_vec3_scale(v, d * part->depth * ring.radius));
            float upright = sqrtf(1.0f - ring.lean * ring.lean);
            GtVec3 normal =
                gt_vec3_add(gt_vec3_scale(axis, ring.lean), gt_vec3_add(gt_vec3_scale(u, upright * c / part->width),
                                                                        gt_vec3_scale(v, upright * d / part->depth)));
            int32_t vertex = body->vertex_count++;
            body->positions[vertex] = gt_vec3_scale(gt_vec3_add(center, across), height);
            body->normals[vertex] = gt_vec3_normalize_or(normal, axis);
            add_color(body, vertex, left, mirror);
            weigh(part, mirror, ring.along, body->joints[vertex], body->weights[vertex]);
        }
    }
}

// Quads between rings; at the poles one of the two triangles has no area and is left out.
static void add_triangles(Body* body, int32_t first)
{
    for (int r = 0; r < RINGS; ++r) {
        for (int32_t s = 0; s < body->segments; ++s) {
            uint32_t a = (uint32_t)(first + r * body->segments + s);
            uint32_t b = (uint32_t)(first + r * body->segments + (s + 1) % body->segments);
            uint32_t c = a + (uint32_t)body->segments;
            uint32_t d = b + (uint32_t)body->segments;
            const uint32_t corners[6] = { a, b, d, a, d, c };
            int from = r == 0 ? 3 : 0;
            int to = r == RINGS - 1 ? 3 : 6;
            for (int i = from; i < to; ++i) {
                body->indices[body->index_count++] = corners[i];
            }
        }
    }
}

static void add_part(Body* body, const Part* part, bool left, bool mirror, float height)
{
    int32_t first = body->vertex_count;
    add_vertices(body, part, left, mirror, height);
    add_triangles(body, first);
}

static bool allocate_body(Body* body, GtArena* arena, int32_t segments)
{
    size_t vertices = (size_t)PART_COUNT * (RINGS + 1) * (size_t)segments;
    *body = (Body){
        .segments = segments,
        .positions = gt_arena_push_array(arena, vertices, sizeof *body->positions),
        .normals = gt_arena_push_array(arena, vertices, sizeof *body->normals),
        .colors = gt_arena_push_array(arena, vertices, sizeof *body->colors),
        .joints = gt_arena_push_array(arena, vertices, sizeof *body->joints),
        .weights = gt_arena_push_array(arena, vertices, sizeof *body->weights),
        .indices = gt_arena_push_array(arena, vertices * 6, sizeof *body->indices),
    };
    return body->positions && body->normals && body->colors && body->joints && body->weights && body->indices;
}

static void make_body(Body* body, float height)
{
    for (int i = 0; i < MIDDLE_COUNT; ++i) {
        add_part(body, &middle_parts[i], false, false, height);
    }
    for (int i = 0; i < LEFT_COUNT; ++i) {
        add_part(body, &left_parts[i], true, false, height);
        add_part(body, &left_parts[i], true, true, height);
    }
}

static GtResult add_mesh(GtScene* scene, const Body* body, GtError* error)
{
    const struct {
        const char* name;
        GtElementType element;
        GtComponentType component;
        const void* data;
    } data[] = {
        { "POSITION", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, body->positions },
        { "NORMAL", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, body->normals },
        { "COLOR_0", GT_ELEMENT_VEC4, GT_COMPONENT_UINT8, body->colors },
        { "JOINTS_0", GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, body->joints },
        { "WEIGHTS_0", GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, body->weights },
    };
    enum {
        ATTRIBUTE_COUNT = sizeof data / sizeof data[0]
    };
    GtAttribute* attributes = gt_scene_push(scene, ATTRIBUTE_COUNT, sizeof *attributes);
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    if (!attributes || !primitive) {
        return gti_out_of_memory(error);
    }
    GtResult result = GT_OK;
    for (int i = 0; i < ATTRIBUTE_COUNT && result == GT_OK; ++i) {
        attributes[i].name = data[i].name;
        result = gt_scene_add_data(scene, GT_USE_VERTEX, data[i].element, data[i].component, data[i].data,
                                   (uint64_t)body->vertex_count, &attributes[i].accessor, error);
        if (result == GT_OK && data[i].component == GT_COMPONENT_UINT8) {
            scene->accessors[attributes[i].accessor].normalized = true;
        }
    }
    *primitive =
        (GtPrimitive){ .mode = GT_MODE_TRIANGLES, .attributes = attributes, .attribute_count = ATTRIBUTE_COUNT };
    if (result == GT_OK) {
        result = gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, body->indices,
                                   (uint64_t)body->index_count, &primitive->indices, error);
    }
    if (result == GT_OK) {
        GtMaterial material = gt_default_material();
        material.name = "Figure";
        material.metallic = 0.0f;
        material.roughness = 0.6f;
        result = gt_scene_add_material(scene, &material, &primitive->material, error);
    }
    GtMesh mesh = { .name = "Figure", .primitives = primitive, .primitive_count = 1 };
    return result == GT_OK ? gt_scene_add_mesh(scene, &mesh, NULL, error) : result;
}

static GtResult add_skin(GtScene* scene, double height_m, GtError* error)
{
    int32_t* joints = gt_scene_push(scene, GTI_SAMPLE_JOINT_COUNT, sizeof *joints);
    if (!joints) {
        return gti_out_of_memory(error);
    }
    float inverse_bind[GTI_SAMPLE_JOINT_COUNT][16];
    for (int32_t i = 0; i < GTI_SAMPLE_JOINT_COUNT; ++i) {
        GtVec3 p = gti_sample_joints[i].position;
        GtMat34 joint_from_mesh = gt_mat34_identity();
        joint_from_mesh.m[0][3] = -p.x * (float)height_m;
        joint_from_mesh.m[1][3] = -p.y * (float)height_m;
        joint_from_mesh.m[2][3] = -p.z * (float)height_m;
        gt_mat34_to_columns(&joint_from_mesh, inverse_bind[i]);
        joints[i] = i;
    }
    GtSkin skin = { .name = "Figure", .joints = joints, .joint_count = GTI_SAMPLE_JOINT_COUNT, .skeleton = 0 };
    GtResult result = gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, inverse_bind,
                                        GTI_SAMPLE_JOINT_COUNT, &skin.inverse_bind, error);
    return result == GT_OK ? gt_scene_add_skin(scene, &skin, NULL, error) : result;
}

// The skinned mesh hangs at the stage's root, beside the hips, as glTF asks.
static GtResult add_mesh_node(GtScene* scene, GtError* error)
{
    GtNode node = gt_default_node();
    node.name = "Figure";
    node.mesh = 0;
    node.skin = 0;
    int32_t* roots = gt_scene_push(scene, 2, sizeof *roots);
    if (!roots) {
        return gti_out_of_memory(error);
    }
    roots[0] = scene->stages[0].nodes[0];
    scene->stages[0].nodes = roots;
    scene->stages[0].node_count = 2;
    return gt_scene_add_node(scene, &node, &roots[1], error);
}

static GtResult fill_scene(GtScene* scene, const GtSampleFigureDef* def, GtArena* scratch, GtError* error)
{
    Body body;
    if (!allocate_body(&body, scratch, def->segments)) {
        return gti_out_of_memory(error);
    }
    make_body(&body, (float)def->height_m);
    GtResult result = gti_sample_add_skeleton(scene, def->height_m, error);
    if (result == GT_OK) {
        result = add_mesh(scene, &body, error);
    }
    if (result == GT_OK) {
        result = add_skin(scene, def->height_m, error);
    }
    return result == GT_OK ? add_mesh_node(scene, error) : result;
}

GtSampleFigureDef gt_default_sample_figure_def(void)
{
    return (GtSampleFigureDef){
        .height_m = 1.7,
        .segments = 24, // about 20,000 triangles: round on a screen, small in a file
    };
}

GtResult gt_sample_figure(const GtContext* context, const GtSampleFigureDef* def, GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = gti_sample_check_height(def->height_m, error);
    if (result == GT_OK && (def->segments < 4 || def->segments > 256)) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "%d segments are out of range; give 4 to 256", (int)def->segments);
    }
    if (result == GT_OK) {
        result = gt_scene_create(context, out, error);
    }
    if (result != GT_OK) {
        return result;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    result = fill_scene(*out, def, &scratch, error);
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
