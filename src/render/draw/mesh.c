// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertex buffers. What changes every frame is streamed into buffers of its own, so that the rest stays where it is.

#include "render/picture/canvas.h"

#include <string.h>

GtiMesh gti_mesh_create(GtiGl* gl)
{
    GtiMesh mesh;
    memset(&mesh, 0, sizeof mesh);
    gl->GenVertexArrays(1, &mesh.array);
    gl->GenBuffers(1, &mesh.positions);
    gl->GenBuffers(1, &mesh.normals);
    gl->GenBuffers(1, &mesh.colors);
    gl->GenBuffers(1, &mesh.texcoords);
    gl->GenBuffers(1, &mesh.light);
    gl->GenBuffers(1, &mesh.indices);
    return mesh;
}

void gti_mesh_destroy(GtiGl* gl, GtiMesh* mesh)
{
    const GLuint buffers[] = {
        mesh->positions, mesh->normals, mesh->colors, mesh->texcoords, mesh->light, mesh->indices
    };
    gl->DeleteBuffers(sizeof buffers / sizeof buffers[0], buffers);
    gl->DeleteVertexArrays(1, &mesh->array);
    memset(mesh, 0, sizeof *mesh);
}

static void fill(GtiGl* gl, GLuint buffer, GLuint location, GLint components, GLenum type, const void* data,
                 size_t size, GLenum usage)
{
    gl->BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, usage);
    gl->EnableVertexAttribArray(location);
    gl->VertexAttribPointer(location, components, type, type == GL_UNSIGNED_BYTE, 0, NULL);
}

void gti_mesh_upload(GtiGl* gl, GtiMesh* mesh, const GtiMeshData* data)
{
    size_t count = (size_t)data->vertex_count;
    mesh->vertex_count = data->vertex_count;
    mesh->index_count = data->index_count;
    mesh->has_normals = data->normals != NULL;
    mesh->has_colors = data->colors != NULL;
    mesh->has_texcoords = data->texcoords != NULL;
    gl->BindVertexArray(mesh->array);
    fill(gl, mesh->positions, 0, 3, GL_FLOAT, data->positions, count * sizeof(GtVec3), GL_STREAM_DRAW);
    if (data->normals) {
        fill(gl, mesh->normals, 1, 3, GL_FLOAT, data->normals, count * sizeof(GtVec3), GL_STREAM_DRAW);
    }
    if (data->colors) {
        fill(gl, mesh->colors, 2, 4, GL_UNSIGNED_BYTE, data->colors, count * 4, GL_STATIC_DRAW);
    }
    if (data->texcoords) {
        fill(gl, mesh->texcoords, 3, 2, GL_FLOAT, data->texcoords, count * 2 * sizeof(float), GL_STATIC_DRAW);
    }
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->indices);
    gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)data->index_count * sizeof(uint32_t)), data->indices,
                   GL_STATIC_DRAW);
}

static void replace(GtiGl* gl, GLuint buffer, size_t size, const void* data)
{
    gl->BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STREAM_DRAW);
}

void gti_mesh_move(GtiGl* gl, GtiMesh* mesh, const GtVec3* positions, const GtVec3* normals, const uint8_t* light)
{
    size_t count = (size_t)mesh->vertex_count;
    replace(gl, mesh->positions, count * sizeof *positions, positions);
    if (mesh->has_normals && normals) {
        replace(gl, mesh->normals, count * sizeof *normals, normals);
    }
    if (light) {
        gl->BindVertexArray(mesh->array);
        fill(gl, mesh->light, 4, 2, GL_UNSIGNED_BYTE, light, 2 * count, GL_STREAM_DRAW);
        mesh->has_light = true;
    }
}

void gti_mesh_tint(GtiGl* gl, GtiMesh* mesh, const uint8_t* colors)
{
    replace(gl, mesh->colors, (size_t)mesh->vertex_count * 4, colors);
}

void gti_mesh_paint(GtiGl* gl, GtiMesh* mesh, const float* texcoords)
{
    gl->BindVertexArray(mesh->array);
    fill(gl, mesh->texcoords, 3, 2, GL_FLOAT, texcoords, (size_t)mesh->vertex_count * 2 * sizeof *texcoords,
         GL_STREAM_DRAW);
    mesh->has_texcoords = true;
}
