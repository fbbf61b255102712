// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What libFuzzer calls in targets that read scenes: mutations of glTF, BVH and FBX by their structure, those of bytes
// for one in four, and for everything else.

#include "mutate.h"

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    size_t changed = 0;
    if (seed % 4 != 0) {
        changed = gti_mutate_gltf(data, size, max_size, seed);
        changed = changed ? changed : gti_mutate_bvh(data, size, max_size, seed);
        changed = changed ? changed : gti_mutate_fbx(data, size, max_size, seed);
    }
    return changed ? changed : LLVMFuzzerMutate(data, size, max_size);
}
