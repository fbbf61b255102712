// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Arrays grow in the sculpt's own arena, to the next power of two whenever they are full.

#include "sections/sculpt.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_FOLD_POINTS =
        1 << 14 // points of poses that are looked at for folds, for each of which thousands of places are
};

GtResult gti_sculpt_create(const GtContext* context, GtSculpt** out, GtError* error)
{
    *out = context->allocator.allocate(context->allocator.user, sizeof **out);
    if (!*out) {
        return gti_out_of_memory(error);
    }
    **out = (GtSculpt){ .arena = gt_arena_create(context->allocator) };
    return GT_OK;
}

void gt_sculpt_destroy(GtSculpt* sculpt)
{
    if (!sculpt) {
        return;
    }
    for (int32_t i = 0; i < sculpt->track_count; ++i) {
        gt_curve_destroy(sculpt->tracks[i].curve);
    }
    gti_arena_destroy_owner(&sculpt->arena, sculpt);
}

// Room for one more; NULL when memory ran out, with the array as it was.
static void* grow(GtArena* arena, void* array, int32_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0) {
        return array;
    }
    size_t now = (size_t)count * size;
    return gti_arena_resize(arena, array, now, count > 0 ? 2 * now : size);
}

static const char* const* copy_names(GtArena* arena, const char* const* names, int32_t count, bool* ok)
{
    const char** own = gt_arena_push_array(arena, (size_t)count, sizeof *own);
    *ok = *ok && own;
    for (int32_t i = 0; i < count && *ok; ++i) {
        own[i] = gti_arena_copy_text(arena, names[i], ok);
    }
    return own;
}

// Say of what is wrong where and in what it is.
static GtResult name_culprit(GtError* error, GtResult result, const char* where, const char* what, const char* name)
{
    if (error) {
        GtError inner = *error;
        gti_fail_at(error, result, where, "%s '%.80s': %.300s", what, name, inner.message);
    }
    return result;
}

int32_t gti_sculpt_find_section(const GtSculpt* sculpt, const char* name)
{
    for (int32_t i = 0; i < sculpt->section_count; ++i) {
        if (strcmp(sculpt->sections[i].def.name, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

static size_t count_points(const GtSculpt* sculpt, bool of_poses)
{
    size_t count = 0;
    for (int32_t i = 0; i < sculpt->section_count; ++i) {
        const GtSectionDef* def = &sculpt->sections[i].def;
        count += (size_t)gt_lattice_point_count(&def->lattice) * (of_poses ? (size_t)def->pose_count : 1);
    }
    return count;
}

static GtResult check_section(const GtContext* context, const GtSculpt* sculpt, GtSectionDef* def, const char* where,
                              GtError* error)
{
    GtResult result = gt_lattice_check(&def->lattice, error);
    if (result != GT_OK) {
        return name_culprit(error, result, where, "section", def->name);
    }
    if (gti_sculpt_find_section(sculpt, def->name) != GT_NONE) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "there is a section '%.80s' already: give it another name",
                           def->name);
    }
    size_t points = (size_t)gt_lattice_point_count(&def->lattice);
    if (points + count_points(sculpt, false) > GT_SECTION_MAX_POINTS ||
        points * (size_t)def->pose_count + count_points(sculpt, true) > GTI_SCULPT_MAX_POINTS) {
        return gti_fail_at(error, GT_ERROR_LIMIT, where,
                           "section '%.80s': all sections together may have %d control points, and all poses %d",
                           def->name, GT_SECTION_MAX_POINTS, GTI_SCULPT_MAX_POINTS);
    }
    if (!(def->rest_blend >= 0.0f && def->rest_blend <= 1.0f)) {
        float cut = def->rest_blend > 1.0f ? 1.0f : 0.0f;
        result = gti_repair(context, error, sculpt->file, where, "section '%.80s': b is %g, which is limited to %g",
                            def->name, (double)def->rest_blend, (double)cut);
        def->rest_blend = cut;
    }
    return result;
}

GtResult gti_sculpt_warn_of_folds(const GtContext* context, const GtSculpt* sculpt, const GtSectionDef* def,
                                  const char* where, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    size_t count = (size_t)gt_lattice_point_count(&def->lattice);
    bool is_small = count_points(sculpt, true) <= MOST_FOLD_POINTS;
    GtVec3* rest = gt_arena_push_array(&scratch, count, sizeof *rest);
    GtVec3* points = gt_arena_push_array(&scratch, count, sizeof *points);
    GtResult result = rest && points ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK) {
        gt_lattice_rest(&def->lattice, rest);
    }
    for (int32_t p = 0; is_small && p < def->pose_count && result == GT_OK; ++p) {
        for (size_t i = 0; i < count; ++i) {
            points[i] = gt_vec3_add(rest[i], def->poses[p].offsets[i]);
        }
        if (gt_lattice_folds(&def->lattice, points)) {
            gti_warn(context, sculpt->file, where,
                     "section '%.80s': the pose '%.80s' folds its lattice, so that the surface turns inside out; move "
                     "its points less",
                     def->name, def->poses[p].name ? def->poses[p].name : "");
        }
    }
    gt_arena_destroy(&scratch);
    return result;
}

static bool copy_section(GtArena* arena, const GtSculptSection* from, GtSculptSection* to)
{
    bool ok = true;
    size_t count = (size_t)gt_lattice_point_count(&from->def.lattice);
    *to = *from;
    to->def.name = gti_arena_copy_text(arena, from->def.name, &ok);
    to->joint = gti_arena_copy_text(arena, from->joint, &ok);
    to->def.lattice.weights = gti_arena_copy(arena, from->def.lattice.weights, count, sizeof(float), &ok);
    to->with_nodes = gti_arena_copy(arena, from->with_nodes, (size_t)from->with_count, sizeof *from->with_nodes, &ok);
    GtLatticePose* poses = gt_arena_push_array(arena, (size_t)from->def.pose_count, sizeof *poses);
    ok = ok && poses;
    for (int32_t i = 0; i < from->def.pose_count && ok; ++i) {
        poses[i].name = gti_arena_copy_text(arena, from->def.poses[i].name, &ok);
        poses[i].offsets = gti_arena_copy(arena, from->def.poses[i].offsets, count, sizeof(GtVec3), &ok);
    }
    to->with = copy_names(arena, from->with, from->with_count, &ok);
    to->def.poses = poses;
    return ok;
}

GtResult gti_sculpt_add_section(const GtContext* context, GtSculpt* sculpt, const GtSculptSection* section,
                                const char* where, GtError* error)
{
    GtSculptSection own = *section;
    GtResult result = check_section(context, sculpt, &own.def, where, error);
    if (result != GT_OK) {
        return result;
    }
    GtSculptSection* sections = grow(&sculpt->arena, sculpt->sections, sculpt->section_count, sizeof *sections);
    if (!sections) {
        return gti_out_of_memory(error);
    }
    sculpt->sections = sections;
    if (!copy_section(&sculpt->arena, &own, &sections[sculpt->section_count])) {
        return gti_out_of_memory(error);
    }
    ++sculpt->section_count;
    return GT_OK;
}

static bool copy_keys(GtArena* arena, const GtCurveDef* from, GtCurveDef* to)
{
    bool ok = true;
    size_t keys = (size_t)from->key_count;
    size_t wide = keys * (size_t)from->component_count;
    size_t directions = keys * (size_t)(from->kind == GT_CURVE_ROTATION ? 3 : from->component_count);
    *to = *from;
    to->times_s = gti_arena_copy(arena, from->times_s, keys, sizeof(float), &ok);
    to->values = gti_arena_copy(arena, from->values, wide, sizeof(float), &ok);
    to->shapes = gti_arena_copy(arena, from->shapes, keys, sizeof *from->shapes, &ok);
    to->in = gti_arena_copy(arena, from->in, directions, sizeof(float), &ok);
    to->out = gti_arena_copy(arena, from->out, directions, sizeof(float), &ok);
    to->in_times_s = gti_arena_copy(arena, from->in_times_s, keys, sizeof(float), &ok);
    to->out_times_s = gti_arena_copy(arena, from->out_times_s, keys, sizeof(float), &ok);
    to->eases = gti_arena_copy(arena, from->eases, keys > 0 ? keys - 1 : 0, sizeof *from->eases, &ok);
    return ok;
}

// Keys of a blend beyond 0 to 1 are cut when they are played; whoever wrote them should know.
static GtResult warn_of_blend(const GtContext* context, const GtSculpt* sculpt, const GtSculptTrack* track,
                              const char* where, GtError* error)
{
    size_t length = strlen(track->channel);
    if (strncmp(track->channel, "section:", 8) != 0 || length < 2 || strcmp(track->channel + length - 2, ".b") != 0) {
        return GT_OK;
    }
    for (int32_t i = 0; i < track->keys.key_count; ++i) {
        float b = track->keys.values[i];
        if (!(b >= 0.0f && b <= 1.0f)) {
            return gti_repair(context, error, sculpt->file, where, "%.80s is %g at key %d, which is limited to %g",
                              track->channel, (double)b, (int)i, b > 1.0f ? 1.0 : 0.0);
        }
    }
    return GT_OK;
}

GtResult gti_sculpt_add_track(const GtContext* context, GtSculpt* sculpt, const GtSculptTrack* track, const char* where,
                              GtError* error)
{
    GtResult result = warn_of_blend(context, sculpt, track, where, error);
    if (result != GT_OK) {
        return result;
    }
    bool ok = true;
    GtSculptTrack* tracks = grow(&sculpt->arena, sculpt->tracks, sculpt->track_count, sizeof *tracks);
    if (!tracks) {
        return gti_out_of_memory(error);
    }
    sculpt->tracks = tracks;
    GtSculptTrack own = { .channel = gti_arena_copy_text(&sculpt->arena, track->channel, &ok),
                          .formula = gti_arena_copy_text(&sculpt->arena, track->formula, &ok),
                          .input = gti_arena_copy_text(&sculpt->arena, track->input, &ok) };
    if (!ok || !copy_keys(&sculpt->arena, &track->keys, &own.keys)) {
        return gti_out_of_memory(error);
    }
    if (!own.formula) {
        result = gt_curve_create(context->allocator, &own.keys, &own.curve, error);
    }
    if (result != GT_OK) {
        return name_culprit(error, result, where, "the keys of", own.channel);
    }
    tracks[sculpt->track_count++] = own;
    return GT_OK;
}

GtResult gti_sculpt_add_control(GtSculpt* sculpt, const GtShapeControl* control, const char* where, GtError* error)
{
    if (!(control->min <= control->rest && control->rest <= control->max)) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "control '%.80s' rests at %g, outside %g to %g",
                           control->name, (double)control->rest, (double)control->min, (double)control->max);
    }
    for (int32_t i = 0; i < sculpt->control_count; ++i) {
        if (strcmp(sculpt->controls[i].name, control->name) == 0) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "there is a control '%.80s' already", control->name);
        }
    }
    bool ok = true;
    GtShapeControl* controls = grow(&sculpt->arena, sculpt->controls, sculpt->control_count, sizeof *controls);
    sculpt->controls = controls ? controls : sculpt->controls;
    GtShapeControl own = *control;
    own.name = gti_arena_copy_text(&sculpt->arena, control->name, &ok);
    own.blocks = copy_names(&sculpt->arena, control->blocks, control->block_count, &ok);
    own.fades = copy_names(&sculpt->arena, control->fades, control->fade_count, &ok);
    if (!controls || !ok) {
        return gti_out_of_memory(error);
    }
    controls[sculpt->control_count++] = own;
    return GT_OK;
}

GtResult gti_sculpt_add_material(GtSculpt* sculpt, const GtMaterialRule* material, GtError* error)
{
    bool ok = true;
    GtMaterialRule* materials = grow(&sculpt->arena, sculpt->materials, sculpt->material_count, sizeof *materials);
    sculpt->materials = materials ? materials : sculpt->materials;
    GtMaterialRule own = *material;
    own.material = gti_arena_copy_text(&sculpt->arena, material->material, &ok);
    own.control = gti_arena_copy_text(&sculpt->arena, material->control, &ok);
    if (!materials || !ok) {
        return gti_out_of_memory(error);
    }
    materials[sculpt->material_count++] = own;
    return GT_OK;
}

GtResult gti_sculpt_add_jiggle(GtSculpt* sculpt, const GtSculptJiggle* jiggle, const char* where, GtError* error)
{
    const GtSculptSection* section = &sculpt->sections[jiggle->section];
    if (section->def.node == GT_NONE) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where,
                           "the lattice '%.80s' is carried by no joint, so it cannot lag behind one",
                           section->def.name);
    }
    bool ok = true;
    GtSculptJiggle* jiggles = grow(&sculpt->arena, sculpt->jiggles, sculpt->jiggle_count, sizeof *jiggles);
    sculpt->jiggles = jiggles ? jiggles : sculpt->jiggles;
    size_t count = (size_t)gt_lattice_point_count(&section->def.lattice);
    const float* holds = gti_arena_copy(&sculpt->arena, jiggle->holds, count, sizeof *holds, &ok);
    if (!jiggles || !ok) {
        return gti_out_of_memory(error);
    }
    jiggles[sculpt->jiggle_count] = *jiggle;
    jiggles[sculpt->jiggle_count++].holds = holds;
    return GT_OK;
}

// "[a]" and "[b]" as "[a,b]"; either may be NULL.
static GtResult join_shapes(GtSculpt* sculpt, const char* other, GtError* error)
{
    bool ok = true;
    if (!sculpt->shapes || !other) {
        sculpt->shapes = other ? gti_arena_copy_text(&sculpt->arena, other, &ok) : sculpt->shapes;
        return ok ? GT_OK : gti_out_of_memory(error);
    }
    size_t first = strlen(sculpt->shapes);
    size_t second = strlen(other);
    bool is_empty = !strchr(sculpt->shapes, '{') || !strchr(other, '{');
    char* text = gt_arena_push_array(&sculpt->arena, first + second, 1);
    if (!text) {
        return gti_out_of_memory(error);
    }
    snprintf(text, first + second, "%.*s%s%s", (int)(first - 1), sculpt->shapes, is_empty ? "" : ",", other + 1);
    sculpt->shapes = text;
    return GT_OK;
}

GtResult gt_sculpt_add(const GtContext* context, GtSculpt* sculpt, const GtSculpt* other, GtError* error)
{
    GtResult result = GT_OK;
    int32_t first_section = sculpt->section_count;
    for (int32_t i = 0; i < other->section_count && result == GT_OK; ++i) {
        result = gti_sculpt_add_section(context, sculpt, &other->sections[i], NULL, error);
    }
    for (int32_t i = 0; i < other->control_count && result == GT_OK; ++i) {
        result = gti_sculpt_add_control(sculpt, &other->controls[i], NULL, error);
    }
    for (int32_t i = 0; i < other->material_count && result == GT_OK; ++i) {
        result = gti_sculpt_add_material(sculpt, &other->materials[i], error);
    }
    for (int32_t i = 0; i < other->track_count && result == GT_OK; ++i) {
        result = gti_sculpt_add_track(context, sculpt, &other->tracks[i], NULL, error);
    }
    for (int32_t i = 0; i < other->jiggle_count && result == GT_OK; ++i) {
        GtSculptJiggle jiggle = other->jiggles[i];
        jiggle.section += first_section;
        result = gti_sculpt_add_jiggle(sculpt, &jiggle, NULL, error);
    }
    return result == GT_OK ? join_shapes(sculpt, other->shapes, error) : result;
}
