// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Whether mutations that know a format are worth it: of each seed in folders, many mutants of three changes each are
// made, with the structure and, for comparison, with random bytes, and read. Fails where less than a third of those by
// structure are read, or too few more than by bytes.

#include "mutate.h"

#include "gertie/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MUTANTS = 100, // of each seed
    CHANGES = 3,
    CAPACITY = 1 << 17
};

typedef struct Shares {
    int made;
    int read_by_structure;
    int read_by_bytes;
} Shares;

static size_t mutate_bytes(uint8_t* data, size_t size, unsigned seed)
{
    FuzzRandom random = fuzz_random(seed);
    size_t at = fuzz_choose(&random, (uint32_t)size);
    uint32_t kind = fuzz_choose(&random, 3);
    if (kind == 0 && size > 1) {
        memmove(data + at, data + at + 1, size - at - 1);
        return size - 1;
    }
    if (kind == 1 && size < CAPACITY) {
        memmove(data + at + 1, data + at, size - at);
        ++size;
    }
    data[at] = (uint8_t)fuzz_choose(&random, 256);
    return size;
}

static bool reads(const uint8_t* data, size_t size)
{
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    bool read = gt_scene_load_memory(&context, data, size, NULL, NULL, &scene, NULL) == GT_OK;
    gt_scene_destroy(scene);
    return read;
}

static void try_seed(const uint8_t* seed, size_t seed_size, size_t (*mutate)(uint8_t*, size_t, size_t, unsigned),
                     Shares* shares)
{
    uint8_t* mutant = malloc(CAPACITY);
    for (unsigned i = 0; mutant && i < MUTANTS; ++i) {
        size_t size = seed_size;
        memcpy(mutant, seed, size);
        for (unsigned k = 0; k < CHANGES; ++k) {
            size_t changed = mutate(mutant, size, CAPACITY, i * CHANGES + k);
            size = changed ? changed : size;
        }
        shares->read_by_structure += reads(mutant, size);
        size = seed_size;
        memcpy(mutant, seed, size);
        for (unsigned k = 0; k < CHANGES; ++k) {
            size = mutate_bytes(mutant, size, i * CHANGES + k);
        }
        shares->read_by_bytes += reads(mutant, size);
        ++shares->made;
    }
    free(mutant);
}

// The formats that have a mutator, and how their files begin.
typedef struct Format {
    const char* name;
    const char* starts; // any of these
    int factor;         // by which more are read than by bytes; of FBX, files with damage are read, too
    size_t (*mutate)(uint8_t*, size_t, size_t, unsigned);
    Shares shares;
} Format;

static Format formats[] = {
    { "glTF", "g{", 10, gti_mutate_gltf, { 0 } },
    { "BVH", "H", 10, gti_mutate_bvh, { 0 } },
    { "FBX", "K;", 1, gti_mutate_fbx, { 0 } },
};

enum {
    FORMAT_COUNT = sizeof formats / sizeof *formats
};

static void try_file(const char* path)
{
    FILE* file = fopen(path, "rb");
    uint8_t* seed = malloc(CAPACITY);
    size_t size = file && seed ? fread(seed, 1, CAPACITY, file) : 0;
    if (file) {
        fclose(file);
    }
    if (size > 0 && size < CAPACITY && reads(seed, size)) {
        for (size_t i = 0; i < FORMAT_COUNT; ++i) {
            if (seed[0] && strchr(formats[i].starts, seed[0])) {
                try_seed(seed, size, formats[i].mutate, &formats[i].shares);
            }
        }
    }
    free(seed);
}

static bool judge(const Format* format)
{
    const Shares* shares = &format->shares;
    printf("%s: of %d mutants %d are read when mutated by structure, %d by bytes\n", format->name, shares->made,
           shares->read_by_structure, shares->read_by_bytes);
    return shares->made > 0 && 3 * shares->read_by_structure > shares->made &&
           shares->read_by_structure > format->factor * shares->read_by_bytes;
}

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        DIR* folder = opendir(argv[i]);
        for (struct dirent* entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.' && strncmp(entry->d_name, "cover-", 6) != 0) { // which are mutants already
                try_file(path);
            }
        }
        if (folder) {
            closedir(folder);
        }
    }
    bool good = true;
    for (size_t i = 0; i < FORMAT_COUNT; ++i) {
        good = judge(&formats[i]) && good;
    }
    return good ? 0 : 1;
}
