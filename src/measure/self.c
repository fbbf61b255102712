// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin is cut into the parts of a body, which are closed with lids. A point of one part has gone into another that
// it is inside of, by rays through the tree of its triangles, and was not inside of in the bind pose; its depth is the
// distance to the nearest triangle of that part's skin. Where the two were near each other in the bind pose the point
// does not count: armpits, clothes, eyes in sockets.

#include "measure/self.h"

#include "collide/collider.h"
#include "geometry/nearest.h"

#include <string.h>

enum {
    MAX_POINTS = 8000 // an arm's lie a centimetre and a half apart
};

// The part of a humanoid that a zone is of, the whole trunk being one; else a number after all parts.
static int32_t key_of_zone(const GtiMeasuredSkin* skin, int32_t zone)
{
    for (int32_t j = 0; skin->figure->is_humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (skin->figure->joints[j] == skin->zones[zone].node) {
            int part = gti_collider_part_of(j);
            return part == GTI_COLLIDER_CHEST || part == GTI_COLLIDER_BELLY ? GTI_COLLIDER_PELVIS : part;
        }
    }
    return GTI_COLLIDER_PART_COUNT + zone;
}

// The group of the nearest zone above that is of another group, or GT_NONE.
static int32_t group_above(const GtiSelf* self, int32_t zone)
{
    const GtiMeasuredSkin* skin = self->skin;
    int32_t node = skin->zones[zone].node;
    while ((node = skin->figure->def->parents[node]) != GT_NONE) {
        int32_t above = skin->node_zones[node];
        if (above != GT_NONE && self->zone_groups[above] != self->zone_groups[zone]) {
            return self->zone_groups[above];
        }
    }
    return GT_NONE;
}

// Number the groups, and count their triangles.
static GtResult find_groups(GtArena* arena, GtiSelf* out, GtError* error)
{
    const GtiMeasuredSkin* skin = out->skin;
    size_t zones = (size_t)skin->zone_count, keys = zones + GTI_COLLIDER_PART_COUNT;
    int32_t* of_key = gt_arena_push_array(arena, keys, sizeof *of_key);
    out->zone_groups = gt_arena_push_array(arena, zones, sizeof *out->zone_groups);
    out->zone_lids = gt_arena_push_array(arena, zones, sizeof *out->zone_lids);
    out->groups = gt_arena_push_array(arena, zones, sizeof *out->groups);
    if (!of_key || !out->zone_groups || !out->zone_lids || !out->groups) {
        return gti_out_of_memory(error);
    }
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        int32_t key = key_of_zone(skin, z);
        of_key[key] = of_key[key] ? of_key[key] : ++out->group_count; // one more, so that 0 is none
        out->zone_groups[z] = of_key[key] - 1;
        out->zone_lids[z] = out->lid_count;
        out->lid_count += skin->zones[z].lid_count;
        GtiSelfGroup* group = &out->groups[out->zone_groups[z]];
        group->skin_triangles += skin->zones[z].triangle_count;
        group->tree.triangle_count += skin->zones[z].triangle_count + skin->zones[z].rim_count;
    }
    for (int32_t z = skin->zone_count - 1; z >= 0; --z) { // the topmost zone of a group says
        out->groups[out->zone_groups[z]].above = group_above(out, z);
    }
    return GT_OK;
}

static void fill_group(const GtiSelf* self, int32_t index, GtiSelfGroup* group)
{
    const GtiMeasuredSkin* skin = self->skin;
    uint32_t *skin_at = group->corners, *lid_at = group->corners + 3 * (size_t)group->skin_triangles;
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        const GtiZone* zone = &skin->zones[z];
        if (self->zone_groups[z] != index) {
            continue;
        }
        size_t count = 3 * (size_t)zone->triangle_count;
        memcpy(skin_at, skin->corners + 3 * (size_t)zone->first_triangle, count * sizeof *skin_at);
        skin_at += count;
        for (int32_t r = 0; r < zone->rim_count; ++r) {
            *lid_at++ = (uint32_t)zone->rims[r].to;
            *lid_at++ = (uint32_t)zone->rims[r].from;
            *lid_at++ = (uint32_t)(skin->vertex_count + self->zone_lids[z] + zone->rims[r].lid);
        }
    }
}

// The middle of each lid is that of the ends of its rims.
static void place_lids(const GtiSelf* self, GtVec3* positions)
{
    const GtiMeasuredSkin* skin = self->skin;
    GtVec3* lids = positions + skin->vertex_count;
    memset(lids, 0, (size_t)self->lid_count * sizeof *lids);
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        const GtiZone* zone = &skin->zones[z];
        for (int32_t r = 0; r < zone->rim_count; ++r) {
            int32_t lid = self->zone_lids[z] + zone->rims[r].lid;
            GtVec3 share = gt_vec3_scale(positions[zone->rims[r].from], self->lid_shares[lid]);
            lids[lid] = gt_vec3_add(lids[lid], share);
        }
    }
}

// Each end of a rim has an even share in the middle of its lid.
static GtResult share_lids(GtArena* arena, GtiSelf* out, GtError* error)
{
    const GtiMeasuredSkin* skin = out->skin;
    out->lid_shares = gt_arena_push_array(arena, (size_t)out->lid_count, sizeof *out->lid_shares);
    if (!out->lid_shares) {
        return gti_out_of_memory(error);
    }
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        for (int32_t r = 0; r < skin->zones[z].rim_count; ++r) {
            out->lid_shares[out->zone_lids[z] + skin->zones[z].rims[r].lid] += 1.0f;
        }
    }
    for (int32_t l = 0; l < out->lid_count; ++l) {
        out->lid_shares[l] = 1.0f / out->lid_shares[l];
    }
    return GT_OK;
}

static GtResult build_trees(GtArena* arena, GtiSelf* out, GtError* error)
{
    const GtiMeasuredSkin* skin = out->skin;
    out->rest = gt_arena_push_array(arena, (size_t)skin->vertex_count + (size_t)out->lid_count, sizeof *out->rest);
    if (!out->rest) {
        return gti_out_of_memory(error);
    }
    memcpy(out->rest, skin->rest, (size_t)skin->vertex_count * sizeof *out->rest);
    place_lids(out, out->rest);
    for (int32_t g = 0; g < out->group_count; ++g) {
        GtiSelfGroup* group = &out->groups[g];
        int32_t count = group->tree.triangle_count;
        group->corners = gt_arena_push_array(arena, 3 * (size_t)count, sizeof *group->corners);
        if (!group->corners) {
            return gti_out_of_memory(error);
        }
        fill_group(out, g, group);
        GtResult result = gti_tree_build(arena, out->rest, group->corners, count, &group->tree, error);
        if (result != GT_OK) {
            return result;
        }
        group->first_box = out->box_count;
        out->box_count += group->tree.node_count;
        group->rest_boxes = gt_arena_push_array(arena, (size_t)group->tree.node_count, sizeof *group->rest_boxes);
        if (!group->rest_boxes) {
            return gti_out_of_memory(error);
        }
        gti_tree_refit(&(GtiPosedTree){ &group->tree, out->rest, group->rest_boxes });
    }
    return GT_OK;
}

static GtResult choose_points(GtArena* arena, GtiSelf* out, GtError* error)
{
    const GtiMeasuredSkin* skin = out->skin;
    int32_t stride = (skin->point_count + MAX_POINTS - 1) / MAX_POINTS;
    bool* seen = gt_arena_push_array(arena, (size_t)skin->point_count, sizeof *seen);
    out->vertices = gt_arena_push_array(arena, (size_t)skin->point_count, sizeof *out->vertices);
    if (!seen || !out->vertices) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < 3 * skin->triangle_count; ++i) { // only what the surface uses
        int32_t vertex = (int32_t)skin->corners[i];
        int32_t point = skin->points[vertex];
        if (!seen[point] && point % stride == 0) {
            seen[point] = true;
            out->vertices[out->count++] = vertex;
        }
    }
    return GT_OK;
}

GtResult gti_self_open(GtArena* arena, const GtiMeasuredSkin* skin, GtiSelf* out, GtError* error)
{
    *out = (GtiSelf){
        .skin = skin,
        .apart_m = (float)(0.06 * skin->size_m),
        .least_m = (float)(0.001 * skin->size_m),
    };
    double volume = 0.0;
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        volume += skin->zones[z].volume_m3;
    }
    out->outward = volume < 0.0 ? -1 : 1;
    GtResult result = find_groups(arena, out, error);
    result = result == GT_OK ? share_lids(arena, out, error) : result;
    result = result == GT_OK ? build_trees(arena, out, error) : result;
    return result == GT_OK ? choose_points(arena, out, error) : result;
}

static const float FOLD = 2.0f; // times as far apart in the bind pose, that parts of one joint are for it to be no fold

static bool is_skin(const void* user, int32_t triangle, GtVec3 point)
{
    (void)point;
    const GtiSelfGroup* group = user;
    return triangle < group->skin_triangles;
}

// Parts that share a joint fold around it: of a limb all of both, at the trunk what is near the joint.
static bool is_fold(const GtiSelf* self, int32_t group, int32_t other, float rest_m)
{
    int32_t above = self->groups[group].above, other_above = self->groups[other].above;
    bool of_limb = above != GT_NONE && other_above != GT_NONE;
    return (above == other || other_above == group) && (of_limb || !(rest_m > FOLD * self->apart_m));
}

static bool is_within(const GtBounds* box, GtVec3 p)
{
    return p.x >= box->low.x && p.y >= box->low.y && p.z >= box->low.z && p.x <= box->high.x && p.y <= box->high.y &&
           p.z <= box->high.z;
}

// How a point has gone into a group that it was apart from: a triangle of GT_NONE where it has not.
// rest_m: receives how far apart they were
static GtiTreeNearest look(const GtiSelf* self, const GtiSelfGroup* group, const GtiPosedTree* posed, int32_t vertex,
                           float* rest_m)
{
    const GtiTreeNearest none = { .triangle = GT_NONE };
    GtVec3 place = posed->positions[vertex], rest_place = self->rest[vertex];
    if (group->tree.node_count == 0 || !is_within(&posed->boxes[0], place) ||
        self->outward * gti_tree_winding(posed, place) <= 0) {
        return none;
    }
    GtiTreeNearest out = gti_tree_nearest(posed, place, (float)self->skin->size_m, is_skin, group);
    if (out.triangle == GT_NONE || !(out.distance_m > self->least_m)) {
        return none;
    }
    const uint32_t* c = group->corners + 3 * (size_t)out.triangle;
    GtVec3 rest = gti_nearest_on_triangle(rest_place, self->rest[c[0]], self->rest[c[1]], self->rest[c[2]]);
    *rest_m = gt_vec3_length(gt_vec3_sub(rest, rest_place));
    if (!(*rest_m > self->apart_m)) {
        return none;
    }
    GtiPosedTree bind = { &group->tree, self->rest, group->rest_boxes };
    return self->outward * gti_tree_winding(&bind, rest_place) > 0 ? none : out;
}

void gti_self_measure(const GtiSelf* self, GtVec3* positions, GtBounds* boxes, GtiSelfFrame* out)
{
    const GtiMeasuredSkin* skin = self->skin;
    *out = (GtiSelfFrame){ .vertex = GT_NONE, .other = GT_NONE, .clash_vertex = GT_NONE, .clash_other = GT_NONE };
    place_lids(self, positions);
    for (int32_t g = 0; g < self->group_count; ++g) {
        gti_tree_refit(&(GtiPosedTree){ &self->groups[g].tree, positions, boxes + self->groups[g].first_box });
    }
    for (int32_t i = 0; i < self->count; ++i) {
        int32_t vertex = self->vertices[i], own = self->zone_groups[skin->zone_of[vertex]];
        bool is_inside = false;
        for (int32_t g = 0; g < self->group_count; ++g) {
            const GtiSelfGroup* group = &self->groups[g];
            float rest_m = 0.0f;
            GtiPosedTree posed = { &group->tree, positions, boxes + group->first_box };
            GtiTreeNearest exit = { .triangle = GT_NONE };
            if (g != own) {
                exit = look(self, group, &posed, vertex, &rest_m);
            }
            if (exit.triangle == GT_NONE) {
                continue;
            }
            is_inside = true;
            if (exit.distance_m > out->clash_m && !is_fold(self, own, g, rest_m)) {
                out->clash_m = exit.distance_m;
                out->clash_vertex = vertex;
                out->clash_other = (int32_t)group->corners[3 * (size_t)exit.triangle];
            }
            if (exit.distance_m > out->depth_m) {
                out->depth_m = exit.distance_m;
                out->vertex = vertex;
                out->other = (int32_t)group->corners[3 * (size_t)exit.triangle];
            }
        }
        out->inside_count += is_inside;
    }
}
