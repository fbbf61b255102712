// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-scene: typed access to the data of a scene.
///
/// Typed access to the data of a scene: floats and integers out of any accessor, and new accessors from arrays.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_ACCESSOR_H
#define GERTIE_ACCESSOR_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// Components in an element: 1, 2, 3, 4, 4, 9, 16.
GT_API int32_t gt_element_components(GtElementType type);

/// Bytes of a component: 1, 2 or 4; 0 for a value that is no component type.
GT_API int32_t gt_component_size(GtComponentType type);

/// Bytes of a packed element, with the column padding that glTF asks of small matrices.
GT_API int32_t gt_element_size(GtElementType element, GtComponentType component);

/// Read elements as floats, normalised where the accessor says so, sparse values applied.
/// The accessor must have passed gt_scene_validate().
/// @param accessor  index into scene->accessors
/// @param first     first element
/// @param count     elements; first + count <= the accessor's count
/// @param out       [count * components]
GT_API void gt_accessor_read_floats(const GtScene* scene, int32_t accessor, uint64_t first, uint64_t count, float* out);

/// As gt_accessor_read_floats(), for integers; floats are truncated. Negative values wrap.
GT_API void gt_accessor_read_uints(const GtScene* scene, int32_t accessor, uint64_t first, uint64_t count,
                                   uint32_t* out);

/// The accessor's own floats where they lie packed and aligned in its blob, or NULL where they must be read.
GT_API const float* gt_accessor_floats_in_place(const GtScene* scene, int32_t accessor);

/// The accessor of a primitive's attribute, or GT_NONE.
GT_API int32_t gt_primitive_find(const GtPrimitive* primitive, const char* attribute);

/// The accessor of a morph target's attribute, or GT_NONE.
GT_API int32_t gt_morph_target_find(const GtMorphTarget* target, const char* attribute);

/// What a new accessor is for, which decides the buffer view's target and whether bounds are written.
typedef enum GtAccessorUse {
    GT_USE_DATA,    ///< animation values, inverse bind matrices
    GT_USE_TIMES,   ///< animation times: min and max are computed
    GT_USE_VERTEX,  ///< vertex attributes; VEC3 floats get min and max
    GT_USE_INDICES, ///< triangle corners
} GtAccessorUse;

/// Append a new buffer, view and accessor with a copy of `data`, which is packed.
/// @param data  [count * components] of component_type
/// @param index receives the accessor
GT_API GtResult gt_scene_add_data(GtScene* scene, GtAccessorUse use, GtElementType element, GtComponentType component,
                                  const void* data, uint64_t count, int32_t* index, GtError* error);

GT_EXTERN_C_END

#endif
