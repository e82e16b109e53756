/* Several users behind every client: who they are, what they have, and who is left over. */
#include "algorithms/training/evaluation.h"
#include "tests/algorithms/data/fixture.h"

/* Five users of four ratings each. */
static const char csv[] =
    "a,1,5\na,2,5\na,3,5\na,4,5\nb,1,1\nb,2,1\nb,3,1\nb,4,1\nc,1,2\nc,2,2\nc,3,2\nc,4,2\n"
    "d,1,3\nd,2,3\nd,3,3\nd,4,3\ne,1,4\ne,2,4\ne,3,4\ne,4,4\n";
#define FILE_OF(path_)                                                                                       \
    "format", "csv", "path", path_, "csv_header", "false", "csv_value", "3", "split", "ratio", "test_ratio", \
        "0.25", "min_interactions", "2"

static char *path;

static void setup(void) {
    path = write_file(csv, sizeof csv - 1);
}

static void teardown(void) {
    remove_file(path);
}

/* Two clients of two users; the fifth, alone with a 4, is in no part of the data. What users train and test
 * on is what they would by themselves. */
START_TEST(users_behind_clients) {
    struct frs_data *data =
        load(SETTINGS(FILE_OF(path), "feedback", "explicit", "clients", "2"), NO_SETTINGS, 1);
    struct frs_data *alone = load(SETTINGS(FILE_OF(path), "feedback", "explicit"), NO_SETTINGS, 1);
    const struct frs_population *population = &data->population;
    ck_assert_uint_eq(population->n_clients, 2);
    ck_assert_uint_eq(frs_users_per_client(population), 2);
    ck_assert_uint_eq(data->n_interactions, 16);
    for (uint32_t client = 0; client < 2; client++) {
        const struct frs_client_data *whole = &population->clients[client];
        ck_assert_uint_eq(whole->client, client);
        ck_assert_uint_eq(whole->n, 6);
        for (uint32_t number = 0; number < 2; number++) {
            uint32_t user = 2 * client + number;
            const struct frs_client_data *own = frs_client_user(population, client, number),
                                         *by_itself = &alone->population.clients[user];
            ck_assert_uint_eq(own->n, 3);
            ck_assert_ptr_eq(own->items, whole->items + 3 * (size_t)number);
            ck_assert_mem_eq(own->items, by_itself->items, 3 * sizeof *own->items);
            ck_assert_mem_eq(own->ratings, by_itself->ratings, 3 * sizeof *own->ratings);
            ck_assert_uint_eq(data->test.items[user], alone->test.items[user]);
            ck_assert_float_eq(data->test.ratings[user], alone->test.ratings[user]);
        }
    }
    struct frs_population all = frs_data_users(data);
    ck_assert_uint_eq(all.n_clients, 4);
    ck_assert_uint_eq(all.clients[3].client, 3);
    ck_assert_ptr_nonnull(strstr(data->description, "4 users"));
    ck_assert_ptr_nonnull(strstr(data->description, "2 clients of 2 users each; 1 user left over"));
    ck_assert_uint_eq(frs_users_per_client(&alone->population), 1);
    ck_assert_ptr_eq(frs_client_user(&alone->population, 3, 0), &alone->population.clients[3]);
    frs_data_destroy(data);
    frs_data_destroy(alone);
}
END_TEST

/* As many clients as users, or one fewer: no users share a client. */
START_TEST(one_user_each) {
    for (int fewer = 0; fewer < 2; fewer++) {
        struct frs_data *data = load(
            SETTINGS(FILE_OF(path), "feedback", "explicit", "clients", fewer ? "4" : "5"), NO_SETTINGS, 1);
        ck_assert_ptr_null(data->population.users);
        ck_assert_uint_eq(data->population.n_clients, 5 - (uint32_t)fewer);
        ck_assert_uint_eq(data->test.start[5 - fewer], 5 - (size_t)fewer);
        frs_data_destroy(data);
    }
}
END_TEST

static void constant(const void *context, uint32_t user, const uint32_t *items, size_t n, float *scores) {
    const float *predicted = context;
    (void)items;
    for (size_t i = 0; i < n; i++)
        scores[i] = predicted[user];
}

/* Errors 0, 1, 0 and 2 of users 0 to 3, each with one held-out rating;
 * client 1 has trained: users 2 and 3. */
START_TEST(users_are_evaluated) {
    static const float predicted[] = {5, 2, 2, 5};
    static const bool trained[] = {false, true};
    struct frs_data *data =
        load(SETTINGS(FILE_OF(path), "feedback", "explicit", "clients", "2"), NO_SETTINGS, 1);
    struct frs_pool *pool = frs_pool_create(1);
    struct frs_evaluation *evaluation =
        frs_evaluation_create(data, &(struct frs_list_rules){.n = 1, .k = {10}}, pool);
    struct frs_scorer scorer = {.context = predicted, .score = constant};
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        if (one_by_one)
            for (uint32_t client = 0; client < 2; client++)
                frs_evaluation_run_client(evaluation, &scorer, client);
        else
            frs_evaluation_run(evaluation, &scorer);
        struct frs_quality quality = frs_evaluation_quality(evaluation, trained);
        ck_assert_uint_eq(quality.test.n, 4);
        ck_assert_double_eq_tol(quality.test.mae, 0.75, 1e-12);
        ck_assert_double_eq_tol(quality.participants.mae, 1, 1e-12);
        ck_assert_double_eq_tol(quality.participants_share, 0.5, 1e-12);
    }
    frs_evaluation_destroy(evaluation);
    frs_pool_destroy(pool);
    frs_data_destroy(data);
}
END_TEST

START_TEST(too_many_clients) {
    load_fails(SETTINGS(FILE_OF(path), "feedback", "explicit", "clients", "6"), NO_SETTINGS,
        "data.clients: 6 are more than the 5 users; allowed: 0 to 5");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("share");
    TCase *tests = tcase_create("share");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, users_behind_clients);
    tcase_add_test(tests, one_user_each);
    tcase_add_test(tests, users_are_evaluated);
    tcase_add_test(tests, too_many_clients);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
