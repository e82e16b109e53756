#include "actors/ramp.h"

#include <math.h>

struct frs_ramp frs_ramp_begin(double bytes_per_s, double round_trip_s) {
    return (struct frs_ramp){.window_bytes = FRS_INITIAL_WINDOW * FRS_SEGMENT_BYTES,
        .bytes_per_s = bytes_per_s,
        .wait_s = round_trip_s + FRS_SEGMENT_BYTES / bytes_per_s};
}

uint64_t frs_ramp_next(struct frs_ramp *ramp, uint64_t left_bytes, double *wait_s) {
    uint64_t window_bytes = ramp->window_bytes;
    bool idles = (double)window_bytes / ramp->bytes_per_s < ramp->wait_s;
    *wait_s = 0;
    if (left_bytes <= window_bytes || !idles)
        return left_bytes;
    *wait_s = ramp->wait_s;
    ramp->window_bytes *= 2;
    return window_bytes;
}

double frs_ramp_duration_s(double bytes, double bytes_per_s, double round_trip_s) {
    struct frs_ramp ramp = frs_ramp_begin(bytes_per_s, round_trip_s);
    uint64_t left_bytes = (uint64_t)ceil(bytes);
    double duration_s = 0, wait_s;
    while (left_bytes > 0) {
        uint64_t sent_bytes = frs_ramp_next(&ramp, left_bytes, &wait_s);
        left_bytes -= sent_bytes;
        duration_s += left_bytes > 0 ? wait_s : (double)sent_bytes / bytes_per_s;
    }
    return duration_s;
}
