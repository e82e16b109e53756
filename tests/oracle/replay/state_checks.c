/* Participations keep to the states of their clients' devices. */
#include "states_internal.h"

#include <math.h>

/* When its client was selected, whose state was looked up then. */
static double selected_s(const struct part *part) {
    return part->phases[0].t0_s;
}

/* The first time after its selection at which the client is not eligible, if that is before its end. */
static double leaves_s(const struct run *run, const struct part *part) {
    double end_s = part_end_s(part), at_s = selected_s(part);
    while (at_s <= end_s + slack_s(end_s) && is_eligible(run, part->client, at_s))
        at_s = next_line_s(run, part->client, at_s);
    return at_s <= end_s + slack_s(end_s) ? at_s : INFINITY;
}

/* The client is eligible when it is selected and as long as it takes part. The server encodes first, so it
 * learns that a client has left only when its messages leave. */
static void check_stay(struct report *report, const struct run *run, const struct part *part) {
    const struct phase *first = part->phases + (part->phases[0].kind == ENCODE && part->n_phases > 1);
    bool vain = part_phase(part, CONTACT), plain = run->states->plain;
    double end_s = part_end_s(part), gone_s = leaves_s(run, part);
    if (last_phase(part)->kind == ENCODE) /* whom the server would have asked in vain is not told */
        return;
    if (vain) {
        must(report, part,
            !plain || part->cause == DEVICE || !is_eligible(run, part->client, selected_s(part)),
            "in vain, though its device was eligible");
        return;
    }
    /* A round may open within a rounding before a change; state_at moves by one of them. */
    double at_s = selected_s(part), before_s = fmax(0, at_s - 2 * slack_s(at_s));
    must(report, part, is_eligible(run, part->client, at_s) || is_eligible(run, part->client, before_s),
        "selected while its device was not eligible");
    must(report, part, gone_s >= end_s - slack_s(end_s) || end_s <= first->t0_s + slack_s(end_s),
        "goes on until %.15g, and is not eligible from %.15g on", end_s, gone_s);
    if (!dropped(part) || part->cause > INELIGIBLE || (part->cause == OFFLINE && !plain))
        return;
    must(report, part, isfinite(gone_s), "dropped as %s, and eligible", cause_names[part->cause]);
    must(report, part,
        isinf(gone_s) || (state_at(run, part->client, gone_s).link != OFF) == (part->cause == INELIGIBLE),
        "dropped as %s, and the other at %.15g", cause_names[part->cause], gone_s);
}

static bool is_close(double a, double b) {
    return a == b || fabs(a - b) <= 1e-12 * fabs(b);
}

/* Under a preset no file tells what is the client's own: the same in all of its transfers. */
static void check_same(
    struct report *report, const struct part *part, const char *what, double *own, double value) {
    if (isnan(own[part->client]))
        own[part->client] = value;
    must(report, part, is_close(value, own[part->client]),
        "a %s of %.15g under a preset, and of %.15g before", what, value, own[part->client]);
}

static void check_latency(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    enum link_state link = state_at(run, part->client, phase->t0_s).link;
    double own_s = field(&run->clients, part->client, "latency_s") * run->states->latency[link];
    if (scenario_jitters(&run->scenario, "network.latency_jitter") ||
        link == OFF) /* or it has gone by then */
        return;
    if (*run->states->preset[link])
        check_same(report, part, "latency", run->states->own_latency_s[link], phase->latency_s);
    else
        must(report, part, is_close(own_s, phase->latency_s), "a latency of %.15g s, its own being %.15g",
            phase->latency_s, own_s);
}

/* Its link at every time is its own times the factor of its state. */
static void check_rates(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    const struct scenario *s = &run->scenario;
    const struct states *states = run->states;
    double own =
        field(&run->clients, part->client, phase->kind == DOWN ? "down_bytes_per_s" : "up_bytes_per_s");
    check_latency(report, run, part, phase);
    if (scenario_jitters(s, "network.jitter") || *scenario_text(s, "network.trace"))
        return;
    for (double at_s = phase->t0_s; at_s < phase->t1_s - slack_s(phase->t1_s);) {
        double end_s = fmin(next_line_s(run, part->client, at_s), phase->t1_s);
        for (size_t i = 0; i < phase->capacity.n; i++)
            if (phase->capacity.steps[i].from_s > at_s + slack_s(at_s))
                end_s = fmin(end_s, phase->capacity.steps[i].from_s);
        enum link_state link = state_at(run, part->client, at_s).link;
        double rate = capacity_at(&phase->capacity, at_s + (end_s - at_s) / 2), by = states->rate[link];
        at_s = end_s;
        if (*states->preset[link]) {
            check_same(report, part, "rate", states->own[link][phase->kind == UP], rate);
            continue;
        }
        must(report, part,
            isinf(own) ? isinf(rate) : fabs(rate - fmax(1, own * by)) <= .5 + .5 * by + 1e-9 * rate,
            "a rate of %.15g before %.15g, its own being %.15g times %g", rate, at_s, own, by);
    }
}

/* A client has the same place among all clients on both links of a pair: the two links of the section
 * network, or the two of a preset. */
static void check_places(struct report *report, const struct run *run) {
    static const char *const columns[] = {"down_bytes_per_s", "up_bytes_per_s"};
    const struct scenario *s = &run->scenario;
    if (*scenario_text(s, "network.classes") || *scenario_text(s, "network.fleet"))
        return;
    for (int link = METERED; link <= WIFI; link++)
        for (int up = 0; up < 2; up++)
            for (size_t i = 0; i < run->clients.n_rows; i++)
                for (size_t k = 0; k < run->clients.n_rows; k++) {
                    const double *own = run->states->own[link][up];
                    must(report, NULL,
                        !(own[i] < own[k]) ||
                            field(&run->clients, i, columns[up]) <= field(&run->clients, k, columns[up]),
                        "client %zu has a slower link than client %zu under a preset alone", i, k);
                }
}

/* Where a connection breaks with its link, no message is under way across a change, and each message has a
 * connection that was opened on its link. */
static void check_breaks(
    struct report *report, const struct run *run, const struct part *part, const struct phase *phase) {
    double first_s = phase->t0_s + phase->latency_s;
    if (!run->states->breaks || first_s >= phase->t1_s || is_gone(part, phase))
        return;
    must(report, part, !changes_link(run, part->client, first_s, phase->t1_s), "a message outlasts its link");
    for (const struct phase *before = phase; run->scenario.tcp && before-- > part->phases;)
        if (before->kind == SETUP) {
            must(report, part, !changes_link(run, part->client, before->t0_s, first_s + 2 * slack_s(first_s)),
                "a message goes over a connection that went with its link");
            return;
        }
    if (part->of && run->scenario.tcp)
        must(report, part,
            !changes_link(run, part->client, part_end_s(part->of), first_s + 2 * slack_s(first_s)),
            "a download goes over the connection of an upload that went with its link");
}

void check_states(struct report *report, const struct run *run) {
    if (!knows_states(run))
        return;
    for (size_t i = 0; i < n_all_parts(run); i++) {
        const struct part *part = any_part(run, i);
        if (part->outcome == REFUSED)
            continue;
        check_stay(report, run, part);
        for (size_t j = 0; j < part->n_phases; j++) {
            const struct phase *phase = part->phases + j;
            if (phase->kind != DOWN && phase->kind != UP)
                continue;
            check_rates(report, run, part, phase);
            check_breaks(report, run, part, phase);
        }
    }
    check_places(report, run);
}
