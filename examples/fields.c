// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// fields [OUT.glb NAME=VALUE...]
//
// Options of a program, made from the table of a Def: alone it lists the fields of a person with unit, range, default
// and help; else it sets those that are given by their names and writes the person. Panels and bindings to other
// languages are made the same way, for every Def that has a table. Links libgertie.

#include <gertie/field.h>
#include <gertie/file.h>
#include <gertie/person.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list_fields(const GtFieldTable* table, const void* defaults)
{
    for (int32_t i = 0; i < table->field_count; ++i) {
        const GtField* field = &table->fields[i];
        const void* value = (const char*)defaults + field->offset;
        char name[GT_FIELD_NAME_SIZE], text[128], range[256];
        if (field->type == GT_FIELD_GROUP) {
            list_fields(field->group(), value);
            continue;
        }
        gt_field_print(field, value, text, sizeof text);
        gt_field_print_range(field, range, sizeof range);
        printf("%-18s %s (%s%s%s; default: %s)\n", gt_field_shown_name(field, name), field->help, range,
               field->unit ? ", in " : "", gt_field_unit_name(field->unit),
               field->default_text ? field->default_text : text);
    }
}

// NAME=VALUE; a field of a struct in the struct is named by its path: scan.bare=true.
static GtResult set_field(const GtFieldTable* table, const char* option, void* out, GtError* error)
{
    char name[GT_FIELD_NAME_SIZE];
    size_t length = strcspn(option, "="), offset = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, option);
    const GtField* field = gt_field_find(table, name, &offset);
    if (!field || option[length] != '=') {
        snprintf(error->message, sizeof error->message, "is no field");
        return GT_ERROR_NOT_FOUND;
    }
    return gt_field_parse(field, option + length + 1, (char*)out + offset, error);
}

int main(int argc, char** argv)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtPersonDef def = gt_default_person_def();
    if (argc < 2) {
        list_fields(gt_person_def_fields(), &def);
        return EXIT_SUCCESS;
    }
    for (int i = 2; i < argc; ++i) {
        if (set_field(gt_person_def_fields(), argv[i], &def, &error) != GT_OK) {
            fprintf(stderr, "fields: %.*s %s\n", (int)strcspn(argv[i], "="), argv[i], error.message);
            return EXIT_FAILURE;
        }
    }
    GtScene* person = NULL;
    GtPersonReport report;
    if (gt_sample_person(&context, &def, &person, &report, &error) != GT_OK ||
        gt_scene_save(&context, person, argv[1], NULL, &error) != GT_OK) {
        fprintf(stderr, "fields: %s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("%.2f m, %.1f kg\n", def.height_m, report.mass_kg);
    gt_scene_destroy(person);
    return EXIT_SUCCESS;
}
