// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The canvas turns lists of surfaces, seen by a camera, into pixels. It knows OpenGL and light, and nothing of
// characters. One thread at a time.

#ifndef GERTIE_RENDER_PICTURE_CANVAS_H
#define GERTIE_RENDER_PICTURE_CANVAS_H

#include "render/draw/camera.h"
#include "render/draw/gl.h"
#include "render/draw/shadow.h"

typedef struct GtiCanvas GtiCanvas;

// Triangles on the graphics card. Positions and normals change from frame to frame, the rest does not.
typedef struct GtiMesh {
    GLuint array;
    GLuint positions, normals, colors, texcoords, light, indices;
    int32_t vertex_count;
    int32_t index_count;
    bool has_normals, has_colors, has_texcoords, has_light;
} GtiMesh;

// How a surface is drawn.
typedef enum GtiCanvasLook {
    GTI_LOOK_LIT,   // light and shadow
    GTI_LOOK_PAINT, // the texture's colours stand for numbers
    GTI_LOOK_FLAT,  // the colour as it is
    GTI_LOOK_WIRE,  // likewise, only the edges of the triangles
    GTI_LOOK_XRAY,  // likewise, in front of everything
    GTI_LOOK_GLASS, // light, half transparent, without a shadow of its own
} GtiCanvasLook;

typedef struct GtiSurface {
    const GtiMesh* mesh;
    GtiCanvasLook look;
    GLuint texture;      // or 0
    const float* color;  // [4] that base_color follows from pose to pose, or NULL
    float base_color[4]; // linear; multiplied with vertex colours and texture
    float alpha_cutoff;  // pixels below it are left out
    bool blend;
    bool double_sided;
    bool mirrored;                    // which turns its triangles inside out
    bool is_hidden;                   // in this picture
    GtVec3 offset;                    // moves the surface on the stage
    int32_t first_index, index_count; // part of the mesh that is drawn; all of it where the count is 0
} GtiSurface;

// Everything that is in one picture.
typedef struct GtiPicture {
    GtCameraView camera;
    const GtiSurface* surfaces;
    int32_t surface_count;
    GtBounds figures; // box around what casts shadows
    GtiExtent drawn;  // what everything covers, without its shadow
    bool ground;
    GtVec3 ground_center;
    float ground_radius; // where it has faded
    float grid_step;     // metres between lines
    bool has_shadow;     // gti_canvas_load() was given it
    GtiShadowPlace shadow;
    float top[4]; // background, sRGB
    float bottom[4];
} GtiPicture;

GtResult gti_canvas_create(const GtContext* context, const GtRendererDef* def, GtiCanvas** out, GtError* error);
void gti_canvas_destroy(GtiCanvas* canvas);
GtiGl* gti_canvas_gl(GtiCanvas* canvas);

// Towards the light that casts shadows, when a camera looks.
GtVec3 gti_key_light(const GtCameraView* camera);

// Give the canvas the shadow of the next picture.
void gti_canvas_load(GtiCanvas* canvas, const GtiShadow* shadow);

// Start drawing a picture; it is finished by gti_canvas_read(). Up to two pictures may be under way.
void gti_canvas_draw(GtiCanvas* canvas, const GtiPicture* picture);

// Wait for the oldest picture under way and copy it: rows from the top, [width * height * 4] sRGB, alpha straight.
GtResult gti_canvas_read(GtiCanvas* canvas, uint8_t* rgba, GtError* error);

// Vertices and triangles of a mesh; NULL where there are none. Buffers grow as needed and are reused.
typedef struct GtiMeshData {
    int32_t vertex_count;
    int32_t index_count;
    const GtVec3* positions;
    const GtVec3* normals;
    const uint8_t* colors;  // [vertex_count * 4] linear
    const float* texcoords; // [vertex_count * 2]
    const uint32_t* indices;
} GtiMeshData;

GtiMesh gti_mesh_create(GtiGl* gl);
void gti_mesh_destroy(GtiGl* gl, GtiMesh* mesh);
void gti_mesh_upload(GtiGl* gl, GtiMesh* mesh, const GtiMeshData* data);
// New positions and normals of the same vertices, and what light they get: each two bytes, of the sky and of the key
// light. The latter two may be NULL.
void gti_mesh_move(GtiGl* gl, GtiMesh* mesh, const GtVec3* positions, const GtVec3* normals, const uint8_t* light);
// New colours, of a mesh that has some.
void gti_mesh_tint(GtiGl* gl, GtiMesh* mesh, const uint8_t* colors);
// New texture coordinates.
void gti_mesh_paint(GtiGl* gl, GtiMesh* mesh, const float* texcoords);

#endif
