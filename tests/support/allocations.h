// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Counts what is allocated, for tests that frame calls allocate nothing: the C library's allocator is stood in for by
// one that counts. Sanitizers bring their own, so there COUNTS_ALLOCATIONS is 0. Include it in one file of a program.

#ifndef GERTIE_TESTS_SUPPORT_ALLOCATIONS_H
#define GERTIE_TESTS_SUPPORT_ALLOCATIONS_H

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS_ALLOCATIONS 0
#endif
#endif
#if !defined(COUNTS_ALLOCATIONS) && defined(__GLIBC__)
#define COUNTS_ALLOCATIONS 1
#elif !defined(COUNTS_ALLOCATIONS)
#define COUNTS_ALLOCATIONS 0
#endif

static long allocation_count;

#if COUNTS_ALLOCATIONS
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size)
{
    ++allocation_count;
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    ++allocation_count;
    return __libc_calloc(count, size);
}

void* realloc(void* block, size_t size)
{
    ++allocation_count;
    return __libc_realloc(block, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    ++allocation_count;
    return __libc_memalign(alignment, size);
}
#endif

#endif
