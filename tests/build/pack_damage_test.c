// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Packs that are damaged, by chance or with care, and memory that runs out: nothing is opened that cannot be played.

#include "build/pack_subject.h"

#include "base/hash.h"
#include "runtime/clip/packed_clip.h"
#include "runtime/pack/harmonic.h"

#include <stdlib.h>

// A copy that ends where its memory ends, so that reading past it is found out.
static uint8_t* copy_of(const Subject* subject, size_t size)
{
    void* copy = NULL;
    assert_int_equal(posix_memalign(&copy, 64, size ? size : 1), 0);
    memcpy(copy, gt_blob_bytes(subject->blob), size);
    return copy;
}

static void refused(const uint8_t* bytes, size_t size)
{
    GtPack* pack = NULL;
    if (gt_pack_open(gt_default_allocator(), bytes, size, &pack, NULL) == GT_OK) {
        fail_msg("damaged bytes were opened");
    }
    assert_null(pack);
}

static void test_every_cut_is_refused(void** state)
{
    const Subject* subject = *state;
    for (size_t size = 0; size < gt_blob_size(subject->blob); ++size) {
        uint8_t* cut = copy_of(subject, size);
        refused(cut, size);
        free(cut);
    }
}

static void test_every_flipped_bit_is_refused(void** state)
{
    const Subject* subject = *state;
    TestRandom random = { 11 };
    size_t size = gt_blob_size(subject->blob);
    uint8_t* bytes = copy_of(subject, size);
    for (size_t i = 0; i < 300 + 8 * sizeof(GtiPackHead); ++i) {
        size_t bit = i < 300 ? (uint32_t)test_random_bits(&random) % (8 * size) : i - 300;
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refused(bytes, size);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(bytes);
}

static void test_what_is_wrong_is_said(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtPack* pack = NULL;
    size_t size = gt_blob_size(subject->blob);
    uint8_t* bytes = copy_of(subject, size);
    GtAllocator allocator = gt_default_allocator();
    GtiPackHead* head = (GtiPackHead*)bytes;
    GT_EXPECT_ERROR(gt_pack_open(allocator, bytes + 4, size - 4, &pack, &error), GT_ERROR_BAD_VALUE, "aligned to 16");
    GT_EXPECT_ERROR(gt_pack_open(allocator, bytes, size - 1, &pack, &error), GT_ERROR_BAD_FILE, "cut short");
    head->byte_order = 0x04030201;
    GT_EXPECT_ERROR(gt_pack_open(allocator, bytes, size, &pack, &error), GT_ERROR_UNSUPPORTED, "little-endian");
    head->byte_order = GTI_PACK_BYTE_ORDER;
    head->version = 9;
    GT_EXPECT_ERROR(gt_pack_open(allocator, bytes, size, &pack, &error), GT_ERROR_UNSUPPORTED, "version 9");
    head->magic[0] = 'g';
    GT_EXPECT_ERROR(gt_pack_open(allocator, bytes, size, &pack, &error), GT_ERROR_BAD_FILE, "not a packed character");
    free(bytes);
}

// As one would who means harm: with checksums that are right.
static void repair(uint8_t* bytes, size_t size)
{
    GtiPackHead* head = (GtiPackHead*)bytes;
    GtiPackPlaces places = gti_pack_places(head);
    for (uint32_t i = 0; places.end <= size && i < head->array_count; ++i) {
        const GtiPackArray* array = (const GtiPackArray*)(bytes + places.arrays) + i;
        if (array->kind == GTI_PACK_CLIP && array->offset % 64 == 0 && array->offset < size &&
            array->count >= sizeof(GtiPackedHead) && array->count <= size - array->offset) {
            GtiPackedHead* clip = (GtiPackedHead*)(bytes + array->offset);
            size_t start = offsetof(GtiPackedHead, checksum) + sizeof clip->checksum;
            clip->checksum = gti_checksum((char*)clip + start, (size_t)array->count - start);
        }
    }
    size_t start = offsetof(GtiPackHead, checksum) + sizeof head->checksum;
    head->checksum = gti_checksum(bytes + start, size - start);
}

static void test_skins_cannot_share_joints_and_clips_no_bytes(void** state)
{
    const Subject* subject = *state;
    GtError error;
    GtPack* pack = NULL;
    size_t size = gt_blob_size(subject->blob);
    uint8_t* bytes = copy_of(subject, size);
    GtiPackPlaces places = gti_pack_places((const GtiPackHead*)bytes);
    GtiPackSkin* skins = (GtiPackSkin*)(bytes + places.skins);
    GtiPackClip* clips = (GtiPackClip*)(bytes + places.clips);
    int32_t own = skins[1].joints;
    assert_int_not_equal(skins[0].joints, own);
    skins[1].joints = skins[0].joints;
    repair(bytes, size);
    GT_EXPECT_ERROR(gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error), GT_ERROR_BAD_FILE,
                    "skin 1 does not fit");
    skins[1].joints = own;
    own = clips[2].bytes;
    clips[2].bytes = clips[0].bytes;
    repair(bytes, size);
    GT_EXPECT_ERROR(gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error), GT_ERROR_BAD_FILE,
                    "clip 2 does not fit");
    clips[2].bytes = own;
    GtiPackedTrack* tracks = (GtiPackedTrack*)(bytes + places.tracks);
    assert_int_equal(tracks[0].times, tracks[1].times); // of one clip they may be the same
    tracks[2].values = tracks[0].values;
    repair(bytes, size);
    GT_EXPECT_ERROR(gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error), GT_ERROR_BAD_FILE,
                    "clip 3 does not fit");
    free(bytes);
}

// Whether it could be opened; then it is played.
static bool try_bytes(const uint8_t* bytes, size_t size)
{
    static Vertices vertices;
    GtPack* pack = NULL;
    if (gt_pack_open(gt_default_allocator(), bytes, size, &pack, NULL) != GT_OK) {
        return false;
    }
    const GtCharacter* character = gt_pack_character(pack);
    if (gt_character_def(character)->mesh_count <= MESHES) {
        for (int32_t i = 0; i < gt_pack_clip_count(pack); ++i) {
            const GtClip* clip = gt_pack_clip(pack, i);
            double middle_s = 0.5 * (gt_clip_start_s(clip) + gt_clip_end_s(clip));
            play(character, clip, middle_s, &vertices);
        }
    }
    if (gt_pack_drivers(pack) && gt_pack_clip_count(pack) > 0) {
        drive(gt_pack_drivers(pack), gt_pack_clip(pack, 0), NULL);
    }
    gt_pack_close(pack);
    return true;
}

static void test_bytes_changed_with_care_are_refused_or_play(void** state)
{
    const Subject* subject = *state;
    TestRandom random = { 13 };
    size_t size = gt_blob_size(subject->blob);
    uint8_t* bytes = copy_of(subject, size);
    size_t table_words = (size_t)gti_pack_places((const GtiPackHead*)bytes).end / 4;
    int opened = 0;
    int closed = 0;
    for (size_t i = 4; i < table_words + 2000; ++i) {
        const uint32_t values[] = { 0,           1,           5,           24,
                                    0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, (uint32_t)test_random_bits(&random) };
        size_t word = i < table_words ? i : (uint32_t)test_random_bits(&random) % (size / 4);
        for (size_t k = 0; k < (i < table_words ? 8 : 1); ++k) {
            memcpy(bytes + 4 * word, i < table_words ? &values[k] : &values[7 - i % 8], 4);
            repair(bytes, size);
            if (try_bytes(bytes, size)) {
                ++opened;
            } else {
                ++closed;
            }
            memcpy(bytes, gt_blob_bytes(subject->blob), size);
        }
    }
    assert_true(opened > 100); // a number among many may be any number
    assert_true(closed > 1000);
    free(bytes);
}

// Arrays of the harmonic skin in a copy of the pack.
typedef struct HarmonicBytes {
    uint8_t* bytes;
    size_t size;
    GtiHarmonicPart parts[GTI_MOST_HARMONIC_PARTS];
    uint8_t* arrays[GTI_MOST_HARMONIC_PARTS]; // NULL where there is none
    int count;
} HarmonicBytes;

static HarmonicBytes harmonic_bytes(const Subject* subject)
{
    HarmonicBytes out = { .size = gt_blob_size(subject->blob) };
    out.bytes = copy_of(subject, out.size);
    const GtiPackHead* head = (const GtiPackHead*)out.bytes;
    GtiPackPlaces places = gti_pack_places(head);
    const GtiPackArray* arrays = (const GtiPackArray*)(out.bytes + places.arrays);
    int32_t array = ((const GtiPackHarmonic*)(out.bytes + places.harmonics))->first_array;
    static GtHarmonicSkinDef skin;
    static GtHarmonic harmonic;
    skin = *gt_character_def(subject->character)->harmonic;
    harmonic = *skin.harmonic;
    out.count = gti_harmonic_skin_parts(gt_character_def(subject->character), &skin, &harmonic, out.parts);
    for (int i = 0; i < out.count; ++i) {
        if (out.parts[i].count > 0) {
            assert_int_equal(arrays[array].kind, GTI_PACK_HARMONIC);
            assert_int_equal(arrays[array].count, out.parts[i].count * out.parts[i].element);
            out.arrays[i] = out.bytes + arrays[array++].offset;
        }
    }
    return out;
}

static void test_numbers_of_a_harmonic_skin_must_be_finite(void** state)
{
    const Subject* subject = *state;
    HarmonicBytes h = harmonic_bytes(subject);
    int tried = 0;
    for (int i = 0; i < h.count; ++i) {
        size_t step = h.parts[i].kind == GTI_PART_DOUBLES ? 8 : 4;
        size_t size = h.parts[i].count * h.parts[i].element;
        if (!h.arrays[i] || h.parts[i].kind == GTI_PART_INTEGERS) {
            continue;
        }
        for (int k = 0; k < 4; ++k, ++tried) {
            size_t at = k == 3 ? size - step : (size_t)k * (size / 3) / step * step; // the last one, too
            const float bad = k % 2 ? INFINITY : NAN;
            const double wide = (double)bad;
            GtError error;
            GtPack* pack = NULL;
            memcpy(h.arrays[i] + at, step == 8 ? (const void*)&wide : (const void*)&bad, step);
            repair(h.bytes, h.size);
            GT_EXPECT_ERROR(gt_pack_open(gt_default_allocator(), h.bytes, h.size, &pack, &error), GT_ERROR_BAD_VALUE,
                            "harmonic skin");
            memcpy(h.bytes, gt_blob_bytes(subject->blob), h.size);
        }
    }
    assert_true(tried > 50);
    free(h.bytes);
}

// Whatever indices and counts are: frames stay inside their arrays, which sanitizers watch.
static void test_a_harmonic_skin_that_does_not_fit_together_is_refused(void** state)
{
    const Subject* subject = *state;
    HarmonicBytes h = harmonic_bytes(subject);
    int opened = 0;
    int closed = 0;
    for (int i = 0; i < h.count; ++i) {
        size_t words = h.parts[i].count * h.parts[i].element / 4;
        if (!h.arrays[i] || h.parts[i].kind != GTI_PART_INTEGERS) {
            continue;
        }
        for (size_t w = 0; w < words; w += 1 + words / 100) {
            int32_t old = 0;
            memcpy(&old, h.arrays[i] + 4 * w, sizeof old);
            const int32_t values[] = { old + 1, old - 1, 0, -2, INT32_MAX, INT32_MIN };
            for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
                memcpy(h.arrays[i] + 4 * w, &values[k], sizeof old);
                repair(h.bytes, h.size);
                if (try_bytes(h.bytes, h.size)) {
                    ++opened;
                } else {
                    ++closed;
                }
            }
            memcpy(h.bytes, gt_blob_bytes(subject->blob), h.size);
        }
    }
    assert_true(opened > 1000); // another vertex is a vertex, too
    assert_true(closed > 3000);
    free(h.bytes);
}

static void test_every_allocation_may_fail(void** state)
{
    const Subject* subject = *state;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator memory = { .remaining = allowed };
        GtPack* pack = NULL;
        result = gt_pack_open(test_allocator(&memory), gt_blob_bytes(subject->blob), gt_blob_size(subject->blob), &pack,
                              NULL);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_pack_close(pack);
        assert_int_equal(memory.alive, 0);
    }
    result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator memory = { .remaining = allowed };
        GtBlob* blob = NULL;
        const GtClip* clips[2] = { subject->clip, subject->keys };
        result = write_pack(test_allocator(&memory), subject->character, clips, 2, &blob, NULL);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_blob_release(blob);
        assert_int_equal(memory.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cut_is_refused),
        cmocka_unit_test(test_every_flipped_bit_is_refused),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_skins_cannot_share_joints_and_clips_no_bytes),
        cmocka_unit_test(test_bytes_changed_with_care_are_refused_or_play),
        cmocka_unit_test(test_numbers_of_a_harmonic_skin_must_be_finite),
        cmocka_unit_test(test_a_harmonic_skin_that_does_not_fit_together_is_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
