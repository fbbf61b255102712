// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The deformers once more, in GLSL: line by line what morph.c, skin_linear.c, skin_dual_quat.c and rigid.c do to one
// vertex. A pose begins with two texels: what moves the mesh, how many shapes have a weight, how many texels of a
// vertex in a shape are of its surface, which others follow (1 texture coordinates, 2 colours, 3 both); where matrices
// begin, how many vertices there are and how many texels a vertex has in a shape. Then each shape that has a weight,
// then the joints.

#include "gertie/shader.h"

#include "base/fail.h"
#include "runtime/kernels.h"

#include <string.h>

enum {
    HEAD_TEXELS = 2,
    MATRIX_TEXELS = 3, // rows
    MOTION_TEXELS = 5, // the dual quaternion, rows of the stretch
    BONE_TEXELS = 4,   // at rest and posed: origin with the axis' inverse squared length, axis
};

// What brings a mesh to model space.
typedef enum Mover {
    MOVER_NODE,
    MOVER_LINEAR,
    MOVER_DUAL_QUATERNION,
    MOVER_BULGE_FREE,
} Mover;

// clang-format off
static const char source[] =
    "#ifndef GERTIE_SETS\n"
    "#define GERTIE_SETS 1\n"
    "#endif\n"
    "uniform highp sampler2D gertiePose;\n"
    "uniform highp sampler2D gertieMorphs;\n"
    "struct GertieVertex { vec3 position; vec3 normal; vec4 tangent; };\n"
    "struct GertieLooks { vec4 texcoords; vec4 color; };\n"
    "\n"
    "vec4 gertiePoseTexel(int i) { return texelFetch(gertiePose, ivec2(i % 2048, i / 2048), 0); }\n"
    "vec4 gertieMorphTexel(int i) { return texelFetch(gertieMorphs, ivec2(i % 2048, i / 2048), 0); }\n"
    "\n"
    "vec3 gertieUnit(vec3 v) {\n"
    "    float square = dot(v, v);\n"
    "    return square > 0.0 ? v * inversesqrt(square) : vec3(0.0, 1.0, 0.0);\n"
    "}\n"
    "\n"
    "vec3 gertieNormal(vec3 a, vec3 b, vec3 c, vec3 n) {\n"
    "    vec3 x = cross(b, c);\n"
    "    vec3 normal = vec3(dot(x, n), dot(cross(c, a), n), dot(cross(a, b), n));\n"
    "    return dot(a, x) < 0.0 ? -normal : normal;\n"
    "}\n"
    "\n"
    "GertieVertex gertieByMatrix(GertieVertex v, vec4 a, vec4 b, vec4 c) {\n"
    "    vec4 p = vec4(v.position, 1.0);\n"
    "    vec3 t = v.tangent.xyz;\n"
    "    vec3 normal = gertieNormal(a.xyz, b.xyz, c.xyz, v.normal);\n"
    "    vec3 tangent = vec3(dot(a.xyz, t), dot(b.xyz, t), dot(c.xyz, t));\n"
    "    return GertieVertex(vec3(dot(a, p), dot(b, p), dot(c, p)), normal, vec4(tangent, v.tangent.w));\n"
    "}\n"
    "\n"
    "vec3 gertieRotate(vec4 q, vec3 v) {\n"
    "    vec3 t = 2.0 * cross(q.xyz, v);\n"
    "    return v + q.w * t + cross(q.xyz, t);\n"
    "}\n"
    "\n"
    "GertieVertex gertieLinear(int first, GertieVertex v, uvec4 joints[GERTIE_SETS], vec4 weights[GERTIE_SETS]) {\n"
    "    vec4 a = vec4(0.0), b = vec4(0.0), c = vec4(0.0);\n"
    "    for (int s = 0; s < GERTIE_SETS; ++s) {\n"
    "        for (int k = 0; k < 4; ++k) {\n"
    "            int joint = first + 3 * int(joints[s][k]);\n"
    "            a += weights[s][k] * gertiePoseTexel(joint);\n"
    "            b += weights[s][k] * gertiePoseTexel(joint + 1);\n"
    "            c += weights[s][k] * gertiePoseTexel(joint + 2);\n"
    "        }\n"
    "    }\n"
    "    return gertieByMatrix(v, a, b, c);\n"
    "}\n"
    "\n"
    "vec3 gertieFromBone(int bone, vec3 p) {\n"
    "    vec4 origin = gertiePoseTexel(bone);\n"
    "    vec3 axis = gertiePoseTexel(bone + 1).xyz;\n"
    "    vec3 d = p - origin.xyz;\n"
    "    return d - clamp(dot(d, axis) * origin.w, 0.0, 1.0) * axis;\n"
    "}\n"
    "\n"
    "vec3 gertiePullIn(int first, vec3 rest, vec3 posed, uvec4 joints[GERTIE_SETS], vec4 weights[GERTIE_SETS]) {\n"
    "    float total = 0.0, excess = 0.0;\n"
    "    vec3 outward = vec3(0.0);\n"
    "    for (int s = 0; s < GERTIE_SETS; ++s) {\n"
    "        for (int k = 0; k < 4; ++k) {\n"
    "            int bone = first + 9 * int(joints[s][k]) + 5;\n"
    "            vec3 after = gertieFromBone(bone + 2, posed);\n"
    "            float weight = weights[s][k] * weights[s][k];\n"
    "            total += weight;\n"
    "            excess += weight * (length(after) - length(gertieFromBone(bone, rest)));\n"
    "            outward += weight / max(length(after), 1e-15) * after;\n"
    "        }\n"
    "    }\n"
    "    return excess > 0.0 ? posed - excess / (total * total) * outward : posed;\n"
    "}\n"
    "\n"
    "GertieVertex gertieDualQuaternion(int first, int stride, GertieVertex v, uvec4 joints[GERTIE_SETS],\n"
    "                                  vec4 weights[GERTIE_SETS]) {\n"
    "    float heaviest = weights[0][0];\n"
    "    int pivot = int(joints[0][0]);\n"
    "    for (int i = 1; i < 4 * GERTIE_SETS; ++i) {\n"
    "        if (weights[i / 4][i % 4] > heaviest) {\n"
    "            heaviest = weights[i / 4][i % 4];\n"
    "            pivot = int(joints[i / 4][i % 4]);\n"
    "        }\n"
    "    }\n"
    "    vec4 side = gertiePoseTexel(first + stride * pivot);\n"
    "    vec4 real = vec4(0.0), dual = vec4(0.0);\n"
    "    vec3 a = vec3(0.0), b = vec3(0.0), c = vec3(0.0);\n"
    "    for (int s = 0; s < GERTIE_SETS; ++s) {\n"
    "        for (int k = 0; k < 4; ++k) {\n"
    "            int joint = first + stride * int(joints[s][k]);\n"
    "            float weight = weights[s][k];\n"
    "            vec4 rotation = gertiePoseTexel(joint);\n"
    "            float signed_weight = dot(rotation, side) < 0.0 ? -weight : weight;\n"
    "            real += signed_weight * rotation;\n"
    "            dual += signed_weight * gertiePoseTexel(joint + 1);\n"
    "            a += weight * gertiePoseTexel(joint + 2).xyz;\n"
    "            b += weight * gertiePoseTexel(joint + 3).xyz;\n"
    "            c += weight * gertiePoseTexel(joint + 4).xyz;\n"
    "        }\n"
    "    }\n"
    "    float inverse = inversesqrt(dot(real, real));\n"
    "    real *= inverse;\n"
    "    dual *= inverse;\n"
    "    GertieVertex s = gertieByMatrix(v, vec4(a, 0.0), vec4(b, 0.0), vec4(c, 0.0));\n"
    "    vec3 translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));\n"
    "    vec3 posed = gertieRotate(real, s.position) + translation;\n"
    "    if (stride > 5) {\n"
    "        posed = gertiePullIn(first, s.position, posed, joints, weights);\n"
    "    }\n"
    "    return GertieVertex(posed, gertieRotate(real, s.normal),\n"
    "                        vec4(gertieRotate(real, s.tangent.xyz), s.tangent.w));\n"
    "}\n"
    "\n"
    "GertieVertex gertieMorph(int first, int vertex, GertieVertex v) {\n"
    "    vec4 counts = gertiePoseTexel(first);\n"
    "    vec4 sizes = gertiePoseTexel(first + 1);\n"
    "    int parts = int(counts.z);\n"
    "    for (int i = 0; i < int(counts.y); ++i) {\n"
    "        vec4 shape = gertiePoseTexel(first + 2 + i);\n"
    "        int at = (int(shape.x) * int(sizes.y) + vertex) * int(sizes.z);\n"
    "        v.position += shape.y * gertieMorphTexel(at).xyz;\n"
    "        if (parts > 1) {\n"
    "            v.normal += shape.y * gertieMorphTexel(at + 1).xyz;\n"
    "        }\n"
    "        if (parts > 2) {\n"
    "            v.tangent.xyz += shape.y * gertieMorphTexel(at + 2).xyz;\n"
    "        }\n"
    "    }\n"
    "    return v;\n"
    "}\n"
    "\n"
    "GertieLooks gertieMorphLooks(int first, int vertex, GertieLooks looks) {\n"
    "    vec4 counts = gertiePoseTexel(first);\n"
    "    vec4 sizes = gertiePoseTexel(first + 1);\n"
    "    bool slides = counts.w == 1.0 || counts.w == 3.0;\n"
    "    bool blushes = counts.w >= 2.0;\n"
    "    for (int i = 0; i < int(counts.y) && counts.w > 0.0; ++i) {\n"
    "        vec4 shape = gertiePoseTexel(first + 2 + i);\n"
    "        int at = (int(shape.x) * int(sizes.y) + vertex) * int(sizes.z) + int(counts.z);\n"
    "        if (slides) {\n"
    "            looks.texcoords += shape.y * gertieMorphTexel(at);\n"
    "        }\n"
    "        if (blushes) {\n"
    "            looks.color += shape.y * gertieMorphTexel(at + (slides ? 1 : 0));\n"
    "        }\n"
    "    }\n"
    "    if (blushes) {\n"
    "        looks.color = clamp(looks.color, 0.0, 1.0);\n"
    "    }\n"
    "    return looks;\n"
    "}\n"
    "\n"
    "GertieVertex gertieDeform(int first, int vertex, GertieVertex v, uvec4 joints[GERTIE_SETS],\n"
    "                          vec4 weights[GERTIE_SETS]) {\n"
    "    int mover = int(gertiePoseTexel(first).x);\n"
    "    int matrices = first + int(gertiePoseTexel(first + 1).x);\n"
    "    v = gertieMorph(first, vertex, v);\n"
    "    if (mover >= 2) {\n"
    "        v = gertieDualQuaternion(matrices, mover == 3 ? 9 : 5, v, joints, weights);\n"
    "    } else if (mover == 1) {\n"
    "        v = gertieLinear(matrices, v, joints, weights);\n"
    "    } else {\n"
    "        v = gertieByMatrix(v, gertiePoseTexel(matrices), gertiePoseTexel(matrices + 1),\n"
    "                           gertiePoseTexel(matrices + 2));\n"
    "    }\n"
    "    return GertieVertex(v.position, gertieUnit(v.normal), vec4(gertieUnit(v.tangent.xyz), v.tangent.w));\n"
    "}\n";
// clang-format on

const char* gt_shader_source(void)
{
    return source;
}

static const GtMeshDef* mesh_of(const GtCharacter* character, int32_t mesh)
{
    GT_ASSERT(mesh >= 0 && mesh < character->def.mesh_count);
    return &character->def.meshes[mesh];
}

static const GtiDeformer* mover_of(const GtiStack* stack)
{
    return stack->steps[stack->count - 1];
}

bool gt_shader_can_deform(const GtCharacter* character, int32_t mesh)
{
    GT_ASSERT(mesh >= 0 && mesh < character->def.mesh_count);
    const GtiStack* stack = &character->stacks[mesh];
    const GtiDeformer* mover = mover_of(stack);
    bool morphs = stack->count == 2 && stack->steps[0] == &gti_morph;
    return (stack->count == 1 || morphs) && (mover == &gti_rigid || mover == &gti_skin_linear ||
                                             mover == &gti_skin_dual_quat || mover == &gti_skin_bulge_free);
}

static Mover find_mover(const GtiStack* stack)
{
    const GtiDeformer* mover = mover_of(stack);
    return mover == &gti_skin_bulge_free  ? MOVER_BULGE_FREE
           : mover == &gti_skin_dual_quat ? MOVER_DUAL_QUATERNION
           : mover == &gti_skin_linear    ? MOVER_LINEAR
                                          : MOVER_NODE;
}

// Texels of a vertex in a shape.
typedef struct Parts {
    int32_t surface; // its position, and its normal and tangent where the mesh has them
    bool slides;     // then both sets of texture coordinates, where shapes change either,
    bool blushes;    // and its colour, where they change that
    int32_t count;
} Parts;

static Parts parts_of(const GtCharacter* character, int32_t mesh)
{
    const GtMeshDef* m = mesh_of(character, mesh);
    unsigned looks = gt_morph_looks(character, mesh);
    Parts parts = {
        .surface = m->tangents  ? 3
                   : m->normals ? 2
                                : 1,
        .slides = looks & (GT_LOOKS_TEXCOORDS | GT_LOOKS_TEXCOORDS1),
        .blushes = looks & GT_LOOKS_COLORS,
    };
    parts.count = parts.surface + parts.slides + parts.blushes;
    return parts;
}

int32_t gt_pose_texel_count(const GtCharacter* character, int32_t mesh)
{
    const GtMeshDef* m = mesh_of(character, mesh);
    int32_t head = HEAD_TEXELS + m->morph_count;
    switch (find_mover(&character->stacks[mesh])) {
    case MOVER_BULGE_FREE:
        return head + (MOTION_TEXELS + BONE_TEXELS) * character->def.skins[m->skin].joint_count;
    case MOVER_DUAL_QUATERNION:
        return head + MOTION_TEXELS * character->def.skins[m->skin].joint_count;
    case MOVER_LINEAR:
        return head + MATRIX_TEXELS * character->def.skins[m->skin].joint_count;
    default:
        return head + MATRIX_TEXELS;
    }
}

// `bone` is NULL where bulges stay.
static void put_motion(const GtMat34* model_from_mesh, const GtiSkinBone* bone, float (*out)[4])
{
    GtiJointMotion joint;
    gti_joint_motion(model_from_mesh, &joint);
    memcpy(out[0], &joint.motion.real, sizeof out[0]);
    memcpy(out[1], &joint.motion.dual, sizeof out[1]);
    for (int row = 0; row < 3; ++row) {
        memcpy(out[2 + row], &joint.stretch[(size_t)row * 3], 3 * sizeof(float));
        out[2 + row][3] = 0.0f;
    }
    if (bone) {
        GtiPosedBone posed = gti_bone_pose(bone, model_from_mesh, &joint);
        memcpy(out[MOTION_TEXELS], &posed, sizeof posed);
    }
}

void gt_pose_texels(const GtInstance* instance, int32_t mesh, float (*out)[4])
{
    GT_ASSERT(gt_shader_can_deform(instance->character, mesh));
    const GtCharacterDef* def = &instance->character->def;
    const GtMeshDef* m = mesh_of(instance->character, mesh);
    const GtiStack* stack = &instance->character->stacks[mesh];
    Mover mover = find_mover(stack);
    Parts parts = parts_of(instance->character, mesh);
    int32_t first = HEAD_TEXELS + m->morph_count;
    int32_t shapes = 0;
    memset(out, 0, (size_t)first * sizeof *out);
    for (int32_t i = 0; stack->count == 2 && i < m->morph_count; ++i) {
        float weight = instance->weights[m->first_weight + i];
        if (weight != 0.0f) {
            float* shape = out[HEAD_TEXELS + shapes++];
            shape[0] = (float)i;
            shape[1] = weight;
        }
    }
    out[0][0] = (float)mover;
    out[0][1] = (float)shapes;
    out[0][2] = (float)parts.surface;
    out[0][3] = (parts.slides ? 1.0f : 0.0f) + (parts.blushes ? 2.0f : 0.0f);
    out[1][0] = (float)first;
    out[1][1] = (float)m->vertex_count;
    out[1][2] = (float)parts.count;
    if (mover == MOVER_NODE) {
        memcpy(out[first], instance->model_from_node[m->node].m, sizeof(GtMat34));
        return;
    }
    const GtSkinDef* skin = &def->skins[m->skin];
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        GtMat34 matrix = gt_mat34_mul(instance->model_from_node[skin->joints[j]], skin->joint_from_mesh[j]);
        if (mover == MOVER_LINEAR) {
            memcpy(out[first + MATRIX_TEXELS * j], matrix.m, sizeof matrix);
        } else if (mover == MOVER_BULGE_FREE) {
            const GtiSkinBone* bone = &instance->character->bones[m->skin][j];
            put_motion(&matrix, bone, &out[first + (MOTION_TEXELS + BONE_TEXELS) * j]);
        } else {
            put_motion(&matrix, NULL, &out[first + MOTION_TEXELS * j]);
        }
    }
}

int64_t gt_morph_texel_count(const GtCharacter* character, int32_t mesh)
{
    const GtMeshDef* m = mesh_of(character, mesh);
    return (int64_t)m->morph_count * m->vertex_count * parts_of(character, mesh).count;
}

// Numbers of an entry to a texel, from `to` on; nothing where the shape has none.
static void put_numbers(const void* array, size_t width, int32_t entry, float* to)
{
    if (array) {
        memcpy(to, (const float*)array + (size_t)entry * width, width * sizeof *to);
    }
}

void gt_morph_texels(const GtCharacter* character, int32_t mesh, float (*out)[4])
{
    const GtMeshDef* m = mesh_of(character, mesh);
    Parts parts = parts_of(character, mesh);
    memset(out, 0, (size_t)gt_morph_texel_count(character, mesh) * sizeof *out);
    for (int32_t i = 0; i < m->morph_count; ++i) {
        const GtMorphDef* morph = &m->morphs[i];
        const GtVec3* const arrays[3] = { morph->positions, morph->normals, morph->tangents };
        for (int32_t e = 0; e < morph->entry_count; ++e) {
            float(*texel)[4] = &out[((size_t)i * (size_t)m->vertex_count + morph->vertices[e]) * (size_t)parts.count];
            for (int32_t part = 0; part < parts.surface; ++part) {
                put_numbers(arrays[part], 3, e, *texel++);
            }
            if (parts.slides) {
                put_numbers(morph->texcoords, 2, e, *texel);
                put_numbers(morph->texcoords1, 2, e, *texel++ + 2);
            }
            if (parts.blushes) {
                put_numbers(morph->colors, 4, e, *texel);
            }
        }
    }
}
