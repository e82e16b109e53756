/* What every adaptation is held to: budgets within the range, by what the server has seen. */
#include "actors/adaptation.h"
#include "sim/base/errors.h"
#include "sim/selftest/entry.h"
#include "sim/selftest/kinds.h"

#include <stdlib.h>
#include <string.h>

#define ADAPTATION_H "actors/adaptation.h, "

enum { CLIENTS = 20, MIN = 2, MAX = 9 };

static double up_bytes(void *context, uint32_t budget) {
    (void)context;
    return 100.0 * budget + 24;
}

static double work(void *context, uint32_t budget) {
    (void)context;
    return 0.5 + 0.5 * budget / MAX;
}

struct subject {
    struct frs_check *check;
    const struct frs_adaptation *adaptation;
    struct frs_observations *observations;
    struct frs_budget_range range;
    void *settings;
    uint32_t clients[CLIENTS];
};

static void begin(struct subject *s, struct frs_check *check, const struct frs_adaptation *adaptation,
    struct frs_budget_range range) {
    struct frs_observations_settings settings = {.weight = 0.3, .prior = {0, 0, 900, 1e-3, 1e-3, 1, 1}};
    struct frs_values values = frs_trial_values(check, &adaptation->plugin, NULL);
    struct frs_errors errors = {0};
    *s = (struct subject){.check = check, .adaptation = adaptation, .range = range};
    s->observations = frs_observations_create(CLIENTS, &settings);
    s->settings = adaptation->create(&values, &s->range, &errors);
    frs_clause(check, ADAPTATION_H "create", "create gives settings, or adds an error and gives NULL");
    FRS_HOLDS(check, !s->settings == (errors.n > 0), "it gave %s with %zu errors",
        s->settings ? "settings" : "NULL", errors.n);
    if (!s->settings)
        frs_check_impossible(check, "its defaults are refused: %s", errors.lines[0]);
    for (uint32_t client = 0; client < CLIENTS; client++)
        s->clients[client] = client;
    frs_values_fini(&values);
}

static void end(struct subject *s) {
    frs_observations_destroy(s->observations);
    free(s->settings);
}

static void choose(struct subject *s, uint32_t round, size_t first, size_t n, uint32_t *budgets) {
    struct frs_adaptation_request request = {.seed = 5,
        .round = round,
        .range = s->range,
        .settings = s->settings,
        .observations = s->adaptation->observes ? s->observations : NULL,
        .clients = s->clients + first,
        .n = n,
        .up_bytes = up_bytes,
        .work = work};
    s->adaptation->choose(&request, budgets);
    frs_clause(s->check, ADAPTATION_H "range", "every client is assigned a budget within the range");
    for (size_t i = 0; i < n; i++)
        FRS_HOLDS(s->check, budgets[i] >= s->range.min && budgets[i] <= s->range.max,
            "client %zu is assigned %u of %u to %u in round %u", first + i, budgets[i], s->range.min,
            s->range.max, round);
}

/* Uplinks that differ by a factor of 1000 among them. */
static void observe(struct subject *s, uint32_t client, uint32_t budget) {
    struct frs_observation seen = {.client = client,
        .samples = 10,
        .sight = budget % 4 ? FRS_SAW_UPLOAD : (enum frs_evidence)(client % 3),
        .down_s = 1,
        .down_bytes = 900,
        .up_bytes = up_bytes(NULL, budget),
        .predicted_up_bytes = up_bytes(NULL, budget),
        .work = work(NULL, budget),
        .compute_s = 0.1,
        .up_s = up_bytes(NULL, budget) * (client % 4 ? 1e-3 * client : 1e-5),
        .waited_s = 3};
    frs_observations_add(s->observations, &seen);
}

/* From the first round on, as the server learns, and for a single client as well. */
static void budgets_are_in_range(struct frs_check *check, const struct frs_adaptation *adaptation) {
    struct subject s;
    begin(&s, check, adaptation, (struct frs_budget_range){MIN, MAX});
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t budgets[CLIENTS] = {0};
        size_t n = round % 3 == 1 ? 1 : CLIENTS, first = n == 1 ? round % CLIENTS : 0;
        choose(&s, round, first, n, budgets);
        for (size_t i = 0; i < n; i++)
            if ((i + round) % 3)
                observe(&s, (uint32_t)(first + i), budgets[i]);
    }
    end(&s);
}

static void choice_is_deterministic(struct frs_check *check, const struct frs_adaptation *adaptation) {
    struct subject a, b;
    uint32_t first[CLIENTS], second[CLIENTS];
    begin(&a, check, adaptation, (struct frs_budget_range){MIN, MAX});
    begin(&b, check, adaptation, (struct frs_budget_range){MIN, MAX});
    for (uint32_t round = 0; round < 10; round++) {
        choose(&a, round, 0, CLIENTS, first);
        choose(&b, round, 0, CLIENTS, second);
        frs_clause(check, ADAPTATION_H "choose",
            "the same request after the same observations assigns the same budgets");
        for (uint32_t client = 0; client < CLIENTS; client++)
            FRS_HOLDS(check, first[client] == second[client], "client %u is assigned %u, and %u, in round %u",
                client, first[client], second[client], round);
        for (uint32_t client = 0; client < CLIENTS; client += 2) {
            observe(&a, client, first[client]);
            observe(&b, client, second[client]);
        }
    }
    end(&a);
    end(&b);
}

/* A range of one leaves no choice. */
static void single_budget_is_assigned_to_all(
    struct frs_check *check, const struct frs_adaptation *adaptation) {
    struct subject s;
    uint32_t budgets[CLIENTS] = {0};
    begin(&s, check, adaptation, (struct frs_budget_range){7, 7});
    choose(&s, 0, 0, CLIENTS, budgets);
    choose(&s, 1, 0, 1, budgets);
    end(&s);
}

static void create_and_free(void *context, const struct frs_values *values) {
    const struct frs_adaptation *adaptation = context;
    const struct frs_budget_range range = {MIN, MAX};
    struct frs_errors errors = {0};
    free(adaptation->create(values, &range, &errors));
    frs_errors_clear(&errors);
}

void frs_check_adaptation(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its adaptation. */
    const struct frs_adaptation *adaptation = (const struct frs_adaptation *)(const void *)plugin;
    const struct frs_key_reader reader = {
        .where = ADAPTATION_H "create", .read = create_and_free, .context = (void *)(uintptr_t)adaptation};
    frs_check_keys(check, plugin, &reader);
    budgets_are_in_range(check, adaptation);
    choice_is_deterministic(check, adaptation);
    single_budget_is_assigned_to_all(check, adaptation);
}
