#include "sim/network_robustness/network_robustness.h"
#include "analysis/read/json.h"
#include "analysis/tables/network_robustness.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/threads/scratch.h"
#include "sim/base/text.h"
#include "sim/plugins/recorded.h"
#include "sim/setup/compose/compose.h"
#include "sim/scenario/hash.h"
#include "sim/network_robustness/network_robustness_kinds.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One run that has to be repeated, and where its results go. */
struct repeat {
    size_t variant, entry, run;
    struct frs_metrics metrics;
};

struct fidelity {
    const struct frs_section *sections;
    const struct frs_entries *entries;
    struct frs_network_robustness_kinds kinds;
    struct frs_variant variants[FRS_NETWORK_ROBUSTNESS_KINDS]; /* [kinds.n] */
    struct frs_sweep_plan *plan;                               /* point i is repeats[i] */
    struct repeat *repeats;
    size_t n, capacity;
};

/* ---- the plan ---- */

static void add_point(struct fidelity *f, size_t variant, size_t entry, size_t run,
    struct frs_setting **settings, size_t n_settings, const struct frs_scenario *scenario) {
    f->repeats = frs_grow(f->repeats, f->n + 1, &f->capacity, sizeof *f->repeats);
    f->repeats[f->n] = (struct repeat){.variant = variant, .entry = entry, .run = run};
    struct frs_sweep_point *point = &f->plan->points[f->n];
    *point = (struct frs_sweep_point){.cell = f->n,
        .replicate = 1,
        .seed = f->entries->list[entry].runs[run].seed,
        .settings = *settings,
        .n_settings = n_settings};
    frs_scenario_hash(scenario, point->hash);
    frs_scenario_training_hash(scenario, point->learning);
    *settings = NULL;
    f->n++;
}

/* Without the run's name in front, which the table tells anyway. */
static char *reason_of(const struct frs_errors *errors, const char *path) {
    const char *line = errors->n > 0 ? errors->lines[0] : "it cannot be composed";
    size_t length = strlen(path);
    bool named = strncmp(line, path, length) == 0 && strncmp(line + length, ": ", 2) == 0;
    return frs_strdup(named ? line + length + 2 : line);
}

/* Whether such a run can be composed; otherwise *reason, freed with free(). */
static bool try_compose(const struct frs_scenario *scenario, const char *path, char **reason) {
    struct frs_errors found = {0};
    struct frs_setup setup;
    bool good = frs_compose(scenario, &setup, &found) == FRS_OK;
    if (good)
        frs_setup_fini(&setup);
    else
        *reason = reason_of(&found, path);
    frs_errors_clear(&found);
    return good;
}

/* Whether the plug-ins that the run was made with are here; otherwise *reason, freed with free(). */
static bool has_plugins(const char *path, char **reason) {
    char *name = frs_format("%s/manifest.json", path);
    struct frs_errors found = {0};
    json_t *manifest = frs_json_read(name, &found);
    bool good =
        manifest && frs_plugins_load_of_manifest(json_object_get(manifest, "files"), path, &found) == FRS_OK;
    if (!good)
        *reason = reason_of(&found, path);
    json_decref(manifest);
    frs_errors_clear(&found);
    free(name);
    return good;
}

/* Runs of one entry differ in their seed only, so the first one speaks for all. */
static bool plan_run(struct fidelity *f, size_t variant, size_t entry, size_t run) {
    const struct frs_run_results *results = &f->entries->list[entry].runs[run];
    char **reason = &f->variants[variant].reasons[entry];
    const struct frs_network_robustness_kind *kind = &f->kinds.list[variant];
    const char *objection = frs_network_robustness_kind_objection(kind, results);
    if (objection) {
        *reason = frs_strdup(objection);
        return false;
    }
    if (run == 0 && !has_plugins(results->path, reason))
        return false;
    size_t n_settings;
    struct frs_setting *settings =
        frs_network_robustness_kind_settings(kind, results, &f->plan->texts, &n_settings);
    struct frs_errors found = {0};
    struct frs_scenario *scenario = NULL;
    bool good = frs_scenario_load_settings(
                    f->sections, results->path, settings, n_settings, &scenario, &found) == FRS_OK;
    if (!good)
        *reason = reason_of(&found, results->path);
    else if (run == 0)
        good = try_compose(scenario, results->path, reason);
    if (good)
        add_point(f, variant, entry, run, &settings, n_settings, scenario);
    frs_scenario_destroy(scenario);
    frs_errors_clear(&found);
    free(settings);
    return good;
}

static void plan_entry(struct fidelity *f, size_t variant, size_t entry) {
    const struct frs_entry *own = &f->entries->list[entry];
    for (size_t run = 0; run < own->n; run++) {
        if (frs_network_robustness_kind_is_same(&f->kinds.list[variant], &own->runs[run]))
            frs_replicates_add(
                &f->variants[variant].entries[entry], own->runs[run].seed, &own->runs[run].metrics);
        else if (!plan_run(f, variant, entry, run))
            return;
    }
}

/* An axis with one level per run gives every point a name. */
static void name_points(struct fidelity *f) {
    struct frs_axes *axes = &f->plan->sweep.axes;
    axes->axes = frs_alloc(1, sizeof *axes->axes);
    axes->n = axes->capacity = 1;
    axes->axes[0] = (struct frs_axis){.name = frs_strdup("run"),
        .levels = frs_alloc(f->n, sizeof *axes->axes[0].levels),
        .n = f->n,
        .keys = frs_alloc(1, sizeof *axes->axes[0].keys)};
    for (size_t i = 0; i < f->n; i++)
        axes->axes[0].levels[i].label =
            frs_format("%s, %s, seed %llu", f->entries->list[f->repeats[i].entry].name,
                f->kinds.list[f->repeats[i].variant].name, (unsigned long long)f->plan->points[i].seed);
    f->plan->n_points = f->n;
}

static void make_plan(struct fidelity *f) {
    size_t most = 0, n = f->entries->n;
    frs_network_robustness_kinds_list(&f->kinds, f->sections, f->entries);
    for (size_t i = 0; i < n; i++)
        most += f->kinds.n * f->entries->list[i].n;
    f->plan = frs_alloc(1, sizeof *f->plan);
    f->plan->name = frs_strdup("fidelity");
    f->plan->version = frs_strdup(FRS_VERSION);
    f->plan->common = frs_alloc(1, sizeof *f->plan->common);
    f->plan->points = frs_alloc(most, sizeof *f->plan->points);
    f->plan->sweep.replicates = 1;
    f->plan->sweep.metrics = frs_alloc(1, sizeof *f->plan->sweep.metrics);
    for (size_t v = 0; v < f->kinds.n; v++) {
        f->variants[v].name = f->kinds.list[v].name;
        f->variants[v].entries = frs_alloc(n, sizeof *f->variants[v].entries);
        f->variants[v].reasons = frs_alloc(n, sizeof *f->variants[v].reasons);
        for (size_t i = 0; i < n; i++)
            plan_entry(f, v, i);
    }
    name_points(f);
}

/* ---- running ---- */

static enum frs_status run_points(const struct fidelity *f, const char *folder,
    const struct frs_network_robustness_options *options, struct frs_errors *errors) {
    int lock;
    enum frs_status status = frs_folder_open(folder, f->plan, FRS_RESUME, &lock, errors);
    if (status != FRS_OK)
        return status;
    char *cache = frs_folder_cache(folder);
    struct frs_schedule *schedule = frs_schedule_create(f->plan, folder, true);
    struct frs_ticker *ticker = frs_ticker_create(stderr, false);
    const struct frs_local local = {.plan = f->plan,
        .folder = folder,
        .sections = options->sections,
        .cache = cache,
        .jobs = options->jobs};
    status = frs_local_run(&local, schedule, ticker, errors);
    frs_ticker_destroy(ticker);
    frs_schedule_destroy(schedule);
    free(cache);
    close(lock);
    return status;
}

/* A run that has failed takes its entry out of the variant: what is left would not be the same replicates. */
static enum frs_status read_point(
    struct fidelity *f, const char *folder, size_t i, struct frs_errors *errors) {
    struct repeat *repeat = &f->repeats[i];
    struct frs_variant *variant = &f->variants[repeat->variant];
    char **reason = &variant->reasons[repeat->entry];
    struct frs_run_results run;
    if (!frs_folder_finished(folder, f->plan, i)) {
        if (!*reason)
            *reason =
                frs_format("its run with seed %llu failed", (unsigned long long)f->plan->points[i].seed);
        return FRS_OK;
    }
    char *path = frs_folder_point(folder, i);
    enum frs_status status = frs_run_read(path, &run, errors);
    free(path);
    if (status != FRS_OK)
        return status;
    status = frs_target_apply(&f->entries->target, &run, errors);
    repeat->metrics = run.metrics;
    run.metrics = (struct frs_metrics){0};
    frs_run_fini(&run);
    return status;
}

static enum frs_status read_points(struct fidelity *f, const char *folder, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < f->n && status == FRS_OK; i++)
        status = read_point(f, folder, i, errors);
    for (size_t i = 0; i < f->n && status == FRS_OK; i++) {
        struct repeat *repeat = &f->repeats[i];
        struct frs_variant *variant = &f->variants[repeat->variant];
        if (!variant->reasons[repeat->entry])
            frs_replicates_add(&variant->entries[repeat->entry], f->plan->points[i].seed, &repeat->metrics);
    }
    return status;
}

/* ---- all of it ---- */

static void fini(struct fidelity *f) {
    for (size_t i = 0; i < f->n; i++)
        frs_metrics_fini(&f->repeats[i].metrics);
    for (size_t v = 0; v < f->kinds.n; v++) {
        for (size_t i = 0; i < f->entries->n; i++) {
            frs_replicates_fini(&f->variants[v].entries[i]);
            free(f->variants[v].reasons[i]);
        }
        free(f->variants[v].entries);
        free(f->variants[v].reasons);
    }
    free(f->repeats);
    frs_sweep_plan_destroy(f->plan);
}

static enum frs_status run_and_read(
    struct fidelity *f, const struct frs_network_robustness_options *options, struct frs_errors *errors) {
    char *folder = options->folder ? frs_strdup(options->folder) : frs_scratch_create(errors);
    if (!folder)
        return FRS_ERR_RUN;
    enum frs_status status = run_points(f, folder, options, errors);
    bool failed = status == FRS_ERR_RUN && errors->n == 0; /* points, which the table leaves out */
    if (status == FRS_OK || failed)
        status = read_points(f, folder, errors);
    if (options->folder)
        free(folder);
    else
        frs_scratch_remove(folder);
    return status == FRS_OK && failed ? FRS_ERR_RUN : status;
}

static void print(const struct fidelity *f, const char *by, FILE *out) {
    frs_ranking_print(f->entries, f->variants, f->kinds.n, by, out);
    if (f->kinds.no_server_link)
        frs_print_line(out,
            "The server's link is unlimited in all of these runs, so neither its rate nor how "
            "it serves its queue was varied.");
}

enum frs_status frs_network_robustness(const struct frs_entries *entries,
    const struct frs_network_robustness_options *options, FILE *out, struct frs_errors *errors) {
    struct fidelity f = {.sections = options->sections, .entries = entries};
    if (options->by && frs_entries_check_metric(entries, "--by", options->by, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    make_plan(&f);
    enum frs_status status = f.n > 0 ? run_and_read(&f, options, errors) : FRS_OK;
    if (status == FRS_OK || (status == FRS_ERR_RUN && errors->n == 0))
        print(&f, options->by, out);
    fini(&f);
    return status;
}
