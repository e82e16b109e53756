/* Server step: a correction of what the uploads add up to (algorithms/correction.h), a learner's aggregation,
 * a privacy mechanism's noise on it, and the server optimiser (algorithms/optimiser.h), in this order, before
 * the tables change.
 *
 * The optimiser is given what the aggregation would add to the server's tables: for methods that send
 * updates the aggregated update, for methods that send state the difference that it makes to the tables.
 * Rows that no upload has touched have changes of zero, and their moments go on like those of others:
 * momentum moves a row even after its last upload. A method that sends updates sends the resulting step,
 * so that the downlink's codec and the clients get the step and not the aggregate. */
#ifndef FRS_ALGORITHMS_SERVER_STEP_H
#define FRS_ALGORITHMS_SERVER_STEP_H

#include "algorithms/corrected_sum.h"
#include "algorithms/learner.h"
#include "algorithms/optimiser.h"

struct frs_server_step {
    const struct frs_optimiser *optimiser;
    const struct frs_learner *learner;
    const struct frs_privacy_mechanism_list
        *mechanisms; /* of which one may add noise to the aggregate; NULL: none */
    struct frs_optimiser_settings settings;
    struct frs_corrected_sum correction;
    bool rests; /* no optimiser changes the aggregate */
    size_t n_parts;
    struct frs_part parts[FRS_MAX_PARTS]; /* what the optimiser is given: tables, or updates of them */
    struct frs_moments moments[FRS_MAX_PARTS];
};

/* Whether this optimiser can follow this method's aggregation. If not, one line says why, and what is
 * allowed instead (memory of its own, not to be freed). */
bool frs_server_step_is_possible(
    const struct frs_learner *learner, const struct frs_optimiser *optimiser, const char **why);

/* Declares the moments, which are archived and destroyed with the model. */
struct frs_server_step frs_server_step_begin(const struct frs_learner *learner, struct frs_model *model,
    const struct frs_optimiser *optimiser, const struct frs_values *values);

/* The correction that stands before it: to be called after frs_server_step_begin, once; without a call there
 * is none. Where clients keep models of their own (algorithms/correction.h) the rate belongs to it, and the
 * optimiser, which has no moments then, rests. */
void frs_server_step_correct(struct frs_server_step *step, struct frs_model *model,
    const struct frs_correction *correction, const struct frs_values *values);

/* `aggregate` of the learner in a round, behind the correction, with noise on its result and the optimiser
 * behind it. n may be 0 where the correction steps without uploads. */
void frs_server_step_aggregate(const struct frs_server_step *step, struct frs_model *model, uint32_t round,
    const struct frs_contribution *contributions, size_t n, struct frs_arena *arena, struct frs_rows *update);

/* Whether the correction also steps in rounds in which nothing arrives. */
bool frs_server_step_steps_without(const struct frs_server_step *step);

/* Operations of that for n uploads of so many values in all; 0 where nothing has arrived, and the correction
 * makes no step without. */
double frs_server_step_flop(
    const struct frs_server_step *step, const struct frs_model *model, size_t n, double values);

#endif
