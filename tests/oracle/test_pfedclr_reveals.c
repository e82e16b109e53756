/* Labels: long
 *
 * What an honest server reads from PFedCLR's uploads on MovieLens-100K (docs/what-pfedclr-reveals.md): it
 * subtracts the table it sent, finds the direction along which the rows of the difference move, and orders
 * items by how far they moved along it: by a single upload; by all uploads of a client together, moves or
 * differences added up; in 60 rounds of 60 % of the clients. */
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "tests/algorithms/fixture.h"
#include "tests/oracle/published.h"

enum { DIM = 16, ROUNDS = 60, OBSERVED = 40 };

struct subject {
    struct frs_scenario *scenario;
    struct frs_setup setup;
    size_t n_items;
    double *moves;            /* [n_items] along the direction of the upload at hand */
    double *totals[OBSERVED]; /* [n_items] of all uploads so far */
    float *sums[OBSERVED];    /* [n_items × DIM] of all differences so far */
    bool seen[OBSERVED];
};

/* Shares, over all observed clients. */
struct leakage {
    double own_side, n_touched; /* positives that moved up, and touched others that moved down */
    double found, n_positives;  /* positives among the first as many items as there are positives */
    double auc, n_clients;      /* chance that a positive stands before another item; mean over clients */
};

static void begin(struct subject *s, double laplace) {
    struct frs_errors errors = {0};
    char *text = frs_format("seed = 1;\ndata = { format = \"movielens-100k\"; path = "
                            "\"$FEDRECSIM_DATA/ml-100k/u.data\"; };\n"
                            "method = { name = \"pfedclr\"; calibration_rate = -1.0; laplace = %g; };\n",
        laplace);
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    *s = (struct subject){0};
    ck_assert_int_eq(frs_scenario_load(frs_sections, path, NULL, 0, &s->scenario, &errors), FRS_OK);
    ck_assert_msg(frs_compose(s->scenario, &s->setup, &errors) == FRS_OK, "%s", errors.lines[0]);
    s->n_items = s->setup.training.data->population.n_items;
    s->moves = frs_alloc(s->n_items, sizeof *s->moves);
    for (size_t u = 0; u < OBSERVED; u++) {
        s->totals[u] = frs_alloc(s->n_items, sizeof(double));
        s->sums[u] = frs_alloc(s->n_items * DIM, sizeof(float));
    }
    free(text);
    free(path);
}

static void end(struct subject *s) {
    for (size_t u = 0; u < OBSERVED; u++) {
        free(s->totals[u]);
        free(s->sums[u]);
    }
    free(s->moves);
    frs_setup_fini(&s->setup);
    frs_scenario_destroy(s->scenario);
}

/* The first right singular vector, by power iteration on the Gram matrix. */
static void direction(const float *rows, size_t n, double v[DIM]) {
    double gram[DIM][DIM] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < DIM; k++)
            for (size_t l = 0; l < DIM; l++)
                gram[k][l] += (double)rows[i * DIM + k] * (double)rows[i * DIM + l];
    for (size_t k = 0; k < DIM; k++)
        v[k] = 1 + 0.1 * (double)k;
    for (int step = 0; step < 200; step++) {
        double next[DIM] = {0}, norm = 0;
        for (size_t k = 0; k < DIM; k++)
            for (size_t l = 0; l < DIM; l++)
                next[k] += gram[k][l] * v[l];
        for (size_t k = 0; k < DIM; k++)
            norm += next[k] * next[k];
        for (size_t k = 0; k < DIM; k++)
            v[k] = next[k] / sqrt(norm);
    }
}

static float *difference(const struct frs_rows *upload, const float *table, size_t n_items) {
    float *rows = frs_alloc(n_items * DIM, sizeof *rows);
    for (size_t i = 0; i < upload->n; i++) {
        size_t item = upload->ids ? upload->ids[i] : i;
        for (size_t k = 0; k < DIM; k++)
            rows[item * DIM + k] = upload->values[i * DIM + k] - table[item * DIM + k];
    }
    return rows;
}

/* Which of the two directions is up: at first the one in which fewer rows move, because there are four
 * negatives per positive; afterwards the one in which the same items move as before. */
static double orientation(const struct subject *s, uint32_t client) {
    double sum = 0;
    for (size_t i = 0; i < s->n_items; i++)
        sum += s->seen[client] ? s->moves[i] * s->totals[client][i] : -s->moves[i];
    return sum < 0 ? -1 : 1;
}

static void find_moves(const struct subject *s, const float *rows, double *moves) {
    double v[DIM];
    direction(rows, s->n_items, v);
    for (size_t i = 0; i < s->n_items; i++) {
        moves[i] = 0;
        for (size_t k = 0; k < DIM; k++)
            moves[i] += (double)rows[i * DIM + k] * v[k];
    }
}

static void read_upload(
    struct subject *s, uint32_t client, const struct frs_rows *upload, const float *table) {
    float *rows = difference(upload, table, s->n_items);
    find_moves(s, rows, s->moves);
    double up = orientation(s, client);
    for (size_t i = 0; i < s->n_items; i++) {
        s->moves[i] *= up;
        s->totals[client][i] += s->moves[i];
    }
    for (size_t i = 0; i < s->n_items * DIM; i++)
        s->sums[client][i] += rows[i];
    s->seen[client] = true;
    free(rows);
}

/* For all uploads together, up is the direction of the long tail: interactions move there every time,
 * while negatives change in every round. */
static void turn(double *moves, size_t n) {
    double mean = 0, third = 0;
    for (size_t i = 0; i < n; i++)
        mean += moves[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        third += pow(moves[i] - mean, 3);
    for (size_t i = 0; i < n && third < 0; i++)
        moves[i] *= -1;
}

struct moved {
    double by;
    bool positive;
};

static int furthest_first(const void *a, const void *b) {
    double x = ((const struct moved *)a)->by, y = ((const struct moved *)b)->by;
    return (x < y) - (x > y);
}

static void judge(const struct subject *s, uint32_t client, const double *moves, struct leakage *leakage) {
    const struct frs_client_data *data = &s->setup.training.data->population.clients[client];
    struct moved *moved = frs_alloc(s->n_items, sizeof *moved);
    double before = 0, pairs = 0;
    for (size_t i = 0, at = 0; i < s->n_items; i++) {
        moved[i] = (struct moved){.by = moves[i], .positive = at < data->n && data->items[at] == i};
        at += moved[i].positive;
        leakage->own_side += moves[i] != 0 && moved[i].positive == (moves[i] > 0);
        leakage->n_touched += moves[i] != 0;
    }
    qsort(moved, s->n_items, sizeof *moved, furthest_first);
    for (size_t i = 0; i < s->n_items; i++) {
        leakage->found += i < data->n && moved[i].positive;
        before += moved[i].positive;
        pairs += moved[i].positive ? 0 : before;
    }
    leakage->n_positives += (double)data->n;
    leakage->auc += pairs / ((double)data->n * (double)(s->n_items - data->n));
    leakage->n_clients++;
    free(moved);
}

static void play_round(struct subject *s, uint32_t round, struct leakage *each) {
    const struct frs_learner *learner = s->setup.training.learner;
    const struct frs_population *population = &s->setup.training.data->population;
    struct frs_tables tables = frs_model_tables(s->setup.training.model);
    uint32_t n = population->n_clients, n_cohort = n * 6 / 10, *cohort = frs_alloc(n, sizeof *cohort);
    struct frs_contribution *contributions = frs_alloc(n_cohort, sizeof *contributions);
    struct frs_arena arena = {0};
    struct frs_rng rng = test_rng(round);
    frs_rng_sample(&rng, n, n_cohort, cohort);
    qsort(cohort, n_cohort, sizeof *cohort, frs_compare_uint32s);
    for (uint32_t i = 0; i < n_cohort; i++) {
        uint32_t client = cohort[i];
        struct frs_trained trained =
            train_client(learner, s->setup.training.model, population, client, round, 0, &arena);
        contributions[i] = contribute(learner, client, &trained, &tables, 0);
        commit_client(s->setup.training.model, client, round, &trained);
        if (client >= OBSERVED)
            continue;
        read_upload(s, client, &trained.upload[0], tables.part[0]);
        judge(s, client, s->moves, each);
    }
    learner->aggregate(s->setup.training.model, contributions, n_cohort, &arena, NULL);
    frs_arena_fini(&arena);
    free(contributions);
    free(cohort);
}

static void print(double laplace, const char *what, const struct leakage *r) {
    printf("λ %.2f, %-12s %9.3f %% on their own side, %6.2f %% of positives found, AUC %.4f\n", laplace, what,
        100 * r->own_side / r->n_touched, 100 * r->found / r->n_positives, r->auc / r->n_clients);
}

/* λ of the paper's table 3 is 0.5. */
static const double scales[] = {0, 0.5};

START_TEST(test_what_the_server_reads) {
    struct subject s;
    struct leakage each = {0}, all = {0}, added = {0};
    double laplace = scales[_i];
    if (!has_data("what PFedCLR reveals", "ml-100k/u.data"))
        return;
    begin(&s, laplace);
    for (uint32_t round = 0; round < ROUNDS; round++)
        play_round(&s, round, &each);
    for (uint32_t client = 0; client < OBSERVED; client++) {
        turn(s.totals[client], s.n_items);
        judge(&s, client, s.totals[client], &all);
        find_moves(&s, s.sums[client], s.moves);
        turn(s.moves, s.n_items);
        judge(&s, client, s.moves, &added);
    }
    print(laplace, "one upload", &each);
    print(laplace, "all together", &all);
    print(laplace, "added first", &added);
    if (laplace == 0) {
        ck_assert_double_gt(each.own_side, 0.9999 * each.n_touched);
        ck_assert_double_gt(all.found, 0.9999 * all.n_positives);
    } else {
        ck_assert_double_gt(all.found, each.found / each.n_positives * all.n_positives);
        ck_assert_double_gt(all.found, 0.6 * all.n_positives);
    }
    end(&s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("what PFedCLR reveals");
    TCase *tests = tcase_create("MovieLens-100K");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 550);
    tcase_add_loop_test(tests, test_what_the_server_reads, 0, sizeof scales / sizeof *scales);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
