// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A stack of pairs, a value and a schema that it must keep to, walks the document depth first. A $ref stands for the
// schema that it names; an alternative is one more pair with the same value.

#include "data/json_schema.h"

#include "base/fail.h"
#include "base/format.h"
#include "base/near.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_PAIRS = 4 * GTI_JSON_MAX_DEPTH,
    MAX_REFERENCES = 16, // that lead to each other
    MAX_NAMES = 2048     // bytes of the names that one may have been meant by
};

typedef struct Pair {
    const GtiJson* value;
    const GtiJson* schema;
    const GtiJson* named; // the schema before references were followed
    const GtiJson* child; // of the value, to be looked at next
    uint32_t left;        // children that are left
    bool is_open;         // its own keywords have been checked
} Pair;

typedef struct Checker {
    const GtiJson* schema; // root
    GtiJson* document;
    GtiFormerNames* former;
    GtError* error;
    Pair pairs[MAX_PAIRS];
    int count;
} Checker;

static const char* const type_names[] = { "null", "boolean", "boolean", "number", "string", "array", "object" };
static const char* const type_phrases[] = { "null",   "true or false", "true or false", "a number",
                                            "a text", "a list",        "an object" };

// A string without its quotes: as it is written, which is without escapes in schemas of ours.
#define SPAN_OF(string)  (string)->text + 1, (string)->text_length - 2
#define WORDS_OF(string) (int)(string)->text_length - 2, (string)->text + 1 // for "%.*s"

// A part of a message. What does not fit is left out at the end.
typedef struct Words {
    char text[400];
    size_t used;
} Words;

static void add_words(Words* words, const char* format, ...) GT_PRINTF(2, 3);

static void add_words(Words* words, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = sizeof words->text - words->used;
    int length = gti_format_v(words->text + words->used, left, format, arguments);
    words->used += length < 0 ? 0 : (size_t)length < left ? (size_t)length : left - 1;
    va_end(arguments);
}

static GtResult fail_at(const Checker* c, const GtiJson* value, const char* format, ...) GT_PRINTF(3, 4);

static GtResult fail_at(const Checker* c, const GtiJson* value, const char* format, ...)
{
    char place[128];
    va_list arguments;
    va_start(arguments, format);
    gti_json_path(c->document, value, place, sizeof place);
    gti_fail_v(c->error, GT_ERROR_BAD_VALUE, place, format, arguments);
    va_end(arguments);
    return GT_ERROR_BAD_VALUE;
}

const GtiJson* gti_json_schema_follow(const GtiJson* root, const GtiJson* schema)
{
    static const char prefix[] = "\"#/$defs/";
    const size_t prefix_length = sizeof prefix - 1;
    const GtiJson* definitions = gti_json_find(root, "$defs");
    for (int i = 0; schema && i < MAX_REFERENCES; ++i) {
        const GtiJson* reference = gti_json_find(schema, "$ref");
        if (!reference) {
            return schema;
        }
        bool is_local = reference->text_length > prefix_length && !memcmp(reference->text, prefix, prefix_length);
        schema = is_local ? gti_json_member(definitions, reference->text + prefix_length,
                                            reference->text_length - prefix_length - 1)
                          : NULL;
    }
    return NULL;
}

// What a value must be, in words; a title beside a reference counts before that of its target.
static const GtiJson* title_of(const Checker* c, const GtiJson* schema)
{
    const GtiJson* title = gti_json_find(schema, "title");
    return title ? title : gti_json_find(gti_json_schema_follow(c->schema, schema), "title");
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

// The first name in "required" that an object has no member of, whether by its present or its former name; or NULL.
static const GtiJson* find_missing(const GtiJson* object, const GtiJson* schema)
{
    const GtiJson* required = gti_json_find(schema, "required");
    const GtiJson* name = gti_json_first(required);
    for (uint32_t i = 0; name && i < required->count; ++i, name = gti_json_next(name)) {
        const GtiJson* property = gti_json_member(gti_json_find(schema, "properties"), SPAN_OF(name));
        const GtiJson* former = gti_json_find(property, "x-formerly");
        if (!gti_json_member(object, SPAN_OF(name)) && !(former && gti_json_member(object, SPAN_OF(former)))) {
            return name;
        }
    }
    return NULL;
}

static GtResult wrong_choice(const Checker* c, const Pair* pair, const GtiJson* list)
{
    Words words = { "", 0 };
    const GtiJson* title = title_of(c, pair->named);
    if (title) {
        add_words(&words, "%.*s: ", WORDS_OF(title));
    }
    const GtiJson* one = gti_json_first(list);
    for (uint32_t i = 0; one && i < list->count; ++i, one = gti_json_next(one)) {
        const char* comma = i == 0 ? "" : i + 1 < list->count ? ", " : " or ";
        add_words(&words, "%s%.*s", comma, (int)one->text_length, one->text);
    }
    return fail_at(c, pair->value, "must be %s", words.text);
}

static GtResult wrong_type(const Checker* c, const Pair* pair, const GtiJson* type)
{
    const GtiJson* title = title_of(c, pair->named);
    if (title) {
        return fail_at(c, pair->value, "must be %.*s", WORDS_OF(title));
    }
    Words words = { "", 0 };
    uint32_t count = type->type == GTI_JSON_ARRAY ? type->count : 1;
    const GtiJson* one = type->type == GTI_JSON_ARRAY ? gti_json_first(type) : type;
    for (uint32_t i = 0; i < count; ++i, one = gti_json_next(one)) {
        const char* phrase = "a whole number";
        for (int k = 0; k <= GTI_JSON_OBJECT; ++k) {
            phrase = gti_json_equals(one, type_names[k]) ? type_phrases[k] : phrase;
        }
        add_words(&words, "%s%s", i == 0 ? "" : " or ", phrase);
    }
    return fail_at(c, pair->value, "must be %s", words.text);
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
    float single = 0.0f;
    if (!gti_json_double(value, &number) || !gti_json_float(value, &single)) {
        return fail_at(c, value, "is beyond what a float holds");
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

static GtResult check_count(const Checker* c, const Pair* pair, uint32_t count, const char* least_keyword,
                            const char* most_keyword, const char* what)
{
    int64_t least = 0;
    int64_t most = INT64_MAX;
    gti_json_int64(gti_json_find(pair->schema, least_keyword), &least);
    gti_json_int64(gti_json_find(pair->schema, most_keyword), &most);
    if (count >= least && count <= most) {
        return GT_OK;
    }
    const GtiJson* title = title_of(c, pair->named);
    if (title) {
        return fail_at(c, pair->value, "must be %.*s, and has %u %s", WORDS_OF(title), count, what);
    }
    if (least == most) {
        return fail_at(c, pair->value, "must have %lld %s, and has %u", (long long)least, what, count);
    }
    return fail_at(c, pair->value, "must have %s %lld %s, and has %u", count < least ? "at least" : "at most",
                   (long long)(count < least ? least : most), what, count);
}

static bool is_escape(const char* at, const char* end, const char* from, const char* to)
{
    return end - at >= 6 && memcmp(at, "\\u", 2) == 0 && memcmp(at + 2, from, 4) >= 0 && memcmp(at + 2, to, 4) <= 0;
}

// Count the characters of a text, an escape and a pair of surrogates as one; fails where one is \u0000.
static GtResult check_text(const Checker* c, const Pair* pair)
{
    uint32_t count = 0;
    const char* end = pair->value->text + pair->value->text_length - 1;
    for (const char* at = pair->value->text + 1; at < end; ++count) {
        if (is_escape(at, end, "0000", "0000")) {
            return fail_at(c, pair->value, "must be without \\u0000");
        }
        if (*at == '\\') {
            bool is_pair = is_escape(at, end, "D800", "DBFF") || is_escape(at, end, "d800", "dbff");
            at += is_pair ? 12 : at[1] == 'u' ? 6 : 2;
        } else {
            for (++at; at < end && ((unsigned char)*at & 0xC0) == 0x80;) {
                ++at;
            }
        }
    }
    return check_count(c, pair, count, "minLength", "maxLength", "characters");
}

// What a schema says of a value itself, without its children.
static GtResult check_value(const Checker* c, const Pair* pair)
{
    const GtiJson* value = pair->value;
    const GtiJson* type = gti_json_find(pair->schema, "type");
    const GtiJson* list = gti_json_find(pair->schema, "enum");
    const GtiJson* constant = gti_json_find(pair->schema, "const");
    if (!has_type(value, type)) {
        return wrong_type(c, pair, type);
    }
    if (list && !is_listed(value, list)) {
        return wrong_choice(c, pair, list);
    }
    if (constant && !is_same(value, constant)) {
        return fail_at(c, value, "must be %.*s", (int)constant->text_length, constant->text);
    }
    if (value->key && memchr(value->key, 0, value->key_length)) {
        return fail_at(c, value, "must have a name without \\u0000");
    }
    switch (value->type) {
    case GTI_JSON_NUMBER:
        return check_number(c, value, pair->schema);
    case GTI_JSON_STRING:
        return check_text(c, pair);
    case GTI_JSON_ARRAY:
        return check_count(c, pair, value->count, "minItems", "maxItems", "items");
    case GTI_JSON_OBJECT:
        return check_count(c, pair, value->count, "minProperties", "maxProperties", "members");
    default:
        return GT_OK;
    }
}

static GtResult check_required(const Checker* c, const GtiJson* value, const GtiJson* schema)
{
    const GtiJson* missing = value->type == GTI_JSON_OBJECT ? find_missing(value, schema) : NULL;
    if (!missing) {
        return GT_OK;
    }
    const GtiJson* title = title_of(c, gti_json_member(gti_json_find(schema, "properties"), SPAN_OF(missing)));
    return title ? fail_at(c, value, "lacks %.*s, %.*s", (int)missing->text_length, missing->text, WORDS_OF(title))
                 : fail_at(c, value, "lacks %.*s", (int)missing->text_length, missing->text);
}

// Whether no member contradicts a constant that the schema has for it: "kind": {"const": "walk"} tells objects apart.
static bool keeps_constants(const GtiJson* value, const GtiJson* schema)
{
    const GtiJson* member = gti_json_first(value);
    const GtiJson* properties = gti_json_find(schema, "properties");
    for (uint32_t i = 0; member && i < value->count; ++i, member = gti_json_next(member)) {
        const GtiJson* property = gti_json_member(properties, member->key, member->key_length);
        const GtiJson* constant = gti_json_find(property, "const");
        if (constant && !is_same(member, constant)) {
            return false;
        }
    }
    return true;
}

// Whether a value is of the kind that a schema describes, whatever it lacks.
static bool is_alike(const GtiJson* value, const GtiJson* schema)
{
    const GtiJson* list = gti_json_find(schema, "enum");
    const GtiJson* constant = gti_json_find(schema, "const");
    return has_type(value, gti_json_find(schema, "type")) && (!list || is_listed(value, list)) &&
           (!constant || is_same(value, constant)) &&
           (value->type != GTI_JSON_OBJECT || keeps_constants(value, schema));
}

static GtResult push(Checker* c, const GtiJson* value, const GtiJson* schema)
{
    if (c->count == MAX_PAIRS) {
        return fail_at(c, value, "is nested too deep");
    }
    c->pairs[c->count++] = (Pair){ .value = value, .schema = schema };
    return GT_OK;
}

// Follow the first alternative that lacks nothing of what the value must have, or the only one that it is alike.
// list: schemas, or NULL
static GtResult push_alternative(Checker* c, const GtiJson* value, const GtiJson* list)
{
    const GtiJson* one = gti_json_first(list);
    const GtiJson* alike = NULL;
    int alike_count = 0;
    Words words = { "", 0 };
    for (uint32_t i = 0; one && i < list->count; ++i, one = gti_json_next(one)) {
        const GtiJson* target = gti_json_schema_follow(c->schema, one);
        if (is_alike(value, target)) {
            if (value->type != GTI_JSON_OBJECT || !find_missing(value, target)) {
                return push(c, value, one);
            }
            alike = one;
            ++alike_count;
        }
        const GtiJson* title = title_of(c, one);
        if (title) {
            add_words(&words, "%s%.*s", words.used ? ", or " : "", WORDS_OF(title));
        }
    }
    if (!list || alike_count == 1) {
        return list ? push(c, value, alike) : GT_OK;
    }
    return fail_at(c, value, "must be %s", words.used ? words.text : "of another kind");
}

// Check what a pair says of its value alone, and begin with its children.
static GtResult open_pair(Checker* c, Pair* pair)
{
    pair->named = pair->schema;
    pair->schema = gti_json_schema_follow(c->schema, pair->schema);
    GtResult result = check_value(c, pair);
    if (result == GT_OK) {
        result = check_required(c, pair->value, pair->schema);
    }
    pair->is_open = true;
    pair->child = gti_json_first(pair->value);
    pair->left = pair->child ? pair->value->count : 0;
    const GtiJson* value = pair->value;
    const GtiJson* schema = pair->schema;
    if (result == GT_OK) {
        result = push_alternative(c, value, gti_json_find(schema, "oneOf"));
    }
    return result == GT_OK ? push_alternative(c, value, gti_json_find(schema, "anyOf")) : result;
}

static GtResult unknown_member(const Checker* c, const GtiJson* member, const GtiJson* properties)
{
    char wanted[64];
    char names[MAX_NAMES]; // one after the other, each terminated
    size_t used = 0;
    Words words = { "", 0 };
    snprintf(wanted, sizeof wanted, "%.*s", (int)member->key_length, member->key);
    GtiNear near = gti_near(wanted);
    const GtiJson* one = gti_json_first(properties);
    for (uint32_t i = 0; one && i < properties->count; ++i, one = gti_json_next(one)) {
        add_words(&words, "%s%.*s", i == 0 ? "" : ", ", (int)one->key_length, one->key);
        if (one->key_length < sizeof names - used) {
            snprintf(names + used, sizeof names - used, "%.*s", (int)one->key_length, one->key);
            gti_near_offer(&near, names + used);
            used += one->key_length + 1;
        }
    }
    if (near.count == 0) {
        return fail_at(c, member, "has no meaning here; is it misspelt? There are: %s", words.text);
    }
    return fail_at(c, member, "has no meaning here%s", gti_near_print(&near, words.text, sizeof words.text));
}

// The property that a member is meant by under its former name, which it then loses; or NULL.
static const GtiJson* rename_former_member(Checker* c, const GtiJson* object, const GtiJson* member,
                                           const GtiJson* properties)
{
    const GtiJson* property = gti_json_first(properties);
    for (uint32_t i = 0; property && i < properties->count; ++i, property = gti_json_next(property)) {
        const GtiJson* former = gti_json_find(property, "x-formerly");
        if (!former || gti_json_member(object, SPAN_OF(former)) != member ||
            gti_json_member(object, property->key, property->key_length)) {
            continue;
        }
        if (c->former && c->former->count++ == 0) {
            c->former->first = member;
            snprintf(c->former->name, sizeof c->former->name, "%.*s", WORDS_OF(former));
        }
        GtiJson* renamed = c->document + (member - c->document);
        renamed->key = property->key;
        renamed->key_length = property->key_length;
        return property;
    }
    return NULL;
}

// The schema of a child, or NULL where it may be anything.
static GtResult schema_of(Checker* c, const Pair* pair, const GtiJson* child, const GtiJson** out)
{
    if (pair->value->type == GTI_JSON_ARRAY) {
        *out = gti_json_find(pair->schema, "items");
        return GT_OK;
    }
    const GtiJson* properties = gti_json_find(pair->schema, "properties");
    const GtiJson* others = gti_json_find(pair->schema, "additionalProperties");
    *out = gti_json_member(properties, child->key, child->key_length);
    *out = *out ? *out : rename_former_member(c, pair->value, child, properties);
    if (!*out && others && others->type == GTI_JSON_FALSE) {
        return unknown_member(c, child, properties);
    }
    *out = *out || (others && others->type != GTI_JSON_OBJECT) ? *out : others;
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

GtResult gti_json_schema_check(const GtiJson* schema, GtiJson* document, GtiFormerNames* former, GtError* error)
{
    Checker c = { .schema = schema, .document = document, .former = former, .error = error };
    if (former) {
        *former = (GtiFormerNames){ 0 };
    }
    GtResult result = push(&c, document, schema);
    while (c.count > 0 && result == GT_OK) {
        result = step(&c);
    }
    return result;
}
