/* Assumptions: what a scenario takes for granted and could be otherwise, each with one or two other values.
 *
 * What has a range has that which its page or key states:
 *
 *   bandwidth      half and double (network.bandwidth_factor)
 *   latency        half and double (network.latency_factor)
 *   compute        three times as fast and as slow (devices.slowdown and devices.overhead): the factor to which docs/networks.md trusts its presets
 *   availability   everybody, or as measured (diurnal): whichever the scenario has not
 *   detection      20 s and 60 s (failures.detect): gRPC's keepalive, and Flower's heartbeats
 *   retry          never, or four times as gRPC (failures.retry.times): whichever the scenario has not
 *   network model  the other models of docs/networks.md
 *   ties           the other orders of interactions of one time (data.ties)
 *
 * An assumption that has no effect in a scenario is left out, with the reason. */
#ifndef FRS_SWEEP_ASSUMPTIONS_H
#define FRS_SWEEP_ASSUMPTIONS_H

#include "analysis/tables/sensitivity.h"
#include "sim/sweep/settings.h"

struct frs_assumptions {
    struct frs_axes axes;        /* one for each assumption that is varied; its levels are the other values */
    struct frs_assumption *list; /* [axes.n], the same by name; texts are those of the axes */
    struct frs_left_out *left_out;
    size_t n_left_out;
    size_t n_runs; /* of the design; 0: there is none */
    char *axis;    /* all of it as one axis, as after --vary */
    char *name;    /* of the scenario */
};

struct frs_assumptions_request {
    struct frs_sweep_request sweep;
    const char *const *
        assume; /* [n_assume] "NAME | LABEL: KEY=V | LABEL: KEY=V": instead of the one of this name, or beside them */
    size_t n_assume;
    const char *const *without; /* [n_without] names to leave out */
    size_t n_without;
    bool no_design;
};

/* Tries every value on the scenario; writes nothing. On failure the result is empty. */
enum frs_status frs_assumptions_find(const struct frs_assumptions_request *request,
    struct frs_assumptions *assumptions, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_assumptions_fini(struct frs_assumptions *assumptions);

#endif
