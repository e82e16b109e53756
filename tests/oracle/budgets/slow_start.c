/* docs/message-times.md, "How long a message takes". */
#include "budgets.h"

#include <math.h>

static const double SEGMENT_BYTES = 1448, FIRST_WINDOW = 14480, QUICK_SEGMENTS = 16, DELAY_S = 0.04;

double slow_start_s(enum slow_start_kind kind, double bytes, double s_per_byte, double round_trip_s) {
    double window = FIRST_WINDOW, quick = kind == QUICK ? QUICK_SEGMENTS : 0, left = ceil(bytes), took_s = 0;
    while (kind != NO_SLOW_START && left > window) {
        double segment_s = SEGMENT_BYTES * s_per_byte,
               wait_s = round_trip_s + segment_s + (quick > 0 ? 0 : fmin(segment_s, DELAY_S));
        if (window * s_per_byte >= wait_s)
            break;
        took_s += wait_s;
        left -= window;
        quick -= window / SEGMENT_BYTES;
        window *= 2;
    }
    return took_s + left * s_per_byte;
}

/* The duration grows with the seconds per byte. */
double slow_start_pace(enum slow_start_kind kind, double bytes, double took_s, double round_trip_s) {
    if (!(bytes > 0))
        return 0;
    double low = 0, high = took_s / bytes;
    if (kind == NO_SLOW_START)
        return high;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        if (slow_start_s(kind, bytes, middle, round_trip_s) > took_s)
            high = middle;
        else
            low = middle;
    }
    return low;
}
