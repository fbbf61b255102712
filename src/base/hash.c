// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "base/hash.h"

#include <string.h>

uint32_t gti_checksum(const void* bytes, size_t size)
{
    const uint64_t prime = 0x9E3779B97F4A7C15u;
    const char* at = bytes;
    uint64_t sum = size * prime;
    for (; size >= 8; size -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        sum = (sum ^ word) * prime;
        sum ^= sum >> 29;
    }
    uint64_t last = 0;
    memcpy(&last, at, size);
    sum = (sum ^ last) * prime;
    return (uint32_t)(sum >> 32);
}
