// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bones of the model: those of the person, with the fingers in two joints and a thumb, so that a hand can close. In the
// T-pose bones lie along axes of the model, so a size scales one axis at one bone. Spreads were chosen by trying: wide
// enough for children, stout people and drawn figures, narrow enough for a joint that nothing shows to stay in place.

#include "rig/fit/model.h"

#include <string.h>

enum {
    MIDDLE_BONES = 6,
    SIDE_BONES = 11,
    NO_SIZE = -1,
};

// A turn about an axis, 0 to 2.
typedef struct Turn {
    int axis;
    float mean, sigma, low, high;
} Turn;

// One bone of the middle or the left.
typedef struct Bone {
    GtHumanoidJoint joint, parent;
    int turn_count;
    Turn turns[3];  // the last one first
    int offsets[3]; // sizes that scale the way from the parent's joint, per axis
    int scales[3];  // sizes that scale the flesh, per axis
} Bone;

#define SAME_POSE 1.5f // how much more alike the two sides of a pose are than two poses

#define S(name) GTI_SIZE_##name
#define FREE    NO_SIZE

// clang-format off
static const Bone bones[MIDDLE_BONES + SIDE_BONES] = {
    { GT_HUMANOID_HIPS, GT_HUMANOID_HIPS, 3, { { 0, 0, 0.20f, -0.6f, 0.6f }, { 2, 0, 0.10f, -0.4f, 0.4f }, { 1, 0, 0.15f, -0.6f, 0.6f } },
      { FREE, FREE, FREE }, { S(HIPS_WIDTH), S(TORSO_LOW), S(HIPS_DEPTH) } },
    { GT_HUMANOID_SPINE, GT_HUMANOID_HIPS, 3, { { 0, 0, 0.12f, -0.4f, 0.5f }, { 2, 0, 0.08f, -0.3f, 0.3f }, { 1, 0, 0.10f, -0.4f, 0.4f } },
      { FREE, S(TORSO_LOW), FREE }, { S(WAIST_WIDTH), S(TORSO_LOW), S(WAIST_DEPTH) } },
    { GT_HUMANOID_CHEST, GT_HUMANOID_SPINE, 3, { { 0, 0, 0.12f, -0.4f, 0.5f }, { 2, 0, 0.08f, -0.3f, 0.3f }, { 1, 0, 0.10f, -0.4f, 0.4f } },
      { FREE, S(TORSO_LOW), FREE }, { S(CHEST_WIDTH), S(TORSO_HIGH), S(CHEST_DEPTH) } },
    { GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_CHEST, 0, { { 0 } },
      { FREE, S(TORSO_HIGH), FREE }, { S(CHEST_WIDTH), S(TORSO_HIGH), S(CHEST_DEPTH) } },
    { GT_HUMANOID_NECK, GT_HUMANOID_UPPER_CHEST, 2, { { 0, 0, 0.20f, -0.6f, 0.8f }, { 2, 0, 0.10f, -0.5f, 0.5f } },
      { FREE, S(TORSO_HIGH), FREE }, { S(NECK_GIRTH), S(NECK_LENGTH), S(NECK_GIRTH) } },
    { GT_HUMANOID_HEAD, GT_HUMANOID_NECK, 3, { { 0, 0, 0.20f, -0.6f, 0.6f }, { 2, 0, 0.10f, -0.5f, 0.5f }, { 1, 0, 0.20f, -1.0f, 1.0f } },
      { FREE, S(NECK_LENGTH), FREE }, { S(HEAD), S(HEAD), S(HEAD) } },

    { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_HIPS, 3, { { 0, 0, 0.20f, -1.2f, 0.5f }, { 2, 0.05f, 0.15f, -0.2f, 0.8f }, { 1, 0, 0.20f, -0.6f, 0.8f } },
      { S(HIP_JOINTS), S(TORSO_LOW), FREE }, { S(THIGH_GIRTH), S(THIGH), S(THIGH_GIRTH) } },
    { GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_UPPER_LEG, 2, { { 0, 0.03f, 0.15f, -0.08f, 1.2f }, { 2, 0, 0.05f, -0.15f, 0.15f } },
      { FREE, S(THIGH), FREE }, { S(SHANK_GIRTH), S(SHANK), S(SHANK_GIRTH) } },
    { GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_LOWER_LEG, 3, { { 0, 0, 0.20f, -0.4f, 0.8f }, { 2, 0, 0.15f, -0.5f, 0.5f }, { 1, 0.05f, 0.25f, -0.5f, 0.9f } },
      { FREE, S(SHANK), FREE }, { S(FOOT_WIDTH), S(FOOT_HEIGHT), S(FOOT_LENGTH) } },
    { GT_HUMANOID_LEFT_TOES, GT_HUMANOID_LEFT_FOOT, 0, { { 0 } },
      { S(FOOT_WIDTH), S(FOOT_HEIGHT), S(FOOT_LENGTH) }, { S(FOOT_WIDTH), S(FOOT_HEIGHT), S(FOOT_LENGTH) } },

    { GT_HUMANOID_LEFT_SHOULDER, GT_HUMANOID_UPPER_CHEST, 2, { { 2, 0, 0.10f, -0.4f, 0.5f }, { 1, 0, 0.12f, -0.5f, 0.4f } },
      { S(SHOULDERS), S(TORSO_HIGH), FREE }, { S(SHOULDERS), S(SHOULDER_GIRTH), S(CHEST_DEPTH) } },
    { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_SHOULDER, 3, { { 2, -0.7f, 0.8f, -1.65f, 1.2f }, { 1, 0, 0.3f, -1.2f, 0.8f }, { 0, 0, 0.4f, -1.3f, 1.3f } },
      { S(SHOULDERS), FREE, FREE }, { S(UPPER_ARM), S(UPPER_ARM_GIRTH), S(UPPER_ARM_GIRTH) } },
    { GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_UPPER_ARM, 3, { { 2, 0, 0.12f, -0.5f, 0.5f }, { 1, -0.1f, 0.2f, -1.2f, 0.05f }, { 0, 0, 0.5f, -1.6f, 1.6f } },
      { S(UPPER_ARM), FREE, FREE }, { S(FOREARM), S(FOREARM_GIRTH), S(FOREARM_GIRTH) } },
    { GT_HUMANOID_LEFT_HAND, GT_HUMANOID_LEFT_LOWER_ARM, 3, { { 2, 0, 0.2f, -0.8f, 0.8f }, { 1, 0, 0.15f, -0.6f, 0.6f }, { 0, 0, 0.1f, -0.4f, 0.4f } },
      { S(FOREARM), FREE, FREE }, { S(HAND), S(HAND_THICKNESS), S(HAND_WIDTH) } },
    { GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, GT_HUMANOID_LEFT_HAND, 1, { { 2, -0.15f, 0.3f, -1.6f, 0.3f } },
      { S(HAND), S(HAND_THICKNESS), S(HAND_WIDTH) }, { S(HAND), S(HAND_THICKNESS), S(HAND_WIDTH) } },
    { GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, 1, { { 2, -0.2f, 0.3f, -1.8f, 0.1f } },
      { S(HAND), S(HAND_THICKNESS), S(HAND_WIDTH) }, { S(HAND), S(HAND_THICKNESS), S(HAND_WIDTH) } },
    { GT_HUMANOID_LEFT_THUMB_METACARPAL, GT_HUMANOID_LEFT_HAND, 2, { { 2, 0, 0.2f, -0.8f, 0.6f }, { 1, 0, 0.3f, -0.9f, 0.9f } },
      { S(HAND), S(HAND_THICKNESS), S(HAND_WIDTH) }, { S(HAND), S(HAND_THICKNESS), S(HAND_WIDTH) } },
};

// What sizes are likely to be, against those of the built-in person: mean and spread.
static const struct {
    float mean, sigma;
} sizes[GTI_SIZE_COUNT] = {
    [S(TORSO_LOW)] = { 0.0f, 0.10f },       [S(TORSO_HIGH)] = { 0.0f, 0.10f },
    [S(HIPS_WIDTH)] = { 0.0f, 0.15f },      [S(HIPS_DEPTH)] = { 0.0f, 0.15f },
    [S(WAIST_WIDTH)] = { 0.0f, 0.20f },     [S(WAIST_DEPTH)] = { 0.0f, 0.20f },
    [S(CHEST_WIDTH)] = { 0.0f, 0.15f },     [S(CHEST_DEPTH)] = { 0.0f, 0.15f },
    [S(SHOULDERS)] = { -0.06f, 0.12f },     [S(SHOULDER_GIRTH)] = { 0.0f, 0.15f },
    [S(NECK_LENGTH)] = { 0.0f, 0.15f },     [S(NECK_GIRTH)] = { 0.0f, 0.15f },
    [S(HEAD)] = { 0.0f, 0.40f },            [S(HEAD_HEIGHT)] = { 0.0f, 0.08f },
    [S(UPPER_ARM)] = { -0.16f, 0.12f },     [S(UPPER_ARM_GIRTH)] = { 0.0f, 0.20f },
    [S(FOREARM)] = { 0.02f, 0.10f },        [S(FOREARM_GIRTH)] = { 0.0f, 0.20f },
    [S(HAND)] = { -0.04f, 0.12f },          [S(HAND_WIDTH)] = { 0.0f, 0.20f },
    [S(HAND_THICKNESS)] = { 0.0f, 0.20f },  [S(HIP_JOINTS)] = { 0.0f, 0.12f },
    [S(THIGH)] = { 0.0f, 0.08f },           [S(THIGH_GIRTH)] = { 0.0f, 0.20f },
    [S(SHANK)] = { 0.0f, 0.08f },           [S(SHANK_GIRTH)] = { 0.0f, 0.20f },
    [S(FOOT_LENGTH)] = { 0.0f, 0.15f },     [S(FOOT_WIDTH)] = { 0.0f, 0.20f },
    [S(FOOT_HEIGHT)] = { 0.0f, 0.20f },
};
// clang-format on

int32_t gti_model_bone(GtHumanoidJoint joint)
{
    GtHumanoidJoint carrier = joint;
    if (joint == GT_HUMANOID_LEFT_EYE || joint == GT_HUMANOID_RIGHT_EYE || joint == GT_HUMANOID_JAW) {
        carrier = GT_HUMANOID_HEAD;
    } else if (joint >= GT_HUMANOID_LEFT_THUMB_METACARPAL) {
        int at = (joint - GT_HUMANOID_LEFT_THUMB_METACARPAL) % 15;
        carrier = at < 3        ? GT_HUMANOID_LEFT_THUMB_METACARPAL
                  : at % 3 == 0 ? GT_HUMANOID_LEFT_MIDDLE_PROXIMAL
                                : GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE;
        carrier = joint >= GT_HUMANOID_RIGHT_THUMB_METACARPAL ? gt_humanoid_mirror(carrier) : carrier;
    }
    for (int32_t b = 0; b < MIDDLE_BONES + SIDE_BONES; ++b) {
        if (bones[b].joint == carrier) {
            return b;
        }
        if (b >= MIDDLE_BONES && gt_humanoid_mirror(bones[b].joint) == carrier) {
            return b + SIDE_BONES;
        }
    }
    return 0;
}

bool gti_model_is_of(const GtiPersonModel* model, int32_t root, int32_t bone)
{
    while (bone > root) { // parents come first
        bone = model->parents[bone];
    }
    return bone == root;
}

static const Bone* bone_def(int32_t bone)
{
    return &bones[bone < MIDDLE_BONES + SIDE_BONES ? bone : bone - SIDE_BONES];
}

static bool is_right(int32_t bone)
{
    return bone >= MIDDLE_BONES + SIDE_BONES;
}

static void add_param(GtiPersonModel* model, float mean, float sigma, float low, float high)
{
    model->params[model->param_count++] = (GtiModelParam){ mean, sigma, low, high };
}

static void add_params(GtiPersonModel* model)
{
    for (int axis = 0; axis < 3; ++axis) {
        add_param(model, 0.0f, 0.1f, -0.5f, 0.5f);
    }
    add_param(model, 0.0f, 0.15f, -0.7f, 0.2f); // the whole, which is smaller under a large head
    model->first_turn = model->param_count;
    for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
        const Bone* bone = bone_def(b);
        for (int t = 0; t < bone->turn_count; ++t) {
            const Turn* turn = &bone->turns[t];
            add_param(model, turn->mean, turn->sigma, turn->low, turn->high);
        }
    }
    model->first_size = model->param_count;
    for (int s = 0; s < GTI_SIZE_COUNT; ++s) {
        add_param(model, sizes[s].mean, sizes[s].sigma, sizes[s].mean - 4.0f * sizes[s].sigma,
                  sizes[s].mean + 4.0f * sizes[s].sigma);
    }
    model->first_flesh = model->param_count;
    add_param(model, 0.0f, 0.5f, -1.5f, 2.5f); // build
    add_param(model, 0.0f, 0.4f, -1.0f, 1.0f); // muscle
    add_param(model, 0.0f, 0.5f, -1.0f, 1.0f); // sex
}

static void add_ties(GtiPersonModel* model)
{
    static const struct {
        GtiSize a, b;
        float sigma;
    } ties[] = {
        { S(UPPER_ARM), S(FOREARM), 0.04f },
        { S(THIGH), S(SHANK), 0.04f },
        { S(FOREARM), S(HAND), 0.08f },
        { S(TORSO_LOW), S(TORSO_HIGH), 0.06f },
    };
    for (size_t i = 0; i < sizeof ties / sizeof ties[0]; ++i) {
        model->ties[model->tie_count++] = (GtiModelTie){ model->first_size + (int32_t)ties[i].a,
                                                         model->first_size + (int32_t)ties[i].b, ties[i].sigma };
    }
    model->size_tie_count = model->tie_count;
    int32_t side = 0; // turns of one side
    for (int32_t b = MIDDLE_BONES; b < MIDDLE_BONES + SIDE_BONES; ++b) {
        side += bone_def(b)->turn_count;
    }
    for (int32_t p = model->first_size - 2 * side; p < model->first_size - side; ++p) {
        model->ties[model->tie_count++] = (GtiModelTie){ p, p + side, SAME_POSE * model->params[p].sigma };
    }
}

void gti_model_set_likely(GtiPersonModel* model)
{
    memcpy(model->params, model->likely, sizeof model->params);
}

int32_t gti_model_turn(const GtiPersonModel* model, GtHumanoidJoint joint, int axis)
{
    int32_t param = model->first_turn;
    int32_t wanted = gti_model_bone(joint);
    for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
        const Bone* bone = bone_def(b);
        for (int t = 0; t < bone->turn_count; ++t, ++param) {
            if (b == wanted && bone->turns[t].axis == axis) {
                return param;
            }
        }
    }
    return GT_NONE;
}

static void list_param(GtiPersonModel* model, int32_t bone, int32_t param)
{
    for (int32_t i = 0; i < model->list_counts[bone]; ++i) {
        if (model->lists[bone][i] == param) {
            return;
        }
    }
    model->lists[bone][model->list_counts[bone]++] = (int16_t)param;
}

// Each bone is moved by what moves its parent's joint, by the sizes on its way from there, by its turns and scales.
// A parent's scales do not reach its children.
static void list_params(GtiPersonModel* model)
{
    bool carried[GTI_MODEL_BONES][GTI_MODEL_MAX_PARAMS] = { { false } };
    int32_t turn = model->first_turn;
    for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
        const Bone* bone = bone_def(b);
        if (b > 0) {
            memcpy(carried[b], carried[model->parents[b]], sizeof carried[b]);
        } else {
            for (int32_t p = 0; p <= GTI_PARAM_SCALE; ++p) {
                carried[b][p] = true;
            }
        }
        for (int axis = 0; axis < 3; ++axis) {
            if (bone->offsets[axis] != FREE) {
                carried[b][model->first_size + bone->offsets[axis]] = true;
            }
        }
        for (int t = 0; t < bone->turn_count; ++t) {
            carried[b][turn++] = true;
        }
        for (int32_t p = 0; p < model->param_count; ++p) {
            if (carried[b][p]) {
                list_param(model, b, p);
            }
        }
        for (int axis = 0; axis < 3; ++axis) {
            list_param(model, b, model->first_size + bone->scales[axis]);
        }
        if (bone->joint == GT_HUMANOID_HEAD) {
            list_param(model, b, model->first_size + GTI_SIZE_HEAD_HEIGHT);
        }
    }
}

// Arms and hands have little skin for the joints that hang on it; that of heads is covered by hair.
static float importance_of(GtHumanoidJoint left)
{
    bool hand = left == GT_HUMANOID_LEFT_HAND || left >= GT_HUMANOID_LEFT_THUMB_METACARPAL;
    return hand ? 3.0f : left >= GT_HUMANOID_LEFT_SHOULDER ? 1.5f : left == GT_HUMANOID_HEAD ? 0.7f : 1.0f;
}

bool gti_person_model(float spacing, GtArena* arena, GtiPersonModel* out)
{
    memset(out, 0, sizeof *out);
    GtPersonDef def = gt_default_person_def();
    def.height_m = 1.0;
    if (!gti_person_points(&def, spacing, arena, &out->person)) {
        return false;
    }
    for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
        GtHumanoidJoint joint = is_right(b) ? gt_humanoid_mirror(bone_def(b)->joint) : bone_def(b)->joint;
        GtHumanoidJoint parent = is_right(b) ? gt_humanoid_mirror(bone_def(b)->parent) : bone_def(b)->parent;
        out->joints[b] = out->person.skeleton.joints[joint];
        out->parents[b] = gti_model_bone(parent);
        out->importance[b] = importance_of(bone_def(b)->joint);
    }
    add_params(out);
    memcpy(out->likely, out->params, sizeof out->likely);
    add_ties(out);
    list_params(out);
    for (int32_t i = 0; i < out->person.count; ++i) {
        GtiPersonPoint* point = &out->person.points[i];
        for (int k = 0; k < GTI_POINT_INFLUENCES; ++k) {
            point->joints[k] = (uint16_t)gti_model_bone((GtHumanoidJoint)point->joints[k]);
        }
    }
    return true;
}

static GtQuat turn_of(const Bone* bone, bool right, const float* values)
{
    static const GtVec3 axes[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
    GtQuat q = gt_quat_identity();
    for (int t = 0; t < bone->turn_count; ++t) {
        int axis = bone->turns[t].axis;
        float angle = right && axis != 0 ? -values[t] : values[t];
        q = gt_quat_mul(q, gt_quat_from_axis_angle(axes[axis], angle));
    }
    return q;
}

static float factor_of(const GtiPersonModel* model, const GtiModelState* state, int size)
{
    return size == FREE ? 1.0f : expf(state->values[model->first_size + size]);
}

static GtVec3 factors_of(const GtiPersonModel* model, const GtiModelState* state, const int axes[3])
{
    return gt_vec3(factor_of(model, state, axes[0]), factor_of(model, state, axes[1]),
                   factor_of(model, state, axes[2]));
}

// Rotation times scale, taking the joint at rest to its place.
static GtMat34 bone_matrix(GtQuat turn, GtVec3 scale, GtVec3 joint, GtVec3 place)
{
    GtVec3 x = gt_vec3_scale(gt_quat_rotate(turn, gt_vec3(1.0f, 0.0f, 0.0f)), scale.x);
    GtVec3 y = gt_vec3_scale(gt_quat_rotate(turn, gt_vec3(0.0f, 1.0f, 0.0f)), scale.y);
    GtVec3 z = gt_vec3_scale(gt_quat_rotate(turn, gt_vec3(0.0f, 0.0f, 1.0f)), scale.z);
    GtMat34 m = { { { x.x, y.x, z.x, 0.0f }, { x.y, y.y, z.y, 0.0f }, { x.z, y.z, z.z, 0.0f } } };
    GtVec3 t = gt_vec3_sub(place, gt_mat34_vector(&m, joint));
    m.m[0][3] = t.x;
    m.m[1][3] = t.y;
    m.m[2][3] = t.z;
    return m;
}

void gti_model_pose(const GtiPersonModel* model, GtiModelState* state)
{
    const float* turns = &state->values[model->first_turn];
    float whole = expf(state->values[GTI_PARAM_SCALE]);
    for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
        const Bone* bone = bone_def(b);
        GtVec3 moved = gt_vec3(state->values[0], state->values[1], state->values[2]);
        GtQuat turn = turn_of(bone, is_right(b), turns);
        turns += bone->turn_count;
        if (b == 0) {
            state->places[b] = gt_vec3_add(gt_vec3_scale(model->joints[b], whole), moved);
            state->turns[b] = turn;
        } else {
            int32_t parent = model->parents[b];
            GtVec3 way = gt_vec3_mul(gt_vec3_sub(model->joints[b], model->joints[parent]),
                                     factors_of(model, state, bone->offsets));
            way = gt_quat_rotate(state->turns[parent], gt_vec3_scale(way, whole));
            state->places[b] = gt_vec3_add(state->places[parent], way);
            state->turns[b] = gt_quat_mul(state->turns[parent], turn);
        }
        GtVec3 scale = gt_vec3_scale(factors_of(model, state, bone->scales), whole);
        if (bone->joint == GT_HUMANOID_HEAD) {
            scale.y *= factor_of(model, state, GTI_SIZE_HEAD_HEIGHT);
        }
        state->body_from_rest[b] = bone_matrix(state->turns[b], scale, model->joints[b], state->places[b]);
    }
}

void gti_model_slopes(const GtiPersonModel* model, const GtiModelState* state, GtiModelSlopes* out)
{
    const float step = 1e-3f;
    GtiModelState moved = *state;
    for (int32_t p = 0; p < model->first_flesh; ++p) {
        moved.values[p] = state->values[p] + step;
        gti_model_pose(model, &moved);
        moved.values[p] = state->values[p];
        for (int32_t b = 0; b < GTI_MODEL_BONES; ++b) {
            for (int row = 0; row < 3; ++row) {
                for (int column = 0; column < 4; ++column) {
                    out->slopes[b][p].m[row][column] =
                        (moved.body_from_rest[b].m[row][column] - state->body_from_rest[b].m[row][column]) / step;
                }
            }
        }
    }
}

GtVec3 gti_model_rest(const GtiPersonModel* model, const GtiModelState* state, int32_t point)
{
    const GtiPersonPoint* p = &model->person.points[point];
    float out = 0.0f;
    for (int f = 0; f < GTI_FLESH_COUNT; ++f) {
        out += p->growth[f] * state->values[model->first_flesh + f];
    }
    return gt_vec3_add(p->position, gt_vec3_scale(p->normal, out));
}

GtVec3 gti_model_place(const GtiModelState* state, const GtiPersonPoint* point, GtVec3 rest)
{
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int k = 0; k < GTI_POINT_INFLUENCES; ++k) {
        if (point->weights[k] > 0.0f) {
            GtVec3 p = gt_mat34_point(&state->body_from_rest[point->joints[k]], rest);
            sum = gt_vec3_add(sum, gt_vec3_scale(p, point->weights[k]));
        }
    }
    return sum;
}

GtVec3 gti_model_normal(const GtiModelState* state, const GtiPersonPoint* point)
{
    GtVec3 sum = { 0.0f, 0.0f, 0.0f };
    for (int k = 0; k < GTI_POINT_INFLUENCES; ++k) {
        if (point->weights[k] > 0.0f) {
            sum = gt_vec3_add(
                sum, gt_vec3_scale(gt_quat_rotate(state->turns[point->joints[k]], point->normal), point->weights[k]));
        }
    }
    return gt_vec3_normalize_or(sum, point->normal);
}

GtVec3 gti_model_carry(const GtiModelState* state, GtHumanoidJoint joint, GtVec3 rest)
{
    return gt_mat34_point(&state->body_from_rest[gti_model_bone(joint)], rest);
}
