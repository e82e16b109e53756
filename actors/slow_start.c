#include "actors/slow_start.h"
#include "actors/extremes.h"

#include <math.h>

struct frs_slow_start frs_slow_start_begin(
    double bytes_per_s, double round_trip_s, enum frs_slow_start_kind kind) {
    return (struct frs_slow_start){
        .window_bytes = kind == FRS_SLOW_START_NONE ? UINT64_MAX : FRS_INITIAL_WINDOW * FRS_SEGMENT_BYTES,
        .bytes_per_s = bytes_per_s,
        .round_trip_s = round_trip_s,
        .n_quick = kind == FRS_SLOW_START_QUICK ? FRS_QUICK_ACKNOWLEDGEMENTS : 0};
}

void frs_slow_start_remember(struct frs_slow_start *slow_start, const struct frs_path_memory *memory) {
    if (memory->window > FRS_INITIAL_WINDOW && slow_start->window_bytes != UINT64_MAX)
        slow_start->window_bytes = (uint64_t)memory->window * FRS_SEGMENT_BYTES;
}

void frs_slow_start_follow(struct frs_slow_start *slow_start, const struct frs_windows *windows) {
    slow_start->windows = windows->of;
    slow_start->n_windows = windows->n;
}

/* From the start of a round to its first acknowledgement. */
static double acknowledged_after_s(const struct frs_slow_start *slow_start) {
    double segment_s = FRS_SEGMENT_BYTES / slow_start->bytes_per_s,
           delay_s = slow_start->n_quick > 0 ? 0 : frs_smaller(segment_s, FRS_ACKNOWLEDGEMENT_DELAY_S);
    return slow_start->round_trip_s + segment_s + delay_s;
}

/* The last window takes what is left. */
static uint64_t next_planned(struct frs_slow_start *slow_start, uint64_t left_bytes, double *wait_s) {
    const struct frs_window window = *slow_start->windows;
    *wait_s = 0;
    if (slow_start->n_windows == 1 || left_bytes <= window.bytes)
        return left_bytes;
    *wait_s = window.wait_s;
    slow_start->windows++;
    slow_start->n_windows--;
    return window.bytes;
}

uint64_t frs_slow_start_next(struct frs_slow_start *slow_start, uint64_t left_bytes, double *wait_s) {
    if (slow_start->n_windows > 0)
        return next_planned(slow_start, left_bytes, wait_s);
    uint64_t window_bytes = slow_start->window_bytes;
    double after_s = acknowledged_after_s(slow_start);
    bool idles = (double)window_bytes / slow_start->bytes_per_s < after_s;
    *wait_s = 0;
    if (left_bytes <= window_bytes || !idles)
        return left_bytes;
    *wait_s = after_s;
    slow_start->window_bytes *= 2;
    slow_start->n_quick -= (int64_t)(window_bytes / FRS_SEGMENT_BYTES);
    return window_bytes;
}

double frs_slow_start_takes_s(struct frs_slow_start slow_start, double bytes) {
    uint64_t left_bytes = (uint64_t)ceil(bytes);
    double duration_s = 0, wait_s;
    while (left_bytes > 0) {
        uint64_t sent_bytes = frs_slow_start_next(&slow_start, left_bytes, &wait_s);
        left_bytes -= sent_bytes;
        double took_s = (double)sent_bytes / slow_start.bytes_per_s;
        duration_s += left_bytes > 0 ? frs_larger(took_s, wait_s) : took_s;
    }
    return duration_s;
}

double frs_slow_start_duration_s(
    double bytes, double bytes_per_s, double round_trip_s, enum frs_slow_start_kind kind) {
    return frs_slow_start_takes_s(frs_slow_start_begin(bytes_per_s, round_trip_s, kind), bytes);
}

/* A duration as a function of the seconds per byte, near this one: fixed_s + bytes · s_per_byte. */
struct line {
    double fixed_s, bytes;
};

static struct line line_at(
    double bytes, double s_per_byte, double round_trip_s, enum frs_slow_start_kind kind) {
    struct frs_slow_start slow_start = frs_slow_start_begin(1 / s_per_byte, round_trip_s, kind);
    struct line line = {0};
    double left = bytes;
    for (;;) {
        double window = (double)slow_start.window_bytes;
        if (left <= window || window * s_per_byte >= acknowledged_after_s(&slow_start))
            break;
        bool delayed = slow_start.n_quick <= 0,
             at_most = FRS_SEGMENT_BYTES * s_per_byte >= FRS_ACKNOWLEDGEMENT_DELAY_S;
        line.fixed_s += round_trip_s + (delayed && at_most ? FRS_ACKNOWLEDGEMENT_DELAY_S : 0);
        line.bytes += delayed && !at_most ? 2 * FRS_SEGMENT_BYTES : FRS_SEGMENT_BYTES;
        left -= window;
        slow_start.n_quick -= (int64_t)(slow_start.window_bytes / FRS_SEGMENT_BYTES);
        slow_start.window_bytes *= 2;
    }
    line.bytes += left;
    return line;
}

/* Newton's method, which ends on the line of the solution. Two bounds keep it on its way, because lines
 * bend the other way where the delay of acknowledgements is limited. */
double frs_slow_start_s_per_byte(
    double bytes, double duration_s, double round_trip_s, enum frs_slow_start_kind kind) {
    enum { MOST_STEPS = 100 };
    if (!(bytes > 0) || line_at(bytes, 0, round_trip_s, kind).fixed_s >= duration_s)
        return 0;
    double low = 0, high = duration_s / bytes, s_per_byte = high;
    for (int i = 0; i < MOST_STEPS; i++) {
        struct line line = line_at(bytes, s_per_byte, round_trip_s, kind);
        double next = (duration_s - line.fixed_s) / line.bytes;
        if (next == s_per_byte)
            break;
        *(next < s_per_byte ? &high : &low) = s_per_byte;
        s_per_byte = next > low && next < high ? next : (low + high) / 2;
    }
    return s_per_byte;
}
