#include "sim/base/threads/handles.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void **memory_of(const struct frs_handles *handles) {
    return handles->things ? handles->things - handles->head : NULL;
}

void frs_handles_fini(struct frs_handles *handles) {
    free(memory_of(handles));
    *handles = (struct frs_handles){0};
}

/* Room for one more: at the end, or by moving everything to the front of the memory. */
static void make_room(struct frs_handles *handles) {
    void **memory = memory_of(handles);
    if (handles->head > handles->n) {
        memmove(memory, handles->things, handles->n * sizeof *memory);
        handles->head = 0;
    }
    memory = frs_grow(memory, handles->head + handles->n + 1, &handles->capacity, sizeof *memory);
    handles->things = memory + handles->head;
}

size_t frs_handles_take(struct frs_handles *handles, void *thing) {
    FRS_INVARIANT(thing, "a handle for nothing");
    make_room(handles);
    handles->things[handles->n] = thing;
    return handles->first + handles->n++;
}

void *frs_handles_find(const struct frs_handles *handles, size_t number) {
    return number >= handles->first && number - handles->first < handles->n
               ? handles->things[number - handles->first]
               : NULL;
}

void frs_handles_return(struct frs_handles *handles, size_t number) {
    FRS_INVARIANT(frs_handles_find(handles, number), "handle %zu is not out", number);
    handles->things[number - handles->first] = NULL;
    while (handles->n > 0 && !handles->things[0]) {
        handles->things++;
        handles->head++;
        handles->first++;
        handles->n--;
    }
}
