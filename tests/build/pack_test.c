// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Packs that are whole: what comes back from them, and what is not written.

#include "build/pack_subject.h"

#include <stdlib.h>

static void test_what_is_opened_plays_the_same_bits(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtPack* pack = NULL;
    GT_EXPECT_OK(
        gt_pack_open(gt_default_allocator(), gt_blob_bytes(subject->blob), gt_blob_size(subject->blob), &pack, &error));
    const GtCharacter* character = gt_pack_character(pack);
    assert_int_equal(gt_pack_clip_count(pack), CLIPS);
    assert_ptr_equal(gt_pack_find_clip(pack, "wave"), gt_pack_clip(pack, 0));
    assert_null(gt_pack_find_clip(pack, "wav"));
    assert_int_equal(gt_instance_size(character), gt_instance_size(subject->character));
    assert_int_equal(gt_morph_looks(character, 0), GT_LOOKS_TEXCOORDS | GT_LOOKS_TEXCOORDS1 | GT_LOOKS_COLORS);
    assert_int_equal(gt_morph_looks(character, 2), 0);
    for (int32_t i = 0; i <= 50; ++i) {
        static Vertices wanted;
        static Vertices seen;
        double time_s = 0.03 * i;
        memset(&seen, 0xCD, sizeof seen);
        play(subject->character, i % 2 ? subject->keys : subject->clip, time_s, &wanted);
        play(character, gt_pack_clip(pack, i % CLIPS), time_s, &seen);
        assert_memory_equal(&wanted, &seen, sizeof wanted);
    }
    gt_pack_close(pack);
}

static void same_text(const char* a, const char* b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a && b) {
        assert_string_equal(a, b);
    }
}

static void test_what_is_opened_has_the_same_def_and_copies_no_array(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtPack* pack = NULL;
    const uint8_t* bytes = gt_blob_bytes(subject->blob);
    size_t size = gt_blob_size(subject->blob);
    GT_EXPECT_OK(gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error));
    const GtCharacterDef* a = gt_character_def(subject->character);
    const GtCharacterDef* b = gt_character_def(gt_pack_character(pack));
    assert_int_equal(a->node_count, b->node_count);
    assert_memory_equal(a->rest, b->rest, NODES * sizeof *a->rest);
    assert_memory_equal(a->rest_weights, b->rest_weights, WEIGHTS * sizeof(float));
    assert_memory_equal(a->humanoid, b->humanoid, sizeof *a->humanoid);
    assert_int_equal(b->humanoid->nodes[GT_HUMANOID_LEFT_HAND], 3);
    for (int32_t i = 0; i < NODES; ++i) {
        assert_int_equal(a->parents[i], b->parents[i]);
        assert_int_equal(a->source_nodes[i], b->source_nodes[i]);
        same_text(a->names[i], b->names[i]);
    }
    assert_int_equal(gt_character_find_node(gt_pack_character(pack), "hand"), 3);
    assert_int_equal(gt_character_node_from_source(gt_pack_character(pack), 7), 4);
    for (int32_t i = 0; i < MESHES; ++i) {
        const GtMeshDef* x = &a->meshes[i];
        const GtMeshDef* y = &b->meshes[i];
        same_text(x->name, y->name);
        assert_int_equal(x->node, y->node);
        assert_int_equal(x->source_mesh, y->source_mesh);
        assert_int_equal(x->material, y->material);
        assert_int_equal(x->index_count, y->index_count);
        assert_memory_equal(x->indices, y->indices, VERTICES * sizeof *x->indices);
        assert_int_equal(x->texcoords != NULL, y->texcoords != NULL);
        if (x->texcoords) {
            assert_memory_equal(x->texcoords, y->texcoords, VERTICES * 2 * sizeof(float));
        }
        assert_int_equal(x->colors != NULL, y->colors != NULL);
        if (x->colors) {
            assert_memory_equal(x->texcoords1, y->texcoords1, VERTICES * 2 * sizeof(float));
            assert_memory_equal(x->colors, y->colors, VERTICES * 4 * sizeof(float));
        }
        assert_int_equal(x->deformer_count, y->deformer_count);
        for (int32_t k = 0; k < x->morph_count; ++k) {
            const GtMorphDef* morph = &x->morphs[k];
            same_text(morph->name, y->morphs[k].name);
            assert_int_equal(morph->colors != NULL, y->morphs[k].colors != NULL);
            if (morph->colors) {
                assert_memory_equal(morph->texcoords, y->morphs[k].texcoords, ENTRIES * 2 * sizeof(float));
                assert_memory_equal(morph->texcoords1, y->morphs[k].texcoords1, ENTRIES * 2 * sizeof(float));
                assert_memory_equal(morph->colors, y->morphs[k].colors, ENTRIES * 4 * sizeof(float));
            }
        }
        const uint8_t* positions = (const uint8_t*)y->positions;
        assert_true(positions >= bytes && positions < bytes + size);
        assert_int_equal((positions - bytes) % 64, 0);
    }
    assert_ptr_equal(b->meshes[0].positions, b->meshes[2].positions);
    assert_int_equal(b->section_count, SECTIONS);
    assert_int_equal(b->meshes[0].section_bind_count, 2);
    for (int32_t i = 0; i < SECTIONS; ++i) {
        same_text(a->sections[i].name, b->sections[i].name);
        assert_int_equal(a->sections[i].node, b->sections[i].node);
        assert_int_equal(a->sections[i].pose_count, b->sections[i].pose_count);
        assert_memory_equal(&a->sections[i].lattice.space_from_box, &b->sections[i].lattice.space_from_box,
                            sizeof(GtMat34));
    }
    same_text(b->sections[0].poses[0].name, "flex");
    assert_int_equal(gt_section_find(gt_pack_character(pack), "free"), 2);
    gt_pack_close(pack);
}

static void test_bytes_are_the_same_every_time_also_from_a_pack(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtPack* pack = NULL;
    GtBlob* again = NULL;
    GT_EXPECT_OK(
        gt_pack_open(gt_default_allocator(), gt_blob_bytes(subject->blob), gt_blob_size(subject->blob), &pack, &error));
    const GtClip* clips[CLIPS] = { NULL };
    for (int32_t i = 0; i < CLIPS; ++i) {
        clips[i] = gt_pack_clip(pack, i);
    }
    GT_EXPECT_OK(write_pack(gt_default_allocator(), gt_pack_character(pack), clips, CLIPS, &again, &error));
    assert_int_equal(gt_blob_size(again), gt_blob_size(subject->blob));
    assert_memory_equal(gt_blob_bytes(again), gt_blob_bytes(subject->blob), gt_blob_size(again));
    gt_blob_release(again);
    gt_pack_close(pack);
}

static void test_what_drives_comes_back(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtPack* pack = NULL;
    GtDrivers* own = make_drivers(subject->character);
    GT_EXPECT_OK(
        gt_pack_open(gt_default_allocator(), gt_blob_bytes(subject->blob), gt_blob_size(subject->blob), &pack, &error));
    const GtDrivers* drivers = gt_pack_drivers(pack);
    assert_int_equal(gt_drivers_find(drivers, "control:smile"), 0);
    assert_int_equal(gt_drivers_find(drivers, "contact:hand"), 3);
    assert_int_equal(gt_drivers_state_size(drivers), gt_drivers_state_size(own));
    size_t count = drive(own, subject->clip, NULL);
    float* wanted = calloc(count, sizeof *wanted);
    float* seen = malloc(count * sizeof *seen);
    assert_true(wanted && seen);
    drive(own, subject->clip, wanted);
    assert_int_equal(drive(drivers, gt_pack_clip(pack, 0), seen), count);
    assert_memory_equal(wanted, seen, count * sizeof *seen);
    GtDriversDef def = *gt_drivers_def(drivers);
    GT_EXPECT_NEAR(def.values[0].max, 0.75, 0.0);
    assert_true(isinf(def.values[1].max));
    GT_EXPECT_NEAR(gt_curve_number(def.tracks[0].curve, 0.5), 1.0, 1e-6);
    assert_string_equal(def.tracks[2].input, "arm.angle");
    free(wanted);
    free(seen);
    GtPackDef again = gt_default_pack_def();
    GtBlob* blobs[2] = { NULL };
    again.character = gt_pack_character(pack);
    again.drivers = drivers;
    GT_EXPECT_OK(gt_pack_write(gt_default_allocator(), &again, &blobs[0], &error));
    again.character = subject->character;
    again.drivers = own;
    GT_EXPECT_OK(gt_pack_write(gt_default_allocator(), &again, &blobs[1], &error));
    assert_int_equal(gt_blob_size(blobs[0]), gt_blob_size(blobs[1]));
    assert_memory_equal(gt_blob_bytes(blobs[0]), gt_blob_bytes(blobs[1]), gt_blob_size(blobs[0]));
    gt_blob_release(blobs[0]);
    gt_blob_release(blobs[1]);
    gt_drivers_destroy(own);
    gt_pack_close(pack);
}

static void own_law(void* user, double time_s, const GtState* live, float* out)
{
    (void)user;
    (void)live;
    out[0] = (float)time_s;
}

static void test_drivers_that_cannot_be_packed_are_refused(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtBlob* blob = NULL;
    GtPackDef pack = gt_default_pack_def();
    GtCharacter* other = make_character();
    GtDrivers* drivers = make_drivers(other);
    pack.character = subject->character;
    pack.drivers = drivers;
    GT_EXPECT_ERROR(gt_pack_write(gt_default_allocator(), &pack, &blob, &error), GT_ERROR_BAD_VALUE,
                    "those of another character");
    gt_drivers_destroy(drivers);
    gt_character_destroy(other);
    const GtTrackBinding track = { .channel = "hat.turn.x", .function = own_law };
    GtDriversDef def = gt_default_drivers_def();
    def.character = subject->character;
    def.tracks = &track;
    def.track_count = 1;
    GT_EXPECT_OK(gt_drivers_create(gt_default_allocator(), &def, &drivers, &error));
    pack.drivers = drivers;
    GT_EXPECT_ERROR(gt_pack_write(gt_default_allocator(), &pack, &blob, &error), GT_ERROR_BAD_VALUE,
                    "track 0 'hat.turn.x' is driven by a function");
    gt_drivers_destroy(drivers);
}

static void same_texture(const GtPackTexture* a, const GtPackTexture* b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static void test_materials_and_pictures_come_back(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtPack* pack = NULL;
    GT_EXPECT_OK(
        gt_pack_open(gt_default_allocator(), gt_blob_bytes(subject->blob), gt_blob_size(subject->blob), &pack, &error));
    GtPackMaterial wanted[MATERIALS];
    make_materials(wanted);
    assert_int_equal(gt_pack_material_count(pack), MATERIALS);
    for (int32_t i = 0; i < MATERIALS; ++i) {
        const GtPackMaterial* m = gt_pack_material(pack, i);
        same_text(wanted[i].name, m->name);
        assert_memory_equal(wanted[i].base_color, m->base_color, sizeof m->base_color);
        GT_EXPECT_NEAR(m->metallic, 0.5, 0);
        GT_EXPECT_NEAR(m->roughness, 0.6f, 0);
        assert_memory_equal(wanted[i].emissive, m->emissive, sizeof m->emissive);
        GT_EXPECT_NEAR(m->alpha_cutoff, 0.25, 0);
        assert_int_equal(wanted[i].alpha, m->alpha);
        assert_int_equal(wanted[i].double_sided, m->double_sided);
        same_texture(&wanted[i].base_color_texture, &m->base_color_texture);
        same_texture(&wanted[i].metallic_roughness_texture, &m->metallic_roughness_texture);
        same_texture(&wanted[i].normal_texture, &m->normal_texture);
        same_texture(&wanted[i].occlusion_texture, &m->occlusion_texture);
        same_texture(&wanted[i].emissive_texture, &m->emissive_texture);
    }
    assert_int_equal(gt_pack_image_count(pack), 2);
    const GtPackImage* image = gt_pack_image(pack, 0);
    assert_string_equal(image->name, "skin");
    assert_string_equal(image->mime_type, "image/png");
    assert_int_equal(image->size, sizeof picture);
    assert_memory_equal(image->bytes, picture, sizeof picture);
    assert_null(gt_pack_image(pack, 1)->bytes);
    assert_int_equal(gt_pack_image(pack, 1)->size, 0);
    gt_pack_close(pack);
}

static void test_materials_that_do_not_fit_are_refused(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtBlob* blob = NULL;
    GtPackMaterial materials[MATERIALS];
    make_materials(materials);
    GtPackDef def = gt_default_pack_def();
    def.character = subject->character;
    def.materials = materials;
    def.material_count = MATERIALS;
    def.images = images;
    def.image_count = 1; // normal maps have the second
    GT_EXPECT_ERROR(gt_pack_write(gt_default_allocator(), &def, &blob, &error), GT_ERROR_BAD_VALUE,
                    "material 0 has an image that does not exist");
    def.image_count = 2;
    materials[2].emissive[1] = NAN;
    GT_EXPECT_ERROR(gt_pack_write(gt_default_allocator(), &def, &blob, &error), GT_ERROR_BAD_VALUE, "material 2 has");
    def.material_count = 1;
    GT_EXPECT_ERROR(gt_pack_write(gt_default_allocator(), &def, &blob, &error), GT_ERROR_BAD_VALUE,
                    "has material 2 of 1");
    assert_null(blob);
}

static void test_a_character_of_nothing_is_packed(void** state)
{
    (void)state;
    GtError error;
    GtCharacterDef def = gt_default_character_def();
    GtCharacter* nobody = NULL;
    GtBlob* blob = NULL;
    GtPack* pack = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &nobody, &error));
    GT_EXPECT_OK(write_pack(gt_default_allocator(), nobody, NULL, 0, &blob, &error));
    GT_EXPECT_OK(gt_pack_open(gt_default_allocator(), gt_blob_bytes(blob), gt_blob_size(blob), &pack, &error));
    assert_int_equal(gt_character_def(gt_pack_character(pack))->node_count, 0);
    assert_int_equal(gt_pack_clip_count(pack), 0);
    gt_pack_close(pack);
    gt_blob_release(blob);
    gt_character_destroy(nobody);
}

static void test_clips_of_others_are_refused(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtCharacterDef nothing = gt_default_character_def();
    GtCharacter* nobody = NULL;
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &nothing, &nobody, &error));
    const GtClip* clips[] = { subject->clip, subject->keys };
    for (int i = 0; i < 2; ++i) {
        GT_EXPECT_ERROR(write_pack(gt_default_allocator(), nobody, &clips[i], 1, &blob, &error), GT_ERROR_BAD_VALUE,
                        "clip 0 'wave' is for another character");
        assert_null(blob);
    }
    gt_character_destroy(nobody);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_opened_plays_the_same_bits),
        cmocka_unit_test(test_what_is_opened_has_the_same_def_and_copies_no_array),
        cmocka_unit_test(test_bytes_are_the_same_every_time_also_from_a_pack),
        cmocka_unit_test(test_what_drives_comes_back),
        cmocka_unit_test(test_drivers_that_cannot_be_packed_are_refused),
        cmocka_unit_test(test_materials_and_pictures_come_back),
        cmocka_unit_test(test_materials_that_do_not_fit_are_refused),
        cmocka_unit_test(test_a_character_of_nothing_is_packed),
        cmocka_unit_test(test_clips_of_others_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
