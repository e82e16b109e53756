/* Rows kept per client, and the tables clients predict with. */
#include "algorithms/models/client_rows.h"
#include "algorithms/models/own_tables.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#define DIM 2u
#define ITEMS 30u

/* A dense table and the rows present, as the naive copy of the sparse rows. */
struct naive {
    float values[ITEMS][DIM];
    bool present[ITEMS];
};

static void check(const struct frs_client_rows *rows, const struct naive *naive) {
    size_t n = 0;
    for (uint32_t id = 0; id < ITEMS; id++) {
        const float *row = frs_client_rows_find(rows, DIM, id);
        ck_assert_int_eq(row != NULL, naive->present[id]);
        n += naive->present[id];
        if (row)
            ck_assert_mem_eq(row, naive->values[id], sizeof naive->values[id]);
    }
    ck_assert_uint_eq(rows->n, n);
}

/* Any ids, and ascending ones after the first. */
static void check_find_all(const struct frs_client_rows *rows, struct frs_rng *rng, bool ascending) {
    uint32_t n = frs_rng_below(rng, ITEMS) + 1, *ids = random_subset(rng, ITEMS, n);
    const float *found[ITEMS];
    if (ascending)
        ids[0] = frs_rng_below(rng, ITEMS);
    for (uint32_t i = 0; i < n && !ascending; i++)
        ids[i] = frs_rng_below(rng, ITEMS);
    frs_client_rows_find_all(rows, DIM, ids, n, found);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_ptr_eq(found[i], frs_client_rows_find(rows, DIM, ids[i]));
    free(ids);
}

static void check_gather(const struct frs_client_rows *rows, const struct naive *naive, struct frs_rng *rng) {
    uint32_t n = frs_rng_below(rng, ITEMS + 1), *ids = random_subset(rng, ITEMS, n);
    float columns[DIM * 32];
    memset(columns, 0xff, sizeof columns);
    frs_client_rows_gather(rows, DIM, ids, n, 32, columns);
    for (size_t k = 0; k < DIM; k++)
        for (size_t i = 0; i < 32; i++)
            ck_assert_float_eq(
                columns[k * 32 + i], i < n && naive->present[ids[i]] ? naive->values[ids[i]][k] : 0);
    free(ids);
}

START_TEST(rows_are_replaced_and_merged) {
    struct frs_client_rows rows = {0};
    struct naive naive = {0};
    struct frs_rng rng = test_rng(80);
    for (int repeat = 0; repeat < 400; repeat++) {
        uint32_t n = frs_rng_below(&rng, repeat % 3 ? 5 : ITEMS + 1), *ids = random_subset(&rng, ITEMS, n);
        float values[ITEMS * DIM];
        bool replaces = frs_rng_below(&rng, 10) == 0;
        frs_rng_fill_normal(&rng, values, n * DIM, 1);
        if (replaces)
            naive = (struct naive){0};
        for (size_t i = 0; i < n; i++) {
            naive.present[ids[i]] = true;
            memcpy(naive.values[ids[i]], values + i * DIM, sizeof naive.values[0]);
        }
        (replaces ? frs_client_rows_replace : frs_client_rows_merge)(&rows, DIM, ids, values, n);
        check(&rows, &naive);
        check_gather(&rows, &naive, &rng);
        check_find_all(&rows, &rng, repeat % 2);
        free(ids);
    }
    frs_client_rows_fini(&rows);
}
END_TEST

START_TEST(broken_archives_are_refused) {
    static const uint32_t bad[][4] = {{2, 3, 3, 0}, {2, 5, 4, 0}, {2, 1, ITEMS, 0}, {ITEMS + 1, 0, 0, 0}};
    for (size_t c = 0; c < 4; c++) {
        struct frs_client_rows rows = {0};
        struct frs_buffer bytes = {0};
        frs_buffer_put(&bytes, bad[c], 3 * sizeof(uint32_t));
        frs_buffer_put(&bytes, (const float[2 * DIM]){0}, 2 * DIM * sizeof(float));
        struct frs_reader in = frs_reader_init(bytes.bytes, bytes.n);
        frs_client_rows_archive(&rows, ITEMS, DIM, &(struct frs_archive){.in = &in});
        ck_assert(in.failed);
        frs_client_rows_fini(&rows);
        frs_buffer_fini(&bytes);
    }
}
END_TEST

static void fill(float *table, float value) {
    for (size_t i = 0; i < ITEMS * DIM; i++)
        table[i] = value;
}

static float first_of(const struct frs_own_tables *own, uint32_t client, uint32_t item, const float *global) {
    const float *row;
    frs_own_tables_rows(own, client, &item, 1, global, &row);
    return row[0];
}

static float second_of(const struct frs_own_tables *own, uint32_t client, uint32_t item) {
    const float *row;
    frs_own_tables_rows(own, client, &item, 1, NULL, &row);
    return row[1];
}

/* A received table is kept as long as a client holds it; changed rows stand in place of its own. */
START_TEST(tables_are_shared_and_dropped) {
    struct frs_own_tables *own = frs_own_tables_create(3, ITEMS, DIM);
    float table[ITEMS * DIM], global[ITEMS * DIM], seven[DIM] = {7, 8};
    fill(global, -1);
    ck_assert_float_eq(first_of(own, 0, 5, global), -1);
    fill(table, 1);
    frs_own_tables_keep(own, 0, table, 11);
    frs_own_tables_keep(own, 1, table, 11);
    frs_own_tables_commit(own, 1, (const uint32_t[]){5}, seven, 1);
    ck_assert_uint_eq(frs_own_tables_kept(own), 1);
    fill(table, 2);
    frs_own_tables_keep(own, 0, table, 12);
    frs_own_tables_commit(own, 0, NULL, NULL, 0);
    ck_assert_uint_eq(frs_own_tables_kept(own), 2);
    ck_assert_float_eq(first_of(own, 0, 5, global), 2);
    ck_assert_float_eq(first_of(own, 1, 5, global), 7);
    ck_assert_float_eq(first_of(own, 1, 6, global), 1);
    ck_assert_float_eq(first_of(own, 2, 6, global), -1);
    frs_own_tables_keep(own, 1, table, 12);
    ck_assert_uint_eq(frs_own_tables_kept(own), 1);
    ck_assert_float_eq(first_of(own, 1, 6, global), 2);
    fill(table, 3);
    frs_own_tables_keep(own, 2, table, 13); /* takes the place that has become free */
    frs_own_tables_keep(own, 2, table, 13);
    ck_assert_uint_eq(frs_own_tables_kept(own), 2);
    ck_assert_float_eq(first_of(own, 0, 6, global), 2);
    ck_assert_float_eq(first_of(own, 2, 6, global), 3);
    frs_own_tables_destroy(own);
}
END_TEST

START_TEST(archives_bring_tables_back) {
    struct frs_own_tables *own = frs_own_tables_create(3, ITEMS, DIM),
                          *other = frs_own_tables_create(3, ITEMS, DIM);
    float table[ITEMS * DIM], seven[DIM] = {7, 8};
    struct frs_buffer saved = {0}, again = {0};
    for (uint32_t client = 0; client < 3; client++) {
        fill(table, (float)client);
        frs_own_tables_keep(own, client % 2, table, client);
        frs_own_tables_keep(other, client, table, 40 + client);
    }
    frs_own_tables_commit(own, 1, (const uint32_t[]){5}, seven, 1);
    frs_own_tables_archive(own, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    frs_own_tables_archive(other, &(struct frs_archive){.in = &in});
    ck_assert(!in.failed && in.at == in.n);
    frs_own_tables_archive(other, &(struct frs_archive){.out = &again});
    ck_assert_uint_eq(saved.n, again.n);
    ck_assert_mem_eq(saved.bytes, again.bytes, saved.n);
    ck_assert_float_eq(second_of(other, 1, 5), 8);
    ck_assert_float_eq(second_of(other, 0, 5), 2);
    for (size_t n = 0; n < saved.n; n += 41) { /* cut short */
        in = frs_reader_init(saved.bytes, n);
        frs_own_tables_archive(other, &(struct frs_archive){.in = &in});
        ck_assert(in.failed);
    }
    frs_buffer_fini(&saved);
    frs_buffer_fini(&again);
    frs_own_tables_destroy(own);
    frs_own_tables_destroy(other);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("own tables");
    TCase *tests = tcase_create("own tables");
    tcase_add_test(tests, rows_are_replaced_and_merged);
    tcase_add_test(tests, broken_archives_are_refused);
    tcase_add_test(tests, tables_are_shared_and_dropped);
    tcase_add_test(tests, archives_bring_tables_back);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
