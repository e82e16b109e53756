#include "sim/results/usual_usage.h"

#include <math.h>

static double size_of(const struct frs_setup *setup, uint32_t client) {
    return (double)setup->training.data->population.clients[client].n;
}

/* Least squares, every participation counting once. `sum`: over those of one client. */
static void add(struct frs_usual_line *line, double sum, double off) {
    line->at_mean += sum;
    line->slope += sum * off;
}

static void finish(struct frs_usual_line *line, double n, double spread) {
    line->at_mean /= n;
    line->slope = spread > 0 ? line->slope / spread : 0;
}

struct frs_usual_usage frs_usual_usage(const struct frs_setup *setup, const struct frs_ledger *ledger) {
    struct frs_usual_usage usual = {.setup = setup};
    uint32_t n_clients = setup->training.data->population.n_clients;
    double spread = 0;
    for (uint32_t client = 0; client < n_clients; client++) {
        double n = frs_ledger_client(ledger, client)->delivered;
        usual.n += n;
        usual.mean_size += n * size_of(setup, client);
    }
    if (usual.n == 0)
        return usual;
    usual.mean_size /= usual.n;
    for (uint32_t client = 0; client < n_clients; client++) {
        const struct frs_client_row *row = frs_ledger_client(ledger, client);
        double n = row->delivered, off = size_of(setup, client) - usual.mean_size;
        if (n == 0)
            continue;
        add(&usual.down_bytes, (double)row->used_down_bytes, off);
        add(&usual.up_bytes, (double)row->used_up_bytes, off);
        add(&usual.flop, row->used_compute_flop, off);
        add(&usual.samples, row->used_compute_samples, off);
        spread += n * off * off;
    }
    finish(&usual.down_bytes, usual.n, spread);
    finish(&usual.up_bytes, usual.n, spread);
    finish(&usual.flop, usual.n, spread);
    finish(&usual.samples, usual.n, spread);
    return usual;
}

static double at(const struct frs_usual_line *line, double off) {
    return fmax(line->at_mean + line->slope * off, 0);
}

void frs_usual_usage_tell(const void *context, uint32_t client, struct frs_usage *usage) {
    const struct frs_usual_usage *usual = context;
    double off = size_of(usual->setup, client) - usual->mean_size;
    usage->down_bytes = (uint64_t)llround(at(&usual->down_bytes, off));
    usage->up_bytes = (uint64_t)llround(at(&usual->up_bytes, off));
    usage->flop = at(&usual->flop, off);
    usage->samples = at(&usual->samples, off);
}
