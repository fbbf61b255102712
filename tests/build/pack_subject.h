// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What tests of packs share: a character with all that a pack holds, written as one, and ways to play it.

#ifndef GERTIE_TESTS_BUILD_PACK_SUBJECT_H
#define GERTIE_TESTS_BUILD_PACK_SUBJECT_H

#include "gertie/clip_pack.h"
#include "gertie/instance.h"
#include "gertie/pack.h"
#include "gertie/pack_write.h"

#include "harmonic/tube.h"

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
    MATERIALS = 3,
    BONES = 3,
    HANDLES = 2
};

// A character with all that a pack holds: names and nodes without, a skin, two meshes that share arrays and have
// different deformers, one of them a harmonic skin, a rigid one, morphs with and without normals, sections at joints
// and one that stands free, and a clip that moves joints and morphs.
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

// A tube with axes, handles and an anchor, which one mesh of the character follows.
static GtHarmonic* make_surface(void)
{
    static const int32_t ends[HANDLES][2] = { { 0, 2 }, { 21, 22 } };
    const GtHarmonicHandle handles[HANDLES] = { { ends[0], 2 }, { ends[1], 2 } };
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtHarmonic* harmonic = NULL;
    Tube tube = tube_create(6, 12);
    tube_mark(&tube, 0.05f);
    for (int m = 0; m < TUBE_MARKERS; ++m) {
        tube.markers[m].axis = gt_vec3(0.0f, 1.0f, 0.0f);
        tube.markers[m].volume = 1.0f;
    }
    tube.def.handles = handles;
    tube.def.handle_count = HANDLES;
    tube.def.align_signs = false;
    tube.def.anchor_everywhere = false;
    tube.def.anchor = tube.markers[8];
    GT_EXPECT_OK(gt_harmonic_create(&context, &tube.def, &harmonic, NULL, &error));
    tube_destroy(&tube);
    return harmonic;
}

static void add_harmonic(const GtHarmonic* harmonic, GtHarmonicSkinDef* out)
{
    static const GtQuat node_from_bind[NODES] = {
        { 0, 0, 0, 1 }, { 0, 0.6f, 0, 0.8f }, { 0, 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, 0, 0, 1 }
    };
    static const GtHarmonicBone bones[BONES] = { { 0, GT_NONE, 1, 0, { 0, 1, 0 }, 0 },
                                                 { 1, 0, 2, 1, { 0, 1, 0 }, 0.5f },
                                                 { 3, 1, GT_NONE, 1, { 0.6f, 0.8f, 0 }, 1 } };
    static const GtHarmonicGrip grips[3] = { { 0, 0, { 0.1f, 0, 0.2f }, 1.0f },
                                             { 1, 1, { 0, 0.2f, 0 }, 0.25f },
                                             { 1, 3, { 0, 0.4f, 0 }, 0.75f } };
    static const float strengths[HANDLES] = { 1.0f, 0.5f };
    static GtHarmonicFollower followers[TUBE_MARKERS];
    static GtMat34 bind_from_mesh[MESHES];
    static int32_t points[MESHES * VERTICES];
    for (int32_t m = 0; m < TUBE_MARKERS; ++m) {
        followers[m] = (GtHarmonicFollower){ m / 8, m % 8 == 7 ? 2 : bones[m / 8].node, 0.75f, m % 2 ? 0.5f : -0.5f };
    }
    for (int32_t m = 0; m < MESHES; ++m) {
        bind_from_mesh[m] = gt_mat34_identity();
        bind_from_mesh[m].m[1][3] = 0.125f * (float)m;
    }
    for (int32_t i = 0; i < MESHES * VERTICES; ++i) {
        points[i] = i % gt_harmonic_vertex_count(harmonic);
    }
    *out = (GtHarmonicSkinDef){ harmonic, node_from_bind, bones, BONES,          followers, grips, 3, strengths,
                                0,        { 0, 0.5f, 0 }, 0.5f,  bind_from_mesh, points };
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
    const GtDeformerData harmonic[] = { { GT_DEFORMER_MORPH, GT_SKIN_LINEAR },
                                        { GT_DEFORMER_HARMONIC, GT_SKIN_LINEAR } };
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
    meshes[1].deformers = harmonic;
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
    GtHarmonic* surface = make_surface();
    GtHarmonicSkinDef skin;
    add_harmonic(surface, &skin);
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
        .harmonic = &skin,
    };
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    gt_harmonic_destroy(surface);
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
    GtCurve* curves[2] = { NULL };
    GtCurveDef keys = gt_default_curve_def();
    keys.law = GT_LAW_BEZIER;
    keys.key_count = 3;
    keys.times_s = times_s;
    keys.values = numbers;
    keys.in = keys.out = handles;
    keys.in_times_s = keys.out_times_s = numbers;
    keys.eases = eases;
    keys.after = GT_EXTRAPOLATE_CYCLE;
    GT_EXPECT_OK(gt_curve_create(gt_default_allocator(), &keys, &curves[0], &error));
    keys = gt_default_curve_def();
    keys.kind = GT_CURVE_ROTATION;
    keys.law = GT_LAW_SQUAD;
    keys.component_count = 4;
    keys.key_count = 3;
    keys.times_s = times_s;
    keys.values = turns;
    keys.closed = true;
    GT_EXPECT_OK(gt_curve_create(gt_default_allocator(), &keys, &curves[1], &error));
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
    gt_curve_destroy(curves[0]);
    gt_curve_destroy(curves[1]);
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
    gt_instance_destroy(instance);
}

// Play a clip live; the section values, weights and pose of each frame go into `out`, or nowhere.
// Returns how many numbers there are.
static inline size_t drive(const GtDrivers* drivers, const GtClip* clip, float* out)
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
    gt_drivers_state_destroy(live);
    gt_instance_destroy(instance);
    return count;
}

#endif
