// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// {"tension": 0.5, "continuity": 0, "bias": 0, "ease": [0.3, 0.3]}, and laws by their names.

#include "harmonic/keys/key_file.h"

#include <math.h>

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

bool gti_law_find(const GtiJson* name, GtKeyCurveLaw* out)
{
    *out = GT_LAW_CATMULL_ROM;
    for (int law = 0; law < GT_LAW_COUNT && name; ++law) {
        if (gti_json_equals(name, law_names[law])) {
            *out = (GtKeyCurveLaw)law;
            return true;
        }
    }
    return !name;
}

const char* gti_law_name(GtKeyCurveLaw law)
{
    return law_names[law];
}

GtResult gti_key_shape_read(const GtiJson* root, const GtiJson* key, bool has_shapes, GtKeyShape* out, GtError* error)
{
    *out = (GtKeyShape){ 0 };
    const struct {
        const char* key;
        float* to;
    } parts[] = { { "tension", &out->tension }, { "continuity", &out->continuity }, { "bias", &out->bias } };
    for (int i = 0; i < 3; ++i) {
        const GtiJson* value = gti_json_find(key, parts[i].key);
        if (value && !has_shapes) {
            return gti_json_refuse(root, key, parts[i].key, "left out, unless \"law\" is kochanek-bartels", error);
        }
        if (value && (!gti_json_float(value, parts[i].to) || !(fabsf(*parts[i].to) <= 1.0f))) {
            return gti_json_refuse(root, key, parts[i].key, "a number from -1 to 1", error);
        }
    }
    return GT_OK;
}

GtResult gti_key_ease_read(const GtiJson* root, const GtiJson* key, GtEase* out, GtError* error)
{
    float numbers[2] = { 0.0f, 0.0f };
    const GtiJson* ease = gti_json_find(key, "ease");
    if (ease && !(gti_json_floats(ease, 2, numbers) && numbers[0] >= 0.0f && numbers[1] >= 0.0f &&
                  numbers[0] + numbers[1] <= 1.0f)) {
        return gti_json_refuse(root, key, "ease", "two shares of the time to the next key, together at most 1", error);
    }
    *out = (GtEase){ numbers[0], numbers[1] };
    return GT_OK;
}
