/* Availability that follows what clients are like: three clients by hand, the mean and the rank correlation
 * of many, under all models that know it. */
#include "platforms/availability/follows.h"
#include "tests/platforms/availability_fixture.h"

enum { CLIENTS = 8000 };

/* κ = 2 and p = 1/2: the thirds of the uniform distribution have the means 1/6, 1/2, 5/6. */
START_TEST(three_clients_by_hand) {
    const double usual[] = {3, 1, 2}, expected[] = {5 / 6.0, 1 / 6.0, .5};
    struct frs_reachability r = reachability_of("bernoulli", SETTINGS("follows", "uplink"), NULL, NULL, 3, 1);
    ck_assert(
        r.follows.by == FRS_HEARD_BY_UPLINK && r.follows.correlation == 1 && r.follows.concentration == 2);
    ck_assert(frs_reachability_follow(&r, usual, 1));
    for (uint32_t client = 0; client < 3; client++) {
        double n = 0, until_s;
        for (uint32_t round = 0; round < CLIENTS; round++)
            n += frs_reachable(&r, client, round, 0, 0, &until_s);
        ck_share(n / CLIENTS, expected[client], CLIENTS);
    }
    frs_reachability_fini(&r);
    r = reachability_of("bernoulli", SETTINGS("follows", "uplink", "correlation", "-1"), NULL, NULL, 3, 1);
    frs_reachability_follow(&r, usual, 1);
    ck_assert(r.place[0] == 0 && r.place[1] == 2 && r.place[2] == 1);
    frs_reachability_fini(&r);
    const double alike[] = {1, 1, 1};
    r = reachability_of("bernoulli", SETTINGS("follows", "speed"), NULL, NULL, 3, 1);
    ck_assert(!frs_reachability_follow(&r, alike, 1));
    frs_reachability_fini(&r);
}
END_TEST

/* The same clients under a staircase of four rounds, 1/6, 1/2, 5/6 and then .4 times as much, and under a
 * sine whose factor in round 1 of 4 is .3 + .7; those of a period of time are not known. */
START_TEST(probabilities_by_hand) {
    const double usual[] = {3, 1, 2}, expected[] = {5 / 6.0, 1 / 6.0, .5};
    struct frs_reachability r = reachability_of("bernoulli",
        SETTINGS("follows", "uplink", "dynamics", "staircase", "dynamics_period", "4 rounds"), NULL, NULL, 3,
        1);
    frs_reachability_follow(&r, usual, 1);
    ck_assert(frs_reachability_period(&r) == 4);
    for (uint32_t client = 0; client < 3; client++)
        for (uint32_t round = 0; round < 8; round++)
            ck_assert_double_eq_tol(frs_reachability_probability(&r, client, round),
                expected[client] * (round % 4 < 2 ? 1 : .4), 1e-12);
    frs_reachability_fini(&r);
    r = reachability_of("bernoulli",
        SETTINGS("p", "0.14", "dynamics", "interleaved_sine", "dynamics_period", "4 rounds"), NULL, NULL, 3,
        1);
    ck_assert_double_eq_tol(frs_reachability_probability(&r, 0, 1), .14, 1e-12);
    ck_assert_double_eq(frs_reachability_probability(&r, 0, 2), 0); /* .7 · .14 is below .1 */
    frs_reachability_fini(&r);
    r = reachability_of(
        "bernoulli", SETTINGS("dynamics", "sine", "dynamics_period", "1 h"), NULL, NULL, 3, 1);
    ck_assert(isnan(frs_reachability_probability(&r, 0, 0)) && frs_reachability_period(&r) == 1);
    frs_reachability_fini(&r);
}
END_TEST

/* κ = 0: a share p always answers, the others never; in their rounds asking them again is in vain. */
START_TEST(some_always_answer_and_others_never) {
    const double usual[] = {4, 3, 2, 1};
    struct frs_reachability r = reachability_of(
        "bernoulli", SETTINGS("p", "0.5", "follows", "uplink", "concentration", "0"), NULL, NULL, 4, 1);
    double until_s;
    frs_reachability_follow(&r, usual, 1);
    for (uint32_t client = 0; client < 4; client++)
        for (uint32_t round = 0; round < 50; round++)
            ck_assert(frs_reachable(&r, client, round, 0, 0, &until_s) == (client < 2));
    ck_assert(isinf(frs_reachable_next_s(&r, 3, 0, 0, 5)));
    frs_reachability_fini(&r);
}
END_TEST

static struct frs_reachability followed(const char *model, const char *const *settings, double *usual) {
    struct frs_reachability r = reachability_of(model, settings, NULL, NULL, CLIENTS, 2);
    for (uint32_t client = 0; client < CLIENTS; client++)
        usual[client] = (double)(client * 7919u % CLIENTS);
    ck_assert(frs_reachability_follow(&r, usual, 2));
    return r;
}

/* Spearman's correlation of the places; both are permutations of 0 … n − 1. */
static double rank_correlation(const struct frs_reachability *r, const double *usual) {
    double n = CLIENTS, squares = 0;
    for (uint32_t client = 0; client < CLIENTS; client++)
        squares += pow(r->place[client] - usual[client], 2);
    return 1 - 6 * squares / (n * (n * n - 1));
}

START_TEST(places_correlate_as_asked) {
    static const char *const correlations[] = {"1", "0.7", "0", "-0.5"};
    static double usual[CLIENTS];
    for (size_t i = 0; i < 4; i++) {
        struct frs_reachability r =
            followed("bernoulli", SETTINGS("follows", "taste", "correlation", correlations[i]), usual);
        ck_assert_double_eq_tol(rank_correlation(&r, usual), strtod(correlations[i], NULL),
            strcmp(correlations[i], "1") == 0 ? 1e-9 : 4 / sqrt(CLIENTS));
        frs_reachability_fini(&r);
    }
}
END_TEST

static double share_at(const struct frs_reachability *r, double t_s) {
    double online = 0;
    for (uint32_t client = 0; client < CLIENTS; client++)
        online += online_at(r, client, t_s);
    return online / CLIENTS;
}

/* The share of one fifth of the clients that is online, 0 being the fifth that is online least. */
static double share_of_fifth(const struct frs_reachability *r, double t_s, uint32_t fifth) {
    double online = 0, n = 0;
    for (uint32_t client = 0; client < CLIENTS; client++)
        if (r->place[client] / (CLIENTS / 5) == fifth) {
            online += online_at(r, client, t_s);
            n++;
        }
    return online / n;
}

/* The mean stays, with and without dynamics; half online and κ = 2: fifths of the uniform distribution. */
START_TEST(means_stay_and_fifths_differ) {
    static const char half[] = ".5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5,.5";
    static double usual[CLIENTS];
    const char *const *const settings[] = {
        SETTINGS("on", "1 h", "off", "1 h", "follows", "activity"),
        SETTINGS("on", "1 h", "off", "1 h", "follows", "activity", "dynamics", "staircase", "dynamics_period",
            "10 h"),
        SETTINGS("curve", half, "follows", "activity"),
        SETTINGS("curve", half, "follows", "activity", "dynamics", "staircase", "dynamics_period", "1 d"),
    };
    static const double half_periods_s[] = {0, 5 * HOUR_S, 0, DAY_S / 2};
    for (size_t i = 0; i < 4; i++) {
        struct frs_reachability r = followed(i < 2 ? "markov" : "diurnal", settings[i], usual);
        for (double t_s = 0; t_s < 2 * DAY_S; t_s += 9 * HOUR_S) {
            bool low = half_periods_s[i] > 0 && (int)(t_s / half_periods_s[i]) % 2;
            ck_share(share_at(&r, t_s), low ? .2 : .5, CLIENTS);
            ck_share(share_of_fifth(&r, t_s, 0), (low ? .4 : 1) * .1, CLIENTS / 8.0);
            ck_share(share_of_fifth(&r, t_s, 4), (low ? .4 : 1) * .9, CLIENTS / 8.0);
        }
        ck_assert_double_eq_tol(frs_reachability_most_online(&r), CLIENTS / 2, 1e-3 * CLIENTS);
        frs_reachability_fini(&r);
    }
}
END_TEST

/* A chain's sessions stay as long; every change is exact. */
START_TEST(changes_are_exact) {
    static double usual[CLIENTS];
    struct frs_reachability r =
        followed("markov", SETTINGS("follows", "speed", "concentration", "0.5"), usual);
    for (uint32_t client = 0; client < 500; client++) {
        double until_s, later_s, t_s = 1000.0 * client;
        bool online = frs_reachable(&r, client, 0, 0, t_s, &until_s);
        if (isinf(until_s))
            continue;
        ck_assert_double_gt(until_s, t_s);
        ck_assert(frs_reachable(&r, client, 0, 0, until_s, &later_s) != online);
        ck_assert(frs_reachable(&r, client, 0, 0, nextafter(until_s, 0), &later_s) == online);
    }
    frs_reachability_fini(&r);
}
END_TEST

START_TEST(one_way_to_differ_is_enough) {
    refuses_availability("diurnal", SETTINGS("propensity", "fedscale", "follows", "speed"), NULL,
        "clients differ as measured devices do already");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("follows");
    TCase *tests = tcase_create("follows");
    tcase_add_test(tests, three_clients_by_hand);
    tcase_add_test(tests, probabilities_by_hand);
    tcase_add_test(tests, some_always_answer_and_others_never);
    tcase_add_test(tests, places_correlate_as_asked);
    tcase_add_test(tests, means_stay_and_fifths_differ);
    tcase_add_test(tests, changes_are_exact);
    tcase_add_test(tests, one_way_to_differ_is_enough);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
