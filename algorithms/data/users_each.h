/* Users each: what loading does for every user by itself, on several threads. */
#ifndef FRS_ALGORITHMS_DATA_USERS_EACH_H
#define FRS_ALGORITHMS_DATA_USERS_EACH_H

#include <stddef.h>
#include <stdint.h>

/* As said by frs_data_set_threads (algorithms/data/data.h). */
size_t frs_users_threads(void);

/* Calls `work` for ranges [first, end) of all n users, in no certain order; thread < frs_users_threads().
 * `work` may write only data of these users or of its thread. */
void frs_users_each(
    void (*work)(void *context, uint32_t first, uint32_t end, size_t thread), void *context, uint32_t n);

#endif
