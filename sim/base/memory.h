/* Memory: allocation that cannot return NULL.
 *
 * A simulator that runs out of memory has nothing sensible left to do: the program says how much it asked
 * for and exits with 1. Results get their final name only when they are complete, so nothing half-written
 * has it. */
#ifndef FRS_BASE_MEMORY_H
#define FRS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed array of `n` elements; freed with free(). */
void *frs_alloc(size_t n, size_t element_bytes) __attribute__((malloc, returns_nonnull));

/* Zeroed array aligned to 64 bytes (a cache line, a vector register); freed with free(). */
void *frs_alloc_aligned(size_t n, size_t element_bytes) __attribute__((malloc, returns_nonnull));

/* Array of unspecified content, of which the system gives what is written to; freed with free(). */
void *frs_alloc_lazily(size_t n, size_t element_bytes) __attribute__((malloc, returns_nonnull));

/* The same, aligned to 64 bytes. */
void *frs_alloc_aligned_lazily(size_t n, size_t element_bytes) __attribute__((malloc, returns_nonnull));

/* Makes room for `needed` elements, doubling `*capacity` as often as necessary; new space is not zeroed. */
void *frs_grow(void *array, size_t needed, size_t *capacity, size_t element_bytes)
    __attribute__((returns_nonnull));

/* For a process that takes and frees the same memory again and again: none of it goes back to the system. */
void frs_memory_keep(void);

/* Whether the address space is limited (ulimit -v). */
bool frs_memory_is_limited(void);

/* Memory of this machine in bytes, however much of it is in use. */
double frs_memory_of_machine(void);

/* Checks that there is room for this much memory where the address space is limited. It is called before a
 * library that does not check its own allocations. */
void frs_memory_require(size_t n, size_t element_bytes);

/* Room ran out elsewhere. */
_Noreturn void frs_memory_exhausted(void);

char *frs_strdup(const char *text) __attribute__((malloc, returns_nonnull));

/* printf into a new string; freed with free(). */
char *frs_format(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

#endif
