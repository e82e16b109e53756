/* What is held out of training: newest items, ties, and random shares. */
#include "algorithms/data/split.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

/* Two users. User 0 has items 0 … 4 with a tie of the newest time; user 1 items 1, 3, 5. */
static size_t start[] = {0, 5, 8};
static uint32_t items[] = {0, 1, 2, 3, 4, 1, 3, 5};
static float values[] = {1, 2, 3, 4, 5, 1, 2, 3};
static double times[] = {9, 5, 9, 1, 9, 3, 1, 2};
static uint32_t rows[] = {6, 0, 2, 7, 4, 5, 3, 1};
static struct frs_interactions timed = {.n_users = 2,
    .n_items = 6,
    .n = 8,
    .start = start,
    .items = items,
    .values = values,
    .times = times,
    .rows = rows};

static void split_by(struct frs_leave_one_out rule, const char *expected) {
    uint8_t parts[8] = {0};
    frs_split_leave_one_out(&timed, &rule, 1, parts);
    for (int i = 0; i < 8; i++)
        ck_assert_msg(
            "-VT"[parts[i]] == expected[i], "interaction %d is %c, not %c", i, "-VT"[parts[i]], expected[i]);
}

static void split_as(enum frs_order order, enum frs_validation validation, const char *expected) {
    split_by((struct frs_leave_one_out){order, FRS_TIES_LATER, validation}, expected);
}

START_TEST(newest_by_hand) {
    split_as(
        FRS_ORDER_TIME, FRS_VALIDATION_HOLD_OUT, "T---VT-V"); /* of the tie, the later row is the newer */
    split_as(FRS_ORDER_TIME, FRS_VALIDATION_TRAIN, "T----T--");
    split_as(FRS_ORDER_FILE, FRS_VALIDATION_HOLD_OUT, "V--T-TV-");
    split_as(FRS_ORDER_ITEM_ID, FRS_VALIDATION_HOLD_OUT, "---VT-VT");
}
END_TEST

/* Items 0, 2 and 4 of user 0 have the newest time 9 and stand in rows 6, 2 and 4; nothing of user 1 ties. */
START_TEST(ties_by_hand) {
    struct frs_leave_one_out rule = {FRS_ORDER_TIME, FRS_TIES_EARLIER, FRS_VALIDATION_HOLD_OUT};
    split_by(rule, "--T-VT-V");
    rule.ties = FRS_TIES_LATER;
    split_by(rule, "T---VT-V");
    rule.order = FRS_ORDER_FILE; /* where time does not count nothing ties */
    rule.ties = FRS_TIES_EARLIER;
    split_by(rule, "V--T-TV-");
    struct frs_ties_met met = frs_split_ties(&timed);
    ck_assert_uint_eq(met.test, 1);
    ck_assert_uint_eq(met.validation, 1);
}
END_TEST

/* Times 9, 9, 5 leave test and validation to the rule; 9, 5, 5 the validation item; 9, 5, 1 nothing. */
START_TEST(which_places_tie) {
    static size_t three[] = {0, 3, 6, 9};
    static double tied[] = {5, 9, 9, 5, 9, 5, 1, 9, 5};
    struct frs_interactions users = {.n_users = 3, .n = 9, .start = three, .times = tied};
    struct frs_ties_met met = frs_split_ties(&users);
    ck_assert_uint_eq(met.test, 1);
    ck_assert_uint_eq(met.validation, 2);
    users.times = NULL;
    ck_assert_uint_eq(frs_split_ties(&users).test, 0);
}
END_TEST

/* The three newest of user 0 are test equally often, 1666.7 of 5000 times, and nothing older ever is. */
START_TEST(random_ties_are_uniform_and_seeded) {
    const struct frs_leave_one_out rule = {FRS_ORDER_TIME, FRS_TIES_RANDOM, FRS_VALIDATION_HOLD_OUT};
    int counts[2][5] = {{0}};
    for (uint64_t seed = 0; seed < 5000; seed++) {
        uint8_t parts[8] = {0}, again[8] = {0};
        frs_split_leave_one_out(&timed, &rule, seed, parts);
        frs_split_leave_one_out(&timed, &rule, seed, again);
        ck_assert_mem_eq(parts, again, sizeof parts);
        for (int i = 0; i < 5; i++)
            if (parts[i] != FRS_PART_TRAINING)
                counts[parts[i] == FRS_PART_TEST][i]++;
        ck_assert_int_eq(parts[5], FRS_PART_TEST); /* user 1 as by time */
        ck_assert_int_eq(parts[7], FRS_PART_VALIDATION);
    }
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < 5; i++)
            ck_assert_int_le(abs(counts[part][i] - (i % 2 ? 0 : 1667)), 134); /* 4 standard deviations */
}
END_TEST

START_TEST(random_order_is_uniform_and_seeded) {
    const struct frs_leave_one_out rule = {FRS_ORDER_RANDOM, FRS_TIES_LATER, FRS_VALIDATION_HOLD_OUT};
    int test_counts[5] = {0};
    for (uint64_t seed = 0; seed < 5000; seed++) {
        uint8_t parts[8] = {0}, again[8] = {0};
        frs_split_leave_one_out(&timed, &rule, seed, parts);
        frs_split_leave_one_out(&timed, &rule, seed, again);
        ck_assert_mem_eq(parts, again, sizeof parts);
        int n_test = 0, n_validation = 0;
        for (int i = 0; i < 5; i++) {
            test_counts[i] += parts[i] == FRS_PART_TEST;
            n_test += parts[i] == FRS_PART_TEST;
            n_validation += parts[i] == FRS_PART_VALIDATION;
        }
        ck_assert_int_eq(n_test, 1);
        ck_assert_int_eq(n_validation, 1);
    }
    for (int i = 0; i < 5; i++)
        ck_assert_int_le(abs(test_counts[i] - 1000), 120); /* 4 standard deviations */
}
END_TEST

START_TEST(ratio_split_has_its_counts) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint8_t parts[8] = {0};
        frs_split_ratio(&timed, 0.2, 0.2, seed, parts);
        int counts[2][3] = {0};
        for (int i = 0; i < 8; i++)
            counts[i >= 5][parts[i]]++;
        for (int user = 0; user < 2; user++) { /* 0.2 · 5 = 1, 0.2 · 3 rounds to 1 */
            ck_assert_int_eq(counts[user][FRS_PART_TEST], 1);
            ck_assert_int_eq(counts[user][FRS_PART_VALIDATION], 1);
        }
        memset(parts, 0, sizeof parts);
        frs_split_ratio(&timed, 0.9, 0.9, seed, parts);
        for (int user = 0; user < 2; user++) { /* one stays for training, whatever the ratios */
            int training = 0;
            for (size_t i = start[user]; i < start[user + 1]; i++)
                training += parts[i] == FRS_PART_TRAINING;
            ck_assert_int_eq(training, 1);
        }
    }
}
END_TEST

/* Asking for a validation part takes it from training: what is test stays so,
 * or runs could not be compared. */
START_TEST(validation_comes_from_training) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint8_t without[8] = {0}, with[8] = {0};
        size_t n_validation = 0;
        frs_split_ratio(&timed, 0.2, 0, seed, without);
        frs_split_ratio(&timed, 0.2, 0.3, seed, with);
        for (int i = 0; i < 8; i++) {
            ck_assert_int_eq(with[i] == FRS_PART_TEST, without[i] == FRS_PART_TEST);
            ck_assert_int_ne(without[i], FRS_PART_VALIDATION);
            n_validation += with[i] == FRS_PART_VALIDATION;
        }
        ck_assert_uint_eq(n_validation, 3); /* 0.3 · 5 rounds to 2, 0.3 · 3 to 1 */
    }
}
END_TEST

START_TEST(applied_by_hand) {
    for (int explicit_feedback = 0; explicit_feedback < 2; explicit_feedback++) {
        uint8_t parts[8] = {0};
        frs_split_leave_one_out(&timed,
            &(struct frs_leave_one_out){FRS_ORDER_TIME, FRS_TIES_LATER, FRS_VALIDATION_HOLD_OUT}, 1, parts);
        struct frs_data *data = frs_alloc(1, sizeof *data);
        data->explicit_feedback = explicit_feedback;
        frs_split_apply(&timed, parts, data);
        ck_assert_uint_eq(data->population.n_clients, 2);
        ck_assert_uint_eq(data->population.n_items, 6);
        ck_assert_uint_eq(data->n_interactions, 8);
        ck_assert_float_eq(data->population.rating_min, 1);
        ck_assert_float_eq(data->population.rating_max, explicit_feedback ? 5 : 1);
        static const uint32_t training[] = {1, 2, 3};
        ck_assert_uint_eq(data->clients[0].n, 3);
        ck_assert_mem_eq(data->clients[0].items, training, sizeof training);
        ck_assert_float_eq(data->clients[0].ratings[2], explicit_feedback ? 4 : 1);
        ck_assert_uint_eq(data->clients[1].n, 1);
        ck_assert_uint_eq(data->clients[1].items[0], 3);
        ck_assert_uint_eq(data->test.items[data->test.start[1]], 1);
        ck_assert_uint_eq(data->validation.items[data->validation.start[1]], 5);
        ck_assert_float_eq(data->validation.ratings[data->validation.start[1]], explicit_feedback ? 3 : 1);
        ck_assert_uint_eq(data->test.start[2], 2);
        frs_data_destroy(data);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("split");
    TCase *tests = tcase_create("split");
    tcase_add_test(tests, newest_by_hand);
    tcase_add_test(tests, ties_by_hand);
    tcase_add_test(tests, which_places_tie);
    tcase_add_test(tests, random_ties_are_uniform_and_seeded);
    tcase_add_test(tests, random_order_is_uniform_and_seeded);
    tcase_add_test(tests, ratio_split_has_its_counts);
    tcase_add_test(tests, validation_comes_from_training);
    tcase_add_test(tests, applied_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
