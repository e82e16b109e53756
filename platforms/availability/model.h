/* Availability model: when a client is online.
 *
 * A model is one file in platforms/availability/ and one line in platforms/availability/availability.def.
 * It answers for one client and one time whether the client is online, and how long that stays so. The
 * answer depends only on the seed, the client and the time, and not on the number of clients, on earlier
 * calls, or on the method, so that variants of a scenario see the same sessions.
 *
 * Other conditions for reaching a client are added on top (platforms/availability/availability.h). */
#ifndef FRS_PLATFORMS_AVAILABILITY_MODEL_H
#define FRS_PLATFORMS_AVAILABILITY_MODEL_H

#include "platforms/availability/average_day.h"
#include "platforms/availability/device_state.h"
#include "sim/base/settings/plugin.h"

#include <stdint.h>

struct frs_client_ids;

/* The clients of the run, for a model that reads a file of clients. */
struct frs_file_clients {
    uint32_t n;
    const char *fleet;                /* the table that has their ids; NULL: they are 0 to n − 1 */
    const struct frs_client_ids *ids; /* its ids */
    bool may_lack;                    /* clients are drawn from it: others of the file are none */
};

struct frs_availability_model {
    struct frs_plugin plugin;
    /* Reads the model's keys; where they differ between classes of clients, once for each kind. *state
     * (may stay NULL) is borrowed by `at` and ends with `destroy`; several threads may use it at once.
     * Returns false after adding errors: *state is then NULL. */
    bool (*create)(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
        struct frs_errors *errors);
    void (*destroy)(void *state); /* NULL: there is no state */
    /* Whether `client` is online at t_s ≥ 0. *until_s: the time, later than t_s, at which that changes;
     * INFINITY if it never does. Calls may come in any order of time. */
    bool (*at)(
        const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s);
    /* For a model that answers per round and attempt instead of per time (its `at` gives until =
     * INFINITY): how long after a refusal the next attempt, with its own draw, makes sense; > 0, INFINITY:
     * never. NULL: the model answers per time. */
    double (*retry_s)(const void *state);
    /* For a model of the states of devices: from now on `at` answers whether the client is online and in
     * one of these states. NULL: devices have no states. */
    void (*require)(void *state, const struct frs_eligible *eligible);
    /* The state of the client's device at t_s ≥ 0, independent of the required states, with the times,
     * later than t_s, at which its parts change. NULL: devices have no states. */
    struct frs_device_state (*device)(const void *state, uint32_t client, double t_s);
    /* Whether that device is online and in the required states, without the times. NULL: devices have no
     * states. */
    bool (*is_eligible)(const void *state, uint32_t client, double t_s, const struct frs_eligible *eligible);
    /* Ties how much a client is online to its place among the devices by speed: quantile(devices, seed,
     * client) in (0, 1), 1 being the fastest. NULL: clients do not differ, so there is nothing to tie. */
    void (*tie_to_speed)(void *state, double (*quantile)(const void *devices, uint64_t seed, uint32_t client),
        const void *devices);
    /* For a model that reads a file: number(fleet, seed, client) is the client's number in the file. NULL:
     * it reads none. */
    void (*tie_to_fleet)(void *state, uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client),
        const void *fleet);
    /* Adds these clients to an average day; all of them are of the kind of `state`. NULL: the model
     * answers per attempt, or has all of them online. */
    void (*average_day)(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day);
    /* Lets clients differ in how much they are online: place[client] is the client's among the n clients of
     * the kind that `state` is of, 0 for the one that is online least; it is borrowed. NULL: clients do not
     * differ by what they are like. */
    void (*follow)(void *state, const uint32_t *place, uint32_t n);
    /* For a model that answers per round and attempt: whether the client answers in no attempt of the round.
     * NULL: there is no such client. */
    bool (*never)(const void *state, uint32_t client, uint32_t round);
    /* For a model that answers per round and attempt, each attempt by itself: the probability with which the
     * client answers one of this round; NAN where it also depends on time. NULL: it is not known. */
    double (*probability)(const void *state, uint32_t client, uint32_t round);
    /* What the client's clock shows at the start of the run, in s after a midnight. NULL: clients have no
     * clocks of their own. */
    double (*clock_s)(const void *state, uint32_t client);
    /* For a model that reads a file: compares its clients with those of the run, once tie_to_fleet was
     * called. Returns false after adding an error. NULL: it reads none. */
    bool (*settle)(void *state, const struct frs_values *values, const struct frs_file_clients *clients,
        struct frs_errors *errors);
    /* What `check` says of that file; NULL: nothing. Freed by the caller. */
    char *(*note)(const void *state, uint32_t n_clients);
};

#endif
