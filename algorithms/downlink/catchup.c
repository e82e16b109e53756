#include "algorithms/downlink/catchup.h"

const char *const frs_catchup_names[] = {[FRS_CATCHUP_IDEAL] = "ideal",
    [FRS_CATCHUP_REPLAY] = "replay",
    [FRS_CATCHUP_FULL] = "full",
    [FRS_CATCHUP_CHEAPEST] = "cheapest",
    NULL};
const char *const frs_first_contact_names[] = {
    [FRS_FIRST_CONTACT_TABLE] = "table", [FRS_FIRST_CONTACT_SEED] = "seed", NULL};

bool frs_catchup_can_be_exact(enum frs_catchup catchup, enum frs_first_contact first_contact) {
    return catchup == FRS_CATCHUP_IDEAL || catchup == FRS_CATCHUP_FULL ||
           (catchup == FRS_CATCHUP_REPLAY && first_contact == FRS_FIRST_CONTACT_SEED);
}

struct frs_catchup_plan frs_catchup_plan(enum frs_catchup catchup, enum frs_first_contact first_contact,
    const struct frs_update_log *log, uint32_t held, size_t state_bytes) {
    const struct frs_catchup_plan whole = {.state = true};
    if (catchup == FRS_CATCHUP_IDEAL)
        return (struct frs_catchup_plan){.from = frs_update_log_latest(log)};
    if (catchup == FRS_CATCHUP_FULL)
        return whole;
    if (held == FRS_NO_VERSION) {
        if (first_contact == FRS_FIRST_CONTACT_TABLE)
            return whole;
        held = 0;
    }
    if (catchup == FRS_CATCHUP_CHEAPEST &&
        (held < log->first_kept || frs_update_log_bytes(log, held) >= state_bytes))
        return whole;
    return (struct frs_catchup_plan){.from = held};
}

/* Under `cheapest` an update that no client would replay any more need not be kept. */
size_t frs_catchup_needs(enum frs_catchup catchup, const struct frs_update_log *log, size_t state_bytes) {
    if (catchup == FRS_CATCHUP_REPLAY)
        return 0;
    if (catchup != FRS_CATCHUP_CHEAPEST)
        return frs_update_log_latest(log);
    size_t from = log->first_kept;
    while (from + 1 < log->version && frs_update_log_bytes(log, from) >= state_bytes)
        from++;
    return from;
}
