/* Times of the day, multiples and rests, against tables and against a search by steps of a second. */
#include "actors/opening/pacing.h"
#include "actors/opening/rests.h"
#include "tests/support.h"

#include <math.h>

static double at(double hours, double minutes) {
    return 3600 * hours + 60 * minutes;
}

START_TEST(windows_are_read) {
    static const char *const good[] = {"22:00-06:00", "0:30-24:00", "09:05-09:06"},
                             *const bad[] = {"", "22-06", "22:00", "22:00-22:00", "24:00-0:00", "25:00-06:00",
                                 "22:60-06:00", "22:00-06:00 ", " 22:00-06:00", "-1:00-06:00", "24:30-1:00"};
    static const double from[] = {22, 0.5, 9 + 5 / 60.0}, to[] = {6, 0, 9 + 6 / 60.0};
    struct frs_day_window window;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert(frs_day_window_read(good[i], &window));
        ck_assert_double_eq_tol(window.from_s, 3600 * from[i], 1e-9);
        ck_assert_double_eq_tol(window.to_s, 3600 * to[i], 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (frs_day_window_read(bad[i], &window))
            ck_abort_msg("\"%s\" is read", bad[i]);
}
END_TEST

START_TEST(a_window_over_midnight) {
    struct frs_day_window window;
    double until_s;
    ck_assert(frs_day_window_read("22:00-06:00", &window));
    ck_assert(frs_day_window_at(&window, 0, &until_s));
    ck_assert_double_eq(until_s, at(6, 0));
    ck_assert(!frs_day_window_at(&window, at(6, 0), &until_s));
    ck_assert_double_eq(until_s, at(22, 0));
    ck_assert(frs_day_window_at(&window, at(22, 0), &until_s));
    ck_assert_double_eq(until_s, at(30, 0));
    ck_assert(frs_day_window_at(&window, at(5 + 240, 59), &until_s));
    ck_assert_double_eq(until_s, at(246, 0));
}
END_TEST

/* The first second from `now` on that is a multiple and in the window. */
static double searched_s(const struct frs_pacing *pacing, double now_s) {
    for (double time_s = ceil(now_s); time_s < now_s + 5 * FRS_DAY_S; time_s++) {
        double of_day_s = fmod(time_s + pacing->start_s, FRS_DAY_S);
        bool inside = pacing->window.from_s < pacing->window.to_s
                          ? of_day_s >= pacing->window.from_s && of_day_s < pacing->window.to_s
                          : of_day_s >= pacing->window.from_s || of_day_s < pacing->window.to_s;
        if (inside && fmod(time_s, pacing->every_s) == 0)
            return time_s;
    }
    return INFINITY;
}

START_TEST(openings_are_those_of_a_search) {
    static const char *const windows[] = {"22:00-06:00", "00:00-00:10", "11:59-12:01", "00:01-00:00"};
    static const double every_s[] = {1, 7, 60, 3600, 5400}, starts_s[] = {0, 79185, 86399};
    for (size_t i = 0; i < 4 * 5 * 3; i++) {
        struct frs_pacing pacing = {.every_s = every_s[i / 4 % 5], .start_s = starts_s[i / 20]};
        ck_assert(frs_day_window_read(windows[i % 4], &pacing.window));
        for (double now_s = 0; now_s < 2.5 * FRS_DAY_S; now_s += 9973) {
            double hand_s = searched_s(&pacing, now_s), opens_s = frs_pacing_opens_s(&pacing, now_s);
            if (isfinite(hand_s) ? opens_s != hand_s : opens_s < now_s + 4.9 * FRS_DAY_S)
                ck_abort_msg("%s every %g s, start %g s: %.15g instead of %.15g after %g", windows[i % 4],
                    pacing.every_s, pacing.start_s, opens_s, hand_s, now_s);
        }
    }
}
END_TEST

START_TEST(instants_are_one) {
    struct frs_pacing pacing = {.every_s = 0.1};
    for (int i = 1; i < 1000; i++)
        ck_assert_double_eq_tol(frs_pacing_opens_s(&pacing, i * 0.1 + 4e-10), i * 0.1, 1e-9);
    ck_assert_double_eq(frs_pacing_opens_s(&(struct frs_pacing){0}, 12.5), 12.5);
    /* on the hour, and never in this window */
    pacing = (struct frs_pacing){.every_s = 3600, .start_s = 60};
    ck_assert(frs_day_window_read("00:00-00:01", &pacing.window));
    ck_assert_double_eq(frs_pacing_opens_s(&pacing, 5), INFINITY);
}
END_TEST

static void note(struct frs_rests *rests, double selected_s, double known_s, enum frs_outcome outcome) {
    struct frs_participation p = {.client = 1, .result.outcome = outcome};
    p.times.selected_s = selected_s;
    p.times.known_s = known_s;
    frs_rests_note(rests, &p);
}

START_TEST(clients_rest) {
    const struct frs_pacing pacing = {.cool_down_s = 100, .per_day = 2, .start_s = at(12, 0)};
    struct frs_rests *rests = frs_rests_create(&pacing, 3);
    ck_assert_double_eq(frs_rests_until_s(rests, 1, 7), 7);
    note(rests, 0, 10, FRS_DELIVERED);
    ck_assert_double_eq(frs_rests_until_s(rests, 1, 50), 110);
    ck_assert_double_eq(frs_rests_until_s(rests, 1, 111), 111);
    ck_assert_double_eq(frs_rests_until_s(rests, 2, 50), 50);
    note(rests, 150, 170, FRS_UNAVAILABLE); /* spends nothing */
    note(rests, 150, 170, FRS_REFUSED);
    ck_assert_double_eq(frs_rests_until_s(rests, 1, 180), 180);
    /* the second of its day; the day ends twelve hours after the start */
    note(rests, 200, 230, FRS_DROPPED_UP);
    ck_assert_double_eq(frs_rests_until_s(rests, 1, 400), at(12, 0));
    /* one that begins before midnight counts for the day before */
    note(rests, at(12, 0) + 5, at(12, 0) + 10, FRS_LATE);
    ck_assert_double_eq(frs_rests_until_s(rests, 1, at(12, 0) + 20), at(12, 0) + 110);
    note(rests, at(35, 59), at(36, 0) - 50, FRS_DELIVERED);
    ck_assert_double_eq(frs_rests_until_s(rests, 1, at(36, 0) - 50), at(36, 0) + 50);
    frs_rests_destroy(rests);
    ck_assert_ptr_null(frs_rests_create(&(struct frs_pacing){.every_s = 5}, 3));
    ck_assert_double_eq(frs_rests_until_s(NULL, 1, 5), 5);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pacing");
    TCase *all = tcase_create("pacing");
    tcase_add_test(all, windows_are_read);
    tcase_add_test(all, a_window_over_midnight);
    tcase_add_test(all, openings_are_those_of_a_search);
    tcase_add_test(all, instants_are_one);
    tcase_add_test(all, clients_rest);
    suite_add_tcase(suite, all);
    return frs_test_run(suite);
}
