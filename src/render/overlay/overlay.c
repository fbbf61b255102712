// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/overlay/overlay.h"

#include "base/bounds.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

static const float white[4] = { 1.0f, 1.0f, 1.0f, 1.0f };
static const double SAME_S = 1e-5; // times of a picture and of a touch are rounded, each in its own way

// Of marks of the left foot and the right, and of hands.
static const float side_colors[2][3] = { { 0.08f, 0.60f, 0.62f }, { 0.95f, 0.50f, 0.13f } };

// In parts of the skeleton's reach.
static const float light_size = 0.011f;
static const float touch_size = 0.028f;
static const float trail_size = 0.0016f;
static const float axis_most = 0.06f;
static const float axis_least = 0.008f;

int32_t gti_overlay_surfaces(const GtActorDef* def)
{
    return 3 + 2 * def->trail_count + (def->contacts ? GTI_MARK_SURFACES + GTI_TOUCH_SURFACES : 0);
}

// Nodes of the character that are these nodes of the scene, without those that it does not have.
static int32_t* find_nodes(GtArena* arena, const GtiPerformer* p, const int32_t* source, int32_t count, int32_t* found)
{
    int32_t* nodes = gt_arena_push_array(arena, (size_t)count, sizeof *nodes);
    *found = 0;
    for (int32_t i = 0; nodes && i < count; ++i) {
        int32_t node = gt_character_node_from_source(p->figure.character, source[i]);
        if (node != GT_NONE) {
            nodes[(*found)++] = node;
        }
    }
    return nodes;
}

// An axis is as long as a good part of the bone above it.
static float* axis_sizes(GtArena* arena, const GtCharacterDef* def, const GtMat34* model_from_node,
                         const GtiJoints* joints, float reach)
{
    float* sizes = gt_arena_push_array(arena, (size_t)joints->count, sizeof *sizes);
    for (int32_t i = 0; sizes && i < joints->count; ++i) {
        int32_t parent = def->parents[joints->nodes[i]];
        GtVec3 here = gt_mat34_translation(&model_from_node[joints->nodes[i]]);
        GtVec3 there = parent == GT_NONE ? here : gt_mat34_translation(&model_from_node[parent]);
        float bone = gt_vec3_length(gt_vec3_sub(here, there));
        sizes[i] = reach * fminf(fmaxf(0.5f * bone / reach, axis_least), axis_most);
    }
    return sizes;
}

static bool make_axes(GtArena* arena, const GtCharacterDef* def, const GtMat34* model_from_node,
                      const GtiJoints* joints, float reach, GtiOverlay* o)
{
    float* sizes = axis_sizes(arena, def, model_from_node, joints, reach);
    o->shapes[GTI_OVERLAY_AXES] = &o->axes.shape;
    return sizes && gti_markers_create(arena, GTI_MARKER_AXES, joints->nodes, sizes, joints->count, &o->axes);
}

static bool make_lights(GtArena* arena, const GtActorDef* def, const GtiPerformer* p, float reach, GtiOverlay* o)
{
    int32_t count;
    int32_t* nodes = find_nodes(arena, p, def->lights, def->light_count, &count);
    float* sizes = gt_arena_push_array(arena, (size_t)def->light_count, sizeof *sizes);
    for (int32_t i = 0; sizes && i < def->light_count; ++i) {
        sizes[i] = light_size * reach;
    }
    o->shapes[GTI_OVERLAY_LIGHTS] = &o->lights.shape;
    return nodes && sizes && gti_markers_create(arena, GTI_MARKER_LIGHT, nodes, sizes, count, &o->lights);
}

static bool make_trails(GtArena* arena, const GtActorDef* def, GtiPerformer* p, float reach, GtiOverlay* o)
{
    int32_t count;
    int32_t* nodes = find_nodes(arena, p, def->trails, def->trail_count, &count);
    o->shapes[GTI_OVERLAY_TRAILS] = &o->trails.shape;
    double from_s = isnan(def->trail_from_s) ? p->figure.start_s : def->trail_from_s;
    double to_s = isnan(def->trail_to_s) && p->figure.clip ? gt_clip_end_s(p->figure.clip) : def->trail_to_s;
    return nodes && gti_trails_create(arena, p, nodes, p->figure.clip ? count : 0, from_s, fmax(to_s, from_s),
                                      trail_size * reach, &o->trails);
}

// A ball around each hand; one that is not there has none.
static bool make_touches(GtArena* arena, const GtActorDef* def, const GtiPerformer* p, float reach, GtiOverlay* o)
{
    const int32_t* hands = o->footmarks.hands;
    if (def->contacts->touch_count == 0 || hands[0] == GT_NONE || hands[1] == GT_NONE) {
        return true;
    }
    int32_t count;
    int32_t* nodes = find_nodes(arena, p, hands, GTI_TOUCH_SURFACES, &count);
    float* sizes = gt_arena_push_array(arena, GTI_TOUCH_SURFACES, sizeof *sizes);
    if (!nodes || !sizes) {
        return false;
    }
    sizes[0] = sizes[1] = touch_size * reach;
    o->contacts = def->contacts;
    o->shapes[GTI_OVERLAY_TOUCHES] = count == GTI_TOUCH_SURFACES ? &o->touches.shape : NULL;
    return gti_markers_create(arena, GTI_MARKER_LIGHT, nodes, sizes, count, &o->touches);
}

static void add_mesh(GtiGl* gl, GtiOverlay* o, GtiOverlayPart part)
{
    const GtiPaintedShape* shape = o->shapes[part];
    o->meshes[part] = gti_mesh_create(gl);
    gti_mesh_upload(gl, &o->meshes[part],
                    &(GtiMeshData){ .vertex_count = shape->vertex_count,
                                    .index_count = shape->index_count,
                                    .positions = shape->positions,
                                    .normals = shape->normals,
                                    .colors = shape->colors,
                                    .indices = shape->indices });
}

static GtiSurface make_surface(const GtiOverlay* o, GtiOverlayPart part, GtiCanvasLook look, float opacity,
                               GtVec3 offset)
{
    GtiSurface surface = { .mesh = &o->meshes[part], .look = look, .offset = offset };
    memcpy(surface.base_color, white, sizeof white);
    surface.base_color[3] = opacity;
    return surface;
}

static void add_trail_surfaces(GtiOverlay* o, GtVec3 offset, GtiSurface* surfaces, int32_t* count)
{
    o->trail_surfaces = surfaces + *count;
    for (int32_t i = 0; i < 2 * o->trails.count; ++i) {
        surfaces[(*count)++] =
            make_surface(o, GTI_OVERLAY_TRAILS, i % 2 ? GTI_LOOK_GLASS : GTI_LOOK_LIT, i % 2 ? 0.3f : 1.0f, offset);
    }
}

static void add_mark_surfaces(GtiOverlay* o, GtVec3 offset, GtiSurface* surfaces, int32_t* count)
{
    o->mark_surfaces = surfaces + *count;
    for (int i = 0; i < GTI_MARK_SURFACES; ++i) {
        surfaces[*count] = make_surface(o, GTI_OVERLAY_FOOTMARKS, GTI_LOOK_FLAT, i < 2 ? 0.4f : 0.95f, offset);
        surfaces[*count].double_sided = true;
        memcpy(surfaces[(*count)++].base_color, side_colors[i < 2 ? i : (i - 2) / 2], 3 * sizeof(float));
    }
}

static void add_touch_surfaces(GtiOverlay* o, GtVec3 offset, GtiSurface* surfaces, int32_t* count)
{
    o->touch_surfaces = surfaces + *count;
    int32_t indices = o->touches.shape.index_count / GTI_TOUCH_SURFACES;
    for (int i = 0; i < GTI_TOUCH_SURFACES; ++i) {
        GtiSurface* surface = &surfaces[(*count)++];
        *surface = make_surface(o, GTI_OVERLAY_TOUCHES, GTI_LOOK_GLASS, 0.55f, offset);
        surface->first_index = i * indices;
        surface->index_count = indices;
        memcpy(surface->base_color, side_colors[i], 3 * sizeof(float));
    }
}

static void add_surfaces(GtiGl* gl, GtiOverlay* o, const GtActorDef* def, GtiSurface* surfaces, int32_t* count)
{
    static const GtiCanvasLook looks[GTI_OVERLAY_TRAILS] = {
        [GTI_OVERLAY_BONES] = GTI_LOOK_LIT,
        [GTI_OVERLAY_AXES] = GTI_LOOK_XRAY,
        [GTI_OVERLAY_LIGHTS] = GTI_LOOK_FLAT,
    };
    for (int part = 0; part < GTI_OVERLAY_PART_COUNT; ++part) {
        if (!o->shapes[part]) {
            continue;
        }
        add_mesh(gl, o, (GtiOverlayPart)part);
        if (part == GTI_OVERLAY_TRAILS) {
            add_trail_surfaces(o, def->offset, surfaces, count);
        } else if (part == GTI_OVERLAY_TOUCHES) {
            add_touch_surfaces(o, def->offset, surfaces, count);
        } else if (part == GTI_OVERLAY_FOOTMARKS) {
            add_mark_surfaces(o, def->offset, surfaces, count);
        } else {
            bool is_ghost = part == GTI_OVERLAY_BONES && def->opacity < 1.0f;
            surfaces[*count] = make_surface(o, (GtiOverlayPart)part, is_ghost ? GTI_LOOK_GLASS : looks[part],
                                            is_ghost ? def->opacity : 1.0f, def->offset);
            if (def->has_tint && part == GTI_OVERLAY_BONES) {
                memcpy(surfaces[*count].base_color, def->tint, 3 * sizeof(float));
            }
            ++*count;
        }
    }
}

GtResult gti_overlay_create(const GtContext* context, GtArena* arena, GtiGl* gl, const GtActorDef* def,
                            GtiPerformer* performer, GtiOverlay* out, GtiSurface* surfaces, int32_t* surface_count,
                            GtError* error)
{
    const GtCharacterDef* character = performer->figure.def;
    memset(out, 0, sizeof *out);
    gt_instance_reset(performer->figure.instance);
    gt_instance_update(performer->figure.instance);
    const GtMat34* at_rest = performer->figure.instance->model_from_node;
    GtiJoints joints;
    bool ok = gti_joints_find(arena, character, at_rest, &joints);
    float reach = ok && joints.count > 0 ? gti_bounds_diagonal(joints.bounds) : 0.0f;
    if (ok && def->light_count > 0) {
        ok = make_lights(arena, def, performer, reach, out);
    } else if (ok && (def->bones || character->mesh_count == 0)) {
        out->shapes[GTI_OVERLAY_BONES] = &out->bones.shape;
        ok = gti_bones_create(arena, character, &joints, at_rest, &out->bones);
        if (ok && def->has_tint) {
            memset(out->bones.shape.colors, 255, (size_t)out->bones.shape.vertex_count * 4);
        }
    }
    if (ok && def->axes) {
        ok = make_axes(arena, character, at_rest, &joints, reach, out);
    }
    if (ok && def->trail_count > 0) {
        ok = make_trails(arena, def, performer, reach, out);
    }
    GtResult result = ok ? GT_OK : gti_out_of_memory(error);
    if (ok && def->contacts) {
        result =
            gti_footmarks_create(context, arena, def->scene, def->animation, def->contacts, &out->footmarks, error);
        out->shapes[GTI_OVERLAY_FOOTMARKS] = out->footmarks.count > 0 ? &out->footmarks.shape : NULL;
        if (result == GT_OK && !make_touches(arena, def, performer, reach, out)) {
            result = gti_out_of_memory(error);
        }
    }
    if (result == GT_OK) {
        add_surfaces(gl, out, def, surfaces, surface_count);
    }
    return result;
}

void gti_overlay_destroy(GtiGl* gl, GtiOverlay* overlay)
{
    for (int part = 0; part < GTI_OVERLAY_PART_COUNT; ++part) {
        gti_mesh_destroy(gl, &overlay->meshes[part]);
    }
}

void gti_overlay_pose(GtiOverlay* o, const GtiPerformer* performer)
{
    const GtMat34* model_from_node = performer->figure.instance->model_from_node;
    if (o->shapes[GTI_OVERLAY_BONES]) {
        gti_bones_pose(&o->bones, performer->figure.def, model_from_node);
    }
    gti_markers_pose(&o->axes, model_from_node);
    gti_markers_pose(&o->lights, model_from_node);
    gti_markers_pose(&o->touches, model_from_node);
}

// A foot of which only heel or ball stands has a lighter mark.
static void show_marks(GtiOverlay* o, double time_s)
{
    GtiMarkRange now[GT_CONTACT_PART_COUNT];
    for (int32_t part = 0; part < GT_CONTACT_PART_COUNT; ++part) {
        now[part] = gti_footmarks_now(&o->footmarks, part, time_s);
    }
    for (int i = 0; i < GTI_MARK_SURFACES; ++i) {
        GtiSurface* s = &o->mark_surfaces[i];
        GtiMarkRange range = i < 2 ? gti_footmarks_left(&o->footmarks, i, time_s) : now[i - 2];
        s->first_index = range.first;
        s->index_count = range.count;
        s->is_hidden = range.count == 0;
        if (i >= 2) {
            bool is_alone = now[(i - 2) ^ 1].count == 0;
            for (int k = 0; k < 3; ++k) {
                float color = side_colors[(i - 2) / 2][k];
                s->base_color[k] = is_alone ? color + 0.45f * (1.0f - color) : color;
            }
        }
    }
}

// Hands that touch each other are both shown.
static void show_touches(GtiOverlay* o, double time_s)
{
    o->touch_surfaces[0].is_hidden = o->touch_surfaces[1].is_hidden = true;
    for (int32_t i = 0; i < o->contacts->touch_count; ++i) {
        const GtTouch* touch = &o->contacts->touches[i];
        if (touch->start_s <= time_s + SAME_S && time_s - SAME_S <= touch->end_s) {
            o->touch_surfaces[touch->hand].is_hidden = false;
            o->touch_surfaces[1].is_hidden = o->touch_surfaces[1].is_hidden && touch->on != GT_TOUCHED_RIGHT_HAND;
        }
    }
}

void gti_overlay_upload(GtiOverlay* o, GtiGl* gl, double time_s)
{
    for (int part = 0; part < GTI_OVERLAY_TRAILS; ++part) {
        if (o->shapes[part]) {
            gti_mesh_move(gl, &o->meshes[part], o->shapes[part]->positions, o->shapes[part]->normals, NULL);
        }
    }
    for (int32_t i = 0; i < 2 * o->trails.count; ++i) {
        GtiSurface* s = &o->trail_surfaces[i];
        gti_trail_part(&o->trails, i / 2, time_s, i % 2, &s->first_index, &s->index_count);
        s->is_hidden = s->index_count == 0;
    }
    if (o->mark_surfaces) {
        show_marks(o, time_s);
    }
    if (o->touch_surfaces) {
        show_touches(o, time_s);
    }
}
