/* fedrecsim calibrate: what a scenario says of its clients, from what was measured. */
#include "analysis/calibration/against.h"
#include "analysis/calibration/calibrate.h"
#include "analysis/read/files.h"
#include "analysis/read/records.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/calibrate_device.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_FLOP = 256, KEY_DEVICE, KEY_METHOD, KEY_BATCH, KEY_AGAINST };

struct calibrate_options {
    const char *log, *out, *table, *against;
    const char **columns; /* borrowed from the command line */
    size_t columns_capacity;
    struct frs_log_options reading;
    double flop;
    bool device;
    struct frs_device_options of_device;
    char *paths[3]; /* behind out, table and against */
};

static const struct argp_option options_table[] = {
    {"column", 'c', "NAME=COLUMN", 0,
        "Which column is one of those that are known: 'class=access', 'duration_s=latency'; "
        "'class=access+limit' for both together; may be repeated",
        1},
    {"class", 'k', "NAME", 0, "Only the clients of this class", 1},
    {"direction", 'd', "down|up", 0, "Where the transfers go, if the log does not say (default: down)", 1},
    {"flop", KEY_FLOP, "N", 0,
        "Of a log of rounds: speeds instead of times, for participations of N operations as `check` counts "
        "them",
        1},
    {"device", KEY_DEVICE, NULL, 0,
        "Without a log: measure how long this machine takes for the operations of every method", 1},
    {"method", KEY_METHOD, "NAME", 0, "--device: only this method", 1},
    {"batch", KEY_BATCH, "N", 0,
        "--device: for training in batches of N samples (default: each method's usual number)", 1},
    {"against", KEY_AGAINST, "RUN", 0,
        "Of a log of rounds: only put its rounds beside those of this run, with their coverage", 1},
    {"quiet", 'q', NULL, 0, "--device: no progress", 2},
    {"out", 'o', "FILE", 0, "Write the fragment into a file, and print its comments", 2},
    {"table", 't', "FILE", 0,
        "Write a row for each client into a table, which the fragment draws clients from", 2},
    {0},
};

static void take_direction(
    const struct argp_state *state, struct calibrate_options *options, const char *text) {
    bool up = strcmp(text, "up") == 0;
    if (!up && strcmp(text, "down") != 0)
        argp_error(state, "--direction %s: allowed: down or up", text);
    options->reading.direction = up ? FRS_LOG_UP : FRS_LOG_DOWN;
}

static void take_file(
    const struct argp_state *state, const char *option, const char *text, char **kept, const char **file) {
    if (!*text)
        argp_error(state, "%s: needs the name of a file", option);
    *file = frs_cli_path(state, option, text, kept);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct calibrate_options *options = state->input;
    struct frs_log_options *reading = &options->reading;
    switch (key) {
    case 'c':
        options->columns = frs_grow(
            options->columns, reading->n_columns + 1, &options->columns_capacity, sizeof *options->columns);
        options->columns[reading->n_columns++] = argument;
        return 0;
    case 'k':
        reading->only = argument;
        return 0;
    case 'd':
        take_direction(state, options, argument);
        return 0;
    case KEY_FLOP:
        options->flop = (double)frs_cli_number(state, "--flop", argument, 1, 1000000000000000000);
        return 0;
    case KEY_AGAINST:
        take_file(state, "--against", argument, &options->paths[2], &options->against);
        return 0;
    case KEY_DEVICE:
        options->device = true;
        return 0;
    case KEY_METHOD:
        options->of_device.method = argument;
        return 0;
    case KEY_BATCH:
        options->of_device.batch = (int)frs_cli_number(state, "--batch", argument, 1, 1 << 20);
        return 0;
    case 'q':
        options->of_device.quiet = true;
        return 0;
    case 'o':
        take_file(state, "--out", argument, &options->paths[0], &options->out);
        return 0;
    case 't':
        take_file(state, "--table", argument, &options->paths[1], &options->table);
        return 0;
    case ARGP_KEY_ARG:
        if (options->log)
            argp_error(state, "one log at a time");
        options->log = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->log && !options->device)
            argp_error(state, "needs a log: a CSV file; or --device");
        if (options->device &&
            (options->log || options->table || reading->only || reading->n_columns || options->flop > 0))
            argp_error(state, "--device needs no log, and takes --method, --batch, --out and --quiet alone");
        if (!options->device &&
            (options->of_device.method || options->of_device.batch > 0 || options->of_device.quiet))
            argp_error(state, "--method, --batch and --quiet belong to --device");
        if (options->against && (options->device || options->out || options->table || options->flop > 0))
            argp_error(state, "--against fits nothing, and takes a log, --column and --class alone");
        if (options->out && options->table && strcmp(options->out, options->table) == 0)
            argp_error(state, "--out and --table name the same file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A file that this program did not write is never replaced. */
static enum frs_status refuse_foreign(const char *path, struct frs_errors *errors) {
    char *text = NULL;
    if (!path || !frs_contents_exist(path))
        return FRS_OK;
    enum frs_status status = frs_contents_read(path, &text, errors);
    if (status == FRS_OK && !frs_calibration_is_ours(text))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: exists, and `fedrecsim calibrate` did not write it; allowed: another name", path);
    free(text);
    return status;
}

/* Comments without their sign. */
static void print_comments(const char *fragment) {
    for (const char *line = fragment; *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "//", 2) == 0)
            printf("%.*s\n", (int)strcspn(line, "\n") - (line[2] == ' ' ? 3 : 2),
                line + (line[2] == ' ' ? 3 : 2));
}

/* The fragment into memory: nothing is written before all of it is known. */
static enum frs_status make_fragment(const struct calibrate_options *options, const struct frs_log *log,
    FILE *table, char **fragment, struct frs_errors *errors) {
    size_t size = 0;
    FILE *text = open_memstream(fragment, &size);
    if (!text)
        frs_memory_exhausted();
    const struct frs_calibrate_options what = {options->log, text, table, options->table, options->flop};
    enum frs_status status = options->device ? frs_calibrate_device(&options->of_device, text, errors)
                                             : frs_calibrate(log, &what, errors);
    if (fclose(text) != 0)
        frs_memory_exhausted();
    return status;
}

static enum frs_status write_files(
    const struct calibrate_options *options, const struct frs_log *log, struct frs_errors *errors) {
    char *fragment = NULL;
    struct frs_draft table = {0}, out = {0};
    enum frs_status status = options->table ? frs_draft_open(&table, options->table, errors) : FRS_OK;
    if (status == FRS_OK && options->out)
        status = frs_draft_open(&out, options->out, errors);
    if (status == FRS_OK)
        status = make_fragment(options, log, table.file, &fragment, errors);
    if (status == FRS_OK && options->table)
        status = frs_draft_commit(&table, errors);
    if (status == FRS_OK && options->out) {
        fputs(fragment, out.file);
        status = frs_draft_commit(&out, errors);
    }
    if (status == FRS_OK && options->out)
        print_comments(fragment);
    else if (status == FRS_OK)
        fputs(fragment, stdout);
    frs_draft_discard(&table);
    frs_draft_discard(&out);
    free(fragment);
    return status;
}

/* Durations of the rounds that were kept. */
static enum frs_status read_durations(
    const char *run, double **seconds, size_t *n, struct frs_errors *errors) {
    struct frs_records rounds;
    size_t duration, lost;
    char *path = frs_format("%s/rounds.csv", run);
    enum frs_status status = frs_records_read(path, &rounds, errors);
    free(path);
    if (status != FRS_OK)
        return status;
    *seconds = frs_alloc(rounds.n + 1, sizeof **seconds);
    status = frs_records_column(&rounds, "duration_s", &duration, errors);
    if (status == FRS_OK)
        status = frs_records_column(&rounds, "lost", &lost, errors);
    for (size_t row = 0; row < rounds.n && status == FRS_OK; row++)
        if (!*frs_records_field(&rounds, row, lost))
            status = frs_records_number(&rounds, row, duration, &(*seconds)[(*n)++], errors);
    if (status == FRS_OK && *n == 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s/rounds.csv: has no round that was kept", run);
    frs_records_fini(&rounds);
    return status;
}

static enum frs_status put_beside(
    const struct calibrate_options *options, const struct frs_log *log, struct frs_errors *errors) {
    double *seconds = NULL;
    size_t n = 0;
    if (!log->of_rounds)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--against belongs to a log of rounds, and %s is one of transfers", options->log);
    enum frs_status status = read_durations(options->against, &seconds, &n, errors);
    if (status == FRS_OK) {
        struct frs_rounds_beside beside = frs_rounds_beside(log, seconds, n);
        frs_rounds_beside_print(&beside, stdout);
    }
    free(seconds);
    return status;
}

static enum frs_status calibrate(const struct calibrate_options *options, struct frs_errors *errors) {
    struct frs_log log = {0};
    enum frs_status status =
        options->device ? FRS_OK : frs_log_read(&log, options->log, &options->reading, errors);
    if (status == FRS_OK)
        status = refuse_foreign(options->out, errors);
    if (status == FRS_OK)
        status = refuse_foreign(options->table, errors);
    if (status == FRS_OK && !log.of_rounds && options->flop > 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "--flop belongs to a log of rounds, and %s is one of transfers", options->log);
    if (status == FRS_OK)
        status = options->against ? put_beside(options, &log, errors) : write_files(options, &log, errors);
    frs_log_fini(&log);
    return status;
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "[LOG.csv]",
        "Fits what a scenario says of its clients to what was measured: links to a log of transfers (columns "
        "client or "
        "session, class, direction, size_bytes, duration_s), times, and rounds, to a log of rounds (client, "
        "round, "
        "duration_s, "
        "class). Prints a fragment of a scenario; its comments say how well it predicts what was held out, "
        "and what the "
        "log cannot tell. With --device: speeds from this machine's own time for the training of every "
        "method.\v"
        "Exit codes: 0 done, 1 a file could not be written, 2 bad input.",
        NULL, NULL, NULL};
    struct calibrate_options options = {0};
    struct frs_errors errors = {0};
    frs_cli_parse(&argp, argc, argv, &options);
    options.reading.columns = options.columns;
    int code = frs_cli_finish(calibrate(&options, &errors), &errors);
    free(options.columns);
    free(options.paths[0]);
    free(options.paths[1]);
    free(options.paths[2]);
    return code;
}

const struct frs_command frs_command_calibrate = {
    .name = "calibrate",
    .usage = "calibrate LOG.csv [--column NAME=COLUMN]... [--class NAME] [--direction down|up] [--flop N] "
             "[--out FILE] [--table FILE] [--against RUN] | --device [--method NAME] [--batch N]",
    .summary = "links and speeds of a scenario from what was measured",
    .run = run,
};
