// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One picture in passes. Fine: depth from the light (shadow map), depth from the camera at half size (ambient
// occlusion), then the background, the ground, the surfaces, the overlays, four samples a pixel. Draft: the background,
// the ground, the surfaces pressed flat onto it as their shadow, the surfaces. Pixels are fetched through two buffers
// in turn, so that reading one picture overlaps drawing the next.

#include "render/canvas.h"

#include "base/fail.h"
#include "render/camera.h"
#include "render/shaders.h"

#include <math.h>
#include <string.h>

enum {
    SHADOW_SIZE = 1536, // a 2 m figure fills it: 2 mm a texel, as fine as a 720p picture of it
    SAMPLES = 4,
    IN_FLIGHT = 2,
    // Texture units.
    UNIT_BASE = 0,
    UNIT_SHADOW = 1,
    UNIT_OCCLUSION = 2,
};

typedef struct Program {
    GLuint id;
    GLint clip_from_world, offset, eye, key, fill, rim, base_color, alpha_cutoff, has_texture, has_normals, has_shadow;
    GLint shadow_from_world, shadow_texel, pixel_size, center, radius, grid_step, floor_color, line_color, top, bottom;
    GLint view_from_clip, reach;
} Program;

struct GtiCanvas {
    GtAllocator allocator;
    GtiGl* gl;
    int32_t width, height;
    bool fine;
    Program surface, flat, depth, background, ground, blob, occlusion, blur;
    GLuint frame, color, frame_depth; // what is drawn into: multisampled when fine
    GLuint resolved, resolved_color;  // what is read from
    GLuint shadow_frame, shadow_map;  // fine
    GLuint small_frame, small_depth;  // fine: half size
    GLuint occlusion_frame[2], occlusion_map[2];
    GLuint empty_array; // for triangles made in the vertex shader
    GLuint pixels[IN_FLIGHT];
    int32_t drawn, read; // pictures so far
    // Of the picture being drawn.
    const GtiPicture* picture;
    GtiMat44 clip_from_world, shadow_from_world, light_from_world;
    GtVec3 key, fill, rim;
};

static GtResult make_program(GtiCanvas* c, const char* name, const char* vertex, const char* fragment, Program* p,
                             GtError* error)
{
    GtResult result = gti_gl_program(c->gl, name, vertex, fragment, &p->id, error);
    if (result != GT_OK) {
        return result;
    }
    const struct {
        const char* name;
        GLint* at;
    } uniforms[] = {
        { "clip_from_world", &p->clip_from_world },
        { "offset", &p->offset },
        { "eye", &p->eye },
        { "key", &p->key },
        { "fill", &p->fill },
        { "rim", &p->rim },
        { "base_color", &p->base_color },
        { "alpha_cutoff", &p->alpha_cutoff },
        { "has_texture", &p->has_texture },
        { "has_normals", &p->has_normals },
        { "has_shadow", &p->has_shadow },
        { "shadow_from_world", &p->shadow_from_world },
        { "shadow_texel", &p->shadow_texel },
        { "pixel_size", &p->pixel_size },
        { "center", &p->center },
        { "radius", &p->radius },
        { "grid_step", &p->grid_step },
        { "floor_color", &p->floor_color },
        { "line_color", &p->line_color },
        { "top", &p->top },
        { "bottom", &p->bottom },
        { "view_from_clip", &p->view_from_clip },
        { "reach", &p->reach },
    };
    for (size_t i = 0; i < sizeof uniforms / sizeof uniforms[0]; ++i) {
        *uniforms[i].at = c->gl->GetUniformLocation(p->id, uniforms[i].name);
    }
    const struct {
        const char* name;
        GLint unit;
    } samplers[] = {
        { "base_texture", UNIT_BASE }, { "source", UNIT_BASE },         { "depth_map", UNIT_BASE },
        { "shadow_map", UNIT_SHADOW }, { "occlusion", UNIT_OCCLUSION },
    };
    c->gl->UseProgram(p->id);
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; ++i) {
        c->gl->Uniform1i(c->gl->GetUniformLocation(p->id, samplers[i].name), samplers[i].unit);
    }
    return GT_OK;
}

static GtResult make_programs(GtiCanvas* c, GtError* error)
{
    const struct {
        const char* name;
        const char* vertex;
        const char* fragment;
        Program* program;
    } programs[] = {
        { "surface", gti_surface_vertex, gti_surface_fragment, &c->surface },
        { "flat", gti_surface_vertex, gti_flat_fragment, &c->flat },
        { "depth", gti_surface_vertex, gti_depth_fragment, &c->depth },
        { "background", gti_screen_vertex, gti_background_fragment, &c->background },
        { "ground", gti_ground_vertex, gti_ground_fragment, &c->ground },
        { "blob", gti_surface_vertex, gti_shadow_blob_fragment, &c->blob },
        { "occlusion", gti_screen_vertex, gti_occlusion_fragment, &c->occlusion },
        { "blur", gti_screen_vertex, gti_blur_fragment, &c->blur },
    };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0] && result == GT_OK; ++i) {
        result =
            make_program(c, programs[i].name, programs[i].vertex, programs[i].fragment, programs[i].program, error);
    }
    return result;
}

static GLuint make_texture(GtiGl* gl, GLint format, GLenum layout, GLenum type, int32_t width, int32_t height,
                           GLint filter)
{
    GLuint texture = 0;
    gl->GenTextures(1, &texture);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->TexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, layout, type, NULL);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

static GLuint make_buffer(GtiGl* gl, GLenum format, int32_t width, int32_t height, int32_t samples)
{
    GLuint buffer = 0;
    gl->GenRenderbuffers(1, &buffer);
    gl->BindRenderbuffer(GL_RENDERBUFFER, buffer);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return buffer;
}

static GLuint make_frame(GtiGl* gl)
{
    GLuint frame = 0;
    gl->GenFramebuffers(1, &frame);
    gl->BindFramebuffer(GL_FRAMEBUFFER, frame);
    return frame;
}

static void make_depth_frame(GtiGl* gl, GLuint* frame, GLuint* map, int32_t width, int32_t height, GLint filter)
{
    *map = make_texture(gl, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, width, height, filter);
    *frame = make_frame(gl);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, *map, 0);
    gl->DrawBuffer(GL_NONE);
    gl->ReadBuffer(GL_NONE);
}

static void make_fine_targets(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    make_depth_frame(gl, &c->shadow_frame, &c->shadow_map, SHADOW_SIZE, SHADOW_SIZE, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    make_depth_frame(gl, &c->small_frame, &c->small_depth, c->width / 2, c->height / 2, GL_NEAREST);
    for (int i = 0; i < 2; ++i) {
        c->occlusion_map[i] = make_texture(gl, GL_R8, GL_RED, GL_UNSIGNED_BYTE, c->width / 2, c->height / 2, GL_LINEAR);
        c->occlusion_frame[i] = make_frame(gl);
        gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, c->occlusion_map[i], 0);
    }
}

static GtResult make_targets(GtiCanvas* c, GtError* error)
{
    GtiGl* gl = c->gl;
    int32_t samples = c->fine ? SAMPLES : 0;
    c->color = make_buffer(gl, GL_RGBA8, c->width, c->height, samples);
    c->frame_depth = make_buffer(gl, GL_DEPTH24_STENCIL8, c->width, c->height, samples);
    c->frame = make_frame(gl);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, c->color);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, c->frame_depth);
    bool complete = gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (c->fine) {
        c->resolved_color = make_buffer(gl, GL_RGBA8, c->width, c->height, 0);
        c->resolved = make_frame(gl);
        gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, c->resolved_color);
        complete = complete && gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
        make_fine_targets(c);
    }
    gl->GenVertexArrays(1, &c->empty_array);
    gl->GenBuffers(IN_FLIGHT, c->pixels);
    for (int i = 0; i < IN_FLIGHT; ++i) {
        gl->BindBuffer(GL_PIXEL_PACK_BUFFER, c->pixels[i]);
        gl->BufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)c->width * c->height * 4, NULL, GL_STREAM_READ);
    }
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (!complete || gl->GetError() != GL_NO_ERROR) {
        return gti_fail(error, GT_ERROR_LIMIT, "the driver has no room for a picture of %d x %d pixels", (int)c->width,
                        (int)c->height);
    }
    return GT_OK;
}

GtResult gti_canvas_create(const GtContext* context, const GtRendererDef* def, GtiCanvas** out, GtError* error)
{
    *out = NULL;
    if (def->width < 16 || def->height < 16 || def->width > 8192 || def->height > 8192) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a picture of %d x %d pixels is out of range; give 16 to 8192",
                        (int)def->width, (int)def->height);
    }
    GtAllocator allocator = context->allocator;
    GtiCanvas* c = allocator.allocate(allocator.user, sizeof *c);
    if (!c) {
        return gti_out_of_memory(error);
    }
    memset(c, 0, sizeof *c);
    c->allocator = allocator;
    c->width = def->width;
    c->height = def->height;
    c->fine = def->quality == GT_RENDER_FINE;
    GtResult result = gti_gl_create(allocator, &c->gl, error);
    if (result == GT_OK) {
        result = make_programs(c, error);
    }
    if (result == GT_OK) {
        result = make_targets(c, error);
    }
    if (result != GT_OK) {
        gti_canvas_destroy(c);
        return result;
    }
    *out = c;
    return GT_OK;
}

// Textures, buffers and programs go with the context they belong to.
void gti_canvas_destroy(GtiCanvas* canvas)
{
    if (canvas) {
        gti_gl_destroy(canvas->allocator, canvas->gl);
        canvas->allocator.release(canvas->allocator.user, canvas);
    }
}

GtiGl* gti_canvas_gl(GtiCanvas* canvas)
{
    return canvas->gl;
}

// Key light from above, to the left of the camera; fill from its right; rim from behind.
static void place_lights(GtiCanvas* c)
{
    const GtCameraView* camera = &c->picture->camera;
    const GtVec3 up = { 0.0f, 1.0f, 0.0f };
    const GtVec3 front = { 0.0f, 0.0f, 1.0f };
    GtVec3 towards = gt_vec3_sub(camera->eye, camera->target);
    towards.y = 0.0f;
    GtVec3 back = gt_vec3_normalize_or(towards, front);
    GtVec3 right = gt_vec3_cross(up, back);
    GtVec3 key =
        gt_vec3_add(gt_vec3_scale(right, -0.55f), gt_vec3_add(gt_vec3_scale(up, 1.0f), gt_vec3_scale(back, 0.65f)));
    GtVec3 fill =
        gt_vec3_add(gt_vec3_scale(right, 0.9f), gt_vec3_add(gt_vec3_scale(up, 0.25f), gt_vec3_scale(back, 0.5f)));
    GtVec3 rim =
        gt_vec3_add(gt_vec3_scale(right, 0.5f), gt_vec3_add(gt_vec3_scale(up, 0.5f), gt_vec3_scale(back, -0.8f)));
    c->key = gt_vec3_normalize_or(key, up);
    c->fill = gt_vec3_normalize_or(fill, up);
    c->rim = gt_vec3_normalize_or(rim, up);
}

// An orthographic view from the key light around the box of what casts shadows, and that as texture coordinates.
static void place_shadow_camera(GtiCanvas* c)
{
    GtVec3 center = gt_vec3_scale(gt_vec3_add(c->picture->low, c->picture->high), 0.5f);
    float radius = 0.5f * gt_vec3_length(gt_vec3_sub(c->picture->high, c->picture->low));
    radius = radius > 0.0f ? radius * 1.02f : 1.0f;
    GtCameraView light = {
        .eye = gt_vec3_add(center, gt_vec3_scale(c->key, 3.0f * radius)),
        .target = center,
        .up = { 0.0f, 0.0f, 1.0f },
        .height_m = 2.0f * radius,
        .z_near = radius,
        .z_far = 6.0f * radius,
    };
    GtiMat44 view = gti_view_from_world(&light);
    GtiMat44 clip = gti_clip_from_view(&light, 1.0f);
    const GtiMat44 texture_from_clip = { { 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0.5f, 0.5f, 1 } };
    c->light_from_world = gti_mat44_mul(&clip, &view);
    c->shadow_from_world = gti_mat44_mul(&texture_from_clip, &c->light_from_world);
}

static void set_vec3(GtiGl* gl, GLint at, GtVec3 v)
{
    gl->Uniform3f(at, v.x, v.y, v.z);
}

static void set_color(GtiGl* gl, GLint at, const float color[4])
{
    gl->Uniform4f(at, color[0], color[1], color[2], color[3]);
}

static void draw_mesh(GtiGl* gl, const GtiMesh* mesh)
{
    gl->BindVertexArray(mesh->array);
    if (!mesh->has_colors) {
        gl->VertexAttrib4f(2, 1.0f, 1.0f, 1.0f, 1.0f);
    }
    gl->DrawElements(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL);
}

static bool casts_shadow(const GtiSurface* s)
{
    return s->look == GTI_LOOK_LIT && !s->blend && s->mesh->index_count > 0;
}

static void draw_depth(GtiCanvas* c, const GtiMat44* clip_from_world)
{
    GtiGl* gl = c->gl;
    gl->UseProgram(c->depth.id);
    gl->UniformMatrix4fv(c->depth.clip_from_world, 1, GL_FALSE, clip_from_world->m);
    gl->Enable(GL_DEPTH_TEST);
    gl->Disable(GL_CULL_FACE);
    for (int32_t i = 0; i < c->picture->surface_count; ++i) {
        if (casts_shadow(&c->picture->surfaces[i])) {
            set_vec3(gl, c->depth.offset, c->picture->surfaces[i].offset);
            draw_mesh(gl, c->picture->surfaces[i].mesh);
        }
    }
}

static void fill_screen(GtiCanvas* c)
{
    c->gl->BindVertexArray(c->empty_array);
    c->gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_occlusion(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const GtiPicture* picture = c->picture;
    gl->Viewport(0, 0, c->width / 2, c->height / 2);
    gl->BindFramebuffer(GL_FRAMEBUFFER, c->small_frame);
    gl->Clear(GL_DEPTH_BUFFER_BIT);
    draw_depth(c, &c->clip_from_world);
    if (picture->ground) { // the floor closes the sky for feet, and feet for the floor
        gl->UseProgram(c->ground.id);
        gl->UniformMatrix4fv(c->ground.clip_from_world, 1, GL_FALSE, c->clip_from_world.m);
        gl->BindVertexArray(c->empty_array);
        gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    GtiMat44 view_from_clip = gti_view_from_clip(&picture->camera, (float)c->width / (float)c->height);
    gl->Disable(GL_DEPTH_TEST);
    gl->BindFramebuffer(GL_FRAMEBUFFER, c->occlusion_frame[0]);
    gl->UseProgram(c->occlusion.id);
    gl->UniformMatrix4fv(c->occlusion.view_from_clip, 1, GL_FALSE, view_from_clip.m);
    gl->Uniform2f(c->occlusion.pixel_size, 2.0f / (float)c->width, 2.0f / (float)c->height);
    gl->Uniform1f(c->occlusion.reach, 0.06f * gt_vec3_length(gt_vec3_sub(picture->high, picture->low)));
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_BASE);
    gl->BindTexture(GL_TEXTURE_2D, c->small_depth);
    fill_screen(c);
    gl->BindFramebuffer(GL_FRAMEBUFFER, c->occlusion_frame[1]);
    gl->UseProgram(c->blur.id);
    gl->Uniform2f(c->blur.pixel_size, 2.0f / (float)c->width, 2.0f / (float)c->height);
    gl->BindTexture(GL_TEXTURE_2D, c->occlusion_map[0]);
    fill_screen(c);
}

static void draw_background(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
    gl->UseProgram(c->background.id);
    set_color(gl, c->background.top, c->picture->top);
    set_color(gl, c->background.bottom, c->picture->bottom);
    fill_screen(c);
}

static void set_ground(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const GtiPicture* p = c->picture;
    gl->UseProgram(c->ground.id);
    set_vec3(gl, c->ground.center, p->ground_center);
    gl->Uniform1f(c->ground.radius, p->ground_radius);
    gl->Uniform1f(c->ground.grid_step, p->grid_step);
}

static void draw_ground(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const float floor_color[4] = { 0.93f, 0.93f, 0.94f, 0.9f };
    const float line_color[4] = { 0.62f, 0.64f, 0.68f, 1.0f };
    gl->Enable(GL_DEPTH_TEST);
    gl->Enable(GL_BLEND);
    gl->UseProgram(c->ground.id);
    gl->UniformMatrix4fv(c->ground.clip_from_world, 1, GL_FALSE, c->clip_from_world.m);
    gl->UniformMatrix4fv(c->ground.shadow_from_world, 1, GL_FALSE, c->shadow_from_world.m);
    gl->Uniform1f(c->ground.shadow_texel, 1.0f / SHADOW_SIZE);
    gl->Uniform1i(c->ground.has_shadow, c->fine);
    gl->Uniform2f(c->ground.pixel_size, 1.0f / (float)c->width, 1.0f / (float)c->height);
    set_color(gl, c->ground.floor_color, floor_color);
    set_color(gl, c->ground.line_color, line_color);
    gl->BindVertexArray(c->empty_array);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// The draft's shadow: every surface pressed onto the ground along the key light, drawn once a pixel.
static void draw_flat_shadow(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const float shade[4] = { 0.0f, 0.0f, 0.02f, 0.26f };
    float y = c->picture->ground_center.y;
    GtiMat44 press = { { 1, 0, 0, 0, -c->key.x / c->key.y, 0, -c->key.z / c->key.y, 0, 0, 0, 1, 0,
                         y * c->key.x / c->key.y, y, y * c->key.z / c->key.y, 1 } };
    GtiMat44 clip_from_world = gti_mat44_mul(&c->clip_from_world, &press);
    gl->UseProgram(c->blob.id);
    gl->UniformMatrix4fv(c->blob.clip_from_world, 1, GL_FALSE, clip_from_world.m);
    set_color(gl, c->blob.base_color, shade);
    gl->Disable(GL_CULL_FACE);
    gl->Disable(GL_DEPTH_TEST); // only the floor is there yet
    gl->Enable(GL_STENCIL_TEST);
    gl->StencilFunc(GL_EQUAL, 0, 0xFF); // a pixel once
    gl->StencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    for (int32_t i = 0; i < c->picture->surface_count; ++i) {
        if (casts_shadow(&c->picture->surfaces[i])) {
            set_vec3(gl, c->blob.offset, c->picture->surfaces[i].offset);
            draw_mesh(gl, c->picture->surfaces[i].mesh);
        }
    }
    gl->Disable(GL_STENCIL_TEST);
    gl->Enable(GL_DEPTH_TEST);
}

static void set_lit_program(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const Program* p = &c->surface;
    gl->UseProgram(p->id);
    gl->UniformMatrix4fv(p->clip_from_world, 1, GL_FALSE, c->clip_from_world.m);
    gl->UniformMatrix4fv(p->shadow_from_world, 1, GL_FALSE, c->shadow_from_world.m);
    gl->Uniform1f(p->shadow_texel, 1.0f / SHADOW_SIZE);
    gl->Uniform1i(p->has_shadow, c->fine);
    gl->Uniform2f(p->pixel_size, 1.0f / (float)c->width, 1.0f / (float)c->height);
    set_vec3(gl, p->eye, c->picture->camera.eye);
    set_vec3(gl, p->key, c->key);
    set_vec3(gl, p->fill, c->fill);
    set_vec3(gl, p->rim, c->rim);
}

static void draw_surface(GtiCanvas* c, const Program* p, const GtiSurface* s)
{
    GtiGl* gl = c->gl;
    if (s->mesh->index_count == 0) {
        return;
    }
    if (s->double_sided) {
        gl->Disable(GL_CULL_FACE);
    } else {
        gl->Enable(GL_CULL_FACE);
    }
    set_vec3(gl, p->offset, s->offset);
    set_color(gl, p->base_color, s->base_color);
    gl->Uniform1f(p->alpha_cutoff, s->alpha_cutoff);
    gl->Uniform1i(p->has_texture, s->texture != 0 && s->mesh->has_texcoords);
    gl->Uniform1i(p->has_normals, s->mesh->has_normals);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_BASE);
    gl->BindTexture(GL_TEXTURE_2D, s->texture);
    draw_mesh(gl, s->mesh);
}

// Solid surfaces, then transparent ones, then overlays, each in the order given.
static void draw_surfaces(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    gl->Enable(GL_DEPTH_TEST);
    for (int pass = 0; pass < 3; ++pass) {
        bool overlays = pass == 2;
        if (overlays) {
            gl->UseProgram(c->flat.id);
            gl->UniformMatrix4fv(c->flat.clip_from_world, 1, GL_FALSE, c->clip_from_world.m);
        } else {
            set_lit_program(c);
        }
        if (pass > 0) {
            gl->Enable(GL_BLEND);
        } else {
            gl->Disable(GL_BLEND);
        }
        for (int32_t i = 0; i < c->picture->surface_count; ++i) {
            const GtiSurface* s = &c->picture->surfaces[i];
            bool is_overlay = s->look != GTI_LOOK_LIT && s->look != GTI_LOOK_GLASS;
            bool is_clear = s->blend || s->look == GTI_LOOK_GLASS;
            if (is_overlay != overlays || (!overlays && is_clear != (pass == 1))) {
                continue;
            }
            if (s->look == GTI_LOOK_XRAY) {
                gl->Disable(GL_DEPTH_TEST);
            }
            if (s->look ==
                GTI_LOOK_WIRE) { // edges a little towards the eye, so that their own triangles do not hide them
                gl->PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
                gl->Enable(GL_POLYGON_OFFSET_LINE);
                gl->PolygonOffset(-1.0f, -4.0f);
            }
            gl->DepthMask(pass == 0);
            draw_surface(c, overlays ? &c->flat : &c->surface, s);
            gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
            gl->Disable(GL_POLYGON_OFFSET_LINE);
            gl->Enable(GL_DEPTH_TEST);
        }
        gl->DepthMask(GL_TRUE);
    }
}

static void start_reading(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    if (c->fine) {
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, c->frame);
        gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, c->resolved);
        gl->BlitFramebuffer(0, 0, c->width, c->height, 0, 0, c->width, c->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, c->fine ? c->resolved : c->frame);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, c->pixels[c->drawn % IN_FLIGHT]);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->ReadPixels(0, 0, c->width, c->height, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    ++c->drawn;
}

void gti_canvas_draw(GtiCanvas* c, const GtiPicture* picture)
{
    GT_ASSERT(c->drawn - c->read < IN_FLIGHT);
    GtiGl* gl = c->gl;
    c->picture = picture;
    GtiMat44 view = gti_view_from_world(&picture->camera);
    GtiMat44 clip = gti_clip_from_view(&picture->camera, (float)c->width / (float)c->height);
    c->clip_from_world = gti_mat44_mul(&clip, &view);
    place_lights(c);
    gl->DepthFunc(GL_LEQUAL);
    gl->CullFace(GL_BACK);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->Disable(GL_BLEND);
    set_ground(c);
    if (c->fine) {
        place_shadow_camera(c);
        gl->Viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
        gl->BindFramebuffer(GL_FRAMEBUFFER, c->shadow_frame);
        gl->Clear(GL_DEPTH_BUFFER_BIT);
        draw_depth(c, &c->light_from_world);
        draw_occlusion(c);
        gl->ActiveTexture(GL_TEXTURE0 + UNIT_SHADOW);
        gl->BindTexture(GL_TEXTURE_2D, c->shadow_map);
        gl->ActiveTexture(GL_TEXTURE0 + UNIT_OCCLUSION);
        gl->BindTexture(GL_TEXTURE_2D, c->occlusion_map[1]);
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, c->frame);
    gl->Viewport(0, 0, c->width, c->height);
    gl->Clear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    draw_background(c);
    if (picture->ground) {
        draw_ground(c);
        if (!c->fine) {
            draw_flat_shadow(c);
        }
    }
    draw_surfaces(c);
    start_reading(c);
}

GtResult gti_canvas_read(GtiCanvas* c, uint8_t* rgba, GtError* error)
{
    GT_ASSERT(c->read < c->drawn);
    GtiGl* gl = c->gl;
    size_t row = (size_t)c->width * 4;
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, c->pixels[c->read % IN_FLIGHT]);
    ++c->read;
    const uint8_t* pixels =
        gl->MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)(row * (size_t)c->height), GL_MAP_READ_BIT);
    if (pixels) {
        for (int32_t y = 0; y < c->height; ++y) { // OpenGL's rows start at the bottom
            memcpy(rgba + (size_t)y * row, pixels + (size_t)(c->height - 1 - y) * row, row);
        }
        gl->UnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    GLenum problem = gl->GetError();
    if (!pixels || problem != GL_NO_ERROR) {
        return gti_fail(error, GT_ERROR_LIMIT, "the driver could not draw the picture (OpenGL error 0x%x)", problem);
    }
    return GT_OK;
}
