// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Root motion: the node's place on the ground, and the twist about +Y of its turn from rest, in model space. With A the
// matrix above the node and G the motion, a pose without it has A^-1 G^-1 A local: whatever G is, together they give
// the pose back, so that samples need not be dense.

#include "gertie/root_path.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/scalar.h"

#include <math.h>
#include <string.h>

enum {
    MAX_SAMPLES = 1 << 20
};

struct GtRootPath {
    GtAllocator allocator;
    int32_t node;
    int32_t sample_count;
    double start_s;
    double end_s;
    GtMat34 model_from_parent;
    GtMat34 parent_from_model;
    GtQuat parent_rotation; // of model_from_parent
    GtGroundMotion* samples;
};

GtRootPathDef gt_default_root_path_def(void)
{
    return (GtRootPathDef){ .node = 0, .frame_rate_hz = 60.0f, .turn = true };
}

static GtResult check(const GtCharacter* character, const GtClip* clip, const GtRootPathDef* def, GtError* error)
{
    int32_t node_count = gt_character_def(character)->node_count;
    if (def->node < 0 || def->node >= node_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "there is no node %d; the character has %d", def->node, node_count);
    }
    if (!(def->frame_rate_hz > 0.0f) || !isfinite(def->frame_rate_hz)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%g samples a second is no rate", (double)def->frame_rate_hz);
    }
    double duration_s = gt_clip_end_s(clip) - gt_clip_start_s(clip);
    if (!(duration_s * (double)def->frame_rate_hz < (double)(MAX_SAMPLES - 2))) {
        return gti_fail(error, GT_ERROR_LIMIT, "%g s at %g Hz are more than %d samples", duration_s,
                        (double)def->frame_rate_hz, MAX_SAMPLES);
    }
    return GT_OK;
}

static double heading_of(GtQuat turn)
{
    return 2.0 * atan2((double)turn.y, (double)turn.w);
}

// Nodes above it as at rest.
static void find_parent(GtRootPath* motion, const GtCharacterDef* def)
{
    motion->model_from_parent = gt_mat34_identity();
    for (int32_t node = def->parents[motion->node]; node != GT_NONE; node = def->parents[node]) {
        GtMat34 local = gt_mat34_from_transform(def->rest[node]);
        motion->model_from_parent = gt_mat34_mul(local, motion->model_from_parent);
    }
    motion->parent_from_model = gt_mat34_inverse(&motion->model_from_parent, NULL);
    motion->parent_rotation = gt_mat34_polar(&motion->model_from_parent, NULL);
}

static GtGroundMotion motion_of(const GtRootPath* motion, const GtTransform* rest, const GtTransform* local,
                                const GtRootPathDef* def)
{
    GtVec3 at = gt_mat34_point(&motion->model_from_parent, local->translation);
    float rest_height = gt_mat34_point(&motion->model_from_parent, rest->translation).y;
    GtQuat above = motion->parent_rotation;
    GtQuat turn = gt_quat_mul(gt_quat_mul(above, gt_quat_mul(local->rotation, gt_quat_conjugate(rest->rotation))),
                              gt_quat_conjugate(above));
    return (GtGroundMotion){ gt_vec3(at.x, def->height ? at.y - rest_height : 0.0f, at.z),
                             def->turn ? (float)heading_of(turn) : 0.0f };
}

static void sample(GtRootPath* motion, const GtCharacterDef* character, const GtClip* clip, const GtRootPathDef* def,
                   GtTransform* pose)
{
    double last = 0.0;
    for (int32_t i = 0; i < motion->sample_count; ++i) {
        double share = motion->sample_count > 1 ? (double)i / (double)(motion->sample_count - 1) : 0.0;
        memcpy(pose, character->rest, (size_t)character->node_count * sizeof *pose);
        gt_clip_sample(clip, motion->start_s + share * (motion->end_s - motion->start_s), pose, NULL);
        GtGroundMotion m = motion_of(motion, &character->rest[def->node], &pose[def->node], def);
        double heading = (double)m.heading_rad; // goes on past half a turn
        heading += 2.0 * GTI_PI * round((last - heading) / (2.0 * GTI_PI));
        m.heading_rad = (float)heading;
        last = heading;
        motion->samples[i] = m;
    }
}

GtResult gt_root_path_create(GtAllocator allocator, const GtCharacter* character, const GtClip* clip,
                             const GtRootPathDef* def, GtRootPath** out, GtError* error)
{
    def = def ? def : (GtRootPathDef[]){ gt_default_root_path_def() };
    *out = NULL;
    GtResult result = check(character, clip, def, error);
    if (result != GT_OK) {
        return result;
    }
    const GtCharacterDef* body = gt_character_def(character);
    double duration_s = gt_clip_end_s(clip) - gt_clip_start_s(clip);
    int32_t count = 1 + (int32_t)ceil(duration_s * (double)def->frame_rate_hz);
    size_t head = gti_round_up16(sizeof(GtRootPath));
    GtRootPath* motion = allocator.allocate(allocator.user, head + (size_t)count * sizeof(GtGroundMotion));
    GtArena scratch = gt_arena_create(allocator);
    GtTransform* pose = motion ? gt_arena_push_array(&scratch, (size_t)body->node_count, sizeof *pose) : NULL;
    if (pose) {
        *motion = (GtRootPath){
            .allocator = allocator,
            .node = def->node,
            .sample_count = count,
            .start_s = gt_clip_start_s(clip),
            .end_s = gt_clip_end_s(clip),
            .samples = (GtGroundMotion*)((char*)motion + head),
        };
        find_parent(motion, body);
        sample(motion, body, clip, def, pose);
        *out = motion;
    } else {
        allocator.release(allocator.user, motion);
        result = gti_out_of_memory(error);
    }
    gt_arena_destroy(&scratch);
    return result;
}

void gt_root_path_destroy(GtRootPath* motion)
{
    if (motion) {
        motion->allocator.release(motion->allocator.user, motion);
    }
}

GtGroundMotion gt_root_path_at(const GtRootPath* motion, double time_s)
{
    double duration_s = motion->end_s - motion->start_s;
    double share = time_s > motion->start_s ? fmin(1.0, (time_s - motion->start_s) / duration_s) : 0.0; // NaN too
    if (motion->sample_count == 1) {
        return motion->samples[0];
    }
    double place = share * (double)(motion->sample_count - 1);
    int32_t first = (int32_t)fmin(floor(place), (double)(motion->sample_count - 2));
    float t = (float)(place - (double)first);
    const GtGroundMotion* a = &motion->samples[first];
    return (GtGroundMotion){ gt_vec3_lerp(a[0].position, a[1].position, t),
                             a[0].heading_rad + t * (a[1].heading_rad - a[0].heading_rad) };
}

// In double, so that many cycles add up as they should.
typedef struct Place {
    double x, y, z, heading;
} Place;

static Place place_of(GtGroundMotion m)
{
    return (Place){ (double)m.position.x, (double)m.position.y, (double)m.position.z, (double)m.heading_rad };
}

static Place compose(Place a, Place b)
{
    double c = cos(a.heading);
    double s = sin(a.heading);
    return (Place){ a.x + c * b.x + s * b.z, a.y + b.y, a.z - s * b.x + c * b.z, a.heading + b.heading };
}

static Place invert(Place a)
{
    double c = cos(a.heading);
    double s = sin(a.heading);
    return (Place){ -(c * a.x - s * a.z), -a.y, -(s * a.x + c * a.z), -a.heading };
}

// A step `count` times, by doubling.
static Place repeat(Place step, double count)
{
    Place sum = { 0.0, 0.0, 0.0, 0.0 };
    if (count < 0.0) {
        step = invert(step);
        count = -count;
    }
    for (uint64_t left = (uint64_t)fmin(count, 1e15); left; left >>= 1) {
        sum = left & 1 ? compose(step, sum) : sum;
        step = compose(step, step);
    }
    return sum;
}

// Where a loop is after all its cycles.
static Place unrolled(const GtRootPath* motion, double time_s, bool repeats)
{
    double length_s = motion->end_s - motion->start_s;
    if (!repeats || !(length_s > 0.0) || !isfinite(time_s)) {
        return place_of(gt_root_path_at(motion, motion->start_s + time_s));
    }
    double cycles = floor(time_s / length_s);
    Place start = place_of(motion->samples[0]);
    Place end = place_of(motion->samples[motion->sample_count - 1]);
    Place here = place_of(gt_root_path_at(motion, motion->start_s + time_s - cycles * length_s));
    return compose(repeat(compose(end, invert(start)), cycles), here);
}

GtGroundMotion gt_root_path_delta(const GtRootPath* motion, double from_s, double to_s, bool repeats)
{
    Place d = compose(invert(unrolled(motion, from_s, repeats)), unrolled(motion, to_s, repeats));
    return (GtGroundMotion){ gt_vec3((float)d.x, (float)d.y, (float)d.z), (float)d.heading };
}

GtGroundMotion gt_ground_motion_add(GtGroundMotion a, GtGroundMotion b)
{
    Place sum = compose(place_of(a), place_of(b));
    return (GtGroundMotion){ gt_vec3((float)sum.x, (float)sum.y, (float)sum.z), (float)sum.heading };
}

void gt_root_path_remove(const GtRootPath* motion, double time_s, GtTransform* pose)
{
    GtTransform* local = &pose[motion->node];
    GtGroundMotion m = gt_root_path_at(motion, time_s);
    GtQuat back = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -m.heading_rad);
    GtVec3 at = gt_mat34_point(&motion->model_from_parent, local->translation);
    at = gt_quat_rotate(back, gt_vec3_sub(at, m.position));
    GtQuat above = motion->parent_rotation;
    GtQuat turned = gt_quat_mul(gt_quat_mul(gt_quat_conjugate(above), gt_quat_mul(back, above)), local->rotation);
    local->translation = gt_mat34_point(&motion->parent_from_model, at);
    local->rotation = gt_quat_normalize(turned);
}
