// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints and curves to a scene: a node for every joint, in the file's order, which has parents first.

#include "io/smartbody/smartbody.h"

#include "base/fail.h"
#include "io/beside.h"
#include "io/curves.h"
#include "io/mesh/units.h"
#include "io/name.h"
#include "io/smartbody/motion.h"

#include <string.h>

// A skeleton, with a motion or without, on its way to a scene.
typedef struct SmartbodyReader {
    const GtContext* context;
    const GtLoadDef* def;
    GtError* error;
    const char* path; // of the file that was asked for
    GtiSkSkeleton skeleton;
    GtiSkmMotion motion;
} SmartbodyReader;

bool gti_skm_sniff(const uint8_t* bytes, size_t size)
{
    GtiWords words = { 0 };
    GtiWord word;
    gti_words_open(&words, bytes, size);
    gti_sk_next(&words, &word);
    return gti_word_equals(word, "skmotion");
}

bool gti_sk_sniff(const uint8_t* bytes, size_t size)
{
    enum {
        MOST_WORDS = 64 // a few settings stand before the tree
    };
    GtiWords words = { 0 };
    GtiWord word;
    gti_words_open(&words, bytes, size);
    for (int i = 0; i < MOST_WORDS && gti_sk_next(&words, &word); ++i) {
        if (gti_word_equals(word, "skeleton") && gti_word_equals(gti_sk_peek(&words), "root")) {
            return true;
        }
    }
    return false;
}

static GtResult add_nodes(SmartbodyReader* r, GtScene* scene)
{
    GtiSkSkeleton* s = &r->skeleton;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < s->joint_count && result == GT_OK; ++i) {
        const GtiSkJoint* joint = &s->joints[i];
        GtNode node = gt_default_node();
        bool repaired = false;
        node.parent = joint->parent;
        node.local = gti_sk_local(s, i, joint->position, gti_quat_identity());
        node.name = gti_push_name(scene, joint->name.text, joint->name.length, "", &repaired);
        result = node.name ? GT_OK : gti_out_of_memory(r->error);
        if (result == GT_OK && repaired) {
            s->words.line = joint->line;
            result = gti_words_repair(&s->words, GTI_SK_NOT_UTF8,
                                      "the name of joint '%.64s' was not valid UTF-8 and has been repaired", node.name);
        }
        if (result == GT_OK) {
            result = gt_scene_add_node(scene, &node, NULL, r->error);
        }
    }
    int32_t* roots = result == GT_OK ? gt_scene_push(scene, 1, sizeof *roots) : NULL;
    if (!roots) {
        return result == GT_OK ? gti_out_of_memory(r->error) : result;
    }
    roots[0] = 0;
    GtStage stage = { .nodes = roots, .node_count = 1 };
    return gt_scene_add_stage(scene, &stage, &scene->default_stage, r->error);
}

static GtResult add_animation(SmartbodyReader* r, GtScene* scene)
{
    GtiSkmMotion* m = &r->motion;
    GtiCurve* curves = gt_arena_push_array(r->skeleton.arena, (size_t)r->skeleton.joint_count, 2 * sizeof *curves);
    bool repaired = false;
    GtAnimation animation = { .name = m->name.length ? gti_push_name(scene, m->name.text, m->name.length, "", &repaired)
                                                     : gti_push_stem(scene, r->path, "motion") };
    if (m->extras) {
        animation.extra.extras = gt_scene_push_text(scene, m->extras, strlen(m->extras));
    }
    if (!curves || !animation.name || (m->extras && !animation.extra.extras)) {
        return gti_out_of_memory(r->error);
    }
    if (repaired) {
        GtResult result = gti_words_repair(
            &m->words, GTI_SKM_NAME, "the name '%.64s' was not valid UTF-8 and has been repaired", animation.name);
        if (result != GT_OK) {
            return result;
        }
    }
    int32_t count = 0;
    for (int32_t i = 0; i < r->skeleton.joint_count; ++i) {
        if (m->tracks[i].translation != SIZE_MAX) {
            curves[count++] = (GtiCurve){ i, GT_PATH_TRANSLATION, m->tracks[i].translation };
        }
        if (m->tracks[i].rotation != SIZE_MAX) {
            curves[count++] = (GtiCurve){ i, GT_PATH_ROTATION, m->tracks[i].rotation };
        }
    }
    return gti_add_curves(scene, &m->blob, m->frame_count, curves, count, &animation, r->error);
}

// @param motion  or NULL for the skeleton alone
static GtResult read_files(SmartbodyReader* r, const GtiInput* skeleton, const GtiInput* motion, GtScene** out)
{
    GtResult result = gti_sk_parse(r->context, skeleton, &r->skeleton, r->error);
    if (result == GT_OK) {
        result = gti_sk_choose_units(&r->skeleton, r->def);
    }
    if (result == GT_OK && motion) {
        result = gti_skm_parse(r->context, motion, &r->skeleton, &r->motion, r->error);
    }
    if (result == GT_OK) {
        result = gt_scene_create(r->context, out, r->error);
    }
    if (result != GT_OK) {
        return result;
    }
    (*out)->source =
        (GtSource){ .format = "sk", .metres_per_unit = r->skeleton.metres_per_unit, .up_axis = r->skeleton.up_axis };
    result = gti_push_directory(*out, r->path) ? add_nodes(r, *out) : gti_out_of_memory(r->error);
    if (result == GT_OK && motion) {
        result = add_animation(r, *out);
    }
    if (result == GT_OK) {
        gti_words_report_repairs(&r->skeleton.words);
        if (motion) {
            gti_words_report_repairs(&r->motion.words);
        }
    }
    return result;
}

static GtResult read_both(const GtContext* context, const GtiInput* skeleton, const GtiInput* motion,
                          const GtLoadDef* def, GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = gti_check_load_def(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    SmartbodyReader reader = { .context = context,
                               .def = def,
                               .error = error,
                               .path = motion ? motion->path : skeleton->path,
                               .skeleton = { .arena = &arena } };
    result = read_files(&reader, skeleton, motion, out);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    gt_blob_release(reader.motion.blob);
    gt_arena_destroy(&arena);
    return result;
}

GtResult gti_sk_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    return read_both(context, input, NULL, def, out, error);
}

GtResult gti_skm_read_on(const GtContext* context, const GtiInput* skeleton, const GtiInput* motion,
                         const GtLoadDef* def, GtScene** out, GtError* error)
{
    return read_both(context, skeleton, motion, def, out, error);
}

GtResult gti_skm_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    return gti_read_on_beside(context, input, NULL, "sk", gti_skm_read_on, def, out, error);
}
