/* Dynamics of availability: the probability against its formulas to 1e-12, in rounds and in seconds; shares
 * of drawn clients within their intervals; the chains' shares at the edges of pieces; what is refused. */
#include "platforms/chains/dynamics.h"
#include "platforms/chains/share_chain.h"
#include "tests/platforms/availability_fixture.h"

enum { DRAWS = 100000 };

/* By hand, in rounds: a period is of 20. */
static double expected(const char *dynamics, double p, double gamma, unsigned round) {
    double sine = (gamma * sin(2 * 3.14159265358979323846 * round / 20) + 1 - gamma) * p;
    if (strcmp(dynamics, "staircase") == 0)
        return round / 10 % 2 == 0 ? p : .4 * p;
    if (strcmp(dynamics, "sine") == 0)
        return sine;
    if (strcmp(dynamics, "interleaved_sine") == 0)
        return sine < .1 ? 0 : sine;
    return p;
}

static const char *const names[] = {"stationary", "staircase", "sine", "interleaved_sine"};

static struct frs_dynamics dynamics_of(const char *model, const char *const *settings) {
    struct frs_values values = frs_values_of(plugin_of(model)->params, settings);
    struct frs_errors errors = {0};
    struct frs_dynamics dynamics;
    ck_assert(frs_dynamics_read(&dynamics, &values, &errors));
    frs_values_fini(&values);
    return dynamics;
}

START_TEST(probabilities_are_the_formulas) {
    static const double probabilities[] = {0, .02, .15, .5, .93, 1};
    static const char *const gammas[] = {"0.1", "0.2", "0.3", "0.5"};
    for (size_t d = 0; d < 4; d++)
        for (size_t g = 0; g < 4; g++) {
            struct frs_dynamics in_rounds =
                dynamics_of("bernoulli", SETTINGS("dynamics", names[d], "amplitude", gammas[g]));
            struct frs_dynamics in_time = dynamics_of("markov",
                SETTINGS("dynamics", names[d], "amplitude", gammas[g], "dynamics_period", "20 min"));
            for (unsigned round = 0; round < 90; round++)
                for (size_t i = 0; i < 6; i++) {
                    double p = probabilities[i],
                           right = expected(names[d], p, strtod(gammas[g], NULL), round);
                    ck_assert_double_eq_tol(
                        frs_dynamics_share(&in_rounds, p, frs_dynamics_periods(&in_rounds, round, 1e6)),
                        right, 1e-12);
                    ck_assert_double_eq_tol(
                        frs_dynamics_share(&in_time, p, frs_dynamics_periods(&in_time, 3, 60.0 * round)),
                        right, 1e-12);
                }
        }
}
END_TEST

/* γ .5 falls to 0, γ .8 would fall below: it is cut there. */
START_TEST(probabilities_stay_within_0_and_1) {
    struct frs_dynamics wild = dynamics_of("markov", SETTINGS("dynamics", "sine", "amplitude", "0.8"));
    ck_assert_double_eq(frs_dynamics_share(&wild, .9, .75), 0);
    ck_assert_double_eq_tol(frs_dynamics_share(&wild, .9, .25), .9, 1e-15);
    ck_assert_double_eq_tol(frs_dynamics_share(&wild, .5, 7.5), .1, 1e-12);
}
END_TEST

/* Clients that answer in a round, and at a time: p .5 under each of the dynamics. */
START_TEST(answers_are_as_often_as_the_formulas_say) {
    static const unsigned rounds[] = {0, 5, 9, 10, 15, 19, 20, 30};
    for (size_t d = 0; d < 4; d++) {
        struct frs_reachability by_round =
            reachability_of("bernoulli", SETTINGS("p", "0.15", "dynamics", names[d]), NULL, NULL, DRAWS, 3);
        struct frs_reachability by_time = reachability_of("bernoulli",
            SETTINGS("p", "0.15", "dynamics", names[d], "dynamics_period", "20 h"), NULL, NULL, DRAWS, 4);
        for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
            double until_s, n[2] = {0}, right = expected(names[d], .15, .3, rounds[i]);
            for (uint32_t client = 0; client < DRAWS; client++) {
                n[0] += frs_reachable(&by_round, client, rounds[i], 0, 77, &until_s);
                n[1] += frs_reachable(&by_time, client, 2, 0, rounds[i] * HOUR_S, &until_s);
            }
            ck_share(n[0] / DRAWS, right, DRAWS);
            ck_share(n[1] / DRAWS, right, DRAWS);
        }
        frs_reachability_fini(&by_round);
        frs_reachability_fini(&by_time);
    }
}
END_TEST

/* Asking again is in vain in a round of probability 0, and helps at a time of probability 0. */
START_TEST(no_client_answers_in_a_round_without_chances) {
    const char *const *settings = SETTINGS("p", "0.15", "dynamics", "interleaved_sine", "retry", "1 min");
    struct frs_reachability by_round = reachability_of("bernoulli", settings, NULL, NULL, 10, 3);
    ck_assert(isinf(frs_reachable_next_s(&by_round, 3, 15, 0, 5)));
    ck_assert(isfinite(frs_reachable_next_s(&by_round, 3, 5, 0, 5)));
    struct frs_reachability by_time = reachability_of("bernoulli",
        SETTINGS("p", "0.15", "dynamics", "interleaved_sine", "dynamics_period", "20 h"), NULL, NULL, 10, 3);
    ck_assert_double_eq(frs_reachable_next_s(&by_time, 3, 15, 0, 15 * HOUR_S), 15 * HOUR_S + 60);
    frs_reachability_fini(&by_round);
    frs_reachability_fini(&by_time);
}
END_TEST

/* The share that the rates of a chain lead to, by the exact solution of its equation on each piece. */
static void check_edges(const struct frs_two_state *chain, const double *edge) {
    double m = chain->initial_share;
    for (size_t i = 0; i < 2 * chain->online.n; i++) {
        size_t piece = i % chain->online.n;
        double a = chain->online.per_s[piece], b = chain->offline.per_s[piece], q = a / (a + b);
        ck_assert_double_eq_tol(m, edge[piece], 1e-12);
        m = q + (m - q) * exp(-(a + b) * chain->online.piece_s);
    }
    ck_assert_double_eq_tol(m, edge[0], 1e-12);
}

START_TEST(rates_lead_to_the_formulas) {
    enum { PIECES = 240 };
    static const double sessions_s[] = {60, 1800, 1e6};
    for (size_t d = 0; d < 4; d++)
        for (size_t s = 0; s < 3; s++) {
            double edge[PIECES + 1];
            struct frs_share_chain chain = {0};
            for (size_t i = 0; i <= PIECES; i++)
                edge[i] = frs_share_within(expected(names[d], .23, .3, (unsigned)(i * 20 / PIECES)));
            frs_share_chain_fill(&chain, PIECES, 3600.0 / PIECES, edge, sessions_s[s], 1, FRS_ONLINE_STREAMS);
            check_edges(&chain.chain, edge);
            frs_share_chain_fini(&chain);
        }
}
END_TEST

static double share_at(const struct frs_reachability *r, double t_s) {
    double online = 0;
    for (uint32_t client = 0; client < DRAWS / 5; client++)
        online += online_at(r, client, t_s);
    return online / (DRAWS / 5);
}

/* Sessions of 20 min and gaps of 40: a third are online, times the dynamics; a period of 2 h, in its second
 * run. The cliff of a staircase lies in the piece before it. */
START_TEST(clients_of_a_chain_are_as_many_as_the_formulas_say) {
    for (size_t d = 0; d < 4; d++) {
        struct frs_reachability r = reachability_of("markov",
            SETTINGS("on", "20 min", "off", "40 min", "dynamics", names[d], "dynamics_period", "2 h"), NULL,
            NULL, DRAWS / 5, 5);
        for (unsigned round = 0; round < 20; round += 3)
            ck_share(
                share_at(&r, 2 * HOUR_S + round * 360.0), expected(names[d], 1 / 3.0, .3, round), DRAWS / 5);
        ck_assert_double_eq_tol(frs_reachability_most_online(&r), DRAWS / 15.0, 1e-6 * DRAWS);
        frs_reachability_fini(&r);
    }
}
END_TEST

/* A curve of 40 % all day, times a week's staircase: by the clients' clocks, which show 12 h at the start. */
START_TEST(the_curve_is_multiplied) {
    static const char flat[] = ".4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4";
    struct frs_reachability r = reachability_of("diurnal",
        SETTINGS("curve", flat, "dynamics", "staircase", "dynamics_period", "7 d", "start", "12 h"), NULL,
        NULL, DRAWS / 5, 6);
    ck_share(share_at(&r, 0), .4, DRAWS / 5);
    ck_share(share_at(&r, 3 * DAY_S - 600), .4, DRAWS / 5);
    ck_share(share_at(&r, 3 * DAY_S), .16, DRAWS / 5);
    ck_share(share_at(&r, 6 * DAY_S), .16, DRAWS / 5);
    ck_share(share_at(&r, 6.5 * DAY_S), .4, DRAWS / 5);
    frs_reachability_fini(&r);
}
END_TEST

START_TEST(periods_that_make_no_sense_are_refused) {
    static const char *const periods[] = {"1 rounds", "20", "2.5 rounds", "10000000 rounds", "soon", "0 s"};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++)
        refuses_availability(
            "bernoulli", SETTINGS("dynamics", "sine", "dynamics_period", periods[i]), NULL, "is no period");
    refuses_availability("diurnal", SETTINGS("dynamics", "sine", "dynamics_period", "7 min"), NULL,
        "do not repeat together within 28 days");
    refuses_availability("diurnal", SETTINGS("dynamics", "sine", "dynamics_period", "29 d"), NULL,
        "do not repeat together within 28 days");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("dynamics");
    TCase *tests = tcase_create("dynamics");
    tcase_add_test(tests, probabilities_are_the_formulas);
    tcase_add_test(tests, probabilities_stay_within_0_and_1);
    tcase_add_test(tests, answers_are_as_often_as_the_formulas_say);
    tcase_add_test(tests, no_client_answers_in_a_round_without_chances);
    tcase_add_test(tests, rates_lead_to_the_formulas);
    tcase_add_test(tests, clients_of_a_chain_are_as_many_as_the_formulas_say);
    tcase_add_test(tests, the_curve_is_multiplied);
    tcase_add_test(tests, periods_that_make_no_sense_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
