/* Labels: slow
 *
 * FedRAS's table 1 under the honest protocol: what an independent prototype measured (mean of 3 seeds, sd
 * about .01; docs/methods/fedras.md), one seed here: FedRAS itself; what it is compared with, by
 * `ctest -L long`. */
#include "tests/oracle/published.h"

#ifndef FIRST_CELL
#define FIRST_CELL 0
#define N_CELLS 1
#endif

static const struct {
    const char *name, *options;
    double hit, tolerance;
} cells[] = {
    {"FedRAS at 96.88 %",
        "--set codec.uplink=groups --set codec.uplink.compression_rate=0.96875 "
        "--set codec.downlink=adaptive_groups --set codec.downlink.compression_rate=0.96875",
        0.615, 0.025},
    {"uncompressed", "", 0.625, 0.025},
    {"SVD at 96.88 %",
        "--set codec.uplink=svd --set codec.uplink.rank=1 --set codec.downlink=svd --set "
        "codec.downlink.rank=1",
        0.502, 0.03},
    {"SVD at 96.88 % with error feedback",
        "--set codec.uplink=svd --set codec.uplink.rank=1 --set codec.downlink=svd --set "
        "codec.downlink.rank=1 --set codec.downlink.error_feedback=true",
        0.62, 0.025},
    {"TopK at 93.75 %", "--set codec.uplink=topk --set codec.downlink=topk", 0.528, 0.03},
};

START_TEST(table_1_is_reproduced) {
    if (!has_data("FedRAS, table 1", "ml-100k/u.data"))
        return;
    char *scenario = frs_format("%s/scenarios/papers/fedras-table1.cfg", frs_test_source_dir());
    char *options = frs_format("--set output.events=false %s", cells[_i].options);
    run_scenario(scenario, "out", options);
    double hit = hit_ratio("out");
    printf("%s: HR@10 %.4f, measured %.3f\n", cells[_i].name, hit, cells[_i].hit);
    ck_assert_double_eq_tol(hit, cells[_i].hit, cells[_i].tolerance);
    free(options);
    free(scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("published FedRAS");
    TCase *tests = tcase_create("published FedRAS");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 550);
    tcase_add_loop_test(tests, table_1_is_reproduced, FIRST_CELL, FIRST_CELL + N_CELLS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
