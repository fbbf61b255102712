// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The thread rules of the public headers, a case each: calls of a header run on several threads at once as its rule
// allows, objects that it calls immutable shared by all, everything else a thread's own. The oracle is the same work on
// one thread, whose results every thread must have; the thread sanitizer looks on.

#include "gertie/gertie.h"

#include "support/test.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    THREADS = 3
};

// What all threads share, and no one changes.
typedef struct World {
    GtContext context;
    GtScene* person; // rigged, with a face
    GtScene* bare;
    GtScene* walk;
    GtScene* walking; // the person, with a clip
    GtCharacter* character;
    GtClip* clip;
} World;

typedef uint64_t CaseFn(const World* world);

static uint64_t start(void)
{
    return 1469598103934665603u;
}

static uint64_t add_double(uint64_t hash, double value)
{
    return gt_hash_bytes(hash, &value, sizeof value);
}

static uint64_t add_blob(uint64_t hash, GtBlob* blob)
{
    hash = gt_hash_bytes(hash, gt_blob_bytes(blob), gt_blob_size(blob));
    gt_blob_release(blob);
    return hash;
}

static uint64_t add_scene(const World* world, uint64_t hash, GtScene* scene)
{
    GtError error;
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&world->context, scene, "glb", NULL, &blob, &error));
    gt_scene_destroy(scene);
    return add_blob(hash, blob);
}

static uint64_t do_maths(const World* world)
{
    (void)world;
    uint64_t hash = gt_hash_bytes(start(), gt_version(), strlen(gt_version()));
    char text[256];
    GtError error = { 0 };
    for (int i = 0; i < 200; ++i) {
        float t = (float)i / 200.0f;
        GtQuat q = gt_quat_slerp(gt_quat_identity(), gt_quat_from_axis_angle(gt_vec3(0.0f, 0.6f, 0.8f), 2.0f), t);
        GtDualQuat d =
            gt_dual_quat_mul(gt_dual_quat(q, gt_vec3(t, 1.0f, 2.0f)), gt_dual_quat(q, gt_vec3(0.0f, t, 0.0f)));
        GtTransform move = gt_transform(gt_dual_quat_translation(d), q, gt_vec3(1.0f, 2.0f, t + 0.5f));
        GtMat34 m = gt_mat34_mul(gt_mat34_from_transform(move), gt_mat34_identity());
        GtVec3 p = gt_mat34_point(&m, gt_vec3_cross(gt_vec3(1.0f, t, 0.0f), gt_vec3(0.0f, 1.0f, 1.0f)));
        hash = gt_hash_bytes(hash, &p, sizeof p);
        double value = 0.0;
        gt_print_double((double)t / 3.0e7, text);
        gt_parse_double(text, text + strlen(text), &value);
        hash = add_double(hash, value);
    }
    for (int i = 0; i < 50; ++i) {
        GtHumanoidJoint joint = (GtHumanoidJoint)(i % GT_HUMANOID_JOINT_COUNT);
        hash += (uint64_t)gt_humanoid_find(gt_humanoid_name(joint)) + (uint64_t)gt_arkit_find(gt_arkit_name(i));
        hash = gt_hash_bytes(hash, gt_simd_level_name(gt_simd_level()), 4);
        const GtFieldTable* table = gt_retarget_def_fields();
        GtRetargetDef def = gt_default_retarget_def();
        size_t offset = 0;
        const GtField* field = gt_field_find(table, "frame_rate", &offset);
        gt_field_print(field ? field : &table->fields[0], (char*)&def + offset, text, sizeof text);
        hash = gt_hash_bytes(hash, text, strlen(text));
        GtChannelAddress address;
        hash += gt_channel_parse(i % 2 ? "leftFoot.translation.y" : "no.such..thing", &address, &error);
        gt_error_format(&error, text, sizeof text);
        hash = gt_hash_bytes(hash, text, strlen(text));
    }
    return hash;
}

static uint64_t write_texts(const World* world)
{
    GtContext context = gt_default_context();
    GtArena arena = gt_arena_create(context.allocator);
    GtJsonWriter json = gt_json_create(&arena, 2);
    GtSurvey* survey = NULL;
    GtError error;
    GT_EXPECT_OK(gt_scene_survey(&context, world->walking, &survey, &error));
    gt_json_begin_object(&json);
    gt_survey_write(&json, survey);
    gt_json_end_object(&json);
    const char* written = gt_text_finish(&json.text);
    assert_non_null(written);
    char buffer[4096];
    GtText text = gt_text_in(buffer, sizeof buffer);
    gt_text_addf(&text, "%g of %d", 0.125, survey->joint_count);
    const char* finished = gt_text_finish(&text);
    uint64_t hash = gt_hash_bytes(start(), finished, strlen(finished));
    hash = gt_hash_bytes(hash, written, strlen(written));
    gt_text_destroy(&text);
    gt_survey_destroy(survey);
    gt_json_destroy(&json);
    gt_arena_destroy(&arena);
    return hash;
}

static uint64_t run_curves(const World* world)
{
    (void)world;
    static const float times[] = { 0.0f, 0.5f, 1.0f, 2.0f }, values[] = { 1.0f, 3.0f, -1.0f, 0.5f };
    static const float points[] = { 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f };
    GtError error;
    GtCurveDef def = gt_default_curve_def();
    def.component_count = 1;
    def.key_count = 4;
    def.times_s = times;
    def.values = values;
    GtCurve* curve = NULL;
    GT_EXPECT_OK(gt_curve_create(gt_default_allocator(), &def, &curve, &error));
    GtFormula* formula = NULL;
    GT_EXPECT_OK(gt_formula_create(gt_default_allocator(), "sin(t) + 0.5 * a", &formula, &error));
    GtBlendSpaceDef space_def = gt_default_blend_space_def();
    space_def.dimension = 2;
    space_def.point_count = 4;
    space_def.points = points;
    GtBlendSpace* space = NULL;
    GT_EXPECT_OK(gt_blend_space_create(gt_default_allocator(), &space_def, &space, &error));
    GtPhaseKeys phases = { .times_s = times, .key_count = 4 };
    GtLatticeDef lattice = gt_default_lattice_def();
    GtVec3* rest = malloc((size_t)gt_lattice_point_count(&lattice) * sizeof *rest);
    gt_lattice_rest(&lattice, rest);
    uint64_t hash = add_double(start(), gt_lattice_folds(&lattice, rest));
    for (int i = 0; i < 100; ++i) {
        double time_s = i / 50.0;
        double a = gt_time_phase(&phases, time_s);
        GtBlendWeights weights;
        float at[2] = { (float)i / 100.0f, 0.25f };
        gt_blend_space_eval(space, at, &weights);
        hash = add_double(hash, (double)gt_curve_number(curve, time_s) + gt_formula_eval(formula, time_s, &a));
        hash = add_double(hash, (double)weights.weights[0] + gt_loop_time(GT_LOOP_REPEAT, 0.0, 1.0, time_s, NULL));
    }
    free(rest);
    gt_blend_space_destroy(space);
    gt_formula_destroy(formula);
    gt_curve_destroy(curve);
    return hash;
}

static uint64_t play(const World* world)
{
    GtError error;
    GtInstance* instance = NULL;
    const GtCharacter* character = world->character;
    const GtCharacterDef* def = gt_character_def(character);
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &instance, &error));
    GtPoseMirror* mirror = NULL;
    int32_t* partners = malloc((size_t)def->node_count * sizeof *partners);
    gt_pose_find_partners(character, partners);
    GT_EXPECT_OK(gt_pose_mirror_create(gt_default_allocator(), character, partners, &mirror, &error));
    GtRootPath* path = NULL;
    GT_EXPECT_OK(gt_root_path_create(gt_default_allocator(), character, world->clip, NULL, &path, &error));
    GtTransform* poses = calloc((size_t)def->node_count * 2, sizeof *poses);
    int32_t vertex_count = def->meshes[0].vertex_count;
    GtVec3* positions = malloc((size_t)vertex_count * sizeof *positions);
    int32_t texel_count = gt_pose_texel_count(character, 0);
    float(*texels)[4] = calloc((size_t)texel_count + 1, sizeof *texels);
    uint64_t hash = start();
    for (int f = 0; f < 5; ++f) {
        double time_s = f / 10.0;
        GtCrowdMember member = { .instance = instance, .clip = world->clip, .time_s = time_s };
        GtExecutor serial = gt_serial_executor();
        gt_crowd_update(&serial, &member, 1);
        gt_clip_sample(world->clip, time_s, instance->pose, instance->weights);
        gt_pose_mirror(mirror, instance->pose, poses);
        GtBlendLayer layers[2] = { { .pose = instance->pose, .weight = 0.5f }, { .pose = poses, .weight = 0.5f } };
        GtBlendJob job = gt_default_blend_job();
        job.node_count = def->node_count;
        job.rest = def->rest;
        job.layers = layers;
        job.layer_count = 2;
        job.out = &poses[def->node_count];
        gt_blend(&job);
        memcpy(instance->pose, job.out, (size_t)def->node_count * sizeof *poses);
        gt_instance_update(instance);
        gt_instance_deform(instance, 0, positions, NULL, NULL);
        gt_pose_texels(instance, 0, texels);
        GtGroundMotion moved = gt_root_path_at(path, time_s);
        hash = gt_hash_bytes(hash, positions, (size_t)vertex_count * sizeof *positions);
        hash = gt_hash_bytes(hash, texels, (size_t)texel_count * sizeof *texels);
        hash = gt_hash_bytes(hash, &moved, sizeof moved);
    }
    GtIkAim aim = gt_default_ik_aim();
    int32_t head = def->humanoid ? def->node_count - 1 : 0;
    aim.nodes = &head;
    aim.node_count = 1;
    aim.target = gt_vec3(1.0f, 2.0f, 3.0f);
    hash = add_double(hash, (double)gt_ik_aim(character, &aim, instance->pose, instance->model_from_node));
    float base[6] = { 0, 1, 2, 3, 4, 5 }, shape[6] = { 1, 1, 1, 1, 1, 1 }, blended[6], weight = 0.5f;
    const float* shapes[1] = { shape };
    gt_shapes_blend(&(GtShapesBlend){ .point_count = 2,
                                      .component_count = 3,
                                      .base = base,
                                      .shape_count = 1,
                                      .shapes = shapes,
                                      .weights = &weight,
                                      .out = blended });
    hash = gt_hash_bytes(hash, blended, sizeof blended);
    free(texels);
    free(positions);
    free(poses);
    free(partners);
    gt_root_path_destroy(path);
    gt_pose_mirror_destroy(mirror);
    gt_instance_destroy(instance);
    return hash;
}

static uint64_t pack(const World* world)
{
    GtError error;
    GtClip* packed = NULL;
    GtBlob* blob = NULL;
    GtPack* opened = NULL;
    GT_EXPECT_OK(gt_clip_pack(&world->context, world->clip, world->character, NULL, &packed, NULL, &error));
    const GtClip* clips[] = { packed };
    GtPackDef def = gt_default_pack_def();
    def.character = world->character;
    def.clips = clips;
    def.clip_count = 1;
    GT_EXPECT_OK(gt_pack_write(world->context.allocator, &def, &blob, &error));
    GT_EXPECT_OK(gt_pack_open(world->context.allocator, gt_blob_bytes(blob), gt_blob_size(blob), &opened, &error));
    uint64_t hash = add_double(start(), gt_clip_end_s(gt_pack_clip(opened, 0)));
    gt_pack_close(opened);
    gt_clip_destroy(packed);
    return add_blob(hash, blob);
}

static void count_channel(void* user, const GtChannel* channel, const char* address)
{
    uint64_t* hash = user;
    (void)channel;
    *hash = gt_hash_bytes(*hash, address, strlen(address));
}

static uint64_t use_scenes(const World* world)
{
    GtError error;
    GtScene *copy = NULL, *frozen = NULL, *again = NULL;
    GtBlob* blob = NULL;
    GtInstance* instance = NULL;
    uint64_t hash = start();
    GT_EXPECT_OK(gt_channel_list(&world->context, world->walking, count_channel, &hash, &error));
    GT_EXPECT_OK(gt_scene_copy(&world->context, world->walking, &copy, &error));
    float time_s = 0.0f;
    int32_t node = 0, animation = 0;
    uint8_t paths = 1;
    GtTransform pose = gt_transform_identity();
    GtBakeDef bake = gt_default_bake_def();
    bake.name = "guest";
    bake.frame_count = 1;
    bake.times_s = &time_s;
    bake.node_count = 1;
    bake.nodes = &node;
    bake.paths = &paths;
    bake.poses = &pose;
    GT_EXPECT_OK(gt_scene_bake(&world->context, copy, &bake, &animation, &error));
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), world->character, &instance, &error));
    gt_instance_update(instance);
    GT_EXPECT_OK(gt_scene_freeze(&world->context, world->walking, instance, &frozen, &error));
    GT_EXPECT_OK(gt_scene_save_memory(&world->context, world->walking, "glb", NULL, &blob, &error));
    GT_EXPECT_OK(
        gt_scene_load_memory(&world->context, gt_blob_bytes(blob), gt_blob_size(blob), "a.glb", NULL, &again, &error));
    const GtPrimitive* primitive = &world->bare->meshes[0].primitives[0];
    int32_t accessor = gt_primitive_find(primitive, "POSITION");
    int32_t count = (int32_t)world->bare->accessors[accessor].count, welded = 0;
    GtVec3* positions = malloc((size_t)count * sizeof *positions);
    int32_t* points = malloc((size_t)count * 2 * sizeof *points);
    gt_accessor_read_floats(world->bare, accessor, 0, (uint64_t)count, &positions[0].x);
    GT_EXPECT_OK(gt_weld_vertices(&world->context, positions, count, 1e-4f, points, &points[count], &welded, &error));
    hash = gt_hash_bytes(hash, points, (size_t)count * sizeof *points);
    for (int32_t i = 0; i < world->walking->image_count; ++i) {
        GtBlob* image = NULL;
        GT_EXPECT_OK(gt_image_read(&world->context, world->walking, i, &image, &error));
        hash = add_blob(hash, image);
    }
    free(points);
    free(positions);
    gt_instance_destroy(instance);
    hash = add_blob(hash, blob);
    hash = add_scene(world, hash, again);
    hash = add_scene(world, hash, frozen);
    return add_scene(world, hash, copy);
}

static GtResult fill_points(void* user, int32_t frame, GtVec3* out, GtError* error)
{
    (void)error;
    out[0] = gt_vec3((float)frame, *(const float*)user, 0.0f);
    return GT_OK;
}

static uint64_t write_files(const World* world)
{
    GtError error;
    char folder[] = "/tmp/guest-XXXXXX";
    char path[64], name[64];
    assert_non_null(mkdtemp(folder));
    float x = 0.5f;
    GtPointCacheDef cache = gt_default_point_cache_def();
    cache.point_count = 1;
    cache.frame_count = 3;
    cache.fill = fill_points;
    cache.user = &x;
    snprintf(path, sizeof path, "%s/a.pc2", folder);
    GT_EXPECT_OK(gt_point_cache_save(&world->context, path, &cache, &error));
    uint64_t hash = gt_hash_file(start(), path);
    remove(path);
    snprintf(path, sizeof path, "%s/keys.json", folder);
    static const char keys[] = "{\"gertie_keys\": 1, \"rotations\": [{\"joint\": \"head\", \"keys\": "
                               "[{\"time_s\": 0, \"rotation_deg\": [0, 60, 0]}]}]}";
    GT_EXPECT_OK(gt_file_write(&world->context, path, keys, sizeof keys - 1, &error));
    GtHandKeys* loaded = NULL;
    GT_EXPECT_OK(gt_hand_keys_load(&world->context, world->walking, path, &loaded, &error));
    gt_hand_keys_destroy(loaded);
    const char* const motions[] = { folder };
    GtBatchListDef list_def = gt_default_batch_list_def();
    list_def.paths = motions;
    list_def.path_count = 1;
    list_def.output = folder;
    GtBatchList* list = NULL;
    gt_batch_list_create(&world->context, &list_def, &list, &error);
    gt_batch_list_destroy(list);
    remove(path);
    snprintf(name, sizeof name, "%s", folder);
    remove(name);
    return hash;
}

static uint64_t move(const World* world)
{
    GtError error;
    GtFigure source = { 0 }, target = { 0 };
    GtFigureDef first = gt_default_figure_def();
    first.animation = 0;
    GT_EXPECT_OK(gt_figure_open(&world->context, world->walk, &first, &source, &error));
    GT_EXPECT_OK(gt_figure_open(&world->context, world->person, NULL, &target, &error));
    GtRetarget* retarget = NULL;
    GT_EXPECT_OK(gt_retarget_create(&world->context, &source, &target, NULL, &retarget, &error));
    void* scratch = malloc(gt_retarget_scratch_size(retarget));
    GtTransform* pose = malloc((size_t)target.def->node_count * sizeof *pose);
    memcpy(pose, target.def->rest, (size_t)target.def->node_count * sizeof *pose);
    gt_retarget_pose(retarget, source.def->rest, pose, scratch);
    uint64_t hash = gt_hash_bytes(start(), pose, (size_t)target.def->node_count * sizeof *pose);
    GtContacts* contacts = NULL;
    GT_EXPECT_OK(gt_contacts_find(&world->context, &source, NULL, &contacts, &error));
    hash += gt_contacts_at(contacts, 0.3);
    GtGround* ground = NULL;
    float height_m = 0.0f;
    GT_EXPECT_OK(gt_ground_create(&world->context, world->bare, &ground, &error));
    hash += gt_ground_at(ground, 0.0f, 0.0f, &height_m);
    GtTake *take = NULL, *standing = NULL;
    GT_EXPECT_OK(gt_take_create(&world->context, world->walk, NULL, &take, &error));
    GT_EXPECT_OK(gt_take_plant(&world->context, take, world->walk, NULL, &standing, NULL, &error));
    hash = add_double(hash, gt_take_duration_s(standing) + (double)height_m);
    GtHumanoidMap map;
    GT_EXPECT_OK(gt_map_humanoid(&world->context, world->person, NULL, &map, NULL, &error));
    hash = gt_hash_bytes(hash, &map.nodes, sizeof map.nodes);
    gt_take_destroy(standing);
    gt_take_destroy(take);
    gt_ground_destroy(ground);
    gt_contacts_destroy(contacts);
    free(pose);
    free(scratch);
    gt_retarget_destroy(retarget);
    gt_figure_close(&target);
    gt_figure_close(&source);
    return hash;
}

static uint64_t make_bodies(const World* world)
{
    GtError error;
    GtScene *body = NULL, *motion = NULL, *rigged = NULL, *animated = NULL;
    GtPersonDef person = gt_random_person_def(3);
    person.triangle_count = 2000;
    person.scan.bare = true;
    GT_EXPECT_OK(gt_sample_person(&world->context, &person, &body, NULL, &error));
    GtMotionDef kick = gt_default_motion_def(GT_MOTION_KICK);
    GT_EXPECT_OK(gt_sample_motion(&world->context, &kick, &motion, NULL, &error));
    GT_EXPECT_OK(gt_rig(&world->context, body, NULL, &rigged, NULL, &error));
    GT_EXPECT_OK(gt_animate(&world->context, world->bare, world->walk, NULL, &animated, NULL, &error));
    gt_scene_destroy(body);
    uint64_t hash = add_scene(world, start(), motion);
    hash = add_scene(world, hash, rigged);
    hash = add_scene(world, hash, animated);
    GT_EXPECT_OK(gt_motion_load(&world->context, gt_motion_library_at(3)->name, NULL, &motion, &error));
    return add_scene(world, hash, motion);
}

static uint64_t spread_fields(const World* world)
{
    GtError error;
    GtFigure figure = { 0 }, other = { 0 };
    GtFigureDef first = gt_default_figure_def();
    first.animation = 0;
    GT_EXPECT_OK(gt_figure_open(&world->context, world->walking, &first, &figure, &error));
    GT_EXPECT_OK(gt_figure_open(&world->context, world->bare, NULL, &other, &error));
    GtMarkers* markers = NULL;
    GtHarmonicClip *clip = NULL, *driven = NULL;
    GtCharacter* character = NULL;
    GtScene *baked = NULL, *scene = NULL;
    GT_EXPECT_OK(gt_markers_find(&world->context, &figure, NULL, &markers, NULL, &error));
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    def.rate_hz = 5.0;
    GT_EXPECT_OK(gt_harmonic_clip_create(&world->context, &figure, markers, &def, &clip, NULL, &error));
    GT_EXPECT_OK(gt_harmonic_clip_bake(&world->context, &figure, clip, NULL, &baked, NULL, &error));
    GT_EXPECT_OK(gt_harmonic_character(&world->context, &figure, markers, NULL, &character, NULL, &error));
    uint64_t hash = add_double(start(), gt_harmonic_skin_point_count(character));
    GtMeshTemplateDef mesh = gt_default_mesh_template_def();
    GtResult result =
        gt_mesh_template_clip(&world->context, &figure, &other, &mesh, &scene, &driven, NULL, NULL, &error);
    hash += result; // without pairs of triangles it may be refused: the same on each thread
    gt_scene_destroy(scene);
    gt_harmonic_clip_destroy(driven);
    gt_character_destroy(character);
    gt_harmonic_clip_destroy(clip);
    gt_markers_destroy(markers);
    gt_figure_close(&other);
    gt_figure_close(&figure);
    return add_scene(world, hash, baked);
}

// A tetrahedron that turns.
static uint64_t solve_harmonic(const World* world)
{
    static const GtVec3 positions[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const uint32_t indices[] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    GtHarmonicMarker markers[2] = { { .triangle = GT_NONE, .point = { 0, 0, 0 }, .radius = 0.1f },
                                    { .triangle = GT_NONE, .point = { 0, 1, 0 }, .radius = 0.1f } };
    GtError error;
    GtHarmonicDef def = gt_default_harmonic_def();
    def.positions = positions;
    def.vertex_count = 4;
    def.indices = indices;
    def.triangle_count = 4;
    def.markers = markers;
    def.marker_count = 2;
    GtHarmonic* harmonic = NULL;
    GT_EXPECT_OK(gt_harmonic_create(&world->context, &def, &harmonic, NULL, &error));
    GtQuat rotations[2] = { gt_quat_identity(), gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), 0.5f) };
    GtVec3 out[4];
    GtHarmonicFrame frame = { .rotations = rotations, .anchor = gt_harmonic_anchor(harmonic), .positions = out };
    void* scratch = aligned_alloc(64, (gt_harmonic_pose_scratch_size(harmonic) + 63) / 64 * 64 + 64);
    gt_harmonic_pose(harmonic, &frame, NULL, scratch);
    uint64_t hash = gt_hash_bytes(start(), out, sizeof out);
    free(scratch);
    gt_harmonic_destroy(harmonic);
    return hash;
}

static uint64_t sculpt_shapes(const World* world)
{
    GtError error;
    GtSculpt* sculpt = NULL;
    GtCharacter* character = NULL;
    GtDrivers* drivers = NULL;
    GtDriversState* state = NULL;
    GtFace* face = NULL;
    GT_EXPECT_OK(gt_sculpt_preset(&world->context, world->walking, "muscles,jiggle", &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_character(&world->context, world->walking, sculpt, NULL, &character, NULL, &error));
    GT_EXPECT_OK(gt_sculpt_drivers(&world->context, world->walking, sculpt, character, &drivers, &error));
    GT_EXPECT_OK(gt_drivers_state_create(gt_default_allocator(), drivers, &state, &error));
    gt_drivers_reset(state);
    GtJiggleDef jiggle = gt_default_jiggle_def();
    uint64_t hash = add_double(start(), gt_section_value_count(character) + (double)jiggle.frequency_hz);
    GT_EXPECT_OK(gt_face_create(&world->context, world->walking, &face, &error));
    GtShapeRegions* regions = NULL;
    hash += gt_shape_regions_find(&world->context, world->walking, 0, NULL, &regions, &error);
    hash += (uint64_t)gt_shapes_vertex_count(world->walking, 0);
    GtTrackSet* tracks = NULL;
    GtTrackSetDef none = { .character = character };
    GtResult made = gt_track_set_create(gt_default_allocator(), &none, &tracks, &error);
    hash += made;
    gt_track_set_destroy(tracks);
    gt_shape_regions_destroy(regions);
    gt_face_destroy(face);
    gt_drivers_state_destroy(state);
    gt_drivers_destroy(drivers);
    gt_character_destroy(character);
    gt_sculpt_destroy(sculpt);
    return hash;
}

static uint64_t measure_and_plot(const World* world)
{
    GtError error;
    GtMeasure* measure = NULL;
    GtMeasureDef def = gt_default_measure_def();
    def.mesh_frame_count = 2;
    GT_EXPECT_OK(gt_measure(&world->context, world->walking, &def, &measure, &error));
    GtMeasureReport report = { .measure = measure, .scene = world->walking, .file = "a.glb", .clip_name = "walk" };
    static _Thread_local char buffer[1 << 16];
    GtText text = gt_text_in(buffer, sizeof buffer);
    gt_measure_table_add(&text, &report);
    uint64_t hash = gt_hash_bytes(start(), buffer, strlen(gt_text_finish(&text)));
    gt_text_destroy(&text);
    const char* const addresses[] = { "hips.position.y" };
    GtPlotSeriesSet* set = NULL;
    GT_EXPECT_OK(gt_plot_series_sample(&world->context, world->walk, addresses, 1, NULL, &set, &error));
    gt_plot_series_set_destroy(set);
    GtPicture picture;
    GtBlob* png = NULL;
    GT_EXPECT_OK(gt_picture_create(gt_default_allocator(), 40, 30, &picture, &error));
    memset(picture.rgba, 100, 40 * 30 * 4);
    GT_EXPECT_OK(gt_picture_encode_png(&world->context, &picture, &png, &error));
    gt_picture_destroy(&picture);
    gt_measure_destroy(measure);
    return add_blob(hash, png);
}

// One header each; three include others. Those that draw are in guest_draw_test.c.
static const struct {
    const char* header;
    CaseFn* run;
} cases[] = {
    { "api", do_maths },
    { "error", do_maths },
    { "simd", do_maths },
    { "number", do_maths },
    { "vec", do_maths },
    { "quat", do_maths },
    { "mat34", do_maths },
    { "transform", do_maths },
    { "dual_quat", do_maths },
    { "humanoid", do_maths },
    { "field", do_maths },
    { "channel", use_scenes },
    { "expression", do_maths },
    { "memory", write_texts },
    { "context", write_texts },
    { "json_write", write_texts },
    { "text", write_texts },
    { "survey", write_texts },
    { "curve", run_curves },
    { "formula", run_curves },
    { "blend_space", run_curves },
    { "lattice", run_curves },
    { "playback", run_curves },
    { "interpolation", play },
    { "deformer", play },
    { "executor", play },
    { "blend", play },
    { "character", play },
    { "clip", play },
    { "crowd", play },
    { "ik", play },
    { "instance", play },
    { "pose", play },
    { "root_path", play },
    { "shader", play },
    { "shape_blend", play },
    { "build", pack },
    { "clip_pack", pack },
    { "pack", pack },
    { "pack_write", pack },
    { "runtime", pack },
    { "accessor", use_scenes },
    { "bake", use_scenes },
    { "file", use_scenes },
    { "freeze", use_scenes },
    { "image", use_scenes },
    { "scene", use_scenes },
    { "scene_library", use_scenes },
    { "surface", use_scenes },
    { "batch", write_files },
    { "hand_keys", write_files },
    { "point_cache", write_files },
    { "contact", move },
    { "figure", move },
    { "ground", move },
    { "map", move },
    { "plant", move },
    { "retarget", move },
    { "take", move },
    { "animate", make_bodies },
    { "gertie", make_bodies },
    { "motions", make_bodies },
    { "motion_library", make_bodies },
    { "person", make_bodies },
    { "rig", make_bodies },
    { "harmonic", solve_harmonic },
    { "harmonic_frame", solve_harmonic },
    { "harmonic_character", spread_fields },
    { "harmonic_clip", spread_fields },
    { "harmonic_skin", spread_fields },
    { "markers", spread_fields },
    { "mesh_template", spread_fields },
    { "drivers", sculpt_shapes },
    { "jiggle", sculpt_shapes },
    { "sculpt", sculpt_shapes },
    { "section", sculpt_shapes },
    { "shape_controls", sculpt_shapes },
    { "shape_regions", sculpt_shapes },
    { "shapes", sculpt_shapes },
    { "track", sculpt_shapes },
    { "measure", measure_and_plot },
    { "measure_report", measure_and_plot },
    { "picture", measure_and_plot },
    { "plot", measure_and_plot },
};

typedef struct Guest {
    const World* world;
    CaseFn* run;
    uint64_t hash;
} Guest;

static void* run_guest(void* user)
{
    Guest* guest = user;
    guest->hash = guest->run(guest->world);
    return NULL;
}

static void build_world(World* world)
{
    GtError error;
    *world = (World){ .context = gt_default_context() };
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 2000;
    GT_EXPECT_OK(gt_sample_person(&world->context, &person, &world->person, NULL, &error));
    person.scan.bare = true;
    GT_EXPECT_OK(gt_sample_person(&world->context, &person, &world->bare, NULL, &error));
    GtMotionDef walk = gt_default_motion_def(GT_MOTION_WALK);
    GT_EXPECT_OK(gt_sample_motion(&world->context, &walk, &world->walk, NULL, &error));
    GtAnimateDef animate = gt_default_animate_def();
    animate.retarget.frame_rate_hz = 10.0;
    animate.method = GT_ANIMATE_SKIN;
    GT_EXPECT_OK(gt_animate(&world->context, world->person, world->walk, &animate, &world->walking, NULL, &error));
    GT_EXPECT_OK(gt_character_build(&world->context, world->walking, NULL, &world->character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&world->context, world->walking, 0, world->character, &world->clip, &error));
}

static void headers_keep_their_thread_rules(void** state)
{
    (void)state;
    World world;
    build_world(&world);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        if (c > 0 && cases[c].run == cases[c - 1].run) { // headers of one case, side by side
            continue;
        }
        uint64_t alone = cases[c].run(&world);
        Guest guests[THREADS];
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; ++t) {
            guests[t] = (Guest){ &world, cases[c].run, 0 };
            assert_int_equal(pthread_create(&threads[t], NULL, run_guest, &guests[t]), 0);
        }
        for (int t = 0; t < THREADS; ++t) {
            pthread_join(threads[t], NULL);
            if (guests[t].hash != alone) {
                fail_msg("gertie/%s.h: thread %d has another result", cases[c].header, t);
            }
        }
    }
    gt_clip_destroy(world.clip);
    gt_character_destroy(world.character);
    gt_scene_destroy(world.walking);
    gt_scene_destroy(world.walk);
    gt_scene_destroy(world.bare);
    gt_scene_destroy(world.person);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_keep_their_thread_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
