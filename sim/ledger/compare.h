/* Compare: two run directories of the same scenario, file by file. */
#ifndef FRS_LEDGER_COMPARE_H
#define FRS_LEDGER_COMPARE_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* How many files were compared, and how many are not as they were. */
struct frs_comparison {
    size_t files, differing;
};

/* Prints one line for every file of `again` ("rounds.csv: identical", "rounds.csv: differs at line 7:
 * ..."), and for files that only `before` has, which do not count as differing. What depends on the machine
 * is left out: `machine` of summary.json, the paths of files in manifest.json, and its version, kernels and
 * libraries, whose differences are named. */
enum frs_status frs_run_directories_compare(const char *before, const char *again,
    struct frs_comparison *comparison, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

/* A run of a bundle (sim/bundle/bundle.h). */
struct frs_bundled_run {
    const json_t *manifest, *summary, *results; /* results: {"rounds.csv": {text} or {digest}, …} */
};

/* The same with a run of a bundle, whose results all have to be there again. Where the bundle has the digest
 * of a file alone, a difference is named without its line. */
enum frs_status frs_run_bundled_compare(const struct frs_bundled_run *before, const char *again,
    struct frs_comparison *comparison, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
