#include "sim/ledger/entry_checks.h"
#include "sim/base/errors.h"

#include <float.h>
#include <math.h>

double frs_clock_slack_s(double date_s) {
    return 1e-9 + 8 * DBL_EPSILON * fabs(date_s);
}

/* Dates that were reached are in order and lie within the round, as far as it holds them. */
static void check_dates(const struct frs_participation *p, const struct frs_closed_round *closed) {
    const double dates[] = {p->dates.selected_s, p->dates.started_s, p->dates.down_start_s,
        p->dates.down_end_s, p->dates.compute_start_s, p->dates.compute_end_s, p->dates.up_start_s,
        p->dates.up_end_s, p->dates.ended_s};
    double before_s = closed->overlaps ? 0 : closed->start_s, end_s = p->closed ? INFINITY : closed->end_s;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        FRS_INVARIANT(isfinite(dates[i]) || (isnan(dates[i]) && p->result.outcome != FRS_DELIVERED),
            "client %u: date %zu is missing", p->client, i);
        if (isnan(dates[i]))
            continue;
        FRS_INVARIANT(dates[i] >= before_s - frs_clock_slack_s(before_s),
            "client %u: time runs backwards from %.17g to %.17g", p->client, before_s, dates[i]);
        before_s = dates[i];
    }
    FRS_INVARIANT(
        isfinite(p->dates.selected_s) && isfinite(p->dates.ended_s), "client %u has no end", p->client);
    FRS_INVARIANT(end_s >= before_s - frs_clock_slack_s(before_s), "client %u ends at %.17g, after its round",
        p->client, before_s);
}

/* A connection is there before its first message, and whole. */
static void check_setup(const struct frs_participation *p) {
    const struct frs_handshake *handshake = &p->plan.handshake;
    double connected_s = p->dates.connected_s;
    bool connected = isfinite(connected_s), went_on = isfinite(p->dates.down_start_s);
    FRS_INVARIANT(p->result.setup_down_bytes <= handshake->down_bytes &&
                      p->result.setup_up_bytes <= handshake->up_bytes &&
                      (!connected || (p->result.setup_down_bytes == handshake->down_bytes &&
                                         p->result.setup_up_bytes == handshake->up_bytes)),
        "client %u connects with other bytes than that takes", p->client);
    FRS_INVARIANT(connected ? connected_s >= p->dates.started_s && connected_s <= p->dates.ended_s &&
                                  (!went_on || connected_s <= p->dates.down_start_s)
                            : !went_on || !frs_participation_connects(p),
        "client %u is connected at %.17g", p->client, connected_s);
}

static void check_bytes(const struct frs_participation *p) {
    bool got_all = isfinite(p->dates.down_end_s), sent_all = isfinite(p->dates.up_end_s);
    FRS_INVARIANT(p->charge.down_bytes > 0 || p->plan.no_download || p->result.outcome == FRS_REFUSED,
        "client %u was sent an empty message", p->client);
    FRS_INVARIANT(!isfinite(p->dates.compute_end_s) || p->charge.up_bytes > 0 || p->plan.no_upload,
        "client %u sent an empty message", p->client);
    FRS_INVARIANT(p->result.down_crossed_bytes <= p->charge.down_bytes &&
                      p->result.up_crossed_bytes <= p->charge.up_bytes,
        "client %u exchanged more than its messages", p->client);
    FRS_INVARIANT((!got_all || p->result.down_crossed_bytes == p->charge.down_bytes) &&
                      (!sent_all || p->result.up_crossed_bytes == p->charge.up_bytes),
        "client %u finished a message without all its bytes having crossed", p->client);
    FRS_INVARIANT(p->result.outcome != FRS_DELIVERED || (got_all && sent_all), "client %u delivered nothing",
        p->client);
}

/* What counted needs no reason, what did not has one. */
static bool has_right_cause(const struct frs_participation *p) {
    bool none = p->result.cause == FRS_CAUSE_NONE;
    if (p->result.outcome == FRS_DELIVERED)
        return none || p->result.cause == FRS_CAUSE_END_OF_RUN;
    return p->result.outcome == FRS_LATE || (p->result.outcome == FRS_REFUSED) == none;
}

/* Work after the upload starts with it and ends in one way, at whatever date. */
static void check_post(const struct frs_participation *p, double busy_until_s) {
    const struct frs_post *post = &p->post;
    bool due = p->charge.post_flop > 0 && isfinite(p->dates.compute_end_s);
    FRS_INVARIANT(due == (post->outcome != FRS_POST_NONE), "client %u: %g flop after its upload, outcome %s",
        p->client, p->charge.post_flop, frs_post_outcome_names[post->outcome]);
    FRS_INVARIANT(!isfinite(p->dates.compute_start_s) ||
                      p->dates.compute_start_s >= busy_until_s - frs_clock_slack_s(busy_until_s),
        "client %u computes at %.17g, and is busy until %.17g", p->client, p->dates.compute_start_s,
        busy_until_s);
    if (!due)
        return;
    bool ended = post->outcome == FRS_POST_ENDED;
    FRS_INVARIANT(isfinite(post->end_s) && post->end_s >= p->dates.compute_end_s,
        "client %u: work after the upload ends at %g", p->client, post->end_s);
    FRS_INVARIANT(post->share >= 0 && post->share <= 1 && (!ended || post->share == 1),
        "client %u: a share of %g of the work after its upload", p->client, post->share);
    FRS_INVARIANT(ended == (post->cause == FRS_CAUSE_NONE),
        "client %u: work after the upload %s for cause %s", p->client, frs_post_outcome_names[post->outcome],
        frs_cause_names[post->cause]);
}

/* What a link could have carried between two dates. *most: its highest capacity meanwhile. */
static double could_carry(const struct frs_participation *p, const struct frs_own_links *links, bool up,
    double from_s, double to_s, double *most) {
    double bytes = 0;
    *most = 0;
    do {
        double until_s, capacity = frs_own_links_capacity(links, p, up, from_s, &until_s);
        bytes += capacity * (fmin(until_s, to_s) - from_s);
        *most = fmax(*most, capacity);
        from_s = until_s;
    } while (from_s < to_s);
    return bytes;
}

/* Bytes are rate times time: never more than the client's own link could carry, and as many where nothing
 * else limits it. Of a message that broke off whole bytes are charged, and SimGrid tells what it had carried
 * to a millionth. */
static void check_transfer(const struct frs_participation *p, const struct frs_own_links *links, bool up) {
    double from_s = up ? p->dates.up_start_s : p->dates.down_start_s,
           to_s = up ? p->dates.up_end_s : p->dates.down_end_s, most;
    bool whole = isfinite(to_s);
    if (isnan(from_s) || (up ? p->plan.no_upload : p->plan.no_download))
        return;
    to_s = whole ? to_s : p->dates.ended_s;
    double bytes = (double)(up ? p->result.up_crossed_bytes : p->result.down_crossed_bytes),
           could = could_carry(p, links, up, from_s, to_s, &most),
           slack = 1e-9 * bytes + most * frs_clock_slack_s(to_s) + (whole ? 0 : 1 + 1e-6 * bytes);
    FRS_INVARIANT(isinf(most) || (bytes <= could + slack && (!links->alone[up] || bytes >= could - slack)),
        "client %u: %.17g bytes %s from %.17g to %.17g, in which its link carries %.17g", p->client, bytes,
        up ? "up" : "down", from_s, to_s, could);
}

void frs_check_entry(const struct frs_participation *p, const struct frs_closed_round *closed,
    double busy_until_s, const struct frs_own_links *links) {
    double flop = frs_compute_flop(&p->charge);
    FRS_INVARIANT(p->result.outcome > FRS_PENDING && p->result.outcome < FRS_N_OUTCOMES,
        "client %u has no outcome", p->client);
    FRS_INVARIANT(has_right_cause(p), "client %u: outcome %s for cause %s", p->client,
        frs_outcome_names[p->result.outcome], frs_cause_names[p->result.cause]);
    check_dates(p, closed);
    check_setup(p);
    check_bytes(p);
    FRS_INVARIANT(isfinite(flop) && flop >= 0, "client %u computed %g flop", p->client, flop);
    FRS_INVARIANT(p->result.computed_share >= 0 && p->result.computed_share <= 1,
        "client %u computed a share of %g", p->client, p->result.computed_share);
    check_post(p, busy_until_s);
    if (links->known) {
        check_transfer(p, links, false);
        check_transfer(p, links, true);
    }
}
