/* Device state: what a device is connected to, whether it is charging and whether it is in use; and the
 * rule that says in which states a client may take part (rounds.eligible). */
#ifndef FRS_PLATFORMS_AVAILABILITY_DEVICE_STATE_H
#define FRS_PLATFORMS_AVAILABILITY_DEVICE_STATE_H

#include "sim/base/status.h"

#include <stdbool.h>

struct frs_values;

enum frs_device_link {
    FRS_LINK_OFF,     /* offline */
    FRS_LINK_METERED, /* a mobile network, whose bytes are paid for */
    FRS_LINK_WIFI,
    FRS_N_DEVICE_LINKS,
};

/* "off", "metered", "wifi"; ended by NULL. */
extern const char *const frs_device_link_names[];

struct frs_device_state {
    enum frs_device_link link;
    bool charging, in_use;
    double link_until_s, charging_until_s,
        in_use_until_s; /* when each of them changes next; INFINITY: never */
};

/* What a client's device has to be for the client to be selected, besides online. */
struct frs_eligible {
    bool wifi, charging, idle;
};

/* The key, for the parameter table of the section that has it (`rounds`). */
#define FRS_ELIGIBLE_PARAM                                                                                   \
    {                                                                                                        \
        .key = "eligible", .type = FRS_TEXT, .initial = "any",                                               \
        .help = "states in which a client may be selected, some of \"wifi, charging, idle\"; a client that " \
                "leaves them is interrupted as if it went offline (availability.model = \"states\"); any: "  \
                "whenever it is online"                                                                      \
    }

/* Reads such a key. False after adding errors. */
bool frs_eligible_read(const struct frs_values *values, const char *key, struct frs_eligible *eligible,
    struct frs_errors *errors);

static inline bool frs_eligible_is_any(const struct frs_eligible *eligible) {
    return !eligible->wifi && !eligible->charging && !eligible->idle;
}

static inline bool frs_is_eligible(
    const struct frs_device_state *state, const struct frs_eligible *eligible) {
    return state->link != FRS_LINK_OFF && (!eligible->wifi || state->link == FRS_LINK_WIFI) &&
           (!eligible->charging || state->charging) && (!eligible->idle || !state->in_use);
}

#endif
