// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a mesh is rigged with where nobody says otherwise.

#include "gertie/rig.h"

GtRigDef gt_default_rig_def(void)
{
    return (GtRigDef){ .influences = 4, .min_confidence = 0.5 };
}
