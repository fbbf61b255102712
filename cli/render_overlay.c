// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What is shown besides the figures: which joints are meant, who comes on stage, which numbers colours stand for, and
// the legend that says so.

#include "fail.h"
#include "render.h"
#include "scenes.h"

#include "gertie/channel.h"
#include "gertie/map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Ghosts of the past and of the future, in linear light.
static const float past[3] = { 0.10f, 0.28f, 0.72f };
static const float future[3] = { 0.85f, 0.30f, 0.05f };

// Marks of feet, as they are drawn.
static const GtColor left_foot = { 20, 153, 158, 255 };
static const GtColor right_foot = { 242, 128, 33, 255 };

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

static bool out_of_memory(Session* session)
{
    GtError error;
    fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
    return session_fail(session, &error);
}

static GtResult find_joint(const GtScene* scene, const char* name, size_t length, int32_t* out, GtError* error)
{
    char address[GT_CHANNEL_NAME_MAX + 32];
    GtChannel channel;
    snprintf(address, sizeof address, "node:%.*s.translation", (int)length, name);
    GtResult result = gt_channel_resolve(scene, address, &channel, error);
    *out = result == GT_OK ? channel.target : GT_NONE;
    return result;
}

// A joint by what it is in a humanoid, where no node has that name; GT_NONE where it is none.
static int32_t find_humanoid_joint(Session* session, const GtScene* scene, const char* name, size_t length)
{
    char text[GT_CHANNEL_NAME_MAX];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    int32_t joint = gt_humanoid_find(text);
    GtMapDef def = gt_default_map_def();
    GtHumanoidMap map;
    bool is_found = joint != GT_NONE && gt_map_humanoid(&session->context, scene, &def, &map, NULL, NULL) == GT_OK;
    return is_found ? map.nodes[joint] : GT_NONE;
}

static bool need_joint(Session* session, const Player* p, const char* name, size_t length, int32_t* out)
{
    GtError error = { 0 };
    if (length == 0 || length > GT_CHANNEL_NAME_MAX) {
        fail(&error, GT_ERROR_NOT_FOUND, p->file, "no joint or node '%.*s'", (int)(length < 80 ? length : 80), name);
        return session_fail(session, &error);
    }
    if (find_joint(p->scene, name, length, out, &error) == GT_OK) {
        return true;
    }
    *out = find_humanoid_joint(session, p->scene, name, length);
    if (*out != GT_NONE) {
        return true;
    }
    error_set_file(&error, p->file);
    return session_fail(session, &error);
}

bool overlays_open(Session* session, const Shot* shot, Stage* stage)
{
    const char* file = shot->overlays.reference;
    return shot->overlays.paint != GT_PAINT_DISTANCE ||
           (scene_read(session, file, &shot->load, &stage->reference) &&
            clip_find(session, stage->reference, file, shot->clip->text, &stage->reference_clip));
}

// Joints that an option names, in its order.
static bool choose_joints(Session* session, Stage* stage, const Player* p, const char* names, const int32_t** out,
                          int32_t* out_count)
{
    int32_t count = 1;
    for (const char* c = names; *c; ++c) {
        count += *c == ',';
    }
    int32_t* nodes = gt_arena_push_array(&stage->arena, (size_t)count, sizeof *nodes);
    if (!nodes) {
        return out_of_memory(session);
    }
    for (int32_t i = 0; i < count; ++i) {
        size_t length = strcspn(names, ",");
        if (!need_joint(session, p, names, length, &nodes[i])) {
            return false;
        }
        names += length + 1;
    }
    *out = nodes;
    *out_count = count;
    return true;
}

static bool is_inner_joint(const GtScene* scene, int32_t node)
{
    return scene->nodes[node].mesh == GT_NONE && scene->nodes[node].child_count > 0;
}

static bool choose_lights(Session* session, Stage* stage, const Player* p, GtActorDef* def)
{
    size_t most = (size_t)(p->scene->node_count > LIGHT_COUNT ? p->scene->node_count : LIGHT_COUNT);
    int32_t* nodes = gt_arena_push_array(&stage->arena, most, sizeof *nodes);
    if (!nodes) {
        return out_of_memory(session);
    }
    int32_t count = 0;
    GtError error = { 0 };
    GtHumanoidMap map;
    GtMapDef map_def = gt_default_map_def();
    if (gt_map_humanoid(&session->context, p->scene, &map_def, &map, NULL, &error) != GT_OK) {
        error_set_file(&error, p->file);
        return session_fail(session, &error);
    }
    for (int i = 0; i < LIGHT_COUNT; ++i) {
        if (map.nodes[lights[i]] != GT_NONE) {
            nodes[count++] = map.nodes[lights[i]];
        }
    }
    if (count == 0) {
        for (int32_t i = 0; i < p->scene->node_count; ++i) {
            if (is_inner_joint(p->scene, i)) {
                nodes[count++] = i;
            }
        }
        session_warn(session, p->file, "it is no humanoid; every joint is a light");
    }
    if (count == 0) {
        fail(&error, GT_ERROR_NOT_FOUND, p->file, "it has no joints to put lights at");
        return session_fail(session, &error);
    }
    def->lights = nodes;
    def->light_count = count;
    return true;
}

// Those of a file, or what is found; a figure without feet or motion goes without.
static bool choose_contacts(Session* session, const Shot* shot, Player* p)
{
    GtError error = { 0 };
    GtResult result = GT_OK;
    session->subject = p->file;
    if (shot->overlays.contacts_file) {
        result = gt_contacts_load(&session->context, shot->overlays.contacts_file, &p->contacts, &error);
    } else if (p->clip != GT_NONE) {
        GtContactsDef def = gt_default_contacts_def();
        GtFigure figure;
        GtFigureDef figure_def = gt_default_figure_def();
        figure_def.animation = p->clip;
        def.hands = true;
        result = gt_figure_open(&session->context, p->scene, &figure_def, &figure, &error);
        if (result == GT_OK) {
            result = gt_contacts_find(&session->context, &figure, &def, &p->contacts, &error);
        }
        gt_figure_close(&figure);
        if (result == GT_ERROR_BAD_VALUE) {
            session_warn(session, p->file, "no contacts are drawn: %s", error.message);
            result = GT_OK;
        }
    }
    session->subject = "";
    return result == GT_OK || session_fail(session, &error);
}

static bool add_actor(Session* session, Stage* stage, Player* p, const GtActorDef* def)
{
    GtError error = { 0 };
    int32_t index = 0;
    session->subject = p->file;
    GtResult result = gt_renderer_add(stage->renderer, &session->context, def, &index, &error);
    session->subject = "";
    if (result != GT_OK) {
        error_set_file(&error, p->file);
        return session_fail(session, &error);
    }
    p->first_actor = p->actor_count == 0 ? index : p->first_actor;
    ++p->actor_count;
    return true;
}

// The farther in time, the fainter.
static bool add_ghosts(Session* session, const Shot* shot, Stage* stage, Player* p, GtActorDef def)
{
    def.has_tint = true;
    def.wire = def.bones = def.axes = false;
    def.trail_count = 0;
    def.contacts = NULL;
    def.paint = GT_PAINT_NONE;
    int32_t count = shot->overlays.ghosts;
    for (int32_t i = -count; i <= count; ++i) {
        if (i == 0) {
            continue;
        }
        float distance = (float)(i < 0 ? -i : i) / (float)(count + 1);
        def.opacity = 0.36f * (1.0f - 0.7f * distance);
        def.time_shift_s = i * shot->overlays.ghost_step_s;
        memcpy(def.tint, i < 0 ? past : future, sizeof def.tint);
        if (!add_actor(session, stage, p, &def)) {
            return false;
        }
    }
    return true;
}

bool overlays_add_player(Session* session, const Shot* shot, Stage* stage, Player* p)
{
    const Overlays* o = &shot->overlays;
    GtActorDef def = gt_default_actor_def();
    def.scene = p->scene;
    def.animation = p->clip;
    def.mirrored = p->mirrored;
    def.force_skin_method = o->force_skin;
    def.skin_method = o->skin;
    def.bones = o->skeleton;
    def.wire = o->wire;
    def.axes = o->axes;
    def.paint = o->paint;
    def.reference = stage->reference;
    def.reference_animation = stage->reference_clip;
    def.keep_tpose = !isnan(shot->time_s) || !isnan(shot->from_s); // times are taken at their word
    def.trail_from_s = shot->from_s;
    def.trail_to_s = shot->to_s;
    if ((o->paint == GT_PAINT_WEIGHT && !need_joint(session, p, o->joint, strlen(o->joint), &def.paint_joint)) ||
        (o->trails && !choose_joints(session, stage, p, o->trails, &def.trails, &def.trail_count)) ||
        (shot->focus && !choose_joints(session, stage, p, shot->focus, &def.focus, &def.focus_count)) ||
        (o->lights && !choose_lights(session, stage, p, &def)) || (o->contacts && !choose_contacts(session, shot, p))) {
        return false;
    }
    def.contacts = p->contacts;
    return add_actor(session, stage, p, &def) && (o->ghosts == 0 || add_ghosts(session, shot, stage, p, def));
}

// Numbers of one player over the whole motion.
typedef struct Numbers {
    double most, most_at_s;
    double sum_of_squares;
    int64_t count;
} Numbers;

static bool measure_player(Session* session, const Stage* stage, const Player* p, Numbers* out)
{
    *out = (Numbers){ .most = -INFINITY };
    for (int32_t k = 0; k < stage->moment_count; ++k) {
        double time_s = stage_moment(stage, k);
        if (!session->context.progress(session->context.progress_user, "measuring", (double)k / stage->moment_count)) {
            GtError error;
            fail(&error, GT_ERROR_CANCELLED, NULL, "cancelled while measuring");
            return session_fail(session, &error);
        }
        GtPaintValues v = gt_renderer_paint_values(stage->renderer, p->first_actor, time_s);
        if ((double)v.high > out->most) {
            out->most = (double)v.high;
            out->most_at_s = time_s;
        }
        out->sum_of_squares += v.root_mean_square * v.root_mean_square * (double)v.count;
        out->count += v.count;
    }
    return true;
}

static void report_distance(Session* session, const Player* p, const Numbers* n)
{
    double rms_m = sqrt(n->sum_of_squares / (double)n->count);
    GtJsonWriter* report = &session->report;
    gt_json_begin_object(report);
    gt_json_member_string(report, "file", p->file);
    gt_json_member_number(report, "max_m", n->most);
    gt_json_member_number(report, "max_time_s", n->most_at_s);
    gt_json_member_number(report, "rms_m", rms_m);
    gt_json_end_object(report);
    session_say(session, "%s: at most %.4g mm off, at %.2f s; %.4g mm rms", p->file, 1e3 * n->most, n->most_at_s,
                1e3 * rms_m);
}

// Up to the next number of two digits.
static double round_up(double value)
{
    double unit = pow(10.0, floor(log10(value)) - 1.0);
    return ceil(value / unit - 1e-9) * unit;
}

static void choose_legend(const Shot* shot, Stage* stage, double most)
{
    static const char* const titles[] = {
        [GT_PAINT_WEIGHT] = "weight",
        [GT_PAINT_INFLUENCES] = "joints a vertex",
        [GT_PAINT_DISTANCE] = "distance (mm)",
    };
    const Overlays* o = &shot->overlays;
    stage->legend = gt_default_legend_def();
    stage->legend.title = titles[o->paint];
    stage->legend.high = o->paint == GT_PAINT_WEIGHT ? 1.0 : most;
    stage->legend.whole_numbers = o->paint == GT_PAINT_INFLUENCES;
    float scale = 1.0f;
    if (o->paint == GT_PAINT_DISTANCE) {
        stage->legend.high = o->most_mm > 0.0 ? o->most_mm : most > 1e-9 ? round_up(1e3 * most) : 1.0;
        scale = 1e-3f;
    }
    gt_renderer_set_paint_range(stage->renderer, 0.0f, scale * (float)stage->legend.high);
}

bool overlays_measure(Session* session, const Shot* shot, Stage* stage)
{
    GtPaint paint = shot->overlays.paint;
    if (paint == GT_PAINT_NONE) {
        return true;
    }
    bool reports = paint == GT_PAINT_DISTANCE;
    double most = -INFINITY;
    if (reports) {
        gt_json_key(&session->report, "errors");
        gt_json_begin_array(&session->report);
    }
    bool ok = true;
    for (int32_t i = 0; ok && i < stage->player_count; ++i) {
        const Player* p = &stage->players[i];
        Numbers n;
        ok = measure_player(session, stage, p, &n);
        most = fmax(most, n.most);
        if (ok && n.count == 0) {
            session_warn(session, p->file, "it has no %s; it is shown grey",
                         paint == GT_PAINT_DISTANCE ? "vertices to compare" : "skin with weights");
        } else if (ok && reports) {
            report_distance(session, p, &n);
        }
    }
    if (reports) {
        gt_json_end_array(&session->report);
    }
    choose_legend(shot, stage, most > 0.0 ? most : 1.0 * (paint != GT_PAINT_DISTANCE));
    return ok;
}

// A colour and what it stands for, on a line of the list in the corner.
static void explain_color(GtPicture* picture, float text_px, int32_t line, GtColor color, const char* text)
{
    GtTextStyle style = gt_default_text_style();
    style.size_px = text_px;
    float y = (1.6f + 1.5f * (float)line) * text_px;
    GtBox box = { (int32_t)text_px, (int32_t)(y - 0.7f * text_px), (int32_t)(0.8f * text_px),
                  (int32_t)(0.8f * text_px) };
    gt_picture_fill(picture, box, color);
    gt_picture_text(picture, 2.3f * text_px, y, text, &style);
}

// The names of the trails; returns how many there are.
static int32_t explain_trails(const Shot* shot, float text_px, GtPicture* picture)
{
    const char* name = shot->overlays.trails;
    for (int32_t i = 0;; ++i) {
        size_t length = strcspn(name, ",");
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)length, name);
        explain_color(picture, text_px, i, gt_color_of_series(i), text);
        if (!name[length]) {
            return i + 1;
        }
        name += length + 1;
    }
}

void overlays_explain(const Shot* shot, const Stage* stage, GtPicture* picture)
{
    float text_px = fminf(fmaxf((float)picture->height / 36.0f, 10.0f), 60.0f);
    if (shot->overlays.paint != GT_PAINT_NONE) {
        GtLegendDef legend = stage->legend;
        legend.text_px = text_px;
        float width = fmaxf(gt_text_width(legend.title, text_px), 4.5f * text_px) + text_px;
        GtBox box = { picture->width - (int32_t)width, picture->height / 8, (int32_t)width, picture->height / 2 };
        gt_picture_legend(picture, box, &legend);
    }
    int32_t line = shot->overlays.trails ? explain_trails(shot, text_px, picture) : 0;
    if (shot->overlays.contacts) {
        bool touches = false;
        for (int32_t i = 0; i < stage->player_count; ++i) {
            touches = touches || (stage->players[i].contacts && stage->players[i].contacts->touch_count > 0);
        }
        explain_color(picture, text_px, line, left_foot,
                      touches ? "left foot stands, hand touches" : "left foot stands");
        explain_color(picture, text_px, line + 1, right_foot,
                      touches ? "right foot stands, hand touches" : "right foot stands");
    }
}
