/* SimGrid's own solver as the oracle of messages between peers: random rounds, of which every message is an
 * actor of SimGrid's that crosses its sender's uplink and its receiver's downlink. */
#include "actors/peers/exchange.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMBERS = 24, ROUNDS = FRS_TEST_CASES(20), MOST = MEMBERS * (MEMBERS - 1) };

struct round {
    struct frs_peer_member members[MEMBERS];
    struct frs_peer_message messages[MOST];
    uint32_t n;
};

static void draw(uint64_t seed, struct round *round) {
    struct frs_rng rng = frs_rng_stream(seed, 0, 0, 0, FRS_RNG_TEST);
    const struct frs_loss none = {.at_share = NAN, .after_s = INFINITY};
    for (uint32_t i = 0; i < MEMBERS; i++)
        round->members[i] = (struct frs_peer_member){.ready_s = 3 * frs_rng_unit(&rng),
            .dies_s = INFINITY,
            .links = {.bytes_per_s = {1 + frs_rng_below(&rng, 1000000), 1 + frs_rng_below(&rng, 500000)},
                .latency_s = {.1 * frs_rng_unit(&rng), .1 * frs_rng_unit(&rng)}}};
    for (uint32_t i = 0; i < MEMBERS; i++)
        for (uint32_t j = 0; j < MEMBERS; j++)
            if (i != j && frs_rng_unit(&rng) < .3)
                round->messages[round->n++] = (struct frs_peer_message){
                    .from = i, .to = j, .bytes = 1 + frs_rng_below(&rng, 1000000), .loss = {none, none}};
}

static void write_platform(const struct round *round, FILE *out) {
    fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n<zone id=\"peers\" routing=\"Cluster\">\n",
        out);
    for (uint32_t i = 0; i < MEMBERS; i++)
        fprintf(out,
            "<host id=\"c%u\" speed=\"1Gf\"/><link id=\"d%u\" bandwidth=\"%.17gBps\" latency=\"0s\"/>"
            "<link id=\"u%u\" bandwidth=\"%.17gBps\" latency=\"0s\"/><host_link id=\"c%u\" up=\"u%u\" "
            "down=\"d%u\"/>\n",
            i, i, round->members[i].links.bytes_per_s[0], i, round->members[i].links.bytes_per_s[1], i, i, i);
    fputs("</zone>\n</platform>\n", out);
}

static struct round *played; /* in memory that both processes see */

static void send(int argc, char **argv) {
    (void)argc, (void)argv;
    struct frs_peer_message *message = sg_actor_self_get_data();
    const struct frs_peer_member *from = &played->members[message->from], *to = &played->members[message->to];
    char names[2][16];
    snprintf(names[0], sizeof names[0], "c%u", message->from);
    snprintf(names[1], sizeof names[1], "c%u", message->to);
    sg_actor_sleep_until(from->ready_s + from->links.latency_s[1] + to->links.latency_s[0]);
    sg_host_sendto(sg_host_by_name(names[0]), sg_host_by_name(names[1]), (double)message->bytes);
    message->end_s = simgrid_get_clock();
}

static _Noreturn void play(void) {
    char path[] = "/tmp/fedrecsim-test-XXXXXX.xml";
    char *arguments[] = {"test", "--log=root.thresh:warning", "--cfg=surf/precision:1e-12",
        "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0", NULL};
    int n = 6;
    FILE *file = fdopen(mkstemps(path, 4), "w");
    write_platform(played, file);
    fclose(file);
    simgrid_init(&n, arguments);
    simgrid_load_platform(path);
    unlink(path);
    for (uint32_t m = 0; m < played->n; m++) {
        sg_actor_t actor = sg_actor_init("message", sg_host_by_name("c0"));
        sg_actor_set_data(actor, &played->messages[m]);
        sg_actor_start_(actor, send, 0, NULL);
    }
    simgrid_run();
    _exit(0);
}

START_TEST(random_rounds) {
    static const struct frs_peer_sending at_once;
    double worst = 0;
    size_t n = 0;
    played = mmap(NULL, sizeof *played, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct round *ours = frs_alloc(1, sizeof *ours);
        int status;
        draw(seed, ours);
        *played = *ours;
        frs_peer_exchange(ours->members, MEMBERS, ours->messages, ours->n, &at_once, 30);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            play();
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        for (uint32_t m = 0; m < ours->n; m++) {
            double difference = fabs(ours->messages[m].end_s / played->messages[m].end_s - 1);
            ck_assert_msg(difference <= 1e-9, "seed %llu, message %u: %.17g instead of %.17g",
                (unsigned long long)seed, m, ours->messages[m].end_s, played->messages[m].end_s);
            worst = fmax(worst, difference);
        }
        n += ours->n;
        free(ours);
    }
    printf("%zu messages between peers; times agree to %.1e\n", n, worst);
    munmap(played, sizeof *played);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("peers and SimGrid's solver");
    TCase *tests = tcase_create("peers");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, random_rounds);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
