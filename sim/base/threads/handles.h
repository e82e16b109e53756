/* Tickets: things numbered in the order in which they came, found by number until they are returned. Memory
 * is that of the span from the oldest one still out to the newest. */
#ifndef FRS_BASE_THREADS_HANDLES_H
#define FRS_BASE_THREADS_HANDLES_H

#include <stddef.h>

/* Zeroed: none yet, and the first number will be 0. */
struct frs_tickets {
    void **things; /* [n] of numbers first … first + n − 1; NULL: returned */
    size_t first, n;
    size_t head, capacity; /* private: things starts `head` after the memory does */
};

void frs_tickets_fini(struct frs_tickets *tickets);

/* Gives `thing` (not NULL) the next number. */
size_t frs_tickets_take(struct frs_tickets *tickets, void *thing);

/* The thing of a number; NULL when it was returned or never taken. */
void *frs_tickets_find(const struct frs_tickets *tickets, size_t number);

void frs_tickets_return(struct frs_tickets *tickets, size_t number);

#endif
