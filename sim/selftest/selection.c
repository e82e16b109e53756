/* What every selection is held to: cohorts of distinct eligible clients, as many as are wanted. */
#include "actors/selection.h"
#include "sim/selftest/entry.h"
#include "sim/selftest/kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SELECTION_H "actors/selection.h, "

enum { CLIENTS = 50, GROUPS = 7 };

/* A server of its own, with what it has seen. */
struct subject {
    struct frs_check *check;
    const struct frs_selection *selection;
    struct frs_observations *observations;
    void *settings;
    uint32_t samples[CLIENTS], groups[CLIENTS];
    uint32_t blocked; /* clients below it are not eligible */
};

static bool is_free(void *context, uint32_t client) {
    return client >= ((const struct subject *)context)->blocked;
}

static void begin(struct subject *s, struct frs_check *check, const struct frs_selection *selection) {
    struct frs_observations_settings settings = {.weight = 0.3, .prior = {.size_share = 1}};
    struct frs_values values = frs_trial_values(check, &selection->plugin, NULL);
    *s = (struct subject){.check = check, .selection = selection};
    s->observations = frs_observations_create(CLIENTS, &settings);
    s->settings = selection->create ? selection->create(&values) : NULL;
    for (uint32_t client = 0; client < CLIENTS; client++)
        s->samples[client] = s->groups[client] = client % GROUPS;
    frs_values_fini(&values);
}

static void end(struct subject *s) {
    frs_observations_destroy(s->observations);
    free(s->settings);
}

static uint32_t select_clients(struct subject *s, uint32_t round, uint32_t n, uint32_t *clients) {
    const struct frs_selection *selection = s->selection;
    struct frs_selection_request request = {.seed = 5,
        .round = round,
        .n_clients = CLIENTS,
        .n = n,
        .settings = s->settings,
        .samples = selection->uses_samples ? s->samples : NULL,
        .groups = selection->uses_groups || selection->uses_devices ? s->groups : NULL,
        .n_groups = GROUPS,
        .observations = selection->observes ? s->observations : NULL,
        .eligible = s->blocked ? is_free : NULL,
        .context = s};
    return selection->select(&request, clients);
}

/* Selects, and every other client answers. */
static uint32_t play(struct subject *s, uint32_t round, uint32_t n, uint32_t *clients) {
    uint32_t found = select_clients(s, round, n, clients);
    frs_clause(s->check, SELECTION_H "select", "select never fills in more clients than there is room for");
    FRS_HOLDS(s->check, found <= (s->selection->varies ? CLIENTS : n), "%u of %u wanted", found, n);
    frs_clause(s->check, SELECTION_H "select", "ids are below n_clients");
    for (uint32_t i = 0; i < found; i++)
        FRS_HOLDS(s->check, clients[i] < CLIENTS, "id %u of %d clients", clients[i], CLIENTS);
    for (uint32_t i = 0; i < found; i++) {
        frs_observations_selected(s->observations, clients[i], round);
        struct frs_observation seen = {.client = clients[i],
            .samples = s->samples[clients[i]],
            .loss = 0.1 + clients[i] % 5,
            .sight = (clients[i] + round) % 3 ? FRS_SAW_UPLOAD : FRS_SAW_NOTHING,
            .waited_s = 1 + clients[i] % 11,
            .up_bytes = 1,
            .up_s = 1,
            .predicted_up_bytes = 1,
            .work = 1};
        if (clients[i] % 2)
            frs_observations_add(s->observations, &seen);
    }
    return found;
}

static void check_distinct(struct subject *s, uint32_t round, const uint32_t *clients, uint32_t n) {
    bool taken[CLIENTS] = {false};
    for (uint32_t i = 0; i < n; i++) {
        frs_clause(s->check, SELECTION_H "eligible", "only eligible clients are selected");
        FRS_HOLDS(s->check, clients[i] >= s->blocked, "client %u is not, in round %u", clients[i], round);
        frs_clause(s->check, SELECTION_H "select", "no client is selected twice in a cohort");
        FRS_HOLDS(s->check, !taken[clients[i]], "client %u is, in round %u", clients[i], round);
        taken[clients[i]] = true;
    }
}

static void flags_go_together(struct frs_check *check, const struct frs_selection *selection) {
    frs_clause(check, SELECTION_H "uses_loss", "who goes by losses goes by observations");
    FRS_HOLDS(check, !selection->uses_loss || selection->observes, "uses_loss without observes");
    frs_clause(
        check, SELECTION_H "probability", "a probability is there where the number varies, and only there");
    FRS_HOLDS(check, selection->varies == !!selection->probability,
        "varies is %s, and probability is%s there", selection->varies ? "true" : "false",
        selection->probability ? "" : " not");
    frs_clause(check, SELECTION_H "max_share", "the largest cohort is a share of all clients");
    FRS_HOLDS(check, selection->max_share >= 0 && selection->max_share <= 1, "%g", selection->max_share);
}

/* In rounds of any size, one by one, and as the server learns. */
static void cohorts_are_full(struct frs_check *check, const struct frs_selection *selection) {
    static const uint32_t sizes[] = {1, 7, CLIENTS / 2, 1, 3, CLIENTS};
    struct subject s;
    uint32_t clients[CLIENTS];
    begin(&s, check, selection);
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t n = sizes[round % 6];
        uint32_t most = selection->max_share > 0 ? (uint32_t)(selection->max_share * CLIENTS) : CLIENTS;
        n = n < most ? n : most;
        uint32_t found = play(&s, round, n, clients);
        check_distinct(&s, round, clients, found);
        frs_clause(check, SELECTION_H "select", "as many clients are selected as are wanted and can be");
        if (selection->varies)
            FRS_HOLDS(
                check, n < CLIENTS || found == CLIENTS, "%u of all %d in round %u", found, CLIENTS, round);
        else
            FRS_HOLDS(
                check, selection->leaves_out || found == n, "%u instead of %u in round %u", found, n, round);
    }
    end(&s);
}

/* All clients that are eligible when there are not enough, and none when there is none. */
static void only_eligible_clients_are_selected(
    struct frs_check *check, const struct frs_selection *selection) {
    struct subject s;
    uint32_t clients[CLIENTS];
    begin(&s, check, selection);
    for (uint32_t round = 0; round < 2 * CLIENTS; round += 2) { /* a pause between rounds: no client rests */
        s.blocked = CLIENTS - round / 2;
        uint32_t eligible = round / 2, found = play(&s, round, 5, clients),
                 wanted = eligible < 5 ? eligible : 5;
        check_distinct(&s, round, clients, found);
        frs_clause(check, SELECTION_H "select", "fewer are selected only when no more are eligible");
        if (selection->varies || selection->leaves_out)
            FRS_HOLDS(check, found <= eligible, "%u of %u eligible", found, eligible);
        else
            FRS_HOLDS(check, found == wanted, "%u instead of %u, with %u eligible", found, wanted, eligible);
    }
    end(&s);
}

/* A function of request and observations: two servers of the same history choose alike. */
static void selection_is_deterministic(struct frs_check *check, const struct frs_selection *selection) {
    struct subject a, b;
    uint32_t first[CLIENTS], second[CLIENTS], other[CLIENTS];
    begin(&a, check, selection);
    begin(&b, check, selection);
    uint32_t most = selection->max_share > 0 ? (uint32_t)(selection->max_share * CLIENTS) : CLIENTS;
    uint32_t wanted = most < 9 ? most : 9;
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t n = select_clients(&a, round, wanted, first), again = play(&a, round, wanted, second),
                 elsewhere = play(&b, round, wanted, other);
        frs_clause(check, SELECTION_H "select",
            "the same request after the same observations selects the same clients");
        FRS_HOLDS(
            check, again == n && elsewhere == n, "%u, %u and %u in round %u", n, again, elsewhere, round);
        for (uint32_t i = 0; i < n; i++)
            FRS_HOLDS(check, first[i] == second[i] && first[i] == other[i],
                "clients %u, %u and %u at place %u of round %u", first[i], second[i], other[i], i, round);
    }
    end(&a);
    end(&b);
}

/* Over many rounds in which all answer each client gets its turn. */
static void every_client_gets_its_turn(struct frs_check *check, const struct frs_selection *selection) {
    struct subject s;
    uint32_t clients[CLIENTS];
    bool selected[CLIENTS] = {false};
    begin(&s, check, selection);
    for (uint32_t client = 0; client < CLIENTS; client++)
        s.samples[client] = 3;
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t n = play(&s, round, 5, clients);
        for (uint32_t i = 0; i < n; i++)
            selected[clients[i]] = true;
    }
    frs_clause(check, SELECTION_H "leaves_out",
        "each client gets its turn, unless a rule of its own leaves clients out");
    for (uint32_t client = 0; client < CLIENTS; client++)
        FRS_HOLDS(check, selected[client] || selection->leaves_out, "client %u is not selected in 200 rounds",
            client);
    end(&s);
}

/* Two rounds in a row have no client in common. */
static void who_rests_rests(struct frs_check *check, const struct frs_selection *selection) {
    struct subject s;
    uint32_t clients[CLIENTS];
    uint32_t last[CLIENTS];
    if (!selection->rests)
        return;
    begin(&s, check, selection);
    memset(last, 0xff, sizeof last);
    for (uint32_t round = 1; round < 40; round++) {
        uint32_t n = play(&s, round, 5, clients);
        frs_clause(check, SELECTION_H "rests", "no client is selected in two rounds in a row");
        for (uint32_t i = 0; i < n; i++) {
            FRS_HOLDS(check, last[clients[i]] != round - 1, "client %u in rounds %u and %u", clients[i],
                round - 1, round);
            last[clients[i]] = round;
        }
    }
    end(&s);
}

static void worths_are_numbers(struct frs_check *check, const struct frs_selection *selection) {
    struct subject s;
    uint32_t clients[CLIENTS], all[CLIENTS];
    double worths[CLIENTS];
    if (!selection->worths)
        return;
    begin(&s, check, selection);
    for (uint32_t client = 0; client < CLIENTS; client++)
        all[client] = client;
    for (uint32_t round = 0; round < 20; round++) {
        struct frs_selection_request request = {.seed = 5,
            .round = round,
            .n_clients = CLIENTS,
            .n = 5,
            .settings = s.settings,
            .samples = selection->uses_samples ? s.samples : NULL,
            .groups = selection->uses_groups || selection->uses_devices ? s.groups : NULL,
            .n_groups = GROUPS,
            .observations = selection->observes ? s.observations : NULL};
        selection->worths(&request, all, CLIENTS, worths);
        frs_clause(check, SELECTION_H "worths", "the worth of a client is a number above 0, or 0: none");
        for (uint32_t client = 0; client < CLIENTS; client++)
            FRS_HOLDS(check, isfinite(worths[client]) && worths[client] >= 0, "%g of client %u",
                worths[client], client);
        play(&s, round, 5, clients);
    }
    end(&s);
}

static void create_and_free(void *context, const struct frs_values *values) {
    const struct frs_selection *selection = context;
    free(selection->create ? selection->create(values) : NULL);
}

void frs_check_selection(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its selection. */
    const struct frs_selection *selection = (const struct frs_selection *)(const void *)plugin;
    flags_go_together(check, selection);
    const struct frs_key_reader reader = {
        .where = SELECTION_H "create", .read = create_and_free, .context = (void *)(uintptr_t)selection};
    frs_check_keys(check, plugin, &reader);
    cohorts_are_full(check, selection);
    only_eligible_clients_are_selected(check, selection);
    selection_is_deterministic(check, selection);
    every_client_gets_its_turn(check, selection);
    who_rests_rests(check, selection);
    worths_are_numbers(check, selection);
}
