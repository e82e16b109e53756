#include "analysis/sentence/sentence.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a list, so many are named. */
enum { MOST_NAMES = 4, MOST_DISTANCES = 3 };

struct writer {
    const struct frs_contest *contest;
    const struct frs_claims *claims;
    FILE *out;
};

/* Takes over `text`. */
static void put(const struct writer *w, char *text) {
    fputs(text, w->out);
    free(text);
}

/* Entries of a circumstance with a standing, the nearest to the leader first; numbers[n]. */
static size_t find(const struct writer *w, size_t circumstance, enum frs_standing standing, size_t *numbers) {
    size_t n = 0;
    for (size_t i = 0; i < w->contest->n; i++) {
        if (w->contest->list[i].circumstance != circumstance || w->claims->places[i].standing != standing)
            continue;
        size_t at = n++;
        for (; at > 0 && w->claims->places[numbers[at - 1]].mean > w->claims->places[i].mean; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = i;
    }
    return n;
}

static void put_names(const struct writer *w, const size_t *numbers, size_t n) {
    const char **names = frs_alloc(n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++)
        names[i] = w->contest->list[numbers[i]].name;
    put(w, frs_listed(names, n, MOST_NAMES));
    free(names);
}

static const char *name_of(const struct writer *w, size_t i) {
    return w->contest->list[i].name;
}

/* ---- one circumstance, in full ---- */

static double rounds_of(const struct frs_contestant *entry) {
    return frs_replicates_figure(entry->runs, "rounds").estimate.mean;
}

/* "within 60 rounds", if all of these had as many. */
static void put_rounds(const struct writer *w, const size_t *numbers, size_t n) {
    double rounds = rounds_of(&w->contest->list[numbers[0]]);
    for (size_t i = 1; i < n; i++)
        if (rounds_of(&w->contest->list[numbers[i]]) != rounds)
            rounds = NAN;
    if (isfinite(rounds))
        fprintf(w->out, " within %.0f round%s", rounds, rounds == 1 ? "" : "s");
    else
        fputs(" within the rounds it has", w->out);
}

/* "colr of rank 4 reaches HR@10 0.58 after 41 min (38–45)" */
static void put_leader(const struct writer *w, const struct frs_decision *decision) {
    const struct frs_contestant *leader = &w->contest->list[decision->leader];
    struct frs_estimate estimate = frs_replicates_figure(leader->runs, decision->metric).estimate;
    char *amount = frs_amount_text(decision->metric, &estimate);
    double rounds = rounds_of(leader);
    if (decision->measure == FRS_BY_TARGET) {
        char *goal = frs_goal_phrase(&w->contest->target->goal);
        fprintf(w->out, "%s reaches %s after %s", leader->name, goal, amount);
        free(goal);
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
    const struct frs_place *place = &w->claims->places[i];
    bool is_factor = decision->measure != FRS_BY_QUALITY;
    char *distance = is_factor ? frs_times_text(place->mean, place->low, place->high)
                               : frs_difference_text(place->mean, place->low, place->high);
    bool is_least = decision->measure == FRS_BY_TARGET && place->reached < w->contest->list[i].runs->n;
    fprintf(w->out, "%s%s %s %s", is_least ? "at least " : "", distance,
        is_factor           ? "sooner than"
        : w->contest->lower ? "below"
                            : "above",
        name_of(w, i));
    if (is_least)
        fprintf(w->out, ", which reaches it in %zu of %zu runs", place->reached, w->contest->list[i].runs->n);
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

/* What would decide it. */
static void put_more(const struct writer *w, size_t more) {
    if (more == FRS_REPLICATES_UNKNOWN)
        fputs(" by one replicate each", w->out);
    else if (more >= FRS_REPLICATES_MOST)
        fputs(" (1000 more replicates would not decide it)", w->out);
    else
        fprintf(w->out, " (about %zu more replicate%s would decide it)", more, more == 1 ? "" : "s");
}

static bool is_equal(const struct frs_place *place, enum frs_measure measure) {
    return place->mean == (measure == FRS_BY_QUALITY ? 0 : 1) && place->low == place->high;
}

/* "; it cannot be told from fedras (about 9 more replicates would decide it)" */
static void put_tied(const struct writer *w, const struct frs_decision *decision, const char *it,
    const size_t *numbers, size_t n) {
    if (n == 0)
        return;
    bool equal = true;
    size_t more = 0;
    for (size_t i = 0; i < n; i++) {
        const struct frs_place *place = &w->claims->places[numbers[i]];
        equal = equal && is_equal(place, decision->measure);
        more = place->more > more ? place->more : more;
    }
    fprintf(w->out, equal ? "; %s is the same as " : "; %s cannot be told from ", it);
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

/* Where there is a target, and nobody reaches it in every run. */
static void put_unreached(const struct writer *w, size_t circumstance, const struct frs_decision *decision) {
    if (decision->measure == FRS_BY_TARGET || !w->contest->target->goal.metric)
        return;
    size_t reached = 0, n = 0;
    for (size_t i = 0; i < w->contest->n; i++)
        if (w->contest->list[i].circumstance == circumstance) {
            reached += w->claims->places[i].reached;
            n += w->contest->list[i].runs->n;
        }
    char *goal = frs_goal_phrase(&w->contest->target->goal);
    if (reached == 0)
        fprintf(w->out, "no run reaches %s; ", goal);
    else
        fprintf(w->out, "none reaches %s in all of its runs (%zu of %zu do); ", goal, reached, n);
    free(goal);
}

/* Moves entries that never reach the target to the end; returns how many others there are. */
static size_t part_short(
    const struct writer *w, const struct frs_decision *decision, size_t *numbers, size_t n) {
    size_t n_others = 0, n_short = 0, *few = frs_alloc(n + 1, sizeof *few);
    for (size_t i = 0; i < n; i++)
        if (decision->measure == FRS_BY_TARGET && w->claims->places[numbers[i]].reached == 0)
            few[n_short++] = numbers[i];
        else
            numbers[n_others++] = numbers[i];
    for (size_t i = 0; i < n_short; i++)
        numbers[n_others + i] = few[i];
    free(few);
    return n_others;
}

/* "; fedras does not reach it within 60 rounds, but so few runs do not rule out chance (about 2 more replicates would decide it)" */
static void put_short_by_chance(const struct writer *w, const size_t *numbers, size_t n) {
    size_t more = 0;
    for (size_t i = 0; i < n; i++)
        if (w->claims->places[numbers[i]].more > more)
            more = w->claims->places[numbers[i]].more;
    if (n == 0)
        return;
    put_short(w, numbers, n);
    fputs(", but so few runs do not rule out chance", w->out);
    put_more(w, more);
}

static void put_in_full(const struct writer *w, size_t circumstance) {
    const struct frs_decision *decision = &w->claims->decisions[circumstance];
    size_t *numbers = frs_alloc(w->contest->n, sizeof *numbers);
    put_unreached(w, circumstance, decision);
    put_leader(w, decision);
    size_t n_behind = find(w, circumstance, FRS_BEHIND, numbers);
    put_behind(w, decision, numbers, n_behind);
    size_t n_tied = find(w, circumstance, FRS_TIED, numbers);
    size_t n_others = part_short(w, decision, numbers, n_tied);
    put_tied(w, decision, "it", numbers, n_others);
    put_short_by_chance(w, numbers + n_others, n_tied - n_others);
    put_short(w, numbers, find(w, circumstance, FRS_SHORT, numbers));
    free(numbers);
}

/* ---- the other circumstances ---- */

/* What two circumstances have to agree in to be told together: who is first alone, or who cannot be told apart. */
static bool says_the_same(const struct writer *w, size_t a, size_t b) {
    const struct frs_decision *x = &w->claims->decisions[a], *y = &w->claims->decisions[b];
    if (x->n < 2 || y->n < 2 || x->alone != y->alone || x->measure != y->measure || x->n != y->n)
        return false;
    return strcmp(name_of(w, x->leader), name_of(w, y->leader)) == 0;
}

/* Capitalised, so that a sentence can begin with it. */
static void put_place(const struct writer *w, size_t circumstance, bool begins) {
    const char *text = w->contest->circumstances[circumstance];
    if (*text)
        fprintf(w->out, "%c%s", begins && *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text, text + 1);
}

/* Two that were told apart change places. */
static bool is_reversed(const struct writer *w, size_t circumstance) {
    const struct frs_decision *first = &w->claims->decisions[0], *own = &w->claims->decisions[circumstance];
    return first->n == 2 && own->n == 2 && first->alone && own->alone &&
           strcmp(name_of(w, first->leader), name_of(w, own->leader)) != 0;
}

static bool was_told(const struct writer *w, size_t circumstance) {
    for (size_t i = 0; i < circumstance; i++)
        if (says_the_same(w, i, circumstance))
            return true;
    return false;
}

/* ". It leads, too, on 3g, on wifi and 3 more" */
static void put_likewise(const struct writer *w, size_t circumstance) {
    const struct frs_contest *contest = w->contest;
    const char **names = frs_alloc(contest->n_circumstances, sizeof *names);
    size_t n = 0;
    for (size_t i = circumstance + 1; i < contest->n_circumstances; i++)
        if (says_the_same(w, circumstance, i))
            names[n++] = contest->circumstances[i];
    if (n > 0) {
        fputs(". It leads, too, ", w->out);
        put(w, frs_listed(names, n, MOST_NAMES));
        if (!w->claims->decisions[circumstance].alone)
            fputs(", but cannot be told from all others", w->out);
    }
    free(names);
}

static void put_circumstance(const struct writer *w, size_t circumstance, bool first) {
    bool named = *w->contest->circumstances[circumstance];
    if (!first)
        fputs(". ", w->out);
    put_place(w, circumstance, true);
    if (!first && is_reversed(w, circumstance))
        fputs(" the order is reversed: ", w->out);
    else if (named)
        fputs(", ", w->out);
    put_in_full(w, circumstance);
    put_likewise(w, circumstance);
}

char *frs_sentence(const struct frs_contest *contest, const struct frs_claims *claims) {
    char *text = NULL;
    size_t length = 0, told = 0, untold = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        frs_memory_exhausted();
    const struct writer w = {contest, claims, out};
    for (size_t c = 0; c < contest->n_circumstances; c++) {
        if (claims->decisions[c].leader >= contest->n || was_told(&w, c))
            continue;
        if (told == MOST_NAMES) {
            untold++;
            continue;
        }
        put_circumstance(&w, c, told++ == 0);
    }
    if (untold > 0)
        fprintf(out, ". The other circumstances (%zu) are in the tables", untold);
    if (told > 0)
        fputc('.', out);
    fclose(out);
    return text;
}
