// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The codecs of EXT_meshopt_compression against bytes that meshoptimizer 0.18 encoded, and a file that is compressed.

#include "io/gltf/meshopt.h"
#include "mesh_support.h"

static const uint8_t packed_vertices[236] = {
    0xA0, 0x15, 0x2A, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0x00, 0x00, 0x1F, 0x00, 0x02, 0x06, 0x0A,
    0x0E, 0x12, 0x16, 0x1A, 0x1E, 0x22, 0x26, 0x2A, 0x2E, 0x32, 0x36, 0x3A, 0x3E, 0x42, 0x46, 0x4A, 0x4E, 0x52, 0x56,
    0x5A, 0x5E, 0x62, 0x66, 0x6A, 0x6E, 0x72, 0x76, 0x7A, 0xFF, 0xFF, 0x00, 0x00, 0x7E, 0x82, 0x86, 0x8A, 0x8E, 0x92,
    0x96, 0x9A, 0x00, 0x1F, 0x00, 0xC3, 0xC3, 0xC3, 0xC3, 0xC1, 0xC3, 0xC3, 0xC3, 0xC3, 0xC1, 0xC3, 0xC3, 0xC3, 0xC1,
    0xC3, 0xC3, 0xC3, 0xC3, 0xC1, 0xC3, 0xC3, 0xC3, 0xC3, 0xC1, 0xC3, 0xC3, 0xC3, 0xC1, 0xC3, 0xC3, 0xC3, 0xFF, 0xFF,
    0x00, 0x00, 0xC3, 0xC1, 0xC3, 0xC3, 0xC3, 0xC1, 0xC3, 0xC3, 0x15, 0x02, 0x08, 0x20, 0x82, 0x08, 0x20, 0x82, 0x08,
    0x20, 0x82, 0x00, 0x00, 0x15, 0x15, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x00, 0x00, 0x15, 0x3A,
    0xBE, 0xAF, 0xAB, 0x72, 0x77, 0x7C, 0x81, 0x86, 0x8B, 0xEA, 0xFA, 0xBE, 0xAF, 0x90, 0x95, 0x9A, 0x9F, 0xA4, 0xA9,
    0xAE, 0xAB, 0xEA, 0x00, 0x00, 0xB3, 0xB8, 0x1F, 0x00, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8,
    0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8,
    0xC8, 0xC8, 0xFF, 0xFF, 0x00, 0x00, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0xC8, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0xC8, 0x00,
};
static const uint8_t packed_triangles_0[61] = {
    0xE0, 0xFE, 0x1F, 0x10, 0x0F, 0x10, 0x0F, 0x10, 0x0F, 0x10, 0x0F, 0x10, 0xFF, 0xFE, 0x2F, 0x10,
    0x0F, 0xFF, 0xFE, 0x20, 0x0F, 0x0F, 0x16, 0x02, 0x02, 0x02, 0x02, 0x02, 0x9F, 0xC8, 0x07, 0xA9,
    0x07, 0xF3, 0x1B, 0x02, 0x02, 0x7F, 0xC0, 0x07, 0x01, 0xF3, 0xBB, 0x07, 0x02, 0x00, 0x76, 0x87,
    0x56, 0x67, 0x78, 0xA9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0x00, 0x00,
};
static const uint8_t packed_triangles_1[53] = {
    0xE1, 0xFE, 0x1E, 0x10, 0x0E, 0x10, 0x0E, 0x10, 0x0E, 0x10, 0x0E, 0x10, 0xFF, 0xFE, 0x2E, 0x10, 0x0E, 0xFF,
    0xFE, 0x20, 0x0E, 0x0F, 0x16, 0x9F, 0xC8, 0x07, 0xA9, 0x07, 0xF3, 0x1B, 0x7F, 0xC0, 0x07, 0x01, 0xF3, 0xBB,
    0x07, 0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xA9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0x00, 0x00,
};
static const uint8_t packed_indices[66] = {
    0xD1, 0x00, 0x04, 0x28, 0x00, 0x26, 0x2C, 0x2A, 0x04, 0x28, 0x00, 0x26, 0x2C, 0x2A, 0x04, 0x28, 0x00,
    0x26, 0x2C, 0x2A, 0x04, 0x28, 0x00, 0x26, 0x2C, 0x2A, 0x04, 0x28, 0x00, 0x26, 0x2C, 0x2A, 0x04, 0x28,
    0xD1, 0x0F, 0x36, 0x74, 0x62, 0x04, 0x28, 0x00, 0x26, 0x2C, 0x2A, 0x04, 0x28, 0x00, 0x26, 0x2C, 0x03,
    0x05, 0x07, 0x00, 0x26, 0x2C, 0x2A, 0x04, 0x28, 0x00, 0x26, 0x2C, 0x00, 0x00, 0x00, 0x00,
};

static uint8_t vertex_byte(uint32_t i, uint32_t k)
{
    const uint32_t bytes[8] = { i, i * i, 7, i * 2654435761u >> 24, i / 3, 0 - i, i % 5 == 0 ? 200 : i, i * 100 };
    return (uint8_t)bytes[k];
}

static uint32_t corner(uint32_t i)
{
    static const uint32_t odd[2][3] = { { 500, 2, 31 }, { 499, 500, 498 } };
    uint32_t q = i / 6;
    const uint32_t quad[6] = { q, q + 1, q + 11, q + 11, q + 1, q + 12 };
    return i / 3 == 11 ? odd[0][i % 3] : i / 3 == 16 ? odd[1][i % 3] : quad[i % 6];
}

static void test_vertices(void** state)
{
    (void)state;
    uint8_t out[40 * 8];
    memset(out, 0xCD, sizeof out);
    assert_true(gti_meshopt_decode_vertices(packed_vertices, sizeof packed_vertices, 40, 8, out));
    for (uint32_t i = 0; i < sizeof out; ++i) {
        assert_int_equal(out[i], vertex_byte(i / 8, i % 8));
    }
}

// An encoder may turn a triangle's corners round, but not over.
static void expect_triangles(const uint8_t* data, size_t size)
{
    uint32_t out[60];
    memset(out, 0xCD, sizeof out);
    assert_true(gti_meshopt_decode_triangles(data, size, 60, 4, (uint8_t*)out));
    for (uint32_t t = 0; t < 20; ++t) {
        bool same = false;
        for (uint32_t turn = 0; turn < 3; ++turn) {
            same |= out[3 * t] == corner(3 * t + turn) && out[3 * t + 1] == corner(3 * t + (turn + 1) % 3) &&
                    out[3 * t + 2] == corner(3 * t + (turn + 2) % 3);
        }
        assert_true(same);
    }
}

static void test_triangles_and_indices(void** state)
{
    (void)state;
    expect_triangles(packed_triangles_0, sizeof packed_triangles_0);
    expect_triangles(packed_triangles_1, sizeof packed_triangles_1);
    uint16_t out[60];
    memset(out, 0xCD, sizeof out);
    assert_true(gti_meshopt_decode_indices(packed_indices, sizeof packed_indices, 60, 2, (uint8_t*)out));
    for (uint32_t i = 0; i < 60; ++i) {
        assert_int_equal(out[i], corner(i));
    }
}

// Cut anywhere, or with any byte changed, data is refused or decodes to something; nothing is read outside of it.
static void test_damaged_data(void** state)
{
    (void)state;
    uint8_t copy[512];
    uint8_t out[40 * 8];
    for (size_t size = 0; size < sizeof packed_vertices; ++size) {
        uint8_t* exact = malloc(size + 1);
        memcpy(exact, packed_vertices, size);
        assert_false(gti_meshopt_decode_vertices(exact, size, 40, 8, out));
        free(exact);
    }
    for (size_t size = 0; size < sizeof packed_triangles_1; ++size) {
        uint8_t* exact = malloc(size + 1);
        memcpy(exact, packed_triangles_1, size);
        assert_false(gti_meshopt_decode_triangles(exact, size, 60, 4, out));
        assert_false(gti_meshopt_decode_indices(exact, size, 60, 4, out));
        free(exact);
    }
    for (size_t i = 0; i < sizeof packed_triangles_1; ++i) {
        memcpy(copy, packed_triangles_1, sizeof packed_triangles_1);
        copy[i] ^= 0x5A;
        gti_meshopt_decode_triangles(copy, sizeof packed_triangles_1, 60, 4, out);
    }
}

static void test_filters(void** state)
{
    (void)state;
    int8_t small[4] = { 0, 0, 127, 5 };
    gti_meshopt_unfilter_octahedral((uint8_t*)small, 1, 4);
    assert_true(small[0] == 0 && small[1] == 0 && small[2] == 127 && small[3] == 5);
    int16_t large[4] = { -32767, 0, 32767, 9 };
    gti_meshopt_unfilter_octahedral((uint8_t*)large, 1, 8);
    assert_true(large[0] == -32767 && large[1] == 0 && large[2] == 0 && large[3] == 9);
    int16_t q[4] = { 0, 0, 0, 1 << 10 | 2 }; // the third component is the largest, and the others are 0
    gti_meshopt_unfilter_quaternion((uint8_t*)q, 1);
    assert_true(q[0] == 0 && q[1] == 0 && q[2] == 32767 && q[3] == 0);
    int16_t half[4] = { 2047, 0, 0, 2044 | 3 }; // 1/sqrt(2) in x, so as much in w
    gti_meshopt_unfilter_quaternion((uint8_t*)half, 1);
    assert_true(half[0] == 23170 && abs(half[3] - 23170) <= 1);
    const int32_t packed[3] = { (int32_t)(0xFFu << 24 | 3u), (int32_t)(2u << 24 | 0xFFFFFBu), 0 };
    float floats[3];
    memcpy(floats, packed, sizeof packed);
    gti_meshopt_unfilter_exponential((uint8_t*)floats, 1, 12);
    assert_true(floats[0] == 1.5f && floats[1] == -20.0f && floats[2] == 0.0f);
}

#define COMPRESSED(offset, count)                                                                                      \
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"EXT_meshopt_compression\"],"                               \
    "\"extensionsRequired\":[\"EXT_meshopt_compression\"],\"buffers\":[{\"byteLength\":92,"                            \
    "\"uri\":\"data:;base64,"                                                                                          \
    "oAAAATMAAAD//wEzAAAAfn0AAAEMAAAA/"                                                                                \
    "wEMAAAAfgAAAAEPAAAAfn0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAOHwAAB2h1ZneKmGZYlomAFpAAA=\"},{\"byteLength\":"  \
    "64,\"extensions\":{\"EXT_meshopt_compression\":"                                                                  \
    "{\"fallback\":true}}}],\"bufferViews\":[{\"buffer\":1,\"byteLength\":48,\"byteStride\":12,\"target\":34962,"      \
    "\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":0,\"byteLength\":73,"                    \
    "\"byteStride\":12,\"count\":" count ",\"mode\":\"ATTRIBUTES\"}}},{\"buffer\":1,\"byteOffset\":48,"                \
    "\"byteLength\":12,\"target\":34963,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,"                    \
    "\"byteOffset\":" offset ",\"byteLength\":19,\"byteStride\":2,\"count\":6,\"mode\":\"TRIANGLES\"}}}],"             \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],"           \
    "\"max\":[1,1,0.5]},{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],"                   \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"nodes\":[{\"mesh\":0}]}"

static void test_a_compressed_file(void** state)
{
    (void)state;
    static const char text[] = COMPRESSED("73", "4");
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = mesh_load(&log, text, "quad.gltf");
    for (int pass = 0; pass < 2; ++pass) {
        GtVec3 p = mesh_corner_position(scene, 0, 0, 2);
        assert_true(p.x == 1 && p.y == 1 && p.z == 0.5f);
        assert_int_equal(mesh_triangle_count(scene, 0, 0), 2);
        assert_true(pass == 0 || scene->accessors[0].max[2] == 0.5); // taken anew
        assert_true(pass == 1 || !scene->accessors[0].max);
        assert_int_equal(scene->extension_used_count + scene->extension_required_count, 0);
        GtBlob* blob = NULL; // and written, it is plain
        GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", NULL, &blob, &error));
        gt_scene_destroy(scene);
        assert_null(memmem(gt_blob_bytes(blob), gt_blob_size(blob), "meshopt", 7));
        GT_EXPECT_OK(
            gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), NULL, NULL, &scene, &error));
        gt_blob_release(blob);
    }
    gt_scene_destroy(scene);
    static const char outside[] = COMPRESSED("100000", "4");
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, outside, sizeof outside - 1, NULL, NULL, &scene, &error),
                    GT_ERROR_BAD_VALUE, "lies outside of its buffer");
    static const char many[] = COMPRESSED("73", "1000000");
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, many, sizeof many - 1, NULL, NULL, &scene, &error),
                    GT_ERROR_BAD_VALUE, "cannot hold 1000000 elements");
    static const char damaged[] = COMPRESSED("0", "4");
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, damaged, sizeof damaged - 1, NULL, NULL, &scene, &error),
                    GT_ERROR_BAD_VALUE, "its compressed data is damaged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices),          cmocka_unit_test(test_triangles_and_indices),
        cmocka_unit_test(test_damaged_data),      cmocka_unit_test(test_filters),
        cmocka_unit_test(test_a_compressed_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
