// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The table that `info` shows to people. Names come last in a row, because nobody knows how wide they are; what a file
// has none of is left out.

#include "info.h"

#include "gertie/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LABEL_COLUMNS = 16, // "  size at rest  "
    MOST_ROWS = 40,     // of a list; --json has all
    MOST_NAMES = 60
};

static void add_label(GtText* text, const char* label)
{
    gt_text_addf(text, "  %-*s", LABEL_COLUMNS - 2, label);
}

static void add_name(GtText* text, const char* name)
{
    gt_text_add_printable(text, name && name[0] ? name : "(no name)");
}

static void add_rows_left(GtText* text, int32_t count)
{
    if (count > MOST_ROWS) {
        gt_text_addf(text, "      and %d more; --json lists all\n", (int)(count - MOST_ROWS));
    }
}

static void add_names(GtText* text, int column, const char* const* names, size_t stride, int32_t count)
{
    GtText list = { 0 };
    for (int32_t i = 0; i < count && i < MOST_NAMES; ++i) {
        gt_text_adds(&list, i ? ", " : "");
        add_name(&list, *(const char* const*)((const char*)names + (size_t)i * stride));
    }
    if (count > MOST_NAMES) {
        gt_text_addf(&list, " and %d more", (int)(count - MOST_NAMES));
    }
    text_add_wrapped(text, text_part(text, &list), column, LABEL_COLUMNS);
    gt_text_destroy(&list);
}

static void add_size(GtText* text, int64_t bytes)
{
    if (bytes < 1000) {
        gt_text_addf(text, "%d bytes", (int)bytes);
    } else if (bytes < 1000000) {
        gt_text_addf(text, "%.3g KB", 1e-3 * (double)bytes);
    } else if (bytes < 1000000000) {
        gt_text_addf(text, "%.3g MB", 1e-6 * (double)bytes);
    } else {
        gt_text_addf(text, "%.3g GB", 1e-9 * (double)bytes);
    }
}

static void add_head(GtText* text, const char* path, const GtSurvey* survey)
{
    const GtScene* scene = survey->scene;
    gt_text_add_printable(text, path);
    gt_text_adds(text, "\n");
    add_label(text, "format");
    gt_text_adds(text, scene->source.file_format ? scene->source.file_format : "unknown");
    if (survey->file_size >= 0) {
        gt_text_adds(text, ", ");
        add_size(text, survey->file_size);
    }
    if (scene->asset.generator && scene->asset.generator[0]) {
        gt_text_adds(text, ", made by ");
        gt_text_add_printable(text, scene->asset.generator);
    }
    gt_text_adds(text, "\n");
    if (scene->asset.copyright && scene->asset.copyright[0]) {
        GtText clean = { 0 };
        gt_text_add_printable(&clean, scene->asset.copyright);
        add_label(text, "copyright");
        text_add_wrapped(text, text_part(text, &clean), LABEL_COLUMNS, LABEL_COLUMNS);
        gt_text_adds(text, "\n");
        gt_text_destroy(&clean);
    }
}

static void add_unit(GtText* text, double metres_per_unit, GtUpAxis up_axis)
{
    static const struct {
        double metres;
        const char* name;
    } units[] = {
        { 1.0, "metres" },        { 0.1, "decimetres" }, { 0.01, "centimetres" },
        { 0.001, "millimetres" }, { 0.0254, "inches" },  { 0.3048, "feet" },
    };
    static const char axes[] = "YZX";
    const char* name = NULL;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        name = fabs(metres_per_unit / units[i].metres - 1.0) < 1e-6 ? units[i].name : name;
    }
    if (name) {
        gt_text_adds(text, name);
    } else {
        gt_text_addf(text, "of %.4g m", metres_per_unit);
    }
    gt_text_addf(text, ", %c up", axes[up_axis]);
}

static void add_units(GtText* text, const GtSurvey* survey)
{
    const GtSource* source = &survey->scene->source;
    bool is_open = survey->file_units_open;
    add_label(text, "units");
    add_unit(text, is_open ? source->metres_per_unit : 1.0, is_open ? source->up_axis : GT_UP_Y);
    gt_text_adds(text, is_open && source->units_guessed ? " (guessed)" : "");
    if (survey->source_units_open) {
        gt_text_addf(text, "; made from %s in ", source->format);
        add_unit(text, source->metres_per_unit, source->up_axis);
    }
    gt_text_adds(text, "\n");
}

static void add_bounds(GtText* text, const GtSurvey* survey)
{
    if (!survey->has_bounds) {
        return;
    }
    GtVec3 size = gt_vec3_sub(survey->bounds_m.high, survey->bounds_m.low);
    const float ends[6] = { survey->bounds_m.low.x,  survey->bounds_m.high.x, survey->bounds_m.low.y,
                            survey->bounds_m.high.y, survey->bounds_m.low.z,  survey->bounds_m.high.z };
    float nothing = 5e-4f * fmaxf(size.x, fmaxf(size.y, size.z));
    add_label(text, "size at rest");
    gt_text_addf(text, "%.3g x %.3g x %.3g m%s", (double)size.x, (double)size.y, (double)size.z,
                 survey->bounds_are_joints ? " (joints)" : "");
    for (int i = 0; i < 6; ++i) {
        if (i % 2 == 0) {
            gt_text_addf(text, "%s%c", i ? ", " : ": ", "xyz"[i / 2]);
        }
        gt_text_addf(text, "%s %.3g", i % 2 ? " to" : "", fabsf(ends[i]) < nothing ? 0.0 : (double)ends[i]);
    }
    gt_text_adds(text, "\n");
}

static void add_counted(GtText* text, const char* before, int64_t count, const char* one, const char* many)
{
    gt_text_addf(text, "%s%lld %s", before, (long long)count, count == 1 ? one : many);
}

// "closed, 0.0828 m3; 1 piece; manifold"
static void add_surface(GtText* text, const GtSurvey* survey)
{
    const GtSurfaceReport* s = &survey->surface;
    if (!survey->has_surface) {
        return;
    }
    add_label(text, "surface");
    if (s->is_closed) {
        gt_text_adds(text, "closed");
        if (s->is_oriented) {
            gt_text_addf(text, ", %.3g m3", s->volume);
        }
    } else {
        add_counted(text, "open: ", s->boundary_edge_count, "boundary edge", "boundary edges");
        add_counted(text, " in ", s->hole_count, "chain", "chains");
    }
    add_counted(text, "; ", s->component_count, "piece", "pieces");
    gt_text_adds(text, s->is_manifold ? "; manifold" : "; not manifold:");
    const char* before = " ";
    if (s->crowded_edge_count) {
        add_counted(text, before, s->crowded_edge_count, "edge of more than two triangles",
                    "edges of more than two triangles");
        before = ", ";
    }
    if (s->pinched_vertex_count) {
        add_counted(text, before, s->pinched_vertex_count, "pinched vertex", "pinched vertices");
    }
    if (s->flipped_edge_count) {
        add_counted(text, "; ", s->flipped_edge_count, "edge between triangles that wind against each other",
                    "edges between triangles that wind against each other");
    }
    if (s->degenerate_count) {
        add_counted(text, "; ", s->degenerate_count, "triangle without area", "triangles without area");
    }
    gt_text_adds(text, "\n");
}

// Attributes that say more than that there is a skinned mesh: "(normal, texcoord_0)".
static void add_attributes(GtText* text, const char* const* names, int32_t count)
{
    bool any = false;
    for (int32_t i = 0; i < count; ++i) {
        const char* name = names[i];
        if (!strcmp(name, "POSITION") || !strncmp(name, "JOINTS_", 7) || !strncmp(name, "WEIGHTS_", 8)) {
            continue;
        }
        char lower[64];
        snprintf(lower, sizeof lower, "%s", name);
        for (char* at = lower; *at && name[0] != '_'; ++at) {
            *at = (char)tolower((unsigned char)*at);
        }
        gt_text_adds(text, any ? ", " : "  (");
        gt_text_add_printable(text, lower);
        any = true;
    }
    gt_text_adds(text, any ? ")" : "");
}

static void add_meshes(GtText* text, const GtSurvey* survey)
{
    const GtScene* scene = survey->scene;
    if (scene->mesh_count == 0) {
        return;
    }
    add_label(text, "meshes");
    gt_text_addf(text, "%d\n      #  vertices  triangles  morphs  influences  name\n", (int)scene->mesh_count);
    for (int32_t i = 0; i < scene->mesh_count && i < MOST_ROWS; ++i) {
        const GtMeshSurvey* facts = &survey->meshes[i];
        gt_text_addf(text, "  %5d %9lld %10lld %7d %11d  ", (int)i, (long long)facts->vertex_count,
                     (long long)facts->triangle_count, (int)scene->meshes[i].target_count, (int)facts->influence_count);
        add_name(text, scene->meshes[i].name);
        add_attributes(text, facts->attributes, facts->attribute_count);
        gt_text_adds(text, "\n");
    }
    add_rows_left(text, scene->mesh_count);
    for (int32_t i = 0; i < scene->mesh_count && i < MOST_ROWS; ++i) {
        const GtMesh* mesh = &scene->meshes[i];
        const GtMeshSurvey* facts = &survey->meshes[i];
        if (mesh->target_count > 0 && mesh->target_names) {
            add_label(text, "  morphs");
            int used = text_columns(mesh->name ? mesh->name : "(no name)") + 2;
            add_name(text, mesh->name);
            gt_text_adds(text, ": ");
            add_names(text, LABEL_COLUMNS + used, mesh->target_names, sizeof *mesh->target_names, mesh->target_count);
            add_attributes(text, facts->morph_attributes, facts->morph_attribute_count);
            gt_text_adds(text, "\n");
        }
    }
}

static void add_skins(GtText* text, const GtScene* scene)
{
    if (scene->skin_count == 0) {
        return;
    }
    add_label(text, "skins");
    gt_text_addf(text, "%d\n      #    joints  name\n", (int)scene->skin_count);
    for (int32_t i = 0; i < scene->skin_count && i < MOST_ROWS; ++i) {
        gt_text_addf(text, "  %5d %9d  ", (int)i, (int)scene->skins[i].joint_count);
        add_name(text, scene->skins[i].name);
        gt_text_adds(text, "\n");
    }
    add_rows_left(text, scene->skin_count);
}

static void add_clips(GtText* text, const GtSurvey* survey)
{
    const GtScene* scene = survey->scene;
    if (scene->animation_count == 0) {
        return;
    }
    add_label(text, "clips");
    gt_text_addf(text, "%d\n      #   seconds       keys   rate    channels  name\n", (int)scene->animation_count);
    for (int32_t i = 0; i < scene->animation_count && i < MOST_ROWS; ++i) {
        const GtClipSurvey* facts = &survey->clips[i];
        char rate[32] = "uneven";
        if (facts->rate_hz > 0) {
            snprintf(rate, sizeof rate, "%.4g Hz", facts->rate_hz);
        } else if (facts->key_count < 2) {
            rate[0] = 0;
        }
        gt_text_addf(text, "  %5d %9.3f %10lld %9s %8d  ", (int)i, facts->end_s - facts->start_s,
                     (long long)facts->key_count, rate, (int)scene->animations[i].channel_count);
        add_name(text, scene->animations[i].name);
        gt_text_adds(text, scene->animations[i].tpose_first ? "  (T-pose first)" : "");
        if (survey->pack) {
            gt_text_adds(text, survey->pack->clip_is_packed[i] ? "  (packed, " : "  (keys, ");
            add_size(text, survey->pack->clip_sizes[i]);
            gt_text_adds(text, ")");
        }
        gt_text_adds(text, "\n");
    }
    add_rows_left(text, scene->animation_count);
}

static void add_images(GtText* text, const GtSurvey* survey)
{
    const GtScene* scene = survey->scene;
    if (scene->image_count == 0 && scene->texture_count == 0) {
        return;
    }
    add_label(text, "textures");
    gt_text_addf(text, "%d, from %d image%s\n", (int)scene->texture_count, (int)scene->image_count,
                 scene->image_count == 1 ? "" : "s");
    for (int32_t i = 0; i < scene->image_count; ++i) {
        if (survey->image_missing[i]) {
            gt_text_adds(text, "      missing: ");
            gt_text_add_printable(text, scene->images[i].uri);
            gt_text_adds(text, "\n");
        }
    }
}

static void add_humanoid(GtText* text, const GtScene* scene)
{
    if (!scene->humanoid) {
        return;
    }
    const char* missing[GT_HUMANOID_JOINT_COUNT];
    int32_t missing_count = 0;
    int32_t found = 0;
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        bool is_mapped = scene->humanoid->nodes[i] != GT_NONE;
        found += is_mapped;
        if (!is_mapped && gt_humanoid_required((GtHumanoidJoint)i)) {
            missing[missing_count++] = gt_humanoid_name((GtHumanoidJoint)i);
        }
    }
    add_label(text, "humanoid");
    gt_text_addf(text, "%d of %d joints mapped", (int)found, (int)GT_HUMANOID_JOINT_COUNT);
    if (missing_count) {
        gt_text_adds(text, "\n");
        add_label(text, "  missing");
        add_names(text, LABEL_COLUMNS, missing, sizeof *missing, missing_count);
    }
    gt_text_adds(text, "\n");
}

static void add_deform(GtText* text, const GtSculpt* sculpt)
{
    if (!sculpt) {
        return;
    }
    add_label(text, "deform");
    gt_text_addf(text, "%d section%s, %d control%s, %d track%s, %d with springs\n", (int)sculpt->section_count,
                 sculpt->section_count == 1 ? "" : "s", (int)sculpt->control_count,
                 sculpt->control_count == 1 ? "" : "s", (int)sculpt->track_count, sculpt->track_count == 1 ? "" : "s",
                 (int)sculpt->jiggle_count);
    if (sculpt->section_count > 0) {
        gt_text_adds(text, "      #    points  poses  name (joint)\n");
    }
    for (int32_t i = 0; i < sculpt->section_count && i < MOST_ROWS; ++i) {
        const GtSculptSection* section = &sculpt->sections[i];
        gt_text_addf(text, "  %5d %9d %6d  ", (int)i, (int)gt_lattice_point_count(&section->def.lattice),
                     (int)section->def.pose_count);
        add_name(text, section->def.name);
        gt_text_adds(text, " (");
        add_name(text, section->joint ? section->joint : "free");
        gt_text_adds(text, ")\n");
    }
    add_rows_left(text, sculpt->section_count);
}

static void add_pack(GtText* text, const GtPackSurvey* pack)
{
    if (!pack) {
        return;
    }
    add_label(text, "instance");
    add_size(text, pack->instance_size);
    gt_text_adds(text, " each");
    if (pack->driver_size > 0) {
        gt_text_adds(text, ", and ");
        add_size(text, pack->driver_size);
        gt_text_adds(text, " for drivers");
    }
    gt_text_adds(text, "\n");
    if (pack->point_count > 0) {
        add_label(text, "harmonic skin");
        gt_text_addf(text, "%d markers, %d points\n", (int)pack->marker_count, (int)pack->point_count);
    }
    if (pack->sensor_count > 0) {
        add_label(text, "sensors");
        gt_text_addf(text, "%d: ", (int)pack->sensor_count);
        add_names(text, LABEL_COLUMNS + 4, pack->sensors, sizeof *pack->sensors, pack->sensor_count);
        gt_text_adds(text, "\n");
    }
}

static void add_extensions(GtText* text, const GtScene* scene)
{
    for (int32_t i = 0; i < scene->extension_used_count; ++i) {
        bool required = false;
        for (int32_t r = 0; r < scene->extension_required_count; ++r) {
            required |= !strcmp(scene->extensions_used[i], scene->extensions_required[r]);
        }
        add_label(text, i ? "" : "extensions");
        gt_text_add_printable(text, scene->extensions_used[i]);
        gt_text_adds(text, required ? " (required)\n" : "\n");
    }
}

static void add_face(GtText* text, const GtFace* face)
{
    static const char* const by[] = { "", "expressions by the file: ", "expressions by its shares: ",
                                      "expressions by names: " };
    if (face->kind == GT_FACE_NONE) {
        return;
    }
    add_label(text, "face");
    if (face->arkit_count > 0) {
        gt_text_addf(text, "%d of ARKit's %d shapes\n%*s", (int)face->arkit_count, GT_ARKIT_COUNT, LABEL_COLUMNS, "");
    }
    gt_text_adds(text, by[face->kind]);
    add_names(text, LABEL_COLUMNS + text_columns(by[face->kind]), &face->def.controls[0].name,
              sizeof *face->def.controls, face->def.control_count);
    gt_text_adds(text, "\n");
}

void info_add_table(GtText* text, const char* path, const GtSurvey* survey)
{
    const GtScene* scene = survey->scene;
    add_head(text, path, survey);
    add_units(text, survey);
    add_bounds(text, survey);
    add_surface(text, survey);
    add_label(text, "nodes");
    gt_text_addf(text, "%d", (int)scene->node_count);
    if (survey->joint_count) {
        gt_text_addf(text, ", %d of them joints", (int)survey->joint_count);
    }
    gt_text_adds(text, "\n");
    add_meshes(text, survey);
    add_skins(text, scene);
    add_clips(text, survey);
    if (scene->material_count) {
        add_label(text, "materials");
        gt_text_addf(text, "%d: ", (int)scene->material_count);
        add_names(text, LABEL_COLUMNS + 4, &scene->materials[0].name, sizeof *scene->materials, scene->material_count);
        gt_text_adds(text, "\n");
    }
    add_images(text, survey);
    if (scene->camera_count) {
        add_label(text, "cameras");
        gt_text_addf(text, "%d: ", (int)scene->camera_count);
        add_names(text, LABEL_COLUMNS + 4, &scene->cameras[0].name, sizeof *scene->cameras, scene->camera_count);
        gt_text_adds(text, "\n");
    }
    add_humanoid(text, scene);
    add_face(text, survey->face);
    add_pack(text, survey->pack);
    add_deform(text, survey->sculpt);
    add_extensions(text, scene);
}
