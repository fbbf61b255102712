// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// {"tension": 0.5, "continuity": 0, "bias": 0, "ease": [0.3, 0.3]}, and laws by their names.

#include "harmonic/keys/key_file.h"

static const char* const law_names[GT_LAW_COUNT] = {
    [GT_LAW_STEP] = "step",
    [GT_LAW_LINEAR] = "linear",
    [GT_LAW_CATMULL_ROM] = "catmull-rom",
    [GT_LAW_CARDINAL] = "cardinal",
    [GT_LAW_KOCHANEK_BARTELS] = "kochanek-bartels",
    [GT_LAW_HERMITE] = "hermite",
    [GT_LAW_BEZIER] = "bezier",
    [GT_LAW_B_SPLINE] = "b-spline",
    [GT_LAW_SQUAD] = "squad",
};

bool gti_law_find(const GtiJson* name, GtCurveLaw* out)
{
    *out = GT_LAW_CATMULL_ROM;
    for (int law = 0; law < GT_LAW_COUNT && name; ++law) {
        if (gti_json_equals(name, law_names[law])) {
            *out = (GtCurveLaw)law;
            return true;
        }
    }
    return !name;
}

const char* gti_law_name(GtCurveLaw law)
{
    return law_names[law];
}

GtResult gti_key_shape_read(const GtiJson* root, const GtiJson* key, bool has_shapes, GtKeyShape* out, GtError* error)
{
    static const char* const names[] = { "tension", "continuity", "bias" };
    for (int i = 0; i < 3 && !has_shapes; ++i) {
        if (gti_json_find(key, names[i])) {
            return gti_json_refuse(root, key, names[i], "left out, unless \"law\" is kochanek-bartels", error);
        }
    }
    out->tension = gti_json_get_float(key, names[0], 0.0f);
    out->continuity = gti_json_get_float(key, names[1], 0.0f);
    out->bias = gti_json_get_float(key, names[2], 0.0f);
    return GT_OK;
}

GtResult gti_key_ease_read(const GtiJson* root, const GtiJson* key, GtEase* out, GtError* error)
{
    float shares[2] = { 0.0f, 0.0f };
    gti_json_floats(gti_json_find(key, "ease"), 2, shares);
    *out = (GtEase){ shares[0], shares[1] };
    return shares[0] + shares[1] <= 1.0f
               ? GT_OK
               : gti_json_refuse(root, key, "ease", "two shares of the time to the next key, together at most 1",
                                 error);
}
