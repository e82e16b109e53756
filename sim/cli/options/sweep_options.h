/* What the commands that run sweeps (`sweep`, `solve`, `sensitivity`) have in common. */
#ifndef FRS_CLI_SWEEP_OPTIONS_H
#define FRS_CLI_SWEEP_OPTIONS_H

#include "sim/cli/options/options.h"
#include "sim/sweep/sweep.h"

/* Of --no-reuse; other options without a letter begin at 256. */
enum { FRS_KEY_NO_REUSE = 512 };

/* What --replicates, --jobs, --resume, --no-reuse and --quiet say; ARGP_ERR_UNKNOWN for any other key. Which
 * of them a command has is in its own table. Ends the process with 2 on a wrong number. */
error_t frs_cli_parse_sweep(int key, const char *argument, const struct argp_state *state,
    struct frs_options *options, struct frs_sweep_options *sweep);

/* The scenario, its changes, the folder and the threads as the command line has them; borrowed from
 * `options`. */
void frs_cli_sweep_of(const struct frs_options *options, struct frs_sweep_options *sweep);

#endif
