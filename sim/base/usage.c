#include "sim/base/usage.h"

#define FIGURE(field, kind_)                                                                                 \
    { .offset = offsetof(struct frs_usage, field), .kind = kind_ }

/* In the order of records, which begin with the whole numbers. */
const struct frs_usage_figure frs_usage_figures[] = {
    FIGURE(down_bytes, FRS_USAGE_DOWNLOAD),
    FIGURE(nominal_down_bytes, FRS_USAGE_DOWNLOAD),
    FIGURE(catchup_bytes, FRS_USAGE_DOWNLOAD),
    FIGURE(up_bytes, FRS_USAGE_COUNT),
    FIGURE(nominal_up_bytes, FRS_USAGE_COUNT),
    FIGURE(up_values, FRS_USAGE_COUNT),
    FIGURE(epochs, FRS_USAGE_COUNT),
    FIGURE(flop, FRS_USAGE_AMOUNT),
    FIGURE(samples, FRS_USAGE_AMOUNT),
    FIGURE(post_flop, FRS_USAGE_AMOUNT),
    FIGURE(post_samples, FRS_USAGE_AMOUNT),
    FIGURE(loss, FRS_USAGE_ANY),
    FIGURE(cpu_s, FRS_USAGE_MEASURED),
};

void frs_usage_take_download(struct frs_usage *usage, const struct frs_usage *from) {
    for (size_t i = 0; i < FRS_N_USAGE_FIGURES; i++)
        if (frs_usage_figures[i].kind == FRS_USAGE_DOWNLOAD)
            *frs_usage_count(usage, i) = *frs_usage_count((struct frs_usage *)from, i);
}

struct frs_usage frs_usage_of_download(const struct frs_usage *usage) {
    struct frs_usage download = {0};
    frs_usage_take_download(&download, usage);
    return download;
}
