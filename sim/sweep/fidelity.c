#include "sim/sweep/fidelity.h"
#include "analysis/tables/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/threads/scratch.h"
#include "sim/base/text.h"
#include "sim/run/setup/compose.h"
#include "sim/scenario/hash.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODEL "network.model"
#define FACTOR "network.bandwidth_factor"

#define LEFT_OUT "lv08" /* its latencies are no measured ones */

/* What runs are repeated under. */
struct kind {
    const char *name, *model;
    double factor; /* on FACTOR; 0: as it is */
};
enum { MAX_KINDS = 16 };

/* One run that has to be repeated, and where its results go. */
struct repeat {
    size_t variant, entry, run;
    struct frs_metrics metrics;
};

struct fidelity {
    const struct frs_section *sections;
    const struct frs_entries *entries;
    size_t n_kinds;
    struct kind kinds[MAX_KINDS];
    struct frs_variant variants[MAX_KINDS]; /* [n_kinds] */
    struct frs_sweep_plan *plan;            /* point i is repeats[i] */
    struct repeat *repeats;
    size_t n, capacity;
};

/* ---- settings of one repeated run ---- */

/* Like those of the run, but one. Keys and texts are in `texts`. */
struct settings {
    struct frs_setting *list;
    size_t n;
};

static const char *keep(struct frs_arena *texts, const char *text, size_t length) {
    char *copy = frs_arena_take(texts, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void set(struct settings *settings, struct frs_arena *texts, const char *key, const char *value) {
    size_t i = 0;
    while (i < settings->n && strcmp(settings->list[i].key, key) != 0)
        i++;
    settings->list[i] =
        (struct frs_setting){keep(texts, key, strlen(key)), keep(texts, value, strlen(value))};
    settings->n += i == settings->n;
}

static struct settings settings_of(
    const struct frs_run_results *run, const struct kind *kind, struct frs_arena *texts) {
    struct settings settings = {.list = frs_alloc(run->n_settings + 1, sizeof *settings.list)};
    for (size_t i = 0; i < run->n_settings; i++) {
        const char *text = run->settings[i];
        size_t length = strcspn(text, "=");
        settings.list[settings.n++] = (struct frs_setting){
            keep(texts, text, length), keep(texts, text + length + 1, strlen(text + length + 1))};
    }
    if (kind->model)
        set(&settings, texts, MODEL, kind->model);
    if (kind->factor > 0) {
        const char *factor = frs_run_setting(run, FACTOR);
        char number[32];
        frs_text_number((factor ? strtod(factor, NULL) : 1) * kind->factor, number, sizeof number);
        set(&settings, texts, FACTOR, number);
    }
    return settings;
}

/* Whether it changes nothing about the run. */
static bool is_same(const struct frs_run_results *run, const struct kind *kind) {
    const char *model = frs_run_setting(run, MODEL);
    return kind->factor == 0 && (!kind->model || (model && strcmp(model, kind->model) == 0));
}

/* ---- the plan ---- */

static void add_kind(struct fidelity *f, const char *name, const char *model, double factor) {
    FRS_INVARIANT(f->n_kinds < MAX_KINDS, "more than %d kinds of networks", MAX_KINDS);
    f->kinds[f->n_kinds++] = (struct kind){name, model, factor};
}

/* Every model there is, and bandwidth. */
static void list_kinds(struct fidelity *f) {
    const struct frs_param *param = NULL;
    for (const struct frs_section *section = f->sections; section->path; section++)
        if (strcmp(section->path, "network") == 0)
            param = section->params;
    while (param && strcmp(param->key, "model") != 0)
        param++;
    add_kind(f, "as it is", NULL, 0);
    for (const char *const *model = param->choices; *model; model++)
        if (strcmp(*model, LEFT_OUT) != 0)
            add_kind(f, *model, *model, 0);
    add_kind(f, "bandwidth × 0.8", NULL, 0.8);
    add_kind(f, "bandwidth × 1.2", NULL, 1.2);
}

static void add_point(struct fidelity *f, size_t variant, size_t entry, size_t run, struct settings *settings,
    const struct frs_scenario *scenario) {
    f->repeats = frs_grow(f->repeats, f->n + 1, &f->capacity, sizeof *f->repeats);
    f->repeats[f->n] = (struct repeat){.variant = variant, .entry = entry, .run = run};
    struct frs_sweep_point *point = &f->plan->points[f->n];
    *point = (struct frs_sweep_point){.cell = f->n,
        .replicate = 1,
        .seed = f->entries->list[entry].runs[run].seed,
        .settings = settings->list,
        .n_settings = settings->n};
    frs_scenario_hash(scenario, point->hash);
    frs_scenario_learning_hash(scenario, point->learning);
    settings->list = NULL;
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

/* Runs of one entry differ in their seed only, so the first one speaks for all. */
static bool plan_run(struct fidelity *f, size_t variant, size_t entry, size_t run) {
    const struct frs_run_results *results = &f->entries->list[entry].runs[run];
    char **reason = &f->variants[variant].reasons[entry];
    const char *platform = frs_run_setting(results, "platform.file");
    if (f->kinds[variant].factor > 0 && platform && *platform) {
        *reason = frs_strdup("its links are those of a platform of its own (platform.file)");
        return false;
    }
    struct settings settings = settings_of(results, &f->kinds[variant], &f->plan->texts);
    struct frs_errors found = {0};
    struct frs_scenario *scenario = NULL;
    bool good = frs_scenario_load_settings(
                    f->sections, results->path, settings.list, settings.n, &scenario, &found) == FRS_OK;
    if (!good)
        *reason = reason_of(&found, results->path);
    else if (run == 0)
        good = try_compose(scenario, results->path, reason);
    if (good)
        add_point(f, variant, entry, run, &settings, scenario);
    frs_scenario_destroy(scenario);
    frs_errors_clear(&found);
    free(settings.list);
    return good;
}

static void plan_entry(struct fidelity *f, size_t variant, size_t entry) {
    const struct frs_entry *own = &f->entries->list[entry];
    for (size_t run = 0; run < own->n; run++) {
        if (is_same(&own->runs[run], &f->kinds[variant]))
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
                f->kinds[f->repeats[i].variant].name, (unsigned long long)f->plan->points[i].seed);
    f->plan->n_points = f->n;
}

static void make_plan(struct fidelity *f) {
    size_t most = 0, n = f->entries->n;
    list_kinds(f);
    for (size_t i = 0; i < n; i++)
        most += f->n_kinds * f->entries->list[i].n;
    f->plan = frs_alloc(1, sizeof *f->plan);
    f->plan->name = frs_strdup("fidelity");
    f->plan->version = frs_strdup(FRS_VERSION);
    f->plan->common = frs_alloc(1, sizeof *f->plan->common);
    f->plan->points = frs_alloc(most, sizeof *f->plan->points);
    f->plan->sweep.replicates = 1;
    f->plan->sweep.metrics = frs_alloc(1, sizeof *f->plan->sweep.metrics);
    for (size_t v = 0; v < f->n_kinds; v++) {
        f->variants[v].name = f->kinds[v].name;
        f->variants[v].entries = frs_alloc(n, sizeof *f->variants[v].entries);
        f->variants[v].reasons = frs_alloc(n, sizeof *f->variants[v].reasons);
        for (size_t i = 0; i < n; i++)
            plan_entry(f, v, i);
    }
    name_points(f);
}

/* ---- running ---- */

static enum frs_status run_points(const struct fidelity *f, const char *folder,
    const struct frs_fidelity_options *options, struct frs_errors *errors) {
    int lock;
    enum frs_status status = frs_folder_open(folder, f->plan, true, &lock, errors);
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
    for (size_t v = 0; v < f->n_kinds; v++) {
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
    struct fidelity *f, const struct frs_fidelity_options *options, struct frs_errors *errors) {
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

static enum frs_status check_criterion(
    const struct frs_entries *entries, const char *by, struct frs_errors *errors) {
    char line[64];
    if (!by || frs_metrics_has(&entries->list[0].runs[0].metrics, by))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "--by %s: %s has no such figure",
        frs_text_line(by, line, sizeof line), entries->list[0].runs[0].path);
}

enum frs_status frs_fidelity(const struct frs_entries *entries, const struct frs_fidelity_options *options,
    FILE *out, struct frs_errors *errors) {
    struct fidelity f = {.sections = options->sections, .entries = entries};
    if (check_criterion(entries, options->by, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    make_plan(&f);
    enum frs_status status = f.n > 0 ? run_and_read(&f, options, errors) : FRS_OK;
    if (status == FRS_OK || (status == FRS_ERR_RUN && errors->n == 0))
        frs_ranking_print(entries, f.variants, f.n_kinds, options->by, out);
    fini(&f);
    return status;
}
