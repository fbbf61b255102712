// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Loaded into the command before the C library (LD_PRELOAD): makes one call of the program itself fail, or one
// allocation of a library that the program was linked with, the C library included ("library"). What happens before
// main() is left alone, and so are libraries that are loaded later, graphics drivers, with what they call.
//
//     FAIL_CALL=write:3   the third call of write() fails
//     FAIL_COUNT=FILE     append how often each call was made, "write 17", when the program ends

#define _GNU_SOURCE // NOLINT: dlsym's RTLD_NEXT

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum Call {
    CALL_OPEN,
    CALL_READ,
    CALL_WRITE,
    CALL_FSYNC,
    CALL_RENAME,
    CALL_OPENDIR,
    CALL_MKDIR,
    CALL_FOPEN,
    CALL_THREAD,
    CALL_SPAWN,
    CALL_PIPE,
    CALL_MMAP,
    CALL_MALLOC,
    CALL_LIBRARY,
    CALL_COUNT
} Call;

static const char* const names[CALL_COUNT] = { "open",  "read",   "write", "fsync", "rename", "opendir", "mkdir",
                                               "fopen", "thread", "spawn", "pipe",  "mmap",   "malloc",  "library" };

static atomic_long counts[CALL_COUNT];
static struct {
    uintptr_t start, end;
    bool drivers_use_it; // the C library and others that graphics drivers call, too
} codes[64];             // of the program and what is loaded with it, the program first
static int code_count;
static bool main_has_begun, has_loaded_more;
static int failing = -1; // a Call
static long failing_at;

static int find_code(struct dl_phdr_info* info, size_t size, void* user)
{
    (void)size;
    (void)user;
    static const char* const shared[] = { "/libc.so",     "/ld-",          "/libz.so",
                                          "/libexpat.so", "/libstdc++.so", "/libgcc_s.so" };
    uintptr_t own = (uintptr_t)&find_code;
    bool drivers_use_it = false;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; ++i) {
        drivers_use_it = drivers_use_it || strstr(info->dlpi_name, shared[i]);
    }
    for (int i = 0; i < info->dlpi_phnum && code_count < 64; ++i) {
        const ElfW(Phdr)* header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && header->p_flags & PF_X && !(own >= start && own < start + header->p_memsz)) {
            codes[code_count].drivers_use_it = drivers_use_it;
            codes[code_count].start = start;
            codes[code_count++].end = start + header->p_memsz;
        }
    }
    return 0;
}

static void write_counts(void)
{
    const char* path = getenv("FAIL_COUNT");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    for (int i = 0; file >= 0 && i < CALL_COUNT; ++i) {
        dprintf(file, "%s %ld\n", names[i], counts[i]);
    }
}

__attribute__((constructor)) static void prepare(void)
{
    dl_iterate_phdr(find_code, NULL);
    const char* call = getenv("FAIL_CALL");
    const char* colon = call ? strchr(call, ':') : NULL;
    for (int i = 0; colon && i < CALL_COUNT; ++i) {
        if (strlen(names[i]) == (size_t)(colon - call) && strncmp(call, names[i], strlen(names[i])) == 0) {
            failing = i;
            failing_at = strtol(colon + 1, NULL, 10);
        }
    }
    unsetenv("LD_PRELOAD"); // children are themselves
    atexit(write_counts);
}

static bool fails(Call call, const void* from, int code)
{
    int who = 0;
    while (who < code_count && !((uintptr_t)from >= codes[who].start && (uintptr_t)from < codes[who].end)) {
        ++who;
    }
    if (!main_has_begun || who == code_count || (who > 0 && call != CALL_MALLOC) ||
        (has_loaded_more && codes[who].drivers_use_it)) {
        return false;
    }
    call = who > 0 ? CALL_LIBRARY : call;
    bool now = ++counts[call] == failing_at && (int)call == failing;
    errno = now ? code : errno;
    return now;
}

static int (*program_main)(int count, char** words, char** environment);

static int begin_main(int count, char** words, char** environment)
{
    main_has_begun = true;
    return program_main(count, words, environment);
}

typedef int StartMain(int (*main)(int, char**, char**), int count, char** words, void (*init)(void),
                      void (*finish)(void), void (*loader_finish)(void), void* stack_end);
StartMain __libc_start_main; // NOLINT: the C library's name

int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*init)(void),
                      void (*finish)(void), void (*loader_finish)(void), void* stack_end)
{
    StartMain* next = (StartMain*)dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = main;
    return next(begin_main, count, words, init, finish, loader_finish, stack_end);
}

#define FROM __builtin_return_address(0)
#define NEXT(name)                                                                                                     \
    static __typeof__(name)* next;                                                                                     \
    next = next ? next : (__typeof__(name)*)dlsym(RTLD_NEXT, #name)

int open(const char* path, int flags, ...)
{
    NEXT(open);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(CALL_OPEN, FROM, EMFILE) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...)
{
    NEXT(openat);
    return fails(CALL_OPEN, FROM, EMFILE) ? -1 : next(folder, path, flags);
}

ssize_t read(int file, void* bytes, size_t size)
{
    NEXT(read);
    return fails(CALL_READ, FROM, EIO) ? -1 : next(file, bytes, size);
}

ssize_t pread(int file, void* bytes, size_t size, off_t at)
{
    NEXT(pread);
    return fails(CALL_READ, FROM, EIO) ? -1 : next(file, bytes, size, at);
}

ssize_t write(int file, const void* bytes, size_t size)
{
    NEXT(write);
    return fails(CALL_WRITE, FROM, ENOSPC) ? -1 : next(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at)
{
    NEXT(pwrite);
    return fails(CALL_WRITE, FROM, ENOSPC) ? -1 : next(file, bytes, size, at);
}

int fsync(int file)
{
    NEXT(fsync);
    return fails(CALL_FSYNC, FROM, EIO) ? -1 : next(file);
}

int rename(const char* from, const char* to)
{
    NEXT(rename);
    return fails(CALL_RENAME, FROM, EIO) ? -1 : next(from, to);
}

DIR* opendir(const char* path)
{
    NEXT(opendir);
    return fails(CALL_OPENDIR, FROM, EMFILE) ? NULL : next(path);
}

int mkdir(const char* path, mode_t mode)
{
    NEXT(mkdir);
    return fails(CALL_MKDIR, FROM, ENOSPC) ? -1 : next(path, mode);
}

FILE* fopen(const char* path, const char* mode)
{
    NEXT(fopen);
    return fails(CALL_FOPEN, FROM, EMFILE) ? NULL : next(path, mode);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* user)
{
    NEXT(pthread_create);
    return fails(CALL_THREAD, FROM, EAGAIN) ? EAGAIN : next(thread, attributes, run, user);
}

int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const words[], char* const environment[])
{
    NEXT(posix_spawnp);
    return fails(CALL_SPAWN, FROM, EAGAIN) ? EAGAIN : next(child, file, actions, attributes, words, environment);
}

int pipe2(int files[2], int flags)
{
    NEXT(pipe2);
    return fails(CALL_PIPE, FROM, EMFILE) ? -1 : next(files, flags);
}

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset)
{
    NEXT(mmap);
    return fails(CALL_MMAP, FROM, ENOMEM) ? MAP_FAILED : next(at, size, protection, flags, file, offset);
}

void* dlopen(const char* path, int mode)
{
    NEXT(dlopen);
    has_loaded_more = true;
    return next(path, mode);
}

// The C library's own, because dlsym() may allocate.
extern void* __libc_malloc(size_t size);                 // NOLINT
extern void* __libc_calloc(size_t count, size_t size);   // NOLINT
extern void* __libc_realloc(void* old, size_t size);     // NOLINT
extern void* __libc_memalign(size_t align, size_t size); // NOLINT

void* malloc(size_t size)
{
    return fails(CALL_MALLOC, FROM, ENOMEM) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    return fails(CALL_MALLOC, FROM, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size)
{
    return fails(CALL_MALLOC, FROM, ENOMEM) ? NULL : __libc_realloc(old, size);
}

void* aligned_alloc(size_t align, size_t size)
{
    return fails(CALL_MALLOC, FROM, ENOMEM) ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void** out, size_t align, size_t size)
{
    void* block = fails(CALL_MALLOC, FROM, ENOMEM) ? NULL : __libc_memalign(align, size);
    *out = block ? block : *out;
    return block ? 0 : ENOMEM;
}
