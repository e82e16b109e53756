/* Default notes: what a scenario leaves to the default preset. A reader of the results has to know that it
 * was not a choice. */
#ifndef FRS_SETUP_NOTES_DEFAULT_NOTES_H
#define FRS_SETUP_NOTES_DEFAULT_NOTES_H

#include "sim/setup/setup.h"

/* "latency of fieldguide, the default (network.preset): 0.75 MiB/s down ...": the properties of links that
 * come from the default preset. NULL: none. Freed by the caller. */
char *frs_default_note_links(const struct frs_setup *setup);

/* The same of speed and overhead of devices. */
char *frs_default_note_devices(const struct frs_setup *setup);

/* "noticed after 30 s (failures.detect, the default)": how long rounds wait for a client that dropped out,
 * set or by default, and what happens to connections that break. NULL: no client can drop out. Freed by
 * the caller. */
/* Edges whose own links and latency are those of the defaults, which flatter them; NULL: there are none. */
char *frs_default_note_edges(const struct frs_setup *setup);

char *frs_losses_noticed(const struct frs_setup *setup);

/* The effect of a change of a device's links, where devices have states, and whether links differ. NULL:
 * nothing that the user should know. Freed by the caller. */
char *frs_default_note_states(const struct frs_setup *setup);

/* "clients with rare tastes are online least, with correlation 1 and concentration 2, the defaults
 * (availability.correlation, availability.concentration)", for what follows clients in section
 * "availability" or "failures"; NULL: nothing does, or both are given. *key: the one that decides more. */
char *frs_default_note_follows(const struct frs_setup *setup, const char *section, const char **key);

#endif
