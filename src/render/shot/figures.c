// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures, and what is shown of each: joints by their names, lights, contacts, and ghosts of the moments before and
// after.

#include "base/fail.h"
#include "render/shot/shot.h"

#include "gertie/channel.h"
#include "gertie/figure.h"
#include "gertie/harmonic_clip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Ghosts of the past and of the future, in linear light.
static const float past[3] = { 0.10f, 0.28f, 0.72f };
static const float future[3] = { 0.85f, 0.30f, 0.05f };

// Johansson's lights: at the head and the twelve joints of the limbs.
static const GtHumanoidJoint lights[] = {
    GT_HUMANOID_HEAD,           GT_HUMANOID_LEFT_UPPER_ARM,  GT_HUMANOID_RIGHT_UPPER_ARM,
    GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM, GT_HUMANOID_LEFT_HAND,
    GT_HUMANOID_RIGHT_HAND,     GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_RIGHT_UPPER_LEG,
    GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT,
    GT_HUMANOID_RIGHT_FOOT,
};

enum {
    LIGHT_COUNT = sizeof lights / sizeof lights[0]
};

// A context whose notes and warnings name the figure, where they name no file of their own.
typedef struct FigureContext {
    GtContext context;
    const GtContext* outer;
    const char* name;
} FigureContext;

static void name_figure(void* user, const GtDiagnostic* diagnostic)
{
    const FigureContext* f = user;
    GtDiagnostic named = *diagnostic;
    named.file = named.file[0] || !f->name ? named.file : f->name;
    f->outer->diagnose(f->outer->diagnose_user, &named);
}

static const GtContext* open_context(const GtContext* context, const GtiShotFigure* f, FigureContext* out)
{
    *out = (FigureContext){ .context = *context, .outer = context, .name = f->name };
    if (context->diagnose) {
        out->context.diagnose = name_figure;
        out->context.diagnose_user = out;
    }
    return &out->context;
}

static const char* base_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// Names without folders, unless two are the same.
static void label_figures(GtShot* shot)
{
    bool alike = false;
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            const GtiShotFigure* one = &shot->figures[i];
            const GtiShotFigure* other = &shot->figures[k];
            alike =
                alike || (!one->mirrored && !other->mirrored && !strcmp(base_name(one->name), base_name(other->name)));
        }
    }
    for (int32_t i = 0; i < shot->figure_count; ++i) {
        GtiShotFigure* f = &shot->figures[i];
        f->label = f->mirrored ? "mirror" : alike ? f->name : base_name(f->name);
    }
}

// A clip that was made by harmonic deformation plays as it was made, not as it was baked for other viewers.
static GtResult open_figure(const GtContext* context, const GtShotFigure* def, GtiShotFigure* f, GtError* error)
{
    FigureContext named;
    GtMapReport report;
    GtMapDef map = gt_default_map_def();
    *f = (GtiShotFigure){ .scene = def->scene, .clip = def->animation, .name = def->name ? def->name : "" };
    context = open_context(context, f, &named);
    GtResult result = gt_harmonic_unbake(context, def->scene, def->animation, &f->exact, error);
    f->scene = f->exact ? f->exact : f->scene;
    if (result == GT_OK) {
        result = gt_map_humanoid(context, f->scene, &map, &f->map, &report, error);
        f->forward = report.forward;
    }
    if (result != GT_OK) {
        gti_error_set_file(error, f->name);
    }
    return result;
}

// Whether a clip rotates a node, or one that it hangs on.
static bool is_rotated(const GtScene* scene, int32_t clip, int32_t node)
{
    const GtAnimation* animation = clip == GT_NONE ? NULL : &scene->animations[clip];
    for (int32_t i = 0; animation && i < animation->channel_count; ++i) {
        const GtAnimationChannel* channel = &animation->channels[i];
        for (int32_t n = node; channel->path == GT_PATH_ROTATION && n != GT_NONE; n = scene->nodes[n].parent) {
            if (n == channel->node) {
                return true;
            }
        }
    }
    return false;
}

// A figure that rests with its back to +Z, as those of VRM 0 do, is seen from where its front is.
static void find_front(GtShot* shot)
{
    const GtiShotFigure* f = &shot->figures[0];
    int32_t hips = f->map.nodes[GT_HUMANOID_HIPS];
    if (hips != GT_NONE && f->forward.z < -0.7f && !is_rotated(f->scene, f->clip, hips)) {
        shot->front_rad = 3.14159265358979;
    }
}

GtResult gti_shot_open_figures(const GtContext* context, GtShot* shot, GtError* error)
{
    const GtShotDef* def = &shot->def;
    size_t most = (size_t)def->figure_count * (def->mirror ? 2 : 1);
    shot->figures = gt_arena_push_array(&shot->arena, most, sizeof *shot->figures);
    GtResult result = shot->figures ? GT_OK : gti_out_of_memory(error);
    for (int32_t i = 0; i < def->figure_count && result == GT_OK; ++i) {
        GtiShotFigure* f = &shot->figures[shot->figure_count++];
        result = open_figure(context, &def->figures[i], f, error);
        if (result == GT_OK && def->mirror) {
            GtiShotFigure* image = &shot->figures[shot->figure_count++];
            *image = *f;
            image->exact = NULL;
            image->mirrored = true;
        }
    }
    if (result == GT_OK) {
        label_figures(shot);
        find_front(shot);
        shot->report.has_motion = shot->figures[0].clip != GT_NONE;
    }
    return result;
}

// A joint by the name of its node, or by what it is in a humanoid where no node has that name.
static GtResult find_joint(const GtiShotFigure* f, const char* name, size_t length, int32_t* out, GtError* error)
{
    char address[GT_CHANNEL_NAME_MAX + 32];
    GtChannel channel;
    *out = GT_NONE;
    if (length == 0 || length > GT_CHANNEL_NAME_MAX) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "no joint or node '%.*s'", (int)(length < 80 ? length : 80), name);
    }
    snprintf(address, sizeof address, "node:%.*s.translation", (int)length, name);
    GtResult result = gt_channel_resolve(f->scene, address, &channel, error);
    if (result == GT_OK) {
        *out = channel.target;
        return GT_OK;
    }
    snprintf(address, sizeof address, "%.*s", (int)length, name);
    int32_t joint = gt_humanoid_find(address);
    *out = joint == GT_NONE ? GT_NONE : f->map.nodes[joint];
    return *out == GT_NONE ? result : GT_OK;
}

// Joints of a list, in its order.
static GtResult find_joints(GtShot* shot, const GtiShotFigure* f, const char* names, const int32_t** out,
                            int32_t* out_count, GtError* error)
{
    int32_t count = 1;
    for (const char* c = names; *c; ++c) {
        count += *c == ',';
    }
    int32_t* nodes = gt_arena_push_array(&shot->arena, (size_t)count, sizeof *nodes);
    if (!nodes) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < count; ++i) {
        size_t length = strcspn(names, ",");
        GtResult result = find_joint(f, names, length, &nodes[i], error);
        if (result != GT_OK) {
            return result;
        }
        names += length + 1;
    }
    *out = nodes;
    *out_count = count;
    return GT_OK;
}

static bool is_inner_joint(const GtScene* scene, int32_t node)
{
    return scene->nodes[node].mesh == GT_NONE && scene->nodes[node].child_count > 0;
}

static GtResult choose_lights(const GtContext* context, GtShot* shot, const GtiShotFigure* f, GtActorDef* def,
                              GtError* error)
{
    size_t most = (size_t)(f->scene->node_count > LIGHT_COUNT ? f->scene->node_count : LIGHT_COUNT);
    int32_t* nodes = gt_arena_push_array(&shot->arena, most, sizeof *nodes);
    if (!nodes) {
        return gti_out_of_memory(error);
    }
    int32_t count = 0;
    for (int i = 0; i < LIGHT_COUNT; ++i) {
        if (f->map.nodes[lights[i]] != GT_NONE) {
            nodes[count++] = f->map.nodes[lights[i]];
        }
    }
    if (count == 0) {
        for (int32_t i = 0; i < f->scene->node_count; ++i) {
            if (is_inner_joint(f->scene, i)) {
                nodes[count++] = i;
            }
        }
        gti_warn(context, NULL, NULL, "it is no humanoid; every joint is a light");
    }
    def->lights = nodes;
    def->light_count = count;
    return count > 0 ? GT_OK : gti_fail(error, GT_ERROR_NOT_FOUND, "it has no joints to put lights at");
}

// The contacts that were given, or what is found; a figure without feet or motion goes without.
static GtResult choose_contacts(const GtContext* context, GtShot* shot, GtiShotFigure* f, GtActorDef* actor,
                                GtError* error)
{
    actor->contacts = shot->def.overlays.contact_times;
    if (!actor->contacts && f->clip != GT_NONE) {
        GtError why = { 0 };
        GtFigure figure;
        GtFigureDef figure_def = gt_default_figure_def();
        figure_def.animation = f->clip;
        GtContactsDef def = gt_default_contacts_def();
        def.hands = true;
        GtResult result = gt_figure_open(context, f->scene, &figure_def, &figure, &why);
        if (result == GT_OK) {
            result = gt_contacts_find(context, &figure, &def, &f->contacts, &why);
        }
        gt_figure_close(&figure);
        if (result == GT_ERROR_BAD_VALUE) {
            gti_warn(context, NULL, NULL, "no contacts are drawn: %s", why.message);
        } else if (result != GT_OK) {
            return gti_fail_at(error, result, why.where, "%s", why.message);
        }
        actor->contacts = f->contacts;
    }
    shot->touch_count += actor->contacts ? actor->contacts->touch_count : 0;
    return GT_OK;
}

static GtResult add_actor(const GtContext* context, GtShot* shot, GtiShotFigure* f, const GtActorDef* def,
                          GtError* error)
{
    int32_t index = 0;
    GtResult result = gt_renderer_add(shot->renderer, context, def, &index, error);
    if (result == GT_OK) {
        f->first_actor = f->actor_count == 0 ? index : f->first_actor;
        ++f->actor_count;
    }
    return result;
}

// The farther in time, the fainter.
static GtResult add_ghosts(const GtContext* context, GtShot* shot, GtiShotFigure* f, GtActorDef def, GtError* error)
{
    def.has_tint = true;
    def.wire = def.bones = def.axes = false;
    def.trail_count = 0;
    def.contacts = NULL;
    def.paint = GT_PAINT_NONE;
    int32_t count = shot->def.overlays.onion_count;
    GtResult result = GT_OK;
    for (int32_t i = -count; i <= count && result == GT_OK; ++i) {
        if (i == 0) {
            continue;
        }
        float distance = (float)(i < 0 ? -i : i) / (float)(count + 1);
        def.opacity = 0.36f * (1.0f - 0.7f * distance);
        def.time_shift_s = i * shot->def.overlays.onion_step_s;
        memcpy(def.tint, i < 0 ? past : future, sizeof def.tint);
        result = add_actor(context, shot, f, &def, error);
    }
    return result;
}

static GtResult add_figure(const GtContext* context, GtShot* shot, GtiShotFigure* f, GtError* error)
{
    const GtShotDef* d = &shot->def;
    const GtShotOverlays* o = &d->overlays;
    GtActorDef def = gt_default_actor_def();
    def.scene = f->scene;
    def.animation = f->clip;
    def.mirrored = f->mirrored;
    def.force_skin_method = d->force_skin_method;
    def.skin_method = d->skin_method;
    def.bones = o->skeleton;
    def.wire = o->wire;
    def.axes = o->axes;
    def.paint = o->paint;
    def.reference = o->reference;
    def.reference_animation = o->reference_animation;
    def.keep_tpose = !isnan(d->time_s) || !isnan(d->from_s); // times are taken at their word
    def.trail_from_s = d->from_s;
    def.trail_to_s = d->to_s;
    GtResult result = GT_OK;
    if (o->paint == GT_PAINT_WEIGHT) {
        result = find_joint(f, o->paint_joint, strlen(o->paint_joint), &def.paint_joint, error);
    }
    if (result == GT_OK && o->trails) {
        result = find_joints(shot, f, o->trails, &def.trails, &def.trail_count, error);
    }
    if (result == GT_OK && d->view.focus) {
        result = find_joints(shot, f, d->view.focus, &def.focus, &def.focus_count, error);
    }
    if (result == GT_OK && o->point_lights) {
        result = choose_lights(context, shot, f, &def, error);
    }
    if (result == GT_OK && o->contacts) {
        result = choose_contacts(context, shot, f, &def, error);
    }
    result = result == GT_OK ? add_actor(context, shot, f, &def, error) : result;
    return result == GT_OK && o->onion_count > 0 ? add_ghosts(context, shot, f, def, error) : result;
}

// Ground or a prop, which are there once: figures that stand apart would not be where they are.
static GtResult add_thing(const GtContext* context, GtShot* shot, const GtScene* scene, GtError* error)
{
    GtActorDef actor = gt_default_actor_def();
    actor.scene = scene;
    actor.animation = scene->animation_count > 0 ? 0 : GT_NONE;
    GtResult result = gt_renderer_add(shot->renderer, context, &actor, NULL, error);
    if (result != GT_OK) {
        gti_error_set_file(error, scene->source.file);
    }
    return result;
}

GtResult gti_shot_add_figures(const GtContext* context, GtShot* shot, GtError* error)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < shot->figure_count && result == GT_OK; ++i) {
        FigureContext named;
        result = add_figure(open_context(context, &shot->figures[i], &named), shot, &shot->figures[i], error);
        if (result != GT_OK) {
            gti_error_set_file(error, shot->figures[i].name);
        }
    }
    if (result == GT_OK && shot->def.ground) {
        result = add_thing(context, shot, shot->def.ground, error);
    }
    return result == GT_OK && shot->def.prop ? add_thing(context, shot, shot->def.prop, error) : result;
}
