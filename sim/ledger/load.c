#include "sim/ledger/load.h"
#include "sim/ledger/connection_spans.h"
#include "actors/retry_state.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define HOUR_S 3600.0

/* hours.csv and the hours of the day have so many hours of a run at most: ten years. */
#define MOST_HOURS 87600.0

/* What changes at a time, or happens in it; also the order at one instant. */
enum kind { CONNECTED, WORKS, RATE_DOWN, RATE_UP, BYTES_DOWN, BYTES_UP, SELECTED, ROUND, ONLINE, ELIGIBLE };

struct change {
    double time_s, value;
    enum kind kind;
};

struct frs_load {
    double clock_s, now_s, end_s;
    double last_s;              /* of what participations and rounds have told */
    double link_bytes_per_s[2]; /* of the server, down and up */
    FILE *hours;
    struct change *changes; /* [n], of times that may still be told of */
    size_t n, capacity;
    size_t connected, working, moving[2]; /* clients; stretches of the server's work; messages each way */
    long double bytes_per_s[2];           /* of messages that last for an instant beside others for hours */
    double *seconds;                      /* [n_seconds] with so many connections */
    size_t n_seconds, seconds_capacity;
    double busy_s, work_s, bytes[2], most_bytes_per_s[2], peak_bytes_per_s[2];
    double hour; /* of the server's clock, counted from the midnight before the run */
    struct frs_load_hours now, by_hour[FRS_LOAD_HOURS];
};

static void put(FILE *out, double value) {
    frs_put_text(out, ",");
    if (isfinite(value))
        frs_put_real(out, value);
}

struct frs_load *frs_load_create(double clock_s, const double *link_bytes_per_s, FILE *hours) {
    struct frs_load *load = frs_alloc(1, sizeof *load);
    *load = (struct frs_load){.clock_s = clock_s,
        .hours = hours,
        .end_s = INFINITY,
        .hour = floor(clock_s / HOUR_S),
        .link_bytes_per_s = {link_bytes_per_s[0], link_bytes_per_s[1]}};
    if (hours)
        fputs("hour,clock_hour,start_s,end_s,online_mean,online_least,online_most,eligible_mean,"
              "eligible_least,eligible_most,selected,rounds,connections_mean,connections_most,down_bytes,"
              "up_bytes,down_most_bytes_per_s,up_most_bytes_per_s\n",
            hours);
    return load;
}

void frs_load_destroy(struct frs_load *load) {
    if (!load)
        return;
    free(load->changes);
    free(load->seconds);
    free(load);
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void tell(struct frs_load *load, double time_s, enum kind kind, double value) {
    load->changes = frs_grow(load->changes, load->n + 1, &load->capacity, sizeof *load->changes);
    load->changes[load->n++] = (struct change){.time_s = time_s, .value = value, .kind = kind};
    if (kind != ONLINE && kind != ELIGIBLE)
        load->last_s = fmax(load->last_s, time_s);
}

static void tell_span(struct frs_load *load, double from_s, double to_s, enum kind kind, double value) {
    if (!(to_s > from_s))
        return;
    tell(load, from_s, kind, value);
    tell(load, to_s, kind, -value);
}

static void tell_bytes(struct frs_load *load, double from_s, double to_s, int up, double bytes) {
    if (!(bytes > 0))
        return;
    if (to_s > from_s)
        tell_span(load, from_s, to_s, up ? RATE_UP : RATE_DOWN, bytes / (to_s - from_s));
    else
        tell(load, from_s, up ? BYTES_UP : BYTES_DOWN, bytes);
}

/* NaN: the participation ended before. */
static double or_end(const struct frs_participation *p, double time_s) {
    return isnan(time_s) ? p->times.ended_s : time_s;
}

static void tell_messages(struct frs_load *load, const struct frs_participation *p) {
    const struct frs_participation_result *result = &p->result;
    double setup_bytes[2] = {(double)result->setup_down_bytes, (double)result->setup_up_bytes};
    struct frs_try try;
    for (size_t i = 0; i < p->n_breaks; i++) {
        const struct frs_break *broken = &p->breaks[i];
        const double bytes[2] = {(double)broken->setup_down_bytes, (double)broken->setup_up_bytes};
        for (int up = 0; up < 2; up++) {
            setup_bytes[up] -= bytes[up];
            tell_bytes(load, broken->again_s, or_end(p, broken->connected_s), up, bytes[up]);
        }
    }
    for (int up = 0; up < 2; up++) {
        tell_bytes(load, p->times.started_s, or_end(p, p->times.connected_s), up, setup_bytes[up]);
        for (size_t i = 0; frs_try(p, up, i, &try); i++)
            tell_bytes(load, try.start_s, or_end(p, try.end_s), up, (double)try.bytes);
    }
}

static void tell_asides(struct frs_load *load, const struct frs_participation *p) {
    if (p->receive)
        tell_messages(load, p->receive);
    for (size_t i = 0; i < p->result.n_asides && !p->receive; i++) {
        const struct frs_aside *aside = &p->result.asides[i];
        tell_bytes(
            load, aside->from_s, aside->to_s, false, (double)(aside->down_bytes + aside->setup_down_bytes));
        tell_bytes(load, aside->from_s, aside->to_s, true, (double)(aside->up_bytes + aside->setup_up_bytes));
    }
}

static void tell_connected(void *context, double from_s, double to_s) {
    tell_span(context, from_s, to_s, CONNECTED, 1);
}

void frs_load_participation(struct frs_load *load, const struct frs_participation *p) {
    tell(load, p->times.selected_s, SELECTED, 1);
    if (isfinite(p->times.sent_s)) { /* the server is connected to its edge */
        load->last_s = fmax(load->last_s, p->times.ended_s);
        return;
    }
    frs_connection_spans(p, tell_connected, load);
    tell_messages(load, p);
    tell_asides(load, p);
    /* One that waits to connect anew is not over. */
    if (isfinite(p->times.started_s) && !p->plan.unreachable && !p->plan.refused)
        load->last_s = fmax(load->last_s, p->times.ended_s);
}

static void tell_edge_message(struct frs_load *load, const struct frs_edge_message *message) {
    if (isnan(message->began_s))
        return;
    tell_span(load, message->began_s, message->end_s, CONNECTED, 1);
    tell_bytes(load, message->start_s, message->end_s, message->up, (double)message->crossed_bytes);
}

void frs_load_round(struct frs_load *load, const struct frs_closed_round *closed) {
    /* A round that the server lost while it encoded ended its work. */
    double encode_s = closed->encode_from_s + closed->before_s;
    tell_span(load, encode_s, fmin(encode_s + closed->encode_s, closed->end_s), WORKS, 1);
    double worked_s = closed->end_s - closed->deliver_s;
    tell_span(load, worked_s - closed->server_s, worked_s, WORKS, 1);
    tell_span(load, worked_s, worked_s + closed->delivery.encode_s, WORKS, 1);
    for (size_t i = 0; i < closed->n_edge_messages; i++)
        tell_edge_message(load, &closed->edge_messages[i]);
    if (closed->lost == FRS_CAUSE_NONE)
        tell(load, closed->end_s, ROUND, 1);
}

void frs_load_count(struct frs_load *load, double time_s, double online, double eligible) {
    if (isfinite(online))
        tell(load, time_s, ONLINE, online);
    if (isfinite(eligible))
        tell(load, time_s, ELIGIBLE, eligible);
}

/* ---- hours ----------------------------------------------------------------------------------- */

static void note(struct frs_load_spread *spread, double value) {
    spread->least = spread->n == 0 || value < spread->least ? value : spread->least;
    spread->most = spread->n == 0 || value > spread->most ? value : spread->most;
    spread->sum += value;
    spread->n++;
}

static void add_spread(struct frs_load_spread *sum, const struct frs_load_spread *more) {
    if (more->n == 0)
        return;
    sum->least = sum->n == 0 ? more->least : fmin(sum->least, more->least);
    sum->most = sum->n == 0 ? more->most : fmax(sum->most, more->most);
    sum->sum += more->sum;
    sum->n += more->n;
}

static void put_spread(FILE *out, const struct frs_load_spread *spread) {
    put(out, frs_load_mean(spread));
    put(out, spread->n > 0 ? spread->least : NAN);
    put(out, spread->n > 0 ? spread->most : NAN);
}

/* The time of the run at which an hour of the server's clock begins. */
static double begins_s(const struct frs_load *load, double hour) {
    return fmax(hour * HOUR_S - load->clock_s, 0);
}

static double hour_number(const struct frs_load *load) {
    return load->hour - floor(load->clock_s / HOUR_S);
}

static void put_hour(const struct frs_load *load) {
    const struct frs_load_hours *now = &load->now;
    FILE *out = load->hours;
    frs_put_count(out, (uint64_t)hour_number(load));
    put(out, fmod(load->hour, FRS_LOAD_HOURS));
    put(out, begins_s(load, load->hour));
    put(out, load->now_s);
    put_spread(out, &now->online);
    put_spread(out, &now->eligible);
    put(out, now->selected.sum);
    put(out, now->rounds);
    put(out, now->seconds > 0 ? now->connected_s / now->seconds : 0);
    put(out, now->most_connections);
    for (int up = 0; up < 2; up++)
        put(out, round(1e3 * now->bytes[up]) / 1e3); /* what rates over times leave of a rounding */
    for (int up = 0; up < 2; up++)
        put(out, now->most_bytes_per_s[up]);
    frs_put_text(out, "\n");
}

/* An hour of the run is over, or the run is. */
static void end_hour(struct frs_load *load) {
    struct frs_load_hours *now = &load->now, *all = &load->by_hour[(size_t)fmod(load->hour, FRS_LOAD_HOURS)];
    bool happened = now->selected.sum > 0 || now->rounds > 0 || now->online.n + now->eligible.n > 0 ||
                    now->bytes[0] + now->bytes[1] > 0;
    if (hour_number(load) < MOST_HOURS && (now->seconds > 0 || happened)) {
        if (load->hours)
            put_hour(load);
        all->n++;
        all->seconds += now->seconds;
        add_spread(&all->online, &now->online);
        add_spread(&all->eligible, &now->eligible);
        note(&all->selected, now->selected.sum);
        all->rounds += now->rounds;
        all->connected_s += now->connected_s;
        all->most_connections = fmax(all->most_connections, now->most_connections);
        for (int up = 0; up < 2; up++) {
            all->bytes[up] += now->bytes[up];
            all->most_bytes_per_s[up] = fmax(all->most_bytes_per_s[up], now->most_bytes_per_s[up]);
        }
    }
    *now = (struct frs_load_hours){0};
    load->hour++;
}

/* ---- in the order of time -------------------------------------------------------------------- */

/* Nothing changes until then, and it is within the hour. */
static void pass(struct frs_load *load, double to_s) {
    double seconds = to_s - load->now_s;
    struct frs_load_hours *now = &load->now;
    if (!(seconds > 0))
        return;
    now->seconds += seconds;
    now->connected_s += (double)load->connected * seconds;
    now->most_connections = fmax(now->most_connections, (double)load->connected);
    for (int up = 0; up < 2; up++) {
        double now_bytes_per_s = (double)load->bytes_per_s[up], bytes = now_bytes_per_s * seconds,
               rate = fmin(now_bytes_per_s, load->link_bytes_per_s[up]);
        now->bytes[up] += bytes;
        load->bytes[up] += bytes;
        now->most_bytes_per_s[up] = fmax(now->most_bytes_per_s[up], rate);
        load->most_bytes_per_s[up] = fmax(load->most_bytes_per_s[up], rate);
    }
    load->seconds =
        frs_grow(load->seconds, load->connected + 1, &load->seconds_capacity, sizeof *load->seconds);
    while (load->n_seconds <= load->connected)
        load->seconds[load->n_seconds++] = 0;
    load->seconds[load->connected] += seconds;
    load->busy_s += load->connected + load->working > 0 ? seconds : 0;
    load->work_s += load->working > 0 ? seconds : 0;
    load->now_s = to_s;
}

static void advance(struct frs_load *load, double to_s) {
    while (begins_s(load, load->hour + 1) <= to_s && hour_number(load) < MOST_HOURS) {
        pass(load, begins_s(load, load->hour + 1));
        end_hour(load);
    }
    pass(load, to_s);
}

/* Rates are forgotten with the last message: sums of real numbers leave a rounding. */
static void move(struct frs_load *load, int up, double bytes_per_s) {
    if (bytes_per_s > 0)
        load->moving[up]++;
    else
        load->moving[up]--;
    load->bytes_per_s[up] = load->moving[up] > 0 ? load->bytes_per_s[up] + bytes_per_s : 0;
}

static void apply(struct frs_load *load, const struct change *change) {
    int up = change->kind == RATE_UP || change->kind == BYTES_UP;
    switch (change->kind) {
    case CONNECTED:
        load->connected += change->value > 0 ? 1 : (size_t)-1;
        return;
    case WORKS:
        load->working += change->value > 0 ? 1 : (size_t)-1;
        return;
    case RATE_DOWN:
    case RATE_UP:
        move(load, up, change->value);
        return;
    case BYTES_DOWN:
    case BYTES_UP:
        load->bytes[up] += change->value;
        load->now.bytes[up] += change->value;
        return;
    case SELECTED:
        load->now.selected.sum++;
        return;
    case ROUND:
        load->now.rounds++;
        return;
    case ONLINE:
        note(&load->now.online, change->value);
        return;
    case ELIGIBLE:
        note(&load->now.eligible, change->value);
        return;
    }
}

static int in_order(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    if (x->time_s != y->time_s)
        return (x->time_s > y->time_s) - (x->time_s < y->time_s);
    if (x->kind != y->kind)
        return (x->kind > y->kind) - (x->kind < y->kind);
    return (x->value > y->value) - (x->value < y->value);
}

/* Sorts the changes whenever enough is known, and processes those at or before safe_s. */
static void take(struct frs_load *load, double safe_s, bool all) {
    size_t taken = 0;
    if (load->n > 0)
        qsort(load->changes, load->n, sizeof *load->changes, in_order);
    for (; taken < load->n; taken++) {
        const struct change *change = &load->changes[taken];
        if (change->time_s > safe_s || (change->time_s == safe_s && !all))
            break;
        FRS_INVARIANT(change->time_s >= load->now_s, "the load is told of %.17g s after %.17g s",
            change->time_s, load->now_s);
        advance(load, change->time_s);
        apply(load, change);
    }
    for (size_t i = taken; i < load->n; i++)
        load->changes[i - taken] = load->changes[i];
    load->n -= taken;
}

void frs_load_until(struct frs_load *load, double safe_s) {
    take(load, safe_s, false);
}

void frs_load_end(struct frs_load *load, double end_s, const double *peak_bytes_per_s) {
    load->end_s = fmax(end_s, load->last_s);
    take(load, load->end_s, true);
    advance(load, load->end_s);
    end_hour(load);
    for (int up = 0; up < 2; up++)
        load->peak_bytes_per_s[up] = peak_bytes_per_s[up];
}

static void check(const char *way, double by_hours, uint64_t bytes) {
    FRS_INVARIANT(fabs(by_hours - (double)bytes) <= 1e-6 * (double)bytes + 1e-3,
        "%.17g bytes %s by hours, and %" PRIu64 " by rounds", by_hours, way, bytes);
}

void frs_load_check(const struct frs_load *load, uint64_t down_bytes, uint64_t up_bytes, double connected_s) {
    double by_hours_s = frs_load_figures(load).connected_s;
    check("down", load->bytes[0], down_bytes);
    check("up", load->bytes[1], up_bytes);
    FRS_INVARIANT(fabs(by_hours_s - connected_s) <= 1e-6 * (connected_s + 1),
        "%.17g s of connections by hours, and %.17g s by rounds", by_hours_s, connected_s);
}

/* ---- figures --------------------------------------------------------------------------------- */

/* The smallest number of connections, from `least` on, such that there were no more during this share of
 * the time with at least `least`. */
static double quantile(const struct frs_load *load, size_t least, double share) {
    double all_s = 0, sum_s = 0;
    for (size_t i = least; i < load->n_seconds; i++)
        all_s += load->seconds[i];
    if (!(all_s > 0))
        return NAN;
    for (size_t i = least; i < load->n_seconds; i++)
        if ((sum_s += load->seconds[i]) >= share * all_s * (1 - 1e-12))
            return (double)i;
    return (double)(load->n_seconds - 1);
}

static double or_none(double value) {
    return isnan(value) ? 0 : value;
}

struct frs_load_figures frs_load_figures(const struct frs_load *load) {
    struct frs_load_figures figures = {.end_s = load->end_s,
        .busy_s = load->busy_s,
        .work_s = load->work_s,
        .median = or_none(quantile(load, 0, 0.5)),
        .p95 = or_none(quantile(load, 0, 0.95)),
        .median_of_some = quantile(load, 1, 0.5)};
    for (size_t i = 0; i < load->n_seconds; i++) {
        figures.connected_s += (double)i * load->seconds[i];
        figures.some_s += i > 0 ? load->seconds[i] : 0;
        figures.peak = load->seconds[i] > 0 ? (double)i : figures.peak;
    }
    figures.mean = load->end_s > 0 ? figures.connected_s / load->end_s : 0;
    for (int up = 0; up < 2; up++) {
        figures.bytes[up] = load->bytes[up];
        figures.peak_bytes_per_s[up] =
            isnan(load->peak_bytes_per_s[up]) ? load->most_bytes_per_s[up] : load->peak_bytes_per_s[up];
    }
    return figures;
}

const struct frs_load_hours *frs_load_by_hour(const struct frs_load *load) {
    return load->by_hour;
}
