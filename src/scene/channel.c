// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Channel addresses. Joint names hold dots and colons themselves ("mixamorig:Hips", "DEF-spine.001"), so an address is
// read from its end: component, then property, and what is left is the name; and only known domains end at a colon.

#include "gertie/channel.h"

#include "gertie/number.h"

#include "base/fail.h"
#include "base/near.h"
#include "base/slice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const domains[] = { "node", "morph", "camera", "section", "lattice" };
static const char* const transform_properties[] = { "translation", "rotation", "scale" }; // as GtChannelKind counts
static const char components[] = "xyzw";

enum {
    NEAR_SIZE = 300 // what is near, in a message
};

static GtResult put(GtiSlice from, char* to, size_t to_size, const char* what, const char* text, GtError* error)
{
    if (from.length >= to_size) {
        return gti_fail(error, GT_ERROR_LIMIT, "channel '%.80s': the %s is longer than %zu bytes", text, what,
                        to_size - 1);
    }
    memcpy(to, from.text, from.length);
    to[from.length] = 0;
    return GT_OK;
}

// "point[1,2,0]" into "point" and indices.
static GtResult take_indices(GtiSlice* property, GtChannelAddress* out, const char* text, GtError* error)
{
    const char* open = property->length ? memchr(property->text, '[', property->length) : NULL;
    if (!open) {
        return GT_OK;
    }
    const char* p = open + 1;
    const char* end = property->text + property->length;
    for (;;) {
        int64_t index = 0;
        const char* after = gt_parse_int64(p, end, &index);
        if (!after || index < 0 || index > INT32_MAX || out->index_count == 3 || after == end) {
            break;
        }
        out->indices[out->index_count++] = (int32_t)index;
        if (*after == ']' && after + 1 == end) {
            property->length = (size_t)(open - property->text);
            return GT_OK;
        }
        if (*after != ',') {
            break;
        }
        p = after + 1;
    }
    return gti_fail(error, GT_ERROR_BAD_VALUE, "channel '%.80s': write indices as [1,2,0]", text);
}

static void take_domain(GtiSlice* rest, GtChannelAddress* out)
{
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; ++i) {
        size_t length = strlen(domains[i]);
        if (rest->length > length && rest->text[length] == ':' && memcmp(rest->text, domains[i], length) == 0) {
            if (i > 0) { // "node:" only says that the name is one
                memcpy(out->domain, domains[i], length + 1);
            }
            *rest = (GtiSlice){ rest->text + length + 1, rest->length - length - 1 };
            return;
        }
    }
    static const char camera[] = "camera.";
    if (rest->length >= sizeof camera - 1 && memcmp(rest->text, camera, sizeof camera - 1) == 0) {
        memcpy(out->domain, "camera", sizeof "camera"); // "camera.fov": the first camera
        *rest = (GtiSlice){ rest->text + sizeof camera - 2, rest->length - (sizeof camera - 2) };
    }
}

GtResult gt_channel_parse(const char* text, GtChannelAddress* out, GtError* error)
{
    *out = (GtChannelAddress){ .component = GT_NONE };
    GtiSlice rest = { text, strlen(text) };
    take_domain(&rest, out);
    if (strcmp(out->domain, "morph") != 0) { // the whole rest of "morph:mouth.open" is the name
        GtiSlice tail = gti_slice_cut_last(&rest);
        const char* component = tail.length == 1 ? strchr(components, tail.text[0]) : NULL;
        bool is_section = strcmp(out->domain, "section") == 0; // whose properties are single letters
        if (component && !is_section) {
            out->component = (int32_t)(component - components);
            tail = gti_slice_cut_last(&rest);
        }
        GtResult result = take_indices(&tail, out, text, error);
        if (result == GT_OK) {
            result = put(tail, out->property, sizeof out->property, "property", text, error);
        }
        if (result != GT_OK) {
            return result;
        }
        if (!out->property[0]) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "channel '%.80s' has no property; write it like leftFoot.translation.y, morph:jawOpen or "
                            "camera.fov",
                            text);
        }
    }
    if (rest.length == 0 && strcmp(out->domain, "camera") != 0) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "channel '%.80s' names nothing", text);
    }
    return put(rest, out->name, sizeof out->name, "name", text, error);
}

// Whether `name` is "#12"; the index is GT_NONE where it is not below `count`.
static bool is_index(const char* name, int32_t count, int32_t* index)
{
    int64_t number = 0;
    const char* end = name + strlen(name);
    if (name[0] != '#' || gt_parse_int64(name + 1, end, &number) != end) {
        return false;
    }
    *index = number >= 0 && number < count ? (int32_t)number : GT_NONE;
    return true;
}

// "#12" by index, a humanoid joint by the map, else a node by name.
static int32_t find_node(const GtScene* scene, const char* name)
{
    int32_t index = GT_NONE;
    if (is_index(name, scene->node_count, &index)) {
        return index;
    }
    int32_t joint = scene->humanoid ? gt_humanoid_find(name) : GT_NONE;
    if (joint != GT_NONE && scene->humanoid->nodes[joint] != GT_NONE) {
        return scene->humanoid->nodes[joint];
    }
    return gt_scene_find_node(scene, name);
}

// By its name, by "#3", or by "3", which is how targets without names were once written.
static int32_t find_target(const GtMesh* mesh, const char* name)
{
    for (int32_t t = 0; mesh->target_names && t < mesh->target_count; ++t) {
        if (mesh->target_names[t] && strcmp(mesh->target_names[t], name) == 0) {
            return t;
        }
    }
    int64_t index = 0;
    const char* digits = name + (name[0] == '#');
    const char* end = name + strlen(name);
    if (gt_parse_int64(digits, end, &index) == end && index >= 0 && index < mesh->target_count) {
        return (int32_t)index;
    }
    return GT_NONE;
}

static GtResult no_morph(const GtScene* scene, const char* name, GtError* error)
{
    char text[NEAR_SIZE];
    GtiNear near = gti_near(name);
    for (int32_t m = 0; m < scene->mesh_count; ++m) {
        for (int32_t t = 0; scene->meshes[m].target_names && t < scene->meshes[m].target_count; ++t) {
            gti_near_offer(&near, scene->meshes[m].target_names[t]);
        }
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "no morph target '%.80s'%s", name,
                    near.count ? gti_near_print(&near, text, sizeof text)
                               : "; 'gertie info --channels' lists what there is");
}

static GtResult no_node(const GtScene* scene, const char* name, GtError* error)
{
    char text[NEAR_SIZE];
    GtiNear near = gti_near(name);
    for (int joint = 0; scene->humanoid && joint < GT_HUMANOID_JOINT_COUNT; ++joint) {
        if (scene->humanoid->nodes[joint] != GT_NONE) {
            gti_near_offer(&near, gt_humanoid_name((GtHumanoidJoint)joint));
        }
    }
    for (int32_t n = 0; n < scene->node_count; ++n) {
        gti_near_offer(&near, scene->nodes[n].name);
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "no joint or node '%.80s'%s", name,
                    near.count ? gti_near_print(&near, text, sizeof text)
                               : "; 'gertie info --channels' lists what there is");
}

static bool take_target(const GtScene* scene, int32_t node, const char* name, GtChannel* out)
{
    int32_t mesh = scene->nodes[node].mesh;
    int32_t target = mesh == GT_NONE ? GT_NONE : find_target(&scene->meshes[mesh], name);
    if (target != GT_NONE) {
        out->target = node;
        out->item = target;
    }
    return target != GT_NONE;
}

// "NODE/TARGET" before "MESH/TARGET".
static GtResult resolve_morph(const GtScene* scene, const GtChannelAddress* address, GtChannel* out, GtError* error)
{
    *out = (GtChannel){ .kind = GT_CHANNEL_MORPH, .component = GT_NONE };
    for (int32_t n = 0; n < scene->node_count; ++n) {
        if (address->name[0] != '#' && take_target(scene, n, address->name, out)) {
            return GT_OK;
        }
    }
    for (const char* slash = strchr(address->name, '/'); slash; slash = strchr(slash + 1, '/')) {
        char node_name[sizeof address->name];
        size_t length = (size_t)(slash - address->name);
        memcpy(node_name, address->name, length);
        node_name[length] = 0;
        int32_t node = find_node(scene, node_name);
        if (node != GT_NONE && take_target(scene, node, slash + 1, out)) {
            return GT_OK;
        }
        for (int32_t n = 0; n < scene->node_count; ++n) {
            int32_t mesh = scene->nodes[n].mesh;
            const char* mesh_name = mesh == GT_NONE ? NULL : scene->meshes[mesh].name;
            if (mesh_name && strcmp(mesh_name, node_name) == 0 && take_target(scene, n, slash + 1, out)) {
                return GT_OK;
            }
        }
    }
    return no_morph(scene, address->name, error);
}

// The first camera for "", "#1" by index, else by name.
static int32_t find_camera(const GtScene* scene, const char* name)
{
    int32_t index = GT_NONE;
    if (is_index(name, scene->camera_count, &index)) {
        return index;
    }
    for (int32_t c = 0; c < scene->camera_count; ++c) {
        if (!name[0] || (scene->cameras[c].name && strcmp(scene->cameras[c].name, name) == 0)) {
            return c;
        }
    }
    return GT_NONE;
}

static GtResult resolve_camera(const GtScene* scene, const GtChannelAddress* address, GtChannel* out, GtError* error)
{
    *out = (GtChannel){ .kind = GT_CHANNEL_CAMERA_FOV, .component = GT_NONE };
    if (strcmp(address->property, "fov") != 0) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "a camera has no '%s'; it has fov", address->property);
    }
    out->target = find_camera(scene, address->name);
    if (out->target == GT_NONE) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "no camera%s%.80s", address->name[0] ? " " : "", address->name);
    }
    return GT_OK;
}

static GtResult resolve_transform(const GtScene* scene, const GtChannelAddress* address, GtChannel* out, GtError* error)
{
    for (int kind = GT_CHANNEL_TRANSLATION; kind <= GT_CHANNEL_SCALE; ++kind) {
        if (strcmp(address->property, transform_properties[kind]) != 0) {
            continue;
        }
        if (address->index_count || (address->component == 3 && kind != GT_CHANNEL_ROTATION)) {
            return gti_fail(error, GT_ERROR_NOT_FOUND, "%s of '%.80s' has no such component", address->property,
                            address->name);
        }
        int32_t node = find_node(scene, address->name);
        if (node == GT_NONE) {
            return no_node(scene, address->name, error);
        }
        *out = (GtChannel){ (GtChannelKind)kind, node, 0, address->component };
        return GT_OK;
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "a joint has no '%s'; it has translation, rotation and scale",
                    address->property);
}

GtResult gt_channel_resolve(const GtScene* scene, const char* text, GtChannel* out, GtError* error)
{
    GtChannelAddress address;
    GtResult result = gt_channel_parse(text, &address, error);
    if (result != GT_OK) {
        return result;
    }
    if (!address.domain[0]) {
        return resolve_transform(scene, &address, out, error);
    }
    if (strcmp(address.domain, "morph") == 0) {
        return resolve_morph(scene, &address, out, error);
    }
    if (strcmp(address.domain, "camera") == 0) {
        return resolve_camera(scene, &address, out, error);
    }
    return gti_fail(error, GT_ERROR_NOT_FOUND, "this scene has no %s '%.80s'", address.domain, address.name);
}

// For each node, camera and morph target the first one of the same name, so that going through all of them is no
// quadratic wait; NULL where a single address is asked for.
typedef struct FirstOfName {
    const int32_t* nodes;   // [node_count]
    const int32_t* cameras; // [camera_count]
    const int32_t* targets; // [target_count] of the mesh at hand
} FirstOfName;

// A name that leads back to the node, or "#index" where its own does not.
static void write_node_name(const GtScene* scene, int32_t node, const FirstOfName* first, char* out, size_t out_size)
{
    const char* name = scene->nodes[node].name;
    bool may_lead = name && name[0] && strlen(name) < out_size && (!first || first->nodes[node] == node);
    int32_t joint = may_lead && first && scene->humanoid ? gt_humanoid_find(name) : GT_NONE;
    bool is_plain = first && may_lead && name[0] != '#' && joint == GT_NONE; // being the first is then enough
    if (is_plain || (may_lead && find_node(scene, name) == node)) {
        memcpy(out, name, strlen(name) + 1);
    } else {
        snprintf(out, out_size, "#%d", (int)node);
    }
}

static int format_camera(const GtScene* scene, int32_t camera, const FirstOfName* first, char* out, size_t out_size)
{
    const char* name = scene->cameras[camera].name;
    if (camera == 0) {
        return snprintf(out, out_size, "camera.fov");
    }
    bool may_lead =
        name && name[0] && strlen(name) <= GT_CHANNEL_NAME_MAX && (!first || first->cameras[camera] == camera);
    bool is_plain = first && may_lead && name[0] != '#';
    if (is_plain || (may_lead && find_camera(scene, name) == camera)) {
        return snprintf(out, out_size, "camera:%s.fov", name);
    }
    return snprintf(out, out_size, "camera:#%d.fov", (int)camera);
}

static int format_morph(const GtMesh* mesh, const char* node, int32_t item, const FirstOfName* first, char* out,
                        size_t out_size)
{
    const char* name = mesh->target_names ? mesh->target_names[item] : NULL;
    int32_t leads_to = !name || !name[0] ? GT_NONE : first ? first->targets[item] : find_target(mesh, name);
    return leads_to == item ? snprintf(out, out_size, "morph:%s/%s", node, name)
                            : snprintf(out, out_size, "morph:%s/#%d", node, (int)item);
}

static int format_channel(const GtScene* scene, const GtChannel* channel, const FirstOfName* first, char* out,
                          size_t out_size)
{
    char name[GT_CHANNEL_NAME_MAX + 1];
    if (channel->kind == GT_CHANNEL_CAMERA_FOV) {
        return format_camera(scene, channel->target, first, out, out_size);
    }
    write_node_name(scene, channel->target, first, name, sizeof name);
    if (channel->kind == GT_CHANNEL_MORPH) {
        const GtMesh* mesh = &scene->meshes[scene->nodes[channel->target].mesh];
        return format_morph(mesh, name, channel->item, first, out, out_size);
    }
    const char* property = transform_properties[channel->kind];
    if (channel->component == GT_NONE) {
        return snprintf(out, out_size, "%s.%s", name, property);
    }
    return snprintf(out, out_size, "%s.%s.%c", name, property, components[channel->component]);
}

int gt_channel_format(const GtScene* scene, const GtChannel* channel, char* out, size_t out_size)
{
    return format_channel(scene, channel, NULL, out, out_size);
}

typedef struct NamedItem {
    const char* name;
    int32_t index;
} NamedItem;

static int compare_items(const void* a, const void* b)
{
    const NamedItem* left = a;
    const NamedItem* right = b;
    int order = strcmp(left->name, right->name);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

// The first item of each one's name. `names` points to the first name, `stride` bytes before the next.
static const int32_t* find_first_of_name(GtArena* arena, const char* const* names, size_t stride, int32_t count)
{
    NamedItem* items = gt_arena_push_array(arena, (size_t)count, sizeof *items);
    int32_t* first = gt_arena_push_array(arena, (size_t)count, sizeof *first);
    if (!items || !first) {
        return NULL;
    }
    for (int32_t i = 0; i < count; ++i) {
        const char* name = *(const char* const*)((const char*)names + (size_t)i * stride);
        items[i] = (NamedItem){ name ? name : "", i };
    }
    qsort(items, (size_t)count, sizeof *items, compare_items);
    for (int32_t i = 0; i < count; ++i) {
        bool is_new = i == 0 || strcmp(items[i].name, items[i - 1].name) != 0;
        first[items[i].index] = is_new ? items[i].index : first[items[i - 1].index];
    }
    return first;
}

// One visit after another, with an address each.
typedef struct Lister {
    const GtScene* scene;
    FirstOfName first;
    void (*visit)(void* user, const GtChannel* channel, const char* address);
    void* user;
} Lister;

static void list_one(const Lister* lister, GtChannelKind kind, int32_t target, int32_t item)
{
    char address[2 * GT_CHANNEL_NAME_MAX + 64];
    GtChannel channel = { kind, target, item, GT_NONE };
    format_channel(lister->scene, &channel, &lister->first, address, sizeof address);
    lister->visit(lister->user, &channel, address);
}

static GtResult list_targets(GtArena* arena, Lister* lister, int32_t node, GtError* error)
{
    const GtMesh* mesh = &lister->scene->meshes[lister->scene->nodes[node].mesh];
    GtArenaMark mark = gt_arena_mark(arena);
    if (mesh->target_names) {
        lister->first.targets =
            find_first_of_name(arena, mesh->target_names, sizeof *mesh->target_names, mesh->target_count);
        if (!lister->first.targets) {
            return gti_out_of_memory(error);
        }
    }
    for (int32_t t = 0; t < mesh->target_count; ++t) {
        list_one(lister, GT_CHANNEL_MORPH, node, t);
    }
    gt_arena_reset(arena, mark);
    return GT_OK;
}

static GtResult list_all(const GtContext* context, GtArena* arena, Lister* lister, GtError* error)
{
    const GtScene* scene = lister->scene;
    for (int32_t n = 0; n < scene->node_count; ++n) {
        GtResult result =
            n % 4096 ? GT_OK : gti_progress(context, error, "listing channels", (double)n / scene->node_count);
        if (result != GT_OK) {
            return result;
        }
        for (int kind = GT_CHANNEL_TRANSLATION; kind <= GT_CHANNEL_SCALE; ++kind) {
            list_one(lister, (GtChannelKind)kind, n, 0);
        }
        result = scene->nodes[n].mesh != GT_NONE ? list_targets(arena, lister, n, error) : GT_OK;
        if (result != GT_OK) {
            return result;
        }
    }
    for (int32_t c = 0; c < scene->camera_count; ++c) {
        if (!scene->cameras[c].orthographic) {
            list_one(lister, GT_CHANNEL_CAMERA_FOV, c, 0);
        }
    }
    return GT_OK;
}

GtResult gt_channel_list(const GtContext* context, const GtScene* scene,
                         void (*visit)(void* user, const GtChannel* channel, const char* address), void* user,
                         GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    Lister lister = { .scene = scene, .visit = visit, .user = user };
    lister.first.nodes = find_first_of_name(&arena, scene->node_count ? &scene->nodes[0].name : NULL,
                                            sizeof *scene->nodes, scene->node_count);
    lister.first.cameras = find_first_of_name(&arena, scene->camera_count ? &scene->cameras[0].name : NULL,
                                              sizeof *scene->cameras, scene->camera_count);
    bool ok = lister.first.nodes && lister.first.cameras;
    GtResult result = ok ? list_all(context, &arena, &lister, error) : gti_out_of_memory(error);
    gt_arena_destroy(&arena);
    return result;
}
