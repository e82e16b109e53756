/* What the manifest says of budgets: their range, what uploads are predicted to weigh, and the work under
 * each. */
#include "budgets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void refuse(const char *why) {
    fprintf(stderr, "budgets: %s\n", why);
    exit(2);
}

static bool is(const struct scenario *scenario, const char *key, const char *text) {
    return strcmp(scenario_text(scenario, key), text) == 0;
}

/* The share (1 - rate) of the rows, or a number of them. */
static double groups_of(const struct settings *s) {
    double groups = scenario_number(s->scenario, "codec.uplink.groups"),
           rate = scenario_number(s->scenario, "codec.uplink.compression_rate");
    groups = groups > 0 ? groups : floor((1 - rate) * s->rows + 0.5);
    return fmin(fmax(groups, 1), s->rows);
}

static double largest_of(const struct settings *s) {
    if (s->scolr)
        return s->rank;
    if (strcmp(s->codec, "topk") == 0)
        return fmin(scenario_number(s->scenario, "codec.uplink.k"), s->columns);
    if (strcmp(s->codec, "svd") == 0 || strcmp(s->codec, "svd_quantised") == 0)
        return fmin(scenario_number(s->scenario, "codec.uplink.rank"), s->columns);
    if (strcmp(s->codec, "rvq") == 0)
        return scenario_number(s->scenario, "codec.uplink.levels");
    if (strcmp(s->codec, "groups") == 0 || strcmp(s->codec, "adaptive_groups") == 0)
        return groups_of(s);
    return 0;
}

struct settings settings_of(const struct run *run) {
    const struct scenario *scenario = &run->scenario;
    const json_t *data = json_object_get(run->manifest, "data");
    bool exact = is(scenario, "network.model", "exact"), tcp = is(scenario, "network.model", "tcp"),
         packets = is(scenario, "network.model", "packets");
    struct settings s = {.scenario = scenario,
        .rows = json_number_value(json_object_get(data, "items")),
        .columns = scenario_number(scenario, "method.dim"),
        .rank = scenario_number(scenario, "method.rank"),
        .epochs = scenario_number(scenario, "method.epochs"),
        .scolr = is(scenario, "method.name", "scolr"),
        .decays = is(scenario, "method.variant", "published_code") &&
                  scenario_number(scenario, "method.weight_decay") > 0,
        .codec = scenario_text(scenario, "codec.uplink.name"),
        .report_bytes = is(scenario, "rounds.selection.name", "utility") ? 4 : 0,
        .adaptation = scenario_text(scenario, "adaptation.name"),
        .connection = scenario_text(scenario, "network.connection"),
        .unmeasured = scenario_text(scenario, "observations.unmeasured"),
        .weight = scenario_number(scenario, "observations.weight"),
        .prior = {1 / scenario_number(scenario, "observations.prior_downlink"),
            1 / scenario_number(scenario, "observations.prior_uplink"),
            scenario_number(scenario, "observations.prior_compute")},
        .has_slow_start = tcp || packets,
        .by_packets = packets};
    s.largest = (unsigned)largest_of(&s);
    s.state_bytes = 24 + 4 * s.rows * s.columns;
    bool grants = json_object_get(run->summary, "adaptation") != NULL;
    if (!grants)
        s.largest = 0;
    else if (s.largest == 0 || !(s.rows > 0) ||
             !(s.scolr || is(scenario, "method.name", "fedmf") ||
                 is(scenario, "method.name", "fedmf_update")))
        refuse("knows budgets of scolr, and of fedmf and fedmf_update under codecs that have some");
    if (!exact && !tcp && !packets)
        refuse("knows network.model exact, tcp and packets");
    if (s.has_slow_start && is(scenario, "network.idle_windows", "kept"))
        refuse("does not know network.idle_windows = \"kept\"");
    return s;
}

/* docs/messages.md, with all rows changed. */
double predicted_bytes(const struct settings *s, unsigned budget) {
    double m = s->rows, d = s->columns, b = budget, head = 24 + s->report_bytes,
           set = 5 + fmin(4 * m, ceil(m / 8)), bits = scenario_number(s->scenario, "codec.uplink.bits");
    if (s->scolr)
        return head + 4 * m * b;
    if (strcmp(s->codec, "topk") == 0)
        return head + set + 4 + 8 * m * b;
    if (strcmp(s->codec, "svd") == 0)
        return head + set + 4 + 4 * b * (m + d);
    if (strcmp(s->codec, "svd_quantised") == 0)
        return head + set + 4 + b * (8 + ceil(m * bits / 8) + ceil(d * bits / 8));
    if (strcmp(s->codec, "rvq") == 0) {
        double k = scenario_number(s->scenario, "codec.uplink.codes");
        return head + set + 1 + fmin(4 * m * d, b * (4 + ceil(m * ceil(log2(k)) / 8) + 4 * k * d));
    }
    return head + set + 4 + fmin(4 * m * d, ceil(m * ceil(log2(b)) / 8) + 4 * b * d);
}

/* Operations on a sample: 2d + 3 + 4r, up to a factor that cancels in the ratio. Decaying whole rows adds
 * one step, and once in a participation the row's projection. */
double work_of(const struct settings *s, unsigned budget) {
    double of[2], ranks[2] = {budget, s->rank};
    if (!s->scolr)
        return 1;
    for (int i = 0; i < 2; i++)
        of[i] = 2 * s->columns + 3 + 4 * ranks[i] +
                (s->decays ? ranks[i] + s->columns * ranks[i] / s->epochs : 0);
    return of[0] / of[1];
}
