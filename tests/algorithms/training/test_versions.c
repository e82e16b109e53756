/* Versions of a table by hand: what a version refers to before and after the table changes. */
#include "algorithms/training/versions.h"
#include "tests/support.h"

START_TEST(a_detached_version_keeps_what_was_sent) {
    float table[] = {1, 2};
    struct frs_tables tables = {.part = {table}};
    struct frs_versions versions = {.n_parts = 1, .shapes = {{.n_rows = 2, .dim = 1}}};
    struct frs_version *old = frs_versions_add(&versions, &tables);
    ck_assert_ptr_eq(old->tables.part[0], table);
    frs_versions_detach(&versions);
    table[1] = 3;
    struct frs_version *new = frs_versions_add(&versions, &tables);
    ck_assert_float_eq(old->tables.part[0][1], 2);
    ck_assert_float_eq(new->tables.part[0][1], 3);
    ck_assert_uint_eq(frs_versions_place(&versions, new), 1);
    ck_assert_ptr_eq(frs_versions_at(&versions, 0), old);
    ck_assert_ptr_null(frs_versions_at(&versions, 2));
    old->n_users++;
    frs_versions_release(&versions, old);
    ck_assert_ptr_eq(versions.first, old);
    frs_versions_release_all(&versions);
    ck_assert_ptr_null(versions.first);
    frs_versions_fini(&versions);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("versions");
    TCase *tc = tcase_create("versions");
    tcase_add_test(tc, a_detached_version_keeps_what_was_sent);
    suite_add_tcase(suite, tc);
    return frs_test_run(suite);
}
