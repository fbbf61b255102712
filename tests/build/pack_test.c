// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "gertie/clip_pack.h"
#include "gertie/instance.h"
#include "gertie/pack.h"
#include "gertie/pack_write.h"

#include "runtime/pack_format.h"
#include "runtime/packed_clip.h"
#include "support/random.h"

#include <stdlib.h>

enum {
    NODES = 5,
    VERTICES = 24,
    WEIGHTS = 4,
    MESHES = 3,
    ENTRIES = 7,
    SECTIONS = 3,
    POINTS = 2 * 3 * 4,
    KEYS = 40,
    INFLUENCES = 3,
    CLIPS = 4,
    MATERIALS = 3
};

// A character with all that a pack holds: names and nodes without, a skin, two meshes that share arrays and have
// different deformers, a rigid one, morphs with and without normals, sections at joints and one that stands free, and a
// clip that moves joints and morphs.
typedef struct Subject {
    GtCharacter* character;
    GtClip* clip; // packed
    GtClip* keys; // the same
    GtBlob* blob;
} Subject;

static void fill(float* numbers, size_t count, TestRandom* random)
{
    for (size_t i = 0; i < count; ++i) {
        numbers[i] = test_random_float(random, -1.0f, 1.0f);
    }
}

static void make_influences(uint16_t* joints, float* weights, TestRandom* random)
{
    for (size_t i = 0; i < VERTICES; ++i) {
        float first = test_random_float(random, 0.2f, 0.5f);
        float shares[INFLUENCES] = { first, 0.8f - first, 0.2f };
        for (size_t k = 0; k < INFLUENCES; ++k) {
            joints[i * INFLUENCES + k] = (uint16_t)((i + k) % (NODES - 1));
            weights[i * INFLUENCES + k] = shares[k];
        }
    }
}

// Lattices with and without weights and poses, and two meshes that hang on two of them.
static void add_sections(GtSectionDef* sections, GtLatticePose* poses, GtSectionBindDef* binds, GtMeshDef* meshes,
                         TestRandom* random)
{
    static float weights[POINTS];
    static GtVec3 offsets[2][POINTS];
    static uint32_t vertices[ENTRIES];
    static float masks[2][ENTRIES];
    static GtVec3 gradients[ENTRIES];
    fill(&offsets[0][0].x, 2 * POINTS * (size_t)3, random);
    fill(&gradients[0].x, ENTRIES * (size_t)3, random);
    for (int32_t i = 0; i < POINTS; ++i) {
        weights[i] = test_random_float(random, 0.5f, 2.0f);
    }
    for (uint32_t i = 0; i < ENTRIES; ++i) {
        vertices[i] = 2 * i;
        masks[0][i] = test_random_float(random, 0.0f, 0.5f);
        masks[1][i] = test_random_float(random, 0.0f, 0.5f);
    }
    poses[0] = (GtLatticePose){ "flex", offsets[0] };
    poses[1] = (GtLatticePose){ NULL, offsets[1] };
    for (int32_t i = 0; i < SECTIONS; ++i) {
        sections[i] = gt_default_section_def();
        sections[i].rest_blend = 0.7f;
        sections[i].lattice = (GtLatticeDef){
            .basis = i == 1 ? GT_LATTICE_B_SPLINE : GT_LATTICE_BEZIER,
            .counts = { 2, 3, 4 },
            .space_from_box = { { { 2, 0, 0, -1 }, { 0, 2, 0, -1 }, { 0, 0, 2, -1 } } },
        };
    }
    sections[0].name = "biceps";
    sections[0].node = 1;
    sections[0].pose_count = 2;
    sections[0].poses = poses;
    sections[1].node = 4;
    sections[1].lattice.weights = weights;
    sections[2].name = "free";
    sections[2].border = 0.125f;
    sections[2].pose_count = 1;
    sections[2].poses = poses + 1;
    binds[0] = (GtSectionBindDef){ 0, ENTRIES, vertices, masks[0], gradients };
    binds[1] = (GtSectionBindDef){ 1, ENTRIES, vertices, masks[1], NULL };
    for (int32_t i = 0; i < 2; ++i) {
        meshes[2 * i].section_bind_count = 2 - i;
        meshes[2 * i].section_binds = binds;
    }
}

static GtCharacter* make_character(void)
{
    GtError error;
    TestRandom random = { 7 };
    const int32_t parents[NODES] = { GT_NONE, 0, 1, 2, GT_NONE };
    const char* names[NODES] = { "root", "arm", NULL, "hand", "hat" };
    const int32_t sources[NODES] = { 3, 1, 0, 2, 7 };
    GtTransform rest[NODES];
    GtMat34 binds[NODES - 1];
    const int32_t skin_joints[NODES - 1] = { 0, 1, 2, 3 };
    for (int32_t i = 0; i < NODES; ++i) {
        rest[i] = gt_transform_identity();
        rest[i].translation = gt_vec3(0.1f * (float)i, 0.3f, 0.0f);
    }
    for (int32_t i = 0; i < NODES - 1; ++i) {
        binds[i] = gt_mat34_identity();
        binds[i].m[1][3] = -0.3f * (float)i;
    }
    GtVec3 vectors[5][VERTICES];
    float tangents[VERTICES * 4];
    float texcoords[2][VERTICES * 2];
    float colors[VERTICES * 4];
    fill(texcoords[0], 2 * VERTICES * 2, &random);
    fill(colors, VERTICES * 4, &random);
    fill(&vectors[0][0].x, sizeof vectors / sizeof(float), &random);
    fill(tangents, VERTICES * 4, &random);
    uint32_t indices[VERTICES];
    const uint32_t moved[ENTRIES] = { 0, 2, 3, 7, 11, 20, 23 };
    for (uint32_t i = 0; i < VERTICES; ++i) {
        indices[i] = (i * 5) % VERTICES;
    }
    uint16_t joints[VERTICES * INFLUENCES];
    float weights[VERTICES * INFLUENCES];
    make_influences(joints, weights, &random);
    const float rest_weights[WEIGHTS] = { 0.0f, 0.25f, 0.5f, 0.0f };
    const GtMorphDef morphs[] = {
        { "smile", ENTRIES, moved, vectors[2], vectors[3], vectors[4], &vectors[2][0].y, &vectors[3][0].x, tangents },
        { .entry_count = ENTRIES - 2, .vertices = moved, .positions = vectors[4] },
    };
    const GtDeformerData deformers[] = { { GT_DEFORMER_MORPH, GT_SKIN_LINEAR },
                                         { GT_DEFORMER_SKIN, GT_SKIN_DUAL_QUATERNION } };
    GtMeshDef skinned = {
        .name = "body",
        .source_mesh = 2,
        .material = 2,
        .vertex_count = VERTICES,
        .positions = vectors[0],
        .normals = vectors[1],
        .tangents = tangents,
        .texcoords = texcoords[0],
        .texcoords1 = texcoords[1],
        .colors = colors,
        .index_count = VERTICES,
        .indices = indices,
        .morph_count = 2,
        .morphs = morphs,
        .influence_count = INFLUENCES,
        .joints = joints,
        .weights = weights,
        .deformers = deformers,
        .deformer_count = 2,
    };
    GtMeshDef meshes[MESHES] = { skinned, skinned, skinned };
    meshes[1].name = NULL;
    meshes[1].first_weight = 2;
    meshes[1].skin = 1;
    meshes[1].deformer_count = 0;
    meshes[2] = (GtMeshDef){ .name = "hat",
                             .node = 4,
                             .material = GT_NONE,
                             .vertex_count = VERTICES,
                             .positions = vectors[0],
                             .index_count = VERTICES,
                             .indices = indices,
                             .skin = GT_NONE };
    GtSectionDef sections[SECTIONS];
    GtLatticePose poses[2];
    GtSectionBindDef section_binds[2];
    add_sections(sections, poses, section_binds, meshes, &random);
    const GtSkinDef skins[2] = { { skin_joints, NODES - 1, binds }, { skin_joints, NODES - 1, binds } };
    GtHumanoidMap humanoid = gt_humanoid_map_empty();
    humanoid.nodes[GT_HUMANOID_LEFT_UPPER_ARM] = 1;
    humanoid.nodes[GT_HUMANOID_LEFT_HAND] = 3;
    GtCharacterDef def = {
        .node_count = NODES,
        .parents = parents,
        .rest = rest,
        .names = names,
        .source_nodes = sources,
        .humanoid = &humanoid,
        .weight_count = WEIGHTS,
        .rest_weights = rest_weights,
        .skin_count = 2,
        .skins = skins,
        .mesh_count = MESHES,
        .meshes = meshes,
        .section_count = SECTIONS,
        .sections = sections,
    };
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    return character;
}

// `packed` receives it packed.
static GtClip* make_clip(const GtCharacter* character, GtClip** packed)
{
    GtError error;
    float times_s[KEYS];
    GtQuat turns[KEYS];
    float weights[KEYS * 2];
    for (int32_t i = 0; i < KEYS; ++i) {
        float t = (float)i / 30.0f;
        times_s[i] = t;
        turns[i] = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), sinf(4.0f * t));
        weights[2 * i] = 0.5f + 0.5f * sinf(3.0f * t);
        weights[2 * i + 1] = t;
    }
    const GtTrackDef tracks[] = {
        { GT_TRACK_ROTATION, 1, 4, GT_INTERPOLATION_LINEAR, KEYS, times_s, &turns[0].x },
        { GT_TRACK_WEIGHTS, 1, 2, GT_INTERPOLATION_LINEAR, KEYS, times_s, weights },
    };
    GtClipDef def = { "wave", 2, tracks, NODES, WEIGHTS };
    GtClip* keys = NULL;
    TestLog log;
    GtContext context = test_context(&log);
    GtClipPackDef pack = gt_default_clip_pack_def();
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &keys, &error));
    GT_EXPECT_OK(gt_clip_pack(&context, keys, character, &pack, packed, NULL, &error));
    return keys;
}

static const uint8_t picture[5] = { 0x89, 'P', 'N', 'G', 7 };
static const GtPackImage images[2] = { { "skin", "image/png", picture, sizeof picture }, { NULL, NULL, NULL, 0 } };

static void make_materials(GtPackMaterial out[MATERIALS])
{
    const GtPackTexture none = { GT_NONE, 0, 1.0f, 10497, 10497 };
    for (int i = 0; i < MATERIALS; ++i) {
        out[i] = (GtPackMaterial){
            .name = i ? "glass" : NULL,
            .base_color = { 0.1f, 0.2f, 0.3f, 0.4f },
            .metallic = 0.5f,
            .roughness = 0.6f,
            .emissive = { 0.7f, 0.8f, 0.9f },
            .alpha_cutoff = 0.25f,
            .alpha = i ? GT_PACK_ALPHA_BLEND : GT_PACK_ALPHA_MASK,
            .base_color_texture = { 0, 1, 1.0f, 33071, 33648 },
            .metallic_roughness_texture = none,
            .normal_texture = { 1, 0, 0.5f, 10497, 10497 },
            .occlusion_texture = none,
            .emissive_texture = none,
            .double_sided = i == 1,
        };
    }
}

// Keys and formulas of all kinds, a turning hat, sensors, springs that are held and that are not.
static GtDrivers* make_drivers(const GtCharacter* character)
{
    static const float times_s[3] = { 0.0f, 0.5f, 1.25f };
    static const float numbers[3] = { 0.1f, 1.0f, 0.4f };
    static const float handles[3] = { 0.2f, -0.1f, 0.3f };
    static const float turns[12] = { 0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0.6f, 0, 0, 0.8f };
    static const GtEase eases[2] = { { 0.25f, 0.5f }, { 0.0f, 0.0f } };
    static const GtDriverValue values[2] = { { "control:smile", 0.5f, 0.0f, 0.75f },
                                             { "own", 2.0f, -INFINITY, INFINITY } };
    GtError error;
    GtKeyCurve* curves[2] = { NULL };
    GtKeyCurveDef keys = gt_default_key_curve_def();
    keys.law = GT_LAW_BEZIER;
    keys.key_count = 3;
    keys.times_s = times_s;
    keys.values = numbers;
    keys.in = keys.out = handles;
    keys.in_times_s = keys.out_times_s = numbers;
    keys.eases = eases;
    keys.after = GT_EXTRAPOLATE_CYCLE;
    GT_EXPECT_OK(gt_key_curve_create(gt_default_allocator(), &keys, &curves[0], &error));
    keys = gt_default_key_curve_def();
    keys.kind = GT_KEY_CURVE_ROTATION;
    keys.law = GT_LAW_SQUAD;
    keys.component_count = 4;
    keys.key_count = 3;
    keys.times_s = times_s;
    keys.values = turns;
    keys.closed = true;
    GT_EXPECT_OK(gt_key_curve_create(gt_default_allocator(), &keys, &curves[1], &error));
    const GtTrackBinding tracks[] = { { .channel = "control:smile", .curve = curves[0] },
                                      { .channel = "morph:smile", .formula = "'control:smile'" },
                                      { .channel = "lattice:biceps.flex", .curve = curves[0], .input = "arm.angle" },
                                      { .channel = "hat.rotation", .curve = curves[1] },
                                      { .channel = "own", .formula = "speed:hand + contact:hand" } };
    GtSensorDef sensors[2] = { gt_default_sensor_def(), gt_default_sensor_def() };
    sensors[0].name = "speed:hand";
    sensors[0].point_count = 1;
    sensors[0].points[0] = (GtSensorPoint){ 3, { 0.0f, 0.25f, 0.0f } };
    sensors[1].name = "contact:hand";
    sensors[1].kind = GT_SENSOR_CONTACT;
    sensors[1].height_m = 0.5f;
    sensors[1].release_height_m = 2.0f;
    sensors[1].point_count = 2;
    sensors[1].points[0].node = 3;
    sensors[1].points[1].node = 2;
    float holds[POINTS] = { 1.0f, 0.5f };
    GtJiggleDef jiggles[2] = { gt_default_jiggle_def(), gt_default_jiggle_def() };
    jiggles[0].holds = holds;
    jiggles[1].section = 1;
    jiggles[1].gravity = gt_vec3(0.0f, -9.81f, 0.0f);
    GtDriversDef def = { character, values, 2, 2, sensors, tracks, sizeof tracks / sizeof *tracks, 2, jiggles };
    GtDrivers* drivers = NULL;
    GT_EXPECT_OK(gt_drivers_create(gt_default_allocator(), &def, &drivers, &error));
    gt_key_curve_destroy(curves[0]);
    gt_key_curve_destroy(curves[1]);
    return drivers;
}

static GtResult write_pack(GtAllocator allocator, const GtCharacter* character, const GtClip* const* clips,
                           int32_t clip_count, GtBlob** out, GtError* error)
{
    GtDrivers* drivers = gt_character_def(character)->node_count ? make_drivers(character) : NULL;
    GtPackMaterial materials[MATERIALS];
    make_materials(materials);
    GtPackDef def = gt_default_pack_def();
    def.character = character;
    def.clips = clips;
    def.clip_count = clip_count;
    def.materials = materials;
    def.material_count = MATERIALS;
    def.images = images;
    def.image_count = 2;
    def.drivers = drivers;
    GtResult result = gt_pack_write(allocator, &def, out, error);
    gt_drivers_destroy(drivers);
    return result;
}

static int set_up(void** state)
{
    static Subject subject;
    GtError error;
    subject.character = make_character();
    subject.keys = make_clip(subject.character, &subject.clip);
    const GtClip* clips[CLIPS] = { subject.clip, subject.keys, subject.clip, subject.keys };
    GT_EXPECT_OK(write_pack(gt_default_allocator(), subject.character, clips, CLIPS, &subject.blob, &error));
    *state = &subject;
    return 0;
}

static int tear_down(void** state)
{
    Subject* subject = *state;
    gt_blob_release(subject->blob);
    gt_clip_destroy(subject->keys);
    gt_clip_destroy(subject->clip);
    gt_character_destroy(subject->character);
    return 0;
}

// A copy that ends where its memory ends, so that reading past it is found out.
static uint8_t* copy_of(const Subject* subject, size_t size)
{
    void* copy = NULL;
    assert_int_equal(posix_memalign(&copy, 64, size ? size : 1), 0);
    memcpy(copy, gt_blob_bytes(subject->blob), size);
    return copy;
}

typedef struct Vertices {
    GtVec3 positions[MESHES * VERTICES];
    GtVec3 normals[MESHES * VERTICES];
    float tangents[MESHES * VERTICES * 4];
    float texcoords[MESHES * VERTICES * 2];
    float texcoords1[MESHES * VERTICES * 2];
    float colors[MESHES * VERTICES * 4];
} Vertices;

static void play(const GtCharacter* character, const GtClip* clip, double time_s, Vertices* out)
{
    GtError error;
    GtInstance* instance = NULL;
    const GtCharacterDef* def = gt_character_def(character);
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &instance, &error));
    gt_clip_sample(clip, time_s, instance->pose, instance->weights);
    for (int32_t i = 0; i < gt_section_value_count(character); ++i) {
        instance->section_values[i] += 0.1f * sinf((float)(i + 7.0 * time_s));
    }
    gt_instance_update(instance);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        assert_true(def->meshes[i].vertex_count <= VERTICES);
        size_t at = (size_t)i * VERTICES;
        gt_instance_deform(instance, i, out->positions + at, out->normals + at, out->tangents + 4 * at);
        gt_instance_deform_looks(instance, i, out->texcoords + 2 * at, out->texcoords1 + 2 * at, out->colors + 4 * at);
    }
    gt_instance_destroy(gt_default_allocator(), instance);
}

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

// Play a clip live; the section values, weights and pose of each frame go into `out`, or nowhere.
// Returns how many numbers there are.
static size_t drive(const GtDrivers* drivers, const GtClip* clip, float* out)
{
    GtError error;
    GtInstance* instance = NULL;
    GtDriversState* live = NULL;
    const GtCharacter* character = gt_drivers_def(drivers)->character;
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &instance, &error));
    GT_EXPECT_OK(gt_drivers_state_create(gt_default_allocator(), drivers, &live, &error));
    const size_t sizes[] = { (size_t)gt_section_value_count(character),
                             (size_t)gt_character_def(character)->weight_count,
                             12 * (size_t)gt_character_def(character)->node_count,
                             (size_t)gt_drivers_def(drivers)->value_count +
                                 (size_t)gt_drivers_def(drivers)->sensor_count };
    size_t count = 0;
    GtDriversFrame frame = gt_default_drivers_frame();
    frame.step_s = 0.05;
    for (int i = 0; i < 20; ++i) {
        frame.time_s = 0.05 * i;
        gt_instance_reset(instance);
        gt_clip_sample(clip, frame.time_s, instance->pose, instance->weights);
        gt_drivers_step(&frame, live, instance);
        const float* const parts[] = { instance->section_values, instance->weights, (const float*)instance->pose,
                                       live->values };
        for (int k = 0; k < 4; ++k) {
            if (out) {
                memcpy(out + count, parts[k], sizes[k] * sizeof *out);
            }
            count += sizes[k];
        }
    }
    gt_drivers_state_destroy(gt_default_allocator(), live);
    gt_instance_destroy(gt_default_allocator(), instance);
    return count;
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
    GT_EXPECT_NEAR(gt_key_curve_number(def.tracks[0].curve, 0.5), 1.0, 1e-6);
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
                    "track 0 'hat.turn.x' is a function");
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
                    "material 0 has an image that is not there");
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
    GtiPackTrack* tracks = (GtiPackTrack*)(bytes + places.tracks);
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
        cmocka_unit_test(test_what_is_opened_plays_the_same_bits),
        cmocka_unit_test(test_what_is_opened_has_the_same_def_and_copies_no_array),
        cmocka_unit_test(test_bytes_are_the_same_every_time_also_from_a_pack),
        cmocka_unit_test(test_what_drives_comes_back),
        cmocka_unit_test(test_drivers_that_cannot_be_packed_are_refused),
        cmocka_unit_test(test_materials_and_pictures_come_back),
        cmocka_unit_test(test_materials_that_do_not_fit_are_refused),
        cmocka_unit_test(test_a_character_of_nothing_is_packed),
        cmocka_unit_test(test_clips_of_others_are_refused),
        cmocka_unit_test(test_every_cut_is_refused),
        cmocka_unit_test(test_every_flipped_bit_is_refused),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_skins_cannot_share_joints_and_clips_no_bytes),
        cmocka_unit_test(test_bytes_changed_with_care_are_refused_or_play),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
