#include "sim/what_if/simulate.h"
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

/* The what-if being simulated. */
struct variant {
    const struct frs_what_if_task *task;
    size_t which;
    struct frs_what_if_answer *answer;
    const struct frs_setup *setup; /* NULL: not composed yet */
    bool trained;
    size_t limit;   /* rounds to simulate */
    double *ends_s; /* [n] when rounds closed */
    size_t n, capacity;
};

static _Noreturn void answer(
    const struct variant *variant, enum frs_what_if_end end, size_t rounds, const char *why) {
    struct frs_what_if_answer *answer = variant->answer;
    *answer = (struct frs_what_if_answer){.trained = variant->trained,
        .rounds = rounds,
        .seconds = rounds > 0 ? variant->ends_s[rounds - 1] : 0};
    snprintf(answer->why, sizeof answer->why, "%s", why);
    answer->end = end;
    /* Nothing else is put away, but a program that trains has processes of its own. */
    if (variant->setup && variant->setup->training.learner->external)
        frs_model_destroy(variant->setup->training.model);
    _exit(0);
}

static void round_closed(
    void *context, size_t rounds_done, double simulated_s, const char *metric, double value) {
    struct variant *variant = context;
    (void)rounds_done, (void)metric, (void)value;
    variant->ends_s = frs_grow(variant->ends_s, variant->n + 1, &variant->capacity, sizeof *variant->ends_s);
    variant->ends_s[variant->n++] = simulated_s;
    if (variant->n == variant->limit)
        answer(variant, FRS_WHAT_IF_SIMULATED, variant->n, "");
}

/* Called before anything is trained. */
static void needs_training(void *context) {
    struct variant *variant = context;
    const struct frs_what_if_task *task = variant->task;
    if (task->most_trained == 0)
        answer(variant, FRS_WHAT_IF_NEEDS_TRAINING, 0, "");
    if (variant->n >= task->most_trained) /* so far nothing had to be */
        answer(variant, FRS_WHAT_IF_SIMULATED, task->most_trained, "");
    variant->trained = true;
    variant->limit = task->goes_on ? SIZE_MAX : task->most_trained;
}

static void compose(struct variant *variant, const struct frs_scenario *scenario, struct frs_setup *setup) {
    const struct frs_what_if_change *changes = variant->task->changes[variant->which];
    size_t n = variant->task->n_changes[variant->which];
    struct frs_errors errors = {0};
    struct frs_scenario *changed;
    struct frs_setting settings[FRS_VARIATION_SETTINGS];
    for (size_t i = 0; i < n; i++)
        settings[i] = (struct frs_setting){changes[i].key, changes[i].text};
    if (frs_scenario_changed(scenario, settings, n, &changed, &errors) != FRS_OK ||
        frs_compose(changed, setup, &errors) != FRS_OK)
        answer(variant, FRS_WHAT_IF_REFUSED, 0, errors.n ? errors.lines[0] : "");
}

/* That of the run, if it is of the same training; another one knows nothing of this. */
static struct frs_journal *read_journal(const struct variant *variant, const struct frs_setup *setup) {
    const struct frs_what_if_task *task = variant->task;
    struct frs_digest key = frs_training_key(setup);
    struct frs_errors errors = {0};
    if (!*task->journal || memcmp(key.bytes, task->training.bytes, sizeof key.bytes) != 0)
        return NULL;
    struct frs_journal *journal = frs_journal_create(&key);
    if (frs_journal_read(journal, task->journal, &errors) != FRS_OK)
        answer(variant, FRS_WHAT_IF_REFUSED, 0, errors.lines[0]);
    return journal;
}

_Noreturn void frs_what_if_simulate(const struct frs_scenario *scenario, const struct frs_what_if_task *task,
    size_t which, struct frs_what_if_answer *answer_to) {
    static const volatile sig_atomic_t interrupted;
    struct variant variant = {.task = task, .which = which, .answer = answer_to, .limit = task->most_rounds};
    struct frs_errors errors = {0};
    struct frs_simulation_result result;
    struct frs_setup setup;
    compose(&variant, scenario, &setup);
    variant.setup = &setup;
    setup.n_rounds = (uint32_t)task->n_rounds;
    if (task->ignores_time)
        setup.stop_s = INFINITY;
    if (setup.backend == &frs_backend_actors) /* which give the same times, and take longer */
        setup.backend = &frs_backend_calendar;
    bool trains = setup.training.trains;
    struct frs_journal *journal = trains ? read_journal(&variant, &setup) : NULL;
    if (journal)
        frs_journal_when_unknown(journal, needs_training, &variant);
    else if (trains)
        needs_training(&variant);
    frs_memory_keep();
    frs_library_set_threads(1);
    FILE *nowhere = fopen("/dev/null", "w");
    struct frs_pool *pool = frs_pool_create(1);
    const struct frs_watcher watcher = {.context = &variant, .round = round_closed};
    struct frs_simulation_settings settings = {.setup = &setup,
        .pool = pool,
        .coordinator = frs_coordinator_create(&setup),
        .ledger = frs_ledger_create(setup.training.data->population.n_clients, nowhere, NULL, &setup.ranking),
        .evaluation = trains ? frs_evaluation_create(setup.training.data, &setup.ranking, pool) : NULL,
        .journal = journal,
        .watcher = &watcher,
        .interrupted = &interrupted};
    if (!nowhere || frs_simulate(&settings, &result, &errors) != FRS_OK)
        answer(&variant, FRS_WHAT_IF_REFUSED, 0, errors.n ? errors.lines[0] : "");
    answer(&variant, FRS_WHAT_IF_SIMULATED, variant.n, "");
}
