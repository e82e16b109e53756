/* The head of a comparison: which entry is first by time, bytes and quality, by hand; and how often it
 * claims a difference where all are alike. */
#include "analysis/sentence/head.h"
#include "analysis/sentence/sentence.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ENTRIES = 3, ENVIRONMENTS = 3, CELLS = 9, RUNS = 6 };

static char metric[] = "hr@10", names[ENTRIES][8] = {"fedmf", "colr", "fedncf"},
            places[ENVIRONMENTS][2] = {"a", "b", "c"};

struct page {
    struct frs_metrics metrics[CELLS][RUNS];
    struct frs_replicates runs[CELLS];
    struct frs_ranked_entry list[CELLS];
    char *environments[ENVIRONMENTS];
    struct frs_target target;
    struct frs_ranking ranking;
};

static struct page *new_page(size_t n_entries, size_t n_environments) {
    struct page *page = frs_alloc(1, sizeof *page);
    page->target.target_spec = (struct frs_target_spec){.metric = metric, .bar = 0.5};
    for (size_t i = 0; i < n_entries * n_environments; i++)
        page->list[i] = (struct frs_ranked_entry){names[i % n_entries], i / n_entries, &page->runs[i]};
    for (size_t c = 0; c < n_environments; c++)
        page->environments[c] = places[c];
    page->ranking = (struct frs_ranking){.list = page->list,
        .n = n_entries * n_environments,
        .environments = page->environments,
        .n_environments = n_environments,
        .target = &page->target,
        .quality = metric};
    return page;
}

static void add_run(struct page *page, size_t i, double time_s, double bytes, double quality) {
    size_t k = page->runs[i].n;
    struct frs_metrics *metrics = &page->metrics[i][k];
    frs_metrics_set(metrics, "simulated_s", 1000);
    frs_metrics_set(metrics, "bytes.sent", 1e9);
    frs_metrics_set(metrics, "hr@10", quality);
    frs_metrics_set(metrics, FRS_TARGET_TIME, time_s);
    frs_metrics_set(metrics, FRS_TARGET_SENT, bytes);
    frs_replicates_add(&page->runs[i], k + 1, metrics);
}

static void free_page(struct page *page) {
    for (size_t i = 0; i < CELLS; i++) {
        for (size_t k = 0; k < page->runs[i].n; k++)
            frs_metrics_fini(&page->metrics[i][k]);
        frs_replicates_fini(&page->runs[i]);
    }
    free(page);
}

static void expect_cell(
    const struct frs_head_cell *cell, size_t leader, bool decided, const char *amount, const char *verdict) {
    ck_assert_uint_eq(cell->leader, leader);
    ck_assert_str_eq(cell->amount, amount);
    ck_assert_msg(strncmp(cell->verdict, verdict, strlen(verdict)) == 0, "%s", cell->verdict);
    ck_assert(cell->decided == decided);
}

/* Times differ by less than they vary, colr sends half as much in each of four seeds (the logarithms' spread
 * is 0.01: t is more than 100), and fedmf has 0.02 more, in two seeds of four. */
START_TEST(bytes_are_decided_where_time_is_not) {
    static const double times[4] = {10, 14, 12, 13}, noise[4] = {1, 1.01, 0.99, 1};
    struct page *page = new_page(2, 1);
    for (size_t k = 0; k < 4; k++) {
        add_run(page, 0, times[k], 40e6 * noise[k], k < 2 ? 0.54 : 0.5);
        add_run(page, 1, times[3 - k], 20e6, 0.5);
    }
    frs_metrics_set(&page->metrics[1][0], FRS_TARGET_TIME, 12);
    struct frs_head head = frs_head_of(&page->ranking);
    ck_assert_uint_eq(head.n, 1);
    expect_cell(&head.rows[0][FRS_HEAD_TIME], 1, false, "12 s", "not decided (about ");
    expect_cell(&head.rows[0][FRS_HEAD_BYTES], 1, true, "20 MB", "decided: 20 MB less than fedmf");
    expect_cell(&head.rows[0][FRS_HEAD_QUALITY], 0, false, "0.520", "not decided (about ");
    ck_assert_ptr_nonnull(strstr(head.rows[0][FRS_HEAD_TIME].verdict, ": 250 ms sooner than fedmf"));
    ck_assert_ptr_nonnull(strstr(head.rows[0][FRS_HEAD_QUALITY].verdict, ": 0.020 above colr"));
    frs_head_fini(&head);
    free_page(page);
}
END_TEST

/* Of three entries the distance is that to the nearest: 2 s to fedmf and not 10 s, 5 MB, and 0.01. */
START_TEST(the_next_entry_is_the_nearest) {
    struct page *page = new_page(3, 1);
    add_run(page, 0, 12, 25e6, 0.54);
    add_run(page, 1, 10, 20e6, 0.55);
    add_run(page, 2, 20, 40e6, 0.5);
    struct frs_head head = frs_head_of(&page->ranking);
    ck_assert_ptr_nonnull(strstr(head.rows[0][FRS_HEAD_TIME].verdict, ": 2 s sooner than fedmf"));
    ck_assert_ptr_nonnull(strstr(head.rows[0][FRS_HEAD_BYTES].verdict, ": 5 MB less than fedmf"));
    ck_assert_ptr_nonnull(strstr(head.rows[0][FRS_HEAD_QUALITY].verdict, ": 0.010 above fedmf"));
    frs_head_fini(&head);
    free_page(page);
}
END_TEST

/* colr is first by time and by bytes, and popularity has as many hits in the end. fedmf, first by quality,
 * beats it. */
START_TEST(who_is_first_and_no_better_than_popularity) {
    struct page *page = new_page(2, 1);
    add_run(page, 0, 12, 25e6, 0.54);
    add_run(page, 1, 10, 20e6, 0.5);
    for (size_t i = 0; i < 2; i++)
        frs_metrics_set(&page->metrics[i][0], "non_federated.popularity.hr@10", 0.5);
    struct frs_head head = frs_head_of(&page->ranking);
    static const char ends[] = "; ends no better than popularity (HR@10 0.500 against 0.500)";
    ck_assert_ptr_nonnull(strstr(head.rows[0][FRS_HEAD_TIME].verdict, ends));
    ck_assert_ptr_nonnull(strstr(head.rows[0][FRS_HEAD_BYTES].verdict, ends));
    ck_assert_ptr_null(strstr(head.rows[0][FRS_HEAD_QUALITY].verdict, "no better"));
    frs_head_fini(&head);
    free_page(page);
}
END_TEST

/* No run reaches the target: time and bytes are those of the whole runs, which are the same, and one seed
 * decides nothing. */
START_TEST(one_seed_decides_nothing) {
    struct page *page = new_page(2, 1);
    add_run(page, 0, INFINITY, INFINITY, 0.4);
    add_run(page, 1, INFINITY, INFINITY, 0.3);
    struct frs_head head = frs_head_of(&page->ranking);
    ck_assert_str_eq(head.rows[0][FRS_HEAD_TIME].metric, "simulated_s");
    ck_assert_str_eq(head.rows[0][FRS_HEAD_BYTES].metric, "bytes.sent");
    expect_cell(&head.rows[0][FRS_HEAD_QUALITY], 0, false, "0.400",
        "not decided (one replicate each): 0.100 above colr");
    frs_head_fini(&head);
    free_page(page);
}
END_TEST

static bool says_anything(const struct frs_head *head) {
    for (size_t c = 0; c < head->n; c++)
        for (size_t column = 0; column < FRS_HEAD_COLUMNS; column++)
            if (head->rows[c][column].decided || strstr(head->rows[c][column].verdict, "decided against"))
                return true;
    return false;
}

/* 400 pages of three entries under three environments, all alike in time, bytes and quality, which vary
 * independently: at most 20 say that anything is decided. */
START_TEST(pages_without_differences_say_nothing) {
    size_t wrong = 0;
    for (uint32_t k = 0; k < 400; k++) {
        struct frs_rng rng = frs_rng_stream(20261127, 1, k, 0, FRS_RNG_TEST);
        struct page *page = new_page(ENTRIES, ENVIRONMENTS);
        for (size_t i = 0; i < CELLS; i++)
            for (size_t r = 0; r < 3 + k % 4; r++)
                add_run(page, i, 100 + 5 * frs_rng_normal(&rng), 1e7 * (1 + 0.05 * frs_rng_normal(&rng)),
                    0.5 + 0.01 * frs_rng_normal(&rng));
        struct frs_head head = frs_head_of(&page->ranking);
        wrong += says_anything(&head);
        frs_head_fini(&head);
        free_page(page);
    }
    printf("%zu of 400 pages say something\n", wrong);
    ck_assert_uint_le(wrong, 20);
}
END_TEST

/* Two entries are compared in one way only, so a page is wrong as often as it may be: 24 of 400 with all
 * columns, of which 20 are the sentence's. The limit of 29 is 20 plus twice the standard error. */
START_TEST(pages_of_two_without_a_difference_say_little) {
    size_t wrong = 0;
    for (uint32_t k = 0; k < 400; k++) {
        struct frs_rng rng = frs_rng_stream(20261127, 2, k, 0, FRS_RNG_TEST);
        struct page *page = new_page(2, ENVIRONMENTS);
        for (size_t i = 0; i < 2 * ENVIRONMENTS; i++)
            for (size_t r = 0; r < 3 + k % 4; r++)
                add_run(page, i, 100 + 5 * frs_rng_normal(&rng), 1e7 * (1 + 0.05 * frs_rng_normal(&rng)),
                    0.5 + 0.01 * frs_rng_normal(&rng));
        struct frs_head head = frs_head_of(&page->ranking);
        wrong += says_anything(&head);
        frs_head_fini(&head);
        free_page(page);
    }
    printf("%zu of 400 pages of two say something\n", wrong);
    ck_assert_uint_le(wrong, 29);
}
END_TEST

static const char *const head_metrics[FRS_HEAD_COLUMNS] = {
    [FRS_HEAD_TIME] = FRS_TARGET_TIME, [FRS_HEAD_BYTES] = FRS_TARGET_SENT, [FRS_HEAD_QUALITY] = "hr@10"};

/* The larger the worse. */
static double loss_of(const struct page *page, size_t i, enum frs_head_column column) {
    double mean = frs_replicates_figure(&page->runs[i], head_metrics[column]).estimate.mean;
    return column == FRS_HEAD_QUALITY ? -mean : mean;
}

/* Of what is called decided, whether it is not so. `truth` [ENTRIES]: the smaller the better. */
static bool check_column(const struct page *page, const struct frs_head_cell *cell,
    enum frs_head_column column, const double *truth) {
    bool wrong = false;
    ck_assert_str_eq(cell->metric, head_metrics[column]);
    for (size_t i = 0; i < ENTRIES; i++) {
        char *behind = frs_format("decided against %s", names[i]);
        if (i != cell->leader)
            ck_assert_double_ge(loss_of(page, i, column), loss_of(page, cell->leader, column));
        wrong = wrong || (i != cell->leader && truth[i] < truth[cell->leader] &&
                             (cell->decided || strstr(cell->verdict, behind)));
        free(behind);
    }
    return wrong;
}

/* 400 pages of three entries that differ, and vary by chance as well. Neither the head nor the sentence
 * names an entry first whose mean in the table is not the best; and at most 20 pages decide wrongly. */
START_TEST(no_page_is_against_its_own_table) {
    size_t wrong_pages = 0, decided = 0;
    for (uint32_t k = 0; k < 400; k++) {
        struct frs_rng rng = frs_rng_stream(20261127, 3, k, 0, FRS_RNG_TEST);
        struct page *page = new_page(ENTRIES, 1);
        static char nowhere[] = "";
        double truth[FRS_HEAD_COLUMNS][ENTRIES];
        bool wrong = false;
        page->environments[0] = nowhere;
        for (size_t i = 0; i < ENTRIES; i++) {
            for (size_t column = 0; column < FRS_HEAD_COLUMNS; column++)
                truth[column][i] = 2 * frs_rng_normal(&rng);
            for (size_t r = 0; r < 3 + k % 4; r++)
                add_run(page, i, 100 + 5 * (truth[FRS_HEAD_TIME][i] + frs_rng_normal(&rng)),
                    1e7 * (1 + 0.05 * (truth[FRS_HEAD_BYTES][i] + frs_rng_normal(&rng))),
                    0.5 - 0.01 * (truth[FRS_HEAD_QUALITY][i] + frs_rng_normal(&rng)));
        }
        struct frs_head head = frs_head_of(&page->ranking);
        for (size_t column = 0; column < FRS_HEAD_COLUMNS; column++) {
            wrong = check_column(page, &head.rows[0][column], (enum frs_head_column)column, truth[column]) ||
                    wrong;
            decided += head.rows[0][column].decided;
        }
        struct frs_findings findings = frs_ranking_findings(&page->ranking);
        char *sentence = frs_sentence(&page->ranking, &findings),
             *begins = frs_format("%s reaches ", names[head.rows[0][FRS_HEAD_TIME].leader]);
        ck_assert_msg(strncasecmp(sentence, begins, strlen(begins)) == 0, "%s", sentence);
        wrong_pages += wrong;
        free(begins);
        free(sentence);
        frs_findings_fini(&findings);
        frs_head_fini(&head);
        free_page(page);
    }
    printf("%zu of 400 pages are wrong; %zu of 1200 columns are decided\n", wrong_pages, decided);
    ck_assert_uint_le(wrong_pages, 20);
    ck_assert_uint_ge(decided, 100); /* saying nothing would be no merit */
}
END_TEST

int main(void) {
    Suite *suite = suite_create("head");
    TCase *tests = tcase_create("head");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, bytes_are_decided_where_time_is_not);
    tcase_add_test(tests, the_next_entry_is_the_nearest);
    tcase_add_test(tests, who_is_first_and_no_better_than_popularity);
    tcase_add_test(tests, one_seed_decides_nothing);
    tcase_add_test(tests, pages_without_differences_say_nothing);
    tcase_add_test(tests, pages_of_two_without_a_difference_say_little);
    tcase_add_test(tests, no_page_is_against_its_own_table);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
