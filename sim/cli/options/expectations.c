#include "sim/cli/options/expectations.h"
#include "analysis/entries/entries.h"
#include "analysis/entries/sweep_reader.h"
#include "analysis/expect/expect.h"
#include "analysis/statistics/repeats.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"
#include "sim/cli/output/exit_codes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void frs_expectations_add(struct frs_expectations *expectations, const char *text) {
    expectations->texts = frs_grow(
        expectations->texts, expectations->n + 1, &expectations->capacity, sizeof *expectations->texts);
    expectations->texts[expectations->n++] = text;
}

void frs_expectations_fini(struct frs_expectations *expectations) {
    for (size_t i = 0; expectations->list && i < expectations->n; i++)
        frs_expectation_destroy(expectations->list[i]);
    free(expectations->list);
    free(expectations->texts);
    *expectations = (struct frs_expectations){0};
}

/* ---- before anything runs ---- */

static enum frs_status parse_all(
    struct frs_expectations *expectations, const char *cut_offs, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    expectations->list = frs_alloc(expectations->n + 1, sizeof(struct frs_expectation *));
    for (size_t i = 0; i < expectations->n; i++)
        if (frs_expectation_parse(expectations->texts[i], cut_offs, &expectations->list[i], errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    return status;
}

static enum frs_status check_where(
    const char *where, const struct frs_sweep_plan *plan, struct frs_errors *errors) {
    char line[80];
    if (!plan)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--expect %s: names cells, and there is one result; allowed: METRIC <= AMOUNT without a name in "
            "front",
            frs_text_line(where, line, sizeof line));
    size_t *levels = frs_alloc(plan->sweep.axes.n + 1, sizeof *levels);
    enum frs_status status = frs_sweep_plan_select(plan, where, "--expect", levels, errors);
    free(levels);
    return status;
}

enum frs_status frs_expectations_parse(struct frs_expectations *expectations, const char *cut_offs,
    const struct frs_sweep_plan *plan, struct frs_errors *errors) {
    enum frs_status status = parse_all(expectations, cut_offs, errors);
    for (size_t i = 0; i < expectations->n; i++) {
        struct frs_expectation *expectation = expectations->list[i];
        const char *where = expectation ? frs_expectation_where(expectation) : NULL;
        if (where && check_where(where, plan, errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    }
    return status;
}

/* Whether `where` is an entry's name. */
static bool is_meant(const char *where, const struct frs_entry *entry) {
    return !where || strcmp(where, entry->name) == 0;
}

static enum frs_status check_entry(
    const char *where, const struct frs_entries *entries, struct frs_errors *errors) {
    const char **names = frs_alloc(entries->n + 1, sizeof *names);
    bool found = false;
    for (size_t i = 0; i < entries->n; i++) {
        names[i] = entries->list[i].name;
        found = found || is_meant(where, &entries->list[i]);
    }
    const char *nearest = found ? NULL : frs_text_nearest(where, names);
    char line[80];
    enum frs_status status =
        found ? FRS_OK
              : frs_errors_add(errors, FRS_ERR_INPUT,
                    "--expect %s: is no entry%s%s%s; allowed: the names that compare prints, the first is %s",
                    frs_text_line(where, line, sizeof line), nearest ? "; did you mean \"" : "",
                    nearest ? nearest : "", nearest ? "\"?" : "", names[0]);
    free(names);
    return status;
}

/* The K that all runs have; NULL: they differ. */
static const char *common_cut_offs(const struct frs_entries *entries) {
    const char *common = NULL;
    for (size_t i = 0; i < entries->n; i++)
        for (size_t r = 0; r < entries->list[i].n; r++) {
            const char *own = frs_run_setting(&entries->list[i].runs[r], "evaluation.k");
            if (!own || (common && strcmp(common, own) != 0))
                return NULL;
            common = own;
        }
    return common;
}

enum frs_status frs_expectations_parse_for(
    struct frs_expectations *expectations, const struct frs_entries *entries, struct frs_errors *errors) {
    enum frs_status status = parse_all(expectations, common_cut_offs(entries), errors);
    for (size_t i = 0; i < expectations->n; i++) {
        struct frs_expectation *expectation = expectations->list[i];
        const char *where = expectation ? frs_expectation_where(expectation) : NULL;
        if (where && check_entry(where, entries, errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    }
    return status;
}

/* ---- by the results ---- */

static double figure_of_run(const void *context, const char *metric) {
    return frs_metrics_get(context, metric);
}

enum frs_status frs_expectations_of_run(const struct frs_expectations *expectations, const char *directory,
    bool *kept, struct frs_errors *errors) {
    struct frs_run_results run;
    struct frs_target target = {0};
    *kept = true;
    if (expectations->n == 0)
        return FRS_OK;
    enum frs_status status = frs_run_read(directory, &run, errors);
    if (status != FRS_OK)
        return status;
    frs_target_settle(&target, &run);
    status = frs_target_apply(&target, &run, errors);
    for (size_t i = 0; status == FRS_OK && i < expectations->n; i++)
        *kept &= frs_expectation_holds(expectations->list[i], NULL, figure_of_run, &run.metrics, errors);
    frs_target_fini(&target);
    frs_run_fini(&run);
    return status;
}

/* Returns the mean over replicates, taking into account runs that missed a target
 * (analysis/statistics/repeats.h). NaN if one replicate does not have the figure. */
static double figure_of_replicates(const void *context, const char *metric) {
    const struct frs_replicates *replicates = context;
    for (size_t i = 0; i < replicates->n; i++)
        if (isnan(frs_metrics_get(replicates->list[i].metrics, metric)))
            return NAN;
    return replicates->n > 0 ? frs_repeats_of(replicates, metric).estimate.mean : NAN;
}

static bool judge(const struct frs_expectation *expectation, const char *name, bool alone,
    const struct frs_replicates *replicates, struct frs_errors *errors) {
    char *mean = replicates->n > 1 ? frs_format("mean of %zu replicates", replicates->n) : NULL;
    char *whose = frs_format("%s%s%s", alone ? "" : name, !alone && mean ? ", " : "", mean ? mean : "");
    bool holds =
        frs_expectation_holds(expectation, *whose ? whose : NULL, figure_of_replicates, replicates, errors);
    free(whose);
    free(mean);
    return holds;
}

/* Whether a cell has these levels; FRS_ANY_LEVEL is every one. */
static bool has_levels(const struct frs_axes *axes, size_t cell, const size_t *levels) {
    for (size_t axis = 0; axis < axes->n; axis++)
        if (levels[axis] != FRS_ANY_LEVEL && levels[axis] != frs_axes_level(axes, cell, axis))
            return false;
    return true;
}

/* `levels` has room for the axes. */
static enum frs_status choose_cells(const struct frs_sweep_plan *plan,
    const struct frs_expectation *expectation, const char *level, size_t *levels, struct frs_errors *errors) {
    const struct frs_axes *axes = &plan->sweep.axes;
    for (size_t axis = 0; axis < axes->n; axis++)
        levels[axis] = FRS_ANY_LEVEL;
    for (size_t i = 0; level && axes->n > 0 && i < axes->axes[0].n; i++)
        if (strcmp(axes->axes[0].levels[i].label, level) == 0)
            levels[0] = i;
    const char *where = frs_expectation_where(expectation);
    return where ? frs_sweep_plan_select(plan, where, "--expect", levels, errors) : FRS_OK;
}

static enum frs_status judge_cells(const struct frs_sweep_results *sweep,
    const struct frs_expectation *expectation, const char *level, bool *kept, struct frs_errors *errors) {
    const struct frs_axes *axes = &sweep->plan->sweep.axes;
    size_t *levels = frs_alloc(axes->n + 1, sizeof *levels), n_cells = frs_axes_cells(axes);
    enum frs_status status = choose_cells(sweep->plan, expectation, level, levels, errors);
    for (size_t cell = 0; status == FRS_OK && cell < n_cells; cell++) {
        if (!has_levels(axes, cell, levels))
            continue;
        char *name = frs_sweep_plan_cell_name(sweep->plan, cell);
        *kept &= judge(expectation, name, n_cells == 1, &sweep->cells[cell], errors);
        free(name);
    }
    free(levels);
    return status;
}

enum frs_status frs_expectations_of_sweep(const struct frs_expectations *expectations, const char *folder,
    const char *level, bool *kept, struct frs_errors *errors) {
    const struct frs_sweep_reading reading = {0};
    struct frs_sweep_results sweep;
    *kept = true;
    if (expectations->n == 0)
        return FRS_OK;
    enum frs_status status = frs_sweep_results_read(folder, &reading, &sweep, errors);
    if (status != FRS_OK)
        return status;
    for (size_t i = 0; status == FRS_OK && i < expectations->n; i++)
        status = judge_cells(&sweep, expectations->list[i], level, kept, errors);
    frs_sweep_results_fini(&sweep);
    return status;
}

bool frs_expectations_of_entries(const struct frs_expectations *expectations,
    const struct frs_entries *entries, struct frs_errors *errors) {
    bool kept = true;
    for (size_t i = 0; i < expectations->n; i++)
        for (size_t k = 0; k < entries->n; k++)
            if (is_meant(frs_expectation_where(expectations->list[i]), &entries->list[k]))
                kept &= judge(expectations->list[i], entries->list[k].name, false,
                    &entries->list[k].replicates, errors);
    return kept;
}

int frs_expectations_finish(
    const struct frs_expectations *expectations, int code, bool kept, bool quiet, struct frs_errors *errors) {
    for (size_t i = 0; kept && code == FRS_EXIT_DONE && !quiet && i < expectations->n; i++)
        frs_print_line(stdout, "As expected: %s", expectations->texts[i]);
    fflush(stdout);
    frs_errors_print(errors, stderr);
    frs_errors_clear(errors);
    return code == FRS_EXIT_DONE && !kept ? FRS_EXIT_MISSED : code;
}
