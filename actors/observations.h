/* Observations: what the server has seen of its clients in past rounds. Selection and adaptation use these
 * figures, and never a client's true links, speed or data (docs/server-decisions.md, "What the server
 * decides").
 *
 * If the upload of a participation arrived, the server knows when it sent and received each message, how
 * large they were, and (from round trips) the latency; the rest is computing. It knows a part of any other
 * participation: whether the download was acknowledged, how much of the upload arrived, and how long it
 * waited. It keeps moving averages per client, of seconds per byte rather than bytes per second, so that
 * predictions of time are means of times and a link without limit is a 0. An unknown value of a client is
 * predicted as the mean over the clients for which it is known; before it is known for any client, as the
 * stated prior.
 *
 * An aborted client took longer than the server waited. Until an upload of it arrives, its predicted
 * duration is multiplied by the smallest factor that agrees with the wait. TCP does the same: a sender
 * that waits in vain for an acknowledgement doubles its time-out, keeps it until a valid sample arrives,
 * and then begins its averages anew (Karn and Partridge 1987; RFC 6298, section 5). */
#ifndef FRS_ACTORS_OBSERVATIONS_H
#define FRS_ACTORS_OBSERVATIONS_H

#include "actors/slow_start.h"
#include "sim/base/settings/param.h"

struct frs_values;

extern const struct frs_param frs_observations_params[]; /* section `observations` */

/* How messages are sent. Zeroed: without slow start. */
struct frs_slow_start_kinds {
    enum frs_slow_start_kind down, up;
};

/* How long a client takes for what. */
struct frs_pace {
    double latency_s;                      /* of a whole participation, both ways: connecting, too */
    double round_trip_s;                   /* of these, a single one */
    double down_bytes;                     /* of its downloads, which vary with what it missed */
    double down_s_per_byte, up_s_per_byte; /* of its links, slow start apart */
    double compute_s_per_work;             /* a unit of work is whatever the caller counts in */
    double size_share;                     /* bytes of its uploads over those predicted for the budget */
};

/* What a client is taken for that has neither delivered nor been cut off. */
enum frs_unmeasured {
    FRS_UNMEASURED_OPTIMISTIC, /* the mean of those that are known */
    FRS_UNMEASURED_MEAN,       /* the same, and those that were cut off count */
    FRS_UNMEASURED_SMALLEST,   /* the first; but it is assigned the smallest budget */
};

/* Parts of a pace, each of which is known or not. */
enum frs_pace_part {
    FRS_PACE_DOWN, /* latency, round trip, downloads and downlink */
    FRS_PACE_COMPUTE,
    FRS_PACE_UP,   /* the uplink */
    FRS_PACE_SIZE, /* of uploads */
    FRS_N_PACE_PARTS,
};

/* What is known of one client. A participation is aborted when the server does not wait for it any longer,
 * and lost when the server knows that the client is gone or has refused. */
struct frs_seen {
    uint32_t times_selected;
    uint32_t last_round; /* in which it was selected, counted from 0; meaningless before */
    uint32_t ended;      /* participations whose end the server knows of */
    uint32_t measured;   /* uploads that arrived */
    /* Meaningless before the first upload. The averages are moving ones, and begin with it. */
    uint32_t samples;  /* |D_u| as last reported */
    double loss;       /* mean training loss as last reported */
    double duration_s; /* of uploads, since the message left the server */
    double spent_s;    /* the same, and of those cut off until they were */
    double share;      /* of participations whose upload arrived, among all */
    double waited_s;   /* up to the first upload: longest until it was cut off */
    /* Since the last upload. */
    uint32_t cuts;  /* how often it was cut off */
    double vain_s;  /* all of the time until it was */
    uint32_t lost;  /* times */
    uint32_t most;  /* budget that it may be assigned; 0: any */
    double backoff; /* ≥ 1: factor of its predicted durations */
    bool knows[FRS_N_PACE_PARTS];
    struct frs_pace pace;
};

/* How much of a participation the server has seen. */
enum frs_evidence {
    FRS_SAW_NOTHING,
    FRS_SAW_RECEIPT, /* the download was acknowledged: latency, round trip and download are known */
    FRS_SAW_PART,    /* some bytes of the upload arrived: so are computing, and these bytes with their time */
    FRS_SAW_UPLOAD,  /* all of it arrived */
};

/* One participation whose end the server knows of. Fields that it has not seen are not read. */
struct frs_observation {
    uint32_t client, samples;
    double loss; /* of a whole upload */
    enum frs_evidence sight;
    bool lost;       /* without a whole upload: it was lost, not cut off */
    double waited_s; /* since the message left, until the upload had arrived or the client was cut off */
    double latency_s, round_trip_s, down_s, compute_s, up_s;
    double down_bytes, up_bytes; /* of the upload, those that arrived */
    double kept_up_bytes;        /* of these, those that need not be sent again */
    double predicted_up_bytes;   /* > 0 */
    double work;                 /* > 0 */
    uint32_t reducible;          /* the budget, where it might have been less; otherwise 0 */
    struct frs_slow_start_kinds slow_start;
};

struct frs_observations;

struct frs_observations_settings {
    double weight; /* of the newest observation in a moving average, in (0, 1] */
    struct frs_pace prior;
    enum frs_unmeasured unmeasured;
};

/* The prior's download stays 0: what a table weighs is for the caller to say. */
struct frs_observations_settings frs_observations_read(const struct frs_values *values);

struct frs_observations *frs_observations_create(
    uint32_t n_clients, const struct frs_observations_settings *settings);
void frs_observations_destroy(struct frs_observations *observations);

/* `client` has been selected. */
void frs_observations_selected(struct frs_observations *observations, uint32_t client, uint32_t round);

void frs_observations_add(struct frs_observations *observations, const struct frs_observation *observation);

const struct frs_seen *frs_observations_client(const struct frs_observations *observations, uint32_t client);

/* The client's own pace as far as it is known, the rest as in the mean. */
struct frs_pace frs_observations_pace(const struct frs_observations *observations, uint32_t client);

/* Part by part the mean over the clients of which it is known, or the prior. */
struct frs_pace frs_observations_mean_pace(const struct frs_observations *observations);

/* The factor on the client's predicted durations: its back-off; for a client that has neither delivered
 * nor been aborted, the factor that `unmeasured` sets. */
double frs_observations_factor(const struct frs_observations *observations, uint32_t client);

/* The largest budget that the client may be assigned, if there are budgets from smallest to largest. If
 * the client was aborted since its last upload, it is half of the budget with which it was last aborted. */
uint32_t frs_observations_most(
    const struct frs_observations *observations, uint32_t client, uint32_t smallest, uint32_t largest);

/* Whether the client has to be assigned the smallest budget because it has neither delivered nor been
 * aborted. */
bool frs_observations_begins_small(const struct frs_observations *observations, uint32_t client);

/* Whether the server knows of the end of a participation of this client: it has been explored. */
static inline bool frs_seen_is_explored(const struct frs_seen *seen) {
    return seen->ended > 0;
}

/* How long it takes until an upload of the client arrives: the time spent on its participations, divided
 * by the share of uploads that arrived. Where some times are only lower bounds, that is the likeliest mean
 * of exponential ones (Epstein and Sobel 1953). A participation in which the client was lost counts as
 * long as its others. As long as nothing has arrived, one upload is assumed to have arrived after the mean
 * duration of other clients. After several failures in a row the result is at most as if the client's next
 * upload arrived after its own duration, so that failures do not exclude it for good. */
double frs_observations_delivery_s(const struct frs_observations *observations, uint32_t client);

/* Predicted duration of a participation, server's own work and contention left out. */
double frs_pace_duration_s(const struct frs_pace *pace, const struct frs_slow_start_kinds *slow_start,
    double work, double predicted_up_bytes);

#endif
