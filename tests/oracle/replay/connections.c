/* Connecting, under network.model = "tcp": latencies, then the client's bytes, then the server's; and which
 * messages begin in slow start. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <string.h>

static const struct phase *message(const struct part *part, bool up) {
    return part_phase(part, up ? UP : DOWN);
}

static const struct connection *connection_of(
    const struct run *run, const struct part *part, const struct phase *setup) {
    return is_anew(part, setup) ? run->scenario.connection_anew : run->scenario.connection;
}

/* Latencies of one participation are those for which its messages wait; an upload that never began does
 * not show its latency. */
static void check_latency(
    struct report *report, const struct run *run, const struct part *part, const struct phase *setup) {
    const struct phase *down = message(part, false), *up = message(part, true);
    const struct connection *connection = connection_of(run, part, setup);
    double up_s, down_s;
    if (has_states(run)) {
        if (!knows_states(run) || scenario_jitters(&run->scenario, "network.latency_jitter") ||
            state_at(run, part->client, setup->t0_s).link == OFF) /* it has gone by then */
            return;
        down_s = up_s = latency_in_state_s(run, part->client, setup->t0_s);
        if (isnan(down_s))
            return;
    } else if (down && down->in_slow_start) {
        down_s = down->latency_s;
        up_s = down->round_trip_s - down_s;
    } else if (run->scenario.delivers && up && up->in_slow_start) {
        up_s = up->latency_s;
        down_s = up->round_trip_s - up_s;
    } else if (down && up) {
        down_s = down->latency_s;
        up_s = up->latency_s;
    } else if (!scenario_jitters(&run->scenario, "network.latency_jitter")) {
        down_s = up_s = field(&run->clients, part->client, "latency_s");
    } else {
        return;
    }
    same_time(report, part, "latencies of connecting",
        connection->up_latencies * up_s + connection->down_latencies * down_s, setup->setup_latency_s);
}

static void check_own_links(
    struct report *report, const struct run *run, const struct part *part, const struct phase *setup) {
    const struct scenario *s = &run->scenario;
    bool moves = *scenario_text(s, "network.trace") || has_states(run);
    for (int up = 0; up < 2; up++) {
        const struct phase *sent = message(part, up);
        double rate = setup->setup_capacity[up].steps[0].rate;
        if (!moves && sent)
            must(report, part, rate == sent->capacity.steps[0].rate, "connects over another link than its %s",
                up ? "upload" : "download");
        if (!moves && !scenario_jitters(s, "network.jitter"))
            must(report, part,
                rate == field(&run->clients, part->client, up ? "up_bytes_per_s" : "down_bytes_per_s"),
                "connects over another link than its own");
    }
}

static void check_setup(
    struct report *report, const struct run *run, const struct part *part, const struct phase *setup) {
    const double *bytes = connection_of(run, part, setup)->bytes;
    same_amount(report, "bytes of a set-up", setup->setup_bytes[0] + setup->setup_bytes[1], setup->bytes);
    for (int up = 0; up < 2; up++)
        must(report, part,
            setup == last_phase(part) ? setup->setup_bytes[up] <= bytes[up]
                                      : setup->setup_bytes[up] == bytes[up],
            "connects with %g bytes %s", setup->setup_bytes[up], up ? "up" : "down");
    check_latency(report, run, part, setup);
    check_own_links(report, run, part, setup);
}

/* The message is on a connection that was opened after a break. */
static bool broke_before(const struct part *part, const struct phase *sent) {
    for (const struct phase *phase = part->phases; phase < sent; phase++)
        if (phase->broke)
            return true;
    return false;
}

/* A first window is the initial one, unless an idle connection has kept a larger one. Recorded windows are
 * at least the bytes that crossed, and none is longer than the wait until the next one. */
static void check_windows(
    struct report *report, const struct run *run, const struct part *part, const struct phase *sent) {
    double bytes = 0;
    for (size_t i = 0; i < sent->n_windows; i++) {
        const struct told_window *window = sent->windows + i;
        bytes += window->bytes;
        if (i + 1 < sent->n_windows)
            must(report, part, window->wait_s >= window->bytes / sent->slow_start_rate * (1 - 1e-12),
                "a window waits for less than it takes");
    }
    must(report, part, sent->n_windows == 0 || bytes >= sent->bytes, "windows of %g bytes for %g", bytes,
        sent->bytes);
    must(report, part,
        sent->first_window == 14480 ||
            (sent->first_window > 14480 && fmod(sent->first_window, 1448) == 0 &&
                run->scenario.connection->up_latencies == 0 && !broke_before(part, sent)),
        "begins with a window of %g bytes", sent->first_window);
}

/* By the link on which it begins. */
static void check_slow_start_in_state(
    struct report *report, const struct run *run, const struct part *part, const struct phase *sent) {
    double by = rate_factor(run, part->client, sent->t0_s),
           own = rate_in_state(run, part->client, sent->kind == UP, sent->t0_s),
           latency_s = latency_in_state_s(run, part->client, sent->t0_s);
    bool gone = state_at(run, part->client, sent->t0_s).link == OFF; /* by then */
    if (!sent->in_slow_start || gone || sent->t0_s + sent->latency_s > sent->t1_s)
        return;
    if (!scenario_jitters(&run->scenario, "network.latency_jitter") && !isnan(latency_s))
        same_time(report, part, "round trip", 2 * latency_s, sent->round_trip_s);
    if (!scenario_jitters(&run->scenario, "network.jitter") && !isinf(own) && !isnan(own))
        must(report, part, fabs(sent->slow_start_rate - fmax(1, own)) <= .5 + .5 * by + 1e-9 * own,
            "a slow start by a link of %.15g, its own being %.15g", sent->slow_start_rate, own);
}

static void check_slow_start(
    struct report *report, const struct run *run, const struct part *part, const struct phase *sent) {
    bool up = sent->kind == UP;
    const struct phase *other = message(part, !up);
    if (sent->bytes > 0)
        must(report, part, sent->in_slow_start, "%s has no slow start", phase_names[sent->kind]);
    if (sent->in_slow_start)
        check_windows(report, run, part, sent);
    if (has_states(run)) {
        if (knows_states(run))
            check_slow_start_in_state(report, run, part, sent);
        return;
    }
    if (sent->in_slow_start && other)
        same_time(report, part, "round trip", sent->latency_s + other->latency_s, sent->round_trip_s);
    if (sent->in_slow_start && !scenario_jitters(&run->scenario, "network.jitter"))
        must(report, part,
            sent->slow_start_rate ==
                field(&run->clients, part->client, up ? "up_bytes_per_s" : "down_bytes_per_s"),
            "the slow start of its %s goes by another link than its own", phase_names[sent->kind]);
}

/* Whether a client may have been away between two times. */
static bool may_leave(const struct run *run, size_t client, double from_s, double to_s) {
    bool always = strcmp(scenario_text(&run->scenario, "availability.model"), "always") == 0;
    if (has_states(run) && !knows_states(run))
        return true;
    return !is_plain(&run->scenario) || (has_states(run) ? leaves(run, client, from_s, to_s) : !always);
}

/* A download after the aggregation comes on the connection of the upload, unless the client has been away, or
 * on another link. */
static void check_connection_of_delivery(
    struct report *report, const struct run *run, const struct part *delivery) {
    double from_s = part_end_s(delivery->of), to_s = part_start_s(delivery);
    bool connects = delivery->phases[0].kind == SETUP,
         changes =
             knows_states(run) && breaks_with_link(run) && changes_link(run, delivery->client, from_s, to_s);
    if (connects)
        must(report, delivery,
            run->scenario.connection->up_latencies > 0 &&
                (changes || may_leave(run, delivery->client, from_s, to_s)),
            "opens a connection for a download after the aggregation");
}

static void check_part(struct report *report, const struct run *run, const struct part *part) {
    bool connects = false;
    for (const struct phase *phase = part->phases; phase <= last_phase(part); phase++) {
        connects |= phase->kind == SETUP && !is_anew(part, phase);
        if (phase->kind == SETUP)
            check_setup(report, run, part, phase);
        if (phase->kind == DOWN || phase->kind == UP)
            check_slow_start(report, run, part, phase);
    }
    if (part->of)
        check_connection_of_delivery(report, run, part);
    else
        must(report, part,
            !(connects || message(part, false) || message(part, true)) ||
                connects == (run->scenario.connection->up_latencies > 0),
            connects ? "opens a connection that it has" : "opens no connection");
}

void check_connections(struct report *report, const struct run *run) {
    for (size_t i = 0; i < n_all_parts(run); i++)
        check_part(report, run, any_part(run, i));
}
