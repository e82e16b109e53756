#include "sim/rounds/coordinator.h"
#include "actors/observing.h"
#include "algorithms/messages/message.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct frs_control {
    const struct frs_setup *setup;
    uint32_t n_clients;
    struct frs_budgets range;
    struct frs_observations *observations; /* NULL when nothing goes by them */
    uint32_t *samples;                     /* [n_clients] for selections that use it */
    uint32_t *groups;                      /* likewise */
    uint32_t n_groups;
    double *worths;            /* [n_clients] as last selected, of selections that tell */
    struct frs_grants *grants; /* NULL: the method knows no budgets */
    struct frs_observation
        *notes; /* [n_notes] of ends that the server has learned of since the last round closed */
    size_t n_notes, notes_capacity;
};

/* Before anybody was seen, a download is taken for the whole state. */
static struct frs_observations *observe_setup(const struct frs_setup *setup) {
    struct frs_observations_settings settings = setup->observations;
    settings.prior.down_bytes = FRS_MESSAGE_HEADER_BYTES + frs_model_bytes(setup->training.model, FRS_STATE);
    return frs_observations_create(setup->training.data->population.n_clients, &settings);
}

struct frs_control *frs_control_create(const struct frs_setup *setup) {
    const struct frs_population *population = &setup->training.data->population;
    struct frs_control *control = frs_alloc(1, sizeof *control);
    *control = (struct frs_control){
        .setup = setup, .n_clients = population->n_clients, .range = frs_training_budgets(&setup->training)};
    if (setup->observes)
        control->observations = observe_setup(setup);
    if (setup->selection->uses_samples) {
        control->samples = frs_alloc(control->n_clients, sizeof *control->samples);
        for (uint32_t client = 0; client < control->n_clients; client++)
            control->samples[client] = (uint32_t)population->clients[client].n;
    }
    if (setup->selection->uses_devices) {
        control->groups = frs_alloc(control->n_clients, sizeof *control->groups);
        control->n_groups = (uint32_t)setup->devices.fleet->n;
        for (uint32_t client = 0; client < control->n_clients; client++)
            control->groups[client] = frs_devices_row(&setup->devices, setup->training.seed, client);
    }
    if (setup->selection->worths)
        control->worths = frs_alloc(control->n_clients, sizeof *control->worths);
    if (control->range.max > 0)
        control->grants = frs_grants_create(control->n_clients, control->range.max);
    return control;
}

void frs_control_destroy(struct frs_control *control) {
    if (!control)
        return;
    frs_observations_destroy(control->observations);
    free(control->samples);
    free(control->groups);
    free(control->worths);
    frs_grants_destroy(control->grants);
    free(control->notes);
    free(control);
}

void frs_control_set_groups(struct frs_control *control, const uint32_t *groups, uint32_t n_groups) {
    if (!control->groups)
        control->groups = frs_alloc(control->n_clients, sizeof *control->groups);
    memcpy(control->groups, groups, control->n_clients * sizeof *groups);
    control->n_groups = n_groups;
}

static struct frs_selection_request request_of(
    const struct frs_control *control, uint32_t round, uint32_t attempt) {
    return (struct frs_selection_request){.seed = control->setup->training.seed,
        .round = round,
        .attempt = attempt,
        .n_clients = control->n_clients,
        .probability = control->setup->probability,
        .settings = control->setup->selection_settings,
        .samples = control->samples,
        .groups = control->groups,
        .n_groups = control->n_groups,
        .observations = control->observations};
}

/* By what the server knows before it asks them. */
static void note_worths(struct frs_control *control, uint32_t round, uint32_t n, const uint32_t *clients) {
    struct frs_selection_request request = request_of(control, round, 0);
    double *worths = frs_alloc(n, sizeof *worths);
    control->setup->selection->worths(&request, clients, n, worths);
    for (uint32_t i = 0; i < n; i++)
        control->worths[clients[i]] = worths[i];
    free(worths);
}

void frs_control_note_asked(struct frs_control *control, uint32_t round, uint32_t n, uint32_t *clients) {
    qsort(clients, n, sizeof *clients, frs_compare_uint32s);
    if (control->worths && n > 0)
        note_worths(control, round, n, clients);
    for (uint32_t i = 0; control->observations && i < n; i++)
        frs_observations_asked(control->observations, clients[i], round);
}

uint32_t frs_control_would_select(const struct frs_control *control, uint32_t round, uint32_t attempt,
    uint32_t n, bool (*eligible)(void *context, uint32_t client), void *context, uint32_t *clients) {
    struct frs_selection_request request = request_of(control, round, attempt);
    request.n = control->setup->selection->varies ? control->setup->cohort : n;
    request.eligible = eligible;
    request.context = context;
    return control->setup->selection->select(&request, clients);
}

uint32_t frs_control_select(struct frs_control *control, uint32_t round, uint32_t attempt, uint32_t n,
    bool (*eligible)(void *context, uint32_t client), void *context, uint32_t *clients) {
    uint32_t found = frs_control_would_select(control, round, attempt, n, eligible, context, clients);
    frs_control_note_asked(control, round, found, clients);
    return found;
}

/* As if every row were sent as it is; what a codec makes of it is observed. */
static double up_bytes(void *context, uint32_t budget) {
    return frs_training_foreseen_bytes(&((const struct frs_control *)context)->setup->training, budget);
}

static double work(void *context, uint32_t budget) {
    const struct frs_control *control = context;
    const struct frs_setup *setup = control->setup;
    const struct frs_learner_budgets *budgets = setup->training.learner->budgets;
    return budgets ? budgets->work(setup->training.model, budget) /
                         budgets->work(setup->training.model, control->range.max)
                   : 1;
}

void frs_control_grant(struct frs_control *control, uint32_t round, uint32_t attempt,
    struct frs_participation *const *list, size_t n) {
    const struct frs_setup *setup = control->setup;
    uint32_t *clients = frs_alloc(n, sizeof *clients), *budgets = frs_alloc(n, sizeof *budgets);
    struct frs_ramp_kinds *ramps = frs_alloc(n, sizeof *ramps);
    for (size_t i = 0; i < n; i++) {
        clients[i] = list[i]->client;
        ramps[i] = (struct frs_ramp_kinds){list[i]->plan.down_ramps, list[i]->plan.up_ramps};
    }
    struct frs_adaptation_request request = {.seed = setup->training.seed,
        .round = round,
        .attempt = attempt,
        .range = {control->range.min, control->range.max},
        .settings = setup->adaptation_settings,
        .observations = control->observations,
        .clients = clients,
        .n = n,
        .ramps = ramps,
        .up_bytes = up_bytes,
        .work = work,
        .context = control};
    if (control->range.max > 0)
        setup->adaptation->choose(&request, budgets);
    for (size_t i = 0; i < n; i++) {
        struct frs_grant *grant = &list[i]->plan.grant;
        list[i]->plan.worth = control->worths ? control->worths[clients[i]] : 0;
        list[i]->plan.group = control->groups ? control->groups[clients[i]] + 1 : 0;
        list[i]->plan.reports = setup->selection->uses_loss;
        *grant = (struct frs_grant){.budget = budgets[i],
            .predicted_s = NAN,
            .foreseen_bytes = up_bytes(control, budgets[i]),
            .work = work(control, budgets[i])};
        if (control->range.max == 0)
            continue;
        grant->largest_bytes = up_bytes(control, control->range.max);
        grant->predicted_s = frs_adaptation_predict_s(&request, i, budgets[i]);
        FRS_INVARIANT(budgets[i] >= control->range.min && budgets[i] <= control->range.max,
            "client %u is granted %u, which is outside of what the method can do", clients[i], budgets[i]);
        frs_grants_add(control->grants, clients[i], budgets[i]);
    }
    free(clients);
    free(budgets);
    free(ramps);
}

void frs_control_settle(struct frs_control *control, const struct frs_participation *p) {
    const struct frs_setup *setup = control->setup;
    struct frs_observation seen;
    if (control->grants)
        frs_grants_settle(control->grants, p);
    if (!control->observations || !frs_observing(p, setup->failures.detect_s, &seen))
        return;
    if (control->range.max > 0 && setup->adaptation->observes && p->plan.grant.budget > control->range.min)
        seen.reducible = p->plan.grant.budget;
    if (seen.sight == FRS_SAW_UPLOAD) {
        seen.samples = (uint32_t)setup->training.data->population.clients[p->client].n;
        seen.loss = setup->training.trains || setup->training.foresight ? p->charge.loss : NAN;
    }
    control->notes =
        frs_grow(control->notes, control->n_notes + 1, &control->notes_capacity, sizeof *control->notes);
    control->notes[control->n_notes++] = seen;
}

void frs_control_observe(struct frs_control *control) {
    for (size_t i = 0; i < control->n_notes; i++)
        frs_observations_add(control->observations, &control->notes[i]);
    control->n_notes = 0;
}

void frs_control_forget(struct frs_control *control) {
    control->n_notes = 0;
}

const struct frs_grants *frs_control_grants(const struct frs_control *control) {
    return control->grants;
}

double frs_control_group(const struct frs_control *control, uint32_t client) {
    return control->groups ? (double)control->groups[client] : NAN;
}
