#include "analysis/sentence/sentence.h"
#include "analysis/ranking/beside_baseline.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* At most so many members of a list are named. */
enum { MOST_NAMES = 4, MOST_DISTANCES = 3 };

struct writer {
    const struct frs_ranking *ranking;
    const struct frs_findings *findings;
    FILE *out;
};

/* Takes over `text`. */
static void put(const struct writer *w, char *text) {
    fputs(text, w->out);
    free(text);
}

/* Entries of an environment with a standing, the nearest to the leader first; numbers[n]. */
static size_t find(const struct writer *w, size_t environment, enum frs_standing standing, size_t *numbers) {
    size_t n = 0;
    for (size_t i = 0; i < w->ranking->n; i++) {
        if (w->ranking->list[i].environment != environment || w->findings->places[i].standing != standing)
            continue;
        size_t at = n++;
        for (; at > 0 && w->findings->places[numbers[at - 1]].mean > w->findings->places[i].mean; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = i;
    }
    return n;
}

static void put_names(const struct writer *w, const size_t *numbers, size_t n) {
    const char **names = frs_alloc(n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = w->ranking->list[numbers[i]].name;
    put(w, frs_listed(names, n, MOST_NAMES));
    free(names);
}

static const char *name_of(const struct writer *w, size_t i) {
    return w->ranking->list[i].name;
}

/* ---- one environment, in full ---- */

static double rounds_of(const struct frs_ranked_entry *entry) {
    return frs_replicates_figure(entry->runs, "rounds").estimate.mean;
}

/* "within 60 rounds", if all of these had as many. */
static void put_rounds(const struct writer *w, const size_t *numbers, size_t n) {
    double rounds = rounds_of(&w->ranking->list[numbers[0]]);
    for (size_t i = 1; i < n; i++)
        if (rounds_of(&w->ranking->list[numbers[i]]) != rounds)
            rounds = NAN;
    if (isfinite(rounds))
        fprintf(w->out, " within %.0f round%s", rounds, rounds == 1 ? "" : "s");
    else
        fputs(" within the rounds it has", w->out);
}

/* "colr of rank 4 reaches HR@10 0.58 after 41 min (38–45)" */
static void put_leader(const struct writer *w, const struct frs_decision *decision) {
    const struct frs_ranked_entry *leader = &w->ranking->list[decision->leader];
    struct frs_estimate estimate = frs_replicates_figure(leader->runs, decision->metric).estimate;
    char *amount = frs_amount_text(decision->metric, &estimate);
    double rounds = rounds_of(leader);
    if (decision->measure == FRS_BY_TARGET) {
        char *target_spec = frs_target_spec_phrase(&w->ranking->target->target_spec);
        fprintf(w->out, "%s reaches %s after %s", leader->name, target_spec, amount);
        free(target_spec);
    } else if (decision->measure == FRS_BY_QUALITY) {
        char *metric = frs_metric_text(decision->metric);
        fprintf(w->out, "%s has %s %s", leader->name, metric, amount);
        free(metric);
        if (isfinite(rounds))
            fprintf(w->out, " after %.0f round%s", rounds, rounds == 1 ? "" : "s");
    } else {
        fprintf(w->out, "%s is through with its rounds after %s", leader->name, amount);
    }
    free(amount);
}

/* "2.3 times (1.9–2.8) sooner than fedmf" */
static void put_distance(const struct writer *w, const struct frs_decision *decision, size_t i) {
    const struct frs_place *place = &w->findings->places[i];
    bool is_factor = decision->measure != FRS_BY_QUALITY;
    char *distance = is_factor ? frs_times_text(place->mean, place->low, place->high)
                               : frs_difference_text(place->mean, place->low, place->high);
    bool is_least = decision->measure == FRS_BY_TARGET && place->reached < w->ranking->list[i].runs->n;
    fprintf(w->out, "%s%s %s %s", is_least ? "at least " : "", distance,
        is_factor           ? "sooner than"
        : w->ranking->lower ? "below"
                            : "above",
        name_of(w, i));
    if (is_least)
        fprintf(w->out, ", which reaches it in %zu of %zu runs", place->reached, w->ranking->list[i].runs->n);
    free(distance);
}

/* The nearest ones; of many, the nearest. */
static void put_behind(
    const struct writer *w, const struct frs_decision *decision, const size_t *numbers, size_t n) {
    size_t shown = n > MOST_DISTANCES ? 1 : n;
    for (size_t i = 0; i < shown; i++) {
        fputs(i == 0 ? ", " : i + 1 == shown ? " and " : ", ", w->out);
        put_distance(w, decision, numbers[i]);
    }
    if (shown < n)
        fprintf(w->out, ", the nearest of %zu that are behind it", n);
}

/* What would decide it, where that is known. */
static void put_more(const struct writer *w, size_t more) {
    if (more == FRS_REPLICATES_UNKNOWN)
        return;
    if (more >= FRS_REPLICATES_MOST)
        fputs(" (1000 more replicates would not decide it)", w->out);
    else
        fprintf(w->out, " (about %zu more replicate%s would decide it)", more, more == 1 ? "" : "s");
}

static bool is_equal(const struct frs_place *place, enum frs_measure measure) {
    return place->mean == (measure == FRS_BY_QUALITY ? 0 : 1) && place->low == place->high;
}

/* "; it is not significantly different from fedras (about 9 more replicates would decide it)"; if that
 * number is not known, "; so few replicates do not decide between it and fedras" */
static void put_tied(const struct writer *w, const struct frs_decision *decision, const char *it,
    const size_t *numbers, size_t n) {
    if (n == 0)
        return;
    bool equal = true;
    size_t more = 0;
    for (size_t i = 0; i < n; i++) {
        const struct frs_place *place = &w->findings->places[numbers[i]];
        equal = equal && is_equal(place, decision->measure);
        more = place->more > more ? place->more : more;
    }
    if (!equal && more == FRS_REPLICATES_UNKNOWN) {
        fprintf(w->out, "; so few replicates do not decide between %s and ", it);
        put_names(w, numbers, n);
        return;
    }
    fprintf(w->out, equal ? "; %s is the same as " : "; %s is not significantly different from ", it);
    put_names(w, numbers, n);
    if (equal)
        fputs(" in every replicate", w->out);
    else
        put_more(w, more);
}

static void put_short(const struct writer *w, const size_t *numbers, size_t n) {
    if (n == 0)
        return;
    fputs("; ", w->out);
    put_names(w, numbers, n);
    fputs(n == 1 ? " does not reach it" : " do not reach it", w->out);
    put_rounds(w, numbers, n);
}

/* Says so where there is a target, and no entry reaches it in every run. */
static void put_unreached(const struct writer *w, size_t environment, const struct frs_decision *decision) {
    if (decision->measure == FRS_BY_TARGET || !w->ranking->target->target_spec.metric)
        return;
    size_t reached = 0, n = 0;
    for (size_t i = 0; i < w->ranking->n; i++)
        if (w->ranking->list[i].environment == environment) {
            reached += w->findings->places[i].reached;
            n += w->ranking->list[i].runs->n;
        }
    char *target_spec = frs_target_spec_phrase(&w->ranking->target->target_spec);
    if (reached == 0)
        fprintf(w->out, "no run reaches %s; ", target_spec);
    else
        fprintf(w->out, "none reaches %s in all of its runs (%zu of %zu do); ", target_spec, reached, n);
    free(target_spec);
}

/* Moves entries that never reach the target to the end; returns how many others there are. */
static size_t part_short(
    const struct writer *w, const struct frs_decision *decision, size_t *numbers, size_t n) {
    size_t n_others = 0, n_short = 0, *few = frs_alloc(n + 1, sizeof *few);
    for (size_t i = 0; i < n; i++)
        if (decision->measure == FRS_BY_TARGET && w->findings->places[numbers[i]].reached == 0)
            few[n_short++] = numbers[i];
        else
            numbers[n_others++] = numbers[i];
    for (size_t i = 0; i < n_short; i++)
        numbers[n_others + i] = few[i];
    free(few);
    return n_others;
}

/* "; fedras does not reach it within 60 rounds, but so few runs do not rule out chance (about 2 more
 * replicates would decide it)" */
static void put_short_by_chance(const struct writer *w, const size_t *numbers, size_t n) {
    size_t more = 0;
    for (size_t i = 0; i < n; i++)
        if (w->findings->places[numbers[i]].more > more)
            more = w->findings->places[numbers[i]].more;
    if (n == 0)
        return;
    put_short(w, numbers, n);
    fputs(", but so few runs do not rule out chance", w->out);
    put_more(w, more);
}

static bool is_no_better(const struct writer *w, size_t i) {
    struct frs_beside_baseline beside = frs_beside_baseline(w->ranking, i);
    return frs_is_no_better(&beside);
}

/* "; in the end colr (HR@10 0.384) is no better than popularity (0.419) on the test items": of the entries
 * that are first or not significantly different from it, numbers[n]. */
static void put_no_better(const struct writer *w, const size_t *numbers, size_t n) {
    char **names = frs_alloc(n + 1, sizeof *names);
    struct frs_beside_baseline beside = {.baseline = NULL};
    size_t n_names = 0;
    char *metric = w->ranking->quality ? frs_metric_text(w->ranking->quality) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (!is_no_better(w, numbers[i]))
            continue;
        beside = frs_beside_baseline(w->ranking, numbers[i]);
        names[n_names] = frs_format("%s (%s%s%.3f)", name_of(w, numbers[i]), n_names == 0 ? metric : "",
            n_names == 0 ? " " : "", beside.value);
        n_names++;
    }
    if (n_names > 0) {
        fputs("; in the end ", w->out);
        put(w, frs_listed((const char *const *)names, n_names, MOST_NAMES));
        fprintf(w->out, " %s no better than %s (%.3f) on the test items", n_names == 1 ? "is" : "are",
            beside.baseline, beside.bar);
    }
    for (size_t i = 0; i < n_names; i++)
        free(names[i]);
    free(names);
    free(metric);
}

static void put_in_full(const struct writer *w, size_t environment) {
    const struct frs_decision *decision = &w->findings->decisions[environment];
    size_t *numbers = frs_alloc(w->ranking->n + 1, sizeof *numbers);
    put_unreached(w, environment, decision);
    put_leader(w, decision);
    size_t n_behind = find(w, environment, FRS_BEHIND, numbers);
    put_behind(w, decision, numbers, n_behind);
    size_t n_tied = find(w, environment, FRS_TIED, numbers);
    size_t n_others = part_short(w, decision, numbers, n_tied);
    put_tied(w, decision, "it", numbers, n_others);
    put_short_by_chance(w, numbers + n_others, n_tied - n_others);
    put_short(w, numbers, find(w, environment, FRS_SHORT, numbers));
    numbers[0] = decision->leader;
    put_no_better(w, numbers, 1 + find(w, environment, FRS_TIED, numbers + 1));
    free(numbers);
}

/* ---- the other environments ---- */

/* What two environments have to share so that one sentence can describe both: the entry that is first
 * alone, or the entries that are not significantly different from each other; and whether it beats what
 * needs no federation. */
static bool says_the_same(const struct writer *w, size_t a, size_t b) {
    const struct frs_decision *x = &w->findings->decisions[a], *y = &w->findings->decisions[b];
    if (x->n < 2 || y->n < 2 || x->alone != y->alone || x->measure != y->measure || x->n != y->n)
        return false;
    return strcmp(name_of(w, x->leader), name_of(w, y->leader)) == 0 &&
           is_no_better(w, x->leader) == is_no_better(w, y->leader);
}

/* Capitalised, so that a sentence can begin with it. */
static void put_place(const struct writer *w, size_t environment, bool begins) {
    const char *text = w->ranking->environments[environment];
    if (*text)
        fprintf(w->out, "%c%s", begins && *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text, text + 1);
}

/* Two that were told apart change places. */
static bool is_reversed(const struct writer *w, size_t environment) {
    const struct frs_decision *first = &w->findings->decisions[0],
                              *own = &w->findings->decisions[environment];
    return first->n == 2 && own->n == 2 && first->alone && own->alone &&
           strcmp(name_of(w, first->leader), name_of(w, own->leader)) != 0;
}

static bool was_told(const struct writer *w, size_t environment) {
    for (size_t i = 0; i < environment; i++)
        if (says_the_same(w, i, environment))
            return true;
    return false;
}

/* ". CoLR leads, too, on 3g, on wifi and 3 more" */
static void put_likewise(const struct writer *w, size_t environment) {
    const struct frs_ranking *ranking = w->ranking;
    const char **names = frs_alloc(ranking->n_environments, sizeof *names);
    size_t n = 0;
    for (size_t i = environment + 1; i < ranking->n_environments; i++)
        if (says_the_same(w, environment, i))
            names[n++] = ranking->environments[i];
    if (n > 0) {
        fprintf(w->out, ". %s leads, too, ", name_of(w, w->findings->decisions[environment].leader));
        put(w, frs_listed(names, n, MOST_NAMES));
        if (!w->findings->decisions[environment].alone)
            fputs(", but is not significantly ahead of all others", w->out);
        if (is_no_better(w, w->findings->decisions[environment].leader))
            fputs(", and is no better in the end than what needs no federation", w->out);
    }
    free(names);
}

static void put_environment(const struct writer *w, size_t environment, bool first) {
    bool named = *w->ranking->environments[environment];
    if (!first)
        fputs(". ", w->out);
    put_place(w, environment, true);
    if (!first && is_reversed(w, environment))
        fputs(" the order is reversed: ", w->out);
    else if (named)
        fputs(", ", w->out);
    put_in_full(w, environment);
    put_likewise(w, environment);
}

char *frs_sentence(const struct frs_ranking *ranking, const struct frs_findings *findings) {
    char *text = NULL;
    size_t length = 0, told = 0, untold = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        frs_memory_exhausted();
    const struct writer w = {ranking, findings, out};
    for (size_t c = 0; c < ranking->n_environments; c++) {
        if (findings->decisions[c].leader >= ranking->n || was_told(&w, c))
            continue;
        if (told == MOST_NAMES) {
            untold++;
            continue;
        }
        put_environment(&w, c, told++ == 0);
    }
    if (untold > 0)
        fprintf(out, ". The other environments (%zu) are in the tables", untold);
    if (told > 0)
        fputc('.', out);
    fclose(out);
    return text;
}
