/* Candidates: the items among which a held-out item is ranked, where they are a sample: the evaluation's
 * negatives. */
#ifndef FRS_ALGORITHMS_DATA_CANDIDATES_H
#define FRS_ALGORITHMS_DATA_CANDIDATES_H

#include "algorithms/data/data.h"

/* Draws data->n_negatives distinct items per client from all items with which the client has not
 * interacted (training, validation and test alike). Each client has a stream of its own (purpose
 * EVALUATION). */
enum frs_status frs_candidates_draw(
    struct frs_data *data, const struct frs_values *evaluation, struct frs_errors *errors) FRS_MUST_CHECK;

/* Clients whose items without interaction are too few to draw from. */
struct frs_candidates_shortage {
    uint32_t n_clients, client; /* how many, and one with the fewest such items, */
    size_t least;               /* which are so many */
};

/* Takes note of one client with so many interactions. */
void frs_candidates_look_at(const struct frs_data *data, uint32_t client, size_t n_interactions,
    struct frs_candidates_shortage *shortage);

/* The error where clients have too few items: for how many clients, and which number would do for all. */
enum frs_status frs_candidates_check(const struct frs_data *data,
    const struct frs_candidates_shortage *shortage, const struct frs_values *evaluation,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
