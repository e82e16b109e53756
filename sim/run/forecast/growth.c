#include "sim/run/forecast/growth.h"

#include <math.h>

/* Takes bytes and keeps their number. */
static void count(void *context, const void *bytes, size_t n) {
    (void)bytes;
    *(double *)context += (double)n;
}

static double kept_bytes(const struct frs_setup *setup, struct frs_feedback *feedback) {
    double bytes = 0;
    struct frs_archive archive = {.sink = count, .context = &bytes};
    frs_model_archive(setup->model, &archive);
    if (feedback)
        frs_feedback_archive(feedback, &archive);
    return bytes;
}

/* Everything that is private and, where a client predicts with the table it trained, that table. Residuals are
 * not among it. */
static double most_bytes(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    if (setup->uplink_feedback)
        return 0;
    double values = frs_model_private_values(setup->model);
    bool keeps_received = frs_model_keeps_received(setup->model);
    if (isnan(values))
        return 0;
    size_t n_parts = frs_model_parts(setup->model, FRS_STATE, shapes);
    for (size_t i = 0; i < n_parts; i++)
        values += (double)(shapes[i].n_rows * (keeps_received ? shapes[i].dim + 1 : 1));
    return values * sizeof(float);
}

void frs_growth_try(const struct frs_setup *setup, struct frs_work_order order, const uint32_t *clients,
    uint32_t n, struct frs_growth *growths) {
    const struct frs_learner *learner = setup->learner;
    struct frs_feedback *feedback = frs_setup_feedback(setup);
    struct frs_workbench bench = {0};
    struct frs_work work = {.budget = frs_setup_budgets(setup).max};
    /* Where a round is announced to the model, further ones cannot be tried without the run; state is that of
     * the ratings there, and complete from the first. */
    uint32_t n_trials = learner->rounds && learner->rounds->broadcast ? 1 : FRS_GROWTH_TRIALS;
    order.feedback = feedback;
    for (uint32_t i = 0; i < n; i++)
        growths[i] = (struct frs_growth){.most_bytes = most_bytes(setup)};
    bool grows = true;
    for (; work.round < n_trials && grows; work.round++) {
        grows = work.round == 0;
        for (uint32_t i = 0; i < n; i++) {
            work.client = clients[i];
            frs_work_run(&work, setup, &order, &bench);
            /* Before anything is counted: tables that clients share are nobody's own. */
            frs_model_receive(setup->model, work.client, order.tables, work.round);
            double before_bytes = kept_bytes(setup, feedback);
            frs_model_commit(setup->model, work.client, work.private_state, work.private_bytes);
            if (feedback)
                frs_feedback_commit(feedback, work.client, &work.residual);
            growths[i].added_bytes[work.round] = kept_bytes(setup, feedback) - before_bytes;
            grows = grows || growths[i].added_bytes[work.round] > 0;
        }
    }
    frs_work_fini(&work);
    frs_workbench_fini(&bench);
    frs_feedback_destroy(feedback);
}

double frs_growth_client_bytes(const struct frs_growth *growth, double participations) {
    const double *added = growth->added_bytes;
    double further = participations - 1, bytes = added[0];
    if (further > 0 && added[1] > 0) {
        double ratio = fmin(fmax(added[2] / added[1], 0), 1);
        bytes += added[1] * (ratio < 1 ? (1 - pow(ratio, further)) / (1 - ratio) : further);
    }
    return growth->most_bytes > 0 ? fmin(bytes, growth->most_bytes) : bytes;
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
