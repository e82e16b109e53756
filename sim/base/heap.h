/* Heap: the smallest of (key, tie) first; entries know their place, so that any of them can be taken out. */
#ifndef FRS_BASE_HEAP_H
#define FRS_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Every entry has so many children: a heap of times is flat, and what is compared lies side by side. */
#define FRS_HEAP_ARITY 4

#define FRS_HEAP_NOWHERE UINT32_MAX

struct frs_heap_entry {
    double key;
    uint64_t tie;  /* among equal keys */
    uint32_t item; /* the caller's */
};

/* The positions of items in a heap. Several heaps may share one register if no item is in two of them at a
 * time. A zeroed struct is empty. */
struct frs_heap_places {
    uint32_t *at; /* [item], FRS_HEAP_NOWHERE when it is in no heap */
    size_t n, capacity;
};

struct frs_heap {
    struct frs_heap_entry *entries;
    size_t n, capacity;
    struct frs_heap_places *places; /* borrowed */
};

void frs_heap_fini(struct frs_heap *heap);
void frs_heap_places_fini(struct frs_heap_places *places);

/* Puts an item in, or moves it to another key when it is in. */
void frs_heap_put(struct frs_heap *heap, uint32_t item, double key, uint64_t tie);

/* Takes an item out; nothing happens when it is not in. */
void frs_heap_remove(struct frs_heap *heap, uint32_t item);

/* The smallest entry, or NULL. Its children stand behind it. */
const struct frs_heap_entry *frs_heap_top(const struct frs_heap *heap);

int frs_heap_has(const struct frs_heap *heap, uint32_t item);

#endif
