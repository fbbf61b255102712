// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "data/json_schema.h"

#include "support/schema_rules.h"
#include "support/test.h"

static const char schema_text[] =
    "{\"type\":\"object\",\"required\":[\"name\"],\"additionalProperties\":false,\"properties\":{"
    "\"name\":{\"$ref\":\"#/$defs/name\"},"
    "\"size\":{\"type\":\"number\",\"minimum\":0,\"exclusiveMaximum\":10},"
    "\"count\":{\"type\":\"integer\",\"exclusiveMinimum\":0,\"maximum\":32},"
    "\"kind\":{\"enum\":[\"a\",\"b\",3]},"
    "\"version\":{\"const\":1},"
    "\"flag\":{\"type\":[\"boolean\",\"null\"]},"
    "\"list\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":3,\"items\":{\"type\":\"number\"}},"
    "\"map\":{\"type\":\"object\",\"maxProperties\":2,\"additionalProperties\":{\"type\":\"number\"}},"
    "\"tree\":{\"$ref\":\"#/$defs/tree\"},"
    "\"point_m\":{\"title\":\"x, y and z in metres\",\"type\":\"array\",\"minItems\":3,\"maxItems\":3,"
    "\"items\":{\"type\":\"number\"}},"
    "\"key\":{\"type\":\"object\",\"required\":[\"time_s\",\"value\"],\"additionalProperties\":false,\"properties\":{"
    "\"time_s\":{\"$ref\":\"#/$defs/time\",\"x-formerly\":\"time\"},\"value\":{\"type\":\"number\"}}},"
    "\"move\":{\"oneOf\":[{\"title\":\"a walk\",\"type\":\"object\",\"additionalProperties\":false,"
    "\"properties\":{\"kind\":{\"const\":\"walk\"},\"speed\":{\"type\":\"number\"}}},"
    "{\"title\":\"a jump\",\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"jump\"},\"height_m\":{\"type\":"
    "\"number\"}}}]},"
    "\"box\":{\"oneOf\":[{\"title\":\"fit\",\"const\":\"fit\"},{\"$ref\":\"#/$defs/box\"}]}},"
    "\"$defs\":{\"time\":{\"title\":\"a time in "
    "seconds\",\"type\":\"number\"},\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4},"
    "\"tree\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/tree\"}},"
    "\"box\":{\"title\":\"an object with edges\",\"type\":\"object\",\"required\":[\"edges\"],"
    "\"additionalProperties\":false,\"properties\":{\"edges\":{\"type\":\"number\"},\"turn\":{\"type\":\"number\"}}}}}";

static GtResult check(const char* schema, const char* document, GtError* error)
{
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* rules = NULL;
    const GtiJson* value = NULL;
    GtError parse_error;
    assert_int_equal(gti_json_parse(&arena, schema, strlen(schema), &rules, &parse_error), GT_OK);
    assert_int_equal(gti_json_parse(&arena, document, strlen(document), &value, &parse_error), GT_OK);
    GtResult result = schema_rules_check(rules, error);
    if (result == GT_OK) {
        result = gti_json_schema_check(rules, (GtiJson*)value, NULL, error);
    }
    gt_arena_destroy(&arena);
    return result;
}

static void test_accepts_what_fits(void** state)
{
    (void)state;
    static const char* const documents[] = {
        "{\"name\":\"a\"}",
        "{\"name\":\"abcd\",\"size\":0,\"count\":32,\"kind\":3.0,\"version\":1}",
        "{\"name\":\"a\",\"size\":9.99,\"count\":1e0,\"kind\":\"b\",\"flag\":null}",
        "{\"name\":\"a\",\"flag\":false,\"list\":[1,2,3],\"map\":{\"x\":1,\"y\":2}}",
        "{\"name\":\"a\",\"tree\":[[],[[],[[]]]],\"box\":\"fit\"}",
        "{\"name\":\"a\",\"box\":{\"edges\":1,\"turn\":2}}",
        "{\"name\":\"\\ud83d\\udc80\u8170\\n\u00fc\",\"point_m\":[1,2,3e38]}",
        "{\"name\":\"a\",\"key\":{\"time_s\":1,\"value\":2},\"move\":{\"kind\":\"jump\",\"height_m\":1}}",
        "{\"name\":\"\\\\u00\"}",
    };
    GtError error;
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; ++i) {
        GT_EXPECT_OK(check(schema_text, documents[i], &error));
    }
}

static void test_names_what_does_not(void** state)
{
    (void)state;
    static const struct {
        const char* document;
        const char* message;
    } cases[] = {
        { "[]", "must be an object" },
        { "{}", "lacks \"name\"" },
        { "{\"name\":1}", "name: must be a text" },
        { "{\"name\":\"\"}", "name: must have at least 1 characters" },
        { "{\"name\":\"abcde\"}", "name: must have at most 4 characters" },
        { "{\"name\":\"a\",\"sise\":1}", "sise: has no meaning here; did you mean 'size'?" },
        { "{\"name\":\"a\",\"xyz\":1}", "xyz: has no meaning here; is it misspelt? There are: name, size," },
        { "{\"name\":\"a\",\"point_m\":[1,2]}", "point_m: must be x, y and z in metres, and has 2 items" },
        { "{\"name\":\"a\",\"point_m\":7}", "point_m: must be x, y and z in metres" },
        { "{\"name\":\"a\",\"point_m\":[1,2,1e39]}", "point_m[2]: is beyond what a float holds" },
        { "{\"name\":\"a\",\"key\":{\"value\":1}}", "key: lacks \"time_s\", a time in seconds" },
        { "{\"name\":\"a\",\"key\":{\"time\":\"1\",\"value\":1}}", "key.time_s: must be a time in seconds" },
        { "{\"name\":\"a\",\"key\":{\"time\":1,\"time_s\":1,\"value\":1}}", "key.time: has no meaning here" },
        { "{\"name\":\"a\\u0000\"}", "name: must be without \\u0000" },
        { "{\"name\":\"a\",\"map\":{\"\\u0000\":1}}", "must have a name without \\u0000" },
        { "{\"name\":\"\\ud83d\\udc80\u8170\\n\u00fc5\"}", "name: must have at most 4 characters, and has 5" },
        { "{\"name\":\"a\",\"move\":{\"kind\":\"walk\",\"height_m\":1}}", "move.height_m: has no meaning here" },
        { "{\"name\":\"a\",\"move\":{\"kind\":\"jump\",\"height_m\":\"\"}}", "move.height_m: must be a number" },
        { "{\"name\":\"a\",\"move\":{\"kind\":\"hop\"}}", "move: must be a walk, or a jump" },
        { "{\"name\":\"a\",\"size\":-0.1}", "size: must be at least 0" },
        { "{\"name\":\"a\",\"size\":10}", "size: must be less than 10" },
        { "{\"name\":\"a\",\"count\":0}", "count: must be more than 0" },
        { "{\"name\":\"a\",\"count\":1.5}", "count: must be a whole number" },
        { "{\"name\":\"a\",\"count\":33}", "count: must be at most 32" },
        { "{\"name\":\"a\",\"kind\":\"c\"}", "kind: must be \"a\", \"b\" or 3" },
        { "{\"name\":\"a\",\"version\":2}", "version: must be 1" },
        { "{\"name\":\"a\",\"flag\":0}", "flag: must be true or false or null" },
        { "{\"name\":\"a\",\"list\":[]}", "list: must have at least 1 items, and has 0" },
        { "{\"name\":\"a\",\"list\":[1,\"2\"]}", "list[1]: must be a number" },
        { "{\"name\":\"a\",\"map\":{\"x\":[]}}", "map.x: must be a number" },
        { "{\"name\":\"a\",\"map\":{\"x\":1,\"y\":1,\"z\":1}}", "map: must have at most 2 members, and has 3" },
        { "{\"name\":\"a\",\"tree\":[[],[[],1]]}", "tree[1][1]: must be a list" },
        { "{\"name\":\"a\",\"box\":{\"turn\":1}}", "box: lacks \"edges\"" },
        { "{\"name\":\"a\",\"box\":7}", "box: must be fit, or an object with edges" },
        { "{\"name\":\"a\",\"box\":{\"edges\":1,\"tern\":1}}", "box.tern: has no meaning here" },
        { "{\"name\":\"a\",\"box\":{\"edges\":null}}", "box.edges: must be a number" },
    };
    GtError error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_ERROR(check(schema_text, cases[i].document, &error), GT_ERROR_BAD_VALUE, cases[i].message);
    }
}

// Anywhere in the schema, whether or not the document has a value there.
static void test_refuses_schemas_beyond_it(void** state)
{
    (void)state;
    static const struct {
        const char* schema;
        const char* message;
    } cases[] = {
        { "{\"patternProperties\":{}}", "patternProperties: no such keyword" },
        { "{\"properties\":{\"a\":{\"items\":{\"oneOf\":[{\"not\":{}}]}}}}", "properties.a.items.oneOf[0].not" },
        { "{\"$defs\":{\"x\":{\"additionalProperties\":{\"format\":1}}}}", "x.additionalProperties.format" },
        { "{\"items\":[{}]}", "items: it is no schema" },
        { "{\"properties\":{\"a\":false}}", "properties.a: it is no schema" },
        { "{\"$ref\":\"#/$defs/x\"}", "leads nowhere" },
        { "{\"items\":{\"$ref\":\"x\"}}", "leads nowhere" },
        { "{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"$ref\":\"#/$defs/x\"}}}", "leads nowhere" },
        { "{\"items\":{\"$ref\":\"#/$defs/x\",\"minimum\":1},\"$defs\":{\"x\":{}}}",
          "items.minimum: it stands beside" },
    };
    GtError error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_ERROR(check(cases[i].schema, "{}", &error), GT_ERROR_UNSUPPORTED, cases[i].message);
    }
    // What looks like keywords inside values is none.
    GT_EXPECT_OK(check("{\"default\":{\"not\":1},\"enum\":[{}],\"properties\":{\"not\":{}}}", "{}", &error));
}

static void test_gives_members_their_present_names(void** state)
{
    (void)state;
    static const char text[] = "{\"name\":\"a\",\"key\":{\"value\":2,\"time\":1}}";
    GtError error;
    GtiFormerNames former;
    const GtiJson* rules = NULL;
    const GtiJson* value = NULL;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GT_EXPECT_OK(gti_json_parse(&arena, schema_text, strlen(schema_text), &rules, &error));
    GT_EXPECT_OK(gti_json_parse(&arena, text, strlen(text), &value, &error));
    GT_EXPECT_OK(gti_json_schema_check(rules, (GtiJson*)value, &former, &error));
    const GtiJson* key = gti_json_find(value, "key");
    assert_int_equal(former.count, 1);
    assert_string_equal(former.name, "time");
    assert_ptr_equal(former.first, gti_json_find(key, "time_s"));
    assert_null(gti_json_find(key, "time"));
    GT_EXPECT_OK(gti_json_schema_check(rules, (GtiJson*)value, &former, &error));
    assert_int_equal(former.count, 0);
    gt_arena_destroy(&arena);
}

// A schema that asks for itself again of the same value ends, too.
static void test_ends_where_alternatives_do_not(void** state)
{
    (void)state;
    GtError error;
    GT_EXPECT_ERROR(check("{\"anyOf\":[{\"$ref\":\"#/$defs/x\"}],\"$defs\":{\"x\":{\"anyOf\":[{\"$ref\":\"#/$defs/"
                          "x\"}]}}}",
                          "{}", &error),
                    GT_ERROR_BAD_VALUE, "nested too deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepts_what_fits),
        cmocka_unit_test(test_names_what_does_not),
        cmocka_unit_test(test_refuses_schemas_beyond_it),
        cmocka_unit_test(test_gives_members_their_present_names),
        cmocka_unit_test(test_ends_where_alternatives_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
