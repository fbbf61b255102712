// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// glTF 2.0 (.gltf, .glb) VRM (.vrm) and VRM animations (.vrma), in and out. docs/formats/gltf.md says what is kept and
// what Gertie adds.

#ifndef GERTIE_IO_GLTF_GLTF_H
#define GERTIE_IO_GLTF_GLTF_H

#include "io/format.h"

// Whether the bytes start as a GLB, or as a JSON object.
bool gti_glb_sniff(const uint8_t* bytes, size_t size);
bool gti_gltf_sniff(const uint8_t* bytes, size_t size);

// Read either form. The bytes of a GLB are not copied where `input` brings its block.
GtResult gti_gltf_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

// Write a GLB into memory or as a file, or a .gltf with its .bin beside it. The scene must be valid.
GtResult gti_glb_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error);
GtResult gti_glb_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                      GtError* error);
GtResult gti_gltf_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                       GtError* error);

// As the GLB functions, for scenes that carry a VRM extension; others are refused.
GtResult gti_vrm_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error);
GtResult gti_vrm_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                      GtError* error);

// Write the humanoid joints and their clips as a VRM animation. The scene must be valid and have a humanoid map.
GtResult gti_vrma_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                        GtError* error);
GtResult gti_vrma_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                       GtError* error);

#endif
