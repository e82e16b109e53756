/* What a scenario says nothing about, so that the preset that is taken when none is named decides it: a
 * reader of the results has to know that nobody chose it. */
#ifndef FRS_SETUP_DEFAULT_NOTES_H
#define FRS_SETUP_DEFAULT_NOTES_H

#include "sim/setup/setup.h"

/* "latency of fieldguide, the default (network.preset): 0.75 MiB/s down ...": what links have from the
 * default preset. NULL: nothing. Freed by the caller. */
char *frs_default_note_links(const struct frs_setup *setup);

/* The same of speed and overhead of devices. */
char *frs_default_note_devices(const struct frs_setup *setup);

/* "noticed after 30 s (failures.detect, the default)": what rounds wait for when a client is lost, whoever
 * chose it, and what becomes of connections that break. NULL: nobody can be lost. Freed by the caller. */
char *frs_losses_noticed(const struct frs_setup *setup);

#endif
