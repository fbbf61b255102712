// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A section folds where the derivative of what it does to the limb that its joint carries, I + B (J - I) with
// B = b m(p), has no positive determinant. That is looked for at vertices it holds, where it would be seen. Most frames
// need none of it: in the box, columns of J - I are convex combinations of differences of neighbouring control points,
// times a factor of the basis, and where these are short nothing folds.

#include "sections/play/folds.h"

#include "base/fail.h"
#include "runtime/character.h"

#include <math.h>

enum {
    MOST_ROWS = 1800, // moments that are looked at
    LEAST_ROWS = 16,
    MOST_PLACES = 128, // of a section
    FREE_SIDE = 5      // places along each side of a lattice that stands free
};

static const double rate_hz = 60.0;
static const double most_work = 6e8; // control points that are summed up, in all: some seconds
static const float least_mask = 0.05f;

// A section and where it is looked at.
typedef struct Watched {
    const GtSectionDef* def;
    int32_t first_value;
    GtMat34 box_from_space;
    float factors[3]; // of differences along each axis
    GtVec3* places;   // [place_count] in the lattice's space
    float* masks;     // [place_count]
    int32_t place_count;
} Watched;

typedef struct Watch {
    const GtCharacter* character;
    Watched* sections; // [section_count]
    GtVec3* moved;     // [most points] displacements
    GtVec3* points;    // likewise
    GtVec3* out;       // [MOST_PLACES]
    float* jacobians;  // [MOST_PLACES * 9]
    int32_t most_points;
    GtInstance* instance;
    GtArena scratch;
} Watch;

static int32_t count_held(const GtCharacterDef* def, int32_t section)
{
    int32_t count = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t b = 0; b < def->meshes[m].section_bind_count; ++b) {
            const GtSectionBindDef* bind = &def->meshes[m].section_binds[b];
            for (int32_t e = 0; bind->section == section && e < bind->entry_count; ++e) {
                count += bind->masks[e] >= least_mask;
            }
        }
    }
    return count;
}

// Vertices that it holds, evenly taken.
static void place_held(const Watch* w, int32_t section, Watched* out)
{
    const GtCharacterDef* def = gt_character_def(w->character);
    int32_t step = count_held(def, section) / MOST_PLACES + 1;
    int32_t seen = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t b = 0; b < def->meshes[m].section_bind_count; ++b) {
            const GtSectionBindDef* bind = &def->meshes[m].section_binds[b];
            for (int32_t e = 0; bind->section == section && e < bind->entry_count; ++e) {
                if (bind->masks[e] >= least_mask && seen++ % step == 0) {
                    const GtMat34* node_from_mesh = &w->character->mesh_sections[m].bound[b].node_from_mesh;
                    GtVec3 at = def->meshes[m].positions[bind->vertices[e]];
                    out->places[out->place_count] = gt_mat34_point(node_from_mesh, at);
                    out->masks[out->place_count++] = bind->masks[e];
                }
            }
        }
    }
}

// A grid inside the border: what passes through is not known.
static void place_free(Watched* out)
{
    float border = out->def->border;
    for (int32_t i = 0; i < FREE_SIDE * FREE_SIDE * FREE_SIDE; ++i) {
        int32_t cells[3] = { i % FREE_SIDE, i / FREE_SIDE % FREE_SIDE, i / FREE_SIDE / FREE_SIDE };
        float stu[3];
        for (int a = 0; a < 3; ++a) {
            stu[a] = border + (1.0f - 2.0f * border) * (float)cells[a] / (FREE_SIDE - 1);
        }
        out->places[i] = gt_mat34_point(&out->def->lattice.space_from_box, gt_vec3(stu[0], stu[1], stu[2]));
        out->masks[i] = 1.0f;
    }
    out->place_count = FREE_SIDE * FREE_SIDE * FREE_SIDE;
}

static bool open_section(Watch* w, int32_t section)
{
    Watched* out = &w->sections[section];
    out->def = &gt_character_def(w->character)->sections[section];
    out->first_value = gt_section_first_value(w->character, section);
    out->box_from_space = gt_mat34_inverse(&out->def->lattice.space_from_box, NULL);
    out->places = gt_arena_push_array(&w->scratch, MOST_PLACES, sizeof *out->places);
    out->masks = gt_arena_push_array(&w->scratch, MOST_PLACES, sizeof *out->masks);
    for (int a = 0; a < 3; ++a) {
        int32_t count = out->def->lattice.counts[a];
        bool is_spline = out->def->lattice.basis == GT_LATTICE_B_SPLINE && count > 4;
        out->factors[a] = (float)(is_spline ? 3 * (count - 3) : count - 1);
    }
    int32_t points = gt_lattice_point_count(&out->def->lattice);
    w->most_points = points > w->most_points ? points : w->most_points;
    if (!out->places || !out->masks) {
        return false;
    }
    if (out->def->node == GT_NONE) {
        place_free(out);
    } else {
        place_held(w, section, out);
    }
    return true;
}

static GtResult open_watch(const GtContext* context, Watch* w, GtError* error)
{
    int32_t count = gt_character_def(w->character)->section_count;
    w->sections = gt_arena_push_array(&w->scratch, (size_t)count, sizeof *w->sections);
    bool ok = w->sections;
    for (int32_t i = 0; i < count && ok; ++i) {
        ok = open_section(w, i);
    }
    w->moved = gt_arena_push_array(&w->scratch, (size_t)w->most_points, sizeof *w->moved);
    w->points = gt_arena_push_array(&w->scratch, (size_t)w->most_points, sizeof *w->points);
    w->out = gt_arena_push_array(&w->scratch, MOST_PLACES, sizeof *w->out);
    w->jacobians = gt_arena_push_array(&w->scratch, (size_t)MOST_PLACES * 9, sizeof *w->jacobians);
    if (!ok || !w->moved || !w->points || !w->out || !w->jacobians) {
        return gti_out_of_memory(error);
    }
    return gt_instance_create(context->allocator, w->character, &w->instance, error);
}

// Whether nothing can fold, wherever a vertex is.
static bool is_gentle(const Watch* w, const Watched* s, float blend)
{
    const int32_t* counts = s->def->lattice.counts;
    const int32_t steps[3] = { 1, counts[0], counts[0] * counts[1] };
    int32_t count = counts[0] * counts[1] * counts[2];
    float sum = 0.0f;
    for (int a = 0; a < 3; ++a) {
        float most = 0.0f;
        for (int32_t i = 0; i + steps[a] < count; ++i) {
            if (i / steps[a] % counts[a] + 1 < counts[a]) {
                GtVec3 apart = gt_vec3_sub(w->moved[i + steps[a]], w->moved[i]);
                GtVec3 in_box = gt_mat34_vector(&s->box_from_space, apart);
                most = fmaxf(most, gt_vec3_dot(in_box, in_box));
            }
        }
        sum += most * s->factors[a] * s->factors[a];
    }
    return !s->def->lattice.weights && blend * blend * sum < 1.0f;
}

static bool turns_over(const float jacobian[9], float share)
{
    GtMat34 matrix;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            float unit = r == c ? 1.0f : 0.0f;
            matrix.m[r][c] = unit + share * (jacobian[3 * r + c] - unit);
        }
        matrix.m[r][3] = 0.0f;
    }
    return !(gt_mat34_determinant(&matrix) > 0.0f);
}

static bool folds(const Watch* w, const Watched* s)
{
    const float* values = w->instance->section_values + s->first_value;
    float blend = gti_section_blend(s->def, values);
    if (!(blend > 0.0f) || s->place_count == 0 || !gti_section_displace(s->def, values, w->moved) ||
        is_gentle(w, s, blend)) {
        return false;
    }
    int32_t count = gt_lattice_point_count(&s->def->lattice);
    gt_lattice_rest(&s->def->lattice, w->points);
    for (int32_t i = 0; i < count; ++i) {
        w->points[i] = gt_vec3_add(w->points[i], w->moved[i]);
    }
    gt_lattice_apply(&s->def->lattice, w->points, s->place_count, s->places, w->out, w->jacobians);
    bool any = false;
    for (int32_t i = 0; i < s->place_count && !any; ++i) {
        any = turns_over(w->jacobians + 9 * (size_t)i, blend * s->masks[i]);
    }
    return any;
}

static GtSculptFold* find_fold(GtSculptPlayer* player, int32_t section, double time_s)
{
    for (int32_t i = 0; i < player->fold_count; ++i) {
        if (player->folds[i].section == section) {
            return &player->folds[i];
        }
    }
    player->folds[player->fold_count] = (GtSculptFold){ .section = section, .first_s = time_s };
    return &player->folds[player->fold_count++];
}

// How many moments there is time for.
static double find_steps(const Watch* w, double length_s)
{
    double work = 0.0;
    for (int32_t i = 0; i < gt_character_def(w->character)->section_count; ++i) {
        const Watched* s = &w->sections[i];
        work += (double)gt_lattice_point_count(&s->def->lattice) * (s->def->pose_count + s->place_count + 1.0);
    }
    double most = fmax(fmin(floor(most_work / fmax(work, 1.0)), MOST_ROWS), LEAST_ROWS);
    return length_s > 0.0 ? fmin(ceil(length_s * rate_hz), most) : 0.0;
}

GtResult gti_player_find_folds(const GtContext* context, GtSculptPlayer* player, GtError* error)
{
    Watch w = { .character = player->def.character, .scratch = gt_arena_create(context->allocator) };
    int32_t section_count = gt_character_def(w.character)->section_count;
    player->folds = gt_arena_push_array(&player->arena, (size_t)section_count, sizeof *player->folds);
    GtResult result = player->folds ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK && section_count > 0) {
        result = open_watch(context, &w, error);
    }
    double length_s = gt_sculpt_player_end_s(player) - player->start_s;
    double steps = w.instance ? find_steps(&w, length_s) : 0.0;
    for (int32_t row = 0; row <= (int32_t)steps && w.instance; ++row) {
        double time_s = player->start_s + (row > 0 ? (double)row * length_s / steps : 0.0);
        gt_sculpt_play(player, time_s, w.instance);
        for (int32_t i = 0; i < section_count; ++i) {
            if (folds(&w, &w.sections[i])) {
                find_fold(player, i, time_s)->length_s += steps > 0.0 ? length_s / steps : 0.0;
            }
        }
    }
    gt_instance_destroy(w.instance);
    gt_arena_destroy(&w.scratch);
    return result;
}

const GtSculptFold* gt_sculpt_player_folds(const GtSculptPlayer* player, int32_t* count)
{
    *count = player->fold_count;
    return player->folds;
}
