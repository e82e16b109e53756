/* Arena: memory for one task, given back all at once. Workers keep one each, so that inner loops never
 * allocate. */
#ifndef FRS_BASE_ARENA_H
#define FRS_BASE_ARENA_H

#include <stddef.h>

struct frs_arena_block;

struct frs_arena {
    struct frs_arena_block *blocks; /* newest first */
    size_t used;                    /* of the newest block */
    size_t total;                   /* taken since the last reset */
};

/* `n` elements aligned to 64 bytes; not zeroed, valid until the next reset. */
void *frs_arena_take(struct frs_arena *arena, size_t n, size_t element_bytes)
    __attribute__((malloc, returns_nonnull));

/* The same, zeroed. */
void *frs_arena_take_zeroed(struct frs_arena *arena, size_t n, size_t element_bytes)
    __attribute__((malloc, returns_nonnull));

/* Forgets everything taken and keeps one block large enough for as much again. */
void frs_arena_reset(struct frs_arena *arena);

/* Frees everything; the arena is empty and usable again. A zeroed struct is an empty arena. */
void frs_arena_fini(struct frs_arena *arena);

#endif
