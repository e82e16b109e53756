#include "sim/data/synthetic.h"
#include "sim/base/memory.h"
#include "sim/data/alias.h"
#include "sim/data/users_each.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Streams of the whole data set, as `round` of a stream without client. */
enum { STREAM_ACTIVITY, STREAM_ITEMS, STREAM_REPAIR };

struct generator {
    const struct frs_synthetic_law *law;
    uint64_t seed;
    size_t *start;                 /* [users + 1] rows of each user */
    double *weights;               /* [tastes × items] probability of the item under the taste */
    struct frs_alias *taste_items; /* [tastes] */
    float *appeal;                 /* [tastes × items] g_kj */
    uint32_t *ranks;               /* [items] popularity rank from 0 */
    float *quality;                /* [items] */
    struct desk *desks;            /* [threads] */
    struct frs_rows *rows;
};

/* What a thread draws users with. */
struct desk {
    uint32_t *seen; /* [items] last user + 1 who drew the item */
    double *shares; /* [tastes] of the user */
};

/* Inverse of the normal distribution function on (0, 1), relative error below 1.2e-9 (Acklam). */
static double normal_quantile(double p) {
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
        1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
        6.680131188771972e+01, -1.328068155288572e+01};
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
        -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00};
    static const double d[] = {
        7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    if (p > 0.5)
        return -normal_quantile(1 - p);
    if (p < 0.02425) {
        double q = sqrt(-2 * log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
    double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

static double activity(const struct frs_synthetic_law *law, double location, double z) {
    double range = (double)(law->max_activity - law->min_activity);
    return (double)law->min_activity + range / (1 + exp(-(location + law->activity_spread * z)));
}

#define LOWEST_LOCATION (-60.0)
#define HIGHEST_LOCATION 60.0

static double sum_activities(const struct frs_synthetic_law *law, const double *z, double location) {
    double sum = 0;
    for (uint32_t user = 0; user < law->users; user++)
        sum += activity(law, location, z[user]);
    return sum;
}

/* Sums of millions of users err by less than 1e-10 of themselves, and a location by less than this, */
#define SURE 1e-7
#define LEAST_SLOPE 1e-2 /* where the sum changes by so much of itself. */

/* The location by Newton's method; NAN where that leads nowhere, or is not sure. */
static double foresee_location(const struct frs_synthetic_law *law, const double *z) {
    double range = (double)(law->max_activity - law->min_activity), location = 0;
    for (int step = 0; step < 30 && location > LOWEST_LOCATION && location < HIGHEST_LOCATION; step++) {
        double sum = 0, slope = 0;
        for (uint32_t user = 0; user < law->users; user++) {
            double share = 1 / (1 + exp(-(location + law->activity_spread * z[user])));
            sum += (double)law->min_activity + range * share;
            slope += range * share * (1 - share);
        }
        double change = ((double)law->interactions - sum) / slope;
        location += fmax(fmin(change, 1), -1);
        if (fabs(change) < 1e-6) /* it doubles the digits */
            return slope > LEAST_SLOPE * sum ? location : NAN;
    }
    return NAN;
}

/* μ for which the activities sum to the wanted number of interactions. Halves where the answer is known to be one
 * need no sum: data must not depend on how it was found. */
static double solve_location(const struct frs_synthetic_law *law, const double *z) {
    double low = LOWEST_LOCATION, high = HIGHEST_LOCATION, foreseen = foresee_location(law, z);
    for (int step = 0; step < 50; step++) {
        double middle = (low + high) / 2;
        bool is_below = fabs(middle - foreseen) > SURE
                            ? middle < foreseen
                            : sum_activities(law, z, middle) < (double)law->interactions;
        if (is_below)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Whole numbers within the limits that sum exactly:
 * what rounding misses goes one by one to whoever has room. */
static void round_activities(const struct frs_synthetic_law *law, const double *z, size_t *start) {
    double location = solve_location(law, z), owed = 0;
    size_t total = 0;
    for (uint32_t user = 0; user < law->users; user++) {
        double wanted = activity(law, location, z[user]) + owed, whole = floor(wanted + 0.5);
        whole = fmin(fmax(whole, (double)law->min_activity), (double)law->max_activity);
        owed = wanted - whole;
        start[user + 1] = (size_t)whole;
        total += (size_t)whole;
    }
    for (uint32_t user = 0; total != law->interactions; user = (user + 1) % law->users) {
        size_t *n = &start[user + 1];
        if (total < law->interactions && *n < law->max_activity)
            ++*n, total++;
        else if (total > law->interactions && *n > law->min_activity)
            --*n, total--;
    }
    for (uint32_t user = 0; user < law->users; user++)
        start[user + 1] += start[user];
}

/* One z per equal slice of the distribution, in random order: quantiles do not depend on luck. */
size_t *frs_synthetic_starts(const struct frs_synthetic_law *law, uint64_t seed) {
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, STREAM_ACTIVITY, 0, FRS_RNG_SYNTHETIC);
    uint32_t *slices = frs_alloc(law->users, sizeof *slices);
    double *z = frs_alloc(law->users, sizeof *z);
    for (uint32_t user = 0; user < law->users; user++)
        slices[user] = user;
    frs_rng_shuffle(&rng, slices, law->users);
    for (uint32_t user = 0; user < law->users; user++)
        z[user] = normal_quantile((slices[user] + 0.5) / law->users);
    size_t *start = frs_alloc((size_t)law->users + 1, sizeof *start);
    round_activities(law, z, start);
    free(slices);
    free(z);
    return start;
}

/* Popularity ranks are shuffled over the items, so that an id says nothing. The appeal of an item is divided
 * by its mean over the tastes: tastes redistribute an item's popularity, they do not add to it. */
static void draw_items(struct generator *generator) {
    const struct frs_synthetic_law *law = generator->law;
    uint32_t n = law->items, tastes = law->tastes;
    struct frs_rng rng = frs_rng_stream(generator->seed, FRS_RNG_SERVER, STREAM_ITEMS, 0, FRS_RNG_SYNTHETIC);
    uint32_t *ranks = generator->ranks = frs_alloc(n, sizeof *ranks);
    generator->weights = frs_alloc((size_t)tastes * n, sizeof(double));
    generator->appeal = frs_alloc((size_t)tastes * n, sizeof(float));
    generator->quality = frs_alloc(n, sizeof(float));
    for (uint32_t item = 0; item < n; item++)
        ranks[item] = item;
    frs_rng_shuffle(&rng, ranks, n);
    for (uint32_t item = 0; item < n; item++) {
        double rank = ranks[item] + 1.0;
        double popularity = pow(1 + rank / law->popularity_offset, -law->popularity_exponent) *
                            pow(1 - rank / (n + 1.0), law->popularity_tail);
        double sum = 0;
        for (uint32_t taste = 0; taste < tastes; taste++) {
            double appeal = frs_rng_normal(&rng), factor = exp(law->taste_strength * appeal);
            generator->appeal[(size_t)taste * n + item] = (float)appeal;
            generator->weights[(size_t)taste * n + item] = factor;
            sum += factor;
        }
        for (uint32_t taste = 0; taste < tastes; taste++)
            generator->weights[(size_t)taste * n + item] *= popularity * tastes / sum;
        generator->quality[item] = (float)(0.4 * frs_rng_normal(&rng) + 0.5 - (double)ranks[item] / n);
    }
}

static void init_tastes(struct generator *generator) {
    const struct frs_synthetic_law *law = generator->law;
    generator->taste_items = frs_alloc(law->tastes, sizeof *generator->taste_items);
    for (uint32_t taste = 0; taste < law->tastes; taste++) {
        double *weights = generator->weights + (size_t)taste * law->items, sum = 0;
        for (uint32_t item = 0; item < law->items; item++)
            sum += weights[item];
        for (uint32_t item = 0; item < law->items; item++)
            weights[item] /= sum;
        frs_alias_init(&generator->taste_items[taste], weights, law->items);
    }
}

/* How much of each taste a user has; sums to 1. */
static void draw_shares(const struct frs_synthetic_law *law, struct frs_rng *rng, double *shares) {
    double sum = 0;
    for (uint32_t taste = 0; taste < law->tastes; taste++)
        sum += shares[taste] = exp(law->taste_focus * frs_rng_normal(rng));
    for (uint32_t taste = 0; taste < law->tastes; taste++)
        shares[taste] /= sum;
}

struct race {
    double arrival;
    uint32_t item;
};

static int compare_races(const void *left, const void *right) {
    const struct race *a = left, *b = right;
    if (a->arrival != b->arrival)
        return a->arrival < b->arrival ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

/* The rest of a draw without repetition by an exponential race over all items left: the same law as rejecting
 * repetitions, at a cost that does not explode when a user takes most of what it likes. */
static void race(const struct generator *generator, const struct desk *desk, uint32_t user,
    struct frs_rng *rng, uint32_t *items, size_t n) {
    const struct frs_synthetic_law *law = generator->law;
    struct race *races = frs_alloc(law->items, sizeof *races);
    size_t n_races = 0;
    for (uint32_t item = 0; item < law->items; item++) {
        double weight = 1e-300, unit = 1 - frs_rng_unit(rng);
        for (uint32_t taste = 0; taste < law->tastes; taste++)
            weight += desk->shares[taste] * generator->weights[(size_t)taste * law->items + item];
        if (desk->seen[item] != user + 1)
            races[n_races++] = (struct race){-log(unit) / weight, item};
    }
    qsort(races, n_races, sizeof *races, compare_races);
    for (size_t i = 0; i < n; i++)
        items[i] = races[i].item;
    free(races);
}

static void draw_distinct(const struct generator *generator, const struct desk *desk, uint32_t user,
    struct frs_rng *rng, uint32_t *items, size_t n) {
    const double *shares = desk->shares;
    size_t drawn = 0, attempts = 8 * n + 64;
    for (; drawn < n && attempts; attempts--) {
        double unit = frs_rng_unit(rng);
        uint32_t taste = 0;
        while (taste + 1 < generator->law->tastes && unit >= shares[taste])
            unit -= shares[taste++];
        uint32_t item = frs_alias_draw(&generator->taste_items[taste], rng);
        if (desk->seen[item] == user + 1)
            continue;
        desk->seen[item] = user + 1;
        items[drawn++] = item;
    }
    if (drawn < n)
        race(generator, desk, user, rng, items + drawn, n - drawn);
}

/* Brings what was drawn into the order of consumption, by a race that the newest wins. */
static void reorder(const struct generator *generator, struct frs_rng *rng, uint32_t *items, size_t n) {
    struct race *races = frs_alloc(n, sizeof *races);
    double drift = generator->law->drift;
    for (size_t i = 0; i < n; i++) {
        double weight = exp(drift * generator->ranks[items[i]] / generator->law->items);
        races[i] = (struct race){log(1 - frs_rng_unit(rng)) / weight, items[i]};
    }
    qsort(races, n, sizeof *races, compare_races);
    for (size_t i = 0; i < n; i++)
        items[i] = races[i].item;
    free(races);
}

/* Chosen for the spread of ratings in MovieLens, 1.1 in all and .95 left by item and user means, and for what is
 * to be learnt beside means (SVD++ leaves .92). */
static float draw_rating(const struct generator *generator, const double *shares, double offset,
    uint32_t item, struct frs_rng *rng) {
    const struct frs_synthetic_law *law = generator->law;
    double fit = 0;
    for (uint32_t taste = 0; taste < law->tastes; taste++)
        fit += shares[taste] * generator->appeal[(size_t)taste * law->items + item];
    double rating = 3.3 + generator->quality[item] + offset + fit + 0.92 * frs_rng_normal(rng);
    return (float)fmin(fmax(floor(rating + 0.5), 1), 5);
}

#define FIRST_TIME 1.0e9 /* s since 1970 */
#define TIME_SPAN 2.0e7  /* s within which the users' sessions start */
#define MEAN_PAUSE 30    /* s between two interactions */

static void generate_user(const struct generator *generator, const struct desk *desk, uint32_t user) {
    struct frs_rng rng = frs_rng_stream(generator->seed, user, 0, 0, FRS_RNG_SYNTHETIC);
    struct frs_rows *rows = generator->rows;
    size_t begin = generator->start[user], n = generator->start[user + 1] - begin;
    draw_shares(generator->law, &rng, desk->shares);
    draw_distinct(generator, desk, user, &rng, rows->items + begin, n);
    reorder(generator, &rng, rows->items + begin, n);
    double time = floor(FIRST_TIME + TIME_SPAN * frs_rng_unit(&rng)), offset = 0.4 * frs_rng_normal(&rng);
    for (size_t i = begin; i < begin + n; i++) {
        time += 1 + floor(-MEAN_PAUSE * log(1 - frs_rng_unit(&rng)));
        rows->users[i] = user;
        rows->times[i] = time;
        rows->values[i] = draw_rating(generator, desk->shares, offset, rows->items[i], &rng);
    }
}

static void generate_users(void *context, uint32_t first, uint32_t end, size_t thread) {
    const struct generator *generator = context;
    for (uint32_t user = first; user < end; user++)
        generate_user(generator, &generator->desks[thread], user);
}

static struct desk *create_desks(const struct frs_synthetic_law *law) {
    struct desk *desks = frs_alloc(frs_users_threads(), sizeof *desks);
    for (size_t i = 0; i < frs_users_threads(); i++)
        desks[i] = (struct desk){.seen = frs_alloc(law->items, sizeof *desks[i].seen),
            .shares = frs_alloc(law->tastes, sizeof *desks[i].shares)};
    return desks;
}

static void destroy_desks(struct desk *desks) {
    for (size_t i = 0; i < frs_users_threads(); i++) {
        free(desks[i].seen);
        free(desks[i].shares);
    }
    free(desks);
}

/* Items nobody drew take the place of random interactions with items that have others left. */
static void give_every_item_one(struct generator *generator) {
    const struct frs_synthetic_law *law = generator->law;
    struct frs_rows *rows = generator->rows;
    struct frs_rng rng = frs_rng_stream(generator->seed, FRS_RNG_SERVER, STREAM_REPAIR, 0, FRS_RNG_SYNTHETIC);
    uint32_t *counts = frs_alloc(law->items, sizeof *counts);
    for (size_t i = 0; i < rows->n; i++)
        counts[rows->items[i]]++;
    for (uint32_t item = 0; item < law->items; item++) {
        if (counts[item])
            continue;
        size_t row = frs_rng_below(&rng, (uint32_t)rows->n);
        while (counts[rows->items[row]] < 2)
            row = (row + 1) % rows->n;
        counts[rows->items[row]]--;
        counts[item]++;
        rows->items[row] = item;
    }
    free(counts);
}

static void generator_fini(struct generator *generator) {
    for (uint32_t taste = 0; taste < generator->law->tastes; taste++)
        frs_alias_fini(&generator->taste_items[taste]);
    free(generator->taste_items);
    free(generator->start);
    free(generator->weights);
    free(generator->appeal);
    free(generator->ranks);
    free(generator->quality);
    destroy_desks(generator->desks);
}

void frs_synthetic_generate(const struct frs_synthetic_law *law, uint64_t seed, struct frs_rows *rows) {
    FRS_INVARIANT(law->items <= law->interactions && law->max_activity <= law->items &&
                      law->users * law->min_activity <= law->interactions &&
                      law->interactions <= law->users * law->max_activity,
        "the law %s cannot be met", law->name);
    struct generator generator = {.law = law, .seed = seed, .rows = rows};
    *rows = (struct frs_rows){.n_users = law->users, .n_items = law->items};
    frs_rows_reserve(rows, law->interactions, true);
    rows->n = law->interactions;
    generator.start = frs_synthetic_starts(law, seed);
    draw_items(&generator);
    init_tastes(&generator);
    generator.desks = create_desks(law);
    frs_users_each(generate_users, &generator, (uint32_t)law->users);
    give_every_item_one(&generator);
    generator_fini(&generator);
}
