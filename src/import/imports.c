// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The formats of libgertie: those of io, and those that need a library. libgertie-scene links io/no_imports.c in place
// of this file.

#include "io/imports.h"

#include "import/collada/collada.h"
#include "import/draco/draco.h"

static const GtFormat formats[] = {
    GTI_IO_FORMATS,
    { "dae", "COLLADA 1.4", true, false, GT_HOLDS_ALL },
    { 0 },
};

// Of the formats after GTI_IO_FORMATS, in their order.
static const GtiFormat functions[] = {
    { .sniff = gti_dae_sniff, .read = gti_dae_read },
};

const GtiImports gti_imports = { .formats = formats, .functions = functions, .decode_draco = gti_decode_draco };
