/* Rounds of made-up clients under a policy: a simulation in a process of its own, for the checks of
 * policies. Links, messages, work and losses of the clients are drawn; nothing is trained. */
#ifndef FRS_SELFTEST_ROUNDS_H
#define FRS_SELFTEST_ROUNDS_H

#include "actors/participation.h"
#include "actors/policy.h"
#include "sim/selftest/check.h"

enum { FRS_TRIAL_ROUNDS = 4, FRS_TRIAL_CLIENTS = 64, FRS_TRIAL_EPOCHS = 4 };

/* What befalls the clients. */
enum frs_trial_fate {
    FRS_TRIAL_SOUND, /* all of them deliver, the slowest after a minute */
    FRS_TRIAL_LOSSY, /* a third drop out on their way */
    FRS_TRIAL_LOST,  /* all of them drop out, in every round */
    FRS_TRIAL_SLOW,  /* a client of the cohort computes for a day */
    FRS_TRIAL_TIED,  /* all of them deliver at the same instant */
    FRS_N_TRIAL_FATES,
};

struct frs_trial_client {
    struct frs_participation p; /* what became of it */
    double compute_s;
    uint32_t epochs;              /* after which it stopped early; 0: it did not */
    size_t n_settled, n_arrivals; /* how often it was settled, and was among what a round aggregates */
};

struct frs_trial_rounds {
    /* What is played. */
    const struct frs_policy *policy;
    struct frs_policy_settings settings;
    size_t n_rounds; /* openings; of an asynchronous policy: aggregations */
    size_t n;        /* clients of each opening; of an asynchronous policy: in all */
    enum frs_trial_fate fate;
    /* What was seen. */
    size_t n_opened, n_closed, n_started; /* of an asynchronous policy: clients that began */
    double opened_s[FRS_TRIAL_ROUNDS], closed_s[FRS_TRIAL_ROUNDS];
    bool is_ascending, was_truncated, over;
    double end_s;
    struct frs_trial_client clients[FRS_TRIAL_ROUNDS][FRS_TRIAL_CLIENTS];
};

/* Memory that the process of a simulation shares. */
struct frs_trial_rounds *frs_trial_rounds_create(void);
void frs_trial_rounds_destroy(struct frs_trial_rounds *rounds);

/* Plays the rounds. If the simulation crashes or ends by itself, so does the check. If SimGrid cannot be
 * loaded, the check is impossible and ends. */
void frs_trial_rounds_play(struct frs_check *check, struct frs_trial_rounds *rounds);

#endif
