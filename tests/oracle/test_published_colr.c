/* CoLR's published code against a program of its own for what that code minimises: cross-entropy of a batch's
 * mean plus weight_decay · (Σ‖q_i + B a_i‖² + Σ‖p‖²) over its samples, divided by them. Gradients are
 * differences of that sum, in double precision; a row's is divided by how often the batch has it and scaled
 * by √(r/d), and the rate is multiplied with the batch (the code's scale_grad_by_freq, hook and learning
 * rate). Samples, their order, B and initial values are ours. */
#include "algorithms/samples.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_colr;

enum { CLIENTS = 11, ITEMS = 40, DIM = 6, MOST = 6, ROUNDS = 6, COHORT = 4, BATCH = 16, EPOCHS = 2 };
#define RATE 0.5

struct program {
    struct frs_population population;
    void *model; /* ours */
    size_t rank;
    double decay, q[ITEMS][DIM], p[CLIENTS][DIM], b[DIM][MOST], a[ITEMS][MOST];
};

/* Scores of a table with ones in column k of the first item. */
static void read_users(struct program *s) {
    float table[ITEMS * DIM] = {0}, score;
    static const uint32_t first[] = {0};
    for (uint32_t u = 0; u < CLIENTS; u++)
        for (size_t k = 0; k < DIM; k++) {
            table[k] = 1;
            frs_learner_colr.score(s->model, &(struct frs_tables){.part = {table}}, u, first, 1, &score);
            table[k] = 0;
            s->p[u][k] = (double)score;
        }
}

/* What ones in A add to an empty table. */
static void read_projection(struct program *s, uint64_t seed) {
    static const uint32_t first[] = {0};
    struct frs_arena arena = {0};
    for (size_t j = 0; j < s->rank; j++) {
        float table[ITEMS * DIM] = {0}, unit[MOST] = {0};
        struct frs_rows a = {.n_rows = ITEMS, .dim = s->rank, .n = 1, .ids = first, .values = unit};
        unit[j] = 1;
        frs_learner_colr.apply(s->model, &(struct frs_tables){.part = {table}}, seed, &a, &arena);
        for (size_t k = 0; k < DIM; k++)
            s->b[k][j] = (double)table[k];
    }
    frs_arena_fini(&arena);
}

/* The sum that the code minimises, for n samples. */
static double loss_of(
    const struct program *s, const double *p, const uint32_t *ids, const uint32_t *samples, size_t n) {
    double loss = 0, regulariser = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t item = ids[samples[i] >> 1];
        double score = 0;
        for (size_t k = 0; k < DIM; k++) {
            double value = s->q[item][k];
            for (size_t j = 0; j < s->rank; j++)
                value += s->b[k][j] * s->a[item][j];
            score += p[k] * value;
            regulariser += value * value + p[k] * p[k];
        }
        loss += log1p(exp(-fabs(score))) + fmax(score, 0) - (samples[i] & 1 ? score : 0);
    }
    return (loss + s->decay * regulariser) / (double)n;
}

static double slope(
    struct program *s, const double *p, double *x, const uint32_t *ids, const uint32_t *samples, size_t n) {
    const double h = 1e-5, at = *x;
    *x = at + h;
    double up = loss_of(s, p, ids, samples, n);
    *x = at - h;
    double down = loss_of(s, p, ids, samples, n);
    *x = at;
    return (up - down) / (2 * h);
}

static void train_batch(
    struct program *s, double *p, const uint32_t *ids, const uint32_t *samples, size_t n) {
    double gradient[ITEMS][MOST] = {{0}}, of_user[DIM], count[ITEMS] = {0}, rate = RATE * (double)n;
    for (size_t i = 0; i < n; i++)
        count[ids[samples[i] >> 1]]++;
    for (size_t item = 0; item < ITEMS; item++)
        for (size_t j = 0; j < s->rank && count[item] > 0; j++)
            gradient[item][j] = slope(s, p, &s->a[item][j], ids, samples, n) / count[item];
    for (size_t k = 0; k < DIM; k++)
        of_user[k] = slope(s, p, &p[k], ids, samples, n) / (double)n; /* its one row is in all n samples */
    for (size_t item = 0; item < ITEMS; item++)
        for (size_t j = 0; j < s->rank; j++)
            s->a[item][j] -= rate * sqrt((double)s->rank / DIM) * gradient[item][j];
    for (size_t k = 0; k < DIM; k++)
        p[k] -= rate * of_user[k];
}

/* Leaves what the client sends in `a`, and adds it and the client's mask to the sums. */
static void train(struct program *s, uint32_t client, uint32_t round, double (*sums)[MOST], double *masks) {
    struct frs_arena arena = {0};
    struct frs_rng negatives = frs_rng_stream(s->population.seed, client, round, 0, FRS_RNG_NEGATIVES),
                   shuffle = frs_rng_stream(s->population.seed, client, round, 0, FRS_RNG_SHUFFLE);
    struct frs_samples drawn = frs_samples_draw(&s->population.clients[client], ITEMS, 4, &negatives, &arena);
    memset(s->a, 0, sizeof s->a);
    for (size_t epoch = 0; epoch < EPOCHS && drawn.n > 0; epoch++) {
        frs_samples_shuffle(&drawn, BATCH, &shuffle);
        for (size_t at = 0; at < drawn.n; at += BATCH)
            train_batch(
                s, s->p[client], drawn.ids, drawn.samples + at, drawn.n - at < BATCH ? drawn.n - at : BATCH);
    }
    for (size_t i = 0; i < drawn.n_rows; i++) {
        masks[drawn.ids[i]]++;
        for (size_t j = 0; j < s->rank; j++)
            sums[drawn.ids[i]][j] += s->a[drawn.ids[i]][j];
    }
    frs_arena_fini(&arena);
}

/* The same round by both. */
static void play_round(struct program *s, uint32_t round) {
    struct frs_arena arena = {0};
    struct frs_contribution contributions[COHORT];
    struct frs_tables tables = frs_model_tables(s->model);
    struct frs_rows update;
    double sums[ITEMS][MOST] = {{0}}, masks[ITEMS] = {0};
    uint64_t seed = open_round(&frs_learner_colr, s->model, round);
    read_projection(s, seed);
    for (uint32_t c = 0; c < COHORT; c++) {
        uint32_t client = (round * COHORT + c) % CLIENTS;
        struct frs_trained trained =
            train_client(&frs_learner_colr, s->model, &s->population, client, round, seed, &arena);
        contributions[c] = contribute(&frs_learner_colr, client, &trained, NULL, seed);
        commit_client(s->model, client, round, &trained);
        train(s, client, round, sums, masks);
    }
    frs_learner_colr.aggregate(s->model, contributions, COHORT, &arena, &update);
    frs_learner_colr.apply(s->model, &tables, seed, &update, &arena);
    for (size_t i = 0; i < ITEMS; i++)
        for (size_t k = 0; k < DIM && masks[i] > 0; k++)
            for (size_t j = 0; j < s->rank; j++)
                s->q[i][k] += s->b[k][j] * sums[i][j] / masks[i];
    frs_arena_fini(&arena);
}

/* HR@10 and NDCG@10 of one item that the client does not train on, among all others it does not train on. */
static void rank_all(
    const struct program *s, uint32_t client, const double *scores, double *hits, double *gains) {
    const struct frs_client_data *data = &s->population.clients[client];
    bool trained[ITEMS] = {false};
    size_t held = ITEMS, place = 0;
    for (size_t i = 0; i < data->n; i++)
        trained[data->items[i]] = true;
    for (size_t i = 0; i < ITEMS && held == ITEMS; i++)
        held = trained[(client * 7 + i) % ITEMS] ? held : (client * 7 + i) % ITEMS;
    for (size_t i = 0; i < ITEMS; i++)
        place += i != held && !trained[i] && scores[i] >= scores[held];
    *hits += place < 10 ? 1.0 / CLIENTS : 0;
    *gains += place < 10 ? 1.0 / CLIENTS / log2((double)place + 2) : 0;
}

/* All scores of all clients, and the quality over the full ranking, after each of six rounds, with weight
 * decay and without, at ranks that confine and at the one that does not. */
START_TEST(rounds_equal_the_official_codes) {
    static const char *const ranks[] = {"1", "2", "6"}, *const decays[] = {"0", "0.01", "0.1"};
    struct program s = {.population = make_population(CLIENTS, ITEMS, 5),
        .rank = strtoul(ranks[_i % 3], NULL, 10),
        .decay = strtod(decays[_i / 3], NULL)};
    s.model = make_model(&frs_learner_colr, &s.population,
        SETTINGS("dim", "6", "rank", ranks[_i % 3], "epochs", "2", "batch", "16", "learning_rate", "0.5",
            "weight_decay", decays[_i / 3], "init_sd", "0.4"));
    struct frs_tables tables = frs_model_tables(s.model);
    for (size_t i = 0; i < ITEMS * DIM; i++)
        s.q[i / DIM][i % DIM] = (double)tables.part[0][i];
    read_users(&s);
    uint32_t all[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++)
        all[i] = i;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        double hits[2] = {0}, gains[2] = {0};
        play_round(&s, round);
        for (uint32_t u = 0; u < CLIENTS; u++) {
            float ours[ITEMS];
            double scores[2][ITEMS] = {{0}};
            frs_learner_colr.score(s.model, &tables, u, all, ITEMS, ours);
            for (size_t i = 0; i < ITEMS; i++) {
                for (size_t k = 0; k < DIM; k++)
                    scores[0][i] += s.p[u][k] * s.q[i][k];
                scores[1][i] = (double)ours[i];
                ck_assert_double_eq_tol(scores[1][i], scores[0][i], 1e-5);
            }
            for (size_t by = 0; by < 2; by++)
                rank_all(&s, u, scores[by], &hits[by], &gains[by]);
        }
        ck_assert_double_eq_tol(hits[1], hits[0], 1e-6);
        ck_assert_double_eq_tol(gains[1], gains[0], 1e-6);
    }
    frs_model_destroy(s.model);
    free_population(&s.population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("published CoLR");
    TCase *tests = tcase_create("published CoLR");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, rounds_equal_the_official_codes, 0, 9);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
