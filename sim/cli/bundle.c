/* fedrecsim bundle: a run or a sweep as one file, from which replay repeats it. */
#include "sim/bundle/bundle.h"
#include "sim/base/errors.h"
#include "sim/base/quoting.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"

#include <stdlib.h>

enum { KEY_WITH_DATA = 256 };

static const struct argp_option options_table[] = {
    {"out", 'o', "FILE", 0, "Name of the bundle (default: that of the folder, with .bundle.json)", 1},
    {"with-data", KEY_WITH_DATA, NULL, 0, "Put the files in that the runs have read", 1},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct frs_bundle_request *request = state->input;
    switch (key) {
    case 'o':
        if (!*argument)
            argp_error(state, "--out: needs the name of a file");
        request->out = argument;
        return 0;
    case KEY_WITH_DATA:
        request->with_data = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->folder)
            argp_error(state, "one run or sweep at a time, found %s and %s", request->folder, argument);
        request->folder = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->folder)
            argp_error(state, "needs a run directory, or the folder of a sweep");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "RUN|SWEEP",
        "Writes one file with all that is needed to repeat a run, or the runs of a sweep: scenarios with all "
        "defaults, seeds, versions, results, and the digests of data, or the data themselves. `fedrecsim "
        "replay "
        "FILE` repeats them and compares.\v"
        "Without --with-data, replay looks for the data on its machine, and refuses others. Plug-ins and "
        "programs of methods are never in the file. Exit codes: 0 done, 2 bad input.",
        NULL, NULL, NULL};
    struct frs_bundle_request request = {0};
    struct frs_errors errors = {0};
    struct frs_bundle_written written;
    frs_cli_parse(&argp, argc, argv, &request);
    enum frs_status status = frs_bundle_write(&request, &written, &errors);
    bool one = written.n_runs == 1;
    if (status == FRS_OK)
        frs_print_line(stdout, "%s has %zu run%s; fedrecsim replay %s repeats %s", written.path,
            written.n_runs, one ? "" : "s", written.path, one ? "it" : "them");
    if (status == FRS_OK && *written.code)
        frs_print_line(stdout,
            "Not in it, and needed by replay, in the same places: %s (plug-ins and programs, which run with "
            "consent alone)",
            written.code);
    free(written.path);
    free(written.code);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_bundle = {
    .name = "bundle",
    .usage = "bundle RUN|SWEEP [--out FILE] [--with-data]",
    .summary = "a run or a sweep as one file that replay takes",
    .run = run,
};
