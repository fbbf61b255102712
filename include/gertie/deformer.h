// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: deformers of a mesh as data.
///
/// Deformer data: how a mesh follows its character, as a file stores it. The runtime's deformer stack is built from it.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_DEFORMER_H
#define GERTIE_DEFORMER_H

#include "gertie/api.h"

/// How influences are blended.
typedef enum GtSkinMethod {
    GT_SKIN_LINEAR,          ///< linear blending of matrices: what every viewer shows
    GT_SKIN_DUAL_QUATERNION, ///< blending of rigid motions: twists keep their volume
    GT_SKIN_BULGE_FREE,      ///< likewise, and the outer side of a bend stays as far from its bones as at rest
    GT_SKIN_METHOD_COUNT
} GtSkinMethod;

/// One step of a mesh's deformer stack, in the order in which steps are applied.
typedef enum GtDeformerKind {
    GT_DEFORMER_MORPH,    ///< blend shapes, in rest space
    GT_DEFORMER_SKIN,     ///< from rest space to model space by joints
    GT_DEFORMER_HARMONIC, ///< the same by markers (gertie/harmonic_skin.h); a character without them goes without it
    GT_DEFORMER_SECTIONS, ///< lattices at joints, after the skin (gertie/section.h); there without being asked for
    GT_DEFORMER_KIND_COUNT
} GtDeformerKind;

/// One deformer of a stack.
typedef struct GtDeformerData {
    GtDeformerKind kind;
    GtSkinMethod skin_method; ///< of GT_DEFORMER_SKIN
} GtDeformerData;

#endif
