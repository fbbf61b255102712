// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which way a surface follows its joints. Markers follow the skeleton and need a surface that hangs together and is
// fine enough for rings around limbs; the weights that an artist painted are better than any guess.

#include "animate/job.h"

#include "base/format.h"

#include <stdio.h>

enum {
    FEWEST_TRIANGLES = 2000,
    MOST_TRIANGLES = 1000000,
    MOST_PIECES = 12
};

static const double least_confidence = 0.5;

// Why the skin serves a body that was bare better; false where it does not.
static bool suits_skin(const GtRigReport* rig, char why[GT_ANIMATE_TEXT_SIZE])
{
    int32_t pieces = rig->piece_count - rig->island_count;
    if (rig->triangle_count < FEWEST_TRIANGLES || rig->triangle_count > MOST_TRIANGLES) {
        snprintf(why, GT_ANIMATE_TEXT_SIZE, "it has %lld triangles, and harmonic deformation is for %d to %d",
                 (long long)rig->triangle_count, FEWEST_TRIANGLES, MOST_TRIANGLES);
        return true;
    }
    if (pieces > MOST_PIECES) {
        snprintf(why, GT_ANIMATE_TEXT_SIZE, "the body is in %d pieces, which harmonic fields do not cross",
                 (int)pieces);
        return true;
    }
    if ((double)rig->confidence < least_confidence) {
        gti_format(why, GT_ANIMATE_TEXT_SIZE, "the skeleton that markers would follow is unsure (%.2f)",
                   (double)rig->confidence);
        return true;
    }
    return false;
}

void gti_animate_choose_method(GtiAnimateJob* job)
{
    GtAnimateReport* report = &job->report;
    report->method = job->def->method;
    if (report->method != GT_ANIMATE_AUTO) {
        return;
    }
    const GtRigReport* rig = report->was_bare ? &report->rig : job->def->rigged_by;
    report->method = GT_ANIMATE_SKIN;
    if (job->kept) {
        report->method = GT_ANIMATE_HARMONIC;
        snprintf(report->why, sizeof report->why, "the file keeps markers");
    } else if (job->body->mesh_count == 0) {
        snprintf(report->why, sizeof report->why, "the character has no mesh");
    } else if (!rig) {
        snprintf(report->why, sizeof report->why, "the character has weights of its own");
    } else if (job->def->joints_only) {
        snprintf(report->why, sizeof report->why, "the output holds joints only");
    } else if (!suits_skin(rig, report->why)) {
        report->method = GT_ANIMATE_HARMONIC;
        snprintf(report->why, sizeof report->why, "the body came without weights and its surface hangs together");
    }
}

bool gti_animate_has_template(const GtiAnimateJob* job)
{
    bool has_morphs = false;
    const GtScene* motion = job->motion;
    for (int32_t a = 0; a < motion->animation_count; ++a) {
        for (int32_t c = 0; c < motion->animations[a].channel_count; ++c) {
            has_morphs = has_morphs || motion->animations[a].channels[c].path == GT_PATH_WEIGHTS;
        }
    }
    bool is_alike = job->body->skin_count == 0 && motion->skin_count == 0 && has_morphs;
    return job->def->method == GT_ANIMATE_TEMPLATE || job->def->pairs_path ||
           (job->def->method == GT_ANIMATE_AUTO && is_alike);
}
