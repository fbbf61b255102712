// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the body weighs: points of a fine grid that lie inside the layers are counted for the segment of the joint with
// the largest weight there, and take its density from Winter's table 4.1. Only the left half is counted, and doubled.

#include "person/person.h"

#define STEP 0.012 // of the height: 60,000 points of a body

static GtPersonSegment segment_of(GtHumanoidJoint joint)
{
    if (joint >= GT_HUMANOID_LEFT_THUMB_METACARPAL) {
        return GT_PERSON_HANDS;
    }
    switch (joint) {
    case GT_HUMANOID_NECK:
    case GT_HUMANOID_HEAD:
    case GT_HUMANOID_JAW:
    case GT_HUMANOID_LEFT_EYE:
    case GT_HUMANOID_RIGHT_EYE:
        return GT_PERSON_HEAD_AND_NECK;
    case GT_HUMANOID_LEFT_UPPER_ARM:
    case GT_HUMANOID_RIGHT_UPPER_ARM:
        return GT_PERSON_UPPER_ARMS;
    case GT_HUMANOID_LEFT_LOWER_ARM:
    case GT_HUMANOID_RIGHT_LOWER_ARM:
        return GT_PERSON_FOREARMS;
    case GT_HUMANOID_LEFT_HAND:
    case GT_HUMANOID_RIGHT_HAND:
        return GT_PERSON_HANDS;
    case GT_HUMANOID_LEFT_UPPER_LEG:
    case GT_HUMANOID_RIGHT_UPPER_LEG:
        return GT_PERSON_THIGHS;
    case GT_HUMANOID_LEFT_LOWER_LEG:
    case GT_HUMANOID_RIGHT_LOWER_LEG:
        return GT_PERSON_SHANKS;
    case GT_HUMANOID_LEFT_FOOT:
    case GT_HUMANOID_RIGHT_FOOT:
    case GT_HUMANOID_LEFT_TOES:
    case GT_HUMANOID_RIGHT_TOES:
        return GT_PERSON_FEET;
    default:
        return GT_PERSON_TRUNK;
    }
}

void gti_person_mass(const GtiPerson* person, double volume_m3, double segment_mass_kg[GT_PERSON_SEGMENT_COUNT])
{
    static const double densities[GT_PERSON_SEGMENT_COUNT] = {
        // kg a litre
        [GT_PERSON_HEAD_AND_NECK] = 1.11, [GT_PERSON_TRUNK] = 1.03, [GT_PERSON_UPPER_ARMS] = 1.07,
        [GT_PERSON_FOREARMS] = 1.13,      [GT_PERSON_HANDS] = 1.16, [GT_PERSON_THIGHS] = 1.05,
        [GT_PERSON_SHANKS] = 1.09,        [GT_PERSON_FEET] = 1.10,
    };
    const GtiLayerIndex* index = &person->layers.index;
    float step = (float)(STEP * person->skeleton.height_m);
    int32_t counts[GT_PERSON_SEGMENT_COUNT] = { 0 };
    int32_t total = 0;
    GtVec3 high = gt_vec3(index->low.x + index->cell * (float)index->counts[0],
                          index->low.y + index->cell * (float)index->counts[1],
                          index->low.z + index->cell * (float)index->counts[2]);
    for (float z = index->low.z; z < high.z; z += step) {
        for (float y = index->low.y; y < high.y; y += step) {
            for (float x = 0.5f * step; x < high.x; x += step) {
                GtVec3 p = gt_vec3(x, y, z);
                if (gti_layers_value(&person->layers, p) < 0.0f) {
                    uint16_t joints[GTI_INFLUENCES];
                    float weights[GTI_INFLUENCES];
                    gti_person_weigh(person, p, joints, weights);
                    ++counts[segment_of((GtHumanoidJoint)joints[0])];
                    ++total;
                }
            }
        }
    }
    // The mesh knows the volume better than the grid does.
    double litres_a_point = total ? 1e3 * volume_m3 / total : 0.0;
    for (int i = 0; i < GT_PERSON_SEGMENT_COUNT; ++i) {
        segment_mass_kg[i] = counts[i] * litres_a_point * densities[i];
    }
}
