// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// ASF text: sections that begin with a colon, bones between "begin" and "end", and a hierarchy by name. Follows
// Acclaim's description of 1994 and what Vicon wrote for the CMU collection. Bones may be listed in any order, so they
// are put in order, parents first, once the tree is known.

#include "io/asf/skeleton.h"

#include "base/ascii.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/scalar.h"

#include <math.h>
#include <string.h>

GtiQuat gti_asf_rotation(const double angles_rad[3], const uint8_t* order, int32_t count)
{
    GtiQuat rotation = gti_quat_identity();
    for (int32_t i = 0; i < count; ++i) {
        double half = 0.5 * angles_rad[order[i]];
        double v[3] = { 0.0, 0.0, 0.0 };
        v[order[i]] = sin(half);
        rotation = gti_quat_mul((GtiQuat){ v[0], v[1], v[2], cos(half) }, rotation);
    }
    return rotation;
}

void gti_asf_rest_translation(const GtiAsfSkeleton* skeleton, int32_t bone, double out[3])
{
    const GtiAsfBone* b = &skeleton->bones[bone];
    for (int i = 0; i < 3; ++i) {
        const GtiAsfBone* parent = b->parent == GT_NONE ? b : &skeleton->bones[b->parent];
        out[i] = b->parent == GT_NONE ? b->position[i] : parent->direction[i] * parent->length;
    }
}

GtiQuat gti_asf_rest_rotation(const GtiAsfSkeleton* skeleton, int32_t bone)
{
    const GtiAsfBone* b = &skeleton->bones[bone];
    return bone == GTI_ASF_ROOT ? gti_asf_rotation(b->axis_rad, b->axis_order, 3) : gti_quat_identity();
}

// `count` numbers that follow on the line; those that are not finite become `fallback`.
static GtResult read_numbers(GtiAsfSkeleton* s, const char* what, double* out, int count, double fallback)
{
    GtResult result = GT_OK;
    for (int i = 0; i < count && result == GT_OK; ++i) {
        GtiWord word;
        gti_words_next(&s->words, &word);
        if (!gti_word_number(word, &out[i])) {
            return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "'%s' needs %d number%s, got '%.*s'", what, count,
                                  count == 1 ? "" : "s", gti_word_shown(word), word.text);
        }
        if (!(fabs(out[i]) <= GTI_WORDS_MAX_VALUE)) {
            out[i] = fallback;
            result = gti_words_repair(&s->words, GTI_ASF_BAD_VALUE, "'%s' is not finite: %g is used", what, fallback);
        }
    }
    return result;
}

// "XYZ": three different axes.
static GtResult read_axis_order(GtiAsfSkeleton* s, uint8_t order[3])
{
    GtiWord word;
    int seen = 0;
    if (!gti_words_next(&s->words, &word)) {
        return GT_OK; // X, Y, Z, as it was set
    }
    for (size_t i = 0; i < 3 && word.length == 3; ++i) {
        int axis = gti_lower(word.text[i]) - 'x';
        if (axis >= 0 && axis < 3) {
            order[i] = (uint8_t)axis;
            seen |= 1 << axis;
        }
    }
    return seen == 7 ? GT_OK
                     : gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "'%.*s' is not an order of axes, such as XYZ",
                                      gti_word_shown(word), word.text);
}

static int dof_of(GtiWord word)
{
    static const char* const names[GTI_ASF_MAX_DOFS] = { "tx", "ty", "tz", "rx", "ry", "rz", "l" };
    for (int i = 0; i < GTI_ASF_MAX_DOFS; ++i) {
        if (gti_word_equals(word, names[i])) {
            return i;
        }
    }
    return GT_NONE;
}

// The rest of the line: degrees of freedom in the order of a motion's values.
static GtResult read_dofs(GtiAsfSkeleton* s, GtiAsfBone* bone)
{
    GtiWord word;
    bone->dof_count = 0;
    for (unsigned seen = 0; gti_words_next(&s->words, &word);) {
        int dof = dof_of(word);
        if (dof == GT_NONE || seen & 1u << dof) {
            return gti_words_fail(&s->words, GT_ERROR_BAD_FILE,
                                  dof == GT_NONE ? "'%.*s' is not a degree of freedom, such as rx"
                                                 : "the degree of freedom '%.*s' appears twice",
                                  gti_word_shown(word), word.text);
        }
        seen |= 1u << dof;
        bone->dofs[bone->dof_count++] = (uint8_t)dof;
    }
    return GT_OK;
}

static GtResult read_angles(GtiAsfSkeleton* s, const char* what, double angles_rad[3])
{
    GtResult result = read_numbers(s, what, angles_rad, 3, 0.0);
    for (int i = 0; i < 3; ++i) {
        angles_rad[i] *= s->radians_per_angle;
    }
    return result;
}

static GtResult read_direction(GtiAsfSkeleton* s, GtiAsfBone* bone)
{
    GtResult result = read_numbers(s, "direction", bone->direction, 3, 0.0);
    double length = sqrt(bone->direction[0] * bone->direction[0] + bone->direction[1] * bone->direction[1] +
                         bone->direction[2] * bone->direction[2]);
    if (result != GT_OK || length == 0.0 || fabs(length - 1.0) <= 1e-9) {
        return result;
    }
    if (fabs(length - 1.0) > 1e-3) {
        result =
            gti_words_repair(&s->words, GTI_ASF_NOT_UNIT, "a direction of length %g is made a unit vector", length);
    }
    for (int i = 0; i < 3; ++i) {
        bone->direction[i] /= length;
    }
    return result;
}

static GtResult unknown_word(GtiAsfSkeleton* s, GtiWord word)
{
    return gti_words_repair(&s->words, GTI_ASF_UNKNOWN_WORD, "'%.*s' is not known and is skipped", gti_word_shown(word),
                            word.text);
}

static GtResult read_units_line(GtiAsfSkeleton* s, GtiWord key)
{
    GtiWord word;
    GtResult result = GT_OK;
    if (gti_word_equals(key, "length")) {
        result = read_numbers(s, "length", &s->length_unit, 1, 0.0);
        if (result == GT_OK && !(s->length_unit >= 1e-6 && s->length_unit <= 1e6)) {
            result = gti_words_repair(&s->words, GTI_ASF_BAD_VALUE,
                                      "a unit of length of %g is not possible: the unit "
                                      "is told from the skeleton's height",
                                      s->length_unit);
            s->length_unit = 0.0;
        }
    } else if (gti_word_equals(key, "angle")) {
        gti_words_next(&s->words, &word);
        bool radians = gti_word_equals(word, "rad") || gti_word_equals(word, "radians");
        s->radians_per_angle = radians ? 1.0 : GTI_DEGREE;
    }
    return result;
}

static GtResult read_root_line(GtiAsfSkeleton* s, GtiWord key)
{
    GtiAsfBone* root = &s->bones[GTI_ASF_ROOT];
    if (gti_word_equals(key, "order")) {
        return read_dofs(s, root);
    }
    if (gti_word_equals(key, "axis")) {
        return read_axis_order(s, root->axis_order);
    }
    if (gti_word_equals(key, "position")) {
        return read_numbers(s, "position", root->position, 3, 0.0);
    }
    return gti_word_equals(key, "orientation") ? read_angles(s, "orientation", root->axis_rad) : unknown_word(s, key);
}

static GtResult read_bone_line(GtiAsfSkeleton* s, GtiWord key, GtiAsfBone* bone)
{
    if (gti_word_equals(key, "name")) {
        gti_words_next(&s->words, &bone->name);
        return GT_OK;
    }
    if (gti_word_equals(key, "direction")) {
        return read_direction(s, bone);
    }
    if (gti_word_equals(key, "length")) {
        return read_numbers(s, "length", &bone->length, 1, 0.0);
    }
    if (gti_word_equals(key, "axis")) {
        GtResult result = read_angles(s, "axis", bone->axis_rad);
        return result == GT_OK ? read_axis_order(s, bone->axis_order) : result;
    }
    if (gti_word_equals(key, "dof")) {
        return read_dofs(s, bone);
    }
    bool is_known = key.text[0] == '(' || gti_word_equals(key, "id") || gti_word_equals(key, "limits") ||
                    gti_word_equals(key, "bodymass") || gti_word_equals(key, "cofmass");
    return is_known ? GT_OK : unknown_word(s, key);
}

static GtResult add_bone(GtiAsfSkeleton* s, const GtiAsfBone* bone)
{
    if (!bone->name.length) {
        return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "the bone that ends here has no name");
    }
    if (gti_intern_find(&s->names, bone->name.text, bone->name.length) != GT_NONE) {
        return gti_words_repair(&s->words, GTI_ASF_NAME_TWICE, "a second bone '%.*s' is left out",
                                gti_word_shown(bone->name), bone->name.text);
    }
    if (s->bone_count == s->bone_capacity) {
        GtiAsfBone* grown = gti_arena_grow(s->arena, s->bones, &s->bone_capacity, 64, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(s->words.error);
        }
        s->bones = grown;
    }
    s->bones[s->bone_count++] = *bone;
    return gti_intern(&s->names, bone->name.text, bone->name.length) != GT_NONE ? GT_OK
                                                                                : gti_out_of_memory(s->words.error);
}

// One line of the hierarchy: a bone, and its children.
static GtResult read_children(GtiAsfSkeleton* s, GtiWord name)
{
    int32_t parent = gti_intern_find(&s->names, name.text, name.length);
    GtResult result = GT_OK;
    for (GtiWord word = name; result == GT_OK && word.length; gti_words_next(&s->words, &word)) {
        int32_t bone = gti_intern_find(&s->names, word.text, word.length);
        bool is_parent = word.text == name.text;
        if (bone == GT_NONE) {
            result = gti_words_repair(&s->words, GTI_ASF_UNKNOWN_BONE, "there is no bone '%.*s'; it is left out",
                                      gti_word_shown(word), word.text);
        } else if (!is_parent && bone == GTI_ASF_ROOT) {
            return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "the root is a child of '%.*s'", gti_word_shown(name),
                                  name.text);
        } else if (!is_parent && parent != GT_NONE && s->bones[bone].parent != GT_NONE) {
            result =
                gti_words_repair(&s->words, GTI_ASF_TWO_PARENTS, "bone '%.*s' has a parent already, which it keeps",
                                 gti_word_shown(word), word.text);
        } else if (!is_parent && parent != GT_NONE) {
            s->bones[bone].parent = parent;
        }
    }
    return result;
}

// List bones after their parents, by going up from each to one that is listed and down again. Returns a bone whose
// parents lead back to itself, or GT_NONE.
static int32_t order_bones(GtiAsfSkeleton* s, uint8_t* marks, int32_t* stack)
{
    enum {
        FREE,
        OPEN, // on the stack
        LISTED
    };
    int32_t count = 0;
    s->order[count++] = GTI_ASF_ROOT;
    marks[GTI_ASF_ROOT] = LISTED;
    for (int32_t i = 0; i < s->bone_count; ++i) {
        int32_t depth = 0;
        for (int32_t bone = i; marks[bone] != LISTED; bone = s->bones[bone].parent) {
            if (marks[bone] == OPEN) {
                return bone;
            }
            marks[bone] = OPEN;
            stack[depth++] = bone;
        }
        while (depth > 0) {
            marks[stack[--depth]] = LISTED;
            s->order[count++] = stack[depth];
        }
    }
    return GT_NONE;
}

static GtResult check_tree(GtiAsfSkeleton* s, bool has_hierarchy)
{
    if (!has_hierarchy) {
        return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "':hierarchy' is missing: nothing says how the bones join");
    }
    uint8_t* marks = gt_arena_push_array(s->arena, (size_t)s->bone_count, sizeof *marks);
    int32_t* stack = gt_arena_push_array(s->arena, (size_t)s->bone_count, sizeof *stack);
    s->order = gt_arena_push_array(s->arena, (size_t)s->bone_count, sizeof *s->order);
    if (!marks || !stack || !s->order) {
        return gti_out_of_memory(s->words.error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 1; i < s->bone_count && result == GT_OK; ++i) {
        GtiAsfBone* bone = &s->bones[i];
        if (bone->parent == GT_NONE) {
            bone->parent = GTI_ASF_ROOT;
            s->words.line = bone->line;
            result = gti_words_repair(&s->words, GTI_ASF_NO_PARENT, "bone '%.*s' has no parent: the root is taken",
                                      gti_word_shown(bone->name), bone->name.text);
        }
    }
    int32_t cycle = result == GT_OK ? order_bones(s, marks, stack) : GT_NONE;
    if (cycle != GT_NONE) {
        s->words.line = s->bones[cycle].line;
        return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "bone '%.*s' is its own ancestor in ':hierarchy'",
                              gti_word_shown(s->bones[cycle].name), s->bones[cycle].name.text);
    }
    return result;
}

typedef enum AsfSection {
    SECTION_OTHER,
    SECTION_UNITS,
    SECTION_ROOT,
    SECTION_BONES,
    SECTION_HIERARCHY,
} AsfSection;

static AsfSection section_of(GtiWord word)
{
    return gti_word_equals(word, ":units")       ? SECTION_UNITS
           : gti_word_equals(word, ":root")      ? SECTION_ROOT
           : gti_word_equals(word, ":bonedata")  ? SECTION_BONES
           : gti_word_equals(word, ":hierarchy") ? SECTION_HIERARCHY
                                                 : SECTION_OTHER;
}

static GtResult read_sections(GtiAsfSkeleton* s, bool* has_hierarchy)
{
    const GtiAsfBone plain = { .parent = GT_NONE, .axis_order = { 0, 1, 2 } };
    GtiAsfBone bone = plain;
    AsfSection section = SECTION_OTHER;
    GtResult result = GT_OK;
    while (result == GT_OK && gti_words_next_line(&s->words)) {
        GtiWord key;
        gti_words_next(&s->words, &key);
        if (key.text[0] == ':') {
            section = section_of(key);
            *has_hierarchy |= section == SECTION_HIERARCHY;
        } else if (section == SECTION_UNITS) {
            result = read_units_line(s, key);
        } else if (section == SECTION_ROOT) {
            result = read_root_line(s, key);
        } else if (section != SECTION_OTHER && gti_word_equals(key, "begin")) {
            bone = plain;
            bone.line = s->words.line;
        } else if (section == SECTION_BONES) {
            result = gti_word_equals(key, "end") ? add_bone(s, &bone) : read_bone_line(s, key, &bone);
        } else if (section == SECTION_HIERARCHY && !gti_word_equals(key, "end")) {
            result = read_children(s, key);
        }
    }
    return result;
}

GtResult gti_asf_parse(const GtContext* context, const GtiInput* input, GtiAsfSkeleton* skeleton, GtError* error)
{
    GtiAsfSkeleton* s = skeleton;
    s->words = (GtiWords){ .context = context,
                           .path = input->path,
                           .error = error,
                           .repaired = s->repaired,
                           .repair_count = GTI_ASF_REPAIR_COUNT };
    gti_words_open(&s->words, input->bytes, input->size);
    s->names = (GtiIntern){ .arena = s->arena };
    s->radians_per_angle = GTI_DEGREE;
    const GtiAsfBone root = {
        .name = { "root", 4 },
        .parent = GT_NONE,
        .axis_order = { 0, 1, 2 },
        .dof_count = 6,
        .dofs = { GTI_ASF_TX, GTI_ASF_TY, GTI_ASF_TZ, GTI_ASF_RX, GTI_ASF_RY, GTI_ASF_RZ },
    };
    bool has_hierarchy = false;
    GtResult result = add_bone(s, &root);
    if (result == GT_OK) {
        result = read_sections(s, &has_hierarchy);
    }
    if (result == GT_OK && s->bone_count == 1) {
        return gti_words_fail(&s->words, GT_ERROR_BAD_FILE, "there are no bones: ':bonedata' is missing or empty");
    }
    return result == GT_OK ? check_tree(s, has_hierarchy) : result;
}
