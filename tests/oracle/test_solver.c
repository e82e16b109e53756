/* SimGrid's own solver as the oracle of the water-filling engine: random cohorts behind a finite server link,
 * with and without clients that vanish in the middle of a message; private links against the closed form; and
 * SimGrid's own documented figure for its TCP model. */
#include "tests/actors/random_rounds.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

enum { CALENDAR = 0, SIMGRID = 2 };

/* All of them with `ctest -L long`. */
#ifndef CASES
#define CASES(n) FRS_TEST_CASES((n) / 4)
#endif

enum { N_SMALL = CASES(120), N_LARGE = CASES(144), N_PRIVATE = CASES(60), N_POLICIES = CASES(200) };

/* The results of the comparison; printed, because the figures are quoted. */
struct worst {
    double time, bytes; /* relative difference of times; bytes, beyond the one that is always under way */
    size_t n, n_lost;
};

static double relative(double a, double b) {
    return a == b || (isnan(a) && isnan(b)) ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b));
}

/* SimGrid's clock passes an instant to see what happens in it, once a round. */
#define INSTANTS_S 1e-8

static void compare_times(const struct frs_participation *a, const struct frs_participation *b, uint64_t seed,
    bool policies, struct worst *worst) {
    const double times[][2] = {{a->times.down_start_s, b->times.down_start_s},
        {a->times.down_end_s, b->times.down_end_s}, {a->times.compute_end_s, b->times.compute_end_s},
        {a->times.up_start_s, b->times.up_start_s}, {a->times.up_end_s, b->times.up_end_s},
        {a->times.ended_s, b->times.ended_s}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double difference = relative(times[i][0], times[i][1]);
        if (policies && fabs(times[i][0] - times[i][1]) <= INSTANTS_S)
            continue;
        ck_assert_msg(difference <= 1e-12, "seed %llu, client %u, time %zu: %.17g instead of %.17g",
            (unsigned long long)seed, a->client, i, times[i][0], times[i][1]);
        worst->time = fmax(worst->time, difference);
    }
}

/* Crossed bytes are whole, so a rounding may decide about one. */
static void compare_bytes(uint64_t a, uint64_t b, uint64_t seed, uint32_t client, struct worst *worst) {
    double difference = fabs((double)a - (double)b), most = fmax((double)a, (double)b);
    ck_assert_msg(difference <= 1 + 1e-6 * most, "seed %llu, client %u: %llu bytes crossed instead of %llu",
        (unsigned long long)seed, client, (unsigned long long)a, (unsigned long long)b);
    worst->bytes = fmax(worst->bytes, difference);
}

static void compare(const struct kind *kind, struct worst *worst) {
    struct plan *ours = draw_plan(kind, CALENDAR), *simgrids = draw_plan(kind, SIMGRID);
    plan_run(ours);
    plan_run(simgrids);
    for (size_t round = 0; round < ours->n_rounds; round++)
        for (size_t i = 0; i < ours->n[round]; i++) {
            const struct frs_participation *a = &ours->rounds[round][i].p, *b = &simgrids->rounds[round][i].p;
            ck_assert_msg(a->result.outcome == b->result.outcome && a->result.cause == b->result.cause &&
                              a->result.phase == b->result.phase,
                "seed %llu, client %u: %s in phase %d instead of %s in phase %d",
                (unsigned long long)kind->seed, a->client, frs_outcome_names[a->result.outcome],
                a->result.phase, frs_outcome_names[b->result.outcome], b->result.phase);
            compare_times(a, b, kind->seed, kind->policies, worst);
            compare_bytes(
                a->result.down_crossed_bytes, b->result.down_crossed_bytes, kind->seed, a->client, worst);
            compare_bytes(
                a->result.up_crossed_bytes, b->result.up_crossed_bytes, kind->seed, a->client, worst);
            worst->n++;
            worst->n_lost += a->result.outcome != FRS_DELIVERED;
        }
    plan_destroy(ours);
    plan_destroy(simgrids);
}

static void report(const char *what, const struct worst *worst) {
    printf("%s: %zu participations, %zu lost; times agree to %.1e, crossed bytes to %g\n", what, worst->n,
        worst->n_lost, worst->time, worst->bytes);
}

START_TEST(solver_agrees_where_none_vanish) {
    struct worst worst = {0};
    for (uint64_t i = 0; i < N_SMALL / 2; i++)
        compare(
            &(struct kind){.seed = 100 + i, .n_min = 2, .n_max = 60, .n_rounds = 1 + i % 2, .lossless = true},
            &worst);
    ck_assert_uint_eq(worst.n_lost, 0);
    report("nobody vanishes", &worst);
}
END_TEST

START_TEST(solver_agrees_where_clients_vanish) {
    struct worst worst = {0};
    for (uint64_t i = 0; i < N_SMALL; i++)
        compare(&(struct kind){.seed = 1000 + i, .n_min = 2, .n_max = 60, .n_rounds = 1 + i % 2}, &worst);
    ck_assert_uint_gt(worst.n_lost, CASES(500));
    report("clients vanish", &worst);
}
END_TEST

/* Rounds of every policy: who is cut where, who is late, what was carried by then. */
START_TEST(solver_agrees_under_every_policy) {
    struct worst worst = {0};
    for (uint64_t i = 0; i < N_POLICIES; i++)
        compare(
            &(struct kind){
                .seed = 9000 + i, .n_min = 2, .n_max = 40, .n_rounds = 1 + i % 4, .policies = true},
            &worst);
    ck_assert_uint_gt(worst.n_lost, CASES(500));
    report("policies", &worst);
}
END_TEST

START_TEST(solver_agrees_on_large_cohorts) {
    struct worst worst = {0};
    for (uint64_t i = 0; i < N_LARGE; i++)
        compare(
            &(struct kind){
                .seed = 2000 + i, .n_min = 220, .n_max = 500, .n_rounds = 1, .lossless = i % 6 == 0},
            &worst);
    report("large cohorts", &worst);
}
END_TEST

/* T = L + S_down/B_down + C + L + S_up/B_up, and a device that is still at work after its last upload begins
 * with C when that has ended. */
static void check_closed_form(const struct planned *planned, uint64_t seed) {
    const struct frs_participation *p = &planned->p;
    double hand[] = {p->times.selected_s + planned->latency_s, 0, 0, 0, 0};
    hand[1] = hand[0] + (double)planned->down_bytes / planned->down_bytes_per_s;
    double free_s = p->before ? p->before->times.compute_end_s + planned_of(p->before)->post_s : 0;
    hand[2] = fmax(hand[1], free_s) + planned->compute_s;
    hand[3] = hand[2] + planned->latency_s;
    hand[4] = hand[3] + (double)planned->up_bytes / planned->up_bytes_per_s;
    const double times[] = {p->times.down_start_s, p->times.down_end_s, p->times.compute_end_s,
        p->times.up_start_s, p->times.up_end_s};
    for (size_t i = 0; i < 5; i++)
        ck_assert_msg(relative(times[i], hand[i]) <= 1e-9, "seed %llu, client %u, time %zu: %.17g and %.17g",
            (unsigned long long)seed, p->client, i, times[i], hand[i]);
}

START_TEST(solver_agrees_on_private_links) {
    for (uint64_t i = 0; i < N_PRIVATE; i++) {
        struct kind kind = {
            .seed = 4000 + i, .n_min = 1, .n_max = 60, .n_rounds = 2, .lossless = true, .private = true};
        struct plan *plan = draw_plan(&kind, _i);
        plan_run(plan);
        for (size_t round = 0; round < plan->n_rounds; round++)
            for (size_t j = 0; j < plan->n[round]; j++)
                check_closed_form(&plan->rounds[round][j], kind.seed);
        plan_destroy(plan);
    }
}
END_TEST

/* In exact timing latency delays a message and does not slow it down: 50 ms and 20 ms, 10 MB each through 1
 * MB/s. From 0.05 both run at 0.5 MB/s; until then the second has moved 0.03 MB alone. It ends at 0.05
 * + 9.97/0.5 = 19.99; the first has moved 9.97 MB by then and needs 0.03 s more. */
START_TEST(test_latency_does_not_bias) {
    struct plan *plan = plan_create(1, _i);
    plan->server_down_bytes_per_s = 1e6;
    plan_add(plan, 0, (struct planned)PLANNED(0, 5e6, 1e9, 0.05, 10000000, 0, 1));
    plan_add(plan, 0, (struct planned)PLANNED(1, 5e6, 1e9, 0.02, 10000000, 0, 1));
    plan_run(plan);
    ck_assert_double_eq_tol(plan->rounds[0][1].p.times.down_end_s, 19.99, 1e-9);
    ck_assert_double_eq_tol(plan->rounds[0][0].p.times.down_end_s, 20.02, 1e-9);
    plan_destroy(plan);
}
END_TEST

/* One link of 1 Mbit/s and 10 ms between two hosts, used in both directions. */
static void write_documented_platform(FILE *out) {
    fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n"
          "<host id=\"s0\" speed=\"1Gf\"/><host id=\"c0\" speed=\"1Gf\"/>\n"
          "<link id=\"l\" bandwidth=\"1Mbps\" latency=\"10ms\" sharing_policy=\"SHARED\"/>\n"
          "<route src=\"s0\" dst=\"c0\"><link_ctn id=\"l\"/></route>\n</zone>\n</platform>\n",
        out);
}

static void send_100_kb(int argc, char **argv) {
    (void)argc;
    (void)argv;
    double *end_s = sg_actor_self_get_data();
    sg_host_sendto(sg_host_by_name("s0"), sg_host_by_name("c0"), 100000);
    *end_s = simgrid_get_clock();
}

/* The documentation's figure for LV08: 13.01 × 0.01 + 100000 / (0.97 × 125000 / 1.05), where the 5 % are the
 * acknowledgements that come back over the same link. */
START_TEST(solver_gives_the_documented_lv08) {
    double *end_s = mmap(NULL, sizeof *end_s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        char path[] = "/tmp/fedrecsim-test-XXXXXX.xml";
        char *arguments[] = {"test", "--log=root.thresh:warning", "--cfg=network/model:LV08", NULL};
        int n = 3;
        FILE *file = fdopen(mkstemps(path, 4), "w");
        write_documented_platform(file);
        fclose(file);
        simgrid_init(&n, arguments);
        simgrid_load_platform(path);
        unlink(path);
        sg_actor_t actor = sg_actor_init("sender", sg_host_by_name("s0"));
        sg_actor_set_data(actor, end_s);
        sg_actor_start_(actor, send_100_kb, 0, NULL);
        simgrid_run();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    printf("LV08: %.6f s\n", *end_s);
    ck_assert_double_eq_tol(*end_s, 0.996079, 5e-7);
    munmap(end_s, sizeof *end_s);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("SimGrid's solver");
    TCase *tests = tcase_create("random cohorts");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, solver_agrees_where_none_vanish);
    tcase_add_test(tests, solver_agrees_where_clients_vanish);
    tcase_add_test(tests, solver_agrees_under_every_policy);
    tcase_add_test(tests, solver_agrees_on_large_cohorts);
    tcase_add_loop_test(tests, solver_agrees_on_private_links, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_latency_does_not_bias, 0, N_BACKENDS);
    tcase_add_test(tests, solver_gives_the_documented_lv08);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
