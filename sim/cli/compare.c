/* fedrecsim compare: runs or sweeps side by side. */
#include "analysis/entries/environment.h"
#include "analysis/tables/compare.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/json_output.h"
#include "sim/cli/options/expectations.h"
#include "sim/cli/options/options.h"
#include "sim/cli/options/plugin_option.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/network_robustness/network_robustness.h"

#include <stdlib.h>

enum { KEY_CSV = 256, KEY_FIDELITY, KEY_BY };

struct compare_options {
    const char **entries, **metrics, **within, **across; /* borrowed from the command line */
    size_t n_entries, n_metrics, n_within, n_across;
    size_t entries_capacity, metrics_capacity, within_capacity, across_capacity;
    const char *target, *csv, *baseline;
    bool fidelity, json;
    struct frs_expectations expectations;
    struct frs_network_robustness_options repeat;
};

static const struct argp_option options_table[] = {
    {"target", 'T', "TARGET", 0, "Bar for time and bytes to target: hr@10=0.5 or hr@10=popularity+0.03", 1},
    {"within", 'w', "AXIS", 0,
        "Compare under each level of this axis by itself, as if it were one of environments; where there "
        "are runs or several sweeps, also a setting or section; may be repeated",
        1},
    {"across", 'a', "AXIS", 0,
        "Compare across the levels of this axis, as if it were a design factor; may be repeated", 1},
    {"baseline", 'b', "ENTRY", 0,
        "Show all differences to this entry, by the name that it is printed with (default: the first one "
        "under the same environments)",
        1},
    {"metric", 'm', "NAME", 0, "Show this figure, too (a name as in points.csv); may be repeated", 1},
    {"csv", KEY_CSV, "FILE", 0, "Write the figures into a file, too", 1},
    FRS_JSON_OPTION(1),
    FRS_EXPECT_OPTION("of every entry (means of its runs), or of one that is named in front, as in "
                      "'results/colr: hr@10 >= 0.5',",
        1),
    {"fidelity", KEY_FIDELITY, NULL, 0,
        "Repeat all runs with other models of the network, and say whether the ranking stays", 2},
    {"by", KEY_BY, "NAME", 0,
        "--fidelity: figure to rank by (default: time to target if all get there, or quality)", 2},
    {"out", 'o', "DIR", 0, "--fidelity: keep the repeated runs in this folder, or go on with those in it", 2},
    {"jobs", 'j', "N", 0, "--fidelity: runs at a time (default: one per core)", 2},
    FRS_CONSENT_ARGP,
    FRS_PLUGIN_ARGP,
    {0},
};

static void append(const char ***list, size_t *n, size_t *capacity, const char *text) {
    *list = frs_grow(*list, *n + 1, capacity, sizeof **list);
    (*list)[(*n)++] = text;
}

static void check(const struct compare_options *options, const struct argp_state *state) {
    if (options->n_entries == 0)
        argp_error(state, "needs run directories, or folders of sweeps");
    if (!options->fidelity && (options->repeat.by || options->repeat.folder || options->repeat.jobs))
        argp_error(state, "--by, --out and --jobs belong to --fidelity");
    if (options->fidelity && options->json)
        argp_error(state, "--fidelity and --json: one of them");
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct compare_options *options = state->input;
    switch (key) {
    case 'T':
        options->target = argument;
        return 0;
    case 'w':
        append(&options->within, &options->n_within, &options->within_capacity, argument);
        return 0;
    case 'a':
        append(&options->across, &options->n_across, &options->across_capacity, argument);
        return 0;
    case 'b':
        options->baseline = argument;
        return 0;
    case 'm':
        append(&options->metrics, &options->n_metrics, &options->metrics_capacity, argument);
        return 0;
    case KEY_CSV:
        options->csv = argument;
        return 0;
    case FRS_KEY_ALLOW_COMMANDS:
        frs_consent_give();
        return 0;
    case FRS_KEY_PLUGIN:
        frs_cli_plugin(argument);
        return 0;
    case FRS_KEY_JSON:
        options->json = true;
        return 0;
    case FRS_KEY_EXPECT:
        frs_expectations_add(&options->expectations, argument);
        return 0;
    case KEY_FIDELITY:
        options->fidelity = true;
        return 0;
    case KEY_BY:
        options->repeat.by = argument;
        return 0;
    case 'o':
        options->repeat.folder = argument;
        return 0;
    case 'j':
        options->repeat.jobs = frs_cli_number(state, "--jobs", argument, 1, 1024);
        return 0;
    case ARGP_KEY_ARG:
        append(&options->entries, &options->n_entries, &options->entries_capacity, argument);
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum frs_status compare(struct compare_options *options, bool *kept, struct frs_errors *errors) {
    struct frs_entries entries;
    json_t *object = NULL;
    enum frs_status status =
        frs_entries_read(options->entries, options->n_entries, options->target, &entries, errors);
    if (status != FRS_OK)
        return status;
    const struct frs_grouping grouping = {
        options->within, options->n_within, options->across, options->n_across};
    const struct frs_compare_options what = {options->metrics, options->n_metrics, options->csv,
        options->baseline, options->json ? &object : NULL};
    status = frs_environments_find(&entries, &grouping, errors);
    if (frs_expectations_parse_for(&options->expectations, &entries, errors) != FRS_OK)
        status = FRS_ERR_INPUT;
    if (status == FRS_OK)
        status = frs_compare(&entries, &what, stdout, errors);
    if (object)
        frs_cli_json_print(object);
    if (status == FRS_OK && options->fidelity) {
        fflush(stdout);
        status = frs_network_robustness(&entries, &options->repeat, stdout, errors);
    }
    if (status == FRS_OK)
        *kept = frs_expectations_of_entries(&options->expectations, &entries, errors);
    frs_entries_fini(&entries);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "RUN|SWEEP|SWEEP:AXIS=LABEL,... ...",
        "Compares runs, or cells of sweeps: quality, time, bytes, what it took to reach a target, "
        "differences to the first one with 95 % intervals, and the Pareto front. Design factors (method, "
        "codec, "
        "adaptation, "
        "rounds, training, observations) are compared under the same environments (network, devices, "
        "losses, data and "
        "all else), unless --within, --across or --baseline say otherwise.\v"
        "Exit codes: 0 done, 1 a repeated run failed, 2 bad input, 3 --expect does not hold, 130 "
        "interrupted.",
        NULL, NULL, NULL};
    struct compare_options options = {.repeat.sections = frs_sections};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    bool kept = true;
    enum frs_status status = compare(&options, &kept, &errors);
    int code =
        frs_expectations_finish(&options.expectations, frs_exit_code(status), kept, options.json, &errors);
    frs_expectations_fini(&options.expectations);
    free(options.entries);
    free(options.metrics);
    free(options.within);
    free(options.across);
    return code;
}

const struct frs_command frs_command_compare = {
    .name = "compare",
    .usage =
        "compare RUN|SWEEP|SWEEP:AXIS=LABEL... [--target TARGET] [--within AXIS]... [--across AXIS]... "
        "[--baseline ENTRY] [--metric NAME]... [--csv FILE] [--json] [--expect EXPECTATION]... [--fidelity]",
    .summary = "runs and sweeps side by side",
    .run = run,
};
