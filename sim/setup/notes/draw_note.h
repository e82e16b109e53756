/* Draw note: what of the clients another seed draws otherwise, for readers of a forecast, whose range is that
 * of one seed. */
#ifndef FRS_SETUP_NOTES_DRAW_NOTE_H
#define FRS_SETUP_NOTES_DRAW_NOTE_H

#include "sim/setup/setup.h"

/* "links, devices and cohorts are those of seed 1: ..."; cohorts are named where clients differ and a round
 * does not select them all. NULL: clients have the same links and devices, or all take part with those of
 * their own. Freed by the caller. */
char *frs_draw_note(const struct frs_setup *setup);

#endif
