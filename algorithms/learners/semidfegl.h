/* What the parts of the learners semidfegl and semidfegl_ratings share: semidfegl.c has their keys, tables
 * and predictions, semidfegl_client.c a participation, semidfegl_server.c the aggregation,
 * semidfegl_exchange.c what clients send each other. */
#ifndef FRS_ALGORITHMS_LEARNERS_SEMIDFEGL_H
#define FRS_ALGORITHMS_LEARNERS_SEMIDFEGL_H

#include "algorithms/learner.h"
#include "algorithms/models/group_graph.h"
#include "algorithms/models/private_rows.h"

/* Who carries the layers of a group. */
enum frs_semidfegl_exchange {
    FRS_SEMIDFEGL_SERVER, /* the server adds them up, from stars of earlier rounds */
    FRS_SEMIDFEGL_MESH,   /* each client of the group sends them to every other one */
    FRS_SEMIDFEGL_HEAD,   /* to one of them, which sends back what all have sent */
};

struct frs_semidfegl {
    struct frs_model base;
    enum frs_semidfegl_exchange exchange;
    bool rates; /* predicts ratings */
    bool sends_negatives;
    bool own_edge; /* an own item is trained with what the client itself adds to it */
    size_t dim, layers;
    size_t common, returned; /* items that a group has in common, and whose means a client is sent back; both
                                at most n_items */
    uint32_t epochs, clusters, clusterings;
    double rate, decay, init_sd;
    size_t most;    /* clients of a group that exchange in a round */
    size_t tail;    /* rows of a download behind the items; see frs_semidfegl_declare_groups */
    float **groups; /* what each client is sent next [n_clients], or NULL; see frs_semidfegl_declare_groups */
    float *start;   /* the item vectors that every client begins with [n_items × dim] */
    float *items;   /* the means of what clients have sent of an item last [n_items × dim] */
    float *stars; /* what clients have told of their own last [n_clients × (2 dim + 1)]; 0: nothing. Where the
                     server does not carry layers: p, zeros, and 1 */
    /* Where it does not: the group of each client by the last aggregation, counted from 1, 0: none
     * [n_clients]; and of the open round what clients have heard [layers × dim each], where heard_at
     * [n_clients] says, counted from 1, 0: nothing. */
    uint32_t *group_of, *heard_at;
    float *heard;
    /* NULL when only timing is asked for. */
    float *users;                 /* p [n_clients × dim] */
    float *means;                 /* f and what is added to a common item [n_clients × 2 · dim] */
    struct frs_kept_tables *rows; /* the item vectors that a client has trained */
};

/* The mean of a client's ratings; n at least 1. */
float frs_semidfegl_mean_rating(const struct frs_client_data *data);

static inline bool frs_semidfegl_meets(const struct frs_semidfegl *model) {
    return model->exchange != FRS_SEMIDFEGL_SERVER;
}

/* Values of a star as the server keeps it: p, the sum of its own items' vectors, and their number. */
static inline size_t frs_semidfegl_star(const struct frs_semidfegl *model) {
    return 2 * model->dim + 1;
}

/* And as it is sent: p alone where clients exchange layers themselves. */
static inline size_t frs_semidfegl_star_sent(const struct frs_semidfegl *model) {
    return frs_semidfegl_meets(model) ? model->dim : frs_semidfegl_star(model);
}

/* A download, as a table of common + returned + tail rows of 1 + dim values: for each common item,
 * ascending, its id and its vector; the same for items that the client has sent; then for each layer the
 * number of the group's clients and what the others add, or, where clients exchange layers themselves, the
 * ids of the others of its group that take part, ascending, one after the other. An id of −1 is none. */
void frs_semidfegl_declare_groups(struct frs_semidfegl *model);

/* The list of others in a download [most − 1]; returns their number. */
size_t frs_semidfegl_count_others(const struct frs_semidfegl *model, const float *group);

/* What a client has heard in the open round [layers × dim]; NULL: nothing. */
const float *frs_semidfegl_heard(const struct frs_semidfegl *model, uint32_t client);

/* The star of a client that has received `group`: p and the sum of its own items' vectors, [dim] each. */
void frs_semidfegl_star_of(const struct frs_semidfegl *model, const struct frs_client_data *data,
    const float *group, struct frs_arena *arena, float *p, float *own_sum);

extern const struct frs_learner_layers frs_semidfegl_layers;

/* Slots of struct frs_learner. */
void frs_semidfegl_train(
    const void *model, const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);
void frs_semidfegl_aggregate(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update);
double frs_semidfegl_aggregate_flop(const void *model, size_t n, double values);
void frs_semidfegl_score(const void *model, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores);

/* A model with the keys that both learners have, without its tables; and the tables. */
struct frs_semidfegl *frs_semidfegl_begin(
    const struct frs_values *values, const struct frs_learner_setup *setup);
void frs_semidfegl_declare(struct frs_semidfegl *model);

/* Slots and properties that both learners have, for the end of the initialiser of each. */
#define FRS_SEMIDFEGL_SLOTS                                                                                  \
    .uploads_updates = true,                                                                                 \
    .own_step = "its server averages vectors and groups clients; allowed: none, without rate",               \
    .limits_epochs = true, .follows_rate = true, .draws_nothing = true, .averaging = FRS_AVERAGES_NOT,       \
    .train = frs_semidfegl_train, .aggregate = frs_semidfegl_aggregate,                                      \
    .aggregate_flop = frs_semidfegl_aggregate_flop, .layers = &frs_semidfegl_layers,                         \
    .score = frs_semidfegl_score

extern const char *const frs_semidfegl_exchange_names[]; /* enum frs_semidfegl_exchange, ended by NULL */

/* Keys that both learners have. */
#define FRS_SEMIDFEGL_PARAMS(epochs_, rate_, decay_, sd_, returned_)                                         \
    {.key = "dim",                                                                                           \
        .type = FRS_INT,                                                                                     \
        .initial = "16",                                                                                     \
        .min = 1,                                                                                            \
        .max = 256,                                                                                          \
        .help = "length d of a user or item vector"},                                                        \
        {.key = "epochs",                                                                                    \
            .type = FRS_INT,                                                                                 \
            .initial = epochs_,                                                                              \
            .min = 1,                                                                                        \
            .max = 100000,                                                                                   \
            .help = "local epochs of one participation, each a single step over all samples of a client"},   \
        {.key = "learning_rate",                                                                             \
            .type = FRS_REAL,                                                                                \
            .initial = rate_,                                                                                \
            .min = 0,                                                                                        \
            .max = 1e6,                                                                                      \
            .help = "step size of a client's Adam, which starts from fresh state in every participation"},   \
        {.key = "decay",                                                                                     \
            .type = FRS_REAL,                                                                                \
            .initial = decay_,                                                                               \
            .min = 0,                                                                                        \
            .max = 1e6,                                                                                      \
            .help = "factor of every trained value in its gradient"},                                        \
        {.key = "layers",                                                                                    \
            .type = FRS_INT,                                                                                 \
            .initial = "2",                                                                                  \
            .min = 0,                                                                                        \
            .max = 16,                                                                                       \
            .help = "layers L of propagation over a group's graph"},                                         \
        {.key = "clusters",                                                                                  \
            .type = FRS_INT,                                                                                 \
            .initial = "50",                                                                                 \
            .min = 1,                                                                                        \
            .max = 100000,                                                                                   \
            .help = "groups of clients, by k-means of their vectors"},                                       \
        {.key = "common_items",                                                                              \
            .type = FRS_INT,                                                                                 \
            .initial = "30",                                                                                 \
            .min = 1,                                                                                        \
            .max = 1 << 20,                                                                                  \
            .help = "items to which all clients of a group are connected: those with the highest products "  \
                    "with the mean of their vectors"},                                                       \
        {.key = "own_edge",                                                                                  \
            .type = FRS_BOOL,                                                                                \
            .initial = "false",                                                                              \
            .help = "true: an own item is trained with what the client itself adds to it, which items that " \
                    "it is yet to find do not have; false: without"},                                        \
        {.key = "returned_items",                                                                            \
            .type = FRS_INT,                                                                                 \
            .initial = returned_,                                                                            \
            .min = 0,                                                                                        \
            .max = 1 << 20,                                                                                  \
            .help = "items whose means a client is sent back, out of those that it has sent last, in turn"}, \
        {.key = "exchange",                                                                                  \
            .type = FRS_CHOICE,                                                                              \
            .initial = "server",                                                                             \
            .choices = frs_semidfegl_exchange_names,                                                         \
            .help = "who carries the layers of a group: the server, from what clients told it in earlier "   \
                    "rounds (server); the clients, each to every other one of its group that takes part "    \
                    "(mesh), or to one of them, which sends the sum back (head)"},                           \
        {.key = "exchange_clients",                                                                          \
            .type = FRS_INT,                                                                                 \
            .initial = "20",                                                                                 \
            .min = 2,                                                                                        \
            .max = 200,                                                                                      \
            .help = "clients of a group that exchange with each other in a round, at most: a larger group "  \
                    "is divided (mesh and head)"},                                                           \
        FRS_INIT_SD_PARAM(sd_, "initial item and user vectors")

#endif
