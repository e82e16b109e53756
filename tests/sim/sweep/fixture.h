/* A folder in which sweeps are planted: a scenario, and a real run whose files points can have. */
#ifndef FRS_TESTS_SIM_SWEEP_FIXTURE_H
#define FRS_TESTS_SIM_SWEEP_FIXTURE_H

#include "sim/cli/scenarios/sections.h"
#include "sim/sweep/folder.h"
#include "tests/sim/run/fixture.h"

static char before[4096];

static inline void setup(void) {
    folder_setup();
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(frs_folder), 0);
    write_text("s.cfg", "data = { synthetic = \"small\"; };\n");
    run_scenario("s.cfg", "real", "--set rounds.count=1");
}

static inline void teardown(void) {
    ck_assert_int_eq(chdir(before), 0);
    folder_teardown();
}

#endif
