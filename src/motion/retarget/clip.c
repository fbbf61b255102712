// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A whole clip: frames are carried over in pieces on all threads, each frame by itself, so that the result does not
// depend on how they are cut; then measured, closed into a loop, and written as keys.

#include "motion/retarget/plant.h"
#include "motion/retarget/touch.h"
#include "motion/take/key_times.h"

#include "base/direction.h"
#include "base/fail.h"

#include "gertie/bake.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 64, // frames
    BATCH = 64  // pieces between reports of progress
};

// Angles over the frames of a piece.
typedef struct Measures {
    double direction_sum_rad;
    int64_t direction_count;
    double max_direction_rad;
    double max_extra_turn_rad;
} Measures;

typedef struct Transfer {
    const GtContext* context;
    const GtRetarget* r;
    GtRetarget carrier; // as `r`, but with the path on the hips where feet are planted on the spot
    bool plants;        // or warps
    bool touches;       // are kept
    GtError* error;
    GtArena scratch;
    float* times; // [frame_count] of the source
    int32_t frame_count;
    int32_t* runtime; // [node_count] nodes of the target that get keys
    int32_t* nodes;   // likewise, of the scene
    uint8_t* paths;   // likewise
    int32_t node_count;
    GtTransform* poses; // [frame_count * node_count]
    Measures* measures; // [piece_count]
    Measures total;
    uint8_t* rooms; // [BATCH * room_size]
    size_t room_size;
    int32_t first_piece; // of the batch
    GtPlantReport plant;
    GtTouchReport touch;
} Transfer;

// What a piece of frames works in.
typedef struct Room {
    GtTransform* source;      // [source nodes]
    GtTransform* target;      // [target nodes]
    GtMat34* source_model;    // [source nodes]
    GtMat34* target_model;    // [target nodes]
    GtQuat* source_rotations; // [source nodes]
    GtQuat* target_rotations; // [target nodes]
    GtQuat* before_source;    // [source nodes] of the frame before
    GtQuat* before_target;    // [target nodes]
    void* scratch;
} Room;

static size_t room_size(const GtRetarget* r)
{
    size_t nodes = (size_t)r->source.def->node_count + (size_t)r->target.def->node_count;
    return nodes * (sizeof(GtTransform) + sizeof(GtMat34) + 2 * sizeof(GtQuat)) + gt_retarget_scratch_size(r);
}

static Room lay_out(const GtRetarget* r, void* memory)
{
    size_t source = (size_t)r->source.def->node_count, target = (size_t)r->target.def->node_count;
    Room room;
    room.source = memory;
    room.target = room.source + source;
    room.source_model = (GtMat34*)(room.target + target);
    room.target_model = room.source_model + source;
    room.source_rotations = (GtQuat*)(room.target_model + target);
    room.target_rotations = room.source_rotations + source;
    room.before_source = room.target_rotations + target;
    room.before_target = room.before_source + source;
    room.scratch = room.before_target + target;
    return room;
}

static GtResult choose_times(Transfer* t)
{
    const GtRetarget* r = t->r;
    GtiKeyTimesDef def = { r->source.scene, r->animation, r->source.clip, r->def.keep_tpose,
                           r->def.frame_rate_hz > 0.0 ? r->def.speed / r->def.frame_rate_hz : 0.0 };
    return gti_key_times(&def, &t->scratch, &t->times, &t->frame_count, t->error);
}

static uint8_t paths_of(const GtRetarget* r, int32_t node)
{
    uint8_t paths = r->links.of[node].from != GT_NONE ? GT_BAKE_ROTATION : 0;
    if (node == r->target_hips) {
        paths |= GT_BAKE_TRANSLATION;
    }
    if (node == r->root) {
        paths |= GT_BAKE_TRANSLATION | GT_BAKE_ROTATION;
    }
    for (int32_t k = 0; k < r->stretch_count; ++k) {
        paths |= r->stretches[k].target == node ? r->stretches[k].paths : 0;
    }
    for (int k = 0; r->holds_loose && k < r->target.loose_count; ++k) {
        paths |= r->target.loose[k].node == node ? GT_BAKE_TRANSLATION : 0;
    }
    return paths;
}

static GtResult choose_nodes(Transfer* t)
{
    const GtCharacterDef* def = t->r->target.def;
    size_t count = (size_t)def->node_count;
    t->runtime = gt_arena_push_array(&t->scratch, count, sizeof *t->runtime);
    t->nodes = gt_arena_push_array(&t->scratch, count, sizeof *t->nodes);
    t->paths = gt_arena_push_array(&t->scratch, count, sizeof *t->paths);
    if (!t->runtime || !t->nodes || !t->paths) {
        return gti_out_of_memory(t->error);
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        uint8_t paths = paths_of(t->r, i);
        if (paths) {
            t->runtime[t->node_count] = i;
            t->paths[t->node_count] = paths;
            t->nodes[t->node_count++] = def->source_nodes[i];
        }
    }
    return GT_OK;
}

static GtVec3 bone_of(const GtiAlignedFigure* f, const GtMat34* model, int joint)
{
    return gt_vec3_sub(gt_mat34_translation(&model[f->joints[joint + 1]]),
                       gt_mat34_translation(&model[f->joints[joint]]));
}

static bool has_bone(const GtiAlignedFigure* f, GtHumanoidJoint joint)
{
    return f->joints[joint] != GT_NONE && f->joints[joint + 1] != GT_NONE;
}

// Limbs are compared by where they point, in the world.
static void measure_directions(const GtRetarget* r, const Room* room, Measures* m)
{
    static const GtHumanoidJoint bones[8] = { GT_HUMANOID_LEFT_UPPER_ARM,  GT_HUMANOID_LEFT_LOWER_ARM,
                                              GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
                                              GT_HUMANOID_LEFT_UPPER_LEG,  GT_HUMANOID_LEFT_LOWER_LEG,
                                              GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG };
    gt_character_to_model(r->source.character, room->source, room->source_model);
    gt_character_to_model(r->target.character, room->target, room->target_model);
    for (int b = 0; b < 8; ++b) {
        GtHumanoidJoint from = r->def.mirror ? gt_humanoid_mirror(bones[b]) : bones[b];
        if (!has_bone(&r->source, from) || !has_bone(&r->target, bones[b])) {
            continue;
        }
        GtVec3 there = bone_of(&r->source, room->source_model, (int)from);
        GtVec3 here = bone_of(&r->target, room->target_model, (int)bones[b]);
        there.x = r->def.mirror ? -there.x : there.x;
        double miss = (double)gti_angle_between(there, here);
        m->direction_sum_rad += miss;
        m->max_direction_rad = fmax(m->max_direction_rad, miss);
        ++m->direction_count;
    }
}

// A joint that follows two may turn as far as either does. Angles are taken only where the cosines of half of them say
// that there is more than rounding between them.
static void measure_turns(const GtRetarget* r, const Room* room, Measures* m)
{
    for (int32_t i = 0; i < r->target.def->node_count; ++i) {
        const GtiRetargetLink* link = &r->links.of[i];
        if (link->from == GT_NONE) {
            continue;
        }
        float here = fabsf(gt_quat_dot(room->before_target[i], room->target_rotations[i]));
        float from = fabsf(gt_quat_dot(room->before_source[link->from], room->source_rotations[link->from]));
        float to = fabsf(gt_quat_dot(room->before_source[link->to], room->source_rotations[link->to]));
        float there = fminf(from, to);
        if (here < there - 1e-5f) {
            double extra = 2.0 * (acos((double)here) - acos(fmin((double)there, 1.0)));
            m->max_extra_turn_rad = fmax(m->max_extra_turn_rad, extra);
        }
    }
}

static void carry_frame(const Transfer* t, const Room* room, int32_t frame)
{
    gt_clip_sample(t->r->source.clip, (double)t->times[frame], room->source, NULL);
    gt_retarget_pose(&t->carrier, room->source, room->target, room->scratch);
}

static void carry_piece(const Transfer* t, int32_t piece, void* memory)
{
    const GtRetarget* r = t->r;
    Room room = lay_out(r, memory);
    size_t source = (size_t)r->source.def->node_count, target = (size_t)r->target.def->node_count;
    memcpy(room.source, r->source.def->rest, source * sizeof *room.source);
    memcpy(room.target, r->target.def->rest, target * sizeof *room.target);
    int32_t first = piece * PIECE;
    int32_t end = first + PIECE < t->frame_count ? first + PIECE : t->frame_count;
    Measures* measures = &t->measures[piece];
    for (int32_t f = first > 0 ? first - 1 : 0; f < end; ++f) { // from the frame before, to see how far joints turn
        carry_frame(t, &room, f);
        gti_model_rotations(r->source.def, room.source, room.source_rotations);
        gti_model_rotations(r->target.def, room.target, room.target_rotations);
        if (f >= first) {
            if (r->source.is_humanoid && r->target.is_humanoid) {
                measure_directions(r, &room, measures);
            }
            if (f > 0) {
                measure_turns(r, &room, measures);
            }
            for (int32_t n = 0; n < t->node_count; ++n) {
                t->poses[(size_t)f * (size_t)t->node_count + (size_t)n] = room.target[t->runtime[n]];
            }
        }
        memcpy(room.before_source, room.source_rotations, source * sizeof *room.before_source);
        memcpy(room.before_target, room.target_rotations, target * sizeof *room.before_target);
    }
}

static void carry_range(void* data, int32_t first, int32_t end)
{
    const Transfer* t = data;
    for (int32_t room = first; room < end; ++room) {
        carry_piece(t, t->first_piece + room, t->rooms + (size_t)room * t->room_size);
    }
}

static GtResult carry_all(Transfer* t)
{
    int32_t piece_count = (t->frame_count + PIECE - 1) / PIECE;
    int32_t room_count = piece_count < BATCH ? piece_count : BATCH;
    t->room_size = room_size(t->r);
    t->poses = gt_arena_push_array(&t->scratch, (size_t)t->frame_count * (size_t)t->node_count, sizeof *t->poses);
    t->measures = gt_arena_push_array(&t->scratch, (size_t)piece_count, sizeof *t->measures);
    t->rooms = gt_arena_push_array(&t->scratch, (size_t)room_count, t->room_size);
    if (!t->poses || !t->measures || !t->rooms) {
        return gti_out_of_memory(t->error);
    }
    for (; t->first_piece < piece_count; t->first_piece += BATCH) {
        double fraction = (double)t->first_piece / piece_count;
        GtResult result = gti_progress(t->context, t->error, "moving the character", fraction);
        if (result != GT_OK) {
            return result;
        }
        int32_t left = piece_count - t->first_piece;
        gt_executor_run(&t->context->executor, left < BATCH ? left : BATCH, 1, carry_range, t);
    }
    for (int32_t i = 0; i < piece_count; ++i) { // in order, so that sums do not depend on threads
        t->total.direction_sum_rad += t->measures[i].direction_sum_rad;
        t->total.direction_count += t->measures[i].direction_count;
        t->total.max_direction_rad = fmax(t->total.max_direction_rad, t->measures[i].max_direction_rad);
        t->total.max_extra_turn_rad = fmax(t->total.max_extra_turn_rad, t->measures[i].max_extra_turn_rad);
    }
    return GT_OK;
}

// Where the hips are, given their keys.
static GtMat34 model_from_hips_parent(const Transfer* t)
{
    const GtRetarget* r = t->r;
    GtMat34 model = gt_mat34_identity();
    for (int32_t i = 0; i < r->target_path_count; ++i) {
        model = gt_mat34_mul(model, gt_mat34_from_transform(r->target.def->rest[r->target_path[i]]));
    }
    return model;
}

static GtTransform* hips_keys(const Transfer* t)
{
    int32_t n = 0;
    while (n < t->node_count && t->runtime[n] != t->r->target_hips) {
        ++n;
    }
    return t->poses + n;
}

// Feet are planted, then hands are brought to what they touch.
static GtResult settle_on_path(Transfer* t)
{
    GtiCarried carried = { t->frame_count, t->times, t->node_count, t->nodes, t->poses };
    GtResult result = t->plants ? gti_retarget_plant(t->context, t->r, &carried, &t->plant, t->error) : GT_OK;
    return result == GT_OK && t->touches ? gti_retarget_touch(t->context, t->r, &carried, &t->touch, t->error) : result;
}

// Feet stand on ground that the figure walks over; only then does the ground go under it.
static GtResult settle_on_the_spot(Transfer* t)
{
    GtMat34 model_from_parent = model_from_hips_parent(t);
    GtMat34 parent_from_model = gt_mat34_inverse(&model_from_parent, NULL);
    GtVec3 stand = t->r->target.aligned.places[t->r->target_hips];
    GtTransform* keys = hips_keys(t);
    GtResult result = settle_on_path(t);
    for (int32_t f = 0; f < t->frame_count; ++f) {
        GtVec3* key = &keys[(size_t)f * (size_t)t->node_count].translation;
        GtVec3 place = gt_mat34_point(&model_from_parent, *key);
        *key = gt_mat34_point(&parent_from_model, gt_vec3(stand.x, place.y, stand.z));
    }
    return result;
}

static GtResult settle(Transfer* t)
{
    if (!t->plants && !t->touches) {
        return GT_OK;
    }
    return t->r->def.root_motion == GT_ROOT_MOTION_NONE ? settle_on_the_spot(t) : settle_on_path(t);
}

// The seam of one node: what brings its last key to its first. A figure that travels neither comes back nor turns back.
typedef struct Seam {
    GtQuat turn;
    GtVec3 move;
} Seam;

static Seam seam_of(const Transfer* t, int32_t n, const GtTransform* first, const GtTransform* last)
{
    const GtRetarget* r = t->r;
    int32_t node = t->runtime[n];
    Seam seam = { gt_quat_mul(first->rotation, gt_quat_conjugate(last->rotation)),
                  gt_vec3_sub(first->translation, last->translation) };
    if (node == r->root) {
        return (Seam){ gt_quat_identity(), gt_vec3(0.0f, 0.0f, 0.0f) };
    }
    if (node == r->target_hips && r->def.root_motion == GT_ROOT_MOTION_HIPS) {
        int32_t parent = r->target.def->parents[node];
        GtQuat model_from_parent = gt_quat_identity();
        for (int32_t i = 0; parent != GT_NONE && i < r->target_path_count; ++i) {
            GtQuat local = gt_quat_normalize(r->target.def->rest[r->target_path[i]].rotation);
            model_from_parent = gt_quat_mul(model_from_parent, local);
        }
        GtQuat parent_from_model = gt_quat_conjugate(model_from_parent);
        GtVec3 up = gt_quat_rotate(parent_from_model, gt_vec3(0.0f, 1.0f, 0.0f));
        seam.move = gt_vec3_scale(up, gt_vec3_dot(up, seam.move));
        GtQuat turn = gt_quat_mul(gt_quat_mul(model_from_parent, seam.turn), parent_from_model);
        GtQuat heading = gt_quat_normalize(gt_quat(0.0f, turn.y, 0.0f, turn.w));
        turn = gt_quat_mul(gt_quat_conjugate(heading), turn);
        seam.turn = gt_quat_mul(gt_quat_mul(parent_from_model, turn), model_from_parent);
    }
    return seam;
}

// Half the seam is taken up before the middle of the clip and half after it, evenly.
static void close_loop(const Transfer* t)
{
    size_t stride = (size_t)t->node_count;
    float span = t->times[t->frame_count - 1] - t->times[0];
    for (int32_t n = 0; n < t->node_count && span > 0.0f; ++n) {
        GtTransform* keys = t->poses + n;
        Seam seam = seam_of(t, n, keys, keys + (size_t)(t->frame_count - 1) * stride);
        GtQuat half = gt_quat_slerp(gt_quat_identity(), seam.turn, 0.5f);
        for (int32_t f = 0; f < t->frame_count; ++f) {
            float share = (t->times[f] - t->times[0]) / span; // 0 is half the seam back, 1 half ahead
            GtTransform* key = &keys[(size_t)f * stride];
            GtQuat turn = gt_quat_slerp(gt_quat_conjugate(half), half, share);
            key->rotation = gt_quat_normalize(gt_quat_mul(turn, key->rotation));
            key->translation = gt_vec3_add(key->translation, gt_vec3_scale(seam.move, share - 0.5f));
        }
    }
}

static GtResult remember_map(const Transfer* t, GtScene* scene)
{
    const GtRetarget* r = t->r;
    if (!r->target.is_humanoid) {
        return GT_OK;
    }
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    GtRetargetPose* pose = gt_scene_push(scene, 1, sizeof *pose);
    if (!map || !pose) {
        return gti_out_of_memory(t->error);
    }
    *map = r->target.figure->map;
    *pose = r->target.retarget_pose;
    scene->humanoid = map;
    scene->retarget_pose = pose;
    return GT_OK;
}

static GtResult write_keys(Transfer* t, GtScene* scene, int32_t* animation)
{
    const GtRetarget* r = t->r;
    float start_s = t->times[0];
    for (int32_t f = 0; f < t->frame_count; ++f) {
        t->times[f] = (float)((double)(t->times[f] - start_s) / r->def.speed);
        if (f > 0 && !(t->times[f] > t->times[f - 1])) {
            return gti_fail(t->error, GT_ERROR_LIMIT, "frames %d and %d get the same time; use a lower speed or rate",
                            (int)f - 1, (int)f);
        }
    }
    GtResult result = remember_map(t, scene);
    GtBakeDef bake = {
        .name = r->def.name ? r->def.name : r->source.scene->animations[r->animation].name,
        .frame_count = t->frame_count,
        .times_s = t->times,
        .node_count = t->node_count,
        .nodes = t->nodes,
        .paths = t->paths,
        .poses = t->poses,
    };
    return result == GT_OK ? gt_scene_bake(t->context, scene, &bake, animation, t->error) : result;
}

static void fill_report(const Transfer* t, GtRetargetReport* report)
{
    const GtRetarget* r = t->r;
    const Measures* m = &t->total;
    *report = (GtRetargetReport){
        .matched_joint_count = r->links.count,
        .unmatched_joint_count = r->unmatched_count,
        .twist_joint_count = r->links.twist_count,
        .frame_count = t->frame_count,
        .duration_s = (double)t->times[t->frame_count - 1],
        .path_scale = (double)r->path_scale,
        .height_scale = (double)r->height_scale,
        .source_rest_pose = r->source.rest_pose,
        .target_rest_pose = r->target.rest_pose,
        .mean_direction_error_rad = m->direction_count ? m->direction_sum_rad / (double)m->direction_count : 0.0,
        .max_direction_error_rad = m->max_direction_rad,
        .max_extra_turn_rad = m->max_extra_turn_rad,
        .plant = t->plant,
        .touch = t->touch,
    };
}

GtResult gt_retarget_clip(const GtContext* context, const GtRetarget* retarget, GtScene* scene, int32_t* animation,
                          GtRetargetReport* report, GtError* error)
{
    if (!retarget->source.clip) {
        return gti_fail(error, GT_ERROR_NOT_FOUND,
                        "this GtRetarget was created without an animation and retargets poses only");
    }
    Transfer t = { .context = context, .r = retarget, .error = error, .scratch = gt_arena_create(context->allocator) };
    t.carrier = *retarget;
    bool are_humanoids = retarget->source.is_humanoid && retarget->target.is_humanoid;
    t.plants = retarget->def.feet != GT_FEET_OFF && are_humanoids;
    bool are_wanted = retarget->def.contacts && retarget->def.contacts->has_touches;
    t.touches = (retarget->def.keep_contacts || are_wanted) && are_humanoids;
    if ((t.plants || t.touches) && retarget->def.root_motion == GT_ROOT_MOTION_NONE) {
        t.carrier.def.root_motion = GT_ROOT_MOTION_HIPS;
    }
    GtResult result = choose_times(&t);
    if (result == GT_OK) {
        result = choose_nodes(&t);
    }
    if (result == GT_OK) {
        result = carry_all(&t);
    }
    if (result == GT_OK) {
        if (retarget->def.loop) {
            close_loop(&t);
        }
        result = settle(&t);
        if (retarget->def.loop) {
            close_loop(&t);
        }
    }
    if (result == GT_OK) {
        result = write_keys(&t, scene, animation);
    }
    if (result == GT_OK && report) {
        fill_report(&t, report);
    } else if (result != GT_OK) {
        gti_error_set_file(error, retarget->source.scene->source.file);
    }
    gt_arena_destroy(&t.scratch);
    return result;
}
