/* Network: the links of every client, and the server's.
 *
 * A client has a private downlink and uplink, each with a capacity, and one latency that is paid before
 * every message. All clients follow the same distributions, or each follows those of its class. Values are
 * drawn from the client's own streams whenever they are needed, so nothing is stored per client, and every
 * function may be called from any thread.
 *
 * Capacities are whole bytes per second and at least 1, because the exact max-min rates of a shared server
 * link need integers. */
#ifndef FRS_PLATFORMS_NETWORKS_NETWORK_H
#define FRS_PLATFORMS_NETWORKS_NETWORK_H

#include "platforms/fleet/fleet.h"
#include "platforms/networks/by_state.h"
#include "platforms/networks/client_trace.h"
#include "platforms/networks/connection.h"
#include "platforms/networks/queues.h"
#include "platforms/networks/radio.h"
#include "platforms/networks/server_trace.h"
#include "sim/base/settings/param.h"

extern const struct frs_param frs_network_params[]; /* section `network` */
extern const char *const frs_network_model_names[]; /* enum frs_network_model */

enum frs_network_model {
    FRS_EXACT,   /* latency, then bytes at the link's full capacity, fairly shared: the shortest time of a
                    message alone on its links */
    FRS_TCP,     /* connections are opened, and messages begin in slow start */
    FRS_PACKETS, /* the same packet by packet: queues, losses and what senders make of them */
    FRS_LV08,    /* SimGrid's TCP model: latency × 13.01, capacity × 0.97, window limits */
};

enum frs_direction { FRS_DIRECTION_DOWN, FRS_DIRECTION_UP }; /* to the client; to the server */

/* What varies from transfer to transfer of one client. */
enum frs_jitter { FRS_JITTER_RATE, FRS_JITTER_LATENCY, FRS_JITTERS };

struct frs_network {
    enum frs_network_model model;
    struct frs_fleet *fleet;    /* NULL: no table */
    struct frs_classes classes; /* of the fleet's, too, where they are presets */
    bool deals_classes;         /* network.class_shares */
    double *dealt;              /* [n_clients] quantiles, once they have been dealt; NULL: they are drawn */
    bool by_class[FRS_LINK_DISTRIBUTIONS]; /* which of the three come from the class */
    struct frs_distribution distributions[FRS_LINK_DISTRIBUTIONS],
        class_distributions[FRS_MAX_CLASSES][FRS_LINK_DISTRIBUTIONS];
    double bandwidth_factor;     /* on every client's capacities, whatever they come from */
    double direction_factors[2]; /* by enum frs_direction: on capacities one way, besides that */
    double latency_factor;       /* as bandwidth_factor, for latencies */
    double payload_share; /* of every capacity, the server's included, that messages have for themselves */
    enum frs_connection connection; /* where there are connections, as is the next */
    bool keeps_windows;             /* after its first message a client sends without slow start */
    struct frs_queues queues;       /* under FRS_PACKETS */
    double correlation;             /* of a client's down and up quantiles, within its class */
    double latency_correlation;     /* of its down and latency quantiles, likewise */
    double jitter[FRS_JITTERS];     /* sigma of a log-normal factor with mean 1, per transfer */
    double class_jitter[FRS_MAX_CLASSES][FRS_JITTERS];
    bool jitter_by_class[FRS_JITTERS]; /* which of the two come from the class */
    enum frs_radio radio, class_radios[FRS_MAX_CLASSES];
    bool radio_by_class, has_tails;
    struct frs_client_trace trace;
    struct frs_by_state by_state;
    /* Capacities of the server's own link, shared by all downloads and by all uploads; their maximum,
     * where they vary. INFINITY: never the bottleneck. */
    double server_down_bytes_per_s, server_up_bytes_per_s;
};

struct frs_client_link {
    double down_bytes_per_s, up_bytes_per_s; /* whole, ≥ 1 */
    double latency_s;                        /* ≥ 0, one way, before every message */
};

/* Reads the section `network` and, in the order of enum frs_link_distribution, its three sections of
 * distributions. The user's values win over the class, and the class wins over a preset. Returns false
 * after adding errors; the network is empty then. */
bool frs_network_read(struct frs_network *network, const struct frs_values *values,
    const struct frs_distribution_section distributions[FRS_LINK_DISTRIBUTIONS], struct frs_errors *errors);

/* Whether clients open connections, and their windows grow from the initial one. */
bool frs_network_connects(const struct frs_network *network);

/* Whether a packet is lost at random, the n-th of a participation that has passed all links, where this share
 * of them is. */
bool frs_network_loses(
    double share, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, uint32_t n);

/* The extra time that sender and receiver of the n-th transfer of a participation need before its first
 * packet leaves: processing and scheduling, exponential with a mean of half a millisecond. It decides
 * which transfer is first where several begin at the same time. */
double frs_network_start_s(uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, uint32_t n);

/* Only the model, for platforms whose links are not ours; the network has no other use then. */
void frs_network_read_model(struct frs_network *network, const struct frs_values *values);

/* Call once the number of clients is known. Returns false after adding an error when the trace names a
 * client beyond it, or the table does not fit. */
bool frs_network_settle(struct frs_network *network, const struct frs_values *values, uint32_t n_clients,
    struct frs_errors *errors);

/* Deals classes where they are not drawn, for clients asked for with this seed. */
void frs_network_deal(struct frs_network *network, uint32_t n_clients, uint64_t seed);

/* Lets the server's links follow a trace where it has them; their capacities are the maximum of the trace.
 * `values` are those of the section. */
void frs_network_follow_server(
    struct frs_network *network, const struct frs_server_trace *trace, const struct frs_values *values);

/* How the links that transfers share serve their queues, if there is one (`shares`). frs_network_read asks
 * for the server's link alone; `values` are those of the section. */
void frs_network_read_server_queue(struct frs_network *network, const struct frs_values *values, bool shares);

void frs_network_fini(struct frs_network *network);

/* The client's links without jitter and trace. */
struct frs_client_link frs_network_client(const struct frs_network *network, uint64_t seed, uint32_t client);

/* The name of the client's class; "none" without classes. Lives as long as the network. */
const char *frs_network_class(const struct frs_network *network, uint64_t seed, uint32_t client);

/* Its place among `classes`; 0 without classes. `network` is a struct frs_network. */
size_t frs_network_class_number(const void *network, uint64_t seed, uint32_t client);

/* The kind of network it is on: its class's, where classes say it and the user does not. */
enum frs_radio frs_network_radio(const struct frs_network *network, uint64_t seed, uint32_t client);

/* The client's place among all downlinks, in (0, 1), with which devices may be correlated. `fleet`: the
 * network's. */
double frs_network_quantile(const struct frs_fleet *fleet, uint64_t seed, uint32_t client);

/* A client's links in one participation, jitter included; capacities are whole, and ≥ 1. */
struct frs_transfer_links {
    double bytes_per_s[2], latency_s[2]; /* by enum frs_direction */
};

/* The largest sigma that any client has, by its class or like all others; 0: its transfers are alike. */
double frs_network_jitter(const struct frs_network *network, enum frs_jitter which);

/* The same for every call with the same arguments. */
struct frs_transfer_links frs_network_transfer(
    const struct frs_network *network, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt);

/* The same while the client's device is on Wi-Fi, or on a metered network; and the kind of network then. */
struct frs_transfer_links frs_network_transfer_in_state(const struct frs_network *network, bool wifi,
    uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt);
enum frs_radio frs_network_radio_in_state(
    const struct frs_network *network, bool wifi, uint64_t seed, uint32_t client);

/* The factor on the client's capacities at time t_s, and until when it holds (always later than t_s;
 * INFINITY: for ever). 0: no bytes cross. The caller changes the rates of transfers under way. */
double frs_network_factor(
    const struct frs_network *network, bool up, uint64_t seed, uint32_t client, double t_s, double *until_s);

/* The capacity multiplied by such a factor, as a whole number; it is at least 1 unless the factor is 0. */
double frs_network_scaled(double bytes_per_s, double factor);

/* The link that has, for each value separately, the capacity that a share u of the clients do not exceed;
 * u = 0.5: the medians. */
struct frs_client_link frs_network_marginals(const struct frs_network *network, double u);

/* The share of transfers, up and down, whose jitter would make them slower than the least capacity of 1
 * byte/s, so that they get that capacity. The relative error of the share is about 1 %. */
double frs_network_floored(const struct frs_network *network);

#endif
