/* What the tests of methods share: small random populations, and a learner with its settings. */
#ifndef FRS_TESTS_ALGORITHMS_FIXTURE_H
#define FRS_TESTS_ALGORITHMS_FIXTURE_H

#include "algorithms/learner.h"
#include "algorithms/messages/message.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

struct frs_rng;

/* Settings as for frs_values_of: pairs ended by NULL. */
#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_SETTINGS ((const char *const[]){NULL})

struct frs_rng test_rng(uint32_t stream);

/* Encodes with a stream of its own and without a budget; appends, returns the nominal bytes. */
size_t encode_rows(
    struct frs_codec_choice codec, const struct frs_rows *rows, const float *base, struct frs_buffer *out);

/* k distinct values of 0 … n−1, ascending; freed by the caller. */
uint32_t *random_subset(struct frs_rng *rng, uint32_t n, uint32_t k);

/* Clients with 1 … n_items/3 random items; client 2 has none. Nothing but the own items is excluded. */
struct frs_population make_population(uint32_t n_clients, uint32_t n_items, uint64_t seed);

/* The same with random ratings from 1 to 5. */
struct frs_population make_rated_population(uint32_t n_clients, uint32_t n_items, uint64_t seed);

void free_population(struct frs_population *population);

/* A model from settings, 4 negatives per positive. */
void *make_model(
    const struct frs_learner *learner, const struct frs_population *population, const char *const *settings);

uint64_t open_round(const struct frs_learner *learner, void *model, uint32_t round);

/* One participation against the server's own tables; everything lies in the arena. */
struct frs_trained train_client(const struct frs_learner *learner, const void *model,
    const struct frs_population *population, uint32_t client, uint32_t round, uint64_t round_seed,
    struct frs_arena *arena);

/* The privacy mechanisms that the method's own keys stand for; freed with frs_privacy_mechanism_list_fini. */
struct frs_privacy_mechanism_list own_mechanisms(const struct frs_learner *learner, const void *model);

/* The upload as mechanisms on values leave it, of a client that was trained on the server's own tables. */
void mechanism_client(const struct frs_privacy_mechanism_list *mechanisms, const struct frs_learner *learner,
    const void *model, uint32_t client, struct frs_trained *trained, struct frs_arena *arena);

/* Commits the client's training, which was done on the server's own tables. `version` is a different
 * number for different tables. */
void commit_client(void *model, uint32_t client, uint64_t version, const struct frs_trained *trained);

/* The contribution that arrives at the server when nothing is lost on the way. */
struct frs_contribution contribute(const struct frs_learner *learner, uint32_t client,
    const struct frs_trained *trained, const struct frs_tables *base, uint64_t round_seed);

struct frs_tables copy_tables(const void *model);

void free_tables(struct frs_tables *tables);

/* 0 when all tables agree bit for bit. */
int compare_tables(const void *model, const struct frs_tables *a, const struct frs_tables *b);

#endif
