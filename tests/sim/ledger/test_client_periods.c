/* What clients took in the fullest of their periods, worked out by hand. */
#include "sim/ledger/client_periods.h"
#include "tests/support.h"

static struct frs_client_periods *periods;

/* A participation of a client that is selected at this time, goes on for so long and moves so many bytes. */
static void took(uint32_t client, double selected_s, double busy_s, uint64_t bytes, double energy_j) {
    struct frs_participation p = frs_participation_new(client);
    p.times.selected_s = p.times.started_s = selected_s;
    p.times.ended_s = selected_s + busy_s;
    p.result.outcome = FRS_DELIVERED;
    p.result.up_crossed_bytes = bytes;
    p.result.energy_j = energy_j;
    frs_client_periods_add(periods, &p);
    frs_participation_fini(&p);
}

static void check_most(uint32_t client, const double hand[FRS_N_CLIENT_FIGURES]) {
    for (enum frs_client_figure i = 0; i < FRS_N_CLIENT_FIGURES; i++)
        ck_assert_double_eq(frs_client_periods_most(periods, client, i), hand[i]);
}

/* Periods of 100 s. Client 1: 300 bytes, 6 J and 20 s in two participations of the first period, 250 bytes,
 * 9 J and 30 s in one of the second, 200 bytes in one that begins with the third. */
START_TEST(each_figure_has_its_fullest_period) {
    periods = frs_client_periods_create(4, 100);
    took(1, 10, 10, 100, 3);
    took(1, 90, 10, 200, 3);
    took(1, 100, 30, 250, 9);
    took(1, 200, 5, 200, 1);
    check_most(1, (const double[]){300, 9, 30, 2, 0});
    check_most(0, (const double[]){0, 0, 0, 0, 0});
    frs_client_periods_destroy(periods);
}
END_TEST

/* A participation belongs to the period in which the client was selected, however long it goes on.
 * Connecting and bytes that were sent again count. A client that could not be reached took nothing, and
 * its work after the upload keeps it busy. */
START_TEST(a_participation_counts_as_a_whole) {
    periods = frs_client_periods_create(4, 100);
    struct frs_participation p = frs_participation_new(2);
    p.times.selected_s = 95;
    p.times.started_s = 98;
    p.times.ended_s = 120;
    p.result = (struct frs_participation_result){.outcome = FRS_DROPPED_UP,
        .down_crossed_bytes = 1,
        .up_crossed_bytes = 20,
        .setup_down_bytes = 300,
        .setup_up_bytes = 4000,
        .resent_down_bytes = 50000,
        .resent_up_bytes = 600000,
        .metered_down_bytes = 50301,
        .metered_up_bytes = 4020,
        .energy_j = 7};
    p.post = (struct frs_post_upload){.outcome = FRS_POST_ENDED, .end_s = 130};
    frs_client_periods_add(periods, &p);
    check_most(2, (const double[]){654321, 7, 32, 1, 54321});
    frs_participation_fini(&p);
    p = frs_participation_new(2);
    p.times.selected_s = 140;
    p.times.ended_s = 150;
    p.plan.unreachable = true;
    p.result.outcome = FRS_CUT;
    frs_client_periods_add(periods, &p);
    check_most(2, (const double[]){654321, 7, 32, 1, 54321});
    frs_participation_fini(&p);
    frs_client_periods_destroy(periods);
}
END_TEST

/* Exchanges of a protocol: one before the participation, and one that ends after it. Busy from 5 to 45. */
START_TEST(exchanges_count_as_well) {
    periods = frs_client_periods_create(1, 100);
    struct frs_participation p = frs_participation_new(0);
    p.times.selected_s = 5;
    p.times.started_s = 10;
    p.times.ended_s = 30;
    p.result = (struct frs_participation_result){.outcome = FRS_DELIVERED,
        .up_crossed_bytes = 1,
        .metered_up_bytes = 2,
        .n_asides = 2,
        .asides = {
            {.from_s = 5, .to_s = 10, .down_bytes = 10, .setup_up_bytes = 200, .metered_down_bytes = 20},
            {.from_s = 32,
                .to_s = 45,
                .up_bytes = 3000,
                .setup_down_bytes = 40000,
                .metered_up_bytes = 300}}};
    frs_client_periods_add(periods, &p);
    check_most(0, (const double[]){43211, 0, 40, 1, 322});
    frs_participation_fini(&p);
    frs_client_periods_destroy(periods);
}
END_TEST

/* Of 40 clients 3 took 10, 20 and 30: nearest rank, the 38th of 40 is the first of them. Of 100 the 95th took
 * nothing. */
START_TEST(the_spread_is_over_all_clients) {
    static const uint32_t n_clients[] = {40, 100, 3};
    static const double p95[] = {10, 0, 30};
    for (size_t i = 0; i < 3; i++) {
        periods = frs_client_periods_create(n_clients[i], 100);
        for (uint32_t client = 0; client < 3; client++)
            took(client, 0, 1, 10 * (client + 1), 0);
        struct frs_client_spread spread = frs_client_periods_spread(periods, FRS_CLIENT_BYTES);
        ck_assert_double_eq_tol(spread.mean, 60.0 / n_clients[i], 1e-12);
        ck_assert_double_eq(spread.p95, p95[i]);
        ck_assert_double_eq(spread.max, 30);
        frs_client_periods_destroy(periods);
    }
    periods = frs_client_periods_create(3, 100);
    ck_assert_double_eq(frs_client_periods_spread(periods, FRS_CLIENT_BUSY).p95, 0);
    frs_client_periods_destroy(periods);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("client periods");
    TCase *tests = tcase_create("worked out by hand");
    tcase_add_test(tests, each_figure_has_its_fullest_period);
    tcase_add_test(tests, a_participation_counts_as_a_whole);
    tcase_add_test(tests, exchanges_count_as_well);
    tcase_add_test(tests, the_spread_is_over_all_clients);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
