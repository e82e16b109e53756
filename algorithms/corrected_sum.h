/* Corrected sum: what a correction (algorithms/correction.h) makes of the uploads of a round, as one upload
 * that a learner's aggregation takes instead.
 *
 * N is the number of all clients, also of those that have never uploaded. Where `aggregation` is per_item
 * (frs_model_weighting), N of a row is the number of clients that touch it: a correction that weighs uploads
 * estimates it as Σ ω_i over the arrivals that changed the row, one that remembers updates as the number of
 * clients whose newest update has the row. With every client present both are the plain mean. */
#ifndef FRS_ALGORITHMS_CORRECTED_SUM_H
#define FRS_ALGORITHMS_CORRECTED_SUM_H

#include "algorithms/contribution.h"
#include "algorithms/correction.h"
#include "algorithms/learner.h"

struct frs_corrected_sum {
    const struct frs_correction *correction;
    bool is_there; /* false: the correction is "none" */
    double rate;   /* of the optimiser, for those under which clients keep models of their own */
    void *self;    /* what it keeps, a store of the model */
    size_t n_parts;
    struct frs_part parts[FRS_MAX_PARTS]; /* of uploads */
};

/* Whether this correction can stand behind this method with these settings; otherwise says in one line why it
 * cannot, and what is allowed instead (memory of its own, not to be freed). */
bool frs_corrected_sum_is_possible(const struct frs_learner *learner, const struct frs_model *model,
    const struct frs_correction *correction, const char **why);

/* Declares what it keeps, which is archived and destroyed with the model. */
struct frs_corrected_sum frs_corrected_sum_begin(
    struct frs_model *model, const struct frs_correction *correction, const struct frs_values *values);

/* The probabilities that the correction asks for, which are copied: [n_rounds × n_clients]; those of round t
 * are in row t mod n_rounds, each of a client that can upload in it above 0. */
void frs_corrected_sum_know(
    struct frs_corrected_sum *sum, const double *probabilities, uint32_t n_rounds, uint32_t n_clients);

/* The same, to be filled in by the caller. */
double *frs_corrected_sum_make_room(struct frs_corrected_sum *sum, uint32_t n_rounds, uint32_t n_clients);

/* Puts together the uploads of a round, none of them stale, into *one of weight 1. n may be 0 where the
 * correction steps without. False: no step is made in this round. */
bool frs_corrected_sum_take(const struct frs_corrected_sum *sum, struct frs_model *model, uint32_t round,
    const struct frs_contribution *contributions, size_t n, struct frs_arena *arena,
    struct frs_contribution *one);

/* Whether no step is made before every client has uploaded. */
bool frs_corrected_sum_waits_for_all(const struct frs_corrected_sum *sum);

/* Whether clients train from models of their own, and download after the aggregation. */
bool frs_corrected_sum_own_models(const struct frs_corrected_sum *sum);

/* The factor on the learning rates of clients in a round, in (0, 1]; 1: none. */
double frs_corrected_sum_client_rate(const struct frs_corrected_sum *sum, uint32_t round);

/* E ω of a client that uploads with probability p in each round, in round `round`; 1 where the correction
 * does not say. */
double frs_corrected_sum_expected(const struct frs_corrected_sum *sum, double p, uint32_t round);

/* The probabilities it was given, and how many; NULL: none. */
const double *frs_corrected_sum_probabilities(const struct frs_corrected_sum *sum, size_t *n);

/* Operations of that for n uploads beyond the two for each value that they bring. */
double frs_corrected_sum_flop(const struct frs_corrected_sum *sum, size_t n);

/* What it keeps at the server, in bytes: from the start, and for each client that has uploaded. */
double frs_corrected_sum_start_bytes(const struct frs_corrected_sum *sum);
double frs_corrected_sum_client_bytes(const struct frs_corrected_sum *sum);

#endif
