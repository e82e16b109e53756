#include "analysis/ranking/ranking.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the smallest time that is told apart from 0 lies, so that it has a logarithm. */
static const double SHORTEST_S = 1e-9;

/* How sure one wants to be that more replicates decide something. */
static const double POWER = 0.8;

void frs_ranking_fini(struct frs_ranking *ranking) {
    for (size_t i = 0; i < ranking->n; i++)
        free(ranking->list[i].name);
    for (size_t i = 0; i < ranking->n_environments; i++)
        free(ranking->environments[i]);
    free(ranking->list);
    free(ranking->environments);
    *ranking = (struct frs_ranking){0};
}

/* ---- what is measured ---- */

static size_t count_reached(const struct frs_replicates *runs) {
    size_t n = 0;
    for (size_t i = 0; i < runs->n; i++)
        n += isfinite(frs_metrics_get(runs->list[i].metrics, FRS_TARGET_TIME)) != 0;
    return n;
}

static bool reaches(const struct frs_replicates *runs) {
    return runs->n > 0 && count_reached(runs) == runs->n;
}

static bool is_in(const struct frs_ranking *ranking, size_t i, size_t environment) {
    return ranking->list[i].environment == environment && ranking->list[i].runs->n > 0;
}

/* Whether entries are measured by what it takes to reach the target. */
static bool is_of_target(const struct frs_decision *decision) {
    return strcmp(decision->metric, FRS_TARGET_TIME) == 0 || strcmp(decision->metric, FRS_TARGET_SENT) == 0;
}

/* Whether an entry was to reach the target and did in none of its runs. */
static bool is_short(const struct frs_ranking *ranking, const struct frs_decision *decision, size_t i) {
    return is_of_target(decision) && count_reached(ranking->list[i].runs) == 0;
}

static bool all_have(const struct frs_ranking *ranking, size_t environment, const char *metric) {
    for (size_t i = 0; i < ranking->n; i++)
        if (is_in(ranking, i, environment) &&
            !isfinite(frs_replicates_figure(ranking->list[i].runs, metric).estimate.mean))
            return false;
    return true;
}

static void choose_measure(
    const struct frs_ranking *ranking, size_t environment, struct frs_decision *decision) {
    bool reached = false;
    for (size_t i = 0; i < ranking->n; i++)
        reached = reached || (is_in(ranking, i, environment) && reaches(ranking->list[i].runs));
    reached = reached && ranking->target->target_spec.metric;
    bool measured = ranking->quality && all_have(ranking, environment, ranking->quality);
    decision->measure = FRS_BY_TIME;
    decision->metric = "simulated_s";
    if (ranking->asked == FRS_ASK_BYTES) {
        decision->measure = FRS_BY_BYTES;
        decision->metric = reached ? FRS_TARGET_SENT : "bytes.sent";
    } else if (reached && ranking->asked != FRS_ASK_QUALITY) {
        decision->measure = FRS_BY_TARGET;
        decision->metric = FRS_TARGET_TIME;
    } else if (measured && ranking->asked != FRS_ASK_TIME) {
        decision->measure = FRS_BY_QUALITY;
        decision->metric = ranking->quality;
    }
}

/* ---- values: the smaller the better ---- */

struct scores {
    struct frs_metrics *metrics; /* [n] with the one metric "score" */
    struct frs_replicates runs;
};

static double score(
    const struct frs_ranking *ranking, const struct frs_decision *decision, const struct frs_metrics *run) {
    double value = frs_metrics_get(run, decision->metric);
    if (decision->measure == FRS_BY_QUALITY)
        return ranking->lower ? value : -value;
    if (isinf(value))
        value = frs_metrics_get(run, decision->measure == FRS_BY_BYTES ? "bytes.sent" : "simulated_s");
    return log(fmax(value, SHORTEST_S));
}

/* The step of a score: that of the figure, or, for a logarithm, the same relative to the value (d ln t =
 * dt / t). */
static double step_of_score(
    const struct frs_ranking *ranking, const struct frs_decision *decision, const struct frs_metrics *run) {
    double step = frs_metrics_step(run, decision->metric);
    if (decision->measure == FRS_BY_QUALITY)
        return step;
    return step / exp(score(ranking, decision, run));
}

static struct scores scores_of(
    const struct frs_ranking *ranking, const struct frs_decision *decision, size_t i) {
    const struct frs_replicates *runs = ranking->list[i].runs;
    struct scores scores = {.metrics = frs_alloc(runs->n, sizeof *scores.metrics)};
    for (size_t k = 0; k < runs->n; k++) {
        frs_metrics_set(&scores.metrics[k], "score", score(ranking, decision, runs->list[k].metrics));
        frs_metrics_set_step(
            &scores.metrics[k], "score", step_of_score(ranking, decision, runs->list[k].metrics));
        frs_replicates_add(&scores.runs, runs->list[k].seed, &scores.metrics[k]);
    }
    return scores;
}

static void fini_scores(struct scores *scores) {
    for (size_t k = 0; k < scores->runs.n; k++)
        frs_metrics_fini(&scores->metrics[k]);
    free(scores->metrics);
    frs_replicates_fini(&scores->runs);
}

/* How far `other` is behind: seed by seed, where the side with fewer runs has none of its own. */
struct distance {
    size_t n;
    double mean, error, df; /* error: of the mean */
};

static struct distance distance_between(const struct scores *leader, const struct scores *other) {
    struct frs_contrast contrast = frs_replicates_contrast(&other->runs, &leader->runs, "score");
    struct frs_estimate e = contrast.paired.n == contrast.unpaired.n ? contrast.paired : contrast.unpaired;
    struct distance d = {e.n, e.mean, NAN, e.df};
    if (e.half_width == 0)
        d.error = 0;
    else if (e.half_width > 0)
        d.error = e.half_width / frs_student_t_quantile(0.5 + 0.5 * FRS_CONFIDENCE, e.df);
    return d;
}

/* ---- decisions ---- */

static double reach_of(const struct distance *d, double level) {
    return d->error > 0 ? d->error * frs_student_t_quantile(1 - level, d->df) : d->error;
}

static bool is_behind(const struct distance *d, double level) {
    return d->mean - reach_of(d, level) > 0; /* never with NaN */
}

/* Whether an entry is behind the leader, which reached the target in each of its runs. An entry that never
 * did has no times to be tested: it is behind if chance would hardly put so many runs on one side, and
 * none on the other. */
static bool stands_behind(const struct frs_ranking *ranking, const struct frs_decision *decision, size_t i,
    const struct distance *d, double level) {
    const struct frs_replicates *own = ranking->list[i].runs;
    if (!is_short(ranking, decision, i))
        return is_behind(d, level);
    return frs_stats_chance_of_split(ranking->list[decision->leader].runs->n, 0, own->n) <= level;
}

/* Replicates beyond those there are with which an entry that never reaches the target would be behind. */
static size_t more_to_be_short(size_t n, double level) {
    size_t more = 1;
    while (more < FRS_REPLICATES_MOST && frs_stats_chance_of_split(n + more, 0, n + more) > level)
        more++;
    return more;
}

/* Whether n replicates would decide it with a chance of 80 %: the mean has to be as many standard errors
 * from 0 as the sum of the critical value and the power's quantile. */
static bool would_tell(double mean, double sd, size_t n, double level) {
    double df = (double)(n - 1);
    double needed = frs_student_t_quantile(1 - level, df) + frs_student_t_quantile(POWER, df);
    return fabs(mean) >= needed * sd / sqrt((double)n);
}

/* The more, the sooner: halves what lies between too few and enough. */
static size_t more_replicates(const struct distance *d, double level) {
    if (isnan(d->error))
        return FRS_REPLICATES_UNKNOWN;
    double sd = d->error * sqrt((double)d->n);
    size_t few = d->n, enough = d->n + FRS_REPLICATES_MOST;
    if (d->mean == 0)
        return FRS_REPLICATES_MOST;
    while (enough - few > 1) {
        size_t middle = few + (enough - few) / 2;
        if (would_tell(d->mean, sd, middle, level))
            enough = middle;
        else
            few = middle;
    }
    return enough - d->n;
}

/* Logarithms become factors. */
static void tell_distance(
    const struct distance *d, const struct frs_decision *decision, double level, struct frs_place *place) {
    bool is_factor = decision->measure != FRS_BY_QUALITY;
    double reach = reach_of(d, level);
    place->mean = is_factor ? exp(d->mean) : d->mean;
    place->low = is_factor ? exp(d->mean - reach) : d->mean - reach;
    place->high = is_factor ? exp(d->mean + reach) : d->mean + reach;
}

static bool can_lead(const struct frs_ranking *ranking, const struct frs_decision *decision, size_t i) {
    return !is_of_target(decision) || reaches(ranking->list[i].runs);
}

/* Uses the mean that tables and pages show, not that of the scores: the tests hold whichever entry leads. */
static double mean_of(const struct frs_ranking *ranking, const struct frs_decision *decision, size_t i) {
    double mean = frs_replicates_figure(ranking->list[i].runs, decision->metric).estimate.mean;
    return decision->measure == FRS_BY_QUALITY && !ranking->lower ? -mean : mean;
}

static void find_leader(
    const struct frs_ranking *ranking, size_t environment, struct frs_decision *decision) {
    double best = INFINITY;
    decision->leader = ranking->n;
    for (size_t i = 0; i < ranking->n; i++) {
        if (!is_in(ranking, i, environment) || !can_lead(ranking, decision, i))
            continue;
        double mean = mean_of(ranking, decision, i);
        if (mean < best) { /* never with NaN */
            best = mean;
            decision->leader = i;
        }
    }
}

/* Whether every other entry is behind the leader at the level of being first alone. */
static bool is_alone(const struct frs_ranking *ranking, size_t environment,
    const struct frs_decision *decision, const struct distance *distances, double level) {
    for (size_t i = 0; i < ranking->n; i++) {
        if (!is_in(ranking, i, environment) || i == decision->leader)
            continue;
        if (!stands_behind(ranking, decision, i, &distances[i], level))
            return false;
    }
    return true;
}

static void place(const struct frs_ranking *ranking, size_t i, struct frs_decision *decision,
    const struct distance *d, double level, struct frs_place *place) {
    double own = decision->alone || decision->n == 2 ? level : level / (double)decision->n;
    place->reached = count_reached(ranking->list[i].runs);
    if (i == decision->leader) {
        place->standing = FRS_FIRST;
        return;
    }
    tell_distance(d, decision, own, place);
    bool falls_short = is_short(ranking, decision, i);
    if (stands_behind(ranking, decision, i, d, own)) {
        place->standing = falls_short ? FRS_SHORT : FRS_BEHIND;
        return;
    }
    place->standing = FRS_TIED;
    place->more = falls_short ? more_to_be_short(d->n, level) : more_replicates(d, level);
    if (place->more > decision->more)
        decision->more = place->more;
}

static void decide(
    const struct frs_ranking *ranking, size_t environment, double level, struct frs_findings *findings) {
    struct frs_decision *decision = &findings->decisions[environment];
    choose_measure(ranking, environment, decision);
    struct scores *scores = frs_alloc(ranking->n, sizeof *scores);
    struct distance *distances = frs_alloc(ranking->n, sizeof *distances);
    for (size_t i = 0; i < ranking->n; i++)
        if (is_in(ranking, i, environment))
            scores[i] = scores_of(ranking, decision, i);
    find_leader(ranking, environment, decision);
    for (size_t i = 0; i < ranking->n && decision->leader < ranking->n; i++)
        if (is_in(ranking, i, environment))
            distances[i] = distance_between(&scores[decision->leader], &scores[i]);
    decision->alone =
        decision->leader < ranking->n && is_alone(ranking, environment, decision, distances, level);
    for (size_t i = 0; i < ranking->n && decision->leader < ranking->n; i++)
        if (is_in(ranking, i, environment))
            place(ranking, i, decision, &distances[i], level, &findings->places[i]);
    for (size_t i = 0; i < ranking->n; i++)
        fini_scores(&scores[i]);
    free(distances);
    free(scores);
}

struct frs_findings frs_ranking_findings(const struct frs_ranking *ranking) {
    struct frs_findings findings = {frs_alloc(ranking->n_environments + 1, sizeof *findings.decisions),
        frs_alloc(ranking->n + 1, sizeof *findings.places), 0};
    for (size_t i = 0; i < ranking->n; i++) {
        findings.places[i] = (struct frs_place){FRS_ABSENT, 0, NAN, NAN, NAN, 0};
        findings.decisions[ranking->list[i].environment].n += ranking->list[i].runs->n > 0;
    }
    for (size_t c = 0; c < ranking->n_environments; c++)
        findings.n_comparisons += findings.decisions[c].n > 0 ? findings.decisions[c].n - 1 : 0;
    double error = ranking->error > 0 ? ranking->error : FRS_PAGE_ERROR;
    double level = error / (2 * (double)(findings.n_comparisons > 0 ? findings.n_comparisons : 1));
    for (size_t c = 0; c < ranking->n_environments; c++)
        decide(ranking, c, level, &findings);
    return findings;
}

void frs_findings_fini(struct frs_findings *findings) {
    free(findings->decisions);
    free(findings->places);
    *findings = (struct frs_findings){0};
}
