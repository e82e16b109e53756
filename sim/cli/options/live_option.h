/* What the commands that can be followed (`run`, `sweep`, `solve`) have in common: --live. */
#ifndef FRS_CLI_LIVE_OPTION_H
#define FRS_CLI_LIVE_OPTION_H

#include "sim/base/status.h"

#include <argp.h>
#include <stdbool.h>

/* Of --live; other options without a letter begin at 256. */
enum { FRS_KEY_LIVE = 513 };

#define FRS_LIVE_OPTION                                                                                      \
    {                                                                                                        \
        "live", FRS_KEY_LIVE, "PORT", OPTION_ARG_OPTIONAL,                                                   \
            "A page about it while it runs, at the address that is printed; for this machine alone "         \
            "(127.0.0.1). It ends with the command; a page that is open then becomes report.html",           \
            2                                                                                                \
    }

struct frs_live;
struct frs_run_options;
struct frs_sweep_options;

struct frs_live_option {
    bool wanted, searches, elsewhere;
    unsigned port;         /* 0: any that is free */
    struct frs_live *live; /* NULL: not wanted, or not open */
};

/* What --live or --live=PORT says. Ends the process with 2 where it is no port. */
void frs_live_option_parse(
    struct frs_live_option *option, const char *argument, const struct argp_state *state);

/* Starts the page, if it is wanted, and has it told where a run's, or a sweep's, files are. */
enum frs_status frs_live_option_of_run(struct frs_live_option *option, const char *file,
    struct frs_run_options *run, struct frs_errors *errors) FRS_MUST_CHECK;
enum frs_status frs_live_option_of_sweep(struct frs_live_option *option, const char *command,
    struct frs_sweep_options *sweep, struct frs_errors *errors) FRS_MUST_CHECK;

/* The command ends with this code, which is returned. */
int frs_live_option_end(struct frs_live_option *option, int code);

#endif
