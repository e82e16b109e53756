/* Channel: the SimGrid engine of a run, and the only file that moves bytes through SimGrid's network.
 *
 * Every participant borrows a slot (platforms/networks/slots.h): a client host that one private link each
 * way joins to the server. Where the server's own link is finite, it lies behind the private links.
 * SimGrid's engine is a singleton: one channel per process. */
#ifndef FRS_ACTORS_LINKS_CHANNEL_H
#define FRS_ACTORS_LINKS_CHANNEL_H

#include "actors/carried.h"
#include "actors/participation.h"
#include "actors/simgrid.h"
#include "sim/base/status.h"

#include <stdbool.h>

struct frs_channel;

struct frs_channel_settings {
    const char *platform_file; /* written by frs_slots_write with n_slots */
    size_t n_slots;
    bool lv08;      /* SimGrid's TCP model instead of exact times */
    bool contended; /* transfers share the server's link */
    size_t n_edges; /* whose access sides clients share (frs_slots_write_edges) */
    /* On a platform of the user's own (platforms/networks/user_platform.h), otherwise NULL. */
    const char *server_host, *client_hosts; /* actors/links/user_hosts.h */
};

/* What is known of a user's platform before it is played. */
struct frs_channel_hosts {
    size_t n_clients; /* hosts that clients live on */
    bool left_out;    /* the server's host has a name like theirs, and is none */
};

/* Loads the platform in a child process, because SimGrid ends the program on a file it does not like, finds
 * the hosts, and looks for ways between them. On failure adds one line that starts with `where` and says why.
 * Call before any thread is started. */
enum frs_status frs_channel_try(const struct frs_channel_settings *settings, const char *where,
    struct frs_channel_hosts *hosts, struct frs_errors *errors) FRS_MUST_CHECK;

/* After frs_simgrid_load. */
struct frs_channel *frs_channel_create(const struct frs_channel_settings *settings);
void frs_channel_destroy(struct frs_channel *channel);

/* Host of the server actor, and of the client that borrows a slot. */
sg_host_t frs_channel_server(const struct frs_channel *channel);
sg_host_t frs_channel_client(const struct frs_channel *channel, size_t slot);

/* Calls sg_actor_init, which aborts where there is no memory for a stack. Here the program then ends as it
 * does where any other memory is missing. */
sg_actor_t frs_channel_actor(const char *name, sg_host_t host);

/* Starts measuring link load; called once from inside the server actor. */
void frs_channel_track(struct frs_channel *channel);

/* On a user's platform: moves the slot to the client's host. Otherwise: gives a slot's links the
 * capacities of a participation, and its link latency. Nothing may be in flight on the slot. */
void frs_channel_attach(
    struct frs_channel *channel, size_t slot, const struct frs_participation *participation);

/* From the client's actor: moves a message; blocks until the last byte is there. */
void frs_channel_transfer(struct frs_channel *channel, size_t slot, bool up, uint64_t bytes);

/* Bytes the link of a slot has carried so far, by SimGrid's link-load plug-in. */
double frs_channel_slot_load(const struct frs_channel *channel, size_t slot, bool up);

/* Called before a transfer of `bytes` is stopped that began at started_s, when the slot's load was
 * load_before: counts and returns what it has carried. Under lv08 this is exact as long as its rate has
 * not changed. */
double frs_channel_stop(
    struct frs_channel *channel, size_t slot, bool up, double started_s, double load_before, double bytes);

/* Whether the platform is the user's own. Then the actor sleeps instead of executing computations, because
 * several clients may share a host. */
bool frs_channel_is_users(const struct frs_channel *channel);

bool frs_channel_is_contended(const struct frs_channel *channel);

/* Bytes that the network layer has carried on all downlinks and all uplinks. In `exact` SimGrid's
 * link-load plug-in has integrated them since frs_channel_track. In `lv08` that plug-in also counts
 * latency and cross-traffic, so the messages that SimGrid has completed are counted instead. */
struct frs_carried frs_channel_carried(const struct frs_channel *channel);

#endif
