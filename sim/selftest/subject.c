#include "sim/selftest/subject.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/selftest/draws.h"

#include <stdlib.h>
#include <string.h>

/* ---- a population, and one participation ------------------------------------------------------ */

struct frs_population frs_random_population(uint32_t n_clients, uint32_t n_items, uint64_t seed, bool rated) {
    struct frs_client_data *clients = frs_alloc(n_clients, sizeof *clients);
    for (uint32_t client = 0; client < n_clients; client++) {
        struct frs_rng rng = frs_rng_stream(seed, client, 0, 0, FRS_RNG_TEST);
        struct frs_rng rates = frs_rng_stream(seed, client, 1, 0, FRS_RNG_TEST);
        uint32_t n = client == FRS_SUBJECT_EMPTY ? 0 : 1 + frs_rng_below(&rng, n_items / 3);
        uint32_t *items = frs_random_subset(&rng, n_items, n);
        float *ratings = frs_alloc(n + 1, sizeof *ratings);
        for (uint32_t i = 0; i < n; i++)
            ratings[i] = rated ? 1 + (float)frs_rng_below(&rates, 5) : 1;
        clients[client] = (struct frs_client_data){client, items, ratings, n, items, n};
    }
    return (struct frs_population){.n_clients = n_clients,
        .n_items = n_items,
        .clients = clients,
        .rating_min = 1,
        .rating_max = rated ? 5 : 1,
        .seed = seed};
}

void frs_random_population_fini(struct frs_population *population) {
    for (uint32_t client = 0; client < population->n_clients; client++) {
        free((void *)(uintptr_t)population->clients[client].items);
        free((void *)(uintptr_t)population->clients[client].ratings);
    }
    free((void *)(uintptr_t)population->clients);
}

uint64_t frs_trial_round(const struct frs_learner *learner, void *model, uint32_t round) {
    struct frs_tables tables = frs_model_tables(model);
    frs_learner_broadcast(learner, model, round, &tables);
    return learner->round_seed ? learner->round_seed(model, round) : 0;
}

struct frs_trained frs_trial_train(const struct frs_learner *learner, const void *model,
    const struct frs_population *population, uint32_t client, uint32_t round, uint64_t round_seed,
    struct frs_arena *arena) {
    struct frs_tables tables = frs_model_tables(model);
    struct frs_training training = {.data = &population->clients[client],
        .tables = &tables,
        .round_seed = round_seed,
        .round = round,
        .budget = frs_learner_budgets(learner, model).max};
    struct frs_trained trained;
    struct frs_tables personal = frs_model_personal(model, client);
    struct frs_tables joined = frs_learner_join(model, &tables, &personal);
    training.tables = &joined;
    frs_learner_train(learner, model, &training, arena, &trained);
    return trained;
}

void frs_trial_commit(void *model, uint32_t client, uint64_t version, const struct frs_trained *trained) {
    struct frs_tables tables = frs_model_tables(model);
    frs_model_receive(model, client, &tables, version);
    frs_model_commit(model, client, trained->private_state, trained->private_bytes);
}

struct frs_contribution frs_trial_contribution(const struct frs_learner *learner, uint32_t client,
    const struct frs_trained *trained, const struct frs_tables *base, uint64_t round_seed) {
    struct frs_contribution contribution = {.client = client,
        .samples = trained->samples,
        .round_seed = round_seed,
        .base = learner->uploads_updates ? NULL : base};
    memcpy(contribution.parts, trained->upload, sizeof contribution.parts);
    return contribution;
}

struct frs_tables frs_copy_tables(const void *model) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_tables own = frs_model_tables(model), copy = {{0}};
    size_t n = frs_model_parts(model, FRS_STATE, shapes);
    for (size_t i = 0; i < n; i++) {
        copy.part[i] = frs_alloc_aligned(shapes[i].n_rows * shapes[i].dim, sizeof(float));
        memcpy(copy.part[i], own.part[i], shapes[i].n_rows * shapes[i].dim * sizeof(float));
    }
    return copy;
}

void frs_free_tables(struct frs_tables *tables) {
    for (size_t i = 0; i < FRS_MAX_PARTS; i++)
        free(tables->part[i]);
}

bool frs_are_same_tables(const void *model, const struct frs_tables *a, const struct frs_tables *b) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(model, FRS_STATE, shapes);
    for (size_t i = 0; i < n; i++)
        if (memcmp(a->part[i], b->part[i], shapes[i].n_rows * shapes[i].dim * sizeof(float)) != 0)
            return false;
    return true;
}

/* ---- the subject ------------------------------------------------------------------------------ */

const char *frs_variant_of(const struct frs_plugin *plugin, size_t n) {
    for (const struct frs_param *p = plugin->params; p && p->key; p++)
        if (strcmp(p->key, "variant") == 0 && p->type == FRS_CHOICE)
            return p->choices[n];
    return n == 0 ? "" : NULL;
}

/* The round in which clients train first; a course that trains in none of the first rounds never does. */
static uint32_t first_training(
    struct frs_check *check, const struct frs_learner *learner, const void *model) {
    enum { MOST = 1000 };
    uint32_t round = 0;
    while (round < MOST && !frs_learner_course(learner, model, round).trains)
        round++;
    frs_clause(check, "algorithms/learner.h, course", "clients train in some round");
    FRS_HOLDS(check, round < MOST, "in none of the first %d", MOST);
    return round;
}

void frs_subject_begin(struct frs_subject *s, struct frs_check *check, const struct frs_learner *learner,
    const char *const *settings) {
    struct frs_values values = frs_trial_values(check, &learner->plugin, settings);
    struct frs_errors errors = {0};
    *s = (struct frs_subject){.check = check, .learner = frs_learner_variant(learner, &values)};
    s->population =
        frs_random_population(FRS_SUBJECT_CLIENTS, FRS_SUBJECT_ITEMS, 11, learner->predicts_ratings);
    struct frs_learner_setup setup = {
        .population = &s->population, .negatives_per_positive = 4, .external = learner->external};
    s->model = s->learner->create(&values, &setup, &errors);
    frs_clause(
        check, "algorithms/learner.h, create", "create gives a model, or adds an error and gives NULL");
    FRS_HOLDS(check, !s->model == (errors.n > 0), "it gave %s with %zu errors", s->model ? "a model" : "NULL",
        errors.n);
    if (!s->model)
        frs_check_impossible(check, "its settings are refused: %s", errors.lines[0]);
    frs_values_fini(&values);
    s->round = first_training(check, s->learner, s->model);
    s->round_seed = frs_trial_round(s->learner, s->model, s->round);
    s->tables = frs_model_tables(s->model);
    s->n_upload = frs_model_parts(s->model, FRS_UPLOAD, s->upload);
}

void frs_subject_works(const struct frs_subject *s) {
    const char *failure = frs_learner_failure(s->learner, s->model);
    frs_clause(s->check, "algorithms/learner.h, failure", "the learner can train and score to the end");
    FRS_HOLDS(s->check, !failure, "%s", failure);
}

void frs_subject_end(struct frs_subject *s) {
    frs_model_destroy(s->model);
    frs_random_population_fini(&s->population);
}

struct frs_trained frs_subject_train(const struct frs_subject *s, uint32_t client, struct frs_arena *arena) {
    return frs_trial_train(s->learner, s->model, &s->population, client, s->round, s->round_seed, arena);
}

void frs_subject_commit(const struct frs_subject *s, uint32_t client, const struct frs_trained *trained) {
    frs_trial_commit(s->model, client, s->n_changes, trained);
}

struct frs_contribution frs_subject_contribution(
    const struct frs_subject *s, uint32_t client, const struct frs_trained *trained) {
    return frs_trial_contribution(s->learner, client, trained, &s->tables, s->round_seed);
}

void frs_subject_score(const struct frs_subject *s, uint32_t client, float *scores) {
    uint32_t items[FRS_SUBJECT_ITEMS];
    for (uint32_t i = 0; i < FRS_SUBJECT_ITEMS; i++)
        items[i] = i;
    s->learner->score(s->model, &s->tables, client, items, FRS_SUBJECT_ITEMS, scores);
}

void frs_subject_record(
    const struct frs_subject *s, const struct frs_trained *trained, struct frs_buffer *out) {
    for (size_t part = 0; part < s->n_upload; part++) {
        const struct frs_rows *rows = &trained->upload[part];
        frs_buffer_put_u64(out, rows->n);
        if (rows->ids)
            frs_buffer_put(out, rows->ids, rows->n * sizeof *rows->ids);
        frs_buffer_put_floats(out, rows->values, rows->n * rows->dim);
    }
    frs_buffer_put(out, trained->private_state, trained->private_bytes);
    frs_buffer_put_u32(out, trained->samples);
    frs_buffer_put(out, &trained->flop, sizeof trained->flop);
    frs_buffer_put(out, &trained->loss, sizeof trained->loss);
}

bool frs_are_same_bytes(const struct frs_buffer *a, const struct frs_buffer *b) {
    return a->n == b->n && (a->n == 0 || memcmp(a->bytes, b->bytes, a->n) == 0);
}

void frs_subject_aggregate(
    struct frs_subject *s, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    struct frs_rows update[FRS_MAX_PARTS] = {{0}};
    s->n_changes++;
    s->learner->aggregate(s->model, contributions, n, arena, update);
    if (s->learner->sends_updates)
        frs_learner_apply(s->learner, s->model, &s->tables, s->round_seed, update, arena);
}
