#include "actors/links/channel.h"
#include "actors/links/user_hosts.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/sanitizers.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* surf/precision: times closer to each other are one. */
#define PRECISION_S 1e-12

/* network/latency-factor and network/bandwidth-factor of LV08 */
#define LV08_LATENCIES 13.01
#define LV08_SHARE 0.97

struct slot {
    sg_host_t client, port;
    sg_link_t down, up;
    bool carries; /* between an edge and the server */
};

/* Actors change stacks, which is fast. ThreadSanitizer follows threads only: one for each actor. */
#if FRS_THREAD_SANITIZER
#define CONTEXTS "--cfg=contexts/factory:thread"
#else
#define CONTEXTS "--cfg=contexts/factory:raw"
#endif

/* Its stack, and what the system takes at a time. */
#define ROOM_FOR_AN_ACTOR ((size_t)2 << 20)

struct frs_channel {
    struct frs_channel_settings settings;
    struct slot *slots;
    sg_host_t *ports;             /* [1 + n_edges] the server's, and those of edges; with edges alone */
    struct frs_user_hosts users;  /* hosts of a user's platform */
    struct frs_carried completed; /* messages */
};

/* simgrid_init takes its options from a command line that this function makes; the user's own never
 * reaches it. Stacks of 512 KiB suffice for encoding, training, aggregation and evaluation, which keep
 * their data in arenas. SimGrid 3.32 crashes when one actor gets a stack of another size. */
static void start_engine(bool lv08) {
    char *exact[] = {"fedrecsim", "--log=root.thresh:warning", "--cfg=surf/precision:1e-12", CONTEXTS,
        "--cfg=contexts/stack-size:512", "--cfg=network/optim:Lazy", "--cfg=cpu/optim:Lazy",
        "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0", NULL};
    char *tcp[] = {"fedrecsim", "--log=root.thresh:warning", "--cfg=surf/precision:1e-12", CONTEXTS,
        "--cfg=contexts/stack-size:512", "--cfg=network/optim:Lazy", "--cfg=cpu/optim:Lazy",
        "--cfg=network/model:LV08", NULL};
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
    frs_simgrid.simgrid_init(&n, arguments);
    sigaction(SIGINT, &callers, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    frs_simgrid.sg_link_load_plugin_init();
}

static sg_host_t find_host(char kind, size_t slot) {
    char name[32];
    snprintf(name, sizeof name, "%c%zu", kind, slot);
    sg_host_t host = frs_simgrid.sg_host_by_name(name);
    FRS_INVARIANT(host, "the platform has no host %s", name);
    return host;
}

static sg_link_t find_link(char kind, size_t slot) {
    char name[32];
    snprintf(name, sizeof name, "%c%zu", kind, slot);
    sg_link_t link = frs_simgrid.sg_link_by_name(name);
    FRS_INVARIANT(link, "the platform has no link %s", name);
    return link;
}

static void find_slots(struct frs_channel *channel) {
    const struct frs_channel_settings *settings = &channel->settings;
    bool shares = settings->contended || settings->n_edges > 0;
    for (size_t i = 0; i < settings->n_slots; i++)
        channel->slots[i] = (struct slot){
            find_host('c', i), find_host('s', shares ? 0 : i), find_link('d', i), find_link('u', i), false};
    if (settings->n_edges == 0)
        return;
    channel->ports = frs_alloc(1 + settings->n_edges, sizeof *channel->ports);
    channel->ports[0] = find_host('s', 0);
    for (size_t i = 0; i < settings->n_edges; i++)
        channel->ports[1 + i] = find_host('e', i);
}

/* SimGrid's reader of XML does not look whether it gets memory for its buffers. */
static void load_platform(const char *file) {
    enum { BUFFERS_BYTES = 1 << 20 };
    void *room = malloc(BUFFERS_BYTES);
    if (!room)
        frs_memory_exhausted();
    free(room);
    frs_simgrid.simgrid_load_platform(file);
}

struct frs_channel *frs_channel_create(const struct frs_channel_settings *settings) {
    struct frs_channel *channel = frs_alloc(1, sizeof *channel);
    channel->settings = *settings;
    start_engine(settings->lv08);
    load_platform(settings->platform_file);
    channel->slots = frs_alloc(settings->n_slots, sizeof *channel->slots);
    if (settings->server_host) {
        char *why = frs_user_hosts_find(&channel->users, settings->server_host, settings->client_hosts);
        FRS_INVARIANT(!why, "%s", why);
        for (size_t i = 0; i < settings->n_slots; i++)
            channel->slots[i].port = channel->users.server;
    } else {
        find_slots(channel);
    }
    channel->settings.platform_file = NULL; /* may be gone by now */
    return channel;
}

/* What the child tells, in memory that both see. */
struct trial {
    bool is_done;
    struct frs_channel_hosts hosts;
    const struct frs_user_hosts *users; /* the child's alone */
    char why[1024];                     /* the platform cannot be used */
    char now[1024];                     /* frs_user_hosts_check_routes */
};

/* Zones such as Floyd's know their routes once a simulation has begun, so an actor looks for them. */
static void look_for_routes(int argc, char **argv) {
    (void)argc, (void)argv;
    struct trial *trial = frs_simgrid.sg_actor_self_get_data();
    char *why = frs_user_hosts_check_routes(trial->users, trial->now, sizeof trial->now);
    if (why)
        snprintf(trial->why, sizeof trial->why, "%s", why);
    trial->is_done = true;
    _exit(0);
}

static _Noreturn void try_in_child(const struct frs_channel_settings *settings, struct trial *trial) {
    struct frs_user_hosts users;
    start_engine(settings->lv08);
    load_platform(settings->platform_file);
    char *why = frs_user_hosts_find(&users, settings->server_host, settings->client_hosts);
    trial->hosts = (struct frs_channel_hosts){.n_clients = users.n_clients, .left_out = users.left_out};
    if (why) {
        snprintf(trial->why, sizeof trial->why, "%s", why);
        trial->is_done = true;
        _exit(0);
    }
    trial->users = &users;
    sg_actor_t actor = frs_simgrid.sg_actor_init("trial", users.server);
    frs_simgrid.sg_actor_set_data(actor, trial);
    frs_simgrid.sg_actor_start_(actor, look_for_routes, 0, NULL);
    frs_simgrid.simgrid_run();
    _exit(1);
}

/* SimGrid's own messages carry a time, a source line and a category in brackets before what they say, or
 * "Uncaught exception NAME: ", and may have a list behind it. */
static const char *essence(char *line) {
    static const char list[] = " does name a node. Existing netpoints:", uncaught[] = "Uncaught exception ";
    for (char *bracket; (bracket = strstr(line, "] ")) != NULL;)
        line = bracket + 2;
    char *behind = strncmp(line, uncaught, strlen(uncaught)) == 0 ? strstr(line, ": ") : NULL;
    char *cut = strstr(line, list);
    if (cut)
        strcpy(cut, " names no node");
    if (strcmp(line, "Not a valid model!") == 0)
        return "it has a routing that this version of SimGrid does not know";
    return behind ? behind + 2 : line;
}

/* Runs the trial in a child; what SimGrid says stands in `text` afterwards, its first line alone. */
static void try_platform(
    const struct frs_channel_settings *settings, struct trial *trial, char *text, size_t size) {
    int ends[2];
    size_t n = 0;
    FRS_INVARIANT(pipe(ends) == 0, "cannot make a pipe");
    fflush(NULL);
    pid_t child = fork();
    FRS_INVARIANT(child >= 0, "cannot start a process");
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        try_in_child(settings, trial);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], text + n, size - 1 - n)) > 0;)
        n += (size_t)got;
    close(ends[0]);
    waitpid(child, NULL, 0);
    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

enum frs_status frs_channel_try(const struct frs_channel_settings *settings, const char *where,
    struct frs_channel_hosts *hosts, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    char text[2048];
    if (frs_simgrid_load(errors) != FRS_OK)
        return FRS_ERR_RUN;
    struct trial *trial =
        mmap(NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FRS_INVARIANT(trial != MAP_FAILED, "cannot share memory with a process");
    try_platform(settings, trial, text, sizeof text);
    const char *said = *text ? essence(text) : "it ends the program without a word";
    if (*trial->why)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: SimGrid cannot use the platform \"%s\": %s",
            where, settings->platform_file, trial->why);
    else if (!trial->is_done && *trial->now)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: SimGrid cannot use the platform \"%s\": on the way from host %s: %s", where,
            settings->platform_file, trial->now, said);
    else if (!trial->is_done)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: SimGrid cannot use the platform \"%s\": %s",
            where, settings->platform_file, said);
    *hosts = trial->hosts;
    munmap(trial, sizeof *trial);
    return status;
}

void frs_channel_destroy(struct frs_channel *channel) {
    if (!channel)
        return;
    free(channel->slots);
    free(channel->ports);
    free(channel->users.clients);
    free(channel);
}

sg_host_t frs_channel_server(const struct frs_channel *channel) {
    return channel->slots[0].port;
}

sg_host_t frs_channel_client(const struct frs_channel *channel, size_t slot) {
    return channel->slots[slot].client;
}

sg_actor_t frs_channel_actor(const char *name, sg_host_t host) {
    frs_memory_require(1, ROOM_FOR_AN_ACTOR);
    return frs_simgrid.sg_actor_init(name, host);
}

void frs_channel_track(struct frs_channel *channel) {
    if (frs_channel_is_users(channel))
        return;
    for (size_t i = 0; i < channel->settings.n_slots; i++) {
        frs_simgrid.sg_link_load_track(channel->slots[i].down);
        frs_simgrid.sg_link_load_track(channel->slots[i].up);
    }
}

/* A link without limit is one that nothing fills. */
static double or_huge(double bytes_per_s) {
    return isinf(bytes_per_s) ? 1e18 : bytes_per_s;
}

void frs_channel_attach(
    struct frs_channel *channel, size_t i, const struct frs_participation *participation) {
    struct slot *slot = &channel->slots[i];
    if (frs_channel_is_users(channel)) {
        slot->client = channel->users.clients[participation->client % channel->users.n_clients];
        return;
    }
    slot->carries = participation->carries;
    if (channel->ports)
        slot->port = channel->ports[participation->shares];
    frs_simgrid.sg_link_set_bandwidth(slot->down, or_huge(participation->plan.down_bytes_per_s));
    frs_simgrid.sg_link_set_bandwidth(slot->up, or_huge(participation->plan.up_bytes_per_s));
    if (channel->settings.lv08) {
        frs_simgrid.sg_link_set_latency(slot->down, participation->plan.link_latency_s);
        frs_simgrid.sg_link_set_latency(slot->up, participation->plan.link_latency_s);
    }
}

/* A transfer begins and ends at times that the clock can tell apart. */
static double slack_bytes(double bytes_per_s) {
    return bytes_per_s * 2 * (PRECISION_S + DBL_EPSILON * frs_simgrid.simgrid_get_clock());
}

static void count(struct frs_channel *channel, const struct slot *slot, bool up, double bytes, double slack) {
    if (slot->carries)
        *(up ? &channel->completed.backhaul_up_bytes : &channel->completed.backhaul_down_bytes) += bytes;
    else
        *(up ? &channel->completed.up_bytes : &channel->completed.down_bytes) += bytes;
    *(up ? &channel->completed.up_slack_bytes : &channel->completed.down_slack_bytes) += slack;
}

void frs_channel_transfer(struct frs_channel *channel, size_t i, bool up, uint64_t bytes) {
    const struct slot *slot = &channel->slots[i];
    frs_simgrid.sg_host_sendto(up ? slot->client : slot->port, up ? slot->port : slot->client, (double)bytes);
    double bytes_per_s = slot->up ? frs_simgrid.sg_link_get_bandwidth(up ? slot->up : slot->down) : 0;
    /* What has arrived as a whole is counted as such: a huge rate would leave nothing to be checked. */
    count(channel, slot, up, (double)bytes, slot->carries ? 0 : slack_bytes(bytes_per_s));
}

double frs_channel_slot_load(const struct frs_channel *channel, size_t i, bool up) {
    if (frs_channel_is_users(channel))
        return 0;
    return frs_simgrid.sg_link_get_cum_load(up ? channel->slots[i].up : channel->slots[i].down);
}

/* SimGrid's TCP model lets 13.01 latencies pass before the first byte and spends 3 % of the capacity on
 * headers. The link-load plug-in counts that wait as time at the present rate, and counts the headers.
 * Half a byte may be under way, and the plug-in's own value is good to a millionth. */
double frs_channel_stop(
    struct frs_channel *channel, size_t i, bool up, double started_s, double load_before, double bytes) {
    double received = frs_channel_slot_load(channel, i, up) - load_before;
    if (channel->settings.lv08 && received > 0) {
        const struct slot *slot = &channel->slots[i];
        double waited_s = LV08_LATENCIES * frs_simgrid.sg_link_get_latency(up ? slot->up : slot->down);
        double elapsed_s = frs_simgrid.simgrid_get_clock() - started_s;
        received *= LV08_SHARE * (elapsed_s > waited_s ? (elapsed_s - waited_s) / elapsed_s : 0);
    }
    received = received < 0 ? 0 : received > bytes ? bytes : received;
    count(channel, &channel->slots[i], up, received, 1 + 1e-6 * received);
    return received;
}

bool frs_channel_is_users(const struct frs_channel *channel) {
    return channel->settings.server_host != NULL;
}

bool frs_channel_is_contended(const struct frs_channel *channel) {
    return channel->settings.contended || channel->settings.n_edges > 0;
}

struct frs_carried frs_channel_carried(const struct frs_channel *channel) {
    struct frs_carried carried = channel->completed;
    if (channel->settings.lv08 || frs_channel_is_contended(channel) || frs_channel_is_users(channel))
        return carried;
    carried.down_bytes = carried.up_bytes = 0;
    for (size_t i = 0; i < channel->settings.n_slots; i++) {
        carried.down_bytes += frs_simgrid.sg_link_get_cum_load(channel->slots[i].down);
        carried.up_bytes += frs_simgrid.sg_link_get_cum_load(channel->slots[i].up);
    }
    return carried;
}
