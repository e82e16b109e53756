#include "sim/results/report/machine_object.h"
#include "sim/base/clock.h"
#include "sim/results/json_file.h"

#include <math.h>
#include <sys/resource.h>

static double peak_rss_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

double frs_machine_updates_per_s(const struct frs_outputs *outputs) {
    return outputs->wall_s > 0 ? (double)outputs->result->updates / outputs->wall_s : NAN;
}

/* Processor time of all threads so far, by purpose. The simulation's share is the time of the rounds minus
 * all other shares; it is 0 where the others, which are partly extrapolated, exceed the total. */
static void set_parts(json_t *object, const struct frs_outputs *outputs) {
    const struct frs_simulation_result *result = outputs->result;
    const struct frs_trainer_times *times = &result->times;
    double learning_s =
        times->training_s + times->messages_s + times->commits_s + times->aggregation_s + times->evaluation_s;
    frs_json_set_real(object, "preparation_s", outputs->prepared_s);
    frs_json_set_real(object, "training_s", times->training_s);
    frs_json_set_real(object, "messages_s", times->messages_s);
    frs_json_set_real(object, "commits_s", times->commits_s);
    frs_json_set_real(object, "aggregation_s", times->aggregation_s);
    frs_json_set_real(object, "evaluation_s", times->evaluation_s);
    frs_json_set_real(object, "ledger_s", result->ledger_s);
    frs_json_set_real(object, "simulation_s",
        fmax(outputs->simulated_s - outputs->prepared_s - learning_s - result->ledger_s, 0));
    frs_json_set_real(object, "ending_s", frs_process_cpu_s() - outputs->simulated_s);
}

/* What more threads do not make shorter: the simulating thread's own processor time in the rounds,
 * and sums that one thread at a time adds up, in the order of client ids. */
static void set_serial(json_t *object, const struct frs_simulation_result *result) {
    frs_json_set_real(object, "simulating_thread_s", result->serial_s);
    frs_json_set_real(object, "ordered_sums_s", result->times.ordered_s);
}

void frs_machine_object(json_t *machine, const struct frs_outputs *outputs) {
    frs_json_set_real(machine, "wall_s", outputs->wall_s);
    if (outputs->what_ifs)
        frs_json_set_real(machine, "what_if_s", outputs->what_if_s);
    if (outputs->result->recalled)
        json_object_set_new(machine, "recalled", json_true());
    else if (outputs->setup->training.trains) {
        frs_json_set_real(machine, "client_updates_per_s", frs_machine_updates_per_s(outputs));
        frs_json_set_real(machine, "training_wall_s", outputs->result->training_s);
    }
    set_parts(frs_json_add_object(machine, "parts"), outputs);
    set_serial(frs_json_add_object(machine, "serial"), outputs->result);
    frs_json_set_real(machine, "peak_rss_bytes", peak_rss_bytes());
    frs_json_set_count(machine, "threads", outputs->threads);
}
