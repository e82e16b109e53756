/* Failures: what goes wrong besides sessions that end.
 *
 * A participation can be lost in each of its phases through the device (it computes and sends no more; what
 * it had not committed is gone) or, while a message is under way, through the connection (the transfer ends,
 * the device keeps its state). Two sorts of hazard act together, the earliest failure of a phase counts:
 *
 *   chance   `down`, `compute`, `up`, `connection_down`, `connection_up`: with this probability the phase
 *            fails, after a share of its work that is uniform on [0, 1); or, with `per`, it fails an
 *            exponential time after it began, which is below `per` with this probability
 *   rate     `device_mtbf`, `connection_mtbf`: the phase fails an exponential time after it began, if
 *            it still lasts then
 *
 * Devices fail in any phase, connections only while they carry a message. All draws of a participation come
 * from one stream (seed, client, round, attempt; purpose FAILURE) at fixed positions, and one uniform decides
 * for every probability: raising a probability keeps every failure there was and adds some, a mean time
 * between failures only scales its times, and where phases last `per` the same ones fail as without it.
 *
 * Each may differ between classes of clients (platforms/presets/kinds.h), and chances may follow what a
 * client is like (`follows`; platforms/distributions/personal.h).
 *
 * A message whose connection broke may be tried again (platforms/failures/retry.h). Every attempt is exposed
 * like the first one, by draws of its own (purpose FAILURE_AGAIN): with probabilities over the bytes it has
 * to send, with rates from its first byte on.
 *
 * The server may restart at given times: see docs/failures.md. */
#ifndef FRS_PLATFORMS_FAILURES_FAILURES_H
#define FRS_PLATFORMS_FAILURES_FAILURES_H

#include "platforms/presets/kinds.h"
#include "sim/base/settings/param.h"
#include "sim/base/status.h"

struct frs_values;

extern const struct frs_param
    frs_failures_params[]; /* section `failures`, with the keys of platforms/availability/churn.h */

enum frs_failure_kind { FRS_FAILURE_NONE, FRS_FAILURE_DEVICE, FRS_FAILURE_CONNECTION };

/* Phases of a participation; `post` is work after the upload. */
enum frs_failure_phase {
    FRS_FAILS_DOWN,
    FRS_FAILS_COMPUTE,
    FRS_FAILS_UP,
    FRS_FAILS_POST,
    FRS_FAILURE_PHASES,
};

/* What the losses of a client go by. */
enum frs_loss_correlation {
    FRS_FOLLOWS_NOTHING,
    FRS_FOLLOWS_UPLINK,
    FRS_FOLLOWS_DOWNLINK,
    FRS_FOLLOWS_SPEED,
    FRS_FOLLOWS_ACTIVITY,
    FRS_FOLLOWS_TASTE,
};
extern const char *const frs_loss_correlation_names[];

/* The hazards of one kind of clients. */
struct frs_hazards {
    double device[FRS_FAILURE_PHASES];       /* probabilities; `post` has none */
    double connection[FRS_FAILURE_PHASES];   /* only of `down` and `up` */
    double device_mtbf_s, connection_mtbf_s; /* 0: never */
};

struct frs_failures {
    struct frs_kinds kinds;
    struct frs_hazards *hazards; /* [kinds.n] */
    double per_s;                /* that probabilities are for; 0: the phase */
    enum frs_loss_correlation follows;
    double correlation, concentration;
    /* Probabilities of each client, in place of its kind's; NULL: all of a kind are alike. */
    double *personal_device[FRS_FAILURE_PHASES], *personal_connection[FRS_FAILURE_PHASES];
    uint32_t
        *place; /* of each client among all by what losses follow, the last one lost most; NULL: nothing */
    double detect_s;           /* from the loss of a client until the server knows */
    double *server_restarts_s; /* ascending, > 0 */
    size_t n_server_restarts;
    double restart_s; /* how long the server is away at each */
};

/* The hazards of one phase. All may strike; whichever comes first in time counts. Times count from the
 * beginning of the phase; INFINITY: never. Connections have none in phases without transfer. */
struct frs_phase_failure {
    double fraction; /* share of the phase's work after which it fails, in [0, 1); NAN: it does not */
    enum frs_failure_kind kind;                                /* of the failure at `fraction` */
    double exposed_device_after_s, exposed_connection_after_s; /* by the phase's own chances, with `per` */
    double device_after_s, connection_after_s;                 /* by the mean times between failures */
};

struct frs_failure_plan {
    struct frs_phase_failure phase[FRS_FAILURE_PHASES];
};

/* Reads section `failures`. `strata` (NULL: none) is borrowed. `clients_vanish`: whether clients can also
 * drop out for other reasons (frs_reachability_can_end), which makes `detect` matter. Returns false after
 * adding errors; *failures then needs no fini. */
bool frs_failures_read(struct frs_failures *failures, const struct frs_values *values,
    const struct frs_strata *strata, bool clients_vanish, struct frs_errors *errors);

/* Has to be called before losses are planned, if they follow something. burden[client] is larger for
 * clients that are lost more often. False when all of the n clients have the same burden. */
bool frs_failures_follow(struct frs_failures *failures, const double *burden, uint32_t n, uint64_t seed);

void frs_failures_fini(struct frs_failures *failures);

/* Whether any participation can fail; if not, every plan is empty and need not be drawn. */
bool frs_failures_can_strike(const struct frs_failures *failures);

/* Whether any of the five probabilities is above 0. */
bool frs_failures_have_chances(const struct frs_failures *failures);

/* Whether anything fails at a given time instead of after a share of its work. */
bool frs_failures_have_rates(const struct frs_failures *failures);

/* Whether some clients' probabilities are above those of others, or would be if there were any losses. */
bool frs_failures_differ(const struct frs_failures *failures);

/* The number of clients that are lost less often, by the quantity that losses follow or would follow; 0
 * for all where they follow nothing. */
uint32_t frs_failures_place(const struct frs_failures *failures, uint32_t client);

/* The probability that a participation of the client is lost in a phase before `post`, if its phases have
 * these durations; NULL: by the five probabilities alone, for phases that last `per`. */
double frs_failures_loss(
    const struct frs_failures *failures, uint32_t client, const double seconds[FRS_FAILURE_PHASES]);

/* The same of a participation that begins without a download, by the losses that do not depend on time. */
double frs_failures_loss_after_download(const struct frs_failures *failures, uint32_t client);

/* Whether a connection can break while its device goes on. */
bool frs_failures_break_connections(const struct frs_failures *failures);

struct frs_failure_plan frs_failures_plan(
    const struct frs_failures *failures, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt);

/* What befalls a message that is tried for the nth time again, n ≥ 1: only its own phase counts. */
struct frs_phase_failure frs_failures_again(const struct frs_failures *failures, uint64_t seed,
    uint32_t client, uint32_t round, uint32_t attempt, enum frs_failure_phase phase, size_t n);

/* The failure of a message of the nth exchange of a protocol around the upload (actors/server/server.h), n
 * ≥ 1, or of a further try at it, as above. */
struct frs_phase_failure frs_failures_aside(const struct frs_failures *failures, uint64_t seed,
    uint32_t client, uint32_t round, uint32_t attempt, enum frs_failure_phase phase, size_t n);

/* The first restart of the server after t_s (strictly), INFINITY if there is none. */
double frs_failures_next_restart_s(const struct frs_failures *failures, double t_s);

#endif
