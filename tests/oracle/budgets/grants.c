/* Grants in the order of their times, each by what the server knew then. */
#include "../replay/checks.h"
#include "budgets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the random numbers of `uniform` --------------------------------------------------------- */

/* Philox4x32-10 (Salmon et al. 2011): a block of four words. */
static void philox(uint32_t x[4], uint32_t key0, uint32_t key1) {
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
        uint32_t next[4] = {
            (uint32_t)(b >> 32) ^ x[1] ^ key0, (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ key1, (uint32_t)a};
        memcpy(x, next, sizeof next);
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

/* The first number below n of the stream of budgets; words that would favour small ones are passed over. */
static uint32_t drawn(uint64_t seed, size_t client, double round, double attempt, uint32_t n) {
    for (uint32_t block = 0;; block++) {
        uint32_t x[4] = {block, (uint32_t)client, (uint32_t)round, 51u << 24 | (uint32_t)attempt};
        philox(x, (uint32_t)seed, (uint32_t)(seed >> 32));
        for (int i = 0; i < 4; i++) {
            uint64_t product = (uint64_t)x[i] * n;
            if ((uint32_t)product >= -n % n)
                return (uint32_t)(product >> 32);
        }
    }
}

/* ---- the rules ------------------------------------------------------------------------------- */

struct checking {
    struct report *report;
    const struct run *run;
    struct settings settings;
    struct knowledge *knowledge;
    const struct part **parts; /* by the time at which they were selected */
    struct seen *seen;         /* [n_parts] of run->parts */
    double *known_s;           /* [n_parts] when the server learned of the end */
    double *learnt_s;          /* [n_parts] the time from which the server goes by it; INFINITY: never */
    size_t *order;             /* of run->parts, by that time */
};

/* The wanted time, or a quantile of the durations that the cohort needs under the largest budget, without
 * back-offs: place ⌊q (n − 1) + ½⌋ from 0. */
static double target_s(const struct checking *c, size_t first, size_t n) {
    double target = scenario_number(&c->run->scenario, "adaptation.target");
    if (target > 0)
        return target;
    double q = scenario_number(&c->run->scenario, "adaptation.quantile"),
           *times = calloc(n + 1, sizeof *times);
    if (!times)
        abort();
    for (size_t i = 0; i < n; i++)
        times[i] = known_duration_s(c->knowledge, c->parts[first + i]->client, c->settings.largest);
    qsort(times, n, sizeof *times, ascending);
    target = times[(size_t)(q * (double)(n - 1) + 0.5)];
    free(times);
    return target;
}

/* Two predictions that are this near may be told apart by a rounding. */
static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(1e-3, fabs(b));
}

static void check_deadline(struct checking *c, const struct part *part, double target) {
    unsigned budget = part->budget, most = most_granted(c->knowledge, part->client);
    must(c->report, part, budget <= most, "is assigned %u instead of %u at most", budget, most);
    double own = predicted_s(c->knowledge, part->client, budget),
           more = budget < most ? predicted_s(c->knowledge, part->client, budget + 1) : INFINITY;
    must(c->report, part, budget == 1 || own <= target || is_near(own, target),
        "is assigned %u, which takes %.12g s: more than %.12g s", budget, own, target);
    must(c->report, part, more > target || is_near(more, target),
        "is assigned %u, and one more would take %.12g s: within %.12g s", budget, more, target);
}

static void check_proportional(struct checking *c, const struct part *part) {
    double at_mean = scenario_number(&c->run->scenario, "adaptation.at_mean"), largest = c->settings.largest,
           exact = at_mean * relative_uplink(c->knowledge, part->client) * largest + 0.5,
           budget = fmin(fmax(floor(exact), 1), most_granted(c->knowledge, part->client));
    bool between = fabs(exact - round(exact)) < 1e-9 * fmax(1, exact) && fabs(part->budget - budget) <= 1;
    must(c->report, part, part->budget == budget || between, "is assigned %u, not %.12g (%.12g)",
        part->budget, budget, exact);
}

/* "2, 4, 8" */
static size_t list_of(const char *text, unsigned list[256]) {
    size_t n = 0;
    for (char *end; *text && n < 256; text = *end ? end + 1 : end) {
        list[n++] = (unsigned)strtoul(text, &end, 10);
        end += strcspn(end, ",");
    }
    return n;
}

static void check_uniform(struct checking *c, const struct part *part) {
    const struct scenario *s = &c->run->scenario;
    unsigned list[256], n_list = (unsigned)list_of(scenario_text(s, "adaptation.list"), list),
                        from = (unsigned)scenario_number(s, "adaptation.from"),
                        to = (unsigned)scenario_number(s, "adaptation.to");
    bool redraws = strcmp(scenario_text(s, "adaptation.redraw"), "true") == 0;
    from = from > 0 ? from : 1;
    to = to > 0 ? to : c->settings.largest;
    if (redraws && s->asynchronous) { /* which draw it was no file tells */
        bool is_one = n_list == 0 && part->budget >= from && part->budget <= to;
        for (unsigned i = 0; i < n_list; i++)
            is_one = is_one || part->budget == list[i];
        must(c->report, part, is_one, "is assigned %u, which is none of the choices", part->budget);
        return;
    }
    double round = redraws ? field(&c->run->rounds, part->row, "round") - 1 : 0,
           attempt = redraws ? field(&c->run->rounds, part->row, "attempt") : 0;
    uint64_t seed = strtoull(scenario_text(s, "seed"), NULL, 10);
    uint32_t place = drawn(seed, part->client, round, attempt, n_list > 0 ? n_list : to - from + 1);
    unsigned budget = n_list > 0 ? list[place] : from + place;
    must(c->report, part, part->budget == budget, "is assigned %u, not %u", part->budget, budget);
}

static void check_fixed(struct checking *c, const struct part *part) {
    unsigned budget = (unsigned)scenario_number(&c->run->scenario, "adaptation.budget");
    budget = budget > 0 ? budget : c->settings.largest;
    must(c->report, part, part->budget == budget, "is assigned %u, not %u", part->budget, budget);
}

/* Those of one time are served together. */
static void check_together(struct checking *c, size_t first, size_t n) {
    const char *name = c->settings.adaptation;
    double target = strcmp(name, "deadline") == 0 ? target_s(c, first, n) : 0;
    for (size_t i = first; i < first + n; i++) {
        const struct part *part = c->parts[i];
        double predicted = predicted_s(c->knowledge, part->client, part->budget);
        if (strcmp(name, "deadline") == 0)
            check_deadline(c, part, target);
        else if (strcmp(name, "proportional") == 0)
            check_proportional(c, part);
        else if (strcmp(name, "uniform") == 0)
            check_uniform(c, part);
        else
            check_fixed(c, part);
        same_time(c->report, part, "predicted duration", predicted, part->predicted_s);
        c->report->amounts++;
    }
}

/* ---- when the server learns ------------------------------------------------------------------ */

static bool waits_on(const struct run *run) {
    return run->scenario.runs_on || run->scenario.asynchronous;
}

/* What the server knows when a round closes applies from then on. That is its own round; for a
 * participation that outlived it, the first round to close afterwards; for a late upload that is used, the
 * round that uses it. Excludes what a restart of the server made it forget. */
static double learnt_s(const struct run *run, const struct part *part, double known) {
    bool is_used_late = part->outcome == LATE && part->cause == NO_CAUSE;
    size_t row = part->row + is_used_late;
    for (size_t i = 0; i < run->scenario.n_restarts; i++)
        if (run->scenario.restarts_s[i] >= part_end_s(part) && run->scenario.restarts_s[i] < known)
            return INFINITY; /* the server has forgotten that it was under way */
    for (; !run->scenario.asynchronous && row < run->rounds.n_rows; row++) {
        double end_s = field(&run->rounds, row, "end_s");
        if ((end_s >= known || close_times(end_s, known)) && !(is_used_late && *lost_to(run, row)))
            break;
    }
    if (row == run->rounds.n_rows || strcmp(lost_to(run, row), "server_restart") == 0)
        return INFINITY;
    return field(&run->rounds, row, "end_s");
}

static struct checking *sorting;

/* The order of the participations with which a round closes: losses as they were detected, then stopped
 * clients, then arrivals, by client. */
static int by_learning(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const struct part *p = sorting->run->parts + x, *q = sorting->run->parts + y;
    double times[2] = {sorting->learnt_s[x], sorting->learnt_s[y]};
    if (times[0] != times[1])
        return (times[0] > times[1]) - (times[0] < times[1]);
    int kinds[2] = {arrived(p) ? 2 : p->outcome == CUT, arrived(q) ? 2 : q->outcome == CUT};
    if (kinds[0] != kinds[1])
        return kinds[0] - kinds[1];
    if (kinds[0] == 0 && sorting->known_s[x] != sorting->known_s[y])
        return (sorting->known_s[x] > sorting->known_s[y]) - (sorting->known_s[x] < sorting->known_s[y]);
    if (p->client != q->client)
        return (p->client > q->client) - (p->client < q->client);
    return (part_end_s(p) > part_end_s(q)) - (part_end_s(p) < part_end_s(q));
}

static int by_asking(const void *a, const void *b) {
    const struct part *p = *(const struct part *const *)a, *q = *(const struct part *const *)b;
    double from[2] = {part_start_s(p), part_start_s(q)};
    if (from[0] != from[1])
        return (from[0] > from[1]) - (from[0] < from[1]);
    return (p->client > q->client) - (p->client < q->client);
}

/* In which round, from 1. Where rounds overlap a row has what ended in it. */
static double asked_round(const struct run *run, const struct part *part) {
    size_t row = 0;
    if (!run->scenario.asynchronous)
        return field(&run->rounds, part->row, "round");
    while (row + 1 < run->rounds.n_rows && field(&run->rounds, row, "end_s") <= part_start_s(part))
        row++;
    return field(&run->rounds, row, "round");
}

static void *new_list(size_t n, size_t size) {
    void *list = calloc(n + 1, size);
    if (!list)
        abort();
    return list;
}

static void prepare(struct checking *c) {
    const struct run *run = c->run;
    c->parts = new_list(run->n_parts, sizeof *c->parts);
    c->seen = new_list(run->n_parts, sizeof *c->seen);
    c->known_s = new_list(run->n_parts, sizeof *c->known_s);
    c->learnt_s = new_list(run->n_parts, sizeof *c->learnt_s);
    c->order = new_list(run->n_parts, sizeof *c->order);
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        double closed_s = waits_on(run)
                              ? INFINITY
                              : field(&run->rounds, part->row, "end_s") - aggregation_s(run, part->row),
               known = known_s(run, part, closed_s);
        c->parts[i] = part;
        c->known_s[i] = known;
        c->order[i] = i;
        c->learnt_s[i] =
            see(&c->settings, run, part, known, c->seen + i) ? learnt_s(run, part, known) : INFINITY;
    }
    sorting = c;
    qsort(c->parts, run->n_parts, sizeof *c->parts, by_asking);
    qsort(c->order, run->n_parts, sizeof *c->order, by_learning);
}

void check_grants(struct report *report, const struct run *run) {
    struct checking c = {.report = report, .run = run, .settings = settings_of(run)};
    c.knowledge = knowledge_new(&c.settings, run->clients.n_rows);
    prepare(&c);
    size_t learnt = 0;
    for (size_t first = 0, n; first < run->n_parts; first += n) {
        double asked_s = part_start_s(c.parts[first]);
        for (n = 1; first + n < run->n_parts && part_start_s(c.parts[first + n]) == asked_s; n++)
            continue;
        for (; learnt < run->n_parts && c.learnt_s[c.order[learnt]] <= asked_s; learnt++)
            learn(c.knowledge, c.seen + c.order[learnt]);
        if (c.settings.largest > 0)
            check_together(&c, first, n);
        double round = asked_round(run, c.parts[first]);
        if (strcmp(scenario_text(&run->scenario, "rounds.selection.name"), "utility") == 0)
            check_worths(report, run, c.knowledge, c.parts + first, n, round);
        for (size_t i = 0; i < n; i++)
            ask(c.knowledge, c.parts[first + i]->client, round);
        report->parts += n;
    }
    knowledge_free(c.knowledge);
    free(c.parts);
    free(c.seen);
    free(c.known_s);
    free(c.learnt_s);
    free(c.order);
}
