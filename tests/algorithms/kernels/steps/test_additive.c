/* The kernel of FedRAP: gradients against differences of the loss as written, steps by hand. */
#include "algorithms/kernels/steps/additive.h"
#include "algorithms/kernels/columns.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

enum { ROWS = 7, DIM = 5, SAMPLES = 12 };

/* Row 6 is in no batch; rows 0 and 3 occur more than once, row 3 with both labels. */
static const uint32_t drawn[SAMPLES] = {1, 3, 0, 5, 7, 6, 7, 8, 9, 10, 1, 4};

struct problem {
    struct frs_additive model;
    struct frs_samples samples;
    struct frs_arena arena;
};

static struct problem make_problem(double sd) {
    struct problem p = {.model = {.dim = DIM, .stride = frs_lanes_pad(DIM), .n_rows = ROWS}};
    struct frs_rng rng = test_rng(400);
    p.model.shared = frs_arena_take_zeroed(&p.arena, ROWS * p.model.stride, sizeof(float));
    p.model.own = frs_arena_take_zeroed(&p.arena, ROWS * p.model.stride, sizeof(float));
    p.model.w = frs_arena_take_zeroed(&p.arena, p.model.stride, sizeof(float));
    for (size_t i = 0; i < ROWS; i++) {
        frs_rng_fill_normal(&rng, p.model.shared + i * p.model.stride, DIM, sd);
        frs_rng_fill_normal(&rng, p.model.own + i * p.model.stride, DIM, sd);
    }
    frs_rng_fill_normal(&rng, p.model.w, DIM, sd);
    p.model.offset = 0.3f;
    p.samples = (struct frs_samples){.n_rows = ROWS, .n = SAMPLES};
    p.samples.samples = frs_arena_take(&p.arena, SAMPLES, sizeof(uint32_t));
    memcpy(p.samples.samples, drawn, sizeof drawn);
    return p;
}

static struct frs_additive_result train(struct problem *p, const struct frs_additive_settings *settings) {
    struct frs_rng shuffle = test_rng(1);
    return frs_additive_train(&p->model, &p->samples, settings, &shuffle, &p->arena);
}

/* The loss as the header writes it, summed over all samples. */
static double loss_of(const struct frs_additive *model, const struct frs_additive_settings *settings) {
    double loss = 0, share = settings->mean ? 1.0 / SAMPLES : 1;
    bool counted[ROWS] = {false};
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t row = drawn[i] / 2;
        const float *c = model->shared + row * model->stride, *d = model->own + row * model->stride;
        double score = (double)model->offset, penalty = 0;
        for (size_t k = 0; k < DIM; k++) {
            double gap = (double)d[k] - (double)c[k], value = (double)c[k];
            gap = fabs(gap) < (double)settings->bound ? gap : (double)settings->bound;
            score += (double)model->w[k] * ((double)c[k] + (double)d[k]);
            penalty -= (double)settings->lambda * gap * gap;
            penalty += (double)settings->mu *
                       (settings->sparsity == FRS_SPARSITY_SQUARED ? value * value : fabs(value));
        }
        loss += log(1 + exp(score)) * share - (drawn[i] % 2 ? score * share : 0);
        if (settings->mean)
            loss += penalty * share / DIM;
        else if (!counted[row])
            loss += penalty;
        counted[row] = true;
    }
    return loss;
}

/* One step of size `rate` moves *value by −rate times the difference quotient. */
static void check_value(struct problem *start, const struct frs_additive_settings *settings, float *value,
    float after, float rate) {
    float before = *value, h = 1e-3f;
    *value = before + h;
    double up = loss_of(&start->model, settings);
    *value = before - h;
    double down = loss_of(&start->model, settings);
    *value = before;
    double gradient = (up - down) / (2 * (double)h);
    ck_assert_double_eq_tol(((double)before - (double)after) / (double)rate, gradient, 2e-3);
}

START_TEST(steps_follow_the_gradient) {
    for (int variant = 0; variant < 16; variant++) {
        struct frs_additive_settings settings = {.epochs = 1,
            .batch = 100,
            .mean = variant & 1,
            .saturates = variant & 2,
            .has_offset = true,
            .trains_shared = true,
            .trains_own = true,
            .sparsity = variant & 4 ? FRS_SPARSITY_SQUARED : FRS_SPARSITY_SUBGRADIENT,
            .item_rate = 0.01f,
            .vector_rate = 0.02f,
            .rate_decay = 1,
            .lambda = 0.3f,
            .mu = 0.2f,
            .bound = variant & 8 ? 0.5f : INFINITY};
        struct problem start = make_problem(0.7), stepped = make_problem(0.7);
        double loss = loss_of(&start.model, &settings);
        struct frs_additive_result result = train(&stepped, &settings);
        ck_assert_double_eq_tol(result.loss, settings.mean ? loss : loss / SAMPLES, 1e-5);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t k = 0; k < DIM; k++) {
                size_t at = i * start.model.stride + k;
                check_value(&start, &settings, &start.model.shared[at], stepped.model.shared[at], 0.01f);
                check_value(&start, &settings, &start.model.own[at], stepped.model.own[at], 0.01f);
            }
        for (size_t k = 0; k < DIM; k++)
            check_value(&start, &settings, &start.model.w[k], stepped.model.w[k], 0.02f);
        check_value(&start, &settings, &start.model.offset, stepped.model.offset, 0.02f);
        frs_arena_fini(&start.arena);
        frs_arena_fini(&stepped.arena);
    }
}
END_TEST

/* Soft thresholding follows the step of the rest: S(v) = max(v − θ, 0) − max(−v − θ, 0) with θ = rate · μ,
 * once a batch whatever a row's occurrences. */
START_TEST(proximal_step_thresholds_softly) {
    struct frs_additive_settings settings = {.epochs = 1,
        .batch = 100,
        .trains_shared = true,
        .trains_own = true,
        .sparsity = FRS_SPARSITY_PROXIMAL,
        .item_rate = 0.1f,
        .rate_decay = 1,
        .bound = INFINITY};
    struct problem plain = make_problem(0.7), sparse = make_problem(0.7);
    train(&plain, &settings);
    settings.mu = 4;
    train(&sparse, &settings);
    size_t zeros = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < DIM; k++) {
            float v = plain.model.shared[i * plain.model.stride + k], theta = i < 6 ? 0.4f : 0;
            float expected = fmaxf(v - theta, 0) - fmaxf(-v - theta, 0);
            ck_assert_float_eq_tol(sparse.model.shared[i * sparse.model.stride + k], expected, 1e-6f);
            zeros += sparse.model.shared[i * sparse.model.stride + k] == 0;
        }
    ck_assert_uint_gt(zeros, 5);
    ck_assert_mem_eq(plain.model.own, sparse.model.own, ROWS * plain.model.stride * sizeof(float));
    frs_arena_fini(&plain.arena);
    frs_arena_fini(&sparse.arena);
}
END_TEST

/* Scores of 20 on negatives: σ rounds to 1 in single precision, and nothing more is learnt. The same holds
 * for a positive at −80, where σ(1 − σ)·10¹² vanishes. */
START_TEST(saturated_scores_stop_learning) {
    static const uint32_t samples[] = {0, 3, 5};
    for (int saturates = 0; saturates < 2; saturates++) {
        struct frs_additive_settings settings = {.epochs = 1,
            .batch = 8,
            .saturates = saturates,
            .trains_shared = true,
            .item_rate = 1,
            .rate_decay = 1,
            .bound = INFINITY};
        struct problem p = make_problem(0);
        float *c = p.model.shared;
        p.model.w[0] = 1;
        p.model.offset = 0;
        c[0] = 20;
        c[p.model.stride] = -79;
        c[2 * p.model.stride] = 1;
        p.samples.n = 3;
        memcpy(p.samples.samples, samples, sizeof samples);
        train(&p, &settings);
        ck_assert_float_eq_tol(c[0], saturates ? 20 : 19, 1e-5f);
        ck_assert_float_eq_tol(c[p.model.stride], saturates ? -79 : -78, 1e-5f);
        ck_assert_float_eq_tol(c[2 * p.model.stride], 1 + 1 / (1 + expf(1)), 1e-5f);
        frs_arena_fini(&p.arena);
    }
}
END_TEST

/* Weight decay acts on every value after every batch, and the rates are halved each time. With batches of
 * 5, 5 and 2 in 2 epochs and a rate of 1, a value that no batch touches keeps Π(1 − .1/2ᵇ), b = 0 … 5. */
START_TEST(decay_acts_after_every_batch) {
    struct frs_additive_settings settings = {.epochs = 2,
        .batch = 5,
        .mean = true,
        .trains_shared = true,
        .trains_own = true,
        .item_rate = 1,
        .vector_rate = 1,
        .rate_decay = 0.5f,
        .weight_decay = 0.1f,
        .lambda = 0.1f,
        .mu = 0.1f,
        .bound = INFINITY};
    struct problem p = make_problem(0.7), before = make_problem(0.7);
    struct frs_additive_result result = train(&p, &settings);
    double kept = 1;
    for (int b = 0; b < 6; b++)
        kept *= 1 - 0.1 / (1 << b);
    ck_assert_uint_eq(result.epochs, 2);
    ck_assert_double_eq_tol(result.kept, kept, 1e-6);
    for (size_t k = 0; k < DIM; k++) {
        size_t at = 6 * p.model.stride + k;
        ck_assert_float_eq_tol(p.model.shared[at], (float)kept * before.model.shared[at], 1e-6f);
        ck_assert_float_eq_tol(p.model.own[at], (float)kept * before.model.own[at], 1e-6f);
    }
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = DIM; k < p.model.stride; k++)
            ck_assert(
                p.model.shared[i * p.model.stride + k] == 0 && p.model.own[i * p.model.stride + k] == 0);
    frs_arena_fini(&p.arena);
    frs_arena_fini(&before.arena);
}
END_TEST

/* A frozen table stays, bit for bit. */
START_TEST(frozen_tables_stay) {
    for (int own = 0; own < 2; own++) {
        struct frs_additive_settings settings = {.epochs = 3,
            .batch = 5,
            .trains_shared = !own,
            .trains_own = own,
            .sparsity = FRS_SPARSITY_PROXIMAL,
            .item_rate = 0.1f,
            .vector_rate = 0.1f,
            .rate_decay = 1,
            .weight_decay = 0.1f,
            .bound = INFINITY};
        struct problem p = make_problem(0.7), before = make_problem(0.7);
        size_t bytes = ROWS * p.model.stride * sizeof(float);
        train(&p, &settings);
        ck_assert_int_eq(memcmp(p.model.shared, before.model.shared, bytes) == 0, own);
        ck_assert_int_eq(memcmp(p.model.own, before.model.own, bytes) == 0, !own);
        frs_arena_fini(&p.arena);
        frs_arena_fini(&before.arena);
    }
}
END_TEST

/* Rates of 0: the loss stays, and the second epoch is the last. No samples: nothing happens at all. */
START_TEST(training_stops_without_gain) {
    struct frs_additive_settings settings = {.epochs = 9,
        .batch = 100,
        .trains_shared = true,
        .trains_own = true,
        .rate_decay = 1,
        .bound = INFINITY,
        .early_stop = 1e-4f};
    struct problem p = make_problem(0.7);
    ck_assert_uint_eq(train(&p, &settings).epochs, 2);
    settings.early_stop = 0;
    ck_assert_uint_eq(train(&p, &settings).epochs, 9);
    p.samples.n = 0;
    struct frs_additive_result result = train(&p, &settings);
    ck_assert(result.epochs == 0 && result.flop == 0 && result.loss == 0 && result.kept == 1);
    frs_arena_fini(&p.arena);
}
END_TEST

/* An unbounded distance runs away, and says so. */
START_TEST(divergence_is_noticed) {
    struct frs_additive_settings settings = {.epochs = 2000,
        .batch = 100,
        .trains_shared = true,
        .trains_own = true,
        .item_rate = 1,
        .rate_decay = 1,
        .lambda = 1,
        .bound = INFINITY};
    struct problem p = make_problem(0.7), bounded = make_problem(0.7);
    ck_assert(!isfinite(train(&p, &settings).loss));
    settings.bound = 10;
    ck_assert(isfinite(train(&bounded, &settings).loss));
    frs_arena_fini(&p.arena);
    frs_arena_fini(&bounded.arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("additive");
    TCase *tests = tcase_create("additive");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, steps_follow_the_gradient);
    tcase_add_test(tests, proximal_step_thresholds_softly);
    tcase_add_test(tests, saturated_scores_stop_learning);
    tcase_add_test(tests, decay_acts_after_every_batch);
    tcase_add_test(tests, frozen_tables_stay);
    tcase_add_test(tests, training_stops_without_gain);
    tcase_add_test(tests, divergence_is_noticed);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
