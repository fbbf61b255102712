// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From Phong to metal and roughness: Kd and map_Kd are the base colour, d and Tr its alpha, Ke and map_Ke the glow,
// norm and bump the normals. The shine's exponent Ns becomes roughness as Blinn-Phong lobes of the same width have it,
// roughness^4 = 2 / (Ns + 2) (Karis 2013). Pr and Pm of the PBR extension (Clara.io 2014) say both outright.

#include "io/obj/mtl.h"

#include "base/fail.h"
#include "data/files.h"
#include "gertie/number.h"
#include "io/name.h"
#include "io/uri.h"

#include <math.h>
#include <string.h>

// A library while it is read, line by line.
typedef struct Library {
    GtiMtl* mtl;
    const char* end;
    GtMaterial* material; // that the lines are about, or NULL where nobody asks for it
    bool alpha_given;
} Library;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char* skip_blanks(const char* p, const char* end)
{
    while (p < end && is_blank(*p)) {
        ++p;
    }
    return p;
}

static const char* word_end(const char* p, const char* end)
{
    while (p < end && !is_blank(*p)) {
        ++p;
    }
    return p;
}

// Up to three numbers between 0 and `most`; one stands for all three.
static void read_color(const char* p, const char* end, float most, float out[3])
{
    float values[3];
    int count = 0;
    for (; count < 3; ++count) {
        p = gt_parse_float(skip_blanks(p, end), end, &values[count]);
        if (!p || !isfinite(values[count])) {
            break;
        }
    }
    for (int k = 0; k < 3 && (count == 1 || count == 3); ++k) {
        out[k] = fminf(fmaxf(values[count == 1 ? 0 : k], 0.0f), most);
    }
}

static float read_share(const char* p, const char* end, float fallback)
{
    float value = fallback;
    gt_parse_float(skip_blanks(p, end), end, &value);
    return value >= 0.0f && value <= 1.0f ? value : fallback;
}

// The file of a map statement: what follows its options, each a word and its arguments.
static const char* skip_map_options(const char* p, const char* end)
{
    static const struct {
        const char* name;
        int most; // arguments
        bool numbers;
    } options[] = { { "-o", 3, true },      { "-s", 3, true },          { "-t", 3, true },
                    { "-mm", 2, true },     { "-bm", 1, true },         { "-boost", 1, true },
                    { "-texres", 1, true }, { "-blendu", 1, false },    { "-blendv", 1, false },
                    { "-cc", 1, false },    { "-clamp", 1, false },     { "-imfchan", 1, false },
                    { "-type", 1, false },  { "-colorspace", 1, false } };
    for (;;) {
        p = skip_blanks(p, end);
        size_t length = (size_t)(word_end(p, end) - p);
        size_t i = 0;
        for (; i < sizeof options / sizeof *options; ++i) {
            if (strlen(options[i].name) == length && strncmp(p, options[i].name, length) == 0) {
                break;
            }
        }
        if (i == sizeof options / sizeof *options) {
            return p;
        }
        p = skip_blanks(p + length, end);
        for (int n = 0; n < options[i].most; ++n) {
            double value;
            if (options[i].numbers && !gt_parse_double(p, end, &value)) {
                break;
            }
            p = skip_blanks(word_end(p, end), end);
        }
    }
}

// The scene's image of a file name, which is added where it is new.
static GtResult find_image(GtScene* scene, GtArena* scratch, const char* name, size_t length, int32_t* out,
                           GtError* error)
{
    bool repaired = false;
    char* path = gt_arena_push_text(scratch, name, length);
    for (char* c = path; c && *c; ++c) {
        *c = *c == '\\' ? '/' : *c;
    }
    const char* uri = path ? gti_uri_encode(scratch, path) : NULL;
    for (int32_t i = 0; uri && i < scene->image_count; ++i) {
        if (strcmp(scene->images[i].uri, uri) == 0) {
            *out = i;
            return GT_OK;
        }
    }
    GtImage image = { .view = GT_NONE };
    image.name = uri ? gti_push_name(scene, path, length, "", &repaired) : NULL;
    image.uri = image.name ? gt_scene_push_text(scene, uri, strlen(uri)) : NULL;
    return image.uri ? gt_scene_add_image(scene, &image, out, error) : gti_out_of_memory(error);
}

GtResult gti_add_texture(GtScene* scene, GtArena* scratch, const char* file, size_t length, GtTextureRef* ref,
                         GtError* error)
{
    GtTexture texture = { .sampler = GT_NONE, .image = GT_NONE };
    GtResult result = find_image(scene, scratch, file, length, &texture.image, error);
    for (int32_t i = 0; i < scene->texture_count && result == GT_OK; ++i) {
        if (scene->textures[i].image == texture.image) {
            ref->texture = i;
            return GT_OK;
        }
    }
    return result == GT_OK ? gt_scene_add_texture(scene, &texture, &ref->texture, error) : result;
}

static GtResult read_map(Library* library, const char* p, const char* end, GtTextureRef* ref)
{
    GtiMtl* mtl = library->mtl;
    p = skip_map_options(p, end);
    return p == end ? GT_OK : gti_add_texture(mtl->scene, mtl->arena, p, (size_t)(end - p), ref, mtl->error);
}

GtMaterial gti_plain_material(const char* name)
{
    GtMaterial material = gt_default_material();
    material.name = name;
    material.has_pbr = true;
    material.metallic = 0.0f;
    return material;
}

static void set_alpha(Library* library, float alpha)
{
    library->material->base_color[3] = alpha;
    library->material->alpha_mode = alpha < 1.0f ? GT_ALPHA_BLEND : GT_ALPHA_OPAQUE;
}

float gti_roughness_of_shine(float exponent)
{
    return sqrtf(sqrtf(2.0f / (exponent + 2.0f)));
}

static void read_shine(GtMaterial* material, const char* p, const char* end)
{
    float exponent = -1.0f;
    gt_parse_float(skip_blanks(p, end), end, &exponent);
    if (exponent >= 0.0f && isfinite(exponent)) {
        material->roughness = gti_roughness_of_shine(exponent);
    }
}

static GtResult read_statement(Library* library, const char* word, size_t length, const char* p, const char* end)
{
    GtMaterial* m = library->material;
    struct {
        const char* word;
        GtTextureRef* ref;
    } maps[] = { { "map_Kd", &m->base_color_texture }, { "map_Ke", &m->emissive_texture },
                 { "norm", &m->normal_texture },       { "map_Kn", &m->normal_texture },
                 { "map_Bump", &m->normal_texture },   { "map_bump", &m->normal_texture },
                 { "bump", &m->normal_texture } };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i) {
        if (strlen(maps[i].word) == length && strncmp(word, maps[i].word, length) == 0) {
            return i >= 3 && maps[i].ref->texture != GT_NONE ? GT_OK : read_map(library, p, end, maps[i].ref);
        }
    }
    if (length != 2 && !(length == 1 && *word == 'd')) {
        return GT_OK;
    }
    if (strncmp(word, "Kd", 2) == 0) {
        read_color(p, end, 1.0f, m->base_color);
    } else if (strncmp(word, "Ke", 2) == 0) {
        read_color(p, end, 1.0f, m->emissive);
    } else if (length == 1) {
        p = skip_blanks(p, end);
        p = end - p >= 5 && strncmp(p, "-halo", 5) == 0 ? p + 5 : p;
        set_alpha(library, read_share(p, end, 1.0f));
        library->alpha_given = true;
    } else if (strncmp(word, "Tr", 2) == 0 && !library->alpha_given) {
        set_alpha(library, 1.0f - read_share(p, end, 0.0f));
    } else if (strncmp(word, "Ns", 2) == 0) {
        read_shine(m, p, end);
    } else if (strncmp(word, "Pr", 2) == 0) {
        m->roughness = read_share(p, end, m->roughness);
    } else if (strncmp(word, "Pm", 2) == 0) {
        m->metallic = read_share(p, end, m->metallic);
    }
    return GT_OK;
}

static GtResult start_material(Library* library, const char* name, size_t length)
{
    GtiMtl* mtl = library->mtl;
    int32_t id = gti_intern_find(mtl->names, name, length);
    library->material = NULL;
    library->alpha_given = false;
    if (id == GT_NONE || mtl->materials[id] != GT_NONE) {
        return GT_OK;
    }
    GtResult result = gti_mtl_add_plain(mtl, id);
    if (result == GT_OK) {
        library->material = &mtl->scene->materials[mtl->materials[id]];
    }
    return result;
}

static GtResult read_line(Library* library, const char* p, const char* end)
{
    p = skip_blanks(p, end);
    while (end > p && (is_blank(end[-1]) || end[-1] == '\r' || end[-1] == 0)) {
        --end;
    }
    const char* word = p;
    p = word_end(p, end);
    size_t length = (size_t)(p - word);
    if (length == 6 && strncmp(word, "newmtl", 6) == 0) {
        p = skip_blanks(p, end);
        return start_material(library, p, (size_t)(end - p));
    }
    return library->material && length ? read_statement(library, word, length, p, end) : GT_OK;
}

static GtResult read_library(GtiMtl* mtl, const char* text, size_t size)
{
    Library library = { .mtl = mtl, .end = text + size };
    const char* p = text;
    if (size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
    }
    GtResult result = GT_OK;
    while (p < library.end && result == GT_OK) {
        const char* line_end = memchr(p, '\n', (size_t)(library.end - p));
        line_end = line_end ? line_end : library.end;
        result = read_line(&library, p, line_end);
        p = line_end + 1;
    }
    return result;
}

// The file of a library's name beside the OBJ; *found is false where it is not there.
static GtResult read_file(GtiMtl* mtl, const char* name, size_t length, bool* found)
{
    GtArenaMark mark = gt_arena_mark(mtl->arena);
    char* clean = gt_arena_push_text(mtl->arena, name, length);
    for (char* c = clean; c && *c; ++c) {
        *c = *c == '\\' ? '/' : *c;
    }
    if (!clean) {
        return gti_out_of_memory(mtl->error);
    }
    const char* base = strrchr(clean, '/');
    *found = false;
    // A path from another machine: the library most often lies beside the file.
    const char* const tries[2] = { gti_uri_kind(clean, strlen(clean)) == GTI_URI_FILE ? clean : NULL,
                                   base ? base + 1 : NULL };
    GtResult result = GT_OK;
    for (int i = 0; i < 2 && !*found && result == GT_OK; ++i) {
        size_t directory_length = mtl->path ? gti_path_directory_length(mtl->path) : 0;
        const char* directory = directory_length ? gt_arena_push_text(mtl->arena, mtl->path, directory_length) : NULL;
        const char* path = tries[i] && *tries[i] ? gti_path_join(mtl->arena, directory, tries[i]) : NULL;
        uint8_t* bytes = NULL;
        size_t size = 0;
        GtError ignored;
        GtResult read = path ? gti_file_read(mtl->context, path, &bytes, &size, &ignored) : GT_ERROR_NOT_FOUND;
        if (read == GT_ERROR_OUT_OF_MEMORY || read == GT_ERROR_CANCELLED) {
            *mtl->error = ignored;
            result = read;
        } else if (read == GT_OK) {
            *found = true;
            gt_arena_reset(mtl->arena, mark);
            result = read_library(mtl, (const char*)bytes, size);
            mtl->context->allocator.release(mtl->context->allocator.user, bytes);
        }
    }
    return result;
}

GtResult gti_mtl_read(GtiMtl* mtl, const char* libraries, size_t length)
{
    const char* end = libraries + length;
    bool found = false;
    if (!mtl->path || !length) {
        return GT_OK;
    }
    GtResult result = read_file(mtl, libraries, length, &found);
    if (result != GT_OK || found) {
        return result;
    }
    bool several = word_end(libraries, end) != end;
    for (const char* p = libraries; p < end && result == GT_OK; p = skip_blanks(p, end)) {
        const char* after = several ? word_end(p, end) : end;
        found = false;
        if (several) {
            result = read_file(mtl, p, (size_t)(after - p), &found);
        }
        if (result == GT_OK && !found) {
            result = gti_repair(mtl->context, mtl->error, mtl->path, NULL,
                                "the material file '%.*s' does not exist: default materials are used",
                                after - p > 200 ? 200 : (int)(after - p), p);
        }
        p = after;
    }
    return result;
}

GtResult gti_mtl_add_plain(GtiMtl* mtl, int32_t name)
{
    bool repaired = false;
    const GtiInterned* item = &mtl->names->items[name];
    GtMaterial material = gti_plain_material(gti_push_name(mtl->scene, item->bytes, item->size, "", &repaired));
    if (!material.name) {
        return gti_out_of_memory(mtl->error);
    }
    return gt_scene_add_material(mtl->scene, &material, &mtl->materials[name], mtl->error);
}
