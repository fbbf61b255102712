// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The extensions GERTIE_*: what a scene knows and glTF cannot say. Each is an object with "version": 1, never required.
// One that is newer, or whose content is wrong, is left out with a warning: a viewer shows the same without it.
// docs/formats/gltf.md has the schemas.

#include "base/fail.h"
#include "io/gltf/hooks.h"
#include "io/gltf/reader.h"
#include "io/gltf/writer.h"

#include <string.h>

enum {
    VERSION = 1
};

const char* const gti_gertie_node_extensions[] = { "GERTIE_bvh", "GERTIE_deformers", NULL };
const char* const gti_gertie_animation_extensions[] = { "GERTIE_clip", "GERTIE_harmonic", NULL };
const char* const gti_gertie_root_extensions[] = { "GERTIE_deform", "GERTIE_humanoid", "GERTIE_source", NULL };

static const char* const bvh_channel_names[] = {
    [GT_BVH_X_POSITION] = "Xposition", [GT_BVH_Y_POSITION] = "Yposition", [GT_BVH_Z_POSITION] = "Zposition",
    [GT_BVH_X_ROTATION] = "Xrotation", [GT_BVH_Y_ROTATION] = "Yrotation", [GT_BVH_Z_ROTATION] = "Zrotation",
    [GT_BVH_X_SCALE] = "Xscale",       [GT_BVH_Y_SCALE] = "Yscale",       [GT_BVH_Z_SCALE] = "Zscale",
};
static const char* const deformer_names[] = {
    [GT_DEFORMER_MORPH] = "morph",
    [GT_DEFORMER_SKIN] = "skin",
    [GT_DEFORMER_HARMONIC] = "harmonic",
    [GT_DEFORMER_SECTIONS] = "sections",
};
static const char* const method_names[] = {
    [GT_SKIN_LINEAR] = "linear",
    [GT_SKIN_DUAL_QUATERNION] = "dualQuaternion",
    [GT_SKIN_BULGE_FREE] = "bulgeFree",
};
static const char* const axis_names[] = { [GT_UP_Y] = "Y", [GT_UP_Z] = "Z", [GT_UP_X] = "X" };

#define COUNT(array) ((int32_t)(sizeof(array) / sizeof *(array)))
static_assert(COUNT(deformer_names) == GT_DEFORMER_KIND_COUNT, "a deformer has no name in files");
static_assert(COUNT(method_names) == GT_SKIN_METHOD_COUNT, "a skin method has no name in files");

// Index of the name that `json` reads, or GT_NONE.
static int32_t find_name(const GtiJson* json, const char* const* names, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (gti_json_equals(json, names[i])) {
            return i;
        }
    }
    return GT_NONE;
}

// The extension of an object where it is there in a version that can be read, else NULL.
static GtResult find_extension(GtiGltfReader* reader, const GtiJson* object, const char* name, const GtiJson** out)
{
    const GtiJson* extension = gti_json_find(gti_json_find(object, "extensions"), name);
    int64_t version = 0;
    *out = NULL;
    if (!extension) {
        return GT_OK;
    }
    if (!gti_json_int64(gti_json_find(extension, "version"), &version)) {
        return gti_gltf_repair(reader, extension, "has no \"version\"; left out");
    }
    if (version != VERSION) {
        return gti_gltf_repair(reader, extension, "is of version %lld, and this Gertie knows version %d; left out",
                               (long long)version, VERSION);
    }
    *out = extension;
    return GT_OK;
}

static GtResult left_out(GtiGltfReader* reader, const GtiJson* json, const char* what)
{
    return gti_gltf_repair(reader, json, "must be %s; left out", what);
}

static GtResult read_bvh(GtiGltfReader* reader, const GtiJson* extension, GtNode* node)
{
    const GtiJson* channels = gti_json_find(extension, "channels");
    const GtiJson* end_site = gti_json_find(extension, "endSite");
    GtBvhJoint joint = { .end_site = end_site && end_site->type == GTI_JSON_TRUE };
    if (channels && (channels->type != GTI_JSON_ARRAY || channels->count > COUNT(joint.channels))) {
        return left_out(reader, channels, "at most 16 channels");
    }
    const GtiJson* channel = gti_json_first(channels);
    for (uint32_t i = 0; channel && i < channels->count; ++i, channel = gti_json_next(channel)) {
        int32_t code = find_name(channel, bvh_channel_names, COUNT(bvh_channel_names));
        if (code == GT_NONE) {
            return left_out(reader, channel, "a channel such as \"Xrotation\"");
        }
        joint.channels[joint.channel_count++] = (uint8_t)code;
    }
    GtBvhJoint* kept = gt_scene_push(reader->scene, 1, sizeof *kept);
    if (!kept) {
        return gti_out_of_memory(reader->error);
    }
    *kept = joint;
    node->bvh = kept;
    return GT_OK;
}

static GtResult read_deformers(GtiGltfReader* reader, const GtiJson* extension, GtNode* node)
{
    const GtiJson* stack = gti_json_find(extension, "stack");
    if (!stack || stack->type != GTI_JSON_ARRAY) {
        return left_out(reader, extension, "an object with an array \"stack\"");
    }
    GtDeformerData* deformers = gt_scene_push(reader->scene, stack->count, sizeof *deformers);
    if (!deformers) {
        return gti_out_of_memory(reader->error);
    }
    const GtiJson* item = gti_json_first(stack);
    for (uint32_t i = 0; i < stack->count; ++i, item = gti_json_next(item)) {
        const GtiJson* method = gti_json_find(item, "method");
        int32_t kind = find_name(gti_json_find(item, "kind"), deformer_names, COUNT(deformer_names));
        int32_t skin_method = method ? find_name(method, method_names, COUNT(method_names)) : GT_SKIN_LINEAR;
        if (kind == GT_NONE || skin_method == GT_NONE) {
            return left_out(reader, item, "a deformer of a known kind and method");
        }
        deformers[i] = (GtDeformerData){ (GtDeformerKind)kind, (GtSkinMethod)skin_method };
    }
    node->deformers = stack->count ? deformers : NULL;
    node->deformer_count = (int32_t)stack->count;
    return GT_OK;
}

GtResult gti_gertie_node_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    const GtiJson* extension = NULL;
    GtResult result = find_extension(reader, json, "GERTIE_bvh", &extension);
    if (extension) {
        result = read_bvh(reader, extension, object);
    }
    if (result != GT_OK) {
        return result;
    }
    result = find_extension(reader, json, "GERTIE_deformers", &extension);
    return extension ? read_deformers(reader, extension, object) : result;
}

static GtResult read_harmonic(GtiGltfReader* reader, const GtiJson* extension, GtAnimation* animation)
{
    int64_t view = 0;
    if (!gti_json_int64(gti_json_find(extension, "bufferView"), &view) || view < 0 || view > INT32_MAX) {
        return left_out(reader, extension, "an object with a \"bufferView\"");
    }
    GtHarmonicData* data = gt_scene_push(reader->scene, 1, sizeof *data);
    if (!data) {
        return gti_out_of_memory(reader->error);
    }
    data->view = (int32_t)view;
    animation->harmonic = data;
    return GT_OK;
}

GtResult gti_gertie_animation_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    const GtiJson* extension = NULL;
    GtResult result = find_extension(reader, json, "GERTIE_clip", &extension);
    if (extension) {
        const GtiJson* first = gti_json_find(extension, "tposeFirst");
        ((GtAnimation*)object)->tpose_first = first && first->type == GTI_JSON_TRUE;
    }
    if (result != GT_OK) {
        return result;
    }
    result = find_extension(reader, json, "GERTIE_harmonic", &extension);
    return extension ? read_harmonic(reader, extension, object) : result;
}

static GtResult read_joints(GtiGltfReader* reader, const GtiJson* joints, GtScene* scene)
{
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    if (!map) {
        return gti_out_of_memory(reader->error);
    }
    *map = gt_humanoid_map_empty();
    for (int32_t joint = 0; joint < GT_HUMANOID_JOINT_COUNT; ++joint) {
        const GtiJson* node = gti_json_find(joints, gt_humanoid_name((GtHumanoidJoint)joint));
        int64_t index = 0;
        if (!node) {
            continue;
        }
        if (!gti_json_int64(node, &index) || index < 0 || index >= scene->node_count) {
            return left_out(reader, node, "a node of this file");
        }
        map->nodes[joint] = (int32_t)index;
    }
    scene->humanoid = map;
    return GT_OK;
}

static GtResult read_retarget_pose(GtiGltfReader* reader, const GtiJson* rotations, GtScene* scene)
{
    GtRetargetPose* pose = gt_scene_push(scene, 1, sizeof *pose);
    if (!pose) {
        return gti_out_of_memory(reader->error);
    }
    *pose = gt_retarget_pose_identity();
    for (int32_t joint = 0; joint < GT_HUMANOID_JOINT_COUNT; ++joint) {
        const GtiJson* rotation = gti_json_find(rotations, gt_humanoid_name((GtHumanoidJoint)joint));
        GtQuat* q = &pose->rotations[joint];
        float* const components[4] = { &q->x, &q->y, &q->z, &q->w };
        const GtiJson* number = gti_json_first(rotation);
        bool good = !rotation || (rotation->type == GTI_JSON_ARRAY && rotation->count == 4);
        for (int i = 0; rotation && good && i < 4; ++i, number = gti_json_next(number)) {
            good = gti_json_float(number, components[i]);
        }
        float length = gt_quat_length(*q);
        if (!good || !(length > 0.99f && length < 1.01f)) {
            return left_out(reader, rotation, "a rotation [x, y, z, w] of length 1");
        }
    }
    scene->retarget_pose = pose;
    return GT_OK;
}

static GtResult read_source(GtiGltfReader* reader, const GtiJson* extension, GtScene* scene)
{
    double scale = 1.0;
    const GtiJson* format = gti_json_find(extension, "format");
    const GtiJson* units = gti_json_find(extension, "metresPerUnit");
    const GtiJson* up = gti_json_find(extension, "upAxis");
    int32_t axis = up ? find_name(up, axis_names, COUNT(axis_names)) : GT_UP_Y;
    if (!format || format->type != GTI_JSON_STRING || axis == GT_NONE ||
        (units && !(gti_json_double(units, &scale) && scale > 0.0))) {
        return left_out(reader, extension, "an object with \"format\", \"metresPerUnit\" and \"upAxis\"");
    }
    scene->source.metres_per_unit = scale;
    scene->source.up_axis = (GtUpAxis)axis;
    return gti_gltf_read_text(reader, format, &scene->source.format);
}

// Kept as it is written: who plays it reads it.
static GtResult read_deform(GtiGltfReader* reader, const GtiJson* extension, GtScene* scene)
{
    const GtiJson* file = gti_json_find(extension, "file");
    if (!file || file->type != GTI_JSON_OBJECT) {
        return left_out(reader, extension, "an object with an object \"file\"");
    }
    scene->deform = gt_scene_push_text(scene, file->text, file->text_length);
    return scene->deform ? GT_OK : gti_out_of_memory(reader->error);
}

// The lists of extensions name those that are kept as text; ours are added when a scene is written.
static void drop_own_names(const char** names, int32_t* count)
{
    static const char* const* const own[] = { gti_gertie_node_extensions, gti_gertie_animation_extensions,
                                              gti_gertie_root_extensions };
    int32_t kept = 0;
    for (int32_t i = 0; i < *count; ++i) {
        bool is_own = false;
        for (int32_t k = 0; k < COUNT(own); ++k) {
            for (const char* const* name = own[k]; *name; ++name) {
                is_own = is_own || strcmp(names[i], *name) == 0;
            }
        }
        if (!is_own) {
            names[kept++] = names[i];
        }
    }
    *count = kept;
}

GtResult gti_gertie_root_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    GtScene* scene = object;
    drop_own_names(scene->extensions_used, &scene->extension_used_count);
    drop_own_names(scene->extensions_required, &scene->extension_required_count);
    const GtiJson* extension = NULL;
    GtResult result = find_extension(reader, json, "GERTIE_humanoid", &extension);
    const GtiJson* joints = gti_json_find(extension, "joints");
    const GtiJson* pose = gti_json_find(extension, "retargetPose");
    if (result == GT_OK && joints) {
        result = read_joints(reader, joints, scene);
    }
    if (result == GT_OK && pose) {
        result = read_retarget_pose(reader, pose, scene);
    }
    if (result != GT_OK) {
        return result;
    }
    result = find_extension(reader, json, "GERTIE_deform", &extension);
    if (extension) {
        result = read_deform(reader, extension, scene);
    }
    if (result != GT_OK) {
        return result;
    }
    result = find_extension(reader, json, "GERTIE_source", &extension);
    return extension ? read_source(reader, extension, scene) : result;
}

static void begin_extension(GtiGltfWriter* writer, const char* name)
{
    gt_json_member_object(&writer->json, name);
    gt_json_member_integer(&writer->json, "version", VERSION);
}

static void write_bvh(GtiGltfWriter* writer, const GtBvhJoint* joint)
{
    begin_extension(writer, "GERTIE_bvh");
    if (joint->end_site) {
        gt_json_member_bool(&writer->json, "endSite", true);
    }
    if (joint->channel_count) {
        gt_json_member_array(&writer->json, "channels");
        for (int32_t i = 0; i < joint->channel_count; ++i) {
            gt_json_string(&writer->json, bvh_channel_names[joint->channels[i]]);
        }
        gt_json_end_array(&writer->json);
    }
    gt_json_end_object(&writer->json);
}

static void write_deformers(GtiGltfWriter* writer, const GtNode* node)
{
    begin_extension(writer, "GERTIE_deformers");
    gt_json_member_array(&writer->json, "stack");
    for (int32_t i = 0; i < node->deformer_count; ++i) {
        const GtDeformerData* deformer = &node->deformers[i];
        gt_json_begin_object(&writer->json);
        gt_json_member_string(&writer->json, "kind", deformer_names[deformer->kind]);
        if (deformer->skin_method != GT_SKIN_LINEAR) {
            gt_json_member_string(&writer->json, "method", method_names[deformer->skin_method]);
        }
        gt_json_end_object(&writer->json);
    }
    gt_json_end_array(&writer->json);
    gt_json_end_object(&writer->json);
}

bool gti_gertie_node_has(const GtiGltfWriter* writer, const void* object)
{
    (void)writer;
    const GtNode* node = object;
    return node->bvh || node->deformer_count;
}

void gti_gertie_node_write(GtiGltfWriter* writer, const void* object)
{
    const GtNode* node = object;
    if (node->bvh) {
        write_bvh(writer, node->bvh);
    }
    if (node->deformer_count) {
        write_deformers(writer, node);
    }
}

bool gti_gertie_animation_has(const GtiGltfWriter* writer, const void* object)
{
    (void)writer;
    const GtAnimation* animation = object;
    return animation->tpose_first || animation->harmonic;
}

void gti_gertie_animation_write(GtiGltfWriter* writer, const void* object)
{
    const GtAnimation* animation = object;
    if (animation->tpose_first) {
        begin_extension(writer, "GERTIE_clip");
        gt_json_member_bool(&writer->json, "tposeFirst", true);
        gt_json_end_object(&writer->json);
    }
    if (animation->harmonic) {
        begin_extension(writer, "GERTIE_harmonic");
        gt_json_member_integer(&writer->json, "bufferView", animation->harmonic->view);
        gt_json_end_object(&writer->json);
    }
}

static bool has_humanoid(const GtiGltfWriter* writer, const GtScene* scene)
{
    return writer->own_humanoid || scene->retarget_pose;
}

static bool has_source(const GtScene* scene)
{
    return scene->source.format && strcmp(scene->source.format, "gltf") != 0;
}

bool gti_gertie_root_has(const GtiGltfWriter* writer, const void* object)
{
    return has_humanoid(writer, object) || has_source(object) || ((const GtScene*)object)->deform;
}

static void write_humanoid(GtiGltfWriter* writer, const GtScene* scene)
{
    GtJsonWriter* json = &writer->json;
    begin_extension(writer, "GERTIE_humanoid");
    if (writer->own_humanoid) {
        gt_json_member_object(json, "joints");
        for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
            if (scene->humanoid->nodes[i] != GT_NONE) {
                gt_json_key(json, gt_humanoid_name((GtHumanoidJoint)i));
                gt_json_integer(json, scene->humanoid->nodes[i]);
            }
        }
        gt_json_end_object(json);
    }
    if (scene->retarget_pose) {
        GtQuat identity = gt_quat_identity();
        gt_json_member_object(json, "retargetPose");
        for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
            GtQuat q = scene->retarget_pose->rotations[i];
            if (memcmp(&q, &identity, sizeof q) != 0) {
                gt_json_key(json, gt_humanoid_name((GtHumanoidJoint)i));
                gt_json_begin_array(json);
                gt_json_float(json, q.x);
                gt_json_float(json, q.y);
                gt_json_float(json, q.z);
                gt_json_float(json, q.w);
                gt_json_end_array(json);
            }
        }
        gt_json_end_object(json);
    }
    gt_json_end_object(json);
}

GtResult gti_gertie_list(const GtiGltfWriter* writer, GtScene* scene, GtError* error)
{
    bool bvh = false;
    bool deformers = false;
    bool clip = false;
    bool harmonic = false;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        bvh = bvh || scene->nodes[i].bvh;
        deformers = deformers || scene->nodes[i].deformer_count;
    }
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        clip = clip || scene->animations[i].tpose_first;
        harmonic = harmonic || scene->animations[i].harmonic;
    }
    const struct {
        const char* name;
        bool used;
    } own[] = {
        { "GERTIE_bvh", bvh },
        { "GERTIE_deformers", deformers },
        { "GERTIE_clip", clip },
        { "GERTIE_deform", scene->deform != NULL },
        { "GERTIE_harmonic", harmonic },
        { "GERTIE_humanoid", has_humanoid(writer, scene) },
        { "GERTIE_source", has_source(scene) },
    };
    GtResult result = GT_OK;
    for (int32_t i = 0; i < COUNT(own) && result == GT_OK; ++i) {
        if (own[i].used) {
            result = gt_scene_add_extension(scene, own[i].name, false, error);
        }
    }
    return result;
}

void gti_gertie_root_write(GtiGltfWriter* writer, const void* object)
{
    const GtScene* scene = object;
    if (scene->deform) {
        begin_extension(writer, "GERTIE_deform");
        gt_json_key(&writer->json, "file");
        gt_json_raw(&writer->json, scene->deform);
        gt_json_end_object(&writer->json);
    }
    if (has_humanoid(writer, scene)) {
        write_humanoid(writer, scene);
    }
    if (has_source(scene)) {
        begin_extension(writer, "GERTIE_source");
        gt_json_member_string(&writer->json, "format", scene->source.format);
        gt_json_member_number(&writer->json, "metresPerUnit", scene->source.metres_per_unit);
        gt_json_member_string(&writer->json, "upAxis", axis_names[scene->source.up_axis]);
        gt_json_end_object(&writer->json);
    }
}
