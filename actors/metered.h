/* Metered bytes: what crosses while a client's link is one whose bytes are paid for. */
#ifndef FRS_ACTORS_METERED_H
#define FRS_ACTORS_METERED_H

#include "actors/participation.h"

/* So many bytes of the message, or of the part of a handshake, that is under way have crossed by now, on the
 * link that bytes cross on. What had been noted before of the same message is not noted again. */
void frs_metered_note(struct frs_participation *participation, uint64_t crossed_bytes);

#endif
