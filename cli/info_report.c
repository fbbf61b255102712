// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The report of `info` for programs: everything the table shows, and all that it shortens.

#include "info.h"

#include "scenes.h"

#include "gertie/humanoid.h"
#include "gertie/shape_controls.h"

#include <string.h>

static void member_index(Json* json, const char* key, int32_t index)
{
    json_key(json, key);
    if (index == GT_NONE) {
        json_null(json);
    } else {
        json_integer(json, index);
    }
}

static void member_names(Json* json, const char* key, const char* const* names, int32_t count)
{
    json_key(json, key);
    json_next_is_row(json);
    json_begin_array(json);
    for (int32_t i = 0; i < count; ++i) {
        json_string(json, names[i]);
    }
    json_end_array(json);
}

static void member_vec3(Json* json, const char* key, GtVec3 value)
{
    json_key(json, key);
    json_next_is_row(json);
    json_begin_array(json);
    json_float(json, value.x);
    json_float(json, value.y);
    json_float(json, value.z);
    json_end_array(json);
}

static void add_head(Json* json, const InfoSubject* subject)
{
    static const char* const axes[] = { "y", "z", "x" };
    const GtScene* scene = subject->scene;
    const Survey* survey = subject->survey;
    json_member_string(json, "format", scene->source.file_format);
    json_key(json, "bytes");
    if (survey->file_size >= 0) {
        json_integer(json, survey->file_size);
    } else {
        json_null(json);
    }
    json_member_string(json, "generator", scene->asset.generator);
    json_member_string(json, "copyright", scene->asset.copyright);
    bool is_open = leaves_units_open(scene->source.file_format);
    json_member_number(json, "metres_per_unit", is_open ? scene->source.metres_per_unit : 1.0);
    json_member_string(json, "up_axis", is_open ? axes[scene->source.up_axis] : "y");
    json_member_bool(json, "units_guessed", is_open && scene->source.units_guessed);
    json_key(json, "made_from");
    if (!is_open && leaves_units_open(scene->source.format)) {
        json_begin_object(json);
        json_member_string(json, "format", scene->source.format);
        json_member_number(json, "metres_per_unit", scene->source.metres_per_unit);
        json_member_string(json, "up_axis", axes[scene->source.up_axis]);
        json_end_object(json);
    } else {
        json_null(json);
    }
    json_key(json, "bounds_m");
    if (survey->has_bounds) {
        json_begin_object(json);
        json_member_string(json, "of", survey->bounds_are_joints ? "joints" : "meshes");
        member_vec3(json, "min", survey->min_m);
        member_vec3(json, "max", survey->max_m);
        json_end_object(json);
    } else {
        json_null(json);
    }
}

static void add_surface(Json* json, const Survey* survey)
{
    const GtSurfaceReport* s = &survey->surface;
    json_key(json, "surface");
    if (!survey->has_surface) {
        json_null(json);
        return;
    }
    json_begin_object(json);
    json_member_bool(json, "closed", s->is_closed);
    json_member_bool(json, "manifold", s->is_manifold);
    json_member_bool(json, "oriented", s->is_oriented);
    json_member_integer(json, "components", s->component_count);
    json_member_integer(json, "edges", s->edge_count);
    json_member_integer(json, "boundary_edges", s->boundary_edge_count);
    json_member_integer(json, "boundary_chains", s->hole_count);
    json_member_integer(json, "crowded_edges", s->crowded_edge_count);
    json_member_integer(json, "flipped_edges", s->flipped_edge_count);
    json_member_integer(json, "pinched_vertices", s->pinched_vertex_count);
    json_member_integer(json, "degenerate_triangles", s->degenerate_count);
    json_member_number(json, "area_m2", s->area);
    json_member_number(json, "volume_m3", s->volume);
    json_end_object(json);
}

static void add_nodes(Json* json, const InfoSubject* subject)
{
    json_member_integer(json, "joint_count", subject->survey->joint_count);
    json_key(json, "nodes");
    json_begin_array(json);
    for (int32_t i = 0; i < subject->scene->node_count; ++i) {
        const GtNode* node = &subject->scene->nodes[i];
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "name", node->name);
        member_index(json, "parent", node->parent);
        json_member_bool(json, "joint", subject->survey->is_joint[i]);
        member_index(json, "mesh", node->mesh);
        member_index(json, "skin", node->skin);
        member_index(json, "camera", node->camera);
        json_end_object(json);
    }
    json_end_array(json);
}

static void add_meshes(Json* json, const InfoSubject* subject)
{
    json_key(json, "meshes");
    json_begin_array(json);
    for (int32_t i = 0; i < subject->scene->mesh_count; ++i) {
        const GtMesh* mesh = &subject->scene->meshes[i];
        const MeshFacts* facts = &subject->survey->meshes[i];
        json_begin_object(json);
        json_member_string(json, "name", mesh->name);
        json_member_integer(json, "primitives", mesh->primitive_count);
        json_member_integer(json, "vertices", facts->vertex_count);
        json_member_integer(json, "triangles", facts->triangle_count);
        json_member_integer(json, "influences", facts->influence_count);
        member_names(json, "attributes", facts->attributes, facts->attribute_count);
        json_member_integer(json, "morph_target_count", mesh->target_count);
        member_names(json, "morph_targets", mesh->target_names, mesh->target_names ? mesh->target_count : 0);
        member_names(json, "morph_attributes", facts->morph_attributes, facts->morph_attribute_count);
        json_end_object(json);
    }
    json_end_array(json);
}

static void add_skins(Json* json, const GtScene* scene)
{
    json_key(json, "skins");
    json_begin_array(json);
    for (int32_t i = 0; i < scene->skin_count; ++i) {
        json_begin_object(json);
        json_member_string(json, "name", scene->skins[i].name);
        json_key(json, "joints");
        json_next_is_row(json);
        json_begin_array(json);
        for (int32_t j = 0; j < scene->skins[i].joint_count; ++j) {
            json_integer(json, scene->skins[i].joints[j]);
        }
        json_end_array(json);
        json_end_object(json);
    }
    json_end_array(json);
}

static void add_clips(Json* json, const InfoSubject* subject)
{
    json_key(json, "clips");
    json_begin_array(json);
    for (int32_t i = 0; i < subject->scene->animation_count; ++i) {
        const GtAnimation* animation = &subject->scene->animations[i];
        const ClipFacts* facts = &subject->survey->clips[i];
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "name", animation->name);
        json_member_float(json, "start_s", (float)facts->start_s); // keys are floats, and so is what they say
        json_member_float(json, "duration_s", (float)(facts->end_s - facts->start_s));
        json_member_integer(json, "keys", facts->key_count);
        json_key(json, "rate_hz");
        if (facts->rate_hz > 0) {
            json_float(json, (float)facts->rate_hz);
        } else {
            json_null(json);
        }
        json_member_integer(json, "channels", animation->channel_count);
        json_member_bool(json, "tpose_first", animation->tpose_first);
        json_end_object(json);
    }
    json_end_array(json);
}

static void add_looks(Json* json, const InfoSubject* subject)
{
    static const char* const alpha_modes[] = { "opaque", "mask", "blend" };
    const GtScene* scene = subject->scene;
    json_key(json, "materials");
    json_begin_array(json);
    for (int32_t i = 0; i < scene->material_count; ++i) {
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "name", scene->materials[i].name);
        json_member_string(json, "alpha", alpha_modes[scene->materials[i].alpha_mode]);
        member_index(json, "base_color_texture", scene->materials[i].base_color_texture.texture);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "textures");
    json_begin_array(json);
    for (int32_t i = 0; i < scene->texture_count; ++i) {
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "name", scene->textures[i].name);
        member_index(json, "image", scene->textures[i].image);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "images");
    json_begin_array(json);
    for (int32_t i = 0; i < scene->image_count; ++i) {
        const GtImage* image = &scene->images[i];
        bool is_file = image->uri && strncmp(image->uri, "data:", 5) != 0;
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "name", image->name);
        json_member_string(json, "mime_type", image->mime_type);
        json_member_string(json, "file", is_file ? image->uri : NULL);
        json_member_bool(json, "missing", subject->survey->image_missing[i]);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "cameras");
    json_begin_array(json);
    for (int32_t i = 0; i < scene->camera_count; ++i) {
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "name", scene->cameras[i].name);
        json_member_bool(json, "orthographic", scene->cameras[i].orthographic);
        json_end_object(json);
    }
    json_end_array(json);
}

static void add_humanoid(Json* json, const GtScene* scene)
{
    json_key(json, "humanoid");
    if (!scene->humanoid) {
        json_null(json);
        return;
    }
    json_begin_object(json);
    json_key(json, "joints");
    json_begin_object(json);
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (scene->humanoid->nodes[i] != GT_NONE) {
            json_member_integer(json, gt_humanoid_name((GtHumanoidJoint)i), scene->humanoid->nodes[i]);
        }
    }
    json_end_object(json);
    json_key(json, "missing_required");
    json_begin_array(json);
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (scene->humanoid->nodes[i] == GT_NONE && gt_humanoid_required((GtHumanoidJoint)i)) {
            json_string(json, gt_humanoid_name((GtHumanoidJoint)i));
        }
    }
    json_end_array(json);
    json_end_object(json);
}

static void add_deform(Json* json, const GtSculpt* sculpt)
{
    json_key(json, "deform");
    if (!sculpt) {
        json_null(json);
        return;
    }
    json_begin_object(json);
    json_key(json, "sections");
    json_begin_array(json);
    for (int32_t i = 0; i < sculpt->section_count; ++i) {
        const GtSculptSection* section = &sculpt->sections[i];
        json_next_is_row(json);
        json_begin_object(json);
        json_member_string(json, "name", section->def.name);
        json_member_string(json, "joint", section->joint);
        json_member_integer(json, "points", gt_lattice_point_count(&section->def.lattice));
        json_member_integer(json, "poses", section->def.pose_count);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "controls");
    json_begin_array(json);
    for (int32_t i = 0; i < sculpt->control_count; ++i) {
        json_string(json, sculpt->controls[i].name);
    }
    json_end_array(json);
    json_member_integer(json, "tracks", sculpt->track_count);
    json_member_integer(json, "jiggles", sculpt->jiggle_count);
    json_end_object(json);
}

static void add_channel(void* user, const char* address, int32_t clip_count)
{
    Json* json = user;
    json_next_is_row(json);
    json_begin_object(json);
    json_member_string(json, "address", address);
    json_member_integer(json, "clips", clip_count);
    json_end_object(json);
}

static GtResult add_face(Json* json, const InfoSubject* subject, GtError* error)
{
    static const char* const kinds[] = { NULL, "vrm", "arkit", "names" };
    GtFace* face = NULL;
    GtResult result = gt_face_create(subject->context, subject->scene, &face, error);
    if (result == GT_OK && face->kind != GT_FACE_NONE) {
        json_key(json, "face");
        json_begin_object(json);
        json_member_string(json, "by", kinds[face->kind]);
        json_member_integer(json, "arkit_shapes", face->arkit_count);
        json_key(json, "expressions");
        json_begin_array(json);
        for (int32_t i = 0; i < face->def.control_count; ++i) {
            json_string(json, face->def.controls[i].name);
        }
        json_end_array(json);
        json_end_object(json);
    }
    gt_face_destroy(face);
    return result;
}

GtResult info_add_report(Json* json, const InfoSubject* subject, GtError* error)
{
    const GtScene* scene = subject->scene;
    add_head(json, subject);
    add_surface(json, subject->survey);
    add_nodes(json, subject);
    add_meshes(json, subject);
    add_skins(json, scene);
    add_clips(json, subject);
    add_looks(json, subject);
    add_humanoid(json, scene);
    GtResult result = add_face(json, subject, error);
    add_deform(json, subject->sculpt);
    member_names(json, "extensions_used", scene->extensions_used, scene->extension_used_count);
    member_names(json, "extensions_required", scene->extensions_required, scene->extension_required_count);
    if (result == GT_OK && subject->with_channels) {
        json_key(json, "channels");
        json_begin_array(json);
        result = info_each_channel(subject->context, scene, add_channel, json, error);
        json_end_array(json);
    }
    return result;
}
