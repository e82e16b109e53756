#include "algorithms/training/training_estimate.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "algorithms/training/effort.h"
#include "algorithms/training/client_update.h"

#include <math.h>
#include <stdlib.h>

struct probe {
    double size; /* of the client's data */
    double kept_bytes;
    struct frs_usage usage;
};

struct frs_training_estimate {
    const struct frs_training_setup *setup;
    struct probe probes[FRS_MAX_PROBES]; /* [n] in ascending size */
    uint32_t clients[FRS_MAX_PROBES], n;
    double weights[FRS_MAX_PROBES];                 /* the share of all clients that each stands for */
    double kept_bytes, wall_s, effort_s, up_values; /* means */
};

struct sized {
    size_t size;
    uint32_t client;
};

static int by_size(const void *a, const void *b) {
    const struct sized *x = a, *y = b;
    if (x->size != y->size)
        return (x->size > y->size) - (x->size < y->size);
    return (x->client > y->client) - (x->client < y->client);
}

static struct sized *sort_clients(const struct frs_population *population) {
    struct sized *sorted = frs_alloc(population->n_clients, sizeof *sorted);
    for (uint32_t i = 0; i < population->n_clients; i++)
        sorted[i] = (struct sized){population->clients[i].n, i};
    qsort(sorted, population->n_clients, sizeof *sorted, by_size);
    return sorted;
}

static struct frs_usage charge_of(const struct frs_client_update *work) {
    struct frs_usage usage = work->usage;
    usage.loss = isfinite(usage.loss) ? usage.loss : 0;
    return usage;
}

/* The k-th of the places 0 … FRS_MAX_PROBES − 1 to be tried: the middle, the ends, then those that halve
 * the gaps, so that the first few of them are always spread over all. */
static const uint32_t places[FRS_MAX_PROBES] = {8, 0, 16, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15};

/* A round in which clients train and send stands for all. */
static void run_probes(struct frs_training_estimate *estimate, const struct sized *sorted, double effort_s,
    struct probe *found, bool *is_found) {
    const struct frs_training_setup *setup = estimate->setup;
    struct frs_downlink *downlink = frs_training_downlink(setup, 0);
    struct frs_client_update_bench bench = {0};
    struct frs_client_update work = {.budget = frs_training_budgets(setup).max};
    uint32_t n_clients = setup->data->population.n_clients;
    frs_downlink_open(downlink, 0);
    struct frs_client_update_order order = {.tables = frs_downlink_tables(downlink),
        .round_seed = frs_downlink_round_seed(downlink),
        .sends = true,
        .forgets = setup->trains_again};
    double began_s = frs_wall_s(), spent_s = 0;
    for (uint32_t i = 0; i < FRS_MAX_PROBES && (i == 0 || spent_s < effort_s); i++) {
        uint32_t place = places[i];
        const struct sized *chosen = &sorted[(uint64_t)place * (n_clients - 1) / (FRS_MAX_PROBES - 1)];
        work.client = chosen->client;
        frs_client_update_run(&work, setup, &order, &bench);
        double kept_bytes = frs_training_gathers(setup) ? 0 : (double)work.kept.n;
        found[place] = (struct probe){(double)chosen->size, kept_bytes, charge_of(&work)};
        spent_s += frs_effort_of_training_s(&work.usage);
        estimate->clients[place] = chosen->client;
        is_found[place] = true;
        estimate->n++;
    }
    estimate->wall_s = (frs_wall_s() - began_s) / estimate->n * (setup->trains_again ? 2 : 1);
    frs_client_update_fini(&work);
    frs_client_update_bench_fini(&bench);
    frs_downlink_destroy(downlink);
}

/* Finds the two tried clients between which a client of this size lies; at the ends both are the same.
 * Returns how near it is to the second, from 0 to 1. */
static double find(
    const struct frs_training_estimate *estimate, double size, uint32_t *first, uint32_t *second) {
    uint32_t next = 0;
    while (next + 1 < estimate->n && estimate->probes[next].size < size)
        next++;
    *second = next;
    *first = next > 0 ? next - 1 : next;
    double from = estimate->probes[*first].size, to = estimate->probes[next].size;
    return to > from ? fmin(fmax((size - from) / (to - from), 0), 1) : 1;
}

static void weigh(struct frs_training_estimate *estimate) {
    const struct frs_population *population = &estimate->setup->data->population;
    for (uint32_t i = 0; i < population->n_clients; i++) {
        uint32_t first, second;
        double share = find(estimate, (double)population->clients[i].n, &first, &second);
        estimate->weights[first] += (1 - share) / population->n_clients;
        estimate->weights[second] += share / population->n_clients;
    }
    for (uint32_t i = 0; i < estimate->n; i++) {
        const struct frs_usage *usage = &estimate->probes[i].usage;
        estimate->effort_s += estimate->weights[i] * frs_effort_of_training_s(usage);
        estimate->up_values += estimate->weights[i] * (double)usage->up_values;
    }
    if (estimate->setup->trains_again)
        estimate->effort_s *= 2;
    for (uint32_t i = 0; i < estimate->n; i++)
        estimate->kept_bytes += estimate->weights[i] * estimate->probes[i].kept_bytes;
}

struct frs_training_estimate *frs_training_estimate_create(
    const struct frs_training_setup *setup, double effort_s) {
    struct frs_training_estimate *estimate = frs_alloc(1, sizeof *estimate);
    struct probe found[FRS_MAX_PROBES];
    bool is_found[FRS_MAX_PROBES] = {false};
    struct sized *sorted = sort_clients(&setup->data->population);
    estimate->setup = setup;
    run_probes(estimate, sorted, effort_s, found, is_found);
    for (uint32_t place = 0, n = 0; place < FRS_MAX_PROBES; place++)
        if (is_found[place]) {
            estimate->clients[n] = estimate->clients[place];
            estimate->probes[n++] = found[place];
        }
    free(sorted);
    weigh(estimate);
    return estimate;
}

void frs_training_estimate_destroy(struct frs_training_estimate *estimate) {
    free(estimate);
}

static double between(double a, double b, double share) {
    return a + (b - a) * share;
}

static size_t whole_between(size_t a, size_t b, double share) {
    return (size_t)llround(between((double)a, (double)b, share));
}

static void shorten(struct frs_usage *usage, uint32_t epochs) {
    double share = (double)epochs / (double)usage->epochs;
    usage->flop = usage->post_flop + (usage->flop - usage->post_flop) * share;
    usage->samples = usage->post_samples + (usage->samples - usage->post_samples) * share;
    usage->cpu_s *= share;
    usage->epochs = epochs;
}

void frs_training_estimate_tell(const struct frs_training_estimate *estimate, uint32_t client,
    uint32_t epochs_limit, struct frs_usage *usage) {
    uint32_t first, second;
    double share =
        find(estimate, (double)estimate->setup->data->population.clients[client].n, &first, &second);
    struct frs_usage x = estimate->probes[first].usage, y = estimate->probes[second].usage;
    for (size_t i = 0; i < FRS_N_USAGE_FIGURES; i++) {
        if (frs_usage_figures[i].kind == FRS_USAGE_DOWNLOAD)
            continue;
        if (frs_usage_is_count(i))
            *frs_usage_count(usage, i) =
                whole_between(*frs_usage_count(&x, i), *frs_usage_count(&y, i), share);
        else
            *frs_usage_real(usage, i) = between(*frs_usage_real(&x, i), *frs_usage_real(&y, i), share);
    }
    usage->epochs = share < 0.5 ? x.epochs : y.epochs; /* those of a real client */
    if (epochs_limit > 0 && epochs_limit < usage->epochs)
        shorten(usage, epochs_limit);
}

double frs_training_estimate_kept_bytes(const struct frs_training_estimate *estimate) {
    return estimate->kept_bytes;
}

double frs_training_estimate_wall_s(const struct frs_training_estimate *estimate) {
    return estimate->wall_s;
}

double frs_training_estimate_effort_s(const struct frs_training_estimate *estimate) {
    return estimate->effort_s;
}

double frs_training_estimate_up_values(const struct frs_training_estimate *estimate) {
    return estimate->up_values;
}

uint32_t frs_training_estimate_clients(
    const struct frs_training_estimate *estimate, const uint32_t **clients, const double **weights) {
    *clients = estimate->clients;
    *weights = estimate->weights;
    return estimate->n;
}
