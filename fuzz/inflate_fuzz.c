// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// zlib streams: four bytes that state a size, then the stream. What is accepted fills its buffer with bytes that depend
// on the stream alone and that its checksum matches; nothing is accepted with one byte less or more.

#include "data/inflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "inflate_fuzz: line %d: %s does not hold\n", __LINE__, #condition);                        \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Decompress into a block of exactly `size` bytes that was filled with `poison`.
static const char* inflate_exactly(const uint8_t* stream, size_t stream_size, size_t size, int poison, uint8_t** out)
{
    *out = malloc(size + !size);
    CHECK(*out);
    memset(*out, poison, size);
    return gti_inflate_zlib(stream, stream_size, *out, size);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 4) {
        return 0;
    }
    size_t stated = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16; // up to 16 MB
    const uint8_t* stream = data + 4;
    size -= 4;
    bool worth = stated <= gti_inflate_most(size);
    stated = worth ? stated : (size_t)gti_inflate_most(size) + 1; // claims too much: must be refused
    uint8_t* first = NULL;
    uint8_t* second = NULL;
    const char* fault = inflate_exactly(stream, size, stated, 0x00, &first);
    const char* again = inflate_exactly(stream, size, stated, 0xFF, &second);
    CHECK(fault == again && (worth || fault));
    if (!fault) {
        CHECK(memcmp(first, second, stated) == 0);
        free(second);
        CHECK(inflate_exactly(stream, size, stated + 1, 0, &second));
        free(second);
        CHECK(stated == 0 || inflate_exactly(stream, size, stated - 1, 0, &second));
        second = stated == 0 ? NULL : second;
    }
    free(first);
    free(second);
    return 0;
}
