/* fedrecsim data: what an interaction file holds, before a run of it. */
#include "algorithms/data/data.h"
#include "algorithms/data/summary.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"
#include "sim/cli/commands.h"
#include "sim/cli/options/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SETS = 64 };

struct data_options {
    const char *file;
    const char *sets[MOST_SETS];
    size_t n_sets;
};

static const struct argp_option options_table[] = {
    {"set", 's', "KEY=VALUE", 0,
        "A key of section data, where the format is not recognised as it should be: format=csv, "
        "csv_user=who, test_path=test.txt, or one of preparation: positive_from=4; may be repeated",
        1},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct data_options *options = state->input;
    switch (key) {
    case 's':
        if (options->n_sets == MOST_SETS)
            argp_error(state, "--set: at most %d", MOST_SETS);
        options->sets[options->n_sets++] = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->file)
            argp_error(state, "one file at a time, found %s and %s (a test file: --set test_path=FILE)",
                options->file, argument);
        options->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!options->file)
            argp_error(state, "needs a file of interactions");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "csv_user=who" or "data.csv_user=who" */
static enum frs_status apply_set(struct frs_values *values, const char *set, struct frs_errors *errors) {
    static const char section[] = "data.";
    const char *name = strncmp(set, section, sizeof section - 1) == 0 ? set + sizeof section - 1 : set,
               *equals = strchr(name, '=');
    char *key = frs_format("%.*s", equals ? (int)(equals - name) : 0, name), reason[256];
    struct frs_value *value = frs_values_find(values, key);
    enum frs_status status = FRS_OK;
    if (!value)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "--set %s: allowed: KEY=VALUE with a key of section data (fedrecsim explain data)", set);
    else if (frs_value_set(value, equals + 1, reason, sizeof reason) != FRS_OK)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "--set %s: %s", set, reason);
    if (value) {
        value->given = true;
        free(value->where);
        value->where = frs_format("--set %s", set);
    }
    free(key);
    return status;
}

static void row(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void row(const char *name, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    frs_print_line(stdout, "  %-14s %s", name, text);
}

/* 1234567 as "1,234,567", in one of four places in turns. */
static const char *grouped(uint64_t n) {
    static char places[4][FRS_TEXT_COUNT_CHARS];
    static unsigned next;
    return frs_text_count(n, places[next++ % 4]);
}

/* Two digits, and no exponent of a share that rounds to all. */
static const char *percent(double share, char text[16]) {
    snprintf(text, 16, "%.*g %%", share < 0.995 ? 2 : 3, 100 * share);
    return text;
}

static void print_counts(const char *name, const struct frs_summary_counts *counts) {
    row(name, "%s, with %s to %s interactions each (median %s)", grouped(counts->n), grouped(counts->least),
        grouped(counts->most), grouped(counts->median));
}

/* Values between the ends that are a step apart and do not occur. */
static void print_gaps(const struct frs_data_summary *summary) {
    char text[256] = "";
    size_t n = 0, n_missing = 0, at = 0;
    double steps = round((summary->most_value - summary->least_value) / summary->step);
    if (!(steps < 200))
        return;
    if (summary->n_values < 2 || steps + 1 > 3 * (double)summary->n_values + 10)
        return; /* no scale, but numbers of all kinds */
    for (size_t i = 0; i <= (size_t)steps && n < sizeof text; i++) {
        double value = summary->least_value + (double)i * summary->step;
        while (at < summary->n_values && summary->values[at].value < value - summary->step / 2)
            at++;
        if (at < summary->n_values && fabs(summary->values[at].value - value) < summary->step / 2)
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%g", n_missing ? ", " : "", value);
        n_missing++;
    }
    if (n_missing > 0)
        row("", "no row has %s", text);
}

static void print_values(const struct frs_data_summary *summary) {
    if (!summary->rated && summary->least_value == summary->most_value) {
        row("values", "none: every row counts as %g", summary->least_value);
        return;
    }
    char steps[128] = "";
    if (summary->n_values != SIZE_MAX && summary->step > 0)
        snprintf(
            steps, sizeof steps, ", %zu different ones, %g apart at least", summary->n_values, summary->step);
    row("values", "%g to %g%s; %s rows have %g, %s have %g", summary->least_value, summary->most_value, steps,
        grouped(summary->n_least_value), summary->least_value, grouped(summary->n_most_value),
        summary->most_value);
    if (*steps)
        print_gaps(summary);
    if (summary->n_not_positive > 0)
        row("", "%s rows are not above 0: no interactions under implicit feedback",
            grouped(summary->n_not_positive));
    if (summary->unrated)
        row("no rating", "%s", summary->unrated);
}

static const char *date(double time, char text[40]) {
    time_t seconds = (time_t)floor(time);
    struct tm parts;
    if (!(time > -1e11 && time < 1e11) || !gmtime_r(&seconds, &parts) ||
        strftime(text, 40, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        snprintf(text, 40, "%.15g", time);
    return text;
}

static void print_times(const struct frs_data_summary *summary) {
    char first[40], last[40];
    if (!summary->timed) {
        row("times", "none: leave-one-out draws the held-out items unless data.order says otherwise");
        return;
    }
    bool of_epoch = summary->first_time >= 1e8;
    if (!of_epoch) {
        snprintf(first, sizeof first, "%.15g", summary->first_time);
        snprintf(last, sizeof last, "%.15g", summary->last_time);
    }
    row("times", "%s to %s", of_epoch ? date(summary->first_time, first) : first,
        of_epoch ? date(summary->last_time, last) : last);
    row("", "the newest time of %s users occurs more than once among their own (data.ties)",
        grouped(summary->n_tied_users));
}

/* The row that reveals swapped columns. */
static void print_first(const struct frs_data_summary *summary) {
    char value[40] = "", time[64] = "", text[40];
    if (summary->rated)
        snprintf(value, sizeof value, ", rating %g", summary->first_value);
    if (summary->time_of_first >= 1e8)
        snprintf(time, sizeof time, ", time %s", date(summary->time_of_first, text));
    else if (!isnan(summary->time_of_first))
        snprintf(time, sizeof time, ", time %.15g", summary->time_of_first);
    row("first row", "user %s, item %s%s%s", summary->first_user, summary->first_item, value, time);
}

/* A key that neither reading nor preparing this file asked for. */
static enum frs_status check_unread(const struct frs_values *values, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < values->n; i++) {
        const struct frs_value *value = &values->values[i];
        if (value->given && !value->read && value->where)
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "%s: has no effect here; allowed: keys of section data that say how this file is read, and "
                "feedback, unrated, positive_from, repeated, min_interactions, min_users_per_item",
                value->where);
    }
    return status;
}

/* "test_path = "…"; min_interactions = 5; ", as far as they are given. */
static char *keys_given(const struct frs_values *values) {
    static const char *const keys[] = {"validation_path", "test_path", "feedback", "unrated", "positive_from",
        "repeated", "min_interactions", "min_users_per_item"};
    char *text = frs_strdup("");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct frs_value *value = frs_values_find(values, keys[i]);
        if (!value->given)
            continue;
        bool number = value->param->type == FRS_INT || value->param->type == FRS_REAL;
        char *written = frs_value_format(value), *longer;
        longer =
            frs_format("%s%s = %s%s%s; ", text, keys[i], number ? "" : "\"", written, number ? "" : "\"");
        free(written);
        free(text);
        text = longer;
    }
    return text;
}

/* What remains under a preparation; NULL: it is not among those of the summary. */
static const struct frs_summary_preparation *find_preparation(
    const struct frs_data_summary *summary, const char *settings) {
    for (size_t i = 0; i < summary->n_preparations; i++)
        if (strcmp(summary->preparations[i].settings, settings) == 0)
            return &summary->preparations[i];
    return NULL;
}

/* "min_interactions = 3; ": the smallest that a run accepts, where the default leaves no user and this leaves
 * some; "" elsewhere. */
static char *least_kept(const struct frs_values *values, const struct frs_data_summary *summary) {
    const struct frs_value *value = frs_values_find(values, "min_interactions");
    char *as_it_is =
             frs_format("min_interactions = %lld", (long long)frs_values_int(values, "min_interactions")),
         *least = frs_format("min_interactions = %zu", summary->least_interactions);
    const struct frs_summary_preparation *now = find_preparation(summary, as_it_is),
                                         *then = find_preparation(summary, least);
    bool helps = !value->given && now && now->users == 0 && then && then->users > 0;
    char *text = helps ? frs_format("%s; ", least) : frs_strdup("");
    free(least);
    free(as_it_is);
    return text;
}

static void print(const struct data_options *options, const struct frs_values *values,
    const struct frs_data_summary *summary) {
    double cells = (double)summary->users.n * summary->items.n;
    size_t distinct = summary->n_rows - summary->n_repeated;
    char share[16];
    frs_print_line(stdout, "%s: %s", options->file, summary->layout);
    print_first(summary);
    print_counts("users", &summary->users);
    print_counts("items", &summary->items);
    row("pairs", "%s of a user and an item, %s of all; %s rows repeat one", grouped(distinct),
        percent((double)distinct / cells, share), grouped(summary->n_repeated));
    if (summary->n_given[1] > 0)
        row("given split", "%s rows of validation, %s of test", grouped(summary->n_given[0]),
            grouped(summary->n_given[1]));
    print_values(summary);
    print_times(summary);
    for (const char *note = summary->notes; note && *note;) {
        size_t n = strcspn(note + 2, ";");
        row("note", "%.*s", (int)n, note + 2);
        note += 2 + n;
    }
    printf("What remains of it (values above 0, the newest of repeated pairs):\n");
    for (size_t i = 0; i < summary->n_preparations; i++) {
        const struct frs_summary_preparation *of = &summary->preparations[i];
        if (of->users == 0)
            frs_print_line(stdout, "  %-46s nothing: a run refuses it", of->settings);
        else
            frs_print_line(stdout, "  %-46s %s users, %s items, %s interactions", of->settings,
                grouped(of->users), grouped(of->items), grouped(of->interactions));
    }
    printf("For a scenario:\n");
    char *keys = keys_given(values), *least = least_kept(values, summary);
    frs_print_line(
        stdout, "data = { path = \"%s\"; %s%s%s };", options->file, keys, least, summary->settings);
    free(least);
    free(keys);
}

static int run(int argc, char **argv) {
    static const struct argp argp = {options_table, parse, "FILE",
        "Says what a file of interactions holds: its format, users, items, values and times, what remains "
        "under usual preparations, and what to put into a scenario.\v"
        "Exit codes: 0 done, 2 bad input.",
        NULL, NULL, NULL};
    struct data_options options = {0};
    struct frs_errors errors = {0};
    struct frs_data_summary summary;
    enum frs_status status = FRS_OK;
    frs_cli_parse(&argp, argc, argv, &options);
    const char *const path[] = {"path", options.file, NULL};
    struct frs_values values = frs_values_of(frs_data_params, path);
    free(values.section);
    values.section = frs_strdup("data");
    for (size_t i = 0; i < options.n_sets; i++)
        if (apply_set(&values, options.sets[i], &errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    if (status == FRS_OK)
        status = frs_data_summarise(&values, &summary, &errors);
    if (status == FRS_OK) {
        status = check_unread(&values, &errors);
        if (status == FRS_OK)
            print(&options, &values, &summary);
        frs_data_summary_fini(&summary);
    }
    frs_values_fini(&values);
    return frs_cli_finish(status, &errors);
}

const struct frs_command frs_command_data = {
    .name = "data",
    .usage = "data FILE [--set KEY=VALUE]…",
    .summary = "what a file of interactions holds",
    .run = run,
};
