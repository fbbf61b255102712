// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: packed characters.
///
/// Packed characters: one file with everything that a character needs, its clips and what drives it, ready to be mapped
/// and played.
/// `gertie pack` writes one, as does gt_pack_write() (gertie/pack_write.h).
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_PACK_H
#define GERTIE_PACK_H

#include "gertie/character.h"
#include "gertie/clip.h"
#include "gertie/drivers.h"

GT_EXTERN_C_BEGIN

/// An encoded picture: the bytes of a PNG, a JPEG or whatever else the source had.
typedef struct GtPackImage {
    const char* name;      ///< or NULL
    const char* mime_type; ///< such as "image/png", or NULL where the source does not say
    const uint8_t* bytes;  ///< [size]
    int32_t size;          ///< 0 for a picture that was not there
} GtPackImage;

/// Use of a picture in a material.
typedef struct GtPackTexture {
    int32_t image;    ///< or GT_NONE: not used, and the rest has no meaning
    int32_t texcoord; ///< 0 for a mesh's texcoords, 1 for texcoords1; what else the source had has no array
    float scale;      ///< of a normal map, strength of an occlusion map, 1 elsewhere
    int32_t wrap_s;   ///< OpenGL's codes, 10497 (repeat) where the source does not say
    int32_t wrap_t;
} GtPackTexture;

typedef enum GtPackAlpha {
    GT_PACK_ALPHA_OPAQUE,
    GT_PACK_ALPHA_MASK, ///< seen where alpha is alpha_cutoff or more
    GT_PACK_ALPHA_BLEND,
    GT_PACK_ALPHA_COUNT
} GtPackAlpha;

/// How a surface looks, as glTF's metallic-roughness materials say it. Colours are linear.
typedef struct GtPackMaterial {
    const char* name; ///< or NULL
    float base_color[4];
    float metallic;
    float roughness;
    float emissive[3];
    float alpha_cutoff;
    GtPackAlpha alpha;
    GtPackTexture base_color_texture;
    GtPackTexture metallic_roughness_texture;
    GtPackTexture normal_texture;
    GtPackTexture occlusion_texture;
    GtPackTexture emissive_texture;
    bool double_sided;
} GtPackMaterial;

/// A character and its clips, over bytes that are the caller's. Immutable, so any thread may read it.
typedef struct GtPack GtPack;

/// Open the bytes of a packed character: read, received or mapped. Everything is checked once, checksum first, then all
/// that gt_character_create(), gt_clip_from_bytes() and gt_drivers_create() check; what is damaged, cut short, of
/// another version or another byte order than little-endian is refused. Arrays stay where they are: only tables,
/// formulas and the keys of drivers are allocated, and the bytes must outlive the pack, unchanged.
/// @param bytes  [size] aligned to 16, as what is mapped is, and what an allocator gives
/// @param out    receives the pack, or NULL on failure; free with gt_pack_close()
/// @param error  may be NULL; says what is wrong with the bytes
GT_API GtResult gt_pack_open(GtAllocator allocator, const void* bytes, size_t size, GtPack** out, GtError* error);

/// Free a pack with its character and clips; `pack` may be NULL. The bytes remain the caller's.
GT_API void gt_pack_close(GtPack* pack);

/// The character, which lives as long as the pack.
GT_API const GtCharacter* gt_pack_character(const GtPack* pack);

/// What drives the character beside its clips, which lives as long as the pack; or NULL where nothing does.
GT_API const GtDrivers* gt_pack_drivers(const GtPack* pack);

/// Clips, which live as long as the pack.
GT_API int32_t gt_pack_clip_count(const GtPack* pack);
GT_API const GtClip* gt_pack_clip(const GtPack* pack, int32_t clip);

/// First clip of that name, or NULL.
GT_API const GtClip* gt_pack_find_clip(const GtPack* pack, const char* name);

/// Materials, which a mesh's `material` counts, and the pictures that they use. They live as long as the pack; none
/// where only what moves was packed.
GT_API int32_t gt_pack_material_count(const GtPack* pack);
GT_API const GtPackMaterial* gt_pack_material(const GtPack* pack, int32_t material);
GT_API int32_t gt_pack_image_count(const GtPack* pack);
GT_API const GtPackImage* gt_pack_image(const GtPack* pack, int32_t image);

GT_EXTERN_C_END

#endif
