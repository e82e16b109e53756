#include "sim/cli/options/sweep_options.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/cli/scenarios/sections.h"

enum { MAX_JOBS = 1024 };

error_t frs_cli_parse_sweep(int key, const char *argument, const struct argp_state *state,
    struct frs_options *options, struct frs_sweep_options *sweep) {
    switch (key) {
    case 'r':
        frs_options_set(options, frs_format("sweep.replicates=%llu", frs_cli_number(state, "--replicates",
                                                                         argument, 1, FRS_LIMIT_REPLICATES)));
        return 0;
    case 'j':
        sweep->jobs = frs_cli_number(state, "--jobs", argument, 1, MAX_JOBS);
        return 0;
    case 'R':
        sweep->resume = true;
        return 0;
    case FRS_KEY_NO_REUSE:
        sweep->no_reuse = true;
        return 0;
    case 'q':
        sweep->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void frs_cli_sweep_of(const struct frs_options *options, struct frs_sweep_options *sweep) {
    sweep->request.sections = frs_sections;
    sweep->request.file = options->file;
    sweep->request.sets = (const char *const *)options->sets;
    sweep->request.n_sets = options->n_sets;
    sweep->folder = options->run.out;
    sweep->threads = options->run.threads;
}
