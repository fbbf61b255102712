// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// gait CHARACTER.gtp [WALK RUN]
//
// A character that goes as fast as it is told, as in a game: a blend space mixes its walk and its run by speed, their
// steps fall together though they are not equally long, every footstep is an event, and the mixed way over the ground
// moves the character. Here the speed rises from that of the walk to that of the run within six seconds. Any packed
// humanoid with two such clips. Links libgertie-runtime alone; the loop over frames allocates nothing.

#include <gertie/runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GAIT_COUNT = 2,
    MAX_STEPS = 64,
    FRAMES_A_SECOND = 60,
    SECONDS = 6
};

// A clip and what there is to know of it: where it goes, how fast, and when which foot is ahead.
typedef struct Gait {
    const GtClip* clip;
    GtRootPath* path;
    GtTransform* pose;
    float speed_mps;
    float left_s[MAX_STEPS + 1]; // when the left foot is farthest ahead; the last is the first one of the next cycle
    int32_t left_count;
    double right_s; // when the right one is, after the first of these
    GtPhaseKeys keys;
} Gait;

static void check(GtResult result, const GtError* error)
{
    if (result != GT_OK) {
        fprintf(stderr, "gait: %s: %s\n", gt_result_name(result), error->message);
        exit(EXIT_FAILURE);
    }
}

static void* read_file(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    void* bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = aligned_alloc(16, (*size + 15) / 16 * 16);
        if (bytes && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

// How far the left foot is ahead of the right one, along the heading of the moment.
static float lead(const Gait* gait, const GtHumanoidMap* map, GtInstance* instance, double time_s)
{
    gt_instance_reset(instance);
    gt_clip_sample(gait->clip, time_s, instance->pose, NULL);
    gt_root_path_remove(gait->path, time_s, instance->pose);
    gt_instance_update(instance);
    return instance->model_from_node[map->nodes[GT_HUMANOID_LEFT_FOOT]].m[2][3] -
           instance->model_from_node[map->nodes[GT_HUMANOID_RIGHT_FOOT]].m[2][3];
}

// Steps are where one foot is as far ahead as it gets before the other one is: the same moments in every gait. Over one
// cycle, from a moment on at which the left foot comes to be ahead.
static void find_steps(Gait* gait, const GtHumanoidMap* map, GtInstance* instance)
{
    double start_s = gt_clip_start_s(gait->clip), length_s = gt_clip_end_s(gait->clip) - start_s;
    int count = (int)(length_s * 120.0) + 3, first = -1;
    float before = 1.0f, farthest = 0.0f;
    for (int i = 0; i < 2 * count && (first < 0 || i < first + count) && gait->left_count < MAX_STEPS; ++i) {
        double time_s = start_s + length_s * i / count;
        double clip_s = gt_loop_time(GT_LOOP_REPEAT, start_s, start_s + length_s, time_s - start_s, NULL);
        float ahead = lead(gait, map, instance, clip_s);
        bool changed = (ahead > 0.0f) != (before > 0.0f);
        first = first < 0 && changed && ahead > 0.0f ? i : first;
        before = ahead;
        if (first >= 0 && (changed || fabsf(ahead) > farthest)) {
            farthest = fabsf(ahead);
            gait->left_count += changed && ahead > 0.0f;
            if (ahead > 0.0f) {
                gait->left_s[gait->left_count - 1] = (float)time_s;
            } else if (gait->left_count == 1) {
                gait->right_s = time_s;
            }
        }
    }
    gait->left_s[gait->left_count] = gait->left_s[0] + (float)length_s;
    gait->keys = (GtPhaseKeys){ gait->left_s, gait->left_count + 1, true };
}

static void open_gait(const GtPack* pack, const char* name, int32_t number, GtInstance* instance, Gait* gait)
{
    GtError error;
    *gait = (Gait){ .clip = name ? gt_pack_find_clip(pack, name) : NULL };
    if (!name && number < gt_pack_clip_count(pack)) {
        gait->clip = gt_pack_clip(pack, number);
    }
    if (!gait->clip) {
        fprintf(stderr, "gait: there is no clip %s\n", name ? name : "to walk or run by");
        exit(EXIT_FAILURE);
    }
    const GtCharacterDef* def = gt_character_def(gt_pack_character(pack));
    GtRootPathDef root = gt_default_root_path_def();
    root.node = def->humanoid->nodes[GT_HUMANOID_HIPS];
    check(gt_root_path_create(gt_default_allocator(), gt_pack_character(pack), gait->clip, &root, &gait->path, &error),
          &error);
    GtGroundMotion first = gt_root_path_at(gait->path, gt_clip_start_s(gait->clip));
    GtGroundMotion last = gt_root_path_at(gait->path, gt_clip_end_s(gait->clip));
    float length_s = (float)(gt_clip_end_s(gait->clip) - gt_clip_start_s(gait->clip));
    gait->speed_mps = gt_vec3_length(gt_vec3_sub(last.position, first.position)) / length_s;
    gait->pose = aligned_alloc(16, (size_t)def->node_count * sizeof *gait->pose);
    find_steps(gait, def->humanoid, instance);
    check(gt_phase_keys_check(&gait->keys, &error), &error);
}

// Which gaits stand where in the blend space, and which are neighbours.
static GtBlendSpace* join_gaits(const Gait* gaits)
{
    GtError error;
    GtBlendSpace* space = NULL;
    const float speeds[GAIT_COUNT] = { gaits[0].speed_mps, gaits[1].speed_mps };
    GtBlendSpaceDef def = gt_default_blend_space_def();
    def.dimension = 1;
    def.point_count = GAIT_COUNT;
    def.points = speeds;
    check(gt_blend_space_create(gt_default_allocator(), &def, &space, &error), &error);
    for (int32_t i = 0; i < gt_blend_space_simplex_count(space); ++i) {
        int32_t corners[GT_BLEND_SPACE_MAX_CORNERS];
        gt_blend_space_simplex(space, i, corners);
        printf("from %.2f to %.2f m/s: %s to %s\n", (double)speeds[corners[0]], (double)speeds[corners[1]],
               gt_clip_name(gaits[corners[0]].clip), gt_clip_name(gaits[corners[1]].clip));
    }
    printf("the right foot is ahead at %.2f s of the first and at %.2f s of the second\n", gaits[0].right_s,
           gt_time_warp(&gaits[0].keys, &gaits[1].keys, gaits[0].right_s));
    return space;
}

// Sample both gaits at a phase, and mix their poses and their ways to the next one.
static GtGroundMotion step_gaits(const Gait* gaits, const float* weights, double phase, double next,
                                 GtInstance* instance)
{
    GtBlendLayer layers[GAIT_COUNT];
    GtGroundMotion way = { { 0.0f, 0.0f, 0.0f }, 0.0f };
    const GtCharacterDef* def = gt_character_def(instance->character);
    for (int i = 0; i < GAIT_COUNT; ++i) {
        const Gait* gait = &gaits[i];
        double start_s = gt_clip_start_s(gait->clip), end_s = gt_clip_end_s(gait->clip);
        double from_s = gt_phase_time(&gait->keys, phase) - start_s, to_s = gt_phase_time(&gait->keys, next) - start_s;
        double clip_s = gt_loop_time(GT_LOOP_REPEAT, start_s, end_s, from_s, NULL);
        for (int32_t n = 0; n < def->node_count; ++n) {
            gait->pose[n] = def->rest[n];
        }
        gt_clip_sample(gait->clip, clip_s, gait->pose, NULL);
        gt_root_path_remove(gait->path, clip_s, gait->pose);
        layers[i] = (GtBlendLayer){ gait->pose, weights[i], NULL };
        GtGroundMotion own = gt_root_path_delta(gait->path, from_s, to_s, true);
        way.position = gt_vec3_add(way.position, gt_vec3_scale(own.position, weights[i]));
        way.heading_rad += weights[i] * own.heading_rad;
    }
    GtBlendJob job = gt_default_blend_job();
    job.node_count = def->node_count;
    job.rest = def->rest;
    job.layers = layers;
    job.layer_count = GAIT_COUNT;
    job.out = instance->pose;
    gt_blend(&job);
    gt_instance_update(instance);
    return way;
}

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: gait CHARACTER.gtp [WALK RUN]\n");
        return 2;
    }
    size_t size = 0;
    void* bytes = read_file(argv[1], &size);
    if (!bytes) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    GtError error;
    GtPack* pack = NULL;
    GtInstance* instance = NULL;
    check(gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error), &error);
    check(gt_instance_create(gt_default_allocator(), gt_pack_character(pack), &instance, &error), &error);
    if (!gt_character_def(gt_pack_character(pack))->humanoid) {
        fprintf(stderr, "gait: %s does not say which joint is which: pack what 'gertie animate' wrote\n", argv[1]);
        return EXIT_FAILURE;
    }
    Gait gaits[GAIT_COUNT];
    for (int i = 0; i < GAIT_COUNT; ++i) {
        open_gait(pack, argc == 4 ? argv[2 + i] : NULL, i, instance, &gaits[i]);
    }
    if (gaits[0].left_count != gaits[1].left_count) {
        fprintf(stderr, "gait: %d strides cannot be in step with %d\n", (int)gaits[0].left_count,
                (int)gaits[1].left_count);
        return EXIT_FAILURE;
    }
    GtBlendSpace* space = join_gaits(gaits);

    // Each frame. Phases count strides: a left foot at every whole number, a right one in between.
    double right_phase = gt_time_phase(&gaits[0].keys, gaits[0].right_s);
    const GtClipEvent events[2] = { { 0.0, 0 }, { right_phase, 1 } };
    const GtPhaseKeys keys[GAIT_COUNT] = { gaits[0].keys, gaits[1].keys };
    GtGroundMotion place = { { 0.0f, 0.0f, 0.0f }, 0.0f };
    double phase = 0.0, wanted_m = 0.0;
    for (int frame = 0; frame < SECONDS * FRAMES_A_SECOND; ++frame) {
        float share = (float)frame / (SECONDS * FRAMES_A_SECOND);
        float speed_mps = gaits[0].speed_mps + share * (gaits[1].speed_mps - gaits[0].speed_mps);
        GtBlendWeights at;
        float weights[GAIT_COUNT] = { 0.0f, 0.0f };
        gt_blend_space_eval(space, &speed_mps, &at);
        for (int32_t i = 0; i < at.count; ++i) {
            weights[at.points[i]] = at.weights[i];
        }
        double next = phase + gt_phase_rate(keys, weights, GAIT_COUNT, phase) / FRAMES_A_SECOND;
        place = gt_ground_motion_add(place, step_gaits(gaits, weights, phase, next, instance));
        wanted_m += (double)speed_mps / FRAMES_A_SECOND;

        GtEventHit hits[4];
        GtPlayStep step = { GT_LOOP_REPEAT, 0.0, 1.0, phase, next, frame == 0 };
        int32_t count = gt_events_in_step(events, 2, &step, hits, 4);
        for (int32_t i = 0; i < count; ++i) {
            printf("%.2f s: %s foot, %.2f m on, %.2f m/s\n", (double)frame / FRAMES_A_SECOND,
                   events[hits[i].event].id ? "right" : "left", (double)gt_vec3_length(place.position),
                   (double)speed_mps);
        }
        phase = next;
    }
    printf("%.2f m in %d s, %.2f m wanted\n", (double)gt_vec3_length(place.position), SECONDS, wanted_m);

    gt_blend_space_destroy(space);
    for (int i = 0; i < GAIT_COUNT; ++i) {
        gt_root_path_destroy(gaits[i].path);
        free(gaits[i].pose);
    }
    gt_instance_destroy(instance);
    gt_pack_close(pack);
    free(bytes);
    return EXIT_SUCCESS;
}
