#include "sim/rounds/coordinator.h"
#include "actors/observing.h"
#include "algorithms/messages/message.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/setup/caps_first.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct frs_coordinator {
    const struct frs_setup *setup;
    uint32_t n_clients;
    struct frs_budgets range;
    struct frs_observations *observations; /* NULL when nothing goes by them */
    uint32_t *samples;                     /* [n_clients] for selections that use it */
    uint32_t *groups;                      /* likewise */
    uint32_t n_groups;
    double *worths;                                /* [n_clients] as last selected, of selections that tell */
    struct frs_assigned_budgets *assigned_budgets; /* NULL: the method knows no budgets */
    struct frs_accounts *accounts;                 /* NULL: there are no caps */
    struct frs_observation
        *notes; /* [n_notes] of ends that the server has learned of since the last round closed */
    size_t n_notes, notes_capacity;
};

/* Before the first observation a download is predicted to be the whole state. */
static struct frs_observations *observe_setup(const struct frs_setup *setup) {
    struct frs_observations_settings settings = setup->observations;
    settings.prior.down_bytes = FRS_MESSAGE_HEADER_BYTES + frs_model_bytes(setup->training.model, FRS_STATE);
    return frs_observations_create(setup->training.data->population.n_clients, &settings);
}

struct frs_coordinator *frs_coordinator_create(const struct frs_setup *setup) {
    const struct frs_population *population = &setup->training.data->population;
    struct frs_coordinator *coordinator = frs_alloc(1, sizeof *coordinator);
    *coordinator = (struct frs_coordinator){
        .setup = setup, .n_clients = population->n_clients, .range = frs_training_budgets(&setup->training)};
    if (setup->observes)
        coordinator->observations = observe_setup(setup);
    if (setup->selection->uses_samples) {
        coordinator->samples = frs_alloc(coordinator->n_clients, sizeof *coordinator->samples);
        for (uint32_t client = 0; client < coordinator->n_clients; client++)
            coordinator->samples[client] = (uint32_t)population->clients[client].n;
    }
    if (setup->selection->uses_devices) {
        coordinator->groups = frs_alloc(coordinator->n_clients, sizeof *coordinator->groups);
        coordinator->n_groups = (uint32_t)setup->devices.fleet->n;
        for (uint32_t client = 0; client < coordinator->n_clients; client++)
            coordinator->groups[client] = frs_devices_row(&setup->devices, setup->training.seed, client);
    }
    if (setup->selection->worths)
        coordinator->worths = frs_alloc(coordinator->n_clients, sizeof *coordinator->worths);
    if (coordinator->range.max > 0)
        coordinator->assigned_budgets =
            frs_assigned_budgets_create(coordinator->n_clients, coordinator->range.max);
    struct frs_spending first = frs_caps_first(setup);
    coordinator->accounts = frs_accounts_create(&setup->caps, &first, coordinator->n_clients);
    if (coordinator->accounts && coordinator->range.max > 0 && setup->adaptation->within_caps)
        frs_accounts_expect_uploads(
            coordinator->accounts, frs_training_predicted_bytes(&setup->training, coordinator->range.min));
    return coordinator;
}

struct frs_accounts *frs_coordinator_accounts(const struct frs_coordinator *coordinator) {
    return coordinator->accounts;
}

uint32_t frs_coordinator_held_back(const struct frs_coordinator *coordinator) {
    return coordinator->accounts ? frs_accounts_report(coordinator->accounts).clients_held_back : 0;
}

void frs_coordinator_destroy(struct frs_coordinator *coordinator) {
    if (!coordinator)
        return;
    frs_observations_destroy(coordinator->observations);
    free(coordinator->samples);
    free(coordinator->groups);
    free(coordinator->worths);
    frs_assigned_budgets_destroy(coordinator->assigned_budgets);
    frs_accounts_destroy(coordinator->accounts);
    free(coordinator->notes);
    free(coordinator);
}

void frs_coordinator_set_groups(
    struct frs_coordinator *coordinator, const uint32_t *groups, uint32_t n_groups) {
    if (!coordinator->groups)
        coordinator->groups = frs_alloc(coordinator->n_clients, sizeof *coordinator->groups);
    memcpy(coordinator->groups, groups, coordinator->n_clients * sizeof *groups);
    coordinator->n_groups = n_groups;
}

/* As its plan has it, which is of now. */
static bool is_metered(const struct frs_participation *p) {
    return p->plan.link.follows && !p->plan.link.wifi;
}

static struct frs_selection_request request_of(
    const struct frs_coordinator *coordinator, uint32_t round, uint32_t attempt) {
    return (struct frs_selection_request){.seed = coordinator->setup->training.seed,
        .round = round,
        .attempt = attempt,
        .n_clients = coordinator->n_clients,
        .probability = coordinator->setup->probability,
        .settings = coordinator->setup->selection_settings,
        .samples = coordinator->samples,
        .groups = coordinator->groups,
        .n_groups = coordinator->n_groups,
        .observations = coordinator->observations};
}

/* By what the server knows before it selects them. */
static void note_worths(
    struct frs_coordinator *coordinator, uint32_t round, uint32_t n, const uint32_t *clients) {
    struct frs_selection_request request = request_of(coordinator, round, 0);
    double *worths = frs_alloc(n, sizeof *worths);
    coordinator->setup->selection->worths(&request, clients, n, worths);
    for (uint32_t i = 0; i < n; i++)
        coordinator->worths[clients[i]] = worths[i];
    free(worths);
}

void frs_coordinator_note_asked(
    struct frs_coordinator *coordinator, uint32_t round, uint32_t n, uint32_t *clients) {
    qsort(clients, n, sizeof *clients, frs_compare_uint32s);
    if (coordinator->worths && n > 0)
        note_worths(coordinator, round, n, clients);
    for (uint32_t i = 0; coordinator->observations && i < n; i++)
        frs_observations_selected(coordinator->observations, clients[i], round);
}

uint32_t frs_coordinator_would_select(const struct frs_coordinator *coordinator, uint32_t round,
    uint32_t attempt, uint32_t n, bool (*eligible)(void *context, uint32_t client), void *context,
    uint32_t *clients) {
    struct frs_selection_request request = request_of(coordinator, round, attempt);
    request.n = coordinator->setup->selection->varies ? coordinator->setup->cohort : n;
    request.eligible = eligible;
    request.context = context;
    return coordinator->setup->selection->select(&request, clients);
}

uint32_t frs_coordinator_select(struct frs_coordinator *coordinator, uint32_t round, uint32_t attempt,
    uint32_t n, bool (*eligible)(void *context, uint32_t client), void *context, uint32_t *clients) {
    uint32_t found = frs_coordinator_would_select(coordinator, round, attempt, n, eligible, context, clients);
    frs_coordinator_note_asked(coordinator, round, found, clients);
    return found;
}

/* Predicts as if every row were sent unencoded; the effect of a codec is observed. */
static double up_bytes(void *context, uint32_t budget) {
    return frs_training_predicted_bytes(&((const struct frs_coordinator *)context)->setup->training, budget);
}

static double work(void *context, uint32_t budget) {
    const struct frs_coordinator *coordinator = context;
    const struct frs_setup *setup = coordinator->setup;
    const struct frs_learner_budgets *budgets = setup->training.learner->budgets;
    return budgets ? budgets->work(setup->training.model, budget) /
                         budgets->work(setup->training.model, coordinator->range.max)
                   : 1;
}

void frs_coordinator_grant(struct frs_coordinator *coordinator, uint32_t round, uint32_t attempt,
    struct frs_participation *const *list, size_t n, double now_s) {
    const struct frs_setup *setup = coordinator->setup;
    uint32_t *clients = frs_alloc(n, sizeof *clients), *budgets = frs_alloc(n, sizeof *budgets);
    struct frs_slow_start_kinds *slow_start = frs_alloc(n, sizeof *slow_start);
    for (size_t i = 0; i < n; i++) {
        clients[i] = list[i]->client;
        slow_start[i] =
            (struct frs_slow_start_kinds){list[i]->plan.down_slow_start, list[i]->plan.up_slow_start};
    }
    struct frs_adaptation_request request = {.seed = setup->training.seed,
        .round = round,
        .attempt = attempt,
        .range = {coordinator->range.min, coordinator->range.max},
        .settings = setup->adaptation_settings,
        .observations = coordinator->observations,
        .clients = clients,
        .n = n,
        .slow_start = slow_start,
        .accounts = coordinator->accounts,
        .now_s = now_s,
        .up_bytes = up_bytes,
        .work = work,
        .context = coordinator};
    if (coordinator->range.max > 0)
        setup->adaptation->choose(&request, budgets);
    for (size_t i = 0; i < n; i++) {
        struct frs_assigned_budget *grant = &list[i]->plan.grant;
        list[i]->plan.worth = coordinator->worths ? coordinator->worths[clients[i]] : 0;
        list[i]->plan.group = coordinator->groups ? coordinator->groups[clients[i]] + 1 : 0;
        list[i]->plan.reports = setup->selection->uses_loss;
        *grant = (struct frs_assigned_budget){.budget = budgets[i],
            .predicted_s = NAN,
            .predicted_bytes = up_bytes(coordinator, budgets[i]),
            .work = work(coordinator, budgets[i])};
        if (coordinator->range.max == 0)
            continue;
        grant->largest_bytes = up_bytes(coordinator, coordinator->range.max);
        grant->predicted_s = frs_adaptation_predict_s(&request, i, budgets[i]);
        FRS_INVARIANT(budgets[i] >= coordinator->range.min && budgets[i] <= coordinator->range.max,
            "client %u is assigned %u, which is outside of what the method can do", clients[i], budgets[i]);
        frs_assigned_budgets_add(coordinator->assigned_budgets, clients[i], budgets[i]);
    }
    for (size_t i = 0; coordinator->accounts && i < n; i++)
        frs_accounts_selected(coordinator->accounts, clients[i], list[i]->plan.grant.predicted_bytes,
            is_metered(list[i]), now_s);
    free(clients);
    free(budgets);
    free(slow_start);
}

void frs_coordinator_settle(struct frs_coordinator *coordinator, const struct frs_participation *p) {
    const struct frs_setup *setup = coordinator->setup;
    struct frs_observation seen;
    if (coordinator->assigned_budgets)
        frs_assigned_budgets_settle(coordinator->assigned_budgets, p);
    if (!coordinator->observations || !frs_observing(p, setup->failures.detect_s, &seen))
        return;
    if (coordinator->range.max > 0 && setup->adaptation->observes &&
        p->plan.grant.budget > coordinator->range.min)
        seen.reducible = p->plan.grant.budget;
    if (seen.sight == FRS_SAW_UPLOAD) {
        seen.samples = (uint32_t)setup->training.data->population.clients[p->client].n;
        seen.loss = setup->training.trains || setup->training.estimate ? p->usage.loss : NAN;
    }
    coordinator->notes = frs_grow(coordinator->notes, coordinator->n_notes + 1, &coordinator->notes_capacity,
        sizeof *coordinator->notes);
    coordinator->notes[coordinator->n_notes++] = seen;
}

void frs_coordinator_observe(struct frs_coordinator *coordinator) {
    for (size_t i = 0; i < coordinator->n_notes; i++)
        frs_observations_add(coordinator->observations, &coordinator->notes[i]);
    coordinator->n_notes = 0;
}

void frs_coordinator_forget(struct frs_coordinator *coordinator) {
    coordinator->n_notes = 0;
}

const struct frs_assigned_budgets *frs_coordinator_grants(const struct frs_coordinator *coordinator) {
    return coordinator->assigned_budgets;
}

double frs_coordinator_group(const struct frs_coordinator *coordinator, uint32_t client) {
    return coordinator->groups ? (double)coordinator->groups[client] : NAN;
}
