/* Metered bytes: what crosses while a client's link is one whose bytes are paid for. */
#ifndef FRS_ACTORS_METERED_H
#define FRS_ACTORS_METERED_H

#include "actors/participation.h"

/* Notes that this many bytes of the message, or of the part of a handshake, that is under way have crossed
 * by now on the present link. Bytes of the same message that were noted before are not noted again. */
void frs_metered_note(struct frs_participation *participation, uint64_t crossed_bytes);

#endif
