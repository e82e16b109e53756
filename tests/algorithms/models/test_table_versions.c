/* Versions of a table, each for as long as a holder refers to it. */
#include "algorithms/models/table_versions.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

/* A block holds 128 values: three of these rows, and the last block has one. */
#define DIM 40u
#define ROWS 10u
#define BLOCK_VALUES (3 * DIM)
#define VALUES (ROWS * DIM)

static void check(const struct frs_table_versions *versions, uint32_t place, const float *table) {
    for (size_t row = 0; row < ROWS; row++)
        ck_assert_mem_eq(
            frs_table_versions_row(versions, place, row), table + row * DIM, DIM * sizeof *table);
}

START_TEST(what_is_in_common_is_kept_once) {
    struct frs_table_versions *versions = frs_table_versions_create(ROWS, DIM);
    float first[VALUES] = {0}, second[VALUES], third[VALUES];
    memcpy(second, first, sizeof first);
    second[4 * DIM] = 1; /* in the second block */
    memcpy(third, second, sizeof second);
    third[9 * DIM + 1] = 2; /* in the last one */
    uint32_t a = frs_table_versions_hold(versions, first, 1);
    ck_assert_uint_eq(frs_table_versions_values(versions), VALUES);
    uint32_t b = frs_table_versions_hold(versions, second, 2);
    ck_assert_uint_eq(frs_table_versions_values(versions), VALUES + BLOCK_VALUES);
    ck_assert_uint_eq(frs_table_versions_hold(versions, second, 2), b);
    uint32_t c = frs_table_versions_hold(versions, third, 3);
    ck_assert_uint_eq(frs_table_versions_values(versions), VALUES + BLOCK_VALUES + DIM);
    ck_assert_uint_eq(frs_table_versions_held(versions), 3);
    frs_table_versions_let_go(versions, a); /* the others still need three of its blocks */
    ck_assert_uint_eq(frs_table_versions_values(versions), VALUES + DIM);
    check(versions, b, second);
    check(versions, c, third);
    frs_table_versions_let_go(versions, b);
    ck_assert(frs_table_versions_has(versions, b));
    frs_table_versions_let_go(versions, b);
    ck_assert(!frs_table_versions_has(versions, b));
    ck_assert_uint_eq(frs_table_versions_values(versions), VALUES);
    check(versions, c, third);
    frs_table_versions_let_go(versions, c);
    ck_assert_uint_eq(frs_table_versions_values(versions), 0);
    ck_assert_uint_eq(frs_table_versions_held(versions), 0);
    frs_table_versions_destroy(versions);
}
END_TEST

#define HOLDERS 12u
#define STEPS 3000u

/* Against whole copies: holders that hold any of the last few versions, not always in their order. */
START_TEST(versions_are_what_they_were) {
    struct frs_table_versions *versions = frs_table_versions_create(ROWS, DIM);
    static float history[STEPS][VALUES];
    uint32_t places[HOLDERS], held[HOLDERS] = {0};
    struct frs_rng rng = test_rng(90);
    for (uint32_t h = 0; h < HOLDERS; h++)
        places[h] = frs_table_versions_hold(versions, history[0], 0);
    for (uint32_t step = 1; step < STEPS; step++) {
        memcpy(history[step], history[step - 1], sizeof history[0]);
        for (uint32_t i = frs_rng_below(&rng, 4); i > 0; i--)
            history[step][frs_rng_below(&rng, VALUES)] = (float)frs_rng_normal(&rng);
        uint32_t h = frs_rng_below(&rng, HOLDERS), version = step - frs_rng_below(&rng, step < 5 ? step : 5);
        uint32_t place = frs_table_versions_hold(versions, history[version], version);
        frs_table_versions_let_go(versions, places[h]);
        places[h] = place;
        held[h] = version;
        for (uint32_t i = 0; i < HOLDERS; i++)
            check(versions, places[i], history[held[i]]);
    }
    for (uint32_t h = 0; h < HOLDERS; h++)
        frs_table_versions_let_go(versions, places[h]);
    ck_assert_uint_eq(frs_table_versions_values(versions), 0);
    frs_table_versions_destroy(versions);
}
END_TEST

/* What is in common is so again when it is loaded. */
START_TEST(archives_bring_versions_back) {
    struct frs_table_versions *versions = frs_table_versions_create(ROWS, DIM),
                              *loaded = frs_table_versions_create(ROWS, DIM);
    float table[VALUES] = {0};
    struct frs_buffer saved = {0};
    for (uint32_t i = 0; i < 3; i++) {
        table[0] = (float)i;
        ck_assert_uint_eq(frs_table_versions_hold(versions, table, i), i);
    }
    frs_table_versions_archive(versions, 3, &(struct frs_archive){.out = &saved});
    frs_table_versions_hold(loaded, table, 7);
    struct frs_reader in = frs_reader_init(saved.bytes, saved.n);
    frs_table_versions_archive(loaded, 3, &(struct frs_archive){.in = &in});
    ck_assert(!in.failed && in.at == in.n);
    ck_assert_uint_eq(frs_table_versions_values(loaded), VALUES + 2 * BLOCK_VALUES);
    check(loaded, 2, table);
    ck_assert_float_eq(frs_table_versions_row(loaded, 1, 0)[0], 1);
    in = frs_reader_init(saved.bytes, saved.n);
    frs_table_versions_archive(loaded, 2, &(struct frs_archive){.in = &in});
    ck_assert(in.failed);
    for (size_t n = 0; n < saved.n; n += 99) { /* cut short */
        in = frs_reader_init(saved.bytes, n);
        frs_table_versions_archive(loaded, 3, &(struct frs_archive){.in = &in});
        ck_assert(in.failed);
    }
    frs_buffer_fini(&saved);
    frs_table_versions_destroy(versions);
    frs_table_versions_destroy(loaded);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("table_versions");
    TCase *tests = tcase_create("table_versions");
    tcase_add_test(tests, what_is_in_common_is_kept_once);
    tcase_add_test(tests, versions_are_what_they_were);
    tcase_add_test(tests, archives_bring_versions_back);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
