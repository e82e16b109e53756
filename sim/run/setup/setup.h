/* Setup: the parts of a run, as composed from a scenario (sim/run/setup/compose.h), and what follows from them. */
#ifndef FRS_RUN_SETUP_SETUP_H
#define FRS_RUN_SETUP_SETUP_H

#include "actors/adaptation.h"
#include "actors/player.h"
#include "actors/policy.h"
#include "actors/selection.h"
#include "algorithms/downlink/downlink.h"
#include "algorithms/messages/feedback.h"
#include "algorithms/learner.h"
#include "algorithms/server_step.h"
#include "analysis/read/goal.h"
#include "platforms/availability/availability.h"
#include "platforms/devices/devices.h"
#include "platforms/failures/failures.h"
#include "platforms/failures/retry.h"
#include "platforms/networks/network.h"
#include "platforms/networks/server.h"
#include "platforms/networks/user_platform.h"
#include "sim/data/data.h"
#include "sim/scenario/scenario.h"

/* A file that a scenario names and a run follows from. */
struct frs_input_file {
    char *key, *path;
    struct frs_digest digest; /* of what it held when it was read */
};

struct frs_setup {
    const struct frs_scenario *scenario;
    uint64_t seed;
    struct frs_data *data;
    const struct frs_learner *learner;
    void *model;
    struct frs_server_step server_step;
    struct frs_codec_choice uplink_codec, downlink_codec;
    struct frs_shield_list shields;
    const char *not_sampled;                 /* why sampling amplifies no privacy, "the ..."; NULL: it does */
    bool uplink_feedback, downlink_feedback; /* error feedback */
    bool exact_server_table;
    enum frs_catchup catchup;
    enum frs_first_contact first_contact;
    struct frs_network network;
    struct frs_devices devices;
    struct frs_server server;
    const struct frs_policy *policy;
    struct frs_policy_settings policy_settings;
    const struct frs_selection *selection;
    void *selection_settings;
    const struct frs_adaptation *adaptation; /* NULL: the method knows no budgets */
    void *adaptation_settings;
    bool observes; /* selection or adaptation go by what the server has seen */
    struct frs_observations_settings observations;
    struct frs_user_platform platform;
    struct frs_divisions divisions; /* by classes of devices and of networks */
    struct frs_reachability reachability;
    struct frs_failures failures;
    struct frs_retry retry;
    bool has_reachability, has_failures;
    bool sees_availability;
    double contact_s;
    const struct frs_player *player;
    uint32_t n_rounds, cohort;
    double probability;  /* rounds.selection.probability, where the selection has it */
    double stop_change;  /* the run ends when the tables change by no more than this share; 0: never */
    uint32_t stop_after; /* but not before so many rounds */
    double stop_s;       /* the run ends with the first round that closes so late; INFINITY: never */
    bool stop_at_target; /* the run ends when an evaluation reaches the target, whose bar is a number */
    bool training;
    /* Without training: what it would come to all the same; NULL: nobody knows, and only messages are played. */
    const struct frs_foresight *foresight;
    bool information_loss; /* is measured */
    bool trains_again;     /* uploads are not kept, but made again when they are aggregated */
    bool whole_messages;   /* without training: messages as if every value had changed */
    bool keeps_messages;   /* encoded messages are kept, for a player that moves their bytes */
    size_t evaluate_every, k;
    char headline[32];      /* the figure shown while running: "HR@10", or "RMSE" under explicit feedback */
    bool device_view;       /* clients are evaluated with what they hold, whenever that changes */
    uint64_t references;    /* bit i: choice i of evaluation.references */
    struct frs_goal target; /* metric NULL: none */
    struct frs_input_file *inputs; /* [n_inputs] */
    size_t n_inputs;
    char *directory; /* output.directory, or its default */
    bool events;
    uint32_t events_every;        /* of the first round and of every so many after it */
    bool report;                  /* report.html */
    uint32_t checkpoint_rounds;   /* 0: not by rounds */
    double checkpoint_interval_s; /* of real time; INFINITY: not by time */
};

void frs_setup_fini(struct frs_setup *setup);

/* What the server may grant the clients of a round: budgets of the method, or else of the uplink codec;
 * {0, 0} where neither knows any. */
struct frs_budgets frs_setup_budgets(const struct frs_setup *setup);

/* What an upload under a budget is foreseen to weigh. */
double frs_setup_foreseen_bytes(const struct frs_setup *setup, uint32_t budget);

/* Bit i: of part i of an upload a shield on messages also carries a mark for each row, because averages are by item and nothing else
 * tells which items a client has changed (struct frs_codec_choice). */
unsigned frs_setup_counted(const struct frs_setup *setup);

/* Values of an upload under pairwise masks, these marks included. */
size_t frs_setup_masked_values(const struct frs_setup *setup);

/* Parts of an upload that shields work on: those that change a table everybody holds, which come first. */
size_t frs_setup_shielded_parts(const struct frs_setup *setup);

/* Clients that are asked in a round: at most, or on average where their number is left to chance. */
uint32_t frs_setup_asked(const struct frs_setup *setup);

/* With which each client is asked that can be reached, where the number of clients is left to chance. */
double frs_setup_probability(const struct frs_setup *setup);

/* Whether uploads count by how many are expected, rather than by how many there are. */
bool frs_setup_divides_by_expectation(const struct frs_setup *setup);

/* Whether uploads are given to the model as they are made, and not kept: the method can do without, and it is certain
 * that all clients that train arrive, with nothing in between that would need them together. */
bool frs_setup_gathers(const struct frs_setup *setup);
/* Whether they need not in rounds of which it is known from their beginning who will arrive. */
bool frs_setup_may_gather(const struct frs_setup *setup);

/* In how many sizes updates go out, and the codec's budget for each [FRS_MAX_SETS]; usually 1, {0}. */
size_t frs_setup_sets(const struct frs_setup *setup, uint32_t *sizes);

/* The downlink of one of these sizes. */
struct frs_downlink *frs_setup_downlink(const struct frs_setup *setup, size_t set);

/* What uploads have left out, before the first one; NULL without error feedback. */
struct frs_feedback *frs_setup_feedback(const struct frs_setup *setup);

/* How items were held out for the evaluation, by its name. */
const char *frs_setup_protocol(const struct frs_setup *setup);

#endif
