/* Settings of FedRAP: what each variant has of its own, and what the curriculum makes of them. */
#include "algorithms/models/epochs_params.h"
#include "algorithms/learners/fedrap_model.h"
#include "sim/base/settings/params.h"

#include <math.h>

enum ablation { NONE, SHARED_ONLY, OWN_ONLY, NO_L1, L2 };

static const char *const variant_names[] = {
    [FRS_FEDRAP_PAPER] = "paper", [FRS_FEDRAP_PUBLISHED_CODE] = "published_code", NULL};
static const char *const ablation_names[] = {[NONE] = "none",
    [SHARED_ONLY] = "shared_only",
    [OWN_ONLY] = "own_only",
    [NO_L1] = "no_l1",
    [L2] = "l2",
    NULL};
static const char *const curriculum_names[] = {[FRS_FEDRAP_BY_VARIANT] = "by_variant",
    [FRS_FEDRAP_TANH] = "tanh",
    [FRS_FEDRAP_FIXED] = "fixed",
    [FRS_FEDRAP_SIN] = "sin",
    [FRS_FEDRAP_SQUARE] = "square",
    [FRS_FEDRAP_FRAC] = "frac",
    NULL};
static const char *const threshold_names[] = {[FRS_FEDRAP_BY_CLIENT] = "client",
    [FRS_FEDRAP_BY_SERVER] = "server",
    [FRS_FEDRAP_BY_BOTH] = "both",
    NULL};

/* A real of which -1 stands for what the variant has. */
#define BY_VARIANT_REAL(name, most, text)                                                                    \
    { .key = name, .type = FRS_REAL, .initial = "-1", .min = -1, .max = most, .help = text }

const struct frs_param frs_fedrap_params[] = {
    {.key = "variant",
        .type = FRS_CHOICE,
        .initial = "paper",
        .choices = variant_names,
        .help = "paper: user vectors, sums, curricula, soft threshold; published_code: score heads, means, "
                "decays, early stop"},
    {.key = "ablation",
        .type = FRS_CHOICE,
        .initial = "none",
        .choices = ablation_names,
        .help = "shared_only: without D; own_only: without C; no_l1: without sparsity; l2: squared instead "
                "of absolute values"},
    {.key = "dim", .type = FRS_INT, .initial = "32", .min = 1, .max = 4096, .help = "columns k of C and D"},
    FRS_EPOCHS_PARAM("10"),
    FRS_BATCH_PARAM("2048"),
    BY_VARIANT_REAL("learning_rate", 1e6, "step size of C and D; -1: 0.1 (paper), 1000 (published_code)"),
    BY_VARIANT_REAL("user_learning_rate", 1e6,
        "step size of the user vector or score head; -1: 0.01 (paper), 1e-4 (published_code)"),
    BY_VARIANT_REAL("lambda", 1e6,
        "weight v1 of the distance between C and D; -1: 1e-3 (paper), 0.01 (published_code, whose own "
        "default of 0.1 diverges)"),
    BY_VARIANT_REAL("mu", 1e6, "weight v2 of the sparsity of C; -1: 1e-3"),
    {.key = "curriculum",
        .type = FRS_CHOICE,
        .initial = "by_variant",
        .choices = curriculum_names,
        .help =
            "share of lambda and mu in round a: tanh(a/10), fixed 1, sin (1 + sin(a/10))/2, square 0 and 1 "
            "by tens, frac 1/(a+1); by_variant: tanh (paper), fixed (published_code)"},
    {.key = "distance_bound",
        .type = FRS_REAL,
        .initial = "10",
        .min = 0,
        .max = 1e30,
        .help = "a value of C and D that are further apart is not pushed any more (paper only; as printed "
                "there is no bound, and no minimum)"},
    {.key = "threshold",
        .type = FRS_CHOICE,
        .initial = "client",
        .choices = threshold_names,
        .help = "who takes the soft-threshold step on C: client after every batch, server after the mean on "
                "the rows that were sent, or both (paper only)"},
    BY_VARIANT_REAL(
        "weight_decay", 1, "L2 decay of all that is trained; -1: 0 (paper), 1e-6 (published_code)"),
    BY_VARIANT_REAL("batch_rate_decay", 1,
        "factor of both step sizes after each batch; -1: 1 (paper), 0.95 (published_code)"),
    BY_VARIANT_REAL("round_rate_decay", 1,
        "factor of both step sizes after each round; -1: 1 (paper), 0.97 (published_code)"),
    BY_VARIANT_REAL("early_stop", 1,
        "a client stops when its mean loss over all epochs changes by less than this share; -1: 0, never "
        "(paper), 1e-4 (published_code)"),
    BY_VARIANT_REAL(
        "init_sd", 1e3, "standard deviation of the initial C and D; -1: 0.1 (paper), 1 (published_code)"),
    {.key = "user_init_sd",
        .type = FRS_REAL,
        .initial = "0.3",
        .min = 0,
        .max = 1e3,
        .help = "standard deviation of the initial user vectors (paper; score heads start uniform within "
                "1/sqrt(dim))"},
    {.key = "dp_clip",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e6,
        .help = "tau: a round changes C by a Frobenius norm of at most learning_rate * tau; 0: not clipped "
                "(paper only)"},
    {.key = "dp_noise",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e6,
        .help = "z: Gaussian noise on the mean of C, in sensitivities 2 * learning_rate * tau / arrivals; "
                "needs dp_clip, and rounds.selection = no_repeat (paper only)"},
    {.key = "dp_delta",
        .type = FRS_REAL,
        .initial = "1e-5",
        .min = 1e-300,
        .max = 0.5,
        .help = "delta at which the epsilon of dp_noise is told"},
    {0},
};

float frs_fedrap_by_variant(
    const struct frs_values *values, const char *key, float paper, float code, bool is_paper) {
    double value = frs_values_real(values, key);
    return value >= 0 ? (float)value : is_paper ? paper : code;
}

static struct frs_additive_settings read_local(
    const struct frs_values *values, enum frs_fedrap_variant variant) {
    bool paper = variant == FRS_FEDRAP_PAPER;
    enum ablation ablation = (enum ablation)frs_values_choice(values, "ablation");
    struct frs_additive_settings local = {
        .batch = (size_t)frs_values_int(values, "batch"),
        .mean = !paper,
        .saturates = !paper,
        .has_offset = !paper,
        .trains_shared = ablation != OWN_ONLY,
        .trains_own = ablation != SHARED_ONLY,
        .sparsity = ablation == L2 ? FRS_SPARSITY_SQUARED
                    : paper        ? FRS_SPARSITY_PROXIMAL
                                   : FRS_SPARSITY_SUBGRADIENT,
        .item_rate = frs_fedrap_by_variant(values, "learning_rate", 0.1f, 1000, paper),
        .vector_rate = frs_fedrap_by_variant(values, "user_learning_rate", 0.01f, 1e-4f, paper),
        .rate_decay = frs_fedrap_by_variant(values, "batch_rate_decay", 1, 0.95f, paper),
        .weight_decay = frs_fedrap_by_variant(values, "weight_decay", 0, 1e-6f, paper),
        .lambda = frs_fedrap_by_variant(values, "lambda", 1e-3f, 0.01f, paper),
        .mu = frs_fedrap_by_variant(values, "mu", 1e-3f, 1e-3f, paper),
        .bound = INFINITY,
        .early_stop = frs_fedrap_by_variant(values, "early_stop", 0, 1e-4f, paper),
    };
    frs_epochs_read(values, &local.epochs, &local.steps);
    if (ablation == SHARED_ONLY || ablation == OWN_ONLY)
        local.lambda = 0;
    if (ablation == OWN_ONLY || ablation == NO_L1)
        local.mu = 0;
    return local;
}

static void read_paper(struct frs_fedrap *model, const struct frs_values *values) {
    model->local.bound = (float)frs_values_real(values, "distance_bound");
    model->thresholded = (enum frs_fedrap_thresholded)frs_values_choice(values, "threshold");
    model->clip = frs_values_real(values, "dp_clip");
    model->noise = frs_values_real(values, "dp_noise");
    if (model->noise > 0)
        model->delta = frs_values_real(values, "dp_delta");
}

static bool check(
    const struct frs_fedrap *model, const struct frs_values *values, struct frs_errors *errors) {
    const struct frs_additive_settings *local = &model->local;
    if (model->noise > 0 && model->clip == 0)
        frs_values_error(values, "dp_noise", errors,
            "noise is measured in dp_clip, which is 0; allowed: dp_clip "
            "above 0");
    else if (model->clip > 0 && local->weight_decay > 0)
        frs_values_error(values, "dp_clip", errors,
            "weight decay changes rows that nobody clips; allowed: 0, or weight_decay 0");
    else if (local->item_rate * local->weight_decay >= 1 || local->vector_rate * local->weight_decay >= 1)
        frs_values_error(values, "weight_decay", errors,
            "a step of %g leaves nothing of a value; allowed: less than 1/learning_rate",
            (double)local->item_rate);
    else
        return true;
    return false;
}

bool frs_fedrap_read(struct frs_fedrap *model, const struct frs_values *values, struct frs_errors *errors) {
    model->variant = (enum frs_fedrap_variant)frs_values_choice(values, "variant");
    model->dim = (size_t)frs_values_int(values, "dim");
    model->local = read_local(values, model->variant);
    model->round_decay =
        frs_fedrap_by_variant(values, "round_rate_decay", 1, 0.97f, model->variant == FRS_FEDRAP_PAPER);
    model->curriculum = (enum frs_fedrap_curriculum)frs_values_choice(values, "curriculum");
    if (model->curriculum == FRS_FEDRAP_BY_VARIANT)
        model->curriculum = model->variant == FRS_FEDRAP_PAPER ? FRS_FEDRAP_TANH : FRS_FEDRAP_FIXED;
    if (model->variant == FRS_FEDRAP_PAPER)
        read_paper(model, values);
    return check(model, values, errors);
}

/* As in the paper, the first round is 1. sin is moved into 0 … 1 as in the published code: as printed it
 * becomes negative, which the same page excludes. */
static double share_of(enum frs_fedrap_curriculum curriculum, uint32_t round) {
    double a = (double)round + 1;
    switch (curriculum) {
    case FRS_FEDRAP_TANH:
        return tanh(a / 10);
    case FRS_FEDRAP_SIN:
        return (1 + sin(a / 10)) / 2;
    case FRS_FEDRAP_SQUARE:
        return (double)((round / 10) % 2);
    case FRS_FEDRAP_FRAC:
        return 1 / (a + 1);
    default:
        return 1;
    }
}

struct frs_additive_settings frs_fedrap_settings_in(const struct frs_fedrap *model, uint32_t round) {
    struct frs_additive_settings local = model->local;
    double share = share_of(model->curriculum, round), decay = pow((double)model->round_decay, round);
    local.lambda = (float)(share * (double)local.lambda);
    local.mu = (float)(share * (double)local.mu);
    local.item_rate = (float)(decay * (double)local.item_rate);
    local.vector_rate = (float)(decay * (double)local.vector_rate);
    return local;
}
