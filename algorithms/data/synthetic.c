#include "algorithms/data/synthetic.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "algorithms/data/alias.h"
#include "algorithms/data/users_each.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Streams of the whole data set, as `round` of a stream without client. */
enum {
    STREAM_ITEMS = FRS_SYNTHETIC_STREAM_ACTIVITY + 1,
    STREAM_REPAIR,
    STREAM_TASTES,
    STREAM_CALENDAR,
    STREAM_OPINIONS
};

/* Streams of a user: the items it takes; their time and its opinions. */
enum { STREAM_SESSION, STREAM_USER };

/* Times at which the popularity of items is drawn anew. */
#define CALENDAR_POINTS 3

struct generator {
    const struct frs_synthetic_distribution *distribution;
    uint64_t seed;
    size_t *start;                 /* [users + 1] rows of each user */
    double *weights;               /* [tastes × items] probability of the item under the taste */
    struct frs_alias *taste_items; /* [tastes] */
    float *fashion; /* [CALENDAR_POINTS × items] factors of mean 1; NULL where the calendar does not matter */
    float *opinions;    /* [items × OPINIONS] */
    double *popularity; /* [items] weight of the item */
    uint32_t *ranks;    /* [items] popularity rank from 0 */
    float *quality;     /* [items] */
    struct desk *desks; /* [threads] */
    struct frs_rows *rows;
};

/* Ratings: how much an interaction is liked, cut into stars. They were fitted to MovieLens: the shares of
 * stars, the spread of the means of items and of users, the relation of an item's popularity to its mean,
 * and how much can be learnt beyond means are about the same (tests/algorithms/data/test_synthetic_fit.c). */
#define LEAST_RELATIVE (-4.0) /* ln of a popularity below which less is no worse */
#define OFFSET_SD 0.48        /* between users */
#define OPINIONS 2            /* directions in which users think differently of items */
#define OPINION_SD 0.43
#define NOISE_SD 0.935
static const double STARS[4] = {-2.071, -1.286, -0.265, 0.932};

/* What a thread draws users with. */
struct desk {
    uint32_t *seen; /* [items] last user + 1 who drew the item */
    double *shares; /* [tastes] of the user */
};

/* ---- items ---- */

/* Popularity ranks are shuffled over the items, so that an id says nothing. */
static void draw_popularity(struct generator *generator, struct frs_rng *rng) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    uint32_t n = distribution->items;
    generator->ranks = frs_alloc(n, sizeof *generator->ranks);
    generator->popularity = frs_alloc(n, sizeof *generator->popularity);
    for (uint32_t item = 0; item < n; item++)
        generator->ranks[item] = item;
    frs_rng_shuffle(rng, generator->ranks, n);
    for (uint32_t item = 0; item < n; item++) {
        double rank = generator->ranks[item] + 1.0;
        generator->popularity[item] =
            pow(1 + rank / distribution->popularity_offset, -distribution->popularity_exponent) *
            pow(1 - rank / (n + 1.0), distribution->popularity_tail);
    }
}

/* Mean of ln popularity over interactions. */
static double mean_log_popularity(const struct generator *generator) {
    double sum = 0, weights = 0;
    for (uint32_t item = 0; item < generator->distribution->items; item++) {
        double weight = generator->popularity[item];
        sum += weight * log(weight);
        weights += weight;
    }
    return sum / weights;
}

/* All tastes share a space of a few factors, of which the first ones matter most. Each taste has a place
 * in it, and likes popular items more or less than others do. */
struct tastes {
    double *places; /* [tastes × factors] times the factor's share: squares of a taste sum to 1 on average */
    double *mainstream; /* [tastes] quantiles of the normal distribution, times distribution->mainstream */
};

static struct tastes draw_tastes(const struct frs_synthetic_distribution *distribution, uint64_t seed) {
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, STREAM_TASTES, 0, FRS_RNG_SYNTHETIC);
    struct tastes tastes = {
        frs_alloc((size_t)distribution->tastes * (distribution->taste_factors + 1), sizeof *tastes.places),
        frs_alloc(distribution->tastes, sizeof *tastes.mainstream)};
    double squares = 0;
    for (uint32_t f = 0; f < distribution->taste_factors; f++)
        squares += pow(1 + f, -2 * distribution->taste_decay);
    for (uint32_t taste = 0; taste < distribution->tastes; taste++) {
        for (uint32_t f = 0; f < distribution->taste_factors; f++)
            tastes.places[(size_t)taste * distribution->taste_factors + f] =
                frs_rng_normal(&rng) * pow(1 + f, -distribution->taste_decay) / sqrt(squares);
        tastes.mainstream[taste] =
            distribution->mainstream * frs_synthetic_normal_quantile((taste + 0.5) / distribution->tastes);
    }
    return tastes;
}

/* g_kj of one item for every taste; without factors each taste has an opinion of its own. */
static void draw_appeals(const struct frs_synthetic_distribution *distribution, const struct tastes *tastes,
    struct frs_rng *rng, double *appeals) {
    double of_item[FRS_SYNTHETIC_MOST_FACTORS];
    for (uint32_t f = 0; f < distribution->taste_factors; f++)
        of_item[f] = frs_rng_normal(rng);
    for (uint32_t taste = 0; taste < distribution->tastes; taste++) {
        appeals[taste] = distribution->taste_factors ? 0 : frs_rng_normal(rng);
        for (uint32_t f = 0; f < distribution->taste_factors; f++)
            appeals[taste] += tastes->places[(size_t)taste * distribution->taste_factors + f] * of_item[f];
    }
}

/* Weights of an item are divided by their mean over the tastes: tastes redistribute an item's popularity,
 * they do not add to it. */
static void weigh_item(struct generator *generator, const struct tastes *tastes, uint32_t item,
    const double *appeals, double relative) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    double *weights = generator->weights + item, sum = 0;
    for (size_t taste = 0; taste < distribution->tastes; taste++)
        sum += weights[taste * distribution->items] =
            exp(distribution->taste_strength * appeals[taste] + tastes->mainstream[taste] * relative);
    for (size_t taste = 0; taste < distribution->tastes; taste++)
        weights[taste * distribution->items] *= generator->popularity[item] * distribution->tastes / sum;
}

static void draw_items(struct generator *generator) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    size_t n = distribution->items;
    struct frs_rng rng = frs_rng_stream(generator->seed, FRS_RNG_SERVER, STREAM_ITEMS, 0, FRS_RNG_SYNTHETIC);
    struct tastes tastes = draw_tastes(distribution, generator->seed);
    double *appeals = frs_alloc(distribution->tastes, sizeof *appeals);
    generator->weights = frs_alloc(distribution->tastes * n, sizeof(double));
    generator->quality = frs_alloc(n, sizeof(float));
    draw_popularity(generator, &rng);
    double mean = mean_log_popularity(generator);
    for (uint32_t item = 0; item < n; item++) {
        double relative = log(generator->popularity[item]) - mean;
        draw_appeals(distribution, &tastes, &rng, appeals);
        weigh_item(generator, &tastes, item, appeals, relative);
        generator->quality[item] = (float)(distribution->quality_spread * frs_rng_normal(&rng) +
                                           distribution->quality_growth * fmax(relative, LEAST_RELATIVE));
    }
    free(appeals);
    free(tastes.places);
    free(tastes.mainstream);
}

/* An item comes into fashion and goes out of it. At a few times its weight is the overall weight times
 * e^(drift h), h normal, divided by the mean of these factors; between two such times it is linear. */
static void draw_calendar(struct generator *generator) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    if (distribution->calendar_drift <= 0)
        return;
    struct frs_rng rng =
        frs_rng_stream(generator->seed, FRS_RNG_SERVER, STREAM_CALENDAR, 0, FRS_RNG_SYNTHETIC);
    generator->fashion = frs_alloc((size_t)CALENDAR_POINTS * distribution->items, sizeof *generator->fashion);
    for (uint32_t item = 0; item < distribution->items; item++) {
        double factors[CALENDAR_POINTS], sum = 0;
        for (int time = 0; time < CALENDAR_POINTS; time++)
            sum += factors[time] = exp(distribution->calendar_drift * frs_rng_normal(&rng));
        for (int time = 0; time < CALENDAR_POINTS; time++)
            generator->fashion[(size_t)time * distribution->items + item] =
                (float)(factors[time] * CALENDAR_POINTS / sum);
    }
}

static void init_tastes(struct generator *generator) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    generator->taste_items = frs_alloc(distribution->tastes, sizeof *generator->taste_items);
    for (uint32_t taste = 0; taste < distribution->tastes; taste++) {
        double *weights = generator->weights + (size_t)taste * distribution->items, sum = 0;
        for (uint32_t item = 0; item < distribution->items; item++)
            sum += weights[item];
        for (uint32_t item = 0; item < distribution->items; item++)
            weights[item] /= sum;
        frs_alias_init(&generator->taste_items[taste], weights, distribution->items);
    }
}

/* ---- users ---- */

/* How much of each taste a user has; sums to 1. */
static void draw_shares(const struct frs_synthetic_distribution *distribution, struct frs_rng *rng,
    size_t activity, double *shares) {
    double sum = 0,
           focus = distribution->taste_focus *
                   pow((double)activity / (double)distribution->min_activity, -distribution->breadth);
    for (uint32_t taste = 0; taste < distribution->tastes; taste++)
        sum += shares[taste] = exp(focus * frs_rng_normal(rng));
    for (uint32_t taste = 0; taste < distribution->tastes; taste++)
        shares[taste] /= sum;
}

struct user {
    uint32_t id;
    const double *shares; /* [tastes] */
    double time;          /* 0: the beginning of the calendar, 1: its end */
    double offset;        /* of its ratings */
    double opinions[OPINIONS];
};

/* The item's factor in the user's session; CALENDAR_POINTS at most. */
static double fashion_of(const struct generator *generator, const struct user *user, uint32_t item) {
    if (!generator->fashion)
        return 1;
    double place = user->time * (CALENDAR_POINTS - 1);
    size_t time = (size_t)fmin(place, CALENDAR_POINTS - 2), n = generator->distribution->items;
    const float *at = generator->fashion + time * n + item;
    return (double)at[0] + (place - (double)time) * ((double)at[n] - (double)at[0]);
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

/* Finishes a draw without repetition by an exponential race over all items left. This has the same
 * distribution as rejecting repetitions, at a cost that does not explode when a user takes most of its
 * items. */
static void race(const struct generator *generator, const struct desk *desk, const struct user *user,
    struct frs_rng *rng, uint32_t *items, size_t n) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    struct race *races = frs_alloc(distribution->items, sizeof *races);
    size_t n_races = 0;
    for (uint32_t item = 0; item < distribution->items; item++) {
        double weight = 1e-300, unit = 1 - frs_rng_unit(rng);
        for (uint32_t taste = 0; taste < distribution->tastes; taste++)
            weight += user->shares[taste] * generator->weights[(size_t)taste * distribution->items + item];
        weight *= fashion_of(generator, user, item);
        if (desk->seen[item] != user->id + 1)
            races[n_races++] = (struct race){-log(unit) / weight, item};
    }
    qsort(races, n_races, sizeof *races, compare_races);
    for (size_t i = 0; i < n; i++)
        items[i] = races[i].item;
    free(races);
}

static void draw_distinct(const struct generator *generator, const struct desk *desk, const struct user *user,
    struct frs_rng *rng, uint32_t *items, size_t n) {
    const double *shares = user->shares;
    size_t drawn = 0, attempts = (8 * n + 64) * (generator->fashion ? CALENDAR_POINTS : 1);
    for (; drawn < n && attempts; attempts--) {
        double unit = frs_rng_unit(rng);
        uint32_t taste = 0;
        while (taste + 1 < generator->distribution->tastes && unit >= shares[taste])
            unit -= shares[taste++];
        uint32_t item = frs_alias_draw(&generator->taste_items[taste], rng);
        if (desk->seen[item] == user->id + 1)
            continue;
        if (generator->fashion && CALENDAR_POINTS * frs_rng_unit(rng) >= fashion_of(generator, user, item))
            continue;
        desk->seen[item] = user->id + 1;
        items[drawn++] = item;
    }
    if (drawn < n)
        race(generator, desk, user, rng, items + drawn, n - drawn);
}

/* Brings what was drawn into the order of consumption, by a race that the newest wins. */
static void reorder(const struct generator *generator, struct frs_rng *rng, uint32_t *items, size_t n) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    struct race *races = frs_alloc(n, sizeof *races);
    double drift =
        distribution->drift *
        pow((double)n * distribution->users / (double)distribution->interactions, distribution->drift_growth);
    for (size_t i = 0; i < n; i++) {
        double weight = exp(drift * generator->ranks[items[i]] / distribution->items);
        races[i] = (struct race){log(1 - frs_rng_unit(rng)) / weight, items[i]};
    }
    qsort(races, n, sizeof *races, compare_races);
    for (size_t i = 0; i < n; i++)
        items[i] = races[i].item;
    free(races);
}

/* A user's opinion of an item is independent of the reason for taking it: all items that a user takes are
 * to its taste. */
static void draw_opinions(struct generator *generator) {
    size_t n = generator->distribution->items;
    struct frs_rng rng =
        frs_rng_stream(generator->seed, FRS_RNG_SERVER, STREAM_OPINIONS, 0, FRS_RNG_SYNTHETIC);
    generator->opinions = frs_alloc(n * OPINIONS, sizeof *generator->opinions);
    for (size_t i = 0; i < n * OPINIONS; i++)
        generator->opinions[i] = (float)frs_rng_normal(&rng);
}

static float draw_rating(
    const struct generator *generator, const struct user *user, uint32_t item, struct frs_rng *rng) {
    double liking = (double)generator->quality[item] + user->offset + NOISE_SD * frs_rng_normal(rng);
    for (int i = 0; i < OPINIONS; i++)
        liking += OPINION_SD / sqrt(OPINIONS) * user->opinions[i] *
                  (double)generator->opinions[(size_t)item * OPINIONS + i];
    int rating = 1;
    while (rating < 5 && liking > STARS[rating - 1])
        rating++;
    return (float)rating;
}

#define FIRST_TIME 1.0e9 /* s since 1970 */
#define TIME_SPAN 2.0e7  /* s within which the users' sessions start */
#define MEAN_PAUSE 30    /* s between two interactions that are not of one time */

/* Several ratings are given on one page and sent at once. */
static double draw_pause(const struct frs_synthetic_distribution *distribution, struct frs_rng *rng) {
    if (distribution->tied > 0 && frs_rng_unit(rng) < distribution->tied)
        return 0;
    return 1 + floor(-MEAN_PAUSE * log(1 - frs_rng_unit(rng)));
}

static void generate_user(const struct generator *generator, const struct desk *desk, uint32_t id) {
    struct frs_rng rng = frs_rng_stream(generator->seed, id, STREAM_SESSION, 0, FRS_RNG_SYNTHETIC);
    struct frs_rng times = frs_rng_stream(generator->seed, id, STREAM_USER, 0, FRS_RNG_SYNTHETIC);
    struct user user = {.id = id, .shares = desk->shares, .time = frs_rng_unit(&times)};
    for (int i = 0; i < OPINIONS; i++)
        user.opinions[i] = frs_rng_normal(&times);
    struct frs_rows *rows = generator->rows;
    size_t begin = generator->start[id], n = generator->start[id + 1] - begin;
    draw_shares(generator->distribution, &rng, n, desk->shares);
    draw_distinct(generator, desk, &user, &rng, rows->items + begin, n);
    reorder(generator, &rng, rows->items + begin, n);
    double time = floor(FIRST_TIME + TIME_SPAN * user.time);
    user.offset = OFFSET_SD * frs_rng_normal(&rng);
    for (size_t i = begin; i < begin + n; i++) {
        time += draw_pause(generator->distribution, &rng);
        rows->users[i] = id;
        rows->times[i] = time;
        rows->values[i] = draw_rating(generator, &user, rows->items[i], &rng);
    }
}

static void generate_users(void *context, uint32_t first, uint32_t end, size_t thread) {
    const struct generator *generator = context;
    for (uint32_t user = first; user < end; user++)
        generate_user(generator, &generator->desks[thread], user);
}

static struct desk *create_desks(const struct frs_synthetic_distribution *distribution) {
    struct desk *desks = frs_alloc(frs_users_threads(), sizeof *desks);
    for (size_t i = 0; i < frs_users_threads(); i++)
        desks[i] = (struct desk){.seen = frs_alloc(distribution->items, sizeof *desks[i].seen),
            .shares = frs_alloc(distribution->tastes, sizeof *desks[i].shares)};
    return desks;
}

static void destroy_desks(struct desk *desks) {
    for (size_t i = 0; i < frs_users_threads(); i++) {
        free(desks[i].seen);
        free(desks[i].shares);
    }
    free(desks);
}

/* Gives every item at least one interaction: an item without one replaces the item of a random
 * interaction, provided that the replaced item keeps another one. */
static void give_every_item_one(struct generator *generator) {
    const struct frs_synthetic_distribution *distribution = generator->distribution;
    struct frs_rows *rows = generator->rows;
    struct frs_rng rng = frs_rng_stream(generator->seed, FRS_RNG_SERVER, STREAM_REPAIR, 0, FRS_RNG_SYNTHETIC);
    uint32_t *counts = frs_alloc(distribution->items, sizeof *counts);
    for (size_t i = 0; i < rows->n; i++)
        counts[rows->items[i]]++;
    for (uint32_t item = 0; item < distribution->items; item++) {
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
    for (uint32_t taste = 0; taste < generator->distribution->tastes; taste++)
        frs_alias_fini(&generator->taste_items[taste]);
    free(generator->taste_items);
    free(generator->start);
    free(generator->weights);
    free(generator->popularity);
    free(generator->fashion);
    free(generator->opinions);
    free(generator->ranks);
    free(generator->quality);
    destroy_desks(generator->desks);
}

void frs_synthetic_generate(
    const struct frs_synthetic_distribution *distribution, uint64_t seed, struct frs_rows *rows) {
    FRS_INVARIANT(distribution->items <= distribution->interactions &&
                      distribution->max_activity <= distribution->items &&
                      distribution->users * distribution->min_activity <= distribution->interactions &&
                      distribution->interactions <= distribution->users * distribution->max_activity,
        "the distribution %s cannot be met", distribution->name);
    struct generator generator = {.distribution = distribution, .seed = seed, .rows = rows};
    *rows = (struct frs_rows){.n_users = distribution->users, .n_items = distribution->items};
    frs_rows_reserve(rows, distribution->interactions, true);
    rows->n = distribution->interactions;
    generator.start = frs_synthetic_starts(distribution, seed);
    draw_items(&generator);
    draw_calendar(&generator);
    draw_opinions(&generator);
    init_tastes(&generator);
    generator.desks = create_desks(distribution);
    frs_users_each(generate_users, &generator, (uint32_t)distribution->users);
    give_every_item_one(&generator);
    generator_fini(&generator);
}

/* A taste's weights count by their share of it. */
void frs_synthetic_tastes(
    const struct frs_synthetic_distribution *distribution, uint64_t seed, uint32_t *taste) {
    struct generator generator = {.distribution = distribution, .seed = seed};
    size_t n = distribution->items;
    draw_items(&generator);
    for (size_t k = 0; k < distribution->tastes; k++) {
        double sum = 0;
        for (size_t item = 0; item < n; item++)
            sum += generator.weights[k * n + item];
        for (size_t item = 0; item < n; item++)
            generator.weights[k * n + item] /= sum;
    }
    for (size_t item = 0; item < n; item++) {
        taste[item] = 0;
        for (uint32_t k = 1; k < distribution->tastes; k++)
            if (generator.weights[k * n + item] > generator.weights[taste[item] * n + item])
                taste[item] = k;
    }
    free(generator.weights);
    free(generator.popularity);
    free(generator.ranks);
    free(generator.quality);
}
