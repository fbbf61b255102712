// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    return fuzz_mesh(data, size, "obj");
}
