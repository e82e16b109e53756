/* What `run` and `check` have in common: a scenario file and the options that change it. */
#ifndef FRS_CLI_OPTIONS_H
#define FRS_CLI_OPTIONS_H

#include "sim/base/consent.h"
#include "sim/run/run.h"

#include <argp.h>

struct frs_options {
    const char *file;
    char **sets; /* as after --set; --seed N is "seed=N" */
    size_t n_sets, capacity;
    char *paths[3]; /* behind run.out, run.cache and file */
    struct frs_run_options run;
};

/* The option that gives consent to run code that a scenario names (sim/base/consent.h), for tables of
 * other commands. */
enum { FRS_KEY_ALLOW_COMMANDS = 0x700 };
#define FRS_CONSENT_ARGP                                                                                     \
    { FRS_CONSENT_OPTION, FRS_KEY_ALLOW_COMMANDS, NULL, 0, FRS_CONSENT_HELP, 3 }

/* Argp parsers for one run and for many, with a `struct frs_options` as their input. A subcommand has them
 * as children of its parser. They end the process with 2 on a wrong command line. */
extern const struct argp frs_options_argp, frs_options_sweep_argp;

/* Where it is set, frs_cli_parse hands its table over and ends the process (frs_cli_describe). */
extern void (*frs_cli_instead)(const struct argp *table);

/* Parses the command line of a subcommand, with -h for --help. */
void frs_cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Expands the "~" in --out=~/results, which the shell leaves alone, to the home folder. The result
 * replaces *kept, which the caller frees in the end. */
const char *frs_cli_path(const struct argp_state *state, const char *option, const char *text, char **kept);

/* Adds a --set; takes `text`. */
void frs_options_set(struct frs_options *options, char *text);

void frs_options_fini(struct frs_options *options);

/* Loads the scenario that the options name; NULL after printing what is wrong. */
struct frs_scenario *frs_options_load(const struct frs_options *options);

enum { FRS_MAX_THREADS = 1024, FRS_MAX_POINT = 999999 };

/* The number after an option; ends the process with 2 when it is none from `min` to `max`. */
unsigned long long frs_cli_number(const struct argp_state *state, const char *option, const char *text,
    unsigned long long min, unsigned long long max);

/* Prints `errors` to stderr, empties them, and gives the exit code. */
int frs_cli_finish(enum frs_status status, struct frs_errors *errors);

#endif
