// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Names are interned once a change of state, not once a face; then runs are sorted by their parts, and parts by their
// meshes, each in order of first appearance.

#include "io/obj/parts.h"

#include "io/text/scan.h"

#include <string.h>

// A part's key.
typedef struct Key {
    int32_t mesh;
    int32_t material;
    uint32_t layout;
} Key;

typedef struct Sorter {
    GtiObjParts* out;
    GtiIntern part_keys;
    const char* group;
    unsigned present;
    int32_t names[3]; // object, group and material that hold now
} Sorter;

static bool holds_word(const char* text, const char* word)
{
    size_t length = strlen(word);
    for (const char* p = text; (p = strstr(p, word)) != NULL; ++p) {
        if ((p == text || gti_is_blank(p[-1])) && (p[length] == 0 || gti_is_blank(p[length]))) {
            return true;
        }
    }
    return false;
}

static const char* name_of(const GtiObjParts* parts, int32_t name)
{
    return parts->names.items[name].bytes;
}

static bool is_wanted(const Sorter* sorter, const GtiObjMesh* mesh)
{
    const GtiObjParts* parts = sorter->out;
    return !sorter->group || strcmp(name_of(parts, mesh->object), sorter->group) == 0 ||
           holds_word(name_of(parts, mesh->group), sorter->group);
}

static bool hold(Sorter* sorter, const GtiObjPiece* piece, const GtiObjState* state)
{
    const GtiObjName names[3] = { state->object, state->group, state->material };
    for (int i = 0; i < 3; ++i) {
        if (names[i].length != GTI_OBJ_INHERITED) {
            sorter->names[i] = gti_intern(&sorter->out->names, piece->names + names[i].offset, names[i].length);
        }
        if (sorter->names[i] == GT_NONE) {
            return false;
        }
    }
    return true;
}

// The part of the faces that hold now.
static int32_t find_part(Sorter* sorter, uint32_t layout)
{
    const GtiObjMesh mesh = { sorter->names[0], sorter->names[1] };
    Key key = { gti_intern(&sorter->out->mesh_keys, &mesh, sizeof mesh), sorter->names[2], layout };
    return key.mesh == GT_NONE ? GT_NONE : gti_intern(&sorter->part_keys, &key, sizeof key);
}

static bool place_runs(Sorter* sorter, const GtiObjPiece* pieces, int32_t piece_count, GtiObjRunPlace* places)
{
    uint64_t count = 0;
    for (int32_t p = 0; p < piece_count; ++p) {
        const GtiObjPiece* piece = &pieces[p];
        uint64_t corner = 0;
        int64_t face = 0;
        for (uint32_t r = 0; r < piece->run_count; ++r) {
            const GtiObjRun* run = &piece->runs[r];
            bool changes = r == 0 || run->state != piece->runs[r - 1].state;
            if (changes && !hold(sorter, piece, &piece->states[run->state])) {
                return false;
            }
            sorter->out->missing |= run->layout & ~sorter->present;
            GtiObjRunPlace place = { find_part(sorter, run->layout & sorter->present), p, r, corner, face };
            if (place.part == GT_NONE) {
                return false;
            }
            places[count++] = place;
            corner += (uint64_t)run->face_count * run->corner_count * (1 + (run->layout & 1) + (run->layout >> 1 & 1));
            face += run->face_count;
        }
        if (!hold(sorter, piece, &piece->last)) {
            return false;
        }
    }
    return true;
}

// Number wanted meshes and parts anew, parts by meshes; `new_parts` receives each part's number, or GT_NONE.
static bool number_parts(Sorter* sorter, int32_t* new_parts)
{
    GtiObjParts* out = sorter->out;
    int32_t mesh_count = out->mesh_keys.count;
    int32_t part_count = sorter->part_keys.count;
    int32_t* starts = gt_arena_push_array(out->arena, (size_t)mesh_count + 1, sizeof *starts);
    int32_t* new_meshes = gt_arena_push_array(out->arena, (size_t)mesh_count + 1, sizeof *new_meshes);
    out->meshes = gt_arena_push_array(out->arena, (size_t)mesh_count + 1, sizeof *out->meshes);
    out->parts = gt_arena_push_array(out->arena, (size_t)part_count + 1, sizeof *out->parts);
    if (!starts || !new_meshes || !out->meshes || !out->parts) {
        return false;
    }
    for (int32_t m = 0; m < mesh_count; ++m) {
        GtiObjMesh mesh;
        memcpy(&mesh, out->mesh_keys.items[m].bytes, sizeof mesh);
        new_meshes[m] = is_wanted(sorter, &mesh) ? out->mesh_count : GT_NONE;
        if (new_meshes[m] != GT_NONE) {
            out->meshes[out->mesh_count++] = mesh;
        }
    }
    for (int32_t i = 0; i < part_count; ++i) {
        const Key* key = sorter->part_keys.items[i].bytes;
        int32_t mesh = new_meshes[key->mesh];
        if (mesh != GT_NONE) {
            ++starts[mesh + 1];
        }
    }
    for (int32_t m = 0; m < out->mesh_count; ++m) {
        starts[m + 1] += starts[m];
    }
    for (int32_t i = 0; i < part_count; ++i) {
        const Key* key = sorter->part_keys.items[i].bytes;
        int32_t mesh = new_meshes[key->mesh];
        new_parts[i] = mesh == GT_NONE ? GT_NONE : starts[mesh]++;
        if (mesh != GT_NONE) {
            out->parts[new_parts[i]] = (GtiObjPart){ .mesh = mesh, .material = key->material, .layout = key->layout };
            ++out->part_count;
        }
    }
    return true;
}

// Order runs by parts.
static void sort_runs(GtiObjParts* out, const GtiObjPiece* pieces, const GtiObjRunPlace* places, uint64_t count,
                      const int32_t* new_parts)
{
    for (uint64_t i = 0; i < count; ++i) {
        int32_t part = new_parts[places[i].part];
        if (part != GT_NONE) {
            const GtiObjRun* run = &pieces[places[i].piece].runs[places[i].run];
            ++out->parts[part].run_count;
            out->parts[part].triangle_count += (uint64_t)run->face_count * (run->corner_count - 2);
        }
    }
    for (int32_t p = 0; p < out->part_count; ++p) {
        out->parts[p].first_run = out->run_count;
        out->run_count += out->parts[p].run_count;
        out->triangle_count += out->parts[p].triangle_count;
        out->parts[p].run_count = 0;
    }
    for (uint64_t i = 0; i < count; ++i) {
        int32_t index = new_parts[places[i].part];
        if (index != GT_NONE) {
            GtiObjPart* part = &out->parts[index];
            GtiObjRunPlace* place = &out->runs[part->first_run + part->run_count++];
            *place = places[i];
            place->part = index;
        }
    }
}

bool gti_obj_find_parts(const GtiObjPiece* pieces, int32_t piece_count, const char* group, unsigned present,
                        GtArena* arena, GtiObjParts* out)
{
    *out = (GtiObjParts){ .arena = arena, .names = { .arena = arena }, .mesh_keys = { .arena = arena } };
    Sorter sorter = { .out = out, .part_keys = { .arena = arena }, .group = group, .present = present };
    sorter.names[0] = sorter.names[1] = sorter.names[2] = gti_intern(&out->names, "", 0);
    uint64_t count = 0;
    for (int32_t p = 0; p < piece_count; ++p) {
        count += pieces[p].run_count;
    }
    GtiObjRunPlace* places = gt_arena_push_array(arena, (size_t)count + 1, sizeof *places);
    out->runs = gt_arena_push_array(arena, (size_t)count + 1, sizeof *out->runs);
    if (!places || !out->runs || !place_runs(&sorter, pieces, piece_count, places)) {
        return false;
    }
    int32_t* new_parts = gt_arena_push_array(arena, (size_t)sorter.part_keys.count + 1, sizeof *new_parts);
    if (!new_parts || !number_parts(&sorter, new_parts)) {
        return false;
    }
    out->group_found = !group || out->mesh_count > 0;
    sort_runs(out, pieces, places, count, new_parts);
    return true;
}
