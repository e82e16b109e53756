/* Usual usage: the usage of a run's participations, as linear functions of the size of a client's data.
 * Only delivered participations count, because the usage of others is incomplete. */
#ifndef FRS_RESULTS_USUAL_USAGE_H
#define FRS_RESULTS_USUAL_USAGE_H

#include "sim/ledger/ledger.h"
#include "sim/setup/setup.h"

/* value = at_mean + slope · (size − mean size) */
struct frs_usual_line {
    double at_mean, slope;
};

struct frs_usual_usage {
    const struct frs_setup *setup;
    double n, mean_size; /* participations that it goes by; 0: nothing is known */
    struct frs_usual_line down_bytes, up_bytes, flop, samples;
};

struct frs_usual_usage frs_usual_usage(const struct frs_setup *setup, const struct frs_ledger *ledger);

/* Sets *usage to that of one participation of this client; `context` is a struct frs_usual_usage. */
void frs_usual_usage_tell(const void *context, uint32_t client, struct frs_usage *usage);

#endif
