// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a Draco mesh of as many points and triangles as the first two say. What is decoded has valid indices;
// nothing is written outside of the arrays, which are blocks of their own.

#include "import/draco/draco.h"
#include "person.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    uint64_t point_count = data[0];
    uint64_t index_count = (uint64_t)data[1] * 3;
    float* positions = malloc((size_t)point_count * 3 * sizeof *positions + 1);
    uint8_t* joints = malloc((size_t)point_count * 4 + 1);
    uint32_t* indices = malloc((size_t)index_count * sizeof *indices + 1);
    const GtiDracoAttribute attributes[] = {
        { 0, GT_COMPONENT_FLOAT, GT_ELEMENT_VEC3, point_count, positions },
        { 1, GT_COMPONENT_UINT8, GT_ELEMENT_VEC4, point_count, joints },
    };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtResult result = gti_decode_draco(&context, data + 2, size - 2, attributes, 2, indices, index_count, &error);
    CHECK(result == GT_OK || error.message[0]);
    for (uint64_t i = 0; i < index_count && result == GT_OK; ++i) {
        CHECK(indices[i] < point_count);
    }
    free(positions);
    free(joints);
    free(indices);
    return 0;
}
