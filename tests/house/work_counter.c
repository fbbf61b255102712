// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linked into a command that is built to be counted (preset `counted`): how many branches its own code took, which is
// the same in every run with one thread, and the most bytes that were allocated at a time, by whomever. Both go as one
// line to the file that GERTIE_COUNTS names.

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);
void __sanitizer_cov_trace_pc(void);

static uint64_t branches;
static _Atomic int64_t alive, peak;

// Called by the compiler's code at every branch.
__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void)
{
    ++branches;
}

static void* count(void* block)
{
    int64_t now = atomic_fetch_add(&alive, (int64_t)malloc_usable_size(block)) + (int64_t)malloc_usable_size(block);
    int64_t most = atomic_load(&peak);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
    }
    return block;
}

static void discount(void* block)
{
    atomic_fetch_sub(&alive, (int64_t)malloc_usable_size(block));
}

void* malloc(size_t size)
{
    return count(__libc_malloc(size));
}

void* calloc(size_t number, size_t size)
{
    return count(__libc_calloc(number, size));
}

void* realloc(void* block, size_t size)
{
    size_t was = malloc_usable_size(block);
    void* grown = __libc_realloc(block, size);
    if (grown || size == 0) {
        atomic_fetch_sub(&alive, (int64_t)was);
        count(grown);
    }
    return grown;
}

void* memalign(size_t alignment, size_t size)
{
    return count(__libc_memalign(alignment, size));
}

void* aligned_alloc(size_t alignment, size_t size)
{
    return count(__libc_memalign(alignment, size));
}

int posix_memalign(void** out, size_t alignment, size_t size)
{
    *out = count(__libc_memalign(alignment, size));
    return *out ? 0 : 12; // ENOMEM
}

void free(void* block)
{
    discount(block);
    __libc_free(block);
}

__attribute__((destructor)) static void write_counts(void)
{
    const char* path = getenv("GERTIE_COUNTS");
    FILE* file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%llu %lld\n", (unsigned long long)branches, (long long)peak);
        fclose(file);
    }
}
