// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/gl.h"

#include "base/fail.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// The functions of EGL that are used, as type and name without its "egl".
#define EGL_FUNCTIONS(X)                                                                                               \
    X(PFNEGLBINDAPIPROC, BindAPI)                                                                                      \
    X(PFNEGLCHOOSECONFIGPROC, ChooseConfig)                                                                            \
    X(PFNEGLCREATECONTEXTPROC, CreateContext)                                                                          \
    X(PFNEGLDESTROYCONTEXTPROC, DestroyContext)                                                                        \
    X(PFNEGLGETPROCADDRESSPROC, GetProcAddress)                                                                        \
    X(PFNEGLINITIALIZEPROC, Initialize)                                                                                \
    X(PFNEGLMAKECURRENTPROC, MakeCurrent)                                                                              \
    X(PFNEGLQUERYSTRINGPROC, QueryString)                                                                              \
    X(PFNEGLGETCURRENTCONTEXTPROC, GetCurrentContext)

typedef struct GtiEgl {
    void* library;
    EGLDisplay display;
    EGLContext context;
#define EGL_MEMBER(type, name) type name;
    EGL_FUNCTIONS(EGL_MEMBER)
#undef EGL_MEMBER
} GtiEgl;

#define HOW_TO_GET_IT "drawing needs EGL and an OpenGL 3.3 driver; on Debian: apt install libegl1 libgl1-mesa-dri"

typedef void (*AnyFunction)(void);

// A function from the library; data and function pointers differ in C, so the bits are copied.
static AnyFunction find_symbol(void* library, const char* name)
{
    void* symbol = dlsym(library, name);
    AnyFunction function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static GtResult open_library(GtiEgl* egl, GtError* error)
{
    egl->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!egl->library) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "libEGL.so.1 is not here; " HOW_TO_GET_IT);
    }
    bool complete = true;
#define EGL_FIND(type, name)                                                                                           \
    egl->name = (type)find_symbol(egl->library, "egl" #name);                                                          \
    complete = complete && egl->name;
    EGL_FUNCTIONS(EGL_FIND)
#undef EGL_FIND
    return complete ? GT_OK : gti_fail(error, GT_ERROR_UNSUPPORTED, "libEGL.so.1 is too old; " HOW_TO_GET_IT);
}

static GtResult open_display(GtiEgl* egl, GtError* error)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl->GetProcAddress("eglGetPlatformDisplayEXT");
    const char* extensions = egl->QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!get_platform_display || !extensions || !strstr(extensions, "EGL_MESA_platform_surfaceless")) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "EGL cannot work without a display here; " HOW_TO_GET_IT);
    }
    egl->display = get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (egl->display == EGL_NO_DISPLAY || !egl->Initialize(egl->display, NULL, NULL)) {
        egl->display = EGL_NO_DISPLAY;
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "no OpenGL driver was found; " HOW_TO_GET_IT);
    }
    return GT_OK;
}

static GtResult open_context(GtiEgl* egl, GtError* error)
{
    static const EGLint config_wanted[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                            EGL_NONE };
    static const EGLint context_wanted[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE
    };
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!egl->BindAPI(EGL_OPENGL_API) || !egl->ChooseConfig(egl->display, config_wanted, &config, 1, &count) ||
        count < 1) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "the driver draws no OpenGL; " HOW_TO_GET_IT);
    }
    egl->context = egl->CreateContext(egl->display, config, EGL_NO_CONTEXT, context_wanted);
    if (egl->context == EGL_NO_CONTEXT) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "the driver is older than OpenGL 3.3; " HOW_TO_GET_IT);
    }
    return GT_OK;
}

static void close_egl(GtiEgl* egl)
{
    if (egl->context != EGL_NO_CONTEXT) {
        if (egl->GetCurrentContext() == egl->context) {
            egl->MakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        }
        egl->DestroyContext(egl->display, egl->context);
    }
    // The display is one for the whole process, so others may still draw on it. The library stays loaded: Mesa's
    // threads and exit handlers do not survive dlclose().
}

// Drivers end the process when they run out of address space. Those that draw on the processor start a thread a core,
// and the C library gives each a heap that may reserve twice 64 MB.
static GtResult check_address_space(GtError* error)
{
    static const size_t driver_size = (size_t)640 << 20, thread_size = (size_t)128 << 20;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return GT_OK;
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t size = driver_size + thread_size * (size_t)(cores < 1 ? 1 : cores > 32 ? 32 : cores);
    void* reserved = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) {
        return gti_fail(
            error, GT_ERROR_OUT_OF_MEMORY,
            "drawing needs %zu MB of address space, and the limit of %zu MB leaves less; raise it (ulimit -v)",
            size >> 20, (size_t)limit.rlim_cur >> 20);
    }
    munmap(reserved, size);
    return GT_OK;
}

static GtResult open_all(GtiGl* gl, GtError* error)
{
    GtResult result = check_address_space(error);
    if (result == GT_OK) {
        result = open_library(gl->egl, error);
    }
    if (result == GT_OK) {
        result = open_display(gl->egl, error);
    }
    if (result == GT_OK) {
        result = open_context(gl->egl, error);
    }
    if (result == GT_OK) {
        result = gti_gl_make_current(gl, error);
    }
    if (result != GT_OK) {
        return result;
    }
    bool complete = true;
#define GL_FIND(type, name)                                                                                            \
    gl->name = (type)gl->egl->GetProcAddress("gl" #name);                                                              \
    complete = complete && gl->name;
    GTI_GL_FUNCTIONS(GL_FIND)
#undef GL_FIND
    if (!complete) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "the driver lacks functions of OpenGL 3.3; " HOW_TO_GET_IT);
    }
    snprintf(gl->renderer, sizeof gl->renderer, "%s", (const char*)gl->GetString(GL_RENDERER));
    return GT_OK;
}

GtResult gti_gl_create(GtAllocator allocator, GtiGl** out, GtError* error)
{
    *out = NULL;
    GtiGl* gl = allocator.allocate(allocator.user, sizeof *gl);
    GtiEgl* egl = gl ? allocator.allocate(allocator.user, sizeof *egl) : NULL;
    if (!egl) {
        allocator.release(allocator.user, gl);
        return gti_out_of_memory(error);
    }
    memset(gl, 0, sizeof *gl);
    memset(egl, 0, sizeof *egl);
    gl->egl = egl;
    GtResult result = open_all(gl, error);
    if (result != GT_OK) {
        gti_gl_destroy(allocator, gl);
        return result;
    }
    *out = gl;
    return GT_OK;
}

void gti_gl_destroy(GtAllocator allocator, GtiGl* gl)
{
    if (gl) {
        close_egl(gl->egl);
        allocator.release(allocator.user, gl->egl);
        allocator.release(allocator.user, gl);
    }
}

GtResult gti_gl_make_current(GtiGl* gl, GtError* error)
{
    if (gl->egl->GetCurrentContext() == gl->egl->context) {
        return GT_OK;
    }
    if (!gl->egl->MakeCurrent(gl->egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->egl->context)) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "the OpenGL context cannot be used on this thread");
    }
    return GT_OK;
}

static GtResult compile(GtiGl* gl, const char* name, GLenum kind, const char* body, GLuint* out, GtError* error)
{
    const char* parts[2] = { "#version 330 core\n", body };
    GLuint shader = gl->CreateShader(kind);
    gl->ShaderSource(shader, 2, parts, NULL);
    gl->CompileShader(shader);
    GLint ok = 0;
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        char log[400] = "";
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
        gl->DeleteShader(shader);
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "the driver does not compile shader '%s': %s", name, log);
    }
    *out = shader;
    return GT_OK;
}

GtResult gti_gl_program(GtiGl* gl, const char* name, const char* vertex, const char* fragment, GLuint* out,
                        GtError* error)
{
    GLuint shaders[2] = { 0, 0 };
    *out = 0;
    GtResult result = compile(gl, name, GL_VERTEX_SHADER, vertex, &shaders[0], error);
    if (result == GT_OK) {
        result = compile(gl, name, GL_FRAGMENT_SHADER, fragment, &shaders[1], error);
    }
    if (result == GT_OK) {
        GLuint program = gl->CreateProgram();
        gl->AttachShader(program, shaders[0]);
        gl->AttachShader(program, shaders[1]);
        gl->LinkProgram(program);
        GLint ok = 0;
        gl->GetProgramiv(program, GL_LINK_STATUS, &ok);
        if (ok) {
            *out = program;
        } else {
            char log[400] = "";
            gl->GetProgramInfoLog(program, sizeof log, NULL, log);
            gl->DeleteProgram(program);
            result = gti_fail(error, GT_ERROR_UNSUPPORTED, "the driver does not link shader '%s': %s", name, log);
        }
    }
    gl->DeleteShader(shaders[0]);
    gl->DeleteShader(shaders[1]);
    return result;
}
