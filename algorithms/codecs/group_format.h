/* Rows in groups, as `groups` and `adaptive_groups` send them:
 *
 *   row set · groups u32 · n indices of ⌈log2 groups⌉ bits · groups · dim floats, the centres
 *
 * With groups = 0 the rows follow as they are, n · dim floats. Nominal: the floats alone, as FedRAS counts
 * (its section 5.1 calls the indices negligible). */
#ifndef FRS_ALGORITHMS_GROUP_FORMAT_H
#define FRS_ALGORITHMS_GROUP_FORMAT_H

#include "algorithms/codec.h"
#include "algorithms/kernels/algebra/cluster.h"

/* Keys `groups` and `compression_rate`, which between them say how many groups. */
#define FRS_GROUP_COUNT_PARAMS                                                                               \
    {.key = "groups",                                                                                        \
        .type = FRS_INT,                                                                                     \
        .initial = "0",                                                                                      \
        .min = 0,                                                                                            \
        .max = 1e9,                                                                                          \
        .help = "groups; 0: from compression_rate"},                                                         \
    {                                                                                                        \
        .key = "compression_rate", .type = FRS_REAL, .initial = "0.9375", .min = 0, .max = 1,                \
        .help = "share CR of the table's rows that is saved: (1 - CR) * rows groups"                         \
    }

struct frs_group_count {
    uint32_t groups;
    double compression_rate;
};

struct frs_group_count frs_group_count_read(const struct frs_values *values);

/* At least 1, at most the table's rows. */
size_t frs_group_count(const struct frs_group_count *count, size_t n_rows);

/* So many changed rows are sent as they are: what was granted (0: the count), but all rows where as many
 * groups of a whole table take no fewer bytes than its rows, because of the indices. */
size_t frs_group_raw(const struct frs_group_count *count, uint32_t budget, size_t n_rows, size_t dim);

/* An upload may have fewer groups, down to one. Foreseen as if every row had changed. */
struct frs_budgets frs_group_budgets(const struct frs_group_count *count, const struct frs_part *shape);
size_t frs_group_predicted_bytes(const struct frs_part *shape, uint32_t budget);

/* Returns the nominal bytes. */
size_t frs_groups_put(struct frs_buffer *out, const uint32_t *ids, size_t n, size_t n_rows, size_t dim,
    const struct frs_groups *groups);
size_t frs_rows_put_raw(
    struct frs_buffer *out, const uint32_t *ids, const float *values, size_t n, size_t n_rows, size_t dim);

/* Bytes of a message about n rows; groups = 0: the rows as they are. */
size_t frs_groups_bytes(size_t n_rows, size_t dim, size_t n, size_t groups);

bool frs_groups_take(
    struct frs_reader *in, size_t n_rows, size_t dim, struct frs_arena *arena, struct frs_rows *out);

#endif
