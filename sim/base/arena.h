/* Arena: memory that is given back all at once, or down to a mark. A block that was taken does not move
 * until then, so a growing array is never copied and leaves no holes. Each worker keeps one arena, so that
 * inner loops never allocate. */
#ifndef FRS_BASE_ARENA_H
#define FRS_BASE_ARENA_H

#include <stddef.h>

struct frs_arena_block;

/* Zeroed: empty. */
struct frs_arena {
    struct frs_arena_block *blocks; /* newest first */
    size_t used;                    /* bytes of the newest block */
    size_t total;                   /* bytes taken since the last reset, with what alignment costs */
};

/* `n` elements aligned to 64 bytes; not zeroed, valid until the next reset. */
void *frs_arena_take(struct frs_arena *arena, size_t n, size_t element_bytes)
    __attribute__((malloc, returns_nonnull));

/* The same, zeroed. */
void *frs_arena_take_zeroed(struct frs_arena *arena, size_t n, size_t element_bytes)
    __attribute__((malloc, returns_nonnull));

/* Returns bytes that are aligned for any type and not zeroed. It is meant for many small things:
 * frs_arena_take would round each of them up to 64 bytes. */
void *frs_arena_take_packed(struct frs_arena *arena, size_t bytes) __attribute__((malloc, returns_nonnull));

/* What has been taken so far. A mark is valid until the arena is reset, or released to an older mark. */
struct frs_arena_mark {
    struct frs_arena_block *block;
    size_t used, total;
};

struct frs_arena_mark frs_arena_mark(const struct frs_arena *arena);

/* Gives back all that was taken after the mark. */
void frs_arena_release(struct frs_arena *arena, struct frs_arena_mark mark);

/* Forgets everything taken and keeps one block large enough for as much again. */
void frs_arena_reset(struct frs_arena *arena);

/* Frees everything; the arena is empty and usable again. */
void frs_arena_fini(struct frs_arena *arena);

#endif
