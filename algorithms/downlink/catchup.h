/* Catch-up: the message to a client that holds an old version, or none, where the downlink carries
 * updates. */
#ifndef FRS_ALGORITHMS_CATCHUP_H
#define FRS_ALGORITHMS_CATCHUP_H

#include "algorithms/downlink/update_log.h"

#define FRS_NO_VERSION UINT32_MAX

enum frs_catchup {
    FRS_CATCHUP_IDEAL,    /* the papers: one update, missed rounds cost nothing */
    FRS_CATCHUP_REPLAY,   /* all missed updates */
    FRS_CATCHUP_FULL,     /* the whole table every time */
    FRS_CATCHUP_CHEAPEST, /* the smaller of replay and full */
};

enum frs_first_contact {
    FRS_FIRST_CONTACT_TABLE, /* a client without any table gets the whole one */
    FRS_FIRST_CONTACT_SEED,  /* it draws the initial table from the shared seed and replays all updates */
};

extern const char *const frs_catchup_names[];       /* enum frs_catchup */
extern const char *const frs_first_contact_names[]; /* enum frs_first_contact */

/* Whether clients can follow a server that keeps the exact table. */
bool frs_catchup_can_be_exact(enum frs_catchup catchup, enum frs_first_contact first_contact);

/* What a client's message consists of: the whole state, or the updates from a version on. */
struct frs_catchup_plan {
    bool state;
    size_t from;
};

/* For a client that holds version `held` (FRS_NO_VERSION: none), where a whole state has so many bytes. */
struct frs_catchup_plan frs_catchup_plan(enum frs_catchup catchup, enum frs_first_contact first_contact,
    const struct frs_update_log *log, uint32_t held, size_t state_bytes);

/* The first version whose update a client may still replay. */
size_t frs_catchup_needs(enum frs_catchup catchup, const struct frs_update_log *log, size_t state_bytes);

#endif
