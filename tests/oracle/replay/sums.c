/* Rows of rounds.csv, lines of clients.csv and summary.json, added up from the events. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    double parts, outcomes[N_OUTCOMES], used, post_uploads[N_POST_OUTCOMES];
    double bytes[2], wasted_bytes[2], setup_bytes[2], resent_bytes[2], retries, flop,
        wasted_flop; /* down, up */
    double seconds[N_PHASES], latency_s, post_s, energy_j;
};

/* The sums of one cause, or of one outcome of it. */
struct waste {
    double parts, bytes[2], flop;
};

/* In all tries. */
static double phase_bytes(const struct part *part, enum phase_kind kind) {
    double bytes = 0;
    for (size_t i = 0; i < part->n_phases; i++)
        bytes += part->phases[i].kind == kind ? part->phases[i].bytes : 0;
    return bytes;
}

bool part_is_used(const struct run *run, const struct part *part) {
    return arrived(part) && part->cause == NO_CAUSE &&
           !(part->outcome == DELIVERED && *lost_to(run, part->row));
}

static double part_flop(const struct part *part) {
    const struct phase *compute = part_phase(part, COMPUTE);
    return compute ? compute->flop : 0;
}

static double lasts_s(const struct phase *phase) {
    return phase->t1_s - phase->t0_s;
}

static void add_seconds(struct totals *totals, const struct phase *phase) {
    double latency_s = fmin(phase->latency_s, lasts_s(phase));
    totals->seconds[phase->kind] += lasts_s(phase) - latency_s;
    totals->latency_s += latency_s;
}

/* What moving bytes takes by kind of network: watts, and nanojoules of a bit down and up. */
static const struct radio {
    const char *name, *class; /* of the clients that are on it */
    double power_w, down_nj, up_nj;
} radios[] = {
    {"lte", "4g", 1.288, 51.97, 438.39},
    {"wifi", "wifi", 0.13286, 137.01, 283.17},
    {"3g", "3g", 0.81788, 122.12, 868.98},
    {"5g", "5g", 1.288, 13.52, 29.15},
    {"fixed", "fibre", 0, 0, 0},
};

static const struct radio *radio_named(const char *name, bool by_class) {
    for (size_t i = 0; i < sizeof radios / sizeof *radios; i++)
        if (strcmp(name, by_class ? radios[i].class : radios[i].name) == 0)
            return &radios[i];
    return &radios[0];
}

static const struct radio *radio_of(const struct run *run, const struct part *part) {
    const struct scenario *s = &run->scenario;
    bool by_class = *scenario_text(s, "network.classes");
    return radio_named(by_class ? field_text(&run->clients, part->client, "network_class")
                                : scenario_text(s, "network.radio"),
        by_class);
}

/* A preset has its own. */
static const struct radio *radio_on(const struct run *run, const struct part *part, enum link_state link) {
    const char *preset = preset_on(run, link);
    return *preset ? radio_named(preset, true) : radio_of(run, part);
}

static double radio_j(const struct radio *radio, double seconds, double down_bytes, double up_bytes) {
    return radio->power_w * seconds + 8e-9 * (radio->down_nj * down_bytes + radio->up_nj * up_bytes);
}

/* On each link what it was on it. */
static double split_j(
    const struct run *run, const struct part *part, size_t phase, double down_bytes, double up_bytes) {
    double metered[2],
        wifi_s = seconds_on_wifi(run, part->client, part->phases[phase].t0_s, part->phases[phase].t1_s);
    for (int up = 0; up < 2; up++) {
        double least, most;
        metered_of_phase(run, part, part->phases + phase, up, &least, &most);
        metered[up] = least == most ? least : NAN;
    }
    return radio_j(
               radio_on(run, part, METERED), lasts_s(part->phases + phase) - wifi_s, metered[0], metered[1]) +
           radio_j(radio_on(run, part, WIFI), wifi_s, down_bytes - metered[0], up_bytes - metered[1]);
}

static double phase_j(const struct run *run, const struct part *part, size_t i) {
    const struct phase *phase = part->phases + i;
    double up_bytes = phase->kind == UP ? phase->bytes : phase->setup_bytes[1],
           down_bytes = phase->kind == UP ? 0 : phase->bytes - phase->setup_bytes[1];
    if (has_states(run) && (phase->kind == SETUP || phase->kind == DOWN || phase->kind == UP) &&
        (*preset_on(run, METERED) || *preset_on(run, WIFI)))
        return split_j(run, part, i, down_bytes, up_bytes);
    return radio_j(radio_of(run, part), lasts_s(phase), down_bytes, up_bytes);
}

/* NaN: a change came within a rounding of a whole byte, or the transfers cannot be played. */
static void same_energy(struct report *report, const char *what, double expected_j, double got_j) {
    if (!isnan(expected_j))
        same_amount(report, what, expected_j, got_j);
}

/* Each class of the presets has a power of its own. */
static double compute_w(const struct run *run, const struct part *part) {
    static const struct {
        const char *class;
        double watts;
    } devices[] = {{"phone-low", 1.5}, {"phone-mid", 2}, {"phone-high", 3}, {"tablet", 4}, {"pc", 25}};
    const char *class = field_text(&run->clients, part->client, "device_class");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (*scenario_text(&run->scenario, "devices.classes") && strcmp(class, devices[i].class) == 0)
            return devices[i].watts;
    return scenario_number(&run->scenario, "devices.power_compute");
}

struct energy energy_by_phase(const struct run *run, const struct part *part) {
    const struct scenario *s = &run->scenario;
    struct energy energy = {0};
    double computing_s = part->works_on ? lasts_s(&part->post) : 0, waiting_s = 0;
    for (size_t i = 0; i < part->n_phases; i++) {
        const struct phase *phase = part->phases + i;
        computing_s += phase->kind == COMPUTE ? lasts_s(phase) : 0;
        waiting_s += phase->kind == RETRY || phase->kind == ENCODE ? lasts_s(phase) : 0;
        energy.connecting_j += phase->kind == SETUP ? phase_j(run, part, i) : 0;
        energy.down_j += phase->kind == DOWN ? phase_j(run, part, i) : 0;
        energy.up_j += phase->kind == UP ? phase_j(run, part, i) : 0;
    }
    energy.compute_j = compute_w(run, part) * computing_s;
    if (part->delivery) /* it waited for the aggregation */
        waiting_s += part_start_s(part->delivery) - part_end_s(part);
    if (part->outcome != REFUSED && !part_phase(part, CONTACT) && last_phase(part)->kind != ENCODE)
        energy.awake_j = scenario_number(s, "devices.power_awake") * waiting_s;
    if (part->delivery) {
        struct energy after = energy_by_phase(run, part->delivery);
        energy.connecting_j += after.connecting_j;
        energy.down_j += after.down_j;
        energy.awake_j += after.awake_j;
    }
    return energy;
}

double energy_of(const struct run *run, const struct part *part) {
    struct energy energy = energy_by_phase(run, part);
    return energy.compute_j + energy.connecting_j + energy.down_j + energy.up_j + energy.awake_j;
}

static void add_phases(struct totals *totals, const struct part *part) {
    for (size_t i = 0; i < part->n_phases; i++) {
        add_seconds(totals, part->phases + i);
        totals->setup_bytes[0] += part->phases[i].setup_bytes[0];
        totals->setup_bytes[1] += part->phases[i].setup_bytes[1];
        totals->retries += part->phases[i].kind == RETRY && i + 1 < part->n_phases;
    }
}

/* Bytes downloaded after the aggregation that had to be sent again, and those that were lost besides. */
static double again_of(const struct run *run, const struct part *part) {
    return part->delivery ? part_resent(run, part->delivery, DOWN) : 0;
}

static double lost_of(const struct run *run, const struct part *part) {
    return part->delivery && !arrived(part->delivery)
               ? phase_bytes(part->delivery, DOWN) - again_of(run, part)
               : 0;
}

static void add_part(struct totals *totals, const struct run *run, const struct part *part) {
    double down = phase_bytes(part, DOWN), up = phase_bytes(part, UP), flop = part_flop(part);
    bool used = part_is_used(run, part);
    down += part->delivery ? phase_bytes(part->delivery, DOWN) : 0;
    totals->parts++;
    totals->outcomes[part->outcome]++;
    totals->used += used;
    totals->bytes[0] += down;
    totals->bytes[1] += up;
    double resent[2] = {part_resent(run, part, DOWN) + again_of(run, part), part_resent(run, part, UP)};
    totals->wasted_bytes[0] += used ? resent[0] + lost_of(run, part) : down;
    totals->wasted_bytes[1] += used ? resent[1] : up;
    totals->resent_bytes[0] += resent[0];
    totals->resent_bytes[1] += resent[1];
    totals->flop += flop + (part->works_on ? part->post.flop : 0);
    totals->wasted_flop +=
        (used ? 0 : flop) + (part->works_on && part->post_outcome != ENDED ? part->post.flop : 0);
    add_phases(totals, part);
    if (part->delivery)
        add_phases(totals, part->delivery);
    totals->energy_j += energy_of(run, part);
    if (part->works_on) {
        totals->post_uploads[part->post_outcome]++;
        totals->post_s += lasts_s(&part->post);
    }
}

/* Sums over the participations of a row, or of a client: the pointer tells which of the two. */
static void check_metered(struct report *report, const struct run *run, const struct table *table, size_t row,
    const size_t *client) {
    static const char *const columns[] = {"metered_down_bytes", "metered_up_bytes"};
    for (int up = 0; up < 2; up++) {
        double least = 0, most = 0, told = field(table, row, columns[up]);
        for (size_t i = 0; i < run->n_parts; i++) {
            double own_least, own_most;
            if (client ? run->parts[i].client != *client : run->parts[i].row != row)
                continue;
            metered_of(run, run->parts + i, up, &own_least, &own_most);
            least += own_least;
            most += own_most;
        }
        report->amounts++;
        must(report, NULL, told >= least && told <= most, "%s %zu: %s is %.15g, not between %.15g and %.15g",
            client ? "client" : "row", row, columns[up], told, least, most);
    }
}

static void check_row(struct report *report, const struct run *run, size_t row) {
    struct totals t = {0};
    const struct table *rounds = &run->rounds;
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
        add_part(&t, run, run->parts + i);
    same_amount(report, "selected", t.parts, field(rounds, row, "selected"));
    for (int i = 0; i < N_OUTCOMES; i++)
        same_amount(report, outcome_names[i], t.outcomes[i], field(rounds, row, outcome_names[i]));
    same_amount(report, "post_ended", t.post_uploads[ENDED], field(rounds, row, "post_ended"));
    same_amount(report, "post_lost", t.post_uploads[DROPPED_POST] + t.post_uploads[POST_CUT],
        field(rounds, row, "post_lost"));
    same_amount(report, "down_bytes", t.bytes[0], field(rounds, row, "down_bytes"));
    same_amount(report, "up_bytes", t.bytes[1], field(rounds, row, "up_bytes"));
    same_amount(report, "setup_down_bytes", t.setup_bytes[0], field(rounds, row, "setup_down_bytes"));
    same_amount(report, "setup_up_bytes", t.setup_bytes[1], field(rounds, row, "setup_up_bytes"));
    same_amount(report, "wasted_down_bytes", t.wasted_bytes[0], field(rounds, row, "wasted_down_bytes"));
    same_amount(report, "wasted_up_bytes", t.wasted_bytes[1], field(rounds, row, "wasted_up_bytes"));
    same_amount(report, "retries", t.retries, field(rounds, row, "retries"));
    same_amount(report, "resent_down_bytes", t.resent_bytes[0], field(rounds, row, "resent_down_bytes"));
    same_amount(report, "resent_up_bytes", t.resent_bytes[1], field(rounds, row, "resent_up_bytes"));
    check_metered(report, run, rounds, row, NULL);
    same_amount(report, "flop", t.flop, field(rounds, row, "flop"));
    same_amount(report, "wasted_flop", t.wasted_flop, field(rounds, row, "wasted_flop"));
    same_energy(report, "energy_j", t.energy_j, field(rounds, row, "energy_j"));
    same_amount(report, "duration_s", field(rounds, row, "end_s") - field(rounds, row, "start_s"),
        field(rounds, row, "duration_s"));
}

static void check_client(struct report *report, const struct run *run, size_t row, const struct totals *t) {
    const struct table *clients = &run->clients;
    same_amount(report, "client: participations", t->parts, field(clients, row, "participations"));
    same_amount(report, "client: delivered", t->used, field(clients, row, "delivered"));
    same_amount(report, "client: unavailable", t->outcomes[UNAVAILABLE], field(clients, row, "unavailable"));
    same_amount(
        report, "client: lost", t->parts - t->used - t->outcomes[UNAVAILABLE], field(clients, row, "lost"));
    same_amount(report, "client: down_bytes", t->bytes[0], field(clients, row, "down_bytes"));
    same_amount(report, "client: up_bytes", t->bytes[1], field(clients, row, "up_bytes"));
    same_amount(
        report, "client: setup_down_bytes", t->setup_bytes[0], field(clients, row, "setup_down_bytes"));
    same_amount(report, "client: setup_up_bytes", t->setup_bytes[1], field(clients, row, "setup_up_bytes"));
    same_amount(report, "client: setup_s", t->seconds[SETUP], field(clients, row, "setup_s"));
    same_amount(report, "client: retries", t->retries, field(clients, row, "retries"));
    same_amount(
        report, "client: resent_down_bytes", t->resent_bytes[0], field(clients, row, "resent_down_bytes"));
    same_amount(
        report, "client: resent_up_bytes", t->resent_bytes[1], field(clients, row, "resent_up_bytes"));
    if (has_states(run))
        check_metered(report, run, clients, row, &row);
    same_amount(report, "client: retry_s", t->seconds[RETRY], field(clients, row, "retry_s"));
    same_amount(report, "client: flop", t->flop, field(clients, row, "flop"));
    same_energy(report, "client: energy_j", t->energy_j, field(clients, row, "energy_j"));
    same_amount(report, "client: compute_s", t->seconds[COMPUTE], field(clients, row, "compute_s"));
    same_amount(report, "client: queue_s", t->seconds[QUEUE], field(clients, row, "queue_s"));
    same_amount(report, "client: post_s", t->post_s, field(clients, row, "post_s"));
    if (run->scenario.lv08)
        return;
    same_amount(report, "client: down_s", t->seconds[DOWN], field(clients, row, "down_s"));
    same_amount(report, "client: up_s", t->seconds[UP], field(clients, row, "up_s"));
    same_amount(report, "client: waited_latency_s", t->latency_s, field(clients, row, "waited_latency_s"));
}

static void check_clients(struct report *report, const struct run *run) {
    struct totals *totals = calloc(run->clients.n_rows + 1, sizeof *totals);
    if (!totals)
        abort();
    for (size_t i = 0; i < run->n_parts; i++)
        add_part(totals + run->parts[i].client, run, run->parts + i);
    for (size_t i = 0; i < run->clients.n_rows; i++)
        check_client(report, run, i, totals + i);
    free(totals);
}

static double summary_number(const json_t *json, const char *first, const char *second) {
    const json_t *value = json_object_get(json, first);
    return json_number_value(second ? json_object_get(value, second) : value);
}

static void add_waste(struct waste *waste, double n, double down, double up, double flop) {
    waste->parts += n;
    waste->bytes[0] += down;
    waste->bytes[1] += up;
    waste->flop += flop;
}

static void same_waste(struct report *report, const char *cause, const char *outcome,
    const struct waste *waste, const json_t *got) {
    char what[128];
    const char *const keys[] = {"participations", "down_bytes", "up_bytes", "flop"};
    const double expected[] = {waste->parts, waste->bytes[0], waste->bytes[1], waste->flop};
    for (int i = 0; i < 4; i++) {
        snprintf(what, sizeof what, "waste by %s%s%s: %s", cause, *outcome ? ", " : "", outcome, keys[i]);
        same_amount(report, what, expected[i], json_number_value(json_object_get(got, keys[i])));
    }
}

static void check_waste(struct report *report, const struct run *run) {
    struct waste waste[N_CAUSES] = {0}, by_outcome[N_CAUSES][N_OUTCOMES] = {0}, post_uploads[N_CAUSES] = {0},
                 deliveries[N_CAUSES] = {0};
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        enum cause cause = part->cause;
        if (part->outcome == DELIVERED && cause == NO_CAUSE && *lost_to(run, part->row))
            cause = strcmp(lost_to(run, part->row), "void_round") == 0 ? VOID_ROUND : SERVER_RESTART;
        double own = part_resent(run, part, DOWN),
               resent[2] = {own + again_of(run, part), part_resent(run, part, UP)},
               down = phase_bytes(part, DOWN) - own, up = phase_bytes(part, UP) - resent[1],
               flop = part_flop(part);
        if (resent[0] + resent[1] > 0) {
            add_waste(waste + RESENT, 1, resent[0], resent[1], 0);
            add_waste(&by_outcome[RESENT][part->outcome], 1, resent[0], resent[1], 0);
        }
        if (part->delivery && !arrived(part->delivery)) {
            add_waste(waste + part->delivery->cause, 1, lost_of(run, part), 0, 0);
            add_waste(deliveries + part->delivery->cause, 1, lost_of(run, part), 0, 0);
        }
        if (!part_is_used(run, part)) {
            add_waste(waste + cause, 1, down, up, flop);
            add_waste(&by_outcome[cause][part->outcome], 1, down, up, flop);
        }
        if (part->works_on && part->post_outcome != ENDED) {
            add_waste(waste + part->post_cause, 1, 0, 0, part->post.flop);
            add_waste(post_uploads + part->post_cause, 1, 0, 0, part->post.flop);
        }
    }
    const json_t *all = json_object_get(run->summary, "waste_by_cause");
    for (int cause = NO_CAUSE + 1; cause < N_CAUSES; cause++) {
        const json_t *got = json_object_get(all, cause_names[cause]),
                     *outcomes = json_object_get(got, "by_outcome");
        same_waste(report, cause_names[cause], "", waste + cause, got);
        for (int outcome = 0; outcome < N_OUTCOMES; outcome++)
            same_waste(report, cause_names[cause], outcome_names[outcome], &by_outcome[cause][outcome],
                json_object_get(outcomes, outcome_names[outcome]));
        same_waste(
            report, cause_names[cause], "post", post_uploads + cause, json_object_get(outcomes, "post"));
        same_waste(
            report, cause_names[cause], "receive", deliveries + cause, json_object_get(outcomes, "receive"));
    }
}

static double column_sum(const struct table *table, const char *column) {
    double sum = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        sum += field(table, i, column);
    return sum;
}

static void check_summary(struct report *report, const struct run *run) {
    struct totals t = {0};
    const json_t *s = run->summary;
    for (size_t i = 0; i < run->n_parts; i++)
        add_part(&t, run, run->parts + i);
    same_amount(report, "participations", t.parts, summary_number(s, "participations", NULL));
    same_amount(report, "bytes down", t.bytes[0], summary_number(s, "bytes", "down"));
    same_amount(report, "bytes up", t.bytes[1], summary_number(s, "bytes", "up"));
    same_amount(report, "setup bytes down", t.setup_bytes[0], summary_number(s, "bytes", "setup_down"));
    same_amount(report, "setup bytes up", t.setup_bytes[1], summary_number(s, "bytes", "setup_up"));
    same_amount(
        report, "bytes wasted", t.wasted_bytes[0] + t.wasted_bytes[1], summary_number(s, "bytes", "wasted"));
    same_amount(report, "retries", t.retries, summary_number(s, "retry", "retries"));
    same_amount(
        report, "bytes sent down again", t.resent_bytes[0], summary_number(s, "bytes", "resent_down"));
    same_amount(report, "bytes sent up again", t.resent_bytes[1], summary_number(s, "bytes", "resent_up"));
    same_amount(report, "metered bytes down", column_sum(&run->rounds, "metered_down_bytes"),
        summary_number(s, "bytes", "metered_down"));
    same_amount(report, "metered bytes up", column_sum(&run->rounds, "metered_up_bytes"),
        summary_number(s, "bytes", "metered_up"));
    same_amount(report, "flop", t.flop, summary_number(s, "flop", NULL));
    same_amount(report, "wasted flop", t.wasted_flop, summary_number(s, "wasted_flop", NULL));
    same_energy(report, "energy", t.energy_j, summary_number(s, "modelled", "energy_j"));
    for (int i = 0; i < N_OUTCOMES; i++)
        same_amount(report, outcome_names[i], t.outcomes[i], summary_number(s, "outcomes", outcome_names[i]));
    for (int i = 0; i < N_POST_OUTCOMES; i++)
        same_amount(report, post_names[i], t.post_uploads[i], summary_number(s, "post", post_names[i]));
    same_amount(report, "server_flop", column_sum(&run->rounds, "server_flop"),
        summary_number(s, "server_flop", NULL));
    same_amount(report, "idle_s", column_sum(&run->rounds, "idle_s"), summary_number(s, "idle_s", NULL));
    same_amount(report, "simulated_s", field(&run->rounds, run->rounds.n_rows - 1, "end_s"),
        summary_number(s, "simulated_s", NULL));
}

void check_sums(struct report *report, const struct run *run) {
    for (size_t row = 0; row < run->rounds.n_rows; row++)
        check_row(report, run, row);
    check_clients(report, run);
    check_waste(report, run);
    check_summary(report, run);
}
