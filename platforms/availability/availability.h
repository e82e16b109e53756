/* Availability: when a client can be reached.
 *
 * A client is reachable when its model (platforms/availability/model.h), its churn
 * (platforms/availability/churn.h) and all outages (platforms/availability/outages.h,
 * platforms/availability/random_outages.h) agree.
 * docs/availability.md holds the formulas. */
#ifndef FRS_PLATFORMS_AVAILABILITY_AVAILABILITY_H
#define FRS_PLATFORMS_AVAILABILITY_AVAILABILITY_H

#include "platforms/availability/churn.h"
#include "platforms/availability/follows.h"
#include "platforms/availability/model.h"
#include "platforms/availability/outages.h"
#include "platforms/availability/random_outages.h"
#include "platforms/chains/dynamics.h"
#include "platforms/presets/kinds.h"
#include "sim/base/settings/param.h"
#include "sim/base/settings/plugin.h"

/* The registry that scenarios choose from. */
extern const struct frs_plugin *frs_availability_plugins[FRS_REGISTRY_ROOM];

extern const struct frs_param frs_availability_params[]; /* section `availability`: outages */

/* ---- model ∧ churn ∧ outages ------------------------------------------------------------- */

struct frs_reachability {
    const struct frs_availability_model *model;
    struct frs_kinds kinds, churn_kinds; /* of clients, where either differs between classes */
    void **states;                       /* [kinds.n] of the model */
    struct frs_churn *churns;            /* [churn_kinds.n] */
    struct frs_outages outages;
    struct frs_random_outages random_outages;
    struct frs_dynamics dynamics;
    struct frs_follows follows;
    uint32_t *place; /* of each client among those of its kind, the least available first; NULL: all alike */
    struct frs_eligible eligible;
    uint32_t n_clients;
};

/* The number of regions whose outages there are; 0: none. False: they speak of different numbers. */
bool frs_reachability_regions(const struct frs_reachability *reachability, uint32_t *regions);

/* Reads section `availability` with its chosen plug-in, and the section that has the keys of churn
 * (`failures`). `strata` (NULL: none) is borrowed, and read whenever a client's kind is needed. Returns
 * false after adding errors; *reachability then needs no fini. */
bool frs_reachability_init(struct frs_reachability *reachability, const struct frs_plugin *plugin,
    const struct frs_values *availability, const struct frs_values *churn, const struct frs_strata *strata,
    uint32_t n_clients, uint64_t seed, struct frs_errors *errors);

void frs_reachability_fini(struct frs_reachability *reachability);

/* Gives the model the clients' places by speed, for the key speed_correlation; `devices` is borrowed. */
void frs_reachability_tie_to_speed(struct frs_reachability *reachability,
    double (*quantile)(const void *devices, uint64_t seed, uint32_t client), const void *devices);

/* Where availability follows something, has to be called before anything is asked: usual[client], larger for
 * who is online more. False when it is the same for all clients. */
bool frs_reachability_follow(struct frs_reachability *reachability, const double *usual, uint64_t seed);

/* Gives the model the numbers of the clients in files, where they are not their own; `fleet` is borrowed. */
void frs_reachability_tie_to_fleet(struct frs_reachability *reachability,
    uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client), const void *fleet);

/* Compares the clients of the model's file, if it reads one, with those of the run (`values`: section
 * `availability`). Call it after frs_reachability_tie_to_fleet. Returns false after adding an error. */
bool frs_reachability_settle(struct frs_reachability *reachability, const struct frs_values *values,
    const struct frs_file_clients *clients, struct frs_errors *errors);

/* What `check` says of that file; NULL: there is none. Freed by the caller. */
char *frs_reachability_note(const struct frs_reachability *reachability);

/* Whether devices have states; and which of them a client has to be in to be reachable, from now on. */
bool frs_reachability_has_states(const struct frs_reachability *reachability);
void frs_reachability_require(struct frs_reachability *reachability, const struct frs_eligible *eligible);

/* Where devices have states: that of the client's device at t_s ≥ 0, by the model alone. */
struct frs_device_state frs_reachability_device(
    const struct frs_reachability *reachability, uint32_t client, double t_s);

/* Whether the client is online at t_s, whatever the state of its device; the same as frs_reachable where
 * devices have no states. */
bool frs_reachability_online(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s);

/* Whether all clients are always reachable, so that no call is needed. */
bool frs_reachability_is_trivial(const struct frs_reachability *reachability);

/* Whether frs_reachable depends on the client and the time alone, and not on the round and the attempt. */
bool frs_reachability_goes_by_time(const struct frs_reachability *reachability);

/* The most clients that are online at once, in the required states, in an average day of the model alone;
 * 0 where it does not depend on time (always, bernoulli). */
double frs_reachability_most_online(const struct frs_reachability *reachability);

/* How many clients are online on average at t_s in a round, relative to what they were without dynamics; 1
 * where there are none. */
double frs_reachability_dynamics_at(const struct frs_reachability *reachability, uint32_t round, double t_s);

/* The probability with which the client answers an attempt of a round, each attempt by itself, by the model
 * alone; NAN where it is not known beforehand. It repeats after so many rounds. */
double frs_reachability_probability(
    const struct frs_reachability *reachability, uint32_t client, uint32_t round);
uint32_t frs_reachability_period(const struct frs_reachability *reachability);

/* Whether clients leave for good. */
bool frs_reachability_dwindles(const struct frs_reachability *reachability);

/* Under a model that answers per attempt: how long after one attempt the next makes sense, for clients of
 * any kind; INFINITY: never. */
double frs_reachability_retry_s(const struct frs_reachability *reachability);

/* Whether clients have clocks of their own; and what a client's clock shows at the start of the run, in s
 * after a midnight. */
bool frs_reachability_has_clocks(const struct frs_reachability *reachability);
double frs_reachability_clock_s(const struct frs_reachability *reachability, uint32_t client);

/* Whether a client that is online can go offline later, so that participations may end by it. */
bool frs_reachability_can_end(const struct frs_reachability *reachability);

/* Whether the client is online, and its device in one of the required states, at t_s ≥ 0. *until_s: the
 * time, later than t_s, at which that changes (exact: at that time the answer is the other one), INFINITY
 * if it never does. Under a model that answers per attempt, "never" refers to this attempt only. */
bool frs_reachable(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s, double *until_s);

/* The same answer without the time at which it changes, which may take a search. */
bool frs_reachable_now(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s);

/* The first time ≥ t_s at which the client is online; INFINITY: never again. Under a model that answers per
 * attempt: if this attempt is refused, the first time ≥ t_s + `retry` at which only the model's next draw can
 * refuse; the caller then calls again with the next attempt. */
double frs_reachable_next_s(const struct frs_reachability *reachability, uint32_t client, uint32_t round,
    uint32_t attempt, double t_s);

/* The smallest frs_reachable_next_s over all clients. Costs O(n_clients) when no client is online at t_s. */
double frs_reachable_next_any_s(
    const struct frs_reachability *reachability, uint32_t round, uint32_t attempt, double t_s);

#endif
