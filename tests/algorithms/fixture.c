#include "tests/algorithms/fixture.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "sim/selftest/draws.h"
#include "sim/setup/compose/compose_privacy.h"

struct frs_rng test_rng(uint32_t stream) {
    return frs_check_rng(stream);
}

size_t encode_rows(
    struct frs_codec_choice codec, const struct frs_rows *rows, const float *base, struct frs_buffer *out) {
    return frs_encode_rows(codec, rows, base, NULL, NULL, out);
}

uint32_t *random_subset(struct frs_rng *rng, uint32_t n, uint32_t k) {
    return frs_random_subset(rng, n, k);
}

struct frs_population make_population(uint32_t n_clients, uint32_t n_items, uint64_t seed) {
    struct frs_client_data *clients = frs_alloc(n_clients, sizeof *clients);
    for (uint32_t client = 0; client < n_clients; client++) {
        struct frs_rng rng = frs_rng_stream(seed, client, 0, 0, FRS_RNG_TEST);
        uint32_t n = client == 2 ? 0 : 1 + frs_rng_below(&rng, n_items / 3);
        uint32_t *items = random_subset(&rng, n_items, n);
        float *ratings = frs_alloc(n + 1, sizeof *ratings);
        for (uint32_t i = 0; i < n; i++)
            ratings[i] = 1;
        clients[client] = (struct frs_client_data){client, items, ratings, n, items, n};
    }
    return (struct frs_population){.n_clients = n_clients,
        .n_items = n_items,
        .clients = clients,
        .rating_min = 1,
        .rating_max = 1,
        .seed = seed};
}

struct frs_population make_rated_population(uint32_t n_clients, uint32_t n_items, uint64_t seed) {
    struct frs_population population = make_population(n_clients, n_items, seed);
    for (uint32_t client = 0; client < n_clients; client++) {
        struct frs_rng rng = frs_rng_stream(seed, client, 1, 0, FRS_RNG_TEST);
        float *ratings = (float *)(uintptr_t)population.clients[client].ratings;
        for (size_t i = 0; i < population.clients[client].n; i++)
            ratings[i] = 1 + (float)frs_rng_below(&rng, 5);
    }
    population.rating_max = 5;
    return population;
}

void free_population(struct frs_population *population) {
    for (uint32_t client = 0; client < population->n_clients; client++) {
        free((void *)(uintptr_t)population->clients[client].items);
        free((void *)(uintptr_t)population->clients[client].ratings);
    }
    free((void *)(uintptr_t)population->clients);
}

void *make_model(
    const struct frs_learner *learner, const struct frs_population *population, const char *const *settings) {
    struct frs_learner_setup setup = {.population = population, .negatives_per_positive = 4};
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    struct frs_errors errors = {0};
    void *model = learner->create(&values, &setup, &errors);
    ck_assert_ptr_nonnull(model);
    ck_assert_uint_eq(errors.n, 0);
    frs_values_fini(&values);
    return model;
}

uint64_t open_round(const struct frs_learner *learner, void *model, uint32_t round) {
    struct frs_tables tables = frs_model_tables(model);
    frs_learner_broadcast(learner, model, round, &tables);
    return learner->round_seed ? learner->round_seed(model, round) : 0;
}

struct frs_trained train_client(const struct frs_learner *learner, const void *model,
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

struct frs_privacy_mechanism_list own_mechanisms(const struct frs_learner *learner, const void *model) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_privacy_setup setup = {.n_rounds = 1};
    struct frs_privacy_mechanism_list list = {0};
    struct frs_errors errors = {0};
    size_t n_parts = frs_model_parts(model, FRS_STATE, shapes);
    for (size_t i = 0; i < n_parts; i++)
        setup.n_values += shapes[i].n_rows * shapes[i].dim;
    frs_method_privacy_read(learner, model, &setup, &list, &errors);
    ck_assert_uint_eq(errors.n, 0);
    return list;
}

void mechanism_client(const struct frs_privacy_mechanism_list *mechanisms, const struct frs_learner *learner,
    const void *model, uint32_t client, struct frs_trained *trained, struct frs_arena *arena) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_tables tables = frs_model_tables(model);
    struct frs_rng rng = frs_rng_stream(1, client, 0, 0, FRS_RNG_NOISE);
    frs_privacy_values(mechanisms, FRS_PRIVACY_VALUES,
        &(struct frs_protected_update){.parts = trained->upload,
            .n_parts = frs_model_parts(model, FRS_STATE, shapes),
            .base = learner->uploads_updates ? NULL : &tables,
            .rng = &rng,
            .arena = arena});
}

void commit_client(void *model, uint32_t client, uint64_t version, const struct frs_trained *trained) {
    struct frs_tables tables = frs_model_tables(model);
    frs_model_receive(model, client, &tables, version);
    frs_model_commit(model, client, trained->private_state, trained->private_bytes);
}

struct frs_contribution contribute(const struct frs_learner *learner, uint32_t client,
    const struct frs_trained *trained, const struct frs_tables *base, uint64_t round_seed) {
    struct frs_contribution contribution = {.client = client,
        .samples = trained->samples,
        .round_seed = round_seed,
        .base = learner->uploads_updates ? NULL : base};
    memcpy(contribution.parts, trained->upload, sizeof contribution.parts);
    return contribution;
}

struct frs_tables copy_tables(const void *model) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_tables own = frs_model_tables(model), copy = {{0}};
    size_t n = frs_model_parts(model, FRS_STATE, shapes);
    for (size_t i = 0; i < n; i++) {
        copy.part[i] = frs_alloc_aligned(shapes[i].n_rows * shapes[i].dim, sizeof(float));
        memcpy(copy.part[i], own.part[i], shapes[i].n_rows * shapes[i].dim * sizeof(float));
    }
    return copy;
}

void free_tables(struct frs_tables *tables) {
    for (size_t i = 0; i < FRS_MAX_PARTS; i++)
        free(tables->part[i]);
}

int compare_tables(const void *model, const struct frs_tables *a, const struct frs_tables *b) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(model, FRS_STATE, shapes);
    for (size_t i = 0; i < n; i++)
        if (memcmp(a->part[i], b->part[i], shapes[i].n_rows * shapes[i].dim * sizeof(float)) != 0)
            return 1;
    return 0;
}
