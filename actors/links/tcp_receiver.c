#include "actors/links/tcp_receiver.h"
#include "actors/slow_start.h"

#include <math.h>

void frs_tcp_receiver_init(struct frs_tcp_receiver *r, bool interactive) {
    *r = (struct frs_tcp_receiver){
        .n_quick = interactive ? 0 : FRS_QUICK_ACKNOWLEDGEMENTS, .due_s = -INFINITY};
}

static bool misses_one(const struct frs_tcp_receiver *r) {
    return r->n_arrived < r->end;
}

bool frs_tcp_receiver_arrived(struct frs_tcp_receiver *r, double now_s, uint32_t packet, bool is_new) {
    bool at_once = !is_new || misses_one(r) || r->n_quick > 0 || now_s < r->due_s;
    r->n_arrived += is_new;
    r->end = packet < r->end ? r->end : packet + 1;
    r->n_quick -= r->n_quick > 0;
    at_once = at_once || misses_one(r);
    r->due_s = at_once ? -INFINITY : now_s + FRS_ACKNOWLEDGEMENT_DELAY_S;
    return at_once;
}
