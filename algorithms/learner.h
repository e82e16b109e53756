/* Learner: what a client trains and sends, and how the server aggregates.
 *
 * A learner is one file in algorithms/learners/ with one constant `struct frs_learner`, and one line in
 * algorithms/learners/learners.def. It knows neither time nor network: it gets decoded tables, and other
 * code encodes, counts and decodes its uploads. It declares the tables that it changes
 * (algorithms/model.h).
 *
 * Life of a model: create; then per round, `train` for every participating client (on any thread, in any
 * order; it only reads the model), frs_model_commit of what the client keeps when its compute phase has
 * ended, and `aggregate` over the uploads that arrived. Where work follows the upload (post_flop), the
 * commit comes when that has ended, or never.
 *
 * Slots of struct frs_learner hold what most learners do. What one or two learners need is an optional
 * part, a small structure or a slot that may be NULL; a function below has the default. */
#ifndef FRS_ALGORITHMS_LEARNER_H
#define FRS_ALGORITHMS_LEARNER_H

#include "algorithms/budgets.h"
#include "algorithms/contribution.h"
#include "algorithms/model.h"
#include "algorithms/scorer.h"
#include "sim/base/settings/plugin.h"

struct frs_external; /* algorithms/external.h */

/* What a round consists of. A phase that has no message takes no time and no bytes. */
struct frs_course {
    bool receives; /* clients download */
    bool trains;   /* they compute; otherwise `train` only tells what they send */
    bool sends;    /* they upload, and the server aggregates */
    bool extra;    /* the upload is for the sake of the evaluation at the end of a run */
    bool delivers; /* clients download after the aggregation, if it has used their upload: not the learner's,
                      but of a correction (frs_training_course) */
};

struct frs_training {
    const struct frs_client_data *data;
    /* The tables as the client decoded them, its personal ones behind the shared ones; NULL: it has
     * downloaded nothing. */
    const struct frs_tables *tables;
    uint64_t round_seed; /* of this round, as decoded */
    uint32_t round, attempt;
    uint32_t epochs;  /* stop after so many, which are the first of those without a limit; 0: no limit */
    uint32_t budget;  /* assigned by the server, within the learner's range; 0 when it knows none */
    float rate_scale; /* factor on all learning rates, of a learner that follows_rate; 0: 1 */
};

static inline float frs_training_rate_scale(const struct frs_training *training) {
    return training->rate_scale > 0 ? training->rate_scale : 1;
}

/* Everything points into the arena of the task. */
struct frs_trained {
    struct frs_rows
        upload[FRS_MAX_PARTS]; /* state: rows that replace the received ones; update: rows to add */
    bool upload_checked;  /* where the loss is finite all values of the upload are: the learner has looked */
    struct frs_kept kept; /* what stays with the client */
    const void *private_state; /* the same packed, by frs_learner_train: what the commit is given */
    size_t private_bytes;
    uint32_t samples;                 /* |D_u|, the weight under data-size aggregation */
    double flop;                      /* exactly counted; see docs/conventions.md */
    double processed;                 /* samples that went through training, every epoch counting anew */
    double post_flop, post_processed; /* of both, what follows the upload, which does not depend on it */
    double loss;                      /* mean over the last epoch; not finite: the run has diverged */
    double cpu_s;    /* processor time that another program took for it; 0: it was all trained here */
    uint32_t epochs; /* run before the upload; 0: the learner knows none */
};

/* ---- optional parts -------------------------------------------------------------------------- */

/* The server assigns sizes to uploads (SCoLR). The model's parts are those of the largest budget. */
struct frs_learner_budgets {
    struct frs_budgets (*range)(const void *model);
    size_t (*upload_parts)(const void *model, uint32_t budget, struct frs_part *parts);
    /* Operations per training sample under a budget, roughly: only their ratios are used. */
    double (*work)(const void *model, uint32_t budget);
};

/* Rounds have different phases, and clients also train without the server (RFRec). Such learners upload
 * updates, and train on what their clients keep of earlier downloads. */
struct frs_learner_rounds {
    /* What a round, counted from 0, consists of; NULL: everything, always. */
    struct frs_course (*course)(const void *model, uint32_t round);
    /* Whether clients that take no part in a round, or lose their connection before they have received
     * anything, make a local step nevertheless (`train` without tables; nothing is sent). */
    bool (*steps_alone)(const void *model, uint32_t round);
    /* What clients of a round will have downloaded, before any of them is trained; NULL: not asked for. */
    void (*broadcast)(void *model, uint32_t round, const struct frs_tables *tables);
};

/* A privacy mechanism that a method's own keys stand for: PFedCLR's Laplace noise. */
#define FRS_OWN_PRIVACY_MECHANISM_SETTINGS 4u

struct frs_own_privacy_mechanism {
    const char *name;
    struct {
        const char *key;
        char text[32];
    } settings[FRS_OWN_PRIVACY_MECHANISM_SETTINGS]; /* ended by a key that is NULL, if not full */
};

/* A method that has privacy mechanisms of its own, or needs to know of others. */
struct frs_learner_privacy {
    /* In their order, at most FRS_MAX_PRIVACY_MECHANISMS, `own` coming zeroed; returns their number. */
    size_t (*own)(const void *model, struct frs_own_privacy_mechanism *own);
    bool draws_itself; /* the noise of its own mechanisms is drawn where uploads are added up, from the same
                          distribution */
    bool rests;        /* its noise presupposes that no client takes part in two rounds in a row */
    /* What the server makes of tables after noise on their sum; NULL: nothing. */
    void (*settle)(void *model);
    /* Why no privacy mechanism but its own can work on its values, or NULL; "it ...". */
    const char *(*refuses)(const void *model);
};

/* Without a server, clients exchange something smaller than their tables: values of the shapes of an update.
 */
struct frs_learner_gossip {
    /* What the two below need of a round, in the arena; asked once for all clients. */
    const void *(*open)(const void *model, uint64_t round_seed, struct frs_arena *arena);
    /* What a client with these tables sends to every neighbour. */
    void (*tell)(const void *model, const void *opened, const struct frs_tables *own, float *message);
    /* Mixes n messages, the client's own first, by weights that add up to 1, into its tables. */
    void (*mix)(const void *model, const void *opened, uint64_t round_seed, const float *const *messages,
        const double *weights, size_t n, const struct frs_tables *own, struct frs_arena *arena);
    /* Operations of a client's own message, and of mixing n, its own included. */
    double (*tell_flop)(const void *model);
    double (*mix_flop)(const void *model, size_t n);
};

/* Clients of a group exchange messages from device to device between their downloads and their training,
 * layer by layer (SemiDFEGL). */
struct frs_layer_shape {
    size_t layers;            /* 0: under these settings there is no such exchange */
    bool by_head;             /* members send to one of them, which answers; false: everyone to everyone */
    struct frs_part message;  /* what a member sends in a layer */
    double add_flop, go_flop; /* operations of taking one message, and of a layer beside that */
};

/* A member that does not hear of another in a layer; places among the clients of the opening. */
struct frs_unheard {
    uint32_t layer, from, to;
};

struct frs_layer_exchange {
    const uint32_t *clients, *groups;  /* [n] as assembled */
    const struct frs_tables *personal; /* [n] what each client was sent; part[0] NULL: nothing */
    size_t n;
    const struct frs_unheard *unheard; /* [n_unheard] */
    size_t n_unheard;
};

/* Under a head, which of a group's n members that is. */
static inline uint32_t frs_layer_head(uint32_t round, uint32_t n) {
    return round % n;
}

struct frs_learner_layers {
    struct frs_layer_shape (*shape)(const void *model);
    /* A round opens for these clients, ascending: fills in their groups [n], counted from 1, 0 for a client
     * that has none to exchange with; and changes what clients are about to be sent (FRS_OF_RECEIVER). Also
     * where only timing is asked for. */
    void (*assemble)(void *model, const uint32_t *clients, size_t n, uint32_t *groups);
    /* Downloads have arrived, or been lost: members hear what the others send. It stays until the next call.
     */
    void (*exchange)(void *model, const struct frs_layer_exchange *exchange, struct frs_arena *arena);
};

/* What a server makes of uploads, as far as it only adds. */
enum frs_averaging {
    FRS_AVERAGES_UNSAID,   /* the learner does not say, and mechanisms that need to know refuse it */
    FRS_AVERAGES_NOT,      /* something else, too, or with weights that depend on what was sent */
    FRS_AVERAGES_WEIGHTED, /* the mean weighted as frs_model.weighting says */
    FRS_AVERAGES_EVENLY,   /* the plain mean */
};

/* ---- the learner ----------------------------------------------------------------------------- */

struct frs_learner {
    struct frs_plugin plugin;
    /* The downlink carries updates (CoLR), so that clients that missed rounds have to catch up; otherwise
     * it carries the whole state every time (FedMF). */
    bool sends_updates;
    /* The upload stands for an update (base zero) rather than for rows that replace the received state. */
    bool uploads_updates;
    /* The update is a gradient, from which the server makes a step of its own (FCF): an upload is not yet
     * a change of the tables. Requires uploads_updates. */
    bool uploads_gradients;
    bool step_may_rest;  /* that step can leave rows as they were although their gradients have arrived: it
                            sets them by signs. Requires uploads_gradients */
    bool predicts_alone; /* clients predict with what they keep of their training, and what the server makes
                            shows in their next training first */
    bool draws_nothing;  /* training depends only on data, tables and private state, and not on the round or
                            attempt */
    /* An uploaded update means the same in every round, so that what a lossy codec left out can be added
     * to a later one (error feedback). CoLR's does not, because its B changes every round. */
    bool updates_keep;
    bool follows_rate;     /* `train` multiplies its learning rates by rate_scale (struct frs_training) */
    bool predicts_ratings; /* it learns from explicit feedback and predicts ratings; otherwise it learns from
                              implicit feedback and ranks */
    /* Uploads trained on an older version of the tables may be aggregated: contributions then differ in
     * `base`, or in `round_seed`. */
    bool takes_stale;
    /* Without a server clients can average its state with that of others (algorithms/mixing.h): one table,
     * and whole models are exchanged unless `gossip` says otherwise. */
    bool gossips;
    /* A client's data may be those of several users (algorithms/client_data.h): `score` is then asked for a
     * user. */
    bool holds_users;
    bool limits_epochs; /* heeds struct frs_training, epochs */
    /* It is described instead of trained: the workload of a run (algorithms/training/workload.h) defines
     * what its clients send and compute. It has no tables, no data and no quality, and no slot but
     * `create`. */
    bool is_declared;
    bool works_on;    /* work follows its upload (post_flop); until it has ended, a client keeps its previous
                         private state */
    bool is_external; /* another program trains it, through `external`; NULL: none is named yet */
    const struct frs_external *external;
    /* How it combines uploads, for privacy mechanisms that hide them or add noise to their sum. May be
     * left out where `aggregate` is frs_model_average. */
    enum frs_averaging averaging;
    /* Why no server optimiser (algorithms/server_step.h) can stand between its aggregation and the tables:
     * "it ..."; NULL: an optimiser can. */
    const char *own_step;
    /* The learner that replaces this one under variant = "published_code" before any other slot is called
     * (frs_learner_variant). NULL: this learner reads the key itself, if it has one. */
    const struct frs_learner *published_code;
    /* The papers count only one client in so many as having a table of its own on the server, and no table
     * for all (10, rounded down: PFedCLR, table 6). 0: every client counts, where there are such tables,
     * and one table for all. */
    size_t own_tables_for_one_in;
    /* Optional parts; NULL: absent. */
    const struct frs_learner_budgets *budgets;
    const struct frs_learner_rounds *rounds;
    const struct frs_learner_privacy *mechanisms;
    const struct frs_learner_gossip *gossip;
    const struct frs_learner_layers *layers;

    /* Reads its keys and declares its tables, in a structure from frs_model_create. Returns NULL after
     * errors about combinations of keys, which no single key's range can exclude. */
    void *(*create)(
        const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors);
    /* The round seed, asked once when the round opens; NULL: 0. */
    uint64_t (*round_seed)(void *model, uint32_t round);
    /* `out` comes zeroed. */
    void (*train)(const void *model, const struct frs_training *training, struct frs_arena *arena,
        struct frs_trained *out);
    /* n ≥ 1 contributions in ascending client id. With sends_updates it is called once for every round
     * seed among them, while the contributions of other seeds are `apart`. Without sends_updates it
     * changes the server's tables. With sends_updates it leaves them alone and fills `update` (memory from
     * the arena), which is then encoded, decoded and given to `apply`. */
    void (*aggregate)(void *model, const struct frs_contribution *contributions, size_t n,
        struct frs_arena *arena, struct frs_rows *update);
    /* Takes uploads that are not kept, one block of clients after the other, in ascending client id: all
     * uploads of a round that will be aggregated, trained on the same tables, none with a weight of its
     * own. The following `aggregate` gets their number and NULL for contributions, and has the same
     * result. Not for learners that work on after the upload, because their clients are not trained in
     * that order. NULL: uploads are kept. */
    void (*gather)(void *model, const struct frs_contribution *contributions, size_t n);
    /* Whether, under these settings, training depends only on data and tables, so that a client that is
     * trained again, even after its commit, uploads the same. Requires `gather`, which then has no other
     * use; excludes takes_stale. NULL: no. */
    bool (*trains_anew)(const void *model);
    /* Does tables += update with the round seed of the round that made the update. NULL: the rows of every
     * part are added to those of its table, and are as long. */
    void (*apply)(const void *model, const struct frs_tables *tables, uint64_t round_seed,
        const struct frs_rows *update, struct frs_arena *arena);
    /* The operations of `apply` on the server for an update of every row. NULL: none beyond those of the
     * aggregation, whose two per value put the mean into the tables. */
    double (*apply_flop)(const void *model);
    /* Scores items for a client, from the given tables and the client's committed private state; on any
     * thread. Where clients predict with tables of their own, those are used once the client has one. */
    void (*score)(const void *model, const struct frs_tables *tables, uint32_t client, const uint32_t *items,
        size_t n, float *scores);
    /* The same for a block of clients at once, where that costs less. NULL: it does not. */
    void (*score_block)(const void *model, const struct frs_tables *tables, const struct frs_scoring *block,
        size_t n_clients);
    /* Why it can neither train nor score any more, which `loss` and scores that are not finite indicate;
     * returns NULL if it can. A slot that is NULL never fails. */
    const char *(*failure)(const void *model);
    /* The operations of `aggregate` for n uploads with this many values in all. They are known before it
     * is called, because the server's time passes before anything changes. NULL: two for each value. */
    double (*aggregate_flop)(const void *model, size_t n, double values);
    /* Bytes that aggregating n uploads on so many threads takes while it lasts; NULL: negligible. */
    double (*aggregate_bytes)(const void *model, size_t n, size_t threads);
    /* Number of samples that a client generates beside its data; NULL: none. */
    size_t (*made_up)(const void *model, const struct frs_client_data *data);
    /* Groups of similar clients, as the server knows them between rounds, for selection by group: [n_clients]
     * numbers below *n_groups. NULL: the learner forms none. */
    const uint32_t *(*groups)(const void *model, uint32_t *n_groups);
    /* Returns a line about the method from the server's last aggregation, for readers of a run's output:
     * its name and its text, which the caller frees. NULL: there is no such line, or no aggregation yet. */
    char *(*remark)(const void *model, const char **name);
};

/* What its server makes of uploads; of frs_model_average, FRS_AVERAGES_WEIGHTED. */
enum frs_averaging frs_learner_averaging(const struct frs_learner *learner);

/* The learner that these settings of its section mean. */
const struct frs_learner *frs_learner_variant(
    const struct frs_learner *learner, const struct frs_values *values);

/* `train`, and what stays with the client packed as it is committed (private_state). */
void frs_learner_train(const struct frs_learner *learner, const void *model,
    const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);

void frs_learner_apply(const struct frs_learner *learner, const void *model, const struct frs_tables *tables,
    uint64_t round_seed, const struct frs_rows *update, struct frs_arena *arena);

/* Operations of aggregating n uploads that have `values` values in all, also for a learner without
 * `aggregate_flop`; 0 where nothing has arrived. */
double frs_learner_aggregate_flop(
    const struct frs_learner *learner, const void *model, size_t n, double values);

/* Operations of applying so many updates to the server's tables; 0 for a learner without `apply_flop`. */
double frs_learner_apply_flop(const struct frs_learner *learner, const void *model, size_t n_updates);

/* Memory of an aggregation while it lasts, on so many threads. */
double frs_learner_aggregate_bytes(
    const struct frs_learner *learner, const void *model, size_t n, size_t threads);

/* Why the learner can train no more; NULL: it can. */
const char *frs_learner_failure(const struct frs_learner *learner, const void *model);

/* A client's personal tables behind `shared`, where train and score look for them. */
struct frs_tables frs_learner_join(
    const void *model, const struct frs_tables *shared, const struct frs_tables *personal);

struct frs_course frs_learner_course(const struct frs_learner *learner, const void *model, uint32_t round);
bool frs_learner_steps_alone(const struct frs_learner *learner, const void *model, uint32_t round);
bool frs_learner_trains_anew(const struct frs_learner *learner, const void *model);
/* Nothing where the learner does not ask for it. */
void frs_learner_broadcast(
    const struct frs_learner *learner, void *model, uint32_t round, const struct frs_tables *tables);
/* The range of budgets; {0, 0} for a learner that knows none. */
struct frs_budgets frs_learner_budgets(const struct frs_learner *learner, const void *model);

/* Whose `layers` are 0 for a learner without such an exchange. */
struct frs_layer_shape frs_learner_layer_shape(const struct frs_learner *learner, const void *model);

/* Shapes of the parts of an upload under a budget (ignored by learners that know none). */
size_t frs_learner_upload_parts(
    const struct frs_learner *learner, const void *model, uint32_t budget, struct frs_part *parts);

/* All built-in learners that train in this program, ended by NULL; and the registry from which scenarios
 * choose. */
extern const struct frs_learner *const frs_learners[];
extern const struct frs_plugin *frs_learner_plugins[FRS_REGISTRY_ROOM];

#endif
