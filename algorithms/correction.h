/* Correction: what the server makes of the uploads of a round in place of their mean, because some clients
 * upload more often than others. FedAvg, w ← w + (1/|A|) Σ_A Δ_i over the clients A whose uploads arrive,
 * counts the clients by how often they arrive; a correction counts all N of them alike.
 *
 * A correction is one file in algorithms/corrections/ with one constant `struct frs_correction`, and one line
 * in algorithms/corrections/corrections.def. It knows neither methods nor messages:
 * algorithms/corrected_sum.h gives it the clients of a round, or the means of one number of a table, and
 * keeps the newest update of every client where the rule needs it. What comes out goes to the server
 * optimiser as the mean would have.
 *
 * There are three sorts. One weighs uploads (`weigh`): the change is (1/N) Σ_A ω_i Δ_i. The second combines
 * means of new and remembered updates number by number (`step`). Under the third clients keep models of their
 * own (`shorten`): client i trains from its x_i, without a download, and receives the tables only after an
 * aggregation that has used its upload. Exactly one of these slots is there; of "none" none.
 * docs/corrections.md has the formulas with their sources. */
#ifndef FRS_ALGORITHMS_CORRECTION_H
#define FRS_ALGORITHMS_CORRECTION_H

#include "sim/base/settings/plugin.h"

#include <stddef.h>
#include <stdint.h>

struct frs_archive; /* sim/base/files/archive.h */

/* The uploads of a round. */
struct frs_correction_request {
    uint32_t round;          /* counted from 0; rounds in which nothing arrived count, too */
    const uint32_t *clients; /* [n] ascending */
    size_t n;
    /* [n_clients] with which the upload of each client is aggregated in this round, above 0 for those that
     * can upload in it; NULL where they are not asked for (needs_probabilities). */
    const double *probabilities;
};

/* Means of one number of a table. y_j is the newest update of client j that was aggregated, zero before the
 * first. Where `aggregation` is per_item each mean is over those of its clients whose newest update, this
 * round's included, has the row. */
struct frs_correction_means {
    double arrived;    /* (1/|A|) Σ_A Δ_i */
    double remembered; /* (1/|A|) Σ_A y_i, before this round's updates take their place */
    double all_before; /* (1/N) Σ y_j, before */
    double all_after;  /* (1/N) Σ y_j, after */
};

struct frs_correction {
    struct frs_plugin plugin;
    bool divides_by_all;      /* its step is the smaller the fewer of the N clients arrive */
    bool steps_without;       /* it also steps in rounds in which nothing arrives; goes with `step` */
    bool needs_probabilities; /* with which clients upload */
    double flop;              /* operations of `step` for each number of a table */
    /* Reads its keys, and makes what it keeps of the clients; NULL: it has neither. */
    void *(*create)(const struct frs_values *values, uint32_t n_clients);
    void (*destroy)(void *state); /* NULL: free() */
    /* What `weigh` changes; NULL: nothing. */
    void (*archive)(void *state, uint32_t n_clients, struct frs_archive *archive);
    /* Sets ω_i of each upload, finite and ≥ 0, and notes that they have arrived. */
    void (*weigh)(void *state, const struct frs_correction_request *request, double *weights);
    /* The change of this number. A pure function, of any thread. */
    double (*step)(const struct frs_correction_means *means);
    /* Whether no step is made yet, `heard` of the n_clients having uploaded; NULL: never. Goes with `step`.
     */
    bool (*waits)(const void *state, uint32_t heard, uint32_t n_clients);
    /* Clients keep models of their own: the tables become (1/|A|) Σ_A x_i + η s m, m being the mean over A of
     * (t − τ_i) Δ_i, t the round, τ_i the one in which client i received x_i (−1: it has the initial values),
     * η the optimiser's rate. Returns s in (0, 1] for the length of m over all tables. */
    double (*shorten)(const void *state, double length);
    /* The factor on the learning rates of clients in a round, in (0, 1]; NULL: 1. Goes with `shorten`. */
    double (*client_rate)(const void *state, uint32_t round);
    /* Expected E ω_i of a client that uploads with probability p in each round, independently, in round
     * t = 0, 1 …; NULL: not known, or of no use. For forecasts, with `weigh`. */
    double (*expected)(const void *state, double p, uint32_t round);
};

/* Whether it corrects anything: of "none" false. */
static inline bool frs_correction_is_there(const struct frs_correction *correction) {
    return correction->weigh || correction->step || correction->shorten;
}

/* All corrections that are built in, ended by NULL; and the registry that scenarios choose from. */
extern const struct frs_correction *const frs_corrections[];
extern const struct frs_plugin *frs_correction_plugins[FRS_REGISTRY_ROOM];

#endif
