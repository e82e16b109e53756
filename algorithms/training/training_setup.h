/* Training setup: the half of a run that has no clock: what is learnt, how it becomes bytes, and how
 * uploads become the next tables.
 *
 * It knows no network and no device: composing a run fills in what training has to know of these, as plain
 * numbers (sim/setup/setup.h, frs_setup_settle). */
#ifndef FRS_ALGORITHMS_TRAINING_TRAINING_SETUP_H
#define FRS_ALGORITHMS_TRAINING_TRAINING_SETUP_H

#include "algorithms/downlink/downlink.h"
#include "algorithms/learner.h"
#include "algorithms/messages/error_feedback.h"
#include "algorithms/privacy_mechanism.h"
#include "algorithms/server_step.h"
#include "algorithms/data/data.h"

/* How far clients would have gone through their data (frs_extent_of). */
struct frs_untrained_extent {
    double epochs; /* 0, and no steps: one pass, and no negatives */
    size_t steps, batch;
};

struct frs_training_setup {
    uint64_t seed;
    struct frs_data *data;
    const struct frs_learner *learner;
    void *model;
    struct frs_server_step server_step;
    struct frs_codec_choice uplink_codec, downlink_codec;
    struct frs_privacy_mechanism_list mechanisms;
    bool uplink_feedback, downlink_feedback; /* error feedback */
    bool exact_server_table;
    enum frs_catchup catchup;
    enum frs_first_contact first_contact;
    bool trains; /* false: time alone is simulated */
    /* Without training: the estimate of every client's training; NULL: none is made, and only messages are
     * simulated. */
    const struct frs_training_estimate *estimate;
    const struct frs_workload *workload; /* of a declared method; NULL: of any other */
    bool information_loss;               /* is measured */
    bool structure;                      /* of updates and of the item table is */
    bool trains_again;                   /* uploads are not kept, but made again when they are aggregated */
    bool whole_messages;                 /* without training: messages as if every value had changed */
    bool keeps_messages;                 /* encoded messages are kept, for an engine that moves their bytes */
    bool gossips;     /* there is no server: clients keep models of their own and average those of others */
    bool device_view; /* clients are evaluated with what they hold, whenever that changes */
    struct frs_untrained_extent untrained; /* without training */
    size_t negatives_per_positive;         /* of such a pass */
    /* From selection, policy, platform and stopping rules. */
    uint32_t n_selected, cohort; /* clients of a round: at most, and as expected */
    bool cohort_varies;          /* the number of clients is left to chance */
    bool waits_for_all;          /* every upload that is sent is aggregated when its round closes */
    bool clients_drop_out;       /* clients may be out of reach or lost */
    bool runs_on;                /* stragglers end their training after the round has closed */
    bool damps_stale;            /* an upload counts less with its staleness */
    bool reports_loss;           /* uploads carry the client's training loss */
    bool watches_change;         /* by how much the tables change is asked for after every round */
    bool counts_samples;         /* devices take time by the sample */
    /* With edges that add up the uploads of their clients (algorithms/training/partial_sums.h): the edge of
     * each client, borrowed; NULL: the server has single uploads. */
    const uint32_t *edge_of_client;
    uint32_t n_edges;
    bool measures_time; /* devices take the time that training took here */
};

/* Whether clients train from models of their own, and download after the aggregation
 * (algorithms/correction.h, `shorten`). */
bool frs_training_own_models(const struct frs_training_setup *setup);

/* Whether clients exchange layers with each other between their download and their training. */
bool frs_training_exchanges_layers(const struct frs_training_setup *setup);

/* What a round, counted from 0, consists of. */
struct frs_course frs_training_course(const struct frs_training_setup *setup, uint32_t round);

/* The budgets that the server may assign to the clients of a round: those of the method, or else of the
 * uplink codec; {0, 0} where neither has any. */
struct frs_budgets frs_training_budgets(const struct frs_training_setup *setup);

/* The expected size of an upload under a budget. */
double frs_training_predicted_bytes(const struct frs_training_setup *setup, uint32_t budget);

/* Bit i: part i of an upload under a privacy mechanism on messages also carries a mark for each row,
 * because averages are by item and nothing else shows which items a client has changed (struct
 * frs_codec_choice). */
unsigned frs_training_counted(const struct frs_training_setup *setup);

/* Values of an upload under pairwise masks, these marks included. */
size_t frs_training_masked_values(const struct frs_training_setup *setup);

/* The number of leading parts of an upload on which privacy mechanisms work: those that change a table
 * that all clients share. */
size_t frs_training_protected_parts(const struct frs_training_setup *setup);

/* Whether a mean divides by the expected number of uploads instead of their actual number. */
bool frs_training_divides_by_expectation(const struct frs_training_setup *setup);

/* Whether the uploads of a round are read one by one when it closes: their loss, or their structure. */
bool frs_training_reads_uploads(const struct frs_training_setup *setup);

/* Whether uploads are given to the model as they are made, and not kept: the method supports it, every
 * client that trains is certain to arrive, and nothing in between needs all uploads together. */
bool frs_training_gathers(const struct frs_training_setup *setup);
/* Whether that holds at least in rounds whose arrivals are certain from their beginning. */
bool frs_training_may_gather(const struct frs_training_setup *setup);

/* The number of sizes in which updates go out, and the codec's budget for each [FRS_MAX_SETS]; usually 1,
 * {0}. */
size_t frs_training_sets(const struct frs_training_setup *setup, uint32_t *sizes);

/* The downlink of one of these sizes. */
struct frs_downlink *frs_training_downlink(const struct frs_training_setup *setup, size_t set);

/* The clients' residuals, zero before their first upload; NULL without error feedback. */
struct frs_feedback *frs_training_feedback(const struct frs_training_setup *setup);

#endif
