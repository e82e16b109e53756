#include "sim/base/arena.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u
#define FIRST_BLOCK_BYTES (256u << 10)

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

void *frs_arena_take(struct frs_arena *arena, size_t n, size_t element_bytes) {
    size_t bytes;
    FRS_INVARIANT(!__builtin_mul_overflow(n, element_bytes, &bytes) && bytes < SIZE_MAX / 4,
        "an arena is asked for %zu times %zu bytes", n, element_bytes);
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!arena->blocks || arena->blocks->capacity - arena->used < bytes) {
        size_t capacity = arena->blocks ? 2 * arena->blocks->capacity : FIRST_BLOCK_BYTES;
        add_block(arena, capacity > bytes ? capacity : bytes);
    }
    void *memory = arena->blocks->bytes + arena->used;
    arena->used += bytes;
    arena->total += bytes;
    return memory;
}

void *frs_arena_take_zeroed(struct frs_arena *arena, size_t n, size_t element_bytes) {
    return memset(frs_arena_take(arena, n, element_bytes), 0, n * element_bytes);
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
    while (arena->blocks) {
        struct frs_arena_block *older = arena->blocks->older;
        free(arena->blocks);
        arena->blocks = older;
    }
    *arena = (struct frs_arena){0};
}
