// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// gertie pack: what it says, what it refuses, and that what it writes opens and plays as its source does.

#include "support/command.h"

#include "gertie/build.h"
#include "gertie/file.h"
#include "gertie/instance.h"
#include "gertie/pack.h"
#include "gertie/sculpt.h"

#include <stdlib.h>

static int enter(void** state)
{
    int result = command_enter(state);
    return result == 0 ? command("$G sample person -q --triangles 2000 -o person.glb && $G sample walk -q -o walk.bvh "
                                 "&& $G animate -q person.glb walk.bvh -o walking.glb && "
                                 "$G pack -q walking.glb walking.gtp")
                             .status
                       : result;
}

static uint8_t* read_bytes(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    void* bytes = NULL;
    assert_int_equal(posix_memalign(&bytes, 64, *size), 0);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static GtVec3* bend(const GtCharacter* character, const GtClip* clip, double time_s)
{
    GtError error;
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &instance, &error));
    GtVec3* out = calloc((size_t)gt_character_def(character)->meshes[0].vertex_count, sizeof *out);
    assert_non_null(out);
    gt_clip_sample(clip, time_s, instance->pose, instance->weights);
    gt_instance_update(instance);
    gt_instance_deform(instance, 0, out, NULL, NULL);
    gt_instance_destroy(instance);
    return out;
}

static void what_is_written_plays_as_its_source(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtLoadDef load = gt_default_load_def();
    GtBuildDef build = gt_default_build_def();
    GtScene* scene = NULL;
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    GtPack* pack = NULL;
    size_t size = 0;
    uint8_t* bytes = read_bytes("walking.gtp", &size);
    GT_EXPECT_OK(gt_scene_load(&context, "walking.glb", &load, &scene, &error));
    GT_EXPECT_OK(gt_character_build(&context, scene, &build, &character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&context, scene, 0, character, &clip, &error));
    GT_EXPECT_OK(gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error));
    const GtClip* packed = gt_pack_clip(pack, 0);
    int32_t count = gt_character_def(character)->meshes[0].vertex_count;
    for (int32_t i = 0; i < 4; ++i) {
        double time_s = 0.3 + 0.77 * i;
        GtVec3* exact = bend(character, packed, time_s);
        GtVec3* seen = bend(gt_pack_character(pack), packed, time_s);
        GtVec3* source = bend(character, clip, time_s);
        assert_memory_equal(exact, seen, (size_t)count * sizeof *seen);
        float worst_m = 0.0f;
        for (int32_t k = 0; k < count; ++k) {
            worst_m = fmaxf(worst_m, gt_vec3_length(gt_vec3_sub(source[k], seen[k])));
        }
        GT_EXPECT_NEAR(worst_m, 0.0, 0.003); // 1 mm at 10 cm from a joint; skin may be farther from it
        free(exact);
        free(seen);
        free(source);
    }
    gt_pack_close(pack);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    free(bytes);
}

// The farthest that a vertex of a sculpted clip, played frame by frame out of its pack, is from where the whole clip,
// played from its scene, has it.
static double live_off(const char* scene_path, const char* pack_path)
{
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtLoadDef load = gt_default_load_def();
    GtBuildDef build = gt_default_build_def();
    GtScene* scene = NULL;
    GtSculpt* sculpt = NULL;
    GtSculptPlayer* player = NULL;
    GtCharacter* character = NULL;
    GtPack* pack = NULL;
    size_t size = 0;
    uint8_t* bytes = read_bytes(pack_path, &size);
    GT_EXPECT_OK(gt_scene_load(&context, scene_path, &load, &scene, &error));
    GT_EXPECT_OK(gt_sculpt_build_kept(&context, scene, &build, &sculpt, &character, &error));
    GT_EXPECT_OK(gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error));
    const GtClip* clip = gt_pack_clip(pack, 0);
    GtSculptPlayerDef playing = gt_default_sculpt_player_def();
    playing.scene = scene;
    playing.sculpt = sculpt;
    playing.character = character;
    playing.clip = clip; // of the pack: its keys are not quite those of the scene
    playing.animation = 0;
    playing.start_s = 0.0;
    GT_EXPECT_OK(gt_sculpt_player_create(&context, &playing, &player, &error));
    GtInstance* tabled = NULL;
    GtInstance* live = NULL;
    GtDriversState* state = NULL;
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &tabled, &error));
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), gt_pack_character(pack), &live, &error));
    GT_EXPECT_OK(gt_drivers_state_create(gt_default_allocator(), gt_pack_drivers(pack), &state, &error));
    int32_t count = gt_character_def(character)->meshes[0].vertex_count;
    GtVec3* wanted = calloc((size_t)count, sizeof *wanted);
    GtVec3* seen = calloc((size_t)count, sizeof *seen);
    assert_true(wanted && seen);
    GtDriversFrame frame = gt_default_drivers_frame();
    frame.step_s = 1.0 / 60.0;
    double most = 0.0;
    double moved = 0.0;
    for (int32_t i = 0; i < 120; ++i) {
        frame.time_s = i / 60.0;
        gt_sculpt_play(player, frame.time_s, tabled);
        gt_instance_reset(live);
        gt_clip_sample(clip, frame.time_s, live->pose, live->weights);
        gt_drivers_step(&frame, state, live);
        if (i % 7 == 0) {
            gt_instance_deform(tabled, 0, wanted, NULL, NULL);
            gt_instance_deform(live, 0, seen, NULL, NULL);
            GtDeformJob still = { .character = live->character, .model_from_node = live->model_from_node };
            still.out_positions = seen;
            still.scratch = live->scratch;
            for (int32_t k = 0; k < count; ++k) {
                most = fmax(most, (double)gt_vec3_length(gt_vec3_sub(wanted[k], seen[k])));
            }
            gt_deform(&still);
            for (int32_t k = 0; k < count; ++k) {
                moved = fmax(moved, (double)gt_vec3_length(gt_vec3_sub(wanted[k], seen[k])));
            }
        }
    }
    assert_true(moved > 0.005); // by the lattices
    free(wanted);
    free(seen);
    gt_drivers_state_destroy(state);
    gt_instance_destroy(live);
    gt_instance_destroy(tabled);
    gt_pack_close(pack);
    gt_sculpt_player_destroy(player);
    gt_character_destroy(character);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
    free(bytes);
    return most;
}

static void what_is_sculpted_plays_live(void** state)
{
    (void)state;
    CommandRun run = command("$G deform -q walking.glb --preset muscles -o muscles.glb && "
                             "$G pack muscles.glb muscles.gtp");
    expect_status(&run, 0);
    expect_text(run.err, " sections\n");
    expect_text(run.err, " drivers, 22 controls, 0 sensors, 0 springs: ");
    assert_null(strstr(run.err, "warning"));
    GT_EXPECT_NEAR(live_off("muscles.glb", "muscles.gtp"), 0.0, 1e-6);
    run = command("$G deform -q walking.glb --preset jiggle,squash -o flesh.glb && $G pack --json flesh.glb flesh.gtp");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_number(report, "sections") >= 1.0);
    assert_true(report_number(report, "drivers") >= 1.0);
    assert_true(report_number(report, "springs") >= 1.0);
    expect_text(run.out, "\"contact:leftFoot\"");
    expect_text(run.out, "{\"name\": \"control:");
    GT_EXPECT_NEAR(live_off("flesh.glb", "flesh.gtp"), 0.0, 0.03); // feet stretch a tenth of a second later
    run = command("$G deform -q walking.glb --preset jiggle -o flesh.glb && $G pack -q flesh.glb flesh.gtp");
    expect_status(&run, 0);
    GT_EXPECT_NEAR(live_off("flesh.glb", "flesh.gtp"), 0.0, 1e-5);
}

// The farthest and the mean distance between vertices of two packs, a while into their clips.
static double packs_off(const char* path, const char* other, double* mean)
{
    GtError error;
    const char* paths[2] = { path, other };
    GtPack* packs[2] = { NULL, NULL };
    uint8_t* bytes[2];
    GtVec3* vertices[2];
    double most = 0.0;
    for (int i = 0; i < 2; ++i) {
        size_t size = 0;
        bytes[i] = read_bytes(paths[i], &size);
        GT_EXPECT_OK(gt_pack_open(gt_default_allocator(), bytes[i], size, &packs[i], &error));
        vertices[i] = bend(gt_pack_character(packs[i]), gt_pack_clip(packs[i], 0), 0.9);
    }
    int32_t count = gt_character_def(gt_pack_character(packs[0]))->meshes[0].vertex_count;
    *mean = 0.0;
    for (int32_t k = 0; k < count; ++k) {
        double off = (double)gt_vec3_length(gt_vec3_sub(vertices[0][k], vertices[1][k]));
        most = off > most ? off : most;
        *mean += off / count;
    }
    for (int i = 0; i < 2; ++i) {
        gt_pack_close(packs[i]);
        free(bytes[i]);
        free(vertices[i]);
    }
    return most;
}

static void harmonic_skins_are_taken_along(void** state)
{
    (void)state;
    double mean = 0.0;
    CommandRun run = command("$G pack --json walking.glb harmonic.gtp --method harmonic");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_string_equal(report_text(report, "method"), "harmonic");
    assert_true(report_number(report, "harmonic_points") > 900.0);
    assert_true(packs_off("harmonic.gtp", "walking.gtp", &mean) > 0.005); // another skin, and the same walk
    GT_EXPECT_NEAR(mean, 0.0, 0.03);

    run = command("$G animate -q person.glb walk.bvh --method harmonic -o baked.glb && $G pack baked.glb kept.gtp && "
                  "$G pack --json baked.glb baked.gtp --method skin");
    expect_status(&run, 0);
    expect_text(run.err, "a harmonic skin of ");
    report = command_report(&run);
    assert_string_equal(report_text(report, "method"), "skin");
    GT_EXPECT_NEAR(report_number(report, "harmonic_points"), 0.0, 0.0);
    packs_off("kept.gtp", "baked.gtp", &mean); // the baked skin was fitted to the harmonic one
    GT_EXPECT_NEAR(mean, 0.0, 0.01);
}

static void sizes_are_said(void** state)
{
    (void)state;
    CommandRun run = command("$G pack walking.glb again.gtp && cmp walking.gtp again.gtp");
    expect_status(&run, 0);
    expect_text(run.err, " bytes for each instance\n");
    expect_text(run.err, "1 clip in ");
    run = command("$G pack --json walking.glb fine.gtp --tolerance 0.1");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    assert_true(report_number(report, "materials") >= 1.0);
    assert_true(report_number(report, "clips.0.max_error_m") <= 0.1e-3);
    assert_true(report_number(report, "clips.0.bytes") < 0.5 * report_number(report, "clips.0.unpacked_bytes"));
    size_t size = 0;
    free(read_bytes("fine.gtp", &size));
    GT_EXPECT_NEAR(report_number(report, "file_bytes"), (double)size, 0);
    assert_true(report_number(report, "instance_bytes") >= 96.0 * report_number(report, "nodes"));
}

static void clips_that_cannot_be_packed_keep_their_keys(void** state)
{
    (void)state;
    CommandRun run = command("$G pack walking.glb keys.gtp --tolerance 0.001");
    expect_status(&run, 0);
    expect_text(run.err, "warning: walking.glb: clip 'walk' keeps its keys: ");
    expect_text(run.err, "1 clip with all keys");
    GtError error;
    GtPack* keys = NULL;
    GtPack* packed = NULL;
    size_t size = 0;
    uint8_t* bytes = read_bytes("keys.gtp", &size);
    GT_EXPECT_OK(gt_pack_open(gt_default_allocator(), bytes, size, &keys, &error));
    uint8_t* packed_bytes = read_bytes("walking.gtp", &size);
    GT_EXPECT_OK(gt_pack_open(gt_default_allocator(), packed_bytes, size, &packed, &error));
    const GtCharacter* character = gt_pack_character(keys);
    int32_t head = gt_character_def(character)->humanoid->nodes[GT_HUMANOID_HEAD];
    assert_int_equal(head, gt_character_find_node(character, "head"));
    GtVec3* a = bend(character, gt_pack_clip(keys, 0), 0.4);
    GtVec3* b = bend(gt_pack_character(packed), gt_pack_clip(packed, 0), 0.4);
    for (int32_t i = 0; i < gt_character_def(character)->meshes[0].vertex_count; ++i) {
        assert_true(gt_vec3_length(gt_vec3_sub(a[i], b[i])) <= 2e-3f);
    }
    free(a);
    free(b);
    gt_pack_close(keys);
    gt_pack_close(packed);
    free(bytes);
    free(packed_bytes);
}

static void packs_are_read_by_other_verbs(void** state)
{
    (void)state;
    CommandRun run = command("$G deform -q walking.glb --preset muscles,jiggle -o read.glb && "
                             "$G pack --json read.glb read.gtp");
    expect_status(&run, 0);
    const GtiJson* report = command_report(&run);
    double sizes[] = { report_number(report, "instance_bytes"), report_number(report, "driver_bytes"),
                       report_number(report, "clips.0.bytes"), report_number(report, "drivers"),
                       report_number(report, "springs") };
    run = command("$G info --json read.gtp");
    expect_status(&run, 0);
    report = command_report(&run);
    GT_EXPECT_NEAR(report_number(report, "files.0.pack.instance_bytes"), sizes[0], 0.0);
    GT_EXPECT_NEAR(report_number(report, "files.0.pack.driver_bytes"), sizes[1], 0.0);
    GT_EXPECT_NEAR(report_number(report, "files.0.pack.clips.0.bytes"), sizes[2], 0.0);
    GT_EXPECT_NEAR(report_number(report, "files.0.deform.tracks"), sizes[3], 0.0);
    GT_EXPECT_NEAR(report_number(report, "files.0.deform.jiggles"), sizes[4], 0.0);
    run = command("$G convert read.gtp back.glb");
    expect_status(&run, 0);
    expect_text(run.err, "glb has no place for what only the runtime plays: ");
    run =
        command("$G measure read.gtp && $G convert walking.gtp back.bvh && $G plot read.gtp -c head.speed -o head.svg");
    expect_status(&run, 0);
    run = command("head -c 5000 read.gtp >cut.gtp; $G info cut.gtp");
    expect_status(&run, 1);
    expect_text(run.err, "error: cut.gtp: packed character is damaged or cut short: pack it again");
    run = command("$G convert walking.glb other.gtp");
    expect_status(&run, 2);
    expect_text(run.err, "'gertie pack' makes packed characters");
}

static void wrong_names_are_refused(void** state)
{
    (void)state;
    CommandRun run = command("$G pack walking.glb walking.pack");
    expect_status(&run, 2);
    expect_text(run.err, "'walking.pack': packed characters end in .gtp");
    run = command("$G pack walking.glb there/is/no/such.gtp");
    expect_status(&run, 1);
    run = command("$G pack walking.glb out.gtp --clip wlak");
    expect_status(&run, 1);
    expect_text(run.err, "there is no clip 'wlak'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_plays_as_its_source),
        cmocka_unit_test(what_is_sculpted_plays_live),
        cmocka_unit_test(harmonic_skins_are_taken_along),
        cmocka_unit_test(sizes_are_said),
        cmocka_unit_test(clips_that_cannot_be_packed_keep_their_keys),
        cmocka_unit_test(packs_are_read_by_other_verbs),
        cmocka_unit_test(wrong_names_are_refused),
    };
    return cmocka_run_group_tests(tests, enter, command_leave);
}
