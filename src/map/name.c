// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "map/name.h"

#include <ctype.h>
#include <string.h>

#define BIT(part) (1u << GTI_BODY_PART_##part)

enum {
    TOKEN_SIZE = 32,
    MOST_TOKENS = 16
};

// What a word means; `sided` is what it means with a side mark, where that differs.
typedef struct Word {
    const char* text;
    uint32_t parts;
    uint32_t sided;
} Word;

static const Word words[] = {
    { "hips", BIT(HIPS), BIT(UPPER_LEG) },
    { "hip", BIT(HIPS), BIT(UPPER_LEG) },
    { "pelvis", BIT(HIPS), 0 },
    { "base", BIT(HIPS), 0 },
    { "spine", BIT(SPINE), 0 },
    { "lowerback", BIT(SPINE), 0 },
    { "upperback", BIT(SPINE), 0 },
    { "lowback", BIT(SPINE), 0 },
    { "back", BIT(SPINE), 0 },
    { "abdomen", BIT(SPINE), 0 },
    { "belly", BIT(SPINE), 0 },
    { "waist", BIT(SPINE), 0 },
    { "torso", BIT(SPINE) | BIT(HIPS), 0 },
    { "chest", BIT(SPINE), 0 },
    { "thorax", BIT(SPINE), 0 },
    { "ribcage", BIT(SPINE), 0 },
    { "neck", BIT(NECK), 0 },
    { "lowerneck", BIT(NECK), 0 },
    { "upperneck", BIT(NECK), 0 },
    { "head", BIT(HEAD), 0 },
    { "skull", BIT(HEAD), 0 },
    { "skullbase", BIT(HEAD), 0 },
    { "eye", BIT(EYE), 0 },
    { "eyeball", BIT(EYE), 0 },
    { "jaw", BIT(JAW), 0 },
    { "mandible", BIT(JAW), 0 },
    { "shoulder", BIT(SHOULDER) | BIT(UPPER_ARM), 0 },
    { "clavicle", BIT(SHOULDER), 0 },
    { "collar", BIT(SHOULDER), 0 },
    { "collarbone", BIT(SHOULDER), 0 },
    { "sternoclavicular", BIT(SHOULDER), 0 },
    { "acromioclavicular", BIT(SHOULDER), 0 },
    { "scapula", BIT(SHOULDER), 0 },
    { "upperarm", BIT(UPPER_ARM), 0 },
    { "uparm", BIT(UPPER_ARM), 0 },
    { "humerus", BIT(UPPER_ARM), 0 },
    { "shldr", BIT(UPPER_ARM), 0 },
    { "arm", BIT(UPPER_ARM) | BIT(LOWER_ARM), 0 }, // Mixamo's is the upper one
    { "forearm", BIT(LOWER_ARM), 0 },
    { "lowerarm", BIT(LOWER_ARM), 0 },
    { "loarm", BIT(LOWER_ARM), 0 },
    { "lowarm", BIT(LOWER_ARM), 0 },
    { "radius", BIT(LOWER_ARM), 0 },
    { "elbow", BIT(LOWER_ARM), 0 },
    { "hand", BIT(HAND), 0 },
    { "wrist", BIT(HAND), 0 },
    { "thigh", BIT(UPPER_LEG), 0 },
    { "upperleg", BIT(UPPER_LEG), 0 },
    { "upleg", BIT(UPPER_LEG), 0 },
    { "femur", BIT(UPPER_LEG), 0 },
    { "calf", BIT(LOWER_LEG), 0 },
    { "shin", BIT(LOWER_LEG), 0 },
    { "lowerleg", BIT(LOWER_LEG), 0 },
    { "loleg", BIT(LOWER_LEG), 0 },
    { "lowleg", BIT(LOWER_LEG), 0 },
    { "tibia", BIT(LOWER_LEG), 0 },
    { "knee", BIT(LOWER_LEG), 0 },
    { "leg", BIT(LOWER_LEG) | BIT(UPPER_LEG), 0 },
    { "foot", BIT(FOOT) | BIT(TOES), 0 }, // SMPL names the joint, so its foot is the toe base
    { "ankle", BIT(FOOT), 0 },
    { "toe", BIT(TOES), 0 },
    { "toes", BIT(TOES), 0 },
    { "toebase", BIT(TOES), 0 },
    { "ball", BIT(TOES), 0 },
    { "forefoot", BIT(TOES), 0 },
    { "palm", BIT(HAND) | BIT(FINGER), 0 },
    { "metacarpal", BIT(FINGER), 0 },
    { "metatarsal", BIT(TOES), 0 },
    { "carpal", BIT(FINGER), 0 },
    { "finger", BIT(FINGER), 0 },
    { "fingers", BIT(FINGER), 0 },
    { "thumb", BIT(FINGER), 0 },
    { "index", BIT(FINGER), 0 },
    { "middle", BIT(FINGER), 0 },
    { "mid", BIT(FINGER), 0 },
    { "ring", BIT(FINGER), 0 },
    { "little", BIT(FINGER), 0 },
    { "pinky", BIT(FINGER), 0 },
    { "pinkie", BIT(FINGER), 0 },
};

static const char* const finger_words[5][3] = {
    { "thumb", NULL }, { "index", NULL }, { "middle", "mid", NULL }, { "ring", NULL }, { "little", "pinky", "pinkie" },
};

static const char* const helper_words[] = {
    "twist",  "roll",   "ik",    "fk",      "pole",   "target", "prop",   "weapon", "gun",    "sword",
    "breast", "bust",   "boob",  "pec",     "hair",   "skirt",  "cloth",  "cape",   "tail",   "ear",
    "wing",   "helper", "ctrl",  "control", "socket", "attach", "camera", "dummy",  "muscle", "brow",
    "eyelid", "lid",    "cheek", "lip",     "tongue", "teeth",  "nose",   "jiggle", "adjust", "hat",
};

static const char* const end_words[] = { "end", "nub", "tip", "site", "top", "effector", "leaf" };

// Japanese names are looked for anywhere in the name, the longer ones first.
static const struct {
    const char* text;
    uint32_t parts;
    int8_t finger;
    bool is_helper;
} signs[] = {
    { "\xEF\xBC\xA9\xEF\xBC\xAB", 0, -1, true },                       // IK, wide
    { "\xE6\x8D\xA9", 0, -1, true },                                   // twist
    { "\xE8\xB6\xB3\xE9\xA6\x96", BIT(FOOT), -1, false },              // ankle
    { "\xE6\x89\x8B\xE9\xA6\x96", BIT(HAND), -1, false },              // wrist
    { "\xE4\xB8\x8A\xE5\x8D\x8A\xE8\xBA\xAB", BIT(SPINE), -1, false }, // upper body
    { "\xE4\xB8\x8B\xE5\x8D\x8A\xE8\xBA\xAB", BIT(HIPS), -1, false },  // lower body
    { "\xE3\x81\xA4\xE3\x81\xBE\xE5\x85\x88", BIT(TOES), -1, false },  // toes
    { "\xE3\x81\xB2\xE3\x81\x96", BIT(LOWER_LEG), -1, false },         // knee
    { "\xE3\x81\xB2\xE3\x81\x98", BIT(LOWER_ARM), -1, false },         // elbow
    { "\xE8\xA6\xAA\xE6\x8C\x87", BIT(FINGER), 0, false },             // thumb
    { "\xE4\xBA\xBA\xE6\x8C\x87", BIT(FINGER), 1, false },             // index
    { "\xE4\xBA\xBA\xE5\xB7\xAE\xE6\x8C\x87", BIT(FINGER), 1, false }, // index
    { "\xE4\xB8\xAD\xE6\x8C\x87", BIT(FINGER), 2, false },             // middle
    { "\xE8\x96\xAC\xE6\x8C\x87", BIT(FINGER), 3, false },             // ring
    { "\xE5\xB0\x8F\xE6\x8C\x87", BIT(FINGER), 4, false },             // little
    { "\xE8\x82\xA9", BIT(SHOULDER), -1, false },                      // shoulder
    { "\xE8\x85\x95", BIT(UPPER_ARM), -1, false },                     // arm
    { "\xE8\xB6\xB3", BIT(UPPER_LEG), -1, false },                     // leg
    { "\xE9\xA6\x96", BIT(NECK), -1, false },                          // neck
    { "\xE9\xA0\xAD", BIT(HEAD), -1, false },                          // head
    { "\xE7\x9B\xAE", BIT(EYE), -1, false },                           // eye
};

static const char left_sign[] = "\xE5\xB7\xA6";
static const char right_sign[] = "\xE5\x8F\xB3";

typedef struct Tokens {
    char text[MOST_TOKENS][TOKEN_SIZE];
    int count;
} Tokens;

static void add_token(Tokens* t, const char* start, size_t length)
{
    if (length == 0 || t->count == MOST_TOKENS) {
        return;
    }
    char* out = t->text[t->count++];
    length = length < TOKEN_SIZE - 1 ? length : TOKEN_SIZE - 1;
    for (size_t i = 0; i < length; ++i) {
        out[i] = (char)tolower((unsigned char)start[i]);
    }
    out[length] = 0;
}

// Words of letters, split where the case rises and before a last capital that begins a word: "LFoot" is "l", "foot".
// Numbers are words of their own.
static Tokens split(const char* name)
{
    Tokens t = { .count = 0 };
    const char* start = name;
    for (const char* c = name;; ++c) {
        bool is_letter = isalpha((unsigned char)*c) != 0;
        bool is_digit = isdigit((unsigned char)*c) != 0;
        bool begins = c > start && is_letter &&
                      ((isupper((unsigned char)*c) && islower((unsigned char)c[-1])) ||
                       (isupper((unsigned char)*c) && isupper((unsigned char)c[-1]) && islower((unsigned char)c[1])) ||
                       isdigit((unsigned char)c[-1]));
        bool number = c > start && is_digit && isalpha((unsigned char)c[-1]);
        if (begins || number || (!is_letter && !is_digit)) {
            add_token(&t, start, (size_t)(c - start));
            start = begins || number ? c : c + 1;
        }
        if (!*c) {
            break;
        }
    }
    return t;
}

static const Word* find_word(const char* text)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (!strcmp(words[i].text, text)) {
            return &words[i];
        }
    }
    return NULL;
}

static bool is_one_of(const char* text, const char* const* list, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!strcmp(list[i], text)) {
            return true;
        }
    }
    return false;
}

#define IS_ONE_OF(text, list) is_one_of(text, list, sizeof(list) / sizeof((list)[0]))

static int side_of(const char* token)
{
    static const char* const left[] = { "left", "l", "lft", "lf", "lt" };
    static const char* const right[] = { "right", "r", "rgt", "rt" };
    return IS_ONE_OF(token, left) ? 1 : IS_ONE_OF(token, right) ? -1 : 0;
}

// "lfemur" and "leftarm" are a side and a word in one.
static const Word* sided_word(const char* token, int8_t* side)
{
    static const struct {
        const char* mark;
        int8_t side;
    } marks[] = { { "left", 1 }, { "right", -1 }, { "l", 1 }, { "r", -1 } };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; ++i) {
        size_t length = strlen(marks[i].mark);
        const Word* word = !strncmp(token, marks[i].mark, length) ? find_word(token + length) : NULL;
        if (word) {
            *side = marks[i].side;
            return word;
        }
    }
    return NULL;
}

static int8_t finger_of(const char* token)
{
    for (int8_t f = 0; f < 5; ++f) {
        for (int i = 0; i < 3 && finger_words[f][i]; ++i) {
            if (!strcmp(finger_words[f][i], token)) {
                return f;
            }
        }
    }
    return -1;
}

static void read_signs(const char* name, GtiNameHint* hint)
{
    hint->side = strstr(name, left_sign) ? 1 : strstr(name, right_sign) ? -1 : 0;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; ++i) {
        if (strstr(name, signs[i].text)) {
            hint->parts = hint->parts ? hint->parts : signs[i].parts;
            hint->finger = hint->finger < 0 ? signs[i].finger : hint->finger;
            hint->is_helper = hint->is_helper || signs[i].is_helper;
        }
    }
}

// Two words that are one: "upper arm", "fore arm", "toe base".
static const Word* joined_word(const Tokens* t, int i)
{
    char text[2 * TOKEN_SIZE];
    if (i + 1 >= t->count) {
        return NULL;
    }
    strcpy(text, t->text[i]);
    strcat(text, t->text[i + 1]);
    return find_word(text);
}

// What the words of a name add up to.
typedef struct Meaning {
    uint32_t parts, sided;
    bool has_toe, has_finger, has_hand;
    int number_after_finger; // or -1
} Meaning;

static void take_word(Meaning* m, const Word* word)
{
    m->has_finger = m->has_finger || word->parts == BIT(FINGER);
    m->has_hand = m->has_hand || word->parts == BIT(HAND);
    // The last word counts ("upper arm of hand"), but fingers count over hands, and toes over feet.
    if (!(m->parts == BIT(FINGER) || m->parts == BIT(TOES))) {
        m->parts = word->parts;
        m->sided = word->sided;
    }
}

GtiNameHint gti_name_hint(const char* name)
{
    GtiNameHint hint = { .finger = -1, .number = -1 };
    if (!name) {
        return hint;
    }
    const char* colon = strrchr(name, ':');
    name = colon && colon[1] ? colon + 1 : name;
    hint.is_helper = !strncmp(name, "__", 2); // MakeHuman's offsets
    read_signs(name, &hint);
    Tokens t = split(name);
    Meaning m = { .number_after_finger = -1 };
    for (int i = 0; i < t.count; ++i) {
        const char* token = t.text[i];
        const Word* word = joined_word(&t, i);
        if (word) {
            take_word(&m, word);
            hint.is_helper = hint.is_helper || IS_ONE_OF(t.text[i + 1], helper_words);
            ++i;
            continue;
        }
        int side = side_of(token);
        hint.side = side ? (int8_t)side : hint.side;
        hint.is_helper = hint.is_helper || IS_ONE_OF(token, helper_words);
        hint.is_end = hint.is_end || IS_ONE_OF(token, end_words);
        int8_t finger = finger_of(token);
        hint.finger = finger >= 0 ? finger : hint.finger;
        if (m.has_finger && isdigit((unsigned char)token[0]) && m.number_after_finger < 0) {
            m.number_after_finger = token[0] - '0';
        }
        int8_t own_side = 0;
        word = find_word(token);
        word = word ? word : sided_word(token, &own_side);
        hint.side = own_side ? own_side : hint.side;
        if (word) {
            int8_t own_finger = finger_of(word->text);
            hint.finger = own_finger >= 0 ? own_finger : hint.finger;
            hint.is_palm = hint.is_palm || !strcmp(word->text, "palm") || strstr(word->text, "carpal") != NULL ||
                           !strcmp(word->text, "metatarsal");
            take_word(&m, word);
        }
    }
    for (int i = 0; i + 1 < t.count; ++i) { // MotionBuilder's LHipJoint lies between the hips and the thigh
        hint.is_helper = hint.is_helper || (!strcmp(t.text[i], "hip") && !strcmp(t.text[i + 1], "joint"));
    }
    hint.parts = hint.parts ? hint.parts : hint.side && m.sided ? m.sided : m.parts;
    hint.number = hint.parts == BIT(FINGER) && hint.finger < 0 && !hint.is_palm ? (int8_t)m.number_after_finger : -1;
    return hint;
}

float gti_name_fit(const GtiNameHint* hint, GtiBodyPart part)
{
    if (hint->is_helper) {
        return -1.0f;
    }
    if (hint->parts == 0) {
        return 0.0f;
    }
    if (!(hint->parts & (1u << part))) {
        return -1.0f;
    }
    return hint->parts == (1u << part) ? 1.0f : 0.5f;
}

GtiBodyPart gti_body_part_of(GtHumanoidJoint joint)
{
    static const GtiBodyPart parts[GT_HUMANOID_LEFT_THUMB_METACARPAL] = {
        [GT_HUMANOID_HIPS] = GTI_BODY_PART_HIPS,
        [GT_HUMANOID_SPINE] = GTI_BODY_PART_SPINE,
        [GT_HUMANOID_CHEST] = GTI_BODY_PART_SPINE,
        [GT_HUMANOID_UPPER_CHEST] = GTI_BODY_PART_SPINE,
        [GT_HUMANOID_NECK] = GTI_BODY_PART_NECK,
        [GT_HUMANOID_HEAD] = GTI_BODY_PART_HEAD,
        [GT_HUMANOID_LEFT_EYE] = GTI_BODY_PART_EYE,
        [GT_HUMANOID_RIGHT_EYE] = GTI_BODY_PART_EYE,
        [GT_HUMANOID_JAW] = GTI_BODY_PART_JAW,
        [GT_HUMANOID_LEFT_SHOULDER] = GTI_BODY_PART_SHOULDER,
        [GT_HUMANOID_RIGHT_SHOULDER] = GTI_BODY_PART_SHOULDER,
        [GT_HUMANOID_LEFT_UPPER_ARM] = GTI_BODY_PART_UPPER_ARM,
        [GT_HUMANOID_RIGHT_UPPER_ARM] = GTI_BODY_PART_UPPER_ARM,
        [GT_HUMANOID_LEFT_LOWER_ARM] = GTI_BODY_PART_LOWER_ARM,
        [GT_HUMANOID_RIGHT_LOWER_ARM] = GTI_BODY_PART_LOWER_ARM,
        [GT_HUMANOID_LEFT_HAND] = GTI_BODY_PART_HAND,
        [GT_HUMANOID_RIGHT_HAND] = GTI_BODY_PART_HAND,
        [GT_HUMANOID_LEFT_UPPER_LEG] = GTI_BODY_PART_UPPER_LEG,
        [GT_HUMANOID_RIGHT_UPPER_LEG] = GTI_BODY_PART_UPPER_LEG,
        [GT_HUMANOID_LEFT_LOWER_LEG] = GTI_BODY_PART_LOWER_LEG,
        [GT_HUMANOID_RIGHT_LOWER_LEG] = GTI_BODY_PART_LOWER_LEG,
        [GT_HUMANOID_LEFT_FOOT] = GTI_BODY_PART_FOOT,
        [GT_HUMANOID_RIGHT_FOOT] = GTI_BODY_PART_FOOT,
        [GT_HUMANOID_LEFT_TOES] = GTI_BODY_PART_TOES,
        [GT_HUMANOID_RIGHT_TOES] = GTI_BODY_PART_TOES,
    };
    return joint < GT_HUMANOID_LEFT_THUMB_METACARPAL ? parts[joint] : GTI_BODY_PART_FINGER;
}
