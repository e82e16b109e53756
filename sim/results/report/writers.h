/* Writers: what is written about a run that is over, in files of its directory and on the terminal. */
#ifndef FRS_RESULTS_REPORT_WRITERS_H
#define FRS_RESULTS_REPORT_WRITERS_H

#include "sim/results/outputs.h"

#include <stdio.h>

/* What was run: version, the whole scenario, its hash, the data's hash, kernels and libraries. */
enum frs_status frs_write_manifest(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

/* What came out. Everything that varies from run to run of the same scenario is in its member `machine`. */
enum frs_status frs_write_summary(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

/* What-ifs of the run (what_if.json); nothing where none were wanted. */
enum frs_status frs_write_what_ifs(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

enum frs_status frs_write_clients(const struct frs_run_directory *directory,
    const struct frs_outputs *outputs, struct frs_errors *errors) FRS_MUST_CHECK;

/* The table at the end of a run. */
void frs_print_summary(const struct frs_outputs *outputs, const char *directory, FILE *out);

#endif
