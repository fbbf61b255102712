// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Values of sections: where they are, what they are at rest, and what they make of a lattice.

#include "runtime/character.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

GtSectionDef gt_default_section_def(void)
{
    return (GtSectionDef){
        .node = GT_NONE,
        .rest_blend = 1.0f,
        .border = 0.25f,
        .lattice = gt_default_lattice_def(),
    };
}

GtSectionBindDef gt_default_section_bind_def(void)
{
    return (GtSectionBindDef){ .section = 0 };
}

int32_t gt_section_value_count(const GtCharacter* character)
{
    return character->section_value_count;
}

int32_t gt_section_first_value(const GtCharacter* character, int32_t section)
{
    GT_ASSERT(section >= 0 && section < character->def.section_count);
    return character->first_values[section];
}

int32_t gt_section_find(const GtCharacter* character, const char* name)
{
    for (int32_t i = 0; i < character->def.section_count; ++i) {
        const char* own = character->def.sections[i].name;
        if (own && strcmp(own, name) == 0) {
            return i;
        }
    }
    return GT_NONE;
}

void gt_section_reset(const GtCharacter* character, float* values)
{
    for (int32_t i = 0; i < character->section_value_count; ++i) {
        values[i] = 0.0f;
    }
    for (int32_t i = 0; i < character->def.section_count; ++i) {
        values[character->first_values[i]] = character->def.sections[i].rest_blend;
    }
}

float gti_section_blend(const GtSectionDef* section, const float* values)
{
    float b = values ? values[0] : section->rest_blend;
    return b > 0.0f ? (b < 1.0f ? b : 1.0f) : 0.0f; // not a number becomes 0
}

bool gti_section_displace(const GtSectionDef* section, const float* values, GtVec3* out)
{
    int32_t count = gt_lattice_point_count(&section->lattice);
    const float* weights = values + 1;
    const float* offsets = weights + section->pose_count;
    memcpy(out, offsets, (size_t)count * sizeof *out);
    for (int32_t k = 0; k < section->pose_count; ++k) {
        for (int32_t i = 0; weights[k] != 0.0f && i < count; ++i) {
            out[i] = gt_vec3_add(out[i], gt_vec3_scale(section->poses[k].offsets[i], weights[k]));
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        if (out[i].x != 0.0f || out[i].y != 0.0f || out[i].z != 0.0f) {
            return true;
        }
    }
    return section->lattice.weights; // which deform by themselves
}

static float cut(float value, float most)
{
    float low = value > -most ? value : -most; // compared, not by fmaxf(): thousands of values in a frame
    return low < most ? low : most;
}

void gti_sections_cut(const GtCharacter* character, float* values)
{
    for (int32_t s = 0; s < character->def.section_count; ++s) {
        const GtSectionDef* def = &character->def.sections[s];
        int32_t offset_count = 3 * gt_lattice_point_count(&def->lattice);
        float columns[16];
        float longest = 0.0f;
        gt_mat34_to_columns(&def->lattice.space_from_box, columns);
        for (int a = 0; a < 3; ++a) {
            GtVec3 edge = gt_vec3(columns[4 * a], columns[4 * a + 1], columns[4 * a + 2]);
            longest = fmaxf(longest, gt_vec3_length(edge));
        }
        *values = gti_section_blend(def, values);
        ++values;
        for (int32_t i = 0; i < def->pose_count; ++i, ++values) {
            *values = cut(*values, GTI_SECTION_MAX_WEIGHT);
        }
        for (int32_t i = 0; i < offset_count; ++i, ++values) {
            *values = cut(*values, GTI_SECTION_MAX_EDGES * longest);
        }
    }
}

void gt_section_points(const GtCharacter* character, int32_t section, const float* values, GtVec3* out_points)
{
    const GtSectionDef* def = &character->def.sections[section];
    GT_ASSERT(section >= 0 && section < character->def.section_count);
    gti_section_displace(def, values + character->first_values[section], out_points);
    gti_lattice_add_rest(&def->lattice, out_points);
}
