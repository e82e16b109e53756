/* The server's load over time: a few participations worked out by hand, independence of the order of
 * reports, and the closed form of an M/G/∞ load. */
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/ledger/connection_spans.h"
#include "sim/ledger/load.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

static const double no_peak[2] = {NAN, NAN}, unlimited[2] = {INFINITY, INFINITY};

static struct frs_participation part(double selected_s, double ended_s) {
    struct frs_participation p = frs_participation_new(0);
    p.times.selected_s = p.times.started_s = selected_s;
    p.times.ended_s = ended_s;
    return p;
}

/* Selected at 10, its message leaves at 20; 200 bytes until 40, 400 bytes up from 50 to 70. */
static struct frs_participation whole(void) {
    struct frs_participation p = part(10, 70);
    p.times.started_s = p.times.down_start_s = 20;
    p.times.down_end_s = p.times.compute_start_s = 40;
    p.times.compute_end_s = p.times.up_start_s = 50;
    p.times.up_end_s = 70;
    p.result.down_crossed_bytes = 200;
    p.result.up_crossed_bytes = 400;
    return p;
}

/* 100 bytes from 30 to 40; it drops out at 65 as it computes. */
static struct frs_participation lost(void) {
    struct frs_participation p = part(30, 65);
    p.times.down_start_s = 30;
    p.times.down_end_s = p.times.compute_start_s = 40;
    p.result.down_crossed_bytes = 100;
    return p;
}

/* Connects from 98 to 100 (6 bytes down, 4 up); 50 bytes until its connection breaks at 110, the other 50
 * from 130 to 150, where it is stopped. */
static struct frs_participation broken(void) {
    struct frs_participation p = part(98, 150);
    p.plan.handshake = (struct frs_handshake){.wait_s = 1, .up_bytes = 4, .down_bytes = 6};
    p.plan.retrying = (struct frs_retrying){.times = 1, .resumes = true};
    p.times.connected_s = 100;
    p.breaks = frs_alloc(1, sizeof *p.breaks);
    p.breaks[0] = (struct frs_break){
        .from_s = 100, .start_s = 100, .broke_s = 110, .again_s = 130, .connected_s = 130, .bytes = 50};
    p.n_breaks = 1;
    p.times.down_start_s = 130;
    p.result.setup_down_bytes = 6;
    p.result.setup_up_bytes = 4;
    p.result.down_crossed_bytes = 100;
    return p;
}

static void tell(struct frs_load *load, struct frs_participation (*of)(void)) {
    struct frs_participation p = of();
    frs_load_participation(load, &p);
    frs_participation_fini(&p);
}

static struct frs_participation unreachable(void) {
    struct frs_participation p = part(120, 160);
    p.plan.unreachable = true;
    return p;
}

/* The run begins a minute before midnight and lasts 200 s. Connections: none for 118 s, one for 47 s, two
 * for 35 s. In pieces: the result must not depend on when participations are reported. */
static struct frs_load *by_hand(FILE *hours, bool in_pieces) {
    struct frs_load *load = frs_load_create(86340, unlimited, hours);
    frs_load_count(load, 0, 5, 4);
    frs_load_count(load, 60, 7, 6);
    tell(load, in_pieces ? whole : lost);
    tell(load, in_pieces ? lost : whole);
    frs_load_round(
        load, &(struct frs_closed_round){.end_s = 75, .server_s = 3, .encode_from_s = 10, .encode_s = 10});
    if (in_pieces) {
        frs_load_until(load, 30);
        frs_load_until(load, 75);
    }
    tell(load, broken);
    tell(load, unreachable);
    frs_load_count(load, 150, 2, NAN);
    frs_load_end(load, 200, no_peak);
    return load;
}

static void check_figures(const struct frs_load *load) {
    struct frs_load_figures figures = frs_load_figures(load);
    ck_assert_double_eq_tol(figures.connected_s, 50 + 35 + 32, 1e-9);
    ck_assert_double_eq_tol(figures.mean, 117.0 / 200, 1e-12);
    ck_assert_double_eq(figures.median, 0);
    ck_assert_double_eq(figures.p95, 2);
    ck_assert_double_eq(figures.peak, 2);
    ck_assert_double_eq(figures.median_of_some, 1);
    ck_assert_double_eq_tol(figures.some_s, 82, 1e-9);
    ck_assert_double_eq_tol(figures.busy_s, 82 + 10 + 3, 1e-9); /* encoding until 20, aggregating from 72 */
    ck_assert_double_eq_tol(figures.work_s, 13, 1e-9);
    ck_assert_double_eq_tol(figures.bytes[0], 200 + 100 + 106, 1e-9);
    ck_assert_double_eq_tol(figures.bytes[1], 404, 1e-9);
    ck_assert_double_eq_tol(figures.peak_bytes_per_s[0], 20, 1e-9);
    ck_assert_double_eq_tol(figures.peak_bytes_per_s[1], 20, 1e-9);
    frs_load_check(load, 406, 404, 117);
}

/* Connected from 20 to 70. Its download after the aggregation, from 80 to 95, takes a connection of its own,
 * or is sent over the one that stayed open. */
START_TEST(a_later_download_has_a_connection_or_keeps_it) {
    for (int connects = 0; connects < 2; connects++) {
        struct frs_participation p = whole(), *receive = frs_alloc(1, sizeof *receive);
        *receive = part(80, 95);
        receive->plan.handshake.wait_s = connects;
        p.receive = receive;
        ck_assert_double_eq(frs_connected_s(&p), connects ? 50 + 15 : 75);
        frs_participation_fini(&p);
    }
}
END_TEST

START_TEST(figures_by_hand) {
    for (int in_pieces = 0; in_pieces < 2; in_pieces++) {
        struct frs_load *load = by_hand(NULL, in_pieces);
        check_figures(load);
        const struct frs_load_hours *late = &frs_load_by_hour(load)[23], *early = frs_load_by_hour(load);
        ck_assert_double_eq(late->seconds, 60);
        ck_assert_double_eq(late->selected.sum, 2);
        ck_assert_double_eq_tol(late->connected_s, 40 + 30, 1e-9);
        ck_assert_double_eq_tol(late->bytes[1], 200, 1e-9); /* half of the upload */
        ck_assert_double_eq(late->online.most, 5);
        ck_assert_double_eq(late->rounds, 0);
        ck_assert_double_eq(early->seconds, 140);
        ck_assert_double_eq(early->selected.sum, 2);
        ck_assert_double_eq(early->rounds, 1);
        ck_assert_double_eq_tol(early->connected_s, 10 + 5 + 32, 1e-9);
        ck_assert_double_eq(early->online.least, 2);
        ck_assert_double_eq(early->online.most, 7);
        ck_assert_double_eq(frs_load_mean(&early->online), 4.5);
        ck_assert_double_eq(early->eligible.n, 1);
        for (size_t hour = 1; hour < 23; hour++)
            ck_assert_double_eq(frs_load_by_hour(load)[hour].n, 0);
        frs_load_destroy(load);
    }
}
END_TEST

/* Its connection breaks at 110, after the last round, and it is lost at 135 while it waits for another one:
 * until then the run has a client that runs on. */
START_TEST(a_client_that_waits_to_connect_runs_on) {
    struct frs_load *load = frs_load_create(0, unlimited, NULL);
    struct frs_participation p = broken();
    p.breaks[0].again_s = p.breaks[0].connected_s = p.times.down_start_s = NAN;
    p.times.ended_s = 135;
    frs_load_participation(load, &p);
    frs_load_end(load, 105, no_peak);
    struct frs_load_figures figures = frs_load_figures(load);
    ck_assert_double_eq(figures.end_s, 135);
    ck_assert_double_eq_tol(figures.connected_s, 12, 1e-9);
    frs_participation_fini(&p);
    frs_load_destroy(load);
}
END_TEST

/* The server breaks down at 6 s while it encodes until 18: its work is over, and so is the run. */
START_TEST(a_lost_round_ends_the_servers_work) {
    struct frs_load *load = frs_load_create(0, unlimited, NULL);
    frs_load_round(
        load, &(struct frs_closed_round){.end_s = 6, .encode_s = 18, .lost = FRS_CAUSE_SERVER_RESTART});
    frs_load_end(load, 6, no_peak);
    struct frs_load_figures figures = frs_load_figures(load);
    ck_assert_double_eq(figures.end_s, 6);
    ck_assert_double_eq(figures.work_s, 6);
    frs_load_destroy(load);
}
END_TEST

/* Connected from 20 on: 40 and 30 s in the first hour, 2 at most; the second one has a rate of 20 B/s up
 * until 70, and at most 6 bytes in 2 s, then 50 in 10 s, down. */
START_TEST(hours_csv_by_hand) {
    char *text;
    size_t size;
    FILE *hours = open_memstream(&text, &size);
    frs_load_destroy(by_hand(hours, true));
    fclose(hours);
    ck_assert_str_eq(strchr(text, '\n') + 1,
        "0,23,0,60,5,5,5,4,4,4,2,0,1.16666666666667,2,300,200,20,20\n"
        "1,0,60,200,4.5,2,7,6,6,6,2,1,0.335714285714286,2,106,204,5,20\n");
    free(text);
}
END_TEST

/* An hour that begins as the run ends has no row; 26 hours are two of the hours 0 and 1. */
/* Two messages of 10 B/s at once, through a link of 15 B/s; the network's own count is used instead. A
 * participation that goes on after the end of the rounds makes the time longer. */
START_TEST(the_link_bounds_rates) {
    static const double link[2] = {15, 15}, peak[2] = {12, NAN};
    struct frs_load *load = frs_load_create(0, link, NULL);
    tell(load, whole);
    tell(load, lost);
    frs_load_end(load, 50, peak);
    struct frs_load_figures figures = frs_load_figures(load);
    ck_assert_double_eq(figures.end_s, 70);
    ck_assert_double_eq(frs_load_by_hour(load)->most_bytes_per_s[0], 15);
    ck_assert_double_eq(figures.peak_bytes_per_s[0], 12);
    ck_assert_double_eq(figures.peak_bytes_per_s[1], 15);
    frs_load_destroy(load);
}
END_TEST

START_TEST(hours_of_a_day_come_again) {
    struct frs_load *load = frs_load_create(0, unlimited, NULL);
    for (double hour = 0; hour < 26; hour++)
        frs_load_count(load, 3600 * hour, hour, NAN);
    frs_load_end(load, 26 * 3600, no_peak);
    for (size_t hour = 0; hour < FRS_LOAD_HOURS; hour++) {
        const struct frs_load_hours *of = &frs_load_by_hour(load)[hour];
        ck_assert_double_eq(of->n, hour < 2 ? 2 : 1);
        ck_assert_double_eq(of->seconds, 3600 * of->n);
        ck_assert_double_eq(of->online.least, (double)hour);
        ck_assert_double_eq(of->online.most, hour < 2 ? (double)hour + 24 : (double)hour);
    }
    ck_assert_double_eq(frs_load_figures(load).peak, 0);
    ck_assert(isnan(frs_load_figures(load).median_of_some));
    frs_load_destroy(load);
}
END_TEST

/* Clients arrive at random, 2 a second, and are connected for 8 s on average, with log-normal durations:
 * the number of connections is Poisson with mean 16, whatever the distribution of the durations. For
 * 40,000 arrivals the mean over time is within 2 % (4 standard errors), and the 50th and the 95th
 * percentile are those of the distribution, 16 and 23, or next to them. The mean is exactly the time of
 * all connections divided by that of the run. */
START_TEST(an_m_g_infinity_load_has_its_closed_form) {
    enum { N = 40000 };
    struct frs_rng rng = frs_rng_stream(7, 0, 0, 0, FRS_RNG_LATENCY);
    struct frs_load *load = frs_load_create(0, unlimited, NULL);
    double now_s = 0, sum_s = 0, sigma = 1;
    for (size_t i = 0; i < N; i++) {
        now_s += frs_rng_exponential(&rng) / 2;
        double lasts_s = 8 * exp(sigma * frs_rng_normal(&rng) - sigma * sigma / 2);
        struct frs_participation p = part(now_s, now_s + lasts_s);
        frs_load_participation(load, &p);
        frs_load_until(load, now_s);
        sum_s += lasts_s;
    }
    frs_load_end(load, now_s, no_peak);
    struct frs_load_figures figures = frs_load_figures(load);
    ck_assert_double_eq_tol(figures.mean, sum_s / figures.end_s, 1e-6);
    ck_assert_double_eq_tol(figures.mean, 16, 0.02 * 16);
    ck_assert_double_eq_tol(figures.median, 16, 1);
    ck_assert_double_eq_tol(figures.p95, 23, 1);
    ck_assert_double_ge(figures.peak, 30);
    frs_load_destroy(load);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("load over time");
    TCase *tests = tcase_create("load over time");
    tcase_add_test(tests, a_later_download_has_a_connection_or_keeps_it);
    tcase_add_test(tests, figures_by_hand);
    tcase_add_test(tests, a_client_that_waits_to_connect_runs_on);
    tcase_add_test(tests, a_lost_round_ends_the_servers_work);
    tcase_add_test(tests, hours_csv_by_hand);
    tcase_add_test(tests, the_link_bounds_rates);
    tcase_add_test(tests, hours_of_a_day_come_again);
    tcase_add_test(tests, an_m_g_infinity_load_has_its_closed_form);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
