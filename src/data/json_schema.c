// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A stack of pairs, a value and a schema that it must keep to, walks the document depth first. A $ref stands for the
// schema that it names; an alternative is one more pair with the same value.

#include "data/json_schema.h"

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_PAIRS = 4 * GTI_JSON_MAX_DEPTH,
    MOST_REFERENCES = 16, // that lead to each other
    MOST_KNOWN = 400      // bytes of the names that a message lists
};

typedef struct Pair {
    const GtiJson* value;
    const GtiJson* schema;
    const GtiJson* child; // of the value, to be looked at next
    uint32_t left;        // children that are left
    bool is_open;         // its own keywords have been checked
} Pair;

typedef struct Checker {
    const GtiJson* schema; // root
    const GtiJson* document;
    GtError* error;
    Pair pairs[MOST_PAIRS];
    int count;
} Checker;

static const char* const type_names[] = { "null", "boolean", "boolean", "number", "string", "array", "object" };
static const char* const type_phrases[] = { "null",   "true or false", "true or false", "a number",
                                            "a text", "a list",        "an object" };

static GtResult fail_at(const Checker* c, const GtiJson* value, const char* format, ...) GT_PRINTF(3, 4);

static GtResult fail_at(const Checker* c, const GtiJson* value, const char* format, ...)
{
    char place[128];
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gti_json_path(c->document, value, place, sizeof place);
    return gti_fail(c->error, GT_ERROR_BAD_VALUE, "%s%s%s", place, place[0] ? " " : "the file ", text);
}

static GtResult wrong_schema(const Checker* c, const GtiJson* schema, const char* what)
{
    char place[128];
    gti_json_path(c->schema, schema, place, sizeof place);
    return gti_fail(c->error, GT_ERROR_UNSUPPORTED, "the schema is beyond what is understood: %s: %s", place, what);
}

static GtResult follow(const Checker* c, const GtiJson** schema)
{
    static const char prefix[] = "\"#/$defs/";
    const size_t prefix_length = sizeof prefix - 1;
    for (int i = 0; i < MOST_REFERENCES; ++i) {
        const GtiJson* reference = gti_json_find(*schema, "$ref");
        if (!reference) {
            return GT_OK;
        }
        char name[64] = "";
        if (reference->type == GTI_JSON_STRING && reference->text_length > prefix_length + 1 &&
            reference->text_length - prefix_length - 1 < sizeof name &&
            memcmp(reference->text, prefix, prefix_length) == 0) {
            memcpy(name, reference->text + prefix_length, reference->text_length - prefix_length - 1);
        }
        const GtiJson* target = gti_json_find(gti_json_find(c->schema, "$defs"), name);
        if (!target) {
            return wrong_schema(c, reference, "it leads nowhere");
        }
        *schema = target;
    }
    return wrong_schema(c, *schema, "references lead in a circle");
}

static bool is_whole(const GtiJson* value)
{
    int64_t whole = 0;
    return gti_json_int64(value, &whole);
}

static bool is_of_type(const GtiJson* value, const GtiJson* type)
{
    return gti_json_equals(type, type_names[value->type]) || (gti_json_equals(type, "integer") && is_whole(value));
}

static bool has_type(const GtiJson* value, const GtiJson* type)
{
    if (!type || type->type == GTI_JSON_STRING) {
        return !type || is_of_type(value, type);
    }
    const GtiJson* one = gti_json_first(type);
    for (uint32_t i = 0; i < type->count; ++i, one = gti_json_next(one)) {
        if (is_of_type(value, one)) {
            return true;
        }
    }
    return false;
}

// Whether two plain values are the same; strings as they are written, which schemas of ours write without escapes.
static bool is_same(const GtiJson* a, const GtiJson* b)
{
    double x = 0.0;
    double y = 0.0;
    if (gti_json_double(a, &x) && gti_json_double(b, &y)) {
        return x == y;
    }
    return a->type == b->type && a->text_length == b->text_length && memcmp(a->text, b->text, a->text_length) == 0;
}

static bool is_listed(const GtiJson* value, const GtiJson* list)
{
    const GtiJson* one = gti_json_first(list);
    for (uint32_t i = 0; one && i < list->count; ++i, one = gti_json_next(one)) {
        if (is_same(value, one)) {
            return true;
        }
    }
    return false;
}

// The members of `object` that `required` lists; NULL where all are there, else the name of one that is not.
static const GtiJson* find_missing(const GtiJson* object, const GtiJson* required)
{
    const GtiJson* name = gti_json_first(required);
    for (uint32_t i = 0; name && i < required->count; ++i, name = gti_json_next(name)) {
        bool found = false;
        const GtiJson* member = gti_json_first(object);
        for (uint32_t m = 0; m < object->count && !found; ++m, member = gti_json_next(member)) {
            found = member->key_length + 2 == name->text_length &&
                    memcmp(member->key, name->text + 1, member->key_length) == 0;
        }
        if (!found) {
            return name;
        }
    }
    return NULL;
}

// Append "a, b or c" for a list of values.
static void print_choices(const GtiJson* list, char* out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    const GtiJson* one = gti_json_first(list);
    for (uint32_t i = 0; one && i < list->count && at < size; ++i, one = gti_json_next(one)) {
        int wrote = snprintf(out + at, size - at, "%s%.*s",
                             i == 0                ? ""
                             : i + 1 < list->count ? ", "
                                                   : " or ",
                             (int)one->text_length, one->text);
        at += wrote > 0 ? (size_t)wrote : size;
    }
}

static GtResult wrong_type(const Checker* c, const GtiJson* value, const GtiJson* type)
{
    char text[96] = "";
    size_t at = 0;
    uint32_t count = type->type == GTI_JSON_ARRAY ? type->count : 1;
    const GtiJson* one = type->type == GTI_JSON_ARRAY ? gti_json_first(type) : type;
    for (uint32_t i = 0; i < count && at < sizeof text; ++i, one = gti_json_next(one)) {
        const char* phrase = "a whole number";
        for (int k = 0; k <= GTI_JSON_OBJECT; ++k) {
            phrase = gti_json_equals(one, type_names[k]) ? type_phrases[k] : phrase;
        }
        int wrote = snprintf(text + at, sizeof text - at, "%s%s", i == 0 ? "" : " or ", phrase);
        at += wrote > 0 ? (size_t)wrote : sizeof text;
    }
    return fail_at(c, value, "must be %s", text);
}

static GtResult check_number(const Checker* c, const GtiJson* value, const GtiJson* schema)
{
    static const struct {
        const char* keyword;
        const char* phrase;
        bool is_upper, is_open;
    } bounds[] = {
        { "minimum", "at least", false, false },
        { "maximum", "at most", true, false },
        { "exclusiveMinimum", "more than", false, true },
        { "exclusiveMaximum", "less than", true, true },
    };
    double number = 0.0;
    if (!gti_json_double(value, &number)) {
        return fail_at(c, value, "must be a number that can be told apart from infinity");
    }
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; ++i) {
        double bound = 0.0;
        if (!gti_json_double(gti_json_find(schema, bounds[i].keyword), &bound)) {
            continue;
        }
        double beyond = bounds[i].is_upper ? number - bound : bound - number;
        if (!(beyond < 0.0 || (beyond == 0.0 && !bounds[i].is_open))) {
            return fail_at(c, value, "must be %s %g", bounds[i].phrase, bound);
        }
    }
    return GT_OK;
}

static GtResult check_count(const Checker* c, const GtiJson* value, const GtiJson* schema, uint32_t count,
                            const char* least_keyword, const char* most_keyword, const char* what)
{
    int64_t least = 0;
    int64_t most = INT64_MAX;
    gti_json_int64(gti_json_find(schema, least_keyword), &least);
    gti_json_int64(gti_json_find(schema, most_keyword), &most);
    if (count >= least && count <= most) {
        return GT_OK;
    }
    if (least == most) {
        return fail_at(c, value, "must have %lld %s, and has %u", (long long)least, what, count);
    }
    return fail_at(c, value, "must have %s %lld %s, and has %u", count < least ? "at least" : "at most",
                   (long long)(count < least ? least : most), what, count);
}

static GtResult check_keywords(const Checker* c, const GtiJson* schema)
{
    static const char* const known[] = {
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minimum",
        "maximum",
        "oneOf",
        "anyOf",
        "minItems",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "maxItems",
        "$ref",
        "$defs",
        "$schema",
        "$id",
        "minLength",
        "maxProperties",
        "title",
        "default",
        "$comment",
        "examples",
        "description",
        "minProperties",
        "maxLength",
    };
    const GtiJson* keyword = gti_json_first(schema);
    for (uint32_t i = 0; i < schema->count; ++i, keyword = gti_json_next(keyword)) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0] && !is_known; ++k) {
            is_known = gti_json_key_is(keyword, known[k]);
        }
        if (!is_known) {
            return wrong_schema(c, keyword, "no such keyword");
        }
    }
    return GT_OK;
}

// What a value says of itself, without its children.
static GtResult check_value(const Checker* c, const GtiJson* value, const GtiJson* schema)
{
    char choices[256];
    const GtiJson* type = gti_json_find(schema, "type");
    const GtiJson* list = gti_json_find(schema, "enum");
    const GtiJson* constant = gti_json_find(schema, "const");
    if (!has_type(value, type)) {
        return wrong_type(c, value, type);
    }
    if (list && !is_listed(value, list)) {
        print_choices(list, choices, sizeof choices);
        return fail_at(c, value, "must be %s", choices);
    }
    if (constant && !is_same(value, constant)) {
        return fail_at(c, value, "must be %.*s", (int)constant->text_length, constant->text);
    }
    switch (value->type) {
    case GTI_JSON_NUMBER:
        return check_number(c, value, schema);
    case GTI_JSON_STRING:
        return check_count(c, value, schema, value->text_length - 2, "minLength", "maxLength", "characters");
    case GTI_JSON_ARRAY:
        return check_count(c, value, schema, value->count, "minItems", "maxItems", "items");
    case GTI_JSON_OBJECT:
        return check_count(c, value, schema, value->count, "minProperties", "maxProperties", "members");
    default:
        return GT_OK;
    }
}

static GtResult check_required(const Checker* c, const GtiJson* value, const GtiJson* schema)
{
    const GtiJson* missing =
        value->type == GTI_JSON_OBJECT ? find_missing(value, gti_json_find(schema, "required")) : NULL;
    return missing ? fail_at(c, value, "lacks %.*s", (int)missing->text_length, missing->text) : GT_OK;
}

static bool looks_like(const GtiJson* value, const GtiJson* schema)
{
    const GtiJson* list = gti_json_find(schema, "enum");
    const GtiJson* constant = gti_json_find(schema, "const");
    const GtiJson* required = gti_json_find(schema, "required");
    return has_type(value, gti_json_find(schema, "type")) && (!list || is_listed(value, list)) &&
           (!constant || is_same(value, constant)) &&
           (!required || value->type != GTI_JSON_OBJECT || !find_missing(value, required));
}

static GtResult push(Checker* c, const GtiJson* value, const GtiJson* schema)
{
    if (c->count == MOST_PAIRS) {
        return fail_at(c, value, "is nested too deep");
    }
    c->pairs[c->count++] = (Pair){ .value = value, .schema = schema };
    return GT_OK;
}

static GtResult push_alternative(Checker* c, const GtiJson* value, const GtiJson* schema)
{
    const GtiJson* list = gti_json_find(schema, "oneOf");
    list = list ? list : gti_json_find(schema, "anyOf");
    const GtiJson* one = gti_json_first(list);
    char text[MOST_KNOWN] = "";
    size_t at = 0;
    for (uint32_t i = 0; one && i < list->count; ++i, one = gti_json_next(one)) {
        const GtiJson* target = one;
        GtResult result = follow(c, &target);
        if (result != GT_OK) {
            return result;
        }
        if (looks_like(value, target)) {
            return push(c, value, target);
        }
        const GtiJson* title = gti_json_find(target, "title");
        if (title && at < sizeof text) {
            int wrote = snprintf(text + at, sizeof text - at, "%s%.*s", at ? ", or " : "", (int)title->text_length - 2,
                                 title->text + 1);
            at += wrote > 0 ? (size_t)wrote : sizeof text;
        }
    }
    return list ? fail_at(c, value, "must be %s", at ? text : "of another kind") : GT_OK;
}

// Check what a pair says of its value alone, and begin with its children.
static GtResult open_pair(Checker* c, Pair* pair)
{
    GtResult result = follow(c, &pair->schema);
    if (result == GT_OK) {
        result = check_keywords(c, pair->schema);
    }
    if (result == GT_OK) {
        result = check_value(c, pair->value, pair->schema);
    }
    if (result == GT_OK) {
        result = check_required(c, pair->value, pair->schema);
    }
    pair->is_open = true;
    pair->child = gti_json_first(pair->value);
    pair->left = pair->child ? pair->value->count : 0;
    return result == GT_OK ? push_alternative(c, pair->value, pair->schema) : result;
}

static GtResult unknown_member(const Checker* c, const GtiJson* member, const GtiJson* schema)
{
    char known[MOST_KNOWN] = "";
    size_t at = 0;
    const GtiJson* properties = gti_json_find(schema, "properties");
    const GtiJson* one = gti_json_first(properties);
    for (uint32_t i = 0; one && i < properties->count && at < sizeof known; ++i, one = gti_json_next(one)) {
        int wrote =
            snprintf(known + at, sizeof known - at, "%s%.*s", i == 0 ? "" : ", ", (int)one->key_length, one->key);
        at += wrote > 0 ? (size_t)wrote : sizeof known;
    }
    return fail_at(c, member, "has no meaning here; is it misspelt? There are: %s", known);
}

// The schema of a child, or NULL where it may be anything.
static GtResult schema_of(const Checker* c, const Pair* pair, const GtiJson* child, const GtiJson** out)
{
    *out = NULL;
    if (pair->value->type == GTI_JSON_ARRAY) {
        *out = gti_json_find(pair->schema, "items");
        return GT_OK;
    }
    const GtiJson* properties = gti_json_find(pair->schema, "properties");
    const GtiJson* property = gti_json_first(properties);
    for (uint32_t i = 0; property && i < properties->count; ++i, property = gti_json_next(property)) {
        if (property->key_length == child->key_length && memcmp(property->key, child->key, child->key_length) == 0) {
            *out = property;
            return GT_OK;
        }
    }
    const GtiJson* others = gti_json_find(pair->schema, "additionalProperties");
    if (others && others->type == GTI_JSON_FALSE) {
        return unknown_member(c, child, pair->schema);
    }
    *out = others && others->type == GTI_JSON_OBJECT ? others : NULL;
    return GT_OK;
}

static GtResult step(Checker* c)
{
    int top = c->count - 1;
    if (!c->pairs[top].is_open) {
        return open_pair(c, &c->pairs[top]);
    }
    if (c->pairs[top].left == 0) {
        --c->count;
        return GT_OK;
    }
    const GtiJson* child = c->pairs[top].child;
    const GtiJson* schema = NULL;
    GtResult result = schema_of(c, &c->pairs[top], child, &schema);
    c->pairs[top].child = gti_json_next(child);
    --c->pairs[top].left;
    return result == GT_OK && schema ? push(c, child, schema) : result;
}

GtResult gti_json_schema_check(const GtiJson* schema, const GtiJson* document, GtError* error)
{
    Checker c = { .schema = schema, .document = document, .error = error };
    GtResult result = push(&c, document, schema);
    while (c.count > 0 && result == GT_OK) {
        result = step(&c);
    }
    return result;
}
