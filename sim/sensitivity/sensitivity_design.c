#include "sim/sensitivity/sensitivity_design.h"
#include "analysis/statistics/screening.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/setup/compose/compose.h"
#include "sim/setup/dataset_cache.h"
#include "sim/sensitivity/assumption_kinds.h"
#include "sim/sensitivity/assumption_trials.h"

#include <stdlib.h>
#include <string.h>

/* How a factor of the design is set. */
struct design {
    bool from_base; /* from what the scenario has to its last value */
    size_t n_given; /* so many leading settings of its levels are left to other factors */
};

struct search {
    const struct frs_sensitivity_design_request *request;
    struct frs_sensitivity_design *found;
    struct frs_assumption_kinds kinds;
    struct frs_axes candidates; /* in the order of trying: what others depend on comes first */
    struct frs_sweep sweep;     /* what is varied besides */
    struct frs_trials trials;
    struct design *designs; /* [found->axes.n] */
    size_t designs_capacity;
};

/* ---- what might be otherwise ----------------------------------------------------------------- */

static enum frs_status add_axis(
    struct frs_axes *axes, const char *text, const char *where, bool own, struct frs_errors *errors) {
    bool says_role = strncmp(text, "design:", 7) == 0 || strncmp(text, "environment:", 12) == 0;
    char *axis = frs_format("%s%s", says_role ? "" : "environment: ", text);
    enum frs_status status = frs_axes_add(axes, axis, where, own, errors);
    free(axis);
    return status;
}

static enum frs_status add_usual(struct search *search, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < search->kinds.n && status == FRS_OK; i++)
        if (search->kinds.list[i].axis)
            status = add_axis(
                &search->candidates, search->kinds.list[i].axis, search->kinds.list[i].name, false, errors);
    return status;
}

/* ---- what has an effect ---------------------------------------------------------------------- */

static void leave_out(struct frs_sensitivity_design *found, const char *name, char *reason) {
    struct frs_left_out *list = frs_alloc(found->n_left_out + 1, sizeof *list);
    for (size_t i = 0; i < found->n_left_out; i++)
        list[i] = found->left_out[i];
    list[found->n_left_out++] = (struct frs_left_out){frs_strdup(name), reason};
    free(found->left_out);
    found->left_out = list;
}

static bool is_among(const char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Why the request leaves it as it is, or NULL. */
static const char *unwanted(const struct frs_sensitivity_design_request *request, const char *name) {
    if (is_among(request->without, request->n_without, name))
        return "not wanted (--without)";
    return request->n_only > 0 && !is_among(request->only, request->n_only, name) ? "not wanted (--only)"
                                                                                  : NULL;
}

/* The axis of the sweep that varies one of these keys, too; NULL: there is none. */
static const char *varied_by(const struct search *search, const struct frs_axis *axis) {
    const struct frs_axes *axes = &search->sweep.axes;
    for (size_t a = 0; a < axes->n; a++)
        for (char **key = axes->axes[a].keys; *key; key++)
            for (char **own = axis->keys; *own; own++)
                if (frs_key_is_in(*key, *own) || frs_key_is_in(*own, *key))
                    return axes->axes[a].name;
    return NULL;
}

static void drop_level(struct frs_axis *axis, size_t i) {
    for (size_t k = 0; k < axis->levels[i].n; k++)
        free(axis->levels[i].sets[k]);
    free(axis->levels[i].sets);
    free(axis->levels[i].label);
    axis->n--;
    memmove(&axis->levels[i], &axis->levels[i + 1], (axis->n - i) * sizeof *axis->levels);
}

/* Two values beside that of the scenario. */
static void choose_levels(const struct search *search, struct frs_axis *axis) {
    for (size_t i = 0; i < axis->n;)
        if (frs_trials_same(&search->trials, &axis->levels[i]))
            drop_level(axis, i);
        else
            i++;
    while (axis->n > 2)
        drop_level(axis, 2);
}

/* Why an assumption cannot be varied, freed by the caller; NULL: every one of its values has an effect. */
static char *objection_to(const struct search *search, const struct frs_axis *axis) {
    char *reason = axis->n > 0 ? NULL : frs_strdup("the scenario has it already");
    for (size_t i = 0; i < axis->n && !reason; i++) {
        struct frs_trial_sets sets = {.n = 0};
        if (!frs_trial_push(&sets, &axis->levels[i], 0))
            reason = frs_strdup("has too many settings");
        else
            frs_trials_work(&search->trials, &sets, &reason);
    }
    return reason;
}

/* Takes over what `axis` has. */
static void take(struct search *search, struct frs_axis *axis, struct design design) {
    struct frs_axes *axes = &search->found->axes;
    axes->axes = frs_grow(axes->axes, axes->n + 1, &axes->capacity, sizeof *axes->axes);
    search->designs =
        frs_grow(search->designs, axes->n + 1, &search->designs_capacity, sizeof *search->designs);
    search->designs[axes->n] = design;
    axes->axes[axes->n++] = *axis;
    *axis = (struct frs_axis){0};
}

static const struct frs_assumption_kind *kind_of(const struct search *search, const struct frs_axis *axis) {
    for (size_t i = 0; i < search->kinds.n && !axis->on_command_line; i++)
        if (strcmp(search->kinds.list[i].name, axis->name) == 0)
            return &search->kinds.list[i];
    return NULL;
}

/* Takes the other values of a kind over if these have an effect. */
static bool judge_otherwise(struct search *search, const struct frs_assumption_kind *kind) {
    struct frs_axes axes = {0};
    struct frs_errors found = {0};
    char *reason = NULL;
    bool good = add_axis(&axes, kind->otherwise, kind->name, false, &found) == FRS_OK &&
                !(reason = objection_to(search, &axes.axes[0]));
    if (good)
        take(search, &axes.axes[0], (struct design){kind->from_base, kind->n_given});
    free(reason);
    frs_errors_clear(&found);
    frs_axes_fini(&axes);
    return good;
}

/* Takes an assumption over, or says why not: every one of its values has to have an effect. */
static void judge(struct search *search, struct frs_axis *axis) {
    const struct frs_assumption_kind *kind = kind_of(search, axis);
    const char *axis_besides = kind ? varied_by(search, axis) : NULL;
    char *reason = NULL;
    if (unwanted(search->request, axis->name))
        reason = frs_strdup(unwanted(search->request, axis->name));
    else if (axis_besides)
        reason = frs_format("is varied as %s", axis_besides);
    else {
        if (kind)
            choose_levels(search, axis);
        reason = objection_to(search, axis);
        if (reason && kind && kind->otherwise && judge_otherwise(search, kind)) {
            free(reason);
            return;
        }
    }
    if (reason)
        leave_out(search->found, axis->name, reason);
    else
        take(search, axis, (struct design){kind && kind->from_base, 0});
}

static bool has_axis(const struct frs_axes *axes, const char *name) {
    for (size_t i = 0; i < axes->n; i++)
        if (axes->axes[i].name && strcmp(axes->axes[i].name, name) == 0)
            return true;
    return false;
}

/* Kinds without a value to vary them by, unless --assume says one. */
static void leave_out_kinds(struct search *search) {
    for (size_t i = 0; i < search->kinds.n; i++) {
        const struct frs_assumption_kind *kind = &search->kinds.list[i];
        if (!kind->axis && !has_axis(&search->candidates, kind->name) &&
            !has_axis(&search->found->axes, kind->name))
            leave_out(search->found, kind->name, frs_strdup(kind->reason));
    }
}

/* ---- all of it as one axis ------------------------------------------------------------------- */

static void put_escaped(FILE *out, const char *text, const char *separators) {
    for (; *text; text++) {
        if (strchr(separators, *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* "KEY=VALUE", the first equals sign being between them. */
static void put_set(FILE *out, const char *set) {
    size_t key = strcspn(set, "=");
    fprintf(out, "%.*s=", (int)key, set);
    put_escaped(out, set + key + (set[key] == '='), "\\,|&:=");
}

static void put_level(FILE *out, const char *label, const struct frs_trial_sets *sets) {
    fputs(" | ", out);
    put_escaped(out, label, "\\,|&:=");
    for (size_t i = 0; i < sets->n; i++) {
        fputs(i == 0 ? ": " : " & ", out);
        put_set(out, sets->list[i]);
    }
}

/* The level that a factor has in a run; NULL: that of the scenario. */
static const struct frs_level *level_in(const struct search *search, size_t run, size_t factor) {
    const struct frs_axis *axis = &search->found->axes.axes[factor];
    bool high = frs_screening_is_high(search->found->n_runs, run, factor);
    if (axis->n > 1 && !search->designs[factor].from_base)
        return &axis->levels[high];
    return high ? &axis->levels[axis->n - 1] : NULL;
}

/* A factor that would have no effect in a run, because of those before it, stays as it is there. */
static struct frs_trial_sets sets_of_run(const struct search *search, size_t run) {
    size_t n = search->found->axes.n;
    struct frs_trial_sets all = {.n = 0}, sets = {.n = 0};
    bool fits = true;
    for (size_t factor = 0; factor < n; factor++) {
        const struct frs_level *level = level_in(search, run, factor);
        fits = fits && (!level || frs_trial_push(&all, level, search->designs[factor].n_given));
    }
    if (fits && frs_trials_work(&search->trials, &all, NULL))
        return all;
    for (size_t factor = 0; factor < n; factor++) {
        const struct frs_level *level = level_in(search, run, factor);
        struct frs_trial_sets more = sets;
        if (level && frs_trial_push(&more, level, search->designs[factor].n_given) &&
            frs_trials_work(&search->trials, &more, NULL))
            sets = more;
    }
    return sets;
}

static void put_run(const struct search *search, FILE *out, size_t run) {
    struct frs_trial_sets sets = sets_of_run(search, run);
    char *label = frs_format("design %zu", run + 1);
    put_level(out, label, &sets);
    free(label);
}

static void make_axis(struct search *search) {
    struct frs_sensitivity_design *found = search->found;
    size_t size = 0;
    FILE *out = open_memstream(&found->axis, &size);
    if (!out)
        frs_memory_exhausted();
    fputs("environment: " FRS_ASSUMPTION_AXIS " | " FRS_ASSUMPTION_NONE, out);
    for (size_t i = 0; i < found->axes.n; i++)
        for (size_t k = 0; k < found->axes.axes[i].n; k++) {
            struct frs_trial_sets sets = {.n = 0};
            char *label = frs_format("%s %s", found->axes.axes[i].name, found->axes.axes[i].levels[k].label);
            frs_trial_push(&sets, &found->axes.axes[i].levels[k], 0);
            put_level(out, label, &sets);
            free(label);
        }
    for (size_t run = 0; run < found->n_runs; run++)
        put_run(search, out, run);
    if (fclose(out) != 0)
        frs_memory_exhausted();
}

static void make_list(struct search *search) {
    struct frs_sensitivity_design *found = search->found;
    found->list = frs_alloc(found->axes.n + 1, sizeof *found->list);
    for (size_t i = 0; i < found->axes.n; i++) {
        const struct frs_axis *axis = &found->axes.axes[i];
        found->list[i] = (struct frs_assumption){
            .name = axis->name, .n_levels = axis->n, .is_apart = search->designs[i].n_given > 0};
        for (size_t k = 0; k < axis->n; k++)
            found->list[i].labels[k] = axis->levels[k].label;
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Each has to be the name of an assumption that could be varied. */
static enum frs_status check_names(const struct search *search, const char *option, const char *const *names,
    size_t n, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < n && status == FRS_OK; i++) {
        char *allowed = frs_strdup("");
        for (size_t k = 0; k < search->candidates.n; k++) {
            char *more = frs_format("%s%s%s", allowed, k ? " | " : "", search->candidates.axes[k].name);
            free(allowed);
            allowed = more;
        }
        if (!has_axis(&search->candidates, names[i]))
            status = frs_errors_add(errors, FRS_ERR_INPUT, "%s %s: there is no such assumption; allowed: %s",
                option, names[i], allowed);
        free(allowed);
    }
    return status;
}

static enum frs_status take_request(struct search *search, struct frs_errors *errors) {
    const struct frs_sensitivity_design_request *request = search->request;
    enum frs_status status = add_usual(search, errors);
    for (size_t i = 0; i < request->n_assume && status == FRS_OK; i++)
        status = add_axis(&search->candidates, request->assume[i], "--assume", true, errors);
    for (size_t i = 0; i < search->candidates.n && status == FRS_OK; i++)
        if (search->candidates.axes[i].on_command_line && search->candidates.axes[i].n > 2)
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "--assume %s: has %zu values; allowed: one or two beside that of the scenario",
                search->candidates.axes[i].name, search->candidates.axes[i].n);
    if (status == FRS_OK)
        status = check_names(search, "--without", request->without, request->n_without, errors);
    return status == FRS_OK ? check_names(search, "--only", request->only, request->n_only, errors) : status;
}

static enum frs_status find(struct search *search, struct frs_errors *errors) {
    struct frs_sensitivity_design *found = search->found;
    enum frs_status status = take_request(search, errors);
    for (size_t i = 0; i < search->candidates.n && status == FRS_OK; i++)
        judge(search, &search->candidates.axes[i]);
    if (status == FRS_OK)
        leave_out_kinds(search);
    if (status == FRS_OK && found->axes.n == 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: no assumption has an effect (%s: %s)",
            search->request->sweep.file, found->left_out[0].name, found->left_out[0].reason);
    if (status == FRS_OK && found->axes.n > FRS_SCREENING_FACTORS && !search->request->no_design)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%zu assumptions; allowed: up to %d in a design, or --no-design, --only NAME or --without NAME",
            found->axes.n, FRS_SCREENING_FACTORS);
    if (status != FRS_OK)
        return status;
    if (!search->request->no_design && found->axes.n > 1)
        found->n_runs = frs_screening_runs(found->axes.n);
    make_list(search);
    make_axis(search);
    return FRS_OK;
}

enum frs_status frs_sensitivity_design_find(const struct frs_sensitivity_design_request *request,
    struct frs_sensitivity_design *assumptions, struct frs_errors *errors) {
    struct search search = {.request = request, .found = assumptions};
    struct frs_scenario *base = NULL;
    struct frs_setup setup;
    *assumptions = (struct frs_sensitivity_design){0};
    enum frs_status status = frs_scenario_load(request->sweep.sections, request->sweep.file,
        request->sweep.sets, request->sweep.n_sets, &base, errors);
    frs_dataset_cache_open(0, 0);
    if (status == FRS_OK && (status = frs_compose(base, &setup, errors)) == FRS_OK) {
        frs_assumption_kinds_list(&search.kinds, base, &setup);
        frs_setup_fini(&setup);
    }
    if (status == FRS_OK)
        status = frs_sweep_read(base, &request->sweep, &search.sweep, errors);
    if (status == FRS_OK)
        frs_trials_init(&search.trials, &request->sweep, &search.sweep.axes, base);
    assumptions->name = base ? frs_strdup(frs_scenario_name(base)) : NULL;
    if (status == FRS_OK)
        status = find(&search, errors);
    frs_dataset_cache_close();
    frs_scenario_destroy(base);
    frs_sweep_fini(&search.sweep);
    frs_axes_fini(&search.candidates);
    frs_assumption_kinds_fini(&search.kinds);
    free(search.designs);
    if (status != FRS_OK)
        frs_sensitivity_design_fini(assumptions);
    return status;
}

void frs_sensitivity_design_fini(struct frs_sensitivity_design *assumptions) {
    for (size_t i = 0; i < assumptions->n_left_out; i++) {
        free(assumptions->left_out[i].name);
        free(assumptions->left_out[i].reason);
    }
    frs_axes_fini(&assumptions->axes);
    free(assumptions->left_out);
    free(assumptions->list);
    free(assumptions->axis);
    free(assumptions->name);
    *assumptions = (struct frs_sensitivity_design){0};
}
