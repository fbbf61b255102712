// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The expressions of a face as a deformation: its controls, and the list "shapes" as a file has it, so that it can be
// kept, saved and edited like any other.

#include "gertie/shape_controls.h"

#include "data/json.h"
#include "sections/sculpt.h"

static void put_drive(GtJsonWriter* json, const GtShapeDrive* drive)
{
    const GtCurveDef* curve = drive->curve;
    gt_json_begin_object(json);
    gt_json_member_string(json, "control", drive->control);
    gt_json_member_array(json, "keys");
    for (int32_t i = 0; i < curve->key_count; ++i) {
        gt_json_begin_object(json);
        gt_json_member_float(json, "at", curve->times_s[i]);
        gt_json_member_float(json, "value", curve->values[i]);
        gt_json_end_object(json);
    }
    gt_json_end_array(json);
    gt_json_end_object(json);
}

static const char* print_shapes(GtArena* arena, const GtShapeControlsDef* def)
{
    GtJsonWriter json = gt_json_create(arena, 0);
    gt_json_begin_array(&json);
    for (int32_t i = 0; i < def->rule_count; ++i) {
        const GtShapeRule* rule = &def->rules[i];
        gt_json_begin_object(&json);
        gt_json_member_string(&json, "name", rule->name);
        if (rule->mesh) {
            gt_json_member_string(&json, "mesh", rule->mesh);
        }
        gt_json_member_array(&json, "driven_by");
        for (int32_t d = 0; d < rule->drive_count; ++d) {
            put_drive(&json, &rule->drives[d]);
        }
        gt_json_end_array(&json);
        gt_json_end_object(&json);
    }
    gt_json_end_array(&json);
    return gt_text_finish(&json.text);
}

static GtResult fill(GtSculpt* sculpt, const GtFace* face, GtError* error)
{
    const GtShapeControlsDef* def = &face->def;
    GtResult result = GT_OK;
    if (face->kind == GT_FACE_NONE) {
        return gti_fail(error, GT_ERROR_NOT_FOUND,
                        "no morph target has a name of ARKit's shapes or of an expression, and no expression of a VRM "
                        "extension moves any or changes a material");
    }
    for (int32_t i = 0; i < def->control_count && result == GT_OK; ++i) {
        result = gti_sculpt_add_control(sculpt, &def->controls[i], NULL, error);
    }
    for (int32_t i = 0; i < def->material_count && result == GT_OK; ++i) {
        result = gti_sculpt_add_material(sculpt, &def->materials[i], error);
    }
    if (result == GT_OK && def->rule_count > 0) {
        sculpt->shapes = print_shapes(&sculpt->arena, def);
        result = sculpt->shapes ? GT_OK : gti_out_of_memory(error);
    }
    return result;
}

static GtResult warn(const GtContext* context, const GtScene* scene, const GtFace* face, GtError* error)
{
    return face->skipped_count == 0
               ? GT_OK
               : gti_repair(context, error, scene->source.file, "extensions",
                            "%d bind%s of expressions name no morph target or material that is there; left out",
                            (int)face->skipped_count, face->skipped_count == 1 ? "" : "s");
}

GtResult gt_sculpt_face(const GtContext* context, const GtScene* scene, GtSculpt** out, GtError* error)
{
    *out = NULL;
    GtFace* face = NULL;
    GtSculpt* sculpt = NULL;
    GtResult result = gt_face_create(context, scene, &face, error);
    if (result == GT_OK) {
        result = warn(context, scene, face, error);
    }
    if (result == GT_OK) {
        result = gti_sculpt_create(context, &sculpt, error);
    }
    if (result == GT_OK) {
        result = fill(sculpt, face, error);
    }
    gt_face_destroy(face);
    if (result != GT_OK) {
        gt_sculpt_destroy(sculpt);
        return result;
    }
    *out = sculpt;
    return GT_OK;
}
