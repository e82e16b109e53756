/* What is particular about each selection. */
#include "actors/selection.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 12 };

extern const struct frs_selection frs_selection_round_robin, frs_selection_data_size,
    frs_selection_fastest_first, frs_selection_utility, frs_selection_no_repeat, frs_selection_by_group,
    frs_selection_bernoulli;

static struct frs_observations *none_seen(void) {
    static const struct frs_observations_settings settings = {.weight = 1, .prior = {.size_share = 1}};
    return frs_observations_create(CLIENTS, &settings);
}

static void measure(struct frs_observations *o, uint32_t client, double duration_s, double loss) {
    frs_observations_add(o, &(struct frs_observation){.client = client,
                                .samples = 10,
                                .loss = loss,
                                .sight = FRS_SAW_UPLOAD,
                                .waited_s = duration_s,
                                .work = 1,
                                .predicted_up_bytes = 1});
}

static bool in(const uint32_t *clients, uint32_t n, uint32_t client) {
    for (uint32_t i = 0; i < n; i++)
        if (clients[i] == client)
            return true;
    return false;
}

static uint32_t choose(const struct frs_selection *selection, struct frs_observations *o,
    const char *const *settings, uint32_t round, uint32_t n, uint32_t *clients) {
    static const uint32_t samples[CLIENTS] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 10};
    static const uint32_t groups[CLIENTS] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 3};
    struct frs_values values = frs_values_of(selection->plugin.params, settings);
    void *own = selection->create ? selection->create(&values) : NULL;
    struct frs_selection_request request = {.seed = 3,
        .round = round,
        .n_clients = CLIENTS,
        .n = n,
        .settings = own,
        .samples = samples,
        .groups = groups,
        .n_groups = 4,
        .observations = o};
    uint32_t found = selection->select(&request, clients);
    for (uint32_t i = 0; i < found; i++)
        frs_observations_selected(o, clients[i], round);
    free(own);
    frs_values_fini(&values);
    return found;
}

/* q = 3/12, 4,000 rounds: each client 1,000 times on average (standard deviation √(4,000 · 3/16) = 27.4), two
 * of them together 250 times (√(4,000 · 15/256) = 15.3), and none at all in (3/4)^12 of the rounds: 127
 * (11.1). All within five of these. */
START_TEST(bernoulli_selects_with_its_probability) {
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS], times[CLIENTS] = {0}, together = 0, empty = 0;
    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t n = choose(&frs_selection_bernoulli, o, NULL, round, 3, clients);
        for (uint32_t i = 0; i < n; i++)
            times[clients[i]]++;
        together += in(clients, n, 4) && in(clients, n, 5);
        empty += n == 0;
    }
    for (uint32_t client = 0; client < CLIENTS; client++)
        ck_assert_double_le(fabs(times[client] - 1000.0), 137);
    ck_assert_double_le(fabs(together - 250.0), 76);
    ck_assert_double_le(fabs(empty - 127.0), 55);
    frs_observations_destroy(o);
}
END_TEST

static bool is_even(void *context, uint32_t client) {
    (void)context;
    return client % 2 == 0;
}

/* Every second client is offline. Then q = 3/12 selects 1.5 clients a round, and q = 6/12 the intended 3:
 * over 4,000 rounds 6,000 (standard deviation √(4,000 · 6 · 3/16) = 67) and 12,000 (√(4,000 · 6 · 1/4) =
 * 77), within five of these. A client that is selected with the smaller probability is also selected with
 * the larger one. */
START_TEST(bernoulli_of_those_online) {
    uint32_t few[CLIENTS], many[CLIENTS], sums[2] = {0, 0};
    for (uint32_t round = 0; round < 4000; round++) {
        struct frs_selection_request request = {
            .seed = 3, .round = round, .n_clients = CLIENTS, .n = 3, .eligible = is_even};
        uint32_t n_few = frs_selection_bernoulli.select(&request, few);
        request.probability = 0.5;
        uint32_t n_many = frs_selection_bernoulli.select(&request, many);
        for (uint32_t i = 0; i < n_many; i++)
            ck_assert(is_even(NULL, many[i]));
        for (uint32_t i = 0; i < n_few; i++)
            ck_assert(in(many, n_many, few[i]));
        sums[0] += n_few;
        sums[1] += n_many;
    }
    ck_assert_double_le(fabs(sums[0] - 6000.0), 335);
    ck_assert_double_le(fabs(sums[1] - 12000.0), 387);
}
END_TEST

/* Who cannot be reached changes nothing for the others. */
START_TEST(bernoulli_draws_for_every_client) {
    for (uint32_t round = 0; round < 100; round++) {
        uint32_t all[CLIENTS], even[CLIENTS], n = 0;
        struct frs_selection_request request = {.seed = 3, .round = round, .n_clients = CLIENTS, .n = 6};
        uint32_t n_all = frs_selection_bernoulli.select(&request, all);
        request.eligible = is_even;
        uint32_t n_even = frs_selection_bernoulli.select(&request, even);
        for (uint32_t i = 0; i < n_all; i++)
            if (is_even(NULL, all[i]))
                ck_assert(n < n_even && even[n++] == all[i]);
        ck_assert_uint_eq(n, n_even);
    }
}
END_TEST

/* Cohorts of 5 of 12: every 12 in a row are all clients, in the same order each time. */
START_TEST(round_robin_takes_all_in_turn) {
    struct frs_observations *o = none_seen();
    uint32_t asked[60];
    for (uint32_t round = 0; round < 12; round++)
        ck_assert_uint_eq(choose(&frs_selection_round_robin, o, NULL, round, 5, asked + 5 * round), 5);
    for (size_t i = 0; i < 60; i++)
        ck_assert_uint_eq(asked[i], asked[i % CLIENTS]);
    for (uint32_t client = 0; client < CLIENTS; client++)
        ck_assert(in(asked, CLIENTS, client));
    frs_observations_destroy(o);
}
END_TEST

/* Client 11 has half of all data, client 0 none. */
START_TEST(data_size_prefers_large_clients) {
    struct frs_observations *o = none_seen();
    uint32_t client, times[CLIENTS] = {0};
    for (uint32_t round = 0; round < 2000; round++) {
        choose(&frs_selection_data_size, o, NULL, round, 1, &client);
        times[client]++;
    }
    ck_assert_uint_eq(times[0], 0);
    ck_assert(times[11] > 900 && times[11] < 1100); /* standard deviation 22 */
    for (size_t i = 1; i < 11; i++)
        ck_assert(times[i] > 60 && times[i] < 140);
    frs_observations_destroy(o);
}
END_TEST

/* Groups of 8, 3, none and 1: five are two of each of the first and the one. */
START_TEST(by_group_takes_evenly_from_groups) {
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS], times[CLIENTS] = {0};
    for (uint32_t round = 0; round < 200; round++) {
        size_t of_first = 0, of_second = 0;
        ck_assert_uint_eq(choose(&frs_selection_by_group, o, NULL, round, 5, clients), 5);
        for (size_t i = 0; i < 5; i++) {
            of_first += clients[i] < 8;
            of_second += clients[i] >= 8 && clients[i] < 11;
            times[clients[i]]++;
        }
        ck_assert_uint_eq(of_first, 2);
        ck_assert_uint_eq(of_second, 2);
        ck_assert(in(clients, 5, 11));
    }
    for (size_t i = 0; i < 8; i++)
        ck_assert(times[i] > 25 && times[i] < 75); /* 50 expected, standard deviation 6 */
    ck_assert_uint_eq(choose(&frs_selection_by_group, o, NULL, 0, CLIENTS, clients), CLIENTS);
    frs_observations_destroy(o);
}
END_TEST

START_TEST(no_repeat_selects_others_than_before) {
    struct frs_observations *o = none_seen();
    uint32_t before[6], now[6];
    choose(&frs_selection_no_repeat, o, NULL, 0, 6, before);
    for (uint32_t round = 1; round < 40; round++) {
        ck_assert_uint_eq(choose(&frs_selection_no_repeat, o, NULL, round, 6, now), 6);
        for (size_t i = 0; i < 6; i++)
            ck_assert(!in(before, 6, now[i]));
        memcpy(before, now, sizeof now);
    }
    frs_observations_destroy(o);
}
END_TEST

/* All clients are measured before exploring ends; then the fastest are selected again and again. */
START_TEST(fastest_first_explores_then_repeats) {
    static const char *const half[] = {"explore", "0.5", NULL}, *const none[] = {"explore", "0", NULL};
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS];
    for (uint32_t client = 0; client < 8; client++)
        measure(o, client, 100 - client, 1);
    choose(&frs_selection_fastest_first, o, half, 0, 4, clients);
    ck_assert(in(clients, 4, 7) && in(clients, 4, 6));
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_ge(clients[i], 6); /* two of 8 … 11 explore */
    choose(&frs_selection_fastest_first, o, none, 1, 3, clients);
    for (uint32_t client = 5; client < 8; client++)
        ck_assert(in(clients, 3, client));
    ck_assert_uint_eq(choose(&frs_selection_fastest_first, o, none, 2, 10, clients), 10);
    frs_observations_destroy(o);
}
END_TEST

static void cut_off(struct frs_observations *o, uint32_t client, double waited_s) {
    frs_observations_add(o, &(struct frs_observation){
                                .client = client, .waited_s = waited_s, .work = 1, .predicted_up_bytes = 1});
}

static void lose(struct frs_observations *o, uint32_t client) {
    frs_observations_add(
        o, &(struct frs_observation){.client = client, .lost = true, .work = 1, .predicted_up_bytes = 1});
}

/* The server has seen clients that were aborted or lost, so only client 11 is left to explore. Clients 0 …
 * 5 took 10 to 15 s. The server waited 1 s for client 6, which is expected to take 12.5 + 1; 7 was lost
 * and is expected to take 2 · 12.5; it waited 20 s for 8 … 10, which are expected to take 12.5 + 20. */
START_TEST(fastest_first_explores_each_once) {
    static const char *const half[] = {"explore", "0.5", NULL}, *const none[] = {"explore", "0", NULL};
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS];
    for (uint32_t client = 0; client < 6; client++)
        measure(o, client, 10 + client, 1);
    cut_off(o, 6, 1);
    lose(o, 7);
    for (uint32_t client = 8; client < 11; client++)
        cut_off(o, client, 20);
    ck_assert_uint_eq(choose(&frs_selection_fastest_first, o, half, 0, 4, clients), 4);
    ck_assert(in(clients, 4, 11) && in(clients, 4, 0) && in(clients, 4, 1) && in(clients, 4, 2));
    cut_off(o, 11, 30);
    choose(&frs_selection_fastest_first, o, half, 1, 5, clients);
    for (uint32_t client = 0; client < 4; client++)
        ck_assert(in(clients, 5, client));
    ck_assert(in(clients, 5, 6)); /* 13.5 s, before 14 */
    choose(&frs_selection_fastest_first, o, none, 2, 8, clients);
    for (uint32_t client = 0; client < 8; client++)
        ck_assert(in(clients, 8, client));
    /* The fastest is cut off, and what comes next is expected as late as never before (weight 1). */
    cut_off(o, 0, 30);
    choose(&frs_selection_fastest_first, o, none, 3, 6, clients);
    ck_assert(!in(clients, 6, 0));
    frs_observations_destroy(o);
}
END_TEST

/* Losses of 1 and .1 are worth 1 and .1. Client 11 was aborted before it reported a loss: its worth is the
 * mean of the others, .18, and with an expected 1000 s, where the median is 10 s, next to nothing. */
START_TEST(utility_of_stragglers) {
    static const char *const greedy[] = {"explore", "0", "explore_min", "0", NULL}, *const patient[] = {
                                                                                        "explore", "0",
                                                                                        "explore_min", "0",
                                                                                        "penalty", "0", NULL};
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS];
    for (uint32_t client = 0; client < 11; client++)
        measure(o, client, 10, client == 10 ? 1 : 0.1);
    cut_off(o, 11, 990);
    choose(&frs_selection_utility, o, patient, 0, 2, clients);
    ck_assert(in(clients, 2, 10) && in(clients, 2, 11)); /* .18 of the loss is more than .1 */
    for (uint32_t n = 1; n < CLIENTS; n++) {
        choose(&frs_selection_utility, o, greedy, 0, n, clients);
        ck_assert(!in(clients, n, 11));
    }
    frs_observations_destroy(o);
}
END_TEST

/* Three of twelve are at most 30 %: the three that were selected most often of those selected at least 4
 * times. */
START_TEST(utility_blacklists_the_most_selected) {
    static const char *const settings[] = {"explore", "0", "explore_min", "0", "blacklist", "4", NULL};
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS];
    for (uint32_t client = 0; client < CLIENTS; client++) {
        measure(o, client, 10, 1);
        for (uint32_t times = 0; times < client; times++)
            frs_observations_selected(o, client, 0);
    }
    ck_assert_uint_eq(choose(&frs_selection_utility, o, settings, 0, CLIENTS, clients), 9);
    for (uint32_t client = 0; client < 9; client++)
        ck_assert(in(clients, 9, client));
    frs_observations_destroy(o);
}
END_TEST

/* Clients were selected 0 to 11 times: with at most 10 times the last two are left out, of three that may be.
 */
START_TEST(utility_blacklists_who_reached_the_limit) {
    static const char *const settings[] = {"explore", "0", "explore_min", "0", "blacklist", "10", NULL};
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS];
    for (uint32_t client = 0; client < CLIENTS; client++) {
        measure(o, client, 10, 1);
        for (uint32_t times = 0; times < client; times++)
            frs_observations_selected(o, client, 0);
    }
    ck_assert_uint_eq(choose(&frs_selection_utility, o, settings, 0, CLIENTS, clients), 10);
    ck_assert(!in(clients, 10, 10) && !in(clients, 10, 11));
    frs_observations_destroy(o);
}
END_TEST

/* Without exploring: large losses first, unless slow; speed does not matter without penalty. */
START_TEST(utility_prefers_large_losses) {
    static const char *const greedy[] = {"explore", "0", "explore_min", "0", NULL};
    static const char *const patient[] = {"explore", "0", "explore_min", "0", "penalty", "0", NULL};
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS];
    for (uint32_t client = 0; client < CLIENTS; client++)
        measure(o, client, client == 11 ? 1000 : 10, client >= 10 ? 1 : 0.1);
    for (uint32_t round = 0; round < 20; round++) { /* all at the same round: nothing depends on asking */
        ck_assert_uint_eq(choose(&frs_selection_utility, o, greedy, 0, 1, clients), 1);
        ck_assert_uint_eq(clients[0], 10);
    }
    for (uint32_t n = 1; n < CLIENTS; n++) {
        choose(&frs_selection_utility, o, greedy, 0, n, clients);
        ck_assert(!in(clients, n, 11));
    }
    choose(&frs_selection_utility, o, patient, 0, 2, clients);
    ck_assert(in(clients, 2, 10) && in(clients, 2, 11));
    frs_observations_destroy(o);
}
END_TEST

/* Losses of .9, and of 1 for clients 10 and 11. In round 10 those selected last in round 9 have an
 * uncertainty of √(.1 ln 11 / 10) = .15, and those selected in round 0 one of .49: they are worth 1.39,
 * against 1.15 of clients 10 and 11, and these less than 95 % of it. Where all were selected in round 9, 1.15
 * is against 1.05.
 */
START_TEST(utility_asks_long_unasked_clients_again) {
    static const char *const greedy[] = {"explore", "0", "explore_min", "0", NULL};
    for (int all = 0; all < 2; all++) {
        struct frs_observations *o = none_seen();
        uint32_t clients[CLIENTS];
        for (uint32_t client = 0; client < CLIENTS; client++) {
            measure(o, client, 10, client >= 10 ? 1 : 0.9);
            frs_observations_selected(o, client, client >= 10 || all ? 9 : 0);
        }
        ck_assert_uint_eq(choose(&frs_selection_utility, o, greedy, 10, 2, clients), 2);
        for (size_t i = 0; i < 2; i++)
            ck_assert_int_eq(clients[i] >= 10, all);
        frs_observations_destroy(o);
    }
}
END_TEST

/* Round 5 is the sixth: ln 6 is taken for ln 4 + ln 2 / 2 = 1.7329, straight between ln 4 and ln 8, so that
 * the uncertainty of a client last asked in round L is √(.1 · 1.7329 / (L + 1)): .4163 for L = 0, .2081 for L
 * = 3. Losses of clients 0 … 8 are 1 … 9 with 10 samples each: they are clipped at the ninth of these nine
 * values (place ⌊.95 · 8 + ½⌋ from 0), 90. Clients 0 … 4 take 10 s and 5 … 8 19 s; the mean is 14 s, so that
 * client 9, cut off after 24 s, is expected to take 38 s. T is the value at place ⌊.5 · 9 + ½⌋ of the ten, 19
 * s: only client 9 is slower, (19/38)² = ¼. It has the mean of the losses, 50 / 90. Clients 10 and 11 were
 * never selected. */
START_TEST(utility_is_worth_by_hand) {
    struct frs_observations *o = none_seen();
    struct frs_values values = frs_values_of(frs_selection_utility.plugin.params, NULL);
    void *own = frs_selection_utility.create(&values);
    uint32_t clients[CLIENTS];
    double worths[CLIENTS];
    for (uint32_t client = 0; client < 9; client++)
        measure(o, client, client < 5 ? 10 : 19, client + 1);
    cut_off(o, 9, 24);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        clients[client] = client;
        if (client < 10)
            frs_observations_selected(o, client, client % 2 ? 3 : 0);
    }
    struct frs_selection_request request = {
        .round = 5, .n_clients = CLIENTS, .settings = own, .observations = o};
    frs_selection_utility.worths(&request, clients, CLIENTS, worths);
    for (uint32_t client = 0; client < 9; client++)
        ck_assert_double_eq_tol(worths[client], (client + 1) / 9.0 + (client % 2 ? 0.2081 : 0.4163), 1e-4);
    ck_assert_double_eq_tol(worths[9], (5 / 9.0 + 0.2081) / 4, 1e-4);
    ck_assert_double_eq(worths[10], 0);
    ck_assert_double_eq(worths[11], 0);
    free(own);
    frs_values_fini(&values);
    frs_observations_destroy(o);
}
END_TEST

/* The first cohort explores to 90 %, a late one to 20 %. */
START_TEST(utility_explores_less_and_less) {
    struct frs_observations *o = none_seen();
    uint32_t clients[CLIENTS], early = 0, late = 0;
    for (uint32_t client = 0; client < 6; client++)
        measure(o, client, 10, 1);
    for (uint32_t i = 0; i < 300; i++) {
        choose(&frs_selection_utility, o, (const char *const[]){"explore_decay", "1", NULL}, i, 1, clients);
        early += clients[0] >= 6;
        choose(&frs_selection_utility, o, NULL, 1000 + i, 1, clients);
        late += clients[0] >= 6;
    }
    ck_assert(early > 245 && early < 295); /* 270, standard deviation 5 */
    ck_assert(late > 35 && late < 90);     /* 60, 7 */
    frs_observations_destroy(o);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("selection");
    TCase *tests = tcase_create("selection");
    tcase_add_test(tests, bernoulli_selects_with_its_probability);
    tcase_add_test(tests, bernoulli_of_those_online);
    tcase_add_test(tests, bernoulli_draws_for_every_client);
    tcase_add_test(tests, round_robin_takes_all_in_turn);
    tcase_add_test(tests, data_size_prefers_large_clients);
    tcase_add_test(tests, no_repeat_selects_others_than_before);
    tcase_add_test(tests, by_group_takes_evenly_from_groups);
    tcase_add_test(tests, fastest_first_explores_then_repeats);
    tcase_add_test(tests, fastest_first_explores_each_once);
    tcase_add_test(tests, utility_of_stragglers);
    tcase_add_test(tests, utility_blacklists_the_most_selected);
    tcase_add_test(tests, utility_blacklists_who_reached_the_limit);
    tcase_add_test(tests, utility_prefers_large_losses);
    tcase_add_test(tests, utility_asks_long_unasked_clients_again);
    tcase_add_test(tests, utility_is_worth_by_hand);
    tcase_add_test(tests, utility_explores_less_and_less);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
