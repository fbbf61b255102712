// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A survey as JSON, for programs.

#include "gertie/survey.h"

#include <string.h>

static void member_index(GtJsonWriter* json, const char* key, int32_t index)
{
    gt_json_key(json, key);
    if (index == GT_NONE) {
        gt_json_null(json);
    } else {
        gt_json_integer(json, index);
    }
}

static void member_names(GtJsonWriter* json, const char* key, const char* const* names, int32_t count)
{
    gt_json_next_is_row(json);
    gt_json_member_array(json, key);
    for (int32_t i = 0; i < count; ++i) {
        gt_json_string(json, names[i]);
    }
    gt_json_end_array(json);
}

static void member_vec3(GtJsonWriter* json, const char* key, GtVec3 value)
{
    gt_json_next_is_row(json);
    gt_json_member_array(json, key);
    gt_json_float(json, value.x);
    gt_json_float(json, value.y);
    gt_json_float(json, value.z);
    gt_json_end_array(json);
}

static void add_head(GtJsonWriter* json, const GtSurvey* survey)
{
    static const char* const axes[] = { "y", "z", "x" };
    const GtScene* scene = survey->scene;
    gt_json_member_string(json, "format", scene->source.file_format);
    gt_json_key(json, "bytes");
    if (survey->file_size >= 0) {
        gt_json_integer(json, survey->file_size);
    } else {
        gt_json_null(json);
    }
    gt_json_member_string(json, "generator", scene->asset.generator);
    gt_json_member_string(json, "copyright", scene->asset.copyright);
    bool is_open = survey->file_units_open;
    gt_json_member_number(json, "metres_per_unit", is_open ? scene->source.metres_per_unit : 1.0);
    gt_json_member_string(json, "up_axis", is_open ? axes[scene->source.up_axis] : "y");
    gt_json_member_bool(json, "units_guessed", is_open && scene->source.units_guessed);
    gt_json_key(json, "made_from");
    if (survey->source_units_open) {
        gt_json_begin_object(json);
        gt_json_member_string(json, "format", scene->source.format);
        gt_json_member_number(json, "metres_per_unit", scene->source.metres_per_unit);
        gt_json_member_string(json, "up_axis", axes[scene->source.up_axis]);
        gt_json_end_object(json);
    } else {
        gt_json_null(json);
    }
    gt_json_key(json, "bounds_m");
    if (survey->has_bounds) {
        gt_json_begin_object(json);
        gt_json_member_string(json, "of", survey->bounds_are_joints ? "joints" : "meshes");
        member_vec3(json, "min", survey->bounds_m.low);
        member_vec3(json, "max", survey->bounds_m.high);
        gt_json_end_object(json);
    } else {
        gt_json_null(json);
    }
}

static void add_surface(GtJsonWriter* json, const GtSurvey* survey)
{
    const GtSurfaceReport* s = &survey->surface;
    gt_json_key(json, "surface");
    if (!survey->has_surface) {
        gt_json_null(json);
        return;
    }
    gt_json_begin_object(json);
    gt_json_member_bool(json, "closed", s->is_closed);
    gt_json_member_bool(json, "manifold", s->is_manifold);
    gt_json_member_bool(json, "oriented", s->is_oriented);
    gt_json_member_integer(json, "components", s->component_count);
    gt_json_member_integer(json, "edges", s->edge_count);
    gt_json_member_integer(json, "boundary_edges", s->boundary_edge_count);
    gt_json_member_integer(json, "boundary_chains", s->hole_count);
    gt_json_member_integer(json, "crowded_edges", s->crowded_edge_count);
    gt_json_member_integer(json, "flipped_edges", s->flipped_edge_count);
    gt_json_member_integer(json, "pinched_vertices", s->pinched_vertex_count);
    gt_json_member_integer(json, "degenerate_triangles", s->degenerate_count);
    gt_json_member_number(json, "area_m2", s->area);
    gt_json_member_number(json, "volume_m3", s->volume);
    gt_json_end_object(json);
}

static void add_nodes(GtJsonWriter* json, const GtSurvey* survey)
{
    gt_json_member_integer(json, "joint_count", survey->joint_count);
    gt_json_member_array(json, "nodes");
    for (int32_t i = 0; i < survey->scene->node_count; ++i) {
        const GtNode* node = &survey->scene->nodes[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", node->name);
        member_index(json, "parent", node->parent);
        gt_json_member_bool(json, "joint", survey->is_joint[i]);
        member_index(json, "mesh", node->mesh);
        member_index(json, "skin", node->skin);
        member_index(json, "camera", node->camera);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void add_meshes(GtJsonWriter* json, const GtSurvey* survey)
{
    gt_json_member_array(json, "meshes");
    for (int32_t i = 0; i < survey->scene->mesh_count; ++i) {
        const GtMesh* mesh = &survey->scene->meshes[i];
        const GtMeshSurvey* facts = &survey->meshes[i];
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", mesh->name);
        gt_json_member_integer(json, "primitives", mesh->primitive_count);
        gt_json_member_integer(json, "vertices", facts->vertex_count);
        gt_json_member_integer(json, "triangles", facts->triangle_count);
        gt_json_member_integer(json, "influences", facts->influence_count);
        member_names(json, "attributes", facts->attributes, facts->attribute_count);
        gt_json_member_integer(json, "morph_target_count", mesh->target_count);
        member_names(json, "morph_targets", mesh->target_names, mesh->target_names ? mesh->target_count : 0);
        member_names(json, "morph_attributes", facts->morph_attributes, facts->morph_attribute_count);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void add_skins(GtJsonWriter* json, const GtScene* scene)
{
    gt_json_member_array(json, "skins");
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", scene->skins[i].name);
        gt_json_next_is_row(json);
        gt_json_member_array(json, "joints");
        for (int32_t j = 0; j < scene->skins[i].joint_count; ++j) {
            gt_json_integer(json, scene->skins[i].joints[j]);
        }
        gt_json_end_array(json);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void add_clips(GtJsonWriter* json, const GtSurvey* survey)
{
    gt_json_member_array(json, "clips");
    for (int32_t i = 0; i < survey->scene->animation_count; ++i) {
        const GtAnimation* animation = &survey->scene->animations[i];
        const GtClipSurvey* facts = &survey->clips[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", animation->name);
        gt_json_member_float(json, "start_s", (float)facts->start_s); // keys are floats, and so is what they say
        gt_json_member_float(json, "duration_s", (float)(facts->end_s - facts->start_s));
        gt_json_member_integer(json, "keys", facts->key_count);
        gt_json_key(json, "rate_hz");
        if (facts->rate_hz > 0) {
            gt_json_float(json, (float)facts->rate_hz);
        } else {
            gt_json_null(json);
        }
        gt_json_member_integer(json, "channels", animation->channel_count);
        gt_json_member_bool(json, "tpose_first", animation->tpose_first);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void add_looks(GtJsonWriter* json, const GtSurvey* survey)
{
    static const char* const alpha_modes[] = { "opaque", "mask", "blend" };
    const GtScene* scene = survey->scene;
    gt_json_member_array(json, "materials");
    for (int32_t i = 0; i < scene->material_count; ++i) {
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", scene->materials[i].name);
        gt_json_member_string(json, "alpha", alpha_modes[scene->materials[i].alpha_mode]);
        member_index(json, "base_color_texture", scene->materials[i].base_color_texture.texture);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
    gt_json_member_array(json, "textures");
    for (int32_t i = 0; i < scene->texture_count; ++i) {
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", scene->textures[i].name);
        member_index(json, "image", scene->textures[i].image);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
    gt_json_member_array(json, "images");
    for (int32_t i = 0; i < scene->image_count; ++i) {
        const GtImage* image = &scene->images[i];
        bool is_file = image->uri && strncmp(image->uri, "data:", 5) != 0;
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", image->name);
        gt_json_member_string(json, "mime_type", image->mime_type);
        gt_json_member_string(json, "file", is_file ? image->uri : NULL);
        gt_json_member_bool(json, "missing", survey->image_missing[i]);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
    gt_json_member_array(json, "cameras");
    for (int32_t i = 0; i < scene->camera_count; ++i) {
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", scene->cameras[i].name);
        gt_json_member_bool(json, "orthographic", scene->cameras[i].orthographic);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
}

static void add_humanoid(GtJsonWriter* json, const GtScene* scene)
{
    gt_json_key(json, "humanoid");
    if (!scene->humanoid) {
        gt_json_null(json);
        return;
    }
    gt_json_begin_object(json);
    gt_json_member_object(json, "joints");
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (scene->humanoid->nodes[i] != GT_NONE) {
            gt_json_member_integer(json, gt_humanoid_name((GtHumanoidJoint)i), scene->humanoid->nodes[i]);
        }
    }
    gt_json_end_object(json);
    gt_json_member_array(json, "missing_required");
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (scene->humanoid->nodes[i] == GT_NONE && gt_humanoid_required((GtHumanoidJoint)i)) {
            gt_json_string(json, gt_humanoid_name((GtHumanoidJoint)i));
        }
    }
    gt_json_end_array(json);
    gt_json_end_object(json);
}

static void add_deform(GtJsonWriter* json, const GtSculpt* sculpt)
{
    gt_json_key(json, "deform");
    if (!sculpt) {
        gt_json_null(json);
        return;
    }
    gt_json_begin_object(json);
    gt_json_member_array(json, "sections");
    for (int32_t i = 0; i < sculpt->section_count; ++i) {
        const GtSculptSection* section = &sculpt->sections[i];
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", section->def.name);
        gt_json_member_string(json, "joint", section->joint);
        gt_json_member_integer(json, "points", gt_lattice_point_count(&section->def.lattice));
        gt_json_member_integer(json, "poses", section->def.pose_count);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
    gt_json_member_array(json, "controls");
    for (int32_t i = 0; i < sculpt->control_count; ++i) {
        gt_json_string(json, sculpt->controls[i].name);
    }
    gt_json_end_array(json);
    gt_json_member_integer(json, "tracks", sculpt->track_count);
    gt_json_member_integer(json, "jiggles", sculpt->jiggle_count);
    gt_json_end_object(json);
}

static void add_pack(GtJsonWriter* json, const GtSurvey* survey)
{
    const GtPackSurvey* pack = survey->pack;
    if (!pack) {
        return;
    }
    gt_json_key(json, "pack");
    gt_json_begin_object(json);
    gt_json_member_integer(json, "instance_bytes", pack->instance_size);
    gt_json_member_integer(json, "driver_bytes", pack->driver_size);
    gt_json_member_string(json, "method", pack->point_count > 0 ? "harmonic" : "skin");
    gt_json_member_integer(json, "harmonic_markers", pack->marker_count);
    gt_json_member_integer(json, "harmonic_points", pack->point_count);
    member_names(json, "sensors", pack->sensors, pack->sensor_count);
    gt_json_key(json, "clips");
    gt_json_begin_array(json);
    for (int32_t i = 0; i < survey->scene->animation_count; ++i) {
        gt_json_next_is_row(json);
        gt_json_begin_object(json);
        gt_json_member_string(json, "name", survey->scene->animations[i].name);
        gt_json_member_bool(json, "packed", pack->clip_is_packed[i]);
        gt_json_member_integer(json, "bytes", pack->clip_sizes[i]);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
    gt_json_end_object(json);
}

static void add_face(GtJsonWriter* json, const GtFace* face)
{
    static const char* const kinds[] = { NULL, "vrm", "arkit", "names" };
    if (face->kind == GT_FACE_NONE) {
        return;
    }
    gt_json_member_object(json, "face");
    gt_json_member_string(json, "by", kinds[face->kind]);
    gt_json_member_integer(json, "arkit_shapes", face->arkit_count);
    gt_json_member_array(json, "expressions");
    for (int32_t i = 0; i < face->def.control_count; ++i) {
        gt_json_string(json, face->def.controls[i].name);
    }
    gt_json_end_array(json);
    gt_json_end_object(json);
}

void gt_survey_write(GtJsonWriter* json, const GtSurvey* survey)
{
    const GtScene* scene = survey->scene;
    add_head(json, survey);
    add_surface(json, survey);
    add_nodes(json, survey);
    add_meshes(json, survey);
    add_skins(json, scene);
    add_clips(json, survey);
    add_looks(json, survey);
    add_humanoid(json, scene);
    add_face(json, survey->face);
    add_deform(json, survey->sculpt);
    add_pack(json, survey);
    member_names(json, "extensions_used", scene->extensions_used, scene->extension_used_count);
    member_names(json, "extensions_required", scene->extensions_required, scene->extension_required_count);
}
