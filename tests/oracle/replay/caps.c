/* Caps, as the documentation defines them. A client can be selected if the cap covers what it has spent in
 * the period and what one more participation is expected to take. The expectation is the mean of its own
 * participations that ran to their end. A client without any has the mean of all clients, and before that
 * the size of the method's messages: whether these could be selected is not judged here. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct kind {
    const char *key, *cap, *excess, *error;
    double (*of)(const struct run *run, const struct part *part);
    bool metered; /* expected are all bytes of a client on a metered link, and none of others */
};

static double bytes(const struct run *run, const struct part *part) {
    (void)run;
    return bytes_of(part);
}

static const struct kind kinds[] = {
    {"caps.bytes", "bytes", "most_excess_bytes", "most_error_bytes", bytes, false},
    {"caps.energy", "energy_j", "most_excess_j", "most_error_j", energy_of, false},
    {"caps.metered_bytes", "metered_bytes", "most_excess_metered_bytes", "most_error_metered_bytes",
        metered_bytes_of, true},
};

/* A client's period, and what its participations that ran to their end took. */
struct account {
    double period, spent, sum, down_sum; /* the sums are over n */
    double by_chance; /* of what was spent in the period: by participations of which nothing was expected */
    size_t n, n_selected;
};

/* What is known of a kind when a client is selected. */
struct view {
    const struct run *run;
    const struct kind *kind;
    double cap, period_s;
    bool to_caps;        /* budgets follow from the cap: uploads are expected as small as they can be */
    double column_bytes; /* of an upload, for each of the budget's columns; NaN: no upload has arrived */
    double share;        /* of uploads in what was predicted of them, so far */
    struct account all;
};

/* ---- uploads whose size follows from the cap ------------------------------------------------- */

#define HEADER_BYTES 24

static double predicted_bytes(const struct view *view, unsigned budget) {
    return HEADER_BYTES + view->column_bytes * budget;
}

/* Uploads are dense: what one of them has tells it of all. */
static double column_bytes(const struct run *run) {
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        const struct phase *up = part_phase(part, UP);
        if (part->budget > 0 && arrived(part) && part_resent(run, part, UP) == 0)
            return (up->bytes - HEADER_BYTES) / part->budget;
    }
    return NAN;
}

static double up_bytes_of(const struct part *part) {
    double bytes = 0;
    for (size_t i = 0; i < part->n_phases; i++)
        bytes += part->phases[i].kind == UP ? part->phases[i].bytes : 0;
    return bytes;
}

/* Participations that ran to their end by this time. */
static void look_at(struct view *view, double time_s) {
    double up = 0, predicted = 0;
    view->all = (struct account){0};
    for (size_t i = 0; i < view->run->n_parts; i++) {
        const struct part *part = view->run->parts + i;
        if (!arrived(part) || part_end_s(part) > time_s + 1e-9 * fmax(1, time_s))
            continue;
        view->all.n++;
        view->all.down_sum += bytes_of(part) - up_bytes_of(part);
        up += up_bytes_of(part);
        predicted += predicted_bytes(view, part->budget);
    }
    view->share = view->all.n > 0 ? up / predicted : 1;
}

/* The budget is the largest with which the client stays within its cap at its rate of participation: the
 * rest of the cap, divided by one plus the number of participations that are expected until the period
 * ends. Where rounds overlap, the files do not show in which order clients of one instant were selected. */
static void check_budget(struct report *report, const struct view *view, const struct part *part,
    const struct account *account, double selected_s) {
    const struct run *run = view->run;
    double n_before = (double)run->first_part[part->row], n_clients = (double)run->clients.n_rows;
    const struct account *known = account->n > 0 ? account : &view->all;
    if (run->scenario.asynchronous || known->n == 0)
        return;
    double rate = n_before > 0 && selected_s > 0 ? ((double)account->n_selected + 4) /
                                                       (selected_s + 4 * n_clients * selected_s / n_before)
                                                 : 0,
           rest_s = (period_at(selected_s, view->period_s) + 1) * view->period_s - selected_s,
           each = (view->cap - account->spent) / (1 + rate * rest_s),
           most = (each - known->down_sum / (double)known->n) / view->share, slack = 1e-9 * fabs(each) + 1e-6;
    must(report, part, part->budget == 1 || predicted_bytes(view, part->budget) <= most + slack,
        "budget %u of %.9g bytes, more than %.9g", part->budget, predicted_bytes(view, part->budget), most);
    must(report, part,
        part->budget >= scenario_number(&run->scenario, "method.rank") ||
            predicted_bytes(view, part->budget + 1) > most - slack,
        "budget %u, and one more would be %.9g bytes of %.9g", part->budget,
        predicted_bytes(view, part->budget + 1), most);
}

/* ---- one kind of cap ------------------------------------------------------------------------- */

static bool is_expected(const struct view *view, const struct part *part, double selected_s) {
    return !view->kind->metered || state_at(view->run, part->client, selected_s).link == METERED;
}

/* budget 0: the smallest one that there is. */
static double expected(const struct view *view, const struct account *account, unsigned budget) {
    if (!view->to_caps || view->kind->of != bytes)
        return account->sum / (double)account->n;
    return account->down_sum / (double)account->n +
           view->share * predicted_bytes(view, budget > 0 ? budget : 1);
}

static void check_selected(struct report *report, struct view *view, const struct part *part,
    struct account *account, double *error) {
    double selected_s = part->phases[0].t0_s, period = period_at(selected_s, view->period_s),
           took = view->kind->of(view->run, part);
    account->spent = account->period == period ? account->spent : 0;
    account->by_chance = account->period == period ? account->by_chance : 0;
    account->period = period;
    account->by_chance += is_expected(view, part, selected_s) ? 0 : took;
    if (view->to_caps && view->kind->of == bytes) {
        look_at(view, selected_s);
        check_budget(report, view, part, account, selected_s);
    }
    if (account->n == 0)
        return;
    bool counts = is_expected(view, part, selected_s);
    double next = expected(view, account, 0);
    must(report, part, !counts || account->spent + next <= view->cap * (1 + 1e-9),
        "selected with %.9g spent, %.9g expected, and %s of %.9g", account->spent, next, view->kind->key,
        view->cap);
    *error = fmax(*error, took - (counts ? expected(view, account, part->budget) : 0));
}

/* `unexplained`: the excess without what clients spent in participations of which nothing was expected. */
static void check_told(
    struct report *report, const struct view *view, double excess, double unexplained, double error) {
    const struct kind *kind = view->kind;
    const json_t *told = json_object_get(view->run->summary, "caps");
    double told_error = json_number_value(json_object_get(told, kind->error));
    same_amount(report, kind->key, view->cap, json_number_value(json_object_get(told, kind->cap)));
    same_amount(
        report, kind->excess, fmax(excess, 0), json_number_value(json_object_get(told, kind->excess)));
    must(report, NULL, unexplained <= told_error * (1 + 1e-9) + 1e-9,
        "%s: %.9g above, and an error of %.9g told", kind->key, unexplained, told_error);
    must(report, NULL, error <= told_error * (1 + 1e-9) + 1e-9, "%s: an error of %.9g, and %.9g told",
        kind->key, error, told_error);
}

/* Participations of one client are in the order in which they were selected, except that under buffered_async
 * rows go by ends; the ends of one client are in order as well. */
static void check_kind(struct report *report, const struct run *run, const struct kind *kind) {
    double excess = 0, unexplained = 0, error = 0;
    struct view view = {.run = run,
        .kind = kind,
        .cap = scenario_number(&run->scenario, kind->key),
        .period_s = scenario_number(&run->scenario, "caps.period"),
        .column_bytes = column_bytes(run)};
    struct account *accounts = calloc(run->clients.n_rows, sizeof *accounts);
    if (!accounts)
        abort();
    view.to_caps =
        strcmp(scenario_text(&run->scenario, "adaptation.name"), "cap") == 0 && !isnan(view.column_bytes);
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        struct account *account = accounts + part->client;
        double took = kind->of(run, part);
        check_selected(report, &view, part, account, &error);
        account->n_selected++;
        account->spent += took;
        excess = fmax(excess, account->spent - view.cap);
        unexplained = fmax(unexplained, account->spent - view.cap - account->by_chance);
        if (arrived(part)) {
            account->sum += kind->metered ? bytes_of(part) : took;
            account->down_sum += bytes_of(part) - up_bytes_of(part);
            account->n++;
        }
    }
    check_told(report, &view, excess, unexplained, error);
    report->capped++;
    report->above += excess > 0;
    free(accounts);
}

/* Where the files tell of every participation, and of the link on which its client was selected. */
static bool is_known(const struct run *run, const struct kind *kind) {
    if (kind->metered && !knows_states(run))
        return false;
    for (size_t i = 0; i < run->n_parts; i++)
        if (isnan(kind->of(run, run->parts + i)))
            return false;
    return true;
}

bool has_caps(const struct run *run) {
    bool has = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        has |= isfinite(scenario_number(&run->scenario, kinds[i].key));
    return has;
}

void check_caps(struct report *report, const struct run *run) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (isfinite(scenario_number(&run->scenario, kinds[i].key)) && is_known(run, &kinds[i]))
            check_kind(report, run, &kinds[i]);
}
