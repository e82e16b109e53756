/* What the tests of the learners' contract share: every learner of the registry in each of its variants, else
 * with its default settings, over a small random population. A new line in algorithms/learners/learners.def
 * is covered as it is. */
#ifndef FRS_TESTS_CONTRACT_SUBJECT_H
#define FRS_TESTS_CONTRACT_SUBJECT_H

#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

#define CLIENTS 8u
#define ITEMS 60u
#define EMPTY 2u /* the client without data */

/* The choices of a learner's `variant`; one nameless variant where it has no such key. */
static inline const char *variant_of(const struct frs_learner *learner, size_t index) {
    for (const struct frs_param *p = learner->plugin.params; p->key; p++)
        if (strcmp(p->key, "variant") == 0)
            return p->choices[index];
    return index == 0 ? "" : NULL;
}

/* What stands behind a variant. */
static inline const struct frs_learner *resolve(const struct frs_learner *learner, const char *variant) {
    struct frs_values values =
        frs_values_of(learner->plugin.params, *variant ? SETTINGS("variant", variant) : NULL);
    const struct frs_learner *resolved = frs_learner_variant(learner, &values);
    frs_values_fini(&values);
    return resolved;
}

/* Counts learners in all their variants, and finds the one with number i. */
static inline int find_learner(int i, const struct frs_learner **learner, const char **variant) {
    int n = 0;
    for (size_t l = 0; frs_learners[l]; l++)
        for (size_t v = 0; variant_of(frs_learners[l], v); v++, n++)
            if (n == i) {
                *variant = variant_of(frs_learners[l], v);
                *learner = resolve(frs_learners[l], *variant);
            }
    return n;
}

/* Learners in all their variants. */
static inline int n_subjects(void) {
    return find_learner(-1, NULL, NULL);
}

static inline int n_learners(void) {
    int n = 0;
    while (frs_learners[n])
        n++;
    return n;
}

struct subject {
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

static inline struct frs_population populate(const struct frs_learner *learner) {
    return learner->predicts_ratings ? make_rated_population(CLIENTS, ITEMS, 11)
                                     : make_population(CLIENTS, ITEMS, 11);
}

static inline void begin_with(
    struct subject *s, const struct frs_learner *learner, const char *const *settings) {
    *s = (struct subject){.learner = learner};
    s->population = populate(learner);
    s->model = make_model(learner, &s->population, settings);
    while (!frs_learner_course(learner, s->model, s->round).trains)
        s->round++;
    s->round_seed = open_round(learner, s->model, s->round);
    s->tables = frs_model_tables(s->model);
    s->n_upload = frs_model_parts(s->model, FRS_UPLOAD, s->upload);
}

static inline void begin(struct subject *s, int i) {
    const struct frs_learner *learner = NULL;
    const char *variant = NULL;
    find_learner(i, &learner, &variant);
    begin_with(s, learner, *variant ? SETTINGS("variant", variant) : NULL);
}

static inline void end(struct subject *s) {
    frs_model_destroy(s->model);
    free_population(&s->population);
}

static inline struct frs_trained train(const struct subject *s, uint32_t client, struct frs_arena *arena) {
    return train_client(s->learner, s->model, &s->population, client, s->round, s->round_seed, arena);
}

static inline void commit(const struct subject *s, uint32_t client, const struct frs_trained *trained) {
    commit_client(s->model, client, s->n_changes, trained);
}

static inline void score_all(const struct subject *s, uint32_t client, float *scores) {
    uint32_t items[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++)
        items[i] = i;
    s->learner->score(s->model, &s->tables, client, items, ITEMS, scores);
}

/* All that a participation gave, as bytes: two of them are the same when their records are. */
static inline void record(
    const struct subject *s, const struct frs_trained *trained, struct frs_buffer *out) {
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

static inline void check_same(const struct frs_buffer *a, const struct frs_buffer *b) {
    ck_assert_uint_eq(a->n, b->n);
    ck_assert_mem_eq(a->bytes, b->bytes, a->n);
}

/* The tables the server holds after aggregation (and application, where that is a step of its own). */
static inline void aggregate(
    struct subject *s, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    struct frs_rows update[FRS_MAX_PARTS];
    s->n_changes++;
    s->learner->aggregate(s->model, contributions, n, arena, update);
    if (s->learner->sends_updates)
        frs_learner_apply(s->learner, s->model, &s->tables, s->round_seed, update, arena);
}

#endif
