/* Selection: which clients form the cohort of a round, or which one is selected next. One file in
 * actors/selection/ and one line in actors/selection/selections.def. */
#ifndef FRS_ACTORS_SELECTION_H
#define FRS_ACTORS_SELECTION_H

#include "actors/observations.h"
#include "sim/base/settings/plugin.h"

#include <stddef.h>

struct frs_selection_request {
    uint64_t seed;
    /* Name the random draws: no two requests of a run share both. */
    uint32_t round, attempt;
    uint32_t n_clients;
    uint32_t n;              /* how many are wanted, 1 … n_clients; where their number varies, on average */
    double probability;      /* where their number varies: of each client; 0: n / n_clients */
    const void *settings;    /* of the plug-in; NULL when it has none */
    const uint32_t *samples; /* [n_clients] |D_u|, of plug-ins that use it */
    const uint32_t *groups;  /* [n_clients] below n_groups, of plug-ins that use them */
    uint32_t n_groups;
    const struct frs_observations *observations; /* of plug-ins that observe */
    /* Which clients may be selected at all; NULL: every one. */
    bool (*eligible)(void *context, uint32_t client);
    void *context;
};

struct frs_selection {
    struct frs_plugin plugin;
    bool observes;     /* goes by observations */
    bool uses_samples; /* goes by data sizes */
    bool uses_groups;  /* goes by the groups that the method sorts its clients into */
    bool uses_devices; /* goes by rows of the table of devices, which are the groups then */
    bool uses_times;   /* goes by how long clients took */
    bool uses_loss;    /* goes by training losses, which uploads then carry */
    bool varies;       /* how many there are is left to chance: from none up to all clients */
    bool rests;        /* never selects a client in two rounds in a row */
    /* A rule of its own may leave out clients that can be selected, whether or not as many are wanted. */
    bool leaves_out;
    double max_share; /* largest cohort, as a share of all clients; 0: all of them */
    /* Settings from the plug-in's own keys, freed with free(); NULL: it has none. */
    void *(*create)(const struct frs_values *values);
    /* The probability with which every client is selected, where the number of selected clients varies,
     * for `probability` of a request; 0: not set. */
    double (*probability)(const void *settings);
    /* Fills `clients` (room for n, or for all where the number varies) with distinct eligible ids in any
     * order and returns how many. It returns fewer than n only when no more are eligible, or when the
     * plug-in's own rule allows no more. */
    uint32_t (*select)(const struct frs_selection_request *request, uint32_t *clients);
    /* Where the selection scores clients in this request: the worth of each of n clients, above 0, or 0
     * for a client without one. NULL: it scores none. */
    void (*worths)(
        const struct frs_selection_request *request, const uint32_t *clients, size_t n, double *worths);
};

static inline bool frs_selection_eligible(const struct frs_selection_request *request, uint32_t client) {
    return !request->eligible || request->eligible(request->context, client);
}

/* All selections that are built in, ended by NULL; and the registry that scenarios choose from. */
extern const struct frs_selection *const frs_selections[];
extern const struct frs_plugin *frs_selection_plugins[FRS_REGISTRY_ROOM];

#endif
