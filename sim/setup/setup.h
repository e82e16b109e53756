/* Setup: the parts of a run, as composed from a scenario (sim/setup/compose/compose.h), and what follows from
 * them.
 */
#ifndef FRS_SETUP_SETUP_H
#define FRS_SETUP_SETUP_H

#include "algorithms/metrics/ranking.h"
#include "actors/adaptation.h"
#include "actors/backend.h"
#include "actors/caps.h"
#include "actors/opening/check_in.h"
#include "actors/opening/pacing.h"
#include "actors/policy.h"
#include "actors/selection.h"
#include "analysis/target/target_spec.h"
#include "platforms/availability/availability.h"
#include "platforms/devices/devices.h"
#include "platforms/edges/edges.h"
#include "platforms/failures/failures.h"
#include "platforms/failures/retry.h"
#include "platforms/networks/network.h"
#include "platforms/networks/server.h"
#include "platforms/networks/user_platform.h"
#include "platforms/peers/peer_graph.h"
#include "algorithms/mixing.h"
#include "algorithms/training/training_setup.h"
#include "sim/setup/declared.h"
#include "sim/scenario/scenario.h"
#include "sim/setup/costs.h"

/* output.what_if: which what-ifs of a run are played after it. */
enum frs_what_if_wish { FRS_WHAT_IF_NONE, FRS_WHAT_IF_CHEAP, FRS_WHAT_IF_ALL };

/* A file that a scenario names and a run follows from. */
struct frs_input_file {
    char *key, *path;
    struct frs_digest digest; /* of what it held when it was read */
};

struct frs_setup {
    const struct frs_scenario *scenario;
    struct frs_training_setup training; /* the half without a clock */
    struct frs_declared *declared;      /* the workload of a declared method; NULL: of any other */
    const char *not_sampled;            /* why sampling amplifies no privacy, "the ..."; NULL: it does */
    struct frs_network network;
    struct frs_window_cache *window_cache; /* of messages alone on their links; NULL: of none */
    struct frs_edges edges;                /* none: clients talk to the server itself */
    uint32_t edge_rounds;  /* aggregations of an edge for one of the server; 1, or 0: the edges only add up */
    bool shares_downloads; /* downloads of one size are the same message, which crosses to an edge once */
    struct frs_devices devices;
    struct frs_server server;
    const struct frs_policy *policy;
    struct frs_policy_settings policy_settings;
    const struct frs_selection *selection;
    void *selection_settings;
    const struct frs_adaptation *adaptation; /* NULL: the method knows no budgets */
    void *adaptation_settings;
    struct frs_peer_settings peers; /* neighbours NULL: there is a server */
    double peer_degree;             /* neighbours of a client in a round, on average */
    uint32_t *peer_pairs;           /* of a file, which they refer to */
    enum frs_mixing mixing;
    bool peer_barrier; /* clients that exchange models wait for each other before they send */
    struct frs_caps caps;
    struct frs_costs costs;
    bool observes; /* selection or adaptation go by what the server has seen */
    struct frs_observations_settings observations;
    struct frs_user_platform platform;
    struct frs_strata strata; /* by classes of devices and of networks */
    struct frs_reachability reachability;
    struct frs_failures failures;
    struct frs_retry retry;
    bool has_reachability, has_failures;
    bool sees_availability;
    double contact_s;
    struct frs_pacing pacing;
    double clock_s; /* what the server's clock shows at the start of the run, in s after a midnight */
    struct frs_check_in check_in;
    const struct frs_backend *backend;
    uint32_t n_rounds, cohort;
    double probability;       /* rounds.selection.probability, where the selection has it */
    double stop_tolerance;    /* the run ends when the tables change by no more than this share; 0: never */
    uint32_t stop_min_rounds; /* but not before so many rounds */
    double stop_s;            /* the run ends with the first round that closes so late; INFINITY: never */
    bool stop_at_target;      /* the run ends when an evaluation reaches the target, whose bar is a number */
    struct frs_list_rules ranking; /* how lists are judged */
    size_t evaluate_every, k;      /* the first cut-off */
    char headline[32];  /* the figure shown while running: "HR@10", or "RMSE" under explicit feedback */
    uint64_t baselines; /* bit i: choice i of evaluation.non_federated */
    struct frs_target_spec target; /* metric NULL: none */
    struct frs_input_file *inputs; /* [n_inputs] */
    size_t n_inputs;
    char *directory; /* output.directory, or its default */
    bool events;
    uint32_t events_every; /* of the first round and of every so many after it */
    bool report;           /* report.html */
    enum frs_what_if_wish what_ifs;
    uint32_t checkpoint_rounds;   /* 0: not by rounds */
    double checkpoint_interval_s; /* of real time; INFINITY: not by time */
};

void frs_setup_fini(struct frs_setup *setup);

/* Fills in what training has to know of the rest (`training`, from selection, policy, platform and
 * stopping rules). Call it after composing, and again after any of these has been changed. */
void frs_setup_settle(struct frs_setup *setup);

/* The largest number of participations at any time, and of messages between edges and the server. */
size_t frs_setup_under_way(const struct frs_setup *setup);

/* Whether clients send each other messages: models, without a server, or layers. */
bool frs_setup_clients_meet(const struct frs_setup *setup);

/* How often a client takes part in a round, at most. */
uint32_t frs_setup_parts(const struct frs_setup *setup);

/* Clients selected in a round: at most, or on average where their number is left to chance. */
uint32_t frs_setup_selected(const struct frs_setup *setup);

/* Probability with which each reachable client is selected, where the number of clients is left to chance. */
double frs_setup_probability(const struct frs_setup *setup);

#endif
