// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A character for tests: a chain of joints, a random skinned mesh with a morph, and a rigid one that hangs at the tip.

#ifndef GERTIE_TESTS_RUNTIME_PUPPET_H
#define GERTIE_TESTS_RUNTIME_PUPPET_H

#include "gertie/instance.h"

#include "runtime/vertices.h"

enum {
    PUPPET_NODES = JOINT_COUNT + 1 // a root above the joints
};

typedef struct Puppet {
    Vertices v;
    int32_t parents[PUPPET_NODES];
    GtTransform rest[PUPPET_NODES];
    const char* names[PUPPET_NODES];
    int32_t joints[JOINT_COUNT];
    GtMat34 joint_from_mesh[JOINT_COUNT];
    uint32_t corners[3];
    uint32_t moved[2];
    GtVec3 moves[2];
    float rest_weights[1];
    GtMorphDef morph;
    GtSkinDef skin;
    GtDeformerData deformers[2];
    GtMeshDef meshes[2];
    GtCharacterDef def;
} Puppet;

static inline void fill_puppet(Puppet* p, GtSkinMethod method, int32_t influence_count, uint64_t* random)
{
    memset(p, 0, sizeof *p);
    fill_vertices(&p->v, 31, influence_count, random);
    for (int32_t i = 0; i < PUPPET_NODES; ++i) {
        p->parents[i] = i - 1;
        p->names[i] = i == 0 ? "root" : "joint";
        p->rest[i] = gt_transform_identity();
        p->rest[i].translation = ref_random_vec3(random, 0.3);
    }
    for (int32_t j = 0; j < JOINT_COUNT; ++j) {
        RefQuat q = ref_random_quat(random);
        RefMat bind = ref_matrix(q, (RefVec){ { ref_random(random), ref_random(random), ref_random(random) } });
        p->joints[j] = j + 1;
        p->joint_from_mesh[j] = ref_to_mat34(&bind);
    }
    p->corners[1] = 1;
    p->corners[2] = 30;
    p->moved[0] = 3;
    p->moved[1] = 30;
    p->moves[0] = gt_vec3(0, 1, 0);
    p->moves[1] = gt_vec3(-2, 0, 0.5f);
    p->rest_weights[0] = 0.25f;
    p->morph = (GtMorphDef){
        .name = "bulge",
        .entry_count = 2,
        .vertices = p->moved,
        .positions = p->moves,
        .normals = p->moves,
        .tangents = p->moves,
    };
    p->skin = (GtSkinDef){ p->joints, JOINT_COUNT, p->joint_from_mesh };
    p->deformers[0] = (GtDeformerData){ .kind = GT_DEFORMER_MORPH };
    p->deformers[1] = (GtDeformerData){ .kind = GT_DEFORMER_SKIN, .skin_method = method };
    p->meshes[0] = (GtMeshDef){
        .name = "skin",
        .node = 0,
        .material = GT_NONE,
        .vertex_count = 31,
        .positions = p->v.positions,
        .normals = p->v.normals,
        .tangents = p->v.tangents,
        .index_count = 3,
        .indices = p->corners,
        .morph_count = 1,
        .morphs = &p->morph,
        .skin = 0,
        .influence_count = influence_count,
        .joints = p->v.joints,
        .weights = p->v.weights,
        .deformers = p->deformers,
        .deformer_count = 2,
    };
    p->meshes[1] = p->meshes[0];
    p->meshes[1].name = "hat";
    p->meshes[1].node = PUPPET_NODES - 1;
    p->meshes[1].skin = GT_NONE;
    p->meshes[1].influence_count = 0;
    p->meshes[1].joints = NULL;
    p->meshes[1].weights = NULL;
    p->def = gt_default_character_def();
    p->def.node_count = PUPPET_NODES;
    p->def.parents = p->parents;
    p->def.rest = p->rest;
    p->def.names = p->names;
    p->def.weight_count = 1;
    p->def.rest_weights = p->rest_weights;
    p->def.skin_count = 1;
    p->def.skins = &p->skin;
    p->def.mesh_count = 2;
    p->def.meshes = p->meshes;
}

static inline GtCharacter* create_puppet(const Puppet* p)
{
    GtError error;
    GtCharacter* character = NULL;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &p->def, &character, &error));
    return character;
}

static inline GtInstance* create_instance(const GtCharacter* character)
{
    GtError error;
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), character, &instance, &error));
    return instance;
}

// Bend every joint a little, so that rotations within reach of one vertex stay less than half a turn apart.
static inline void bend(GtInstance* instance, uint64_t* random)
{
    for (int32_t i = 1; i < PUPPET_NODES; ++i) {
        GtVec3 axis = gt_vec3_normalize_or(ref_random_vec3(random, 1.0), gt_vec3(0, 0, 1));
        instance->pose[i].rotation = gt_quat_from_axis_angle(axis, 0.3f * (float)ref_random(random));
    }
}

#endif
