// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "shapes/target.h"

#include "base/ascii.h"

#include "gertie/number.h"
#include "gertie/shapes.h"

#include <string.h>

// The number in "#12" where it is below `count`, or GT_NONE.
static int32_t read_number(const char* text, int32_t count)
{
    int64_t number = 0;
    const char* end = text + strlen(text);
    bool is_number =
        text[0] == '#' && text[1] >= '0' && text[1] <= '9' && gt_parse_int64(text + 1, end, &number) == end;
    return is_number && number < count ? (int32_t)number : GT_NONE;
}

int32_t gti_shape_mesh_find(const GtScene* scene, const char* where)
{
    int32_t number = read_number(where, scene->node_count);
    if (number != GT_NONE) {
        return scene->nodes[number].mesh;
    }
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (scene->nodes[n].mesh != GT_NONE && gti_same_text(scene->nodes[n].name, where)) {
            return scene->nodes[n].mesh;
        }
    }
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        if (gti_same_text(scene->meshes[m].name, where)) {
            return m;
        }
    }
    return GT_NONE;
}

bool gti_shape_target_is(const GtScene* scene, const char* where, const char* name)
{
    int32_t number = where ? read_number(where, scene->node_count) : GT_NONE;
    for (int32_t n = 0; n < scene->node_count; ++n) {
        int32_t mesh = scene->nodes[n].mesh;
        const GtMesh* own = mesh == GT_NONE ? NULL : &scene->meshes[mesh];
        bool here = !where || n == number || gti_same_text(scene->nodes[n].name, where) ||
                    (own && gti_same_text(own->name, where));
        if (own && here &&
            (gt_shapes_find(own, name) != GT_NONE || (where && read_number(name, own->target_count) != GT_NONE))) {
            return true;
        }
    }
    return false;
}
