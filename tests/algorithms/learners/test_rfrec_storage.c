/* RFRec and RFRecF keep no table per client. Here every client has one, in double precision and by the
 * formulas as printed. Under any dropout, with clients that go on alone or stay idle, both give the same
 * result. */
#include "algorithms/models/rfrec_state.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_rfrec, frs_learner_rfrecf;

enum { CLIENTS = 12, ITEMS = 40, DIM = 4, ROUNDS = 40 };

static const double lambda = 10, lambda_user = 0.3, coin = 0.5;

/* One client with all of its tables. */
struct dense {
    double u[DIM], rows[ITEMS][DIM], received[ITEMS][DIM];
};

struct world {
    const struct frs_learner *learner;
    struct frs_rfrec *model;
    struct frs_population population;
    bool alone; /* absent clients go on */
    struct dense clients[CLIENTS];
    double mean[ITEMS][DIM];
};

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < DIM; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Gauss without pivots, which a positive definite matrix does not need. */
static void ridge(const struct frs_client_data *data, double (*rows)[DIM], double *u) {
    double a[DIM][DIM + 1] = {{0}};
    for (int i = 0; i < DIM; i++)
        a[i][i] = lambda_user;
    for (size_t j = 0; j < data->n; j++)
        for (int i = 0; i < DIM; i++) {
            const double *row = rows[data->items[j]];
            for (int k = 0; k < DIM; k++)
                a[i][k] += row[i] * row[k];
            a[i][DIM] += row[i] * (double)data->ratings[j];
        }
    for (int p = 0; p < DIM; p++)
        for (int i = 0; i < DIM; i++) {
            double factor = a[i][p] / a[p][p];
            for (int k = p; i != p && k <= DIM; k++)
                a[i][k] -= factor * a[p][k];
        }
    for (int i = 0; i < DIM; i++)
        u[i] = a[i][DIM] / a[i][i];
}

/* centre_j + 2 e_j u/(weight + 2‖u‖²) for rated rows. */
static void fit_rows(
    struct dense *client, const struct frs_client_data *data, double (*centre)[DIM], double weight) {
    for (size_t j = 0; j < data->n; j++) {
        const double *from = centre[data->items[j]];
        double error = (double)data->ratings[j] - dot(client->u, from);
        for (int k = 0; k < DIM; k++)
            client->rows[data->items[j]][k] =
                from[k] + 2 * error * client->u[k] / (weight + 2 * dot(client->u, client->u));
    }
}

/* No step is larger than 1 over the curvature of its objective; for a row without a rating that is λ.
 * `boost`: a main step of RFRecF, which has no λ. */
static void gradient_step(
    struct dense *client, const struct frs_client_data *data, double rate, double boost) {
    double slope[DIM] = {0}, length = dot(client->u, client->u), squares = lambda_user;
    double rated = fmin(boost * fmin(rate, 1 / (lambda + 2 * length)), 1 / (2 * length));
    for (int i = 0; i < ITEMS; i++) {
        double *row = client->rows[i], error = 0, pull = fmin(rate * lambda, 1);
        for (size_t j = 0; j < data->n; j++)
            if (data->items[j] == (uint32_t)i) {
                error = (double)data->ratings[j] - dot(client->u, row);
                squares += dot(row, row);
                pull = rated * lambda;
            }
        for (int k = 0; k < DIM; k++) {
            slope[k] += error * row[k];
            row[k] +=
                rated * 2 * error * client->u[k] + (boost > 1 ? 0 : pull) * (client->received[i][k] - row[k]);
        }
    }
    for (int k = 0; k < DIM && data->n > 0; k++)
        client->u[k] += fmin(boost * rate / (double)data->n, 1 / (2 * squares)) * 2 *
                        (slope[k] - lambda_user * client->u[k]);
}

static void step(
    const struct world *w, struct dense *client, const struct frs_client_data *data, uint32_t round) {
    const struct frs_rfrec *model = w->model;
    bool by_gradient = model->step == FRS_STEP_GRADIENT;
    if (!model->fast && by_gradient) {
        gradient_step(client, data, model->rate, 1);
    } else if (!model->fast) {
        ridge(data, model->step == FRS_STEP_EXACT ? client->received : client->rows, client->u);
        memcpy(client->rows, client->received, sizeof client->rows);
        fit_rows(client, data, client->received, lambda);
    } else if (frs_rfrecf_course(model, round).receives) {
        double share = by_gradient ? fmin(model->rate * lambda / coin, 1) : 1;
        for (int i = 0; i < ITEMS; i++)
            for (int k = 0; k < DIM; k++)
                client->rows[i][k] += share * (client->received[i][k] - client->rows[i][k]);
    } else if (frs_rfrecf_course(model, round).trains && by_gradient) {
        gradient_step(client, data, model->rate, 1 / (1 - coin));
    } else if (frs_rfrecf_course(model, round).trains) {
        ridge(data, model->step == FRS_STEP_EXACT ? client->received : client->rows, client->u);
        fit_rows(client, data, client->rows, lambda * (1 - coin));
    }
}

static void dense_round(struct world *w, const bool *takes_part, uint32_t round) {
    struct frs_course course = frs_learner_course(w->learner, w->model, round);
    double sum[ITEMS][DIM] = {{0}};
    int n = 0;
    for (uint32_t c = 0; c < CLIENTS; c++) {
        struct dense *client = &w->clients[c];
        if (takes_part[c] && course.receives)
            memcpy(client->received, w->mean, sizeof w->mean);
        if (takes_part[c] || w->alone)
            step(w, client, &w->population.clients[c], round);
        n += takes_part[c];
        for (int i = 0; takes_part[c] && i < ITEMS; i++)
            for (int k = 0; k < DIM; k++)
                sum[i][k] += client->rows[i][k];
    }
    for (int i = 0; n > 0 && course.sends && i < ITEMS; i++)
        for (int k = 0; k < DIM; k++)
            w->mean[i][k] = sum[i][k] / n;
}

static void lean_round(struct world *w, const bool *takes_part, uint32_t round) {
    struct frs_course course = frs_learner_course(w->learner, w->model, round);
    struct frs_tables tables = frs_model_tables(&w->model->base);
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    size_t n = 0;
    if (course.receives)
        frs_learner_broadcast(w->learner, w->model, round, &tables);
    for (uint32_t c = 0; c < CLIENTS; c++) {
        struct frs_training training = {.data = &w->population.clients[c],
            .tables = takes_part[c] && course.receives ? &tables : NULL,
            .round = round};
        struct frs_trained trained;
        bool alone = frs_learner_steps_alone(w->learner, w->model, round);
        if (!takes_part[c] && !alone)
            continue;
        frs_learner_train(w->learner, w->model, &training, &arena, &trained);
        frs_model_commit(&w->model->base, c, trained.private_state, trained.private_bytes);
        if (takes_part[c])
            contributions[n++] = contribute(w->learner, c, &trained, NULL, 0);
    }
    if (n > 0 && course.sends)
        w->learner->aggregate(w->model, contributions, n, &arena, NULL);
    frs_arena_fini(&arena);
}

static void compare(const struct world *w, double tolerance) {
    for (uint32_t i = 0; i < ITEMS; i++)
        for (int k = 0; k < DIM; k++)
            ck_assert_double_eq_tol((double)w->model->items[i * DIM + k], w->mean[i][k], tolerance);
    struct frs_tables tables = frs_model_tables(&w->model->base);
    for (uint32_t c = 0; c < CLIENTS; c++)
        for (uint32_t i = 0; i < ITEMS; i++) {
            float score;
            w->learner->score(w->model, &tables, c, &i, 1, &score);
            double expected = dot(w->clients[c].u, w->mean[i]);
            ck_assert_double_eq_tol((double)score, expected, 4 * tolerance * fmax(1, fabs(expected)));
        }
}

/* References go through dozens of single-precision products; 1e-6 is of values of about 1. */
static void play(const struct frs_learner *learner, const char *local_step, const char *rate, double dropout,
    const char *absent) {
    bool is_exact = !strcmp(local_step, "exact") && learner == &frs_learner_rfrec;
    struct world w = {.learner = learner,
        .population = make_rated_population(CLIENTS, ITEMS, 5),
        .alone = !strcmp(absent, "step")};
    if (is_exact)
        w.model = make_model(learner, &w.population, SETTINGS("dim", "4", "lambda_user", "0.3"));
    else
        w.model = make_model(learner, &w.population,
            SETTINGS("dim", "4", "lambda_user", "0.3", "local_step", local_step, "learning_rate", rate,
                "absent", absent));
    for (int i = 0; i < ITEMS; i++)
        for (int k = 0; k < DIM; k++)
            w.mean[i][k] = (double)w.model->items[i * DIM + k];
    for (uint32_t c = 0; c < CLIENTS; c++) {
        memcpy(w.clients[c].rows, w.mean, sizeof w.mean);
        memcpy(w.clients[c].received, w.mean, sizeof w.mean);
        for (int k = 0; k < DIM; k++)
            w.clients[c].u[k] = (double)w.model->state[w.model->start[c] + (size_t)k];
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        bool takes_part[CLIENTS];
        struct frs_rng rng = test_rng(round);
        for (int c = 0; c < CLIENTS; c++)
            takes_part[c] = frs_rng_unit(&rng) >= dropout;
        lean_round(&w, takes_part, round);
        dense_round(&w, takes_part, round);
    }
    compare(&w, 1e-6);
    frs_model_destroy(w.model);
    free_population(&w.population);
}

START_TEST(agrees_with_dense_tables) {
    static const struct {
        const char *step, *rate;
    } cases[] = {{"exact", "0.05"}, {"exact_local", "0.05"}, {"gradient", "0.025"}, {"gradient", "0.3"}};
    static const double dropouts[] = {0, 0.5, 0.9};
    const struct frs_learner *learner = _i / 12 ? &frs_learner_rfrecf : &frs_learner_rfrec;
    play(learner, cases[_i / 3 % 4].step, cases[_i / 3 % 4].rate, dropouts[_i % 3], "step");
    play(learner, cases[_i / 3 % 4].step, cases[_i / 3 % 4].rate, dropouts[_i % 3], "idle");
}
END_TEST

/* Tables without references are freed: with all clients in every round, few are left. */
START_TEST(old_tables_are_forgotten) {
    static const struct {
        const char *step;
        size_t most;
    } cases[] = {{"exact", 2}, {"exact_local", 2}, {"gradient", 46}}; /* 0.5^40 < 1e-12 */
    for (size_t i = 0; i < 3; i++) {
        struct world w = {
            .learner = &frs_learner_rfrec, .population = make_rated_population(CLIENTS, ITEMS, 5)};
        bool everybody[CLIENTS];
        memset(everybody, 1, sizeof everybody);
        w.model =
            make_model(&frs_learner_rfrec, &w.population, SETTINGS("dim", "4", "local_step", cases[i].step));
        size_t kept = 0;
        for (uint32_t round = 0; round < 60; round++)
            lean_round(&w, everybody, round);
        for (size_t slot = 0; slot < w.model->n_slots; slot++)
            kept += w.model->broadcasts[slot] != NULL;
        ck_assert_uint_le(kept, cases[i].most);
        frs_model_destroy(w.model);
        free_population(&w.population);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rfrec storage");
    TCase *tests = tcase_create("rfrec storage");
    tcase_add_loop_test(tests, agrees_with_dense_tables, 0, 24);
    tcase_add_test(tests, old_tables_are_forgotten);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
