#include "sim/cli/options/live_option.h"
#include "sim/base/memory.h"
#include "sim/cli/options/options.h"
#include "sim/sweep/sweep.h"
#include "sim/live/live.h"
#include "sim/run/begun.h"

#include <stdlib.h>

enum { LEAST_PORT = 1, MOST_PORT = 65535 };

void frs_live_option_parse(
    struct frs_live_option *option, const char *argument, const struct argp_state *state) {
    option->wanted = true;
    option->port = argument ? (unsigned)frs_cli_number(state, "--live", argument, LEAST_PORT, MOST_PORT) : 0;
}

static void run_begins(void *context, const struct frs_run_begun *begun) {
    const struct frs_live_option *option = context;
    frs_live_run(
        option->live, begun->growing, begun->place, begun->method, begun->n_rounds, begun->may_end_early);
}

static void sweep_opened(void *context, const char *folder, size_t at_once) {
    const struct frs_live_option *option = context;
    frs_live_sweep(
        option->live, folder, option->searches, option->elsewhere ? 0 : at_once, option->elsewhere);
}

/* The same command gets the same port, so that a page goes on with a command that is resumed. */
static enum frs_status open_page(struct frs_live_option *option, const char *command, const char *file,
    const char *folder, struct frs_errors *errors) {
    char *key = frs_format("%s %s %s", command, file, folder ? folder : "");
    enum frs_status status = frs_live_open(option->port, key, &option->live, errors);
    free(key);
    return status;
}

enum frs_status frs_live_option_of_run(struct frs_live_option *option, const char *file,
    struct frs_run_options *run, struct frs_errors *errors) {
    if (!option->wanted)
        return FRS_OK;
    run->begins = run_begins;
    run->begins_context = option;
    return open_page(option, "run", file, run->out, errors);
}

enum frs_status frs_live_option_of_sweep(struct frs_live_option *option, const char *command,
    struct frs_sweep_options *sweep, struct frs_errors *errors) {
    if (!option->wanted)
        return FRS_OK;
    sweep->opened = sweep_opened;
    sweep->opened_context = option;
    return open_page(option, command, sweep->request.file, sweep->folder, errors);
}

int frs_live_option_end(struct frs_live_option *option, int code) {
    frs_live_close(option->live, code);
    option->live = NULL;
    return code;
}
