/* Network note: what to bear in mind about how messages are timed, in one line. */
#ifndef FRS_SETUP_NOTES_NETWORK_NOTE_H
#define FRS_SETUP_NOTES_NETWORK_NOTE_H

#include "sim/setup/setup.h"

/* down_bytes, up_bytes: the approximate size of a participation's messages. NULL where there is nothing to
 * say; freed by the caller. */
char *frs_network_note(const struct frs_setup *setup, double down_bytes, double up_bytes);

#endif
