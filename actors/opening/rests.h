/* Rests: until when a client must not be selected because of its earlier participations (rounds.cool_down,
 * rounds.per_day). A participation counts unless its client could not be reached or had too little memory:
 * then it has spent nothing. It counts for the day in which the client was selected. */
#ifndef FRS_ACTORS_OPENING_RESTS_H
#define FRS_ACTORS_OPENING_RESTS_H

#include "actors/opening/pacing.h"
#include "actors/participation.h"

struct frs_rests;

/* `pacing` is borrowed. NULL: it limits no client. */
struct frs_rests *frs_rests_create(const struct frs_pacing *pacing, uint32_t n_clients);
void frs_rests_destroy(struct frs_rests *rests);

/* The server has learnt that it is over, at times.known_s. */
void frs_rests_note(struct frs_rests *rests, const struct frs_participation *participation);

/* The first time ≥ now_s at which the client may be selected; `rests` may be NULL. */
double frs_rests_until_s(const struct frs_rests *rests, uint32_t client, double now_s);

#endif
