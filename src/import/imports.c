// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The formats of libgertie: those of io, and those that need a library. libgertie-scene links io/no_imports.c in place
// of this file.

#include "io/imports.h"

#include "import/draco/draco.h"

static const GtFormat formats[] = { GTI_IO_FORMATS, { 0 } };

const GtiImports gti_imports = { .formats = formats, .decode_draco = gti_decode_draco };
