/* Links by state: what a client's links are while its device is on Wi-Fi, or on a metered network (section
 * `network.by_state`). */
#ifndef FRS_PLATFORMS_NETWORKS_BY_STATE_H
#define FRS_PLATFORMS_NETWORKS_BY_STATE_H

#include "platforms/distributions/distribution.h"
#include "platforms/networks/radio.h"
#include "sim/base/settings/param.h"

#include <stdbool.h>

struct frs_values;
struct frs_errors;

extern const struct frs_param frs_by_state_params[];

enum frs_link_distribution {
    FRS_DISTRIBUTION_DOWN,
    FRS_DISTRIBUTION_UP,
    FRS_DISTRIBUTION_LATENCY,
    FRS_LINK_DISTRIBUTIONS
};

/* In one of the two states. */
struct frs_link_in_state {
    bool has_preset; /* its distributions and radio stand for those of the network */
    struct frs_distribution distributions[FRS_LINK_DISTRIBUTIONS];
    enum frs_radio radio;
    double rate_factor, latency_factor;
};

/* Zeroed: links do not follow states. */
struct frs_by_state {
    bool follows;                      /* devices have states */
    bool differs;                      /* and links follow them */
    struct frs_link_in_state links[2]; /* metered, Wi-Fi */
    bool breaks;                       /* connections, when the link changes */
};

/* False after adding errors; *by_state is zeroed then. */
bool frs_by_state_read(
    struct frs_by_state *by_state, const struct frs_values *values, struct frs_errors *errors);
void frs_by_state_fini(struct frs_by_state *by_state);

#endif
