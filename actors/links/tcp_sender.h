/* TCP sender: what one connection may send when, packet by packet, from the acknowledgements it has seen.
 *
 * Congestion control is CUBIC (RFC 9438) with its Reno-friendly region and HyStart as in Linux
 * (actors/links/tcp_growth.h). Losses are found by the order of transmission (as RFC 8985 does without
 * reordering) and repaired by proportional rate reduction (RFC 6937). At the tail a probe finds them (RFC
 * 8985, 7); it reduces the window if it took a lost packet's place (tcp_process_tlp_ack). The last resort
 * is a retransmission time-out (RFC 6298, at least 0.2 s as in Linux). After a time-out new packets are
 * sent first, to find out whether it was justified (RFC 5682). It is taken back if the acknowledged
 * packets were sent before anything was sent again (RFC 4015). The receiver decides which packet is
 * acknowledged when (actors/links/tcp_receiver.h); acknowledgements are neither lost nor reordered.
 *
 * Pure: knows no clock but the times it is told, which must not decrease. Packets are numbered from 0, and
 * so are transmissions, of which a packet may need several. Memory grows with the packets in flight. */
#ifndef FRS_ACTORS_LINKS_TCP_SENDER_H
#define FRS_ACTORS_LINKS_TCP_SENDER_H

#include "actors/links/tcp_state.h"

/* `rtt_s` was measured when the connection was opened. `window` (packets) is what the connection keeps
 * from before, if it is larger than the initial window: then there is no slow start. */
void frs_tcp_sender_init(
    struct frs_tcp_sender *sender, uint32_t n_packets, double rtt_s, double now_s, double window);
void frs_tcp_sender_fini(struct frs_tcp_sender *sender);

/* Before anything is sent: the sender knows its path from a message before, as its memory stands now. */
void frs_tcp_sender_remember(struct frs_tcp_sender *sender, const struct frs_path_memory *memory);

/* Before anything is sent: the shortest round trip that data has shown, if none was shorter. */
void frs_tcp_sender_know_delay(struct frs_tcp_sender *sender, double delay_s);

/* What there is to remember for the next message. */
struct frs_path_memory frs_tcp_sender_memory(const struct frs_tcp_sender *sender);

/* The next packet to send at now_s; false: none may be sent before something happens. */
bool frs_tcp_sender_next(
    struct frs_tcp_sender *sender, double now_s, struct frs_tcp_transmission *transmission);

/* What the receiver knows: a packet that was sent reaches it. False: it had this one before. */
bool frs_tcp_sender_reaches(struct frs_tcp_sender *sender, uint32_t packet);

/* The acknowledgement of a transmission has arrived. */
void frs_tcp_sender_acknowledged(
    struct frs_tcp_sender *sender, double now_s, const struct frs_tcp_transmission *transmission);

/* Time at which frs_tcp_sender_timer must be called if nothing happens before; INFINITY: never. */
double frs_tcp_sender_timer_s(const struct frs_tcp_sender *sender);
void frs_tcp_sender_timer(struct frs_tcp_sender *sender, double now_s);

#endif
