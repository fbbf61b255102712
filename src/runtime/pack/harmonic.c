// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The arrays of a harmonic skin lie in the bytes as frames read them, in the order of gti_harmonic_skin_parts(). Here
// they are only found; what they hold is checked when the character is made.

#include "runtime/pack/harmonic.h"

#include "base/fail.h"
#include "base/memory.h"
#include "runtime/pack/read.h"

_Static_assert(sizeof(GtHarmonicBone) == 32 && sizeof(GtHarmonicFollower) == 16 && sizeof(GtHarmonicGrip) == 24 &&
                   sizeof(GtiHarmonicNode) == 48 && sizeof(GtiHarmonicPiece) == 24 && sizeof(GtiPackHarmonic) == 112,
               "arrays are stored as they are used, without padding");

GtiPackHarmonic gti_pack_harmonic_record(const GtHarmonicSkinDef* skin)
{
    const GtHarmonic* h = skin->harmonic;
    return (GtiPackHarmonic){
        .row_count = h->row_count,
        .panel_size = h->panel_size,
        .diagonal_size = h->diagonal_size,
        .vertex_count = h->vertex_count,
        .triangle_count = h->triangle_count,
        .marker_count = h->marker_count,
        .node_count = h->node_count,
        .panel_count = h->panel_count,
        .weight_count = h->weight_count,
        .hold_count = h->hold_count,
        .face_count = h->face_count,
        .handle_count = h->handle_count,
        .piece_count = h->live_cut.piece_count,
        .slot_count = h->live_cut.slot_count,
        .border_count = h->live_cut.border_count,
        .align_signs = h->align_signs,
        .has_axes = h->has_axes,
        .bone_count = skin->bone_count,
        .grip_count = skin->grip_count,
        .anchor_node = skin->anchor_node,
        .anchor_point = { skin->anchor_point.x, skin->anchor_point.y, skin->anchor_point.z },
        .anchor_give = skin->anchor_give,
    };
}

static GtHarmonic read_harmonic(const GtiPackHarmonic* from)
{
    return (GtHarmonic){
        .row_count = from->row_count,
        .panel_size = from->panel_size,
        .diagonal_size = from->diagonal_size,
        .vertex_count = from->vertex_count,
        .triangle_count = from->triangle_count,
        .marker_count = from->marker_count,
        .node_count = from->node_count,
        .panel_count = from->panel_count,
        .weight_count = from->weight_count,
        .hold_count = from->hold_count,
        .face_count = from->face_count,
        .handle_count = from->handle_count,
        .live_cut = { .piece_count = from->piece_count,
                      .slot_count = from->slot_count,
                      .border_count = from->border_count },
        .align_signs = from->align_signs == 1,
        .has_axes = from->has_axes == 1,
    };
}

// The next array of a skin, of so many bytes.
static const void* read_part(const GtiPackReader* r, int64_t index, const GtiHarmonicPart* part)
{
    size_t size = 0;
    const GtiPackArray* array = index >= 0 && index < r->head->array_count ? &r->arrays[index] : NULL;
    bool fits = array && array->kind == GTI_PACK_HARMONIC && array->width == 1 &&
                gti_size_mul(part->count, part->element, &size) && array->count == size;
    return fits ? (const char*)r->head + array->offset : NULL;
}

GtResult gti_pack_read_harmonic(GtiPackReader* r, GtCharacterDef* def, GtError* error)
{
    if (r->head->harmonic_count == 0) {
        return GT_OK;
    }
    const GtiPackHarmonic* from = r->harmonics;
    GtHarmonicSkinDef* skin = gt_arena_push_array(&r->arena, 1, sizeof *skin);
    GtHarmonic* harmonic = gt_arena_push_array(&r->arena, 1, sizeof *harmonic);
    if (!skin || !harmonic) {
        return gti_out_of_memory(error);
    }
    *harmonic = read_harmonic(from);
    *skin = (GtHarmonicSkinDef){
        .harmonic = harmonic,
        .bone_count = from->bone_count,
        .grip_count = from->grip_count,
        .anchor_node = from->anchor_node,
        .anchor_point = { from->anchor_point[0], from->anchor_point[1], from->anchor_point[2] },
        .anchor_give = from->anchor_give,
    };
    if (!gti_harmonic_counts_fit(harmonic) || skin->bone_count < 1 || skin->grip_count < 0 ||
        (from->align_signs | 1) != 1 || (from->has_axes | 1) != 1) {
        return gti_pack_misfit(error, "harmonic skin", 0);
    }
    GtiHarmonicPart parts[GTI_MOST_HARMONIC_PARTS];
    int count = gti_harmonic_skin_parts(def, skin, harmonic, parts);
    int64_t index = from->first_array;
    for (int i = 0; i < count; ++i) {
        if (parts[i].count > 0) {
            *parts[i].array = read_part(r, index++, &parts[i]);
            if (!*parts[i].array) {
                return gti_pack_misfit(error, "array of the harmonic skin", i);
            }
        }
    }
    def->harmonic = skin;
    return GT_OK;
}
