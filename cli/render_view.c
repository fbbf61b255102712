// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// How a stage is seen: from where, and with which names in the picture.

#include "fail.h"
#include "render.h"

#include "gertie/map.h"

#include <math.h>

GtLens stage_lens(const Stage* stage, const Shot* shot, double turn_rad)
{
    float aspect = (float)shot->renderer.width / (float)shot->renderer.height;
    return gt_camera_lens(shot->place, aspect, (float)(stage->front_rad + turn_rad));
}

// Whether a clip turns a node, or what it hangs on.
static bool is_turned(const GtScene* scene, int32_t clip, int32_t node)
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

void stage_find_front(Session* session, Stage* stage)
{
    const Player* p = &stage->players[0];
    GtHumanoidMap map;
    GtMapReport report;
    GtMapDef def = gt_default_map_def();
    if (gt_map_humanoid(&session->context, p->scene, &def, &map, &report, NULL) != GT_OK ||
        map.nodes[GT_HUMANOID_HIPS] == GT_NONE || is_turned(p->scene, p->clip, map.nodes[GT_HUMANOID_HIPS])) {
        return;
    }
    if (report.forward.z < -0.7f) {
        stage->front_rad = 3.14159265358979;
    }
}

static GtVec3 player_center(const Stage* stage, const Player* p, double time_s)
{
    double length = stage->to_s - stage->from_s;
    double at = length > 0.0 ? (time_s - stage->from_s) / length * (stage->moment_count - 1) : 0.0;
    int32_t last = stage->moment_count - 1;
    int32_t k = at <= 0.0 ? 0 : at >= last ? last : (int32_t)at;
    int32_t next = k < last ? k + 1 : last;
    GtVec3 center = gt_vec3_lerp(p->centers[k], p->centers[next], (float)fmin(fmax(at - k, 0.0), 1.0));
    return gt_vec3_add(center, p->offset);
}

// Where a camera that follows looks: between all players, at no height of its own.
static GtVec3 stage_center(const Stage* stage, double time_s)
{
    GtVec3 sum = { 0 };
    for (int32_t i = 0; i < stage->player_count; ++i) {
        sum = gt_vec3_add(sum, player_center(stage, &stage->players[i], time_s));
    }
    sum.y = 0.0f;
    return gt_vec3_scale(sum, 1.0f / (float)stage->player_count);
}

void stage_frame(const Shot* shot, Stage* stage)
{
    GtLens lens = stage_lens(stage, shot, 0.0);
    stage->reach = gt_reach_of(&lens, NULL, 0);
    stage->bounds = no_bounds();
    for (int32_t k = 0; k < stage->moment_count; ++k) {
        GtVec3 from = shot->follows ? stage_center(stage, stage_moment(stage, k)) : gt_vec3(0.0f, 0.0f, 0.0f);
        for (int32_t i = 0; i < stage->player_count; ++i) {
            const Player* p = &stage->players[i];
            GtVec3 offset = gt_vec3_sub(p->offset, from);
            stage->reach = gt_reach_unite(stage->reach, gt_reach_move(p->reaches[k], &lens, offset));
            bounds_unite(&stage->bounds, &p->boxes[k], offset);
        }
    }
    if (stage->player_count > 1) { // a line of text under them all
        GtReach* r = &stage->reach;
        float height = r->top + r->bottom - lens.slope_y * (r->front - r->back);
        r->bottom += 0.06f * height;
    }
}

// From all sides alike: of the drum that the stage would fill if it turned.
static GtReach turning_reach(const Stage* stage, const GtLens* lens)
{
    enum {
        SIDES = 48
    };
    const GtBounds* b = &stage->bounds;
    GtVec3 middle = gt_vec3_scale(gt_vec3_add(b->low, b->high), 0.5f);
    float radius = hypotf(b->high.x - middle.x, b->high.z - middle.z);
    GtVec3 points[2 * SIDES];
    for (int i = 0; i < 2 * SIDES; ++i) {
        float angle = 6.28318531f * (float)i / SIDES;
        points[i] =
            gt_vec3(middle.x + radius * cosf(angle), i < SIDES ? b->low.y : b->high.y, middle.z + radius * sinf(angle));
    }
    return gt_reach_of(lens, points, 2 * SIDES);
}

GtCameraView stage_camera(const Stage* stage, const Shot* shot, double time_s, double turn_rad)
{
    GtLens lens = stage_lens(stage, shot, turn_rad);
    GtReach reach = shot->turntable ? turning_reach(stage, &lens) : stage->reach;
    if (shot->follows) {
        reach = gt_reach_move(reach, &lens, stage_center(stage, time_s));
    }
    return gt_camera_fit(&lens, &reach);
}

// The middle of a player in the picture, and where the lowest of what it reaches is.
static bool find_player(const Stage* stage, const Player* p, const GtCameraView* camera, double time_s, int32_t width,
                        int32_t height, float* x, float* bottom)
{
    float y, depth;
    GtVec3 center = player_center(stage, p, time_s);
    bool seen = gt_camera_project(camera, width, height, center, x, bottom, &depth);
    for (int i = 0; seen && i < 8; ++i) {
        GtVec3 corner = gt_vec3(i & 1 ? p->room.high.x : p->room.low.x, i & 2 ? p->room.high.y : p->room.low.y,
                                i & 4 ? p->room.high.z : p->room.low.z);
        float corner_x;
        seen = gt_camera_project(camera, width, height, gt_vec3_add(center, corner), &corner_x, &y, &depth);
        *bottom = fmaxf(*bottom, y);
    }
    return seen;
}

// How wide each name may be: as far as its player is from its neighbours in the picture.
static void label_rooms(const Stage* stage, const Shot* shot, float* rooms)
{
    for (int32_t i = 0; i < stage->player_count; ++i) {
        rooms[i] = (float)shot->renderer.width;
    }
    for (int32_t k = 0; k < stage->moment_count; ++k) {
        double time = stage_moment(stage, k);
        GtCameraView camera = stage_camera(stage, shot, time, 0.0);
        float before = 0.0f;
        for (int32_t i = 0; i < stage->player_count; ++i) {
            float x = before;
            float bottom;
            find_player(stage, &stage->players[i], &camera, time, shot->renderer.width, shot->renderer.height, &x,
                        &bottom);
            if (i > 0) {
                rooms[i] = fminf(rooms[i], 0.95f * fabsf(x - before));
                rooms[i - 1] = fminf(rooms[i - 1], 0.95f * fabsf(x - before));
            }
            before = x;
        }
    }
}

// One size for all names, at which they fit if it need not be too small.
static float label_size(const Stage* stage, const Shot* shot, const float* rooms)
{
    float size = fminf(fmaxf((float)shot->renderer.height / 28.0f, 12.0f), 80.0f);
    float scale = 1.0f;
    for (int32_t i = 0; i < stage->player_count; ++i) {
        scale = fminf(scale, rooms[i] / gt_text_width(stage->players[i].name, size));
    }
    return fmaxf(size * scale, fminf(size, fmaxf(12.0f, 0.6f * size)));
}

bool stage_make_labels(Session* session, const Shot* shot, Stage* stage)
{
    GtError error = { 0 };
    float* rooms = gt_arena_push_array(&stage->arena, (size_t)stage->player_count, sizeof *rooms);
    if (!rooms) {
        fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return session_fail(session, &error);
    }
    label_rooms(stage, shot, rooms);
    GtTextStyle style = gt_default_text_style();
    style.size_px = label_size(stage, shot, rooms);
    for (int32_t i = 0; stage->player_count > 1 && i < stage->player_count; ++i) {
        Player* p = &stage->players[i];
        char text[sizeof p->name];
        gt_text_fit(p->name, style.size_px, fmaxf(rooms[i], 3.0f * style.size_px), text, sizeof text);
        int32_t height = (int32_t)(1.5f * style.size_px);
        int32_t width = (int32_t)(gt_text_width(text, style.size_px) + style.size_px);
        if (gt_picture_create(session->context.allocator, width, height, &p->label, &error) != GT_OK) {
            return session_fail(session, &error);
        }
        gt_picture_text(&p->label, 0.5f * style.size_px, 1.1f * style.size_px, text, &style);
    }
    return true;
}

void stage_label(const Stage* stage, const GtCameraView* camera, double time_s, GtPicture* picture)
{
    for (int32_t i = 0; i < stage->player_count; ++i) {
        const Player* p = &stage->players[i];
        float x, bottom;
        if (p->label.rgba && find_player(stage, p, camera, time_s, picture->width, picture->height, &x, &bottom)) {
            float left = fminf(x - 0.5f * (float)p->label.width, (float)(picture->width - p->label.width));
            float top = fminf(bottom, (float)(picture->height - p->label.height));
            gt_picture_blit(picture, (int32_t)lroundf(fmaxf(left, 0.0f)), (int32_t)lroundf(fmaxf(top, 0.0f)),
                            &p->label);
        }
    }
}
