// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/target.h"

GLuint gti_texture_create_empty(GtiGl* gl, GLint format, GLenum layout, GLenum type, int32_t width, int32_t height,
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

static void attach_buffer(GtiGl* gl, GLenum place, GLenum format, int32_t width, int32_t height, int32_t samples)
{
    GLuint buffer = 0;
    gl->GenRenderbuffers(1, &buffer);
    gl->BindRenderbuffer(GL_RENDERBUFFER, buffer);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
}

static GLuint make_frame(GtiGl* gl)
{
    GLuint frame = 0;
    gl->GenFramebuffers(1, &frame);
    gl->BindFramebuffer(GL_FRAMEBUFFER, frame);
    return frame;
}

GtiDrawTarget gti_target_create(GtiGl* gl, int32_t width, int32_t height, int32_t scale, int32_t samples)
{
    GtiDrawTarget target = { .frame = make_frame(gl) };
    attach_buffer(gl, GL_COLOR_ATTACHMENT0, GL_RGBA8, width * scale, height * scale, samples);
    attach_buffer(gl, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, width * scale, height * scale, samples);
    target.resolved = target.frame;
    if (samples > 1 || scale > 1) {
        target.resolved = make_frame(gl);
        attach_buffer(gl, GL_COLOR_ATTACHMENT0, GL_RGBA8, width, height, 0);
    }
    return target;
}

void gti_target_texture(GtiGl* gl, int32_t width, int32_t height, GLuint* frame, GLuint* texture)
{
    *texture = gti_texture_create_empty(gl, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height, GL_NEAREST);
    *frame = make_frame(gl);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
}

bool gti_target_is_complete(GtiGl* gl, const GtiDrawTarget* target)
{
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->frame);
    bool is_complete = gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->resolved);
    return is_complete && gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}
