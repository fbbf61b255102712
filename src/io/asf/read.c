// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bones and curves to a scene: a node for every bone, at its beginning, parents first, and one for the end of
// each that has no child. Axes of all nodes are the world's at rest. The unit goes into every translation, the rotation
// to Y up into the root alone.

#include "io/asf/asf.h"

#include "base/fail.h"
#include "io/asf/motion.h"
#include "io/beside.h"
#include "io/bvh/axes.h"
#include "io/curves.h"
#include "io/mesh/units.h"
#include "io/name.h"

#include <math.h>
#include <string.h>

#define METRES_PER_INCH 0.0254

// Heights beyond these are no person's, child or giant, in the unit that the file says.
#define LEAST_HEIGHT_M 0.5
#define MOST_HEIGHT_M  3.0

// A skeleton, with a motion or without, on its way to a scene.
typedef struct AsfReader {
    const GtContext* context;
    const GtLoadDef* def;
    GtError* error;
    const char* path; // of the file that was asked for
    GtiAsfSkeleton skeleton;
    GtiAmcMotion motion;
    bool moves;
    int32_t* nodes; // [bone_count] node of each bone
    double metres_per_unit;
    GtUpAxis up_axis;
} AsfReader;

static bool begins_with(const uint8_t* bytes, size_t size, const char* const* keywords)
{
    GtiWords words = { 0 };
    GtiWord word;
    gti_words_open(&words, bytes, size);
    if (!gti_words_next_line(&words) || !gti_words_next(&words, &word)) {
        return false;
    }
    for (; *keywords; ++keywords) {
        if (gti_word_equals(word, *keywords)) {
            return true;
        }
    }
    return false;
}

bool gti_asf_sniff(const uint8_t* bytes, size_t size)
{
    static const char* const keywords[] = {
        ":version", ":name", ":units", ":documentation", ":root", ":bonedata", NULL
    };
    return begins_with(bytes, size, keywords);
}

bool gti_amc_sniff(const uint8_t* bytes, size_t size)
{
    static const char* const keywords[] = { ":fully-specified", ":degrees", ":radians", ":samples-per-second", NULL };
    return begins_with(bytes, size, keywords);
}

// Extent of the rest pose along one axis, in the file's units; negative when memory ran out.
static double measure_height(AsfReader* r, int axis)
{
    const GtiAsfSkeleton* s = &r->skeleton;
    double* begin = gt_arena_push_array(s->arena, (size_t)s->bone_count, sizeof *begin);
    double min = 0.0;
    double max = 0.0;
    for (int32_t i = 0; i < s->bone_count && begin; ++i) {
        int32_t index = s->order[i];
        const GtiAsfBone* bone = &s->bones[index];
        double offset[3];
        gti_asf_rest_translation(s, index, offset);
        begin[index] = bone->parent == GT_NONE ? 0.0 : begin[bone->parent] + offset[axis];
        double end = begin[index] + bone->direction[axis] * bone->length;
        min = fmin(min, end);
        max = fmax(max, end);
    }
    return begin ? max - min : -1.0;
}

static GtResult choose_units(AsfReader* r)
{
    static const int up_component[] = { 1, 2, 0 };
    r->up_axis = r->def->up_axis == GT_NONE ? GT_UP_Y : (GtUpAxis)r->def->up_axis;
    r->metres_per_unit = r->def->metres_per_unit;
    if (r->metres_per_unit > 0.0) {
        return GT_OK;
    }
    double height = measure_height(r, up_component[r->up_axis]);
    if (height < 0.0) {
        return gti_out_of_memory(r->error);
    }
    double stated = r->skeleton.length_unit > 0.0 ? METRES_PER_INCH / r->skeleton.length_unit : 0.0;
    bool plausible = stated * height >= LEAST_HEIGHT_M && stated * height <= MOST_HEIGHT_M;
    double guess = plausible ? 0.0 : gti_unit_of_person(height);
    r->metres_per_unit = guess > 0.0 ? guess : stated > 0.0 ? stated : 1.0;
    if (guess > 0.0) {
        gti_note(r->context, r->skeleton.words.path, NULL,
                 "units: %s, by the skeleton's height of %.2f m (--units tells otherwise)", gti_unit_name(guess),
                 guess * height);
    }
    return GT_OK;
}

static GtTransform local_of(const AsfReader* r, const double offset[3], GtiQuat rotation, bool root)
{
    double v[3] = { offset[0] * r->metres_per_unit, offset[1] * r->metres_per_unit, offset[2] * r->metres_per_unit };
    double q[4] = { rotation.x, rotation.y, rotation.z, rotation.w };
    if (root) {
        gti_bvh_y_from_file_vector(r->up_axis, v);
        gti_bvh_y_from_file_quat(r->up_axis, q);
    }
    GtTransform local = gt_default_node().local;
    local.translation = gt_vec3((float)v[0], (float)v[1], (float)v[2]);
    local.rotation = gt_quat((float)q[0], (float)q[1], (float)q[2], (float)q[3]);
    return local;
}

static GtResult add_node(AsfReader* r, GtScene* scene, GtiWord name, const char* suffix, GtNode* node)
{
    bool repaired = false;
    node->name = gti_push_name(scene, name.text, name.length, suffix, &repaired);
    GtResult result = node->name ? GT_OK : gti_out_of_memory(r->error);
    if (result == GT_OK && repaired && !*suffix) {
        result = gti_words_repair(&r->skeleton.words, GTI_ASF_NOT_UTF8,
                                  "the name of bone '%.64s' was not valid UTF-8 and has been repaired", node->name);
    }
    return result == GT_OK ? gt_scene_add_node(scene, node, NULL, r->error) : result;
}

static GtResult add_nodes(AsfReader* r, GtScene* scene)
{
    const GtiAsfSkeleton* s = &r->skeleton;
    bool* has_child = gt_arena_push_array(s->arena, (size_t)s->bone_count, sizeof *has_child);
    r->nodes = gt_arena_push_array(s->arena, (size_t)s->bone_count, sizeof *r->nodes);
    GtResult result = has_child && r->nodes ? GT_OK : gti_out_of_memory(r->error);
    for (int32_t i = 0; i < s->bone_count && result == GT_OK; ++i) {
        int32_t index = s->order[i];
        const GtiAsfBone* bone = &s->bones[index];
        GtNode node = gt_default_node();
        double offset[3];
        gti_asf_rest_translation(s, index, offset);
        node.local = local_of(r, offset, gti_asf_rest_rotation(s, index), index == GTI_ASF_ROOT);
        if (bone->parent != GT_NONE) {
            node.parent = r->nodes[bone->parent];
            has_child[bone->parent] = true;
        }
        r->nodes[index] = i;
        r->skeleton.words.line = bone->line;
        result = add_node(r, scene, bone->name, "", &node);
    }
    for (int32_t i = 0; i < s->bone_count && result == GT_OK; ++i) {
        const GtiAsfBone* bone = &s->bones[s->order[i]];
        if (!has_child[s->order[i]] && bone->length != 0.0) {
            GtNode node = gt_default_node();
            double end[3] = { bone->direction[0] * bone->length, bone->direction[1] * bone->length,
                              bone->direction[2] * bone->length };
            node.parent = i;
            node.local = local_of(r, end, gti_quat_identity(), false);
            result = add_node(r, scene, bone->name, "_end", &node);
        }
    }
    int32_t* roots = result == GT_OK ? gt_scene_push(scene, 1, sizeof *roots) : NULL;
    if (!roots) {
        return result == GT_OK ? gti_out_of_memory(r->error) : result;
    }
    roots[0] = GTI_ASF_ROOT;
    GtStage stage = { .nodes = roots, .node_count = 1 };
    return gt_scene_add_stage(scene, &stage, &scene->default_stage, r->error);
}

// From the file's units and axes to metres and Y up.
static void bake_curves(AsfReader* r)
{
    GtiAmcMotion* m = &r->motion;
    for (int32_t i = 0; i < r->skeleton.bone_count; ++i) {
        const GtiAmcTrack* track = &m->tracks[i];
        bool root = i == GTI_ASF_ROOT;
        for (int64_t frame = 0; frame < m->frame_count && track->translation != SIZE_MAX; ++frame) {
            float* value = m->data + track->translation + (size_t)frame * 3;
            double offset[3] = { value[0], value[1], value[2] };
            GtVec3 moved = local_of(r, offset, gti_quat_identity(), root).translation;
            memcpy(value, &moved, sizeof moved);
        }
        for (int64_t frame = 0; frame < m->frame_count && root && r->up_axis != GT_UP_Y && track->rotation != SIZE_MAX;
             ++frame) {
            float* value = m->data + track->rotation + (size_t)frame * 4;
            double q[4] = { value[0], value[1], value[2], value[3] };
            gti_bvh_y_from_file_quat(r->up_axis, q);
            for (int k = 0; k < 4; ++k) {
                value[k] = (float)q[k];
            }
        }
    }
}

static GtResult add_animation(AsfReader* r, GtScene* scene)
{
    GtiCurve* curves = gt_arena_push_array(r->skeleton.arena, (size_t)r->skeleton.bone_count, 2 * sizeof *curves);
    GtAnimation animation = { .name = gti_push_stem(scene, r->path, "motion") };
    if (!curves || !animation.name) {
        return gti_out_of_memory(r->error);
    }
    int32_t count = 0;
    for (int32_t i = 0; i < r->skeleton.bone_count; ++i) {
        const GtiAmcTrack* track = &r->motion.tracks[i];
        if (track->translation != SIZE_MAX) {
            curves[count++] = (GtiCurve){ r->nodes[i], GT_PATH_TRANSLATION, track->translation };
        }
        if (track->rotation != SIZE_MAX) {
            curves[count++] = (GtiCurve){ r->nodes[i], GT_PATH_ROTATION, track->rotation };
        }
    }
    return gti_add_curves(scene, &r->motion.blob, r->motion.frame_count, curves, count, &animation, r->error);
}

static GtResult build_scene(AsfReader* r, GtScene** out)
{
    GtResult result = choose_units(r);
    if (result == GT_OK) {
        result = gt_scene_create(r->context, out, r->error);
    }
    if (result != GT_OK) {
        return result;
    }
    GtScene* scene = *out;
    scene->source = (GtSource){ .format = "asf", .metres_per_unit = r->metres_per_unit, .up_axis = r->up_axis };
    if (!gti_push_directory(scene, r->path)) {
        return gti_out_of_memory(r->error);
    }
    result = add_nodes(r, scene);
    if (result == GT_OK && r->moves) {
        bake_curves(r);
        result = add_animation(r, scene);
    }
    return result;
}

// @param motion  or NULL for the skeleton alone
static GtResult read_files(AsfReader* r, const GtiInput* skeleton, const GtiInput* motion, GtScene** out)
{
    GtResult result = gti_asf_parse(r->context, skeleton, &r->skeleton, r->error);
    if (result == GT_OK && motion) {
        r->moves = true;
        result = gti_amc_parse(r->context, motion, &r->skeleton, &r->motion, r->error);
    }
    if (result == GT_OK) {
        result = build_scene(r, out);
    }
    if (result == GT_OK) {
        gti_words_report_repairs(&r->skeleton.words);
        if (motion) {
            gti_words_report_repairs(&r->motion.words);
        }
    }
    return result;
}

static GtResult read_both(const GtContext* context, const GtiInput* skeleton, const GtiInput* motion,
                          const GtLoadDef* def, GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = gti_check_load_def(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    AsfReader reader = { .context = context,
                         .def = def,
                         .error = error,
                         .path = motion ? motion->path : skeleton->path,
                         .skeleton = { .arena = &arena } };
    result = read_files(&reader, skeleton, motion, out);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    gt_blob_release(reader.motion.blob);
    gt_arena_destroy(&arena);
    return result;
}

GtResult gti_asf_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    return read_both(context, input, NULL, def, out, error);
}

GtResult gti_amc_read_on(const GtContext* context, const GtiInput* skeleton, const GtiInput* motion,
                         const GtLoadDef* def, GtScene** out, GtError* error)
{
    return read_both(context, skeleton, motion, def, out, error);
}

// The file name in a comment that Vicon wrote first: "#!OML:ASF F:\VICON\USERDATA\walk.ASF"; *out is NULL where there
// is none. False when memory ran out.
static bool name_of_skeleton(GtArena* arena, const GtiInput* motion, const char** out)
{
    static const char mark[] = "#!OML:ASF";
    const char* text = (const char*)motion->bytes;
    *out = NULL;
    if (motion->size < sizeof mark || memcmp(text, mark, sizeof mark - 1) != 0) {
        return true;
    }
    const char* start = text + sizeof mark - 1;
    const char* end = start;
    while (end < text + motion->size && *end != '\n' && *end != '\r' && *end) {
        start = *end == '\\' || *end == '/' || (*end == ' ' && end == start) ? end + 1 : start;
        ++end;
    }
    while (end > start && end[-1] == ' ') {
        --end;
    }
    *out = gt_arena_push_text(arena, start, (size_t)(end - start));
    return *out != NULL;
}

GtResult gti_amc_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    const char* named = NULL;
    GtResult result = name_of_skeleton(&arena, input, &named) ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK) {
        result = gti_read_on_beside(context, input, named, "asf", gti_amc_read_on, def, out, error);
    }
    gt_arena_destroy(&arena);
    return result;
}
