#include "actors/channel.h"
#include "sim/base/memory.h"

#include <float.h>
#include <pthread.h>
#include <signal.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/plugins/load.h>
#include <stdlib.h>

/* surf/precision: dates closer to each other are one. */
#define PRECISION_S 1e-12

struct slot {
    sg_host_t client, port;
    sg_link_t down, up;
};

struct frs_channel {
    struct frs_channel_settings settings;
    struct slot *slots;
    struct frs_carried completed; /* messages */
};

/* simgrid_init takes its options from a command line of ours; the user's own never reaches it. Stacks of 512
 * KiB carry encoding, training, aggregation and evaluation, which keep their data in arenas; SimGrid 3.32
 * crashes when one actor is given a stack of its own size. */
static void start_engine(bool lv08) {
    char *exact[] = {"fedrecsim", "--log=root.thresh:warning", "--cfg=surf/precision:1e-12",
        "--cfg=contexts/factory:raw", "--cfg=contexts/stack-size:512", "--cfg=network/optim:Lazy",
        "--cfg=cpu/optim:Lazy", "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0",
        "--cfg=network/TCP-gamma:0", NULL};
    char *tcp[] = {"fedrecsim", "--log=root.thresh:warning", "--cfg=surf/precision:1e-12",
        "--cfg=contexts/factory:raw", "--cfg=contexts/stack-size:512", "--cfg=network/optim:Lazy",
        "--cfg=cpu/optim:Lazy", "--cfg=network/model:LV08", NULL};
    char **arguments = lv08 ? tcp : exact;
    int n = 0;
    while (arguments[n])
        n++;
    struct sigaction callers;
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    sigaction(SIGINT, NULL, &callers);
    simgrid_init(&n, arguments);
    sigaction(SIGINT, &callers, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sg_link_load_plugin_init();
}

static sg_host_t find_host(char kind, size_t slot) {
    char name[32];
    snprintf(name, sizeof name, "%c%zu", kind, slot);
    sg_host_t host = sg_host_by_name(name);
    FRS_INVARIANT(host, "the platform has no host %s", name);
    return host;
}

static sg_link_t find_link(char kind, size_t slot) {
    char name[32];
    snprintf(name, sizeof name, "%c%zu", kind, slot);
    sg_link_t link = sg_link_by_name(name);
    FRS_INVARIANT(link, "the platform has no link %s", name);
    return link;
}

struct frs_channel *frs_channel_create(const struct frs_channel_settings *settings) {
    struct frs_channel *channel = frs_alloc(1, sizeof *channel);
    channel->settings = *settings;
    start_engine(settings->lv08);
    simgrid_load_platform(settings->platform_file);
    channel->slots = frs_alloc(settings->n_slots, sizeof *channel->slots);
    for (size_t i = 0; i < settings->n_slots; i++)
        channel->slots[i] = (struct slot){find_host('c', i), find_host('s', settings->contended ? 0 : i),
            find_link('d', i), find_link('u', i)};
    channel->settings.platform_file = NULL; /* may be gone by now */
    return channel;
}

void frs_channel_destroy(struct frs_channel *channel) {
    if (!channel)
        return;
    free(channel->slots);
    free(channel);
}

sg_host_t frs_channel_server(const struct frs_channel *channel) {
    return channel->slots[0].port;
}

sg_host_t frs_channel_client(const struct frs_channel *channel, size_t slot) {
    return channel->slots[slot].client;
}

void frs_channel_track(struct frs_channel *channel) {
    for (size_t i = 0; i < channel->settings.n_slots; i++) {
        sg_link_load_track(channel->slots[i].down);
        sg_link_load_track(channel->slots[i].up);
    }
}

void frs_channel_attach(
    struct frs_channel *channel, size_t i, const struct frs_participation *participation) {
    struct slot *slot = &channel->slots[i];
    sg_link_set_bandwidth(slot->down, participation->down_bytes_per_s);
    sg_link_set_bandwidth(slot->up, participation->up_bytes_per_s);
    if (channel->settings.lv08) {
        sg_link_set_latency(slot->down, participation->link_latency_s);
        sg_link_set_latency(slot->up, participation->link_latency_s);
    }
}

/* A transfer begins and ends on dates the clock can tell apart. */
static double slack_bytes(double bytes_per_s) {
    return bytes_per_s * 2 * (PRECISION_S + DBL_EPSILON * simgrid_get_clock());
}

static void count(struct frs_channel *channel, bool up, double bytes, double slack) {
    *(up ? &channel->completed.up_bytes : &channel->completed.down_bytes) += bytes;
    *(up ? &channel->completed.up_slack_bytes : &channel->completed.down_slack_bytes) += slack;
}

void frs_channel_transfer(struct frs_channel *channel, size_t i, bool up, uint64_t bytes) {
    const struct slot *slot = &channel->slots[i];
    sg_host_sendto(up ? slot->client : slot->port, up ? slot->port : slot->client, (double)bytes);
    count(channel, up, (double)bytes, slack_bytes(sg_link_get_bandwidth(up ? slot->up : slot->down)));
}

double frs_channel_slot_load(const struct frs_channel *channel, size_t i, bool up) {
    return sg_link_get_cum_load(up ? channel->slots[i].up : channel->slots[i].down);
}

/* Half a byte was under way, and the plug-in's own reading is good to a millionth. */
void frs_channel_stopped(struct frs_channel *channel, bool up, double received) {
    count(channel, up, received, 1 + 1e-6 * received);
}

bool frs_channel_is_contended(const struct frs_channel *channel) {
    return channel->settings.contended;
}

struct frs_carried frs_channel_carried(const struct frs_channel *channel) {
    struct frs_carried carried = channel->completed;
    if (channel->settings.lv08 || channel->settings.contended)
        return carried;
    carried.down_bytes = carried.up_bytes = 0;
    for (size_t i = 0; i < channel->settings.n_slots; i++) {
        carried.down_bytes += sg_link_get_cum_load(channel->slots[i].down);
        carried.up_bytes += sg_link_get_cum_load(channel->slots[i].up);
    }
    return carried;
}
