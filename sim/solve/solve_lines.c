/* The answer of a search in sentences: for the terminal, and for the page. */
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"
#include "sim/solve/solve_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    const struct solving *s;
    const struct frs_found *found;
    struct frs_solve_lines lines;
};

static void say(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct writer *w, const char *format, ...) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        frs_memory_exhausted();
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fclose(out);
    w->lines.list = frs_grow(w->lines.list, w->lines.n + 1, &w->lines.capacity, sizeof *w->lines.list);
    w->lines.list[w->lines.n++] = text;
}

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

/* "24 does not: 61.0 min (58.0–64.0)." */
static void tell_next(struct writer *w) {
    const struct solving *s = w->s;
    const struct frs_found *found = w->found;
    if (!found->has_next || frs_solve_verdict(s, found->next, NULL))
        return;
    char *text = amount(s, found->next, s->question->metric);
    say(w, "%s does not: %s.", frs_solve_value(s, found->next), text);
    free(text);
}

/* Settings of which runs can have no results. */
static void tell_verdicts(struct writer *w) {
    const struct solving *s = w->s;
    for (size_t i = 0; i < s->question->n; i++) {
        size_t n = 0;
        const char *verdict = s->cells[i] == SIZE_MAX ? NULL : frs_solve_verdict(s, i, &n);
        if (verdict && s->question->metric)
            say(w, "%s counts as one that does not meet it: %s, in %zu of %zu runs.", frs_solve_value(s, i),
                verdict, n, s->results.plan->sweep.replicates);
        else if (verdict)
            say(w, "%s is left out: %s, in %zu of %zu runs.", frs_solve_value(s, i), verdict, n,
                s->results.plan->sweep.replicates);
    }
}

/* `of`: what the answer is one of, where not all could be run. */
static void tell_sureness(struct writer *w, double error, const char *of) {
    if (isnan(error))
        say(w, "One replicate does not say how sure that is; --replicates 5 would.");
    else if (error <= FRS_SOLVE_SURE)
        say(w, "That is sure%s: replicates like these mislead with a chance of %.2g %% at most.", of,
            100 * fmax(error, 1e-4));
    else
        say(w,
            "That is not sure: replicates like these mislead with a chance of up to %.2g %%; more "
            "--replicates would tell.",
            fmin(100 * error, 100));
}

/* If no setting keeps to the bound: the setting whose figure is nearest to it; SIZE_MAX: no setting has a
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

/* "No setting of rounds.count = 2..4 meets bytes.total <= 1 kB. The nearest that was run is 2: 769.0 kB."
 */
static void tell_none(struct writer *w) {
    const struct solving *s = w->s;
    const struct frs_found *found = w->found;
    const struct frs_question *q = s->question;
    const char *bound = q->until ? q->until : "it";
    if (found->untried > 0)
        say(w, "None of those tried meets %s: %zu of the %zu settings of %s.", bound, s->n_tried, q->n,
            q->settings);
    else
        say(w, "No setting of %s meets %s.", q->settings, bound);
    if (!q->metric)
        return;
    size_t setting = nearest(s);
    if (setting == SIZE_MAX) {
        say(w, "No setting that was run has a %s.", q->metric);
    } else {
        char *text = amount(s, setting, q->metric);
        say(w, "The nearest that was run is %s: %s.", frs_solve_value(s, setting), text);
        free(text);
    }
    tell_sureness(w, frs_solve_error(s, found), found->untried > 0 ? " of those tried" : "");
}

/* "8 (0.451) and 32 (0.449) are not significantly different from it." */
static void tell_within_noise(struct writer *w) {
    const struct solving *s = w->s;
    const struct frs_found *found = w->found;
    enum { MOST = 6 };
    const char **names = frs_alloc(s->question->n, sizeof *names);
    char **texts = frs_alloc(s->question->n, sizeof *texts);
    size_t n = 0;
    for (size_t i = 0; i < s->question->n; i++) {
        if (s->cells[i] == SIZE_MAX || !frs_solve_within_noise(s, found, i))
            continue;
        double mean = frs_solve_figure(s, i, s->question->best).estimate.mean;
        char *value = isinf(mean) ? frs_strdup("not reached") : frs_value_text(s->question->best, mean);
        names[n] = texts[n] = frs_format("%s (%s)", frs_solve_value(s, i), value);
        n++;
        free(value);
    }
    if (n > 0) {
        char *list = frs_listed(names, n, MOST);
        say(w, "%s %s not significantly different from it.", list, n > 1 ? "are" : "is");
        free(list);
    }
    for (size_t i = 0; i < n; i++)
        free(texts[i]);
    free(texts);
    free(names);
}

/* What the answer rests on beside what was run. */
static void tell_assumption(struct writer *w) {
    const struct solving *s = w->s;
    const struct frs_found *found = w->found;
    const struct frs_question *q = s->question;
    const char *metric = q->metric ? q->metric : "";
    char *rest = frs_strdup("");
    if (found->untried > 0 && found->by_halving)
        rest = frs_format(
            "; the others need not be, if %s rises or falls all the way, as this answer assumes", metric);
    else if (found->untried > 0)
        rest =
            frs_format("; any of the others may meet the bound, because it is not assumed that %s rises or "
                       "falls all the way; --budget %zu runs all",
                metric, q->n);
    else if (s->n_tried < q->n)
        rest = frs_strdup("; the others could not change the answer");
    say(w, "%zu of %zu settings were run%s.", s->n_tried, q->n, rest);
    free(rest);
}

/* Tells of a setting on the safe side of the answer that misses the bound, as 26 does below 35. The
 * settings that keep to the bound then do not form one range up to the answer. */
static void tell_gaps(struct writer *w) {
    const struct solving *s = w->s;
    const struct frs_question *q = s->question;
    struct frs_solve_gaps gaps = frs_solve_gaps_of(s, w->found);
    if (gaps.misses == 0)
        return;
    const char *side = q->is_range ? (q->wanted == FRS_LARGEST ? "below" : "above")
                                   : (q->wanted == FRS_LARGEST ? "before" : "behind");
    char *without = NULL;
    if (gaps.without != SIZE_MAX) {
        char *text = amount(s, gaps.without, q->metric);
        without = frs_format(
            "; %s is the %s without a gap: %s", frs_solve_value(s, gaps.without), frs_solve_wanted(s), text);
        free(text);
    }
    char *unknown =
        gaps.unknown > 0 ? frs_format(", %zu on the way to it not run", gaps.unknown) : frs_strdup("");
    say(w, "%s is not monotone: %zu of the %zu settings %s %s%s do not meet it%s%s.", q->metric, gaps.misses,
        gaps.n, side, frs_solve_value(s, w->found->setting), gaps.all ? "" : " that were run",
        without ? without : "", without ? unknown : "");
    free(unknown);
    free(without);
}

static void tell_answer(struct writer *w) {
    const struct solving *s = w->s;
    const struct frs_found *found = w->found;
    const struct frs_question *q = s->question;
    if (q->metric) {
        char *text = amount(s, found->setting, q->metric);
        say(w, "%s of %s is the %s that meets %s: %s.", frs_solve_value(s, found->setting), q->settings,
            frs_solve_wanted(s), q->until, text);
        free(text);
        tell_gaps(w);
    }
    if (q->best) {
        char *text = amount(s, found->setting, q->best);
        say(w, "%s has the best %s%s: %s.", frs_solve_value(s, found->setting), q->best,
            q->metric ? " of those" : "", text);
        free(text);
        tell_within_noise(w);
    }
    tell_next(w);
    tell_sureness(w, frs_solve_error(s, found), "");
}

struct frs_solve_lines frs_solve_lines_of(const struct solving *s, const struct frs_found *found) {
    struct writer w = {s, found, {0}};
    if (found->any)
        tell_answer(&w);
    else
        tell_none(&w);
    tell_verdicts(&w);
    tell_assumption(&w);
    return w.lines;
}

void frs_solve_lines_fini(struct frs_solve_lines *lines) {
    for (size_t i = 0; i < lines->n; i++)
        free(lines->list[i]);
    free(lines->list);
    *lines = (struct frs_solve_lines){0};
}
