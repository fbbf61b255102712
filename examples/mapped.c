// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Plays a packed character, as `gertie pack` writes it, straight out of the mapped file: no parser, no copy.
// Links libgertie-runtime alone, which reads no files itself; how bytes get into memory is the program's own business.

#include <gertie/instance.h>
#include <gertie/pack.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: mapped CHARACTER.gtp\n");
        return 2;
    }
    // Anything aligned to 16 will do: a mapped file, one that was read, a part of an archive.
    struct stat about;
    int file = open(argv[1], O_RDONLY);
    if (file < 0 || fstat(file, &about) != 0 || about.st_size == 0) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    size_t size = (size_t)about.st_size;
    void* bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }

    // Once: everything is checked, and what is damaged is refused.
    GtError error;
    GtPack* pack = NULL;
    GtInstance* instance = NULL;
    if (gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error) != GT_OK ||
        gt_instance_create(gt_default_allocator(), gt_pack_character(pack), &instance, &error) != GT_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], error.message);
        return EXIT_FAILURE;
    }
    const GtCharacterDef* def = gt_character_def(gt_pack_character(pack));
    printf("%d nodes, %d meshes, %zu bytes an instance\n", (int)def->node_count, (int)def->mesh_count,
           gt_instance_size(gt_pack_character(pack)));

    // Each clip: where the first vertex is at its end.
    for (int32_t i = 0; i < gt_pack_clip_count(pack) && def->mesh_count > 0; ++i) {
        const GtClip* clip = gt_pack_clip(pack, i);
        GtVec3* positions = malloc(sizeof(GtVec3) * ((size_t)def->meshes[0].vertex_count + 1));
        if (!positions) {
            return EXIT_FAILURE;
        }
        gt_instance_reset(instance);
        gt_clip_sample(clip, gt_clip_end_s(clip), instance->pose, instance->weights);
        gt_instance_update(instance);
        gt_instance_deform(instance, 0, positions, NULL, NULL);
        printf("%s at %.2f s: vertex 0 is at (%.2f, %.2f, %.2f)\n", gt_clip_name(clip) ? gt_clip_name(clip) : "a clip",
               gt_clip_end_s(clip), (double)positions[0].x, (double)positions[0].y, (double)positions[0].z);
        free(positions);
    }

    gt_instance_destroy(instance);
    gt_pack_close(pack);
    munmap(bytes, size);
    return EXIT_SUCCESS;
}
