/* Which part of RFRec's convergence claim holds (docs/methods/rfrec.md): with V̄ held fixed a client's
 * gradient steps contract; all clients together have no minimum to converge to. Also how often RFRecF
 * communicates. */
#include "algorithms/models/rfrec_state.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_rfrec, frs_learner_rfrecf;

enum { CLIENTS = 12, ITEMS = 40 };

/* u, and the rows of rated items. */
static double distance(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum);
}

/* One step of client 0 on the table of round 0, which stays. */
static void step(struct frs_rfrec *model, const struct frs_population *population) {
    struct frs_arena arena = {0};
    struct frs_trained trained = train_client(&frs_learner_rfrec, model, population, 0, 0, 0, &arena);
    frs_model_commit(&model->base, 0, trained.private_state, trained.private_bytes);
    frs_arena_fini(&arena);
}

/* Two models of client 0, far from each other, that have received the same table, which stays. */
struct pair {
    struct frs_population population;
    struct frs_rfrec *models[2];
    size_t length; /* of u, and the rows of rated items */
};

/* The models know the population by its address: `pair` stays where it is. */
static void begin(struct pair *pair, const char *const *settings) {
    pair->population = make_rated_population(CLIENTS, ITEMS, 5);
    size_t dim = 4;
    pair->length = dim + 1 + pair->population.clients[0].n * dim;
    for (size_t i = 0; i < 2; i++) {
        struct frs_rfrec *model = make_model(&frs_learner_rfrec, &pair->population, settings);
        struct frs_tables tables = frs_model_tables(&model->base);
        frs_learner_broadcast(&frs_learner_rfrec, model, 0, &tables);
        float *state = model->state + model->start[0];
        for (size_t k = 0; k < dim; k++)
            state[k] = i == 0 ? 2 : 3 - (float)k * 0.5f;
        state[dim] = 1; /* the slot of round 0 */
        for (size_t k = dim + 1; i == 1 && k < pair->length; k++)
            state[k] += 0.2f * (float)(k % 3);
        pair->models[i] = model;
    }
}

static double apart(const struct pair *pair) {
    const struct frs_rfrec *a = pair->models[0], *b = pair->models[1];
    return distance(a->state + a->start[0], b->state + b->start[0], pair->length);
}

static void end(struct pair *pair) {
    for (size_t i = 0; i < 2; i++)
        frs_model_destroy(pair->models[i]);
    free_population(&pair->population);
}

/* Lemma 3.3 requires λ > 2‖R_i‖²/λ_u + 6‖u‖², here about 2·150/3 + 54, and theorem 3.4 requires α ≤ 1/(L +
 * λ). Then every step brings the two closer to each other. */
START_TEST(gradient_contracts_where_lambda_is_large) {
    struct pair pair;
    begin(&pair, SETTINGS("dim", "4", "lambda", "200", "lambda_user", "3", "learning_rate", "0.003",
                     "local_step", "gradient"));
    double squares = 0, first = apart(&pair), before = first;
    for (size_t j = 0; j < pair.population.clients[0].n; j++)
        squares +=
            (double)pair.population.clients[0].ratings[j] * (double)pair.population.clients[0].ratings[j];
    ck_assert_double_gt(200, 2 * squares / 3 + 6 * 13.5);
    for (int k = 0; k < 1500; k++) {
        for (size_t i = 0; i < 2; i++)
            step(pair.models[i], &pair.population);
        double now = apart(&pair);
        ck_assert_msg(now < before, "step %d: from %g to %g", k, before, now);
        before = now;
    }
    ck_assert_double_lt(before, 0.05 * first);
    end(&pair);
}
END_TEST

/* `exact_local` at the paper's λ: after a while every step takes the same share off the distance. */
START_TEST(exact_steps_contract) {
    struct pair pair;
    begin(&pair, SETTINGS("dim", "4", "lambda_user", "0.1", "local_step", "exact_local"));
    double first = apart(&pair), before = 0;
    for (int k = 0; k < 300; k++) {
        for (size_t i = 0; i < 2; i++)
            step(pair.models[i], &pair.population);
        double now = apart(&pair);
        if (k > 60)
            ck_assert_msg(now < 0.98 * before, "step %d: from %g to %g", k, before, now);
        before = now;
    }
    ck_assert_double_lt(before, 1e-3 * first);
    end(&pair);
}
END_TEST

/* F of equation 5 for V_(i) = s·V and u_i/s. */
static double objective(const struct frs_population *population, const float *users, const float *items,
    size_t dim, double lambda_user, double scale) {
    double sum = 0;
    for (uint32_t c = 0; c < population->n_clients; c++) {
        const struct frs_client_data *data = &population->clients[c];
        const float *u = users + c * dim;
        for (size_t j = 0; j < data->n; j++) {
            double error = (double)data->ratings[j];
            for (size_t k = 0; k < dim; k++)
                error -= (double)u[k] / scale * ((double)items[data->items[j] * dim + k] * scale);
            sum += error * error;
        }
        for (size_t k = 0; k < dim; k++)
            sum += lambda_user * ((double)u[k] / scale) * ((double)u[k] / scale);
    }
    return sum; /* ψ = 0: all V_(i) are their mean */
}

/* V up, u down: the errors stay, the distance to the mean stays 0, the penalty falls. So F has no minimiser,
 * and is not strongly convex, whatever λ. */
START_TEST(objective_has_no_minimum) {
    struct frs_population population = make_rated_population(CLIENTS, ITEMS, 5);
    struct frs_rng rng = test_rng(1);
    float users[CLIENTS * 4], items[ITEMS * 4];
    frs_rng_fill_normal(&rng, users, CLIENTS * 4, 1);
    frs_rng_fill_normal(&rng, items, ITEMS * 4, 1);
    double before = INFINITY, errors = objective(&population, users, items, 4, 0, 1);
    for (double scale = 1; scale < 1e6; scale *= 2) {
        double now = objective(&population, users, items, 4, 0.1, scale);
        ck_assert_double_lt(now, before);
        ck_assert_double_gt(now, errors);
        before = now;
    }
    ck_assert_double_eq_tol(before, errors, 1e-6 * errors);
    free_population(&population);
}
END_TEST

/* Messages cross in 2p(1 − p)(T − 1) + p of T iterations: ζ turns in each but the first with probability 2p(1
 * − p), and there with p. The mean of 1000 runs lies within four standard errors. */
START_TEST(communications_of_the_coin) {
    static const char *const coins[] = {"0.5", "0.2", "0.8"};
    enum { RUNS = 1000, T = 100 };
    double p = strtod(coins[_i], NULL), sum = 0, squares = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct frs_rfrec model = {.coins = {.seed = seed, .probability = p},
            .base.setup.n_rounds = T + 1}; /* no last round among them */
        struct frs_population population = {.seed = seed};
        model.base.setup.population = &population;
        double n = 0;
        bool averaged = false;
        for (uint32_t round = 0; round < T; round++) {
            struct frs_course course = frs_rfrecf_course(&model, round);
            ck_assert(!course.extra && !(course.sends && course.receives));
            ck_assert_int_eq(course.sends, !course.trains && !averaged);
            ck_assert_int_eq(course.receives, course.trains && averaged);
            averaged = !course.trains;
            n += course.receives + course.sends;
        }
        sum += n;
        squares += n * n;
    }
    double mean = sum / RUNS, deviation = sqrt(squares / RUNS - mean * mean);
    ck_assert_double_eq_tol(mean, 2 * p * (1 - p) * (T - 1) + p, 4 * deviation / sqrt(RUNS));
    if (_i == 0)
        ck_assert_double_eq_tol(deviation, 5, 0.3); /* 50.0 ± 5.0 */
}
END_TEST

/* A run that ends between two averages sends once more, for the evaluation. */
START_TEST(last_round_is_sent) {
    int n_extra = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct frs_population population = {.seed = seed};
        struct frs_rfrec model = {.coins = {.seed = seed, .probability = 0.5},
            .base.setup = {.population = &population, .n_rounds = 20}};
        struct frs_course last = frs_rfrecf_course(&model, 19);
        ck_assert_int_eq(last.extra, last.trains);
        ck_assert(last.sends || frs_rfrecf_course(&model, 18).trains == false);
        n_extra += last.extra;
    }
    ck_assert(n_extra > 30 && n_extra < 70);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rfrec theory");
    TCase *tests = tcase_create("rfrec theory");
    tcase_add_test(tests, gradient_contracts_where_lambda_is_large);
    tcase_add_test(tests, exact_steps_contract);
    tcase_add_test(tests, objective_has_no_minimum);
    tcase_add_loop_test(tests, communications_of_the_coin, 0, 3);
    tcase_add_test(tests, last_round_is_sent);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
