// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The schemas in docs/schemas, the files in examples and those that the documentation shows: all of it keeps to what it
// says. tests/node/schemas.test.mjs has the same seen by a validator that is not ours.

#include "data/schema.h"

#include "support/folder.h"
#include "support/schema_rules.h"
#include "support/test.h"

#include <ftw.h>
#include <stdlib.h>

typedef struct Fixture {
    GtContext context;
    GtArena arena;
    int count; // of what was checked
} Fixture;

static Fixture fixture; // nftw() passes nothing on

static int open_fixture(void** state)
{
    fixture = (Fixture){ .context = gt_default_context(), .arena = gt_arena_create(gt_default_allocator()) };
    *state = &fixture;
    return 0;
}

static int close_fixture(void** state)
{
    (void)state;
    gt_arena_destroy(&fixture.arena);
    return 0;
}

static GtiSpan read_text(const char* path)
{
    GtError error;
    uint8_t* bytes = NULL;
    size_t size = 0;
    GT_EXPECT_OK(gti_file_read(&fixture.context, path, &bytes, &size, &error));
    GtiSpan text = { gt_arena_push_text(&fixture.arena, (const char*)bytes, size), size };
    fixture.context.allocator.release(fixture.context.allocator.user, bytes);
    assert_non_null(text.bytes);
    return text;
}

static bool ends_with(const char* path, const char* end)
{
    size_t length = strlen(path);
    return length >= strlen(end) && strcmp(path + length - strlen(end), end) == 0;
}

static int check_schema(const char* path, const struct stat* status, int kind, struct FTW* place)
{
    (void)status;
    (void)place;
    if (kind != FTW_F) {
        return 0;
    }
    assert_true(ends_with(path, ".schema.json"));
    GtError error;
    const GtiJson* schema = NULL;
    const GtiJson* nothing = NULL;
    GtiSpan text = read_text(path);
    GT_EXPECT_OK(gti_json_parse(&fixture.arena, text.bytes, text.size, &schema, &error));
    GT_EXPECT_OK(gti_json_parse(&fixture.arena, "null", 4, &nothing, &error));
    GT_EXPECT_OK(schema_rules_check(schema, &error));
    GT_EXPECT_ERROR(gti_json_schema_check(schema, (GtiJson*)nothing, NULL, &error), GT_ERROR_BAD_VALUE, "must be");
    assert_true(gti_json_equals(gti_json_find(schema, "$schema"), "https://json-schema.org/draft/2020-12/schema"));
    ++fixture.count;
    return 0;
}

static void test_every_schema_is_understood(void** state)
{
    Fixture* f = *state;
    f->count = 0;
    assert_int_equal(nftw("docs/schemas", check_schema, 8, FTW_PHYS), 0);
    int embedded = 0;
    for (const GtiSchemaText* schema = gti_schemas; schema->name; ++schema, ++embedded) {
        char path[64];
        snprintf(path, sizeof path, "docs/schemas/%s.schema.json", schema->name);
        GtiSpan text = read_text(path);
        assert_int_equal(text.size, schema->json.size);
        assert_memory_equal(text.bytes, schema->json.bytes, text.size);
    }
    assert_int_equal(f->count, embedded + 1); // reports are written and never read
}

// By the member that says what a text is.
static const char* find_kind(GtiSpan text)
{
    const GtiJson* root = NULL;
    GtError error;
    if (gti_json_parse(&fixture.arena, text.bytes, text.size, &root, &error) != GT_OK) {
        fail_msg("%s: %s in:\n%.*s", error.where, error.message, (int)text.size, (const char*)text.bytes);
    }
    for (const GtiSchemaText* schema = gti_schemas; schema->name; ++schema) {
        char key[32];
        snprintf(key, sizeof key, "gertie_%s", schema->name);
        if (gti_json_find(root, key)) {
            return schema->name;
        }
    }
    return gti_json_find(root, "extensionsUsed") ? "glTF" : NULL;
}

// In its present names: those of former versions would be renamed.
static void expect_file(const char* path, GtiSpan text)
{
    GtError error;
    GtiFormerNames former;
    const GtiJson* root = NULL;
    const GtiJson* schema = NULL;
    const char* kind = find_kind(text);
    if (!kind) {
        fail_msg("%s: no gertie_KIND in:\n%.*s", path, (int)text.size, (const char*)text.bytes);
    }
    if (strcmp(kind, "glTF") == 0) {
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "docs/schemas/%s.schema.json", kind);
    GtiSpan rules = read_text(name);
    GT_EXPECT_OK(gti_json_parse(&fixture.arena, rules.bytes, rules.size, &schema, &error));
    GT_EXPECT_OK(gti_json_parse(&fixture.arena, text.bytes, text.size, &root, &error));
    if (gti_json_schema_check(schema, (GtiJson*)root, &former, &error) != GT_OK) {
        fail_msg("%s: %s in:\n%.*s", path, error.message, (int)text.size, (const char*)text.bytes);
    }
    if (former.count > 0) {
        fail_msg("%s: \"%s\" is a former name", path, former.name);
    }
    ++fixture.count;
}

// Objects that begin a line, up to the end of the block or here-document that they stand in.
static void check_blocks(const char* path)
{
    GtiSpan text = read_text(path);
    char* save = NULL;
    char* block = NULL;
    bool is_json = false;
    for (char* line = strtok_r((char*)text.bytes, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        bool ends = strncmp(line, "```", 3) == 0 || strcmp(line, "END") == 0;
        if (block && ends) {
            GtiSpan found = { block, (size_t)(line - block) - 1 };
            for (char* at = block; at < line - 1; ++at) { // strtok_r() has put ends where lines end
                *at = *at ? *at : '\n';
            }
            bool is_file = is_json || strstr(gt_arena_push_text(&fixture.arena, block, found.size), "\"gertie_");
            if (is_file) {
                expect_file(path, found);
            }
            block = NULL;
        } else if (!block && line[0] == '{') {
            block = line;
        }
        is_json = strncmp(line, "```", 3) == 0 ? strcmp(line, "```json") == 0 : is_json;
    }
}

static int check_documentation(const char* path, const struct stat* status, int kind, struct FTW* place)
{
    (void)status;
    (void)place;
    if (kind == FTW_F && (ends_with(path, ".md") || ends_with(path, ".sh"))) {
        check_blocks(path);
    }
    return 0;
}

static void test_documentation_shows_files_as_they_are(void** state)
{
    Fixture* f = *state;
    f->count = 0;
    assert_int_equal(nftw("docs", check_documentation, 8, FTW_PHYS), 0);
    check_blocks("README.md");
    assert_true(f->count >= 12);
}

static int check_example(const char* path, const struct stat* status, int kind, struct FTW* place)
{
    (void)status;
    (void)place;
    if (kind == FTW_F && ends_with(path, ".json")) {
        expect_file(path, read_text(path));
    }
    return 0;
}

static void test_examples_keep_to_their_schemas(void** state)
{
    Fixture* f = *state;
    f->count = 0;
    assert_int_equal(nftw("examples", check_example, 8, FTW_PHYS), 0);
    assert_true(f->count >= 3);
}

static void test_wrong_files_are_refused_by_their_paths(void** state)
{
    Fixture* f = *state;
    static const struct {
        const char* name;
        const char* text;
        const char* message;
    } cases[] = {
        { "contacts", "{\"contacts\": {\"leftToe\": [[1, 2], [3]]}}",
          "contacts.leftToe[1]: must be two times in seconds" },
        { "deform", "{\"gertie_deform\": 1, \"sections\": [{\"name\": \"a\", \"joint\": 7}]}",
          "sections[0].joint: must be a text" },
        { "joints", "{\"joints_m\": {\"hips\": [0, 1]}}", "joints_m.hips: must be three numbers of metres" },
        { "keys", "{\"gertie_keys\": 1, \"blend\": {\"keys\": [{\"time_s\": 0, \"share\": 0}, {\"time_s\": 1}]}}",
          "blend.keys[1]: lacks \"share\", a number from 0 to 1" },
        { "map", "{\"joints\": {\"hips\": {\"joint\": \"Hips\", \"rotation\": [0, 0, 0]}}}",
          "joints.hips.rotation: has no meaning here; did you mean 'rotation_deg'" },
        { "markers", "{\"markers\": [{\"joint\": \"hips\", \"triangle\": [0, 0, 0.5]}]}",
          "markers[0].triangle[2]: must be a whole number" },
        { "pairs", "{\"gertie_pairs\": 1, \"pairs\": [{\"template_triangle\": [0, 0, 1], \"target_point_m\": [1, 2]}]}",
          "pairs[0].target_point_m: must be x, y and z in metres" },
    };
    size_t count = sizeof cases / sizeof cases[0];
    TestFolder folder;
    test_folder_create(&folder);
    for (size_t i = 0; i < count; ++i) {
        GtError error;
        const GtiJson* root = NULL;
        test_folder_put(&folder, "wrong.json", cases[i].text, strlen(cases[i].text));
        assert_string_equal(cases[i].name, gti_schemas[i].name); // there is one of each
        GT_EXPECT_ERROR(gti_schema_load(&f->context, &f->arena, cases[i].name, test_folder_path(&folder, "wrong.json"),
                                        &root, &error),
                        GT_ERROR_BAD_VALUE, cases[i].message);
        assert_true(ends_with(error.file, "wrong.json"));
    }
    assert_null(gti_schemas[count].name);
    test_folder_remove(&folder);
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    static const char text[] = "{\"joints\": {\"hips\": [0, 1, 2]}}";
    TestFolder folder;
    test_folder_create(&folder);
    test_folder_put(&folder, "joints.json", text, strlen(text));
    TestAllocator memory = { 0 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtError error;
        const GtiJson* root = NULL;
        memory.remaining = allowed;
        GtArena arena = gt_arena_create(context.allocator);
        result = gti_schema_load(&context, &arena, "joints", test_folder_path(&folder, "joints.json"), &root, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(gti_json_find(root, "joints_m") != NULL, result == GT_OK);
        gt_arena_destroy(&arena);
        assert_int_equal(memory.alive, 0);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_schema_is_understood),
        cmocka_unit_test(test_documentation_shows_files_as_they_are),
        cmocka_unit_test(test_examples_keep_to_their_schemas),
        cmocka_unit_test(test_wrong_files_are_refused_by_their_paths),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
