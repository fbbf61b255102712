// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Eigenvalues and eigenvectors of symmetric 3 by 3 matrices.

#ifndef GERTIE_BASE_SYMMETRIC_H
#define GERTIE_BASE_SYMMETRIC_H

// Eigenvalues, unsorted, on the diagonal of `a`; unit eigenvectors in the same columns of `v`.
void gti_symmetric_axes(double a[3][3], double v[3][3]);

#endif
