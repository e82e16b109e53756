/* A method that scores a block of clients at once is evaluated as if it had scored them one after the other.
 */
#include "algorithms/training/evaluation.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>
#include <stdio.h>

enum { USERS = 40, ITEMS = 2500, EACH = 60 };

static bool all_finite;
static enum frs_score_ties ties;

/* Any number of a client and an item; now and then none, unless all_finite. */
static float number(uint32_t client, uint32_t item) {
    uint32_t mixed = (client * 2654435761u) ^ (item * 40503u);
    mixed = (mixed ^ (mixed >> 13)) * 2246822519u;
    return mixed % 97 == 0 && !all_finite ? NAN : 1 + (float)(mixed >> 8) / (float)(1 << 22);
}

static void one(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    (void)context;
    for (size_t i = 0; i < n; i++)
        scores[i] = number(client, items[i]);
}

static struct { size_t blocks, most_clients, most_items; } seen;

static void block_of(const void *context, const struct frs_scoring *block, size_t n) {
    size_t items = 0;
    for (size_t i = 0; i < n; i++) {
        one(context, block[i].client, block[i].items, block[i].n, block[i].scores);
        items += block[i].n;
    }
    seen.blocks++;
    seen.most_clients = n > seen.most_clients ? n : seen.most_clients;
    seen.most_items = items > seen.most_items ? items : seen.most_items;
}

/* Users who have met EACH items of their own, the last two of which may be held out. */
static char *write_data(void) {
    char *text = frs_alloc(USERS * EACH, 32);
    size_t n = 0;
    for (int u = 0; u < USERS; u++)
        for (int k = 0; k < EACH; k++)
            n += (size_t)sprintf(text + n, "%d,%d,%d,%d\n", u, (u * EACH + k) % ITEMS, 1 + k % 5, k);
    char *path = write_file(text, n);
    free(text);
    return path;
}

static struct frs_quality found_by(struct frs_data *data, bool block, float *ranks) {
    struct frs_pool *pool = frs_pool_create(1);
    struct frs_evaluation *evaluation =
        frs_evaluation_create(data, &(struct frs_list_rules){.n = 2, .k = {10, 20}, .ties = ties}, pool);
    struct frs_scorer scorer = {.score = one, .score_block = block ? block_of : NULL};
    frs_evaluation_run(evaluation, &scorer);
    struct frs_quality quality = frs_evaluation_quality(evaluation, NULL);
    for (uint32_t u = 0; u < USERS; u++)
        ranks[u] = (float)frs_evaluation_rank(evaluation, u);
    frs_evaluation_run_client(evaluation, &scorer, 7);
    ck_assert(data->explicit_feedback || (float)frs_evaluation_rank(evaluation, 7) == ranks[7]);
    frs_evaluation_destroy(evaluation);
    frs_pool_destroy(pool);
    return quality;
}

static void same(const struct frs_scores *a, const struct frs_scores *b) {
    ck_assert(a->n > 0 && a->n == b->n && a->not_finite == b->not_finite);
    for (size_t i = 0; i < 2; i++)
        ck_assert(memcmp(&a->at[i], &b->at[i], sizeof a->at[i]) == 0);
    ck_assert(a->auc == b->auc || (isnan(a->auc) && isnan(b->auc)));
    ck_assert(a->rmse == b->rmse || (isnan(a->rmse) && isnan(b->rmse)));
}

static void compare(const char *const *settings, const char *const *protocol) {
    struct frs_data *data = load(settings, protocol, 1);
    float apart[USERS], together[USERS];
    memset(&seen, 0, sizeof seen);
    all_finite = data->explicit_feedback; /* or the mean error is none */
    struct frs_quality a = found_by(data, false, apart), b = found_by(data, true, together);
    ck_assert_uint_gt(seen.blocks, 0);
    same(&a.test, &b.test);
    same(&a.validation, &b.validation);
    ck_assert(data->explicit_feedback || memcmp(apart, together, sizeof apart) == 0);
    frs_data_destroy(data);
}

#define OF_FILE                                                                                              \
    "format", "csv", "path", path, "csv_header", "false", "csv_value", "3", "csv_time", "4",                 \
        "min_interactions", "3"

START_TEST(ranks_among_all) {
    char *path = write_data();
    compare(SETTINGS(OF_FILE, "split", "leave-one-out"), SETTINGS("candidates", "full"));
    remove_file(path);
    /* 32 of 2,341 items each would be 74,912: the block is ended by the client with which it has 65,536. */
    ck_assert_uint_lt(seen.most_clients, 32);
    ck_assert_uint_ge(seen.most_items, 65536);
    ck_assert_uint_lt(seen.most_items, 65536 + ITEMS);
}
END_TEST

START_TEST(ranks_among_drawn) {
    char *path = write_data();
    compare(
        SETTINGS(OF_FILE, "split", "leave-one-out"), SETTINGS("candidates", "sampled", "negatives", "20"));
    remove_file(path);
    ck_assert_uint_eq(seen.most_clients, 32);
}
END_TEST

START_TEST(several_held_out) {
    char *path = write_data();
    compare(SETTINGS(OF_FILE, "split", "ratio", "test_ratio", "0.2", "validation_ratio", "0.1"),
        SETTINGS("candidates", "full"));
    remove_file(path);
}
END_TEST

START_TEST(ratings) {
    char *path = write_data();
    compare(SETTINGS(OF_FILE, "feedback", "explicit", "split", "ratio", "test_ratio", "0.2",
                "validation_ratio", "0.1"),
        NO_SETTINGS);
    remove_file(path);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("evaluation block");
    TCase *tests = tcase_create("evaluation block");
    tcase_add_test(tests, ranks_among_all);
    tcase_add_test(tests, ranks_among_drawn);
    tcase_add_test(tests, several_held_out);
    tcase_add_test(tests, ratings);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
