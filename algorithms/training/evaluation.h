/* Evaluation: how good the recommendations are, over all clients. Free and omniscient: it costs no
 * simulated time and reads committed private states of clients that are offline, too. */
#ifndef FRS_ALGORITHMS_TRAINING_EVALUATION_H
#define FRS_ALGORITHMS_TRAINING_EVALUATION_H

#include "algorithms/scorer.h"
#include "sim/base/files/archive.h"
#include "sim/base/threads/pool.h"
#include "algorithms/data/data.h"
#include "algorithms/metrics/quality.h"

struct frs_evaluation;

/* `data` decides candidates and protocol, `ranking` how the lists of users are judged. Borrows the data and
 * the pool for its life. */
struct frs_evaluation *frs_evaluation_create(
    const struct frs_data *data, const struct frs_list_rules *ranking, struct frs_pool *pool);
void frs_evaluation_destroy(struct frs_evaluation *evaluation);

/* Scores every held-out interaction of every user, on all threads. Predicted ratings are clipped to the
 * scale of the data. Where clients hold several users the scorer is called for users. */
void frs_evaluation_run(struct frs_evaluation *evaluation, const struct frs_scorer *scorer);

/* The same for one client, whose results replace its earlier ones; on the calling thread, while no evaluation
 * runs. */
void frs_evaluation_run_client(
    struct frs_evaluation *evaluation, const struct frs_scorer *scorer, uint32_t client);

/* Means over the results of the last runs. `trained[u]` says whether client u has trained; NULL: all have. */
struct frs_quality frs_evaluation_quality(const struct frs_evaluation *evaluation, const bool *trained);

/* Saves or loads what the last runs found. */
void frs_evaluation_archive(struct frs_evaluation *evaluation, struct frs_archive *archive);

/* The figures of one client's test items in the last run; n is 0 when it has none. Not from several threads.
 */
struct frs_scores frs_evaluation_client(const struct frs_evaluation *evaluation, uint32_t client);

/* Rank of a client's first held-out item among its candidates in the last run, the mean over orders of equal
 * scores where ties are `mean`; NaN when it has none, or under explicit feedback. */
double frs_evaluation_rank(const struct frs_evaluation *evaluation, uint32_t client);

#endif
