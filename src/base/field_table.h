// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The function that gives a struct's table, from an array of its rows.

#ifndef GERTIE_BASE_FIELD_TABLE_H
#define GERTIE_BASE_FIELD_TABLE_H

#include "gertie/field.h"

// Define `accessor` for a Def: GTI_DEF_FIELDS(gt_rig_def_fields, GtRigDef, rig_fields, gt_default_rig_def())
#define GTI_DEF_FIELDS(accessor, Struct, rows, default_def)                                                            \
    static void accessor##_set_default(void* out)                                                                      \
    {                                                                                                                  \
        *(Struct*)out = default_def;                                                                                   \
    }                                                                                                                  \
    GTI_TABLE(accessor, Struct, rows, accessor##_set_default)

// Define `accessor` for a report.
#define GTI_REPORT_FIELDS(accessor, Struct, rows) GTI_TABLE(accessor, Struct, rows, NULL)

#define GTI_TABLE(accessor, Struct, rows, defaults)                                                                    \
    const GtFieldTable* accessor(void)                                                                                 \
    {                                                                                                                  \
        static const GtFieldTable table = { #Struct, sizeof(Struct), rows, sizeof(rows) / sizeof *(rows), defaults };  \
        return &table;                                                                                                 \
    }

// Check that every number of a Def is one that its field takes, or the default.
// error: "tempo takes a number from 0.25 to 4, not 9"
GtResult gti_fields_check(const GtFieldTable* table, const void* values, GtError* error);

#endif
