/* Declared: a workload that is described instead of trained, for planning with a model that this program
 * does not have.
 *
 * There is no data and no table. The scenario gives the sizes of messages and the work of clients
 * (method.down, method.up, method.work). sim/setup reads these keys, because they may differ between
 * classes of devices and networks; algorithms/training/workload.h hands them to the trainer. */
#include "algorithms/learner.h"
#include "sim/base/settings/param.h"

#include <math.h>

static const struct frs_param params[] = {
    {.key = "clients",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1e8,
        .help = "number of clients; 0: as many as network.fleet or devices.fleet has rows, or else 1,000"},
    {.key = "work_samples",
        .type = FRS_REAL,
        .by_class = true,
        .initial = "0",
        .min = 0,
        .max = 1e15,
        .help = "training samples that a client goes through in a round, every epoch counting anew: what "
                "devices.compute = per_sample and devices.sample_time take time for"},
    {.key = "work_time",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .by_class = true,
        .initial = "0 s",
        .min = 0,
        .max = INFINITY,
        .help = "time that a client computes in a round beside what its operations and samples take, on a "
                "device with slowdown 1; not under devices.compute = none"},
    {.key = "post_work",
        .type = FRS_QUANTITY,
        .dimension = FRS_FLOP,
        .by_class = true,
        .initial = "0 flop",
        .min = 0,
        .max = INFINITY,
        .help = "operations of a client after its upload, beside those of `work`, for which the round does "
                "not wait"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)values, (void)errors;
    return frs_model_create(sizeof(struct frs_model), setup);
}

const struct frs_learner frs_learner_declared = {
    .plugin = {.name = "declared",
        .summary = "described instead of trained: sizes of messages and work of clients are given",
        .params = params},
    .is_declared = true,
    .takes_stale = true,
    .own_step = "it has no tables",
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
};
