#include "actors/links/tcp_growth.h"
#include "actors/extremes.h"

#include <math.h>

#define CUBIC_C (410. / 1024) /* packets/s³ */
#define CUBIC_RECOUNT_S (1. / 32)
#define CUBIC_UNKNOWN_COUNT 20 /* where nothing was ever lost: 5 % a round trip */
#define RENO_SHARE (15. / 8)   /* of the window, in packets acknowledged for each that Reno would send more */
#define HYSTART_TRAIN_S .002
#define HYSTART_SAMPLES 8

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

/* How many packets have to be acknowledged for the window to grow by one (bictcp_update, in whole packets
 * as there). */
static double cubic_count(struct frs_tcp_sender *s, double now_s) {
    double window = s->window, count;
    s->n_acknowledged++;
    if (s->counted_window == window && now_s - s->counted_s <= CUBIC_RECOUNT_S && !isinf(s->epoch_s))
        return s->count;
    s->counted_window = window;
    s->counted_s = now_s;
    if (isinf(s->epoch_s)) {
        s->epoch_s = now_s;
        s->n_acknowledged = 1;
        s->reno_window = window;
        s->origin = frs_larger(s->last_maximum, window);
        s->k_s = cube_root((s->origin - window) / CUBIC_C);
    }
    double t = now_s - s->epoch_s + s->delay_s - s->k_s, delta = floor(CUBIC_C * fabs(t * t * t)),
           target = t < 0 ? s->origin - delta : s->origin + delta;
    count = target > window ? floor(window / (target - window)) : 100 * window;
    if (s->last_maximum == 0)
        count = frs_smaller(count, CUBIC_UNKNOWN_COUNT);
    for (double each = floor(window * RENO_SHARE); s->n_acknowledged > each; s->n_acknowledged -= each)
        s->reno_window++;
    if (s->reno_window > window)
        count = frs_smaller(count, floor(window / (s->reno_window - window)));
    return s->count = frs_larger(count, 2);
}

static void grow_cubic(struct frs_tcp_sender *s, double now_s) {
    double count = cubic_count(s, now_s);
    if (s->window_part >= count) {
        s->window_part = 0;
        s->window++;
    }
    if (++s->window_part >= count) {
        s->window_part -= count;
        s->window++;
    }
}

void frs_tcp_grow(struct frs_tcp_sender *s, double now_s, double rtt_s, bool is_sample) {
    if (s->window < s->threshold)
        leave_slow_start_in_time(s, now_s, rtt_s, is_sample);
    if (s->window < s->threshold) {
        if (s->limited || s->window < 2. * s->most_out)
            s->window++;
    } else if (s->limited) {
        grow_cubic(s, now_s);
    }
}
