// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What readers ask of values that a schema has passed.

#include "data/json.h"

float gti_json_get_float(const GtiJson* object, const char* key, float otherwise)
{
    float number = otherwise;
    return gti_json_float(gti_json_find(object, key), &number) ? number : otherwise;
}

bool gti_json_floats(const GtiJson* list, int count, float* out)
{
    const GtiJson* value = gti_json_first(list);
    bool ok = list && list->type == GTI_JSON_ARRAY && list->count == (uint32_t)count;
    for (int i = 0; i < count && ok; ++i, value = gti_json_next(value)) {
        ok = gti_json_float(value, &out[i]);
    }
    return ok;
}

bool gti_json_ints(const GtiJson* list, int count, int32_t* out)
{
    const GtiJson* value = gti_json_first(list);
    bool ok = list && list->type == GTI_JSON_ARRAY && list->count == (uint32_t)count;
    for (int i = 0; i < count && ok; ++i, value = gti_json_next(value)) {
        int64_t number = 0;
        ok = gti_json_int64(value, &number) && number >= INT32_MIN && number <= INT32_MAX;
        out[i] = ok ? (int32_t)number : 0;
    }
    return ok;
}
