// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PC2: "POINTCACHE2\0", version 1, point count, start frame, frames a sample, sample count; then x, y, z of every
// point, sample by sample. All in little endian.

#include "gertie/point_cache.h"

#include "base/fail.h"
#include "data/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct Head {
    char signature[12];
    int32_t version;
    int32_t point_count;
    float start_frame;
    float frame_step;
    int32_t frame_count;
} Head;

static GtResult write_frames(const GtContext* context, FILE* file, const GtPointCacheDef* def, GtVec3* points,
                             GtError* error)
{
    Head head = {
        "POINTCACHE2",   1, def->point_count, def->start_frame, def->frame_step > 0.0f ? def->frame_step : 1.0f,
        def->frame_count
    };
    bool ok = fwrite(&head, sizeof head, 1, file) == 1;
    size_t count = (size_t)def->point_count;
    for (int32_t frame = 0; frame < def->frame_count && ok; ++frame) {
        GtResult result = gti_progress(context, error, "writing", (double)frame / (double)def->frame_count);
        if (result == GT_OK) {
            result = def->fill(def->user, frame, points, error);
        }
        if (result != GT_OK) {
            return result;
        }
        ok = count == 0 || fwrite(points, sizeof *points, count, file) == count;
    }
    return ok ? GT_OK : gti_fail(error, GT_ERROR_IO, "it could not be written: %s", strerror(errno));
}

static GtResult write_draft(const GtContext* context, const char* path, const GtPointCacheDef* def, GtVec3* points,
                            GtError* error)
{
    FILE* file = fopen(path, "wbe");
    if (!file) {
        return gti_fail(error, GT_ERROR_IO, "it could not be opened: %s", strerror(errno));
    }
    GtResult result = write_frames(context, file, def, points, error);
    if (fclose(file) != 0 && result == GT_OK) {
        result = gti_fail(error, GT_ERROR_IO, "it could not be written: %s", strerror(errno));
    }
    return result;
}

GtPointCacheDef gt_default_point_cache_def(void)
{
    return (GtPointCacheDef){ .frame_step = 1.0f };
}

GtResult gt_point_cache_save(const GtContext* context, const char* path, const GtPointCacheDef* def, GtError* error)
{
    def = def ? def : (GtPointCacheDef[]){ gt_default_point_cache_def() };
    GtAllocator allocator = context->allocator;
    GtiDraft draft;
    GtVec3* points = allocator.allocate(allocator.user, ((size_t)def->point_count + 1) * sizeof *points);
    GtResult result = points ? gti_draft_create(context, path, &draft, error) : gti_out_of_memory(error);
    if (result == GT_OK) {
        result = write_draft(context, draft.path, def, points, error);
        if (result == GT_OK) {
            result = gti_draft_finish(&draft, error);
        } else {
            gti_draft_discard(&draft);
        }
    }
    allocator.release(allocator.user, points);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
    }
    return result;
}
