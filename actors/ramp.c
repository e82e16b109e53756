#include "actors/ramp.h"
#include "actors/extremes.h"

#include <math.h>

struct frs_ramp frs_ramp_begin(double bytes_per_s, double round_trip_s, enum frs_ramp_kind kind) {
    return (struct frs_ramp){
        .window_bytes = kind == FRS_RAMP_NONE ? UINT64_MAX : FRS_INITIAL_WINDOW * FRS_SEGMENT_BYTES,
        .bytes_per_s = bytes_per_s,
        .round_trip_s = round_trip_s,
        .n_quick = kind == FRS_RAMP_QUICK ? FRS_QUICK_ACKNOWLEDGEMENTS : 0};
}

void frs_ramp_remember(struct frs_ramp *ramp, const struct frs_path_memory *memory) {
    if (memory->window > FRS_INITIAL_WINDOW && ramp->window_bytes != UINT64_MAX)
        ramp->window_bytes = (uint64_t)memory->window * FRS_SEGMENT_BYTES;
}

void frs_ramp_follow(struct frs_ramp *ramp, const struct frs_windows *windows) {
    ramp->windows = windows->of;
    ramp->n_windows = windows->n;
}

/* From the start of a round to its first acknowledgement. */
static double acknowledged_after_s(const struct frs_ramp *ramp) {
    double segment_s = FRS_SEGMENT_BYTES / ramp->bytes_per_s,
           delay_s = ramp->n_quick > 0 ? 0 : frs_smaller(segment_s, FRS_ACKNOWLEDGEMENT_DELAY_S);
    return ramp->round_trip_s + segment_s + delay_s;
}

/* The last window takes what is left. */
static uint64_t next_planned(struct frs_ramp *ramp, uint64_t left_bytes, double *wait_s) {
    const struct frs_window window = *ramp->windows;
    *wait_s = 0;
    if (ramp->n_windows == 1 || left_bytes <= window.bytes)
        return left_bytes;
    *wait_s = window.wait_s;
    ramp->windows++;
    ramp->n_windows--;
    return window.bytes;
}

uint64_t frs_ramp_next(struct frs_ramp *ramp, uint64_t left_bytes, double *wait_s) {
    if (ramp->n_windows > 0)
        return next_planned(ramp, left_bytes, wait_s);
    uint64_t window_bytes = ramp->window_bytes;
    double after_s = acknowledged_after_s(ramp);
    bool idles = (double)window_bytes / ramp->bytes_per_s < after_s;
    *wait_s = 0;
    if (left_bytes <= window_bytes || !idles)
        return left_bytes;
    *wait_s = after_s;
    ramp->window_bytes *= 2;
    ramp->n_quick -= (int64_t)(window_bytes / FRS_SEGMENT_BYTES);
    return window_bytes;
}

double frs_ramp_takes_s(struct frs_ramp ramp, double bytes) {
    uint64_t left_bytes = (uint64_t)ceil(bytes);
    double duration_s = 0, wait_s;
    while (left_bytes > 0) {
        uint64_t sent_bytes = frs_ramp_next(&ramp, left_bytes, &wait_s);
        left_bytes -= sent_bytes;
        double took_s = (double)sent_bytes / ramp.bytes_per_s;
        duration_s += left_bytes > 0 ? frs_larger(took_s, wait_s) : took_s;
    }
    return duration_s;
}

double frs_ramp_duration_s(double bytes, double bytes_per_s, double round_trip_s, enum frs_ramp_kind kind) {
    return frs_ramp_takes_s(frs_ramp_begin(bytes_per_s, round_trip_s, kind), bytes);
}
