/* Sessions and gaps of exponential length, from a stationary start: a client is online at any time with
 * probability on / (on + off). */
#include "platforms/availability/availability.h"
#include "platforms/availability/follows.h"
#include "platforms/chains/dynamics.h"
#include "platforms/chains/share_chain.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

/* Pieces of a period, at whose edges the share online is as the dynamics prescribe; and groups of clients
 * that have one chain under them. */
enum { PIECES = 240, MOST_GROUPS = 32 };

struct markov {
    struct frs_two_state chain; /* of all clients, where they are alike and their shares stay */
    double comes[3], goes[3];   /* rate, and its integral from 0 and over one piece */
    double on_s;
    struct frs_dynamics dynamics;
    struct frs_follows follows;
    const uint32_t *place; /* of each client among the n of its kind; NULL: they do not differ */
    size_t n;
    double *shares;                 /* of the places, or of the groups */
    struct frs_share_chain *groups; /* [n_groups]; NULL: shares stay as they are */
    size_t n_groups;
};

static const struct frs_param params[] = {
    {.key = "on",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "1 h",
        .min = 1e-3,
        .max = INFINITY,
        .help = "mean length of a session"},
    {.key = "off",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "4 h",
        .min = 1e-3,
        .max = INFINITY,
        .help = "mean time between two sessions"},
    FRS_DYNAMICS_PARAMS,
    FRS_DYNAMICS_PERIOD_PARAM,
    FRS_AVAILABILITY_FOLLOWS_PARAMS,
    {0},
};

/* One piece as long as the mean time, in which one point falls on average. */
static struct frs_intensity once_per(double mean_s, double room[3]) {
    room[0] = 1 / mean_s;
    frs_intensity_sum(1, mean_s, &room[0], &room[1]);
    return (struct frs_intensity){.n = 1, .piece_s = mean_s, .per_s = &room[0], .cumulative = &room[1]};
}

static struct frs_two_state chain_of(
    double on_s, double off_s, uint64_t seed, double comes[3], double goes[3]) {
    return (struct frs_two_state){.online = once_per(off_s, comes),
        .offline = once_per(on_s, goes),
        .initial_share = on_s / (on_s + off_s),
        .seed = seed,
        .streams = FRS_ONLINE_STREAMS};
}

static void fill(const struct markov *markov, double share, struct frs_share_chain *chain) {
    double edge[PIECES + 1];
    for (size_t i = 0; i <= PIECES; i++)
        edge[i] = frs_share_within(frs_dynamics_share(&markov->dynamics, share, (double)i / PIECES));
    frs_share_chain_fill(chain, PIECES, markov->dynamics.period / PIECES, edge, markov->on_s,
        markov->chain.seed, FRS_ONLINE_STREAMS);
}

static void end_groups(struct markov *markov) {
    for (size_t g = 0; g < markov->n_groups; g++)
        frs_share_chain_fini(&markov->groups[g]);
    free(markov->groups);
    free(markov->shares);
    markov->groups = NULL;
    markov->shares = NULL;
    markov->n_groups = 0;
}

static void begin_groups(struct markov *markov, size_t n_groups) {
    markov->n_groups = n_groups;
    markov->groups = frs_alloc(n_groups, sizeof *markov->groups);
    for (size_t g = 0; g < n_groups; g++)
        fill(markov, markov->shares ? markov->shares[g] : markov->chain.initial_share, &markov->groups[g]);
}

static void destroy(void *state) {
    end_groups(state);
    free(state);
}

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients;
    struct frs_dynamics dynamics;
    *state = NULL;
    if (!frs_dynamics_read(&dynamics, values, errors))
        return false;
    double on_s = frs_values_real(values, "on"), off_s = frs_values_real(values, "off");
    struct markov *markov = frs_alloc(1, sizeof *markov);
    markov->chain = chain_of(on_s, off_s, seed, markov->comes, markov->goes);
    markov->on_s = on_s;
    markov->dynamics = dynamics;
    markov->follows = frs_follows_read(values);
    if (dynamics.kind != FRS_DYNAMICS_STATIONARY)
        begin_groups(markov, 1);
    *state = markov;
    return true;
}

static void follow(void *state, const uint32_t *place, uint32_t n) {
    struct markov *markov = state;
    bool changes = markov->dynamics.kind != FRS_DYNAMICS_STATIONARY;
    size_t n_shares = changes && n > MOST_GROUPS ? MOST_GROUPS : n;
    end_groups(markov);
    markov->place = place;
    markov->n = n;
    markov->shares = frs_alloc(n_shares, sizeof *markov->shares);
    frs_personal_groups(
        markov->chain.initial_share, markov->follows.concentration, n, n_shares, markov->shares);
    if (changes)
        begin_groups(markov, n_shares);
}

/* A client whose share is its own, and stays: sessions are as long as those of others. */
static bool personal_at(
    const struct markov *markov, uint32_t client, double share, double t_s, double *until_s) {
    double comes[3], goes[3], off_s = markov->on_s * (1 - share) / share;
    *until_s = INFINITY;
    if (!(share > 0) || isinf(off_s)) /* of shares too small for a number */
        return false;
    if (share >= 1 - FRS_SHARE_EDGE) /* gaps that no one would notice */
        return true;
    struct frs_two_state chain = chain_of(markov->on_s, off_s, markov->chain.seed, comes, goes);
    return frs_two_state_at(&chain, client, 0, t_s, until_s);
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    const struct markov *markov = state;
    (void)round, (void)attempt;
    if (markov->groups) {
        size_t group =
            markov->place ? frs_personal_group(markov->n, markov->n_groups, markov->place[client]) : 0;
        return frs_two_state_at(&markov->groups[group].chain, client, 0, t_s, until_s);
    }
    if (markov->place)
        return personal_at(markov, client, markov->shares[markov->place[client]], t_s, until_s);
    return frs_two_state_at(&markov->chain, client, 0, t_s, until_s);
}

/* The mean over the clients, at the time of the period at which the dynamics have the most of them. */
static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    const struct markov *markov = state;
    double most = markov->chain.initial_share;
    (void)clients;
    for (size_t i = 0; markov->groups && i <= PIECES; i++) {
        double share = 0;
        for (size_t g = 0; g < markov->n_groups; g++)
            share +=
                frs_dynamics_share(&markov->dynamics,
                    markov->shares ? markov->shares[g] : markov->chain.initial_share, (double)i / PIECES) /
                (double)markov->n_groups;
        most = i == 0 ? share : fmax(most, share);
    }
    frs_average_day_add(day, 0, 1, most * (double)n);
}

const struct frs_availability_model frs_availability_markov = {
    .plugin = {.name = "markov",
        .summary = "sessions and gaps of exponential length",
        .source = "two-state Markov chain (Gilbert 1960)",
        .params = params},
    .create = create,
    .destroy = destroy,
    .at = at,
    .follow = follow,
    .average_day = average_day,
};
