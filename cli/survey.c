// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Counting and measuring a scene. Accessors are read in pieces, so that a large file costs no more memory; the bounds
// come from the runtime, as anyone who shows the character would see it at rest.

#include "survey.h"

#include "fail.h"

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/instance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void mark_joints(const GtScene* scene, Survey* survey)
{
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        for (int32_t j = 0; j < scene->skins[i].joint_count; ++j) {
            survey->is_joint[scene->skins[i].joints[j]] = true;
        }
    }
    for (int32_t i = 0; i < scene->node_count; ++i) {
        survey->is_joint[i] |= scene->nodes[i].bvh && !scene->nodes[i].bvh->end_site;
        survey->joint_count += survey->is_joint[i];
    }
}

static int64_t count_triangles(const GtScene* scene, const GtPrimitive* primitive, int64_t vertex_count)
{
    int64_t corners =
        primitive->indices == GT_NONE ? vertex_count : (int64_t)scene->accessors[primitive->indices].count;
    switch (primitive->mode) {
    case GT_MODE_TRIANGLES:
        return corners / 3;
    case GT_MODE_TRIANGLE_STRIP:
    case GT_MODE_TRIANGLE_FAN:
        return corners > 2 ? corners - 2 : 0;
    default:
        return 0;
    }
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

static void survey_mesh(const GtScene* scene, int32_t index, AccessorFacts* accessors, MeshFacts* facts)
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
        facts->triangle_count += count_triangles(scene, primitive, vertex_count);
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

static void survey_clip(const GtScene* scene, const GtAnimation* animation, AccessorFacts* accessors, ClipFacts* facts)
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

// Whether an image is a file that is not there. Spaces and the like are written %20 in a URI.
static bool is_missing(const GtScene* scene, const GtImage* image)
{
    if (!image->uri || !strncmp(image->uri, "data:", 5) || strstr(image->uri, "://")) {
        return false;
    }
    Text path = { 0 };
    if (scene->source.directory && scene->source.directory[0] && image->uri[0] != '/') {
        text_addf(&path, "%s/", scene->source.directory);
    }
    for (const char* at = image->uri; *at; ++at) {
        unsigned byte = 0;
        char after = 0;
        if (*at == '%' && sscanf((char[]){ at[1], at[1] ? at[2] : 0, 0 }, "%2x%c", &byte, &after) == 1 && byte) {
            text_add(&path, &(char){ (char)byte }, 1);
            at += 2;
        } else {
            text_add(&path, at, 1);
        }
    }
    bool missing = !path.failed && path.bytes && access(path.bytes, F_OK) != 0;
    text_free(&path);
    return missing;
}

static void widen(Survey* survey, GtVec3 point)
{
    if (!survey->has_bounds) {
        survey->min_m = survey->max_m = point;
        survey->has_bounds = true;
        return;
    }
    survey->min_m =
        gt_vec3(fminf(survey->min_m.x, point.x), fminf(survey->min_m.y, point.y), fminf(survey->min_m.z, point.z));
    survey->max_m =
        gt_vec3(fmaxf(survey->max_m.x, point.x), fmaxf(survey->max_m.y, point.y), fmaxf(survey->max_m.z, point.z));
}

static GtResult measure_character(const GtContext* context, Survey* survey, const GtCharacter* character,
                                  GtError* error)
{
    const GtCharacterDef* def = gt_character_def(character);
    GtAllocator allocator = survey->arena.allocator;
    GtInstance* instance = NULL;
    GtResult result = gt_instance_create(allocator, character, &instance, error);
    if (result != GT_OK) {
        return result;
    }
    gt_instance_update(instance);
    for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
        size_t count = (size_t)def->meshes[m].vertex_count;
        GtVec3* positions = allocator.allocate(allocator.user, count ? count * sizeof *positions : 1);
        if (!positions) {
            result = fail(error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
            break;
        }
        gt_instance_deform(instance, m, positions, NULL, NULL);
        for (size_t v = 0; v < count; ++v) {
            widen(survey, positions[v]);
        }
        allocator.release(allocator.user, positions);
    }
    if (!survey->has_bounds) {
        survey->bounds_are_joints = true;
        for (int32_t n = 0; n < def->node_count; ++n) {
            widen(survey, gt_mat34_translation(&instance->model_from_node[n]));
        }
    }
    if (result == GT_OK) {
        result = survey_surface(context, instance, survey, error);
    }
    gt_instance_destroy(instance);
    return result;
}

static bool measure_bounds(Session* session, const GtScene* scene, const char* path, Survey* survey)
{
    GtBuildDef def = gt_default_build_def();
    def.stage = scene->default_stage;
    GtCharacter* character = NULL;
    GtError error = { 0 };
    session->subject = path;
    GtResult result = gt_character_build(&session->context, scene, &def, &character, NULL, &error);
    result = result == GT_OK ? measure_character(&session->context, survey, character, &error) : result;
    gt_character_destroy(character);
    session->subject = "";
    if (result == GT_ERROR_CANCELLED || result == GT_ERROR_OUT_OF_MEMORY || result == GT_ERROR_STRICT) {
        error_set_file(&error, path);
        return session_fail(session, &error);
    }
    if (result != GT_OK) {
        char text[sizeof error];
        error.file[0] = 0;
        gt_error_format(&error, text, sizeof text);
        session_warn(session, path, "it cannot be posed, so its size is not known: %s", text);
    }
    return true;
}

static bool push_arrays(const GtScene* scene, Survey* out, AccessorFacts** accessors)
{
    GtArena* arena = &out->arena;
    out->is_joint = gt_arena_push_array(arena, (size_t)scene->node_count, sizeof *out->is_joint);
    out->meshes = gt_arena_push_array(arena, (size_t)scene->mesh_count, sizeof *out->meshes);
    out->clips = gt_arena_push_array(arena, (size_t)scene->animation_count, sizeof *out->clips);
    out->image_missing = gt_arena_push_array(arena, (size_t)scene->image_count, sizeof *out->image_missing);
    *accessors = gt_arena_push_array(arena, (size_t)scene->accessor_count, sizeof **accessors);
    bool ok = out->is_joint && out->meshes && out->clips && out->image_missing && *accessors;
    for (int32_t i = 0; ok && i < scene->mesh_count; ++i) {
        out->meshes[i].attributes = gt_arena_push_array(arena, MAX_ATTRIBUTES, sizeof(const char*));
        out->meshes[i].morph_attributes = gt_arena_push_array(arena, MAX_ATTRIBUTES, sizeof(const char*));
        ok = out->meshes[i].attributes && out->meshes[i].morph_attributes;
    }
    return ok;
}

bool survey_scene(Session* session, const GtScene* scene, const char* path, Survey* out)
{
    *out = (Survey){ .arena = gt_arena_create(session->context.allocator), .file_size = -1 };
    AccessorFacts* accessors = NULL;
    if (!push_arrays(scene, out, &accessors)) {
        GtError error;
        fail(&error, GT_ERROR_OUT_OF_MEMORY, path, "out of memory");
        return session_fail(session, &error);
    }
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        out->file_size = status.st_size;
    }
    mark_joints(scene, out);
    for (int32_t i = 0; i < scene->mesh_count; ++i) {
        survey_mesh(scene, i, accessors, &out->meshes[i]);
    }
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        survey_clip(scene, &scene->animations[i], accessors, &out->clips[i]);
    }
    for (int32_t i = 0; i < scene->image_count; ++i) {
        out->image_missing[i] = is_missing(scene, &scene->images[i]);
    }
    return measure_bounds(session, scene, path, out);
}

void survey_free(Survey* survey)
{
    gt_arena_destroy(&survey->arena);
}
