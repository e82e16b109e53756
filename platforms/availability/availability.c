#include "platforms/availability/availability.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

#define AVAILABILITY(name) extern const struct frs_availability_model frs_availability_##name;
#include "platforms/availability/availability.def"
#undef AVAILABILITY

#define AVAILABILITY(name) &frs_availability_##name.plugin,
const struct frs_plugin *frs_availability_plugins[FRS_REGISTRY_ROOM] = {
#include "platforms/availability/availability.def"
    NULL,
};

const struct frs_param frs_availability_params[] = {FRS_OUTAGES_PARAMS, FRS_RANDOM_OUTAGES_PARAMS, {0}};

static bool create_states(struct frs_reachability *reachability, const struct frs_values *values,
    uint64_t seed, struct frs_errors *errors) {
    const struct frs_kinds *kinds = &reachability->kinds;
    bool good = true;
    reachability->states = frs_alloc(kinds->n, sizeof *reachability->states);
    for (size_t kind = 0; good && kind < kinds->n; kind++) {
        frs_kinds_look_at(kinds, values, kind);
        good = reachability->model->create(
            values, reachability->n_clients, seed, &reachability->states[kind], errors);
    }
    return good;
}

static void read_churns(
    struct frs_reachability *reachability, const struct frs_values *values, uint64_t seed) {
    const struct frs_kinds *kinds = &reachability->churn_kinds;
    reachability->churns = frs_alloc(kinds->n, sizeof *reachability->churns);
    for (size_t kind = 0; kind < kinds->n; kind++) {
        frs_kinds_look_at(kinds, values, kind);
        reachability->churns[kind] = frs_churn_read(values, seed);
    }
}

bool frs_reachability_init(struct frs_reachability *reachability, const struct frs_plugin *plugin,
    const struct frs_values *availability, const struct frs_values *churn, const struct frs_strata *strata,
    uint32_t n_clients, uint64_t seed, struct frs_errors *errors) {
    *reachability = (struct frs_reachability){
        /* The plug-in is the first member of its model. */
        .model = (const struct frs_availability_model *)(const void *)plugin,
        .n_clients = n_clients,
    };
    /* All are read whatever becomes of the first, to name all mistakes at once. */
    bool outages = frs_outages_read(&reachability->outages, availability, seed, errors);
    outages &= frs_random_outages_read(&reachability->random_outages, availability, seed, errors);
    bool kinds = frs_kinds_read(&reachability->kinds, availability, strata, errors);
    bool models = kinds && create_states(reachability, availability, seed, errors);
    if (frs_kinds_read(&reachability->churn_kinds, churn, strata, errors))
        read_churns(reachability, churn, seed);
    if (reachability->model->follow)
        reachability->follows = frs_follows_read(availability);
    if (models && frs_values_find(availability, "dynamics") &&
        !frs_dynamics_read(&reachability->dynamics, availability, errors))
        models = false;
    if (outages && models && reachability->churns)
        return true;
    frs_reachability_fini(reachability);
    return false;
}

void frs_reachability_fini(struct frs_reachability *reachability) {
    frs_outages_fini(&reachability->outages);
    for (size_t kind = 0; reachability->states && kind < reachability->kinds.n; kind++)
        if (reachability->states[kind])
            reachability->model->destroy(reachability->states[kind]);
    free(reachability->states);
    free(reachability->churns);
    free(reachability->place);
    *reachability = (struct frs_reachability){0};
}

static const void *state_of(const struct frs_reachability *reachability, uint32_t client) {
    return reachability->states[frs_kind_of(&reachability->kinds, client)];
}

static const struct frs_churn *churn_of(const struct frs_reachability *reachability, uint32_t client) {
    return &reachability->churns[frs_kind_of(&reachability->churn_kinds, client)];
}

void frs_reachability_tie_to_speed(struct frs_reachability *reachability,
    double (*quantile)(const void *devices, uint64_t seed, uint32_t client), const void *devices) {
    for (size_t kind = 0; reachability->model->tie_to_speed && kind < reachability->kinds.n; kind++)
        reachability->model->tie_to_speed(reachability->states[kind], quantile, devices);
}

bool frs_reachability_follow(struct frs_reachability *reachability, const double *usual, uint64_t seed) {
    const struct frs_kinds *kinds = &reachability->kinds;
    uint32_t n = reachability->n_clients, *order = frs_alloc(n, sizeof *order);
    bool differ = frs_personal_order(usual, n, reachability->follows.correlation, seed, FRS_RNG_HEARD, order);
    reachability->place = frs_alloc(n, sizeof *reachability->place);
    for (size_t kind = 0; kind < kinds->n; kind++) {
        uint32_t n_kind = 0;
        for (uint32_t i = 0; i < n; i++)
            if (frs_kind_of(kinds, order[i]) == kind)
                reachability->place[order[i]] = n_kind++;
        if (n_kind > 0)
            reachability->model->follow(reachability->states[kind], reachability->place, n_kind);
    }
    free(order);
    return differ;
}

void frs_reachability_tie_to_fleet(struct frs_reachability *reachability,
    uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client), const void *fleet) {
    for (size_t kind = 0; reachability->model->tie_to_fleet && kind < reachability->kinds.n; kind++)
        reachability->model->tie_to_fleet(reachability->states[kind], number, fleet);
}

bool frs_reachability_settle(struct frs_reachability *reachability, const struct frs_values *values,
    const struct frs_file_clients *clients, struct frs_errors *errors) {
    bool ok = true;
    for (size_t kind = 0; ok && reachability->model->settle && kind < reachability->kinds.n; kind++)
        ok = reachability->model->settle(reachability->states[kind], values, clients, errors);
    return ok;
}

char *frs_reachability_note(const struct frs_reachability *reachability) {
    bool has = reachability->model && reachability->model->note && reachability->states;
    return has ? reachability->model->note(reachability->states[0], reachability->n_clients) : NULL;
}

bool frs_reachability_has_states(const struct frs_reachability *reachability) {
    return reachability->model->device;
}

void frs_reachability_require(struct frs_reachability *reachability, const struct frs_eligible *eligible) {
    reachability->eligible = *eligible;
    for (size_t kind = 0; reachability->model->require && kind < reachability->kinds.n; kind++)
        reachability->model->require(reachability->states[kind], eligible);
}

struct frs_device_state frs_reachability_device(
    const struct frs_reachability *reachability, uint32_t client, double t_s) {
    return reachability->model->device(state_of(reachability, client), client, t_s);
}

bool frs_reachability_regions(const struct frs_reachability *reachability, uint32_t *regions) {
    *regions = reachability->random_outages.regions;
    for (size_t i = 0; i < reachability->outages.n; i++) {
        uint32_t of = reachability->outages.list[i].regions;
        if (of > 0 && *regions > 0 && of != *regions)
            return false;
        *regions = of > 0 ? of : *regions;
    }
    return true;
}

static bool has_outages(const struct frs_reachability *reachability) {
    return reachability->outages.n > 0 || reachability->random_outages.regions > 0;
}

bool frs_reachability_is_trivial(const struct frs_reachability *reachability) {
    bool present = true;
    for (size_t kind = 0; kind < reachability->churn_kinds.n; kind++)
        present = present && frs_churn_is_trivial(&reachability->churns[kind]);
    return reachability->model == &frs_availability_always && present && !has_outages(reachability);
}

bool frs_reachability_goes_by_time(const struct frs_reachability *reachability) {
    return !reachability->model->retry_s;
}

static void add_kind(const struct frs_reachability *reachability, size_t kind, uint32_t *clients,
    struct frs_average_day *day) {
    size_t n = 0;
    for (uint32_t client = 0; client < reachability->n_clients; client++)
        if (frs_kind_of(&reachability->kinds, client) == kind &&
            !frs_churn_is_absent(churn_of(reachability, client), client))
            clients[n++] = client;
    reachability->model->average_day(reachability->states[kind], clients, n, day);
}

double frs_reachability_most_online(const struct frs_reachability *reachability) {
    struct frs_average_day day = {0};
    if (!reachability->model->average_day)
        return 0;
    uint32_t *clients = frs_alloc(reachability->n_clients, sizeof *clients);
    for (size_t kind = 0; kind < reachability->kinds.n; kind++)
        add_kind(reachability, kind, clients, &day);
    double most = frs_average_day_most(&day);
    frs_average_day_fini(&day);
    free(clients);
    return most;
}

/* As for a client that is online half of the time, which no cut-off reaches before others. */
double frs_reachability_dynamics_at(const struct frs_reachability *reachability, uint32_t round, double t_s) {
    const struct frs_dynamics *dynamics = &reachability->dynamics;
    return frs_dynamics_share(dynamics, 0.5, frs_dynamics_periods(dynamics, round, t_s)) / 0.5;
}

double frs_reachability_probability(
    const struct frs_reachability *reachability, uint32_t client, uint32_t round) {
    if (reachability->model == &frs_availability_always)
        return 1;
    return reachability->model->probability
               ? reachability->model->probability(state_of(reachability, client), client, round)
               : NAN;
}

uint32_t frs_reachability_period(const struct frs_reachability *reachability) {
    const struct frs_dynamics *dynamics = &reachability->dynamics;
    bool repeats = dynamics->kind != FRS_DYNAMICS_STATIONARY && dynamics->in_rounds;
    return repeats ? (uint32_t)dynamics->period : 1;
}

bool frs_reachability_dwindles(const struct frs_reachability *reachability) {
    for (size_t kind = 0; kind < reachability->churn_kinds.n; kind++)
        if (reachability->churns[kind].mean_lifetime_s > 0)
            return true;
    return false;
}

double frs_reachability_retry_s(const struct frs_reachability *reachability) {
    double retry_s = INFINITY;
    for (size_t kind = 0; reachability->model->retry_s && kind < reachability->kinds.n; kind++)
        retry_s = fmin(retry_s, reachability->model->retry_s(reachability->states[kind]));
    return retry_s;
}

bool frs_reachability_has_clocks(const struct frs_reachability *reachability) {
    return reachability->model->clock_s;
}

double frs_reachability_clock_s(const struct frs_reachability *reachability, uint32_t client) {
    return reachability->model->clock_s(state_of(reachability, client), client);
}

bool frs_reachability_can_end(const struct frs_reachability *reachability) {
    bool sessions = reachability->model != &frs_availability_always && !reachability->model->retry_s;
    return sessions || frs_reachability_dwindles(reachability) || has_outages(reachability);
}

/* Listed and random outages in the same sense as `others`. */
static bool outages_at(
    const struct frs_reachability *reachability, uint32_t client, double t_s, double *until_s) {
    double random_until_s;
    bool listed = frs_outages_at(&reachability->outages, client, t_s, until_s);
    bool random = frs_random_outages_at(&reachability->random_outages, client, t_s, &random_until_s);
    if (listed && random)
        *until_s = fmin(*until_s, random_until_s);
    else if (!random)
        *until_s = listed ? random_until_s : fmax(*until_s, random_until_s);
    return listed && random;
}

/* Churn ∧ outages: whether the client is online; if it is offline, it stays so at least until *until_s. If
 * both parts are offline the later end counts, if both are online the earlier. */
static bool others(
    const struct frs_reachability *reachability, uint32_t client, double t_s, double *until_s) {
    double outages_until_s;
    bool present = frs_churn_at(churn_of(reachability, client), client, t_s, until_s);
    bool up = outages_at(reachability, client, t_s, &outages_until_s);
    if (present && up)
        *until_s = fmin(*until_s, outages_until_s);
    else if (!up)
        *until_s = present ? outages_until_s : fmax(*until_s, outages_until_s);
    return present && up;
}

/* All parts in the same sense. */
static bool at(const struct frs_reachability *reachability, uint32_t client, uint32_t round, uint32_t attempt,
    double t_s, double *until_s) {
    double model_until_s;
    bool others_online = others(reachability, client, t_s, until_s);
    if (!others_online && *until_s == INFINITY)
        return false;
    bool model_online =
        reachability->model->at(state_of(reachability, client), client, round, attempt, t_s, &model_until_s);
    if (others_online && model_online)
        *until_s = fmin(*until_s, model_until_s);
    else if (!model_online)
        *until_s = others_online ? model_until_s : fmax(*until_s, model_until_s);
    return others_online && model_online;
}

static bool is_eligible(const struct frs_reachability *reachability, uint32_t client, double t_s,
    const struct frs_eligible *eligible) {
    return reachability->model->is_eligible(state_of(reachability, client), client, t_s, eligible);
}

bool frs_reachability_online(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s) {
    static const struct frs_eligible any;
    double until_s;
    if (!frs_reachability_has_states(reachability))
        return at(reachability, client, round, attempt, t_s, &until_s);
    return others(reachability, client, t_s, &until_s) && is_eligible(reachability, client, t_s, &any);
}

bool frs_reachable_now(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s) {
    double until_s;
    if (!frs_reachability_has_states(reachability))
        return at(reachability, client, round, attempt, t_s, &until_s);
    return others(reachability, client, t_s, &until_s) &&
           is_eligible(reachability, client, t_s, &reachability->eligible);
}

/* When one part comes online another may have gone: repeats at that time until they agree. Ends because churn
 * and listed outages change a finite number of times, and a random one never lasts for good. */
bool frs_reachable(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s, double *until_s) {
    if (at(reachability, client, round, attempt, t_s, until_s))
        return true;
    double later_s;
    while (*until_s < INFINITY && !at(reachability, client, round, attempt, *until_s, &later_s))
        *until_s = later_s;
    return false;
}

double frs_reachable_next_s(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s) {
    double until_s;
    if (!reachability->model->retry_s)
        return frs_reachable(reachability, client, round, attempt, t_s, &until_s) ? t_s : until_s;
    const void *state = state_of(reachability, client);
    if (reachability->model->never && reachability->model->never(state, client, round))
        return INFINITY;
    if (!reachability->model->at(state, client, round, attempt, t_s, &until_s))
        t_s += reachability->model->retry_s(state);
    while (t_s < INFINITY && !others(reachability, client, t_s, &until_s))
        t_s = until_s;
    return t_s;
}

double frs_reachable_next_any_s(
    const struct frs_reachability *reachability, uint32_t round, uint32_t attempt, double t_s) {
    double first_s = INFINITY;
    for (uint32_t client = 0; client < reachability->n_clients && first_s > t_s; client++)
        first_s = fmin(first_s, frs_reachable_next_s(reachability, client, round, attempt, t_s));
    return first_s;
}
