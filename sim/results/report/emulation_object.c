#include "sim/results/report/emulation_object.h"
#include "sim/base/settings/units.h"
#include "sim/results/json_file.h"

#include <string.h>

#define MOST_NAMED 3

static void set_processes(json_t *array, const struct frs_emulation_record *emulation) {
    for (size_t i = 0; i < emulation->n_paused; i++) {
        const struct frs_paused_process *process = &emulation->paused[i];
        json_t *object = json_object();
        frs_json_set_text(object, "process", process->name);
        frs_json_set_count(object, "pauses", process->n);
        frs_json_set_real(object, "paused_s", process->paused_s);
        frs_json_set_real(object, "greatest_pause_s", process->greatest_s);
        json_array_append_new(array, object);
    }
}

void frs_emulation_object(json_t *object, const struct frs_emulation_record *emulation) {
    json_t *processes = json_array();
    frs_json_set_text(object, "kernel", emulation->kernel);
    frs_json_set_text(object, "tls", emulation->tls ? emulation->tls : "none");
    frs_json_set_real(object, "speed_up", emulation->speed_up);
    json_object_set_new(object, "real_time_priority", json_boolean(emulation->real_time));
    frs_json_set_count(object, "packets", emulation->n_packets);
    frs_json_set_count(object, "packets_dropped_in_queues", emulation->n_dropped);
    frs_json_set_count(object, "packets_lost_at_random", emulation->n_lost);
    frs_json_set_count(object, "packets_late", emulation->n_late);
    frs_json_set_count(object, "pauses", emulation->n_pauses);
    frs_json_set_real(object, "paused_s", emulation->paused_s);
    frs_json_set_real(object, "active_s", emulation->active_s);
    frs_json_set_real(object, "greatest_pause_s", emulation->greatest_pause_s);
    frs_json_set_real(object, "greatest_lateness_s", emulation->greatest_lateness_s);
    frs_json_set_real(object, "greatest_absence_of_server_s", emulation->greatest_absence_s);
    set_processes(processes, emulation);
    json_object_set_new(object, "paused_processes", processes);
    json_object_set_new(object, "timing_trusted", json_boolean(emulation->trusted));
}

void frs_emulation_reason(const struct frs_emulation_record *emulation, char *text, size_t size) {
    size_t n = 0;
    *text = '\0';
    for (size_t i = 0; i < emulation->n_paused; i++) {
        const struct frs_paused_process *process = &emulation->paused[i];
        size_t used = strlen(text);
        char paused[32];
        if (process->matters && n++ < MOST_NAMED)
            snprintf(text + used, size - used, "%s%s paused for %s", used > 0 ? ", " : "", process->name,
                frs_units_format(process->paused_s, FRS_TIME, paused, sizeof paused));
    }
    size_t used = strlen(text);
    char active[32];
    if (n > MOST_NAMED)
        snprintf(text + used, size - used, ", %zu other%s for less", n - MOST_NAMED,
            n - MOST_NAMED == 1 ? "" : "s");
    used = strlen(text);
    if (n > 0)
        snprintf(text + used, size - used, ", in %s with messages under way",
            frs_units_format(emulation->active_s, FRS_TIME, active, sizeof active));
}

void frs_emulation_verdict_object(json_t *object, const struct frs_emulation_record *emulation) {
    char reason[400];
    frs_emulation_reason(emulation, reason, sizeof reason);
    json_object_set_new(object, "timing_trusted", json_boolean(emulation->trusted));
    if (!emulation->trusted)
        frs_json_set_text(object, "reason", reason);
}
