/* What every learner of the registry has to keep to, in each of its variants and else with its default
 * settings, on a small random population. A new line in algorithms/learners.def is covered as it is. */
#include "sim/base/pool.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

#define CLIENTS 8u
#define ITEMS 60u
#define EMPTY 2u /* the client without data */

/* The choices of a learner's `variant`; one nameless variant where it has no such key. */
static const char *variant_of(const struct frs_learner *learner, size_t index) {
    for (const struct frs_param *p = learner->plugin.params; p->key; p++)
        if (strcmp(p->key, "variant") == 0)
            return p->choices[index];
    return index == 0 ? "" : NULL;
}

/* What stands behind a variant. */
static const struct frs_learner *resolve(const struct frs_learner *learner, const char *variant) {
    struct frs_values values =
        frs_values_of(learner->plugin.params, *variant ? SETTINGS("variant", variant) : NULL);
    const struct frs_learner *resolved = frs_learner_variant(learner, &values);
    frs_values_fini(&values);
    return resolved;
}

/* Counts learners in all their variants, and finds the one with number i. */
static int find_learner(int i, const struct frs_learner **learner, const char **variant) {
    int n = 0;
    for (size_t l = 0; frs_learners[l]; l++)
        for (size_t v = 0; variant_of(frs_learners[l], v); v++, n++)
            if (n == i) {
                *variant = variant_of(frs_learners[l], v);
                *learner = resolve(frs_learners[l], *variant);
            }
    return n;
}

static int n_learners(void) {
    int n = 0;
    while (frs_learners[n])
        n++;
    return n;
}

struct subject {
    const struct frs_learner *learner;
    struct frs_population population;
    void *model;
    uint32_t round; /* the first in which clients train */
    uint64_t word;  /* of that round */
    struct frs_tables tables;
    uint64_t n_changes; /* of the tables */
    struct frs_part upload[FRS_MAX_PARTS];
    size_t n_upload;
};

static struct frs_population populate(const struct frs_learner *learner) {
    return learner->predicts_ratings ? make_rated_population(CLIENTS, ITEMS, 11)
                                     : make_population(CLIENTS, ITEMS, 11);
}

static void begin(struct subject *s, int i) {
    const char *variant = NULL;
    *s = (struct subject){0};
    find_learner(i, &s->learner, &variant);
    s->population = populate(s->learner);
    s->model = make_model(s->learner, &s->population, *variant ? SETTINGS("variant", variant) : NULL);
    while (!frs_learner_course(s->learner, s->model, s->round).trains)
        s->round++;
    s->word = open_round(s->learner, s->model, s->round);
    s->tables = s->learner->tables(s->model);
    s->n_upload = s->learner->parts(s->model, FRS_UPLOAD, s->upload);
}

static void end(struct subject *s) {
    s->learner->destroy(s->model);
    free_population(&s->population);
}

static struct frs_trained train(const struct subject *s, uint32_t client, struct frs_arena *arena) {
    return train_client(s->learner, s->model, &s->population, client, s->round, s->word, arena);
}

static void commit(const struct subject *s, uint32_t client, const struct frs_trained *trained) {
    commit_client(s->learner, s->model, client, s->n_changes, trained);
}

static void score_all(const struct subject *s, uint32_t client, float *scores) {
    uint32_t items[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++)
        items[i] = i;
    s->learner->score(s->model, &s->tables, client, items, ITEMS, scores);
}

/* All that a participation gave, as bytes: two of them are the same when their records are. */
static void record(const struct subject *s, const struct frs_trained *trained, struct frs_buffer *out) {
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

static void check_same(const struct frs_buffer *a, const struct frs_buffer *b) {
    ck_assert_uint_eq(a->n, b->n);
    ck_assert_mem_eq(a->bytes, b->bytes, a->n);
}

START_TEST(entries_are_complete) {
    const struct frs_learner *learner = frs_learners[_i];
    ck_assert_ptr_eq(frs_learner_plugins[_i], &learner->plugin);
    ck_assert(learner->plugin.name && learner->plugin.summary && learner->plugin.source);
    ck_assert(learner->create && learner->destroy && learner->parts && learner->tables && learner->train);
    ck_assert(learner->commit && learner->aggregate && learner->archive && learner->score);
    ck_assert(!learner->sends_updates || learner->apply);
    for (int other = 0; other < _i; other++)
        ck_assert_str_ne(frs_learners[other]->plugin.name, learner->plugin.name);
}
END_TEST

/* ---- train
 * -------------------------------------------------------------------------------------------------- */

struct tasks {
    const struct subject *subject;
    struct frs_arena arenas[2];
    struct frs_buffer records[CLIENTS];
};

static void run_task(void *context, size_t task, size_t thread) {
    struct tasks *tasks = context;
    struct frs_arena *arena = &tasks->arenas[thread];
    frs_arena_reset(arena);
    struct frs_trained trained = train(tasks->subject, (uint32_t)task, arena);
    record(tasks->subject, &trained, &tasks->records[task]);
}

static void run_pool(struct tasks *tasks, size_t threads) {
    struct frs_pool *pool = frs_pool_create(threads);
    frs_pool_start(pool, run_task, tasks, CLIENTS);
    frs_pool_finish(pool);
    frs_pool_destroy(pool);
}

static void free_tasks(struct tasks *tasks) {
    for (size_t i = 0; i < 2; i++)
        frs_arena_fini(&tasks->arenas[i]);
    for (size_t i = 0; i < CLIENTS; i++)
        frs_buffer_fini(&tasks->records[i]);
}

/* The same uploads whatever the number of threads and the order of the clients, in a second model too. */
START_TEST(training_is_deterministic) {
    struct subject first, second;
    begin(&first, _i);
    begin(&second, _i);
    struct tasks one = {.subject = &first}, two = {.subject = &first}, reverse = {.subject = &second};
    run_pool(&one, 1);
    run_pool(&two, 2);
    for (size_t i = CLIENTS; i-- > 0;)
        run_task(&reverse, i, 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        check_same(&one.records[i], &two.records[i]);
        check_same(&one.records[i], &reverse.records[i]);
        ck_assert(i == 0 || one.records[i].n != one.records[0].n ||
                  memcmp(one.records[i].bytes, one.records[0].bytes, one.records[0].n) != 0);
    }
    free_tasks(&one);
    free_tasks(&two);
    free_tasks(&reverse);
    end(&first);
    end(&second);
}
END_TEST

/* Neither tables nor anybody's scores change before a commit. */
START_TEST(training_leaves_the_model_alone) {
    struct subject s;
    struct frs_arena arena = {0};
    float before[ITEMS], after[ITEMS];
    begin(&s, _i);
    struct frs_tables copy = copy_tables(s.learner, s.model);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        score_all(&s, client, before);
        train(&s, client, &arena);
        score_all(&s, client, after);
        ck_assert_mem_eq(before, after, sizeof before);
    }
    ck_assert_int_eq(compare_tables(s.learner, s.model, &copy, &s.tables), 0);
    free_tables(&copy);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* At most 5 rows per training item (4 negatives each), shapes as announced, ids ascending, numbers finite. */
START_TEST(uploads_are_sound) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained = train(&s, client, &arena);
        ck_assert(isfinite(trained.loss) && isfinite(trained.flop) && trained.flop >= 0);
        ck_assert_int_eq(trained.flop > 0, client != EMPTY);
        for (size_t part = 0; part < s.n_upload; part++) {
            const struct frs_rows *rows = &trained.upload[part];
            ck_assert_uint_eq(rows->n_rows, s.upload[part].n_rows);
            ck_assert_uint_eq(rows->dim, s.upload[part].dim);
            ck_assert(rows->ids || rows->n == rows->n_rows);
            for (size_t i = 0; rows->ids && i < rows->n; i++)
                ck_assert(rows->ids[i] < rows->n_rows && (i == 0 || rows->ids[i] > rows->ids[i - 1]));
            for (size_t i = 0; i < rows->n * rows->dim; i++)
                ck_assert(isfinite(rows->values[i]));
        }
        if (s.upload[0].n_rows == ITEMS && trained.upload[0].ids)
            ck_assert_uint_le(trained.upload[0].n, 5 * s.population.clients[client].n);
    }
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* Another round, and another attempt at the same round, draw other samples, where any are drawn. Under a
 * course rounds differ anyway, attempts do not. */
START_TEST(rounds_and_attempts_differ) {
    struct subject s;
    struct frs_arena arena = {0};
    struct frs_buffer records[3] = {{0}};
    begin(&s, _i);
    for (uint32_t i = 0; i < 3 * CLIENTS; i++) {
        struct frs_training training = {.data = &s.population.clients[i / 3],
            .tables = &s.tables,
            .word = s.word,
            .round = i % 3 == 1,
            .attempt = i % 3 == 2,
            .budget = frs_learner_budgets(s.learner, s.model).max};
        struct frs_trained trained;
        s.learner->train(s.model, &training, &arena, &trained);
        record(&s, &trained, &records[i % 3]);
    }
    for (size_t i = s.learner->course ? 2 : 0; i < 3; i++) {
        const struct frs_buffer *a = &records[i], *b = &records[(i + 1) % 3];
        bool differ = a->n != b->n || memcmp(a->bytes, b->bytes, a->n) != 0;
        ck_assert_int_eq(differ, !s.learner->draws_nothing);
    }
    for (size_t i = 0; i < 3; i++)
        frs_buffer_fini(&records[i]);
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* ---- commit and aggregate
 * ----------------------------------------------------------------------------------- */

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

/* The tables the server holds after aggregation (and application, where that is a step of its own). */
static void aggregate(
    struct subject *s, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    struct frs_rows update[FRS_MAX_PARTS];
    s->n_changes++;
    s->learner->aggregate(s->model, contributions, n, arena, update);
    if (s->learner->sends_updates)
        s->learner->apply(s->model, &s->tables, s->word, update, arena);
}

/* What the table of one client would be: its rows in place of the received ones, or its update added. Parts
 * of an upload beyond those of the state are about rows that were not sent, in a way of the learner's own. */
static struct frs_tables table_of(
    const struct subject *s, const struct frs_trained *trained, struct frs_arena *arena) {
    struct frs_tables table = copy_tables(s->learner, s->model);
    if (s->learner->uploads_updates) {
        s->learner->apply(s->model, &table, s->word, trained->upload, arena);
        return table;
    }
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_state = s->learner->parts(s->model, FRS_STATE, shapes);
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
    return s->learner->trains_anew && s->learner->trains_anew(s->model);
}

/* Trained, committed and trained once more: where the learner says so, the same upload; given
 * to `gather` in blocks it makes the same tables as given to `aggregate`. */
START_TEST(uploads_can_be_made_again) {
    struct subject s, blocks;
    struct frs_arena arena = {0};
    struct frs_rows none[FRS_MAX_PARTS];
    struct frs_contribution all[CLIENTS];
    begin(&s, _i);
    begin(&blocks, _i);
    ck_assert_int_eq(!s.learner->trains_anew, !s.learner->gather);
    for (uint32_t client = 0; trains_anew(&s) && client < CLIENTS; client++) {
        struct frs_trained trained = train(&s, client, &arena);
        all[client] = contribute(s.learner, client, &trained, &s.tables, s.word);
        commit(&s, client, &trained);
        struct frs_trained again = train(&s, client, &arena);
        const struct frs_rows *a = &trained.upload[0], *b = &again.upload[0];
        ck_assert_uint_eq(a->n, b->n);
        ck_assert_mem_eq(a->values, b->values, a->n * a->dim * sizeof *a->values);
    }
    if (trains_anew(&s)) {
        ck_assert(!s.learner->sends_updates && !s.learner->takes_stale);
        aggregate(&s, all, CLIENTS, &arena);
        blocks.learner->gather(blocks.model, all, 2);
        blocks.learner->gather(blocks.model, all + 2, CLIENTS - 2);
        blocks.learner->aggregate(blocks.model, NULL, CLIENTS, &arena, none);
        struct frs_tables copy = copy_tables(s.learner, s.model);
        ck_assert_int_eq(compare_tables(s.learner, s.model, &copy, &blocks.tables), 0);
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
    struct frs_contribution contribution = contribute(s.learner, 1, &trained, &s.tables, s.word);
    struct frs_tables expected = table_of(&s, &trained, &arena);
    aggregate(&s, &contribution, 1, &arena);
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = s.learner->parts(s.model, FRS_STATE, shapes);
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
    struct frs_tables before = copy_tables(s.learner, s.model);
    struct frs_trained trained = train(&s, 1, &arena);
    struct frs_contribution contribution = contribute(s.learner, 1, &trained, &s.tables, s.word);
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

/* Rows nobody trained stay as they are, and a client without data changes nothing by itself. */
START_TEST(nobodys_rows_stay) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    struct frs_tables before = copy_tables(s.learner, s.model);
    struct frs_trained empty = train(&s, EMPTY, &arena);
    struct frs_contribution contribution = contribute(s.learner, EMPTY, &empty, &s.tables, s.word);
    aggregate(&s, &contribution, 1, &arena);
    ck_assert_int_eq(compare_tables(s.learner, s.model, &before, &s.tables), 0);
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

/* A new server table changes everybody's scores, but not those of a client that predicts with its own. */
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
        contributions[client] = contribute(s.learner, client, &trained, &s.tables, s.word);
    }
    score_all(&s, 4, before[0]);
    score_all(&s, 5, before[1]);
    aggregate(&s, contributions, CLIENTS, &arena);
    score_all(&s, 4, after[0]);
    score_all(&s, 5, after[1]);
    ck_assert_int_eq(memcmp(before[0], after[0], sizeof after[0]) == 0, s.learner->keep != NULL);
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
            contributions[client] = contribute(s.learner, client, &trained, &s.tables, s.word);
        }
        aggregate(&s, contributions, CLIENTS, &arena);
        results[reverse] = copy_tables(s.learner, s.model);
        if (reverse)
            ck_assert_int_eq(compare_tables(s.learner, s.model, &results[0], &results[1]), 0);
        frs_arena_fini(&arena);
        end(&s);
    }
    free_tables(&results[0]);
    free_tables(&results[1]);
}
END_TEST

/* ---- whole runs
 * --------------------------------------------------------------------------------------------- */

/* Ten rounds in which everybody trains: the loss falls, scores stay finite. */
START_TEST(learns) {
    struct subject s;
    double first = 0, last = 0;
    begin(&s, _i);
    for (uint32_t round = s.round, trained = 0; trained < 10; round++) {
        struct frs_arena arena = {0};
        double loss = 0;
        struct frs_contribution contributions[CLIENTS];
        s.word = open_round(s.learner, s.model, round);
        for (uint32_t client = 0; client < CLIENTS; client++) {
            struct frs_trained participation =
                train_client(s.learner, s.model, &s.population, client, round, s.word, &arena);
            commit(&s, client, &participation);
            contributions[client] = contribute(s.learner, client, &participation, &s.tables, s.word);
            loss += participation.loss;
        }
        if (frs_learner_course(s.learner, s.model, round).trains) {
            first = trained++ == 0 ? loss : first;
            last = loss;
        }
        aggregate(&s, contributions, CLIENTS, &arena);
        frs_arena_fini(&arena);
    }
    ck_assert_double_lt(last, first);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        float scores[ITEMS];
        score_all(&s, client, scores);
        for (size_t i = 0; i < ITEMS; i++)
            ck_assert(isfinite(scores[i]));
    }
    end(&s);
}
END_TEST

/* One round with everybody. */
static void play_round(struct subject *s, uint32_t round) {
    struct frs_arena arena = {0};
    struct frs_contribution contributions[CLIENTS];
    s->word = open_round(s->learner, s->model, round);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained trained =
            train_client(s->learner, s->model, &s->population, client, round, s->word, &arena);
        commit(s, client, &trained);
        contributions[client] = contribute(s->learner, client, &trained, &s->tables, s->word);
    }
    aggregate(s, contributions, CLIENTS, &arena);
    frs_arena_fini(&arena);
}

/* A model loaded into a new one goes on exactly as the one that was saved. */
START_TEST(archives_hold_everything) {
    struct subject first, second;
    struct frs_buffer saved = {0}, ended[2] = {{0}};
    begin(&first, _i);
    begin(&second, _i);
    for (uint32_t round = 0; round < 3; round++)
        play_round(&first, round);
    first.learner->archive(first.model, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    second.learner->archive(second.model, &(struct frs_archive){.in = &in});
    ck_assert(!in.failed && in.at == in.n);
    second.n_changes = first.n_changes;
    for (uint32_t round = 3; round < 5; round++) {
        play_round(&first, round);
        play_round(&second, round);
    }
    first.learner->archive(first.model, &(struct frs_archive){.out = &ended[0]});
    second.learner->archive(second.model, &(struct frs_archive){.out = &ended[1]});
    check_same(&ended[0], &ended[1]);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        float a[ITEMS], b[ITEMS];
        score_all(&first, client, a);
        score_all(&second, client, b);
        ck_assert_mem_eq(a, b, sizeof a);
    }
    frs_buffer_fini(&saved);
    frs_buffer_fini(&ended[0]);
    frs_buffer_fini(&ended[1]);
    end(&first);
    end(&second);
}
END_TEST

/* Without training there are shapes, tables and words, but no private state. */
START_TEST(timing_only) {
    const struct frs_learner *learner = NULL;
    const char *variant = NULL;
    find_learner(_i, &learner, &variant);
    struct frs_population population = populate(learner);
    struct frs_learner_setup setup = {.population = &population, .timing_only = true};
    struct frs_values values =
        frs_values_of(learner->plugin.params, *variant ? SETTINGS("variant", variant) : NULL);
    struct frs_errors errors = {0};
    struct frs_part shapes[FRS_MAX_PARTS];
    void *model = learner->create(&values, &setup, &errors);
    ck_assert_ptr_nonnull(model);
    for (int payload = FRS_STATE; payload <= FRS_UPLOAD; payload++) {
        size_t n = learner->parts(model, (enum frs_payload)payload, shapes);
        ck_assert(n >= 1 && n <= FRS_MAX_PARTS);
        for (size_t i = 0; i < n; i++)
            ck_assert(shapes[i].name && shapes[i].n_rows > 0 && shapes[i].dim > 0);
    }
    ck_assert_ptr_nonnull(learner->tables(model).part[0]);
    open_round(learner, model, 0);
    open_round(learner, model, 1);
    learner->destroy(model);
    frs_values_fini(&values);
    free_population(&population);
}
END_TEST

/* Under every budget uploads have the announced shape, and a larger one costs more. */
START_TEST(budgets_are_kept) {
    struct subject s;
    struct frs_arena arena = {0};
    begin(&s, _i);
    struct frs_budgets range = frs_learner_budgets(s.learner, s.model);
    ck_assert_int_eq(range.max > 0, s.learner->budgets != NULL);
    ck_assert_uint_le(range.min, range.max);
    size_t values_before = 0;
    double work_before = 0;
    for (uint32_t budget = range.min; range.max > 0 && budget <= range.max; budget++) {
        struct frs_training training = {
            .data = &s.population.clients[1], .tables = &s.tables, .word = s.word, .budget = budget};
        struct frs_trained trained;
        struct frs_part shapes[FRS_MAX_PARTS];
        size_t values = 0, n = frs_learner_upload_parts(s.learner, s.model, budget, shapes);
        s.learner->train(s.model, &training, &arena, &trained);
        ck_assert_uint_eq(n, s.n_upload);
        for (size_t part = 0; part < n; part++) {
            ck_assert_uint_eq(trained.upload[part].n_rows, shapes[part].n_rows);
            ck_assert_uint_eq(trained.upload[part].dim, shapes[part].dim);
            values += shapes[part].n_rows * shapes[part].dim;
        }
        ck_assert_uint_ge(values, values_before);
        ck_assert_double_ge(s.learner->work(s.model, budget), work_before);
        ck_assert_double_gt(s.learner->work(s.model, budget), 0);
        values_before = values;
        work_before = s.learner->work(s.model, budget);
    }
    frs_arena_fini(&arena);
    end(&s);
}
END_TEST

/* ---- parameters and bytes
 * ----------------------------------------------------------------------------------- */

/* Marks in `read` the keys that create reads with the settings. */
static void mark_read(const struct frs_learner *learner, const char *const *settings, bool *read) {
    struct frs_population population = populate(learner);
    struct frs_learner_setup setup = {.population = &population};
    struct frs_values values = frs_values_of(learner->plugin.params, settings);
    struct frs_errors errors = {0};
    const struct frs_learner *variant = frs_learner_variant(learner, &values);
    void *model = variant->create(&values, &setup, &errors);
    if (model)
        variant->destroy(model);
    for (size_t i = 0; i < values.n; i++)
        read[i] |= values.values[i].read;
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    free_population(&population);
}

/* No key is idle: each is read by default, under some choice of another one, or when what is off is on; how
 * clients catch up is read by the run, which owns the downlink. */
START_TEST(every_key_is_read) {
    const struct frs_learner *learner = frs_learners[_i];
    const struct frs_param *params = learner->plugin.params;
    bool read[64] = {false};
    mark_read(learner, NULL, read);
    for (const struct frs_param *p = params; p->key; p++)
        for (size_t c = 0; p->type == FRS_CHOICE && p->choices[c]; c++)
            mark_read(learner, SETTINGS(p->key, p->choices[c]), read);
    for (const struct frs_param *p = params; p->key; p++)
        if (p->type == FRS_REAL && strcmp(p->initial, "0") == 0)
            mark_read(learner, SETTINGS(p->key, "0.5"), read);
    for (size_t i = 0; params[i].key; i++) {
        ck_assert_uint_lt(i, 64);
        bool of_the_run = strcmp(params[i].key, "catchup") == 0 || strcmp(params[i].key, "init") == 0;
        ck_assert_msg(
            read[i] != (learner->sends_updates && of_the_run), "%s.%s", learner->plugin.name, params[i].key);
    }
}
END_TEST

/* What is not payload must not show in the papers' figures. */
START_TEST(headers_are_small) {
    struct frs_buffer message = {0};
    frs_message_put_header(
        &message, &(struct frs_message_header){.kind = FRS_MESSAGE_UPDATES, .n_sections = 1});
    ck_assert_uint_eq(message.n, 24);
    ck_assert_uint_eq(FRS_MESSAGE_HEADER_BYTES, 24);
    ck_assert_uint_lt(FRS_MESSAGE_HEADER_BYTES + FRS_MESSAGE_UPDATE_HEADER_BYTES, 98);
    frs_buffer_fini(&message);
}
END_TEST

/* ---- early endings, and uploads of other versions ------------------------------------------------------ */

static bool has_param(const struct frs_learner *learner, const char *key) {
    for (const struct frs_param *param = learner->plugin.params; param && param->key; param++)
        if (strcmp(param->key, key) == 0)
            return true;
    return false;
}

/* A participation that stops after k epochs is that of a model whose clients train k epochs; the limit of all
 * epochs is none. */
START_TEST(first_epochs_are_the_same) {
    struct subject whole, three;
    struct frs_arena arena = {0};
    begin(&whole, _i);
    begin(&three, _i);
    if (whole.learner->limits_epochs) {
        ck_assert(has_param(whole.learner, "epochs"));
        three.learner->destroy(three.model);
        three.model = make_model(three.learner, &three.population, SETTINGS("epochs", "3"));
        three.word = open_round(three.learner, three.model, 0);
        three.tables = three.learner->tables(three.model);
    }
    for (uint32_t client = 0; whole.learner->limits_epochs && client < CLIENTS; client++) {
        if (client == EMPTY)
            continue;
        struct frs_training training = {.data = &three.population.clients[client],
            .tables = &three.tables,
            .word = three.word,
            .budget = frs_learner_budgets(three.learner, three.model).max};
        struct frs_trained trained[4];
        struct frs_buffer records[4] = {{0}};
        for (uint32_t epochs = 0; epochs < 4; epochs++) {
            training.epochs = epochs;
            three.learner->train(three.model, &training, &arena, &trained[epochs]);
            record(&three, &trained[epochs], &records[epochs]);
            ck_assert_uint_eq(trained[epochs].epochs, epochs ? epochs : 3);
            ck_assert_double_eq_tol(
                trained[epochs].processed * 3, trained[0].processed * trained[epochs].epochs, 1e-9);
        }
        check_same(&records[0], &records[3]);
        ck_assert(trained[1].flop < trained[2].flop && trained[2].flop < trained[3].flop);
        void *one = make_model(three.learner, &three.population, SETTINGS("epochs", "1"));
        open_round(three.learner, one, 0);
        struct frs_trained first =
            train_client(three.learner, one, &three.population, client, 0, three.word, &arena);
        struct frs_buffer alone = {0};
        record(&three, &first, &alone);
        check_same(&records[1], &alone);
        three.learner->destroy(one);
        frs_buffer_fini(&alone);
        for (size_t i = 0; i < 4; i++)
            frs_buffer_fini(&records[i]);
    }
    frs_arena_fini(&arena);
    end(&whole);
    end(&three);
}
END_TEST

/* Adds what these contributions come to under one word to the model's tables. */
static void add_weighted(
    const struct subject *s, struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    struct frs_rows update[FRS_MAX_PARTS];
    s->learner->aggregate(s->model, contributions, n, arena, update);
    if (s->learner->sends_updates)
        s->learner->apply(s->model, &s->tables, s->word, update, arena);
}

/* With weights of their own uploads add up, alone or together; one that stands apart adds nothing. */
START_TEST(given_weights_add_up) {
    struct subject together, alone;
    struct frs_arena arena = {0};
    struct frs_contribution contributions[3];
    begin(&together, _i);
    begin(&alone, _i);
    if (together.learner->takes_stale) {
        struct frs_tables base = copy_tables(together.learner, together.model);
        for (uint32_t i = 0; i < 3; i++) {
            struct frs_trained trained = train(&together, 3 + i, &arena);
            contributions[i] = contribute(together.learner, 3 + i, &trained, &base, together.word);
            contributions[i].weight = 0.5 / (1 + i);
        }
        add_weighted(&together, contributions, 3, &arena);
        for (uint32_t i = 0; i < 3; i++) {
            for (uint32_t j = 0; j < 3 && alone.learner->sends_updates; j++)
                contributions[j].apart = j != i;
            bool all = alone.learner->sends_updates;
            add_weighted(&alone, all ? contributions : &contributions[i], all ? 3 : 1, &arena);
        }
        struct frs_part shapes[FRS_MAX_PARTS];
        size_t n = together.learner->parts(together.model, FRS_STATE, shapes);
        for (size_t part = 0; part < n; part++)
            for (size_t i = 0; i < shapes[part].n_rows * shapes[part].dim; i++)
                ck_assert_float_eq_tol(together.tables.part[part][i], alone.tables.part[part][i], 1e-5F);
        ck_assert_int_ne(compare_tables(together.learner, together.model, &together.tables, &base), 0);
        free_tables(&base);
    }
    frs_arena_fini(&arena);
    end(&together);
    end(&alone);
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
    int n_plugins = n_learners(), n = find_learner(-1, NULL, NULL);
    Suite *suite = suite_create("learners");
    TCase *tests = tcase_create("learners");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, entries_are_complete, 0, n_plugins);
    tcase_add_loop_test(tests, training_is_deterministic, 0, n);
    tcase_add_loop_test(tests, training_leaves_the_model_alone, 0, n);
    tcase_add_loop_test(tests, uploads_are_sound, 0, n);
    tcase_add_loop_test(tests, rounds_and_attempts_differ, 0, n);
    tcase_add_loop_test(tests, commit_changes_that_clients_scores_only, 0, n);
    tcase_add_loop_test(tests, uploads_can_be_made_again, 0, n);
    tcase_add_loop_test(tests, one_contribution_is_that_clients_table, 0, n);
    tcase_add_loop_test(tests, gradients_move_what_they_speak_of, 0, n);
    tcase_add_loop_test(tests, nobodys_rows_stay, 0, n);
    tcase_add_loop_test(tests, tables_of_their_own_stay, 0, n);
    tcase_add_loop_test(tests, order_of_training_does_not_matter, 0, n);
    tcase_add_loop_test(tests, learns, 0, n);
    tcase_add_loop_test(tests, archives_hold_everything, 0, n);
    tcase_add_loop_test(tests, timing_only, 0, n);
    tcase_add_loop_test(tests, budgets_are_kept, 0, n);
    tcase_add_loop_test(tests, every_key_is_read, 0, n_plugins);
    tcase_add_test(tests, headers_are_small);
    tcase_add_loop_test(tests, first_epochs_are_the_same, 0, n);
    tcase_add_loop_test(tests, given_weights_add_up, 0, n);
    tcase_add_loop_test(tests, nothing_costs_nothing, 0, n);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
