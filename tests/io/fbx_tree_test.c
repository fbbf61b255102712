// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The tree of FBX files: the same contents in text, and in binary of both widths and byte orders; arrays that zlib
// 1.2.13 compressed; files that are damaged, cut short, too old or made to harm.

#include "fbx_support.h"

#include <stdlib.h>

// { 1.0, -2.5, 3e300, 0.1 } and { 0, 1, -3, 7, 2000000000, -5 }, little-endian, compressed by zlib.
static const uint8_t packed_doubles[] = { 0x78, 0xDA, 0x63, 0x60, 0x00, 0x81, 0x0F, 0xF6, 0x60, 0x8A, 0x81,
                                          0xE5, 0x80, 0x69, 0x04, 0x43, 0x9A, 0xEE, 0xEB, 0xC0, 0xBA, 0x59,
                                          0x33, 0x41, 0x60, 0xA7, 0x3D, 0x00, 0x62, 0x94, 0x09, 0x5D };
static const uint8_t packed_integers[] = { 0x78, 0xDA, 0x63, 0x60, 0x60, 0x60, 0x60, 0x04, 0xE2, 0xBF,
                                           0xFF, 0xFF, 0xFF, 0x67, 0x07, 0xD2, 0x0C, 0x53, 0x4C, 0xCB,
                                           0x7F, 0x03, 0xD9, 0x00, 0x4B, 0xA9, 0x09, 0x3B };
static const double doubles[4] = { 1.0, -2.5, 3e300, 0.1 };
static const int32_t integers[6] = { 0, 1, -3, 7, 2000000000, -5 };

static const char text_file[] = "; FBX 7.4.0 project file\n"
                                "FBXHeaderExtension:  {\n"
                                "\tFBXVersion: 7400 ; a comment with { and \"\n"
                                "}\n"
                                "Empty: \n"
                                "Node: -5, 1.5,\"a &quot;b&quot;&lf;&amp;\", T {\r\n"
                                "\tDoubles: *4 {\n\t\ta: 1,-2.5, ; } no end\n3e300,0.1\n\t}\n"
                                "\tIntegers: *6 {\n\t\ta: 0,1,-3,7,2000000000,-5\n\t}\n"
                                "\tPlain: 3,4,\n5\n"
                                "\tNone: *0 {\n\ta: \n} \n"
                                "}\n";

static void write_binary(FbxWriter* w, uint32_t version, bool big_endian)
{
    fbx_begin(w, version, big_endian);
    fbx_open(w, "FBXHeaderExtension");
    fbx_open(w, "FBXVersion");
    fbx_integer(w, 'I', version);
    fbx_close(w);
    fbx_close(w);
    fbx_open(w, "Empty");
    fbx_close(w);
    fbx_open(w, "Node");
    fbx_integer(w, 'Y', -5);
    fbx_float(w, 1.5f);
    fbx_text(w, "a \"b\"\n&amp;", 11);
    fbx_integer(w, 'C', 1);
    fbx_open(w, "Doubles");
    if (big_endian) { // the compressed bytes above are of the other order
        fbx_type(w, 'd');
        fbx_unsigned(w, 4, 4);
        fbx_unsigned(w, 0, 4);
        fbx_unsigned(w, 32, 4);
        for (int i = 0; i < 4; ++i) {
            uint64_t bits;
            memcpy(&bits, &doubles[i], sizeof bits);
            fbx_unsigned(w, bits, 8);
        }
    } else {
        fbx_array(w, 'd', 4, 1, packed_doubles, sizeof packed_doubles);
    }
    fbx_close(w);
    fbx_open(w, "Integers");
    if (big_endian) {
        for (int i = 0; i < 6; ++i) {
            fbx_integer(w, 'I', integers[i]);
        }
    } else {
        fbx_array(w, 'i', 6, 1, packed_integers, sizeof packed_integers);
    }
    fbx_close(w);
    fbx_open(w, "Plain");
    fbx_integer(w, 'L', 3);
    fbx_double(w, 4.0);
    fbx_integer(w, 'I', 5);
    fbx_close(w);
    fbx_open(w, "None");
    fbx_array(w, 'f', 0, 0, "", 0);
    fbx_close(w);
    fbx_close(w);
    fbx_zeros(w);
    fbx_bytes(w, "what follows is not read", 24);
}

static void expect_array(const GtiFbxTree* tree, const GtiFbxNode* node, const double* expected, uint32_t count)
{
    GtError error = { 0 };
    double as_doubles[8];
    float as_floats[8];
    memset(as_doubles, 0xCD, sizeof as_doubles);
    assert_non_null(node);
    assert_int_equal(gti_fbx_array_count(tree, node), count);
    GT_EXPECT_OK(gti_fbx_decode(tree, node, 'd', as_doubles, &error));
    GT_EXPECT_OK(gti_fbx_decode(tree, node, 'f', as_floats, &error));
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(as_doubles[i] == expected[i]);
        assert_true(as_floats[i] == (float)expected[i]);
    }
}

static void expect_contents(const GtiFbxTree* tree, int32_t version)
{
    GtError error = { 0 };
    assert_int_equal(tree->version, version);
    assert_int_equal(tree->node_count, 9);
    if (!tree->is_text) { // counted before they are read
        assert_int_equal(tree->node_capacity, tree->node_count);
        assert_int_equal(tree->value_capacity, tree->value_count);
    }
    const GtiFbxNode* empty = gti_fbx_find(tree->nodes, "Empty");
    const GtiFbxNode* node = gti_fbx_find(tree->nodes, "Node");
    assert_true(empty && node && gti_fbx_next(empty) == node && empty->value_count == 0);
    assert_true(gti_fbx_next(node) == tree->nodes + tree->node_count);
    assert_null(gti_fbx_find(tree->nodes, "FBXVersion")); // a grandchild
    assert_null(gti_fbx_find(tree->nodes, "Nod"));
    int64_t integer = 0;
    double number = 0.0;
    GtiSlice string = { 0 };
    assert_int_equal(node->value_count, 4);
    assert_true(gti_fbx_integer(gti_fbx_value(tree, node, 0), &integer) && integer == -5);
    assert_true(gti_fbx_number(gti_fbx_value(tree, node, 1), &number) && number == 1.5);
    assert_false(gti_fbx_integer(gti_fbx_value(tree, node, 1), &integer));
    assert_true(gti_fbx_string(gti_fbx_value(tree, node, 2), &string));
    assert_true(gti_slice_is(string, "a \"b\"\n&amp;"));
    assert_false(gti_fbx_number(gti_fbx_value(tree, node, 2), &number));
    assert_true(gti_fbx_integer(gti_fbx_value(tree, node, 3), &integer) && integer == 1);
    assert_false(gti_fbx_integer(gti_fbx_value(tree, node, 4), &integer));

    const GtiFbxNode* list = gti_fbx_find(node, "Integers");
    const double integers_as_doubles[6] = { 0, 1, -3, 7, 2000000000, -5 };
    const double plain[3] = { 3, 4, 5 };
    int32_t as_integers[6];
    int64_t as_wide[6];
    expect_array(tree, gti_fbx_find(node, "Doubles"), doubles, 4);
    expect_array(tree, list, integers_as_doubles, 6);
    expect_array(tree, gti_fbx_find(node, "Plain"), plain, 3);
    expect_array(tree, gti_fbx_find(node, "None"), plain, 0);
    GT_EXPECT_OK(gti_fbx_decode(tree, list, 'i', as_integers, &error));
    GT_EXPECT_OK(gti_fbx_decode(tree, list, 'l', as_wide, &error));
    assert_memory_equal(as_integers, integers, sizeof integers);
    for (int i = 0; i < 6; ++i) {
        assert_true(as_wide[i] == integers[i]);
    }
    GT_EXPECT_ERROR(gti_fbx_decode(tree, gti_fbx_find(node, "Doubles"), 'i', as_integers, &error), GT_ERROR_BAD_VALUE,
                    "element 1 of 'Doubles'");
}

static void test_text_and_binary_say_the_same(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiFbxTree tree;
    GT_EXPECT_OK(gti_fbx_parse(&context, (const uint8_t*)text_file, sizeof text_file - 1, &tree, &error));
    expect_contents(&tree, 7400);
    gti_fbx_tree_release(&tree);
    static FbxWriter w;
    for (int i = 0; i < 6; ++i) {
        uint32_t version = i % 3 == 0 ? 7100 : i % 3 == 1 ? 7400 : 7700;
        write_binary(&w, version, i >= 3);
        GT_EXPECT_OK(gti_fbx_parse(&context, w.bytes, w.size, &tree, &error));
        expect_contents(&tree, (int32_t)version);
        gti_fbx_tree_release(&tree);
    }
}

static void test_numbers_that_are_none(void** state)
{
    (void)state;
    static const char text[] = "FBXHeaderExtension: {\nFBXVersion: 7500\n}\n"
                               "A: *9 { a: nan,-inf,1.#QNAN,-1.#INF,-nan(ind),Infinity,1e400,1e-400,-0 }\n";
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiFbxTree tree;
    double out[9];
    GT_EXPECT_OK(gti_fbx_parse(&context, (const uint8_t*)text, sizeof text - 1, &tree, &error));
    GT_EXPECT_OK(gti_fbx_decode(&tree, gti_fbx_find(tree.nodes, "A"), 'd', out, &error));
    assert_true(isnan(out[0]) && isnan(out[2]) && isnan(out[4]));
    assert_true(out[1] < 0 && isinf(out[1]) && out[3] < 0 && isinf(out[3]) && out[5] > 0 && isinf(out[5]));
    assert_true(isinf(out[6]) && out[7] == 0.0 && signbit(out[8]));
    GT_EXPECT_ERROR(gti_fbx_decode(&tree, gti_fbx_find(tree.nodes, "A"), 'i', out, &error), GT_ERROR_BAD_VALUE,
                    "element 0");
    gti_fbx_tree_release(&tree);
}

static void expect_refused(const void* bytes, size_t size, GtResult code, const char* message)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiFbxTree tree;
    GT_EXPECT_ERROR(gti_fbx_parse(&context, bytes, size, &tree, &error), code, message);
    assert_null(tree.nodes);
}

static void test_bad_text_is_refused(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        GtResult code;
        const char* message;
    } bad[] = {
        { "A: {\n}\n", GT_ERROR_BAD_FILE, "not an FBX file" },
        { "; FBX 6.1.0 project file\nFBXHeaderExtension: {\n", GT_ERROR_UNSUPPORTED, "version 6100" },
        { "FBXHeaderExtension: {\nFBXVersion: 6100\n}\n", GT_ERROR_UNSUPPORTED, "Autodesk FBX Converter" },
        { "FBXHeaderExtension: {\nFBXVersion: 8000\n}\n", GT_ERROR_UNSUPPORTED, "version 8000" },
        { "FBXHeaderExtension: {\n}\n", GT_ERROR_BAD_FILE, "does not say its version" },
        { "; FBX 7.4.0\nA: {\n", GT_ERROR_BAD_FILE, "line 3: the file ends before" },
        { "; FBX 7.4.0\nA: 1\n}\n", GT_ERROR_BAD_FILE, "line 3: there is a }" },
        { "; FBX 7.4.0\nA: \"b\n", GT_ERROR_BAD_FILE, "line 2: a string has no closing" },
        { "; FBX 7.4.0\n\nA: 1 2\n", GT_ERROR_BAD_FILE, "line 3: a node must begin" },
        { "; FBX 7.4.0\nA: *x { a: 1 }\n", GT_ERROR_BAD_FILE, "after the *" },
        { "; FBX 7.4.0\nA: *-1 { a: 1 }\n", GT_ERROR_BAD_FILE, "after the *" },
        { "; FBX 7.4.0\nA: *99999999999999999999 { a: 1 }\n", GT_ERROR_BAD_FILE, "after the *" },
        { "; FBX 7.4.0\nA: *1\n", GT_ERROR_BAD_FILE, "needs {" },
        { "; FBX 7.4.0\nA: *1 { a 1 }\n", GT_ERROR_BAD_FILE, "needs a:" },
        { "; FBX 7.4.0\nA: *1 { a: 1 ; }\n", GT_ERROR_BAD_FILE, "no closing }" },
        { "; FBX 7.4.0\nA: *2000000000 { a: 1 }\n", GT_ERROR_BAD_FILE, "fewer elements" },
        { "; FBX 7.4.0\n:\n", GT_ERROR_BAD_FILE, "a name and a colon" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        expect_refused(bad[i].text, strlen(bad[i].text), bad[i].code, bad[i].message);
    }
}

static void test_depth_is_limited(void** state)
{
    (void)state;
    static FbxWriter w;
    static char text[4096] = "; FBX 7.4.0\n";
    fbx_begin(&w, 7400, false);
    for (int i = 0; i <= GTI_FBX_MAX_DEPTH; ++i) {
        fbx_open(&w, "N");
        strcat(text, "N: {\n");
    }
    for (int i = 0; i <= GTI_FBX_MAX_DEPTH; ++i) {
        fbx_close(&w);
        strcat(text, "}\n");
    }
    expect_refused(w.bytes, w.size, GT_ERROR_LIMIT, "deep");
    expect_refused(text, strlen(text), GT_ERROR_LIMIT, "deep");
}

static void test_bombs_are_refused(void** state)
{
    (void)state;
    static FbxWriter w;
    static const struct {
        char type;
        uint32_t count;
        uint32_t encoding;
        const char* message;
    } bombs[] = {
        { 'd', 0xFFFFFFFF, 1, "cannot be in" },
        { 'i', 20000, 1, "cannot be in" }, // 80,000 bytes from at most 40
        { 'd', 5, 0, "cannot be in" },
        { 'd', 4, 2, "unknown encoding 2" },
    };
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; ++i) {
        fbx_begin(&w, 7400, false);
        fbx_open(&w, "A");
        fbx_array(&w, bombs[i].type, bombs[i].count, bombs[i].encoding, packed_doubles, 32);
        fbx_close(&w);
        expect_refused(w.bytes, w.size, GT_ERROR_BAD_FILE, bombs[i].message);
    }
    fbx_begin(&w, 7400, false); // claims what could be, but is not there
    fbx_open(&w, "A");
    fbx_array(&w, 'd', 5, 1, packed_doubles, sizeof packed_doubles);
    fbx_close(&w);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtiFbxTree tree;
    double out[5];
    GT_EXPECT_OK(gti_fbx_parse(&context, w.bytes, w.size, &tree, &error));
    GT_EXPECT_ERROR(gti_fbx_decode(&tree, tree.nodes + 1, 'd', out, &error), GT_ERROR_BAD_FILE,
                    "array 'A': the compressed data holds fewer bytes");
    gti_fbx_tree_release(&tree);
}

// Decode what a file still has; results do not matter, only that nothing is read or written outside.
static void decode_all(const GtiFbxTree* tree)
{
    for (int32_t i = 0; i < tree->node_count; ++i) {
        uint32_t count = gti_fbx_array_count(tree, &tree->nodes[i]);
        GtError error = { 0 };
        double* out = malloc(8 * (size_t)count + 1);
        assert_non_null(out);
        (void)gti_fbx_decode(tree, &tree->nodes[i], "ilfd"[i % 4], out, &error);
        free(out);
    }
}

static void test_damaged_files(void** state)
{
    (void)state;
    static FbxWriter w;
    GtContext context = gt_default_context();
    for (int width = 0; width < 3; ++width) {
        write_binary(&w, width ? 7500 : 7400, false);
        size_t size = width < 2 ? w.size : sizeof text_file - 1;
        const uint8_t* file = width < 2 ? w.bytes : (const uint8_t*)text_file;
        for (size_t i = 0; i < 2 * size; ++i) { // cut at each byte, then change each byte
            size_t kept = i < size ? i : size;
            uint8_t* copy = malloc(kept + !kept);
            assert_non_null(copy);
            memcpy(copy, file, kept);
            for (int change = 0; change < (i < size ? 1 : 4); ++change) {
                static const uint8_t changes[4] = { 0x00, 0xFF, 0x7F, 0x22 };
                GtError error = { 0 };
                GtiFbxTree tree;
                if (i >= size) {
                    copy[i - size] = changes[change];
                }
                if (gti_fbx_parse(&context, copy, kept, &tree, &error) == GT_OK) {
                    decode_all(&tree);
                    gti_fbx_tree_release(&tree);
                } else {
                    assert_true(error.message[0] != 0);
                }
            }
            free(copy);
        }
    }
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    static FbxWriter w;
    write_binary(&w, 7400, false);
    for (int text = 0; text < 2; ++text) {
        bool done = false;
        for (int64_t allowed = 0; !done; ++allowed) {
            TestAllocator limited = { .remaining = allowed };
            GtContext context = gt_default_context();
            context.allocator = test_allocator(&limited);
            GtError error = { 0 };
            GtiFbxTree tree;
            GtResult result = gti_fbx_parse(&context, text ? (const uint8_t*)text_file : w.bytes,
                                            text ? sizeof text_file - 1 : w.size, &tree, &error);
            if (result == GT_OK) {
                float out[4];
                result =
                    gti_fbx_decode(&tree, gti_fbx_find(gti_fbx_find(tree.nodes, "Node"), "Doubles"), 'f', out, &error);
                gti_fbx_tree_release(&tree);
            }
            assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
            assert_int_equal(limited.alive, 0);
            done = result == GT_OK;
            assert_true(!done || allowed >= 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_and_binary_say_the_same),
        cmocka_unit_test(test_numbers_that_are_none),
        cmocka_unit_test(test_bad_text_is_refused),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_bombs_are_refused),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
