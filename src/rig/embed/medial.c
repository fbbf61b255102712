// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Automatic rigging after Baran and Popovic, "Automatic Rigging and Animation of 3D Characters" (2007): spheres fill
// the body, a graph links them, a search puts the skeleton's forks and ends on spheres, and joints between them are
// placed along the middle of the limbs. Works on the grid of the solid, so that its time does not grow with the mesh.

#include "rig/embed/embed.h"

#include "base/fail.h"
#include "rig/medial/refine.h"

#include <math.h>
#include <string.h>

typedef struct Embedding {
    const GtContext* context;
    const GtiRigBody* body;
    const GtiSolid* solid;
    const GtiRigSkeleton* given;
    GtArena scratch;
    GtiMedialTree tree;
    GtiSpherePacking packing;
    int32_t pins[GTI_KNOT_MOST]; // spheres of pinned knots
    GtiSphereGraph graph;
    GtiSearchResult found;
} Embedding;

// A pinned joint has a sphere of its own, where it is.
static void pin_knots(Embedding* e)
{
    for (int32_t k = 0; k < e->tree.knot_count; ++k) {
        const GtiMedialKnot* knot = &e->tree.knots[k];
        e->pins[k] = GT_NONE;
        if (knot->is_pinned) {
            GtVec3 center = e->given->joints[knot->joint].position;
            float radius = fmaxf(-gti_solid_distance(e->solid, center), e->solid->cell);
            e->pins[k] = e->packing.count;
            e->packing.spheres[e->packing.count++] = (GtiSphere){ center, radius };
        }
    }
}

static GtResult fill_body(Embedding* e, GtError* error)
{
    if (!gti_medial_tree_make(e->given, &e->scratch, &e->tree)) {
        return gti_out_of_memory(error);
    }
    GtiSpherePacking packed;
    GtResult result = gti_medial_pack(e->context, e->solid, GTI_SPHERE_MOST, &e->scratch, &packed, error);
    if (result != GT_OK) {
        return result;
    }
    if (packed.count < e->tree.knot_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the mesh encloses no volume for a skeleton");
    }
    e->packing = packed;
    e->packing.spheres = gt_arena_push_array(&e->scratch, (size_t)packed.count + GTI_KNOT_MOST, sizeof *packed.spheres);
    if (!e->packing.spheres) {
        return gti_out_of_memory(error);
    }
    memcpy(e->packing.spheres, packed.spheres, (size_t)packed.count * sizeof *packed.spheres);
    pin_knots(e);
    return gti_sphere_graph_make(e->context, e->solid, &e->packing, e->packing.count - packed.count, &e->scratch,
                                 &e->graph, error);
}

static GtResult embed(Embedding* e, GtArena* arena, GtiRigSkeleton* out, GtError* error)
{
    GtResult result = fill_body(e, error);
    if (result != GT_OK) {
        return result;
    }
    GtiSearchDef search = { .graph = &e->graph, .tree = &e->tree, .pins = e->pins, .symmetry = e->body->symmetry };
    result = gti_search(e->context, &search, &e->found, error);
    if (result != GT_OK) {
        return result;
    }
    size_t count = (size_t)e->given->joint_count;
    out->joints = gt_arena_push_array(arena, count, sizeof *out->joints);
    if (!out->joints) {
        return gti_out_of_memory(error);
    }
    memcpy(out->joints, e->given->joints, count * sizeof *out->joints);
    out->joint_count = e->given->joint_count;
    GtiRefineDef refine = {
        .body = e->body, .solid = e->solid, .graph = &e->graph, .tree = &e->tree, .spheres = e->found.spheres
    };
    return gti_refine(&refine, e->given, &e->scratch, out) ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_embed_medial(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                          const GtiRigSkeleton* given, GtArena* arena, GtiRigSkeleton* out, float* cost, GtError* error)
{
    *out = (GtiRigSkeleton){ NULL, 0 };
    *cost = INFINITY;
    if (given->joint_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the skeleton has no joints");
    }
    Embedding e = {
        .context = context, .body = body, .solid = solid, .given = given, .scratch = gt_arena_create(context->allocator)
    };
    GtResult result = embed(&e, arena, out, error);
    if (result == GT_OK) {
        *cost = e.found.cost;
    }
    gt_arena_destroy(&e.scratch);
    return result;
}
