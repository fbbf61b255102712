// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contacts of a clip: its figure is played, and heels and balls are followed, and hands and the rest of the body where
// that is asked for.

#include "motion/contact/contact.h"

#include "motion/contact/support.h"
#include "motion/take/key_times.h"

#include <math.h>

enum {
    MAX_FRAMES = 1 << 20
};

static const double LEAST_RATE_HZ = 60.0; // keys further apart are sampled in between

typedef struct Player {
    const GtContext* context;
    const GtContactsDef* def;
    GtError* error;
    GtArena scratch;
    GtFigure figure; // shared
    GtiTread sole;
    GtiFootprints prints;
} Player;

static GtResult open_figure(Player* p, const GtFigure* figure)
{
    GtResult result = gti_figure_share(p->context, figure, &p->figure, p->error);
    if (result == GT_OK && !p->figure.is_humanoid) {
        result = gti_fail(
            p->error, GT_ERROR_BAD_VALUE,
            "no hips and legs are found, so there are no feet to find contacts of; 'gertie map' shows what is missing");
    }
    if (result == GT_OK) {
        result = gti_tread_open(p->context, &p->scratch, &p->figure, &p->sole, p->error);
    }
    return result == GT_OK ? gti_tread_thin(p->context, &p->scratch, &p->sole, p->error) : result;
}

static GtResult choose_frames(Player* p)
{
    const GtFigure* f = &p->figure;
    double duration_s = f->end_s - f->start_s;
    double rate_hz = f->key_rate_hz < LEAST_RATE_HZ ? LEAST_RATE_HZ : f->key_rate_hz;
    double frames = duration_s > 0.0 ? fmax(round(duration_s * rate_hz), 1.0) + 1.0 : 1.0;
    if (!(frames <= MAX_FRAMES)) {
        return gti_fail(p->error, GT_ERROR_LIMIT, "the clip has %.0f frames; contacts are found in up to %d", frames,
                        (int)MAX_FRAMES);
    }
    int32_t count = (int32_t)frames;
    double step_s = count > 1 ? duration_s / (count - 1) : 0.0;
    return gti_footprints_begin(&p->scratch, &p->sole, count, f->start_s, step_s, &p->prints)
               ? GT_OK
               : gti_out_of_memory(p->error);
}

static void follow_feet(Player* p)
{
    for (int32_t f = 0; f < p->prints.frame_count; ++f) {
        float time_s = (float)(p->prints.start_s + f * p->prints.step_s); // as keys have it, so mostly on one
        gt_figure_pose(&p->figure, (double)time_s, p->figure.instance);
        gti_tread_update(&p->sole, p->sole.points);
        GtVec3 hips = gt_vec3_lerp(gti_figure_place(&p->figure, GT_HUMANOID_LEFT_UPPER_LEG),
                                   gti_figure_place(&p->figure, GT_HUMANOID_RIGHT_UPPER_LEG), 0.5f);
        gti_footprints_add(&p->prints, p->sole.points, hips);
    }
}

// Touches are looked for in the frames of the clip itself, as they are when it is carried over.
static GtResult find_touches(Player* p, const GtiTouchSource* source, GtContacts* out)
{
    GtiTouches touches;
    GtResult result = gti_touches_find(source, &p->scratch, &touches, p->error);
    out->has_touches = true;
    return result == GT_OK ? gti_touches_list(&touches, out, p->error) : result;
}

static GtResult look_at_body(Player* p, GtiTouchActor* actor, GtContacts* out)
{
    GtResult result = gti_touch_actor_open(p->context, &p->scratch, &p->figure, p->def->pose, false, actor, p->error);
    out->has_touches = p->def->hands;
    out->has_body = p->def->body;
    if (result != GT_OK || !actor->figure.is_humanoid) {
        return result;
    }
    GtiTouchSource source = { .context = p->context, .actor = actor };
    GtiKeyTimesDef times = { .scene = p->figure.scene,
                             .animation = p->figure.animation,
                             .start_s = p->figure.start_s,
                             .end_s = p->figure.end_s };
    float* at = NULL;
    result = gti_key_times(&times, &p->scratch, &at, &source.frame_count, p->error);
    source.times = at;
    if (result == GT_OK && p->def->hands) {
        result = find_touches(p, &source, out);
    }
    return result == GT_OK && p->def->body ? gti_supports_find(&source, out, p->error) : result;
}

static GtResult look_at_rest(Player* p, GtContacts* out)
{
    GtiTouchActor* actor = gt_arena_push_array(&p->scratch, 1, sizeof *actor);
    return actor ? look_at_body(p, actor, out) : gti_out_of_memory(p->error);
}

GtResult gti_contacts_find(const GtContext* context, const GtFigure* figure, const GtContactsDef* def, GtContacts** out,
                           GtContacts** sure, GtError* error)
{
    *out = NULL;
    if (!figure->clip) {
        return gti_fail(error, GT_ERROR_NOT_FOUND, "it has no clip to find contacts in");
    }
    Player p = { .context = context, .def = def, .error = error, .scratch = gt_arena_create(context->allocator) };
    GtResult result = open_figure(&p, figure);
    if (result == GT_OK) {
        result = choose_frames(&p);
    }
    if (result == GT_OK) {
        follow_feet(&p);
        result = gti_footprints_stand(context, def, &p.prints, out, sure, error);
    }
    if (result == GT_OK && (def->hands || def->body)) {
        result = look_at_rest(&p, *out);
    }
    if (result != GT_OK) {
        gt_contacts_destroy(*out);
        *out = NULL;
    }
    gti_tread_close(&p.sole);
    gt_figure_close(&p.figure);
    gt_arena_destroy(&p.scratch);
    return result;
}

GtResult gt_contacts_find(const GtContext* context, const GtFigure* figure, const GtContactsDef* def, GtContacts** out,
                          GtError* error)
{
    def = def ? def : (GtContactsDef[]){ gt_default_contacts_def() };
    return gti_contacts_find(context, figure, def, out, NULL, error);
}
