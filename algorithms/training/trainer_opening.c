/* A trainer's round opens: what clients are sent, and whose training is to begin. */
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "algorithms/training/edge_models.h"
#include "algorithms/training/message_audits.h"
#include "algorithms/training/trainer_internal.h"
#include "algorithms/training/workload.h"

/* Sizes of downloads are the sums of their encoded parts; once in an audited round the message itself is
 * built and measured. */
static void audit_download(const struct frs_trainer *trainer, uint32_t client, uint32_t budget) {
    struct frs_buffer message = {0};
    const struct frs_downlink *downlink = frs_downlinks_of(trainer->downlinks, client);
    frs_downlink_encode(downlink, client, budget, &message);
    FRS_INVARIANT(message.n == frs_downlink_size(downlink, client).bytes,
        "client %u is charged %zu bytes for a message of %zu", client,
        frs_downlink_size(downlink, client).bytes, message.n);
    frs_buffer_fini(&message);
}

void frs_trainer_leave_current(struct frs_trainer *trainer) {
    for (size_t i = 0; i < trainer->downlinks->n; i++) {
        if (trainer->current[i])
            frs_versions_release(&trainer->jobs.versions, trainer->current[i]);
        trainer->current[i] = NULL;
    }
}

static void measure_state_loss(struct frs_trainer *trainer) {
    const struct frs_training_setup *setup = trainer->setup;
    const struct frs_part *items = &trainer->jobs.versions.shapes[0];
    struct frs_rows meant = {.n_rows = items->n_rows, .dim = items->dim, .n = items->n_rows}, decoded = meant;
    meant.values = frs_model_tables(setup->model).part[0];
    decoded.values = frs_downlink_tables(trainer->downlinks->all[0])->part[0];
    frs_information_loss_server(&trainer->loss, &meant, &decoded);
}

static void open_downlink(struct frs_trainer *trainer, size_t set, struct frs_course course) {
    struct frs_downlink *downlink = trainer->downlinks->all[set];
    bool is_looked_at = frs_audits_round(trainer->round) || trainer->setup->keeps_messages;
    bool sends = course.receives || course.delivers;
    if (sends && is_looked_at)
        frs_downlink_open(downlink, trainer->round);
    else if (sends)
        frs_downlink_open_unseen(downlink, trainer->round);
    struct frs_version *version = frs_versions_add(&trainer->jobs.versions, frs_downlink_tables(downlink));
    version->course = course;
    version->finite = frs_downlink_is_finite(downlink);
    version->round_seed = frs_downlink_round_seed(downlink);
    version->number = frs_downlink_current(downlink);
    version->n_changes = trainer->n_changes;
    trainer->current[set] = version;
}

/* All clients begin with the initial values, which no message brings. */
static void hold_initial(struct frs_trainer *trainer, struct frs_course course) {
    if (trainer->setup
            ->gossips) /* with other clients: they train on what they hold, and what they change is kept */
        course.sends = course.delivers = true;
    open_downlink(trainer, 0, course);
    for (uint32_t client = 0; client < trainer->setup->data->population.n_clients; client++)
        frs_training_jobs_hold(&trainer->jobs, client, trainer->current[0]);
    frs_trainer_leave_current(trainer);
}

/* Methods that send state decode it into the same tables every time. */
static void renew_current(struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_course course = frs_training_course(setup, cohort->round);
    frs_trainer_leave_current(trainer);
    trainer->round = cohort->round;
    if (setup->gossips && setup->learner->round_seed)
        trainer->gossip_seed = setup->learner->round_seed(setup->model, cohort->round);
    if (trainer->jobs.held) {
        if (!trainer->jobs.held[0])
            hold_initial(trainer, course);
        return;
    }
    if (course.receives && !setup->learner->sends_updates)
        frs_versions_detach(&trainer->jobs.versions);
    for (size_t i = 0; i < trainer->downlinks->n; i++)
        open_downlink(trainer, i, course);
    if (!course.receives)
        return;
    if (setup->information_loss && !setup->learner->sends_updates)
        measure_state_loss(trainer);
    if (cohort->n > 0 && frs_audits_round(trainer->round)) { /* a round may be empty */
        const struct frs_member *member = cohort->members[cohort->round % cohort->n];
        audit_download(trainer, member->client, member->budget);
    }
    frs_learner_broadcast(setup->learner, setup->model, cohort->round, &trainer->current[0]->tables);
}

static struct frs_message_size download_size(
    const struct frs_trainer *trainer, const struct frs_downlink *downlink, uint32_t client) {
    struct frs_message_size size = frs_downlink_size(downlink, client);
    if (trainer->estimated_personal && trainer->estimated_personal[client]) {
        struct frs_message_size more = frs_downlink_personal_size(downlink);
        size.bytes += more.bytes;
        size.nominal_bytes += more.nominal_bytes;
    }
    return size;
}

/* Whether uploads need not be kept for those who may arrive. */
static bool settles(const struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    bool certain = trainer->settling && !trainer->setup->edge_of_client;
    for (size_t i = 0; certain && i < cohort->n; i++)
        certain = !cohort->members[i]->trains ||
                  (cohort->members[i]->known_outcome != FRS_KNOWN_OPEN && !cohort->members[i]->waits);
    return certain;
}

/* Whether the usage of participations is that of an estimate or a declaration, and no message has content. */
static bool stands_for_training(const struct frs_trainer *trainer) {
    return trainer->setup->estimate || trainer->setup->workload;
}

/* Every downlink encodes what its own clients are sent. */
static double encoding_flop(const struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    uint32_t *clients = frs_alloc(cohort->n, sizeof *clients);
    double flop = 0;
    for (size_t i = 0; i < trainer->downlinks->n; i++) {
        struct frs_downlink *downlink = trainer->downlinks->all[i];
        size_t n = 0;
        for (size_t c = 0; c < cohort->n; c++)
            if (frs_downlinks_of(trainer->downlinks, cohort->members[c]->client) == downlink)
                clients[n++] = cohort->members[c]->client;
        flop += frs_downlink_encode_flop(downlink, clients, n);
    }
    free(clients);
    return flop;
}

/* The usage of a participation is known from its opening on. */
static struct frs_message_size declare(
    const struct frs_workload *workload, uint32_t client, struct frs_training_job *job) {
    job->work.usage = frs_workload_usage(workload, client);
    return (struct frs_message_size){job->work.usage.down_bytes, job->work.usage.nominal_down_bytes};
}

/* NULL: there is none, or it has no content. */
static struct frs_version *open_edge_model(struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    bool is_trained = trainer->setup->trains && !stands_for_training(trainer);
    return cohort->n_aggregated > 0 && is_trained
               ? frs_edge_model_aggregate(trainer, cohort->aggregated, cohort->n_aggregated)
               : NULL;
}

void frs_trainer_open(struct frs_trainer *trainer, const struct frs_cohort *cohort, double *encode_flop) {
    size_t n_arriving = 0, most_declared = 0;
    frs_trainer_finish_commits(trainer);
    if (trainer->settling) {
        frs_trainer_finish_training(trainer);
        trainer->settles = settles(trainer, cohort);
    }
    for (size_t i = 0; i < cohort->n; i++)
        frs_downlinks_grant(trainer->downlinks, cohort->members[i]->client, cohort->members[i]->budget);
    frs_trainer_assemble(trainer, cohort);
    if (!trainer->current[0] || trainer->round != cohort->round)
        renew_current(trainer, cohort);
    bool from_edge = cohort->n_aggregated > 0; /* which needs no time to encode */
    struct frs_version *edge_model = open_edge_model(trainer, cohort);
    *encode_flop = !from_edge && trainer->current[0] && trainer->current[0]->course.receives
                       ? encoding_flop(trainer, cohort)
                       : 0;
    for (size_t i = 0; i < cohort->n; i++) {
        struct frs_member *member = cohort->members[i];
        uint32_t client = member->client;
        struct frs_downlink *downlink = frs_downlinks_of(trainer->downlinks, client);
        struct frs_version *version = edge_model ? edge_model
                                      : trainer->jobs.held
                                          ? trainer->jobs.held[client]
                                          : trainer->current[trainer->downlinks->set_of[client]];
        struct frs_message_size size = {0};
        struct frs_training_job *job = frs_training_jobs_take(&trainer->jobs, member, version);
        trainer->first_opened = i == 0 ? member->handle : trainer->first_opened;
        if (trainer->setup->workload)
            size = declare(trainer->setup->workload, client, job);
        else if (version->course.receives)
            size = from_edge ? frs_edge_model_size(trainer, downlink, client)
                             : download_size(trainer, downlink, client);
        most_declared = size.nominal_bytes > most_declared ? size.nominal_bytes : most_declared;
        job->work.client = client;
        job->work.round = cohort->round;
        job->work.attempt = cohort->attempt;
        job->work.budget = member->budget;
        job->member.trains &= trainer->setup->trains;
        n_arriving += job->member.trains && member->known_outcome == FRS_KNOWN_ARRIVES;
        if (trainer->setup->keeps_messages && version->course.receives && !stands_for_training(trainer))
            frs_downlink_encode(downlink, client, member->budget, &job->download);
        if (frs_model_has_personal(trainer->setup->model))
            job->personal = frs_model_personal(trainer->setup->model, client);
        *encode_flop += (double)frs_downlink_personal_values(downlink, client);
        job->member.waits &= job->member.trains || stands_for_training(trainer);
        if (job->member.trains && !job->member.waits)
            frs_trainer_add_waiting(trainer, job);
        job->told.usage =
            (struct frs_usage){.down_bytes = size.bytes, .nominal_down_bytes = size.nominal_bytes};
        if (version->course.receives && !from_edge)
            job->told.usage.catchup_bytes = frs_downlink_catchup_bytes(downlink, client);
    }
    if (trainer->setup->workload) { /* one for every value of the largest message */
        uint64_t n_values = most_declared / sizeof(float);
        *encode_flop = (double)n_values;
    }
    if (edge_model)
        frs_versions_release(&trainer->jobs.versions, edge_model);
    trainer->turns = frs_leakage_turns(&trainer->leakage, n_arriving);
    if (trainer->n_batch == 0)
        frs_trainer_start_batch(trainer);
}

/* ---- downloads after the aggregation ------------------------------------------------------------ */

struct frs_message_size frs_trainer_publish(
    struct frs_trainer *trainer, const uint32_t *clients, size_t n, double *encode_flop) {
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_downlink *downlink = trainer->downlinks->all[0];
    frs_trainer_leave_current(trainer);
    frs_versions_detach(&trainer->jobs.versions);
    open_downlink(trainer, 0, frs_training_course(setup, trainer->round));
    trainer->current[0]->since = trainer->round + 1;
    if (setup->information_loss)
        measure_state_loss(trainer);
    if (frs_audits_round(trainer->round))
        audit_download(trainer, clients[trainer->round % n], 0);
    *encode_flop = frs_downlink_encode_flop(downlink, clients, n);
    return frs_downlink_size(downlink, clients[0]);
}

void frs_trainer_delivered(struct frs_trainer *trainer, size_t handle) {
    const struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, handle);
    FRS_INVARIANT(trainer->current[0], "client %u receives what was not published", job->work.client);
    frs_training_jobs_hold(&trainer->jobs, job->work.client, trainer->current[0]);
    if (job->member.trains)
        frs_trainer_evaluate_device(trainer, job);
}

/* ---- participations whose answers are recalled ------------------------------------------------ */

void frs_trainer_list(struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    for (size_t i = 0; i < cohort->n; i++)
        (void)frs_training_jobs_take(&trainer->jobs, cohort->members[i], NULL);
}

struct frs_handles frs_trainer_take_listed(struct frs_trainer *trainer) {
    return frs_training_jobs_take_listed(&trainer->jobs);
}

void frs_trainer_put_back(struct frs_trainer *trainer, struct frs_handles *listed) {
    frs_training_jobs_put_back(&trainer->jobs, listed);
}

struct frs_training_told *frs_trainer_told(const struct frs_trainer *trainer, size_t handle) {
    return &frs_training_jobs_find(&trainer->jobs, handle)->told;
}
