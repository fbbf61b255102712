// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A packed character takes a pose of its first clip, and forearms that are twisted further and further, as an aim or
// inverse kinematics might: a harmonic skin follows any pose, and keeps the thickness that weights wring out.
// `gertie pack BODY.glb BODY.gtp --method harmonic` makes the file. Links libgertie-runtime alone.

#include <gertie/instance.h>
#include <gertie/pack.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    const size_t most = (size_t)1 << 28; // bytes
    FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    void* bytes = aligned_alloc(64, most);
    if (!file || !bytes) {
        fprintf(stderr, "usage: harmonic CHARACTER.gtp\n");
        return 2;
    }
    size_t size = fread(bytes, 1, most, file);
    fclose(file);
    // Once: open the pack, and make an instance, whose memory holds all that frames need.
    GtError error;
    GtPack* pack = NULL;
    GtInstance* instance = NULL;
    if (gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error) != GT_OK ||
        gt_instance_create(gt_default_allocator(), gt_pack_character(pack), &instance, &error) != GT_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], error.message);
        return EXIT_FAILURE;
    }
    const GtCharacterDef* def = gt_character_def(gt_pack_character(pack)); // of a humanoid that has a mesh
    const GtMeshDef* mesh = &def->meshes[0];
    GtVec3* positions = malloc(((size_t)mesh->vertex_count + 1) * sizeof *positions);
    // Each frame: any pose, then the surface. Nothing here allocates.
    bool can_twist = positions && def->humanoid && gt_pack_clip_count(pack) > 0;
    for (int degrees = 0; can_twist && degrees <= 160; degrees += 40) {
        gt_clip_sample(gt_pack_clip(pack, 0), gt_clip_start_s(gt_pack_clip(pack, 0)), instance->pose, NULL);
        for (int side = 0; side < 2; ++side) {
            GtHumanoidJoint joint = side ? GT_HUMANOID_RIGHT_LOWER_ARM : GT_HUMANOID_LEFT_LOWER_ARM;
            GtQuat* rotation = &instance->pose[def->humanoid->nodes[joint]].rotation;
            *rotation = gt_quat_mul(*rotation, gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 0.01745f * (float)degrees));
        }
        gt_instance_update(instance);
        gt_instance_deform(instance, 0, positions, NULL, NULL);
        double volume = 0.0; // of all tetrahedra from the origin to a triangle
        for (int32_t i = 0; i < mesh->index_count; i += 3) {
            const uint32_t* c = &mesh->indices[i];
            volume += (double)gt_vec3_dot(positions[c[0]], gt_vec3_cross(positions[c[1]], positions[c[2]])) / 6.0;
        }
        printf("forearms twisted by %d degrees: %.2f litres\n", degrees, 1000.0 * volume);
    }
    free(positions);
    gt_instance_destroy(instance);
    gt_pack_close(pack);
    free(bytes);
    return can_twist ? EXIT_SUCCESS : EXIT_FAILURE;
}
