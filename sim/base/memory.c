#include "sim/base/memory.h"
#include "sim/base/invariant.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* At once: other threads are at work, and the libraries' own ends may want memory. */
static _Noreturn void out_of_memory(size_t n, size_t element_bytes) {
    fprintf(stderr, "fedrecsim: out of memory: cannot get %zu times %zu bytes\n", n, element_bytes);
    _exit(1);
}

void frs_memory_exhausted(void) {
    fputs("fedrecsim: out of memory\n", stderr);
    _exit(1);
}

double frs_memory_of_machine(void) {
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

bool frs_memory_is_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void frs_memory_require(size_t n, size_t element_bytes) {
    if (!frs_memory_is_limited())
        return;
    void *room = mmap(NULL, n * element_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        out_of_memory(n, element_bytes);
    munmap(room, n * element_bytes);
}

void *frs_alloc(size_t n, size_t element_bytes) {
    void *memory = calloc(n ? n : 1, element_bytes);
    if (!memory)
        out_of_memory(n, element_bytes);
    return memory;
}

void *frs_alloc_aligned_lazily(size_t n, size_t element_bytes) {
    size_t bytes;
    if (__builtin_mul_overflow(n ? n : 1, element_bytes, &bytes) || bytes > SIZE_MAX - 63)
        out_of_memory(n, element_bytes);
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory)
        out_of_memory(n, element_bytes);
    return memory;
}

void *frs_alloc_aligned(size_t n, size_t element_bytes) {
    return memset(frs_alloc_aligned_lazily(n, element_bytes), 0, n * element_bytes);
}

void *frs_alloc_lazily(size_t n, size_t element_bytes) {
    size_t bytes;
    if (__builtin_mul_overflow(n ? n : 1, element_bytes, &bytes))
        out_of_memory(n, element_bytes);
    void *memory = malloc(bytes);
    if (!memory)
        out_of_memory(n, element_bytes);
    return memory;
}

void *frs_grow(void *array, size_t needed, size_t *capacity, size_t element_bytes) {
    if (array && needed <= *capacity)
        return array;
    size_t larger = *capacity ? *capacity : 8;
    while (larger < needed)
        larger = larger <= SIZE_MAX / 2 ? larger * 2 : needed;
    void *memory = reallocarray(array, larger, element_bytes);
    if (!memory)
        out_of_memory(larger, element_bytes);
    *capacity = larger;
    return memory;
}

char *frs_strdup(const char *text) {
    char *copy = strdup(text);
    if (!copy)
        out_of_memory(strlen(text) + 1, 1);
    return copy;
}

char *frs_format(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    FRS_INVARIANT(length >= 0, "cannot format a string");
    return text;
}

/* Every round frees and takes the same memory again, above all the stacks of actors. If the C library gave
 * it back to the system in between, a run would take a tenth longer and the other threads would have to
 * stop. */
void frs_memory_keep(void) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the largest that is allowed */
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_ARENA_MAX,
        1); /* what one thread has freed is there for all; kernels take from arenas of their own */
}
