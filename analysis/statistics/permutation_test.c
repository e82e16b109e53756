#include "analysis/statistics/permutation_test.h"
#include "analysis/statistics/intervals.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* What analysis resamples by; a run draws nothing else from these streams. */
#define PURPOSE FRS_RNG_CALIBRATION

/* Permutations: so many clients are moved in all, but no fewer and no more permutations than these. */
enum { MOST_MOVES = 10000000, FEWEST = 199, MOST = 1999 };

static const double PAGE_ERROR = 0.05;

/* Sums of each group. */
struct sums {
    double sum, n;
};

static void add(struct sums *sums, const struct frs_group_member *member, uint32_t group) {
    sums[group].sum += member->sum;
    sums[group].n += member->n;
}

/* The mean squared distance of the groups' means from the mean of all, weighted by interactions. */
static double statistic(const struct sums *sums, size_t n_groups, double mean) {
    double all = 0;
    for (size_t g = 0; g < n_groups; g++)
        if (sums[g].n > 0)
            all += (sums[g].sum - mean * sums[g].n) * (sums[g].sum - mean * sums[g].n) / sums[g].n;
    return all;
}

/* Moves the members to other groups (Fisher's and Yates's shuffle): labels[i] is the group of member i, n >
 * 0. Sums up each group: a member's label is final once it has had its turn, so that no second pass is
 * needed. */
static void shuffle_and_add(const struct frs_group_member *members, uint32_t *labels, size_t n,
    struct frs_rng *rng, struct sums *sums, size_t n_groups) {
    for (size_t g = 0; g < n_groups; g++)
        sums[g] = (struct sums){0};
    for (size_t i = n - 1; i > 0; i--) {
        uint32_t k = frs_rng_below(rng, (uint32_t)i + 1), label = labels[k];
        labels[k] = labels[i];
        labels[i] = label;
        add(sums, &members[i], label);
    }
    add(sums, &members[0], labels[0]);
}

static size_t permutations_for(size_t n) {
    size_t affordable = MOST_MOVES / n;
    return affordable < FEWEST ? FEWEST : affordable > MOST ? MOST : affordable;
}

/* Members with interactions, in front. */
static size_t take_known(const struct frs_group_member *members, size_t n, struct frs_group_member *known) {
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++)
        if (members[i].n > 0 && isfinite(members[i].sum))
            known[n_known++] = members[i];
    return n_known;
}

static bool are_in_one_group(const struct frs_group_member *members, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (members[i].group != members[0].group)
            return false;
    return true;
}

double frs_group_chance(const struct frs_group_member *members, size_t n, size_t n_groups, uint64_t seed) {
    struct frs_group_member *known = frs_alloc(n + 1, sizeof *known);
    size_t n_known = take_known(members, n, known), as_far = 1;
    double sum = 0, interactions = 0, chance = NAN;
    if (!are_in_one_group(known, n_known)) {
        uint32_t *labels = frs_alloc(n_known, sizeof *labels);
        size_t n_permutations = permutations_for(n_known);
        struct sums *sums = frs_alloc(n_groups, sizeof *sums);
        struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, PURPOSE);
        for (size_t i = 0; i < n_known; i++) {
            sum += known[i].sum;
            interactions += known[i].n;
            labels[i] = (uint32_t)known[i].group;
            add(sums, &known[i], labels[i]);
        }
        double mean = sum / interactions, least = statistic(sums, n_groups, mean) *
                                                  (1 - 1e-9); /* sums of another order round otherwise */
        for (size_t k = 0; k < n_permutations; k++) {
            shuffle_and_add(known, labels, n_known, &rng, sums, n_groups);
            as_far += statistic(sums, n_groups, mean) >= least;
        }
        chance = (double)as_far / (double)(n_permutations + 1);
        free(sums);
        free(labels);
    }
    free(known);
    return chance;
}

struct frs_group_interval frs_group_share_interval(double share, double n) {
    double z = frs_student_t_quantile(0.5 + 0.5 * FRS_CONFIDENCE, INFINITY), z2 = z * z / n;
    double middle = (share + z2 / 2) / (1 + z2),
           half = z / (1 + z2) * sqrt(share * (1 - share) / n + z2 / (4 * n));
    return (struct frs_group_interval){fmax(middle - half, 0), fmin(middle + half, 1)};
}

struct frs_group_interval frs_group_mean_interval(
    const struct frs_group_member *members, size_t n, size_t group) {
    double sum = 0, interactions = 0, squares = 0, clients = 0;
    for (size_t i = 0; i < n; i++)
        if (members[i].group == group && members[i].n > 0) {
            sum += members[i].sum;
            interactions += members[i].n;
            clients++;
        }
    if (clients < 2)
        return (struct frs_group_interval){NAN, NAN};
    double mean = sum / interactions;
    for (size_t i = 0; i < n; i++)
        if (members[i].group == group && members[i].n > 0) {
            double rest = members[i].sum - mean * members[i].n;
            squares += rest * rest;
        }
    double error = sqrt(squares * clients / (clients - 1)) / interactions;
    double half = error * frs_student_t_quantile(0.5 + 0.5 * FRS_CONFIDENCE, clients - 1);
    return (struct frs_group_interval){mean - half, mean + half};
}

double frs_group_level(size_t n_comparisons) {
    return PAGE_ERROR / (double)(n_comparisons > 0 ? n_comparisons : 1);
}
