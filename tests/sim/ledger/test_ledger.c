/* The ledger: what it adds up, by round, by client and in all, and the critical path. */
#include "sim/ledger/server_link.h"
#include "tests/sim/ledger/fixture.h"

static void check_path(const struct frs_path *path, const double hand[6]) {
    const double seconds[6] = {
        path->down_s, path->compute_s, path->up_s, path->latency_s, path->server_s, path->wait_s};
    for (size_t i = 0; i < 6; i++)
        ck_assert_double_eq_tol(seconds[i], hand[i], 1e-12);
}

START_TEST(a_round_is_summed) {
    close_round();
    check_network(800, 100);
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    ck_assert_uint_eq(totals->participations, 1);
    ck_assert_uint_eq(totals->outcomes[FRS_DELIVERED], 1);
    ck_assert_uint_eq(totals->down_bytes, 800);
    ck_assert_uint_eq(totals->up_bytes, 100);
    ck_assert_uint_eq(totals->nominal_down_bytes, 700);
    ck_assert_uint_eq(totals->nominal_up_bytes, 90);
    ck_assert_uint_eq(totals->wasted_down_bytes + totals->wasted_up_bytes, 0);
    ck_assert_double_eq(totals->flop, 5e6);
    ck_assert_double_eq(totals->wasted_flop, 0);
    check_path(&totals->path, (const double[]){8, 4, 2, 2, 0, 0});
    ck_assert_uint_eq(frs_ledger_rounds(ledger), 1);
    ck_assert_double_eq(frs_ledger_end_s(ledger), 26);
    const struct frs_client_row *row = frs_ledger_client(ledger, 2);
    ck_assert_uint_eq(row->participations, 1);
    ck_assert_uint_eq(row->delivered, 1);
    ck_assert_uint_eq(row->down_bytes, 800);
    ck_assert_uint_eq(row->up_bytes, 100);
    ck_assert_double_eq(row->down_s, 8);
    ck_assert_double_eq(row->compute_s, 4);
    ck_assert_double_eq(row->up_s, 2);
    ck_assert_double_eq(row->waited_latency_s, 2);
    ck_assert_double_eq(row->flop, 5e6);
    ck_assert_uint_eq(frs_ledger_client(ledger, 3)->participations, 0);
}
END_TEST

START_TEST(test_two_rounds_add_up) {
    struct frs_participation fast = participation;
    fast.client = 4;
    fast.times.up_end_s = fast.times.ended_s = 25;
    fast.plan.up_bytes_per_s = 100;
    const struct frs_participation *const two[] = {&participation, &fast};
    close_round();
    /* Shifted by 20; the round stays open 3 s longer than its slowest client, which is waiting. */
    shift(&participation, 20);
    shift(&fast, 20);
    close_with(30, 49, two, 2, NULL);
    check_network(2400, 300);
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    ck_assert_uint_eq(totals->participations, 3);
    ck_assert_uint_eq(totals->down_bytes, 2400);
    ck_assert_uint_eq(totals->up_bytes, 300);
    ck_assert_double_eq(totals->flop, 15e6);
    ck_assert_double_eq(totals->server_flop, 6000);
    check_path(&totals->path, (const double[]){16, 8, 4, 4, 0, 3});
    ck_assert_double_eq(frs_ledger_end_s(ledger), 49);
    ck_assert_uint_eq(frs_ledger_client(ledger, 2)->participations, 2);
    ck_assert_double_eq(frs_ledger_client(ledger, 4)->up_s, 1);
}
END_TEST

/* The server was down for 4 of the 10 s before the round. */
START_TEST(test_idle_and_restarting) {
    struct frs_closed_round closed = {.start_s = 10, .end_s = 26, .restart_s = 4, .list = alone, .n = 1};
    frs_ledger_close_round(ledger, &closed);
    fflush(rounds);
    ck_assert_ptr_nonnull(strstr(rounds_text, "\n1,0,,6,4,10,26,16,"));
    ck_assert_double_eq(frs_ledger_idle_s(ledger), 6);
    ck_assert_double_eq(frs_ledger_restart_s(ledger), 4);
    ck_assert_double_eq(frs_ledger_scheduled_idle_s(ledger), 0);
}
END_TEST

/* The round closes with the upload of client 2. Client 1 is cut at the same moment, 15 s into its download:
 * the round did not wait for it. */
START_TEST(the_upload_that_closes_a_round_is_critical) {
    struct frs_participation cut = participation;
    const struct frs_participation *const two[] = {&cut, &participation};
    cut.client = 1;
    cut.usage.down_bytes = 2000;
    cut.result = (struct frs_participation_result){
        .outcome = FRS_CUT, .cause = FRS_CAUSE_ROUND_CLOSED, .down_crossed_bytes = 1500};
    cut.times.down_end_s = cut.times.compute_start_s = cut.times.compute_end_s = NAN;
    cut.times.up_start_s = cut.times.up_end_s = NAN;
    close_with(10, 26, two, 2, NULL);
    check_path(&frs_ledger_totals(ledger)->path, (const double[]){8, 4, 2, 2, 0, 0});
}
END_TEST

/* Messages leave after 3 s, in the first of which a protocol exchanged something: the server encoded for two.
 */
START_TEST(exchanges_before_the_messages_are_waited_for) {
    shift(&participation, 3);
    participation.times.selected_s = 10;
    frs_ledger_close_round(
        ledger, &(struct frs_closed_round){.start_s = 10, .end_s = 29, .before_s = 1, .list = alone, .n = 1});
    check_path(&frs_ledger_totals(ledger)->path, (const double[]){8, 4, 2, 2, 2, 1});
}
END_TEST

/* Downloads after the aggregation take 5 s: for 2 s their last client cannot be reached, then come 1 s of
 * latency and 2 s of its message. */
START_TEST(who_cannot_be_reached_after_the_aggregation_is_waited_for) {
    frs_ledger_close_round(ledger, &(struct frs_closed_round){.start_s = 10,
                                       .end_s = 31,
                                       .after_s = 5,
                                       .deliver_s = 5,
                                       .delivery = {.contact_s = 2, .latency_s = 1, .down_s = 2},
                                       .list = alone,
                                       .n = 1});
    const struct frs_path *path = &frs_ledger_totals(ledger)->path;
    check_path(path, (const double[]){10, 4, 2, 3, 0, 2});
    ck_assert_double_eq(path->unreachable_s, 2);
    ck_assert_double_eq(path->noticing_s, 0);
}
END_TEST

/* For 2 s the times of rounds let none open, and for 4 s clients were too few. The next round opens after 3
 * s; the times had let none open for 9 s, which had begun in the round before. */
START_TEST(test_idle_for_its_times) {
    struct frs_closed_round closed = {
        .start_s = 10, .end_s = 26, .restart_s = 4, .scheduled_s = 2, .list = alone, .n = 1};
    frs_ledger_close_round(ledger, &closed);
    ck_assert_double_eq(frs_ledger_idle_s(ledger), 6);
    ck_assert_double_eq(frs_ledger_scheduled_idle_s(ledger), 2);
    shift(&participation, 19);
    closed = (struct frs_closed_round){.start_s = 29, .end_s = 45, .scheduled_s = 9, .list = alone, .n = 1};
    frs_ledger_close_round(ledger, &closed);
    ck_assert_double_eq(frs_ledger_idle_s(ledger), 9);
    ck_assert_double_eq(frs_ledger_scheduled_idle_s(ledger), 5);
}
END_TEST

START_TEST(test_post_that_ends) {
    add_post(FRS_POST_ENDED, 35, FRS_CAUSE_NONE);
    close_round();
    fflush(events);
    static const char last[] =
        "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"post\",\"t0_s\":23,\"t1_s\":"
        "35,\"bytes\":0,\"flop\":3000000,\"outcome\":\"ended\"}\n";
    ck_assert_str_eq(events_text + events_size - (sizeof last - 1), last);
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    ck_assert_double_eq(totals->flop, 8e6);
    ck_assert_double_eq(totals->wasted_flop, 0);
    ck_assert_uint_eq(totals->post_uploads[FRS_POST_ENDED], 1);
    ck_assert_double_eq(frs_ledger_end_s(ledger), 26);
    ck_assert_double_eq(frs_ledger_client(ledger, 2)->post_s, 12);
    ck_assert_double_eq(frs_ledger_client(ledger, 2)->flop, 8e6);
}
END_TEST

/* Broken off after a quarter: run and wasted, though the upload was used. */
START_TEST(test_post_that_breaks) {
    add_post(FRS_POST_DROPPED, 26, FRS_CAUSE_DEVICE);
    close_round();
    fflush(events);
    ck_assert_ptr_nonnull(
        strstr(events_text, "\"phase\":\"post\",\"t0_s\":23,\"t1_s\":26,\"bytes\":0,\"flop\":"
                            "750000,\"outcome\":\"dropped_post\",\"cause\":\"device\"}"));
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    ck_assert_double_eq(totals->flop, 5.75e6);
    ck_assert_double_eq(totals->wasted_flop, 0.75e6);
    ck_assert_uint_eq(totals->used, 1);
    ck_assert_uint_eq(totals->wasted_down_bytes + totals->wasted_up_bytes, 0);
    ck_assert_uint_eq(totals->post_waste[FRS_CAUSE_DEVICE].participations, 1);
    ck_assert_double_eq(totals->post_waste[FRS_CAUSE_DEVICE].flop, 0.75e6);
}
END_TEST

/* A lost attempt of four clients: 0 was not reachable, 1 was cut while it downloaded, 2 delivered in vain, 3
 * did not fit its memory. In the next one 2 delivers. The columns of clients.csv are delivered + lost +
 * unavailable = participations. */
START_TEST(test_columns_of_clients) {
    struct frs_participation others[4];
    const struct frs_participation *four[4];
    for (uint32_t i = 0; i < 4; i++) {
        others[i] = i == 2 ? participation : frs_participation_new(i);
        others[i].times.selected_s = others[i].times.started_s = 10;
        four[i] = &others[i];
    }
    others[0].plan.unreachable = true;
    others[0].result.outcome = FRS_UNAVAILABLE;
    others[0].result.cause = FRS_CAUSE_OFFLINE;
    others[0].usage.down_bytes = others[1].usage.down_bytes = 800;
    others[1].result.outcome = FRS_CUT;
    others[1].result.cause = FRS_CAUSE_SERVER_RESTART;
    others[1].times.down_start_s = 10;
    others[1].plan.down_bytes_per_s = 10;
    others[1].result.down_crossed_bytes = 160;
    others[3].plan.refused = true;
    others[3].result.outcome = FRS_REFUSED;
    others[0].times.ended_s = 13;
    others[1].times.ended_s = 26;
    others[3].times.ended_s = 10;
    frs_ledger_close_round(
        ledger, &(struct frs_closed_round){
                    .start_s = 10, .end_s = 26, .list = four, .n = 4, .lost = FRS_CAUSE_SERVER_RESTART});
    shift(&participation, 16);
    close_with(26, 42, alone, 1, NULL);
    frs_ledger_check_clients(ledger);
    static const uint32_t hand[][4] = {{1, 0, 0, 1}, {1, 0, 1, 0}, {2, 1, 1, 0}, {1, 0, 1, 0}, {0, 0, 0, 0}};
    for (uint32_t i = 0; i < N_CLIENTS; i++) {
        const struct frs_client_row *row = frs_ledger_client(ledger, i);
        const uint32_t columns[] = {row->participations, row->delivered, row->lost, row->unavailable};
        for (size_t j = 0; j < 4; j++)
            ck_assert_msg(columns[j] == hand[i][j], "client %u, column %zu: %u", i, j, columns[j]);
    }
}
END_TEST

/* Half of the upload had crossed: the download counts in the papers' way, the upload does not yet. */
START_TEST(test_nominal_bytes_of_a_lost_upload) {
    participation.result.outcome = FRS_DROPPED_UP;
    participation.result.cause = FRS_CAUSE_CONNECTION;
    participation.times.up_end_s = NAN;
    participation.times.ended_s = 25;
    participation.result.up_crossed_bytes = 50;
    close_round();
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    ck_assert_uint_eq(totals->nominal_down_bytes, 700);
    ck_assert_uint_eq(totals->nominal_up_bytes, 0);
    ck_assert_uint_eq(totals->up_bytes, 50);
}
END_TEST

/* Three versions were made since it was selected. */
START_TEST(staleness_counts_versions) {
    participation.result.staleness = 3;
    close_round();
    ck_assert_uint_eq(frs_ledger_totals(ledger)->staleness, 3);
    ck_assert_uint_eq(frs_ledger_totals(ledger)->used, 1);
    check_line("up", "\"outcome\":\"delivered\",\"staleness\":3}");
}
END_TEST

/* Its device was busy with the work after its last upload: it waits for it from 19 to 21 in every round. */
START_TEST(waiting_for_the_device_is_summed) {
    participation.times.compute_start_s = 21;
    close_round();
    shift(&participation, 16);
    close_with(26, 42, alone, 1, NULL);
    const struct frs_client_row *row = frs_ledger_client(ledger, 2);
    ck_assert_double_eq(row->queue_s, 4);
    ck_assert_double_eq(row->compute_s, 4);
    check_path(&frs_ledger_totals(ledger)->path, (const double[]){16, 4, 4, 4, 0, 4});
    check_line("queue", "\"t0_s\":19,\"t1_s\":21,\"bytes\":0,\"flop\":0}");
}
END_TEST

/* Where the server's link is shared a transfer may take longer than on the client's own. */
START_TEST(test_shared_server_link) {
    frs_ledger_set_links(ledger, &(struct frs_own_links){.known = true});
    participation.plan.down_bytes_per_s = 200;
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .contended = true, .list = alone, .n = 1});
    ck_assert_double_eq_tol(frs_ledger_totals(ledger)->path.server_link_s, 4, 1e-12);
}
END_TEST

/* The upload of 100 bytes takes 24 to 26 at 200 bytes/s: 1.5 s longer than alone. The row begins with its
 * second half; another row would end with the first. */
START_TEST(test_share_of_a_transfer) {
    const struct frs_own_links links = {.known = true};
    frs_ledger_set_links(ledger, &links);
    participation.plan.up_bytes_per_s = 200;
    ck_assert_double_eq_tol(frs_server_link_s(&participation, &links, 10, 25), 0.75, 1e-12);
    frs_ledger_close_round(
        ledger, &(struct frs_closed_round){
                    .start_s = 25, .end_s = 26, .overlaps = true, .contended = true, .list = alone, .n = 1});
    ck_assert_double_eq_tol(frs_ledger_totals(ledger)->path.up_s, 1, 1e-12);
    ck_assert_double_eq_tol(frs_ledger_totals(ledger)->path.server_link_s, 0.75, 1e-12);
}
END_TEST

/* Two windows of 14480 bytes, each a second long, to be acknowledged after a round trip of 2 s and a segment
 * of 0.1 s: the second one starts after 2.1 s, and the upload takes 3.1 s alone. It takes from 24 to 30. */
START_TEST(waits_of_slow_start_are_no_waits_for_the_server) {
    frs_ledger_set_links(ledger, &(struct frs_own_links){.known = true});
    participation.plan.up_slow_start = FRS_SLOW_START_QUICK;
    participation.plan.up_bytes_per_s = 14480;
    participation.usage.up_bytes = participation.result.up_crossed_bytes = 28960;
    participation.times.up_end_s = participation.times.ended_s = 30;
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 30, .contended = true, .list = alone, .n = 1});
    ck_assert_double_eq_tol(frs_ledger_totals(ledger)->path.server_link_s, 2.9, 1e-12);
}
END_TEST

/* 60 bytes had come when the upload broke off at 26; up to a byte more had left the client, whose own link of
 * 50 bytes/s takes 1.22 s for 61. */
START_TEST(what_broke_off_had_a_byte_under_way) {
    frs_ledger_set_links(ledger, &(struct frs_own_links){.known = true});
    participation.result.outcome = FRS_DROPPED_UP;
    participation.result.cause = FRS_CAUSE_CONNECTION;
    participation.times.up_end_s = NAN;
    participation.result.up_crossed_bytes = 60;
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .contended = true, .list = alone, .n = 1});
    ck_assert_double_eq_tol(frs_ledger_totals(ledger)->path.server_link_s, 0.78, 1e-12);
}
END_TEST

/* 100 bytes/s until 15, nothing until 16, then 400: the 800 bytes that came from 11 to 19 need 4 + 1 + 1 s
 * alone. */
static double changing(
    void *context, const struct frs_participation *p, bool up, double now_s, double *until_s) {
    (void)context;
    (void)p;
    *until_s = now_s < 15 ? 15 : now_s < 16 ? 16 : INFINITY;
    return up ? 50 : now_s < 15 ? 100 : now_s < 16 ? 0 : 400;
}

START_TEST(test_shared_server_link_under_a_trace) {
    frs_ledger_set_links(ledger, &(struct frs_own_links){.known = true, .capacity = changing});
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .contended = true, .list = alone, .n = 1});
    ck_assert_double_eq_tol(frs_ledger_totals(ledger)->path.server_link_s, 2, 1e-12);
}
END_TEST

/* Who was selected in vain, or refused, took no part; an attempt that was lost is no round. */
START_TEST(cohorts_count_who_took_part) {
    struct frs_cohorts cohorts = frs_ledger_cohorts(ledger);
    ck_assert_uint_eq(cohorts.n_rounds, 0);
    close_round();
    cohorts = frs_ledger_cohorts(ledger);
    ck_assert_uint_eq(cohorts.n_rounds, 1);
    ck_assert_uint_eq(cohorts.sum, 1);
    ck_assert_uint_eq(cohorts.least, 1);
    ck_assert_uint_eq(cohorts.most, 1);
    ck_assert_uint_eq(cohorts.n_without_upload, 0);
    struct frs_participation unreached = frs_participation_new(1);
    const struct frs_participation *const list[] = {&unreached};
    unreached.plan.unreachable = true;
    unreached.usage = participation.usage;
    unreached.times.selected_s = unreached.times.started_s = unreached.times.ended_s = 30;
    unreached.result.outcome = FRS_UNAVAILABLE;
    unreached.result.cause = FRS_CAUSE_OFFLINE;
    close_with(30, 30, list, 1, NULL);
    cohorts = frs_ledger_cohorts(ledger);
    ck_assert_uint_eq(cohorts.n_rounds, 2);
    ck_assert_uint_eq(cohorts.sum, 1);
    ck_assert_uint_eq(cohorts.least, 0);
    ck_assert_uint_eq(cohorts.most, 1);
    ck_assert_uint_eq(cohorts.n_without_upload, 1);
    unreached.plan = (struct frs_participation_plan){.refused = true};
    unreached.result.outcome = FRS_REFUSED;
    unreached.result.cause = FRS_CAUSE_NONE;
    unreached.times.selected_s = unreached.times.started_s = unreached.times.ended_s = 40;
    close_with(40, 40, list, 1, NULL);
    cohorts = frs_ledger_cohorts(ledger);
    ck_assert_uint_eq(cohorts.n_rounds, 3);
    ck_assert_uint_eq(cohorts.sum, 1);
    ck_assert_uint_eq(cohorts.n_without_upload, 2);
    frs_participation_fini(&unreached);
    shift(&participation, 40);
    participation.result.outcome = FRS_LATE; /* an upload all the same */
    participation.result.cause = FRS_CAUSE_ROUND_CLOSED;
    close_with(50, 66, alone, 1, NULL);
    cohorts = frs_ledger_cohorts(ledger);
    ck_assert_uint_eq(cohorts.n_rounds, 4);
    ck_assert_uint_eq(cohorts.n_without_upload, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ledger");
    TCase *tests = tcase_create("sums");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_round_is_summed);
    tcase_add_test(tests, test_two_rounds_add_up);
    tcase_add_test(tests, cohorts_count_who_took_part);
    tcase_add_test(tests, test_idle_and_restarting);
    tcase_add_test(tests, the_upload_that_closes_a_round_is_critical);
    tcase_add_test(tests, exchanges_before_the_messages_are_waited_for);
    tcase_add_test(tests, who_cannot_be_reached_after_the_aggregation_is_waited_for);
    tcase_add_test(tests, test_idle_for_its_times);
    tcase_add_test(tests, test_post_that_ends);
    tcase_add_test(tests, test_post_that_breaks);
    tcase_add_test(tests, test_columns_of_clients);
    tcase_add_test(tests, test_nominal_bytes_of_a_lost_upload);
    tcase_add_test(tests, staleness_counts_versions);
    tcase_add_test(tests, waiting_for_the_device_is_summed);
    tcase_add_test(tests, test_shared_server_link);
    tcase_add_test(tests, test_share_of_a_transfer);
    tcase_add_test(tests, waits_of_slow_start_are_no_waits_for_the_server);
    tcase_add_test(tests, what_broke_off_had_a_byte_under_way);
    tcase_add_test(tests, test_shared_server_link_under_a_trace);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
