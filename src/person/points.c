// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cubes of the given size that the skin may pass through are found by going from coarse cubes to fine ones; from the
// middle of each a step along the slope leads to the skin, and a point that is in its own cube stays. A plane of area A
// so gets about A / size^2 points. How flesh grows is one evaluation of the fuller layers at each point: what is
// f there, with the slope g at the skin, the skin is -f / |g| farther out.

#include "person/points.h"

#include "person/anatomy.h"
#include "person/person.h"

#include <math.h>
#include <string.h>

enum {
    COARSE = 4, // fine cubes along a coarse one
    MAX_POINTS = 1 << 14,
    INDEX_CELLS = 32, // fewer points than a skin has vertices
};

typedef struct Finder {
    const GtiLayers* layers;
    GtiField field;
    float size; // of fine cubes
    GtiPersonPoint* points;
    int32_t count, limit;
} Finder;

static bool same_cube(GtVec3 a, GtVec3 b, float size)
{
    float half = 0.5f * size;
    return fabsf(a.x - b.x) <= half && fabsf(a.y - b.y) <= half && fabsf(a.z - b.z) <= half;
}

// Slopes of thin ellipsoids are only about right, so that cubes somewhat farther away are looked at, too.
static bool may_hold_skin(const Finder* f, GtVec3 middle, float size)
{
    return fabsf(gti_field_value(&f->field, middle)) < 1.1f * size;
}

static void find_in_cube(Finder* f, GtVec3 middle)
{
    if (f->count >= f->limit || !may_hold_skin(f, middle, f->size)) {
        return;
    }
    GtVec3 normal = { 0.0f, 0.0f, 0.0f };
    GtVec3 p = gti_field_project(&f->field, middle, 0.02f * f->size, 1.5f * f->size, &normal);
    if (p.x > 0.0f && same_cube(p, middle, f->size) && fabsf(gti_field_value(&f->field, p)) < 0.1f * f->size) {
        f->points[f->count++] =
            (GtiPersonPoint){ .position = p, .normal = gt_vec3_normalize_or(normal, gt_vec3(0.0f, 1.0f, 0.0f)) };
    }
}

static void find_in_coarse_cube(Finder* f, GtVec3 low)
{
    float coarse = COARSE * f->size;
    GtVec3 half = gt_vec3(0.5f * coarse, 0.5f * coarse, 0.5f * coarse);
    if (!may_hold_skin(f, gt_vec3_add(low, half), coarse)) {
        return;
    }
    for (int i = 0; i < COARSE * COARSE * COARSE; ++i) {
        GtVec3 at = gt_vec3((float)(i % COARSE) + 0.5f, (float)(i / COARSE % COARSE) + 0.5f,
                            (float)(i / (COARSE * COARSE)) + 0.5f);
        find_in_cube(f, gt_vec3_add(low, gt_vec3_scale(at, f->size)));
    }
}

// The left half of the space around the person.
static void find_left(Finder* f, const GtiSkeleton* skeleton)
{
    float height = (float)skeleton->height_m;
    float coarse = COARSE * f->size;
    float reach = skeleton->tips[GT_HUMANOID_LEFT_MIDDLE_DISTAL].x + 0.05f * height;
    const float lows[3] = { 0.0f, -0.02f * height, -0.2f * height };
    const float highs[3] = { reach, 1.05f * height, 0.2f * height };
    int32_t counts[3];
    for (int i = 0; i < 3; ++i) {
        counts[i] = (int32_t)ceilf((highs[i] - lows[i]) / coarse);
    }
    for (int32_t z = 0; z < counts[2]; ++z) {
        for (int32_t y = 0; y < counts[1]; ++y) {
            for (int32_t x = 0; x < counts[0]; ++x) {
                find_in_coarse_cube(
                    f, gt_vec3(lows[0] + coarse * (float)x, lows[1] + coarse * (float)y, lows[2] + coarse * (float)z));
            }
        }
    }
}

// Layers of a fuller person with the same skeleton. Those near a place are nearly the same, so the index serves both.
static void grow_layers(const GtiPerson* person, const GtPersonDef* def, GtiLayers* out)
{
    GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT];
    gti_skeleton_model(&person->skeleton, model_from_joint);
    gti_anatomy_build(def, &person->skeleton, out);
    gti_layers_pose(out, model_from_joint);
    out->index = person->layers.index;
}

static void measure_growth(const GtiPerson* person, GtiFlesh flesh, GtiLayers* layers, GtiPersonPoint* points,
                           int32_t count)
{
    const float step = 0.25f;
    GtPersonDef def = *person->def;
    double* const values[GTI_FLESH_COUNT] = { &def.build, &def.muscle, &def.sex };
    *values[flesh] += (double)step;
    grow_layers(person, &def, layers);
    for (int32_t i = 0; i < count; ++i) {
        points[i].growth[flesh] = -gti_layers_value(layers, points[i].position) / step;
    }
}

static GtiPersonPoint mirrored(const GtiPersonPoint* point)
{
    GtiPersonPoint twin = *point;
    twin.position.x = -point->position.x;
    twin.normal.x = -point->normal.x;
    for (int k = 0; k < GTI_POINT_INFLUENCES; ++k) {
        twin.joints[k] = (uint16_t)gt_humanoid_mirror((GtHumanoidJoint)point->joints[k]);
    }
    return twin;
}

// What points and their weights need of a person.
static bool prepare(const GtPersonDef* def, GtArena* arena, GtiPerson* out)
{
    GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT];
    out->def = def;
    gti_person_skeleton(def, &out->skeleton);
    out->skeleton.pose = GT_PERSON_POSE_T;
    gti_anatomy_build(def, &out->skeleton, &out->layers);
    gti_skeleton_model(&out->skeleton, model_from_joint);
    gti_layers_pose(&out->layers, model_from_joint);
    return gti_layers_index(&out->layers, INDEX_CELLS, arena);
}

static bool find_points(const GtPersonDef* def, float spacing_m, GtArena* arena, GtArena* scratch, GtiPersonPoints* out)
{
    GtiPerson* person = gt_arena_push_array(scratch, 1, sizeof *person);
    GtiLayers* fuller = gt_arena_push(scratch, sizeof *fuller);
    GtiPersonPoint* found = gt_arena_push(scratch, MAX_POINTS / 2 * sizeof *found);
    if (!person || !fuller || !found || !prepare(def, scratch, person)) {
        return false;
    }
    Finder finder = { .layers = &person->layers,
                      .field = gti_layers_field(&person->layers),
                      .size = spacing_m,
                      .points = found,
                      .limit = MAX_POINTS / 2 };
    find_left(&finder, &person->skeleton);
    for (int flesh = 0; flesh < GTI_FLESH_COUNT; ++flesh) {
        measure_growth(person, (GtiFlesh)flesh, fuller, found, finder.count);
    }
    out->skeleton = person->skeleton;
    out->count = 2 * finder.count;
    out->points = gt_arena_push_array(arena, (size_t)out->count, sizeof *out->points);
    if (!out->points) {
        return false;
    }
    for (int32_t i = 0; i < finder.count; ++i) {
        gti_person_weigh(person, found[i].position, found[i].joints, found[i].weights);
        out->points[i] = found[i];
        out->points[finder.count + i] = mirrored(&found[i]);
    }
    return true;
}

bool gti_person_points(const GtPersonDef* def, float spacing_m, GtArena* arena, GtiPersonPoints* out)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    *out = (GtiPersonPoints){ 0 };
    bool ok = find_points(def, spacing_m, arena, &scratch, out);
    gt_arena_destroy(&scratch);
    return ok;
}
