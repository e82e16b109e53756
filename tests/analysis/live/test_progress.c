/* Progress: what it says of a run and of a sweep at ten moments is what their files hold then. */
#include "analysis/live/progress.h"
#include "analysis/report/so_far.h"
#include "tests/analysis/sweep_fixture.h"

#include <dirent.h>

static long count_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    ck_assert_msg(json_is_integer(value), "%s", key);
    return (long)json_integer_value(value);
}

/* ---- a run ---- */

static const char *const head =
    "round,attempt,lost,idle_s,start_s,end_s,duration_s,selected,delivered,down_bytes,up_bytes,"
    "path_down_s,path_compute_s,path_up_s,path_setup_s,path_retry_s,path_latency_s,"
    "path_server_s,path_wait_s,path_server_link_s,hr@10\n";

/* The fourth row is an attempt that was lost: its round is repeated. */
static void write_row(FILE *file, size_t row) {
    size_t round = row <= 4 ? row : row - 1;
    fprintf(file, "%zu,%d,%s,0,%zu,%zu,1,10,%d,1000,500,0.5,0,0.25,0,0,0.25,0,0,0,", round, row == 5,
        row == 4 ? "quorum" : "", row - 1, row, row == 4 ? 0 : 10);
    if (row % 2 == 0)
        fprintf(file, "0.%zu", row);
    fputc('\n', file);
}

static double sum_of(const json_t *data, const char *column) {
    const json_t *list = json_object_get(json_object_get(data, "rounds"), column);
    double sum = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += json_number_value(json_array_get(list, i));
    return sum;
}

static void expect_data(size_t row) {
    json_t *data = frs_report_of_run_so_far("run/rounds.csv", "colr", 20);
    if (row == 0) {
        ck_assert_ptr_null(data);
        return;
    }
    const json_t *summary = json_object_get(data, "summary"), *bytes = json_object_get(summary, "bytes"),
                 *metrics = json_object_get(summary, "metrics");
    ck_assert_int_eq(count_of(data, "n_rounds"), (long)row);
    ck_assert_int_eq(count_of(summary, "rounds"), (long)(row < 4 ? row : row - 1));
    ck_assert_double_eq(sum_of(data, "end_s"), (double)(row * (row + 1)) / 2);
    ck_assert_double_eq(json_number_value(json_object_get(summary, "simulated_s")), (double)row);
    ck_assert_double_eq(json_number_value(json_object_get(bytes, "down")), 1000 * (double)row);
    ck_assert_double_eq(json_number_value(json_object_get(summary, "participations")), 10 * (double)row);
    double evaluated = (double)(row / 2 * 2) / (row < 10 ? 10 : 100);
    ck_assert_double_eq_tol(
        row < 2 ? 0 : json_number_value(json_object_get(metrics, "hr@10")), row < 2 ? 0 : evaluated, 1e-12);
    json_decref(data);
}

/* The next line is half there; the process is told of the whole ones alone. */
START_TEST(a_run_at_ten_moments) {
    ck_assert_int_eq(mkdir("run", 0777), 0);
    struct frs_follower *follower = frs_follow_run("run", 20, false);
    FILE *file = fopen("run/rounds.csv", "w");
    ck_assert_ptr_nonnull(file);
    fputs(head, file);
    for (size_t row = 0; row <= 10; row++) {
        long place = row > 0 ? ftell(file) : 0;
        if (row > 0) {
            fputs("99,0,,0,1,2,3,4", file);
            fflush(file);
            json_t *half = frs_follower_progress(follower, (double)row - 0.5);
            ck_assert_int_eq(count_of(half, "rows"), (long)row - 1);
            json_decref(half);
            expect_data(row - 1);
            fseek(file, place, SEEK_SET);
            write_row(file, row);
        }
        fflush(file);
        json_t *told = frs_follower_progress(follower, (double)row);
        ck_assert_str_eq(json_string_value(json_object_get(told, "format")), FRS_LIVE_FORMAT);
        ck_assert_int_eq(count_of(told, "rows"), (long)row);
        ck_assert_int_eq(count_of(told, "done"), (long)(row < 4 ? row : row - 1));
        ck_assert_int_eq(count_of(told, "all"), 20);
        ck_assert(json_is_false(json_object_get(told, "finishing")));
        json_decref(told);
        expect_data(row);
    }
    ck_assert_int_eq(fclose(file), 0);
    frs_follower_destroy(follower);
}
END_TEST

/* It is resumed, and writes them again. */
START_TEST(a_file_in_place_of_another) {
    ck_assert_int_eq(mkdir("run", 0777), 0);
    struct frs_follower *follower = frs_follow_run("run", 3, true);
    for (size_t n = 3; n > 0; n--) {
        FILE *file = fopen("run/new", "w");
        ck_assert_ptr_nonnull(file);
        fputs(head, file);
        for (size_t row = 1; row <= n; row++)
            write_row(file, row);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_int_eq(rename("run/new", "run/rounds.csv"), 0);
        json_t *told = frs_follower_progress(follower, 1);
        ck_assert_int_eq(count_of(told, "rows"), (long)n);
        ck_assert(json_is_boolean(json_object_get(told, "finishing")));
        ck_assert_int_eq(json_is_true(json_object_get(told, "finishing")), n == 3);
        ck_assert(json_is_true(json_object_get(told, "may_end_early")));
        json_decref(told);
    }
    frs_follower_destroy(follower);
}
END_TEST

/* ---- a sweep ---- */

static size_t n_points(void) {
    DIR *list = opendir("sweep/points");
    size_t n = 0;
    for (const struct dirent *entry; (entry = readdir(list));)
        n += strlen(entry->d_name) == 4;
    closedir(list);
    return n;
}

START_TEST(a_sweep_at_ten_moments) {
    ck_assert_int_eq(mkdir("sweep", 0777), 0);
    struct frs_follower *follower = frs_follow_sweep("sweep", false, 1, false);
    json_t *told = frs_follower_progress(follower, 0); /* no plan yet */
    ck_assert_int_eq(count_of(told, "all"), 0);
    json_decref(told);
    ck_assert_int_eq(mkdir("sweep/points", 0777), 0);
    write_fake_plan("sweep", "\"baseline\": \"loss=none\", \"early_stop\": null, \"target\": null");
    for (size_t i = 0; i < 10; i++) {
        write_fake_point("sweep", i);
        told = frs_follower_progress(follower, (double)i);
        ck_assert_uint_eq((size_t)count_of(told, "done"), n_points());
        ck_assert_int_eq(count_of(told, "done"), (long)i + 1);
        ck_assert_int_eq(count_of(told, "all"), 12);
        ck_assert_int_eq(count_of(told, "failed"), 0);
        const json_t *cell = json_array_get(json_object_get(told, "cells"), i / 3);
        ck_assert_int_eq(count_of(cell, "done"), (long)(i % 3) + 1);
        ck_assert_int_eq(count_of(cell, "replicates"), 3);
        const json_t *left = json_object_get(told, "time_left");
        ck_assert(json_is_object(left) == (i >= 2));
        if (i >= 2) /* each took 12.5 s */
            ck_assert_double_eq_tol(
                json_number_value(json_object_get(left, "s")), 12.5 * (double)(11 - i), 1e-9);
        json_decref(told);
    }
    frs_follower_destroy(follower);
}
END_TEST

static void write_running(const char *name, long process, size_t n_rows) {
    char *folder = frs_format("sweep/points/%s.partial-%ld", name, process),
         *path = frs_format("%s/rounds.csv", folder);
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(head, file);
    for (size_t row = 1; row <= n_rows; row++)
        write_row(file, row);
    ck_assert_int_eq(fclose(file), 0);
    free(folder);
    free(path);
}

/* Point 10 has failed, 11 is run by this process; the folder of one that was killed is none of a point that
 * runs. */
START_TEST(points_that_run_and_that_do_not) {
    write_fake_sweep("sweep");
    write_running("0011", (long)getpid(), 3);
    write_running("0010", 999999999, 2);
    write_file("sweep/points/0011.log", "says something\n");
    write_file("sweep/points/0099", "of another plan\n");
    struct frs_follower *follower = frs_follow_sweep("sweep", true, 0, false);
    json_t *told = frs_follower_progress(follower, 1);
    ck_assert_int_eq(count_of(told, "done"), 10);
    ck_assert_int_eq(count_of(told, "failed"), 1);
    ck_assert_int_eq(count_of(told, "running"), 1);
    ck_assert(json_is_null(json_object_get(told, "time_left"))); /* of a search */
    const json_t *runs = json_array_get(json_object_get(told, "points"), 0);
    ck_assert_int_eq(count_of(runs, "point"), 11);
    ck_assert_int_eq(count_of(runs, "rounds"), 3);
    ck_assert_int_eq(count_of(runs, "replicate"), 3);
    json_decref(told);
    frs_follower_destroy(follower);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("progress");
    TCase *tests = tcase_create("progress");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, a_run_at_ten_moments);
    tcase_add_test(tests, a_file_in_place_of_another);
    tcase_add_test(tests, a_sweep_at_ten_moments);
    tcase_add_test(tests, points_that_run_and_that_do_not);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
