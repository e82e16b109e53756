#include "actors/links/uncontended_flow.h"
#include "actors/extremes.h"
#include "actors/links/packet_queue.h"
#include "actors/links/packets.h"
#include "actors/links/tcp_growth.h"
#include "actors/links/tcp_stream.h"
#include "actors/slow_start.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define MANY_QUEUES 20  /* of bytes that are left, where the rest crosses in one */
#define SLACK_PACKETS 5 /* because acknowledgements are of two packets */

struct waiting {
    double starts_s, weight;
};

/* State of the simulated flow. */
struct game {
    const struct frs_uncontended_flow *flow;
    struct frs_tcp_stream stream; /* with packets that will have left the link */
    uint32_t first_packet;        /* of the message; those before are of messages before it */
    double capacity, waiting;     /* of the queue; what is in it */
    struct waiting *queue;        /* ring of the packets in it, with the times at which they leave it */
    uint32_t first, n, size;
    double free_s; /* from when on the link is */
    bool dropped, wants_windows;
    struct frs_windows windows;
    size_t capacity_windows;
    double window_start_s, window_end_s; /* of the last window */
};

static double weight(double payload_bytes) {
    return (payload_bytes + FRS_PACKET_FRAME_BYTES) * FRS_PACKET_PAYLOAD_BYTES /
           (FRS_PACKET_PAYLOAD_BYTES + FRS_PACKET_FRAME_BYTES);
}

static double queue_bytes(const struct frs_uncontended_flow *flow) {
    return frs_larger(flow->bytes_per_s * flow->queue_s, FRS_PACKETS_LEAST_QUEUE * FRS_PACKET_PAYLOAD_BYTES);
}

/* What the client's request has shown. */
static double request_delay_s(const struct frs_uncontended_flow *flow) {
    return flow->round_trip_s + weight(FRS_REQUEST_BYTES) / flow->bytes_per_s;
}

static double n_packets(const struct frs_uncontended_flow *flow) {
    return ceil(flow->bytes / FRS_PACKET_PAYLOAD_BYTES);
}

/* In slow start each packet that has crossed causes two more. So the queue is full when the sender has
 * sent, beyond the first window, twice what queue and round trip hold, or three times the queue where the
 * round trip holds more than that. */
static bool may_overflow(const struct frs_uncontended_flow *flow) {
    double queue = queue_bytes(flow) / FRS_PACKET_PAYLOAD_BYTES,
           round_trip = flow->bytes_per_s * flow->round_trip_s / FRS_PACKET_PAYLOAD_BYTES,
           first = frs_larger(flow->from.window, FRS_TCP_INITIAL_WINDOW) + SLACK_PACKETS,
           least = frs_larger(frs_smaller(2 * (queue + round_trip), 3 * queue) - first, queue);
    return isfinite(flow->bytes_per_s) && n_packets(flow) > least;
}

/* HyStart mistakes a train of packets for a queue where they are long relative to the request. It then
 * ends slow start in the first round of 16 packets or more, although the round trip may hold more. */
static bool may_leave_early(const struct frs_uncontended_flow *flow) {
    double delay_s = flow->from.delay_s > 0 ? flow->from.delay_s : request_delay_s(flow),
           pair_s = flow->round_trip_s + 2 * FRS_PACKET_PAYLOAD_BYTES / flow->bytes_per_s;
    return flow->up && isfinite(flow->bytes_per_s) && n_packets(flow) > FRS_HYSTART_WINDOW &&
           flow->round_trip_s * flow->bytes_per_s > FRS_HYSTART_WINDOW * FRS_PACKET_PAYLOAD_BYTES &&
           pair_s > delay_s + frs_hystart_patience_s(delay_s);
}

/* Slow start has ended before, at less than what the round trip holds. */
static bool has_known_end(const struct frs_uncontended_flow *flow) {
    double round_trip = flow->bytes_per_s * flow->round_trip_s / FRS_PACKET_PAYLOAD_BYTES;
    return flow->from.threshold > 0 && isfinite(flow->bytes_per_s) && flow->from.threshold < round_trip + 2 &&
           n_packets(flow) > flow->from.window;
}

bool frs_uncontended_flow_has_form(const struct frs_uncontended_flow *flow) {
    return !flow->stream && !may_overflow(flow) && !may_leave_early(flow) && !has_known_end(flow);
}

/* ---- the queue and the link ------------------------------------------------------------------ */

static void join(struct game *game, double starts_s, double packet_weight) {
    if (game->n == game->size) {
        uint32_t size = game->size ? 2 * game->size : 32;
        struct waiting *grown = frs_alloc(size, sizeof *grown);
        for (uint32_t i = 0; i < game->n; i++)
            grown[i] = game->queue[(game->first + i) & (game->size - 1)];
        free(game->queue);
        game->queue = grown;
        game->first = 0;
        game->size = size;
    }
    game->queue[(game->first + game->n++) & (game->size - 1)] = (struct waiting){starts_s, packet_weight};
    game->waiting += packet_weight;
}

/* Removes the packets that are on the link by now, or beyond it. */
static void advance(struct game *game, double now_s) {
    while (game->n && game->queue[game->first & (game->size - 1)].starts_s <= now_s) {
        game->waiting -= game->queue[game->first & (game->size - 1)].weight;
        game->first = (game->first + 1) & (game->size - 1);
        game->n--;
    }
    if (!game->n)
        game->waiting = 0;
}

static void add_window(struct game *game, double start_s) {
    struct frs_windows *windows = &game->windows;
    if (windows->n)
        windows->of[windows->n - 1].wait_s = start_s - game->window_start_s;
    windows->of = frs_grow(windows->of, windows->n + 1, &game->capacity_windows, sizeof *windows->of);
    windows->of[windows->n++] = (struct frs_window){0};
    game->window_start_s = game->window_end_s = start_s;
}

/* The link carries new bytes from start_s to end_s. A message whose first ones wait for an acknowledgement
 * has an empty window before them. */
static void note_crossing(struct game *game, double start_s, double end_s, double bytes) {
    struct frs_windows *windows = &game->windows;
    if (!windows->n && start_s > 0)
        add_window(game, 0);
    if (!windows->n || start_s > game->window_end_s)
        add_window(game, start_s);
    windows->of[windows->n - 1].bytes += (uint64_t)bytes;
    game->window_end_s = end_s;
}

static double payload_of(const struct game *game, uint32_t packet) {
    double before = (game->stream.sender.n_packets - game->first_packet - 1) * FRS_PACKET_PAYLOAD_BYTES;
    return packet + 1 == game->stream.sender.n_packets ? game->flow->bytes - before
                                                       : FRS_PACKET_PAYLOAD_BYTES;
}

static void cross(struct game *game, double now_s, const struct frs_tcp_transmission *transmission) {
    double payload = payload_of(game, transmission->packet), packet_weight = weight(payload);
    advance(game, now_s);
    if (game->waiting + packet_weight > game->capacity) {
        game->dropped = true;
        return;
    }
    double start_s = frs_larger(game->free_s, now_s);
    game->free_s = start_s + packet_weight / game->flow->bytes_per_s;
    if (start_s > now_s)
        join(game, start_s, packet_weight);
    struct frs_packet packet = {.transmission = *transmission, .left_s = game->free_s};
    bool is_new = frs_tcp_sender_reaches(&game->stream.sender, transmission->packet);
    if (is_new && game->wants_windows)
        note_crossing(game, start_s, game->free_s, payload);
    frs_tcp_stream_leaves(&game->stream, &packet, game->flow->round_trip_s, is_new);
}

/* ---- the course of it ------------------------------------------------------------------------ */

static void send(struct game *game, double now_s) {
    struct frs_tcp_transmission transmission;
    while (frs_tcp_sender_next(&game->stream.sender, now_s, &transmission))
        cross(game, now_s, &transmission);
}

/* The message follows the one before it, whose last packets have not been acknowledged yet. */
static void go_on_with(struct game *game, uint32_t n_packets) {
    struct frs_packet_ring sent = {0};
    game->stream = frs_tcp_stream_copy(game->flow->stream);
    game->first_packet = game->stream.sender.n_packets;
    double last_bytes = game->flow->bytes - (n_packets - 1) * FRS_PACKET_PAYLOAD_BYTES;
    game->dropped =
        frs_tcp_stream_catches_up(&game->stream, n_packets, weight(last_bytes), game->capacity, &sent);
    while (sent.n) {
        struct frs_packet packet = frs_packet_ring_pop(&sent);
        cross(game, 0, &packet.transmission);
    }
    frs_packet_ring_fini(&sent);
    send(game, 0);
}

static void begin(struct game *game, const struct frs_uncontended_flow *flow, bool wants_windows) {
    *game = (struct game){.flow = flow, .capacity = queue_bytes(flow), .wants_windows = wants_windows};
    if (flow->stream) {
        go_on_with(game, (uint32_t)n_packets(flow));
        return;
    }
    frs_tcp_receiver_init(&game->stream.receiver, flow->interactive);
    frs_tcp_sender_init(&game->stream.sender, (uint32_t)n_packets(flow), flow->round_trip_s, 0, 0);
    frs_tcp_sender_remember(&game->stream.sender, &flow->from);
    if (flow->up)
        frs_tcp_sender_know_delay(&game->stream.sender, request_delay_s(flow));
    send(game, 0);
}

static void end(struct game *game) {
    frs_tcp_stream_fini(&game->stream);
    free(game->queue);
}

static bool has_arrived(const struct game *game) {
    return game->stream.receiver.n_arrived == game->stream.sender.n_packets;
}

static double heard_s(const struct game *game) {
    return game->stream.left.n ? frs_packet_ring_first(&game->stream.left)->acknowledged_s : INFINITY;
}

/* When the next event is. */
static double next_s(const struct game *game) {
    return frs_smaller(frs_tcp_sender_timer_s(&game->stream.sender), heard_s(game));
}

/* Processes it. */
static void go_on(struct game *game) {
    struct frs_tcp_sender *sender = &game->stream.sender;
    double now_s = frs_larger(next_s(game), 0);
    if (heard_s(game) <= now_s)
        frs_tcp_stream_hears(&game->stream, now_s);
    else
        frs_tcp_sender_timer(sender, now_s);
    send(game, now_s);
}

/* The link is busy, the sender repairs nothing, and later losses will not leave the link idle: the
 * remaining window is one that the round trip holds. */
static bool is_settled(const struct game *game) {
    const struct frs_tcp_sender *sender = &game->stream.sender;
    double round_trip = game->flow->bytes_per_s * game->flow->round_trip_s,
           left = (sender->n_packets - sender->next) * FRS_PACKET_PAYLOAD_BYTES;
    return sender->state == FRS_TCP_OPEN && !sender->n_lost && sender->window >= sender->threshold &&
           game->waiting > 0 && sender->window * FRS_PACKET_PAYLOAD_BYTES >= round_trip &&
           FRS_TCP_REDUCES_TO * (game->capacity + round_trip) >= round_trip &&
           left > MANY_QUEUES * (game->capacity + round_trip);
}

void frs_uncontended_flow_windows(const struct frs_uncontended_flow *flow, struct frs_windows *windows) {
    struct game game;
    *windows = (struct frs_windows){0};
    if (frs_uncontended_flow_has_form(flow))
        return;
    begin(&game, flow, true);
    while (!has_arrived(&game) && !is_settled(&game))
        go_on(&game);
    if (game.dropped || flow->stream || may_leave_early(flow) || has_known_end(flow)) {
        uint64_t told = 0;
        *windows = game.windows;
        for (size_t i = 0; i < windows->n; i++)
            told += windows->of[i].bytes;
        windows->of[windows->n - 1].bytes += (uint64_t)ceil(flow->bytes) - told;
    } else {
        free(game.windows.of);
    }
    end(&game);
}

double frs_uncontended_flow_s(const struct frs_uncontended_flow *flow) {
    struct game game;
    begin(&game, flow, false);
    while (!has_arrived(&game))
        go_on(&game);
    end(&game);
    return game.free_s;
}

struct frs_path_memory frs_uncontended_flow_memory(
    const struct frs_uncontended_flow *flow, struct frs_tcp_stream *stream) {
    struct game game;
    begin(&game, flow, false);
    while (!has_arrived(&game))
        go_on(&game);
    if (stream) {
        *stream = frs_tcp_stream_copy(&game.stream);
        stream->since_s = game.stream.sender.sent_s;
        frs_tcp_stream_shift(stream, -game.free_s);
    }
    while (game.stream.sender.unacknowledged < game.stream.sender.n_packets)
        go_on(&game);
    struct frs_path_memory memory = frs_tcp_sender_memory(&game.stream.sender);
    end(&game);
    return memory;
}
