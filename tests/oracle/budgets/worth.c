/* The basis of the selection `utility`: the worth of clients of which the server has seen something, and
 * which of them it may select. */
#include "budgets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct yardsticks {
    double mean, clip, preferred_s;
};

/* Nearest rank. */
static double quantile(double *values, size_t n, double share) {
    qsort(values, n, sizeof *values, ascending);
    return values[(size_t)(share * (double)(n - 1) + 0.5)];
}

static double *new_list(size_t n) {
    double *list = calloc(n + 1, sizeof *list);
    if (!list)
        abort();
    return list;
}

/* Training interactions × mean loss; NaN: none was reported. */
static double utility_of(const struct run *run, const struct knowledge *k, size_t client) {
    double loss = reported_loss(k, client);
    return isnan(loss) ? NAN : field(&run->clients, client, "train_items") * fmax(loss, 0);
}

static struct yardsticks measure(const struct run *run, const struct knowledge *k) {
    size_t n_clients = run->clients.n_rows, n_reported = 0, n_explored = 0;
    double *utilities = new_list(n_clients), *times = new_list(n_clients), sum = 0,
           preferred_s = scenario_number(&run->scenario, "rounds.selection.preferred_duration");
    for (size_t i = 0; i < n_clients; i++) {
        double utility = utility_of(run, k, i);
        if (!is_explored(k, i))
            continue;
        times[n_explored++] = delivery_s(k, i);
        if (isnan(utility))
            continue;
        utilities[n_reported++] = utility;
        sum += utility;
    }
    struct yardsticks yardsticks = {.preferred_s = preferred_s};
    if (n_reported > 0) {
        yardsticks.mean = sum / (double)n_reported;
        yardsticks.clip = quantile(utilities, n_reported, 0.95);
    }
    if (preferred_s == 0 && n_explored > 0)
        yardsticks.preferred_s = quantile(times, n_explored, 0.5);
    free(utilities);
    free(times);
    return yardsticks;
}

/* The logarithm of a whole number, linear between powers of two. */
static double logarithm(double n) {
    double below = floor(log2(n));
    return log(2) * (below + n / exp2(below) - 1);
}

static double worth_of(const struct run *run, const struct knowledge *k, size_t client, double round,
    const struct yardsticks *y) {
    double utility = utility_of(run, k, client), t_s = delivery_s(k, client),
           penalty = scenario_number(&run->scenario, "rounds.selection.penalty");
    utility = isnan(utility) ? y->mean : utility;
    double worth =
        (utility < y->clip ? utility / y->clip : 1) + sqrt(0.1 * logarithm(round) / asked_last(k, client));
    return t_s > y->preferred_s ? worth * pow(y->preferred_s / t_s, penalty) : worth;
}

/* All clients that are not under way can be selected. */
static bool asks_all(const struct scenario *s) {
    return !s->asynchronous && !s->runs_on && s->n_restarts == 0 &&
           strcmp(scenario_text(s, "availability.model"), "always") == 0 &&
           scenario_number(s, "rounds.selection.blacklist") == 0;
}

/* n clients with the largest worth could have been selected, and no selected client has less than .95 of
 * the worth of the last of them. */
static void check_choice(struct report *report, const struct part *const *parts, size_t n_parts,
    double *worths, size_t n_explored, size_t n) {
    qsort(worths, n_explored, sizeof *worths, ascending);
    double least = n > 0 && n <= n_explored ? 0.95 * worths[n_explored - n] : 0;
    for (size_t i = 0; i < n_parts; i++)
        must(report, parts[i], parts[i]->worth == 0 || parts[i]->worth >= least * (1 - 1e-9),
            "is selected with a worth of %.12g, below %.12g", parts[i]->worth, least);
}

void check_worths(struct report *report, const struct run *run, const struct knowledge *k,
    const struct part *const *parts, size_t n_parts, double round) {
    struct yardsticks yardsticks = measure(run, k);
    double *worths = new_list(run->clients.n_rows);
    size_t n_explored = 0, n = 0;
    for (size_t i = 0; i < run->clients.n_rows; i++)
        if (is_explored(k, i))
            worths[n_explored++] = worth_of(run, k, i, round, &yardsticks);
    for (size_t i = 0; i < n_parts; i++) {
        size_t client = parts[i]->client;
        double worth = is_explored(k, client) ? worth_of(run, k, client, round, &yardsticks) : 0;
        same_time(report, parts[i], "worth", worth, parts[i]->worth);
        report->amounts++;
        n += worth > 0;
    }
    if (asks_all(&run->scenario))
        check_choice(report, parts, n_parts, worths, n_explored, n);
    free(worths);
}
