// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/viewer.h"

#include "gertie/accessor.h"

#include "support/test.h"

#include <stdlib.h>

typedef struct ViewedCurve {
    int32_t node;
    GtAnimationPath path;
    GtInterpolation interpolation;
    int32_t key_count;
    int32_t width; // numbers of a value
    float* times;
    float* values;
} ViewedCurve;

typedef struct ViewedPrimitive {
    int32_t node;
    int32_t number; // within its mesh
    int32_t first_vertex;
    int32_t vertex_count;
    int32_t target_count;
    int32_t influence_count;
    float* positions;
    float** deltas; // [target_count] of positions, each may be NULL
    uint32_t* joints;
    float* weights;
} ViewedPrimitive;

struct Viewer {
    const GtScene* scene;
    int32_t* order;
    int32_t curve_count;
    ViewedCurve* curves;
    int32_t primitive_count;
    ViewedPrimitive* primitives;
    ViewerMatrix** inverse_binds; // of each skin
    double start_s, end_s;
    int32_t vertex_count;
    double (*vertices)[3];
    double (*locals)[10]; // translation, rotation, scale of each node
    bool* is_keyed;
    double** morph_weights; // of each node
    ViewerMatrix* worlds;
};

static void* take(size_t count, size_t size)
{
    void* memory = calloc(count ? count : 1, size);
    assert_non_null(memory);
    return memory;
}

static float* read_floats(const GtScene* scene, int32_t accessor, int32_t* count)
{
    const GtAccessor* a = &scene->accessors[accessor];
    float* out = take((size_t)a->count * (size_t)gt_element_components(a->element_type), sizeof *out);
    gt_accessor_read_floats(scene, accessor, 0, a->count, out);
    *count = (int32_t)a->count;
    return out;
}

double viewer_distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

ViewerMatrix viewer_multiply(const ViewerMatrix* a, const ViewerMatrix* b)
{
    ViewerMatrix r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = j == 3 ? a->m[i][3] : 0.0;
            for (int k = 0; k < 3; ++k) {
                r.m[i][j] += a->m[i][k] * b->m[k][j];
            }
        }
    }
    return r;
}

ViewerMatrix viewer_inverse(const ViewerMatrix* a)
{
    const double(*m)[4] = a->m;
    ViewerMatrix r;
    double determinant = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) { // cofactors, transposed
            int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
            r.m[i][j] = m[p][s] * m[q][t] - m[p][t] * m[q][s];
        }
        determinant += m[0][i] * r.m[i][0];
    }
    for (int i = 0; i < 3; ++i) {
        r.m[i][3] = 0.0;
        for (int j = 0; j < 3; ++j) {
            r.m[i][j] /= determinant;
            r.m[i][3] -= r.m[i][j] * m[j][3];
        }
    }
    return r;
}

void viewer_apply(const ViewerMatrix* a, const double point[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = a->m[i][0] * point[0] + a->m[i][1] * point[1] + a->m[i][2] * point[2] + a->m[i][3];
    }
}

static ViewerMatrix from_local(const double local[10])
{
    const double *t = local, *q = local + 3, *s = local + 7;
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double x = q[0] / norm, y = q[1] / norm, z = q[2] / norm, w = q[3] / norm;
    return (ViewerMatrix){ {
        { (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - w * z) * s[1], 2 * (x * z + w * y) * s[2], t[0] },
        { 2 * (x * y + w * z) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - w * x) * s[2], t[1] },
        { 2 * (x * z - w * y) * s[0], 2 * (y * z + w * x) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[2] },
    } };
}

static void read_local(const GtTransform* from, double local[10])
{
    const double values[10] = { (double)from->translation.x, (double)from->translation.y, (double)from->translation.z,
                                (double)from->rotation.x,    (double)from->rotation.y,    (double)from->rotation.z,
                                (double)from->rotation.w,    (double)from->scale.x,       (double)from->scale.y,
                                (double)from->scale.z };
    memcpy(local, values, sizeof values);
}

ViewerMatrix viewer_from_transform(const GtTransform* t)
{
    double local[10];
    read_local(t, local);
    return from_local(local);
}

static ViewerMatrix from_columns(const float* m)
{
    ViewerMatrix r;
    for (int i = 0; i < 12; ++i) {
        r.m[i / 4][i % 4] = (double)m[i % 4 * 4 + i / 4];
    }
    return r;
}

static void open_curves(Viewer* v, const GtAnimation* animation)
{
    v->curves = take((size_t)animation->channel_count, sizeof *v->curves);
    v->start_s = INFINITY;
    v->end_s = -INFINITY;
    for (int32_t i = 0; i < animation->channel_count; ++i) {
        const GtAnimationChannel* channel = &animation->channels[i];
        const GtAnimationSampler* sampler = &animation->samplers[channel->sampler];
        if (channel->node == GT_NONE || channel->path == GT_PATH_OTHER) {
            continue;
        }
        ViewedCurve* curve = &v->curves[v->curve_count++];
        int32_t count;
        *curve = (ViewedCurve){ .node = channel->node, .path = channel->path, .interpolation = sampler->interpolation };
        curve->times = read_floats(v->scene, sampler->input, &curve->key_count);
        curve->values = read_floats(v->scene, sampler->output, &count);
        const GtAccessor* output = &v->scene->accessors[sampler->output];
        int32_t numbers = count * gt_element_components(output->element_type);
        curve->width = numbers / curve->key_count / (sampler->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1);
        v->is_keyed[curve->node] = true;
        v->start_s = fmin(v->start_s, (double)curve->times[0]);
        v->end_s = fmax(v->end_s, (double)curve->times[curve->key_count - 1]);
    }
}

// JOINTS_n and WEIGHTS_n of all sets, side by side.
static void open_influences(const Viewer* v, const GtPrimitive* primitive, ViewedPrimitive* out)
{
    char name[32];
    int32_t sets = 0;
    while (snprintf(name, sizeof name, "JOINTS_%d", (int)sets), gt_primitive_find(primitive, name) != GT_NONE) {
        ++sets;
    }
    out->influence_count = 4 * sets;
    out->joints = take((size_t)(out->vertex_count * 4 * sets), sizeof *out->joints);
    out->weights = take((size_t)(out->vertex_count * 4 * sets), sizeof *out->weights);
    for (int32_t set = 0; set < sets; ++set) {
        snprintf(name, sizeof name, "JOINTS_%d", (int)set);
        int32_t joints = gt_primitive_find(primitive, name);
        snprintf(name, sizeof name, "WEIGHTS_%d", (int)set);
        int32_t weights = gt_primitive_find(primitive, name);
        for (int32_t i = 0; i < out->vertex_count; ++i) {
            int32_t at = (i * sets + set) * 4;
            gt_accessor_read_uints(v->scene, joints, (uint64_t)i, 1, out->joints + at);
            gt_accessor_read_floats(v->scene, weights, (uint64_t)i, 1, out->weights + at);
        }
    }
}

static void open_primitive(Viewer* v, int32_t node, int32_t number, ViewedPrimitive* out)
{
    const GtMesh* mesh = &v->scene->meshes[v->scene->nodes[node].mesh];
    const GtPrimitive* primitive = &mesh->primitives[number];
    *out = (ViewedPrimitive){ .node = node, .number = number, .first_vertex = v->vertex_count };
    out->positions = read_floats(v->scene, gt_primitive_find(primitive, "POSITION"), &out->vertex_count);
    v->vertex_count += out->vertex_count;
    out->target_count = mesh->target_count;
    out->deltas = take((size_t)mesh->target_count, sizeof *out->deltas);
    for (int32_t i = 0; i < mesh->target_count; ++i) {
        int32_t accessor = gt_morph_target_find(&primitive->targets[i], "POSITION");
        int32_t count;
        out->deltas[i] = accessor == GT_NONE ? NULL : read_floats(v->scene, accessor, &count);
    }
    if (v->scene->nodes[node].skin != GT_NONE) {
        open_influences(v, primitive, out);
    }
}

static void open_meshes(Viewer* v)
{
    const GtScene* scene = v->scene;
    int32_t count = 0;
    for (int32_t n = 0; n < scene->node_count; ++n) {
        const GtMesh* mesh = scene->nodes[n].mesh == GT_NONE ? NULL : &scene->meshes[scene->nodes[n].mesh];
        count += mesh ? mesh->primitive_count : 0;
        v->morph_weights[n] = take(mesh ? (size_t)mesh->target_count : 0, sizeof **v->morph_weights);
    }
    v->primitives = take((size_t)count, sizeof *v->primitives);
    for (int32_t n = 0; n < scene->node_count; ++n) {
        for (int32_t p = 0; scene->nodes[n].mesh != GT_NONE && p < scene->meshes[scene->nodes[n].mesh].primitive_count;
             ++p) {
            open_primitive(v, n, p, &v->primitives[v->primitive_count++]);
        }
    }
    v->vertices = take((size_t)v->vertex_count, sizeof *v->vertices);
}

static void open_skins(Viewer* v)
{
    v->inverse_binds = take((size_t)v->scene->skin_count, sizeof *v->inverse_binds);
    for (int32_t s = 0; s < v->scene->skin_count; ++s) {
        const GtSkin* skin = &v->scene->skins[s];
        v->inverse_binds[s] = take((size_t)skin->joint_count, sizeof **v->inverse_binds);
        int32_t count;
        float* matrices = skin->inverse_bind == GT_NONE ? NULL : read_floats(v->scene, skin->inverse_bind, &count);
        for (int32_t j = 0; j < skin->joint_count; ++j) {
            static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
            v->inverse_binds[s][j] = from_columns(matrices ? matrices + (size_t)j * 16 : identity);
        }
        free(matrices);
    }
}

Viewer* viewer_open(const GtScene* scene, int32_t animation)
{
    Viewer* v = take(1, sizeof *v);
    GtError error;
    size_t nodes = (size_t)scene->node_count;
    v->scene = scene;
    v->order = take(nodes, sizeof *v->order);
    v->is_keyed = take(nodes, sizeof *v->is_keyed);
    v->locals = take(nodes, sizeof *v->locals);
    v->worlds = take(nodes, sizeof *v->worlds);
    v->morph_weights = take(nodes, sizeof *v->morph_weights);
    GT_EXPECT_OK(gt_scene_parent_first(scene, v->order, &error));
    if (animation != GT_NONE) {
        open_curves(v, &scene->animations[animation]);
    }
    open_meshes(v);
    open_skins(v);
    viewer_pose(v, v->start_s);
    return v;
}

void viewer_close(Viewer* v)
{
    for (int32_t i = 0; i < v->curve_count; ++i) {
        free(v->curves[i].times);
        free(v->curves[i].values);
    }
    for (int32_t i = 0; i < v->primitive_count; ++i) {
        for (int32_t k = 0; k < v->primitives[i].target_count; ++k) {
            free(v->primitives[i].deltas[k]);
        }
        free(v->primitives[i].deltas);
        free(v->primitives[i].positions);
        free(v->primitives[i].joints);
        free(v->primitives[i].weights);
    }
    for (int32_t i = 0; i < v->scene->skin_count; ++i) {
        free(v->inverse_binds[i]);
    }
    for (int32_t i = 0; i < v->scene->node_count; ++i) {
        free(v->morph_weights[i]);
    }
    free(v->inverse_binds);
    free(v->morph_weights);
    free(v->primitives);
    free(v->curves);
    free(v->order);
    free(v->is_keyed);
    free(v->locals);
    free(v->worlds);
    free(v->vertices);
    free(v);
}

double viewer_start_s(const Viewer* v)
{
    return v->start_s;
}

double viewer_end_s(const Viewer* v)
{
    return v->end_s;
}

static void slerp(const float* from, const float* to, double share, double* out)
{
    double a[4], b[4], dot = 0.0, lengths[2] = { 0.0, 0.0 };
    for (int i = 0; i < 4; ++i) {
        lengths[0] += (double)from[i] * (double)from[i];
        lengths[1] += (double)to[i] * (double)to[i];
    }
    for (int i = 0; i < 4; ++i) {
        a[i] = (double)from[i] / sqrt(lengths[0]);
        b[i] = (double)to[i] / sqrt(lengths[1]);
        dot += a[i] * b[i];
    }
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double angle = acos(fmin(fabs(dot), 1.0));
    bool is_small = angle < 1e-6;
    double wa = is_small ? 1.0 - share : sin((1.0 - share) * angle) / sin(angle);
    double wb = sign * (is_small ? share : sin(share * angle) / sin(angle));
    for (int i = 0; i < 4; ++i) {
        out[i] = wa * a[i] + wb * b[i];
    }
}

// Hermite's, with tangents times the length of the interval, as the specification has it.
static void cubic(const ViewedCurve* c, int32_t k, double share, double* out)
{
    double length = (double)c->times[k + 1] - (double)c->times[k];
    double s = share, s2 = s * s, s3 = s2 * s;
    const float* here = c->values + (size_t)k * 3 * (size_t)c->width;
    const float* next = here + 3 * (size_t)c->width;
    for (int32_t i = 0; i < c->width; ++i) {
        out[i] = (2 * s3 - 3 * s2 + 1) * (double)here[c->width + i] +
                 length * (s3 - 2 * s2 + s) * (double)here[2 * c->width + i] +
                 (-2 * s3 + 3 * s2) * (double)next[c->width + i] + length * (s3 - s2) * (double)next[i];
    }
}

static void sample(const ViewedCurve* c, double time_s, double* out)
{
    int32_t k = 0;
    while (k + 1 < c->key_count && (double)c->times[k + 1] <= time_s) {
        ++k;
    }
    bool is_cubic = c->interpolation == GT_INTERPOLATION_CUBICSPLINE;
    bool holds = k + 1 == c->key_count || time_s <= (double)c->times[0] || c->interpolation == GT_INTERPOLATION_STEP;
    size_t stride = (size_t)c->width * (is_cubic ? 3 : 1);
    const float* here = c->values + (size_t)k * stride + (is_cubic ? c->width : 0);
    double share = holds ? 0.0 : (time_s - (double)c->times[k]) / ((double)c->times[k + 1] - (double)c->times[k]);
    if (!holds && is_cubic) {
        cubic(c, k, share, out);
    } else if (!holds && c->path == GT_PATH_ROTATION) {
        slerp(here, here + stride, share, out);
    } else {
        for (int32_t i = 0; i < c->width; ++i) {
            out[i] = (double)here[i] + (holds ? 0.0 : share * ((double)here[stride + (size_t)i] - (double)here[i]));
        }
    }
}

static void rest_node(Viewer* v, int32_t n)
{
    const GtNode* node = &v->scene->nodes[n];
    read_local(&node->local, v->locals[n]);
    if (node->mesh == GT_NONE) {
        return;
    }
    const GtMesh* mesh = &v->scene->meshes[node->mesh];
    const float* weights = node->weights ? node->weights : mesh->weight_count > 0 ? mesh->weights : NULL;
    for (int32_t i = 0; i < mesh->target_count; ++i) {
        v->morph_weights[n][i] = weights ? (double)weights[i] : 0.0;
    }
}

void viewer_pose(Viewer* v, double time_s)
{
    static const int firsts[] = { [GT_PATH_TRANSLATION] = 0, [GT_PATH_ROTATION] = 3, [GT_PATH_SCALE] = 7 };
    for (int32_t n = 0; n < v->scene->node_count; ++n) {
        rest_node(v, n);
    }
    for (int32_t i = 0; i < v->curve_count; ++i) {
        const ViewedCurve* c = &v->curves[i];
        sample(c, time_s,
               c->path == GT_PATH_WEIGHTS ? v->morph_weights[c->node] : v->locals[c->node] + firsts[c->path]);
    }
    for (int32_t i = 0; i < v->scene->node_count; ++i) {
        int32_t n = v->order[i];
        const GtNode* node = &v->scene->nodes[n];
        ViewerMatrix local = node->matrix && !v->is_keyed[n] ? from_columns(node->matrix) : from_local(v->locals[n]);
        v->worlds[n] = node->parent == GT_NONE ? local : viewer_multiply(&v->worlds[node->parent], &local);
    }
}

const ViewerMatrix* viewer_node(const Viewer* v, int32_t node)
{
    return &v->worlds[node];
}

int32_t viewer_vertex_count(const Viewer* v)
{
    return v->vertex_count;
}

static void morph(const Viewer* v, const ViewedPrimitive* p, int32_t vertex, double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = (double)p->positions[3 * vertex + i];
    }
    for (int32_t k = 0; k < p->target_count; ++k) {
        double weight = v->morph_weights[p->node][k];
        for (int i = 0; p->deltas[k] && i < 3; ++i) {
            out[i] += weight * (double)p->deltas[k][3 * vertex + i];
        }
    }
}

static void deform(Viewer* v, const ViewedPrimitive* p)
{
    int32_t skin = v->scene->nodes[p->node].skin;
    int32_t joint_count = skin == GT_NONE ? 0 : v->scene->skins[skin].joint_count;
    ViewerMatrix* skins = take((size_t)joint_count, sizeof *skins);
    for (int32_t j = 0; j < joint_count; ++j) {
        skins[j] = viewer_multiply(&v->worlds[v->scene->skins[skin].joints[j]], &v->inverse_binds[skin][j]);
    }
    for (int32_t i = 0; i < p->vertex_count; ++i) {
        double point[3], sum[3] = { 0.0, 0.0, 0.0 }, total = 0.0;
        double* out = v->vertices[p->first_vertex + i];
        morph(v, p, i, point);
        viewer_apply(&v->worlds[p->node], point, out);
        for (int32_t k = 0; k < p->influence_count; ++k) {
            double weight = (double)p->weights[i * p->influence_count + k];
            double moved[3];
            if (weight != 0.0) {
                viewer_apply(&skins[p->joints[i * p->influence_count + k]], point, moved);
                for (int c = 0; c < 3; ++c) {
                    sum[c] += weight * moved[c];
                }
                total += weight;
            }
        }
        for (int c = 0; skin != GT_NONE && c < 3; ++c) {
            out[c] = sum[c] / total; // files whose weights sum to 1 up to rounding
        }
    }
    free(skins);
}

const double (*viewer_vertices(Viewer* v))[3]
{
    for (int32_t i = 0; i < v->primitive_count; ++i) {
        deform(v, &v->primitives[i]);
    }
    return (const double(*)[3])v->vertices;
}

int32_t viewer_first_vertex(const Viewer* v, int32_t node, int32_t primitive)
{
    for (int32_t i = 0; i < v->primitive_count; ++i) {
        if (v->primitives[i].node == node && v->primitives[i].number == primitive) {
            return v->primitives[i].first_vertex;
        }
    }
    fail_msg("node %d shows no primitive %d", (int)node, (int)primitive);
    return 0;
}
