#include "sim/forecast/growth.h"

#include <math.h>

/* Takes bytes and keeps their number. */
static void count(void *context, const void *bytes, size_t n) {
    (void)bytes;
    *(double *)context += (double)n;
}

static double kept_bytes(const struct frs_setup *setup, struct frs_feedback *feedback) {
    double bytes = 0;
    struct frs_archive archive = {.sink = count, .context = &bytes};
    frs_model_archive(setup->training.model, &archive);
    if (feedback)
        frs_feedback_archive(feedback, &archive);
    return bytes;
}

/* The bytes of all private state except the rows that a client accumulates, and, where a client predicts
 * with the table it trained, of that table. Excludes what codecs leave out of uploads. */
static double most_other_bytes(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    double values = frs_model_private_values(setup->training.model);
    if (setup->training.uplink_feedback || isnan(values))
        return INFINITY;
    size_t n_parts = frs_model_parts(setup->training.model, FRS_STATE, shapes);
    for (size_t i = 0; i < n_parts && frs_model_keeps_received(setup->training.model); i++)
        values += (double)(shapes[i].n_rows * (shapes[i].dim + 1));
    return fmax(sizeof(float) * values - frs_model_most_accumulated_bytes(setup->training.model), 0);
}

static double met_bytes(const struct frs_setup *setup) {
    double bytes = 0;
    struct frs_archive archive = {.sink = count, .context = &bytes};
    frs_model_archive_accumulated(setup->training.model, &archive);
    return bytes;
}

/* Where a round is announced to the model, only one trial is possible without the run. The state there is
 * that of the ratings, and complete from the first participation. */
static uint32_t trials(const struct frs_setup *setup) {
    const struct frs_learner *learner = setup->training.learner;
    if (learner->rounds && learner->rounds->broadcast)
        return 1;
    return setup->training.uplink_feedback ? FRS_GROWTH_TRIALS : 2;
}

/* The trial of a client whose work this is. */
static void try_one(const struct frs_setup *setup, const struct frs_client_update *work,
    struct frs_feedback *feedback, struct frs_growth *growth) {
    double before_bytes = kept_bytes(setup, feedback), met_before_bytes = met_bytes(setup);
    frs_model_commit(setup->training.model, work->client, work->private_state, work->private_bytes);
    if (feedback)
        frs_feedback_commit(feedback, work->client, &work->residual);
    double met = met_bytes(setup) - met_before_bytes;
    if (work->round < 2)
        growth->met_bytes[work->round] = met;
    growth->other_bytes[work->round] = kept_bytes(setup, feedback) - before_bytes - met;
}

void frs_growth_try(const struct frs_setup *setup, struct frs_client_update_order order,
    const uint32_t *clients, uint32_t n, struct frs_growth *growths) {
    struct frs_feedback *feedback = frs_training_feedback(&setup->training);
    struct frs_client_update_bench bench = {0};
    struct frs_client_update work = {.budget = frs_training_budgets(&setup->training).max};
    order.feedback = feedback;
    for (uint32_t i = 0; i < n; i++)
        growths[i] =
            (struct frs_growth){.most_met_bytes = frs_model_most_accumulated_bytes(setup->training.model),
                .most_other_bytes = most_other_bytes(setup)};
    for (; work.round < trials(setup); work.round++)
        for (uint32_t i = 0; i < n; i++) {
            work.client = clients[i];
            frs_client_update_run(&work, &setup->training, &order, &bench);
            /* Before anything is counted: tables that clients share belong to no single client. */
            frs_model_receive(setup->training.model, work.client, order.tables, work.round);
            try_one(setup, &work, feedback, &growths[i]);
        }
    frs_client_update_fini(&work);
    frs_client_update_bench_fini(&bench);
    frs_feedback_destroy(feedback);
}

/* Rows that n more participations add, each of which meets the same share of what is left. */
static double met_later_bytes(const struct frs_growth *growth, double n) {
    double left = growth->most_met_bytes - growth->met_bytes[0];
    if (!(left > 0))
        return 0;
    double share = fmin(fmax(growth->met_bytes[1] / left, 0), 1);
    return left * (1 - pow(1 - share, n));
}

/* After n more participations. */
static double other_bytes(const struct frs_growth *growth, double n) {
    const double *added = growth->other_bytes;
    double bytes = added[0];
    if (added[1] > 0) {
        double ratio = fmin(fmax(added[2] / added[1], 0), 1);
        bytes += added[1] * (ratio < 1 ? (1 - pow(ratio, n)) / (1 - ratio) : n);
    }
    return fmin(bytes, growth->most_other_bytes);
}

double frs_growth_client_bytes(const struct frs_growth *growth, double participations) {
    double further = fmax(participations - 1, 0);
    return growth->met_bytes[0] + met_later_bytes(growth, further) + other_bytes(growth, further);
}

double frs_growth_bytes(
    const struct frs_growth *growths, uint32_t n, double n_clients, double n_rounds, double per_round) {
    double share = fmin(per_round / n_clients, 1), sum_bytes = 0;
    double ever = 1 - pow(1 - share, n_rounds); /* took part, of all clients */
    if (n == 0 || !(ever > 0))
        return 0;
    for (uint32_t i = 0; i < n; i++)
        sum_bytes += frs_growth_client_bytes(&growths[i], n_rounds * share / ever);
    return n_clients * ever * sum_bytes / n;
}
