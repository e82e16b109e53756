/* Client periods: what a client took in periods of time of one length, counted from the run's start
 * (caps.period). A participation counts, as a whole, for the period in which the client was selected. For
 * every client and every figure the fullest period is kept. */
#ifndef FRS_LEDGER_CLIENT_PERIODS_H
#define FRS_LEDGER_CLIENT_PERIODS_H

#include "actors/participation.h"

enum frs_client_figure {
    FRS_CLIENT_BYTES,          /* down and up, of connecting, too, and what was sent again */
    FRS_CLIENT_ENERGY,         /* joules, modelled */
    FRS_CLIENT_BUSY,           /* seconds from the first message until upload and work after it have ended */
    FRS_CLIENT_PARTICIPATIONS, /* whose message left for a client that could be reached and did not refuse */
    FRS_CLIENT_METERED,        /* of the bytes those over a metered link */
    FRS_N_CLIENT_FIGURES,
};

/* Names of the figures, which end in their unit: "bytes", "energy_j", "busy_s", "participations",
 * "metered_bytes". */
extern const char *const frs_client_figure_names[FRS_N_CLIENT_FIGURES];

/* What one participation took of each figure. */
void frs_client_figures_of(const struct frs_participation *participation, double figures[]);

struct frs_client_periods;

/* period_s > 0. */
struct frs_client_periods *frs_client_periods_create(uint32_t n_clients, double period_s);
void frs_client_periods_destroy(struct frs_client_periods *periods);

/* Participations of one client come in the order in which they were selected. */
void frs_client_periods_add(
    struct frs_client_periods *periods, const struct frs_participation *participation);

/* The client's fullest period. */
double frs_client_periods_most(
    const struct frs_client_periods *periods, uint32_t client, enum frs_client_figure figure);

/* Of the fullest periods of all clients, those included that were never selected. p95: nearest rank. */
struct frs_client_spread {
    double mean, p95, max;
};

struct frs_client_spread frs_client_periods_spread(
    const struct frs_client_periods *periods, enum frs_client_figure figure);

#endif
