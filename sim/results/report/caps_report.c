#include "sim/results/report/caps_report.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/results/json_file.h"

#include <inttypes.h>
#include <math.h>

struct excess {
    uint32_t clients; /* above a cap in some period */
    double bytes, energy_j, metered_bytes;
};

static double above(
    const struct frs_client_periods *periods, uint32_t client, enum frs_client_figure figure, double cap) {
    double most = frs_client_periods_most(periods, client, figure);
    return most > cap ? most - cap : 0;
}

static struct excess excess_of(const struct frs_outputs *outputs) {
    const struct frs_client_periods *periods = frs_ledger_periods(outputs->ledger);
    const struct frs_caps *caps = &outputs->setup->caps;
    struct excess excess = {0};
    for (uint32_t client = 0; client < outputs->setup->training.data->population.n_clients; client++) {
        double bytes = above(periods, client, FRS_CLIENT_BYTES, caps->bytes),
               energy_j = above(periods, client, FRS_CLIENT_ENERGY, caps->energy_j),
               metered = above(periods, client, FRS_CLIENT_METERED, caps->metered_bytes);
        excess.clients += bytes > 0 || energy_j > 0 || metered > 0;
        excess.metered_bytes = fmax(excess.metered_bytes, metered);
        excess.bytes = fmax(excess.bytes, bytes);
        excess.energy_j = fmax(excess.energy_j, energy_j);
    }
    return excess;
}

void frs_caps_set(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_caps *caps = &outputs->setup->caps;
    if (!frs_caps_limit(caps))
        return;
    struct frs_accounts_report report = frs_accounts_report(frs_coordinator_accounts(outputs->coordinator));
    struct excess excess = excess_of(outputs);
    json_t *object = frs_json_add_object(root, "caps");
    frs_json_set_count(object, "clients_held_back", report.clients_held_back);
    frs_json_set_count(object, "short_rounds", outputs->result->short_rounds);
    frs_json_set_count(object, "missing_participations", outputs->result->missing_participations);
    frs_json_set_count(object, "clients_above", excess.clients);
    if (isfinite(caps->bytes)) {
        frs_json_set_real(object, "bytes", caps->bytes);
        frs_json_set_real(object, "most_excess_bytes", excess.bytes);
        frs_json_set_real(object, "most_error_bytes", report.most_error_bytes);
    }
    if (isfinite(caps->metered_bytes)) {
        frs_json_set_real(object, "metered_bytes", caps->metered_bytes);
        frs_json_set_real(object, "most_excess_metered_bytes", excess.metered_bytes);
        frs_json_set_real(object, "most_error_metered_bytes", report.most_error_metered_bytes);
    }
    if (isfinite(caps->energy_j)) {
        frs_json_set_real(object, "energy_j", caps->energy_j);
        frs_json_set_real(object, "most_excess_j", excess.energy_j);
        frs_json_set_real(object, "most_error_j", report.most_error_j);
    }
}

char *frs_caps_line(const struct frs_outputs *outputs) {
    if (!frs_caps_limit(&outputs->setup->caps))
        return NULL;
    struct frs_accounts_report report = frs_accounts_report(frs_coordinator_accounts(outputs->coordinator));
    struct excess excess = excess_of(outputs);
    char bytes[32], joules[32];
    return frs_format("held %u of %u clients back; %" PRIu64 " rounds had fewer clients than wanted, %" PRIu64
                      " participations in all; %u clients "
                      "were above a cap, by %s and %s at most",
        report.clients_held_back, outputs->setup->training.data->population.n_clients,
        outputs->result->short_rounds, outputs->result->missing_participations, excess.clients,
        frs_units_format(fmax(excess.bytes, excess.metered_bytes), FRS_BYTES, bytes, sizeof bytes),
        frs_units_format(excess.energy_j, FRS_ENERGY, joules, sizeof joules));
}
