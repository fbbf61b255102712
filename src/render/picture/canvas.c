// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One picture in passes. The background and the floor are a picture of their own, drawn again only when the camera
// moves. Over it, within the rectangle where something can be seen, come the figures' footprint on the floor, the
// surfaces and the overlays; fine pictures have a shadow map and four samples a pixel. Only the rectangle is read back,
// and of two pictures under way, so that drawing the next one overlaps finishing the one before.

#include "render/picture/canvas.h"

#include "base/fail.h"
#include "render/draw/program.h"
#include "render/draw/target.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLES = 4,
    MOST_SCALED = 4096, // pixels a side that are drawn at twice the size; more have samples
    IN_FLIGHT = 2,
};

// All that the background and the floor depend on.
typedef struct Backdrop {
    GtiMat44 clip_from_world;
    float top[4], bottom[4];
    GtVec3 ground_center;
    float ground_radius;
    float grid_step;
    int32_t ground;
} Backdrop;

struct GtiCanvas {
    GtAllocator allocator;
    GtiGl* gl;
    int32_t width, height;
    bool fine;
    int32_t scale;      // pixels drawn a pixel, each way
    int32_t floor_size; // texels of shadows on the floor, each way
    GtiPrograms programs;
    GtiDrawTarget targets[IN_FLIGHT];
    GtiRect changed[IN_FLIGHT]; // what of each is to be read; the rest is `base`
    GLuint heights[IN_FLIGHT];  // textures: shadows on surfaces
    GLuint floors[IN_FLIGHT];   // shadows on the floor
    GLuint empty_array;         // for triangles made in the vertex shader
    GLuint backdrop_frame, backdrop_texture;
    Backdrop backdrop;
    bool has_backdrop;
    // Once a backdrop has lasted for two pictures: its pixels, and itself as large as pictures are drawn, with nothing
    // in front of it, so that a picture begins with a copy.
    uint8_t* base; // [height * width * 4] rows from the top
    GtiDrawTarget lasting;
    bool has_base;
    uint8_t* pixels;     // [height * width * 4] as OpenGL gives them
    int32_t drawn, read; // pictures so far
    // Of the picture being drawn.
    const GtiPicture* picture;
    GtiMat44 clip_from_world;
    GtVec3 key, fill, rim;
    bool is_dense; // triangles are hardly larger than pixels
};

// Targets are large, and a still needs only one of them: each is made when it is first drawn into.
static void ready_target(GtiCanvas* c, GtiDrawTarget* target)
{
    if (!target->frame) {
        *target = gti_target_create(c->gl, c->width, c->height, c->scale, c->fine && c->scale == 1 ? SAMPLES : 0);
    }
}

static GtResult make_targets(GtiCanvas* c, GtError* error)
{
    GtiGl* gl = c->gl;
    size_t size = (size_t)c->width * (size_t)c->height * 4;
    c->base = c->allocator.allocate(c->allocator.user, size);
    c->pixels = c->allocator.allocate(c->allocator.user, size);
    if (!c->base || !c->pixels) {
        return gti_out_of_memory(error);
    }
    ready_target(c, &c->targets[0]);
    for (int i = 0; i < IN_FLIGHT; ++i) {
        c->heights[i] =
            gti_texture_create_empty(gl, GL_R32F, GL_RED, GL_FLOAT, GTI_SHADOW_FINE, GTI_SHADOW_FINE, GL_NEAREST);
        c->floors[i] =
            gti_texture_create_empty(gl, GL_RG8, GL_RG, GL_UNSIGNED_BYTE, c->floor_size, c->floor_size, GL_LINEAR);
    }
    gti_target_texture(gl, c->width, c->height, &c->backdrop_frame, &c->backdrop_texture);
    gl->GenVertexArrays(1, &c->empty_array);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 4);
    if (!gti_target_is_complete(gl, &c->targets[0]) || gl->GetError() != GL_NO_ERROR) {
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
    c->floor_size = (c->fine ? GTI_SHADOW_FINE : GTI_SHADOW_DRAFT) / 2;
    c->scale = c->fine && def->width <= MOST_SCALED && def->height <= MOST_SCALED ? 2 : 1;
    GtResult result = gti_gl_create(allocator, &c->gl, error);
    if (result == GT_OK) {
        result = gti_programs_create(c->gl, &c->programs, error);
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
        GtAllocator allocator = canvas->allocator;
        gti_gl_destroy(allocator, canvas->gl);
        allocator.release(allocator.user, canvas->base);
        allocator.release(allocator.user, canvas->pixels);
        allocator.release(allocator.user, canvas);
    }
}

GtiGl* gti_canvas_gl(GtiCanvas* canvas)
{
    return canvas->gl;
}

// A direction given along the camera's right, up in the world, and horizontally back towards the camera.
static GtVec3 from_camera(const GtCameraView* camera, float right, float up, float back)
{
    const GtVec3 y = { 0.0f, 1.0f, 0.0f };
    GtVec3 towards = gt_vec3_sub(camera->eye, camera->target);
    towards.y = 0.0f;
    GtVec3 z = gt_vec3_normalize_or(towards, gt_vec3(0.0f, 0.0f, 1.0f));
    GtVec3 x = gt_vec3_cross(y, z);
    GtVec3 sum = gt_vec3_add(gt_vec3_scale(x, right), gt_vec3_add(gt_vec3_scale(y, up), gt_vec3_scale(z, back)));
    return gt_vec3_normalize_or(sum, y);
}

GtVec3 gti_key_light(const GtCameraView* camera)
{
    return from_camera(camera, -0.55f, 1.0f, 0.65f);
}

// Key light from above, to the left of the camera; fill from its right; rim from behind.
static void place_lights(GtiCanvas* c)
{
    const GtCameraView* camera = &c->picture->camera;
    c->key = gti_key_light(camera);
    c->fill = from_camera(camera, 0.9f, 0.25f, 0.5f);
    c->rim = from_camera(camera, 0.5f, 0.5f, -0.8f);
}

static void draw_mesh(GtiGl* gl, const GtiSurface* surface)
{
    const GtiMesh* mesh = surface->mesh;
    gl->BindVertexArray(mesh->array);
    if (!mesh->has_colors) {
        gl->VertexAttrib4f(2, 1.0f, 1.0f, 1.0f, 1.0f);
    }
    if (!mesh->has_light) {
        gl->VertexAttrib4f(4, 1.0f, 1.0f, 1.0f, 1.0f);
    }
    uintptr_t start = (size_t)surface->first_index * sizeof(uint32_t); // in the buffer that is bound
    gl->DrawElements(GL_TRIANGLES, surface->index_count ? surface->index_count : mesh->index_count, GL_UNSIGNED_INT,
                     (const void*)start); // NOLINT(performance-no-int-to-ptr): as OpenGL wants it
}

static void draw_triangle_over_all(GtiCanvas* c)
{
    c->gl->BindVertexArray(c->empty_array);
    c->gl->DrawArrays(GL_TRIANGLES, 0, 3);
}

static void draw_square(GtiCanvas* c)
{
    c->gl->BindVertexArray(c->empty_array);
    c->gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// The floor goes on from the background's lower end; its lines are darker, or lighter in the dark.
static void draw_ground(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const Backdrop* b = &c->backdrop;
    const GtiProgram* p = &c->programs.ground;
    const float* from = b->bottom;
    bool is_dark = 0.3f * from[0] + 0.6f * from[1] + 0.1f * from[2] < 0.35f;
    float line_color[4] = { 0, 0, 0, 1.0f };
    float floor_color[4] = { from[0], from[1], from[2], 0.9f };
    for (int i = 0; i < 3; ++i) {
        line_color[i] = is_dark ? from[i] + 0.3f * (1.0f - from[i]) : 0.68f * from[i];
    }
    gl->Enable(GL_BLEND);
    gl->UseProgram(p->id);
    gl->UniformMatrix4fv(p->clip_from_world, 1, GL_FALSE, b->clip_from_world.m);
    gti_set_vec3(gl, p->center, b->ground_center);
    gl->Uniform1f(p->radius, b->ground_radius);
    gl->Uniform1f(p->grid_step, b->grid_step);
    gti_set_color(gl, p->floor_color, floor_color);
    gti_set_color(gl, p->line_color, line_color);
    draw_square(c);
}

// Whatever is drawn over a background that is not solid has its colours multiplied by its alpha; see straighten().
static void draw_background(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const GtiProgram* p = &c->programs.background;
    const float* top = c->backdrop.top;
    const float* bottom = c->backdrop.bottom;
    gl->Disable(GL_BLEND);
    gl->UseProgram(p->id);
    gl->Uniform4f(p->top, top[0] * top[3], top[1] * top[3], top[2] * top[3], top[3]);
    gl->Uniform4f(p->bottom, bottom[0] * bottom[3], bottom[1] * bottom[3], bottom[2] * bottom[3], bottom[3]);
    draw_triangle_over_all(c);
}

// Draw background and floor where they are not what they were.
static bool renew_backdrop(GtiCanvas* c)
{
    GtiGl* gl = c->gl;
    const GtiPicture* picture = c->picture;
    Backdrop wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.clip_from_world = c->clip_from_world;
    memcpy(wanted.top, picture->top, sizeof wanted.top);
    memcpy(wanted.bottom, picture->bottom, sizeof wanted.bottom);
    wanted.ground_center = picture->ground_center;
    wanted.ground_radius = picture->ground_radius;
    wanted.grid_step = picture->grid_step;
    wanted.ground = picture->ground;
    if (c->has_backdrop && !memcmp(&wanted, &c->backdrop, sizeof wanted)) {
        return false;
    }
    c->backdrop = wanted;
    c->has_backdrop = true;
    c->has_base = false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, c->backdrop_frame);
    gl->Viewport(0, 0, c->width, c->height);
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_CULL_FACE);
    draw_background(c);
    if (wanted.ground) {
        draw_ground(c);
    }
    return true;
}

static void read_pixels(GtiCanvas* c, GLuint frame, GtiRect rect)
{
    c->gl->BindFramebuffer(GL_READ_FRAMEBUFFER, frame);
    c->gl->ReadPixels(rect.x, rect.y, rect.width, rect.height, GL_RGBA, GL_UNSIGNED_BYTE, c->pixels);
}

// OpenGL's rows start at the bottom.
static void put_pixels(const GtiCanvas* c, GtiRect rect, uint8_t* rgba)
{
    size_t size = (size_t)rect.width * 4;
    for (int32_t y = 0; y < rect.height; ++y) {
        size_t row = (size_t)(c->height - 1 - rect.y - y) * (size_t)c->width + (size_t)rect.x;
        memcpy(rgba + row * 4, c->pixels + (size_t)y * size, size);
    }
}

// The part of the picture that an extent covers, two pixels wider.
static GtiRect rect_of(const GtiCanvas* c, const GtiExtent* e)
{
    if (e->passes_eye) {
        return (GtiRect){ 0, 0, c->width, c->height };
    }
    int32_t left = (int32_t)fminf(fmaxf(e->left - 2.0f, 0.0f), (float)c->width);
    int32_t right = (int32_t)fminf(fmaxf(e->right + 3.0f, 0.0f), (float)c->width);
    int32_t top = (int32_t)fminf(fmaxf(e->top - 2.0f, 0.0f), (float)c->height);
    int32_t bottom = (int32_t)fminf(fmaxf(e->bottom + 3.0f, 0.0f), (float)c->height);
    return right > left && bottom > top ? (GtiRect){ left, c->height - bottom, right - left, bottom - top }
                                        : (GtiRect){ 0, 0, 1, 1 };
}

// Grow an extent by the shadow on the floor.
static void add_floor_shadow(const GtiCanvas* c, GtiExtent* e)
{
    const GtiPicture* picture = c->picture;
    const GtiShadowPlace* place = &picture->shadow;
    for (int i = 0; picture->ground && picture->has_shadow && i < 4; ++i) {
        GtVec3 corner = gt_vec3(place->low_x + place->dark[i & 1 ? 2 : 0] * place->width_m, place->floor_y,
                                place->low_z + place->dark[i & 2 ? 3 : 1] * place->depth_m);
        gti_extent_grow(e, &picture->camera, c->width, c->height, &corner, 1, gt_vec3(0.0f, 0.0f, 0.0f));
    }
}

// Copy a rectangle; `from` has `scale` times as many pixels each way, of which each of `to` becomes the mean.
static void blit(GtiGl* gl, GLuint from, int32_t scale, GLuint to, GtiRect r)
{
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    gl->BlitFramebuffer(scale * r.x, scale * r.y, scale * (r.x + r.width), scale * (r.y + r.height), r.x, r.y,
                        r.x + r.width, r.y + r.height, GL_COLOR_BUFFER_BIT, scale > 1 ? GL_LINEAR : GL_NEAREST);
}

// Draw into a part of a target alone.
static void restrict_to(const GtiCanvas* c, GtiRect part)
{
    c->gl->Enable(GL_SCISSOR_TEST);
    c->gl->Scissor(c->scale * part.x, c->scale * part.y, c->scale * part.width, c->scale * part.height);
}

// Draw the backdrop into a part of a frame, and clear its depth.
static void draw_backdrop(GtiCanvas* c, GLuint frame, GtiRect part)
{
    GtiGl* gl = c->gl;
    gl->BindFramebuffer(GL_FRAMEBUFFER, frame);
    gl->Viewport(0, 0, c->scale * c->width, c->scale * c->height);
    restrict_to(c, part);
    gl->DepthMask(GL_TRUE);
    gl->Disable(GL_CULL_FACE);
    gl->Disable(GL_BLEND);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_ALWAYS);
    gl->UseProgram(c->programs.copy.id);
    gl->Uniform1i(c->programs.copy.scale, c->scale);
    gl->ActiveTexture(GL_TEXTURE0 + GTI_UNIT_BASE);
    gl->BindTexture(GL_TEXTURE_2D, c->backdrop_texture);
    draw_triangle_over_all(c);
    gl->DepthFunc(GL_LEQUAL);
}

// Keep a backdrop that stays the same from picture to picture.
static void keep_backdrop(GtiCanvas* c)
{
    const GtiRect whole = { 0, 0, c->width, c->height };
    read_pixels(c, c->backdrop_frame, whole);
    put_pixels(c, whole, c->base);
    ready_target(c, &c->lasting);
    draw_backdrop(c, c->lasting.frame, whole);
    c->has_base = true;
}

// The backdrop everywhere that will be read, and nothing in front of it where something will be drawn.
static void begin_target(GtiCanvas* c, const GtiDrawTarget* target, GtiRect read, GtiRect changed)
{
    GtiGl* gl = c->gl;
    gl->Disable(GL_SCISSOR_TEST);
    if (c->fine && (read.width != changed.width || read.height != changed.height)) {
        blit(gl, c->backdrop_frame, 1, target->resolved, read);
    }
    if (c->has_base) {
        int32_t left = c->scale * changed.x;
        int32_t low = c->scale * changed.y;
        int32_t right = left + c->scale * changed.width;
        int32_t high = low + c->scale * changed.height;
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, c->lasting.frame);
        gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, target->frame);
        gl->BlitFramebuffer(left, low, right, high, left, low, right, high, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT,
                            GL_NEAREST);
    } else {
        draw_backdrop(c, target->frame, c->fine ? changed : read);
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->frame);
    gl->Viewport(0, 0, c->scale * c->width, c->scale * c->height);
    restrict_to(c, changed);
    gl->Disable(GL_CULL_FACE);
    gl->Disable(GL_DEPTH_TEST);
    gl->Disable(GL_BLEND);
}

static void draw_floor_shadow(GtiCanvas* c, GtiRect changed)
{
    GtiGl* gl = c->gl;
    const GtiPicture* picture = c->picture;
    const GtiShadowPlace* place = &picture->shadow;
    const GtiProgram* p = &c->programs.floor;
    gl->ActiveTexture(GL_TEXTURE0 + GTI_UNIT_BASE);
    gl->BindTexture(GL_TEXTURE_2D, c->floors[c->drawn % IN_FLIGHT]);
    gl->Enable(GL_BLEND);
    gl->UseProgram(p->id);
    gl->UniformMatrix4fv(p->clip_from_world, 1, GL_FALSE, c->clip_from_world.m);
    gl->Uniform4f(p->shadow_place, place->low_x, place->low_z, place->width_m, place->depth_m);
    gti_set_vec3(gl, p->center, picture->ground_center);
    gl->Uniform1f(p->radius, picture->ground_radius);
    GtiExtent dark = gti_extent_of_nothing();
    add_floor_shadow(c, &dark);
    restrict_to(c, rect_of(c, &dark));
    draw_square(c);
    restrict_to(c, changed);
}

static void use_program(GtiCanvas* c, const GtiProgram* p)
{
    GtiGl* gl = c->gl;
    gl->UseProgram(p->id);
    gl->UniformMatrix4fv(p->clip_from_world, 1, GL_FALSE, c->clip_from_world.m);
    const GtiShadowPlace* place = &c->picture->shadow;
    gl->Uniform1i(p->has_shadow, c->fine && c->picture->has_shadow);
    gl->Uniform4f(p->shadow_place, place->low_x, place->low_z, place->width_m, place->depth_m);
    gl->Uniform4f(p->shadow_fall, place->shear_x, place->shear_z, place->floor_y, place->lift_m);
    gti_set_vec3(gl, p->eye, c->picture->camera.eye);
    gti_set_vec3(gl, p->key, c->key);
    gti_set_vec3(gl, p->fill, c->fill);
    gti_set_vec3(gl, p->rim, c->rim);
}

// What pass a surface is drawn in: solid ones, then transparent ones, then overlays.
static int pass_of(const GtiSurface* s)
{
    bool is_overlay = s->look == GTI_LOOK_FLAT || s->look == GTI_LOOK_WIRE || s->look == GTI_LOOK_XRAY;
    return is_overlay ? 2 : s->blend || s->look == GTI_LOOK_GLASS ? 1 : 0;
}

static const GtiProgram* choose_program(const GtiCanvas* c, const GtiSurface* s, int pass)
{
    if (pass == 2) {
        return &c->programs.flat;
    }
    if (s->look == GTI_LOOK_PAINT) {
        return &c->programs.paint;
    }
    bool is_plain = s->mesh->has_normals && !s->texture && !(s->alpha_cutoff > 0.0f);
    const GtiProgram* dense = s->double_sided ? &c->programs.dense_both : &c->programs.dense;
    return is_plain && c->is_dense ? dense : &c->programs.surface;
}

static void draw_surface(GtiCanvas* c, const GtiSurface* s, int pass)
{
    GtiGl* gl = c->gl;
    const GtiProgram* p = choose_program(c, s, pass);
    use_program(c, p);
    (s->double_sided ? gl->Disable : gl->Enable)(GL_CULL_FACE);
    gl->FrontFace(s->mirrored ? GL_CW : GL_CCW);
    (s->look == GTI_LOOK_XRAY ? gl->Disable : gl->Enable)(GL_DEPTH_TEST);
    (pass > 0 ? gl->Enable : gl->Disable)(GL_BLEND);
    gl->DepthMask(pass == 0);
    gti_set_vec3(gl, p->offset, s->offset);
    gti_set_color(gl, p->base_color, s->base_color);
    gl->Uniform1f(p->alpha_cutoff, s->alpha_cutoff);
    gl->Uniform1f(p->least_alpha, pass == 0 ? 1.0f : 0.0f); // alpha of what does not blend has no effect
    gl->Uniform1i(p->has_texture, s->texture != 0 && s->mesh->has_texcoords);
    gl->Uniform1i(p->has_normals, s->mesh->has_normals);
    gl->Uniform1i(p->double_sided, s->double_sided);
    gl->ActiveTexture(GL_TEXTURE0 + GTI_UNIT_BASE);
    gl->BindTexture(GL_TEXTURE_2D, s->texture);
    if (s->look == GTI_LOOK_WIRE) { // edges a little towards the eye, so that their own triangles do not hide them
        gl->PolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        gl->Enable(GL_POLYGON_OFFSET_LINE);
        gl->PolygonOffset(-1.0f, -4.0f);
    }
    draw_mesh(gl, s);
    if (s->look == GTI_LOOK_WIRE) {
        gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        gl->Disable(GL_POLYGON_OFFSET_LINE);
    }
}

// Whether the triangles of figures are hardly larger than pixels. What a close-up leaves out of the picture counts too,
// since its triangles do.
static bool find_density(const GtiCanvas* c)
{
    const int32_t pixels_a_triangle = 8; // of the rectangle, of which a figure fills a third and shows one side
    const GtiPicture* picture = c->picture;
    const GtBounds* box = &picture->figures;
    int64_t triangles = 0;
    for (int32_t i = 0; i < picture->surface_count; ++i) {
        triangles += pass_of(&picture->surfaces[i]) < 2 ? picture->surfaces[i].mesh->index_count / 3 : 0;
    }
    GtiExtent e = gti_extent_of_nothing();
    for (int i = 0; i < 8; ++i) {
        GtVec3 corner = gt_vec3(i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
                                i & 4 ? box->high.z : box->low.z);
        gti_extent_grow(&e, &picture->camera, c->width, c->height, &corner, 1, gt_vec3(0.0f, 0.0f, 0.0f));
    }
    double area = ((double)e.right - (double)e.left + 5.0) * ((double)e.bottom - (double)e.top + 5.0);
    return !e.passes_eye && area < (double)triangles * pixels_a_triangle;
}

static void draw_surfaces(GtiCanvas* c)
{
    for (int pass = 0; pass < 3; ++pass) {
        for (int32_t i = 0; i < c->picture->surface_count; ++i) {
            const GtiSurface* s = &c->picture->surfaces[i];
            if (pass_of(s) == pass && s->mesh->index_count > 0 && !s->is_hidden) {
                draw_surface(c, s, pass);
            }
        }
    }
    c->gl->DepthMask(GL_TRUE);
}

void gti_canvas_load(GtiCanvas* c, const GtiShadow* shadow)
{
    GtiGl* gl = c->gl;
    gl->ActiveTexture(GL_TEXTURE0 + GTI_UNIT_BASE);
    gl->BindTexture(GL_TEXTURE_2D, c->floors[c->drawn % IN_FLIGHT]);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, c->floor_size, c->floor_size, GL_RG, GL_UNSIGNED_BYTE, shadow->floor);
    if (c->fine) {
        gl->BindTexture(GL_TEXTURE_2D, c->heights[c->drawn % IN_FLIGHT]);
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, GTI_SHADOW_FINE, GTI_SHADOW_FINE, GL_RED, GL_FLOAT, shadow->heights);
    }
}

void gti_canvas_draw(GtiCanvas* c, const GtiPicture* picture)
{
    GT_ASSERT(c->drawn - c->read < IN_FLIGHT);
    GtiGl* gl = c->gl;
    GtiDrawTarget* target = &c->targets[c->drawn % IN_FLIGHT];
    ready_target(c, target);
    const GtiRect whole = { 0, 0, c->width, c->height };
    c->picture = picture;
    GtiMat44 view = gti_view_from_world(&picture->camera);
    GtiMat44 clip = gti_clip_from_view(&picture->camera, (float)c->width / (float)c->height);
    c->clip_from_world = gti_mat44_mul(&clip, &view);
    place_lights(c);
    gl->Disable(GL_SCISSOR_TEST);
    gl->DepthFunc(GL_LEQUAL);
    gl->CullFace(GL_BACK);
    gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->Disable(GL_BLEND);
    bool is_new = renew_backdrop(c);
    if (!is_new && !c->has_base) {
        keep_backdrop(c);
    }
    GtiExtent drawn = picture->drawn;
    add_floor_shadow(c, &drawn);
    GtiRect changed = rect_of(c, &drawn);
    GtiRect read = is_new ? whole : changed;
    c->is_dense = find_density(c);
    begin_target(c, target, read, changed);
    if (picture->ground && picture->has_shadow) {
        draw_floor_shadow(c, changed);
    }
    gl->ActiveTexture(GL_TEXTURE0 + GTI_UNIT_SHADOW);
    gl->BindTexture(GL_TEXTURE_2D, c->heights[c->drawn % IN_FLIGHT]);
    draw_surfaces(c);
    gl->Disable(GL_SCISSOR_TEST);
    if (c->fine) {
        blit(gl, target->frame, c->scale, target->resolved, changed);
    }
    gl->Flush();
    c->changed[c->drawn % IN_FLIGHT] = read;
    ++c->drawn;
}

// From colours multiplied by their alpha, as they come of mixing, to colours as files have them.
static void straighten(uint8_t* rgba, size_t count)
{
    for (size_t i = 0; i < count; ++i, rgba += 4) {
        unsigned alpha = rgba[3];
        for (int k = 0; alpha > 0 && alpha < 255 && k < 3; ++k) {
            unsigned value = (rgba[k] * 255u + alpha / 2) / alpha;
            rgba[k] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}

GtResult gti_canvas_read(GtiCanvas* c, uint8_t* rgba, GtError* error)
{
    GT_ASSERT(c->read < c->drawn);
    GtiRect rect = c->changed[c->read % IN_FLIGHT];
    size_t count = (size_t)c->width * (size_t)c->height;
    read_pixels(c, c->targets[c->read % IN_FLIGHT].resolved, rect);
    ++c->read;
    if (rect.width != c->width || rect.height != c->height) {
        memcpy(rgba, c->base, count * 4);
    }
    put_pixels(c, rect, rgba);
    if (c->backdrop.top[3] < 1.0f || c->backdrop.bottom[3] < 1.0f) {
        straighten(rgba, count);
    }
    GLenum problem = c->gl->GetError();
    if (problem != GL_NO_ERROR) {
        return gti_fail(error, GT_ERROR_LIMIT, "the driver could not draw the picture (OpenGL error 0x%x)", problem);
    }
    return GT_OK;
}
