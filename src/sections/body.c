// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "sections/body.h"

#include "base/fail.h"

#include <string.h>

static bool find_joints(GtArena* arena, GtiSculptBody* body)
{
    const GtFigure* figure = &body->figure;
    body->joints = gt_arena_push_array(arena, (size_t)figure->def->node_count, sizeof *body->joints);
    for (int32_t n = 0; body->joints && n < figure->def->node_count; ++n) {
        int32_t parent = figure->def->parents[n];
        body->joints[n] = parent != GT_NONE ? body->joints[parent] : GT_NONE;
        for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            body->joints[n] = figure->joints[j] == n ? j : body->joints[n];
        }
    }
    return body->joints;
}

GtResult gti_sculpt_body_open(const GtContext* context, GtArena* arena, const GtScene* scene, GtiSculptBody* out,
                              GtError* error)
{
    memset(out, 0, sizeof *out);
    GtResult result = gt_figure_open(context, scene, NULL, &out->figure, error);
    result = result == GT_OK ? gti_figure_shell(context, &out->figure, &out->shell, error) : result;
    result = result == GT_OK ? gti_bone_tree_find(out->shell, arena, &out->bones, error) : result;
    return result == GT_OK && !find_joints(arena, out) ? gti_out_of_memory(error) : result;
}

void gti_sculpt_body_close(GtiSculptBody* body)
{
    gt_figure_close(&body->figure);
}

static void mark(const GtCharacter* character, int32_t source, bool* nodes)
{
    int32_t node = source != GT_NONE ? gt_character_node_from_source(character, source) : GT_NONE;
    if (node != GT_NONE) {
        nodes[node] = true;
    }
}

void gti_limb_ends(const GtCharacter* character, const GtHumanoidMap* map, const GtSculpt* sculpt, bool* ends)
{
    memset(ends, 0, (size_t)gt_character_def(character)->node_count * sizeof *ends);
    if (map->nodes[GT_HUMANOID_HIPS] != GT_NONE) {
        for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            mark(character, map->nodes[j], ends);
        }
        return;
    }
    for (int32_t i = 0; sculpt && i < sculpt->section_count; ++i) {
        mark(character, sculpt->sections[i].def.node, ends);
    }
}

void gti_limb_mark(const GtCharacterDef* def, const bool* ends, int32_t node, uint8_t pass, uint8_t* limb)
{
    limb[node] = pass;
    for (int32_t n = node + 1; n < def->node_count; ++n) { // parents come first
        int32_t parent = def->parents[n];
        limb[n] = parent >= node && limb[parent] == pass && !ends[n] ? pass : limb[n];
    }
}
