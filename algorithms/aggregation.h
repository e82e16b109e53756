/* Aggregation: averages of uploaded rows on the server, in client-id order and in double precision. */
#ifndef FRS_ALGORITHMS_AGGREGATION_H
#define FRS_ALGORITHMS_AGGREGATION_H

#include "algorithms/contribution.h"
#include "sim/base/arena.h"

struct frs_pool; /* sim/base/threads/pool.h */

enum frs_weighting {
    FRS_DATA_SIZE, /* w_u = |D_u| / Σ |D_u| over what arrived */
    FRS_UNIFORM,   /* w_u = 1 / number of arrivals */
    FRS_PER_ITEM,  /* per row, 1 / number of arrivals that changed the row */
};

extern const char *const frs_weighting_names[]; /* enum frs_weighting */

/* Entry of a learner's parameter table. */
#define FRS_AGGREGATION_PARAM(by_default)                                                                    \
    {                                                                                                        \
        .key = "aggregation", .type = FRS_CHOICE, .initial = by_default, .choices = frs_weighting_names,     \
        .help = "weight of an upload: data_size, uniform, or per_item over the clients that changed the "    \
                "item"                                                                                       \
    }

/* Where uploads have several versions, τ_u old, the three means are as follows, with s(τ_u) =
 * contribution.staleness_scale:
 *   data_size  Σ |D_u| s(τ_u) Δ_u / Σ |D_u|
 *   uniform    Σ s(τ_u) Δ_u / K                     FedBuff (Nguyen et al. 2022, algorithm 1), K arrivals
 *   per_item   for item i Σ s(τ_u) Δ_u,i / K_i      over the K_i arrivals that changed it
 * This is the rule of fresh uploads with s(τ_u) Δ_u in place of Δ_u. */

/* Returns the weighted mean (with weights given by the contributions: the weighted sum) over the
 * contributions of (row − base row) for part `part`. Rows that a client did not send count as unchanged;
 * without base the row itself is the change. The result has the rows that at least one client sent, in
 * ascending order, with memory from the arena. Contributions that are `apart` add weight only. The threads
 * of the pool, which has nothing else to do, share the rows among them, so that each sum is made in one
 * order; NULL: the caller alone. */
struct frs_rows frs_aggregate_changes(const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, struct frs_pool *pool, struct frs_arena *arena);

/* The same where contribution c has also multiplied all its rows by kept[c]: the mean of (row − kept ·
 * base row). Rows that a client did not send changed only by the factor, which the caller applies. */
struct frs_rows frs_aggregate_decayed(const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, const float *kept, struct frs_pool *pool, struct frs_arena *arena);

/* The same mean, bit for bit, for contributions that come one after the other in client-id order and need not
 * be kept. */
struct frs_row_sums {
    size_t n_rows, dim;
    double total;      /* of the weights added */
    double *sums;      /* [n_rows × dim] */
    uint32_t *senders; /* [n_rows] */
};

void frs_row_sums_init(struct frs_row_sums *sums, size_t n_rows, size_t dim);
void frs_row_sums_fini(struct frs_row_sums *sums);
/* Adds a contribution without a weight of its own. kept: the factor by which the client has also
 * multiplied all rows of its base, as above; 1: none. */
void frs_row_sums_add(struct frs_row_sums *sums, const struct frs_contribution *contribution, size_t part,
    enum frs_weighting weighting, float kept);

/* Returns the sums divided by `divisor`, or, under FRS_BY_SENDERS, each row divided by the number of
 * contributions that had it. The sums are empty afterwards. */
#define FRS_BY_SENDERS (-1.0)
struct frs_rows frs_row_sums_take(struct frs_row_sums *sums, double divisor, struct frs_arena *arena);

/* table += frs_aggregate_changes. */
void frs_aggregate_into(float *table, const struct frs_contribution *contributions, size_t n, size_t part,
    enum frs_weighting weighting, struct frs_pool *pool, struct frs_arena *arena);

/* sum / share, value by value and 0 where the share is 0: of rows with the same ids, memory from the arena.
 */
struct frs_rows frs_rows_divided(
    const struct frs_rows *sum, const struct frs_rows *share, struct frs_arena *arena);

/* The rows of a whole table's `change` [n_rows × dim] that are not all zero, ascending. They are moved
 * together to the beginning of `change`, which the result points to; the ids are from the arena. */
struct frs_rows frs_rows_that_move(const struct frs_part *part, float *change, struct frs_arena *arena);

/* table[ids[i]] += values[i] */
void frs_rows_add_to(const struct frs_rows *rows, float *table);

/* Rows of a state become the update that leads to them: values[i] − table[ids[i]], in the arena. */
void frs_rows_to_update(struct frs_rows *rows, const float *table, struct frs_arena *arena);

#endif
