#include "sim/setup/notes/network_note.h"
#include "actors/backend.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"

#define NEARLY_ALL 0.999
#define LV08_LATENCIES 13.01
#define LV08_SHARE 0.97

/* A share of one in a hundred thousand occurs in every larger run. */
#define MANY_FLOORED 1e-5

static bool names_model(const struct frs_setup *setup) {
    return frs_values_find(frs_scenario_section(setup->scenario, "network"), "model")->given;
}

/* Compares latencies with the transfer times of messages, for a client with the median of every value. */
static char *note_lv08(const struct frs_network *network, double down_bytes, double up_bytes) {
    struct frs_client_link link = frs_network_marginals(network, 0.5);
    double latencies_s = 2 * LV08_LATENCIES * link.latency_s;
    double bytes_s = (down_bytes / link.down_bytes_per_s + up_bytes / link.up_bytes_per_s) / LV08_SHARE;
    char waits[64], moves[64];
    if (!(latencies_s > bytes_s))
        return NULL;
    return frs_format("lv08: twice 13.01 latencies (%s at the median) outweigh the bytes (%s); measured: tcp",
        frs_units_format(latencies_s, FRS_TIME, waits, sizeof waits),
        frs_units_format(bytes_s, FRS_TIME, moves, sizeof moves));
}

/* Times do not follow the given distribution then: without the floor they would be longer. */
static char *note_jitter(const struct frs_network *network) {
    double floored = frs_network_floored(network);
    if (floored < MANY_FLOORED)
        return NULL;
    return frs_format("jitter %g makes %.3g %% of the transfers slower than 1 byte/s, at which they are "
                      "simulated; measured "
                      "within phones: 0.37",
        frs_network_jitter(network, FRS_JITTER_RATE), 100 * floored);
}

static char *note_model(const struct frs_setup *setup, double down_bytes, double up_bytes) {
    const struct frs_network *network = &setup->network;
    switch (network->model) {
    case FRS_EXACT:
        return setup->backend == &frs_backend_simgrid && !names_model(setup)
                   ? frs_strdup("exact, which opens no connections and has no slow start: SimGrid's own "
                                "solver does not simulate tcp, "
                                "the default")
                   : NULL;
    case FRS_PACKETS:
    case FRS_TCP:
        return frs_network_marginals(network, NEARLY_ALL).latency_s > 0
                   ? NULL
                   : frs_format(
                         "%s without latency (network.latency): nothing is waited for%s, and a message "
                         "alone on its links takes about as long as under exact",
                         frs_network_model_names[network->model],
                         network->model == FRS_PACKETS ? " but queues" : "");
    case FRS_LV08:
        return setup->platform.file ? NULL : note_lv08(network, down_bytes, up_bytes);
    }
    return NULL;
}

char *frs_network_note(const struct frs_setup *setup, double down_bytes, double up_bytes) {
    char *jitter = setup->platform.file ? NULL : note_jitter(&setup->network);
    return jitter ? jitter : note_model(setup, down_bytes, up_bytes);
}
