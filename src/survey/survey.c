// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Counting what is in a scene. Accessors are read in pieces, so that a large file costs no more memory.

#include "survey/pack.h"
#include "survey/rest.h"

#include "base/fail.h"
#include "gertie/accessor.h"
#include "gertie/file.h"
#include "io/image.h"
#include "io/mesh/walk.h"
#include "io/uri.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum {
    PIECE = 1024,       // elements read at once
    MAX_ATTRIBUTES = 64 // listed of a mesh; files have a dozen
};

// What was found in an accessor, kept because any number of primitives and clips may share one.
typedef struct AccessorFacts {
    int32_t counted_in; // mesh whose vertices it was last counted in, plus 1
    bool has_influences;
    int32_t influence_count;
    bool has_rate;
    double rate_hz;
} AccessorFacts;

static int32_t mark_joints(const GtScene* scene, bool* is_joint)
{
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        for (int32_t j = 0; j < scene->skins[i].joint_count; ++j) {
            is_joint[scene->skins[i].joints[j]] = true;
        }
    }
    int32_t count = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        is_joint[i] |= scene->nodes[i].bvh && !scene->nodes[i].bvh->end_site;
        count += is_joint[i];
    }
    return count;
}

// Joints with a weight, over all sets of four, of the vertex that has most.
static int32_t count_influences(const GtScene* scene, const GtPrimitive* primitive)
{
    enum {
        MAX_SETS = 4
    };
    int32_t sets[MAX_SETS];
    int set_count = 0;
    for (char name[] = "WEIGHTS_0"; set_count < MAX_SETS; ++set_count, ++name[8]) {
        sets[set_count] = gt_primitive_find(primitive, name);
        if (sets[set_count] == GT_NONE) {
            break;
        }
    }
    int32_t most = 0;
    uint64_t count = set_count ? scene->accessors[sets[0]].count : 0;
    for (uint64_t first = 0; first < count; first += PIECE) {
        uint64_t size = count - first < PIECE ? count - first : PIECE;
        int32_t used[PIECE] = { 0 };
        float weights[PIECE * 4];
        for (int s = 0; s < set_count; ++s) {
            gt_accessor_read_floats(scene, sets[s], first, size, weights);
            for (uint64_t i = 0; i < 4 * size; ++i) {
                used[i / 4] += weights[i] > 0.0f;
            }
        }
        for (uint64_t i = 0; i < size; ++i) {
            most = used[i] > most ? used[i] : most;
        }
    }
    return most;
}

static void add_attributes(const GtAttribute* attributes, int32_t count, const char** names, int32_t* name_count)
{
    for (int32_t a = 0; a < count; ++a) {
        int32_t same = 0;
        while (same < *name_count && strcmp(names[same], attributes[a].name) != 0) {
            ++same;
        }
        if (same == *name_count && same < MAX_ATTRIBUTES) {
            names[(*name_count)++] = attributes[a].name;
        }
    }
}

static void survey_mesh(const GtScene* scene, int32_t index, AccessorFacts* accessors, GtMeshSurvey* facts)
{
    const GtMesh* mesh = &scene->meshes[index];
    for (int32_t p = 0; p < mesh->primitive_count; ++p) {
        const GtPrimitive* primitive = &mesh->primitives[p];
        int32_t positions = gt_primitive_find(primitive, "POSITION");
        int32_t weights = gt_primitive_find(primitive, "WEIGHTS_0");
        int64_t vertex_count = positions == GT_NONE ? 0 : (int64_t)scene->accessors[positions].count;
        if (positions != GT_NONE && accessors[positions].counted_in != index + 1) {
            accessors[positions].counted_in = index + 1;
            facts->vertex_count += vertex_count;
        }
        if (weights != GT_NONE && !accessors[weights].has_influences) {
            accessors[weights].has_influences = true;
            accessors[weights].influence_count = count_influences(scene, primitive);
        }
        if (weights != GT_NONE && accessors[weights].influence_count > facts->influence_count) {
            facts->influence_count = accessors[weights].influence_count;
        }
        facts->triangle_count += (int64_t)gti_primitive_triangle_count(scene, primitive, (uint64_t)vertex_count);
        add_attributes(primitive->attributes, primitive->attribute_count, facts->attributes, &facts->attribute_count);
        for (int32_t t = 0; t < mesh->target_count; ++t) {
            add_attributes(primitive->targets[t].attributes, primitive->targets[t].attribute_count,
                           facts->morph_attributes, &facts->morph_attribute_count);
        }
    }
}

// The rate of even keys; 0 where a gap is more than 2 % off.
static double key_rate_hz(const GtScene* scene, int32_t input)
{
    uint64_t count = scene->accessors[input].count;
    float start_s = 0.0f;
    float end_s = 0.0f;
    gt_accessor_read_floats(scene, input, 0, 1, &start_s);
    gt_accessor_read_floats(scene, input, count - 1, 1, &end_s);
    if (count < 2 || !(end_s > start_s)) {
        return 0.0;
    }
    double gap = ((double)end_s - (double)start_s) / (double)(count - 1);
    double slack = fmax(0.02 * gap, 1e-6 * (double)end_s);
    for (uint64_t first = 0; first < count; first += PIECE) {
        uint64_t size = count - first < PIECE ? count - first : PIECE;
        float times[PIECE];
        gt_accessor_read_floats(scene, input, first, size, times);
        for (uint64_t i = 0; i < size; ++i) {
            if (!(fabs((double)times[i] - ((double)start_s + gap * (double)(first + i))) <= slack)) {
                return 0.0;
            }
        }
    }
    return 1.0 / gap;
}

static void survey_clip(const GtScene* scene, const GtAnimation* animation, AccessorFacts* accessors,
                        GtClipSurvey* facts)
{
    int32_t longest = GT_NONE;
    for (int32_t i = 0; i < animation->sampler_count; ++i) {
        int32_t input = animation->samplers[i].input;
        uint64_t count = scene->accessors[input].count;
        float ends_s[2] = { 0 };
        if (count == 0) {
            continue;
        }
        gt_accessor_read_floats(scene, input, 0, 1, &ends_s[0]);
        gt_accessor_read_floats(scene, input, count - 1, 1, &ends_s[1]);
        facts->start_s = longest == GT_NONE ? (double)ends_s[0] : fmin(facts->start_s, (double)ends_s[0]);
        facts->end_s = longest == GT_NONE ? (double)ends_s[1] : fmax(facts->end_s, (double)ends_s[1]);
        if ((int64_t)count > facts->key_count) {
            facts->key_count = (int64_t)count;
            longest = input;
        }
    }
    if (longest != GT_NONE) {
        AccessorFacts* accessor = &accessors[longest];
        accessor->rate_hz = accessor->has_rate ? accessor->rate_hz : key_rate_hz(scene, longest);
        accessor->has_rate = true;
        facts->rate_hz = accessor->rate_hz;
    }
}

// See whether an image is a file that is not there; false when memory ran out.
static bool find_image(GtArena* scratch, const GtScene* scene, const GtImage* image, bool* missing)
{
    bool is_file = image->uri && gti_uri_kind(image->uri, strlen(image->uri)) == GTI_URI_FILE;
    bool failed = false;
    *missing = is_file && !gti_image_file(scratch, scene->source.directory, image->uri, &failed);
    return !failed;
}

// The surface at rest, or a warning why there is none.
static GtResult measure_rest(const GtContext* context, GtSurvey* survey, GtError* error)
{
    GtError reason = { 0 };
    GtResult result = gti_survey_rest(context, survey, &reason);
    if (result == GT_ERROR_CANCELLED || result == GT_ERROR_OUT_OF_MEMORY || result == GT_ERROR_STRICT) {
        *error = reason;
        return result;
    }
    if (result != GT_OK) {
        char text[sizeof reason];
        reason.file[0] = 0;
        gt_error_format(&reason, text, sizeof text);
        gti_warn(context, survey->scene->source.file, NULL, "it cannot be posed, so its size is not known: %s", text);
    }
    return GT_OK;
}

static GtResult find_controls(const GtContext* context, GtSurvey* survey, GtError* error)
{
    GtError reason = { 0 };
    GtResult result = gt_scene_sculpt(context, survey->scene, &survey->sculpt, &reason);
    if (result == GT_ERROR_OUT_OF_MEMORY || result == GT_ERROR_CANCELLED) {
        *error = reason;
        return result;
    }
    if (result != GT_OK) {
        gti_warn(context, survey->scene->source.file, "extensions.GERTIE_deform", "%s%s%s", reason.where,
                 reason.where[0] ? ": " : "", reason.message);
    }
    return gt_face_create(context, survey->scene, &survey->face, error);
}

static int64_t size_of_file(const char* path)
{
    struct stat status;
    return path && stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (int64_t)status.st_size : -1;
}

static bool leaves_units_open(const char* format)
{
    return gt_format_holds(format, 0) && !gt_format_holds(format, GT_HOLDS_UNITS);
}

static GtResult count_all(const GtContext* context, GtSurvey* survey, GtError* error)
{
    const GtScene* scene = survey->scene;
    GtArena* arena = &survey->arena;
    GtArena scratch = gt_arena_create(context->allocator);
    bool* is_joint = gt_arena_push_array(arena, (size_t)scene->node_count, sizeof *is_joint);
    GtMeshSurvey* meshes = gt_arena_push_array(arena, (size_t)scene->mesh_count, sizeof *meshes);
    GtClipSurvey* clips = gt_arena_push_array(arena, (size_t)scene->animation_count, sizeof *clips);
    bool* image_missing = gt_arena_push_array(arena, (size_t)scene->image_count, sizeof *image_missing);
    AccessorFacts* accessors = gt_arena_push_array(&scratch, (size_t)scene->accessor_count, sizeof *accessors);
    bool ok = is_joint && meshes && clips && image_missing && accessors;
    if (ok) {
        survey->joint_count = mark_joints(scene, is_joint);
    }
    for (int32_t i = 0; ok && i < scene->mesh_count; ++i) {
        meshes[i].attributes = gt_arena_push_array(arena, MAX_ATTRIBUTES, sizeof(const char*));
        meshes[i].morph_attributes = gt_arena_push_array(arena, MAX_ATTRIBUTES, sizeof(const char*));
        ok = meshes[i].attributes && meshes[i].morph_attributes;
        if (ok) {
            survey_mesh(scene, i, accessors, &meshes[i]);
        }
    }
    for (int32_t i = 0; ok && i < scene->animation_count; ++i) {
        survey_clip(scene, &scene->animations[i], accessors, &clips[i]);
    }
    for (int32_t i = 0; ok && i < scene->image_count; ++i) {
        ok = find_image(&scratch, scene, &scene->images[i], &image_missing[i]);
    }
    survey->is_joint = is_joint;
    survey->meshes = meshes;
    survey->clips = clips;
    survey->image_missing = image_missing;
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

GtResult gt_scene_survey(const GtContext* context, const GtScene* scene, GtSurvey** out, GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtSurvey* survey = gt_arena_push_array(&arena, 1, sizeof *survey);
    if (!survey) {
        return gti_out_of_memory(error);
    }
    *survey = (GtSurvey){ .scene = scene, .file_size = size_of_file(scene->source.file), .arena = arena };
    survey->file_units_open = leaves_units_open(scene->source.file_format);
    survey->source_units_open = !survey->file_units_open && leaves_units_open(scene->source.format);
    GtResult result = count_all(context, survey, error);
    result = result == GT_OK ? measure_rest(context, survey, error) : result;
    result = result == GT_OK ? find_controls(context, survey, error) : result;
    result = result == GT_OK ? gti_survey_pack(context, survey, error) : result;
    if (result == GT_OK) {
        *out = survey;
    } else {
        gt_survey_destroy(survey);
    }
    return result;
}

void gt_survey_destroy(GtSurvey* survey)
{
    if (survey) {
        gt_face_destroy(survey->face);
        gt_sculpt_destroy(survey->sculpt);
        gt_arena_destroy(&survey->arena);
    }
}
