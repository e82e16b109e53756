/* Damaged plans, manifests, summaries and tables: collect and compare report the error in one line, or use
 * what is left; they never abort and never request an absurd amount of memory. */
#include "analysis/tables/collect.h"
#include "analysis/tables/compare.h"
#include "analysis/plan/plan.h"
#include "tests/analysis/sweep_fixture.h"
#include "tests/mutation.h"

enum { TRIALS = 24 };

static const char *const files[] = {"s/plan.json", "s/points/0000/manifest.json",
    "s/points/0001/summary.json", "s/points/0003/rounds.csv", "r/manifest.json", "r/summary.json",
    "r/rounds.csv"};
enum { N_FILES = sizeof files / sizeof *files, OF_SWEEP = 4 };

static void expect_lines(const struct frs_errors *found) {
    for (size_t i = 0; i < found->n; i++)
        ck_assert_msg(*found->lines[i] && !strchr(found->lines[i], '\n'), "%s", found->lines[i]);
}

static void collect(FILE *out) {
    struct frs_errors found = {0};
    size_t n_lacking;
    enum frs_status status = frs_collect("s", NULL, out, &n_lacking, &found);
    ck_assert_int_eq(status != FRS_OK, found.n > 0);
    expect_lines(&found);
    frs_errors_clear(&found);
}

static void compare(FILE *out) {
    static const char *const arguments[] = {"s", "r"};
    const struct frs_compare_options what = {.csv = "c.csv"};
    struct frs_errors found = {0};
    struct frs_entries entries;
    enum frs_status status = frs_entries_read(arguments, 2, NULL, &entries, &found);
    if (status == FRS_OK) {
        status = frs_compare(&entries, &what, out, &found);
        frs_entries_fini(&entries);
    }
    ck_assert_int_eq(status != FRS_OK, found.n > 0);
    expect_lines(&found);
    frs_errors_clear(&found);
}

START_TEST(damaged_files_never_abort) {
    struct frs_buffer before[N_FILES] = {0}, damaged = {0};
    const struct fake_run run = {
        .seed = 11, .hr = {0.4, 0.5}, .round_s = 60, .popularity = 0.4, .bytes = 1000000};
    write_fake_sweep("s");
    write_fake_run("r", &run);
    FILE *out = fopen("/dev/null", "w");
    for (size_t i = 0; i < N_FILES; i++)
        mutation_read(files[i], &before[i]);
    for (uint32_t trial = 0; trial < N_FILES * TRIALS; trial++) {
        size_t i = trial % N_FILES;
        struct frs_rng rng = mutation_rng(trial);
        frs_buffer_reset(&damaged);
        frs_buffer_put(&damaged, before[i].bytes, before[i].n);
        for (uint32_t changes = 1 + frs_rng_below(&rng, 2); changes > 0; changes--)
            mutation_change(&damaged, 1, &rng);
        mutation_write(files[i], &damaged);
        if (i < OF_SWEEP)
            collect(out);
        else
            compare(out);
        mutation_write(files[i], &before[i]);
    }
    fclose(out);
    frs_buffer_fini(&damaged);
    for (size_t i = 0; i < N_FILES; i++)
        frs_buffer_fini(&before[i]);
}
END_TEST

/* Axes with more cells than there can be points: 2^40, and numbers that overflow to none. */
START_TEST(cells_are_counted_before_memory_is_taken) {
    static const size_t n_axes[] = {40, 63, 64, 65, 400};
    struct frs_sweep_plan *plan;
    write_fake_sweep("s");
    for (size_t i = 0; i < sizeof n_axes / sizeof *n_axes; i++) {
        FILE *file = fopen("s/plan.json", "w");
        fputs("{\"format\": \"fedrecsim-plan-2\", \"name\": \"s\", \"replicates\": 1, \"metrics\": [],"
              " \"baseline\": 0, \"axes\": [",
            file);
        for (size_t axis = 0; axis < n_axes[i]; axis++)
            fprintf(file, "%s{\"name\": \"a%zu\", \"levels\": [\"0\", \"1\"]}", axis ? "," : "", axis);
        fputs("], \"points\": []}", file);
        fclose(file);
        ck_assert_int_eq(frs_sweep_plan_in("s", &plan, &errors), FRS_ERR_INPUT);
        if (n_axes[i] < 64)
            ck_assert_ptr_nonnull(strstr(errors.lines[0], "s/plan.json: has 0 points; with "));
        else
            ck_assert_str_eq(errors.lines[0], "s/plan.json: \"axes\" have too many cells");
        ck_assert_uint_eq(errors.n, 1);
        frs_errors_clear(&errors);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("damaged files");
    TCase *tests = tcase_create("damaged files");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, damaged_files_never_abort);
    tcase_add_test(tests, cells_are_counted_before_memory_is_taken);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
