/* Compare: two run directories of the same scenario, file by file. */
#ifndef FRS_LEDGER_COMPARE_H
#define FRS_LEDGER_COMPARE_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints one line for every file of `again` ("rounds.csv: identical", "rounds.csv: differs at line 7:
 * ..."), and for files that only `before` has. What depends on the machine is left out: `machine` of
 * summary.json, and version, kernels and libraries of manifest.json, whose differences are named. *same:
 * `before` has all that `again` has. */
enum frs_status frs_run_directories_compare(
    const char *before, const char *again, bool *same, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
