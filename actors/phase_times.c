#include "actors/phase_times.h"
#include "actors/retry_state.h"

/* What a phase is measured in. */
struct window {
    double from_s, to_s;
};

/* From `from`, if that was reached, to `to`, or to the end. */
static double span_s(
    const struct frs_participation *p, const struct window *window, double from_s, double to_s) {
    if (from_s != from_s)
        return 0;
    to_s = to_s != to_s ? p->times.ended_s : to_s;
    from_s = from_s < window->from_s ? window->from_s : from_s;
    to_s = to_s > window->to_s ? window->to_s : to_s;
    return to_s > from_s ? to_s - from_s : 0;
}

/* One way. */
static void add_tries(
    const struct frs_participation *p, const struct window *window, bool up, struct frs_phase_times *spent) {
    struct frs_try try;
    for (size_t i = 0; frs_try(p, up, i, &try); i++) {
        double latency_s = span_s(p, window, try.from_s, try.start_s);
        *(p->plan.unreachable ? &spent->contact_s : &spent->latency_s) += latency_s;
        spent->up_latency_s += up ? latency_s : 0;
        *(up ? &spent->up_s : &spent->down_s) += span_s(p, window, try.start_s, try.end_s);
    }
}

static bool has_edge(const struct frs_participation *p) {
    return p->times.sent_s == p->times.sent_s;
}

struct frs_phase_times frs_participation_times_within(
    const struct frs_participation *p, double from_s, double to_s) {
    const struct window window = {from_s, to_s};
    struct frs_phase_times spent = {.encode_s = span_s(p, &window, p->times.selected_s,
                                        has_edge(p) ? p->times.sent_s : p->times.started_s),
        .queue_s =
            p->plan.peers.layers ? 0 : span_s(p, &window, p->times.down_end_s, p->times.compute_start_s),
        .compute_s = span_s(p, &window, p->times.compute_start_s, p->times.compute_end_s)};
    if (p->plan.peers.exchanges) {
        spent.exchange_s = span_s(p, &window, p->times.compute_end_s, p->times.exchanged_s);
        spent.compute_s += span_s(p, &window, p->times.exchanged_s, p->times.up_start_s);
    }
    if (p->plan.peers.layers)
        spent.exchange_s = span_s(p, &window, p->times.down_end_s, p->times.exchanged_s);
    if (p->post.outcome != FRS_POST_NONE)
        spent.post_s = span_s(p, &window, p->times.compute_end_s, p->post.end_s);
    if (has_edge(p)) {
        spent.edge_down_s = span_s(p, &window, p->times.sent_s, p->times.started_s);
        spent.edge_up_s = span_s(p, &window, p->times.up_end_s, p->times.ended_s);
    }
    if (frs_participation_connects(p))
        spent.setup_s = span_s(p, &window, p->times.started_s, p->times.connected_s);
    for (size_t i = 0; i < p->n_breaks; i++) {
        spent.retry_s += span_s(p, &window, p->breaks[i].broke_s, p->breaks[i].again_s);
        spent.setup_s += span_s(p, &window, p->breaks[i].again_s, p->breaks[i].connected_s);
    }
    add_tries(p, &window, false, &spent);
    add_tries(p, &window, true, &spent);
    return spent;
}

struct frs_phase_times frs_participation_times(const struct frs_participation *p) {
    return frs_participation_times_within(p, -__builtin_inf(), __builtin_inf());
}
