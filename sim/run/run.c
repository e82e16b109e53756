#include "sim/run/run.h"
#include "sim/run/begun.h"
#include "sim/run/place_difference.h"
#include "sim/run/run_internal.h"
#include "actors/simgrid.h"
#include "algorithms/kernels/algebra/library.h"
#include "analysis/report/report.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/threads/processors.h"
#include "sim/base/quoting.h"
#include "algorithms/data/data.h"
#include "sim/setup/compose/compose.h"
#include "sim/forecast/forecast.h"
#include "sim/run/interrupt.h"
#include "sim/setup/memory_fit.h"
#include "sim/results/report/writers.h"
#include "sim/setup/dataset_cache.h"
#include "sim/setup/input_files.h"
#include "sim/scenario/hash.h"
#include "sim/what_if/what_if.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Initial values that a run keeps for the processes of its what-ifs. */
#define MOST_INITIAL_VALUES_BYTES ((size_t)4 << 20)

static size_t n_threads(const struct frs_run_options *options) {
    return options->threads ? options->threads : frs_processors();
}

static enum frs_status open_files(struct frs_run *run, struct frs_errors *errors) {
    run->rounds = frs_run_directory_file(&run->directory, "rounds.csv", errors);
    if (run->rounds)
        setvbuf(run->rounds, NULL, _IOLBF, 0); /* whole lines, for those who follow it (analysis/live) */
    if (run->rounds && run->setup->events)
        run->events = frs_run_directory_file(&run->directory, "events.ndjson", errors);
    if (run->events && run->setup->edges.n > 0)
        run->edges = frs_run_directory_file(&run->directory, "edges.csv", errors);
    if (run->events && frs_setup_clients_meet(run->setup))
        run->peers = frs_run_directory_file(&run->directory, "peers.csv", errors);
    if (run->rounds && (run->events || !run->setup->events))
        run->hours = frs_run_directory_file(&run->directory, "hours.csv", errors);
    return run->hours && (run->edges || !run->events || run->setup->edges.n == 0) &&
                   (run->peers || !run->events || !frs_setup_clients_meet(run->setup))
               ? FRS_OK
               : FRS_ERR_RUN;
}

static enum frs_status close_files(struct frs_run *run, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    if (run->rounds && frs_run_directory_close_file(run->rounds, "rounds.csv", errors) != FRS_OK)
        status = FRS_ERR_RUN;
    if (run->events && frs_run_directory_close_file(run->events, "events.ndjson", errors) != FRS_OK)
        status = FRS_ERR_RUN;
    if (run->edges && frs_run_directory_close_file(run->edges, "edges.csv", errors) != FRS_OK)
        status = FRS_ERR_RUN;
    if (run->peers && frs_run_directory_close_file(run->peers, "peers.csv", errors) != FRS_OK)
        status = FRS_ERR_RUN;
    if (run->hours && frs_run_directory_close_file(run->hours, "hours.csv", errors) != FRS_OK)
        status = FRS_ERR_RUN;
    run->rounds = run->events = run->edges = run->peers = run->hours = NULL;
    return status;
}

static enum frs_status write_results(struct frs_run *run, const struct frs_outputs *outputs,
    struct frs_simulation_result *result, struct frs_non_federated_model_results *baselines,
    struct frs_errors *errors) {
    enum frs_status status = close_files(run, errors);
    if (status == FRS_OK)
        status = frs_write_clients(&run->directory, outputs, errors);
    if (status == FRS_OK && run->baselines && !frs_non_federated_end(run->baselines, baselines, errors))
        result->ending = FRS_ENDED_INTERRUPTED;
    if (status == FRS_OK)
        status = frs_write_what_ifs(&run->directory, outputs, errors);
    if (status == FRS_OK)
        status = frs_write_summary(&run->directory, outputs, errors);
    if (status == FRS_OK)
        status = frs_write_manifest(&run->directory, outputs, errors);
    if (status == FRS_OK && run->page)
        status = frs_report_write_run(run->directory.temporary, errors);
    return status;
}

static enum frs_status compose(const struct frs_scenario *scenario, const struct frs_run_options *options,
    struct frs_setup *setup, struct frs_errors *errors) {
    frs_data_set_threads(n_threads(options));
    struct frs_scenario *file = frs_scenario_load_alone(scenario);
    enum frs_status status = frs_compose_on(scenario, file, setup, errors);
    frs_scenario_destroy(file);
    if (status != FRS_OK)
        return status;
    char *place = frs_run_place(options->out ? options->out : setup->directory);
    free(setup->directory);
    setup->directory = place;
    status = frs_memory_check(setup, errors);
    if (status != FRS_OK)
        frs_setup_fini(setup);
    return status;
}

static bool wants_what_ifs(const struct frs_setup *setup, const struct frs_run_options *options) {
    return !options->emulation && (setup->what_ifs == FRS_WHAT_IF_ALL ||
                                      (setup->what_ifs == FRS_WHAT_IF_CHEAP && options->what_ifs));
}

static void fini(struct frs_run *run) {
    struct frs_errors ignored = {0};
    frs_non_federated_destroy(run->baselines);
    frs_what_if_fork_server_end(run->what_if_fork_server);
    frs_what_if_course_fini(&run->course);
    frs_checkpoint_fini(&run->checkpoint);
    frs_journal_destroy(run->journal);
    if (close_files(run, &ignored) != FRS_OK)
        frs_errors_clear(&ignored); /* the run has failed already */
    frs_run_directory_close(&run->directory);
    frs_evaluation_destroy(run->evaluation);
    frs_ledger_destroy(run->ledger);
    frs_coordinator_destroy(run->coordinator);
    frs_pool_destroy(run->pool);
    frs_emulation_destroy(run->emulation);
}

/* Called in the middle of a round, from which the run cannot go on: removes what has been written. */
static void emulation_failed(void *context, const char *why) {
    struct frs_run *run = context;
    fflush(stdout);
    frs_print_line(stderr, "fedrecsim: emulation failed: %s; nothing was written", why);
    frs_run_directory_close(&run->directory);
    _exit(frs_exit_code(FRS_ERR_RUN));
}

/* Before there are threads. */
static enum frs_status start_emulation(
    struct frs_run *run, const struct frs_run_options *options, struct frs_errors *errors) {
    struct frs_emulation_settings settings;
    if (!options->emulation)
        return FRS_OK;
    enum frs_status status = frs_emulated_prepare(run->setup, options->emulation, &settings, errors);
    return status == FRS_OK ? frs_emulation_create(&settings, &run->emulation, errors) : status;
}

/* Returns the real time that this took. */
static double play_what_ifs(struct frs_run *run, const struct frs_run_options *options,
    const struct frs_simulation_result *result, struct frs_what_ifs *what_ifs) {
    double began_s = frs_wall_s();
    frs_what_ifs_play(&(struct frs_what_if_request){.setup = run->setup,
                          .ledger = run->ledger,
                          .result = result,
                          .course = &run->course,
                          .fork_server = run->what_if_fork_server,
                          .all = run->setup->what_ifs == FRS_WHAT_IF_ALL,
                          .threads = n_threads(options),
                          .interrupted = run->interrupted},
        what_ifs);
    return frs_wall_s() - began_s;
}

/* A run that was interrupted, or that could not go on, keeps the rounds it has closed, or the attempts at
 * its first one, and says that it is not complete. A diverged run keeps nothing. */
static enum frs_status simulate(
    struct frs_run *run, const struct frs_run_options *options, double began_s, struct frs_errors *errors) {
    struct frs_simulation_result result;
    run->course.journal = run->journal;
    run->course.watcher = options->watcher;
    const struct frs_watcher of_course = frs_what_if_watcher(&run->course),
                             *watcher = run->what_ifs ? &of_course : options->watcher;
    struct frs_simulation_settings settings = {.setup = run->setup,
        .pool = run->pool,
        .coordinator = run->coordinator,
        .ledger = run->ledger,
        .evaluation = run->evaluation,
        .journal = run->journal,
        .checkpoint = run->journal ? &run->checkpoint : NULL,
        .watcher = watcher,
        .interrupted = run->interrupted,
        .emulation = run->emulation,
        .emulation_failed = emulation_failed,
        .failed_context = run};
    if (watcher && watcher->begins)
        watcher->begins(watcher->context, run->setup->n_rounds);
    double prepared_s = frs_process_cpu_s();
    if (run->baselines && !run->emulation) /* whose times are measured */
        frs_non_federated_begin(run->baselines);
    enum frs_status status = frs_simulate(&settings, &result, errors);
    if (watcher && watcher->ends)
        watcher->ends(watcher->context);
    if (status == FRS_INTERRUPTED && frs_ledger_rounds(run->ledger) == 0) {
        frs_errors_add(errors, status, "interrupted before the first round was closed; nothing was written");
        return status;
    }
    if (result.ending == FRS_ENDED_DIVERGED || frs_ledger_attempts(run->ledger) == 0)
        return status;
    struct frs_non_federated_model_results baselines = {0};
    struct frs_what_ifs what_ifs = {0};
    struct frs_emulation_record emulation;
    if (run->emulation)
        emulation = frs_emulation_record(run->emulation);
    struct frs_outputs outputs = {.setup = run->setup,
        .coordinator = run->coordinator,
        .ledger = run->ledger,
        .evaluation = run->evaluation,
        .result = &result,
        .baselines = &baselines,
        .emulation = run->emulation ? &emulation : NULL,
        .threads = frs_pool_threads(run->pool),
        .what_ifs = run->what_ifs && result.ending != FRS_ENDED_INTERRUPTED ? &what_ifs : NULL,
        .wall_s = frs_wall_s() - began_s,
        .prepared_s = prepared_s,
        .simulated_s = frs_pool_cpu_s(run->pool) + frs_pool_beside_s(run->pool, FRS_BESIDE_LEDGER)};
    if (outputs.what_ifs)
        outputs.what_if_s = play_what_ifs(run, options, &result, &what_ifs);
    enum frs_status written = write_results(run, &outputs, &result, &baselines, errors);
    bool is_interrupted = result.ending == FRS_ENDED_INTERRUPTED,
         is_kept = !is_interrupted || !options->whole;
    if (written == FRS_OK && is_kept)
        written = frs_run_directory_commit(&run->directory, errors);
    run->in_place = written == FRS_OK && is_kept;
    run->unwritten = written != FRS_OK;
    run->all_rounds = !is_interrupted;
    if (run->in_place && !options->quiet)
        frs_print_summary(&outputs, run->directory.path, stdout);
    frs_what_ifs_fini(&what_ifs);
    if (written != FRS_OK)
        return written;
    if (status == FRS_OK && baselines.diverged)
        status = FRS_ERR_RUN;
    return is_interrupted ? FRS_INTERRUPTED : status;
}

/* What already exists at the run's place. If it is a finished run of this very scenario, nothing needs to
 * be done; an interrupted run is replaced. */
static enum frs_status look_at_place(
    struct frs_run *run, const struct frs_run_options *options, bool *done, struct frs_errors *errors) {
    const struct frs_setup *setup = run->setup;
    char *found = NULL, hash[FRS_DIGEST_TEXT];
    enum frs_run_state state = frs_run_place_state(setup->directory, &found);
    enum frs_status status = FRS_OK;
    char *files = frs_run_place_noted(setup->directory, "files_hash");
    bool same = found && strcmp(found, frs_scenario_hash(setup->scenario, hash)) == 0,
         same_files = strcmp(files ? files : "", frs_input_files_hash(setup, hash)) == 0;
    *done = state == FRS_RUN_COMPLETE && same && same_files;
    if (state == FRS_RUN_COMPLETE && !*done && !options->force) {
        char *difference = frs_run_place_difference(setup);
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s holds a finished run %s%s%s; nothing to resume there", setup->directory,
            same ? "of this scenario, but what its files held has changed" : "of another scenario",
            difference ? ": " : "", difference ? difference : "");
        free(difference);
    }
    run->replaces = state == FRS_RUN_INTERRUPTED || state == FRS_RUN_INCOMPLETE;
    free(found);
    free(files);
    return status;
}

void frs_run_tidy(const char *directory) {
    struct frs_lock lock;
    char *place = frs_run_place(directory), *checkpoint = frs_checkpoint_path(place);
    if (frs_run_directory_lock(place, &lock)) {
        frs_run_place_tidy(place);
        frs_checkpoint_tidy(place);
        if (frs_run_place_state(place, NULL) == FRS_RUN_COMPLETE)
            frs_checkpoint_forget(checkpoint);
        frs_lock_release(&lock);
    }
    free(place);
    free(checkpoint);
}

/* Another process that held the place a moment ago may have finished the run that is to be resumed. */
static enum frs_status open_place(
    struct frs_run *run, const struct frs_run_options *options, bool *done, struct frs_errors *errors) {
    struct frs_errors ignored = {0};
    const char *path = run->setup->directory;
    enum frs_status status =
        frs_run_directory_open(&run->directory, path, options->force || run->replaces, errors);
    if (!options->resume || look_at_place(run, options, done, &ignored) != FRS_OK)
        *done = false;
    frs_errors_clear(&ignored);
    if (!*done)
        return status;
    frs_errors_clear(errors);
    return FRS_OK;
}

static void tell_begun(
    const struct frs_run *run, const char *growing, const struct frs_run_options *options) {
    struct frs_run_begun begun = frs_run_begun(run->setup, growing);
    if (options->begins)
        options->begins(options->begins_context, &begun);
}

static enum frs_status run_whole(struct frs_run *run, const struct frs_run_options *options, bool *done,
    double began_s, struct frs_errors *errors) {
    struct frs_setup *setup = run->setup;
    run->interrupted = frs_interrupt_catch();
    enum frs_status status = open_place(run, options, done, errors);
    if (status != FRS_OK || *done)
        return status;
    frs_checkpoint_tidy(setup->directory);
    status = frs_run_journal_open(run, options, errors);
    if (status != FRS_OK)
        return status;
    frs_memory_keep();
    status = open_files(run, errors);
    if (status != FRS_OK)
        return status;
    size_t threads = n_threads(options);
    frs_library_set_threads(threads);
    run->pool = frs_pool_create(threads);
    run->coordinator = frs_coordinator_create(setup);
    run->ledger = frs_ledger_create(
        setup->training.data->population.n_clients, run->rounds, run->events, &setup->ranking);
    frs_ledger_count_periods(run->ledger, setup->caps.period_s);
    const double link[2] = {setup->network.server_down_bytes_per_s, setup->network.server_up_bytes_per_s};
    if (run->edges)
        frs_ledger_set_edges(run->ledger, run->edges);
    if (run->peers)
        frs_ledger_set_peers(run->ledger, run->peers);
    frs_ledger_set_load(run->ledger, frs_load_create(setup->clock_s, link, run->hours));
    tell_begun(run, run->directory.temporary, options);
    if (setup->events)
        frs_ledger_thin_events(run->ledger, setup->events_every);
    if (setup->training.trains) {
        run->evaluation = frs_evaluation_create(setup->training.data, &setup->ranking, run->pool);
        run->baselines =
            frs_non_federated_create(setup, run->pool, run->journal, run->cache, run->interrupted);
    }
    status = simulate(run, options, began_s, errors);
    return frs_run_journal_close(run, options, status, errors);
}

enum frs_status frs_run_load(struct frs_errors *errors) {
    return frs_simgrid_load(errors);
}

enum frs_status frs_run(
    const struct frs_scenario *scenario, const struct frs_run_options *asked, struct frs_errors *errors) {
    struct frs_run_options copy = *asked, *options = &copy;
    double began_s = frs_wall_s();
    struct frs_setup setup;
    bool opens_cache = !frs_dataset_cache_is_open(); /* for the fork server of what-ifs */
    if (opens_cache) {
        frs_dataset_cache_open(0, SIZE_MAX);
        frs_dataset_cache_keep_initial_values(MOST_INITIAL_VALUES_BYTES);
    }
    enum frs_status status = compose(scenario, options, &setup, errors);
    if (opens_cache)
        frs_dataset_cache_keep_initial_values(0);
    if (status != FRS_OK) {
        if (opens_cache)
            frs_dataset_cache_close();
        return status;
    }
    if (options->directory)
        *options->directory = frs_strdup(setup.directory);
    struct frs_run run = {.setup = &setup,
        .cache = options->cache,
        .page = options->page && setup.report,
        .what_ifs = wants_what_ifs(&setup, options)};
    bool done = false;
    if (options->resume)
        status = look_at_place(&run, options, &done, errors);
    if (status == FRS_OK)
        status = frs_run_load(errors);
    if (status == FRS_OK)
        status = start_emulation(&run, options, errors);
    if (status == FRS_OK && !done && run.what_ifs)
        run.what_if_fork_server = frs_what_if_fork_server_start(&setup);
    if (status == FRS_OK && !done)
        status = run_whole(&run, options, &done, began_s, errors);
    fini(&run);
    if (status == FRS_OK && done) {
        frs_run_tidy(setup.directory);
        tell_begun(&run, setup.directory, options);
        if (!options->quiet)
            frs_print_line(stdout, "%s is complete already", setup.directory);
    }
    frs_setup_fini(&setup);
    if (opens_cache)
        frs_dataset_cache_close();
    return status;
}

/* A program that is to train is asked once to train and to score: rounds that are simulated beforehand are
 * few, or without training, and would not show that it cannot. */
static enum frs_status try_program(const struct frs_training_setup *training, struct frs_errors *errors) {
    const struct frs_population *population = &training->data->population;
    struct frs_tables tables = frs_model_tables(training->model);
    struct frs_arena arena = {0};
    struct frs_trained trained;
    uint32_t client = 0;
    float score;
    while (client + 1 < population->n_clients && population->clients[client].n == 0)
        client++;
    const struct frs_client_data *data = &population->clients[client];
    struct frs_training order = {
        .data = data, .tables = &tables, .budget = frs_training_budgets(training).max};
    frs_learner_train(training->learner, training->model, &order, &arena, &trained);
    if (data->n > 0)
        training->learner->score(training->model, &tables, client, data->items, 1, &score);
    frs_arena_fini(&arena);
    const char *why = frs_learner_failure(training->learner, training->model);
    return why ? frs_errors_add(errors, FRS_ERR_INPUT, "method %s: %s", training->learner->plugin.name, why)
               : FRS_OK;
}

enum frs_status frs_run_check(const struct frs_scenario *scenario, const struct frs_run_options *options,
    FILE *out, struct frs_errors *errors) {
    struct frs_setup setup;
    enum frs_status status = compose(scenario, options, &setup, errors);
    if (status != FRS_OK)
        return status;
    status = frs_run_place_check(setup.directory, true, errors);
    if (status == FRS_OK)
        status = frs_run_load(errors); /* part of the memory that is forecast */
    if (status == FRS_OK)
        (options->json ? frs_forecast_print_json : frs_forecast_print)(
            &setup, n_threads(options), options->patience_s, out);
    if (status == FRS_OK && setup.training.trains && setup.training.learner->external)
        status = try_program(&setup.training, errors);
    frs_setup_fini(&setup);
    return status;
}
