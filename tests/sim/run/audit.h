/* Audit: what the lines of events.ndjson say of messages and clients, checked from the files alone. */
#ifndef FRS_TESTS_SIM_RUN_AUDIT_H
#define FRS_TESTS_SIM_RUN_AUDIT_H

#include "tests/sim/run/fixture.h"

/* One capacity, or pairs of a time and the capacity from then on. */
static inline double audit_capacity(json_t *line, size_t i, double *from_s, double *to_s) {
    json_t *capacity = json_object_get(line, "capacity_bytes_per_s"), *pair = json_array_get(capacity, i),
           *next = json_array_get(capacity, i + 1);
    *from_s = pair ? json_number_value(json_array_get(pair, 0)) : json_of(line, "t0_s");
    *to_s = next ? json_number_value(json_array_get(next, 0)) : json_of(line, "t1_s");
    return json_number_value(pair ? json_array_get(pair, 1) : capacity);
}

/* Bytes the client's own link carries from the end of the latency to the end of the phase. *highest: its
 * capacity at most. */
static inline double audit_carried(json_t *line, double *highest) {
    json_t *capacity = json_object_get(line, "capacity_bytes_per_s");
    double t0_s = json_of(line, "t0_s"), starts_s = t0_s + json_of(line, "latency_s"), bytes = 0;
    size_t n = json_is_array(capacity) ? json_array_size(capacity) : 1;
    *highest = 0;
    for (size_t i = 0; i < n; i++) {
        double from_s, to_s, rate = audit_capacity(line, i, &from_s, &to_s);
        ck_assert(i > 0 ? from_s > t0_s && from_s < json_of(line, "t1_s") : from_s == t0_s);
        bytes += rate * fmax(to_s - fmax(from_s, starts_s), 0);
        *highest = fmax(*highest, rate);
    }
    return bytes;
}

/* No more crosses than the client's own link carries. */
static inline void audit_message(json_t *line) {
    double highest, could = audit_carried(line, &highest), t1_s = json_of(line, "t1_s");
    ck_assert_double_le(json_of(line, "bytes"), could * (1 + 1e-6) + highest * (2e-9 + 8e-15 * t1_s));
}

/* Every participation was delivered, lost or unavailable, and the device waits of the lines add up to
 * queued_s by client. */
static inline void audit_clients(const struct table *clients, const double *queued_s) {
    for (size_t i = 0; i < clients->n_rows; i++) {
        double sum =
            cell(clients, i, "delivered") + cell(clients, i, "lost") + cell(clients, i, "unavailable");
        ck_assert_double_eq(sum, cell(clients, i, "participations"));
        ck_assert(close_to(cell(clients, i, "queue_s"), queued_s[i], 1e-9));
    }
}

#endif
