// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic.h"

#include "gertie/mesh_template.h"

#include <stdio.h>

enum {
    BAKE_SHAPES,
    BAKE_SKIN,
    BAKE_FRAMES
};

enum {
    METHOD_SKIN,
    METHOD_HARMONIC,
    METHOD_AUTO
};

const char* const method_names[] = { "skin", "harmonic", "auto", NULL };
const char* const bake_names[] = { "shapes", "skin", "frames", NULL };

void harmonic_defaults(OptionValue* softness, OptionValue* volume)
{
    *softness = (OptionValue){ .has_default = true, .number = (double)gt_default_markers_def().softness };
    *volume = (OptionValue){ .has_default = true, .number = (double)gt_default_harmonic_clip_def().squeeze };
}

enum {
    FEWEST_TRIANGLES = 2000,
    MOST_TRIANGLES = 1000000,
    MOST_PIECES = 12
};

static const double least_confidence = 0.5;

// Why the skin serves a body that was bare better, or NULL where it does not. Markers follow the skeleton and need a
// surface that hangs together and is fine enough for rings around limbs.
static const char* skin_reason(const GtRigReport* rig, char room[128])
{
    int32_t pieces = rig->piece_count - rig->island_count;
    if (rig->triangle_count < FEWEST_TRIANGLES || rig->triangle_count > MOST_TRIANGLES) {
        snprintf(room, 128, "it has %lld triangles, and harmonic deformation is for %d to %d",
                 (long long)rig->triangle_count, FEWEST_TRIANGLES, MOST_TRIANGLES);
        return room;
    }
    if (pieces > MOST_PIECES) {
        snprintf(room, 128, "the body is in %d pieces, which harmonic fields do not cross", (int)pieces);
        return room;
    }
    if ((double)rig->confidence < least_confidence) {
        snprintf(room, 128, "the skeleton that markers would follow is unsure (%.2f)", (double)rig->confidence);
        return room;
    }
    return NULL;
}

static int choose_method(Session* session, const HarmonicOptions* options, const HarmonicSubject* subject)
{
    char room[128];
    bool is_asked = options->method->given;
    if (subject->markers) {
        session_say(session, "method: harmonic, by the markers that the file keeps");
        return METHOD_HARMONIC;
    }
    if (!subject->rig) {
        if (is_asked) {
            session_say(session, "method: skin, as the character brings weights of its own");
        }
        return METHOD_SKIN;
    }
    if (!subject->has_morphs) {
        session_say(session, "method: skin, as the output holds no more than joints");
        return METHOD_SKIN;
    }
    const char* reason = skin_reason(subject->rig, room);
    if (reason) {
        session_say(session, "method: skin, as %s", reason);
        return METHOD_SKIN;
    }
    session_say(session, "method: harmonic, as the body came without weights and its surface hangs together");
    return METHOD_HARMONIC;
}

typedef struct OwnOption {
    const OptionValue* value;
    const char* name;
} OwnOption;

// The first option that is given and means harmonic deformation.
static const char* own_option(const HarmonicOptions* options)
{
    const OwnOption own[] = { { options->markers, "markers" },   { options->save_markers, "save-markers" },
                              { options->softness, "softness" }, { options->volume, "volume" },
                              { options->bake, "bake" },         { options->shapes, "shapes" } };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
        if (own[i].value->given) {
            return own[i].name;
        }
    }
    return NULL;
}

bool harmonic_asked(Session* session, const HarmonicOptions* options, const HarmonicSubject* subject)
{
    int method = options->method->given ? options->method->choice : METHOD_AUTO;
    if (!options->method->given && own_option(options)) {
        method = METHOD_HARMONIC;
    }
    if (method == METHOD_AUTO) {
        method = choose_method(session, options, subject);
    }
    json_member_string(&session->report, "method", method_names[method]);
    return method == METHOD_HARMONIC;
}

bool harmonic_restore(Session* session, const char* file, bool keeps_clips, GtScene** scene, GtMarkers** markers)
{
    GtError error = { 0 };
    GtScene* stripped = NULL;
    GtResult result = GT_OK;
    *markers = NULL;
    for (int32_t a = 0; a < (*scene)->animation_count && !*markers && result == GT_OK; ++a) {
        if ((*scene)->animations[a].harmonic) {
            result = gt_markers_restore(&session->context, *scene, a, markers, &error);
        }
        if (result == GT_ERROR_BAD_VALUE) {
            session_warn(session, file, "%s; they are left out", error.message);
            result = GT_OK;
        }
    }
    if (*markers && !keeps_clips) {
        result = gt_harmonic_strip(&session->context, *scene, &stripped, &error);
    }
    if (result != GT_OK) {
        return session_fail(session, &error);
    }
    if (stripped) {
        gt_scene_destroy(*scene);
        *scene = stripped;
    }
    return true;
}

bool harmonic_check(Session* session, const HarmonicOptions* options)
{
    const char* own = own_option(options);
    if (own && options->method->given && options->method->choice == METHOD_SKIN) {
        return session_misuse(session, "--%s is for --method harmonic", own);
    }
    if (options->shapes->given && options->bake->given && options->bake->choice != BAKE_SHAPES) {
        return session_misuse(session, "--shapes is for --bake shapes");
    }
    return true;
}

static bool find_markers(Session* session, const HarmonicOptions* options, const GtMarkers* kept, const GtScene* scene,
                         GtMarkers** out, GtMarkersReport* report)
{
    GtError error = { 0 };
    GtMarkers* known = NULL;
    const GtContext* context = &session->context;
    GtMarkersDef def = gt_default_markers_def();
    def.softness = (float)options->softness->number;
    def.map = scene->humanoid;
    bool ok =
        !options->markers->given || gt_markers_load(context, scene, options->markers->text, &known, &error) == GT_OK;
    def.known = known ? known : kept;
    ok = ok && gt_markers_find(context, scene, &def, out, report, &error) == GT_OK;
    ok = ok && (!options->save_markers->given ||
                gt_markers_save(context, scene, *out, options->save_markers->text, &error) == GT_OK);
    gt_markers_destroy(known);
    return ok || session_fail(session, &error);
}

static const char* node_name(const GtScene* scene, int32_t node)
{
    return node != GT_NONE && scene->nodes[node].name ? scene->nodes[node].name : "?";
}

static void report_clip(Session* session, const HarmonicOptions* options, const GtScene* scene,
                        const GtMarkers* markers, const GtMarkersReport* found, const GtHarmonicClipReport* did,
                        double rate_hz)
{
    Json* json = &session->report;
    const char* worst =
        did->residual_marker == GT_NONE ? "?" : node_name(scene, markers->markers[did->residual_marker].node);
    json_key(json, "harmonic");
    json_begin_object(json);
    json_member_integer(json, "markers", did->marker_count);
    json_member_integer(json, "known_markers", found->known_count);
    json_member_integer(json, "rings", found->ring_count);
    json_member_integer(json, "bare_joints", found->bare_count);
    json_member_integer(json, "pieces", did->surface.component_count);
    json_member_integer(json, "frames", did->frame_count);
    json_member_number(json, "rate_hz", rate_hz);
    json_member_number(json, "residual_mean_deg", did->residual_deg);
    json_member_number(json, "residual_max_deg", did->residual_max_deg);
    json_member_integer(json, "residual_marker", did->residual_marker);
    json_member_string(json, "residual_joint", worst);
    json_member_integer(json, "odd_markers", did->odd_count);
    json_member_number(json, "stretch_max", did->stretch_max);
    json_member_number(json, "stretch_min", did->stretch_min);
    json_member_number(json, "stretch_time_s", did->stretch_time_s);
    json_member_number(json, "turn_deg", did->turn_deg);
    json_member_integer(json, "turned_frames", did->turned_frame_count);
    json_member_number(json, "foot_error_max_m", did->foot_error_max_m);
    json_member_number(json, "foot_error_mean_m", did->foot_error_mean_m);
    json_member_number(json, "hand_error_max_m", did->hand_error_max_m);
    json_member_number(json, "hand_error_mean_m", did->hand_error_mean_m);
    json_member_number(json, "shift_max_m", did->shift_max_m);
    json_member_number(json, "prepare_s", did->prepare_s);
    json_member_number(json, "pose_s", did->pose_s);
    json_end_object(json);
    session_say(session,
                "%d markers, %d frames; stretch %.2f to %.2f, standing feet within %.1f mm, hands within %.1f mm",
                (int)did->marker_count, (int)did->frame_count, did->stretch_min, did->stretch_max,
                1e3 * did->foot_error_max_m, 1e3 * did->hand_error_max_m);
    if (did->odd_count > 0) {
        session_warn(session, options->markers->given ? options->markers->text : NULL,
                     "marker %d of %s lies where the surface turns %.0f degrees away from it%s: is it misplaced?",
                     (int)did->residual_marker, worst, did->residual_max_deg,
                     did->odd_count > 1 ? ", as do others" : "");
    }
    if (did->turned_frame_count > 0) {
        session_warn(session, NULL, "%s turns %.0f degrees against its parent at %.2f s: the surface between may wring",
                     node_name(scene, did->turn_node), did->turn_deg, did->turn_time_s);
    }
}

static GtHarmonicBakeDef bake_def(const HarmonicOptions* options)
{
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    int bake = options->bake->given ? options->bake->choice : BAKE_SHAPES;
    def.bake = bake == BAKE_FRAMES ? GT_HARMONIC_BAKE_FRAMES : GT_HARMONIC_BAKE_SHAPES;
    if (bake == BAKE_SKIN) {
        def.max_shapes = 0;
    }
    if (options->shapes->given) {
        def.max_shapes = (int32_t)options->shapes->number;
        def.tolerance_m = 0.0;
    }
    return def;
}

static void report_bake(Session* session, const GtHarmonicBakeDef* def, const GtHarmonicBakeReport* did)
{
    Json* json = &session->report;
    bool is_frames = def->bake == GT_HARMONIC_BAKE_FRAMES;
    json_key(json, "bake");
    json_begin_object(json);
    json_member_string(json, "as",
                       bake_names[is_frames              ? BAKE_FRAMES
                                  : def->max_shapes == 0 ? BAKE_SKIN
                                                         : BAKE_SHAPES]);
    json_member_integer(json, "shapes", did->shape_count);
    json_member_integer(json, "shape_bytes", did->byte_size);
    json_member_number(json, "error_rms_m", did->error_rms_m);
    json_member_number(json, "error_max_m", did->error_max_m);
    if (!is_frames) {
        json_member_number(json, "error_time_s", did->error_time_s);
        json_member_number(json, "skin_rms_m", did->skin_rms_m);
        session_say(session, "baked as a skin and %d shape%s: %.2f mm off on average (RMS), %.1f mm at most, at %.2f s",
                    (int)did->shape_count, did->shape_count == 1 ? "" : "s", 1e3 * did->error_rms_m,
                    1e3 * did->error_max_m, did->error_time_s);
    }
    json_end_object(json);
}

// Bake a clip into *scene, unless the output holds frames.
static bool bake(Session* session, const HarmonicOptions* options, const GtHarmonicClip* clip, const GtMarkers* markers,
                 GtScene** scene)
{
    GtError error = { 0 };
    GtScene* baked = NULL;
    if (options->is_for_frames) {
        return true;
    }
    GtHarmonicBakeReport did;
    GtHarmonicBakeDef def = bake_def(options);
    def.keep = markers;
    if (gt_harmonic_clip_bake(&session->context, *scene, clip, &def, &baked, &did, &error) != GT_OK ||
        gt_scene_release(baked, *scene, &error) != GT_OK) {
        gt_scene_destroy(baked);
        return session_fail(session, &error);
    }
    report_bake(session, &def, &did);
    gt_scene_destroy(*scene);
    *scene = baked;
    return true;
}

bool harmonic_apply(Session* session, const HarmonicOptions* options, const GtMarkers* kept, const GtHandKeys* keys,
                    GtScene** scene, GtHarmonicClip** clip)
{
    GtError error = { 0 };
    GtMarkers* markers = NULL;
    GtMarkersReport found;
    GtHarmonicClip* made = NULL;
    GtHarmonicClipReport did;
    *clip = NULL;
    if (!find_markers(session, options, kept, *scene, &markers, &found)) {
        gt_markers_destroy(markers);
        return false;
    }
    GtHarmonicClipDef def = gt_default_harmonic_clip_def();
    def.animation = (*scene)->animation_count - 1;
    def.keys = keys;
    def.map = (*scene)->humanoid;
    def.rate_hz = options->fps->given ? options->fps->number : 0.0;
    def.squeeze = (float)options->volume->number;
    bool ok = gt_harmonic_clip_create(&session->context, *scene, markers, &def, &made, &did, &error) == GT_OK ||
              session_fail(session, &error);
    if (ok) {
        report_clip(session, options, *scene, markers, &found, &did, made->rate_hz);
        ok = bake(session, options, made, markers, scene);
    }
    if (ok && options->is_for_frames) {
        *clip = made;
    } else {
        gt_harmonic_clip_destroy(made);
    }
    gt_markers_destroy(markers);
    return ok;
}

bool harmonic_has_template(const HarmonicOptions* options, const GtScene* body, const GtScene* motion)
{
    bool has_morphs = false;
    for (int32_t a = 0; a < motion->animation_count; ++a) {
        for (int32_t c = 0; c < motion->animations[a].channel_count; ++c) {
            has_morphs = has_morphs || motion->animations[a].channels[c].path == GT_PATH_WEIGHTS;
        }
    }
    return options->pairs->given || (body->skin_count == 0 && motion->skin_count == 0 && has_morphs);
}

static void report_template(Session* session, const GtMeshTemplateReport* did, double rate_hz)
{
    Json* json = &session->report;
    json_member_string(json, "method", "template");
    json_key(json, "template");
    json_begin_object(json);
    json_member_integer(json, "markers", did->marker_count);
    json_member_integer(json, "known_markers", did->known_count);
    json_member_integer(json, "frames", did->frame_count);
    json_member_number(json, "rate_hz", rate_hz);
    json_member_number(json, "scale", did->scale);
    json_member_number(json, "misfit", did->misfit);
    json_member_number(json, "worst", did->worst);
    json_member_integer(json, "worst_pair", did->worst_pair);
    json_end_object(json);
    session_say(session, "template: %d markers, %d of them given, %d frames; %.3g times its size",
                (int)did->marker_count, (int)did->known_count, (int)did->frame_count, did->scale);
}

bool harmonic_follow(Session* session, const HarmonicOptions* options, const GtScene* motion, int32_t animation,
                     GtScene** body, GtHarmonicClip** clip)
{
    GtError error = { 0 };
    *clip = NULL;
    GtMarkerPairs* known = NULL;
    GtMarkerPairs* used = NULL;
    GtHarmonicClip* made = NULL;
    GtScene* moving = NULL;
    GtMeshTemplateReport did;
    const GtContext* context = &session->context;
    GtMeshTemplateDef def = gt_default_mesh_template_def();
    def.animation = animation;
    def.rate_hz = options->fps->given ? options->fps->number : 0.0;
    def.name = options->name->given ? options->name->text : NULL;
    bool ok = !options->pairs->given ||
              gt_marker_pairs_load(context, motion, *body, options->pairs->text, &known, &error) == GT_OK;
    def.known = known;
    ok = ok && gt_mesh_template_clip(context, motion, *body, &def, &moving, &made, &used, &did, &error) == GT_OK;
    ok = ok && (!options->save_markers->given ||
                gt_marker_pairs_save(context, motion, *body, used, options->save_markers->text, &error) == GT_OK);
    ok = ok || session_fail(session, &error);
    if (ok) {
        report_template(session, &did, made->rate_hz);
        ok = bake(session, options, made, NULL, &moving);
    }
    if (ok) {
        gt_scene_destroy(*body);
        *body = moving;
        moving = NULL;
    }
    gt_scene_destroy(moving);
    if (ok && options->is_for_frames) {
        *clip = made;
    } else {
        gt_harmonic_clip_destroy(made);
    }
    gt_marker_pairs_destroy(known);
    gt_marker_pairs_destroy(used);
    return ok;
}

bool harmonic_unbake(Session* session, const char* file, int32_t animation, GtScene** scene)
{
    GtError error = { 0 };
    GtHarmonicClip* clip = NULL;
    GtScene* exact = NULL;
    if (animation == GT_NONE || animation >= (*scene)->animation_count || !(*scene)->animations[animation].harmonic) {
        return true;
    }
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    def.bake = GT_HARMONIC_BAKE_FRAMES;
    GtResult result = gt_harmonic_clip_restore(&session->context, *scene, animation, &clip, NULL, &error);
    if (result == GT_OK) {
        result = gt_harmonic_clip_bake(&session->context, *scene, clip, &def, &exact, NULL, &error);
    }
    gt_harmonic_clip_destroy(clip);
    if (result == GT_ERROR_BAD_VALUE || result == GT_ERROR_LIMIT) {
        session_warn(session, file, "%s; it plays as other viewers show it", error.message);
        return true;
    }
    if (result != GT_OK) {
        return session_fail(session, &error);
    }
    gt_scene_destroy(*scene);
    *scene = exact;
    return true;
}
