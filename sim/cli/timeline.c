/* fedrecsim timeline: rounds of a run for a viewer of traces. */
#include "analysis/timeline/timeline.h"
#include "sim/base/errors.h"
#include "sim/base/quoting.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct timeline_options {
    const char *folder;
    struct frs_timeline what;
};

static const struct argp_option options_table[] = {
    {"rounds", 'r', "A-B", 0, "These rounds only: 10-20, or 7 (default: all that fit into 200 MB)", 1}, {0}};

static bool read_round(const char **text, unsigned long *round) {
    char *end;
    errno = 0;
    if (strspn(*text, "0123456789") == 0)
        return false;
    *round = strtoul(*text, &end, 10);
    *text = end;
    return errno == 0 && *round > 0;
}

static void parse_rounds(struct frs_timeline *what, const char *text, const struct argp_state *state) {
    const char *at = text;
    bool good = read_round(&at, &what->first);
    what->last = what->first;
    if (good && *at == '-') {
        at++;
        good = read_round(&at, &what->last);
    }
    if (!good || *at || what->last < what->first)
        argp_error(
            state, "--rounds %s: allowed: a round, or the first and the last of some, as in 10-20", text);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct timeline_options *options = state->input;
    switch (key) {
    case 'r':
        parse_rounds(&options->what, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        if (options->folder)
            argp_error(state, "one run at a time, found %s and %s", options->folder, argument);
        options->folder = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->folder)
            argp_error(state, "needs a run directory");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void tell(const struct timeline_options *options, const struct frs_timeline_held *held) {
    if (held->every > 1)
        frs_print_line(stdout,
            "participants stand in round 1 and every %lu after it alone, because the run wrote no events of "
            "others "
            "(output.events_every)",
            held->every);
    frs_print_line(stdout,
        "%s/timeline.json holds rounds %lu to %lu of %lu%s: %.1f MB, for ui.perfetto.dev or "
        "chrome://tracing",
        options->folder, held->first, held->last, held->rounds,
        held->cut ? ", because more of them do not fit into 200 MB" : "", (double)held->bytes / 1e6);
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "DIR",
        "Writes timeline.json into a run directory: who did what when, as a trace for Perfetto.\v"
        "Exit codes: 0 done, 2 bad input.",
        NULL, NULL, NULL};
    struct timeline_options options = {.what.most_bytes = FRS_TIMELINE_MOST_BYTES};
    struct frs_errors errors = {0};
    struct frs_timeline_held held;
    frs_cli_parse(&argp, argc, argv, &options);
    enum frs_status status = frs_timeline_write(options.folder, &options.what, &held, &errors);
    if (status == FRS_OK)
        tell(&options, &held);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_timeline = {
    .name = "timeline",
    .usage = "timeline DIR [--rounds A-B]",
    .summary = "rounds of a run as a trace for Perfetto",
    .run = run,
};
