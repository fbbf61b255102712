// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Making two figures ready: who follows whom, how much larger one is, and where each stands. Sizes are compared like
// with like: soles of the mesh with soles, lowest joints with lowest joints. Where only one has a mesh, the other's
// soles are told by how low its motion goes over a floor at 0.

#include "motion/retarget/data.h"

#include "motion/contact/stance.h"
#include "motion/retarget/pair.h"

#include "base/fail.h"

#include "gertie/accessor.h"
#include "gertie/bake.h"
#include "gertie/build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float SAME_BUILD = 0.01f; // of leg length, that places of two alike figures may differ by

// While a GtRetarget is made.
typedef struct Maker {
    const GtContext* context;
    GtError* error;
    GtArena scratch;
    GtRetarget* r;
    GtTransform* pose;            // [source nodes]
    GtMat34* model_from_node;     // [source nodes]
    bool* followed;               // [source nodes] that a joint of the target follows
    uint8_t* moves;               // [source nodes] GtBakePath bits that have keys
    bool starts_in_tpose;         // which `pose` holds then
    const GtiAlignedFigure* lone; // the only humanoid of the two, or NULL
    GtQuat* rotations;            // [source nodes] in model space
} Maker;

GtRetargetDef gt_default_retarget_def(void)
{
    return (GtRetargetDef){ .speed = 1.0, .feet = GT_FEET_PLANT, .collide = GT_COLLIDE_ON };
}

// A scan is a node that shows a mesh, and nothing else.
static bool has_joints(const GtScene* scene)
{
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (scene->nodes[i].mesh == GT_NONE) {
            return true;
        }
    }
    return false;
}

// Name the file that an error is about; where nothing does, it is the motion.
static GtResult blame(const Maker* m, const GtScene* scene, GtResult result)
{
    gti_error_set_file(m->error, scene->source.file);
    return result;
}

static GtResult check_request(const Maker* m)
{
    const GtRetarget* r = m->r;
    const GtRetargetDef* def = &r->def;
    if (!has_joints(r->target.scene)) {
        return blame(m, r->target.scene,
                     gti_fail(m->error, GT_ERROR_BAD_VALUE, "the character has no joints; give a rigged one"));
    }
    if (!(def->frame_rate_hz >= 0.0 && def->frame_rate_hz <= 100000.0)) {
        return gti_fail(m->error, GT_ERROR_BAD_VALUE, "a rate of %g Hz is out of range", def->frame_rate_hz);
    }
    if (!(def->speed >= 1e-3 && def->speed <= 1e3)) {
        return gti_fail(m->error, GT_ERROR_BAD_VALUE, "a speed of %g is out of range; give 0.001 to 1000", def->speed);
    }
    return GT_OK;
}

// Which nodes of the source the animation has keys for.
static void find_moving(Maker* m)
{
    const GtRetarget* r = m->r;
    if (r->animation == GT_NONE) {
        return;
    }
    const GtAnimation* animation = &r->source.scene->animations[r->animation];
    for (int32_t c = 0; c < animation->channel_count; ++c) {
        const GtAnimationChannel* channel = &animation->channels[c];
        int32_t node =
            channel->node == GT_NONE ? GT_NONE : gt_character_node_from_source(r->source.character, channel->node);
        if (node != GT_NONE) {
            m->moves[node] |= channel->path == GT_PATH_TRANSLATION ? GT_BAKE_TRANSLATION
                              : channel->path == GT_PATH_ROTATION  ? GT_BAKE_ROTATION
                              : channel->path == GT_PATH_SCALE     ? GT_BAKE_SCALE
                                                                   : 0;
        }
    }
}

// Whether names of the left mean the right in one of the two figures and not in the other.
static bool names_change_sides(const GtRetarget* r)
{
    const GtMapReport* source = r->source.figure->map_report;
    const GtMapReport* target = r->target.figure->map_report;
    return (source && source->sides_against_names) != (target && target->sides_against_names);
}

// Joints that are in neither map, by name. What is above the hips of either moves the whole figure, which the path
// does already.
static GtResult link_names(Maker* m, bool humanoids)
{
    GtRetarget* r = m->r;
    const GtScene* motion = r->source.scene;
    const GtScene* character = r->target.scene;
    bool* taken = gt_arena_push_array(&m->scratch, (size_t)character->node_count, sizeof *taken);
    bool* leave_out = gt_arena_push_array(&m->scratch, (size_t)motion->node_count, sizeof *leave_out);
    int32_t* partner_of = gt_arena_push_array(&m->scratch, (size_t)motion->node_count, sizeof *partner_of);
    if (!taken || !leave_out || !partner_of) {
        return gti_out_of_memory(m->error);
    }
    for (int32_t i = 0; i < r->target.def->node_count; ++i) {
        bool above = humanoids && gti_hangs_from(r->target.def, r->target_hips, i);
        taken[r->target.def->source_nodes[i]] = above || r->links.of[i].from != GT_NONE;
    }
    for (int32_t i = 0; i < r->source.def->node_count; ++i) {
        bool above = humanoids && gti_hangs_from(r->source.def, r->source_hips, i);
        leave_out[r->source.def->source_nodes[i]] = above || m->followed[i];
    }
    bool mirror = r->def.mirror != (humanoids && names_change_sides(r));
    GtResult result = gti_pair_names(m->context, character, taken, motion, leave_out, mirror, partner_of, m->error);
    for (int32_t i = 0; result == GT_OK && i < motion->node_count; ++i) {
        if (partner_of[i] != GT_NONE) {
            int32_t target = gt_character_node_from_source(r->target.character, partner_of[i]);
            int32_t source = gt_character_node_from_source(r->source.character, i);
            r->links.of[target] = (GtiRetargetLink){ .from = source, .to = source };
            ++r->links.count;
        }
    }
    return result;
}

static void mark_followed(Maker* m)
{
    const GtRetarget* r = m->r;
    for (int32_t i = 0; i < r->target.def->node_count; ++i) {
        if (r->links.of[i].from != GT_NONE) {
            m->followed[r->links.of[i].from] = true;
            m->followed[r->links.of[i].to] = true;
        }
    }
}

// Moving joints that nothing follows are counted, and the first few named; one whose descendants are followed has its
// turns in theirs, and what does not hang below the hips is no joint: a prop, a camera, the expressions of a VRM
// animation. With nothing that moves, two files share the name of a node above the joints ("Armature") at most.
static GtResult report_unmatched(Maker* m, bool humanoids)
{
    GtRetarget* r = m->r;
    const GtCharacterDef* def = r->source.def;
    char names[256] = "";
    int32_t moving = 0;
    int32_t hips = r->source.joints[GT_HUMANOID_HIPS];
    bool* holds = gt_arena_push_array(&m->scratch, (size_t)def->node_count, sizeof *holds);
    bool* below = gt_arena_push_array(&m->scratch, (size_t)def->node_count, sizeof *below);
    if (!holds || !below) {
        return gti_out_of_memory(m->error);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        below[i] = i == hips || (def->parents[i] != GT_NONE && below[def->parents[i]]);
    }
    for (int32_t i = def->node_count - 1; i >= 0; --i) {
        holds[i] = holds[i] || m->followed[i];
        if (def->parents[i] != GT_NONE && holds[i]) {
            holds[def->parents[i]] = true;
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        if (!m->moves[i] || m->followed[i]) {
            moving += m->moves[i] && m->followed[i];
            continue;
        }
        size_t length = strlen(names);
        if (!(humanoids && (holds[i] || !below[i])) && r->unmatched_count++ < 5 && length < sizeof names - 1) {
            snprintf(names + length, sizeof names - length, "%s'%.40s'", length ? ", " : "",
                     def->names && def->names[i] ? def->names[i] : "");
        }
    }
    const char* more = r->unmatched_count > 5 ? "..." : "";
    if (r->links.count == 0 || (r->animation != GT_NONE && moving == 0)) {
        const char* who = humanoids               ? "nothing of the humanoid moves"
                          : m->lone == &r->source ? "no humanoid is found in the character"
                          : m->lone == &r->target ? "no humanoid is found in the motion"
                                                  : "no humanoid is found in either";
        gti_fail(m->error, GT_ERROR_NOT_FOUND,
                 "%s, and no moving joint of the motion (%s%s) has the name of a joint of the character; 'gertie map' "
                 "shows what is missing",
                 who, names[0] ? names : "there is none", more);
        return blame(m, m->lone == &r->source ? r->target.scene : r->source.scene, GT_ERROR_NOT_FOUND);
    }
    if (r->unmatched_count && !humanoids) {
        gti_warn(m->context, r->source.scene->source.file, NULL,
                 "the character has no counterpart for %d moving joint%s of the motion, left out: %s%s",
                 (int)r->unmatched_count, r->unmatched_count == 1 ? "" : "s", names, more);
    } else if (r->unmatched_count) {
        gti_note(m->context, r->target.scene->source.file, NULL,
                 "the character has no counterpart for %d moving joint%s: %s%s", (int)r->unmatched_count,
                 r->unmatched_count == 1 ? "" : "s", names, more);
    }
    return GT_OK;
}

// The topmost pair carries the path where there are no hips.
static void find_hips(GtRetarget* r, bool humanoids)
{
    r->source_hips = humanoids ? r->source.joints[GT_HUMANOID_HIPS] : GT_NONE;
    r->target_hips = humanoids ? r->target.joints[GT_HUMANOID_HIPS] : GT_NONE;
    for (int32_t i = 0; !humanoids && i < r->target.def->node_count && r->target_hips == GT_NONE; ++i) {
        if (r->links.of[i].from != GT_NONE) {
            r->source_hips = r->links.of[i].from;
            r->target_hips = i;
        }
    }
}

static GtResult link_joints(Maker* m)
{
    GtRetarget* r = m->r;
    bool humanoids = r->source.is_humanoid && r->target.is_humanoid;
    r->links.of = gt_arena_push_array(&r->arena, (size_t)r->target.def->node_count, sizeof *r->links.of);
    if (!r->links.of) {
        return gti_out_of_memory(m->error);
    }
    for (int32_t i = 0; i < r->target.def->node_count; ++i) {
        r->links.of[i].from = r->links.of[i].to = GT_NONE;
    }
    if (humanoids) {
        gti_link_humanoids(&r->source, &r->target, r->def.mirror, &r->links);
        find_hips(r, true);
    }
    mark_followed(m);
    GtResult result = link_names(m, humanoids);
    if (result != GT_OK) {
        return result;
    }
    if (humanoids) {
        gti_link_twist(&r->source, &r->target, r->def.mirror, &r->links);
    }
    mark_followed(m);
    find_hips(r, humanoids);
    return report_unmatched(m, humanoids);
}

// Nodes from the topmost one down to `node`.
static GtResult trace_path(const Maker* m, const GtCharacterDef* def, int32_t node, int32_t** out, int32_t* count)
{
    int32_t depth = 0;
    for (int32_t i = node; i != GT_NONE; i = def->parents[i]) {
        ++depth;
    }
    *out = gt_arena_push_array(&m->r->arena, (size_t)depth, sizeof **out);
    if (!*out) {
        return gti_out_of_memory(m->error);
    }
    *count = depth;
    for (int32_t i = node; i != GT_NONE; i = def->parents[i]) {
        (*out)[--depth] = i;
    }
    return GT_OK;
}

static GtResult choose_root(const Maker* m)
{
    GtRetarget* r = m->r;
    r->root = GT_NONE;
    if (r->def.root_motion != GT_ROOT_MOTION_JOINT || r->target_hips == GT_NONE) {
        return GT_OK;
    }
    if (r->target_path_count == 0) {
        gti_fail(m->error, GT_ERROR_NOT_FOUND,
                 "the character has no joint above '%s' to take the path; leave it on the hips",
                 r->target.def->names && r->target.def->names[r->target_hips] ? r->target.def->names[r->target_hips]
                                                                              : "the hips");
        return blame(m, r->target.scene, GT_ERROR_NOT_FOUND);
    }
    r->root = r->target_path[0];
    return GT_OK;
}

// Without maps, figures are compared by how high their topmost joint is over the lowest.
static void compare_plain(GtRetarget* r)
{
    float heights[2];
    const GtiAlignedFigure* figures[2] = { &r->source, &r->target };
    int32_t tops[2] = { r->source_hips, r->target_hips };
    for (int k = 0; k < 2; ++k) {
        const GtiPosture* p = &figures[k]->aligned;
        float lowest = INFINITY;
        for (int32_t i = 0; i < p->node_count; ++i) {
            lowest = fminf(lowest, p->places[i].y);
        }
        heights[k] = p->places[tops[k]].y - lowest;
    }
    bool standing = heights[0] > 1e-6f && heights[1] > 1e-6f;
    r->path_scale = r->height_scale = standing ? heights[1] / heights[0] : 1.0f;
}

// How long a unit of a node's translation is in the model; negative where that is mirrored.
static float parent_size(const GtiAlignedFigure* f, int32_t node)
{
    float size = 1.0f;
    for (int32_t i = f->def->parents[node]; i != GT_NONE; i = f->def->parents[i]) {
        size *= cbrtf(f->def->rest[i].scale.x * f->def->rest[i].scale.y * f->def->rest[i].scale.z);
    }
    return size;
}

// Whether every joint is where its partner is, but for size.
static bool same_build(const GtRetarget* r)
{
    const GtVec3* there = r->source.aligned.places;
    const GtVec3* here = r->target.aligned.places;
    for (int32_t i = 0; i < r->target.def->node_count; ++i) {
        int32_t parent = r->target.def->parents[i];
        int32_t from = r->links.of[i].from;
        if (from == GT_NONE || r->links.of[i].to != from || parent == GT_NONE || r->links.of[parent].from == GT_NONE) {
            continue;
        }
        GtVec3 bone = gt_vec3_sub(here[i], here[parent]);
        GtVec3 other = gt_vec3_sub(there[from], there[r->links.of[parent].from]);
        GtVec3 miss = gt_vec3_sub(bone, gt_vec3_scale(other, r->path_scale));
        if (!(gt_vec3_length(miss) <= SAME_BUILD * r->target.leg_m)) {
            return false;
        }
    }
    return true;
}

static void keep_inverses(GtRetarget* r)
{
    for (int32_t i = 0; i < r->source.def->node_count; ++i) {
        r->common_from_source[i] = gt_quat_conjugate(r->source.aligned.rotations[i]);
    }
}

// Returns how far the source's soles are under its lowest joint.
static float find_floor(const Maker* m)
{
    GtRetarget* r = m->r;
    const GtiAlignedFigure* s = &r->source;
    float sole_m = 0.0f;
    if (r->source.clip) {
        r->source_floor_m = gti_stance_floor(s, r->source.clip, m->pose, m->model_from_node, &sole_m);
    }
    if (r->source_floor_m != 0.0f) {
        gti_note(m->context, s->scene->source.file, NULL, "the floor of the motion is at %.2f m; it is moved to 0",
                 (double)r->source_floor_m);
    }
    return sole_m;
}

static GtResult compare_sizes(Maker* m)
{
    GtRetarget* r = m->r;
    const GtiAlignedFigure* s = &r->source;
    const GtiAlignedFigure* t = &r->target;
    if (!s->is_humanoid || !t->is_humanoid) {
        compare_plain(r);
        return GT_OK;
    }
    r->path_scale = t->leg_m / s->leg_m;
    if (same_build(r)) { // with or without a mesh; and a figure to itself stays where it is
        r->height_scale = r->path_scale;
        if (fabsf(r->path_scale - 1.0f) > 1e-3f) {
            find_floor(m);
        }
        return GT_OK;
    }
    if (!s->has_sole && r->source.clip) {
        GtResult result = gti_stance_flatten(m->context, &r->source, r->source.clip, m->starts_in_tpose, m->pose,
                                             m->model_from_node, m->error);
        keep_inverses(r);
        if (result != GT_OK) {
            return result;
        }
    }
    float source_sole = find_floor(m);
    if (s->has_sole || !t->has_sole) {
        source_sole = s->has_sole && t->has_sole ? s->sole_m : 0.0f;
    }
    float stand_m = t->hip_height_m + (t->has_sole ? t->sole_m : 0.0f);
    r->stand_m = s->hip_height_m + source_sole;
    r->height_scale = stand_m / r->stand_m;
    r->rise_m = stand_m - r->path_scale * r->stand_m;
    return GT_OK;
}

// Joints move and grow against their parents in some rigs. Only a figure of the same build can follow that.
static GtResult find_stretches(Maker* m)
{
    GtRetarget* r = m->r;
    bool humanoids = r->source.is_humanoid && r->target.is_humanoid;
    bool alike = !humanoids || same_build(r);
    bool same_rig = alike && r->source.loose_count == r->target.loose_count && !r->def.mirror;
    r->holds_loose = humanoids && r->target.loose_count && !same_rig; // else their own keys move them
    r->stretches = gt_arena_push_array(&r->arena, (size_t)r->target.def->node_count, sizeof *r->stretches);
    if (!r->stretches) {
        return gti_out_of_memory(m->error);
    }
    for (int32_t i = 0; !r->def.mirror && alike && i < r->target.def->node_count; ++i) {
        int32_t from = r->links.of[i].from;
        uint8_t paths = from == GT_NONE ? 0 : m->moves[from] & (GT_BAKE_TRANSLATION | GT_BAKE_SCALE);
        paths &= (uint8_t)(i == r->target_hips ? ~GT_BAKE_TRANSLATION : ~0);
        if (!paths || r->links.of[i].to != from) {
            continue;
        }
        GtQuat here = gti_parent_rotation(r->target.def, r->target.aligned.rotations, i);
        GtQuat there = gti_parent_rotation(r->source.def, r->source.aligned.rotations, from);
        r->stretches[r->stretch_count++] =
            (GtiRetargetStretch){ from, i, gt_quat_mul(gt_quat_conjugate(here), there),
                                  r->path_scale * parent_size(&r->source, from) / parent_size(&r->target, i), paths };
    }
    return GT_OK;
}

static GtResult open_figures(Maker* m, const GtFigure* source, const GtFigure* target)
{
    GtRetarget* r = m->r;
    GtResult result = gti_aligned_open(&r->arena, source, &r->source, m->error);
    if (result == GT_OK) {
        result = gti_aligned_open(&r->arena, target, &r->target, m->error);
    }
    if (result != GT_OK) {
        return result;
    }
    r->source.given = r->def.source_pose ? r->def.source_pose : r->source.given;
    r->target.given = r->def.target_pose ? r->def.target_pose : r->target.given;
    size_t count = (size_t)r->source.def->node_count;
    m->pose = gt_arena_push_array(&m->scratch, count, sizeof *m->pose);
    m->model_from_node = gt_arena_push_array(&m->scratch, count, sizeof *m->model_from_node);
    m->followed = gt_arena_push_array(&m->scratch, count, sizeof *m->followed);
    m->rotations = gt_arena_push_array(&m->scratch, count, sizeof *m->rotations);
    m->moves = gt_arena_push_array(&m->scratch, count, sizeof *m->moves);
    r->common_from_source = gt_arena_push_array(&r->arena, count, sizeof *r->common_from_source);
    if (!m->pose || !m->model_from_node || !m->followed || !m->rotations || !m->moves || !r->common_from_source) {
        return gti_out_of_memory(m->error);
    }
    if (count) {
        memcpy(m->pose, r->source.def->rest, count * sizeof *m->pose);
    }
    return GT_OK;
}

// A T-pose that the motion begins with says more about its figure than the rest pose does.
static GtResult align_figures(Maker* m)
{
    GtRetarget* r = m->r;
    GtResult result = GT_OK;
    if (r->source.clip) {
        m->starts_in_tpose = r->source.figure->starts_in_tpose;
    }
    if (m->starts_in_tpose) {
        gt_clip_sample(r->source.clip, gt_clip_start_s(r->source.clip), m->pose, NULL);
    }
    if (result == GT_OK) {
        result = gti_aligned_find(m->context, &r->source, m->starts_in_tpose ? m->pose : NULL, m->error);
    }
    if (result == GT_OK) {
        result = gti_aligned_find(m->context, &r->target, NULL, m->error);
    }
    return result;
}

// Without two humanoids the aligned posture of one would meet the plain one of the other.
static GtResult agree_on_pose(Maker* m)
{
    GtRetarget* r = m->r;
    if (r->source.is_humanoid == r->target.is_humanoid) {
        return GT_OK;
    }
    bool was_source = r->source.is_humanoid;
    GtiAlignedFigure* one = was_source ? &r->source : &r->target;
    one->is_humanoid = false;
    m->lone = one;
    GtResult result = gti_aligned_find(m->context, one, was_source && m->starts_in_tpose ? m->pose : NULL, m->error);
    return result;
}

static GtResult make(Maker* m, const GtFigure* source, const GtFigure* target)
{
    GtRetarget* r = m->r;
    GtResult result = check_request(m);
    if (result == GT_OK) {
        result = open_figures(m, source, target);
    }
    if (result == GT_OK) {
        find_moving(m);
        result = align_figures(m);
    }
    if (result == GT_OK) {
        result = agree_on_pose(m);
    }
    if (result == GT_OK) {
        keep_inverses(r);
        result = link_joints(m);
    }
    if (result == GT_OK) {
        result = trace_path(m, r->source.def, r->source_hips, &r->source_path, &r->source_path_count);
    }
    if (result == GT_OK) {
        result = trace_path(m, r->target.def, r->target.def->parents[r->target_hips], &r->target_path,
                            &r->target_path_count);
    }
    if (result == GT_OK) {
        result = choose_root(m);
    }
    if (result == GT_OK) {
        result = compare_sizes(m);
    }
    if (result == GT_OK) {
        result = find_stretches(m);
    }
    if (result == GT_OK && r->source.is_humanoid && r->target.is_humanoid && !same_build(r)) {
        gti_retarget_hold_fingers(r, m->pose, m->rotations);
        gti_limits_find(&r->target, &r->links, &r->limits);
    }
    return result;
}

GtResult gt_retarget_create(const GtContext* context, const GtFigure* source, const GtFigure* target,
                            const GtRetargetDef* def, GtRetarget** out, GtError* error)
{
    def = def ? def : (GtRetargetDef[]){ gt_default_retarget_def() };
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtRetarget* r = gt_arena_push_array(&arena, 1, sizeof *r);
    if (!r) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    r->arena = arena;
    r->def = *def;
    r->animation = source->animation;
    r->source.scene = source->scene;
    r->target.scene = target->scene;
    Maker m = { .context = context, .error = error, .scratch = gt_arena_create(context->allocator), .r = r };
    GtResult result = make(&m, source, target);
    gt_arena_destroy(&m.scratch);
    if (result != GT_OK) {
        blame(&m, source->scene, result);
    }
    if (result == GT_OK && def->name) {
        r->def.name = gt_arena_push_text(&r->arena, def->name, strlen(def->name));
        result = r->def.name ? GT_OK : gti_out_of_memory(error);
    }
    if (result != GT_OK) {
        gt_retarget_destroy(r);
        return result;
    }
    *out = r;
    return GT_OK;
}

void gt_retarget_destroy(GtRetarget* retarget)
{
    if (retarget) {
        gt_arena_destroy(&retarget->arena);
    }
}
