#include "sim/sweep/assumptions.h"
#include "analysis/statistics/screening.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/run/setup/compose.h"
#include "sim/run/setup/shelf.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 64 };

struct search {
    const struct frs_assumptions_request *request;
    struct frs_assumptions *found;
    struct frs_axes candidates; /* in the order of trying: what others depend on comes first */
    const struct frs_scenario *base;
};

/* ---- what might be otherwise --------------------------------------------------------------------------- */

static enum frs_status add(
    struct search *search, const char *text, const char *where, bool own, struct frs_errors *errors) {
    bool says_role = strncmp(text, "choice:", 7) == 0 || strncmp(text, "circumstance:", 13) == 0;
    char *axis = frs_format("%s%s", says_role ? "" : "circumstance: ", text);
    enum frs_status status = frs_axes_add(&search->candidates, axis, where, own, errors);
    free(axis);
    return status;
}

static enum frs_status add_factor(struct search *search, const char *name, const char *section,
    const char *key, double by, struct frs_errors *errors) {
    double base = frs_values_real(frs_scenario_section(search->base, section), key);
    char low[32], high[32], *text;
    text = frs_format("%s | 1/%g times: %s.%s=%s | %g times: %s.%s=%s", name, by, section, key,
        frs_text_number(base / by, low, sizeof low), by, section, key,
        frs_text_number(base * by, high, sizeof high));
    enum frs_status status = add(search, text, name, false, errors);
    free(text);
    return status;
}

/* All of computing, what it costs whatever is computed included. */
static enum frs_status add_compute(struct search *search, double by, struct frs_errors *errors) {
    const struct frs_values *devices = frs_scenario_section(search->base, "devices");
    bool has_work = strcmp(frs_values_text(devices, "compute"), "fixed") != 0;
    double overhead_s = frs_values_real(devices, "overhead"), slowdown = frs_values_real(devices, "slowdown");
    char *text = frs_strdup("compute");
    for (int slower = 0; slower < 2; slower++) {
        char factor[32], seconds[32];
        frs_text_number(slower ? slowdown * by : slowdown / by, factor, sizeof factor);
        frs_text_number(slower ? overhead_s * by : overhead_s / by, seconds, sizeof seconds);
        char *longer = frs_format("%s | %s%g times: %s%s%s%s%s%s", text, slower ? "" : "1/", by,
            has_work ? "devices.slowdown=" : "", has_work ? factor : "",
            has_work && overhead_s > 0 ? " & " : "", overhead_s > 0 ? "devices.overhead=" : "",
            overhead_s > 0 ? seconds : "", overhead_s > 0 ? " s" : "");
        free(text);
        text = longer;
    }
    enum frs_status status =
        has_work || overhead_s > 0 ? add(search, text, "compute", false, errors) : FRS_OK;
    free(text);
    return status;
}

/* All values of a choice but the one that the scenario has. */
static enum frs_status add_others(struct search *search, const char *name, const char *section,
    const char *key, const char *const *values, struct frs_errors *errors) {
    const char *now = frs_values_text(frs_scenario_section(search->base, section), key);
    char *text = frs_strdup(name);
    for (size_t i = 0; values[i]; i++) {
        if (strcmp(values[i], now) == 0)
            continue;
        char *longer = frs_format("%s | %s: %s.%s=%s", text, values[i], section, key, values[i]);
        free(text);
        text = longer;
    }
    enum frs_status status = add(search, text, name, false, errors);
    free(text);
    return status;
}

static enum frs_status add_usual(struct search *search, struct frs_errors *errors) {
    static const char *const models[] = {"exact", "tcp", NULL},
                             *const with_lv08[] = {"exact", "tcp", "packets", NULL},
                             *const ties[] = {"later", "earlier", "random", NULL};
    const char *model = frs_values_text(frs_scenario_section(search->base, "network"), "model");
    bool is_tcp = strcmp(model, "tcp") == 0,
         always = strcmp(frs_scenario_plugin(search->base, "availability")->name, "always") == 0;
    bool never = frs_values_int(frs_scenario_section(search->base, "failures.retry"), "times") == 0;
    const char *others[] = {always ? "availability | as measured: availability.model=diurnal"
                                   : "availability | always: availability.model=always",
        "detection | 20 s: failures.detect=20 s | 60 s: failures.detect=60 s",
        never ? "retry | 4 times: failures.retry.times=4" : "retry | never: failures.retry.times=0"};
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < 3 && status == FRS_OK; i++)
        status = add(search, others[i], "assumption", false, errors);
    if (status == FRS_OK)
        status = add_others(search, "network model", "network", "model", is_tcp ? with_lv08 : models, errors);
    if (status == FRS_OK)
        status = add_factor(search, "bandwidth", "network", "bandwidth_factor", 2, errors);
    if (status == FRS_OK)
        status = add_factor(search, "latency", "network", "latency_factor", 2, errors);
    if (status == FRS_OK)
        status = add_compute(search, 3, errors);
    return status == FRS_OK ? add_others(search, "ties", "data", "ties", ties, errors) : status;
}

/* ---- what has an effect -------------------------------------------------------------------------------- */

/* Sets that are put on the scenario, one on top of the other. */
struct sets {
    const char *list[MOST_SETS];
    size_t n;
};

static bool push(struct sets *sets, const struct frs_level *level) {
    if (sets->n + level->n > MOST_SETS)
        return false;
    for (size_t i = 0; i < level->n; i++)
        sets->list[sets->n++] = level->sets[i];
    return true;
}

/* Whether the scenario with these can be composed, every one having an effect; *reason is freed by the caller. */
static bool works(const struct search *search, const struct sets *own, char **reason) {
    const struct frs_sweep_request *request = &search->request->sweep;
    const char **sets = frs_alloc(request->n_sets + own->n + 1, sizeof *sets);
    struct frs_errors found = {0};
    struct frs_scenario *scenario = NULL;
    struct frs_setup setup;
    for (size_t i = 0; i < request->n_sets; i++)
        sets[i] = request->sets[i];
    for (size_t i = 0; i < own->n; i++)
        sets[request->n_sets + i] = own->list[i];
    bool good = frs_scenario_load(request->sections, request->file, sets, request->n_sets + own->n, &scenario,
                    &found) == FRS_OK &&
                frs_compose(scenario, &setup, &found) == FRS_OK;
    if (good)
        frs_setup_fini(&setup);
    else if (reason)
        *reason = frs_strdup(found.n > 0 ? found.lines[0] : "cannot be set");
    frs_scenario_destroy(scenario);
    frs_errors_clear(&found);
    free(sets);
    return good;
}

static void leave_out(struct frs_assumptions *found, const char *name, char *reason) {
    struct frs_left_out *list = frs_alloc(found->n_left_out + 1, sizeof *list);
    for (size_t i = 0; i < found->n_left_out; i++)
        list[i] = found->left_out[i];
    list[found->n_left_out++] = (struct frs_left_out){frs_strdup(name), reason};
    free(found->left_out);
    found->left_out = list;
}

static bool is_unwanted(const struct frs_assumptions_request *request, const char *name) {
    for (size_t i = 0; i < request->n_without; i++)
        if (strcmp(request->without[i], name) == 0)
            return true;
    return false;
}

/* Takes an assumption over, or says why not: every one of its values has to have an effect. */
static void judge(struct search *search, struct frs_axis *axis) {
    char *reason = NULL;
    if (is_unwanted(search->request, axis->name))
        reason = frs_strdup("not wanted (--without)");
    for (size_t i = 0; i < axis->n && !reason; i++) {
        struct sets sets = {.n = 0};
        if (!push(&sets, &axis->levels[i]))
            reason = frs_strdup("has too many settings");
        else
            works(search, &sets, &reason);
    }
    if (reason) {
        leave_out(search->found, axis->name, reason);
        return;
    }
    struct frs_axes *axes = &search->found->axes;
    axes->axes = frs_grow(axes->axes, axes->n + 1, &axes->capacity, sizeof *axes->axes);
    axes->axes[axes->n++] = *axis;
    *axis = (struct frs_axis){0};
}

/* ---- all of it as one axis ----------------------------------------------------------------------------- */

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

static void put_level(FILE *out, const char *label, const struct sets *sets) {
    fputs(" | ", out);
    put_escaped(out, label, "\\,|&:=");
    for (size_t i = 0; i < sets->n; i++) {
        fputs(i == 0 ? ": " : " & ", out);
        put_set(out, sets->list[i]);
    }
}

/* A factor that would have no effect in a run, because of those before it, stays as it is there. */
static void put_run(struct search *search, FILE *out, size_t run) {
    const struct frs_axes *axes = &search->found->axes;
    struct sets sets = {.n = 0};
    for (size_t factor = 0; factor < axes->n; factor++) {
        const struct frs_axis *axis = &axes->axes[factor];
        bool high = frs_screening_is_high(search->found->n_runs, run, factor);
        struct sets more = sets;
        if (axis->n == 1 && !high)
            continue;
        if (push(&more, &axis->levels[axis->n == 1 ? 0 : high]) && works(search, &more, NULL))
            sets = more;
    }
    char *label = frs_format("design %zu", run + 1);
    put_level(out, label, &sets);
    free(label);
}

static void make_axis(struct search *search) {
    struct frs_assumptions *found = search->found;
    size_t size = 0;
    FILE *out = open_memstream(&found->axis, &size);
    if (!out)
        frs_memory_exhausted();
    fputs("circumstance: " FRS_ASSUMPTION_AXIS " | " FRS_ASSUMPTION_NONE, out);
    for (size_t i = 0; i < found->axes.n; i++)
        for (size_t k = 0; k < found->axes.axes[i].n; k++) {
            struct sets sets = {.n = 0};
            char *label = frs_format("%s %s", found->axes.axes[i].name, found->axes.axes[i].levels[k].label);
            push(&sets, &found->axes.axes[i].levels[k]);
            put_level(out, label, &sets);
            free(label);
        }
    for (size_t run = 0; run < found->n_runs; run++)
        put_run(search, out, run);
    if (fclose(out) != 0)
        frs_memory_exhausted();
}

static void make_list(struct frs_assumptions *found) {
    found->list = frs_alloc(found->axes.n + 1, sizeof *found->list);
    for (size_t i = 0; i < found->axes.n; i++) {
        const struct frs_axis *axis = &found->axes.axes[i];
        found->list[i] = (struct frs_assumption){.name = axis->name, .n_levels = axis->n};
        for (size_t k = 0; k < axis->n; k++)
            found->list[i].labels[k] = axis->levels[k].label;
    }
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static enum frs_status take_request(struct search *search, struct frs_errors *errors) {
    const struct frs_assumptions_request *request = search->request;
    enum frs_status status = add_usual(search, errors);
    for (size_t i = 0; i < request->n_assume && status == FRS_OK; i++)
        status = add(search, request->assume[i], "--assume", true, errors);
    for (size_t i = 0; i < search->candidates.n && status == FRS_OK; i++)
        if (search->candidates.axes[i].n > 2)
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "--assume %s: has %zu values; allowed: one or two beside that of the scenario",
                search->candidates.axes[i].name, search->candidates.axes[i].n);
    for (size_t i = 0; i < request->n_without && status == FRS_OK; i++) {
        bool known = false;
        char *names = frs_strdup("");
        for (size_t k = 0; k < search->candidates.n; k++) {
            known |= strcmp(search->candidates.axes[k].name, request->without[i]) == 0;
            char *more = frs_format("%s%s%s", names, k ? " | " : "", search->candidates.axes[k].name);
            free(names);
            names = more;
        }
        if (!known)
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "--without %s: there is no such assumption; allowed: %s", request->without[i], names);
        free(names);
    }
    return status;
}

static enum frs_status find(struct search *search, struct frs_errors *errors) {
    struct frs_assumptions *found = search->found;
    enum frs_status status = take_request(search, errors);
    for (size_t i = 0; i < search->candidates.n && status == FRS_OK; i++)
        judge(search, &search->candidates.axes[i]);
    if (status == FRS_OK && found->axes.n == 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: no assumption has an effect (%s: %s)",
            search->request->sweep.file, found->left_out[0].name, found->left_out[0].reason);
    if (status == FRS_OK && found->axes.n > FRS_SCREENING_FACTORS && !search->request->no_design)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%zu assumptions; allowed: up to %d in a design, or --no-design, or --without NAME",
            found->axes.n, FRS_SCREENING_FACTORS);
    if (status != FRS_OK)
        return status;
    if (!search->request->no_design && found->axes.n > 1)
        found->n_runs = frs_screening_runs(found->axes.n);
    make_list(found);
    make_axis(search);
    return FRS_OK;
}

enum frs_status frs_assumptions_find(const struct frs_assumptions_request *request,
    struct frs_assumptions *assumptions, struct frs_errors *errors) {
    struct search search = {.request = request, .found = assumptions};
    struct frs_scenario *base = NULL;
    struct frs_setup setup;
    *assumptions = (struct frs_assumptions){0};
    enum frs_status status = frs_scenario_load(request->sweep.sections, request->sweep.file,
        request->sweep.sets, request->sweep.n_sets, &base, errors);
    frs_shelf_open(0, 0);
    if (status == FRS_OK && (status = frs_compose(base, &setup, errors)) == FRS_OK)
        frs_setup_fini(&setup);
    search.base = base;
    assumptions->name = base ? frs_strdup(frs_scenario_name(base)) : NULL;
    if (status == FRS_OK)
        status = find(&search, errors);
    frs_shelf_close();
    frs_scenario_destroy(base);
    frs_axes_fini(&search.candidates);
    if (status != FRS_OK)
        frs_assumptions_fini(assumptions);
    return status;
}

void frs_assumptions_fini(struct frs_assumptions *assumptions) {
    for (size_t i = 0; i < assumptions->n_left_out; i++) {
        free(assumptions->left_out[i].name);
        free(assumptions->left_out[i].reason);
    }
    frs_axes_fini(&assumptions->axes);
    free(assumptions->left_out);
    free(assumptions->list);
    free(assumptions->axis);
    free(assumptions->name);
    *assumptions = (struct frs_assumptions){0};
}
