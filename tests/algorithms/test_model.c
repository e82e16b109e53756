/* Models: consequences of the declaration of tables. A learner's model of two clients by hand: items [3 ×
 * 2] for all, a row of three for every client of which one value does not count as a parameter, rows of a
 * store, and tables that exist only in uploads or for one client. */
#include "algorithms/model.h"
#include "algorithms/models/client_rows.h"
#include "tests/support.h"

#include <math.h>
#include <string.h>

enum { CLIENTS = 2, ITEMS = 3, DIM = 2 };

struct model {
    struct frs_model base;
    float *items, *users, *notes;
    float *own[CLIENTS];
    uint32_t n;
    struct frs_client_rows *rows, *others;
};

static struct model *make(bool timing_only, bool with_stores) {
    static const struct frs_population population = {.n_clients = CLIENTS, .n_items = ITEMS, .seed = 3};
    struct frs_learner_setup setup = {.population = &population, .timing_only = timing_only};
    struct model *m = frs_model_create(sizeof *m, &setup);
    struct frs_table items = {.name = "items",
        .rows = ITEMS,
        .dim = DIM,
        .start = FRS_NORMAL,
        .sd = 1,
        .update_name = "A",
        .update_dim = 1};
    m->items = frs_model_table(&m->base, items);
    items.owner = FRS_OF_RECEIVER;
    items.of_client = m->own;
    frs_model_table(&m->base, items);
    m->users = frs_model_table(&m->base, (struct frs_table){.name = "users",
                                             .owner = FRS_OF_CLIENTS,
                                             .dim = 3,
                                             .start = FRS_NORMAL,
                                             .sd = 1,
                                             .drawn = 2,
                                             .uncounted = 1});
    m->notes = frs_model_table(&m->base,
        (struct frs_table){.name = "notes", .owner = FRS_OF_SERVER, .rows = 1, .dim = 1, .transient = true});
    frs_model_table(
        &m->base, (struct frs_table){.name = "kept", .owner = FRS_OF_UPLOAD, .rows = 1, .dim = 1});
    frs_model_counter(&m->base, &m->n);
    if (with_stores) {
        m->rows = frs_client_rows_declare(&m->base, ITEMS, 2, false);
        m->others = frs_client_rows_declare(&m->base, ITEMS, 1, true);
    }
    return m;
}

START_TEST(parts_are_listed) {
    struct model *m = make(false, false);
    struct frs_part part[FRS_MAX_PARTS];
    ck_assert_uint_eq(frs_model_parts(&m->base, FRS_STATE, part), 1);
    ck_assert(strcmp(part[0].name, "items") == 0 && part[0].n_rows == 3 && part[0].dim == 2);
    ck_assert_uint_eq(frs_model_parts(&m->base, FRS_UPDATE, part), 1);
    ck_assert(strcmp(part[0].name, "A") == 0 && part[0].n_rows == 3 && part[0].dim == 1);
    ck_assert_uint_eq(frs_model_parts(&m->base, FRS_UPLOAD, part), 2);
    ck_assert(strcmp(part[1].name, "kept") == 0 && part[1].n_rows == 1 && part[1].dim == 1);
    ck_assert_uint_eq(frs_model_parts(&m->base, FRS_PERSONAL, part), 1);
    ck_assert_ptr_eq(frs_model_tables(&m->base).part[0], m->items);
    ck_assert_ptr_null(frs_model_tables(&m->base).part[1]);
    m->own[1] = m->items;
    ck_assert_ptr_null(frs_model_personal(&m->base, 0).part[0]);
    ck_assert_ptr_eq(frs_model_personal(&m->base, 1).part[0], m->items);
    frs_model_destroy(m);
}
END_TEST

/* The last of a client's three values is neither drawn nor counted; a store counts all rows of its table. */
START_TEST(private_values_are_counted) {
    struct model *plain = make(false, false), *full = make(false, true), *timing = make(true, true);
    ck_assert_double_eq(frs_model_private_values(&plain->base), 2);
    ck_assert_double_eq(frs_model_private_values(&full->base), 2 + 3 * 2 + 3);
    ck_assert_double_eq(frs_model_private_values(&timing->base), 2 + 3 * 2 + 3);
    for (int u = 0; u < CLIENTS; u++)
        ck_assert(plain->users[u * 3] != 0 && plain->users[u * 3 + 1] != 0 && plain->users[u * 3 + 2] == 0);
    ck_assert(plain->users[0] != plain->users[3]);
    ck_assert(!timing->users && !timing->rows && timing->items);
    frs_model_table(
        &plain->base, (struct frs_table){.owner = FRS_OF_CLIENTS, .dim = 1, .count_unknown = true});
    ck_assert(isnan(frs_model_private_values(&plain->base)));
    frs_model_destroy(plain);
    frs_model_destroy(full);
    frs_model_destroy(timing);
}
END_TEST

/* One row is packed as it lies; nothing is packed as nothing, which a commit takes. */
START_TEST(one_row_is_not_copied) {
    struct model *m = make(false, false);
    struct frs_arena arena = {0};
    static const float row[] = {5, 6, 7};
    struct frs_kept kept = {.rows = {row}}, none = {.rows = {NULL}};
    size_t bytes;
    ck_assert_ptr_eq(frs_model_pack(&m->base, 1, &kept, &arena, &bytes), row);
    ck_assert_uint_eq(bytes, sizeof row);
    frs_model_commit(&m->base, 1, row, bytes);
    ck_assert_mem_eq(m->users + 3, row, sizeof row);
    ck_assert_float_ne(m->users[0], 5);
    ck_assert_ptr_null(frs_model_pack(&m->base, 1, &none, &arena, &bytes));
    ck_assert_uint_eq(bytes, 0);
    frs_model_commit(&m->base, 0, NULL, 0);
    ck_assert_float_ne(m->users[0], 5);
    frs_arena_fini(&arena);
    frs_model_destroy(m);
}
END_TEST

/* Without a table of rows for every client, what stores are given is not lost; and nothing is still nothing.
 */
START_TEST(stores_alone_are_packed) {
    static const struct frs_population population = {.n_clients = CLIENTS, .n_items = ITEMS, .seed = 3};
    struct frs_learner_setup setup = {.population = &population};
    struct model *m = frs_model_create(sizeof *m, &setup);
    struct frs_arena arena = {0};
    static const float values[] = {1, 2, 3, 4};
    static const uint32_t ids[] = {0, 2};
    struct frs_kept kept = {.stored = {{.n_rows = ITEMS, .dim = 2, .n = 2, .ids = ids, .values = values}}},
                    none = {0};
    size_t bytes;
    m->rows = frs_client_rows_declare(&m->base, ITEMS, 2, false);
    const void *packed = frs_model_pack(&m->base, 1, &kept, &arena, &bytes);
    ck_assert_uint_eq(bytes, 7 * 4);
    frs_model_commit(&m->base, 1, packed, bytes);
    ck_assert_float_eq(frs_client_rows_find(&m->rows[1], 2, 2)[1], 4);
    frs_model_pack(&m->base, 0, &none, &arena, &bytes);
    ck_assert_uint_eq(bytes, 0);
    frs_model_commit(&m->base, 0, NULL, 0);
    ck_assert_uint_eq(m->rows[0].n, 0);
    frs_arena_fini(&arena);
    frs_model_destroy(m);
}
END_TEST

/* A row of 3 words, 1 + 2 ids + 4 values, and 1 + 2 values under the same ids: 13 words. */
START_TEST(rows_go_to_their_stores) {
    struct model *m = make(false, true);
    struct frs_arena arena = {0};
    static const float row[] = {5, 6, 7}, values[] = {1, 2, 3, 4}, other[] = {8, 9};
    static const uint32_t ids[] = {0, 2}, same[] = {0, 2};
    for (int copies = 0; copies < 2; copies++) {
        struct frs_kept kept = {.rows = {row},
            .stored = {{.n_rows = 3, .dim = 2, .n = 2, .ids = ids, .values = values},
                {.n_rows = 3, .dim = 1, .n = 2, .ids = copies ? same : ids, .values = other}}};
        size_t bytes;
        const void *packed = frs_model_pack(&m->base, 0, &kept, &arena, &bytes);
        ck_assert_uint_eq(bytes, 4 * (copies ? 15 : 13));
        ck_assert_mem_eq((const char *)packed + kept.at[0], values, sizeof values);
        ck_assert_mem_eq((const char *)packed + kept.at[1], other, sizeof other);
        frs_model_commit(&m->base, 0, packed, bytes);
        ck_assert_mem_eq(m->users, row, sizeof row);
        ck_assert_float_eq(frs_client_rows_find(&m->rows[0], 2, 2)[1], 4);
        ck_assert_float_eq(frs_client_rows_find(&m->others[0], 1, 2)[0], 9);
        ck_assert_ptr_null(frs_client_rows_find(&m->rows[0], 2, 1));
        ck_assert_ptr_null(frs_client_rows_find(&m->rows[1], 2, 0));
    }
    struct frs_kept empty = {.rows = {row}};
    size_t bytes;
    const void *packed = frs_model_pack(&m->base, 1, &empty, &arena, &bytes);
    ck_assert_uint_eq(bytes, 4 * 5);
    frs_model_commit(&m->base, 1, packed, bytes);
    ck_assert_mem_eq(m->users + 3, row, sizeof row);
    frs_arena_fini(&arena);
    frs_model_destroy(m);
}
END_TEST

/* What a file says a client keeps: as long as its rows and stores, ids ascending and below the number of
 * rows. */
START_TEST(what_does_not_fit) {
    struct model *m = make(false, true), *timing = make(true, true);
    const uint32_t good[] = {5, 6, 7, 2, 0, 2, 1, 2, 3, 4, UINT32_MAX, 8, 9};
    ck_assert(frs_model_fits(&m->base, 1, good, sizeof good));
    ck_assert(frs_model_fits(&m->base, 1, NULL, 0) && frs_model_fits(&timing->base, 1, NULL, 0));
    ck_assert(!frs_model_fits(&timing->base, 1, good, sizeof good));
    ck_assert(!frs_model_fits(&m->base, CLIENTS, good, sizeof good));
    for (size_t bytes = 1; bytes < sizeof good; bytes++)
        ck_assert(!frs_model_fits(&m->base, 1, good, bytes));
    static const struct {
        size_t at;
        uint32_t value;
    } bad[] = {{3, 1}, {3, 4}, {3, UINT32_MAX}, {4, 2}, {5, 3}, {10, 2}, {10, 3}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t words[sizeof good / sizeof *good];
        memcpy(words, good, sizeof good);
        words[bad[i].at] = bad[i].value;
        ck_assert_msg(!frs_model_fits(&m->base, 1, words, sizeof words), "case %zu", i);
    }
    frs_model_destroy(m);
    frs_model_destroy(timing);
}
END_TEST

/* Items 6, users 2 · 3 and the counter, 13 words; what is transient is left out. */
START_TEST(archive_leaves_out_what_is_transient) {
    struct model *m = make(false, false), *loaded = make(false, false);
    struct frs_buffer out = {0};
    m->items[4] = 11;
    m->users[5] = 12;
    m->notes[0] = 13;
    m->n = 14;
    frs_model_archive(&m->base, &(struct frs_archive){.out = &out});
    ck_assert_uint_eq(out.n, 13 * 4);
    struct frs_reader in = frs_reader_init(out.bytes, out.n);
    frs_model_archive(&loaded->base, &(struct frs_archive){.in = &in});
    ck_assert(!in.failed && in.at == in.n);
    ck_assert(loaded->items[4] == 11 && loaded->users[5] == 12 && loaded->n == 14 && loaded->notes[0] == 0);
    frs_buffer_fini(&out);
    frs_model_destroy(m);
    frs_model_destroy(loaded);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("model");
    TCase *tests = tcase_create("model");
    tcase_add_test(tests, parts_are_listed);
    tcase_add_test(tests, private_values_are_counted);
    tcase_add_test(tests, one_row_is_not_copied);
    tcase_add_test(tests, stores_alone_are_packed);
    tcase_add_test(tests, rows_go_to_their_stores);
    tcase_add_test(tests, what_does_not_fit);
    tcase_add_test(tests, archive_leaves_out_what_is_transient);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
