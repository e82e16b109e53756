/* Workload: what the clients of a declared method send and compute (struct frs_learner, is_declared).
 *
 * A message carries no payload: only its size exists, so that a million clients with 50 MB each take no more
 * memory than a million. Its bytes are the declared ones and the header of every message
 * (algorithms/messages/message.h). */
#ifndef FRS_ALGORITHMS_TRAINING_WORKLOAD_H
#define FRS_ALGORITHMS_TRAINING_WORKLOAD_H

#include "sim/base/usage.h"

#include <stdint.h>

/* Of one participation; the same in every round. */
struct frs_work {
    uint64_t down_bytes, up_bytes; /* without the header */
    double flop, samples, time_s;  /* before the upload */
    double post_flop;              /* after it */
};

struct frs_workload {
    struct frs_work (*of)(const struct frs_workload *workload, uint32_t client); /* any thread */
    struct frs_work mean; /* over clients at even places */
};

/* The usage of a participation: bytes with the header, with the declared ones as nominal bytes; as many
 * values of four bytes as the upload has room for; `time_s` as CPU time. */
struct frs_usage frs_workload_usage(const struct frs_workload *workload, uint32_t client);

/* The same of the mean of all clients. */
struct frs_usage frs_workload_mean_usage(const struct frs_workload *workload);

#endif
