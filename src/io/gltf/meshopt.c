// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bitstreams of EXT_meshopt_compression, as the extension's appendix "Bitstream" specifies them: version 0 of
// attributes (mode 0), versions 0 and 1 of triangles (mode 1), version 1 of indices (mode 2). Every read is checked
// against the end of the data.

#include "io/gltf/meshopt.h"

#include <math.h>
#include <string.h>

enum {
    VERTEX_HEADER = 0xA0,
    TRIANGLE_HEADER = 0xE0,
    INDEX_HEADER = 0xD0,
    GROUP = 16,         // bytes that share a width
    BLOCK_BYTES = 8192, // of vertices that are decoded together
    BLOCK_VERTICES = 256,
    TAIL = 32, // least bytes at the end of vertices, of which the last are the first vertex
    TRIANGLE_TAIL = 16,
    INDEX_TAIL = 4
};

// What is left of the data.
typedef struct Stream {
    const uint8_t* p;
    const uint8_t* end;
    bool failed;
} Stream;

static uint8_t next_byte(Stream* stream)
{
    if (stream->p >= stream->end) {
        stream->failed = true;
        return 0;
    }
    return *stream->p++;
}

static void read_group(Stream* stream, unsigned mode, uint8_t out[GROUP])
{
    if (mode == 0) {
        memset(out, 0, GROUP);
        return;
    }
    size_t packed = mode == 1 ? 4 : mode == 2 ? 8 : GROUP;
    if ((size_t)(stream->end - stream->p) < packed) {
        stream->failed = true;
        return;
    }
    const uint8_t* bits = stream->p;
    stream->p += packed;
    if (mode == 3) {
        memcpy(out, bits, GROUP);
        return;
    }
    unsigned width = mode == 1 ? 2 : 4;
    unsigned escape = (1u << width) - 1;
    for (unsigned i = 0; i < GROUP; ++i) { // the first in the highest bits; what does not fit follows as a byte
        unsigned value = (unsigned)bits[i * width / 8] >> (8 - width - i * width % 8) & escape;
        out[i] = value == escape ? next_byte(stream) : (uint8_t)value;
    }
}

// One byte of `count` vertices: differences to the vertex before, in groups with two bits of width each.
static void read_column(Stream* stream, uint32_t count, uint8_t* out)
{
    uint32_t group_count = (count + GROUP - 1) / GROUP;
    size_t header_size = (group_count + 3) / 4;
    if ((size_t)(stream->end - stream->p) < header_size) {
        stream->failed = true;
        return;
    }
    const uint8_t* header = stream->p;
    stream->p += header_size;
    for (uint32_t g = 0; g < group_count && !stream->failed; ++g) {
        read_group(stream, header[g / 4] >> (g % 4 * 2) & 3u, out + (size_t)g * GROUP);
    }
}

bool gti_meshopt_decode_vertices(const uint8_t* data, size_t data_size, uint64_t count, uint32_t size, uint8_t* out)
{
    size_t tail = size > TAIL ? size : TAIL;
    if (data_size < 1 + tail || data[0] != VERTEX_HEADER) {
        return false;
    }
    uint8_t last[BLOCK_VERTICES];
    uint8_t column[BLOCK_VERTICES];
    memcpy(last, data + data_size - size, size);
    Stream stream = { data + 1, data + data_size - tail, false };
    uint32_t most = BLOCK_BYTES / size & ~(uint32_t)(GROUP - 1);
    most = most < BLOCK_VERTICES ? most : BLOCK_VERTICES;
    for (uint64_t first = 0; first < count && !stream.failed; first += most) {
        uint32_t some = count - first < most ? (uint32_t)(count - first) : most;
        for (uint32_t k = 0; k < size && !stream.failed; ++k) {
            read_column(&stream, some, column);
            uint8_t* to = out + first * size + k;
            for (uint32_t i = 0; i < some && !stream.failed; ++i, to += size) {
                last[k] = (uint8_t)(last[k] + (uint8_t)(column[i] >> 1 ^ -(column[i] & 1)));
                *to = last[k];
            }
        }
    }
    return !stream.failed && stream.p == stream.end;
}

static void put_index(uint8_t* out, uint64_t at, uint32_t size, uint32_t index)
{
    if (size == 2) {
        uint16_t small = (uint16_t)index;
        memcpy(out + at * 2, &small, sizeof small);
    } else {
        memcpy(out + at * 4, &index, sizeof index);
    }
}

static uint32_t read_varint(Stream* stream)
{
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint8_t byte = next_byte(stream);
        value |= (uint32_t)(byte & 127) << shift;
        if (byte < 128) {
            break;
        }
    }
    return value;
}

static uint32_t signed_of(uint32_t value)
{
    return value >> 1 ^ (0u - (value & 1));
}

// Where triangles stand: edges and vertices seen last, the next new vertex, and the last that was written out.
typedef struct Corners {
    uint32_t edges[16][2];
    uint32_t vertices[16];
    uint32_t edge_at, vertex_at;
    uint32_t next, last;
    uint32_t triangle[3];
} Corners;

static uint32_t vertex_back(const Corners* c, uint32_t distance)
{
    return c->vertices[(c->vertex_at - distance) & 15];
}

static void push_vertex(Corners* c, uint32_t vertex)
{
    c->vertices[c->vertex_at] = vertex;
    c->vertex_at = (c->vertex_at + 1) & 15;
}

static void push_edge(Corners* c, uint32_t a, uint32_t b)
{
    c->edges[c->edge_at][0] = a;
    c->edges[c->edge_at][1] = b;
    c->edge_at = (c->edge_at + 1) & 15;
}

// A triangle on an edge seen before.
static void read_on_edge(Corners* c, Stream* stream, unsigned code, unsigned most)
{
    const uint32_t* edge = c->edges[(c->edge_at - 1 - (code >> 4)) & 15];
    uint32_t a = edge[0];
    uint32_t b = edge[1];
    unsigned which = code & 15;
    uint32_t third = 0;
    if (which == 0) {
        third = c->next++;
        push_vertex(c, third);
    } else if (which < most) {
        third = vertex_back(c, which + 1);
    } else {
        uint32_t step = which == 13 ? UINT32_MAX : 1; // 13 and 14 step from the last one
        third = c->last = which == 15 ? c->last + signed_of(read_varint(stream)) : c->last + step;
        push_vertex(c, third);
    }
    push_edge(c, third, b);
    push_edge(c, a, third);
    c->triangle[0] = a;
    c->triangle[1] = b;
    c->triangle[2] = third;
}

// A triangle of its own. `first` is 0 for a new vertex, 15 for one that is written out; `others` has two such numbers,
// or distances back.
static void read_alone(Corners* c, Stream* stream, unsigned first, unsigned others)
{
    const unsigned which[3] = { first, others >> 4, others & 15 };
    bool pushed[3];
    for (int i = 0; i < 3; ++i) {
        pushed[i] = which[i] == 0 || which[i] == 15;
        if (which[i] == 0) {
            c->triangle[i] = c->next++;
        } else if (which[i] != 15) {
            c->triangle[i] = vertex_back(c, which[i]);
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (which[i] == 15) {
            c->triangle[i] = c->last = c->last + signed_of(read_varint(stream));
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (pushed[i]) {
            push_vertex(c, c->triangle[i]);
        }
    }
    push_edge(c, c->triangle[1], c->triangle[0]);
    push_edge(c, c->triangle[2], c->triangle[1]);
    push_edge(c, c->triangle[0], c->triangle[2]);
}

bool gti_meshopt_decode_triangles(const uint8_t* data, size_t data_size, uint64_t count, uint32_t size, uint8_t* out)
{
    uint64_t triangle_count = count / 3;
    if (data_size < 1 + TRIANGLE_TAIL || data_size - 1 - TRIANGLE_TAIL < triangle_count ||
        (data[0] & 0xF0) != TRIANGLE_HEADER || (data[0] & 15) > 1) {
        return false;
    }
    unsigned most = data[0] & 15 ? 13 : 15; // of distances back to vertices
    const uint8_t* codes = data + 1;
    const uint8_t* table = data + data_size - TRIANGLE_TAIL;
    Stream stream = { codes + triangle_count, table, false };
    Corners corners = { 0 };
    memset(corners.edges, 0xFF, sizeof corners.edges);
    memset(corners.vertices, 0xFF, sizeof corners.vertices);
    for (uint64_t t = 0; t < triangle_count && !stream.failed; ++t) {
        unsigned code = codes[t];
        if (code < 0xF0) {
            read_on_edge(&corners, &stream, code, most);
        } else if (code < 0xFE) {
            unsigned others = table[code & 15];
            if (others >> 4 == 15 || (others & 15) == 15) {
                return false;
            }
            read_alone(&corners, &stream, 0, others);
        } else {
            unsigned others = next_byte(&stream);
            corners.next = others == 0 ? 0 : corners.next;
            read_alone(&corners, &stream, code == 0xFE ? 0 : 15, others);
        }
        for (uint64_t i = 0; i < 3; ++i) {
            put_index(out, 3 * t + i, size, corners.triangle[i]);
        }
    }
    return !stream.failed && stream.p == stream.end;
}

bool gti_meshopt_decode_indices(const uint8_t* data, size_t data_size, uint64_t count, uint32_t size, uint8_t* out)
{
    if (data_size < 1 + INDEX_TAIL || (data[0] & 0xF0) != INDEX_HEADER || (data[0] & 15) > 1) {
        return false;
    }
    Stream stream = { data + 1, data + data_size - INDEX_TAIL, false };
    uint32_t last[2] = { 0, 0 };
    for (uint64_t i = 0; i < count && !stream.failed; ++i) {
        uint32_t value = read_varint(&stream);
        uint32_t* base = &last[value & 1];
        *base += signed_of(value >> 1);
        put_index(out, i, size, *base);
    }
    return !stream.failed && stream.p == stream.end;
}

uint64_t gti_meshopt_most(size_t data_size)
{
    return (uint64_t)data_size * 64 + BLOCK_BYTES; // two bits for 16 bytes
}

static float round_away(float value)
{
    return truncf(value + (value >= 0.0f ? 0.5f : -0.5f));
}

// x and y of a unit vector in an octahedron whose height is z; the length goes into `length`.
static void unfold(float* x, float* y, float* z, float* length)
{
    *z -= fabsf(*x) + fabsf(*y);
    float fold = *z < 0.0f ? *z : 0.0f;
    *x += *x >= 0.0f ? fold : -fold;
    *y += *y >= 0.0f ? fold : -fold;
    *length = sqrtf(*x * *x + *y * *y + *z * *z);
}

void gti_meshopt_unfilter_octahedral(uint8_t* data, uint64_t count, uint32_t size)
{
    for (uint64_t i = 0; i < count; ++i, data += size) {
        int8_t small[4];
        int16_t large[4];
        memcpy(small, data, sizeof small);
        if (size == 8) {
            memcpy(large, data, sizeof large);
        }
        float v[3];
        for (int k = 0; k < 3; ++k) {
            v[k] = size == 4 ? (float)small[k] : (float)large[k];
        }
        float length = 0.0f;
        unfold(&v[0], &v[1], &v[2], &length);
        float scale = length > 0.0f ? (size == 4 ? 127.0f : 32767.0f) / length : 0.0f;
        for (int k = 0; k < 3; ++k) {
            float rounded = round_away(v[k] * scale);
            small[k] = (int8_t)(size == 4 ? rounded : 0.0f);
            large[k] = (int16_t)rounded;
        }
        memcpy(data, size == 4 ? (const void*)small : (const void*)large, size == 4 ? 3 : 6);
    }
}

void gti_meshopt_unfilter_quaternion(uint8_t* data, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i, data += 8) {
        int16_t q[4];
        memcpy(q, data, sizeof q);
        float scale = 0.70710678f / (float)(q[3] | 3);
        float v[4] = { 0.0f, (float)q[0] * scale, (float)q[1] * scale, (float)q[2] * scale };
        float rest = 1.0f - v[1] * v[1] - v[2] * v[2] - v[3] * v[3];
        v[0] = sqrtf(rest > 0.0f ? rest : 0.0f);
        unsigned largest = (unsigned)q[3] & 3;
        for (unsigned k = 0; k < 4; ++k) {
            float value = round_away(v[k] * 32767.0f);
            q[(largest + k) & 3] = (int16_t)(value >= -32768.0f && value <= 32767.0f ? value : 0.0f);
        }
        memcpy(data, q, sizeof q);
    }
}

void gti_meshopt_unfilter_exponential(uint8_t* data, uint64_t count, uint32_t size)
{
    for (uint64_t i = 0; i < count * (size / 4); ++i, data += 4) {
        uint32_t bits;
        memcpy(&bits, data, sizeof bits);
        int32_t mantissa = (int32_t)(bits & 0xFFFFFF) - (bits & 0x800000 ? 1 << 24 : 0);
        int exponent = (int)(bits >> 24) - (bits >> 31 ? 256 : 0);
        float value = ldexpf((float)mantissa, exponent);
        memcpy(data, &value, sizeof value);
    }
}
