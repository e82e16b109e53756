/* The perceptron of FedNCF: scores and steps against the definition in double precision. */
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/steps/perceptron.h"
#include "algorithms/models/layers.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

enum { ROWS = 150, DIM = 5, PITCH = 16, PARAMETERS = 11 * 7 + 8 * 3 + 4, SAMPLES = 400 };

static const struct frs_perceptron_shape shape = {.dim = DIM, .n_layers = 3, .widths = {7, 3, 1}};

struct problem {
    struct frs_perceptron model;
    struct frs_samples samples;
    struct frs_arena arena;
};

/* The last 20 rows are in no sample; others in several, with both labels. */
static struct problem make_problem(size_t n_samples) {
    struct problem p = {.model = {.shape = shape, .n_rows = ROWS, .network_rate = 0.03f}};
    struct frs_rng rng = test_rng(500);
    p.model.rows = frs_arena_take_zeroed(&p.arena, ROWS * PITCH, sizeof(float));
    for (size_t i = 0; i < ROWS; i++)
        frs_rng_fill_normal(&rng, p.model.rows + i * PITCH, DIM, 1);
    p.model.p = frs_arena_take(&p.arena, DIM, sizeof(float));
    frs_rng_fill_normal(&rng, p.model.p, DIM, 1);
    p.model.network = frs_arena_take(&p.arena, PARAMETERS, sizeof(float));
    frs_rng_fill_normal(&rng, p.model.network, PARAMETERS, 0.5);
    p.samples = (struct frs_samples){.n_rows = ROWS, .n = n_samples};
    p.samples.samples = frs_arena_take(&p.arena, n_samples, sizeof(uint32_t));
    for (size_t i = 0; i < n_samples; i++)
        p.samples.samples[i] = frs_rng_below(&rng, 2 * (ROWS - 20));
    return p;
}

static double score_of(const struct frs_perceptron *model, size_t row) {
    double a[16], next[16];
    const float *network = model->network;
    size_t inputs = 2 * DIM;
    for (size_t k = 0; k < DIM; k++) {
        a[k] = (double)model->p[k];
        a[DIM + k] = (double)model->rows[row * PITCH + k];
    }
    for (size_t l = 0; l < 3; l++) {
        size_t outputs = shape.widths[l];
        for (size_t o = 0; o < outputs; o++) {
            next[o] = (double)network[inputs * outputs + o];
            for (size_t i = 0; i < inputs; i++)
                next[o] += (double)network[o * inputs + i] * a[i];
        }
        for (size_t o = 0; o < outputs; o++)
            a[o] = l < 2 && next[o] < 0 ? 0 : next[o];
        network += (inputs + 1) * outputs;
        inputs = outputs;
    }
    return a[0];
}

static double loss_of(const struct problem *p) {
    double loss = 0;
    for (size_t i = 0; i < p->samples.n; i++) {
        double score = score_of(&p->model, p->samples.samples[i] / 2);
        loss += log(1 + exp(score)) - (p->samples.samples[i] % 2 ? score : 0);
    }
    return loss / (double)p->samples.n;
}

static struct frs_bce_mf_settings sgd(enum frs_sgd_scaling scaling) {
    return (struct frs_bce_mf_settings){.epochs = 1,
        .batch = SAMPLES,
        .optimiser = FRS_SGD,
        .scaling = scaling,
        .item_rate = 0.02f,
        .user_rate = 0.01f};
}

static struct frs_bce_mf_result train(struct problem *p, const struct frs_bce_mf_settings *settings) {
    struct frs_rng shuffle = test_rng(1);
    return frs_perceptron_train(&p->model, &p->samples, settings, &shuffle, &p->arena);
}

/* The difference quotient may step over a kink of a relu; few of them do. */
static size_t misses;

static void check_value(struct problem *start, float *value, float after, double rate) {
    float before = *value, h = 2e-4f;
    *value = before + h;
    double up = loss_of(start);
    *value = before - h;
    double down = loss_of(start);
    *value = before;
    double gradient = (up - down) / (2 * (double)h);
    misses += fabs(((double)before - (double)after) / rate - gradient) > 1e-4 + 1e-3 * fabs(gradient);
}

START_TEST(steps_follow_the_gradient) {
    for (int sums = 0; sums < 2; sums++) {
        struct frs_bce_mf_settings settings = sgd(sums ? FRS_SUM : FRS_BATCH_MEAN);
        struct problem start = make_problem(SAMPLES), stepped = make_problem(SAMPLES);
        double scale = sums ? SAMPLES : 1;
        if (sums) {
            settings.item_rate /= SAMPLES;
            settings.user_rate /= SAMPLES;
            stepped.model.network_rate /= SAMPLES;
        }
        struct frs_bce_mf_result result = train(&stepped, &settings);
        ck_assert_double_eq_tol(result.loss, loss_of(&start), 1e-6);
        misses = 0;
        for (size_t i = 0; i < ROWS; i++)
            for (size_t k = 0; k < DIM; k++) {
                size_t at = i * PITCH + k;
                check_value(&start, &start.model.rows[at], stepped.model.rows[at],
                    scale * (double)settings.item_rate);
            }
        for (size_t k = 0; k < DIM; k++)
            check_value(&start, &start.model.p[k], stepped.model.p[k], scale * (double)settings.user_rate);
        for (size_t k = 0; k < PARAMETERS; k++)
            check_value(&start, &start.model.network[k], stepped.model.network[k],
                scale * (double)stepped.model.network_rate);
        ck_assert_uint_le(misses, 8);
        for (size_t i = ROWS - 20; i < ROWS; i++)
            for (size_t k = 0; k < DIM; k++)
                ck_assert_float_eq(stepped.model.rows[i * PITCH + k], start.model.rows[i * PITCH + k]);
        frs_arena_fini(&start.arena);
        frs_arena_fini(&stepped.arena);
    }
}
END_TEST

/* row_mean: a row's gradient is divided by its own occurrences instead of by all samples. */
START_TEST(row_mean_divides_by_occurrences) {
    struct frs_bce_mf_settings mean = sgd(FRS_BATCH_MEAN), row = sgd(FRS_ROW_MEAN);
    struct problem start = make_problem(SAMPLES), a = make_problem(SAMPLES), b = make_problem(SAMPLES);
    double count[ROWS] = {0};
    for (size_t i = 0; i < SAMPLES; i++)
        count[start.samples.samples[i] / 2]++;
    train(&a, &mean);
    train(&b, &row);
    for (size_t i = 0; i < ROWS - 20; i++)
        for (size_t k = 0; count[i] > 0 && k < DIM; k++) {
            size_t at = i * PITCH + k;
            double by_mean = (double)start.model.rows[at] - (double)a.model.rows[at];
            double by_row = (double)start.model.rows[at] - (double)b.model.rows[at];
            ck_assert_double_eq_tol(by_row, by_mean * SAMPLES / count[i], 1e-6 * SAMPLES / count[i]);
        }
    ck_assert_mem_eq(a.model.network, b.model.network, PARAMETERS * sizeof(float));
    frs_arena_fini(&start.arena);
    frs_arena_fini(&a.arena);
    frs_arena_fini(&b.arena);
}
END_TEST

/* P [dim × rank] of small integers, and factors that are all zero. */
static const float project[DIM * 2] = {1, 0, 2, -1, 0, 1, -1, 1, 0, 2};

static void add_factors(struct problem *p) {
    p->model.project = project;
    p->model.rank = 2;
    p->model.factors = frs_arena_take_zeroed(&p->arena, frs_lanes_pad(2 * ROWS), sizeof(float));
}

static double moved(const struct problem *start, const struct problem *p, size_t k, size_t row) {
    size_t at = row * PITCH + k;
    return (double)p->model.rows[at] - (double)start->model.rows[at];
}

/* A step from zero factors is the rows' step seen through P, times gradient_scale. The rows are then at
 * their start + P a, where the next epoch continues. */
START_TEST(factors_step_like_their_rows) {
    for (int adam = 0; adam < 2; adam++) {
        struct frs_bce_mf_settings settings = sgd(FRS_ROW_MEAN);
        struct problem start = make_problem(SAMPLES), rows = make_problem(SAMPLES), p = make_problem(SAMPLES);
        settings.gradient_scale = 0.5f;
        train(&rows, &settings);
        settings.optimiser = adam ? FRS_ADAM : FRS_SGD;
        add_factors(&p);
        train(&p, &settings);
        for (size_t i = 0; i < ROWS; i++) {
            double a[2] = {(double)p.model.factors[2 * i], (double)p.model.factors[2 * i + 1]};
            for (size_t j = 0; j < 2; j++) {
                double step = 0;
                for (size_t k = 0; k < DIM; k++)
                    step += 0.5 * (double)project[2 * k + j] * moved(&start, &rows, k, i);
                if (!adam)
                    ck_assert_double_eq_tol(a[j], step, 1e-6);
                else if (fabs(step) > 1e-6)
                    ck_assert_double_eq_tol(a[j], copysign(0.02, step), 3e-4);
            }
            for (size_t k = 0; k < DIM; k++)
                ck_assert_double_eq_tol(moved(&start, &p, k, i),
                    (double)project[2 * k] * a[0] + (double)project[2 * k + 1] * a[1], 1e-6);
        }
        if (!adam)
            ck_assert_mem_eq(p.model.network, rows.model.network, PARAMETERS * sizeof(float));
        frs_arena_fini(&start.arena);
        frs_arena_fini(&rows.arena);
        frs_arena_fini(&p.arena);
    }
}
END_TEST

/* The loss of the second epoch is that of where the first one led. */
START_TEST(factors_go_on) {
    struct frs_bce_mf_settings settings = sgd(FRS_ROW_MEAN);
    struct problem once = make_problem(SAMPLES), twice = make_problem(SAMPLES);
    settings.gradient_scale = 1;
    add_factors(&once);
    add_factors(&twice);
    double one = train(&once, &settings).flop;
    settings.epochs = 2;
    struct frs_bce_mf_result result = train(&twice, &settings);
    ck_assert_double_eq_tol(result.loss, loss_of(&once), 1e-6);
    ck_assert_double_eq(result.flop, 2 * one);
    frs_arena_fini(&once.arena);
    frs_arena_fini(&twice.arena);
}
END_TEST

/* A P that restricts nothing: several epochs of small batches with changing rows equal the rows' own
 * training up to rounding, also where the product of P and the factors decays. */
START_TEST(factors_of_full_rank) {
    static const float identity[DIM * DIM] = {[0] = 1, [6] = 1, [12] = 1, [18] = 1, [24] = 1};
    for (int at = 0; at < 8; at++) {
        bool adam = at % 2;
        struct frs_bce_mf_settings settings = sgd((enum frs_sgd_scaling)(at / 4));
        struct problem rows = make_problem(SAMPLES), p = make_problem(SAMPLES);
        settings.optimiser = adam ? FRS_ADAM : FRS_SGD;
        settings.weight_decay = at / 2 % 2 ? .05f : 0;
        settings.whole_decay = 1;
        settings.gradient_scale = 1;
        settings.batch = 37;
        settings.epochs = 3;
        p.model.project = identity;
        p.model.rank = DIM;
        p.model.factors = frs_arena_take_zeroed(&p.arena, frs_lanes_pad(DIM * ROWS), sizeof(float));
        double loss = train(&rows, &settings).loss;
        ck_assert_double_eq_tol(train(&p, &settings).loss, loss, 1e-5);
        for (size_t i = 0; i < ROWS * PITCH; i++)
            ck_assert_float_eq_tol(p.model.rows[i], rows.model.rows[i], 2e-5f);
        for (size_t i = 0; i < PARAMETERS; i++)
            ck_assert_float_eq_tol(p.model.network[i], rows.model.network[i], 2e-5f);
        frs_arena_fini(&rows.arena);
        frs_arena_fini(&p.arena);
    }
}
END_TEST

/* Decay pulls the factors of the batch towards 0, and so the rows towards their start. Without a gradient
 * (a network of zeros passes none on) a₁ = a₀ (1 − rate · decay). */
START_TEST(decay_of_factors) {
    struct frs_bce_mf_settings settings = sgd(FRS_ROW_MEAN);
    struct problem start = make_problem(SAMPLES), p = make_problem(SAMPLES);
    settings.weight_decay = 5;
    settings.gradient_scale = 1;
    add_factors(&p);
    memset(p.model.network, 0, PARAMETERS * sizeof(float));
    for (size_t i = 0; i < ROWS; i++)
        p.model.factors[2 * i] = 1;
    train(&p, &settings);
    for (size_t i = 0; i < ROWS; i++) {
        double a = i < ROWS - 20 && moved(&start, &p, 0, i) != 0 ? 1 - 0.02 * 5 : 1;
        ck_assert_double_eq_tol((double)p.model.factors[2 * i], a, 1e-6);
        if (a < 1)
            ck_assert_double_eq_tol(moved(&start, &p, 3, i), -a, 1e-6); /* P's row 3 is (−1, 1) */
    }
    frs_arena_fini(&start.arena);
    frs_arena_fini(&p.arena);
}
END_TEST

/* b distinct rows: 59 weights that are not p's, 105 parameters; a row of 2 instead of 5 is trained, and 2·5·2
 * twice a row are between them (perceptron.h). */
START_TEST(flops_of_factors) {
    struct frs_bce_mf_settings settings = sgd(FRS_ROW_MEAN);
    struct problem rows = make_problem(SAMPLES), p = make_problem(SAMPLES);
    bool seen[ROWS] = {0};
    double b = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        b += !seen[p.samples.samples[i] / 2];
        seen[p.samples.samples[i] / 2] = true;
    }
    add_factors(&p);
    double common = b * (6 * 59 + 6) + 6 * 5 * 7 + 2 * (5 + PARAMETERS);
    ck_assert_double_eq(train(&rows, &settings).flop, common + 2 * 5 * b);
    ck_assert_double_eq(train(&p, &settings).flop, common + 2 * 2 * b + 2 * (2 * 5 * 2) * b);
    frs_arena_fini(&rows.arena);
    frs_arena_fini(&p.arena);
}
END_TEST

/* The first step of Adam is the rate against the gradient's sign, whatever its size; values without a
 * gradient stay. Weight decay pulls at the rows of the batch, and at p and the network. */
START_TEST(first_adam_step_is_the_rate) {
    for (int decays = 0; decays < 2; decays++) {
        struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN);
        struct problem start = make_problem(SAMPLES), plain = make_problem(SAMPLES),
                       p = make_problem(SAMPLES);
        train(&plain, &settings);
        settings.optimiser = FRS_ADAM;
        settings.weight_decay = decays ? 1e4f : 0;
        train(&p, &settings);
        for (size_t k = 0; k < PARAMETERS; k++) {
            float step = start.model.network[k] - p.model.network[k],
                  direction =
                      decays ? start.model.network[k] : start.model.network[k] - plain.model.network[k];
            if (fabsf(direction) > 1e-5f)
                ck_assert_float_eq_tol(step, copysignf(0.03f, direction), 3e-4f);
        }
        for (size_t i = 0; i < ROWS; i++)
            for (size_t k = 0; k < DIM; k++) {
                size_t at = i * PITCH + k;
                float step = start.model.rows[at] - p.model.rows[at], direction = start.model.rows[at];
                direction = decays && i < ROWS - 20 ? direction : start.model.rows[at] - plain.model.rows[at];
                if (i >= ROWS - 20)
                    ck_assert_float_eq(step, 0);
                else if (fabsf(direction) > 1e-6f)
                    ck_assert_msg(
                        fabsf(step - copysignf(0.02f, direction)) < 3e-4f || step == 0, "row %zu", i);
            }
        frs_arena_fini(&start.arena);
        frs_arena_fini(&plain.arena);
        frs_arena_fini(&p.arena);
    }
}
END_TEST

/* Items of a row-major table, in any number. */
START_TEST(scores_take_any_number_of_items) {
    struct problem p = make_problem(SAMPLES);
    float table[ROWS * DIM], found[ROWS];
    uint32_t items[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        items[i] = (i * 7) % ROWS;
        for (size_t k = 0; k < DIM; k++)
            table[i * DIM + k] = p.model.rows[i * PITCH + k];
    }
    for (size_t n = 1; n <= ROWS; n += 49) {
        frs_perceptron_score(&shape, p.model.network, p.model.p, table, items, n, found);
        for (size_t i = 0; i < n; i++)
            ck_assert_double_eq_tol((double)found[i], score_of(&p.model, items[i]), 1e-5);
    }
    frs_arena_fini(&p.arena);
}
END_TEST

/* Wider than what a small stack holds; weights of one layer alone, so that the score can be told. */
START_TEST(wide_layers_score_by_hand) {
    enum { WIDE = 3000 };
    const struct frs_perceptron_shape wide = {.dim = 1, .n_layers = 2, .widths = {WIDE, 1}};
    float *network = frs_alloc(frs_perceptron_parameters(&wide), sizeof *network), score[2];
    ck_assert_uint_eq(frs_perceptron_parameters(&wide), 4 * WIDE + 1);
    for (size_t o = 0; o < WIDE; o++) { /* relu(p − 2 q) of each, summed up */
        network[2 * o] = 1;
        network[2 * o + 1] = -2;
        network[3 * WIDE + o] = 1;
    }
    network[4 * WIDE] = 0.5f;
    frs_perceptron_score(&wide, network, (float[]){3}, (float[]){1, 2}, (uint32_t[]){0, 1}, 2, score);
    ck_assert_float_eq_tol(score[0], WIDE * 1 + 0.5f, 1e-2f);
    ck_assert_float_eq_tol(score[1], 0.5f, 1e-6f);
    free(network);
}
END_TEST

/* Batches of 100, Adam, ten epochs: the loss falls by a tenth at least; the same twice. */
START_TEST(loss_falls_and_repeats) {
    struct frs_bce_mf_settings settings = sgd(FRS_BATCH_MEAN);
    settings.optimiser = FRS_ADAM;
    settings.batch = 100;
    settings.epochs = 10;
    struct problem p = make_problem(SAMPLES), again = make_problem(SAMPLES);
    struct frs_bce_mf_result result = train(&p, &settings), second = train(&again, &settings);
    ck_assert_uint_eq(result.epochs, 10);
    ck_assert_double_lt(result.loss, 0.9 * result.first_loss);
    ck_assert_double_gt(result.flop, 10 * SAMPLES * 6 * 59 / 4.0);
    ck_assert(result.loss == second.loss && result.flop == second.flop);
    ck_assert_mem_eq(p.model.network, again.model.network, PARAMETERS * sizeof(float));
    frs_arena_fini(&p.arena);
    frs_arena_fini(&again.arena);
}
END_TEST

/* Widths of the first layer (10 inputs, 7 outputs) and of the second (7, 3). */
START_TEST(initial_networks_have_their_widths) {
    float network[PARAMETERS], largest[2] = {0};
    struct frs_rng rng = test_rng(7);
    frs_perceptron_init(&shape, FRS_START_UNIFORM, &rng, network);
    for (size_t i = 0; i < 77 + 24; i++)
        largest[i >= 77] = fmaxf(largest[i >= 77], fabsf(network[i]));
    ck_assert(largest[0] < 0.31623f && largest[0] > 0.29f); /* 1/√10 */
    ck_assert(largest[1] < 0.37797f && largest[1] > 0.3f);  /* 1/√7 */
    ck_assert(network[70] != 0);
    frs_perceptron_init(&shape, FRS_START_XAVIER, &rng, network);
    largest[0] = 0;
    for (size_t i = 0; i < 70; i++)
        largest[0] = fmaxf(largest[0], fabsf(network[i]));
    ck_assert(largest[0] < 0.59409f && largest[0] > 0.55f); /* √(6/17) */
    for (size_t i = 70; i < 77; i++)
        ck_assert_float_eq(network[i], 0);
}
END_TEST

static enum frs_status read_layers(const char *text, struct frs_perceptron_shape *out) {
    static const struct frs_param params[] = {
        {.key = "layers", .type = FRS_TEXT, .initial = "16,8", .help = ""}, {0}};
    struct frs_values values = frs_values_of(params, SETTINGS("layers", text));
    struct frs_errors errors = {0};
    enum frs_status status = frs_layers_read(&values, "layers", 16, out, &errors);
    ck_assert_uint_eq(errors.n, status == FRS_OK ? 0 : 1);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    return status;
}

/* PFedCLR's 32 → 16 → 8 → 1 with biases: 528 + 136 + 9. */
START_TEST(layers_are_read) {
    static const char *const wrong[] = {"16;8", "x", "0", "4097", "16,,8", "-3", "1,2,3,4,5,6,7,8", "3.5"};
    struct frs_perceptron_shape read;
    ck_assert_int_eq(read_layers("16,8", &read), FRS_OK);
    ck_assert_uint_eq(frs_perceptron_parameters(&read), 673);
    ck_assert_int_eq(read_layers("64, 32, 16", &read), FRS_OK);
    ck_assert_uint_eq(read.n_layers, 4);
    ck_assert_uint_eq(frs_perceptron_parameters(&read), 33 * 64 + 65 * 32 + 33 * 16 + 17);
    ck_assert_int_eq(read_layers("", &read), FRS_OK); /* no hidden layer */
    ck_assert_uint_eq(frs_perceptron_parameters(&read), 33);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(read_layers(wrong[i], &read) != FRS_OK, "%s", wrong[i]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("perceptron");
    TCase *tests = tcase_create("perceptron");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, steps_follow_the_gradient);
    tcase_add_test(tests, row_mean_divides_by_occurrences);
    tcase_add_test(tests, factors_step_like_their_rows);
    tcase_add_test(tests, factors_go_on);
    tcase_add_test(tests, factors_of_full_rank);
    tcase_add_test(tests, decay_of_factors);
    tcase_add_test(tests, flops_of_factors);
    tcase_add_test(tests, first_adam_step_is_the_rate);
    tcase_add_test(tests, scores_take_any_number_of_items);
    tcase_add_test(tests, wide_layers_score_by_hand);
    tcase_add_test(tests, initial_networks_have_their_widths);
    tcase_add_test(tests, loss_falls_and_repeats);
    tcase_add_test(tests, layers_are_read);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
