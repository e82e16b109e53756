/* Data: the interactions of a run, split into training, validation and test, with the pools the evaluation
 * protocol prescribes. Methods and the evaluation see a data set only through this header. */
#ifndef FRS_ALGORITHMS_DATA_DATA_H
#define FRS_ALGORITHMS_DATA_DATA_H

#include "algorithms/client_data.h"
#include "sim/base/files/digest.h"
#include "sim/base/settings/param.h"
#include "sim/base/status.h"

#include <stdbool.h>

struct frs_values;

/* Keys of the scenario sections `data` and `evaluation`. */
extern const struct frs_param frs_data_params[];
extern const struct frs_param frs_evaluation_params[];

enum frs_protocol {
    FRS_HONEST,    /* training negatives: anything outside the client's training items */
    FRS_LEAKY,     /* … outside training and held-out items (what the published code does) */
    FRS_LOOKAHEAD, /* … outside training items, held-out items and the evaluation's negatives */
};

/* A file that was read. */
struct frs_data_input {
    const char *key; /* "data.path" */
    char *path;
    struct frs_digest digest; /* of what it held, as stored */
};
#define FRS_DATA_INPUTS 4

/* What a step of preparation left, or a part of the split got. */
struct frs_data_step {
    const char *step;  /* "read", "generated", "unrated", "positive", "repeated", "trained", "core", "older",
                          "clients";  "training", "validation", "test" */
    char *key, *value; /* what asked for it: "data.unrated", "99"; names of two keys with ", " between them */
    bool given;        /* the user set one of these keys */
    size_t rows;
    uint32_t users, items; /* that occur in them; FRS_NOT_COUNTED: not known */
};
#define FRS_DATA_STEPS 12
#define FRS_NOT_COUNTED UINT32_MAX

/* What a user should know of the data before results are read. */
struct frs_data_note {
    const char *topic; /* "no rating", "no effect", "given split" */
    char *text;        /* one line */
};
#define FRS_DATA_NOTES 8

/* Held-out interactions of all users: those of user u are [start[u], start[u+1]). */
struct frs_held_out {
    size_t *start; /* [number of users + 1] */
    uint32_t *items;
    float *ratings;
};

struct frs_data {
    struct frs_population population; /* .clients are the training interactions */
    size_t n_interactions;            /* after filtering and removal of duplicate pairs, before the split */
    size_t n_left_out;                /* of a sketch: interactions that exist in the data and not here */
    bool explicit_feedback;
    bool has_time;
    enum frs_protocol protocol;
    const char *order; /* "time", or the rule that replaced it: "file", "item_id", "random"; "random split"
                          under split = ratio. Every output states it */
    const char *ties;  /* under order "time" what decided where the newest times tie; NULL otherwise */
    size_t n_ties_test, n_ties_validation; /* users whose held-out item was decided so */
    struct frs_held_out validation, test;
    size_t n_negatives; /* per client under sampled candidates; 0 under full ranking and explicit feedback */
    uint32_t
        *negatives; /* [n_clients × n_negatives], distinct, none of the client's interactions, drawn once */
    bool has_threshold, has_core; /* data.positive_from, data.min_users_per_item are set */
    size_t repeated;              /* which of repeated pairs are kept (enum frs_repeated) */
    char *description;            /* one line for people: "synthetic ml-100k: 943 users, 1682 items, …" */
    struct frs_data_input inputs[FRS_DATA_INPUTS]; /* the files they were read from */
    size_t n_inputs;
    struct frs_data_step
        steps[FRS_DATA_STEPS]; /* in the order in which they were applied; none of a sketch */
    size_t n_steps;
    struct frs_data_note notes[FRS_DATA_NOTES];
    size_t n_notes;
    char *hash; /* of the interactions after loading, for the manifest (hex) */
    /* Owned storage behind population.clients and .users; `excluded` is NULL under the honest protocol. */
    struct frs_client_data *clients, *users;
    uint32_t *training_items;
    float *training_ratings;
    uint32_t *excluded;
};

/* The name of the way in which items were held out for the evaluation: "honest", "leaky" or "lookahead". */
const char *frs_data_protocol(const struct frs_data *data);

/* How many threads generating data and drawing candidates may use; 1 without this call. The results do not
 * depend on it. */
void frs_data_set_threads(size_t n);

/* Loads or generates the data, filters, orders and splits them. `data` and `evaluation` are the two
 * scenario sections. Errors name the file and line of a malformed row, or the setting. On failure *out is
 * NULL. */
enum frs_status frs_data_load(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, struct frs_data **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* As frs_data_load, for forecasts. Generated data with more than twice `most` interactions are replaced by
 * about `most` interactions from the same distribution for fewer users, and the clients share these in
 * turns. The numbers of clients and items and the description of the data stay the same. Pools and
 * held-out interactions exist only for the first few clients, so nothing can be evaluated. */
enum frs_status frs_data_sketch(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, size_t most, struct frs_data **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* As frs_data_load, for runs without training. Generated implicit feedback is only counted, for each
 * client in training and held out. `items`, `excluded` and `negatives` are NULL, and the hash is one of
 * the counts; everything else is as loaded. Other data are loaded, or sketched with `most` (0: never);
 * their `negatives` are NULL unless the protocol is `lookahead`, so that too few candidates are no error. */
enum frs_status frs_data_count(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, size_t most, struct frs_data **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* Clients without any interaction, and no items: what a declared workload has in place of data. */
struct frs_data *frs_data_nothing(uint32_t n_clients, uint64_t seed);

void frs_data_destroy(struct frs_data *data);

/* About what it holds in memory. */
size_t frs_data_bytes(const struct frs_data *data);

/* Returns every user separately, independent of its client. Evaluation goes over users, and non-federated
 * baselines learn from them. */
struct frs_population frs_data_users(const struct frs_data *data);

#endif
