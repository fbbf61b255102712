// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a frame of the built-in figure costs, step by step, against copying its vertices once: what no deformer can
// beat.

#include "bench.h"

#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Frame {
    GtScene* scene;
    GtCharacter* character;
    GtInstance* instance;
    int32_t vertex_count;
    GtVec3* positions; // [vertex_count]
    GtVec3* normals;   // [vertex_count]
} Frame;

static void copy(void* user)
{
    Frame* frame = user;
    const GtCharacterDef* def = gt_character_def(frame->character);
    GtVec3* positions = frame->positions;
    GtVec3* normals = frame->normals;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        const GtMeshDef* mesh = &def->meshes[i];
        memcpy(positions, mesh->positions, (size_t)mesh->vertex_count * sizeof *positions);
        memcpy(normals, mesh->normals, (size_t)mesh->vertex_count * sizeof *normals);
        positions += mesh->vertex_count;
        normals += mesh->vertex_count;
    }
}

static void update(void* user)
{
    Frame* frame = user;
    gt_instance_update(frame->instance);
}

static void deform(void* user)
{
    Frame* frame = user;
    const GtCharacterDef* def = gt_character_def(frame->character);
    int32_t first = 0;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gt_instance_deform(frame->instance, i, frame->positions + first, frame->normals + first, NULL);
        first += def->meshes[i].vertex_count;
    }
}

static Frame create_frame(const GtContext* context, GtSkinMethod method)
{
    GtError error;
    Frame frame = { 0 };
    GtPersonDef person_def = gt_default_person_def();
    person_def.triangle_count = 54400;
    BENCH_OK(gt_sample_person(context, &person_def, &frame.scene, NULL, &error));
    GtBuildDef build_def = gt_default_build_def();
    build_def.force_skin_method = true;
    build_def.skin_method = method;
    BENCH_OK(gt_character_build(context, frame.scene, &build_def, &frame.character, NULL, &error));
    BENCH_OK(gt_instance_create(context->allocator, frame.character, &frame.instance, &error));
    const GtCharacterDef* def = gt_character_def(frame.character);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        frame.vertex_count += def->meshes[i].vertex_count;
    }
    frame.positions = calloc((size_t)frame.vertex_count, sizeof *frame.positions);
    frame.normals = calloc((size_t)frame.vertex_count, sizeof *frame.normals);
    if (!frame.positions || !frame.normals) {
        fprintf(stderr, "frame_bench: out of memory\n");
        exit(1);
    }
    for (int32_t i = 0; i < def->node_count; ++i) { // bend every joint a little, so that nothing is the identity
        GtQuat turn = gt_quat_normalize(gt_quat(0.1f, 0.05f, 0.02f, 1.0f));
        frame.instance->pose[i].rotation = gt_quat_mul(frame.instance->pose[i].rotation, turn);
    }
    gt_instance_update(frame.instance);
    return frame;
}

static void destroy_frame(Frame* frame)
{
    free(frame->positions);
    free(frame->normals);
    gt_instance_destroy(frame->instance);
    gt_character_destroy(frame->character);
    gt_scene_destroy(frame->scene);
}

int main(void)
{
    GtContext context = gt_default_context();
    Frame linear = create_frame(&context, GT_SKIN_LINEAR);
    Frame dual_quaternion = create_frame(&context, GT_SKIN_DUAL_QUATERNION);
    Frame bulge_free = create_frame(&context, GT_SKIN_BULGE_FREE);
    char title[128];
    snprintf(title, sizeof title, "A frame of the figure: %d nodes, %d vertices with normals",
             gt_character_def(linear.character)->node_count, linear.vertex_count);
    const BenchCase cases[] = {
        { "copy the vertices", copy, &linear },     { "nodes to model space", update, &linear },
        { "linear skin", deform, &linear },         { "dual-quaternion skin", deform, &dual_quaternion },
        { "bulge-free skin", deform, &bulge_free },
    };
    bench_compare(title, cases, sizeof cases / sizeof cases[0]);
    destroy_frame(&linear);
    destroy_frame(&dual_quaternion);
    destroy_frame(&bulge_free);
    return 0;
}
