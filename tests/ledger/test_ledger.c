/* The ledger: sums, critical path, rows of the files, and that every broken invariant ends the program. */
#include "sim/ledger/files.h"
#include "tests/base/death.h"
#include "tests/support.h"

#include <math.h>

enum { N_CLIENTS = 5 };

static FILE *rounds, *events;
static char *rounds_text, *events_text;
static size_t rounds_size, events_size;
static struct frs_ledger *ledger;
static struct frs_participation participation;
static struct frs_entry entry;

/* Client 2: latency 1, 8 s of download, 4 s of computing, latency 1, 2 s of upload. */
static void setup(void) {
    rounds = open_memstream(&rounds_text, &rounds_size);
    events = open_memstream(&events_text, &events_size);
    ledger = frs_ledger_create(N_CLIENTS, rounds, events, 10);
    participation = frs_participation_new(2);
    participation.down_bytes = participation.down_crossed_bytes = 800;
    participation.up_bytes = participation.up_crossed_bytes = 100;
    participation.selected_s = participation.started_s = 10;
    participation.down_start_s = 11;
    participation.down_end_s = participation.compute_start_s = 19;
    participation.compute_end_s = 23;
    participation.up_start_s = 24;
    participation.up_end_s = participation.ended_s = 26;
    participation.computed_share = 1;
    participation.outcome = FRS_DELIVERED;
    entry = (struct frs_entry){
        .participation = &participation, .nominal_down_bytes = 700, .nominal_up_bytes = 90, .flop = 5e6};
}

static void teardown(void) {
    frs_ledger_destroy(ledger);
    fclose(rounds);
    fclose(events);
    free(rounds_text);
    free(events_text);
}

static void close_with(double start_s, double end_s, const struct frs_entry *entries, size_t n,
    const struct frs_quality *quality) {
    frs_ledger_close_round(ledger, &(struct frs_closed_round){.start_s = start_s,
                                       .end_s = end_s,
                                       .server_flop = 3000,
                                       .entries = entries,
                                       .n = n,
                                       .quality = quality});
}

static void close_round(void) {
    close_with(10, 26, &entry, 1, NULL);
}

static void check_path(const struct frs_path *path, const double hand[6]) {
    const double seconds[6] = {
        path->down_s, path->compute_s, path->up_s, path->latency_s, path->server_s, path->wait_s};
    for (size_t i = 0; i < 6; i++)
        ck_assert_double_eq_tol(seconds[i], hand[i], 1e-12);
}

START_TEST(test_one_round) {
    close_round();
    frs_ledger_check_network(ledger, 800, 100, 0, 0);
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
    ck_assert_double_eq(row->latency_s, 2);
    ck_assert_double_eq(row->flop, 5e6);
    ck_assert_uint_eq(frs_ledger_client(ledger, 3)->participations, 0);
}
END_TEST

START_TEST(test_two_rounds_add_up) {
    struct frs_participation fast = participation;
    fast.client = 4;
    fast.up_end_s = fast.ended_s = 25;
    struct frs_entry two[] = {entry, entry};
    two[1].participation = &fast;
    close_round();
    /* Shifted by 20; the round stays open 3 s longer than its slowest client, which is waiting. */
    double *dates[] = {&participation.selected_s, &participation.started_s, &participation.ended_s,
        &participation.down_start_s, &participation.down_end_s, &participation.compute_start_s,
        &participation.compute_end_s, &participation.up_start_s, &participation.up_end_s, &fast.selected_s,
        &fast.started_s, &fast.ended_s, &fast.down_start_s, &fast.down_end_s, &fast.compute_start_s,
        &fast.compute_end_s, &fast.up_start_s, &fast.up_end_s};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        *dates[i] += 20;
    close_with(30, 49, two, 2, NULL);
    frs_ledger_check_network(ledger, 2400, 300, 0, 0);
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

/* Of the 10 s before the round the server was down for 4. */
START_TEST(test_idle_and_restarting) {
    struct frs_closed_round closed = {.start_s = 10, .end_s = 26, .restart_s = 4, .entries = &entry, .n = 1};
    frs_ledger_close_round(ledger, &closed);
    fflush(rounds);
    ck_assert_ptr_nonnull(strstr(rounds_text, "\n1,0,,6,4,10,26,16,"));
    ck_assert_double_eq(frs_ledger_idle_s(ledger), 6);
    ck_assert_double_eq(frs_ledger_restart_s(ledger), 4);
}
END_TEST

/* The rows as they are written: numbers, empty fields for what was not evaluated, ids of columns. */
START_TEST(test_rows) {
    close_round();
    struct frs_quality quality = {.test = {.n = 4, .hit = 0.5, .ndcg = 0.25, .mae = NAN, .rmse = NAN},
        .validation = FRS_NO_SCORES,
        .participants = {.n = 1, .hit = 1, .ndcg = 0.75, .mae = NAN, .rmse = NAN},
        .coverage = 0.2};
    double *dates[] = {&participation.selected_s, &participation.started_s, &participation.ended_s,
        &participation.down_start_s, &participation.down_end_s, &participation.compute_start_s,
        &participation.compute_end_s, &participation.up_start_s, &participation.up_end_s};
    for (size_t i = 0; i < 9; i++)
        *dates[i] += 16;
    close_with(26, 42, &entry, 1, &quality);
    fflush(rounds);
    fflush(events);
    ck_assert_str_eq(rounds_text,
        "round,attempt,lost,idle_s,restart_s,start_s,end_s,duration_s,selected,delivered,late,cut,"
        "unavailable,dropped_"
        "down,"
        "dropped_compute,dropped_up,refused,post_ended,post_lost,down_bytes,up_bytes,wasted_down_bytes,"
        "wasted_up_bytes,nominal_down_bytes,nominal_up_bytes,flop,wasted_flop,server_flop,energy_j,"
        "critical_client,path_"
        "down_s,"
        "path_compute_s,path_up_s,path_latency_s,path_server_s,path_wait_s,path_server_link_s,hr@10,ndcg@10,"
        "mae,rmse,"
        "validation_hr@10,validation_ndcg@10,validation_mae,validation_rmse,participants_hr@10,participants_"
        "ndcg@10,coverage\n"
        "1,0,,10,0,10,26,16,1,1,0,0,0,0,0,0,0,0,0,800,100,0,0,700,90,5000000,0,3000,0,2,8,4,2,2,0,0,0,,,,,,,,"
        ",,"
        ",\n"
        "2,0,,0,0,26,42,16,1,1,0,0,0,0,0,0,0,0,0,800,100,0,0,700,90,5000000,0,3000,0,2,8,4,2,2,0,0,0,0.5,0."
        "25,,"
        ",,,,,"
        "1,"
        "0."
        "75,0.2\n");
    static const char first[] = "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"down\",\"t0\":10,\"t1\":"
                                "19,\"bytes\":800,\"flop\":0}\n"
                                "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"compute\",\"t0\":19,"
                                "\"t1\":23,\"bytes\":0,\"flop\":5000000}\n"
                                "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"up\",\"t0\":23,\"t1\":"
                                "26,\"bytes\":100,\"flop\":0,"
                                "\"outcome\":\"delivered\"}\n";
    ck_assert(strncmp(events_text, first, sizeof first - 1) == 0);
}
END_TEST

START_TEST(test_client_rows) {
    close_round();
    char *text;
    size_t size;
    FILE *clients = open_memstream(&text, &size);
    frs_clients_csv_header(clients);
    struct frs_client_facts facts = {.down_bytes_per_s = 100,
        .up_bytes_per_s = 50,
        .latency_s = 1,
        .flop_per_s = 1.25e6,
        .train_items = 7,
        .network_class = "4g",
        .device_class = "none",
        .rank = 3,
        .budget = 2.5};
    frs_clients_csv_row(clients, 2, frs_ledger_client(ledger, 2), &facts);
    facts.flop_per_s = 0;
    facts.rank = facts.budget = NAN;
    frs_clients_csv_row(clients, 3, frs_ledger_client(ledger, 3), &facts);
    fclose(clients);
    ck_assert_str_eq(text,
        "client,train_items,down_bytes_per_s,up_bytes_per_s,latency_s,flop_per_s,"
        "participations,delivered,lost,unavailable,"
        "down_bytes,up_bytes,down_s,queue_s,compute_s,up_s,post_s,waited_latency_s,flop,energy_j,rank,budget,"
        "network_class,device_class\n"
        "2,7,100,50,1,1250000,1,1,0,0,800,100,8,0,4,2,0,2,5000000,0,3,2.5,4g,none\n"
        "3,7,100,50,1,,0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,4g,none\n");
    free(text);
}
END_TEST

/* Step 2 goes on after the upload and the round: 3 Mflop in 12 s from 23 on. */
static void add_post(enum frs_post_outcome outcome, double end_s, enum frs_cause cause) {
    participation.post = (struct frs_post){
        .work_s = 12, .end_s = end_s, .outcome = outcome, .cause = cause, .share = (end_s - 23) / 12};
    entry.post_flop = 3e6;
}

START_TEST(test_post_that_ends) {
    add_post(FRS_POST_ENDED, 35, FRS_CAUSE_NONE);
    close_round();
    fflush(events);
    static const char last[] = "{\"client\":2,\"round\":1,\"attempt\":0,\"phase\":\"post\",\"t0\":23,\"t1\":"
                               "35,\"bytes\":0,\"flop\":3000000,\"outcome\":\"ended\"}\n";
    ck_assert_str_eq(events_text + events_size - (sizeof last - 1), last);
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    ck_assert_double_eq(totals->flop, 8e6);
    ck_assert_double_eq(totals->wasted_flop, 0);
    ck_assert_uint_eq(totals->posts[FRS_POST_ENDED], 1);
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
    ck_assert_ptr_nonnull(strstr(events_text, "\"phase\":\"post\",\"t0\":23,\"t1\":26,\"bytes\":0,\"flop\":"
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

START_TEST(test_without_events) {
    frs_ledger_destroy(ledger);
    ledger = frs_ledger_create(N_CLIENTS, rounds, NULL, 5);
    close_round();
    fflush(events);
    ck_assert_uint_eq(events_size, 0);
}
END_TEST

static void empty_round(void) {
    close_with(10, 26, &entry, 0, NULL);
}

static void round_overlaps(void) {
    close_round();
    close_with(25, 42, &entry, 1, NULL);
}

static void no_outcome(void) {
    participation.outcome = FRS_PENDING;
    close_round();
}

static void unknown_outcome(void) {
    participation.outcome = FRS_N_OUTCOMES;
    close_round();
}

static void missing_date(void) {
    participation.compute_end_s = NAN;
    close_round();
}

static void endless_phase(void) {
    participation.up_end_s = INFINITY;
    close_round();
}

static void negative_phase(void) {
    participation.compute_end_s = 18.5;
    close_round();
}

static void selected_before_the_round(void) {
    participation.selected_s = 9;
    close_round();
}

static void ends_after_the_round(void) {
    participation.up_end_s = participation.ended_s = 26.001;
    close_round();
}

static void empty_message(void) {
    participation.up_bytes = participation.up_crossed_bytes = 0;
    close_round();
}

static void lost_bytes(void) {
    participation.down_crossed_bytes = 799;
    close_round();
}

static void invented_bytes(void) {
    participation.up_crossed_bytes = 101;
    close_round();
}

static void post_without_work(void) {
    add_post(FRS_POST_ENDED, 35, FRS_CAUSE_NONE);
    entry.post_flop = 0;
    close_round();
}

static void post_without_end(void) {
    add_post(FRS_POST_ENDED, 35, FRS_CAUSE_NONE);
    participation.post.end_s = NAN;
    close_round();
}

static void post_broken_without_cause(void) {
    add_post(FRS_POST_DROPPED, 26, FRS_CAUSE_NONE);
    close_round();
}

/* The same client computes from 39 to 43 while its work after the last upload lasts until 40. */
static void two_things_at_once(void) {
    add_post(FRS_POST_ENDED, 40, FRS_CAUSE_NONE);
    participation.post.work_s = 17;
    participation.post.share = 1;
    close_round();
    double *dates[] = {&participation.selected_s, &participation.started_s, &participation.ended_s,
        &participation.down_start_s, &participation.down_end_s, &participation.compute_start_s,
        &participation.compute_end_s, &participation.up_start_s, &participation.up_end_s,
        &participation.post.end_s};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        *dates[i] += 20;
    close_with(30, 46, &entry, 1, NULL);
}

static void negative_flop(void) {
    entry.flop = -1;
    close_round();
}

static void endless_flop(void) {
    entry.flop = NAN;
    close_round();
}

static void network_carried_less(void) {
    close_round();
    frs_ledger_check_network(ledger, 799.5, 100, 0, 0);
}

static void network_carried_more(void) {
    close_round();
    frs_ledger_check_network(ledger, 800, 100.1, 0, 0);
}

static void network_carried_nonsense(void) {
    close_round();
    frs_ledger_check_network(ledger, NAN, 100, 0, 0);
}

static void down_for_too_long(void) {
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .restart_s = 10.5, .entries = &entry, .n = 1});
}

static void no_such_client(void) {
    participation.client = N_CLIENTS;
    close_round();
}

static void descending_clients(void) {
    struct frs_participation other = participation;
    other.client = 1;
    struct frs_entry two[] = {entry, entry};
    two[1].participation = &other;
    close_with(10, 26, two, 2, NULL);
}

static void client_twice(void) {
    struct frs_entry two[] = {entry, entry};
    close_with(10, 26, two, 2, NULL);
}

static const struct {
    void (*call)(void);
    const char *text;
} violations[] = {
    {empty_round, "a round without participants"},
    {round_overlaps, "round 2 starts before the last one ended"},
    {no_outcome, "client 2 has no outcome"},
    {unknown_outcome, "client 2 has no outcome"},
    {missing_date, "client 2: date 5 is missing"},
    {endless_phase, "client 2: date 7 is missing"},
    {negative_phase, "client 2: time runs backwards from 19 to 18.5"},
    {selected_before_the_round, "client 2: time runs backwards from 10 to 9"},
    {ends_after_the_round, "client 2 ends at 26.001"},
    {empty_message, "client 2 sent an empty message"},
    {lost_bytes, "client 2 finished a message without all its bytes having crossed"},
    {invented_bytes, "client 2 exchanged more than its messages"},
    {negative_flop, "client 2 computed -1 flop"},
    {post_without_work, "client 2: 0 flop after its upload, outcome ended"},
    {post_without_end, "client 2: work after the upload ends at nan"},
    {post_broken_without_cause, "client 2: work after the upload dropped_post for cause none"},
    {two_things_at_once, "client 2 computes at 39, and is busy until 40"},
    {endless_flop, "client 2 computed nan flop"},
    {network_carried_less, "the network carried 799.5"},
    {network_carried_more, "the ledger charged 800 and 100"},
    {network_carried_nonsense, "the network carried nan"},
    {down_for_too_long, "the server was down for 10.5 s of the 10 s before round 1"},
    {no_such_client, "there is no client 5"},
    {descending_clients, "client 1 is entered after client 2"},
    {client_twice, "client 2 is entered after client 2"},
};

START_TEST(test_violation_aborts) {
    frs_test_panics(violations[_i].call, violations[_i].text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ledger");
    TCase *sums = tcase_create("sums and files");
    tcase_add_checked_fixture(sums, setup, teardown);
    tcase_add_test(sums, test_one_round);
    tcase_add_test(sums, test_two_rounds_add_up);
    tcase_add_test(sums, test_idle_and_restarting);
    tcase_add_test(sums, test_rows);
    tcase_add_test(sums, test_client_rows);
    tcase_add_test(sums, test_post_that_ends);
    tcase_add_test(sums, test_post_that_breaks);
    tcase_add_test(sums, test_without_events);
    suite_add_tcase(suite, sums);
    TCase *invariants = tcase_create("invariants");
    tcase_add_checked_fixture(invariants, setup, teardown);
    tcase_add_loop_test(invariants, test_violation_aborts, 0, sizeof violations / sizeof *violations);
    suite_add_tcase(suite, invariants);
    return frs_test_run(suite);
}
