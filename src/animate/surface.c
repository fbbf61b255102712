// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces that follow without weights: by harmonic fields from markers on the joints, or from pairs of triangles with
// another mesh that moves. Either way frames come out, which are baked into the scene unless the caller wants them.

#include "animate/job.h"

#include <stdio.h>

// Put the frames of the clip into the animated scene. The target plays that scene.
static GtResult bake_clip(GtiAnimateJob* job, const GtMarkers* markers)
{
    if (!job->bakes) {
        return GT_OK;
    }
    GtScene* baked = NULL;
    GtHarmonicBakeDef def = job->def->bake;
    if (!markers) { // no skin was made for the motion, so shapes are all that there is
        def.max_growth = 0.0;
    }
    def.keep = markers;
    GtResult result =
        gt_harmonic_clip_bake(job->context, &job->target, job->clip, &def, &baked, &job->report.bake, job->error);
    if (result == GT_OK) {
        result = gt_scene_prune(baked, job->animated, job->error);
    }
    if (result != GT_OK) {
        gt_scene_destroy(baked);
        return result;
    }
    gt_figure_close(&job->target);
    gt_scene_destroy(job->animated);
    job->animated = baked;
    return GT_OK;
}

static const char* node_name(const GtScene* scene, int32_t node)
{
    return node != GT_NONE && scene->nodes[node].name ? scene->nodes[node].name : "?";
}

static GtResult find_markers(GtiAnimateJob* job, GtMarkers** out)
{
    GtMarkers* loaded = NULL;
    GtMarkersDef def = job->def->markers;
    GtResult result = GT_OK;
    if (job->def->markers_path) {
        result = gt_markers_load(job->context, &job->target, job->def->markers_path, &loaded, job->error);
    }
    def.known = loaded ? loaded : job->kept ? job->kept : def.known;
    if (result == GT_OK) {
        result = gt_markers_find(job->context, &job->target, &def, out, &job->report.markers, job->error);
    }
    if (result == GT_OK && job->def->save_markers) {
        result = gt_markers_save(job->context, &job->target, *out, job->def->save_markers, job->error);
    }
    gt_markers_destroy(loaded);
    return result;
}

static void warn_of_markers(GtiAnimateJob* job, const GtMarkers* markers)
{
    const GtHarmonicClipReport* did = &job->report.harmonic;
    const char* worst =
        did->residual_marker == GT_NONE ? "?" : node_name(job->animated, markers->markers[did->residual_marker].node);
    snprintf(job->report.residual_joint, sizeof job->report.residual_joint, "%s", worst);
    if (did->odd_count > 0) {
        gti_warn(job->context, job->def->markers_path, NULL,
                 "marker %d of %s lies where the surface turns %.0f degrees away from it%s: is it misplaced?",
                 (int)did->residual_marker, worst, gt_degrees(did->residual_max_rad),
                 did->odd_count > 1 ? ", as do others" : "");
    }
    if (did->turned_frame_count > 0) {
        gti_warn(job->context, NULL, NULL,
                 "%s turns %.0f degrees against its parent at %.2f s: the surface between may wring",
                 node_name(job->animated, did->turn_node), gt_degrees(did->turn_rad), did->turn_time_s);
    }
}

GtResult gti_animate_by_harmonic(GtiAnimateJob* job)
{
    GtMarkers* markers = NULL;
    int32_t animation = job->animated->animation_count - 1;
    GtHarmonicClipDef def = job->def->harmonic;
    def.keys = job->keys;
    GtResult result = gt_figure_set_clip(job->context, &job->target, job->animated, animation, job->error);
    if (result == GT_OK) {
        result = find_markers(job, &markers);
    }
    if (result == GT_OK) {
        result = gt_harmonic_clip_create(job->context, &job->target, markers, &def, &job->clip, &job->report.harmonic,
                                         job->error);
    }
    if (result == GT_OK) {
        job->report.rate_hz = job->clip->rate_hz;
        warn_of_markers(job, markers);
        result = bake_clip(job, markers);
    }
    gt_markers_destroy(markers);
    return result;
}

static GtResult make_template_clip(GtiAnimateJob* job, GtMarkerPairs* known, GtMarkerPairs** used)
{
    GtMeshTemplateDef def = gt_default_mesh_template_def();
    def.rate_hz = job->def->harmonic.rate_hz;
    def.name = job->def->retarget.name;
    def.known = known;
    GtResult result = gt_mesh_template_clip(job->context, &job->source, &job->target, &def, &job->animated, &job->clip,
                                            used, &job->report.template_report, job->error);
    return result == GT_OK && job->def->save_markers ? gt_marker_pairs_save(job->context, &job->source, &job->target,
                                                                            *used, job->def->save_markers, job->error)
                                                     : result;
}

GtResult gti_animate_by_template(GtiAnimateJob* job)
{
    GtMarkerPairs* known = NULL;
    GtMarkerPairs* used = NULL;
    GtFigureDef source_def = gti_figure_unmapped(job->def->animation);
    GtFigureDef target_def = gti_figure_unmapped(GT_NONE);
    job->report.method = GT_ANIMATE_TEMPLATE;
    GtResult result = gt_figure_open(job->context, job->motion, &source_def, &job->source, job->error);
    if (result == GT_OK) {
        result = gt_figure_open(job->context, job->body, &target_def, &job->target, job->error);
    }
    if (result == GT_OK && job->def->pairs_path) {
        result =
            gt_marker_pairs_load(job->context, &job->source, &job->target, job->def->pairs_path, &known, job->error);
    }
    if (result == GT_OK) {
        result = make_template_clip(job, known, &used);
    }
    gt_marker_pairs_destroy(known);
    gt_marker_pairs_destroy(used);
    if (result == GT_OK) {
        job->report.rate_hz = job->clip->rate_hz;
        result = gt_figure_set_clip(job->context, &job->target, job->animated, job->clip->animation, job->error);
    }
    return result == GT_OK ? bake_clip(job, NULL) : result;
}
