// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A corner is a tuple of indices, one for each of its attributes. Corners with the same tuple become one vertex, found
// by a hash table of the part.

#include "import/collada/geometry.h"

#include "base/fail.h"
#include "base/hash.h"
#include "gertie/number.h"

#include <string.h>

// A whole number of an attribute, or `fallback`.
static size_t size_attribute(const GtiDae* d, int32_t node, const char* name, size_t fallback)
{
    const char* text = gti_xml_attribute(&d->xml, node, name);
    int64_t value = 0;
    if (!text || !gt_parse_int64(text, text + strlen(text), &value) || value < 0 || value > INT32_MAX) {
        return fallback;
    }
    return (size_t)value;
}

GtResult gti_dae_source(GtiDae* d, int32_t source, GtiDaeSource* out)
{
    *out = (GtiDaeSource){ 0 };
    if (source == GT_NONE) {
        return GT_OK;
    }
    int32_t accessor = gti_xml_child(&d->xml, gti_xml_child(&d->xml, source, "technique_common"), "accessor");
    const char* url = gti_xml_attribute(&d->xml, accessor, "source");
    int32_t array = url && *url == '#' ? gti_dae_find_id(d, url + 1, strlen(url + 1)) : GT_NONE;
    array = gti_xml_is(&d->xml, array, "float_array") ? array : gti_xml_child(&d->xml, source, "float_array");
    float* data;
    size_t value_count;
    if (array == GT_NONE) {
        return GT_OK;
    }
    GtResult result = gti_dae_floats(d, array, &data, &value_count);
    if (result != GT_OK) {
        return result;
    }
    int32_t params = 0;
    for (int32_t p = gti_xml_child(&d->xml, accessor, "param"); p != GT_NONE; p = gti_xml_next_same(&d->xml, p)) {
        ++params;
    }
    size_t stride = size_attribute(d, accessor, "stride", params > 0 ? (size_t)params : 1);
    size_t offset = size_attribute(d, accessor, "offset", 0);
    stride = stride ? stride : 1;
    size_t there = offset < value_count ? (value_count - offset) / stride : 0;
    size_t promised = size_attribute(d, accessor, "count", there);
    if (promised > there) {
        result = gti_dae_repair(d, GTI_DAE_BAD_SOURCE, source, "the source '%.64s' has %zu of %zu elements",
                                gti_dae_label(d, source, ""), there, promised);
    }
    *out = (GtiDaeSource){ .data = there ? data + offset : NULL,
                           .count = promised < there ? promised : there,
                           .stride = stride,
                           .components = params > 1 && (size_t)params < stride ? params : (int32_t)stride };
    return result;
}

GtResult gti_dae_input_source(GtiDae* d, int32_t input, GtiDaeSource* out)
{
    int32_t source = GT_NONE;
    *out = (GtiDaeSource){ 0 };
    GtResult result = gti_dae_follow(d, input, "source", "source", &source);
    return result == GT_OK ? gti_dae_source(d, source, out) : result;
}

// Where the values of a semantic go; NULL where they are not used.
static GtiDaeInput* place_of(GtiDaeFaces* f, const char* semantic)
{
    if (!strcmp(semantic, "POSITION")) {
        return &f->position;
    }
    if (!strcmp(semantic, "NORMAL")) {
        return &f->normal;
    }
    if (!strcmp(semantic, "COLOR")) {
        return f->color.source.data ? NULL : &f->color;
    }
    if (!strcmp(semantic, "TEXCOORD") || !strcmp(semantic, "UV")) {
        return f->set_count < GTI_DAE_MAX_SETS ? &f->texcoords[f->set_count] : NULL;
    }
    return NULL;
}

// An input of a primitive or, with the offset of VERTEX, of <vertices>.
static GtResult read_input(GtiDae* d, GtiDaeFaces* f, int32_t input, size_t offset)
{
    const char* semantic = gti_xml_attribute(&d->xml, input, "semantic");
    GtiDaeInput* place = semantic ? place_of(f, semantic) : NULL;
    if (!place || (place->source.data && place != &f->texcoords[f->set_count])) {
        return GT_OK;
    }
    GtiDaeInput made = { .offset = offset, .set = (int32_t)size_attribute(d, input, "set", (size_t)f->set_count) };
    GtResult result = gti_dae_input_source(d, input, &made.source);
    int32_t least = place == &f->position || place == &f->normal || place == &f->color ? 3 : 2;
    if (result == GT_OK && made.source.data && made.source.components < least) {
        made.source.data = NULL;
        result = gti_dae_repair(d, GTI_DAE_BAD_SOURCE, input, "%.16s has fewer than %d numbers an element: left out",
                                semantic, least);
    }
    if (result == GT_OK && made.source.data && made.source.count) {
        *place = made;
        f->set_count += place == &f->texcoords[f->set_count];
    }
    return result;
}

// <vertices> has one set of indices for all of its inputs.
static GtResult read_vertices(GtiDae* d, GtiDaeFaces* f, int32_t vertex_input, size_t offset)
{
    int32_t vertices = GT_NONE;
    GtResult result = gti_dae_follow(d, vertex_input, "source", "vertices", &vertices);
    for (int32_t i = gti_xml_child(&d->xml, vertices, "input"); i != GT_NONE && result == GT_OK;
         i = gti_xml_next_same(&d->xml, i)) {
        result = read_input(d, f, i, offset);
    }
    return result;
}

static GtResult read_inputs(GtiDae* d, GtiDaeFaces* f)
{
    GtResult result = GT_OK;
    int32_t count = 0;
    f->stride = 1;
    for (int32_t i = gti_xml_child(&d->xml, f->element, "input"); i != GT_NONE && result == GT_OK;
         i = gti_xml_next_same(&d->xml, i)) {
        size_t offset = size_attribute(d, i, "offset", size_attribute(d, i, "idx", (size_t)count));
        const char* semantic = gti_xml_attribute(&d->xml, i, "semantic");
        if (++count > GTI_DAE_MAX_INPUTS || offset >= GTI_DAE_MAX_INPUTS) {
            return gti_dae_fail(d, i, GT_ERROR_LIMIT, "a corner has more than %d indices", GTI_DAE_MAX_INPUTS);
        }
        f->stride = offset + 1 > f->stride ? offset + 1 : f->stride;
        if (semantic && !strcmp(semantic, "VERTEX")) {
            result = read_vertices(d, f, i, offset);
        } else {
            result = read_input(d, f, i, offset);
        }
    }
    // Attributes of <vertices> share the position's index, so they must be as many.
    GtiDaeInput* shared[] = { &f->normal, &f->color };
    for (int k = 0; k < 2; ++k) {
        if (shared[k]->offset == f->position.offset && shared[k]->source.count < f->position.source.count) {
            shared[k]->source.data = NULL;
        }
    }
    for (int32_t k = 0; k < f->set_count; ++k) {
        if (f->texcoords[k].offset == f->position.offset && f->texcoords[k].source.count < f->position.source.count) {
            f->set_count = k;
        }
    }
    return result;
}

static uint64_t hash_corner(const GtiDaeFaces* f, const size_t* columns, int32_t column_count, size_t corner)
{
    uint64_t hash = 0;
    for (int32_t k = 0; k < column_count; ++k) {
        hash = gti_hash_mix(hash, (uint64_t)f->indices[corner * f->stride + columns[k]]);
    }
    return hash;
}

static bool same_corner(const GtiDaeFaces* f, const size_t* columns, int32_t column_count, size_t a, size_t b)
{
    for (int32_t k = 0; k < column_count; ++k) {
        if (f->indices[a * f->stride + columns[k]] != f->indices[b * f->stride + columns[k]]) {
            return false;
        }
    }
    return true;
}

// The indices of a corner that make a vertex: those of attributes that are used.
static int32_t list_columns(const GtiDaeFaces* f, size_t columns[GTI_DAE_MAX_SETS + 3])
{
    bool used[GTI_DAE_MAX_INPUTS] = { false };
    int32_t count = 0;
    used[f->position.offset] = true;
    used[f->normal.offset] |= f->normal.source.data != NULL;
    used[f->color.offset] |= f->color.source.data != NULL;
    for (int32_t k = 0; k < f->set_count; ++k) {
        used[f->texcoords[k].offset] = true;
    }
    for (size_t k = 0; k < GTI_DAE_MAX_INPUTS; ++k) {
        if (used[k]) {
            columns[count++] = k;
        }
    }
    return count;
}

static GtResult join_corners(GtiDae* d, GtiDaePart* part)
{
    const GtiDaeFaces* f = &part->faces;
    size_t columns[GTI_DAE_MAX_SETS + 3];
    int32_t column_count = list_columns(f, columns);
    uint32_t bits = 4;
    while (bits < 31 && (size_t)1 << bits < f->corner_count + f->corner_count / 2) {
        ++bits;
    }
    part->corners = gt_arena_push_array(d->arena, f->corner_count, sizeof *part->corners);
    part->indices = gt_arena_push_array(d->arena, f->index_count, sizeof *part->indices);
    GtArenaMark mark = gt_arena_mark(d->arena);
    uint32_t* slots = gt_arena_push_array(d->arena, (size_t)1 << bits, sizeof *slots);
    uint32_t* vertex_of = gt_arena_push_array(d->arena, f->corner_count, sizeof *vertex_of);
    if (!part->corners || !part->indices || !slots || !vertex_of) {
        return gti_out_of_memory(d->error);
    }
    uint32_t mask = (1u << bits) - 1;
    for (size_t i = 0; i < f->index_count; ++i) {
        uint32_t corner = f->triangles[i];
        if (!vertex_of[corner]) {
            uint32_t slot = gti_hash_slot(hash_corner(f, columns, column_count, corner), bits);
            while (slots[slot] && !same_corner(f, columns, column_count, part->corners[slots[slot] - 1], corner)) {
                slot = (slot + 1) & mask;
            }
            if (!slots[slot]) {
                part->corners[part->vertex_count] = corner;
                slots[slot] = ++part->vertex_count;
            }
            vertex_of[corner] = slots[slot];
        }
        part->indices[i] = vertex_of[corner] - 1;
    }
    gt_arena_reset(d->arena, mark);
    return GT_OK;
}

static bool is_primitive(const GtiDae* d, int32_t node)
{
    static const char* const kinds[] = { "triangles", "polylist", "polygons", "tristrips", "trifans" };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (gti_xml_is(&d->xml, node, kinds[i])) {
            return true;
        }
    }
    return false;
}

GtResult gti_dae_read_geometry(GtiDae* d, int32_t element, GtiDaeGeometry* out)
{
    int32_t mesh = gti_xml_child(&d->xml, element, "mesh");
    mesh = mesh == GT_NONE ? gti_xml_child(&d->xml, element, "convex_mesh") : mesh;
    int32_t most = 0;
    *out = (GtiDaeGeometry){ .element = element };
    if (gti_xml_child(&d->xml, element, "spline") != GT_NONE || gti_xml_child(&d->xml, element, "brep") != GT_NONE) {
        gti_dae_note(d, GTI_DAE_SPLINES, "splines and curved surfaces are left out; convert them to meshes first");
    }
    for (int32_t i = gti_dae_next_child(d, mesh, GT_NONE); i != GT_NONE; i = gti_dae_next_child(d, mesh, i)) {
        most += is_primitive(d, i);
        if (gti_xml_is(&d->xml, i, "lines") || gti_xml_is(&d->xml, i, "linestrips")) {
            gti_dae_note(d, GTI_DAE_LINES, "lines are left out; faces alone are read");
        }
    }
    out->parts = gt_arena_push_array(d->arena, (size_t)most, sizeof *out->parts);
    GtResult result = out->parts ? GT_OK : gti_out_of_memory(d->error);
    for (int32_t i = gti_dae_next_child(d, mesh, GT_NONE); i != GT_NONE && result == GT_OK;
         i = gti_dae_next_child(d, mesh, i)) {
        GtiDaePart* part = &out->parts[out->part_count];
        if (!is_primitive(d, i)) {
            continue;
        }
        *part = (GtiDaePart){ .faces = { .element = i } };
        result = read_inputs(d, &part->faces);
        if (result == GT_OK && part->faces.position.source.data) {
            result = gti_dae_read_faces(d, &part->faces);
        }
        if (result == GT_OK && part->faces.index_count) {
            out->position_count = part->faces.position.source.count;
            ++out->part_count;
            result = join_corners(d, part);
        }
    }
    return result;
}
