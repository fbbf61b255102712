// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// options [NAME=VALUE...]
//
// Sets options of retargeting by name and prints all of them: how a command line, a panel or a binding to another
// language needs no list of its own. Links libgertie.

#include <gertie/retarget.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv)
{
    const GtFieldTable* table = gt_retarget_def_fields();
    GtRetargetDef def = gt_default_retarget_def();
    GtError error;
    for (int i = 1; i < argc; ++i) {
        char* value = strchr(argv[i], '=');
        if (value) {
            *value++ = 0;
        }
        const GtField* field = gt_field_find(table, argv[i], NULL);
        if (!field || !value || gt_field_parse(field, value, (char*)&def + field->offset, &error) != GT_OK) {
            fprintf(stderr, "options: %s %s\n", argv[i], field && value ? error.message : "is no option=value");
            return 2;
        }
    }
    for (int32_t i = 0; i < table->field_count; ++i) {
        const GtField* field = &table->fields[i];
        char value[64];
        gt_field_print(field, (char*)&def + field->offset, value, sizeof value);
        printf("%-14s %-6s %-12s %s\n", field->name, value, gt_field_unit_name(field->unit), field->help);
    }
    return 0;
}
