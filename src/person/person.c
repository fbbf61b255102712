// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The person: the skin of the layers in the rest pose, with normals from their slope, colours by region and weights.
// Along borders of regions vertices double, so that colours stay crisp.

#include "gertie/person.h"

#include "base/fail.h"
#include "base/field_table.h"
#include "base/scalar.h"
#include "person/person.h"

#include <string.h>

static bool allocate_body(GtiPersonBody* body, GtArena* arena, size_t vertices, size_t triangles)
{
    *body = (GtiPersonBody){
        .positions = gt_arena_push_array(arena, vertices, sizeof *body->positions),
        .normals = gt_arena_push_array(arena, vertices, sizeof *body->normals),
        .colors = gt_arena_push_array(arena, vertices, sizeof *body->colors),
        .joints = gt_arena_push_array(arena, vertices, sizeof *body->joints),
        .weights = gt_arena_push_array(arena, vertices, sizeof *body->weights),
        .indices = gt_arena_push_array(arena, triangles * 3, sizeof *body->indices),
    };
    return body->positions && body->normals && body->colors && body->joints && body->weights && body->indices;
}

// glTF's vertex colours are linear.
static void linear_color(uint32_t srgb, uint8_t out[4])
{
    for (int i = 0; i < 3; ++i) {
        double c = (double)(srgb >> (16 - 8 * i) & 255) / 255.0;
        out[i] = (uint8_t)(255.0 * gti_linear_from_srgb(c) + 0.5);
    }
    out[3] = 255;
}

static uint32_t mix(uint32_t a, uint32_t b, double at)
{
    uint32_t out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double c = (double)(a >> shift & 255) * (1.0 - at) + (double)(b >> shift & 255) * at;
        out |= (uint32_t)(c + 0.5) << shift;
    }
    return out;
}

static void make_palette(const GtPersonDef* def, uint8_t palette[GTI_REGION_COUNT][4])
{
    const uint32_t colors[GTI_REGION_COUNT] = {
        [GTI_REGION_SKIN] = def->skin_color,
        [GTI_REGION_LIPS] = mix(def->skin_color, 0xA83A3E, 0.45),
        [GTI_REGION_BROWS] = mix(def->hair_color, def->skin_color, 0.12),
        [GTI_REGION_HAIR] = def->hair_color,
        [GTI_REGION_SHIRT] = def->shirt_color,
        [GTI_REGION_TROUSERS] = def->trousers_color,
        [GTI_REGION_SHOES] = def->shoe_color,
        [GTI_REGION_SOLES] = 0xF4F1EA,
        [GTI_REGION_EYE_WHITES] = 0xF7F4F0,
        [GTI_REGION_IRISES] = def->eye_color,
        [GTI_REGION_PUPILS] = 0x16110F,
    };
    for (int i = 0; i < GTI_REGION_COUNT; ++i) {
        linear_color(colors[i], palette[i]);
    }
}

// One vertex for each region that meets at a vertex of the skin.
static bool spread_regions(const GtiTrimesh* skin, const uint8_t* regions, const GtPersonDef* def, GtArena* arena,
                           GtiPersonBody* body, int32_t** sources)
{
    uint8_t palette[GTI_REGION_COUNT][4];
    make_palette(def, palette);
    size_t most = (size_t)skin->vertex_count + 3 * (size_t)skin->triangle_count / 2;
    int32_t* first = gt_arena_push(arena, (size_t)skin->vertex_count * sizeof *first);
    int32_t* next = gt_arena_push(arena, most * sizeof *next);
    uint8_t* region_of = gt_arena_push(arena, most);
    *sources = gt_arena_push(arena, most * sizeof **sources);
    uint32_t* indices = gt_arena_push(arena, 3 * (size_t)skin->triangle_count * sizeof *indices);
    if (!first || !next || !region_of || !*sources || !indices) {
        return false;
    }
    memset(first, 0xFF, (size_t)skin->vertex_count * sizeof *first);
    int32_t count = 0;
    for (int32_t c = 0; c < 3 * skin->triangle_count; ++c) {
        int32_t v = skin->triangles[c / 3][c % 3];
        int32_t at = first[v];
        while (at >= 0 && region_of[at] != regions[c / 3]) {
            at = next[at];
        }
        if (at < 0) {
            at = count++;
            next[at] = first[v];
            first[v] = at;
            region_of[at] = regions[c / 3];
            (*sources)[at] = v;
        }
        indices[c] = (uint32_t)at;
    }
    if (!allocate_body(body, arena, (size_t)count, (size_t)skin->triangle_count)) {
        return false;
    }
    body->vertex_count = count;
    body->index_count = 3 * skin->triangle_count;
    memcpy(body->indices, indices, (size_t)body->index_count * sizeof *indices);
    for (int32_t i = 0; i < count; ++i) {
        memcpy(body->colors[i], palette[region_of[i]], 4);
    }
    return true;
}

typedef struct DressJob {
    const GtiPerson* person;
    const GtiPersonSkin* skin;
    const int32_t* sources;
    GtiPersonBody* body;
} DressJob;

static GtVec3 mirrored(GtVec3 v)
{
    return gt_vec3(-v.x, v.y, v.z);
}

// Everything is computed on the left, so that both sides agree to the last bit.
static void dress_vertices(void* data, int32_t first, int32_t end)
{
    const DressJob* job = data;
    GtiField field = gti_layers_field(&job->person->posed);
    float step = 5e-4f * (float)job->person->skeleton.height_m;
    for (int32_t i = first; i < end; ++i) {
        GtVec3 p = job->skin->mesh.positions[job->sources[i]];
        GtVec3 t_pose = job->skin->t_positions[job->sources[i]];
        bool right = t_pose.x < 0.0f;
        uint16_t* joints = job->body->joints[i];
        float* weights = job->body->weights[i];
        gti_person_weigh(job->person, right ? mirrored(t_pose) : t_pose, joints, weights);
        GtVec3 normal = gti_field_gradient(&field, right ? mirrored(p) : p, step);
        normal.x = p.x == 0.0f ? 0.0f : normal.x;
        normal = gt_vec3_normalize_or(normal, gt_vec3(0.0f, 0.0f, 1.0f));
        for (int k = 0; k < GTI_INFLUENCES && right; ++k) {
            joints[k] = weights[k] > 0.0f ? (uint16_t)gt_humanoid_mirror((GtHumanoidJoint)joints[k]) : 0;
        }
        job->body->positions[i] = p;
        job->body->normals[i] = right ? mirrored(normal) : normal;
    }
}

static void fill_report(const GtiPerson* person, const GtiTrimesh* skin, const GtiPersonBody* body,
                        GtPersonReport* report)
{
    GtiTriangleShape shape = gti_trimesh_shape(skin);
    *report = (GtPersonReport){
        .triangle_count = body->index_count / 3,
        .vertex_count = body->vertex_count,
        .volume_m3 = shape.volume_m3,
        .area_m2 = shape.area_m2,
        .min_angle_rad = shape.min_angle_rad,
        .mean_min_angle_rad = shape.mean_min_angle_rad,
        .sliver_share = shape.sliver_share,
    };
    gti_person_mass(person, shape.volume_m3, report->segment_mass_kg);
    for (int i = 0; i < GT_PERSON_SEGMENT_COUNT; ++i) {
        report->mass_kg += report->segment_mass_kg[i];
    }
}

static bool make_bare(const GtiPerson* person, const GtiTrimesh* skin, GtArena* arena, GtiPersonBody* body)
{
    GtiTrimesh scan = *skin;
    if (!gti_person_scan(person, arena, &scan)) {
        return false;
    }
    *body = (GtiPersonBody){ .vertex_count = scan.vertex_count,
                             .index_count = 3 * scan.triangle_count,
                             .positions = scan.positions,
                             .indices =
                                 gt_arena_push_array(arena, 3 * (size_t)scan.triangle_count, sizeof *body->indices) };
    for (int32_t i = 0; i < body->index_count && body->indices; ++i) {
        body->indices[i] = (uint32_t)scan.triangles[i / 3][i % 3];
    }
    return body->indices != NULL;
}

bool gti_person_dress(const GtContext* context, const GtiPerson* person, const GtiPersonSkin* skin, GtArena* arena,
                      GtiPersonBody* body, int32_t** sources)
{
    if (!spread_regions(&skin->mesh, skin->regions, person->def, arena, body, sources)) {
        return false;
    }
    DressJob job = { person, skin, *sources, body };
    gt_executor_run(&context->executor, body->vertex_count, 512, dress_vertices, &job);
    return true;
}

static GtResult fill_scene(const GtContext* context, GtScene* scene, const GtiPerson* person, GtArena* scratch,
                           GtPersonReport* report, GtError* error)
{
    GtiPersonSkin skin;
    GtiPersonBody body;
    GtResult result = gti_progress(context, error, "making the skin", 0.0);
    if (result != GT_OK) {
        return result;
    }
    int32_t* sources;
    bool ok = gti_person_skin(person, &context->executor, scratch, &skin) &&
              (person->def->scan.bare ? make_bare(person, &skin.mesh, scratch, &body)
                                      : gti_person_dress(context, person, &skin, scratch, &body, &sources));
    if (!ok) {
        return gti_out_of_memory(error);
    }
    result = gti_progress(context, error, "making the skin", 0.9);
    if (result != GT_OK) {
        return result;
    }
    if (report) {
        fill_report(person, &skin.mesh, &body, report);
    }
    GtiSkeleton rest = person->skeleton;
    rest.pose = person->def->pose;
    return gti_person_add(scene, &body, &rest, error);
}

GtResult gti_person_check(const GtPersonDef* def, GtError* error)
{
    GtResult result = gti_fields_check(gt_person_def_fields(), def, error);
    const GtPersonScan* scan = &def->scan;
    bool plain = scan->noise_m == 0.0 && scan->hole_count == 0 && scan->island_count == 0 && scan->up_axis == GT_UP_Y &&
                 scan->metres_per_unit == 1.0;
    if (result == GT_OK && !scan->bare && !plain) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE,
                          "noise, holes, islands, up axis and units are those of a scan; ask for a bare mesh");
    }
    return result;
}

GtResult gt_sample_person(const GtContext* context, const GtPersonDef* def, GtScene** out, GtPersonReport* report,
                          GtError* error)
{
    def = def ? def : (GtPersonDef[]){ gt_default_person_def() };
    *out = NULL;
    GtResult result = gti_person_check(def, error);
    GtArena scratch = gt_arena_create(context->allocator);
    GtiPerson* person = NULL;
    if (result == GT_OK) {
        person = gt_arena_push(&scratch, sizeof *person);
        result = person && gti_person_prepare(def, &scratch, person) ? GT_OK : gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        result = gt_scene_create(context, out, error);
    }
    if (result == GT_OK) {
        result = fill_scene(context, *out, person, &scratch, report, error);
    }
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
