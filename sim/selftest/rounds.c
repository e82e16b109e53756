#include "sim/selftest/rounds.h"
#include "actors/links/channel.h"
#include "actors/links/event_queue.h"
#include "actors/server/server.h"
#include "platforms/networks/slots.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/selftest/draws.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct frs_trial_rounds *frs_trial_rounds_create(void) {
    struct frs_trial_rounds *rounds =
        mmap(NULL, sizeof *rounds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (rounds == MAP_FAILED)
        frs_memory_exhausted();
    return rounds;
}

void frs_trial_rounds_destroy(struct frs_trial_rounds *rounds) {
    munmap(rounds, sizeof *rounds);
}

/* ---- clients ---------------------------------------------------------------------------------- */

static struct frs_trial_client *client_of(struct frs_participation *p) {
    return (struct frs_trial_client *)((char *)p - offsetof(struct frs_trial_client, p));
}

static struct frs_loss loss_after(double after_s, enum frs_cause cause) {
    return (struct frs_loss){.at_share = NAN, .after_s = after_s, .after_cause = cause};
}

/* Drops out in one of three phases. */
static void lose(struct frs_participation *p, struct frs_rng *rng) {
    double after_s = 0.01 + 0.1 * frs_rng_unit(rng);
    switch (frs_rng_below(rng, 3)) {
    case 0:
        p->plan.down_loss = loss_after(after_s, FRS_CAUSE_CONNECTION);
        break;
    case 1:
        p->plan.compute_loss = loss_after(after_s, FRS_CAUSE_DEVICE);
        break;
    default:
        p->plan.up_loss = loss_after(after_s, FRS_CAUSE_CONNECTION);
    }
}

/* Client i of an opening. A message takes a second or so, computing up to a minute. */
static void prepare(struct frs_trial_client *client, enum frs_trial_fate fate, size_t opening, uint32_t i) {
    struct frs_rng rng = frs_rng_stream(77, i, (uint32_t)opening, 0, FRS_RNG_TEST);
    bool tied = fate == FRS_TRIAL_TIED;
    *client = (struct frs_trial_client){.p = frs_participation_new(i)};
    struct frs_participation *p = &client->p;
    p->plan.down_bytes_per_s = tied ? 1000 : 500 + 1000 * frs_rng_unit(&rng);
    p->plan.up_bytes_per_s = tied ? 1000 : 500 + 1000 * frs_rng_unit(&rng);
    p->plan.down_latency_s = p->plan.up_latency_s = tied ? 0 : 0.1 * frs_rng_unit(&rng);
    p->usage.down_bytes = 1000;
    client->compute_s = tied ? 4 : 1 + 59 * frs_rng_unit(&rng);
    if (fate == FRS_TRIAL_SLOW && i == opening % 3)
        client->compute_s = 86400;
    if (fate == FRS_TRIAL_LOST || (fate == FRS_TRIAL_LOSSY && frs_rng_below(&rng, 3) == 0))
        lose(p, &rng);
}

/* ---- what the server asks --------------------------------------------------------------------- */

static bool goes_on(void *context) {
    const struct frs_trial_rounds *rounds = context;
    return (rounds->policy->asynchronous ? rounds->n_closed : rounds->n_opened) < rounds->n_rounds;
}

static bool is_busy(const struct frs_trial_rounds *rounds) {
    for (size_t i = 0; i < rounds->n_started; i++)
        if (rounds->clients[0][i].p.busy)
            return true;
    return false;
}

/* The first `wanted` clients of those that are left. */
static struct frs_opening open_round(void *context, double now_s, size_t wanted) {
    static struct frs_participation *opened[FRS_TRIAL_CLIENTS];
    struct frs_trial_rounds *rounds = context;
    bool asynchronous = rounds->policy->asynchronous;
    size_t opening = asynchronous ? 0 : rounds->n_opened, first = asynchronous ? rounds->n_started : 0,
           n = rounds->n - first;
    n = asynchronous && wanted < n ? wanted : n;
    if (n == 0)
        return (struct frs_opening){
            .kind = is_busy(rounds) ? FRS_OPEN_SLEEP : FRS_OPEN_END, .until_s = INFINITY};
    if (opening < FRS_TRIAL_ROUNDS && first == 0)
        rounds->opened_s[opening] = now_s;
    for (size_t i = 0; i < n; i++) {
        prepare(&rounds->clients[opening][first + i], rounds->fate, opening, (uint32_t)(first + i));
        opened[i] = &rounds->clients[opening][first + i].p;
    }
    rounds->n_started += asynchronous ? n : 0;
    rounds->n_opened++;
    return (struct frs_opening){.kind = FRS_OPEN_ROUND, .until_s = INFINITY, .participants = opened, .n = n};
}

static void received(void *context, struct frs_participation *p) {
    (void)context;
    (void)p;
}

static void compute(void *context, struct frs_participation *p) {
    const struct frs_trial_client *client = client_of(p);
    (void)context;
    p->plan.compute_s =
        client->compute_s * (client->epochs > 0 ? (double)client->epochs / FRS_TRIAL_EPOCHS : 1);
    p->usage.up_bytes = 1000;
    p->post.work_s = NAN;
}

/* The epoch that ends now or next is the last one. */
static void stop_early(
    void *context, struct frs_participation *const *list, size_t n, double now_s, double *compute_s) {
    struct frs_trial_rounds *rounds = context;
    rounds->was_truncated = true;
    for (size_t i = 0; i < n; i++) {
        struct frs_trial_client *client = client_of(list[i]);
        double epoch_s = client->compute_s / FRS_TRIAL_EPOCHS, started_s = list[i]->times.compute_start_s;
        bool begun = !isnan(started_s);
        client->epochs = 1;
        while (begun && client->epochs < FRS_TRIAL_EPOCHS &&
               started_s + client->epochs * epoch_s < now_s - 1e-12)
            client->epochs++;
        compute_s[i] = begun ? client->epochs * epoch_s : NAN;
    }
}

static double aggregate_s(void *context, const struct frs_closing *closing) {
    (void)context;
    (void)closing;
    return 0.5;
}

static void settled(void *context, struct frs_participation *p) {
    (void)context;
    client_of(p)->n_settled++;
}

static void close_round(void *context, const struct frs_closing *closing) {
    struct frs_trial_rounds *rounds = context;
    if (rounds->n_closed < FRS_TRIAL_ROUNDS)
        rounds->closed_s[rounds->n_closed] = closing->now_s;
    rounds->n_closed++;
    for (size_t i = 0; i < closing->n; i++) {
        client_of(closing->arrivals[i])->n_arrivals++;
        rounds->is_ascending &= i == 0 || closing->arrivals[i]->client >= closing->arrivals[i - 1]->client;
    }
}

/* ---- the simulation --------------------------------------------------------------------------- */

/* In a process of its own: SimGrid simulates once. */
static void simulate(struct frs_trial_rounds *rounds) {
    size_t n_slots = rounds->n * (rounds->policy->asynchronous ? 1 : rounds->n_rounds);
    char path[] = "/tmp/fedrecsim-selftest-XXXXXX.xml";
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file || frs_slots_write(file, n_slots, INFINITY, INFINITY) != 0 || fclose(file) != 0)
        frs_fail("selftest: cannot write %s", path);
    struct frs_channel *channel =
        frs_channel_create(&(struct frs_channel_settings){.platform_file = path, .n_slots = n_slots});
    unlink(path);
    struct frs_event_queue *event_queue =
        frs_event_queue_create(&(struct frs_event_queue_settings){.stopped = frs_backend_stopped,
            .context = rounds,
            .server_down_bytes_per_s = INFINITY,
            .server_up_bytes_per_s = INFINITY});
    const struct frs_server_operations operations = {
        .play = {.context = rounds, .received = received, .compute = compute, .computed = received},
        .goes_on = goes_on,
        .open = open_round,
        .truncate = stop_early,
        .settled = settled,
        .aggregate_s = aggregate_s,
        .close = close_round};
    rounds->end_s = frs_server_run(&(struct frs_server_settings){.channel = channel,
        .policy = rounds->policy,
        .policy_settings = rounds->settings,
        .backend = &frs_backend_calendar,
        .event_queue = event_queue,
        .operations = &operations});
    rounds->over = true;
}

void frs_trial_rounds_play(struct frs_check *check, struct frs_trial_rounds *rounds) {
    struct frs_errors errors = {0};
    int status = 0;
    if (frs_simgrid_load(&errors) != FRS_OK)
        frs_check_impossible(check, "%s", errors.lines[0]);
    rounds->is_ascending = true;
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        frs_check_impossible(check, "no process for a simulation can be started");
    if (child == 0) {
        /* It ends with the process that waits for it, which may be stopped for taking too long. */
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
            _exit(1);
        simulate(rounds);
        fflush(NULL);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child)
        frs_check_impossible(check, "the process of a simulation is lost");
    if (WIFSIGNALED(status))
        raise(WTERMSIG(status));
    if (!rounds->over)
        _exit(WEXITSTATUS(status) ? WEXITSTATUS(status) : 1);
}
