/* The table of all sections: what can be said in a scenario. */
#include "sim/data/data.h"
#include "sim/scenario/scenario.h"

static const struct frs_param top_params[] = {
    {.key = "seed",
        .type = FRS_INT,
        .initial = "1",
        .min = 0,
        .max = 9007199254740992.0, /* 2^53: every reader of JSON can hold it */
        .help = "Root of every random stream; the same seed gives the same run."},
    {.key = NULL},
};

const struct frs_section frs_sections[] = {
    {.path = "", .help = "Settings outside of all groups.", .params = top_params},
    {.path = "data", .help = "The interactions to learn from.", .params = frs_data_params},
    {.path = "evaluation",
        .help = "How the quality of recommendations is measured.",
        .params = frs_evaluation_params},
    {.path = NULL},
};
