/* Assumption kinds: the assumptions of a scenario, each with other plausible values.
 *
 * Ranges are those that the kind's page or key states; docs/sensitivity.md has the list with its sources:
 *
 *   availability   all clients, or as measured (diurnal): whichever the scenario has not
 *   losses         1 % and 5 % of the uploads where nothing is lost, otherwise half and double
 *   detection      20 s and 60 s (failures.detect): gRPC's keepalive, and Flower's heartbeats; with 1 %
 *   lost
 *                  where nothing is
 *   retry          never, or four times as gRPC (failures.retry.times): whichever the scenario has not
 *   network model, connection, ties   the other ones
 *   links          another preset or two
 *   jitter         that within phones (0.37), or none and double; with classes, double the largest
 *   server link    1 Gbit/s and 100 Mbit/s where it has no limit, otherwise half and double
 *   queue, packet loss   50 ms and 1 s under tcp and packets, and 1 % under packets
 *   bandwidth      half and double (network.bandwidth_factor)
 *   latency        half and double (network.latency_factor); 8 and 75 ms where there is none
 *   compute        three times as fast and as slow: the factor to which docs/devices.md trusts its
 *   presets
 *   overhead       1 s and 10 s, where a participation has none
 *   server time    1 s an aggregation where it takes none, otherwise half and double
 *   cohort         half and double of the clients
 *   held-out items drawn at random instead of the newest, or the other way round
 *   data seed      two other data sets of the same distribution, where they are generated
 *
 * Kinds that have no usual value, or none in this scenario, are listed with the reason. */
#ifndef FRS_SENSITIVITY_ASSUMPTION_KINDS_H
#define FRS_SENSITIVITY_ASSUMPTION_KINDS_H

#include "sim/setup/setup.h"

struct frs_assumption_kind {
    const char *name;
    char *axis;      /* as after --vary, NULL: it is not varied */
    char *otherwise; /* the axis where that one has no effect in the scenario, or NULL */
    size_t n_given;  /* of `otherwise`: this many leading settings of each level only serve to give the others
                        an effect */
    const char *reason; /* without an axis */
    /* It is 0 or absent in the scenario: where all is varied at once it goes from that to its last value. */
    bool from_base;
};

struct frs_assumption_kinds {
    struct frs_assumption_kind *list; /* [n], what others depend on comes first */
    size_t n, capacity;
};

/* Lists the kinds for `scenario`, which was composed as `setup`. */
void frs_assumption_kinds_list(
    struct frs_assumption_kinds *kinds, const struct frs_scenario *scenario, const struct frs_setup *setup);

void frs_assumption_kinds_fini(struct frs_assumption_kinds *kinds);

#endif
