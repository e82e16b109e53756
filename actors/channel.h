/* Channel: the SimGrid engine of a run, and the only file that moves bytes.
 *
 * Every participant borrows a slot (platforms/slots.h): a client host and a server port joined by one private
 * link each way. In `exact` timing a message takes its latency and then bytes / capacity; in `lv08` SimGrid's
 * TCP model decides. SimGrid's engine is a singleton: one channel per process. */
#ifndef FRS_ACTORS_CHANNEL_H
#define FRS_ACTORS_CHANNEL_H

#include "actors/participation.h"
#include "sim/base/errors.h"

#include <simgrid/forward.h>
#include <stdbool.h>

struct frs_channel;

struct frs_channel_settings {
    const char *platform_file; /* written by frs_slots_write with n_slots */
    size_t n_slots;
    bool lv08;
};

struct frs_channel *frs_channel_create(const struct frs_channel_settings *settings);
void frs_channel_destroy(struct frs_channel *channel);

/* Host of the server actor, and of the client that borrows a slot. */
sg_host_t frs_channel_server(const struct frs_channel *channel);
sg_host_t frs_channel_client(const struct frs_channel *channel, size_t slot);

/* Starts measuring link load; called once from inside the server actor. */
void frs_channel_track(struct frs_channel *channel);

/* Gives the slot's links the client's capacities and latency. Nothing may be in flight on the slot. */
void frs_channel_attach(struct frs_channel *channel, const struct frs_participation *participation);

/* From the client's actor: moves the message, latency included; blocks until the last byte is there. *start_s
 * is the date at which the first byte left (in lv08: the date of the call, latency being part of the model).
 */
void frs_channel_download(
    struct frs_channel *channel, const struct frs_participation *participation, double *start_s);
void frs_channel_upload(
    struct frs_channel *channel, const struct frs_participation *participation, double *start_s);

/* What the network layer counted by itself. `slack` is what the clock's resolution leaves uncertain: at 1
 * TB/s its smallest step is a byte. */
struct frs_carried {
    double down_bytes, up_bytes;
    double down_slack_bytes, up_slack_bytes;
};

/* Bytes the network layer has carried on all downlinks and all uplinks: in `exact` what SimGrid's link-load
 * plug-in has integrated since frs_channel_track; in `lv08`, where that plug-in also counts latency and
 * cross-traffic, the messages SimGrid has completed. */
struct frs_carried frs_channel_carried(const struct frs_channel *channel);

#endif
