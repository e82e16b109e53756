#include "sim/sweep/solve.h"
#include "analysis/read/files.h"
#include "analysis/read/json.h"
#include "analysis/read/sweep_reader.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An answer is sure where replicates like these mislead with at most this chance. */
static const double SURE = 0.05;

struct solving {
    const struct frs_question *question;
    const struct frs_sweep_options *options;
    size_t *tried; /* [n_tried] settings in the order of the axis */
    size_t n_tried;
    size_t *cells; /* [question->n] of each setting, or SIZE_MAX */
    bool is_open;
    struct frs_sweep_session session;
    bool has_results;
    struct frs_sweep_results results;
};

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

/* The points of these settings, beside those there are. */
static enum frs_status open_or_extend(struct solving *s, struct frs_errors *errors) {
    char *axis = frs_question_axis(s->question, s->tried, s->n_tried);
    const char *const vary[] = {axis};
    struct frs_sweep_options options = *s->options;
    options.request.vary = vary;
    options.request.n_vary = 1;
    options.request.asked[0] = (struct frs_asked){"--until", s->question->metric};
    options.request.asked[1] = (struct frs_asked){"--best", s->question->best};
    enum frs_status status =
        s->is_open ? frs_sweep_extend(&options, &s->session, errors) : check_axes(&options, errors);
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
    return status;
}

static enum frs_status check_metric(
    struct solving *s, const char *option, const char *metric, struct frs_errors *errors) {
    const char **names = frs_alloc(s->results.n_names + 1, sizeof *names);
    bool known = !metric;
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

static enum frs_status run_all(struct solving *s, struct frs_errors *errors) {
    enum frs_status status = frs_sweep_run_local(s->options, &s->session, errors);
    if (status == FRS_INTERRUPTED)
        return frs_errors_add(errors, status, "interrupted; the same command with --resume goes on");
    if (status != FRS_OK)
        return frs_errors_add(
            errors, status, "without these points there is no answer; --resume runs them again");
    status = read_results(s, errors);
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

/* ---- figures ---- */

static const struct frs_replicates *runs_of(const struct solving *s, size_t setting) {
    return &s->results.cells[s->cells[setting]];
}

/* A target that a run did not reach takes for ever. */
static struct frs_estimate figure(const struct solving *s, size_t setting, const char *metric) {
    struct frs_figure figure = frs_replicates_figure(runs_of(s, setting), metric);
    if (figure.censored > 0)
        figure.estimate.mean = INFINITY;
    return figure.estimate;
}

static bool is_good(void *context, size_t setting) {
    const struct solving *s = context;
    if (!s->question->metric)
        return true;
    double mean = figure(s, setting, s->question->metric).mean;
    return s->question->at_most ? mean <= s->question->bound : mean >= s->question->bound; /* not with NaN */
}

static int sign_of(double value) {
    return (value > 0) - (value < 0);
}

/* Seed by seed; one replicate knows of no chance. */
static int step(void *context, size_t a, size_t b) {
    const struct solving *s = context;
    double before = figure(s, a, s->question->metric).mean, after = figure(s, b, s->question->metric).mean;
    if (isinf(before) || isinf(after))
        return isinf(before) && isinf(after) ? 0 : isinf(after) ? 1 : -1;
    struct frs_estimate paired =
        frs_replicates_contrast(runs_of(s, b), runs_of(s, a), s->question->metric).paired;
    return paired.n < 2                            ? sign_of(after - before)
           : fabs(paired.mean) > paired.half_width ? sign_of(paired.mean)
                                                   : 0;
}

static bool is_better(void *context, size_t a, size_t b) {
    const struct solving *s = context;
    bool lower, is_quality = frs_metric_is_quality(s->question->best, &lower) ||
                             frs_metric_is_group_quality(s->question->best, &lower);
    double x = figure(s, a, s->question->best).mean, y = figure(s, b, s->question->best).mean;
    return is_quality && !lower ? y > x : y < x;
}

/* The chance with which replicates like these put a setting on the wrong side of the bound: Student's, one-sided; NaN:
 * there is no telling. */
static double chance_of_error(const struct solving *s, size_t setting) {
    struct frs_estimate e = figure(s, setting, s->question->metric);
    if (isinf(e.mean) || !(e.half_width >= 0))
        return NAN;
    if (e.half_width == 0)
        return 0;
    double error = e.half_width / frs_stats_t_quantile(0.5 + 0.5 * FRS_CONFIDENCE, e.df);
    return frs_stats_t_cdf(-fabs(e.mean - s->question->bound) / error, e.df);
}

/* ---- the answer ---- */

/* "58.1 min (55.0–61.2)", or "not reached in 2 of 5 runs". */
static char *amount(const struct solving *s, size_t setting, const char *metric) {
    struct frs_figure f = frs_replicates_figure(runs_of(s, setting), metric);
    return f.censored > 0 ? frs_format("not reached in %zu of %zu runs", f.censored, f.estimate.n)
                          : frs_amount_text(metric, &f.estimate);
}

static const char *value_of(const struct solving *s, size_t setting) {
    return s->question->values[setting];
}

static const char *wanted_name(const struct solving *s) {
    bool is_range = s->question->is_range;
    if (s->question->wanted == FRS_BEST)
        return "best";
    if (s->question->wanted == FRS_LARGEST)
        return is_range ? "largest" : "last";
    return is_range ? "smallest" : "first";
}

/* "; 24 does not: 61.0 min (58.0–64.0)". */
static void print_next(const struct solving *s, const struct frs_found *found) {
    if (!found->has_next)
        return;
    if (s->cells[found->next] == SIZE_MAX) /* halving ends beside it, so that it was tried */
        return;
    char *text = amount(s, found->next, s->question->metric);
    frs_print_line(stdout, "%s does not: %s.", value_of(s, found->next), text);
    free(text);
}

/* By both settings beside the end of what is good. */
static double error_of(const struct solving *s, const struct frs_found *found) {
    if (!s->question->metric)
        return NAN;
    double error = chance_of_error(s, found->setting);
    return found->has_next && isfinite(figure(s, found->next, s->question->metric).mean)
               ? error + chance_of_error(s, found->next)
               : error;
}

/* `error` of the answer; not of a best one, where it says nothing. */
static void print_sureness(double error) {
    if (isnan(error))
        frs_print_line(stdout, "One replicate does not say how sure that is; --replicates 5 would.");
    else if (error <= SURE)
        frs_print_line(stdout,
            "That is sure: replicates like these mislead with a chance of %.2g %% at most.",
            100 * fmax(error, 1e-4));
    else
        frs_print_line(stdout,
            "That is not sure: replicates like these mislead with a chance of up to %.2g %%; more "
            "--replicates would tell.",
            fmin(100 * error, 100));
}

/* Of the settings that were run the one whose figure is nearest to the bound that none keeps to; SIZE_MAX: no figure. */
static size_t nearest(const struct solving *s) {
    double least = INFINITY;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < s->n_tried && s->question->metric; i++) {
        double distance = fabs(figure(s, s->tried[i], s->question->metric).mean - s->question->bound);
        if (distance < least) {
            least = distance;
            found = s->tried[i];
        }
    }
    return found;
}

/* "No setting of rounds.count = 2..4 keeps to bytes.total <= 1 kB. The nearest that was run is 2: 769.0 kB." */
static void print_none(const struct solving *s) {
    const struct frs_question *q = s->question;
    size_t setting = nearest(s);
    frs_print_line(stdout, "No setting of %s keeps to %s.", q->settings, q->until ? q->until : "it");
    if (!q->metric)
        return;
    if (setting == SIZE_MAX) {
        frs_print_line(stdout, "None that was run has a %s in every run.", q->metric);
        return;
    }
    char *text = amount(s, setting, q->metric);
    frs_print_line(stdout, "The nearest that was run is %s: %s.", value_of(s, setting), text);
    print_sureness(chance_of_error(s, setting));
    free(text);
}

static void print_answer(const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    if (!found->any)
        print_none(s);
    if (found->any && q->metric) {
        char *text = amount(s, found->setting, q->metric);
        frs_print_line(stdout, "%s of %s is the %s that keeps to %s: %s.", value_of(s, found->setting),
            q->settings, wanted_name(s), q->until, text);
        free(text);
    }
    if (found->any && q->best) {
        char *text = amount(s, found->setting, q->best);
        frs_print_line(stdout, "%s has the best %s%s: %s.", value_of(s, found->setting), q->best,
            q->metric ? " of those" : "", text);
        free(text);
    }
    if (found->any && q->metric) {
        print_next(s, found);
        if (q->wanted != FRS_BEST)
            print_sureness(error_of(s, found));
    }
    frs_print_line(stdout, "%zu of %zu settings were run%s.", s->n_tried, q->n,
        found->by_halving && s->n_tried < q->n ? "; by halving, the others need not be" : "");
}

static void set_real(json_t *object, const char *key, double value) {
    frs_json_set(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_text(json_t *object, const char *key, const char *text) {
    frs_json_set(object, key, text ? json_string(text) : json_null());
}

static json_t *answer_object(const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    json_t *object = json_object(), *tried = json_array();
    set_text(object, "settings", q->settings);
    set_text(object, "until", q->until);
    set_text(object, "wanted", q->wanted == FRS_BEST ? q->best : wanted_name(s));
    set_text(object, "answer", found->any ? value_of(s, found->setting) : NULL);
    if (found->any && q->metric) {
        struct frs_estimate e = figure(s, found->setting, q->metric);
        set_real(object, "mean", e.mean);
        set_real(object, "ci_low", e.mean - e.half_width);
        set_real(object, "ci_high", e.mean + e.half_width);
        set_text(object, "next", found->has_next ? value_of(s, found->next) : NULL);
        set_real(object, "chance_of_error", q->wanted == FRS_BEST ? NAN : error_of(s, found));
    }
    set_text(object, "by", found->by_halving ? "halving" : "all");
    for (size_t i = 0; i < s->n_tried; i++)
        frs_json_append(tried, json_string(value_of(s, s->tried[i])));
    frs_json_set(object, "tried", tried);
    return object;
}

static enum frs_status write_answer(
    const struct solving *s, const struct frs_found *found, struct frs_errors *errors) {
    char *path = frs_format("%s/answer.json", s->session.folder);
    json_t *object = answer_object(s, found);
    struct frs_draft draft;
    enum frs_status status = frs_draft_open(&draft, path, errors);
    if (status == FRS_OK) {
        json_dumpf(object, draft.file, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
        fputc('\n', draft.file);
        status = frs_draft_commit(&draft, errors);
    }
    json_decref(object);
    free(path);
    return status;
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

enum frs_status frs_solve(
    const struct frs_question *question, const struct frs_sweep_options *options, struct frs_errors *errors) {
    struct solving s = {.question = question,
        .options = options,
        .tried = frs_alloc(question->n, sizeof *s.tried),
        .cells = frs_alloc(question->n, sizeof *s.cells),
        .session.lock = -1};
    const struct frs_search search = {question->n, question->wanted, &s, try, is_good, step, is_better};
    struct frs_found found;
    for (size_t i = 0; i < question->n; i++)
        s.cells[i] = SIZE_MAX;
    enum frs_status status = take_up(&s, errors);
    if (status == FRS_OK)
        status = frs_search_run(&search, &found, errors);
    if (status == FRS_OK)
        status = write_answer(&s, &found, errors);
    if (status == FRS_OK) {
        struct frs_sweep_options finish = *options;
        status = frs_sweep_finish(&finish, &s.session, FRS_OK, errors);
    }
    if (status == FRS_OK && !options->quiet)
        print_answer(&s, &found);
    if (s.has_results)
        frs_sweep_results_fini(&s.results);
    frs_sweep_close(&s.session);
    free(s.tried);
    free(s.cells);
    return status;
}
