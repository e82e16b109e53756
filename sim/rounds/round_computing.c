/* What clients compute while a round is open: how long it takes, and which clients end early. */
#include "actors/speeds.h"
#include "actors/retry_state.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/verdicts.h"
#include "sim/rounds/simulation_internal.h"

#include <math.h>
#include <stdlib.h>

static double work_s(
    const struct frs_simulation *s, const struct frs_participation *p, struct frs_spent spent) {
    const struct frs_devices *devices = &s->setup->devices;
    uint64_t seed = s->setup->training.seed;
    return frs_devices_compute_s(devices, seed, p->client, spent) *
           frs_devices_jitter(devices, seed, p->client, p->round, p->attempt);
}

/* Duration of the phase before the upload. CPU time is not measured separately; a declared time is that
 * before the upload. */
static double compute_s(
    const struct frs_simulation *s, const struct frs_participation *p, const struct frs_usage *usage) {
    bool divides = usage->flop > 0 && !s->setup->training.workload;
    double share = divides ? 1 - usage->post_flop / usage->flop : 1;
    return work_s(s, p,
        (struct frs_spent){.flop = usage->flop - usage->post_flop,
            .samples = usage->samples - usage->post_samples,
            .cpu_s = usage->cpu_s * share});
}

/* Duration of the work after the upload, without the overheads, which count once. NaN: there is none. */
static double post_s(const struct frs_simulation *s, const struct frs_participation *p) {
    const struct frs_usage *usage = &p->usage;
    struct frs_spent all = {.flop = usage->flop, .samples = usage->samples, .cpu_s = usage->cpu_s};
    return usage->post_flop > 0 ? fmax(work_s(s, p, all) - compute_s(s, p, usage), 0) : NAN;
}

static void take_result(struct frs_simulation *s, struct frs_open_entry *open_entry) {
    frs_journaled_trainer_result(s->trainer, open_entry->member.handle, &open_entry->p.usage);
    if (s->exchanges && s->course.sends)
        frs_exchanges_usage(s->exchanges, &open_entry->p, &open_entry->p.usage);
    if (s->peers) { /* what is sent to other clients is no upload */
        open_entry->p.usage.up_bytes = open_entry->p.usage.nominal_up_bytes = 0;
        open_entry->p.usage.up_values = 0;
        open_entry->p.usage.flop += frs_peers_tell_flop(s->peers);
    }
    open_entry->p.post.work_s = post_s(s, &open_entry->p);
}

/* Beside training, and without the overheads, which count once. */
static double mix_s(const void *context, const struct frs_participation *p, double flop) {
    const struct frs_simulation *s = context;
    struct frs_usage all = p->usage;
    all.flop += flop;
    return fmax(compute_s(s, p, &all) - compute_s(s, p, &p->usage), 0);
}

void frs_simulation_plan_peers(struct frs_simulation *s, size_t n) {
    struct frs_peer_computing *computing = frs_alloc(n, sizeof *computing);
    for (size_t i = 0; i < n; i++) {
        struct frs_open_entry *open_entry = frs_open_entry_of(s->opened[i]);
        take_result(s, open_entry);
        computing[i] =
            (struct frs_peer_computing){s->now_s, compute_s(s, s->opened[i], &s->opened[i]->usage)};
    }
    frs_peers_plan(s->peers, s->opened, computing, n, mix_s, s);
    free(computing);
}

/* Training begins with what clients will have heard of each other. */
void frs_simulation_plan_layers(struct frs_simulation *s, size_t n) {
    uint32_t *groups = frs_alloc(n + 1, sizeof *groups);
    size_t n_unheard;
    frs_journaled_trainer_layer_groups(s->trainer, groups, n);
    const struct frs_unheard *unheard = frs_layer_exchanges_plan(s->layers,
        &(struct frs_layer_opening){.list = s->opened,
            .groups = groups,
            .n = n,
            .starts_s = s->now_s + frs_server_encode_s(&s->setup->server, s->encode_flop, s->now_s),
            .work_s = mix_s,
            .context = s},
        &n_unheard);
    frs_journaled_trainer_exchange(s->trainer, s->members, n, unheard, n_unheard);
    for (size_t i = 0; i < n; i++)
        s->members[i]->waits = false;
    free(groups);
}

void frs_simulation_received(void *context, struct frs_participation *p) {
    struct frs_simulation *s = context;
    if (p->aside)
        return;
    frs_journaled_trainer_received(s->trainer, frs_open_entry_of(p)->member.handle);
}

const uint8_t *frs_simulation_message(void *context, struct frs_participation *p, bool up, size_t *n) {
    struct frs_simulation *s = context;
    return frs_journaled_trainer_message(s->trainer, frs_open_entry_of(p)->member.handle, up, n);
}

/* The device has ended its earlier work, so the client's private state is known. */
static void train_at_last(struct frs_simulation *s, struct frs_open_entry *open_entry) {
    frs_post_uploads_end_of(s->post_uploads, open_entry->p.client);
    open_entry->p.before = NULL;
    if (open_entry->member.waits)
        frs_journaled_trainer_train(s->trainer, open_entry->member.handle);
    open_entry->member.waits = false;
}

/* Work after the upload: from the end of computing on, one clock applies to the device
 * (actors/post_upload.h). */
static bool has_own_clock(const struct frs_participation *p) {
    return isfinite(p->post.work_s) && isfinite(p->post.fails_after_s);
}

static void leave_to(struct frs_loss *loss, const struct frs_loss *by_itself) {
    loss->after_s = by_itself->after_s;
    loss->after_cause = by_itself->after_cause;
}

/* Duration of arithmetic alone, without what a device needs before it can train. */
static double exchange_s(const struct frs_simulation *s, const struct frs_participation *p) {
    return work_s(s, p, (struct frs_spent){.flop = p->usage.flop}) - work_s(s, p, (struct frs_spent){0});
}

/* The speeds have to reach as far as the work from the start of the compute phase. They cover twice that
 * time, since what is trained less may take longer to encode. */
static void follow_use(const struct frs_simulation *s, struct frs_participation *p, double work_s) {
    double in_use = s->setup->devices.in_use, at_s = p->times.compute_start_s, left_s = 2 * work_s;
    if (in_use == 1 || !(work_s > 0))
        return;
    while (left_s > 0) {
        struct frs_device_state device = frs_reachability_device(&s->setup->reachability, p->client, at_s);
        double speed = device.in_use ? in_use : 1;
        frs_speeds_add(&p->speeds, at_s, speed);
        left_s -= speed * (device.in_use_until_s - at_s);
        at_s = device.in_use_until_s;
    }
}

/* At the device's own speed, and as it is in use meanwhile. */
static void plan_computing(const struct frs_simulation *s, struct frs_participation *p, double work_s) {
    follow_use(s, p, work_s + (isfinite(p->post.work_s) ? p->post.work_s : 0));
    p->plan.work_s = work_s;
    p->plan.compute_s =
        p->speeds.n > 0 ? frs_speeds_takes_s(&p->speeds, p->times.compute_start_s, work_s) : work_s;
}

void frs_simulation_compute(void *context, struct frs_participation *p) {
    struct frs_simulation *s = context;
    struct frs_open_entry *open_entry = frs_open_entry_of(p);
    if (p->carries) { /* an edge forwards */
        p->plan.compute_s = 0;
        return;
    }
    if (p->aside) {
        plan_computing(s, p, exchange_s(s, p));
        return;
    }
    train_at_last(s, open_entry);
    take_result(s, open_entry);
    plan_computing(s, p, s->course.trains ? compute_s(s, p, &p->usage) : 0);
    if (has_own_clock(p))
        leave_to(&p->plan.up_loss, &open_entry->up_loss_by_itself);
}

/* The new try can fail like the first one, by draws of its own. */
void frs_simulation_retried(void *context, struct frs_participation *p) {
    const struct frs_simulation *s = context;
    bool up = p->breaks[p->n_breaks - 1].up;
    enum frs_failure_phase phase = up ? FRS_FAILS_UP : FRS_FAILS_DOWN;
    uint32_t broken = frs_retry_state_broken(p, up);
    struct frs_phase_failure failure =
        p->aside && !s->deliveries ? frs_failures_aside(&s->setup->failures, s->setup->training.seed,
                                         p->client, p->round, p->attempt, phase, frs_exchange_draw(p, broken))
                                   : frs_failures_again(&s->setup->failures, s->setup->training.seed,
                                         p->client, p->round, p->attempt, phase, broken);
    struct frs_loss by_itself = frs_simulation_loss_by_itself(&failure),
                    *loss = up ? &p->plan.up_loss : &p->plan.down_loss;
    bool delivers = p->aside && s->deliveries;
    *loss = frs_simulation_loss(&failure);
    if ((up || delivers) && has_own_clock(delivers ? &frs_delivery_of(p)->p : p))
        leave_to(loss, &by_itself);
}

void frs_simulation_computed(void *context, struct frs_participation *p) {
    struct frs_simulation *s = context;
    struct frs_open_entry *open_entry = frs_open_entry_of(p);
    const struct frs_training_setup *training = &s->setup->training;
    if (p->aside || (!training->trains && !training->estimate && !training->workload))
        return;
    if (!isfinite(p->usage.loss) && !frs_simulation_learner_failed(s) && !frs_simulation_diverged(s)) {
        s->ending = FRS_ENDED_DIVERGED;
        frs_errors_add(s->errors, FRS_ERR_RUN,
            "round %u: the loss of client %u is not a number: " FRS_SAYS_DIVERGED
            " (smaller method.learning_rate?)",
            s->round + 1, p->client);
    }
    frs_post_uploads_begin(s->post_uploads, open_entry);
}

/* Epochs of a participation are about equally long. Returns the epoch that is under way after this time,
 * or all epochs where time does not depend on them. */
static uint32_t epochs_by(double elapsed_s, double overhead_s, double whole_s, uint32_t epochs) {
    if (!(whole_s > overhead_s) || epochs < 1)
        return epochs;
    double under_way = (elapsed_s - overhead_s) / (whole_s - overhead_s) * epochs - 1e-9;
    return under_way < 1 ? 1 : under_way >= epochs ? epochs : (uint32_t)ceil(under_way);
}

/* A participation that is to end early; seconds of work at the device's own speed. */
struct ending {
    struct frs_open_entry *open_entry;
    double elapsed_s, whole_s;
    uint32_t epochs, all;
    uint32_t trained; /* epochs of the training that the learning knows of at present */
};

static struct ending plan_ending(struct frs_simulation *s, struct frs_participation *p, double now_s) {
    struct frs_open_entry *open_entry = frs_open_entry_of(p);
    bool begun = isfinite(p->times.compute_start_s);
    struct ending ending = {.open_entry = open_entry,
        .elapsed_s = begun ? frs_speeds_work_s(&p->speeds, p->times.compute_start_s, now_s) : 0};
    if (open_entry->member.waits) { /* how many epochs there would be is not known yet */
        ending.epochs = 1;
        ending.all = ending.trained = UINT32_MAX;
        return ending;
    }
    take_result(s, open_entry);
    ending.whole_s = begun ? p->plan.work_s : compute_s(s, p, &p->usage);
    ending.all = ending.trained = (uint32_t)p->usage.epochs;
    ending.epochs =
        epochs_by(ending.elapsed_s, compute_s(s, p, &(struct frs_usage){0}), ending.whole_s, ending.all);
    return ending;
}

/* Trains again the participations whose last epoch has changed; without a limit if that is all epochs. */
static void train_endings(struct frs_simulation *s, struct ending *endings, size_t n) {
    size_t *handles = frs_alloc(n + 1, sizeof *handles), n_changed = 0;
    uint32_t *limits = frs_alloc(n + 1, sizeof *limits);
    for (size_t i = 0; i < n; i++) {
        struct ending *ending = &endings[i];
        if (ending->epochs == ending->trained)
            continue;
        handles[n_changed] = ending->open_entry->member.handle;
        limits[n_changed++] = ending->epochs < ending->all ? ending->epochs : 0;
        ending->trained = ending->epochs;
    }
    if (n_changed > 0)
        frs_journaled_trainer_truncate(s->trainer, handles, limits, n_changed);
    for (size_t i = 0; i < n; i++)
        if (!endings[i].open_entry->member.waits)
            take_result(s, endings[i].open_entry);
    free(handles);
    free(limits);
}

/* A client that runs all epochs keeps its duration: CPU time is never measured the same twice. */
static double ending_s(const struct frs_simulation *s, const struct ending *ending) {
    if (ending->epochs == ending->all || ending->open_entry->member.waits)
        return ending->whole_s;
    return compute_s(s, &ending->open_entry->p, &ending->open_entry->p.usage);
}

/* How long the compute phase of so much work lasts, at least until now. */
static double takes_s(const struct frs_participation *p, double now_s, double work_s) {
    double start_s = p->times.compute_start_s;
    return p->speeds.n > 0 ? fmax(frs_speeds_takes_s(&p->speeds, start_s, work_s), now_s - start_s) : work_s;
}

void frs_simulation_truncate(
    void *context, struct frs_participation *const *list, size_t n, double now_s, double *seconds) {
    struct frs_simulation *s = context;
    struct ending *endings = frs_alloc(n, sizeof *endings);
    for (size_t i = 0; i < n; i++)
        endings[i] = plan_ending(s, list[i], now_s);
    for (bool again = true; again;) {
        again = false;
        train_endings(s, endings, n);
        for (size_t i = 0; i < n; i++)
            if (endings[i].epochs < endings[i].all && ending_s(s, &endings[i]) < endings[i].elapsed_s) {
                endings[i].epochs++;
                again = true;
            }
    }
    for (size_t i = 0; i < n; i++)
        seconds[i] = isfinite(list[i]->times.compute_start_s)
                         ? takes_s(list[i], now_s, ending_s(s, &endings[i]))
                         : NAN;
    free(endings);
}
