// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Weights of a vertex are summed by joint, the largest GTI_DAE_MAX_INFLUENCES are kept and made to sum to 1, in the
// order of size, so that the first four are the ones that matter most.

#include "import/collada/controller.h"

#include "base/fail.h"

#include <string.h>

enum {
    MAX_CHAIN = 8 // controllers on one geometry
};

GtResult gti_dae_open_controller(GtiDae* d, int32_t element, GtiDaeController* out)
{
    *out = (GtiDaeController){ GT_NONE, GT_NONE, GT_NONE };
    for (int step = 0; step < MAX_CHAIN && gti_xml_is(&d->xml, element, "controller"); ++step) {
        int32_t skin = gti_xml_child(&d->xml, element, "skin");
        int32_t morph = gti_xml_child(&d->xml, element, "morph");
        int32_t link = skin != GT_NONE ? skin : morph;
        if (skin != GT_NONE && out->morph != GT_NONE) {
            gti_dae_note(d, GTI_DAE_ORDER, "'%.64s' morphs a mesh after its skin moves it; here morphs come first",
                         gti_dae_label(d, element, ""));
        }
        out->skin = out->skin == GT_NONE ? skin : out->skin;
        out->morph = out->morph == GT_NONE ? morph : out->morph;
        const char* url = gti_xml_attribute(&d->xml, link, "source");
        const char* id = url && *url == '#' ? url + 1 : url;
        element = id ? gti_dae_find_id(d, id, strlen(id)) : GT_NONE;
        if (!gti_xml_is(&d->xml, element, "geometry") && !gti_xml_is(&d->xml, element, "controller")) {
            return gti_dae_repair(d, GTI_DAE_NO_TARGET, link, "there is no mesh '%.64s': left out", url ? url : "");
        }
    }
    out->geometry = gti_xml_is(&d->xml, element, "geometry") ? element : GT_NONE;
    return GT_OK;
}

// The <input> of a semantic.
static int32_t find_input(const GtiDae* d, int32_t parent, const char* semantic)
{
    int32_t input = gti_xml_child(&d->xml, parent, "input");
    for (; input != GT_NONE; input = gti_xml_next_same(&d->xml, input)) {
        const char* value = gti_xml_attribute(&d->xml, input, "semantic");
        if (value && !strcmp(value, semantic)) {
            return input;
        }
    }
    return GT_NONE;
}

// The words of a Name_array or IDREF_array.
static GtResult read_words(GtiDae* d, int32_t input, GtiWord** out, int32_t* count, bool* by_id)
{
    int32_t source = GT_NONE;
    *count = 0;
    *out = NULL;
    GtResult result = input == GT_NONE ? GT_OK : gti_dae_follow(d, input, "source", "source", &source);
    int32_t array = gti_xml_child(&d->xml, source, "Name_array");
    *by_id = array == GT_NONE;
    array = array == GT_NONE ? gti_xml_child(&d->xml, source, "IDREF_array") : array;
    array = array == GT_NONE ? gti_xml_child(&d->xml, source, "SIDREF_array") : array;
    size_t size;
    const char* text = gti_xml_text(&d->xml, array, &size);
    const char* end = text + size;
    *out = gt_arena_push_array(d->arena, size / 2 + 1, sizeof **out);
    if (!*out) {
        return gti_out_of_memory(d->error);
    }
    while (result == GT_OK && gti_dae_word(&text, end, &(*out)[*count])) {
        ++*count;
    }
    return result;
}

// Sort by weight, the largest first; equal ones by joint.
static void sort_influences(GtiDaeInfluence* list, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        GtiDaeInfluence moved = list[i];
        int32_t k = i;
        for (; k > 0 && (list[k - 1].weight < moved.weight ||
                         (list[k - 1].weight == moved.weight && list[k - 1].joint > moved.joint));
             --k) {
            list[k] = list[k - 1];
        }
        list[k] = moved;
    }
}

// Add a weight to a list of at most GTI_DAE_MAX_INFLUENCES; returns the new count.
static int32_t add_influence(GtiDae* d, GtiDaeInfluence* list, int32_t count, GtiDaeInfluence added)
{
    int32_t least = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (list[i].joint == added.joint) {
            list[i].weight += added.weight;
            return count;
        }
        least = list[i].weight < list[least].weight ? i : least;
    }
    if (count < GTI_DAE_MAX_INFLUENCES) {
        list[count] = added;
        return count + 1;
    }
    gti_dae_note(d, GTI_DAE_INFLUENCES, "vertices follow more than %d joints: the strongest %d are kept",
                 GTI_DAE_MAX_INFLUENCES, GTI_DAE_MAX_INFLUENCES);
    if (added.weight > list[least].weight) {
        list[least] = added;
    }
    return count;
}

// <vertex_weights> as it is in the file.
typedef struct DaeWeights {
    const int32_t* counts;
    size_t count;
    const int32_t* v;
    size_t v_count;
    size_t stride, joint_offset, weight_offset;
    GtiDaeSource weights;
} DaeWeights;

static size_t input_offset(const GtiDae* d, int32_t input, size_t fallback)
{
    const char* text = gti_xml_attribute(&d->xml, input, "offset");
    return text && *text >= '0' && *text <= '9' && !text[1] ? (size_t)(*text - '0') : fallback;
}

static GtResult open_weights(GtiDae* d, int32_t skin, DaeWeights* out)
{
    int32_t element = gti_xml_child(&d->xml, skin, "vertex_weights");
    int32_t joint = find_input(d, element, "JOINT");
    int32_t weight = find_input(d, element, "WEIGHT");
    int32_t* counts = NULL;
    int32_t* v = NULL;
    out->joint_offset = input_offset(d, joint, 0);
    out->weight_offset = input_offset(d, weight, 1);
    out->stride = 1 + (out->joint_offset > out->weight_offset ? out->joint_offset : out->weight_offset);
    GtResult result = weight == GT_NONE ? GT_OK : gti_dae_input_source(d, weight, &out->weights);
    if (result == GT_OK) {
        result = gti_dae_indices(d, gti_xml_child(&d->xml, element, "vcount"), &counts, &out->count);
    }
    if (result == GT_OK) {
        result = gti_dae_indices(d, gti_xml_child(&d->xml, element, "v"), &v, &out->v_count);
    }
    out->counts = counts;
    out->v = v;
    return result;
}

static int32_t read_vertex(GtiDae* d, const GtiDaeSkin* skin, const DaeWeights* w, size_t at, size_t count,
                           GtiDaeInfluence* list)
{
    int32_t kept = 0;
    for (size_t i = 0; i < count && (at + 1) * w->stride <= w->v_count; ++i, ++at) {
        const int32_t* pair = w->v + at * w->stride;
        int32_t joint = pair[w->joint_offset];
        int32_t index = pair[w->weight_offset];
        float weight =
            index >= 0 && (size_t)index < w->weights.count ? w->weights.data[(size_t)index * w->weights.stride] : 0.0f;
        if (joint >= 0 && joint < skin->joint_count && weight > 0.0f) {
            kept = add_influence(d, list, kept, (GtiDaeInfluence){ joint, weight });
        }
    }
    sort_influences(list, kept);
    double sum = 0.0;
    for (int32_t i = 0; i < kept; ++i) {
        sum += (double)list[i].weight;
    }
    for (int32_t i = 0; i < kept; ++i) {
        list[i].weight = (float)((double)list[i].weight / sum);
    }
    return kept;
}

static GtResult read_weights(GtiDae* d, GtiDaeSkin* skin)
{
    DaeWeights w = { 0 };
    GtResult result = open_weights(d, skin->element, &w);
    if (result != GT_OK) {
        return result;
    }
    size_t* firsts = gt_arena_push_array(d->arena, skin->position_count + 1, sizeof *firsts);
    GtiDaeInfluence* influences = gt_arena_push_array(
        d->arena, w.v_count / w.stride + skin->position_count + GTI_DAE_MAX_INFLUENCES, sizeof *influences);
    if (!firsts || !influences) {
        return gti_out_of_memory(d->error);
    }
    size_t at = 0;
    size_t used = 0;
    for (size_t i = 0; i < skin->position_count && result == GT_OK; ++i) {
        size_t count = i < w.count && w.counts[i] > 0 ? (size_t)w.counts[i] : 0;
        int32_t kept = read_vertex(d, skin, &w, at, count, influences + used);
        if (!kept) {
            influences[used] = (GtiDaeInfluence){ 0, 1.0f };
            kept = 1;
            result = gti_dae_repair(d, GTI_DAE_NO_WEIGHTS, skin->element,
                                    "vertices that follow no joint are bound to '%.*s'",
                                    gti_word_shown(skin->joints[0]), skin->joints[0].text);
        }
        skin->most_influences = kept > skin->most_influences ? kept : skin->most_influences;
        firsts[i] = used;
        used += (size_t)kept;
        at = count > w.v_count - (at < w.v_count ? at : w.v_count) ? w.v_count : at + count;
    }
    firsts[skin->position_count] = used;
    skin->firsts = firsts;
    skin->influences = influences;
    return result;
}

GtResult gti_dae_read_skin(GtiDae* d, int32_t element, size_t position_count, GtiDaeSkin* out)
{
    int32_t joints = gti_xml_child(&d->xml, element, "joints");
    GtiWord* names = NULL;
    GtiDaeSource matrices = { 0 };
    *out = (GtiDaeSkin){ .element = element, .position_count = position_count, .bind_shape = gt_mat34_identity() };
    GtResult result = read_words(d, find_input(d, joints, "JOINT"), &names, &out->joint_count, &out->by_id);
    if (result == GT_OK && find_input(d, joints, "INV_BIND_MATRIX") != GT_NONE) {
        result = gti_dae_input_source(d, find_input(d, joints, "INV_BIND_MATRIX"), &matrices);
    }
    out->joints = names;
    if (result != GT_OK) {
        return result;
    }
    if (!out->joint_count || matrices.count < (size_t)out->joint_count || out->joint_count > UINT16_MAX ||
        matrices.stride != 16) {
        out->joint_count = 0;
        return gti_dae_repair(d, GTI_DAE_NO_JOINT, element,
                              "a skin lacks its joints or their bind matrices: its mesh does not bend");
    }
    out->inverse_bind = matrices.data;
    double shape[16];
    if (gti_dae_few(d, gti_xml_child(&d->xml, element, "bind_shape_matrix"), 16, shape) == 16) {
        for (int i = 0; i < 12; ++i) {
            out->bind_shape.m[i / 4][i % 4] = (float)shape[i];
        }
    }
    return read_weights(d, out);
}

static GtResult read_targets(GtiDae* d, GtiDaeMorph* out, const GtiWord* ids)
{
    out->targets = gt_arena_push_array(d->arena, (size_t)out->target_count, sizeof *out->targets);
    out->names = gt_scene_push(d->scene, (size_t)out->target_count, sizeof *out->names);
    out->weights = gt_scene_push(d->scene, (size_t)out->target_count, sizeof *out->weights);
    if (!out->targets || !out->names || !out->weights) {
        return gti_out_of_memory(d->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < out->target_count && result == GT_OK; ++i) {
        int32_t target = gti_dae_find_id(d, ids[i].text, ids[i].length);
        GtiDaeController chain = { GT_NONE, GT_NONE, GT_NONE };
        result = gti_dae_open_controller(d, target, &chain);
        out->names[i] = gti_dae_push_label(d, target, "shape");
        if (result == GT_OK && !out->names[i]) {
            result = GT_ERROR_OUT_OF_MEMORY;
        }
        GtiDaeGeometry* known = chain.geometry == GT_NONE ? NULL : d->made[chain.geometry];
        if (known) {
            out->targets[i] = *known;
        } else if (result == GT_OK && chain.geometry != GT_NONE) {
            result = gti_dae_read_geometry(d, chain.geometry, &out->targets[i]);
        }
    }
    return result;
}

GtResult gti_dae_read_morph(GtiDae* d, int32_t element, GtiDaeMorph* out)
{
    int32_t inputs = gti_xml_child(&d->xml, element, "targets");
    const char* method = gti_xml_attribute(&d->xml, element, "method");
    GtiWord* ids = NULL;
    GtiDaeSource weights = { 0 };
    bool by_id;
    *out = (GtiDaeMorph){ .element = element, .relative = method && !strcmp(method, "RELATIVE") };
    GtResult result = read_words(d, find_input(d, inputs, "MORPH_TARGET"), &ids, &out->target_count, &by_id);
    if (result == GT_OK && find_input(d, inputs, "MORPH_WEIGHT") != GT_NONE) {
        result = gti_dae_input_source(d, find_input(d, inputs, "MORPH_WEIGHT"), &weights);
    }
    if (result == GT_OK) {
        result = read_targets(d, out, ids);
    }
    for (int32_t i = 0; i < out->target_count && result == GT_OK && (size_t)i < weights.count; ++i) {
        out->weights[i] = weights.data[(size_t)i * weights.stride];
    }
    return result;
}

static int32_t node_of_sid(const GtiDaeNodes* n, GtiWord sid, const int32_t* roots, int32_t root_count)
{
    int32_t number = gti_intern_find(&n->sids, sid.text, sid.length);
    int32_t found = GT_NONE;
    for (int32_t i = number == GT_NONE ? GT_NONE : n->sid_firsts[number]; i != GT_NONE; i = n->nodes[i].next_sid) {
        bool inside = root_count == 0;
        for (int32_t k = 0; k < root_count && !inside; ++k) {
            inside = gti_dae_is_below(n, i, roots[k]);
        }
        found = inside ? i : found; // the list is in reverse: the first in the file stays
    }
    return found;
}

static int32_t node_of_id(const GtiDaeNodes* n, GtiWord id)
{
    int32_t element = gti_dae_find_id(n->d, id.text, id.length);
    int32_t node = element == GT_NONE ? GT_NONE : n->first_of[element];
    while (node != GT_NONE && n->nodes[node].next_same != GT_NONE) {
        node = n->nodes[node].next_same;
    }
    return node;
}

void gti_dae_find_joints(const GtiDaeNodes* n, const GtiDaeSkin* skin, int32_t instance, int32_t* out)
{
    enum {
        MAX_ROOTS = 64
    };
    const GtiXml* xml = &n->d->xml;
    int32_t roots[MAX_ROOTS];
    int32_t root_count = 0;
    for (int32_t s = gti_xml_child(xml, instance, "skeleton"); s != GT_NONE; s = gti_xml_next_same(xml, s)) {
        size_t size;
        const char* url = gti_xml_text(xml, s, &size);
        GtiWord id = { url + (size && *url == '#'), size - (size && *url == '#') };
        int32_t root = node_of_id(n, id);
        if (root != GT_NONE && root_count < MAX_ROOTS) {
            roots[root_count++] = root;
        }
    }
    for (int32_t i = 0; i < skin->joint_count; ++i) {
        GtiWord name = skin->joints[i];
        out[i] = skin->by_id ? node_of_id(n, name) : node_of_sid(n, name, roots, root_count);
        out[i] = out[i] == GT_NONE && !skin->by_id ? node_of_sid(n, name, NULL, 0) : out[i];
        out[i] = out[i] == GT_NONE ? node_of_id(n, name) : out[i];
    }
}
