/* Clients are drawn uniformly among those that were not selected in the previous round, as FedRAP's
 * privacy variant requires. The repetition of a lost round may select the same clients again. */
#include "actors/selection.h"

extern const struct frs_selection frs_selection_uniform;

static bool is_rested(void *context, uint32_t client) {
    const struct frs_selection_request *request = context;
    const struct frs_seen *seen = frs_observations_client(request->observations, client);
    bool before = seen->last_round + 1 == request->round,
         now = seen->last_round == request->round && request->attempt == 0;
    bool just_selected = seen->times_selected > 0 && (before || now);
    return !just_selected && frs_selection_eligible(request, client);
}

static uint32_t select_no_repeat(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_selection_request rested = *request;
    rested.eligible = is_rested;
    rested.context = (void *)(uintptr_t)request;
    return frs_selection_uniform.select(&rested, clients);
}

const struct frs_selection frs_selection_no_repeat = {
    .plugin = {.name = "no_repeat",
        .summary = "uniformly at random, but no client twice in a row",
        .source = "Li et al. 2024 (FedRAP), differential privacy"},
    .observes = true,
    .rests = true,
    .leaves_out = true,
    .max_share = 0.5,
    .select = select_no_repeat,
};
