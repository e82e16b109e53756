#include "tests/algorithms/fixture.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "sim/selftest/draws.h"
#include "sim/selftest/subject.h"
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
    return frs_random_population(n_clients, n_items, seed, false);
}

struct frs_population make_rated_population(uint32_t n_clients, uint32_t n_items, uint64_t seed) {
    return frs_random_population(n_clients, n_items, seed, true);
}

void free_population(struct frs_population *population) {
    frs_random_population_fini(population);
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
    return frs_trial_round(learner, model, round);
}

struct frs_trained train_client(const struct frs_learner *learner, const void *model,
    const struct frs_population *population, uint32_t client, uint32_t round, uint64_t round_seed,
    struct frs_arena *arena) {
    return frs_trial_train(learner, model, population, client, round, round_seed, arena);
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
    frs_trial_commit(model, client, version, trained);
}

struct frs_contribution contribute(const struct frs_learner *learner, uint32_t client,
    const struct frs_trained *trained, const struct frs_tables *base, uint64_t round_seed) {
    return frs_trial_contribution(learner, client, trained, base, round_seed);
}

struct frs_tables copy_tables(const void *model) {
    return frs_copy_tables(model);
}

void free_tables(struct frs_tables *tables) {
    frs_free_tables(tables);
}

int compare_tables(const void *model, const struct frs_tables *a, const struct frs_tables *b) {
    return frs_are_same_tables(model, a, b) ? 0 : 1;
}
