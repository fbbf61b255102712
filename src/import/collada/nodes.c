// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The tree is walked with a stack of its own; an instance of a node pushes that node. Nodes that instance themselves
// are cut, and the number of nodes is bounded by the size of the file, because instances of instances multiply.

#include "import/collada/nodes.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/quat_double.h"
#include "base/rotation.h"
#include "io/bvh/axes.h"

#include <math.h>
#include <string.h>

#define RADIANS_PER_DEGREE (M_PI / 180.0)

// Shear below this is rounding.
#define MOST_SHEAR 1e-3f

enum {
    NODES_PER_ELEMENT = 16, // instances may multiply a file's nodes that much
    NODES_ALWAYS = 4096
};

static const struct {
    const char* name;
    int32_t size;
} op_kinds[GTI_DAE_OP_COUNT] = {
    { "matrix", 16 }, { "translate", 3 }, { "rotate", 4 }, { "scale", 3 }, { "lookat", 9 }, { "skew", 7 },
};

// An element whose children are being collected.
typedef struct DaeOpenNode {
    int32_t element;
    int32_t node;  // of the element, GT_NONE for the scene
    int32_t child; // last that was taken
} DaeOpenNode;

typedef struct DaeNodeWalk {
    GtiDaeNodes* nodes;
    DaeOpenNode* stack;
    int32_t depth;
    int32_t capacity;
    int32_t* open; // [xml.count] how often each element is on the stack
} DaeNodeWalk;

int32_t gti_dae_op_size(GtiDaeOpKind kind)
{
    return op_kinds[kind].size;
}

static GtResult add_op(GtiDaeNodes* n, int32_t element, GtiDaeOpKind kind)
{
    GtiDae* d = n->d;
    GtiDaeOp op = { .kind = kind, .sid = gti_xml_attribute(&d->xml, element, "sid") };
    int32_t size = op_kinds[kind].size;
    if (gti_dae_few(d, element, size, op.v) != size) {
        return gti_dae_repair(d, GTI_DAE_BAD_SOURCE, element, "<%.16s> has not %d numbers: left out",
                              op_kinds[kind].name, size);
    }
    if (n->op_count == n->op_capacity) {
        GtiDaeOp* ops = gti_arena_grow(d->arena, n->ops, &n->op_capacity, 128, sizeof *ops);
        if (!ops) {
            return gti_out_of_memory(d->error);
        }
        n->ops = ops;
    }
    n->ops[n->op_count++] = op;
    return GT_OK;
}

static GtResult read_ops(GtiDaeNodes* n, GtiDaeNode* node)
{
    GtiDae* d = n->d;
    GtResult result = GT_OK;
    node->first_op = n->op_count;
    for (int32_t c = gti_dae_next_child(d, node->element, GT_NONE); c != GT_NONE && result == GT_OK;
         c = gti_dae_next_child(d, node->element, c)) {
        for (int kind = 0; kind < GTI_DAE_OP_COUNT && result == GT_OK; ++kind) {
            if (gti_xml_is(&d->xml, c, op_kinds[kind].name)) {
                result = add_op(n, c, (GtiDaeOpKind)kind);
                break;
            }
        }
    }
    node->op_count = n->op_count - node->first_op;
    return result;
}

static bool index_sid(GtiDaeNodes* n, GtiDaeNode* node)
{
    const char* sid = gti_xml_attribute(&n->d->xml, node->element, "sid");
    node->next_sid = GT_NONE;
    if (!sid) {
        return true;
    }
    int32_t number = gti_intern(&n->sids, sid, strlen(sid));
    if (number == GT_NONE) {
        return false;
    }
    while (number >= n->sid_capacity) {
        int32_t before = n->sid_capacity;
        int32_t* grown = gti_arena_grow(n->d->arena, n->sid_firsts, &n->sid_capacity, 128, sizeof *grown);
        if (!grown) {
            return false;
        }
        n->sid_firsts = grown;
        for (int32_t i = before; i < n->sid_capacity; ++i) {
            grown[i] = GT_NONE;
        }
    }
    node->next_sid = n->sid_firsts[number];
    n->sid_firsts[number] = n->count;
    return true;
}

static GtResult add_node(DaeNodeWalk* w, int32_t element)
{
    GtiDaeNodes* n = w->nodes;
    GtiDae* d = n->d;
    GtiDaeNode node = { .element = element, .parent = w->stack[w->depth - 1].node, .scene_node = GT_NONE };
    if ((int64_t)n->count >= (int64_t)d->xml.count * NODES_PER_ELEMENT + NODES_ALWAYS) {
        return gti_dae_fail(d, element, GT_ERROR_LIMIT, "instances of nodes multiply to more than %d nodes", n->count);
    }
    if (n->count == n->capacity) {
        GtiDaeNode* nodes = gti_arena_grow(d->arena, n->nodes, &n->capacity, 128, sizeof *nodes);
        if (!nodes) {
            return gti_out_of_memory(d->error);
        }
        n->nodes = nodes;
    }
    if (w->depth == w->capacity) {
        DaeOpenNode* stack = gti_arena_grow(d->arena, w->stack, &w->capacity, 64, sizeof *stack);
        if (!stack) {
            return gti_out_of_memory(d->error);
        }
        w->stack = stack;
    }
    node.next_same = n->first_of[element];
    if (!index_sid(n, &node)) {
        return gti_out_of_memory(d->error);
    }
    n->first_of[element] = n->count;
    GtResult result = read_ops(n, &node);
    ++w->open[element];
    w->stack[w->depth++] = (DaeOpenNode){ element, n->count, GT_NONE };
    n->nodes[n->count++] = node;
    return result;
}

static GtResult add_instance(DaeNodeWalk* w, int32_t instance)
{
    GtiDae* d = w->nodes->d;
    int32_t target = GT_NONE;
    GtResult result = gti_dae_follow(d, instance, "url", "node", &target);
    if (result == GT_OK && target != GT_NONE && w->open[target] > 0) {
        return gti_dae_repair(d, GTI_DAE_LOOP, instance, "the node '%.64s' contains an instance of itself: left out",
                              gti_dae_label(d, target, ""));
    }
    return result == GT_OK && target != GT_NONE ? add_node(w, target) : result;
}

GtResult gti_dae_collect_nodes(GtiDaeNodes* n, int32_t visual_scene)
{
    GtiDae* d = n->d;
    DaeNodeWalk w = { .nodes = n };
    n->sids = (GtiIntern){ .arena = d->arena };
    n->first_of = gt_arena_push_array(d->arena, (size_t)d->xml.count, sizeof *n->first_of);
    w.stack = gti_arena_grow(d->arena, NULL, &w.capacity, 64, sizeof *w.stack);
    w.open = gt_arena_push_array(d->arena, (size_t)d->xml.count, sizeof *w.open);
    if (!n->first_of || !w.stack || !w.open) {
        return gti_out_of_memory(d->error);
    }
    for (int32_t i = 0; i < d->xml.count; ++i) {
        n->first_of[i] = GT_NONE;
    }
    w.stack[w.depth++] = (DaeOpenNode){ visual_scene, GT_NONE, GT_NONE };
    ++w.open[visual_scene];
    GtResult result = GT_OK;
    while (w.depth && result == GT_OK) {
        DaeOpenNode* top = &w.stack[w.depth - 1];
        top->child = gti_dae_next_child(d, top->element, top->child);
        if (top->child == GT_NONE) {
            --w.open[top->element];
            --w.depth;
            continue;
        }
        if (gti_xml_is(&d->xml, top->child, "node")) {
            result = add_node(&w, top->child);
        } else if (gti_xml_is(&d->xml, top->child, "instance_node")) {
            result = add_instance(&w, top->child);
        }
    }
    return result;
}

// A matrix in double, row by row, without its last row.
typedef struct DaeMatrix {
    double m[3][4];
} DaeMatrix;

static DaeMatrix matrix_mul(const DaeMatrix* a, const DaeMatrix* b)
{
    DaeMatrix r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
        r.m[i][3] += a->m[i][3];
    }
    return r;
}

static GtiQuat op_rotation(const double v[4])
{
    GtiVec axis = gti_vec_unit_or(gti_vec(v[0], v[1], v[2]), gti_vec(0.0, 0.0, 0.0));
    return gti_quat_about(axis, v[3] * RADIANS_PER_DEGREE);
}

static void set_columns(DaeMatrix* out, GtiVec x, GtiVec y, GtiVec z)
{
    *out = (DaeMatrix){ { { x.x, y.x, z.x, 0.0 }, { x.y, y.y, z.y, 0.0 }, { x.z, y.z, z.z, 0.0 } } };
}

// As RenderMan has it: what points along the translation axis is moved towards the rotation axis.
static DaeMatrix skew_matrix(const double v[7])
{
    GtiVec a = gti_vec_unit_or(gti_vec(v[1], v[2], v[3]), gti_vec(1.0, 0.0, 0.0));
    GtiVec b = gti_vec_unit_or(gti_vec(v[4], v[5], v[6]), gti_vec(0.0, 1.0, 0.0));
    double n1 = gti_vec_dot(a, b);
    GtiVec across = gti_vec_unit_or(gti_vec_across(a, b), gti_vec(0.0, 0.0, 0.0));
    double a1 = n1;
    double a2 = gti_vec_dot(a, across);
    double angle = v[0] * RADIANS_PER_DEGREE;
    double rx = a2 * cos(angle) - a1 * sin(angle);
    double ry = a2 * sin(angle) + a1 * cos(angle);
    double alpha = fabs(rx) > 1e-6 && fabs(a2) > 1e-6 ? ry / rx - a1 / a2 : 0.0;
    double p[3] = { b.x, b.y, b.z };
    double q[3] = { across.x, across.y, across.z };
    DaeMatrix r = { { { 0.0 } } };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r.m[i][j] = (i == j ? 1.0 : 0.0) + alpha * p[i] * q[j];
        }
    }
    return r;
}

static DaeMatrix op_matrix(const GtiDaeOp* op)
{
    const double* v = op->v;
    DaeMatrix r = { { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } } };
    GtiQuat q;
    GtiVec back;
    GtiVec right;
    switch (op->kind) {
    case GTI_DAE_MATRIX:
        memcpy(r.m, v, sizeof r.m);
        break;
    case GTI_DAE_TRANSLATE:
        for (int k = 0; k < 3; ++k) {
            r.m[k][3] = v[k];
        }
        break;
    case GTI_DAE_ROTATE:
        q = op_rotation(v);
        set_columns(&r, gti_quat_rotate(q, gti_vec(1.0, 0.0, 0.0)), gti_quat_rotate(q, gti_vec(0.0, 1.0, 0.0)),
                    gti_quat_rotate(q, gti_vec(0.0, 0.0, 1.0)));
        break;
    case GTI_DAE_SCALE:
        for (int k = 0; k < 3; ++k) {
            r.m[k][k] = v[k];
        }
        break;
    case GTI_DAE_LOOKAT:
        back = gti_vec_unit_or(gti_vec(v[0] - v[3], v[1] - v[4], v[2] - v[5]), gti_vec(0.0, 0.0, 1.0));
        right = gti_vec_unit_or(gti_vec_cross(gti_vec(v[6], v[7], v[8]), back), gti_vec(1.0, 0.0, 0.0));
        set_columns(&r, right, gti_vec_cross(back, right), back);
        for (int k = 0; k < 3; ++k) {
            r.m[k][3] = v[k];
        }
        break;
    default:
        r = skew_matrix(v);
    }
    return r;
}

// Translations, then rotations, then scales need no matrix: nothing is rounded, and scales keep their signs.
static bool is_plain(const GtiDaeOp* ops, int32_t count)
{
    GtiDaeOpKind phase = GTI_DAE_TRANSLATE;
    for (int32_t i = 0; i < count; ++i) {
        if (ops[i].kind < phase || ops[i].kind > GTI_DAE_SCALE) {
            return false;
        }
        phase = ops[i].kind;
    }
    return true;
}

static void compose_plain(const GtiDaeOp* ops, int32_t count, double t[3], GtiQuat* q, double s[3])
{
    for (int32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            t[k] += ops[i].kind == GTI_DAE_TRANSLATE ? ops[i].v[k] : 0.0;
            s[k] *= ops[i].kind == GTI_DAE_SCALE ? ops[i].v[k] : 1.0;
        }
        if (ops[i].kind == GTI_DAE_ROTATE) {
            *q = gti_quat_mul(*q, op_rotation(ops[i].v));
        }
    }
    *q = gti_quat_unit(*q);
}

static float compose_matrix(const GtiDaeOp* ops, int32_t count, double t[3], GtiQuat* q, double s[3])
{
    DaeMatrix product = op_matrix(&ops[0]);
    for (int32_t i = 1; i < count; ++i) {
        DaeMatrix next = op_matrix(&ops[i]);
        product = matrix_mul(&product, &next);
    }
    GtMat34 linear = gt_mat34_identity();
    for (int i = 0; i < 3; ++i) {
        t[i] = product.m[i][3];
        for (int j = 0; j < 3; ++j) {
            linear.m[i][j] = (float)product.m[i][j];
        }
    }
    float shear = 0.0f;
    GtTransform split = gt_transform_from_mat34(&linear, &shear);
    *q = gti_quat_from(split.rotation);
    s[0] = (double)split.scale.x;
    s[1] = (double)split.scale.y;
    s[2] = (double)split.scale.z;
    return shear;
}

GtResult gti_dae_local(GtiDaeNodes* n, int32_t node, const GtiDaeOp* ops, GtTransform* out)
{
    GtiDae* d = n->d;
    int32_t count = n->nodes[node].op_count;
    double t[3] = { 0.0, 0.0, 0.0 };
    double s[3] = { 1.0, 1.0, 1.0 };
    GtiQuat q = gti_quat_identity();
    GtResult result = GT_OK;
    if (is_plain(ops, count)) {
        compose_plain(ops, count, t, &q, s);
    } else if (!(compose_matrix(ops, count, t, &q, s) <= MOST_SHEAR)) {
        result = gti_dae_repair(d, GTI_DAE_SHEAR, n->nodes[node].element,
                                "the transform of '%.64s' is sheared, which is left out",
                                gti_dae_label(d, n->nodes[node].element, ""));
    }
    double turned[4] = { q.x, q.y, q.z, q.w };
    for (int k = 0; k < 3; ++k) {
        t[k] *= d->metres_per_unit;
    }
    if (n->nodes[node].parent == GT_NONE) {
        gti_bvh_y_from_file_vector(d->up_axis, t);
        gti_bvh_y_from_file_quat(d->up_axis, turned);
    }
    *out = gt_transform(gt_vec3((float)t[0], (float)t[1], (float)t[2]),
                        gt_quat((float)turned[0], (float)turned[1], (float)turned[2], (float)turned[3]),
                        gt_vec3((float)s[0], (float)s[1], (float)s[2]));
    return result;
}

bool gti_dae_is_below(const GtiDaeNodes* n, int32_t node, int32_t ancestor)
{
    while (node != GT_NONE && node != ancestor) {
        node = n->nodes[node].parent;
    }
    return node == ancestor;
}
