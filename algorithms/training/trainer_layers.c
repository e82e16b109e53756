/* A trainer's clients exchange layers with each other between their download and their training: in which
 * groups, and what each hears. */
#include "algorithms/training/trainer_internal.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Whether it is sent tables of its own in this round. */
static bool has_personal(const struct frs_trainer *trainer, uint32_t client) {
    return trainer->estimated_personal ? trainer->estimated_personal[client]
                                       : frs_model_personal(trainer->setup->model, client).part[0] != NULL;
}

void frs_trainer_assemble(struct frs_trainer *trainer, const struct frs_cohort *cohort) {
    const struct frs_training_setup *setup = trainer->setup;
    if (!frs_training_exchanges_layers(setup))
        return;
    size_t n = 0, *places = frs_alloc(cohort->n + 1, sizeof *places);
    uint32_t *clients = frs_alloc(cohort->n + 1, sizeof *clients),
             *groups = frs_alloc(cohort->n + 1, sizeof *groups);
    free(trainer->opened_clients);
    free(trainer->layer_groups);
    trainer->n_opened = cohort->n;
    trainer->opened_clients = frs_alloc(cohort->n + 1, sizeof *trainer->opened_clients);
    trainer->layer_groups = frs_alloc(cohort->n + 1, sizeof *trainer->layer_groups);
    for (size_t i = 0; i < cohort->n; i++) {
        trainer->opened_clients[i] = cohort->members[i]->client;
        if (!has_personal(trainer, cohort->members[i]->client))
            continue;
        places[n] = i;
        clients[n++] = cohort->members[i]->client;
    }
    frs_training_jobs_detach_personal(&trainer->jobs);
    setup->learner->layers->assemble(setup->model, clients, n, groups);
    for (size_t i = 0; i < n; i++)
        trainer->layer_groups[places[i]] = groups[i];
    free(places);
    free(clients);
    free(groups);
}

void frs_trainer_layer_groups(const struct frs_trainer *trainer, uint32_t *groups) {
    memcpy(groups, trainer->layer_groups, trainer->n_opened * sizeof *groups);
}

static void hear(struct frs_trainer *trainer, const struct frs_unheard *unheard, size_t n_unheard) {
    const struct frs_training_setup *setup = trainer->setup;
    struct frs_arena_mark mark = frs_arena_mark(&trainer->arena);
    struct frs_tables *personal = frs_arena_take(&trainer->arena, trainer->n_opened, sizeof *personal);
    for (size_t i = 0; i < trainer->n_opened; i++)
        personal[i] = frs_training_jobs_find(&trainer->jobs, trainer->first_opened + i)->personal;
    setup->learner->layers->exchange(setup->model,
        &(struct frs_layer_exchange){.clients = trainer->opened_clients,
            .groups = trainer->layer_groups,
            .personal = personal,
            .n = trainer->n_opened,
            .unheard = unheard,
            .n_unheard = n_unheard},
        &trainer->arena);
    frs_arena_release(&trainer->arena, mark);
}

void frs_trainer_exchange(struct frs_trainer *trainer, const struct frs_unheard *unheard, size_t n_unheard) {
    frs_trainer_finish_training(trainer);
    frs_trainer_finish_commits(trainer);
    if (trainer->setup->trains && !trainer->setup->estimate && trainer->n_opened > 0)
        hear(trainer, unheard, n_unheard);
    for (size_t i = 0; i < trainer->n_opened; i++) {
        struct frs_training_job *job = frs_training_jobs_find(&trainer->jobs, trainer->first_opened + i);
        if (job->member.waits && job->member.trains)
            frs_trainer_add_waiting(trainer, job);
        job->member.waits = false;
    }
    frs_trainer_start_batch(trainer);
}
