/* The search for the largest or smallest good setting: what it tries, and that it finds what trying all
 * would. */
#include "sim/solve/search.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/solve/question.h"
#include "tests/folder.h"

#include <math.h>
#include <stdint.h>

enum { MOST = 100 };

struct made {
    double figures[MOST], bound;
    bool tried[MOST];
    size_t n_tried, budget;
};

static enum frs_status try_made(void *context, const size_t *settings, size_t n, struct frs_errors *unused) {
    struct made *made = context;
    (void)unused;
    for (size_t i = 0; i < n; i++) {
        made->n_tried += !made->tried[settings[i]];
        made->tried[settings[i]] = true;
    }
    return FRS_OK;
}

static bool is_good(void *context, size_t setting) {
    struct made *made = context;
    ck_assert(made->tried[setting]);
    return made->figures[setting] <= made->bound;
}

static double distance(void *context, size_t setting) {
    struct made *made = context;
    ck_assert(made->tried[setting] && made->figures[setting] > made->bound);
    return made->figures[setting] - made->bound;
}

static int step(void *context, size_t a, size_t b) {
    struct made *made = context;
    ck_assert(made->tried[a] && made->tried[b]);
    return (made->figures[b] > made->figures[a]) - (made->figures[b] < made->figures[a]);
}

static bool is_better(void *context, size_t a, size_t b) {
    struct made *made = context;
    return made->figures[b] > made->figures[a];
}

static struct frs_found search(struct made *made, size_t n, enum frs_wanted wanted) {
    bool known[MOST];
    memcpy(known, made->tried, sizeof known);
    const struct frs_search what = {
        n, wanted, made->budget, known, made, try_made, is_good, distance, step, is_better};
    struct frs_found found;
    ck_assert_int_eq(frs_search_run(&what, &found, &errors), FRS_OK);
    return found;
}

/* 0, 1, 2, ... 63 with a bound of 22.5: 63 and 0, then 32, 16, 24, 20, 22 and 23. */
START_TEST(halving_finds_the_last_good_setting) {
    struct made made = {.bound = 22.5};
    for (size_t i = 0; i < 64; i++)
        made.figures[i] = (double)i;
    struct frs_found found = search(&made, 64, FRS_LARGEST);
    ck_assert(found.any && found.by_halving && found.has_next);
    ck_assert_uint_eq(found.setting, 22);
    ck_assert_uint_eq(found.next, 23);
    ck_assert_uint_eq(found.untried, 37); /* 25 to 31 and 33 to 62: assumed to be as bad as those tried */
    ck_assert_uint_eq(made.n_tried, 8);
    struct made loose = {.bound = 100};
    found = search(&loose, 64, FRS_LARGEST);
    ck_assert_uint_eq(found.setting, 63);
    ck_assert(!found.has_next);
    ck_assert_uint_eq(loose.n_tried, 1);
    ck_assert_uint_eq(found.untried, 0);
}
END_TEST

/* That no setting is good is known once all have been tried, and not from three of them. */
START_TEST(no_good_setting_is_known_after_all) {
    struct made made = {.bound = -1}, few;
    for (size_t i = 0; i < 64; i++)
        made.figures[i] = (double)i;
    few = made;
    struct frs_found found = search(&made, 64, FRS_LARGEST);
    ck_assert(!found.any && !found.by_halving);
    ck_assert_uint_eq(made.n_tried, 64);
    ck_assert_uint_eq(found.untried, 0);
    few.budget = 20;
    found = search(&few, 64, FRS_LARGEST);
    ck_assert(!found.any);
    ck_assert_uint_eq(few.n_tried, 20);
    ck_assert_uint_eq(found.untried, 44);
    few.budget = 30; /* goes on with what is known */
    found = search(&few, 64, FRS_LARGEST);
    ck_assert_uint_eq(few.n_tried, 30);
    ck_assert_uint_eq(found.untried, 34);
}
END_TEST

/* hr@10 of the deadlines 0.3, 0.5, 1, 2, 4, 8 and 16 s, to be at least 0.45: neither the ends nor the middle
 * are, the third is. */
START_TEST(test_only_an_inner_one) {
    struct made made = {.bound = -0.45, .figures = {-0.355, -0.431, -0.453, -0.431, -0.424, -0.424, -0.424}};
    struct frs_found found = search(&made, 7, FRS_LARGEST);
    ck_assert(found.any && found.untried == 0);
    ck_assert_uint_eq(found.setting, 2);
    ck_assert_uint_eq(found.next, 3);
}
END_TEST

/* 9.5 and 0 at the ends, and 12 in the middle: the figure rises and falls again, so that halving would miss
 * the seventh setting, and all are tried. */
START_TEST(a_figure_that_turns_is_not_halved) {
    struct made made = {.bound = 5, .figures = {0, 9, 1, 2, 12, 9, 4, 9, 9.5}};
    struct frs_found found = search(&made, 9, FRS_LARGEST);
    ck_assert(found.any && !found.by_halving);
    ck_assert_uint_eq(found.setting, 6);
    ck_assert_uint_eq(made.n_tried, 9);
}
END_TEST

/* Both ends are as near to the bound, and the middle is far from it: the fourth and last try is beside the
 * end that is wanted, and finds the good setting there. */
START_TEST(of_two_as_near_the_wanted_one_is_explored) {
    const struct made made = {.budget = 4, .bound = 5, .figures = {6, 9, 5, 9, 20, 9, 5, 9, 6}};
    struct made up = made, down = made;
    struct frs_found found = search(&up, 9, FRS_SMALLEST);
    ck_assert(found.any && !found.by_halving && up.n_tried == 4);
    ck_assert_uint_eq(found.setting, 2);
    found = search(&down, 9, FRS_LARGEST);
    ck_assert(found.any && !found.by_halving && down.n_tried == 4);
    ck_assert_uint_eq(found.setting, 6);
}
END_TEST

/* One valley, of more settings than the budget: a good stretch as wide as n / budget is always found, from
 * both ends, and so is its end; a narrower one is nearly always, because every other try is beside the
 * nearest. What lies beyond is not known. */
START_TEST(wide_valleys_are_found) {
    size_t n_found = 0, n_narrow = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        struct frs_rng rng = frs_rng_stream(20260104, k, 0, 0, FRS_RNG_TEST);
        enum frs_wanted wanted = frs_rng_below(&rng, 2) ? FRS_LARGEST : FRS_SMALLEST;
        struct made made = {.budget = 20};
        bool is_wide = frs_rng_below(&rng, 2);
        double middle = 10 + (double)frs_rng_below(&rng, 80), width = is_wide ? 5 : 1;
        for (size_t i = 0; i < MOST; i++)
            made.figures[i] = fabs((double)i - middle);
        made.bound = width;
        struct frs_found found = search(&made, MOST, wanted);
        ck_assert_uint_le(made.n_tried, 20);
        ck_assert(found.any || !is_wide);
        n_narrow += !is_wide;
        n_found += !is_wide && found.any;
        if (found.any) {
            double end = wanted == FRS_LARGEST ? middle + width : middle - width;
            ck_assert_double_eq((double)found.setting, end);
            ck_assert(!found.by_halving);
        }
    }
    ck_assert_uint_ge(10 * n_found, 9 * n_narrow);
}
END_TEST

/* Good only in the middle: the ends are not, and an inner one is. 3·25 + 1 = 76, and 3·36 + 1 = 109. */
START_TEST(test_all_are_tried) {
    struct made made = {.bound = 100};
    for (size_t i = 0; i < 21; i++)
        made.figures[i] = 3 * (((double)i - 10) * ((double)i - 10)) + 1;
    struct made again = made;
    struct frs_found found = search(&made, 21, FRS_LARGEST);
    ck_assert(found.any && !found.by_halving);
    ck_assert_uint_eq(found.setting, 15);
    ck_assert_uint_eq(found.next, 16);
    ck_assert_uint_eq(made.n_tried, 21);
    found = search(&again, 21, FRS_SMALLEST);
    ck_assert_uint_eq(found.setting, 5);
}
END_TEST

START_TEST(best_has_the_largest_figure) {
    struct made made = {.bound = 5, .figures = {1, 7, 5, 3, 4}};
    struct frs_found found = search(&made, 5, FRS_BEST);
    ck_assert_uint_eq(found.setting, 2);
    made.bound = 0;
    ck_assert(!search(&made, 5, FRS_BEST).any);
}
END_TEST

/* Rising and falling figures: the answer is that of trying all, from a third of them at most. */
START_TEST(search_finds_what_trying_all_finds) {
    for (uint32_t k = 0; k < 2000; k++) {
        struct frs_rng rng = frs_rng_stream(20260103, k, 0, 0, FRS_RNG_TEST);
        size_t n = 24 + frs_rng_below(&rng, 40), right = SIZE_MAX;
        enum frs_wanted wanted = frs_rng_below(&rng, 2) ? FRS_LARGEST : FRS_SMALLEST;
        double direction = frs_rng_below(&rng, 2) ? 1 : -1;
        struct made made = {.bound = direction * 1.3 * (double)n * frs_rng_unit(&rng)};
        for (size_t i = 0; i < n; i++)
            made.figures[i] = (i ? made.figures[i - 1] : 0) + direction * 2 * frs_rng_unit(&rng);
        struct frs_found found = search(&made, n, wanted);
        for (size_t i = 0; i < n; i++)
            if (made.figures[i] <= made.bound && (right == SIZE_MAX || wanted == FRS_LARGEST))
                right = i;
        ck_assert_uint_eq(found.any, right != SIZE_MAX);
        if (found.any)
            ck_assert_uint_eq(found.setting, right);
        else
            ck_assert_uint_eq(made.n_tried, n);
        ck_assert(!found.any || 3 * made.n_tried <= n);
    }
}
END_TEST

/* ---- what is asked ---- */

START_TEST(questions_are_parsed) {
    struct frs_question q;
    ck_assert_int_eq(frs_question_parse("method.rank = 2..8 step 3", "time_to_target_s <= 1 h", FRS_LARGEST,
                         NULL, &q, &errors),
        FRS_OK);
    ck_assert_str_eq(q.axis, "method.rank");
    ck_assert_uint_eq(q.n, 3);
    ck_assert_str_eq(q.values[2], "8");
    ck_assert_str_eq(q.metric, "time_to_target_s");
    ck_assert(q.at_most);
    ck_assert_double_eq(q.bound, 3600);
    const size_t some[] = {2, 0};
    char *axis = frs_question_axis(&q, some, 2);
    ck_assert_str_eq(axis, "method.rank = 8, 2");
    free(axis);
    frs_question_fini(&q);
    ck_assert_int_eq(
        frs_question_parse("a.b=x, y", "modelled.energy_j >= 2 kJ", FRS_LARGEST, NULL, &q, &errors), FRS_OK);
    ck_assert_str_eq(q.values[1], "y");
    ck_assert(!q.at_most);
    ck_assert_double_eq(q.bound, 2000);
    frs_question_fini(&q);
}
END_TEST

START_TEST(wrong_questions_are_refused) {
    static const char *const settings[] = {"method.rank", "a = 1", "a = 5..2", "a = 1..99999", "a = 1..2.5",
        "= 1..2", "a = 1, , 2", "a, b = 1, 2", "x | y: a=1", "a = 1..4 step 0", "a = 1..4 step 9"};
    static const char *const bounds[] = {"time", "<= 3", "simulated_s <= 3 GB", "hr@10 >= x", "hr@10 >= 1 s",
        "a b <= 3", "hr@10 >= nan", "bytes.total <= "};
    struct frs_question q;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        ck_assert_int_eq(
            frs_question_parse(settings[i], "hr@10 >= 1", FRS_LARGEST, NULL, &q, &errors), FRS_ERR_INPUT);
        ck_assert_msg(errors.n == 1 && strncmp(errors.lines[0], "--vary ", 7) == 0, "%s", settings[i]);
        frs_errors_clear(&errors);
    }
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        ck_assert_int_eq(
            frs_question_parse("a = 1..3", bounds[i], FRS_LARGEST, NULL, &q, &errors), FRS_ERR_INPUT);
        ck_assert_msg(errors.n == 1 && strncmp(errors.lines[0], "--until ", 8) == 0, "%s", bounds[i]);
        frs_errors_clear(&errors);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("search");
    TCase *tests = tcase_create("search");
    tcase_add_test(tests, halving_finds_the_last_good_setting);
    tcase_add_test(tests, no_good_setting_is_known_after_all);
    tcase_add_test(tests, test_only_an_inner_one);
    tcase_add_test(tests, a_figure_that_turns_is_not_halved);
    tcase_add_test(tests, of_two_as_near_the_wanted_one_is_explored);
    tcase_add_test(tests, wide_valleys_are_found);
    tcase_add_test(tests, test_all_are_tried);
    tcase_add_test(tests, best_has_the_largest_figure);
    tcase_add_test(tests, search_finds_what_trying_all_finds);
    tcase_add_test(tests, questions_are_parsed);
    tcase_add_test(tests, wrong_questions_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
