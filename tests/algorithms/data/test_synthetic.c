/* The built-in data sets against figures of the real ones. */
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "algorithms/data/alias.h"
#include "algorithms/data/synthetic.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

/* Quantiles of MovieLens 100K, the value at position ⌈q·n⌉ of the sorted counts. */
static const struct {
    int percent;
    uint32_t user, item;
} movielens_100k[] = {{10, 23, 2}, {50, 65, 27}, {90, 245, 169}, {99, 448, 378}};

/* Counts of interactions per user and per item, ascending. */
static void count(const struct frs_rows *rows, uint32_t **users, uint32_t **items) {
    *users = frs_alloc(rows->n_users, sizeof **users);
    *items = frs_alloc(rows->n_items, sizeof **items);
    for (size_t i = 0; i < rows->n; i++) {
        (*users)[rows->users[i]]++;
        (*items)[rows->items[i]]++;
    }
    qsort(*users, rows->n_users, sizeof **users, frs_compare_uint32s);
    qsort(*items, rows->n_items, sizeof **items, frs_compare_uint32s);
}

static double quantile(const uint32_t *counts, size_t n, int percent) {
    return counts[(n * (size_t)percent + 99) / 100 - 1];
}

/* Data sets differ in what their tastes share. Their mean is within a tenth; each is within three tenths,
 * except one. */
START_TEST(quantiles_match_movielens_100k) {
    double user_sums[4] = {0}, item_sums[4] = {0};
    int n = FRS_TEST_CASES(10);
    for (uint64_t seed = 1; seed <= (uint64_t)n; seed++) {
        struct frs_rows rows;
        uint32_t *users, *items;
        frs_synthetic_generate(frs_synthetic_preset(FRS_SYNTHETIC_ML_100K), seed, &rows);
        ck_assert_uint_eq(rows.n, 100000);
        count(&rows, &users, &items);
        ck_assert_uint_ge(users[0], 20);
        ck_assert_uint_ge(items[0], 1);
        for (int i = 0; i < 4; i++) {
            double user = quantile(users, 943, movielens_100k[i].percent);
            double item = quantile(items, 1682, movielens_100k[i].percent), real = movielens_100k[i].item;
            ck_assert_double_eq_tol(user, movielens_100k[i].user, 0.1 * movielens_100k[i].user);
            ck_assert_double_le(fabs(item - real), fmax(0.3 * real, 1));
            item_sums[i] += item;
            user_sums[i] += user;
        }
        free(users);
        free(items);
        frs_rows_fini(&rows);
    }
    for (int i = 0; i < 4; i++) {
        double user = movielens_100k[i].user, item = movielens_100k[i].item;
        ck_assert_double_eq_tol(user_sums[i] / n, user, 0.1 * user);
        ck_assert_double_le(fabs(item_sums[i] / n - item), 0.1 * item + 0.1);
    }
}
END_TEST

/* On MovieLens 100K: popularity .403, item KNN .614, centralised MF .634. */
START_TEST(learnable_like_movielens_100k) {
    static const char *const seeds[] = {"1", "2"};
    for (int i = 0; i < 2; i++) {
        struct frs_data *data = load(SETTINGS("synthetic_seed", seeds[i]), NO_SETTINGS, 1);
        double popularity = quality_of("popularity", data, false).hit;
        double knn = quality_of("item_knn", data, false).hit,
               mf = quality_of("centralised_mf", data, false).hit;
        printf("synthetic ml-100k, seed %s: HR@10 popularity %.3f, item_knn %.3f, centralised_mf %.3f\n",
            seeds[i], popularity, knn, mf);
        ck_assert_double_eq_tol(popularity, 0.403, 0.2 * 0.403);
        ck_assert_double_ge(mf, popularity + 0.1);
        ck_assert_double_eq_tol(knn, 0.614, 0.1);
        frs_data_destroy(data);
    }
}
END_TEST

START_TEST(small_is_learnable) {
    struct frs_data *data = load(SETTINGS("synthetic", "small"), NO_SETTINGS, 1);
    ck_assert_uint_eq(data->population.n_clients, 200);
    ck_assert_uint_eq(data->population.n_items, 300);
    ck_assert_double_ge(
        quality_of("centralised_mf", data, false).hit, quality_of("popularity", data, false).hit + 0.1);
    frs_data_destroy(data);
}
END_TEST

START_TEST(size_of_movielens_1m) {
    struct frs_data *data = load(SETTINGS("synthetic", "ml-1m"), NO_SETTINGS, 1);
    ck_assert_uint_eq(data->population.n_clients, 6040);
    ck_assert_uint_eq(data->population.n_items, 3706);
    ck_assert_uint_eq(data->n_interactions, 1000209);
    frs_data_destroy(data);
}
END_TEST

START_TEST(pairs_are_distinct_and_times_ascend) {
    struct frs_rows rows;
    frs_synthetic_generate(frs_synthetic_preset(FRS_SYNTHETIC_SMALL), 3, &rows);
    for (size_t i = 1; i < rows.n; i++)
        ck_assert(rows.users[i] != rows.users[i - 1] || rows.times[i] > rows.times[i - 1]);
    for (size_t i = 0; i < rows.n; i++)
        ck_assert(rows.values[i] >= 1 && rows.values[i] <= 5 && rows.values[i] == floorf(rows.values[i]));
    struct frs_interactions arranged;
    size_t n = rows.n;
    frs_interactions_arrange(&rows, true, 1, &arranged);
    ck_assert_uint_eq(arranged.n, n);
    ck_assert_uint_eq(arranged.n_duplicates, 0);
    frs_interactions_fini(&arranged);
}
END_TEST

START_TEST(seeds_decide_what_is_drawn) {
    struct frs_data *a = load(SETTINGS("synthetic", "small"), NO_SETTINGS, 1);
    struct frs_data *b = load(SETTINGS("synthetic", "small"), NO_SETTINGS, 2);
    struct frs_data *c = load(SETTINGS("synthetic", "small", "synthetic_seed", "2"), NO_SETTINGS, 1);
    ck_assert_str_eq(a->hash, b->hash); /* the data set is the same for every run ... */
    ck_assert_mem_ne(a->negatives, b->negatives, 99 * sizeof(uint32_t)); /* ... what a run draws is not */
    ck_assert_str_ne(a->hash, c->hash);
    frs_data_destroy(a);
    frs_data_destroy(b);
    frs_data_destroy(c);
}
END_TEST

/* 3,000 users are two whole shares of work and a part of one. */
START_TEST(threads_do_not_matter) {
    struct frs_data *data[3];
    for (size_t i = 0; i < 3; i++) {
        frs_data_set_threads(i + 1);
        data[i] =
            load(SETTINGS("synthetic", "custom", "users", "3000", "items", "200", "interactions", "30000"),
                NO_SETTINGS, 1);
    }
    for (size_t i = 1; i < 3; i++) {
        ck_assert_str_eq(data[i]->hash, data[0]->hash);
        ck_assert_mem_eq(data[i]->negatives, data[0]->negatives, (size_t)3000 * 99 * sizeof(uint32_t));
        frs_data_destroy(data[i]);
    }
    frs_data_destroy(data[0]);
    frs_data_set_threads(1);
}
END_TEST

/* Users who take most of the catalogue, as many items as interactions, and the same activity for every
 * user. */
START_TEST(extreme_distributions_are_filled) {
    struct frs_data *data = load(SETTINGS("synthetic", "custom", "users", "20", "items", "50", "interactions",
                                     "890", "activity_ceiling", "0.9"),
        SETTINGS("candidates", "full"), 1);
    ck_assert_uint_eq(data->n_interactions, 890); /* of 20 · 45 */
    frs_data_destroy(data);
    data = load(SETTINGS("synthetic", "custom", "users", "100", "items", "1000", "interactions", "1000"),
        NO_SETTINGS, 1);
    ck_assert_uint_eq(data->population.n_items, 1000);
    ck_assert_uint_eq(data->clients[7].n, 8);
    frs_data_destroy(data);
    data =
        load(SETTINGS("synthetic", "custom", "users", "1", "items", "20", "interactions", "20",
                 "min_interactions", "20", "tastes", "1", "taste_strength", "0", "popularity_exponent", "0"),
            SETTINGS("candidates", "full"), 1);
    ck_assert_uint_eq(data->clients[0].n, 18); /* a user who has every item */
    frs_data_destroy(data);
}
END_TEST

START_TEST(impossible_distributions_are_refused) {
    load_fails(SETTINGS("synthetic", "custom", "users", "100", "interactions", "999", "items", "100"),
        NO_SETTINGS, "data.interactions: 999 do not fit 100 users with 10");
    load_fails(SETTINGS("synthetic", "custom", "users", "10", "interactions", "5000", "items", "100"),
        NO_SETTINGS, "allowed: 100 to 300");
    load_fails(
        SETTINGS("synthetic", "custom", "items", "5", "interactions", "10000"), NO_SETTINGS, "data.items: 5");
    load_fails(SETTINGS("synthetic", "custom", "items", "100000", "interactions", "20000"), NO_SETTINGS,
        "every item needs one");
}
END_TEST

START_TEST(alias_draws_follow_the_weights) {
    static const double weights[] = {1, 0, 5, 3, 1};
    struct frs_alias alias;
    frs_alias_init(&alias, weights, 5);
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    int counts[5] = {0};
    for (int i = 0; i < 100000; i++)
        counts[frs_alias_draw(&alias, &rng)]++;
    for (int i = 0; i < 5; i++)
        ck_assert_double_eq_tol(counts[i], 10000 * weights[i], 1 + 4 * sqrt(10000 * weights[i]));
    frs_alias_fini(&alias);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("synthetic");
    TCase *tests = tcase_create("synthetic");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, quantiles_match_movielens_100k);
    frs_test_add_figures(tests, learnable_like_movielens_100k);
    tcase_add_test(tests, small_is_learnable);
    frs_test_add_figures(tests, size_of_movielens_1m);
    tcase_add_test(tests, pairs_are_distinct_and_times_ascend);
    tcase_add_test(tests, seeds_decide_what_is_drawn);
    tcase_add_test(tests, threads_do_not_matter);
    tcase_add_test(tests, extreme_distributions_are_filled);
    tcase_add_test(tests, impossible_distributions_are_refused);
    tcase_add_test(tests, alias_draws_follow_the_weights);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
