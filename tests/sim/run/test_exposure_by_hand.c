/* Losses per exposure, worked out by hand: three clients whose uploads are lost after a time that is drawn
 * ahead, alone on their links, on a link they share, and on links that follow a trace; and that shorter
 * phases are lost less often. */
#include "sim/base/numbers/rng.h"
#include "tests/sim/run/fixture.h"

/* 247 items × 2 numbers × 4 bytes behind a header of 24 are 2000 bytes: 10 s down, 20 s up.
 * A round: 1 + 10 down, 5 to compute, 1 + 20 up. */
static const char common[] =
    "seed = 3;\n"
    "data = { synthetic = \"custom\"; users = 3; items = 247; interactions = 300; activity_ceiling = 0.9; "
    "};\n"
    "evaluation = { negatives = 20; };\n"
    "method = { name = \"fedmf\"; dim = 2; };\n"
    "training = { enabled = false; };\n"
    "network = { model = \"exact\"; preset = \"none\"; downlink = \"200 B/s\"; uplink = \"100 B/s\"; "
    "latency = \"1 s\"; };\n"
    "devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n"
    "rounds = { count = 40; cohort = 3; };\n"
    "output = { events = true; };\n";

#define PER_S 20.0
#define CHANCE 0.5
#define MESSAGE 2000.0
#define RATE 100.0

enum { N_CLIENTS = 3, N_ROUNDS = 40 };

static const char losing[] = "failures = { connection_up = 0.5; per = \"20 s\"; detect = \"0 s\"; "
                             "retry = { times = 0; }; };\n";
static const char *const backends[] = {"actors", "calendar", "simgrid"};

/* The third of the draws of the third phase decides on the connection of an upload. Memoryless, and below 20
 * s with probability 1/2. */
static double death_after_s(uint32_t client, uint32_t round) {
    enum { DRAWS = 6, UP = 2, CONNECTION = 2 };
    struct frs_rng rng = frs_rng_stream(3, client, round, 0, FRS_RNG_FAILURE);
    double draw = NAN;
    for (int i = 0; i <= UP * DRAWS + CONNECTION; i++)
        draw = frs_rng_unit(&rng);
    return PER_S * log(1 - draw) / log(1 - CHANCE);
}

struct upload {
    double t0, t1, bytes;
    bool lost;
};

static void load_uploads(const char *out, struct upload uploads[N_ROUNDS][N_CLIENTS]) {
    char *path = frs_format("%s/events.ndjson", out);
    FILE *file = folder_open(path, "r");
    size_t n = 0;
    for (json_t *line; (line = next_line(file)); json_decref(line)) {
        if (strcmp(json_string_value(json_object_get(line, "phase")), "up") != 0)
            continue;
        const char *outcome = json_string_value(json_object_get(line, "outcome")),
                   *cause = json_string_value(json_object_get(line, "cause"));
        bool lost = strcmp(outcome, "delivered") != 0;
        ck_assert_str_eq(outcome, lost ? "dropped_up" : "delivered");
        ck_assert(!lost || strcmp(cause, "connection") == 0);
        uploads[(int)json_of(line, "round") - 1][(int)json_of(line, "client")] =
            (struct upload){json_of(line, "t0_s") + 1, json_of(line, "t1_s"), json_of(line, "bytes"), lost};
        n++;
    }
    ck_assert_uint_eq(n, N_ROUNDS * N_CLIENTS);
    fclose(file);
    free(path);
}

static void run(const char *rest, const char *options) {
    char *text = frs_format("%s%s", common, rest);
    write_text("s.cfg", text);
    run_scenario("s.cfg", "out", options);
    free(text);
}

/* An upload that has begun moves `bytes` by its end: whole ones, of which rounding may hide the last. */
static void check(const struct upload *upload, double end_s, double bytes, bool lost) {
    ck_assert(upload->lost == lost);
    ck_assert_double_eq_tol(upload->t1, end_s, 1e-8);
    ck_assert(lost ? fabs(upload->bytes - bytes) <= 1 && upload->bytes == floor(upload->bytes)
                   : upload->bytes == MESSAGE);
}

START_TEST(exposure_of_messages_alone) {
    struct upload uploads[N_ROUNDS][N_CLIENTS];
    int lost = 0;
    char *options = frs_format("--set engine.backend=%s", backends[_i]);
    run(losing, options);
    free(options);
    load_uploads("out", uploads);
    for (uint32_t round = 0; round < N_ROUNDS; round++)
        for (uint32_t client = 0; client < N_CLIENTS; client++) {
            const struct upload *upload = &uploads[round][client];
            double life_s = death_after_s(client, round);
            bool dies = life_s < MESSAGE / RATE;
            check(upload, upload->t0 + fmin(life_s, MESSAGE / RATE), floor(life_s * RATE), dies);
            lost += dies;
        }
    ck_assert_int_gt(lost, 40); /* 60 of 120 on average */
    ck_assert_int_lt(lost, 80);
}
END_TEST

/* The server receives 150 B/s: 50 for each of three, 75 of two, and 100 for the last. A client that dies
 * makes room. */
START_TEST(exposure_on_a_shared_link) {
    struct upload uploads[N_ROUNDS][N_CLIENTS];
    char *options = frs_format("--set engine.backend=%s --set 'network.server_uplink=150 B/s'", backends[_i]);
    run(losing, options);
    free(options);
    load_uploads("out", uploads);
    for (uint32_t round = 0; round < N_ROUNDS; round++) {
        double life_s[N_CLIENTS], moved[N_CLIENTS] = {0}, now_s = 0, start_s = uploads[round][0].t0;
        bool under_way[N_CLIENTS];
        int n = N_CLIENTS;
        for (uint32_t i = 0; i < N_CLIENTS; i++) {
            life_s[i] = death_after_s(i, round);
            under_way[i] = true;
        }
        while (n > 0) {
            double rate = fmin(RATE, 150.0 / n), next_s = INFINITY;
            for (int i = 0; i < N_CLIENTS; i++)
                if (under_way[i])
                    next_s = fmin(next_s, fmin(life_s[i], now_s + (MESSAGE - moved[i]) / rate));
            for (uint32_t i = 0; i < N_CLIENTS; i++) {
                if (!under_way[i])
                    continue;
                moved[i] += rate * (next_s - now_s);
                bool arrives = moved[i] > MESSAGE - 1e-6;
                if (!arrives && life_s[i] > next_s)
                    continue;
                under_way[i] = false;
                n--;
                check(&uploads[round][i], start_s + next_s, floor(moved[i]), !arrives);
            }
            now_s = next_s;
        }
    }
}
END_TEST

/* Bandwidth halves in the second of every ten seconds: what counts is the time, not what would have crossed.
 */
START_TEST(exposure_counts_time_under_a_trace) {
    struct upload uploads[N_ROUNDS][N_CLIENTS];
    write_text("trace.csv", "t_s,factor\n0,1\n5,0.5\n10,1\n");
    char *options = frs_format("--set engine.backend=%s --set network.trace=trace.csv", backends[_i]);
    run(losing, options);
    free(options);
    load_uploads("out", uploads);
    for (uint32_t round = 0; round < N_ROUNDS; round++)
        for (uint32_t client = 0; client < N_CLIENTS; client++) {
            const struct upload *upload = &uploads[round][client];
            double dies_s = upload->t0 + death_after_s(client, round), t_s = upload->t0, moved = 0;
            while (moved < MESSAGE - 1e-6 && t_s < dies_s - 1e-12) {
                double place = fmod(t_s + 1e-9, 10), rate = place < 5 ? RATE : RATE / 2;
                double next_s = fmin(dies_s, t_s + (place < 5 ? 5 : 10) - place + 1e-9);
                next_s = fmin(next_s, t_s + (MESSAGE - moved) / rate);
                moved += rate * (next_s - t_s);
                t_s = next_s;
            }
            check(upload, t_s, floor(moved), moved < MESSAGE - 1e-6);
        }
}
END_TEST

/* A phase that lasts as long as chances are for loses the same clients as without `per`; half the message
 * loses some of these, and no others. */
START_TEST(smaller_is_safer) {
    struct upload by_phase[N_ROUNDS][N_CLIENTS], exposed[N_ROUNDS][N_CLIENTS], half[N_ROUNDS][N_CLIENTS];
    int lost = 0, lost_of_half = 0;
    run("failures = { connection_up = 0.5; detect = \"0 s\"; retry = { times = 0; }; };\n", "");
    load_uploads("out", by_phase);
    run(losing, "--force");
    load_uploads("out", exposed);
    run(losing, "--force --set 'network.uplink=200 B/s'"); /* half the time */
    load_uploads("out", half);
    for (uint32_t round = 0; round < N_ROUNDS; round++)
        for (uint32_t client = 0; client < N_CLIENTS; client++) {
            ck_assert(by_phase[round][client].lost == exposed[round][client].lost);
            ck_assert(!half[round][client].lost || exposed[round][client].lost);
            lost += exposed[round][client].lost;
            lost_of_half += half[round][client].lost;
        }
    ck_assert_int_lt(lost_of_half, lost);
    /* 1 − √½ = 29 % instead of 50 %, of 120. */
    ck_assert_int_ge(lost_of_half, 20);
    ck_assert_int_le(lost_of_half, 50);
}
END_TEST

/* Uplinks of 300, 100 and 200 B/s, mean 1/2, spread evenly: 1/6, 5/6 and 1/2 of the rounds are lost. */
START_TEST(the_slowest_is_lost_most) {
    static const char *const kinds[] = {"up = 0.5;", "connection_up = 0.5; retry = { times = 0; };"};
    for (int i = 0; i < 2; i++) {
        char *text =
            frs_format("%sfailures = { %s follows = \"uplink\"; detect = \"0 s\"; };\n", common, kinds[i]);
        write_text("s.cfg", text);
        free(text);
        run_scenario("s.cfg", "out",
            "--force --set rounds.count=600 --set network.uplink.distribution=uniform "
            "--set 'network.uplink.low=50 B/s' --set 'network.uplink.high=500 B/s'");
        struct table clients = table_load("out", "clients.csv");
        const double hand[3] = {5 / 6.0, 1 / 2.0, 1 / 6.0}; /* from the slowest on */
        for (size_t client = 0; client < N_CLIENTS; client++) {
            size_t place = 0;
            for (size_t other = 0; other < N_CLIENTS; other++)
                place += cell(&clients, other, "up_bytes_per_s") < cell(&clients, client, "up_bytes_per_s");
            double share = cell(&clients, client, "lost") / cell(&clients, client, "participations");
            ck_assert_double_eq_tol(share, hand[place], 4 * sqrt(hand[place] * (1 - hand[place]) / 600));
        }
        json_t *summary = load_json("out", "summary.json");
        json_t *groups = json_object_get(json_object_get(summary, "groups"), "loss_quartile");
        ck_assert_double_eq_tol(json_of(json_object_get(groups, "1"), "loss"), 5 / 6.0, 1e-12);
        json_decref(summary);
        table_fini(&clients);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("exposure by hand");
    TCase *tests = tcase_create("exposure by hand");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, exposure_of_messages_alone, 0, 3);
    tcase_add_loop_test(tests, exposure_on_a_shared_link, 0, 3);
    tcase_add_loop_test(tests, exposure_counts_time_under_a_trace, 0, 2);
    tcase_add_test(tests, smaller_is_safer);
    tcase_add_test(tests, the_slowest_is_lost_most);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
