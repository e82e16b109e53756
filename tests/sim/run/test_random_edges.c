/* Random scenarios with edges under every network model that has them: each run ends by itself with books
 * that agree, and both backends write the same files.
 *
 *   FRS_RANDOM_SCENARIOS=1 FRS_RANDOM_FIRST=17 test_random_edges     repeats number 17 */
#include "tests/sim/run/random_draw.h"

static size_t number_from(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

static uint64_t number;

/* One in n has the key, with a value that is drawn. */
static void draw_rate(struct draw *d, uint32_t n, const char *key, double low, double high) {
    double rate = draw_scale(d, low, high);
    if (one_in(d, n))
        fprintf(d->out, " %s = \"%.3f kB/s\";", key, rate);
}

static void draw_edges(struct draw *d, bool adds) {
    fprintf(d->out, " edges = { count = %u; assignment = \"%s\"; latency = \"%s\";", 1 + below(d, 5),
        ONE_OF(d, "random", "in_turn"), ONE_OF(d, "0 s", "20 ms", "700 ms"));
    draw_rate(d, 2, "downlink", 3, 300);
    draw_rate(d, 2, "uplink", 3, 300);
    draw_rate(d, 2, "access_downlink", 3, 300);
    draw_rate(d, 2, "access_uplink", 3, 300);
    if (adds)
        fprintf(d->out, " partial_sums = true; speed = \"%s\";", ONE_OF(d, "unlimited", "2 kflop/s"));
    bool by_chance = one_in(d, 3), planned = one_in(d, 3);
    d->edges_die = by_chance || planned;
    if (by_chance)
        fputs(ONE_OF(d, " mtbf = \"15 s\"; restart = \"3 s\";", " mtbf = \"60 s\"; restart = \"0 s\";"),
            d->out);
    if (planned)
        fprintf(
            d->out, " fails = \"0 at %.3f s, 0 at %.3f s\";", draw_scale(d, 0.1, 5), draw_scale(d, 5, 60));
    if (d->packets && one_in(d, 2))
        fputs(" packet_loss = 0.03;", d->out);
    fputs(" };", d->out);
}

static void draw_network(struct draw *d, bool adds) {
    const char *model = ONE_OF(d, "packets", "packets", "tcp", "exact");
    d->packets = strcmp(model, "packets") == 0;
    d->tcp = strcmp(model, "exact") != 0;
    fprintf(d->out,
        "network = { model = \"%s\"; preset = \"none\"; downlink = { distribution = \"lognormal\"; median = "
        "\"%.3f kB/s\"; sigma = 0.8; }; uplink = \"%.3f kB/s\"; latency = \"%s\";",
        model, draw_scale(d, 3, 100), draw_scale(d, 3, 100), ONE_OF(d, "0 s", "30 ms", "300 ms"));
    draw_rate(d, 2, "server_downlink", 5, 100);
    draw_rate(d, 2, "server_uplink", 5, 100);
    if (d->tcp)
        fputs(ONE_OF(d, " connection = \"tls\";", " connection = \"tcp\";",
                  " connection = \"kept\"; idle_windows = \"kept\";"),
            d->out);
    if (d->tcp && one_in(d, 3))
        fputs(" queue = \"20 ms\";", d->out);
    if (d->packets && one_in(d, 3))
        fputs(" packet_loss = 0.03;", d->out);
    if (one_in(d, 3))
        fputs(" jitter = 0.5; latency_jitter = 0.5;", d->out);
    if (one_in(d, 4))
        fputs(" trace = \"trace.csv\"; trace_phase = \"random\";", d->out);
    draw_edges(d, adds);
    fputs(" };\n", d->out);
    write_text("trace.csv", "t_s,factor\n0,1\n7,0.3\n11,2.5\n30,0\n42,1\n");
}

static void draw_losses(struct draw *d) {
    bool leave = one_in(d, 2), breaks = one_in(d, 2), mean = one_in(d, 3);
    if (leave)
        fprintf(d->out, "availability = { model = \"markov\"; on = \"%.2f s\"; off = \"%.2f s\"; };\n",
            draw_scale(d, 5, 300), draw_scale(d, 1, 30));
    fputs("failures = {", d->out);
    if (leave || breaks || mean || d->edges_die)
        fprintf(d->out, " detect = \"%u s\";", below(d, 4));
    if (breaks)
        fputs(
            " up = 0.2; connection_up = 0.3; connection_down = 0.2; retry = { times = 2; after = \"1 s\"; };",
            d->out);
    if (mean)
        fputs(" device_mtbf = \"60 s\"; connection_mtbf = \"30 s\";", d->out);
    if (one_in(d, 3))
        fprintf(d->out, " server_restarts = \"%.3f s\"; restart = \"%u s\";", draw_scale(d, 0.5, 60),
            below(d, 5));
    fputs(" };\n", d->out);
}

static void draw_scenario(void) {
    struct draw d = {.seed = number, .rng = frs_rng_stream(number, 0, 0, 0, FRS_RNG_TEST)};
    d.out = folder_open("s.cfg", "w");
    d.users = 10 + below(&d, 40);
    bool adds = one_in(&d, 3);
    uint32_t cohort = 1 + below(&d, d.users);
    fprintf(d.out,
        "seed = %llu;\n"
        "data = { synthetic = \"custom\"; users = %u; items = 60; interactions = %u; activity_ceiling = 0.4; "
        "};\n"
        "evaluation = { negatives = 20; };\n"
        "training = { enabled = %s; };\n",
        (unsigned long long)number, d.users, 12 * d.users, one_in(&d, 4) ? "true" : "false");
    fprintf(d.out, "method = { name = \"%s; };\n",
        adds || one_in(&d, 2) ? "fedmf\"; dim = 40; aggregation = \"uniform\""
                              : "colr\"; dim = 40; rank = 8");
    draw_network(&d, adds);
    fprintf(d.out, "devices = { compute = \"fixed\"; overhead = \"%s\"; };\n",
        ONE_OF(&d, "0 s", "300 ms", "4 s"));
    draw_losses(&d);
    fprintf(d.out, "rounds = { count = 4; cohort = %u;", cohort);
    if (adds)
        fprintf(d.out, " edge_rounds = %u;", 1 + below(&d, 3));
    else if (one_in(&d, 2))
        fprintf(d.out, " policy = { name = \"deadline\"; after = \"%.2f s\"; };", draw_scale(&d, 0.5, 60));
    fputs(" };\noutput = { report = false; };\n", d.out);
    fclose(d.out);
}

static void check_scenario(void) {
    static const char *const files[] = {"rounds.csv", "events.ndjson", "clients.csv", "edges.csv"};
    int code[2];
    draw_scenario();
    for (int calendar = 0; calendar < 2; calendar++) {
        const char *backend = calendar ? "calendar" : "actors";
        code[calendar] =
            run_program("run s.cfg --quiet --threads=1 --out %s --set engine.backend=%s", backend, backend);
        ck_assert_msg(
            code[calendar] == 0 || code[calendar] == 1, "exit code %d: %s", code[calendar], frs_said);
    }
    ck_assert_int_eq(code[0], code[1]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        ck_assert_msg(shell("test ! -e actors || cmp -s actors/%s calendar/%s", files[i], files[i]) == 0,
            "%s depends on the backend", files[i]);
    shell("rm -rf actors calendar");
}

START_TEST(random_runs_with_edges_add_up) {
    size_t n = number_from("FRS_RANDOM_SCENARIOS", FRS_TEST_CASES(30)),
           first = number_from("FRS_RANDOM_FIRST", 1);
    frs_most_s = 60;
    for (number = first; number < first + n; number++)
        check_scenario();
    number = 0;
}
END_TEST

static void report(void) {
    if (number > 0) {
        char *text = read_text("s.cfg");
        printf("Scenario %llu:\n%s", (unsigned long long)number, text);
        free(text);
    }
    folder_teardown();
}

int main(void) {
    Suite *suite = suite_create("random edges");
    TCase *tests = tcase_create("end, and their books agree");
    tcase_add_checked_fixture(tests, folder_setup, report);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, random_runs_with_edges_add_up);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
