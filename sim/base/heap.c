#include "sim/base/heap.h"
#include "sim/base/memory.h"

#include <stdlib.h>

void frs_heap_fini(struct frs_heap *heap) {
    free(heap->entries);
    *heap = (struct frs_heap){0};
}

void frs_heap_places_fini(struct frs_heap_places *places) {
    free(places->at);
    *places = (struct frs_heap_places){0};
}

static int before(const struct frs_heap_entry *a, const struct frs_heap_entry *b) {
    return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

static void set(struct frs_heap *heap, size_t place, struct frs_heap_entry entry) {
    heap->entries[place] = entry;
    heap->places->at[entry.item] = (uint32_t)place;
}

/* The entry belongs at this place, or above it. */
static void sift_up(struct frs_heap *heap, size_t place, struct frs_heap_entry entry) {
    while (place > 0 && before(&entry, &heap->entries[(place - 1) / FRS_HEAP_ARITY])) {
        set(heap, place, heap->entries[(place - 1) / FRS_HEAP_ARITY]);
        place = (place - 1) / FRS_HEAP_ARITY;
    }
    set(heap, place, entry);
}

static size_t least_child(const struct frs_heap *heap, size_t place) {
    size_t first = FRS_HEAP_ARITY * place + 1, least = first,
           end = first + FRS_HEAP_ARITY < heap->n ? first + FRS_HEAP_ARITY : heap->n;
    for (size_t child = first + 1; child < end; child++)
        if (before(&heap->entries[child], &heap->entries[least]))
            least = child;
    return least;
}

/* The entry belongs at this place, or below it. */
static void sift_down(struct frs_heap *heap, size_t place, struct frs_heap_entry entry) {
    while (FRS_HEAP_ARITY * place + 1 < heap->n) {
        size_t child = least_child(heap, place);
        if (!before(&heap->entries[child], &entry))
            break;
        set(heap, place, heap->entries[child]);
        place = child;
    }
    set(heap, place, entry);
}

static void sift(struct frs_heap *heap, size_t place, struct frs_heap_entry entry) {
    if (place > 0 && before(&entry, &heap->entries[(place - 1) / FRS_HEAP_ARITY]))
        sift_up(heap, place, entry);
    else
        sift_down(heap, place, entry);
}

static void make_place(struct frs_heap_places *places, uint32_t item) {
    if (item < places->n)
        return;
    places->at = frs_grow(places->at, (size_t)item + 1, &places->capacity, sizeof *places->at);
    while (places->n <= item)
        places->at[places->n++] = FRS_HEAP_NOWHERE;
}

int frs_heap_has(const struct frs_heap *heap, uint32_t item) {
    return item < heap->places->n && heap->places->at[item] != FRS_HEAP_NOWHERE;
}

void frs_heap_put(struct frs_heap *heap, uint32_t item, double key, uint64_t tie) {
    make_place(heap->places, item);
    size_t place = heap->places->at[item];
    if (place == FRS_HEAP_NOWHERE) {
        heap->entries = frs_grow(heap->entries, heap->n + 1, &heap->capacity, sizeof *heap->entries);
        place = heap->n++;
    }
    sift(heap, place, (struct frs_heap_entry){.key = key, .tie = tie, .item = item});
}

void frs_heap_remove(struct frs_heap *heap, uint32_t item) {
    if (!frs_heap_has(heap, item))
        return;
    size_t place = heap->places->at[item];
    heap->places->at[item] = FRS_HEAP_NOWHERE;
    struct frs_heap_entry last = heap->entries[--heap->n];
    if (place < heap->n)
        sift(heap, place, last);
}

const struct frs_heap_entry *frs_heap_top(const struct frs_heap *heap) {
    return heap->n > 0 ? &heap->entries[0] : NULL;
}
