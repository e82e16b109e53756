/* Each reader on rows worked out by hand: what it ranks first, and by which number. */
#include "algorithms/training/leakage_readers.h"
#include "tests/support.h"

#include <math.h>

enum { N = 6, DIM = 2 };

/* Scores of `reader`, by the rows' places. */
static struct frs_changes score(
    const float *values, const float *base, enum frs_reads reader, struct frs_score *scores) {
    struct frs_rows rows = {.n_rows = N, .dim = DIM, .n = N, .values = values};
    struct frs_changes changes = frs_changes_of(&rows, base);
    frs_readers_score(&changes, reader, base, scores);
    return changes;
}

/* Rows that came back as they were sent do not stand out, nor does one with another zero. */
START_TEST(what_stands_out) {
    static const float sent[N * DIM] = {1, 2, 3, 4, 0, 5, 7, 8, 9, 10, 11, 12},
                                came[N * DIM] = {1, 2, 3, 4.5F, -0.0F, 5, 7, 8, 8, 10, 11, 12};
    struct frs_score scores[N];
    struct frs_changes changes = score(came, sent, FRS_READS_LENGTH, scores);
    ck_assert_uint_eq(changes.n, 2);
    ck_assert_uint_eq(changes.items[0], 1);
    ck_assert_uint_eq(changes.items[1], 4);
    ck_assert_double_eq(scores[0].value, 0.25);
    ck_assert_double_eq(scores[1].value, 1);
    frs_changes_fini(&changes);
}
END_TEST

/* All along (3, 4)/5, by -1, -1, -1, 2, 2, 3 halves of 5. */
static const float opposed[N * DIM] = {-1.5F, -2, -1.5F, -2, -1.5F, -2, 3, 4, 3, 4, 4.5F, 6};

/* Three rows move each way, so either side may be the smaller. Two clusters have three each, too; a fourth
 * row makes the other side smaller. */
START_TEST(the_smaller_side_is_read) {
    float values[N * DIM];
    struct frs_score scores[N];
    memcpy(values, opposed, sizeof values);
    values[0] = 3;
    values[1] = 4; /* now -1, -1 and 2, 2, 2, 3 */
    for (enum frs_reads reader = FRS_READS_SIDE; reader <= FRS_READS_CLUSTER; reader++) {
        struct frs_changes changes = score(values, NULL, reader, scores);
        ck_assert_double_eq_tol(fabs(changes.direction[0]), 0.6, 1e-12);
        ck_assert_double_eq_tol(fabs(changes.direction[1]), 0.8, 1e-12);
        ck_assert_double_eq_tol(scores[1].value, 2.5, 1e-12);
        ck_assert_double_eq_tol(scores[2].value, 2.5, 1e-12);
        ck_assert_double_eq_tol(scores[5].value, -7.5, 1e-12);
        frs_changes_fini(&changes);
    }
}
END_TEST

/* .2, .2, -.2, -.2 and 3, 4: fewer rows have moved back, and two form a cluster. */
START_TEST(clusters_of_rows_are_read) {
    static const float values[N * DIM] = {0.2F, 0, 0.2F, 0, -0.2F, 0, -0.2F, 0, 3, 0, 4, 0};
    struct frs_score scores[N];
    struct frs_changes changes = score(values, NULL, FRS_READS_SIDE, scores);
    ck_assert_double_eq_tol(scores[2].value, (double)0.2F, 1e-12);
    ck_assert_double_eq_tol(scores[5].value, -4, 1e-12);
    frs_changes_fini(&changes);
    changes = score(values, NULL, FRS_READS_CLUSTER, scores);
    frs_readers_choose(scores, N, 2);
    ck_assert_uint_eq(scores[0].item + scores[1].item, 4 + 5);
    ck_assert_double_eq_tol(scores[0].value + scores[1].value, 7, 1e-12);
    frs_changes_fini(&changes);
}
END_TEST

/* Gradients -2 (r - u.y) u with u = (2, 0) and ratings 3, 5, 3, 3, 1, 3. The rating does not follow from
 * how far a row moved, or to which side; but from the line of the threes, 5 and 1 are 2 |u| 2 = 8 away. */
START_TEST(rows_off_the_line_are_read) {
    static const float sent[N * DIM] = {1, 1, -1, 2, 0.5F, 3, -2, 4, 2, 5, 4, 6},
                                ratings[N] = {3, 5, 3, 3, 1, 3};
    float values[N * DIM] = {0};
    struct frs_score scores[N];
    for (size_t i = 0; i < N; i++)
        values[i * DIM] = -2 * (ratings[i] - 2 * sent[i * DIM]) * 2;
    struct frs_rows rows = {.n_rows = N, .dim = DIM, .n = N, .values = values};
    struct frs_changes changes = frs_changes_of(&rows, NULL);
    frs_readers_score(&changes, FRS_READS_LINE, sent, scores);
    for (size_t i = 0; i < N; i++)
        ck_assert_double_eq_tol(scores[i].value, fabs((double)ratings[i] - 3) * 4, 1e-12);
    frs_changes_fini(&changes);
}
END_TEST

/* The largest; of equal ones those of smaller items. */
START_TEST(the_largest_are_chosen) {
    struct frs_score scores[N] = {{5, 1}, {4, 2}, {3, 1}, {2, 3}, {1, 1}, {0, 0}};
    frs_readers_choose(scores, N, 3);
    ck_assert_uint_eq(scores[0].item + scores[1].item + scores[2].item, 4 + 2 + 1);
    frs_readers_choose(scores, N, N);
    frs_readers_choose(scores, N, 0);
    frs_readers_choose(scores, 0, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("readers");
    TCase *tests = tcase_create("readers");
    tcase_add_test(tests, what_stands_out);
    tcase_add_test(tests, the_smaller_side_is_read);
    tcase_add_test(tests, clusters_of_rows_are_read);
    tcase_add_test(tests, rows_off_the_line_are_read);
    tcase_add_test(tests, the_largest_are_chosen);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
