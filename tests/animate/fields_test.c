// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Every table of fields against the struct it describes: the program's own bytes, and the text of the public headers.

#include "gertie/gertie.h"
#include "support/test.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const GtFieldTable* (*Accessor)(void);

#define TABLE(accessor)                                                                                                \
    {                                                                                                                  \
#accessor, accessor                                                                                            \
    }

static const struct {
    const char* name;
    Accessor table;
} tables[] = {
    TABLE(gt_actor_def_fields),
    TABLE(gt_animate_def_fields),
    TABLE(gt_background_fields),
    TABLE(gt_build_def_fields),
    TABLE(gt_clip_pack_def_fields),
    TABLE(gt_contacts_def_fields),
    TABLE(gt_plot_series_def_fields),
    TABLE(gt_film_def_fields),
    TABLE(gt_export_def_fields),
    TABLE(gt_harmonic_bake_def_fields),
    TABLE(gt_harmonic_bake_report_fields),
    TABLE(gt_harmonic_character_def_fields),
    TABLE(gt_harmonic_clip_def_fields),
    TABLE(gt_harmonic_clip_report_fields),
    TABLE(gt_harmonic_def_fields),
    TABLE(gt_join_def_fields),
    TABLE(gt_load_def_fields),
    TABLE(gt_loop_def_fields),
    TABLE(gt_loop_report_fields),
    TABLE(gt_map_def_fields),
    TABLE(gt_markers_def_fields),
    TABLE(gt_measure_def_fields),
    TABLE(gt_mesh_template_def_fields),
    TABLE(gt_mesh_template_report_fields),
    TABLE(gt_motion_def_fields),
    TABLE(gt_person_def_fields),
    TABLE(gt_person_report_fields),
    TABLE(gt_person_scan_fields),
    TABLE(gt_plant_def_fields),
    TABLE(gt_lift_report_fields),
    TABLE(gt_plant_report_fields),
    TABLE(gt_plot_def_fields),
    TABLE(gt_renderer_def_fields),
    TABLE(gt_rest_angles_fields),
    TABLE(gt_retarget_def_fields),
    TABLE(gt_retarget_report_fields),
    TABLE(gt_rig_def_fields),
    TABLE(gt_save_def_fields),
    TABLE(gt_sculpt_bake_def_fields),
    TABLE(gt_shape_regions_def_fields),
    TABLE(gt_shot_def_fields),
    TABLE(gt_shot_overlays_fields),
    TABLE(gt_shot_view_fields),
    TABLE(gt_take_def_fields),
    TABLE(gt_touch_report_fields),
    TABLE(gt_collide_report_fields),
};

enum {
    TABLE_COUNT = sizeof tables / sizeof tables[0],
    TEXT_SIZE = 1 << 20
};

// Members that are data for programs, beside pointers, and no options.
static const char* const data_members[] = {
    "GtHarmonicDef.vertex_count", "GtHarmonicDef.triangle_count", "GtHarmonicDef.marker_count", "GtHarmonicDef.anchor",
    "GtHarmonicDef.handle_count", "GtRigDef.joint_count",         "GtActorDef.offset",          "GtActorDef.tint",
    "GtActorDef.trail_count",     "GtActorDef.light_count",       "GtActorDef.focus_count",     "GtPlotDef.line_count",
    "GtBackground.top",           "GtBackground.bottom",          "GtShotDef.figure_count",
};

// Defs that only programs fill: arrays, curves, joints and what a frame needs.
static const char* const data_defs[] = {
    "bake_def",         "batch_def",   "batch_list_def",  "harmonic_skin_def",  "blend_space_def",
    "character_def",    "clip_def",    "curve_def",       "drivers_def",        "figure_def",
    "ik_solver_def",    "jiggle_def",  "lattice_def",     "legend_def",         "mesh_def",
    "morph_def",        "pack_def",    "point_cache_def", "root_path_def",      "sculpt_player_def",
    "section_bind_def", "section_def", "sensor_def",      "shape_controls_def", "shape_def",
    "sheet_def",        "skin_def",    "track_def",       "track_set_def",
};

static char* headers; // all public headers, one after the other, without comments

static int read_headers(void** state)
{
    (void)state;
    headers = calloc(1, TEXT_SIZE);
    FILE* pipe = popen("sed -e 's://.*$::' include/gertie/*.h", "r");
    size_t size = headers && pipe ? fread(headers, 1, TEXT_SIZE - 1, pipe) : 0;
    return pipe && pclose(pipe) == 0 && size > 50000 && size < TEXT_SIZE - 1 ? 0 : -1;
}

static int free_headers(void** state)
{
    (void)state;
    free(headers);
    return 0;
}

static bool is_listed(const char* const* list, size_t count, const char* name)
{
    for (size_t i = 0; i < count; ++i) {
        if (!strcmp(list[i], name)) {
            return true;
        }
    }
    return false;
}

static size_t type_size(GtFieldType type)
{
    static const size_t sizes[] = {
        [GT_FIELD_BOOL] = 1,   [GT_FIELD_INT32] = 4, [GT_FIELD_UINT32] = 4, [GT_FIELD_INT64] = 8,
        [GT_FIELD_UINT64] = 8, [GT_FIELD_FLOAT] = 4, [GT_FIELD_DOUBLE] = 8, [GT_FIELD_TEXT] = sizeof(char*),
        [GT_FIELD_CHARS] = 1,  [GT_FIELD_GROUP] = 1
    };
    return sizes[type];
}

static void rows_fit_their_struct(void** state)
{
    (void)state;
    for (size_t t = 0; t < TABLE_COUNT; ++t) {
        const GtFieldTable* table = tables[t].table();
        assert_true(table->field_count > 0);
        for (int32_t i = 0; i < table->field_count; ++i) {
            const GtField* field = &table->fields[i];
            size_t size = field->type == GT_FIELD_GROUP ? field->group()->size : type_size(field->type);
            assert_true(field->offset + size <= table->size);
            assert_non_null(field->help);
            bool is_sentence = isupper((unsigned char)field->help[0]) && !isupper((unsigned char)field->help[1]);
            if (strlen(field->help) < 6 || is_sentence || field->help[strlen(field->help) - 1] == '.') {
                fail_msg("%s.%s: '%s' is no phrase", table->name, field->name, field->help);
            }
            for (int32_t k = 0; k < i; ++k) {
                assert_string_not_equal(table->fields[k].name, field->name);
                assert_true(table->fields[k].offset != field->offset);
            }
            for (const GtChoice* c = field->choices; c && c->name; ++c) { // all have a meaning, or none has
                assert_int_equal(c->help != NULL, field->choices[0].help != NULL);
            }
        }
    }
}

// A default is within its limits and survives being written and read, or words say what it means.
static void defaults_are_values(void** state)
{
    (void)state;
    int checked = 0;
    for (size_t t = 0; t < TABLE_COUNT; ++t) {
        const GtFieldTable* table = tables[t].table();
        if (!table->set_default) {
            continue;
        }
        char* def = calloc(1, table->size);
        assert_non_null(def);
        table->set_default(def);
        for (int32_t i = 0; i < table->field_count; ++i) {
            const GtField* field = &table->fields[i];
            char text[64];
            char again[64];
            GtError error = { 0 };
            if (field->type == GT_FIELD_GROUP || field->default_text) {
                continue;
            }
            bool is_number = field->type != GT_FIELD_BOOL && field->type != GT_FIELD_TEXT && !field->choices;
            if (is_number && field->unit != GT_UNIT_COLOR && field->min == 0.0 && field->max == 0.0) {
                fail_msg("%s.%s has no limits", table->name, field->name);
            }
            gt_field_print(field, def + field->offset, text, sizeof text);
            if (field->type == GT_FIELD_TEXT && !text[0]) {
                fail_msg("%s.%s has no default", table->name, field->name);
            }
            char* value = def + field->offset;
            GT_EXPECT_OK(gt_field_parse(field, text, value, &error));
            gt_field_print(field, value, again, sizeof again);
            assert_string_equal(text, again);
            ++checked;
        }
        free(def);
    }
    assert_true(checked > 60);
}

// Every accessor that a header declares is tested here.
static void all_tables_are_here(void** state)
{
    (void)state;
    size_t found = 0;
    for (const char* at = headers; (at = strstr(at, "const GtFieldTable* gt_")); ++at) {
        const char* name = at + strlen("const GtFieldTable* ");
        size_t length = strcspn(name, "(");
        bool is_known = false;
        for (size_t t = 0; t < TABLE_COUNT; ++t) {
            is_known = is_known || (strlen(tables[t].name) == length && !strncmp(tables[t].name, name, length));
        }
        if (!is_known) {
            fail_msg("%.*s() is not tested", (int)length, name);
        }
        ++found;
    }
    assert_int_equal(found, TABLE_COUNT);
}

static void every_def_has_a_table(void** state)
{
    (void)state;
    int found = 0;
    for (const char* at = headers; (at = strstr(at, " gt_default_")); ++at) {
        char noun[64];
        char accessor[128];
        snprintf(noun, sizeof noun, "%.*s", (int)strcspn(at + 12, "("), at + 12);
        if (strlen(noun) < 4 || strcmp(noun + strlen(noun) - 4, "_def") != 0 ||
            is_listed(data_defs, sizeof data_defs / sizeof data_defs[0], noun)) {
            continue;
        }
        snprintf(accessor, sizeof accessor, "const GtFieldTable* gt_%s_fields(void)", noun);
        if (!strstr(headers, accessor)) {
            fail_msg("gt_%s_fields() is missing: how would people set its fields?", noun);
        }
        ++found;
    }
    assert_true(found > 20);
}

// Check one declaration of a struct: "const GtScene* scene", "int32_t width, height", "float tint[3]".
static int check_members(const GtFieldTable* table, char* declaration)
{
    int count = 0;
    char* names = declaration + strlen(declaration);
    while (names > declaration && !(isspace((unsigned char)names[-1]) && names[-2] != ',')) {
        --names;
    }
    bool is_text = strstr(declaration, "const char* ") != NULL;
    bool is_data = (strchr(declaration, '*') && !is_text) || strchr(declaration, '(');
    char* rest = NULL;
    for (char* name = strtok_r(names, ", ", &rest); name && !is_data; name = strtok_r(NULL, ", ", &rest)) {
        char path[128];
        name[strcspn(name, "[")] = 0;
        snprintf(path, sizeof path, "%s.%s", table->name, name);
        if (!gt_field_find(table, name, NULL) &&
            !is_listed(data_members, sizeof data_members / sizeof data_members[0], path)) {
            fail_msg("%s has no row", path);
        }
        ++count;
    }
    return count;
}

static void every_member_has_a_row(void** state)
{
    (void)state;
    int count = 0;
    for (size_t t = 0; t < TABLE_COUNT; ++t) {
        const GtFieldTable* table = tables[t].table();
        char start[80];
        char body[8192];
        char* rest = NULL;
        if (!table->set_default) {
            continue;
        }
        snprintf(start, sizeof start, "typedef struct %s {", table->name);
        const char* at = strstr(headers, start);
        assert_non_null(at);
        at += strlen(start);
        size_t length = (size_t)(strchr(at, '}') - at);
        assert_true(length < sizeof body);
        memcpy(body, at, length);
        body[length] = 0;
        for (char* line = strtok_r(body, ";", &rest); line; line = strtok_r(NULL, ";", &rest)) {
            if (line[strspn(line, " \n")]) {
                count += check_members(table, line);
            }
        }
    }
    assert_true(count > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_fit_their_struct),  cmocka_unit_test(defaults_are_values),
        cmocka_unit_test(all_tables_are_here),    cmocka_unit_test(every_def_has_a_table),
        cmocka_unit_test(every_member_has_a_row),
    };
    return cmocka_run_group_tests(tests, read_headers, free_headers);
}
