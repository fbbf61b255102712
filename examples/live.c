// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Plays a sculpted character live, as a game does: frame by frame, with nothing known of the frames to come. Muscles
// follow the joints, flesh swings, and controls are what the command line says. A section can be taken out altogether:
//   gertie deform hero.glb --preset muscles,jiggle -o sculpted.glb && gertie pack sculpted.glb sculpted.gtp
//   live sculpted.gtp control:leftBiceps=1 section:rightUpperArm=0
// Links libgertie-runtime alone.

#include <gertie/drivers.h>
#include <gertie/instance.h>
#include <gertie/pack.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_A_SECOND = 60
};

// The bytes of a file, or NULL.
static void* read_file(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    void* bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = malloc(*size + 1);
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

// How much of each section is felt, where the command line says so.
typedef struct Blends {
    int32_t values[16]; // indices of section values
    float wanted[16];
    int count;
} Blends;

// control:NAME=VALUE or section:NAME=VALUE
static int set_value(GtDriversState* state, const GtCharacter* character, const char* text, Blends* blends)
{
    char name[256];
    float value = 0.0f;
    bool is_whole = sscanf(text, "%255[^=]=%f", name, &value) == 2;
    bool is_section = is_whole && strncmp(name, "section:", 8) == 0;
    int32_t index = is_section ? gt_section_find(character, name + 8)
                    : is_whole ? gt_drivers_find(state->drivers, name)
                               : GT_NONE;
    if (index == GT_NONE || (is_section && blends->count == 16)) {
        fprintf(stderr, "%s: there is no such control or section\n", text);
        return 0;
    }
    if (is_section) {
        blends->values[blends->count] = gt_section_first_value(character, index); // b comes first
        blends->wanted[blends->count++] = value;
    } else {
        state->given[index] = value; // until it is NaN again
    }
    return 1;
}

// How far, at most, lattices that are moved have the skin from where lattices at rest have it.
static double farthest_mm(GtInstance* instance, GtVec3* moved, GtVec3* still)
{
    GtDeformJob at_rest = {
        .character = instance->character,
        .model_from_node = instance->model_from_node,
        .weights = instance->weights,
        .out_positions = still,
        .scratch = instance->scratch,
    };
    gt_instance_deform(instance, 0, moved, NULL, NULL); // what a game draws
    gt_deform(&at_rest);
    float most_m = 0.0f;
    for (int32_t i = 0; i < gt_character_def(instance->character)->meshes[0].vertex_count; ++i) {
        float off_m = gt_vec3_length(gt_vec3_sub(moved[i], still[i]));
        most_m = off_m > most_m ? off_m : most_m;
    }
    return 1000.0 * (double)most_m;
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: live CHARACTER.gtp [control:NAME=VALUE...]\n");
        return 2;
    }
    size_t size = 0;
    void* bytes = read_file(argv[1], &size);
    if (!bytes) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }

    // Once: a pack has the set of drivers, each living copy a state of its own beside its instance.
    GtError error;
    GtAllocator allocator = gt_default_allocator();
    GtPack* pack = NULL;
    GtInstance* instance = NULL;
    GtDriversState* state = NULL;
    if (gt_pack_open(allocator, bytes, size, &pack, &error) != GT_OK ||
        gt_instance_create(allocator, gt_pack_character(pack), &instance, &error) != GT_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], error.message);
        return EXIT_FAILURE;
    }
    const GtDrivers* drivers = gt_pack_drivers(pack);
    const GtCharacterDef* character = gt_character_def(gt_pack_character(pack));
    if (!drivers || gt_pack_clip_count(pack) == 0 || character->mesh_count == 0) {
        fprintf(stderr, "%s: needs a mesh, a clip and something that drives it\n", argv[1]);
        return EXIT_FAILURE;
    }
    void* memory = aligned_alloc(16, (gt_drivers_state_size(drivers) + 15) / 16 * 16); // wherever the game likes
    if (!memory) {
        fprintf(stderr, "live: out of memory\n");
        return EXIT_FAILURE;
    }
    state = gt_drivers_state_init(drivers, memory);
    Blends blends = { .count = 0 };
    for (int i = 2; i < argc; ++i) {
        if (!set_value(state, gt_pack_character(pack), argv[i], &blends)) {
            return EXIT_FAILURE;
        }
    }
    const GtDriversDef* def = gt_drivers_def(drivers);
    printf("%d sections of %d values, %d drivers, %d springs, %zu bytes beside an instance\n",
           (int)character->section_count, (int)gt_section_value_count(gt_pack_character(pack)), (int)def->track_count,
           (int)def->jiggle_count, gt_drivers_state_size(drivers));

    // Each frame: whatever poses the character, then its drivers, then its vertices.
    size_t room = sizeof(GtVec3) * ((size_t)character->meshes[0].vertex_count + 1);
    GtVec3* moved = malloc(room);
    GtVec3* still = malloc(room);
    const GtClip* clip = gt_pack_clip(pack, 0);
    GtDriversFrame frame = gt_default_drivers_frame();
    gt_drivers_reset(state); // after every cut, and here before the first frame, springs are at rest
    for (int i = 0; moved && still; ++i) {
        frame.time_s = (double)i / FRAMES_A_SECOND;
        frame.step_s = 1.0 / FRAMES_A_SECOND; // by the game's clock: frames need not be even
        if (gt_clip_start_s(clip) + frame.time_s > gt_clip_end_s(clip)) {
            break;
        }
        gt_instance_reset(instance);
        gt_clip_sample(clip, gt_clip_start_s(clip) + frame.time_s, instance->pose, instance->weights);
        gt_drivers_step(&frame, state, instance);
        for (int k = 0; k < blends.count; ++k) { // what else section values should be comes after the step
            instance->section_values[blends.values[k]] = blends.wanted[k];
        }
        if (i % (FRAMES_A_SECOND / 2) == 0) {
            printf("%.1f s: lattices move the skin by up to %.2f mm\n", frame.time_s,
                   farthest_mm(instance, moved, still));
        }
    }

    free(moved);
    free(still);
    free(memory);
    gt_instance_destroy(instance);
    gt_pack_close(pack);
    free(bytes);
    return EXIT_SUCCESS;
}
