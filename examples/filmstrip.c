// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// filmstrip FILE [MOMENTS [FROM_S TO_S]] > strip.svg
//
// Draws moments of the first clip side by side as an SVG: every bone as a stroke as thick as the skin around it, the
// far ones first. It shows how to find one's way through a character: joints, weights, poses.

#include <gertie/build.h>
#include <gertie/file.h>
#include <gertie/instance.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_MOMENTS = 24,
    PIXELS_A_METRE = 150,
    STEP_PIXELS = 130,
    TOP_PIXELS = 20
};

// A bone to be drawn.
typedef struct Stroke {
    double x1, y1, x2, y2; // metres, seen from the camera
    double depth;          // towards it
    double width;
    const char* color;
} Stroke;

// The bone of a joint, in the joint's own space, and the thickness of the skin around it.
typedef struct Bone {
    GtVec3 tip;
    GtVec3 low, high; // box around its vertices
    double radius;
    double vertex_count;
} Bone;

// The joint a vertex follows most, or GT_NONE; influences are sorted by weight.
static int32_t owner_of(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex)
{
    return mesh->skin == GT_NONE ? GT_NONE
                                 : def->skins[mesh->skin].joints[mesh->joints[vertex * mesh->influence_count]];
}

// A bone ends at the joint's first child; that of a joint without children goes half as far again as the
// middle of its vertices.
static void find_tips(const GtCharacterDef* def, const GtMat34* node_from_model, Bone* bones)
{
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            int32_t node = owner_of(def, &def->meshes[m], v);
            if (node != GT_NONE) {
                GtVec3 p = gt_mat34_point(&node_from_model[node], def->meshes[m].positions[v]);
                Bone* bone = &bones[node];
                bool first = bone->vertex_count == 0.0;
                bone->low =
                    first ? p : gt_vec3(fminf(bone->low.x, p.x), fminf(bone->low.y, p.y), fminf(bone->low.z, p.z));
                bone->high =
                    first ? p : gt_vec3(fmaxf(bone->high.x, p.x), fmaxf(bone->high.y, p.y), fmaxf(bone->high.z, p.z));
                bone->vertex_count += 1.0;
            }
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) {
        bones[i].tip = gt_vec3_scale(gt_vec3_add(bones[i].low, bones[i].high), 0.75f);
    }
    for (int32_t i = def->node_count - 1; i > 0; --i) { // backwards, so that the first child wins
        if (def->parents[i] != GT_NONE) {
            bones[def->parents[i]].tip = def->rest[i].translation;
        }
    }
}

// The mean distance of its vertices from each bone.
static void find_radii(const GtCharacterDef* def, const GtMat34* node_from_model, Bone* bones)
{
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            int32_t node = owner_of(def, &def->meshes[m], v);
            if (node != GT_NONE) {
                GtVec3 p = gt_mat34_point(&node_from_model[node], def->meshes[m].positions[v]);
                GtVec3 axis = gt_vec3_normalize_or(bones[node].tip, gt_vec3(0.0f, 1.0f, 0.0f));
                bones[node].radius += (double)gt_vec3_length(gt_vec3_cross(axis, p)) / bones[node].vertex_count;
            }
        }
    }
}

static Bone* measure_bones(const GtInstance* at_rest)
{
    const GtCharacterDef* def = gt_character_def(at_rest->character);
    Bone* bones = calloc((size_t)def->node_count, sizeof *bones);
    GtMat34* node_from_model = calloc((size_t)def->node_count, sizeof *node_from_model);
    for (int32_t i = 0; i < def->node_count; ++i) {
        node_from_model[i] = gt_mat34_inverse(&at_rest->model_from_node[i], NULL);
    }
    find_tips(def, node_from_model, bones);
    find_radii(def, node_from_model, bones);
    free(node_from_model);
    return bones;
}

// Left and right as the humanoid map has them, or else the names.
static const char* color_of(const GtCharacterDef* def, int32_t node)
{
    const char* name = def->names && def->names[node] ? def->names[node] : "";
    for (int j = 0; def->humanoid && j < GT_HUMANOID_JOINT_COUNT; ++j) {
        name = def->humanoid->nodes[j] == node ? gt_humanoid_name((GtHumanoidJoint)j) : name;
    }
    if (strstr(name, "left") || strstr(name, "Left")) {
        return "#268a8c";
    }
    return strstr(name, "right") || strstr(name, "Right") ? "#de8030" : "#d9c19a";
}

static int far_first(const void* a, const void* b)
{
    double x = ((const Stroke*)a)->depth;
    double y = ((const Stroke*)b)->depth;
    return (x > y) - (x < y);
}

static void draw_moment(const GtInstance* instance, const Bone* bones, double left_pixels)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    const double side = 0.8; // a camera to the figure's right, a little in front of it
    const double front = 0.6;
    Stroke* strokes = calloc((size_t)def->node_count, sizeof *strokes);
    int32_t count = 0;
    for (int32_t i = 0; i < def->node_count; ++i) {
        GtVec3 a = gt_mat34_translation(&instance->model_from_node[i]);
        GtVec3 b = gt_mat34_point(&instance->model_from_node[i], bones[i].tip);
        if (bones[i].vertex_count == 0.0) {
            continue;
        }
        strokes[count++] = (Stroke){
            .x1 = front * (double)a.x + side * (double)a.z,
            .y1 = (double)a.y,
            .x2 = front * (double)b.x + side * (double)b.z,
            .y2 = (double)b.y,
            .depth = front * (double)(a.z + b.z) - side * (double)(a.x + b.x),
            .width = 2.0 * bones[i].radius,
            .color = color_of(def, i),
        };
    }
    qsort(strokes, (size_t)count, sizeof *strokes, far_first);
    printf("<g transform=\"translate(%.0f %d) scale(%d -%d)\">\n", left_pixels, TOP_PIXELS + 2 * PIXELS_A_METRE,
           PIXELS_A_METRE, PIXELS_A_METRE);
    printf("<ellipse cx=\"0\" cy=\"0\" rx=\"0.3\" ry=\"0.035\" fill=\"#0002\"/>\n");
    for (int32_t i = 0; i < count; ++i) {
        const Stroke* s = &strokes[i];
        printf("<path d=\"M%.3f %.3fL%.3f %.3f\" stroke=\"#0006\" stroke-width=\"%.3f\"/>"
               "<path d=\"M%.3f %.3fL%.3f %.3f\" stroke=\"%s\" stroke-width=\"%.3f\"/>\n",
               s->x1, s->y1, s->x2, s->y2, s->width + 0.012, s->x1, s->y1, s->x2, s->y2, s->color, s->width);
    }
    printf("</g>\n");
    free(strokes);
}

static int fail(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    fprintf(stderr, "filmstrip: %s\n", text);
    return 1;
}

int main(int argument_count, char** arguments)
{
    if (argument_count < 2) {
        fprintf(stderr, "usage: filmstrip FILE [MOMENTS [FROM_S TO_S]] > strip.svg\n");
        return 2;
    }
    GtContext context = gt_default_context();
    GtLoadDef load_def = gt_default_load_def();
    GtBuildDef build_def = gt_default_build_def();
    GtError error;
    GtScene* scene = NULL;
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    GtInstance* instance = NULL;
    if (gt_scene_load(&context, arguments[1], &load_def, &scene, &error) != GT_OK ||
        gt_character_build(&context, scene, &build_def, &character, NULL, &error) != GT_OK ||
        gt_clip_build(&context, scene, 0, character, &clip, &error) != GT_OK ||
        gt_instance_create(context.allocator, character, &instance, &error) != GT_OK) {
        return fail(&error); // the system takes the memory back
    }
    int moments = argument_count > 2 ? atoi(arguments[2]) : 8;
    moments = moments < 1 ? 1 : moments > MAX_MOMENTS ? MAX_MOMENTS : moments;
    double from_s = argument_count > 3 ? atof(arguments[3]) : gt_clip_start_s(clip);
    double to_s = argument_count > 4 ? atof(arguments[4]) : gt_clip_end_s(clip);

    gt_instance_update(instance);
    Bone* bones = measure_bones(instance);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" fill=\"none\" "
           "stroke-linecap=\"round\">\n",
           (moments + 1) * STEP_PIXELS, TOP_PIXELS * 2 + 2 * PIXELS_A_METRE);
    for (int i = 0; i < moments; ++i) {
        gt_instance_reset(instance);
        gt_clip_sample(clip, from_s + (to_s - from_s) * i / moments, instance->pose, instance->weights);
        gt_instance_update(instance);
        draw_moment(instance, bones, (i + 1) * STEP_PIXELS);
    }
    printf("</svg>\n");

    free(bones);
    gt_instance_destroy(instance);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return 0;
}
