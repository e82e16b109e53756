#include "platforms/distributions/personal.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/numbers/beta.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- who ------------------------------------------------------------------------------------- */

struct place {
    double by, tie;
    uint32_t client;
};

static int by_value(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->by != y->by)
        return (x->by > y->by) - (x->by < y->by);
    if (x->tie != y->tie)
        return (x->tie > y->tie) - (x->tie < y->tie);
    return (x->client > y->client) - (x->client < y->client);
}

/* The correlation of normal scores for a rank correlation; the ends are exact. */
static double of_scores(double ranks) {
    return fabs(ranks) == 1 ? ranks : 2 * sin(M_PI * ranks / 6);
}

bool frs_personal_order(const double *burden, uint32_t n, double correlation, uint64_t seed,
    enum frs_purpose purpose, uint32_t *order) {
    struct place *places = frs_alloc(n, sizeof *places);
    bool differ = false;
    for (uint32_t client = 0; client < n; client++) {
        places[client] = (struct place){.by = burden[client],
            .tie = frs_quantile_draw_in_round(seed, client, 1, 0, purpose),
            .client = client};
        differ = differ || burden[client] != burden[0];
    }
    qsort(places, n, sizeof *places, by_value);
    for (uint32_t i = 0; i < n; i++)
        places[i].by = frs_quantile_correlate(
            frs_quantile_draw(seed, places[i].client, purpose), (i + 0.5) / n, of_scores(correlation));
    qsort(places, n, sizeof *places, by_value);
    for (uint32_t i = 0; i < n; i++)
        order[i] = places[i].client;
    free(places);
    return differ;
}

/* ---- how much -------------------------------------------------------------------------------- */

/* Values x of the distribution are held as y = ln(x / (1 − x)), because they come close to both ends. */
struct distribution {
    double a, b, log_beta;
};

/* ln x of a y. */
static double log_value(double y) {
    return y < 0 ? y - log1p(exp(y)) : -log1p(exp(-y));
}

/* x^a (1 − x)^b / B(a, b): the density of y. */
static double density(const struct distribution *distribution, double y) {
    return exp(distribution->a * log_value(y) + distribution->b * log_value(-y) - distribution->log_beta);
}

static double share_below(const struct distribution *distribution, double y) {
    double a = distribution->a, b = distribution->b, x = exp(log_value(y));
    if (x < (a + 1) / (a + b + 2))
        return density(distribution, y) * frs_beta_fraction(a, b, x) / a;
    return 1 - density(distribution, y) * frs_beta_fraction(b, a, exp(log_value(-y))) / b;
}

/* Newton's steps from `near`, kept inside a bracket that every step narrows. */
static double quantile(const struct distribution *distribution, double share, double near) {
    double low = near, high = near, y = near;
    for (double step = 1; share_below(distribution, low) > share; step *= 2)
        low -= step;
    for (double step = 1; share_below(distribution, high) < share; step *= 2)
        high += step;
    for (int i = 0; i < 200; i++) {
        double excess = share_below(distribution, y) - share;
        if (excess > 0)
            high = y;
        else
            low = y;
        double next = y - excess / density(distribution, y);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        double moved = fabs(next - y);
        y = next;
        if (moved <= 1e-14 * fmax(1, fabs(y)))
            break;
    }
    return y;
}

static double within_unit(double chance) {
    return fmin(fmax(chance, 0), 1);
}

size_t frs_personal_first(size_t n, size_t n_groups, size_t group) {
    return (size_t)((uint64_t)n * group / n_groups);
}

size_t frs_personal_group(size_t n, size_t n_groups, size_t place) {
    size_t group = (size_t)((uint64_t)place * n_groups / n);
    while (group + 1 < n_groups && frs_personal_first(n, n_groups, group + 1) <= place)
        group++;
    return group;
}

static double places(size_t n, size_t n_groups, size_t group) {
    return (double)(frs_personal_first(n, n_groups, group + 1) - frs_personal_first(n, n_groups, group));
}

/* A share `mean` of the distribution is at 1: the places that lie in it, as far as they do. */
static void all_or_nothing(double mean, size_t n, size_t n_groups, double *chances) {
    for (size_t i = 0; i < n_groups; i++) {
        double above = (double)(n - frs_personal_first(n, n_groups, i + 1)), of = places(n, n_groups, i);
        chances[i] = within_unit(((double)n * mean - above) / of);
    }
}

/* The mean of the part below x, as a share of the whole mean, is I_x(a + 1, b) = I_x(a, b) − x^a (1 − x)^b
 * / (a B(a, b)) (DLMF 8.17.20). */
void frs_personal_groups(double mean, double concentration, size_t n, size_t n_groups, double *chances) {
    if (mean <= 0 || mean >= 1 || concentration == 0) {
        all_or_nothing(mean, n, n_groups, chances);
        return;
    }
    struct distribution distribution = {.a = concentration * mean, .b = concentration * (1 - mean)};
    distribution.log_beta = lgamma(distribution.a) + lgamma(distribution.b) - lgamma(concentration);
    double below = 0, y = log(mean / (1 - mean));
    for (size_t i = 0; i < n_groups; i++) {
        double share = (double)frs_personal_first(n, n_groups, i + 1) / (double)n, next = 1;
        if (i + 1 < n_groups) {
            y = quantile(&distribution, share, y);
            next = share - density(&distribution, y) / distribution.a;
        }
        chances[i] = within_unit((double)n * mean * (next - below) / places(n, n_groups, i));
        below = next;
    }
}

void frs_personal_chances(double mean, double concentration, size_t n, double *chances) {
    frs_personal_groups(mean, concentration, n, n, chances);
}
