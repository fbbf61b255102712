// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Characters with a harmonic skin, as the runtime plays them. Without holds, frames must be those of the clip that is
// carried over to the same markers, which another path poses many at a time; with holds, hands and feet must be where
// the linear skin has them.

#include "harmonic/people.h"

#include "gertie/bake.h"
#include "gertie/build.h"
#include "gertie/harmonic_character.h"
#include "gertie/harmonic_clip.h"
#include "gertie/instance.h"
#include "gertie/sculpt.h"
#include "gertie/simd.h"

#include "harmonic/clip/limbs.h"
#include "runtime/character.h"
#include "runtime/harmonic/harmonic.h"

#include "support/allocations.h"
#include "support/random.h"

enum {
    FRAMES = 7
};

// What moves in the clip: by how much about which axis, in steps.
static const struct {
    GtHumanoidJoint joint;
    GtVec3 axis;
    float angle_rad;
} moves[] = {
    { GT_HUMANOID_HIPS, { 0.2f, 1.0f, 0.1f }, 0.9f },
    { GT_HUMANOID_CHEST, { 1.0f, 0.3f, 0.0f }, 0.5f },
    { GT_HUMANOID_HEAD, { 0.0f, 1.0f, 0.2f }, 0.8f },
    { GT_HUMANOID_LEFT_UPPER_ARM, { 0.2f, 0.3f, 1.0f }, -1.2f },
    { GT_HUMANOID_LEFT_LOWER_ARM, { 0.1f, 1.0f, 0.0f }, -1.5f },
    { GT_HUMANOID_LEFT_HAND, { 1.0f, 0.0f, 0.0f }, 1.0f },
    { GT_HUMANOID_RIGHT_UPPER_LEG, { 1.0f, 0.0f, 0.2f }, -1.3f },
    { GT_HUMANOID_RIGHT_LOWER_LEG, { 1.0f, 0.0f, 0.0f }, 1.4f },
};

enum {
    MOVES = sizeof moves / sizeof *moves
};

// A person that bends in many places over a second.
static GtScene* make_moving(const GtContext* context, int32_t triangle_count)
{
    GtError error;
    GtScene* scene = make_person(context, triangle_count);
    int32_t nodes[MOVES];
    uint8_t paths[MOVES];
    float times_s[FRAMES];
    GtTransform poses[FRAMES * MOVES];
    for (int i = 0; i < FRAMES * MOVES; ++i) {
        int m = i % MOVES;
        float share = (float)(i / MOVES) / (FRAMES - 1);
        GtVec3 axis = gt_vec3_normalize_or(moves[m].axis, gt_vec3(1.0f, 0.0f, 0.0f));
        nodes[m] = node_of(scene, moves[m].joint);
        paths[m] = GT_BAKE_ROTATION | (m == 0 ? GT_BAKE_TRANSLATION : 0);
        times_s[i / MOVES] = share;
        poses[i] = scene->nodes[nodes[m]].local;
        poses[i].rotation = gt_quat_mul(poses[i].rotation, gt_quat_from_axis_angle(axis, share * moves[m].angle_rad));
        poses[i].translation = gt_vec3_add(poses[i].translation, gt_vec3(share, 0.1f * share, -2.0f * share));
    }
    GtBakeDef def = { .name = "move",
                      .frame_count = FRAMES,
                      .times_s = times_s,
                      .node_count = MOVES,
                      .nodes = nodes,
                      .paths = paths,
                      .poses = poses };
    scene->animation_count = 0;
    GT_EXPECT_OK(gt_scene_bake(context, scene, &def, NULL, &error));
    return scene;
}

// A scene, its markers, and characters of it with a linear skin and with a harmonic one.
typedef struct Subject {
    GtContext context;
    GtScene* scene;
    GtFigure figure; // that plays the clip
    GtMarkers* markers;
    const GtCharacter* linear; // of the figure
    GtCharacter* harmonic;     // holds feet and hands
    GtCharacter* loose;        // holds nothing
    const GtClip* clip;
    int32_t vertex_count;
} Subject;

static Subject subject;

static int set_up(void** state)
{
    GtError error;
    GtMarkersDef find = gt_default_markers_def();
    GtFigureDef open = gt_default_figure_def();
    GtHarmonicCharacterDef loose = gt_default_harmonic_character_def();
    open.animation = 0;
    loose.hold_feet = loose.hold_hands = false;
    subject = (Subject){ .context = gt_default_context() };
    subject.scene = make_moving(&subject.context, 4000);
    GT_EXPECT_OK(gt_figure_open(&subject.context, subject.scene, &open, &subject.figure, &error));
    GT_EXPECT_OK(gt_markers_find(&subject.context, &subject.figure, &find, &subject.markers, NULL, &error));
    GT_EXPECT_OK(gt_harmonic_character(&subject.context, &subject.figure, subject.markers, NULL, &subject.harmonic,
                                       NULL, &error));
    GT_EXPECT_OK(gt_harmonic_character(&subject.context, &subject.figure, subject.markers, &loose, &subject.loose, NULL,
                                       &error));
    subject.linear = subject.figure.character;
    subject.clip = subject.figure.clip;
    for (int32_t m = 0; m < gt_character_def(subject.linear)->mesh_count; ++m) {
        subject.vertex_count += gt_character_def(subject.linear)->meshes[m].vertex_count;
    }
    *state = &subject;
    return 0;
}

static int tear_down(void** state)
{
    (void)state;
    gt_character_destroy(subject.loose);
    gt_character_destroy(subject.harmonic);
    gt_markers_destroy(subject.markers);
    gt_figure_close(&subject.figure);
    gt_scene_destroy(subject.scene);
    return 0;
}

static GtInstance* make_instance(const GtCharacter* character)
{
    GtError error;
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &instance, &error));
    return instance;
}

// All meshes, one after the other. normals, tangents: may be NULL
static void deform(GtInstance* instance, GtVec3* positions, GtVec3* normals, float* tangents)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    for (int32_t m = 0, at = 0; m < def->mesh_count; at += def->meshes[m++].vertex_count) {
        gt_instance_deform(instance, m, positions + at, normals ? normals + at : NULL,
                           tangents ? tangents + 4 * at : NULL);
    }
}

static void pose(GtInstance* instance, double time_s)
{
    gt_instance_reset(instance);
    gt_clip_sample(subject.clip, time_s, instance->pose, instance->weights);
    gt_instance_update(instance);
}

static void* push(size_t count, size_t size)
{
    void* array = malloc(count * size);
    assert_non_null(array);
    return memset(array, 0xCD, count * size); // what writes nothing must fail
}

static float largest_distance(const GtVec3* a, const GtVec3* b)
{
    float most = 0.0f;
    for (int32_t i = 0; i < subject.vertex_count; ++i) {
        assert_true(isfinite(a[i].x + a[i].y + a[i].z));
        most = fmaxf(most, gt_vec3_length(gt_vec3_sub(a[i], b[i])));
    }
    return most;
}

static void frames_are_those_of_the_clip_on_every_level(void** state)
{
    (void)state;
    GtError error;
    GtHarmonicClip* clip = NULL;
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    def.rate_hz = FRAMES - 1;
    def.hold_feet = def.hold_hands = false;
    GT_EXPECT_OK(
        gt_harmonic_clip_create(&subject.context, &subject.figure, subject.markers, &def, &clip, NULL, &error));
    assert_int_equal(clip->frame_count, FRAMES);
    assert_true(gt_character_def(subject.loose)->harmonic->harmonic->live_cut.piece_count > 3); // and not just a top
    size_t count = (size_t)subject.vertex_count;
    GtVec3* wanted = push(FRAMES * count, sizeof *wanted);
    GtVec3* seen = push(count, sizeof *seen);
    GtVec3* skinned = push(count, sizeof *skinned);
    GT_EXPECT_OK(gt_harmonic_clip_pose(&subject.context, clip, 0, FRAMES, wanted, &error));
    GtInstance* instance = make_instance(subject.loose);
    GtInstance* linear = make_instance(subject.linear);
    GtSimdLevel before = gt_simd_level();
    for (int level = GT_SIMD_SCALAR; level <= (int)gt_simd_level_supported(); ++level) {
        gt_simd_level_set((GtSimdLevel)level);
        for (int f = 0; f < FRAMES; ++f) {
            pose(instance, clip->start_s + f / clip->rate_hz);
            deform(instance, seen, NULL, NULL);
            GT_EXPECT_NEAR(largest_distance(wanted + (size_t)f * count, seen), 0.0, 3e-6);
        }
    }
    gt_simd_level_set(before);
    pose(linear, 1.0);
    deform(linear, skinned, NULL, NULL);
    assert_true(largest_distance(skinned, seen) > 0.02f); // it is not the skin that was seen
    free(wanted);
    free(seen);
    free(skinned);
    gt_instance_destroy(instance);
    gt_instance_destroy(linear);
    gt_harmonic_clip_destroy(clip);
}

static GtVec3 mean_of(const GtVec3* positions, const int32_t* vertices, int32_t count)
{
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int32_t i = 0; i < count; ++i) {
        sum = gt_vec3_add(sum, gt_vec3_scale(positions[vertices[i]], 1.0f / (float)count));
    }
    return sum;
}

static void feet_and_hands_are_where_the_skin_has_them(void** state)
{
    (void)state;
    GtError error;
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiShell* shell = NULL;
    GtiBoneTree bones;
    GtiClipParts parts;
    GT_EXPECT_OK(gti_figure_shell(&subject.context, &subject.figure, &shell, &error));
    GT_EXPECT_OK(gti_bone_tree_find(shell, &arena, &bones, &error));
    assert_true(gti_clip_parts_find(shell, &bones, &arena, &parts));
    GtVec3* held = push((size_t)subject.vertex_count, sizeof *held);
    GtVec3* loose = push((size_t)subject.vertex_count, sizeof *loose);
    GtVec3* skinned = push((size_t)subject.vertex_count, sizeof *skinned);
    const GtCharacter* characters[3] = { subject.harmonic, subject.loose, subject.linear };
    GtVec3* arrays[3] = { held, loose, skinned };
    float missed = 0.0f;
    for (int f = 1; f < FRAMES; ++f) {
        for (int i = 0; i < 3; ++i) {
            GtInstance* instance = make_instance(characters[i]);
            pose(instance, (double)f / (FRAMES - 1));
            deform(instance, arrays[i], NULL, NULL);
            gt_instance_destroy(instance);
        }
        for (int part = 0; part < GTI_LIMB_COUNT; ++part) {
            assert_true(parts.counts[part] > 10);
            GtVec3 wanted = mean_of(skinned, parts.vertices[part], parts.counts[part]);
            GtVec3 seen = mean_of(held, parts.vertices[part], parts.counts[part]);
            GtVec3 alone = mean_of(loose, parts.vertices[part], parts.counts[part]);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(seen, wanted)), 0.0, 1e-5);
            missed = fmaxf(missed, gt_vec3_length(gt_vec3_sub(alone, wanted)));
        }
    }
    assert_true(missed > 0.02f); // what holding does
    free(held);
    free(loose);
    free(skinned);
    gt_arena_destroy(&arena);
}

static void the_bind_pose_is_the_mesh_wherever_it_stands(void** state)
{
    (void)state;
    GtVec3* wanted = push((size_t)subject.vertex_count, sizeof *wanted);
    GtVec3* seen = push((size_t)subject.vertex_count, sizeof *seen);
    GtVec3* normals = push(2 * (size_t)subject.vertex_count, sizeof *normals);
    GtInstance* linear = make_instance(subject.linear);
    GtInstance* harmonic = make_instance(subject.harmonic);
    deform(linear, wanted, normals, NULL);
    GtTransform there = gt_transform_identity();
    there.rotation = gt_quat_from_axis_angle(gt_vec3(0.6f, 0.0f, 0.8f), 2.0f);
    there.translation = gt_vec3(3.0f, 0.5f, -7.0f);
    GtMat34 there_from_here = gt_mat34_from_transform(there);
    for (int moved = 0; moved < 2; ++moved) {
        const GtCharacterDef* def = gt_character_def(subject.harmonic);
        for (int32_t n = 0; moved && n < def->node_count; ++n) {
            if (def->parents[n] == GT_NONE) {
                harmonic->pose[n].rotation = gt_quat_mul(there.rotation, def->rest[n].rotation);
                harmonic->pose[n].translation = gt_mat34_point(&there_from_here, def->rest[n].translation);
            }
        }
        gt_instance_update(harmonic);
        deform(harmonic, seen, normals + subject.vertex_count, NULL);
        for (int32_t i = 0; i < subject.vertex_count; ++i) {
            GtVec3 position = moved ? gt_mat34_point(&there_from_here, wanted[i]) : wanted[i];
            GtVec3 normal = moved ? gt_mat34_vector(&there_from_here, normals[i]) : normals[i];
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(seen[i], position)), 0.0, moved ? 1e-5 : 2e-6);
            GT_EXPECT_NEAR(gt_vec3_dot(normals[subject.vertex_count + i], normal), 1.0, 1e-4);
        }
    }
    free(wanted);
    free(seen);
    free(normals);
    gt_instance_destroy(linear);
    gt_instance_destroy(harmonic);
}

static void a_frame_depends_on_its_pose_alone_and_not_on_threads(void** state)
{
    (void)state;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(gt_default_allocator(), 4, &pool, &error));
    GtExecutor executor = gt_thread_pool_executor(pool);
    size_t count = (size_t)subject.vertex_count;
    GtVec3* first = push(2 * count, sizeof *first);
    GtVec3* other = push(2 * count, sizeof *other);
    GtInstance* one = make_instance(subject.harmonic);
    GtInstance* two = make_instance(subject.harmonic);
    pose(one, 0.7);
    deform(one, first, first + count, NULL);
    for (int f = 0; f < FRAMES; ++f) {
        pose(two, (double)(f * f % FRAMES) / (FRAMES - 1));
        deform(two, other, NULL, NULL);
    }
    pose(two, 0.7);
    gt_instance_pose_points(two, &executor);
    deform(two, other, other + count, NULL);
    assert_memory_equal(first, other, 2 * count * sizeof *first);
    free(first);
    free(other);
    gt_instance_destroy(one);
    gt_instance_destroy(two);
    gt_thread_pool_destroy(pool);
}

static void frames_allocate_nothing(void** state)
{
    (void)state;
    if (!COUNTS_ALLOCATIONS) {
        skip();
    }
    GtVec3* positions = push((size_t)subject.vertex_count, sizeof *positions);
    long before_instance = allocation_count;
    GtInstance* instance = make_instance(subject.harmonic);
    assert_true(allocation_count > before_instance); // the counter works
    long before_frames = allocation_count;
    for (int f = 0; f < FRAMES; ++f) {
        pose(instance, (double)f / (FRAMES - 1));
        deform(instance, positions, NULL, NULL);
    }
    assert_int_equal(allocation_count, before_frames);
    free(positions);
    gt_instance_destroy(instance);
}

// A vertex of the head that no other joint moves: where the surface turns as the head does.
static bool is_of_head(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex)
{
    float weight = 0.0f;
    for (int32_t i = 0; i < mesh->influence_count; ++i) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)i;
        int32_t node = def->skins[mesh->skin].joints[mesh->joints[at]];
        weight += strcmp(def->names[node], "head") == 0 ? mesh->weights[at] : 0.0f;
    }
    return weight > 0.999f && mesh->positions[vertex].y > 1.6f;
}

// What lies on a head, rigid as it nearly is, goes along: normals, tangents and the displacements of shapes.
static void normals_tangents_and_shapes_go_along(void** state)
{
    (void)state;
    GtError error;
    const GtVec3 displacement = gt_vec3(0.01f, 0.0f, 0.03f);
    GtCharacterDef def = *gt_character_def(subject.harmonic);
    GtMeshDef* meshes = push((size_t)def.mesh_count, sizeof *meshes);
    memcpy(meshes, def.meshes, (size_t)def.mesh_count * sizeof *meshes);
    assert_int_equal(meshes[0].morph_count, 0);
    size_t count = (size_t)meshes[0].vertex_count;
    uint32_t* vertices = push(count, sizeof *vertices);
    GtVec3* displacements = push(count, sizeof *displacements);
    float* tangents = push(4 * count, sizeof *tangents);
    GtMorphDef morph = { .vertices = vertices, .positions = displacements };
    for (uint32_t i = 0; i < count; ++i) {
        const float tangent[4] = { 0.6f, 0.8f, 0.0f, -1.0f };
        memcpy(tangents + 4 * (size_t)i, tangent, sizeof tangent);
        if (is_of_head(&def, &meshes[0], (int32_t)i)) {
            displacements[morph.entry_count] = displacement;
            vertices[morph.entry_count++] = i;
        }
    }
    assert_true(morph.entry_count > 50);
    const float still = 0.0f;
    meshes[0].morphs = &morph;
    meshes[0].morph_count = 1;
    meshes[0].tangents = tangents;
    def.meshes = meshes;
    def.weight_count = 1;
    def.rest_weights = &still;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    GtInstance* instance = make_instance(character);
    GtVec3* seen = push(4 * count, sizeof *seen);
    float* seen_tangents = push(4 * count, sizeof *seen_tangents);
    gt_clip_sample(subject.clip, 1.0, instance->pose, NULL);
    gt_instance_update(instance);
    gt_instance_deform(instance, 0, seen, seen + count, NULL);
    instance->weights[0] = 1.0f;
    gt_instance_deform(instance, 0, seen + 2 * count, seen + 3 * count, seen_tangents);
    int32_t head = gt_character_find_node(character, "head");
    GtQuat turn = gt_quat_mul(gt_mat34_polar(&instance->model_from_node[head], NULL),
                              gt_character_def(character)->harmonic->node_from_bind[head]);
    double off[3] = { 0.0, 0.0, 0.0 }; // means: of displacements, as a share; of normals and tangents, 1 - cosine
    for (int32_t i = 0; i < morph.entry_count; ++i) {
        size_t v = vertices[i];
        GtVec3 moved = gt_vec3_sub(seen[2 * count + v], seen[v]);
        GtVec3 miss = gt_vec3_sub(moved, gt_quat_rotate(turn, displacement));
        GtVec3 tangent = gt_vec3(seen_tangents[4 * v], seen_tangents[4 * v + 1], seen_tangents[4 * v + 2]);
        GT_EXPECT_NEAR(gt_vec3_length(seen[count + v]), 1.0, 1e-5);
        GT_EXPECT_NEAR(gt_vec3_length(tangent), 1.0, 1e-5);
        GT_EXPECT_NEAR(seen_tangents[4 * v + 3], -1.0, 0.0);
        off[0] += (double)gt_vec3_length(miss) / (double)gt_vec3_length(displacement) / morph.entry_count;
        off[1] += (1.0 - (double)gt_vec3_dot(seen[count + v], gt_quat_rotate(turn, meshes[0].normals[v]))) /
                  morph.entry_count;
        off[2] +=
            (1.0 - (double)gt_vec3_dot(tangent, gt_quat_rotate(turn, gt_vec3(0.6f, 0.8f, 0.0f)))) / morph.entry_count;
    }
    assert_true(gt_quat_angle_rad(turn, gt_quat_identity()) > 1.0f);
    GT_EXPECT_NEAR(off[0], 0.0, 0.05);
    GT_EXPECT_NEAR(off[1], 0.0, 0.002); // 4 degrees
    GT_EXPECT_NEAR(off[2], 0.0, 0.01);  // 8 degrees: surfaces stretch
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    free(seen);
    free(seen_tangents);
    free(meshes);
    free(vertices);
    free(displacements);
    free(tangents);
}

// Mean over vertices of 1 - the cosine between their normals and the mean ones of their triangles.
static double normals_off(const GtMeshDef* mesh, const GtVec3* positions, const GtVec3* normals)
{
    GtVec3* sums = calloc((size_t)mesh->vertex_count, sizeof *sums);
    double off = 0.0;
    for (int32_t i = 0; i < mesh->index_count; ++i) {
        const uint32_t* c = &mesh->indices[i - i % 3];
        GtVec3 normal =
            gt_vec3_cross(gt_vec3_sub(positions[c[1]], positions[c[0]]), gt_vec3_sub(positions[c[2]], positions[c[0]]));
        sums[mesh->indices[i]] = gt_vec3_add(sums[mesh->indices[i]], normal);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        off += 1.0 - (double)gt_vec3_dot(gt_vec3_normalize_or(sums[v], normals[v]), normals[v]);
    }
    free(sums);
    return off / mesh->vertex_count;
}

static void normals_are_those_of_the_deformed_surface(void** state)
{
    (void)state;
    const GtMeshDef* mesh = &gt_character_def(subject.harmonic)->meshes[0];
    GtInstance* instance = make_instance(subject.harmonic);
    size_t count = (size_t)mesh->vertex_count;
    GtVec3* seen = push(2 * count, sizeof *seen);
    pose(instance, 1.0);
    gt_instance_deform(instance, 0, seen, seen + count, NULL);
    double rest = normals_off(mesh, mesh->positions, mesh->normals);
    double posed = normals_off(mesh, seen, seen + count);
    assert_true(normals_off(mesh, seen, mesh->normals) > 0.1); // they must follow
    GT_EXPECT_NEAR(posed, rest, 0.01);
    free(seen);
    gt_instance_destroy(instance);
}

// Sections come after whatever moves a mesh: where both skins have it in the same place, they do the same to it.
static void sections_lie_over_it_as_over_a_linear_skin(void** state)
{
    (void)state;
    GtError error;
    GtSculpt* sculpt = NULL;
    GtCharacter* characters[2] = { NULL, NULL };
    GtBuildDef build = gt_default_build_def();
    GtHarmonicCharacterDef def = gt_default_harmonic_character_def();
    GtVec3* seen = push(4 * (size_t)subject.vertex_count, sizeof *seen);
    GtVec3* plain = push((size_t)subject.vertex_count, sizeof *plain);
    GT_EXPECT_OK(gt_sculpt_preset(&subject.context, subject.scene, "muscles", &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_character(&subject.context, subject.scene, sculpt, &build, &characters[0], NULL, &error));
    def.character = characters[0];
    GT_EXPECT_OK(
        gt_harmonic_character(&subject.context, &subject.figure, subject.markers, &def, &characters[1], NULL, &error));
    for (int k = 0; k < 2; ++k) {
        GtInstance* instance = make_instance(characters[k]);
        for (int32_t i = 0; i < gt_section_value_count(characters[k]); ++i) {
            instance->section_values[i] += 0.01f * sinf((float)i);
        }
        int32_t hips = gt_character_find_node(characters[k], "hips");
        instance->pose[hips].rotation = gt_quat_from_axis_angle(gt_vec3(0.6f, 0.0f, 0.8f), 2.0f);
        gt_instance_update(instance);
        deform(instance, seen + 2 * k * subject.vertex_count, seen + (2 * k + 1) * subject.vertex_count, NULL);
        gt_section_reset(characters[k], instance->section_values);
        deform(instance, plain, NULL, NULL);
        assert_true(largest_distance(plain, seen + 2 * k * subject.vertex_count) > 0.002f); // they do something
        gt_instance_destroy(instance);
    }
    GT_EXPECT_NEAR(largest_distance(seen, seen + 2 * subject.vertex_count), 0.0, 1e-4);
    GT_EXPECT_NEAR(largest_distance(seen + subject.vertex_count, seen + 3 * subject.vertex_count), 0.0, 0.02);
    gt_character_destroy(characters[1]);
    gt_character_destroy(characters[0]);
    gt_sculpt_destroy(sculpt);
    free(seen);
    free(plain);
}

static void without_markers_the_weights_are_taken(void** state)
{
    (void)state;
    GtError error;
    static const GtDeformerData twice[] = { { GT_DEFORMER_SKIN, GT_SKIN_LINEAR },
                                            { GT_DEFORMER_HARMONIC, GT_SKIN_LINEAR } };
    GtCharacterDef def = *gt_character_def(subject.harmonic);
    GtCharacter* character = NULL;
    def.harmonic = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    assert_ptr_equal(character->stacks[0].steps[0], &gti_skin_linear);
    assert_int_equal(gt_instance_size(character), gt_instance_size(subject.linear));
    gt_character_destroy(character);
    def = *gt_character_def(subject.harmonic);
    GtMeshDef mesh = def.meshes[0];
    mesh.deformers = twice;
    mesh.deformer_count = 2;
    def.meshes = &mesh;
    GT_EXPECT_ERROR(gt_character_create(gt_default_allocator(), &def, &character, &error), GT_ERROR_BAD_VALUE,
                    "'harmonic skin' cannot come after 'linear skin'");
}

// A scene that was baked keeps its markers; the shapes that imitate the harmonic skin do nothing any more.
static void kept_markers_give_the_same_skin(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtHarmonicClip* clip = NULL;
    GtScene* baked = NULL;
    GtMarkers* markers = NULL;
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    GtHarmonicBakeDef bake = gt_default_harmonic_bake_def();
    bake.keep = subject.markers;
    GT_EXPECT_OK(gt_scene_markers(&context, subject.scene, &markers, &error));
    assert_null(markers);
    GT_EXPECT_OK(gt_harmonic_clip_create(&context, &subject.figure, subject.markers, &def, &clip, NULL, &error));
    GT_EXPECT_OK(gt_harmonic_clip_bake(&context, &subject.figure, clip, &bake, &baked, NULL, &error));
    gt_harmonic_clip_destroy(clip);
    GT_EXPECT_OK(gt_scene_markers(&context, baked, &markers, &error));
    assert_int_equal(markers->count, subject.markers->count);
    GtFigure figure;
    GtCharacter* harmonic = NULL;
    GT_EXPECT_OK(gt_figure_open(&context, baked, NULL, &figure, &error));
    GT_EXPECT_OK(gt_harmonic_character(&context, &figure, markers, NULL, &harmonic, NULL, &error));
    const GtMeshDef* mesh = &gt_character_def(harmonic)->meshes[0];
    assert_true(mesh->morph_count > 0 && figure.def->meshes[0].morphs[0].entry_count > 0);
    for (int32_t i = 0; i < mesh->morph_count; ++i) {
        assert_int_equal(mesh->morphs[i].entry_count, 0);
    }
    GtInstance* instance = make_instance(harmonic);
    GtInstance* wanted = make_instance(subject.harmonic);
    GtVec3* seen = push(2 * (size_t)subject.vertex_count, sizeof *seen);
    pose(wanted, 0.8);
    memcpy(instance->pose, wanted->pose, (size_t)gt_character_def(harmonic)->node_count * sizeof(GtTransform));
    instance->weights[0] = 1.0f;
    gt_instance_update(instance);
    deform(instance, seen, NULL, NULL);
    deform(wanted, seen + subject.vertex_count, NULL, NULL);
    GT_EXPECT_NEAR(largest_distance(seen, seen + subject.vertex_count), 0.0, 1e-5);
    free(seen);
    gt_instance_destroy(instance);
    gt_instance_destroy(wanted);
    gt_character_destroy(harmonic);
    gt_figure_close(&figure);
    gt_markers_destroy(markers);

    const GtBufferView* view = &baked->buffer_views[baked->animations[0].harmonic->view];
    ((uint8_t*)gt_blob_bytes(baked->buffers[view->buffer].blob))[view->offset + 4] ^= 1; // its version
    GT_EXPECT_OK(gt_scene_markers(&context, baked, &markers, &error));
    assert_null(markers);
    assert_int_equal(log.warning_count, 1);
    assert_non_null(strstr(log.text, "left out"));
    context.strict = true;
    GT_EXPECT_ERROR(gt_scene_markers(&context, baked, &markers, &error), GT_ERROR_STRICT, "another version");
    gt_scene_destroy(baked);
}

static void what_is_of_something_else_is_refused(void** state)
{
    (void)state;
    GtError error;
    GtScene* other = make_person(&subject.context, 3000);
    GtHarmonicCharacterDef def = gt_default_harmonic_character_def();
    GtFigure figure;
    GtCharacter* made = NULL;
    GT_EXPECT_OK(gt_figure_open(&subject.context, other, NULL, &figure, &error));
    GT_EXPECT_ERROR(gt_harmonic_character(&subject.context, &figure, subject.markers, NULL, &made, NULL, &error),
                    GT_ERROR_BAD_VALUE, "the markers are for a mesh of");
    def.character = figure.character;
    GT_EXPECT_ERROR(
        gt_harmonic_character(&subject.context, &subject.figure, subject.markers, &def, &made, NULL, &error),
        GT_ERROR_BAD_VALUE, "other nodes or meshes");
    assert_null(made);
    gt_figure_close(&figure);
    gt_scene_destroy(other);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = subject.context;
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result != GT_OK; ++allowed) {
        GtFigure figure;
        GtCharacter* made = NULL;
        memory.remaining = -1;
        GT_EXPECT_OK(gt_figure_open(&context, subject.scene, NULL, &figure, &error));
        memory.remaining = allowed;
        result = gt_harmonic_character(&context, &figure, subject.markers, NULL, &made, NULL, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_character_destroy(made);
        gt_figure_close(&figure);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(allowed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_those_of_the_clip_on_every_level),
        cmocka_unit_test(feet_and_hands_are_where_the_skin_has_them),
        cmocka_unit_test(the_bind_pose_is_the_mesh_wherever_it_stands),
        cmocka_unit_test(a_frame_depends_on_its_pose_alone_and_not_on_threads),
        cmocka_unit_test(frames_allocate_nothing),
        cmocka_unit_test(normals_tangents_and_shapes_go_along),
        cmocka_unit_test(normals_are_those_of_the_deformed_surface),
        cmocka_unit_test(sections_lie_over_it_as_over_a_linear_skin),
        cmocka_unit_test(without_markers_the_weights_are_taken),
        cmocka_unit_test(kept_markers_give_the_same_skin),
        cmocka_unit_test(what_is_of_something_else_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
