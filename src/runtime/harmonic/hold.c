// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The system of at most 17 unknowns is solved by Cholesky's method, twice: S a = p - m y and S b = 1 for S = A + C;
// then t = (1 a) / (1 b), as the forces f = a - t b add up to 0.

#include "runtime/harmonic/hold.h"

#include <math.h>
#include <string.h>

// Of a handle's own, added to all: two handles of the same vertices may be held in different places.
static const double least_compliance = 1e-5;

// The handles that a frame holds.
typedef struct Held {
    int32_t handles[GTI_MOST_HOLDS];
    int32_t count;
    double compliances[GTI_MOST_HOLDS];
    double ways[GTI_MOST_HOLDS][3]; // from where each is to where it shall be
} Held;

static bool is_held(const GtHarmonicHold* hold)
{
    return hold->strength > 0.0f && gt_vec3_is_finite(hold->position);
}

bool gti_harmonic_holds(const GtHarmonic* harmonic, const GtHarmonicFrame* frame)
{
    for (int32_t i = 0; frame->holds && i < harmonic->handle_count; ++i) {
        if (is_held(&frame->holds[i])) {
            return true;
        }
    }
    return false;
}

static void add_held(const GtHarmonic* harmonic, int32_t handle, GtVec3 position, float strength, const double mean[3],
                     Held* held)
{
    GtVec3 way = gt_vec3_sub(position, harmonic->handle_rests[handle]);
    double share = fmin((double)strength, 1.0);
    int32_t i = held->count++;
    held->handles[i] = handle;
    held->compliances[i] = (1.0 - share) / fmax(share, 1e-6);
    held->ways[i][0] = (double)way.x - mean[0];
    held->ways[i][1] = (double)way.y - mean[1];
    held->ways[i][2] = (double)way.z - mean[2];
}

static void factor(const GtHarmonic* harmonic, const Held* held, double (*s)[GTI_MOST_HOLDS])
{
    int32_t size = harmonic->handle_count + 1;
    for (int32_t i = 0; i < held->count; ++i) {
        for (int32_t j = 0; j <= i; ++j) {
            s[i][j] = harmonic->handle_pulls[held->handles[i] * size + held->handles[j]];
        }
        s[i][i] += held->compliances[i] + least_compliance * s[i][i] + 1e-12;
    }
    for (int32_t i = 0; i < held->count; ++i) {
        for (int32_t j = 0; j <= i; ++j) {
            for (int32_t k = 0; k < j; ++k) {
                s[i][j] -= s[i][k] * s[j][k];
            }
            s[i][j] = j < i ? s[i][j] / s[j][j] : sqrt(fmax(s[i][i], 1e-12));
        }
    }
}

static void solve(const double (*s)[GTI_MOST_HOLDS], int32_t count, double* x)
{
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < i; ++k) {
            x[i] -= s[i][k] * x[k];
        }
        x[i] /= s[i][i];
    }
    for (int32_t i = count - 1; i >= 0; --i) {
        for (int32_t k = i + 1; k < count; ++k) {
            x[i] -= s[k][i] * x[k];
        }
        x[i] /= s[i][i];
    }
}

void gti_harmonic_pull(const GtHarmonic* harmonic, const GtHarmonicFrame* frame, const double (*means)[3],
                       GtiHarmonicPull* out)
{
    int32_t anchor = harmonic->handle_count;
    bool holds = gti_harmonic_holds(harmonic, frame);
    Held held = { .count = 0 };
    for (int32_t i = 0; holds && i < anchor; ++i) {
        if (is_held(&frame->holds[i])) {
            add_held(harmonic, i, frame->holds[i].position, frame->holds[i].strength, means[i], &held);
        }
    }
    GtVec3 place = gt_vec3_is_finite(frame->anchor) ? frame->anchor : harmonic->handle_rests[anchor];
    float give = holds && frame->anchor_give > 0.0f ? fminf(frame->anchor_give, 1.0f) : 0.0f;
    add_held(harmonic, anchor, place, 1.0f - give, means[anchor], &held);
    memset(out, 0, sizeof *out);
    double s[GTI_MOST_HOLDS][GTI_MOST_HOLDS];
    double ones[GTI_MOST_HOLDS];
    double sum = 0.0;
    double shift[3];
    factor(harmonic, &held, s);
    for (int32_t i = 0; i < held.count; ++i) {
        ones[i] = 1.0;
    }
    solve((const double(*)[GTI_MOST_HOLDS])s, held.count, ones);
    for (int32_t i = 0; i < held.count; ++i) {
        sum += ones[i];
    }
    for (int c = 0; c < 3; ++c) {
        double forces[GTI_MOST_HOLDS];
        shift[c] = 0.0;
        for (int32_t i = 0; i < held.count; ++i) {
            forces[i] = held.ways[i][c];
            shift[c] += held.ways[i][c] * ones[i] / sum;
        }
        for (int32_t i = 0; i < held.count; ++i) {
            forces[i] -= shift[c];
        }
        solve((const double(*)[GTI_MOST_HOLDS])s, held.count, forces);
        for (int32_t i = 0; i < held.count && holds; ++i) {
            out->forces[held.handles[i]][c] = forces[i];
        }
    }
    out->shift = gt_vec3((float)shift[0], (float)shift[1], (float)shift[2]);
}

void gti_harmonic_pulled(const GtHarmonic* harmonic, const double (*means)[3], const GtiHarmonicPull* pull,
                         GtVec3* places)
{
    int32_t size = harmonic->handle_count + 1;
    for (int32_t i = 0; i < harmonic->handle_count; ++i) {
        double way[3];
        for (int c = 0; c < 3; ++c) {
            way[c] = means[i][c];
            for (int32_t j = 0; j < size; ++j) {
                way[c] += harmonic->handle_pulls[i * size + j] * pull->forces[j][c];
            }
        }
        GtVec3 moved = gt_vec3_add(gt_vec3((float)way[0], (float)way[1], (float)way[2]), pull->shift);
        places[i] = gt_vec3_add(harmonic->handle_rests[i], moved);
    }
}
