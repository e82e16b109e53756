/* The answer of a search: in sentences, and as answer.json. */
#include "analysis/read/files.h"
#include "analysis/read/json.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/experiment/solve_internal.h"

#include <math.h>
#include <stdlib.h>

/* "58.1 min (55.0–61.2)", with the runs that missed a target, or "not reached in 5 of 5 runs". */
static char *amount(const struct solving *s, size_t setting, const char *metric) {
    struct frs_repeats f = frs_solve_figure(s, setting, metric);
    if (f.missed == f.estimate.n && f.missed > 0)
        return frs_format("not reached in %zu of %zu runs", f.missed, f.estimate.n);
    char *text = frs_amount_text(metric, &f.estimate);
    if (f.missed == 0)
        return text;
    char *whole =
        frs_format("%s, with what %zu of %zu runs spent that did not reach it", text, f.missed, f.estimate.n);
    free(text);
    return whole;
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

/* ---- in sentences ---- */

/* "24 does not: 61.0 min (58.0–64.0)." */
static void print_next(const struct solving *s, const struct frs_found *found) {
    if (!found->has_next || frs_solve_verdict(s, found->next, NULL))
        return;
    char *text = amount(s, found->next, s->question->metric);
    frs_print_line(stdout, "%s does not: %s.", value_of(s, found->next), text);
    free(text);
}

/* Settings of which runs can have no results. */
static void print_verdicts(const struct solving *s) {
    for (size_t i = 0; i < s->question->n; i++) {
        size_t n = 0;
        const char *verdict = s->cells[i] == SIZE_MAX ? NULL : frs_solve_verdict(s, i, &n);
        if (verdict && s->question->metric)
            frs_print_line(stdout, "%s counts as one that does not keep to it: %s, in %zu of %zu runs.",
                value_of(s, i), verdict, n, s->results.plan->sweep.replicates);
        else if (verdict)
            frs_print_line(stdout, "%s is left out: %s, in %zu of %zu runs.", value_of(s, i), verdict, n,
                s->results.plan->sweep.replicates);
    }
}

/* `of`: what the answer is one of, where not all could be run. */
static void print_sureness(double error, const char *of) {
    if (isnan(error))
        frs_print_line(stdout, "One replicate does not say how sure that is; --replicates 5 would.");
    else if (error <= FRS_SOLVE_SURE)
        frs_print_line(stdout,
            "That is sure%s: replicates like these mislead with a chance of %.2g %% at most.", of,
            100 * fmax(error, 1e-4));
    else
        frs_print_line(stdout,
            "That is not sure: replicates like these mislead with a chance of up to %.2g %%; more "
            "--replicates would tell.",
            fmin(100 * error, 100));
}

/* If no setting keeps to the bound: the one, of those run, whose figure is nearest to it; SIZE_MAX: no
 * figure. */
static size_t nearest(const struct solving *s) {
    double least = INFINITY;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < s->n_tried && s->question->metric; i++) {
        double distance = frs_solve_distance((void *)s, s->tried[i]);
        if (distance < least) {
            least = distance;
            found = s->tried[i];
        }
    }
    return found;
}

/* "No setting of rounds.count = 2..4 keeps to bytes.total <= 1 kB. The nearest that was run is 2: 769.0 kB."
 */
static void print_none(const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    const char *bound = q->until ? q->until : "it";
    if (found->untried > 0)
        frs_print_line(stdout, "None of those tried keeps to %s: %zu of the %zu settings of %s.", bound,
            s->n_tried, q->n, q->settings);
    else
        frs_print_line(stdout, "No setting of %s keeps to %s.", q->settings, bound);
    if (!q->metric)
        return;
    size_t setting = nearest(s);
    if (setting == SIZE_MAX) {
        frs_print_line(stdout, "No setting that was run has a %s.", q->metric);
    } else {
        char *text = amount(s, setting, q->metric);
        frs_print_line(stdout, "The nearest that was run is %s: %s.", value_of(s, setting), text);
        free(text);
    }
    print_sureness(frs_solve_error(s, found), found->untried > 0 ? " of those tried" : "");
}

/* "8 (0.451) and 32 (0.449) are not significantly different from it." */
static void print_within_noise(const struct solving *s, const struct frs_found *found) {
    enum { MOST = 6 };
    const char **names = frs_alloc(s->question->n, sizeof *names);
    char **texts = frs_alloc(s->question->n, sizeof *texts);
    size_t n = 0;
    for (size_t i = 0; i < s->question->n; i++) {
        if (s->cells[i] == SIZE_MAX || !frs_solve_within_noise(s, found, i))
            continue;
        double mean = frs_solve_figure(s, i, s->question->best).estimate.mean;
        char *value = isinf(mean) ? frs_strdup("not reached") : frs_value_text(s->question->best, mean);
        names[n] = texts[n] = frs_format("%s (%s)", value_of(s, i), value);
        n++;
        free(value);
    }
    if (n > 0) {
        char *list = frs_listed(names, n, MOST);
        frs_print_line(stdout, "%s %s not significantly different from it.", list, n > 1 ? "are" : "is");
        free(list);
    }
    for (size_t i = 0; i < n; i++)
        free(texts[i]);
    free(texts);
    free(names);
}

/* What the answer rests on beside what was run. */
static void print_assumption(const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    const char *metric = q->metric ? q->metric : "";
    char *rest = frs_strdup("");
    if (found->untried > 0 && found->by_halving)
        rest = frs_format(
            "; the others need not be, if %s rises or falls all the way, as this answer assumes", metric);
    else if (found->untried > 0)
        rest = frs_format(
            "; any of the others may keep to the bound, because it is not assumed that %s rises or "
            "falls all the way; --budget %zu runs all",
            metric, q->n);
    else if (s->n_tried < q->n)
        rest = frs_strdup("; the others could not change the answer");
    frs_print_line(stdout, "%zu of %zu settings were run%s.", s->n_tried, q->n, rest);
    free(rest);
}

void frs_solve_print(const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    if (!found->any)
        print_none(s, found);
    if (found->any && q->metric) {
        char *text = amount(s, found->setting, q->metric);
        frs_print_line(stdout, "%s of %s is the %s that keeps to %s: %s.", value_of(s, found->setting),
            q->settings, q->wanted == FRS_BEST ? "best" : wanted_name(s), q->until, text);
        free(text);
    }
    if (found->any && q->best) {
        char *text = amount(s, found->setting, q->best);
        frs_print_line(stdout, "%s has the best %s%s: %s.", value_of(s, found->setting), q->best,
            q->metric ? " of those" : "", text);
        free(text);
        print_within_noise(s, found);
    }
    if (found->any) {
        print_next(s, found);
        print_sureness(frs_solve_error(s, found), "");
    }
    print_verdicts(s);
    print_assumption(s, found);
}

/* ---- answer.json ---- */

static void set_real(json_t *object, const char *key, double value) {
    frs_json_set(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void set_text(json_t *object, const char *key, const char *text) {
    frs_json_set(object, key, text ? json_string(text) : json_null());
}

/* Settings in the order of the question. */
static void set_list(json_t *object, const char *key, const struct solving *s, const struct frs_found *found,
    bool (*belongs)(const struct solving *s, const struct frs_found *found, size_t setting)) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->question->n; i++)
        if (s->cells[i] != SIZE_MAX && belongs(s, found, i))
            frs_json_append(list, json_string(value_of(s, i)));
    frs_json_set(object, key, list);
}

static bool has_verdict(const struct solving *s, const struct frs_found *found, size_t setting) {
    (void)found;
    return frs_solve_verdict(s, setting, NULL);
}

static json_t *answer_object(const struct solving *s, const struct frs_found *found) {
    const struct frs_question *q = s->question;
    json_t *object = json_object(), *tried = json_array();
    set_text(object, "settings", q->settings);
    set_text(object, "until", q->until);
    set_text(object, "wanted", q->wanted == FRS_BEST ? q->best : wanted_name(s));
    set_text(object, "answer", found->any ? value_of(s, found->setting) : NULL);
    if (found->any && q->metric) {
        struct frs_estimate e = frs_solve_figure(s, found->setting, q->metric).estimate;
        set_real(object, "mean", e.mean);
        set_real(object, "ci_low", e.mean - e.half_width);
        set_real(object, "ci_high", e.mean + e.half_width);
        set_text(object, "next", found->has_next ? value_of(s, found->next) : NULL);
    }
    set_real(object, "chance_of_error", frs_solve_error(s, found));
    if (found->any && q->wanted == FRS_BEST)
        set_list(object, "within_noise", s, found, frs_solve_within_noise);
    set_list(object, "without_results", s, found, has_verdict);
    set_text(object, "by", found->by_halving ? "halving" : found->untried > 0 ? "part" : "all");
    set_text(object, "assumed", found->by_halving && found->untried > 0 ? "monotone" : NULL);
    frs_json_set(object, "untried", json_integer((json_int_t)found->untried));
    for (size_t i = 0; i < s->n_tried; i++)
        frs_json_append(tried, json_string(value_of(s, s->tried[i])));
    frs_json_set(object, "tried", tried);
    return object;
}

enum frs_status frs_solve_write(
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
