// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/shaders.h"

const char gti_surface_vertex[] = "layout(location = 0) in vec3 position;\n"
                                  "layout(location = 1) in vec3 normal;\n"
                                  "layout(location = 2) in vec4 color;\n"
                                  "layout(location = 3) in vec2 texcoord;\n"
                                  "layout(location = 4) in vec2 light;\n"
                                  "uniform mat4 clip_from_world;\n"
                                  "uniform vec3 offset;\n"
                                  "out vec3 world;\n"
                                  "out vec3 shading_normal;\n"
                                  "out vec4 tint;\n"
                                  "out vec2 uv;\n"
                                  "out float sky;\n"
                                  "void main() {\n"
                                  "    world = position + offset;\n"
                                  "    shading_normal = normal;\n"
                                  "    tint = color;\n"
                                  "    uv = texcoord;\n"
                                  "    sky = light.x;\n"
                                  "    gl_Position = clip_from_world * vec4(world, 1.0);\n"
                                  "}\n";

// Lights come from the camera's side of the scene, so that a figure is well lit from every view: `key` is up to its
// left, `rim` behind it.
// clang-format off
#define LIGHT \
    "uniform vec3 eye;\n" \
    "uniform vec3 key;\n" \
    "uniform vec3 fill;\n" \
    "uniform vec3 rim;\n" \
    "uniform vec4 base_color;\n" \
    "vec3 shaded(vec3 albedo, vec3 n, vec3 v, float sky, float sun) {\n" \
    "    float facing = dot(n, key);\n" \
    "    sky = 0.3 + 0.7 * sky;\n" \
    "    vec3 light = vec3(1.30, 1.235, 1.144) * max(0.0, (facing + 0.12) / 1.12) * mix(0.12, 1.0, sun);\n" \
    "    light += vec3(0.62, 0.72, 0.88) * 0.30 * (0.5 + 0.5 * dot(n, fill)) * sky;\n" \
    "    light += mix(vec3(0.30, 0.27, 0.25), vec3(0.52, 0.56, 0.62), 0.5 + 0.5 * n.y) * 0.50 * sky;\n" \
    "    float edge = 1.0 - max(0.0, dot(n, v));\n" \
    "    vec3 color = albedo * light;\n" \
    "    color += vec3(0.95, 0.97, 1.0) * 0.40 * edge * edge * edge * max(0.0, 0.25 + dot(n, rim)) * sky;\n" \
    "    float gloss = pow(max(0.0, dot(n, normalize(key + v))), 28.0);\n" \
    "    color += vec3(0.10) * gloss * max(0.0, facing);\n" \
    "    color = color / (1.0 + 0.18 * color);\n" \
    "    return pow(clamp(color, 0.0, 1.0), vec3(1.0 / 2.2));\n" \
    "}\n"

const char gti_surface_fragment[] = LIGHT
    "in vec3 world;\n"
    "in vec3 shading_normal;\n"
    "in vec4 tint;\n"
    "in vec2 uv;\n"
    "in float sky;\n"
    "uniform float alpha_cutoff;\n"
    "uniform float least_alpha;\n"
    "uniform int has_texture;\n"
    "uniform int has_normals;\n"
    "uniform sampler2D base_texture;\n"
    "uniform int has_shadow;\n"
    "uniform sampler2D shadow_map;\n"
    "uniform vec4 shadow_place;\n"
    "uniform vec4 shadow_fall;\n"
    "out vec4 result;\n"
    "float height_at(ivec2 at) { return texelFetch(shadow_map, at, 0).r; }\n"
    "float light_at(vec2 at, vec2 size, float height) {\n"
    "    vec2 part = fract(at);\n"
    "    ivec2 i = clamp(ivec2(floor(at)), ivec2(0), ivec2(size) - 2);\n"
    "    vec4 over = vec4(height_at(i), height_at(i + ivec2(1, 0)), height_at(i + ivec2(0, 1)), height_at(i + 1));\n"
    "    vec4 lit = vec4(lessThanEqual(over, vec4(height)));\n"
    "    return mix(mix(lit.x, lit.y, part.x), mix(lit.z, lit.w, part.x), part.y);\n"
    "}\n"
    "float sun(vec3 n) {\n"
    "    if (has_shadow == 0) return 1.0;\n"
    "    vec3 p = world + n * shadow_fall.w;\n"
    "    float height = p.y - shadow_fall.z;\n"
    "    vec2 size = vec2(textureSize(shadow_map, 0));\n"
    "    vec2 at = (p.xz - shadow_fall.xy * height - shadow_place.xy) / shadow_place.zw * size - 0.5;\n"
    "    height += 0.5 * shadow_fall.w / max(dot(n, key), 0.2);\n"
    "    return 0.25 * (light_at(at + vec2(0.8, 0.3), size, height) + light_at(at - vec2(0.8, 0.3), size, height) +\n"
    "                   light_at(at + vec2(-0.3, 0.8), size, height) + light_at(at + vec2(0.3, -0.8), size, height));\n"
    "}\n"
    "void main() {\n"
    "    vec4 albedo = base_color * tint;\n"
    "    if (has_texture != 0) albedo *= texture(base_texture, uv);\n"
    "    if (albedo.a < alpha_cutoff) discard;\n"
    "    vec3 n = has_normals != 0 ? normalize(shading_normal)\n"
    "                              : normalize(cross(normalize(dFdx(world)), normalize(dFdy(world))));\n"
    "    vec3 v = normalize(eye - world);\n"
    "    if (dot(n, v) < 0.0 && !gl_FrontFacing) n = -n;\n"
    "    float lit = dot(n, key) > -0.12 ? sun(n) : 0.0;\n" // where the light does not reach anyway, shadows are not asked
    "    result = vec4(shaded(albedo.rgb, n, v, sky, lit), max(albedo.a, least_alpha));\n"
    "}\n";

// Where triangles are hardly larger than pixels, light at their corners is as good as light at each pixel. Which side of
// a triangle is seen is known only when it is drawn: at the outline of a smooth surface, normals of triangles that face
// the eye already point away from it, so that a normal alone does not tell.
const char gti_dense_vertex[] = LIGHT
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec4 color;\n"
    "layout(location = 4) in vec2 light;\n"
    "uniform mat4 clip_from_world;\n"
    "uniform vec3 offset;\n"
    "uniform int double_sided;\n"
    "uniform float least_alpha;\n"
    "out vec4 shade;\n"
    "out vec4 inner_shade;\n"
    "out float facing;\n"
    "void main() {\n"
    "    vec3 world = position + offset;\n"
    "    vec4 albedo = base_color * color;\n"
    "    vec3 v = normalize(eye - world);\n"
    "    shade = vec4(shaded(albedo.rgb, normal, v, light.x, light.y), max(albedo.a, least_alpha));\n"
    "    inner_shade = shade;\n"
    "    if (double_sided != 0) inner_shade.rgb = shaded(albedo.rgb, -normal, v, light.x, light.y);\n"
    "    facing = dot(normal, v);\n"
    "    gl_Position = clip_from_world * vec4(world, 1.0);\n"
    "}\n";
// clang-format on

const char gti_dense_fragment[] = "in vec4 shade;\n"
                                  "out vec4 result;\n"
                                  "void main() { result = shade; }\n";

const char gti_dense_both_fragment[] =
    "in vec4 shade;\n"
    "in vec4 inner_shade;\n"
    "in float facing;\n"
    "out vec4 result;\n"
    "void main() { result = facing < 0.0 && !gl_FrontFacing ? inner_shade : shade; }\n";

// Colours that stand for numbers: as the legend has them wherever the surface faces the eye, a little darker towards
// its edges, so that its shape is seen.
const char gti_paint_fragment[] =
    "in vec3 world;\n"
    "in vec3 shading_normal;\n"
    "in vec2 uv;\n"
    "uniform vec3 eye;\n"
    "uniform vec4 base_color;\n"
    "uniform int has_normals;\n"
    "uniform sampler2D base_texture;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    vec3 n = has_normals != 0 ? normalize(shading_normal)\n"
    "                              : normalize(cross(normalize(dFdx(world)), normalize(dFdy(world))));\n"
    "    float facing = abs(dot(n, normalize(eye - world)));\n"
    "    float shade = mix(0.6, 1.0, smoothstep(0.0, 0.75, facing));\n"
    "    result = vec4(texture(base_texture, uv).rgb * shade, base_color.a);\n"
    "}\n";

const char gti_flat_fragment[] = "in vec4 tint;\n"
                                 "uniform vec4 base_color;\n"
                                 "out vec4 result;\n"
                                 "void main() { result = base_color * tint; }\n";

const char gti_screen_vertex[] = "out vec2 screen;\n"
                                 "void main() {\n"
                                 "    screen = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);\n"
                                 "    gl_Position = vec4(screen * 2.0 - 1.0, 1.0, 1.0);\n"
                                 "}\n";

const char gti_background_fragment[] = "in vec2 screen;\n"
                                       "uniform vec4 top;\n"
                                       "uniform vec4 bottom;\n"
                                       "out vec4 result;\n"
                                       "void main() { result = mix(bottom, top, smoothstep(0.0, 1.0, screen.y)); }\n";

const char gti_ground_vertex[] = "uniform mat4 clip_from_world;\n"
                                 "uniform vec3 center;\n"
                                 "uniform float radius;\n"
                                 "out vec3 world;\n"
                                 "void main() {\n"
                                 "    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
                                 "    world = center + vec3(corner.x, 0.0, -corner.y) * radius;\n"
                                 "    gl_Position = clip_from_world * vec4(world, 1.0);\n"
                                 "}\n";

// Lines of one step, every tenth stronger, as thin as a pixel however far away, fading out towards the rim.
const char gti_ground_fragment[] =
    "in vec3 world;\n"
    "uniform vec3 center;\n"
    "uniform float radius;\n"
    "uniform float grid_step;\n"
    "uniform vec4 floor_color;\n"
    "uniform vec4 line_color;\n"
    "out vec4 result;\n"
    "float grid(vec2 p) {\n"
    "    vec2 width = fwidth(p);\n"
    "    vec2 d = abs(fract(p - 0.5) - 0.5) / max(width, vec2(1e-6));\n"
    "    vec2 ink = (1.0 - clamp(d - 0.25, 0.0, 1.0)) * clamp(1.2 - width * 3.0, 0.0, 1.0);\n"
    "    return max(ink.x, ink.y);\n"
    "}\n"
    "void main() {\n"
    "    vec2 p = world.xz / grid_step;\n"
    "    float fade = 1.0 - smoothstep(0.25, 1.0, length(world.xz - center.xz) / radius);\n"
    "    vec4 color = mix(floor_color, line_color, 0.5 * grid(p) + 0.5 * grid(p * 0.1));\n"
    "    result = vec4(color.rgb, color.a * fade);\n"
    "}\n";

// The part of the floor that shadows fall on; `shadow_place` is its corner, its width and its depth.
const char gti_floor_vertex[] = "uniform mat4 clip_from_world;\n"
                                "uniform vec4 shadow_place;\n"
                                "uniform vec3 center;\n"
                                "out vec3 world;\n"
                                "out vec2 uv;\n"
                                "void main() {\n"
                                "    uv = vec2(gl_VertexID & 1, 1 - (gl_VertexID >> 1));\n"
                                "    vec2 at = shadow_place.xy + uv * shadow_place.zw;\n"
                                "    world = vec3(at.x, center.y, at.y);\n"
                                "    gl_Position = clip_from_world * vec4(world, 1.0);\n"
                                "}\n";

const char gti_floor_fragment[] =
    "in vec3 world;\n"
    "in vec2 uv;\n"
    "uniform vec3 center;\n"
    "uniform float radius;\n"
    "uniform sampler2D base_texture;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    vec2 dark = texture(base_texture, uv).rg;\n"
    "    float fade = 1.0 - smoothstep(0.25, 1.0, length(world.xz - center.xz) / radius);\n"
    "    float light = (1.0 - 0.36 * dark.r) * (1.0 - 0.45 * dark.g);\n"
    "    result = vec4(0.02, 0.02, 0.04, (1.0 - light) * fade);\n"
    "}\n";

const char gti_copy_fragment[] =
    "uniform sampler2D base_texture;\n"
    "uniform int scale;\n"
    "out vec4 result;\n"
    "void main() { result = texelFetch(base_texture, ivec2(gl_FragCoord.xy) / scale, 0); }\n";
