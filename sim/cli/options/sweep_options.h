/* What the commands that run sweeps (`sweep`, `solve`, `sensitivity`) have in common. */
#ifndef FRS_CLI_SWEEP_OPTIONS_H
#define FRS_CLI_SWEEP_OPTIONS_H

#include "sim/cli/options/options.h"
#include "sim/sweep/sweep.h"

/* Of --no-reuse; other options without a letter begin at 256. */
enum { FRS_KEY_NO_REUSE = 512 };

/* Parses --replicates, --jobs, --resume, --no-reuse and --quiet; returns ARGP_ERR_UNKNOWN for any other
 * key. A command's own table says which of them it has. Ends the process with 2 on a wrong number. */
error_t frs_cli_parse_sweep(int key, const char *argument, const struct argp_state *state,
    struct frs_options *options, struct frs_sweep_options *sweep);

/* Fills in the scenario, its changes, the folder and the threads from the command line; all are borrowed
 * from `options`. */
void frs_cli_sweep_of(const struct frs_options *options, struct frs_sweep_options *sweep);

#endif
