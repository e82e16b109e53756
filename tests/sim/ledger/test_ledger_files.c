/* What the ledger writes: rows and lines, character by character. */
#include "tests/sim/ledger/fixture.h"

static struct frs_scores scores_of(size_t n, struct frs_at_k at_k, double auc) {
    struct frs_scores scores = frs_no_scores();
    scores.n = n;
    scores.at[0] = at_k;
    scores.auc = auc;
    return scores;
}

/* The rows as they are written: numbers, empty fields for what was not evaluated, ids of columns. */
START_TEST(rows_are_written_as_expected) {
    close_round();
    struct frs_quality quality = {
        .test = scores_of(4, (struct frs_at_k){0.5, 0.25, 0.125, 0.0625, 0.375, 0.625}, 0.875),
        .validation = frs_no_scores(),
        .participants = scores_of(1, (struct frs_at_k){1, 0.75, 1, 0.1, 0.5, 0.5}, 0.75),
        .participants_share = 0.2,
        .consensus_distance = NAN};
    shift(&participation, 16);
    close_with(26, 42, alone, 1, &quality);
    fflush(rounds);
    fflush(events);
    ck_assert_str_eq(rounds_text,
        "round,attempt,lost,idle_s,restart_s,start_s,end_s,duration_s,selected,delivered,late,cut,"
        "unavailable,dropped_"
        "down,"
        "dropped_compute,dropped_up,refused,post_ended,post_lost,down_bytes,up_bytes,setup_down_bytes,"
        "setup_up_bytes,wasted_setup_down_bytes,wasted_setup_up_bytes,wasted_down_bytes,"
        "wasted_up_bytes,retries,resent_down_bytes,resent_up_bytes,"
        "metered_down_bytes,metered_up_bytes,nominal_down_bytes,nominal_up_bytes,peer_up_bytes,peer_down_"
        "bytes,"
        "wasted_peer_up_bytes,wasted_peer_down_bytes,peer_messages,flop,"
        "wasted_flop,server_flop,energy_j,"
        "edge_down_bytes,edge_up_bytes,wasted_edge_down_bytes,wasted_edge_up_bytes,"
        "critical_client,path_setup_s,path_retry_s,path_"
        "down_s,"
        "path_compute_s,path_up_s,path_exchange_s,path_latency_s,path_server_s,path_wait_s,path_edge_down_s,"
        "path_edge_up_s,path_edge_rounds_s,"
        "path_server_link_s,"
        "hr@10,ndcg@10,recall@10,precision@10,mrr@10,map@10,auc,mae,rmse,"
        "validation_hr@10,validation_ndcg@10,validation_recall@10,validation_precision@10,validation_mrr@10,"
        "validation_map@10,validation_auc,validation_mae,validation_rmse,"
        "participants_hr@10,participants_ndcg@10,participants_recall@10,participants_precision@10,"
        "participants_mrr@10,participants_map@10,participants_auc,participants_share,consensus_distance\n"
        "1,0,,10,0,10,26,16,1,1,0,0,0,0,0,0,0,0,0,800,100,0,0,0,0,0,0,0,0,0,0,0,700,90,0,0,0,0,0,5000000,0,"
        "3000,0,0,0,"
        "0,0,2,0,"
        "0,8,"
        "4,2,0,2,0,0,0,0,0,0,,"
        ",,,,,,,,,"
        ",,,,,,,,"
        ",,,,,,,,\n"
        "2,0,,0,0,26,42,16,1,1,0,0,0,0,0,0,0,0,0,800,100,0,0,0,0,0,0,0,0,0,0,0,700,90,0,0,0,0,0,5000000,0,"
        "3000,0,0,0,0,"
        "0,2,0,0,"
        "8,4,"
        "2,0,2,0,0,0,0,0,0,0.5,0.25,0.125,0.0625,0.375,0.625,0.875,,"
        ",,,,,,,,,,"
        "1,0.75,1,0.1,0.5,0.5,0.75,0.2,\n");
    static const char first[] =
        "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"down\",\"t0_s\":10,\"t1_s\":19,\"bytes\":800,"
        "\"flop\":0,\"latency_s\":1,\"capacity_bytes_per_s\":100}\n"
        "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"compute\",\"t0_s\":19,\"t1_s\":23,\"bytes\":0,"
        "\"flop\":5000000}\n"
        "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"up\",\"t0_s\":23,\"t1_s\":26,\"bytes\":100,"
        "\"flop\":0,\"latency_s\":1,\"capacity_bytes_per_s\":50,\"outcome\":\"delivered\"}\n";
    ck_assert(strncmp(events_text, first, sizeof first - 1) == 0);
}
END_TEST

START_TEST(client_rows_are_written_as_expected) {
    close_round();
    char *text;
    size_t size;
    const struct frs_list_rules rules = {.n = 2, .k = {5, 3}};
    FILE *clients = open_memstream(&text, &size);
    frs_clients_csv_header(clients, &rules);
    struct frs_client_facts facts = {.down_bytes_per_s = 100,
        .up_bytes_per_s = 50,
        .latency_s = 1,
        .flop_per_s = 1.25e6,
        .train_items = 7,
        .network_class = "4g",
        .device_class = "none",
        .rank = 3,
        .quality = scores_of(2, (struct frs_at_k){0.5, 0.25, 0.125, 0.0625, 0.375, 0.625}, 0.875),
        .budget = 2.5,
        .group = 1,
        .edge = 4};
    frs_clients_csv_row(clients, 2, frs_ledger_client(ledger, 2), &facts, &rules);
    facts.flop_per_s = 0;
    facts.rank = facts.budget = facts.group = facts.edge = NAN;
    facts.quality = frs_no_scores();
    frs_clients_csv_row(clients, 3, frs_ledger_client(ledger, 3), &facts, &rules);
    fclose(clients);
    ck_assert_str_eq(text,
        "client,train_items,down_bytes_per_s,up_bytes_per_s,latency_s,flop_per_s,"
        "participations,delivered,lost,unavailable,"
        "down_bytes,up_bytes,setup_down_bytes,setup_up_bytes,retries,resent_down_bytes,"
        "resent_up_bytes,metered_down_bytes,metered_up_bytes,peer_up_bytes,peer_down_bytes,setup_s,retry_s,"
        "down_s,queue_s,"
        "compute_s,up_s,exchange_s,post_s,waited_latency_s,flop,energy_j,rank,"
        "hr@5,ndcg@5,recall@5,precision@5,mrr@5,map@5,hr@3,ndcg@3,recall@3,precision@3,mrr@3,map@3,auc,mae,"
        "rmse,budget,"
        "network_class,device_class,group,edge\n"
        "2,7,100,50,1,1250000,1,1,0,0,800,100,0,0,0,0,0,0,0,0,0,0,0,8,0,4,2,0,0,2,5000000,0,3,0.5,0.25,0.125,"
        "0."
        "0625,0.375,0.625,"
        ",,,,,,0.875,,,2.5,4g,"
        "none,"
        "1,4\n"
        "3,7,100,50,1,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,,,,,,,,,,,,,,,4g,none,,\n");
    free(text);
}
END_TEST

/* What was delivered to an attempt that was lost says why it does not count. */
START_TEST(test_delivered_in_vain) {
    static const enum frs_cause causes[] = {FRS_CAUSE_SERVER_RESTART, FRS_CAUSE_VOID_ROUND};
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .list = alone, .n = 1, .lost = causes[_i]});
    check_line("up", _i ? "\"outcome\":\"delivered\",\"cause\":\"void_round\"}"
                        : "\"outcome\":\"delivered\",\"cause\":\"server_restart\"}");
    ck_assert_uint_eq(frs_ledger_totals(ledger)->waste[causes[_i]][FRS_DELIVERED].up_bytes, 100);
    ck_assert_uint_eq(frs_ledger_client(ledger, 2)->lost, 1);
}
END_TEST

/* Halves every 4 s from 0 on: 100, 50, 100, ... bytes/s down, 50, 25, 50, ... up. */
static double alternate(
    void *context, const struct frs_participation *p, bool up, double now_s, double *until_s) {
    double turn = floor(now_s / 4);
    (void)context;
    *until_s = 4 * (turn + 1);
    return (up ? p->plan.up_bytes_per_s : p->plan.down_bytes_per_s) / (fmod(turn, 2) + 1);
}

/* From 11 to 19 the link carries 50 + 4 × 100 + 3 × 50 = 600 bytes, from 24 to 26 2 × 50 = 100. */
START_TEST(test_capacity_that_changes) {
    frs_ledger_set_links(
        ledger, &(struct frs_own_links){.known = true, .alone = {true, true}, .capacity = alternate});
    participation.usage.down_bytes = participation.result.down_crossed_bytes = 600;
    close_round();
    check_line("down", "\"latency_s\":1,\"capacity_bytes_per_s\":[[10,100],[12,50],[16,100]]}");
    check_line("up", "\"capacity_bytes_per_s\":[[23,25],[24,50]],\"outcome\":\"delivered\"}");
}
END_TEST

/* No participation has the latency of a message that is not there; a link of a platform file is the
 * platform's. */
START_TEST(test_lines_without_links) {
    participation.plan.no_download = true;
    participation.usage.down_bytes = participation.result.down_crossed_bytes = 0;
    participation.times.down_start_s = participation.times.down_end_s = participation.times.compute_start_s =
        10;
    participation.plan.up_bytes_per_s = INFINITY;
    participation.times.up_start_s = participation.times.up_end_s = participation.times.ended_s = 24;
    close_with(10, 24, alone, 1, NULL);
    check_line("down", "\"flop\":0,\"latency_s\":0,\"capacity_bytes_per_s\":100}");
    check_line("up", "\"latency_s\":1,\"capacity_bytes_per_s\":null,\"outcome\":\"delivered\"}");
    frs_ledger_set_links(ledger, &(struct frs_own_links){0});
    rewind(events);
    shift(&participation, 14);
    close_with(24, 38, alone, 1, NULL);
    check_line("down", "\"bytes\":0,\"flop\":0}");
}
END_TEST

START_TEST(no_events_are_written_without_a_file) {
    frs_ledger_destroy(ledger);
    ledger = frs_ledger_create(N_CLIENTS, rounds, NULL, &(struct frs_list_rules){.n = 1, .k = {5}});
    close_round();
    fflush(events);
    ck_assert_uint_eq(events_size, 0);
}
END_TEST

/* Every try has its line, and what was sent again is charged, and wasted for that alone. */
START_TEST(every_try_has_its_line) {
    bool resumes = _i;
    add_break(resumes);
    close_round();
    frs_ledger_check_clients(ledger);
    check_network(resumes ? 800 : 1000, 100);
    fflush(events);
    const char *rest =
        resumes ? "\"t0_s\":14,\"t1_s\":21,\"bytes\":600," : "\"t0_s\":14,\"t1_s\":23,\"bytes\":800,";
    ck_assert_ptr_nonnull(strstr(events_text,
        "\"phase\":\"down\",\"t0_s\":10,\"t1_s\":13,\"bytes\":200,\"flop\":0,\"latency_s\":1,"
        "\"capacity_bytes_per_s\":100,\"broke\":true}\n"));
    ck_assert_ptr_nonnull(
        strstr(events_text, "\"phase\":\"retry\",\"t0_s\":13,\"t1_s\":14,\"bytes\":0,\"flop\":0}\n"));
    ck_assert_ptr_nonnull(strstr(events_text, rest));
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    const struct frs_waste *waste = &totals->waste[FRS_CAUSE_RESENT][FRS_DELIVERED];
    ck_assert_uint_eq(totals->retries, 1);
    ck_assert_uint_eq(totals->down_bytes, resumes ? 800 : 1000);
    ck_assert_uint_eq(totals->used_down_bytes, 800);
    ck_assert_uint_eq(totals->wasted_down_bytes, resumes ? 0 : 200);
    ck_assert_uint_eq(waste->down_bytes, resumes ? 0 : 200);
    ck_assert_uint_eq(waste->participations, !resumes);
    ck_assert_double_eq(totals->path.retry_s, 1);
    ck_assert_double_eq(totals->path.down_s, resumes ? 8 : 10);
    ck_assert_double_eq(totals->path.latency_s, 3);
    ck_assert_double_eq(frs_ledger_client(ledger, 2)->retry_s, 1);
    ck_assert_uint_eq(frs_ledger_client(ledger, 2)->resent_down_bytes, resumes ? 0 : 200);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("files of the ledger");
    TCase *tests = tcase_create("rows and lines");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, rows_are_written_as_expected);
    tcase_add_test(tests, client_rows_are_written_as_expected);
    tcase_add_loop_test(tests, test_delivered_in_vain, 0, 2);
    tcase_add_test(tests, test_capacity_that_changes);
    tcase_add_test(tests, test_lines_without_links);
    tcase_add_test(tests, no_events_are_written_without_a_file);
    tcase_add_loop_test(tests, every_try_has_its_line, 0, 2);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
