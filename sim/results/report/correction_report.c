#include "sim/results/report/correction_report.h"
#include "sim/results/json_file.h"
#include "sim/setup/notes/correction_note.h"

#include <stdlib.h>

static uint32_t count_heard(const struct frs_outputs *outputs) {
    uint32_t heard = 0;
    for (uint32_t client = 0; client < outputs->setup->training.data->population.n_clients; client++)
        heard += frs_ledger_client(outputs->ledger, client)->delivered > 0;
    return heard;
}

void frs_correction_set(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_corrected_sum *correction = &outputs->setup->training.server_step.correction;
    double client_bytes = frs_corrected_sum_client_bytes(correction);
    if (!correction->is_there)
        return;
    json_t *object = frs_json_add_object(root, "correction");
    uint32_t heard = count_heard(outputs);
    char *note = frs_correction_note(outputs->setup);
    frs_json_set_text(object, "name", correction->correction->plugin.name);
    frs_json_set_count(object, "clients_heard", heard);
    frs_json_set_real(object, "kept_bytes", client_bytes * heard);
    frs_json_set_text(object, "text", note);
    free(note);
}
