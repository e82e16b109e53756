#include "sim/ledger/client_periods.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>

const char *const frs_client_figure_names[FRS_N_CLIENT_FIGURES] = {[FRS_CLIENT_BYTES] = "bytes",
    [FRS_CLIENT_ENERGY] = "energy_j",
    [FRS_CLIENT_BUSY] = "busy_s",
    [FRS_CLIENT_PARTICIPATIONS] = "participations",
    [FRS_CLIENT_METERED] = "metered_bytes"};

struct account {
    double period; /* the one that is being filled, counted from 0 */
    double now[FRS_N_CLIENT_FIGURES], most[FRS_N_CLIENT_FIGURES];
};

struct frs_client_periods {
    double period_s;
    uint32_t n_clients;
    struct account **accounts; /* [n_clients] NULL: never selected, as most of a million may be */
};

struct frs_client_periods *frs_client_periods_create(uint32_t n_clients, double period_s) {
    struct frs_client_periods *periods = frs_alloc(1, sizeof *periods);
    *periods = (struct frs_client_periods){.period_s = period_s, .n_clients = n_clients};
    periods->accounts = frs_alloc(n_clients, sizeof *periods->accounts);
    return periods;
}

void frs_client_periods_destroy(struct frs_client_periods *periods) {
    if (!periods)
        return;
    for (uint32_t client = 0; client < periods->n_clients; client++)
        free(periods->accounts[client]);
    free(periods->accounts);
    free(periods);
}

static double bytes_of(const struct frs_participation *p) {
    const struct frs_participation_result *r = &p->result;
    uint64_t bytes = r->down_crossed_bytes + r->up_crossed_bytes + r->setup_down_bytes + r->setup_up_bytes +
                     r->resent_down_bytes + r->resent_up_bytes + r->peers.up_bytes + r->peers.down_bytes;
    for (size_t i = 0; i < r->n_asides; i++)
        bytes += r->asides[i].down_bytes + r->asides[i].up_bytes + r->asides[i].setup_down_bytes +
                 r->asides[i].setup_up_bytes;
    return (double)bytes;
}

static double metered_bytes_of(const struct frs_participation *p) {
    uint64_t bytes = p->result.metered_down_bytes + p->result.metered_up_bytes;
    for (size_t i = 0; i < p->result.n_asides; i++)
        bytes += p->result.asides[i].metered_down_bytes + p->result.asides[i].metered_up_bytes;
    return (double)bytes;
}

/* Exchanges around the upload included. */
static double busy_s(const struct frs_participation *p) {
    double from_s = p->times.started_s, to_s = frs_participation_left_s(p);
    if (p->post.outcome != FRS_POST_NONE)
        to_s = fmax(to_s, p->post.end_s);
    for (size_t i = 0; i < p->result.n_asides; i++) {
        from_s = fmin(from_s, p->result.asides[i].from_s);
        to_s = fmax(to_s, p->result.asides[i].to_s);
    }
    return to_s > from_s ? to_s - from_s : 0; /* NaN: it never began */
}

void frs_client_figures_of(const struct frs_participation *p, double figures[]) {
    bool idle = p->plan.unreachable || p->plan.refused || !isfinite(p->times.started_s);
    figures[FRS_CLIENT_BYTES] = bytes_of(p);
    figures[FRS_CLIENT_ENERGY] = p->result.energy_j;
    figures[FRS_CLIENT_BUSY] = idle ? 0 : busy_s(p);
    figures[FRS_CLIENT_PARTICIPATIONS] = !idle;
    figures[FRS_CLIENT_METERED] = metered_bytes_of(p);
}

void frs_client_periods_add(struct frs_client_periods *periods, const struct frs_participation *p) {
    struct account **slot = &periods->accounts[p->client], *account = *slot;
    double period = floor(p->times.selected_s / periods->period_s), figures[FRS_N_CLIENT_FIGURES];
    if (!account)
        account = *slot = frs_alloc(1, sizeof *account);
    frs_client_figures_of(p, figures);
    for (size_t i = 0; i < FRS_N_CLIENT_FIGURES; i++) {
        account->now[i] = account->period == period ? account->now[i] + figures[i] : figures[i];
        account->most[i] = fmax(account->most[i], account->now[i]);
    }
    account->period = period;
}

double frs_client_periods_most(
    const struct frs_client_periods *periods, uint32_t client, enum frs_client_figure figure) {
    const struct account *account = periods->accounts[client];
    return account ? account->most[figure] : 0;
}

/* Clients that were never selected come first in the order, without being sorted. */
struct frs_client_spread frs_client_periods_spread(
    const struct frs_client_periods *periods, enum frs_client_figure figure) {
    struct frs_client_spread spread = {0};
    double *most = frs_alloc(periods->n_clients, sizeof *most), sum = 0;
    size_t n = 0;
    for (uint32_t client = 0; client < periods->n_clients; client++)
        if (periods->accounts[client])
            sum += most[n++] = periods->accounts[client]->most[figure];
    if (n > 0) {
        size_t n_idle = periods->n_clients - n, rank = (size_t)ceil(0.95 * (double)periods->n_clients - 1e-9);
        qsort(most, n, sizeof *most, frs_compare_doubles);
        spread = (struct frs_client_spread){.mean = sum / (double)periods->n_clients,
            .p95 = rank > n_idle ? most[rank - n_idle - 1] : 0,
            .max = most[n - 1]};
    }
    free(most);
    return spread;
}
