// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where the skin needs fine triangles, and what covers it where. Places are those of the reference person, to which a
// point is brought back through the joint it belongs to.

#include "person/person.h"

#include "geometry/nearest.h"
#include "person/anatomy.h"

bool gti_person_prepare(const GtPersonDef* def, GtArena* arena, GtiPerson* out)
{
    *out = (GtiPerson){ .def = def };
    float fewer = fmaxf(25000.0f / (float)def->triangle_count, 1.0f);
    out->coarseness = fminf(logf(fewer) / logf(12.5f), 1.0f);
    gti_person_skeleton(def, &out->skeleton);
    out->skeleton.pose = GT_PERSON_POSE_T;
    GtPersonDef reference = gt_default_person_def();
    reference.height_m = 1.0;
    gti_person_skeleton(&reference, &out->reference);
    gti_anatomy_build(def, &out->skeleton, &out->layers);
    GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT];
    gti_skeleton_model(&out->skeleton, model_from_joint);
    gti_layers_pose(&out->layers, model_from_joint);
    out->posed = out->layers;
    GtiSkeleton rest = out->skeleton;
    rest.pose = def->pose;
    gti_skeleton_model(&rest, model_from_joint);
    gti_layers_pose(&out->posed, model_from_joint);
    gti_person_pose_from_t(&out->skeleton, model_from_joint, out->pose_from_t);
    bool ok = gti_layers_index(&out->layers, GTI_INDEX_CELLS, arena);
    if (def->pose == GT_PERSON_POSE_T) {
        out->posed = out->layers;
    }
    return ok && (def->pose == GT_PERSON_POSE_T || gti_layers_index(&out->posed, GTI_INDEX_CELLS, arena));
}

static float head_scale(const GtiPerson* person)
{
    return (float)((person->skeleton.tips[GT_HUMANOID_HEAD].y - person->skeleton.joints[GT_HUMANOID_HEAD].y) /
                   (person->reference.tips[GT_HUMANOID_HEAD].y - person->reference.joints[GT_HUMANOID_HEAD].y));
}

// A point of the head where the reference person has it, the side folded onto the left.
static GtVec3 on_reference_head(const GtiPerson* person, GtVec3 p)
{
    GtVec3 d = gt_vec3_sub(p, person->skeleton.joints[GT_HUMANOID_HEAD]);
    d = gt_vec3_add(gt_vec3_scale(d, 1.0f / head_scale(person)), person->reference.joints[GT_HUMANOID_HEAD]);
    return gt_vec3(fabsf(d.x), d.y, d.z);
}

// Distance to the line from a to b.
float gti_person_size(const void* user, GtVec3 p)
{
    const GtiPerson* person = user;
    const GtiSkeleton* s = &person->skeleton;
    float h = (float)s->height_m;
    float grade = 0.30f; // how fast edges grow with the distance from what needs small ones
    p.x = fabsf(p.x);
    float coarse = person->coarseness;
    GtVec3 shoulder = s->joints[GT_HUMANOID_LEFT_UPPER_ARM];
    GtVec3 hip = s->joints[GT_HUMANOID_LEFT_UPPER_LEG];
    // A coarse mesh spends more of its triangles on what is thin, and fewer on the face.
    float arm = fmaxf(fminf((p.x - shoulder.x) / (0.05f * h), 1.0f), 0.0f);
    float leg = fmaxf(fminf((hip.y - p.y) / (0.08f * h), 1.0f), 0.0f);
    float size = 0.0115f * h * (1.0f - coarse * fmaxf(0.40f * arm, 0.25f * leg));
    // Head: all of it, then nose, eye and mouth.
    float head = head_scale(person);
    GtVec3 q = on_reference_head(person, p);
    static const struct {
        GtVec3 at;
        float radius, size;
    } spots[] = {
        { { 0.0f, 0.940f, 0.0f }, 0.064f, 0.0046f },      { { 0.012f, 0.915f, 0.045f }, 0.030f, 0.0034f },
        { { 0.0178f, 0.936f, 0.053f }, 0.011f, 0.0011f }, { { 0.006f, 0.897f, 0.056f }, 0.010f, 0.0015f },
        { { 0.003f, 0.913f, 0.064f }, 0.008f, 0.0022f },  { { 0.047f, 0.930f, 0.0f }, 0.014f, 0.0028f },
        { { 0.010f, 0.963f, 0.048f }, 0.012f, 0.0030f },
    };
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; ++i) {
        float away = fmaxf(gt_vec3_length(gt_vec3_sub(q, spots[i].at)) - spots[i].radius, 0.0f);
        size = fminf(size, head * (spots[i].size * (1.0f + 0.6f * coarse) + grade * away));
    }
    // Hand and fingers.
    GtVec3 wrist = s->joints[GT_HUMANOID_LEFT_HAND];
    float hand = (float)s->hand_m;
    GtVec3 near = gti_nearest_on_segment(p, gt_vec3_add(wrist, gt_vec3(0.5f * hand, 0.0f, 0.0f)),
                                         gt_vec3_add(wrist, gt_vec3(0.9f * hand, 0.0f, 0.0f)));
    float away = gt_vec3_length(gt_vec3_sub(p, near));
    size = fminf(size, (1.0f - 0.35f * coarse) * hand * 0.028f + 0.25f * fmaxf(away - 0.5f * hand, 0.0f));
    // Foot.
    near = gti_nearest_on_segment(p, s->heels[GTI_LEFT], s->toe_tips[GTI_LEFT]);
    away = gt_vec3_length(gt_vec3_sub(p, near));
    size = fminf(size, (float)s->foot_m * 0.042f + grade * fmaxf(away - 0.3f * (float)s->foot_m, 0.0f));
    return size;
}

static uint8_t region_of_head(GtVec3 q, const float parts[GTI_PART_COUNT])
{
    if (parts[GTI_PART_HAIR] < parts[GTI_PART_HEAD]) {
        return GTI_REGION_HAIR;
    }
    float radius = 0.0088f;
    GtVec3 eye = gt_vec3_sub(q, gt_vec3(0.0178f, 0.936f, 0.047f));
    if (eye.z > 0.0f && gt_vec3_length(eye) < 1.015f * radius) {
        float sideways = sqrtf(eye.x * eye.x + eye.y * eye.y) / radius;
        return sideways < 0.26f ? GTI_REGION_PUPILS : sideways < 0.50f ? GTI_REGION_IRISES : GTI_REGION_EYE_WHITES;
    }
    // The brow lies on a bow over the eye.
    float bow = 0.9478f + 0.0022f * (1.0f - (q.x - 0.019f) * (q.x - 0.019f) / 0.00012f);
    float thick = 0.0025f - 0.05f * fmaxf(q.x - 0.014f, 0.0f);
    if (q.z > 0.03f && q.x > 0.0070f && q.x < 0.0325f && fabsf(q.y - bow) < thick) {
        return GTI_REGION_BROWS;
    }
    float corner = q.x / 0.0134f;
    float fall = 1.0f - corner * corner;
    float line = 0.8968f + 0.0016f * corner * corner;
    float bow_of_lip = 0.0054f - 0.0008f * fmaxf(1.0f - 4.0f * corner, 0.0f) - 0.0012f * corner;
    if (q.z > 0.045f && fall > 0.0f && q.y < line + bow_of_lip * sqrtf(fall) && q.y > line - 0.0054f * sqrtf(fall)) {
        return GTI_REGION_LIPS;
    }
    return GTI_REGION_SKIN;
}

uint8_t gti_person_region(const void* user, GtVec3 p)
{
    const GtiPerson* person = user;
    const GtiSkeleton* s = &person->skeleton;
    float h = (float)s->height_m;
    float foot = (float)s->foot_m / 0.152f;
    p.x = fabsf(p.x);
    float parts[GTI_PART_COUNT];
    gti_layers_parts(&person->layers, p, parts);
    GtVec3 q = on_reference_head(person, p);
    if (parts[GTI_PART_HEAD] < parts[GTI_PART_TRUNK] || parts[GTI_PART_HAIR] < parts[GTI_PART_TRUNK]) {
        return region_of_head(q, parts);
    }
    if (p.y < 0.0105f * foot) {
        return GTI_REGION_SOLES;
    }
    if (p.y < 0.2f * h && parts[GTI_PART_FOOT] < parts[GTI_PART_LEG]) {
        return GTI_REGION_SHOES;
    }
    GtVec3 shoulder = s->joints[GT_HUMANOID_LEFT_UPPER_ARM];
    GtVec3 elbow = s->joints[GT_HUMANOID_LEFT_LOWER_ARM];
    if (p.x > shoulder.x + 0.545f * (elbow.x - shoulder.x)) {
        return GTI_REGION_SKIN;
    }
    GtVec3 neck = s->joints[GT_HUMANOID_NECK];
    float u = p.x / (0.052f * h);
    float v = (p.y - neck.y - 0.008f * h) / (0.036f * h);
    float w = (p.z - neck.z - 0.018f * h) / (0.062f * h);
    if (u * u + v * v + w * w < 1.0f || p.y > neck.y + 0.03f * h) {
        return GTI_REGION_SKIN;
    }
    GtVec3 hips = s->joints[GT_HUMANOID_HIPS];
    GtVec3 chest = s->joints[GT_HUMANOID_UPPER_CHEST];
    float hem = hips.y - 0.0275f * (chest.y - hips.y) / 0.186f;
    return p.y > hem ? GTI_REGION_SHIRT : GTI_REGION_TROUSERS;
}
