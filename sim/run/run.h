/* Run: composes data, method, network, devices and round policy from a scenario, simulates, and writes the
 * run directory. Only this module sees all layers. */
#ifndef FRS_RUN_RUN_H
#define FRS_RUN_RUN_H

#include "sim/rounds/watcher.h"
#include "sim/setup/emulated.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_run_begun; /* begun.h */

struct frs_run_options {
    const char *out;   /* run directory, or NULL for output.directory of the scenario */
    size_t threads;    /* 0: all cores */
    const char *cache; /* folder of trainings shared between runs (sim/journal/reuse.h), or NULL */
    bool resume;   /* go on from the checkpoint of a run that was killed or interrupted, if there is one */
    bool force;    /* replace an existing run directory, and forget its checkpoint */
    bool once;     /* keep no checkpoint: the caller has no way to go on from one */
    bool whole;    /* an interrupted run leaves its checkpoint and nothing else */
    bool quiet;    /* no summary */
    bool page;     /* write report.html, if the scenario does not say otherwise (output.report), */
    bool what_ifs; /* and what_if.json (output.what_if), unless it wants that in any case */
    const struct frs_watcher *watcher; /* NULL: none */
    char **directory; /* receives the run directory, freed by the caller with free(); or NULL */
    /* Called with the place where the files grow before they are in `place`, when the first round begins,
     * or when they already exist; or NULL. */
    void (*begins)(void *context, const struct frs_run_begun *begun);
    void *begins_context;
    const struct frs_emulation_wish
        *emulation;    /* rounds go over the kernel's TCP; NULL: they are simulated */
    double patience_s; /* frs_run_check: how long rounds may be simulated beforehand, */
    bool json;         /* and whether it prints the forecast for programs (frs_forecast_print_json) */
};

/* Runs the scenario to its end. Returns FRS_OK, FRS_ERR_INPUT (nothing was written), FRS_ERR_RUN, or
 * FRS_INTERRUPTED after SIGINT, SIGTERM or SIGHUP (the running round was finished and everything complete was
 * written). One process can call this once: SimGrid's engine is a singleton. Prints the summary to
 * stdout. */
enum frs_status frs_run(const struct frs_scenario *scenario, const struct frs_run_options *options,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Loads the libraries of a run. frs_run calls it by itself; other callers are processes that fork many
 * runs. FRS_ERR_RUN where a library is missing. */
enum frs_status frs_run_load(struct frs_errors *errors) FRS_MUST_CHECK;

/* Removes what killed runs have left beside a run directory, including the checkpoint of a finished one.
 * No-op while a process is writing there. */
void frs_run_tidy(const char *directory);

/* Does everything that frs_run would check, without simulating or writing; then prints the forecast of
 * simulated round time, wall time and memory to `out`. */
enum frs_status frs_run_check(const struct frs_scenario *scenario, const struct frs_run_options *options,
    FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
