#include "sim/base/threads/handles.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void **memory_of(const struct frs_tickets *tickets) {
    return tickets->things ? tickets->things - tickets->head : NULL;
}

void frs_tickets_fini(struct frs_tickets *tickets) {
    free(memory_of(tickets));
    *tickets = (struct frs_tickets){0};
}

/* Room for one more: at the end, or by moving everything to the front of the memory. */
static void make_room(struct frs_tickets *tickets) {
    void **memory = memory_of(tickets);
    if (tickets->head > tickets->n) {
        memmove(memory, tickets->things, tickets->n * sizeof *memory);
        tickets->head = 0;
    }
    memory = frs_grow(memory, tickets->head + tickets->n + 1, &tickets->capacity, sizeof *memory);
    tickets->things = memory + tickets->head;
}

size_t frs_tickets_take(struct frs_tickets *tickets, void *thing) {
    FRS_INVARIANT(thing, "a ticket for nothing");
    make_room(tickets);
    tickets->things[tickets->n] = thing;
    return tickets->first + tickets->n++;
}

void *frs_tickets_find(const struct frs_tickets *tickets, size_t number) {
    return number >= tickets->first && number - tickets->first < tickets->n
               ? tickets->things[number - tickets->first]
               : NULL;
}

void frs_tickets_return(struct frs_tickets *tickets, size_t number) {
    FRS_INVARIANT(frs_tickets_find(tickets, number), "ticket %zu is not out", number);
    tickets->things[number - tickets->first] = NULL;
    while (tickets->n > 0 && !tickets->things[0]) {
        tickets->things++;
        tickets->head++;
        tickets->first++;
        tickets->n--;
    }
}
