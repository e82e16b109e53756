/* Client: the actor that plays one participation on a slot's host. It lives for one round. */
#ifndef FRS_ACTORS_CLIENT_H
#define FRS_ACTORS_CLIENT_H

#include "actors/server.h"

#include <simgrid/actor.h>

/* Starts the actor of a participation whose `round` and `slot` are set; the caller holds a reference and
 * gives it back with sg_actor_unref. */
sg_actor_t frs_client_start(struct frs_participation *participation);

#endif
