#include "sim/setup/notes/opening_note.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>

/* Being online is not enough for a client to be selected. */
static bool by_states(const struct frs_setup *setup) {
    return !frs_eligible_is_any(&setup->reachability.eligible);
}

/* How a default came about. */
static char *by_default(const struct frs_setup *setup) {
    const struct frs_check_in *check_in = &setup->check_in;
    if (check_in->dwindles)
        return frs_strdup(": clients leave for good, so that more may never come (the default of "
                          "rounds.selection.at_least)");
    if (!check_in->by_default)
        return frs_strdup("");
    bool below = check_in->at_least < setup->cohort;
    return frs_format(": %s %u that are %s at once in an average day (the default of "
                      "rounds.selection.at_least)",
        below ? "below the cohort, half of the" : "the cohort, which is at most half of the",
        check_in->most_online, by_states(setup) ? "eligible" : "online");
}

char *frs_check_in_note(const struct frs_setup *setup) {
    const struct frs_check_in *check_in = &setup->check_in;
    char text[64];
    if (check_in->at_least == 1 && !check_in->by_default && !check_in->dwindles)
        return NULL;
    char *why = by_default(setup);
    char *wait =
        isinf(check_in->wait_s)
            ? frs_strdup("")
            : frs_format("; after %s with %u",
                  frs_units_format(check_in->wait_s, FRS_TIME, text, sizeof text), check_in->minimum);
    char *note = frs_format("when %u client%s eligible, of %u wanted%s%s", check_in->at_least,
        check_in->at_least == 1 ? " is" : "s are", frs_setup_selected(setup), why, wait);
    free(why);
    free(wait);
    return note;
}

static char *grown(char *text, char *more) {
    char *longer = frs_format("%s%s%s", text, *text ? ", " : "", more);
    free(text);
    free(more);
    return longer;
}

static char *window_text(const struct frs_pacing *pacing) {
    const struct frs_day_window *window = &pacing->window;
    unsigned from = (unsigned)(window->from_s / 60 + 0.5), to = (unsigned)(window->to_s / 60 + 0.5);
    return frs_format("from %u:%02u to %u:%02u by %s", from / 60, from % 60, to / 60, to % 60,
        pacing->window_clock == FRS_WINDOW_CLIENT ? "each client's clock" : "the server's clock");
}

char *frs_pacing_note(const struct frs_setup *setup) {
    const struct frs_pacing *pacing = &setup->pacing;
    char *text = frs_strdup(""), number[64];
    if (pacing->every_s > 0)
        text = grown(text, frs_format("rounds open every %s",
                               frs_units_format(pacing->every_s, FRS_TIME, number, sizeof number)));
    if (pacing->window.given)
        text = grown(text, window_text(pacing));
    if (pacing->cool_down_s > 0)
        text = grown(text, frs_format("a client rests for %s",
                               frs_units_format(pacing->cool_down_s, FRS_TIME, number, sizeof number)));
    if (pacing->per_day > 0)
        text = grown(text, frs_format("a client takes part at most %u time%s a day", pacing->per_day,
                               pacing->per_day == 1 ? "" : "s"));
    if (*text)
        return text;
    free(text);
    return NULL;
}

char *frs_offline_note(const struct frs_setup *setup) {
    const struct frs_reachability *reachability = &setup->reachability;
    if (frs_reachability_is_trivial(reachability))
        return NULL;
    const char *stay = frs_reachability_can_end(reachability) ? "who goes offline during a round is lost"
                                                              : "none goes offline during a round";
    return setup->sees_availability
               ? frs_format("clients that are offline are not selected (rounds.selection.sees_availability = "
                            "true), and %s (availability.model = %s)",
                     stay, reachability->model->plugin.name)
               : frs_format("clients that are offline are selected, and called in vain "
                            "(rounds.selection.sees_availability = false); %s (availability.model = %s)",
                     stay, reachability->model->plugin.name);
}

char *frs_schedule_note(const struct frs_setup *setup, const char **key) {
    const struct frs_pacing *pacing = &setup->pacing;
    bool window = pacing->window.given;
    if (pacing->every_s == 0 && !window)
        return NULL;
    *key = pacing->every_s > 0 ? "rounds.every" : "rounds.window";
    return frs_format("is idle: rounds open %s (%s)",
        pacing->every_s > 0 && window ? "at their times of the day"
        : window                      ? "in their part of the day"
                                      : "at their times",
        pacing->every_s > 0 && window ? "rounds.every, rounds.window" : *key);
}

/* A client that rests may also be offline, or held back by a cap: the note does not distinguish what the
 * server waits for. */
static char *resting_note(const struct frs_setup *setup, const char *key, const char *rule) {
    bool offline = setup->sees_availability && !frs_reachability_is_trivial(&setup->reachability),
         capped = frs_caps_limit(&setup->caps);
    return frs_format("is idle: the server waits for clients that rest%s%s (%s%s%s%s)",
        !offline           ? ""
        : by_states(setup) ? ", or are not eligible"
                           : ", or are offline",
        capped ? ", or have reached their caps" : "", key, offline ? ", " : "", offline ? rule : "",
        capped ? ", caps" : "");
}

char *frs_eligible_note(const struct frs_setup *setup, const char **key) {
    const struct frs_pacing *pacing = &setup->pacing;
    uint32_t at_least = setup->check_in.at_least;
    bool any = frs_eligible_is_any(&setup->reachability.eligible);
    const char *rule = any ? "availability" : "rounds.eligible";
    *key = rule;
    if (frs_pacing_limits_clients(pacing)) {
        *key = pacing->cool_down_s > 0 ? "rounds.cool_down" : "rounds.per_day";
        return resting_note(setup, *key, rule);
    }
    if (at_least > 1)
        return frs_format(
            "is idle: the server waits until %u clients are eligible (%s, rounds.selection.at_least)",
            at_least, rule);
    return frs_format(
        "is idle: the server waits until a client is %s (%s)", any ? "online" : "eligible", rule);
}
