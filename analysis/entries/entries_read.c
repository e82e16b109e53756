/* Reads what is compared: runs, and sweeps with all their cells. */
#include "analysis/entries/entries.h"
#include "analysis/entries/entries_checks.h"
#include "analysis/entries/environment.h"
#include "analysis/entries/pooling.h"
#include "analysis/plan/plan.h"
#include "analysis/read/quality_settings.h"
#include "analysis/entries/sweep_reader.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/settings/texts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Takes over `name`. */
static struct frs_entry *add_entry(struct frs_entries *entries, char *name) {
    entries->list = frs_grow(entries->list, entries->n + 1, &entries->capacity, sizeof *entries->list);
    struct frs_entry *entry = &entries->list[entries->n++];
    *entry = (struct frs_entry){.name = name, .title = frs_quoted_markdown(name)};
    return entry;
}

static void fini_entry(struct frs_entry *entry) {
    for (size_t k = 0; k < entry->n; k++)
        frs_run_fini(&entry->runs[k]);
    frs_replicates_fini(&entry->replicates);
    frs_texts_free(entry->labels);
    free(entry->runs);
    free(entry->name);
    free(entry->title);
}

/* ---- runs ---- */

/* Takes over what `run` holds. */
static enum frs_status add_run(struct frs_entries *entries, struct frs_entry *entry,
    struct frs_run_results *run, struct frs_errors *errors) {
    frs_target_settle(&entries->target, run);
    enum frs_status status = frs_target_apply(&entries->target, run, errors);
    frs_run_forget_rounds(run);
    entry->runs = frs_grow(entry->runs, entry->n + 1, &entry->capacity, sizeof *entry->runs);
    entry->runs[entry->n++] = *run;
    return status;
}

static enum frs_status read_run(struct frs_entries *entries, const char *path, struct frs_errors *errors) {
    struct frs_run_results run;
    enum frs_status status = frs_run_read(path, &run, errors);
    if (status != FRS_OK)
        return status;
    if (!frs_run_is_finished(&run))
        frs_entries_warn(
            entries, frs_format("%s was %s: it is compared as far as it went", path, run.status));
    for (size_t i = 0; i < entries->n; i++)
        if (frs_entry_takes(&entries->list[i], &run)) {
            status = add_run(entries, &entries->list[i], &run, errors);
            frs_entry_name_runs(&entries->list[i]);
            return status;
        }
    return add_run(entries, add_entry(entries, frs_strdup(path)), &run, errors);
}

/* ---- sweeps ---- */

struct sweep {
    const char *folder;
    struct frs_sweep_plan *plan;
    size_t *levels; /* FRS_ANY_LEVEL: all */
    bool named;     /* entries need the sweep's name, because there are several */
};

static bool is_chosen(const struct sweep *sweep, size_t cell) {
    return frs_sweep_plan_baseline_of(sweep->plan, sweep->levels, cell) == cell;
}

/* Whether the point has results of this very plan; reads them. */
static bool read_point(const struct sweep *sweep, size_t number, struct frs_run_results *run) {
    char *path = frs_format("%s/points/%04zu", sweep->folder, number);
    struct frs_errors ignored = {0};
    bool good = frs_run_read(path, run, &ignored) == FRS_OK;
    if (good &&
        (!frs_run_is_finished(run) || strcmp(run->scenario_hash, sweep->plan->points[number].hash) != 0)) {
        frs_run_fini(run);
        good = false;
    }
    frs_errors_clear(&ignored);
    free(path);
    return good;
}

static char **labels_of(const struct frs_sweep_plan *plan, size_t cell) {
    char **labels = frs_alloc(plan->sweep.axes.n + 1, sizeof *labels);
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++)
        labels[axis] = frs_strdup(frs_axes_label(&plan->sweep.axes, cell, axis));
    return labels;
}

static enum frs_status read_cell(
    struct frs_entries *entries, const struct sweep *sweep, size_t cell, struct frs_errors *errors) {
    char *name = frs_sweep_plan_cell_name(sweep->plan, cell);
    struct frs_entry *entry =
        add_entry(entries, sweep->named ? frs_format("%s: %s", sweep->folder, name) : name);
    entry->labels = labels_of(sweep->plan, cell);
    enum frs_status status = FRS_OK;
    size_t planned = 0;
    for (size_t i = 0; i < sweep->plan->n_points && status == FRS_OK; i++) {
        struct frs_run_results run;
        if (sweep->plan->points[i].cell != cell)
            continue;
        planned++;
        if (read_point(sweep, i, &run))
            status = add_run(entries, entry, &run, errors);
    }
    if (entry->n < planned && !sweep->plan->sweep.stop.metric)
        frs_entries_warn(entries, frs_format("%s: %zu of %zu runs are finished%s", entry->name, entry->n,
                                      planned, entry->n ? "" : "; it is left out"));
    if (sweep->named)
        free(name);
    if (entry->n == 0) {
        fini_entry(entry);
        entries->n--;
    }
    return status;
}

/* Several arguments can be about the same sweep. */
static bool has_axes_of(const struct frs_entries *entries, const struct frs_sweep_plan *plan) {
    for (size_t i = 0; i < plan->sweep.axes.n; i++)
        if (i >= entries->n_axes || strcmp(entries->axes[i].name, plan->sweep.axes.axes[i].name) != 0)
            return false;
    return true;
}

static void add_axes(struct frs_entries *entries, const struct frs_sweep_plan *plan) {
    for (size_t i = 0; i < plan->sweep.axes.n; i++) {
        const struct frs_axis *from = &plan->sweep.axes.axes[i];
        entries->axes =
            frs_grow(entries->axes, entries->n_axes + 1, &entries->axes_capacity, sizeof *entries->axes);
        struct frs_entry_axis *axis = &entries->axes[entries->n_axes++];
        size_t n_keys = frs_axis_keys(from);
        *axis = (struct frs_entry_axis){
            frs_strdup(from->name), from->role, n_keys, frs_alloc(n_keys + 1, sizeof *axis->keys)};
        for (size_t k = 0; k < n_keys; k++)
            axis->keys[k] = frs_strdup(from->keys[k]);
    }
}

static enum frs_status read_sweep(struct frs_entries *entries, const char *folder, const char *selection,
    bool named, struct frs_errors *errors) {
    struct sweep sweep = {.folder = folder, .named = named};
    enum frs_status status = frs_sweep_plan_in(folder, &sweep.plan, errors);
    if (status != FRS_OK)
        return status;
    frs_target_plan(&entries->target, &sweep.plan->sweep.target);
    if (named || !has_axes_of(entries, sweep.plan))
        add_axes(entries, sweep.plan);
    sweep.levels = frs_alloc(sweep.plan->sweep.axes.n + 1, sizeof *sweep.levels);
    for (size_t i = 0; i < sweep.plan->sweep.axes.n; i++)
        sweep.levels[i] = FRS_ANY_LEVEL;
    if (selection)
        status = frs_sweep_plan_select(sweep.plan, selection, folder, sweep.levels, errors);
    for (size_t cell = 0; status == FRS_OK && cell < frs_axes_cells(&sweep.plan->sweep.axes); cell++)
        if (is_chosen(&sweep, cell))
            status = read_cell(entries, &sweep, cell, errors);
    free(sweep.levels);
    frs_sweep_plan_destroy(sweep.plan);
    return status;
}

/* ---- arguments ---- */

/* Returns the folder of a sweep in "SWEEP" or "SWEEP:selection", without trailing slashes, or NULL; freed
 * with free(). A folder's name may itself contain colons. */
static char *sweep_folder(const char *argument, const char **selection) {
    size_t length = strlen(argument);
    *selection = NULL;
    while (length > 0) {
        size_t trimmed = length;
        while (trimmed > 1 && argument[trimmed - 1] == '/')
            trimmed--;
        char *folder = frs_format("%.*s", (int)trimmed, argument);
        if (frs_sweep_plan_is(folder)) {
            *selection = argument[length] == ':' ? argument + length + 1 : NULL;
            return folder;
        }
        free(folder);
        do
            length--;
        while (length > 0 && argument[length] != ':');
    }
    return NULL;
}

static enum frs_status read_argument(
    struct frs_entries *entries, const char *argument, bool named, struct frs_errors *errors) {
    const char *selection;
    if (frs_run_is(argument))
        return read_run(entries, argument, errors);
    char *folder = sweep_folder(argument, &selection);
    if (!folder)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)",
            argument);
    enum frs_status status = read_sweep(entries, folder, selection, named, errors);
    free(folder);
    return status;
}

static bool has_several_sweeps(const char *const *arguments, size_t n) {
    char *first = NULL;
    bool several = false;
    for (size_t i = 0; i < n; i++) {
        const char *selection;
        char *folder = frs_run_is(arguments[i]) ? NULL : sweep_folder(arguments[i], &selection);
        if (folder && first)
            several = several || strcmp(folder, first) != 0;
        if (folder && !first)
            first = folder;
        else
            free(folder);
    }
    free(first);
    return several;
}

/* ---- all of it ---- */

/* Only now, because runs have moved while their list grew. */
static void link_replicates(struct frs_entry *entry) {
    for (size_t i = 0; i < entry->n; i++)
        frs_replicates_add(&entry->replicates, entry->runs[i].seed, &entry->runs[i].metrics);
}

static enum frs_status read_all(const char *const *arguments, size_t n, const char *target,
    struct frs_entries *entries, struct frs_errors *errors) {
    enum frs_status status = frs_target_name(&entries->target, target, errors);
    bool named = has_several_sweeps(arguments, n);
    for (size_t i = 0; i < n && status == FRS_OK; i++)
        status = read_argument(entries, arguments[i], named, errors);
    entries->one_sweep = !named;
    for (size_t i = 0; i < entries->n; i++)
        entries->one_sweep = entries->one_sweep && entries->list[i].labels;
    if (status == FRS_OK && entries->n == 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no finished run yet", arguments[0]);
    return status;
}

enum frs_status frs_entries_read(const char *const *arguments, size_t n, const char *target,
    struct frs_entries *entries, struct frs_errors *errors) {
    *entries = (struct frs_entries){0};
    enum frs_status status = read_all(arguments, n, target, entries, errors);
    if (status != FRS_OK) {
        frs_entries_fini(entries);
        return status;
    }
    for (size_t i = 0; i < entries->n; i++)
        link_replicates(&entries->list[i]);
    frs_entries_check(entries);
    return frs_environments_find(entries, &(struct frs_grouping){0}, errors);
}

void frs_entries_fini(struct frs_entries *entries) {
    for (size_t i = 0; i < entries->n; i++)
        fini_entry(&entries->list[i]);
    for (size_t i = 0; i < entries->n_warnings; i++)
        free(entries->warnings[i]);
    free(entries->warnings);
    for (size_t i = 0; i < entries->n_axes; i++) {
        frs_texts_free(entries->axes[i].keys);
        free(entries->axes[i].name);
    }
    free(entries->axes);
    for (size_t i = 0; i < entries->n_environments; i++)
        free(entries->environments[i]);
    free(entries->environments);
    free(entries->separators);
    free(entries->across);
    free(entries->list);
    frs_target_fini(&entries->target);
    *entries = (struct frs_entries){0};
}

const char *frs_entries_quality(const struct frs_entries *entries, bool *lower) {
    return frs_target_quality(&entries->target, &entries->list[0].runs[0].metrics, lower);
}

bool frs_entries_any_reaches(const struct frs_entries *entries, const size_t *members, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (frs_replicates_all_have(&entries->list[members[i]].replicates, FRS_TARGET_TIME))
            return true;
    return false;
}

bool frs_entries_have(const struct frs_entries *entries, const char *metric) {
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++)
            if (!isnan(frs_metrics_get(&entries->list[i].runs[k].metrics, metric)))
                return true;
    return false;
}

enum frs_status frs_entries_check_metric(
    const struct frs_entries *entries, const char *option, const char *metric, struct frs_errors *errors) {
    if (frs_entries_have(entries, metric))
        return FRS_OK;
    const struct frs_metrics *metrics = &entries->list[0].runs[0].metrics;
    const char **names = frs_alloc(metrics->n + 1, sizeof *names);
    for (size_t i = 0; i < metrics->n; i++)
        names[i] = metrics->list[i].name;
    const char *nearest = frs_text_nearest(metric, names);
    char *known =
        nearest ? frs_strdup(nearest)
                : frs_metric_nearest(metric, frs_run_setting(&entries->list[0].runs[0], "evaluation.k"));
    if (known && !frs_entries_have(entries, known))
        *known = '\0';
    char line[64];
    frs_errors_add(errors, FRS_ERR_INPUT,
        "%s %s: no run has it%s%s%s; points.csv of a sweep lists what there is", option,
        frs_text_line(metric, line, sizeof line), known && *known ? " (did you mean \"" : "",
        known ? known : "", known && *known ? "\"?)" : "");
    free(known);
    free(names);
    return FRS_ERR_INPUT;
}
