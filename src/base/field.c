// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of fields as text and back. Numbers go through a double in the unit that people see, in which limits and
// choices are stated; every type that is stored fits, whole numbers up to 2^53.

#include "base/field_table.h"

#include "base/fail.h"
#include "gertie/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEF_SIZE = 2048
};

typedef struct GtiUnit {
    const char* name;
    double per_stored;         // what people see over what is stored
    double stored_per;         // and the inverse
    const char* stored_suffix; // of names; NULL where people see what is stored
    const char* shown_suffix;
} GtiUnit;

static const GtiUnit units[] = {
    [GT_UNIT_NONE] = { "", 1.0, 1.0, NULL, NULL },
    [GT_UNIT_METRES] = { "metres", 1.0, 1.0, NULL, NULL },
    [GT_UNIT_MILLIMETRES] = { "millimetres", 1000.0, 0.001, "_m", "_mm" },
    [GT_UNIT_METRES_PER_SECOND] = { "metres per second", 1.0, 1.0, NULL, NULL },
    [GT_UNIT_SECONDS] = { "seconds", 1.0, 1.0, NULL, NULL },
    [GT_UNIT_HERTZ] = { "hertz", 1.0, 1.0, NULL, NULL },
    [GT_UNIT_DEGREES] = { "degrees", 57.29577951308232, 0.017453292519943295, "_rad", "_deg" },
    [GT_UNIT_PIXELS] = { "pixels", 1.0, 1.0, NULL, NULL },
    [GT_UNIT_COLOR] = { "colour", 1.0, 1.0, NULL, NULL },
};

static bool is_whole(GtFieldType type)
{
    return type != GT_FIELD_FLOAT && type != GT_FIELD_DOUBLE;
}

static bool is_text(GtFieldType type)
{
    return type == GT_FIELD_TEXT || type == GT_FIELD_CHARS || type == GT_FIELD_GROUP;
}

const GtField* gt_field_find(const GtFieldTable* table, const char* path, size_t* offset)
{
    size_t at = 0;
    while (table) {
        size_t length = strcspn(path, ".");
        const GtField* found = NULL;
        for (int32_t i = 0; i < table->field_count && !found; ++i) {
            const char* name = table->fields[i].name;
            found = !strncmp(name, path, length) && !name[length] ? &table->fields[i] : NULL;
        }
        at += found ? found->offset : 0;
        if (!found || !path[length]) {
            if (offset) {
                *offset = at;
            }
            return found;
        }
        path += length + 1;
        table = found->type == GT_FIELD_GROUP ? found->group() : NULL;
    }
    return NULL;
}

static double stored_number(const GtField* field, const void* value)
{
    switch (field->type) {
    case GT_FIELD_BOOL:
        return *(const bool*)value;
    case GT_FIELD_INT32:
        return *(const int32_t*)value;
    case GT_FIELD_UINT32:
        return *(const uint32_t*)value;
    case GT_FIELD_INT64:
        return (double)*(const int64_t*)value;
    case GT_FIELD_UINT64:
        return (double)*(const uint64_t*)value;
    case GT_FIELD_FLOAT:
        return (double)*(const float*)value;
    case GT_FIELD_DOUBLE:
        return *(const double*)value;
    case GT_FIELD_TEXT:
    case GT_FIELD_CHARS:
    case GT_FIELD_GROUP:
        break;
    }
    return NAN;
}

double gt_field_number(const GtField* field, const void* value)
{
    return stored_number(field, value) * units[field->unit].per_stored;
}

static void store_number(const GtField* field, double shown, void* value)
{
    double number = shown * units[field->unit].stored_per;
    switch (field->type) {
    case GT_FIELD_BOOL:
        *(bool*)value = number != 0.0;
        break;
    case GT_FIELD_INT32:
        *(int32_t*)value = (int32_t)number;
        break;
    case GT_FIELD_UINT32:
        *(uint32_t*)value = (uint32_t)number;
        break;
    case GT_FIELD_INT64:
        *(int64_t*)value = (int64_t)number;
        break;
    case GT_FIELD_UINT64:
        *(uint64_t*)value = (uint64_t)number;
        break;
    case GT_FIELD_FLOAT:
        *(float*)value = (float)number;
        break;
    case GT_FIELD_DOUBLE:
        *(double*)value = number;
        break;
    case GT_FIELD_TEXT:
    case GT_FIELD_CHARS:
    case GT_FIELD_GROUP:
        break;
    }
}

static const GtChoice bool_choices[] = { { "false", 0.0, NULL }, { "true", 1.0, NULL }, { NULL, 0.0, NULL } };

// A bool is a choice of two.
static const GtChoice* choices_of(const GtField* field)
{
    return field->type == GT_FIELD_BOOL ? bool_choices : field->choices;
}

static void print_number(const GtField* field, double number, char out[GT_NUMBER_SIZE])
{
    if (is_whole(field->type)) {
        snprintf(out, GT_NUMBER_SIZE, "%lld", (long long)number);
    } else if (field->type == GT_FIELD_FLOAT) {
        gt_print_float((float)number, out);
    } else {
        gt_print_double(number, out);
    }
}

int gt_field_print(const GtField* field, const void* value, char* out, size_t out_size)
{
    char digits[GT_NUMBER_SIZE];
    const char* text = digits;
    if (is_text(field->type)) {
        text = field->type == GT_FIELD_CHARS ? value : field->type == GT_FIELD_TEXT ? *(const char* const*)value : NULL;
        return snprintf(out, out_size, "%s", text ? text : "");
    }
    double number = gt_field_number(field, value);
    if (field->unit == GT_UNIT_COLOR) {
        return snprintf(out, out_size, "#%06x", (unsigned)number);
    }
    print_number(field, number, digits);
    for (const GtChoice* choice = choices_of(field); choice && choice->name; ++choice) {
        text = choice->value == number ? choice->name : text;
    }
    return snprintf(out, out_size, "%s", text);
}

static bool has_limits(const GtField* field)
{
    return field->min != 0.0 || field->max != 0.0;
}

// Whether a number is within the limits, or can be stored where there are none.
static bool is_within_limits(const GtField* field, double number)
{
    static const double exact = 9007199254740991.0; // doubles hold all whole numbers up to this, and one more
    if (has_limits(field)) {
        return number >= field->min && number <= field->max;
    }
    switch (field->type) {
    case GT_FIELD_INT32:
        return number >= INT32_MIN && number <= INT32_MAX;
    case GT_FIELD_UINT32:
        return number >= 0.0 && number <= UINT32_MAX;
    case GT_FIELD_INT64:
        return fabs(number) <= exact;
    case GT_FIELD_UINT64:
        return number >= 0.0 && number <= exact;
    default:
        return !isnan(number);
    }
}

void gt_field_print_range(const GtField* field, char* out, size_t out_size)
{
    char min[GT_NUMBER_SIZE];
    char max[GT_NUMBER_SIZE];
    size_t used = 0;
    const GtChoice* choices = choices_of(field);
    bool takes_numbers = !is_text(field->type) && !(choices && is_whole(field->type));
    bool has_range = takes_numbers && has_limits(field);
    print_number(field, field->min, min);
    print_number(field, field->max, max);
    if (out_size > 0) {
        out[0] = 0;
    }
    for (const GtChoice* choice = choices; choice && choice->name && used < out_size; ++choice) {
        const char* before = choice == choices ? "" : choice[1].name || takes_numbers ? ", " : " or ";
        used += (size_t)snprintf(out + used, out_size - used, "%s%s", before, choice->name);
    }
    if (field->unit == GT_UNIT_COLOR) {
        snprintf(out, out_size, "a colour as #rrggbb");
    } else if (takes_numbers && used < out_size) {
        snprintf(out + used, out_size - used, "%sa %snumber%s%s%s%s", used > 0 ? " or " : "",
                 is_whole(field->type) ? "whole " : "", has_range ? " from " : "", has_range ? min : "",
                 has_range ? " to " : "", has_range ? max : "");
    }
}

// Read a number or the name of one.
static bool parse_number(const GtField* field, const char* text, double* out)
{
    const char* end = text + strlen(text);
    int64_t whole = 0;
    for (const GtChoice* choice = choices_of(field); choice && choice->name; ++choice) {
        if (!strcmp(choice->name, text)) {
            *out = choice->value;
            return true;
        }
    }
    if (field->unit == GT_UNIT_COLOR) {
        bool is_color = text[0] == '#' && strspn(text + 1, "0123456789abcdefABCDEF") == 6 && !text[7];
        *out = is_color ? (double)strtoul(text + 1, NULL, 16) : 0.0;
        return is_color;
    }
    if (!is_whole(field->type)) {
        return gt_parse_double(text, end, out) == end;
    }
    bool ok = !choices_of(field) && gt_parse_int64(text, end, &whole) == end;
    *out = (double)whole;
    return ok;
}

GtResult gt_field_parse(const GtField* field, const char* text, void* value, GtError* error)
{
    double number = 0.0;
    GT_ASSERT(field->type != GT_FIELD_CHARS && field->type != GT_FIELD_GROUP);
    bool is_named = false;
    for (const GtChoice* choice = field->choices; choice && choice->name; ++choice) {
        is_named = is_named || !strcmp(choice->name, text);
    }
    bool ok = field->type == GT_FIELD_TEXT
                  ? is_named || !field->choices
                  : parse_number(field, text, &number) && (is_named || is_within_limits(field, number));
    if (!ok) {
        char range[256];
        gt_field_print_range(field, range, sizeof range);
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, field->name, "takes %s, not '%s'", range, text);
    }
    if (field->type == GT_FIELD_TEXT) {
        *(const char**)value = text;
    } else {
        store_number(field, number, value);
    }
    return GT_OK;
}

// Whether a field takes a number: one of its choices, or one within its limits but for rounding, as units are converted
// and floats are not what they are written as.
static bool takes_number(const GtField* field, double number)
{
    for (const GtChoice* choice = choices_of(field); choice && choice->name; ++choice) {
        if (choice->value == number) {
            return true;
        }
    }
    if (choices_of(field) && is_whole(field->type)) {
        return false;
    }
    double slack = 1e-6;
    return !has_limits(field) ||
           (number >= field->min - slack * fabs(field->min) && number <= field->max + slack * fabs(field->max));
}

static GtResult check_fields(const GtFieldTable* table, const unsigned char* values, const unsigned char* defaults,
                             GtError* error)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < table->field_count && result == GT_OK; ++i) {
        const GtField* field = &table->fields[i];
        const unsigned char* value = values + field->offset;
        const unsigned char* otherwise = defaults + field->offset;
        if (field->type == GT_FIELD_GROUP) {
            result = check_fields(field->group(), value, otherwise, error); // as deep as structs are nested
            continue;
        }
        double number = gt_field_number(field, value);
        double usual = gt_field_number(field, otherwise);
        if (!is_text(field->type) && !takes_number(field, number) && number != usual &&
            !(isnan(number) && isnan(usual))) {
            char range[256];
            char text[64];
            gt_field_print_range(field, range, sizeof range);
            gt_field_print(field, value, text, sizeof text);
            result = gti_fail(error, GT_ERROR_BAD_VALUE, "%s takes %s, not %s", field->name, range, text);
        }
    }
    return result;
}

GtResult gti_fields_check(const GtFieldTable* table, const void* values, GtError* error)
{
    _Alignas(max_align_t) unsigned char defaults[MAX_DEF_SIZE];
    GT_ASSERT(table->set_default && table->size <= sizeof defaults);
    table->set_default(defaults);
    return check_fields(table, values, defaults, error);
}

const char* gt_field_shown_name(const GtField* field, char out[GT_FIELD_NAME_SIZE])
{
    const GtiUnit* unit = &units[field->unit];
    size_t length = strlen(field->name);
    size_t suffix = unit->stored_suffix ? strlen(unit->stored_suffix) : 0;
    bool ends_so = suffix > 0 && length > suffix && !strcmp(field->name + length - suffix, unit->stored_suffix);
    snprintf(out, GT_FIELD_NAME_SIZE, "%.*s%s", (int)(ends_so ? length - suffix : length), field->name,
             ends_so ? unit->shown_suffix : "");
    return out;
}

const char* gt_field_unit_name(GtFieldUnit unit)
{
    return units[unit].name;
}
