/* Kinds: the networks under which `compare --fidelity` repeats a run.
 *
 * The first kind is the run as it is. Every other kind changes a few settings of the run's manifest: it
 * gives them another value, or multiplies them. */
#ifndef FRS_NETWORK_ROBUSTNESS_NETWORK_ROBUSTNESS_KINDS_H
#define FRS_NETWORK_ROBUSTNESS_NETWORK_ROBUSTNESS_KINDS_H

#include "analysis/entries/entries.h"
#include "sim/base/arena.h"
#include "sim/scenario/scenario.h"

enum { FRS_NETWORK_ROBUSTNESS_CHANGES = 2, FRS_NETWORK_ROBUSTNESS_KINDS = 20 };

/* The change of one setting. */
struct frs_network_robustness_change {
    const char *key, *value; /* value NULL: the factor says what becomes of the run's own */
    double factor;
};

struct frs_network_robustness_kind {
    const char *name;
    bool is_usual; /* its column stays also where it changes nothing about any run */
    size_t n;
    struct frs_network_robustness_change changes[FRS_NETWORK_ROBUSTNESS_CHANGES];
};

struct frs_network_robustness_kinds {
    size_t n;
    struct frs_network_robustness_kind list[FRS_NETWORK_ROBUSTNESS_KINDS];
    bool no_server_link; /* no run of any entry has a server's link that could be varied */
};

/* Lists every network.model except lv08, other bandwidths of the clients and of the server's link, and
 * under packets other queues and connections. A kind that would repeat another one for every run of the
 * entries is left out, unless it is a usual one. */
void frs_network_robustness_kinds_list(struct frs_network_robustness_kinds *kinds,
    const struct frs_section *sections, const struct frs_entries *entries);

/* Whether it changes nothing about the run. */
bool frs_network_robustness_kind_is_same(
    const struct frs_network_robustness_kind *kind, const struct frs_run_results *run);

/* Why a run cannot be repeated under it; NULL if nothing is known against it. */
const char *frs_network_robustness_kind_objection(
    const struct frs_network_robustness_kind *kind, const struct frs_run_results *run);

/* All settings of the run under this kind, [*n], freed with free(); their texts are in `texts`. */
struct frs_setting *frs_network_robustness_kind_settings(const struct frs_network_robustness_kind *kind,
    const struct frs_run_results *run, struct frs_arena *texts, size_t *n);

#endif
