#include "sim/base/arena.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u
#define FIRST_BLOCK_BYTES ((size_t)256 << 10)
#define LARGEST_BLOCK_BYTES ((size_t)64 << 20) /* but for what is larger itself */

struct frs_arena_block {
    struct frs_arena_block *older;
    size_t capacity;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

static void add_block(struct frs_arena *arena, size_t capacity) {
    struct frs_arena_block *block = frs_alloc_aligned_lazily(1, sizeof *block + capacity);
    block->older = arena->blocks;
    block->capacity = capacity;
    arena->blocks = block;
    arena->used = 0;
}

static size_t rounded_up(size_t bytes, size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

static void *take(struct frs_arena *arena, size_t bytes, size_t alignment) {
    bytes = rounded_up(bytes, alignment);
    size_t at = rounded_up(arena->used, alignment);
    if (!arena->blocks || arena->blocks->capacity < at + bytes) {
        size_t capacity = arena->blocks ? 2 * arena->blocks->capacity : FIRST_BLOCK_BYTES;
        capacity = capacity < LARGEST_BLOCK_BYTES ? capacity : LARGEST_BLOCK_BYTES;
        add_block(arena, capacity > bytes ? capacity : bytes);
        at = 0;
    }
    arena->total += at - arena->used + bytes;
    arena->used = at + bytes;
    return arena->blocks->bytes + at;
}

void *frs_arena_take(struct frs_arena *arena, size_t n, size_t element_bytes) {
    size_t bytes;
    FRS_INVARIANT(!__builtin_mul_overflow(n, element_bytes, &bytes) && bytes < SIZE_MAX / 4,
        "an arena is asked for %zu times %zu bytes", n, element_bytes);
    return take(arena, bytes, ALIGNMENT);
}

void *frs_arena_take_zeroed(struct frs_arena *arena, size_t n, size_t element_bytes) {
    return memset(frs_arena_take(arena, n, element_bytes), 0, n * element_bytes);
}

void *frs_arena_take_packed(struct frs_arena *arena, size_t bytes) {
    FRS_INVARIANT(bytes < SIZE_MAX / 4, "an arena is asked for %zu bytes", bytes);
    return take(arena, bytes, _Alignof(max_align_t));
}

struct frs_arena_mark frs_arena_mark(const struct frs_arena *arena) {
    return (struct frs_arena_mark){arena->blocks, arena->used, arena->total};
}

void frs_arena_release(struct frs_arena *arena, struct frs_arena_mark mark) {
    for (struct frs_arena_block *newest; (newest = arena->blocks) != mark.block; free(newest))
        arena->blocks = newest->older;
    arena->used = mark.used;
    arena->total = mark.total;
}

void frs_arena_reset(struct frs_arena *arena) {
    size_t total = arena->total;
    if (arena->blocks && arena->blocks->older) {
        frs_arena_fini(arena);
        add_block(arena, total);
    }
    arena->used = arena->total = 0;
}

void frs_arena_fini(struct frs_arena *arena) {
    frs_arena_release(arena, (struct frs_arena_mark){0});
}
