/* Network: the links of every client.
 *
 * A client has a private downlink and uplink, each with a capacity, and one latency that is paid before every
 * message. Values are drawn from the client's own stream whenever they are asked for, so nothing is stored
 * per client. */
#ifndef FRS_PLATFORMS_NETWORK_H
#define FRS_PLATFORMS_NETWORK_H

#include "platforms/distribution.h"

extern const struct frs_param frs_network_params[]; /* section `network` */
extern const char *const frs_network_model_names[]; /* enum frs_network_model */

enum frs_network_model {
    FRS_EXACT, /* latency, then bytes at the link's full capacity */
    FRS_LV08,  /* SimGrid's TCP model: latency × 13.01, capacity × 0.97, window limits */
};

struct frs_network {
    enum frs_network_model model;
    struct frs_law downlink, uplink, latency;
};

struct frs_client_link {
    double down_bytes_per_s, up_bytes_per_s; /* whole numbers ≥ 1: rounded after drawing, because the exact
                                                max-min rates of shared links need integers */
    double latency_s;                        /* ≥ 0, one way, before every message */
};

struct frs_client_link frs_network_client(const struct frs_network *network, uint64_t seed, uint32_t client);

/* The median client, for forecasts. */
struct frs_client_link frs_network_median(const struct frs_network *network);

#endif
