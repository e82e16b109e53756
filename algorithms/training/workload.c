#include "algorithms/training/workload.h"
#include "algorithms/messages/message.h"

static struct frs_usage usage_of(struct frs_work work) {
    return (struct frs_usage){.down_bytes = FRS_MESSAGE_HEADER_BYTES + work.down_bytes,
        .nominal_down_bytes = work.down_bytes,
        .up_bytes = FRS_MESSAGE_HEADER_BYTES + work.up_bytes,
        .nominal_up_bytes = work.up_bytes,
        .up_values = work.up_bytes / sizeof(float),
        .flop = work.flop + work.post_flop,
        .samples = work.samples,
        .post_flop = work.post_flop,
        .cpu_s = work.time_s};
}

struct frs_usage frs_workload_usage(const struct frs_workload *workload, uint32_t client) {
    return usage_of(workload->of(workload, client));
}

struct frs_usage frs_workload_mean_usage(const struct frs_workload *workload) {
    return usage_of(workload->mean);
}
