// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What tests of curves share.

#ifndef GERTIE_TESTS_RUNTIME_CURVES_H
#define GERTIE_TESTS_RUNTIME_CURVES_H

#include "support/test.h"

#include "gertie/curve.h"

static inline GtCurve* make_curve(const GtCurveDef* def)
{
    GtError error;
    GtCurve* curve = NULL;
    GT_EXPECT_OK(gt_curve_create(gt_default_allocator(), def, &curve, &error));
    return curve;
}

static inline GtCurveDef numbers_def(GtCurveLaw law, int32_t key_count, const float* times_s, const float* values)
{
    GtCurveDef def = gt_default_curve_def();
    def.law = law;
    def.key_count = key_count;
    def.times_s = times_s;
    def.values = values;
    return def;
}

static inline GtCurve* make_numbers(GtCurveLaw law, int32_t key_count, const float* times_s, const float* values)
{
    GtCurveDef def = numbers_def(law, key_count, times_s, values);
    return make_curve(&def);
}

static inline double slope_of(const GtCurve* curve, double time_s)
{
    float slope;
    gt_curve_derivative(curve, time_s, &slope);
    return (double)slope;
}

#endif
