// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Materials that change while they play: names of their parts, and where these are.

#ifndef GERTIE_SHAPES_MATERIAL_H
#define GERTIE_SHAPES_MATERIAL_H

#include "gertie/shape_controls.h"

enum {
    GTI_MATERIAL_PARTS = 8 // color.r to scale.y
};

// The name of a part, as in `material:NAME.color.r`.
const char* gti_material_part_name(int part);

// A number of a look.
float* gti_material_part(GtMaterialLook* look, int part);

// The material that "NAME" or "#3" means, or GT_NONE.
int32_t gti_material_find(const GtScene* scene, const char* name);

// Whether a channel is one of a material, and which. *material is GT_NONE where there is none of that name, *part where
// it has none such.
bool gti_material_channel(const GtScene* scene, const char* channel, int32_t* material, int* part);

#endif
