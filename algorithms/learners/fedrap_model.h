/* What the parts of FedRAP share (see fedrap.c): its model, and settings. */
#ifndef FRS_ALGORITHMS_FEDRAP_MODEL_H
#define FRS_ALGORITHMS_FEDRAP_MODEL_H

#include "algorithms/aggregation.h"
#include "algorithms/kernels/steps/additive.h"
#include "algorithms/learner.h"
#include "algorithms/models/private_rows.h"
#include "sim/base/settings/param.h"

enum frs_fedrap_variant { FRS_FEDRAP_PAPER, FRS_FEDRAP_PUBLISHED_CODE };
enum frs_fedrap_curriculum {
    FRS_FEDRAP_BY_VARIANT,
    FRS_FEDRAP_TANH,
    FRS_FEDRAP_FIXED,
    FRS_FEDRAP_SIN,
    FRS_FEDRAP_SQUARE,
    FRS_FEDRAP_FRAC
};
enum frs_fedrap_thresholded { FRS_FEDRAP_BY_CLIENT, FRS_FEDRAP_BY_SERVER, FRS_FEDRAP_BY_BOTH };

struct frs_fedrap {
    struct frs_model base;
    struct frs_additive_settings local; /* λ and μ before the curriculum */
    enum frs_fedrap_variant variant;
    enum frs_fedrap_curriculum curriculum;
    enum frs_fedrap_thresholded thresholded;
    size_t dim;
    float round_decay;
    double clip, noise, delta; /* τ and z, and the δ at which ε is told */
    uint32_t round;            /* the open one */
    float *items;              /* C [n_items × dim] */
    /* NULL when only timing is asked for. */
    float *start;                /* D before the first round [n_items × dim] */
    float *vectors;              /* w and b of every client [n_clients × (dim + 1)] */
    float *kept;                 /* [n_clients] what decay has left of rows of D never touched */
    struct frs_kept_tables *own; /* rows of D, divided by `kept` */
    struct frs_fedrap_gathered {
        struct frs_row_sums changes;
        size_t n, capacity;
        float *kept;       /* [n] by each client, of the rows it left alone */
        const float *base; /* that all of them received */
    } gathered;            /* of the open round, where uploads are not kept */
};

/* ---- fedrap_settings.c ----------------------------------------------------------------------- */

extern const struct frs_param frs_fedrap_params[];

/* Fills the model with its settings; false: they do not go together, which has been reported. */
bool frs_fedrap_read(
    struct frs_fedrap *model, const struct frs_values *values, struct frs_errors *errors) FRS_MUST_CHECK;

/* A value of which -1 stands for what the variant has. */
float frs_fedrap_by_variant(
    const struct frs_values *values, const char *key, float paper, float code, bool is_paper);

/* What the curriculum and decaying rates make of the settings in a round. */
struct frs_additive_settings frs_fedrap_settings_in(const struct frs_fedrap *model, uint32_t round);

/* ---- fedrap_server.c, as in struct frs_learner ----------------------------------------------- */

uint64_t frs_fedrap_round_seed(void *context, uint32_t round);
void frs_fedrap_gather(void *context, const struct frs_contribution *contributions, size_t n);
void frs_fedrap_aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update);

/* Ends `gathered`. */
void frs_fedrap_forget(void *gathered);

/* As in struct frs_learner_privacy. */
size_t frs_fedrap_mechanisms(const void *context, struct frs_own_privacy_mechanism *own);
void frs_fedrap_settle(void *context);
const char *frs_fedrap_refuses(const void *context);

#endif
