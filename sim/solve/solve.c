#include "sim/solve/solve.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"
#include "sim/sweep/folder.h"
#include "sim/solve/solve_internal.h"
#include "sim/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

/* ---- the sweep behind it ---- */

static enum frs_status check_axes(const struct frs_sweep_options *options, struct frs_errors *errors) {
    struct frs_sweep_plan *plan;
    enum frs_status status = frs_sweep_plan_build(&options->request, &plan, errors);
    if (status == FRS_OK && plan->sweep.axes.n > 1)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: sweep.vary: has other axes than that of --vary, and solve varies one thing; allowed: none, "
            "as with --set 'sweep.vary='",
            options->request.file);
    frs_sweep_plan_destroy(plan);
    return status;
}

/* A new schedule does not know that nothing would come of these. */
static void give_up_failed(struct solving *s) {
    for (size_t i = 0; s->has_results && i < s->results.plan->n_points; i++)
        if (s->results.points[i].verdict)
            frs_schedule_give_up(s->session.schedule, i);
}

/* The points of these settings, beside those there are. */
static enum frs_status open_or_extend(struct solving *s, struct frs_errors *errors) {
    char *axis = frs_question_axis(s->question, s->tried, s->n_tried);
    const char *const vary[] = {axis};
    struct frs_sweep_options options = *s->options;
    options.request.vary = vary;
    options.request.n_vary = 1;
    options.request.asked[0] = (struct frs_selected){"--until", s->question->metric};
    options.request.asked[1] = (struct frs_selected){"--best", s->question->best};
    enum frs_status status =
        s->is_open ? frs_sweep_extend(&options, &s->session, errors) : check_axes(&options, errors);
    if (status == FRS_OK && s->is_open)
        give_up_failed(s);
    if (status == FRS_OK && !s->is_open) {
        status = frs_sweep_open(&options, &s->session, errors);
        s->is_open = status == FRS_OK;
    }
    free(axis);
    return status;
}

static enum frs_status read_results(struct solving *s, struct frs_errors *errors) {
    const struct frs_sweep_reading reading = {0};
    if (s->has_results)
        frs_sweep_results_fini(&s->results);
    enum frs_status status = frs_sweep_results_read(s->session.folder, &reading, &s->results, errors);
    s->has_results = status == FRS_OK;
    for (size_t i = 0; status == FRS_OK && i < s->results.plan->n_points; i++)
        if (strcmp(s->results.points[i].status, "unreadable") == 0)
            status = frs_errors_add(errors, FRS_ERR_RUN, "%s", s->results.points[i].complaint);
    return status;
}

static enum frs_status check_metric(
    struct solving *s, const char *option, const char *metric, struct frs_errors *errors) {
    const char **names = frs_alloc(s->results.n_names + 1, sizeof *names);
    bool known = !metric || s->results.n_finished == 0;
    for (size_t i = 0; i < s->results.n_names; i++) {
        names[i] = s->results.names[i];
        known = known || strcmp(names[i], metric) == 0;
    }
    const char *nearest = known ? NULL : frs_text_nearest(metric, names);
    free(names);
    return known ? FRS_OK
                 : frs_errors_add(errors, FRS_ERR_INPUT,
                       "%s %s: no run has it%s%s%s; points.csv lists what there is", option, metric,
                       nearest ? " (did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?)" : "");
}

/* Whether every point that failed did so by its settings: that is a result, too. */
static bool all_failed_by_verdict(const struct solving *s) {
    for (size_t i = 0; i < s->results.plan->n_points; i++)
        if (strcmp(s->results.points[i].status, "failed") == 0 && !s->results.points[i].verdict)
            return false;
    return true;
}

static enum frs_status run_all(struct solving *s, struct frs_errors *errors) {
    size_t before = errors->n;
    enum frs_status status = frs_sweep_run_local(s->options, &s->session, errors);
    if (status == FRS_INTERRUPTED)
        return frs_errors_add(errors, status, "interrupted; the same command with --resume goes on");
    bool has_failed = status != FRS_OK, is_over = has_failed && errors->n > before;
    if (!is_over)
        status = read_results(s, errors);
    if (is_over || (status == FRS_OK && has_failed && !all_failed_by_verdict(s)))
        return frs_errors_add(
            errors, FRS_ERR_RUN, "without these points there is no answer; --resume runs them again");
    if (status == FRS_OK)
        status = check_metric(s, "--until", s->question->metric, errors);
    if (status == FRS_OK && s->question->wanted == FRS_BEST)
        status = check_metric(s, "--best", s->question->best, errors);
    return status;
}

static enum frs_status try(void *context, const size_t *settings, size_t n, struct frs_errors *errors) {
    struct solving *s = context;
    size_t before = s->n_tried;
    for (size_t i = 0; i < n; i++)
        if (s->cells[settings[i]] == SIZE_MAX) {
            s->cells[settings[i]] = s->n_tried;
            s->tried[s->n_tried++] = settings[i];
        }
    enum frs_status status = FRS_OK;
    if (s->n_tried > before || !s->is_open)
        status = open_or_extend(s, errors);
    return status == FRS_OK ? run_all(s, errors) : status;
}

/* ---- going on ---- */

static size_t setting_named(const struct frs_question *question, const char *label) {
    size_t i = 0;
    while (i < question->n && strcmp(question->values[i], label) != 0)
        i++;
    return i;
}

/* What an earlier search in this folder has tried stays, in its order. */
static enum frs_status take_up(struct solving *s, struct frs_errors *errors) {
    const char *folder = s->options->folder;
    if (!s->options->resume || !folder || !frs_sweep_plan_is(folder))
        return FRS_OK;
    struct frs_sweep_plan *plan;
    enum frs_status status = frs_sweep_plan_in(folder, &plan, errors);
    if (status != FRS_OK)
        return status;
    for (size_t i = 0; plan->sweep.axes.n == 1 && i < plan->sweep.axes.axes[0].n && status == FRS_OK; i++) {
        size_t setting = setting_named(s->question, plan->sweep.axes.axes[0].levels[i].label);
        if (setting == s->question->n) {
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "%s holds another question: its settings are not among those of --vary; allowed: another "
                "place with --out DIR",
                folder);
        } else {
            s->cells[setting] = s->n_tried;
            s->tried[s->n_tried++] = setting;
        }
    }
    frs_sweep_plan_destroy(plan);
    return status;
}

static enum frs_status run_search(struct solving *s, struct frs_found *found, struct frs_errors *errors) {
    size_t n = s->question->n;
    bool *known = frs_alloc(n, sizeof *known);
    for (size_t i = 0; i < n; i++)
        known[i] = s->cells[i] != SIZE_MAX;
    const struct frs_search search = {.n = n,
        .wanted = s->question->wanted,
        .budget = s->question->budget,
        .known = known,
        .context = s,
        .try = try,
        .is_good = frs_solve_is_good,
        .distance = frs_solve_distance,
        .step = frs_solve_step,
        .is_better = frs_solve_is_better};
    enum frs_status status = s->n_tried > 0 ? try(s, s->tried, s->n_tried, errors) : FRS_OK;
    if (status == FRS_OK)
        status = frs_search_run(&search, found, errors);
    free(known);
    return status;
}

static void print_answer(const struct solving *s, const struct frs_found *found) {
    struct frs_solve_lines lines = frs_solve_lines_of(s, found);
    for (size_t i = 0; i < lines.n; i++)
        frs_print_line(stdout, "%s", lines.list[i]);
    frs_solve_lines_fini(&lines);
}

enum frs_status frs_solve(const struct frs_question *question, const struct frs_sweep_options *options,
    char **answer, struct frs_errors *errors) {
    struct solving s = {.question = question,
        .options = options,
        .tried = frs_alloc(question->n, sizeof *s.tried),
        .cells = frs_alloc(question->n, sizeof *s.cells),
        .session.lock = -1};
    struct frs_found found = {0};
    for (size_t i = 0; i < question->n; i++)
        s.cells[i] = SIZE_MAX;
    enum frs_status status = take_up(&s, errors);
    if (status == FRS_OK)
        status = run_search(&s, &found, errors);
    if (status == FRS_OK)
        status = frs_solve_write(&s, &found, errors);
    if (status == FRS_OK && !options->quiet)
        print_answer(&s, &found);
    if (status == FRS_OK) {
        struct frs_sweep_options finish = *options;
        finish.failures_told = finish.without_tables = true;
        status = frs_sweep_finish(&finish, &s.session, FRS_OK, errors);
    }
    *answer = status == FRS_OK && found.any ? frs_strdup(frs_solve_value(&s, found.setting)) : NULL;
    if (s.has_results)
        frs_sweep_results_fini(&s.results);
    frs_sweep_close(&s.session);
    free(s.tried);
    free(s.cells);
    return status;
}
