/* The common part of RFRec and RFRecF (Liu et al., "Efficient and Robust Regularized Federated
 * Recommendation", CIKM 2024, algorithms 1 and 2): a model per client, a vector u and item rows V_(i),
 * drawn towards the mean V̄ of all rows, which is all that the server computes.
 *
 * V_(i) is [n_items × dim] for every client, and is never stored. All rows of items that a client has not
 * rated move alike, so they follow from the tables it has received:
 *
 *   reference_i = Σ_k w_ik V̄(k)     w_i: how much of its reference a client has from which broadcast
 *   V_(i)j = v_ij for rated items, of reference_i otherwise;  r_ij = reference_i at rated items
 *
 * A client keeps v, r and w, or less where a local step needs less. It sends v − r and w, from which the
 * server computes the mean exactly: V̄ = Σ_k mean_i(w_ik) V̄(k) + mean_i(v_ij − r_ij). */
#ifndef FRS_ALGORITHMS_RFREC_MODEL_H
#define FRS_ALGORITHMS_RFREC_MODEL_H

#include "algorithms/aggregation.h"
#include "algorithms/learner.h"
#include "sim/base/settings/param.h"

#define FRS_RFREC_OWN_STEP                                                                                   \
    "it presupposes that what it sends is the mean of its clients' tables; allowed: none, without rate"

enum frs_local_step {
    FRS_STEP_EXACT,       /* u: ridge regression on the received rows, then v_j in closed form */
    FRS_STEP_EXACT_LOCAL, /* u: ridge regression on the client's own rows, then v_j in closed form */
    FRS_STEP_GRADIENT,    /* a gradient step of u and v, neither of which can overshoot */
    FRS_STEP_LITERAL,     /* the gradient step as printed; diverges */
};

/* Published code: whose item rows the clients begin with. */
enum frs_rfrec_init {
    FRS_RFREC_INIT_SHARED, /* the server's, for all clients */
    FRS_RFREC_INIT_OWN,    /* every client draws its own */
};

/* What clients do that take no part in a round or cannot reach the server. */
enum frs_absent {
    FRS_ABSENT_STEP, /* a step on what they received last */
    FRS_ABSENT_IDLE,
    FRS_ABSENT_RECEIVES, /* a step on what the others received in this round, as in the authors' notebooks */
};

/* What the values of an upload stay close to. */
enum frs_clipping {
    FRS_CLIPPING_NONE,
    FRS_CLIPPING_INITIAL, /* the common initial table */
    FRS_CLIPPING_ZERO,
};

/* RFRecF's coins: the first ones may be given, the others are drawn. */
#define FRS_RFRECF_MOST_COINS 4096u

struct frs_rfrecf_coins {
    uint64_t seed;
    double probability; /* p, of a 1 */
    uint32_t n_given;
    uint64_t given[FRS_RFRECF_MOST_COINS / 64]; /* a bit for each */
};

struct frs_rfrec {
    struct frs_model base;
    bool fast; /* RFRecF */
    size_t dim;
    enum frs_local_step step;
    double lambda, lambda_user;
    double rate;                   /* α, of gradient steps */
    struct frs_rfrecf_coins coins; /* RFRecF */
    double move;                   /* RFRecF: θ, how far a move to the average goes */
    bool steps_alone;              /* without the server, against the table received last, */
    bool receives_alone;           /* or against that of this round */
    uint32_t received_in;          /* the round of the newest table */
    float clip;                    /* δ: uploads lie within ±δ of the centre; 0: they are not clipped */
    bool clips_about_zero;         /* else about V̄(0) */
    double noise;                  /* s: scale of the Laplace noise on every value of an upload; 0: none */
    float *items;                  /* V̄ [n_items × dim] */
    /* Per client: u [dim]; v and r [n rated × dim] and w [n_slots] as far as the local step needs them;
     * and the slot of the table it received last. NULL when only timing is wanted. */
    float *state;
    size_t *start; /* [n_clients + 1] */
    bool keeps_rows, keeps_references;
    /* The tables that were broadcast, as clients decoded them: slot 0 is V̄(0), slot 1 + k that of round
     * k; NULL once no client uses it any more. */
    float **broadcasts; /* [n_slots] */
    size_t n_slots, newest;
    struct frs_row_sums changes; /* gathered for the next mean */
};

extern const char *const frs_rfrec_variant_names[];
extern const char *const frs_rfrec_init_names[]; /* enum frs_rfrec_init */
extern const char *const frs_local_step_names[]; /* enum frs_local_step */
extern const char *const frs_clipping_names[];   /* enum frs_clipping */
extern const char *const frs_absent_names[];     /* enum frs_absent */

/* Entries of a learner's parameter table. */
#define FRS_RFREC_PARAMS(rate_default, lambda_user_default)                                                  \
    {.key = "variant",                                                                                       \
        .type = FRS_CHOICE,                                                                                  \
        .initial = "paper",                                                                                  \
        .choices = frs_rfrec_variant_names,                                                                  \
        .help = "paper: the objective of the text, by the local step; published_code: logistic predictions " \
                "of ratings scaled to 0 .. 1, steps of Adam; the code has data.clients = 200"},              \
        {.key = "dim",                                                                                       \
            .type = FRS_INT,                                                                                 \
            .initial = "20",                                                                                 \
            .min = 1,                                                                                        \
            .max = 4096,                                                                                     \
            .help = "length d of a user or item vector"},                                                    \
        {.key = "local_step",                                                                                \
            .type = FRS_CHOICE,                                                                              \
            .initial = "exact",                                                                              \
            .choices = frs_local_step_names,                                                                 \
            .help = "exact (ridge regression on the received rows, own rows in closed form), exact_local "   \
                    "(on the own rows), gradient (steps that cannot overshoot), literal (as printed; "       \
                    "diverges)"},                                                                            \
        {.key = "lambda",                                                                                    \
            .type = FRS_REAL,                                                                                \
            .initial = "10",                                                                                 \
            .min = 0,                                                                                        \
            .max = 1e9,                                                                                      \
            .help = "weight of the distance to the mean of all clients' rows; 0: without psi"},              \
        {.key = "lambda_user",                                                                               \
            .type = FRS_REAL,                                                                                \
            .initial = "-1",                                                                                 \
            .min = -1,                                                                                       \
            .max = 1e9,                                                                                      \
            .help = "weight of the square of the user vector; -1: " lambda_user_default                      \
                    " (paper), 0.1 (published_code); 0: without penalty"},                                   \
        {.key = "learning_rate",                                                                             \
            .type = FRS_REAL,                                                                                \
            .initial = rate_default,                                                                         \
            .min = 1e-9,                                                                                     \
            .max = 10,                                                                                       \
            .help = "gradient, literal: rate alpha"},                                                        \
        {.key = "adam_rate",                                                                                 \
            .type = FRS_REAL,                                                                                \
            .initial = "0.1",                                                                                \
            .min = 1e-9,                                                                                     \
            .max = 10,                                                                                       \
            .help = "published_code: step size of the Adam every client keeps"},                             \
        {.key = "init",                                                                                      \
            .type = FRS_CHOICE,                                                                              \
            .initial = "shared",                                                                             \
            .choices = frs_rfrec_init_names,                                                                 \
            .help = "published_code: item rows begin as shared (those of the server, for all), own "         \
                    "(drawn by every client, as in the code)"},                                              \
        {.key = "init_sd",                                                                                   \
            .type = FRS_REAL,                                                                                \
            .initial = "0.01",                                                                               \
            .min = 0,                                                                                        \
            .max = 1e3,                                                                                      \
            .help = "standard deviation of initial values"},                                                 \
        {.key = "first_coordinate",                                                                          \
            .type = FRS_REAL,                                                                                \
            .initial = "1",                                                                                  \
            .min = -1e3,                                                                                     \
            .max = 1e3,                                                                                      \
            .help = "initial coordinate 0 of every item row, not with literal"},                             \
        {.key = "absent",                                                                                    \
            .type = FRS_CHOICE,                                                                              \
            .initial = "step",                                                                               \
            .choices = frs_absent_names,                                                                     \
            .help = "clients that take no part in a round or cannot reach the server: step (on what they "   \
                    "received last; not with rfrec and exact, where it would change nothing), idle, "        \
                    "receives (a step on what the others received, as in the authors' notebooks, where "     \
                    "they miss the averaging alone; no bytes are charged for it)"},                          \
        {.key = "clipping",                                                                                  \
            .type = FRS_CHOICE,                                                                              \
            .initial = "none",                                                                               \
            .choices = frs_clipping_names,                                                                   \
            .help = "values of an upload lie within +-clip of: initial (the table all clients start from), " \
                    "zero (as printed)"},                                                                    \
        {.key = "clip",                                                                                      \
            .type = FRS_REAL,                                                                                \
            .initial = "0.2",                                                                                \
            .min = 1e-9,                                                                                     \
            .max = 1e6,                                                                                      \
            .help = "clipping: delta"},                                                                      \
    {                                                                                                        \
        .key = "laplace", .type = FRS_REAL, .initial = "0", .min = 0, .max = 1e6,                            \
        .help = "s: scale of the Laplace noise a client adds to every value of its upload"                   \
    }

extern const struct frs_param frs_rfrec_params[], frs_rfrecf_params[];

/* Slots of struct frs_learner. */
void *frs_rfrec_create_as(bool fast, const struct frs_values *values, const struct frs_learner_setup *setup,
    struct frs_errors *errors); /* NULL after an error */
struct frs_course frs_rfrecf_course(const void *model, uint32_t round);
/* From the keys `coins` and the one that says with which probability others are 1; false after an error. */
bool frs_rfrecf_read_coins(struct frs_rfrecf_coins *coins, const char *probability_key,
    const struct frs_values *values, uint64_t seed, struct frs_errors *errors);
/* By the coins alone: nothing extra in the last round. */
struct frs_course frs_rfrecf_course_of(const struct frs_rfrecf_coins *coins, uint32_t round);
bool frs_rfrec_steps_alone(const void *model, uint32_t round);
void frs_rfrec_broadcast(void *model, uint32_t round, const struct frs_tables *tables);
void frs_rfrec_train(
    const void *model, const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);
bool frs_rfrec_trains_anew(const void *model);
void frs_rfrec_gather(void *model, const struct frs_contribution *contributions, size_t n);
void frs_rfrec_aggregate(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update);
void frs_rfrec_apply(const void *model, const struct frs_tables *tables, uint64_t round_seed,
    const struct frs_rows *update, struct frs_arena *arena);
size_t frs_rfrec_mechanisms(
    const void *model, struct frs_own_privacy_mechanism *own); /* as in struct frs_learner_privacy */
const char *frs_rfrec_refuses(const void *model);
void frs_rfrec_score(const void *model, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores);

/* variant = "published_code" of either (rfrec_code.c). */
extern const struct frs_learner frs_rfrec_published_code, frs_rfrecf_published_code;

#endif
