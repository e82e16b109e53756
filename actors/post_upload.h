/* Post-upload work: what a client computes after its compute phase, during its upload and afterwards
 * (PFedCLR's step 2; docs/simulation.md, "Work after the upload"). The server knows nothing of it: a
 * participation ends with its upload.
 *
 * Nothing shares the device, so the end is known when the work begins: the time at which it is done, or at
 * which the client drops out. The work breaks off if the device fails before that time while it uploads,
 * or while it downloads for its next participation. A lost connection, or a server that stops the upload,
 * does not break it off. A client that takes part again meanwhile downloads at once, but its compute phase
 * waits for the device. */
#ifndef FRS_ACTORS_POST_UPLOAD_H
#define FRS_ACTORS_POST_UPLOAD_H

#include "actors/participation.h"

/* The compute phase has ended. From now on one clock of the device, fails_after_s, applies to the upload,
 * too. */
void frs_post_upload_begin(struct frs_participation *participation, double now_s);

/* If it has begun and would end later, it ends at at_s. */
void frs_post_upload_break(struct frs_participation *participation, double at_s,
    enum frs_post_upload_outcome outcome, enum frs_cause cause);

/* The time until which the device is busy with the participation before; now_s: it is free. */
double frs_post_upload_free_s(const struct frs_participation *participation, double now_s);

#endif
