#include "sim/what_if/what_if.h"
#include "actors/backend.h"
#include "algorithms/training/effort.h"
#include "sim/base/memory.h"
#include "sim/setup/training_key.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* What one what-if may take: so much effort, or this share of that of the run. */
#define ALLOWED_S 0.25
#define ALLOWED_SHARE 0.01

/* Effort of simulating a participation by the calendar (simulate.c) or by SimGrid, and of asking, for one
 * client in a round, whether it can be selected. */
#define CALENDAR_S_PER_PARTICIPATION 5e-6
#define SIMGRID_S_PER_PARTICIPATION 50e-6
#define S_PER_CLIENT_AND_ROUND 20e-9

/* Effort of a packet, where the network follows what senders make of queues and losses: it decides for
 * messages of megabytes. */
#define S_PER_PACKET 10e-9
#define BYTES_PER_PACKET 1448.0

/* ---- the course of the run ------------------------------------------------------------------- */

static void begins(void *context, size_t n_rounds) {
    const struct frs_watcher *watcher = ((const struct frs_what_if_course *)context)->watcher;
    if (watcher && watcher->begins)
        watcher->begins(watcher->context, n_rounds);
}

static void round_closed(
    void *context, size_t rounds_done, double simulated_s, const char *metric, double value) {
    struct frs_what_if_course *course = context;
    course->ends_s = frs_grow(course->ends_s, course->n + 1, &course->ends_capacity, sizeof *course->ends_s);
    course->n_records =
        frs_grow(course->n_records, course->n + 1, &course->records_capacity, sizeof *course->n_records);
    course->n_records[course->n] = course->journal ? frs_journal_n(course->journal) : 0;
    course->ends_s[course->n++] = simulated_s;
    if (course->watcher)
        course->watcher->round(course->watcher->context, rounds_done, simulated_s, metric, value);
}

static void ends(void *context) {
    const struct frs_watcher *watcher = ((const struct frs_what_if_course *)context)->watcher;
    if (watcher && watcher->ends)
        watcher->ends(watcher->context);
}

struct frs_watcher frs_what_if_watcher(struct frs_what_if_course *course) {
    return (struct frs_watcher){.context = course, .begins = begins, .round = round_closed, .ends = ends};
}

void frs_what_if_course_fini(struct frs_what_if_course *course) {
    free(course->ends_s);
    free(course->n_records);
    *course = (struct frs_what_if_course){0};
}

/* ---- how much is simulated ---------------------------------------------------------------------- */

/* Effort of the rounds of the run, as they were and without what was trained. */
struct effort {
    double simulating_s, all_s;
};

static double packets_of(const struct frs_setup *setup, const struct frs_totals *totals) {
    bool follows = setup->network.model == FRS_TCP || setup->network.model == FRS_PACKETS;
    return follows ? (double)(totals->down_bytes + totals->up_bytes) / BYTES_PER_PACKET : 0;
}

static struct effort effort_of(const struct frs_what_if_request *request) {
    const struct frs_setup *setup = request->setup;
    const struct frs_totals *totals = frs_ledger_totals(request->ledger);
    const struct frs_training_setup *training = &setup->training;
    double n = (double)totals->participations, rounds = (double)frs_ledger_attempts(request->ledger),
           per_client = setup->backend != &frs_backend_simgrid ? CALENDAR_S_PER_PARTICIPATION
                                                               : SIMGRID_S_PER_PARTICIPATION;
    struct effort effort = {
        .simulating_s = n * per_client + packets_of(setup, totals) * S_PER_PACKET +
                        rounds * training->data->population.n_clients * S_PER_CLIENT_AND_ROUND};
    struct frs_usage mean = {
        .flop = totals->flop / fmax(n, 1), .up_bytes = (uint64_t)((double)totals->up_bytes / fmax(n, 1))};
    effort.all_s = effort.simulating_s;
    if (training->trains)
        effort.all_s += n * frs_effort_of_training_s(&mean) + rounds * frs_effort_of_tables_s(training) +
                        rounds / (double)setup->evaluate_every * frs_effort_of_evaluation_s(training);
    return effort;
}

/* A target or a tolerance, at which other updates may arrive in another round. */
static bool was_ended_by_training(const struct frs_what_if_request *request) {
    return request->result->stops.reached_target || request->result->stops.converged;
}

/* How many of n rounds that together take effort_s. */
static size_t rounds_within(double effort_s, double allowed_s, size_t n) {
    return effort_s <= allowed_s ? n : (size_t)floor((double)n * allowed_s / effort_s);
}

static void set_extent(const struct frs_what_if_request *request, struct frs_what_if_task *task) {
    struct effort effort = effort_of(request);
    double allowed_s = request->all ? INFINITY : fmax(ALLOWED_S, ALLOWED_SHARE * effort.all_s);
    size_t n = request->course->n;
    bool trains = request->setup->training.trains;
    task->most_rounds = rounds_within(effort.simulating_s, allowed_s, n);
    task->most_trained = rounds_within(trains ? effort.all_s : effort.simulating_s, allowed_s, n);
    task->goes_on =
        was_ended_by_training(request) && effort.all_s / (double)n * request->setup->n_rounds <= allowed_s;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void set_changes(const struct frs_variation *variation, size_t which, struct frs_what_if_task *task) {
    task->n_changes[which] = variation->n;
    for (size_t i = 0; i < variation->n; i++) {
        struct frs_what_if_change *change = &task->changes[which][i];
        snprintf(change->key, sizeof change->key, "%s", variation->keys[i]);
        snprintf(change->text, sizeof change->text, "%s", variation->texts[i]);
    }
}

/* Clients that dropped out: the server waits until it notices. */
static bool has_lost(const struct frs_ledger *ledger) {
    const uint64_t *outcomes = frs_ledger_totals(ledger)->outcomes;
    return outcomes[FRS_DROPPED_DOWN] + outcomes[FRS_DROPPED_COMPUTE] + outcomes[FRS_DROPPED_UP] > 0;
}

/* Why one is not simulated; NULL: it is. Freed by the caller. */
static char *objection_to(const struct frs_what_if_request *request, const struct frs_variation *variation,
    size_t which, const struct frs_what_if_task *task) {
    if (variation->why_not)
        return frs_strdup(variation->why_not);
    if (which == FRS_WHAT_IF_DETECTION && !has_lost(request->ledger))
        return frs_strdup("no client was lost");
    if (which == FRS_WHAT_IF_CONTACT && frs_ledger_totals(request->ledger)->outcomes[FRS_UNAVAILABLE] == 0)
        return frs_strdup("every client that was called was online");
    if (variation->selects_others && task->most_trained == 0)
        return frs_strdup("other clients would be selected, and training them for one round alone would take "
                          "too long");
    return NULL;
}

/* Writes the journal of the rounds to be simulated into a file in memory, which other processes can read
 * as long as this process has it open. Returns the file; NULL where there is no journal, or no file. */
static FILE *share(const struct frs_what_if_request *request, struct frs_what_if_task *task) {
    const struct frs_what_if_course *course = request->course;
    if (!request->setup->training.trains || !course->journal)
        return NULL;
    int descriptor = memfd_create("journal", MFD_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!file)
        return NULL;
    task->training = *frs_journal_training(course->journal);
    if (frs_journal_write_first(course->journal, course->n_records[task->most_rounds - 1], file))
        snprintf(task->journal, sizeof task->journal, "/proc/%ld/fd/%d", (long)getpid(), descriptor);
    return file;
}

static char *why_left_out(const struct frs_what_if_answer *answer) {
    switch (answer->end) {
    case FRS_WHAT_IF_NEEDS_TRAINING:
        return frs_strdup("other clients would arrive, and training them would take too long");
    case FRS_WHAT_IF_REFUSED:
        return frs_strdup(answer->why);
    case FRS_WHAT_IF_SIMULATED:
        return answer->rounds > 0 ? NULL : frs_strdup("no round closed");
    case FRS_WHAT_IF_UNANSWERED:
        break;
    }
    return frs_strdup("it was stopped before it had been simulated");
}

/* Where the what-if ended in another round than the run, both are compared as a whole. */
static void take(const struct frs_what_if_request *request, const struct frs_what_if_answer *answer,
    bool goes_on, struct frs_what_if *what_if) {
    const struct frs_what_if_course *course = request->course;
    what_if->left_out = why_left_out(answer);
    if (what_if->left_out)
        return;
    what_if->trained = answer->trained;
    what_if->rounds = what_if->rounds_without = answer->rounds;
    if (goes_on && answer->trained)
        what_if->rounds_without = course->n;
    what_if->seconds = answer->seconds;
    what_if->seconds_without = course->ends_s[what_if->rounds_without - 1];
}

static char *why_none(const struct frs_what_if_request *request, const struct frs_what_if_task *task) {
    const struct frs_setup *setup = request->setup;
    if (request->course->n == 0)
        return frs_strdup("no round was closed");
    if (frs_setup_clients_meet(setup))
        return frs_strdup("clients exchange messages with each other, which no what-if changes");
    if (!frs_devices_deterministic(&setup->devices))
        return frs_strdup("times are measured on this machine, and are never the same again");
    if (setup->training.trains && !request->course->journal)
        return frs_strdup("nothing was kept of what clients sent and computed (output.checkpoint_interval)");
    if (task->most_rounds == 0)
        return frs_strdup("one round alone would take too long");
    return request->fork_server ? NULL : frs_strdup("no process could be made for them");
}

static void simulate(
    const struct frs_what_if_request *request, struct frs_what_if_task *task, struct frs_what_ifs *what_ifs) {
    struct frs_what_if_answer answers[FRS_VARIATIONS];
    for (size_t i = 0; i < FRS_VARIATIONS; i++) {
        struct frs_what_if *what_if = &what_ifs->list[i];
        what_if->variation = frs_variation_of(request->setup, i);
        what_if->left_out = objection_to(request, &what_if->variation, i, task);
        if (!what_if->left_out)
            set_changes(&what_if->variation, i, task);
        else if (i == FRS_WHAT_IF_DETECTION)
            frs_variation_fini(&what_if->variation);
    }
    what_ifs->n = FRS_VARIATIONS;
    frs_what_if_fork_server_simulate(request->fork_server, task, request->interrupted, answers);
    for (size_t i = 0; i < FRS_VARIATIONS; i++)
        if (task->n_changes[i] > 0)
            take(request, &answers[i], task->goes_on, &what_ifs->list[i]);
}

void frs_what_ifs_play(const struct frs_what_if_request *request, struct frs_what_ifs *what_ifs) {
    const struct frs_setup *setup = request->setup;
    struct frs_what_if_task task = {.n_rounds = setup->n_rounds, .processes = request->threads};
    *what_ifs = (struct frs_what_ifs){.n_rounds = request->course->n};
    if (request->result->stops.out_of_time) {
        task.n_rounds = request->course->n;
        task.ignores_time = true;
    }
    if (request->course->n > 0)
        set_extent(request, &task);
    what_ifs->why_none = why_none(request, &task);
    if (what_ifs->why_none)
        return;
    FILE *journal = share(request, &task);
    simulate(request, &task, what_ifs);
    if (journal)
        fclose(journal);
}

void frs_what_ifs_fini(struct frs_what_ifs *what_ifs) {
    for (size_t i = 0; i < what_ifs->n; i++) {
        frs_variation_fini(&what_ifs->list[i].variation);
        free(what_ifs->list[i].left_out);
    }
    free(what_ifs->why_none);
    *what_ifs = (struct frs_what_ifs){0};
}

/* ---- what it shows --------------------------------------------------------------------------- */

double frs_what_if_change(const struct frs_what_if *what_if) {
    return what_if->left_out || !(what_if->seconds_without > 0)
               ? NAN
               : what_if->seconds / what_if->seconds_without - 1;
}
