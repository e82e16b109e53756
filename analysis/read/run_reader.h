/* Run reader: what a run directory says (manifest.json, summary.json, rounds.csv).
 *
 * Names of metrics are the keys of summary.json joined by dots, without "metrics." in front:
 * "simulated_s", "bytes.wasted", "outcomes.delivered", "hr@10", "non_federated.popularity.hr@10". Left out
 * are texts, everything about the machine, the intervals of groups and whether groups differ by chance.
 * "evaluated" is also left out, because it is the source of the step of hit rates, one held-out
 * interaction (frs_metrics_set_step). Added are round_s, bytes.total, bytes.wasted_share,
 * bytes.per_delivered, participation.down_bytes and participation.up_bytes (means over all participations),
 * outcomes.*_share of all participations; with connecting and what edges exchanged with the server bytes.sent
 * and bytes.sent_wasted; steady.*  the rounds after the first third: mean and longest duration (round_s,
 * longest_s), bytes of a participation (down_bytes, up_bytes), shares of the duration on the critical path
 *             (down_share, compute_share, up_share, latency_share, wait_share, server_link_share)
 * analysis/target/time_to_target.h adds what it took to reach a target. */
#ifndef FRS_ANALYSIS_READ_RUN_READER_H
#define FRS_ANALYSIS_READ_RUN_READER_H

#include "analysis/statistics/metrics.h"
#include "analysis/read/deciding_settings.h"
#include "analysis/read/records.h"

#include <stdint.h>

/* Version of run directories; increased when a file gets or changes something that readers need. */
#define FRS_RUN_FORMAT 1

struct frs_run_results {
    char *path;
    char *version;   /* of the program; "?": it does not say */
    uint64_t format; /* FRS_RUN_FORMAT; 0: it does not say, as before there was any */
    char *status, *scenario_hash, *data_hash, *protocol, *candidates;
    char *reason; /* why it could not go on; NULL: it could, or does not say */
    uint64_t seed;
    bool emulated;      /* its rounds went over the kernel's TCP: times are measured, */
    bool trusted;       /* and the machine kept up with them */
    size_t k;           /* of HR@K, the first cut-off */
    uint64_t n_clients; /* 0: it does not say */
    char *order;        /* by which the newest interaction is found ("time"); NULL: it does not say */
    bool may_have_ties; /* some user's held-out interaction is one of several of the same time, or the run
                           does not record this */
    char **settings;    /* [n_settings] the whole scenario as "section.key=value" */
    size_t n_settings;
    char **varied,
        **varied_to; /* [n_varied] keys, or sections, that --set had set, and the texts it had set them to */
    size_t n_varied;
    struct frs_deciding_list deciding;
    struct frs_metrics metrics;
    double taste_chance; /* that quartiles of taste differ as much by chance; NaN: it does not say */
    struct frs_records rounds;
};

/* Whether the folder looks like one: it has a manifest.json. */
bool frs_run_is(const char *path);

/* The same, with an error where it does not. */
enum frs_status frs_run_require(const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* Complete or stranded: the run came to its end. */
bool frs_run_is_finished(const struct frs_run_results *run);

/* On failure adds errors that name the file and what is wrong with it, and leaves nothing. */
enum frs_status frs_run_read(
    const char *path, struct frs_run_results *run, struct frs_errors *errors) FRS_MUST_CHECK;

/* Frees the rows of rounds.csv, the largest part by far, when they have been used. */
void frs_run_forget_rounds(struct frs_run_results *run);

/* The rows of a run's rounds.csv alone. */
enum frs_status frs_run_read_rounds(
    const char *path, struct frs_records *rounds, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_run_fini(struct frs_run_results *run);

/* The value of a setting ("network.model"), or NULL. */
const char *frs_run_setting(const struct frs_run_results *run, const char *key);

#endif
