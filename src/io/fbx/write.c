// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The order of a file: header, settings, documents, definitions, objects, connections, takes. Numbers of objects are
// known last and put into the definitions at the end. The same scene gives the same bytes: ids are counted, and the
// time of creation is a constant.

#include "io/fbx/write.h"

#include "base/fail.h"
#include "base/matrix3.h"
#include "base/scalar.h"
#include "base/utf8.h"
#include "gertie/accessor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void gti_fbx_begin_object(GtiFbxWriter* writer, GtiFbxKind kind, int64_t id, const char* name, const char* subtype)
{
    static const char* const types[][2] = {
        { "Model", "Model" },
        { "NodeAttribute", "NodeAttribute" },
        { "Geometry", "Geometry" },
        { "Material", "Material" },
        { "Texture", "Texture" },
        { "Video", "Video" },
        { "Deformer", "Deformer" },
        { "Pose", "Pose" },
        { "AnimationStack", "AnimStack" },
        { "AnimationLayer", "AnimLayer" },
        { "AnimationCurveNode", "AnimCurveNode" },
        { "AnimationCurve", "AnimCurve" },
    };
    bool is_part = strcmp(subtype, "Cluster") == 0 || strcmp(subtype, "BlendShapeChannel") == 0;
    ++writer->kind_counts[kind];
    gti_fbx_begin(&writer->out, types[kind][0]);
    gti_fbx_put_long(&writer->out, id);
    gti_fbx_put_name(&writer->out, name, is_part ? "SubDeformer" : types[kind][1]);
    gti_fbx_put_text(&writer->out, subtype);
}

int64_t gti_fbx_new_id(GtiFbxWriter* writer)
{
    return writer->next_id++;
}

void gti_fbx_link(GtiFbxWriter* writer, int64_t source, int64_t destination, const char* property)
{
    const GtiFbxOutLink link = { source, destination, property };
    gti_bytes_add(&writer->links, &link, sizeof link);
}

char* gti_fbx_out_name(GtiFbxWriter* writer, const char* name, const char* suffix, const char* otherwise)
{
    name = name && *name ? name : otherwise;
    size_t length = strlen(name);
    size_t suffix_length = strlen(suffix);
    char* text = gt_arena_push(&writer->arena, length + suffix_length + 1);
    if (!text) {
        return NULL;
    }
    memcpy(text, name, length);
    memcpy(text + length, suffix, suffix_length + 1);
    for (char* p = text; p < text + length;) {
        size_t step = gti_utf8_shown_length(p, text + length);
        if (step == 0) {
            *p = '_';
        }
        p += step ? step : 1;
    }
    return text;
}

GtiFbxMatrix gti_fbx_matrix_of(const GtTransform* transform)
{
    double rotation[3][3];
    gti_rotation_from_quat(gti_quat_unit(gti_quat_from(transform->rotation)), rotation);
    const double scale[3] = { (double)transform->scale.x, (double)transform->scale.y, (double)transform->scale.z };
    const double translation[3] = { (double)transform->translation.x, (double)transform->translation.y,
                                    (double)transform->translation.z };
    GtiFbxMatrix out;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            out.m[r][c] = rotation[r][c] * scale[c];
        }
        out.m[r][3] = translation[r];
    }
    return out;
}

GtiFbxMatrix gti_fbx_matrix_mul(const GtiFbxMatrix* a, const GtiFbxMatrix* b)
{
    GtiFbxMatrix out;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            out.m[r][c] = a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c] + a->m[r][2] * b->m[2][c] +
                          (c == 3 ? a->m[r][3] : 0.0);
        }
    }
    return out;
}

bool gti_fbx_matrix_inverse(const GtiFbxMatrix* a, GtiFbxMatrix* out)
{
    double linear[3][3], cofactors[3][3];
    for (int r = 0; r < 3; ++r) {
        memcpy(linear[r], a->m[r], sizeof linear[r]);
    }
    double determinant = gti_cofactors3(linear, cofactors);
    if (!(fabs(determinant) > 1e-60)) {
        *out = (GtiFbxMatrix){ { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } } };
        return false;
    }
    for (int r = 0; r < 3; ++r) {
        out->m[r][3] = 0.0;
        for (int c = 0; c < 3; ++c) {
            out->m[r][c] = cofactors[c][r] / determinant;
            out->m[r][3] -= out->m[r][c] * a->m[c][3];
        }
    }
    return true;
}

void gti_fbx_matrix_node(GtiFbxOut* out, const char* name, const GtiFbxMatrix* matrix)
{
    double columns[16];
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 3; ++r) {
            columns[4 * c + r] = matrix->m[r][c] * (c == 3 ? GTI_FBX_CM_PER_M : 1.0) + 0.0;
        }
        columns[4 * c + 3] = c == 3;
    }
    gti_fbx_array_node(out, name, 'd', columns, 16);
}

GtiFbxMatrix gti_fbx_inverse_bind(const GtScene* scene, const GtSkin* skin, int32_t joint)
{
    GtiFbxMatrix out = { { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } } };
    if (skin->inverse_bind != GT_NONE) {
        float columns[16];
        gt_accessor_read_floats(scene, skin->inverse_bind, (uint64_t)joint, 1, columns);
        for (int i = 0; i < 12; ++i) {
            out.m[i % 3][i / 3] = (double)columns[4 * (i / 3) + i % 3];
        }
    }
    return out;
}

static double nearest_turn(double angle, double near)
{
    return angle + 360.0 * round((near - angle) / 360.0);
}

static double distance_to(GtiVec a, GtiVec b)
{
    return fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
}

// With the rotation Rz Ry Rx there are two triples for each rotation, apart from whole turns. Where Y is a quarter turn
// X and Z turn about the same axis, and X stays where it was.
GtiVec gti_fbx_euler_near(GtiQuat q, GtiVec near)
{
    double m[3][3];
    gti_rotation_from_quat(q, m);
    double sine = gti_clamp(-m[2][0], -1.0, 1.0);
    double cosine = sqrt(m[0][0] * m[0][0] + m[1][0] * m[1][0]);
    GtiVec angles;
    if (cosine > 1e-7) {
        angles = gti_vec(atan2(m[2][1], m[2][2]), atan2(sine, cosine), atan2(m[1][0], m[0][0]));
        angles = gti_vec_scale(angles, 1.0 / GTI_DEGREE);
        GtiVec other = gti_vec(angles.x + 180.0, 180.0 - angles.y, angles.z + 180.0);
        angles =
            gti_vec(nearest_turn(angles.x, near.x), nearest_turn(angles.y, near.y), nearest_turn(angles.z, near.z));
        other = gti_vec(nearest_turn(other.x, near.x), nearest_turn(other.y, near.y), nearest_turn(other.z, near.z));
        return distance_to(other, near) < distance_to(angles, near) ? other : angles;
    }
    double sum = atan2(-m[0][1], m[1][1]) / GTI_DEGREE; // of z - x where Y points up, of z + x where down
    angles.x = near.x;
    angles.y = nearest_turn(sine > 0.0 ? 90.0 : -90.0, near.y);
    angles.z = nearest_turn(sine > 0.0 ? sum + near.x : sum - near.x, near.z);
    return angles;
}

static void write_links(GtiFbxWriter* writer)
{
    GtiFbxOut* out = &writer->out;
    size_t count = writer->links.failed ? 0 : writer->links.size / sizeof(GtiFbxOutLink);
    gti_fbx_begin(out, "Connections");
    for (size_t i = 0; i < count; ++i) {
        GtiFbxOutLink link;
        memcpy(&link, writer->links.data + i * sizeof link, sizeof link);
        gti_fbx_begin(out, "C");
        gti_fbx_put_text(out, link.property ? "OP" : "OO");
        gti_fbx_put_long(out, link.source);
        gti_fbx_put_long(out, link.destination);
        if (link.property) {
            gti_fbx_put_text(out, link.property);
        }
        gti_fbx_end(out);
    }
    gti_fbx_end(out);
}

static void write_times(GtiFbxOut* out, const char* name, int64_t start, int64_t stop)
{
    gti_fbx_begin(out, name);
    gti_fbx_put_long(out, start);
    gti_fbx_put_long(out, stop);
    gti_fbx_end(out);
}

// The list of clips that programs older than animation stacks read.
static GtResult write_takes(GtiFbxWriter* writer)
{
    const GtScene* scene = writer->scene;
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin(out, "Takes");
    gti_fbx_text_node(out, "Current", scene->animation_count ? writer->clip_names[0] : "");
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        GtArenaMark mark = gt_arena_mark(&writer->arena);
        double rate_hz = 0.0;
        double span_s[2];
        gti_fbx_clip_times(writer, &scene->animations[i], &rate_hz, span_s);
        const char* file = gti_fbx_out_name(writer, writer->clip_names[i], ".tak", "");
        if (!file) {
            return gti_out_of_memory(writer->error);
        }
        int64_t start = gti_fbx_ticks(span_s[0], rate_hz);
        int64_t stop = gti_fbx_ticks(span_s[1], rate_hz);
        gti_fbx_begin(out, "Take");
        gti_fbx_put_text(out, writer->clip_names[i]);
        gti_fbx_text_node(out, "FileName", file);
        write_times(out, "LocalTime", start, stop);
        write_times(out, "ReferenceTime", start, stop);
        gti_fbx_end(out);
        gt_arena_reset(&writer->arena, mark);
    }
    gti_fbx_end(out);
    return GT_OK;
}

static void patch_counts(GtiFbxWriter* writer)
{
    uint32_t total = 1; // the settings
    for (int kind = 0; kind < GTI_FBX_KIND_COUNT; ++kind) {
        total += (uint32_t)writer->kind_counts[kind];
        if (writer->count_places[kind]) {
            gti_fbx_patch_u32(&writer->out, writer->count_places[kind], (uint32_t)writer->kind_counts[kind]);
        }
    }
    gti_fbx_patch_u32(&writer->out, writer->total_place, total);
}

static GtResult name_clips(GtiFbxWriter* writer)
{
    int32_t count = writer->scene->animation_count;
    writer->clip_names = gt_arena_push_array(&writer->arena, (size_t)count + 1, sizeof *writer->clip_names);
    for (int32_t i = 0; i < count && writer->clip_names; ++i) {
        char otherwise[32];
        snprintf(otherwise, sizeof otherwise, "Take %03d", (int)i + 1);
        writer->clip_names[i] = gti_fbx_out_name(writer, writer->scene->animations[i].name, "", otherwise);
        if (!writer->clip_names[i]) {
            return gti_out_of_memory(writer->error);
        }
    }
    return writer->clip_names ? GT_OK : gti_out_of_memory(writer->error);
}

// A rate that has keys on its frames, too, and is whole where one up to 240 is: Blender counts frames by whole rates
// alone.
static double whole_rate(double rate_hz)
{
    for (int k = 1; k * rate_hz <= 240.0; ++k) {
        if (fabs(k * rate_hz - round(k * rate_hz)) < 1e-3) {
            return round(k * rate_hz);
        }
    }
    return rate_hz;
}

// The file's frame rate is that of the first clip that has one; its span is that of all clips.
static void find_times(GtiFbxWriter* writer)
{
    bool is_first = true;
    for (int32_t i = 0; i < writer->scene->animation_count; ++i) {
        double rate_hz = 0.0;
        double span_s[2] = { 0.0, 0.0 };
        gti_fbx_clip_times(writer, &writer->scene->animations[i], &rate_hz, span_s);
        writer->frame_rate_hz = writer->frame_rate_hz > 0.0 ? writer->frame_rate_hz : whole_rate(rate_hz);
        writer->start_s = is_first ? span_s[0] : fmin(writer->start_s, span_s[0]);
        writer->end_s = is_first ? span_s[1] : fmax(writer->end_s, span_s[1]);
        is_first = false;
    }
    if (writer->def->frame_rate_hz > 0.0 || !(writer->frame_rate_hz > 0.0)) {
        writer->frame_rate_hz = writer->def->frame_rate_hz > 0.0 ? writer->def->frame_rate_hz : 30.0;
    }
}

static GtResult write_objects(GtiFbxWriter* writer)
{
    gti_fbx_begin(&writer->out, "Objects");
    gti_fbx_write_models(writer);
    GtResult result = gti_fbx_write_materials(writer);
    if (result == GT_OK) {
        result = gti_fbx_write_meshes(writer);
    }
    if (result == GT_OK) {
        result = gti_fbx_write_clips(writer);
    }
    gti_fbx_end(&writer->out);
    return result;
}

static GtResult write_file(GtiFbxWriter* writer)
{
    GtResult result = gti_decoder_create(writer->context, writer->scene, &writer->decoder, writer->error);
    if (result == GT_OK) {
        result = gti_fbx_plan_models(writer);
    }
    if (result == GT_OK) {
        result = name_clips(writer);
    }
    if (result != GT_OK) {
        return result;
    }
    writer->next_id = gti_fbx_model_id(writer->model_count) + 100;
    find_times(writer);
    gti_fbx_begin_file(&writer->out);
    gti_fbx_write_head(writer);
    gti_fbx_write_definitions(writer);
    result = write_objects(writer);
    if (result != GT_OK) {
        return result;
    }
    write_links(writer);
    result = write_takes(writer);
    if (result != GT_OK) {
        return result;
    }
    patch_counts(writer);
    gti_fbx_end_file(&writer->out);
    if (writer->out.is_too_large) {
        return gti_fail(writer->error, GT_ERROR_LIMIT, "the scene needs more than the 2 GB that FBX 7.4 can hold");
    }
    return writer->links.failed || writer->out.bytes.failed ? gti_out_of_memory(writer->error) : GT_OK;
}

GtResult gti_fbx_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error)
{
    GtiFbxWriter writer = {
        .context = context,
        .scene = scene,
        .def = def,
        .error = error,
        .arena = gt_arena_create(context->allocator),
        .out = gti_fbx_out_create(context->allocator),
        .links = { .allocator = context->allocator },
    };
    *out = NULL;
    GtResult result = write_file(&writer);
    if (result == GT_OK) {
        result = gti_bytes_finish(&writer.out.bytes, out, error);
    } else {
        gti_bytes_release(&writer.out.bytes);
    }
    gti_fbx_out_release(&writer.out);
    gti_bytes_release(&writer.links);
    gti_decoder_destroy(&writer.decoder);
    gt_arena_destroy(&writer.arena);
    return result;
}
