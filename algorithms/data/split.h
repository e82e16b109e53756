/* Split: which interactions are training, validation and test. */
#ifndef FRS_ALGORITHMS_DATA_SPLIT_H
#define FRS_ALGORITHMS_DATA_SPLIT_H

#include "algorithms/data/data.h"
#include "algorithms/data/interactions.h"
#include "algorithms/data/settings.h"

enum frs_part { FRS_PART_TRAINING, FRS_PART_VALIDATION, FRS_PART_TEST };

/* What newest means, and what becomes of the second newest. */
struct frs_leave_one_out {
    enum frs_order order;
    enum frs_ties ties; /* under FRS_ORDER_TIME: which of several interactions of the same time is newer */
    enum frs_validation validation;
};

/* Leave-one-out: the newest interaction of every user is for the test, the second newest for validation
 * (unless it is `train`). FRS_ORDER_RANDOM and FRS_TIES_RANDOM draw from a stream per user (purpose
 * ORDER). Every user needs at least 3 interactions (2 without validation). */
void frs_split_leave_one_out(const struct frs_interactions *interactions,
    const struct frs_leave_one_out *rule, uint64_t seed, uint8_t *parts);

/* Numbers of users whose newest, or second newest, interaction has a time that occurs more than once:
 * `ties` alone decides which item is held out. 0 in data without time. */
struct frs_ties_met {
    size_t test, validation;
};
struct frs_ties_met frs_split_ties(const struct frs_interactions *interactions);

/* How many of a user's n interactions a split by ratio holds out: round(test_ratio · n) for the test and
 * round(validation_ratio · n) for the validation, but at least one remains for training. */
struct frs_split_counts {
    size_t test, validation;
};
struct frs_split_counts frs_split_counts(size_t n, double test_ratio, double validation_ratio);

/* Splits random shares of every user's interactions, of these sizes. The split is per user, with a stream
 * per user (purpose SPLIT), so that every client has training data. The test part does not depend on the
 * validation ratio: validation is taken from the training part. */
void frs_split_ratio(const struct frs_interactions *interactions, double test_ratio, double validation_ratio,
    uint64_t seed, uint8_t *parts);

/* Fills in data->clients (items and ratings; excluded stays empty), the population with the scale of its
 * ratings, and the held-out parts, from the part [interactions->n] of every interaction. Ratings are 1
 * unless data->explicit_feedback. */
void frs_split_apply(
    const struct frs_interactions *interactions, const uint8_t *parts, struct frs_data *data);

/* How many interactions of a client are held out, for the validation and for the test. */
size_t frs_split_held_out(const struct frs_data *data, uint32_t client);

/* All items of a client, those held out included, ascending, into `items`. Returns how many. */
size_t frs_split_all_items(const struct frs_data *data, uint32_t client, uint32_t *items);

#endif
