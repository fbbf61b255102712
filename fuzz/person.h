// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A person with a clip of two frames, for what is read against a scene.

#ifndef GERTIE_FUZZ_PERSON_H
#define GERTIE_FUZZ_PERSON_H

#include "gertie/bake.h"
#include "gertie/person.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s: line %d: %s does not hold\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline GtScene* make_person(const GtContext* context)
{
    GtScene* scene = NULL;
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 2000;
    CHECK(gt_sample_person(context, &person, &scene, NULL, NULL) == GT_OK);
    int32_t node = gt_scene_find_node(scene, "leftLowerArm");
    uint8_t paths = GT_BAKE_ROTATION;
    const float times_s[2] = { 0.0f, 0.1f };
    GtTransform poses[2] = { scene->nodes[node].local, scene->nodes[node].local };
    poses[1].rotation = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), 1.0f);
    GtBakeDef bake = { .name = "bend",
                       .frame_count = 2,
                       .times_s = times_s,
                       .node_count = 1,
                       .nodes = &node,
                       .paths = &paths,
                       .poses = poses };
    scene->animation_count = 0;
    CHECK(gt_scene_bake(context, scene, &bake, NULL, NULL) == GT_OK);
    return scene;
}

#endif
