/* Real time of a round in which all clients share the server's saturated links: every client has a capacity
 * of its own, so that no two flows are alike.
 *
 *   bench_contention [backend participants [packets]]
 *
 * With packets, every client exchanges 108 kB each way, packet by packet, over a link that carries as much as
 * half of the clients could send.
 *
 * Each line is a process of its own, because there is one SimGrid engine per
 * process and memory is measured. */
#include "actors/server/server.h"
#include "actors/links/event_queue.h"
#include "platforms/networks/slots.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N_ROUNDS 3

/* The size of a message by packets. */
#define MESSAGE_BYTES 108000

/* The server's links carry a tenth of what the clients could send. */
#define OVERLOAD 10

struct bench {
    uint32_t n, round;
    bool packets;
    struct frs_participation *participants, **list;
    double compute_s, started_s, best_s;
};

static double wall_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool goes_on(void *context) {
    return ((struct bench *)context)->round < N_ROUNDS;
}

static struct frs_opening open_round(void *context, double now_s, size_t n) {
    struct bench *bench = context;
    (void)now_s, (void)n;
    for (uint32_t i = 0; i < bench->n; i++) {
        struct frs_rng rng = frs_rng_stream(1, i, bench->round, 0, FRS_RNG_TEST);
        struct frs_participation *p = &bench->participants[i];
        *p = frs_participation_new(i);
        p->plan.down_bytes_per_s = 1e6 * exp(frs_rng_normal(&rng));
        p->plan.up_bytes_per_s = 3e5 * exp(frs_rng_normal(&rng));
        p->plan.down_latency_s = p->plan.up_latency_s = 0.1 * frs_rng_unit(&rng);
        p->usage.down_bytes = 100000 + frs_rng_below(&rng, 1000000);
        p->usage.up_bytes = 100000 + frs_rng_below(&rng, 1000000);
        p->plan.compute_s = 10 * frs_rng_unit(&rng);
        if (bench->packets) {
            p->plan.by_packets = true;
            p->plan.down_slow_start = p->plan.up_slow_start = FRS_SLOW_START_PAIRED;
            p->usage.down_bytes = p->usage.up_bytes = MESSAGE_BYTES;
        }
        bench->list[i] = p;
    }
    bench->started_s = wall_s();
    return (struct frs_opening){.kind = FRS_OPEN_ROUND, .participants = bench->list, .n = bench->n};
}

static void compute(void *context, struct frs_participation *p) {
    (void)context, (void)p; /* duration and bytes are there already */
}

static double aggregate_s(void *context, const struct frs_closing *closing) {
    (void)context, (void)closing;
    return 0;
}

static void close_round(void *context, const struct frs_closing *closing) {
    struct bench *bench = context;
    double round_s = wall_s() - bench->started_s;
    (void)closing;
    if (bench->round == 0 || round_s < bench->best_s)
        bench->best_s = round_s;
    bench->round++;
}

static struct frs_channel *create_channel(double down_bytes_per_s, double up_bytes_per_s) {
    char path[] = "/tmp/fedrecsim-bench-XXXXXX.xml";
    FILE *file = fdopen(mkstemps(path, 4), "w");
    if (!file || frs_slots_write(file, 1, down_bytes_per_s, up_bytes_per_s) != 0 || fclose(file) != 0) {
        fputs("cannot write the platform file\n", stderr);
        exit(1);
    }
    struct frs_errors errors = {0};
    if (frs_simgrid_load(&errors) != FRS_OK) {
        frs_errors_print(&errors, stderr);
        exit(1);
    }
    struct frs_channel *channel = frs_channel_create(
        &(struct frs_channel_settings){.platform_file = path, .n_slots = 1, .contended = true});
    unlink(path);
    return channel;
}

static void simulate(const struct frs_backend *backend, uint32_t n, bool packets) {
    extern const struct frs_policy frs_policy_wait_all;
    struct bench bench = {.n = n,
        .packets = packets,
        .participants = frs_alloc(n, sizeof *bench.participants),
        .list = frs_alloc(n, sizeof *bench.list)};
    double overload = packets ? 2 : OVERLOAD;
    double down_bytes_per_s = 1.6e6 * n / overload, up_bytes_per_s = 5e5 * n / overload;
    const struct frs_by_packets by_packets = {.queue_s = 0.2};
    struct frs_channel *channel = create_channel(down_bytes_per_s, up_bytes_per_s);
    struct frs_event_queue *event_queue =
        frs_event_queue_create(&(struct frs_event_queue_settings){.stopped = frs_backend_stopped,
            .by_packets = packets ? &by_packets : NULL,
            .server_down_bytes_per_s = down_bytes_per_s,
            .server_up_bytes_per_s = up_bytes_per_s});
    struct frs_server_operations operations = {
        .play = {.context = &bench, .received = compute, .compute = compute, .computed = compute},
        .goes_on = goes_on,
        .open = open_round,
        .settled = compute,
        .aggregate_s = aggregate_s,
        .close = close_round};
    double end_s = frs_server_run(&(struct frs_server_settings){.channel = channel,
        .policy = &frs_policy_wait_all,
        .backend = backend,
        .event_queue = event_queue,
        .operations = &operations});
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-9s%8s %7u participants  %8.4f s a round  %5.0f MB at most  (%.0f s simulated)\n", backend->name,
        packets ? " packets" : "", n, bench.best_s, (double)usage.ru_maxrss / 1024, end_s / N_ROUNDS);
    frs_event_queue_destroy(event_queue);
    frs_channel_destroy(channel);
    free(bench.participants);
    free(bench.list);
}

static int run(const struct frs_backend *backend, uint32_t n, bool packets) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        simulate(backend, n, packets);
        fflush(NULL);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

int main(int argc, char **argv) {
    if (argc == 3 || argc == 4)
        return run(strcmp(argv[1], "actors") == 0 ? &frs_backend_actors : &frs_backend_calendar,
            (uint32_t)strtoul(argv[2], NULL, 10), argc == 4);
    if (argc != 1) {
        fputs("usage: bench_contention [backend participants [packets]]\n", stderr);
        return 2;
    }
    return run(&frs_backend_actors, 500, false) | run(&frs_backend_actors, 2500, false) |
           run(&frs_backend_calendar, 2500, false) | run(&frs_backend_calendar, 10000, false) |
           run(&frs_backend_calendar, 100000, false) | run(&frs_backend_calendar, 1000, true) |
           run(&frs_backend_calendar, 10000, true);
}
