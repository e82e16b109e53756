#include "sim/setup/compose/compose_opening.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"

#include <math.h>

/* A sum of shares may be a rounding below a whole number. */
#define SLACK 1e-9

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

/* ---- pacing ---------------------------------------------------------------------------------- */

static bool is_given(const struct frs_values *values, const char *key) {
    return frs_values_find(values, key)->given;
}

static void check_clients_clocks(struct frs_setup *setup, const struct frs_values *rounds) {
    if (setup->pacing.window_clock == FRS_WINDOW_CLIENT &&
        !frs_reachability_has_clocks(&setup->reachability)) {
        frs_values_idle(rounds, "window_clock",
            "\"client\" has no effect here: all clients' clocks are the server's; allowed: server, or "
            "availability.model = \"diurnal\" with time_zones");
        setup->pacing.window_clock = FRS_WINDOW_SERVER;
    }
}

static void compose_window(
    struct frs_setup *setup, const struct frs_values *rounds, struct frs_errors *errors) {
    const char *text = frs_values_text(rounds, "window");
    if (!*text)
        return;
    if (!frs_day_window_read(text, &setup->pacing.window)) {
        setup->pacing.window = (struct frs_day_window){0};
        frs_values_error(rounds, "window", errors,
            "\"%s\" is no part of a day; allowed: two different times such as \"22:00-06:00\"", text);
        return;
    }
    setup->pacing.window_clock = (enum frs_window_clock)frs_values_choice(rounds, "window_clock");
    check_clients_clocks(setup, rounds);
    if (setup->policy->asynchronous && setup->pacing.window_clock == FRS_WINDOW_SERVER)
        frs_values_error(rounds, "window", errors,
            "under \"%s\" no rounds are opened in it, because clients are selected one by one; allowed: "
            "rounds.window_clock = \"client\", or another policy",
            setup->policy->plugin.name);
}

/* Availability that follows the day says when that begins. */
static void compose_start(
    struct frs_setup *setup, const struct frs_values *rounds, struct frs_errors *errors) {
    const struct frs_values *availability = section(setup, "availability");
    const struct frs_value *start = frs_values_find(availability, "start");
    bool needed = setup->pacing.per_day > 0 ||
                  (setup->pacing.window.given && setup->pacing.window_clock == FRS_WINDOW_SERVER);
    if (!needed)
        return;
    if (!start) {
        setup->pacing.start_s = frs_values_real(rounds, "start");
        return;
    }
    if (is_given(rounds, "start") && !start->by_class && frs_values_real(rounds, "start") != start->real)
        frs_values_error(rounds, "start", errors,
            "the run starts at availability.start already; allowed: the same time, or no rounds.start");
    if (start->by_class)
        frs_values_error(rounds, setup->pacing.window.given ? "window" : "per_day", errors,
            "the server's day needs one availability.start, which differs between classes here; allowed: one "
            "for all");
    else
        setup->pacing.start_s = start->real;
}

static void compose_pacing(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *rounds = section(setup, "rounds");
    struct frs_pacing *pacing = &setup->pacing;
    *pacing = (struct frs_pacing){.every_s = frs_values_real(rounds, "every"),
        .cool_down_s = frs_values_real(rounds, "cool_down"),
        .per_day = (uint32_t)frs_values_int(rounds, "per_day")};
    compose_window(setup, rounds, errors);
    compose_start(setup, rounds, errors);
    if (pacing->every_s > 0 && setup->policy->asynchronous)
        frs_values_error(rounds, "every", errors,
            "under \"%s\" clients are selected one by one, and no round waits for a multiple of it; allowed: "
            "0 s, or another policy",
            setup->policy->plugin.name);
    else if (isinf(frs_pacing_opens_s(pacing, 0)))
        frs_values_error(rounds, "every", errors,
            "no multiple of it lies in rounds.window within a year; allowed: a time of which one does");
}

/* ---- check-in -------------------------------------------------------------------------------- */

static void default_at_least(struct frs_setup *setup) {
    struct frs_check_in *check_in = &setup->check_in;
    double most = frs_reachability_most_online(&setup->reachability);
    if (!setup->sees_availability || setup->selection->varies || !(most > 0))
        return;
    check_in->dwindles = frs_reachability_dwindles(&setup->reachability);
    if (check_in->dwindles)
        return;
    double half = fmax(floor(most / 2 + SLACK), 1);
    check_in->by_default = true;
    check_in->most_online = (uint32_t)(most + SLACK);
    check_in->at_least = half < setup->cohort ? (uint32_t)half : setup->cohort;
}

static uint32_t count_of(const struct frs_setup *setup, struct frs_share share) {
    double count = share.is_count ? (double)share.count : floor(share.fraction * setup->cohort + 0.5);
    return (uint32_t)fmin(fmax(count, 1), UINT32_MAX);
}

/* A selection that leaves some out tells how many it would take, of at most those that are asked. */
static uint32_t most_eligible(const struct frs_setup *setup) {
    return setup->selection->leaves_out ? setup->policy_settings.n_selected
                                        : setup->training.data->population.n_clients;
}

static void read_at_least(
    struct frs_setup *setup, const struct frs_values *selection, struct frs_errors *errors) {
    struct frs_share share = frs_values_share(selection, "at_least");
    uint32_t most = most_eligible(setup);
    if (share.is_count && share.count == 0) {
        default_at_least(setup);
        return;
    }
    setup->check_in.at_least = count_of(setup, share);
    if (setup->selection->varies && setup->check_in.at_least > 1)
        frs_values_error(selection, "at_least", errors,
            "selection \"%s\" leaves to chance how many clients there are; allowed: 1, or auto",
            setup->selection->plugin.name);
    if (setup->check_in.at_least > most)
        frs_values_error(selection, "at_least", errors, "%u clients are more than %s; allowed: at most %u",
            setup->check_in.at_least,
            setup->selection->leaves_out ? "are asked by a selection with a rule of its own" : "the data has",
            most);
}

static void read_waiting(
    struct frs_setup *setup, const struct frs_values *selection, struct frs_errors *errors) {
    struct frs_check_in *check_in = &setup->check_in;
    check_in->wait_s = frs_values_real(selection, "wait");
    check_in->minimum = check_in->at_least;
    if (check_in->at_least == 1) {
        if (is_given(selection, "wait"))
            frs_values_idle(selection, "wait",
                "has no effect here: a round opens as soon as one client is eligible; allowed: with a larger "
                "rounds.selection.at_least");
        check_in->wait_s = INFINITY;
    }
    if (isinf(check_in->wait_s)) {
        if (is_given(selection, "minimum"))
            frs_values_idle(selection, "minimum",
                "has no effect here: no round opens before rounds.selection.at_least clients are eligible; "
                "allowed: with a rounds.selection.wait");
        return;
    }
    check_in->minimum = (uint32_t)frs_values_int(selection, "minimum");
    if (check_in->minimum > check_in->at_least)
        frs_values_error(selection, "minimum", errors,
            "%u is more than the %u that a round waits for; allowed: at most rounds.selection.at_least",
            check_in->minimum, check_in->at_least);
}

/* Without having been asked for it: hours are those of the day that the scenario has. */
static double clock_s(const struct frs_setup *setup) {
    const struct frs_value *start = frs_values_find(section(setup, "availability"), "start");
    return start && !start->by_class ? start->real : setup->pacing.start_s;
}

void frs_compose_opening(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *selection = section(setup, "rounds.selection");
    setup->check_in = (struct frs_check_in){.at_least = 1, .minimum = 1, .wait_s = INFINITY};
    if (!setup->has_reachability)
        return;
    compose_pacing(setup, errors);
    setup->clock_s = clock_s(setup);
    read_at_least(setup, selection, errors);
    read_waiting(setup, selection, errors);
}
