/* Availability that changes in the course of a run: no client answers where none can, as many answer or are
 * online as the formulas of docs/availability.md say, and regions are cut off as a whole. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Standard deviations that a number of clients is off at most. */
#define DEVIATIONS 5

/* And so many more of a few that answer rarely. */
#define SKEWED 3

struct law {
    const char *dynamics;
    double amplitude, period;
    bool in_rounds;
    double p; /* without dynamics */
};

static double share_at(const struct law *law, double at) {
    double x = fmod(at, law->period) / law->period,
           sine = law->amplitude * sin(2 * M_PI * x) + 1 - law->amplitude;
    double share = law->p;
    if (strcmp(law->dynamics, "staircase") == 0)
        return x < .5 ? share : .4 * share;
    if (strcmp(law->dynamics, "sine") == 0)
        return fmax(sine * share, 0);
    if (strcmp(law->dynamics, "interleaved_sine") == 0)
        return sine * share < .1 ? 0 : sine * share;
    return share;
}

/* A stair takes a piece of the period, a two hundred and fortieth. */
static double lowest(const struct law *law, double at) {
    return fmin(share_at(law, at), share_at(law, at + (law->in_rounds ? 0 : law->period / 240)));
}

static double highest(const struct law *law, double at) {
    return fmax(share_at(law, at), share_at(law, at + (law->in_rounds ? 0 : law->period / 240)));
}

/* "20 rounds", or a time, of which scenarios that are drawn have seconds. */
static void read_period(struct law *law, const char *text) {
    char *unit;
    law->period = strtod(text, &unit);
    law->in_rounds = strstr(unit, "rounds");
    if (strstr(unit, "min"))
        law->period *= 60;
    if (strchr(unit, 'h'))
        law->period *= 3600;
}

/* False where clients differ, or what they have is told in no number. */
static bool read_law(const struct scenario *s, struct law *law) {
    const char *model = scenario_text(s, "availability.model"),
               *follows = scenario_text(s, "availability.follows");
    *law = (struct law){.dynamics = scenario_text(s, "availability.dynamics"),
        .amplitude = scenario_number(s, "availability.amplitude")};
    if (!*law->dynamics || strcmp(law->dynamics, "stationary") == 0 ||
        (*follows && strcmp(follows, "none") != 0))
        return false;
    read_period(law, scenario_text(s, "availability.dynamics_period"));
    if (strcmp(model, "bernoulli") == 0)
        law->p = scenario_number(s, "availability.p");
    else if (strcmp(model, "markov") == 0)
        law->p = scenario_number(s, "availability.on") /
                 (scenario_number(s, "availability.on") + scenario_number(s, "availability.off"));
    else
        return false;
    return law->period > 0;
}

/* ---- who answers ----------------------------------------------------------------------------- */

static double selected_s(const struct run *run, const struct part *part) {
    return run->scenario.asynchronous ? part_start_s(part) : field(&run->rounds, part->row, "start_s");
}

/* Clients that are asked without being seen: how many answer. Under bernoulli every answer is a draw of its
 * own; a client of a chain counts when it is asked for the first time, because those that are offline are
 * asked again sooner. */
static void check_answers(struct report *report, const struct run *run, const struct law *law) {
    bool unseen = strcmp(scenario_text(&run->scenario, "rounds.selection.sees_availability"), "false") == 0,
         drawn = strcmp(scenario_text(&run->scenario, "availability.model"), "bernoulli") == 0;
    double least = 0, most = 0, variance = 0, answered = 0;
    bool *asked = calloc(run->clients.n_rows + 1, sizeof *asked);
    if (!asked)
        abort();
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        double at = law->in_rounds ? field(&run->rounds, part->row, "round") - 1 : selected_s(run, part),
               low = lowest(law, at), high = highest(law, at);
        /* A round may close before the server gives up waiting. */
        bool answers = part->outcome != UNAVAILABLE && part->outcome != REFUSED && !part_phase(part, CONTACT);
        must(report, part, !answers || high > 0 || !law->in_rounds,
            "a client answers in a round in which none can");
        if ((!drawn && asked[part->client]) || part->outcome == REFUSED)
            continue;
        asked[part->client] = true;
        least += low;
        most += high;
        variance += fmax(low * (1 - low), high * (1 - high));
        answered += answers;
    }
    double off = DEVIATIONS * sqrt(variance) + SKEWED;
    report->amounts++;
    must(report, NULL, !unseen || answered <= most + off, "%g clients answer, of %g to %g expected", answered,
        least, most);
    must(report, NULL, !unseen || !is_plain(&run->scenario) || answered >= least - off,
        "%g clients answer, of %g to %g expected", answered, least, most);
    free(asked);
}

/* Counts at quarter hours, of which the first is at the start. */
static void check_online(
    struct report *report, const struct run *run, const struct law *law, const char *folder) {
    struct table hours = table_read(folder, "hours.csv");
    double n = (double)run->clients.n_rows;
    for (size_t row = 0; row < hours.n_rows; row++) {
        double told = field(&hours, row, "online_mean"), start_s = field(&hours, row, "start_s"), least = 0,
               most = 0, counts = 0;
        if (isnan(told))
            continue;
        for (double i = ceil(start_s / 900 - 1e-9); i * 900 < field(&hours, row, "end_s") || counts == 0;
             i++) {
            least += n * lowest(law, i * 900);
            most += n * highest(law, i * 900);
            counts++;
        }
        double off = DEVIATIONS * sqrt(n / 4) + .5;
        report->amounts++;
        must(report, NULL, told <= most / counts + off,
            "hour %zu: %.6g clients online, of at most %.6g expected", row, told, most / counts);
        must(report, NULL, !is_plain(&run->scenario) || told >= least / counts - off,
            "hour %zu: %.6g clients online, of at least %.6g expected", row, told, least / counts);
    }
    table_free(&hours);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* With nothing else that takes clients offline, all clients of a region go at the same time. */
static void check_regions(struct report *report, const struct run *run) {
    const struct scenario *s = &run->scenario;
    size_t regions = (size_t)strtod(scenario_text(s, "availability.random_outages"), NULL);
    if (regions == 0 || strcmp(scenario_text(s, "availability.model"), "always") != 0 ||
        *scenario_text(s, "availability.outages") || scenario_number(s, "failures.mean_lifetime") > 0)
        return;
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *gone = run->parts + i;
        double at_s = part_end_s(gone), slack_s = 1e-9 * fmax(1, at_s);
        if (!dropped(gone) || gone->cause != OFFLINE)
            continue;
        for (size_t k = 0; k < run->n_parts; k++) {
            const struct part *other = run->parts + k;
            if (other->client % regions == gone->client % regions && part_start_s(other) < at_s - slack_s &&
                other->outcome != UNAVAILABLE && other->outcome != REFUSED)
                must(report, other, part_end_s(other) <= at_s + slack_s,
                    "is at work at %.15g s, when its region is cut off", at_s);
        }
    }
}

/* Nothing takes clients away but their model. */
bool is_plain(const struct scenario *s) {
    return !*scenario_text(s, "availability.outages") && !*scenario_text(s, "availability.random_outages") &&
           scenario_number(s, "failures.late_share") == 0 &&
           scenario_number(s, "failures.absent_share") == 0 &&
           scenario_number(s, "failures.mean_lifetime") == 0;
}

void check_dynamics(struct report *report, const struct run *run, const char *folder) {
    struct law law;
    check_regions(report, run);
    if (!read_law(&run->scenario, &law))
        return;
    check_answers(report, run, &law);
    check_online(report, run, &law, folder);
}
