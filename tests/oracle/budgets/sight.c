/* What the server has seen of a participation by the time at which it learned of its end, and never more. */
#include "budgets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double known_s(const struct run *run, const struct part *part, double closed_s) {
    double end_s = part_end_s(part), noticed_s = end_s + run->scenario.detect_s;
    if (!dropped(part) || closed_s >= noticed_s || close_times(closed_s, noticed_s))
        return dropped(part) ? noticed_s : end_s;
    return fmax(closed_s, end_s);
}

void first_slow_start(const struct settings *settings, enum slow_start_kind *down, enum slow_start_kind *up) {
    *down = *up = NO_SLOW_START;
    if (!settings->has_slow_start)
        return;
    bool tls = strcmp(settings->connection, "tls") == 0, tcp = strcmp(settings->connection, "tcp") == 0;
    *down = tls ? PAIRED : QUICK;
    *up = tls || tcp ? PAIRED : QUICK;
}

/* A connection that is kept is opened anew as with TLS. */
static void last_slow_start(const struct settings *settings, const struct part *part, struct seen *seen) {
    enum slow_start_kind anew = strcmp(settings->connection, "tcp") == 0 ? QUICK : PAIRED;
    first_slow_start(settings, &seen->down, &seen->up);
    for (size_t i = 0; settings->has_slow_start && i < part->n_phases; i++)
        if (part->phases[i].kind == RETRY) {
            bool up = message_of(part, part->phases + i) == UP;
            *(up ? &seen->up : &seen->down) = anew;
            seen->up = up ? anew : PAIRED;
        }
}

static double lasted_s(const struct part *part, size_t i, double end_s) {
    const struct phase *phase = part->phases + i;
    double to_s = i + 1 == part->n_phases ? end_s : phase->t1_s;
    return fmax(to_s - phase->t0_s, 0);
}

/* The latency is paid before the first byte, unless every packet has it. */
static double message_s(const struct settings *settings, const struct part *part, size_t i, double end_s) {
    double all_s = lasted_s(part, i, end_s);
    return settings->by_packets ? all_s : fmax(all_s - part->phases[i].latency_s, 0);
}

/* The index of the phase that follows the download; n_phases: it did not end. */
static size_t after_download(const struct part *part) {
    for (size_t i = 0; i < part->n_phases; i++)
        if (part->phases[i].kind == QUEUE || part->phases[i].kind == COMPUTE)
            return i;
    return part->n_phases;
}

/* Connecting, and waiting to connect anew. */
static bool is_overhead(const struct phase *phase) {
    return phase->kind == SETUP || phase->kind == RETRY;
}

/* All bytes that crossed of a message, those that had to be sent again included. */
static double crossed(const struct part *part, enum phase_kind kind) {
    double bytes = 0;
    for (size_t i = 0; i < part->n_phases; i++)
        bytes += part->phases[i].kind == kind ? part->phases[i].bytes : 0;
    return bytes;
}

/* The share of these bytes that was not wasted. */
static double useful(const struct run *run, const struct part *part, enum phase_kind kind) {
    double all = crossed(part, kind), again = part_resent(run, part, kind);
    return again > 0 ? (all - again) / all : 1;
}

/* Some of the phases, the last of which may go on until end_s. */
struct stretch {
    const struct part *part;
    size_t from, to;
    double end_s;
};

/* A message in one direction: the time of its bytes, without inner_s of latency and without the share that
 * was in vain; the rest is added to *latency_s. */
static double see_message(const struct settings *settings, const struct stretch *of, enum phase_kind kind,
    double share, double inner_s, double *latency_s) {
    double bytes_s = 0;
    for (size_t i = of->from; i < of->to; i++) {
        if (is_overhead(of->part->phases + i))
            *latency_s += lasted_s(of->part, i, of->end_s);
        if (of->part->phases[i].kind != kind)
            continue;
        double message = message_s(settings, of->part, i, of->end_s);
        *latency_s += lasted_s(of->part, i, of->end_s) - message;
        bytes_s += message;
    }
    bytes_s = fmax(bytes_s - inner_s, 0);
    *latency_s += inner_s + bytes_s * (1 - share);
    return bytes_s * share;
}

/* The latency of uploads: it is on the line, or it is the round trip minus the download's latency, or the
 * client always has the same. */
static double up_latency_s(const struct settings *settings, const struct run *run, const struct part *part) {
    const struct phase *down = part_phase(part, DOWN), *up = part_phase(part, UP);
    if (up)
        return up->latency_s;
    if (down && settings->has_slow_start)
        return down->round_trip_s - down->latency_s;
    if (scenario_jitters(&run->scenario, "network.latency_jitter") && after_download(part) < part->n_phases) {
        fprintf(stderr, "budgets: the latency of an upload that did not begin varies, and exact's lines do "
                        "not tell it\n");
        exit(2);
    }
    return field(&run->clients, part->client, "latency_s");
}

static void see_download(
    const struct settings *settings, const struct run *run, const struct stretch *of, struct seen *seen) {
    double latency_s = part_phase(of->part, DOWN)->latency_s;
    seen->down_bytes = crossed(of->part, DOWN) - part_resent(run, of->part, DOWN);
    seen->down_s = see_message(settings, of, DOWN, useful(run, of->part, DOWN),
        settings->by_packets ? latency_s : 0, &seen->latency_s);
}

/* What has come of an upload that goes on where it broke off, or of the try that is under way. */
static double kept_bytes(const struct run *run, const struct part *part) {
    const struct phase *last = last_phase(part);
    return run->scenario.resumes ? crossed(part, UP) : last->kind == UP ? last->bytes : 0;
}

/* For an upload that did not end, all bytes that arrived tell the rate. */
static void see_upload(
    const struct settings *settings, const struct run *run, const struct stretch *of, struct seen *seen) {
    bool whole = seen->sight == UPLOAD;
    double latency_s = part_phase(of->part, UP)->latency_s;
    for (size_t i = of->from; i < of->to; i++)
        if (of->part->phases[i].kind == QUEUE || of->part->phases[i].kind == COMPUTE)
            seen->compute_s += lasted_s(of->part, i, of->end_s);
    seen->up_bytes = crossed(of->part, UP) - (whole ? part_resent(run, of->part, UP) : 0);
    seen->kept_bytes = kept_bytes(run, of->part);
    seen->up_s = see_message(settings, of, UP, whole ? useful(run, of->part, UP) : 1,
        settings->by_packets ? latency_s : 0, &seen->latency_s);
}

bool see(const struct settings *settings, const struct run *run, const struct part *part, double known_at_s,
    struct seen *seen) {
    bool encoding = last_phase(part)->kind == ENCODE;
    if (encoding || part->cause == SERVER_RESTART || part->cause == END_OF_RUN)
        return false;
    size_t start = part->phases[0].kind == ENCODE, middle = after_download(part), end = part->n_phases;
    double up_s = up_latency_s(settings, run, part);
    bool observes =
        strcmp(settings->adaptation, "deadline") == 0 || strcmp(settings->adaptation, "proportional") == 0;
    *seen = (struct seen){.client = part->client,
        .lost = part->outcome == UNAVAILABLE || part->outcome == REFUSED ||
                (dropped(part) && known_at_s >= part_end_s(part) + run->scenario.detect_s),
        .loss = part->loss,
        .reducible = observes && part->budget > 1 ? part->budget : 0,
        .predicted_bytes = predicted_bytes(settings, part->budget),
        .work = work_of(settings, part->budget)};
    last_slow_start(settings, part, seen);
    bool receipt = middle < end && part->phases[middle].t0_s + up_s <= known_at_s;
    seen->sight = arrived(part) ? UPLOAD : crossed(part, UP) > 0 ? PART : receipt ? RECEIPT : NOTHING;
    double end_s = arrived(part) || seen->lost ? part_end_s(part) : known_at_s;
    seen->waited_s = seen->lost ? 0 : end_s - part->phases[start].t0_s;
    if (seen->sight == NOTHING)
        return true;
    seen->round_trip_s = part_phase(part, DOWN)->latency_s + up_s;
    see_download(settings, run, &(struct stretch){part, start, middle, end_s}, seen);
    if (seen->sight == RECEIPT)
        seen->latency_s += up_s;
    else
        see_upload(settings, run, &(struct stretch){part, middle, end, end_s}, seen);
    return true;
}
