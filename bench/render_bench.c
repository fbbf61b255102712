// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a picture of 1280 x 720 pixels costs, with a walking figure of 50,000 triangles skinned for each: against a bare
// OpenGL loop that draws the same triangles in one pose and reads the pixels back.

#include "bench.h"

#include "gertie/animate.h"
#include "gertie/build.h"
#include "gertie/motions.h"
#include "gertie/person.h"
#include "gertie/render.h"

#include "render/draw/camera.h"
#include "render/picture/canvas.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 1280,
    HEIGHT = 720,
    PICTURES = 12, // a round
};

static const double frame_rate_hz = 30.0;

static GtScene* make_walker(const GtContext* context)
{
    GtError error;
    GtScene* person = NULL;
    GtScene* walk = NULL;
    GtScene* walker = NULL;
    GtPersonDef person_def = gt_default_person_def();
    GtMotionDef walk_def = gt_default_motion_def(GT_MOTION_WALK);
    GtAnimateDef animate_def = gt_default_animate_def();
    person_def.triangle_count = 51000;
    BENCH_OK(gt_sample_person(context, &person_def, &person, NULL, &error));
    BENCH_OK(gt_sample_motion(context, &walk_def, &walk, NULL, &error));
    BENCH_OK(gt_animate(context, person, walk, &animate_def, &walker, NULL, &error));
    gt_scene_destroy(person);
    gt_scene_destroy(walk);
    return walker;
}

static void* need(size_t count, size_t size)
{
    void* memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "render_bench: out of memory\n");
        exit(1);
    }
    return memory;
}

// The bare loop.

static const char bare_vertex[] = "layout(location = 0) in vec3 position;\n"
                                  "layout(location = 1) in vec3 normal;\n"
                                  "uniform mat4 clip_from_world;\n"
                                  "out vec3 shade;\n"
                                  "void main() {\n"
                                  "    shade = normal;\n"
                                  "    gl_Position = clip_from_world * vec4(position, 1.0);\n"
                                  "}\n";

static const char bare_fragment[] = "in vec3 shade;\n"
                                    "out vec4 result;\n"
                                    "void main() {\n"
                                    "    float lit = max(0.0, dot(normalize(shade), vec3(0.5, 0.7, 0.5)));\n"
                                    "    result = vec4(vec3(0.2 + 0.7 * lit), 1.0);\n"
                                    "}\n";

typedef struct Bare {
    GtiGl* gl;
    GLuint frame;
    GLuint program;
    GtiMesh mesh;
    uint8_t* rgba;
} Bare;

static GLuint make_bare_frame(GtiGl* gl)
{
    GLuint frame;
    GLuint buffers[2];
    gl->GenFramebuffers(1, &frame);
    gl->BindFramebuffer(GL_FRAMEBUFFER, frame);
    gl->GenRenderbuffers(2, buffers);
    gl->BindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, 0, GL_RGBA8, WIDTH, HEIGHT);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    gl->BindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, 0, GL_DEPTH_COMPONENT24, WIDTH, HEIGHT);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    return frame;
}

static void open_bare(Bare* bare, const GtContext* context, const GtCharacterDef* def, const GtCameraView* camera)
{
    GtError error;
    BENCH_OK(gti_gl_create(context->allocator, &bare->gl, &error));
    GtiGl* gl = bare->gl;
    BENCH_OK(gti_gl_program(gl, "bare", bare_vertex, bare_fragment, &bare->program, &error));
    const GtMeshDef* mesh = &def->meshes[0];
    bare->mesh = gti_mesh_create(gl);
    gti_mesh_upload(gl, &bare->mesh,
                    &(GtiMeshData){ .vertex_count = mesh->vertex_count,
                                    .index_count = mesh->index_count,
                                    .positions = mesh->positions,
                                    .normals = mesh->normals,
                                    .indices = mesh->indices });
    bare->frame = make_bare_frame(gl);
    bare->rgba = need((size_t)WIDTH * HEIGHT, 4);
    GtiMat44 view = gti_view_from_world(camera);
    GtiMat44 clip = gti_clip_from_view(camera, (float)WIDTH / HEIGHT);
    GtiMat44 clip_from_world = gti_mat44_mul(&clip, &view);
    gl->UseProgram(bare->program);
    gl->UniformMatrix4fv(gl->GetUniformLocation(bare->program, "clip_from_world"), 1, GL_FALSE, clip_from_world.m);
    gl->Viewport(0, 0, WIDTH, HEIGHT);
    gl->Enable(GL_DEPTH_TEST);
    gl->Enable(GL_CULL_FACE);
}

static void draw_bare(void* user)
{
    Bare* bare = user;
    GtiGl* gl = bare->gl;
    GtError error;
    BENCH_OK(gti_gl_make_current(gl, &error));
    for (int i = 0; i < PICTURES; ++i) {
        gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        gl->BindVertexArray(bare->mesh.array);
        gl->DrawElements(GL_TRIANGLES, bare->mesh.index_count, GL_UNSIGNED_INT, NULL);
        gl->ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, bare->rgba);
    }
}

// Gertie's.

typedef struct Film {
    GtRenderer* renderer;
    GtCameraView camera;
    uint8_t* rgba;
} Film;

static void open_film(Film* film, const GtContext* context, const GtScene* walker, GtRenderQuality quality)
{
    GtError error;
    GtRendererDef def = gt_default_renderer_def();
    GtActorDef actor = gt_default_actor_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.quality = quality;
    actor.scene = walker;
    actor.animation = 0;
    BENCH_OK(gt_renderer_create(context, &def, &film->renderer, &error));
    BENCH_OK(gt_renderer_add(film->renderer, context, &actor, NULL, &error));
    GtBounds bounds = gt_renderer_bounds(film->renderer, 0.0, (double)PICTURES / frame_rate_hz, 8);
    gt_renderer_set_stage(film->renderer, bounds);
    film->camera = gt_camera_frame(bounds, GT_CAMERA_THREE_QUARTER, (float)WIDTH / HEIGHT, 0.0f);
    film->rgba = need((size_t)WIDTH * HEIGHT, 4);
}

static void draw_film(void* user)
{
    Film* film = user;
    GtError error;
    gt_renderer_expect(film->renderer, &film->camera, 1.0 / frame_rate_hz);
    BENCH_OK(gt_renderer_draw(film->renderer, &film->camera, 0.0, &error));
    for (int i = 0; i < PICTURES; ++i) {
        if (i + 1 < PICTURES) {
            gt_renderer_expect(film->renderer, &film->camera, (i + 2) % PICTURES / frame_rate_hz);
            BENCH_OK(gt_renderer_draw(film->renderer, &film->camera, (i + 1) / frame_rate_hz, &error));
        }
        BENCH_OK(gt_renderer_read(film->renderer, film->rgba, &error));
    }
}

int main(void)
{
    GtError error;
    GtContext context = gt_default_context();
    GtScene* walker = make_walker(&context);
    GtCharacter* character = NULL;
    GtBuildDef build = gt_default_build_def();
    BENCH_OK(gt_character_build(&context, walker, &build, &character, NULL, &error));
    const GtCharacterDef* def = gt_character_def(character);
    Film draft = { 0 };
    Film fine = { 0 };
    Bare bare = { 0 };
    open_film(&draft, &context, walker, GT_RENDER_DRAFT);
    open_film(&fine, &context, walker, GT_RENDER_FINE);
    open_bare(&bare, &context, def, &draft.camera);
    char title[256];
    snprintf(title, sizeof title, "%d pictures of %d x %d, %d triangles, %s", (int)PICTURES, (int)WIDTH, (int)HEIGHT,
             (int)def->meshes[0].index_count / 3, bare.gl->renderer);
    const BenchCase cases[] = {
        { "bare OpenGL loop, one pose", draw_bare, &bare },
        { "draft, skinned each", draw_film, &draft },
        { "fine, skinned each", draw_film, &fine },
    };
    bench_compare(title, cases, sizeof cases / sizeof cases[0]);
    gt_renderer_destroy(draft.renderer);
    gt_renderer_destroy(fine.renderer);
    gti_gl_destroy(context.allocator, bare.gl);
    gt_character_destroy(character);
    gt_scene_destroy(walker);
    free(draft.rgba);
    free(fine.rgba);
    free(bare.rgba);
    return 0;
}
