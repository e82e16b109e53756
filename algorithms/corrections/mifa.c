/* MIFA: every round steps by the mean of the newest updates of all clients, however old: G_i ← Δ_i for i in
 * A, w ← w + (1/N) Σ G_j. It steps in rounds without uploads, too. With `start` = zeros G_j is 0 before
 * client j's first upload, as in public code; with all_heard no step is made before all have uploaded, as in
 * the paper. */
#include "algorithms/correction.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

enum start { ZEROS, ALL_HEARD };

static const char *const start_names[] = {[ZEROS] = "zeros", [ALL_HEARD] = "all_heard", NULL};

static const struct frs_param params[] = {
    {.key = "start",
        .type = FRS_CHOICE,
        .initial = "zeros",
        .choices = start_names,
        .help = "zeros: clients that have not uploaded yet count as updates of zero; all_heard: the tables "
                "stay as they are until every client has uploaded once, as the paper has it"},
    {0},
};

static void *create(const struct frs_values *values, uint32_t n_clients) {
    enum start *start = frs_alloc(1, sizeof *start);
    (void)n_clients;
    *start = (enum start)frs_values_choice(values, "start");
    return start;
}

static bool waits(const void *state, uint32_t heard, uint32_t n_clients) {
    return *(const enum start *)state == ALL_HEARD && heard < n_clients;
}

static double step(const struct frs_correction_means *means) {
    return means->all_after;
}

const struct frs_correction frs_correction_mifa = {
    .plugin = {.name = "mifa",
        .summary = "MIFA: the mean of the newest updates of all clients, of those that are absent, too",
        .source = "Gu et al., NeurIPS 2021, algorithm 1",
        .params = params},
    .divides_by_all = true,
    .steps_without = true,
    .flop = 1,
    .create = create,
    .step = step,
    .waits = waits,
};
