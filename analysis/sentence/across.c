/* The sentence about entries of which each has an environment of its own: the effect of a change, compared
 * with the first entry. */
#include "analysis/ranking/beside_baseline.h"
#include "analysis/sentence/differences.h"
#include "analysis/sentence/sentence.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At most so many changes have a sentence. */
enum { MOST_CHANGES = 4 };

struct across {
    const struct frs_entries *entries;
    const struct frs_ranking *ranking;
    const struct frs_findings *findings;
    const struct frs_differences *differences;
};

static struct frs_figure figure_of(const struct across *a, size_t i, const char *metric) {
    return frs_replicates_figure(&a->entries->list[i].replicates, metric);
}

/* "−19 %", "46 times that": of what is twice as much or more, or half or less, the factor. */
static char *ratio_text(double ratio) {
    if (ratio > 2 || ratio < 0.5)
        return frs_format("%.2g times that", ratio);
    double percent = 100 * (ratio - 1);
    return frs_format("%s%.*f %%", percent < 0 ? "−" : "+", fabs(percent) < 9.95 ? 1 : 0, fabs(percent));
}

/* How a change of an amount is told. */
struct words {
    const char *metric, *before, *same;
    const char *reached; /* where runs did not get there; NULL: nothing is said of it then */
};

/* "target after 15.68 s instead of 19.33 s (−19 %)", "same bytes (6 kB)": of means. */
static char *amount_phrase(const struct across *a, size_t i, const struct words *words) {
    const char *metric = words->metric;
    struct frs_figure own = figure_of(a, i, metric), base = figure_of(a, 0, metric);
    if (own.censored > 0 || base.censored > 0)
        return words->reached ? frs_format("%s in %zu of %zu runs instead of %zu of %zu", words->reached,
                                    own.estimate.n - own.censored, own.estimate.n,
                                    base.estimate.n - base.censored, base.estimate.n)
                              : frs_strdup("");
    if (own.estimate.n == 0 || base.estimate.n == 0)
        return frs_strdup("");
    if (own.estimate.mean == base.estimate.mean) {
        char *both = frs_value_text(metric, own.estimate.mean),
             *same = frs_format("%s (%s)", words->same, both);
        free(both);
        return same;
    }
    char *mine = frs_amount_text(metric, &own.estimate), *first = frs_amount_text(metric, &base.estimate),
         *ratio = base.estimate.mean > 0 ? ratio_text(own.estimate.mean / base.estimate.mean)
                                         : frs_strdup("from none");
    char *text = frs_format("%s %s instead of %s (%s)", words->before, mine, first, ratio);
    free(ratio);
    free(first);
    free(mine);
    return text;
}

static char *quality_phrase(const struct across *a, size_t i) {
    struct frs_figure own = figure_of(a, i, a->ranking->quality), base = figure_of(a, 0, a->ranking->quality);
    if (own.estimate.n == 0 || base.estimate.n == 0)
        return frs_strdup("");
    char *metric = frs_metric_text(a->ranking->quality), *text;
    if (own.estimate.mean == base.estimate.mean) {
        text = frs_format("same %s", metric);
    } else {
        char *mine = frs_amount_text(a->ranking->quality, &own.estimate),
             *first = frs_amount_text(a->ranking->quality, &base.estimate);
        text = frs_format("%s %s instead of %s", metric, mine, first);
        free(first);
        free(mine);
    }
    free(metric);
    return text;
}

/* "both no better than popularity (0.4000)": where one of the two does not beat what needs no federation. */
static char *beside_phrase(const struct across *a, size_t i) {
    struct frs_beside_baseline own = frs_beside_baseline(a->ranking, i),
                               base = frs_beside_baseline(a->ranking, 0);
    bool own_is = frs_is_no_better(&own), base_is = frs_is_no_better(&base);
    if (!own_is && !base_is)
        return frs_strdup("");
    char *bar = frs_value_text(a->ranking->quality, own_is ? own.bar : base.bar);
    char *text = frs_format("%s no better than %s (%s)",
        own_is && base_is ? "both"
        : own_is          ? "now"
                          : "before",
        own_is ? own.baseline : base.baseline, bar);
    free(bar);
    return text;
}

/* Takes over `more`; nothing is added of "". */
static void append(char **text, const char *separator, char *more) {
    char *longer = *more ? frs_format("%s%s%s", *text, separator, more) : frs_strdup(*text);
    free(*text);
    free(more);
    *text = longer;
}

/* Whether the leader, which one of both is, was told from the other. */
static char *sureness(const struct across *a, size_t i) {
    const struct frs_decision *decision = &a->findings->decisions[0];
    size_t other = decision->leader == 0 ? i : decision->leader == i ? 0 : a->ranking->n;
    if (a->entries->list[i].n == 1 && a->entries->list[0].n == 1)
        return frs_strdup("");
    if (other == a->ranking->n || a->findings->places[other].standing == FRS_FIRST)
        return frs_strdup("");
    const struct frs_place *place = &a->findings->places[other];
    if (place->standing == FRS_BEHIND || place->standing == FRS_SHORT)
        return frs_strdup("decided");
    if (place->more == FRS_REPLICATES_UNKNOWN)
        return frs_strdup("not decided by one replicate each");
    if (place->more >= FRS_REPLICATES_MOST)
        return frs_strdup("not decided, and 1000 more replicates would not decide it");
    return frs_format(
        "not decided (about %zu more replicate%s would)", place->more, place->more == 1 ? "" : "s");
}

/* "Uplink 3 → 30 Mbit/s: target after 15.68 s instead of 19.33 s (−19 %), same bytes, same HR@10" */
static char *change_text(const struct across *a, size_t i) {
    static const struct words of_target[] = {{FRS_TARGET_TIME, "target after", "target after the same time",
                                                 "target reached"},
        {FRS_TARGET_SENT, "bytes", "same bytes", NULL}},
                              of_run[] = {{"simulated_s", "takes", "takes as long", NULL},
                                  {"bytes.sent", "bytes", "same bytes", NULL}};
    const struct words *words = a->findings->decisions[0].measure == FRS_BY_TARGET ? of_target : of_run;
    char *change = frs_differences_change(a->differences, 0, i);
    if (*change >= 'a' && *change <= 'z' && !memchr(change, '.', strcspn(change, " "))) /* no key */
        *change = (char)(*change - 'a' + 'A');
    char *text = frs_format("%s: ", *change ? change : a->entries->list[i].name);
    append(&text, "", amount_phrase(a, i, &words[0]));
    append(&text, ", ", amount_phrase(a, i, &words[1]));
    if (a->ranking->quality)
        append(&text, ", ", quality_phrase(a, i));
    append(&text, ", ", beside_phrase(a, i));
    append(&text, "; ", sureness(a, i));
    free(change);
    return text;
}

/* The same of all: how many runs there are. */
static char *seeds_text(const struct frs_entries *entries) {
    size_t least = entries->list[0].n, most = least;
    for (size_t i = 0; i < entries->n; i++) {
        least = entries->list[i].n < least ? entries->list[i].n : least;
        most = entries->list[i].n > most ? entries->list[i].n : most;
    }
    if (most == 1)
        return frs_strdup("one seed");
    return least == most ? frs_format("%zu seeds each", most) : frs_format("%zu to %zu seeds", least, most);
}

char *frs_sentence_across(const struct frs_entries *entries) {
    struct frs_ranking ranking = frs_ranking_of_entries(entries);
    for (size_t i = 0; i < ranking.n; i++)
        ranking.list[i].environment = 0;
    while (ranking.n_environments > 1)
        free(ranking.environments[--ranking.n_environments]);
    struct frs_findings findings = frs_ranking_findings(&ranking);
    struct frs_differences differences = frs_differences_of(entries);
    const struct across a = {entries, &ranking, &findings, &differences};
    char *text = frs_strdup(""), *seeds = seeds_text(entries);
    for (size_t i = 1; i < entries->n && i <= MOST_CHANGES; i++)
        append(&text, *text ? ". " : "", change_text(&a, i));
    if (entries->n > MOST_CHANGES + 1)
        append(&text, ". ", frs_format("The other %zu are in the table", entries->n - 1 - MOST_CHANGES));
    append(&text, "; ", seeds);
    append(&text, "", frs_strdup("."));
    frs_differences_fini(&differences);
    frs_findings_fini(&findings);
    frs_ranking_fini(&ranking);
    return text;
}
