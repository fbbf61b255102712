// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The vocabularies of faces as tables: ARKit's ARFaceAnchor.BlendShapeLocation, VRM 1.0's preset expressions with the
// names that VRM 0, VRoid and MMD have for them. Names are compared in one plain form: small letters without
// separators, sides spelled out.

#include "gertie/expression.h"

#include "base/ascii.h"

#include <string.h>

enum {
    PLAIN_SIZE = 64 // no name of a vocabulary is longer
};

// In the order of the names below.
enum Arkit {
    EYE_BLINK_LEFT,
    EYE_LOOK_DOWN_LEFT,
    EYE_LOOK_IN_LEFT,
    EYE_LOOK_OUT_LEFT,
    EYE_LOOK_UP_LEFT,
    EYE_SQUINT_LEFT,
    EYE_WIDE_LEFT,
    EYE_BLINK_RIGHT,
    EYE_LOOK_DOWN_RIGHT,
    EYE_LOOK_IN_RIGHT,
    EYE_LOOK_OUT_RIGHT,
    EYE_LOOK_UP_RIGHT,
    EYE_SQUINT_RIGHT,
    EYE_WIDE_RIGHT,
    JAW_FORWARD,
    JAW_LEFT,
    JAW_RIGHT,
    JAW_OPEN,
    MOUTH_CLOSE,
    MOUTH_FUNNEL,
    MOUTH_PUCKER,
    MOUTH_LEFT,
    MOUTH_RIGHT,
    MOUTH_SMILE_LEFT,
    MOUTH_SMILE_RIGHT,
    MOUTH_FROWN_LEFT,
    MOUTH_FROWN_RIGHT,
    MOUTH_DIMPLE_LEFT,
    MOUTH_DIMPLE_RIGHT,
    MOUTH_STRETCH_LEFT,
    MOUTH_STRETCH_RIGHT,
    MOUTH_ROLL_LOWER,
    MOUTH_ROLL_UPPER,
    MOUTH_SHRUG_LOWER,
    MOUTH_SHRUG_UPPER,
    MOUTH_PRESS_LEFT,
    MOUTH_PRESS_RIGHT,
    MOUTH_LOWER_DOWN_LEFT,
    MOUTH_LOWER_DOWN_RIGHT,
    MOUTH_UPPER_UP_LEFT,
    MOUTH_UPPER_UP_RIGHT,
    BROW_DOWN_LEFT,
    BROW_DOWN_RIGHT,
    BROW_INNER_UP,
    BROW_OUTER_UP_LEFT,
    BROW_OUTER_UP_RIGHT,
    CHEEK_PUFF,
    CHEEK_SQUINT_LEFT,
    CHEEK_SQUINT_RIGHT,
    NOSE_SNEER_LEFT,
    NOSE_SNEER_RIGHT,
    TONGUE_OUT,
};

static const char* const arkit_names[GT_ARKIT_COUNT] = {
    [EYE_BLINK_LEFT] = "eyeBlinkLeft",
    [EYE_LOOK_DOWN_LEFT] = "eyeLookDownLeft",
    [EYE_LOOK_IN_LEFT] = "eyeLookInLeft",
    [EYE_LOOK_OUT_LEFT] = "eyeLookOutLeft",
    [EYE_LOOK_UP_LEFT] = "eyeLookUpLeft",
    [EYE_SQUINT_LEFT] = "eyeSquintLeft",
    [EYE_WIDE_LEFT] = "eyeWideLeft",
    [EYE_BLINK_RIGHT] = "eyeBlinkRight",
    [EYE_LOOK_DOWN_RIGHT] = "eyeLookDownRight",
    [EYE_LOOK_IN_RIGHT] = "eyeLookInRight",
    [EYE_LOOK_OUT_RIGHT] = "eyeLookOutRight",
    [EYE_LOOK_UP_RIGHT] = "eyeLookUpRight",
    [EYE_SQUINT_RIGHT] = "eyeSquintRight",
    [EYE_WIDE_RIGHT] = "eyeWideRight",
    [JAW_FORWARD] = "jawForward",
    [JAW_LEFT] = "jawLeft",
    [JAW_RIGHT] = "jawRight",
    [JAW_OPEN] = "jawOpen",
    [MOUTH_CLOSE] = "mouthClose",
    [MOUTH_FUNNEL] = "mouthFunnel",
    [MOUTH_PUCKER] = "mouthPucker",
    [MOUTH_LEFT] = "mouthLeft",
    [MOUTH_RIGHT] = "mouthRight",
    [MOUTH_SMILE_LEFT] = "mouthSmileLeft",
    [MOUTH_SMILE_RIGHT] = "mouthSmileRight",
    [MOUTH_FROWN_LEFT] = "mouthFrownLeft",
    [MOUTH_FROWN_RIGHT] = "mouthFrownRight",
    [MOUTH_DIMPLE_LEFT] = "mouthDimpleLeft",
    [MOUTH_DIMPLE_RIGHT] = "mouthDimpleRight",
    [MOUTH_STRETCH_LEFT] = "mouthStretchLeft",
    [MOUTH_STRETCH_RIGHT] = "mouthStretchRight",
    [MOUTH_ROLL_LOWER] = "mouthRollLower",
    [MOUTH_ROLL_UPPER] = "mouthRollUpper",
    [MOUTH_SHRUG_LOWER] = "mouthShrugLower",
    [MOUTH_SHRUG_UPPER] = "mouthShrugUpper",
    [MOUTH_PRESS_LEFT] = "mouthPressLeft",
    [MOUTH_PRESS_RIGHT] = "mouthPressRight",
    [MOUTH_LOWER_DOWN_LEFT] = "mouthLowerDownLeft",
    [MOUTH_LOWER_DOWN_RIGHT] = "mouthLowerDownRight",
    [MOUTH_UPPER_UP_LEFT] = "mouthUpperUpLeft",
    [MOUTH_UPPER_UP_RIGHT] = "mouthUpperUpRight",
    [BROW_DOWN_LEFT] = "browDownLeft",
    [BROW_DOWN_RIGHT] = "browDownRight",
    [BROW_INNER_UP] = "browInnerUp",
    [BROW_OUTER_UP_LEFT] = "browOuterUpLeft",
    [BROW_OUTER_UP_RIGHT] = "browOuterUpRight",
    [CHEEK_PUFF] = "cheekPuff",
    [CHEEK_SQUINT_LEFT] = "cheekSquintLeft",
    [CHEEK_SQUINT_RIGHT] = "cheekSquintRight",
    [NOSE_SNEER_LEFT] = "noseSneerLeft",
    [NOSE_SNEER_RIGHT] = "noseSneerRight",
    [TONGUE_OUT] = "tongueOut",
};

static const char* const expression_names[GT_EXPRESSION_COUNT] = {
    [GT_EXPRESSION_HAPPY] = "happy",
    [GT_EXPRESSION_ANGRY] = "angry",
    [GT_EXPRESSION_SAD] = "sad",
    [GT_EXPRESSION_RELAXED] = "relaxed",
    [GT_EXPRESSION_SURPRISED] = "surprised",
    [GT_EXPRESSION_AA] = "aa",
    [GT_EXPRESSION_IH] = "ih",
    [GT_EXPRESSION_OU] = "ou",
    [GT_EXPRESSION_EE] = "ee",
    [GT_EXPRESSION_OH] = "oh",
    [GT_EXPRESSION_BLINK] = "blink",
    [GT_EXPRESSION_BLINK_LEFT] = "blinkLeft",
    [GT_EXPRESSION_BLINK_RIGHT] = "blinkRight",
    [GT_EXPRESSION_LOOK_UP] = "lookUp",
    [GT_EXPRESSION_LOOK_DOWN] = "lookDown",
    [GT_EXPRESSION_LOOK_LEFT] = "lookLeft",
    [GT_EXPRESSION_LOOK_RIGHT] = "lookRight",
    [GT_EXPRESSION_NEUTRAL] = "neutral",
};

// Other names, in their plain form.
static const struct {
    const char* name;
    GtExpression expression;
} aliases[] = {
    { "joy", GT_EXPRESSION_HAPPY },
    { "sorrow", GT_EXPRESSION_SAD },
    { "fun", GT_EXPRESSION_RELAXED },
    { "surprise", GT_EXPRESSION_SURPRISED },
    { "a", GT_EXPRESSION_AA },
    { "i", GT_EXPRESSION_IH },
    { "u", GT_EXPRESSION_OU },
    { "e", GT_EXPRESSION_EE },
    { "o", GT_EXPRESSION_OH },
    { "fclalljoy", GT_EXPRESSION_HAPPY },
    { "fclallangry", GT_EXPRESSION_ANGRY },
    { "fclallsorrow", GT_EXPRESSION_SAD },
    { "fclallfun", GT_EXPRESSION_RELAXED },
    { "fclallsurprised", GT_EXPRESSION_SURPRISED },
    { "fclallneutral", GT_EXPRESSION_NEUTRAL },
    { "fclmtha", GT_EXPRESSION_AA },
    { "fclmthi", GT_EXPRESSION_IH },
    { "fclmthu", GT_EXPRESSION_OU },
    { "fclmthe", GT_EXPRESSION_EE },
    { "fclmtho", GT_EXPRESSION_OH },
    { "fcleyeclose", GT_EXPRESSION_BLINK },
    { "fcleyecloseleft", GT_EXPRESSION_BLINK_LEFT },
    { "fcleyecloseright", GT_EXPRESSION_BLINK_RIGHT },
    { "あ", GT_EXPRESSION_AA },
    { "い", GT_EXPRESSION_IH },
    { "う", GT_EXPRESSION_OU },
    { "え", GT_EXPRESSION_EE },
    { "お", GT_EXPRESSION_OH },
    { "まばたき", GT_EXPRESSION_BLINK },
};

static const GtExpressionPart happy_parts[] = {
    { MOUTH_SMILE_LEFT, 0.9f },   { MOUTH_SMILE_RIGHT, 0.9f }, { CHEEK_SQUINT_LEFT, 0.6f },
    { CHEEK_SQUINT_RIGHT, 0.6f }, { EYE_SQUINT_LEFT, 0.3f },   { EYE_SQUINT_RIGHT, 0.3f },
};
static const GtExpressionPart angry_parts[] = {
    { BROW_DOWN_LEFT, 1.0f },   { BROW_DOWN_RIGHT, 1.0f },   { EYE_SQUINT_LEFT, 0.3f },  { EYE_SQUINT_RIGHT, 0.3f },
    { NOSE_SNEER_LEFT, 0.5f },  { NOSE_SNEER_RIGHT, 0.5f },  { MOUTH_FROWN_LEFT, 0.3f }, { MOUTH_FROWN_RIGHT, 0.3f },
    { MOUTH_PRESS_LEFT, 0.4f }, { MOUTH_PRESS_RIGHT, 0.4f },
};
static const GtExpressionPart sad_parts[] = {
    { BROW_INNER_UP, 0.9f },    { EYE_SQUINT_LEFT, 0.2f },   { EYE_SQUINT_RIGHT, 0.2f },
    { MOUTH_FROWN_LEFT, 0.8f }, { MOUTH_FROWN_RIGHT, 0.8f }, { MOUTH_SHRUG_LOWER, 0.4f },
};
static const GtExpressionPart relaxed_parts[] = {
    { MOUTH_SMILE_LEFT, 0.4f }, { MOUTH_SMILE_RIGHT, 0.4f }, { EYE_BLINK_LEFT, 0.25f },
    { EYE_BLINK_RIGHT, 0.25f }, { BROW_INNER_UP, 0.1f },
};
static const GtExpressionPart surprised_parts[] = {
    { BROW_INNER_UP, 0.8f }, { BROW_OUTER_UP_LEFT, 0.8f }, { BROW_OUTER_UP_RIGHT, 0.8f },
    { EYE_WIDE_LEFT, 0.9f }, { EYE_WIDE_RIGHT, 0.9f },     { JAW_OPEN, 0.4f },
};
static const GtExpressionPart aa_parts[] = {
    { JAW_OPEN, 0.6f },
    { MOUTH_LOWER_DOWN_LEFT, 0.3f },
    { MOUTH_LOWER_DOWN_RIGHT, 0.3f },
    { MOUTH_UPPER_UP_LEFT, 0.2f },
    { MOUTH_UPPER_UP_RIGHT, 0.2f },
};
static const GtExpressionPart ih_parts[] = {
    { JAW_OPEN, 0.15f },
    { MOUTH_STRETCH_LEFT, 0.4f },
    { MOUTH_STRETCH_RIGHT, 0.4f },
    { MOUTH_SMILE_LEFT, 0.2f },
    { MOUTH_SMILE_RIGHT, 0.2f },
    { MOUTH_LOWER_DOWN_LEFT, 0.3f },
    { MOUTH_LOWER_DOWN_RIGHT, 0.3f },
};
static const GtExpressionPart ou_parts[] = {
    { JAW_OPEN, 0.1f },
    { MOUTH_FUNNEL, 0.3f },
    { MOUTH_PUCKER, 0.8f },
};
static const GtExpressionPart ee_parts[] = {
    { JAW_OPEN, 0.25f },
    { MOUTH_STRETCH_LEFT, 0.5f },
    { MOUTH_STRETCH_RIGHT, 0.5f },
    { MOUTH_UPPER_UP_LEFT, 0.2f },
    { MOUTH_UPPER_UP_RIGHT, 0.2f },
    { MOUTH_LOWER_DOWN_LEFT, 0.3f },
    { MOUTH_LOWER_DOWN_RIGHT, 0.3f },
};
static const GtExpressionPart oh_parts[] = {
    { JAW_OPEN, 0.4f },
    { MOUTH_FUNNEL, 0.7f },
    { MOUTH_PUCKER, 0.3f },
};
static const GtExpressionPart blink_parts[] = {
    { EYE_BLINK_LEFT, 1.0f },
    { EYE_BLINK_RIGHT, 1.0f },
};
static const GtExpressionPart blink_left_parts[] = {
    { EYE_BLINK_LEFT, 1.0f },
};
static const GtExpressionPart blink_right_parts[] = {
    { EYE_BLINK_RIGHT, 1.0f },
};
static const GtExpressionPart look_up_parts[] = {
    { EYE_LOOK_UP_LEFT, 1.0f },
    { EYE_LOOK_UP_RIGHT, 1.0f },
};
static const GtExpressionPart look_down_parts[] = {
    { EYE_LOOK_DOWN_LEFT, 1.0f },
    { EYE_LOOK_DOWN_RIGHT, 1.0f },
};
static const GtExpressionPart look_left_parts[] = {
    { EYE_LOOK_OUT_LEFT, 1.0f },
    { EYE_LOOK_IN_RIGHT, 1.0f },
};
static const GtExpressionPart look_right_parts[] = {
    { EYE_LOOK_IN_LEFT, 1.0f },
    { EYE_LOOK_OUT_RIGHT, 1.0f },
};

#define PARTS(array)                                                                                                   \
    {                                                                                                                  \
        array, (int32_t)(sizeof(array) / sizeof *(array))                                                              \
    }

static const struct {
    const GtExpressionPart* parts;
    int32_t count;
} parts_of[GT_EXPRESSION_COUNT] = {
    [GT_EXPRESSION_HAPPY] = PARTS(happy_parts),
    [GT_EXPRESSION_ANGRY] = PARTS(angry_parts),
    [GT_EXPRESSION_SAD] = PARTS(sad_parts),
    [GT_EXPRESSION_RELAXED] = PARTS(relaxed_parts),
    [GT_EXPRESSION_SURPRISED] = PARTS(surprised_parts),
    [GT_EXPRESSION_AA] = PARTS(aa_parts),
    [GT_EXPRESSION_IH] = PARTS(ih_parts),
    [GT_EXPRESSION_OU] = PARTS(ou_parts),
    [GT_EXPRESSION_EE] = PARTS(ee_parts),
    [GT_EXPRESSION_OH] = PARTS(oh_parts),
    [GT_EXPRESSION_BLINK] = PARTS(blink_parts),
    [GT_EXPRESSION_BLINK_LEFT] = PARTS(blink_left_parts),
    [GT_EXPRESSION_BLINK_RIGHT] = PARTS(blink_right_parts),
    [GT_EXPRESSION_LOOK_UP] = PARTS(look_up_parts),
    [GT_EXPRESSION_LOOK_DOWN] = PARTS(look_down_parts),
    [GT_EXPRESSION_LOOK_LEFT] = PARTS(look_left_parts),
    [GT_EXPRESSION_LOOK_RIGHT] = PARTS(look_right_parts),
};

static bool separates(char c)
{
    return c == '_' || c == '-' || c == ' ';
}

// A side as its last letter, behind a separator or a small letter: "eyeBlink_L", "eyeBlinkL", "Face.eyeBlink.R".
static const char* find_side(const char* start, size_t* length)
{
    size_t n = *length;
    char last = n > 0 ? gti_lower(start[n - 1]) : 0;
    bool apart = n > 2 && (separates(start[n - 2]) || start[n - 2] == '.');
    bool capital = n > 2 && gti_is_upper(start[n - 1]) && !gti_is_upper(start[n - 2]) && !separates(start[n - 2]);
    if ((last != 'l' && last != 'r') || (!apart && !capital)) {
        return "";
    }
    *length = n - (apart ? 2 : 1);
    return last == 'l' ? "left" : "right";
}

// Behind the number that some exporters put before a name: "AK_09_EyeBlinkLeft", "03_jawOpen".
static const char* skip_number(const char* start, const char* end)
{
    const char* c = start;
    while (c < end && c - start < 8 && (gti_is_letter(*c) || separates(*c))) {
        ++c;
    }
    const char* digits = c;
    while (c < end && gti_is_digit(*c)) {
        ++c;
    }
    return c > digits && c + 1 < end && separates(*c) ? c + 1 : start;
}

// out: [PLAIN_SIZE]; false where the name is longer than any that is known
static bool make_plain(const char* name, char* out)
{
    size_t length = strlen(name);
    const char* side = find_side(name, &length);
    const char* end = name + length;
    size_t count = 0;
    const char* start = name;
    for (const char* c = name; c + 1 < end; ++c) {
        start = *c == '.' || *c == ':' || *c == '|' ? c + 1 : start;
    }
    for (const char* c = skip_number(start, end); c < end; ++c) {
        if (!separates(*c)) {
            if (count + 8 >= PLAIN_SIZE) {
                return false;
            }
            out[count++] = gti_lower(*c);
        }
    }
    memcpy(out + count, side, strlen(side) + 1);
    return true;
}

static bool is_same(const char* plain, const char* name)
{
    for (; *plain && *plain == gti_lower(*name); ++plain, ++name) {
    }
    return *plain == 0 && *name == 0;
}

const char* gt_arkit_name(int32_t shape)
{
    return shape >= 0 && shape < GT_ARKIT_COUNT ? arkit_names[shape] : "";
}

int32_t gt_arkit_find(const char* name)
{
    char plain[PLAIN_SIZE];
    for (int32_t i = 0; make_plain(name, plain) && i < GT_ARKIT_COUNT; ++i) {
        if (is_same(plain, arkit_names[i])) {
            return i;
        }
    }
    return GT_NONE;
}

int32_t gt_arkit_mirror(int32_t shape)
{
    char name[PLAIN_SIZE];
    const char* own = gt_arkit_name(shape);
    size_t length = strlen(own);
    bool is_left = length > 4 && strcmp(own + length - 4, "Left") == 0;
    bool is_right = length > 5 && strcmp(own + length - 5, "Right") == 0;
    if (!is_left && !is_right) {
        return shape;
    }
    memcpy(name, own, length + 1);
    const char* other = is_left ? "Right" : "Left";
    memcpy(name + length - (is_left ? 4 : 5), other, strlen(other) + 1);
    return gt_arkit_find(name);
}

const char* gt_expression_name(GtExpression expression)
{
    return (unsigned)expression < GT_EXPRESSION_COUNT ? expression_names[expression] : "";
}

int32_t gt_expression_find(const char* name)
{
    char plain[PLAIN_SIZE];
    if (!make_plain(name, plain)) {
        return GT_NONE;
    }
    for (int32_t i = 0; i < GT_EXPRESSION_COUNT; ++i) {
        if (is_same(plain, expression_names[i])) {
            return i;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; ++i) {
        if (strcmp(plain, aliases[i].name) == 0) {
            return (int32_t)aliases[i].expression;
        }
    }
    return GT_NONE;
}

const GtExpressionPart* gt_expression_parts(GtExpression expression, int32_t* count)
{
    bool is_one = (unsigned)expression < GT_EXPRESSION_COUNT;
    *count = is_one ? parts_of[expression].count : 0;
    return is_one ? parts_of[expression].parts : NULL;
}
