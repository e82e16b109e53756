/* No correction: uploads are averaged as the method averages them. */
#include "algorithms/correction.h"

const struct frs_correction frs_correction_none = {
    .plugin = {.name = "none",
        .summary = "the mean over the clients that arrive",
        .source = "McMahan et al. 2017 (FedAvg)"},
};
