// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One change to a glTF or GLB file: a number, a string or an index of its JSON; a member or element that is removed,
// repeated, exchanged or copied over another; or values of an accessor, in the binary chunk or in a data URI. The JSON
// is parsed by the library's reader, whose values know their own bytes, so that a change is a splice of text.

#include "mutate.h"

#include "data/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GLB_HEAD = 12,
    CHUNK_HEAD = 8,
    MOST_CHILDREN = 256 // of a container that is rebuilt
};

typedef struct GltfMutant {
    FuzzRandom random;
    GtArena arena;
    bool is_glb;
    const char* json;
    size_t json_size;
    uint8_t* bin; // a copy, or NULL
    size_t bin_size;
    const GtiJson* root;
    // The change: [from, from + removed) of the JSON becomes `text`.
    const char* from;
    size_t removed;
    const char* text;
    size_t text_size;
} GltfMutant;

// What glTF says by words, of all its enumerations, and of extensions that the reader knows.
static const char* const words[] = {
    "SCALAR",     "VEC2",         "VEC3",        "VEC4",        "MAT2",         "MAT3",     "MAT4",
    "LINEAR",     "STEP",         "CUBICSPLINE", "rotation",    "scale",        "weights",  "translation",
    "OPAQUE",     "MASK",         "BLEND",       "perspective", "POSITION",     "NORMAL",   "TANGENT",
    "TEXCOORD_0", "TEXCOORD_1",   "COLOR_0",     "JOINTS_0",    "WEIGHTS_0",    "JOINTS_1", "WEIGHTS_1",
    "hips",       "leftUpperLeg", "image/png",   "image/jpeg",  "orthographic", "",
};

static const char* const index_keys[] = {
    "bufferView", "buffer",   "indices",  "mesh",   "skin",     "node",     "input",     "output",
    "sampler",    "material", "source",   "camera", "skeleton", "scene",    "index",     "inverseBindMatrices",
    "POSITION",   "NORMAL",   "children", "joints", "nodes",    "JOINTS_0", "WEIGHTS_0", "COLOR_0",
};

void gti_fuzz_number(FuzzRandom* random, char out[32])
{
    static const char* const odd[] = {
        "0",
        "-0",
        "1",
        "-1",
        "2",
        "3",
        "4",
        "7",
        "16",
        "127",
        "128",
        "255",
        "256",
        "65535",
        "65536",
        "2147483647",
        "2147483648",
        "4294967295",
        "1e18",
        "-1e18",
        "5120",
        "5121",
        "5123",
        "5125",
        "5126",
        "34962",
        "34963",
        "1e-45",
        "1e-38",
        "1e-12",
        "1e-6",
        "0.5",
        "1e6",
        "1e12",
        "3.4028235e38",
        "-3.4028235e38",
        "1e38",
        "1e39",
        "1e308",
        "1e309",
        "-2147483649",
        "9007199254740993",
        "18446744073709551616",
        "3.14159265",
    };
    uint32_t kind = fuzz_choose(random, 4);
    if (kind == 0) {
        snprintf(out, 32, "%s", odd[fuzz_choose(random, sizeof odd / sizeof *odd)]);
    } else if (kind == 1) {
        snprintf(out, 32, "%u", fuzz_choose(random, 12));
    } else {
        double value = (double)fuzz_choose(random, 2000001) / 1e6 - 1.0;
        snprintf(out, 32, "%.6g", kind == 2 ? value : 100.0 * value * value * value);
    }
}

static uint32_t read_u32(const uint8_t* bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static bool split(GltfMutant* m, const uint8_t* data, size_t size)
{
    m->is_glb = size >= GLB_HEAD + CHUNK_HEAD && memcmp(data, "glTF", 4) == 0;
    m->json = (const char*)data;
    m->json_size = size;
    if (m->is_glb) {
        size_t start = GLB_HEAD + CHUNK_HEAD;
        m->json_size = read_u32(data + GLB_HEAD);
        m->json = (const char*)data + start;
        if (m->json_size > size - start) {
            return false;
        }
        size_t rest = size - start - m->json_size;
        if (rest > CHUNK_HEAD) {
            m->bin_size = rest - CHUNK_HEAD;
            m->bin = gt_arena_push(&m->arena, m->bin_size);
            if (!m->bin) {
                return false;
            }
            memcpy(m->bin, data + size - m->bin_size, m->bin_size);
        }
    }
    return gti_json_parse(&m->arena, m->json, m->json_size, &m->root, NULL) == GT_OK &&
           m->root->type == GTI_JSON_OBJECT;
}

static void replace(GltfMutant* m, const GtiJson* value, const char* text, size_t size)
{
    m->from = value->text;
    m->removed = value->text_length;
    m->text = text;
    m->text_size = size;
}

static void replace_copy(GltfMutant* m, const GtiJson* value, const char* text)
{
    const char* copy = gt_arena_push_text(&m->arena, text, strlen(text));
    if (copy) {
        replace(m, value, copy, strlen(copy));
    }
}

static const GtiJson* parent_of(const GtiJson* root, const GtiJson* value)
{
    for (const GtiJson* p = value; p-- > root;) {
        if (gti_json_next(p) > value) {
            return p;
        }
    }
    return root;
}

// A random value of a kind that `wanted` tells; NULL where there is none.
static const GtiJson* choose_value(GltfMutant* m, bool (*wanted)(const GltfMutant* m, const GtiJson* value))
{
    uint32_t count = m->root->size;
    uint32_t first = fuzz_choose(&m->random, count);
    for (uint32_t i = 0; i < count; ++i) {
        const GtiJson* value = m->root + (first + i) % count;
        if (wanted(m, value)) {
            return value;
        }
    }
    return NULL;
}

static bool is_number(const GltfMutant* m, const GtiJson* value)
{
    (void)m;
    return value->type == GTI_JSON_NUMBER;
}

static bool is_string(const GltfMutant* m, const GtiJson* value)
{
    (void)m;
    return value->type == GTI_JSON_STRING && value->text_length < 64;
}

static bool is_container(const GltfMutant* m, const GtiJson* value)
{
    (void)m;
    return value->count > 0 && value->count <= MOST_CHILDREN && value->text_length < 8192;
}

static bool is_flag(const GltfMutant* m, const GtiJson* value)
{
    (void)m;
    return value->type <= GTI_JSON_TRUE;
}

static bool is_index(const GltfMutant* m, const GtiJson* value)
{
    if (value->type != GTI_JSON_NUMBER) {
        return false;
    }
    const GtiJson* named = value->key ? value : parent_of(m->root, value);
    for (size_t i = 0; i < sizeof index_keys / sizeof *index_keys; ++i) {
        if (named->key && gti_json_key_is(named, index_keys[i])) {
            return true;
        }
    }
    return false;
}

static void change_number(GltfMutant* m)
{
    const GtiJson* value = choose_value(m, is_number);
    double old = 0.0;
    char text[32];
    if (!value) {
        return;
    }
    gti_json_double(value, &old);
    switch (fuzz_choose(&m->random, 4)) {
    case 0:
        snprintf(text, sizeof text, "%.9g", old + 1.0 - 2.0 * fuzz_choose(&m->random, 2));
        break;
    case 1:
        snprintf(text, sizeof text, "%.9g", fabs(old) < 1e300 ? old * (0.5 * fuzz_choose(&m->random, 5) - 1.0) : 0.0);
        break;
    default:
        gti_fuzz_number(&m->random, text);
        break;
    }
    replace_copy(m, value, text);
}

// A small index, which something of that number is likely to be there for: nodes become their own parents, skins share
// joints, curves share keys.
static void change_index(GltfMutant* m)
{
    const GtiJson* value = choose_value(m, is_index);
    char text[32];
    if (value) {
        snprintf(text, sizeof text, "%u", fuzz_choose(&m->random, fuzz_choose(&m->random, 2) ? 4 : 24));
        replace_copy(m, value, text);
    }
}

static void change_string(GltfMutant* m)
{
    const GtiJson* value = choose_value(m, is_string);
    char text[40];
    if (value && fuzz_choose(&m->random, 2)) {
        snprintf(text, sizeof text, "\"%s\"", words[fuzz_choose(&m->random, sizeof words / sizeof *words)]);
        replace_copy(m, value, text);
    } else if (value) {
        const GtiJson* other = choose_value(m, is_string);
        replace(m, value, other->text, other->text_length);
    }
}

static void change_flag(GltfMutant* m)
{
    const GtiJson* value = choose_value(m, is_flag);
    if (value) {
        replace_copy(m, value, value->type == GTI_JSON_TRUE ? "false" : "true");
    }
}

// Copy one value over another of the same type: accessors, nodes, channels, whole meshes.
static void copy_over(GltfMutant* m)
{
    const GtiJson* value = choose_value(m, is_container);
    for (int tries = 0; value && tries < 16; ++tries) {
        const GtiJson* other = choose_value(m, is_container);
        if (other != value && other->type == value->type &&
            (other->key ? value->key && gti_json_member(parent_of(m->root, value), other->key, other->key_length)
                        : !value->key)) {
            replace(m, value, other->text, other->text_length);
            return;
        }
    }
}

// The bytes of a child with its key; false where the key was written with escapes, whose text is not known.
static bool child_span(const GltfMutant* m, const GtiJson* child, const char** start, size_t* size)
{
    *start = child->text;
    if (child->key) {
        if (child->key <= m->json || child->key >= child->text) {
            return false;
        }
        *start = child->key - 1;
    }
    *size = (size_t)(child->text + child->text_length - *start);
    return true;
}

// Write a container again with a child removed, repeated, or exchanged with another.
static void rebuild(GltfMutant* m)
{
    const GtiJson* container = choose_value(m, is_container);
    if (!container) {
        return;
    }
    const GtiJson* order[MOST_CHILDREN + 1];
    uint32_t count = 0;
    for (const GtiJson* c = container + 1; count < container->count; c = gti_json_next(c)) {
        order[count++] = c;
    }
    uint32_t a = fuzz_choose(&m->random, count);
    uint32_t b = fuzz_choose(&m->random, count);
    uint32_t kind = fuzz_choose(&m->random, 3);
    if (kind == 0) {
        memmove(order + a, order + a + 1, (count - a - 1) * sizeof(const GtiJson*));
        --count;
    } else if (kind == 1 && container->type == GTI_JSON_ARRAY) {
        order[count++] = order[a];
    } else {
        const GtiJson* swapped = order[a];
        order[a] = order[b];
        order[b] = swapped;
    }
    size_t used = 0;
    char* text = gt_arena_push(&m->arena, 2 * (size_t)container->text_length + 8);
    if (!text) {
        return;
    }
    text[used++] = container->type == GTI_JSON_ARRAY ? '[' : '{';
    for (uint32_t i = 0; i < count; ++i) {
        const char* start = NULL;
        size_t size = 0;
        if (!child_span(m, order[i], &start, &size)) {
            return;
        }
        if (i) {
            text[used++] = ',';
        }
        memcpy(text + used, start, size);
        used += size;
    }
    text[used++] = container->type == GTI_JSON_ARRAY ? ']' : '}';
    replace(m, container, text, used);
}

static int64_t get_int(const GtiJson* object, const char* key, int64_t otherwise)
{
    int64_t value = otherwise;
    gti_json_int64(gti_json_find(object, key), &value);
    return value;
}

static const GtiJson* element(const GtiJson* list, int64_t index)
{
    const GtiJson* value = gti_json_first(list);
    if (!value || index < 0 || index >= list->count) {
        return NULL;
    }
    for (; index > 0; --index) {
        value = gti_json_next(value);
    }
    return value;
}

static size_t write_value(FuzzRandom* random, int64_t component, uint8_t out[4])
{
    static const float odd[] = {
        0.0f, -0.0f, 1.0f, -1.0f, 1e-45f, 1e-20f, 1e20f, 3.4e38f, -3.4e38f, 1e6f, NAN, INFINITY
    };
    if (component == 5126) {
        float value = (float)fuzz_choose(random, 4001) / 1000.0f - 2.0f;
        if (fuzz_choose(random, 4) == 0) {
            value = odd[fuzz_choose(random, sizeof odd / sizeof *odd)];
        }
        memcpy(out, &value, sizeof value);
        return sizeof value;
    }
    uint32_t value = fuzz_choose(random, 8) ? fuzz_choose(random, 24) : UINT32_MAX >> fuzz_choose(random, 32);
    memcpy(out, &value, sizeof value);
    return component == 5125 ? 4 : component == 5123 || component == 5122 ? 2 : 1;
}

// Change 1 to 4 neighbouring values of an accessor in the binary chunk.
static bool change_values(GltfMutant* m)
{
    const GtiJson* accessors = gti_json_find(m->root, "accessors");
    const GtiJson* accessor = accessors ? element(accessors, fuzz_choose(&m->random, accessors->count)) : NULL;
    const GtiJson* view = element(gti_json_find(m->root, "bufferViews"), get_int(accessor, "bufferView", -1));
    if (!accessor || !view || !m->bin || get_int(view, "buffer", 0) != 0) {
        return false;
    }
    int64_t component = get_int(accessor, "componentType", 5126);
    int64_t start = get_int(view, "byteOffset", 0) + get_int(accessor, "byteOffset", 0);
    int64_t size = get_int(view, "byteLength", 0) - get_int(accessor, "byteOffset", 0);
    if (start < 0 || size < 4 || start > (int64_t)m->bin_size || size > (int64_t)m->bin_size - start) {
        return false;
    }
    uint32_t count = 1 + fuzz_choose(&m->random, 4);
    uint8_t bytes[4];
    size_t width = write_value(&m->random, component, bytes);
    size_t at = fuzz_choose(&m->random, (uint32_t)((size_t)size / width));
    for (uint32_t i = 0; i < count && (at + i + 1) * width <= (size_t)size; ++i) {
        memcpy(m->bin + start + (at + i) * width, bytes, width);
        write_value(&m->random, component, bytes);
    }
    return true;
}

static bool is_data(const GltfMutant* m, const GtiJson* value)
{
    (void)m;
    return value->type == GTI_JSON_STRING && value->text_length > 64 && memcmp(value->text, "\"data:", 6) == 0;
}

// Put three values, which are 16 characters of base 64, into a data URI.
static void change_data_uri(GltfMutant* m)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const GtiJson* value = choose_value(m, is_data);
    const char* comma = value ? memchr(value->text, ',', value->text_length) : NULL;
    uint8_t bytes[12];
    char* text = gt_arena_push(&m->arena, 16);
    size_t length = comma ? (size_t)(value->text + value->text_length - 1 - (comma + 1)) : 0;
    if (!text || length < 20) {
        return;
    }
    int64_t component = fuzz_choose(&m->random, 2) ? 5126 : 5125;
    for (int i = 0; i < 3; ++i) {
        write_value(&m->random, component, bytes + 4 * i);
    }
    for (int i = 0; i < 4; ++i) {
        uint32_t bits = (uint32_t)bytes[3 * i] << 16 | (uint32_t)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
        for (int k = 0; k < 4; ++k) {
            text[4 * i + k] = digits[bits >> (18 - 6 * k) & 63];
        }
    }
    m->from = comma + 1 + 16 * (size_t)fuzz_choose(&m->random, (uint32_t)((length - 4) / 16));
    m->removed = m->text_size = 16;
    m->text = text;
}

// Returns whether something was changed.
static bool change(GltfMutant* m)
{
    switch (fuzz_choose(&m->random, 10)) {
    case 0:
    case 1:
        change_number(m);
        break;
    case 2:
        change_index(m);
        break;
    case 3:
        change_string(m);
        break;
    case 4:
        rebuild(m);
        break;
    case 5:
        copy_over(m);
        break;
    case 6:
        change_flag(m);
        break;
    default:
        if (change_values(m)) {
            return true;
        }
        change_data_uri(m);
        break;
    }
    return m->from != NULL;
}

static void write_chunk(uint8_t* out, uint32_t size, const char* kind)
{
    memcpy(out, &size, sizeof size);
    memcpy(out + 4, kind, 4);
}

// Put the file together again; NULL where it does not fit.
static uint8_t* join(GltfMutant* m, size_t capacity, size_t* size)
{
    size_t json_size = m->json_size - m->removed + m->text_size;
    size_t padded = m->is_glb ? (json_size + 3) / 4 * 4 : json_size;
    size_t start = m->is_glb ? GLB_HEAD + CHUNK_HEAD : 0;
    *size = start + padded + (m->bin ? CHUNK_HEAD + m->bin_size : 0);
    uint8_t* out = *size <= capacity ? gt_arena_push(&m->arena, *size) : NULL;
    if (!out) {
        return NULL;
    }
    size_t before = m->from ? (size_t)(m->from - m->json) : m->json_size;
    memset(out, ' ', start + padded);
    memcpy(out + start, m->json, before);
    if (m->from) {
        memcpy(out + start + before, m->text, m->text_size);
        memcpy(out + start + before + m->text_size, m->from + m->removed, m->json_size - before - m->removed);
    }
    if (m->is_glb) {
        uint32_t head[3] = { 0x46546C67u, 2, (uint32_t)*size };
        memcpy(out, head, sizeof head);
        write_chunk(out + GLB_HEAD, (uint32_t)padded, "JSON");
    }
    if (m->bin) {
        write_chunk(out + start + padded, (uint32_t)m->bin_size, "BIN");
        memcpy(out + start + padded + CHUNK_HEAD, m->bin, m->bin_size);
    }
    return out;
}

size_t gti_mutate_gltf(uint8_t* data, size_t size, size_t capacity, unsigned seed)
{
    if (size < 2 || (data[0] != '{' && data[0] != 'g')) {
        return 0;
    }
    GltfMutant m = { .random = fuzz_random(seed), .arena = gt_arena_create(gt_default_allocator()) };
    size_t changed = 0;
    if (split(&m, data, size) && change(&m)) {
        uint8_t* out = join(&m, capacity, &changed);
        changed = out ? changed : 0;
        if (out) {
            memcpy(data, out, changed);
        }
    }
    gt_arena_destroy(&m.arena);
    return changed;
}
