/* By count: an upload counts by the rounds that there have been over those in which its client has uploaded,
 * an estimate of the inverse of how often it does. */
#include "algorithms/correction.h"
#include "sim/base/files/archive.h"
#include "sim/base/memory.h"
#include "sim/plugins/table.h"

/* Uploads of each client so far, [n_clients]. */
static void *create(const struct frs_values *values, uint32_t n_clients) {
    (void)values;
    return frs_alloc(n_clients, sizeof(uint32_t));
}

static void archive(void *state, uint32_t n_clients, struct frs_archive *archive) {
    frs_archive_bytes(archive, state, n_clients * sizeof(uint32_t));
}

static void weigh(void *state, const struct frs_correction_request *request, double *weights) {
    uint32_t *uploads = state;
    for (size_t i = 0; i < request->n; i++) {
        uint32_t n = ++uploads[request->clients[i]];
        weights[i] = (double)(request->round + 1) / n;
    }
}

static const struct frs_correction by_count = {
    .plugin = {.name = "by_count",
        .summary = "an upload counts by the rounds so far over those in which its client has uploaded",
        .source = "an example"},
    .divides_by_all = true,
    .create = create,
    .archive = archive,
    .weigh = weigh,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .corrections = (const struct frs_correction *const[]){&by_count, NULL},
};
