// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The formats of libgertie-scene: those that need nothing but the C library. libgertie links import/imports.c in place
// of this file.

#include "io/imports.h"

static const GtFormat formats[] = { GTI_IO_FORMATS, { 0 } };

const GtiImports gti_imports = { .formats = formats };
