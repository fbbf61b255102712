// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/program.h"

#include "render/draw/shaders.h"

static GtResult make_program(GtiGl* gl, const char* name, const char* vertex, const char* fragment, GtiProgram* p,
                             GtError* error)
{
    GtResult result = gti_gl_program(gl, name, vertex, fragment, &p->id, error);
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
        { "least_alpha", &p->least_alpha },
        { "has_texture", &p->has_texture },
        { "has_normals", &p->has_normals },
        { "has_shadow", &p->has_shadow },
        { "shadow_place", &p->shadow_place },
        { "shadow_fall", &p->shadow_fall },
        { "center", &p->center },
        { "radius", &p->radius },
        { "grid_step", &p->grid_step },
        { "floor_color", &p->floor_color },
        { "line_color", &p->line_color },
        { "top", &p->top },
        { "bottom", &p->bottom },
        { "double_sided", &p->double_sided },
        { "scale", &p->scale },
    };
    for (size_t i = 0; i < sizeof uniforms / sizeof uniforms[0]; ++i) {
        *uniforms[i].at = gl->GetUniformLocation(p->id, uniforms[i].name);
    }
    gl->UseProgram(p->id);
    gl->Uniform1i(gl->GetUniformLocation(p->id, "base_texture"), GTI_UNIT_BASE);
    gl->Uniform1i(gl->GetUniformLocation(p->id, "shadow_map"), GTI_UNIT_SHADOW);
    return GT_OK;
}

GtResult gti_programs_create(GtiGl* gl, GtiPrograms* out, GtError* error)
{
    const struct {
        const char* name;
        const char* vertex;
        const char* fragment;
        GtiProgram* program;
    } programs[] = {
        { "surface", gti_surface_vertex, gti_surface_fragment, &out->surface },
        { "dense", gti_dense_vertex, gti_dense_fragment, &out->dense },
        { "dense_both", gti_dense_vertex, gti_dense_both_fragment, &out->dense_both },
        { "paint", gti_surface_vertex, gti_paint_fragment, &out->paint },
        { "flat", gti_surface_vertex, gti_flat_fragment, &out->flat },
        { "background", gti_screen_vertex, gti_background_fragment, &out->background },
        { "ground", gti_ground_vertex, gti_ground_fragment, &out->ground },
        { "floor", gti_floor_vertex, gti_floor_fragment, &out->floor },
        { "copy", gti_screen_vertex, gti_copy_fragment, &out->copy },
    };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0] && result == GT_OK; ++i) {
        result =
            make_program(gl, programs[i].name, programs[i].vertex, programs[i].fragment, programs[i].program, error);
    }
    return result;
}

void gti_set_vec3(GtiGl* gl, GLint at, GtVec3 v)
{
    gl->Uniform3f(at, v.x, v.y, v.z);
}

void gti_set_color(GtiGl* gl, GLint at, const float color[4])
{
    gl->Uniform4f(at, color[0], color[1], color[2], color[3]);
}
