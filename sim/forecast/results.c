#include "sim/forecast/results.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* Results and a summary (`/usr/bin/time -v` of two runs). */
#define ENDING_BYTES (2.5 * 1024 * 1024)

/* Memory of the page (analysis/report): for a round that is read, for a round that is drawn (at most so
 * many are), less what the simulation has freed by then; measured in runs of 1,000 to 8,000 rounds of five
 * clients on synthetic `small`, with and without a page. For a client, of which its groups are made, less
 * what a round has freed; measured at 300,000 and a million clients. */
#define PAGE_ROUND_BYTES 720
#define PAGE_DRAWN_BYTES 4300
#define PAGE_MOST_DRAWN 2000
#define PAGE_FREED_BYTES 4.4e6
#define PAGE_CLIENT_BYTES 150
#define FREED_PER_PARTICIPATION 1000

double frs_results_memory_bytes(const struct frs_setup *setup, double n_rounds) {
    double page = PAGE_ROUND_BYTES * n_rounds + PAGE_DRAWN_BYTES * fmin(n_rounds, PAGE_MOST_DRAWN),
           clients = PAGE_CLIENT_BYTES * (double)setup->training.data->population.n_clients -
                     FREED_PER_PARTICIPATION * (double)frs_setup_selected(setup);
    return ENDING_BYTES + (setup->report ? fmax(page - PAGE_FREED_BYTES, 0) + fmax(clients, 0) : 0);
}

/* Sizes of a row of clients.csv, for a client that never takes part and for one that does, and of its
 * quality; of the page without rounds, and of a round that it draws; of manifest.json and summary.json.
 * Measured in runs of 1 to 20,000 rounds on synthetic `small`. */
#define ROW_BYTES 85
#define ROW_OF_ACTIVE_BYTES 182
#define QUALITY_BYTES 45
#define CUT_OFF_BYTES 24 /* besides, for each cut-off behind the first */
#define PAGE_DISK_BYTES 430e3
#define PAGE_DRAWN_DISK_BYTES 700
#define OTHER_BYTES 25e3

/* A row of hours.csv (a week and a fortnight of `plan-costs` and `plan-night`). */
#define HOUR_BYTES 75

static double clients_csv_bytes(const struct frs_setup *setup, double n_rounds) {
    double n = setup->training.data->population.n_clients, share = fmin(frs_setup_selected(setup) / n, 1);
    double active = 1 - pow(1 - share, n_rounds);
    double quality = QUALITY_BYTES + CUT_OFF_BYTES * (double)(setup->ranking.n - 1);
    return n *
           (ROW_BYTES + (setup->training.trains ? quality : 0) + active * (ROW_OF_ACTIVE_BYTES - ROW_BYTES));
}

/* Events are counted over all played rounds, whichever of them the run writes. The complete rows of the
 * ledger lag behind by a round or two: rows that were entered have been written. */
static void scale(struct frs_results_size *size, const struct frs_setup *setup,
    const struct frs_pilot_round *last, uint32_t one_in, double n_rounds) {
    if (!last || !(last->n_entered > 0))
        return;
    size->known = true;
    size->rounds_csv = last->rounds_csv_bytes * n_rounds / last->n_entered;
    if (setup->events)
        size->events = last->events_bytes * one_in * ceil(n_rounds / setup->events_every) / last->n_entered;
}

struct frs_results_size frs_results_size(const struct frs_setup *setup, const struct frs_pilot_round *last,
    uint32_t one_in, double n_rounds, double run_s, double checkpoint_bytes) {
    double n_hours = ceil(run_s / 3600) + 1;
    struct frs_results_size size = {.clients_csv = clients_csv_bytes(setup, n_rounds),
        .hours_csv = HOUR_BYTES * n_hours,
        .checkpoints = 2 * checkpoint_bytes};
    if (setup->report)
        size.page = PAGE_DISK_BYTES + PAGE_DRAWN_DISK_BYTES * fmin(n_rounds, PAGE_MOST_DRAWN);
    scale(&size, setup, last, one_in, n_rounds);
    size.all = size.rounds_csv + size.events + size.clients_csv + size.hours_csv + size.page + OTHER_BYTES;
    return size;
}

/* The nearest folder that is there. */
double frs_results_free_bytes(const char *path) {
    struct statvfs status;
    char *folder = frs_strdup(path);
    int found = statvfs(folder, &status);
    while (found != 0 && *folder && strcmp(folder, "/") != 0 && strcmp(folder, ".") != 0) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            strcpy(folder, ".");
        else
            slash[slash == folder] = '\0';
        found = statvfs(folder, &status);
    }
    free(folder);
    return found == 0 ? (double)status.f_bavail * (double)status.f_frsize : INFINITY;
}
