#include "sim/sweep/progress.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/terminal.h"
#include "sim/base/settings/units.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256 };

struct frs_ticker {
    FILE *out;
    bool quiet, terminal, drawn;
    double start_s;
    size_t tenth; /* of the last line printed, counted from 1 */
};

struct frs_ticker *frs_ticker_create(FILE *out, bool quiet) {
    struct frs_ticker *ticker = frs_alloc(1, sizeof *ticker);
    *ticker = (struct frs_ticker){
        .out = out, .quiet = quiet, .terminal = !quiet && frs_terminal_redraws(out), .start_s = frs_wall_s()};
    return ticker;
}

/* "12/24 points done, 1 failed, 2 running, at most 3 min 20.0 s to go" */
static void describe(
    const struct frs_ticker *ticker, const struct frs_schedule_counts *counts, char *line, size_t size) {
    char left[64];
    size_t n =
        (size_t)snprintf(line, size, "%zu/%zu points done", counts->done, counts->points - counts->skipped);
    if (counts->failed > 0)
        n += (size_t)snprintf(line + n, size - n, ", %zu failed", counts->failed);
    if (counts->skipped > 0)
        n += (size_t)snprintf(line + n, size - n, ", %zu not needed", counts->skipped);
    if (counts->running > 0)
        n += (size_t)snprintf(line + n, size - n, ", %zu running", counts->running);
    size_t ended = counts->done - counts->found + counts->failed, open = counts->left + counts->running;
    if (ended == 0 || open == 0)
        return;
    double left_s = (frs_wall_s() - ticker->start_s) / (double)ended * (double)open;
    snprintf(line + n, size - n, ", about %s to go", frs_terminal_time_left(left_s, left, sizeof left));
}

static size_t tenth_of(const struct frs_schedule_counts *counts) {
    size_t ended = counts->done + counts->failed + counts->skipped;
    return counts->points > 0 ? 1 + 10 * ended / counts->points : 0;
}

void frs_ticker_show(struct frs_ticker *ticker, const struct frs_schedule_counts *counts) {
    char line[LINE];
    if (ticker->quiet)
        return;
    describe(ticker, counts, line, sizeof line);
    if (ticker->terminal) {
        fprintf(ticker->out, "\r\033[K%.*s", (int)frs_terminal_columns(ticker->out) - 1, line);
        ticker->drawn = true;
    } else if (tenth_of(counts) != ticker->tenth) {
        fprintf(ticker->out, "%s\n", line);
        ticker->tenth = tenth_of(counts);
    }
    fflush(ticker->out);
}

void frs_ticker_say(struct frs_ticker *ticker, const char *format, ...) {
    va_list arguments;
    if (ticker->drawn)
        fputs("\r\033[K", ticker->out);
    ticker->drawn = false;
    va_start(arguments, format);
    frs_vprint_line(ticker->out, format, arguments);
    va_end(arguments);
    fflush(ticker->out);
}

void frs_ticker_destroy(struct frs_ticker *ticker) {
    if (ticker && ticker->drawn)
        fputc('\n', ticker->out);
    free(ticker);
}
