#include "sim/run/forecast.h"
#include "sim/base/memory.h"
#include "sim/run/work.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* Clients trained to learn what the method costs. */
#define MAX_PROBES 24u

/* Real time of SimGrid and the ledger per participation, measured with scenarios/papers/colr-table2.cfg. */
#define SIMULATION_S_PER_PARTICIPATION 50e-6

struct probe {
    struct frs_spent spent;
    double up_bytes, wall_s;
    size_t kept_bytes;
};

static double wall_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct probe probe_clients(
    const struct frs_setup *setup, const struct frs_downlink *downlink, const uint32_t *cohort) {
    struct probe mean = {0};
    struct frs_workbench bench = {0};
    struct frs_work work = {0};
    uint32_t n = setup->cohort < MAX_PROBES ? setup->cohort : MAX_PROBES;
    double began_s = wall_s();
    for (uint32_t i = 0; i < n; i++) {
        work.client = cohort[(uint64_t)i * setup->cohort / n];
        frs_work_run(&work, setup, frs_downlink_tables(downlink), frs_downlink_word(downlink), 0, 0, &bench);
        mean.spent.flop += work.flop / n;
        mean.spent.samples += work.samples / n;
        mean.spent.cpu_s += work.cpu_s / n;
        mean.up_bytes += (double)work.up_bytes / n;
        mean.kept_bytes += work.kept.n / n;
    }
    mean.wall_s = (wall_s() - began_s) / n;
    frs_work_fini(&work);
    frs_workbench_fini(&bench);
    return mean;
}

/* The slowest of the cohort on private links: T = L + S_down/B_down + C + F/v + L + S_up/B_up. */
static double round_s(const struct frs_setup *setup, const struct frs_downlink *downlink,
    const uint32_t *cohort, const struct probe *probe) {
    double slowest_s = 0;
    for (uint32_t i = 0; i < setup->cohort; i++) {
        struct frs_client_link link = frs_network_client(&setup->network, setup->seed, cohort[i]);
        double down_bytes = (double)frs_downlink_size(downlink, cohort[i]).bytes;
        double t_s = 2 * link.latency_s + down_bytes / link.down_bytes_per_s +
                     frs_devices_compute_s(&setup->devices, setup->seed, cohort[i], probe->spent) +
                     probe->up_bytes / link.up_bytes_per_s;
        slowest_s = fmax(slowest_s, t_s);
    }
    return slowest_s;
}

/* Through a finite server link at least all bytes have to pass, down and then up. */
static double server_link_s(const struct frs_setup *setup, const struct frs_downlink *downlink,
    const uint32_t *cohort, const struct probe *probe) {
    double down_bytes = 0, up_bytes = probe->up_bytes * setup->cohort;
    for (uint32_t i = 0; i < setup->cohort; i++)
        down_bytes += (double)frs_downlink_size(downlink, cohort[i]).bytes;
    return fmax(
        down_bytes / setup->network.server_down_bytes_per_s, up_bytes / setup->network.server_up_bytes_per_s);
}

static void print_times(const struct frs_setup *setup, const struct frs_downlink *downlink,
    const uint32_t *cohort, const struct probe *probe, FILE *out) {
    char one[64], all[64];
    if (setup->platform.file) {
        fprintf(out, "  a round      %u clients on %s; how long it takes SimGrid will tell\n", setup->cohort,
            setup->platform.file);
        return;
    }
    double private_s = round_s(setup, downlink, cohort, probe);
    double shared_s = server_link_s(setup, downlink, cohort, probe), one_s = fmax(private_s, shared_s);
    frs_units_format(one_s, FRS_TIME, one, sizeof one);
    frs_units_format(one_s * setup->n_rounds, FRS_TIME, all, sizeof all);
    fprintf(out, "  a round      %u clients, about %s simulated (first round, %s%s)\n", setup->cohort, one,
        shared_s > private_s ? "at least what the server's link needs" : "slowest client in closed form",
        setup->network.model == FRS_LV08 ? "; lv08 takes longer" : "");
    fprintf(out, "  the run      %u rounds, about %s simulated\n", setup->n_rounds, all);
}

static double resident_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

/* A participation's place in the calendar, and its actor's stack where it has one
 * (tests/bench/bench_contention). */
static double bytes_per_player(const struct frs_setup *setup) {
    return setup->player == &frs_player_calendar ? 1500 : 20e3;
}

void frs_forecast_print(const struct frs_setup *setup, size_t threads, FILE *out) {
    struct frs_downlink *downlink = frs_setup_downlink(setup);
    uint32_t *cohort = frs_alloc(setup->cohort, sizeof *cohort);
    struct frs_selection_request request = {
        .seed = setup->seed, .n_clients = setup->data->population.n_clients, .n = setup->cohort};
    setup->selection->select(&request, cohort);
    frs_downlink_open(downlink, 0);
    struct probe probe = {0};
    if (setup->training)
        probe = probe_clients(setup, downlink, cohort);
    else
        probe.up_bytes = (double)frs_work_untrained_size(setup, frs_downlink_tables(downlink)).bytes;
    double participations = (double)setup->n_rounds * setup->cohort;
    double wall = participations * (probe.wall_s / (double)threads + SIMULATION_S_PER_PARTICIPATION);
    double memory =
        resident_bytes() + (double)setup->cohort * ((double)probe.kept_bytes + bytes_per_player(setup));
    char text[4][64];
    fprintf(out, "  data         %s\n", setup->data->description);
    print_times(setup, downlink, cohort, &probe, out);
    fprintf(out, "  messages     about %s down, %s up per client and round\n",
        frs_units_format(
            (double)frs_downlink_size(downlink, cohort[0]).bytes, FRS_BYTES, text[0], sizeof text[0]),
        frs_units_format(probe.up_bytes, FRS_BYTES, text[1], sizeof text[1]));
    fprintf(out, "  wall time    about %s on %zu thread%s\n",
        frs_units_format(wall, FRS_TIME, text[1], sizeof text[1]), threads, threads == 1 ? "" : "s");
    fprintf(out, "  memory       about %s\n", frs_units_format(memory, FRS_BYTES, text[2], sizeof text[2]));
    fprintf(out, "  results in   %s\n", setup->directory);
    free(cohort);
    frs_downlink_destroy(downlink);
}
