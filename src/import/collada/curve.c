// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// BEZIER and HERMITE segments are cubic curves in the plane of time and value (COLLADA 1.4.1, chapter 4, "Curve
// Interpolation"): the parameter of a time is found by Newton's method within a bracket, which cannot fail.

#include "import/collada/curve.h"

#include "base/fail.h"

#include <string.h>

enum {
    MAX_STEPS = 40
};

static int32_t find_input(const GtiDae* d, int32_t sampler, const char* semantic)
{
    int32_t input = gti_xml_child(&d->xml, sampler, "input");
    for (; input != GT_NONE; input = gti_xml_next_same(&d->xml, input)) {
        const char* value = gti_xml_attribute(&d->xml, input, "semantic");
        if (value && !strcmp(value, semantic)) {
            break;
        }
    }
    return input;
}

static GtResult read_input(GtiDae* d, int32_t sampler, const char* semantic, GtiDaeSource* out)
{
    int32_t input = find_input(d, sampler, semantic);
    *out = (GtiDaeSource){ 0 };
    return input == GT_NONE ? GT_OK : gti_dae_input_source(d, input, out);
}

static GtResult read_kinds(GtiDae* d, int32_t sampler, GtiDaeCurve* c)
{
    int32_t source = GT_NONE;
    int32_t input = find_input(d, sampler, "INTERPOLATION");
    uint8_t* kinds = gt_arena_push_array(d->arena, c->count, sizeof *kinds);
    GtResult result = input == GT_NONE ? GT_OK : gti_dae_follow(d, input, "source", "source", &source);
    if (!kinds) {
        return gti_out_of_memory(d->error);
    }
    size_t size;
    size_t steps = 0;
    const char* text = gti_xml_text(&d->xml, gti_xml_child(&d->xml, source, "Name_array"), &size);
    const char* end = text + size;
    GtiWord word = { 0 };
    for (size_t i = 0; i < c->count; ++i) {
        gti_dae_word(&text, end, &word);
        bool curved = c->in_tangents && c->out_tangents;
        kinds[i] = gti_word_equals(word, "step")                ? GTI_DAE_KEY_STEP
                   : curved && gti_word_equals(word, "bezier")  ? GTI_DAE_KEY_BEZIER
                   : curved && gti_word_equals(word, "hermite") ? GTI_DAE_KEY_HERMITE
                                                                : GTI_DAE_KEY_LINEAR;
        c->smooth = c->smooth || kinds[i] > GTI_DAE_KEY_STEP;
        steps += kinds[i] == GTI_DAE_KEY_STEP;
    }
    c->steps = steps > 0;
    c->all_steps = steps == c->count;
    c->kinds = kinds;
    return result;
}

GtResult gti_dae_read_curve(GtiDae* d, int32_t sampler, GtiDaeCurve* out)
{
    GtiDaeSource times;
    GtiDaeSource values;
    GtiDaeSource in;
    GtiDaeSource to;
    *out = (GtiDaeCurve){ 0 };
    GtResult result = read_input(d, sampler, "INPUT", &times);
    if (result == GT_OK) {
        result = read_input(d, sampler, "OUTPUT", &values);
    }
    if (result == GT_OK) {
        result = read_input(d, sampler, "IN_TANGENT", &in);
    }
    if (result == GT_OK) {
        result = read_input(d, sampler, "OUT_TANGENT", &to);
    }
    size_t count = times.count < values.count ? times.count : values.count;
    if (result != GT_OK) {
        return result;
    }
    if (!count || times.stride != 1) {
        return gti_dae_repair(d, GTI_DAE_KEYS, sampler, "an animation without keys is left out");
    }
    for (size_t i = 1; i < count; ++i) {
        if (!(times.data[i] > times.data[i - 1])) {
            count = i;
            result = gti_dae_repair(d, GTI_DAE_KEYS, sampler,
                                    "key times do not increase: the keys from there on are left out");
        }
    }
    *out = (GtiDaeCurve){ .times = times.data, .count = count, .width = values.stride, .values = values.data };
    if (in.count >= count && to.count >= count && in.stride == to.stride) {
        out->in_tangents = in.data;
        out->out_tangents = to.data;
        out->tangent_width = in.stride;
    }
    return result == GT_OK ? read_kinds(d, sampler, out) : result;
}

// Time and value of a key's tangent; time is NaN where the file gives values alone.
static void tangent_of(const GtiDaeCurve* c, const float* tangents, size_t key, size_t component, double out[2])
{
    const float* t = tangents + key * c->tangent_width;
    if (c->tangent_width == 2 * c->width) {
        out[0] = (double)t[2 * component];
        out[1] = (double)t[2 * component + 1];
    } else if (c->tangent_width == c->width + 1) {
        out[0] = (double)t[0];
        out[1] = (double)t[component + 1];
    } else {
        out[0] = (double)NAN;
        out[1] = (double)t[component < c->tangent_width ? component : 0];
    }
}

static double bezier(const double p[4], double s)
{
    double r = 1.0 - s;
    return r * r * r * p[0] + 3.0 * r * r * s * p[1] + 3.0 * r * s * s * p[2] + s * s * s * p[3];
}

// Control points of a segment, times and values.
static void cubic_points(const GtiDaeCurve* c, size_t key, size_t component, double t[4], double v[4])
{
    double out[2];
    double in[2];
    t[0] = (double)c->times[key];
    t[3] = (double)c->times[key + 1];
    v[0] = (double)c->values[key * c->width + component];
    v[3] = (double)c->values[(key + 1) * c->width + component];
    double third = (t[3] - t[0]) / 3.0;
    tangent_of(c, c->out_tangents, key, component, out);
    tangent_of(c, c->in_tangents, key + 1, component, in);
    bool hermite = c->kinds[key] == GTI_DAE_KEY_HERMITE;
    t[1] = t[0] + third;
    t[2] = t[3] - third;
    if (!hermite && out[0] == out[0] && in[0] == in[0]) {
        t[1] = fmin(fmax(out[0], t[0]), t[3]);
        t[2] = fmin(fmax(in[0], t[0]), t[3]);
    }
    v[1] = hermite ? v[0] + out[1] / 3.0 : out[1];
    v[2] = hermite ? v[3] - in[1] / 3.0 : in[1];
}

// Where along a segment a time is: Newton's method, halving where that leaves the bracket.
static double solve_time(const double t[4], double time)
{
    double low = 0.0;
    double high = 1.0;
    double at = (time - t[0]) / (t[3] - t[0]);
    for (int i = 0; i < MAX_STEPS; ++i) {
        double off = bezier(t, at) - time;
        double rest = 1.0 - at;
        double slope = 3.0 * (rest * rest * (t[1] - t[0]) + 2.0 * rest * at * (t[2] - t[1]) + at * at * (t[3] - t[2]));
        if (fabs(off) <= 1e-9 * (t[3] - t[0])) {
            break;
        }
        *(off < 0.0 ? &low : &high) = at;
        double next = at - off / slope;
        at = next > low && next < high ? next : 0.5 * (low + high);
    }
    return at;
}

// Numbers [first, first + count) at a time within a segment. As a rule all have the same times, which are solved once.
static void cubic_values(const GtiDaeCurve* c, size_t key, size_t first, size_t count, double time, double* values)
{
    double solved[4] = { 0.0 };
    double at = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double t[4], v[4];
        cubic_points(c, key, first + i, t, v);
        if (i == 0 || t[1] != solved[1] || t[2] != solved[2]) {
            at = solve_time(t, time);
            memcpy(solved, t, sizeof solved);
        }
        values[i] = bezier(v, at);
    }
}

// The last key at or before a time, else the first.
static size_t find_key(const GtiDaeCurve* c, double time)
{
    size_t low = 0;
    size_t high = c->count;
    while (high - low > 1) { // times[low] <= time < times[high]
        size_t middle = (low + high) / 2;
        *((double)c->times[middle] <= time ? &low : &high) = middle;
    }
    return low;
}

double gti_dae_curve_at(const GtiDaeCurve* c, size_t component, double time)
{
    size_t key = find_key(c, time);
    const float* value = c->values + key * c->width + component;
    if (key + 1 == c->count || time <= (double)c->times[key] || c->kinds[key] == GTI_DAE_KEY_STEP) {
        return (double)*value;
    }
    if (c->kinds[key] != GTI_DAE_KEY_LINEAR) {
        double cubic = 0.0;
        cubic_values(c, key, component, 1, time, &cubic);
        return cubic;
    }
    double share = (time - (double)c->times[key]) / ((double)c->times[key + 1] - (double)c->times[key]);
    return (double)value[0] + share * ((double)value[c->width] - (double)value[0]);
}

void gti_dae_curve_values(const GtiDaeCurve* c, size_t count, double time, double* out)
{
    size_t key = find_key(c, time);
    const float* values = c->values + key * c->width;
    bool is_between = key + 1 < c->count && time > (double)c->times[key];
    if (is_between && c->kinds[key] > GTI_DAE_KEY_STEP) {
        cubic_values(c, key, 0, count, time, out);
        return;
    }
    const float* next = values;
    double share = 0.0;
    if (is_between && c->kinds[key] == GTI_DAE_KEY_LINEAR) {
        next += c->width;
        share = (time - (double)c->times[key]) / ((double)c->times[key + 1] - (double)c->times[key]);
    }
    for (size_t i = 0; i < count; ++i) {
        out[i] = (double)values[i] + share * ((double)next[i] - (double)values[i]);
    }
}
