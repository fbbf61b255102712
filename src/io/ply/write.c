// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PLY, binary in little endian or text: all that is shown as one mesh, with what any part of it has besides positions.

#include "io/ply/ply.h"

#include "base/fail.h"
#include "io/bytes.h"
#include "io/mesh/walk.h"

enum {
    CHUNK = 1024 // vertices read at once
};

static void add_head(const GtiMeshWalk* walk, bool text, GtiBytes* bytes)
{
    gti_bytes_addf(bytes, "ply\nformat %s 1.0\ncomment written by Gertie\nelement vertex %llu\n",
                   text ? "ascii" : "binary_little_endian", (unsigned long long)walk->vertex_count);
    gti_bytes_adds(bytes, "property float x\nproperty float y\nproperty float z\n");
    if (walk->has_normals) {
        gti_bytes_adds(bytes, "property float nx\nproperty float ny\nproperty float nz\n");
    }
    if (walk->has_colors) {
        gti_bytes_adds(bytes, "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n");
    }
    if (walk->has_texcoords) {
        gti_bytes_adds(bytes, "property float s\nproperty float t\n");
    }
    if (walk->triangle_count) {
        gti_bytes_addf(bytes, "element face %llu\nproperty list uchar int vertex_indices\n",
                       (unsigned long long)walk->triangle_count);
    }
    gti_bytes_adds(bytes, "end_header\n");
}

static void add_floats(GtiBytes* bytes, bool text, const float* values, int count)
{
    if (text) {
        gti_bytes_add_floats(bytes, values, count);
    } else {
        gti_bytes_add(bytes, values, (size_t)count * sizeof *values);
    }
}

static void add_vertices(const GtiMeshWalk* walk, const GtiShown* shown, bool text, GtiBytes* bytes)
{
    GtVec3 positions[CHUNK];
    GtVec3 normals[CHUNK];
    float texcoords[2 * CHUNK];
    uint8_t colors[4 * CHUNK];
    for (uint32_t first = 0; first < shown->vertex_count && !bytes->failed; first += CHUNK) {
        uint32_t count = shown->vertex_count - first < CHUNK ? shown->vertex_count - first : CHUNK;
        gti_shown_positions(walk, shown, first, count, positions);
        gti_shown_normals(walk, shown, first, count, normals);
        gti_shown_texcoords(walk, shown, first, count, texcoords);
        gti_shown_colors(walk, shown, first, count, colors);
        for (uint32_t i = 0; i < count; ++i) {
            add_floats(bytes, text, &positions[i].x, 3);
            if (walk->has_normals) {
                add_floats(bytes, text, &normals[i].x, 3);
            }
            for (uint32_t k = 0; k < 4 && walk->has_colors && text; ++k) {
                gti_bytes_add_integer(bytes, ' ', colors[4 * i + k]);
            }
            if (walk->has_colors && !text) {
                gti_bytes_add(bytes, colors + 4 * (size_t)i, 4);
            }
            if (walk->has_texcoords) {
                add_floats(bytes, text, texcoords + 2 * (size_t)i, 2);
            }
            if (text) {
                gti_bytes_adds(bytes, "\n");
            }
        }
    }
}

static void add_faces(const GtiMeshWalk* walk, const GtiShown* shown, uint64_t first_vertex, bool text, GtiBytes* bytes)
{
    for (uint64_t t = 0; t < shown->triangle_count && !bytes->failed; ++t) {
        uint32_t corners[3];
        gti_shown_triangle(walk, shown, t, corners);
        for (int i = 0; i < 3; ++i) {
            corners[i] += (uint32_t)first_vertex;
        }
        if (text) {
            gti_bytes_adds(bytes, "3");
            for (int i = 0; i < 3; ++i) {
                gti_bytes_add_integer(bytes, ' ', corners[i]);
            }
            gti_bytes_adds(bytes, "\n");
        } else {
            gti_bytes_add(bytes, "\x03", 1);
            gti_bytes_add(bytes, corners, sizeof corners);
        }
    }
}

GtResult gti_ply_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error)
{
    GtiMeshWalk walk;
    GtiBytes bytes = { .allocator = context->allocator };
    GtResult result = gti_mesh_walk_create(context, scene, def, &walk, error);
    if (result == GT_OK) {
        add_head(&walk, def->text, &bytes);
    }
    for (int32_t i = 0; i < walk.shown_count && result == GT_OK; ++i) {
        result = gti_progress(context, error, "writing", 0.5 * (double)i / (double)walk.shown_count);
        add_vertices(&walk, &walk.shown[i], def->text, &bytes);
    }
    uint64_t first = 0;
    for (int32_t i = 0; i < walk.shown_count && result == GT_OK; ++i) {
        result = gti_progress(context, error, "writing", 0.5 + 0.5 * (double)i / (double)walk.shown_count);
        add_faces(&walk, &walk.shown[i], first, def->text, &bytes);
        first += walk.shown[i].vertex_count;
    }
    gti_mesh_walk_destroy(&walk);
    if (result == GT_OK) {
        return gti_bytes_finish(&bytes, out, error);
    }
    gti_bytes_release(&bytes);
    return result;
}
