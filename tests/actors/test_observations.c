/* What the server remembers of its clients, and predicts from it, by hand. */
#include "actors/observations.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

static const struct frs_observations_settings settings = {.weight = 0.25,
    .prior = {.latency_s = 0.5,
        .down_s_per_byte = 1e-3,
        .up_s_per_byte = 4e-3,
        .compute_s_per_work = 2,
        .size_share = 1}};

static const struct frs_slow_start_kinds at_once = {FRS_SLOW_START_NONE, FRS_SLOW_START_NONE};

static struct frs_observation observation(uint32_t client, double up_s) {
    return (struct frs_observation){.client = client,
        .samples = 12,
        .loss = 0.5,
        .sight = FRS_SAW_UPLOAD,
        .waited_s = 10,
        .latency_s = 0.1,
        .down_s = 2,
        .down_bytes = 1000,
        .compute_s = 3,
        .work = 0.5,
        .up_s = up_s,
        .up_bytes = 50,
        .predicted_up_bytes = 200};
}

/* A first observation is taken as it is, later ones with their weight. */
START_TEST(first_observation_is_taken_later_ones_weighted) {
    struct frs_observations *o = frs_observations_create(3, &settings);
    struct frs_observation seen = observation(1, 5);
    frs_observations_add(o, &seen);
    struct frs_pace pace = frs_observations_pace(o, 1);
    ck_assert_double_eq_tol(pace.latency_s, 0.1, 1e-15);
    ck_assert_double_eq_tol(pace.down_bytes, 1000, 1e-12);
    ck_assert_double_eq_tol(pace.down_s_per_byte, 2e-3, 1e-15);
    ck_assert_double_eq_tol(pace.up_s_per_byte, 0.1, 1e-15);
    ck_assert_double_eq_tol(pace.compute_s_per_work, 6, 1e-15);
    ck_assert_double_eq_tol(pace.size_share, 0.25, 1e-15);
    seen = observation(1, 25);
    seen.loss = 0.25;
    frs_observations_add(o, &seen);
    pace = frs_observations_pace(o, 1);
    ck_assert_double_eq_tol(pace.up_s_per_byte, 0.75 * 0.1 + 0.25 * 0.5, 1e-15);
    ck_assert_double_eq(frs_observations_client(o, 1)->loss, 0.25);
    ck_assert_uint_eq(frs_observations_client(o, 1)->measured, 2);
    frs_observations_destroy(o);
}
END_TEST

/* A client never measured gets the prior, then the mean of those that were. */
START_TEST(unmeasured_client_gets_prior_then_mean) {
    struct frs_observations *o = frs_observations_create(3, &settings);
    ck_assert_double_eq(frs_observations_pace(o, 0).up_s_per_byte, 4e-3);
    struct frs_observation seen = observation(1, 5);
    frs_observations_add(o, &seen);
    seen = observation(2, 15);
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_pace(o, 0).up_s_per_byte, 0.2, 1e-15);
    seen = observation(2, 35); /* 0.75 · 0.3 + 0.25 · 0.7 = 0.4 */
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_mean_pace(o).up_s_per_byte, 0.25, 1e-15);
    frs_observations_destroy(o);
}
END_TEST

START_TEST(selections_are_counted_with_the_last_round) {
    struct frs_observations *o = frs_observations_create(3, &settings);
    frs_observations_selected(o, 2, 4);
    frs_observations_selected(o, 2, 9);
    ck_assert_uint_eq(frs_observations_client(o, 2)->times_selected, 2);
    ck_assert_uint_eq(frs_observations_client(o, 2)->last_round, 9);
    ck_assert_uint_eq(frs_observations_client(o, 2)->measured, 0);
    ck_assert_uint_eq(frs_observations_client(o, 0)->times_selected, 0);
    frs_observations_destroy(o);
}
END_TEST

/* The prediction for what was observed is what was observed; a link without limit takes no time. */
START_TEST(predicts_what_was_observed) {
    struct frs_observations *o = frs_observations_create(1, &settings);
    struct frs_observation seen = observation(0, 5);
    frs_observations_add(o, &seen);
    struct frs_pace pace = frs_observations_pace(o, 0);
    ck_assert_double_eq_tol(frs_pace_duration_s(&pace, &at_once, 0.5, 200), 0.1 + 2 + 3 + 5, 1e-12);
    ck_assert_double_eq_tol(frs_pace_duration_s(&pace, &at_once, 1, 400), 0.1 + 2 + 6 + 10, 1e-12);
    pace.up_s_per_byte = 0;
    ck_assert_double_eq_tol(frs_pace_duration_s(&pace, &at_once, 0, 1e12), 0.1 + 2, 1e-12);
    frs_observations_destroy(o);
}
END_TEST

/* As much of a participation as was seen is known, and the rest is as in the mean of those of whom it is
 * known. */
START_TEST(unseen_parts_are_those_of_the_mean) {
    struct frs_observations *o = frs_observations_create(4, &settings);
    struct frs_observation seen = observation(0, 5); /* .1 s a byte, 6 s of computing, .25 of the size */
    frs_observations_add(o, &seen);
    seen = observation(1, 7);
    seen.sight = FRS_SAW_RECEIPT;
    seen.down_s = 4;
    frs_observations_add(o, &seen);
    struct frs_pace pace = frs_observations_pace(o, 1);
    ck_assert_double_eq_tol(pace.down_s_per_byte, 4e-3, 1e-15);
    ck_assert_double_eq_tol(pace.compute_s_per_work, 6, 1e-15);
    ck_assert_double_eq_tol(pace.up_s_per_byte, 0.1, 1e-15);
    seen = observation(2, 15); /* .3 s a byte */
    seen.sight = FRS_SAW_PART;
    frs_observations_add(o, &seen);
    pace = frs_observations_pace(o, 2);
    ck_assert_double_eq_tol(pace.up_s_per_byte, 0.3, 1e-15);
    ck_assert_double_eq_tol(pace.size_share, 0.25, 1e-15);
    seen = observation(3, 15);
    seen.sight = FRS_SAW_NOTHING;
    frs_observations_add(o, &seen);
    pace = frs_observations_pace(o, 3); /* means over two uplinks and over three downlinks */
    ck_assert_double_eq_tol(pace.up_s_per_byte, 0.2, 1e-15);
    ck_assert_double_eq_tol(pace.down_s_per_byte, 8e-3 / 3, 1e-15);
    frs_observations_destroy(o);
}
END_TEST

/* The mean predicts 2.1 s + 3 s + 5 s, as observed of client 0. The server waits 8 s for client 1, and
 * nothing of its upload arrives: it is assumed to need 16 s. Aborted once more after 4 s at the smallest
 * budget, it is already known to be slower than that. Client 2 has sent 25 bytes of 50 in 10 s, .4 s a
 * byte: its own pace gives 25.1 s, and the server has waited 15.1 s, 10 s less. */
START_TEST(cut_off_client_needs_twice_the_wait) {
    struct frs_observations *o = frs_observations_create(4, &settings);
    struct frs_observation seen = observation(0, 5);
    frs_observations_add(o, &seen);
    ck_assert_double_eq(frs_observations_factor(o, 1), 1);
    seen = observation(1, 0);
    seen.sight = FRS_SAW_NOTHING;
    seen.waited_s = 8;
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_factor(o, 1), 16 / 10.1, 1e-12);
    seen.waited_s = 4;
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_factor(o, 1), 16 / 10.1, 1e-12);
    seen.reducible =
        8; /* cut off with more than it might have been assigned, it is taken for twice as slow */
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_factor(o, 1), 32 / 10.1, 1e-12);
    seen = observation(2, 10);
    seen.sight = FRS_SAW_PART;
    seen.up_bytes = seen.kept_up_bytes = 25;
    seen.waited_s = 15.1;
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_factor(o, 2), 1, 1e-12);
    seen.waited_s = 20.1; /* 5 s longer than what is known of it explains */
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_factor(o, 2), 30.1 / 25.1, 1e-12);
    /* An upload takes the place of all that. */
    seen = observation(1, 20); /* .4 s a byte */
    frs_observations_add(o, &seen);
    seen = observation(1, 10); /* .2 s */
    seen.sight = FRS_SAW_NOTHING;
    seen.waited_s = 100;
    frs_observations_add(o, &seen);
    ck_assert_double_gt(frs_observations_factor(o, 1), 1);
    seen.sight = FRS_SAW_UPLOAD;
    frs_observations_add(o, &seen);
    ck_assert_double_eq(frs_observations_factor(o, 1), 1);
    ck_assert_double_eq_tol(frs_observations_pace(o, 1).up_s_per_byte, 0.2, 1e-15);
    frs_observations_destroy(o);
}
END_TEST

/* A client that vanished tells about its links, not about its being slow. */
START_TEST(lost_client_is_not_taken_for_slow) {
    struct frs_observations *o = frs_observations_create(2, &settings);
    struct frs_observation seen = observation(0, 5);
    seen.sight = FRS_SAW_RECEIPT;
    seen.lost = true;
    frs_observations_add(o, &seen);
    ck_assert_double_eq(frs_observations_factor(o, 0), 1);
    ck_assert_double_eq_tol(frs_observations_pace(o, 0).down_s_per_byte, 2e-3, 1e-15);
    ck_assert_double_eq_tol(frs_observations_pace(o, 0).up_s_per_byte, 4e-3, 1e-15);
    frs_observations_destroy(o);
}
END_TEST

/* Two clients delivered after 10 s. The server waited in vain for two, for 4 s at most, and for 6 s: a new
 * client takes 1 + 10/20 times the mean. Predictions for known clients do not change. */
START_TEST(new_clients_take_waits_in_vain_into_account) {
    static const double factors[] = {
        [FRS_UNMEASURED_OPTIMISTIC] = 1, [FRS_UNMEASURED_MEAN] = 1.5, [FRS_UNMEASURED_SMALLEST] = 1};
    for (int how = FRS_UNMEASURED_OPTIMISTIC; how <= FRS_UNMEASURED_SMALLEST; how++) {
        struct frs_observations_settings own = settings;
        own.unmeasured = (enum frs_unmeasured)how;
        struct frs_observations *o = frs_observations_create(6, &own);
        ck_assert_double_eq(frs_observations_factor(o, 0), 1);
        for (uint32_t client = 0; client < 5; client++) {
            struct frs_observation seen = observation(client, 5);
            if (client >= 2) {
                seen.sight = FRS_SAW_NOTHING;
                seen.lost = client == 4;
                seen.waited_s = client == 2 ? 4 : 6;
            }
            frs_observations_add(o, &seen);
            seen.waited_s = 3;
            if (client == 2)
                frs_observations_add(o, &seen);
        }
        ck_assert_double_eq(frs_observations_factor(o, 0), 1);
        ck_assert_double_eq_tol(frs_observations_factor(o, 4), factors[how], 1e-12);
        ck_assert_double_eq_tol(frs_observations_factor(o, 5), factors[how], 1e-12);
        for (uint32_t client = 0; client < 6; client++)
            ck_assert(
                frs_observations_begins_small(o, client) == (how == FRS_UNMEASURED_SMALLEST && client >= 4));
        frs_observations_destroy(o);
    }
}
END_TEST

/* Weight .25. Client 0 takes 10 s, is aborted after 6, is lost, and takes 10 again: 9 s a participation,
 * of which ((1 · .75) · .75) · .75 + .25 arrived. Nothing of client 1 has arrived in 6 s and one loss: the
 * mean of 10 s twice, and 6 s. */
START_TEST(delivered_share_is_a_moving_average) {
    struct frs_observations *o = frs_observations_create(3, &settings);
    struct frs_observation whole = observation(0, 5), cut = whole, gone = whole;
    cut.sight = gone.sight = FRS_SAW_NOTHING;
    cut.waited_s = 6;
    gone.lost = true;
    ck_assert_double_eq(frs_observations_delivery_s(o, 0), 0);
    frs_observations_add(o, &whole);
    ck_assert_double_eq_tol(frs_observations_delivery_s(o, 0), 10, 1e-12);
    ck_assert_double_eq_tol(frs_observations_delivery_s(o, 2), 10, 1e-12);
    frs_observations_add(o, &cut);
    ck_assert_double_eq_tol(frs_observations_delivery_s(o, 0), 9 / 0.75, 1e-12);
    frs_observations_add(o, &gone);
    ck_assert_double_eq_tol(frs_observations_delivery_s(o, 0), 9 / 0.5625, 1e-12);
    frs_observations_add(o, &whole);
    ck_assert_double_eq_tol(
        frs_observations_delivery_s(o, 0), (9 * 0.75 + 10 * 0.25) / (0.421875 + 0.25), 1e-12);
    cut.client = gone.client = 1;
    frs_observations_add(o, &cut);
    frs_observations_add(o, &gone);
    ck_assert_double_eq_tol(frs_observations_delivery_s(o, 1), 2 * 10 + 6, 1e-12);
    ck_assert(frs_seen_is_explored(frs_observations_client(o, 1)));
    ck_assert(!frs_seen_is_explored(frs_observations_client(o, 2)));
    frs_observations_destroy(o);
}
END_TEST

/* A client that delivered after 10 s and then fails is expected to take at most 10 s in the next
 * participation: after an abort at 6 s after 16 s, and a later loss after 26 s. The moving averages say 7
 * / .25 and 7 / .0625, and at weight 1 never. An upload ends that. */
START_TEST(deliveries_after_failures) {
    static const double weights[] = {0.75, 1};
    for (size_t i = 0; i < 2; i++) {
        struct frs_observations_settings own = settings;
        own.weight = weights[i];
        struct frs_observations *o = frs_observations_create(1, &own);
        struct frs_observation whole = observation(0, 5), cut = whole, gone = whole;
        cut.sight = gone.sight = FRS_SAW_NOTHING;
        cut.waited_s = 6;
        gone.lost = true;
        frs_observations_add(o, &whole);
        frs_observations_add(o, &cut);
        ck_assert_double_eq_tol(frs_observations_delivery_s(o, 0), 16, 1e-12);
        frs_observations_add(o, &gone);
        ck_assert_double_eq_tol(frs_observations_delivery_s(o, 0), 26, 1e-12);
        frs_observations_add(o, &whole);
        frs_observations_add(o, &gone);
        ck_assert_double_eq_tol(frs_observations_delivery_s(o, 0), 20, 1e-12);
        frs_observations_destroy(o);
    }
}
END_TEST

/* 45 bytes of 50 have arrived in 10 s, .2222 s a byte. If 35 of them belong to a try that broke and is
 * begun anew, 40 are left, not 5: 40 · 10/45 s more than the 30 s that the server has waited. */
START_TEST(what_is_left_of_a_new_try) {
    for (int anew = 0; anew < 2; anew++) {
        struct frs_observations *o = frs_observations_create(2, &settings);
        struct frs_observation seen = observation(0, 5);
        frs_observations_add(o, &seen); /* .25 of the size predicted, 50 bytes */
        seen = observation(1, 10);
        seen.sight = FRS_SAW_PART;
        seen.up_bytes = 45;
        seen.kept_up_bytes = anew ? 10 : 45;
        seen.waited_s = 30;
        frs_observations_add(o, &seen);
        struct frs_pace pace = frs_observations_pace(o, 1);
        ck_assert_double_eq_tol(pace.up_s_per_byte, 10 / 45.0, 1e-15);
        ck_assert_double_eq_tol(
            frs_observations_factor(o, 1) * frs_pace_duration_s(&pace, &at_once, 0.5, 200),
            30 + (anew ? 40 : 5) * 10 / 45.0, 1e-12);
        frs_observations_destroy(o);
    }
}
END_TEST

/* In slow start what is observed of one size says what another takes: 100,000 and 30,000 bytes at 144,800
 * bytes/s and .3 s, of which the larger one takes .31 + .31 + 56,560 / 144,800
 * (tests/actors/test_slow_start.c) and the smaller one .31 + 15,520 / 144,800. */
START_TEST(slow_start_is_taken_out_of_rates) {
    struct frs_observations *o = frs_observations_create(1, &settings);
    struct frs_observation seen = observation(0, 1.01060773480663);
    seen.slow_start.up = FRS_SLOW_START_QUICK;
    seen.round_trip_s = 0.3;
    seen.up_bytes = seen.predicted_up_bytes = 100000;
    frs_observations_add(o, &seen);
    struct frs_pace pace = frs_observations_pace(o, 0);
    ck_assert_double_eq_tol(pace.up_s_per_byte, 1 / 144800.0, 1e-15);
    ck_assert_double_eq_tol(frs_pace_duration_s(&pace, &seen.slow_start, 0.5, 30000),
        0.1 + 2 + 3 + 0.31 + 15520 / 144800.0, 1e-9);
    frs_observations_destroy(o);
}
END_TEST

START_TEST(default_settings_are_read) {
    struct frs_values values = frs_values_of(frs_observations_params, NULL);
    struct frs_observations_settings read = frs_observations_read(&values);
    ck_assert_double_eq_tol(read.weight, 0.3, 1e-15);
    ck_assert_double_eq_tol(1 / read.prior.down_s_per_byte, 0.75 * 1048576, 1e-6);
    ck_assert_double_eq_tol(1 / read.prior.up_s_per_byte, 0.25 * 1048576, 1e-6);
    ck_assert_double_eq(read.prior.compute_s_per_work, 0.1);
    ck_assert_double_eq(read.prior.size_share, 1);
    ck_assert_int_eq(read.unmeasured, FRS_UNMEASURED_OPTIMISTIC);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("observations");
    TCase *tests = tcase_create("observations");
    tcase_add_test(tests, first_observation_is_taken_later_ones_weighted);
    tcase_add_test(tests, unmeasured_client_gets_prior_then_mean);
    tcase_add_test(tests, selections_are_counted_with_the_last_round);
    tcase_add_test(tests, predicts_what_was_observed);
    tcase_add_test(tests, unseen_parts_are_those_of_the_mean);
    tcase_add_test(tests, cut_off_client_needs_twice_the_wait);
    tcase_add_test(tests, lost_client_is_not_taken_for_slow);
    tcase_add_test(tests, new_clients_take_waits_in_vain_into_account);
    tcase_add_test(tests, delivered_share_is_a_moving_average);
    tcase_add_test(tests, deliveries_after_failures);
    tcase_add_test(tests, what_is_left_of_a_new_try);
    tcase_add_test(tests, slow_start_is_taken_out_of_rates);
    tcase_add_test(tests, default_settings_are_read);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
