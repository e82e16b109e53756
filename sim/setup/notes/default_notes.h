/* Default notes: what a scenario leaves to the preset that is taken when none is named. A reader of the
 * results has to know that it was not a choice. */
#ifndef FRS_SETUP_NOTES_DEFAULT_NOTES_H
#define FRS_SETUP_NOTES_DEFAULT_NOTES_H

#include "sim/setup/setup.h"

/* "latency of fieldguide, the default (network.preset): 0.75 MiB/s down ...": what links have from the
 * default preset. NULL: nothing. Freed by the caller. */
char *frs_default_note_links(const struct frs_setup *setup);

/* The same of speed and overhead of devices. */
char *frs_default_note_devices(const struct frs_setup *setup);

/* "noticed after 30 s (failures.detect, the default)": how long rounds wait for a client that dropped out,
 * set or by default, and what becomes of connections that break. NULL: no client can drop out. Freed by the
 * caller. */
char *frs_losses_noticed(const struct frs_setup *setup);

/* What a change of the links of devices does, where devices have states, and whether links differ; NULL:
 * nothing that the user should know. Freed by the caller. */
char *frs_default_note_states(const struct frs_setup *setup);

#endif
