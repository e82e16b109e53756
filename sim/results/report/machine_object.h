/* Machine, as summary.json shows it: real time and memory of a run, which differ every time. */
#ifndef FRS_RESULTS_REPORT_MACHINE_OBJECT_H
#define FRS_RESULTS_REPORT_MACHINE_OBJECT_H

#include "sim/results/outputs.h"

#include <jansson.h>

/* Client updates committed per second of real time; NAN: no time has passed. */
double frs_machine_updates_per_s(const struct frs_outputs *outputs);

/* Fills the empty object. */
void frs_machine_object(json_t *machine, const struct frs_outputs *outputs);

#endif
