/* When rounds open and close, which clients form them, and what these may spend. */
#include "draw_internal.h"

#include <string.h>

/* Rules that older programs do not know. */
static void draw_late_rounds(struct draw *d) {
    if (d->newer && one_in(d, 2))
        fprintf(d->out, " late_rounds = %u;", 1 + below(d, 4));
}

static bool draw_least(struct draw *d) {
    bool least = d->newer && one_in(d, 3);
    if (least)
        fprintf(d->out, " min_uploads = %u;", 1 + below(d, d->cohort));
    return least;
}

static void draw_then_wait(struct draw *d) {
    if (one_in(d, 2))
        fprintf(d->out, " uploads = %u;", 1 + below(d, d->cohort));
    else
        fprintf(d->out, " uploads = \"%u %%\";", 10 + below(d, 90));
    fprintf(d->out, " then = \"%.3f s\";", one_in(d, 4) ? below(d, 4) : scale(d, 0.1, 20));
}

static void draw_policy(struct draw *d) {
    const char *name = ONE_OF(d, "wait_all", "deadline", "deadline", "over_select", "quantile",
        "partial_work", "partial_work", "buffered_async", "buffered_async");
    if (d->newer && one_in(d, 4))
        name = "quorum_then_wait";
    if (d->corrects && strcmp(name, "buffered_async") == 0)
        name = "wait_all";
    bool is_wait_all = strcmp(name, "wait_all") == 0, runs_on, least = false;
    d->asynchronous = strcmp(name, "buffered_async") == 0;
    runs_on = !is_wait_all && !d->asynchronous && one_in(d, 2);
    if (runs_on)
        fputs(" stragglers = \"run_on\";", d->out);
    fprintf(d->out, " policy = { name = \"%s\";", name);
    bool is_deadline = strcmp(name, "deadline") == 0, waits = strcmp(name, "quorum_then_wait") == 0;
    if (is_deadline)
        fprintf(d->out, " after = \"%.3f s\";", scale(d, 1, 40));
    if (waits)
        draw_then_wait(d);
    if ((is_deadline || waits) && runs_on && !d->corrects && !one_in(d, 3)) {
        fputs(" late = \"accept\";", d->out);
        draw_late_rounds(d);
    }
    if (is_deadline)
        least = draw_least(d);
    if (strcmp(name, "partial_work") == 0)
        fprintf(d->out, " after = \"%.3f s\"; grace = \"%.3f s\";", scale(d, 1, 20), scale(d, 1, 40));
    if (strcmp(name, "over_select") == 0)
        fprintf(d->out, " factor = %.2f;", scale(d, 1, 3));
    if (strcmp(name, "quantile") == 0)
        fprintf(d->out, " share = %.2f;", scale(d, 0.1, 1));
    if (d->asynchronous)
        fprintf(d->out, " arrivals = %u; staleness = \"%s\"; patience = %u;", 1 + below(d, 10),
            ONE_OF(d, "inverse_sqrt", "none"), 1 + below(d, 5));
    else if (!is_wait_all && one_in(d, 3) && !least)
        fprintf(d->out, " quorum = %s; max_attempts = %u;", ONE_OF(d, "0.05", "0.2", "0.5", "0.9"),
            2 + below(d, 8));
    fputs(" };", d->out);
}

/* Days begin, and windows open and shut, while rounds are under way. */
static void draw_pacing(struct draw *d) {
    bool clients = d->zones && one_in(d, 2),
         window = (!d->asynchronous || clients) && one_in(d, clients ? 2 : 5), per_day = one_in(d, 4);
    if (window && clients)
        fputs(" window_clock = \"client\";", d->out);
    if (window)
        fprintf(d->out, " window = \"%s\";", ONE_OF(d, "23:59-00:01", "00:00-00:01", "00:01-23:58"));
    if (per_day)
        fprintf(d->out, " per_day = %u;", 1 + below(d, 3));
    if ((window || per_day) && !d->diurnal && !d->states)
        fprintf(d->out, " start = \"%u s\";", 86400 - below(d, 100));
    if (!d->asynchronous && one_in(d, 4))
        fprintf(d->out, " every = \"%s\";", ONE_OF(d, "1 s", "2500 ms", "20 s", "7.3 s"));
    if (one_in(d, 3))
        fprintf(d->out, " cool_down = \"%.3f s\";", scale(d, 1, 60));
}

static void draw_check_in(struct draw *d) {
    unsigned at_least = 1 + below(d, d->cohort);
    if (one_in(d, 2))
        return;
    if (one_in(d, 3))
        fprintf(d->out, " at_least = \"%u %%\";", 10 + 10 * below(d, 9));
    else
        fprintf(d->out, " at_least = %u;", at_least);
    if (at_least > 3 && d->cohort > 20) /* so are shares then */
        fprintf(d->out, " wait = \"%.3f s\"; minimum = %u;", scale(d, 1, 60), 1 + below(d, 2));
}

void draw_rounds(struct draw *d) {
    d->cohort = 3 + below(d, d->users / 2 - 3);
    fprintf(d->out, "rounds = { count = %u; cohort = %u;", 2 + below(d, 4), d->cohort);
    if (d->states)
        fprintf(d->out, " eligible = \"%s\";", d->eligible);
    draw_policy(d);
    struct draw aside = draw_aside(d);
    if (d->newer)
        draw_pacing(&aside);
    fprintf(d->out, " selection = { name = \"%s\";",
        ONE_OF(d, "uniform", "uniform", "round_robin", "data_size", "fastest_first"));
    d->unseen = !d->reachable && one_in(d, 2);
    if (d->unseen)
        fprintf(d->out, " sees_availability = false; contact_timeout = \"%u s\";", 1 + below(d, 10));
    if (d->newer)
        draw_check_in(&aside);
    fputs(" }; };\n", d->out);
}

/* At least as much as a first participation may take, and a few times that. */
void draw_caps(struct draw *d) {
    fprintf(d->out, "caps = { period = \"%.3f s\";", scale(d, 5, 200));
    if (!one_in(d, 3) || d->to_caps)
        fprintf(d->out, " bytes = \"%.0f B\";", (6000 + 20000 * d->size) * scale(d, 1, 4));
    if (one_in(d, 3))
        fprintf(d->out, " energy = \"%.3f J\";", scale(d, 5, 500));
    if (d->states && !d->unseen && one_in(d, 2))
        fprintf(d->out, " metered_bytes = \"%.0f B\";",
            below(d, 5) > 0 ? (6000 + 20000 * d->size) * scale(d, .5, 4) : 0);
    fputs(" };\n", d->out);
}
