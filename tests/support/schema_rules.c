// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/schema_rules.h"

#include "base/fail.h"

typedef struct Rules {
    const GtiJson* root;
    GtError* error;
} Rules;

// What a keyword's value is.
typedef enum Part {
    PART_UNKNOWN,
    PART_WORDS,   // for readers: nothing is checked by it
    PART_RULE,    // numbers, names and values
    PART_SCHEMA,  // one schema
    PART_SCHEMAS, // schemas in a list or by names
} Part;

static GtResult wrong_schema(const Rules* r, const GtiJson* schema, const char* what)
{
    char place[128];
    gti_json_path(r->root, schema, place, sizeof place);
    return gti_fail(r->error, GT_ERROR_UNSUPPORTED, "the schema is beyond what is understood: %s: %s", place, what);
}

static Part part_of(const GtiJson* keyword)
{
    static const struct {
        const char* name;
        Part part;
    } keywords[] = {
        { "type", PART_RULE },
        { "enum", PART_RULE },
        { "const", PART_RULE },
        { "required", PART_RULE },
        { "minimum", PART_RULE },
        { "maximum", PART_RULE },
        { "exclusiveMinimum", PART_RULE },
        { "exclusiveMaximum", PART_RULE },
        { "minItems", PART_RULE },
        { "maxItems", PART_RULE },
        { "minLength", PART_RULE },
        { "maxLength", PART_RULE },
        { "minProperties", PART_RULE },
        { "maxProperties", PART_RULE },
        { "$ref", PART_RULE },
        { "items", PART_SCHEMA },
        { "additionalProperties", PART_SCHEMA },
        { "properties", PART_SCHEMAS },
        { "oneOf", PART_SCHEMAS },
        { "anyOf", PART_SCHEMAS },
        { "$defs", PART_SCHEMAS },
        { "$schema", PART_WORDS },
        { "$id", PART_WORDS },
        { "$comment", PART_WORDS },
        { "title", PART_WORDS },
        { "description", PART_WORDS },
        { "default", PART_WORDS },
        { "examples", PART_WORDS },
        { "deprecated", PART_WORDS },
        { "x-formerly", PART_WORDS },
    };
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; ++i) {
        if (gti_json_key_is(keyword, keywords[i].name)) {
            return keywords[i].part;
        }
    }
    return PART_UNKNOWN;
}

// A schema is an object whose keywords are known; beside a reference, whose target is there, stand only words.
static GtResult check_schema(const Rules* r, const GtiJson* schema)
{
    if (schema->type != GTI_JSON_OBJECT) {
        bool is_closed = schema->type == GTI_JSON_FALSE && gti_json_key_is(schema, "additionalProperties");
        return is_closed ? GT_OK : wrong_schema(r, schema, "it is no schema");
    }
    const GtiJson* reference = gti_json_find(schema, "$ref");
    const GtiJson* keyword = gti_json_first(schema);
    for (uint32_t i = 0; i < schema->count; ++i, keyword = gti_json_next(keyword)) {
        Part part = part_of(keyword);
        if (part == PART_UNKNOWN) {
            return wrong_schema(r, keyword, "no such keyword");
        }
        if (reference && keyword != reference && part != PART_WORDS && !gti_json_key_is(keyword, "$defs")) {
            return wrong_schema(r, keyword, "it stands beside a $ref");
        }
    }
    return gti_json_schema_follow(r->root, schema) ? GT_OK : wrong_schema(r, reference, "it leads nowhere");
}

// Values come in document order, so those that a container holds follow it.
GtResult schema_rules_check(const GtiJson* schema, GtError* error)
{
    const Rules rules = { schema, error };
    const GtiJson* open[GTI_JSON_MAX_DEPTH + 1];
    Part parts[GTI_JSON_MAX_DEPTH + 1];
    int depth = 0;
    GtResult result = GT_OK;
    for (const GtiJson* value = schema; value < gti_json_next(schema) && result == GT_OK;) {
        while (depth > 0 && value >= gti_json_next(open[depth - 1])) {
            --depth;
        }
        Part part = depth > 0 && parts[depth - 1] == PART_SCHEMA ? part_of(value) : PART_SCHEMA;
        if (part == PART_SCHEMA) {
            result = check_schema(&rules, value);
        }
        bool holds_schemas = part == PART_SCHEMA || part == PART_SCHEMAS;
        if (holds_schemas && value->count > 0) {
            open[depth] = value;
            parts[depth++] = part;
        }
        value = holds_schemas ? value + 1 : gti_json_next(value);
    }
    return result;
}
