/* Commit and aggregation: which clients they change, and how uploads come together. */
#include "sim/selftest/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEARNER_H "algorithms/learner.h, "

enum { CLIENTS = FRS_SUBJECT_CLIENTS, ITEMS = FRS_SUBJECT_ITEMS, FEW = 3 };

static void begin(
    struct frs_subject *s, struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    frs_subject_begin(s, check, learner, FRS_VARIANT(variant));
}

/* Where a client keeps nothing, its commit is nothing but the receipt of tables. */
static void commit_changes_that_clients_scores_only(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    float before[CLIENTS][ITEMS], after[ITEMS];
    begin(&s, check, learner, variant);
    frs_clause(check, LEARNER_H "score", "a commit changes the scores of its client, and of no other one");
    for (uint32_t client = 0; client < CLIENTS; client++)
        frs_subject_score(&s, client, before[client]);
    struct frs_trained trained = frs_subject_train(&s, 4, &arena);
    frs_subject_commit(&s, 4, &trained);
    frs_clause(check, LEARNER_H "score", "a commit changes the scores of its client, and of no other one");
    for (uint32_t client = 0; client < CLIENTS; client++) {
        frs_subject_score(&s, client, after);
        bool changed = !frs_are_same(before[client], after, sizeof after);
        FRS_HOLDS(check, client == 4 ? changed || trained.private_bytes == 0 : !changed,
            "the commit of client 4 leaves those of client %u %s", client,
            changed ? "changed" : "as they were");
    }
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* ---- one upload ------------------------------------------------------------------------------- */

/* Returns the table that one client would have: the received table with its rows put in, or with its
 * update added. Parts of an upload that the state does not have refer to rows that were not sent, and each
 * learner handles them in its own way. */
static struct frs_tables table_of(
    const struct frs_subject *s, const struct frs_trained *trained, struct frs_arena *arena) {
    struct frs_tables table = frs_copy_tables(s->model);
    if (s->learner->uploads_updates) {
        frs_learner_apply(s->learner, s->model, &table, s->round_seed, trained->upload, arena);
        return table;
    }
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_state = frs_model_parts(s->model, FRS_STATE, shapes);
    for (size_t part = 0; part < n_state; part++) {
        const struct frs_rows *rows = &trained->upload[part];
        for (size_t i = 0; i < rows->n; i++)
            memcpy(table.part[part] + (rows->ids ? rows->ids[i] : i) * rows->dim,
                rows->values + i * rows->dim, rows->dim * sizeof(float));
    }
    return table;
}

/* Whether the client sent the row, or what it did not send is as it was received. */
static bool is_known(
    const struct frs_subject *s, const struct frs_trained *trained, size_t n_state, size_t part, size_t row) {
    const struct frs_rows *rows = &trained->upload[part];
    bool known = s->n_upload <= n_state || s->learner->uploads_updates;
    for (size_t i = 0; i < rows->n; i++)
        known |= (rows->ids ? rows->ids[i] : i) == row;
    return known;
}

static void one_contribution_is_that_clients_table(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    struct frs_part shapes[FRS_MAX_PARTS];
    begin(&s, check, learner, variant);
    frs_clause(check, LEARNER_H "aggregate",
        "one upload alone makes the server's tables those of its client, unless it uploads "
        "gradients");
    if (s.learner->uploads_gradients) { /* which may have another shape than the tables */
        frs_subject_end(&s);
        return;
    }
    size_t n = frs_model_parts(s.model, FRS_STATE, shapes);
    struct frs_trained trained = frs_subject_train(&s, 1, &arena);
    struct frs_contribution contribution = frs_subject_contribution(&s, 1, &trained);
    struct frs_tables expected = table_of(&s, &trained, &arena);
    frs_subject_aggregate(&s, &contribution, 1, &arena);
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++) {
            float is = s.tables.part[part][i], was = expected.part[part][i];
            if (!is_known(&s, &trained, n, part, i / shapes[part].dim))
                continue;
            frs_clause(check, LEARNER_H "aggregate",
                "one upload alone makes the server's tables those of its client, unless it uploads "
                "gradients");
            FRS_HOLDS(check, fabsf(is - was) <= 2e-6F, "value %zu of row %zu of %s is %.9g instead of %.9g",
                i % shapes[part].dim, i / shapes[part].dim, shapes[part].name, (double)is, (double)was);
        }
    frs_free_tables(&expected);
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* The server's step moves the rows that a client sent, and no others. */
static void gradients_move_what_was_sent(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    begin(&s, check, learner, variant);
    frs_clause(check, LEARNER_H "uploads_gradients",
        "the step on a gradient moves the rows that were sent, and no others");
    struct frs_part shapes[FRS_MAX_PARTS];
    frs_model_parts(s.model, FRS_STATE, shapes);
    struct frs_tables before = frs_copy_tables(s.model);
    struct frs_trained trained = frs_subject_train(&s, 1, &arena);
    struct frs_contribution contribution = frs_subject_contribution(&s, 1, &trained);
    if (s.learner->uploads_gradients)
        frs_subject_aggregate(&s, &contribution, 1, &arena);
    for (size_t part = 0; s.learner->uploads_gradients && part < s.n_upload; part++) {
        const struct frs_rows *rows = &trained.upload[part];
        for (size_t row = 0, at = 0; row < rows->n_rows; row++) {
            bool sent = at < rows->n && (rows->ids ? rows->ids[at] : at) == row;
            size_t dim = shapes[part].dim, first = row * dim;
            bool moved =
                !frs_are_same(before.part[part] + first, s.tables.part[part] + first, dim * sizeof(float));
            frs_clause(check, LEARNER_H "uploads_gradients",
                "the step on a gradient moves the rows that were sent, and no others");
            FRS_HOLDS(check, moved == sent || (sent && learner->step_may_rest),
                "row %zu of %s was %s, and %s", row, s.upload[part].name, sent ? "sent" : "not sent",
                moved ? "has moved" : "has not moved");
            at += sent;
        }
    }
    frs_free_tables(&before);
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

static void client_without_data_changes_nothing(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    float scores[ITEMS];
    begin(&s, check, learner, variant);
    frs_clause(check, LEARNER_H "aggregate", "the upload of a client without data changes no table");
    struct frs_tables before = frs_copy_tables(s.model);
    struct frs_trained empty = frs_subject_train(&s, FRS_SUBJECT_EMPTY, &arena);
    struct frs_contribution contribution = frs_subject_contribution(&s, FRS_SUBJECT_EMPTY, &empty);
    frs_subject_aggregate(&s, &contribution, 1, &arena);
    frs_clause(check, LEARNER_H "aggregate", "the upload of a client without data changes no table");
    FRS_HOLDS(check, frs_are_same_tables(s.model, &before, &s.tables), "tables have changed");
    frs_subject_commit(&s, FRS_SUBJECT_EMPTY, &empty);
    frs_subject_score(&s, FRS_SUBJECT_EMPTY, scores);
    frs_clause(check, LEARNER_H "score", "scores of a client without data are finite");
    for (size_t i = 0; i < ITEMS; i++)
        FRS_HOLDS(check, isfinite(scores[i]), "that of item %zu is %g", i, (double)scores[i]);
    frs_free_tables(&before);
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* ---- gather ----------------------------------------------------------------------------------- */

static bool trains_anew(const struct frs_subject *s) {
    return frs_learner_trains_anew(s->learner, s->model);
}

/* Trained, committed and trained once more: where the learner says so, the same upload. */
static void uploads_can_be_made_again(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    begin(&s, check, learner, variant);
    frs_clause(check, LEARNER_H "trains_anew", "training anew goes with gather, and not with takes_stale");
    FRS_HOLDS(check, !trains_anew(&s) || !s.learner->takes_stale, "trains_anew with takes_stale");
    for (uint32_t client = 0; trains_anew(&s) && client < CLIENTS; client++) {
        struct frs_trained trained = frs_subject_train(&s, client, &arena);
        frs_subject_commit(&s, client, &trained);
        struct frs_trained again = frs_subject_train(&s, client, &arena);
        const struct frs_rows *a = &trained.upload[0], *b = &again.upload[0];
        frs_clause(check, LEARNER_H "trains_anew",
            "a client that is trained again, even after its commit, uploads the same");
        FRS_HOLDS(check,
            a->n == b->n &&
                (a->n == 0 || frs_are_same(a->values, b->values, a->n * a->dim * sizeof *a->values)),
            "client %u uploads something else", client);
    }
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* Given to `gather` in blocks they make the same tables as given to `aggregate`. */
static void uploads_can_be_gathered(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s, blocks;
    struct frs_arena arena = {0};
    struct frs_contribution all[CLIENTS];
    begin(&s, check, learner, variant);
    begin(&blocks, check, learner, variant);
    frs_clause(check, LEARNER_H "gather", "uploads that are gathered in blocks make the same tables");
    bool gathers = s.learner->gather && (!s.learner->trains_anew || trains_anew(&s));
    for (uint32_t client = 0; gathers && client < CLIENTS; client++) {
        struct frs_trained trained = frs_subject_train(&s, client, &arena);
        all[client] = frs_subject_contribution(&s, client, &trained);
    }
    if (gathers) {
        frs_subject_aggregate(&s, all, CLIENTS, &arena);
        for (size_t c = 0; c < CLIENTS; c++)
            all[c].base = all[c].base ? &blocks.tables : NULL;
        blocks.learner->gather(blocks.model, all, 2);
        blocks.learner->gather(blocks.model, all + 2, CLIENTS - 2);
        frs_subject_aggregate(&blocks, NULL, CLIENTS, &arena);
        frs_clause(check, LEARNER_H "gather", "uploads that are gathered in blocks make the same tables");
        FRS_HOLDS(check, frs_are_same_tables(s.model, &s.tables, &blocks.tables),
            "in two blocks of 2 and %d tables differ", CLIENTS - 2);
    }
    frs_arena_fini(&arena);
    frs_subject_end(&s);
    frs_subject_end(&blocks);
}

/* ---- several uploads -------------------------------------------------------------------------- */

/* A new table of the server changes the scores of every client except a client that predicts with its own
 * table. */
static void tables_of_their_own_stay(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    float before[2][ITEMS], after[2][ITEMS];
    begin(&s, check, learner, variant);
    frs_clause(check, LEARNER_H "score",
        "an aggregation changes what clients predict, unless with tables of their own");
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = frs_subject_train(&s, client, &arena);
        if (client != 5)
            frs_subject_commit(&s, client, &trained);
        contributions[client] = frs_subject_contribution(&s, client, &trained);
    }
    frs_subject_score(&s, 4, before[0]);
    frs_subject_score(&s, 5, before[1]);
    frs_subject_aggregate(&s, contributions, CLIENTS, &arena);
    frs_subject_score(&s, 4, after[0]);
    frs_subject_score(&s, 5, after[1]);
    bool stays = frs_are_same(before[0], after[0], sizeof after[0]), alone = s.learner->predicts_alone;
    frs_clause(check, LEARNER_H "score",
        "an aggregation changes what clients predict, unless with tables of their own");
    FRS_HOLDS(check, stays == (alone || frs_model_keeps_received(s.model)),
        "scores of a client that was committed %s", stays ? "stay" : "change");
    FRS_HOLDS(check, frs_are_same(before[1], after[1], sizeof after[1]) == alone,
        "scores of a client that never was committed %s", alone ? "change" : "stay");
    frs_arena_fini(&arena);
    frs_subject_end(&s);
}

/* Training in one order or the other gives the same table, as contributions arrive sorted. */
static void order_of_training_does_not_matter(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_tables results[2];
    for (int reverse = 0; reverse < 2; reverse++) {
        struct frs_subject s;
        struct frs_arena arena = {0};
        struct frs_contribution contributions[CLIENTS];
        begin(&s, check, learner, variant);
        for (uint32_t i = 0; i < CLIENTS; i++) {
            uint32_t client = reverse ? CLIENTS - 1 - i : i;
            struct frs_trained trained = frs_subject_train(&s, client, &arena);
            frs_subject_commit(&s, client, &trained);
            contributions[client] = frs_subject_contribution(&s, client, &trained);
        }
        frs_subject_aggregate(&s, contributions, CLIENTS, &arena);
        results[reverse] = frs_copy_tables(s.model);
        frs_clause(check, LEARNER_H "aggregate",
            "the order in which clients are trained and committed does not matter");
        FRS_HOLDS(check, !reverse || frs_are_same_tables(s.model, &results[0], &results[1]),
            "tables differ in reverse");
        frs_arena_fini(&arena);
        frs_subject_end(&s);
    }
    frs_free_tables(&results[0]);
    frs_free_tables(&results[1]);
}

/* Two models with the same uploads of three clients, for comparisons of what they make of them. */
struct pair {
    struct frs_subject a, b;
    struct frs_arena arena;
    struct frs_tables base;
    struct frs_contribution uploads[FEW];
};

/* False where the learner takes no stale uploads, which alone have weights of their own. */
static bool begin_pair(
    struct pair *pair, struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    *pair = (struct pair){.arena = {0}};
    begin(&pair->a, check, learner, variant);
    begin(&pair->b, check, learner, variant);
    pair->base = frs_copy_tables(pair->a.model);
    for (uint32_t i = 0; i < FEW; i++) {
        struct frs_trained trained = frs_subject_train(&pair->a, 3 + i, &pair->arena);
        pair->uploads[i] =
            frs_trial_contribution(pair->a.learner, 3 + i, &trained, &pair->base, pair->a.round_seed);
    }
    return pair->a.learner->takes_stale;
}

static void end_pair(struct pair *pair) {
    frs_free_tables(&pair->base);
    frs_arena_fini(&pair->arena);
    frs_subject_end(&pair->a);
    frs_subject_end(&pair->b);
}

/* b changed its tables by `share` of what a did. */
static void check_shares(struct pair *pair, const char *where, const char *clause, float share) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(pair->a.model, FRS_STATE, shapes);
    frs_clause(pair->a.check, where, clause);
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++) {
            float before = pair->base.part[part][i],
                  expected = before + (pair->a.tables.part[part][i] - before) * share;
            FRS_HOLDS(pair->a.check, fabsf(pair->b.tables.part[part][i] - expected) <= 1e-5F,
                "value %zu of row %zu of %s is %.9g instead of %.9g", i % shapes[part].dim,
                i / shapes[part].dim, shapes[part].name, (double)pair->b.tables.part[part][i],
                (double)expected);
        }
    FRS_HOLDS(pair->a.check, !frs_are_same_tables(pair->a.model, &pair->a.tables, &pair->base),
        "no table has changed");
}

/* With weights of their own uploads add up, alone or together; one that stands apart adds nothing. */
static void given_weights_add_up(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct pair pair;
    if (begin_pair(&pair, check, learner, variant)) {
        for (uint32_t i = 0; i < FEW; i++)
            pair.uploads[i].weight = 0.5 / (1 + i);
        frs_subject_aggregate(&pair.a, pair.uploads, FEW, &pair.arena);
        bool all = pair.b.learner->sends_updates;
        for (uint32_t i = 0; i < FEW; i++) {
            for (uint32_t j = 0; j < FEW && all; j++)
                pair.uploads[j].apart = j != i;
            frs_subject_aggregate(&pair.b, all ? pair.uploads : &pair.uploads[i], all ? FEW : 1, &pair.arena);
        }
        check_shares(&pair, "algorithms/contribution.h, weight",
            "uploads with weights of their own add up, alone or together", 1);
    }
    end_pair(&pair);
}

/* If all uploads are equally stale, they change the tables half as much as with full weight, whatever the
 * learner's own weights are. */
static void stale_uploads_change_less(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct pair pair;
    if (begin_pair(&pair, check, learner, variant)) {
        frs_subject_aggregate(&pair.a, pair.uploads, FEW, &pair.arena);
        for (uint32_t i = 0; i < FEW; i++)
            pair.uploads[i].staleness_scale = 0.5;
        frs_subject_aggregate(&pair.b, pair.uploads, FEW, &pair.arena);
        check_shares(&pair, "algorithms/contribution.h, staleness_scale",
            "uploads that all count by half change half as much", 0.5F);
    }
    end_pair(&pair);
}

/* The server does nothing about a round in which nothing arrived. */
static void nothing_costs_nothing(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    struct frs_subject s;
    begin(&s, check, learner, variant);
    frs_clause(check, LEARNER_H "aggregate_flop",
        "an aggregation takes operations, and none where nothing has arrived");
    double none = frs_learner_aggregate_flop(s.learner, s.model, 0, 0),
           some = frs_learner_aggregate_flop(s.learner, s.model, 1, 100);
    frs_clause(check, LEARNER_H "aggregate_flop",
        "an aggregation takes operations, and none where nothing has arrived");
    FRS_HOLDS(check, none == 0 && isfinite(some) && some > 0, "%g for no upload, %g for one of 100 values",
        none, some);
    frs_subject_end(&s);
}

void frs_check_learner_aggregation(
    struct frs_check *check, const struct frs_learner *learner, const char *variant) {
    commit_changes_that_clients_scores_only(check, learner, variant);
    uploads_can_be_made_again(check, learner, variant);
    uploads_can_be_gathered(check, learner, variant);
    one_contribution_is_that_clients_table(check, learner, variant);
    gradients_move_what_was_sent(check, learner, variant);
    client_without_data_changes_nothing(check, learner, variant);
    tables_of_their_own_stay(check, learner, variant);
    order_of_training_does_not_matter(check, learner, variant);
    given_weights_add_up(check, learner, variant);
    stale_uploads_change_less(check, learner, variant);
    nothing_costs_nothing(check, learner, variant);
}
