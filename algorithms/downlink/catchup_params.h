/* Parameters of every learner whose downlink carries updates: how a client that missed rounds catches up
 * (docs/methods/colr.md). The run reads them, because it owns the downlink. */
#ifndef FRS_ALGORITHMS_CATCHUP_PARAMS_H
#define FRS_ALGORITHMS_CATCHUP_PARAMS_H

/* Of algorithms/downlink/catchup.h. */
extern const char *const frs_catchup_names[];
extern const char *const frs_first_contact_names[];

#define FRS_CATCHUP_PARAMS                                                                                   \
    {.key = "catchup",                                                                                       \
        .type = FRS_CHOICE,                                                                                  \
        .initial = "cheapest",                                                                               \
        .choices = frs_catchup_names,                                                                        \
        .help =                                                                                              \
            "what a client that missed rounds downloads: ideal (the papers: one update, nobody pays for "    \
            "missed rounds), replay (every missed update), full (the whole table), cheapest of replay "      \
            "and full"},                                                                                     \
    {                                                                                                        \
        .key = "init", .type = FRS_CHOICE, .initial = "table", .choices = frs_first_contact_names,           \
        .help =                                                                                              \
            "what a client without any table starts from: the whole table, or the seed of the initial one "  \
            "(not read under ideal and full)"                                                                \
    }

#endif
