/* Forecast: what a run will need, before it is started (docs/forecasts.md).
 *
 * Some of its rounds are simulated beforehand (sim/forecast/pilot_rounds.h). First come rounds with
 * training, which show memory and real time; then, if patience is left, rounds without training, which are
 * much faster. Where there is no time for a single round, rounds of fewer clients are played instead
 * (sim/forecast/scaled_pilot.h). */
#ifndef FRS_FORECAST_FORECAST_H
#define FRS_FORECAST_FORECAST_H

#include "sim/forecast/cohort_forecast.h"
#include "sim/forecast/extrapolation.h"
#include "sim/forecast/load_forecast.h"
#include "sim/forecast/pilot_rounds.h"
#include "sim/forecast/unseen.h"
#include "sim/forecast/results.h"

/* About how long the whole forecast takes on an idle processor, by counts. It takes longer for a run so
 * long that a fiftieth of it is longer than this, if a round needs that much. */
#define FRS_FORECAST_PATIENCE_S 2.6

struct frs_forecast {
    bool known; /* a round was played to its end; otherwise only wall_s and memory_bytes are there */
    struct frs_extrapolation simulated;
    enum frs_pilot_end end;
    size_t n_played, n_trained; /* rounds played at all, and as they are */
    uint32_t one_in;   /* one client in so many was selected in them (sim/forecast/scaled_pilot.h); 1: all */
    double round_s[3]; /* 10, 50 and 90 % of the rounds played take at most */
    double open_round_s;           /* the mean from a round's opening to its end; NAN: not known */
    double n_entered;              /* rounds that the following are of; may be 0 */
    struct frs_traffic traffic;    /* of the whole run, if n_entered > 0 */
    struct frs_load_forecast load; /* the same */
    double participations, outcomes[FRS_N_OUTCOMES]; /* of all their clients, */
    double down_bytes, up_bytes;                     /* charged */
    double setup_bytes;                              /* of connecting, both ways */
    bool may_bind;                                   /* caps, in rounds that were not played */
    struct frs_cohort_range cohort;                  /* clients of a round, over the whole run */
    struct frs_pilot_spending spending;              /* of each client, if the whole run was played */
    bool is_whole;                                   /* it was */
    struct frs_cohorts cohorts;                      /* of the same rounds, as they were played */
    struct frs_release_counts releases;              /* in the rounds entered; rounds = 0: not known */
    double download_bytes;                           /* of a client that has taken part before */
    double wall_s, memory_bytes;
    struct frs_results_size results;
    struct frs_training_estimate *estimate; /* NULL: there is no training */
};

struct frs_forecast frs_forecast_make(const struct frs_setup *setup, size_t threads, double patience_s);

void frs_forecast_fini(struct frs_forecast *forecast);

/* The guarantee that is expected of the noise, for the client that takes part most; NULL without noise.
 * Freed with free(). */
char *frs_forecast_privacy_line(const struct frs_setup *setup, const struct frs_forecast *forecast);

/* Makes a forecast and prints it as one line of the format fedrecsim-check-1 (docs/schemas). */
void frs_forecast_print_json(const struct frs_setup *setup, size_t threads, double patience_s, FILE *out);

/* Makes a forecast and prints it for people, and after it the clients as they were drawn. */
void frs_forecast_print(const struct frs_setup *setup, size_t threads, double patience_s, FILE *out);

#endif
