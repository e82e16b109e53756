#include "actors/links/tcp_sender.h"
#include "actors/extremes.h"
#include "actors/links/tcp_growth.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REORDERING 3       /* packets that have overtaken another one before it is taken for lost at once */
#define LEAST_TIMEOUT_S .2 /* beyond the round trip */
#define LONGEST_TIMEOUT_S 120.
#define LEAST_TIMER_S .008      /* two ticks of the clock */
#define PROBE_DELAY_SINGLE_S .2 /* where an acknowledgement of one packet may be delayed */

/* What the sender takes a packet for, and whether the receiver has it. */
enum packet_state { IN_FLIGHT = 1, LOST, ARRIVED };

static struct frs_tcp_packet *known_of(const struct frs_tcp_sender *s, uint32_t packet) {
    return &s->packets[packet & (s->packets_size - 1)];
}

static enum packet_state state_of(const struct frs_tcp_sender *s, uint32_t packet) {
    return known_of(s, packet)->state;
}

static void set_state(struct frs_tcp_sender *s, uint32_t packet, enum packet_state state) {
    known_of(s, packet)->state = (uint8_t)state;
}

void frs_tcp_sender_init(
    struct frs_tcp_sender *s, uint32_t n_packets, double rtt_s, double now_s, double window) {
    *s = (struct frs_tcp_sender){
        .n_packets = n_packets,
        .window = frs_larger(window, FRS_TCP_INITIAL_WINDOW),
        .threshold = window > FRS_TCP_INITIAL_WINDOW ? window : INFINITY,
        .epoch_s = -INFINITY,
        .round_s = now_s,
        .last_acknowledgement_s = now_s,
        .round_rtt_s = INFINITY,
        .rtt_s = rtt_s,
        .deviation_s = 2 * rtt_s,
        .most_deviation_s = frs_larger(2 * rtt_s, LEAST_TIMEOUT_S),
        .allowed_s = frs_larger(2 * rtt_s, LEAST_TIMEOUT_S),
        .measured_s = -INFINITY,
        .least_rtt_s = rtt_s,
        .delay_s = INFINITY,
        .timeout_from_s = now_s,
        .timeout_factor = 1,
        .probe_s = INFINITY,
        .overtaken_s = INFINITY,
        .again_from_s = INFINITY,
    };
}

void frs_tcp_sender_fini(struct frs_tcp_sender *s) {
    free(s->packets);
    free(s->sent);
    s->packets = NULL;
    s->sent = NULL;
}

static double timeout_s(const struct frs_tcp_sender *s) {
    return frs_smaller((s->rtt_s + s->allowed_s) * s->timeout_factor, LONGEST_TIMEOUT_S);
}

void frs_tcp_sender_remember(struct frs_tcp_sender *s, const struct frs_path_memory *memory) {
    if (memory->delay_s > 0)
        s->delay_s = memory->delay_s;
    if (memory->window <= 0)
        return;
    s->window = memory->window;
    s->threshold = memory->threshold > 0 ? memory->threshold : INFINITY;
    s->last_maximum = memory->last_maximum;
    s->rtt_s = memory->rtt_s;
    s->deviation_s = memory->deviation_s;
    s->allowed_s = s->most_deviation_s = memory->timeout_s - memory->rtt_s;
    s->probe_repairs = memory->probe_repaired;
}

void frs_tcp_sender_know_delay(struct frs_tcp_sender *s, double delay_s) {
    s->delay_s = frs_smaller(s->delay_s, delay_s);
}

struct frs_path_memory frs_tcp_sender_memory(const struct frs_tcp_sender *s) {
    return (struct frs_path_memory){.window = s->window,
        .threshold = isinf(s->threshold) ? 0 : s->threshold,
        .last_maximum = s->last_maximum,
        .delay_s = s->delay_s,
        .rtt_s = s->rtt_s,
        .deviation_s = s->deviation_s,
        .timeout_s = s->rtt_s + s->allowed_s,
        .sent_s = s->sent_s,
        .probe_repaired = s->probe_repairs};
}

/* ---- what may be sent ------------------------------------------------------------------------ */

static void remember_packet(struct frs_tcp_sender *s, uint32_t packet) {
    if (packet - s->unacknowledged >= s->packets_size) {
        uint32_t size = s->packets_size ? 2 * s->packets_size : 16;
        struct frs_tcp_packet *grown = frs_alloc(size, sizeof *grown);
        for (uint32_t p = s->unacknowledged; p != packet; p++)
            grown[p & (size - 1)] = *known_of(s, p);
        free(s->packets);
        s->packets = grown;
        s->packets_size = size;
    }
    *known_of(s, packet) = (struct frs_tcp_packet){.state = IN_FLIGHT};
}

static void remember_transmission(struct frs_tcp_sender *s, struct frs_tcp_transmission transmission) {
    if (s->n_sent == s->sent_size) {
        uint32_t size = s->sent_size ? 2 * s->sent_size : 16;
        struct frs_tcp_transmission *grown = frs_alloc(size, sizeof *grown);
        for (uint32_t i = 0; i < s->n_sent; i++)
            grown[i] = s->sent[(s->sent_first + i) & (s->sent_size - 1)];
        free(s->sent);
        s->sent = grown;
        s->sent_first = 0;
        s->sent_size = size;
    }
    s->sent[(s->sent_first + s->n_sent++) & (s->sent_size - 1)] = transmission;
}

static void transmit(
    struct frs_tcp_sender *s, uint32_t packet, double now_s, struct frs_tcp_transmission *transmission) {
    if (packet == s->next) {
        remember_packet(s, packet);
        s->next++;
    } else {
        set_state(s, packet, IN_FLIGHT);
        known_of(s, packet)->again = true;
        s->again_from_s = frs_smaller(s->again_from_s, now_s);
    }
    if (!s->in_flight || packet == s->unacknowledged)
        s->timeout_from_s = now_s;
    known_of(s, packet)->number = s->n_transmissions;
    known_of(s, packet)->sent_s = now_s;
    s->in_flight++;
    s->has_sent = true;
    s->sent_s = now_s;
    if (s->state == FRS_TCP_RECOVERY)
        s->reduced_sent++;
    *transmission = (struct frs_tcp_transmission){packet, s->n_transmissions++, now_s};
    remember_transmission(s, *transmission);
    if (s->state == FRS_TCP_OPEN && !s->probed)
        s->probe_s = now_s + 2 * s->rtt_s + (s->in_flight == 1 ? PROBE_DELAY_SINGLE_S : LEAST_TIMER_S);
}

/* Notes whether the window is used up, as the kernel does (tcp_cwnd_validate): updated when a packet was
 * sent or could not be sent. */
static void note_usage(struct frs_tcp_sender *s, bool limited) {
    uint32_t n_out = s->next - s->unacknowledged;
    if (s->unacknowledged >= s->usage_end || limited || (!s->limited && n_out > s->most_out)) {
        s->limited = limited;
        s->most_out = n_out;
        s->usage_end = s->next;
    }
    s->has_sent = false;
}

bool frs_tcp_sender_next(struct frs_tcp_sender *s, double now_s, struct frs_tcp_transmission *transmission) {
    if (!s->n_lost && s->next == s->n_packets) {
        if (s->has_sent)
            note_usage(s, s->in_flight + 1 > s->window);
        return false;
    }
    if (s->in_flight + 1 > s->window && !s->probing) {
        note_usage(s, true);
        return false;
    }
    s->probing = false;
    if (s->n_lost && !(s->new_first && s->next < s->n_packets)) {
        while (state_of(s, s->lost_from) != LOST)
            s->lost_from++;
        s->n_lost--;
        transmit(s, s->lost_from++, now_s, transmission);
    } else {
        transmit(s, s->next, now_s, transmission);
    }
    return true;
}

/* ---- losses ---------------------------------------------------------------------------------- */

static void reduce(struct frs_tcp_sender *s) {
    double window = floor(s->window);
    s->undo_threshold =
        s->window < s->threshold ? s->threshold : frs_larger(s->threshold, floor(.75 * window));
    s->window_before = window;
    s->last_maximum = window < s->last_maximum ? floor(window * (1 + FRS_TCP_REDUCES_TO) / 2) : window;
    s->threshold = frs_larger(floor(window * FRS_TCP_REDUCES_TO), 2);
    s->window_part = 0;
    s->epoch_s = -INFINITY;
}

static void lose(struct frs_tcp_sender *s, uint32_t packet) {
    set_state(s, packet, LOST);
    s->in_flight--;
    s->n_lost++;
    if (packet < s->lost_from)
        s->lost_from = packet;
}

/* How long a packet that was overtaken may still arrive: a quarter of the round trip, until it is certain
 * that packets are lost. */
static double patience_s(const struct frs_tcp_sender *s) {
    return s->state != FRS_TCP_OPEN || s->n_ahead >= REORDERING ? 0
                                                                : frs_smaller(s->least_rtt_s / 4, s->rtt_s);
}

/* Forgets transmissions whose outcome is known and finds those that were overtaken. Returns how many were
 * lost. */
static uint32_t find_losses(struct frs_tcp_sender *s, double now_s) {
    uint32_t n = 0;
    s->overtaken_s = INFINITY;
    while (s->n_sent) {
        struct frs_tcp_transmission *first = &s->sent[s->sent_first & (s->sent_size - 1)];
        if (first->packet >= s->unacknowledged && state_of(s, first->packet) == IN_FLIGHT &&
            known_of(s, first->packet)->number == first->number) {
            if (first->number >= s->newest.number)
                break;
            double patience = patience_s(s), due_s = first->sent_s + s->newest_rtt_s + patience;
            if (patience > 0 && now_s < due_s) {
                s->overtaken_s = due_s + LEAST_TIMER_S;
                break;
            }
            lose(s, first->packet);
            s->loses_again |= known_of(s, first->packet)->again;
            n++;
        }
        s->sent_first++;
        s->n_sent--;
    }
    return n;
}

static void begin_repair(struct frs_tcp_sender *s) {
    if (s->state == FRS_TCP_RECOVERY || (s->state == FRS_TCP_LOSS && !s->loses_again))
        return;
    reduce(s);
    s->state = FRS_TCP_RECOVERY;
    s->probe_repairs = false;
    s->recover = s->next;
    s->reduced_delivered = s->reduced_sent = 0;
    s->probe_s = INFINITY;
}

/* Proportional rate reduction: the window while losses are repaired. */
static void limit_repair(struct frs_tcp_sender *s, bool advanced, uint32_t n_new, uint32_t n_lost) {
    double allowed;
    s->reduced_delivered += n_new;
    if (s->in_flight > s->threshold) {
        allowed = ceil(s->reduced_delivered * s->threshold / s->window_before) - s->reduced_sent;
    } else {
        allowed = frs_larger((double)s->reduced_delivered - s->reduced_sent, n_new);
        if (advanced && !n_lost)
            allowed++;
        allowed = frs_smaller(allowed, s->threshold - s->in_flight);
    }
    s->window = s->in_flight + frs_larger(allowed, s->reduced_sent ? 0 : 1);
}

bool frs_tcp_sender_reaches(struct frs_tcp_sender *s, uint32_t packet) {
    if (packet < s->unacknowledged || known_of(s, packet)->received)
        return false;
    known_of(s, packet)->received = true;
    return true;
}

/* ---- acknowledgements and timers ------------------------------------------------------------- */

/* Smooths the round trip as the kernel does (tcp_rtt_estimator), once for packets that are acknowledged
 * together. The margin of time-outs beyond it grows at once, and shrinks by a quarter of the difference
 * for each round trip. Returns whether this is a sample. */
static bool measure(struct frs_tcp_sender *s, double now_s, double rtt_s) {
    double error_s = rtt_s - s->rtt_s, off_s = fabs(error_s) - s->deviation_s / 4;
    s->least_rtt_s = frs_smaller(s->least_rtt_s, rtt_s);
    s->delay_s = frs_smaller(s->delay_s, rtt_s);
    if (now_s == s->measured_s)
        return false;
    s->measured_s = now_s;
    s->rtt_s += error_s / 8;
    s->deviation_s += error_s < 0 && off_s > 0 ? off_s / 8 : off_s;
    s->most_deviation_s = frs_larger(s->most_deviation_s, s->deviation_s);
    s->allowed_s = frs_larger(s->allowed_s, s->most_deviation_s);
    if (s->unacknowledged > s->deviation_end) {
        s->allowed_s -= (s->allowed_s - s->most_deviation_s) / 4;
        s->deviation_end = s->next;
        s->most_deviation_s = LEAST_TIMEOUT_S;
    }
    return true;
}

/* Takes a time-out back: what is acknowledged was sent before anything was sent again, as its time stamp
 * shows (RFC 4015). */
static void take_back(struct frs_tcp_sender *s) {
    for (uint32_t p = s->unacknowledged; p != s->next; p++)
        if (state_of(s, p) == LOST) {
            set_state(s, p, IN_FLIGHT);
            s->in_flight++;
        }
    s->n_lost = 0;
    s->window = frs_larger(s->window, s->window_before);
    s->threshold = frs_larger(s->threshold, s->undo_threshold);
    s->state = FRS_TCP_OPEN;
    s->again_from_s = INFINITY;
}

/* During the repair that a time-out has begun, checks whether the time-out was a mistake. After the first
 * acknowledgement new packets are sent first, to see what becomes of those that were sent before (F-RTO,
 * RFC 5682). */
static void look_for_mistake(
    struct frs_tcp_sender *s, const struct frs_tcp_transmission *transmission, bool advanced) {
    bool recovered = s->unacknowledged >= s->recover;
    if (advanced && transmission->sent_s < s->again_from_s) {
        take_back(s);
        return;
    }
    if (!s->tests)
        return;
    if (s->next > s->recover) {
        if (!advanced)
            s->tests = false;
    } else if (advanced && !recovered) {
        s->recover = s->next;
        s->new_first = s->tests = s->next < s->n_packets;
    }
}

void frs_tcp_sender_acknowledged(
    struct frs_tcp_sender *s, double now_s, const struct frs_tcp_transmission *transmission) {
    uint32_t packet = transmission->packet, before = s->unacknowledged, n_new = 0;
    double rtt_s = now_s - transmission->sent_s;
    if (packet >= s->unacknowledged && state_of(s, packet) != ARRIVED) {
        n_new = 1;
        if (state_of(s, packet) == LOST)
            s->n_lost--;
        else
            s->in_flight--;
        set_state(s, packet, ARRIVED);
        s->n_ahead++;
        for (; s->unacknowledged < s->next && state_of(s, s->unacknowledged) == ARRIVED; s->unacknowledged++)
            s->n_ahead--;
        if (s->lost_from < s->unacknowledged)
            s->lost_from = s->unacknowledged;
    }
    bool advanced = s->unacknowledged > before;
    s->advanced |= advanced;
    s->new_first = false;
    bool is_sample = n_new && measure(s, now_s, rtt_s);
    if (n_new && transmission->number >= s->newest.number) {
        s->newest = *transmission;
        s->newest_rtt_s = rtt_s;
    }
    if (s->state == FRS_TCP_LOSS && n_new)
        look_for_mistake(s, transmission, advanced);
    s->loses_again = false;
    uint32_t n_lost = find_losses(s, now_s);
    if (n_new) {
        if (advanced || transmission->sent_s < known_of(s, s->unacknowledged)->sent_s)
            s->timeout_from_s = now_s;
        s->timeout_factor = 1;
        s->probed = false;
        s->probe_s = INFINITY;
    }
    if (s->unacknowledged == s->next)
        s->again_from_s = INFINITY;
    if (s->state != FRS_TCP_OPEN && s->unacknowledged >= s->recover) {
        if (s->state == FRS_TCP_RECOVERY)
            s->window = s->threshold;
        s->state = FRS_TCP_OPEN;
        s->again_from_s = INFINITY;
    }
    if (s->probe_repairs && s->state == FRS_TCP_OPEN && advanced && s->unacknowledged > s->probe_end) {
        reduce(s);
        s->window = s->threshold;
        s->probe_repairs = false;
    }
    if (n_lost)
        begin_repair(s);
    if (s->state == FRS_TCP_RECOVERY)
        limit_repair(s, advanced, n_new, n_lost);
    else if (n_new && advanced)
        frs_tcp_grow(s, now_s, rtt_s, is_sample);
    if (s->state == FRS_TCP_OPEN && s->in_flight)
        s->probe_s = now_s + 2 * s->rtt_s + (s->in_flight == 1 ? PROBE_DELAY_SINGLE_S : LEAST_TIMER_S);
}

double frs_tcp_sender_timer_s(const struct frs_tcp_sender *s) {
    if (!s->in_flight && !s->n_lost)
        return INFINITY;
    return frs_smaller(frs_smaller(s->probe_s, s->overtaken_s), s->timeout_from_s + timeout_s(s));
}

/* Sends one packet more than the window allows: a new one, or the last one again. Its acknowledgement
 * shows what was lost before it. */
static void probe(struct frs_tcp_sender *s, double now_s) {
    s->probe_s = INFINITY;
    s->probed = true;
    s->timeout_from_s = now_s;
    s->probing = true;
    if (s->next < s->n_packets)
        return;
    for (uint32_t p = s->next; p-- > s->unacknowledged;) {
        if (state_of(s, p) == IN_FLIGHT) {
            lose(s, p);
            s->probe_repairs = true;
            s->probe_end = s->next;
            return;
        }
    }
}

/* Everything that has not been acknowledged counts as lost, except what was sent too recently, and is sent
 * again from a window of one. The threshold of slow start is reduced, unless it has already been for this
 * loss. CUBIC and HyStart forget what they knew (bictcp_reset). */
static void begin_anew(struct frs_tcp_sender *s, double now_s) {
    s->tests = s->state == FRS_TCP_OPEN || (s->state == FRS_TCP_LOSS && !s->advanced);
    if (s->state == FRS_TCP_OPEN || (s->state == FRS_TCP_LOSS && s->advanced))
        reduce(s);
    s->advanced = s->probe_repairs = s->new_first = false;
    for (uint32_t p = s->unacknowledged; p != s->next; p++)
        if (state_of(s, p) == IN_FLIGHT &&
            (p == s->unacknowledged || known_of(s, p)->sent_s + s->newest_rtt_s <= now_s))
            lose(s, p);
    s->overtaken_s = INFINITY;
    s->window = s->in_flight + 1;
    s->window_part = 0;
    s->last_maximum = 0;
    s->delay_s = INFINITY;
    s->epoch_s = -INFINITY;
    s->state = FRS_TCP_LOSS;
    s->recover = s->next;
    s->round_end = s->next;
    s->probe_s = INFINITY;
    s->timeout_from_s = now_s;
    s->timeout_factor *= 2;
}

void frs_tcp_sender_timer(struct frs_tcp_sender *s, double now_s) {
    if (now_s >= s->overtaken_s) {
        uint32_t n_lost = find_losses(s, now_s);
        if (n_lost) {
            begin_repair(s);
            n_lost += find_losses(s, now_s);
            limit_repair(s, false, 0, n_lost);
        }
        return;
    }
    /* A time-out that would come before the probe is one. */
    if (isfinite(s->probe_s)) {
        probe(s, now_s);
        return;
    }
    begin_anew(s, now_s);
}
