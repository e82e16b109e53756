/* The diurnal model: the share of clients online follows the curve. */
#include "platforms/chains/curve.h"
#include "platforms/data/fedscale_availability.h"
#include "tests/platforms/availability_fixture.h"

#ifndef CASES
#define CASES(n) FRS_TEST_CASES((n) / 4)
#endif

enum { CLIENTS = CASES(20000) };

static const char evening[] =
    "0.3,0.25,0.1,0.05,0.02,0.01,0.05,0.1,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.25,0.3,0.4,0.6,"
    "0.8,0.9,0.85,0.6,0.4";

static double share_at(const struct frs_reachability *r, double t_s) {
    double online = 0;
    for (uint32_t client = 0; client < CLIENTS; client++)
        online += online_at(r, client, t_s);
    return online / CLIENTS;
}

static void read_curve(const char *text, double share[FRS_DAY_HOURS]) {
    struct frs_values values = frs_values_of(plugin_of("diurnal")->params, SETTINGS("curve", text));
    struct frs_errors errors = {0};
    ck_assert(frs_curve_read(&values, "curve", "fedscale", NULL, share, &errors));
    frs_values_fini(&values);
}

/* At every hour and half hour of the third day, for several session lengths. */
START_TEST(shares_follow_the_curve) {
    static const char *const curves[] = {"fedscale", evening}, *const sessions[] = {
                                                                   "1 min", "30 min", "10 h"};
    for (int c = 0; c < 2; c++) {
        double share[FRS_DAY_HOURS];
        read_curve(curves[c], share);
        for (int s = 0; s < 3; s++) {
            struct frs_reachability r = reachability_of(
                "diurnal", SETTINGS("curve", curves[c], "session", sessions[s]), NULL, NULL, CLIENTS, 5);
            for (size_t half = 0; half < 48; half++) {
                double t_s = 2 * DAY_S + (double)half * HOUR_S / 2;
                size_t hour = half / 2, next = (hour + 1) % FRS_DAY_HOURS;
                ck_share(
                    share_at(&r, t_s), half % 2 ? (share[hour] + share[next]) / 2 : share[hour], CLIENTS);
            }
            frs_reachability_fini(&r);
        }
    }
}
END_TEST

/* The time that clients spend online in each hour of the first day: the mean of the hour's ends. Averages
 * over an hour vary less than a snapshot, so a snapshot's bound holds. */
START_TEST(time_online_per_hour) {
    double share[FRS_DAY_HOURS], online_s[FRS_DAY_HOURS] = {0};
    read_curve(evening, share);
    struct frs_reachability r =
        reachability_of("diurnal", SETTINGS("curve", evening, "session", "20 min"), NULL, NULL, CLIENTS, 6);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        for (double t_s = 0, until_s; t_s < DAY_S; t_s = until_s) {
            bool online = frs_reachable(&r, client, 0, 0, t_s, &until_s);
            for (size_t hour = (size_t)(t_s / HOUR_S); online && hour < 24 && (double)hour * HOUR_S < until_s;
                 hour++)
                online_s[hour] +=
                    fmin(until_s, (double)(hour + 1) * HOUR_S) - fmax(t_s, (double)hour * HOUR_S);
        }
    }
    for (size_t hour = 0; hour < FRS_DAY_HOURS; hour++)
        ck_share(online_s[hour] / HOUR_S / CLIENTS, (share[hour] + share[(hour + 1) % 24]) / 2, CLIENTS);
    frs_reachability_fini(&r);
}
END_TEST

/* Sessions last `session` on average where the curve does not fall faster than that. */
START_TEST(sessions_last_as_long_as_set) {
    const char *flat =
        "0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2,0.2";
    const char *const curves[] = {flat, "fedscale"};
    for (int c = 0; c < 2; c++) {
        struct frs_reachability r = reachability_of(
            "diurnal", SETTINGS("curve", curves[c], "session", "45 min"), NULL, NULL, CLIENTS, 6);
        double sum_s = 0, n = 0, until_s;
        for (uint32_t client = 0; client < CLIENTS; client++) {
            if (!frs_reachable(&r, client, 0, 0, DAY_S, &until_s))
                continue;
            sum_s += until_s - DAY_S;
            n++;
        }
        ck_assert_double_gt(n, 0.15 * CLIENTS);
        ck_assert_double_le(fabs(sum_s / n / (45 * 60) - 1), 4 / sqrt(n));
        frs_reachability_fini(&r);
    }
}
END_TEST

/* From 9 to 10 o'clock all clients go: sessions end early, and none is left. */
START_TEST(curves_that_fall_to_zero) {
    struct frs_reachability r = reachability_of("diurnal",
        SETTINGS("curve", "0,0,0,0,0,0,0,0,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "session", "10 d"), NULL, NULL,
        CLIENTS, 6);
    for (int day = 0; day < 3; day++) {
        ck_assert_double_le(share_at(&r, day * DAY_S + 6 * HOUR_S), 0.001);
        ck_assert_double_ge(share_at(&r, day * DAY_S + 8 * HOUR_S), 0.999);
        ck_assert_double_ge(share_at(&r, day * DAY_S + 9 * HOUR_S), 0.999);
        ck_share(share_at(&r, day * DAY_S + 9.5 * HOUR_S), 0.5, CLIENTS);
        ck_assert_double_le(share_at(&r, day * DAY_S + 10 * HOUR_S), 0.001);
    }
    frs_reachability_fini(&r);
}
END_TEST

/* `start` moves the clock; time zones over a whole day leave nothing of the curve but its mean. */
START_TEST(start_and_time_zones_move_the_curve) {
    double share[FRS_DAY_HOURS], mean = 0;
    read_curve(evening, share);
    for (size_t hour = 0; hour < FRS_DAY_HOURS; hour++)
        mean += share[hour] / FRS_DAY_HOURS;
    struct frs_reachability r =
        reachability_of("diurnal", SETTINGS("curve", evening, "start", "18 h"), NULL, NULL, CLIENTS, 6);
    ck_share(share_at(&r, 0), share[18], CLIENTS);
    ck_share(share_at(&r, 2 * HOUR_S), share[20], CLIENTS);
    ck_share(share_at(&r, 6 * HOUR_S), share[0], CLIENTS);
    frs_reachability_fini(&r);
    r = reachability_of("diurnal", SETTINGS("curve", evening, "time_zones", "24 h"), NULL, NULL, CLIENTS, 6);
    ck_share(share_at(&r, 0), mean, CLIENTS);
    ck_share(share_at(&r, 19 * HOUR_S), mean, CLIENTS);
    frs_reachability_fini(&r);
    /* Over two hours: the mean of the curve from 19 to 21 o'clock. */
    r = reachability_of("diurnal", SETTINGS("curve", evening, "time_zones", "2 h"), NULL, NULL, CLIENTS, 6);
    ck_share(share_at(&r, 19 * HOUR_S), (0.8 + 0.9) / 4 + (0.9 + 0.85) / 4, CLIENTS);
    frs_reachability_fini(&r);
}
END_TEST

/* Devices that differ: the same curve for all together, but some are hardly ever there. */
START_TEST(devices_differ_around_one_curve) {
    double share[FRS_DAY_HOURS], split[FRS_PROPENSITIES][FRS_DAY_HOURS];
    read_curve("fedscale", share);
    frs_curve_split(share, split);
    for (size_t hour = 0; hour < FRS_DAY_HOURS; hour++) {
        double mean = 0;
        for (size_t g = 0; g < FRS_PROPENSITIES; g++) {
            mean += split[g][hour] / FRS_PROPENSITIES;
            ck_assert(g == 0 || split[g][hour] > split[g - 1][hour]);
        }
        ck_assert_double_eq_tol(mean, share[hour], 1e-12);
    }
    ck_assert_double_lt(split[0][0], 0.03);
    ck_assert_double_gt(split[FRS_PROPENSITIES - 1][0], 0.5);
    struct frs_reachability r =
        reachability_of("diurnal", SETTINGS("propensity", "fedscale"), NULL, NULL, CLIENTS, 6);
    for (int hour = 0; hour < 24; hour += 3)
        ck_share(share_at(&r, DAY_S + hour * HOUR_S), share[hour], CLIENTS);
    /* A client that is online now is more likely than others to be online at the same hour in three days. */
    double now = 0, again = 0;
    for (uint32_t client = 0; client < CLIENTS; client++)
        if (online_at(&r, client, DAY_S)) {
            now++;
            again += online_at(&r, client, 4 * DAY_S);
        }
    double expected = 0, of = 0;
    for (size_t g = 0; g < FRS_PROPENSITIES; g++) {
        of += split[g][0];
        expected += split[g][0] * split[g][0];
    }
    ck_share(again / now, expected / of, now);
    frs_reachability_fini(&r);
}
END_TEST

static double by_id(const void *devices, uint64_t seed, uint32_t client) {
    (void)devices, (void)seed;
    return (client + 0.5) / CLIENTS;
}

/* Share of the slower (0) or faster (1) half that is online, speeds ascending with the id. */
static double half_online(const struct frs_reachability *r, uint32_t half) {
    double online = 0;
    for (uint32_t i = 0; i < CLIENTS / 2; i++)
        online += online_at(r, half * (CLIENTS / 2) + i, DAY_S);
    return online / (CLIENTS / 2);
}

/* Fast devices are online more (correlation 0.8), less (-0.8), or equally; all together follow the curve. */
START_TEST(availability_follows_speed) {
    static const char *const correlations[] = {"0.8", "-0.8", "0"};
    for (int i = 0; i < 3; i++) {
        struct frs_reachability r = reachability_of("diurnal",
            SETTINGS("propensity", "fedscale", "speed_correlation", correlations[i]), NULL, NULL, CLIENTS, 9);
        frs_reachability_tie_to_speed(&r, by_id, NULL);
        double slow = half_online(&r, 0), fast = half_online(&r, 1), share[FRS_DAY_HOURS];
        read_curve("fedscale", share);
        ck_share((slow + fast) / 2, share[0], CLIENTS);
        if (i == 0)
            ck_assert_double_gt(fast, 1.8 * slow);
        else if (i == 1)
            ck_assert_double_gt(slow, 1.8 * fast);
        else
            ck_assert_double_lt(fabs(fast - slow), 0.03);
        frs_reachability_fini(&r);
    }
}
END_TEST

/* The curve is the mean of the four measured days. */
START_TEST(the_built_in_curve) {
    double share[FRS_DAY_HOURS], sum = 0;
    read_curve("fedscale", share);
    ck_assert_double_eq_tol(share[0], (19.07 + 17.11 + 17.12 + 17.04) / 400, 1e-12);
    ck_assert_double_eq_tol(share[23], (16.10 + 15.82 + 15.81 + 15.36) / 400, 1e-12);
    for (size_t hour = 0; hour < FRS_DAY_HOURS; hour++)
        sum += share[hour];
    ck_assert_double_eq_tol(sum / FRS_DAY_HOURS, 0.20333854166666665, 1e-12);
    double density = 0;
    for (size_t i = 0; i < FRS_FEDSCALE_TOTALS; i++)
        density += frs_fedscale_total_hours_density[i];
    ck_assert_double_eq_tol(density, 0.99325, 1e-6);
}
END_TEST

START_TEST(malformed_curves_are_refused) {
#define REFUSES(text, message) refuses_availability("diurnal", SETTINGS("curve", text), NULL, message)
    REFUSES("0.1,0.2", "test.curve: has 2 numbers; allowed: \"fedscale\", or 24 numbers");
    REFUSES("", "\"\" at position 1 is not a share");
    REFUSES("fedscal", "\"fedscal\" at position 1 is not a share");
    REFUSES("0.1,1.2", "\"1.2\" at position 2 is not a share");
    REFUSES("0.1,,0.2", "\"\" at position 2");
    REFUSES("0.1,-0.2", "\"-0.2\" at position 2");
    REFUSES("nan", "\"nan\" at position 1");
    REFUSES("0x1", "\"0x1\" at position 1");
    REFUSES("0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "has 25 numbers");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("availability_diurnal");
    TCase *tests = tcase_create("availability_diurnal");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, shares_follow_the_curve);
    tcase_add_test(tests, time_online_per_hour);
    tcase_add_test(tests, sessions_last_as_long_as_set);
    tcase_add_test(tests, curves_that_fall_to_zero);
    tcase_add_test(tests, start_and_time_zones_move_the_curve);
    tcase_add_test(tests, devices_differ_around_one_curve);
    tcase_add_test(tests, availability_follows_speed);
    tcase_add_test(tests, the_built_in_curve);
    tcase_add_test(tests, malformed_curves_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
