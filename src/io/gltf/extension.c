// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Required extensions. A file that requires one may only be read where what Gertie makes of it stays right. Those that
// concern looks, lights, metadata or pictures' codecs are carried through as text; those that hold geometry in a form
// that Gertie does not decode, or that multiply or move it, are refused, with the way to get rid of them.

#include "base/fail.h"
#include "io/gltf/reader.h"
#include "io/imports.h"

#include <string.h>

// An entry that ends in '*' stands for all names that begin so.
static const char* const carried[] = {
    // looks
    "KHR_materials_*",
    "KHR_texture_transform",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "MSFT_texture_dds",
    "KHR_techniques_webgl",
    "ADOBE_materials_*",
    "MSFT_packing_*",
    "EXT_lights_*",
    "KHR_lights_*",
    // numbers: integers as vertex attributes are read like any others
    "KHR_mesh_quantization",
    // decoded
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    // humanoids
    "VRM",
    "VRMC_*",
    // metadata
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "AGI_*",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "EXT_instance_features",
    "FB_geometry_metadata",
    "KHR_node_visibility",
    "KHR_node_selectability",
    "KHR_node_hoverability",
};

typedef struct Refused {
    const char* name;
    const char* advice;
} Refused;

static const Refused refused[] = {
    { "KHR_draco_mesh_compression",
      "decompress it first, for example with 'gltf-transform copy IN OUT' or by export from Blender" },
    { "EXT_mesh_gpu_instancing", "turn the instances into nodes first, for example with 'gltf-transform uninstance'" },
};

static bool matches(const GtiJson* name, const char* pattern)
{
    size_t length = strlen(pattern);
    if (pattern[length - 1] != '*') {
        return gti_json_equals(name, pattern);
    }
    // +1 for the quote that opens the string
    return name->text_length > length && memcmp(name->text + 1, pattern, length - 1) == 0;
}

static GtResult check_required(GtiGltfReader* reader, const GtiJson* name)
{
    for (size_t i = 0; i < sizeof carried / sizeof *carried; ++i) {
        if (matches(name, carried[i])) {
            return GT_OK;
        }
    }
    if (gti_imports.decode_draco && matches(name, "KHR_draco_mesh_compression")) {
        return GT_OK;
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        if (matches(name, refused[i].name)) {
            return gti_gltf_fail(reader, name, GT_ERROR_UNSUPPORTED,
                                 "the file requires the extension %s, which Gertie does not read; %s", refused[i].name,
                                 refused[i].advice);
        }
    }
    if (gti_json_equals(name, "KHR_animation_pointer")) {
        return gti_gltf_repair(reader, name, "KHR_animation_pointer is kept, but what it animates stands still");
    }
    int length = name->text_length < 100 ? (int)name->text_length : 100;
    return gti_gltf_fail(reader, name, GT_ERROR_UNSUPPORTED,
                         "the file requires the extension %.*s, which Gertie does not know; export it without", length,
                         name->text);
}

GtResult gti_gltf_check_extensions(GtiGltfReader* reader)
{
    const GtiJson* required = gti_json_find(reader->root, "extensionsRequired");
    const GtiJson* name = gti_json_first(required);
    for (uint32_t i = 0; name && i < required->count; ++i, name = gti_json_next(name)) {
        if (name->type != GTI_JSON_STRING) {
            return gti_gltf_fail(reader, name, GT_ERROR_BAD_VALUE, "must be the name of an extension, not %s",
                                 gti_gltf_type_name(name));
        }
        GtResult result = check_required(reader, name);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}
