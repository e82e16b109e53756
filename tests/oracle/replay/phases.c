/* Phases that take place on one client, and what an outcome says about the phase it came in. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The time of a client's device for this many operations, without the overhead of a participation; NaN
 * where the files do not show it. */
static double computing_s(const struct run *run, size_t client, double flop) {
    const struct scenario *s = &run->scenario;
    if (strcmp(s->compute, "fixed") == 0 || strcmp(s->compute, "none") == 0)
        return 0;
    if (strcmp(s->compute, "flops") != 0)
        return NAN;
    double speed = field(&run->clients, client, "flop_per_s");
    return isinf(speed) ? 0 : flop / speed; /* the slowdown is in it */
}

/* A device class or a preset may have its own overhead, which the files do not tell. */
static double overhead_s(const struct scenario *s) {
    if (strcmp(s->compute, "none") == 0)
        return 0;
    return *scenario_text(s, "devices.classes") ? NAN : s->overhead_s;
}

/* A phase that broke off had run the same share of its operations as of its time, so the operations of the
 * whole phase follow. They are a whole number, or a multiple of a third where a codec computes
 * eigenvectors. */
static void check_share(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    double lasted_s = work_s(run, part->client, phase->t0_s, phase->t1_s),
           overhead = overhead_s(&run->scenario), speed = field(&run->clients, part->client, "flop_per_s");
    if (strcmp(run->scenario.compute, "flops") != 0 || isinf(speed) || isnan(overhead))
        return;
    double rate = phase->flop / lasted_s, part_of_speed = rate / speed;
    if (overhead == 0 || phase->flop == 0) {
        double expected = overhead == 0 ? speed * lasted_s : 0,
               slack = 1e-9 * fmax(1, expected) + speed * 1e-14 * phase->t1_s; /* both ends have 15 digits */
        report->amounts++;
        must(report, part, fabs(phase->flop - expected) <= slack,
            "computing broke off after %.15g operations and not %.15g", phase->flop, expected);
        return;
    }
    double thirds = 3 * overhead * rate / (1 - part_of_speed), known = 1e-9 + 1e-13 * phase->t1_s / lasted_s;
    report->amounts++;
    must(report, part,
        part_of_speed < 1 && fabs(thirds - round(thirds)) <= thirds * known / (1 - part_of_speed),
        "computing broke off after %.15g operations in %.15g s: of %.15g?", phase->flop, lasted_s,
        thirds / 3);
}

/* When its device was in use is not told: it has been all the time, at most. */
static void check_speed_in_use(struct report *report, const struct run *run, const struct part *part,
    const struct phase *phase, double needed_s) {
    double lasted_s = phase->t1_s - phase->t0_s, slack_s = 1e-9 * (1 + phase->t1_s);
    if (phase == last_phase(part)) /* which has a share of its operations */
        return;
    must(report, part, lasted_s <= needed_s / speed_in_use(run) + slack_s && lasted_s >= needed_s - slack_s,
        "computes for %.15g s what takes %.15g s", lasted_s, needed_s);
}

static void check_compute(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    double needed_s = overhead_s(&run->scenario) + computing_s(run, part->client, phase->flop);
    if (isnan(needed_s))
        return;
    if (has_states(run) && !knows_states(run) && speed_in_use(run) != 1)
        check_speed_in_use(report, run, part, phase, needed_s);
    else if (phase != last_phase(part))
        same_time(
            report, part, "end of computing", done_s(run, part->client, phase->t0_s, needed_s), phase->t1_s);
    else
        check_share(report, run, part, phase);
}

static void check_post(struct report *report, const struct run *run, const struct part *part) {
    const struct phase *compute = part_phase(part, COMPUTE);
    must(report, part, compute != NULL && compute != last_phase(part),
        "work after an upload that never began");
    if (!compute)
        return;
    same_time(report, part, "start of post", compute->t1_s, part->post.t0_s);
    double needed_s = computing_s(run, part->client, part->post.flop);
    if (isnan(needed_s))
        return;
    if (has_states(run) && !knows_states(run) && speed_in_use(run) != 1)
        return;
    double done = done_s(run, part->client, part->post.t0_s, needed_s);
    if (part->post_outcome == ENDED)
        same_time(report, part, "end of post", done, part->post.t1_s);
    else if (needed_s > 0)
        same_time(report, part, "post that broke off", done, part->post.t1_s);
}

/* Until when the device works for participations before this one. */
static double busy_until_s(const struct run *run, const struct part *part) {
    double until_s = 0;
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *other = run->parts + i;
        if (other->client == part->client && other->works_on && other != part &&
            part_start_s(other) < part_start_s(part))
            until_s = fmax(until_s, other->post.t1_s);
    }
    return until_s;
}

static void check_queue(struct report *report, const struct run *run, const struct part *part) {
    const struct phase *down = part_phase(part, DOWN), *queue = part_phase(part, QUEUE),
                       *compute = part_phase(part, COMPUTE);
    double busy_s = busy_until_s(run, part);
    if (queue && compute)
        same_time(report, part, "end of waiting for the device", busy_s, queue->t1_s);
    if (queue)
        must(report, part, (down || run->scenario.delivers) && busy_s > queue->t0_s,
            "waits for a device that is free");
    else if (compute)
        must(report, part, compute->t0_s >= busy_s || close_times(compute->t0_s, busy_s),
            "computes on a busy device");
}

/* After a break comes the wait, which lasts as long as the scenario says, and then the next try, at once. */
static void check_retry(struct report *report, const struct run *run, const struct part *part, size_t i) {
    const struct scenario *s = &run->scenario;
    const struct phase *phase = part->phases + i;
    double wait_s = s->retry_after_s;
    size_t n = 0;
    must(report, part, i > 0 && phase[-1].broke, "tries again what did not break");
    for (size_t j = 0; j < i; j++)
        n += part->phases[j].broke && !is_gone(part, part->phases + j) &&
             part->phases[j].kind == message_of(part, phase);
    must(report, part, n <= s->retries, "tries %zu times again, %zu are allowed", n, s->retries);
    for (size_t j = 1; j < n; j++)
        wait_s *= s->retry_backoff;
    if (s->retry_longest_s > 0 && wait_s > s->retry_longest_s)
        wait_s = s->retry_longest_s;
    if (phase != last_phase(part))
        same_time(report, part, "end of waiting to try again", phase->t0_s + wait_s, phase->t1_s);
    else
        must(report, part,
            phase->t1_s <= phase->t0_s + wait_s || close_times(phase->t1_s, phase->t0_s + wait_s),
            "waits longer than to try again");
}

/* A message is complete with its last try: the sum of all tries if it is resumed, otherwise the last one
 * alone. */
static void check_tries(
    struct report *report, const struct run *run, const struct part *part, enum phase_kind kind) {
    const struct phase *last = part_phase(part, kind);
    size_t n = 0;
    for (size_t i = 0; i < part->n_phases; i++) {
        const struct phase *phase = part->phases + i;
        if (phase->kind != kind || !phase->broke || (has_states(run) && is_gone(part, phase)))
            continue;
        n++;
        must(report, part, i + 1 < part->n_phases && phase[1].kind == RETRY, "a break without a wait");
        if (!last->broke && (last != last_phase(part) || arrived(part)) && !run->scenario.resumes)
            must(report, part, phase->bytes < last->bytes, "%.15g bytes of %.15g broke off", phase->bytes,
                last->bytes);
    }
    if (last && last == last_phase(part) && dropped(part) && part->cause == CONNECTION)
        must(report, part, n == run->scenario.retries, "lost after %zu tries, %zu are allowed", n + 1,
            run->scenario.retries + 1);
}

static enum outcome outcome_in(enum phase_kind kind) {
    return kind == SETUP || kind == DOWN ? DROPPED_DOWN : kind == UP ? DROPPED_UP : DROPPED_COMPUTE;
}

static void check_outcome(struct report *report, const struct part *part) {
    enum phase_kind last = message_of(part, last_phase(part));
    if (last == SETUP && part_phase(part, COMPUTE)) /* a connection for the upload */
        last = UP;
    if (arrived(part))
        must(report, part, last_phase(part)->kind == UP, "arrived without an upload");
    if (dropped(part)) {
        must(report, part, part->outcome == outcome_in(last), "%s in phase %s", outcome_names[part->outcome],
            phase_names[last]);
        must(report, part, part->cause >= OFFLINE && part->cause <= CONNECTION, "dropped for %s",
            cause_names[part->cause]);
        must(report, part, part->cause != CONNECTION || last_phase(part)->capacity.n > 0,
            "a connection lost while there was none");
    }
    if (part->outcome == UNAVAILABLE || part->outcome == REFUSED)
        must(
            report, part, last == CONTACT, "%s in phase %s", outcome_names[part->outcome], phase_names[last]);
    if (part->outcome == CUT)
        must(report, part, part->cause >= SERVER_RESTART, "cut for %s", cause_names[part->cause]);
}

static void check_contact(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    /* Where the server sees who is online, it calls none of the others, and sends them no download. */
    bool sees = *scenario_text(&run->scenario, "rounds.selection.sees_availability") != 'f';
    if (part->outcome == UNAVAILABLE)
        same_time(report, part, "end of contact",
            phase->t0_s + (part->of && sees ? 0 : run->scenario.contact_timeout_s), phase->t1_s);
    if (part->outcome == REFUSED)
        same_time(report, part, "end of refusal", phase->t0_s, phase->t1_s);
}

/* Without jitter and trace a client has its own links in every transfer. */
static void check_own_link(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    const struct scenario *s = &run->scenario;
    if (scenario_jitters(s, "network.jitter") || scenario_jitters(s, "network.latency_jitter") ||
        *scenario_text(s, "network.trace") || has_states(run))
        return;
    double own =
        field(&run->clients, part->client, phase->kind == DOWN ? "down_bytes_per_s" : "up_bytes_per_s");
    must(report, part, phase->capacity.n == 1 && phase->capacity.steps[0].rate == own,
        "%s over another link than its own", phase_names[phase->kind]);
    must(report, part, phase->latency_s == field(&run->clients, part->client, "latency_s"),
        "%s with another latency than its own", phase_names[phase->kind]);
}

/* Whether the phase may come after the one before it. */
static bool follows(const struct run *run, const struct part *part, const struct phase *phase) {
    enum phase_kind tried = message_of(part, phase - 1);
    if (phase[-1].kind == RETRY)
        return phase->kind == (run->scenario.tcp ? SETUP : tried);
    if (phase[-1].kind == SETUP && tried != SETUP)
        return phase->kind == tried || (has_states(run) && phase->kind == SETUP);
    if (has_states(run) && phase->kind == SETUP && is_anew(part, phase))
        return phase[-1].kind == COMPUTE || phase[-1].kind == SETUP || is_gone(part, phase - 1);
    if (phase[-1].kind == SETUP && is_anew(part, phase - 1))
        return phase->kind == DOWN || phase->kind == UP;
    return phase->kind > phase[-1].kind;
}

static void check_part(struct report *report, const struct run *run, const struct part *part) {
    for (size_t i = 0; i < part->n_phases; i++) {
        const struct phase *phase = part->phases + i;
        report->phases++;
        must(report, part, phase->t1_s >= phase->t0_s, "phase %s ends before it begins",
            phase_names[phase->kind]);
        if (i > 0) {
            must(report, part, follows(run, part, phase), "phases out of order");
            same_time(report, part, phase_names[phase->kind], phase[-1].t1_s, phase->t0_s);
        }
        if (phase->kind == RETRY)
            check_retry(report, run, part, i);
        if (phase->kind == CONTACT)
            check_contact(report, run, part, phase);
        if (phase->kind == DOWN || phase->kind == UP)
            check_own_link(report, run, part, phase);
        if (phase->kind == COMPUTE)
            check_compute(report, run, part, phase);
    }
    check_tries(report, run, part, DOWN);
    check_tries(report, run, part, UP);
    check_queue(report, run, part);
    check_outcome(report, part);
    if (part->works_on) {
        report->phases++;
        check_post(report, run, part);
    }
}

static void check_delivery(struct report *report, const struct run *run, const struct part *delivery) {
    const struct phase *last = last_phase(delivery);
    for (size_t i = 0; i < delivery->n_phases; i++) {
        const struct phase *phase = delivery->phases + i;
        report->phases++;
        must(report, delivery, phase->t1_s >= phase->t0_s, "phase %s ends before it begins",
            phase_names[phase->kind]);
        if (i > 0) {
            must(report, delivery, phase[-1].kind != CONTACT && follows(run, delivery, phase),
                "phases out of order after the aggregation");
            same_time(report, delivery, phase_names[phase->kind], phase[-1].t1_s, phase->t0_s);
        }
        if (phase->kind == RETRY)
            check_retry(report, run, delivery, i);
        if (phase->kind == CONTACT)
            check_contact(report, run, delivery, phase);
        if (phase->kind == DOWN)
            check_own_link(report, run, delivery, phase);
    }
    check_tries(report, run, delivery, DOWN);
    must(report, delivery, !arrived(delivery) || last->kind == DOWN, "received without a download");
    must(report, delivery,
        (!dropped(delivery) && delivery->outcome != UNAVAILABLE) ||
            (delivery->cause >= OFFLINE && delivery->cause <= CONNECTION),
        "a download lost for %s", cause_names[delivery->cause]);
    /* One clock counts for a device that works on. */
    const struct part *part = delivery->of;
    bool broke = part->works_on && part->post_outcome == DROPPED_POST &&
                 part->post.t1_s <= part_end_s(delivery) + 1e-9 * fmax(1, part_end_s(delivery));
    must(report, delivery, !broke || !arrived(delivery) || part->post_cause != DEVICE,
        "received by a device that had failed");
    must(report, delivery,
        !dropped(delivery) || delivery->cause == CONNECTION || !part->works_on ||
            part->post.t1_s <= part_end_s(delivery) + 1e-9 * fmax(1, part_end_s(delivery)),
        "works on after it has failed");
}

void check_phases(struct report *report, const struct run *run) {
    for (size_t i = 0; i < run->n_parts; i++)
        check_part(report, run, run->parts + i);
    for (size_t i = 0; i < run->n_deliveries; i++)
        check_delivery(report, run, run->deliveries + i);
    report->parts += run->n_parts;
}
