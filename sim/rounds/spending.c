/* What participations take of their clients' caps. */
#include "sim/rounds/simulation_internal.h"

static struct frs_spending spending_of(const struct frs_simulation *s, struct frs_participation *p) {
    const struct frs_participation_result *r = &p->result;
    struct frs_spending spending = {.down_bytes = (double)(r->down_crossed_bytes + r->resent_down_bytes +
                                                           r->setup_down_bytes + r->setup_up_bytes),
        .up_bytes = (double)(r->up_crossed_bytes + r->resent_up_bytes),
        .metered_bytes = (double)(r->metered_down_bytes + r->metered_up_bytes),
        .energy_j = frs_open_rows_energy_j(s->setup, p) + frs_open_entry_of(p)->aside_energy_j};
    for (size_t i = 0; i < r->n_asides; i++)
        spending.metered_bytes += (double)(r->asides[i].metered_down_bytes + r->asides[i].metered_up_bytes);
    for (size_t i = 0; i < r->n_asides; i++)
        spending.down_bytes += (double)(r->asides[i].down_bytes + r->asides[i].up_bytes +
                                        r->asides[i].setup_down_bytes + r->asides[i].setup_up_bytes);
    return spending;
}

void frs_simulation_spend(struct frs_simulation *s, struct frs_participation *p, bool ends) {
    struct frs_accounts *accounts = frs_coordinator_accounts(s->settings.coordinator);
    if (!accounts)
        return;
    struct frs_open_entry *open_entry = frs_open_entry_of(p);
    struct frs_spending spending = spending_of(s, p);
    bool whole = p->result.outcome == FRS_DELIVERED || p->result.outcome == FRS_LATE;
    frs_accounts_count(accounts, p, &spending, &open_entry->counted, ends && whole);
    open_entry->counted = spending;
}
