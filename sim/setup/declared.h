/* Declared workload: what clients send and compute, drawn client by client from distributions, or by the
 * class of the client. Nothing is stored per client. */
#ifndef FRS_SETUP_DECLARED_H
#define FRS_SETUP_DECLARED_H

#include "algorithms/training/workload.h"
#include "platforms/distributions/distribution.h"
#include "platforms/presets/kinds.h"

/* A distribution for each kind of clients that its section tells apart. */
struct frs_declared_amount {
    struct frs_kinds kinds;
    struct frs_distribution *distributions; /* [kinds.n] */
    enum frs_purpose purpose;
};

/* What the method's own keys say of one kind of clients. */
struct frs_declared_work {
    double samples, time_s, post_flop;
};

struct frs_declared {
    struct frs_workload workload; /* the first member */
    uint64_t seed;
    struct frs_declared_amount down, up, flop;
    struct frs_kinds kinds;
    struct frs_declared_work *works; /* [kinds.n] */
};

/* The sections method.down, method.up, method.work, and method. */
struct frs_declared_sections {
    struct frs_distribution_section down, up, work;
    const struct frs_values *method;
};

/* NULL after adding errors. `strata` has to last as long as the workload. */
struct frs_declared *frs_declared_read(const struct frs_declared_sections *sections,
    const struct frs_strata *strata, uint32_t n_clients, struct frs_errors *errors);

void frs_declared_destroy(struct frs_declared *declared); /* NULL is allowed */

#endif
