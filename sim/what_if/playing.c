#include "sim/what_if/playing.h"
#include "actors/backend.h"
#include "algorithms/kernels/algebra/library.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/rounds/simulation.h"
#include "sim/setup/compose/compose.h"
#include "sim/setup/training_key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The what-if being played. */
struct playing {
    const struct frs_what_if_order *order;
    size_t which;
    struct frs_what_if_answer *answer;
    bool trained;
    size_t limit;   /* rounds to play */
    double *ends_s; /* [n] when rounds closed */
    size_t n, capacity;
};

static _Noreturn void answer(
    const struct playing *playing, enum frs_what_if_end end, size_t rounds, const char *why) {
    struct frs_what_if_answer *answer = playing->answer;
    *answer = (struct frs_what_if_answer){.trained = playing->trained,
        .rounds = rounds,
        .seconds = rounds > 0 ? playing->ends_s[rounds - 1] : 0};
    snprintf(answer->why, sizeof answer->why, "%s", why);
    answer->end = end;
    _exit(0);
}

static void round_closed(
    void *context, size_t rounds_done, double simulated_s, const char *metric, double value) {
    struct playing *playing = context;
    (void)rounds_done, (void)metric, (void)value;
    playing->ends_s = frs_grow(playing->ends_s, playing->n + 1, &playing->capacity, sizeof *playing->ends_s);
    playing->ends_s[playing->n++] = simulated_s;
    if (playing->n == playing->limit)
        answer(playing, FRS_WHAT_IF_PLAYED, playing->n, "");
}

/* Called before anything is trained. */
static void needs_training(void *context) {
    struct playing *playing = context;
    const struct frs_what_if_order *order = playing->order;
    if (order->most_trained == 0)
        answer(playing, FRS_WHAT_IF_NEEDS_TRAINING, 0, "");
    if (playing->n >= order->most_trained) /* so far nothing had to be */
        answer(playing, FRS_WHAT_IF_PLAYED, order->most_trained, "");
    playing->trained = true;
    playing->limit = order->plays_on ? SIZE_MAX : order->most_trained;
}

static void compose(struct playing *playing, const struct frs_scenario *scenario, struct frs_setup *setup) {
    const struct frs_what_if_change *changes = playing->order->changes[playing->which];
    size_t n = playing->order->n_changes[playing->which];
    struct frs_errors errors = {0};
    struct frs_scenario *changed;
    struct frs_setting settings[FRS_VARIATION_SETTINGS];
    for (size_t i = 0; i < n; i++)
        settings[i] = (struct frs_setting){changes[i].key, changes[i].text};
    if (frs_scenario_changed(scenario, settings, n, &changed, &errors) != FRS_OK ||
        frs_compose(changed, setup, &errors) != FRS_OK)
        answer(playing, FRS_WHAT_IF_REFUSED, 0, errors.n ? errors.lines[0] : "");
}

/* That of the run, if it is of the same training; another one knows nothing of this. */
static struct frs_journal *read_journal(const struct playing *playing, const struct frs_setup *setup) {
    const struct frs_what_if_order *order = playing->order;
    struct frs_digest key = frs_training_key(setup);
    struct frs_errors errors = {0};
    if (!*order->journal || memcmp(key.bytes, order->training.bytes, sizeof key.bytes) != 0)
        return NULL;
    struct frs_journal *journal = frs_journal_create(&key);
    if (frs_journal_read(journal, order->journal, &errors) != FRS_OK)
        answer(playing, FRS_WHAT_IF_REFUSED, 0, errors.lines[0]);
    return journal;
}

_Noreturn void frs_what_if_play(const struct frs_scenario *scenario, const struct frs_what_if_order *order,
    size_t which, struct frs_what_if_answer *answer_to) {
    static const volatile sig_atomic_t interrupted;
    struct playing playing = {
        .order = order, .which = which, .answer = answer_to, .limit = order->most_rounds};
    struct frs_errors errors = {0};
    struct frs_simulation_result result;
    struct frs_setup setup;
    compose(&playing, scenario, &setup);
    setup.n_rounds = (uint32_t)order->n_rounds;
    if (order->ignores_time)
        setup.stop_s = INFINITY;
    if (setup.backend == &frs_backend_actors) /* which gives the same times, and takes ten times as long */
        setup.backend = &frs_backend_calendar;
    bool trains = setup.training.trains;
    struct frs_journal *journal = trains ? read_journal(&playing, &setup) : NULL;
    if (journal)
        frs_journal_when_unknown(journal, needs_training, &playing);
    else if (trains)
        needs_training(&playing);
    frs_memory_keep();
    frs_library_set_threads(1);
    FILE *nowhere = fopen("/dev/null", "w");
    struct frs_pool *pool = frs_pool_create(1);
    const struct frs_watcher watcher = {.context = &playing, .round = round_closed};
    struct frs_simulation_settings settings = {.setup = &setup,
        .pool = pool,
        .coordinator = frs_coordinator_create(&setup),
        .ledger = frs_ledger_create(setup.training.data->population.n_clients, nowhere, NULL, setup.k),
        .evaluation = trains ? frs_evaluation_create(setup.training.data, setup.k, pool) : NULL,
        .journal = journal,
        .watcher = &watcher,
        .interrupted = &interrupted};
    if (!nowhere || frs_simulate(&settings, &result, &errors) != FRS_OK)
        answer(&playing, FRS_WHAT_IF_REFUSED, 0, errors.n ? errors.lines[0] : "");
    answer(&playing, FRS_WHAT_IF_PLAYED, playing.n, "");
}
