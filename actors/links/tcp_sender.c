#include "actors/links/tcp_sender.h"
#include "actors/extremes.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REORDERING 3       /* packets that have overtaken another one before it is taken for lost at once */
#define LEAST_TIMEOUT_S .2 /* beyond the round trip */
#define LONGEST_TIMEOUT_S 120.
#define PROBE_DELAY_S .004      /* a tick of the clock */
#define PROBE_DELAY_SINGLE_S .2 /* where an acknowledgement of one packet may be delayed */
#define CUBIC_C .4              /* packets/s³ */
#define FRS_HYSTART_WINDOW 16   /* packets, below which slow start goes on */
#define HYSTART_TRAIN_S .002
#define HYSTART_SAMPLES 8

/* What the sender takes a packet for, and whether the receiver has it. */
enum packet_state { IN_FLIGHT = 1, LOST, ARRIVED, STATES = 3, RECEIVED = 4 };

static uint8_t *known_of(const struct frs_tcp_sender *s, uint32_t packet) {
    return &s->packets[packet & (s->packets_size - 1)];
}

static enum packet_state state_of(const struct frs_tcp_sender *s, uint32_t packet) {
    return *known_of(s, packet) & STATES;
}

static void set_state(struct frs_tcp_sender *s, uint32_t packet, enum packet_state state) {
    uint8_t *known = known_of(s, packet);
    *known = (uint8_t)((*known & ~STATES) | state);
}

void frs_tcp_sender_init(
    struct frs_tcp_sender *s, uint32_t n_packets, double rtt_s, double now_s, double window) {
    *s = (struct frs_tcp_sender){
        .n_packets = n_packets,
        .window = frs_larger(window, FRS_TCP_INITIAL_WINDOW),
        .threshold = window > FRS_TCP_INITIAL_WINDOW ? window : INFINITY,
        .epoch_s = -1,
        .round_s = now_s,
        .last_acknowledgement_s = now_s,
        .round_rtt_s = INFINITY,
        .rtt_s = rtt_s,
        .deviation_s = 2 * rtt_s,
        .most_deviation_s = frs_larger(2 * rtt_s, LEAST_TIMEOUT_S),
        .allowed_s = frs_larger(2 * rtt_s, LEAST_TIMEOUT_S),
        .measured_s = -1,
        .least_rtt_s = rtt_s,
        .delay_s = INFINITY,
        .timeout_from_s = now_s,
        .timeout_factor = 1,
        .probe_s = INFINITY,
        .overtaken_s = INFINITY,
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
    s->window = frs_larger(memory->window, FRS_TCP_INITIAL_WINDOW);
    s->threshold = memory->threshold > 0 ? memory->threshold : INFINITY;
    s->last_maximum = memory->last_maximum;
    s->rtt_s = memory->rtt_s;
    s->deviation_s = memory->deviation_s;
    s->allowed_s = s->most_deviation_s = memory->timeout_s - memory->rtt_s;
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
        .sent_s = s->sent_s};
}

/* ---- what may be sent ---------------------------------------------------------------------------------------- */

static void remember_packet(struct frs_tcp_sender *s, uint32_t packet) {
    if (packet - s->unacknowledged >= s->packets_size) {
        uint32_t size = s->packets_size ? 2 * s->packets_size : 16;
        uint8_t *grown = frs_alloc(size, 1);
        for (uint32_t p = s->unacknowledged; p != packet; p++)
            grown[p & (size - 1)] = *known_of(s, p);
        free(s->packets);
        s->packets = grown;
        s->packets_size = size;
    }
    *known_of(s, packet) = IN_FLIGHT;
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
    }
    if (!s->in_flight)
        s->timeout_from_s = now_s;
    s->in_flight++;
    s->has_sent = true;
    s->sent_s = now_s;
    if (s->state == FRS_TCP_RECOVERY)
        s->reduced_sent++;
    *transmission = (struct frs_tcp_transmission){packet, s->n_transmissions++, now_s};
    remember_transmission(s, *transmission);
    if (s->state == FRS_TCP_OPEN && !s->probed)
        s->probe_s = now_s + 2 * s->rtt_s + (s->in_flight == 1 ? PROBE_DELAY_SINGLE_S : PROBE_DELAY_S);
}

/* Whether the window is used, as the kernel keeps account of it (tcp_cwnd_validate): looked at when something was sent, or could not be. */
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
    if (s->in_flight + 1 > s->window) {
        note_usage(s, true);
        return false;
    }
    if (s->n_lost) {
        while (state_of(s, s->lost_from) != LOST)
            s->lost_from++;
        s->n_lost--;
        transmit(s, s->lost_from++, now_s, transmission);
    } else {
        transmit(s, s->next, now_s, transmission);
    }
    return true;
}

/* ---- losses -------------------------------------------------------------------------------------------------- */

static void reduce(struct frs_tcp_sender *s) {
    double window = s->window;
    s->window_before = window;
    s->last_maximum = window < s->last_maximum ? window * (1 + FRS_TCP_REDUCES_TO) / 2 : window;
    s->threshold = frs_larger(window * FRS_TCP_REDUCES_TO, 2);
    s->epoch_s = -1;
}

static void lose(struct frs_tcp_sender *s, uint32_t packet) {
    set_state(s, packet, LOST);
    s->in_flight--;
    s->n_lost++;
    if (packet < s->lost_from)
        s->lost_from = packet;
}

/* How long a packet that was overtaken may still come: a quarter of the round trip, until it is plain that
 * packets are lost. */
static double patience_s(const struct frs_tcp_sender *s) {
    return s->state != FRS_TCP_OPEN || s->n_ahead >= REORDERING ? 0 : s->least_rtt_s / 4;
}

/* Forgets transmissions whose fate is known and finds those that were overtaken. Returns how many were lost. */
static uint32_t find_losses(struct frs_tcp_sender *s, double now_s) {
    uint32_t n = 0;
    s->overtaken_s = INFINITY;
    while (s->n_sent) {
        struct frs_tcp_transmission *first = &s->sent[s->sent_first & (s->sent_size - 1)];
        if (first->packet >= s->unacknowledged && state_of(s, first->packet) == IN_FLIGHT) {
            if (first->number >= s->newest.number)
                break;
            double patience = patience_s(s), due_s = first->sent_s + s->newest_rtt_s + patience;
            if (patience > 0 && now_s < due_s) {
                s->overtaken_s = due_s;
                break;
            }
            lose(s, first->packet);
            n++;
        }
        s->sent_first++;
        s->n_sent--;
    }
    return n;
}

static void begin_repair(struct frs_tcp_sender *s) {
    if (s->state != FRS_TCP_OPEN)
        return;
    reduce(s);
    s->state = FRS_TCP_RECOVERY;
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

/* ---- growth -------------------------------------------------------------------------------------------------- */

double frs_hystart_patience_s(double delay_s) {
    return frs_smaller(frs_larger(delay_s / 8, .004), .016);
}

/* Packets that are acknowledged together are one sample. */
static void leave_slow_start_in_time(struct frs_tcp_sender *s, double now_s, double rtt_s, bool is_sample) {
    if (s->unacknowledged > s->round_end) {
        s->round_end = s->next;
        s->round_s = s->last_acknowledgement_s = now_s;
        s->round_rtt_s = INFINITY;
        s->n_round_samples = 0;
    }
    if (s->window < FRS_HYSTART_WINDOW)
        return;
    s->round_rtt_s = frs_smaller(s->round_rtt_s, rtt_s);
    if (!is_sample)
        return;
    bool leave = false;
    if (now_s - s->last_acknowledgement_s <= HYSTART_TRAIN_S) {
        s->last_acknowledgement_s = now_s;
        leave = now_s - s->round_s > s->delay_s / 2;
    }
    if (s->n_round_samples < HYSTART_SAMPLES)
        s->n_round_samples++;
    else
        leave |= s->round_rtt_s > s->delay_s + frs_hystart_patience_s(s->delay_s);
    if (leave)
        s->threshold = s->window;
}

/* By Newton's method, from above. */
static double cube_root(double x) {
    double root = frs_larger(x, 1), before;
    if (x == 0)
        return 0;
    do {
        before = root;
        root = (2 * before + x / (before * before)) / 3;
    } while (root < before);
    return before;
}

static void grow_cubic(struct frs_tcp_sender *s, double now_s) {
    if (s->epoch_s < 0) {
        s->epoch_s = now_s;
        s->reno_window = s->window;
        s->origin = frs_larger(s->last_maximum, s->window);
        s->k_s = cube_root((s->origin - s->window) / CUBIC_C);
    }
    double t = now_s - s->epoch_s + s->delay_s - s->k_s, target = s->origin + CUBIC_C * t * t * t;
    s->reno_window += 3 * (1 - FRS_TCP_REDUCES_TO) / (1 + FRS_TCP_REDUCES_TO) / s->window;
    double step = target > s->window ? (target - s->window) / s->window : .01 / s->window;
    if (s->reno_window > s->window)
        step = frs_larger(step, (s->reno_window - s->window) / s->window);
    s->window += frs_smaller(step, .5);
}

static void grow(struct frs_tcp_sender *s, double now_s, double rtt_s, bool is_sample, uint32_t n_new) {
    if (s->window < s->threshold)
        leave_slow_start_in_time(s, now_s, rtt_s, is_sample);
    if (s->window < s->threshold) {
        if (s->limited || s->window < 2. * s->most_out)
            s->window += n_new;
    } else if (s->limited) {
        grow_cubic(s, now_s);
    }
}

bool frs_tcp_sender_reaches(struct frs_tcp_sender *s, uint32_t packet) {
    if (packet < s->unacknowledged || *known_of(s, packet) & RECEIVED)
        return false;
    *known_of(s, packet) |= RECEIVED;
    return true;
}

/* ---- acknowledgements and timers ----------------------------------------------------------------------------- */

/* The round trip as the kernel smooths it (tcp_rtt_estimator), once for packets that are acknowledged together. What time-outs allow
 * beyond it grows at once and shrinks by a quarter of the difference for each round trip. Returns whether this is a sample. */
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
    bool is_sample = measure(s, now_s, rtt_s);
    if (transmission->number >= s->newest.number) {
        s->newest = *transmission;
        s->newest_rtt_s = rtt_s;
    }
    uint32_t n_lost = find_losses(s, now_s);
    bool advanced = s->unacknowledged > before;
    if (n_new) {
        s->timeout_from_s = now_s;
        s->timeout_factor = 1;
        s->probed = false;
        s->probe_s = INFINITY;
    }
    if (s->state != FRS_TCP_OPEN && s->unacknowledged >= s->recover) {
        if (s->state == FRS_TCP_RECOVERY)
            s->window = s->threshold;
        s->state = FRS_TCP_OPEN;
    }
    if (n_lost)
        begin_repair(s);
    if (s->state == FRS_TCP_RECOVERY)
        limit_repair(s, advanced, n_new, n_lost);
    else if (n_new)
        grow(s, now_s, rtt_s, is_sample, n_new);
    if (s->state == FRS_TCP_OPEN && s->in_flight)
        s->probe_s = now_s + 2 * s->rtt_s + (s->in_flight == 1 ? PROBE_DELAY_SINGLE_S : PROBE_DELAY_S);
}

double frs_tcp_sender_timer_s(const struct frs_tcp_sender *s) {
    if (!s->in_flight && !s->n_lost)
        return INFINITY;
    return frs_smaller(frs_smaller(s->probe_s, s->overtaken_s), s->timeout_from_s + timeout_s(s));
}

/* One packet more than the window allows: a new one, or the last one again. Its acknowledgement tells what was
 * lost before it. */
static void probe(struct frs_tcp_sender *s, double now_s) {
    s->probe_s = INFINITY;
    s->probed = true;
    s->timeout_from_s = now_s;
    if (s->next < s->n_packets) {
        s->window = frs_larger(s->window, s->in_flight + 1);
        return;
    }
    for (uint32_t p = s->next; p-- > s->unacknowledged;) {
        if (state_of(s, p) == IN_FLIGHT) {
            lose(s, p);
            s->window = frs_larger(s->window, s->in_flight + 1);
            return;
        }
    }
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
    if (s->state != FRS_TCP_LOSS)
        reduce(s);
    for (uint32_t p = s->unacknowledged; p != s->next; p++)
        if (state_of(s, p) == IN_FLIGHT)
            lose(s, p);
    s->n_sent = 0;
    s->overtaken_s = INFINITY;
    s->window = 1;
    s->state = FRS_TCP_LOSS;
    s->recover = s->next;
    s->round_end = s->next;
    s->probe_s = INFINITY;
    s->timeout_from_s = now_s;
    s->timeout_factor *= 2;
}
