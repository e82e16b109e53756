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
    struct frs_charge charge;
};

struct frs_foresight {
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

static struct frs_charge charge_of(const struct frs_work *work) {
    struct frs_charge charge = work->charge;
    charge.loss = isfinite(charge.loss) ? charge.loss : 0;
    return charge;
}

/* The k-th of the places 0 … FRS_MAX_PROBES − 1 to be looked at: the middle, the ends, then what halves the gaps, so
 * that any first few of them are spread over all. */
static const uint32_t places[FRS_MAX_PROBES] = {8, 0, 16, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15};

/* A round in which clients train and send stands for all. */
static void run_probes(struct frs_foresight *foresight, const struct sized *sorted, double effort_s,
    struct probe *found, bool *is_found) {
    const struct frs_training_setup *setup = foresight->setup;
    struct frs_downlink *downlink = frs_training_downlink(setup, 0);
    struct frs_workbench bench = {0};
    struct frs_work work = {.budget = frs_training_budgets(setup).max};
    uint32_t n_clients = setup->data->population.n_clients;
    frs_downlink_open(downlink, 0);
    struct frs_work_order order = {.tables = frs_downlink_tables(downlink),
        .round_seed = frs_downlink_round_seed(downlink),
        .sends = true,
        .forgets = setup->trains_again};
    double began_s = frs_wall_s(), spent_s = 0;
    for (uint32_t i = 0; i < FRS_MAX_PROBES && (i == 0 || spent_s < effort_s); i++) {
        uint32_t place = places[i];
        const struct sized *chosen = &sorted[(uint64_t)place * (n_clients - 1) / (FRS_MAX_PROBES - 1)];
        work.client = chosen->client;
        frs_work_run(&work, setup, &order, &bench);
        double kept_bytes = frs_training_gathers(setup) ? 0 : (double)work.kept.n;
        found[place] = (struct probe){(double)chosen->size, kept_bytes, charge_of(&work)};
        spent_s += frs_effort_of_training_s(&work.charge);
        foresight->clients[place] = chosen->client;
        is_found[place] = true;
        foresight->n++;
    }
    foresight->wall_s = (frs_wall_s() - began_s) / foresight->n * (setup->trains_again ? 2 : 1);
    frs_work_fini(&work);
    frs_workbench_fini(&bench);
    frs_downlink_destroy(downlink);
}

/* Whom a client of this size lies between, which are the same at the ends; returns how near to the second, from 0 to 1. */
static double find(const struct frs_foresight *foresight, double size, uint32_t *first, uint32_t *second) {
    uint32_t next = 0;
    while (next + 1 < foresight->n && foresight->probes[next].size < size)
        next++;
    *second = next;
    *first = next > 0 ? next - 1 : next;
    double from = foresight->probes[*first].size, to = foresight->probes[next].size;
    return to > from ? fmin(fmax((size - from) / (to - from), 0), 1) : 1;
}

static void weigh(struct frs_foresight *foresight) {
    const struct frs_population *population = &foresight->setup->data->population;
    for (uint32_t i = 0; i < population->n_clients; i++) {
        uint32_t first, second;
        double share = find(foresight, (double)population->clients[i].n, &first, &second);
        foresight->weights[first] += (1 - share) / population->n_clients;
        foresight->weights[second] += share / population->n_clients;
    }
    for (uint32_t i = 0; i < foresight->n; i++) {
        const struct frs_charge *charge = &foresight->probes[i].charge;
        foresight->effort_s += foresight->weights[i] * frs_effort_of_training_s(charge);
        foresight->up_values += foresight->weights[i] * (double)charge->up_values;
    }
    if (foresight->setup->trains_again)
        foresight->effort_s *= 2;
    for (uint32_t i = 0; i < foresight->n; i++)
        foresight->kept_bytes += foresight->weights[i] * foresight->probes[i].kept_bytes;
}

struct frs_foresight *frs_foresight_create(const struct frs_training_setup *setup, double effort_s) {
    struct frs_foresight *foresight = frs_alloc(1, sizeof *foresight);
    struct probe found[FRS_MAX_PROBES];
    bool is_found[FRS_MAX_PROBES] = {false};
    struct sized *sorted = sort_clients(&setup->data->population);
    foresight->setup = setup;
    run_probes(foresight, sorted, effort_s, found, is_found);
    for (uint32_t place = 0, n = 0; place < FRS_MAX_PROBES; place++)
        if (is_found[place]) {
            foresight->clients[n] = foresight->clients[place];
            foresight->probes[n++] = found[place];
        }
    free(sorted);
    weigh(foresight);
    return foresight;
}

void frs_foresight_destroy(struct frs_foresight *foresight) {
    free(foresight);
}

static double between(double a, double b, double share) {
    return a + (b - a) * share;
}

static size_t whole_between(size_t a, size_t b, double share) {
    return (size_t)llround(between((double)a, (double)b, share));
}

static void shorten(struct frs_charge *charge, uint32_t epochs) {
    double share = (double)epochs / (double)charge->epochs;
    charge->flop = charge->post_flop + (charge->flop - charge->post_flop) * share;
    charge->samples = charge->post_samples + (charge->samples - charge->post_samples) * share;
    charge->cpu_s *= share;
    charge->epochs = epochs;
}

void frs_foresight_tell(const struct frs_foresight *foresight, uint32_t client, uint32_t epochs_limit,
    struct frs_charge *charge) {
    uint32_t first, second;
    double share =
        find(foresight, (double)foresight->setup->data->population.clients[client].n, &first, &second);
    struct frs_charge x = foresight->probes[first].charge, y = foresight->probes[second].charge;
    for (size_t i = 0; i < FRS_N_CHARGE_FIGURES; i++) {
        if (frs_charge_figures[i].kind == FRS_CHARGE_DOWNLOAD)
            continue;
        if (frs_charge_is_count(i))
            *frs_charge_count(charge, i) =
                whole_between(*frs_charge_count(&x, i), *frs_charge_count(&y, i), share);
        else
            *frs_charge_real(charge, i) = between(*frs_charge_real(&x, i), *frs_charge_real(&y, i), share);
    }
    charge->epochs = share < 0.5 ? x.epochs : y.epochs; /* somebody's */
    if (epochs_limit > 0 && epochs_limit < charge->epochs)
        shorten(charge, epochs_limit);
}

double frs_foresight_kept_bytes(const struct frs_foresight *foresight) {
    return foresight->kept_bytes;
}

double frs_foresight_wall_s(const struct frs_foresight *foresight) {
    return foresight->wall_s;
}

double frs_foresight_effort_s(const struct frs_foresight *foresight) {
    return foresight->effort_s;
}

double frs_foresight_up_values(const struct frs_foresight *foresight) {
    return foresight->up_values;
}

uint32_t frs_foresight_clients(
    const struct frs_foresight *foresight, const uint32_t **clients, const double **weights) {
    *clients = foresight->clients;
    *weights = foresight->weights;
    return foresight->n;
}
