// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Where cameras stand: everything is inside the picture, touches the rim that was left, and lies in the middle. None of
// this draws.

#include "gertie/render.h"

#include "render/draw/camera.h"
#include "support/random.h"
#include "support/test.h"

enum {
    WIDTH = 640,
    HEIGHT = 360
};

static const float rim = 0.06f; // of the picture, on each side

typedef struct Shadow {
    float left, right, top, bottom; // of projected points, in pixels
    float nearest;
} Shadow;

static Shadow project_all(const GtCameraView* camera, const GtVec3* points, int count)
{
    Shadow s = { INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY };
    for (int i = 0; i < count; ++i) {
        float x, y, depth;
        assert_true(gt_camera_project(camera, WIDTH, HEIGHT, points[i], &x, &y, &depth));
        s.left = fminf(s.left, x);
        s.right = fmaxf(s.right, x);
        s.top = fminf(s.top, y);
        s.bottom = fmaxf(s.bottom, y);
        s.nearest = fminf(s.nearest, depth);
    }
    return s;
}

static void expect_framed(const Shadow* s)
{
    float rim_x = rim * WIDTH;
    float rim_y = rim * HEIGHT;
    assert_true(s->left > rim_x - 0.5f && s->right < WIDTH - rim_x + 0.5f);
    assert_true(s->top > rim_y - 0.5f && s->bottom < HEIGHT - rim_y + 0.5f);
    bool fills_width = s->right - s->left > WIDTH - 2.0f * rim_x - 1.0f;
    bool fills_height = s->bottom - s->top > HEIGHT - 2.0f * rim_y - 1.0f;
    assert_true(fills_width || fills_height);
    // In the other direction both sides have the same room in metres, which is more pixels where things are nearer.
    if (fills_width) {
        GT_EXPECT_NEAR(s->left + s->right, WIDTH, 1.0);
    }
    if (fills_height) {
        GT_EXPECT_NEAR(s->top + s->bottom, HEIGHT, 1.0);
    }
}

static void fits_points_exactly(void** state)
{
    (void)state;
    enum {
        COUNT = 300
    };
    TestRandom random = { 5 };
    for (int round = 0; round < 60; ++round) {
        GtVec3 points[COUNT];
        GtVec3 size = { test_random_float(&random, 1.0f, 2.0f), test_random_float(&random, 1.0f, 2.0f),
                        test_random_float(&random, 1.0f, 2.0f) };
        GtVec3 middle = test_random_vec3(&random, -20.0f, 20.0f);
        for (int i = 0; i < COUNT; ++i) {
            GtVec3 p = test_random_direction(&random); // a ball drawn long
            points[i] = gt_vec3_add(middle, gt_vec3(p.x * size.x, p.y * size.y, p.z * size.z));
        }
        float turn = test_random_float(&random, -3.0f, 3.0f);
        GtLens lens = gt_camera_lens((GtCameraPlace)(round % GT_CAMERA_PLACE_COUNT), (float)WIDTH / HEIGHT, turn);
        GtReach reach = gt_reach_of(&lens, points, COUNT);
        GtCameraView camera = gt_camera_fit(&lens, &reach);
        Shadow shadow = project_all(&camera, points, COUNT);
        expect_framed(&shadow);
        assert_true(camera.z_near > 0.0f && camera.z_near < shadow.nearest && camera.z_far > 2.0f * shadow.nearest);
    }
}

static void frames_boxes_from_every_place(void** state)
{
    (void)state;
    const GtBounds box = { { -0.4f, 0.0f, -0.3f }, { 0.5f, 1.8f, 0.2f } };
    GtVec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] =
            gt_vec3(i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y, i & 4 ? box.high.z : box.low.z);
    }
    static const GtVec3 towards[GT_CAMERA_PLACE_COUNT] = {
        // where each place is seen from
        [GT_CAMERA_THREE_QUARTER] = { 0.5f, 0.2f, 0.8f },
        [GT_CAMERA_FRONT] = { 0.0f, 0.0f, 1.0f },
        [GT_CAMERA_SIDE] = { 1.0f, 0.0f, 0.0f },
        [GT_CAMERA_TOP] = { 0.0f, 1.0f, 0.0f },
    };
    for (int place = 0; place < GT_CAMERA_PLACE_COUNT; ++place) {
        GtCameraView camera = gt_camera_frame(box, (GtCameraPlace)place, (float)WIDTH / HEIGHT, 0.0f);
        Shadow shadow = project_all(&camera, corners, 8);
        expect_framed(&shadow);
        GtVec3 back = gt_vec3_normalize_or(gt_vec3_sub(camera.eye, camera.target), gt_vec3(0.0f, 0.0f, 0.0f));
        assert_true(gt_vec3_dot(back, gt_vec3_normalize_or(towards[place], back)) > 0.97f);
    }
}

// Turned by a quarter, the front is what the side was.
static void turns_anticlockwise(void** state)
{
    (void)state;
    GtLens side = gt_camera_lens(GT_CAMERA_SIDE, 1.5f, 0.0f);
    GtLens turned = gt_camera_lens(GT_CAMERA_FRONT, 1.5f, 1.57079633f);
    assert_true(gt_vec3_length(gt_vec3_sub(side.back, turned.back)) < 1e-5f);
    assert_true(gt_vec3_length(gt_vec3_sub(side.right, turned.right)) < 1e-5f);
}

static void expect_same_axes(const GtLens* a, const GtLens* b)
{
    assert_true(gt_vec3_length(gt_vec3_sub(a->right, b->right)) < 1e-5f);
    assert_true(gt_vec3_length(gt_vec3_sub(a->up, b->up)) < 1e-5f);
    assert_true(gt_vec3_length(gt_vec3_sub(a->back, b->back)) < 1e-5f);
}

// An angle and an elevation say as much as a place, straight down as well, where there is no horizon to go by.
static void angles_are_places(void** state)
{
    (void)state;
    const float quarter = 1.57079633f;
    GtLens place = gt_camera_lens(GT_CAMERA_SIDE, 1.5f, 0.0f);
    GtLens angle = gt_camera_lens_at(quarter, atanf(0.06f), 1.5f);
    expect_same_axes(&place, &angle);
    place = gt_camera_lens(GT_CAMERA_TOP, 1.5f, 0.7f);
    angle = gt_camera_lens_at(0.7f, quarter, 1.5f);
    expect_same_axes(&place, &angle);
    place = gt_camera_lens(GT_CAMERA_THREE_QUARTER, 1.5f, -2.0f);
    angle = gt_camera_lens_at(atan2f(0.62f, 1.0f) - 2.0f, atan2f(0.30f, hypotf(0.62f, 1.0f)), 1.5f);
    expect_same_axes(&place, &angle);
}

// Moving everything moves the camera and changes nothing else.
static void reach_moves_with_its_points(void** state)
{
    (void)state;
    TestRandom random = { 9 };
    GtVec3 points[50], moved[50];
    const GtVec3 offset = { 3.0f, -1.0f, 7.0f };
    for (int i = 0; i < 50; ++i) {
        points[i] = test_random_vec3(&random, -1.0f, 1.0f);
        moved[i] = gt_vec3_add(points[i], offset);
    }
    GtLens lens = gt_camera_lens(GT_CAMERA_THREE_QUARTER, 1.5f, 0.4f);
    GtReach there = gt_reach_of(&lens, moved, 50);
    GtReach here = gt_reach_of(&lens, points, 50);
    GtReach shifted = gt_reach_move(here, &lens, offset);
    const float* a = &there.right;
    const float* b = &shifted.right;
    for (int i = 0; i < 6; ++i) {
        GT_EXPECT_NEAR(a[i], b[i], 1e-5);
    }
    GtReach both = gt_reach_unite(gt_reach_of(&lens, points, 20), gt_reach_of(&lens, points + 20, 30));
    assert_memory_equal(&both, &here, sizeof both);
    GtCameraView first = gt_camera_fit(&lens, &here);
    GtCameraView second = gt_camera_fit(&lens, &there);
    assert_true(gt_vec3_length(gt_vec3_sub(gt_vec3_sub(second.eye, first.eye), offset)) < 1e-4f);
}

static bool is_sound(const GtCameraView* c)
{
    return isfinite(c->eye.x) && isfinite(c->eye.y) && isfinite(c->eye.z) && isfinite(c->target.x) &&
           c->z_near > 0.0f && c->z_far > c->z_near && isfinite(c->z_far) &&
           gt_vec3_length(gt_vec3_sub(c->eye, c->target)) > 0.0f;
}

// A point, a line, nothing at all, points that are no numbers: some camera, and it sees what there is.
static void odd_shapes_get_a_camera(void** state)
{
    (void)state;
    static const GtVec3 shapes[][2] = {
        { { 1.0f, 2.0f, 3.0f }, { 1.0f, 2.0f, 3.0f } },  { { 0.0f, 0.0f, -5.0f }, { 0.0f, 0.0f, 5.0f } },
        { { 0.0f, -1.0f, 0.0f }, { 0.0f, 4.0f, 0.0f } }, { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } },
        { { -1e6f, 0.0f, 0.0f }, { 1e6f, 1e6f, 1e5f } }, { { -1e-6f, 0.0f, 0.0f }, { 1e-6f, 1e-6f, 1e-7f } },
        { { NAN, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } },   { { 1e6f, 1e6f, 1e6f }, { 1000001.0f, 1000002.0f, 1e6f } },
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        for (int place = 0; place < GT_CAMERA_PLACE_COUNT; ++place) {
            GtLens lens = gt_camera_lens((GtCameraPlace)place, (float)WIDTH / HEIGHT, 0.0f);
            GtReach reach = gt_reach_of(&lens, shapes[i], 2);
            GtCameraView camera = gt_camera_fit(&lens, &reach);
            assert_true(is_sound(&camera));
            for (int k = 0; k < 2; ++k) {
                float x, y, depth;
                if (isfinite(shapes[i][k].x)) {
                    assert_true(gt_camera_project(&camera, WIDTH, HEIGHT, shapes[i][k], &x, &y, &depth));
                    assert_true(x > 0.0f && x < WIDTH && y > 0.0f && y < HEIGHT);
                    assert_true(depth > camera.z_near && depth < camera.z_far);
                }
            }
        }
    }
    const GtBounds empty = { { 1.0f, 1.0f, 1.0f }, { -1.0f, -1.0f, -1.0f } };
    GtCameraView camera = gt_camera_frame(empty, GT_CAMERA_FRONT, 1.0f, 0.0f);
    assert_true(is_sound(&camera));
}

// The short way of projecting and the matrices that OpenGL gets agree, perspective or not.
static void projects_as_the_matrices_do(void** state)
{
    (void)state;
    TestRandom random = { 3 };
    for (int round = 0; round < 200; ++round) {
        GtCameraView camera = {
            .eye = test_random_vec3(&random, -5.0f, 5.0f),
            .target = test_random_vec3(&random, -1.0f, 1.0f),
            .up = { 0.0f, 1.0f, 0.0f },
            .fov_y_rad = round % 2 ? 0.7f : 0.0f,
            .height_m = 3.0f,
            .z_near = 0.1f,
            .z_far = 50.0f,
        };
        GtVec3 p = test_random_vec3(&random, -1.0f, 1.0f);
        float x, y, depth;
        if (!gt_camera_project(&camera, WIDTH, HEIGHT, p, &x, &y, &depth) || depth < 0.1f) {
            continue;
        }
        GtiMat44 view = gti_view_from_world(&camera);
        GtiMat44 clip = gti_clip_from_view(&camera, (float)WIDTH / HEIGHT);
        GtiMat44 m = gti_mat44_mul(&clip, &view);
        float v[4];
        for (int i = 0; i < 4; ++i) {
            v[i] = m.m[i] * p.x + m.m[4 + i] * p.y + m.m[8 + i] * p.z + m.m[12 + i];
        }
        GT_EXPECT_NEAR((0.5f + 0.5f * v[0] / v[3]) * WIDTH, x, 0.05 * (1.0 + fabs((double)x) * 0.01));
        GT_EXPECT_NEAR((0.5f - 0.5f * v[1] / v[3]) * HEIGHT, y, 0.05 * (1.0 + fabs((double)y) * 0.01));
    }
}

// The box of pixels around points; points that are no numbers are nowhere, and one behind the eye can be anywhere.
static void extents_hold_all_points(void** state)
{
    (void)state;
    TestRandom random = { 21 };
    GtVec3 points[100];
    const GtVec3 offset = { 0.5f, -0.25f, 1.0f };
    GtCameraView camera =
        gt_camera_frame((GtBounds){ { -2, -2, -2 }, { 2, 2, 2 } }, GT_CAMERA_THREE_QUARTER, 1.5f, 0.3f);
    float left = INFINITY;
    float bottom = -INFINITY;
    for (int i = 0; i < 100; ++i) {
        float x, y, depth;
        points[i] = test_random_vec3(&random, -1.0f, 1.0f);
        assert_true(gt_camera_project(&camera, WIDTH, HEIGHT, gt_vec3_add(points[i], offset), &x, &y, &depth));
        left = fminf(left, x);
        bottom = fmaxf(bottom, y);
    }
    GtiExtent extent = gti_extent_of_nothing();
    assert_true(extent.left > extent.right && !extent.passes_eye);
    gti_extent_grow(&extent, &camera, WIDTH, HEIGHT, points, 100, offset);
    GT_EXPECT_NEAR(extent.left, left, 1e-3);
    GT_EXPECT_NEAR(extent.bottom, bottom, 1e-3);
    const GtVec3 nowhere = { NAN, 0.0f, 0.0f };
    gti_extent_grow(&extent, &camera, WIDTH, HEIGHT, &nowhere, 1, offset);
    GT_EXPECT_NEAR(extent.left, left, 1e-3);
    assert_false(extent.passes_eye);
    GtVec3 behind = gt_vec3_add(camera.eye, gt_vec3_sub(camera.eye, camera.target));
    gti_extent_grow(&extent, &camera, WIDTH, HEIGHT, &behind, 1, gt_vec3(0.0f, 0.0f, 0.0f));
    assert_true(extent.passes_eye);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_points_exactly),         cmocka_unit_test(frames_boxes_from_every_place),
        cmocka_unit_test(turns_anticlockwise),         cmocka_unit_test(angles_are_places),
        cmocka_unit_test(reach_moves_with_its_points), cmocka_unit_test(odd_shapes_get_a_camera),
        cmocka_unit_test(projects_as_the_matrices_do), cmocka_unit_test(extents_hold_all_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
