#include "actors/links/tcp_stream.h"
#include "actors/extremes.h"
#include "actors/slow_start.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

void frs_tcp_stream_fini(struct frs_tcp_stream *stream) {
    frs_tcp_sender_fini(&stream->sender);
    frs_packet_ring_fini(&stream->left);
    *stream = (struct frs_tcp_stream){0};
}

/* A copy of an array [n]; NULL where there is none. */
static void *copy_of(const void *array, size_t n, size_t size) {
    if (!array)
        return NULL;
    void *copy = frs_alloc(n, size);
    memcpy(copy, array, n * size);
    return copy;
}

struct frs_tcp_stream frs_tcp_stream_copy(const struct frs_tcp_stream *stream) {
    struct frs_tcp_stream copy = *stream;
    struct frs_tcp_sender *s = &copy.sender;
    s->packets = copy_of(s->packets, s->packets_size, sizeof *s->packets);
    s->sent = copy_of(s->sent, s->sent_size, sizeof *s->sent);
    copy.left.packets = copy_of(copy.left.packets, copy.left.size, sizeof *copy.left.packets);
    for (uint32_t i = 0; i < copy.left.n; i++)
        copy.left.packets[(copy.left.first + i) & (copy.left.size - 1)].new_bytes = 0;
    return copy;
}

static void shift_sender(struct frs_tcp_sender *s, double by_s) {
    double *const times[] = {&s->newest.sent_s, &s->overtaken_s, &s->again_from_s, &s->epoch_s, &s->counted_s,
        &s->round_s, &s->last_acknowledgement_s, &s->measured_s, &s->timeout_from_s, &s->probe_s, &s->sent_s};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *times[i] += by_s;
    for (uint32_t i = 0; i < s->packets_size; i++)
        s->packets[i].sent_s += by_s;
    for (uint32_t i = 0; i < s->sent_size; i++)
        s->sent[i].sent_s += by_s;
}

void frs_tcp_stream_shift(struct frs_tcp_stream *stream, double by_s) {
    shift_sender(&stream->sender, by_s);
    stream->receiver.due_s += by_s;
    stream->since_s += by_s;
    for (uint32_t i = 0; i < stream->left.n; i++) {
        struct frs_packet *packet = &stream->left.packets[(stream->left.first + i) & (stream->left.size - 1)];
        packet->transmission.sent_s += by_s;
        packet->left_s += by_s;
        packet->acknowledged_s += by_s;
    }
}

bool frs_tcp_stream_goes_on(struct frs_tcp_stream *stream, double after_s) {
    frs_tcp_stream_hears(stream, after_s);
    if (!frs_tcp_stream_is_under_way(stream)) {
        frs_tcp_stream_fini(stream);
        return false;
    }
    stream->since_s = frs_larger(stream->since_s, after_s);
    if (after_s > 0)
        frs_tcp_stream_shift(stream, -after_s);
    return true;
}

/* What waits at a time before time 0 of messages before: one packet is on the link. */
static double waiting_before(const struct frs_tcp_stream *stream, double now_s) {
    uint32_t n = 0;
    while (n < stream->left.n && frs_packet_ring_at(&stream->left, stream->left.n - 1 - n)->left_s > now_s)
        n++;
    return n > 1 ? (n - 1) * (double)FRS_SEGMENT_BYTES : 0;
}

/* Sends what may be sent now. What is sent again has arrived since. */
static bool send_ahead(struct frs_tcp_stream *stream, double now_s, uint32_t first, double last_weight,
    double capacity, struct frs_packet_ring *accepted) {
    struct frs_packet packet = {0};
    double waiting = waiting_before(stream, now_s);
    bool dropped = false, idle = now_s >= 0 && accepted->n == 0;
    for (uint32_t i = now_s >= 0; i < accepted->n; i++)
        waiting += frs_packet_ring_at(accepted, i)->weight;
    while (frs_tcp_sender_next(&stream->sender, now_s, &packet.transmission)) {
        bool is_last = packet.transmission.packet + 1 == stream->sender.n_packets;
        packet.weight = is_last ? last_weight : FRS_SEGMENT_BYTES;
        if (packet.transmission.packet < first)
            continue;
        if (!idle && waiting + packet.weight > capacity) {
            dropped = true;
            continue;
        }
        waiting += idle ? 0 : packet.weight;
        idle = false;
        frs_packet_ring_push(accepted, &packet);
    }
    return dropped;
}

bool frs_tcp_stream_catches_up(struct frs_tcp_stream *stream, uint32_t n_packets, double last_weight,
    double capacity, struct frs_packet_ring *accepted) {
    uint32_t first = stream->sender.n_packets;
    double now_s = stream->since_s;
    bool dropped = false;
    stream->sender.n_packets += n_packets;
    for (;;) {
        dropped |= send_ahead(stream, now_s, first, last_weight, capacity, accepted);
        if (!stream->left.n || frs_packet_ring_first(&stream->left)->acknowledged_s > 0)
            return dropped;
        now_s = frs_packet_ring_first(&stream->left)->acknowledged_s;
        frs_tcp_stream_hears(stream, now_s);
    }
}

void frs_tcp_stream_leaves(
    struct frs_tcp_stream *stream, struct frs_packet *packet, double round_trip_s, bool is_new) {
    double back_s = packet->left_s + round_trip_s;
    bool at_once =
        frs_tcp_receiver_arrived(&stream->receiver, packet->left_s, packet->transmission.packet, is_new);
    packet->acknowledged_s = at_once ? back_s : back_s + FRS_ACKNOWLEDGEMENT_DELAY_S;
    if (stream->left.n) {
        struct frs_packet *before = frs_packet_ring_last(&stream->left);
        before->acknowledged_s = frs_smaller(before->acknowledged_s, back_s);
    }
    frs_packet_ring_push(&stream->left, packet);
}

void frs_tcp_stream_hears(struct frs_tcp_stream *stream, double now_s) {
    while (stream->left.n && frs_packet_ring_first(&stream->left)->acknowledged_s <= now_s) {
        struct frs_packet packet = frs_packet_ring_pop(&stream->left);
        frs_tcp_sender_acknowledged(&stream->sender, packet.acknowledged_s, &packet.transmission);
    }
}
