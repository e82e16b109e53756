#include "sim/cli/output/progress.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/terminal.h"
#include "sim/base/settings/units.h"

#include <stdlib.h>
#include <string.h>

#define REDRAW_S 0.1

enum { BAR = 24, LINE = 512 };

struct frs_progress {
    FILE *out;
    size_t n_rounds;
    bool quiet, terminal;
    double start_s, drawn_s;
    size_t done, printed; /* rounds closed, and those at the last line */
    double simulated_s, value;
    const char *metric;
};

struct frs_progress *frs_progress_create(FILE *out, size_t n_rounds, bool quiet) {
    struct frs_progress *progress = frs_alloc(1, sizeof *progress);
    *progress = (struct frs_progress){
        .out = out,
        .n_rounds = n_rounds,
        .quiet = quiet,
        .terminal = !quiet && frs_terminal_redraws(out),
        .start_s = frs_wall_s(),
    };
    return progress;
}

static void describe(const struct frs_progress *progress, char *line, size_t size) {
    char simulated[32], left[32];
    frs_units_format(progress->simulated_s, FRS_TIME, simulated, sizeof simulated);
    int n =
        snprintf(line, size, "round %zu/%zu  simulated %s", progress->done, progress->n_rounds, simulated);
    if (progress->metric)
        n += snprintf(line + n, size - (size_t)n, "  %s %.4f", progress->metric, progress->value);
    if (progress->done == 0 || progress->done >= progress->n_rounds || (size_t)n >= size)
        return;
    double left_s = (frs_wall_s() - progress->start_s) / (double)progress->done *
                    (double)(progress->n_rounds - progress->done);
    snprintf(line + n, size - (size_t)n, "  %s to go", frs_terminal_time_left(left_s, left, sizeof left));
}

/* In a narrow window first the bar is left out, then the end of the line. The last column stays free:
 * writing into it makes some terminals wrap. */
static void draw(struct frs_progress *progress) {
    char line[LINE], bar[BAR + 4] = "";
    describe(progress, line, sizeof line);
    size_t width = frs_terminal_columns(progress->out) - 1, filled = 0;
    if (progress->n_rounds > 0)
        filled = progress->done >= progress->n_rounds ? BAR : progress->done * BAR / progress->n_rounds;
    if (strlen(line) + sizeof bar - 1 <= width) {
        memset(bar, '.', BAR + 2);
        memset(bar + 1, '#', filled);
        bar[0] = '[';
        bar[BAR + 1] = ']';
        bar[BAR + 2] = ' ';
        bar[BAR + 3] = '\0';
    }
    fprintf(progress->out, "\r\033[K%s%.*s", bar, (int)width, line);
    fflush(progress->out);
    progress->printed = progress->done;
}

static void print(struct frs_progress *progress) {
    char line[LINE];
    describe(progress, line, sizeof line);
    fprintf(progress->out, "%s\n", line);
    fflush(progress->out);
    progress->printed = progress->done;
}

static size_t tenths(const struct frs_progress *progress, size_t done) {
    return progress->n_rounds > 0 ? (size_t)((double)done / (double)progress->n_rounds * 10) : 0;
}

void frs_progress_round(
    struct frs_progress *progress, size_t rounds_done, double simulated_s, const char *metric, double value) {
    if (progress->quiet)
        return;
    size_t before = progress->done;
    progress->done = rounds_done;
    progress->simulated_s = simulated_s;
    progress->metric = metric;
    progress->value = value;
    if (progress->terminal) {
        double now = frs_wall_s();
        if (now - progress->drawn_s < REDRAW_S && rounds_done < progress->n_rounds)
            return;
        progress->drawn_s = now;
        draw(progress);
    } else if (rounds_done <= 1 || rounds_done >= progress->n_rounds ||
               tenths(progress, rounds_done) != tenths(progress, before)) {
        print(progress);
    }
}

/* A run may stop before its last round; then the last line is still due. */
void frs_progress_destroy(struct frs_progress *progress) {
    if (progress && !progress->quiet && progress->done > 0) {
        bool due = progress->printed != progress->done;
        if (progress->terminal) {
            if (due)
                draw(progress);
            fputc('\n', progress->out);
        } else if (due) {
            print(progress);
        }
        fflush(progress->out);
    }
    free(progress);
}

/* ---- of a run -------------------------------------------------------------------------------- */

static void begins(void *context, size_t n_rounds) {
    struct frs_progress **progress = context;
    *progress = frs_progress_create(stderr, n_rounds, false);
}

static void round_ends(
    void *context, size_t rounds_done, double simulated_s, const char *metric, double value) {
    struct frs_progress **progress = context;
    frs_progress_round(*progress, rounds_done, simulated_s, metric, value);
}

static void ends(void *context) {
    struct frs_progress **progress = context;
    frs_progress_destroy(*progress);
}

struct frs_watcher frs_progress_watcher(struct frs_progress **progress) {
    return (struct frs_watcher){.context = progress, .begins = begins, .round = round_ends, .ends = ends};
}
