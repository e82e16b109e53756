/* Handles: things get numbers in the order in which they arrive, and are found by their number until it is
 * returned. The memory grows with the span from the oldest number that is still in use to the newest. */
#ifndef FRS_BASE_THREADS_HANDLES_H
#define FRS_BASE_THREADS_HANDLES_H

#include <stddef.h>

/* Zeroed: none yet, and the first number will be 0. */
struct frs_handles {
    void **things; /* [n] of numbers first … first + n − 1; NULL: returned */
    size_t first, n;
    size_t head, capacity; /* private: things starts `head` after the memory does */
};

void frs_handles_fini(struct frs_handles *handles);

/* Gives `thing` (not NULL) the next number. */
size_t frs_handles_take(struct frs_handles *handles, void *thing);

/* The thing of a number; NULL when it was returned or never taken. */
void *frs_handles_find(const struct frs_handles *handles, size_t number);

void frs_handles_return(struct frs_handles *handles, size_t number);

#endif
