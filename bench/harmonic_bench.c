// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Harmonic deformation of the built-in person beside the straightforward program: the same six steps in double
// precision with CHOLMOD, both systems factored once without supernodes, one frame at a time, vertices renumbered in
// the order they are eliminated in. Ours writes vertices in the mesh's own order. usage: harmonic_bench [TRIANGLES...]

#include "bench.h"

#include "gertie/accessor.h"
#include "gertie/harmonic.h"
#include "gertie/person.h"
#include "gertie/simd.h"

#include "geometry/laplacian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

enum {
    MARKERS = 180,
    FRAMES = 32
};

static const float RADIUS_M = 0.015f;

static void* reserve(size_t count, size_t size)
{
    size_t bytes = (count * size + 63) / 64 * 64;
    void* memory = aligned_alloc(64, bytes ? bytes : 64);
    if (!memory) {
        fprintf(stderr, "harmonic_bench: out of memory\n");
        exit(1);
    }
    return memset(memory, 0, bytes);
}

typedef struct Model {
    GtHarmonicDef def;
    GtVec3* positions;
    uint32_t* indices;
    GtHarmonicMarker markers[MARKERS];
} Model;

// Markers as far from each other as can be, one after the other.
static void place_markers(Model* model)
{
    int32_t count = model->def.vertex_count;
    float* distances = reserve((size_t)count, sizeof *distances);
    int32_t next = 0;
    for (int32_t v = 0; v < count; ++v) {
        distances[v] = INFINITY;
    }
    for (int m = 0; m < MARKERS; ++m) {
        GtVec3 p = model->positions[next];
        model->markers[m] = (GtHarmonicMarker){ .triangle = GT_NONE, .point = p, .radius = RADIUS_M };
        for (int32_t v = 0; v < count; ++v) {
            distances[v] = fminf(distances[v], gt_vec3_length(gt_vec3_sub(model->positions[v], p)));
        }
        for (int32_t v = 0; v < count; ++v) {
            next = distances[v] > distances[next] ? v : next;
        }
    }
    free(distances);
}

static void create_model(int32_t triangle_count, Model* model)
{
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = triangle_count;
    person.scan.bare = true;
    BENCH_OK(gt_sample_person(&context, &person, &scene, NULL, &error));
    const GtPrimitive* primitive = &scene->meshes[0].primitives[0];
    int32_t positions = gt_primitive_find(primitive, "POSITION");
    uint64_t vertex_count = scene->accessors[positions].count;
    uint64_t index_count = scene->accessors[primitive->indices].count;
    model->positions = reserve(vertex_count, sizeof *model->positions);
    model->indices = reserve(index_count, sizeof *model->indices);
    gt_accessor_read_floats(scene, positions, 0, vertex_count, &model->positions[0].x);
    gt_accessor_read_uints(scene, primitive->indices, 0, index_count, model->indices);
    model->def = gt_default_harmonic_def();
    model->def.positions = model->positions;
    model->def.vertex_count = (int32_t)vertex_count;
    model->def.indices = model->indices;
    model->def.triangle_count = (int32_t)(index_count / 3);
    model->def.markers = model->markers;
    model->def.marker_count = MARKERS;
    model->def.anchor_everywhere = false; // hips
    model->def.anchor = (GtHarmonicMarker){ .triangle = GT_NONE, .point = gt_vec3(0.0f, 0.9f, 0.1f), .radius = 0.1f };
    gt_scene_destroy(scene);
    place_markers(model);
}

// Limbs swing by up to a radian, smoothly over the body.
static void create_motion(const Model* model, GtQuat (*rotations)[MARKERS])
{
    for (int f = 0; f < FRAMES; ++f) {
        float phase = 6.2831853f * (float)f / FRAMES;
        for (int m = 0; m < MARKERS; ++m) {
            GtVec3 p = model->markers[m].point;
            GtVec3 axis = gt_vec3(cosf(3.0f * p.y), 0.3f, sinf(2.0f * p.x + 0.5f));
            axis = gt_vec3_normalize_or(axis, gt_vec3(1.0f, 0.0f, 0.0f));
            rotations[f][m] = gt_quat_from_axis_angle(axis, sinf(phase + 2.0f * p.y + 1.5f * p.x));
        }
    }
}

// The straightforward program.
typedef struct Plain {
    cholmod_common common;
    cholmod_factor* laplace;
    cholmod_factor* poisson;
    cholmod_dense* turns_right;
    cholmod_dense* turns;
    cholmod_dense* points_right;
    cholmod_dense* points;
    cholmod_dense* work[2];
    int32_t vertex_count;
    int32_t triangle_count;
    int32_t (*triangles)[3];
    double (*vectors)[3][3]; // [triangle_count] what each corner adds to the right side at rest
    int32_t* places;         // [vertex_count] from the mesh's order
    int32_t* holders;
    int32_t border_count; // edges from a vertex that is free to one that is held
    int32_t (*borders)[2];
    double* border_weights;
    const GtQuat (*rotations)[MARKERS];
    int frame;
} Plain;

static cholmod_sparse* plain_matrix(Plain* plain, const GtiLaplacian* laplacian, const uint8_t* fixed, double least)
{
    int32_t n = plain->vertex_count;
    cholmod_triplet* entries = cholmod_allocate_triplet((size_t)n, (size_t)n, (size_t)(n + laplacian->starts[n]), -1,
                                                        CHOLMOD_REAL, &plain->common);
    int32_t* rows = entries->i;
    int32_t* columns = entries->j;
    double* values = entries->x;
    for (int32_t v = 0; v < n; ++v) {
        double sum = 0.0;
        for (int32_t i = laplacian->starts[v]; i < laplacian->starts[v + 1]; ++i) {
            int32_t to = laplacian->neighbours[i];
            double weight = fmax(laplacian->weights[i], least);
            sum += weight;
            if (to > v && !fixed[v] && !fixed[to]) {
                rows[entries->nnz] = to;
                columns[entries->nnz] = v;
                values[entries->nnz++] = -weight;
            }
        }
        rows[entries->nnz] = columns[entries->nnz] = v;
        values[entries->nnz++] = fixed[v] ? 1.0 : sum;
    }
    cholmod_sparse* matrix = cholmod_triplet_to_sparse(entries, entries->nnz, &plain->common);
    cholmod_free_triplet(&entries, &plain->common);
    return matrix;
}

static cholmod_factor* plain_factor(Plain* plain, cholmod_sparse* matrix)
{
    cholmod_factor* factor = cholmod_analyze(matrix, &plain->common);
    cholmod_factorize(matrix, factor, &plain->common);
    cholmod_free_sparse(&matrix, &plain->common);
    return factor;
}

static double weight_floor(const GtiLaplacian* laplacian)
{
    int32_t count = laplacian->starts[laplacian->vertex_count];
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        sum += fabs(laplacian->weights[i]) / count;
    }
    return 1e-3 * sum;
}

static void plain_borders(Plain* plain, const GtiLaplacian* laplacian, double least)
{
    plain->borders = reserve((size_t)laplacian->starts[plain->vertex_count], sizeof *plain->borders);
    plain->border_weights = reserve((size_t)laplacian->starts[plain->vertex_count], sizeof *plain->border_weights);
    for (int32_t v = 0; v < plain->vertex_count; ++v) {
        for (int32_t i = laplacian->starts[v]; i < laplacian->starts[v + 1]; ++i) {
            int32_t to = laplacian->neighbours[i];
            if (plain->holders[v] == GT_NONE && plain->holders[to] != GT_NONE) {
                plain->borders[plain->border_count][0] = v;
                plain->borders[plain->border_count][1] = plain->holders[to];
                plain->border_weights[plain->border_count++] = fmax(laplacian->weights[i], least);
            }
        }
    }
}

static void plain_vectors(Plain* plain, const GtiTrimesh* mesh)
{
    double(*cotangents)[3] = reserve((size_t)mesh->triangle_count, sizeof *cotangents);
    plain->vectors = reserve((size_t)mesh->triangle_count, sizeof *plain->vectors);
    gti_laplacian_corners(mesh, 1e-5, cotangents, NULL);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3;
            int b = (k + 2) % 3;
            GtVec3 p = mesh->positions[mesh->triangles[t][a]];
            GtVec3 q = mesh->positions[mesh->triangles[t][b]];
            const double way[3] = { (double)p.x - (double)q.x, (double)p.y - (double)q.y, (double)p.z - (double)q.z };
            for (int c = 0; c < 3; ++c) {
                plain->vectors[t][a][c] += 0.5 * cotangents[t][k] * way[c];
                plain->vectors[t][b][c] -= 0.5 * cotangents[t][k] * way[c];
            }
        }
    }
    free(cotangents);
}

// The mesh in the order that `order` says; its arrays are the caller's.
static GtiTrimesh renumber(const Model* model, const int32_t* order, Plain* plain)
{
    int32_t n = plain->vertex_count;
    GtiTrimesh mesh = { reserve((size_t)n, sizeof(GtVec3)), n, plain->triangles, plain->triangle_count };
    for (int32_t i = 0; i < n; ++i) {
        plain->places[order[i]] = i;
        mesh.positions[i] = model->positions[order[i]];
    }
    for (int32_t i = 0; i < plain->triangle_count * 3; ++i) {
        plain->triangles[i / 3][i % 3] = plain->places[model->indices[i]];
    }
    return mesh;
}

static int compare_triangles(const void* a, const void* b)
{
    const int32_t* x = a;
    const int32_t* y = b;
    int32_t p = x[0] < x[1] ? (x[0] < x[2] ? x[0] : x[2]) : (x[1] < x[2] ? x[1] : x[2]);
    int32_t q = y[0] < y[1] ? (y[0] < y[2] ? y[0] : y[2]) : (y[1] < y[2] ? y[1] : y[2]);
    return (p > q) - (p < q);
}

static Plain* create_plain(const Model* model, const int32_t* holders)
{
    GtArena arena = gt_arena_create(gt_default_allocator());
    Plain* plain = reserve(1, sizeof *plain);
    int32_t n = model->def.vertex_count;
    plain->vertex_count = n;
    plain->triangle_count = model->def.triangle_count;
    plain->triangles = reserve((size_t)plain->triangle_count, sizeof *plain->triangles);
    plain->places = reserve((size_t)n, sizeof *plain->places);
    plain->holders = reserve((size_t)n, sizeof *plain->holders);
    cholmod_start(&plain->common);
    plain->common.supernodal = CHOLMOD_SIMPLICIAL;
    uint8_t* fixed = reserve((size_t)n, 1);
    int32_t* order = reserve((size_t)n, sizeof *order);
    for (int32_t i = 0; i < n; ++i) {
        order[i] = i;
    }
    GtiTrimesh mesh = renumber(model, order, plain);
    GtiLaplacian laplacian;
    gti_laplacian_make(&mesh, 1e-5, &arena, &laplacian);
    fixed[0] = 1;
    cholmod_factor* first = plain_factor(plain, plain_matrix(plain, &laplacian, fixed, -INFINITY));
    memcpy(order, first->Perm, (size_t)n * sizeof *order);
    cholmod_free_factor(&first, &plain->common);
    free(mesh.positions);
    gt_arena_destroy(&arena);

    mesh = renumber(model, order, plain);
    qsort(plain->triangles, (size_t)plain->triangle_count, sizeof *plain->triangles, compare_triangles);
    gti_laplacian_make(&mesh, 1e-5, &arena, &laplacian);
    for (int32_t v = 0; v < n; ++v) {
        plain->holders[plain->places[v]] = holders[v];
    }
    fixed[0] = 0;
    fixed[n - 1] = 1;
    plain->common.nmethods = 1;
    plain->common.method[0].ordering = CHOLMOD_NATURAL;
    plain->common.postorder = false;
    plain->poisson = plain_factor(plain, plain_matrix(plain, &laplacian, fixed, -INFINITY));
    for (int32_t v = 0; v < n; ++v) {
        fixed[v] = plain->holders[v] != GT_NONE;
    }
    double least = weight_floor(&laplacian);
    plain->laplace = plain_factor(plain, plain_matrix(plain, &laplacian, fixed, least));
    plain_borders(plain, &laplacian, least);
    plain_vectors(plain, &mesh);
    plain->turns_right = cholmod_zeros((size_t)n, 4, CHOLMOD_REAL, &plain->common);
    plain->points_right = cholmod_zeros((size_t)n, 3, CHOLMOD_REAL, &plain->common);
    free(mesh.positions);
    free(order);
    free(fixed);
    gt_arena_destroy(&arena);
    return plain;
}

static void destroy_plain(Plain* plain)
{
    cholmod_free_factor(&plain->laplace, &plain->common);
    cholmod_free_factor(&plain->poisson, &plain->common);
    cholmod_dense** dense[] = { &plain->turns_right, &plain->turns,   &plain->points_right,
                                &plain->points,      &plain->work[0], &plain->work[1] };
    for (size_t i = 0; i < sizeof dense / sizeof dense[0]; ++i) {
        cholmod_free_dense(dense[i], &plain->common);
    }
    cholmod_finish(&plain->common);
    free(plain->triangles);
    free(plain->vectors);
    free(plain->places);
    free(plain->holders);
    free(plain->borders);
    free(plain->border_weights);
    free(plain);
}

static void plain_spread(Plain* plain, const GtQuat* rotations)
{
    size_t n = (size_t)plain->vertex_count;
    double* right = plain->turns_right->x;
    memset(right, 0, 4 * n * sizeof *right);
    for (size_t v = 0; v < n; ++v) {
        if (plain->holders[v] != GT_NONE) {
            GtQuat q = rotations[plain->holders[v]];
            right[v] = (double)q.x;
            right[n + v] = (double)q.y;
            right[2 * n + v] = (double)q.z;
            right[3 * n + v] = (double)q.w;
        }
    }
    for (int32_t i = 0; i < plain->border_count; ++i) {
        GtQuat q = rotations[plain->borders[i][1]];
        double* at = &right[plain->borders[i][0]];
        at[0] += plain->border_weights[i] * (double)q.x;
        at[n] += plain->border_weights[i] * (double)q.y;
        at[2 * n] += plain->border_weights[i] * (double)q.z;
        at[3 * n] += plain->border_weights[i] * (double)q.w;
    }
    cholmod_solve2(CHOLMOD_A, plain->laplace, plain->turns_right, NULL, &plain->turns, NULL, &plain->work[0],
                   &plain->work[1], &plain->common);
}

static void plain_turn(Plain* plain)
{
    size_t n = (size_t)plain->vertex_count;
    const double* turns = plain->turns->x;
    double* right = plain->points_right->x;
    memset(right, 0, 3 * n * sizeof *right);
    for (int32_t t = 0; t < plain->triangle_count; ++t) {
        const int32_t* corners = plain->triangles[t];
        double q[4];
        double square = 0.0;
        for (size_t c = 0; c < 4; ++c) {
            const double* component = &turns[c * n];
            q[c] = component[corners[0]] + component[corners[1]] + component[corners[2]];
            square += q[c] * q[c];
        }
        double scale = 2.0 / square;
        for (int k = 0; k < 3; ++k) {
            const double* v = plain->vectors[t][k];
            double x = scale * (q[1] * v[2] - q[2] * v[1]);
            double y = scale * (q[2] * v[0] - q[0] * v[2]);
            double z = scale * (q[0] * v[1] - q[1] * v[0]);
            double* to = &right[corners[k]];
            to[0] += v[0] + q[3] * x + q[1] * z - q[2] * y;
            to[n] += v[1] + q[3] * y + q[2] * x - q[0] * z;
            to[2 * n] += v[2] + q[3] * z + q[0] * y - q[1] * x;
        }
    }
    for (size_t c = 0; c < 3; ++c) {
        right[c * n + n - 1] = 0.0;
    }
    cholmod_solve2(CHOLMOD_A, plain->poisson, plain->points_right, NULL, &plain->points, NULL, &plain->work[0],
                   &plain->work[1], &plain->common);
}

static void run_plain(void* user)
{
    Plain* plain = user;
    plain_spread(plain, plain->rotations[plain->frame++ % FRAMES]);
    plain_turn(plain);
}

typedef struct Ours {
    const GtHarmonic* harmonic;
    GtHarmonicFrame frames[FRAMES];
    void* scratch;
    GtExecutor executor;
    GtSimdLevel level;
    int frame;
} Ours;

static void run_bake(void* user)
{
    Ours* ours = user;
    gt_simd_level_set(ours->level);
    gt_harmonic_bake(ours->harmonic, ours->frames, FRAMES, ours->scratch);
}

static void run_pose(void* user)
{
    Ours* ours = user;
    gt_simd_level_set(ours->level);
    gt_harmonic_pose(ours->harmonic, &ours->frames[ours->frame++ % FRAMES], &ours->executor, ours->scratch);
}

// The largest distance between the two of one frame, of the size of the mesh, but for a common shift.
static double compare(const Model* model, const Plain* plain, const GtVec3* ours)
{
    size_t n = (size_t)plain->vertex_count;
    const double* points = plain->points->x;
    double shift[3] = { 0.0, 0.0, 0.0 };
    double low[3] = { INFINITY, INFINITY, INFINITY };
    double high[3] = { -INFINITY, -INFINITY, -INFINITY };
    double largest = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        for (size_t v = 0; v < n; ++v) {
            const float got[3] = { ours[v].x, ours[v].y, ours[v].z };
            const float rest[3] = { model->positions[v].x, model->positions[v].y, model->positions[v].z };
            double square = 0.0;
            for (size_t c = 0; c < 3; ++c) {
                double way = (double)got[c] - points[c * n + (size_t)plain->places[v]];
                shift[c] += pass == 0 ? way / (double)n : 0.0;
                square += (way - shift[c]) * (way - shift[c]);
                low[c] = fmin(low[c], (double)rest[c]);
                high[c] = fmax(high[c], (double)rest[c]);
            }
            largest = pass == 1 ? fmax(largest, sqrt(square)) : 0.0;
        }
    }
    double size = 0.0;
    for (int c = 0; c < 3; ++c) {
        size += (high[c] - low[c]) * (high[c] - low[c]);
    }
    return largest / sqrt(size);
}

// Limbs with axes and twists, which the plain program knows nothing of: as much work as on a body with markers around
// its bones.
static GtHarmonic* create_limbs(const Model* model, float* twists)
{
    static GtHarmonicMarker markers[MARKERS];
    GtContext context = gt_default_context();
    GtError error;
    GtHarmonic* harmonic = NULL;
    GtHarmonicDef def = model->def;
    for (int m = 0; m < MARKERS; ++m) {
        GtVec3 p = model->markers[m].point;
        markers[m] = model->markers[m];
        markers[m].axis_point = gt_vec3(0.7f * p.x, p.y, 0.3f * p.z);
        markers[m].axis = fabsf(p.x) > 0.3f ? gt_vec3(copysignf(1.0f, p.x), 0.0f, 0.0f) : gt_vec3(0.0f, 1.0f, 0.0f);
        markers[m].volume = 1.0f;
        twists[m] = 4.0f * p.x;
    }
    def.markers = markers;
    BENCH_OK(gt_harmonic_create(&context, &def, &harmonic, NULL, &error));
    return harmonic;
}

static void report_error(const Model* model, Plain* plain, Ours* ours, void (*run)(void* user), const char* name)
{
    double largest = 0.0;
    for (int f = 0; f < FRAMES; f += 7) {
        plain->frame = f;
        ours->frame = f;
        run_plain(plain);
        run(ours);
        largest = fmax(largest, compare(model, plain, ours->frames[f].positions));
    }
    printf("%s, %s: at most %.2g of the size apart\n", name, gt_simd_level_name(ours->level), largest);
}

static void measure(int32_t triangle_count, GtThreadPool* pool)
{
    static GtQuat rotations[FRAMES][MARKERS];
    static Model model;
    enum {
        KINDS = 5,
        MOST_CASES = KINDS * GT_SIMD_LEVEL_COUNT + 1
    };
    static Ours ours[MOST_CASES];
    static char names[MOST_CASES][64];
    static float twists[MARKERS];
    GtContext context = gt_default_context();
    GtError error;
    GtHarmonic* harmonic = NULL;
    GtHarmonicReport report;
    create_model(triangle_count, &model);
    create_motion(&model, rotations);
    BENCH_OK(gt_harmonic_create(&context, &model.def, &harmonic, &report, &error));
    Plain* plain = create_plain(&model, gt_harmonic_holders(harmonic));
    plain->rotations = (const GtQuat(*)[MARKERS])rotations;
    printf(
        "%d triangles: %d vertices, %d held; factors of %.2f and %.2f million entries, theirs %.2f and %.2f; %.0f MB\n",
        (int)model.def.triangle_count, (int)model.def.vertex_count, (int)report.held_vertex_count,
        (double)report.factor_entry_count * 1e-6, (double)report.factor_entry_count * 1e-6,
        (double)plain->laplace->nzmax * 1e-6, (double)plain->poisson->nzmax * 1e-6, (double)report.memory_size * 1e-6);
    GtVec3* out = reserve((size_t)model.def.vertex_count * FRAMES, sizeof *out);
    size_t bake_size = gt_harmonic_bake_scratch_size(harmonic);
    size_t pose_size = gt_harmonic_pose_scratch_size(harmonic);
    void* scratch = reserve(bake_size > pose_size ? bake_size : pose_size, 1);
    GtHarmonic* limbs = create_limbs(&model, twists); // as large a scratch
    BenchCase cases[MOST_CASES] = { { "CHOLMOD, one frame", run_plain, plain } };
    BenchCount counts[MOST_CASES] = { { 1, false } };
    int count = 0;
    for (int level = (int)gt_simd_level_supported(); level >= 0; --level) {
        for (int kind = 0; kind < KINDS; ++kind) {
            bool has_limbs = kind >= 3;
            bool bakes = kind == 0 || kind == 3;
            if ((kind == 1 || kind == 4) && level != (int)gt_simd_level_supported()) {
                continue;
            }
            static const char* const kinds[] = { "baking, one thread", "one frame, one thread",
                                                 "one frame, two threads", "baking limbs, one thread",
                                                 "one frame of limbs, two threads" };
            Ours* made = &ours[count];
            *made = (Ours){ .harmonic = has_limbs ? limbs : harmonic, .scratch = scratch, .level = (GtSimdLevel)level };
            made->executor = kind == 2 || kind == 4 ? gt_thread_pool_executor(pool) : gt_serial_executor();
            for (int f = 0; f < FRAMES; ++f) {
                made->frames[f] = (GtHarmonicFrame){
                    .rotations = rotations[f],
                    .anchor = gt_harmonic_anchor(harmonic),
                    .positions = &out[(size_t)f * (size_t)model.def.vertex_count],
                    .twists = has_limbs ? twists : NULL,
                };
            }
            snprintf(names[count], sizeof names[count], "%s, %s", gt_simd_level_name((GtSimdLevel)level), kinds[kind]);
            if (!has_limbs) {
                report_error(&model, plain, made, bakes ? run_bake : run_pose, kinds[kind]);
            }
            cases[count + 1] = (BenchCase){ names[count], bakes ? run_bake : run_pose, made };
            ++count;
            counts[count] = (BenchCount){ bakes ? FRAMES : 1, kind == 2 || kind == 4 };
        }
    }
    bench_compare_counted("Harmonic deformation, a frame", cases, counts, count + 1);
    gt_simd_level_set(gt_simd_level_supported());
    free(scratch);
    free(out);
    destroy_plain(plain);
    gt_harmonic_destroy(limbs);
    gt_harmonic_destroy(harmonic);
    free(model.positions);
    free(model.indices);
}

int main(int argc, char** argv)
{
    static char* defaults[] = { "", "50000", "300000" };
    char** sizes = argc > 1 ? argv : defaults;
    int count = argc > 1 ? argc : 3;
    GtThreadPool* pool = NULL;
    GtError error;
    BENCH_OK(gt_thread_pool_create(gt_default_allocator(), 2, &pool, &error));
    for (int i = 1; i < count; ++i) {
        measure((int32_t)strtol(sizes[i], NULL, 10), pool);
    }
    gt_thread_pool_destroy(pool);
    return 0;
}
