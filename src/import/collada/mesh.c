// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The bind shape matrix of a skin goes into the vertices, so that inverse bind matrices are the file's. Where it
// mirrors, triangles wind the other way. Normals that have no direction take that of their triangles.

#include "import/collada/mesh.h"

#include "base/fail.h"
#include "gertie/accessor.h"
#include "io/srgb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SET_SIZE = 4, // influences in JOINTS_n
    MAX_ATTRIBUTES = 3 + GTI_DAE_MAX_SETS + 2 * GTI_DAE_MAX_INFLUENCES / SET_SIZE
};

typedef struct DaePrimitive {
    GtiDae* d;
    const GtiDaePart* part;
    GtMat34 bind; // file space of the skin from that of the geometry
    const GtiDaeSkin* skin;
    const int32_t* remap;
    GtAttribute* attributes;
    int32_t attribute_count;
    float* positions; // [3 * vertex_count] in metres
    float* normals;   // or NULL
} DaePrimitive;

static GtResult add_attribute(DaePrimitive* p, const char* name, GtElementType element, GtComponentType component,
                              const void* data)
{
    GtAttribute* attribute = &p->attributes[p->attribute_count++];
    attribute->name = gt_scene_push_text(p->d->scene, name, strlen(name));
    if (!attribute->name) {
        return gti_out_of_memory(p->d->error);
    }
    return gt_scene_add_data(p->d->scene, GT_USE_VERTEX, element, component, data, p->part->vertex_count,
                             &attribute->accessor, p->d->error);
}

static GtVec3 vector_of(const float* v)
{
    return gt_vec3(v[0], v[1], v[2]);
}

static GtVec3 moved_point(const DaePrimitive* p, const float* v)
{
    return gt_vec3_scale(gt_mat34_point(&p->bind, vector_of(v)), (float)p->d->metres_per_unit);
}

static bool make_unit(GtVec3* n)
{
    float length = gt_vec3_length(*n);
    if (!(length > 1e-20f) || !isfinite(length)) {
        return false;
    }
    *n = gt_vec3_scale(*n, 1.0f / length);
    return true;
}

// Normals of triangles, at the vertices that have none of their own.
static GtResult fill_normals(DaePrimitive* p, const bool* missing)
{
    const GtiDaePart* part = p->part;
    for (size_t i = 0; i + 2 < part->faces.index_count; i += 3) {
        const uint32_t* t = part->indices + i;
        GtVec3 a = vector_of(p->positions + 3 * (size_t)t[0]);
        GtVec3 n = gt_vec3_cross(gt_vec3_sub(vector_of(p->positions + 3 * (size_t)t[1]), a),
                                 gt_vec3_sub(vector_of(p->positions + 3 * (size_t)t[2]), a));
        for (int k = 0; k < 3; ++k) {
            float* out = p->normals + 3 * (size_t)t[k];
            if (missing[t[k]] && make_unit(&n)) {
                out[0] += n.x;
                out[1] += n.y;
                out[2] += n.z;
            }
        }
    }
    for (uint32_t v = 0; v < part->vertex_count; ++v) {
        GtVec3 n = vector_of(p->normals + 3 * (size_t)v);
        if (missing[v]) {
            n = make_unit(&n) ? n : gt_vec3(0.0f, 1.0f, 0.0f);
            memcpy(p->normals + 3 * (size_t)v, &n, 3 * sizeof(float));
        }
    }
    return gti_dae_repair(p->d, GTI_DAE_NORMALS, part->faces.element,
                          "normals without a direction are computed from the faces");
}

static GtResult add_surface(DaePrimitive* p)
{
    const GtiDaeFaces* f = &p->part->faces;
    size_t count = p->part->vertex_count;
    GtArena* arena = p->d->arena;
    p->positions = gt_arena_push_array(arena, count, 3 * sizeof *p->positions);
    p->normals = f->normal.source.data ? gt_arena_push_array(arena, count, 3 * sizeof *p->normals) : NULL;
    bool* missing = gt_arena_push_array(arena, count, sizeof *missing);
    if (!p->positions || (f->normal.source.data && !p->normals) || !missing) {
        return gti_out_of_memory(p->d->error);
    }
    bool any_missing = false;
    for (size_t v = 0; v < count; ++v) {
        GtVec3 moved = moved_point(p, gti_dae_value_at(f, &f->position, p->part->corners[v]));
        memcpy(p->positions + 3 * v, &moved, 3 * sizeof(float));
        if (p->normals) {
            GtVec3 n = gt_mat34_normal(&p->bind, vector_of(gti_dae_value_at(f, &f->normal, p->part->corners[v])));
            missing[v] = !make_unit(&n);
            n = missing[v] ? gt_vec3(0.0f, 0.0f, 0.0f) : n;
            any_missing = any_missing || missing[v];
            memcpy(p->normals + 3 * v, &n, 3 * sizeof(float));
        }
    }
    GtResult result = any_missing ? fill_normals(p, missing) : GT_OK;
    if (result == GT_OK) {
        result = add_attribute(p, "POSITION", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, p->positions);
    }
    if (result == GT_OK && p->normals) {
        result = add_attribute(p, "NORMAL", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, p->normals);
    }
    return result;
}

static GtResult add_looks(DaePrimitive* p)
{
    const GtiDaeFaces* f = &p->part->faces;
    size_t count = p->part->vertex_count;
    GtResult result = GT_OK;
    float* uv = f->set_count ? gt_arena_push_array(p->d->arena, count, 2 * sizeof *uv) : NULL;
    uint16_t* rgba = f->color.source.data ? gt_arena_push_array(p->d->arena, count, 4 * sizeof *rgba) : NULL;
    if ((f->set_count && !uv) || (f->color.source.data && !rgba)) {
        return gti_out_of_memory(p->d->error);
    }
    for (int32_t set = 0; set < f->set_count && result == GT_OK; ++set) {
        char name[24];
        for (size_t v = 0; v < count; ++v) {
            const float* value = gti_dae_value_at(f, &f->texcoords[set], p->part->corners[v]);
            uv[2 * v] = value[0];
            uv[2 * v + 1] = 1.0f - value[1];
        }
        snprintf(name, sizeof name, "TEXCOORD_%d", (int)set);
        result = add_attribute(p, name, GT_ELEMENT_VEC2, GT_COMPONENT_FLOAT, uv);
    }
    for (size_t v = 0; rgba && v < count; ++v) {
        const float* value = gti_dae_value_at(f, &f->color, p->part->corners[v]);
        for (int k = 0; k < 3; ++k) {
            rgba[4 * v + (size_t)k] = gti_linear16_from_srgb((double)value[k]);
        }
        float alpha = f->color.source.components >= 4 ? value[3] : 1.0f;
        rgba[4 * v + 3] = (uint16_t)lrintf(65535.0f * (alpha >= 0.0f ? fminf(alpha, 1.0f) : 0.0f));
    }
    if (result == GT_OK && rgba) {
        result = add_attribute(p, "COLOR_0", GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, rgba);
        if (result == GT_OK) {
            p->d->scene->accessors[p->attributes[p->attribute_count - 1].accessor].normalized = true;
        }
    }
    return result;
}

// Influences 4 n to 4 n + 3 of every vertex.
static GtResult add_joint_set(DaePrimitive* p, int32_t set, uint16_t* joints, float* weights)
{
    const GtiDaeFaces* f = &p->part->faces;
    char name[24];
    for (size_t v = 0; v < p->part->vertex_count; ++v) {
        size_t position = gti_dae_index_at(f, &f->position, p->part->corners[v]);
        size_t first = p->skin->firsts[position];
        size_t count = p->skin->firsts[position + 1] - first;
        for (size_t k = 0; k < SET_SIZE; ++k) {
            size_t at = (size_t)set * SET_SIZE + k;
            const GtiDaeInfluence* i = &p->skin->influences[first + at];
            joints[SET_SIZE * v + k] = at < count ? (uint16_t)p->remap[i->joint] : 0;
            weights[SET_SIZE * v + k] = at < count ? i->weight : 0.0f;
        }
    }
    snprintf(name, sizeof name, "JOINTS_%d", (int)set);
    GtResult result = add_attribute(p, name, GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, joints);
    snprintf(name, sizeof name, "WEIGHTS_%d", (int)set);
    return result == GT_OK ? add_attribute(p, name, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, weights) : result;
}

static GtResult add_joints(DaePrimitive* p)
{
    size_t count = (size_t)p->part->vertex_count * SET_SIZE;
    uint16_t* joints = gt_arena_push_array(p->d->arena, count, sizeof *joints);
    float* weights = gt_arena_push_array(p->d->arena, count, sizeof *weights);
    GtResult result = joints && weights ? GT_OK : gti_out_of_memory(p->d->error);
    for (int32_t set = 0; set * SET_SIZE < p->skin->most_influences && result == GT_OK; ++set) {
        result = add_joint_set(p, set, joints, weights);
    }
    return result;
}

// The target's faces that match the part's, for its normals; NULL where they do not.
static const GtiDaeFaces* matching_faces(const GtiDaeGeometry* target, int32_t part_index, const GtiDaePart* part)
{
    if (part_index >= target->part_count) {
        return NULL;
    }
    const GtiDaeFaces* f = &target->parts[part_index].faces;
    return f->corner_count == part->faces.corner_count && f->normal.source.data ? f : NULL;
}

static GtResult add_target(DaePrimitive* p, const GtiDaeMorph* morph, int32_t target, int32_t part_index,
                           GtMorphTarget* out)
{
    GtiDae* d = p->d;
    const GtiDaeFaces* base = &p->part->faces;
    const GtiDaeGeometry* geometry = &morph->targets[target];
    const GtiDaeSource* shape = geometry->part_count ? &geometry->parts[0].faces.position.source : NULL;
    size_t count = p->part->vertex_count;
    bool usable = shape && shape->count >= base->position.source.count;
    const GtiDaeFaces* faces =
        usable && p->normals && !morph->relative ? matching_faces(geometry, part_index, p->part) : NULL;
    GtResult result = usable ? GT_OK
                             : gti_dae_repair(d, GTI_DAE_BAD_MORPH, morph->element,
                                              "the shape '%.64s' has not the vertices of its mesh: it does nothing",
                                              morph->names[target]);
    float* moves = gt_arena_push_array(d->arena, count, 3 * sizeof *moves);
    float* bends = faces ? gt_arena_push_array(d->arena, count, 3 * sizeof *bends) : NULL;
    GtAttribute* attributes = gt_scene_push(d->scene, 2, sizeof *attributes);
    if (!moves || !attributes || (faces && !bends)) {
        return gti_out_of_memory(d->error);
    }
    for (size_t v = 0; v < count && usable; ++v) {
        size_t corner = p->part->corners[v];
        size_t position = gti_dae_index_at(base, &base->position, corner);
        GtVec3 to = vector_of(shape->data + position * shape->stride);
        GtVec3 from = vector_of(base->position.source.data + position * base->position.source.stride);
        GtVec3 move = gt_mat34_vector(&p->bind, morph->relative ? to : gt_vec3_sub(to, from));
        move = gt_vec3_scale(move, (float)d->metres_per_unit);
        memcpy(moves + 3 * v, &move, 3 * sizeof(float));
        if (faces && (size_t)faces->indices[corner * faces->stride + faces->position.offset] == position) {
            GtVec3 n = gt_mat34_normal(&p->bind, vector_of(gti_dae_value_at(faces, &faces->normal, corner)));
            GtVec3 bend = make_unit(&n) ? gt_vec3_sub(n, vector_of(p->normals + 3 * v)) : gt_vec3(0.0f, 0.0f, 0.0f);
            memcpy(bends + 3 * v, &bend, 3 * sizeof(float));
        }
    }
    GtAttribute* kept = p->attributes;
    int32_t kept_count = p->attribute_count;
    p->attributes = attributes;
    p->attribute_count = 0;
    if (result == GT_OK) {
        result = add_attribute(p, "POSITION", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, moves);
    }
    if (result == GT_OK && bends) {
        result = add_attribute(p, "NORMAL", GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, bends);
    }
    *out = (GtMorphTarget){ .attributes = attributes, .attribute_count = p->attribute_count };
    p->attributes = kept;
    p->attribute_count = kept_count;
    return result;
}

static GtResult add_indices(DaePrimitive* p, int32_t* index)
{
    size_t count = p->part->faces.index_count;
    uint32_t* indices = p->part->indices;
    if (gt_mat34_determinant(&p->bind) < 0.0f) {
        indices = gt_arena_push_array(p->d->arena, count, sizeof *indices);
        for (size_t i = 0; indices && i < count; ++i) {
            indices[i] = p->part->indices[i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1];
        }
    }
    if (!indices) {
        return gti_out_of_memory(p->d->error);
    }
    return gt_scene_add_data(p->d->scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, indices, count, index,
                             p->d->error);
}

static GtResult add_primitive(DaePrimitive* p, const GtiDaeMorph* morph, int32_t part_index, GtPrimitive* out)
{
    GtMorphTarget* targets = NULL;
    GtArenaMark mark = gt_arena_mark(p->d->arena);
    p->attributes = gt_scene_push(p->d->scene, MAX_ATTRIBUTES, sizeof *p->attributes);
    if (!p->attributes) {
        return gti_out_of_memory(p->d->error);
    }
    *out = (GtPrimitive){ .mode = GT_MODE_TRIANGLES, .indices = GT_NONE, .material = GT_NONE };
    GtResult result = add_surface(p);
    if (result == GT_OK) {
        result = add_looks(p);
    }
    if (result == GT_OK && p->skin) {
        result = add_joints(p);
    }
    if (result == GT_OK && morph->target_count) {
        targets = gt_scene_push(p->d->scene, (size_t)morph->target_count, sizeof *targets);
        result = targets ? GT_OK : gti_out_of_memory(p->d->error);
    }
    for (int32_t i = 0; i < morph->target_count && result == GT_OK; ++i) {
        GtArenaMark before = gt_arena_mark(p->d->arena);
        result = add_target(p, morph, i, part_index, &targets[i]);
        gt_arena_reset(p->d->arena, before);
    }
    if (result == GT_OK) {
        result = add_indices(p, &out->indices);
    }
    out->attributes = p->attributes;
    out->attribute_count = p->attribute_count;
    out->targets = targets;
    gt_arena_reset(p->d->arena, mark);
    return result;
}

GtResult gti_dae_add_primitives(GtiDae* d, const GtiDaeGeometry* geometry, const GtiDaeSkin* skin, const int32_t* remap,
                                const GtiDaeMorph* morph, GtiDaeMesh* out)
{
    *out = (GtiDaeMesh){ .parts = geometry->parts, .primitive_count = geometry->part_count, .morph = *morph };
    out->primitives = gt_scene_push(d->scene, (size_t)geometry->part_count, sizeof *out->primitives);
    out->symbols = gt_arena_push_array(d->arena, (size_t)geometry->part_count, sizeof *out->symbols);
    GtResult result = out->primitives && out->symbols ? GT_OK : gti_out_of_memory(d->error);
    for (int32_t i = 0; i < geometry->part_count && result == GT_OK; ++i) {
        DaePrimitive p = { .d = d,
                           .part = &geometry->parts[i],
                           .bind = skin ? skin->bind_shape : gt_mat34_identity(),
                           .skin = skin,
                           .remap = remap };
        result =
            gti_dae_spend(d, p.part->faces.element, (size_t)p.part->vertex_count * ((size_t)morph->target_count + 1));
        if (result != GT_OK) {
            return result;
        }
        out->symbols[i] = gti_xml_attribute(&d->xml, geometry->parts[i].faces.element, "material");
        result = add_primitive(&p, morph, i, &out->primitives[i]);
    }
    return result;
}
