/* What every selection of the registry has to keep to, with its default settings. A new line in
 * actors/selection/selections.def is covered as it is. */
#include "actors/selection.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 50 };

static int n_selections(void) {
    int n = 0;
    while (frs_selections[n])
        n++;
    return n;
}

struct subject {
    const struct frs_selection *selection;
    struct frs_observations *observations;
    void *settings;
    uint32_t samples[CLIENTS], groups[CLIENTS];
    uint32_t blocked; /* clients below it are not eligible */
};

static bool is_free(void *context, uint32_t client) {
    return client >= ((const struct subject *)context)->blocked;
}

static void begin(struct subject *s, int i) {
    struct frs_observations_settings settings = {.weight = 0.3, .prior = {.size_share = 1}};
    struct frs_values values = frs_values_of(frs_selections[i]->plugin.params, NULL);
    *s = (struct subject){.selection = frs_selections[i]};
    s->observations = frs_observations_create(CLIENTS, &settings);
    s->settings = s->selection->create ? s->selection->create(&values) : NULL;
    for (uint32_t client = 0; client < CLIENTS; client++)
        s->samples[client] = s->groups[client] = client % 7;
    frs_values_fini(&values);
}

static void end(struct subject *s) {
    frs_observations_destroy(s->observations);
    free(s->settings);
}

static struct frs_selection_request request_of(
    struct subject *s, uint32_t round, uint32_t attempt, uint32_t n) {
    return (struct frs_selection_request){.seed = 5,
        .round = round,
        .attempt = attempt,
        .n_clients = CLIENTS,
        .n = n,
        .settings = s->settings,
        .samples = s->selection->uses_samples ? s->samples : NULL,
        .groups = s->selection->uses_groups || s->selection->uses_devices ? s->groups : NULL,
        .n_groups = 7,
        .observations = s->selection->observes ? s->observations : NULL,
        .eligible = s->blocked ? is_free : NULL,
        .context = s};
}

/* Asks, and every other client answers. */
static uint32_t play(struct subject *s, uint32_t round, uint32_t n, uint32_t *clients) {
    struct frs_selection_request request = request_of(s, round, 0, n);
    uint32_t found = s->selection->select(&request, clients);
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

static void check_distinct(const struct subject *s, const uint32_t *clients, uint32_t n) {
    bool taken[CLIENTS] = {false};
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_lt(clients[i], CLIENTS);
        ck_assert_uint_ge(clients[i], s->blocked);
        ck_assert(!taken[clients[i]]);
        taken[clients[i]] = true;
    }
}

START_TEST(entries_are_complete) {
    const struct frs_selection *selection = frs_selections[_i];
    ck_assert_ptr_eq(frs_selection_plugins[_i], &selection->plugin);
    ck_assert(selection->plugin.name && selection->plugin.summary && selection->plugin.source);
    ck_assert(selection->select && (selection->create || !selection->plugin.params));
    ck_assert(!selection->uses_loss || selection->observes);
    ck_assert(selection->varies == !!selection->probability);
    ck_assert(selection->max_share >= 0 && selection->max_share <= 1);
    for (int other = 0; other < _i; other++)
        ck_assert_str_ne(frs_selections[other]->plugin.name, selection->plugin.name);
}
END_TEST

/* Distinct, as many as asked for, in rounds of any size, one by one, and as the server learns. */
START_TEST(cohorts_are_full_and_distinct) {
    static const uint32_t sizes[] = {1, 7, CLIENTS / 2, 1, 3, CLIENTS};
    struct subject s;
    uint32_t clients[CLIENTS];
    begin(&s, _i);
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t n = sizes[round % 6];
        uint32_t most = s.selection->max_share > 0 ? (uint32_t)(s.selection->max_share * CLIENTS) : CLIENTS;
        n = n < most ? n : most;
        uint32_t found = play(&s, round, n, clients);
        check_distinct(&s, clients, found);
        if (s.selection->varies)
            ck_assert(n < CLIENTS || found == CLIENTS);
        else
            ck_assert_uint_eq(found, n);
    }
    end(&s);
}
END_TEST

/* Only eligible clients, all of them when there are not enough, and none when there is none. */
START_TEST(only_eligible_clients_are_asked) {
    struct subject s;
    uint32_t clients[CLIENTS];
    begin(&s, _i);
    for (uint32_t round = 0; round < 2 * CLIENTS;
         round += 2) { /* a pause between rounds: no client is tired */
        s.blocked = CLIENTS - round / 2;
        uint32_t free_clients = round / 2, found = play(&s, round, 5, clients);
        check_distinct(&s, clients, found);
        if (s.selection->varies)
            ck_assert_uint_le(found, free_clients);
        else
            ck_assert_uint_eq(found, free_clients < 5 ? free_clients : 5);
    }
    end(&s);
}
END_TEST

/* A function of request and observations: two servers of the same history choose alike. */
START_TEST(selection_is_deterministic) {
    struct subject a, b;
    uint32_t first[CLIENTS], second[CLIENTS];
    begin(&a, _i);
    begin(&b, _i);
    for (uint32_t round = 0; round < 30; round++) {
        struct frs_selection_request request = request_of(&a, round, 0, 9);
        uint32_t n = a.selection->select(&request, first);
        ck_assert_uint_eq(play(&a, round, 9, second), n);
        ck_assert_mem_eq(first, second, n * sizeof *first);
        ck_assert_uint_eq(play(&b, round, 9, second), n);
        ck_assert_mem_eq(first, second, n * sizeof *first);
    }
    end(&a);
    end(&b);
}
END_TEST

/* Each client gets its turn: over many rounds in which all answer, none is left out altogether. */
START_TEST(nobody_is_forgotten) {
    struct subject s;
    uint32_t clients[CLIENTS];
    bool asked[CLIENTS] = {false};
    begin(&s, _i);
    for (uint32_t client = 0; client < CLIENTS; client++)
        s.samples[client] = 3;
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t n = play(&s, round, 5, clients);
        for (uint32_t i = 0; i < n; i++)
            asked[clients[i]] = true;
    }
    for (uint32_t client = 0; client < CLIENTS; client++)
        ck_assert_msg(asked[client], "%s never asks client %u", s.selection->plugin.name, client);
    end(&s);
}
END_TEST

int main(void) {
    int n = n_selections();
    Suite *suite = suite_create("selections");
    TCase *tests = tcase_create("selections");
    tcase_add_loop_test(tests, entries_are_complete, 0, n);
    tcase_add_loop_test(tests, cohorts_are_full_and_distinct, 0, n);
    tcase_add_loop_test(tests, only_eligible_clients_are_asked, 0, n);
    tcase_add_loop_test(tests, selection_is_deterministic, 0, n);
    tcase_add_loop_test(tests, nobody_is_forgotten, 0, n);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
