#include "sim/base/pile.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdint.h>
#include <stdlib.h>

#define BLOCK_BYTES ((size_t)256 << 10)
#define ALIGNMENT _Alignof(max_align_t)

struct frs_pile_block {
    struct frs_pile_block *below;
    size_t capacity;
    _Alignas(max_align_t) unsigned char bytes[];
};

static void add_block(struct frs_pile *pile, size_t capacity) {
    struct frs_pile_block *block = frs_alloc_lazily(1, sizeof *block + capacity);
    block->below = pile->top;
    block->capacity = capacity;
    pile->top = block;
    pile->used = 0;
}

void *frs_pile_put(struct frs_pile *pile, size_t bytes) {
    FRS_INVARIANT(bytes < SIZE_MAX / 2, "a pile is to take %zu bytes", bytes);
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t whole = BLOCK_BYTES - sizeof(struct frs_pile_block);
    if (!pile->top || pile->top->capacity - pile->used < bytes)
        add_block(pile, bytes > whole ? bytes : whole);
    void *room = pile->top->bytes + pile->used;
    pile->used += bytes;
    pile->n += bytes;
    return room;
}

void frs_pile_cut(struct frs_pile *pile, const struct frs_pile *before) {
    for (struct frs_pile_block *top; (top = pile->top) != before->top; free(top))
        pile->top = top->below;
    *pile = *before;
}

void frs_pile_fini(struct frs_pile *pile) {
    frs_pile_cut(pile, &(struct frs_pile){0});
}
