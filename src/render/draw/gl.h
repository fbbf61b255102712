// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OpenGL 3.3 without a display: EGL on Mesa's surfaceless platform, on the machine's processor (llvmpipe) where there
// is no graphics card. The libraries are opened at run time, so that programs that never draw do not need them.

#ifndef GERTIE_RENDER_DRAW_GL_H
#define GERTIE_RENDER_DRAW_GL_H

#include "gertie/context.h"

#include <GL/glcorearb.h>

// Every function of OpenGL that is used, as type and name without its "gl".
#define GTI_GL_FUNCTIONS(X)                                                                                            \
    X(PFNGLACTIVETEXTUREPROC, ActiveTexture)                                                                           \
    X(PFNGLATTACHSHADERPROC, AttachShader)                                                                             \
    X(PFNGLBINDBUFFERPROC, BindBuffer)                                                                                 \
    X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                                                                       \
    X(PFNGLBINDRENDERBUFFERPROC, BindRenderbuffer)                                                                     \
    X(PFNGLBINDTEXTUREPROC, BindTexture)                                                                               \
    X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                                                                       \
    X(PFNGLBLENDFUNCPROC, BlendFunc)                                                                                   \
    X(PFNGLBLENDFUNCSEPARATEPROC, BlendFuncSeparate)                                                                   \
    X(PFNGLBLITFRAMEBUFFERPROC, BlitFramebuffer)                                                                       \
    X(PFNGLBUFFERDATAPROC, BufferData)                                                                                 \
    X(PFNGLBUFFERSUBDATAPROC, BufferSubData)                                                                           \
    X(PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus)                                                         \
    X(PFNGLCLEARPROC, Clear)                                                                                           \
    X(PFNGLCLEARCOLORPROC, ClearColor)                                                                                 \
    X(PFNGLCOLORMASKPROC, ColorMask)                                                                                   \
    X(PFNGLCOMPILESHADERPROC, CompileShader)                                                                           \
    X(PFNGLCREATEPROGRAMPROC, CreateProgram)                                                                           \
    X(PFNGLCREATESHADERPROC, CreateShader)                                                                             \
    X(PFNGLCULLFACEPROC, CullFace)                                                                                     \
    X(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                                                                           \
    X(PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers)                                                                 \
    X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                                                           \
    X(PFNGLDELETERENDERBUFFERSPROC, DeleteRenderbuffers)                                                               \
    X(PFNGLDELETESHADERPROC, DeleteShader)                                                                             \
    X(PFNGLDELETETEXTURESPROC, DeleteTextures)                                                                         \
    X(PFNGLDELETEVERTEXARRAYSPROC, DeleteVertexArrays)                                                                 \
    X(PFNGLDEPTHFUNCPROC, DepthFunc)                                                                                   \
    X(PFNGLDEPTHMASKPROC, DepthMask)                                                                                   \
    X(PFNGLDISABLEPROC, Disable)                                                                                       \
    X(PFNGLDRAWARRAYSPROC, DrawArrays)                                                                                 \
    X(PFNGLDRAWBUFFERPROC, DrawBuffer)                                                                                 \
    X(PFNGLDRAWELEMENTSPROC, DrawElements)                                                                             \
    X(PFNGLENABLEPROC, Enable)                                                                                         \
    X(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray)                                                       \
    X(PFNGLFLUSHPROC, Flush)                                                                                           \
    X(PFNGLFRAMEBUFFERRENDERBUFFERPROC, FramebufferRenderbuffer)                                                       \
    X(PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D)                                                             \
    X(PFNGLFRONTFACEPROC, FrontFace)                                                                                   \
    X(PFNGLGENBUFFERSPROC, GenBuffers)                                                                                 \
    X(PFNGLGENERATEMIPMAPPROC, GenerateMipmap)                                                                         \
    X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                                                                       \
    X(PFNGLGENRENDERBUFFERSPROC, GenRenderbuffers)                                                                     \
    X(PFNGLGENTEXTURESPROC, GenTextures)                                                                               \
    X(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays)                                                                       \
    X(PFNGLGETERRORPROC, GetError)                                                                                     \
    X(PFNGLGETINTEGERVPROC, GetIntegerv)                                                                               \
    X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                                                                   \
    X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                                                             \
    X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                                                                     \
    X(PFNGLGETSHADERIVPROC, GetShaderiv)                                                                               \
    X(PFNGLGETSTRINGPROC, GetString)                                                                                   \
    X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation)                                                                 \
    X(PFNGLLINKPROGRAMPROC, LinkProgram)                                                                               \
    X(PFNGLMAPBUFFERRANGEPROC, MapBufferRange)                                                                         \
    X(PFNGLPIXELSTOREIPROC, PixelStorei)                                                                               \
    X(PFNGLPOLYGONMODEPROC, PolygonMode)                                                                               \
    X(PFNGLPOLYGONOFFSETPROC, PolygonOffset)                                                                           \
    X(PFNGLREADBUFFERPROC, ReadBuffer)                                                                                 \
    X(PFNGLREADPIXELSPROC, ReadPixels)                                                                                 \
    X(PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC, RenderbufferStorageMultisample)                                         \
    X(PFNGLSCISSORPROC, Scissor)                                                                                       \
    X(PFNGLSHADERSOURCEPROC, ShaderSource)                                                                             \
    X(PFNGLSTENCILFUNCPROC, StencilFunc)                                                                               \
    X(PFNGLSTENCILOPPROC, StencilOp)                                                                                   \
    X(PFNGLTEXIMAGE2DPROC, TexImage2D)                                                                                 \
    X(PFNGLTEXPARAMETERIPROC, TexParameteri)                                                                           \
    X(PFNGLTEXSUBIMAGE2DPROC, TexSubImage2D)                                                                           \
    X(PFNGLUNIFORM1FPROC, Uniform1f)                                                                                   \
    X(PFNGLUNIFORM1IPROC, Uniform1i)                                                                                   \
    X(PFNGLUNIFORM2FPROC, Uniform2f)                                                                                   \
    X(PFNGLUNIFORM3FPROC, Uniform3f)                                                                                   \
    X(PFNGLUNIFORM4FPROC, Uniform4f)                                                                                   \
    X(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv)                                                                     \
    X(PFNGLUNMAPBUFFERPROC, UnmapBuffer)                                                                               \
    X(PFNGLUSEPROGRAMPROC, UseProgram)                                                                                 \
    X(PFNGLVERTEXATTRIB4FPROC, VertexAttrib4f)                                                                         \
    X(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer)                                                               \
    X(PFNGLVIEWPORTPROC, Viewport)

// A context and its functions: gl->BindBuffer(...). One thread at a time.
typedef struct GtiGl {
#define GTI_GL_MEMBER(type, name) type name;
    GTI_GL_FUNCTIONS(GTI_GL_MEMBER)
#undef GTI_GL_MEMBER
    char renderer[128]; // what draws: "llvmpipe (LLVM 15.0.6, 256 bits)"
    struct GtiEgl* egl; // private
} GtiGl;

// Open a context and make it current on this thread. The error says what is missing and how to get it.
GtResult gti_gl_create(GtAllocator allocator, GtiGl** out, GtError* error);
void gti_gl_destroy(GtAllocator allocator, GtiGl* gl);

// Make the context current on the calling thread, where another one was used before.
GtResult gti_gl_make_current(GtiGl* gl, GtError* error);

// Compile and link a program from the bodies of its shaders, to which the version line is added.
GtResult gti_gl_program(GtiGl* gl, const char* name, const char* vertex, const char* fragment, GLuint* out,
                        GtError* error);

#endif
