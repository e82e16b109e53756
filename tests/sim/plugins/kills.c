/* A selection for tests: the next clients in turn, and in round 3 the process kills itself where FRS_KILL is
 * set. */
#include "actors/selection.h"
#include "sim/plugins/table.h"

#include <signal.h>
#include <stdlib.h>

static uint32_t select_in_turn(const struct frs_selection_request *request, uint32_t *clients) {
    uint32_t n = 0;
    if (request->round == 2 && getenv("FRS_KILL"))
        raise(SIGKILL);
    for (uint32_t i = 0; i < request->n_clients && n < request->n; i++) {
        uint32_t client = (request->round * request->n + i) % request->n_clients;
        if (frs_selection_eligible(request, client))
            clients[n++] = client;
    }
    return n;
}

static const struct frs_selection kills = {
    .plugin = {.name = "kills", .summary = "in turn, and a kill where FRS_KILL is set"},
    .select = select_in_turn,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .selections = (const struct frs_selection *const[]){&kills, NULL},
};
