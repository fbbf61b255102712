// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of the surface that move as wholes or with others.

#ifndef GERTIE_RIG_WEIGH_PIECES_H
#define GERTIE_RIG_WEIGH_PIECES_H

#include "rig/weigh/proxy.h"
#include "rig/weigh/weights.h"

void gti_row_copy(const GtiProxyRows* from, int32_t from_row, const GtiProxyRows* to, int32_t to_row);

// Leave each row its largest weight alone.
void gti_rows_harden(const GtiProxyRows* rows, int32_t count);

// Pieces that lie about one bone follow its joint, as those of a machine do; others keep their weights. Rows are of the
// proxy.
GtResult gti_pieces_stiffen(const GtContext* context, const GtiRigBody* body, const GtiProxy* proxy,
                            const GtiRigSkeleton* skeleton, const GtiProxyRows* rows, GtiWeights* weights,
                            GtError* error);

// Islands ride on the skin: an eye on its joint, a small one as a whole on the skin nearest to it, a large one with
// each point on its nearest skin. `warm` is of the proxy, `rows` of the body's points.
GtResult gti_pieces_carry(const GtContext* context, const GtiRigBody* body, const GtiProxy* proxy,
                          const GtiRigSkeleton* skeleton, const GtiProxyRows* warm, const GtiProxyRows* rows,
                          GtiWeights* weights, GtError* error);

#endif
