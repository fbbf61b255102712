// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "scene/choices.h"

#include "gertie/scene.h"

const GtChoice gti_length_choices[] = {
    { "m", 1.0, NULL },     { "dm", 0.1, NULL },    { "cm", 0.01, NULL }, { "mm", 0.001, NULL },
    { "in", 0.0254, NULL }, { "ft", 0.3048, NULL }, { NULL, 0, NULL },
};

const GtChoice gti_up_axis_choices[] = {
    { "y", GT_UP_Y, NULL },
    { "z", GT_UP_Z, NULL },
    { "x", GT_UP_X, NULL },
    { NULL, 0, NULL },
};

const GtChoice gti_skin_method_choices[] = {
    { "linear", GT_SKIN_LINEAR, "linear blend skinning, as every viewer has it" },
    { "dual-quaternion", GT_SKIN_DUAL_QUATERNION, "limbs keep their volume when they twist" },
    { "bulge-free", GT_SKIN_BULGE_FREE, "the same without a bulge on the outer side of bends" },
    { NULL, 0, NULL },
};
