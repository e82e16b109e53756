/* FCF as the published code of RFRec runs it. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_fcf_published_code = {
    .plugin = {.name = "fcf_published_code",
        .summary = "FCF as RFRec's published code compares with it: 200 clients of several users, logistic, "
                   "an Adam on both "
                   "sides",
        .source = "Liu et al., CIKM 2024, published code (table 2, FCF)"},
    .settings =
        (const char *const[][2]){
            {"method.name", "fcf"},
            {"method.variant", "published_code"},
            {"method.user_decay", "0.1"},
            {"method.item_decay", "0.1"},
            {"method.init_sd", "0.01"},
            {"method.server_learning_rate", "0.05"},
            {"method.adam_rate", "0.05"},
            {"data.feedback", "explicit"},
            {"data.split", "ratio"},
            {"data.min_interactions", "1"},
            {"data.clients", "200"},
            {"rounds.count", "100"},
            {"rounds.cohort", "100 %"},
            {NULL, NULL},
        },
};
