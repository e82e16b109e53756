/* A run directory of three rounds, read: what tests of the reader and of targets begin with. */
#ifndef FRS_TESTS_ANALYSIS_PLAIN_RUN_H
#define FRS_TESTS_ANALYSIS_PLAIN_RUN_H

#include "analysis/read/run_reader.h"
#include "tests/analysis/fixture.h"

/* Rounds end at 10, 20 and 30 s with 2 × 1000 bytes each; HR@10 is 0.4 after the second and 0.5 after the
 * third. */
static const struct fake_run plain = {.seed = 7,
    .hr = {0.4, 0.5},
    .round_s = 10,
    .popularity = 0.37,
    .bytes = 1000,
    .connecting = 50,
    .lost_bytes = 60};

static struct frs_run_results run;

static inline void read_plain(void) {
    write_fake_run("run", &plain);
    enum frs_status status = frs_run_read("run", &run, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
}

static inline double metric(const char *name) {
    return frs_metrics_get(&run.metrics, name);
}

static inline double step(const char *name) {
    return frs_metrics_step(&run.metrics, name);
}

#endif
