// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A shadow map that is drawn here and not by the graphics card. Almost all triangles of a figure are smaller than a
// texel of it, so it costs about as much as reading them, and it can be made on a thread beside the drawing. The light
// is far away: points are pressed onto the floor along it, and the highest one in a texel shades those below it.

#include "render/draw/shadow.h"

#include "base/bounds.h"

#include <math.h>
#include <string.h>

enum {
    RIM = 20,      // texels kept free around what is drawn, for the blur
    SOFT = 2,      // texels of the floor that the shadow's edge is blurred to either side, twice
    GLOOM_SOFT = 3 // likewise the gloom's
};

static const float nothing = -1e30f; // height of a texel that nothing shades

// How often each texel may be filled. Figures do it some ten times; many large triangles over each other, as only a
// strange file has, would take a time that grows with their number and with their size.
static const int64_t most_layers = 500;

// A point in texels, with its height over the floor as y.
static GtVec3 press(const GtiShadow* s, GtVec3 p)
{
    const GtiShadowPlace* place = &s->place;
    float height = p.y - place->floor_y;
    return gt_vec3((p.x - place->shear_x * height - place->low_x) * s->texels_x, height,
                   (p.z - place->shear_z * height - place->low_z) * s->texels_z);
}

static float smallest(float a, float b, float c)
{
    float least = a < b ? a : b;
    return least < c ? least : c;
}

static float largest(float a, float b, float c)
{
    float most = a > b ? a : b;
    return most > c ? most : c;
}

void gti_shadow_begin(GtiShadow* s, int32_t size, const GtBounds* box, GtVec3 light, float floor_y)
{
    GtiShadowPlace* place = &s->place;
    *place = (GtiShadowPlace){
        .floor_y = floor_y, .shear_x = light.x / light.y, .shear_z = light.z / light.y, .light = light
    };
    s->size = size;
    s->texels_x = s->texels_z = 1.0f;
    s->is_empty = true;
    GtBounds pressed = gti_bounds_empty();
    for (int i = 0; i < 8; ++i) { // in texels of a metre
        gti_bounds_add(&pressed, press(s, gt_vec3(i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
                                                  i & 4 ? box->high.z : box->low.z)));
    }
    GtVec3 low = pressed.low, high = pressed.high;
    float side = fmaxf(high.x - low.x, high.z - low.z);
    if (!(side > 0.0f && side < 1e18f) || !(light.y > 0.05f)) {
        return;
    }
    const float wider = (float)size / (float)(size - 2 * RIM);
    s->is_empty = false;
    s->texels_left = most_layers * size * size;
    place->width_m = fmaxf(high.x - low.x, 0.1f * side) * wider;
    place->depth_m = fmaxf(high.z - low.z, 0.1f * side) * wider;
    place->low_x = 0.5f * (low.x + high.x) - 0.5f * place->width_m;
    place->low_z = 0.5f * (low.z + high.z) - 0.5f * place->depth_m;
    place->lift_m = 2.0f * fmaxf(place->width_m, place->depth_m) / (float)size;
    s->texels_x = (float)size / place->width_m;
    s->texels_z = (float)size / place->depth_m;
    s->reach_m = 0.08f * (box->high.y - box->low.y) + 1e-30f;
    for (size_t i = 0; i < (size_t)size * (size_t)size; ++i) {
        s->heights[i] = nothing;
    }
    memset(s->floor, 0, (size_t)(size / 2) * (size_t)(size / 2) * sizeof s->floor[0]);
}

static void mark(GtiShadow* s, int32_t x, int32_t z, float height)
{
    float* texel = &s->heights[z * s->size + x];
    *texel = height > *texel ? height : *texel;
}

// The part of a row that a triangle covers, with the heights at both ends.
typedef struct Span {
    float low, high;
    float low_y, high_y;
} Span;

// Widen the part by where an edge crosses the row.
static void cross_row(GtVec3 a, GtVec3 b, float z, Span* span)
{
    if ((a.z <= z) != (b.z <= z)) {
        float share = (z - a.z) / (b.z - a.z);
        float x = a.x + (b.x - a.x) * share;
        float y = a.y + (b.y - a.y) * share;
        span->low_y = x < span->low ? y : span->low_y;
        span->high_y = x > span->high ? y : span->high_y;
        span->low = x < span->low ? x : span->low;
        span->high = x > span->high ? x : span->high;
    }
}

// Texels whose middles are in a triangle, each at the height that the triangle has there. Heights are taken between
// those of the edges, never from the slope of the whole: a triangle that the light grazes has one so steep that
// rounding would take it anywhere.
static void fill(GtiShadow* s, GtVec3 a, GtVec3 b, GtVec3 c, float low_z, float high_z)
{
    for (int32_t z = (int32_t)(low_z + 0.5f); (float)z + 0.5f <= high_z && s->texels_left > 0; ++z) {
        float pz = (float)z + 0.5f;
        Span span = { 1e30f, -1e30f, 0.0f, 0.0f };
        cross_row(a, b, pz, &span);
        cross_row(b, c, pz, &span);
        cross_row(c, a, pz, &span);
        float rise = span.low < span.high ? (span.high_y - span.low_y) / (span.high - span.low) : 0.0f;
        // A row that no edge crosses has low > high; one that a triangle on edge touches at a point has low = high.
        int32_t first = span.low <= span.high ? (int32_t)(span.low + 0.5f) : s->size;
        for (int32_t x = first; (float)x + 0.5f <= span.high; ++x) {
            mark(s, x, z, span.low_y + rise * ((float)x + 0.5f - span.low));
        }
        s->texels_left -= 1 + (span.low < span.high ? (int64_t)(span.high - span.low) : 0);
    }
}

static void add_gloom(GtiShadow* s, GtVec3 middle)
{
    float near = 1.0f - fabsf(middle.y) / s->reach_m;
    if (near > 0.0f) {
        uint8_t* texel = s->floor[((int32_t)middle.z / 2) * (s->size / 2) + (int32_t)middle.x / 2];
        uint8_t value = (uint8_t)(255.0f * near * near);
        texel[1] = value > texel[1] ? value : texel[1];
    }
}

void gti_shadow_add(GtiShadow* s, const GtVec3* positions, const uint32_t* indices, int32_t index_count, GtVec3 offset)
{
    float size = (float)s->size;
    for (int32_t i = 0; !s->is_empty && i + 2 < index_count; i += 3) {
        GtVec3 a = press(s, gt_vec3_add(positions[indices[i]], offset));
        GtVec3 b = press(s, gt_vec3_add(positions[indices[i + 1]], offset));
        GtVec3 c = press(s, gt_vec3_add(positions[indices[i + 2]], offset));
        float low_x = smallest(a.x, b.x, c.x);
        float low_z = smallest(a.z, b.z, c.z);
        float high_x = largest(a.x, b.x, c.x);
        float high_z = largest(a.z, b.z, c.z);
        GtVec3 middle = gt_vec3_scale(gt_vec3_add(a, gt_vec3_add(b, c)), 1.0f / 3.0f);
        bool is_number = middle.x >= 0.0f && middle.z >= 0.0f;
        if (!is_number || !(low_x >= 0.0f && low_z >= 0.0f && high_x < size && high_z < size)) {
            continue; // or outside the box that was promised
        }
        mark(s, (int32_t)middle.x, (int32_t)middle.z, middle.y);
        add_gloom(s, middle);
        if (high_x - low_x >= 1.0f || high_z - low_z >= 1.0f) {
            fill(s, a, b, c, low_z, high_z);
        }
    }
}

// The part of four texels that something over the floor shades.
static void shade_floor(GtiShadow* s)
{
    float least = -s->reach_m;
    int32_t size = s->size;
    for (int32_t z = 0; z < size / 2; ++z) {
        const float* row = s->heights + (size_t)z * 2 * (size_t)size;
        for (int32_t x = 0; x < size / 2; ++x, row += 2) {
            int shaded = (row[0] > least) + (row[1] > least) + (row[size] > least) + (row[size + 1] > least);
            s->floor[z * (size / 2) + x][0] = (uint8_t)(shaded * 255 / 4);
        }
    }
}

// Running means along rows of one picture, written as columns of another; after four of them, both ways and twice, the
// picture is as it was, softened.
static void blur(const uint8_t (*from)[2], uint8_t (*to)[2], int32_t size)
{
    const int32_t soft[2] = { SOFT, GLOOM_SOFT };
    for (int channel = 0; channel < 2; ++channel) {
        int32_t reach = soft[channel];
        int32_t width = 2 * reach + 1;
        for (int32_t z = 0; z < size; ++z) {
            const uint8_t(*row)[2] = from + (size_t)z * (size_t)size;
            int32_t sum = 0;
            for (int32_t x = 0; x < reach; ++x) {
                sum += row[x][channel];
            }
            for (int32_t x = 0; x < size; ++x) {
                sum += x + reach < size ? row[x + reach][channel] : 0;
                to[x * size + z][channel] = (uint8_t)(sum / width);
                sum -= x >= reach ? row[x - reach][channel] : 0;
            }
        }
    }
}

// The part of the floor that is dark at all, a texel wider.
static void find_dark(GtiShadow* s)
{
    int32_t size = s->size / 2;
    int32_t low_x = size;
    int32_t low_z = size;
    int32_t high_x = -1;
    int32_t high_z = -1;
    for (int32_t i = 0; i < size * size; ++i) {
        if (s->floor[i][0] | s->floor[i][1]) {
            low_x = i % size < low_x ? i % size : low_x;
            high_x = i % size > high_x ? i % size : high_x;
            low_z = i / size < low_z ? i / size : low_z;
            high_z = i / size;
        }
    }
    const float dark[4] = { (float)(low_x - 1), (float)(low_z - 1), (float)(high_x + 2), (float)(high_z + 2) };
    for (int i = 0; i < 4; ++i) {
        s->place.dark[i] = fminf(fmaxf(dark[i] / (float)size, 0.0f), 1.0f);
    }
}

void gti_shadow_end(GtiShadow* s)
{
    if (s->is_empty) {
        return;
    }
    shade_floor(s);
    for (int i = 0; i < 2; ++i) {
        blur((const uint8_t(*)[2])s->floor, s->scratch, s->size / 2);
        blur((const uint8_t(*)[2])s->scratch, s->floor, s->size / 2);
    }
    find_dark(s);
}

// The four texels around a place, each in the light or not, weighed by how near they are.
static float light_at(const GtiShadow* s, float x, float z, float height)
{
    x -= 0.5f;
    z -= 0.5f;
    if (!(x >= 0.0f && z >= 0.0f && x < (float)(s->size - 1) && z < (float)(s->size - 1))) {
        return 1.0f;
    }
    int32_t ix = (int32_t)x;
    int32_t iz = (int32_t)z;
    float tx = x - (float)ix;
    float tz = z - (float)iz;
    const float* h = &s->heights[iz * s->size + ix];
    float near = (h[0] <= height ? 1.0f - tx : 0.0f) + (h[1] <= height ? tx : 0.0f);
    float far = (h[s->size] <= height ? 1.0f - tx : 0.0f) + (h[s->size + 1] <= height ? tx : 0.0f);
    return near + tz * (far - near);
}

// A surface that the light grazes goes over many heights within a texel, so that it looks for what is higher still. The
// shader does the same.
float gti_shadow_light(const GtiShadow* s, GtVec3 point, GtVec3 normal)
{
    if (s->is_empty) {
        return 1.0f;
    }
    float facing = gt_vec3_dot(normal, s->place.light);
    float slope = facing > 0.2f ? 1.0f / facing : 5.0f;
    GtVec3 at = press(s, gt_vec3_add(point, gt_vec3_scale(normal, s->place.lift_m)));
    float height = at.y + 0.5f * slope * s->place.lift_m;
    return 0.25f * (light_at(s, at.x - 0.8f, at.z - 0.3f, height) + light_at(s, at.x + 0.8f, at.z + 0.3f, height) +
                    light_at(s, at.x - 0.3f, at.z + 0.8f, height) + light_at(s, at.x + 0.3f, at.z - 0.8f, height));
}
