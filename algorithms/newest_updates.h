/* Newest updates: the last update of every client that has uploaded, as the server keeps them for corrections
 * that step by those of absent clients (algorithms/correction.h): a table for each client, allocated with its
 * first upload, and their sum. */
#ifndef FRS_ALGORITHMS_NEWEST_UPDATES_H
#define FRS_ALGORITHMS_NEWEST_UPDATES_H

#include "algorithms/contribution.h"
#include "algorithms/correction.h"
#include "sim/base/arena.h"

#include <stdbool.h>

struct frs_archive; /* sim/base/files/archive.h */
struct frs_pool;    /* sim/base/threads/pool.h */

struct frs_newest_updates;

struct frs_newest_updates *frs_newest_updates_create(
    uint32_t n_clients, const struct frs_part *parts, size_t n_parts);
void frs_newest_updates_destroy(struct frs_newest_updates *newest);

/* How one part of the uploads of a round is put together. */
struct frs_newest_order {
    const struct frs_correction *correction;
    const struct frs_contribution *contributions; /* [n] ascending client ids */
    size_t n, part;
    bool by_row;           /* the means of a row are over the clients whose newest update has it */
    struct frs_pool *pool; /* whose threads share the rows, so that every sum is made in one order; NULL: the
                              caller alone */
};

/* Makes the updates of this part the newest of their clients, and gives what the rule makes of its means:
 * the rows that move, ascending, in the arena. */
struct frs_rows frs_newest_updates_step(
    struct frs_newest_updates *newest, const struct frs_newest_order *order, struct frs_arena *arena);

/* Clients that have uploaded. */
uint32_t frs_newest_updates_heard(const struct frs_newest_updates *newest);

/* Memory of one client's table, and of what is there from the start, in bytes. */
double frs_newest_updates_bytes(const struct frs_part *parts, size_t n_parts);
double frs_newest_updates_sum_bytes(const struct frs_part *parts, size_t n_parts);

void frs_newest_updates_archive(struct frs_newest_updates *newest, struct frs_archive *archive);

#endif
