/* Emulation, as manifest.json, summary.json and a printed line show it. */
#ifndef FRS_RESULTS_REPORT_EMULATION_OBJECT_H
#define FRS_RESULTS_REPORT_EMULATION_OBJECT_H

#include "actors/emulation/emulation.h"

#include <jansson.h>

/* Fills the empty object with all that was seen. */
void frs_emulation_object(json_t *object, const struct frs_emulation_record *emulation);

/* Fills the empty object of the summary: whether its times can be trusted and, where they cannot, why. */
void frs_emulation_verdict_object(json_t *object, const struct frs_emulation_record *emulation);

/* Writes into text [size] which processes paused for so long that times cannot be trusted, the longest
 * pauses first; empty if times can be trusted. */
void frs_emulation_reason(const struct frs_emulation_record *emulation, char *text, size_t size);

#endif
