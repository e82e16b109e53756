#include "sim/run/forecast.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/run/control.h"
#include "sim/run/growth.h"
#include "sim/run/parameter_space.h"
#include "sim/run/untrained.h"
#include "sim/run/work.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* Clients trained to learn what the method costs. */
#define MAX_PROBES 24u

/* Real time of SimGrid and the ledger per participation, measured with scenarios/papers/colr-table2.cfg. */
#define SIMULATION_S_PER_PARTICIPATION 50e-6

/* Operations of an aggregation in a second of real time, measured with GPFedRec, whose 52 Gflop for 566
 * clients of MovieLens-100K's size are more than all training. */
#define AGGREGATION_FLOP_PER_S 4e10

struct probe {
    struct frs_spent spent; /* until the upload */
    double up_bytes, up_values, wall_s;
    size_t kept_bytes; /* until the round is closed */
    uint32_t n;
    struct frs_growth growths[MAX_PROBES]; /* [n] */
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
    struct frs_work work = {.budget = frs_setup_budgets(setup).max};
    uint32_t clients[MAX_PROBES], n_selected = setup->policy_settings.n_selected,
                                  n = n_selected < MAX_PROBES ? n_selected : MAX_PROBES;
    struct frs_work_order order = {.tables = frs_downlink_tables(downlink),
        .word = frs_downlink_word(downlink),
        .sends = true,
        .forgets = setup->trains_again};
    double began_s = wall_s();
    for (uint32_t i = 0; i < n; i++) {
        clients[i] = work.client = cohort[(uint64_t)i * n_selected / n];
        frs_work_run(&work, setup, &order, &bench);
        double before_upload = work.flop > 0 ? 1 - work.post_flop / work.flop : 1;
        mean.spent.flop += (work.flop - work.post_flop) / n;
        mean.spent.samples += (work.samples - work.post_samples) / n;
        mean.spent.cpu_s += work.cpu_s * before_upload / n;
        mean.up_bytes += (double)work.up_bytes / n;
        mean.up_values += (double)work.up_values / n;
        mean.kept_bytes += work.kept.n / n;
    }
    mean.wall_s = (wall_s() - began_s) / n * (setup->trains_again ? 2 : 1);
    mean.n = n;
    frs_growth_try(setup, order, clients, n, mean.growths);
    frs_work_fini(&work);
    frs_workbench_fini(&bench);
    return mean;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* When a round closes whose n ≥ 1 participations last so long, ascending, and nobody is lost. */
static double closes_s(const struct frs_setup *setup, const double *durations, uint32_t n) {
    const struct frs_policy_settings *policy = &setup->policy_settings;
    uint32_t enough = policy->share > 0 ? (uint32_t)ceil(policy->share * n - 1e-9) : policy->n_needed;
    double sum_s = 0, closed_s = durations[(enough < n ? enough : n) - 1];
    for (uint32_t i = 0; i < n; i++)
        sum_s += durations[i];
    if (setup->policy->asynchronous)
        return sum_s / n / n * policy->n_needed;
    return policy->after_s > 0 ? fmin(closed_s, policy->after_s + policy->grace_s) : closed_s;
}

/* What the times of a round follow from: its clients, what the first one costs them,
 * and which phases it has. */
struct round {
    const struct frs_setup *setup;
    const struct frs_downlink *downlink;
    const uint32_t *cohort;
    const struct probe *probe;
    struct frs_course course;
};

/* On private links: T = L + S_down/B_down + C + F/v + L + S_up/B_up, less the phases that the round does not
 * have. */
static double private_s(const struct round *round) {
    const struct frs_setup *setup = round->setup;
    const struct frs_course *course = &round->course;
    uint32_t n = setup->policy_settings.n_selected;
    double *durations = frs_alloc(n, sizeof *durations);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t client = round->cohort[i];
        struct frs_client_link link = frs_network_client(&setup->network, setup->seed, client);
        double down_bytes = (double)frs_downlink_size(round->downlink, client).bytes;
        if (course->receives)
            durations[i] += link.latency_s + down_bytes / link.down_bytes_per_s;
        if (course->trains)
            durations[i] += frs_devices_compute_s(&setup->devices, setup->seed, client, round->probe->spent);
        if (course->sends)
            durations[i] += link.latency_s + round->probe->up_bytes / link.up_bytes_per_s;
    }
    qsort(durations, n, sizeof *durations, by_size);
    double one_s = closes_s(setup, durations, n);
    free(durations);
    return one_s;
}

/* Through a finite server link at least all bytes have to pass, down and then up. */
static double server_link_s(const struct round *round) {
    const struct frs_setup *setup = round->setup;
    uint32_t n = setup->policy_settings.n_selected;
    double down_bytes = 0, up_bytes = round->course.sends ? round->probe->up_bytes * n : 0;
    for (uint32_t i = 0; i < n && round->course.receives; i++)
        down_bytes += (double)frs_downlink_size(round->downlink, round->cohort[i]).bytes;
    double all_s = fmax(
        down_bytes / setup->network.server_down_bytes_per_s, up_bytes / setup->network.server_up_bytes_per_s);
    if (setup->policy->leaves_stragglers) /* not all of it passes */
        return 0;
    return setup->policy->asynchronous
               ? all_s * setup->policy_settings.n_needed / setup->policy_settings.n_selected
               : all_s;
}

/* Rounds looked at where a method says which phases each one has. */
#define MAX_COURSES 10000u

/* The mean over the rounds of the run, or the one that stands for all of them. */
static double mean_s(struct round *round) {
    const struct frs_setup *setup = round->setup;
    size_t counts[8] = {0}, n = !setup->learner->course         ? 1
                                : setup->n_rounds < MAX_COURSES ? setup->n_rounds
                                                                : MAX_COURSES;
    double sum_s = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct frs_course course = frs_learner_course(setup->learner, setup->model, i);
        counts[course.receives + 2 * course.trains + 4 * course.sends]++;
    }
    for (unsigned kind = 0; kind < 8; kind++) {
        round->course =
            (struct frs_course){.receives = kind & 1, .trains = kind >> 1 & 1, .sends = kind >> 2 & 1};
        if (counts[kind] > 0)
            sum_s += (double)counts[kind] * fmax(private_s(round), server_link_s(round));
    }
    return sum_s / (double)n;
}

static const char *how_known(const struct round *round) {
    const struct frs_setup *setup = round->setup;
    if (setup->learner->course)
        return "in closed form, mean over rounds with and without messages";
    return server_link_s(round) > private_s(round) ? "first round, at least what the server's link needs"
           : setup->policy->leaves_stragglers      ? "first round, in closed form, as the policy closes it"
           : setup->policy->asynchronous ? "first round, from one aggregation to the next, in closed form"
                                         : "first round, slowest client in closed form";
}

static void print_times(const struct frs_setup *setup, const struct frs_downlink *downlink,
    const uint32_t *cohort, const struct probe *probe, FILE *out) {
    char one[64], all[64];
    struct round round = {.setup = setup,
        .downlink = downlink,
        .cohort = cohort,
        .probe = probe,
        .course = {.receives = true, .trains = true, .sends = true}};
    if (setup->platform.file) {
        fprintf(out, "  a round      %u clients on %s; how long it takes SimGrid will tell\n",
            setup->policy_settings.n_selected, setup->platform.file);
        return;
    }
    const char *how = how_known(&round);
    double one_s = mean_s(&round);
    frs_units_format(one_s, FRS_TIME, one, sizeof one);
    double n_rounds = fmin(setup->n_rounds, fmax(1, ceil(setup->stop_s / one_s)));
    frs_units_format(one_s * n_rounds, FRS_TIME, all, sizeof all);
    fprintf(out, "  a round      %u clients, about %s simulated (%s%s)\n", setup->policy_settings.n_selected,
        one, how, setup->network.model == FRS_LV08 ? "; lv08 takes longer" : "");
    fprintf(out, "  the run      %.0f rounds, about %s simulated\n", n_rounds, all);
}

/* What papers call a method's space. */
static void print_parameters(const struct frs_setup *setup, FILE *out) {
    struct frs_parameter_space space = frs_parameter_space(setup);
    char client[64], server[64];
    if (isfinite(space.client_bytes))
        fprintf(out, "  parameters   %s on a client, %s on the server\n",
            frs_units_format(space.client_bytes, FRS_BYTES, client, sizeof client),
            frs_units_format(space.server_bytes, FRS_BYTES, server, sizeof server));
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

/* Of the tables of a client's own that the server keeps for each client of the last aggregation. */
static double personal_bytes(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = setup->learner->personal ? setup->learner->parts(setup->model, FRS_PERSONAL, shapes) : 0;
    double bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += (double)(shapes[i].n_rows * shapes[i].dim * sizeof(float));
    return bytes;
}

static struct probe probe_untrained(
    const struct frs_setup *setup, const struct frs_downlink *downlink, const uint32_t *cohort) {
    struct probe probe = {.up_bytes = (double)frs_work_untrained_size(
                              setup, frs_downlink_tables(downlink), frs_setup_budgets(setup).max)
                                          .bytes};
    uint32_t n = setup->policy_settings.n_selected;
    for (uint32_t i = 0; i < n && setup->devices.compute == FRS_COMPUTE_PER_SAMPLE; i++)
        probe.spent.samples += frs_untrained_samples(setup, cohort[i]) / n;
    return probe;
}

static double aggregation_s(const struct frs_setup *setup, size_t n, const struct probe *probe) {
    double values = (double)n * probe->up_values;
    return setup->training
               ? frs_learner_aggregate_flop(setup->learner, setup->model, n, values) / AGGREGATION_FLOP_PER_S
               : 0;
}

/* The first round's, all clients being there. Owned by the caller. */
static uint32_t *select_cohort(const struct frs_setup *setup) {
    uint32_t n = setup->policy_settings.n_selected, *cohort = frs_alloc(n, sizeof *cohort);
    struct frs_control *control = frs_control_create(setup);
    if (setup->selection->uses_groups) {
        uint32_t n_groups;
        const uint32_t *groups = setup->learner->groups(setup->model, &n_groups);
        frs_control_set_groups(control, groups, n_groups);
    }
    frs_control_select(control, 0, 0, n, NULL, NULL, cohort);
    frs_control_destroy(control);
    return cohort;
}

void frs_forecast_print(const struct frs_setup *setup, size_t threads, FILE *out) {
    struct frs_downlink *downlink = frs_setup_downlink(setup, 0);
    uint32_t *cohort = select_cohort(setup);
    frs_downlink_open(downlink, 0);
    struct probe probe = {0};
    if (setup->training)
        probe = probe_clients(setup, downlink, cohort);
    else
        probe = probe_untrained(setup, downlink, cohort);
    double per_round =
        setup->policy->asynchronous ? setup->policy_settings.n_needed : setup->policy_settings.n_selected;
    double participations = (double)setup->n_rounds * per_round;
    double wall = participations * (probe.wall_s / (double)threads + SIMULATION_S_PER_PARTICIPATION) +
                  setup->n_rounds * aggregation_s(setup, (size_t)per_round, &probe);
    double per_client = (double)probe.kept_bytes + personal_bytes(setup) + bytes_per_player(setup);
    double memory = resident_bytes() + setup->policy_settings.n_selected * per_client +
                    frs_growth_bytes(probe.growths, probe.n, setup->data->population.n_clients,
                        setup->n_rounds, per_round);
    char text[4][64];
    frs_print_line(out, "  data         %s", setup->data->description);
    print_times(setup, downlink, cohort, &probe, out);
    print_parameters(setup, out);
    fprintf(out, "  messages     about %s down, %s up per client (first round%s)\n",
        frs_units_format(
            (double)frs_downlink_size(downlink, cohort[0]).bytes, FRS_BYTES, text[0], sizeof text[0]),
        frs_units_format(probe.up_bytes, FRS_BYTES, text[1], sizeof text[1]),
        setup->learner->course ? " that has them" : "");
    fprintf(out, "  wall time    about %s on %zu thread%s\n",
        frs_units_format(wall, FRS_TIME, text[1], sizeof text[1]), threads, threads == 1 ? "" : "s");
    fprintf(out, "  memory       about %s\n", frs_units_format(memory, FRS_BYTES, text[2], sizeof text[2]));
    frs_print_line(out, "  results in   %s", setup->directory);
    char *resting = frs_scenario_resting(setup->scenario);
    if (*resting)
        frs_print_line(out, "  rests        %s (in the file, without effect here)", resting);
    free(resting);
    free(cohort);
    frs_downlink_destroy(downlink);
}
