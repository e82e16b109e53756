#include "sim/ledger/entry_checks.h"
#include "actors/retry_state.h"
#include "sim/base/errors.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

double frs_clock_slack_s(double time_s) {
    return 1e-9 + 8 * DBL_EPSILON * fabs(time_s);
}

/* Times that were reached are in order and lie within the round, as far as it holds them. */
static void check_times(const struct frs_participation *p, const struct frs_closed_round *closed) {
    const struct frs_participation_times *t = &p->times;
    bool layers = p->plan.peers.layers, models = p->plan.peers.exchanges;
    const double times[] = {t->selected_s, t->started_s, t->down_start_s, t->down_end_s,
        layers ? t->exchanged_s : t->compute_start_s, layers ? t->compute_start_s : t->compute_end_s,
        models ? t->exchanged_s : t->compute_end_s, t->up_start_s, t->up_end_s, t->ended_s};
    double before_s = closed->overlaps ? 0 : closed->start_s, end_s = p->closed ? INFINITY : closed->end_s;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        FRS_INVARIANT(isfinite(times[i]) || (isnan(times[i]) && p->result.outcome != FRS_DELIVERED),
            "client %u: time %zu is missing", p->client, i);
        if (isnan(times[i]))
            continue;
        FRS_INVARIANT(times[i] >= before_s - frs_clock_slack_s(before_s),
            "client %u: time runs backwards from %.17g to %.17g", p->client, before_s, times[i]);
        before_s = times[i];
    }
    FRS_INVARIANT(
        isfinite(p->times.selected_s) && isfinite(p->times.ended_s), "client %u has no end", p->client);
    FRS_INVARIANT(end_s >= before_s - frs_clock_slack_s(before_s), "client %u ends at %.17g, after its round",
        p->client, before_s);
}

static void check_handshake(const struct frs_participation *p, const struct frs_handshake *handshake,
    uint64_t down_bytes, uint64_t up_bytes, double connected_s) {
    bool connected = isfinite(connected_s);
    FRS_INVARIANT(
        down_bytes <= handshake->down_bytes && up_bytes <= handshake->up_bytes &&
            (!connected || (down_bytes == handshake->down_bytes && up_bytes == handshake->up_bytes)),
        "client %u connects with other bytes than that takes", p->client);
}

/* Each connection takes the bytes of a handshake; those of the first are the total less the rest. */
static void check_handshakes(const struct frs_participation *p) {
    uint64_t down_bytes = p->result.setup_down_bytes, up_bytes = p->result.setup_up_bytes;
    for (size_t i = 0; i < p->n_breaks; i++) {
        const struct frs_break *broken = &p->breaks[i];
        check_handshake(p, &p->plan.retrying.handshake, broken->setup_down_bytes, broken->setup_up_bytes,
            broken->connected_s);
        down_bytes -= broken->setup_down_bytes;
        up_bytes -= broken->setup_up_bytes;
    }
    check_handshake(p, &p->plan.handshake, down_bytes, up_bytes, p->times.connected_s);
}

/* A connection is complete before its first message. */
static void check_setup(const struct frs_participation *p) {
    double connected_s = p->times.connected_s;
    bool connected = isfinite(connected_s), went_on = isfinite(p->times.down_start_s);
    check_handshakes(p);
    FRS_INVARIANT(connected ? connected_s >= p->times.started_s && connected_s <= p->times.ended_s &&
                                  (!went_on || connected_s <= p->times.down_start_s)
                            : !went_on || !frs_participation_connects(p),
        "client %u is connected at %.17g", p->client, connected_s);
}

static void check_bytes(const struct frs_participation *p) {
    bool got_all = isfinite(p->times.down_end_s), sent_all = isfinite(p->times.up_end_s);
    FRS_INVARIANT(p->usage.down_bytes > 0 || p->plan.no_download || p->result.outcome == FRS_REFUSED,
        "client %u was sent an empty message", p->client);
    FRS_INVARIANT(!isfinite(p->times.compute_end_s) || p->usage.up_bytes > 0 || p->plan.no_upload,
        "client %u sent an empty message", p->client);
    FRS_INVARIANT(p->result.down_crossed_bytes <= p->usage.down_bytes &&
                      p->result.up_crossed_bytes <= p->usage.up_bytes,
        "client %u exchanged more than its messages", p->client);
    FRS_INVARIANT((!got_all || p->result.down_crossed_bytes == p->usage.down_bytes) &&
                      (!sent_all || p->result.up_crossed_bytes == p->usage.up_bytes),
        "client %u finished a message without all its bytes having crossed", p->client);
    FRS_INVARIANT(p->result.outcome != FRS_DELIVERED || (got_all && sent_all), "client %u delivered nothing",
        p->client);
}

/* Checks breaks: they follow each other, each breaks a message that was under way, and connecting anew
 * follows each but the last. */
static void check_breaks(const struct frs_participation *p) {
    double before_s = p->times.started_s;
    uint32_t retries = 0;
    for (size_t i = 0; i < p->n_breaks; i++) {
        const struct frs_break *broken = &p->breaks[i];
        bool again = isfinite(broken->again_s), last = i + 1 == p->n_breaks;
        FRS_INVARIANT(before_s <= broken->from_s && broken->from_s <= broken->start_s &&
                          broken->start_s <= broken->broke_s && broken->broke_s <= p->times.ended_s &&
                          (again ? broken->again_s >= broken->broke_s : last) &&
                          (isfinite(broken->connected_s) ? broken->connected_s >= broken->again_s : last),
            "client %u: break %zu, at %.17g, is out of order", p->client, i + 1, broken->broke_s);
        before_s = broken->connected_s;
        retries += again && !broken->idle;
    }
    FRS_INVARIANT(retries == p->result.retries &&
                      frs_retry_state_broken(p, false) <= p->plan.retrying.times &&
                      frs_retry_state_broken(p, true) <= p->plan.retrying.times,
        "client %u connects anew %u times of %u", p->client, p->result.retries, p->plan.retrying.times);
}

/* The bytes that the tries at a message moved are those that crossed and those that were sent again. */
static void check_tries(const struct frs_participation *p) {
    for (int up = 0; up < 2; up++) {
        struct frs_try try;
        uint64_t moved = 0, crossed = up ? p->result.up_crossed_bytes : p->result.down_crossed_bytes,
                 resent = up ? p->result.resent_up_bytes : p->result.resent_down_bytes;
        for (size_t i = 0; frs_try(p, up, i, &try); i++)
            moved += try.bytes;
        FRS_INVARIANT(moved == crossed + resent || (up ? p->plan.no_upload : p->plan.no_download),
            "client %u: tries at a message moved %" PRIu64 " bytes, of which %" PRIu64 " crossed and %" PRIu64
            " were sent again",
            p->client, moved, crossed, resent);
        FRS_INVARIANT(
            !p->plan.retrying.resumes || resent == 0, "client %u resumes, and sends anew", p->client);
    }
}

/* A delivered participation has no cause, unless the run ended before it was used. A refused one has none, a
 * late one may have one, and every other one has a cause. */
static bool has_right_cause(const struct frs_participation *p) {
    bool none = p->result.cause == FRS_CAUSE_NONE;
    if (p->result.outcome == FRS_DELIVERED)
        return none || p->result.cause == FRS_CAUSE_END_OF_RUN;
    return p->result.outcome == FRS_LATE || (p->result.outcome == FRS_REFUSED) == none;
}

/* Work after the upload starts with it and ends in one way, at whatever time. */
static void check_post(const struct frs_participation *p, double busy_until_s) {
    const struct frs_post_upload *post = &p->post;
    bool due = p->usage.post_flop > 0 && isfinite(p->times.compute_end_s);
    FRS_INVARIANT(due == (post->outcome != FRS_POST_NONE), "client %u: %g flop after its upload, outcome %s",
        p->client, p->usage.post_flop, frs_post_upload_outcome_names[post->outcome]);
    FRS_INVARIANT(!isfinite(p->times.compute_start_s) ||
                      p->times.compute_start_s >= busy_until_s - frs_clock_slack_s(busy_until_s),
        "client %u computes at %.17g, and is busy until %.17g", p->client, p->times.compute_start_s,
        busy_until_s);
    if (!due)
        return;
    bool ended = post->outcome == FRS_POST_ENDED;
    FRS_INVARIANT(isfinite(post->end_s) && post->end_s >= p->times.compute_end_s,
        "client %u: work after the upload ends at %g", p->client, post->end_s);
    FRS_INVARIANT(post->share >= 0 && post->share <= 1 && (!ended || post->share == 1),
        "client %u: a share of %g of the work after its upload", p->client, post->share);
    FRS_INVARIANT(ended == (post->cause == FRS_CAUSE_NONE),
        "client %u: work after the upload %s for cause %s", p->client,
        frs_post_upload_outcome_names[post->outcome], frs_cause_names[post->cause]);
}

/* What a link could have carried between two times. *most: its highest capacity meanwhile. */
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

/* Checks that bytes are rate times time: never more than the client's own link could carry, and exactly as
 * many where nothing else limits the rate. The usage of a message that broke off is in whole bytes, and
 * SimGrid reports what was carried to a millionth of a byte. */
static void check_transfer(const struct frs_participation *p, const struct frs_own_links *links, bool up,
    const struct frs_try *try) {
    double from_s = try->start_s, to_s = isnan(try->end_s) ? p->times.ended_s : try->end_s, most;
    if (isnan(from_s))
        return;
    double bytes = (double)try->bytes, could = could_carry(p, links, up, from_s, to_s, &most),
           slack = 1e-9 * bytes + most * frs_clock_slack_s(to_s) + (try->whole ? 0 : 1 + 1e-6 * bytes);
    FRS_INVARIANT(isinf(most) || (bytes <= could + slack && (!links->alone[up] || bytes >= could - slack)),
        "client %u: %.17g bytes %s from %.17g to %.17g, in which its link carries %.17g", p->client, bytes,
        up ? "up" : "down", from_s, to_s, could);
}

static void check_transfers(const struct frs_participation *p, const struct frs_own_links *links) {
    struct frs_try try;
    for (int up = 0; up < 2; up++)
        for (size_t i = 0; !(up ? p->plan.no_upload : p->plan.no_download) && frs_try(p, up, i, &try); i++)
            check_transfer(p, links, up, &try);
}

static void check_messages(const struct frs_participation *p, const struct frs_closed_round *closed,
    const struct frs_own_links *links) {
    check_times(p, closed);
    check_setup(p);
    check_bytes(p);
    check_breaks(p);
    check_tries(p);
    if (links->known)
        check_transfers(p, links);
}

/* A download after the aggregation follows the upload, which was used. */
static void check_receive(const struct frs_participation *p, const struct frs_closed_round *closed,
    const struct frs_own_links *links) {
    const struct frs_participation *receive = p->receive;
    FRS_INVARIANT(p->result.outcome == FRS_DELIVERED && receive->client == p->client &&
                      receive->times.selected_s >= p->times.ended_s && has_right_cause(receive),
        "client %u: a download at %.17g after an upload that ended at %.17g", p->client,
        receive->times.selected_s, p->times.ended_s);
    check_messages(receive, closed, links);
}

void frs_check_entry(const struct frs_participation *p, const struct frs_closed_round *closed,
    double busy_until_s, const struct frs_own_links *links) {
    double flop = frs_compute_flop(&p->usage);
    FRS_INVARIANT(p->result.outcome > FRS_PENDING && p->result.outcome < FRS_N_OUTCOMES,
        "client %u has no outcome", p->client);
    FRS_INVARIANT(has_right_cause(p), "client %u: outcome %s for cause %s", p->client,
        frs_outcome_names[p->result.outcome], frs_cause_names[p->result.cause]);
    check_messages(p, closed, links);
    if (p->receive)
        check_receive(p, closed, links);
    FRS_INVARIANT(isfinite(flop) && flop >= 0, "client %u computed %g flop", p->client, flop);
    FRS_INVARIANT(p->result.computed_share >= 0 && p->result.computed_share <= 1,
        "client %u computed a share of %g", p->client, p->result.computed_share);
    check_post(p, busy_until_s);
}
