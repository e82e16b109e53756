/* Rows that clients keep, against a table per client in which every row is marked or not. */
#include "algorithms/models/private_rows.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 3, ITEMS = 2000, DIM = 5, ROUNDS = 4 };

struct plain {
    bool there[CLIENTS][ITEMS];
    float values[CLIENTS][ITEMS][DIM];
};

/* Going through the table from any item on, up or down, meets the same rows as asking for each. */
static void check_find_all(
    const struct frs_private_rows *rows, const struct frs_row_pool *pool, uint32_t first) {
    uint32_t ids[ITEMS] = {7}, n = 1;
    const float *found[ITEMS];
    for (uint32_t id = first; id < ITEMS && n < ITEMS; id += 1 + id % 3)
        ids[n++] = id;
    frs_private_rows_find_all(rows, pool, ids, n, found);
    for (uint32_t i = 0; i < n; i++)
        ck_assert_ptr_eq(found[i], frs_private_rows_find(rows, pool, ids[i]));
    for (uint32_t i = 0; i < ITEMS; i++)
        ids[i] = ITEMS - 1 - i;
    frs_private_rows_find_all(rows, pool, ids, ITEMS, found);
    for (uint32_t i = 0; i < ITEMS; i++)
        ck_assert_ptr_eq(found[i], frs_private_rows_find(rows, pool, ids[i]));
}

static void check_same(
    const struct frs_private_rows *rows, const struct frs_row_pool *pool, const struct plain *plain) {
    for (uint32_t client = 0; client < CLIENTS; client++) {
        uint32_t n = 0;
        for (uint32_t id = 0; id < ITEMS; id++) {
            const float *found = frs_private_rows_find(&rows[client], pool, id);
            n += found != NULL;
            ck_assert_int_eq(found != NULL, plain->there[client][id]);
            if (found)
                ck_assert_mem_eq(found, plain->values[client][id], DIM * sizeof(float));
        }
        ck_assert_uint_eq(rows[client].n, n);
        check_find_all(&rows[client], pool, 100 * client);
    }
}

/* More rows than the first two blocks hold; rows move neither when others come nor when they change. */
START_TEST(as_a_plain_table) {
    static struct plain plain;
    static float values[ITEMS * DIM];
    uint32_t ids[ITEMS];
    struct frs_row_pool pool = {.dim = DIM, .n_ids = ITEMS}, again = pool;
    struct frs_private_rows rows[CLIENTS] = {{0}}, loaded[CLIENTS] = {{0}};
    struct frs_rng rng = frs_rng_stream(5, 0, 0, 0, FRS_RNG_TEST);
    const float *first = NULL;
    uint32_t first_id = 0;
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t client = 0; client < CLIENTS; client++) {
            size_t n = 0;
            for (uint32_t id = 0; id < ITEMS; id++) {
                if (frs_rng_below(&rng, 8) > client)
                    continue;
                frs_rng_fill_normal(&rng, plain.values[client][id], DIM, 1);
                memcpy(values + n * DIM, plain.values[client][id], DIM * sizeof(float));
                plain.there[client][id] = true;
                ids[n++] = id;
            }
            frs_private_rows_merge(&rows[client], &pool, ids, values, n);
            if (!first) {
                first_id = ids[0];
                first = frs_private_rows_find(&rows[0], &pool, first_id);
            }
        }
    check_same(rows, &pool, &plain);
    ck_assert_uint_eq(pool.n, rows[0].n + rows[1].n + rows[2].n);
    ck_assert_uint_gt(pool.n, 3 * FRS_ROW_POOL_FIRST);
    ck_assert(rows[0].ids && !rows[2].ids); /* a list, and a table */
    ck_assert_ptr_eq(first, frs_private_rows_find(&rows[0], &pool, first_id));

    struct frs_buffer saved = {0};
    for (size_t i = 0; i < CLIENTS; i++)
        frs_private_rows_archive(&rows[i], &pool, &(struct frs_archive){.out = &saved});
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    for (size_t i = 0; i < CLIENTS; i++)
        frs_private_rows_archive(&loaded[i], &again, &(struct frs_archive){.in = &in});
    ck_assert(!in.failed && in.at == in.n);
    check_same(loaded, &again, &plain);
    struct frs_reader fewer = frs_reader_init(saved.bytes, saved.n);
    again.n_ids = 10;
    frs_private_rows_archive(&loaded[0], &again, &(struct frs_archive){.in = &fewer});
    ck_assert(fewer.failed);
    for (size_t i = 0; i < CLIENTS; i++) {
        frs_private_rows_fini(&rows[i]);
        frs_private_rows_fini(&loaded[i]);
    }
    frs_row_pool_fini(&pool);
    frs_row_pool_fini(&again);
    frs_buffer_fini(&saved);
}
END_TEST

/* Places 0, 1023 | 1024, 3071 | 3072: blocks of 1024, 2048, 4096 rows. */
START_TEST(blocks_double_in_size) {
    struct frs_row_pool pool = {.dim = 1, .n_ids = 100000};
    struct frs_private_rows rows = {0};
    uint32_t ids[5000];
    float values[5000];
    for (uint32_t i = 0; i < 5000; i++) {
        ids[i] = i;
        values[i] = (float)i;
    }
    for (uint32_t i = 0; i < 5000; i++) /* one by one: place i is id i */
        frs_private_rows_merge(&rows, &pool, ids + i, values + i, 1);
    ck_assert_ptr_eq(frs_row_pool_at(&pool, 0), pool.blocks[0]);
    ck_assert_ptr_eq(frs_row_pool_at(&pool, 1023), pool.blocks[0] + 1023);
    ck_assert_ptr_eq(frs_row_pool_at(&pool, 1024), pool.blocks[1]);
    ck_assert_ptr_eq(frs_row_pool_at(&pool, 3071), pool.blocks[1] + 2047);
    ck_assert_ptr_eq(frs_row_pool_at(&pool, 3072), pool.blocks[2]);
    ck_assert_ptr_null(pool.blocks[3]);
    for (uint32_t i = 0; i < 5000; i++)
        ck_assert(*frs_private_rows_find(&rows, &pool, i) == (float)i);
    ck_assert_ptr_null(frs_private_rows_find(&rows, &pool, 5000));
    frs_private_rows_fini(&rows);
    frs_row_pool_fini(&pool);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("kept rows");
    TCase *tests = tcase_create("kept rows");
    tcase_add_test(tests, as_a_plain_table);
    tcase_add_test(tests, blocks_double_in_size);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
