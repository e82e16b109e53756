/* Learner: what is trained on a client, what it sends, and how the server aggregates.
 *
 * A learner is one file in algorithms/learners/ with one constant `struct frs_learner`, and one line in
 * algorithms/learners.def. It knows neither time nor network: it is given decoded tables, and its uploads are
 * encoded, charged and decoded by others.
 *
 * Life of a model: create; then per round, for every participating client `train` (any thread, order free,
 * reads the model only), `commit` when the client's compute phase has ended, `aggregate` over the uploads
 * that arrived. */
#ifndef FRS_ALGORITHMS_LEARNER_H
#define FRS_ALGORITHMS_LEARNER_H

#include "algorithms/client_data.h"
#include "algorithms/rows.h"
#include "sim/base/arena.h"
#include "sim/base/params.h"

enum frs_payload {
    FRS_STATE,  /* the server's tables */
    FRS_UPDATE, /* what the server broadcasts after a round, where that is an update */
    FRS_UPLOAD, /* what a client sends */
};

struct frs_learner_setup {
    const struct frs_population *population;
    size_t negatives_per_positive;
    bool timing_only; /* messages are needed, training is not: private states need not be allocated */
};

struct frs_training {
    const struct frs_client_data *data;
    const struct frs_tables *tables; /* as the client decoded them */
    uint64_t word;                   /* of this round, as decoded */
    uint32_t round, attempt;
};

/* Everything points into the arena of the task. */
struct frs_trained {
    struct frs_rows
        upload[FRS_MAX_PARTS]; /* state: rows that replace the received ones; update: rows to add */
    const void *private_state; /* what `commit` will be given */
    size_t private_bytes;
    uint32_t samples; /* |D_u|, the weight under data-size aggregation */
    double flop;      /* exactly counted; see docs/conventions.md */
    double processed; /* samples that went through training, every epoch counting anew */
    double loss;      /* mean over the last epoch; not finite: the run has diverged */
};

/* One upload as the server decoded it. */
struct frs_contribution {
    uint32_t client, samples;
    const struct frs_tables *base; /* what the client had received (state uploads replace rows of it) */
    struct frs_rows parts[FRS_MAX_PARTS];
};

struct frs_learner {
    struct frs_plugin plugin;
    /* The downlink carries updates (CoLR), so that clients who missed rounds have to catch up; otherwise it
     * carries the whole state every time (FedMF). */
    bool sends_updates;
    /* The upload stands for an update (base zero) rather than for rows that replace the received state. */
    bool uploads_updates;
    bool predicts_ratings; /* learns from explicit feedback and predicts ratings; otherwise implicit, and it
                              ranks */
    /* Reads its keys; errors are about combinations that no single key's range can exclude. */
    void *(*create)(
        const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors);
    void (*destroy)(void *model);
    /* Shapes of the parts of a payload; returns their number, at most FRS_MAX_PARTS. */
    size_t (*parts)(const void *model, enum frs_payload payload, struct frs_part *parts);
    /* The server's tables (payload FRS_STATE), changed by `aggregate` or `apply` only. */
    struct frs_tables (*tables)(const void *model);
    /* The word of a round, asked once when the round opens; NULL: 0. */
    uint64_t (*word)(void *model, uint32_t round);
    void (*train)(const void *model, const struct frs_training *training, struct frs_arena *arena,
        struct frs_trained *out);
    void (*commit)(void *model, uint32_t client, const void *private_state, size_t private_bytes);
    /* n ≥ 1 contributions in ascending client id. Without sends_updates: changes the server's tables. With
     * it: leaves them alone and fills `update` (memory from the arena), which is then encoded, decoded and
     * given to `apply`. */
    void (*aggregate)(void *model, const struct frs_contribution *contributions, size_t n,
        struct frs_arena *arena, struct frs_rows *update);
    /* tables += update, the word being that of the round which made the update. */
    void (*apply)(const void *model, const struct frs_tables *tables, uint64_t word,
        const struct frs_rows *update, struct frs_arena *arena);
    /* Scores of items for a client, from the given tables and the client's committed private state; any
     * thread. */
    void (*score)(const void *model, const struct frs_tables *tables, uint32_t client, const uint32_t *items,
        size_t n, float *scores);
};

/* All learners, ended by NULL; the same as plug-ins, for the scenario. */
extern const struct frs_learner *const frs_learners[];
extern const struct frs_plugin *const frs_learner_plugins[];

#endif
