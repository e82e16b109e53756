/* Machine, as summary.json tells of it: what a run took, which is never the same again. */
#ifndef FRS_RUN_REPORT_MACHINE_OBJECT_H
#define FRS_RUN_REPORT_MACHINE_OBJECT_H

#include "sim/run/report/outputs.h"

#include <jansson.h>

/* Fills the empty object. */
void frs_machine_object(json_t *machine, const struct frs_outputs *outputs);

#endif
