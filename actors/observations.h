/* Observations: what the server has seen of its clients in past rounds. Selection and adaptation go by these
 * figures and never by a client's true links, speed or data.
 *
 * Of a participation whose upload arrived the server knows when it sent and received each message, how large
 * they were, and (from round trips) the latency; the rest is computing. It keeps moving averages per client,
 * of seconds per byte rather than bytes per second, so that predictions of time are means of times and a link
 * without limit is a 0. A client never measured is expected to be like the mean of those that were; before
 * anybody was, like the stated prior. */
#ifndef FRS_ACTORS_OBSERVATIONS_H
#define FRS_ACTORS_OBSERVATIONS_H

#include "sim/base/settings/params.h"

extern const struct frs_param frs_observations_params[]; /* section `observations` */

/* How long a client takes for what. */
struct frs_pace {
    double latency_s;  /* of a whole participation, both ways */
    double down_bytes; /* of its downloads, which vary with what it missed */
    double down_s_per_byte, up_s_per_byte;
    double compute_s_per_work; /* a unit of work is whatever the caller counts in */
    double size_share;         /* bytes of its uploads over those foreseen for the budget */
};

/* What is known of one client. */
struct frs_seen {
    uint32_t asked;      /* times */
    uint32_t last_round; /* in which it was asked, counted from 0; meaningless before */
    uint32_t measured;   /* uploads that arrived; the figures below mean nothing before the first */
    uint32_t samples;    /* |D_u| as last reported */
    double loss;         /* mean training loss as last reported */
    double duration_s;   /* moving average, from being asked until the upload has arrived */
    struct frs_pace pace;
};

/* One participation whose upload arrived. */
struct frs_observation {
    uint32_t client, samples;
    double loss;
    double duration_s, latency_s, down_s, compute_s, up_s;
    double down_bytes, up_bytes;
    double foreseen_up_bytes; /* > 0 */
    double work;              /* > 0 */
};

struct frs_observations;

struct frs_observations_settings {
    double weight; /* of the newest observation in a moving average, in (0, 1] */
    struct frs_pace prior;
};

/* The prior's download stays 0: what a table weighs is for the caller to say. */
struct frs_observations_settings frs_observations_read(const struct frs_values *values);

struct frs_observations *frs_observations_create(
    uint32_t n_clients, const struct frs_observations_settings *settings);
void frs_observations_destroy(struct frs_observations *observations);

/* `client` has been asked to take part. */
void frs_observations_asked(struct frs_observations *observations, uint32_t client, uint32_t round);

void frs_observations_add(struct frs_observations *observations, const struct frs_observation *observation);

const struct frs_seen *frs_observations_client(const struct frs_observations *observations, uint32_t client);

/* The client's own pace, the mean over measured clients, or the prior. */
struct frs_pace frs_observations_pace(const struct frs_observations *observations, uint32_t client);

/* The mean over measured clients, or the prior. */
struct frs_pace frs_observations_mean_pace(const struct frs_observations *observations);

/* Predicted duration of a participation, server's own work and contention left out. */
double frs_pace_duration_s(const struct frs_pace *pace, double work, double foreseen_up_bytes);

#endif
