// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "animate/export.h"

#include "base/fail.h"
#include "data/files.h"
#include "gertie/file.h"
#include "gertie/shot.h"

#include <math.h>
#include <string.h>

GtExportDef gt_default_export_def(void)
{
    return (GtExportDef){ .time_s = (double)NAN };
}

GtExportKind gt_export_kind(const char* path)
{
    if (strchr(path, '#') || gti_path_has_extension(path, "pc2")) {
        return GT_EXPORT_FRAMES;
    }
    if (gti_path_has_extension(path, "png")) {
        return GT_EXPORT_PICTURE;
    }
    const GtFormat* format = gt_format_of_path(path);
    if (!format || !format->writes) {
        return gt_film_format_find(path) ? GT_EXPORT_FILM : GT_EXPORT_UNKNOWN;
    }
    return gt_format_holds(format->name, GT_HOLDS_MOTION) ? GT_EXPORT_SCENE : GT_EXPORT_MESH;
}

GtResult gt_export_check_path(const char* path, GtError* error)
{
    GtExportKind kind = gt_export_kind(path);
    const char* slash = strrchr(path, '/');
    bool is_sequence = strchr(path, '#') != NULL;
    GtResult result = GT_OK;
    if (kind == GT_EXPORT_UNKNOWN) {
        result = gti_fail(error, GT_ERROR_UNSUPPORTED, "the ending is none that is written");
    } else if (is_sequence && !gti_path_has_extension(path, "obj") && !gti_path_has_extension(path, "ply") &&
               !gti_path_has_extension(path, "stl")) {
        result = gti_fail(error, GT_ERROR_UNSUPPORTED, "a sequence of frames is written as .obj, .ply or .stl files");
    } else if (slash && is_sequence && strrchr(path, '#') < slash) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "# goes into the name of the file, not of a folder");
    }
    if (result != GT_OK) {
        gti_error_set_file(error, path);
    }
    return result;
}

static GtResult export_scene(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                             GtError* error)
{
    GtSaveDef save = gt_default_save_def();
    save.animation = def->animation;
    save.source_units = true;
    return gt_scene_save(context, scene, path, &save, error);
}

static GtResult export_shot(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                            GtExportReport* report, GtError* error)
{
    GtShotFigure figure = gt_default_shot_figure(scene);
    figure.animation = def->animation;
    GtShotDef shot_def = gt_default_shot_def();
    shot_def.figures = &figure;
    shot_def.figure_count = 1;
    shot_def.path = path;
    shot_def.time_s = def->time_s;
    shot_def.frame_rate_hz = def->rate_hz;
    GtShot* shot = NULL;
    GtResult result = gt_shot_create(context, &shot_def, &shot, error);
    if (result == GT_OK) {
        const GtShotReport* did = gt_shot_report(shot);
        report->frame_count = did->picture_count;
        report->rate_hz = did->frame_rate_hz;
        report->time_s = did->from_s;
        report->width = did->width;
        report->height = did->height;
        result = gt_shot_write(shot, context, error);
    }
    gt_shot_destroy(shot);
    return result;
}

GtResult gt_export(const GtContext* context, const GtScene* scene, const GtExportDef* def, const char* path,
                   GtExportReport* report, GtError* error)
{
    GtExportDef known = def ? *def : gt_default_export_def();
    known.animation = scene->animation_count > 0 ? known.animation : GT_NONE;
    def = &known;
    GtExportReport did = { .kind = gt_export_kind(path) };
    GtResult result = gt_export_check_path(path, error);
    if (result == GT_OK) {
        switch (did.kind) {
        case GT_EXPORT_UNKNOWN: // was refused
            break;
        case GT_EXPORT_SCENE:
            result = export_scene(context, scene, def, path, error);
            break;
        case GT_EXPORT_MESH:
            result = gti_export_mesh(context, scene, def, path, &did, error);
            break;
        case GT_EXPORT_FRAMES:
            result = gti_export_frames(context, scene, def, path, &did, error);
            break;
        case GT_EXPORT_PICTURE:
        case GT_EXPORT_FILM:
            result = export_shot(context, scene, def, path, &did, error);
            break;
        }
    }
    if (report) {
        *report = did;
    }
    return result;
}
