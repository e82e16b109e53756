/* What checks of learners share: a learner with a small random population, a model, and its first round. */
#ifndef FRS_SELFTEST_SUBJECT_H
#define FRS_SELFTEST_SUBJECT_H

#include "algorithms/learner.h"
#include "sim/base/buffer.h"
#include "sim/selftest/entry.h"

enum {
    FRS_SUBJECT_CLIENTS = 8,
    FRS_SUBJECT_ITEMS = 60,
    FRS_SUBJECT_EMPTY = 2, /* the client without data */
};

/* ---- a population, and one participation ------------------------------------------------------ */

/* Clients with 1 … n_items/3 random items; client FRS_SUBJECT_EMPTY has none. Only a client's own items
 * are excluded. `rated`: with random ratings from 1 to 5; otherwise all ratings are 1. */
struct frs_population frs_random_population(uint32_t n_clients, uint32_t n_items, uint64_t seed, bool rated);
void frs_random_population_fini(struct frs_population *population);

/* The round seed, once the learner has been told what clients of the round will have downloaded. */
uint64_t frs_trial_round(const struct frs_learner *learner, void *model, uint32_t round);

/* One participation against the server's own tables; everything lies in the arena. */
struct frs_trained frs_trial_train(const struct frs_learner *learner, const void *model,
    const struct frs_population *population, uint32_t client, uint32_t round, uint64_t round_seed,
    struct frs_arena *arena);

/* Commits the client's training, which was done on the server's own tables. `version` is a different
 * number for different tables. */
void frs_trial_commit(void *model, uint32_t client, uint64_t version, const struct frs_trained *trained);

/* The contribution that arrives at the server when nothing is lost on the way. */
struct frs_contribution frs_trial_contribution(const struct frs_learner *learner, uint32_t client,
    const struct frs_trained *trained, const struct frs_tables *base, uint64_t round_seed);

/* A copy of the server's tables; and whether all tables agree bit for bit. */
struct frs_tables frs_copy_tables(const void *model);
void frs_free_tables(struct frs_tables *tables);
bool frs_are_same_tables(const void *model, const struct frs_tables *a, const struct frs_tables *b);

/* ---- the subject ------------------------------------------------------------------------------ */

struct frs_subject {
    struct frs_check *check;
    const struct frs_learner *learner;
    struct frs_population population;
    void *model;
    uint32_t round;      /* the first in which clients train */
    uint64_t round_seed; /* of that round */
    struct frs_tables tables;
    uint64_t n_changes; /* of the tables */
    struct frs_part upload[FRS_MAX_PARTS];
    size_t n_upload;
};

/* Returns the n-th choice of a learner's key `variant`, from 0, or NULL behind the last one. Without such
 * a key, the only choice is "". */
const char *frs_variant_of(const struct frs_plugin *plugin, size_t n);

/* Settings that choose a variant, for frs_subject_begin and frs_trial_values; "" chooses none. */
#define FRS_VARIANT(variant) (*(variant) ? (const char *const[]){"variant", variant, NULL} : NULL)

/* The learner that these settings mean, with a model of its own. */
void frs_subject_begin(struct frs_subject *s, struct frs_check *check, const struct frs_learner *learner,
    const char *const *settings);
/* It has not failed (the program of an external learner). */
void frs_subject_works(const struct frs_subject *s);
void frs_subject_end(struct frs_subject *s);

struct frs_trained frs_subject_train(const struct frs_subject *s, uint32_t client, struct frs_arena *arena);
void frs_subject_commit(const struct frs_subject *s, uint32_t client, const struct frs_trained *trained);

/* The upload of a participation, as it arrives. */
struct frs_contribution frs_subject_contribution(
    const struct frs_subject *s, uint32_t client, const struct frs_trained *trained);

/* Scores of all items, [FRS_SUBJECT_ITEMS]. */
void frs_subject_score(const struct frs_subject *s, uint32_t client, float *scores);

/* All that a participation gave, as bytes: two of them are the same when their records are. */
void frs_subject_record(
    const struct frs_subject *s, const struct frs_trained *trained, struct frs_buffer *out);
bool frs_are_same_bytes(const struct frs_buffer *a, const struct frs_buffer *b);

/* The tables that the server holds after aggregation (and application, where that is a step of its own). */
void frs_subject_aggregate(
    struct frs_subject *s, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena);

/* The checks of a learner in one of its variants, in files of their own. */
void frs_check_learner_training(
    struct frs_check *check, const struct frs_learner *learner, const char *variant);
void frs_check_learner_aggregation(
    struct frs_check *check, const struct frs_learner *learner, const char *variant);
void frs_check_learner_runs(struct frs_check *check, const struct frs_learner *learner, const char *variant);

#endif
