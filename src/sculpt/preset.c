// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sculpt/preset.h"

#include "gertie/map.h"

#include "base/slice.h"
#include "scene/near.h"

#include <string.h>

static const struct {
    const char* name;
    GtiPreset make;
} presets[] = {
    { NULL, NULL }, // the end
};

enum {
    PRESET_COUNT = sizeof presets / sizeof presets[0] - 1
};

const char* const* gt_sculpt_preset_names(void)
{
    static const char* const names[] = { NULL };
    return names;
}

static GtiPreset find_preset(GtiSlice name)
{
    for (int i = 0; i < PRESET_COUNT; ++i) {
        if (gti_slice_is(name, presets[i].name)) {
            return presets[i].make;
        }
    }
    return NULL;
}

static GtResult fail_unknown(GtiSlice name, GtError* error)
{
    char wanted[80];
    char text[256];
    size_t length = name.length < sizeof wanted - 1 ? name.length : sizeof wanted - 1;
    memcpy(wanted, name.text, length);
    wanted[length] = '\0';
    GtiNear near = gti_near(wanted);
    for (int i = 0; i < PRESET_COUNT; ++i) {
        gti_near_offer(&near, presets[i].name);
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "there is no preset '%s'%s", wanted,
                    gti_near_print(&near, text, sizeof text));
}

static GtResult make_all(GtiPresetMaker* k, const char* names)
{
    GtResult result = GT_OK;
    for (const char* at = names; result == GT_OK; ++at) {
        const char* end = strchrnul(at, ',');
        GtiSlice name = { at, (size_t)(end - at) };
        GtiPreset make = find_preset(name);
        GtArenaMark mark = gt_arena_mark(&k->arena);
        result = make ? make(k) : fail_unknown(name, k->error);
        gt_arena_reset(&k->arena, mark);
        at = end;
        if (*end == '\0') {
            break;
        }
    }
    return result;
}

static GtResult open_maker(GtiPresetMaker* k)
{
    GtMapDef def = gt_default_map_def();
    GtResult result = gt_map_humanoid(k->context, k->scene, &def, &k->map, NULL, k->error);
    if (result == GT_OK && k->map.nodes[GT_HUMANOID_HIPS] == GT_NONE) {
        result = gti_fail(k->error, GT_ERROR_NOT_FOUND, "presets are for humanoids, and no joint of this is its hips");
    }
    if (result == GT_OK) {
        result = gti_sculpt_body_open(k->context, &k->arena, k->scene, &k->body, k->error);
    }
    return result == GT_OK ? gti_sculpt_create(k->context, &k->sculpt, k->error) : result;
}

GtResult gt_sculpt_preset(const GtContext* context, const GtScene* scene, const char* names, GtSculpt** out,
                          GtError* error)
{
    GtiPresetMaker k = {
        .context = context, .scene = scene, .arena = gt_arena_create(context->allocator), .error = error
    };
    GtResult result = open_maker(&k);
    if (result == GT_OK) {
        result = make_all(&k, names);
    }
    gti_sculpt_body_close(&k.body);
    gt_arena_destroy(&k.arena);
    if (result != GT_OK) {
        gt_sculpt_destroy(k.sculpt);
        k.sculpt = NULL;
    }
    *out = k.sculpt;
    return result;
}
