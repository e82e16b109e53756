/* RFRecF as its published code runs it. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_rfrecf_published_code = {
    .plugin = {.name = "rfrecf_published_code",
        .summary = "RFRecF as its published code runs it: 200 clients of several users, logistic, Adam, own "
                   "initial tables",
        .source = "Liu et al., CIKM 2024, published code"},
    .settings =
        (const char *const[][2]){
            {"method.name", "rfrecf"},
            {"method.variant", "published_code"},
            {"method.init", "own"},
            {"method.lambda_user", "0.1"},
            {"data.feedback", "explicit"},
            {"data.split", "ratio"},
            {"data.min_interactions", "1"},
            {"data.clients", "200"},
            {"rounds.count", "200"},
            {"rounds.cohort", "100 %"},
            {NULL, NULL},
        },
};
