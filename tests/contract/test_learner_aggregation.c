/* Commit and aggregation: whom they change, and how uploads come together. */
#include "tests/contract/subject.h"

START_TEST(commit_changes_that_clients_scores_only) {
    struct subject s;
    struct frs_arena arena = {0};
    float before[CLIENTS][ITEMS], after[ITEMS];
    begin(&s, _i);
    for (uint32_t client = 0; client < CLIENTS; client++)
        score_all(&s, client, before[client]);
    struct frs_trained trained = train(&s, 4, &arena);
    commit(&s, 4, &trained);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        score_all(&s, client, after);
        ck_assert_int_eq(memcmp(before[client], after, sizeof after) != 0, client == 4);
    }
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* What the table of one client would be: its rows in place of the received ones, or its update added. Parts
 * of an upload beyond those of the state are about rows that were not sent, in a way of the learner's own. */
static struct frs_tables table_of(
    const struct subject *s, const struct frs_trained *trained, struct frs_arena *arena) {
    struct frs_tables table = copy_tables(s->model);
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
    const struct subject *s, const struct frs_trained *trained, size_t n_state, size_t part, size_t row) {
    const struct frs_rows *rows = &trained->upload[part];
    bool known = s->n_upload <= n_state || s->learner->uploads_updates;
    for (size_t i = 0; i < rows->n; i++)
        known |= (rows->ids ? rows->ids[i] : i) == row;
    return known;
}

static bool trains_anew(const struct subject *s) {
    return frs_learner_trains_anew(s->learner, s->model);
}

/* Trained, committed and trained once more: where the learner says so, the same upload. */
START_TEST(uploads_can_be_made_again) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    ck_assert(!s.learner->trains_anew || s.learner->gather);
    for (uint32_t client = 0; trains_anew(&s) && client < CLIENTS; client++) {
        struct frs_trained trained = train(&s, client, &arena);
        commit(&s, client, &trained);
        struct frs_trained again = train(&s, client, &arena);
        const struct frs_rows *a = &trained.upload[0], *b = &again.upload[0];
        ck_assert_uint_eq(a->n, b->n);
        ck_assert_mem_eq(a->values, b->values, a->n * a->dim * sizeof *a->values);
    }
    ck_assert(!trains_anew(&s) || !s.learner->takes_stale);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* Given to `gather` in blocks they make the same tables as given to `aggregate`. */
START_TEST(uploads_can_be_gathered) {
    struct subject s, blocks;
    struct frs_arena arena = {0};
    struct frs_contribution all[CLIENTS];
    begin(&s, _i);
    begin(&blocks, _i);
    bool gathers = s.learner->gather && (!s.learner->trains_anew || trains_anew(&s));
    for (uint32_t client = 0; gathers && client < CLIENTS; client++) {
        struct frs_trained trained = train(&s, client, &arena);
        all[client] = contribute(s.learner, client, &trained, &s.tables, s.round_seed);
    }
    if (gathers) {
        aggregate(&s, all, CLIENTS, &arena);
        for (size_t c = 0; c < CLIENTS; c++)
            all[c].base = all[c].base ? &blocks.tables : NULL;
        blocks.learner->gather(blocks.model, all, 2);
        blocks.learner->gather(blocks.model, all + 2, CLIENTS - 2);
        aggregate(&blocks, NULL, CLIENTS, &arena);
        struct frs_tables copy = copy_tables(s.model);
        ck_assert_int_eq(compare_tables(s.model, &copy, &blocks.tables), 0);
        free_tables(&copy);
    }
    frs_arena_fini(&arena);
    end(&s);
    end(&blocks);
}
END_TEST

START_TEST(one_contribution_is_that_clients_table) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    if (s.learner->uploads_gradients) { /* see gradients_move_what_they_speak_of */
        end(&s);
        return;
    }
    struct frs_trained trained = train(&s, 1, &arena);
    struct frs_contribution contribution = contribute(s.learner, 1, &trained, &s.tables, s.round_seed);
    struct frs_tables expected = table_of(&s, &trained, &arena);
    aggregate(&s, &contribution, 1, &arena);
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(s.model, FRS_STATE, shapes);
    for (size_t part = 0; part < n; part++)
        for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++)
            if (is_known(&s, &trained, n, part, i / shapes[part].dim))
                ck_assert_float_eq_tol(s.tables.part[part][i], expected.part[part][i], 2e-6f);
    free_tables(&expected);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* The server's step moves the rows a client sent, and no others. */
START_TEST(gradients_move_what_they_speak_of) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    ck_assert(!s.learner->uploads_gradients || s.learner->uploads_updates);
    struct frs_tables before = copy_tables(s.model);
    struct frs_trained trained = train(&s, 1, &arena);
    struct frs_contribution contribution = contribute(s.learner, 1, &trained, &s.tables, s.round_seed);
    if (s.learner->uploads_gradients)
        aggregate(&s, &contribution, 1, &arena);
    for (size_t part = 0; s.learner->uploads_gradients && part < s.n_upload; part++) {
        const struct frs_rows *rows = &trained.upload[part];
        for (size_t row = 0, at = 0; row < rows->n_rows; row++) {
            bool sent = at < rows->n && (rows->ids ? rows->ids[at] : at) == row;
            size_t first = row * rows->dim;
            ck_assert_int_eq(memcmp(before.part[part] + first, s.tables.part[part] + first,
                                 rows->dim * sizeof(float)) != 0,
                sent);
            at += sent;
        }
    }
    free_tables(&before);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* Rows that no client trained stay as they are, and a client without data changes nothing by itself. */
START_TEST(nobodys_rows_stay) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    struct frs_tables before = copy_tables(s.model);
    struct frs_trained empty = train(&s, EMPTY, &arena);
    struct frs_contribution contribution = contribute(s.learner, EMPTY, &empty, &s.tables, s.round_seed);
    aggregate(&s, &contribution, 1, &arena);
    ck_assert_int_eq(compare_tables(s.model, &before, &s.tables), 0);
    float scores[ITEMS];
    commit(&s, EMPTY, &empty);
    score_all(&s, EMPTY, scores);
    for (size_t i = 0; i < ITEMS; i++)
        ck_assert(isfinite(scores[i]));
    free_tables(&before);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* A new server table changes the scores of every client, but not those of a client that predicts with its own
 * table. */
START_TEST(tables_of_their_own_stay) {
    struct subject s;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    float before[2][ITEMS], after[2][ITEMS];
    begin(&s, _i);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = train(&s, client, &arena);
        if (client != 5)
            commit(&s, client, &trained);
        contributions[client] = contribute(s.learner, client, &trained, &s.tables, s.round_seed);
    }
    score_all(&s, 4, before[0]);
    score_all(&s, 5, before[1]);
    aggregate(&s, contributions, CLIENTS, &arena);
    score_all(&s, 4, after[0]);
    score_all(&s, 5, after[1]);
    ck_assert_int_eq(memcmp(before[0], after[0], sizeof after[0]) == 0, frs_model_keeps_received(s.model));
    ck_assert_mem_ne(before[1], after[1], sizeof after[1]);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* Training in one order or the other gives the same table, as contributions arrive sorted. */
START_TEST(order_of_training_does_not_matter) {
    struct frs_tables results[2];
    struct subject s;
    for (int reverse = 0; reverse < 2; reverse++) {
        struct frs_arena arena = {0};
        struct frs_contribution contributions[CLIENTS];
        begin(&s, _i);
        for (uint32_t i = 0; i < CLIENTS; i++) {
            uint32_t client = reverse ? CLIENTS - 1 - i : i;
            struct frs_trained trained = train(&s, client, &arena);
            commit(&s, client, &trained);
            contributions[client] = contribute(s.learner, client, &trained, &s.tables, s.round_seed);
        }
        aggregate(&s, contributions, CLIENTS, &arena);
        results[reverse] = copy_tables(s.model);
        if (reverse)
            ck_assert_int_eq(compare_tables(s.model, &results[0], &results[1]), 0);
        frs_arena_fini(&arena);
        end(&s);
    }
    free_tables(&results[0]);
    free_tables(&results[1]);
}
END_TEST

/* With weights of their own uploads add up, alone or together; one that stands apart adds nothing. */
START_TEST(given_weights_add_up) {
    struct subject together, alone;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[3];
    begin(&together, _i);
    begin(&alone, _i);
    if (together.learner->takes_stale) {
        struct frs_tables base = copy_tables(together.model);
        for (uint32_t i = 0; i < 3; i++) {
            struct frs_trained trained = train(&together, 3 + i, &arena);
            contributions[i] = contribute(together.learner, 3 + i, &trained, &base, together.round_seed);
            contributions[i].weight = 0.5 / (1 + i);
        }
        aggregate(&together, contributions, 3, &arena);
        for (uint32_t i = 0; i < 3; i++) {
            for (uint32_t j = 0; j < 3 && alone.learner->sends_updates; j++)
                contributions[j].apart = j != i;
            bool all = alone.learner->sends_updates;
            aggregate(&alone, all ? contributions : &contributions[i], all ? 3 : 1, &arena);
        }
        struct frs_part shapes[FRS_MAX_PARTS];
        size_t n = frs_model_parts(together.model, FRS_STATE, shapes);
        for (size_t part = 0; part < n; part++)
            for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++)
                ck_assert_float_eq_tol(together.tables.part[part][i], alone.tables.part[part][i], 1e-5F);
        ck_assert_int_ne(compare_tables(together.model, &together.tables, &base), 0);
        free_tables(&base);
    }
    frs_arena_fini(&arena);
    end(&together);
    end(&alone);
}
END_TEST

/* Uploads that are all equally stale change half of what they would change if they counted in full, whatever
 * the learner's own weights. */
START_TEST(stale_uploads_change_less) {
    struct subject fresh, stale;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[3];
    begin(&fresh, _i);
    begin(&stale, _i);
    if (fresh.learner->takes_stale) {
        struct frs_tables base = copy_tables(fresh.model);
        for (uint32_t i = 0; i < 3; i++) {
            struct frs_trained trained = train(&fresh, 3 + i, &arena);
            contributions[i] = contribute(fresh.learner, 3 + i, &trained, &base, fresh.round_seed);
        }
        aggregate(&fresh, contributions, 3, &arena);
        for (uint32_t i = 0; i < 3; i++)
            contributions[i].staleness_scale = 0.5;
        aggregate(&stale, contributions, 3, &arena);
        struct frs_part shapes[FRS_MAX_PARTS];
        size_t n = frs_model_parts(fresh.model, FRS_STATE, shapes);
        for (size_t part = 0; part < n; part++)
            for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++) {
                float before = base.part[part][i], change = fresh.tables.part[part][i] - before;
                ck_assert_float_eq_tol(stale.tables.part[part][i], before + change / 2, 1e-5F);
            }
        ck_assert_int_ne(compare_tables(fresh.model, &fresh.tables, &base), 0);
        free_tables(&base);
    }
    frs_arena_fini(&arena);
    end(&fresh);
    end(&stale);
}
END_TEST

/* The server does nothing about a round in which nothing arrived. */
START_TEST(nothing_costs_nothing) {
    struct subject subject;
    begin(&subject, _i);
    ck_assert_double_eq(frs_learner_aggregate_flop(subject.learner, subject.model, 0, 0), 0);
    double flop = frs_learner_aggregate_flop(subject.learner, subject.model, 1, 100);
    ck_assert_msg(isfinite(flop) && flop > 0, "%s: %g", subject.learner->plugin.name, flop);
    end(&subject);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("learner_aggregation");
    TCase *tests = tcase_create("learner_aggregation");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, commit_changes_that_clients_scores_only, 0, n_subjects());
    tcase_add_loop_test(tests, uploads_can_be_made_again, 0, n_subjects());
    tcase_add_loop_test(tests, uploads_can_be_gathered, 0, n_subjects());
    tcase_add_loop_test(tests, one_contribution_is_that_clients_table, 0, n_subjects());
    tcase_add_loop_test(tests, gradients_move_what_they_speak_of, 0, n_subjects());
    tcase_add_loop_test(tests, nobodys_rows_stay, 0, n_subjects());
    tcase_add_loop_test(tests, tables_of_their_own_stay, 0, n_subjects());
    tcase_add_loop_test(tests, order_of_training_does_not_matter, 0, n_subjects());
    tcase_add_loop_test(tests, given_weights_add_up, 0, n_subjects());
    tcase_add_loop_test(tests, stale_uploads_change_less, 0, n_subjects());
    tcase_add_loop_test(tests, nothing_costs_nothing, 0, n_subjects());
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
