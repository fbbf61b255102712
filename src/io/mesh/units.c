// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A person is between 1.2 and 2.2 m tall, at least a tenth and at most half as deep as tall, and no wider than with
// arms stretched out. Of the units that scanners and modellers use, these heights overlap in none.

#include "io/mesh/units.h"

#include "base/fail.h"

#include <math.h>

typedef struct Unit {
    double metres;
    const char* name;
} Unit;

static const Unit units[] = {
    { 1.0, "metres" },        { 0.1, "decimetres" }, { 0.01, "centimetres" },
    { 0.001, "millimetres" }, { 0.0254, "inches" },  { 0.3048, "feet" },
};

double gti_unit_of_person(double height)
{
    for (size_t i = 0; i < 5; ++i) { // not feet: 4 to 7 units are as likely a giant's metres
        double metres = height * units[i].metres;
        if (metres >= 1.2 && metres <= 2.2) {
            return units[i].metres;
        }
    }
    return 0.0;
}

static double guess(const double size[3], int up)
{
    double height = size[up];
    double across = fmax(size[(up + 1) % 3], size[(up + 2) % 3]);
    double depth = fmin(size[(up + 1) % 3], size[(up + 2) % 3]);
    bool person = depth >= 0.08 * height && depth <= 0.5 * height && across >= 0.2 * height && across <= 1.15 * height;
    double metres = person ? gti_unit_of_person(height) : 0.0;
    return metres > 0.0 ? metres : 1.0;
}

GtiMeshUnits gti_mesh_units(const GtLoadDef* def, const double min[3], const double max[3])
{
    static const int up_component[] = { 1, 2, 0 };
    GtiMeshUnits result = { .up_axis = def->up_axis == GT_NONE ? GT_UP_Y : (GtUpAxis)def->up_axis };
    double size[3];
    for (int k = 0; k < 3; ++k) {
        size[k] = max[k] - min[k];
    }
    if (def->metres_per_unit > 0.0) {
        result.metres_per_unit = def->metres_per_unit;
    } else {
        result.metres_per_unit = guess(size, up_component[result.up_axis]);
        result.guessed = result.metres_per_unit != 1.0;
    }
    return result;
}

const char* gti_unit_name(double metres_per_unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
        if (fabs(metres_per_unit / units[i].metres - 1.0) < 1e-6) {
            return units[i].name;
        }
    }
    return NULL;
}

GtResult gti_check_load_def(const GtLoadDef* def, GtError* error)
{
    if (!(def->metres_per_unit == 0.0 || (def->metres_per_unit >= 1e-6 && def->metres_per_unit <= 1e6))) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%g metres per unit: give 0.000001 to 1000000, or 0 to infer it",
                        def->metres_per_unit);
    }
    if (def->up_axis < GT_NONE || def->up_axis > GT_UP_X) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "up axis %d: give a GtUpAxis, or GT_NONE to infer it", def->up_axis);
    }
    return GT_OK;
}
