/* Results: what the commands that only read find in a folder, as damaged as it may be: manifest.json,
 * summary.json, rounds.csv and events.ndjson of a run, and plan.json of a sweep. Each is refused in lines, or
 * is within its counts.
 *
 *   a line "== NAME" before the content of each file */
#include "analysis/plan/plan.h"
#include "analysis/read/events.h"
#include "analysis/read/run_reader.h"
#include "analysis/target/target.h"
#include "sim/base/memory.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *const files[] = {
    "manifest.json", "summary.json", "rounds.csv", "events.ndjson", "plan.json"};
enum { N_FILES = sizeof files / sizeof *files };

static char folder[] = "/tmp/fuzz-results-XXXXXX";

static char *path_of(const char *name) {
    return frs_format("%s/%s", folder, name);
}

static void remove_folder(void) {
    for (size_t i = 0; i < N_FILES; i++) {
        char *path = path_of(files[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
}

static void make_folder(void) {
    static bool made;
    if (made)
        return;
    made = mkdtemp(folder);
    FRS_INVARIANT(made, "no folder in /tmp: %s", strerror(errno));
    atexit(remove_folder);
}

/* What stands between the line "== NAME" and the next line of this kind; an absent file is none. */
static void write_file(const char *name, const char *text, size_t size) {
    char *path = path_of(name), *head = frs_format("== %s\n", name);
    const char *at = memmem(text, size, head, strlen(head));
    unlink(path);
    if (at) {
        const char *from = at + strlen(head), *end = text + size;
        const char *next = memmem(from, (size_t)(end - from), "\n== ", 4);
        FILE *file = fopen(path, "w");
        FRS_INVARIANT(file, "%s: %s", path, strerror(errno));
        fwrite(from, 1, (size_t)((next ? next + 1 : end) - from), file);
        FRS_INVARIANT(fclose(file) == 0, "%s: %s", path, strerror(errno));
    }
    free(head);
    free(path);
}

static void check_events(const struct frs_records *rounds) {
    struct frs_errors errors = {0};
    struct frs_events events;
    struct frs_event event;
    const char *reason;
    bool more = true;
    enum frs_status status = frs_events_open(&events, folder, rounds, &reason, &errors);
    while (status == FRS_OK && !reason && more) {
        status = frs_events_next(&events, &event, &more, &errors);
        FRS_INVARIANT(status != FRS_OK || !more || event.row < rounds->n, "row %zu", event.row);
    }
    fuzz_check_errors(status != FRS_OK, &errors);
    frs_events_close(&events);
    frs_errors_clear(&errors);
}

static void check_run(void) {
    struct frs_errors errors = {0};
    struct frs_run_results run;
    struct frs_target_spec target = {0};
    enum frs_status status = frs_run_read(folder, &run, &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    frs_errors_clear(&errors);
    if (status != FRS_OK)
        return;
    FRS_INVARIANT(run.status && run.scenario_hash, "a run without a status");
    if (frs_target_spec_default(&run, &target))
        frs_target_spec_threshold(&target, &run);
    frs_target_spec_fini(&target);
    check_events(&run.rounds);
    frs_run_fini(&run);
}

static void check_plan(void) {
    struct frs_errors errors = {0};
    struct frs_sweep_plan *plan;
    enum frs_status status = frs_sweep_plan_in(folder, &plan, &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    FRS_INVARIANT((status == FRS_OK) == (plan != NULL), "status %d", (int)status);
    for (size_t i = 0; plan && i < plan->n_points; i++)
        FRS_INVARIANT(
            plan->points[i].cell < frs_axes_cells(&plan->sweep.axes) && plan->points[i].replicate >= 1,
            "point %zu: cell %zu, replicate %zu", i, plan->points[i].cell, plan->points[i].replicate);
    frs_sweep_plan_destroy(plan);
    frs_errors_clear(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    make_folder();
    for (size_t i = 0; i < N_FILES; i++)
        write_file(files[i], (const char *)data, size);
    if (memmem(data, size, "== plan.json\n", 13))
        check_plan();
    else
        check_run();
    return 0;
}
