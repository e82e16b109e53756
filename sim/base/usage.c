#include "sim/base/usage.h"

#define FIGURE(field, kind_)                                                                                 \
    { .offset = offsetof(struct frs_charge, field), .kind = kind_ }

/* In the order of records, which begin with the whole numbers. */
const struct frs_charge_figure frs_charge_figures[] = {
    FIGURE(down_bytes, FRS_CHARGE_DOWNLOAD),
    FIGURE(nominal_down_bytes, FRS_CHARGE_DOWNLOAD),
    FIGURE(catchup_bytes, FRS_CHARGE_DOWNLOAD),
    FIGURE(up_bytes, FRS_CHARGE_COUNT),
    FIGURE(nominal_up_bytes, FRS_CHARGE_COUNT),
    FIGURE(up_values, FRS_CHARGE_COUNT),
    FIGURE(epochs, FRS_CHARGE_COUNT),
    FIGURE(flop, FRS_CHARGE_AMOUNT),
    FIGURE(samples, FRS_CHARGE_AMOUNT),
    FIGURE(post_flop, FRS_CHARGE_AMOUNT),
    FIGURE(post_samples, FRS_CHARGE_AMOUNT),
    FIGURE(loss, FRS_CHARGE_ANY),
    FIGURE(cpu_s, FRS_CHARGE_MEASURED),
};

struct frs_charge frs_charge_of_download(const struct frs_charge *charge) {
    struct frs_charge download = {0};
    for (size_t i = 0; i < FRS_N_CHARGE_FIGURES; i++)
        if (frs_charge_figures[i].kind == FRS_CHARGE_DOWNLOAD)
            *frs_charge_count(&download, i) = *frs_charge_count((struct frs_charge *)charge, i);
    return download;
}
