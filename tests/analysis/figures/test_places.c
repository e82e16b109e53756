/* Where levels stand: as numbers, evenly or by their logarithms, or side by side. */
#include "analysis/figures/places.h"
#include "tests/folder.h"

#include <string.h>

static struct frs_level levels[8];
static struct frs_axis axis;

static void make_axis(const char *const *labels) {
    axis = (struct frs_axis){.name = (char *)(uintptr_t) "loss", .levels = levels};
    for (; labels[axis.n]; axis.n++)
        levels[axis.n] = (struct frs_level){.label = (char *)(uintptr_t)labels[axis.n]};
}

static void expect_places(
    const char *const *labels, enum frs_scale scale, const double *at, const char *order) {
    struct frs_places places;
    make_axis(labels);
    ck_assert_int_eq(frs_places_find(&axis, FRS_SCALE_ANY, &places, &errors), FRS_OK);
    ck_assert_int_eq(places.scale, scale);
    for (size_t i = 0; i < axis.n; i++) {
        ck_assert_double_eq(places.at[i], at[i]);
        ck_assert_uint_eq(places.levels[i], (size_t)(order[i] - '0'));
    }
    frs_places_fini(&places);
}

START_TEST(numbers_stand_where_they_belong) {
    expect_places(
        (const char *const[]){"0.3", "0", "0.6", NULL}, FRS_SCALE_LINEAR, (double[]){0, 0.3, 0.6}, "102");
    expect_places(
        (const char *const[]){"0", "50 %", "90%", NULL}, FRS_SCALE_LINEAR, (double[]){0, 50, 90}, "012");
    expect_places(
        (const char *const[]){"4", "8", "16", "64", NULL}, FRS_SCALE_LOG, (double[]){4, 8, 16, 64}, "0123");
    expect_places((const char *const[]){"10 s", "1 min", NULL}, FRS_SCALE_LINEAR, (double[]){10, 60}, "01");
}
END_TEST

START_TEST(other_labels_stand_side_by_side) {
    expect_places((const char *const[]){"none", "0.5", NULL}, FRS_SCALE_CATEGORIES, (double[]){1, 2}, "01");
    expect_places((const char *const[]){"1 s", "1 MB", NULL}, FRS_SCALE_CATEGORIES, (double[]){1, 2}, "01");
    expect_places((const char *const[]){"0.5", "0.50", NULL}, FRS_SCALE_CATEGORIES, (double[]){1, 2}, "01");
}
END_TEST

START_TEST(scale_that_does_not_fit_is_refused) {
    struct frs_places places;
    make_axis((const char *const[]){"0", "1", NULL});
    ck_assert_int_eq(frs_places_find(&axis, FRS_SCALE_LOG, &places, &errors), FRS_ERR_INPUT);
    expect_error(
        "--scale log: not of the axis loss: it has a level that is not above 0; allowed: linear, categories");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("places");
    TCase *tests = tcase_create("places");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, numbers_stand_where_they_belong);
    tcase_add_test(tests, other_labels_stand_side_by_side);
    tcase_add_test(tests, scale_that_does_not_fit_is_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
