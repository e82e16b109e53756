#include "analysis/sentence/head.h"
#include "analysis/ranking/beside_baseline.h"
#include "analysis/sentence/wording.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct telling {
    const struct frs_ranking *ranking;
    const struct frs_findings *findings;
    size_t environment;
    const struct frs_decision *decision;
};

static bool is_other(const struct telling *t, size_t i) {
    return t->ranking->list[i].environment == t->environment && t->ranking->list[i].runs->n > 0 &&
           i != t->decision->leader;
}

static double mean_of(const struct telling *t, size_t i) {
    struct frs_figure figure = frs_replicates_figure(t->ranking->list[i].runs, t->decision->metric);
    return figure.censored > 0 ? NAN : figure.estimate.mean;
}

static bool larger_is_better(const struct telling *t) {
    return t->decision->measure == FRS_BY_QUALITY && !t->ranking->lower;
}

/* The entry with the best mean beside the leader; ranking->n: none has one. */
static size_t next_of(const struct telling *t) {
    size_t found = t->ranking->n;
    for (size_t i = 0; i < t->ranking->n; i++) {
        if (!is_other(t, i) || isnan(mean_of(t, i)))
            continue;
        double apart = found < t->ranking->n ? mean_of(t, i) - mean_of(t, found) : 0;
        if (found == t->ranking->n || (larger_is_better(t) ? apart > 0 : apart < 0))
            found = i;
    }
    return found;
}

/* "22.2 MB": three digits, whose intervals the ranking has. */
static char *short_amount(const char *metric, double value) {
    const struct frs_estimate estimate = {.n = 1, .mean = value, .sd = NAN, .df = NAN, .half_width = NAN};
    const char *unit;
    double scaled = value * frs_amount_unit(metric, &estimate, &unit);
    return frs_format(fabs(scaled) >= 999.5 ? "%.0f%s%s" : "%.3g%s%s", scaled, *unit ? " " : "", unit);
}

/* ": 22.2 MB less than fedmf"; "" where no other entry has a mean. */
static char *distance_text(const struct telling *t) {
    size_t next = next_of(t);
    if (next == t->ranking->n)
        return frs_strdup("");
    double apart = fabs(mean_of(t, next) - mean_of(t, t->decision->leader));
    bool is_quality = t->decision->measure == FRS_BY_QUALITY;
    char *amount = is_quality ? frs_format("%.3f", apart) : short_amount(t->decision->metric, apart);
    const char *than = is_quality                             ? (t->ranking->lower ? "below" : "above")
                       : t->decision->measure == FRS_BY_BYTES ? "less than"
                                                              : "sooner than";
    char *text = frs_format(": %s %s %s", amount, than, t->ranking->list[next].name);
    free(amount);
    return text;
}

static size_t count(const struct telling *t, enum frs_standing standing) {
    size_t n = 0;
    for (size_t i = 0; i < t->ranking->n; i++)
        n += is_other(t, i) && t->findings->places[i].standing == standing;
    return n;
}

static char *names_of(const struct telling *t, enum frs_standing standing) {
    enum { MOST = 2 };
    const char **names = frs_alloc(t->ranking->n + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < t->ranking->n; i++)
        if (is_other(t, i) && t->findings->places[i].standing == standing)
            names[n++] = t->ranking->list[i].name;
    char *text = frs_listed(names, n, MOST);
    free(names);
    return text;
}

/* "(about 5 more replicates)": what would decide it. */
static char *more_text(const struct telling *t) {
    size_t more = 0;
    for (size_t i = 0; i < t->ranking->n; i++)
        if (is_other(t, i) && t->findings->places[i].standing == FRS_TIED &&
            t->findings->places[i].more > more)
            more = t->findings->places[i].more;
    if (more == FRS_REPLICATES_UNKNOWN)
        return frs_strdup("(one replicate each)");
    if (more >= FRS_REPLICATES_MOST)
        return frs_strdup("(1000 more replicates would not)");
    return frs_format("(about %zu more replicate%s)", more, more == 1 ? "" : "s");
}

static char *verdict_of(const struct telling *t) {
    size_t n_behind = count(t, FRS_BEHIND), n_short = count(t, FRS_SHORT), n_tied = count(t, FRS_TIED);
    if (n_behind + n_short + n_tied == 0)
        return frs_strdup("alone");
    char *distance = distance_text(t), *text;
    if (n_tied == 0) {
        text = frs_format("decided%s", *distance ? distance : ": no other gets there");
    } else {
        char *more = more_text(t), *tied = names_of(t, FRS_TIED);
        char *behind = names_of(t, n_behind > 0 ? FRS_BEHIND : FRS_SHORT);
        text = n_behind + n_short > 0
                   ? frs_format("decided against %s, not against %s %s%s", behind, tied, more, distance)
                   : frs_format("not decided %s%s", more, distance);
        free(behind);
        free(tied);
        free(more);
    }
    free(distance);
    return text;
}

/* "; ends no better than popularity (HR@10 0.384 against 0.419)"; "" of what is better, or not known to be
 * no better. */
static char *beside_text(const struct telling *t) {
    struct frs_beside_baseline beside = frs_beside_baseline(t->ranking, t->decision->leader);
    if (!frs_is_no_better(&beside))
        return frs_strdup("");
    char *metric = frs_metric_text(t->ranking->quality);
    char *text = frs_format(
        "; ends no better than %s (%s %.3f against %.3f)", beside.baseline, metric, beside.value, beside.bar);
    free(metric);
    return text;
}

static struct frs_head_cell cell_of(
    const struct frs_ranking *ranking, const struct frs_findings *findings, size_t environment) {
    const struct frs_decision *decision = &findings->decisions[environment];
    const struct telling t = {ranking, findings, environment, decision};
    struct frs_head_cell cell = {.leader = decision->leader, .metric = frs_strdup(decision->metric)};
    if (decision->leader >= ranking->n)
        return cell;
    cell.decided = decision->alone && decision->n > 1;
    double mean = mean_of(&t, decision->leader);
    cell.amount =
        decision->measure == FRS_BY_QUALITY ? frs_format("%.3f", mean) : short_amount(decision->metric, mean);
    char *verdict = verdict_of(&t), *beside = beside_text(&t);
    cell.verdict = frs_format("%s%s", verdict, beside);
    free(beside);
    free(verdict);
    return cell;
}

static enum frs_head_column column_of(enum frs_measure measure) {
    return measure == FRS_BY_QUALITY ? FRS_HEAD_QUALITY
           : measure == FRS_BY_BYTES ? FRS_HEAD_BYTES
                                     : FRS_HEAD_TIME;
}

/* Whether the runs of an environment have what the column is about. */
static bool has_column(const struct frs_ranking *ranking, const struct frs_findings *findings,
    size_t environment, enum frs_head_column column) {
    return findings->decisions[environment].n > 0 &&
           column_of(findings->decisions[environment].measure) == column &&
           (column != FRS_HEAD_QUALITY || ranking->quality);
}

struct frs_head frs_head_of(const struct frs_ranking *ranking) {
    static const enum frs_asked asked[] = {[FRS_HEAD_TIME] = FRS_ASK_TIME,
        [FRS_HEAD_BYTES] = FRS_ASK_BYTES,
        [FRS_HEAD_QUALITY] = FRS_ASK_QUALITY};
    struct frs_head head = {ranking->n_environments, frs_alloc(ranking->n_environments, sizeof *head.rows)};
    struct frs_findings own = frs_ranking_findings(ranking);
    for (enum frs_head_column column = 0; column < FRS_HEAD_COLUMNS; column++) {
        struct frs_ranking other = *ranking;
        other.asked = asked[column];
        other.error = FRS_HEAD_ERROR / FRS_HEAD_COLUMNS;
        struct frs_findings findings = frs_ranking_findings(&other);
        for (size_t c = 0; c < head.n; c++)
            if (has_column(ranking, &own, c, column))
                head.rows[c][column] = cell_of(ranking, &own, c);
            else if (has_column(ranking, &findings, c, column))
                head.rows[c][column] = cell_of(&other, &findings, c);
        frs_findings_fini(&findings);
    }
    frs_findings_fini(&own);
    return head;
}

void frs_head_fini(struct frs_head *head) {
    for (size_t c = 0; c < head->n; c++)
        for (size_t column = 0; column < FRS_HEAD_COLUMNS; column++) {
            free(head->rows[c][column].metric);
            free(head->rows[c][column].amount);
            free(head->rows[c][column].verdict);
        }
    free(head->rows);
    *head = (struct frs_head){0};
}
