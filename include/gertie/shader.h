// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: deforming on a graphics processor.
///
/// Deforming on a graphics processor: the twin of gt_deform() for vertex shaders of OpenGL ES 3.0, WebGL 2 and OpenGL
/// 3.3, with what it reads laid out as textures. Nothing here needs or calls OpenGL.
///
/// The mesh is uploaded as it was modelled. A frame then writes gt_pose_texels() of every instance, one after the
/// other, into one texture, and the shader says
///
///     #version 300 es
///     precision highp float;
///     ... the text of gt_shader_source() ...
///     GertieVertex v = gertieDeform(first, gl_VertexID, GertieVertex(position, normal, tangent), joints, weights);
///
/// Both textures are RGBA32F without mipmaps, GT_TEXTURE_WIDTH texels wide: texel i is in column i % width of row
/// i / width. Vertices come out as those of gt_deform(), within a few units in the last place, but for sections
/// (gertie/section.h), of which the shader knows nothing. Texture coordinates and colours are a
/// function of their own, for meshes of which gt_morph_looks() says that shapes change them.
///
/// **Threads.** One thread at a time works with what a call changes; characters, clips and all else that is const may
/// be shared.

#ifndef GERTIE_SHADER_H
#define GERTIE_SHADER_H

#include "gertie/instance.h"

GT_EXTERN_C_BEGIN

enum {
    GT_TEXTURE_WIDTH = 2048, ///< what every device of OpenGL ES 3.0 has
};

/// GLSL without a version line. It declares
///
///     uniform highp sampler2D gertiePose, gertieMorphs;
///     struct GertieVertex { vec3 position; vec3 normal; vec4 tangent; };
///     GertieVertex gertieDeform(int first, int vertex, GertieVertex v, uvec4 joints[GERTIE_SETS], vec4 weights[...]);
///     struct GertieLooks { vec4 texcoords; vec4 color; }; // the first set in xy, the second in zw
///     GertieLooks gertieMorphLooks(int first, int vertex, GertieLooks looks);
///
/// where `first` is the texel where the pose of the instance begins, `vertex` the number of the vertex in its mesh, and
/// GERTIE_SETS the number of influences of a vertex over 4, rounded up: 1 unless defined before. Influences beyond
/// those of the mesh have a weight of 0. A mesh without a skin reads no influences, one without morphs no gertieMorphs.
GT_API const char* gt_shader_source(void);

/// True where the shader does all that the mesh's deformers do.
GT_API bool gt_shader_can_deform(const GtCharacter* character, int32_t mesh);

/// Texels of one instance's pose of a mesh.
GT_API int32_t gt_pose_texel_count(const GtCharacter* character, int32_t mesh);

/// Write them, as of the last gt_instance_update(). The mesh is one that the shader can deform.
/// @param out  [gt_pose_texel_count()]
GT_API void gt_pose_texels(const GtInstance* instance, int32_t mesh, float (*out)[4]);

/// Texels of the shapes of a mesh; 0 where it has none.
GT_API int64_t gt_morph_texel_count(const GtCharacter* character, int32_t mesh);

/// Write them, once for all instances.
/// @param out  [gt_morph_texel_count()]
GT_API void gt_morph_texels(const GtCharacter* character, int32_t mesh, float (*out)[4]);

GT_EXTERN_C_END

#endif
