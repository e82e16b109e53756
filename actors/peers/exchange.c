#include "actors/peers/exchange.h"
#include "actors/crossed.h"
#include "actors/extremes.h"
#include "actors/peers/max_min.h"
#include "sim/base/errors.h"
#include "sim/base/heap.h"
#include "sim/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

const char *const frs_peer_fate_names[] = {[FRS_PEER_DELIVERED] = "delivered",
    [FRS_PEER_NOT_SENT] = "not_sent",
    [FRS_PEER_SENDER_LOST] = "sender_lost",
    [FRS_PEER_RECEIVER_LOST] = "receiver_lost",
    [FRS_PEER_BROKEN] = "broken"};

enum step { WAITING, SETUP, SETUP_THERE, SETUP_BACK, LATENCY, DATA, WINDOW, ENDED };

/* A message under way. */
struct sending {
    enum step step;
    double step_ends_s;   /* of WAITING, SETUP, LATENCY and WINDOW */
    double breaks_s;      /* its connection, or the device of an end, by the time since its first byte */
    bool breaks_up;       /* the sender's */
    bool falls, falls_up; /* a planned loss ends it when whole_bytes have crossed; the sender's */
    uint64_t whole_bytes, sent_bytes, part_bytes;
    double next_s; /* the next window at the earliest */
    struct frs_slow_start slow_start;
    uint32_t flow; /* its place among flows; NO_FLOW */
};

#define NO_FLOW UINT32_MAX

/* What crosses, at its present rate since since_s. */
struct flow {
    uint32_t message;
    double left, since_s, rate, ends_s;
    double bytes, began_s; /* of all of it */
};

/* What a member waits for. */
struct waiting {
    uint32_t n_open;        /* messages that have not ended for it */
    double known_s;         /* when it knows of all that have */
    bool is_ready, is_over; /* done, or lost */
};

struct exchange {
    struct frs_peer_member *members;
    struct frs_peer_message *messages;
    uint32_t n, n_messages;
    const struct frs_peer_sending *settings;
    double detect_s, now_s;
    struct sending *sending; /* [n_messages] */
    struct waiting *waiting; /* [n] */
    uint32_t *start, *of;    /* messages of each member, sent and received: of[start[i] … start[i + 1]) */
    /* Steps that end by time: message m is item m. Deaths and breaks: message m is item m, member i is item
     * n_messages + i; a member that is ready, or done, likewise among steps. */
    struct frs_heap steps, strikes;
    struct frs_heap_places step_places, strike_places;
    struct flow *flows;
    uint32_t n_flows;
    uint32_t (*links)[2]; /* [n_flows] of the solver: member i has the downlink 2i and the uplink 2i + 1 */
    double *rates;
    bool changed; /* flows have begun or ended since they were solved */
    struct frs_max_min *solver;
    double carried;
};

/* ---- flows ----------------------------------------------------------------------------------- */

static void settle_flow(struct exchange *e, struct flow *flow) {
    double bytes = flow->rate * (e->now_s - flow->since_s);
    e->carried += bytes;
    flow->left = flow->left > bytes ? flow->left - bytes : 0;
    flow->since_s = e->now_s;
}

static void begin_flow(struct exchange *e, uint32_t m, bool back, uint64_t bytes) {
    const struct frs_peer_message *message = &e->messages[m];
    uint32_t from = back ? message->to : message->from, to = back ? message->from : message->to;
    e->links[e->n_flows][0] = 2 * to;
    e->links[e->n_flows][1] = 2 * from + 1;
    e->flows[e->n_flows] = (struct flow){.message = m,
        .left = (double)bytes,
        .bytes = (double)bytes,
        .since_s = e->now_s,
        .began_s = e->now_s,
        .ends_s = INFINITY};
    e->sending[m].flow = e->n_flows++;
    e->changed = true;
}

static void end_flow(struct exchange *e, uint32_t m) {
    uint32_t place = e->sending[m].flow, last = --e->n_flows;
    e->flows[place] = e->flows[last];
    e->links[place][0] = e->links[last][0];
    e->links[place][1] = e->links[last][1];
    e->sending[e->flows[place].message].flow = place;
    e->sending[m].flow = NO_FLOW;
    e->changed = true;
}

/* A flow whose rate stays keeps its end, to the last bit. */
static void share_links(struct exchange *e) {
    if (!e->changed)
        return;
    frs_max_min_solve(e->solver, (const uint32_t(*)[2])e->links, e->n_flows, e->rates);
    for (uint32_t i = 0; i < e->n_flows; i++) {
        struct flow *flow = &e->flows[i];
        if (flow->rate == e->rates[i])
            continue;
        settle_flow(e, flow);
        flow->rate = e->rates[i];
        flow->ends_s = e->now_s + flow->left / flow->rate;
    }
    e->changed = false;
}

/* ---- members --------------------------------------------------------------------------------- */

static void note_radio(struct frs_peer_member *member, double from_s, double to_s) {
    if (isnan(from_s))
        return;
    member->first_s = isnan(member->first_s) ? from_s : frs_smaller(member->first_s, from_s);
    member->last_s = isnan(member->last_s) ? to_s : frs_larger(member->last_s, to_s);
}

/* A member that waits for nothing more is done when it knows that, unless its device drops out before. */
static void look_whether_done(struct exchange *e, uint32_t i) {
    const struct waiting *waiting = &e->waiting[i];
    if (waiting->is_ready && !waiting->is_over && waiting->n_open == 0)
        frs_heap_put(&e->steps, e->n_messages + i, frs_larger(waiting->known_s, e->now_s), e->n_messages + i);
}

static void learn(struct exchange *e, uint32_t i, double known_s) {
    struct waiting *waiting = &e->waiting[i];
    waiting->n_open--;
    waiting->known_s = frs_larger(waiting->known_s, known_s);
    look_whether_done(e, i);
}

/* The bytes of the running part that have crossed whole; a byte is whole if nothing but the rounding of times
 * is missing from it. */
static uint64_t whole_of(const struct exchange *e, const struct flow *flow) {
    double crossed = flow->bytes - flow->left, took_s = e->now_s - flow->began_s,
           rounding = took_s > 0 ? 8 * DBL_EPSILON * e->now_s * crossed / took_s : 0;
    double whole = floor(crossed + frs_smaller(rounding, .5));
    return whole > 0 ? (uint64_t)frs_smaller(whole, flow->bytes) : 0;
}

static void note_crossed(struct exchange *e, uint32_t m, uint64_t bytes) {
    struct frs_peer_message *message = &e->messages[m];
    if (e->sending[m].step == DATA)
        message->crossed_bytes += bytes;
    else
        message->setup_bytes[e->sending[m].step == SETUP_THERE] += bytes;
}

/* When the two ends know of it. */
static void end_message(
    struct exchange *e, uint32_t m, enum frs_peer_fate fate, double sender_s, double receiver_s) {
    struct frs_peer_message *message = &e->messages[m];
    struct sending *sending = &e->sending[m];
    if (sending->flow != NO_FLOW) {
        struct flow *flow = &e->flows[sending->flow];
        settle_flow(e, flow);
        note_crossed(e, m, whole_of(e, flow));
        end_flow(e, m);
    }
    sending->step = ENDED;
    message->fate = fate;
    message->end_s = e->now_s;
    frs_heap_remove(&e->steps, m);
    frs_heap_remove(&e->strikes, m);
    note_radio(&e->members[message->from], message->begun_s, e->now_s);
    note_radio(&e->members[message->to], message->begun_s, e->now_s);
    learn(e, message->from, sender_s);
    learn(e, message->to, receiver_s);
}

static void lose_member(struct exchange *e, uint32_t i, enum frs_cause cause) {
    struct frs_peer_member *member = &e->members[i];
    if (e->waiting[i].is_over)
        return;
    e->waiting[i].is_over = true;
    member->lost_s = e->now_s;
    member->cause = cause;
    frs_heap_remove(&e->steps, e->n_messages + i);
    frs_heap_remove(&e->strikes, e->n_messages + i);
    double noticed_s = e->now_s + e->detect_s;
    for (uint32_t at = e->start[i]; at < e->start[i + 1]; at++) {
        uint32_t m = e->of[at];
        const struct frs_peer_message *message = &e->messages[m];
        bool sends = message->from == i;
        if (e->sending[m].step == ENDED)
            continue;
        if (e->sending[m].step == WAITING && !sends)
            continue; /* its sender finds that out when it is ready */
        end_message(e, m,
            e->sending[m].step == WAITING ? FRS_PEER_NOT_SENT
            : sends                       ? FRS_PEER_SENDER_LOST
                                          : FRS_PEER_RECEIVER_LOST,
            noticed_s, noticed_s);
    }
}

/* ---- messages -------------------------------------------------------------------------------- */

static double latency_s(const struct exchange *e, uint32_t from, uint32_t to) {
    return e->members[from].links.latency_s[1] + e->members[to].links.latency_s[0];
}

static void wait_for(struct exchange *e, uint32_t m, enum step step, double ends_s) {
    e->sending[m].step = step;
    e->sending[m].step_ends_s = ends_s;
    frs_heap_put(&e->steps, m, ends_s, m);
}

/* A device that fails ends all its messages, this one among them. */
static void strike(struct exchange *e, uint32_t m, bool up, enum frs_cause cause) {
    const struct frs_peer_message *message = &e->messages[m];
    if (cause == FRS_CAUSE_DEVICE)
        lose_member(e, up ? message->from : message->to, cause);
    else
        end_message(e, m, FRS_PEER_BROKEN, e->now_s, e->now_s + e->detect_s);
}

/* The loss that ends the message after the fewest bytes, the sender's first. */
static void plan_losses(struct exchange *e, uint32_t m) {
    const struct frs_peer_message *message = &e->messages[m];
    struct sending *sending = &e->sending[m];
    sending->whole_bytes = message->bytes;
    sending->breaks_s = INFINITY;
    for (int up = 1; up >= 0; up--) {
        const struct frs_loss *loss = &message->loss[up];
        uint64_t bytes = loss->planned ? frs_crossed_share(loss->at_share, message->bytes) : UINT64_MAX;
        if (loss->planned && (!sending->falls || bytes < sending->whole_bytes)) {
            sending->falls = true;
            sending->falls_up = up;
            sending->whole_bytes = bytes;
        }
        if (e->now_s + loss->after_s < sending->breaks_s) {
            sending->breaks_s = e->now_s + loss->after_s;
            sending->breaks_up = up;
        }
    }
    if (sending->breaks_s < INFINITY)
        frs_heap_put(&e->strikes, m, sending->breaks_s, m);
}

static void plan_windows(struct exchange *e, uint32_t m) {
    struct frs_peer_message *message = &e->messages[m];
    const struct frs_peer_sending *settings = e->settings;
    struct sending *sending = &e->sending[m];
    const struct frs_link_terms *from = &e->members[message->from].links,
                                *to = &e->members[message->to].links;
    bool up = from->bytes_per_s[1] <= to->bytes_per_s[0];
    double round_trip_s = latency_s(e, message->from, message->to) + latency_s(e, message->to, message->from),
           bytes_per_s = up ? from->bytes_per_s[1] : to->bytes_per_s[0];
    sending->slow_start = frs_slow_start_begin(bytes_per_s, round_trip_s, settings->slow_start);
    if (!settings->sender || settings->slow_start == FRS_SLOW_START_NONE)
        return;
    settings->sender->windows(settings->sender->context,
        &(struct frs_uncontended_flow){.bytes = (double)sending->whole_bytes,
            .bytes_per_s = bytes_per_s,
            .round_trip_s = round_trip_s,
            .queue_s = settings->sender->queue_s,
            .up = true,
            .interactive = settings->slow_start == FRS_SLOW_START_PAIRED},
        &message->windows);
    frs_slow_start_follow(&sending->slow_start, &message->windows);
}

static void send_part(struct exchange *e, uint32_t m) {
    struct sending *sending = &e->sending[m];
    double wait_s = 0;
    sending->part_bytes =
        frs_slow_start_next(&sending->slow_start, sending->whole_bytes - sending->sent_bytes, &wait_s);
    sending->next_s = e->now_s + wait_s;
    sending->step = DATA;
    begin_flow(e, m, false, sending->part_bytes);
}

static void start_message(struct exchange *e, uint32_t m) {
    struct sending *sending = &e->sending[m];
    e->messages[m].start_s = e->now_s;
    plan_losses(e, m);
    if (sending->falls && sending->whole_bytes == 0) {
        strike(e, m, sending->falls_up, e->messages[m].loss[sending->falls_up].cause);
        return;
    }
    plan_windows(e, m);
    send_part(e, m);
}

static void finish_message(struct exchange *e, uint32_t m) {
    const struct sending *sending = &e->sending[m];
    if (sending->falls)
        strike(e, m, sending->falls_up, e->messages[m].loss[sending->falls_up].cause);
    else
        end_message(e, m, FRS_PEER_DELIVERED, e->now_s, e->now_s);
}

/* The latencies of connecting, then its bytes there and back, then the latency of the message. */
static void connect(struct exchange *e, uint32_t m) {
    const struct frs_peer_message *message = &e->messages[m];
    const struct frs_peer_sending *settings = e->settings;
    double there_s = latency_s(e, message->from, message->to),
           back_s = latency_s(e, message->to, message->from),
           wait_s = settings->latencies_there * there_s + settings->latencies_back * back_s;
    enum step done = e->sending[m].step;
    if (done < SETUP && wait_s > 0) {
        wait_for(e, m, SETUP, e->now_s + wait_s);
    } else if (done < SETUP_THERE && settings->bytes_there > 0) {
        e->sending[m].step = SETUP_THERE;
        begin_flow(e, m, false, settings->bytes_there);
    } else if (done < SETUP_BACK && settings->bytes_back > 0) {
        e->sending[m].step = SETUP_BACK;
        begin_flow(e, m, true, settings->bytes_back);
    } else if (there_s > 0) {
        wait_for(e, m, LATENCY, e->now_s + there_s);
    } else {
        start_message(e, m);
    }
}

/* A step of the message has ended. */
static void advance(struct exchange *e, uint32_t m) {
    struct sending *sending = &e->sending[m];
    switch (sending->step) {
    case WAITING:
    case SETUP:
    case SETUP_THERE:
    case SETUP_BACK:
        connect(e, m);
        break;
    case LATENCY:
        start_message(e, m);
        break;
    case DATA:
        sending->sent_bytes += sending->part_bytes;
        if (sending->sent_bytes == sending->whole_bytes)
            finish_message(e, m);
        else if (e->now_s < sending->next_s)
            wait_for(e, m, WINDOW, sending->next_s);
        else
            send_part(e, m);
        break;
    case WINDOW:
        send_part(e, m);
        break;
    case ENDED:
        break;
    }
}

static void become_ready(struct exchange *e, uint32_t i) {
    e->waiting[i].is_ready = true;
    for (uint32_t at = e->start[i]; at < e->start[i + 1]; at++) {
        uint32_t m = e->of[at];
        struct frs_peer_message *message = &e->messages[m];
        if (message->from != i || e->sending[m].step != WAITING)
            continue;
        const struct frs_peer_member *to = &e->members[message->to];
        if (!isnan(to->lost_s)) {
            double known_s = frs_larger(e->now_s, to->lost_s + e->detect_s);
            end_message(e, m, FRS_PEER_NOT_SENT, known_s, known_s);
            continue;
        }
        message->begun_s = e->now_s;
        advance(e, m);
    }
    look_whether_done(e, i);
}

/* ---- time ------------------------------------------------------------------------------------ */

static bool end_due_step(struct exchange *e) {
    const struct frs_heap_entry *next = frs_heap_top(&e->steps);
    if (!next || next->key > e->now_s)
        return false;
    uint32_t item = next->item;
    frs_heap_remove(&e->steps, item);
    if (item < e->n_messages) {
        advance(e, item);
    } else if (!e->waiting[item - e->n_messages].is_ready) {
        become_ready(e, item - e->n_messages);
    } else {
        e->waiting[item - e->n_messages].is_over = true;
        e->members[item - e->n_messages].done_s = e->now_s;
        frs_heap_remove(&e->strikes, item);
    }
    return true;
}

/* The flow that is due, with the lowest message. */
static bool end_due_flow(struct exchange *e) {
    uint32_t due = UINT32_MAX;
    for (uint32_t i = 0; i < e->n_flows; i++)
        if (e->flows[i].ends_s <= e->now_s && e->flows[i].message < due)
            due = e->flows[i].message;
    if (due == UINT32_MAX)
        return false;
    struct flow *flow = &e->flows[e->sending[due].flow];
    e->carried += flow->left;
    note_crossed(e, due, (uint64_t)flow->bytes);
    end_flow(e, due);
    advance(e, due);
    return true;
}

static bool strike_due(struct exchange *e) {
    const struct frs_heap_entry *next = frs_heap_top(&e->strikes);
    if (!next || next->key > e->now_s)
        return false;
    uint32_t item = next->item;
    frs_heap_remove(&e->strikes, item);
    if (item >= e->n_messages)
        lose_member(e, item - e->n_messages, e->members[item - e->n_messages].dies_cause);
    else
        strike(e, item, e->sending[item].breaks_up,
            e->messages[item].loss[e->sending[item].breaks_up].after_cause);
    return true;
}

static double next_s(const struct exchange *e) {
    const struct frs_heap_entry *step = frs_heap_top(&e->steps), *strike = frs_heap_top(&e->strikes);
    double time_s = frs_smaller(step ? step->key : INFINITY, strike ? strike->key : INFINITY);
    for (uint32_t i = 0; i < e->n_flows; i++)
        time_s = frs_smaller(time_s, e->flows[i].ends_s);
    return time_s;
}

static void list_messages(struct exchange *e) {
    e->start = frs_alloc((size_t)e->n + 2, sizeof *e->start);
    e->of = frs_alloc(2 * (size_t)e->n_messages + 1, sizeof *e->of);
    for (uint32_t m = 0; m < e->n_messages; m++) {
        e->start[e->messages[m].from + 2]++;
        e->start[e->messages[m].to + 2]++;
    }
    for (uint32_t i = 0; i < e->n; i++)
        e->start[i + 2] += e->start[i + 1];
    for (uint32_t m = 0; m < e->n_messages; m++) {
        e->of[e->start[e->messages[m].from + 1]++] = m;
        e->of[e->start[e->messages[m].to + 1]++] = m;
    }
}

static void begin(struct exchange *e) {
    double *bytes_per_s = frs_alloc(2 * (size_t)e->n, sizeof *bytes_per_s);
    e->sending = frs_alloc(e->n_messages, sizeof *e->sending);
    e->waiting = frs_alloc(e->n, sizeof *e->waiting);
    e->flows = frs_alloc(e->n_messages, sizeof *e->flows);
    e->links = frs_alloc(e->n_messages, sizeof *e->links);
    e->rates = frs_alloc(e->n_messages, sizeof *e->rates);
    e->steps.places = &e->step_places;
    e->strikes.places = &e->strike_places;
    list_messages(e);
    for (uint32_t m = 0; m < e->n_messages; m++) {
        struct frs_peer_message *message = &e->messages[m];
        message->begun_s = message->start_s = message->end_s = NAN;
        message->crossed_bytes = message->setup_bytes[0] = message->setup_bytes[1] = 0;
        message->windows = (struct frs_windows){0};
        e->sending[m].flow = NO_FLOW;
    }
    for (uint32_t i = 0; i < e->n; i++) {
        struct frs_peer_member *member = &e->members[i];
        bytes_per_s[2 * i] = member->links.bytes_per_s[0];
        bytes_per_s[2 * i + 1] = member->links.bytes_per_s[1];
        member->done_s = member->lost_s = member->first_s = member->last_s = NAN;
        member->cause = FRS_CAUSE_NONE;
        e->waiting[i] = (struct waiting){.n_open = e->start[i + 1] - e->start[i], .known_s = -INFINITY};
        if (member->dies_s < INFINITY)
            frs_heap_put(&e->strikes, e->n_messages + i, member->dies_s, e->n_messages + i);
        if (!(member->dies_s < member->ready_s))
            frs_heap_put(&e->steps, e->n_messages + i, member->ready_s, e->n_messages + i);
    }
    e->solver = frs_max_min_create(bytes_per_s, 2 * e->n);
    free(bytes_per_s);
}

static void end(struct exchange *e) {
    for (uint32_t m = 0; m < e->n_messages; m++)
        FRS_INVARIANT(e->sending[m].step == ENDED, "message %u between peers never ends", m);
    frs_max_min_destroy(e->solver);
    frs_heap_fini(&e->steps);
    frs_heap_fini(&e->strikes);
    frs_heap_places_fini(&e->step_places);
    frs_heap_places_fini(&e->strike_places);
    free(e->sending);
    free(e->waiting);
    free(e->start);
    free(e->of);
    free(e->flows);
    free(e->links);
    free(e->rates);
}

double frs_peer_exchange(struct frs_peer_member *members, uint32_t n, struct frs_peer_message *messages,
    uint32_t n_messages, const struct frs_peer_sending *sending, double detect_s) {
    struct exchange e = {.members = members,
        .messages = messages,
        .n = n,
        .n_messages = n_messages,
        .settings = sending,
        .detect_s = detect_s};
    begin(&e);
    for (double time_s; (time_s = next_s(&e)) < INFINITY;) {
        e.now_s = time_s;
        while (end_due_step(&e) || end_due_flow(&e) || strike_due(&e)) {
        }
        share_links(&e);
    }
    end(&e);
    return e.carried;
}

void frs_peer_messages_fini(struct frs_peer_message *messages, size_t n) {
    for (size_t m = 0; m < n; m++) {
        free(messages[m].windows.of);
        messages[m].windows = (struct frs_windows){0};
    }
}
