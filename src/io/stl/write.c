// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// STL, binary or text: all that is shown, triangle by triangle, each with its own normal.

#include "io/stl/stl.h"

#include "base/fail.h"
#include "io/bytes.h"
#include "io/mesh/walk.h"

#include <math.h>
#include <string.h>

enum {
    HEAD = 80
};

static GtVec3 normal_of(const GtVec3 p[3])
{
    GtVec3 n = gt_vec3_cross(gt_vec3_sub(p[1], p[0]), gt_vec3_sub(p[2], p[0]));
    float length = gt_vec3_length(n);
    return length > 0.0f && isfinite(length) ? gt_vec3_scale(n, 1.0f / length) : gt_vec3(0.0f, 0.0f, 0.0f);
}

static void add_text(GtiBytes* bytes, const GtVec3 p[3])
{
    GtVec3 n = normal_of(p);
    gti_bytes_adds(bytes, "facet normal");
    gti_bytes_add_floats(bytes, &n.x, 3);
    gti_bytes_adds(bytes, "\nouter loop\n");
    for (int i = 0; i < 3; ++i) {
        gti_bytes_adds(bytes, "vertex");
        gti_bytes_add_floats(bytes, &p[i].x, 3);
        gti_bytes_adds(bytes, "\n");
    }
    gti_bytes_adds(bytes, "endloop\nendfacet\n");
}

static void add_binary(GtiBytes* bytes, const GtVec3 p[3])
{
    const uint16_t attribute = 0;
    GtVec3 n = normal_of(p);
    gti_bytes_add(bytes, &n, sizeof n);
    gti_bytes_add(bytes, p, 3 * sizeof *p);
    gti_bytes_add(bytes, &attribute, sizeof attribute);
}

static GtResult add_part(const GtiMeshWalk* walk, const GtiShown* shown, bool text, GtiBytes* bytes, GtError* error)
{
    GtAllocator allocator = walk->context->allocator;
    GtVec3* positions = allocator.allocate(allocator.user, ((size_t)shown->vertex_count + 1) * sizeof *positions);
    if (!positions) {
        return gti_out_of_memory(error);
    }
    gti_shown_positions(walk, shown, 0, shown->vertex_count, positions);
    for (uint64_t t = 0; t < shown->triangle_count && !bytes->failed; ++t) {
        uint32_t corners[3];
        gti_shown_triangle(walk, shown, t, corners);
        const GtVec3 p[3] = { positions[corners[0]], positions[corners[1]], positions[corners[2]] };
        if (text) {
            add_text(bytes, p);
        } else {
            add_binary(bytes, p);
        }
    }
    allocator.release(allocator.user, positions);
    return GT_OK;
}

GtResult gti_stl_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error)
{
    GtiMeshWalk walk;
    GtiBytes bytes = { .allocator = context->allocator };
    GtResult result = gti_mesh_walk_create(context, scene, def, &walk, error);
    if (result == GT_OK && def->text) {
        gti_bytes_adds(&bytes, "solid Gertie\n");
    } else if (result == GT_OK) {
        char head[HEAD] = "binary STL, written by Gertie";
        uint32_t count = (uint32_t)walk.triangle_count;
        gti_bytes_add(&bytes, head, HEAD);
        gti_bytes_add(&bytes, &count, sizeof count);
    }
    for (int32_t i = 0; i < walk.shown_count && result == GT_OK; ++i) {
        result = gti_progress(context, error, "writing", (double)i / (double)walk.shown_count);
        if (result == GT_OK) {
            result = add_part(&walk, &walk.shown[i], def->text, &bytes, error);
        }
    }
    if (result == GT_OK && def->text) {
        gti_bytes_adds(&bytes, "endsolid Gertie\n");
    }
    gti_mesh_walk_destroy(&walk);
    if (result == GT_OK) {
        return gti_bytes_finish(&bytes, out, error);
    }
    gti_bytes_release(&bytes);
    return result;
}
