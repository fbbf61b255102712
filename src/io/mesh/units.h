// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Units and up axis of meshes in formats that say neither.

#ifndef GERTIE_IO_MESH_UNITS_H
#define GERTIE_IO_MESH_UNITS_H

#include "gertie/file.h"

// What the numbers of a file mean.
typedef struct GtiMeshUnits {
    double metres_per_unit;
    GtUpAxis up_axis;
    bool guessed; // from a person's height
} GtiMeshUnits;

// Take units and up axis from `def` where it tells. Else Y is up, and the unit is the metre, unless the bounds are
// those of a person of between 1.2 and 2.2 m in some other unit.
GtiMeshUnits gti_mesh_units(const GtLoadDef* def, const double min[3], const double max[3]);

// Metres per unit that make a height that of a person of between 1.2 and 2.2 m, or 0 where no unit does.
double gti_unit_of_person(double height);

// "centimetres", or NULL for a unit without a name.
const char* gti_unit_name(double metres_per_unit);

// Whether units and axis of a definition are possible.
GtResult gti_check_load_def(const GtLoadDef* def, GtError* error);

#endif
