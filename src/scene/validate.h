// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of the validation pass share. Each part checks one kind of object and names what is wrong by its
// place, as a JSON path.

#ifndef GERTIE_SCENE_VALIDATE_H
#define GERTIE_SCENE_VALIDATE_H

#include "gertie/scene.h"

// What has been found true of an accessor's data, so that shared ones are scanned once.
enum {
    GTI_CHECKED_FINITE = 1,  // no NaN, no infinity
    GTI_CHECKED_TIMES = 2,   // finite and not decreasing
    GTI_CHECKED_CORNERS = 4, // GtiChecked.largest is known
    GTI_CHECKED_JOINTS = 8,  // those with weight are joints of a skin of `joint_count`
};

typedef struct GtiChecked {
    uint8_t flags;
    uint32_t largest;    // of corners
    int32_t joint_count; // smallest
    int32_t weights;     // the accessor that says which joints have weight
} GtiChecked;

typedef struct GtiValidation {
    const GtContext* context;
    const GtScene* scene;
    GtError* error;
    GtiChecked* checked; // [accessor_count]
    bool* bad_weights;   // set where skin weights are negative or not finite, for the caller to repair; or NULL
} GtiValidation;

// gt_scene_validate() for a loader, which then repairs skin weights that are negative or not finite (io/weights.h).
GtResult gti_scene_validate(const GtContext* context, const GtScene* scene, bool* bad_weights, GtError* error);

// A place in the scene, put into words only when something is wrong there: each '#' of the format stands for the next
// index, '@' for the name. What the format does not mention is 0 or NULL.
typedef struct GtiPlace {
    const char* format;
    int32_t i, j, k;
    const char* name;
} GtiPlace;

static inline GtiPlace gti_place(const char* format, int32_t i, int32_t j, int32_t k, const char* name)
{
    GtiPlace place = { format, i, j, k, name };
    return place;
}

// Fail, or warn and go on (unless strict), naming the place.
GtResult gti_invalid(const GtiValidation* v, GtResult code, GtiPlace place, const char* format, ...) GT_PRINTF(4, 5);
GtResult gti_repairable(const GtiValidation* v, GtiPlace place, const char* format, ...) GT_PRINTF(3, 4);

// `index` is in [0, count), or GT_NONE where that is allowed.
GtResult gti_check_index(const GtiValidation* v, int32_t index, int32_t count, bool none_allowed, const char* what,
                         GtiPlace place);

// The accessor exists and has one of the element types in the mask of bits 1 << GtElementType.
GtResult gti_check_accessor(const GtiValidation* v, int32_t accessor, unsigned element_mask, GtiPlace place);

// No element of the accessor is NaN or infinite.
GtResult gti_check_finite(const GtiValidation* v, int32_t accessor, GtiPlace place);

GtResult gti_validate_data(const GtiValidation* v);       // buffers, views, accessors
GtResult gti_validate_meshes(const GtiValidation* v);     // primitives, targets, indices, influences
GtResult gti_validate_animations(const GtiValidation* v); // samplers, channels
GtResult gti_validate_materials(const GtiValidation* v);  // materials, textures, images, cameras

#endif
