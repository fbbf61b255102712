// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// shader CHARACTER.gtp > page.html
//
// A page that plays a packed character's first clip on the graphics processor, by WebGL 2: the mesh and its shapes are
// uploaded once as they were modelled, each frame is some hundred texels, and the vertex shader is gt_shader_source().
// A game does the same with OpenGL ES 3.0 or OpenGL 3.3 instead of a page. Links libgertie-runtime alone.

#include <gertie/runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_A_SECOND = 30,
    MAX_FRAMES = 300
};

static const char page_head[] =
    "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Gertie in a vertex shader</title>\n"
    "<style>body{margin:0;background:#dde}canvas{width:100vw;height:100vh;display:block}</style>\n"
    "<canvas></canvas>\n";

// The vertex shader of the page, around the text of gt_shader_source(). Attributes of influences are declared between.
static const char vertex_head[] = "#version 300 es\nprecision highp float;\n";
static const char vertex_tail[] =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 texcoord;\n"
    "layout(location = 3) in vec4 color;\n"
    "uniform int first;\nuniform mat4 clip_from_model;\n"
    "out vec3 shading_normal;\nout vec2 uv;\nout vec4 paint;\n"
    "void main() {\n"
    "    uvec4 joints[GERTIE_SETS];\n    vec4 weights[GERTIE_SETS];\n    influences(joints, weights);\n"
    "    GertieVertex v = gertieDeform(first, gl_VertexID, GertieVertex(position, normal, vec4(0.0)), joints, "
    "weights);\n"
    "    shading_normal = v.normal;\n    uv = texcoord;\n    paint = color;\n"
    "    gl_Position = clip_from_model * vec4(v.position, 1.0);\n}\n";

static const char page_script[] =
    "const fragment = `#version 300 es\nprecision highp float;\n"
    "in vec3 shading_normal; in vec2 uv; in vec4 paint; uniform vec4 color; uniform sampler2D picture; out vec4 "
    "pixel;\n"
    "void main() {\n"
    "    float light = 0.35 + 0.65 * max(0.0, dot(normalize(shading_normal), normalize(vec3(0.4, 0.7, 0.6))));\n"
    "    pixel = vec4(pow(color.rgb * paint.rgb, vec3(1.0 / 2.2)) * texture(picture, uv).rgb * light, 1.0);\n}`;\n"
    "const gl = document.querySelector('canvas').getContext('webgl2');\n"
    "const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;\n"
    "const program = gl.createProgram();\n"
    "for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {\n"
    "    const shader = gl.createShader(kind);\n    gl.shaderSource(shader, text);\n    gl.compileShader(shader);\n"
    "    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));\n"
    "    gl.attachShader(program, shader);\n}\n"
    "gl.linkProgram(program);\ngl.useProgram(program);\ngl.enable(gl.DEPTH_TEST);\n"
    "const place = (name) => gl.getUniformLocation(program, name);\n"
    // Texel i of a table is in column i % width of row i / width.
    "function table(texels) {\n"
    "    const rows = Math.max(1, Math.ceil(texels.length / 4 / width));\n"
    "    const padded = new Float32Array(rows * width * 4);\n    padded.set(texels);\n"
    "    const texture = gl.createTexture();\n    gl.bindTexture(gl.TEXTURE_2D, texture);\n"
    "    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, rows, 0, gl.RGBA, gl.FLOAT, padded);\n"
    "    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])\n"
    "        gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);\n"
    "    return texture;\n}\n"
    "function attribute(at, data, width, whole) {\n"
    "    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());\n    gl.bufferData(gl.ARRAY_BUFFER, data, "
    "gl.STATIC_DRAW);\n"
    "    gl.enableVertexAttribArray(at);\n"
    "    if (whole) gl.vertexAttribIPointer(at, width, gl.UNSIGNED_SHORT, 0, 0);\n"
    "    else gl.vertexAttribPointer(at, width, gl.FLOAT, false, 0, 0);\n}\n"
    "for (const m of meshes) {\n"
    "    m.array = gl.createVertexArray();\n    gl.bindVertexArray(m.array);\n"
    "    attribute(0, bytes(m.positions), 3);\n    attribute(1, bytes(m.normals), 3);\n"
    "    attribute(2, bytes(m.texcoords), 2);\n"
    "    if (m.colors) attribute(3, bytes(m.colors), 4);\n    else gl.vertexAttrib4f(3, 1, 1, 1, 1);\n"
    "    for (let s = 0; s < sets; ++s) {\n"
    "        attribute(4 + s, bytes(m.joints[s]), 4, true);\n        attribute(4 + sets + s, bytes(m.weights[s]), 4);\n"
    "    }\n"
    "    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());\n"
    "    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, bytes(m.indices), gl.STATIC_DRAW);\n"
    "    m.poses = table(new Float32Array(bytes(m.poses)));\n    m.morphs = table(new Float32Array(bytes(m.morphs)));\n"
    "    m.texture = gl.createTexture();\n    gl.bindTexture(gl.TEXTURE_2D, m.texture);\n"
    "    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, "
    "255]));\n"
    "    if (m.picture) {\n        const image = new Image();\n        image.onload = () => {\n"
    "            gl.bindTexture(gl.TEXTURE_2D, m.texture);\n"
    "            gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);\n"
    "            gl.generateMipmap(gl.TEXTURE_2D);\n        };\n        image.src = m.picture;\n    }\n}\n"
    "function draw(now) {\n"
    "    const frame = Math.floor(now / 1000 * rate) % frames, canvas = gl.canvas;\n"
    "    canvas.width = canvas.clientWidth;\n    canvas.height = canvas.clientHeight;\n"
    "    gl.viewport(0, 0, canvas.width, canvas.height);\n    gl.clearColor(0.87, 0.87, 0.93, 1);\n"
    "    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);\n"
    "    const sx = 1.8 / size * canvas.height / canvas.width, sy = 1.8 / size, sz = -0.5 / size;\n" // orthographic
    "    const matrix = [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, -sx * middle[0], -sy * middle[1], -sz * middle[2], "
    "1];\n"
    "    gl.uniformMatrix4fv(place('clip_from_model'), false, matrix);\n"
    "    ['gertiePose', 'gertieMorphs', 'picture'].forEach((name, unit) => gl.uniform1i(place(name), unit));\n"
    "    for (const m of meshes) {\n"
    "        [m.poses, m.morphs, m.texture].forEach((texture, unit) => {\n"
    "            gl.activeTexture(gl.TEXTURE0 + unit);\n            gl.bindTexture(gl.TEXTURE_2D, texture);\n        "
    "});\n"
    "        gl.uniform1i(place('first'), frame * m.texels);\n        gl.uniform4fv(place('color'), m.color);\n"
    "        gl.bindVertexArray(m.array);\n"
    "        gl.drawElements(gl.TRIANGLES, m.count, gl.UNSIGNED_INT, 0);\n    }\n"
    "    requestAnimationFrame(draw);\n}\nrequestAnimationFrame(draw);\n";

static void* need(void* memory)
{
    if (!memory) {
        fprintf(stderr, "shader: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static void* read_file(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    void* bytes = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = need(aligned_alloc(16, (*size + 15) / 16 * 16));
        *size = fread(bytes, 1, *size, file);
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

static void print_base64(const void* data, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* b = data;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned bits = b[i] << 16 | (left > 1 ? b[i + 1] << 8 : 0) | (left > 2 ? b[i + 2] : 0);
        putchar(letters[bits >> 18]);
        putchar(letters[bits >> 12 & 63]);
        putchar(left > 1 ? letters[bits >> 6 & 63] : '=');
        putchar(left > 2 ? letters[bits & 63] : '=');
    }
}

static void print_array(const char* name, const void* data, size_t count, size_t size)
{
    printf(" %s: '", name);
    if (data) {
        print_base64(data, count * size);
    } else {
        void* zeros = need(calloc(count + 1, size));
        print_base64(zeros, count * size);
        free(zeros);
    }
    printf("',\n");
}

// Influences four by four, as vertex attributes have them; those that there are not have a weight of 0.
static void print_influences(const GtMeshDef* mesh, int32_t sets)
{
    size_t count = (size_t)mesh->vertex_count;
    uint16_t* joints = need(calloc(4 * count + 1, sizeof *joints));
    float* weights = need(calloc(4 * count + 1, sizeof *weights));
    for (int what = 0; what < 2; ++what) {
        printf(" %s: [", what ? "weights" : "joints");
        for (int32_t set = 0; set < sets; ++set) {
            for (size_t i = 0; i < 4 * count; ++i) {
                int32_t influence = 4 * set + (int32_t)(i % 4);
                bool there = influence < mesh->influence_count;
                size_t from = i / 4 * (size_t)mesh->influence_count + (size_t)influence;
                joints[i] = there ? mesh->joints[from] : 0;
                weights[i] = there ? mesh->weights[from] : 0.0f;
            }
            printf("'");
            print_base64(what ? (const void*)weights : joints, 4 * count * (what ? sizeof *weights : sizeof *joints));
            printf("', ");
        }
        printf("],\n");
    }
    free(weights);
    free(joints);
}

// Every frame's pose, one after the other: a game would write one each frame.
static void print_poses(GtInstance* instance, const GtClip* clip, int32_t mesh, int frames)
{
    size_t texels = (size_t)gt_pose_texel_count(instance->character, mesh);
    float(*poses)[4] = need(calloc(texels * (size_t)frames, sizeof *poses));
    for (int frame = 0; frame < frames; ++frame) {
        gt_instance_reset(instance);
        if (clip) {
            gt_clip_sample(clip, gt_clip_start_s(clip) + (double)frame / FRAMES_A_SECOND, instance->pose,
                           instance->weights);
        }
        gt_instance_update(instance);
        gt_pose_texels(instance, mesh, poses + (size_t)frame * texels);
    }
    print_array("poses", poses, texels * (size_t)frames, sizeof *poses);
    printf(" texels: %zu,\n", texels);
    free(poses);
}

static void print_mesh(const GtPack* pack, GtInstance* instance, int32_t index, int frames, int32_t sets)
{
    const GtMeshDef* mesh = &gt_character_def(instance->character)->meshes[index];
    size_t count = (size_t)mesh->vertex_count;
    size_t morph_texels = (size_t)gt_morph_texel_count(instance->character, index);
    float(*morphs)[4] = need(calloc(morph_texels + 1, sizeof *morphs));
    const GtPackMaterial* material = mesh->material >= 0 && mesh->material < gt_pack_material_count(pack)
                                         ? gt_pack_material(pack, mesh->material)
                                         : NULL;
    const float* color = material ? material->base_color : (const float[4]){ 0.7f, 0.7f, 0.7f, 1.0f };
    gt_morph_texels(instance->character, index, morphs);
    printf("{\n");
    print_array("positions", mesh->positions, count, sizeof *mesh->positions);
    print_array("normals", mesh->normals, count, sizeof *mesh->normals);
    print_array("texcoords", mesh->texcoords, 2 * count, sizeof *mesh->texcoords);
    if (mesh->colors) {
        print_array("colors", mesh->colors, 4 * count, sizeof *mesh->colors);
    }
    print_array("indices", mesh->indices, (size_t)mesh->index_count, sizeof *mesh->indices);
    print_array("morphs", morphs, morph_texels, sizeof *morphs);
    print_influences(mesh, sets);
    print_poses(instance, gt_pack_clip_count(pack) ? gt_pack_clip(pack, 0) : NULL, index, frames);
    if (material && material->base_color_texture.image != GT_NONE) {
        const GtPackImage* image = gt_pack_image(pack, material->base_color_texture.image);
        printf(" picture: 'data:%s;base64,", image->mime_type ? image->mime_type : "image/png");
        print_base64(image->bytes, (size_t)image->size);
        printf("',\n");
    }
    printf(" count: %d, color: [%g, %g, %g, 1],\n},\n", (int)mesh->index_count, (double)color[0], (double)color[1],
           (double)color[2]);
    free(morphs);
}

static void print_vertex_shader(int32_t sets)
{
    printf("const vertex = `%s#define GERTIE_SETS %d\n%s", vertex_head, (int)sets, gt_shader_source());
    for (int i = 0; i < sets; ++i) {
        printf("layout(location = %d) in uvec4 joints%d;\nlayout(location = %d) in vec4 weights%d;\n", 4 + i, i,
               4 + (int)sets + i, i);
    }
    printf("void influences(out uvec4 joints[GERTIE_SETS], out vec4 weights[GERTIE_SETS]) {\n");
    for (int i = 0; i < sets; ++i) {
        printf("    joints[%d] = joints%d;\n    weights[%d] = weights%d;\n", i, i, i, i);
    }
    printf("}\n%s`;\n", vertex_tail);
}

// How large the picture has to be: the box of what is seen at rest.
static void print_view(GtInstance* instance)
{
    const GtCharacterDef* def = gt_character_def(instance->character);
    float low[3] = { 1e30f, 1e30f, 1e30f }, high[3] = { -1e30f, -1e30f, -1e30f };
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        GtVec3* positions = need(malloc((size_t)(def->meshes[m].vertex_count + 1) * sizeof *positions));
        gt_instance_deform(instance, m, positions, NULL, NULL);
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            for (int k = 0; k < 3; ++k) {
                float x = (&positions[v].x)[k];
                low[k] = x < low[k] ? x : low[k];
                high[k] = x > high[k] ? x : high[k];
            }
        }
        free(positions);
    }
    printf("const middle = [%g, %g, %g], size = %g;\n", 0.5 * (double)(low[0] + high[0]),
           0.5 * (double)(low[1] + high[1]), 0.5 * (double)(low[2] + high[2]), (double)(high[1] - low[1]));
}

int main(int argc, char** argv)
{
    size_t size = 0;
    void* bytes = argc == 2 ? read_file(argv[1], &size) : NULL;
    if (!bytes) {
        fprintf(stderr, "usage: shader CHARACTER.gtp > page.html\n");
        return 2;
    }
    GtError error;
    GtPack* pack = NULL;
    GtInstance* instance = NULL;
    if (gt_pack_open(gt_default_allocator(), bytes, size, &pack, &error) != GT_OK ||
        gt_instance_create(gt_default_allocator(), gt_pack_character(pack), &instance, &error) != GT_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], error.message);
        return EXIT_FAILURE;
    }
    const GtCharacterDef* def = gt_character_def(gt_pack_character(pack));
    const GtClip* clip = gt_pack_clip_count(pack) ? gt_pack_clip(pack, 0) : NULL;
    int frames = clip ? (int)((gt_clip_end_s(clip) - gt_clip_start_s(clip)) * FRAMES_A_SECOND) + 1 : 1;
    frames = frames < MAX_FRAMES ? frames : MAX_FRAMES;
    int32_t most = 1;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        most = def->meshes[m].influence_count > most ? def->meshes[m].influence_count : most;
    }
    int32_t sets = (most + 3) / 4;
    printf("%s<script>\nconst rate = %d, frames = %d, sets = %d, width = %d;\n", page_head, FRAMES_A_SECOND, frames,
           (int)sets, GT_TEXTURE_WIDTH);
    print_vertex_shader(sets);
    print_view(instance);
    printf("const meshes = [\n");
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        if (gt_shader_can_deform(gt_pack_character(pack), m)) {
            print_mesh(pack, instance, m, frames, sets);
        } else {
            fprintf(stderr, "shader: mesh %d has deformers that only the processor runs\n", (int)m);
        }
    }
    printf("];\n%s</script>\n", page_script);
    gt_instance_destroy(instance);
    gt_pack_close(pack);
    free(bytes);
    return EXIT_SUCCESS;
}
