#include "sim/forecast/pilot_rounds.h"
#include "algorithms/kernels/algebra/library.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/rounds/simulation.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What crosses the pipe: a round, or the end. */
struct report {
    bool is_end;
    enum frs_pilot_end end;
    double end_s, end_open_s, end_bytes, end_traffic_bytes;
    struct frs_cohorts end_cohorts;
    struct frs_release_counts end_releases;
    struct frs_pilot_load end_load;
    struct frs_load_hours by_hour[FRS_LOAD_HOURS];
    struct frs_pilot_spending end_spending;
    struct frs_pilot_round round;
};

/* Resident pages: all, and those of files, such as the program itself. */
static void read_pages(double *all_bytes, double *file_bytes) {
    unsigned long size, resident = 0, shared = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu %lu %lu", &size, &resident, &shared) != 3)
        resident = shared = 0;
    if (file)
        fclose(file);
    *all_bytes = (double)resident * (double)sysconf(_SC_PAGESIZE);
    *file_bytes = (double)shared * (double)sysconf(_SC_PAGESIZE);
}

double frs_resident_bytes(void) {
    double all, of_files;
    read_pages(&all, &of_files);
    return all;
}

static double file_bytes(void) {
    double all, of_files;
    read_pages(&all, &of_files);
    return of_files;
}

/* ---- the child ------------------------------------------------------------------------------- */

struct backend {
    const struct frs_pilot_request *request;
    struct frs_ledger *ledger;
    struct frs_coordinator *coordinator;
    struct frs_journal *journal; /* NULL: none is kept */
    int pipe;
    double began_s;
    size_t n_closed; /* rounds */
    double log_bytes;
    FILE *rounds_csv, *events; /* which count; events NULL: none are written */
    double rounds_csv_bytes, events_bytes;
    double file_bytes; /* of the parent: the child has only those of them that it has touched since */
};

static double peak_bytes(const struct backend *backend) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double own_bytes = file_bytes();
    return (double)usage.ru_maxrss * 1024 + fmax(backend->file_bytes - own_bytes, 0);
}

static double journal_bytes(const struct backend *backend) {
    return backend->journal ? (double)frs_journal_bytes(backend->journal) : 0;
}

/* Takes what is written and keeps its amount. */
static ssize_t count(void *context, const char *bytes, size_t n) {
    (void)bytes;
    *(double *)context += (double)n;
    return (ssize_t)n;
}

static FILE *counter(double *bytes) {
    return fopencookie(bytes, "w", (cookie_io_functions_t){.write = count});
}

static void flush(const struct backend *backend) {
    fflush(backend->rounds_csv);
    if (backend->events)
        fflush(backend->events);
}

static void tell(int pipe, const struct report *report) {
    if (write(pipe, report, sizeof *report) != sizeof *report) /* the reader has gone */
        _exit(1);
}

static void note_log(void *context, size_t log_bytes) {
    struct backend *backend = context;
    backend->log_bytes = (double)log_bytes;
}

/* How often clients have released data that noise is to hide. */
static struct frs_release_counts count_releases(const struct backend *backend) {
    const struct frs_setup *setup = backend->request->setup;
    const struct frs_guarantee guarantee = frs_privacy_guarantee(&setup->training.mechanisms);
    uint32_t n_clients = setup->training.data->population.n_clients;
    if (guarantee.noise == FRS_NO_NOISE)
        return (struct frs_release_counts){0};
    uint32_t *counts = frs_alloc(n_clients, sizeof *counts);
    for (uint32_t client = 0; client < n_clients; client++) {
        const struct frs_client_row *row = frs_ledger_client(backend->ledger, client);
        counts[client] = guarantee.local ? (uint32_t)row->uploads : (uint32_t)row->delivered;
    }
    struct frs_release_counts all =
        frs_release_counts(counts, n_clients, (double)frs_ledger_rounds(backend->ledger));
    free(counts);
    return all;
}

static struct frs_pilot_load load_of(const struct frs_ledger *ledger) {
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    struct frs_load_figures figures = {0};
    if (frs_ledger_load(ledger))
        figures = frs_load_figures(frs_ledger_load(ledger));
    const struct frs_server_traffic server = frs_totals_at_server(totals);
    return (struct frs_pilot_load){.down_bytes = server.down_bytes,
        .up_bytes = server.up_bytes,
        .metered_bytes = (double)(totals->metered_down_bytes + totals->metered_up_bytes),
        .connected_s = server.connected_s,
        .busy_s = figures.busy_s,
        .work_s = figures.work_s,
        .energy_j = totals->energy_j};
}

static double open_s(const struct frs_ledger *ledger) {
    return frs_ledger_end_s(ledger) - frs_ledger_idle_s(ledger) - frs_ledger_restart_s(ledger);
}

static void set_hours(struct report *report, const struct frs_ledger *ledger) {
    if (ledger && frs_ledger_load(ledger))
        memcpy(report->by_hour, frs_load_by_hour(frs_ledger_load(ledger)), sizeof report->by_hour);
}

static void tell_round(void *context, size_t rounds_done, double now_s, const char *metric, double value) {
    struct backend *backend = context;
    (void)rounds_done, (void)metric, (void)value;
    const struct frs_totals *totals = frs_ledger_totals(backend->ledger);
    flush(backend);
    struct report report = {
        .round = {.simulated_s = now_s,
            .wall_s = frs_wall_s() - backend->began_s,
            .peak_bytes = peak_bytes(backend),
            .journal_bytes = journal_bytes(backend),
            .log_bytes = backend->log_bytes,
            .received_bytes = (double)frs_model_received_bytes(backend->request->setup->training.model),
            .n_entered = (double)frs_ledger_rounds(backend->ledger),
            .open_s = open_s(backend->ledger),
            .participations = (double)totals->participations,
            .down_bytes = (double)totals->down_bytes,
            .up_bytes = (double)totals->up_bytes,
            .load = load_of(backend->ledger),
            .setup_bytes = (double)(totals->setup_down_bytes + totals->setup_up_bytes),
            .energy_j = totals->energy_j,
            .metered_bytes = (double)(totals->metered_down_bytes + totals->metered_up_bytes),
            .rounds_csv_bytes = backend->rounds_csv_bytes,
            .events_bytes = backend->events_bytes,
            .cohorts = frs_ledger_cohorts(backend->ledger),
            .releases = count_releases(backend)}};
    for (size_t i = 0; i < FRS_N_OUTCOMES; i++)
        report.round.outcomes[i] = (double)totals->outcomes[i];
    tell(backend->pipe, &report);
    if (++backend->n_closed < backend->request->most_rounds ||
        backend->n_closed ==
            backend->request->setup->n_rounds) /* which ends by itself, and tells what that takes */
        return;
    report = (struct report){.is_end = true, .end = FRS_PILOT_CUT};
    set_hours(&report, backend->ledger);
    tell(backend->pipe, &report);
    _exit(0);
}

/* A copy of the setup with an estimate in place of training. It has no error feedback, no information
 * loss, no second training, and does not stop at a tolerance or a target. */
static struct frs_setup without_training(
    const struct frs_setup *setup, const struct frs_training_estimate *estimate) {
    struct frs_setup copy = *setup;
    copy.training.trains = copy.training.information_loss = copy.training.structure =
        copy.training.trains_again = copy.stop_at_target = copy.training.uplink_feedback = false;
    copy.training.estimate = estimate;
    copy.training.whole_messages = true;
    copy.stop_tolerance = 0;
    frs_setup_settle(&copy);
    return copy;
}

static enum frs_pilot_end play(struct backend *backend) {
    static const volatile sig_atomic_t interrupted;
    const struct frs_pilot_request *request = backend->request;
    struct frs_setup setup =
        request->estimate ? without_training(request->setup, request->estimate) : *request->setup;
    struct frs_errors errors = {0};
    struct frs_simulation_result result;
    frs_memory_keep();
    backend->rounds_csv = counter(&backend->rounds_csv_bytes);
    backend->events = setup.events ? counter(&backend->events_bytes) : NULL;
    if (!backend->rounds_csv || (setup.events && !backend->events))
        return FRS_PILOT_FAILED;
    frs_library_set_threads(request->threads);
    struct frs_pool *pool = frs_pool_create(request->threads);
    if (frs_checkpoint_is_kept(&setup))
        backend->journal = frs_journal_create(&(struct frs_digest){0});
    backend->ledger = frs_ledger_create(
        setup.training.data->population.n_clients, backend->rounds_csv, backend->events, &setup.ranking);
    const double link[2] = {setup.network.server_down_bytes_per_s, setup.network.server_up_bytes_per_s};
    frs_ledger_set_load(backend->ledger, frs_load_create(setup.clock_s, link, NULL));
    frs_ledger_count_periods(backend->ledger, setup.caps.period_s);
    backend->coordinator = frs_coordinator_create(&setup);
    const struct frs_watcher watcher = {.context = backend, .round = tell_round, .logged = note_log};
    struct frs_simulation_settings settings = {.setup = &setup,
        .pool = pool,
        .coordinator = backend->coordinator,
        .ledger = backend->ledger,
        .journal = backend->journal,
        .evaluation = setup.training.trains && setup.training.data->n_left_out == 0
                          ? frs_evaluation_create(setup.training.data, &setup.ranking, pool)
                          : NULL,
        .watcher = &watcher,
        .interrupted = &interrupted};
    enum frs_status status = frs_simulate(&settings, &result, &errors);
    if (status == FRS_OK)
        return FRS_PILOT_COMPLETE;
    return result.ending == FRS_ENDED_STRANDED ? FRS_PILOT_STRANDED : FRS_PILOT_FAILED;
}

static double traffic_bytes(const struct frs_ledger *ledger) {
    const struct frs_totals *totals = frs_ledger_totals(ledger);
    return (double)(totals->down_bytes + totals->up_bytes);
}

static struct frs_pilot_spending spending(const struct backend *backend) {
    if (!backend->ledger || !backend->coordinator)
        return (struct frs_pilot_spending){.held_back = 0};
    return (struct frs_pilot_spending){
        .bytes = frs_client_periods_spread(frs_ledger_periods(backend->ledger), FRS_CLIENT_BYTES),
        .held_back = frs_coordinator_held_back(backend->coordinator)};
}

/* An error in the pilot run is not the scenario's: it prints nothing and leaves no core file. */
static _Noreturn void child(
    const struct frs_pilot_request *request, int pipe, double began_s, double file_bytes) {
    struct backend backend = {.request = request, .pipe = pipe, .began_s = began_s, .file_bytes = file_bytes};
    int nowhere = open("/dev/null", O_RDWR);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGPIPE, SIG_IGN);
    for (int stream = 0; stream < 3 && nowhere >= 0; stream++)
        dup2(nowhere, stream);
    struct rlimit ceiling = {(rlim_t)ceil(request->ceiling_s) + 1, (rlim_t)ceil(request->ceiling_s) + 2};
    setrlimit(RLIMIT_CPU, &ceiling);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    enum frs_pilot_end end = play(&backend);
    double end_s = backend.ledger ? frs_ledger_end_s(backend.ledger) : 0;
    struct report report = {.is_end = true, .end = end, .end_s = end_s, .end_bytes = peak_bytes(&backend)};
    if (backend.ledger) {
        report.end_releases = count_releases(&backend);
        report.end_traffic_bytes = traffic_bytes(backend.ledger);
        report.end_open_s = open_s(backend.ledger);
        report.end_cohorts = frs_ledger_cohorts(backend.ledger);
        report.end_load = load_of(backend.ledger);
    }
    report.end_spending = spending(&backend);
    set_hours(&report, backend.ledger);
    tell(pipe, &report);
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------------------------ */

/* False when nothing more comes. */
static bool hear(int pipe, struct report *report) {
    size_t n = 0;
    while (n < sizeof *report) {
        ssize_t got = read(pipe, (char *)report + n, sizeof *report - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        n += (size_t)got;
    }
    return true;
}

static void listen_to(int pipe, struct frs_pilot *pilot) {
    struct report report;
    size_t capacity = 0;
    while (hear(pipe, &report)) {
        if (report.is_end) {
            pilot->end = report.end;
            pilot->end_s = report.end_s;
            pilot->end_open_s = report.end_open_s;
            pilot->end_releases = report.end_releases;
            pilot->end_traffic_bytes = report.end_traffic_bytes;
            pilot->end_bytes = report.end_bytes;
            pilot->end_spending = report.end_spending;
            pilot->end_cohorts = report.end_cohorts;
            pilot->end_load = report.end_load;
            memcpy(pilot->by_hour, report.by_hour, sizeof pilot->by_hour);
            return;
        }
        pilot->rounds = frs_grow(pilot->rounds, pilot->n + 1, &capacity, sizeof *pilot->rounds);
        pilot->rounds[pilot->n++] = report.round;
    }
}

struct frs_pilot frs_pilot_play(const struct frs_pilot_request *request) {
    struct frs_pilot pilot = {.end = FRS_PILOT_FAILED};
    double began_s = frs_wall_s(), bytes = file_bytes();
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return pilot;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        child(request, ends[1], began_s, bytes);
    }
    close(ends[1]);
    if (pid > 0) {
        int status = 0;
        listen_to(ends[0], &pilot);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
            pilot.end = FRS_PILOT_CUT;
    }
    close(ends[0]);
    return pilot;
}
