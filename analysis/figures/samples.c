#include "analysis/figures/samples.h"
#include "analysis/read/files.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More clients than any run can have. */
static const double most_clients = 1e8;

enum { CLIENT, PARTICIPATIONS, FIRST_PHASE };

/* What a participation consists of until its upload has ended. */
static const char *const columns[] = {"client", "participations", "setup_s", "retry_s", "down_s", "queue_s",
    "compute_s", "up_s", "waited_latency_s"};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void add(struct frs_sample *sample, double value) {
    sample->values = frs_grow(sample->values, sample->n + 1, &sample->capacity, sizeof *sample->values);
    sample->values[sample->n++] = value;
}

static double *of_client(struct frs_sample *sample, size_t client) {
    while (sample->n <= client)
        add(sample, 0);
    return &sample->values[client];
}

static enum frs_status add_rounds(
    struct frs_samples *samples, const struct frs_records *rounds, struct frs_errors *errors) {
    double *durations;
    enum frs_status status = frs_records_numbers(rounds, "duration_s", &durations, errors);
    for (size_t i = 0; i < rounds->n && status == FRS_OK; i++)
        if (isfinite(durations[i]))
            add(&samples->rounds, durations[i]);
    free(durations);
    return status;
}

/* ---- clients.csv ---- */

static bool is_wanted(const void *context, const char *name) {
    const struct frs_samples *samples = context;
    bool wanted = samples->measure && strcmp(samples->measure, name) == 0;
    for (size_t i = 0; i < N_COLUMNS && !wanted; i++)
        wanted = strcmp(columns[i], name) == 0;
    return wanted;
}

static bool has_column(const struct frs_records *records, const char *name) {
    for (size_t i = 0; i < records->n_columns; i++)
        if (strcmp(records->names[i], name) == 0)
            return true;
    return false;
}

static enum frs_status add_row(struct frs_samples *samples, const struct frs_records *clients, size_t row,
    const size_t *places, size_t measure, struct frs_errors *errors) {
    double values[N_COLUMNS], quality = NAN, seconds = 0;
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < N_COLUMNS && status == FRS_OK; i++)
        status = frs_records_number(clients, row, places[i], &values[i], errors);
    if (status == FRS_OK && measure < clients->n_columns)
        status = frs_records_number(clients, row, measure, &quality, errors);
    if (status != FRS_OK)
        return status;
    for (size_t i = FIRST_PHASE; i < N_COLUMNS; i++)
        seconds += values[i];
    if (values[PARTICIPATIONS] > 0 && isfinite(seconds))
        add(&samples->clients, seconds / values[PARTICIPATIONS]);
    if (!isfinite(quality))
        return FRS_OK;
    if (!(values[CLIENT] >= 0 && values[CLIENT] < most_clients))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: client: is no number of a client",
            clients->path, frs_records_line(clients, row));
    *of_client(&samples->quality, (size_t)values[CLIENT]) += quality;
    ++*of_client(&samples->runs, (size_t)values[CLIENT]);
    return FRS_OK;
}

static enum frs_status add_clients(struct frs_samples *samples, const char *path, struct frs_errors *errors) {
    struct frs_records clients;
    size_t places[N_COLUMNS], measure;
    enum frs_status status = frs_records_read_columns(path, is_wanted, samples, &clients, errors);
    if (status != FRS_OK)
        return status;
    measure = clients.n_columns;
    for (size_t i = 0; i < N_COLUMNS && status == FRS_OK; i++)
        status = frs_records_column(&clients, columns[i], &places[i], errors);
    if (status == FRS_OK && samples->measure && has_column(&clients, samples->measure))
        status = frs_records_column(&clients, samples->measure, &measure, errors);
    for (size_t row = 0; row < clients.n && status == FRS_OK; row++)
        status = add_row(samples, &clients, row, places, measure, errors);
    frs_records_fini(&clients);
    return status;
}

enum frs_status frs_samples_add(struct frs_samples *samples, const struct frs_run_results *run,
    const char *quality, struct frs_errors *errors) {
    enum frs_status status = add_rounds(samples, &run->rounds, errors);
    if (quality && !samples->measure)
        samples->measure =
            strncmp(quality, "hr@", 3) == 0 ? frs_format("ndcg@%s", quality + 3) : frs_strdup(quality);
    char *path = frs_format("%s/clients.csv", run->path);
    if (status == FRS_OK && frs_contents_exist(path))
        status = add_clients(samples, path, errors);
    free(path);
    return status;
}

void frs_samples_fini(struct frs_samples *samples) {
    free(samples->rounds.values);
    free(samples->clients.values);
    free(samples->quality.values);
    free(samples->runs.values);
    free(samples->measure);
    *samples = (struct frs_samples){0};
}
