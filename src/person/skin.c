// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin over the layers: the left half is polygonised on a grid that is fine at hands, feet and face, remeshed to
// the wanted number of well-shaped triangles, and glued to its mirror image along the plane x = 0.

#include "person/person.h"

#include "geometry/isosurface.h"
#include "geometry/remesh.h"

#include <string.h>

enum {
    MAX_LINES = 1024,
    POSE_ROUNDS = 8
};

// Lines of a grid along one axis.
typedef struct Lines {
    float at[MAX_LINES];
    int32_t count;
} Lines;

// Where lines are to be closer together.
typedef struct Band {
    float low, high, step;
} Band;

// From low to high, `step` apart and closer in the bands.
static void lay_lines(Lines* lines, float low, float high, float step, const Band* bands, int band_count)
{
    lines->count = 1;
    lines->at[0] = low;
    for (float at = low; at < high && lines->count < MAX_LINES; lines->at[lines->count++] = at) {
        float next = step;
        for (int i = 0; i < band_count; ++i) {
            if (at >= bands[i].low && at < bands[i].high) {
                next = fminf(next, bands[i].step);
            } else if (bands[i].low > at) {
                next = fminf(next, fmaxf(bands[i].low - at, 0.5f * bands[i].step));
            }
        }
        at += next;
    }
}

static void make_lines(const GtiPerson* person, Lines lines[3])
{
    const GtiSkeleton* s = &person->skeleton;
    float h = (float)s->height_m;
    GtVec3 skull = s->joints[GT_HUMANOID_HEAD];
    float head = s->tips[GT_HUMANOID_HEAD].y - skull.y;
    float foot = (float)s->foot_m;
    float hand = (float)s->hand_m;
    GtVec3 wrist = s->joints[GT_HUMANOID_LEFT_HAND];
    float coarse = 0.011f * h;
    float medium = 0.034f * head;
    const Band x[] = { { 0.0f, 0.52f * head, medium }, { wrist.x, wrist.x + 1.15f * hand, 0.036f * hand } };
    const Band y[] = {
        { -0.06f * foot, 0.4f * foot, 0.03f * foot },
        { wrist.y - 0.40f * hand, wrist.y + 0.18f * hand, 0.030f * hand },
        { skull.y - 0.4f * head, skull.y + 1.2f * head, medium },
    };
    const Band z[] = { { wrist.z - 0.32f * hand, wrist.z + 0.25f * hand, 0.020f * hand },
                       { -0.2f * head, 0.85f * head, medium } };
    lay_lines(&lines[0], 0.0f, wrist.x + 1.15f * hand, coarse, x, 2);
    lay_lines(&lines[1], -0.06f * foot, s->tips[GT_HUMANOID_HEAD].y + 0.3f * head, coarse, y, 3);
    lay_lines(&lines[2], -0.2f * h, fmaxf(0.3f * h, 1.2f * head), coarse, z, 2);
}

// Glue the half to its mirror image: vertices of its boundary are shared, all others double.
static bool mirror(const GtiPersonSkin* half, GtArena* arena, GtiPersonSkin* out)
{
    int32_t vertices = half->mesh.vertex_count;
    int32_t triangles = half->mesh.triangle_count;
    GtiTrimesh* mesh = &out->mesh;
    *out = (GtiPersonSkin){
        .mesh.positions = gt_arena_push(arena, 2 * (size_t)vertices * sizeof *mesh->positions),
        .mesh.triangles = gt_arena_push(arena, 2 * (size_t)triangles * sizeof *mesh->triangles),
        .mesh.triangle_count = 2 * triangles,
        .t_positions = gt_arena_push(arena, 2 * (size_t)vertices * sizeof *out->t_positions),
        .regions = gt_arena_push(arena, 2 * (size_t)triangles),
    };
    int32_t* twins = gt_arena_push(arena, (size_t)vertices * sizeof *twins);
    if (!mesh->positions || !mesh->triangles || !out->t_positions || !out->regions || !twins) {
        return false;
    }
    memcpy(mesh->positions, half->mesh.positions, (size_t)vertices * sizeof *mesh->positions);
    memcpy(out->t_positions, half->t_positions, (size_t)vertices * sizeof *out->t_positions);
    mesh->vertex_count = vertices;
    for (int32_t v = 0; v < vertices; ++v) {
        twins[v] = v;
        if (half->t_positions[v].x != 0.0f) {
            GtVec3 p = half->mesh.positions[v];
            GtVec3 q = half->t_positions[v];
            twins[v] = mesh->vertex_count++;
            mesh->positions[twins[v]] = gt_vec3(-p.x, p.y, p.z);
            out->t_positions[twins[v]] = gt_vec3(-q.x, q.y, q.z);
        }
    }
    for (int32_t t = 0; t < triangles; ++t) {
        const int32_t* from = half->mesh.triangles[t];
        memcpy(mesh->triangles[t], from, sizeof mesh->triangles[t]);
        int32_t* to = mesh->triangles[triangles + t];
        to[0] = twins[from[0]];
        to[1] = twins[from[2]];
        to[2] = twins[from[1]];
        out->regions[t] = half->regions[t];
        out->regions[triangles + t] = half->regions[t];
    }
    return true;
}

static GtVec3 carried(const GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT], GtVec3 p, const uint16_t* joints,
                      const float* weights)
{
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < GTI_INFLUENCES; ++i) {
        GtVec3 q = gt_mat34_point(&pose_from_t[joints[i]], p);
        sum = gt_vec3_add(sum, gt_vec3_scale(q, weights[i]));
    }
    return sum;
}

typedef struct FollowJob {
    const GtiPerson* person;
    const GtVec3* from;
    GtVec3* to;
    uint8_t* rigid;
} FollowJob;

// Carry vertices by their joints, and bring them onto the layers of the rest pose.
static void follow_vertices(void* data, int32_t first, int32_t end)
{
    const FollowJob* job = data;
    GtiField field = gti_layers_field(&job->person->posed);
    float reach = 0.004f * (float)job->person->skeleton.height_m;
    for (int32_t v = first; v < end; ++v) {
        uint16_t joints[GTI_INFLUENCES];
        float weights[GTI_INFLUENCES];
        gti_person_weigh(job->person, job->from[v], joints, weights);
        GtVec3 p = carried(job->person->pose_from_t, job->from[v], joints, weights);
        float arm = 0.0f;
        for (int i = 0; i < GTI_INFLUENCES; ++i) {
            arm += joints[i] == GT_HUMANOID_LEFT_UPPER_ARM ? weights[i] : 0.0f;
        }
        // Only the skin around the shoulder is stretched and folded; the rest moves as it is.
        GtVec3 gradient;
        job->rigid[v] = arm < 0.01f || arm > 0.99f;
        job->to[v] = job->rigid[v] ? p : gti_field_project(&field, p, 0.01f * reach, reach, &gradient);
        if (job->from[v].x == 0.0f) {
            job->to[v] = job->from[v];
            job->rigid[v] = 1;
        }
    }
}

// Bring the half from the T-pose into the rest pose, and smooth it where it folds.
static bool pose_half(const GtiPerson* person, GtiRemeshDef* remesh, GtArena* arena, GtiPersonSkin* half)
{
    int32_t count = half->mesh.vertex_count;
    half->t_positions = half->mesh.positions;
    if (person->def->pose == GT_PERSON_POSE_T) {
        return true;
    }
    GtVec3* posed = gt_arena_push(arena, (size_t)count * sizeof *posed);
    uint8_t* rigid = gt_arena_push(arena, (size_t)count);
    if (!posed || !rigid) {
        return false;
    }
    FollowJob job = { person, half->t_positions, posed, rigid };
    gt_executor_run(remesh->executor, count, 512, follow_vertices, &job);
    half->mesh.positions = posed;
    remesh->field = gti_layers_field(&person->posed);
    return gti_relax(remesh, POSE_ROUNDS, rigid, half->regions, arena->allocator, &half->mesh);
}

// Let the half enclose what the layers do; soles stay flat on the ground.
static bool fit_half(const GtiPerson* person, const GtiRemeshDef* remesh, GtArena* arena, GtiPersonSkin* half)
{
    size_t size = (size_t)half->mesh.vertex_count * sizeof *half->t_positions;
    GtVec3* fitted = gt_arena_push(arena, size);
    if (!fitted) {
        return false;
    }
    const GtVec3* starts = half->mesh.positions;
    half->mesh.positions = memcpy(fitted, starts, size);
    bool moved;
    if (!gti_fit(remesh, 1e-4 * person->skeleton.height_m, arena->allocator, &half->mesh, &moved)) {
        return false;
    }
    for (int32_t v = 0; v < half->mesh.vertex_count; ++v) {
        fitted[v].y = fmaxf(fitted[v].y, fminf(starts[v].y, 0.0f));
    }
    bool as_remeshed = !moved && person->def->pose == GT_PERSON_POSE_T;
    return as_remeshed || gti_untangle(arena->allocator, &half->mesh);
}

bool gti_person_skin(const GtiPerson* person, const GtExecutor* executor, GtArena* arena, GtiPersonSkin* out)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    Lines* lines = gt_arena_push(&scratch, 3 * sizeof *lines);
    GtiPersonSkin half = { 0 };
    bool ok = lines != NULL;
    if (ok) {
        make_lines(person, lines);
        GtiField field = gti_layers_field(&person->layers);
        GtiGrid grid = { { lines[0].at, lines[1].at, lines[2].at },
                         { lines[0].count, lines[1].count, lines[2].count } };
        GtiRemeshDef remesh = {
            .field = field,
            .user = person,
            .size = gti_person_size,
            .label = gti_person_region,
            .triangle_count = person->def->triangle_count / 2,
            .tolerance = 2e-6f * (float)person->skeleton.height_m,
            .executor = executor,
        };
        ok = gti_isosurface(&field, &grid, person->skeleton.joints[GT_HUMANOID_HEAD], &scratch, &half.mesh) &&
             gti_remesh(&remesh, &scratch, &half.mesh, &half.regions) && pose_half(person, &remesh, &scratch, &half) &&
             fit_half(person, &remesh, &scratch, &half) && mirror(&half, arena, out);
    }
    gt_arena_destroy(&scratch);
    return ok;
}

void gti_person_pose_from_t(const GtiSkeleton* t_pose, const GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT],
                            GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT])
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtMat34 joint_from_model = gt_mat34_identity();
        joint_from_model.m[0][3] = -t_pose->joints[j].x;
        joint_from_model.m[1][3] = -t_pose->joints[j].y;
        joint_from_model.m[2][3] = -t_pose->joints[j].z;
        pose_from_t[j] = gt_mat34_mul(model_from_joint[j], joint_from_model);
    }
}
