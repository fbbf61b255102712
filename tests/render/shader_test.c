// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The vertex shader against the C kernels: every vertex is drawn as one point, whose colour is where it went.

#include "gertie/shader.h"

#include "render/draw/gl.h"
#include "runtime/puppet.h"

#include <stdlib.h>

enum {
    SETS = GT_MAX_INFLUENCES / 4,
    PLACES = 32, // pixels of a picture; a puppet has 31 vertices
    INSTANCES = 3,
    BUFFERS = 6 + 2 * SETS,
};

static const char head[] = "#define GERTIE_SETS 4\nprecision highp float;\n";
static const char tail[] =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec4 tangent;\n"
    "layout(location = 3) in vec4 joints0;\n"
    "layout(location = 4) in vec4 joints1;\n"
    "layout(location = 5) in vec4 joints2;\n"
    "layout(location = 6) in vec4 joints3;\n"
    "layout(location = 7) in vec4 weights0;\n"
    "layout(location = 8) in vec4 weights1;\n"
    "layout(location = 9) in vec4 weights2;\n"
    "layout(location = 10) in vec4 weights3;\n"
    "layout(location = 11) in vec2 texcoord0;\n"
    "layout(location = 12) in vec2 texcoord1;\n"
    "layout(location = 13) in vec4 paint;\n"
    "uniform int first;\n"
    "uniform int what;\n"
    "out vec4 value;\n"
    "void main() {\n"
    "    uvec4 joints[4];\n"
    "    vec4 weights[4];\n"
    "    joints[0] = uvec4(joints0);\n"
    "    joints[1] = uvec4(joints1);\n"
    "    joints[2] = uvec4(joints2);\n"
    "    joints[3] = uvec4(joints3);\n"
    "    weights[0] = weights0;\n"
    "    weights[1] = weights1;\n"
    "    weights[2] = weights2;\n"
    "    weights[3] = weights3;\n"
    "    GertieVertex v = gertieDeform(first, gl_VertexID,\n"
    "                                  GertieVertex(position, normal, tangent), joints, weights);\n"
    "    GertieLooks looks = gertieMorphLooks(first, gl_VertexID, GertieLooks(vec4(texcoord0, texcoord1), paint));\n"
    "    value = what == 0 ? vec4(v.position, 1.0) : what == 1 ? vec4(v.normal, 1.0) : what == 2 ? v.tangent :\n"
    "            what == 3 ? looks.texcoords : looks.color;\n"
    "    gl_Position = vec4((float(gl_VertexID) + 0.5) / 16.0 - 1.0, 0.0, 0.0, 1.0);\n"
    "    gl_PointSize = 1.0;\n"
    "}\n";
static const char fragment[] = "precision highp float;\n"
                               "in vec4 value;\n"
                               "out vec4 color;\n"
                               "void main() { color = value; }\n";

static GtiGl* need_driver(void** state)
{
    if (!*state) {
        skip();
    }
    return *state;
}

static int enter(void** state)
{
    GtError error = { 0 };
    GtiGl* gl = NULL;
    if (gti_gl_create(gt_default_allocator(), &gl, &error) != GT_OK) {
        print_message("skipped: %s\n", error.message);
    }
    *state = gl;
    return 0;
}

static int leave(void** state)
{
    if (*state) {
        gti_gl_destroy(gt_default_allocator(), *state);
    }
    return 0;
}

static GLuint compile(GtiGl* gl, const char* version)
{
    const char* const parts[] = { version, head, gt_shader_source(), tail };
    GLuint shader = gl->CreateShader(GL_VERTEX_SHADER);
    gl->ShaderSource(shader, 4, parts, NULL);
    gl->CompileShader(shader);
    GLint compiled = 0;
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[1024] = "";
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
        fail_msg("%s%s", version, log);
    }
    return shader;
}

static void test_every_dialect_takes_it(void** state)
{
    GtiGl* gl = need_driver(state);
    gl->DeleteShader(compile(gl, "#version 330 core\n"));
    gl->DeleteShader(compile(gl, "#version 300 es\n")); // desktop drivers take it from OpenGL 4.3 on
}

static GLuint texture_of(GtiGl* gl, const float (*texels)[4], size_t count)
{
    GLuint texture;
    size_t rows = count / GT_TEXTURE_WIDTH + 1;
    float(*padded)[4] = calloc(rows * GT_TEXTURE_WIDTH, sizeof *padded);
    memcpy(padded, texels, count * sizeof *texels);
    gl->GenTextures(1, &texture);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, GT_TEXTURE_WIDTH, (GLsizei)rows, 0, GL_RGBA, GL_FLOAT, padded);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    free(padded);
    return texture;
}

// Attributes of a mesh, one buffer each.
static void upload(GtiGl* gl, const GtMeshDef* mesh, GLuint buffers[BUFFERS])
{
    float influences[2 * SETS][PLACES][4] = { 0 };
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        for (int32_t k = 0; k < mesh->influence_count; ++k) {
            influences[k / 4][i][k % 4] = (float)mesh->joints[i * mesh->influence_count + k];
            influences[SETS + k / 4][i][k % 4] = mesh->weights[i * mesh->influence_count + k];
        }
    }
    gl->GenBuffers(BUFFERS, buffers);
    for (int i = 0; i < BUFFERS; ++i) {
        const void* others[BUFFERS] = { mesh->positions, mesh->normals, mesh->tangents };
        others[BUFFERS - 3] = mesh->texcoords;
        others[BUFFERS - 2] = mesh->texcoords1;
        others[BUFFERS - 1] = mesh->colors;
        const void* data = others[i] ? others[i] : (const void*)influences[i - 3];
        GLint size = i < 2 ? 3 : data == mesh->texcoords || data == mesh->texcoords1 ? 2 : 4;
        gl->BindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)mesh->vertex_count * (size_t)size * sizeof(float)), data,
                       GL_STATIC_DRAW);
        gl->VertexAttribPointer((GLuint)i, size, GL_FLOAT, GL_FALSE, 0, NULL);
        gl->EnableVertexAttribArray((GLuint)i);
    }
}

static void draw(GtiGl* gl, GLuint program, int32_t first, int what, int32_t count, float (*out)[4])
{
    gl->Uniform1i(gl->GetUniformLocation(program, "first"), first);
    gl->Uniform1i(gl->GetUniformLocation(program, "what"), what);
    gl->DrawArrays(GL_POINTS, 0, count);
    gl->ReadPixels(0, 0, PLACES, 1, GL_RGBA, GL_FLOAT, out);
}

static void expect_near(const float* actual, const float* expected, int count, int32_t vertex)
{
    for (int c = 0; c < count; ++c) {
        if (!(fabsf(actual[c] - expected[c]) <= 1e-5f)) {
            fail_msg("vertex %d: %.9g is not %.9g", vertex, (double)actual[c], (double)expected[c]);
        }
    }
}

static void compare(GtiGl* gl, GLuint program, GtInstance* instance, int32_t mesh, int32_t first)
{
    static GtVec3 positions[PLACES], normals[PLACES];
    static float tangents[PLACES][4], pixels[PLACES][4], sets[2][PLACES][2], colors[PLACES][4];
    int32_t count = gt_character_def(instance->character)->meshes[mesh].vertex_count;
    gt_instance_deform(instance, mesh, positions, normals, tangents[0]);
    gt_instance_deform_looks(instance, mesh, sets[0][0], sets[1][0], colors[0]);
    for (int what = 0; what < 5; ++what) {
        draw(gl, program, first, what, count, pixels);
        for (int32_t i = 0; i < count; ++i) {
            const float texcoords[4] = { sets[0][i][0], sets[0][i][1], sets[1][i][0], sets[1][i][1] };
            const float* expected[5] = { &positions[i].x, &normals[i].x, tangents[i], texcoords, colors[i] };
            expect_near(pixels[i], expected[what], what < 2 ? 3 : 4, i);
        }
    }
}

// Several instances in one texture, of one mesh of a puppet.
static void compare_mesh(GtiGl* gl, GLuint program, const GtCharacter* character, int32_t mesh, uint64_t* random)
{
    const GtMeshDef* def = &gt_character_def(character)->meshes[mesh];
    static float poses[INSTANCES * 512][4], morphs[512][4];
    int32_t pose_count = gt_pose_texel_count(character, mesh);
    int64_t morph_count = gt_morph_texel_count(character, mesh);
    assert_true(pose_count <= 512 && morph_count <= 512 && gt_shader_can_deform(character, mesh));
    GtInstance* instances[INSTANCES];
    for (int i = 0; i < INSTANCES; ++i) {
        instances[i] = create_instance(character);
        bend(instances[i], random);
        instances[i]->pose[2].scale = gt_vec3(1.2f, 0.7f, i == 1 ? -1.1f : 1.1f);
        instances[i]->weights[0] = 0.5f * (float)i;
        gt_instance_update(instances[i]);
        gt_pose_texels(instances[i], mesh, &poses[i * pose_count]);
    }
    gt_morph_texels(character, mesh, morphs);
    GLuint buffers[BUFFERS], textures[2];
    upload(gl, def, buffers);
    gl->ActiveTexture(GL_TEXTURE1);
    textures[1] = texture_of(gl, (const float(*)[4])morphs, (size_t)morph_count);
    gl->ActiveTexture(GL_TEXTURE0);
    textures[0] = texture_of(gl, (const float(*)[4])poses, (size_t)(INSTANCES * pose_count));
    for (int i = 0; i < INSTANCES; ++i) {
        compare(gl, program, instances[i], mesh, i * pose_count);
        gt_instance_destroy(instances[i]);
    }
    gl->DeleteTextures(2, textures);
    gl->DeleteBuffers(BUFFERS, buffers);
}

// A picture of floats, as wide as a puppet has vertices.
static void open_picture(GtiGl* gl, GLuint* frame, GLuint* picture)
{
    gl->GenTextures(1, picture);
    gl->BindTexture(GL_TEXTURE_2D, *picture);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, PLACES, 1, 0, GL_RGBA, GL_FLOAT, NULL);
    gl->GenFramebuffers(1, frame);
    gl->BindFramebuffer(GL_FRAMEBUFFER, *frame);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *picture, 0);
    assert_int_equal(gl->CheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    gl->Viewport(0, 0, PLACES, 1);
}

// Texture coordinates and colours, and by turns a shape that changes all, the second set, colours or nothing of them.
static void fill_looks(Puppet* puppet, int turn, uint64_t* random)
{
    static float numbers[2][PLACES * 4], changes[8];
    for (int i = 0; i < PLACES * 4; ++i) {
        numbers[0][i] = (float)ref_random(random);
        numbers[1][i] = 0.5f + 0.5f * (float)ref_random(random);
        changes[i % 8] = 2.0f * (float)ref_random(random);
    }
    for (int m = 0; m < 2; ++m) {
        puppet->meshes[m].texcoords = numbers[0];
        puppet->meshes[m].texcoords1 = numbers[0] + (size_t)PLACES * 2;
        puppet->meshes[m].colors = numbers[1];
    }
    puppet->morph.texcoords = turn % 4 == 0 ? changes : NULL;
    puppet->morph.texcoords1 = turn % 4 < 2 ? changes + 4 : NULL;
    puppet->morph.colors = turn % 4 == 0 || turn % 4 == 2 ? changes : NULL;
}

static void test_vertices_go_where_the_kernels_put_them(void** state)
{
    GtiGl* gl = need_driver(state);
    GtError error = { 0 };
    GLuint program, frame, picture, array;
    static char vertex[16384];
    snprintf(vertex, sizeof vertex, "%s%s%s", head, gt_shader_source(), tail);
    GT_EXPECT_OK(gti_gl_program(gl, "deform", vertex, fragment, &program, &error));
    gl->UseProgram(program);
    gl->Uniform1i(gl->GetUniformLocation(program, "gertiePose"), 0);
    gl->Uniform1i(gl->GetUniformLocation(program, "gertieMorphs"), 1);
    open_picture(gl, &frame, &picture);
    gl->GenVertexArrays(1, &array);
    gl->BindVertexArray(array);
    uint64_t random = 11;
    static const int32_t influence_counts[] = { 1, 4, 7, GT_MAX_INFLUENCES };
    for (int i = 0; i < 4 * GT_SKIN_METHOD_COUNT; ++i) {
        static Puppet puppet;
        fill_puppet(&puppet, (GtSkinMethod)(i % GT_SKIN_METHOD_COUNT), influence_counts[i / GT_SKIN_METHOD_COUNT],
                    &random);
        fill_looks(&puppet, i, &random);
        GtCharacter* character = create_puppet(&puppet);
        compare_mesh(gl, program, character, 0, &random);
        compare_mesh(gl, program, character, 1, &random);
        gt_character_destroy(character);
    }
    gl->DeleteVertexArrays(1, &array);
    gl->DeleteFramebuffers(1, &frame);
    gl->DeleteTextures(1, &picture);
    gl->DeleteProgram(program);
    assert_int_equal(gl->GetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_dialect_takes_it),
        cmocka_unit_test(test_vertices_go_where_the_kernels_put_them),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
