/* Unseen: what the first rounds of a run do not show, by how much the forecast can therefore be off, and
 * the bytes of all messages. */
#ifndef FRS_FORECAST_UNSEEN_H
#define FRS_FORECAST_UNSEEN_H

#include "sim/forecast/extrapolation.h"
#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

struct frs_unseen {
    double wait_s; /* the longest wait of a round that none of those played need have had; 0: there is none */
    /* Share of the clients that join or leave in the rounds that are left: for good, or because availability
     * has dynamics or regions outages that the rounds played do not show. */
    double moves;
    double growth; /* share by which downloads, and so rounds, may be longer in the rounds that are left */
    /* The conditions that rounds wait for recur after cycle_s (a day, a rest), of which the played rounds
     * do not show the whole. A cycle has at least per_cycle rounds. 0: there is no cycle */
    double cycle_s, per_cycle;
    bool
        quickens; /* at hours that were not played more clients can be online, so that rounds wait for none */
    bool exhausts;       /* clients rest for most of the time: cohorts can get smaller than those played */
    double least_rounds; /* a rule of the scenario can end the run after so many; INFINITY: none does */
};

/* `extrapolation` is made from the n_played rounds, up to played_s, of which `trained` were played with
 * training. An update that is sent to clients has about as many bytes as an upload. */
struct frs_unseen frs_unseen_of(const struct frs_setup *setup, double played_s, size_t n_played,
    size_t trained, double update_bytes, const struct frs_extrapolation *extrapolation);

/* ends_s [n_played ≥ 1]: the round ends that `outlook` is computed from. */
void frs_unseen_widen(const struct frs_unseen *unseen, const double *ends_s, size_t n_played, double stop_s,
    struct frs_extrapolation *extrapolation);

/* Something that rounds add up to over a run: its 95 % range. */
struct frs_amount {
    double low, middle, high;
};

struct frs_amount_request {
    const struct frs_setup *setup;
    const struct frs_pilot *played;                       /* at least one round was entered */
    double (*value)(const struct frs_pilot_round *round); /* the amount since the beginning */
    double end;           /* the amount of every round, where the pilot run was not cut; 0: it was */
    double factor, slack; /* each stands for so many times its amount, and by which share that may be wrong */
    const struct frs_unseen *unseen;
    const struct frs_extrapolation *extrapolation; /* of the run, widened */
};

struct frs_amount frs_amount_of(const struct frs_amount_request *of);

/* Bytes of all messages of a run. */
struct frs_traffic {
    double low_bytes, middle_bytes, high_bytes;
};

/* Of such a request, whose `value` and `end` are not read. */
struct frs_traffic frs_traffic_of(const struct frs_amount_request *of);

#endif
