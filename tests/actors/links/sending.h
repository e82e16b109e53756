/* A sender and what it has sent, for tests by hand. */
#ifndef FRS_TESTS_ACTORS_LINKS_SENDING_H
#define FRS_TESTS_ACTORS_LINKS_SENDING_H

#include "actors/links/tcp_sender.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 100 };

struct sending {
    struct frs_tcp_sender sender;
    struct frs_tcp_transmission sent[MOST];
    uint32_t n;
};

static inline void begin(struct sending *s, uint32_t n_packets, double rtt_s, double window) {
    *s = (struct sending){0};
    frs_tcp_sender_init(&s->sender, n_packets, rtt_s, 0, window);
}

/* Sends what may be sent; returns how many packets that were. */
static inline uint32_t send_all(struct sending *s, double now_s) {
    uint32_t before = s->n;
    while (frs_tcp_sender_next(&s->sender, now_s, &s->sent[s->n]))
        s->n++;
    return s->n - before;
}

static inline uint32_t acknowledge(struct sending *s, double now_s, uint32_t number) {
    frs_tcp_sender_acknowledged(&s->sender, now_s, &s->sent[number]);
    return send_all(s, now_s);
}

static inline uint32_t time_out(struct sending *s, double due_s) {
    ck_assert_double_eq_tol(frs_tcp_sender_timer_s(&s->sender), due_s, 1e-12);
    frs_tcp_sender_timer(&s->sender, due_s);
    return send_all(s, due_s);
}

#endif
